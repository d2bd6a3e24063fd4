//! The indexes of a space, built from its memories and passages.

use std::collections::{BTreeSet, HashMap};

use saidso_core::{
    fold::{Folded, Memory},
    ids::{MessageId, ObservationId},
    item::Span,
    observation::Observation,
    passages::{Passage, PassageVector},
    text::{self, Language},
    vector::Vector,
};

use crate::{
    fitted,
    people::People,
    sorted::Sorted,
    term::Term,
    vectors::Vectors,
    words::{Builder, Words},
};

/// What the subject of a topic key is for the customer.
const CUSTOMER: &str = "customer";

/// People of a memory.
#[derive(Debug, Clone, Copy)]
pub struct Whom {
    /// Whose memory it is.
    pub about: People,
    /// Those, and whoever its wording names.
    pub mentioned: People,
}

/// Somebody or something other than the customer that memories are about.
#[derive(Debug)]
pub struct Subject {
    /// What it is called.
    pub terms: Vec<Term>,
    /// What is about it.
    pub memories: BTreeSet<u32>,
}

fn terms(text: &str) -> Vec<Term> {
    text::terms(text).iter().map(|term| Term::of(term)).collect()
}

/// Words of memories, and whom each is about.
pub fn memories(memories: &[Memory]) -> (Words, Vec<Whom>) {
    let (mut builder, mut people) = (Builder::default(), Vec::with_capacity(memories.len()));
    for memory in memories {
        let (wording, subject) = (terms(&memory.text), terms(&memory.topic_key.subject));
        let about = People::of(subject.iter().copied());
        people.push(Whom { about, mentioned: about.and(People::of(wording.iter().copied())) });
        let keywords = memory.keywords.iter().map(|text| (terms(text), fitted::KEYWORD_FIELD));
        let questions = memory.questions.iter().map(|text| (terms(text), fitted::QUESTION_FIELD));
        let topic = [(subject, fitted::TOPIC_FIELD), (terms(&memory.topic_key.attribute), fitted::TOPIC_FIELD)];
        let fields = [(wording, 1.0)].into_iter().chain(keywords).chain(questions).chain(topic);
        builder.document(fields.flat_map(|(terms, weight)| terms.into_iter().map(move |term| (term, weight))));
    }
    (builder.build(), people)
}

/// Words of the attributes of topic keys.
pub fn topics(memories: &[Memory]) -> Words {
    let mut builder = Builder::default();
    for memory in memories {
        let content = text::content(&memory.topic_key.attribute);
        builder.document(content.iter().map(|stem| (Term::of(stem), 1.0)));
    }
    builder.build()
}

/// Words of raw passages, and whom each mentions. The agent's question that one answers helps to find it, and is no part of
/// what comes back.
pub fn passages(passages: &[Passage], answered: &HashMap<MessageId, String>) -> (Words, Vec<People>) {
    let (mut builder, mut mentioned) = (Builder::default(), Vec::with_capacity(passages.len()));
    let mut last = None;
    for passage in passages {
        let own = terms(&passage.text);
        mentioned.push(People::of(own.iter().copied()));
        // What a message says first is the answer.
        let first = last.replace(passage.message) != Some(passage.message);
        let question = answered.get(&passage.message).filter(|_| first).map(|question| terms(question));
        let question = question.unwrap_or_default().into_iter().map(|term| (term, fitted::ANSWERED_FIELD));
        builder.document(own.into_iter().map(|term| (term, 1.0)).chain(question));
    }
    (builder.build(), mentioned)
}

/// The vectors of passages that are still what was embedded.
pub fn raw_vectors(passages: &[Passage], embedded: &[PassageVector]) -> Vectors {
    let vectors: HashMap<(MessageId, Span), &Vector> =
        embedded.iter().map(|embedded| ((embedded.message, embedded.span), &embedded.vector)).collect();
    let vector = |passage: &Passage| vectors.get(&(passage.message, passage.span)).copied();
    Vectors::of(passages.iter().map(|passage| (Language::of(&passage.text), vector(passage))))
}

/// Subjects other than the customer.
pub fn subjects(memories: &[Memory]) -> Vec<Subject> {
    let mut subjects: HashMap<&str, BTreeSet<u32>> = HashMap::new();
    for (index, memory) in (0..).zip(memories) {
        if memory.topic_key.subject != CUSTOMER {
            subjects.entry(&memory.topic_key.subject).or_default().insert(index);
        }
    }
    let subject = |(name, memories): (&str, BTreeSet<u32>)| {
        let terms: Vec<Term> = text::content(name).iter().map(|stem| Term::of(stem)).collect();
        (!terms.is_empty()).then_some(Subject { terms, memories })
    };
    subjects.into_iter().filter_map(subject).collect()
}

/// For every message that memories rest on, which, and on what of it.
pub fn supports(observations: &[Observation], aliases: &Sorted<ObservationId, u32>) -> Sorted<MessageId, (Span, u32)> {
    let support = |Observation { id, body, .. }: &Observation| {
        aliases.get(id).map(|memory| (body.message, (body.item.evidence.span, *memory)))
    };
    observations.iter().filter_map(support).collect()
}

/// For every observation the index of its memory.
pub fn aliases(folded: &Folded) -> Sorted<ObservationId, u32> {
    let indexes: HashMap<ObservationId, u32> = folded.memories.iter().map(|memory| memory.id).zip(0..).collect();
    let index = |(id, memory): (&ObservationId, &ObservationId)| indexes.get(memory).map(|index| (*id, *index));
    folded.aliases.iter().filter_map(index).collect()
}
