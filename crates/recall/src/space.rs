//! One space in memory: its memories and raw passages, and the indexes over them. Built whole, never changed: what
//! changes is replaced by a new one.

use std::collections::{BTreeSet, HashMap};

use saidso_core::{
    decay::Nature,
    fold::{self, Memory, Mention},
    ids::{Ids, MessageId, ObservationId, SessionId, TurnId},
    item::Span,
    limits,
    marks::{Mark, Marks},
    observation::Observation,
    passages::{Passage, PassageVector},
    position::Position,
    review::Verdicts,
    session::{self, Dialogue},
    slots::SlotSchema,
    text::Language,
    time::Moment,
    turn::Turn,
    when::Time,
};

use crate::{
    hidden::Hidden,
    indexes::{self, Subject, Whom},
    people::People,
    query::Analysis,
    sorted::Sorted,
    vectors::Vectors,
    words::{Hit, Words},
};

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
    /// The vectors of passages of these turns.
    pub vectors: Vec<PassageVector>,
    /// What is forgotten.
    pub marks: Vec<Mark>,
    /// Requests to forget, by their turns: what they took waits to be read.
    pub read_backs: Vec<TurnId>,
}

/// The topic key of what the customer is called.
const OWN_NAME: (&str, &str) = ("customer", "name");

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
    /// Requests to forget, by their turns: what they took waits to be read.
    pub read_backs: Vec<TurnId>,
    /// Current memories and history, by when they were first said.
    pub memories: Vec<Memory>,
    /// The customer's words, in passages, oldest first.
    pub passages: Vec<Passage>,
    /// Observations that only said a recalled memory back: turn and quote.
    pub echoes: Vec<(TurnId, String)>,
    /// Per memory, what sort of truth it is.
    pub(crate) natures: Vec<Nature>,
    /// Per memory, when another took its place, in milliseconds since 1970.
    pub(crate) superseded_ms: Vec<Option<i64>>,
    /// Memories that a turn of a session named as recalled for it, and when the last one did, in milliseconds since 1970.
    surfaced: HashMap<(SessionId, u32), i64>,
    /// For every observation the index of its memory.
    aliases: Sorted<ObservationId, u32>,
    /// The turns that passages come from.
    turns: Vec<TurnName>,
    /// Per passage, the index of its turn.
    turn_of: Vec<u32>,
    languages: BTreeSet<Language>,
    /// What the customer is called, if they said so.
    called: Option<String>,
    /// When memory begins.
    since: Option<String>,
    pub(crate) words: Words,
    pub(crate) topics: Words,
    pub(crate) raw: Words,
    /// Of memories.
    pub(crate) vectors: Vectors,
    /// Of passages. One that was cut anew since its turn was embedded has none.
    pub(crate) raw_vectors: Vectors,
    /// Subjects other than the customer, with their terms and memories.
    pub(crate) subjects: Vec<Subject>,
    /// Per memory, whom it is about and whom it mentions, the customer apart.
    pub(crate) people: Vec<Whom>,
    /// Per passage, whom it mentions.
    pub(crate) mentioned: Vec<People>,
    /// What reviewers said of answers.
    pub(crate) verdicts: Verdicts,
    /// The newest sessions, the newest first.
    pub(crate) dialogues: Vec<Dialogue>,
    /// The time-outs of sessions.
    pub(crate) time_outs: session::Rules,
    /// For every message that memories rest on, which, and on what of it.
    supports: Sorted<MessageId, (Span, u32)>,
    bytes: usize,
}

impl Space {
    /// Folds and indexes. Marks are applied here as well: they bind before the clean-up they cause is through.
    pub fn build(
        contents: Contents,
        ids: &Ids,
        rules: &fold::Rules,
        slots: Option<&SlotSchema>,
        time_outs: session::Rules,
    ) -> Self {
        let Contents { applied, mut observations, ended, mut turns, vectors, marks, read_backs } = contents;
        let covering: Marks = marks.iter().copied().collect();
        observations.retain(|observation| !covering.cover(observation, ids));
        let folded = fold::fold(&observations, &ended, rules);
        let echoed: BTreeSet<ObservationId> = folded.echoes.iter().copied().collect();
        let echoes = observations.iter().filter(|observation| echoed.contains(&observation.id));
        let echoes = echoes.map(|o| (o.body.turn, o.body.item.evidence.quote.clone())).collect();

        turns.sort_by_key(|turn| (turn.meta.at.ms(), turn.meta.id));
        let aliases = indexes::aliases(&folded);
        let named = |turn: &Turn| {
            let (session, at_ms) = (turn.meta.session, turn.meta.at.ms());
            turn.meta.recalled.iter().filter_map(|id| Some(((session, *aliases.get(id)?), at_ms))).collect::<Vec<_>>()
        };
        let surfaced = turns.iter().flat_map(named).collect();
        let superseded = |memory: &Memory| Some(Moment::parse(memory.valid_to.as_deref()?, None).ok()?.ms());
        let hidden = Hidden::new(&observations, |id| aliases.get(&id).map(|at| &folded.memories[*at as usize]), &marks);
        turns.iter_mut().for_each(|turn| hidden.blank_forgotten(turn, ids));
        let (mut passages, mut turn_of, mut answered) = (Vec::new(), Vec::new(), HashMap::new());
        for (index, turn) in (0..).zip(&turns) {
            answered.extend(turn.meta.messages.first().copied().zip(turn.body.question.clone()));
            passages.extend(hidden.passages(turn));
            turn_of.resize(passages.len(), index);
        }
        passages.shrink_to_fit();
        turn_of.shrink_to_fit();
        let (words, people) = indexes::memories(&folded.memories);
        let (raw, mentioned) = indexes::passages(&passages, &answered);
        let since = turns.first().map(|turn| turn.meta.at.to_string());
        let names = turns.iter().map(TurnName::of).collect();
        turns.iter_mut().for_each(|turn| hidden.blank_superseded(turn));
        let dialogues = session::dialogues(turns, &ended, &time_outs, limits::SESSIONS);
        let mut space = Self {
            applied,
            read_backs,
            words,
            people,
            raw,
            mentioned,
            topics: indexes::topics(&folded.memories),
            vectors: Vectors::of(folded.memories.iter().map(|memory| (memory.language, memory.vector.as_ref()))),
            raw_vectors: indexes::raw_vectors(&passages, &vectors),
            subjects: indexes::subjects(&folded.memories),
            supports: indexes::supports(&observations, &aliases),
            aliases,
            natures: folded.memories.iter().map(|memory| Nature::of(memory, slots)).collect(),
            superseded_ms: folded.memories.iter().map(superseded).collect(),
            surfaced,
            since,
            verdicts: Verdicts::default(),
            turns: names,
            turn_of,
            languages: BTreeSet::new(),
            called: called(&folded.memories),
            dialogues,
            time_outs,
            memories: folded.memories,
            passages,
            echoes,
            bytes: 0,
        };
        // The vectors are held apart; what is left of a memory is text.
        space.memories.iter_mut().for_each(|memory| memory.vector = None);
        space.languages = space.vectors.languages().chain(space.raw_vectors.languages()).collect();
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
        self.memories.get(self.index(id)? as usize)
    }

    /// The same, as the memory's index.
    pub fn index(&self, id: ObservationId) -> Option<u32> {
        self.aliases.get(&id).copied()
    }

    /// What the customer is called, if they said so.
    pub fn called(&self) -> Option<&str> {
        self.called.as_deref()
    }

    /// When it was last spoken to, in milliseconds since 1970.
    pub fn newest_ms(&self) -> Option<i64> {
        self.turns.last().map(|turn| turn.at_ms)
    }

    /// When a turn of the session last named the memory, by index, as recalled for it, in milliseconds since 1970.
    pub fn surfaced_ms(&self, memory: u32, session: SessionId) -> Option<i64> {
        self.surfaced.get(&(session, memory)).copied()
    }

    /// The turn a passage, by index, comes from.
    pub fn turn_of(&self, passage: u32) -> &TurnName {
        &self.turns[self.turn_of[passage as usize] as usize]
    }

    /// Memories that rest on words of a passage.
    pub fn supported_by<'a>(&'a self, passage: &'a Passage) -> impl Iterator<Item = u32> + 'a {
        self.supports_of(passage).map(|(_, memory)| memory)
    }

    /// The same, each with the words.
    pub(crate) fn supports_of<'a>(&'a self, passage: &'a Passage) -> impl Iterator<Item = (Span, u32)> + 'a {
        let supports = self.supports.all(&passage.message).iter().map(|(_, support)| *support);
        supports.filter(|(span, _)| span.overlaps(passage.span))
    }

    /// Memories that share words with a question, best first.
    pub fn hits(&self, analysis: &Analysis) -> Vec<Hit> {
        self.words.hits(&analysis.asked)
    }

    /// Languages its memories and passages are in.
    pub fn languages(&self) -> impl Iterator<Item = Language> + '_ {
        self.languages.iter().copied()
    }

    /// Bytes held, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn estimate(&self) -> usize {
        let option = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let list = |texts: &[String]| size_of_val(texts) + texts.iter().map(String::len).sum::<usize>();
        let mention = |mention: &Mention| {
            let optional = option(&mention.turn_name) + option(&mention.question);
            size_of::<Mention>() + mention.quote.len() + mention.at.len() + optional
        };
        let memory = |memory: &Memory| {
            let topic = &memory.topic_key;
            let texts = [&memory.text, &topic.subject, &topic.attribute, &memory.value, &memory.valid_from];
            let optional = [&memory.qualifier, &memory.slot, &memory.valid_to, &memory.verified];
            let times = memory.times.iter().map(|time| size_of::<Time>() + time.words.len() + time.text.len());
            size_of::<Memory>()
                + texts.iter().map(|text| text.len()).sum::<usize>()
                + optional.into_iter().map(option).sum::<usize>()
                + memory.evidence.iter().map(mention).sum::<usize>()
                + list(&memory.keywords)
                + list(&memory.questions)
                + times.sum::<usize>()
                + size_of_val(&*memory.contested_by)
        };
        let memories: usize = self.memories.iter().map(memory).sum();
        let beside = size_of::<Nature>() + size_of::<Option<i64>>() + size_of::<Whom>();
        let memories = memories + self.memories.len() * beside;
        let passage =
            |passage: &Passage| size_of::<Passage>() + size_of::<People>() + size_of::<u32>() + passage.text.len();
        let passages: usize = self.passages.iter().map(passage).sum();
        let turn = |turn: &TurnName| size_of::<TurnName>() + turn.name.len() + turn.at.len();
        let turns =
            self.turns.iter().map(turn).sum::<usize>() + self.dialogues.iter().map(Dialogue::bytes).sum::<usize>();
        // A hash table leaves an eighth of its places free and has a byte a place of its own.
        let surfaced = self.surfaced.capacity() * (size_of::<((SessionId, u32), i64)>() + 1) * 8 / 7;
        let maps = self.aliases.bytes() + self.supports.bytes() + surfaced;
        let indexes = self.words.bytes() + self.topics.bytes() + self.raw.bytes();
        let indexes = indexes + self.vectors.bytes() + self.raw_vectors.bytes();
        size_of::<Self>() + memories + passages + turns + maps + indexes
    }
}

fn called(memories: &[Memory]) -> Option<String> {
    let names = |memory: &&Memory| {
        let key = &memory.topic_key;
        memory.status == fold::Status::Active && !memory.negated && (&*key.subject, &*key.attribute) == OWN_NAME
    };
    memories.iter().rev().find(names).map(|memory| memory.value.clone())
}

impl TurnName {
    fn of(turn: &Turn) -> Self {
        let meta = &turn.meta;
        let name = meta.name.clone().unwrap_or_else(|| meta.id.to_string());
        Self { name, at: meta.at.to_string(), at_ms: meta.at.ms() }
    }
}
