//! What a reply says of the agent's question.
//!
//! The one exception to "only the customer's words" (requirements A2): a question beside an immediate plain yes. The item
//! rests on both, and its wording is both: the question as asked, the yes as said. Where no statement can be made of the
//! question, the yes may still say that what was recalled holds (requirements B9): a confirmation, which is no memory.

use saidso_core::{
    item::{Answer, Candidate, Evidence, Extraction, Kind, TopicKey, Unit},
    limits, privacy,
    text::{self, Language},
    turn::TurnBody,
};

use super::{
    driver::{candidate, span},
    rules::{Sentence, sure},
    rules_of,
};

/// Adds what the start of the first message confirms, if it plainly does.
pub(super) fn read(turn: &TurnBody, into: &mut Extraction) {
    let Some(reply) = turn.messages.first().map(|message| message.text.as_str()) else { return };
    let Some(said_span) = text::sentences(reply).first().copied() else { return };
    let said = said_span.of(reply).unwrap_or_default();
    let itself = |item: &Evidence| item.message == 0 && item.span.overlaps(said_span);
    // "Используем обе" uses nothing called "both".
    into.candidates.retain(|item| !itself(&item.evidence) || text::confirms(&item.value, None) != Some(Answer::Both));
    let stated = into.candidates.iter().any(|item| itself(&item.evidence))
        || into.retractions.iter().any(|retraction| itself(&retraction.evidence));
    if stated || privacy::redacted(said) {
        return;
    }
    let evidence = Evidence { message: 0, span: said_span, quote: said.to_owned() };
    let question = turn.question.as_deref();
    let answer = text::confirms(said, question);
    // "We do both" opens like a yes, and what it answers is no statement.
    let item = question
        .filter(|asked| answer != Some(Answer::Both) && text::affirms(said, asked))
        .and_then(|question| statement(question, &evidence, Language::of(reply)))
        .or_else(|| answer.map(|answer| confirmation(answer, evidence, question)));
    // Nobody can tell whose a message is that carries a planted instruction; few replies come so far as to be asked.
    let own = || text::Shield::over(reply).planted().is_none();
    into.candidates.extend(item.filter(|_| own()));
}

/// The fact that a yes makes of a question.
fn statement(question: &str, yes: &Evidence, reply: Language) -> Option<Candidate> {
    // Only the last sentence is what a bare yes answers.
    let asked_span = text::sentences(question).pop()?;
    let asked = asked_span.of(question).filter(|asked| !privacy::redacted(asked))?;
    let language = match Language::of(asked) {
        Language::Other => reply,
        language => language,
    };
    let rules = rules_of(language)?;
    let statement = rules.asked(asked)?;
    let whole = span(0, statement.len());
    let reading = rules.read(&Sentence { message: &statement, span: whole, before: &[] });
    let finding = reading.findings.into_iter().find(|finding| finding.kind == Kind::Fact)?;
    let wording = format!("{asked} {}", yes.quote);
    let asked = Evidence { message: 0, span: asked_span, quote: asked.to_owned() };
    Some(candidate(&finding, wording, yes.clone(), Some(asked), language))
}

/// What the reply says of what was recalled; with the question, which tells of which of it.
fn confirmation(answer: Answer, reply: Evidence, question: Option<&str>) -> Candidate {
    let quote = &reply.quote;
    let asked = question.filter(|asked| asked.len() <= limits::QUOTE_BYTES && !privacy::redacted(asked));
    let asked = asked.map(|asked| Evidence { message: 0, span: span(0, asked.len()), quote: asked.to_owned() });
    Candidate {
        kind: Kind::Confirmation,
        text: quote.clone(),
        language: Language::of(quote),
        question: asked,
        topic_key: TopicKey { subject: "customer".to_owned(), attribute: "confirmation".to_owned(), many: true },
        value: answer.value().to_owned(),
        negated: false,
        qualifier: None,
        slot: None,
        changed: false,
        importance: Unit::hundredths(0),
        confidence: sure::CLOSED,
        keywords: Vec::new(),
        questions: Vec::new(),
        evidence: reply,
    }
}
