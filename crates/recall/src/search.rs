//! A search in one space: channels, fusion by rank, weights, what is not evidence enough, diversity.

use std::{cell::Cell, collections::BTreeSet};

use saidso_core::{decay::Standing, fault::Fault, fold::Memory, ids::SessionId, ports::Embedder, text::Language};

use crate::{
    Filter, Rule,
    cohort::{Background, Cohorts, stands_out},
    fitted,
    indexes::{Subject, Whom},
    kernel::Kernel,
    matrix::Near,
    people::People,
    query::Analysis,
    space::Space,
    standing::At,
    words::{Asked, Hit},
};

/// A question, ready to be searched with.
#[derive(Debug)]
pub struct Ask<'a> {
    /// Its words.
    pub analysis: &'a Analysis,
    /// Its vector, with its background among statements of each language the space has; none if vectors tell nothing.
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

/// A question's vector.
#[derive(Debug)]
pub struct Meaning<'a> {
    /// The unit vector.
    pub vector: &'a [f32],
    /// What unrelated statements' cosines with it are, by their language.
    pub backgrounds: Vec<(Language, Background)>,
    /// Per memory, what unrelated questions' cosines with it are.
    pub of_memories: &'a [Option<Background>],
    /// Below this cosine (of a language) a vector alone finds nothing.
    pub related: Vec<(Language, f32)>,
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
    let memories = memories(space, ask, &standings, &raw);
    let passages = passages(space, ask, &standings, &raw);
    let needed = |growth: f32, items: usize| fitted::FOUND + growth * (items.max(1) as f32).ln();
    let of_memories = needed(fitted::FOUND_GROWTH, space.memories.len());
    let of_passages = needed(fitted::FOUND_GROWTH_RAW, space.passages.len());
    if !memories.iter().any(|found| found.evidence >= of_memories)
        && !passages.iter().any(|found| found.evidence >= of_passages)
    {
        return Vec::new();
    }
    // What comes along with something convincing may be less so itself.
    let mut found: Vec<Found> = memories.into_iter().filter(|found| found.evidence >= fitted::RELATED).collect();
    found.extend(passages.into_iter().filter(|found| found.evidence >= of_passages - fitted::ALONG_RAW));
    found.retain(|found| follows(space, ask.rules, found.item));
    found.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.item.cmp(&b.item)));
    diverse(space, &found, ask.limit)
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

    let words = space.hits(ask.analysis);
    drafts.rank(words.iter().filter(|hit| stands(hit.document)).map(|hit| hit.document), fitted::WORDS);
    for Hit { document, covered, telling, .. } in words {
        let draft = drafts.of(document);
        (draft.covered, draft.telling) = (covered, telling);
    }
    drafts.rank(topical(space, ask.analysis).into_iter().filter(|index| stands(*index)), fitted::TOPIC);
    if let Some(meaning) = &ask.meaning {
        let near = space.matrix.nearest(Kernel::best(), meaning.vector);
        let stands_out = |near: &&Near| meaning.stands_out(space, near.owner, near.cosine).is_some_and(|by| by > 0.0);
        let outstanding = near.iter().filter(stands_out).filter(|near| stands(near.owner));
        drafts.rank(outstanding.map(|near| near.owner), fitted::VECTOR);
        for near in near {
            drafts.of(near.owner).cosine = Some(near.cosine);
        }
    }
    support(&mut drafts, space, raw);
    let asked_of = Whose::of(space, ask.analysis);
    let found = |index: u32| {
        let memory = &space.memories[index as usize];
        let draft = &drafts.all[index as usize];
        let evidence = evidence(space, ask, index, draft) + asked_of.speaks(space.people[index as usize], index);
        let score = weigh(draft.fused, evidence)
            * space.weight(memory, &standings.of(index), &ask.at, ask.session)
            * asked_of.weight(index);
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

fn passages(space: &Space, ask: &Ask<'_>, standings: &Standings<'_>, raw: &[Hit]) -> Vec<Found> {
    let found = |(rank, hit): (usize, &Hit)| {
        let mentioned = space.mentioned[hit.document as usize];
        let against = match (ask.analysis.people.unmet(mentioned), mentioned == People::NOBODY) {
            (false, _) => 0.0,
            (true, true) => fitted::UNMENTIONED,
            (true, false) => fitted::ANOTHER_PERSON,
        };
        let evidence = log_odds(hit.covered, fitted::NO_VECTOR) - against;
        let score = weigh(share(rank, fitted::RAW_ALONE), evidence);
        Found { item: Item::Passage(hit.document), score, evidence }
    };
    // What all the memories resting on it no longer say, their words do not say either.
    let holds = |hit: &Hit| {
        let mut rests = space.supported_by(&space.passages[hit.document as usize]).peekable();
        rests.peek().is_none() || rests.any(|memory| standings.stands(memory))
    };
    let passes = |hit: &Hit| ask.filter.passes_raw(space.turn_of(&space.passages[hit.document as usize]).at_ms);
    // Nothing but words speaks for a raw message, so one of them must be telling.
    raw.iter().enumerate().filter(|(_, hit)| hit.telling && passes(hit) && holds(hit)).map(found).collect()
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

impl<'a> Meaning<'a> {
    /// Of a question's vector, for the languages of a space.
    pub fn of(vector: &'a [f32], space: &'a Space, embedder: &dyn Embedder, cohorts: &Cohorts) -> Result<Self, Fault> {
        let calibration = embedder.calibration();
        let background = |language| Ok((language, cohorts.question(vector, language, embedder)?));
        let related = |language| (language, calibration.related.get(language) as f32 / 10_000.0);
        Ok(Self {
            vector,
            of_memories: space.backgrounds(embedder, cohorts)?,
            backgrounds: space.languages().map(background).collect::<Result<_, Fault>>()?,
            related: space.languages().map(related).collect(),
        })
    }

    /// How far a memory's cosine stands out; `None` if that says nothing.
    fn stands_out(&self, space: &Space, memory: u32, cosine: f32) -> Option<f32> {
        let language = space.memories[memory as usize].language;
        let (_, question) = self.backgrounds.iter().find(|(of, _)| *of == language)?;
        stands_out(cosine, *question, self.of_memories[memory as usize]?)
    }
}

/// Nothing but words speaks for what has no telling vector, so one of them must be telling.
fn evidence(space: &Space, ask: &Ask<'_>, index: u32, draft: &Draft) -> f32 {
    let measured = ask.meaning.as_ref().zip(draft.cosine);
    let stands_out = measured.and_then(|(meaning, cosine)| {
        let stands_out = meaning.stands_out(space, index, cosine)?;
        let language = space.memories[index as usize].language;
        let floor = meaning.related.iter().find(|(of, _)| *of == language).map_or(1.0, |(_, cosine)| *cosine);
        Some(if draft.covered == 0.0 && cosine < floor { f32::NEG_INFINITY } else { stands_out.clamp(-3.0, 6.0) })
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
    let mut among = vec![false; space.memories.len()];
    for found in found {
        if let Item::Memory(index) = found.item {
            among[index as usize] = true;
        }
    }
    let mut taken: Vec<Found> = Vec::with_capacity(limit);
    for candidate in found {
        if taken.len() == limit {
            break;
        }
        let repeats = match candidate.item {
            Item::Memory(index) => {
                let memory = &space.memories[index as usize];
                taken.iter().any(|taken| {
                    matches!(taken.item, Item::Memory(other)
                    if same(memory, &space.memories[other as usize]))
                })
            }
            // A memory that is found speaks for the words it rests on, wherever it ranks.
            Item::Passage(index) => {
                let passage = &space.passages[index as usize];
                space.supported_by(passage).any(|memory| among[memory as usize])
                    || taken.iter().any(|taken| {
                        matches!(taken.item, Item::Passage(other)
                        if space.passages[other as usize].text == passage.text)
                    })
            }
        };
        if !repeats {
            taken.push(*candidate);
        }
    }
    taken
}

/// Whether two memories say the same or rest on the same words.
fn same(a: &Memory, b: &Memory) -> bool {
    let says_the_same = a.topic_key.subject == b.topic_key.subject
        && a.topic_key.attribute == b.topic_key.attribute
        && (&a.value, a.negated, &a.qualifier) == (&b.value, b.negated, &b.qualifier);
    says_the_same
        || a.evidence.iter().any(|a| b.evidence.iter().any(|b| a.message == b.message && a.span.overlaps(b.span)))
}
