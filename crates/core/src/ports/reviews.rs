//! What waits for review, and the verdicts.

use crate::{
    fault::Fault,
    ids::TenantId,
    review::{Queue, ReviewRow, VerdictRow},
    scope::Scope,
};

/// What waits for review, and the verdicts (requirements B4).
pub trait Reviews: Send + Sync {
    /// What waits in a space.
    fn reviews(&self, scope: &Scope) -> Result<Vec<ReviewRow>, Fault>;

    /// Every space in which something waits, one after the other, of the tenants that are wanted; a visitor's fault ends
    /// it.
    fn each_queue(
        &self,
        wanted: &dyn Fn(TenantId) -> bool,
        visit: &mut dyn FnMut(Queue) -> Result<(), Fault>,
    ) -> Result<(), Fault>;

    /// Puts questions in the queue, each in place of itself as asked before. Need not be durable on return: what a crash
    /// loses are a few questions.
    fn put_reviews(&self, spaces: &[(Scope, Vec<ReviewRow>)]) -> Result<(), Fault>;

    /// Lets questions go; one that was asked again since stays.
    fn remove_reviews(&self, scope: &Scope, rows: &[ReviewRow]) -> Result<(), Fault>;

    /// Every verdict in the space. They are written at a position, by [`super::Write::Verdict`].
    fn verdicts(&self, scope: &Scope) -> Result<Vec<VerdictRow>, Fault>;
}
