//! What customers say and have forgotten, step by step, by a client that asks again until it is answered; and what must
//! be left of it.

use std::time::Instant;

use saidso_core::{
    fault::{Code, Fault, Remedy},
    ids::{ObservationId, TurnId},
    item::Drop,
    seal::{self, Field, Generation, KeyId, Payload, Place, Sealed},
    turn::{Role, SubmittedMessage, SubmittedTurn, Turn},
};
use saidso_pipeline::{Keep, Refused};
use saidso_testcontainers::{
    distributed::Distributed,
    stand::{self, GENERATION, Stand},
};
use scylla::client::{session::Session, session_builder::SessionBuilder};
use tokio::runtime::Runtime;

use super::process::{Manner, PATIENCE, Process};

/// The process is gone, or its store is.
#[derive(Debug)]
pub struct Crashed;

/// Two customers for each name, and how far their story is.
pub struct Story {
    names: Vec<String>,
    told: usize,
}

const PARTS: usize = 8;
/// Days that words are kept, so that those of the first two turns go.
const KEPT_DAYS: u16 = 59;
const FORGOTTEN: &str = "allergic to peanuts";

impl Story {
    pub fn of(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), told: 0 }
    }

    /// Stories that are equally far, as one.
    pub fn together(stories: Vec<Self>) -> Self {
        let told = stories[0].told;
        assert!(stories.iter().all(|story| story.told == told));
        Self { names: stories.into_iter().flat_map(|story| story.names).collect(), told }
    }

    /// The spaces.
    fn spaces(&self) -> Vec<String> {
        self.names.iter().flat_map(|name| [format!("{name}/ann"), format!("{name}/bob")]).collect()
    }

    /// Goes on from where it was, to the end.
    pub fn tell(&mut self, process: &Process) {
        self.tell_until(process, || false).expect("there is no end before the end");
    }

    /// Goes on until `crashed` says that it is of no use.
    pub fn tell_until(&mut self, process: &Process, crashed: impl Fn() -> bool) -> Result<(), Crashed> {
        self.tell_parts(PARTS, process, crashed)
    }

    /// Tries the next part once.
    pub fn try_part(&self, process: &Process) -> Result<(), Fault> {
        self.part(process, || true)
    }

    /// Goes on to before a part.
    pub fn tell_parts(&mut self, parts: usize, process: &Process, crashed: impl Fn() -> bool) -> Result<(), Crashed> {
        let deadline = Instant::now() + PATIENCE;
        while self.told < parts {
            if crashed() {
                return Err(Crashed);
            }
            match self.part(process, &crashed) {
                Ok(()) => self.told += 1,
                // The client asks again, or asks the next process.
                Err(fault) if fault.remedy == Remedy::Retry => assert!(Instant::now() < deadline, "{fault}"),
                Err(fault) => assert!(crashed(), "part {}: {fault}", self.told),
            }
        }
        if crashed() { Err(Crashed) } else { Ok(()) }
    }

    fn part(&self, process: &Process, crashed: impl Fn() -> bool) -> Result<(), Fault> {
        let stand = &process.stand;
        match self.told {
            0 => self.say(stand, |name| {
                vec![
                    said(name, "ann", 1, "I'm allergic to peanuts. I live in Oslo with my family."),
                    said(name, "ann", 2, "We use PostgreSQL for our invoices."),
                    said(name, "bob", 3, "I'm allergic to peanuts."),
                ]
            }),
            2 => self.names.iter().try_for_each(|name| forget(stand, &format!("{name}/ann"))),
            // The first is dated before the forget, and comes after it.
            3 => self.say(stand, |name| {
                vec![
                    said(name, "ann", 4, "I'm allergic to peanuts. I prefer short answers in bullet points."),
                    said(name, "bob", 5, "We use MySQL for our invoices."),
                ]
            }),
            4 => self.say(stand, |name| vec![said(name, "ann", 6, "Forget that I live in Oslo.")]),
            5 => {
                let keep = Keep { days: Some(KEPT_DAYS), ..Keep::default() };
                stand.intake().keeping(keep).let_go().map(drop)
            }
            6 => self.names.iter().try_for_each(|name| {
                stand.intake().end_session(&stand.scope(&format!("{name}/ann")), "visit").map(drop)
            }),
            _ if process.rest(crashed) => Ok(()),
            _ => Err(Fault::retry(Code::StoreUnavailable, "waited for what was said: the process is gone")),
        }
    }

    fn say(&self, stand: &Stand, turns: impl Fn(&str) -> Vec<SubmittedTurn>) -> Result<(), Fault> {
        let turns = self.names.iter().flat_map(|name| turns(name)).collect();
        let results = stand.intake().submit(&stand.token(), turns);
        results.into_iter().try_for_each(|result| match result {
            Ok(_) => Ok(()),
            Err(Refused::Fault(fault)) => Err(fault),
            Err(refused) => panic!("every turn is well formed: {refused}"),
        })
    }
}

fn said(name: &str, who: &str, day: u8, text: &str) -> SubmittedTurn {
    SubmittedTurn {
        tenant: None,
        space: format!("{name}/{who}"),
        session: Some("visit".into()),
        turn: Some(format!("turn {day}")),
        occurred_at: format!("2026-11-{day:02}T10:00:00Z"),
        zone: None,
        messages: vec![SubmittedMessage { role: Role::Customer, text: text.into(), id: Some(format!("m{day}")) }],
        recalled: vec![],
        attachments: vec![],
    }
}

/// Has the memory forgotten. Where nothing is found any more, an earlier try was heard.
fn forget(stand: &Stand, space: &str) -> Result<(), Fault> {
    let scope = stand.scope(space);
    for sealed in stand.ports.store.rows(&scope, GENERATION)?.observations {
        let open = sealed.open(&scope, GENERATION, stand.ports.keys.as_ref())?;
        let found: Option<ObservationId> =
            open.filter(|open| open.body.item.evidence.quote.contains(FORGOTTEN)).map(|open| open.id);
        if let Some(memory) = found {
            stand.intake().forget(&scope, memory)?;
        }
    }
    Ok(())
}

/// What is left of stories is what is left of the same ones with nothing in their way.
pub fn assert_as_undisturbed(reader: &Reader, stories: &[Story]) {
    let data = Distributed::new();
    let process = Process::open(&data, &Manner::default()).and_then(|process| process.start(stand::rules()));
    let process = process.expect("it opens");
    Story::of(stories.iter().flat_map(|story| &story.names)).tell(&process);
    drop(process);
    let due = Reader::of(&data);
    for space in stories.iter().flat_map(Story::spaces) {
        assert_eq!(reader.left(&space), due.left(&space), "{space}");
    }
}

/// What is left of a space, in words.
#[derive(Debug, PartialEq, Eq)]
pub struct Left {
    /// The logical export, one line a memory.
    memories: Vec<String>,
    /// Per turn: its words, what was let go, whether it was sealed anew, and how many keys there are of versions before
    /// that.
    turns: Vec<(Vec<String>, Vec<String>, bool, usize)>,
    /// How many marks there are.
    marks: usize,
}

/// Reads what is left, past every process's memory.
pub struct Reader {
    runtime: Runtime,
    session: Session,
    fresh: Process,
}

impl Reader {
    /// Of data that nobody writes to just now.
    pub fn of(data: &Distributed) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let session = runtime.block_on(async {
            let session = SessionBuilder::new().known_node(&data.cql).build().await.expect("a session");
            session.use_keyspace(&data.name, true).await.expect("the keyspace");
            session
        });
        let manner = Manner { instance: "reader", ..Default::default() };
        let fresh = Process::open(data, &manner).expect("it opens");
        Self { runtime, session, fresh }
    }

    /// Of one space. Nothing was set aside, and every turn is known to be on the log.
    pub fn left(&self, space: &str) -> Left {
        let stand = &self.fresh.stand;
        let scope = stand.scope(space);
        let mut rows = stand.ports.store.turns(&scope).expect("the turns read");
        rows.sort_by_key(|row| row.turn);
        let turns = rows.into_iter().map(|row| {
            assert!(row.position.is_some(), "{space} has a turn of which nobody knows that it is on the log");
            let KeyId::Turn { version: stands, .. } = row.sealed.key else { panic!("a turn has a key of its own") };
            let turn: Turn = self.open(space, row.turn, Field::Turn, &row.sealed);
            let words = turn.body.messages.into_iter().map(|message| message.text).collect();
            let drops = row.drops.map(|drops| self.open::<Vec<Drop>>(space, row.turn, Field::Drops, &drops));
            let drops = drops.unwrap_or_default().iter().map(|drop| format!("{drop:?}")).collect();
            let older = self.versions(space, row.turn).into_iter().filter(|version| *version < stands).count();
            (words, drops, stands > 0, older)
        });
        let turns = turns.collect();
        let marks = stand.ports.store.marks(&scope).expect("the marks read").len();
        Left { memories: stand.export(space), turns, marks }
    }

    fn open<T: Payload>(&self, space: &str, turn: TurnId, field: Field, sealed: &Sealed) -> T {
        let stand = &self.fresh.stand;
        let scope = stand.scope(space);
        let key = stand.ports.keys.key(&scope, sealed.key).expect("keys read").expect("what is stored has its key");
        let place = Place { scope: &scope, id: *turn.as_bytes(), generation: Generation::ALL, field };
        seal::open(&key, place, sealed).expect("it opens")
    }

    /// The versions of a turn's key that the store has.
    fn versions(&self, space: &str, turn: TurnId) -> Vec<u64> {
        let (tenant, own) = self.fresh.stand.scope(space).key();
        let statement = "SELECT version FROM keys WHERE tenant = ? AND space = ? AND turn = ?";
        let values = (tenant.as_bytes().to_vec(), own.as_bytes().to_vec(), turn.as_bytes().to_vec());
        let result = self.runtime.block_on(self.session.query_unpaged(statement, values)).expect("the keys read");
        let rows = result.into_rows_result().expect("rows");
        let versions = rows.rows::<(i64,)>().expect("versions").map(|row| row.expect("a version").0);
        versions.map(|version| version.try_into().expect("versions are stamps")).collect()
    }

    /// What was set aside.
    pub fn dead(&self) -> Vec<saidso_core::record::DeadLetter> {
        self.fresh.stand.ports.dead.list(usize::MAX).expect("they read")
    }
}
