//! A Kafka broker, its own controller.

use std::{
    ffi::OsString,
    fs,
    io::{self, Read as _, Write as _},
    path::Path,
    process::Command,
};

use super::{
    jars::{Jars, NotRun, run},
    java::Java,
    net,
    recipe::{Place, Recipe},
};

pub(super) const RECIPE: Recipe = Recipe {
    name: "kafka",
    variable: "SAIDSO_TEST_KAFKA",
    address: |port| format!("127.0.0.1:{port}"),
    probe,
    container,
    jars: Jars {
        name: "kafka-4.1.0",
        megabytes: 54,
        dependencies: "
<dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>4.1.0</version></dependency>
<dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>4.1.0</version></dependency>
<dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
",
        finish: format,
    },
    java: 17..=u32::MAX,
    java_package: "openjdk-17-jre-headless",
    syncs_often: false,
    launch,
};

/// What is set wherever the broker runs. One broker cannot replicate; the rest keeps a test from waiting on timers: a
/// group does not wait for members who may yet come, and a dead producer's transaction is ended soon after its timeout.
/// A topic that nobody made is an error to be seen.
const SETTINGS: [(&str, &str); 13] = [
    ("process.roles", "broker,controller"),
    ("node.id", "1"),
    ("controller.listener.names", "CONTROLLER"),
    ("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
    ("offsets.topic.replication.factor", "1"),
    ("offsets.topic.num.partitions", "4"),
    ("transaction.state.log.replication.factor", "1"),
    ("transaction.state.log.min.isr", "1"),
    ("transaction.state.log.num.partitions", "4"),
    ("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000"),
    ("group.initial.rebalance.delay.ms", "0"),
    ("auto.create.topics.enable", "false"),
    ("log.cleaner.dedupe.buffer.size", "8388608"),
];

/// The settings that name addresses: listening at `host`, advertised at the loopback `port`.
fn addresses(host: &str, port: u16, listens: u16, controller: u16) -> [(&'static str, String); 3] {
    [
        ("listeners", format!("PLAINTEXT://{host}:{listens},CONTROLLER://127.0.0.1:{controller}")),
        ("advertised.listeners", format!("PLAINTEXT://127.0.0.1:{port}")),
        ("controller.quorum.voters", format!("1@127.0.0.1:{controller}")),
    ]
}

/// An empty storage folder, made once: what marks a folder as storage of this version is the same for every broker that
/// is alone in its cluster, and making it takes a Java start.
const STORAGE: &str = "storage";
const CLUSTER: &str = "c2FpZHNvLXRlc3Qta2Fma2";

fn format(folder: &Path, java: &Java) -> Result<(), String> {
    let broken = |error: io::Error| format!("cannot write Kafka's settings: {error}");
    let settings = folder.join("format.properties");
    let mut text = properties(addresses("127.0.0.1", 9092, 9092, 9093));
    text += &format!("log.dirs={}\n", folder.join(STORAGE).display());
    fs::write(&settings, text).map_err(broken)?;
    let mut tool = Command::new(&java.program);
    tool.args(["-cp", "libs/*", "kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c"]).arg(&settings);
    run(tool.current_dir(folder)).map_err(|error| match error {
        NotRun::Missing => "Java is gone".to_owned(),
        NotRun::Failed(said) => format!("Kafka could not format its storage:\n{said}"),
    })
}

fn properties(addresses: [(&str, String); 3]) -> String {
    let fixed = SETTINGS.map(|(key, value)| (key, value.to_owned()));
    fixed.into_iter().chain(addresses).map(|(key, value)| format!("{key}={value}\n")).collect()
}

fn launch(place: &Place) -> io::Result<Vec<OsString>> {
    let settings = place.folder.join("server.properties");
    if !settings.exists() {
        let data = place.folder.join("data");
        fs::create_dir(&data)?;
        for file in fs::read_dir(place.jars.join(STORAGE))? {
            let file = file?;
            fs::copy(file.path(), data.join(file.file_name()))?;
        }
        let mut text = properties(addresses("127.0.0.1", place.port, place.port, place.inner_port));
        text += &format!("log.dirs={}\n", data.display());
        fs::write(&settings, text)?;
    }
    let mut arguments = vec!["-Xmx512m".into(), "-Dorg.slf4j.simpleLogger.showDateTime=true".into(), "-cp".into()];
    arguments.push(place.jars.join("libs/*").into());
    arguments.extend(["kafka.Kafka".into(), settings.into()]);
    Ok(arguments)
}

fn container(port: u16) -> Vec<String> {
    let mut arguments = vec!["--publish".to_owned(), format!("127.0.0.1:{port}:9092")];
    let fixed = SETTINGS.map(|(key, value)| (key, value.to_owned()));
    for (key, value) in fixed.into_iter().chain(addresses("", port, 9092, 9093)) {
        arguments.push("--env".to_owned());
        arguments.push(format!("KAFKA_{}={value}", key.replace('.', "_").to_uppercase()));
    }
    arguments.push("apache/kafka:4.1.0".to_owned());
    arguments
}

/// Asks for the brokers of the cluster. A broker answers this only once it takes requests, and counts itself only once
/// the controller has let it in.
fn probe(address: &str) -> Result<(), String> {
    const METADATA_V1_OF_NO_TOPIC: [u8; 18] = [0, 0, 0, 14, 0, 3, 0, 1, 0, 0, 0, 1, 0xff, 0xff, 0, 0, 0, 0];
    let mut stream = net::connect(address)?;
    let mut answer = [0; 12];
    stream
        .write_all(&METADATA_V1_OF_NO_TOPIC)
        .and_then(|()| stream.read_exact(&mut answer))
        .map_err(|error| format!("no Kafka metadata from {address}: {error}"))?;
    match answer {
        [_, _, _, _, 0, 0, 0, 1, 0, 0, 0, 0] => Err(format!("the broker at {address} is not in its cluster yet")),
        [_, _, _, _, 0, 0, 0, 1, ..] => Ok(()),
        _ => Err(format!("what answers at {address} does not speak Kafka")),
    }
}
