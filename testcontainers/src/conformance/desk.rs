//! What the cases share: a caller with a token, turns under keys of their own, observations, and waits.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use saidso_core::{
    access::{self, Request, Tokens},
    ids::{ObservationId, TurnId},
    item::Kind,
    observation::{ObservationRow, SealedObservation},
    ports::{Consumer, Delivered, Effects, Entropy, Entry, Lease, Published, Section, TurnRow},
    position::Position,
    record::{Progress, Record, RecordHead, Topic},
    scope::Scope,
    seal::{self, Field, Generation, Key, KeyId, NamedKey, Place, Replaced, Sealed},
    turn::{self, Role, SubmittedMessage, SubmittedTurn, Turn},
};

use super::Ports;

/// How long a case waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

/// Randomness that never says the same twice in a process, and the same in every run that asks in the same order.
#[derive(Default)]
pub struct Seeded;

impl Seeded {
    /// Another process says other things.
    pub fn of_process(number: u64) -> Self {
        SAID.store(number << 40, Ordering::Relaxed);
        Self
    }
}

static SAID: AtomicU64 = AtomicU64::new(0);

impl Entropy for Seeded {
    fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            // SplitMix64 over a counter.
            let mut word = SAID.fetch_add(1, Ordering::Relaxed).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            let bytes = (word ^ (word >> 31)).to_le_bytes();
            chunk.copy_from_slice(&bytes[..chunk.len()]);
        }
    }
}

/// A case's seat at an open backend.
pub struct Desk {
    /// The backend's ports.
    pub ports: Ports,
    /// Randomness for keys.
    pub entropy: Arc<dyn Entropy>,
    tokens: Tokens,
}

impl Desk {
    /// Sits down, with one token for each of two tenants, `north` and `south`.
    pub fn at(ports: Ports) -> Self {
        let mut tokens = Tokens::default();
        tokens.add("secret of north", "north");
        tokens.add("secret of south", "south");
        Self { ports, entropy: Arc::new(Seeded), tokens }
    }

    /// A customer of `north`.
    pub fn customer(&self, space: &str) -> Scope {
        self.customer_of("north", space)
    }

    /// A customer of a tenant.
    pub fn customer_of(&self, tenant: &str, space: &str) -> Scope {
        let token = self.tokens.verify(&format!("secret of {tenant}")).expect("the tenant has a token");
        let request = Request { tenant: Some(tenant), space };
        access::admit(&self.ports.names, &token, request).expect("a token opens its tenant's spaces")
    }

    /// A turn that says `text`; the same text is the same turn.
    pub fn turn(&self, scope: &Scope, text: &str) -> Turn {
        let message = SubmittedMessage { role: Role::Customer, text: text.into(), id: None };
        let submitted = SubmittedTurn {
            tenant: None,
            space: "named by the scope".into(),
            session: Some("one".into()),
            turn: None,
            occurred_at: "2026-03-01T09:30:00+08:00".into(),
            zone: None,
            messages: vec![message],
            recalled: Vec::new(),
            attachments: Vec::new(),
        };
        turn::accept(submitted, &self.ports.names.ids(scope)).expect("a plain turn is accepted")
    }

    /// A new key for a version of a turn.
    pub fn turn_key(&self, turn: TurnId, version: u64) -> NamedKey {
        let mut attempt = [0; 4];
        self.entropy.fill(&mut attempt);
        let id = KeyId::Turn { turn, version, attempt: u32::from_be_bytes(attempt) };
        NamedKey { id, key: Key::random(&*self.entropy) }
    }

    /// What intake publishes for a turn that says `text`, under a new key.
    pub fn entry(&self, scope: &Scope, text: &str) -> Entry {
        let turn = self.turn(scope, text);
        let key = self.turn_key(turn.meta.id, 0);
        let head =
            RecordHead { id: *turn.meta.id.as_bytes(), generation: Generation::ALL, position: None, accepted_ms: 0 };
        let record = Record::seal(scope, head, Field::Turn, &key, &turn, &*self.entropy);
        let row = TurnRow { turn: turn.meta.id, position: None, sealed: record.parts().sealed.clone(), drops: None };
        Entry { scope: scope.clone(), key: Some(key), turn: Some(row), marks: Vec::new(), record }
    }

    /// Publishes one entry.
    pub fn publish(&self, entry: Entry) -> Position {
        self.published(entry).position
    }

    /// Publishes one entry, and tells what became of it.
    pub fn published(&self, entry: Entry) -> Published {
        let published = self.ports.head.publish(vec![entry]).expect("a publish");
        assert_eq!(published.len(), 1, "one entry has one answer");
        published[0]
    }

    /// Publishes a turn that says `text`.
    pub fn say(&self, scope: &Scope, text: &str) -> Position {
        self.publish(self.entry(scope, text))
    }

    /// A consumer of a topic.
    pub fn consume(&self, topic: Topic) -> Box<dyn Consumer> {
        self.ports.topics.consume(topic).expect("a consumer")
    }

    /// The ids of the turns that say these texts.
    pub fn ids(&self, scope: &Scope, texts: &[&str]) -> Vec<[u8; 16]> {
        texts.iter().map(|text| *self.turn(scope, text).meta.id.as_bytes()).collect()
    }

    /// Seals a text for a turn's row.
    pub fn sealed(&self, scope: &Scope, turn: &Turn, field: Field, key: &NamedKey) -> Sealed {
        let place = Place { scope, id: *turn.meta.id.as_bytes(), generation: Generation::ALL, field };
        seal::seal(key, place, turn, &*self.entropy)
    }

    /// A record that only moves a position on, for a later topic.
    pub fn progress(&self, scope: &Scope, position: Position) -> Record {
        let key = self.ports.keys.space_key(scope).expect("a space's key");
        let mut id = [0; 16];
        self.entropy.fill(&mut id);
        let head = RecordHead { id, generation: Generation(1), position: Some(position), accepted_ms: 0 };
        Record::seal(scope, head, Field::Progress, &key, &Progress, &*self.entropy)
    }

    /// An observation row as a store gets it, told apart by a number. Nothing opens its body.
    pub fn observation(&self, position: Position, number: u8) -> SealedObservation {
        let turn = TurnId::from_bytes([number; 16]);
        let key = KeyId::Turn { turn, version: 0, attempt: 0 };
        let sealed = |length: usize| {
            let mut bytes = vec![0; length];
            self.entropy.fill(&mut bytes);
            Sealed { key, bytes }
        };
        SealedObservation::stored(ObservationRow {
            id: ObservationId::from_bytes([number; 16]),
            turn,
            position,
            at_ms: i64::from(number),
            kind: Kind::Fact,
            body: sealed(200),
            vector: Some(sealed(100)),
        })
    }

    /// A section of generation 1 that writes nothing yet.
    pub fn section(&self, scope: &Scope, position: Position) -> Section {
        Section {
            scope: scope.clone(),
            generation: Generation(1),
            position,
            accepted_ms: 0,
            new_keys: Vec::new(),
            writes: Vec::new(),
            destroy: Vec::new(),
        }
    }

    /// Takes one record off the head log and commits it with a section, as the stage that read it would.
    pub fn apply(&self, section: Section) {
        let mut consumer = self.consume(Topic::Turns);
        let (lease, records) = take(consumer.as_mut(), 1);
        let effects = Effects { sections: vec![section], offsets: after(&records), ..Effects::default() };
        self.ports.commits.commit(&lease, effects).expect("a commit");
    }
}

/// Has a turn's key destroyed, and those before it.
pub fn destroyed(key: KeyId) -> Replaced {
    match key {
        KeyId::Turn { turn, version, .. } => Replaced { turn, below: version + 1 },
        KeyId::Space { .. } => panic!("a section destroys keys of turns"),
    }
}

/// Polls until so many records are there.
pub fn take(consumer: &mut dyn Consumer, count: usize) -> (Lease, Vec<Delivered>) {
    let deadline = Instant::now() + if count == 0 { Duration::ZERO } else { PATIENCE };
    let mut all = Vec::new();
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let (lease, records) = consumer.poll(count - all.len(), left).expect("a poll");
        all.extend(records);
        if all.len() >= count {
            return (lease, all);
        }
        assert!(!left.is_zero(), "{count} records were due, {} came", all.len());
    }
}

/// For each partition, the offset after the last of these records.
pub fn after(records: &[Delivered]) -> Vec<(u32, u64)> {
    let mut offsets: Vec<(u32, u64)> = Vec::new();
    for Delivered { partition, offset, .. } in records {
        match offsets.iter_mut().find(|(known, _)| known == partition) {
            Some((_, next)) => *next = (*next).max(offset + 1),
            None => offsets.push((*partition, offset + 1)),
        }
    }
    offsets
}

/// The ids of records, in the order they came.
pub fn ids(records: &[Delivered]) -> Vec<[u8; 16]> {
    records.iter().map(|delivered| delivered.record.parts().id).collect()
}
