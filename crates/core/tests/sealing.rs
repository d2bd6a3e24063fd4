//! Sealed values open with their key, at their place, and nowhere else (requirements E1, E2).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::{Counting, Said, names, scope};
use proptest::prelude::*;
use saidso_core::{
    access::{Denied, Request, Tokens, admit},
    fault::{Code, Fault},
    observation::SealedObservation,
    ports::Keys,
    scope::Scope,
    seal::{Generation, Key, KeyId, NamedKey},
};

/// One key for one space; everything else was destroyed.
struct OneKey(NamedKey);

impl Keys for OneKey {
    fn key(&self, _: &Scope, id: KeyId) -> Result<Option<Key>, Fault> {
        Ok((id == self.0.id).then(|| self.0.key.clone()))
    }

    fn space_key(&self, _: &Scope) -> Result<NamedKey, Fault> {
        Ok(self.0.clone())
    }
}

fn sealed() -> (SealedObservation, OneKey) {
    let entropy = Counting::default();
    let observation = Said::fact(1, "We use MySQL in Oslo", "database", "mysql").observation();
    let id = KeyId::Turn { turn: observation.body.turn, version: 0, attempt: 1 };
    let key = NamedKey { id, key: Key::random(&entropy) };
    let sealed = SealedObservation::seal(&observation, &scope("ann"), Generation(1), &key, &entropy);
    (sealed, OneKey(key))
}

#[test]
fn it_opens_where_it_belongs() {
    let (sealed, keys) = sealed();
    let open = sealed.open(&scope("ann"), Generation(1), &keys).unwrap().unwrap();
    assert_eq!(open, Said::fact(1, "We use MySQL in Oslo", "database", "mysql").observation());
}

#[test]
fn it_opens_nowhere_else() {
    let (sealed, keys) = sealed();
    for (space, generation) in [("bob", Generation(1)), ("ann", Generation(2))] {
        let fault = sealed.open(&scope(space), generation, &keys).unwrap_err();
        assert_eq!(fault.code, Code::Undecodable);
    }
    let mut row = sealed.row().clone();
    row.id = Said::fact(2, "other", "a", "b").observation().id;
    assert!(SealedObservation::stored(row).open(&scope("ann"), Generation(1), &keys).is_err());
    let mut row = sealed.row().clone();
    row.at_ms += 1;
    assert_eq!(
        SealedObservation::stored(row).open(&scope("ann"), Generation(1), &keys).unwrap_err().code,
        Code::Damaged
    );
}

#[test]
fn without_its_key_it_is_gone() {
    let (sealed, mut keys) = sealed();
    keys.0.id = KeyId::Space { version: 0, attempt: 0 };
    assert_eq!(sealed.open(&scope("ann"), Generation(1), &keys).unwrap(), None);
}

#[test]
fn no_word_shows() {
    let (sealed, _) = sealed();
    let bytes = serde_json::to_vec(sealed.row()).unwrap();
    let row = String::from_utf8_lossy(&bytes).to_lowercase();
    assert!(!row.contains("mysql") && !row.contains("oslo") && !row.contains("database"));
}

#[test]
fn a_token_admits_to_its_tenant_only() {
    let mut tokens = Tokens::default();
    tokens.add("a secret", "acme");
    tokens.add("b secret", "bolt");
    assert_eq!(tokens.verify("c secret").unwrap_err(), Denied::Unknown);
    assert_eq!(tokens.verify("").unwrap_err(), Denied::Unknown);
    let (a, b) = (tokens.verify("a secret").unwrap(), tokens.verify("b secret").unwrap());
    let ann = Request { tenant: None, space: "ann" };
    assert_ne!(admit(&names(), &a, ann).unwrap(), admit(&names(), &b, ann).unwrap());
    let other = Request { tenant: Some("bolt"), space: "ann" };
    assert_eq!(admit(&names(), &a, other).unwrap_err(), Denied::OtherTenant);
    assert!(admit(&names(), &b, other).is_ok());
    for (length, taken) in [(0, false), (1, true), (256, true), (257, false)] {
        let space = "s".repeat(length);
        assert_eq!(admit(&names(), &a, Request { tenant: None, space: &space }).is_ok(), taken, "{length} bytes");
    }
}

proptest! {
    /// Any changed byte is noticed.
    #[test]
    fn any_changed_byte_is_noticed(at in any::<prop::sample::Index>(), flip in 1..=255u8) {
        let (sealed, keys) = sealed();
        let mut row = sealed.row().clone();
        let at = at.index(row.body.bytes.len());
        row.body.bytes[at] ^= flip;
        prop_assert!(SealedObservation::stored(row).open(&scope("ann"), Generation(1), &keys).is_err());
    }
}
