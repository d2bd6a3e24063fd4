//! The CQL store by itself, on a real server: what the conformance suite, which needs a log too, does not reach.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use saidso_core::{
    access::{self, Request, Tokens},
    fault::{Code, Fault, Remedy},
    ids::{MarkId, ObservationId, SessionId, TurnId},
    item::Kind,
    marks::Mark,
    observation::{ObservationRow, SealedObservation},
    ports::{
        Change, Entropy as _, Entry, Generations as _, Keys as _, Lease, Ledger as _, LogIdentity, Pinned, Section,
        Store as _, TurnRow, Write,
    },
    position::Position,
    record::{self, Progress, Record, RecordHead, RecordParts, Topic},
    scope::Scope,
    seal::{Field, Generation, Key, KeyId, NamedKey, Replaced, Sealed},
};
use saidso_cql::{Cql, Options, Replication};
use saidso_testcontainers::{
    conformance::Seeded,
    servers::{Service, shared},
};
use scylla::{
    client::{session::Session, session_builder::SessionBuilder},
    response::query_result::QueryRowsResult,
    serialize::row::SerializeRow,
};
use tokio::runtime::Runtime;

const G: Generation = Generation(1);
const LEASE: Lease = Lease { topic: Topic::Embedded, token: 1 };

/// A keyspace of a test's own.
struct Keyspace {
    name: String,
    kek: Key,
}

impl Keyspace {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("cql_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        Self { name, kek: Key::new([7; 32]) }
    }

    fn options(&self) -> Options {
        Options {
            hosts: vec![shared(Service::Cql).address().to_owned()],
            keyspace: self.name.clone(),
            replication: Replication::Everywhere(1),
            data_centre: None,
            user: None,
            kek: self.kek.clone(),
            timeout: Duration::from_secs(30),
        }
    }

    fn open(&self) -> Cql {
        Cql::open(&self.options(), Arc::new(Seeded)).expect("the keyspace opens")
    }

    fn refused(&self, options: &Options) -> Fault {
        let Err(fault) = Cql::open(options, Arc::new(Seeded)) else { panic!("{} opened", self.name) };
        fault
    }

    /// Another client's statement.
    fn raw(&self, cql: &str, values: impl SerializeRow) -> Option<QueryRowsResult> {
        Runtime::new().expect("a runtime").block_on(async {
            let session: Session =
                SessionBuilder::new().known_node(shared(Service::Cql).address()).build().await.expect("a session");
            session.use_keyspace(&self.name, true).await.expect("the keyspace");
            session.query_unpaged(cql, values).await.expect("a statement").into_rows_result().ok()
        })
    }
}

fn customer_of(cql: &Cql, tenant: &str, space: &str) -> Scope {
    let mut tokens = Tokens::default();
    tokens.add("secret", tenant);
    let token = tokens.verify("secret").expect("it was added");
    access::admit(&cql.names(), &token, Request { tenant: None, space }).expect("it opens its tenant's spaces")
}

fn customer(cql: &Cql, space: &str) -> Scope {
    customer_of(cql, "north", space)
}

fn at(offset: u64) -> Position {
    Position { epoch: 1, partition: 0, offset }
}

fn turn(number: u8) -> TurnId {
    TurnId::from_bytes([number; 16])
}

fn turn_key(turn: TurnId, version: u64) -> NamedKey {
    let mut attempt = [0; 4];
    Seeded.fill(&mut attempt);
    NamedKey { id: KeyId::Turn { turn, version, attempt: u32::from_be_bytes(attempt) }, key: Key::random(&Seeded) }
}

fn sealed(key: &NamedKey, length: usize) -> Sealed {
    let mut bytes = vec![0; length];
    Seeded.fill(&mut bytes);
    Sealed { key: key.id, bytes }
}

/// A turn as intake admits it, under a new key.
fn entry(scope: &Scope, number: u8) -> Entry {
    let key = turn_key(turn(number), 0);
    let head = RecordHead { id: *turn(number).as_bytes(), generation: Generation::ALL, position: None, accepted_ms: 0 };
    let record = Record::seal(scope, head, Field::Progress, &key, &Progress, &Seeded);
    let row = TurnRow { turn: turn(number), position: None, sealed: sealed(&key, 100), drops: None };
    Entry { scope: scope.clone(), key: Some(key), turn: Some(row), marks: Vec::new(), record }
}

fn key_of(entry: &Entry) -> KeyId {
    entry.key.as_ref().expect("it has a key").id
}

fn admit(cql: &Cql, entry: &Entry) -> Option<Position> {
    let known = cql.admit(std::slice::from_ref(entry)).expect("an admission");
    assert_eq!(known.len(), 1, "one entry has one answer");
    known[0]
}

fn has(cql: &Cql, scope: &Scope, id: KeyId) -> bool {
    cql.key(scope, id).expect("a read").is_some()
}

fn observation(number: u32, length: usize) -> SealedObservation {
    let mut id = [0; 16];
    id[..4].copy_from_slice(&number.to_be_bytes());
    let key = turn_key(turn(1), 0);
    SealedObservation::stored(ObservationRow {
        id: ObservationId::from_bytes(id),
        turn: turn(1),
        position: at(3),
        at_ms: i64::from(number),
        kind: Kind::Event,
        body: sealed(&key, length),
        vector: (number % 2 == 0).then(|| sealed(&key, 50)),
    })
}

fn section(scope: &Scope, position: Position) -> Section {
    Section {
        scope: scope.clone(),
        generation: G,
        position,
        accepted_ms: 0,
        new_keys: Vec::new(),
        writes: Vec::new(),
        destroy: Vec::new(),
    }
}

fn try_apply(cql: &Cql, token: u64, sections: &[Section]) -> Result<Vec<Change>, Fault> {
    cql.apply(&Lease { token, ..LEASE }, sections, &|| true)
}

fn apply(cql: &Cql, sections: &[Section]) -> Vec<Position> {
    applied(try_apply(cql, LEASE.token, sections).expect("they are applied"))
}

fn applied(changes: Vec<Change>) -> Vec<Position> {
    changes.into_iter().map(|change| change.applied).collect()
}

fn observations(cql: &Cql, scope: &Scope) -> Vec<SealedObservation> {
    cql.rows(scope, G).expect("a read").observations
}

#[test]
fn what_is_written_once_has_timestamp_0_and_gives_way() {
    let keyspace = Keyspace::new();
    let cql = keyspace.open();
    let anna = customer(&cql, "anna");
    let first = entry(&anna, 1);
    assert_eq!(admit(&cql, &first), None);
    let times = keyspace.raw("SELECT writetime(sealed) FROM turns", ()).expect("rows");
    assert_eq!(times.single_row::<(i64,)>().expect("one row"), (0,));
    let times = keyspace.raw("SELECT writetime(wrapped) FROM keys", ()).expect("rows");
    assert_eq!(times.single_row::<(i64,)>().expect("one row"), (0,));

    // The turn's words are blanked; then a copy of it comes that was taken before its position was noted.
    let anew = turn_key(turn(1), at(5).stamp());
    let blanked = sealed(&anew, 100);
    apply(
        &cql,
        &[Section {
            new_keys: vec![anew.clone()],
            writes: vec![Write::Turn { turn: turn(1), sealed: blanked.clone() }],
            destroy: vec![Replaced { turn: turn(1), below: at(5).stamp() }],
            ..section(&anna, at(5))
        }],
    );
    assert_eq!(admit(&cql, &entry(&anna, 1)), None);
    let row = cql.turn(&anna, turn(1)).expect("a read").expect("it is stored");
    assert_eq!(row.sealed, blanked);
    assert!(has(&cql, &anna, anew.id));

    // Nor does a key come back that was destroyed.
    assert!(!has(&cql, &anna, key_of(&first)));
    admit(&cql, &first);
    assert!(!has(&cql, &anna, key_of(&first)));
}

#[test]
fn of_several_positions_of_a_turn_the_first_stays() {
    let cql = Keyspace::new().open();
    let anna = customer(&cql, "anna");
    for (number, order) in [(1, [20, 30]), (2, [30, 20])] {
        let said = entry(&anna, number);
        assert_eq!(admit(&cql, &said), None);
        assert_eq!(admit(&cql, &said), None, "it is not published yet");
        for offset in order {
            cql.note(&[(anna.clone(), turn(number), at(offset))]).expect("a note");
        }
        assert_eq!(admit(&cql, &said), Some(at(20)));
        let row = cql.turn(&anna, turn(number)).expect("a read").expect("it is stored");
        assert_eq!(row.position, Some(at(20)));
    }
    assert_eq!(cql.turns(&anna).expect("a read").len(), 2);
}

#[test]
fn a_position_without_a_turn_is_no_turn() {
    let cql = Keyspace::new().open();
    let anna = customer(&cql, "anna");
    cql.note(&[(anna.clone(), turn(1), at(1))]).expect("a note");
    assert_eq!(cql.turn(&anna, turn(1)).expect("a read"), None);
    assert_eq!(cql.turns(&anna).expect("a read"), []);
}

#[test]
fn a_known_turn_keeps_its_row_and_key_and_still_gets_its_marks() {
    let cql = Keyspace::new().open();
    let anna = customer(&cql, "anna");
    let first = entry(&anna, 1);
    admit(&cql, &first);
    cql.note(&[(anna.clone(), turn(1), at(1))]).expect("a note");
    let mark = Mark::Statement { about: MarkId::from_bytes([3; 16]), said_ms: 77 };
    let again = Entry { marks: vec![mark], ..entry(&anna, 1) };
    assert_eq!(admit(&cql, &again), Some(at(1)));
    assert_eq!(cql.marks(&anna).expect("a read"), [mark]);
    assert!(has(&cql, &anna, key_of(&first)) && !has(&cql, &anna, key_of(&again)));
    let row = cql.turn(&anna, turn(1)).expect("a read").expect("it is stored");
    assert_eq!(Some(row.sealed), first.turn.map(|turn| turn.sealed));
}

#[test]
fn an_entry_of_another_space_is_refused() {
    let cql = Keyspace::new().open();
    let (anna, ben) = (customer(&cql, "anna"), customer(&cql, "ben"));
    let fault = cql.admit(&[Entry { scope: ben.clone(), ..entry(&anna, 1) }]).expect_err("it is refused");
    assert_eq!((fault.code, fault.remedy), (Code::Undecodable, Remedy::Stop));
    assert_eq!(cql.turns(&ben).expect("a read"), []);
}

#[test]
fn sections_apply_in_order_and_spaces_apart() {
    let cql = Keyspace::new().open();
    let (anna, ben) = (customer(&cql, "anna"), customer(&cql, "ben"));
    let write = |number| vec![Write::Observation(observation(number, 100))];
    let sections = [
        Section { writes: write(1), ..section(&anna, at(1)) },
        Section { writes: write(2), ..section(&ben, at(2)) },
        Section { writes: write(2), ..section(&anna, at(3)) },
        Section { generation: Generation(2), writes: write(3), ..section(&anna, at(3)) },
        section(&anna, at(4)),
    ];
    let changes = try_apply(&cql, 1, &sections).expect("they are applied");
    let spaces: Vec<_> = changes.iter().map(|change| (change.tenant, change.space)).collect();
    assert_eq!(spaces, [anna.key(), ben.key(), anna.key(), anna.key(), anna.key()]);
    assert_eq!(applied(changes), [1, 2, 3, 3, 4].map(at));
    assert_eq!(observations(&cql, &anna).len(), 2);
    assert_eq!(observations(&cql, &ben).len(), 1);
    assert_eq!(cql.rows(&anna, Generation(2)).expect("a read").observations.len(), 1);
    let applied = |scope, generation| cql.applied(scope, generation).expect("a read");
    assert_eq!(applied(&anna, G), Some(at(4)));
    assert_eq!(applied(&anna, Generation(2)), Some(at(3)));
    assert_eq!(applied(&ben, G), Some(at(2)));
    assert_eq!(applied(&ben, Generation(2)), None);
    assert_eq!(applied(&customer_of(&cql, "south", "anna"), G), None);
}

#[test]
fn of_the_writes_of_a_section_the_last_counts() {
    let cql = Keyspace::new().open();
    let anna = customer(&cql, "anna");
    admit(&cql, &entry(&anna, 1));
    let [one, two, three] = [1, 2, 3].map(|number| observation(number, 100));
    let drops = sealed(&turn_key(turn(1), 0), 40);
    let set = |sealed| Write::Drops { turn: turn(1), sealed };
    let writes = vec![one.clone(), two.clone(), three.clone()].into_iter().map(Write::Observation);
    let writes = writes.chain([set(Some(drops.clone())), set(None), set(Some(drops.clone()))]).collect();
    apply(&cql, &[Section { writes, ..section(&anna, at(1)) }]);
    assert_eq!(cql.turn(&anna, turn(1)).expect("a read").expect("it is stored").drops, Some(drops.clone()));

    let anew = observation(1, 120);
    let writes = vec![
        Write::Observation(anew.clone()),
        Write::Remove(two.row().id),
        Write::Remove(three.row().id),
        Write::Observation(three.clone()),
        set(Some(drops)),
        set(None),
    ];
    apply(&cql, &[Section { writes, ..section(&anna, at(2)) }]);
    assert_eq!(observations(&cql, &anna), [anew, three]);
    assert_eq!(cql.turn(&anna, turn(1)).expect("a read").expect("it is stored").drops, None);
}

#[test]
fn the_latest_end_of_a_session_counts() {
    let cql = Keyspace::new().open();
    let anna = customer(&cql, "anna");
    let session = SessionId::from_bytes([1; 16]);
    for (offset, at_ms, due) in [(1, 500, 500), (2, 200, 500), (3, 900, 900)] {
        let writes = vec![Write::SessionEnded { session, at_ms }];
        apply(&cql, &[Section { writes, ..section(&anna, at(offset)) }]);
        assert_eq!(cql.rows(&anna, G).expect("a read").ended, [(session, due)]);
    }
}

#[test]
fn a_stale_section_writes_nothing_and_spares_the_key_a_turn_stands_under() {
    let cql = Keyspace::new().open();
    let anna = customer(&cql, "anna");
    let said = entry(&anna, 1);
    admit(&cql, &said);
    let (second, third) = (turn_key(turn(1), at(2).stamp()), turn_key(turn(1), at(4).stamp()));
    let reseal = |key: &NamedKey, position: Position| Section {
        new_keys: vec![key.clone()],
        writes: vec![Write::Turn { turn: turn(1), sealed: sealed(key, 100) }],
        ..section(&anna, position)
    };
    apply(&cql, &[reseal(&second, at(2)), reseal(&third, at(4))]);
    assert!(has(&cql, &anna, key_of(&said)) && has(&cql, &anna, second.id), "nobody destroyed them yet");
    let refused = turn_key(turn(1), at(3).stamp());
    let mark = Mark::Statement { about: MarkId::from_bytes([3; 16]), said_ms: 77 };
    let stale = Section {
        new_keys: vec![refused.clone()],
        writes: vec![Write::Observation(observation(1, 100)), Write::Mark(mark)],
        destroy: vec![Replaced { turn: turn(1), below: u64::MAX >> 1 }],
        ..section(&anna, at(3))
    };
    for token in [1, 2] {
        assert_eq!(applied(try_apply(&cql, token, &[stale.clone()]).expect("a repeat")), [at(4)]);
        assert_eq!(observations(&cql, &anna), []);
        assert_eq!(cql.marks(&anna).expect("a read"), []);
        assert!(!has(&cql, &anna, key_of(&said)) && !has(&cql, &anna, second.id) && !has(&cql, &anna, refused.id));
        assert!(has(&cql, &anna, third.id), "the turn stands under it");
    }
}

#[test]
fn who_takes_a_space_over_destroys_what_a_crash_left() {
    let keyspace = Keyspace::new();
    let cql = keyspace.open();
    let (anna, ben) = (customer(&cql, "anna"), customer(&cql, "ben"));
    // What a section wrote whose process ended before it destroyed a key: taken from a space where it had none.
    apply(&cql, &[Section { destroy: vec![Replaced { turn: turn(1), below: 5 }], ..section(&ben, at(5)) }]);
    let said = entry(&anna, 1);
    admit(&cql, &said);
    let statics = keyspace.raw("SELECT applied, destroy FROM observations", ()).expect("rows");
    let (applied, destroy) = statics.single_row::<(Vec<u8>, Vec<u8>)>().expect("one partition");
    let (tenant, space) = anna.key();
    keyspace.raw(
        "INSERT INTO observations (tenant, space, generation, applied, destroy) VALUES (?, ?, 1, ?, ?) \
         USING TIMESTAMP 5",
        (tenant.as_bytes().to_vec(), space.as_bytes().to_vec(), applied, destroy),
    );
    assert!(has(&cql, &anna, key_of(&said)));
    let next = keyspace.open();
    apply(&next, &[section(&anna, at(6))]);
    assert!(!has(&next, &anna, key_of(&said)));
}

#[test]
fn a_forget_too_large_for_one_batch_loses_nothing_in_a_crash() {
    const ALL: u32 = 3_000;
    let keyspace = Keyspace::new();
    let cql = keyspace.open();
    let anna = customer(&cql, "anna");
    let said = entry(&anna, 1);
    admit(&cql, &said);
    let rows: Vec<_> = (0..ALL).map(|number| observation(number, 20)).collect();
    let writes = rows.iter().cloned().map(Write::Observation).collect();
    apply(&cql, &[Section { writes, ..section(&anna, at(1)) }]);

    let anew = turn_key(turn(1), at(2).stamp());
    let (gone, kept) = rows.split_at(ALL as usize - 10);
    let kept: Vec<_> = kept.iter().map(|row| observation(row.row().at_ms as u32, 30)).collect();
    let mut writes = vec![Write::Turn { turn: turn(1), sealed: sealed(&anew, 100) }];
    writes.extend(gone.iter().map(|row| Write::Remove(row.row().id)));
    writes.extend(kept.iter().cloned().map(Write::Observation));
    let destroy = vec![Replaced { turn: turn(1), below: at(2).stamp() }];
    let forget = Section { new_keys: vec![anew.clone()], writes, destroy, ..section(&anna, at(2)) };

    // The process ends before each batch in turn; the next one takes the space over with an old section.
    let mut removed = Vec::new();
    for batches in 0.. {
        let crashing = keyspace.open();
        let asked = AtomicUsize::new(0);
        let alive = || asked.fetch_add(1, Ordering::Relaxed) < batches;
        let ended = crashing.apply(&Lease { token: 5, ..LEASE }, std::slice::from_ref(&forget), &alive);
        let next = keyspace.open();
        apply(&next, &[section(&anna, at(1))]);
        let left = next.rows(&anna, G).expect("a read");
        removed.push(ALL as usize - left.observations.len());
        let destroyed = !has(&next, &anna, key_of(&said));
        assert!(has(&next, &anna, anew.id));
        if ended.is_ok() {
            assert_eq!((left.applied, destroyed), (Some(at(2)), true));
            assert_eq!(left.observations, kept);
            break;
        }
        assert_eq!((ended, left.applied), (Err(Fault::lease_lost()), Some(at(1))));
        let resealed = left.observations[left.observations.len() - 10..] == kept;
        assert!(resealed || (removed[batches] == 0 && !destroyed), "rows that stay are sealed anew first");
        assert!(destroyed || removed[batches] == 0, "what names a turn goes only once its keys are as good as gone");
    }
    assert!(removed.iter().any(|removed| (1..gone.len()).contains(removed)), "it took several: {removed:?}");
}

#[test]
fn a_writer_that_lost_its_lease_unawares_loses() {
    let keyspace = Keyspace::new();
    let (stale, newer) = (keyspace.open(), keyspace.open());
    let anna = customer(&stale, "anna");
    let write = |number, length| Write::Observation(observation(number, length));
    apply(&stale, &[Section { writes: vec![write(1, 10), write(2, 10)], ..section(&anna, at(1)) }]);
    let (fifteen, twenty) = (write(1, 15), observation(1, 20));
    let seen = Section { writes: vec![fifteen.clone(), write(3, 15)], ..section(&anna, at(15)) };
    let next = Section {
        writes: vec![Write::Observation(twenty.clone()), Write::Remove(observation(2, 0).row().id)],
        ..section(&anna, at(20))
    };
    try_apply(&newer, 2, &[seen, next]).expect("they are applied");
    // The frozen one wakes, and believes that the space stands at 1.
    apply(&stale, &[Section { writes: vec![fifteen, write(2, 15)], ..section(&anna, at(15)) }]);
    let rows = newer.rows(&anna, G).expect("a read");
    assert_eq!(rows.applied, Some(at(20)));
    let ids: Vec<_> = rows.observations.iter().map(|row| row.row().at_ms).collect();
    assert_eq!(ids, [1, 3]);
    assert_eq!(rows.observations[0], twenty);
}

#[test]
fn a_lease_is_asked_for_before_a_space_is_written() {
    let cql = Keyspace::new().open();
    let anna = customer(&cql, "anna");
    let sections = [Section { writes: vec![Write::Observation(observation(1, 10))], ..section(&anna, at(1)) }];
    assert_eq!(cql.apply(&LEASE, &sections, &|| false), Err(Fault::lease_lost()));
    assert_eq!((cql.applied(&anna, G).expect("a read"), observations(&cql, &anna)), (None, vec![]));
    assert_eq!(apply(&cql, &sections), [at(1)]);
}

#[test]
fn what_a_lease_found_counts_for_that_lease_only() {
    let keyspace = Keyspace::new();
    let (one, other) = (keyspace.open(), keyspace.open());
    let anna = customer(&one, "anna");
    apply(&one, &[section(&anna, at(1))]);
    try_apply(&other, 2, &[section(&anna, at(9))]).expect("it is applied");
    let again = Section { writes: vec![Write::Observation(observation(1, 10))], ..section(&anna, at(5)) };
    assert_eq!(applied(try_apply(&one, 3, &[again]).expect("a repeat")), [at(9)]);
    assert_eq!(observations(&one, &anna), []);
}

#[test]
fn a_section_of_any_size_is_written_and_read_whole() {
    let cql = Keyspace::new().open();
    let anna = customer(&cql, "anna");
    let all: Vec<_> = (0..3_000).map(|number| observation(number, 500)).collect();
    let writes = all.iter().cloned().map(Write::Observation).collect();
    apply(&cql, &[Section { writes, ..section(&anna, at(1)) }]);
    let rows = cql.rows(&anna, G).expect("a read");
    assert_eq!(rows.applied, Some(at(1)));
    assert_eq!(rows.observations, all);
    // As large as a turn's fattest item can be, and a list of keys that no batch takes.
    let destroy = (0..4_000_u32).map(|number| {
        let mut id = [9; 16];
        id[..4].copy_from_slice(&number.to_be_bytes());
        Replaced { turn: TurnId::from_bytes(id), below: 1 }
    });
    let fat = observation(7, 100_000);
    let writes = vec![Write::Observation(fat.clone())];
    apply(&cql, &[Section { writes, destroy: destroy.collect(), ..section(&anna, at(2)) }]);
    assert_eq!(observations(&cql, &anna)[7], fat);
}

#[test]
fn a_read_of_many_pages_sees_a_section_whole() {
    const BEFORE: u32 = 2_500;
    const SECTIONS: u32 = 60;
    let keyspace = Keyspace::new();
    let (writer, reader) = (keyspace.open(), keyspace.open());
    let anna = customer(&writer, "anna");
    let writes = (0..BEFORE).map(|number| Write::Observation(observation(number + (1 << 16), 50))).collect();
    apply(&writer, &[Section { writes, ..section(&anna, at(0)) }]);
    let done = AtomicBool::new(false);
    thread::scope(|threads| {
        threads.spawn(|| {
            for step in 1..=SECTIONS {
                // One row at the beginning of the order and one at its end.
                let (low, high) = (observation(step, 50), observation(u32::MAX - step, 50));
                let writes = [low, high].map(Write::Observation).to_vec();
                apply(&writer, &[Section { writes, ..section(&anna, at(u64::from(step))) }]);
            }
            done.store(true, Ordering::Release);
        });
        loop {
            let last = done.load(Ordering::Acquire);
            let rows = reader.rows(&anna, G).expect("a read");
            let step = rows.applied.expect("it was applied").offset;
            assert_eq!(rows.observations.len() as u64, u64::from(BEFORE) + 2 * step);
            if last {
                return assert_eq!(step, u64::from(SECTIONS));
            }
        }
    });
}

#[test]
fn first_starts_at_once_agree() {
    let keyspace = Keyspace::new();
    let tenants = thread::scope(|threads| {
        let starts: Vec<_> = (0..4)
            .map(|_| {
                threads.spawn(|| {
                    let cql = keyspace.open();
                    (cql.names().tenant("north"), cql)
                })
            })
            .collect();
        starts.into_iter().map(|start| start.join().expect("a start")).collect::<Vec<_>>()
    });
    assert!(tenants.iter().all(|(tenant, _)| *tenant == tenants[0].0));
    // Also on keys: what one wrapped, another opens; and of a space's keys all use one.
    let said = entry(&customer(&tenants[0].1, "anna"), 1);
    admit(&tenants[0].1, &said);
    for (_, cql) in &tenants {
        assert!(has(cql, &said.scope, key_of(&said)));
    }
    let keys = thread::scope(|threads| {
        let asked = tenants.iter().map(|(_, cql)| threads.spawn(|| cql.space_key(&customer(cql, "ben"))));
        let asked: Vec<_> = asked.collect();
        asked.into_iter().map(|asked| asked.join().expect("an answer").expect("a key")).collect::<Vec<_>>()
    });
    for key in keys {
        for (_, cql) in &tenants {
            let found = cql.key(&customer(cql, "ben"), key.id).expect("a read").expect("all of them stand");
            assert_eq!(found.bytes(), key.key.bytes());
        }
    }
}

#[test]
fn another_key_encryption_key_is_refused() {
    let keyspace = Keyspace::new();
    let tenant = keyspace.open().names().tenant("north");
    let fault = keyspace.refused(&Options { kek: Key::new([8; 32]), ..keyspace.options() });
    assert_eq!((fault.code, fault.remedy), (Code::WrongKey, Remedy::Stop));
    assert_eq!(keyspace.open().names().tenant("north"), tenant);
}

#[test]
fn newer_tables_are_refused() {
    let keyspace = Keyspace::new();
    drop(keyspace.open());
    keyspace.raw("INSERT INTO schema_version (kind, version) VALUES ('tables', 1000)", ());
    let fault = keyspace.refused(&keyspace.options());
    assert_eq!((fault.code, fault.remedy), (Code::NewerFormat, Remedy::Stop));
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let keyspace = Keyspace::new();
    let two = [("one".to_owned(), 1), ("two".to_owned(), 1)];
    for options in [
        Options { hosts: Vec::new(), ..keyspace.options() },
        Options { keyspace: String::new(), ..keyspace.options() },
        Options { keyspace: "k\" WITH".into(), ..keyspace.options() },
        Options { keyspace: "k".repeat(49), ..keyspace.options() },
        Options { replication: Replication::In([("d'c".to_owned(), 1)].into()), ..keyspace.options() },
        Options { replication: Replication::In(two.into()), ..keyspace.options() },
    ] {
        let fault = keyspace.refused(&options);
        assert_eq!((fault.code, fault.remedy), (Code::Limit, Remedy::Stop));
    }
}

#[test]
fn a_store_that_is_away_is_a_retry() {
    let keyspace = Keyspace::new();
    let hosts = vec!["127.0.0.1:1".to_owned()];
    let fault = keyspace.refused(&Options { hosts, timeout: Duration::from_secs(1), ..keyspace.options() });
    assert_eq!((fault.code, fault.remedy), (Code::StoreUnavailable, Remedy::Retry));
    assert_eq!(keyspace.open().check(), Ok(()));
}

#[test]
fn what_is_pinned_first_stands() {
    let keyspace = Keyspace::new();
    let cql = keyspace.open();
    let pinned = |rules: &str| Pinned {
        extractor: "rules 1".into(),
        embedder: "words 1".into(),
        dimension: 64,
        rules: rules.into(),
    };
    assert_eq!(cql.pin(G, &pinned("one")), Ok(pinned("one")));
    assert_eq!(keyspace.open().pin(G, &pinned("two")), Ok(pinned("one")));
    assert_eq!(cql.pin(Generation(2), &pinned("two")), Ok(pinned("two")));

    let log = |epoch, id: &str| LogIdentity { epoch, topics: vec![("turns".into(), id.into(), 4)] };
    assert_eq!(cql.pin_log(&log(3, "a")), Ok(log(3, "a")));
    assert_eq!(keyspace.open().pin_log(&log(3, "b")), Ok(log(3, "a")));
    assert_eq!(cql.pin_log(&log(4, "c")), Ok(log(4, "c")));
    assert_eq!(cql.pin_log(&log(3, "a")).expect_err("it is over").remedy, Remedy::Stop);
    assert_eq!(cql.pin_log(&log(1_024, "d")).expect_err("no timestamp holds it").code, Code::Limit);
    assert_eq!(cql.pin_log(&log(1_023, "d")), Ok(log(1_023, "d")));
}

#[test]
fn the_last_position_fits_a_timestamp() {
    let cql = Keyspace::new().open();
    let anna = customer(&cql, "anna");
    let last = Position { epoch: 1_023, partition: 0, offset: (1 << 40) - 1 };
    admit(&cql, &entry(&anna, 1));
    cql.note(&[(anna.clone(), turn(1), last), (anna.clone(), turn(1), at(1))]).expect("a note");
    assert_eq!(cql.turn(&anna, turn(1)).expect("a read").expect("it is stored").position, Some(at(1)));
    assert_eq!(apply(&cql, &[section(&anna, at(1)), section(&anna, last)]), [at(1), last]);
    assert_eq!(cql.applied(&anna, G), Ok(Some(last)));
    for beyond in [Position { epoch: 1_024, ..at(0) }, Position { offset: 1 << 40, ..last }] {
        let fault = try_apply(&cql, 1, &[section(&anna, beyond)]).expect_err("it is refused");
        assert_eq!((fault.code, fault.remedy), (Code::Limit, Remedy::Stop));
    }
}

#[test]
fn keys_are_found_in_their_space_only_and_gone_at_once() {
    let keyspace = Keyspace::new();
    let (cql, cold) = (keyspace.open(), keyspace.open());
    let (anna, ben) = (customer(&cql, "anna"), customer(&cql, "ben"));
    let entries: Vec<Entry> = (1..=5).map(|number| entry(&anna, number)).collect();
    cql.admit(&entries).expect("an admission");
    let ids: Vec<KeyId> = entries.iter().map(key_of).collect();
    // Fetched together or alone, by whom they were made or another.
    cold.warm(&anna, &ids[..4]);
    for (entry, id) in entries.iter().zip(&ids) {
        let key = entry.key.as_ref().expect("it has a key");
        for cql in [&cql, &cold, &cold] {
            assert_eq!(cql.key(&anna, *id).expect("a read").expect("it stands").bytes(), key.key.bytes());
        }
        assert!(!has(&cql, &ben, *id) && !has(&cql, &customer_of(&cql, "south", "anna"), *id));
    }
    let own = cql.space_key(&anna).expect("a key");
    assert_eq!(cold.space_key(&anna).expect("a key").id, own.id);
    assert_eq!(keyspace.open().key(&anna, own.id).expect("a read").expect("it stands").bytes(), own.key.bytes());

    apply(&cql, &[Section { destroy: vec![Replaced { turn: turn(1), below: 1 }], ..section(&anna, at(1)) }]);
    assert!(!has(&cql, &anna, ids[0]) && has(&cql, &anna, ids[1]));
    assert!(!has(&keyspace.open(), &anna, ids[0]));
}

#[test]
fn a_record_of_another_tenant_is_refused() {
    let keyspace = Keyspace::new();
    let cql = keyspace.open();
    let said = entry(&customer(&cql, "anna"), 1);
    admit(&cql, &said);
    let (south, _) = customer_of(&cql, "south", "anna").key();
    let moved = Record::from_parts(RecordParts { tenant: south, ..said.record.parts().clone() });
    for cql in [&cql, &keyspace.open()] {
        cql.check().expect("it answers");
        let fault = record::open::<Progress>(&moved, cql).expect_err("it does not open");
        assert_eq!((fault.code, fault.remedy), (Code::Undecodable, Remedy::DeadLetter));
    }
}

#[test]
fn any_thread_that_may_block_may_call() {
    let keyspace = Keyspace::new();
    let runtime = Runtime::new().expect("a runtime");
    let cql = keyspace.open();
    let other = cql.clone();
    let asked = runtime.block_on(async move { tokio::task::spawn_blocking(move || other.check()).await });
    assert_eq!(asked.expect("it does not panic"), Ok(()));
    // The last clone goes where nothing may block.
    runtime.block_on(async move { drop(cql) });
}
