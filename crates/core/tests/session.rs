//! Sessions as folds of their turns (requirements C1–C3, A3).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::{Said, ids};
use proptest::prelude::*;
use saidso_core::{
    calibration::{ByLanguage, Calibration},
    fold::{Memory, Status},
    item::Kind,
    limits,
    session::{Awaiting, Closed, Entity, Rules, Session, Withheld, dialogues},
    turn::{Role, SubmittedMessage, SubmittedTurn, Turn, accept},
};

const MINUTE: i64 = 60_000;
const CALIBRATION: Calibration = Calibration { duplicate: ByLanguage::all(9_900), related: ByLanguage::all(5_000) };

/// A turn of session `s`, so many minutes after noon.
fn turn(minute: i64, messages: &[(Role, &str)]) -> Turn {
    let message = |(role, text): &(Role, &str)| SubmittedMessage { role: *role, text: (*text).into(), id: None };
    let submitted = SubmittedTurn {
        tenant: None,
        space: "ann".into(),
        session: Some("s".into()),
        turn: None,
        occurred_at: format!("2026-03-{:02}T{:02}:{:02}:00Z", 2 + minute / 1440, minute / 60 % 24, minute % 60),
        zone: None,
        messages: messages.iter().map(message).collect(),
        recalled: Vec::new(),
        attachments: Vec::new(),
    };
    accept(submitted, &ids()).unwrap()
}

fn says(minute: i64, text: &str) -> Turn {
    turn(minute, &[(Role::Customer, text)])
}

fn at(minute: i64) -> i64 {
    says(minute, "x").meta.at.ms()
}

fn with(turns: Vec<Turn>, end: Option<i64>, now_ms: i64, memories: &[Memory]) -> Session {
    let ended: Vec<_> = end.map(|at_ms| (ids().session("s"), at_ms)).into_iter().collect();
    let dialogues = dialogues(turns, &ended, &Rules::default(), limits::SESSIONS);
    assert_eq!(dialogues.len(), 1);
    dialogues[0].session(now_ms, memories, |id| memories.iter().find(|memory| memory.id == id))
}

/// The session just after its last turn.
fn open(turns: &[Turn]) -> Session {
    let last = turns.iter().map(|turn| turn.meta.at.ms()).max().unwrap();
    with(turns.to_vec(), None, last, &[])
}

/// The session long after its last turn.
fn closed(turns: &[Turn]) -> Session {
    with(turns.to_vec(), None, at(1440 * 20), &[])
}

fn anchors(session: &Session) -> Vec<(&str, Option<&str>)> {
    session.anchors.iter().map(|anchor| (anchor.entity.kind(), anchor.entity.value())).collect()
}

#[test]
fn the_summary_is_renewed_every_two_turns_and_when_the_session_closes() {
    let all = [
        says(0, "We run a bakery in Lyon."),
        says(1, "Our ovens are electric."),
        says(2, "The flour comes from Dijon."),
    ];
    assert_eq!(open(&all[..1]).summary, "");
    assert_eq!(open(&all[..2]).summary, "We run a bakery in Lyon. Our ovens are electric.");
    assert_eq!(open(&all).summary, open(&all[..2]).summary);
    assert!(closed(&all).summary.ends_with("The flour comes from Dijon."));
    assert_eq!(closed(&all[..1]).summary, "We run a bakery in Lyon.");
}

#[test]
fn a_summary_keeps_its_bound_at_under_and_over() {
    let words = |count: usize| (0..count).map(|at| format!("word{at}")).collect::<Vec<_>>().join(" ");
    let ideographs = |count: usize| "面包店烤箱电动里昂粉".chars().cycle().take(count).collect::<String>();
    assert_eq!(limits::SESSION_SUMMARY, 50);
    for count in [49, 50] {
        assert_eq!(closed(&[says(0, &format!("{}.", words(count)))]).summary.split(' ').count(), count);
        assert_eq!(closed(&[says(0, &format!("{}。", ideographs(count - 1)))]).summary.chars().count(), count);
    }
    // Too long alone, it is cut; beside one that fits, it is left out.
    let cut = closed(&[says(0, &words(51))]).summary;
    assert!(cut.ends_with("word49…") && cut.split(' ').count() == 50, "{cut}");
    let cut = closed(&[says(0, &ideographs(51))]).summary;
    assert!(cut.ends_with('…') && cut.chars().count() == 50, "{cut}");
    let two = [says(0, &words(51)), says(1, "Our ovens are electric.")];
    assert_eq!(closed(&two).summary, "Our ovens are electric.");
    let many: Vec<Turn> =
        (0..30).map(|at| says(at, &format!("We sold crate{at} to shop{at} and truck{at}."))).collect();
    let summary = closed(&many).summary;
    assert!((40..=50).contains(&summary.split(' ').count()), "{summary}");
    assert!(summary.contains("crate29") && !summary.contains("crate0 "), "{summary}");
}

#[test]
fn statements_come_before_questions_in_every_language() {
    for (turns, statement, question) in [
        (["How long does delivery take?", "We bake bread for hotels in Lyon."], "We bake bread", "How long"),
        (["送货要多久？", "我们给里昂的酒店烤面包。"], "给里昂的酒店烤面包", "送货要多久"),
        (["Сколько идёт доставка?", "Мы печём хлеб для гостиниц Тулы."], "Мы печём хлеб", "Сколько идёт"),
    ] {
        let long = match statement.is_ascii() || statement.contains('М') {
            true => (0..40).map(|at| format!("пирог{at}")).collect::<Vec<_>>().join(" "),
            false => "蛋糕很甜水果新鲜价格便宜顾客满意大家都喜欢".into(),
        };
        let said = turns.map(|text| says(0, text));
        let summary = closed(&said).summary;
        assert!(summary.contains(statement) && summary.contains(question), "{summary}");
        // Where there is no room for all, questions go first.
        let crowded = [said[0].clone(), said[1].clone(), says(1, &format!("{long}."))];
        let summary = closed(&crowded).summary;
        assert!(summary.contains(statement), "{summary}");
        assert!(summary.chars().count() <= 50 || summary.split(' ').count() <= 50, "{summary}");
    }
}

#[test]
fn a_summary_has_no_agents_word_no_masked_one_and_no_supposition() {
    let turns = [
        turn(0, &[(Role::Agent, "Do you own a zeppelin?"), (Role::Customer, "We run a bakery in Lyon.")]),
        turn(
            1,
            &[(Role::Customer, "My card is 4111 1111 1111 1111 and it expired."), (Role::Agent, "A zeppelin then.")],
        ),
        says(2, "Suppose we use Oracle. My mail is ann.lee@example.org."),
    ];
    let session = closed(&turns);
    assert_eq!(session.summary, "We run a bakery in Lyon.");
    let shown = format!("{session:?}");
    for word in ["eppelin", "*", "4111", "ann.lee"] {
        assert!(!shown.contains(word), "{word}: {shown}");
    }
    let kinds: Vec<&str> = session.anchors.iter().map(|anchor| anchor.entity.kind()).collect();
    assert!(kinds.contains(&"card") && kinds.contains(&"mail"), "{kinds:?}");
}

#[test]
fn a_summary_has_no_loose_end_where_words_were_taken_out() {
    let gone = " ".repeat(12);
    for (said, told) in [
        (format!("We run a bakery and{gone}."), "We run a bakery."),
        (format!("We run a bakery and{gone}"), "We run a bakery."),
        (format!("{gone} and we run a bakery."), "we run a bakery."),
        (format!("Our oven is{gone}. We run a bakery."), "We run a bakery."),
        (format!("We bake it,{gone}. We run a shop."), "We bake it. We run a shop."),
        (format!("Мы печём хлеб и{gone}."), "Мы печём хлеб."),
        (format!("Мы живём в{gone}. Мы печём хлеб."), "Мы печём хлеб."),
        (format!("我们开面包店和{gone}。"), "我们开面包店。"),
        (format!("我们住在{gone}。我们开面包店。"), "我们开面包店。"),
    ] {
        assert_eq!(closed(&[says(0, &said)]).summary, told, "{said}");
    }
    // Nothing was taken out: a clause may end as it likes.
    assert_eq!(closed(&[says(0, "Where does the flour come from")]).summary, "Where does the flour come from.");
}

#[test]
fn what_is_said_twice_is_told_once() {
    let turns =
        [says(0, "We run a bakery in Lyon."), says(1, "As I said, in Lyon we run a bakery!"), says(2, "Thanks!")];
    let summary = closed(&turns).summary;
    assert_eq!(summary.matches("bakery").count(), 1, "{summary}");
}

#[test]
fn a_session_times_out_after_a_quarter_of_an_hour() {
    let turns = [says(0, "We run a bakery."), says(15, "It is in a small town.")];
    let session = |now_ms| with(turns.to_vec(), None, now_ms, &[]);
    assert_eq!(session(at(30)).closed, None);
    assert_eq!(session(at(30) + 1).closed, Some((at(30), Closed::TimedOut)));
    assert_eq!((session(0).turns, session(0).from.ms(), session(0).to.ms()), (2, at(0), at(15)));
}

#[test]
fn an_identity_in_play_keeps_it_open_for_two_hours() {
    for text in [
        "my name is Ann Lee",
        "我叫陈明",
        "Меня зовут Анна",
        "It is about order A-1042",
        "Номер моего паспорта 4509 123456",
        "My card is 4111 1111 1111 1111",
        "write to ann.lee@example.org",
    ] {
        let turns = vec![says(0, text), says(1, "it is late")];
        let session = |now_ms| with(turns.clone(), None, now_ms, &[]);
        assert_eq!(session(at(121)).closed, None, "{text}");
        assert_eq!(session(at(121) + 1).closed, Some((at(121), Closed::TimedOut)), "{text}");
    }
    for text in ["I like Oslo", "my name is spelled wrong", "我喜欢猫", "Я живу в Туле", "I want to order 300 bricks"]
    {
        assert!(with(vec![says(0, text)], None, at(15) + 1, &[]).closed.is_some(), "{text}");
    }
    // It is out of play once the session closed.
    let turns = vec![says(0, "my name is Ann Lee"), says(200, "it is late")];
    assert_eq!(with(turns, None, at(220), &[]).closed, Some((at(215), Closed::TimedOut)));
}

#[test]
fn an_end_closes_it_and_a_later_turn_opens_it_again() {
    let turns = || vec![says(0, "We run a bakery."), says(5, "It is in a small town.")];
    let ended = |end| with(turns(), Some(end), at(6), &[]).closed;
    assert_eq!(ended(at(5)), Some((at(5), Closed::Ended)));
    assert_eq!(ended(at(6)), Some((at(6), Closed::Ended)));
    assert_eq!(ended(at(5) - 1), None);
    // It had timed out when the end came.
    let late = with(turns(), Some(at(60)), at(70), &[]).closed;
    assert_eq!(late, Some((at(20), Closed::TimedOut)));
}

fn memory(text: &str, kind: Kind) -> Memory {
    let said = Said::fact(0, text, "plan", text).kind(kind).observation();
    let fold = saidso_core::fold::Rules::new(CALIBRATION);
    let mut memory = saidso_core::fold::fold(&[said], &[], &fold).memories.remove(0);
    memory.session = ids().session("s");
    memory
}

#[test]
fn the_task_in_hand_is_over_when_the_session_closes_even_if_it_opens_again() {
    let mut task = memory("ship the mixer to Lyon", Kind::Task);
    task.last = says(1, "x").meta.at;
    let tasks = [task.clone()];
    let of = |turns: &[i64], end, now| {
        let turns = turns.iter().map(|minute| says(*minute, "hello there baker")).collect();
        with(turns, end, at(now), &tasks).task.map(|task| task.text)
    };
    assert_eq!(of(&[0, 1], None, 16), Some("ship the mixer to Lyon".into()));
    assert_eq!(of(&[0, 1], None, 17), None);
    assert_eq!(of(&[0, 1, 10], None, 17), Some("ship the mixer to Lyon".into()));
    assert_eq!(of(&[0, 1, 60], None, 61), None);
    assert_eq!(of(&[0, 1], Some(at(2)), 3), None);
    let mut other = task;
    other.session = ids().session("other");
    assert_eq!(with(vec![says(0, "hello baker"), says(1, "well")], None, at(2), &[other]).task, None);
}

#[test]
fn what_contradicts_and_what_was_asked_waits() {
    let mut contested = memory("we sell only to hotels", Kind::Fact);
    contested.status = Status::PendingConfirm;
    let mut recalling = says(0, "well then");
    recalling.meta.recalled.push(contested.id);
    let asked = |answer: &[(Role, &str)]| {
        let messages: Vec<_> =
            [(Role::Agent, "Do you sell to shops too?")].into_iter().chain(answer.iter().copied()).collect();
        with(vec![recalling.clone(), turn(1, &messages)], None, at(1), &[contested.clone()]).awaiting
    };
    let question = Awaiting::Question("Do you sell to shops too?".into());
    let waiting = asked(&[]);
    assert!(matches!(&waiting[0], Awaiting::Memory(memory) if memory.id == contested.id), "{waiting:?}");
    assert_eq!(waiting[1], question);
    assert_eq!(asked(&[(Role::Customer, "What do you mean?")])[1], question);
    assert_eq!(asked(&[(Role::Customer, "yes")]).len(), 1);
    assert_eq!(with(vec![says(0, "well then")], None, at(0), &[contested.clone()]).awaiting, []);
    // Said in the session, it waits too.
    let mut own = says(0, "we sell only to hotels");
    own.meta.id = contested.evidence[0].turn;
    assert_eq!(with(vec![own], None, at(0), &[contested]).awaiting.len(), 1);
}

#[test]
fn anchors_are_named_by_sort_in_every_language() {
    for (text, expected) in [
        (
            "my name is Ann Lee and I run 3 shops in Oslo with PostgreSQL",
            vec![("person", "Ann Lee"), ("name", "Oslo"), ("product", "PostgreSQL"), ("quantity", "3 shops")],
        ),
        ("My name is J. R. Lee. We run a bakery", vec![("person", "J. R. Lee")]),
        (
            "我叫陈明，我们用 MySQL 8.0，有五十台服务器，读《三体》",
            vec![("person", "陈明"), ("product", "MySQL 8.0"), ("quantity", "五十台服务器"), ("name", "三体")],
        ),
        (
            "Меня зовут Анна, живу в Туле, у меня две кошки и 40 % скидки на iPhone",
            vec![
                ("person", "Анна"),
                ("name", "Туле"),
                ("quantity", "две кошки"),
                ("quantity", "40 %"),
                ("product", "iPhone"),
            ],
        ),
        (
            "order A-1042 costs $500 or 1 000 000 roubles",
            vec![("reference", "A-1042"), ("quantity", "$500"), ("quantity", "1 000 000 roubles")],
        ),
        ("订单号 A10423 里有三台打印机", vec![("reference", "A10423"), ("quantity", "三台打印机")]),
    ] {
        let session = open(&[says(0, text)]);
        let found = anchors(&session);
        for (kind, value) in &expected {
            assert!(found.contains(&(*kind, Some(*value))), "{value}: {found:?}");
        }
        assert_eq!(found.len(), expected.len(), "{found:?}");
    }
}

#[test]
fn of_what_is_masked_the_words_before_tell_the_sort() {
    for (text, sort) in [
        ("my bank card number is 4111 1111 1111 1111", Withheld::Card),
        ("我的手机号是13800138000", Withheld::Phone),
        ("Мой паспорт 4509 123456", Withheld::Document),
        ("почта anna@example.org", Withheld::Mail),
        ("the password is hunter2horse", Withheld::Credential),
        ("4111 1111 1111 1111", Withheld::Number),
    ] {
        let session = open(&[says(0, text)]);
        assert_eq!(session.anchors.len(), 1, "{text}: {:?}", session.anchors);
        assert_eq!(session.anchors[0].entity, Entity::Withheld(sort), "{text}");
        assert_eq!(session.anchors[0].entity.value(), None);
    }
}

#[test]
fn anchors_are_the_newest_and_each_once() {
    let turns: Vec<Turn> = (0..40).map(|at| says(at, &format!("we like Town{} and Lyon", at))).collect();
    let session = open(&turns);
    assert_eq!(session.anchors.len(), limits::SESSION_ANCHORS);
    assert_eq!(anchors(&session)[0], ("product", Some("Town39")));
    assert_eq!(session.anchors.iter().filter(|anchor| anchor.entity.value() == Some("Lyon")).count(), 1);
    assert_eq!(session.anchors[1].message, turns[39].meta.messages[0]);
}

#[test]
fn a_session_is_bounded_whatever_is_said_in_it() {
    let long = "We bake bread for hotels in Lyon every morning. ".repeat(100);
    let turns: Vec<Turn> = (0..100).map(|at| says(at, &long)).collect();
    let session = closed(&turns);
    assert_eq!((session.turns, session.from.ms()), (100, at(0)));
    assert_eq!(session.summary, "We bake bread for hotels in Lyon every morning.");
}

#[test]
fn two_yes_are_two_turns_and_the_same_one_again_adds_nothing() {
    let yes = |minute| turn(minute, &[(Role::Agent, "Do you bake?"), (Role::Customer, "yes")]);
    let session = |turns| with(turns, None, at(2), &[]);
    assert_eq!(session(vec![yes(0), yes(1)]).turns, 2);
    assert_eq!(session(vec![yes(0), yes(1), yes(0), yes(1), yes(1)]), session(vec![yes(0), yes(1)]));
}

#[test]
fn a_request_to_forget_is_no_part_of_a_session() {
    let mut request = says(1, "forget that I take insulin");
    request.body.request = true;
    let session = closed(&[says(0, "We run a bakery."), request]);
    assert_eq!((session.turns, session.summary.as_str()), (1, "We run a bakery."));
}

/// Clauses with a word of their own, in three languages.
fn clause(language: usize, word: usize) -> (String, String) {
    let own: String = match language {
        1 => char::from_u32(0x5000 + word as u32 * 7).into_iter().chain(char::from_u32(0x6000 + word as u32)).collect(),
        2 => format!("слово{}", "абвгдежзиклмнопрст".chars().cycle().skip(word).take(6).collect::<String>()),
        _ => format!("thing{}", "abcdefghijklmnopqr".chars().cycle().skip(word).take(6).collect::<String>()),
    };
    let text = match (language, word % 3) {
        (1, 0) => format!("我们需要{own}"),
        (1, _) => format!("请问{own}多少钱？"),
        (2, 0) => format!("Мы покупаем {own} в Туле."),
        (2, _) => format!("Сколько стоит {own}?"),
        (_, 0) => format!("We buy {own} in Oslo, and I keep it."),
        (_, 1) => format!("My name is {own} Brown."),
        (_, _) => format!("How much is {own}?"),
    };
    (text, own)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_order_and_any_repeats_give_the_same_sessions(
        said in prop::collection::vec((0..60i64, 0..3usize, 0..18usize), 1..10),
        repeats in prop::collection::vec(0..10usize, 0..6),
        seed in any::<u64>(),
    ) {
        let turns: Vec<Turn> = said.iter().map(|(minute, language, word)| says(minute * 7, &clause(*language, *word).0)).collect();
        let mut shuffled = turns.clone();
        shuffled.extend(repeats.iter().filter_map(|at| turns.get(*at).cloned()));
        let mut state = seed;
        for at in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            shuffled.swap(at, (state >> 33) as usize % (at + 1));
        }
        for now in [at(30), at(200), at(1000)] {
            prop_assert_eq!(with(turns.clone(), None, now, &[]), with(shuffled.clone(), None, now, &[]));
        }
    }

    #[test]
    fn forgotten_words_are_nowhere(
        said in prop::collection::vec((0..3usize, 0..18usize), 1..10),
        forgotten in 0..10usize,
        whole in any::<bool>(),
    ) {
        let forgotten = forgotten % said.len();
        let (language, word) = said[forgotten];
        let own = clause(language, word).1;
        let mut turns = Vec::new();
        for (at, (language, word)) in said.iter().enumerate() {
            let mut turn = says(at as i64, &clause(*language, *word).0);
            let text = &mut turn.body.messages[0].text;
            // As a forget leaves it: blanks of equal length, of the statement or of the word alone.
            if let Some(start) = text.find(&own) {
                let range = if whole { 0..text.len() } else { start..start + own.len() };
                let blank = " ".repeat(range.len());
                text.replace_range(range, &blank);
            }
            turns.push(turn);
        }
        for session in [open(&turns), closed(&turns)] {
            let shown = format!("{session:?}");
            prop_assert!(!shown.contains(&own), "{}", shown);
            // No part of it either, as a cut would leave.
            let part: String = own.chars().take(own.chars().count() * 3 / 4 + 1).collect();
            prop_assert!(!session.summary.contains(&part), "{}", session.summary);
        }
    }

    #[test]
    fn any_text_is_summed_up_within_bounds(texts in prop::collection::vec("\\PC{0,120}|[a-zа-я我们用０-９0-9 ,.?!*$%А-ЯA-Z。，-]{0,300}", 1..5)) {
        let turns: Vec<Turn> = (0..).zip(&texts).map(|(at, text)| says(at, text)).collect();
        let session = closed(&turns);
        let words = session.summary.split_whitespace().count();
        prop_assert!(words <= limits::SESSION_SUMMARY, "{}", session.summary);
        if saidso_core::text::Language::of(&session.summary) == saidso_core::text::Language::Zh {
            prop_assert!(session.summary.chars().count() <= limits::SESSION_SUMMARY);
        }
        prop_assert!(session.anchors.len() <= limits::SESSION_ANCHORS);
        // Equal sets of turns, equal sessions.
        prop_assert_eq!(closed(&turns), session);
    }
}

#[test]
fn the_newest_session_comes_first() {
    let mut second = says(3, "We run a bakery.");
    second.meta.session = ids().session("t");
    second.meta.session_name = "t".into();
    let order = |turns: Vec<Turn>| -> Vec<String> {
        dialogues(turns, &[], &Rules::default(), limits::SESSIONS).into_iter().map(|dialogue| dialogue.name).collect()
    };
    assert_eq!(order(vec![says(0, "a"), second.clone()]), ["t", "s"]);
    assert_eq!(order(vec![second, says(0, "a"), says(4, "b")]), ["s", "t"]);
}

#[test]
fn time_outs_are_minutes() {
    assert_eq!(Rules::minutes(15, 120), Rules::default());
    assert_eq!(Rules::default().idle_ms, 15 * MINUTE);
    assert_eq!(Rules::minutes(30, 5).identity_ms, 30 * MINUTE);
}
