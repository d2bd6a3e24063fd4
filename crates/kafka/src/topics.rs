//! The topics: made where they are missing, checked where they are there.

use std::{
    thread,
    time::{Duration, Instant},
};

use rdkafka::{
    admin::{AdminClient, AdminOptions, NewTopic, ResourceSpecifier, TopicReplication},
    client::DefaultClientContext,
    types::RDKafkaErrorCode,
};
use saidso_core::{
    fault::{Code, Fault},
    record::Topic,
};

use crate::{
    native::{Described, describe},
    options::Options,
    trouble::fault,
};

const TRIED: &str = "looked at the topics";
/// How long one question to the broker may take.
const WAIT: Duration = Duration::from_secs(10);
/// How long topics may take from being made to being there.
const MADE: Duration = Duration::from_secs(30);

/// A topic as it is to be made.
struct Wanted {
    name: String,
    partitions: u32,
    settings: Vec<(&'static str, String)>,
    /// Whether another count is refused.
    pinned: bool,
}

/// What was found.
pub(crate) struct Found {
    /// Topics that positions and offsets count in, by name.
    pub counted: Vec<Described>,
    /// Partitions of the public topic.
    pub completed: u32,
    /// What an operator should know.
    pub warnings: Vec<String>,
}

/// Makes what is missing; others may do the same at the same time.
pub(crate) fn prepare(options: &Options) -> Result<Found, Fault> {
    let admin: AdminClient<DefaultClientContext> = options.admin().create().map_err(|error| fault(TRIED, &error))?;
    let wanted = wanted(options);
    let names: Vec<String> = wanted.iter().map(|topic| topic.name.clone()).collect();
    let look = || describe(admin.inner(), &names, WAIT).map_err(|error| fault(TRIED, &error));
    let mut there = look()?;
    if there.len() < wanted.len() {
        make(&admin, options, wanted.iter().filter(|topic| find(&there, &topic.name).is_none()))?;
        let deadline = Instant::now() + MADE;
        while there.len() < wanted.len() {
            there = look()?;
            if Instant::now() > deadline {
                return Err(Fault::retry(Code::StoreUnavailable, format!("{TRIED}: those made do not appear")));
            }
            thread::park_timeout(Duration::from_millis(5));
        }
    }
    for topic in wanted.iter().filter(|topic| topic.pinned) {
        match find(&there, &topic.name) {
            Some(found) if found.partitions != topic.partitions => return Err(other_count(topic, found)),
            _ => {}
        }
    }
    let names = options.names();
    let mut counted: Vec<Described> =
        Topic::ALL.iter().filter_map(|topic| find(&there, &names.topic(*topic)).cloned()).collect();
    counted.sort_by(|a, b| a.name.cmp(&b.name));
    let completed = find(&there, &names.completed()).map_or(options.partitions, |found| found.partitions);
    let warnings = kept_longer(&admin, &names.completed(), options.completed_kept)?.into_iter().collect();
    Ok(Found { counted, completed, warnings })
}

fn find<'a>(there: &'a [Described], name: &str) -> Option<&'a Described> {
    there.iter().find(|topic| topic.name == name)
}

fn wanted(options: &Options) -> Vec<Wanted> {
    let names = options.names();
    let transport = || {
        let kept = options.kept.as_millis().to_string();
        vec![("cleanup.policy", "delete".to_owned()), ("retention.ms", kept)]
    };
    let internal = |name, partitions| Wanted { name, partitions, settings: transport(), pinned: true };
    let mut wanted: Vec<Wanted> =
        Topic::ALL.iter().map(|topic| internal(names.topic(*topic), options.partitions)).collect();
    wanted.push(internal(names.changes(), options.partitions));
    wanted.push(internal(names.dead(), 1));
    let ever = vec![("cleanup.policy", "delete".to_owned()), ("retention.ms", "-1".to_owned())];
    wanted.push(Wanted { name: names.store(), partitions: 1, settings: ever, pinned: true });
    // Only whole segments are deleted, and never the one being written: they have to be short too.
    let kept = options.completed_kept.as_millis();
    let settings = vec![
        ("cleanup.policy", "delete".to_owned()),
        ("retention.ms", kept.to_string()),
        ("segment.ms", (kept / 4).max(1).to_string()),
        ("segment.bytes", (16 << 20).to_string()),
    ];
    wanted.push(Wanted { name: names.completed(), partitions: options.partitions, settings, pinned: false });
    wanted
}

fn make<'a>(
    admin: &AdminClient<DefaultClientContext>,
    options: &Options,
    missing: impl Iterator<Item = &'a Wanted>,
) -> Result<(), Fault> {
    let refused = |name: &str, why: &str| {
        Fault::stop(Code::StoreUnavailable, format!("made the topic {name}: {why}. Make it by hand, or allow it"))
    };
    let number = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
    let topics: Vec<NewTopic<'_>> = missing
        .map(|topic| {
            let replication = TopicReplication::Fixed(number(options.replication));
            let new = NewTopic::new(&topic.name, number(topic.partitions), replication);
            topic.settings.iter().fold(new, |new, (key, value)| new.set(key, value))
        })
        .collect();
    let order = AdminOptions::new().operation_timeout(Some(WAIT)).request_timeout(Some(WAIT));
    let made = pollster::block_on(admin.create_topics(&topics, &order)).map_err(|error| fault(TRIED, &error))?;
    for result in made {
        match result {
            Ok(_) | Err((_, RDKafkaErrorCode::TopicAlreadyExists)) => {}
            Err((_, RDKafkaErrorCode::OperationTimedOut | RDKafkaErrorCode::RequestTimedOut)) => {}
            Err((name, why)) => return Err(refused(&name, &why.to_string())),
        }
    }
    Ok(())
}

fn other_count(wanted: &Wanted, found: &Described) -> Fault {
    let message = format!(
        "looked at {}: it has {} partitions, and this process is set to {}. A space keeps to its partition: set the same \
         number as before, or drain into a new log epoch",
        found.name, found.partitions, wanted.partitions
    );
    Fault::stop(Code::Generation, message)
}

/// Words on a public topic that keeps turns for longer than it should. It may be somebody else's.
fn kept_longer(
    admin: &AdminClient<DefaultClientContext>,
    name: &str,
    wanted: Duration,
) -> Result<Option<String>, Fault> {
    let order = AdminOptions::new().request_timeout(Some(WAIT));
    let answers = pollster::block_on(admin.describe_configs(&[ResourceSpecifier::Topic(name)], &order));
    let answers = answers.map_err(|error| fault(TRIED, &error))?;
    let resource = answers.into_iter().flatten().next();
    let value =
        resource.as_ref().and_then(|resource| resource.get("retention.ms")).and_then(|entry| entry.value.clone());
    let Some(kept) = value.and_then(|value| value.parse::<i64>().ok()) else { return Ok(None) };
    let longer = u128::try_from(kept).map_or(true, |kept| kept > wanted.as_millis());
    Ok(longer.then(|| {
        let wanted = wanted.as_millis();
        format!(
            "{name} keeps turns, which are in the clear, with retention.ms={kept}; {wanted} is wanted: they outlive being \
             forgotten by so long"
        )
    }))
}
