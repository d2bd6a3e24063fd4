//! What waits for review, and the verdicts.

use saidso_core::{
    fault::Fault,
    ids::{ResultId, ReviewId, TenantId},
    ports::Reviews,
    review::{Queue, ReviewRow, VerdictRow},
    scope::Scope,
};

use crate::{
    Embedded,
    rows::{self, REVIEWS, Rows, VERDICTS, under},
    trouble::Trouble,
    writer::Job,
};

/// What is tried.
const READ: &str = "read what waits for review";

impl Reviews for Embedded {
    fn reviews(&self, scope: &Scope) -> Result<Vec<ReviewRow>, Fault> {
        self.0.core.database.made_later(READ, REVIEWS, &rows::space(scope))
    }

    fn each_queue(
        &self,
        wanted: &dyn Fn(TenantId) -> bool,
        visit: &mut dyn FnMut(Queue) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let database = &self.0.core.database;
        database.walk_spaces(READ, REVIEWS, |tenant, space, prefix| match wanted(tenant) {
            true => visit(Queue { tenant, space, rows: database.made_later(READ, REVIEWS, prefix)? }),
            false => Ok(()),
        })
    }

    fn put_reviews(&self, spaces: &[(Scope, Vec<ReviewRow>)]) -> Result<(), Fault> {
        self.ask(|reply| Job::Reviews(spaces.to_vec(), reply))
    }

    fn remove_reviews(&self, scope: &Scope, rows: &[ReviewRow]) -> Result<(), Fault> {
        self.ask(|reply| Job::NoReviews(scope.clone(), rows.to_vec(), reply))
    }

    fn verdicts(&self, scope: &Scope) -> Result<Vec<VerdictRow>, Fault> {
        self.0.core.database.made_later(READ, VERDICTS, &rows::space(scope))
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
