//! The built-in extractor on labelled English sentences of our own. A line is a turn and the items it must yield, field
//! by field where named, and none beside them; `drop` names a reason that must be listed.

use saidso_core::{
    ground::ground,
    item::{Candidate, Extraction},
    ports::Extractor,
    turn::{Message, TurnBody},
};
use saidso_models::Builtin;
use serde_json::Value;

/// Shares of the lines that came out right.
struct Shares {
    kept: (usize, usize),
    empty: (usize, usize),
    dropped: (usize, usize),
    wrong: Vec<String>,
}

impl Shares {
    /// Fails unless at least these shares of the lines are right: with items, with none, with a reason to drop.
    fn expect(&self, kept: f64, empty: f64, dropped: f64) {
        for ((hits, all), least, what) in
            [(self.kept, kept, "kept"), (self.empty, empty, "empty"), (self.dropped, dropped, "dropped")]
        {
            assert!(hits as f64 >= least * all as f64, "{what}: {hits} of {all}\n{}", self.wrong.join("\n"));
        }
    }
}

/// Runs every line through the extractor; each item must also be grounded.
fn measure(lines: &str) -> Shares {
    let extractor = Builtin::new(None, None).expect("without slots nothing is asked of a model");
    let mut shares = Shares { kept: (0, 0), empty: (0, 0), dropped: (0, 0), wrong: Vec::new() };
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let label: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"));
        let turn = TurnBody {
            request: false,
            messages: vec![Message { text: label["say"].as_str().expect("a line has words").to_owned() }],
            question: label["asked"].as_str().map(str::to_owned),
        };
        let extraction = extractor.extract(&turn).expect("rules do not fail");
        assert_eq!(
            extraction,
            extractor.extract(&turn).expect("rules do not fail"),
            "the same turn gives the same answer: {line}"
        );
        for item in &extraction.candidates {
            assert!(ground(&turn, item.clone()).is_ok(), "not grounded: {item:?}");
        }
        let wanted = label["keep"].as_array().expect("a line has labels");
        let right = match wanted.is_empty() {
            true => count(&mut shares.empty, extraction.candidates.is_empty()),
            false => count(&mut shares.kept, keeps(wanted, &extraction)),
        };
        let reason = label["drop"].as_str();
        let listed = reason.is_none_or(|reason| {
            let listed = extraction.drops.iter().any(|drop| serde_json::json!(drop.reason) == *reason);
            count(&mut shares.dropped, listed)
        });
        if !right || !listed {
            shares.wrong.push(format!("{line}\n    gave {}", describe(&extraction)));
        }
    }
    shares
}

fn count(share: &mut (usize, usize), right: bool) -> bool {
    share.0 += usize::from(right);
    share.1 += 1;
    right
}

/// Every wanted item is there, and none beside them.
fn keeps(wanted: &[Value], extraction: &Extraction) -> bool {
    wanted.len() == extraction.candidates.len()
        && wanted.iter().all(|want| extraction.candidates.iter().any(|item| fits(want, item)))
}

fn fits(want: &Value, item: &Candidate) -> bool {
    let flag = |name: &str| want[name].as_bool().unwrap_or(false);
    let named = |name: &str, said: &str| want[name].as_str().is_none_or(|wanted| wanted == said);
    serde_json::json!(item.kind) == want["kind"]
        && named("subject", &item.topic_key.subject)
        && named("attribute", &item.topic_key.attribute)
        && named("value", &item.value)
        && named("qualifier", item.qualifier.as_deref().unwrap_or_default())
        && flag("negated") == item.negated
        && (flag("changed") == item.changed || want["changed"].is_null())
}

fn describe(extraction: &Extraction) -> String {
    let items = extraction.candidates.iter().map(|item| {
        let not = if item.negated { "not " } else { "" };
        format!(
            "{:?} {} · {} = {not}{} | {}",
            item.kind, item.topic_key.subject, item.topic_key.attribute, item.value, item.text
        )
    });
    let drops = extraction.drops.iter().map(|drop| format!("drop {:?} {}", drop.reason, drop.quote));
    items.chain(drops).collect::<Vec<_>>().join("; ")
}

#[test]
fn english_sentences_yield_what_they_say_and_nothing_else() {
    // Raise these as the rules grow, never lower them. The failure lists every line that is short.
    measure(include_str!("data/en_labelled.jsonl")).expect(0.99, 1.0, 1.0);
}

/// The one item of a sentence.
fn only(say: &str) -> Candidate {
    let turn = TurnBody { messages: vec![Message { text: say.to_owned() }], question: None, request: false };
    let extractor = Builtin::new(None, None).expect("without slots nothing is asked of a model");
    let mut items = extractor.extract(&turn).expect("rules do not fail").candidates;
    items.retain(|item| item.kind == saidso_core::item::Kind::Fact);
    assert_eq!(items.len(), 1, "{say}: {items:?}");
    items.remove(0)
}

#[test]
fn different_facts_do_not_compete() {
    for (one, other) in [
        ("I live in Ghent.", "I live on the second floor."),
        ("I live in Ghent.", "We're based in Bruges."),
        ("I live in Ghent.", "I live in a houseboat."),
        ("I'm a baker.", "We're a family of four."),
        ("I'm a baker.", "I work as a volunteer on Fridays."),
        ("I have two sons.", "I have one daughter."),
        ("We use MySQL for invoices.", "We use MongoDB for reports."),
        ("Our test database is MySQL.", "Our production database is Oracle."),
        ("At work I use Linux.", "At home I use Windows."),
        ("I have a dog.", "I have a cat."),
        ("I have two dogs.", "I have three cats."),
        ("My budget for the roof is 9000.", "My budget for the garden is 700."),
        ("My brother lives in Lyon.", "My other brother lives in Nice."),
    ] {
        let (one, other) = (only(one), only(other));
        let compete = !one.topic_key.many && one.topic_key == other.topic_key && one.qualifier == other.qualifier;
        assert!(!compete, "{one:?}\n{other:?}");
    }
}

#[test]
fn values_of_one_thing_compete() {
    for (one, other) in [
        ("We are in the retail industry.", "Our company is in the banking industry."),
        ("We are a retail company.", "We work in the banking sector."),
        ("I have 3 cats.", "I have four cats."),
        ("I have no children.", "I have two kids."),
        ("Our test database is MySQL.", "We use Oracle in the test environment."),
        ("Our billing database is MySQL.", "For billing we use Oracle."),
        ("At work I use Linux.", "I use Windows at work."),
    ] {
        let (one, other) = (only(one), only(other));
        let compete = !one.topic_key.many && one.topic_key == other.topic_key && one.qualifier == other.qualifier;
        assert!(compete && one.value != other.value, "{one:?}\n{other:?}");
    }
}

#[test]
fn an_end_denies_the_fact_it_ends() {
    for (fact, end) in [
        ("I own a canoe.", "I sold my canoe."),
        ("I have a canoe.", "We got rid of our canoe."),
        ("I drive a Skoda.", "I sold my Skoda last week."),
        ("I have a parrot.", "My parrot died yesterday."),
        ("I have a cat.", "We gave away our cat."),
        ("I'm married.", "My wife and I split up."),
        ("I work at Nokia.", "I left Nokia."),
        ("I work for Nokia.", "I quit my job at Nokia."),
        ("I live in Turin.", "It's not true that I live in Turin."),
    ] {
        let (fact, end) = (only(fact), only(end));
        assert_eq!((&fact.topic_key, &fact.value), (&end.topic_key, &end.value));
        assert!(!fact.negated && end.negated, "{end:?}");
    }
}

#[test]
fn the_same_said_otherwise_is_the_same() {
    for (one, other) in [
        ("I'm allergic to peanuts.", "I have a peanut allergy."),
        ("I have a nut allergy.", "I'm allergic to nuts."),
        ("I don't eat pork.", "I stopped eating pork."),
    ] {
        let (one, other) = (only(one), only(other));
        assert_eq!((&one.topic_key, &one.value, one.negated), (&other.topic_key, &other.value, other.negated));
    }
}
