//! `saidso review`.

use super::{
    show::{self, plain},
    target::Target,
};
use crate::{
    args,
    failure::Failure,
    wire::{Judgement, Review},
};

/// Lists what waits for review, or gives a verdict.
pub fn review(args: &args::Review) -> Result<(), Failure> {
    let target = Target::of(&args.whom)?;
    if let (Some(id), Some(verdict)) = (&args.id, args.verdict) {
        let results = (!args.results.is_empty()).then(|| args.results.clone());
        let accepted = target.judge(id, &Judgement { verdict, results })?;
        return match args.whom.json {
            true => show::json(&accepted),
            false => show::print(&format!("noted, at position {}\n", accepted.position)),
        };
    }
    let listed = target.reviews(args.space.as_deref())?;
    match args.whom.json {
        true => show::json(&listed),
        false if listed.reviews.is_empty() => show::print("nothing waits for review\n"),
        false => listed.reviews.iter().try_for_each(|review| show::print(&waits(review))),
    }
}

fn waits(review: &Review) -> String {
    let mut text = format!("? {} · {}\n    review {}\n", plain(&review.query), review.asked_at, review.id);
    for result in &review.results {
        text.push_str(&format!(
            "    • {} · {} {} · sure {:.2}\n      said “{}” · {}\n",
            plain(&result.text),
            result.source,
            result.id,
            result.retrieval_confidence,
            plain(&result.quote),
            result.said_at
        ));
    }
    text
}
