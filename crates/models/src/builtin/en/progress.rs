//! What is under way and lasts: projects, studies, plans for life.

use saidso_core::item::DropReason;

use super::{
    super::rules::{sure, weight},
    claim::{Claim, Verdict},
    doing::doing,
    object::{deictic, phrase},
    subject::Who,
    token::{Class, Form, any},
    verb::{Tense, Verb},
};

/// Reads "I am …ing".
pub(super) fn progress(who: &Who, verb: &Verb<'_>) -> Verdict {
    if !matches!(who, Who::Customer | Who::Person(_) | Who::Organisation(_)) || verb.negated {
        return Verdict::Nothing;
    }
    let after = verb.after;
    let next = after.first().map_or("", |next| next.text.as_str());
    let behind = after.get(1..).unwrap_or_default();
    let base = verb.token.base.as_str();
    let present = Verb { tense: Tense::Present, ..verb.clone() };
    let project = |claim: Claim| Verdict::from(claim.weighing(weight::PREFERENCE).sure(sure::OPEN));
    match base {
        "live" | "work" if any(next, &["in", "with", "at", "as", "for", "from", "remotely"]) => doing(who, &present),
        "use" | "run" | "teach" | "study" | "attend" | "suffer" | "take" | "major" => doing(who, &present),
        "work" if next == "on" && !deictic(behind) => project(Claim::many("project", phrase(behind))),
        "work" if next == "towards" || next == "toward" => project(Claim::many("goal", phrase(behind))),
        "learn" | "practice" if !deictic(after) => project(Claim::many("learning", phrase(after))),
        "aim" if any(next, &["to", "for"]) => project(Claim::many("goal", phrase(behind))),
        "train" if any(next, &["for", "to"]) => project(Claim::many("goal", format!("train {}", phrase(after)))),
        "save" if any(next, &["for", "up", "to"]) => project(Claim::many("goal", format!("save {}", phrase(after)))),
        "go" if next == "to"
            && behind.iter().take(3).any(|token| any(&token.text, &["school", "college", "university", "uni"])) =>
        {
            Claim::many("education", phrase(behind)).into()
        }
        "expect"
            if after
                .iter()
                .take(4)
                .any(|token| token.is(Class::Child) || any(&token.text, &["first", "second", "third", "twins"])) =>
        {
            Claim::many("family", format!("expecting {}", phrase(after))).weighing(weight::CONSTRAINT).into()
        }
        "get" if any(next, &["married", "divorced"]) => {
            Claim::many("plan", format!("get {}", phrase(after))).weighing(weight::IDENTITY).into()
        }
        "move" if next == "to" && !deictic(behind) => {
            Claim::many("plan", format!("move {}", phrase(after))).weighing(weight::IDENTITY).into()
        }
        "retire" | "graduate" => {
            Claim::many("plan", format!("{base} {}", phrase(after)).trim()).weighing(weight::IDENTITY).into()
        }
        "migrate" | "switch" | "upgrade" if next == "to" || next == "from" => {
            project(Claim::many("plan", format!("{base} {}", phrase(after))))
        }
        "plan"
            if after.iter().any(|token| {
                any(
                    &token.base,
                    &["wedding", "move", "start", "open", "launch", "become", "retire", "migrate", "migration"],
                )
            }) =>
        {
            project(Claim::many("plan", phrase(after)))
        }
        "look" if next == "for" && behind.iter().any(|token| any(&token.text, &["job", "jobs", "work", "career"])) => {
            project(Claim::many("project", phrase(behind)))
        }
        "try" if aims(after) => project(Claim::many("goal", phrase(behind))),
        "consider" | "think"
            if after
                .iter()
                .any(|token| token.form == Form::Ing && (token.is(Class::Event) || token.is(Class::Project))) =>
        {
            Verdict::Refused(DropReason::Hedged)
        }
        _ if verb.token.is(Class::Project)
            && !any(
                base,
                &["plan", "save", "train", "work", "run", "start", "finish", "record", "expect", "prepare"],
            )
            && !deictic(after)
            && !after.is_empty() =>
        {
            project(Claim::many("project", format!("{base} {}", phrase(after))))
        }
        "prepare" | "start"
            if !deictic(after)
                && after.iter().any(|token| {
                    any(&token.text, &["marathon", "exam", "exams", "business", "company", "school", "job", "career"])
                }) =>
        {
            project(Claim::many("project", format!("{base} {}", phrase(after))))
        }
        _ => Verdict::Nothing,
    }
}

/// "to lose weight", "to become a vegan", "to stay fit".
fn aims(after: &[super::token::Token]) -> bool {
    const FIT: [&str; 8] = ["pregnant", "fit", "healthy", "shape", "sober", "smoking", "drinking", "better"];
    let [to, aim, rest @ ..] = after else { return false };
    to.text == "to"
        && match aim.text.as_str() {
            "lose" | "quit" | "eat" | "become" | "conceive" | "cut" | "gain" | "reduce" => true,
            "get" | "stop" | "stay" => rest.iter().any(|token| any(&token.text, &FIT)),
            _ => false,
        }
}
