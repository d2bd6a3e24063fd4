//! What waits for review, and the verdicts.
//!
//! A question's row carries the instant it was asked as its timestamp, taken as microseconds, as a hit's does: the later
//! wins, and what lets it go leaves what was asked again since.

use futures::{StreamExt as _, TryStreamExt as _, stream};
use saidso_core::{
    fault::Fault,
    ids::{ResultId, ReviewId, TenantId},
    ports::Reviews,
    review::{Queue, ReviewRow, Verdict, VerdictRow},
    scope::Scope,
};

use crate::{
    AT_ONCE, Cql,
    batches::{Batches, ROW_BYTES, step},
    cell::{Packed, Space, pack},
    link::Step,
    tables::Tables,
};

type StoredVerdict = (Packed<ResultId>, Packed<ReviewId>, i64, Packed<Verdict>);

impl Reviews for Cql {
    fn reviews(&self, scope: &Scope) -> Result<Vec<ReviewRow>, Fault> {
        self.wait(read(&self.0.tables, scope.key()))
    }

    fn each_queue(
        &self,
        wanted: &dyn Fn(TenantId) -> bool,
        visit: &mut dyn FnMut(Queue) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let tables = &self.0.tables;
        let spaces: Vec<(Packed<TenantId>, Packed<_>)> = self.wait(tables.link.all(&tables.review_spaces, ()))?;
        for (Packed(tenant), Packed(space)) in spaces {
            if wanted(tenant) {
                visit(Queue { tenant, space, rows: self.wait(read(tables, (tenant, space)))? })?;
            }
        }
        Ok(())
    }

    fn put_reviews(&self, spaces: &[(Scope, Vec<ReviewRow>)]) -> Result<(), Fault> {
        self.wait(put(&self.0.tables, spaces))
    }

    fn remove_reviews(&self, scope: &Scope, rows: &[ReviewRow]) -> Result<(), Fault> {
        let tables = &*self.0.tables;
        let gone = rows.iter().map(|row| (ROW_BYTES, tables.let_go(scope.key(), row.id, row.asked_ms)));
        let batches: Batches<'_> = gone.collect();
        self.wait(run(tables, batches.into_iter().collect()))
    }

    fn verdicts(&self, scope: &Scope) -> Result<Vec<VerdictRow>, Fault> {
        let (tenant, space) = scope.key();
        let tables = &self.0.tables;
        let rows: Vec<StoredVerdict> = self.wait(tables.link.all(&tables.verdicts, (Packed(tenant), Packed(space))))?;
        let row = |(Packed(result), Packed(review), asked_ms, Packed(verdict)): StoredVerdict| VerdictRow {
            result,
            review,
            asked_ms,
            verdict,
        };
        Ok(rows.into_iter().map(row).collect())
    }
}

impl Tables {
    /// What lets a question go, unless it was asked again since.
    pub(crate) fn let_go(&self, (tenant, space): Space, review: ReviewId, asked_ms: i64) -> Step<'_> {
        step(&self.remove_review, (asked_ms.max(0), Packed(tenant), Packed(space), Packed(review)))
    }

    /// What keeps a verdict.
    pub(crate) fn judge(&self, (tenant, space): Space, row: &VerdictRow, stamp: i64) -> Step<'_> {
        let VerdictRow { result, review, asked_ms, verdict } = *row;
        let key = (Packed(result), Packed(review), asked_ms, Packed(verdict));
        step(&self.put_verdict, (Packed(tenant), Packed(space), key.0, key.1, key.2, key.3, stamp))
    }

    /// What lets go of every verdict on a result.
    pub(crate) fn unjudge(&self, (tenant, space): Space, result: ResultId, stamp: i64) -> Step<'_> {
        step(&self.remove_verdicts, (stamp, Packed(tenant), Packed(space), Packed(result)))
    }
}

async fn read(tables: &Tables, (tenant, space): Space) -> Result<Vec<ReviewRow>, Fault> {
    let rows: Vec<(Packed<ReviewRow>,)> = tables.link.all(&tables.reviews, (Packed(tenant), Packed(space))).await?;
    Ok(rows.into_iter().map(|(Packed(row),)| row).collect())
}

async fn put(tables: &Tables, spaces: &[(Scope, Vec<ReviewRow>)]) -> Result<(), Fault> {
    let batches = spaces.iter().flat_map(|(scope, rows)| {
        let (tenant, space) = scope.key();
        let put = |row: &ReviewRow| {
            let (packed, at) = (pack(row), row.asked_ms.max(0));
            let bytes = ROW_BYTES + packed.len();
            (bytes, step(&tables.put_review, (Packed(tenant), Packed(space), Packed(row.id), packed, at)))
        };
        rows.iter().map(put).collect::<Batches<'_>>()
    });
    run(tables, batches.collect()).await
}

/// Runs batches beside each other.
async fn run(tables: &Tables, batches: Vec<Vec<Step<'_>>>) -> Result<(), Fault> {
    stream::iter(batches).map(|batch| tables.link.batch(batch)).buffer_unordered(AT_ONCE).try_collect().await
}
