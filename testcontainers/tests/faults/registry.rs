//! A schema registry that is away at the start, and later.

use std::{
    io,
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use saidso_core::fault::Remedy;
use saidso_kafka::{
    Options,
    wire::{Codec, Registry},
};
use saidso_testcontainers::{
    distributed::Distributed,
    servers::{Service, shared},
    stand::rules,
};

use super::{
    process::{Process, until},
    story::{Reader, Story, assert_as_undisturbed},
};

/// A way to the registry that can be closed. A restart of the registry itself takes far longer.
#[derive(Default)]
struct Door {
    open: AtomicBool,
    connections: Mutex<Vec<TcpStream>>,
}

impl Door {
    /// Closed at first; with the address in front of it.
    fn to(address: String) -> (Arc<Self>, String) {
        let door = Arc::new(Self::default());
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let front = listener.local_addr().expect("an address").to_string();
        let own = door.clone();
        // Ends with the test.
        thread::spawn(move || {
            for client in listener.incoming().flatten().filter(|_| own.open.load(Ordering::SeqCst)) {
                // A connection that fails is one that the client makes again.
                let _ = own.connect(client, &address);
            }
        });
        (door, front)
    }

    fn connect(&self, client: TcpStream, address: &str) -> io::Result<()> {
        let registry = TcpStream::connect(address)?;
        self.connections.lock().expect("nobody panics with it").extend([client.try_clone()?, registry.try_clone()?]);
        for (mut from, mut to) in [(client.try_clone()?, registry.try_clone()?), (registry, client)] {
            thread::spawn(move || {
                let copied = io::copy(&mut from, &mut to);
                let _ = to.shutdown(Shutdown::Both);
                copied
            });
        }
        Ok(())
    }

    fn open(&self) {
        self.open.store(true, Ordering::SeqCst);
    }

    fn close(&self) {
        self.open.store(false, Ordering::SeqCst);
        for connection in self.connections.lock().expect("nobody panics with it").drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

#[test]
fn a_registry_that_is_away_holds_turns_and_loses_none() {
    let data = Distributed::new();
    let url = shared(Service::Registry).address().trim_start_matches("http://").to_owned();
    let (host, path) = url.split_once('/').expect("its interface has a path");
    let (door, front) = Door::to(host.to_owned());
    let open = |instance: &str| {
        // Each process learns the schemas for itself.
        let registry =
            Registry { url: format!("http://{front}/{path}"), credentials: None, timeout: Duration::from_secs(30) };
        let codec = Codec::with_registry(&registry, &format!("{}.", data.name)).expect("it asks nothing yet");
        Process::over(&data.cql(), Options { codec, ..data.kafka(instance) }).expect("it opens")
    };

    // Away at the start.
    let mut first = open("one").start(rules()).expect("the stages start");
    let mut story = Story::of(["registered"]);
    let fault = story.try_part(&first).expect_err("nothing can be written yet");
    assert_eq!(fault.remedy, Remedy::Retry, "{fault}");
    door.open();
    story.tell_parts(2, &first, || false).expect("the registry is there");

    // Away later: who knows the schemas goes on, who does not waits.
    door.close();
    first.running = None;
    let second = open("two").start(rules()).expect("the stages start");
    story.tell_parts(5, &first, || false).expect("it knows them");
    until("stages that wait", || second.running().counts().stages.values().any(|stage| !stage.retries.is_empty()));
    door.open();
    story.tell(&second);
    drop((first, second));

    let reader = Reader::of(&data);
    assert_eq!(reader.dead(), []);
    assert_as_undisturbed(&reader, &[story]);
}
