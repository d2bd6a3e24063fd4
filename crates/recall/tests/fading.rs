//! How memories stand at a recall: decay, hits, what comes back, history, health.

#![allow(clippy::unwrap_used)]

mod common;

use std::{
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use common::{Item, Said, World, day, embedders::Concepts};
use proptest::prelude::*;
use saidso_core::{
    decay::{DAY_MS, Hit},
    fold::Status,
    item::Kind,
    scope::Scope,
    slots::SlotSchema,
};
use saidso_recall::{Answer, AsOf, Health, Question, Recall, Settings, Source, Warmth, weight::Factors};

const WHERE: &str = "Where is our warehouse?";

fn asked(query: &str) -> Question {
    Question { query: query.into(), ..Question::default() }
}

fn warehouse() -> Said {
    Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon")
}

/// The status of each result of a question.
fn statuses(answer: &Answer) -> Vec<Status> {
    answer.memories.iter().filter_map(|result| Some(result.memory.as_ref()?.status)).collect()
}

fn settings(change: impl FnOnce(&mut Settings)) -> impl FnOnce(&mut Settings) {
    move |settings| {
        settings.tick = Duration::from_millis(5);
        change(settings);
    }
}

/// So many days after day 1, when the warehouse was spoken of.
fn go_to(world: &World, days: i64) {
    world.clock.0.store(day(1).ms() + days * DAY_MS, Ordering::Relaxed);
}

/// Waits for the sweeper.
fn until(what: &str, done: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !done() {
        assert!(Instant::now() < deadline, "{what}");
        thread::yield_now();
    }
}

fn stored(world: &World, scope: &Scope) -> Vec<Hit> {
    world.hits.lock().unwrap().get(scope).map(|hits| hits.values().copied().collect()).unwrap_or_default()
}

#[test]
fn an_attribute_is_marked_after_a_month_and_gone_after_two() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &warehouse());
    let recall = world.recall(Concepts::default());
    let ask = |history| recall.answer(&scope, &Question { history, ..asked(WHERE) }).unwrap();
    for (days, history, due) in [
        (29, false, vec![Status::Active]),
        (30, false, vec![Status::ToConfirm]),
        (59, false, vec![Status::ToConfirm]),
        (60, false, vec![]),
        (60, true, vec![Status::Invalid]),
    ] {
        go_to(&world, days);
        assert_eq!(statuses(&ask(history)), due, "after {days} days");
        assert_eq!(recall.memories(&scope, history).unwrap().len(), due.len());
    }
    // What was believed then was current then.
    let then = Question { as_of: Some(AsOf::Time(day(3).ms())), ..asked(WHERE) };
    assert_eq!(statuses(&recall.answer(&scope, &then).unwrap()), [Status::Active]);
    let said = Question { as_of: Some(AsOf::Position(world.newest())), ..asked(WHERE) };
    assert_eq!(statuses(&recall.answer(&scope, &said).unwrap()), [Status::Active]);
}

#[test]
fn what_faded_does_not_come_back_as_a_raw_message() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &warehouse());
    world.say(&scope, &Said::only(2, "Good morning from the harbour."));
    let recall = world.recall(Concepts::default());
    let sources = |query: &str, history| {
        let answer = recall.answer(&scope, &Question { history, ..asked(query) }).unwrap();
        answer.memories.iter().map(|result| result.source).collect::<Vec<_>>()
    };
    go_to(&world, 59);
    assert_eq!(sources("warehouse Lyon", false), [Source::Memory]);
    go_to(&world, 60);
    assert_eq!(sources("warehouse Lyon", false), []);
    assert_eq!(sources("warehouse Lyon", true), [Source::Memory]);
    // What no memory rests on does not fade.
    assert_eq!(sources("harbour", false), [Source::Message]);
}

#[test]
fn a_slot_of_the_tenant_decides_how_long() {
    let world = World::new();
    let scope = world.scope("ann");
    let mut said = warehouse();
    said.items[0].slot = Some("region".into());
    world.say(&scope, &said);
    let tenant = scope.key().0;
    let recall = world.recall_with(
        Concepts::default(),
        settings(|settings| {
            settings.slots = [(tenant, SlotSchema::customer_service())].into();
        }),
    );
    go_to(&world, 300);
    assert_eq!(statuses(&recall.answer(&scope, &asked(WHERE)).unwrap()), [Status::Active]);
}

#[test]
fn a_dealing_of_last_month_comes_after_one_of_today() {
    let world = World::new();
    let scope = world.scope("ann");
    let order = |at, text: &str, value: &str| Said {
        items: vec![Item { kind: Kind::Event, many: true, ..Item::new(text, "order", value) }],
        ..Said::only(at, text)
    };
    world.say(&scope, &order(1, "I ordered a red lamp.", "red lamp"));
    world.say(&scope, &order(24, "I ordered a desk and a lamp too.", "desk"));
    let recall = world.recall(Concepts::default());
    let answer = recall.answer(&scope, &asked("Which lamp was ordered, the red lamp?")).unwrap();
    let texts: Vec<&str> = answer.memories.iter().map(|result| result.text.as_str()).collect();
    assert_eq!(texts, ["I ordered a desk and a lamp too.", "I ordered a red lamp."]);
    assert_eq!(statuses(&answer), [Status::Active; 2]);
}

#[test]
fn an_agent_sounds_warmer_with_every_time() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &warehouse());
    let recall = world.recall(Concepts::default());
    let warmth = || {
        let answer = recall.answer(&scope, &asked(WHERE)).unwrap();
        let first = &answer.memories[0];
        assert_eq!(first.said_on, "2026-01-02");
        first.memory.as_ref().unwrap().warmth
    };
    let warmths: Vec<Warmth> = (0..6).map(|_| warmth()).collect();
    use Warmth::{Neutral, Personal, Warm};
    assert_eq!(warmths, [Neutral, Neutral, Warm, Warm, Personal, Personal]);
    // Looking back is no surfacing.
    let then = Question { as_of: Some(AsOf::Time(day(3).ms())), ..asked(WHERE) };
    let then = recall.answer(&scope, &then).unwrap();
    assert_eq!(then.memories[0].memory.as_ref().unwrap().warmth, Neutral);
}

#[test]
fn hits_outlast_the_process_and_a_store_that_is_away_for_a_while() {
    let world = World::new();
    let scope = world.scope("ann");
    let said = world.say(&scope, &warehouse());
    let recall = world.recall_with(Concepts::default(), settings(|_| {}));
    world.refusing_hits.store(true, Ordering::Relaxed);
    for _ in 0..3 {
        recall.answer(&scope, &asked(WHERE)).unwrap();
    }
    assert_eq!(stored(&world, &scope), []);
    world.refusing_hits.store(false, Ordering::Relaxed);
    let due = [Hit { memory: said.ids[0], count: 3, last_ms: day(25).ms() }];
    until("the hits are written", || stored(&world, &scope) == due);
    recall.answer(&scope, &asked(WHERE)).unwrap();
    recall.stop();
    assert_eq!(stored(&world, &scope)[0].count, 4);
    let recall = world.recall(Concepts::default());
    let answer = recall.answer(&scope, &asked(WHERE)).unwrap();
    assert_eq!(answer.memories[0].memory.as_ref().unwrap().warmth, Warmth::Personal);
    // What another change brings does not lose them, and another customer has none.
    world.say(&scope, &Said::only(26, "Good morning."));
    recall.answer(&scope, &asked(WHERE)).unwrap();
    let ben = world.scope("ben");
    world.say(&ben, &warehouse());
    let answer = recall.answer(&ben, &asked(WHERE)).unwrap();
    assert_eq!(answer.memories[0].memory.as_ref().unwrap().warmth, Warmth::Neutral);
    recall.stop();
    assert_eq!(stored(&world, &scope)[0].count, 6);
}

#[test]
fn a_memory_that_is_forgotten_takes_its_hits_with_it() {
    let world = World::new();
    let scope = world.scope("ann");
    let said = world.say(&scope, &warehouse());
    let recall = world.recall(Concepts::default());
    for _ in 0..4 {
        recall.answer(&scope, &asked(WHERE)).unwrap();
    }
    let position = world.mark(&scope, &said.observations[0]);
    assert!(recall.wait(&scope, position, Duration::from_secs(60)).unwrap());
    world.say(&scope, &Said { day: 401, ..warehouse() });
    let answer = recall.answer(&scope, &Question { min_position: Some(world.newest()), ..asked(WHERE) }).unwrap();
    assert_eq!(answer.memories[0].memory.as_ref().unwrap().warmth, Warmth::Neutral);
}

#[test]
fn history_is_shown_as_far_as_it_is_kept_and_an_answer_beyond_says_so() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "home", "lyon"));
    world.say(&scope, &Said::fact(5, "Our warehouse is in Turin now.", "home", "turin"));
    let recall = world.recall_with(Concepts::default(), settings(|settings| settings.history_days = Some(40)));
    let history = || {
        let answer = recall.answer(&scope, &Question { history: true, ..asked(WHERE) }).unwrap();
        assert_eq!(answer.history_days, None);
        (answer.memories.len(), recall.memories(&scope, true).unwrap().len())
    };
    go_to(&world, 4 + 40);
    assert_eq!(history(), (2, 2));
    let then = |at: i64| {
        let question = Question { as_of: Some(AsOf::Time(day(1).ms() + at)), ..asked(WHERE) };
        let answer = recall.answer(&scope, &question).unwrap();
        (answer.memories.len(), answer.history_days)
    };
    assert_eq!(then(4 * DAY_MS), (1, None));
    assert_eq!(then(4 * DAY_MS - 1), (0, Some(40)));
    world.clock.0.fetch_add(1, Ordering::Relaxed);
    assert_eq!(history(), (1, 1));
    // The logical export is the fold's, and has all of it.
    assert_eq!(recall.export(&scope).unwrap().len(), 2);
}

#[test]
fn a_stated_instant_has_its_own_statuses_hits_apart() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &warehouse());
    let event = Item { kind: Kind::Event, many: true, ..Item::new("We opened the Lyon shop.", "event", "open shop") };
    world.say(&scope, &Said { items: vec![event], ..Said::only(1, "We opened the Lyon shop.") });
    let recall = world.recall(Concepts::default());
    let at = |days: i64| {
        let at_ms = day(1).ms() + days * DAY_MS;
        let listed = recall.memories_at(&scope, true, at_ms).unwrap();
        let exported = recall.export_at(&scope, at_ms).unwrap();
        let mut statuses: Vec<Status> = listed.iter().map(|memory| memory.status).collect();
        statuses.sort_unstable();
        for status in &statuses {
            let name = serde_json::to_string(status).unwrap();
            assert!(exported.iter().any(|line| line.contains(&format!("\"status\":{name}"))));
        }
        statuses
    };
    assert_eq!(at(0), [Status::Active; 2]);
    assert_eq!(at(31), [Status::Active, Status::ToConfirm]);
    assert_eq!(at(1000), [Status::Active, Status::Invalid]);
    go_to(&world, 1000);
    let now: Vec<Status> = recall.memories(&scope, true).unwrap().iter().map(|memory| memory.status).collect();
    assert!(now.contains(&Status::Archived), "nobody asked for years: {now:?}");
}

#[test]
fn health_is_the_share_that_holds_and_the_sweeper_counts_what_time_changes() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &warehouse());
    world.say(&scope, &Said::fact(1, "My dog is Rex.", "pet", "rex"));
    let recall = Arc::new(world.recall_with(Concepts::default(), settings(|_| {})));
    let health = |recall: &Recall| recall.health(&scope).unwrap();
    go_to(&world, 10);
    assert_eq!((health(&recall).total(), health(&recall).effective()), (2, Some(1.0)));
    let tenant = scope.key().0;
    let counted = |due: &[(Status, u64)]| {
        recall.census().tenants.get(&tenant) == Some(&Health { memories: due.iter().copied().collect() })
    };
    until("the sweeper saw the space", || counted(&[(Status::Active, 2)]));
    go_to(&world, 30);
    until("one is to be confirmed", || counted(&[(Status::Active, 1), (Status::ToConfirm, 1)]));
    assert_eq!(health(&recall).effective(), Some(0.5));
    go_to(&world, 61);
    until("and then invalid", || counted(&[(Status::Active, 1), (Status::Invalid, 1)]));
    assert_eq!(recall.census().transitions, [(Status::ToConfirm, 1), (Status::Invalid, 1)].into());
    assert_eq!(recall.health(&world.scope("nobody")).unwrap().effective(), None);
}

#[test]
fn a_conflict_is_asked_about_once_a_session_and_only_with_a_result() {
    let world = World::new();
    let scope = world.scope("ann");
    let lyon = world.say(&scope, &warehouse()).ids[0];
    let turin = world.say(&scope, &Said::fact(4, "Our warehouse is in Turin.", "warehouse", "turin")).ids[0];
    world.say(&scope, &Said::fact(4, "Rex the dog sleeps a lot.", "dog sleeps", "a lot"));
    let recall = world.recall(Concepts::default());
    let ask = |query: &str, session: Option<&str>| {
        let question = Question { session: session.map(str::to_owned), ..asked(query) };
        recall.answer(&scope, &question).unwrap()
    };
    let related = ask(WHERE, Some("monday"));
    assert_eq!(statuses(&related), [Status::PendingConfirm; 2]);
    let probe = related.probe.unwrap();
    assert!(probe.text.contains("Lyon") && probe.text.contains("Turin"), "{}", probe.text);
    assert!(probe.memories.contains(&lyon) && probe.memories.contains(&turin));
    assert_eq!(ask(WHERE, Some("monday")).probe, None);
    let unrelated = ask("How does Rex the dog sleep?", Some("tuesday"));
    assert!(!unrelated.empty);
    assert_eq!(unrelated.probe, None);
    assert!(ask(WHERE, Some("tuesday")).probe.is_some());
    // Without a session, once a day.
    assert!(ask(WHERE, None).probe.is_some());
    assert_eq!(ask(WHERE, None).probe, None);
    world.clock.0.fetch_add(DAY_MS, Ordering::Relaxed);
    assert!(ask(WHERE, None).probe.is_some());
    // Another process knows of an offer by the turn that names what was recalled for it.
    let turn = Said { session: "friday".into(), recalled: vec![lyon], ..Said::only(26, "What are the opening hours?") };
    world.say(&scope, &turn);
    let recall = world.recall(Concepts::default());
    let ask =
        |session: &str| recall.answer(&scope, &Question { session: Some(session.into()), ..asked(WHERE) }).unwrap();
    assert_eq!(ask("friday").probe, None);
    assert!(ask("saturday").probe.is_some());
}

#[test]
fn a_conflict_is_not_asked_about_where_another_memory_answers() {
    let world = World::new();
    let scope = world.scope("ann");
    let sister = |at, text: &str, attribute: &str, value: &str| Said {
        items: vec![Item { subject: "sister".into(), ..Item::new(text, attribute, value) }],
        ..Said::only(at, text)
    };
    world.say(&scope, &sister(1, "My sister lives in Lyon.", "home", "lyon"));
    world.say(&scope, &sister(4, "My sister lives in Turin.", "home", "turin"));
    world.say(&scope, &sister(4, "My sister likes spicy noodles.", "likes", "noodles"));
    let recall = world.recall(Concepts::default());
    let ask = |query: &str| {
        let question = Question { session: Some(query.into()), ..asked(query) };
        recall.answer(&scope, &question).unwrap()
    };
    let pending = |answer: &Answer| statuses(answer).contains(&Status::PendingConfirm);
    let along = ask("Does my sister like spicy noodles?");
    assert!(pending(&along), "it comes along: {along:?}");
    assert_eq!(along.probe, None);
    assert!(ask("Where does my sister live, in Lyon?").probe.is_some());
}

fn any_factors() -> impl Strategy<Value = Factors> {
    let share = || 0.0..=1.0_f32;
    (share(), share(), share(), 0.0..5000.0_f32, 1..100_u32, 0..100_u32, any::<bool>()).prop_map(
        |(importance, confidence, left, age_days, mentions, hits, out_of_place)| Factors {
            importance,
            confidence,
            left,
            age_days,
            mentions,
            hits,
            status: Status::Active,
            out_of_place,
        },
    )
}

proptest! {
    #[test]
    fn each_factor_weighs_in_one_direction(less in any_factors(), by in 0.0..1.0_f32, more in 0..50_u32) {
        let up = |value: f32| value + (1.0 - value) * by;
        let weight = less.weight();
        prop_assert!((0.0..=1.0).contains(&weight));
        for better in [
            Factors { importance: up(less.importance), ..less },
            Factors { confidence: up(less.confidence), ..less },
            Factors { left: up(less.left), ..less },
            Factors { age_days: less.age_days * by, ..less },
            Factors { mentions: less.mentions + more, ..less },
            Factors { hits: less.hits + more, ..less },
            Factors { out_of_place: false, ..less },
        ] {
            prop_assert!(better.weight() >= weight * 0.999_999, "{better:?}");
        }
        for status in [Status::ToConfirm, Status::PendingConfirm, Status::Superseded, Status::Archived, Status::Invalid] {
            let worse = Factors { status, ..less };
            prop_assert!(worse.weight() <= weight);
        }
    }
}
