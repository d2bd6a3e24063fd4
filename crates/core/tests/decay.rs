//! How memories fade, by nature.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::Said;
use proptest::prelude::*;
use saidso_core::{
    calibration::{ByLanguage, Calibration},
    decay::{DAY_MS, Hit, Nature, Rules, Standing, UNHIT_WEIGHT, standing},
    fold::{self, Memory, Status},
    item::{Kind, Unit},
    slots::{Decay, SlotSchema},
};

fn memory(said: &Said) -> Memory {
    let all = ByLanguage::all(10_000);
    let rules = fold::Rules::new(Calibration { duplicate: all, related: all });
    fold::fold(&[said.observation()], &[], &rules).memories.remove(0)
}

fn fact(attribute: &str, value: &str) -> Memory {
    memory(&Said::fact(0, "so it was said", attribute, value))
}

fn with(mut memory: Memory, change: impl FnOnce(&mut Memory)) -> Memory {
    change(&mut memory);
    memory
}

fn of_kind(kind: Kind, attribute: &str, value: &str) -> Memory {
    with(fact(attribute, value), |memory| memory.kind = kind)
}

fn slotted(slot: &str) -> Memory {
    with(fact("database", "mysql"), |memory| memory.slot = Some(slot.into()))
}

/// After so many milliseconds without a word.
fn after(memory: &Memory, ms: i64) -> Standing {
    let preset = SlotSchema::customer_service();
    standing(memory, Some(&preset), None, memory.last.ms() + ms, &Rules::default())
}

/// The changes of a memory that nobody speaks of: when, in milliseconds from its last mention, and to what.
fn course(memory: &Memory) -> Vec<(i64, Status)> {
    let (mut at, mut changes) = (0, Vec::new());
    while let Some(until_ms) = after(memory, at).until_ms {
        at = until_ms - memory.last.ms();
        assert_ne!(after(memory, at - 1).status, after(memory, at).status, "to the millisecond");
        changes.push((at, after(memory, at).status));
    }
    changes
}

const fn days(days: i64) -> i64 {
    days * DAY_MS
}

#[test]
fn a_slots_value_lives_its_days_and_is_to_be_confirmed_in_the_last_sixth() {
    assert_eq!(course(&slotted("tech_env")), [(days(150), Status::ToConfirm), (days(180), Status::Invalid)]);
    assert_eq!(course(&slotted("focus_module")), [(days(75), Status::ToConfirm), (days(90), Status::Invalid)]);
    // What lives longer than anybody asks for it is archived before.
    let industry = course(&slotted("industry"));
    assert_eq!(industry, [(days(360), Status::Archived), (days(730), Status::Invalid)]);
}

#[test]
fn a_slots_own_decay_is_honoured() {
    let mut slots = SlotSchema::customer_service().slots().to_vec();
    (slots[0].decay, slots[1].decay) = (Decay::Transactional, Decay::ByEvent);
    let slots = SlotSchema::new(slots).unwrap();
    let at = |slot: &str, ms: i64| {
        let memory = slotted(slot);
        standing(&memory, Some(&slots), None, memory.last.ms() + ms, &Rules::default())
    };
    let fading = at("tech_env", days(10));
    assert_eq!(fading.status, Status::Active);
    assert!((fading.weight - (-1.0_f32).exp()).abs() < 1e-6);
    assert_eq!(at("tech_env", days(180)).status, Status::Invalid);
    let by_event = at("industry", days(5000));
    assert_eq!((by_event.status, by_event.until_ms), (Status::Active, None));
}

#[test]
fn a_slot_the_tenant_has_no_longer_decides_nothing() {
    assert_eq!(Nature::of(&slotted("retired"), Some(&SlotSchema::customer_service())), Nature::Attribute);
    assert_eq!(Nature::of(&slotted("tech_env"), None), Nature::Attribute);
}

#[test]
fn an_attribute_is_to_be_confirmed_and_then_invalid() {
    let attribute = fact("database", "mysql");
    assert_eq!(course(&attribute), [(days(30), Status::ToConfirm), (days(60), Status::Invalid)]);
    assert_eq!(after(&attribute, days(59)).weight, 1.0);
}

#[test]
fn a_dealing_fades_by_e_to_a_tenth_a_day() {
    for memory in [
        fact("order status", "late"),
        of_kind(Kind::Event, "event", "order a lamp"),
        of_kind(Kind::Task, "to do", "call back"),
    ] {
        for (ms, left) in [
            (0, 1.0),
            (DAY_MS / 2, 0.951_229_4),
            (days(1), 0.904_837_4),
            (days(7), 0.496_585_3),
            (days(30), 0.049_787_07),
        ] {
            let standing = after(&memory, ms);
            assert_eq!(standing.status, Status::Active);
            assert!((standing.weight - left).abs() < 1e-6, "{ms}: {}", standing.weight);
        }
        assert_eq!(course(&memory), [(days(60), Status::Invalid)]);
    }
}

#[test]
fn what_ends_by_an_event_never_ends_by_time() {
    let allergy = with(fact("eats", "no peanuts"), |memory| memory.importance = Unit::hundredths(90));
    for memory in [fact("pet", "dog"), allergy, of_kind(Kind::Instruction, "answers", "short")] {
        assert_eq!(course(&memory), []);
        assert_eq!(after(&memory, days(179)).weight, 1.0);
        assert_eq!(
            after(&memory, days(3650)),
            Standing { status: Status::Active, weight: UNHIT_WEIGHT, until_ms: None }
        );
    }
}

#[test]
fn what_happened_is_archived_when_nobody_asks_and_not_untrue() {
    assert_eq!(course(&of_kind(Kind::Event, "event", "graduate in 2019")), [(days(360), Status::Archived)]);
}

#[test]
fn a_hit_keeps_a_memory_but_does_not_make_it_truer() {
    let event = of_kind(Kind::Event, "event", "graduate in 2019");
    let hit = |days: i64| Hit { memory: event.id, count: 1, last_ms: event.last.ms() + days * DAY_MS };
    let at = |memory: &Memory, hit: &Hit, days: i64| {
        standing(memory, None, Some(hit), memory.last.ms() + days * DAY_MS, &Rules::default())
    };
    assert_eq!(at(&event, &hit(100), 279).weight, 1.0);
    assert_eq!(at(&event, &hit(100), 280).weight, UNHIT_WEIGHT);
    assert_eq!(at(&event, &hit(100), 459).status, Status::Active);
    assert_eq!(at(&event, &hit(100), 460).status, Status::Archived);
    assert_eq!(at(&fact("database", "mysql"), &hit(59), 60).status, Status::Invalid);
}

#[test]
fn what_is_contested_awaits_an_answer_until_it_ends() {
    let contested = with(fact("database", "mysql"), |memory| memory.status = Status::PendingConfirm);
    assert_eq!(course(&contested), [(days(60), Status::Invalid)]);
    assert_eq!(after(&contested, days(45)).status, Status::PendingConfirm);
}

#[test]
fn history_stays_what_it_is() {
    for status in [Status::Superseded, Status::Archived, Status::Invalid] {
        let memory = with(fact("database", "mysql"), |memory| memory.status = status);
        assert_eq!(course(&memory), []);
        assert_eq!(after(&memory, days(900)).status, status);
    }
}

#[test]
fn natures_are_told_in_three_languages() {
    let transactional = [
        "delivery",
        "Order status",
        "refund",
        "快递进度",
        "退款",
        "预约时间",
        "доставка",
        "статус заказа",
        "запись к врачу",
    ];
    for attribute in transactional {
        assert_eq!(Nature::of(&fact(attribute, "x"), None), Nature::Transactional, "{attribute}");
    }
    let lasting = [
        "pets",
        "home city",
        "employer",
        "work place",
        "dietary constraint",
        "blood type",
        "former home city",
        "家庭成员",
        "宠物",
        "雇主",
        "过敏史",
        "питомцы",
        "родной город",
        "место работы",
        "здоровье",
        "дети",
    ];
    for attribute in lasting {
        assert_eq!(Nature::of(&fact(attribute, "x"), None), Nature::Relationship, "{attribute}");
    }
    let changing = [
        "database",
        "work schedule",
        "opinion of jazz",
        "plan",
        "数据库",
        "作息",
        "爱好",
        "база данных",
        "график",
        "хобби",
    ];
    for attribute in changing {
        assert_eq!(Nature::of(&fact(attribute, "x"), None), Nature::Attribute, "{attribute}");
    }
    for (value, nature) in [
        ("ordered a lamp", Nature::Transactional),
        ("return to Spain", Nature::Past),
        ("publish a book", Nature::Past),
        ("下单买了台灯", Nature::Transactional),
        ("从大学毕业", Nature::Past),
        ("заказала лампу", Nature::Transactional),
        ("окончила университет", Nature::Past),
    ] {
        assert_eq!(Nature::of(&of_kind(Kind::Event, "event", value), None), nature, "{value}");
    }
}

/// From standing whole to coming back no more.
fn worse(status: Status) -> u8 {
    match status {
        Status::Active => 0,
        Status::ToConfirm | Status::PendingConfirm => 1,
        Status::Superseded | Status::Archived | Status::Invalid => 2,
    }
}

fn any_memory() -> impl Strategy<Value = Memory> {
    let kinds = [Kind::Fact, Kind::Topic, Kind::Event, Kind::Instruction, Kind::Task];
    let attributes = ["database", "pet", "delivery", "event", "to do"];
    let slots = [None, None, Some("tech_env"), Some("industry"), Some("known_issue")];
    let statuses = [Status::Active, Status::Active, Status::PendingConfirm, Status::Superseded, Status::Archived];
    (0..5_usize, 0..5_usize, 0..5_usize, 0..5_usize, 0..=100_u8).prop_map(
        move |(kind, attribute, slot, status, importance)| {
            with(of_kind(kinds[kind], attributes[attribute], "x"), |memory| {
                memory.slot = slots[slot].map(str::to_owned);
                memory.status = statuses[status];
                memory.importance = Unit::hundredths(importance);
            })
        },
    )
}

proptest! {
    #[test]
    fn older_never_stands_better_and_a_later_hit_never_worse(
        memory in any_memory(),
        (a, b) in (0..days(900), 0..days(900)),
        hits in (0..days(900), 0..days(900)),
        count in 1..50_u32,
    ) {
        let preset = SlotSchema::customer_service();
        let last = memory.last.ms();
        let hit = |after: i64| Hit { memory: memory.id, count, last_ms: last + after };
        let at = |now: i64, hit: Option<&Hit>| standing(&memory, Some(&preset), hit, last + now, &Rules::default());
        let (early, late) = (a.min(b), a.max(b));
        for hit in [None, Some(&hit(hits.0))] {
            let (young, old) = (at(early, hit), at(late, hit));
            prop_assert!(worse(young.status) <= worse(old.status));
            prop_assert!(young.weight >= old.weight);
            prop_assert!(old.weight >= 0.0 && young.weight <= 1.0);
        }
        let (first, second) = (hit(hits.0.min(hits.1)), hit(hits.0.max(hits.1)));
        for (less, more) in [(None, Some(&first)), (Some(&first), Some(&second))] {
            let (less, more) = (at(a, less), at(a, more));
            prop_assert!(worse(less.status) >= worse(more.status));
            prop_assert!(less.weight <= more.weight);
        }
    }

    #[test]
    fn a_status_holds_until_it_changes(memory in any_memory(), now in 0..days(900), used in 0..days(900), part in 0.0..1.0_f64) {
        let hit = Hit { memory: memory.id, count: 1, last_ms: memory.last.ms() + used };
        let preset = SlotSchema::customer_service();
        let at = |ms: i64| standing(&memory, Some(&preset), Some(&hit), ms, &Rules::default());
        let now_ms = memory.last.ms() + now;
        let standing = at(now_ms);
        match standing.until_ms {
            None => prop_assert_eq!(at(now_ms + days(5000)).status, standing.status),
            Some(until_ms) => {
                prop_assert!(until_ms > now_ms);
                let between = now_ms + ((until_ms - 1 - now_ms) as f64 * part) as i64;
                prop_assert_eq!(at(between).status, standing.status);
                prop_assert_eq!(at(until_ms - 1).status, standing.status);
                prop_assert_ne!(at(until_ms).status, standing.status);
            }
        }
    }
}
