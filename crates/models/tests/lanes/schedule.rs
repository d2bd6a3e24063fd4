//! What the schedule promises, whatever comes and goes.

use proptest::prelude::*;
use saidso_models::lanes::{Lane, SHARE, Schedule};

#[derive(Debug, Clone)]
enum Event {
    Arrives(Lane),
    /// One that runs is done, by its place among those that run.
    Ends(usize),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![prop::sample::select(Lane::ALL.to_vec()).prop_map(Event::Arrives), (0usize..8).prop_map(Event::Ends)]
}

/// A schedule, and what it should be doing by a book of our own.
struct Watched {
    schedule: Schedule,
    at_once: usize,
    own: bool,
    running: Vec<Lane>,
    /// Per lane, those that wait: for the oldest, how many of the lanes behind started since it was the oldest.
    waiting: [usize; 3],
    behind: usize,
    /// Per lane, how many others started since it waits and none of its own did.
    passed: [usize; 3],
}

impl Watched {
    fn new(at_once: usize, own: bool) -> Self {
        let schedule = Schedule::new(at_once, own);
        Self { schedule, at_once, own, running: Vec::new(), waiting: [0; 3], behind: 0, passed: [0; 3] }
    }

    fn take(&mut self, event: &Event) {
        match event {
            Event::Arrives(lane) => {
                self.schedule.arrive(*lane);
                self.waiting[*lane as usize] += 1;
            }
            Event::Ends(place) if *place < self.running.len() => {
                let lane = self.running.swap_remove(*place);
                self.schedule.end(lane);
            }
            Event::Ends(_) => {}
        }
        while let Some(lane) = self.schedule.next() {
            self.started(lane);
        }
        let questions = self.running.iter().filter(|lane| **lane == Lane::Query).count();
        let waits = self.waiting.iter().sum::<usize>() > 0;
        assert!(self.running.len() <= self.at_once + usize::from(self.own));
        assert!(!waits || self.running.len() >= self.at_once, "there is room, and somebody waits");
        assert!(!self.own || self.waiting[0] == 0 || questions > 0, "the questions' own thread is idle");
    }

    fn started(&mut self, lane: Lane) {
        let room = self.running.len() < self.at_once;
        assert!(self.waiting[lane as usize] > 0);
        assert!(room || self.own && lane == Lane::Query);
        self.schedule.start(lane);
        self.running.push(lane);
        self.waiting[lane as usize] -= 1;
        if lane == Lane::Query {
            self.behind = 0;
        } else if self.waiting[0] > 0 {
            self.behind += 1;
            assert!(self.behind <= 1, "a question waited for two of the lanes behind it in a row");
        }
        self.passed[lane as usize] = 0;
        for other in Lane::ALL.into_iter().filter(|other| *other > lane) {
            let passed = &mut self.passed[other as usize];
            *passed = if self.waiting[other as usize] > 0 { *passed + usize::from(room) } else { 0 };
            // One more for a question that may not be passed twice, and one for each other lane that is owed.
            assert!(*passed <= SHARE + 2, "{other:?} starves");
        }
    }
}

proptest! {
    #[test]
    fn questions_go_first_and_nobody_starves(
        events in prop::collection::vec(event(), 1..400),
        at_once in 1usize..4,
        own: bool,
    ) {
        let mut watched = Watched::new(at_once, own);
        events.iter().for_each(|event| watched.take(event));
    }

    /// A flood of one lane, with the others trickling in: who waits is served within its bound.
    #[test]
    fn a_flood_of_questions_leaves_live_its_share(at_once in 1usize..4, own: bool, rounds in 20usize..60) {
        let mut watched = Watched::new(at_once, own);
        (0..8).for_each(|_| watched.take(&Event::Arrives(Lane::Live)));
        let mut live = 0;
        for _ in 0..rounds {
            // Two questions for each that ends: they never run out.
            watched.take(&Event::Arrives(Lane::Query));
            watched.take(&Event::Arrives(Lane::Query));
            live += watched.running.iter().filter(|lane| **lane == Lane::Live).count();
            watched.take(&Event::Ends(0));
        }
        prop_assert!(live > 0);
    }
}

#[test]
fn the_order_is_query_live_replay() {
    let mut schedule = Schedule::new(1, false);
    for lane in [Lane::Replay, Lane::Live, Lane::Query] {
        schedule.arrive(lane);
    }
    let mut order = Vec::new();
    while let Some(lane) = schedule.next() {
        schedule.start(lane);
        schedule.end(lane);
        order.push(lane);
    }
    assert_eq!(order, Lane::ALL);
}
