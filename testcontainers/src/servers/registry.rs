//! A schema registry with Confluent's interface.

use std::{ffi::OsString, fs, io, path::Path, process::Command, time::Duration};

use super::{
    jars::{Jars, NotRun, run},
    java::Java,
    recipe::{Place, Recipe},
};

pub(super) const RECIPE: Recipe = Recipe {
    name: "registry",
    variable: "SAIDSO_TEST_REGISTRY",
    address: |port| format!("http://127.0.0.1:{port}/apis/ccompat/v7"),
    probe,
    container,
    jars: Jars {
        name: "apicurio-registry-3.3.3",
        megabytes: 159,
        dependencies: "
<dependency><groupId>io.apicurio</groupId><artifactId>apicurio-registry-app</artifactId><version>3.3.3</version>
<type>tar.gz</type><classifier>all</classifier>
<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>
",
        finish: unpack,
    },
    java: 21..=u32::MAX,
    java_package: "openjdk-21-jre-headless (from Debian 13 on; any other Java of that age will do, with JAVA_HOME set to it)",
    syncs_often: false,
    launch,
};

fn unpack(folder: &Path, _: &Java) -> Result<(), String> {
    let archive = folder.join("libs/apicurio-registry-app-3.3.3-all.tar.gz");
    run(Command::new("tar").arg("-xzf").arg(&archive).current_dir(folder)).map_err(|error| match error {
        NotRun::Missing => "needs tar to unpack it; install tar".to_owned(),
        NotRun::Failed(said) => format!("tar could not unpack it:\n{said}"),
    })?;
    fs::remove_file(&archive).map_err(|error| format!("cannot remove {}: {error}", archive.display()))
}

fn launch(place: &Place) -> io::Result<Vec<OsString>> {
    let Place { folder, port, inner_port, .. } = place;
    // In a file rather than in memory, so that schemas keep their ids over a restart.
    let data = format!("apicurio.datasource.url=jdbc:h2:file:{}", folder.join("registry").display());
    let properties = [
        "quarkus.http.host=127.0.0.1".to_owned(),
        format!("quarkus.http.port={port}"),
        "quarkus.management.host=127.0.0.1".to_owned(),
        format!("quarkus.management.port={inner_port}"),
        data,
        "apicurio.datasource.jdbc.initial-size=1".to_owned(),
        "apicurio.datasource.jdbc.min-size=1".to_owned(),
    ];
    let mut arguments: Vec<OsString> = vec!["-Xmx512m".into()];
    arguments.extend(properties.map(|property| format!("-D{property}").into()));
    arguments.extend(["-jar".into(), place.jars.join("quarkus-run.jar").into()]);
    Ok(arguments)
}

fn container(port: u16) -> Vec<String> {
    let publish = format!("127.0.0.1:{port}:8080");
    ["--publish", &publish, "apicurio/apicurio-registry:3.3.3"].map(str::to_owned).to_vec()
}

/// Lists the subjects.
fn probe(address: &str) -> Result<(), String> {
    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_global(Some(Duration::from_secs(10))).build().into();
    let subjects = agent.get(format!("{}/subjects", address.trim_end_matches('/'))).call();
    let subjects = subjects.and_then(|mut answer| answer.body_mut().read_json::<Vec<String>>());
    subjects.map(drop).map_err(|error| format!("no list of subjects from {address}: {error}"))
}
