//! Retract: what a turn takes back goes, in the section of the turn that says so, and can be read once.

use std::collections::{BTreeSet, HashMap};

use saidso_core::{
    fault::Fault,
    fold::{self, Folded, Memory},
    ids::{Ids, MemoryId, ObservationId, SessionId, TurnId},
    item::{Retracting, Retraction, Stated},
    limits,
    marks::{Mark, Marks},
    observation::Observation,
    ports::{ReadBackRow, Section, Write},
    retract::{Around, Gone, Half, Late, Meant, Part, ReadBack, Thing, denials, half, late, meant, unsaid},
    scope::Scope,
    seal::{self, Field, Generation, KeyId, Place, Replaced},
    stages::{Embedded, EmbeddedTurn, GroundedRetraction},
};

use crate::{
    Ports,
    forget::{self, Cleared, Target},
    told::{Sentences, Told},
};

/// What a turn's retractions come to.
#[derive(Default)]
pub(crate) struct Found<'a> {
    /// What goes.
    things: Vec<Thing>,
    /// How many more are meant.
    left: usize,
    /// All there is was asked for.
    everything: bool,
    /// The retractions that are some: every request, and denials that mean something here.
    pub words: Vec<&'a Retraction>,
}

impl Found<'_> {
    /// What goes, history too.
    fn memories(&self) -> impl Iterator<Item = MemoryId> + '_ {
        self.things.iter().flat_map(|thing| thing.history.iter().chain([&thing.memory])).copied()
    }
}

/// What a turn takes back, of a folded space.
fn find<'a>(turn: &'a EmbeddedTurn, question: Option<&str>, folded: &Folded, rules: &fold::Rules) -> Found<'a> {
    let around = Around { items: &turn.items, recalled: &turn.meta.recalled, question };
    let mut found = Found::default();
    for (retraction, vector) in &turn.retractions {
        let retraction = retraction.get();
        let most = limits::FORGET_MOST.saturating_sub(found.things.len());
        match meant(retraction, vector, around, folded, &rules.calibration, most) {
            Meant::Everything => {
                found.everything = true;
                found.words.push(retraction);
            }
            Meant::Things { things, left } => {
                if retraction.how == Retracting::Request || !things.is_empty() || left > 0 {
                    found.words.push(retraction);
                }
                found.left += left;
                // Asked for twice, it goes once.
                let known: BTreeSet<MemoryId> = found.things.iter().map(|thing| thing.memory).collect();
                found.things.extend(things.into_iter().filter(|thing| !known.contains(&thing.memory)));
            }
        }
    }
    found
}

/// What a turn's retractions forget of what is still to arrive.
fn lates(turn: &EmbeddedTurn, found: &Found<'_>, folded: &Folded) -> Vec<Late> {
    let goes: BTreeSet<MemoryId> = found.memories().collect();
    let stays = folded.memories.iter().filter(|memory| !goes.contains(&memory.id));
    let of = |(retraction, _): &(GroundedRetraction, _)| {
        let denied = denials(retraction.get(), turn.items.iter().map(Embedded::item));
        let denied = denied.map(|item| Stated { negated: false, ..Stated::of(item) });
        let denied: Vec<Stated> = denied.chain(retraction.get().states.iter().cloned()).collect();
        late(retraction.get(), &denied, stays.clone())
    };
    turn.retractions.iter().flat_map(of).collect()
}

/// Fills a section with what a turn's retractions take. `own` is what the turn says besides, its items.
pub(crate) fn retract(
    ports: &Ports,
    rules: &fold::Rules,
    turn: &EmbeddedTurn,
    own: Vec<Observation>,
    section: &mut Section,
) -> Result<Cleared, Fault> {
    let (cleared, read_back) = take_back(ports, rules, turn, own, section, Some(turn.meta.id))?;
    if let Some(read_back) = read_back {
        keep(ports, turn, &read_back, section);
    }
    Ok(cleared)
}

/// The same, but what went is told instead of kept. `stored`: the turn, if it is stored, so that its own words go too.
/// `None` to read back: it holds denials alone, of nothing that is remembered, and is an ordinary turn.
fn take_back(
    ports: &Ports,
    rules: &fold::Rules,
    turn: &EmbeddedTurn,
    mut own: Vec<Observation>,
    section: &mut Section,
    stored: Option<TurnId>,
) -> Result<(Cleared, Option<ReadBack>), Fault> {
    let scope = section.scope.clone();
    let ids = ports.names.ids(&scope);
    let (space, mut observations) = forget::observations(ports, &scope, section.generation)?;
    let stand = ports.store.marks(&scope)?;
    let again: BTreeSet<ObservationId> = own.iter().map(|observation| observation.id).collect();
    observations.retain(|observation| !again.contains(&observation.id));

    // An item that rests on the words of a retraction is that retraction, read another way.
    let apart = own.iter().filter(|observation| !rests_on_retraction(observation, turn));
    // Whenever it arrives, it means what was said until then.
    let at_ms = turn.meta.at.ms();
    let others = observations.iter().chain(apart).filter(|observation| observation.body.at.ms() <= at_ms);
    let others: Vec<Observation> = others.cloned().collect();
    let folded = fold::fold(&others, &space.ended, rules);
    let told = Told::of(ports, &scope)?;
    let mut found = find(turn, stored.and_then(|turn| told.question(turn)), &folded, rules);
    let lates = lates(turn, &found, &folded).into_iter().map(|late| Marks::of_late(&late, at_ms, &ids));
    let lates: Vec<Mark> = lates.collect();
    if found.words.is_empty() {
        section.writes.extend(lates.iter().copied().map(Write::Mark));
        let marks = stand.into_iter().chain(lates).collect();
        return Ok((forget::clear(ports, section, own, marks, None, [])?, None));
    }
    let halves = halves(&mut found, &folded, &others, at_ms, &ids);
    for observation in observations.iter_mut().chain(&mut own) {
        if let Some(half) = halves.left.get(&observation.id) {
            *observation = half.clone();
        }
    }
    let decided = decided(ports, turn.meta.id, section, &ids)?;
    let targets: Vec<MemoryId> = match &decided {
        Some(read_back) => read_back.targets().collect(),
        None => found.memories().collect(),
    };
    let target = Target { memories: &targets, at_ms };
    let words = found.words.iter().filter_map(|retraction| {
        let message = *turn.meta.messages.get(retraction.evidence.message as usize)?;
        Some(Mark::Words { message: ids.mark_message(message), span: retraction.evidence.span })
    });
    let unsaid = found.words.iter().flat_map(|retraction| unsaid(retraction, &folded));
    let unsaid = unsaid.map(|stated| Marks::of_stated(stated, at_ms, &ids));
    let new = forget::marks_in(&folded, &others, &target, &ids).into_iter().chain(words).chain(unsaid);
    let new: Vec<Mark> = new.chain(lates).chain(halves.marks).collect();
    section.writes.extend(new.iter().copied().map(Write::Mark));
    let mut marks: Marks = stand.into_iter().chain(new).collect();

    observations.extend(own);
    let mut sentences = Sentences::default();
    if decided.is_none() {
        sentences = told.sentences(&found, at_ms, &observations, &marks, &ids);
        section.writes.extend(sentences.marks.iter().copied().map(Write::Mark));
        marks.extend(sentences.marks.iter().copied());
    }
    let shown = told.shown(&marks, section, &ids);
    let cleared = forget::clear(ports, section, observations, marks, stored, shown)?;
    let read_back = decided.unwrap_or_else(|| ReadBack {
        sentences: sentences.marks.len() as u32,
        sentences_left: sentences.left,
        ..read_back(&found, &folded, &cleared, halves.gone)
    });
    Ok((cleared, Some(read_back)))
}

/// What a turn would take back, if it were published now.
pub(crate) fn would(
    ports: &Ports,
    rules: &fold::Rules,
    turn: &EmbeddedTurn,
    mut unused: Section,
) -> Result<ReadBack, Fault> {
    Ok(take_back(ports, rules, turn, Vec::new(), &mut unused, None)?.1.unwrap_or_default())
}

/// What would go with these memories.
pub(crate) fn would_by_id(
    ports: &Ports,
    rules: &fold::Rules,
    memories: &[MemoryId],
    mut unused: Section,
) -> Result<ReadBack, Fault> {
    let scope = unused.scope.clone();
    let (space, observations) = forget::observations(ports, &scope, unused.generation)?;
    let folded = fold::fold(&observations, &space.ended, rules);
    let known = memories.iter().filter_map(|id| folded.aliases.get(id).copied());
    let things = known.map(|memory| Thing { memory, history: Vec::new() }).collect();
    let target = Target { memories, at_ms: i64::MIN };
    let new = forget::marks_in(&folded, &observations, &target, &ports.names.ids(&scope));
    let marks: Marks = ports.store.marks(&scope)?.into_iter().chain(new).collect();
    let cleared = forget::clear(ports, &mut unused, observations, marks, None, [])?;
    Ok(read_back(&Found { things, ..Found::default() }, &folded, &cleared, Vec::new()))
}

/// Memories of which only something that they list goes.
#[derive(Default)]
struct Halves {
    /// Their observations without it.
    left: HashMap<ObservationId, Observation>,
    /// What forgets it, and the list as it was.
    marks: Vec<Mark>,
    /// What went of each.
    gone: Vec<Gone>,
}

/// Takes those out of what was found: all of a memory's observations list it, and stand without it.
fn halves(found: &mut Found<'_>, folded: &Folded, others: &[Observation], at_ms: i64, ids: &Ids) -> Halves {
    let mut halves = Halves::default();
    let words = &found.words;
    found.things.retain(|thing| {
        let own = others.iter().filter(|observation| folded.aliases.get(&observation.id) == Some(&thing.memory));
        let half_of = |observation| {
            let Observation { body, .. }: &Observation = observation;
            Some((observation, words.iter().find_map(|retraction| half(retraction, &body.item))?))
        };
        let cut: Option<Vec<(&Observation, Half)>> = own.map(half_of).collect();
        let Some(cut) = cut.filter(|cut| !cut.is_empty()) else { return true };
        for (observation, Half { left: item, span, gone: text }) in cut {
            let was = &observation.body.item;
            let message = ids.mark_message(observation.body.message);
            halves.marks.push(Mark::Words { message, span });
            // The list as it was said stays out too, unless it states no more than what is left.
            if Stated::of(was) != Stated::of(&item) {
                halves.marks.push(Marks::of_stated(&Stated::of(was), at_ms, ids));
            }
            let gone = Gone { id: thing.memory, kind: was.kind, text, part: Part::Listed };
            if halves.gone.last().is_none_or(|last: &Gone| last.id != gone.id) {
                halves.gone.push(gone);
            }
            let mut left = observation.clone();
            left.body.item = item;
            halves.left.insert(left.id, left);
        }
        false
    });
    halves
}

fn rests_on_retraction(observation: &Observation, turn: &EmbeddedTurn) -> bool {
    let evidence = &observation.body.item.evidence;
    let same = |retraction: &Retraction| {
        retraction.evidence.message == evidence.message && retraction.evidence.span.overlaps(evidence.span)
    };
    turn.retractions.iter().any(|(retraction, _)| same(retraction.get()))
}

/// What went, for the customer to read.
fn read_back(found: &Found<'_>, folded: &Folded, cleared: &Cleared, halves: Vec<Gone>) -> ReadBack {
    let asked: BTreeSet<MemoryId> = found.things.iter().map(|thing| thing.memory).collect();
    let earlier: BTreeSet<MemoryId> = found.things.iter().flat_map(|thing| &thing.history).copied().collect();
    let of = |observations: &[Observation]| -> BTreeSet<MemoryId> {
        observations.iter().filter_map(|observation| folded.aliases.get(&observation.id).copied()).collect()
    };
    let beside = &of(&cleared.gone) - &of(&cleared.kept);
    let part = |memory: &Memory| match memory.id {
        id if asked.contains(&id) => Some(Part::Asked),
        id if earlier.contains(&id) => Some(Part::Earlier),
        id => beside.contains(&id).then_some(Part::Beside),
    };
    let gone = folded.memories.iter().filter_map(|memory| {
        part(memory).map(|part| Gone { id: memory.id, kind: memory.kind, text: memory.text.clone(), part })
    });
    let (left, everything) = (found.left as u32, found.everything);
    ReadBack { gone: gone.chain(halves).collect(), left, everything, ..ReadBack::default() }
}

/// What a try at this very section settled, if it got so far before it crashed: with some of it gone by now, a second
/// look would find others in its place.
fn decided(ports: &Ports, turn: TurnId, section: &Section, ids: &Ids) -> Result<Option<ReadBack>, Fault> {
    let rows = ports.store.read_backs(&section.scope)?;
    let Some(row) = rows.iter().find(|row| row.turn == turn) else {
        return Ok(None);
    };
    match row.sealed.key {
        KeyId::Turn { turn: named, version, .. }
            if named == ids.read_back(turn) && version == section.position.stamp() =>
        {
            open(ports, &section.scope, row)
        }
        _ => Ok(None),
    }
}

/// What a request took; `None` if somebody has read it.
pub(crate) fn open(ports: &Ports, scope: &Scope, row: &ReadBackRow) -> Result<Option<ReadBack>, Fault> {
    match ports.keys.key(scope, row.sealed.key)? {
        Some(key) => seal::open(&key, place(scope, row.turn), &row.sealed).map(Some),
        None => Ok(None),
    }
}

fn keep(ports: &Ports, turn: &EmbeddedTurn, read_back: &ReadBack, section: &mut Section) {
    let (id, session) = (turn.meta.id, turn.meta.session);
    let key = forget::new_key(ports, ports.names.ids(&section.scope).read_back(id), section.position);
    let sealed = seal::seal(&key, place(&section.scope, id), read_back, ports.entropy.as_ref());
    section.new_keys.push(key);
    section.writes.push(Write::ReadBack(ReadBackRow { turn: id, session, sealed }));
}

fn place(scope: &Scope, turn: TurnId) -> Place<'_> {
    Place { scope, id: *turn.as_bytes(), generation: Generation::ALL, field: Field::ReadBack }
}

/// Lets go of what a request took: it was read.
pub(crate) fn let_go(ports: &Ports, turn: TurnId, section: &mut Section) {
    let key = ports.names.ids(&section.scope).read_back(turn);
    section.writes.push(Write::NoReadBack(turn));
    section.destroy.push(Replaced { turn: key, below: section.position.stamp() });
}

/// Lets go of what requests of a session took: it is over, and nobody read them.
pub(crate) fn let_go_of_session(ports: &Ports, session: SessionId, section: &mut Section) -> Result<(), Fault> {
    for row in ports.store.read_backs(&section.scope)? {
        if row.session == session {
            let_go(ports, row.turn, section);
        }
    }
    Ok(())
}
