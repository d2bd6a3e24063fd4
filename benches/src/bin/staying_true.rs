//! Whether memories stay true: what is said again is one memory, other things stay apart, and what changed is history.
//!
//! `staying_true [DATA] [--weights FILE] [--show]`: DATA is the folder of `*.jsonl.gz` (default `../shared/data`). All
//! statements go through the built-in extractor, grounding, the built-in embedder and the fold. Rules were looked at on even
//! rows; the odd rows say what a stranger's data would see. `--show` prints what went wrong, of even rows alone.
//!
//! **Said again.** Statements are XPersona's persona lines (en, zh) and Koziev's premises (ru). Each is told, and a day
//! later told again in one of several *other words* that keep the meaning, put together by rule: long and short forms
//! ("I am" / "I'm"), an opening ("as I said, …"), emphasis ("love" / "really love"), another order of words. A pair of which
//! both sides yield one item in other words, of one kind, counts; *missed* is one that ends as two memories.
//!
//! **Something else.** The same statements with *another meaning*, by rule: a number raised, a negation put in. And, of one
//! persona, every two lines: they are different facts of one person, so a memory that rests on two of them is a *false
//! merge* and one that ended because of another a *false end*.
//!
//! **Changes.** BEAM's chats are told turn by turn, an hour apart. A question on an update or a contradiction names the
//! turns it rests on. It is *heard* if an earlier and a later of them yield memories; then *right* is a memory of an earlier
//! turn that ended or is in conflict because of a later one. Whatever else ended or is in conflict is listed apart.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

use flate2::read::GzDecoder;
use saidso_core::{
    access::{Request, Tokens, admit},
    fold::{Memory, Rules, Status, fold},
    ground,
    ids::{Ids, Names},
    observation::Observation,
    ports::{Embedder, Extractor, Purpose},
    position::Position,
    seal::Key,
    stages::CandidateTurn,
    time::Moment,
    turn::{Message, TurnBody, TurnMeta},
};
use saidso_models::{Builtin, e5::E5, weights};
use serde_json::Value;

type Outcome<T> = Result<T, Box<dyn Error>>;

const HOUR_MS: i64 = 60 * 60 * 1000;
/// 2026-01-01T00:00Z.
const BEGIN_MS: i64 = 1_767_225_600_000;
/// Personas, and premises, that are taken of a set, spread over all of it: each line is embedded four times.
const PERSONAS: usize = 400;
const PREMISES: usize = 1_200;

fn main() -> Outcome<()> {
    let (mut data, mut named, mut show) = (PathBuf::from("../shared/data"), None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--weights" => named = arguments.next().map(PathBuf::from),
            "--show" => show = true,
            folder => data = PathBuf::from(folder),
        }
    }
    let cache = PathBuf::from("target/weights");
    let weights =
        weights::locate(named.as_deref(), &cache).ok_or_else(|| format!("no weights: {}", weights::command(&cache)))?;
    let stages = Stages { extractor: Builtin::new(None, None)?, embedder: E5::load(&weights)?, ids: ids()?, show };
    println!("| set | pairs | odd rows (n) | even rows (n) |");
    println!("|---|---|---|---|");
    let personas = |name: &str| -> Outcome<Vec<Vec<String>>> {
        let rows = rows(&data.join(format!("{name}.jsonl.gz")))?;
        Ok(spread(rows.iter().map(|row| texts(&row["persona"])).collect(), PERSONAS))
    };
    stages.told(&personas("xpersona_en")?, "XPersona en", &ENGLISH)?;
    stages.told(&personas("xpersona_zh")?, "XPersona zh", &CHINESE)?;
    let koziev = rows(&data.join("koziev_premise_qa_ru.jsonl.gz"))?;
    let premises: BTreeSet<&str> = koziev.iter().filter_map(|row| row["t"].as_str()).collect();
    let premises = premises.into_iter().map(|line| vec![line.to_owned()]).collect();
    stages.told(&spread(premises, PREMISES), "Koziev ru", &RUSSIAN)?;
    stages.chats(&rows(&data.join("beam_100k_en.jsonl.gz"))?)
}

fn rows(path: &Path) -> Outcome<Vec<Value>> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    BufReader::new(GzDecoder::new(file)).lines().map(|line| Ok(serde_json::from_str(&line?)?)).collect()
}

/// About so many of them, evenly; an odd step keeps odd rows odd.
fn spread<T>(all: Vec<T>, wanted: usize) -> Vec<T> {
    let step = (all.len() / wanted) | 1;
    all.into_iter().step_by(step).collect()
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

fn ids() -> Outcome<Ids> {
    let names = Names::new(Key::new([1; 32]));
    let mut tokens = Tokens::default();
    tokens.add("secret", "bench");
    let token = tokens.verify("secret").map_err(|error| error.to_string())?;
    let scope = admit(&names, &token, Request { tenant: None, space: "one" }).map_err(|error| error.to_string())?;
    Ok(names.ids(&scope))
}

/// How a language says the same in other words, and something else in nearly the same ones: what to replace with what, of
/// which the first that is there is. An empty one stands for the start.
struct Wording {
    same: &'static [(&'static str, &'static str)],
    negated: &'static [(&'static str, &'static str)],
}

const ENGLISH: Wording = Wording {
    same: &[
        ("i am ", "i'm "),
        ("i'm ", "i am "),
        ("i love ", "i really love "),
        ("i like ", "i really like "),
        ("i have ", "i've got "),
        ("my favorite ", "my favourite "),
        ("", "as i said, "),
    ],
    negated: &[
        ("i am ", "i am not "),
        ("i have ", "i do not have "),
        ("i like ", "i do not like "),
        ("i love ", "i do not love "),
        ("i work ", "i do not work "),
        ("i live ", "i do not live "),
        (" is ", " is not "),
    ],
};

const CHINESE: Wording = Wording {
    same: &[("我喜欢", "我很喜欢"), ("我有", "我家有"), ("我是一名", "我是个"), ("我的", "其实我的"), ("", "我说过，")],
    negated: &[("我喜欢", "我不喜欢"), ("我有", "我没有"), ("我是", "我不是"), ("我住", "我不住"), ("我在", "我不在")],
};

const RUSSIAN: Wording = Wording {
    same: &[("Я ", "я, как уже говорил, "), ("У меня ", "ну, у меня "), ("", "вообще-то ")],
    negated: &[
        ("Я люблю ", "Я не люблю "),
        ("Я живу ", "Я не живу "),
        ("Я работаю ", "Я не работаю "),
        ("Я ", "Я не "),
    ],
};

fn reworded(line: &str, wordings: &[(&str, &str)]) -> Option<String> {
    let (from, to) = wordings.iter().find(|(from, _)| line.contains(from))?;
    Some(line.replacen(from, to, 1))
}

/// The first number of digits one higher.
fn recounted(line: &str) -> Option<String> {
    let start = line.find(|c: char| c.is_ascii_digit())?;
    let end = line[start..].find(|c: char| !c.is_ascii_digit()).map_or(line.len(), |length| start + length);
    let number: u64 = line[start..end].parse().ok()?;
    Some(format!("{}{}{}", &line[..start], number + 1, &line[end..]))
}

/// Pairs and hits of each measure, by parity of the row.
#[derive(Default)]
struct Tally(BTreeMap<&'static str, [(usize, usize); 2]>);

impl Tally {
    fn add(&mut self, measure: &'static str, row: usize, hits: usize, of: usize) {
        let half = &mut self.0.entry(measure).or_default()[row % 2];
        half.0 += of;
        half.1 += hits;
    }

    fn print(&self, set: &str) {
        let share = |(n, hits): (usize, usize)| format!("{:.2} % ({n})", hits as f64 * 100.0 / n.max(1) as f64);
        for (measure, halves) in &self.0 {
            println!("| {set} | {measure} | {} | {} |", share(halves[1]), share(halves[0]));
        }
    }
}

/// What makes memories of what is said.
struct Stages {
    extractor: Builtin,
    embedder: E5,
    ids: Ids,
    show: bool,
}

impl Stages {
    /// Observations of a text said so many hours after the beginning.
    fn say(&self, text: &str, hour: i64) -> Outcome<Vec<Observation>> {
        let at = jiff::Timestamp::from_millisecond(BEGIN_MS + hour * HOUR_MS)?.to_string();
        let at = Moment::parse(&at, None)?;
        let session = self.ids.session(&at.local_day());
        let message = self.ids.message(session, at.ms(), "customer", 0, text);
        let meta = TurnMeta {
            id: self.ids.turn(&[message]),
            name: None,
            session,
            session_name: at.local_day(),
            at,
            messages: vec![message],
            recalled: Vec::new(),
            kept: true,
        };
        let body = TurnBody { messages: vec![Message { text: text.to_owned() }], question: None, request: false };
        let extraction = self.extractor.extract(&body)?;
        let turn =
            CandidateTurn { meta, body, candidates: extraction.candidates, drops: Vec::new(), retractions: Vec::new() };
        let meta = turn.meta.clone();
        let grounded = ground::ground_turn(turn).items;
        let wording: Vec<String> = grounded.iter().map(|item| item.item().text.clone()).collect();
        let wording: Vec<&str> = wording.iter().map(String::as_str).collect();
        let vectors = self.embedder.embed(Purpose::Passage, &wording)?;
        let mut observations = Vec::new();
        for (item, vector) in grounded.into_iter().zip(vectors) {
            let vector = item.wants_vector().then_some(vector);
            let position = Position { epoch: 1, partition: 0, offset: hour.unsigned_abs() };
            observations.extend(Observation::new(&item.embedded(vector)?, &meta, position, &self.ids));
        }
        Ok(observations)
    }

    fn fold(&self, observations: &[Observation]) -> Vec<Memory> {
        fold(observations, &[], &Rules::new(self.embedder.calibration())).memories
    }

    /// Said again, and something else said: pairs of each measure.
    fn told(&self, people: &[Vec<String>], set: &str, wording: &Wording) -> Outcome<()> {
        let mut tally = Tally::default();
        for (row, lines) in people.iter().enumerate() {
            let mut all = Vec::new();
            for (hour, line) in (0..).zip(lines) {
                let first = self.say(line, hour * 24)?;
                let again = reworded(line, wording.same);
                self.pair("said again in other words, missed", row, &first, again, &mut tally, |joined| !joined)?;
                let not = reworded(line, wording.negated);
                self.pair("denied, falsely merged", row, &first, not, &mut tally, |joined| joined)?;
                let other = recounted(line);
                self.pair("another number, falsely merged", row, &first, other, &mut tally, |joined| joined)?;
                all.push(first);
            }
            self.apart(row, &all, &mut tally);
        }
        tally.print(set);
        Ok(())
    }

    /// A line, and another a day later; whether the one item that is worded otherwise ends as one memory with what it was.
    fn pair(
        &self,
        measure: &'static str,
        row: usize,
        first: &[Observation],
        other: Option<String>,
        tally: &mut Tally,
        wrong: impl Fn(bool) -> bool,
    ) -> Outcome<()> {
        let (Some(text), Some(before)) = (other, first.first()) else { return Ok(()) };
        let second = self.say(&text, (before.body.at.ms() - BEGIN_MS) / HOUR_MS + 24)?;
        let ([one], [second]) = (&worded_otherwise(first, &second)[..], &worded_otherwise(&second, first)[..]) else {
            return Ok(());
        };
        if one.body.item.kind != second.body.item.kind {
            return Ok(());
        }
        let joined = self.fold(&[(*one).clone(), (*second).clone()]).len() == 1;
        if self.show && row.is_multiple_of(2) && wrong(joined) {
            eprintln!("{measure}: {} / {}", shown(one), shown(second));
        }
        tally.add(measure, row, usize::from(wrong(joined)), 1);
        Ok(())
    }

    /// Different facts of one person, told a day apart.
    fn apart(&self, row: usize, lines: &[Vec<Observation>], tally: &mut Tally) {
        let heard = lines.iter().filter(|line| !line.is_empty()).count();
        if heard < 2 {
            return;
        }
        let all: Vec<Observation> = lines.iter().flatten().cloned().collect();
        let memories = self.fold(&all);
        // Of one line several items may be one memory.
        let told_in = |memory: &&Memory| memory.evidence.iter().map(|mention| mention.message).collect::<BTreeSet<_>>();
        let merged = memories.iter().map(|memory| told_in(&memory).len() - 1).sum();
        let ended = memories.iter().filter(|memory| memory.status != Status::Active);
        let ended: Vec<&Memory> = ended.collect();
        if self.show && row.is_multiple_of(2) {
            memories.iter().filter(|memory| told_in(memory).len() > 1).for_each(|memory| {
                let quotes: Vec<&str> = memory.evidence.iter().map(|mention| mention.quote.as_str()).collect();
                eprintln!("two lines of one persona merged: {quotes:?}");
            });
            ended.iter().for_each(|memory| eprintln!("ended by another line: {:?} {}", memory.status, memory.text));
        }
        let pairs = heard * (heard - 1) / 2;
        tally.add("two facts of one person, falsely merged", row, merged, pairs);
        tally.add("two facts of one person, falsely ended or in conflict", row, ended.len(), pairs);
    }

    /// BEAM's chats and their questions on updates and contradictions.
    fn chats(&self, rows: &[Value]) -> Outcome<()> {
        let mut tally = Tally::default();
        for (row, chat) in rows.iter().enumerate() {
            let mut observations = Vec::new();
            let mut said_in = BTreeMap::new();
            for (hour, document) in (0..).zip(chat["docs"].as_array().into_iter().flatten()) {
                if document["who"] == "user" {
                    let said = self.say(document["text"].as_str().unwrap_or_default(), hour)?;
                    said_in.extend(said.iter().map(|one| (one.body.message, document["id"].as_i64())));
                    observations.extend(said);
                }
            }
            let memories = self.fold(&observations);
            let told = |memory: &Memory| -> BTreeSet<i64> {
                memory.evidence.iter().filter_map(|mention| said_in.get(&mention.message).copied().flatten()).collect()
            };
            let by_id: BTreeMap<_, &Memory> = memories.iter().map(|memory| (memory.id, memory)).collect();
            let mut expected = BTreeSet::new();
            for question in chat["qa"].as_array().into_iter().flatten() {
                let measure = match question["cat"].as_str() {
                    Some("knowledge_update") => ["update, heard", "update, right of heard"],
                    Some("contradiction_resolution") => ["contradiction, heard", "contradiction, right of heard"],
                    _ => continue,
                };
                let turns: BTreeSet<i64> =
                    question["ev"].as_array().into_iter().flatten().filter_map(Value::as_i64).collect();
                let (Some(first), Some(last)) = (turns.first(), turns.last()) else { continue };
                let holds = |memory: &&Memory, turn: i64| told(memory).contains(&turn);
                let heard = first != last
                    && memories.iter().any(|memory| holds(&memory, *first))
                    && memories.iter().any(|memory| holds(&memory, *last));
                tally.add(measure[0], row, usize::from(heard), 1);
                if heard {
                    if self.show && row.is_multiple_of(2) {
                        let of = |turn| {
                            memories.iter().filter(move |memory| holds(memory, turn)).map(about).collect::<Vec<_>>()
                        };
                        eprintln!("{}: {:?} / {:?}", measure[0], of(*first), of(*last));
                    }
                    let other = |memory: &&Memory| {
                        let others = memory.superseded_by.iter().chain(&memory.contested_by);
                        others.filter_map(|id| by_id.get(id)).any(|other| holds(other, *last))
                    };
                    let right = memories.iter().filter(|memory| holds(memory, *first)).find(other);
                    expected.extend(right.map(|memory| memory.id));
                    tally.add(measure[1], row, usize::from(right.is_some()), 1);
                }
            }
            let ended: Vec<&Memory> = memories.iter().filter(|memory| memory.status != Status::Active).collect();
            tally.add("memories that ended or are in conflict", row, ended.len(), memories.len());
            if self.show && row.is_multiple_of(2) {
                for memory in ended {
                    let others = memory.superseded_by.iter().chain(&memory.contested_by);
                    for other in others.filter_map(|id| by_id.get(id)) {
                        let asked = if expected.contains(&memory.id) { " (asked about)" } else { "" };
                        eprintln!("{:?}{asked}: {} / {}", memory.status, about(memory), about(other));
                    }
                }
            }
        }
        tally.print("BEAM");
        Ok(())
    }
}

/// Items whose words are none of the others'.
fn worded_otherwise<'a>(items: &'a [Observation], others: &[Observation]) -> Vec<&'a Observation> {
    let quote = |of: &Observation| of.body.item.evidence.quote.to_lowercase();
    items.iter().filter(|item| others.iter().all(|other| quote(other) != quote(item))).collect()
}

fn shown(observation: &Observation) -> String {
    let item = &observation.body.item;
    format!("{} [{} = {}{}]", item.text, item.topic_key.attribute, if item.negated { "not " } else { "" }, item.value)
}

fn about(memory: &Memory) -> String {
    let not = if memory.negated { "not " } else { "" };
    format!("{} [{} · {} = {not}{}]", memory.text, memory.topic_key.subject, memory.topic_key.attribute, memory.value)
}
