//! One value of each kind, with something in every field, and others at the edges. All invented.

use saidso_core::{
    ids::{SpaceId, TenantId, TurnId},
    ports::Change,
    position::Position,
    record::{About, DeadLetter, Origin, RecordParts, Topic},
    seal::{Field, Generation, KeyId, Sealed},
    turn::{Role, SubmittedAttachment, SubmittedMessage, SubmittedTurn},
};

pub fn turn() -> SubmittedTurn {
    let message = |role, text: &str, id: Option<&str>| SubmittedMessage {
        role,
        text: text.to_owned(),
        id: id.map(str::to_owned),
    };
    SubmittedTurn {
        tenant: Some("orchard".into()),
        space: "customer-17".into(),
        session: Some("spring".into()),
        turn: Some("17-4".into()),
        occurred_at: "2026-03-01T09:30:00+01:00".into(),
        zone: Some("Europe/Paris".into()),
        messages: vec![
            message(Role::Agent, "Which pears do you grow?", None),
            message(Role::Customer, "Conférence, 梨 and груши", Some("m-2")),
        ],
        recalled: vec!["00112233445566778899aabbccddeeff".into()],
        attachments: vec![SubmittedAttachment {
            kind: "image".into(),
            text: "a crate of pears".into(),
            reference: "files/9".into(),
        }],
    }
}

pub fn turns() -> Vec<SubmittedTurn> {
    let none = SubmittedTurn { tenant: None, session: None, turn: None, zone: None, ..turn() };
    vec![turn(), SubmittedTurn { messages: vec![], recalled: vec![], attachments: vec![], ..none }]
}

const POSITION: Position = Position { epoch: 3, partition: 7, offset: 1 << 39 };

pub fn record() -> RecordParts {
    RecordParts {
        tenant: TenantId::from_bytes([1; 16]),
        space: SpaceId::from_bytes([2; 16]),
        id: [3; 16],
        generation: Generation(4),
        position: Some(POSITION),
        accepted_ms: 1_772_353_800_000,
        field: Field::Embedded,
        sealed: Sealed {
            key: KeyId::Turn { turn: TurnId::from_bytes([5; 16]), version: POSITION.stamp(), attempt: 6 },
            bytes: (0..64).collect(),
        },
    }
}

pub fn records() -> Vec<RecordParts> {
    let key = KeyId::Space { version: u32::MAX, attempt: 0 };
    let mut all = vec![record()];
    for field in [Field::Turn, Field::Command, Field::Progress, Field::Candidates, Field::Grounded] {
        let sealed = Sealed { key, bytes: vec![] };
        all.push(RecordParts {
            generation: Generation(u32::MAX),
            position: None,
            accepted_ms: -1,
            field,
            sealed,
            ..record()
        });
    }
    all
}

pub fn change() -> Change {
    let RecordParts { tenant, space, generation, accepted_ms, .. } = record();
    Change { tenant, space, generation, applied: POSITION, accepted_ms }
}

pub fn dead_letter() -> DeadLetter {
    let RecordParts { tenant, space, id, .. } = record();
    DeadLetter {
        origin: Origin::Topic(Topic::Grounded),
        partition: 7,
        offset: 41,
        about: Some(About { tenant, space, id, position: POSITION }),
        code: "limit".into(),
    }
}

pub fn dead_letters() -> Vec<DeadLetter> {
    let origins = Topic::ALL.map(Origin::Topic).into_iter().chain([Origin::Completed]);
    let mut all: Vec<_> = origins.map(|origin| DeadLetter { origin, ..dead_letter() }).collect();
    let offset = i64::MAX as u64;
    all.push(DeadLetter { about: None, partition: u32::MAX, offset, ..dead_letter() });
    all
}
