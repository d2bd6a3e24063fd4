//! `saidso memories`.

use serde::Serialize;

use super::{show, target::Target};
use crate::{args, failure::Failure, wire};

#[derive(Serialize)]
struct Listed {
    memories: Vec<wire::Memory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drops: Option<Vec<wire::TurnDrops>>,
}

/// Lists what is remembered and, if asked, what was not kept.
pub fn memories(args: &args::Memories) -> Result<(), Failure> {
    let target = Target::of(&args.whom)?;
    let memories = target.memories(&args.space, args.history)?.memories;
    let drops = match args.drops {
        true => Some(target.drops(&args.space)?.turns),
        false => None,
    };
    let listed = Listed { memories, drops };
    if args.whom.json {
        return show::json(&listed);
    }
    show::print(&show::memories(&listed.memories))?;
    match &listed.drops {
        Some(drops) => show::print(&format!("\nnot kept:\n{}", show::drops(drops))),
        None => Ok(()),
    }
}
