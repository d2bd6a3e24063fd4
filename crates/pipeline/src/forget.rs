//! Forget: every observation of a memory goes, its words are blanked in the turn they stand in, and the old key of
//! the turn is destroyed, so that every copy anywhere is dark.

use std::collections::{BTreeMap, BTreeSet};

use saidso_core::{
    fault::{Code, Fault},
    fold,
    ids::{Ids, MessageId, ObservationId, TurnId},
    item::{Drop, Span},
    marks::{Mark, Marks},
    observation::{Observation, SealedObservation},
    ports::{Section, SpaceRows, TurnRow, Write},
    position::Position,
    scope::Scope,
    seal::{self, Field, Generation, Key, KeyId, NamedKey, Place, Replaced},
    text,
    turn::Turn,
};

use crate::Ports;

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
    let wanted: BTreeSet<ObservationId> =
        target.memories.iter().filter_map(|id| folded.aliases.get(id).copied()).collect();
    let belongs =
        |observation: &&Observation| folded.aliases.get(&observation.id).is_some_and(|memory| wanted.contains(memory));
    observations.iter().filter(belongs).flat_map(|observation| Marks::of(observation, target.at_ms, ids)).collect()
}

/// Observations, by what marks make of them.
pub(crate) struct Split {
    /// Forgotten: their words go from the turn.
    pub gone: Vec<Observation>,
    /// They rest on words of which some are forgotten, and would show them. They go too; the words of theirs that are not
    /// forgotten stay in the turn.
    pub beside: Vec<Observation>,
    /// The others.
    pub kept: Vec<Observation>,
}

/// What marks make of observations.
pub(crate) fn split(observations: Vec<Observation>, marks: &Marks, ids: &Ids) -> Split {
    let (gone, left): (Vec<Observation>, Vec<Observation>) =
        observations.into_iter().partition(|observation| marks.cover(observation, ids));
    let words = |of: &Observation| (of.body.turn, of.body.message);
    let span = |of: &Observation| of.body.item.evidence.span;
    let shows = |one: &Observation| gone.iter().any(|gone| words(gone) == words(one) && span(gone).overlaps(span(one)));
    let (beside, kept) = left.into_iter().partition(shows);
    Split { gone, beside, kept }
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

    let Split { gone, beside, kept } = split(observations, &marks, &ids);
    section.writes.extend(gone.iter().chain(&beside).map(|observation| Write::Remove(observation.id)));

    let mut turns: BTreeMap<TurnId, Vec<&Observation>> = BTreeMap::new();
    for observation in &gone {
        turns.entry(observation.body.turn).or_default().push(observation);
    }
    for (turn, gone) in turns {
        let kept = kept.iter().filter(|observation| observation.body.turn == turn);
        reseal(ports, &scope, turn, &gone, kept, &mut section)?;
    }
    Ok(section)
}

/// Seals a turn and what is left of it under a new key, and has the old one destroyed.
pub(crate) fn reseal<'a>(
    ports: &Ports,
    scope: &Scope,
    turn: TurnId,
    gone: &[&Observation],
    kept: impl Iterator<Item = &'a Observation>,
    section: &mut Section,
) -> Result<(), Fault> {
    let Some(row) = ports.store.turn(scope, turn)? else {
        return Err(Fault::dead_letter(Code::Damaged, "forgot an item: the turn it stands in is not stored"));
    };
    let Some(old) = ports.keys.key(scope, row.sealed.key)? else {
        // A try that crashed after destroying the key: everything before that was durable.
        return Ok(());
    };
    let key = next_key(ports, turn, section.position);
    let (entropy, id) = (ports.entropy.as_ref(), *turn.as_bytes());
    let place = |field| Place { scope, id, generation: Generation::ALL, field };

    let mut words: Turn = seal::open(&old, place(Field::Turn), &row.sealed)?;
    for observation in gone {
        blank(&mut words, observation);
    }
    section.writes.push(Write::Turn { turn, sealed: seal::seal(&key, place(Field::Turn), &words, entropy) });
    if let Some(drops) = drops(&row, &old, place(Field::Drops), &words)? {
        let sealed = (!drops.is_empty()).then(|| seal::seal(&key, place(Field::Drops), &drops, entropy));
        section.writes.push(Write::Drops { turn, sealed });
    }
    for observation in kept {
        let sealed = SealedObservation::seal(observation, scope, section.generation, &key, entropy);
        section.writes.push(Write::Observation(sealed));
    }
    section.destroy.push(Replaced { turn, below: section.position.stamp() });
    section.new_keys.push(key);
    Ok(())
}

fn next_key(ports: &Ports, turn: TurnId, position: Position) -> NamedKey {
    let mut attempt = [0; 4];
    ports.entropy.fill(&mut attempt);
    let id = KeyId::Turn { turn, version: position.stamp(), attempt: u32::from_be_bytes(attempt) };
    NamedKey { id, key: Key::random(ports.entropy.as_ref()) }
}

/// Overwrites the words at equal length, so that every other span stays where it is.
fn blank(turn: &mut Turn, observation: &Observation) {
    let item = &observation.body.item;
    let index = turn.meta.messages.iter().position(|message: &MessageId| *message == observation.body.message);
    if let Some(message) = index.and_then(|index| turn.body.messages.get_mut(index)) {
        blank_span(&mut message.text, item.evidence.span);
    }
    if let (Some(question), Some(asked)) = (&item.question, &mut turn.body.question) {
        blank_span(asked, question.span);
    }
}

fn blank_span(text: &mut String, span: Span) {
    if let Some(words) = span.of(text) {
        let blank = " ".repeat(words.len());
        text.replace_range(span.start as usize..span.end as usize, &blank);
    }
}

/// The turn's drops whose quotes still stand in what is left of it; `None` if it has no drops.
fn drops(row: &TurnRow, key: &Key, place: Place<'_>, left: &Turn) -> Result<Option<Vec<Drop>>, Fault> {
    let Some(sealed) = &row.drops else {
        return Ok(None);
    };
    let mut drops: Vec<Drop> = seal::open(key, place, sealed)?;
    let stands =
        |quote: &str| left.body.messages.iter().any(|message| text::find_quote(&message.text, quote).is_some());
    drops.retain(|drop| drop.quote.is_empty() || stands(&drop.quote));
    Ok(Some(drops))
}
