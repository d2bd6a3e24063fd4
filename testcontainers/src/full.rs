//! A disk that takes no more: what then still works.

use std::{fs, path::Path};

use saidso_core::{
    fault::{Code, Fault, Remedy},
    ports::{Effects, Section, Write},
    record::Topic,
    seal::Generation,
};

use crate::conformance::{Desk, Ports, after, take};

/// Publishes until the disk refuses, and says `refused after N`, once it has seen that the refusal is a transient
/// [`Code::Disk`], that everything acknowledged is still read, that the folder takes nothing more, and that a commit is
/// refused too without a trace. If there is a file to make room by removing, it does so, and sees that all goes on.
pub fn fill(ports: Ports, ballast: Option<&Path>) -> String {
    let desk = Desk::at(ports);
    let customer = desk.customer("anna");
    let mut positions = Vec::new();
    let refused = loop {
        let entries = (0..20).map(|step| desk.entry(&customer, &format!("I own {} books", positions.len() + step)));
        match desk.ports.head.publish(entries.collect()) {
            Ok(more) => positions.extend(more.into_iter().map(|published| published.position)),
            Err(fault) => break fault,
        }
        assert!(positions.len() < 1_000_000, "the disk was to be small");
    };
    assert_eq!((refused.code, refused.remedy), (Code::Disk, Remedy::Retry), "{refused}");
    let rows = desk.ports.store.turns(&customer).expect("reads go on");
    assert_eq!(rows.len(), positions.len(), "what was acknowledged is there, and nothing else");
    let all = |key| desk.ports.keys.key(&customer, key).expect("reads go on").is_some();
    assert!(rows.iter().all(|row| all(row.sealed.key)), "and so are the keys");

    let mut consumer = desk.ports.topics.consume(Topic::Turns).expect("a consumer");
    let (lease, records) = take(consumer.as_mut(), positions.len().min(5));
    let writes = (0..200).map(|number| Write::Observation(desk.observation(positions[0], number))).collect();
    let section = Section { writes, ..desk.section(&customer, positions[0]) };
    let effects = Effects { sections: vec![section], offsets: after(&records), ..Effects::default() };
    let refused = desk.ports.commits.commit(&lease, effects).expect_err("the disk is still full");
    assert_eq!((refused.code, refused.remedy), (Code::Disk, Remedy::Retry), "{refused}");
    let rows = desk.ports.store.rows(&customer, Generation(1)).expect("reads go on");
    assert_eq!((rows.applied, rows.observations.len()), (None, 0));
    // Whether a commit that failed is in cannot always be told, so its lease does not commit again.
    assert_eq!(desk.ports.commits.commit(&lease, Effects::default()), Err(Fault::lease_lost()));

    if let Some(ballast) = ballast {
        fs::remove_file(ballast).expect("there is ballast to throw off");
        desk.say(&customer, "I bought a shelf");
        consumer.rewind().expect("a rewind");
        take(consumer.as_mut(), positions.len() + 1);
    }
    format!("refused after {}", positions.len())
}
