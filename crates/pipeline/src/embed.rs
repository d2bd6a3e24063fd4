//! Embed: a turn's items and passages become vectors, all in one request.

use saidso_core::{
    fault::{Code, Fault},
    ids::TenantId,
    ports::{Embedder, Purpose},
    record::Topic,
    seal::Field,
    stages::{EmbeddedTurn, Grounded, GroundedRetraction, GroundedTurn},
    vector::Vector,
};

use crate::{Rules, transform::Stage};

pub(crate) struct Embed {
    pub rules: Rules,
}

impl Stage for Embed {
    type In = GroundedTurn;
    type Out = EmbeddedTurn;
    const READS: (Topic, Field) = (Topic::Grounded, Field::Grounded);
    const WRITES: (Topic, Field) = (Topic::Embedded, Field::Embedded);

    /// Turns that wait together share a request; if it fails, each is asked for alone, so that one bad text is one
    /// turn's trouble.
    fn process(&self, turns: Vec<(TenantId, GroundedTurn)>) -> Vec<Result<EmbeddedTurn, Fault>> {
        let turns: Vec<GroundedTurn> = turns.into_iter().map(|(_, turn)| turn).collect();
        let together = self.vectors(&turns.iter().flat_map(texts).collect::<Vec<_>>());
        match together {
            Ok(vectors) => {
                let mut vectors = vectors.into_iter();
                turns.into_iter().map(|turn| join(turn, &mut vectors)).collect()
            }
            Err(fault) if turns.len() == 1 => vec![Err(fault)],
            Err(_) => {
                let alone = turns.into_iter().map(|turn| {
                    let vectors = self.vectors(&texts(&turn).collect::<Vec<_>>())?;
                    join(turn, &mut vectors.into_iter())
                });
                alone.collect()
            }
        }
    }

    fn canary(&self) -> bool {
        self.vectors(&["ok"]).is_ok()
    }
}

impl Embed {
    fn vectors(&self, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let embedder: &dyn Embedder = self.rules.embedder.as_ref();
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
