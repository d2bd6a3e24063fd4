//! Turns and the embedder's lanes: which lane a turn's texts take, and what becomes of turns while an endpoint is away
//! (requirements A5, A7; field case 8).

#![allow(clippy::unwrap_used, reason = "a test that finds nothing has failed")]

use std::{
    io,
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use saidso_core::{
    calibration::Calibration,
    fault::Fault,
    limits,
    ports::{Embedder, Extractor, Purpose},
    record::Topic,
    turn::{Role, SubmittedMessage, SubmittedTurn},
    vector::Vector,
};
use saidso_models::{
    Builtin, ConstantEmbedder,
    lanes::{Lane, Lanes, Settings, estimate},
    remote::{Options, Purposes, Remote},
};
use saidso_pipeline::Rules;
use saidso_testcontainers::stand::{Stand, rules_with};

/// Far more than any test takes.
const PATIENCE: Duration = Duration::from_secs(60);

fn turn(space: &str, occurred_at: &str, text: &str) -> SubmittedTurn {
    SubmittedTurn {
        tenant: None,
        space: space.into(),
        session: None,
        turn: None,
        occurred_at: occurred_at.into(),
        zone: None,
        messages: vec![SubmittedMessage { role: Role::Customer, text: text.into(), id: None }],
        recalled: Vec::new(),
        attachments: Vec::new(),
    }
}

fn builtin() -> Arc<dyn Extractor> {
    Arc::new(Builtin::new(None, None).unwrap())
}

/// Notes what it is asked for.
#[derive(Default)]
struct Noting(Mutex<Vec<String>>);

impl Embedder for Noting {
    fn id(&self) -> &str {
        "constant/1"
    }
    fn dimension(&self) -> usize {
        8
    }
    fn calibration(&self) -> Calibration {
        ConstantEmbedder::new(8).calibration()
    }
    fn embed(&self, purpose: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        self.0.lock().unwrap().extend(texts.iter().map(|text| (*text).to_owned()));
        ConstantEmbedder::new(8).embed(purpose, texts)
    }
}

#[test]
fn a_turn_of_long_ago_is_backlog_unless_it_shares_a_commit_with_a_live_one() {
    let folder = tempfile::tempdir().unwrap();
    let stand = Stand::embedded(folder.path()).unwrap();
    let (live, backlog) = (Arc::new(Noting::default()), Arc::new(Noting::default()));
    let rules = || Rules { backlog: backlog.clone(), ..rules_with(builtin(), live.clone()) };
    let asked = |noting: &Noting| std::mem::take(&mut *noting.0.lock().unwrap()).join(" ");
    let minute = limits::LIVE_MS / 1_000;
    assert_eq!(minute, 60, "the turns below are written for that");
    // The stand's clock is at 2027-01-01T00:00Z.
    for (at, text, is_live) in [
        ("2026-03-01T09:00:00Z", "I live in Oslo.", false),
        ("2026-12-31T23:58:59Z", "I live in Turin.", false),
        ("2026-12-31T23:59:00Z", "I live in Lima.", true),
        ("2027-01-01T00:00:30Z", "I live in Quito.", true),
    ] {
        stand.publish(vec![turn("ann", at, text)]);
        stand.settle(rules());
        let city = text.trim_end_matches('.').rsplit(' ').next().unwrap();
        let (in_live, in_backlog) = (asked(&live), asked(&backlog));
        assert_eq!((in_live.contains(city), in_backlog.contains(city)), (is_live, !is_live), "{text}");
    }
    let both = ["2026-03-01T10:00:00Z", "2027-01-01T00:00:00Z"];
    stand.publish(both.map(|at| turn("bob", at, "I have a dog.")).to_vec());
    stand.settle(rules());
    assert!(asked(&backlog).is_empty() && asked(&live).matches("dog").count() >= 2);
}

/// Lets everybody who comes to the address through to the server, for as long as the test runs.
fn open(address: SocketAddr, server: &str) {
    let (listener, server) = (TcpListener::bind(address).unwrap(), server.to_owned());
    thread::spawn(move || {
        for client in listener.incoming() {
            let (client, server) = (client.unwrap(), TcpStream::connect(&server).unwrap());
            let ways = [(client.try_clone(), server.try_clone()), (Ok(server), Ok(client))];
            for (from, to) in ways {
                let (mut from, mut to) = (from.unwrap(), to.unwrap());
                // An end on one side is an end on the other.
                thread::spawn(move || io::copy(&mut from, &mut to).and_then(|_| to.shutdown(Shutdown::Write)));
            }
        }
    });
}

#[test]
fn while_the_endpoint_is_away_turns_wait_and_then_come_through() {
    let server = std::env::var("SAIDSO_TEST_E5").expect(
        "SAIDSO_TEST_E5 is not set; run: testcontainers/e5.sh cargo test -p saidso-testcontainers --test lanes",
    );
    // An address where nobody is.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let remote = Remote::new(Options {
        url: format!("http://{address}/v1"),
        model: "multilingual-e5-small-q4".into(),
        dimension: 384,
        key: None,
        timeout: PATIENCE,
        calibration: ConstantEmbedder::new(384).calibration(),
        purposes: Purposes::InputType,
    });
    let lanes = Lanes::new(Arc::new(remote), estimate, Settings::remote(Settings::SLICE_TOKENS));
    let rules = Rules { backlog: lanes.lane(Lane::Replay), ..rules_with(builtin(), lanes.lane(Lane::Live)) };
    let folder = tempfile::tempdir().unwrap();
    let stand = Stand::embedded(folder.path()).unwrap();
    let said = |n: usize| turn(&format!("customer {}", n % 5), "2026-12-31T23:59:30Z", &format!("I own {n} boats."));
    stand.publish((0..40).map(said).collect());
    let running = stand.start(rules).unwrap();
    let tries = || {
        let counts = running.counts();
        let retries = counts.stages.get(&Topic::Grounded.into()).map(|stage| stage.retries.clone()).unwrap_or_default();
        retries.get("model_unavailable").copied().unwrap_or(0)
    };
    // Longer than a record that fails while its model works is tried.
    while tries() <= u64::from(limits::POISON_TRIES) + 1 {
        assert!(!running.idle(Duration::from_millis(100)), "turns went through without their vectors");
    }
    open(address, &server);
    assert!(running.idle(PATIENCE), "the turns did not come through: {:?}", running.fault());
    running.stop();
    assert!(stand.ports.dead.list(10).unwrap().is_empty());
    let observations: usize = (0..5).map(|n| stand.observations(&format!("customer {n}")).len()).sum();
    assert_eq!(observations, 40);
    assert!(lanes.counts(Lane::Live).slices() > 0);
}
