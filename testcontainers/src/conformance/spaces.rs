//! What is stored of a space, and that it is of that space only.

use saidso_core::{
    decay::Hit,
    fault::Fault,
    ids::{MarkId, ObservationId, TenantId},
    marks::Mark,
    observation::SealedObservation,
    ports::{Entry, Pinned, ReadBackRow, Section, SpaceRows, SpaceTurns, Write},
    record,
    scope::Scope,
    seal::{Field, Generation, KeyId, Replaced},
};

use super::{Backend, Desk};

const G: Generation = Generation(1);

fn rows(desk: &Desk, customer: &Scope) -> SpaceRows {
    desk.ports.store.rows(customer, G).expect("a read")
}

fn mark() -> Mark {
    Mark::Statement { about: MarkId::from_bytes([3; 16]), said_ms: 77 }
}

/// Two customers of one tenant, and two of one name of two tenants: nothing of one is read with the scope of another.
pub fn no_space_sees_another(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let owner = desk.customer("anna");
    let others = [desk.customer("ben"), desk.customer_of("south", "anna")];
    let entry = Entry { marks: vec![mark()], ..desk.entry(&owner, "I moved to Lyon") };
    let key = entry.key.as_ref().expect("the entry has a key").id;
    let position = desk.publish(entry);
    let session = desk.ports.names.ids(&owner).session("one");
    desk.apply(Section {
        writes: vec![Write::Observation(desk.observation(position, 1)), Write::SessionEnded { session, at_ms: 5 }],
        ..desk.section(&owner, position)
    });
    let turn = desk.turn(&owner, "I moved to Lyon").meta.id;
    let store = &desk.ports.store;
    for other in &others {
        assert_eq!(rows(&desk, other), SpaceRows::default());
        assert_eq!(store.applied(other, G).expect("a read"), None);
        assert_eq!(store.turn(other, turn).expect("a read"), None);
        assert_eq!(store.turns(other).expect("a read"), []);
        assert_eq!(store.marks(other).expect("a read"), []);
        assert!(desk.ports.keys.key(other, key).expect("a read").is_none());
    }
    let own = rows(&desk, &owner);
    assert_eq!((own.observations.len(), own.ended.len(), own.applied), (1, 1, Some(position)));
    assert_eq!(store.turns(&owner).expect("a read").len(), 1);
    assert_eq!(store.marks(&owner).expect("a read"), [mark()]);
}

/// Every space with a turn is visited once, with all of its turns; only those of tenants that are wanted, and none after
/// a fault.
pub fn every_space_with_a_turn_is_visited_once(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customers = [desk.customer("anna"), desk.customer("ben"), desk.customer_of("south", "anna")];
    for customer in &customers {
        desk.say(customer, "I moved to Lyon");
        desk.say(customer, "I sold the van");
    }
    let store = &desk.ports.store;
    let visited = |wanted: &dyn Fn(TenantId) -> bool| {
        let mut visited = Vec::new();
        let visit = &mut |mut stored: SpaceTurns| {
            stored.turns.sort_by_key(|row| row.turn);
            visited.push(stored);
            Ok(())
        };
        store.each_space(wanted, visit).expect("a read");
        visited.sort_by_key(|stored| (stored.tenant, stored.space));
        visited
    };
    let stored = |customer: &Scope| {
        let (tenant, space) = customer.key();
        let mut turns = store.turns(customer).expect("a read");
        turns.sort_by_key(|row| row.turn);
        SpaceTurns { tenant, space, turns }
    };
    let mut due: Vec<SpaceTurns> = customers.iter().map(stored).collect();
    due.sort_by_key(|stored| (stored.tenant, stored.space));
    assert!(due.iter().all(|stored| stored.turns.len() == 2));
    assert_eq!(visited(&|_| true), due);
    let south = customers[2].key().0;
    assert_eq!(visited(&|tenant| tenant == south), [stored(&customers[2])]);
    let mut seen = 0;
    let fault = store.each_space(&|_| true, &mut |_| {
        seen += 1;
        Err(Fault::lease_lost())
    });
    assert_eq!((fault, seen), (Err(Fault::lease_lost()), 1));
    let opened = record::open_turns(&due[0], desk.ports.keys.as_ref()).expect("a read").expect("the keys are there");
    assert_eq!((opened.0.key(), opened.1.len()), ((due[0].tenant, due[0].space), 2));
}

/// Each generation has its own observations and its own `applied`.
pub fn generations_are_apart(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let positions = ["I moved to Lyon", "I sold the van"].map(|text| desk.say(&customer, text));
    for (number, generation) in [(1, Generation(1)), (2, Generation(2))] {
        let position = positions[usize::from(number) - 1];
        let writes = vec![Write::Observation(desk.observation(position, number))];
        desk.apply(Section { generation, writes, ..desk.section(&customer, position) });
    }
    for (number, generation) in [(1, Generation(1)), (2, Generation(2))] {
        let rows = desk.ports.store.rows(&customer, generation).expect("a read");
        assert_eq!(rows.applied, Some(positions[usize::from(number) - 1]));
        assert_eq!(ids(&rows.observations), [ObservationId::from_bytes([number; 16])]);
    }
}

/// What a generation pins first stands, and is what everyone is told.
pub fn a_generation_is_pinned(backend: &impl Backend) {
    let pinned = |rules: &str| Pinned {
        extractor: "rules 1".into(),
        embedder: "words 1".into(),
        dimension: 64,
        rules: rules.into(),
    };
    let desk = Desk::at(backend.open());
    let pin = |desk: &Desk, generation, rules| desk.ports.generations.pin(generation, &pinned(rules)).expect("a pin");
    assert_eq!(pin(&desk, G, "one"), pinned("one"));
    assert_eq!(pin(&desk, G, "two"), pinned("one"));
    drop(desk);
    let desk = Desk::at(backend.open());
    assert_eq!(pin(&desk, G, "two"), pinned("one"));
    assert_eq!(pin(&desk, Generation(2), "two"), pinned("two"));
}

fn ids(observations: &[SealedObservation]) -> Vec<ObservationId> {
    let mut ids: Vec<_> = observations.iter().map(|observation| observation.row().id).collect();
    ids.sort();
    ids
}

/// An observation is one row under its id: put again it is replaced, removed it is gone; writes count in their order.
pub fn an_observation_is_replaced_and_removed(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let said = desk.say(&customer, "I moved to Lyon");
    let (one, two, three) = (desk.observation(said, 1), desk.observation(said, 2), desk.observation(said, 3));
    let writes = [&one, &two, &three].map(|observation| Write::Observation(observation.clone()));
    desk.apply(Section { writes: writes.to_vec(), ..desk.section(&customer, said) });
    assert_eq!(ids(&rows(&desk, &customer).observations), [one.row().id, two.row().id, three.row().id]);

    let later = desk.say(&customer, "I sold the van");
    let anew = desk.observation(said, 1);
    let writes = vec![
        Write::Observation(anew.clone()),
        Write::Remove(two.row().id),
        Write::Remove(three.row().id),
        Write::Observation(three.clone()),
    ];
    desk.apply(Section { writes, ..desk.section(&customer, later) });
    let mut left = rows(&desk, &customer).observations;
    left.sort_by_key(|observation| observation.row().id);
    assert_eq!(left, [anew, three]);
}

/// A turn whose words were blanked keeps its place, and its drops are set and cleared apart.
pub fn a_turn_sealed_anew_keeps_its_position(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let turn = desk.turn(&customer, "I moved to Lyon");
    let said = desk.say(&customer, "I moved to Lyon");
    let read = || desk.ports.store.turn(&customer, turn.meta.id).expect("a read").expect("the turn is stored");
    let first = read();

    let drops = desk.sealed(&customer, &turn, Field::Drops, &desk.turn_key(turn.meta.id, 0));
    let writes = vec![Write::Drops { turn: turn.meta.id, sealed: Some(drops.clone()) }];
    desk.apply(Section { writes, ..desk.section(&customer, said) });
    assert_eq!((read().drops, read().sealed), (Some(drops), first.sealed));

    let later = desk.say(&customer, "forget it");
    let key = desk.turn_key(turn.meta.id, 1);
    let sealed = desk.sealed(&customer, &turn, Field::Turn, &key);
    let writes = vec![
        Write::Turn { turn: turn.meta.id, sealed: sealed.clone() },
        Write::Drops { turn: turn.meta.id, sealed: None },
    ];
    desk.apply(Section { new_keys: vec![key.clone()], writes, ..desk.section(&customer, later) });
    assert_eq!((read().position, read().sealed, read().drops), (Some(said), sealed, None));
    assert!(desk.ports.keys.key(&customer, key.id).expect("a read").is_some());
}

/// What a request took stands in its space alone, under a key of its own, until both are let go.
pub fn what_a_request_took_is_kept_until_it_is_let_go(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let (anna, ben) = (desk.customer("anna"), desk.customer("ben"));
    let turn = desk.turn(&anna, "forget the van");
    let asked = desk.say(&anna, "forget the van");
    let key = desk.turn_key(desk.ports.names.ids(&anna).read_back(turn.meta.id), asked.stamp());
    let sealed = desk.sealed(&anna, &turn, Field::ReadBack, &key);
    let row = ReadBackRow { turn: turn.meta.id, session: turn.meta.session, sealed };
    let writes = vec![Write::ReadBack(row.clone())];
    desk.apply(Section { new_keys: vec![key.clone()], writes, ..desk.section(&anna, asked) });
    drop(desk);

    let desk = Desk::at(backend.open());
    let read = |desk: &Desk, customer: &Scope| desk.ports.store.read_backs(customer).expect("a read");
    let found = |desk: &Desk| desk.ports.keys.key(&anna, key.id).expect("a read").is_some();
    assert_eq!((read(&desk, &anna), read(&desk, &ben)), (vec![row], vec![]));
    assert!(found(&desk));
    let later = desk.say(&anna, "thanks");
    let KeyId::Turn { turn: named, .. } = key.id else { panic!("a turn's key") };
    let destroy = vec![Replaced { turn: named, below: later.stamp() }];
    let writes = vec![Write::NoReadBack(turn.meta.id)];
    desk.apply(Section { writes, destroy, ..desk.section(&anna, later) });
    assert_eq!(read(&desk, &anna), []);
    assert!(!found(&desk));
}

/// The vectors of a turn's passages are there with the space's rows, in their generation alone, and replaced and cleared.
pub fn the_vectors_of_passages_are_set_and_cleared(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let turn = desk.turn(&customer, "I moved to Lyon").meta.id;
    let read = |desk: &Desk| rows(desk, &customer).passages;
    let body = |position, number| desk.observation(position, number).row().body.clone();
    let mut last = None;
    for number in [1, 2] {
        let position = desk.say(&customer, if number == 1 { "I moved to Lyon" } else { "I sold the van" });
        let sealed = body(position, number);
        let writes = vec![
            Write::Observation(desk.observation(position, number)),
            Write::Passages { turn, sealed: Some(sealed.clone()) },
        ];
        desk.apply(Section { writes, ..desk.section(&customer, position) });
        assert_eq!(read(&desk), [(turn, sealed.clone())]);
        last = Some(sealed);
    }
    assert_eq!(desk.ports.store.rows(&customer, Generation(2)).expect("a read"), SpaceRows::default());
    drop(desk);

    let desk = Desk::at(backend.open());
    assert_eq!(rows(&desk, &customer).passages, [(turn, last.expect("two were written"))]);
    let position = desk.say(&customer, "I work nights");
    let writes = vec![Write::Passages { turn, sealed: None }];
    desk.apply(Section { writes, ..desk.section(&customer, position) });
    let left = rows(&desk, &customer);
    assert_eq!((left.passages, left.observations.len()), (vec![], 2));
}

/// Of several ends of a session the latest counts, whichever came first.
pub fn the_latest_end_of_a_session_counts(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let session = desk.ports.names.ids(&customer).session("one");
    for (text, at_ms) in [("I moved to Lyon", 500), ("I sold the van", 200), ("I work nights", 900)] {
        let position = desk.say(&customer, text);
        let writes = vec![Write::SessionEnded { session, at_ms }];
        desk.apply(Section { writes, ..desk.section(&customer, position) });
        let due = if at_ms == 900 { 900 } else { 500 };
        assert_eq!(rows(&desk, &customer).ended, [(session, due)]);
    }
}

/// Of several counts of a memory the one with the last hit stands, in its space alone.
pub fn the_last_hit_counts(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let (anna, ben) = (desk.customer("anna"), desk.customer("ben"));
    let hit = |memory: u8, count, last_ms| Hit { memory: ObservationId::from_bytes([memory; 16]), count, last_ms };
    let read = |desk: &Desk, customer: &Scope| {
        let mut hits = desk.ports.hits.hits(customer).expect("a read");
        hits.sort_by_key(|hit| hit.memory);
        hits
    };
    let put = |spaces: &[(Scope, Vec<Hit>)]| desk.ports.hits.put_hits(spaces).expect("a write");
    assert_eq!(read(&desk, &anna), []);
    put(&[(anna.clone(), vec![hit(1, 1, 1_000), hit(2, 7, 1_000)]), (ben.clone(), vec![hit(1, 3, 500)])]);
    put(&[(anna.clone(), vec![hit(1, 2, 2_000), hit(2, 8, 999)])]);
    put(&[]);
    assert_eq!(read(&desk, &anna), [hit(1, 2, 2_000), hit(2, 7, 1_000)]);
    drop(desk);
    let desk = Desk::at(backend.open());
    assert_eq!(read(&desk, &desk.customer("anna")), [hit(1, 2, 2_000), hit(2, 7, 1_000)]);
    assert_eq!(read(&desk, &desk.customer("ben")), [hit(1, 3, 500)]);
}

/// Whatever a commit wrote is read back the same by the next process.
pub fn everything_is_there_after_a_restart(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let position = desk.say(&customer, "I moved to Lyon");
    let session = desk.ports.names.ids(&customer).session("one");
    desk.apply(Section {
        writes: vec![
            Write::Observation(desk.observation(position, 1)),
            Write::Observation(desk.observation(position, 2)),
            Write::Mark(mark()),
            Write::SessionEnded { session, at_ms: 5 },
        ],
        ..desk.section(&customer, position)
    });
    let before = (rows(&desk, &customer), desk.ports.store.turns(&customer).expect("a read"));
    drop(desk);
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    assert_eq!((rows(&desk, &customer), desk.ports.store.turns(&customer).expect("a read")), before);
    assert_eq!(before.0.observations.len(), 2);
    assert_eq!(desk.ports.store.marks(&customer).expect("a read"), [mark()]);
}
