//! What the spaces of a lease were found to be.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use saidso_core::{
    ports::Lease,
    position::Position,
    record::Topic,
    seal::{Generation, Replaced},
};

use crate::{cell::Space, recent::Recent};

/// Partitions remembered; another is read again.
const PARTITIONS: usize = 100_000;

/// A partition as it stands, as far as its only writer must know.
#[derive(Debug)]
pub(crate) struct Known {
    /// The last position folded in.
    pub(crate) applied: Option<Position>,
    /// The keys that the section at that position replaced.
    pub(crate) destroy: Vec<Replaced>,
}

type Name = (Space, Generation);

/// The partitions taken over, for each topic under its newest lease only: what was found under one says nothing to
/// another, in between which someone else may have written.
#[derive(Default)]
pub(crate) struct Taken(Mutex<HashMap<Topic, Leased>>);

struct Leased {
    token: u64,
    known: Recent<Name, Known>,
}

impl Taken {
    /// Takes out what is known, if anything is.
    pub(crate) fn take_out(&self, lease: &Lease, name: Name) -> Option<Known> {
        let mut topics = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = || Leased { token: lease.token, known: Recent::new(PARTITIONS, None) };
        let leased = topics.entry(lease.topic).or_insert_with(fresh);
        if leased.token != lease.token {
            *leased = fresh();
        }
        leased.known.remove(&name)
    }

    /// Puts back what is known now, unless the lease is another by now.
    pub(crate) fn put_back(&self, lease: &Lease, name: Name, known: Known) {
        let mut topics = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(leased) = topics.get_mut(&lease.topic)
            && leased.token == lease.token
        {
            leased.known.insert(name, known);
        }
    }
}
