//! Half a year of two hundred simulated customers (requirements D5): how much of what is remembered still holds, with
//! decay and without.
//!
//! **The world.** A customer of business software comes back about once a week and says three things. What they speak of
//! is mostly the matter at hand, and the matter at hand is what changes soonest; what lasts is told once and again now and
//! then. Every truth ends by itself, unsaid: its life is drawn from an exponential distribution with the mean of its
//! nature, and then another value holds. Whoever speaks of it later says what holds then, as a change. An issue or an
//! order is not followed by another value: it is over, and the next one is another.
//!
//! | what | share of what is said | true for, in days (mean) |
//! |---|---|---|
//! | an order, a delivery, an appointment | 20 % | 7 |
//! | a known issue (slot) | 15 % | 30 |
//! | what they work at, plan, weigh (no slot) | 15 % | 45 |
//! | the module in focus (slot) | 10 % | 90 |
//! | what they run on, products, preferences (slots) | 15 % | 365 |
//! | role, industry, region, contract (slots) | 10 % | 730 |
//! | family, home, health | 10 % | 3,650 |
//! | what happened | 5 % | for ever |
//!
//! **What is counted**, on the last day, over all customers: of the memories that would come back as current the share
//! that still holds, each counted by what decay has left of its weight. Without decay every memory counts that nothing
//! said since has replaced. Nobody asks for anything meanwhile, so hits keep nothing. The numbers of the table were set
//! before the first run and not touched since. What came out, 83.7 % against 43.3 %, is less than the 89 % hoped for: an
//! issue is taken for open as long as its slot says (60 days) and a dealing is not yet forgotten after ten, and of both
//! every other is over by then. By the letter of D5, active and unexpired over what was neither replaced nor let go, it is
//! 94 % against 58 %: that asks what has expired, not what is true.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::collections::HashMap;

use common::{Said, ids};
use saidso_core::{
    calibration::{ByLanguage, Calibration},
    decay::{DAY_MS, Rules, standing},
    fold::{self, Memory, Status},
    item::Kind,
    observation::Observation,
    slots::SlotSchema,
    time::Moment,
};

const CUSTOMERS: u64 = 200;
const DAYS: i64 = 182;
const SAID_AT_ONCE: u64 = 3;
/// A customer comes on one day in so many.
const COMES: f64 = 7.0;

/// Something customers speak of.
struct Matter {
    /// Its share of what is said, in hundredths.
    share: u64,
    /// Days for which it is true, on average.
    mean_days: f64,
    kind: Kind,
    /// The slots or, where there are none, the attributes it is about: each a thing of its own.
    about: &'static [&'static str],
    slotted: bool,
    /// Each is another one; else there is one of each, which changes.
    piles_up: bool,
}

const fn matter(share: u64, mean_days: f64, about: &'static [&'static str]) -> Matter {
    Matter { share, mean_days, kind: Kind::Fact, about, slotted: false, piles_up: false }
}

const MATTERS: [Matter; 8] = [
    Matter { piles_up: true, ..matter(20, 7.0, &["order", "delivery", "appointment"]) },
    Matter { piles_up: true, slotted: true, ..matter(15, 30.0, &["known_issue"]) },
    matter(15, 45.0, &["project in hand", "plan", "considers", "goal"]),
    Matter { slotted: true, ..matter(10, 90.0, &["focus_module"]) },
    Matter { slotted: true, ..matter(15, 365.0, &["tech_env", "product_in_use", "preference", "deployment_mode"]) },
    Matter { slotted: true, ..matter(10, 730.0, &["role", "industry", "region", "contract_cycle"]) },
    matter(10, 3_650.0, &["family", "home city", "pet", "health"]),
    Matter { kind: Kind::Event, piles_up: true, ..matter(5, f64::INFINITY, &["event"]) },
];

/// SplitMix64 (Steele, Lea and Flood 2014): the same customers on every machine.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// Evenly between 0 and 1, neither included.
    fn share(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Exponentially distributed.
    fn days(&mut self, mean: f64) -> f64 {
        if mean.is_infinite() { mean } else { -self.share().ln() * mean }
    }
}

/// Something a customer may speak of, and what holds of it.
struct Thing {
    matter: usize,
    about: &'static str,
    value: String,
    until: f64,
}

/// One customer's half year: what was said, and until when each value holds.
struct HalfYear {
    said: Vec<Observation>,
    until: HashMap<String, f64>,
}

fn live(seed: u64) -> HalfYear {
    let mut chance = Chance(seed.wrapping_mul(0xd134_2543_de82_ef95));
    let (mut said, mut until, mut things) = (Vec::new(), HashMap::new(), Vec::<Thing>::new());
    for day in 0..DAYS {
        if chance.share() * COMES > 1.0 {
            continue;
        }
        for message in 0..SAID_AT_ONCE {
            let (matter, about) = pick(&mut chance);
            let thing = speak(&mut things, matter, about, day, &mut chance);
            until.insert(thing.value.clone(), thing.until);
            said.push(observation(thing, day, message as u32));
        }
    }
    HalfYear { said, until }
}

fn pick(chance: &mut Chance) -> (usize, &'static str) {
    let mut at = chance.below(100);
    let matter = MATTERS.iter().position(|matter| match at.checked_sub(matter.share) {
        Some(left) => {
            at = left;
            false
        }
        None => true,
    });
    let matter = matter.unwrap();
    let about = MATTERS[matter].about;
    (matter, about[chance.below(about.len() as u64) as usize])
}

/// What the customer says of it on that day: what holds. Of what piles up half the time something still open, if any.
fn speak<'t>(
    things: &'t mut Vec<Thing>,
    matter: usize,
    about: &'static str,
    day: i64,
    chance: &mut Chance,
) -> &'t Thing {
    let Matter { mean_days, piles_up, .. } = MATTERS[matter];
    let today = day as f64;
    let count = things.len();
    let fresh = |chance: &mut Chance, from: f64| (format!("value{count}at{day}"), from + chance.days(mean_days));
    let known = things.iter().rposition(|thing| thing.about == about && (!piles_up || thing.until > today));
    match known.filter(|_| !piles_up || chance.below(2) == 0) {
        Some(known) => {
            if things[known].until <= today {
                // It changed on some day since, unsaid; an exponential life has no memory of how long ago.
                (things[known].value, things[known].until) = fresh(chance, today);
            }
            &things[known]
        }
        None => {
            let (value, until) = fresh(chance, today);
            things.push(Thing { matter, about, value, until });
            &things[count]
        }
    }
}

fn observation(thing: &Thing, day: i64, message: u32) -> Observation {
    let Matter { kind, slotted, piles_up, .. } = MATTERS[thing.matter];
    let text = format!("About {} it is {}", thing.about, thing.value);
    let said = Said { kind, message, many: piles_up, changed: true, ..Said::fact(0, &text, thing.about, &thing.value) };
    let mut observation = said.observation();
    let body = &mut observation.body;
    body.item.slot = slotted.then(|| thing.about.to_owned());
    body.at = date(day);
    body.message = ids().message(body.session, body.at.ms(), "customer", message, &text);
    body.turn = ids().turn(&[body.message]);
    observation.id = ids().observation(body.turn, body.message, body.item.evidence.span, kind);
    observation
}

/// Noon of a day counted from 2026-01-01, in months as the calendar has them.
fn date(day: i64) -> Moment {
    let (mut month, mut rest) = (1, day);
    for days in [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if rest < days {
            break;
        }
        (month, rest) = (month + 1, rest - days);
    }
    Moment::parse(&format!("2026-{month:02}-{:02}T12:00:00Z", rest + 1), None).unwrap()
}

/// Of what counts, how much there is and how much of it holds.
#[derive(Default)]
struct Share {
    all: f64,
    holds: f64,
}

impl Share {
    fn count(&mut self, weight: f64, holds: bool) {
        self.all += weight;
        self.holds += if holds { weight } else { 0.0 };
    }

    fn effective(&self) -> f64 {
        self.holds / self.all
    }
}

#[test]
fn with_decay_most_of_what_is_remembered_still_holds() {
    assert_eq!(MATTERS.iter().map(|matter| matter.share).sum::<u64>(), 100);
    let all = ByLanguage::all(10_000);
    let fold_rules = fold::Rules::new(Calibration { duplicate: all, related: all });
    let (slots, rules) = (SlotSchema::customer_service(), Rules::default());
    let now_ms = date(DAYS - 1).ms() + DAY_MS;
    let (mut decayed, mut relied_on, mut marked, mut kept) =
        (Share::default(), Share::default(), Share::default(), Share::default());
    for customer in 0..CUSTOMERS {
        let HalfYear { said, until } = live(customer + 1);
        let memories = fold::fold(&said, &[], &fold_rules).memories;
        let holds = |memory: &Memory| until[&memory.value] > DAYS as f64;
        for memory in memories.iter().filter(|memory| memory.status == Status::Active) {
            kept.count(1.0, holds(memory));
            let standing = standing(memory, Some(&slots), None, now_ms, &rules);
            match standing.status {
                Status::Active => {
                    relied_on.count(f64::from(standing.weight), holds(memory));
                    decayed.count(1.0, holds(memory));
                }
                Status::ToConfirm => marked.count(1.0, holds(memory)),
                _ => {}
            }
        }
    }
    println!(
        "after {DAYS} days of {CUSTOMERS} customers: {:.1} % of {} memories hold without decay; with it {:.1} % by weight \
         and {:.1} % by count of {} active ones, {:.1} % of {} that are to be confirmed",
        100.0 * kept.effective(),
        kept.all,
        100.0 * relied_on.effective(),
        100.0 * decayed.effective(),
        decayed.all,
        100.0 * marked.effective(),
        marked.all,
    );
    let (unexpired, with, without) = (decayed.all, decayed.all + marked.all, kept.all);
    println!(
        "active and unexpired: {:.1} % with decay, {:.1} % without",
        100.0 * unexpired / with,
        100.0 * unexpired / without
    );
    assert!(unexpired / with >= 0.89, "by the letter of D5");
    assert!(relied_on.effective() > 0.8, "what is relied on mostly holds");
    assert!(relied_on.effective() > kept.effective() + 0.3, "and decay is why");
    assert!(marked.effective() < decayed.effective(), "what is to be confirmed is in more doubt than what is not");
}
