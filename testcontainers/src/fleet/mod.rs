//! The real program as separate processes on Kafka and a CQL store, to be killed, frozen, joined and left, and compared
//! with the embedded backend.
//!
//! [`Settings`] are topics and a keyspace of their own, which [`Settings::open`] makes so that they give the ids that
//! [`crate::stand::Stand::embedded`] gives. A [`Fleet`] works on them, a [`Storm`] goes over it, a [`Client`] and a [`Gateway`] publish
//! meanwhile, and an [`Exporter`] says what came of it.
//!
//! It is a test's tool: what goes wrong in it is a panic that says what was found. Processes end with their fleet, and
//! with its owner, however that ends.

mod client;
mod export;
mod gateway;
mod member;
mod settings;
mod storm;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use self::member::Member;
pub use self::{
    client::Client,
    export::{Export, Exporter, rules},
    gateway::Gateway,
    member::Role,
    settings::Settings,
    storm::{Storm, Toll},
};
use crate::{crash, servers::net::free_port};

/// How often it is looked whether everything is through.
const LOOK: Duration = Duration::from_millis(100);

/// Processes of the program on the same topics and keyspace.
pub struct Fleet {
    // Ended before their folder goes.
    members: Vec<Member>,
    program: PathBuf,
    folder: TempDir,
}

impl Fleet {
    /// None yet.
    fn new(program: &Path, settings: &Settings) -> Self {
        let folder = crash::folder();
        settings.write(folder.path()).expect("the configuration can be written");
        Self { members: Vec::new(), program: program.to_owned(), folder }
    }

    /// One of each role, and a second of all that share a topic or answer requests but the lightest two.
    pub fn crew(program: &Path, settings: &Settings) -> Self {
        use Role::{Embed, Extract, Ground, Intake, Recall, Write};
        let mut fleet = Self::new(program, settings);
        let crew = [Intake, Intake, Extract, Extract, Ground, Embed, Write, Write, Recall, Recall];
        crew.into_iter().for_each(|role| fleet.start(role));
        fleet
    }

    /// Starts one more process. It does not wait for it: the program takes its address at once and answers when it can.
    pub fn start(&mut self, role: Role) {
        let number = 1 + self.members.iter().filter(|member| member.role == role).count();
        let taken = |port: &u16| self.members.iter().any(|member| member.address.ends_with(&format!(":{port}")));
        let port = std::iter::repeat_with(free_port).find(|port| !taken(port)).expect("ports do not run out");
        self.members.push(Member::start(&self.program, self.folder.path(), role, number, port));
    }

    /// Asks the first process of a role to end, once it is up, as an init system does, and waits for that.
    pub fn retire(&mut self, role: Role) {
        let first = self.members.iter_mut().find(|member| member.role == role && member.runs());
        let first = first.expect("one of them runs");
        Client::new(vec![first.address.clone()]).ready();
        first.retire();
    }

    /// A client of those of a role that there are.
    pub fn client(&self, role: Role) -> Client {
        let of_role = self.members.iter().filter(|member| member.role == role);
        Client::new(of_role.map(|member| member.address.clone()).collect())
    }

    /// A client of each process of a role alone.
    pub fn each(&self, role: Role) -> Vec<Client> {
        let of_role = self.members.iter().filter(|member| member.role == role);
        of_role.map(|member| Client::new(vec![member.address.clone()])).collect()
    }

    /// Waits until nothing waits before any stage. Nobody may publish meanwhile.
    pub fn settle(&mut self, patience: Duration) {
        let (client, deadline) = (self.client(Role::Recall), Instant::now() + patience);
        loop {
            self.look();
            // The page shows the topics in the order in which a turn passes them, so what left one is seen in the next.
            let lag = client.lag();
            if lag.values().all(|records| *records == 0) {
                return;
            }
            assert!(Instant::now() < deadline, "it is not through within {patience:?}: {lag:?}\n{}", self.logs());
            thread::sleep(LOOK);
        }
    }

    /// Records that wait before each stage, by topic.
    pub fn lag(&self) -> BTreeMap<String, u64> {
        self.client(Role::Recall).lag()
    }

    /// Fails if a process ended by itself.
    pub fn look(&mut self) {
        for member in &mut self.members {
            if let Some(log) = member.ended() {
                panic!("{} ended by itself:\n{log}", member.name);
            }
        }
    }

    /// What each process logged last.
    fn logs(&self) -> String {
        self.members.iter().map(|member| format!("{}:\n{}", member.name, member.log())).collect()
    }
}

impl Drop for Fleet {
    /// A failure leaves a trace: the folder with the logs goes.
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{}", self.logs());
        }
    }
}
