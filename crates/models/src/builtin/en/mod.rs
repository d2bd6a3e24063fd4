//! The English rules. A sentence goes through `token` → `clause` → `subject` → `verb` → the predicate rules, which say
//! what a clause claims; this module gives the claims their spans and joins what belongs together.

use saidso_core::item::{DropReason, Kind, Span};

use self::{
    claim::{Claim, Verdict},
    clause::{Clause, Link, clauses, starts_question, starts_request},
    subject::{Headed, Who, head},
    token::{Class, Token, any, tokens},
    verb::{Tense, Verb, verb},
};
use super::rules::{Finding, Reading, Rules, Sentence};

mod asked;
mod being;
mod choice;
mod circumstance;
mod claim;
mod clause;
mod contrast;
mod correction;
mod doing;
mod event;
mod having;
mod hearsay;
mod instruct;
mod naming;
mod object;
mod opinion;
mod phrasing;
mod possession;
mod predicate;
mod privilege;
mod progress;
mod subject;
mod token;
mod verb;
mod wanted;

/// The rules for English.
pub(super) struct English;

impl Rules for English {
    fn read(&self, sentence: &Sentence<'_>) -> Reading {
        let tokens = tokens(sentence.text(), sentence.span.start);
        if let Some(reading) = instruct::read(&tokens) {
            return reading;
        }
        let mocked = hearsay::mocking(&tokens);
        let corrects = correction::corrects(sentence, &tokens);
        Reader { sentence, reading: Reading::default(), previous: None, last: None, mocked, corrects }.read(&tokens)
    }

    fn asked(&self, question: &str) -> Option<String> {
        asked::statement(question)
    }
}

/// A sentence under reading.
struct Reader<'a> {
    sentence: &'a Sentence<'a>,
    reading: Reading,
    /// The subject of the clause before, for one that is left out.
    previous: Option<Who>,
    /// Index of the finding of the clause just before, if it gave one, and whether it was about the mind or body.
    last: Option<usize>,
    /// The sentence is meant the other way round.
    mocked: bool,
    /// The sentence puts something right.
    corrects: bool,
}

impl Reader<'_> {
    fn read(mut self, tokens: &[Token]) -> Reading {
        let clauses = clauses(tokens);
        let tag = clauses.last().is_some_and(|last| last.asks && is_tag(last.tokens));
        let asked_whole = clauses.len() > 1
            && clauses.last().is_some_and(|last| last.asks)
            && clauses.first().is_some_and(|first| asks(first.tokens));
        let mut supposed = false;
        let mut occasion: Option<u32> = None;
        for (at, clause) in clauses.iter().enumerate() {
            let asked = clause.asks
                || tag && at + 2 == clauses.len()
                || asks(clause.tokens)
                || asked_whole && clause.link != Link::Reason;
            if let Some(claim) = naming::introduced(clause.tokens) {
                self.previous = None;
                self.put(vec![claim], clause, 0, None, None);
                continue;
            }
            if let Some((claim, start)) = self.meant(clause) {
                self.previous = None;
                self.put(vec![claim], clause, 0, None, Some(start));
                continue;
            }
            if let Some((claim, start)) = wanted::wanted(clause.tokens)
                && !clauses[..at].iter().any(|before| hearsay::speaks(before.tokens))
            {
                self.previous = None;
                self.put(vec![claim], clause, start, None, None);
                continue;
            }
            match clause.link {
                Link::If => supposed = true,
                Link::When if !asked => occasion = clause.tokens.first().map(|token| token.start),
                _ if asked => {
                    self.previous = None;
                    self.last = None;
                }
                _ => {
                    let reason = clause.link == Link::Reason && self.last.is_some();
                    if reason {
                        self.extend(clause);
                    } else {
                        self.clause(clause, supposed, occasion.take());
                    }
                }
            }
        }
        self.reading
    }

    /// Reads one clause.
    fn clause(&mut self, clause: &Clause<'_>, supposed: bool, occasion: Option<u32>) {
        let before = self.last.take();
        if let Some(inner) = hearsay::told(clause.tokens) {
            self.previous = None;
            return self.told(inner, clause);
        }
        if let Some(claim) = naming::reversed(clause.tokens) {
            self.previous = None;
            return self.found(vec![claim], clause, 0, supposed, None, occasion);
        }
        let elidable =
            matches!(clause.link, Link::And | Link::But | Link::So).then_some(()).and(self.previous.as_ref());
        let Some(headed) = head(clause.tokens, elidable) else {
            self.previous = None;
            return;
        };
        let (who, from) = match headed.pronoun {
            None => (headed.who.clone(), None),
            Some(pronoun) => match self.antecedent(pronoun) {
                Some((who, start)) => (who, Some(start)),
                None => {
                    self.previous = None;
                    return self.unresolved(&headed, clause);
                }
            },
        };
        if correction::former(headed.rest) {
            return self.take_back();
        }
        let Some(mut verb) = verb(headed.rest) else { return };
        let subject = &clause.tokens[headed.start..clause.tokens.len() - headed.rest.len()];
        let ahead = circumstance::ahead(subject, &who, verb.tense);
        let contrast = contrast::second(&who, &verb);
        if let Some(second) = &contrast {
            let cut = clause.tokens.len() - verb.after.len() + second.ends;
            self.clause(&Clause { tokens: &clause.tokens[..cut], ..*clause }, supposed, occasion);
            verb = Verb { after: &second.after, negated: false, changed: verb.changed || second.replaces, ..verb };
        } else if let Some(second) = predicate::halves(&who, &verb, ahead.is_some()) {
            let cut = clause.tokens.len() - verb.after.len() + second;
            self.clause(&Clause { tokens: &clause.tokens[..cut], ..*clause }, supposed, occasion);
            verb.after = &verb.after[second + 1..];
        }
        let (verdict, behind) = predicate::apart(&who, &verb);
        self.previous = Some(who.clone());
        let claims = match verdict {
            Verdict::Nothing => {
                if let Some(before) = before
                    .filter(|&before| headed.elided && belongs(&[], &verb, &self.reading.findings[before], clause.link))
                {
                    self.last = Some(before);
                    self.extend(clause);
                }
                return;
            }
            Verdict::Refused(reason) => return self.refuse(clause, headed.start, reason),
            Verdict::Found(claims) => claims,
        };
        if passing(clause.tokens) && verb.tense != Tense::Past && claims.iter().all(|claim| claim.kind == Kind::Fact) {
            return self.refuse(clause, headed.start, DropReason::Transient);
        }
        if headed.hedged || supposed || guessed(headed.rest) || self.mocked {
            return self.refuse(clause, headed.start, DropReason::Hedged);
        }
        let Some(claims) = denied(claims, headed.denied) else {
            return self.refuse(clause, headed.start, DropReason::Hedged);
        };
        if let Some(before) = before
            && headed.who == Who::Customer
            && belongs(&claims, &verb, &self.reading.findings[before], clause.link)
        {
            self.last = Some(before);
            return self.extend(clause);
        }
        let qualifier = behind.or(ahead);
        let changed = self.corrects || correction::since_lately(clause.tokens);
        let claims = claims.into_iter().map(|claim| qualified(claim, &who, &qualifier, changed));
        let claims = claims.map(|claim| plain(named(claim, &who))).collect();
        let start = from.or_else(|| {
            // A left-out subject other than the customer needs the words before it.
            (headed.elided && who != Who::Customer)
                .then(|| self.reading.findings.last().map(|finding| finding.span.start))
                .flatten()
        });
        // "we live in Oslo and are moving": no "I" fits before "are", so the whole sentence stays as said.
        let agrees = !headed.rest.first().is_some_and(|verb| any(&verb.text, &["are", "were", "is", "has", "does"]));
        let start = start.or((headed.elided && !agrees).then_some(self.sentence.span.start));
        // "Born in 1984", "allergic to nuts": no "I" fits before a participle alone.
        let finite = !headed.rest.first().is_some_and(|verb| any(&verb.text, &["born", "allergic"]));
        let lead = (headed.elided && finite && start.is_none()).then_some("I");
        self.put(claims, clause, headed.start, lead, start.or(occasion));
    }

    /// "…, or rather, I used to": what was said just before is so no longer.
    fn take_back(&mut self) {
        self.last = None;
        if let Some(span) = self.reading.findings.last().map(|last| last.span) {
            self.reading.findings.retain(|finding| finding.span != span);
            self.reading.drops.push((span, DropReason::Unsupported));
        }
    }

    /// Adds what a reversed clause claims.
    fn found(
        &mut self,
        claims: Vec<Claim>,
        clause: &Clause<'_>,
        start: usize,
        supposed: bool,
        lead: Option<&'static str>,
        from: Option<u32>,
    ) {
        match supposed || guessed(clause.tokens) {
            true => self.refuse(clause, start, DropReason::Hedged),
            false => self.put(claims, clause, start, lead, from),
        }
    }

    fn put(
        &mut self,
        claims: Vec<Claim>,
        clause: &Clause<'_>,
        start: usize,
        lead: Option<&'static str>,
        from: Option<u32>,
    ) {
        let Some(mut span) = extent(clause.tokens, start) else { return };
        span.start = from.map_or(span.start, |from| from.min(span.start));
        for claim in claims {
            self.last = Some(self.reading.findings.len());
            let questions = phrasing::questions(&claim);
            self.reading.findings.push(Finding {
                kind: claim.kind,
                span,
                around: lead.map(|lead| (format!("{lead} "), String::new())),
                subject: claim.subject.unwrap_or_else(|| "customer".to_owned()),
                attribute: claim.attribute,
                many: claim.many,
                value: claim.value,
                negated: claim.negated,
                qualifier: claim.qualifier,
                changed: claim.changed,
                importance: claim.importance,
                confidence: claim.confidence,
                questions,
            });
        }
    }

    fn refuse(&mut self, clause: &Clause<'_>, start: usize, reason: DropReason) {
        if let Some(span) = extent(clause.tokens, start) {
            self.reading.drops.push((span, reason));
        }
    }

    /// Makes the finding before reach to the end of this clause.
    fn extend(&mut self, clause: &Clause<'_>) {
        let (Some(last), Some(span)) = (self.last, extent(clause.tokens, 0)) else { return };
        let start = self.reading.findings[last].span.start;
        for finding in self.reading.findings.iter_mut().filter(|finding| finding.span.start == start) {
            finding.span.end = span.end;
        }
    }

    /// Whom "she" or "it" means: the one person or thing that the words before speak of.
    fn antecedent(&self, pronoun: &str) -> Option<(Who, u32)> {
        let here = &self.reading.findings;
        let before = self.sentence.before;
        let known = if here.is_empty() { before } else { here };
        let mut fitting =
            known.iter().filter_map(|finding| stands_for(pronoun, finding).map(|who| (who, finding.span.start)));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }

    /// Another value for the statement just before, and where that begins.
    fn meant(&self, clause: &Clause<'_>) -> Option<(Claim, u32)> {
        let before = self.reading.findings.last().or(self.sentence.before.last()).filter(|_| !clause.asks)?;
        correction::meant(clause.tokens, self.corrects, before).map(|claim| (claim, before.span.start))
    }

    /// A lasting statement that somebody else makes: "my boss says I'm lazy".
    fn told(&mut self, inner: &[Token], clause: &Clause<'_>) {
        let verdict =
            head(inner, None).and_then(|headed| verb(headed.rest).map(|verb| predicate::predicate(&headed.who, &verb)));
        if let Some(Verdict::Found(_)) = verdict {
            self.refuse(clause, 0, DropReason::NotCustomer);
        }
    }

    /// A lasting statement about somebody who is not known to be the customer's.
    fn unresolved(&mut self, headed: &Headed<'_>, clause: &Clause<'_>) {
        if headed.pronoun == Some("it") {
            return;
        }
        let verdict = verb(headed.rest).map(|verb| predicate::predicate(&Who::Person("they".to_owned()), &verb));
        if let Some(Verdict::Found(_)) = verdict {
            self.refuse(clause, headed.start, DropReason::NotCustomer);
        }
    }
}

/// Gives a fact what is said of it apart from its predicate: what lets it stand beside others, and that it is a change. What
/// a thing is called qualifies what it tells of the customer, not what it tells of the thing.
fn qualified(claim: Claim, who: &Who, qualifier: &Option<String>, changed: bool) -> Claim {
    let of_thing = matches!(who, Who::Thing(_)) && claim.subject.is_none();
    if claim.kind != Kind::Fact || of_thing {
        return claim;
    }
    Claim {
        qualifier: claim.qualifier.or_else(|| qualifier.clone()),
        changed: claim.changed || changed && !claim.many,
        ..claim
    }
}

/// Without "again", which says of a habit that it changed and not what it is; a count of children as a number.
fn plain(claim: Claim) -> Claim {
    let (value, changed) = match claim.value.strip_suffix(" again") {
        Some(value) if claim.kind == Kind::Fact => (value.to_owned(), true),
        _ => (claim.value.clone(), claim.changed),
    };
    let count = saidso_core::text::numbers(&value).into_iter().next().filter(|_| claim.attribute == "children");
    // "Smoke" and "eat pork" stand under one key whether they are done or not.
    const CONSUMED: [&str; 3] = ["eat ", "drink ", "consume "];
    let consumed = CONSUMED.iter().find(|verb| claim.attribute == "habit" && value.starts_with(**verb) && changed);
    match (count, consumed) {
        (Some(count), _) => Claim { value: format!("{count} children"), changed, ..claim },
        (None, Some(verb)) => {
            Claim { attribute: verb.trim().to_owned(), value: value[verb.len()..].to_owned(), changed, ..claim }
        }
        (None, None) => Claim { value, changed, ..claim },
    }
}

/// Gives a claim the subject of its clause, unless it has one of its own. An industry is the customer's, whether "we" or
/// "our company" is in it.
fn named(claim: Claim, who: &Who) -> Claim {
    if any(&claim.attribute, &["industry", "employees"]) && matches!(who, Who::Organisation(_)) {
        return Claim { subject: Some("customer".to_owned()), ..claim };
    }
    Claim { subject: claim.subject.clone().or_else(|| Some(who.subject())), ..claim }
}

/// Claims as they stand behind "it's not true that"; `None` if nothing can be said of them then.
fn denied(claims: Vec<Claim>, denied: bool) -> Option<Vec<Claim>> {
    if !denied {
        return Some(claims);
    }
    claims
        .iter()
        .all(|claim| claim.kind == Kind::Fact)
        .then(|| claims.into_iter().map(|claim| Claim { negated: !claim.negated, changed: false, ..claim }).collect())
}

/// Whether a pronoun can stand for what a finding speaks of.
fn stands_for(pronoun: &str, finding: &Finding) -> Option<Who> {
    let subject = finding.subject.as_str();
    let noun = match subject {
        "customer"
            if any(&finding.attribute, &["pet", "child", "children", "sons", "daughters", "family"])
                || tokens(&finding.attribute, 0).iter().any(|word| word.is(Class::Pet)) =>
        {
            finding.value.as_str()
        }
        "customer" if pronoun == "it" && any(&finding.attribute, &["project", "has", "own", "drive", "runs"]) => {
            return Some(Who::Thing(finding.value.clone()));
        }
        "customer" => return None,
        "company" => return any(pronoun, &["it", "they"]).then(|| Who::Organisation("company".to_owned())),
        other => other,
    };
    let word = tokens(noun, 0)
        .into_iter()
        .find(|token| token.is(Class::Person) || token.is(Class::Pet) || token.is(Class::Child))?;
    let fits = match pronoun {
        "she" => word.is(Class::Female) || !word.is(Class::Male),
        "he" => word.is(Class::Male) || !word.is(Class::Female),
        "it" => word.is(Class::Pet),
        _ => word.form == token::Form::S || any(&word.text, &["children", "kids", "family", "parents"]),
    };
    fits.then(|| Who::Person(noun.to_owned()))
}

/// Whether a clause says the other half of the statement before: its contrast or its consequence.
fn belongs(claims: &[Claim], verb: &Verb<'_>, before: &Finding, link: Link) -> bool {
    let opinion = |attribute: &str| attribute.starts_with("opinion of");
    let minded = opinion(&before.attribute)
        || any(&before.attribute, &["health", "diet", "cannot", "trait", "constraint", "appearance", "eat"]);
    if before.subject != "customer" || !minded || link == Link::Reason {
        return false;
    }
    let half =
        any(&verb.token.base, &["prefer", "avoid", "refuse", "find", "steer", "stay", "rather", "keep", "favor"]);
    let limits = verb.negated || verb.only() || verb.tense == Tense::Must || verb.tense == Tense::Can;
    let consequence = matches!(link, Link::And | Link::So) && limits && verb.token.form == token::Form::Base;
    half && claims.iter().all(|claim| opinion(&claim.attribute))
        || consequence && claims.iter().all(|claim| claim.many || opinion(&claim.attribute))
}

/// Whether a clause asks or orders.
fn asks(tokens: &[Token]) -> bool {
    let start = tokens
        .iter()
        .position(|token| !token.mark() && (!token.is(Class::Filler) || token.is(Class::RequestStart)))
        .unwrap_or(tokens.len());
    starts_question(&tokens[start..]) || starts_request(&tokens[start..])
}

/// "right?", "isn't it?": the clause before is the question.
fn is_tag(tokens: &[Token]) -> bool {
    let words: Vec<&str> = tokens.iter().filter(|token| !token.mark()).map(|token| token.text.as_str()).collect();
    match words.as_slice() {
        [only] => any(only, &["right", "correct", "huh", "yes", "no", "ok", "okay", "eh", "yeah"]),
        [aux, rest @ ..] if rest.len() <= 2 => {
            any(aux, &["is", "are", "do", "does", "am", "or"])
                && any(rest[rest.len() - 1], &["i", "it", "we", "not", "no"])
        }
        _ => false,
    }
}

/// Only for the time being, by the clause's own words.
fn passing(tokens: &[Token]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        let next = tokens.get(at + 1).map_or("", |next| next.text.as_str());
        match token.text.as_str() {
            "today" | "tomorrow" if at > 0 && any(&tokens[at - 1].text, &["of", "from", "since", "starting"]) => false,
            "today" | "tonight" | "tomorrow" => true,
            "right" => next == "now",
            "this" => any(next, &["morning", "afternoon", "evening", "weekend", "week"]),
            "for" => next == "now",
            "at" => next == "the" && tokens.get(at + 2).is_some_and(|third| third.text == "moment"),
            _ => false,
        }
    })
}

/// "maybe", "probably", "might".
fn guessed(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| token.is(Class::Hedge) && !token.is(Class::Month))
}

/// The span of a clause from its token `start`, marks at the ends cut off.
fn extent(tokens: &[Token], start: usize) -> Option<Span> {
    let tokens = &tokens[start.min(tokens.len())..];
    let first = tokens.iter().find(|token| !token.mark())?;
    let last = tokens.iter().rev().find(|token| !token.mark() || token.text == ")")?;
    Some(Span { start: first.start, end: last.end })
}
