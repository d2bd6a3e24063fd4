//! What intake stores.

use super::*;

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
