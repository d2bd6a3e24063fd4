//! Bare prepared statements: the same bytes in the same shapes of rows, 64 in flight.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use futures::{StreamExt as _, TryStreamExt as _, stream};
use saidso_core::ports::Entropy as _;
use scylla::{
    client::{execution_profile::ExecutionProfile, session::Session, session_builder::SessionBuilder},
    errors::ExecutionError,
    frame::types::Consistency,
    statement::{
        batch::{Batch, BatchType},
        prepared::PreparedStatement,
    },
};
use tokio::runtime::Runtime;

use crate::bed::Chance;

const IN_FLIGHT: usize = 64;
/// A wrapped turn key with the id of what wrapped it.
const KEY_BYTES: usize = 80;

/// What intake stores of a turn.
#[derive(Debug, Clone, Copy)]
pub struct TurnBytes {
    /// Of which space, by number.
    pub space: usize,
    /// Bytes of the sealed words.
    pub sealed: usize,
}

/// One row of a space.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Bytes of its cells.
    pub sealed: usize,
}

/// What write stores of a turn.
#[derive(Debug, Clone, Default)]
pub struct Section {
    /// Of which space, by number.
    pub space: usize,
    /// Its observations.
    pub rows: Vec<Row>,
    /// Bytes of what its extraction let go, if it did.
    pub drops: Option<usize>,
}

/// A session with tables like ours, and statements on them.
pub struct Bare {
    runtime: Runtime,
    session: Session,
    key: PreparedStatement,
    turn: PreparedStatement,
    note: PreparedStatement,
    drops: PreparedStatement,
    row: PreparedStatement,
    statics: PreparedStatement,
}

const TABLES: [&str; 3] = [
    "CREATE TABLE bare_keys (a blob, b blob, turn blob, version bigint, attempt bigint, wrapped blob, \
     PRIMARY KEY ((a, b), turn, version, attempt))",
    "CREATE TABLE bare_turns (a blob, b blob, turn blob, position blob, sealed blob, drops blob, \
     PRIMARY KEY ((a, b), turn))",
    "CREATE TABLE bare_rows (a blob, b blob, c int, id blob, applied blob static, destroy blob static, kind blob, \
     turn blob, position blob, event_time bigint, sealed blob, PRIMARY KEY ((a, b, c), id))",
];

impl Bare {
    /// In a keyspace that is there.
    pub fn open(host: &str, keyspace: &str) -> Result<Self, Box<dyn Error>> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let profile = ExecutionProfile::builder()
            .consistency(Consistency::LocalQuorum)
            .request_timeout(Some(Duration::from_secs(30)))
            .build();
        let session = SessionBuilder::new()
            .known_node(host)
            .use_keyspace(keyspace, true)
            .default_execution_profile_handle(profile.into_handle());
        let session: Session = runtime.block_on(session.build())?;
        for table in TABLES {
            runtime.block_on(session.query_unpaged(table, ()))?;
        }
        let prepare = |statement: &str| runtime.block_on(session.prepare(statement));
        let key = prepare(
            "INSERT INTO bare_keys (a, b, turn, version, attempt, wrapped) VALUES (?, ?, ?, 0, ?, ?) USING TIMESTAMP 0",
        )?;
        let turn = prepare("INSERT INTO bare_turns (a, b, turn, sealed) VALUES (?, ?, ?, ?) USING TIMESTAMP 0")?;
        let note = prepare("INSERT INTO bare_turns (a, b, turn, position) VALUES (?, ?, ?, ?) USING TIMESTAMP 1")?;
        let drops = prepare("INSERT INTO bare_turns (a, b, turn, drops) VALUES (?, ?, ?, ?) USING TIMESTAMP 2")?;
        let row = prepare(
            "INSERT INTO bare_rows (a, b, c, id, kind, turn, position, event_time, sealed) \
             VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ?",
        )?;
        let statics =
            prepare("INSERT INTO bare_rows (a, b, c, applied, destroy) VALUES (?, ?, 1, ?, ?) USING TIMESTAMP ?")?;
        Ok(Self { runtime, session, key, turn, note, drops, row, statics })
    }

    /// Stores keys, turns and positions; how long it took.
    pub fn take_in(&self, turns: &[TurnBytes]) -> Result<Duration, Box<dyn Error>> {
        let started = Instant::now();
        let one = |turn: &TurnBytes| {
            let TurnBytes { space, sealed } = *turn;
            async move {
                let (a, b, id, attempt) = ([7_u8; 16], name(space), random(16), 1_i64);
                let (a, b, id) = (&a[..], &b[..], &id[..]);
                self.session.execute_unpaged(&self.key, (a, b, id, attempt, random(KEY_BYTES))).await?;
                self.session.execute_unpaged(&self.turn, (a, b, id, random(sealed))).await?;
                self.session.execute_unpaged(&self.note, (a, b, id, &b[..6])).await?;
                Ok::<(), ExecutionError>(())
            }
        };
        self.runtime.block_on(stream::iter(turns.iter().map(one)).buffer_unordered(IN_FLIGHT).try_collect::<()>())?;
        Ok(started.elapsed())
    }

    /// Stores sections, each a batch of one partition after its drops; how long it took.
    pub fn write(&self, sections: &[Section]) -> Result<Duration, Box<dyn Error>> {
        let started = Instant::now();
        let one = |(at, section): (usize, &Section)| {
            let Section { space, rows, drops } = section.clone();
            async move {
                let (a, b, stamp) = ([7_u8; 16], name(space), at as i64 + 1);
                let turn = random(16);
                if let Some(bytes) = drops {
                    self.session.execute_unpaged(&self.drops, (&a[..], &b[..], &turn[..], random(bytes))).await?;
                }
                let mut batch = Batch::new(BatchType::Unlogged);
                batch.set_is_idempotent(true);
                let mut values: Vec<Box<dyn scylla::serialize::row::SerializeRow + Send + Sync>> = Vec::new();
                for row in rows {
                    batch.append_statement(self.row.clone());
                    let (kind, position) = (vec![0_u8], vec![0_u8; 6]);
                    let cells = (
                        a.to_vec(),
                        b.to_vec(),
                        random(16),
                        kind,
                        turn.clone(),
                        position,
                        5_i64,
                        random(row.sealed),
                        stamp,
                    );
                    values.push(Box::new(cells));
                }
                batch.append_statement(self.statics.clone());
                values.push(Box::new((a.to_vec(), b.to_vec(), vec![0_u8; 6], vec![0_u8], stamp)));
                self.session.batch(&batch, values).await?;
                Ok::<(), ExecutionError>(())
            }
        };
        let sections = sections.iter().enumerate().map(one);
        self.runtime.block_on(stream::iter(sections).buffer_unordered(IN_FLIGHT).try_collect::<()>())?;
        Ok(started.elapsed())
    }
}

fn name(space: usize) -> [u8; 16] {
    (space as u128).to_be_bytes()
}

fn random(bytes: usize) -> Vec<u8> {
    let mut random = vec![0; bytes];
    Chance.fill(&mut random);
    random
}
