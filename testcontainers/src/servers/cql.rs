//! A CQL server: Cassandra as a process, ScyllaDB as a container.

use std::{
    ffi::OsString,
    fs,
    io::{self, Read as _, Write as _},
};

use super::{
    jars::Jars,
    net,
    recipe::{Place, Recipe},
};

pub(super) const RECIPE: Recipe = Recipe {
    name: "cql",
    variable: "SAIDSO_TEST_CQL",
    address: |port| format!("127.0.0.1:{port}"),
    probe,
    container,
    jars: Jars {
        name: "cassandra-5.0.5",
        megabytes: 66,
        dependencies: "
<dependency><groupId>org.apache.cassandra</groupId><artifactId>cassandra-all</artifactId><version>5.0.5</version></dependency>
",
        finish: |_, _| Ok(()),
    },
    // Newer ones have no security manager, which this version wants.
    java: 17..=17,
    java_package: "openjdk-17-jre-headless",
    // Several times for each change of a schema: a table takes 250 ms on a disk with syncs of 6 ms, and 35 in memory.
    syncs_often: true,
    launch,
};

/// The modules of Java that Cassandra reaches into, as its own start script lists them.
const EXPORTS: [&str; 10] = [
    "java.base/jdk.internal.misc",
    "java.base/jdk.internal.perf",
    "java.base/jdk.internal.ref",
    "java.base/java.lang.ref",
    "java.base/sun.nio.ch",
    "java.management.rmi/com.sun.jmx.remote.internal.rmi",
    "java.rmi/sun.rmi.registry",
    "java.rmi/sun.rmi.server",
    "java.sql/java.sql",
    "jdk.unsupported/sun.misc",
];
const OPENS: [&str; 16] = [
    "java.base/java.io",
    "java.base/java.lang",
    "java.base/java.lang.module",
    "java.base/java.lang.reflect",
    "java.base/java.nio",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/java.util.concurrent.atomic",
    "java.base/jdk.internal.loader",
    "java.base/jdk.internal.math",
    "java.base/jdk.internal.module",
    "java.base/jdk.internal.ref",
    "java.base/jdk.internal.reflect",
    "java.base/jdk.internal.util.jar",
    "java.base/sun.nio.ch",
    "jdk.management/com.sun.management.internal",
];

/// One node waits for no other. A memtable's row overhead is estimated from fewer rows, which takes 3 s otherwise.
const PROPERTIES: [&str; 7] = [
    "cassandra-foreground=yes",
    "cassandra.skip_wait_for_gossip_to_settle=0",
    "cassandra.ring_delay_ms=0",
    "cassandra.superuser_setup_delay_ms=0",
    "cassandra.shutdown_announce_in_ms=0",
    "cassandra.consistent.rangemovement=false",
    "cassandra.memtable_row_overhead_computation_step=1000",
];

const LOGGING: &str = r#"<configuration>
<appender name="out" class="ch.qos.logback.core.ConsoleAppender">
<encoder><pattern>%d{ISO8601} %level %logger{0} %msg%n</pattern></encoder>
</appender>
<root level="INFO"><appender-ref ref="out"/></root>
</configuration>
"#;

fn launch(place: &Place) -> io::Result<Vec<OsString>> {
    let (settings, logging) = (place.folder.join("cassandra.yaml"), place.folder.join("logback.xml"));
    if !settings.exists() {
        fs::write(&settings, yaml(place.port, place.inner_port))?;
        fs::write(&logging, LOGGING)?;
    }
    // Every keyspace of a test costs it some: with half of this it ended when all tests ran.
    let mut arguments: Vec<OsString> = vec!["-Xmx2g".into()];
    arguments.extend(EXPORTS.map(|export| format!("--add-exports={export}=ALL-UNNAMED").into()));
    arguments.extend(OPENS.map(|open| format!("--add-opens={open}=ALL-UNNAMED").into()));
    arguments.push(format!("-javaagent:{}", place.jars.join("libs/jamm-0.4.0.jar").display()).into());
    arguments.extend(PROPERTIES.map(|property| format!("-D{property}").into()));
    arguments.push(format!("-Dcassandra.config=file://{}", settings.display()).into());
    arguments.push(format!("-Dcassandra.storagedir={}", place.folder.display()).into());
    arguments.push(format!("-Dlogback.configurationFile=file://{}", logging.display()).into());
    arguments.extend(["-cp".into(), place.jars.join("libs/*").into()]);
    arguments.push("org.apache.cassandra.service.CassandraDaemon".into());
    Ok(arguments)
}

/// Small, and in no hurry to time out: how a loaded machine keeps a server from answering is not what tests are about.
/// The batch that is warned of is the largest that the product may send.
fn yaml(port: u16, storage_port: u16) -> String {
    format!(
        "cluster_name: saidso-test
num_tokens: 1
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters: [{{seeds: \"127.0.0.1:{storage_port}\"}}]
listen_address: 127.0.0.1
storage_port: {storage_port}
rpc_address: 127.0.0.1
native_transport_port: {port}
start_native_transport: true
disk_access_mode: standard
commitlog_sync: periodic
commitlog_sync_period: 10000ms
commitlog_segment_size: 8MiB
commitlog_total_space: 128MiB
memtable_heap_space: 64MiB
memtable_offheap_space: 64MiB
memtable_flush_writers: 1
concurrent_compactors: 1
concurrent_reads: 8
concurrent_writes: 8
auto_snapshot: false
hinted_handoff_enabled: false
batch_size_warn_threshold: 40KiB
read_request_timeout: 20s
range_request_timeout: 20s
write_request_timeout: 20s
cas_contention_timeout: 20s
truncate_request_timeout: 60s
"
    )
}

fn container(port: u16) -> Vec<String> {
    let publish = format!("127.0.0.1:{port}:9042");
    let run = ["--publish", &publish, "scylladb/scylla:2025.1"];
    let small = ["--smp", "1", "--memory", "1G", "--overprovisioned", "1", "--developer-mode", "1"];
    run.into_iter().chain(small).map(str::to_owned).collect()
}

/// Opens a session, in version 4 of the protocol, which both servers speak.
fn probe(address: &str) -> Result<(), String> {
    const OPTIONS: [u8; 9] = [4, 0, 0, 0, 5, 0, 0, 0, 0];
    const STARTUP: &[u8] = b"\x04\x00\x00\x00\x01\x00\x00\x00\x16\x00\x01\x00\x0bCQL_VERSION\x00\x053.0.0";
    const SUPPORTED: u8 = 6;
    const READY: u8 = 2;
    const AUTHENTICATE: u8 = 3;
    let mut stream = net::connect(address)?;
    for (frame, expected) in [(&OPTIONS[..], [SUPPORTED].as_slice()), (STARTUP, &[READY, AUTHENTICATE])] {
        let mut header = [0; 9];
        stream
            .write_all(frame)
            .and_then(|()| stream.read_exact(&mut header))
            .and_then(|()| {
                let length = u32::from_be_bytes([header[5], header[6], header[7], header[8]]);
                io::copy(&mut (&mut stream).take(length.into()), &mut io::sink())
            })
            .map_err(|error| format!("no CQL answer from {address}: {error}"))?;
        if header[0] != 0x84 || !expected.contains(&header[4]) {
            return Err(format!("what answers at {address} does not speak CQL"));
        }
    }
    Ok(())
}
