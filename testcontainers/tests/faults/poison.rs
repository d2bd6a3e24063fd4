//! What is on a topic and should not be.

use saidso_core::{
    fault::Code,
    ids::TenantId,
    position::partition_of,
    record::{Origin, RecordParts, Topic},
    seal::{Field, KeyId},
};
use saidso_kafka::wire::Codec;
use saidso_testcontainers::{distributed::Distributed, stand::rules};

use super::{
    process::{Manner, Process},
    story::{Reader, Story, assert_as_undisturbed},
    topics,
};

fn open(data: &Distributed) -> Process {
    Process::open(data, &Manner::default()).and_then(|process| process.start(rules())).expect("it opens")
}

#[test]
fn bytes_that_are_no_record_are_set_aside_and_the_others_go_on() {
    let data = Distributed::new();
    let process = open(&data);
    let mut story = Story::of(["a", "b", "c"]);
    story.tell_parts(2, &process, || false).expect("nothing is in the way");
    for topic in Topic::ALL.map(|topic| topics::name(&data, topic)) {
        let (partition, mut torn) = topics::all(&data, &topic).swap_remove(0);
        torn.pop();
        topics::put(&data, &topic, partition, &torn);
        topics::put(&data, &topic, partition, b"no record");
    }
    story.tell(&process);
    drop(process);

    let reader = Reader::of(&data);
    let dead = reader.dead();
    for topic in Topic::ALL {
        let here = dead.iter().filter(|letter| letter.origin == Origin::Topic(topic));
        assert!(here.clone().all(|letter| letter.about.is_none() && letter.code == Code::Undecodable.label()));
        assert_eq!(here.count(), 2, "{topic:?}");
    }
    assert_as_undisturbed(&reader, &[story]);
}

#[test]
fn a_record_that_was_moved_to_another_space_or_tenant_is_set_aside() {
    let data = Distributed::new();
    let process = open(&data);
    let space = |name: &str| process.stand.scope(name).key().1;
    // Where the positions of one are behind all of the other's.
    let behind = |name: &&str| {
        let [ann, bob] = ["ann", "bob"].map(|who| partition_of(space(&format!("{name}/{who}")), 4));
        ann > bob
    };
    let name = ["a", "b", "c", "d", "e", "f", "g", "h"].into_iter().find(behind).expect("one of them is such");
    let mut story = Story::of([name]);
    story.tell_parts(2, &process, || false).expect("nothing is in the way");

    let codec = Codec::without_registry().expect("the schemas are sound");
    let (ann, bob) = (space(&format!("{name}/ann")), space(&format!("{name}/bob")));
    for topic in Topic::ALL.map(|topic| topics::name(&data, topic)) {
        let records = topics::all(&data, &topic).into_iter();
        let mut records = records.map(|(at, bytes)| (at, codec.read_record(&bytes).expect("it is a record")));
        let of_ann = |parts: &RecordParts| parts.space == ann && parts.field != Field::Progress;
        let (partition, parts) = records.find(|(_, parts)| of_ann(parts)).expect("ann said something");
        assert!(matches!(parts.sealed.key, KeyId::Turn { .. }));
        let tenant = TenantId::from_bytes([9; 16]);
        for moved in [RecordParts { tenant, ..parts.clone() }, RecordParts { space: bob, ..parts }] {
            topics::put(&data, &topic, partition, &codec.record(&topic, &moved).expect("it is written"));
        }
    }
    story.tell(&process);
    drop(process);

    let reader = Reader::of(&data);
    let dead: Vec<(Origin, String)> = reader.dead().into_iter().map(|letter| (letter.origin, letter.code)).collect();
    for topic in Topic::ALL {
        let due = (Origin::Topic(topic), Code::Undecodable.label().to_owned());
        assert_eq!(dead.iter().filter(|letter| **letter == due).count(), 2, "{topic:?}: {dead:?}");
    }
    assert_as_undisturbed(&reader, &[story]);
}
