//! Ground: keeps the items that stand in the customer's own words.

use saidso_core::{
    fault::Fault,
    ground::ground_turn,
    ids::TenantId,
    record::Topic,
    seal::Field,
    stages::{CandidateTurn, GroundedTurn},
};

use crate::transform::Stage;

pub(crate) struct Ground;

impl Stage for Ground {
    type In = CandidateTurn;
    type Out = GroundedTurn;
    const READS: (Topic, Field) = (Topic::Candidates, Field::Candidates);
    const WRITES: (Topic, Field) = (Topic::Grounded, Field::Grounded);

    fn process(&self, turns: Vec<(TenantId, CandidateTurn)>) -> Vec<Result<GroundedTurn, Fault>> {
        turns.into_iter().map(|(_, turn)| Ok(ground_turn(turn))).collect()
    }

    fn canary(&self) -> bool {
        true
    }
}
