//! What comes out does not hang on the order in which turns arrive, requests and denials among them (requirements A11).

use std::sync::Arc;

use saidso_models::{Builtin, ConstantEmbedder};
use saidso_pipeline::Rules;
use saidso_testcontainers::stand::{Site, Stand, rules_with};

use super::{on, open, said};

fn shipped() -> Rules {
    let builtin = Builtin::new(None, None).expect("without slots nothing is asked of a model");
    rules_with(Arc::new(builtin), Arc::new(ConstantEmbedder::new(8)))
}

/// What is remembered once turns arrived one after the other, by what was said when.
fn outcome(stand: &Stand, space: &str, turns: &[(u32, &str)]) -> Vec<String> {
    for (day, text) in turns {
        stand.publish(vec![said(space, &on(*day), text)]);
        stand.settle(shipped());
    }
    let memories = stand.folded(space).memories;
    let tell = |memory: &saidso_core::fold::Memory| {
        let quotes: Vec<_> =
            memory.evidence.iter().map(|mention| (mention.at.clone(), mention.quote.clone())).collect();
        format!("{:?} {:?} {} {quotes:?}", memory.status, memory.negated, memory.text)
    };
    let mut told: Vec<String> = memories.iter().map(tell).collect();
    told.sort();
    told
}

/// Each story in its order, and with what comes last first: what is left is the same, and this much.
pub fn what_was_asked_takes_what_arrives_late(site: &dyn Site) {
    let stand = open(site);
    let stories: [(&[&str], usize); 6] = [
        (&["I live in Malmö.", "Forget where I live."], 0),
        (&["我住在成都。", "忘掉我住在哪里。"], 0),
        (&["Я живу в Самаре.", "Забудь, где я живу."], 0),
        (&["My cat is called Tiger.", "Forget everything about my cat."], 0),
        (&["We use Oracle.", "I drive a Skoda.", "Forget my Skoda."], 1),
        (&["I live in Malmö.", "I never lived in Malmö."], 0),
    ];
    for (at, (story, left)) in stories.into_iter().enumerate() {
        let turns: Vec<(u32, &str)> = (1..).zip(story.iter().copied()).collect();
        let reversed: Vec<(u32, &str)> = turns.iter().rev().copied().collect();
        let inorder = outcome(&stand, &format!("a{at}"), &turns);
        assert_eq!(inorder.len(), left, "{story:?}: {inorder:?}");
        assert_eq!(outcome(&stand, &format!("b{at}"), &reversed), inorder, "{story:?}");
    }
}
