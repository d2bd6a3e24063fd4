//! A search in one space: channels, fusion by rank, weights, what is not evidence enough, diversity.

use std::{
    cell::Cell,
    collections::{BTreeSet, HashMap, HashSet},
};

use saidso_core::{decay::Standing, fold::Memory, ids::SessionId, text};

use crate::{
    Filter, Rule, fitted,
    indexes::{Subject, Whom},
    matrix::Near,
    meaning::{Meaning, Side},
    people::People,
    query::Analysis,
    space::Space,
    standing::At,
    term::Term,
    words::{Asked, Hit},
};

/// A question, ready to be searched with.
#[derive(Debug)]
pub struct Ask<'a> {
    /// Its words.
    pub analysis: &'a Analysis,
    /// Its vector; none if vectors tell nothing.
    pub meaning: Option<Meaning<'a>>,
    /// What no longer holds may come back.
    pub history: bool,
    /// Which memories may come back.
    pub filter: &'a Filter,
    /// What the words of every result must contain.
    pub rules: &'a [Rule],
    /// The session it is asked in.
    pub session: Option<SessionId>,
    /// When it is asked.
    pub at: At<'a>,
    /// Results at most.
    pub limit: usize,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// A memory, by index.
    Memory(u32),
    /// A raw passage, by index.
    Passage(u32),
}

/// A result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// What.
    pub item: Item,
    /// 0…1; 1 is first in every channel with every weight at its highest.
    pub score: f32,
    /// Log odds that it belongs to the question.
    pub evidence: f32,
}

/// A raw passage that was found.
struct Said {
    found: Found,
    /// Log odds by its meaning alone.
    meaning: f32,
}

/// What the channels say of one item.
#[derive(Debug, Clone, Copy, Default)]
struct Draft {
    fused: f32,
    covered: f32,
    telling: bool,
    cosine: Option<f32>,
    touched: bool,
    supported: bool,
}

/// A draft for every memory, and which of them some channel touched.
struct Drafts {
    all: Vec<Draft>,
    touched: Vec<u32>,
}

impl Drafts {
    fn new(memories: usize) -> Self {
        Self { all: vec![Draft::default(); memories], touched: Vec::new() }
    }

    fn of(&mut self, index: u32) -> &mut Draft {
        let draft = &mut self.all[index as usize];
        if !std::mem::replace(&mut draft.touched, true) {
            self.touched.push(index);
        }
        draft
    }

    /// Adds what words say: the ranking of those that count, and of all how well they fit.
    fn words(&mut self, hits: &[Hit], weight: f32, counts: impl Fn(u32) -> bool) {
        self.rank(hits.iter().map(|hit| hit.document).filter(|document| counts(*document)), weight);
        for Hit { document, covered, telling, .. } in hits {
            let draft = self.of(*document);
            (draft.covered, draft.telling) = (*covered, *telling);
        }
    }

    /// Adds what vectors say: the ranking of those that count and stand out, and of all how near they are.
    fn near(&mut self, meaning: &Meaning<'_>, side: &Side<'_>, weight: f32, counts: impl Fn(u32) -> bool) {
        let near = side.nearest(meaning);
        let stands_out = |near: &&Near| meaning.stands_out(side, near.owner, near.cosine).is_some_and(|by| by > 0.0);
        let outstanding = near.iter().filter(stands_out).map(|near| near.owner).filter(|owner| counts(*owner));
        self.rank(outstanding, weight);
        for near in near {
            self.of(near.owner).cosine = Some(near.cosine);
        }
    }

    /// Adds a channel's ranking.
    fn rank(&mut self, best_first: impl Iterator<Item = u32>, weight: f32) {
        for (rank, index) in best_first.enumerate() {
            self.of(index).fused += share(rank, weight);
        }
    }
}

/// How memories stand, each worked out once, and only if somebody asks.
struct Standings<'a> {
    space: &'a Space,
    ask: &'a Ask<'a>,
    known: Vec<Cell<Option<Standing>>>,
}

impl<'a> Standings<'a> {
    fn new(space: &'a Space, ask: &'a Ask<'a>) -> Self {
        Self { space, ask, known: vec![Cell::new(None); space.memories.len()] }
    }

    fn of(&self, index: u32) -> Standing {
        let known = &self.known[index as usize];
        known.get().unwrap_or_else(|| {
            let standing = self.ask.at.standing(self.space, index);
            known.set(Some(standing));
            standing
        })
    }

    /// What its place among the results is weighed by.
    fn weight(&self, memory: u32) -> f32 {
        let Ask { at, session, .. } = self.ask;
        self.space.weight(&self.space.memories[memory as usize], &self.of(memory), at, *session)
    }

    /// Whether the memory may come back at all.
    fn stands(&self, index: u32) -> bool {
        let Ask { at, filter, history, .. } = self.ask;
        let status = self.of(index).status;
        at.comes_back(self.space, index, status, *history || filter.of_history())
            && filter.passes(&self.space.memories[index as usize], status)
    }
}

/// The results, best first; none if nothing in the space is close enough.
pub fn search(space: &Space, ask: &Ask<'_>) -> Vec<Found> {
    let raw = space.raw.hits(&ask.analysis.asked);
    let standings = Standings::new(space, ask);
    let mut found = memories(space, ask, &standings, &raw);
    let passages = passages(space, ask, &standings, &raw);
    let needed = |growth: f32, items: usize| fitted::FOUND + growth * (items.max(1) as f32).ln();
    let of_memories = needed(fitted::FOUND_GROWTH, space.memories.len());
    let of_passages = needed(fitted::FOUND_GROWTH_RAW, space.passages.len());
    let by_words = needed(fitted::FOUND_GROWTH_RAW_WORDS, space.passages.len());
    let convinces = |said: &Said| said.found.evidence >= by_words || said.meaning >= of_passages;
    if !found.iter().any(|found| found.evidence >= of_memories) && !passages.iter().any(convinces) {
        return Vec::new();
    }
    let mut passages: Vec<Found> = passages.into_iter().map(|said| said.found).collect();
    // What comes along with something convincing may be less so itself.
    found.retain(|found| found.evidence >= fitted::RELATED);
    passages.retain(|found| found.evidence >= of_passages - fitted::ALONG_RAW);
    speak(space, &standings, &mut found, &mut passages);
    found.extend(passages);
    found.retain(|found| follows(space, ask.rules, found.item));
    found.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.item.cmp(&b.item)));
    diverse(space, &found, ask.limit)
}

/// The results of several questions: they take turns, the best of each first.
pub fn together(space: &Space, lists: &[Vec<Found>], limit: usize) -> Vec<Found> {
    if let [one] = lists {
        return one.clone();
    }
    let longest = lists.iter().map(Vec::len).max().unwrap_or_default();
    let turns: Vec<Found> =
        (0..longest).flat_map(|rank| lists.iter().filter_map(move |list| list.get(rank)).copied()).collect();
    diverse(space, &turns, limit)
}

/// Where a memory that rests on a raw message answers about as well, it takes the message's place, by its own weight.
fn speak(space: &Space, standings: &Standings<'_>, found: &mut [Found], passages: &mut Vec<Found>) {
    let mut places = vec![None; space.memories.len()];
    for (place, found) in found.iter().enumerate() {
        if let Item::Memory(index) = found.item {
            places[index as usize] = Some(place);
        }
    }
    passages.retain(|said| {
        let Item::Passage(index) = said.item else { return true };
        let rest = space.supported_by(&space.passages[index as usize]);
        let rest = rest.filter_map(|memory| Some((memory, places[memory as usize]?)));
        let rest = rest.filter(|(_, place)| found[*place].evidence >= said.evidence - fitted::SPEAKS_FOR);
        let Some((memory, place)) = rest.max_by(|(_, a), (_, b)| found[*a].evidence.total_cmp(&found[*b].evidence))
        else {
            return true;
        };
        let score = said.score * standings.weight(memory);
        found[place].score = found[place].score.max(score);
        false
    });
}

/// Whether a result's words follow the rules: its wording, or the customer's own.
fn follows(space: &Space, rules: &[Rule], item: Item) -> bool {
    let holds = |said: &[&str]| rules.iter().all(|rule| said.iter().any(|said| rule.holds(said)));
    match item {
        Item::Memory(index) => {
            let memory = &space.memories[index as usize];
            holds(&[&memory.text, memory.evidence.last().map_or("", |last| last.quote.as_str())])
        }
        Item::Passage(index) => holds(&[&space.passages[index as usize].text]),
    }
}

fn memories(space: &Space, ask: &Ask<'_>, standings: &Standings<'_>, raw: &[Hit]) -> Vec<Found> {
    let stands = |index: u32| standings.stands(index);
    let mut drafts = Drafts::new(space.memories.len());

    drafts.words(&space.hits(ask.analysis), fitted::WORDS, stands);
    drafts.rank(topical(space, ask.analysis).into_iter().filter(|index| stands(*index)), fitted::TOPIC);
    if let Some(meaning) = &ask.meaning {
        drafts.near(meaning, &meaning.memories, fitted::VECTOR, stands);
    }
    support(&mut drafts, space, raw);
    let asked_of = Whose::of(space, ask.analysis);
    let meaning = ask.meaning.as_ref().map(|meaning| (meaning, &meaning.memories));
    let found = |index: u32| {
        let draft = &drafts.all[index as usize];
        let evidence = evidence(meaning, index, draft) + asked_of.speaks(space.people[index as usize], index);
        let score = weigh(draft.fused, evidence) * standings.weight(index) * asked_of.weight(index);
        Found { item: Item::Memory(index), score, evidence }
    };
    drafts.touched.iter().copied().filter(|index| stands(*index)).map(found).collect()
}

/// A raw passage adds its rank to the memories that rest on it, if other channels found them.
fn support(drafts: &mut Drafts, space: &Space, raw: &[Hit]) {
    for (rank, hit) in raw.iter().enumerate() {
        for index in space.supported_by(&space.passages[hit.document as usize]) {
            let draft = &mut drafts.all[index as usize];
            if draft.touched && !std::mem::replace(&mut draft.supported, true) {
                draft.fused += share(rank, fitted::RAW);
            }
        }
    }
}

fn passages(space: &Space, ask: &Ask<'_>, standings: &Standings<'_>, raw: &[Hit]) -> Vec<Said> {
    let unrejected = |index: u32| space.unrejected(&space.passages[index as usize], ask.history);
    let passes = |index: u32| {
        let asked_for = ask.filter.passes_raw(space.turn_of(index).at_ms);
        asked_for && !faded(space, standings, index) && unrejected(index) > 0.0
    };
    let mut drafts = Drafts::new(space.passages.len());
    drafts.words(raw, fitted::RAW_WORDS, passes);
    if let Some(meaning) = &ask.meaning {
        drafts.near(meaning, &meaning.passages, fitted::RAW_VECTOR, passes);
    }
    let meaning = ask.meaning.as_ref().map(|meaning| (meaning, &meaning.passages));
    let found = |index: u32| {
        let mentioned = space.mentioned[index as usize];
        let against = match (ask.analysis.people.unmet(mentioned), mentioned == People::NOBODY) {
            (false, _) => 0.0,
            (true, true) => fitted::UNMENTIONED,
            (true, false) => fitted::ANOTHER_PERSON,
        };
        let draft = &drafts.all[index as usize];
        let evidence = evidence(meaning, index, draft) - against;
        let score = weigh(draft.fused, evidence) * unrejected(index);
        let found = Found { item: Item::Passage(index), score, evidence };
        Said { found, meaning: evidence - fitted::COVERED * draft.covered }
    };
    let mut all: Vec<Said> = drafts.touched.iter().copied().filter(|index| passes(*index)).map(found).collect();
    lift(space, &mut all);
    hop(space, ask, &mut all);
    all
}

/// What is asked of a thing that the question only describes ("how long is the course that has 40 places?"): the best
/// message names the thing, and others say of it what the best does not cover.
fn hop(space: &Space, ask: &Ask<'_>, passages: &mut [Said]) {
    if space.passages.len() > fitted::HOP_MOST {
        return;
    }
    let Some(best) = passages.iter().map(|said| said.found).max_by(|a, b| a.score.total_cmp(&b.score)) else { return };
    let Item::Passage(first) = best.item else { return };
    let content = text::content(&space.passages[first as usize].text);
    let terms: BTreeSet<Term> = content.iter().map(|stem| Term::of(stem)).collect();
    let as_asked = |term: Term| Asked { term, content: true };
    let asked = &ask.analysis.content;
    let rest: Vec<Asked> = asked.iter().copied().filter(|term| !terms.contains(term)).map(as_asked).collect();
    let thing = terms.into_iter().filter(|term| term.telling() && asked.binary_search(term).is_err());
    let thing: Vec<Asked> = thing.map(as_asked).collect();
    if rest.is_empty() || thing.is_empty() {
        return;
    }
    let of_rest: HashSet<u32> = space.raw.hits(&rest).iter().map(|hit| hit.document).collect();
    let named = space.raw.hits(&thing);
    let gained: HashMap<u32, f32> = named
        .iter()
        .filter(|hit| hit.covered >= 0.5 && hit.document != first && of_rest.contains(&hit.document))
        .enumerate()
        .map(|(rank, hit)| (hit.document, weigh(share(rank, fitted::HOP), best.evidence)))
        .collect();
    for Said { found, .. } in passages {
        if let Item::Passage(index) = found.item
            && let Some(gain) = gained.get(&index)
        {
            found.score += gain;
            found.evidence = found.evidence.max(best.evidence - fitted::ANSWERS_TOO);
        }
    }
}

/// What was said just before or after something that fits is likely about it.
fn lift(space: &Space, passages: &mut [Said]) {
    let mut own = vec![0.0; space.passages.len()];
    for Said { found, .. } in passages.iter() {
        if let Item::Passage(index) = found.item {
            own[index as usize] = found.score;
        }
    }
    for Said { found, .. } in passages {
        let Item::Passage(index) = found.item else { continue };
        let near = |other: u32| {
            let apart = space.turn_of(index).at_ms - space.turn_of(other).at_ms;
            if apart.abs() <= fitted::NEIGHBOUR_MS { own[other as usize] } else { 0.0 }
        };
        let before = index.checked_sub(1).map_or(0.0, near);
        let after = if index as usize + 1 < own.len() { near(index + 1) } else { 0.0 };
        found.score += fitted::NEIGHBOUR * f32::max(before, after);
    }
}

/// Whether most of a raw message is what memories said that have faded since: it does not bring them back.
fn faded(space: &Space, standings: &Standings<'_>, passage: u32) -> bool {
    let said = &space.passages[passage as usize];
    let mut gone = 0;
    for (span, memory) in space.supports_of(said) {
        if standings.stands(memory) {
            return false;
        }
        gone += span.end.min(said.span.end) - span.start.max(said.span.start);
    }
    2 * gone >= said.span.end - said.span.start && gone > 0
}

/// Memories whose attribute the question names, the best agreement first.
fn topical(space: &Space, analysis: &Analysis) -> Vec<u32> {
    let content: Vec<Asked> = analysis.asked.iter().copied().filter(|asked| asked.content).collect();
    let mut hits = space.topics.hits(&content);
    hits.retain(|hit| hit.exhausted > 0.5);
    hits.sort_by(|a, b| (b.exhausted * b.covered).total_cmp(&(a.exhausted * a.covered)));
    hits.into_iter().map(|hit| hit.document).collect()
}

/// Whose memory is asked for: the customer's unless the question names somebody else.
struct Whose<'a> {
    /// Memories about subjects of the space that the question names.
    named: Vec<&'a BTreeSet<u32>>,
    others: &'a [Subject],
    people: People,
}

impl<'a> Whose<'a> {
    fn of(space: &'a Space, analysis: &Analysis) -> Self {
        let names = |subject: &&Subject| subject.terms.iter().all(|term| analysis.content.binary_search(term).is_ok());
        let named = space.subjects.iter().filter(names).map(|subject| &subject.memories).collect();
        Self { named, others: &space.subjects, people: analysis.people }
    }

    fn named(&self, memory: u32) -> bool {
        self.named.iter().any(|memories| memories.contains(&memory))
    }

    fn weight(&self, memory: u32) -> f32 {
        let of_another = || self.others.iter().any(|subject| subject.memories.contains(&memory));
        let fits = self.named(memory) || (self.named.is_empty() && !of_another());
        if fits { 1.0 } else { fitted::ANOTHER_SUBJECT }
    }

    /// Log odds for or against a memory because of whom it is about.
    fn speaks(&self, whom: Whom, memory: u32) -> f32 {
        if whom.about.meet(self.people) {
            fitted::THE_PERSON
        } else if self.named(memory) {
            0.0
        } else if whom.about == People::NOBODY {
            if self.people.unmet(whom.mentioned) { -fitted::UNMENTIONED } else { 0.0 }
        } else if self.people == People::NOBODY {
            -fitted::NOT_ASKED_FOR
        } else {
            -fitted::ANOTHER_PERSON
        }
    }
}

/// What fusion gives an item that is first in every channel.
const FUSED_MOST: f32 = (fitted::WORDS + fitted::TOPIC + fitted::VECTOR + fitted::RAW) / fitted::RANK_OFFSET;

/// What the ranks come to, 0…1, by how likely the item belongs to the question at all.
fn weigh(fused: f32, evidence: f32) -> f32 {
    fused / FUSED_MOST / (1.0 + (fitted::DOUBT - evidence).exp())
}

fn share(rank: usize, weight: f32) -> f32 {
    weight / (fitted::RANK_OFFSET + rank as f32)
}

/// Nothing but words speaks for what has no telling vector, so one of them must be telling.
fn evidence(meaning: Option<(&Meaning<'_>, &Side<'_>)>, index: u32, draft: &Draft) -> f32 {
    let stands_out = meaning.zip(draft.cosine).and_then(|((meaning, side), cosine)| {
        let stands_out = meaning.stands_out(side, index, cosine)?;
        let alone = draft.covered == 0.0 && cosine < meaning.related(side, index);
        Some(if alone { f32::NEG_INFINITY } else { stands_out.clamp(-3.0, 6.0) })
    });
    match stands_out {
        Some(stands_out) => log_odds(draft.covered, stands_out),
        None if draft.telling => log_odds(draft.covered, fitted::NO_VECTOR),
        None => f32::NEG_INFINITY,
    }
}

fn log_odds(covered: f32, stands_out: f32) -> f32 {
    fitted::COVERED * covered + fitted::MEANING * stands_out - fitted::UNRELATED
}

/// Takes the best that say something else than those taken before: another topic key or value, other words.
fn diverse(space: &Space, found: &[Found], limit: usize) -> Vec<Found> {
    let mut taken: Vec<Found> = Vec::with_capacity(limit);
    for candidate in found {
        if taken.len() == limit {
            break;
        }
        if !taken.iter().any(|taken| repeats(space, taken.item, candidate.item)) {
            taken.push(*candidate);
        }
    }
    taken
}

/// Whether two results say the same or rest on the same words.
fn repeats(space: &Space, a: Item, b: Item) -> bool {
    let (memory, passage) = (|index| &space.memories[index as usize], |index| &space.passages[index as usize]);
    match (a, b) {
        (Item::Memory(a), Item::Memory(b)) => same(memory(a), memory(b)),
        (Item::Passage(a), Item::Passage(b)) => passage(a).text == passage(b).text,
        (Item::Memory(of), Item::Passage(on)) | (Item::Passage(on), Item::Memory(of)) => {
            space.supported_by(passage(on)).any(|memory| memory == of)
        }
    }
}

/// Whether two memories say the same or rest on the same words.
fn same(a: &Memory, b: &Memory) -> bool {
    let says_the_same = a.topic_key.subject == b.topic_key.subject
        && a.topic_key.attribute == b.topic_key.attribute
        && (&a.value, a.negated, &a.qualifier) == (&b.value, b.negated, &b.qualifier);
    says_the_same
        || a.evidence.iter().any(|a| b.evidence.iter().any(|b| a.message == b.message && a.span.overlaps(b.span)))
}
