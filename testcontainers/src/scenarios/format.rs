//! A file of scenarios as it is written.

use std::{fs, path::Path};

use saidso_core::{
    fold::Status,
    item::{DropReason, Kind},
    turn::SubmittedAttachment,
};
use saidso_recall::Warmth;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use toml::{Spanned, value::Datetime};

/// One story and its outcome.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it is called; unique.
    pub name: String,
    /// What it is about, in a sentence.
    pub about: String,
    /// It needs the meanings of words, which only this embedder knows.
    #[serde(default)]
    pub embedder: Option<Needs>,
    /// The tenant names the shipped slots.
    #[serde(default)]
    pub slots: bool,
    /// What happens, in the order of arrival.
    pub steps: Vec<Spanned<Step>>,
    /// Where it stands: the file's name and text.
    #[serde(skip)]
    file: (String, String),
}

/// An embedder that a scenario cannot do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Needs {
    /// The built-in one, with its weights.
    E5,
}

/// One thing that happens, and what holds after it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Step {
    /// When: a date and time with an offset. An earlier one than that of the step before is something that arrives late.
    pub at: Option<Datetime>,
    /// How long after the step before ("96 days", "2 hours"). A minute, if neither is said.
    pub later: Option<String>,
    /// Whose space: the customer's own, unless a name is given.
    pub space: Option<String>,

    /// The customer says this.
    pub customer: Option<Words>,
    /// The agent's question that it answers.
    pub agent: Option<String>,
    /// Texts in pictures and voice messages that come with it.
    pub attachments: Vec<SubmittedAttachment>,
    /// Memories, as they were `called`, that the agent was shown for this turn.
    pub recalled: Vec<String>,
    /// The session that the turn, or the question asked of memory, is part of.
    pub session: Option<String>,
    /// The customer's time zone.
    pub zone: Option<String>,
    /// The turn's name.
    pub turn: Option<String>,
    /// How many copies of the turn arrive at once.
    pub copies: Option<usize>,
    /// How many turns like it come, a minute apart.
    pub turns: Option<usize>,
    /// Why the turn is refused.
    pub refused: Option<String>,
    /// The turn of that name arrives once more.
    pub again: Option<String>,
    /// The memory that was `called` this is deleted.
    pub forget: Option<String>,
    /// What is said to the door for forgetting.
    pub forget_about: Option<String>,
    /// The session ends.
    pub ends: Option<String>,

    /// Everything that is remembered now.
    pub memories: Option<Vec<Expected>>,
    /// Everything that was remembered and holds no longer.
    pub history: Option<Vec<Expected>>,
    /// Everything that was said and not kept, with the reason.
    pub drops: Option<Vec<Dropped>>,
    /// What waits to be read back once; reading it takes it.
    pub read_backs: Option<Vec<ReadBack>>,
    /// The sessions, newest first.
    pub sessions: Option<Vec<Session>>,
    /// Words that stand nowhere at all any more.
    pub nowhere: Vec<String>,
    /// A question to memory.
    pub ask: Option<String>,
    /// It asks for what no longer holds too.
    pub with_history: bool,
    /// It asks what was believed then.
    pub as_of: Option<Datetime>,
    /// Results it has, whatever else it has.
    pub finds: Vec<Expected>,
    /// Words in none of its results.
    pub hides: Vec<String>,
    /// Whether it has no result.
    pub empty: Option<bool>,
    /// Words of the question it offers to put to the customer; an empty list: it offers none.
    pub probe: Option<Vec<String>>,
    /// Keeps the space's export under a name.
    pub keep_export: Option<String>,
    /// The space's export is that one still, to the byte.
    pub same_export: Option<String>,
}

/// One text or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Words {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl Words {
    /// All of them.
    pub fn all(&self) -> &[String] {
        match self {
            Words::One(text) => std::slice::from_ref(text),
            Words::Many(texts) => texts,
        }
    }
}

/// A memory or a result: whatever is said of it has to hold.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Expected {
    /// A name for later steps.
    pub called: Option<String>,
    /// Words of its wording.
    pub text: Option<Words>,
    /// Words that its wording and its quotes lack.
    pub lacks: Option<Words>,
    /// How it stands; active, unless said.
    #[serde(deserialize_with = "status")]
    pub status: Option<Status>,
    /// What sort.
    pub kind: Option<Kind>,
    /// Its slot.
    pub slot: Option<String>,
    /// Whom or what it is said of.
    pub subject: Option<String>,
    /// What is said of it.
    pub about: Option<String>,
    /// The value.
    pub value: Option<String>,
    /// The value is denied.
    pub negated: Option<bool>,
    /// Words of what lets it stand beside other values.
    pub qualifier: Option<String>,
    /// How often it was said.
    pub mentions: Option<u32>,
    /// Words of each quote it rests on, oldest first.
    pub quotes: Option<Vec<String>>,
    /// Words of the agent's question that the customer confirmed.
    pub question: Option<String>,
    /// The times it names, made absolute.
    pub times: Option<Vec<String>>,
    /// How far it is believed, 0 to 1.
    pub confidence: Option<f32>,
    /// The day it was first said.
    pub since: Option<String>,
    /// The day another took its place.
    pub until: Option<String>,
    /// Words of what took its place.
    pub replaced_by: Option<String>,
    /// Words of what it is in conflict with.
    pub contested_by: Option<String>,
    /// The day it was last confirmed.
    pub verified: Option<String>,
    /// The language of its wording.
    pub language: Option<saidso_core::text::Language>,
    /// It is a raw message.
    pub raw: Option<bool>,
    /// How warmly the agent may speak of it.
    #[serde(deserialize_with = "warmth")]
    pub warmth: Option<Warmth>,
    /// The day it was last said.
    pub said_on: Option<String>,
}

/// Something that was not kept.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dropped {
    /// Why.
    pub reason: DropReason,
    /// Words of the quote.
    #[serde(default)]
    pub quote: String,
}

/// What a forgetting shows once.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadBack {
    /// Words of each text that was deleted.
    pub texts: Vec<String>,
    /// How many more the words would have meant.
    pub more: Option<u32>,
    /// It tells of the operation that erases everything.
    pub erase: Option<bool>,
}

/// What is known of a session.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Session {
    /// Its name.
    pub name: Option<String>,
    /// It goes on.
    pub open: Option<bool>,
    /// Words of its summary.
    pub summary: Option<Words>,
    /// Words that are not in it.
    pub lacks: Option<Words>,
    /// Values of its anchors.
    pub anchors: Vec<String>,
    /// Words of the task in hand.
    pub task: Option<String>,
    /// Words of each thing that waits for confirmation.
    pub awaiting: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenarios {
    scenario: Vec<Scenario>,
}

impl Scenario {
    /// The file's name, and the line a step begins on.
    pub fn place(&self, step: &Spanned<Step>) -> String {
        format!("{}:{}", self.file.0, line(&self.file.1, step.span().start))
    }
}

fn status<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Status>, D::Error> {
    use Status::*;
    named(from, &[Active, ToConfirm, PendingConfirm, Superseded, Archived, Invalid])
}

fn warmth<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Warmth>, D::Error> {
    named(from, &[Warmth::Neutral, Warmth::Warm, Warmth::Personal])
}

/// One of these, by the name it has in answers: what answers say is never read, so it has no reader of its own.
fn named<'de, D: Deserializer<'de>, T: Serialize + Copy>(from: D, all: &[T]) -> Result<Option<T>, D::Error> {
    let name = String::deserialize(from)?;
    let found = all.iter().find(|one| serde_json::to_value(one).is_ok_and(|own| own == name.as_str()));
    found.map(|found| Some(*found)).ok_or_else(|| D::Error::custom(format!("there is no {name:?}")))
}

fn line(text: &str, byte: usize) -> usize {
    1 + text.as_bytes()[..byte.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
}

/// Every scenario of a folder, in the order of the files' names; or what is wrong with one.
pub fn read(folder: &Path) -> Result<Vec<Scenario>, String> {
    let failed = |what: &dyn std::fmt::Display| format!("read the scenarios in {}: {what}", folder.display());
    let mut files: Vec<_> = fs::read_dir(folder).map_err(|error| failed(&error))?.flatten().collect();
    files.sort_by_key(|file| file.file_name());
    let mut all: Vec<Scenario> = Vec::new();
    for file in files.iter().map(fs::DirEntry::path).filter(|path| path.extension().is_some_and(|end| end == "toml")) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).map_err(|error| failed(&format!("{name}: {error}")))?;
        let read: Scenarios = toml::from_str(&text).map_err(|error| failed(&format!("{name}: {error}")))?;
        for mut scenario in read.scenario {
            scenario.file = (name.clone(), text.clone());
            if all.iter().any(|other| other.name == scenario.name) {
                return Err(failed(&format!("{name}: two scenarios are named {:?}", scenario.name)));
            }
            for step in &scenario.steps {
                step.get_ref().shape().map_err(|wrong| failed(&format!("{}: {wrong}", scenario.place(step))))?;
            }
            all.push(scenario);
        }
    }
    Ok(all)
}

impl Step {
    /// Whether the customer says something.
    pub fn is_turn(&self) -> bool {
        self.customer.is_some() || !self.attachments.is_empty()
    }

    /// Whether anything is to hold after it.
    pub fn expects(&self) -> bool {
        let Step { memories, history, drops, read_backs, sessions, nowhere, ask, keep_export, same_export, .. } = self;
        memories.is_some()
            || history.is_some()
            || drops.is_some()
            || read_backs.is_some()
            || sessions.is_some()
            || !nowhere.is_empty()
            || ask.is_some()
            || keep_export.is_some()
            || same_export.is_some()
    }

    /// Whether anything happens in it.
    pub fn acts(&self) -> bool {
        self.is_turn()
            || self.again.is_some()
            || self.forget.is_some()
            || self.forget_about.is_some()
            || self.ends.is_some()
    }

    /// A key that would have no effect is a slip of the pen.
    fn shape(&self) -> Result<(), &'static str> {
        let deeds = [
            self.is_turn(),
            self.again.is_some(),
            self.forget.is_some(),
            self.forget_about.is_some(),
            self.ends.is_some(),
        ];
        let of_turn = self.agent.is_some()
            || !self.recalled.is_empty()
            || self.zone.is_some()
            || self.turn.is_some()
            || self.copies.is_some()
            || self.turns.is_some()
            || self.refused.is_some();
        let of_ask = self.with_history
            || self.as_of.is_some()
            || !self.finds.is_empty()
            || !self.hides.is_empty()
            || self.empty.is_some()
            || self.probe.is_some();
        match () {
            () if deeds.iter().filter(|deed| **deed).count() > 1 => {
                Err("one thing happens in a step; make it two steps")
            }
            () if !self.acts() && !self.expects() => Err("nothing happens in the step, and nothing is expected of it"),
            () if of_turn && !self.is_turn() => {
                Err("agent, recalled, zone, turn, copies, turns and refused go with what the customer says")
            }
            () if of_ask && self.ask.is_none() => {
                Err("with_history, as_of, finds, hides, empty and probe go with a question to memory (ask)")
            }
            () if self.ask.is_some() && !of_ask => {
                Err("say what the question finds, hides, offers, or that it is empty")
            }
            () if self.session.is_some() && !self.is_turn() && self.ask.is_none() => {
                Err("a session goes with what the customer says, or with a question to memory")
            }
            () if self.at.is_some() && self.later.is_some() => Err("say either at or later"),
            () => Ok(()),
        }
    }
}
