//! What is promised, as plainly as it can be said: a space's memories follow from what was said and not forgotten, in the
//! order in which it was said. Everything is worked out anew whenever it is asked for, in one pass over all of it.

use std::collections::{BTreeMap, BTreeSet};

use saidso_core::{item::Kind, limits, position::Position, turn::SubmittedTurn};
use saidso_pipeline::Receipt;

use super::phrases::{Claim, Phrase};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// A message by where it was told first: the turn, and the place among its messages. A message that is sent again in
/// another turn is the same one.
pub type MessageKey = (usize, usize);

/// One thing a customer said in one turn: the turn, the message, the sentence and the kind.
pub type Key = (usize, usize, usize, Kind);

/// A message of a customer.
#[derive(Debug, Clone)]
pub struct Message {
    /// Which it is, if it was told before.
    pub again: Option<MessageKey>,
    /// Its sentences.
    pub phrases: Vec<&'static Phrase>,
}

/// What a customer says in a turn.
#[derive(Debug, Clone)]
pub struct Said {
    /// When, in milliseconds since 1970; of a space, every turn at another time.
    pub at_ms: i64,
    /// The session's name.
    pub session: String,
    /// The customer's messages.
    pub messages: Vec<Message>,
    /// What was recalled for it.
    pub recalled: Vec<Key>,
    /// No extractor takes it.
    pub poisoned: bool,
}

/// A turn that was taken.
#[derive(Debug, Clone)]
pub struct Told {
    /// As it was sent.
    pub submitted: SubmittedTurn,
    /// What it says.
    pub said: Said,
    /// What was answered when it was taken first.
    pub receipt: Receipt,
}

/// A memory as it is to be shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shown {
    /// When it was first said.
    pub first_ms: i64,
    /// What sort.
    pub kind: Kind,
    /// The words it rests on: the first, then the newest.
    pub quotes: Vec<String>,
    /// How often it was said.
    pub mentions: u32,
    /// The first words of the memory that took its place, and when it ended.
    pub replaced: Option<(String, i64)>,
    /// It is a task whose session is over.
    pub ended: bool,
}

/// Something said that was not forgotten.
#[derive(Debug, Clone, Copy)]
struct Utterance<'a> {
    key: Key,
    said: &'a Said,
    message: MessageKey,
    phrase: &'static Phrase,
    claim: &'static Claim,
}

impl Utterance<'_> {
    fn sentence(&self) -> (MessageKey, usize) {
        (self.message, self.key.2)
    }

    /// Whether the two are the same words of the same message.
    fn repeats(&self, other: &Self) -> bool {
        self.sentence() == other.sentence() && self.claim.kind == other.claim.kind
    }

    /// Whether this is one more mention of a memory, of which `newest` is the last.
    fn joins(&self, newest: &Self) -> bool {
        self.claim.same(newest.claim)
            && match self.claim.kind {
                Kind::Event => self.said.at_ms - newest.said.at_ms <= DAY_MS,
                Kind::Task => self.said.session == newest.said.session,
                Kind::Fact | Kind::Topic | Kind::Instruction | Kind::Confirmation => true,
            }
    }
}

/// A memory in the making.
struct Memory<'a> {
    mentions: Vec<Utterance<'a>>,
    /// What adds no mention: a message sent again, words that only say a recalled memory back.
    others: Vec<Utterance<'a>>,
    /// The first words of the memory that took its place, and when that was stated.
    replaced: Option<(&'static str, i64)>,
}

impl<'a> Memory<'a> {
    fn all(&self) -> impl Iterator<Item = &Utterance<'a>> {
        self.mentions.iter().chain(&self.others)
    }

    fn holds(&self, key: &Key) -> bool {
        self.all().any(|one| one.key == *key)
    }

    fn newest(&self) -> &Utterance<'a> {
        self.mentions.last().expect("a memory begins with a mention")
    }
}

/// What is promised of one space.
#[derive(Debug, Default)]
pub struct Space {
    /// The turns taken, in the order of their positions.
    pub told: Vec<Told>,
    /// The last position of a turn or command.
    pub last: Option<Position>,
    /// Statements that are forgotten if they were said no later.
    statements: Vec<(&'static Claim, i64)>,
    /// Sentences that are forgotten.
    words: BTreeSet<(MessageKey, usize)>,
    /// When sessions ended.
    ended: BTreeMap<String, i64>,
}

impl Space {
    /// A turn was taken.
    pub fn tell(&mut self, told: Told) {
        self.stands_at(told.receipt.position);
        self.told.push(told);
    }

    /// A turn or command stands at a position.
    pub fn stands_at(&mut self, position: Position) {
        self.last = self.last.max(Some(position));
    }

    /// A session is over; the latest end counts.
    pub fn end(&mut self, session: &str, at_ms: i64) {
        let end = self.ended.entry(session.to_owned()).or_insert(at_ms);
        *end = at_ms.max(*end);
    }

    /// Has the memory forgotten that something said belongs to: its words wherever they are sent again, and its
    /// statements as far as they were said by then.
    pub fn forget(&mut self, key: &Key, at_ms: i64) {
        let memories = self.memories();
        let memory = memories.iter().find(|memory| memory.holds(key)).expect("only what stands is forgotten");
        let gone: Vec<_> = memory.all().map(|one| (one.claim, one.sentence())).collect();
        for (claim, sentence) in gone {
            self.statements.push((claim, at_ms));
            self.words.insert(sentence);
        }
    }

    /// What was said and is not forgotten.
    pub fn standing(&self) -> BTreeSet<Key> {
        self.remembered().map(|one| one.key).collect()
    }

    /// The memories, by when they were first said and what sort they are.
    pub fn shown(&self) -> Vec<Shown> {
        let mut shown: Vec<Shown> = self.memories().iter().map(|memory| self.show(memory)).collect();
        shown.sort();
        shown
    }

    /// The customer's messages of a turn, without the words of what is forgotten.
    pub fn texts(&self, turn: usize) -> Vec<String> {
        let forgotten = self.utterances().filter(|one| one.key.0 == turn && self.forgets(one));
        let blank: BTreeSet<(usize, usize)> = forgotten.map(|one| (one.key.1, one.key.2)).collect();
        let text = |(place, message): (usize, &Message)| {
            let sentences = message.phrases.iter().enumerate().map(|(at, phrase)| match blank.contains(&(place, at)) {
                true => " ".repeat(phrase.words.len()) + phrase.close,
                false => phrase.text(),
            });
            sentences.collect::<Vec<_>>().join(" ")
        };
        self.told[turn].said.messages.iter().enumerate().map(text).collect()
    }

    /// Everything that was ever said, turns that no extractor takes aside.
    fn utterances(&self) -> impl Iterator<Item = Utterance<'_>> {
        let turns = self.told.iter().enumerate().filter(|(_, told)| !told.said.poisoned);
        turns.flat_map(|(turn, Told { said, .. })| {
            let sentences = said.messages.iter().enumerate().flat_map(|(place, message)| {
                message.phrases.iter().enumerate().map(move |(at, phrase)| (place, message, at, *phrase))
            });
            sentences.flat_map(move |(place, message, at, phrase)| {
                phrase.claims.iter().map(move |claim| Utterance {
                    key: (turn, place, at, claim.kind),
                    said,
                    message: message.again.unwrap_or((turn, place)),
                    phrase,
                    claim,
                })
            })
        })
    }

    fn forgets(&self, one: &Utterance<'_>) -> bool {
        // What else rests on the same words would show them.
        let stated = |(claim, until_ms): &(&Claim, i64)| {
            one.phrase.claims.iter().any(|of_it| claim.states(of_it)) && one.said.at_ms <= *until_ms
        };
        self.words.contains(&one.sentence()) || self.statements.iter().any(stated)
    }

    fn remembered(&self) -> impl Iterator<Item = Utterance<'_>> {
        self.utterances().filter(|one| !self.forgets(one))
    }

    fn memories<'a>(&'a self) -> Vec<Memory<'a>> {
        let mut order: Vec<Utterance<'a>> = self.remembered().collect();
        order.sort_by_key(|one| (one.said.at_ms, one.key));
        let mut memories: Vec<Memory<'a>> = Vec::new();
        let stands = |memory: &Memory<'_>| memory.replaced.is_none();
        // A change ends what it speaks of, also where it says again what stands already.
        let end = |memories: &mut Vec<Memory<'a>>, one: &Utterance<'a>, same: Option<usize>| {
            let first = same.map_or(one.phrase, |at| memories[at].mentions[0].phrase).words;
            let others = memories.iter_mut().enumerate().filter(|(at, _)| Some(*at) != same);
            let ended = others.filter(|(_, memory)| stands(memory) && one.claim.ends(memory.newest().claim));
            ended.for_each(|(_, memory)| memory.replaced = Some((first, one.said.at_ms)));
        };
        for one in order {
            let recalled = |memory: &Memory<'_>| one.said.recalled.iter().any(|key| memory.holds(key));
            let find = |which: &dyn Fn(&Memory<'_>) -> bool| memories.iter().position(which);
            let other = find(&|memory| memory.all().any(|old| one.repeats(old))).or_else(|| {
                find(&|memory| stands(memory) && recalled(memory) && one.claim.agrees(memory.newest().claim))
            });
            if let Some(at) = other {
                memories[at].others.push(one);
            } else if let Some(at) = find(&|memory| stands(memory) && one.joins(memory.newest())) {
                end(&mut memories, &one, Some(at));
                memories[at].mentions.push(one);
            } else {
                end(&mut memories, &one, None);
                memories.push(Memory { mentions: vec![one], others: Vec::new(), replaced: None });
            }
        }
        memories
    }

    fn show(&self, memory: &Memory<'_>) -> Shown {
        let newest = memory.newest();
        let left_out = memory.mentions.len().saturating_sub(limits::MEMORY_EVIDENCE);
        let listed = memory.mentions.iter().enumerate().filter(|(at, _)| *at == 0 || *at > left_out);
        let ended = self.ended.get(&newest.said.session).is_some_and(|end| *end >= newest.said.at_ms);
        Shown {
            first_ms: memory.mentions[0].said.at_ms,
            kind: newest.claim.kind,
            quotes: listed.map(|(_, one)| one.phrase.words.to_owned()).collect(),
            mentions: memory.mentions.len() as u32,
            replaced: memory.replaced.map(|(words, at_ms)| (words.to_owned(), at_ms)),
            ended: newest.claim.kind == Kind::Task && ended,
        }
    }
}
