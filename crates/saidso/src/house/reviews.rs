//! Reviewing answers that nobody was sure of.

use std::cmp::Reverse;

use saidso_core::{
    access::{self, Denied, Token},
    ids::ResultId,
    limits,
    review::{self, Queue, ReviewRow, Ticket},
    scope::Scope,
};
use saidso_recall::Reviewed;

use super::House;
use crate::{
    problem::Problem,
    wire::{Accepted, Judgement, Review, Reviews},
};

impl House {
    /// What waits for review: of the tenant's spaces, or of one.
    pub fn reviews(&self, token: &Token, tenant: Option<&str>, space: Option<&str>) -> Result<Reviews, Problem> {
        // What this process answered just now, too.
        self.noting(self.recall_here()?.put_waiting())?;
        let store = &self.ports.reviews;
        let mut newest: Vec<Queue> = Vec::new();
        match space {
            Some(space) => {
                let scope = self.scope(token, tenant, space)?;
                self.take(&mut newest, queue(&scope, self.noting(store.reviews(&scope))?));
            }
            None if tenant.is_some_and(|tenant| tenant != token.tenant()) => return Err(Denied::OtherTenant.into()),
            None => {
                let own = self.ports.names.tenant(token.tenant());
                let mut take = |queue| {
                    self.take(&mut newest, queue);
                    Ok(())
                };
                self.noting(store.each_queue(&|tenant| tenant == own, &mut take))?;
            }
        }
        let mut reviews = Vec::with_capacity(newest.len());
        for queue in newest {
            // Of one whose key is gone nothing is to be seen.
            let Some((scope, open)) = self.noting(review::open(&queue, self.ports.keys.as_ref()))? else { continue };
            for (row, question) in open {
                if let Some(results) = self.reviewed(&scope, &row)? {
                    let ticket = Ticket { space: queue.space, review: row.id };
                    reviews.push(Review::of(ticket, row.asked_ms, question, results));
                }
            }
        }
        Ok(Reviews::of(reviews))
    }

    /// Puts what waits in a space among the newest, one by one, the newest first.
    fn take(&self, newest: &mut Vec<Queue>, Queue { tenant, space, rows }: Queue) {
        let now_ms = self.ports.clock.now_ms();
        let rows = rows.into_iter().filter(|row| !row.is_over(now_ms));
        newest.extend(rows.map(|row| Queue { tenant, space, rows: vec![row] }));
        newest.sort_by_key(|queue| Reverse(queue.rows.first().map(|row| row.asked_ms)));
        newest.truncate(limits::REVIEWS_LISTED);
    }

    /// Puts a verdict on the log.
    pub fn judge(&self, token: &Token, id: &str, judgement: Judgement) -> Result<Accepted, Problem> {
        self.noting(self.recall_here()?.put_waiting())?;
        let ticket: Ticket = id.parse().map_err(|_| Problem::NoSuchReview)?;
        let scope = access::admit_by(&self.ports.names, token, &ticket);
        let rows = self.noting(self.ports.reviews.reviews(&scope))?;
        let row = rows.into_iter().find(|row| row.id == ticket.review).ok_or(Problem::NoSuchReview)?;
        let shown = self.reviewed(&scope, &row)?.ok_or(Problem::NoSuchReview)?;
        let known = |id: &String| {
            let id: ResultId = id.parse().ok()?;
            shown.iter().find(|reviewed| reviewed.id == id).map(|reviewed| reviewed.id)
        };
        let results: Option<Vec<ResultId>> = match &judgement.results {
            None => Some(shown.iter().map(|reviewed| reviewed.id).collect()),
            Some(ids) => ids.iter().map(known).collect(),
        };
        let results = results.filter(|results| !results.is_empty()).ok_or(Problem::NoSuchReview)?;
        let position = self.noting(self.intake.judge(&scope, &row, results, judgement.verdict.into()))?;
        Ok(Accepted { position: position.to_string() })
    }

    /// What a question that waits was answered with. If any of that is gone, so is the question.
    fn reviewed(&self, scope: &Scope, row: &ReviewRow) -> Result<Option<Vec<Reviewed>>, Problem> {
        let shown = self.noting(self.recall_here()?.reviewed(scope, row))?;
        if shown.is_none() {
            self.noting(self.ports.reviews.remove_reviews(scope, std::slice::from_ref(row)))?;
        }
        Ok(shown)
    }
}

fn queue(scope: &Scope, rows: Vec<ReviewRow>) -> Queue {
    let (tenant, space) = scope.key();
    Queue { tenant, space, rows }
}
