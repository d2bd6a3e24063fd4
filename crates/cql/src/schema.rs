//! The tables, and how a keyspace comes to have them.
//!
//! Every statement is safe to repeat, so that processes that start at once may all run them, and one that was cut off
//! starts again. A released list is never changed: what changes tables is appended as the next one.

use std::collections::BTreeMap;

use saidso_core::fault::{Code, Fault};

use crate::{link::Link, trouble};

/// How many copies of every row there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replication {
    /// So many in every data centre.
    Everywhere(u8),
    /// So many in each of these data centres.
    In(BTreeMap<String, u8>),
}

/// One list for each version; version 1 is the first.
const MIGRATIONS: &[&[&str]] = &[
    &[
        // One partition is what a space holds in a generation. `applied` is the last position folded in, and `destroy` the
        // keys that the section at that position replaced. A row's `sealed` is its words and its vector in one cell: two
        // tries of one section write it with one timestamp and different keys, and of two such cells one must win whole.
        "CREATE TABLE IF NOT EXISTS observations (
        tenant blob, space blob, generation int, id blob,
        applied blob static, destroy blob static,
        kind blob, turn blob, position blob, event_time bigint, sealed blob,
        PRIMARY KEY ((tenant, space, generation), id))",
        "CREATE TABLE IF NOT EXISTS sessions (
        tenant blob, space blob, generation int, session blob, at_ms bigint,
        PRIMARY KEY ((tenant, space, generation), session, at_ms))",
        "CREATE TABLE IF NOT EXISTS turns (
        tenant blob, space blob, turn blob, position blob, sealed blob, drops blob,
        PRIMARY KEY ((tenant, space), turn))",
        "CREATE TABLE IF NOT EXISTS marks (
        tenant blob, space blob, mark blob,
        PRIMARY KEY ((tenant, space), mark))",
        // A key is wrapped by the space's key that its cell names.
        "CREATE TABLE IF NOT EXISTS keys (
        tenant blob, space blob, turn blob, version bigint, attempt bigint, wrapped blob,
        PRIMARY KEY ((tenant, space), turn, version, attempt))",
        // A space's key is wrapped by the day key that its cell names.
        "CREATE TABLE IF NOT EXISTS spaces (
        tenant blob, space blob, version bigint, attempt bigint, wrapped blob,
        PRIMARY KEY ((tenant, space), version, attempt))",
        "CREATE TABLE IF NOT EXISTS owners (space blob PRIMARY KEY, tenant blob)",
        // What is settled once, by whoever comes first.
        "CREATE TABLE IF NOT EXISTS pins (kind text, number bigint, value blob, PRIMARY KEY (kind, number))",
        // The same, for what the key-encryption key wraps: key material lives apart from what a backup may hold.
        "CREATE TABLE IF NOT EXISTS secrets (kind text, number bigint, value blob, PRIMARY KEY (kind, number))",
    ],
    &[
        "CREATE TABLE IF NOT EXISTS read_backs (
        tenant blob, space blob, turn blob, row blob,
        PRIMARY KEY ((tenant, space), turn))",
        "CREATE TABLE IF NOT EXISTS hits (
        tenant blob, space blob, memory blob, count bigint, last_ms bigint,
        PRIMARY KEY ((tenant, space), memory))",
    ],
    &[
        "CREATE TABLE IF NOT EXISTS review (
        tenant blob, space blob, question blob, row blob,
        PRIMARY KEY ((tenant, space), question))",
        "CREATE TABLE IF NOT EXISTS verdicts (
        tenant blob, space blob, result blob, question blob, asked_ms bigint, verdict blob,
        PRIMARY KEY ((tenant, space), result, question, asked_ms))",
    ],
];

const VERSIONS: &str =
    "CREATE TABLE IF NOT EXISTS schema_version (kind text, version int, PRIMARY KEY (kind, version))";
const VERSION_READ: &str = "SELECT version FROM schema_version WHERE kind = 'tables' ORDER BY version DESC LIMIT 1";
const VERSION_WRITE: &str = "INSERT INTO schema_version (kind, version) VALUES ('tables', ?) USING TIMESTAMP 0";

/// Refuses a name that would need quoting.
pub(crate) fn check_name(what: &str, name: &str) -> Result<(), Fault> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if (1..=48).contains(&name.len()) && name.chars().all(plain) {
        return Ok(());
    }
    let found = "it is not 1 to 48 letters, digits, `_` or `-`; choose another";
    Err(Fault::stop(Code::Limit, format!("opened the store: {what} was refused, as {found}")))
}

/// Makes the keyspace if it is missing, and uses it.
pub(crate) async fn keyspace(link: &Link, name: &str, replication: &Replication) -> Result<(), Fault> {
    let what = "made the keyspace";
    check_name("the keyspace's name", name)?;
    let factors = match replication {
        Replication::Everywhere(factor) => format!("'replication_factor': {factor}"),
        Replication::In(centres) => {
            centres.keys().try_for_each(|centre| check_name("a data centre's name", centre))?;
            centres.iter().map(|(centre, factor)| format!("'{centre}': {factor}")).collect::<Vec<_>>().join(", ")
        }
    };
    // ScyllaDB before 2025.4 has no conditional writes where it has tablets; another server knows no such setting.
    let nodes = link.session().get_cluster_state();
    let sharded = nodes.get_nodes_info().iter().any(|node| node.sharder().is_some());
    let tablets = if sharded { " AND tablets = {'enabled': false}" } else { "" };
    let statement = format!(
        "CREATE KEYSPACE IF NOT EXISTS \"{name}\" \
         WITH replication = {{'class': 'NetworkTopologyStrategy', {factors}}}{tablets}"
    );
    link.define(what, &statement).await?;
    link.session().use_keyspace(name, true).await.map_err(|error| trouble::away(what, &error))
}

/// Brings the tables to this build's version. [`Code::NewerFormat`] if they are beyond it.
pub(crate) async fn migrate(link: &Link) -> Result<(), Fault> {
    let what = "brought the tables up to date";
    link.define(what, VERSIONS).await?;
    let read = link.prepare(what, VERSION_READ).await?;
    let write = link.prepare(what, VERSION_WRITE).await?;
    let found: Option<(i32,)> = link.one(&read, ()).await?;
    let stands = found.map_or(0, |(version,)| version);
    let known = MIGRATIONS.len() as i32;
    if stands > known {
        let found = format!("the tables are of version {stands}, and this build knows {known}");
        return Err(Fault::stop(Code::NewerFormat, format!("{what}: {found}; use the build that made them")));
    }
    for (version, statements) in (1..).zip(MIGRATIONS).filter(|(version, _)| *version > stands) {
        for statement in *statements {
            link.define(what, statement).await?;
        }
        link.run(&write, (version,)).await?;
    }
    Ok(())
}
