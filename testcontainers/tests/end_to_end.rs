//! The whole, from turns to memories, on the embedded backend (requirements A2, A11, C3, D2, E2; field cases 1, 5, 7, 11,
//! 12, 22, 28).

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::Path,
};

use saidso_core::{
    fold::Status,
    ids::{MessageId, TurnId},
    seal::{self, Field, Generation, Place},
    turn::{Refusal, Role, SubmittedMessage, SubmittedTurn, Turn},
};
use saidso_pipeline::Refused;
use saidso_testcontainers::{
    conversations::{self, Dice},
    stand::{Stand, rules},
};

const CUSTOMERS: usize = 6;
const TURNS: usize = 40;

fn stand(folder: &Path) -> Stand {
    Stand::embedded(folder).expect("a new folder opens")
}

/// The logical export of every space.
fn exports(stand: &Stand) -> Vec<Vec<String>> {
    (0..CUSTOMERS).map(|customer| stand.export(&conversations::space(customer))).collect()
}

fn exported(publish: impl FnOnce(&Stand)) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stand = stand(folder.path());
    publish(&stand);
    stand.settle(rules());
    exports(&stand)
}

fn said(space: &str, at: &str, text: &str) -> SubmittedTurn {
    SubmittedTurn {
        tenant: None,
        space: space.into(),
        session: None,
        turn: None,
        occurred_at: at.into(),
        zone: None,
        messages: vec![SubmittedMessage { role: Role::Customer, text: text.into(), id: None }],
        recalled: Vec::new(),
        attachments: Vec::new(),
    }
}

#[test]
fn twice_shuffled_and_in_pieces_end_in_the_same_memories() {
    let seed = 20_261_130;
    println!("seed {seed}");
    let turns = conversations::turns(seed, CUSTOMERS, TURNS);
    let once = exported(|stand| drop(stand.publish(turns.clone())));
    assert!(once.iter().all(|space| space.len() > 3), "the conversations hold memories");

    let twice = exported(|stand| {
        let first = stand.publish(turns.clone());
        let again = stand.publish(turns.clone());
        for (first, again) in first.iter().zip(&again) {
            assert_eq!((first.turn, first.position), (again.turn, again.position));
            assert!(again.known);
        }
    });
    assert!(once == twice, "published twice");

    let mut shuffled = turns.clone();
    Dice::new(seed).shuffle(&mut shuffled);
    assert!(once == exported(|stand| drop(stand.publish(shuffled.clone()))), "shuffled");

    let pieces = exported(|stand| {
        for piece in shuffled.chunks(17) {
            stand.publish(piece.to_vec());
            stand.settle(rules());
        }
    });
    assert!(once == pieces, "in pieces");
}

#[test]
fn the_same_turn_from_many_threads_is_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stand = stand(folder.path());
    let turns = conversations::turns(7, 1, 30);
    let receipts: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| stand.publish(turns.clone()))).collect();
        threads.into_iter().map(|thread| thread.join().expect("publishing does not panic")).collect()
    });
    for other in &receipts[1..] {
        let positions = |receipts: &[saidso_pipeline::Receipt]| -> Vec<_> {
            receipts.iter().map(|receipt| (receipt.turn, receipt.position)).collect()
        };
        assert_eq!(positions(&receipts[0]), positions(other));
    }
    stand.settle(rules());
    let twice = stand.export(&conversations::space(0));
    let alone = exported(|stand| drop(stand.publish(turns.clone())));
    assert!(alone[0] == twice, "from many threads");
}

#[test]
fn the_agents_words_never_become_memories() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stand = stand(folder.path());
    stand.publish(conversations::turns(11, CUSTOMERS, TURNS));
    stand.settle(rules());
    for line in exports(&stand).concat() {
        let line = line.to_lowercase();
        assert!(!line.contains("opera") && !line.contains("bakery"), "{line}");
    }
}

/// A check of its own, apart from `core::ground`: the quote stands at its span, to the byte, in what the customer sent, and
/// the wording has no word that is not in it, in the question it confirms, or the "I" that a clause left out.
#[test]
fn everything_kept_stands_in_the_customers_words() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stand = stand(folder.path());
    let turns = conversations::turns(41, CUSTOMERS, TURNS);
    let receipts = stand.publish(turns.clone());
    stand.settle(rules());
    let mut sent: HashMap<MessageId, &str> = HashMap::new();
    for (turn, receipt) in turns.iter().zip(&receipts) {
        let customer = turn.messages.iter().filter(|message| message.role == Role::Customer);
        sent.extend(receipt.messages.iter().copied().zip(customer.map(|message| message.text.as_str())));
    }
    let mut checked = 0;
    for observation in (0..CUSTOMERS).flat_map(|customer| stand.observations(&conversations::space(customer))) {
        let item = &observation.body.item;
        let (start, end) = (item.evidence.span.start as usize, item.evidence.span.end as usize);
        assert_eq!(sent[&observation.body.message].get(start..end), Some(item.evidence.quote.as_str()));
        let question = item.question.as_ref().map_or("", |question| question.quote.as_str());
        let said = format!("{} {question}", item.evidence.quote).to_lowercase();
        let wording = item.text.to_lowercase();
        for word in wording.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && *word != "i") {
            assert!(said.contains(word), "{word:?} of {:?} is not in {said:?}", item.text);
        }
        checked += 1;
    }
    assert!(checked > 100, "{checked} items were checked");
}

/// Every run of six bytes or more that is a customer's word, and every four words in a row.
fn needles(turns: &[SubmittedTurn]) -> BTreeSet<Vec<u8>> {
    let mut needles = BTreeSet::new();
    for turn in turns {
        for message in turn.messages.iter().filter(|message| message.role == Role::Customer) {
            let words: Vec<&str> = message.text.split(|c: char| !c.is_alphanumeric()).collect();
            needles.extend(words.iter().filter(|word| word.len() >= 6).map(|word| word.as_bytes().to_vec()));
            let windows: Vec<&str> = message.text.split_whitespace().collect();
            needles.extend(windows.windows(4).map(|window| window.join(" ").into_bytes()));
        }
    }
    needles
}

fn files(folder: &Path, found: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("the data folder reads").flatten() {
        match entry.path() {
            path if path.is_dir() => files(&path, found),
            path => found.push(fs::read(path).expect("a file of the data folder reads")),
        }
    }
}

#[test]
fn nothing_a_customer_said_can_be_read_in_the_data_folder() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let turns = conversations::turns(23, CUSTOMERS, TURNS);
    {
        let stand = stand(folder.path());
        stand.publish(turns.clone());
        stand.settle(rules());
        assert!(exports(&stand).concat().len() > CUSTOMERS);
    }
    let mut bytes = Vec::new();
    files(folder.path(), &mut bytes);
    assert!(bytes.iter().map(Vec::len).sum::<usize>() > 100_000, "the folder holds the data");
    let needles = needles(&turns);
    assert!(needles.len() > 50, "the conversations have words to look for");
    for needle in &needles {
        let found = bytes.iter().any(|file| file.windows(needle.len()).any(|window| window == needle.as_slice()));
        assert!(!found, "found {:?}", String::from_utf8_lossy(needle));
    }
    // The search itself finds what is there.
    let planted = needles.iter().next().expect("there is one");
    assert!([b"..".as_slice(), planted].concat().windows(planted.len()).any(|window| window == planted.as_slice()));
}

/// A turn as it is stored.
fn words(stand: &Stand, space: &str, turn: TurnId) -> Turn {
    let scope = stand.scope(space);
    let row = stand.ports.store.turn(&scope, turn).expect("the turn reads").expect("it is stored");
    let key = stand.ports.keys.key(&scope, row.sealed.key).expect("keys read").expect("the turn's key is there");
    let place = Place { scope: &scope, id: *turn.as_bytes(), generation: Generation::ALL, field: Field::Turn };
    seal::open(&key, place, &row.sealed).expect("it opens")
}

#[test]
fn what_is_forgotten_is_gone_everywhere_and_stays_gone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let insulin = said("ann", "2026-03-01T09:00:00+01:00", "I am allergic to penicillin. I live in Oslo.");
    let restated = said("ann", "2026-02-01T09:00:00+01:00", "I am allergic to penicillin.");
    let stand = stand(folder.path());
    stand.publish(vec![insulin.clone(), said("bob", "2026-03-01T09:00:00+01:00", "I am allergic to penicillin.")]);
    stand.settle(rules());
    let bob = stand.export("bob");
    assert_eq!(bob.len(), 1);
    let folded = stand.folded("ann");
    let memory = folded.memories.iter().find(|memory| memory.text.contains("penicillin")).expect("it is remembered");
    assert_eq!(folded.memories.len(), 2);

    let turn = memory.evidence[0].turn;
    let scope = stand.scope("ann");
    let old = stand.ports.store.turn(&scope, turn).expect("the turn reads").expect("it is stored");
    let position = stand.intake().forget(&scope, memory.id).expect("it is taken").expect("the memory is there");
    stand.settle(rules());

    assert!(
        stand.ports.store.applied(&scope, saidso_testcontainers::stand::GENERATION).expect("reads") >= Some(position)
    );
    let left = stand.export("ann");
    assert!(left.len() == 1 && left[0].contains("Oslo") && !left[0].contains("penicillin"), "{left:?}");
    assert_eq!(stand.export("bob"), bob, "another space is untouched");

    // The turn keeps its other words; the key that opened every copy of the forgotten ones is gone.
    let row = stand.ports.store.turn(&scope, turn).expect("the turn reads").expect("it is stored");
    assert!(stand.ports.keys.key(&scope, old.sealed.key).expect("keys read").is_none());
    assert!(stand.ports.keys.key(&scope, row.sealed.key).expect("keys read").is_some());
    let kept = words(&stand, "ann", turn);
    assert!(!kept.body.messages[0].text.contains("penicillin") && kept.body.messages[0].text.contains("Oslo"));
    assert_eq!(kept.body.messages[0].text.len(), insulin.messages[0].text.len());

    // The same turn again, an earlier restatement that arrives late: still gone. A later statement counts anew.
    let receipts = stand.publish(vec![insulin, restated]);
    stand.settle(rules());
    assert_eq!(stand.export("ann"), left);
    for receipt in receipts {
        let words = words(&stand, "ann", receipt.turn);
        assert!(!words.body.messages[0].text.contains("penicillin"), "what is said late is no raw message either");
    }
    stand.clock.set(1_801_440_000_000); // 2027-02-01T00:00Z
    stand.publish(vec![said("ann", "2027-02-01T09:00:00+01:00", "I am allergic to penicillin.")]);
    stand.settle(rules());
    assert_eq!(stand.export("ann").len(), 2);
}

#[test]
fn forgetting_what_is_not_there_does_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stand = stand(folder.path());
    stand.publish(vec![said("ann", "2026-03-01T09:00:00+01:00", "I am allergic to penicillin.")]);
    stand.settle(rules());
    let memory = stand.folded("ann").memories[0].id;
    // Another space's id names nothing here.
    assert_eq!(stand.intake().forget(&stand.scope("bob"), memory).expect("it is taken"), None);
    assert_eq!(stand.export("ann").len(), 1);
}

#[test]
fn forgetting_the_newest_value_restores_the_one_before() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stand = stand(folder.path());
    stand.publish(vec![said("ann", "2026-03-01T09:00:00+01:00", "I live in Oslo.")]);
    stand.settle(rules());
    let before = stand.export("ann");
    stand.publish(vec![said("ann", "2026-06-01T09:00:00+01:00", "I live in Bergen now.")]);
    stand.settle(rules());
    let folded = stand.folded("ann");
    let current: Vec<_> = folded.memories.iter().filter(|memory| memory.status == Status::Active).collect();
    assert!(current.len() == 1 && current[0].text.contains("Bergen"), "{:?}", stand.export("ann"));
    stand.intake().forget(&stand.scope("ann"), current[0].id).expect("it is taken");
    stand.settle(rules());
    assert_eq!(stand.export("ann"), before);
}

#[test]
fn a_message_sent_in_two_turns_counts_once_in_any_order() {
    let named =
        |text: &str, id: &str| SubmittedMessage { role: Role::Customer, text: text.into(), id: Some(id.into()) };
    let turn = |at: &str, messages| SubmittedTurn { session: Some("chat".into()), messages, ..said("ann", at, "") };
    let city = || named("I live in Oslo.", "m1");
    let first = turn("2026-03-01T09:00:00+01:00", vec![city()]);
    let second = turn("2026-03-01T09:05:00+01:00", vec![city(), named("I'm allergic to peanuts.", "m2")]);
    let export = |turns: [&SubmittedTurn; 2]| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let stand = stand(folder.path());
        for turn in turns {
            stand.publish(vec![turn.clone()]);
            stand.settle(rules());
        }
        stand.folded("ann").memories.iter().for_each(|memory| assert_eq!(memory.mentions, 1));
        stand.export("ann")
    };
    let forth = export([&first, &second]);
    assert_eq!(forth.len(), 2);
    assert_eq!(forth, export([&second, &first]));
}

#[test]
fn a_turn_dated_more_than_a_day_ahead_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stand = stand(folder.path());
    // The stand's clock says 2027-01-01T00:00Z.
    let publish = |at: &str| stand.intake().submit(&stand.token(), vec![said("ann", at, "I live in Oslo.")]).remove(0);
    assert!(publish("2027-01-02T00:00:00Z").is_ok());
    assert_eq!(publish("2027-01-02T00:00:01Z"), Err(Refused::Turn(Refusal::Ahead)));
}

#[test]
fn a_task_ends_with_its_session() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stand = stand(folder.path());
    let turn = SubmittedTurn {
        session: Some("visit".into()),
        ..said("ann", "2026-03-01T09:00:00+01:00", "I still need to send you the signed contract.")
    };
    stand.publish(vec![turn]);
    stand.settle(rules());
    let tasks = |stand: &Stand| stand.folded("ann").memories.iter().map(|memory| memory.ended).collect::<Vec<_>>();
    assert_eq!(tasks(&stand), [false], "{:?}", stand.export("ann"));
    stand.intake().end_session(&stand.scope("ann"), "visit").expect("it is taken");
    stand.settle(rules());
    assert_eq!(tasks(&stand), [true]);
}
