//! One space in memory: its memories and raw passages, and the indexes over them. Built whole, never changed: what
//! changes is replaced by a new one.

use std::{
    collections::{BTreeSet, HashMap},
    sync::OnceLock,
};

use saidso_core::{
    calibration::Calibration,
    fault::Fault,
    fold::{self, Memory, Status},
    ids::{Ids, MessageId, ObservationId, SessionId, TurnId},
    item::Kind,
    marks::{Mark, Marks},
    observation::Observation,
    ports::Embedder,
    position::Position,
    text::{self, Language},
    turn::Turn,
};

use crate::{
    cohort::{Background, Cohorts},
    fitted,
    matrix::Matrix,
    passages::{Hidden, Passage},
    people::People,
    query::Analysis,
    term::Term,
    words::{Builder, Hit, Words},
};

/// What the subject of a topic key is for the customer.
const CUSTOMER: &str = "customer";

/// What a space is built from, in the clear.
#[derive(Debug, Default)]
pub struct Contents {
    /// The last position folded in.
    pub applied: Option<Position>,
    /// Every observation whose key lives.
    pub observations: Vec<Observation>,
    /// Sessions that ended, and when.
    pub ended: Vec<(SessionId, i64)>,
    /// Every turn whose key lives.
    pub turns: Vec<Turn>,
    /// What is forgotten.
    pub marks: Vec<Mark>,
}

/// A turn as results name it.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnName {
    /// The gateway's name, else the id.
    pub name: String,
    /// When it was completed, RFC 3339.
    pub at: String,
    /// The same in milliseconds since 1970.
    pub at_ms: i64,
}

/// A loaded space.
#[derive(Debug)]
pub struct Space {
    /// The last position folded in.
    pub applied: Option<Position>,
    /// Current memories and history, by when they were first said.
    pub memories: Vec<Memory>,
    /// The customer's words, in passages, oldest first.
    pub passages: Vec<Passage>,
    /// Observations that only said a recalled memory back: turn and quote.
    pub echoes: Vec<(TurnId, String)>,
    /// For every observation the index of its memory.
    aliases: HashMap<ObservationId, u32>,
    /// The turns that passages come from.
    turns: Vec<TurnName>,
    languages: BTreeSet<Language>,
    /// When memory begins.
    since: Option<String>,
    pub(crate) words: Words,
    pub(crate) topics: Words,
    pub(crate) raw: Words,
    pub(crate) matrix: Matrix,
    /// Per memory, what its vector's cosines with unrelated questions are. Made by the first question: a list or an
    /// export needs no embedder.
    backgrounds: OnceLock<Vec<Option<Background>>>,
    /// Subjects other than the customer, with their terms and memories.
    pub(crate) subjects: Vec<Subject>,
    /// Per memory, whom it is about and whom it mentions, the customer apart.
    pub(crate) people: Vec<Whom>,
    /// Per passage, whom it mentions.
    pub(crate) mentioned: Vec<People>,
    /// For every message that memories rest on, which.
    supports: HashMap<MessageId, Vec<u32>>,
    bytes: usize,
}

/// People of a memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Whom {
    pub about: People,
    pub mentioned: People,
}

/// Somebody or something other than the customer that memories are about.
#[derive(Debug)]
pub(crate) struct Subject {
    pub terms: Vec<Term>,
    pub memories: BTreeSet<u32>,
}

impl Space {
    /// Folds and indexes. Marks are applied here as well: they bind before the clean-up they cause is through.
    pub fn build(contents: Contents, ids: &Ids, calibration: &Calibration) -> Self {
        let Contents { applied, mut observations, ended, mut turns, marks } = contents;
        let covering: Marks = marks.iter().copied().collect();
        observations.retain(|observation| !covering.cover(observation, ids));
        let folded = fold::fold(&observations, &ended, calibration);
        let echoed: BTreeSet<ObservationId> = folded.echoes.iter().copied().collect();
        let echoes = observations.iter().filter(|observation| echoed.contains(&observation.id));
        let echoes = echoes.map(|o| (o.body.turn, o.body.item.evidence.quote.clone())).collect();

        turns.sort_by_key(|turn| (turn.meta.at.ms(), turn.meta.id));
        let hidden = Hidden::new(&folded.memories, &marks);
        let mut passages = Vec::new();
        for (index, turn) in (0..).zip(&turns) {
            passages.extend(hidden.passages(turn, index, ids));
        }
        let mut space = Self {
            applied,
            words: memory_words(&folded.memories),
            topics: topic_words(&folded.memories),
            raw: raw_words(&passages),
            matrix: Matrix::new((0..).zip(&folded.memories).filter_map(|(i, m)| m.vector.as_ref().map(|v| (i, v)))),
            backgrounds: OnceLock::new(),
            people: folded.memories.iter().map(Whom::of).collect(),
            mentioned: passages.iter().map(|passage| People::of(terms(&passage.text))).collect(),
            subjects: subjects(&folded.memories),
            supports: supports(&folded.memories),
            aliases: aliases(&folded),
            languages: folded.memories.iter().map(|memory| memory.language).collect(),
            since: turns.first().map(|turn| turn.meta.at.to_string()),
            turns: turns.iter().map(TurnName::of).collect(),
            memories: folded.memories,
            passages,
            echoes,
            bytes: 0,
        };
        // The matrix has the vectors; what is left of a memory is text.
        space.memories.iter_mut().for_each(|memory| memory.vector = None);
        space.bytes = space.estimate();
        space
    }

    /// Whether there is nothing to find.
    pub fn is_empty(&self) -> bool {
        self.memories.is_empty() && self.passages.is_empty()
    }

    /// When memory begins: the first turn, RFC 3339.
    pub fn since(&self) -> Option<&str> {
        self.since.as_deref()
    }

    /// A memory by its id or any of its observations'.
    pub fn memory(&self, id: ObservationId) -> Option<&Memory> {
        self.memories.get(*self.aliases.get(&id)? as usize)
    }

    /// The turn a passage comes from.
    pub fn turn_of(&self, passage: &Passage) -> &TurnName {
        &self.turns[passage.turn as usize]
    }

    /// Memories that rest on words of a passage.
    pub fn supported_by<'a>(&'a self, passage: &'a Passage) -> impl Iterator<Item = u32> + 'a {
        let memories = self.supports.get(&passage.message).map_or(&[][..], Vec::as_slice);
        memories.iter().copied().filter(|index| rests_on(&self.memories[*index as usize], passage))
    }

    /// Per memory, its background among questions; none for a memory without a vector.
    pub(crate) fn backgrounds(
        &self,
        embedder: &dyn Embedder,
        cohorts: &Cohorts,
    ) -> Result<&[Option<Background>], Fault> {
        if let Some(backgrounds) = self.backgrounds.get() {
            return Ok(backgrounds);
        }
        let mut backgrounds = vec![None; self.memories.len()];
        for (owner, vector) in self.matrix.rows() {
            let language = self.memories[owner as usize].language;
            backgrounds[owner as usize] = Some(cohorts.passage(&vector, language, embedder)?);
        }
        Ok(self.backgrounds.get_or_init(|| backgrounds))
    }

    /// Memories that share words with a question, best first.
    pub fn hits(&self, analysis: &Analysis) -> Vec<Hit> {
        self.words.hits(&analysis.asked)
    }

    /// Languages its memories are in.
    pub fn languages(&self) -> impl Iterator<Item = Language> + '_ {
        self.languages.iter().copied()
    }

    /// Bytes held, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn estimate(&self) -> usize {
        let strings = |memory: &Memory| {
            let lists = memory.keywords.iter().chain(&memory.questions).map(|text| text.len() + 24).sum::<usize>();
            let evidence = memory.evidence.iter().map(|mention| mention.quote.len() + 160).sum::<usize>();
            memory.text.len() + memory.value.len() + memory.topic_key.attribute.len() + lists + evidence
        };
        let memories: usize = self.memories.iter().map(|memory| size_of::<Memory>() + strings(memory)).sum();
        let passages: usize = self.passages.iter().map(|p| size_of::<Passage>() + p.text.len()).sum();
        let turns = self.turns.len() * (size_of::<TurnName>() + 64);
        let maps =
            self.aliases.len() * 24 + self.supports.len() * 56 + self.memories.len() * size_of::<Option<Background>>();
        let indexes = self.words.bytes() + self.topics.bytes() + self.raw.bytes() + self.matrix.bytes();
        size_of::<Self>() + memories + passages + turns + maps + indexes
    }
}

/// Whether a memory rests on words of a passage.
pub fn rests_on(memory: &Memory, passage: &Passage) -> bool {
    memory.evidence.iter().any(|mention| mention.message == passage.message && mention.span.overlaps(passage.span))
}

impl Whom {
    fn of(memory: &Memory) -> Self {
        let about = People::of(terms(&memory.topic_key.subject));
        Self { about, mentioned: about.and(People::of(terms(&memory.text))) }
    }
}

impl TurnName {
    fn of(turn: &Turn) -> Self {
        let meta = &turn.meta;
        let name = meta.name.clone().unwrap_or_else(|| meta.id.to_string());
        Self { name, at: meta.at.to_string(), at_ms: meta.at.ms() }
    }
}

fn terms(text: &str) -> Vec<Term> {
    text::terms(text).iter().map(|term| Term::of(term)).collect()
}

fn memory_words(memories: &[Memory]) -> Words {
    let mut builder = Builder::default();
    for memory in memories {
        let keywords = memory.keywords.iter().map(|text| (text, fitted::KEYWORD_FIELD));
        let questions = memory.questions.iter().map(|text| (text, fitted::QUESTION_FIELD));
        let topic =
            [(&memory.topic_key.subject, fitted::TOPIC_FIELD), (&memory.topic_key.attribute, fitted::TOPIC_FIELD)];
        let fields = [(&memory.text, 1.0)].into_iter().chain(keywords).chain(questions).chain(topic);
        builder.document(fields.flat_map(|(text, weight)| terms(text).into_iter().map(move |term| (term, weight))));
    }
    builder.build()
}

fn topic_words(memories: &[Memory]) -> Words {
    let mut builder = Builder::default();
    for memory in memories {
        let content = text::content(&memory.topic_key.attribute);
        builder.document(content.iter().map(|stem| (Term::of(stem), 1.0)));
    }
    builder.build()
}

fn raw_words(passages: &[Passage]) -> Words {
    let mut builder = Builder::default();
    for passage in passages {
        builder.document(terms(&passage.text).into_iter().map(|term| (term, 1.0)));
    }
    builder.build()
}

fn subjects(memories: &[Memory]) -> Vec<Subject> {
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

fn supports(memories: &[Memory]) -> HashMap<MessageId, Vec<u32>> {
    let mut supports: HashMap<MessageId, Vec<u32>> = HashMap::new();
    for (index, memory) in (0..).zip(memories) {
        for mention in &memory.evidence {
            let list = supports.entry(mention.message).or_default();
            if list.last() != Some(&index) {
                list.push(index);
            }
        }
    }
    supports
}

fn aliases(folded: &fold::Folded) -> HashMap<ObservationId, u32> {
    let indexes: HashMap<ObservationId, u32> = folded.memories.iter().map(|memory| memory.id).zip(0..).collect();
    let index = |(id, memory): (&ObservationId, &ObservationId)| indexes.get(memory).map(|index| (*id, *index));
    folded.aliases.iter().filter_map(index).collect()
}

/// Whether a memory can come back at all, and how (requirements B12).
pub fn comes_back(memory: &Memory, history: bool) -> bool {
    match memory.status {
        Status::Active => true,
        Status::Superseded => history,
    }
}

/// Whether a task is out of place in a session: its own is over, or another one.
pub fn out_of_place(memory: &Memory, session: Option<SessionId>) -> bool {
    memory.kind == Kind::Task && (memory.ended || session.is_some_and(|session| session != memory.session))
}
