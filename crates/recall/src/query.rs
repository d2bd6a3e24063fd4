//! What is asked, and its analysis.

use std::collections::BTreeSet;

use saidso_core::{
    item::Span,
    limits,
    position::Position,
    text::{self, Language},
};

use crate::{Filter, RecallError, Rule, people::People, term::Term, words::Asked};

/// A question put to one space.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Question {
    /// In the customer's or the agent's words.
    pub query: String,
    /// What the customer is called, where the question may name them.
    pub customer: Option<String>,
    /// The session it is asked in; tasks of others rank lower.
    pub session: Option<String>,
    /// Results at most; [`limits::RECALL_RESULTS`] unless said.
    pub limit: Option<usize>,
    /// Wait, bounded, until this position is visible.
    pub min_position: Option<Position>,
    /// Superseded memories may come back too, marked.
    pub history: bool,
    /// Answer with what was believed then.
    pub as_of: Option<AsOf>,
    /// Which memories may come back.
    pub filter: Filter,
    /// What the words of every result must contain.
    pub rules: Vec<Rule>,
}

/// A point in the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AsOf {
    /// Only what was said until then, in milliseconds since 1970.
    Time(i64),
    /// Only what stood on the log until then.
    Position(Position),
}

/// A question's words.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The language it is asked in.
    pub language: Language,
    /// Its distinct terms.
    pub asked: Vec<Asked>,
    /// Its distinct content terms, sorted.
    pub content: Vec<Term>,
    /// Whom it names besides the customer.
    pub people: People,
}

impl Question {
    /// The number of results to give, if every part of the question is within its limit.
    pub fn check(&self) -> Result<usize, RecallError> {
        if self.query.trim().is_empty() {
            return Err(RecallError::QueryEmpty);
        }
        if self.customer.as_ref().is_some_and(|name| name.len() > limits::NAME_BYTES) {
            return Err(RecallError::NameTooLong);
        }
        if self.query.len() > limits::QUERY_BYTES {
            return Err(RecallError::QueryTooLong { bytes: self.query.len() });
        }
        let limit = self.limit.unwrap_or(limits::RECALL_RESULTS);
        if limit == 0 || limit > limits::RECALL_RESULTS_MAX {
            return Err(RecallError::Limit { limit });
        }
        Ok(limit)
    }
}

/// A question as the customer would put it: whose space it is goes without saying, so what names the customer becomes
/// "I". `name` is what the customer is called; a question names it in any inflection that shares its stem. A name that is a
/// function word besides ("Will", "May") counts where it is capitalised.
pub fn own(query: &str, name: Option<&str>) -> String {
    let [subject, possessive] = match Language::of(query) {
        Language::Zh => ["我", "我的"],
        Language::Ru => ["я", "мой"],
        Language::En | Language::Other => ["I", "my"],
    };
    let mut own = query.to_owned();
    if !OWN_CUSTOMERS.iter().any(|own| query.contains(own)) {
        for named in NAMED {
            own = own.replace(&format!("{named}'s"), possessive).replace(named, subject);
        }
    }
    let called: Vec<String> = text::words(name.unwrap_or_default()).into_iter().map(|word| word.stem).collect();
    if called.is_empty() {
        return own;
    }
    let capitalised = |span: Span| span.of(&own).is_some_and(|word| word.starts_with(char::is_uppercase));
    let named = |word: &&text::Word| called.contains(&word.stem) && (!word.stop || capitalised(word.span));
    let mut parts = Vec::new();
    let mut rest = 0;
    let words = text::words(&own);
    let mut at = 0;
    while at < words.len() {
        // A name in Han characters is all of its characters; of others any part names ("Anna" for "Anna Smith").
        let names = if words[at].is_ideograph() {
            let stands = words[at..].iter().map(|word| &word.stem).take(called.len()).eq(&called);
            if stands { called.len() } else { 0 }
        } else {
            words[at..].iter().take_while(named).count()
        };
        if names > 0 {
            let (first, last) = (&words[at], &words[at + names - 1]);
            let (start, end) = (first.span.start as usize, last.span.end as usize);
            let within = ["'s", "’s"].iter().any(|owns| own[start..end].ends_with(owns));
            let after = ["'s", "’s"].iter().find(|owns| own[end..].starts_with(**owns));
            parts.extend([&own[rest..start], if within || after.is_some() { possessive } else { subject }]);
            rest = end + after.map_or(0, |owns| owns.len());
        }
        at += names.max(1);
    }
    parts.push(&own[rest..]);
    parts.concat()
}

/// The questions that a query asks, where it asks several: each is answered. A query that asks one, or none in so many
/// words, is one whole.
pub fn parts(query: &str) -> Vec<&str> {
    let sentences = text::sentences(query).into_iter().filter_map(|sentence| sentence.of(query));
    let asks = |sentence: &&str| text::is_question(sentence) && !text::content(sentence).is_empty();
    let parts: Vec<&str> = sentences.filter(asks).collect();
    if (2..=limits::QUERY_PARTS).contains(&parts.len()) { parts } else { vec![query] }
}

/// Words for the customer.
const NAMED: [&str; 4] = ["the customer", "The customer", "客户", "顾客"];
/// The customer's own customers are somebody else.
const OWN_CUSTOMERS: [&str; 5] = ["的客户", "们客户", "的顾客", "们顾客", "客户们"];

/// Characters that ask, in Chinese and Japanese: a pair with one of them is part of the frame of the question, as "what"
/// and "where" are, which count as function words already.
const ASKING: [char; 9] = ['什', '么', '哪', '谁', '吗', '呢', '几', '怎', '何'];

impl Analysis {
    /// Of a question's text, as [`own`] puts it.
    pub fn of(query: &str) -> Self {
        let content = text::content(query);
        let content: BTreeSet<Term> =
            content.iter().filter(|stem| !stem.contains(ASKING)).map(|stem| Term::of(stem)).collect();
        let terms: BTreeSet<Term> = text::terms(query).iter().map(|term| Term::of(term)).collect();
        let people = People::of(terms.iter().copied());
        let asked = terms.union(&content).map(|term| Asked { term: *term, content: content.contains(term) }).collect();
        Self { language: Language::of(query), asked, content: content.into_iter().collect(), people }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_called_so_becomes_the_one_who_asks() {
        for (query, name, own) in [
            ("Where does Anna live?", Some("Anna"), "Where does I live?"),
            ("What is Anna's job?", Some("Anna Smith"), "What is my job?"),
            ("What is the customer's job?", None, "What is my job?"),
            ("Annabel likes Anna", Some("Anna"), "Annabel likes I"),
            ("Где живёт Анна?", Some("Анна"), "Где живёт я?"),
            ("Что нравится Анне?", Some("Анна"), "Что нравится я?"),
            ("王小明住在哪里？", Some("王小明"), "我住在哪里？"),
            ("小明住在哪里？", Some("王小明"), "小明住在哪里？"),
            ("我们的客户在哪里？", None, "我们的客户在哪里？"),
            ("What will Will drink?", Some("Will"), "What will I drink?"),
            ("Where do I live?", Some(""), "Where do I live?"),
        ] {
            assert_eq!(super::own(query, name), own);
        }
    }

    #[test]
    fn a_query_of_several_questions_has_parts() {
        assert_eq!(parts("Where do I live? And what is my job?"), ["Where do I live?", "And what is my job?"]);
        assert_eq!(parts("我住在哪里？另外，我做什么工作？").len(), 2);
        for whole in ["Where do I live?", "I moved. Where do I live?", "warehouse Lyon"] {
            assert_eq!(parts(whole), [whole]);
        }
        let many = "Where do I live? ".repeat(limits::QUERY_PARTS + 1);
        assert_eq!(parts(&many), [many.as_str()]);
    }
}
