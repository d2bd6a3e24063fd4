//! `saidso forget`.

use super::{show, target::Target};
use crate::{args, failure::Failure};

/// Forgets one memory.
pub fn forget(args: &args::Forget) -> Result<(), Failure> {
    let target = Target::of(&args.whom)?;
    let accepted = target.forget(&args.space, &args.id)?;
    match args.whom.json {
        true => show::json(&accepted),
        false => show::print(&format!("forgotten, at position {}\n", accepted.position)),
    }
}
