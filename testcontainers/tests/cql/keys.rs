//! Keys.

use super::*;

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
