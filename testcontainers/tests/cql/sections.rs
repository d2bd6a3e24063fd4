//! Sections, in order and after crashes.

use super::*;

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
        assert_eq!(applied(try_apply(&cql, token, std::slice::from_ref(&stale)).expect("a repeat")), [at(4)]);
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
