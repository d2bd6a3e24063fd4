//! Forget: every observation of a memory goes, its words are blanked in the turn they stand in, and the old key of
//! the turn is destroyed, so that every copy anywhere is dark.

use std::collections::{BTreeMap, BTreeSet};

use saidso_core::{
    fault::{Code, Fault},
    fold,
    ids::{Ids, ObservationId, TurnId},
    item::{Drop, Span, Stated},
    marks::{Cover, Mark, Marks},
    observation::{Observation, SealedObservation},
    ports::{Section, SpaceRows, TurnRow, Write},
    position::Position,
    retract,
    scope::Scope,
    seal::{self, Field, Generation, Key, KeyId, NamedKey, Place, Replaced},
    text,
    turn::Turn,
};

use crate::{Ports, reviews};

/// What is to be forgotten.
pub(crate) struct Target<'a> {
    /// Memories, by any of their observations.
    pub memories: &'a [ObservationId],
    /// When it was asked.
    pub at_ms: i64,
}

/// A space's observations in the clear, those whose key is gone aside.
pub(crate) fn observations(
    ports: &Ports,
    scope: &Scope,
    generation: Generation,
) -> Result<(SpaceRows, Vec<Observation>), Fault> {
    let rows = ports.store.rows(scope, generation)?;
    let ids: Vec<KeyId> = rows.observations.iter().map(SealedObservation::key).collect();
    ports.keys.warm(scope, &ids);
    let mut open = Vec::with_capacity(rows.observations.len());
    for sealed in &rows.observations {
        open.extend(sealed.open(scope, generation, ports.keys.as_ref())?);
    }
    Ok((rows, open))
}

/// The marks that forget some memories; none if the space has no such memory.
pub(crate) fn marks(
    observations: &[Observation],
    space: &SpaceRows,
    rules: &fold::Rules,
    target: &Target<'_>,
    ids: &Ids,
) -> Vec<Mark> {
    let folded = fold::fold(observations, &space.ended, rules);
    marks_in(&folded, observations, target, ids)
}

/// The same, in a space that is folded already.
pub(crate) fn marks_in(
    folded: &fold::Folded,
    observations: &[Observation],
    target: &Target<'_>,
    ids: &Ids,
) -> Vec<Mark> {
    let wanted: BTreeSet<ObservationId> =
        target.memories.iter().filter_map(|id| folded.aliases.get(id).copied()).collect();
    let belongs =
        |observation: &&Observation| folded.aliases.get(&observation.id).is_some_and(|memory| wanted.contains(memory));
    observations.iter().filter(belongs).flat_map(|observation| Marks::of(observation, target.at_ms, ids)).collect()
}

/// What a clearing came to.
#[derive(Default)]
pub(crate) struct Cleared {
    /// Observations that went, for their own sake or because words they rest on did.
    pub gone: Vec<Observation>,
    /// The others. Of those in a turn that was sealed anew the writes are in the section.
    pub kept: Vec<Observation>,
    /// Turns that were sealed anew.
    pub turns: BTreeMap<TurnId, Resealed>,
}

/// A turn sealed anew.
pub(crate) struct Resealed {
    /// Its new key.
    pub key: NamedKey,
    /// What is left of it.
    pub left: Turn,
}

/// Removes from a section's space what is forgotten: observations that marks cover go, or are cut to the words that are
/// left; turns in which any stood, and those named, are blanked where marks lie and sealed anew under another key. `asking`:
/// the turn that has it forgotten.
pub(crate) fn clear(
    ports: &Ports,
    section: &mut Section,
    observations: Vec<Observation>,
    mut marks: Marks,
    asking: Option<TurnId>,
    named: impl IntoIterator<Item = TurnId>,
) -> Result<Cleared, Fault> {
    let ids = ports.names.ids(&section.scope);
    let mut cleared = Cleared::default();
    let mut turns: BTreeSet<TurnId> = named.into_iter().chain(asking).collect();
    // Where only a statement is marked, its words go from the turn as well, and with them what else was made of them. No mark
    // is left on them: the same message may come again in a turn of its own, said later, and counts anew there.
    let whole = |observation: &&Observation| marks.covering(observation, &ids) == Cover::Whole;
    let words: Vec<Mark> =
        observations.iter().filter(whole).map(|observation| Marks::words_of(observation, &ids)).collect();
    marks.extend(words);
    let mut touched = Vec::new();
    for observation in observations {
        match marks.covering(&observation, &ids) {
            Cover::None => cleared.kept.push(observation),
            cover => {
                turns.insert(observation.body.turn);
                touched.push((cover, observation));
            }
        }
    }

    for turn in turns {
        let of_it = |observation: &Observation| observation.body.turn == turn;
        let questions = touched.iter().filter(|(cover, observation)| *cover == Cover::Whole && of_it(observation));
        let questions = questions.filter_map(|(_, observation)| observation.body.item.question.as_ref());
        let rests = |observation: &Observation| of_it(observation) && observation.body.item.question.is_some();
        let cut = touched.iter().filter(|(cover, _)| *cover == Cover::Part).map(|(_, observation)| observation);
        // Who takes something back may answer a question that says it.
        let asked = asking == Some(turn) && !cleared.kept.iter().chain(cut).any(rests);
        let questions = questions.map(|question| question.span).collect();
        let blank = Blank { marks: &marks, questions, asked, ids: &ids };
        if let Some(resealed) = reseal(ports, turn, |turn| blank.apply(turn), section)? {
            cleared.turns.insert(turn, resealed);
        }
    }
    for (cover, observation) in touched {
        let resealed = cleared.turns.get(&observation.body.turn);
        let words = marks.words(observation.body.message, &ids);
        let cut = (cover == Cover::Part).then(|| cut(&observation, resealed?, words)).flatten();
        match cut {
            Some(cut) => cleared.kept.push(cut),
            None => {
                section.writes.push(Write::Remove(observation.id));
                cleared.gone.push(observation);
            }
        }
    }
    seal_anew(ports, &cleared.kept, &cleared.turns, section);
    reviews::forgotten(ports, section, &cleared)?;
    Ok(cleared)
}

/// Removes from what a turn says (`own`) what is forgotten: said again, or said before and late. A denial of what is late goes
/// with it, as it would have, had it come after it.
pub(crate) fn clear_late(
    ports: &Ports,
    section: &mut Section,
    own: Vec<Observation>,
    mut marks: Marks,
    named: Option<TurnId>,
) -> Result<Cleared, Fault> {
    let ids = ports.names.ids(&section.scope);
    let denied = |late: &Observation| Some((Stated::of(&late.body.item), marks.denied(late, &ids)?));
    let denied: Vec<(Stated, i64)> = own.iter().filter_map(denied).collect();
    if denied.is_empty() {
        return clear(ports, section, own, marks, None, named);
    }
    let (_, mut all) = observations(ports, &section.scope, section.generation)?;
    // Whatever the key it was denied under ("never lived in": formerly), it names what it denies.
    let denies = |observation: &&Observation| {
        let Observation { body, .. } = observation;
        let named = |Stated { value, .. }: &Stated| {
            let said = &body.item.text;
            text::find_quote(said, value).is_some() || text::content(value).is_subset(&text::content(said))
        };
        body.item.negated && denied.iter().any(|(stated, at_ms)| body.at.ms() == *at_ms && named(stated))
    };
    let words: Vec<Mark> = all.iter().filter(denies).map(|denial| Marks::words_of(denial, &ids)).collect();
    section.writes.extend(words.iter().copied().map(Write::Mark));
    marks.extend(words);
    all.retain(|observation| own.iter().all(|own| own.id != observation.id));
    all.extend(own);
    clear(ports, section, all, marks, None, named)
}

/// Observations of turns that were sealed anew go under the new keys.
fn seal_anew(ports: &Ports, observations: &[Observation], turns: &BTreeMap<TurnId, Resealed>, section: &mut Section) {
    let (scope, generation, entropy) = (&section.scope, section.generation, ports.entropy.as_ref());
    for observation in observations {
        if let Some(Resealed { key, .. }) = turns.get(&observation.body.turn) {
            let sealed = SealedObservation::seal(observation, scope, generation, key, entropy);
            section.writes.push(Write::Observation(sealed));
        }
    }
}

/// Fills a section with what letting go of turns' words takes: they are blanked and sealed anew, with all that was made of
/// them, whose quotes stay.
pub(crate) fn let_go(ports: &Ports, turns: &[TurnId], mut section: Section) -> Result<Section, Fault> {
    let (_, observations) = observations(ports, &section.scope, section.generation)?;
    let mut resealed = BTreeMap::new();
    for turn in turns {
        if let Some(anew) = reseal(ports, *turn, Turn::let_go, &mut section)? {
            resealed.insert(*turn, anew);
        }
    }
    seal_anew(ports, &observations, &resealed, &mut section);
    Ok(section)
}

/// Fills a section with what forgetting takes.
pub(crate) fn forget(
    ports: &Ports,
    rules: &fold::Rules,
    target: Target<'_>,
    mut section: Section,
) -> Result<Section, Fault> {
    let scope = section.scope.clone();
    let ids = ports.names.ids(&scope);
    let (space, observations) = observations(ports, &scope, section.generation)?;
    let new = marks(&observations, &space, rules, &target, &ids);
    section.writes.extend(new.iter().copied().map(Write::Mark));
    // Marks that stand count too: a try that crashed may have removed some of the memory already.
    let marks: Marks = ports.store.marks(&scope)?.into_iter().chain(new).collect();
    clear(ports, &mut section, observations, marks, None, [])?;
    Ok(section)
}

/// An observation on what is left of its words, if that supports it.
fn cut(observation: &Observation, Resealed { left, .. }: &Resealed, words: &[Span]) -> Option<Observation> {
    let item = retract::cut(&observation.body.item, &left.body, words)?;
    let mut cut = observation.clone();
    cut.body.times.retain(|time| text::find_quote(&item.evidence.quote, &time.words).is_some());
    cut.body.item = item;
    Some(cut)
}

/// What is overwritten in a turn.
struct Blank<'a> {
    marks: &'a Marks,
    questions: Vec<Span>,
    /// All of the question.
    asked: bool,
    ids: &'a Ids,
}

impl Blank<'_> {
    /// Overwrites words at equal length, so that every other span stays where it is.
    fn apply(&self, turn: &mut Turn) {
        for (message, id) in turn.body.messages.iter_mut().zip(&turn.meta.messages) {
            self.marks.words(*id, self.ids).iter().for_each(|span| span.blank(&mut message.text));
        }
        if let Some(asked) = &mut turn.body.question {
            self.questions.iter().for_each(|span| span.blank(asked));
            if self.asked {
                *asked = " ".repeat(asked.len());
            }
        }
    }
}

/// Seals a turn under a new key, and has the old one destroyed. `None`: a try that crashed destroyed it already, and
/// everything before that was durable.
fn reseal(
    ports: &Ports,
    turn: TurnId,
    blank: impl FnOnce(&mut Turn),
    section: &mut Section,
) -> Result<Option<Resealed>, Fault> {
    let scope = &section.scope;
    let Some(row) = ports.store.turn(scope, turn)? else {
        return Err(Fault::dead_letter(Code::Damaged, "forgot an item: the turn it stands in is not stored"));
    };
    let Some(old) = ports.keys.key(scope, row.sealed.key)? else {
        return Ok(None);
    };
    let key = new_key(ports, turn, section.position);
    let (entropy, id) = (ports.entropy.as_ref(), *turn.as_bytes());
    let place = |field| Place { scope, id, generation: Generation::ALL, field };

    let mut left: Turn = seal::open(&old, place(Field::Turn), &row.sealed)?;
    blank(&mut left);
    section.writes.push(Write::Turn { turn, sealed: seal::seal(&key, place(Field::Turn), &left, entropy) });
    if let Some(mut drops) = drops(ports, &row, place(Field::Drops))? {
        drops.retain(|drop| shown(drop, &left));
        let sealed = (!drops.is_empty()).then(|| seal::seal(&key, place(Field::Drops), &drops, entropy));
        section.writes.push(Write::Drops { turn, sealed });
    }
    // A vector tells of words that are gone: what is left is found by its words.
    section.writes.push(Write::Passages { turn, sealed: None });
    section.destroy.push(Replaced { turn, below: section.position.stamp() });
    section.new_keys.push(key.clone());
    Ok(Some(Resealed { key, left }))
}

/// A key for what is sealed at a position, among the keys of a turn.
pub(crate) fn new_key(ports: &Ports, turn: TurnId, position: Position) -> NamedKey {
    let mut attempt = [0; 4];
    ports.entropy.fill(&mut attempt);
    let id = KeyId::Turn { turn, version: position.stamp(), attempt: u32::from_be_bytes(attempt) };
    NamedKey { id, key: Key::random(ports.entropy.as_ref()) }
}

/// Whether a drop's quote still stands in what is left of its turn.
pub(crate) fn shown(drop: &Drop, left: &Turn) -> bool {
    let stands =
        |quote: &str| left.body.messages.iter().any(|message| text::find_quote(&message.text, quote).is_some());
    drop.quote.is_empty() || stands(&drop.quote)
}

/// The turn's drops, if it has any. A try that crashed may have left them under another key than the turn.
fn drops(ports: &Ports, row: &TurnRow, place: Place<'_>) -> Result<Option<Vec<Drop>>, Fault> {
    let Some(sealed) = &row.drops else { return Ok(None) };
    let key = ports.keys.key(place.scope, sealed.key)?;
    key.map(|key| seal::open(&key, place, sealed)).transpose()
}
