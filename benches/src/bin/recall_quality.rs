//! How well recall finds what was said, and how often it finds what was not, on the handed data.
//!
//! `recall_quality [DATA] [--sets START] [--weights FILE] [--vectors FILE]`: DATA is the folder of `*.jsonl.gz` (default
//! `../shared/data`); FILE keeps vectors between runs (default `target/recall-vectors.bin`). Documents stand once as
//! memories, once as raw messages, once as both, and once as what the built-in
//! extractor makes of them beside the raw messages: what the product answers from.

use std::{
    collections::{BTreeSet, HashMap},
    error::Error,
    fs::{File, OpenOptions},
    io::{BufWriter, Read, Write},
    path::{Path, PathBuf},
    sync::Mutex,
};

use saidso_benches::recall_sets::{self, Customer, Set};
use saidso_core::{
    access::{Request, Tokens, admit},
    calibration::Calibration,
    decay,
    fault::Fault,
    ground,
    ids::{Ids, Names},
    item::{Candidate, Evidence, Kind, Span, TopicKey, Unit},
    observation::{Observation, ObservationBody},
    passages,
    ports::{Embedder, Extractor, Purpose},
    position::Position,
    seal::Key,
    stages::CandidateTurn,
    text::Language,
    time::Moment,
    turn::{Message, Turn, TurnBody, TurnMeta},
    vector::Vector,
};
use saidso_models::{Builtin, e5::E5, weights};
use saidso_recall::{
    Filter,
    cohort::Cohorts,
    meaning::Meaning,
    query::{self, Analysis},
    search::{Ask, Found, Item, search, together},
    space::{Contents, Space},
    standing::At,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let mut data = PathBuf::from("../shared/data");
    let mut sets = String::new();
    let (mut named, mut vectors) = (None, PathBuf::from("target/recall-vectors.bin"));
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--weights" => named = arguments.next().map(PathBuf::from),
            "--sets" => sets = arguments.next().ok_or("--sets needs the start of a name")?,
            "--vectors" => vectors = arguments.next().ok_or("--vectors needs a file")?.into(),
            folder => data = PathBuf::from(folder),
        }
    }
    let cache = PathBuf::from("target/weights");
    let weights =
        weights::locate(named.as_deref(), &cache).ok_or_else(|| format!("no weights: {}", weights::command(&cache)))?;
    let embedder = Kept::new(E5::load(&weights)?, &vectors)?;
    let cohorts = Cohorts::default();
    println!(
        "| set | documents as | answerable | hit@1 | hit@5 | hit@10 | R@5 | R@10 | MRR@10 | falsely empty | absent | falsely recalled |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for set in recall_sets::all(&data)?.into_iter().filter(|set| set.name.starts_with(&sets)) {
        for form in [Form::Memories, Form::Messages, Form::Both, Form::Extracted] {
            let tally = measure(&set, form, &embedder, &cohorts)?;
            tally.print(&set.name, form);
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Form {
    Memories,
    Messages,
    Both,
    Extracted,
}

#[derive(Default)]
struct Tally {
    answerable: usize,
    hit: [usize; 3],
    recall: [f64; 2],
    reciprocal: f64,
    falsely_empty: usize,
    absent: usize,
    falsely_recalled: usize,
}

impl Tally {
    fn print(&self, name: &str, form: Form) {
        let n = self.answerable.max(1) as f64;
        let share = |count: usize| format!("{:.3}", count as f64 / n);
        println!(
            "| {name} | {form:?} | {} | {} | {} | {} | {:.3} | {:.3} | {:.3} | {} | {} | {:.3} |",
            self.answerable,
            share(self.hit[0]),
            share(self.hit[1]),
            share(self.hit[2]),
            self.recall[0] / n,
            self.recall[1] / n,
            self.reciprocal / n,
            share(self.falsely_empty),
            self.absent,
            self.falsely_recalled as f64 / self.absent.max(1) as f64,
        );
    }
}

fn measure(set: &Set, form: Form, embedder: &Kept, cohorts: &Cohorts) -> Outcome<Tally> {
    let mut tally = Tally::default();
    for customer in &set.customers {
        let space = build(customer, form, embedder)?;
        for asked in &customer.questions {
            let found = ask(&space, &asked.text, customer.name.as_deref(), embedder, cohorts)?;
            if asked.absent {
                tally.absent += 1;
                tally.falsely_recalled += usize::from(!found.is_empty());
                continue;
            }
            tally.answerable += 1;
            tally.falsely_empty += usize::from(found.is_empty());
            let right = |count: usize| found.iter().take(count).collect::<BTreeSet<_>>();
            let held = |count: usize| right(count).iter().filter(|at| asked.right.contains(at)).count();
            for (hit, count) in tally.hit.iter_mut().zip([1, 5, 10]) {
                *hit += usize::from(held(count) > 0);
            }
            for (recall, count) in tally.recall.iter_mut().zip([5, 10]) {
                *recall += held(count) as f64 / asked.right.len().max(1) as f64;
            }
            let first = found.iter().position(|at| asked.right.contains(at));
            tally.reciprocal += first.map_or(0.0, |rank| 1.0 / (rank + 1) as f64);
        }
    }
    Ok(tally)
}

/// The ten best, as document indexes.
fn ask(space: &Space, question: &str, name: Option<&str>, embedder: &Kept, cohorts: &Cohorts) -> Outcome<Vec<usize>> {
    let asked = query::own(question, name);
    let lists = query::parts(&asked).into_iter().map(|part| list(space, part, embedder, cohorts));
    let found = together(space, &lists.collect::<Outcome<Vec<_>>>()?, 10);
    let place = |item: Item| match item {
        Item::Memory(index) => space.memories[index as usize].last.ms(),
        Item::Passage(index) => space.turn_of(index).at_ms,
    };
    Ok(found.into_iter().map(|found| ((place(found.item) - START_MS) / MINUTE_MS) as usize).collect())
}

fn list(space: &Space, asked: &str, embedder: &Kept, cohorts: &Cohorts) -> Outcome<Vec<Found>> {
    let analysis = Analysis::of(asked);
    let vector = embedder.embed(Purpose::Query, &[asked])?[0].to_f32();
    let meaning = Meaning::of(&vector, space, embedder, cohorts)?;
    let at = At { now_ms: NOW_MS, rules: &decay::Rules::default(), hits: None, history_ms: None };
    let ask = Ask {
        analysis: &analysis,
        meaning: Some(meaning),
        history: false,
        filter: &Filter::default(),
        rules: &[],
        session: None,
        at,
        limit: 10,
    };
    Ok(search(space, &ask))
}

/// 2026-01-01T00:00Z; document n is said n minutes later.
const START_MS: i64 = 1_767_225_600_000;
const MINUTE_MS: i64 = 60_000;
/// A week later: nothing has faded yet.
const NOW_MS: i64 = START_MS + 10_000 * MINUTE_MS;

fn build(customer: &Customer, form: Form, embedder: &Kept) -> Outcome<Space> {
    let names = Names::new(Key::new([7; 32]));
    let mut tokens = Tokens::default();
    tokens.add("secret", "bench");
    let token = tokens.verify("secret").map_err(|denied| denied.to_string())?;
    let scope =
        admit(&names, &token, Request { tenant: None, space: "customer" }).map_err(|denied| denied.to_string())?;
    let ids = names.ids(&scope);
    let texts: Vec<&str> = customer.documents.iter().map(String::as_str).collect();
    let vectors = embedder.embed(Purpose::Passage, &texts)?;
    let mut contents = Contents::default();
    for (at, (text, vector)) in texts.iter().zip(vectors).enumerate() {
        let mut turn = turn(at, text, &ids)?;
        turn.body.question = customer.answered.get(&at).cloned();
        match form {
            Form::Messages => {}
            Form::Memories | Form::Both => contents.observations.push(observation(&turn, text, vector, &ids)),
            Form::Extracted => contents.observations.extend(extracted(&turn, embedder, &ids)?),
        }
        if form != Form::Memories {
            let said = passages::to_embed(&turn.meta, turn.body.clone(), &[]);
            let words: Vec<&str> = said.iter().map(|passage| passage.text.as_str()).collect();
            let vectors = said.iter().zip(embedder.embed(Purpose::Passage, &words)?);
            contents.vectors.extend(vectors.map(|(passage, vector)| passage.embedded(vector)));
            contents.turns.push(turn);
        }
    }
    let fold = saidso_core::fold::Rules::new(embedder.calibration());
    Ok(Space::build(contents, &ids, &fold, None, saidso_core::session::Rules::default()))
}

fn turn(at: usize, text: &str, ids: &Ids) -> Outcome<Turn> {
    let (day, minute) = (at / 1_440, at % 1_440);
    let written = format!("2026-{:02}-{:02}T{:02}:{:02}:00Z", 1 + day / 28, 1 + day % 28, minute / 60, minute % 60);
    let moment = Moment::parse(&written, None)?;
    let session = ids.session("one");
    let message = ids.message(session, moment.ms(), "customer", 0, text);
    Ok(Turn {
        meta: TurnMeta {
            id: ids.turn(&[message]),
            name: None,
            session,
            session_name: "one".into(),
            at: moment,
            messages: vec![message],
            recalled: Vec::new(),
            kept: true,
        },
        body: TurnBody { messages: vec![Message { text: text.to_owned() }], question: None, request: false },
        references: Vec::new(),
    })
}

/// The whole document as one statement. Its value is the document, so that none supersedes another.
fn observation(turn: &Turn, text: &str, vector: Vector, ids: &Ids) -> Observation {
    let message = turn.meta.messages[0];
    let span = Span { start: 0, end: text.len() as u32 };
    Observation {
        id: ids.observation(turn.meta.id, message, span, Kind::Event),
        position: Position { epoch: 1, partition: 0, offset: 0 },
        body: ObservationBody {
            times: Vec::new(),
            turn: turn.meta.id,
            turn_name: None,
            session: turn.meta.session,
            message,
            at: turn.meta.at.clone(),
            item: Candidate {
                kind: Kind::Event,
                text: text.to_owned(),
                evidence: Evidence { message: 0, span, quote: text.to_owned() },
                question: None,
                topic_key: TopicKey { subject: "customer".into(), attribute: String::new(), many: true },
                value: text.to_owned(),
                negated: false,
                qualifier: None,
                slot: None,
                changed: false,
                importance: Unit::hundredths(50),
                confidence: Unit::hundredths(80),
                keywords: Vec::new(),
                questions: Vec::new(),
                language: Language::of(text),
            },
            recalled: Vec::new(),
        },
        vector: Some(vector),
    }
}

/// What the stages would write of a turn.
fn extracted(turn: &Turn, embedder: &Kept, ids: &Ids) -> Outcome<Vec<Observation>> {
    let extraction = Builtin::new(None, None)?.extract(&turn.body)?;
    let (meta, body) = (turn.meta.clone(), turn.body.clone());
    let grounded = ground::ground_turn(CandidateTurn {
        meta,
        body,
        candidates: extraction.candidates,
        drops: Vec::new(),
        retractions: Vec::new(),
    });
    let mut observations = Vec::new();
    for item in grounded.items {
        let text = item.item().text.clone();
        let vector = item.wants_vector().then(|| embedder.embed(Purpose::Passage, &[&text])).transpose()?;
        let embedded = item.embedded(vector.and_then(|mut vectors| vectors.pop()))?;
        let position = Position { epoch: 1, partition: 0, offset: 0 };
        observations.extend(Observation::new(&embedded, &turn.meta, position, ids));
    }
    Ok(observations)
}

/// The embedder with its vectors kept in a file, so that a second run costs nothing.
struct Kept {
    inner: E5,
    known: Mutex<(HashMap<String, Vector>, BufWriter<File>)>,
}

impl Kept {
    fn new(inner: E5, path: &Path) -> Outcome<Self> {
        let mut bytes = Vec::new();
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        file.read_to_end(&mut bytes)?;
        let (mut known, mut rest, size) = (HashMap::new(), bytes.as_slice(), inner.dimension() * 2);
        while let Some((length, after)) = rest.split_first_chunk::<4>() {
            let length = u32::from_le_bytes(*length) as usize;
            let Some((entry, after)) = after.split_at_checked(length + size) else { break };
            let half = |b: &[u8]| half::f16::from_le_bytes([b[0], b[1]]).to_f32();
            let components: Vec<f32> = entry[length..].chunks_exact(2).map(half).collect();
            let vector = Vector::new(&components).ok_or("the vector file is damaged: delete it")?;
            known.insert(String::from_utf8(entry[..length].to_vec())?, vector);
            rest = after;
        }
        Ok(Self { inner, known: Mutex::new((known, BufWriter::new(file))) })
    }
}

impl Embedder for Kept {
    fn id(&self) -> &str {
        self.inner.id()
    }

    fn dimension(&self) -> usize {
        self.inner.dimension()
    }

    fn calibration(&self) -> Calibration {
        self.inner.calibration()
    }

    fn embed(&self, purpose: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        let tag = if purpose == Purpose::Query { "q\t" } else { "p\t" };
        let mut known = self.known.lock().expect("no run panics with it");
        let (vectors, file) = &mut *known;
        let missing: Vec<&str> =
            texts.iter().copied().filter(|text| !vectors.contains_key(&format!("{tag}{text}"))).collect();
        for chunk in missing.chunks(64) {
            for (text, vector) in chunk.iter().zip(self.inner.embed(purpose, chunk)?) {
                let key = format!("{tag}{text}");
                let mut entry = (key.len() as u32).to_le_bytes().to_vec();
                entry.extend_from_slice(key.as_bytes());
                entry.extend(vector.components().iter().flat_map(|x| x.to_le_bytes()));
                file.write_all(&entry).expect("the vector file takes what it is given");
                vectors.insert(key, vector);
            }
            file.flush().expect("the vector file takes what it is given");
        }
        Ok(texts.iter().map(|text| vectors[&format!("{tag}{text}")].clone()).collect())
    }
}
