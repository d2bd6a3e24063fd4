//! The questions a claim answers.

use super::claim::Claim;

/// One question per claim, as the customer or their agent would ask it.
pub(super) fn questions(claim: &Claim) -> Vec<String> {
    let own = claim.subject.as_deref().is_none_or(|subject| subject == "customer");
    let attribute = claim.attribute.as_str();
    let question = match (own, attribute) {
        (true, "home city" | "home") => "Where do I live?".to_owned(),
        (true, "work place" | "employer") => "Where do I work?".to_owned(),
        (true, "occupation" | "field of work") => "What do I do for a living?".to_owned(),
        (true, "origin" | "hometown" | "birthplace") => "Where am I from?".to_owned(),
        (true, "name" | "preferred name") => "What is my name?".to_owned(),
        (true, "age") => "How old am I?".to_owned(),
        (true, "health" | "cannot") => "What should I avoid for my health?".to_owned(),
        (true, "pet") => "Do I have pets?".to_owned(),
        (true, "children" | "child" | "sons" | "daughters") => "Do I have children?".to_owned(),
        (true, "answers") => "How do I want to be answered?".to_owned(),
        (true, _) if attribute.starts_with("opinion of ") => {
            format!("What do I think of {}?", &attribute["opinion of ".len()..])
        }
        (true, _) if attribute.ends_with('s') && claim.value.ends_with(attribute) && claim.value != attribute => {
            format!("How many {attribute} do I have?")
        }
        (true, _) => format!("What is my {attribute}?"),
        (false, _) => format!("What about my {}?", claim.subject.as_deref().unwrap_or_default()),
    };
    vec![question]
}
