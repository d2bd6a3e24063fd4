//! Extract: proposes items from what the customer said in one turn.

use saidso_core::{
    fault::Fault,
    ids::TenantId,
    item::Extraction,
    record::Topic,
    retract,
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
        let candidates = |(tenant, turn): (TenantId, Turn)| {
            let Extraction { candidates, drops, retractions } = extract(&self.rules, tenant, &turn.body)?;
            let Turn { meta, body, .. } = turn;
            Ok(CandidateTurn { meta, body, candidates, drops, retractions })
        };
        turns.into_iter().map(candidates).collect()
    }

    fn canary(&self) -> bool {
        let body = TurnBody { messages: vec![Message { text: "ok".into() }], question: None, request: false };
        self.rules.extractor.extract(&body).is_ok()
    }
}

/// What a turn says. One that came by the forget door asks for that and says nothing else.
pub(crate) fn extract(rules: &Rules, tenant: TenantId, body: &TurnBody) -> Result<Extraction, Fault> {
    let extraction = rules.extractor(tenant).extract(body)?;
    Ok(match body.request {
        true => Extraction { retractions: retract::requested(body, &extraction), ..Extraction::default() },
        false => extraction,
    })
}
