//! The CQL store by itself, on a real server: what the conformance suite, which needs a log too, does not reach.

mod admit;
mod keys;
mod sections;
mod start;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use saidso_core::{
    access::{self, Request, Tokens},
    fault::{Code, Fault, Remedy},
    ids::{MarkId, ObservationId, SessionId, TurnId},
    item::Kind,
    marks::Mark,
    observation::{ObservationRow, SealedObservation},
    ports::{
        Change, Entropy as _, Entry, Generations as _, Keys as _, Lease, Ledger as _, LogIdentity, Pinned, Section,
        Store as _, TurnRow, Write,
    },
    position::Position,
    record::{self, Progress, Record, RecordHead, RecordParts, Topic},
    scope::Scope,
    seal::{Field, Generation, Key, KeyId, NamedKey, Replaced, Sealed},
};
use saidso_cql::{Cql, Options, Replication};
use saidso_testcontainers::{
    conformance::Seeded,
    servers::{Service, shared},
};
use scylla::{
    client::{session::Session, session_builder::SessionBuilder},
    response::query_result::QueryRowsResult,
    serialize::row::SerializeRow,
};
use tokio::runtime::Runtime;

const G: Generation = Generation(1);
const LEASE: Lease = Lease { topic: Topic::Embedded, token: 1 };

/// A keyspace of a test's own.
struct Keyspace {
    name: String,
    kek: Key,
}

impl Keyspace {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("cql_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        Self { name, kek: Key::new([7; 32]) }
    }

    fn options(&self) -> Options {
        Options {
            hosts: vec![shared(Service::Cql).address().to_owned()],
            keyspace: self.name.clone(),
            replication: Replication::Everywhere(1),
            data_centre: None,
            user: None,
            kek: self.kek.clone(),
            timeout: Duration::from_secs(30),
        }
    }

    fn open(&self) -> Cql {
        Cql::open(&self.options(), Arc::new(Seeded)).expect("the keyspace opens")
    }

    fn refused(&self, options: &Options) -> Fault {
        let Err(fault) = Cql::open(options, Arc::new(Seeded)) else { panic!("{} opened", self.name) };
        fault
    }

    /// Another client's statement.
    fn raw(&self, cql: &str, values: impl SerializeRow) -> Option<QueryRowsResult> {
        Runtime::new().expect("a runtime").block_on(async {
            let session: Session =
                SessionBuilder::new().known_node(shared(Service::Cql).address()).build().await.expect("a session");
            session.use_keyspace(&self.name, true).await.expect("the keyspace");
            session.query_unpaged(cql, values).await.expect("a statement").into_rows_result().ok()
        })
    }
}

fn customer_of(cql: &Cql, tenant: &str, space: &str) -> Scope {
    let mut tokens = Tokens::default();
    tokens.add("secret", tenant);
    let token = tokens.verify("secret").expect("it was added");
    access::admit(&cql.names(), &token, Request { tenant: None, space }).expect("it opens its tenant's spaces")
}

fn customer(cql: &Cql, space: &str) -> Scope {
    customer_of(cql, "north", space)
}

fn at(offset: u64) -> Position {
    Position { epoch: 1, partition: 0, offset }
}

fn turn(number: u8) -> TurnId {
    TurnId::from_bytes([number; 16])
}

fn turn_key(turn: TurnId, version: u64) -> NamedKey {
    let mut attempt = [0; 4];
    Seeded.fill(&mut attempt);
    NamedKey { id: KeyId::Turn { turn, version, attempt: u32::from_be_bytes(attempt) }, key: Key::random(&Seeded) }
}

fn sealed(key: &NamedKey, length: usize) -> Sealed {
    let mut bytes = vec![0; length];
    Seeded.fill(&mut bytes);
    Sealed { key: key.id, bytes }
}

/// A turn as intake admits it, under a new key.
fn entry(scope: &Scope, number: u8) -> Entry {
    let key = turn_key(turn(number), 0);
    let head = RecordHead { id: *turn(number).as_bytes(), generation: Generation::ALL, position: None, accepted_ms: 0 };
    let record = Record::seal(scope, head, Field::Progress, &key, &Progress, &Seeded);
    let row = TurnRow { turn: turn(number), position: None, sealed: sealed(&key, 100), drops: None };
    Entry { scope: scope.clone(), key: Some(key), turn: Some(row), marks: Vec::new(), record }
}

fn key_of(entry: &Entry) -> KeyId {
    entry.key.as_ref().expect("it has a key").id
}

fn admit(cql: &Cql, entry: &Entry) -> Option<Position> {
    let known = cql.admit(std::slice::from_ref(entry)).expect("an admission");
    assert_eq!(known.len(), 1, "one entry has one answer");
    known[0]
}

fn has(cql: &Cql, scope: &Scope, id: KeyId) -> bool {
    cql.key(scope, id).expect("a read").is_some()
}

fn observation(number: u32, length: usize) -> SealedObservation {
    let mut id = [0; 16];
    id[..4].copy_from_slice(&number.to_be_bytes());
    let key = turn_key(turn(1), 0);
    SealedObservation::stored(ObservationRow {
        id: ObservationId::from_bytes(id),
        turn: turn(1),
        position: at(3),
        at_ms: i64::from(number),
        kind: Kind::Event,
        body: sealed(&key, length),
        vector: number.is_multiple_of(2).then(|| sealed(&key, 50)),
    })
}

fn section(scope: &Scope, position: Position) -> Section {
    Section {
        scope: scope.clone(),
        generation: G,
        position,
        accepted_ms: 0,
        new_keys: Vec::new(),
        writes: Vec::new(),
        destroy: Vec::new(),
    }
}

fn try_apply(cql: &Cql, token: u64, sections: &[Section]) -> Result<Vec<Change>, Fault> {
    cql.apply(&Lease { token, ..LEASE }, sections, &|| true)
}

fn apply(cql: &Cql, sections: &[Section]) -> Vec<Position> {
    applied(try_apply(cql, LEASE.token, sections).expect("they are applied"))
}

fn applied(changes: Vec<Change>) -> Vec<Position> {
    changes.into_iter().map(|change| change.applied).collect()
}

fn observations(cql: &Cql, scope: &Scope) -> Vec<SealedObservation> {
    cql.rows(scope, G).expect("a read").observations
}
