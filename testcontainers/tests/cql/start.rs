//! Opening a keyspace, and what is pinned in it.

use super::*;

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
