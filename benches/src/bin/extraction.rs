//! How much the built-in extractor keeps and leaves, on the public data that came with the project.
//!
//! `extraction [DATA] [--show-errors N]`: DATA is the folder of `*.jsonl.gz` (default `../shared/data`). Rows are split
//! in two: rules were tuned by looking at even rows only, so the odd rows say what a stranger's data would see; of
//! injection_mixed both halves have been looked at by now. `--show-errors` prints even rows alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use flate2::read::GzDecoder;
use saidso_core::{
    ground::ground,
    item::{Candidate, Evidence, Extraction, Kind, Span, TopicKey, Unit},
    ports::Extractor,
    text::{self, Language},
    turn::{Message, TurnBody},
};
use saidso_models::Builtin;
use serde_json::Value;

/// CLINC150's intents that state an event or a name; its other turns hold no memory.
const STATING: [&str; 6] =
    ["travel_notification", "change_user_name", "lost_luggage", "report_lost_card", "report_fraud", "damaged_card"];

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let mut data = PathBuf::from("../shared/data");
    let mut show = 0;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--show-errors" => show = arguments.next().ok_or("--show-errors needs a number")?.parse()?,
            folder => data = PathBuf::from(folder),
        }
    }
    let extractor = Builtin::new(None, None).map_err(|fault| fault.to_string())?;
    let mut bench = Bench { extractor, data, show, tally: Tally::default() };
    println!("| set | measure | odd rows (n) | even rows (n) | how it is counted |");
    println!("|---|---|---|---|---|");
    bench.nothing()?;
    bench.preferences()?;
    bench.personas("xpersona_en")?;
    bench.personas("xpersona_zh")?;
    bench.attacks()?;
    bench.numbers()?;
    bench.negations()?;
    bench.tally.print();
    Ok(())
}

/// Units and hits of one measure, by parity of the row.
#[derive(Default)]
struct Halves([(usize, usize); 2]);

impl Halves {
    fn add(&mut self, row: usize, hit: bool) {
        let half = &mut self.0[row % 2];
        half.0 += 1;
        half.1 += usize::from(hit);
    }

    fn print(&self, set: &str, measure: &str, how: &str) {
        let share = |(n, hits): (usize, usize)| format!("{:.2} % ({n})", hits as f64 * 100.0 / n.max(1) as f64);
        println!("| {set} | {measure} | {} | {} | {how} |", share(self.0[1]), share(self.0[0]));
    }
}

/// What all turns together came to.
#[derive(Default)]
struct Tally {
    turns: usize,
    spent: Duration,
    items: usize,
    /// What `core::ground` refused, by its reason.
    refused: BTreeMap<String, usize>,
    /// Words taken for a request to forget or a denial, by set.
    retractions: BTreeMap<String, usize>,
    drops: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Tally {
    fn print(&self) {
        let rate = self.turns as f64 / self.spent.as_secs_f64();
        println!("\n{} turns in {:.2} s: {rate:.0} turns/s on one thread", self.turns, self.spent.as_secs_f64());
        println!("{} items; refused by core::ground: {:?}", self.items, self.refused);
        println!("requests to forget and denials found: {:?}", self.retractions);
        for (set, reasons) in &self.drops {
            let listed: Vec<String> = reasons.iter().map(|(reason, n)| format!("{reason} {n}")).collect();
            println!("drops in {set}: {}", listed.join(", "));
        }
    }
}

struct Bench {
    extractor: Builtin,
    data: PathBuf,
    show: usize,
    tally: Tally,
}

impl Bench {
    fn rows(&self, set: &str) -> Result<Vec<Value>, Box<dyn Error>> {
        let path = self.data.join(format!("{set}.jsonl.gz"));
        let file = File::open(&path).map_err(|error| format!("cannot open {}: {error}", Path::new(&path).display()))?;
        let mut rows = Vec::new();
        for line in BufReader::new(GzDecoder::new(file)).lines() {
            rows.push(serde_json::from_str(&line?)?);
        }
        Ok(rows)
    }

    /// Extracts, and leaves of the candidates what is grounded and becomes a memory.
    fn extract(
        &mut self,
        set: &str,
        row: usize,
        said: &str,
        question: Option<&str>,
    ) -> Result<Extraction, Box<dyn Error>> {
        let turn = TurnBody {
            messages: vec![Message { text: said.to_owned() }],
            question: question.map(str::to_owned),
            request: false,
        };
        let start = Instant::now();
        let mut extraction = self.extractor.extract(&turn).map_err(|fault| fault.to_string())?;
        self.tally.spent += start.elapsed();
        self.tally.turns += 1;
        self.tally.items += extraction.candidates.len();
        *self.tally.retractions.entry(set.to_owned()).or_default() += extraction.retractions.len();
        for retraction in extraction.retractions.iter().filter(|_| row.is_multiple_of(2) && self.show > 0) {
            eprintln!("  {set} [{row}] {:?} of `{}`: {}", retraction.how, retraction.about, retraction.evidence.quote);
        }
        let mut refused = Vec::new();
        extraction.candidates.retain(|candidate| match ground(&turn, candidate.clone()) {
            Ok(_) => candidate.kind != Kind::Confirmation,
            Err(drop) => {
                refused.push((drop.reason, candidate.text.clone()));
                false
            }
        });
        for (reason, text) in refused {
            *self.tally.refused.entry(format!("{reason:?}")).or_default() += 1;
            if row.is_multiple_of(2) && self.show > 0 {
                eprintln!("  {set} [{row}] refused {reason:?}: {text} | {said}");
            }
        }
        for drop in &extraction.drops {
            *self.tally.drops.entry(set.to_owned()).or_default().entry(format!("{:?}", drop.reason)).or_default() += 1;
        }
        Ok(extraction)
    }

    /// Prints an error of an even row while the allowance lasts.
    fn error(&self, shown: &mut usize, row: usize, said: &str, extraction: &Extraction) {
        if row.is_multiple_of(2) && *shown < self.show {
            *shown += 1;
            eprintln!("  [{row}] {said}");
            for item in &extraction.candidates {
                let key = &item.topic_key;
                eprintln!("      {:?} {} · {} = {} | {}", item.kind, key.subject, key.attribute, item.value, item.text);
            }
        }
    }

    /// Turns without any durable statement that yield nothing.
    fn nothing(&mut self) -> Outcome {
        let how = "turns yielding no item of any kind";
        let (mut halves, mut shown) = (Halves::default(), 0);
        for (row, value) in self.rows("clinc150_en")?.iter().enumerate() {
            if !STATING.contains(&text_of(value, "intent")) {
                self.expect_nothing("clinc150", row, text_of(value, "text"), None, &mut halves, &mut shown)?;
            }
        }
        halves.print("clinc150 less six intents", "nothing", how);

        let (mut plain, mut asked, mut shown) = (Halves::default(), Halves::default(), 0);
        for (row, value) in self.rows("sgd_dev_en")?.iter().enumerate() {
            let mut question = "";
            for turn in value["turns"].as_array().into_iter().flatten() {
                let said = text_of(turn, "text");
                if text_of(turn, "role") == "user" && turn["slots"].as_array().is_some_and(Vec::is_empty) {
                    self.expect_nothing("sgd", row, said, None, &mut plain, &mut shown)?;
                    self.expect_nothing("sgd", row, said, Some(question), &mut asked, &mut shown)?;
                }
                question = if text_of(turn, "role") == "system" { said } else { "" };
            }
        }
        plain.print("sgd slot-free user turns", "nothing", how);
        asked.print("the same beside the agent's words before them", "nothing", how);

        let (mut halves, mut shown) = (Halves::default(), 0);
        for (row, value) in self.rows("crosswoz_val_zh")?.iter().enumerate() {
            for turn in value["turns"].as_array().into_iter().flatten() {
                let general = |slot: &Value| text_of(slot, "act") == "General";
                let free = turn["slots"].as_array().is_some_and(|slots| slots.iter().all(general));
                if text_of(turn, "role") == "user" && free {
                    self.expect_nothing("crosswoz", row, text_of(turn, "text"), None, &mut halves, &mut shown)?;
                }
            }
        }
        halves.print("crosswoz user turns of greeting acts alone", "nothing", how);
        Ok(())
    }

    fn expect_nothing(
        &mut self,
        set: &str,
        row: usize,
        said: &str,
        question: Option<&str>,
        halves: &mut Halves,
        shown: &mut usize,
    ) -> Outcome {
        let extraction = self.extract(set, row, said, question)?;
        halves.add(row, extraction.candidates.is_empty());
        if !extraction.candidates.is_empty() {
            self.error(shown, row, said, &extraction);
        }
        Ok(())
    }

    /// Explicit preferences, each as a turn of its own.
    fn preferences(&mut self) -> Outcome {
        let (mut whole, mut kept, mut shown) = (Halves::default(), Halves::default(), 0);
        for (row, value) in self.rows("prefeval_en")?.iter().enumerate() {
            if text_of(value, "kind") != "explicit_preference" {
                continue;
            }
            let said = text_of(value, "preference");
            let extraction = self.extract("prefeval", row, said, None)?;
            let wanted = text::content(said);
            let covers = |quote: &str| text::content(quote).intersection(&wanted).count() * 5 >= wanted.len() * 4;
            let lasting =
                || extraction.candidates.iter().filter(|item| matches!(item.kind, Kind::Fact | Kind::Instruction));
            let one = lasting().any(|item| covers(&item.evidence.quote));
            let all: Vec<&str> = lasting().map(|item| item.evidence.quote.as_str()).collect();
            whole.add(row, one);
            kept.add(row, covers(&all.join(" ")));
            if !one {
                self.error(&mut shown, row, said, &extraction);
            }
        }
        let how = "facts and instructions whose quote holds ≥ 4/5 of the preference's content words:";
        whole.print("prefeval explicit preferences", "kept in one item", &format!("{how} one item"));
        kept.print("prefeval explicit preferences", "kept", &format!("{how} all items together"));
        Ok(())
    }

    /// Persona lines out of chat: the persona is the second speaker's.
    fn personas(&mut self, set: &str) -> Outcome {
        let (mut spoken, mut whole, mut shown) = (Halves::default(), Halves::default(), 0);
        for (row, value) in self.rows(set)?.iter().enumerate() {
            let mut said = BTreeSet::new();
            let mut items = Vec::new();
            let mut all = Extraction::default();
            let mut talk = Vec::new();
            for pair in value["dialogue"].as_array().into_iter().flatten() {
                let utterance = pair[1].as_str().unwrap_or_default();
                talk.push(utterance);
                said.extend(text::content(utterance));
                let extraction = self.extract(set, row, utterance, None)?;
                items.extend(extraction.candidates.iter().map(|item| text::content(&item.text)));
                all.candidates.extend(extraction.candidates);
            }
            for line in value["persona"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                let wanted = text::content(line);
                if wanted.is_disjoint(&said) {
                    continue;
                }
                let uttered = wanted.intersection(&said).count();
                let best = items.iter().map(|item| item.intersection(&wanted).count()).max().unwrap_or(0);
                spoken.add(row, best * 2 >= uttered);
                whole.add(row, best * 2 >= wanted.len());
                if best * 2 < uttered {
                    self.error(&mut shown, row, &format!("{line} <= {}", talk.join(" | ")), &all);
                }
            }
        }
        let how = "persona lines sharing a content word with what b said; kept: one item's text holds ≥ 1/2 of";
        spoken.print(set, "kept", &format!("{how} the line's content words that b said"));
        whole.print(set, "kept, all words", &format!("{how} all content words of the line, said or not"));
        Ok(())
    }

    /// Texts whose cards, accounts, identity and phone numbers and addresses stand in no item.
    fn numbers(&mut self) -> Outcome {
        let (mut halves, mut shown) = (Halves::default(), 0);
        for (row, value) in self.rows("presidio_pii_en")?.iter().enumerate() {
            let spans = value["spans"].as_array().into_iter().flatten();
            let secrets: Vec<&str> = spans
                .filter(|span| SENSITIVE.contains(&text_of(span, "type")))
                .map(|span| text_of(span, "value"))
                .collect();
            if secrets.is_empty() {
                continue;
            }
            let extraction = self.extract("presidio", row, text_of(value, "text"), None)?;
            let out = format!("{extraction:?}");
            let kept_out = secrets.iter().all(|secret| !out.contains(secret));
            halves.add(row, kept_out);
            if !kept_out {
                self.error(&mut shown, row, text_of(value, "text"), &extraction);
            }
        }
        let how = "texts whose cards, accounts, identity and phone numbers and addresses stand nowhere in the answer";
        halves.print("presidio_pii_en", "kept out", how);
        Ok(())
    }

    /// Attacks that plant nothing, and harmless texts that still give what they gave.
    fn attacks(&mut self) -> Outcome {
        let (mut halves, mut benign, mut shown) = (Halves::default(), Halves::default(), 0);
        for (row, value) in self.rows("injection_mixed")?.iter().enumerate() {
            if value["label"].as_i64() == Some(1) {
                self.expect_nothing("injection", row, text_of(value, "text"), None, &mut halves, &mut shown)?;
            } else {
                let extraction = self.extract("injection benign", row, text_of(value, "text"), None)?;
                benign.add(row, !extraction.candidates.is_empty());
            }
        }
        halves.print("injection_mixed attacks", "nothing", "attacks yielding no memory of any kind");
        benign.print("injection_mixed harmless texts", "something", "texts yielding a memory");
        Ok(())
    }

    /// Negated premises: what is extracted of them is denied, and neither a wording without the negation nor a quote that
    /// leaves it off is grounded.
    fn negations(&mut self) -> Outcome {
        let (mut kept, mut worded, mut cut) = (Halves::default(), Halves::default(), Halves::default());
        let mut seen = BTreeSet::new();
        let mut shown = 0;
        for (row, value) in self.rows("koziev_premise_qa_ru")?.iter().enumerate() {
            let said = text_of(value, "t");
            let denies = |word: &str| DENIALS.contains(&word.trim_matches(|c: char| !c.is_alphabetic()));
            let words: Vec<&str> = said.split_whitespace().collect();
            let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
            let Some(at) = lower.iter().position(|word| denies(word)) else { continue };
            if !seen.insert(said.to_owned()) {
                continue;
            }
            let extraction = self.extract("koziev", row, said, None)?;
            for item in &extraction.candidates {
                let denied = item.negated || !item.evidence.quote.to_lowercase().split(' ').any(denies);
                kept.add(row, denied);
                if !denied {
                    self.error(&mut shown, row, said, &extraction);
                }
            }
            let rest: Vec<&str> = words[..at].iter().chain(&words[at + 1..]).copied().collect();
            let wording = rest.join(" ");
            worded.add(row, self.refuses(row, said, &wording, said));
            if at + 1 < words.len() {
                let behind = words[at + 1..].join(" ");
                cut.add(row, self.refuses(row, said, &behind, &behind));
            }
        }
        let set = "koziev, distinct premises with не, нет, ни, никогда, нельзя";
        kept.print(set, "denied", "extracted items whose quote holds the negation and that are denied");
        worded.print(
            set,
            "wording refused",
            "the premise without its first negation, quoted with it, refused by core::ground",
        );
        cut.print(
            set,
            "quote refused",
            "the words behind the first negation, as wording and quote, refused by core::ground",
        );
        Ok(())
    }

    /// Whether a fact of the customer with this wording and quote is refused.
    fn refuses(&self, row: usize, said: &str, wording: &str, quote: &str) -> bool {
        let turn = TurnBody { messages: vec![Message { text: said.to_owned() }], question: None, request: false };
        let start = said.find(quote).unwrap_or(0);
        let span = Span { start: start as u32, end: (start + quote.len()) as u32 };
        let item = Candidate {
            kind: Kind::Fact,
            text: wording.to_owned(),
            evidence: Evidence { message: 0, span, quote: quote.to_owned() },
            question: None,
            topic_key: TopicKey { subject: "customer".to_owned(), attribute: "statement".to_owned(), many: true },
            value: "so".to_owned(),
            negated: false,
            qualifier: None,
            slot: None,
            changed: false,
            importance: Unit::ONE,
            confidence: Unit::ONE,
            keywords: Vec::new(),
            questions: Vec::new(),
            language: Language::Ru,
        };
        let refused = ground(&turn, item).is_err();
        if !refused && self.show > 0 && row.is_multiple_of(2) {
            eprintln!("  [{row}] grounded: {wording} | {said}");
        }
        refused
    }
}

/// Negations of Russian, as people count them.
const DENIALS: [&str; 5] = ["не", "нет", "ни", "никогда", "нельзя"];

/// Presidio's types that requirements E3 keeps out; names, places and dates are no secrets here.
const SENSITIVE: [&str; 4] = ["CREDIT_CARD", "IBAN_CODE", "PHONE_NUMBER", "EMAIL_ADDRESS"];

fn text_of<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}
