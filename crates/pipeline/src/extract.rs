//! Extract: proposes items from what the customer said in one turn.

use saidso_core::{
    fault::Fault,
    ids::TenantId,
    record::Topic,
    seal::Field,
    stages::CandidateTurn,
    turn::{Message, Turn, TurnBody},
};

use crate::{Rules, transform::Stage};

pub(crate) struct Extract {
    pub rules: Rules,
}

impl Stage for Extract {
    type In = Turn;
    type Out = CandidateTurn;
    const READS: (Topic, Field) = (Topic::Turns, Field::Turn);
    const WRITES: (Topic, Field) = (Topic::Candidates, Field::Candidates);

    fn process(&self, turns: Vec<(TenantId, Turn)>) -> Vec<Result<CandidateTurn, Fault>> {
        let extract = |(tenant, turn): (TenantId, Turn)| {
            let extraction = self.rules.extractor(tenant).extract(&turn.body)?;
            let Turn { meta, body, .. } = turn;
            Ok(CandidateTurn { meta, body, candidates: extraction.candidates, drops: extraction.drops })
        };
        turns.into_iter().map(extract).collect()
    }

    fn canary(&self) -> bool {
        let body = TurnBody { messages: vec![Message { text: "ok".into() }], question: None };
        self.rules.extractor.extract(&body).is_ok()
    }
}
