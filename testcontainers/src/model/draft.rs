//! What a customer says next.

use jiff::Timestamp;
use saidso_core::{
    ids::ObservationId,
    turn::{Role, SubmittedMessage, SubmittedTurn},
};

use super::{
    phrases::{DOUBLE, PLAIN, POISON, Phrase},
    promise::{Key, Message, Said, Space},
};
use crate::conversations::Dice;

const MINUTE_MS: i64 = 60_000;
/// How far back a turn may be dated that arrives late.
const LATE_MINUTES: usize = 20 * 24 * 60;
/// How far ahead of the clock a turn may be dated; a day is allowed.
const AHEAD_MINUTES: usize = 23 * 60;
/// Sessions of a space.
pub const SESSIONS: usize = 2;

/// A turn as it is sent, and what it says.
pub struct Draft {
    /// As it is sent.
    pub submitted: SubmittedTurn,
    /// What it says.
    pub said: Said,
}

/// Who speaks, and when.
pub struct Speaker<'a> {
    /// The space's name.
    pub name: &'a str,
    /// What was said so far.
    pub space: &'a Space,
    /// What of it is known by an id.
    pub known: Vec<(Key, ObservationId)>,
    /// Where more can be said than what one can forget at any time; see [`super::walk`].
    pub tangled: bool,
    /// The time, in milliseconds since 1970.
    pub now_ms: i64,
}

impl Speaker<'_> {
    /// A turn at a time that is free; it says `first` among other things.
    pub fn speak(&self, dice: &mut Dice, first: Option<&'static Phrase>, free: impl Fn(i64) -> bool) -> Draft {
        let mut at_ms = self.when(dice);
        while !free(at_ms) {
            at_ms = self.when(dice);
        }
        let session = format!("visit {}", dice.roll(SESSIONS));
        let (mut messages, mut sent) = (Vec::new(), Vec::new());
        if dice.roll(4) == 0 {
            sent.push((Role::Agent, "Sounds like you run a bakery?".to_owned(), None));
        }
        if self.tangled
            && dice.roll(5) == 0
            && let Some((message, text, name)) = self.again(dice, &session)
        {
            messages.push(message);
            sent.push((Role::Customer, text, Some(name)));
        }
        for number in 0..1 + dice.roll(2) {
            let others = 1 + dice.roll(3);
            let first = first.filter(|_| number == 0);
            let phrases: Vec<_> = first.into_iter().chain((0..others).map(|_| self.phrase(dice))).collect();
            // A name is unique within a session.
            let name = (self.tangled && dice.roll(2) == 0).then(|| format!("m{at_ms}-{number}"));
            sent.push((Role::Customer, text(&phrases), name));
            messages.push(Message { again: None, phrases });
        }
        let poisoned = dice.roll(30) == 0;
        if poisoned {
            sent.push((Role::Customer, POISON.text(), None));
            messages.push(Message { again: None, phrases: vec![&POISON] });
        }
        if dice.roll(2) == 0 {
            sent.push((Role::Agent, "I have noted that you like opera.".to_owned(), None));
        }
        let recalled = self.recalled(dice);
        let message = |(role, text, id)| SubmittedMessage { role, text, id };
        Draft {
            submitted: SubmittedTurn {
                tenant: None,
                space: self.name.to_owned(),
                session: Some(session.clone()),
                turn: (dice.roll(2) == 0).then(|| format!("turn {}", self.space.told.len())),
                occurred_at: Timestamp::from_millisecond(at_ms).expect("the time is in range").to_string(),
                zone: None,
                messages: sent.into_iter().map(message).collect(),
                recalled: recalled.iter().map(|(_, id)| id.to_string()).collect(),
                attachments: Vec::new(),
            },
            said: Said {
                at_ms,
                session,
                messages,
                recalled: recalled.into_iter().map(|(key, _)| key).collect(),
                poisoned,
            },
        }
    }

    fn when(&self, dice: &mut Dice) -> i64 {
        let back = match dice.roll(10) {
            0 if self.tangled => return self.now_ms + (1 + dice.roll(AHEAD_MINUTES)) as i64 * MINUTE_MS,
            0..3 => dice.roll(LATE_MINUTES),
            _ => dice.roll(60),
        };
        self.now_ms - back as i64 * MINUTE_MS
    }

    fn phrase(&self, dice: &mut Dice) -> &'static Phrase {
        match self.tangled && dice.roll(6) == 0 {
            true => &DOUBLE[dice.roll(DOUBLE.len())],
            false => &PLAIN[dice.roll(PLAIN.len())],
        }
    }

    /// A message with a name that was sent in this session before.
    fn again(&self, dice: &mut Dice, session: &str) -> Option<(Message, String, String)> {
        let mut named = Vec::new();
        for (turn, told) in self.space.told.iter().enumerate().filter(|(_, told)| told.said.session == session) {
            let sent = told.submitted.messages.iter().filter(|sent| sent.role == Role::Customer);
            for (place, (sent, message)) in sent.zip(&told.said.messages).enumerate() {
                if let Some(name) = &sent.id {
                    let again = Some(message.again.unwrap_or((turn, place)));
                    named.push((Message { again, ..message.clone() }, sent.text.clone(), name.clone()));
                }
            }
        }
        if named.is_empty() { None } else { Some(named.swap_remove(dice.roll(named.len()))) }
    }

    /// Memories that the agent was shown before the turn.
    fn recalled(&self, dice: &mut Dice) -> Vec<(Key, ObservationId)> {
        if !self.tangled || self.known.is_empty() || dice.roll(3) > 0 {
            return Vec::new();
        }
        (0..1 + dice.roll(4)).map(|_| self.known[dice.roll(self.known.len())]).collect()
    }
}

fn text(phrases: &[&Phrase]) -> String {
    phrases.iter().map(|phrase| phrase.text()).collect::<Vec<_>>().join(" ")
}
