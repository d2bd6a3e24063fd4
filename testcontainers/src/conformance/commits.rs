//! The one commit point.

use std::{thread, time::Duration};

use saidso_core::{
    fault::{Code, Fault},
    ports::{Change, ChangeFeed, Effects, Section, Write},
    position::Position,
    record::{DeadLetter, Origin, Topic},
    scope::Scope,
    seal::{Field, Generation, KeyId},
};

use super::{
    Backend, Desk,
    desk::{after, destroyed, ids, take},
};

const G: Generation = Generation(1);

/// Once committed, the input is gone and the output is there, once; before, neither, whatever restarts.
pub fn offsets_and_outputs_are_one(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    desk.say(&desk.customer("anna"), "I moved to Lyon");
    let (_, records) = take(desk.consume(Topic::Turns).as_mut(), 1);
    drop(desk);

    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let output = desk.progress(&customer, records[0].position);
    {
        let mut consumer = desk.consume(Topic::Turns);
        let (lease, records) = take(consumer.as_mut(), 1);
        let outputs = vec![(Topic::Candidates, output.clone())];
        let effects = Effects { outputs, offsets: after(&records), ..Effects::default() };
        desk.ports.commits.commit(&lease, effects).expect("a commit");
    }
    drop(desk);

    let desk = Desk::at(backend.open());
    desk.say(&desk.customer("anna"), "I sold the van");
    let (_, inputs) = take(desk.consume(Topic::Turns).as_mut(), 1);
    assert_eq!(ids(&inputs), desk.ids(&desk.customer("anna"), &["I sold the van"]));
    let (_, outputs) = take(desk.consume(Topic::Candidates).as_mut(), 1);
    assert_eq!(outputs[0].record, output);
    assert!(desk.ports.topics.lag(Topic::Candidates).expect("a lag") > 0, "it waits");
}

/// An output stands in the partition of its position, which it carries on unchanged.
pub fn outputs_keep_position_and_partition(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customers = ["anna", "ben", "cleo", "dev", "eli"].map(|name| desk.customer(name));
    for customer in &customers {
        desk.say(customer, "I moved to Lyon");
    }
    let mut consumer = desk.consume(Topic::Turns);
    let (lease, records) = take(consumer.as_mut(), customers.len());
    let forwarded = records.iter().map(|delivered| (Topic::Candidates, delivered.record.forward(delivered.position)));
    let effects = Effects { outputs: forwarded.collect(), offsets: after(&records), ..Effects::default() };
    desk.ports.commits.commit(&lease, effects).expect("a commit");
    let (_, outputs) = take(desk.consume(Topic::Candidates).as_mut(), customers.len());
    for input in &records {
        let id = input.record.parts().id;
        let same = |output: &&saidso_core::ports::Delivered| {
            output.record.parts().id == id && output.record.parts().space == input.record.parts().space
        };
        let output = outputs.iter().find(same).expect("every input has its output");
        assert_eq!((output.position, output.partition), (input.position, input.position.partition));
    }
}

/// Everything a commit can hold.
fn everything(desk: &Desk, customer: &Scope, position: Position) -> Effects {
    let turn = desk.turn(customer, "I moved to Lyon").meta.id;
    let record = desk.progress(customer, position);
    Effects {
        sections: vec![Section {
            new_keys: vec![desk.turn_key(turn, 1)],
            writes: vec![Write::Observation(desk.observation(position, 1))],
            ..desk.section(customer, position)
        }],
        dead: vec![DeadLetter::new(&record, Topic::Turns, position.partition, position.offset, position, Code::Limit)],
        outputs: vec![(Topic::Candidates, record)],
        offsets: vec![(position.partition, position.offset + 1)],
    }
}

/// Nothing of a commit is there.
fn nothing_is_there(desk: &Desk, customer: &Scope, refused: &Effects) {
    let rows = desk.ports.store.rows(customer, G).expect("a read");
    assert_eq!((rows.applied, rows.observations), (None, Vec::new()));
    let key = refused.sections[0].new_keys[0].id;
    assert!(desk.ports.keys.key(customer, key).expect("a read").is_none(), "its key is not there");
    assert!(desk.ports.dead.list(10).expect("a list").is_empty(), "its dead letter is not there");
    assert_eq!(desk.ports.topics.lag(Topic::Candidates).expect("a lag"), 0, "its output is not there");
    let (_, records) = take(desk.consume(Topic::Turns).as_mut(), 1);
    assert_eq!(ids(&records), desk.ids(customer, &["I moved to Lyon"]), "its input comes again");
}

/// A lease that another consumer ended commits nothing of what it holds: no write, output, dead letter, offset or key.
pub fn a_dead_lease_commits_nothing(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let position = desk.say(&customer, "I moved to Lyon");
    let mut first = desk.consume(Topic::Turns);
    let (lease, _) = take(first.as_mut(), 1);
    let _second = desk.consume(Topic::Turns);
    let effects = everything(&desk, &customer, position);
    let refused = desk.ports.commits.commit(&lease, everything(&desk, &customer, position));
    assert_eq!(refused, Err(Fault::lease_lost()));
    nothing_is_there(&desk, &customer, &effects);
}

/// A rewind ends the lease of what was in flight.
pub fn a_lease_of_before_a_rewind_is_dead(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let position = desk.say(&customer, "I moved to Lyon");
    let mut consumer = desk.consume(Topic::Turns);
    let (lease, _) = take(consumer.as_mut(), 1);
    consumer.rewind().expect("a rewind");
    let effects = everything(&desk, &customer, position);
    let refused = desk.ports.commits.commit(&lease, everything(&desk, &customer, position));
    assert_eq!(refused, Err(Fault::lease_lost()));
    let (lease, _) = take(consumer.as_mut(), 1);
    nothing_is_there(&desk, &customer, &effects);
    assert_eq!(desk.ports.commits.commit(&lease, effects), Err(Fault::lease_lost()), "the look itself took over");
}

/// A section's writes are there with its `applied`, and several sections of one commit count one by one.
pub fn applied_moves_with_its_writes(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let positions = ["I moved to Lyon", "I sold the van"].map(|text| desk.say(&customer, text));
    let mut consumer = desk.consume(Topic::Turns);
    let (lease, records) = take(consumer.as_mut(), 2);
    let section = |(number, position): (u8, Position)| Section {
        writes: vec![Write::Observation(desk.observation(position, number))],
        ..desk.section(&customer, position)
    };
    let sections = (1..).zip(positions).map(section).collect();
    let effects = Effects { sections, offsets: after(&records), ..Effects::default() };
    desk.ports.commits.commit(&lease, effects).expect("a commit");
    let rows = desk.ports.store.rows(&customer, G).expect("a read");
    assert_eq!(rows.applied, Some(positions[1]));
    assert_eq!(desk.ports.store.applied(&customer, G).expect("a read"), Some(positions[1]));
    assert_eq!(rows.observations.len(), 2);
}

/// Whoever reads while commits go on sees the writes of a section and its `applied` together, or neither.
pub fn a_read_sees_a_section_whole(backend: &impl Backend) {
    const SECTIONS: u8 = 40;
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let positions: Vec<Position> =
        (1..=SECTIONS).map(|number| desk.say(&customer, &format!("I own {number} books"))).collect();
    let commit = || {
        let mut consumer = desk.consume(Topic::Turns);
        for (number, position) in (1..).step_by(2).zip(&positions) {
            let (lease, records) = take(consumer.as_mut(), 1);
            let writes = [number, number + 1].map(|number| Write::Observation(desk.observation(*position, number)));
            let section = Section { writes: writes.to_vec(), ..desk.section(&customer, *position) };
            let effects = Effects { sections: vec![section], offsets: after(&records), ..Effects::default() };
            desk.ports.commits.commit(&lease, effects).expect("a commit");
        }
    };
    let look = || {
        let rows = desk.ports.store.rows(&customer, G).expect("a read");
        let applied = positions.iter().filter(|position| Some(**position) <= rows.applied).count();
        assert_eq!(rows.observations.len(), 2 * applied);
        applied
    };
    thread::scope(|threads| {
        let committing = threads.spawn(commit);
        while !committing.is_finished() {
            look();
        }
        committing.join().expect("the commits");
        assert_eq!(look(), positions.len());
    });
}

/// A section whose position is applied already writes nothing, and no key of it is stored; the keys it destroys are
/// destroyed, and the change goes out again.
pub fn a_stale_section_writes_nothing_but_destroys_keys_again(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let entry = desk.entry(&customer, "I moved to Lyon");
    let first_key = entry.key.as_ref().expect("the entry has a key").id;
    let turn = desk.turn(&customer, "I moved to Lyon");
    let said = desk.publish(entry);
    let sealed_anew = desk.turn_key(turn.meta.id, 1);
    let sealed = desk.sealed(&customer, &turn, Field::Turn, &sealed_anew);
    desk.apply(Section {
        new_keys: vec![sealed_anew.clone()],
        writes: vec![Write::Turn { turn: turn.meta.id, sealed }],
        ..desk.section(&customer, said)
    });
    assert!(desk.ports.keys.key(&customer, first_key).expect("a read").is_some(), "nobody destroyed it yet");

    let later = desk.say(&customer, "I sold the van");
    let mut feed = desk.ports.changes.follow().expect("a follower");
    let refused_key = desk.turn_key(turn.meta.id, 2);
    let stale = Section {
        new_keys: vec![refused_key.clone()],
        writes: vec![Write::Observation(desk.observation(said, 1))],
        destroy: vec![destroyed(first_key)],
        ..desk.section(&customer, said)
    };
    desk.apply(stale);
    let rows = desk.ports.store.rows(&customer, G).expect("a read");
    assert_eq!((rows.applied, rows.observations.len()), (Some(said), 0));
    let key = |id: KeyId| desk.ports.keys.key(&customer, id).expect("a read").is_some();
    assert!(!key(first_key), "it is destroyed");
    assert!(!key(refused_key.id), "it is not stored");
    assert!(key(sealed_anew.id), "others stay");
    assert_eq!(next(feed.as_mut()), [change(&customer, said)]);

    desk.say(&customer, "I work nights");
    desk.apply(Section {
        writes: vec![Write::Observation(desk.observation(later, 2))],
        ..desk.section(&customer, later)
    });
    assert_eq!(desk.ports.store.rows(&customer, G).expect("a read").observations.len(), 1, "a newer one writes");
}

/// A section that comes again may have been worked out from rows that moved on since: the key that a turn stands under
/// now is never what it meant.
pub fn a_stale_section_spares_the_key_a_turn_stands_under(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let entry = desk.entry(&customer, "I moved to Lyon");
    let key = entry.key.as_ref().expect("the entry has a key").id;
    let said = desk.publish(entry);
    desk.apply(desk.section(&customer, said));
    desk.say(&customer, "I sold the van");
    desk.apply(Section { destroy: vec![destroyed(key)], ..desk.section(&customer, said) });
    assert!(desk.ports.keys.key(&customer, key).expect("a read").is_some());
}

fn change(customer: &Scope, applied: Position) -> Change {
    let (tenant, space) = customer.key();
    Change { tenant, space, generation: G, applied, accepted_ms: 0 }
}

fn next(feed: &mut dyn ChangeFeed) -> Vec<Change> {
    feed.next(Duration::from_secs(30)).expect("the feed")
}

/// Every follower learns the newest `applied` of every space that moved on after it began to follow.
pub fn changes_reach_every_follower(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let (anna, ben) = (desk.customer("anna"), desk.customer("ben"));
    let before = desk.say(&anna, "I moved to Lyon");
    desk.apply(desk.section(&anna, before));
    let mut feeds = [(), ()].map(|()| desk.ports.changes.follow().expect("a follower"));
    let positions = [desk.say(&anna, "I sold the van"), desk.say(&ben, "I work nights")];
    desk.apply(desk.section(&anna, positions[0]));
    desk.apply(desk.section(&ben, positions[1]));
    for feed in &mut feeds {
        let mut seen = Vec::new();
        while seen.len() < 2 {
            let news = next(feed.as_mut());
            assert!(!news.is_empty(), "two changes were due, {} came", seen.len());
            seen.extend(news);
        }
        assert_eq!(seen.len(), 2);
        assert!(seen.contains(&change(&anna, positions[0])) && seen.contains(&change(&ben, positions[1])));
    }
}

/// Dead letters are kept in order, and the newest come first.
pub fn dead_letters_are_listed_newest_first(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let texts = ["I moved to Lyon", "I sold the van", "I work nights"];
    for text in &texts {
        desk.say(&desk.customer("anna"), text);
    }
    {
        let mut consumer = desk.consume(Topic::Turns);
        let (lease, records) = take(consumer.as_mut(), 3);
        let letter = |delivered: &saidso_core::ports::Delivered| {
            let (partition, offset, position) = (delivered.partition, delivered.offset, delivered.position);
            DeadLetter::new(&delivered.record, Topic::Turns, partition, offset, position, Code::Poison)
        };
        let dead = records.iter().map(letter).collect();
        let effects = Effects { dead, offsets: after(&records), ..Effects::default() };
        desk.ports.commits.commit(&lease, effects).expect("a commit");
    }
    drop(desk);
    let desk = Desk::at(backend.open());
    let listed = desk.ports.dead.list(2).expect("a list");
    let due = desk.ids(&desk.customer("anna"), &["I work nights", "I sold the van"]);
    assert_eq!(listed.iter().filter_map(|letter| letter.about).map(|about| about.id).collect::<Vec<_>>(), due);
    assert!(listed.iter().all(|letter| letter.code == "poison" && letter.origin == Origin::Topic(Topic::Turns)));
    assert_eq!(desk.ports.dead.list(10).expect("a list").len(), 3);
}
