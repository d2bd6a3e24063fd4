//! Key material.

use saidso_core::{
    fault::{Code, Remedy},
    ports::Section,
    record::{self, Opened, Record, RecordParts, Topic},
    seal::KeyId,
    turn::Turn,
};

use super::{
    Backend, Desk,
    desk::{destroyed, take},
};

/// Who reads a record finds its key: the key is durable first.
pub fn a_turns_key_is_there_with_its_record(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    desk.say(&desk.customer("anna"), "I moved to Lyon");
    drop(desk);
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let (_, records) = take(desk.consume(Topic::Turns).as_mut(), 1);
    match record::open::<Turn>(&records[0].record, &*desk.ports.keys).expect("it opens") {
        Opened::Body(scope, _, turn) => {
            assert_eq!((scope, turn), (customer.clone(), desk.turn(&customer, "I moved to Lyon")));
        }
        Opened::KeyGone(_) => panic!("its key is there"),
    }
}

/// A destroyed key is gone for whoever asks, also in the next process; what it sealed is dark, and the keys beside it
/// are not.
pub fn a_destroyed_key_stays_destroyed(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let (gone, stays) = (desk.entry(&customer, "I moved to Lyon"), desk.entry(&customer, "I sold the van"));
    let id = |entry: &saidso_core::ports::Entry| entry.key.as_ref().expect("the entry has a key").id;
    let (gone_id, stays_id) = (id(&gone), id(&stays));
    let record = gone.record.clone();
    desk.publish(gone);
    let position = desk.publish(stays);
    desk.apply(Section { destroy: vec![destroyed(gone_id)], ..desk.section(&customer, position) });
    let check = |desk: &Desk| {
        let customer = desk.customer("anna");
        assert!(desk.ports.keys.key(&customer, gone_id).expect("a read").is_none());
        assert!(desk.ports.keys.key(&customer, stays_id).expect("a read").is_some());
        let opened = record::open::<Turn>(&record, &*desk.ports.keys).expect("a gone key is no fault");
        assert!(matches!(opened, Opened::KeyGone(_)));
    };
    check(&desk);
    drop(desk);
    let desk = Desk::at(backend.open());
    check(&desk);
    // Keys made later do not bring it back.
    desk.say(&desk.customer("ben"), "I work nights");
    check(&desk);
}

/// A space's own key is made once, and is durable with the next publish.
pub fn a_spaces_key_stays_the_same(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let first = desk.ports.keys.space_key(&customer).expect("a key");
    assert!(matches!(first.id, KeyId::Space { .. }));
    let same = |desk: &Desk| {
        let customer = desk.customer("anna");
        let again = desk.ports.keys.space_key(&customer).expect("a key");
        assert_eq!((again.id, again.key.bytes()), (first.id, first.key.bytes()));
        let named = desk.ports.keys.key(&customer, first.id).expect("a read").expect("it stands");
        assert_eq!(named.bytes(), first.key.bytes());
    };
    same(&desk);
    desk.say(&customer, "I moved to Lyon");
    same(&desk);
    let other = desk.ports.keys.space_key(&desk.customer("ben")).expect("a key");
    assert_ne!(other.key.bytes(), first.key.bytes());
    drop(desk);
    same(&Desk::at(backend.open()));
}

/// The same id in another space names another key, or none.
pub fn a_key_is_found_only_in_its_space(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let customer = desk.customer("anna");
    let entry = desk.entry(&customer, "I moved to Lyon");
    let id = entry.key.as_ref().expect("the entry has a key").id;
    desk.publish(entry);
    let key = |scope| desk.ports.keys.key(&scope, id).expect("a read");
    assert!(key(customer).is_some());
    assert!(key(desk.customer("ben")).is_none());
    assert!(key(desk.customer_of("south", "anna")).is_none());
}

/// A record that was moved to another tenant gives nobody a scope.
pub fn a_record_of_another_tenant_is_refused(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let record = desk.entry(&desk.customer("anna"), "I moved to Lyon");
    desk.publish(record.clone());
    let (other, _) = desk.customer_of("south", "anna").key();
    let moved = Record::from_parts(RecordParts { tenant: other, ..record.record.parts().clone() });
    let fault = record::open::<Turn>(&moved, &*desk.ports.keys).expect_err("it does not open");
    assert_eq!((fault.code, fault.remedy), (Code::Undecodable, Remedy::DeadLetter));
}

/// The secret that ids are made with lasts as long as the data.
pub fn names_stay_the_same(backend: &impl Backend) {
    let ids = |desk: &Desk| {
        let customer = desk.customer("anna");
        (desk.ports.names.tenant("north"), customer.key(), desk.turn(&customer, "I moved to Lyon").meta.id)
    };
    let desk = Desk::at(backend.open());
    let first = ids(&desk);
    drop(desk);
    let desk = Desk::at(backend.open());
    assert_eq!(ids(&desk), first);
}
