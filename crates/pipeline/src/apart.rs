//! A backend of two halves, a log and a store that are apart: what a publish and a commit are then, and in which order
//! their steps come. Each step can be done again, so a crash between any two loses nothing and adds nothing.
//!
//! A publish: key, row and marks in the store → the record on the log → where it stands, in the store. A turn that is
//! known without a position is published again; the fold does not count it twice.
//!
//! A commit: the sections, in the store → the log's transaction with outputs, changes and offsets. Cut off in between,
//! the records come again, find their positions applied, and write nothing.

use std::{
    collections::HashSet,
    sync::{Arc, Condvar, Mutex, PoisonError},
};

use saidso_core::{
    fault::{Code, Fault},
    ids::{SpaceId, TenantId, TurnId},
    ports::{Commits, Effects, Entry, HeadLog, Lease, Ledger, Log, Outgoing, Published},
    position::Position,
    scope::Scope,
};

/// The two halves, joined.
pub struct Apart {
    log: Arc<dyn Log>,
    ledger: Arc<dyn Ledger>,
    publishing: Reservations,
}

impl Apart {
    /// Joins the halves. [`Code::Generation`] if the log belongs to another store, or the store's positions count in
    /// other topics than the log has.
    pub fn join(log: Arc<dyn Log>, ledger: Arc<dyn Ledger>) -> Result<Self, Fault> {
        let store = ledger.identity()?;
        let bound = log.bind(store)?;
        if bound != store {
            return Err(Fault::stop(
                Code::Generation,
                format!(
                    "compared the log with the store: the log's topics belong to store {bound}, and this process has store \
                     {store}. It would take turns away from the processes of the other, and keep them where those do not \
                     look. Point to the store that the topics belong to, or give this one topics of its own"
                ),
            ));
        }
        let found = log.identity();
        let pinned = ledger.pin_log(&found)?;
        if pinned != found {
            let differing = found.topics.iter().zip(&pinned.topics).find(|(found, pinned)| found != pinned);
            let what = differing.map_or_else(
                || "other topics".to_owned(),
                |((name, id, partitions), (pinned, pinned_id, pinned_partitions))| {
                    format!("{pinned} with id {pinned_id} and {pinned_partitions} partitions, and the broker has {name} with id {id} and {partitions}")
                },
            );
            return Err(Fault::stop(
                Code::Generation,
                format!(
                    "compared the log with the store: in log epoch {} the store's positions count in {what}. A topic made \
                     anew counts from 0 again, and what comes next would be taken for old. Point to the broker that has \
                     those topics, or let every stage come to rest and start with a higher log epoch",
                    found.epoch
                ),
            ));
        }
        Ok(Self { log, ledger, publishing: Reservations::default() })
    }
}

impl HeadLog for Apart {
    fn publish(&self, entries: Vec<Entry>) -> Result<Vec<Published>, Fault> {
        let ids: Vec<Option<Name>> = entries.iter().map(name).collect();
        let _reserved = self.publishing.reserve(ids.iter().flatten().copied().collect());
        // Of copies in one call the first goes out.
        let mut seen = HashSet::new();
        let first: Vec<bool> = ids.iter().map(|id| id.is_none_or(|id| seen.insert(id))).collect();
        let (mut out, mut copies) = (Vec::new(), Vec::new());
        for (entry, first) in entries.into_iter().zip(&first) {
            if *first { out.push(entry) } else { copies.push(entry) }
        }
        let mut answers = self.publish_once(out)?.into_iter();
        // A copy's marks bind as well; everything else of it is known by now.
        let mut known = match copies.is_empty() {
            true => Vec::new(),
            false => self.ledger.admit(&copies)?,
        }
        .into_iter();
        let none = || Fault::retry(Code::StoreUnavailable, "published entries: an answer is missing");
        first
            .into_iter()
            .map(|first| match first {
                true => answers.next().ok_or_else(none),
                false => {
                    let position = known.next().flatten().ok_or_else(none)?;
                    Ok(Published { position, known: true })
                }
            })
            .collect()
    }
}

impl Apart {
    /// Publishes entries of which no two are of one turn.
    fn publish_once(&self, entries: Vec<Entry>) -> Result<Vec<Published>, Fault> {
        let known = self.ledger.admit(&entries)?;
        let mut turns: Vec<Option<(Scope, TurnId)>> = Vec::new();
        let mut records = Vec::new();
        for (entry, known) in entries.into_iter().zip(&known) {
            if known.is_none() {
                turns.push(entry.turn.map(|row| (entry.scope, row.turn)));
                records.push(entry.record);
            }
        }
        let positions = match records.is_empty() {
            true => Vec::new(),
            false => self.log.append(records)?,
        };
        let noted: Vec<(Scope, TurnId, Position)> = turns
            .into_iter()
            .zip(&positions)
            .filter_map(|(turn, position)| turn.map(|(scope, turn)| (scope, turn, *position)))
            .collect();
        if !noted.is_empty() {
            self.ledger.note(&noted)?;
        }
        let mut positions = positions.into_iter();
        let answer = |known: Option<Position>| match known {
            Some(position) => Some(Published { position, known: true }),
            None => positions.next().map(|position| Published { position, known: false }),
        };
        let answers: Option<Vec<Published>> = known.into_iter().map(answer).collect();
        answers.ok_or_else(|| Fault::retry(Code::StoreUnavailable, "published entries: the log answered for too few"))
    }
}

impl Commits for Apart {
    fn commit(&self, lease: &Lease, effects: Effects) -> Result<(), Fault> {
        let Effects { sections, outputs, dead, offsets } = effects;
        let held = self.log.hold(lease)?;
        let changes = match sections.is_empty() {
            true => Vec::new(),
            false => self.ledger.apply(lease, &sections, &|| held.alive())?,
        };
        held.commit(Outgoing { outputs, changes, dead, offsets })
    }
}

type Name = (TenantId, SpaceId, TurnId);

fn name(entry: &Entry) -> Option<Name> {
    let (tenant, space) = entry.scope.key();
    entry.turn.as_ref().map(|row| (tenant, space, row.turn))
}

/// The turns this process is publishing: of copies that come at the same time the second waits, and finds the first.
/// Copies that come to two processes at the same time may both go out; their ids tell.
#[derive(Default)]
struct Reservations {
    taken: Mutex<HashSet<Name>>,
    freed: Condvar,
}

struct Reserved<'a> {
    of: &'a Reservations,
    names: HashSet<Name>,
}

impl Reservations {
    /// Waits until none of the names is taken, and takes them all: nobody holds some while it waits for others.
    fn reserve(&self, names: HashSet<Name>) -> Reserved<'_> {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let free = |taken: &mut HashSet<Name>| !taken.is_disjoint(&names);
        let mut taken = self.freed.wait_while(taken, free).unwrap_or_else(PoisonError::into_inner);
        taken.extend(&names);
        drop(taken);
        Reserved { of: self, names }
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        let mut taken = self.of.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.retain(|name| !self.names.contains(name));
        drop(taken);
        self.of.freed.notify_all();
    }
}
