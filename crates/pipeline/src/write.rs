//! Write: grounded, embedded items become observations in the store; commands take effect, in order.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use saidso_core::{
    fault::{Code, Fault},
    ids::{ObservationId, SpaceId, TenantId},
    item::{Drop, DropReason},
    limits,
    marks::Marks,
    observation::{Observation, SealedObservation},
    ports::{Delivered, Effects, Lease, Section, Write as StoreWrite},
    record::{self, DeadLetter, Opened, Progress, Record, Topic},
    scope::Scope,
    seal::{self, Field, Generation, NamedKey, Place, Sealed},
    stages::{Command, EmbeddedTurn},
};

use crate::{
    Ports, Rules,
    counts::Counters,
    fan::fan,
    forget, retract, reviews,
    work::{Handled, Work},
};

pub(crate) struct Write {
    ports: Ports,
    rules: Rules,
    generation: Generation,
    counters: Arc<Counters>,
    lease: Option<Lease>,
    /// Of the spaces written to under the lease. Who else adds marks puts a command on the log too, and a command makes
    /// its space be read again.
    marks: HashMap<(TenantId, SpaceId), Marks>,
}

/// What a record holds.
enum Content {
    Turn(NamedKey, Box<EmbeddedTurn>),
    Command(Command),
    Nothing,
}

impl Content {
    /// Commands do, and turns that may take something back.
    fn reads_its_space(&self) -> bool {
        match self {
            Content::Turn(_, turn) => !turn.retractions.is_empty(),
            Content::Command(_) => true,
            Content::Nothing => false,
        }
    }
}

impl Work for Write {
    fn topic(&self) -> Topic {
        Topic::Embedded
    }

    fn most(&self) -> usize {
        limits::WRITE_RECORDS
    }

    fn leased(&mut self, lease: &Lease) {
        if self.lease.as_ref() != Some(lease) {
            self.lease = Some(lease.clone());
            self.marks.clear();
        }
    }

    fn handle(&mut self, batch: &[Delivered]) -> Handled {
        let mut handled = Handled { effects: Effects::default(), done: 0, fault: None };
        record::warm(batch.iter().map(|delivered| &delivered.record), self.ports.keys.as_ref());
        let mut read = Vec::new();
        for delivered in batch {
            match self.content(delivered) {
                // What this batch wrote to any space is committed first.
                Ok((_, content)) if content.reads_its_space() && !read.is_empty() => break,
                Ok((scope, content)) => read.push((delivered, scope, content)),
                Err(fault) => {
                    handled.fault = Some(fault);
                    break;
                }
            }
            if read.last().is_some_and(|(.., content)| content.reads_its_space()) {
                break;
            }
        }
        let turns = read.iter().filter(|(_, _, content)| matches!(content, Content::Turn(..)));
        if let Err(fault) = self.read_marks(turns.map(|(_, scope, _)| scope)) {
            return Handled { fault: Some(fault), ..handled };
        }
        for (delivered, scope, content) in read {
            match self.section(delivered, scope, content) {
                Ok(section) => handled.effects.sections.push(section),
                Err(fault) => {
                    handled.fault = Some(fault);
                    break;
                }
            }
            handled.done += 1;
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
    pub fn new(ports: Ports, rules: Rules, generation: Generation, counters: Arc<Counters>) -> Self {
        Self { ports, rules, generation, counters, lease: None, marks: HashMap::new() }
    }

    fn content(&self, delivered: &Delivered) -> Result<(Scope, Content), Fault> {
        let (record, ports) = (&delivered.record, &self.ports);
        match record.parts().field {
            Field::Embedded => Ok(match ports.open(record)? {
                Opened::Body(scope, key, turn) => (scope, Content::Turn(key, Box::new(turn))),
                Opened::KeyGone(scope) => (scope, Content::Nothing),
            }),
            Field::Command => Ok(match ports.open(record)? {
                Opened::Body(scope, _, command) => (scope, Content::Command(command)),
                Opened::KeyGone(scope) => (scope, Content::Nothing),
            }),
            Field::Progress => match ports.open(record)? {
                Opened::Body(scope, _, Progress) | Opened::KeyGone(scope) => Ok((scope, Content::Nothing)),
            },
            other => Err(Fault::dead_letter(
                Code::Undecodable,
                format!("read {}: a record holds a {other:?} there", Topic::Embedded.name()),
            )),
        }
    }

    /// Reads the marks of spaces not written to before.
    fn read_marks<'a>(&mut self, scopes: impl Iterator<Item = &'a Scope>) -> Result<(), Fault> {
        let scopes = scopes.filter(|scope| !self.marks.contains_key(&scope.key()));
        let scopes: Vec<&Scope> = scopes.collect::<HashSet<_>>().into_iter().collect();
        let store = self.ports.store.as_ref();
        let read = fan(&scopes, |scope| Ok((scope.key(), store.marks(scope)?.into_iter().collect())))?;
        self.marks.extend(read);
        Ok(())
    }

    /// What one record changes.
    fn section(&mut self, delivered: &Delivered, scope: Scope, content: Content) -> Result<Section, Fault> {
        match content {
            Content::Turn(key, turn) => self.turn(scope, &key, *turn, delivered),
            Content::Command(command) => {
                self.marks.remove(&scope.key());
                self.command(scope, command, delivered)
            }
            Content::Nothing => Ok(self.nothing(scope, delivered)),
        }
    }

    /// Whose a record is, if it opens.
    fn scope(&self, record: &Record) -> Option<Scope> {
        let ports = &self.ports;
        match record.parts().field {
            Field::Command => scope_of(ports.open::<Command>(record)),
            Field::Progress => scope_of(ports.open::<Progress>(record)),
            _ => scope_of(ports.open::<EmbeddedTurn>(record)),
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

    fn turn(
        &mut self,
        scope: Scope,
        key: &NamedKey,
        mut turn: EmbeddedTurn,
        delivered: &Delivered,
    ) -> Result<Section, Fault> {
        let ids = self.ports.names.ids(&scope);
        let observe = |item| {
            Observation::new(item, &turn.meta, delivered.position, &ids).ok_or_else(|| {
                Fault::dead_letter(Code::Undecodable, "wrote a turn: an item's evidence names no message of it")
            })
        };
        let observations = turn.items.iter().map(observe).collect::<Result<Vec<_>, _>>()?;
        let mut drops = std::mem::take(&mut turn.drops);
        let passages = self.passages(&turn, &scope, key);
        let taken = passages.as_ref().map_or(0, |sealed| sealed.bytes.len());
        let Fitting { observations, sealed, surplus } = self.fitting(observations, &scope, key, taken);
        drops.extend(surplus);

        let mut section = self.nothing(scope.clone(), delivered);
        let space = scope.key();
        // A copy of a message of which words are marked may show them where nothing is made of it.
        let shows = |marks: &Marks| turn.meta.messages.iter().any(|message| !marks.words(*message, &ids).is_empty());
        let covered =
            |marks: &Marks| shows(marks) || observations.iter().any(|observation| marks.cover(observation, &ids));
        let cleared = if !turn.retractions.is_empty() {
            // It adds marks, and ends its batch: the next one reads them.
            self.marks.remove(&space);
            Some(retract::retract(&self.ports, &self.rules.fold, &turn, observations, &mut section)?)
        } else if self.marks.get(&space).is_some_and(covered) {
            // Said again, or said before and late: the words go from the turn as well.
            let marks = self.marks.entry(space).or_default().clone();
            let own = shows(&marks).then_some(turn.meta.id);
            Some(forget::clear_late(&self.ports, &mut section, observations, marks, own)?)
        } else {
            None
        };

        let gone: HashSet<ObservationId> =
            cleared.iter().flat_map(|cleared| &cleared.gone).map(|observation| observation.id).collect();
        let (kept, suppressed): (Vec<SealedObservation>, Vec<SealedObservation>) =
            sealed.into_iter().partition(|sealed| !gone.contains(&sealed.row().id));
        let suppressed = suppressed.iter().map(|_| Drop { reason: DropReason::Suppressed, quote: String::new() });
        if !turn.meta.kept {
            // They would keep some of its words.
            drops.iter_mut().for_each(|drop| drop.quote.clear());
        }
        let resealed = cleared.as_ref().and_then(|cleared| cleared.turns.get(&turn.meta.id));
        if let Some(resealed) = resealed {
            // Nor are they kept as a drop's quote.
            drops.retain(|drop| forget::shown(drop, &resealed.left));
        }
        drops.extend(suppressed);
        self.counters.written(kept.len(), &drops);
        if resealed.is_none() {
            section.writes.extend(kept.into_iter().map(StoreWrite::Observation));
            let turn = turn.meta.id;
            section.writes.extend(passages.map(|sealed| StoreWrite::Passages { turn, sealed: Some(sealed) }));
        }
        if !drops.is_empty() {
            let key = resealed.map_or(key, |resealed| &resealed.key);
            let (turn, id) = (turn.meta.id, *turn.meta.id.as_bytes());
            let place = Place { scope: &scope, id, generation: Generation::ALL, field: Field::Drops };
            let sealed = Some(seal::seal(key, place, &drops, self.ports.entropy.as_ref()));
            section.writes.push(StoreWrite::Drops { turn, sealed });
        }
        Ok(section)
    }

    /// Seals the vectors of a turn's passages, if it has any.
    fn passages(&self, turn: &EmbeddedTurn, scope: &Scope, key: &NamedKey) -> Option<Sealed> {
        let (id, generation) = (*turn.meta.id.as_bytes(), self.generation);
        let place = Place { scope, id, generation, field: Field::Passages };
        let sealed = || seal::seal(key, place, &turn.passages, self.ports.entropy.as_ref());
        (!turn.passages.is_empty()).then(sealed)
    }

    /// Seals observations, as many as one turn may yield of which so many bytes are taken.
    fn fitting(&self, mut observations: Vec<Observation>, scope: &Scope, key: &NamedKey, taken: usize) -> Fitting {
        let entropy = self.ports.entropy.as_ref();
        let mut bytes = taken;
        let seal = |observation| SealedObservation::seal(observation, scope, self.generation, key, entropy);
        let fits = |sealed: &SealedObservation| {
            bytes += sealed.bytes();
            bytes <= limits::TURN_SEALED_BYTES
        };
        let sealed: Vec<SealedObservation> = observations.iter().map(seal).take_while(fits).collect();
        let surplus = observations.split_off(sealed.len()).into_iter().map(|observation| {
            let quote = observation.body.item.evidence.quote;
            Drop { reason: DropReason::Invalid, quote }
        });
        Fitting { surplus: surplus.collect(), observations, sealed }
    }

    fn command(&self, scope: Scope, command: Command, delivered: &Delivered) -> Result<Section, Fault> {
        let mut section = self.nothing(scope, delivered);
        match command {
            Command::Forget { memories, at_ms } => {
                let target = forget::Target { memories: &memories, at_ms };
                forget::forget(&self.ports, &self.rules.fold, target, section)
            }
            Command::EndSession { session, at_ms } => {
                section.writes.push(StoreWrite::SessionEnded { session, at_ms });
                retract::let_go_of_session(&self.ports, session, &mut section)?;
                Ok(section)
            }
            Command::LetGo { turns } => forget::let_go(&self.ports, &turns, section),
            Command::Judge { review, asked_ms, results, verdict } => {
                reviews::judge(&mut section, review, asked_ms, results, verdict);
                Ok(section)
            }
            Command::ReadBack { turn } => {
                retract::let_go(&self.ports, turn, &mut section);
                Ok(section)
            }
        }
    }
}

/// A turn's observations, and what did not fit.
struct Fitting {
    observations: Vec<Observation>,
    /// The same, sealed under the turn's key as it came.
    sealed: Vec<SealedObservation>,
    surplus: Vec<Drop>,
}

fn scope_of<T>(opened: Result<Opened<T>, Fault>) -> Option<Scope> {
    match opened.ok()? {
        Opened::Body(scope, ..) | Opened::KeyGone(scope) => Some(scope),
    }
}
