//! `saidso forget`.

use saidso_core::position::Position;
use serde::Serialize;

use super::{show, target::Target};
use crate::{
    args,
    failure::Failure,
    wire::{Forget, Forgotten, ReadBack},
};

/// What a request in words came to.
#[derive(Serialize)]
struct Done {
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(flatten)]
    read_back: ReadBack,
}

/// Forgets one memory, or what words mean; a dry run only shows what would go.
pub fn forget(args: &args::Forget) -> Result<(), Failure> {
    let target = Target::of(&args.whom)?;
    if let (Some(id), false) = (&args.id, args.dry_run) {
        let accepted = target.forget(&args.space, id)?;
        return match args.whom.json {
            true => show::json(&accepted),
            false => show::print(&format!("forgotten, at position {}\n", accepted.position)),
        };
    }
    let ids = args.id.clone().map(|id| vec![id]);
    let ask = Forget { text: args.about.clone(), ids, dry_run: args.dry_run, ..Forget::default() };
    let Forgotten { position, read_back, would } = target.forget_said(&args.space, ask)?;
    let read_back = match (would, read_back, &position) {
        (Some(would), ..) => would,
        (None, Some(id), Some(at)) => {
            if let Ok(at) = at.parse::<Position>() {
                target.settle(&args.space, at)?;
            }
            target.read_back(&args.space, &id)?
        }
        _ => return Ok(()),
    };
    match args.whom.json {
        true => show::json(&Done { position, read_back }),
        false => show::print(&told(&read_back, args.dry_run)),
    }
}

fn told(ReadBack { gone, left, sentences, sentences_left, everything }: &ReadBack, dry_run: bool) -> String {
    let nothing = gone.is_empty() && *sentences == 0;
    let mut text = match (everything, nothing, dry_run) {
        (true, ..) => "nothing goes: to forget everything, erase the space\n".to_owned(),
        (false, true, _) => "nothing of the kind is remembered\n".to_owned(),
        (false, false, true) => "would forget:\n".to_owned(),
        (false, ..) => "forgotten, and shown this once:\n".to_owned(),
    };
    for gone in gone {
        text.push_str(&format!("  {} {} ({}) {}\n", gone.id, gone.kind, gone.part, gone.text));
    }
    if *sentences > 0 {
        text.push_str(&format!("  sentences of messages, of which nothing was remembered: {sentences}\n"));
    }
    if *left + *sentences_left > 0 {
        text.push_str(&format!("{} more were meant and stand; ask again\n", left + sentences_left));
    }
    text
}
