//! What is promised, as plainly as it can be said: a space's memories follow from what was said and not forgotten, in the
//! order in which it was said. Everything is worked out anew whenever it is asked for, in one pass over all of it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use saidso_core::{item::Kind, limits, position::Position, text::Language, time::Moment, turn::SubmittedTurn, when};
use saidso_pipeline::Receipt;

use super::phrases::{Claim, Exclusion, Phrase};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Two values of one thing are a conflict if no more than so many days lie between them.
const CONFLICT_DAYS: i64 = 30;

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
    /// How it ended.
    pub replaced: Option<Replaced>,
    /// The first words of those it is in conflict with.
    pub rivals: Vec<String>,
    /// When it was last confirmed without being said again.
    pub verified_ms: Option<i64>,
    /// It is a task whose session is over.
    pub ended: bool,
}

/// How a memory ended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Replaced {
    /// The first words of the memory that took its place.
    pub by: String,
    /// When.
    pub at_ms: i64,
    /// Without a word of a change.
    pub archived: bool,
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
                Kind::Event => self.same_time(newest),
                Kind::Task => self.said.session == newest.said.session,
                Kind::Fact | Kind::Topic | Kind::Instruction | Kind::Confirmation => true,
            }
    }

    /// Whether this adds nothing to what was recalled for it; of an event, no time either.
    fn says_back(&self, recalled: &Self) -> bool {
        let known = |time: (i64, i64)| recalled.time().is_some_and(|other| meet(time, other));
        self.claim.says_back(recalled.claim) && (self.claim.kind != Kind::Event || self.time().is_none_or(known))
    }

    /// Two tellings of an event: by the time it had, if both name one; else they, or one and the time that the other
    /// names, lie within a day.
    fn same_time(&self, other: &Self) -> bool {
        let near = |(from, to): (i64, i64), at: i64| from - DAY_MS <= at && at <= to + DAY_MS;
        let (told, told_other) = (self.said.at_ms, other.said.at_ms);
        match (self.time(), other.time()) {
            (Some(one), Some(other)) => meet(one, other),
            (one, other) => {
                (told - told_other).abs() <= DAY_MS
                    || one.is_some_and(|time| near(time, told_other))
                    || other.is_some_and(|time| near(time, told))
            }
        }
    }

    /// The time that the words name; no sentence of ours names two.
    fn time(&self) -> Option<(i64, i64)> {
        let at = Timestamp::from_millisecond(self.said.at_ms).expect("the time is in range").to_string();
        let at = Moment::parse(&at, None).expect("it is a time with an offset");
        let times = when::times(self.phrase.words, Language::of(self.phrase.words), &at);
        times.first().map(|time| (time.from_ms, time.to_ms))
    }

    /// Whether both stand in one message of one turn.
    fn in_message_of(&self, other: &Self) -> bool {
        (self.key.0, self.key.1) == (other.key.0, other.key.1)
    }
}

/// A memory in the making.
struct Memory<'a> {
    mentions: Vec<Utterance<'a>>,
    /// What adds no mention: a message sent again, words that only say a recalled memory back.
    others: Vec<Utterance<'a>>,
    /// The memory that took its place, by when it began, when that was stated, and whether without a word of a change.
    replaced: Option<(usize, i64, bool)>,
    /// Those it is in conflict with, and those it may stand beside.
    rivals: BTreeSet<usize>,
    allies: BTreeSet<usize>,
    verified_ms: Option<i64>,
}

/// What becomes of a memory when something else is said of the same thing.
enum Fate {
    Ends {
        archived: bool,
    },
    Stands,
    Open,
    /// The message goes on to speak of it.
    Later,
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

    fn stands(&self) -> bool {
        self.replaced.is_none()
    }

    fn last_ms(&self) -> i64 {
        self.newest().said.at_ms.max(self.verified_ms.unwrap_or(i64::MIN))
    }

    fn recalled_for(&self, one: &Utterance<'_>) -> bool {
        // A copy is known from when it was sent on.
        let known = |old: &&Utterance<'_>| (old.said.at_ms, old.key) < (one.said.at_ms, one.key);
        let mut known = self.all().filter(known);
        self.stands() && known.any(|old| one.said.recalled.contains(&old.key))
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
        let memories = self.memories();
        let mut shown: Vec<Shown> = memories.iter().map(|memory| self.show(memory, &memories)).collect();
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
        // What is sent again says nothing twice.
        let mut new: Vec<Utterance<'a>> = Vec::new();
        let mut again: Vec<Utterance<'a>> = Vec::new();
        for one in order {
            let known = new.iter().any(|old| one.repeats(old));
            if known { &mut again } else { &mut new }.push(one);
        }
        for (at, one) in new.iter().enumerate() {
            let find = |which: &dyn Fn(&Memory<'_>) -> bool| memories.iter().position(which);
            let echoed = find(&|memory| memory.recalled_for(one) && one.says_back(memory.newest()));
            let same = echoed.or_else(|| find(&|memory| memory.stands() && one.joins(memory.newest())));
            let fates: Vec<(usize, Fate)> = (0..memories.len())
                .filter(|other| Some(*other) != same && memories[*other].stands())
                // What is only said back can but settle a conflict.
                .filter(|other| echoed.is_none_or(|echoed| memories[echoed].rivals.contains(other)))
                .filter_map(|other| {
                    Some((other, fate(one, &new[..at], &new[at + 1..], &memories, same, echoed.is_some(), other)?))
                })
                .collect();
            let place = same.unwrap_or(memories.len());
            if let Some(memory) = echoed.map(|echoed| &mut memories[echoed]) {
                memory.others.push(*one);
                memory.verified_ms = if memory.rivals.is_empty() { memory.verified_ms } else { Some(one.said.at_ms) };
            } else if let Some(same) = same {
                memories[same].mentions.push(*one);
            } else {
                memories.push(Memory {
                    mentions: vec![*one],
                    others: Vec::new(),
                    replaced: None,
                    rivals: BTreeSet::new(),
                    allies: BTreeSet::new(),
                    verified_ms: None,
                });
            }
            // Whoever names a copy of it means it.
            memories[place].others.extend(again.iter().filter(|copy| copy.repeats(one)).copied());
            for (other, fate) in fates {
                let part = |memories: &mut Vec<Memory<'a>>| {
                    memories[place].rivals.remove(&other);
                    memories[other].rivals.remove(&place);
                };
                match fate {
                    Fate::Ends { archived } => {
                        memories.iter_mut().for_each(|memory| _ = memory.rivals.remove(&other));
                        memories[other].rivals.clear();
                        memories[other].replaced = Some((place, one.said.at_ms, archived));
                    }
                    Fate::Stands => {
                        part(&mut memories);
                        memories[place].allies.insert(other);
                        memories[other].allies.insert(place);
                    }
                    Fate::Open => {
                        memories[place].rivals.insert(other);
                        memories[other].rivals.insert(place);
                    }
                    Fate::Later => {}
                }
            }
        }
        memories
    }

    fn show(&self, memory: &Memory<'_>, all: &[Memory<'_>]) -> Shown {
        let newest = memory.newest();
        let first_words = |place: usize| all[place].mentions[0].phrase.words.to_owned();
        let ended = self.ended.get(&newest.said.session).is_some_and(|end| *end >= newest.said.at_ms);
        let mut rivals: Vec<String> = memory.rivals.iter().copied().map(first_words).collect();
        rivals.sort();
        Shown {
            first_ms: memory.mentions[0].said.at_ms,
            kind: newest.claim.kind,
            quotes: listed(&memory.mentions),
            mentions: memory.mentions.len() as u32,
            replaced: memory.replaced.map(|(by, at_ms, archived)| Replaced { by: first_words(by), at_ms, archived }),
            rivals,
            verified_ms: memory.verified_ms,
            ended: newest.claim.kind == Kind::Task && ended,
        }
    }
}

/// What becomes of the standing memory `other` when `one` is said, which goes into `same` or begins a memory; `None` if the
/// two have nothing to do with each other. In this order: a change or the opposite ends it; two values in one message are
/// both meant; so are two that once were; an answer after a conflict was recalled settles it; long after, the later wins;
/// else it is open.
fn fate(
    one: &Utterance<'_>,
    before: &[Utterance<'_>],
    after: &[Utterance<'_>],
    memories: &[Memory<'_>],
    same: Option<usize>,
    echo: bool,
    other: usize,
) -> Option<Fate> {
    let old = &memories[other];
    let says_old = |beside: &&Utterance<'_>| beside.in_message_of(one) && beside.claim.same(old.newest().claim);
    // What is said back may leave out what tells the two apart.
    let exclusion = one.claim.excludes(old.newest().claim).or(echo.then_some(Exclusion::Values))?;
    if exclusion == Exclusion::Opposite || one.claim.changed {
        return Some(Fate::Ends { archived: false });
    }
    if let Some(beside) = after.iter().find(says_old) {
        return Some(if beside.claim.changed { Fate::Later } else { Fate::Stands });
    }
    if same.is_some_and(|same| old.allies.contains(&same)) || before.iter().any(|beside| says_old(&beside)) {
        return Some(Fate::Stands);
    }
    if let Some(same) = same.filter(|same| old.rivals.contains(same)) {
        let conflict = memories[same].rivals.iter().chain([&same]);
        if conflict.into_iter().any(|place| memories[*place].recalled_for(one)) {
            return Some(Fate::Ends { archived: false });
        }
    }
    let apart = one.said.at_ms - old.last_ms();
    Some(if apart > CONFLICT_DAYS * DAY_MS { Fate::Ends { archived: true } } else { Fate::Open })
}

/// The words that are listed: all of few; of many the first, and the newest, different ones before repeated ones.
fn listed(mentions: &[Utterance<'_>]) -> Vec<String> {
    let words = |at: &usize| mentions[*at].phrase.words;
    let newest_first: Vec<usize> = (1..mentions.len()).rev().collect();
    let new = |at: &&usize| !newest_first.iter().take_while(|newer| *newer > at).any(|newer| words(newer) == words(at));
    let different = newest_first.iter().filter(new);
    let repeated = newest_first.iter().filter(|at| !new(at));
    let mut chosen: Vec<usize> =
        [0].iter().chain(different).chain(repeated).copied().take(limits::MEMORY_EVIDENCE).collect();
    chosen.sort_unstable();
    chosen.iter().map(|at| words(at).to_owned()).collect()
}

/// Whether two stretches of time share an instant.
fn meet(one: (i64, i64), other: (i64, i64)) -> bool {
    one.0 < other.1 && other.0 < one.1
}
