//! Raw words of which nothing is remembered.

use saidso_core::{limits::FORGET_SENTENCES, retract::ReadBack, turn::SubmittedTurn};
use saidso_testcontainers::stand::Site;

use super::{by_hand, door, on, open, opened, read, recalled, said, say, shows};

pub fn raw_words_that_nothing_was_made_of_go_too(site: &dyn Site) {
    let stand = open(site);
    for (space, raw, other, request) in [
        ("en", "The divorce drags on and on.", "Lunch was nice.", "everything about my divorce"),
        ("zh", "离婚拖了很久了。", "午饭不错。", "离婚"),
        ("ru", "Развод всё тянется и тянется.", "Обед был вкусный.", "всё о моём разводе"),
    ] {
        let turns = [said(space, &on(1), &format!("{other} {raw}")), said(space, &on(5), raw)];
        stand.publish(turns.to_vec());
        stand.settle(by_hand(false));
        assert!(stand.export(space).is_empty(), "{space}: nothing is made of it");
        let bare = raw.trim_end_matches(['.', '。']).to_lowercase();
        assert!(shows(&recalled(&stand, space, &[raw]).0, &bare), "{space}: it comes up raw");
        let asked = SubmittedTurn { session: Some("forget".into()), ..said(space, &on(4), request) };
        let would = door(&stand).would(&stand.token(), asked.clone()).expect("it is tried");
        door(&stand).request(&stand.token(), asked).expect("it is taken");
        stand.settle(by_hand(false));
        let due = ReadBack { sentences: 1, ..ReadBack::default() };
        assert_eq!((would, read(&stand, space)), (due.clone(), due), "{space}: what was said later stays");
        let words = opened(&stand, space);
        assert_eq!(words.iter().filter(|text| text.to_lowercase().contains(&bare)).count(), 1, "{space}: {words:?}");
        assert!(words.iter().any(|text| text.contains(other)), "{space}: the other sentence stays");
    }
}

pub fn raw_words_that_a_memory_rests_on_stay_with_it(site: &dyn Site) {
    let stand = open(site);
    say(&stand, "ann", 1, &["I live in Oslo. Oslo drags on and on."]);
    let before = stand.export("ann");
    say(&stand, "ann", 2, &["Forget that Oslo drags."]);
    let read = read(&stand, "ann");
    assert_eq!((read.gone.len(), read.sentences), (0, 1));
    assert_eq!(stand.export("ann"), before);
    assert!(!shows(&opened(&stand, "ann"), "drags"));
}

pub fn no_more_sentences_go_than_one_request_may_take(site: &dyn Site) {
    let stand = open(site);
    let many = "The divorce drags on. ".repeat(FORGET_SENTENCES + 2);
    say(&stand, "ann", 1, &[&many, "Forget my divorce."]);
    let first = read(&stand, "ann");
    assert_eq!((first.sentences as usize, first.sentences_left), (FORGET_SENTENCES, 2));
    say(&stand, "ann", 5, &["Forget my divorce."]);
    let second = read(&stand, "ann");
    assert_eq!((second.sentences, second.sentences_left), (2, 0));
    assert!(!shows(&opened(&stand, "ann"), "divorce"));
}
