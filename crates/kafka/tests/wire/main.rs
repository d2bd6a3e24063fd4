//! The wire: what is written is read, what is not whole is not read, and every release reads those before it.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod registry;
mod released;
mod values;

use saidso_core::{
    fault::{Code, Fault, Remedy},
    ports::Change,
    position::Position,
    record::RecordParts,
    seal::{Field, Generation},
};
use saidso_kafka::wire::Codec;

fn codec() -> Codec {
    Codec::without_registry().unwrap()
}

/// Whether bytes are read, and come to a value.
type Reads = Box<dyn Fn(&Codec, &[u8]) -> Result<bool, Fault>>;

/// For each kind of record, by the name of its schema: the bytes of a value, and the way back to it.
fn examples(codec: &Codec) -> [(&'static str, Vec<u8>, Reads); 4] {
    let (turn, record, change, dead) = (values::turn(), values::record(), values::change(), values::dead_letter());
    [
        (
            "turn_completed",
            codec.turn("t", &turn).unwrap(),
            Box::new(move |by, bytes| Ok(by.read_turn(bytes)? == turn)),
        ),
        (
            "record",
            codec.record("r", &record).unwrap(),
            Box::new(move |by, bytes| Ok(by.read_record(bytes)? == record)),
        ),
        (
            "change",
            codec.change("c", &change).unwrap(),
            Box::new(move |by, bytes| Ok(by.read_change(bytes)? == change)),
        ),
        (
            "dead_letter",
            codec.dead_letter("d", &dead).unwrap(),
            Box::new(move |by, bytes| Ok(by.read_dead_letter(bytes)? == dead)),
        ),
    ]
}

#[test]
fn what_is_written_is_read() {
    let codec = codec();
    for turn in values::turns() {
        assert_eq!(codec.read_turn(&codec.turn("t", &turn).unwrap()).unwrap(), turn);
    }
    for record in values::records() {
        assert_eq!(codec.read_record(&codec.record("r", &record).unwrap()).unwrap(), record);
    }
    for dead in values::dead_letters() {
        assert_eq!(codec.read_dead_letter(&codec.dead_letter("d", &dead).unwrap()).unwrap(), dead);
    }
    assert_eq!(codec.read_change(&codec.change("c", &values::change()).unwrap()).unwrap(), values::change());
}

/// What is to be done about it, and the cause; nothing for what was not refused.
type Refused = Option<(Remedy, Code)>;

fn remedy<T>(result: Result<T, Fault>) -> Refused {
    result.err().map(|fault| (fault.remedy, fault.code))
}

const UNDECODABLE: Refused = Some((Remedy::DeadLetter, Code::Undecodable));

#[test]
fn a_part_of_a_record_or_more_than_one_is_refused() {
    let codec = codec();
    for (name, bytes, reads) in examples(&codec) {
        assert!(reads(&codec, &bytes).unwrap(), "{name}");
        for end in 0..bytes.len() {
            assert_eq!(remedy(reads(&codec, &bytes[..end])), UNDECODABLE, "{name}, its first {end} bytes");
        }
        for more in [&[0][..], &[0xff], &bytes] {
            assert_eq!(remedy(reads(&codec, &[&bytes, more].concat())), UNDECODABLE, "{name} and {more:?}");
        }
    }
}

#[test]
fn bytes_that_mean_nothing_are_refused() {
    let codec = codec();
    let small = Position { epoch: 0, partition: 0, offset: 0 };
    let refused = |name: &str, good: Vec<u8>, at: usize, byte: u8, read: &dyn Fn(&[u8]) -> Refused| {
        assert_eq!(read(&good), None, "{name} was good before");
        let mut bad = good;
        bad[at] = byte;
        assert_eq!(read(&bad), UNDECODABLE, "{name}");
    };
    // The header, three ids, and four numbers and the mark of an absent position, of a byte each.
    const FIELD: usize = 10 + 48 + 3;
    let [_, record, ..] = &values::records()[..] else { panic!("there are some") };
    let record = codec.record("r", &RecordParts { generation: Generation(0), ..record.clone() }).unwrap();
    let read = |bytes: &[u8]| remedy(codec.read_record(bytes));
    refused("an unknown field", record.clone(), FIELD, 12, &read);
    refused("an unknown kind of key", record.clone(), FIELD + 1, 4, &read);
    let end = record.len() - 1;
    refused("a forged length", record.clone(), end, 2, &read);
    refused("a negative length", record, end, 1, &read);

    let change = Change { applied: small, ..values::change() };
    let change = codec.change("c", &change).unwrap();
    refused("a negative offset", change, 10 + 32 + 3, 1, &|bytes| remedy(codec.read_change(bytes)));

    let dead = codec.dead_letter("d", &values::dead_letters()[0]).unwrap();
    refused("an unknown topic", dead, 11, b'b', &|bytes| remedy(codec.read_dead_letter(bytes)));

    let turn = codec.turn("t", &values::turn()).unwrap();
    let text = turn.windows(5).position(|window| window == b"pears").unwrap();
    refused("half a letter", turn, text, 0xff, &|bytes| remedy(codec.read_turn(bytes)));
}

#[test]
fn a_length_that_no_memory_holds_is_refused() {
    let [_, (_, record, reads), ..] = examples(&codec());
    // 64 sealed bytes, whose length takes two.
    let start = record.len() - 66;
    assert_eq!(record[start..start + 2], [0x80, 0x01]);
    // 2^40, and the most there is.
    for length in [&[0x80, 0x80, 0x80, 0x80, 0x80, 0x40][..], &[0xfe, 255, 255, 255, 255, 255, 255, 255, 255, 1]] {
        let forged = [&record[..start], length, &record[start + 2..]].concat();
        assert_eq!(remedy(reads(&codec(), &forged)), UNDECODABLE);
    }
}

#[test]
fn what_is_in_no_known_frame_says_what_to_do() {
    let codec = codec();
    let json = br#"{"space": "customer-17", "occurred_at": "2026-03-01T09:30:00Z", "messages": []}"#;
    assert_eq!(remedy(codec.read_turn(json)), UNDECODABLE);

    let [(_, turn, _), (_, record, _), ..] = examples(&codec);
    // Anyone may write the public topic, only Saidso the others: what is unknown there is of a newer version.
    assert_eq!(remedy(codec.read_turn(&record)), Some((Remedy::DeadLetter, Code::NewerFormat)));
    for fault in [codec.read_record(&turn).err(), codec.read_change(&turn).err(), codec.read_dead_letter(&turn).err()] {
        let fault = fault.unwrap();
        assert_eq!((fault.remedy, fault.code), (Remedy::Stop, Code::NewerFormat));
        assert!(fault.message.contains("upgrade"), "{fault}");
    }

    let confluent = [&[0, 0, 0, 0, 7], &turn[10..]].concat();
    let fault = codec.read_turn(&confluent).unwrap_err();
    // One writer's mistake must not keep the others' turns waiting.
    assert_eq!(fault.remedy, Remedy::DeadLetter);
    assert!(fault.message.contains("configure that registry"), "{fault}");
    let confluent = [&[0, 0, 0, 0, 7], &record[10..]].concat();
    assert_eq!(remedy(codec.read_record(&confluent)), Some((Remedy::Stop, Code::Undecodable)));
}

#[test]
fn what_has_no_place_on_a_topic_is_not_written() {
    let codec = codec();
    for field in [Field::Observation, Field::Vector, Field::Drops, Field::ReadBack] {
        let fault = codec.record("r", &RecordParts { field, ..values::record() }).unwrap_err();
        assert_eq!(fault.remedy, Remedy::Stop);
    }
    let mut dead = values::dead_letter();
    dead.offset = 1 << 63;
    assert_eq!(remedy(codec.dead_letter("d", &dead)), Some((Remedy::Stop, Code::Limit)));
}
