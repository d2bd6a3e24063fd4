//! What is asked where two things that were said cannot both hold (requirements A10).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::Said;
use proptest::prelude::*;
use saidso_core::{
    calibration::{ByLanguage, Calibration},
    fold::{Memory, Rules, fold},
    probe::probe,
    text::Language,
};

fn memories(said: &[Said]) -> Vec<Memory> {
    let calibration = Calibration { duplicate: ByLanguage::all(9_000), related: ByLanguage::all(8_000) };
    let observations: Vec<_> = said.iter().map(Said::observation).collect();
    fold(&observations, &[], &Rules::new(calibration)).memories
}

/// The probe between the first two memories of what was said.
fn asks(said: &[Said], language: Language) -> String {
    let memories = memories(said);
    let text = probe(&memories[0], &memories[1], language);
    assert_eq!(text, probe(&memories[1], &memories[0], language));
    text
}

#[test]
fn a_probe_is_one_clause_of_the_customers_words() {
    let said = |first: &str, value: &str, second: &str, other: &str| {
        [Said::fact(0, first, "industry", value), Said::fact(3, second, "industry", other)]
    };
    assert_eq!(
        asks(&said("We're in retail.", "retail", "We are in Logistics", "logistics"), Language::En),
        "You said “We're in retail”; is that still so, or is it Logistics now — or both?"
    );
    assert_eq!(
        asks(&said("I'm a baker", "baker", "I am an actor.", "actor"), Language::En),
        "You said “I'm a baker”; is that still so, or is it an actor now — or both?"
    );
    assert_eq!(
        asks(&said("I love hiking", "likes", "I hate hiking!", "dislikes"), Language::En),
        "You said “I love hiking” and later “I hate hiking”; which is it now — or both?"
    );
    assert_eq!(
        asks(&said("我们做零售。", "零售", "我们做物流。", "物流"), Language::Zh),
        "您说过“我们做零售”，现在还是这样，还是改成物流了，还是两者都有？"
    );
    assert_eq!(
        asks(&said("我喜欢爬山", "likes", "我讨厌爬山", "dislikes"), Language::Zh),
        "您先说过“我喜欢爬山”，后来又说“我讨厌爬山”，现在是哪一个，还是两者都是？"
    );
    assert_eq!(
        asks(&said("Мы в рознице", "розниц", "Мы занимаемся логистикой.", "логистик"), Language::Ru),
        "Вы говорили «Мы в рознице», а позже «Мы занимаемся логистикой» — как сейчас, или верно и то и другое?"
    );
    assert_eq!(
        asks(&said("Vivo en Oslo", "oslo", "Vivo en Bergen", "bergen"), Language::Other),
        "You said “Vivo en Oslo”; is that still so, or is it Bergen now — or both?"
    );
}

#[test]
fn the_one_said_last_is_what_may_be_now() {
    let said = [("retail", 0), ("logistics", 3), ("retail", 5)]
        .map(|(value, day)| Said::fact(day, &format!("We are in {value}"), "industry", value));
    assert_eq!(
        asks(&said, Language::En),
        "You said “We are in logistics”; is that still so, or is it retail now — or both?"
    );
}

#[test]
fn the_agents_question_is_never_repeated() {
    let asked =
        Said { question: Some("Sounds like you run a bakery?".into()), ..Said::fact(3, "yes", "industry", "bakery") };
    let text = asks(&[Said::fact(0, "We are in retail", "industry", "retail"), asked], Language::En);
    assert_eq!(text, "You said “We are in retail” and later “bakery”; which is it now — or both?");
}

proptest! {
    /// Whatever was said, the question is short and on one line.
    #[test]
    fn a_probe_is_short(first in "\\PC{1,200}|[a-z\n\t 我们。.]{1,300}|[a-z]{300}", other in "\\PC{1,80}|[я ,\r\n]{1,200}") {
        let said = [Said::fact(0, &first, "industry", "retail"), Said::fact(3, &other, "industry", &other)];
        let memories = memories(&said);
        for language in [Language::En, Language::Zh, Language::Ru, Language::Other] {
            let text = probe(&memories[0], &memories[memories.len() - 1], language);
            prop_assert!(text.chars().count() <= 200, "{}", text);
            prop_assert!(!text.chars().any(char::is_control));
        }
    }
}
