//! The review queue and the verdicts, in memory.

use saidso_core::{
    fault::Fault,
    ids::TenantId,
    ports::Reviews,
    review::{Queue, ReviewRow, VerdictRow},
    scope::Scope,
};

use super::World;

/// What is stored of a space.
#[derive(Default, Clone)]
pub struct Reviewing {
    pub waiting: Vec<ReviewRow>,
    pub verdicts: Vec<VerdictRow>,
}

impl World {
    /// What is stored of a space.
    pub fn reviewing(&self, scope: &Scope) -> Reviewing {
        self.reviews.lock().unwrap().get(scope).cloned().unwrap_or_default()
    }
}

impl Reviews for World {
    fn reviews(&self, scope: &Scope) -> Result<Vec<ReviewRow>, Fault> {
        Ok(self.reviewing(scope).waiting)
    }

    fn each_queue(
        &self,
        wanted: &dyn Fn(TenantId) -> bool,
        visit: &mut dyn FnMut(Queue) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let all = self.reviews.lock().unwrap().clone();
        let full = |(scope, space): &(Scope, Reviewing)| wanted(scope.key().0) && !space.waiting.is_empty();
        for (scope, Reviewing { waiting, .. }) in all.into_iter().filter(full) {
            let (tenant, space) = scope.key();
            visit(Queue { tenant, space, rows: waiting })?;
        }
        Ok(())
    }

    fn put_reviews(&self, spaces: &[(Scope, Vec<ReviewRow>)]) -> Result<(), Fault> {
        for (scope, rows) in spaces {
            self.remove_reviews(scope, rows)?;
            let mut all = self.reviews.lock().unwrap();
            all.entry(scope.clone()).or_default().waiting.extend(rows.iter().cloned());
        }
        Ok(())
    }

    fn remove_reviews(&self, scope: &Scope, rows: &[ReviewRow]) -> Result<(), Fault> {
        let mut all = self.reviews.lock().unwrap();
        let space = all.entry(scope.clone()).or_default();
        space.waiting.retain(|stored| rows.iter().all(|row| row.id != stored.id));
        Ok(())
    }

    fn verdicts(&self, scope: &Scope) -> Result<Vec<VerdictRow>, Fault> {
        Ok(self.reviewing(scope).verdicts)
    }
}
