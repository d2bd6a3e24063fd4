//! The walk: what is done in each step, and what must follow at once.
//!
//! Every other space is *tangled*: its turns may be dated ahead of the clock, send a message a second time, name recalled
//! memories, or state two things in one sentence. What a forget takes there depends on which turns it finds written, so
//! the walk lets everything come through before it. In the other spaces it forgets at any moment.

use std::{collections::BTreeMap, fmt, path::Path, sync::Arc, thread};

use saidso_core::{ids::ObservationId, position::Position, turn::SubmittedTurn};
use saidso_pipeline::Receipt;
use serde_json::json;

use super::{
    check::check_marked,
    draft::{Draft, SESSIONS, Speaker},
    mishaps::{Mishap, Mishaps},
    phrases::Phrase,
    process::Process,
    promise::{Key, Space, Told},
    trace::Trace,
};
use crate::{conversations::Dice, stand::Site};

/// The spaces' names; the odd ones are tangled.
pub const SPACES: [&str; 6] = ["ann", "bob", "cleo", "dev", "eli", "fay"];
/// 2026-03-01T00:00Z.
const BEGIN_MS: i64 = 1_772_323_200_000;

/// Something that was done and changes what is remembered, to be done again without trouble.
pub enum Deed {
    /// Turns were taken, in this order.
    Said(Vec<SubmittedTurn>),
    /// A memory of a space was forgotten.
    Forgot(usize, ObservationId),
    /// A session of a space ended.
    Ended(usize, String),
}

/// A space, and what is known of it.
#[derive(Default)]
pub struct Customer {
    /// What is promised.
    pub space: Space,
    /// The observations there were when everything was through last.
    pub known: BTreeMap<Key, ObservationId>,
    /// The highest position that was seen applied.
    pub applied: Option<Position>,
}

/// One walk.
pub struct Walk<'a> {
    pub(super) site: &'a dyn Site,
    pub(super) now_ms: i64,
    pub(super) customers: Vec<Customer>,
    pub(super) processes: Vec<Process>,
    pub(super) mishaps: Arc<Mishaps>,
    /// What was done, and when.
    pub(super) deeds: Vec<(i64, Deed)>,
    pub(super) counts: Counts,
    armed: Vec<Mishap>,
    dice: Dice,
    steps: usize,
    trace: Trace,
}

/// How much a walk did.
#[derive(Debug, Default)]
pub struct Counts {
    turns: usize,
    forgets: usize,
    mishaps: usize,
    opened: usize,
    pub(super) checks: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { turns, forgets, mishaps, opened, checks } = self;
        write!(f, "{turns} turns, {forgets} forgets, {mishaps} mishaps, opened {opened} times, checked {checks} times")
    }
}

impl<'a> Walk<'a> {
    /// A walk over a new site.
    pub fn new(site: &'a dyn Site, seed: u64, steps: usize, traces: &Path) -> Self {
        let mut walk = Self {
            site,
            now_ms: BEGIN_MS,
            customers: SPACES.iter().map(|_| Customer::default()).collect(),
            processes: Vec::new(),
            mishaps: Arc::default(),
            deeds: Vec::new(),
            counts: Counts::default(),
            armed: Vec::new(),
            dice: Dice::new(seed),
            steps,
            trace: Trace::begin(traces, site.name(), seed),
        };
        walk.open();
        walk
    }

    /// Goes all the way. Panics where something is not as promised.
    pub fn go(mut self) -> Counts {
        for _ in 0..self.steps {
            self.step();
            self.watch();
        }
        self.settle();
        self.compare();
        self.counts
    }

    fn step(&mut self) {
        self.now_ms += (1 + self.dice.roll(600)) as i64 * 60_000;
        for process in &self.processes {
            process.stand.clock.set(self.now_ms);
        }
        match self.dice.roll(100) {
            0..32 => self.say(),
            32..42 => self.repeat(),
            42..56 => self.forget(),
            56..60 => self.forget_nothing(),
            60..67 => self.end_session(),
            67..74 => self.look(),
            74..77 => {
                self.trace.step("settle", json!(null));
                self.settle();
            }
            77..83 => self.restart(),
            83..87 => self.pause_or_resume(),
            87..91 => self.come_or_go(),
            _ => self.mishap(),
        }
    }

    /// New turns, of one customer or more; perhaps sent twice at the same time.
    fn say(&mut self) {
        let speakers: Vec<_> = (0..1 + self.dice.roll(6)).map(|_| (self.dice.roll(SPACES.len()), None)).collect();
        let twice = self.dice.roll(4) == 0;
        self.tell(&speakers, twice);
    }

    /// New turns, of each of the customers one, with what they are to say first.
    fn tell(&mut self, speakers: &[(usize, Option<&'static Phrase>)], twice: bool) {
        let mut drafts: Vec<(usize, Draft)> = Vec::new();
        for (at, first) in speakers.iter().copied() {
            let Customer { space, known, .. } = &self.customers[at];
            let known = known.iter().map(|(key, id)| (*key, *id)).collect();
            let speaker = Speaker { name: SPACES[at], space, known, tangled: tangled(at), now_ms: self.now_ms };
            let free = |at_ms: i64| {
                let told = space.told.iter().map(|told| told.said.at_ms);
                let drafted = drafts.iter().filter(|(other, _)| *other == at).map(|(_, draft)| draft.said.at_ms);
                told.chain(drafted).all(|other| other != at_ms)
            };
            let draft = speaker.speak(&mut self.dice, first, free);
            drafts.push((at, draft));
        }
        let turns: Vec<SubmittedTurn> = drafts.iter().map(|(_, draft)| draft.submitted.clone()).collect();
        self.trace.step("say", json!({ "twice": twice, "turns": turns }));
        let (copies, at_once) = self.publish(&turns, twice);
        if at_once {
            let new = |at: usize| copies.iter().filter(|copy| !copy[at].known).count();
            assert!((0..turns.len()).all(|at| new(at) == 1), "of the copies of a turn one is new");
        }
        self.counts.turns += turns.len();
        for ((at, Draft { submitted, said }), receipt) in drafts.into_iter().zip(copies[0].clone()) {
            self.customers[at].space.tell(Told { submitted, said, receipt });
        }
        self.deeds.push((self.now_ms, Deed::Said(turns)));
    }

    /// Turns that were said before, to the byte.
    fn repeat(&mut self) {
        let mut told: Vec<(SubmittedTurn, Position)> = Vec::new();
        for _ in 0..1 + self.dice.roll(4) {
            let all = &self.customers[self.dice.roll(SPACES.len())].space.told;
            if !all.is_empty() {
                let Told { submitted, receipt, .. } = &all[self.dice.roll(all.len())];
                told.push((submitted.clone(), receipt.position));
            }
        }
        let twice = self.dice.roll(2) == 0;
        let (turns, first): (Vec<_>, Vec<_>) = told.into_iter().unzip();
        self.trace.step("repeat", json!({ "twice": twice, "turns": turns }));
        for copy in self.publish(&turns, twice).0 {
            assert!(copy.iter().all(|receipt| receipt.known));
            let positions: Vec<Position> = copy.iter().map(|receipt| receipt.position).collect();
            assert_eq!(positions, first, "a turn that is said again stands where it stood first");
        }
    }

    /// Publishes, perhaps from two threads at the same time, each of which has its answers; and whether nobody had to ask
    /// again.
    fn publish(&mut self, turns: &[SubmittedTurn], twice: bool) -> (Vec<Vec<Receipt>>, bool) {
        let process = self.any_process();
        let answers: Vec<(Vec<Receipt>, bool)> = thread::scope(|scope| {
            let threads: Vec<_> = (0..1 + usize::from(twice)).map(|_| scope.spawn(|| process.publish(turns))).collect();
            threads.into_iter().map(|thread| thread.join().expect("it publishes")).collect()
        });
        let (copies, at_once): (Vec<_>, Vec<_>) = answers.into_iter().unzip();
        let places = |copy: &Vec<Receipt>| copy.iter().map(|one| (one.turn, one.position)).collect::<Vec<_>>();
        assert!(copies.iter().all(|copy| places(copy) == places(&copies[0])), "copies of a turn stand in one place");
        (copies, at_once.into_iter().all(|at_once| at_once))
    }

    /// A memory that is known and was not forgotten yet; perhaps asked for twice, perhaps said once more just before, while
    /// a stage or all of them stand still: then the two are met together.
    fn forget(&mut self) {
        let at = self.dice.roll(SPACES.len());
        if tangled(at) {
            self.trace.note(json!("settled first"));
            self.settle();
        }
        let customer = &self.customers[at];
        let standing = customer.space.standing();
        let known: Vec<_> = customer.known.iter().filter(|(key, _)| standing.contains(key)).collect();
        if known.is_empty() {
            return self.forget_nothing();
        }
        let (key, id) = known[self.dice.roll(known.len())];
        let (key, id, twice) = (*key, *id, self.dice.roll(4) == 0);
        if !tangled(at) && self.dice.roll(3) == 0 {
            let phrase = self.customers[at].space.told[key.0].said.messages[key.1].phrases[key.2];
            match self.dice.roll(2) {
                0 => self.processes.iter_mut().for_each(|process| process.running = None),
                _ => self.arm(Mishap::EmbedderAway, 1),
            }
            self.tell(&[(at, Some(phrase))], false);
        }
        self.trace.step("forget", json!({ "space": SPACES[at], "memory": id.to_string(), "twice": twice }));
        let process = self.any_process();
        let position = process.forget(SPACES[at], id).expect("it is there");
        // By then the first may be through.
        let again = if twice { process.forget(SPACES[at], id) } else { None };
        check_marked(&process.stand, SPACES[at], id);
        self.counts.forgets += 1;
        let space = &mut self.customers[at].space;
        space.forget(&key, self.now_ms);
        [Some(position), again].into_iter().flatten().for_each(|position| space.stands_at(position));
        self.deeds.push((self.now_ms, Deed::Forgot(at, id)));
    }

    /// What the space never had: another space's memory, or an id of nothing.
    fn forget_nothing(&mut self) {
        let at = self.dice.roll(SPACES.len());
        let other = &self.customers[(at + 1) % SPACES.len()].known;
        let nothing = ObservationId::from_bytes([self.dice.roll(256) as u8; 16]);
        let id = match other.is_empty() {
            true => nothing,
            false => other.values().copied().nth(self.dice.roll(other.len())).unwrap_or(nothing),
        };
        self.trace.step("forget nothing", json!({ "space": SPACES[at], "memory": id.to_string() }));
        assert_eq!(self.any_process().forget(SPACES[at], id), None, "the space has no such memory");
    }

    fn end_session(&mut self) {
        let (at, session) = (self.dice.roll(SPACES.len()), format!("visit {}", self.dice.roll(SESSIONS)));
        self.trace.step("end session", json!({ "space": SPACES[at], "session": session }));
        let position = self.any_process().end_session(SPACES[at], &session);
        let space = &mut self.customers[at].space;
        space.stands_at(position);
        space.end(&session, self.now_ms);
        self.deeds.push((self.now_ms, Deed::Ended(at, session)));
    }

    /// What recall shows of a space once all that was said there is through.
    fn look(&mut self) {
        let at = self.dice.roll(SPACES.len());
        self.trace.step("look", json!({ "space": SPACES[at] }));
        self.recalls(at);
    }

    /// Everything of a process is dropped, wherever its stages are, and opened again.
    fn restart(&mut self) {
        let at = self.dice.roll(self.processes.len());
        self.trace.step("restart", json!({ "process": at }));
        drop(self.processes.swap_remove(at));
        self.open();
    }

    fn pause_or_resume(&mut self) {
        let at = self.dice.roll(self.processes.len());
        self.trace.step("pause or resume", json!({ "process": at }));
        let process = &mut self.processes[at];
        match process.running.take() {
            Some(running) => running.stop(),
            None => process.resume(),
        }
    }

    /// One process more or less, where a site allows more than one.
    fn come_or_go(&mut self) {
        let at = self.dice.roll(3);
        self.trace.step("come or go", json!({ "process": at }));
        if !self.site.shared() {
            return;
        }
        if at < self.processes.len() && self.processes.len() > 1 {
            drop(self.processes.swap_remove(at));
        } else {
            self.open();
        }
    }

    /// Something is to go wrong.
    fn mishap(&mut self) {
        let mishap = Mishap::ALL[self.dice.roll(Mishap::ALL.len())];
        let times = 1 + self.dice.roll(2) as u32;
        self.trace.step("mishap", json!({ "what": mishap, "times": times }));
        self.arm(mishap, times);
    }

    /// Each thing goes wrong at most once until everything is through: one record never fails so often that it passes for
    /// poison.
    fn arm(&mut self, mishap: Mishap, times: u32) {
        if !self.armed.contains(&mishap) {
            self.armed.push(mishap);
            self.mishaps.arm(mishap, times);
            self.counts.mishaps += 1;
        }
    }

    /// Nothing goes wrong any more.
    pub(super) fn calm(&mut self) {
        self.armed.clear();
        self.mishaps.calm();
    }

    pub(super) fn open(&mut self) {
        self.processes.push(Process::open(self.site, &self.mishaps, self.now_ms));
        self.counts.opened += 1;
    }

    fn any_process(&mut self) -> &Process {
        &self.processes[self.dice.roll(self.processes.len())]
    }
}

/// Whether a space is tangled.
pub fn tangled(space: usize) -> bool {
    space % 2 == 1
}
