//! How long the customer's words are kept (requirements A15).

#![allow(clippy::unwrap_used, reason = "a test says what it expects by its assertions")]

use saidso_core::{
    ids::TurnId,
    item::Drop,
    seal::{self, Field, Generation, KeyId, Place},
    turn::{Role, SubmittedMessage, SubmittedTurn, Turn},
};
use saidso_pipeline::{Forgetting, Keep};
use saidso_testcontainers::{
    distributed::Distributed,
    stand::{Folder, GENERATION, Site, Stand, rules},
};

fn said(space: &str, day: u8, text: &str) -> SubmittedTurn {
    SubmittedTurn {
        tenant: None,
        space: space.into(),
        session: Some("chat".into()),
        turn: None,
        occurred_at: format!("2026-12-{day:02}T12:00:00Z"),
        zone: None,
        messages: vec![SubmittedMessage { role: Role::Customer, text: text.into(), id: None }],
        recalled: Vec::new(),
        attachments: Vec::new(),
    }
}

/// On 2027-01-01.
fn open(site: &dyn Site) -> Stand {
    let stand = site.open().unwrap();
    stand.clock.set(1_798_761_600_000);
    stand
}

fn keep(days: u16) -> Keep {
    Keep { days: Some(days), ..Keep::default() }
}

/// Publishes with an intake that keeps words so long, and waits until all is through.
fn say(stand: &Stand, keep: Keep, turns: Vec<SubmittedTurn>) -> Vec<TurnId> {
    let published = stand.intake().keeping(keep).submit(&stand.token(), turns);
    stand.settle(rules());
    published.into_iter().map(|receipt| receipt.unwrap().turn).collect()
}

/// Lets go of what is over, twice: the second time nothing is.
fn let_go(stand: &Stand, keep: Keep) -> usize {
    let intake = stand.intake().keeping(keep);
    let turns = intake.let_go().unwrap();
    stand.settle(rules());
    assert_eq!(intake.let_go().unwrap(), 0);
    turns
}

/// The words that are stored of a turn, and the quotes of what it let go.
fn stored(stand: &Stand, space: &str, turn: TurnId) -> (String, Vec<String>) {
    let scope = stand.scope(space);
    let row = stand.ports.store.turn(&scope, turn).unwrap().unwrap();
    let key = stand.ports.keys.key(&scope, row.sealed.key).unwrap().unwrap();
    let place = |field| Place { scope: &scope, id: *turn.as_bytes(), generation: Generation::ALL, field };
    let words: Turn = seal::open(&key, place(Field::Turn), &row.sealed).unwrap();
    let drops = row.drops.map(|drops| seal::open::<Vec<Drop>>(&key, place(Field::Drops), &drops).unwrap());
    let quotes = drops.unwrap_or_default().into_iter().map(|drop| drop.quote).collect();
    (words.body.messages.iter().map(|message| message.text.trim()).collect(), quotes)
}

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
    words_go_when_their_days_are_over_and_memories_stay
    what_is_not_kept_is_never_stored
    each_tenant_has_its_own_days
    a_forget_after_the_words_went_cuts_as_before
    what_was_let_go_is_not_driven_again
}

const MAYBE: &str = "Maybe we will move to Rome.";
const GUESS: &str = "Maybe we will move to Rome";

fn words_go_when_their_days_are_over_and_memories_stay(site: &dyn Site) {
    let stand = open(site);
    let turns = [said("ann", 1, &format!("I have a dog. {MAYBE}")), said("ann", 20, "I live in Oslo.")];
    let turns = say(&stand, Keep::default(), turns.to_vec());
    let (before, scope) = (stand.export("ann"), stand.scope("ann"));
    assert_eq!(stored(&stand, "ann", turns[0]).1, [GUESS], "a guess is listed as let go");
    let old = stand.ports.store.turn(&scope, turns[0]).unwrap().unwrap().sealed.key;

    assert_eq!(let_go(&stand, Keep::default()), 0, "for good");
    assert_eq!(let_go(&stand, keep(31)), 0, "not over yet");
    assert_eq!(let_go(&stand, keep(30)), 1);
    assert_eq!(stored(&stand, "ann", turns[0]), (String::new(), Vec::new()));
    assert_eq!(stored(&stand, "ann", turns[1]).0, "I live in Oslo.");
    assert_eq!(stand.export("ann"), before);
    assert!(matches!(old, KeyId::Turn { version: 0, .. }));
    assert!(stand.ports.keys.key(&scope, old).unwrap().is_none(), "no copy elsewhere opens");
    // Said again by the gateway, it is the turn that was.
    say(&stand, keep(30), vec![said("ann", 1, &format!("I have a dog. {MAYBE}"))]);
    assert_eq!(stored(&stand, "ann", turns[0]), (String::new(), Vec::new()));
    assert_eq!(stand.export("ann"), before);
}

fn what_is_not_kept_is_never_stored(site: &dyn Site) {
    let stand = open(site);
    let turns = [said("ann", 1, &format!("I have a dog. {MAYBE}")), said("ben", 1, &format!("I have a dog. {MAYBE}"))];
    let kept = say(&stand, Keep::default(), turns[1..].to_vec());
    let not = say(&stand, keep(0), turns[..1].to_vec());
    assert_eq!(stored(&stand, "ann", not[0]), (String::new(), vec![String::new()]), "the reason stays");
    assert_eq!(stored(&stand, "ben", kept[0]).1, [GUESS]);
    assert_eq!(stand.export("ann").len(), stand.export("ben").len());
    // What was there before it was turned off goes too.
    assert_eq!(let_go(&stand, keep(0)), 1);
    assert_eq!(stored(&stand, "ben", kept[0]), (String::new(), Vec::new()));
}

fn each_tenant_has_its_own_days(site: &dyn Site) {
    let stand = open(site);
    let turn = say(&stand, Keep::default(), vec![said("ann", 1, "I have a dog.")])[0];
    let tenant = stand.scope("ann").key().0;
    let (own, other) = (stand.ports.names.tenant("another"), tenant);
    assert_eq!(let_go(&stand, Keep { days: None, by_tenant: [(own, 0)].into() }), 0);
    assert_eq!(let_go(&stand, Keep { days: Some(1), by_tenant: [(other, 90)].into() }), 0);
    assert_eq!(stored(&stand, "ann", turn).0, "I have a dog.");
    assert_eq!(let_go(&stand, Keep { days: None, by_tenant: [(other, 1)].into() }), 1);
}

fn a_forget_after_the_words_went_cuts_as_before(site: &dyn Site) {
    let stand = open(site);
    let text = "I take insulin and I live in Oslo.";
    let turn = |space| vec![said(space, 1, text)];
    say(&stand, Keep::default(), turn("kept"));
    say(&stand, Keep::default(), turn("gone"));
    say(&stand, keep(0), turn("never"));
    let intake = stand.intake().keeping(keep(30));
    let door = Forgetting::new(stand.ports.clone(), rules(), GENERATION, intake.clone());
    intake.let_go().unwrap();
    stand.settle(rules());
    for space in ["kept", "gone", "never"] {
        door.request(&stand.token(), said(space, 2, "that I take insulin")).unwrap();
    }
    stand.settle(rules());
    let left = |space| stand.folded(space).memories.into_iter().map(|memory| memory.text).collect::<Vec<_>>();
    assert_eq!(left("kept"), ["I live in Oslo"]);
    assert_eq!(left("gone"), left("kept"));
    assert_eq!(left("never"), left("kept"));
}

fn what_was_let_go_is_not_driven_again(site: &dyn Site) {
    let stand = open(site);
    let scope = stand.scope("ann");
    let turn = say(&stand, Keep::default(), vec![said("ann", 1, "I have a dog.")])[0];
    assert!(stand.intake().redrive(&scope, turn).unwrap().is_some());
    stand.settle(rules());
    let_go(&stand, keep(1));
    assert_eq!(stand.intake().redrive(&scope, turn).unwrap(), None);
}
