//! What waits for review, and the verdicts.

use redb::TableError;
use saidso_core::{
    fault::Fault,
    ids::{ResultId, ReviewId, SpaceId, TenantId},
    ports::Reviews,
    review::{Queue, ReviewRow, VerdictRow},
    scope::Scope,
};
use serde::de::DeserializeOwned;

use crate::{
    Embedded,
    database::Database,
    rows::{self, Def, REVIEWS, Rows, VERDICTS, under},
    trouble::{Trouble, damaged},
    writer::Job,
};

impl Reviews for Embedded {
    fn reviews(&self, scope: &Scope) -> Result<Vec<ReviewRow>, Fault> {
        self.0.core.database.made_later(REVIEWS, &rows::space(scope))
    }

    fn each_queue(
        &self,
        wanted: &dyn Fn(TenantId) -> bool,
        visit: &mut dyn FnMut(Queue) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.0.core.database.each_queue(wanted, visit)
    }

    fn put_reviews(&self, spaces: &[(Scope, Vec<ReviewRow>)]) -> Result<(), Fault> {
        self.ask(|reply| Job::Reviews(spaces.to_vec(), reply))
    }

    fn remove_reviews(&self, scope: &Scope, rows: &[ReviewRow]) -> Result<(), Fault> {
        self.ask(|reply| Job::NoReviews(scope.clone(), rows.to_vec(), reply))
    }

    fn verdicts(&self, scope: &Scope) -> Result<Vec<VerdictRow>, Fault> {
        self.0.core.database.made_later(VERDICTS, &rows::space(scope))
    }
}

impl Database {
    /// The rows of a table that the first commit makes: a folder of before there was one has none.
    fn made_later<T: DeserializeOwned>(&self, def: Def, prefix: &[u8]) -> Result<Vec<T>, Fault> {
        let rows = self.read("read the reviews", |txn| match txn.open_table(def) {
            Err(TableError::TableDoesNotExist(_)) => Ok(Vec::new()),
            table => rows::scan(def, &table?, prefix, prefix, usize::MAX),
        })?;
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }

    fn each_queue(
        &self,
        wanted: &dyn Fn(TenantId) -> bool,
        visit: &mut dyn FnMut(Queue) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let what = "read what waits for review";
        let mut from = Vec::new();
        let next = |from: &[u8]| {
            self.read(what, |txn| match txn.open_table(REVIEWS) {
                Err(TableError::TableDoesNotExist(_)) => Ok(None),
                table => rows::next(&table?, from),
            })
        };
        // A read for each space: none is held while it is visited.
        while let Some(key) = next(&from)? {
            let cut = || damaged(what, "a key is cut short");
            let (tenant, rest) = key.split_first_chunk().ok_or_else(cut)?;
            let space = rest.first_chunk().ok_or_else(cut)?;
            let prefix = &key[..tenant.len() + space.len()];
            let (tenant, space) = (TenantId::from_bytes(*tenant), SpaceId::from_bytes(*space));
            if wanted(tenant) {
                visit(Queue { tenant, space, rows: self.made_later(REVIEWS, prefix)? })?;
            }
            // No question's id is longer, and none of these follows this one.
            from = under(prefix.to_vec(), &[u8::MAX; size_of::<ReviewId>() + 1]);
        }
        Ok(())
    }
}

/// The key of a question.
fn review_key(scope: &Scope, review: ReviewId) -> Vec<u8> {
    under(rows::space(scope), review.as_bytes())
}

/// Puts questions; `true` if that changed any.
pub(crate) fn put(table: &mut Rows<'_>, spaces: &[(Scope, Vec<ReviewRow>)]) -> Result<bool, Trouble> {
    let mut changed = false;
    for (scope, rows) in spaces {
        for row in rows {
            let key = review_key(scope, row.id);
            if table.get(&key)?.is_none_or(|stands: ReviewRow| stands.asked_ms <= row.asked_ms) {
                table.put(&key, row)?;
                changed = true;
            }
        }
    }
    Ok(changed)
}

/// Lets a question go, unless it was asked again since; `true` if it went.
pub(crate) fn remove(table: &mut Rows<'_>, scope: &Scope, review: ReviewId, asked_ms: i64) -> Result<bool, Trouble> {
    let key = review_key(scope, review);
    let goes = table.get(&key)?.is_some_and(|stands: ReviewRow| stands.asked_ms <= asked_ms);
    if goes {
        table.remove(&key)?;
    }
    Ok(goes)
}

/// Keeps a verdict.
pub(crate) fn judge(table: &mut Rows<'_>, scope: &Scope, row: &VerdictRow) -> Result<(), Trouble> {
    let result = under(rows::space(scope), row.result.as_bytes());
    let key = under(under(result, row.review.as_bytes()), &row.asked_ms.to_be_bytes());
    table.put(&key, row)
}

/// Lets go of every verdict on a result.
pub(crate) fn unjudge(table: &mut Rows<'_>, scope: &Scope, result: ResultId) -> Result<(), Trouble> {
    table.remove_under(&under(rows::space(scope), result.as_bytes()))
}
