//! What is asked of the bundled conversations.

use std::collections::BTreeSet;

use crate::wire::{Message, Role, Turn};

/// Turns, one JSON object a line. Written for this program; nobody in them is real.
pub const CONVERSATIONS: &str = include_str!("conversations.jsonl");

/// A customer of the demo.
pub struct Person {
    /// Their space.
    pub space: &'static str,
    /// Their language.
    pub language: &'static str,
    /// What is asked about them. The last question is about something they never said.
    pub asks: &'static [&'static str],
}

/// The customers.
pub const PEOPLE: [Person; 3] = [
    Person {
        space: "mara",
        language: "English",
        asks: &[
            "Which database do they use?",
            "What is she allergic to?",
            "Where does she live?",
            "Does she play the violin?",
        ],
    },
    Person {
        space: "chen", language: "中文", asks: &["他住在哪里？", "用什么数据库？", "他会弹钢琴吗？"]
    },
    Person {
        space: "irina",
        language: "русский",
        asks: &["Где она живёт?", "Есть ли аллергия?", "Играет ли она в шахматы?"],
    },
];

/// A memory that is recalled, shown to the customer by the agent, and said back.
pub struct Echo {
    /// Whose.
    pub space: &'static str,
    /// What is recalled.
    pub query: &'static str,
    /// What the customer says then.
    pub says: &'static str,
}

/// The echo of the demo.
pub const ECHO: Echo =
    Echo { space: "mara", query: "Which database does she use?", says: "Right, we've moved to PostgreSQL." };

/// What is forgotten.
pub struct Forgotten {
    /// Whose.
    pub space: &'static str,
    /// The word that is in it.
    pub what: &'static str,
    /// What would bring it back.
    pub query: &'static str,
}

/// The forget of the demo.
pub const FORGET: Forgotten = Forgotten { space: "mara", what: "peanuts", query: "Is she allergic to peanuts?" };

/// How many sessions the turns are from.
pub fn sessions(lines: &[&str]) -> usize {
    let turns = lines.iter().filter_map(|line| serde_json::from_str::<Turn>(line).ok());
    turns.map(|turn| (turn.space, turn.session)).collect::<BTreeSet<_>>().len()
}

/// The gateway's name for the turn of [`ECHO`].
pub const ECHO_TURN: &str = "mara-5.1";

/// The turn of [`ECHO`], as a gateway sends it that recalled these memories for it.
pub fn echo(recalled: &[&str]) -> String {
    let turn = Turn {
        tenant: None,
        space: ECHO.space.into(),
        session: Some("mara-5".into()),
        turn: Some(ECHO_TURN.into()),
        occurred_at: "2026-05-06T10:00:00+02:00".into(),
        zone: Some("Europe/Oslo".into()),
        messages: vec![Message { role: Role::Customer, text: ECHO.says.into(), id: None }],
        recalled: recalled.iter().map(ToString::to_string).collect(),
        attachments: Vec::new(),
    };
    // Strings alone always have a JSON form.
    serde_json::to_string(&turn).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_turn_of_one_of_the_people() {
        let lines: Vec<&str> = CONVERSATIONS.lines().collect();
        for line in &lines {
            let turn: Turn = serde_json::from_str(line).unwrap();
            assert!(PEOPLE.iter().any(|person| person.space == turn.space), "{line}");
        }
        assert!(sessions(&lines) >= 8);
    }
}
