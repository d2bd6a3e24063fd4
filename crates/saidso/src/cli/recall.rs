//! `saidso recall`.

use super::{show, target::Target};
use crate::{args, failure::Failure, wire};

/// Asks, and prints what is remembered and why.
pub fn recall(args: &args::Recall) -> Result<(), Failure> {
    let target = Target::of(&args.whom)?;
    let answer = target.recall(wire::Recall {
        tenant: None,
        space: args.space.clone(),
        query: args.query.clone(),
        customer: args.customer.clone(),
        session: args.session.clone(),
        limit: args.limit,
        min_position: args.min_position.clone(),
        history: args.history,
        as_of: args.as_of.clone(),
        as_of_position: args.as_of_position.clone(),
        filter: Some(wire::Filter {
            kinds: args.kinds.clone(),
            slots: args.slots.clone(),
            statuses: args.statuses.clone(),
            said_from: args.said_from.clone(),
            said_before: args.said_before.clone(),
        }),
        must_contain: args.must_contain.clone(),
        synthesize: false,
    })?;
    match args.whom.json {
        true => show::json(&answer),
        false => show::print(&show::recollection(&answer)),
    }
}
