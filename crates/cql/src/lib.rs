//! The store half of the distributed backend, on a CQL store: ScyllaDB, or Cassandra.
//!
//! **What it is.** [`saidso_core::ports::Ledger`]: spaces, turns, marks and keys in tables that many processes share.
//! **What it is not.** It holds no lease and reads no log; whoever calls [`Ledger::apply`] holds a lease, and asks here
//! only under it.
//!
//! The way in is [`Cql::open`]. The ports block; the driver's tasks run on two threads of this crate's own, so that any
//! thread may call, but a task of an async runtime only where it may block.
//!
//! Invariants:
//! - Every write carries a timestamp of its own making: [`cell::ONCE`] for what is written once, the position's for what
//!   a section writes, never a clock's. So a repeat changes nothing, and a stale writer loses.
//! - Only what is settled at the start (secrets, pins) is written under a condition.
//! - A space's partition moves by single-partition batches that set `applied`: a reader sees both or neither.
//! - Key material is wrapped wherever it leaves this process, and nothing readable of a customer is in any column.

use std::{panic::resume_unwind, sync::Arc, time::Duration};

use saidso_core::{
    fault::{Code, Fault},
    ids::{Names, TenantId, TurnId},
    marks::Mark,
    ports::{
        Change, Entropy, Entry, Generations, Keys, Lease, Ledger, LogIdentity, Pinned, ReadBackRow, Section, SpaceRows,
        SpaceTurns, Store, StoreId, TurnRow,
    },
    position::Position,
    scope::Scope,
    seal::{Generation, Key, KeyId, NamedKey},
};
use scylla::{
    client::{execution_profile::ExecutionProfile, session::Session, session_builder::SessionBuilder},
    frame::types::{Consistency, SerialConsistency},
    policies::load_balancing::DefaultPolicy,
};
use tokio::runtime::{Builder, Runtime};

use crate::{apply::Applying, keyring::KeyRing, link::Link, settled::Secrets, tables::Tables, taken::Taken};

pub use schema::Replication;

mod admit;
mod apply;
mod batches;
mod cell;
mod hits;
mod keyring;
mod link;
mod reads;
mod recent;
mod remembered;
mod reviews;
mod schema;
mod settled;
mod steps;
mod tables;
mod taken;
mod trouble;

/// Spaces, or turns, that one call works on at once.
const AT_ONCE: usize = 64;

/// Statements of one section, or destructions, that are under way at once.
const STEPS_AT_ONCE: usize = 8;

/// Rows that one statement lists: ScyllaDB takes no more.
const LISTED: usize = 100;

/// How to reach a CQL store, and what to keep there.
pub struct Options {
    /// Nodes to begin with, each `host:port`; the others are found through them.
    pub hosts: Vec<String>,
    /// The keyspace, made if it is missing: 1 to 48 letters, digits, `_` or `-`.
    pub keyspace: String,
    /// How many copies there are of every row, where the keyspace is made here.
    pub replication: Replication,
    /// The data centre whose nodes are asked. Must be said where there are several: all who share a keyspace must agree
    /// by quorums of one and the same.
    pub data_centre: Option<String>,
    /// Who to log in as.
    pub user: Option<User>,
    /// The key-encryption key: wraps the secrets, which wrap all other keys. Never stored.
    pub kek: Key,
    /// How long a request may take.
    pub timeout: Duration,
}

/// An account of the store.
pub struct User {
    /// Its name.
    pub name: String,
    /// Its password.
    pub password: String,
}

/// A keyspace, open. Clones share it.
#[derive(Clone)]
pub struct Cql(Arc<Handle>);

struct Handle {
    runtime: Option<Runtime>,
    tables: Arc<Tables>,
    keys: Arc<KeyRing>,
    taken: Taken,
}

impl Cql {
    /// Opens a keyspace, or makes it. Processes may do so at the same time.
    ///
    /// A store that does not answer is [`saidso_core::fault::Remedy::Retry`]. The rest is `Stop`: [`Code::WrongKey`],
    /// [`Code::NewerFormat`], [`Code::Limit`] for options that do not fit, and [`Code::StoreUnavailable`] for an account
    /// that may not do this.
    pub fn open(options: &Options, entropy: Arc<dyn Entropy>) -> Result<Self, Fault> {
        let mut runtime = Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).thread_name("saidso-cql").enable_all().build();
        let runtime =
            runtime.map_err(|error| Fault::stop(Code::StoreUnavailable, format!("started two threads: {error}")))?;
        let (tables, keys) = runtime.block_on(async {
            let link = connect(options).await?;
            schema::keyspace(&link, &options.keyspace, &options.replication).await?;
            schema::migrate(&link).await?;
            let tables = Arc::new(Tables::prepare(link).await?);
            let secrets = Secrets::open(&tables, &options.kek, &*entropy).await?;
            let keys = Arc::new(KeyRing::new(Arc::clone(&tables), secrets, entropy));
            Ok((tables, keys))
        })?;
        Ok(Self(Arc::new(Handle { runtime: Some(runtime), tables, keys, taken: Taken::default() })))
    }

    /// The maker of ids. Its secret stays the same for the life of the keyspace.
    pub fn names(&self) -> Names {
        Names::new(self.0.keys.names())
    }

    /// Whether a quorum answers just now.
    pub fn check(&self) -> Result<(), Fault> {
        let tables = &self.0.tables;
        self.wait(tables.link.run(&tables.check, ()))
    }

    fn wait<T>(&self, asked: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
        self.runtime().block_on(asked)
    }

    /// As [`Cql::wait`], for many requests at once: they are followed on the threads that hear the answers. The caller's
    /// would be woken for each, which costs more than the answer.
    fn hand_over<T: Send + 'static>(
        &self,
        asked: impl Future<Output = Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.runtime().block_on(self.runtime().spawn(asked)).unwrap_or_else(|ended| resume_unwind(ended.into_panic()))
    }

    fn runtime(&self) -> &Runtime {
        self.0.runtime.as_ref().expect("the runtime is there until the handle is dropped")
    }
}

impl Drop for Handle {
    /// Waits for nothing: the last clone may be dropped where a thread must not block.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn connect(options: &Options) -> Result<Link, Fault> {
    let Options { hosts, keyspace, replication, data_centre, user, timeout, .. } = options;
    let what = "opened the store";
    let unsaid = |found: &str| Err(Fault::stop(Code::Limit, format!("{what}: {found}")));
    if hosts.is_empty() {
        return unsaid("no host is given; give some of its nodes");
    }
    if matches!(replication, Replication::In(centres) if centres.len() > 1) && data_centre.is_none() {
        return unsaid("there are several data centres; say which one's nodes to ask");
    }
    let mut policy = DefaultPolicy::builder().token_aware(true);
    if let Some(centre) = data_centre {
        policy = policy.prefer_datacenter(centre.clone());
    }
    let profile = ExecutionProfile::builder()
        .consistency(Consistency::LocalQuorum)
        .serial_consistency(Some(SerialConsistency::LocalSerial))
        .request_timeout(Some(*timeout))
        .load_balancing_policy(policy.build())
        .build();
    let mut builder = SessionBuilder::new()
        .known_nodes(hosts)
        .connection_timeout(*timeout)
        .keyspaces_to_fetch([keyspace])
        .default_execution_profile_handle(profile.into_handle());
    if let Some(User { name, password }) = user {
        builder = builder.user(name, password);
    }
    let session: Session = builder.build().await.map_err(|error| trouble::connection(what, &error))?;
    Ok(Link::new(session))
}

impl Keys for Cql {
    fn key(&self, scope: &Scope, id: KeyId) -> Result<Option<Key>, Fault> {
        self.wait(self.0.keys.key(scope.key(), id))
    }

    fn space_key(&self, scope: &Scope) -> Result<NamedKey, Fault> {
        self.wait(self.0.keys.space_key(scope.key()))
    }

    fn warm(&self, scope: &Scope, ids: &[KeyId]) {
        if let Some(fetch) = self.0.keys.warm(scope.key(), ids) {
            self.runtime().spawn(fetch);
        }
    }
}

impl Store for Cql {
    fn turn(&self, scope: &Scope, turn: TurnId) -> Result<Option<TurnRow>, Fault> {
        self.wait(self.0.tables.read_turn(scope.key(), turn))
    }

    fn turns(&self, scope: &Scope) -> Result<Vec<TurnRow>, Fault> {
        self.wait(self.0.tables.read_turns(scope.key()))
    }

    fn each_space(
        &self,
        wanted: &dyn Fn(TenantId) -> bool,
        visit: &mut dyn FnMut(SpaceTurns) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        for space in self.wait(self.0.tables.read_spaces())? {
            let (tenant, name) = space;
            if wanted(tenant) {
                let turns = self.wait(self.0.tables.read_turns(space))?;
                visit(SpaceTurns { tenant, space: name, turns })?;
            }
        }
        Ok(())
    }

    fn rows(&self, scope: &Scope, generation: Generation) -> Result<SpaceRows, Fault> {
        self.wait(self.0.tables.read_rows(scope.key(), generation))
    }

    fn applied(&self, scope: &Scope, generation: Generation) -> Result<Option<Position>, Fault> {
        self.wait(self.0.tables.read_applied(scope.key(), generation))
    }

    fn marks(&self, scope: &Scope) -> Result<Vec<Mark>, Fault> {
        self.wait(self.0.tables.read_marks(scope.key()))
    }

    fn read_backs(&self, scope: &Scope) -> Result<Vec<ReadBackRow>, Fault> {
        self.wait(self.0.tables.read_read_backs(scope.key()))
    }
}

impl Generations for Cql {
    fn pin(&self, generation: Generation, pinned: &Pinned) -> Result<Pinned, Fault> {
        self.wait(self.0.tables.pin_generation(generation, pinned))
    }
}

impl Ledger for Cql {
    fn identity(&self) -> Result<StoreId, Fault> {
        self.wait(self.0.tables.identity(self.0.keys.entropy()))
    }

    fn pin_log(&self, identity: &LogIdentity) -> Result<LogIdentity, Fault> {
        self.wait(self.0.tables.pin_log(identity))
    }

    fn admit(&self, entries: &[Entry]) -> Result<Vec<Option<Position>>, Fault> {
        let admit = admit::admit(self.0.tables.clone(), self.0.keys.clone(), admit::admissions(entries)?);
        let mut known = vec![None; entries.len()];
        for (at, position) in self.hand_over(admit)? {
            known[at] = Some(position);
        }
        Ok(known)
    }

    fn note(&self, turns: &[(Scope, TurnId, Position)]) -> Result<(), Fault> {
        self.hand_over(admit::note(self.0.tables.clone(), admit::notes(turns)?))
    }

    fn apply(
        &self,
        lease: &Lease,
        sections: &[Section],
        alive: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Change>, Fault> {
        let Handle { tables, keys, taken, .. } = &*self.0;
        self.wait(Applying { tables, keys, taken, lease, alive }.all(sections))
    }
}
