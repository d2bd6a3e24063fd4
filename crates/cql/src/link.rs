//! Statements on their way to the store and back: one page, all pages, or just done.

use std::{iter, ops::ControlFlow, time::Duration};

use saidso_core::fault::Fault;
use scylla::{
    client::session::Session,
    deserialize::row::DeserializeRow,
    frame::types::Consistency,
    response::{PagingState, query_result::QueryResult},
    serialize::row::SerializeRow,
    statement::{
        Statement,
        batch::{Batch, BatchType},
        prepared::PreparedStatement,
    },
};

use crate::{
    batches::Batches,
    trouble::{self, damaged},
};

/// Rows of one page. A row with a vector has some 2 kB.
const PAGE_ROWS: i32 = 1_000;
/// The same where a row may have half a megabyte.
const PAGE_TURNS: i32 = 50;
/// How long a change of the schema may take: all nodes have to hear of it.
const DEFINING: Duration = Duration::from_secs(60);

/// A prepared statement, and what it is for: faults begin with that.
pub(crate) struct Prepared {
    what: &'static str,
    statement: PreparedStatement,
}

/// A session with the store.
pub(crate) struct Link(Session);

/// A statement with its values, to be executed.
pub(crate) struct Step<'a> {
    pub(crate) statement: &'a Prepared,
    pub(crate) values: Box<dyn SerializeRow + Send + Sync>,
}

impl Link {
    /// Over an open session.
    pub(crate) fn new(session: Session) -> Self {
        Self(session)
    }

    /// The session, for what is not a statement.
    pub(crate) fn session(&self) -> &Session {
        &self.0
    }

    /// Changes the schema, and waits until all nodes agree on it.
    pub(crate) async fn define(&self, what: &str, statement: &str) -> Result<(), Fault> {
        let mut statement = Statement::new(statement);
        statement.set_is_idempotent(true);
        statement.set_request_timeout(Some(DEFINING));
        self.0.query_unpaged(statement, ()).await.map_err(|error| trouble::execution(what, &error))?;
        Ok(())
    }

    /// Prepares a statement. All of ours may be repeated: they carry their timestamps, or settle something once.
    pub(crate) async fn prepare(&self, what: &'static str, statement: &str) -> Result<Prepared, Fault> {
        let mut statement = Statement::new(statement);
        statement.set_is_idempotent(true);
        statement.set_page_size(PAGE_ROWS);
        let prepared = self.0.prepare(statement).await;
        Ok(Prepared { what, statement: prepared.map_err(|error| trouble::preparation(what, &error))? })
    }

    /// The same, for rows that may be large.
    pub(crate) async fn prepare_large(&self, what: &'static str, statement: &str) -> Result<Prepared, Fault> {
        let mut prepared = self.prepare(what, statement).await?;
        prepared.statement.set_page_size(PAGE_TURNS);
        Ok(prepared)
    }

    /// The same, reading what a conditional write under way may be about to settle.
    pub(crate) async fn prepare_serial(&self, what: &'static str, statement: &str) -> Result<Prepared, Fault> {
        let mut prepared = self.prepare(what, statement).await?;
        prepared.statement.set_consistency(Consistency::LocalSerial);
        Ok(prepared)
    }

    /// Executes a statement whose answer nobody needs.
    pub(crate) async fn run(&self, prepared: &Prepared, values: impl SerializeRow) -> Result<(), Fault> {
        let Prepared { what, statement } = prepared;
        self.0.execute_unpaged(statement, values).await.map_err(|error| trouble::execution(what, &error))?;
        Ok(())
    }

    /// Executes batches, one after the other.
    pub(crate) async fn batches(&self, batches: Batches<'_>) -> Result<(), Fault> {
        for batch in batches {
            self.batch(batch).await?;
        }
        Ok(())
    }

    /// Executes statements on one partition, at once: all of them are there, or none.
    pub(crate) async fn batch(&self, steps: Vec<Step<'_>>) -> Result<(), Fault> {
        let mut steps = steps.into_iter();
        let Some(first) = steps.next() else { return Ok(()) };
        if steps.len() == 0 {
            return self.run(first.statement, first.values).await;
        }
        let what = first.statement.what;
        let mut batch = Batch::new(BatchType::Unlogged);
        batch.set_is_idempotent(true);
        let mut values = Vec::with_capacity(1 + steps.len());
        for Step { statement, values: row } in iter::once(first).chain(steps) {
            batch.append_statement(statement.statement.clone());
            values.push(row);
        }
        self.0.batch(&batch, values).await.map_err(|error| trouble::execution(what, &error))?;
        Ok(())
    }

    /// The row that a statement finds: at most one.
    pub(crate) async fn one<R>(&self, prepared: &Prepared, values: impl SerializeRow) -> Result<Option<R>, Fault>
    where
        R: for<'r> DeserializeRow<'r, 'r>,
    {
        let Prepared { what, statement } = prepared;
        let result = self.0.execute_unpaged(statement, values).await;
        Ok(rows(what, result.map_err(|error| trouble::execution(what, &error))?)?.pop())
    }

    /// Every row that a statement finds, page by page.
    pub(crate) async fn all<R>(&self, prepared: &Prepared, values: impl SerializeRow) -> Result<Vec<R>, Fault>
    where
        R: for<'r> DeserializeRow<'r, 'r>,
    {
        Ok(self.pages(prepared, values).await?.into_iter().flatten().collect())
    }

    /// As [`Link::all`], the pages apart: each was read at an instant of its own.
    pub(crate) async fn pages<R>(&self, prepared: &Prepared, values: impl SerializeRow) -> Result<Vec<Vec<R>>, Fault>
    where
        R: for<'r> DeserializeRow<'r, 'r>,
    {
        let Prepared { what, statement } = prepared;
        let (mut pages, mut state) = (Vec::new(), PagingState::start());
        loop {
            let page = self.0.execute_single_page(statement, &values, state).await;
            let (page, next) = page.map_err(|error| trouble::execution(what, &error))?;
            pages.push(rows(what, page)?);
            match next.into_paging_control_flow() {
                ControlFlow::Continue(next) => state = next,
                ControlFlow::Break(()) => return Ok(pages),
            }
        }
    }
}

fn rows<R>(what: &str, result: QueryResult) -> Result<Vec<R>, Fault>
where
    R: for<'r> DeserializeRow<'r, 'r>,
{
    let rows = result.into_rows_result().map_err(|error| damaged(what, error))?;
    let rows = rows.rows::<R>().map_err(|error| damaged(what, error))?;
    rows.map(|row| row.map_err(|error| damaged(what, error))).collect()
}
