//! Forgetting by saying so, on the running stages (requirements D1, D2; field cases 9–12, 27–29). What is a request is
//! told by rules of this test, so that an extractor may learn more of them.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

mod late;
mod raw;

use late::what_was_asked_takes_what_arrives_late;
use raw::{
    no_more_sentences_go_than_one_request_may_take, raw_words_that_a_memory_rests_on_stay_with_it,
    raw_words_that_nothing_was_made_of_go_too,
};
use saidso_core::{
    fault::Fault,
    fold::{Memory, Status},
    ids::TurnId,
    item::{Candidate, Drop, Evidence, Extraction, Retracting, Retraction, Span, Stated},
    limits::FORGET_MOST,
    ports::Extractor,
    retract::{Part, ReadBack},
    seal::{self, Field, Generation, Place},
    text::Language,
    turn::{Message, Role, SubmittedMessage, SubmittedTurn, Turn, TurnBody},
};
use saidso_models::{Builtin, ConstantEmbedder};
use saidso_pipeline::{Forgetting, Rules};
use saidso_recall::{Provenance, Question, Recall, Settings, Sources};
use saidso_testcontainers::{
    distributed::Distributed,
    stand::{Folder, GENERATION, Site, Stand, rules_with},
};

/// The built-in extractor, with retractions by these words alone; `shifted`: it reads whole messages, and more of them.
struct ByHand {
    builtin: Builtin,
    shifted: bool,
}

const FORMS: [(&str, Retracting); 3] = [
    ("Forget that ", Retracting::Request),
    ("Forget ", Retracting::Request),
    ("It was never true that ", Retracting::Denial),
];

impl Extractor for ByHand {
    fn id(&self) -> &str {
        "by hand/1"
    }

    fn extract(&self, turn: &TurnBody) -> Result<Extraction, Fault> {
        let mut extraction = self.builtin.extract(turn)?;
        extraction.retractions.clear();
        for (index, message) in (0..).zip(&turn.messages) {
            for sentence in saidso_core::text::sentences(&message.text) {
                let words = sentence.of(&message.text).unwrap_or_default();
                let found = FORMS.iter().find_map(|(form, how)| Some((words.strip_prefix(form)?, *how)));
                let Some((about, how)) = found else { continue };
                let evidence = Evidence { message: index, span: sentence, quote: words.into() };
                let about = about.trim_end_matches('.').to_owned();
                let states = self.states(&about)?;
                extraction.retractions.push(Retraction { how, evidence, about, states, language: Language::of(words) });
            }
        }
        if self.shifted {
            extraction.candidates = extraction.candidates.into_iter().map(|item| whole(item, turn)).collect();
        }
        Ok(extraction)
    }
}

impl ByHand {
    fn states(&self, about: &str) -> Result<Vec<Stated>, Fault> {
        let messages = vec![Message { text: about.into() }];
        let read = self.builtin.extract(&TurnBody { messages, question: None, request: false })?;
        Ok(read.candidates.iter().map(Stated::of).collect())
    }
}

/// An item that rests on all of its message, with a key of its own: as another extractor might read it.
fn whole(item: Candidate, turn: &TurnBody) -> Candidate {
    let text = &turn.messages[item.evidence.message as usize].text;
    let start = (text.len() - text.trim_start().len()) as u32;
    let span = Span { start, end: start + text.trim().len() as u32 };
    let mut item = item;
    item.evidence = Evidence { message: item.evidence.message, span, quote: text.trim().into() };
    item.text = text.trim().into();
    item.topic_key.attribute = format!("{} anew", item.topic_key.attribute);
    item.topic_key.many = true;
    item
}

fn by_hand(shifted: bool) -> Rules {
    let builtin = Builtin::new(None, None).expect("without slots nothing is asked of a model");
    rules_with(Arc::new(ByHand { builtin, shifted }), Arc::new(ConstantEmbedder::new(8)))
}

fn said(space: &str, at: &str, text: &str) -> SubmittedTurn {
    SubmittedTurn {
        tenant: None,
        space: space.into(),
        session: Some("chat".into()),
        turn: None,
        occurred_at: at.into(),
        zone: None,
        messages: vec![SubmittedMessage { role: Role::Customer, text: text.into(), id: None }],
        recalled: Vec::new(),
        attachments: Vec::new(),
    }
}

/// A day of 2026.
fn on(day: u32) -> String {
    format!("2026-{:02}-{:02}T09:00:00+01:00", 1 + day / 28, 1 + day % 28)
}

fn door(stand: &Stand) -> Forgetting {
    Forgetting::new(stand.ports.clone(), by_hand(false), GENERATION, stand.intake())
}

/// Says things to one space, a day apart from `day` on, and waits until all is through.
fn say(stand: &Stand, space: &str, day: u32, texts: &[&str]) -> Vec<TurnId> {
    let turns = (day..).zip(texts).map(|(day, text)| said(space, &on(day), text)).collect();
    let receipts = stand.publish(turns);
    stand.settle(by_hand(false));
    receipts.into_iter().map(|receipt| receipt.turn).collect()
}

fn texts(stand: &Stand, space: &str) -> Vec<String> {
    stand.folded(space).memories.into_iter().map(|memory| memory.text).collect()
}

/// Takes what the only pending request of a space took.
fn read(stand: &Stand, space: &str) -> ReadBack {
    let (door, scope) = (door(stand), stand.scope(space));
    let pending = door.pending(&scope).expect("it reads");
    assert_eq!(pending.len(), 1, "{pending:?}");
    let read = door.read(&scope, pending[0].turn).expect("it reads").expect("nobody has read it");
    assert_eq!(read.gone.len(), pending[0].gone);
    assert!(door.read(&scope, pending[0].turn).expect("it reads").is_none(), "once");
    stand.settle(by_hand(false));
    read
}

fn gone(read: &ReadBack) -> Vec<(Part, &str)> {
    read.gone.iter().map(|gone| (gone.part, gone.text.as_str())).collect()
}

/// Everything that can still be opened of a space, by every key that is left.
fn opened(stand: &Stand, space: &str) -> Vec<String> {
    let scope = stand.scope(space);
    let mut all = stand.export(space);
    all.extend(stand.observations(space).iter().map(|observation| format!("{:?}", observation.body)));
    for row in stand.ports.store.turns(&scope).expect("turns read") {
        let place = |field| Place { scope: &scope, id: *row.turn.as_bytes(), generation: Generation::ALL, field };
        if let Some(key) = stand.ports.keys.key(&scope, row.sealed.key).expect("keys read") {
            let turn: Turn = seal::open(&key, place(Field::Turn), &row.sealed).expect("it opens");
            all.push(format!("{turn:?}"));
        }
        if let Some(sealed) = &row.drops
            && let Some(key) = stand.ports.keys.key(&scope, sealed.key).expect("keys read")
        {
            let drops: Vec<Drop> = seal::open(&key, place(Field::Drops), sealed).expect("it opens");
            all.push(format!("{drops:?}"));
        }
    }
    let door = door(stand);
    all.extend(door.pending(&scope).expect("it reads").iter().map(|pending| format!("{pending:?}")));
    all
}

/// Everything that recall answers of a space: by vector, words and topic, raw messages, lists and drops.
fn recalled(stand: &Stand, space: &str, questions: &[&str]) -> (Vec<String>, Vec<TurnId>) {
    let (ports, scope, rules) = (&stand.ports, stand.scope(space), by_hand(false));
    let sources = Sources {
        store: ports.store.clone(),
        keys: ports.keys.clone(),
        hits: ports.hits.clone(),
        reviews: ports.reviews.clone(),
        changes: ports.changes.clone(),
        embedder: rules.embedder.clone(),
        names: ports.names.clone(),
        clock: ports.clock.clone(),
        entropy: ports.entropy.clone(),
    };
    let provenance = Provenance { extractor: rules.extractor.id().into(), embedder: rules.embedder.id().into() };
    let recall = Recall::start(sources, Settings::new(GENERATION, provenance, rules.fold)).expect("it starts");
    let mut pending = Vec::new();
    let mut all = vec![
        format!("{:?}", recall.memories(&scope, true).expect("it lists")),
        format!("{:?}", recall.drops(&scope).expect("it lists")),
    ];
    for question in questions {
        let history = true;
        let question = Question { query: (*question).into(), limit: Some(50), history, ..Question::default() };
        let answer = recall.answer(&scope, &question).expect("it answers");
        pending = answer.read_backs.clone();
        all.push(format!("{:?}", answer.memories));
    }
    (all, pending)
}

fn shows(all: &[String], word: &str) -> bool {
    all.iter().any(|text| text.to_lowercase().contains(word))
}

/// Opens a site on 2027-01-01.
fn open(site: &dyn Site) -> Stand {
    let stand = site.open().expect("it opens");
    stand.clock.set(1_798_761_600_000);
    stand
}

/// The stories, on either backend.
macro_rules! on_both {
    ($($story:ident)+) => {
        mod embedded {
            $(#[test]
            fn $story() {
                super::$story(&super::Folder::make());
            })+
        }
        mod distributed {
            $(#[test]
            fn $story() {
                super::$story(&super::Distributed::new());
            })+
        }
    };
}

on_both! {
    an_account_with_nothing_of_the_kind_loses_nothing_and_is_told
    what_was_asked_takes_what_arrives_late
    a_request_takes_what_it_means_and_its_own_words_and_no_other_space_changes
    no_more_than_three_things_go_and_the_rest_is_counted
    delete_everything_takes_nothing_and_says_that_erase_is_the_operation
    of_a_sentence_with_two_facts_the_other_stays_without_the_words_that_are_gone
    history_goes_with_what_stands_and_a_denial_restores_it
    a_denial_of_what_nobody_remembers_is_an_ordinary_turn
    what_nobody_reads_goes_with_its_session
    a_request_means_what_was_said_until_then_whenever_it_arrives
    what_is_said_of_somebody_else_is_not_the_customers
    a_replay_with_another_extractor_brings_nothing_back
    the_door_takes_words_and_tries_them_first
    raw_words_that_nothing_was_made_of_go_too
    raw_words_that_a_memory_rests_on_stay_with_it
    no_more_sentences_go_than_one_request_may_take
}

fn an_account_with_nothing_of_the_kind_loses_nothing_and_is_told(site: &dyn Site) {
    let stand = open(site);
    say(&stand, "ann", 0, &["I live in Oslo. I have a dog.", "I work in Bergen."]);
    let before = stand.export("ann");
    say(&stand, "ann", 9, &["Forget what you know about my car."]);
    assert_eq!(stand.export("ann"), before);
    assert_eq!(read(&stand, "ann"), ReadBack::default());
    assert!(!shows(&opened(&stand, "ann"), "car"), "the request's own words go");
}

fn a_request_takes_what_it_means_and_its_own_words_and_no_other_space_changes(site: &dyn Site) {
    let stand = open(site);
    let words = ["I have diabetes. I live in Oslo.", "I have diabetes, as I said. I work in Bergen."];
    say(&stand, "ann", 0, &words);
    say(&stand, "bob", 0, &words);
    let bob = (stand.export("bob"), opened(&stand, "bob"));
    say(&stand, "ann", 5, &["Forget that I have diabetes. I have a dog."]);
    let left = texts(&stand, "ann");
    assert!(left.iter().any(|text| text.contains("dog")), "what else the turn says is kept: {left:?}");
    assert!(left.iter().any(|text| text.contains("Oslo")) && left.iter().any(|text| text.contains("Bergen")));
    assert!(!shows(&opened(&stand, "ann"), "diabetes"), "{:?}", opened(&stand, "ann"));
    assert_eq!((stand.export("bob"), opened(&stand, "bob")), bob);
    let asked = ["Do I have diabetes?", "diabetes", "Where do I live?", "What did I say?"];
    assert!(shows(&recalled(&stand, "bob", &asked).0, "diabetes"), "the questions find it where it stands");
    let (answers, pending) = recalled(&stand, "ann", &asked);
    assert!(!shows(&answers, "diabetes") && shows(&answers, "oslo"), "{answers:?}");
    assert_eq!(pending.len(), 1, "a recall says that something waits to be read");

    let read = read(&stand, "ann");
    assert!(gone(&read).iter().all(|(_, text)| text.contains("diabetes")) && !read.gone.is_empty(), "{read:?}");
    assert_eq!((read.left, read.everything), (0, false));

    // After a restart, and with a late restatement; a later statement counts anew.
    drop(stand);
    let stand = open(site);
    say(&stand, "ann", 3, &["I have diabetes."]);
    assert!(!shows(&opened(&stand, "ann"), "diabetes"));
    say(&stand, "ann", 30, &["I have diabetes."]);
    assert!(shows(&stand.export("ann"), "diabetes"));
}

fn no_more_than_three_things_go_and_the_rest_is_counted(site: &dyn Site) {
    let stand = open(site);
    let owned = ["red", "blue", "green", "grey", "black"].map(|colour| format!("I have a {colour} bicycle."));
    say(&stand, "ann", 0, &owned.each_ref().map(String::as_str));
    let before = texts(&stand, "ann").len();
    say(&stand, "ann", 9, &["Forget my bicycle."]);
    let read = read(&stand, "ann");
    assert_eq!((read.gone.len(), read.left as usize), (FORGET_MOST, before - FORGET_MOST));
    assert_eq!(texts(&stand, "ann").len(), before - FORGET_MOST);
}

fn delete_everything_takes_nothing_and_says_that_erase_is_the_operation(site: &dyn Site) {
    let stand = open(site);
    say(&stand, "ann", 0, &["I live in Oslo.", "I have a dog."]);
    let before = stand.export("ann");
    say(&stand, "ann", 9, &["Forget everything about me."]);
    assert_eq!(stand.export("ann"), before);
    assert_eq!(read(&stand, "ann"), ReadBack { everything: true, ..ReadBack::default() });
}

fn of_a_sentence_with_two_facts_the_other_stays_without_the_words_that_are_gone(site: &dyn Site) {
    let stand = open(site);
    say(&stand, "ann", 0, &["I live in Oslo and I have two dogs."]);
    assert_eq!(texts(&stand, "ann").len(), 2, "{:?}", stand.export("ann"));
    say(&stand, "ann", 5, &["Forget that I live in Oslo."]);
    let left = stand.folded("ann").memories;
    assert!(left.len() == 1 && left[0].text.contains("dogs"), "{left:?}");
    assert!(left[0].evidence.iter().all(|mention| !mention.quote.contains("Oslo")));
    assert!(!shows(&opened(&stand, "ann"), "oslo"), "{:?}", opened(&stand, "ann"));
}

fn history_goes_with_what_stands_and_a_denial_restores_it(site: &dyn Site) {
    let stand = open(site);
    say(&stand, "ann", 0, &["I live in Tromsø."]);
    say(&stand, "ann", 100, &["I live in Oslo now."]);
    let folded = stand.folded("ann");
    let current = folded.memories.iter().find(|memory| memory.status == Status::Active).expect("one stands");
    // A denial of what was recalled: it was never true, so what it replaced is.
    let denial = SubmittedTurn {
        recalled: vec![current.id.to_string()],
        ..said("ann", &on(120), "It was never true that I live in Oslo.")
    };
    stand.publish(vec![denial]);
    stand.settle(by_hand(false));
    let left = stand.folded("ann").memories;
    assert!(left.len() == 1 && left[0].text.contains("Tromsø") && left[0].status == Status::Active, "{left:?}");
    assert!(!shows(&opened(&stand, "ann"), "oslo"));
    assert_eq!(gone(&read(&stand, "ann")), [(Part::Asked, "I live in Oslo now")]);

    say(&stand, "ann", 130, &["I live in Bergen now.", "Forget that I live in Bergen."]);
    assert!(texts(&stand, "ann").is_empty(), "{:?}", texts(&stand, "ann"));
    let read = read(&stand, "ann");
    let parts: BTreeSet<(Part, bool)> =
        gone(&read).iter().map(|(part, text)| (*part, text.contains("Bergen"))).collect();
    assert_eq!(parts, BTreeSet::from([(Part::Asked, true), (Part::Earlier, false)]));
}

fn a_denial_of_what_nobody_remembers_is_an_ordinary_turn(site: &dyn Site) {
    let stand = open(site);
    say(&stand, "ann", 0, &["I live in Oslo."]);
    say(&stand, "ann", 5, &["It was never true that I keep bees. I have a dog."]);
    assert_eq!(texts(&stand, "ann").len(), 2, "{:?}", texts(&stand, "ann"));
    assert!(door(&stand).pending(&stand.scope("ann")).expect("it reads").is_empty());
    assert!(shows(&opened(&stand, "ann"), "bees"));
}

fn a_request_means_what_was_said_until_then_whenever_it_arrives(site: &dyn Site) {
    let stand = open(site);
    let story = [(1, "I have a dog."), (2, "I live in Oslo."), (5, "Forget that I have a dog."), (9, "I have a dog.")];
    let orders: [(&str, [usize; 4]); 4] =
        [("ann", [0, 1, 2, 3]), ("bob", [0, 1, 3, 2]), ("cat", [3, 2, 0, 1]), ("dan", [2, 3, 1, 0])];
    let kept = orders.map(|(space, order)| {
        for (day, text) in order.map(|index| story[index]) {
            say(&stand, space, day, &[text]);
        }
        let mentions =
            |memory: &Memory| memory.evidence.iter().map(|mention| mention.quote.clone()).collect::<Vec<_>>();
        let memories = stand.folded(space).memories;
        memories.iter().map(|memory| (memory.first.ms(), memory.last.ms(), mentions(memory))).collect::<Vec<_>>()
    });
    assert_eq!(kept[0].len(), 2, "{kept:?}");
    assert!(kept.iter().all(|other| *other == kept[0]), "{kept:?}");
}

fn what_is_said_of_somebody_else_is_not_the_customers(site: &dyn Site) {
    let stand = open(site);
    for (space, own, forget, goes) in [
        ("ann", "I live in Oslo.", "Forget that my wife lives in Oslo.", false),
        ("bob", "My wife lives in Oslo.", "Forget that I live in Oslo.", false),
        ("cat", "I don't eat meat.", "Forget that I eat meat.", false),
        ("dan", "I moved to Rome.", "Forget that I live in Rome.", true),
    ] {
        say(&stand, space, 0, &[own, forget]);
        assert_eq!(stand.export(space).is_empty(), goes, "{own} {forget}");
        read(&stand, space);
    }
    say(&stand, "eve", 0, &["I live in Oslo."]);
    let request = |text: &str| door(&stand).would(&stand.token(), said("eve", &on(9), text)).expect("it is tried");
    for text in ["that my wife lives in Oslo", "he lives in Oslo", "my wife's home in Oslo"] {
        assert!(request(text).gone.is_empty(), "{text}");
    }
    assert_eq!(gone(&request("that I live in Oslo")), [(Part::Asked, "I live in Oslo")]);
}

fn what_nobody_reads_goes_with_its_session(site: &dyn Site) {
    let stand = open(site);
    let scope = stand.scope("ann");
    say(&stand, "ann", 0, &["I have a dog.", "Forget my dog."]);
    let door = door(&stand);
    let pending = door.pending(&scope).expect("it reads");
    assert_eq!(pending.len(), 1);
    stand.intake().end_session(&scope, "another").expect("it is taken");
    stand.settle(by_hand(false));
    assert_eq!(door.pending(&scope).expect("it reads"), pending);
    stand.intake().end_session(&scope, "chat").expect("it is taken");
    stand.settle(by_hand(false));
    assert!(door.pending(&scope).expect("it reads").is_empty());
    assert!(door.read(&scope, pending[0].turn).expect("it reads").is_none());
}

#[test]
fn many_who_ask_at_once_get_it_once() {
    let folder = Folder::make();
    let stand = folder.open().expect("it opens");
    let turn = say(&stand, "ann", 0, &["I have a dog.", "Forget my dog."])[1];
    let (door, scope) = (door(&stand), stand.scope("ann"));
    let got = std::thread::scope(|threads| {
        let ask = || door.read(&scope, turn).expect("it reads").is_some();
        let asked: Vec<_> = (0..16).map(|_| threads.spawn(ask)).collect();
        asked.into_iter().map(|thread| thread.join().expect("it ends")).filter(|got| *got).count()
    });
    assert_eq!(got, 1);
}

fn a_replay_with_another_extractor_brings_nothing_back(site: &dyn Site) {
    let stand = open(site);
    let turns = say(
        &stand,
        "ann",
        0,
        &["I take insulin and I live in Oslo.", "I have a dog.", "I take insulin.", "Forget that I take insulin."],
    );
    assert!(!shows(&opened(&stand, "ann"), "insulin"), "{:?}", opened(&stand, "ann"));
    let scope = stand.scope("ann");
    let drive = |turn: &&TurnId| stand.intake().redrive(&scope, **turn).expect("it is taken").is_some();
    assert!(turns.iter().filter(drive).count() >= 2, "all that have words left");
    stand.settle(by_hand(true));
    let all = opened(&stand, "ann");
    assert!(!shows(&all, "insulin"), "{all:?}");
    assert!(shows(&all, "oslo") && shows(&all, "home city anew"), "the extractor did read otherwise: {all:?}");
    assert_eq!(door(&stand).pending(&scope).expect("it reads").len(), 1, "the request is not asked again");
}

fn the_door_takes_words_and_tries_them_first(site: &dyn Site) {
    let stand = open(site);
    say(&stand, "ann", 0, &["I have a dog.", "I live in Oslo."]);
    let (door, scope, before) = (door(&stand), stand.scope("ann"), stand.export("ann"));
    let request = || SubmittedTurn { session: Some("forget".into()), ..said("ann", &on(9), "my dog") };
    let would = door.would(&stand.token(), request()).expect("it is tried");
    assert!(matches!(gone(&would)[..], [(Part::Asked, text)] if text.contains("dog")), "{would:?}");
    let ids: Vec<_> = stand.folded("ann").memories.iter().map(|memory| memory.id).collect();
    assert_eq!(door.would_by_id(&scope, &ids).expect("it is tried").gone.len(), 2);
    stand.settle(by_hand(false));
    assert_eq!(stand.export("ann"), before, "nothing was changed");
    let receipt = door.request(&stand.token(), request()).expect("it is taken");
    stand.settle(by_hand(false));
    assert!(!shows(&opened(&stand, "ann"), "dog"));
    assert_eq!(door.read(&scope, receipt.turn).expect("it reads"), Some(would));
    for text in ["", " \n", &"x".repeat(saidso_core::limits::FORGET_BYTES + 1)] {
        assert!(door.request(&stand.token(), said("ann", &on(9), text)).is_err());
    }
}

/// Everything in a folder, file by file.
fn files(folder: &Path, found: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("the data folder reads").flatten() {
        match entry.path() {
            path if path.is_dir() => files(&path, found),
            path => found.push(fs::read(path).expect("a file of the data folder reads")),
        }
    }
}

#[test]
fn no_byte_of_the_folder_shows_it_and_no_key_that_is_left_opens_what_did() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (scope, copies) = {
        let stand = Stand::embedded(folder.path()).expect("it opens");
        let turns = say(&stand, "ann", 0, &["I take insulin. I live in Oslo.", "Forget that I take insulin."]);
        let scope = stand.scope("ann");
        let rows: Vec<_> = turns.iter().map(|turn| stand.ports.store.turn(&scope, *turn)).collect();
        (scope, rows)
    };
    let stand = Stand::embedded(folder.path()).expect("it opens again");
    for row in copies {
        let row = row.expect("it reads").expect("it is stored");
        let saidso_core::seal::KeyId::Turn { turn, version, .. } = row.sealed.key else { panic!("a turn's key") };
        assert!(version > 0, "the key it was said under was replaced");
        let first = |attempt| saidso_core::seal::KeyId::Turn { turn, version: 0, attempt };
        assert!(stand.ports.keys.key(&scope, first(0)).expect("keys read").is_none());
    }
    read(&stand, "ann");
    assert!(!shows(&opened(&stand, "ann"), "insulin"));
    drop(stand);
    let mut bytes = Vec::new();
    files(folder.path(), &mut bytes);
    assert!(!bytes.iter().any(|file| file.windows(7).any(|window| window.eq_ignore_ascii_case(b"insulin"))));
}
