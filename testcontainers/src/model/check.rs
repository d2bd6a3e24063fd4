//! The backend held against what is promised.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    time::{Duration, Instant},
};

use saidso_core::{
    fold::{Memory, Status},
    ids::{MessageId, ObservationId, TurnId},
    item::Drop,
    marks::Marks,
    observation::Observation,
    seal::{self, Field, Generation, Payload, Place, Sealed},
    time::Moment,
    turn::Turn,
};

use super::{
    mishaps,
    process::{PATIENCE, Process},
    promise::{Key, Replaced, Shown, Space},
    walk::{SPACES, Walk},
};
use crate::stand::{GENERATION, Stand};

/// How long one wait takes before it is looked whether the stages still run.
const A_WHILE: Duration = Duration::from_millis(200);

impl Walk<'_> {
    /// Lets everything come through, and checks everything.
    pub(super) fn settle(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        while !self.running_process().running.as_ref().is_some_and(|running| running.idle(A_WHILE)) {
            assert!(Instant::now() < deadline, "the stages do not come to rest");
        }
        self.calm();
        self.counts.checks += 1;
        for (at, name) in SPACES.iter().enumerate() {
            self.recalls(at);
            let customer = &mut self.customers[at];
            customer.known = check_space(&self.processes[0].stand, name, &customer.space);
        }
        self.check_dead_letters();
    }

    /// What is applied never goes back.
    pub(super) fn watch(&mut self) {
        let stand = &self.processes[0].stand;
        for (name, customer) in SPACES.iter().zip(&mut self.customers) {
            let applied = stand.ports.store.applied(&stand.scope(name), GENERATION).expect("it reads");
            assert!(applied >= customer.applied, "{name} went back from {:?} to {applied:?}", customer.applied);
            customer.applied = applied;
        }
    }

    /// Recall shows of a space what is promised, as soon as the last of it is visible.
    pub(super) fn recalls(&mut self, at: usize) {
        let Some(last) = self.customers[at].space.last else { return };
        let deadline = Instant::now() + PATIENCE;
        let scope = self.processes[0].stand.scope(SPACES[at]);
        while !self.running_process().recall.wait(&scope, last, A_WHILE).expect("recall waits") {
            assert!(Instant::now() < deadline, "{last} of {} does not become visible", SPACES[at]);
        }
        let due = self.customers[at].space.shown();
        for process in &self.processes {
            // Another process hears of a change in its own time.
            assert!(process.recall.wait(&scope, last, PATIENCE).expect("recall waits"));
            let all = process.recall.memories(&scope, true).expect("recall reads");
            assert_eq!(shown(&all), due, "what recall has of {}", SPACES[at]);
            let current = process.recall.memories(&scope, false).expect("recall reads");
            let due: Vec<Shown> = due.iter().filter(|shown| shown.replaced.is_none()).cloned().collect();
            assert_eq!(shown(&current), due, "what recall has current of {}", SPACES[at]);
        }
    }

    /// A process whose stages run. Stages that were cut off come back with a process of their own.
    fn running_process(&mut self) -> &Process {
        while let Some(at) = self.processes.iter().position(|process| process.fault().is_some()) {
            let process = self.processes.swap_remove(at);
            assert!(
                process.fault().is_some_and(|fault| mishaps::is_cut(&fault)),
                "the stages ended: {:?}",
                process.fault()
            );
            drop(process);
            self.open();
        }
        if self.processes.iter().all(|process| process.running.is_none()) {
            self.processes[0].resume();
        }
        self.processes.iter().find(|process| process.running.is_some()).expect("one was started")
    }

    /// Only what no extractor takes was set aside, once for each place on the log.
    fn check_dead_letters(&self) {
        let dead = self.processes[0].stand.ports.dead.list(usize::MAX).expect("it reads");
        let places: BTreeSet<_> = dead.iter().map(|letter| (letter.partition, letter.offset)).collect();
        assert_eq!(places.len(), dead.len(), "nothing is set aside twice");
        let found: BTreeSet<TurnId> =
            dead.iter().map(|letter| TurnId::from_bytes(letter.about.expect("intake wrote it").id)).collect();
        let told = self.customers.iter().flat_map(|customer| &customer.space.told);
        let due: BTreeSet<TurnId> = told.filter(|told| told.said.poisoned).map(|told| told.receipt.turn).collect();
        assert_eq!(found, due, "what was set aside");
    }
}

/// Checks a space in which everything is through, and names what is stored of it.
fn check_space(stand: &Stand, name: &str, space: &Space) -> BTreeMap<Key, ObservationId> {
    let scope = stand.scope(name);
    let applied = stand.ports.store.applied(&scope, GENERATION).expect("it reads");
    assert_eq!(applied, space.last, "how far {name} is applied");
    assert_eq!(shown(&stand.folded(name).memories), space.shown(), "the memories of {name}");

    let turns: HashMap<TurnId, usize> =
        space.told.iter().enumerate().map(|(at, told)| (told.receipt.turn, at)).collect();
    let stored = stand.observations(name);
    let rows = stand.ports.store.rows(&scope, GENERATION).expect("they read").observations.len();
    assert_eq!(stored.len(), rows, "what is stored of {name} and opens");
    let keys: BTreeMap<Key, _> = stored.iter().map(|one| (key(one, space, &turns), one.id)).collect();
    assert_eq!(keys.len(), stored.len(), "nothing of {name} is stored twice");
    assert_eq!(keys.keys().copied().collect::<BTreeSet<_>>(), space.standing(), "the observations of {name}");

    let rows = stand.ports.store.turns(&scope).expect("they read");
    assert_eq!(rows.len(), space.told.len(), "the turns of {name}");
    for row in rows {
        let at = *turns.get(&row.turn).unwrap_or_else(|| panic!("{name} has a turn that nobody told it"));
        assert_eq!(row.position, Some(space.told[at].receipt.position), "where a turn of {name} stands");
        let turn: Turn = open(stand, name, row.turn, Field::Turn, &row.sealed);
        let texts: Vec<&str> = turn.body.messages.iter().map(|message| message.text.as_str()).collect();
        assert_eq!(texts, space.texts(at), "the words of a turn of {name}");
        if let Some(drops) = &row.drops {
            let drops: Vec<Drop> = open(stand, name, row.turn, Field::Drops, drops);
            let left = |drop: &Drop| texts.iter().any(|text| text.contains(&drop.quote));
            assert!(drops.iter().all(left), "what was let go of a turn of {name} quotes what is left of it");
        }
    }
    keys
}

/// Whatever is stored of a memory that was forgotten is marked, wherever the stages are.
pub fn check_marked(stand: &Stand, name: &str, memory: ObservationId) {
    let scope = stand.scope(name);
    let marks: Marks = stand.ports.store.marks(&scope).expect("they read").into_iter().collect();
    let ids = stand.ports.names.ids(&scope);
    let left = stand.observations(name).into_iter().find(|one| one.id == memory);
    assert!(left.is_none_or(|one| marks.cover(&one, &ids)), "what is forgotten of {name} is marked at once");
}

/// Which of the things said an observation is.
fn key(one: &Observation, space: &Space, turns: &HashMap<TurnId, usize>) -> Key {
    let turn = *turns.get(&one.body.turn).expect("an observation comes from a turn that was told");
    let told = &space.told[turn];
    let is = |id: &MessageId| *id == one.body.message;
    let message = told.receipt.messages.iter().position(is).expect("it comes from a message of the turn");
    let mut start = 0;
    let sentence = told.said.messages[message].phrases.iter().position(|phrase| {
        let span = one.body.item.evidence.span;
        let here = (span.start as usize, span.end as usize) == (start, start + phrase.words.len());
        start += phrase.text().len() + 1;
        here
    });
    (turn, message, sentence.expect("it rests on the words of a sentence"), one.body.item.kind)
}

fn open<T: Payload>(stand: &Stand, name: &str, turn: TurnId, field: Field, sealed: &Sealed) -> T {
    let scope = stand.scope(name);
    let key = stand.ports.keys.key(&scope, sealed.key).expect("keys read").expect("what is stored has its key");
    let place = Place { scope: &scope, id: *turn.as_bytes(), generation: Generation::ALL, field };
    seal::open(&key, place, sealed).expect("it opens")
}

/// Memories as the model shows them.
fn shown(memories: &[Memory]) -> Vec<Shown> {
    let mut shown: Vec<Shown> = memories.iter().map(|memory| show(memory, memories)).collect();
    shown.sort();
    shown
}

fn show(memory: &Memory, all: &[Memory]) -> Shown {
    let named = |id: &ObservationId| all.iter().find(|other| other.id == *id).expect("it is there as well");
    let ms = |at: &String| Moment::parse(at, None).expect("it is a time").ms();
    let by = memory.superseded_by.as_ref().map(named);
    let history = matches!(memory.status, Status::Superseded | Status::Archived);
    assert_eq!((history, memory.valid_to.is_some()), (by.is_some(), by.is_some()));
    let mut rivals: Vec<String> = memory.contested_by.iter().map(|id| named(id).evidence[0].quote.clone()).collect();
    rivals.sort();
    Shown {
        first_ms: memory.first.ms(),
        kind: memory.kind,
        quotes: memory.evidence.iter().map(|mention| mention.quote.clone()).collect(),
        mentions: memory.mentions,
        replaced: by.zip(memory.valid_to.as_ref()).map(|(by, at)| Replaced {
            by: by.evidence[0].quote.clone(),
            at_ms: ms(at),
            archived: memory.status == Status::Archived,
        }),
        rivals,
        verified_ms: memory.verified.as_ref().map(ms),
        ended: memory.ended,
    }
}
