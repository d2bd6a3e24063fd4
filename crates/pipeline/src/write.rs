//! Write: grounded, embedded items become observations in the store; commands take effect, in order.

use std::sync::Arc;

use saidso_core::{
    fault::{Code, Fault},
    item::{Drop, DropReason},
    marks::Marks,
    observation::{Observation, SealedObservation},
    ports::{Delivered, Effects, Section, Write as StoreWrite},
    record::{self, DeadLetter, Opened, Progress, Record, Topic},
    scope::Scope,
    seal::{self, Field, Generation, NamedKey, Place},
    stages::{Command, EmbeddedTurn},
};

use crate::{
    Ports, Rules,
    counts::Counters,
    forget,
    work::{Handled, Work},
};

pub(crate) struct Write {
    pub ports: Ports,
    pub rules: Rules,
    pub generation: Generation,
    pub counters: Arc<Counters>,
}

impl Work for Write {
    fn topic(&self) -> Topic {
        Topic::Embedded
    }

    fn handle(&mut self, batch: &[Delivered]) -> Handled {
        let mut handled = Handled { effects: Effects::default(), done: 0, fault: None };
        for delivered in batch {
            // A forget reads the space, so what this batch wrote to any space is committed first.
            if delivered.record.parts().field == Field::Command && handled.done > 0 {
                break;
            }
            match self.section(delivered) {
                Ok(section) => handled.effects.sections.push(section),
                Err(fault) => {
                    handled.fault = Some(fault);
                    break;
                }
            }
            handled.done += 1;
            if delivered.record.parts().field == Field::Command {
                break;
            }
        }
        handled
    }

    fn set_aside(&mut self, delivered: &Delivered, code: Code) -> Effects {
        let Delivered { partition, offset, position, record } = delivered;
        let mut effects = Effects::default();
        effects.dead.push(DeadLetter::new(record, Topic::Embedded, *partition, *offset, *position, code));
        // What does not open was not written by intake and moves no space.
        if let Some(scope) = self.scope(record) {
            effects.sections.push(self.nothing(scope, delivered));
        }
        effects
    }

    fn canary(&mut self) -> bool {
        true
    }
}

impl Write {
    /// What one record changes.
    fn section(&self, delivered: &Delivered) -> Result<Section, Fault> {
        let (record, keys) = (&delivered.record, self.ports.keys.as_ref());
        match record.parts().field {
            Field::Embedded => match record::open::<EmbeddedTurn>(record, keys)? {
                Opened::Body(scope, key, turn) => self.turn(scope, &key, turn, delivered),
                Opened::KeyGone(scope) => Ok(self.nothing(scope, delivered)),
            },
            Field::Command => match record::open::<Command>(record, keys)? {
                Opened::Body(scope, _, command) => self.command(scope, command, delivered),
                Opened::KeyGone(scope) => Ok(self.nothing(scope, delivered)),
            },
            Field::Progress => match record::open::<Progress>(record, keys)? {
                Opened::Body(scope, _, Progress) | Opened::KeyGone(scope) => Ok(self.nothing(scope, delivered)),
            },
            other => Err(Fault::dead_letter(
                Code::Undecodable,
                format!("read {}: a record holds a {other:?} there", Topic::Embedded.name()),
            )),
        }
    }

    /// Whose a record is, if it opens.
    fn scope(&self, record: &Record) -> Option<Scope> {
        let keys = self.ports.keys.as_ref();
        match record.parts().field {
            Field::Command => scope_of(record::open::<Command>(record, keys)),
            Field::Progress => scope_of(record::open::<Progress>(record, keys)),
            _ => scope_of(record::open::<EmbeddedTurn>(record, keys)),
        }
    }

    fn nothing(&self, scope: Scope, delivered: &Delivered) -> Section {
        Section {
            scope,
            generation: self.generation,
            position: delivered.position,
            accepted_ms: delivered.record.parts().accepted_ms,
            new_keys: Vec::new(),
            writes: Vec::new(),
            destroy: Vec::new(),
        }
    }

    fn turn(&self, scope: Scope, key: &NamedKey, turn: EmbeddedTurn, delivered: &Delivered) -> Result<Section, Fault> {
        let ids = self.ports.names.ids(&scope);
        let marks: Marks = self.ports.store.marks(&scope)?.into_iter().collect();
        let EmbeddedTurn { meta, items, mut drops } = turn;
        let observe = |item| {
            Observation::new(item, &meta, delivered.position, &ids).ok_or_else(|| {
                Fault::dead_letter(Code::Undecodable, "wrote a turn: an item's evidence names no message of it")
            })
        };
        let observations = items.iter().map(observe).collect::<Result<Vec<_>, _>>()?;
        let (gone, kept): (Vec<Observation>, Vec<Observation>) =
            observations.into_iter().partition(|observation| marks.cover(observation, &ids));

        let (entropy, mut section) = (self.ports.entropy.as_ref(), self.nothing(scope.clone(), delivered));
        if gone.is_empty() {
            let seal = |observation| SealedObservation::seal(observation, &scope, self.generation, key, entropy);
            section.writes.extend(kept.iter().map(|observation| StoreWrite::Observation(seal(observation))));
        } else {
            // Said again, or said before and late: the words go from the turn as well.
            let gone: Vec<&Observation> = gone.iter().collect();
            forget::reseal(&self.ports, &scope, meta.id, &gone, kept.iter(), &mut section)?;
            // Nor are they kept as a drop's quote.
            drops.extend(gone.iter().map(|_| Drop { reason: DropReason::Suppressed, quote: String::new() }));
        }
        self.counters.written(kept.len(), &drops);
        if !drops.is_empty() {
            let key = section.new_keys.last().unwrap_or(key);
            let place =
                Place { scope: &scope, id: *meta.id.as_bytes(), generation: Generation::ALL, field: Field::Drops };
            let sealed = seal::seal(key, place, &drops, entropy);
            section.writes.push(StoreWrite::Drops { turn: meta.id, sealed: Some(sealed) });
        }
        Ok(section)
    }

    fn command(&self, scope: Scope, command: Command, delivered: &Delivered) -> Result<Section, Fault> {
        let section = self.nothing(scope, delivered);
        match command {
            Command::Forget { memories, at_ms } => {
                let calibration = self.rules.embedder.calibration();
                let target = forget::Target { memories: &memories, at_ms };
                forget::forget(&self.ports, &calibration, target, section)
            }
            Command::EndSession { session, at_ms } => {
                Ok(Section { writes: vec![StoreWrite::SessionEnded { session, at_ms }], ..section })
            }
        }
    }
}

fn scope_of<T>(opened: Result<Opened<T>, Fault>) -> Option<Scope> {
    match opened.ok()? {
        Opened::Body(scope, ..) | Opened::KeyGone(scope) => Some(scope),
    }
}
