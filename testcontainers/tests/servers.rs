//! The real servers answer, keep their data over restarts and crashes, and never outlive who started them.
//!
//! The protocols are spoken here in plain bytes, so that the harness is proved without the product's clients.

use std::{
    fs,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use saidso_testcontainers::servers::{Server, Service, shared};

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
    stream
}

// Kafka

fn string(text: &str) -> Vec<u8> {
    [&(text.len() as u16).to_be_bytes(), text.as_bytes()].concat()
}

fn send(stream: &mut TcpStream, key: u8, version: u8, body: &[u8]) {
    let request = [&[0, key, 0, version, 0, 0, 0, 7, 0xff, 0xff], body].concat();
    stream.write_all(&(request.len() as u32).to_be_bytes()).expect("a request");
    stream.write_all(&request).expect("a request");
}

fn answer(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut size = [0; 4];
    stream.read_exact(&mut size)?;
    let mut answer = vec![0; u32::from_be_bytes(size) as usize];
    stream.read_exact(&mut answer)?;
    assert_eq!(answer[..4], [0, 0, 0, 7], "it answers what was asked");
    Ok(answer.split_off(4))
}

const METADATA: u8 = 3;
const CREATE_TOPICS: u8 = 19;
const ALL_TOPICS: [u8; 4] = [0xff; 4];

fn create(server: &Server, topic: &str) {
    // One partition on one broker, no assignment and no setting of its own; ten seconds; not just a check.
    let topic_of_one = [&string(topic)[..], &[0, 0, 0, 1, 0, 1], &[0; 8]].concat();
    let body = [&[0, 0, 0, 1][..], &topic_of_one, &10_000_u32.to_be_bytes(), &[0]].concat();
    let mut stream = connect(server);
    send(&mut stream, CREATE_TOPICS, 2, &body);
    let answer = answer(&mut stream).expect("an answer");
    let error = [&[0, 0, 0, 1][..], &string(topic), &[0, 0]].concat();
    assert!(answer[4..].starts_with(&error), "it is created: {answer:?}");
}

fn has(server: &Server, topic: &str) -> bool {
    let mut stream = connect(server);
    send(&mut stream, METADATA, 1, &ALL_TOPICS);
    let (answer, topic) = (answer(&mut stream).expect("an answer"), string(topic));
    answer.windows(topic.len()).any(|window| window == topic)
}

#[test]
fn kafka_keeps_its_topics_and_can_be_frozen() {
    let server = Server::own(Service::Kafka).expect("a server");
    assert!(!has(&server, "seen-before"));
    create(&server, "seen-before");

    let mut stream = connect(&server);
    server.freeze().expect("it freezes");
    send(&mut stream, METADATA, 1, &ALL_TOPICS);
    stream.set_read_timeout(Some(Duration::from_millis(300))).expect("a limit");
    assert_eq!(answer(&mut stream).map_err(|error| error.kind()), Err(io::ErrorKind::WouldBlock), "it is frozen");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
    server.thaw().expect("it thaws");
    answer(&mut stream).expect("an answer to what was asked in the meantime");

    server.stop().expect("it stops");
    assert!(TcpStream::connect(server.address()).is_err(), "it is gone");
    assert!(server.freeze().expect_err("there is nothing to freeze").to_string().contains("it does not run"));
    server.start().expect("it starts");
    assert!(has(&server, "seen-before"), "after a stop");
    assert!(server.start().expect_err("once is enough").to_string().contains("it runs already"));

    create(&server, "seen-late");
    server.kill().expect("it is killed");
    server.start().expect("it starts");
    assert!(has(&server, "seen-before") && has(&server, "seen-late"), "after a crash");
}

// CQL

fn frame(stream: &mut TcpStream, opcode: u8, body: &[u8]) -> (u8, Vec<u8>) {
    stream.write_all(&[4, 0, 0, 0, opcode]).expect("a request");
    stream.write_all(&(body.len() as u32).to_be_bytes()).expect("a request");
    stream.write_all(body).expect("a request");
    let mut header = [0; 9];
    stream.read_exact(&mut header).expect("an answer");
    let mut answer = vec![0; u32::from_be_bytes([header[5], header[6], header[7], header[8]]) as usize];
    stream.read_exact(&mut answer).expect("the whole answer");
    (header[4], answer)
}

fn query(server: &Server, statement: &str) -> Vec<u8> {
    const STARTUP: u8 = 1;
    const QUERY: u8 = 7;
    const RESULT: u8 = 8;
    let mut stream = connect(server);
    let startup = [&[0, 1][..], &string("CQL_VERSION"), &string("3.0.0")].concat();
    frame(&mut stream, STARTUP, &startup);
    const QUORUM_AND_NO_FLAGS: [u8; 3] = [0, 4, 0];
    let body = [&(statement.len() as u32).to_be_bytes()[..], statement.as_bytes(), &QUORUM_AND_NO_FLAGS].concat();
    let (opcode, answer) = frame(&mut stream, QUERY, &body);
    assert_eq!(opcode, RESULT, "{statement}: {}", String::from_utf8_lossy(&answer));
    answer
}

#[test]
fn the_cql_store_keeps_its_rows() {
    let server = Server::own(Service::Cql).expect("a server");
    query(&server, "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    query(&server, "CREATE TABLE k.t (id int PRIMARY KEY, word text)");
    let row = |word: &str| {
        let answer = query(&server, "SELECT word FROM k.t WHERE id = 1");
        answer.ends_with(&[&(word.len() as u32).to_be_bytes(), word.as_bytes()].concat())
    };
    query(&server, "INSERT INTO k.t (id, word) VALUES (1, 'marigold')");
    server.restart().expect("it restarts");
    assert!(row("marigold"), "after a stop");
    query(&server, "INSERT INTO k.t (id, word) VALUES (1, 'foxglove')");
    query(&server, "CREATE TABLE k.late (id int PRIMARY KEY)");
    server.kill().expect("it is killed");
    server.start().expect("it starts");
    assert!(row("foxglove"), "after a crash");
    query(&server, "INSERT INTO k.late (id) VALUES (1)");
}

// The registry

fn register(server: &Server, field: &str) -> serde_json::Value {
    let schema = format!(r#"{{"type":"record","name":"plant","fields":[{{"name":"{field}","type":"string"}}]}}"#);
    let url = format!("{}/subjects/plants-value/versions", server.address());
    let mut answer = ureq::post(&url).send_json(serde_json::json!({ "schema": schema })).expect("it is registered");
    answer.body_mut().read_json().expect("an answer")
}

#[test]
fn the_registry_keeps_its_schemas_under_their_ids() {
    let server = Server::own(Service::Registry).expect("a server");
    let (first, second) = (register(&server, "leaf"), register(&server, "root"));
    assert!(first["id"].is_u64() && first != second, "{first} {second}");
    server.restart().expect("it restarts");
    assert_eq!(register(&server, "leaf"), first, "after a stop");
    server.kill().expect("it is killed");
    server.start().expect("it starts");
    assert_eq!(register(&server, "root"), second, "after a crash");
}

// Finding them

#[test]
fn one_that_someone_else_runs_is_taken_as_it_is() {
    let kafka = shared(Service::Kafka);
    assert!(std::ptr::eq(kafka, shared(Service::Kafka)), "a process shares one");
    let server = Server::given(Service::Kafka, kafka.address().to_owned()).expect("it answers");
    for refused in [server.stop(), server.kill(), server.freeze(), server.thaw(), server.start()] {
        let error = refused.expect_err("it is not ours").to_string();
        assert!(error.contains("Server::own"), "{error}");
    }

    let output = Command::new(env!("CARGO_BIN_EXE_servers"))
        .env("SAIDSO_TEST_KAFKA", kafka.address())
        .args(["kafka", "--", "sh", "-c", "echo $SAIDSO_TEST_KAFKA; exit 7"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(7), "the command's own");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), kafka.address());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("taking the one that runs at"), "{said}");
}

#[test]
fn one_that_does_not_answer_is_an_error_and_never_a_skip() {
    // Nothing listens at port 1.
    for (service, address) in [(Service::Kafka, "127.0.0.1:1"), (Service::Registry, "http://127.0.0.1:1")] {
        let error = Server::given(service, address.to_owned()).expect_err("nothing is there").to_string();
        assert!(error.contains("did not answer") && error.contains(address), "{error}");
    }
}

#[test]
fn servers_end_with_a_killed_owner_and_leave_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut owner = Command::new(env!("CARGO_BIN_EXE_servers"))
        .args(["kafka", "--", "sh", "-c", "echo $SAIDSO_TEST_KAFKA; exec cat"])
        .env_remove("SAIDSO_TEST_KAFKA")
        .env("TMPDIR", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut address = String::new();
    BufReader::new(owner.stdout.take().expect("it is piped")).read_line(&mut address).expect("an address");
    TcpStream::connect(address.trim()).expect("the server runs");
    let homes = || fs::read_dir(folder.path()).expect("the folder is there").count();
    assert_eq!(homes(), 1, "the server's home");

    owner.kill().expect("it is killed");
    owner.wait().expect("it is gone");
    let gone = || TcpStream::connect(address.trim()).is_err() && homes() == 0;
    let deadline = Instant::now() + Duration::from_secs(60);
    while !gone() && Instant::now() < deadline {
        thread::park_timeout(Duration::from_millis(20));
    }
    assert!(gone(), "neither the server nor its home is left");
}
