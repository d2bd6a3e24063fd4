//! What is asked of the bundled conversations.

use std::collections::BTreeSet;

use saidso_core::time::Moment;

use crate::wire::{Message, Role, Turn};

/// Turns, one JSON object a line. Written for this program; nobody in them is real.
const CONVERSATIONS: &str = include_str!("conversations.jsonl");

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

/// The turns of the conversations, a JSON object each, as if they had just been had: memories fade, and these are to be
/// seen as they stand at the end of it all.
pub fn conversations(now_ms: i64) -> Vec<String> {
    let turns = CONVERSATIONS.lines().filter_map(|line| serde_json::from_str::<Turn>(line).ok());
    turns.map(|turn| json(&lately(turn, now_ms))).collect()
}

/// A turn so many whole days later that the last one of all is of the last 24 hours.
fn lately(turn: Turn, now_ms: i64) -> Turn {
    const DAY_MS: i64 = 24 * 60 * 60 * 1000;
    let said = |at: &str| Moment::parse(at, None).map_or(now_ms, |at| at.ms());
    let days = (now_ms - said(ECHO_AT)).div_euclid(DAY_MS);
    let at = Moment::at(said(&turn.occurred_at) + days * DAY_MS, turn.zone.as_deref());
    Turn { occurred_at: at.map_or(turn.occurred_at, |at| at.to_string()), ..turn }
}

/// Strings alone always have a JSON form.
fn json(turn: &Turn) -> String {
    serde_json::to_string(turn).unwrap_or_default()
}

/// How many sessions the turns are from.
pub fn sessions(lines: &[String]) -> usize {
    let turns = lines.iter().filter_map(|line| serde_json::from_str::<Turn>(line).ok());
    turns.map(|turn| (turn.space, turn.session)).collect::<BTreeSet<_>>().len()
}

/// The gateway's name for the turn of [`ECHO`].
pub const ECHO_TURN: &str = "mara-5.1";

/// When it is said, after everything else.
const ECHO_AT: &str = "2026-04-05T16:00:00+02:00";

/// The turn of [`ECHO`], as a gateway sends it that recalled these memories for it.
pub fn echo(recalled: &[&str], now_ms: i64) -> String {
    let turn = Turn {
        tenant: None,
        space: ECHO.space.into(),
        session: Some("mara-5".into()),
        turn: Some(ECHO_TURN.into()),
        occurred_at: ECHO_AT.into(),
        zone: Some("Europe/Oslo".into()),
        messages: vec![Message { role: Role::Customer, text: ECHO.says.into(), id: None }],
        recalled: recalled.iter().map(ToString::to_string).collect(),
        attachments: Vec::new(),
    };
    json(&lately(turn, now_ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_turn_of_one_of_the_people() {
        let now = Moment::parse("2031-05-01T12:00:00Z", None).unwrap();
        let lines = conversations(now.ms());
        assert_eq!(lines.len(), CONVERSATIONS.lines().count());
        for line in &lines {
            let turn: Turn = serde_json::from_str(line).unwrap();
            assert!(PEOPLE.iter().any(|person| person.space == turn.space), "{line}");
            let at = Moment::parse(&turn.occurred_at, turn.zone.as_deref()).unwrap();
            assert!((1..50).contains(&((now.ms() - at.ms()) / (24 * 60 * 60 * 1000) + 1)), "{line}");
        }
        assert!(sessions(&lines) >= 8);
    }
}
