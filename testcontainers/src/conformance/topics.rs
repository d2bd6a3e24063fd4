//! What a consumer sees.

use std::{thread, time::Duration};

use saidso_core::{
    ports::Effects,
    record::{self, Opened, Topic},
    turn::Turn,
};

use super::{
    Backend, Desk,
    desk::{after, ids, take},
};

const TEXTS: [&str; 5] = ["I moved to Lyon", "I sold the van", "I work nights", "I have two cats", "I like tea"];

/// Whatever is published around them, a space's records come in the order of its positions.
pub fn records_of_a_space_keep_their_order(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customers = ["anna", "ben", "cleo", "dev", "eli", "fay"].map(|name| desk.customer(name));
    for text in TEXTS {
        for customer in &customers {
            desk.say(customer, text);
        }
    }
    let (_, records) = take(desk.consume(Topic::Turns).as_mut(), TEXTS.len() * customers.len());
    for customer in &customers {
        let (tenant, space) = customer.key();
        let of_it = |parts: &saidso_core::record::RecordParts| (parts.tenant, parts.space) == (tenant, space);
        let mine: Vec<_> = records.iter().filter(|record| of_it(record.record.parts())).cloned().collect();
        assert_eq!(ids(&mine), desk.ids(customer, &TEXTS));
        assert!(mine.is_sorted_by(|a, b| a.position < b.position));
        assert!(mine.iter().all(|record| record.partition == record.position.partition));
    }
}

/// A record on the head log has its own place as its position, and opens to what was put in.
pub fn a_record_comes_as_it_was_put(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let position = desk.say(&customer, TEXTS[0]);
    let (_, records) = take(desk.consume(Topic::Turns).as_mut(), 1);
    assert_eq!(records[0].position, position);
    assert_eq!((records[0].partition, records[0].offset), (position.partition, position.offset));
    match record::open::<Turn>(&records[0].record, &*desk.ports.keys).expect("it opens") {
        Opened::Body(scope, _, turn) => {
            assert_eq!(scope, customer);
            assert_eq!(turn, desk.turn(&customer, TEXTS[0]));
        }
        Opened::KeyGone(_) => panic!("its key is there"),
    }
}

/// A consumer that waits gets what is published meanwhile.
pub fn a_poll_wakes_for_a_publish(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let mut consumer = desk.consume(Topic::Turns);
    let (_, nothing) = consumer.poll(10, Duration::ZERO).expect("a poll");
    assert!(nothing.is_empty());
    let records = thread::scope(|threads| {
        let waiting = threads.spawn(move || take(consumer.as_mut(), 1).1);
        desk.say(&customer, TEXTS[0]);
        waiting.join().expect("a poll")
    });
    assert_eq!(ids(&records), desk.ids(&customer, &TEXTS[..1]));
}

/// What was delivered and not committed comes again, in the same order.
pub fn a_rewind_starts_from_the_last_commit(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    for text in TEXTS {
        desk.say(&customer, text);
    }
    let mut consumer = desk.consume(Topic::Turns);
    let (lease, records) = take(consumer.as_mut(), 2);
    let effects = Effects { offsets: after(&records), ..Effects::default() };
    desk.ports.commits.commit(&lease, effects).expect("a commit");
    take(consumer.as_mut(), 2);
    consumer.rewind().expect("a rewind");
    let (_, records) = take(consumer.as_mut(), 3);
    assert_eq!(ids(&records), desk.ids(&customer, &TEXTS[2..]));
}

/// A restart is a rewind.
pub fn restart_replays_what_was_not_committed(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    for text in TEXTS {
        desk.say(&desk.customer("anna"), text);
    }
    let (_, before) = take(desk.consume(Topic::Turns).as_mut(), 5);
    drop(desk);
    let desk = Desk::at(backend.open());
    let (_, records) = take(desk.consume(Topic::Turns).as_mut(), 5);
    assert_eq!(ids(&records), desk.ids(&desk.customer("anna"), &TEXTS));
    for (before, now) in before.iter().zip(&records) {
        assert_eq!((before.position, before.offset, &before.record), (now.position, now.offset, &now.record));
    }
}

/// What was committed is done with, after a restart too.
pub fn what_was_committed_does_not_come_again(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    for text in &TEXTS[..4] {
        desk.say(&desk.customer("anna"), text);
    }
    {
        let mut consumer = desk.consume(Topic::Turns);
        let (lease, records) = take(consumer.as_mut(), 4);
        let effects = Effects { offsets: after(&records[..3]), ..Effects::default() };
        desk.ports.commits.commit(&lease, effects).expect("a commit");
    }
    drop(desk);
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    desk.say(&customer, TEXTS[4]);
    let (_, records) = take(desk.consume(Topic::Turns).as_mut(), 2);
    assert_eq!(ids(&records), desk.ids(&customer, &TEXTS[3..]));
}

/// A second consumer gets everything that is not committed; the first gets nothing more, and may not commit.
pub fn a_new_consumer_takes_over(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    for text in &TEXTS[..2] {
        desk.say(&customer, text);
    }
    let mut first = desk.consume(Topic::Turns);
    let (old, records) = take(first.as_mut(), 1);
    let mut second = desk.consume(Topic::Turns);
    let (new, again) = take(second.as_mut(), 2);
    assert_eq!(ids(&again), desk.ids(&customer, &TEXTS[..2]));
    let effects = || Effects { offsets: after(&records), ..Effects::default() };
    let refused = desk.ports.commits.commit(&old, effects()).expect_err("the lease is gone");
    assert_eq!(refused, saidso_core::fault::Fault::lease_lost());
    desk.ports.commits.commit(&new, effects()).expect("a commit");
    // Dropped last, so that it was alive all along.
    drop(first);
}

/// Lag is what is written and not committed.
pub fn lag_counts_what_is_not_committed(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let lag = || desk.ports.topics.lag(Topic::Turns).expect("a lag");
    assert_eq!(lag(), 0);
    for text in TEXTS {
        desk.say(&desk.customer(text), text);
    }
    let mut consumer = desk.consume(Topic::Turns);
    let (lease, records) = take(consumer.as_mut(), 5);
    assert_eq!(lag(), 5);
    let effects = Effects { offsets: after(&records[..2]), ..Effects::default() };
    desk.ports.commits.commit(&lease, effects).expect("a commit");
    assert_eq!(lag(), 3);
    assert_eq!(desk.ports.topics.lag(Topic::Candidates).expect("a lag"), 0);
}
