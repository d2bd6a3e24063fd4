//! Embed: a turn's items and passages become vectors, all in one request.

use std::sync::Arc;

use saidso_core::{
    fault::{Code, Fault},
    ids::TenantId,
    ports::{Clock, Embedder, Purpose},
    record::Topic,
    seal::Field,
    stages::{EmbeddedTurn, Grounded, GroundedRetraction, GroundedTurn},
    vector::Vector,
};

use crate::{Rules, transform::Stage};

pub(crate) struct Embed {
    pub rules: Rules,
    pub clock: Arc<dyn Clock>,
}

impl Stage for Embed {
    type In = GroundedTurn;
    type Out = EmbeddedTurn;
    const READS: (Topic, Field) = (Topic::Grounded, Field::Grounded);
    const WRITES: (Topic, Field) = (Topic::Embedded, Field::Embedded);

    /// Turns that wait together share a request; if it fails, each is asked for alone, so that one bad text is one
    /// turn's trouble. All are in a hurry if one is: they are committed together.
    fn process(&self, turns: Vec<(TenantId, GroundedTurn)>) -> Vec<Result<EmbeddedTurn, Fault>> {
        let turns: Vec<GroundedTurn> = turns.into_iter().map(|(_, turn)| turn).collect();
        let now_ms = self.clock.now_ms();
        let embedder = match turns.iter().any(|turn| turn.meta.is_live(now_ms)) {
            true => self.rules.embedder.as_ref(),
            false => self.rules.backlog.as_ref(),
        };
        let together = vectors(embedder, &turns.iter().flat_map(texts).collect::<Vec<_>>());
        match together {
            Ok(vectors) => {
                let mut vectors = vectors.into_iter();
                turns.into_iter().map(|turn| join(turn, &mut vectors)).collect()
            }
            Err(fault) if turns.len() == 1 => vec![Err(fault)],
            Err(_) => {
                // What follows a fault comes again: while the model is away it is asked once more, not once a turn.
                let mut alone = Vec::with_capacity(turns.len());
                for turn in turns {
                    let vectors = vectors(embedder, &texts(&turn).collect::<Vec<_>>());
                    alone.push(vectors.and_then(|vectors| join(turn, &mut vectors.into_iter())));
                    if alone.last().is_some_and(Result::is_err) {
                        break;
                    }
                }
                alone
            }
        }
    }

    fn canary(&self) -> bool {
        vectors(self.rules.embedder.as_ref(), &["ok"]).is_ok()
    }
}

fn vectors(embedder: &dyn Embedder, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let vectors = embedder.embed(Purpose::Passage, texts)?;
    let fits = |vector: &Vector| vector.components().len() == embedder.dimension();
    if vectors.len() != texts.len() || !vectors.iter().all(fits) {
        let message = format!(
            "asked {} for {} vectors of {} components: got {}, not all of that size",
            embedder.id(),
            texts.len(),
            embedder.dimension(),
            vectors.len()
        );
        return Err(Fault::retry(Code::ModelOutput, message));
    }
    Ok(vectors)
}

fn texts(turn: &GroundedTurn) -> impl Iterator<Item = &str> {
    let items = turn.items.iter().filter(|item| item.wants_vector()).map(|item| item.item().text.as_str());
    let abouts = turn.retractions.iter().map(|retraction| retraction.get().about.as_str());
    items.chain(abouts).chain(turn.passages.iter().map(|passage| passage.text.as_str()))
}

fn join(turn: GroundedTurn, vectors: &mut impl Iterator<Item = Vector>) -> Result<EmbeddedTurn, Fault> {
    let GroundedTurn { meta, items, drops, retractions, passages } = turn;
    let join = |item: Grounded| {
        let vector = if item.wants_vector() { vectors.next() } else { None };
        item.embedded(vector)
    };
    let items = items.into_iter().map(join).collect::<Result<_, _>>()?;
    let mut next = || {
        let missing = || Fault::retry(Code::ModelOutput, "embedded a turn's texts: a vector is missing");
        vectors.next().ok_or_else(missing)
    };
    let about = |retraction: GroundedRetraction| Ok((retraction, next()?));
    let retractions = retractions.into_iter().map(about).collect::<Result<_, Fault>>()?;
    let passages = passages.iter().map(|passage| Ok(passage.embedded(next()?))).collect::<Result<_, Fault>>()?;
    Ok(EmbeddedTurn { meta, items, drops, retractions, passages })
}
