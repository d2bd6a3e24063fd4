//! The program as many processes on a real Kafka and CQL store, some of which are killed, frozen, added and retired while
//! turns come in on both ways, ends byte for byte where the embedded backend ends (field cases 7 and 22).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::{
    path::Path,
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use saidso_core::turn::{Role as Who, SubmittedMessage, SubmittedTurn};
use saidso_testcontainers::{
    conversations::{self, Dice},
    fleet::{self, Client, Exporter, Fleet, Gateway, Role, Settings, Storm},
    servers::{Service, shared},
    stand::Stand,
};

/// Its storm kills every kind of process, two of them writers, and freezes a third writer.
const SEED: u64 = 215;
const CUSTOMERS: usize = 9;
const TURNS: usize = 36;
const FORGETFUL: usize = 4;
const KILLS: usize = 10;
/// Before a kill, at most.
const LULL: Duration = Duration::from_millis(1_200);
/// Far more than it takes.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn under_a_storm_many_processes_end_where_the_embedded_backend_ends() {
    println!("seed {SEED}");
    let said = conversations::turns(SEED, CUSTOMERS, TURNS);
    let folder = tempfile::tempdir().unwrap();
    let alone = undisturbed(folder.path(), &said);

    let settings = Settings::new(shared(Service::Kafka).address(), shared(Service::Cql).address());
    let together = settings.open().unwrap();
    assert_eq!(together.scope("en-0").key(), alone.scope("en-0").key(), "both give the same ids");
    let mut fleet = Fleet::crew(Path::new(env!("CARGO_BIN_EXE_saidso")), &settings);
    let mut storm = Storm::new(SEED);
    let (first, second) = halves(&said);
    thread::scope(|scope| {
        let (intake, one_recall) = (fleet.client(Role::Intake), fleet.each(Role::Recall).remove(0));
        let (over_http, over_kafka) = (mpsc::channel(), mpsc::channel());
        let mut gateway = Gateway::new(&settings);
        let forgetting = intake.clone();
        scope.spawn(move || in_pieces(&first, &over_http.1, |turns| drop(intake.publish(turns))));
        scope.spawn(move || in_pieces(&second, &over_kafka.1, |turns| gateway.publish(turns)));
        scope.spawn(move || forget(&forgetting, &one_recall));
        for kill in 0..KILLS {
            // A publisher that is through hears no more.
            let _ = (over_http.0.send(()), over_kafka.0.send(()));
            match kill {
                2 => storm.freeze(&mut fleet),
                3 => fleet.start(Role::Write),
                6 => fleet.retire(Role::Write),
                _ => {}
            }
            storm.kill(&mut fleet, LULL);
        }
        drop((over_http.0, over_kafka.0));
        println!("{:?}", storm.end(&mut fleet));
    });
    fleet.settle(PATIENCE);

    let (expected, found) = (Exporter::of(&alone), Exporter::of(&together));
    let replicas = fleet.each(Role::Recall);
    for space in spaces() {
        let expected_here = expected.space(&space);
        assert!(!expected_here.memories.is_empty(), "{space} has something to lose");
        assert_eq!(found.space(&space), expected_here, "{space}");
        for replica in &replicas {
            let memories = replica.memories(&space, &found.applied(&space));
            let text = |field: &serde_json::Value| field.as_str().unwrap().to_owned();
            let listed: Vec<_> = memories.iter().map(|memory| (text(&memory["id"]), text(&memory["text"]))).collect();
            assert_eq!(listed, expected.listed(&space), "{space}, over HTTP");
        }
    }
    assert_eq!(together.ports.dead.list(10).unwrap(), [], "nothing is set aside");
    fleet.look();
}

/// The embedded backend after the same turns and forgets, one after the other.
fn undisturbed(folder: &Path, said: &[SubmittedTurn]) -> Stand {
    let stand = Stand::embedded(folder).unwrap();
    stand.publish((0..FORGETFUL).map(told).collect());
    stand.settle(fleet::rules());
    {
        let exporter = Exporter::of(&stand);
        for customer in 0..FORGETFUL {
            let listed = exporter.listed(&forgetful(customer));
            let (id, _) = listed.iter().find(|(_, text)| text.contains("penicillin")).unwrap();
            let position = stand.intake().forget(&stand.scope(&forgetful(customer)), id.parse().unwrap()).unwrap();
            assert!(position.is_some(), "there is something to forget");
        }
    }
    stand.publish((0..FORGETFUL).flat_map(told_later).collect());
    stand.publish(said.to_vec());
    stand.settle(fleet::rules());
    stand
}

fn spaces() -> impl Iterator<Item = String> {
    (0..CUSTOMERS).map(conversations::space).chain((0..FORGETFUL).map(forgetful))
}

/// What comes over HTTP and what over Kafka: every turn at least one way, each fourth both, in any order.
fn halves(said: &[SubmittedTurn]) -> (Vec<SubmittedTurn>, Vec<SubmittedTurn>) {
    let half = |over: usize| {
        let ours = |(index, _): &(usize, &SubmittedTurn)| index % 2 == over || index % 4 < 1;
        said.iter().enumerate().filter(ours).map(|(_, turn)| turn.clone()).collect()
    };
    let (mut first, mut second): (Vec<_>, Vec<_>) = (half(0), half(1));
    let mut dice = Dice::new(SEED);
    dice.shuffle(&mut first);
    dice.shuffle(&mut second);
    (first, second)
}

/// Publishes a piece whenever it is told to, and the rest once there is nobody to tell it.
fn in_pieces(turns: &[SubmittedTurn], told: &Receiver<()>, mut publish: impl FnMut(&[SubmittedTurn])) {
    for piece in turns.chunks(turns.len().div_ceil(KILLS)) {
        let _ = told.recv();
        publish(piece);
    }
}

fn forgetful(customer: usize) -> String {
    format!("forgetful-{customer}")
}

fn turn(customer: usize, at: &str, text: &str) -> SubmittedTurn {
    SubmittedTurn {
        tenant: None,
        space: forgetful(customer),
        session: None,
        turn: None,
        occurred_at: at.into(),
        zone: None,
        messages: vec![SubmittedMessage { role: Who::Customer, text: text.into(), id: None }],
        recalled: Vec::new(),
        attachments: Vec::new(),
    }
}

/// One of its two statements is forgotten.
fn told(customer: usize) -> SubmittedTurn {
    turn(customer, "2026-02-03T09:00:00+01:00", "I am allergic to penicillin. I live in Oslo.")
}

/// The same again, an earlier restatement of what is forgotten, and something new.
fn told_later(customer: usize) -> [SubmittedTurn; 3] {
    [
        told(customer),
        turn(customer, "2026-02-01T09:00:00+01:00", "I am allergic to penicillin."),
        turn(customer, "2026-02-05T09:00:00+01:00", "I live in Bergen now."),
    ]
}

fn forget(intake: &Client, recall: &Client) {
    for customer in 0..FORGETFUL {
        let space = forgetful(customer);
        let positions = intake.publish(&[told(customer)]);
        let memories = recall.memories(&space, &positions[0]);
        let memory = memories.iter().find(|memory| memory["text"].as_str().unwrap().contains("penicillin")).unwrap();
        intake.forget(&space, memory["id"].as_str().unwrap());
        intake.publish(&told_later(customer));
    }
}
