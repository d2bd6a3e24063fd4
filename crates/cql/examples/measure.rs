//! What a store costs, beside what its server can do: `SAIDSO_TEST_CQL=host:port cargo run -p saidso-cql --example measure`.
//!
//! Bare batches and sections take turns on the same table, so that whatever else the machine does meets both.

#![allow(clippy::unwrap_used, reason = "a measuring program ends where it fails")]

use std::{
    env,
    sync::Arc,
    time::{Duration, Instant},
};

use futures::{StreamExt as _, TryStreamExt as _, stream};
use saidso_core::{
    access::{self, Request, Tokens},
    ids::{ObservationId, TurnId},
    item::Kind,
    observation::{ObservationRow, SealedObservation},
    ports::{Entropy, Entry, Keys as _, Lease, Ledger as _, Section, TurnRow, Write},
    position::Position,
    record::{Progress, Record, RecordHead, Topic},
    scope::Scope,
    seal::{Field, Generation, Key, KeyId, NamedKey, Sealed},
};
use saidso_cql::{Cql, Options, Replication};
use scylla::{
    client::{session::Session, session_builder::SessionBuilder},
    statement::batch::{Batch, BatchType},
};
use tokio::runtime::Runtime;

struct System;

impl Entropy for System {
    fn fill(&self, buffer: &mut [u8]) {
        getrandom::fill(buffer).unwrap();
    }
}

const SPACES: usize = 256;
/// Rounds, of which the later half counts: the server compiles itself first.
const ROUNDS: u64 = 80;
const ROWS: u8 = 3;
const BODY: usize = 400;
const VECTOR: usize = 768;

fn main() {
    let host = env::var("SAIDSO_TEST_CQL").unwrap();
    let keyspace = format!("measure_{}", std::process::id());
    let options = Options {
        hosts: vec![host.clone()],
        keyspace: keyspace.clone(),
        replication: Replication::Everywhere(1),
        data_centre: None,
        user: None,
        kek: Key::new([7; 32]),
        timeout: Duration::from_secs(30),
    };
    let started = Instant::now();
    let cql = Cql::open(&options, Arc::new(System)).unwrap();
    println!("first open {:.0?}", started.elapsed());
    let started = Instant::now();
    let other = Cql::open(&options, Arc::new(System)).unwrap();
    println!("second open {:.0?}", started.elapsed());

    let runtime = Runtime::new().unwrap();
    let bare = runtime.block_on(Bare::new(&host, &keyspace));
    let spaces: Vec<Scope> = (0..SPACES).map(|number| customer(&cql, &format!("customer {number}"))).collect();

    let (mut batches, mut sections) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let started = Instant::now();
        runtime.block_on(bare.round(round));
        batches.push(started.elapsed());
        let due = sections_of(&spaces, round);
        let started = Instant::now();
        cql.apply(&lease(1), &due, &|| true).unwrap();
        sections.push(started.elapsed());
    }
    let (batches, sections) = (median(batches), median(sections));
    let rate = |took: Duration| SPACES as f64 / took.as_secs_f64();
    let part = 100.0 * rate(sections) / rate(batches);
    println!("bare batches {:.0}/s, sections {:.0}/s: {part:.0} %", rate(batches), rate(sections));

    let started = Instant::now();
    let due: Vec<Section> =
        spaces.iter().map(|scope| Section { writes: Vec::new(), ..section(scope, ROUNDS) }).collect();
    cql.apply(&lease(1), &due, &|| true).unwrap();
    let held = started.elapsed();
    let due: Vec<Section> =
        spaces.iter().map(|scope| Section { writes: Vec::new(), ..section(scope, ROUNDS + 1) }).collect();
    let started = Instant::now();
    other.apply(&lease(2), &due, &|| true).unwrap();
    println!(
        "empty sections of {SPACES} spaces of {} rows: held {held:.1?}, taken over {:.1?}",
        ROUNDS * u64::from(ROWS),
        started.elapsed()
    );

    for round in 0..4 {
        let entries: Vec<Entry> = spaces.iter().map(|scope| entry(scope, round)).collect();
        let turns: Vec<_> = spaces.iter().map(|scope| (scope.clone(), turn(round), at(1))).collect();
        let started = Instant::now();
        cql.admit(&entries).unwrap();
        let admitted = started.elapsed();
        cql.note(&turns).unwrap();
        println!(
            "admitted {SPACES} turns in {admitted:.1?} (round 0 makes the spaces' keys), noted in {:.1?}",
            started.elapsed() - admitted
        );
        let ids: Vec<KeyId> = entries.iter().map(|entry| entry.key.as_ref().unwrap().id).collect();
        let fetch = || spaces.iter().zip(&ids).for_each(|(scope, id)| drop(other.key(scope, *id).unwrap().unwrap()));
        let started = Instant::now();
        if round % 2 == 1 {
            spaces.iter().zip(&ids).for_each(|(scope, id)| other.warm(scope, &[*id]));
        }
        fetch();
        let cold = started.elapsed() / SPACES as u32;
        let started = Instant::now();
        fetch();
        println!(
            "key(): {} {cold:.0?}, again {:.1?}",
            if round % 2 == 1 { "warmed" } else { "cold" },
            started.elapsed() / SPACES as u32
        );
    }
}

/// Of the later half.
fn median(mut rounds: Vec<Duration>) -> Duration {
    let mut later = rounds.split_off(rounds.len() / 2);
    later.sort();
    later[later.len() / 2]
}

/// What a program without any of our guarantees would send: the same rows in the same batches.
struct Bare {
    session: Session,
    batch: Batch,
}

impl Bare {
    async fn new(host: &str, keyspace: &str) -> Self {
        let session = SessionBuilder::new().known_node(host).use_keyspace(keyspace, true).build().await.unwrap();
        let table = "CREATE TABLE bare (a blob, b blob, c int, id blob, applied blob static, destroy blob static, kind blob, \
             turn blob, position blob, event_time bigint, sealed blob, PRIMARY KEY ((a, b, c), id))";
        session.query_unpaged(table, ()).await.unwrap();
        let row = session
            .prepare(
                "INSERT INTO bare (a, b, c, id, kind, turn, position, event_time, sealed) \
             VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ?",
            )
            .await
            .unwrap();
        let statics = session
            .prepare(
                "INSERT INTO bare (a, b, c, applied, destroy) VALUES (?, ?, 1, ?, ?) \
             USING TIMESTAMP ?",
            )
            .await
            .unwrap();
        let mut batch = Batch::new(BatchType::Unlogged);
        batch.set_is_idempotent(true);
        (0..ROWS).for_each(|_| batch.append_statement(row.clone()));
        batch.append_statement(statics);
        Self { session, batch }
    }

    async fn round(&self, round: u64) {
        let send = |number: usize| async move {
            let space = (number as u128).to_be_bytes();
            let (a, stamp) = (&space[..], at(round).stamp() as i64);
            let id = |row: u8| {
                let mut id = [row; 16];
                id[..8].copy_from_slice(&round.to_be_bytes());
                id.to_vec()
            };
            let mut sealed = vec![0; BODY + VECTOR + 70];
            System.fill(&mut sealed);
            let row = |number: u8| (a, a, id(number), &[0_u8][..], a, &space[..4], 5_i64, &sealed, stamp);
            self.session.batch(&self.batch, (row(0), row(1), row(2), (a, a, &space[..4], &[0_u8][..], stamp))).await
        };
        stream::iter(0..SPACES).map(send).buffer_unordered(64).try_for_each(|_| async { Ok(()) }).await.unwrap();
    }
}

fn customer(cql: &Cql, space: &str) -> Scope {
    let mut tokens = Tokens::default();
    tokens.add("secret", "north");
    access::admit(&cql.names(), &tokens.verify("secret").unwrap(), Request { tenant: None, space }).unwrap()
}

fn lease(token: u64) -> Lease {
    Lease { topic: Topic::Embedded, token }
}

fn at(offset: u64) -> Position {
    Position { epoch: 1, partition: 0, offset }
}

fn turn(number: u8) -> TurnId {
    TurnId::from_bytes([number; 16])
}

fn section(scope: &Scope, round: u64) -> Section {
    let key = KeyId::Turn { turn: turn(1), version: 0, attempt: 0 };
    let sealed = |length| {
        let mut bytes = vec![0; length];
        System.fill(&mut bytes);
        Sealed { key, bytes }
    };
    let row = |number: u8| {
        let mut id = [number; 16];
        id[..8].copy_from_slice(&round.to_be_bytes());
        Write::Observation(SealedObservation::stored(ObservationRow {
            id: ObservationId::from_bytes(id),
            turn: turn(1),
            position: at(round),
            at_ms: 5,
            kind: Kind::Fact,
            body: sealed(BODY),
            vector: Some(sealed(VECTOR)),
        }))
    };
    Section {
        scope: scope.clone(),
        generation: Generation(1),
        position: at(round),
        accepted_ms: 0,
        new_keys: Vec::new(),
        writes: (0..ROWS).map(row).collect(),
        destroy: Vec::new(),
    }
}

fn sections_of(spaces: &[Scope], round: u64) -> Vec<Section> {
    spaces.iter().map(|scope| section(scope, round)).collect()
}

fn entry(scope: &Scope, number: u8) -> Entry {
    let mut attempt = [0; 4];
    System.fill(&mut attempt);
    let id = KeyId::Turn { turn: turn(number), version: 0, attempt: u32::from_be_bytes(attempt) };
    let key = NamedKey { id, key: Key::random(&System) };
    let head = RecordHead { id: [number; 16], generation: Generation::ALL, position: None, accepted_ms: 0 };
    let record = Record::seal(scope, head, Field::Progress, &key, &Progress, &System);
    let sealed = Sealed { key: key.id, bytes: vec![0; 600] };
    let row = TurnRow { turn: turn(number), position: None, sealed, drops: None };
    Entry { scope: scope.clone(), key: Some(key), turn: Some(row), marks: Vec::new(), record }
}
