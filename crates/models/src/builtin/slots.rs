//! Where an item belongs when the tenant names slots: by what it is about first, and by its likeness to the slots'
//! meanings where that does not say. What fits none is dropped, not bent to fit.

use std::{collections::BTreeSet, sync::Arc};

use saidso_core::{
    fault::Fault,
    item::{Candidate, Drop, DropReason, Extraction, Kind, Stated, TopicKey},
    ports::{Embedder, Purpose},
    slots::{Conflict, Slot, SlotSchema},
    text::{self, Language},
    vector::Vector,
};

/// Statements per turn that the embedder is asked about.
const ASKED_PER_TURN: usize = 4;

/// How much nearer than anything else a slot must be, in ten-thousandths of cosine. Cosines of sentence embedders
/// crowd together and shift with the language, so only differences decide.
const MARGIN: i32 = 100;

/// What is no slot's business: a statement nearer to one of these than to any slot fits none.
const ELSEWHERE: [&str; 6] = [
    "small talk, greetings and thanks",
    "the customer's family, friends and pets",
    "the customer's hobbies, sports, music and films",
    "food, drink and recipes",
    "health, illness and the body",
    "travel, holidays and the weather",
];

/// What the attributes of the rules are about, in the words a slot's meaning would use.
const THEMES: [(&str, &str); 48] = [
    ("opinion", "preference likes dislikes"),
    ("home city", "region city country"),
    ("work place", "region city"),
    ("location", "region city country"),
    ("origin", "origin country"),
    ("occupation", "role job position"),
    ("responsibility", "role responsibility"),
    ("industry", "industry business"),
    ("business", "industry business"),
    ("database", "technology database tech"),
    ("operating system", "technology system tech"),
    ("cloud", "technology cloud tech"),
    ("programming language", "technology programming tech"),
    ("framework", "technology framework tech"),
    ("message broker", "technology broker tech"),
    ("container platform", "technology platform tech"),
    ("version control", "technology tech"),
    ("ci system", "technology tech"),
    ("web server", "technology server tech"),
    ("cache", "technology tech"),
    ("search engine", "technology tech"),
    ("browser", "technology browser tech"),
    ("monitoring", "technology tech"),
    ("crm", "product tool"),
    ("chat tool", "product tool"),
    ("uses", "product tool"),
    ("plan", "product plan edition"),
    ("edition", "product edition"),
    ("deployment", "deployment deployed"),
    ("contract", "contract subscription renewal"),
    ("billing", "contract billing"),
    ("renewal", "contract renewal"),
    ("issue", "issue problem error"),
    ("module", "module feature"),
    ("answers", "comm style answered"),
    ("health", "health illness"),
    ("diet", "diet food"),
    ("pet", "pet animal"),
    ("children", "family children"),
    ("sons", "family children"),
    ("daughters", "family children"),
    ("household size", "family household"),
    ("budget", "budget money"),
    ("backend", "technology tech"),
    ("frontend", "technology tech"),
    ("field of work", "industry business"),
    ("timezone", "region country"),
    ("favorite", "preference likes"),
];

/// What a habit, or something used, is about by the words of its value: stems, and in Chinese characters.
const THINGS: [(&str, &[&str]); 2] = [
    ("module feature", &["modul", "featur", "модул", "функц", "模块", "功能"]),
    ("deployment deployed", &["premis", "on-prem", "self-host", "私有化"]),
];

/// A tenant's slots, ready to compare with.
pub(super) struct Fitting {
    schema: SlotSchema,
    /// Per slot: the stems of its name, and of its name and meaning.
    words: Vec<(BTreeSet<String>, BTreeSet<String>)>,
    model: Option<Meanings>,
}

/// The slots' meanings as vectors.
struct Meanings {
    embedder: Arc<dyn Embedder>,
    slots: Vec<Vector>,
    elsewhere: Vec<Vector>,
}

impl Fitting {
    /// Prepares the slots; asks the embedder, if there is one, once.
    pub fn new(schema: SlotSchema, embedder: Option<Arc<dyn Embedder>>) -> Result<Self, Fault> {
        let words = schema
            .slots()
            .iter()
            .map(|slot| {
                let name = text::content(&slot.name.replace(['_', '-'], " "));
                let all = text::content(&slot.meaning).into_iter().chain(name.iter().cloned()).collect();
                (name, all)
            })
            .collect();
        let model = match embedder {
            None => None,
            Some(embedder) => {
                let meanings: Vec<&str> = schema.slots().iter().map(|slot| slot.meaning.as_str()).collect();
                let slots = embedder.embed(Purpose::Passage, &meanings)?;
                let elsewhere = embedder.embed(Purpose::Passage, &ELSEWHERE)?;
                Some(Meanings { embedder, slots, elsewhere })
            }
        };
        Ok(Self { schema, words, model })
    }

    /// Puts every fact and instruction in its slot and drops those without one.
    pub fn place(&self, extraction: &mut Extraction) -> Result<(), Fault> {
        // What a request states is compared with what is kept, and stays as it is where no slot fits.
        for retraction in &mut extraction.retractions {
            for stated in &mut retraction.states {
                let slot = self.by_theme(&stated.topic_key, &stated.value);
                if let Some(placed) = slot.and_then(|slot| stated_in(slot, stated, &retraction.about)) {
                    *stated = placed;
                }
            }
        }
        let items = std::mem::take(&mut extraction.candidates);
        let own = |item: &Candidate| if slotted(item) { self.by_theme(&item.topic_key, &item.value) } else { None };
        let mut found: Vec<Option<&Slot>> = items.iter().map(own).collect();
        let open: Vec<usize> = (0..items.len())
            .filter(|&index| slotted(&items[index]) && of_customer(&items[index].topic_key) && found[index].is_none())
            .take(ASKED_PER_TURN)
            .collect();
        if let (Some(model), false) = (&self.model, open.is_empty()) {
            let texts: Vec<&str> = open.iter().map(|&index| items[index].text.as_str()).collect();
            let vectors = model.embedder.embed(Purpose::Passage, &texts)?;
            for (index, vector) in open.into_iter().zip(&vectors) {
                found[index] = model.nearest(vector, items[index].language).map(|slot| &self.schema.slots()[slot]);
            }
        }
        for (item, slot) in items.into_iter().zip(found) {
            match slot.and_then(|slot| fill(&item, slot)) {
                Some(filled) => extraction.candidates.push(filled),
                None if slotted(&item) => {
                    extraction.drops.push(Drop { reason: DropReason::NoSlot, quote: item.evidence.quote });
                }
                None => extraction.candidates.push(item),
            }
        }
        Ok(())
    }

    /// The slot whose name and meaning speak of what something is about; none if two do equally.
    fn by_theme(&self, key: &TopicKey, value: &str) -> Option<&Slot> {
        if !of_customer(key) {
            return None;
        }
        let about = match thing(key, value) {
            Some(theme) => text::content(theme),
            None => {
                let head = head(key);
                let theme = THEMES.iter().find(|(attribute, _)| *attribute == head).map_or("", |(_, theme)| *theme);
                text::content(&format!("{head} {theme}"))
            }
        };
        let score = |(name, all): &(BTreeSet<String>, BTreeSet<String>)| {
            2 * about.intersection(name).count() + about.intersection(all).count()
        };
        let scores: Vec<usize> = self.words.iter().map(score).collect();
        let best = scores.iter().copied().max().filter(|best| *best >= 2)?;
        let mut at = (0..scores.len()).filter(|&index| scores[index] == best);
        match (at.next(), at.next()) {
            (Some(only), None) => Some(&self.schema.slots()[only]),
            _ => None,
        }
    }
}

impl Meanings {
    /// The slot that is related at all and nearer than every other slot and everything elsewhere, by the margin.
    fn nearest(&self, vector: &Vector, language: Language) -> Option<usize> {
        let cosine = |other: &Vector| vector.cosine(other).unwrap_or(i32::MIN);
        let near: Vec<i32> = self.slots.iter().map(cosine).collect();
        let best = (0..near.len()).max_by_key(|&index| (near[index], std::cmp::Reverse(index)))?;
        let others = (0..near.len()).filter(|&index| index != best).map(|index| near[index]);
        let rival = others.chain(self.elsewhere.iter().map(cosine)).max().unwrap_or(i32::MIN);
        let related = near[best] >= self.embedder.calibration().related.get(language);
        (related && near[best].saturating_sub(rival) >= MARGIN).then_some(best)
    }
}

/// Whether the item needs a slot at all.
fn slotted(item: &Candidate) -> bool {
    matches!(item.kind, Kind::Fact | Kind::Instruction)
}

/// The attribute without what it is an attribute of.
fn head(key: &TopicKey) -> &str {
    let attribute = key.attribute.as_str();
    match (attribute, attribute.split_once(' ')) {
        ("field of work", _) => attribute,
        // What somebody intends is no plan that they pay for.
        ("plan", _) if key.many => "intention",
        (_, Some(("favorite", _))) => "favorite",
        _ => attribute.split(" of ").next().unwrap_or_default(),
    }
}

/// What a habit, or something used, is about by what it is ("we mostly use the reporting module").
fn thing(key: &TopicKey, value: &str) -> Option<&'static str> {
    if !matches!(key.attribute.as_str(), "habit" | "uses") {
        return None;
    }
    let words = text::words(value);
    let named = |stem: &&str| match stem.is_ascii() || stem.chars().all(|c| matches!(c, 'а'..='я')) {
        true => words.iter().any(|word| word.stem.starts_with(*stem)),
        false => value.contains(*stem),
    };
    THINGS.iter().find(|(_, stems)| stems.iter().any(&named)).map(|(theme, _)| *theme)
}

/// Whether it is said of the customer, the customer's company or something they have: a wife's job is not the
/// customer's role.
fn of_customer(key: &TopicKey) -> bool {
    const OF_THINGS: [&str; 6] = ["renewal", "location", "kind", "runs on", "deployment", "issue"];
    // "Our message broker is Kafka": what they have, by its own name.
    let own = key.subject == key.attribute && THEMES.iter().any(|(attribute, _)| *attribute == key.attribute);
    own || matches!(key.subject.as_str(), "customer" | "company") || OF_THINGS.contains(&key.attribute.as_str())
}

/// The item as the slot's value; `None` if the slot allows only other values.
fn fill(item: &Candidate, slot: &Slot) -> Option<Candidate> {
    let Stated { topic_key, value, qualifier, .. } = stated_in(slot, &Stated::of(item), &item.text)?;
    let (kind, slot) = (slot.kind, Some(slot.name.clone()));
    Some(Candidate { kind, slot, topic_key, value, qualifier, ..item.clone() })
}

/// What is stated in these words as the slot's value; `None` if the slot allows only other values.
fn stated_in(slot: &Slot, stated: &Stated, words: &str) -> Option<Stated> {
    let mut filled = stated.clone();
    if !slot.allowed.is_empty() {
        let words = words.to_lowercase();
        filled.value = slot.allowed.iter().find(|value| words.contains(&value.to_lowercase()))?.clone();
    }
    // In a slot of many values a later value replaces the one about the same thing, so that thing becomes a qualifier;
    // unless values add up there.
    if slot.multi && slot.conflict == Conflict::TimeWin {
        let attribute = &stated.topic_key.attribute;
        let about = match stated.topic_key.many {
            true => stated.value.as_str(),
            false => attribute.split_once(" of ").map_or(attribute.as_str(), |(_, about)| about),
        };
        filled.qualifier = Some(match &stated.qualifier {
            Some(stated) => format!("{about}, {stated}"),
            None => about.to_owned(),
        });
    }
    filled.topic_key.attribute = slot.name.clone();
    filled.topic_key.many = slot.multi;
    Some(filled)
}
