//! `saidso dead-letters`.

use super::{show, target::Target};
use crate::{args, failure::Failure, wire::Place};

/// Lists what was set aside and, if asked, has the turns among it tried again.
pub fn dead_letters(args: &args::DeadLetters) -> Result<(), Failure> {
    let target = Target::of(&args.whom)?;
    let listed = target.dead_letters()?;
    match args.whom.json {
        true => show::json(&listed)?,
        false if listed.dead_letters.is_empty() => show::print("nothing was set aside\n")?,
        false => {
            for letter in &listed.dead_letters {
                let Place { topic, partition, offset } = &letter.place;
                let id = letter.id.as_deref().unwrap_or("no turn was taken");
                show::print(&format!("{topic} {partition} {offset}  {}  {id}\n", letter.code))?;
            }
        }
    }
    if !args.redrive || listed.dead_letters.is_empty() {
        return Ok(());
    }
    if !args.whom.json && listed.dead_letters.iter().all(|letter| letter.id.is_none()) {
        show::print("none of it can be tried again: whoever sent it sends it again\n")?;
    }
    // The oldest first, as they were said.
    for letter in listed.dead_letters.iter().rev().filter(|letter| letter.id.is_some()) {
        let Place { topic, partition, offset } = &letter.place;
        let outcome = match target.redrive(&letter.place) {
            Ok(accepted) => format!("on the log again, at position {}", accepted.position),
            // A command is not stored; whoever gave it gives it again.
            Err(Failure::Answered { status: 404, .. } | Failure::Refused(_)) => "no stored turn".to_owned(),
            Err(failure) => return Err(failure),
        };
        if !args.whom.json {
            show::print(&format!("{topic} {partition} {offset}  {outcome}\n"))?;
        }
    }
    Ok(())
}
