//! The head log's writer.

use std::thread;

use saidso_core::{
    ids::MarkId,
    item::Span,
    marks::Mark,
    ports::{Entry, Published},
    position::Position,
    record::{self, Opened, Topic},
    turn::Turn,
};

use super::{
    Backend, Desk,
    desk::{ids, take},
};

fn mark(number: u8) -> Mark {
    Mark::Words { message: MarkId::from_bytes([number; 16]), span: Span { start: 1, end: 9 } }
}

/// Positions are answered per entry, in its order; a space keeps to one partition and rises in it.
pub fn publish_answers_positions_in_order(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let entries = ["I moved to Lyon", "I sold the van", "I work nights"].map(|text| desk.entry(&customer, text));
    let published = desk.ports.head.publish(entries.to_vec()).expect("a publish");
    assert_eq!(published.len(), 3);
    assert!(published.iter().all(|published| !published.known), "{published:?}");
    let positions: Vec<Position> = published.iter().map(|published| published.position).collect();
    assert!(positions.is_sorted_by(|a, b| a < b), "{positions:?}");
    assert!(positions.iter().all(|position| position.partition == positions[0].partition), "{positions:?}");
    for (entry, position) in entries.iter().zip(positions) {
        let turn = entry.turn.as_ref().expect("the entry is a turn").turn;
        let row = desk.ports.store.turn(&customer, turn).expect("a read").expect("the turn is stored");
        assert_eq!(row.position, Some(position));
    }
}

/// A turn that is known is answered with its first position; row, key and log stay as they were.
pub fn publish_twice_keeps_the_first_position(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let (first, again) = (desk.entry(&customer, "I moved to Lyon"), desk.entry(&customer, "I moved to Lyon"));
    assert_ne!(first.key.as_ref().map(|key| key.id), again.key.as_ref().map(|key| key.id));
    let position = desk.publish(first.clone());
    let later = desk.say(&customer, "I sold the van");
    assert_eq!(desk.published(again.clone()), Published { position, known: true });
    assert!(later > position);
    once(&desk, &first, &again);
}

/// The same turn twice in one call is one turn.
pub fn publish_twice_in_one_call_is_once(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let (first, again) = (desk.entry(&customer, "I moved to Lyon"), desk.entry(&customer, "I moved to Lyon"));
    let published = desk.ports.head.publish(vec![first.clone(), again.clone()]).expect("a publish");
    assert_eq!(published[0].position, published[1].position);
    assert_eq!((published[0].known, published[1].known), (false, true));
    desk.say(&customer, "I sold the van");
    once(&desk, &first, &again);
}

/// Of two entries of one turn, the first one's row, key and record are there, and the other's are not.
fn once(desk: &Desk, first: &Entry, again: &Entry) {
    let customer = &first.scope;
    let row = first.turn.as_ref().expect("the entry is a turn");
    let stored = desk.ports.store.turn(customer, row.turn).expect("a read").expect("the turn is stored");
    assert_eq!(stored.sealed, row.sealed);
    let key = |entry: &Entry| {
        let id = entry.key.as_ref().expect("the entry has a key").id;
        desk.ports.keys.key(customer, id).expect("a read").is_some()
    };
    assert!(key(first) && !key(again), "only the first key is kept");
    let (_, records) = take(desk.consume(Topic::Turns).as_mut(), 2);
    assert_eq!(ids(&records), desk.ids(customer, &["I moved to Lyon", "I sold the van"]));
}

/// Four gateways publish one turn at the same time, each under a key of its own: one is in, it opens, and exactly one
/// answer says that the turn was new.
pub fn publish_at_the_same_time_is_once(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let entries: Vec<Entry> = (0..4).map(|_| desk.entry(&customer, "I moved to Lyon")).collect();
    let published = thread::scope(|threads| {
        let publish = |entry: Entry| threads.spawn(|| desk.published(entry));
        let running: Vec<_> = entries.into_iter().map(publish).collect();
        running.into_iter().map(|thread| thread.join().expect("a publish")).collect::<Vec<_>>()
    });
    assert!(published.iter().all(|one| one.position == published[0].position), "{published:?}");
    assert_eq!(published.iter().filter(|one| !one.known).count(), 1, "{published:?}");
    desk.say(&customer, "I sold the van");
    let (_, records) = take(desk.consume(Topic::Turns).as_mut(), 2);
    assert_eq!(ids(&records), desk.ids(&customer, &["I moved to Lyon", "I sold the van"]));
    for delivered in &records {
        let opened = record::open::<Turn>(&delivered.record, &*desk.ports.keys).expect("it opens");
        assert!(matches!(opened, Opened::Body(..)), "its key is there");
    }
    assert_eq!(desk.ports.store.turns(&customer).expect("a read").len(), 2);
}

/// No position is given twice, not even when everything before was committed away.
pub fn positions_go_on_after_a_restart(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let first = desk.say(&desk.customer("anna"), "I moved to Lyon");
    {
        let mut consumer = desk.consume(Topic::Turns);
        let (lease, records) = take(consumer.as_mut(), 1);
        let offsets = super::desk::after(&records);
        let effects = saidso_core::ports::Effects { offsets, ..Default::default() };
        desk.ports.commits.commit(&lease, effects).expect("a commit");
    }
    drop(desk);
    let desk = Desk::at(backend.open());
    let next = desk.say(&desk.customer("anna"), "I sold the van");
    assert!(next > first, "{next} follows {first}");
    assert_eq!(next.partition, first.partition);
    assert_eq!(desk.say(&desk.customer("anna"), "I moved to Lyon"), first, "a known turn is known after a restart");
}

/// A mark is there when the publish that carries it returns.
pub fn marks_bind_at_once(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let command = Entry { key: None, turn: None, marks: vec![mark(1), mark(2)], ..space_entry(&desk, &customer) };
    desk.publish(command);
    let mut marks = desk.ports.store.marks(&customer).expect("a read");
    marks.sort();
    assert_eq!(marks, [mark(1), mark(2)]);
    drop(desk);
    let desk = Desk::at(backend.open());
    assert_eq!(desk.ports.store.marks(&desk.customer("anna")).expect("a read").len(), 2);
}

/// Marks are not lost with an entry that is otherwise known.
pub fn a_known_turn_still_gets_its_marks(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let position = desk.say(&customer, "I moved to Lyon");
    let again = Entry { marks: vec![mark(1)], ..desk.entry(&customer, "I moved to Lyon") };
    assert_eq!(desk.published(again), Published { position, known: true });
    assert_eq!(desk.ports.store.marks(&customer).expect("a read"), [mark(1)]);
}

/// An entry under the space's key, as a command is.
fn space_entry(desk: &Desk, customer: &saidso_core::scope::Scope) -> Entry {
    use saidso_core::{
        record::{Record, RecordHead},
        seal::{Field, Generation},
        stages::Command,
    };
    let key = desk.ports.keys.space_key(customer).expect("a space's key");
    let session = desk.ports.names.ids(customer).session("one");
    let head = RecordHead { id: [7; 16], generation: Generation::ALL, position: None, accepted_ms: 0 };
    let command = Command::EndSession { session, at_ms: 5 };
    let record = Record::seal(customer, head, Field::Command, &key, &command, &*desk.entropy);
    Entry { scope: customer.clone(), key: None, turn: None, marks: Vec::new(), record }
}
