//! What a retraction means, and how little it may take (requirements D1; field cases 9, 10, 27).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::Said;
use proptest::prelude::*;
use saidso_core::{
    calibration::{ByLanguage, Calibration},
    fold::{Folded, Memory, Rules, fold},
    ground::ground,
    item::{Candidate, Evidence, Extraction, Kind, Retracting, Retraction, Span, Stated},
    limits::FORGET_MOST,
    observation::Observation,
    retract::{Around, Meant, Thing, cut, means_everything, meant, requested},
    stages::Embedded,
    text::Language,
    turn::{Message, TurnBody},
    vector::Vector,
};

/// As with an embedder that gives every text the same vector: words alone decide.
const EQUAL: Calibration = Calibration { duplicate: ByLanguage::all(10_000), related: ByLanguage::all(10_000) };

fn equal() -> Vector {
    Vector::new(&[1.0; 16]).unwrap()
}

/// What is said of a sister is said of her, not of the customer.
fn space(said: &[Said]) -> Folded {
    let observe = |said: &Said| {
        let mut observation = Observation { vector: Some(equal()), ..said.observation() };
        if said.text.starts_with("My sister") {
            observation.body.item.topic_key.subject = "sister".into();
        }
        observation
    };
    let observations: Vec<Observation> = said.iter().map(observe).collect();
    fold(&observations, &[], &Rules::new(EQUAL))
}

fn retraction(how: Retracting, about: &str) -> Retraction {
    let span = Span { start: 0, end: about.len() as u32 };
    let evidence = Evidence { message: 0, span, quote: about.into() };
    Retraction { how, evidence, about: about.into(), states: Vec::new(), language: Language::of(about) }
}

fn asked(folded: &Folded, about: &str) -> Meant {
    meant(&retraction(Retracting::Request, about), &equal(), Around::default(), folded, &EQUAL, FORGET_MOST)
}

/// The wordings that go, history after what took its place, and how many are left.
fn taken(folded: &Folded, meant: Meant) -> (Vec<String>, usize) {
    let Meant::Things { things, left } = meant else { panic!("everything") };
    let text = |id| folded.memories.iter().find(|memory: &&Memory| memory.id == id).unwrap().text.clone();
    let texts = |Thing { memory, history }: Thing| std::iter::once(memory).chain(history).map(text).collect::<Vec<_>>();
    (things.into_iter().flat_map(texts).collect(), left)
}

fn household() -> Folded {
    space(&[
        Said::fact(1, "I live in Oslo", "home city", "oslo"),
        Said::fact(2, "I work in Oslo", "work city", "oslo"),
        Said::fact(3, "I take insulin every morning", "medicine", "insulin").many(),
        Said::fact(4, "I take aspirin every morning", "medicine", "aspirin").many(),
        Said::fact(5, "I have a dog", "pet", "dog").many(),
        Said::fact(6, "My sister has a boat", "boat", "yes").many(),
        Said::fact(6, "I'm allergic to nuts", "state", "allergic").many(),
        Said::fact(7, "У меня есть машина", "машина", "есть").many(),
        Said::fact(8, "我有两只猫", "pet", "两只猫").many(),
    ])
}

#[test]
fn a_request_takes_what_it_names_and_nothing_beside_it() {
    for (about, gone) in [
        ("I live in Oslo", vec!["I live in Oslo"]),
        ("that I take insulin", vec!["I take insulin every morning"]),
        ("my medicine", vec!["I take aspirin every morning", "I take insulin every morning"]),
        ("my dog", vec!["I have a dog"]),
        ("my nut allergy", vec!["I'm allergic to nuts"]),
        ("my sister's boat", vec!["My sister has a boat"]),
        ("I take insulin, and that I have a dog", vec!["I have a dog", "I take insulin every morning"]),
        ("моей машине", vec!["У меня есть машина"]),
        ("我的猫", vec!["我有两只猫"]),
        // Nothing of the kind (field case 9), or somebody else's.
        ("my car", vec![]),
        ("my boat", vec![]),
        ("I live in Bergen", vec![]),
        ("I take ibuprofen every morning", vec![]),
        ("I had a cat", vec![]),
        ("that", vec![]),
        ("моей даче", vec![]),
        ("我的车", vec![]),
        ("", vec![]),
    ] {
        let folded = household();
        let (mut texts, left) = taken(&folded, asked(&folded, about));
        texts.sort();
        assert_eq!((texts, left), (gone.into_iter().map(String::from).collect(), 0), "{about}");
    }
}

#[test]
fn words_of_somebody_else_take_nothing_of_the_customers() {
    let folded = space(&[
        Said::fact(1, "I live in Oslo", "home city", "oslo"),
        Said::fact(2, "I have a wife and a dog", "family", "wife").many(),
        Said::fact(3, "Я работаю в Сименс", "employer", "сименс"),
        Said::fact(4, "我对花生过敏", "allergy", "花生").many(),
    ]);
    for about in [
        "my wife lives in Oslo",
        "that he lives in Oslo",
        "the doctor lives in Oslo",
        "моя сестра работает в Сименс",
        "он работает в Сименс",
        "我妻子对花生过敏",
    ] {
        assert!(taken(&folded, asked(&folded, about)).0.is_empty(), "{about}");
        assert!(denied(&folded, about, Around::default()).is_empty(), "{about}");
    }
    assert_eq!(taken(&folded, asked(&folded, "my wife")).0, ["I have a wife and a dog"]);
}

#[test]
fn what_a_request_states_is_taken_to_the_key_and_keeps_what_is_said_otherwise() {
    let folded = space(&[
        Said::fact(1, "I moved to Rome", "home city", "rome"),
        Said::fact(2, "I don't eat meat", "eats", "meat").many().negated(),
        Said::fact(3, "I take insulin", "medicine", "insulin").many(),
        Said::fact(4, "My sister has a boat", "boat", "yes").many(),
        Said::fact(5, "I have a daughter named Mia", "child", "daughter").many(),
    ]);
    let stated = |subject: &str, said: Said| {
        let mut stated = Stated::of(&said.observation().body.item);
        stated.topic_key.subject = subject.into();
        stated
    };
    let rome = |day| Said::fact(day, "I live in Rome", "home city", "rome");
    let meat = Said::fact(9, "I eat meat", "eats", "meat").many();
    let insulin = |text| Said::fact(9, text, "medicine", "insulin").many();
    for (about, states, gone) in [
        ("I live in Rome", stated("customer", rome(9)), vec!["I moved to Rome"]),
        ("my wife lives in Rome", stated("wife", rome(9)), vec![]),
        ("I don't live in Rome", stated("customer", rome(9).negated()), vec![]),
        ("I live in Rome", Stated { qualifier: Some("summer".into()), ..stated("customer", rome(9)) }, vec![]),
        ("I eat meat", stated("customer", meat), vec![]),
        ("my dog takes insulin", stated("dog", insulin("it takes insulin")), vec![]),
        // Of her, but the words name all that is said of her.
        (
            "my daughter is named Mia",
            stated("daughter", Said::fact(9, "named Mia", "name", "mia")),
            vec!["I have a daughter named Mia"],
        ),
        // Another key of the same, in the same words.
        (
            "I take insulin",
            stated("customer", Said::fact(9, "I take insulin", "does", "take").many()),
            vec!["I take insulin"],
        ),
        // One thing is stated, the other named.
        (
            "I take insulin, and my sister's boat",
            stated("customer", insulin("I take insulin")),
            vec!["I take insulin", "My sister has a boat"],
        ),
    ] {
        let request = Retraction { states: vec![states], ..retraction(Retracting::Request, about) };
        let found = meant(&request, &equal(), Around::default(), &folded, &EQUAL, FORGET_MOST);
        let (mut texts, _) = taken(&folded, found);
        texts.sort();
        assert_eq!(texts, gone, "{about}");
    }
}

#[test]
fn a_cosine_that_disagrees_keeps_what_shares_a_word() {
    let folded = household();
    let strict = Calibration { duplicate: ByLanguage::all(10_001), related: ByLanguage::all(10_001) };
    let request = retraction(Retracting::Request, "I have a dog");
    let none = Meant::Things { things: vec![], left: 0 };
    assert_eq!(meant(&request, &equal(), Around::default(), &folded, &strict, FORGET_MOST), none);
}

#[test]
fn more_than_a_request_may_take_is_counted_and_stays() {
    let said: Vec<Said> = ["red", "blue", "green", "grey", "black"]
        .iter()
        .enumerate()
        .map(|(day, colour)| Said::fact(day as i64, &format!("I own a {colour} car"), "car", colour).many())
        .collect();
    let folded = space(&said);
    let (texts, left) = taken(&folded, asked(&folded, "my car"));
    assert_eq!((texts.len(), left), (FORGET_MOST, 2));
    let (texts, left) = taken(&folded, asked(&folded, "my green car"));
    assert_eq!((texts, left), (vec!["I own a green car".to_owned()], 0));
}

#[test]
fn all_there_is_is_no_request() {
    for about in [
        "everything",
        "all",
        "everything about me",
        "all about me",
        "me",
        "all my data",
        "all of it",
        "my data",
        "everything I told you",
        "what you know about me",
        "the whole conversation",
        "всё",
        "всё обо мне",
        "все мои данные",
        "меня",
        "一切",
        "我的一切",
        "所有数据",
        "我说过的话",
        "关于我的所有信息",
    ] {
        assert!(means_everything(about), "{about}");
        assert_eq!(asked(&household(), about), Meant::Everything, "{about}");
    }
    for about in
        ["my car", "everything about my car", "that", "it", "这个", "это", "我的车的一切", "все о моей машине", ""]
    {
        assert!(!means_everything(about), "{about}");
    }
}

#[test]
fn what_stands_takes_its_history_along_and_history_goes_alone() {
    let folded = space(&[
        Said::fact(1, "I live in Tromsø", "home city", "tromsø"),
        Said::fact(50, "I moved to Bergen", "home city", "bergen"),
        Said::fact(100, "I moved to Oslo", "home city", "oslo"),
        Said::fact(2, "We use MySQL", "database", "mysql"),
    ]);
    let texts = |about| {
        let (mut texts, left) = taken(&folded, asked(&folded, about));
        texts.sort();
        assert_eq!(left, 0);
        texts
    };
    let all = ["I live in Tromsø", "I moved to Bergen", "I moved to Oslo"];
    assert_eq!(texts("that I moved to Oslo"), all);
    assert_eq!(texts("my home city"), all);
    assert_eq!(texts("that I moved to Bergen"), ["I moved to Bergen"]);
}

fn item(said: &Said) -> Embedded {
    let candidate: Candidate = said.observation().body.item;
    let body = TurnBody { messages: vec![Message { text: said.text.clone() }], question: None, request: false };
    ground(&body, candidate).unwrap().embedded(Some(equal())).unwrap()
}

fn denied(folded: &Folded, about: &str, around: Around<'_>) -> Vec<String> {
    let denial = retraction(Retracting::Denial, about);
    let (texts, left) = taken(folded, meant(&denial, &equal(), around, folded, &EQUAL, FORGET_MOST));
    assert_eq!(left, 0);
    texts
}

#[test]
fn a_denial_takes_what_it_contradicts_and_restores_what_that_had_replaced() {
    let folded = space(&[
        Said::fact(1, "I live in Bergen", "home city", "bergen"),
        Said::fact(50, "I moved to Oslo", "home city", "oslo"),
        Said::fact(2, "I keep a dog", "pet", "dog").many(),
        Said::fact(3, "I don't keep a cat", "pet", "cat").many().negated(),
    ]);
    // To the key and value of what the turn says, or word for word.
    let said = Said::fact(60, "I have no home in Oslo", "home city", "oslo").negated();
    let items = [item(&said)];
    assert_eq!(denied(&folded, &said.text, Around { items: &items, ..Around::default() }), ["I moved to Oslo"]);
    assert_eq!(denied(&folded, "I don't keep a dog", Around::default()), ["I keep a dog"]);
    // "I never said that …", without the words that deny it.
    assert_eq!(denied(&folded, "I keep a dog", Around::default()), ["I keep a dog"]);
    // A statement about business, what does not stand, what is denied already, and what changed.
    for about in ["we don't do that", "I never lived in Bergen", "I don't keep a cat", "I don't keep a horse", "that"] {
        assert!(denied(&folded, about, Around::default()).is_empty(), "{about}");
    }
    let changed = Said { changed: true, ..Said::fact(60, "I no longer keep the dog", "pet", "dog").many().negated() };
    let items = [item(&changed)];
    assert!(denied(&folded, &changed.text, Around { items: &items, ..Around::default() }).is_empty());
}

#[test]
fn a_denial_of_what_was_recalled_takes_what_it_names_or_the_only_one() {
    let folded = space(&[
        Said::fact(1, "My company is Acme", "company", "acme"),
        Said::fact(2, "I drink tea", "drink", "tea").many(),
    ]);
    let ids: Vec<_> = folded.memories.iter().map(|memory| memory.id).collect();
    let with = |recalled| Around { recalled, ..Around::default() };
    assert_eq!(denied(&folded, "my company", with(&ids)), ["My company is Acme"]);
    assert_eq!(denied(&folded, "that", with(&ids[1..])), ["I drink tea"]);
    assert!(denied(&folded, "that", with(&ids)).is_empty(), "it is not told which");
    assert!(denied(&folded, "my company", with(&[])).is_empty());
}

#[test]
fn the_forget_door_asks_once_a_message_whatever_the_extractor_made_of_it() {
    let message = |text: &str| Message { text: text.into() };
    let messages = vec![message("  Forget that I take insulin. "), message(" \n"), message("my car")];
    let body = TurnBody { messages, question: None, request: true };
    let found = Retraction {
        about: "I take insulin".into(),
        evidence: Evidence {
            message: 0,
            span: Span { start: 2, end: 30 },
            quote: "Forget that I take insulin.".into(),
        },
        ..retraction(Retracting::Request, "x")
    };
    let car = Said::fact(1, "my car", "car", "yes").observation().body.item;
    let car = Candidate { evidence: Evidence { message: 2, ..car.evidence.clone() }, ..car };
    let read = Extraction { candidates: vec![car.clone()], retractions: vec![found], ..Extraction::default() };
    let asked = requested(&body, &read);
    assert_eq!((&asked[0].states, &asked[1].states), (&vec![], &vec![Stated::of(&car)]));
    let about: Vec<(u32, &str)> = asked.iter().map(|one| (one.evidence.message, one.about.as_str())).collect();
    assert_eq!(about, [(0, "I take insulin"), (2, "my car")]);
    assert!(asked.iter().all(|one| one.evidence.span.of(&body.messages[one.evidence.message as usize].text)
        == Some(one.evidence.quote.as_str())));
}

#[test]
fn a_sibling_keeps_the_words_that_are_left_if_they_still_say_it() {
    let text = "I have a dog and I live in Oslo";
    let forgotten = Span { start: 17, end: 31 };
    let blanked = TurnBody {
        messages: vec![Message { text: format!("{}{}", &text[..17], " ".repeat(14)) }],
        question: None,
        request: false,
    };
    let whole = |value: &str| Said::fact(1, text, "pet", value).many().observation().body.item;
    // Verbatim: the wording is cut with the quote.
    let kept = cut(&whole("dog"), &blanked, &[forgotten]).unwrap();
    assert_eq!((kept.text.as_str(), kept.evidence.quote.as_str()), ("I have a dog", "I have a dog"));
    // A wording of its own stays if the words that are left support it.
    let worded = |wording: &str| Candidate { text: wording.into(), ..whole("dog") };
    assert_eq!(cut(&worded("I have a dog."), &blanked, &[forgotten]).unwrap().text, "I have a dog.");
    assert!(cut(&worded("I live in Oslo with a dog"), &blanked, &[forgotten]).is_none());
    // What shows a word that is gone goes, whatever field it is in.
    assert!(cut(&whole("oslo"), &blanked, &[forgotten]).is_none());
    let asking = Candidate { questions: vec!["Is there a dog in Oslo?".into(), "Any dog?".into()], ..whole("dog") };
    assert_eq!(cut(&asking, &blanked, &[forgotten]).unwrap().questions, ["Any dog?"]);
    // Nothing but marks is left.
    assert!(cut(&whole("dog"), &blanked, &[Span { start: 0, end: 31 }]).is_none());
}

proptest! {
    #[test]
    fn the_longest_rest_rests_on_nothing_forgotten(
        text in "[a-z日本 ,.é]{0,40}",
        spans in prop::collection::vec((0u32..40, 0u32..20), 0..4),
    ) {
        let evidence = Evidence { message: 0, span: Span { start: 0, end: text.len() as u32 }, quote: text.clone() };
        let spans: Vec<Span> = spans.iter().map(|(start, bytes)| Span { start: *start, end: start + bytes }).collect();
        if let Some(rest) = evidence.without(&spans) {
            prop_assert_eq!(rest.span.of(&text), Some(rest.quote.as_str()));
            prop_assert!(spans.iter().all(|span| !span.overlaps(rest.span)));
            prop_assert_eq!(rest.quote.trim(), rest.quote.as_str());
        }
    }

    /// However a space and a request are made up: never more than may go, and nothing that shares no word.
    #[test]
    fn a_request_is_bounded(
        said in prop::collection::vec(("[abc]", "[xyz]", any::<bool>()), 0..12),
        about in "(my )?[abcxyz]{1}( [abcxyz]){0,2}",
    ) {
        let said: Vec<Said> = said.iter().enumerate().map(|(day, (attribute, value, many))| Said {
            many: *many,
            kind: Kind::Fact,
            ..Said::fact(day as i64, &format!("{attribute}{attribute} {value}{value}"), attribute, value)
        }).collect();
        let folded = space(&said);
        let about = about.replace('a', "aa").replace('x', "xx");
        if let Meant::Things { things, .. } = asked(&folded, &about) {
            prop_assert!(things.len() <= FORGET_MOST);
            for thing in things {
                let memory = folded.memories.iter().find(|memory| memory.id == thing.memory).unwrap();
                let words = saidso_core::text::content(&about);
                let own = format!("{} {} {}", memory.text, memory.topic_key.attribute, memory.value);
                prop_assert!(!words.is_disjoint(&saidso_core::text::content(&own)));
            }
        }
    }
}

#[test]
fn a_question_is_known_by_what_it_asks_for_and_not_by_a_word_it_shares() {
    let asking = |said: Said, question: &str| {
        let mut observation = Observation { vector: Some(equal()), ..said.observation() };
        observation.body.item.questions = vec![question.into()];
        observation
    };
    let observations = [
        asking(Said::fact(1, "I'm the plumber here", "occupation", "plumber"), "What do I do for a living?"),
        asking(Said::fact(2, "I live with two uncles", "household", "two uncles"), "What is my household?"),
        asking(Said::fact(3, "I moved to Lyon", "home city", "lyon"), "Where do I live?"),
        asking(Said::fact(4, "I once lived in Nice", "former home", "nice"), "What is my former home?"),
        asking(Said::fact(5, "I need glasses", "aid", "glasses"), "What helps me see?"),
    ];
    let folded = fold(&observations, &[], &Rules::new(EQUAL));
    for (about, gone) in [
        ("where I live", vec!["I moved to Lyon"]),
        ("which city I live in", vec!["I moved to Lyon"]),
        ("who I live with", vec!["I live with two uncles"]),
        ("what I do for a living", vec!["I'm the plumber here"]),
        ("where I used to live", vec!["I once lived in Nice"]),
        ("what helps me see", vec!["I need glasses"]),
        ("where I live, I mean my address", vec!["I moved to Lyon"]),
        ("who helps me", vec![]),
        ("where I need to be", vec![]),
    ] {
        assert_eq!(taken(&folded, asked(&folded, about)).0, gone, "{about}");
    }
}

#[test]
fn what_is_listed_goes_if_all_of_it_is_remembered() {
    let folded = household();
    let texts = |about| {
        let mut texts = taken(&folded, asked(&folded, about)).0;
        texts.sort();
        texts
    };
    assert_eq!(texts("the dog and about insulin"), ["I have a dog", "I take insulin every morning"]);
    assert!(texts("my dog and white parrot").is_empty());
}

#[test]
fn what_is_called_what_it_is_not_is_denied_by_its_name() {
    let folded = space(&[
        Said::fact(1, "I work at Acme", "employer", "acme"),
        Said::fact(2, "I live in Acme", "home city", "acme"),
        Said::fact(3, "We sell to Globex", "customers", "globex").many(),
    ]);
    assert_eq!(denied(&folded, "Acme is not my company", Around::default()), ["I work at Acme"]);
    assert_eq!(denied(&folded, "Acme isn't my city", Around::default()), ["I live in Acme"]);
    for about in ["Globex is not my company", "Acme is not my dog", "Acme is not big", "today is not my day"] {
        assert!(denied(&folded, about, Around::default()).is_empty(), "{about}");
    }
    let asked = |question| Around { question: Some(question), ..Around::default() };
    assert_eq!(denied(&folded, "my company", asked("How is Acme doing?")), ["I work at Acme"]);
    assert!(denied(&folded, "my company", asked("How is Globex doing?")).is_empty());
}
