//! The one exception to "only the customer's words": an agent's question beside an immediate plain yes (requirements
//! A2). The item rests on both, and its wording is both: the question as asked, the yes as said.

use saidso_core::{
    item::{Evidence, Extraction, Kind},
    privacy,
    text::{self, Language},
    turn::TurnBody,
};

use super::{
    driver::{candidate, span},
    rules::Sentence,
    rules_of,
    shield::Shield,
};

/// Words that take a yes back, or turn it.
const TURNS: [&str; 16] = [
    "but", "except", "not", "no", "n't", "don't", "used", "please", "但", "不过", "可是", "不", "没", "но", "не", "нет",
];

/// Adds the item that the start of the first message confirms, if it plainly does.
pub(super) fn read(question: &str, turn: &TurnBody, into: &mut Extraction) {
    let Some(reply) = turn.messages.first().map(|message| message.text.as_str()) else { return };
    let Some(yes_span) = text::sentences(reply).first().copied() else { return };
    let yes = yes_span.of(reply).unwrap_or_default();
    if !plain(yes) || privacy::redacted(yes) || Shield::over(reply).planted().is_some() {
        return;
    }
    let said_itself =
        |span| into.candidates.iter().any(|item| item.evidence.message == 0 && item.evidence.span.overlaps(span));
    // Only the last sentence is what a bare yes answers.
    let Some(asked_span) = text::sentences(question).pop() else { return };
    let asked = asked_span.of(question).unwrap_or_default();
    let language = match Language::of(asked) {
        Language::Other => Language::of(reply),
        language => language,
    };
    let Some(statement) = rules_of(language).and_then(|rules| rules.asked(asked).map(|statement| (rules, statement)))
    else {
        return;
    };
    if said_itself(yes_span) || privacy::redacted(asked) {
        return;
    }
    let (rules, statement) = statement;
    let whole = span(0, statement.len());
    let reading = rules.read(&Sentence { message: &statement, span: whole, before: &[] });
    let Some(finding) = reading.findings.into_iter().find(|finding| finding.kind == Kind::Fact) else { return };
    let wording = format!("{asked} {yes}");
    let yes = Evidence { message: 0, span: yes_span, quote: yes.to_owned() };
    let asked = Evidence { message: 0, span: asked_span, quote: asked.to_owned() };
    into.candidates.push(candidate(&finding, wording, yes, Some(asked), language));
}

/// A yes that nothing behind it takes back.
fn plain(yes: &str) -> bool {
    let turned = text::words(yes).iter().any(|word| TURNS.contains(&word.text.as_str()));
    text::is_yes(yes) && !turned && text::negations(yes) == 0
}
