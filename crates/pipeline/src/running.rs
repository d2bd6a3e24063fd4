//! The stages of one process: started together, stopped together.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use saidso_core::{
    fault::{Code, Fault, Remedy},
    ports::Submissions,
    record::{self, Topic},
    seal::Generation,
};

use crate::{
    Counts, Intake, Ports, Rules,
    counts::Counters,
    embed::Embed,
    extract::Extract,
    gateway::Gateway,
    ground::Ground,
    transform::{self, Transform},
    work::{self, Pauses, Signal, Work},
    write::Write,
};

/// How often it is looked which words are kept no longer.
const LET_GO: Duration = Duration::from_secs(24 * 60 * 60);

/// The running stages. Dropping it stops them.
pub struct Running {
    ports: Ports,
    counters: Arc<Counters>,
    signal: Arc<Signal>,
    threads: Vec<JoinHandle<()>>,
}

/// Pins the generation and starts stages, one thread each. Refuses if the generation was pinned with others.
pub fn start(ports: &Ports, rules: Rules, generation: Generation, stages: &[Stage]) -> Result<Running, Fault> {
    pin(ports, &rules, generation)?;
    let mut running =
        Running { ports: ports.clone(), counters: Arc::default(), signal: Arc::default(), threads: Vec::new() };
    for stage in stages {
        let rules = rules.clone();
        match stage {
            Stage::Extract => running.spawn(transform(Extract { rules }, ports, generation))?,
            Stage::Ground => running.spawn(transform(Ground, ports, generation))?,
            Stage::Embed => running.spawn(transform(Embed { rules, clock: ports.clock.clone() }, ports, generation))?,
            Stage::Write => {
                let counters = running.counters.clone();
                running.spawn(Write::new(ports.clone(), rules, generation, counters))?;
            }
        }
    }
    Ok(running)
}

/// A stage, in the order a turn passes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Proposes items.
    Extract,
    /// Keeps those that stand in the customer's words.
    Ground,
    /// Gives them vectors.
    Embed,
    /// Makes observations of them.
    Write,
}

impl Stage {
    /// All of them.
    pub const ALL: [Stage; 4] = [Stage::Extract, Stage::Ground, Stage::Embed, Stage::Write];
}

fn pin(ports: &Ports, rules: &Rules, generation: Generation) -> Result<(), Fault> {
    let ours = rules.pinned();
    let stands = ports.generations.pin(generation, &ours)?;
    if stands == ours {
        return Ok(());
    }
    let message = format!(
        "started generation {}: its memories were made with extractor {}, embedder {} ({} components) and rules {}; this \
         process has extractor {}, embedder {} ({} components) and rules {}. A generation keeps them for good, every \
         tenant's slots among them, and nothing carries memories over to others yet: start with the ones it was made \
         with, or publish the turns again into a new data folder (on Kafka and CQL: another prefix and keyspace)",
        generation.0,
        stands.extractor,
        stands.embedder,
        stands.dimension,
        stands.rules,
        ours.extractor,
        ours.embedder,
        ours.dimension,
        ours.rules
    );
    Err(Fault::stop(Code::Generation, message))
}

fn transform<S: transform::Stage>(stage: S, ports: &Ports, generation: Generation) -> Transform<S> {
    Transform { stage, ports: ports.clone(), generation }
}

impl Running {
    fn spawn(&mut self, work: impl Work + 'static) -> Result<(), Fault> {
        let topic = work.topic();
        let consumer = self.ports.topics.consume(topic)?;
        let (commits, counters, signal) = (self.ports.commits.clone(), self.counters.clone(), self.signal.clone());
        self.thread(topic.name(), move || work::run(work, consumer, commits, counters, &signal))
    }

    fn thread(&mut self, name: &'static str, run: impl FnOnce() + Send + 'static) -> Result<(), Fault> {
        let signal = self.signal.clone();
        let spawned = thread::Builder::new().name(name.to_owned()).spawn(move || {
            // Without this the others would go on and wait for a stage that is no more.
            if catch_unwind(AssertUnwindSafe(run)).is_err() {
                signal.fail(Fault::stop(Code::Poison, format!("read {name}: the stage panicked")));
            }
        });
        match spawned {
            Ok(thread) => {
                self.threads.push(thread);
                Ok(())
            }
            Err(error) => Err(Fault::stop(Code::Limit, format!("started the stage that reads {name}: {error}"))),
        }
    }

    /// What the stages did so far.
    pub fn counts(&self) -> Counts {
        self.counters.read()
    }

    /// Why the stages ended by themselves, if they did.
    pub fn fault(&self) -> Option<Fault> {
        self.signal.fault()
    }

    /// Records that wait before each stage.
    pub fn lag(&self) -> Result<Vec<(Topic, u64)>, Fault> {
        Topic::ALL.iter().map(|topic| Ok((*topic, self.ports.topics.lag(*topic)?))).collect()
    }

    /// Has turns that gateways put on the public topic published.
    pub fn take_in(&mut self, gateway: Gateway, submissions: &dyn Submissions) -> Result<(), Fault> {
        let consumer = submissions.submissions()?;
        let (counters, signal) = (self.counters.clone(), self.signal.clone());
        self.thread(record::COMPLETED, move || gateway.run(consumer, &counters, &signal))
    }

    /// Has words let go that are kept no longer, at once and then once a day.
    pub fn let_go(&mut self, intake: Intake) -> Result<(), Fault> {
        let signal = self.signal.clone();
        self.thread("let-go", move || {
            let mut pauses = Pauses::default();
            while !signal.stopped() {
                let pause = match intake.let_go() {
                    Ok(_) => {
                        pauses = Pauses::default();
                        LET_GO
                    }
                    Err(fault) if fault.remedy == Remedy::Stop => return signal.fail(fault),
                    Err(_) => pauses.next(),
                };
                signal.wait_until(Instant::now() + pause, || false);
            }
        })
    }

    /// Waits, at most so long, until everything published is through every stage. False if it is not, or cannot be
    /// told.
    pub fn idle(&self, wait: Duration) -> bool {
        let through = || self.lag().is_ok_and(|lag| lag.iter().all(|(_, records)| *records == 0));
        self.signal.wait_until(Instant::now() + wait, through)
    }

    /// Ends the stages after the batch in hand. What was not committed comes again at the next start.
    pub fn stop(mut self) {
        self.join();
    }

    fn join(&mut self) {
        self.signal.stop();
        for thread in self.threads.drain(..) {
            // A panic outside a record is a defect that the thread has already reported.
            let _ = thread.join();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.join();
    }
}
