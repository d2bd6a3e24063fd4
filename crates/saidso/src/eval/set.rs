//! Customers, each with a space of their own, and questions asked of one or more of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{
    dates,
    named::names,
    talk::{Asked, Doc, Talk, Talks, Voice},
};

/// One file, or parallel files together.
pub struct Set {
    /// What it is called.
    pub name: String,
    /// The customers.
    pub customers: Vec<Customer>,
    /// The questions that can be scored.
    pub questions: Vec<Question>,
    /// Questions that cannot: no message of a customer is named as their evidence.
    pub unscored: usize,
    /// Rows that state nothing in so many words.
    pub left_out: usize,
}

/// One customer, and all they say.
pub struct Customer {
    /// The space's name: a digest of all that is said in it, so that no two contents share a space.
    pub space: String,
    /// What questions call them; empty if nobody is named.
    pub name: String,
    /// What they say.
    pub said: Vec<Said>,
}

/// One turn of a customer.
#[derive(Debug, Serialize)]
pub struct Said {
    /// The message's id in the file: that of the first with the same words, since to say a thing again is no other
    /// evidence of it.
    pub doc: String,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
    /// The session's name.
    pub session: Option<String>,
    /// The question it answers.
    pub question: Option<String>,
    /// The words.
    pub text: String,
}

/// One question.
pub struct Question {
    /// As it is asked.
    pub text: String,
    /// What sort of question it is.
    pub category: String,
    /// Of whom it is asked: indexes of customers.
    pub customers: Vec<usize>,
    /// What should come back.
    pub wanted: Wanted,
}

/// What should come back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// What these messages say; never none.
    Docs(BTreeSet<String>),
    /// Nothing: these messages only seem to answer it.
    Nothing {
        /// Ids.
        traps: BTreeSet<String>,
    },
}

impl Set {
    /// Of talks, as if asked about at an instant.
    pub fn of(Talks { name, talks, left_out }: Talks, now_ms: i64) -> Self {
        let mut set = Self { name, customers: Vec::new(), questions: Vec::new(), unscored: 0, left_out };
        talks.into_iter().for_each(|talk| set.add(talk, now_ms));
        set
    }

    fn add(&mut self, talk: Talk, now_ms: i64) {
        let instants = dates::instants(talk.docs.iter().map(|doc| doc.at.as_deref()), now_ms);
        let (mut places, mut says): (BTreeMap<&Voice, usize>, Vec<Vec<Said>>) = (BTreeMap::new(), Vec::new());
        let (mut own, mut first_said) = (HashMap::new(), HashMap::new());
        for (at, doc) in talk.docs.iter().enumerate() {
            if doc.voice == Voice::Agent || doc.text.trim().is_empty() {
                continue;
            }
            let place = *places.entry(&doc.voice).or_insert_with(|| {
                says.push(Vec::new());
                says.len() - 1
            });
            let first = *first_said.entry((place, doc.text.as_str())).or_insert(doc.id.as_str());
            own.insert(doc.id.as_str(), first);
            says[place].push(Said {
                doc: first.to_owned(),
                at_ms: instants[at],
                session: doc.session.clone(),
                question: at.checked_sub(1).and_then(|before| answered(&talk.docs[before], doc)),
                text: doc.text.clone(),
            });
        }
        let first = self.customers.len();
        let mut names = vec![String::new(); says.len()];
        for (voice, place) in &places {
            if let Voice::Customer(name) = voice {
                names[*place] = name.clone();
            }
        }
        for asked in &talk.asked {
            match wanted(asked, &own) {
                Some(wanted) => self.questions.push(Question {
                    text: asked.text.clone(),
                    category: asked.category.clone(),
                    customers: of_whom(&asked.text, &places).into_iter().map(|place| first + place).collect(),
                    wanted,
                }),
                None => self.unscored += 1,
            }
        }
        self.customers.extend(names.into_iter().zip(says).map(Customer::new));
    }
}

/// The message before, if it is a question of somebody else in the same session.
fn answered(before: &Doc, doc: &Doc) -> Option<String> {
    let asks = before.text.trim_end().ends_with(['?', '？']);
    (asks && before.voice != doc.voice && before.session == doc.session).then(|| before.text.clone())
}

/// Evidence that no customer said is not asked for: it cannot be remembered, and must not be.
fn wanted(asked: &Asked, own: &HashMap<&str, &str>) -> Option<Wanted> {
    let docs: BTreeSet<String> =
        asked.evidence.iter().filter_map(|id| own.get(id.as_str())).map(|doc| (*doc).to_owned()).collect();
    match asked.unanswerable {
        true => Some(Wanted::Nothing { traps: docs }),
        false => (!docs.is_empty()).then_some(Wanted::Docs(docs)),
    }
}

/// Those whom the question names; if it names nobody, everybody.
fn of_whom(question: &str, places: &BTreeMap<&Voice, usize>) -> Vec<usize> {
    let named = |voice: &Voice| matches!(voice, Voice::Customer(name) if names(question, name));
    let some: BTreeSet<usize> = places.iter().filter(|(voice, _)| named(voice)).map(|(_, place)| *place).collect();
    let all = || places.values().copied().collect::<BTreeSet<_>>();
    if some.is_empty() { all() } else { some }.into_iter().collect()
}

impl Customer {
    fn new((name, said): (String, Vec<Said>)) -> Self {
        let content = serde_json::to_vec(&said).unwrap_or_default();
        Self { space: format!("eval-{}", digest(&content)), name, said }
    }

    /// Whether a message is theirs.
    pub fn has(&self, doc: &str) -> bool {
        self.said.iter().any(|said| said.doc == doc)
    }
}

/// 16 hexadecimal digits of a SHA-256.
pub fn digest(content: &[u8]) -> String {
    Sha256::digest(content).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(id: &str, who: &str, text: &str) -> Doc {
        Doc { id: id.to_owned(), voice: Voice::of(who), text: text.to_owned(), at: None, session: None }
    }

    fn asked(text: &str, evidence: &[&str], unanswerable: bool) -> Asked {
        let evidence = evidence.iter().map(|id| (*id).to_owned()).collect();
        Asked { text: text.to_owned(), category: "1".to_owned(), evidence, unanswerable }
    }

    fn set(docs: Vec<Doc>, asked: Vec<Asked>) -> Set {
        Set::of(Talks { name: "test".to_owned(), talks: vec![Talk { docs, asked }], left_out: 0 }, 0)
    }

    fn ids(ids: &[&str]) -> BTreeSet<String> {
        ids.iter().map(|id| (*id).to_owned()).collect()
    }

    #[test]
    fn each_speaker_is_a_customer_who_answers_the_others_questions() {
        let docs = vec![
            doc("a", "Ann", "Do you ski?"),
            doc("b", "Bo", "Yes, every winter."),
            doc("c", "Bo", "And you?"),
            doc("d", "Bo", "I mean, at all?"),
            doc("e", "Ann", " "),
        ];
        let asked = vec![
            asked("Does Bo ski?", &["b", "a", "nowhere"], false),
            asked("Who skis?", &["b"], false),
            asked("Does Ann ski?", &["b"], true),
            asked("Where is Bo?", &[], false),
        ];
        let set = set(docs, asked);
        let said: Vec<Vec<(&str, Option<&str>)>> = set
            .customers
            .iter()
            .map(|c| c.said.iter().map(|said| (said.doc.as_str(), said.question.as_deref())).collect())
            .collect();
        assert_eq!(said, [vec![("a", None)], vec![("b", Some("Do you ski?")), ("c", None), ("d", None)]]);
        let of: Vec<&[usize]> = set.questions.iter().map(|question| question.customers.as_slice()).collect();
        assert_eq!(of, [&[1][..], &[0, 1], &[0]]);
        assert_eq!(set.questions[0].wanted, Wanted::Docs(ids(&["a", "b"])));
        assert_eq!(set.questions[2].wanted, Wanted::Nothing { traps: ids(&["b"]) });
        assert_eq!(set.unscored, 1);
    }

    #[test]
    fn what_the_agent_said_is_published_as_a_question_alone_and_never_evidence() {
        let docs = vec![
            doc("0", "assistant", "Which city?"),
            doc("1", "user", "Oslo."),
            doc("2", "assistant", "Oslo it is."),
            doc("3", "user", "Thanks."),
        ];
        let set = set(docs, vec![asked("Which city?", &["1", "2"], false), asked("What did you say?", &["2"], false)]);
        let questions: Vec<Option<&str>> = set.customers[0].said.iter().map(|said| said.question.as_deref()).collect();
        assert_eq!((set.customers.len(), questions), (1, vec![Some("Which city?"), None]));
        assert_eq!(set.questions[0].wanted, Wanted::Docs(ids(&["1"])));
        assert_eq!(set.unscored, 1);
    }

    #[test]
    fn what_is_said_again_is_the_same_evidence() {
        let docs = vec![
            doc("a", "Ann", "I ski."),
            doc("b", "Ann", "I sail."),
            doc("c", "Ann", "I ski."),
            doc("d", "Bo", "I ski."),
        ];
        let set = set(docs, vec![asked("Does Ann ski?", &["c"], false), asked("Does Bo ski?", &["d"], false)]);
        let said: Vec<&str> = set.customers[0].said.iter().map(|said| said.doc.as_str()).collect();
        assert_eq!(said, ["a", "b", "a"]);
        assert_eq!(set.questions[0].wanted, Wanted::Docs(ids(&["a"])));
        assert_eq!(set.questions[1].wanted, Wanted::Docs(ids(&["d"])));
    }

    #[test]
    fn a_space_is_named_by_all_that_is_said_in_it() {
        let space = |text| set(vec![doc("a", "user", text)], Vec::new()).customers[0].space.clone();
        assert_eq!(space("I ski."), space("I ski."));
        assert_ne!(space("I ski."), space("I sail."));
    }
}
