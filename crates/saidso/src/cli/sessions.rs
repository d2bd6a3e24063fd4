//! `saidso sessions`.

use std::fmt::Write as _;

use super::{
    show::{self, plain},
    target::Target,
};
use crate::{
    args,
    failure::Failure,
    wire::{Anchor, Awaiting, Session},
};

/// Lists the newest sessions.
pub fn sessions(args: &args::Sessions) -> Result<(), Failure> {
    let target = Target::of(&args.whom)?;
    let listed = target.sessions(&args.space, args.limit)?;
    match (args.whom.json, listed.sessions.is_empty()) {
        (true, _) => show::json(&listed),
        (false, true) => show::print("there are no sessions\n"),
        (false, false) => show::print(&listed.sessions.iter().map(session).collect::<String>()),
    }
}

fn session(session: &Session) -> String {
    let Session { session: name, from, to, turns, status, summary, anchors, task, awaiting } = session;
    let mut text = format!("• {}  ({status} · {turns} turns · {from} to {to})\n", plain(name));
    let mut line = |what: &str, words: &str| {
        let _ = writeln!(text, "    {what:<8} {}", plain(words));
    };
    if !summary.is_empty() {
        line("said", summary);
    }
    for Anchor { kind, value, resolved, .. } in anchors {
        let value = value.as_deref().unwrap_or("(not kept)");
        let resolved = resolved.as_ref().map(|resolved| format!(" = {resolved}")).unwrap_or_default();
        line("about", &format!("{kind}: {value}{resolved}"));
    }
    if let Some(task) = task {
        line("task", &task.text);
    }
    for awaiting in awaiting {
        match awaiting {
            Awaiting::Memory(memory) => line("to ask", &memory.text),
            Awaiting::Question(question) => line("asked", question),
        }
    }
    text
}
