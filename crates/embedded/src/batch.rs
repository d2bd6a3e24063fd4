//! What one transaction does to the rows. Pure of waiting and syncing: the commit thread does those around it.

use std::collections::{BTreeMap, BTreeSet};

use redb::WriteTransaction;
use saidso_core::{
    decay::Hit,
    ids::{SpaceId, TurnId},
    marks::Mark,
    observation::ObservationRow,
    ports::{Change, Effects, Entry, Pinned, Published, Section, TurnRow, Write},
    position::{Position, partition_of},
    record::{Record, RecordParts, Topic},
    review::ReviewRow,
    scope::Scope,
    seal::{Generation, KeyId, NamedKey, Replaced},
};

use crate::{
    hits,
    keyring::{KeyRing, Name, New, below},
    reviews,
    rows::{self, Rows, State, under},
    topics::record_key,
    trouble::{Trouble, misuse},
};

/// The tables of one transaction, and what else its commit comes to.
pub(crate) struct Batch<'t> {
    keys: &'t KeyRing,
    hits: Rows<'t>,
    reviews: Rows<'t>,
    verdicts: Rows<'t>,
    turns: Rows<'t>,
    observations: Rows<'t>,
    passages: Rows<'t>,
    applied: Rows<'t>,
    sessions: Rows<'t>,
    marks: Rows<'t>,
    read_backs: Rows<'t>,
    records: Rows<'t>,
    dead: Rows<'t>,
    generations: Rows<'t>,
    doomed: Rows<'t>,
    state: State,
    outcome: Outcome,
}

/// What a batch leaves for the commit thread to do.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// To be stored before the commit.
    pub(crate) new: BTreeMap<Name, New>,
    /// To be destroyed after it.
    pub(crate) doomed: BTreeSet<Name>,
    /// To be told after it.
    pub(crate) changes: Vec<Change>,
    /// Whether there is anything to commit.
    pub(crate) touched: bool,
}

impl<'t> Batch<'t> {
    /// Opens the tables. `destroyed` are the keys whose destruction the last commit ordered and which are gone by now.
    pub(crate) fn open(
        txn: &'t WriteTransaction,
        keys: &'t KeyRing,
        state: State,
        destroyed: &BTreeSet<Name>,
    ) -> Result<Self, Trouble> {
        let mut batch = Self {
            keys,
            hits: Rows::open(txn, rows::HITS)?,
            reviews: Rows::open(txn, rows::REVIEWS)?,
            verdicts: Rows::open(txn, rows::VERDICTS)?,
            turns: Rows::open(txn, rows::TURNS)?,
            observations: Rows::open(txn, rows::OBSERVATIONS)?,
            passages: Rows::open(txn, rows::PASSAGES)?,
            applied: Rows::open(txn, rows::APPLIED)?,
            sessions: Rows::open(txn, rows::SESSIONS)?,
            marks: Rows::open(txn, rows::MARKS)?,
            read_backs: Rows::open(txn, rows::READ_BACKS)?,
            records: Rows::open(txn, rows::RECORDS)?,
            dead: Rows::open(txn, rows::DEAD)?,
            generations: Rows::open(txn, rows::GENERATIONS)?,
            doomed: Rows::open(txn, rows::DOOMED)?,
            state,
            outcome: Outcome::default(),
        };
        for name in destroyed {
            batch.doomed.remove(&doomed_key(name))?;
        }
        Ok(batch)
    }

    /// The state as moved on, and what is left to do.
    pub(crate) fn close(self) -> (State, Outcome) {
        (self.state, self.outcome)
    }

    /// [`saidso_core::ports::HeadLog::publish`].
    pub(crate) fn publish(&mut self, entries: &[Entry]) -> Result<Vec<Published>, Trouble> {
        entries.iter().map(|entry| self.entry(entry)).collect()
    }

    fn entry(&mut self, entry: &Entry) -> Result<Published, Trouble> {
        let Entry { scope, key, turn, marks, record } = entry;
        let parts = record.parts();
        if (parts.tenant, parts.space) != scope.key() {
            return Err(misuse("published", "an entry whose record is of another space").into());
        }
        for mark in marks {
            self.mark(scope, mark)?;
        }
        if let Some(turn) = turn
            && let Some(TurnRow { position: Some(first), .. }) = self.turn(scope, turn.turn)?
        {
            return Ok(Published { position: first, known: true });
        }
        if let Some(key) = key {
            self.new_key(scope, key)?;
        }
        let partition = partition_of(parts.space, self.state.partitions);
        let offset = self.append(Topic::Turns, partition, parts)?;
        let position = Position { epoch: self.state.epoch, partition, offset };
        if let Some(turn) = turn {
            self.put_turn(scope, &TurnRow { position: Some(position), ..turn.clone() })?;
        }
        Ok(Published { position, known: false })
    }

    /// [`saidso_core::ports::Commits::commit`], once the lease is found alive.
    pub(crate) fn effects(&mut self, topic: Topic, effects: &Effects) -> Result<(), Trouble> {
        for section in &effects.sections {
            self.section(section)?;
        }
        for (topic, record) in &effects.outputs {
            self.output(*topic, record)?;
        }
        for dead in &effects.dead {
            self.outcome.touched = true;
            self.dead.put(&self.state.dead.to_be_bytes(), dead)?;
            self.state.dead += 1;
        }
        for (partition, next) in &effects.offsets {
            self.go_on_from(topic, *partition, *next)?;
        }
        Ok(())
    }

    /// [`saidso_core::ports::Generations::pin`].
    pub(crate) fn pin(&mut self, generation: Generation, pinned: &Pinned) -> Result<Pinned, Trouble> {
        let key = generation.0.to_be_bytes();
        if let Some(stands) = self.generations.get(&key)? {
            return Ok(stands);
        }
        self.outcome.touched = true;
        self.generations.put(&key, pinned)?;
        Ok(pinned.clone())
    }

    /// [`saidso_core::ports::Hits::put_hits`].
    pub(crate) fn put_hits(&mut self, spaces: &[(Scope, Vec<Hit>)]) -> Result<(), Trouble> {
        self.outcome.touched |= hits::put(&mut self.hits, spaces)?;
        Ok(())
    }

    /// [`saidso_core::ports::Reviews::put_reviews`].
    pub(crate) fn put_reviews(&mut self, spaces: &[(Scope, Vec<ReviewRow>)]) -> Result<(), Trouble> {
        self.outcome.touched |= reviews::put(&mut self.reviews, spaces)?;
        Ok(())
    }

    /// [`saidso_core::ports::Reviews::remove_reviews`].
    pub(crate) fn remove_reviews(&mut self, scope: &Scope, rows: &[ReviewRow]) -> Result<(), Trouble> {
        for row in rows {
            self.outcome.touched |= reviews::remove(&mut self.reviews, scope, row.id, row.asked_ms)?;
        }
        Ok(())
    }

    fn section(&mut self, section: &Section) -> Result<(), Trouble> {
        let Section { scope, generation, position, accepted_ms, new_keys, writes, destroy } = section;
        let (tenant, space) = scope.key();
        let key = rows::generation(scope, *generation);
        let stands: Option<Position> = self.applied.get(&key)?;
        let stale = stands.filter(|stands| position <= stands);
        if stale.is_none() {
            self.outcome.touched = true;
            for key in new_keys {
                self.new_key(scope, key)?;
            }
            for write in writes {
                self.write(scope, *generation, write)?;
            }
            self.applied.put(&key, position)?;
        }
        for replaced in destroy {
            // A section that comes again may have been worked out from rows that had moved on: what a turn stands
            // under now is not what it meant.
            let spared = match stale {
                Some(_) => self.stands_under(scope, replaced.turn)?,
                None => None,
            };
            let below = spared.map_or(replaced.below, |spared| spared.min(replaced.below));
            self.doom(space, Replaced { below, ..*replaced })?;
        }
        let applied = stale.unwrap_or(*position);
        self.outcome.changes.push(Change {
            tenant,
            space,
            generation: *generation,
            applied,
            accepted_ms: *accepted_ms,
        });
        Ok(())
    }

    fn write(&mut self, scope: &Scope, generation: Generation, write: &Write) -> Result<(), Trouble> {
        let row_key = |id: &[u8; 16]| under(rows::generation(scope, generation), id);
        match write {
            Write::Observation(observation) => {
                let row: &ObservationRow = observation.row();
                self.observations.put(&row_key(row.id.as_bytes()), row)?;
            }
            Write::Remove(id) => self.observations.remove(&row_key(id.as_bytes()))?,
            Write::Mark(mark) => self.mark(scope, mark)?,
            Write::Turn { turn, sealed } => {
                if let Some(row) = self.turn(scope, *turn)? {
                    self.put_turn(scope, &TurnRow { sealed: sealed.clone(), ..row })?;
                }
            }
            Write::Drops { turn, sealed } => {
                if let Some(row) = self.turn(scope, *turn)? {
                    self.put_turn(scope, &TurnRow { drops: sealed.clone(), ..row })?;
                }
            }
            Write::Passages { turn, sealed: Some(sealed) } => {
                self.passages.put(&row_key(turn.as_bytes()), sealed)?;
            }
            Write::Passages { turn, sealed: None } => self.passages.remove(&row_key(turn.as_bytes()))?,
            Write::ReadBack(row) => {
                self.read_backs.put(&under(rows::space(scope), row.turn.as_bytes()), row)?;
            }
            Write::NoReadBack(turn) => self.read_backs.remove(&under(rows::space(scope), turn.as_bytes()))?,
            Write::Verdict(row) => reviews::judge(&mut self.verdicts, scope, row)?,
            Write::NoVerdicts(result) => reviews::unjudge(&mut self.verdicts, scope, *result)?,
            Write::NoReview { review, asked_ms } => {
                reviews::remove(&mut self.reviews, scope, *review, *asked_ms)?;
            }
            Write::SessionEnded { session, at_ms } => {
                let key = row_key(session.as_bytes());
                let stands: Option<i64> = self.sessions.get(&key)?;
                self.sessions.put(&key, &stands.map_or(*at_ms, |stands| stands.max(*at_ms)))?;
            }
        }
        Ok(())
    }

    fn turn(&self, scope: &Scope, turn: TurnId) -> Result<Option<TurnRow>, Trouble> {
        self.turns.get(&under(rows::space(scope), turn.as_bytes()))
    }

    fn put_turn(&mut self, scope: &Scope, row: &TurnRow) -> Result<(), Trouble> {
        self.turns.put(&under(rows::space(scope), row.turn.as_bytes()), row)
    }

    fn mark(&mut self, scope: &Scope, mark: &Mark) -> Result<(), Trouble> {
        self.outcome.touched = true;
        let id = postcard::to_stdvec(mark).expect("a mark always serialises");
        self.marks.put(&under(rows::space(scope), &id), mark)
    }

    /// The version of the key that a turn's row names.
    fn stands_under(&self, scope: &Scope, turn: TurnId) -> Result<Option<u64>, Trouble> {
        Ok(self.turn(scope, turn)?.and_then(|row| match row.sealed.key {
            KeyId::Turn { version, .. } => Some(version),
            KeyId::Space { .. } => None,
        }))
    }

    fn new_key(&mut self, scope: &Scope, key: &NamedKey) -> Result<(), Trouble> {
        let (tenant, space) = scope.key();
        let name = (space, key.id);
        if self.keys.contains(name) || self.outcome.new.contains_key(&name) {
            return Err(
                misuse("stored a key", "one of that id stands, and what is sealed under it would be lost").into()
            );
        }
        self.outcome.new.insert(name, New { tenant, space, key: key.clone() });
        Ok(())
    }

    fn doom(&mut self, space: SpaceId, replaced: Replaced) -> Result<(), Trouble> {
        let new = self.outcome.new.range(below(space, replaced)).map(|(name, _)| *name);
        let names: Vec<Name> = new.chain(self.keys.replaced(space, replaced)).collect();
        for name in names {
            if self.outcome.doomed.insert(name) {
                self.outcome.touched = true;
                self.doomed.put(&doomed_key(&name), &name)?;
            }
        }
        Ok(())
    }

    fn output(&mut self, topic: Topic, record: &Record) -> Result<(), Trouble> {
        let parts = record.parts();
        match parts.position {
            Some(position) if topic != Topic::Turns && position.partition < self.state.partitions => {
                self.append(topic, position.partition, parts)?;
                Ok(())
            }
            _ => Err(misuse("put a record on a topic", "the head log, or a record without a position on it").into()),
        }
    }

    fn append(&mut self, topic: Topic, partition: u32, parts: &RecordParts) -> Result<u64, Trouble> {
        self.outcome.touched = true;
        let end = &mut self.state.ends[topic as usize][partition as usize];
        let offset = *end;
        *end += 1;
        self.records.put(&record_key(topic, partition, offset), parts)?;
        Ok(offset)
    }

    /// The log is transport: what is committed is not kept.
    fn go_on_from(&mut self, topic: Topic, partition: u32, next: u64) -> Result<(), Trouble> {
        let (ends, committed) = (&self.state.ends[topic as usize], &mut self.state.committed[topic as usize]);
        let (Some(end), Some(committed)) = (ends.get(partition as usize), committed.get_mut(partition as usize)) else {
            return Err(misuse("committed an offset", "a partition that is not there").into());
        };
        if next > *end {
            return Err(misuse("committed an offset", "one that was never written").into());
        }
        for offset in *committed..next {
            self.outcome.touched = true;
            self.records.remove(&record_key(topic, partition, offset))?;
        }
        *committed = next.max(*committed);
        Ok(())
    }
}

fn doomed_key(name: &Name) -> Vec<u8> {
    postcard::to_stdvec(name).expect("a key's name always serialises")
}
