//! The handed data as spaces of documents with questions, some of which nothing in the space answers.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
};

use flate2::read::GzDecoder;
use serde_json::Value;

/// A question to a space, with the documents that answer it; none: the answer must be empty.
#[derive(Clone)]
pub struct Asked {
    /// As it is asked.
    pub text: String,
    /// Indexes of documents.
    pub right: BTreeSet<usize>,
    /// It is known not to be answered, rather than only asked of somebody else.
    pub absent: bool,
}

/// What one customer said, and what is asked.
#[derive(Default, Clone)]
pub struct Customer {
    /// What questions call the customer.
    pub name: Option<String>,
    /// One statement or message each, oldest first.
    pub documents: Vec<String>,
    /// The question that a document answers, by its index.
    pub answered: BTreeMap<usize, String>,
    /// The questions.
    pub questions: Vec<Asked>,
}

/// Customers of one data set.
pub struct Set {
    /// Its name.
    pub name: String,
    /// The spaces.
    pub customers: Vec<Customer>,
}

type Read<T> = Result<T, Box<dyn Error>>;

/// Every set, from the data folder.
pub fn all(data: &Path) -> Read<Vec<Set>> {
    let mut sets = own();
    sets.extend(locomo(data)?);
    sets.extend(prefeval(data)?);
    sets.push(memdaily(data)?);
    for language in ["en", "ru", "zh"] {
        sets.push(xquad(data, language)?);
    }
    sets.push(koziev(data)?);
    Ok(sets)
}

fn rows(path: &Path) -> Read<Vec<Value>> {
    let file = File::open(path).map_err(|e| format!("{}: {e}", path.display()))?;
    BufReader::new(GzDecoder::new(file)).lines().map(|line| Ok(serde_json::from_str(&line?)?)).collect()
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Plain questions, and questions that share no content word with what they bear on.
fn own() -> Vec<Set> {
    let mut sets = own_from("direct", include_str!("../data/recall_direct.txt"));
    sets.extend(own_from("vague", include_str!("../data/recall_pairs.txt")));
    sets
}

/// Statements with their questions, and questions that nothing answers. Of each language: every statement alone, and
/// all but every fifth together.
fn own_from(sort: &str, file: &str) -> Vec<Set> {
    let mut sets = Vec::new();
    let absent: Vec<&str> = include_str!("../data/recall_absent.txt").split("\n\n").collect();
    for (block, absent) in file.split("\n\n").zip(absent) {
        let mut lines = block.lines().filter(|line| !line.starts_with('#'));
        let language = lines.next().unwrap_or_default();
        let pairs: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once('|')).collect();
        let absent: Vec<&str> = absent.lines().skip(1).collect();
        let ask = |text: &str, right: Option<usize>| Asked {
            text: text.to_owned(),
            right: right.into_iter().collect(),
            absent: right.is_none(),
        };
        let alone = pairs.iter().map(|(statement, question)| {
            let mut questions = vec![ask(question, Some(0))];
            questions.extend(absent.iter().map(|text| ask(text, None)));
            Customer { documents: vec![(*statement).to_owned()], questions, ..Customer::default() }
        });
        sets.push(Set { name: format!("{sort}_{language} ×1"), customers: alone.collect() });
        let mut together = Customer::default();
        for (at, (statement, question)) in pairs.iter().enumerate() {
            if at % 5 == 4 {
                together.questions.push(ask(question, None));
            } else {
                together.questions.push(ask(question, Some(together.documents.len())));
                together.documents.push((*statement).to_owned());
            }
        }
        together.questions.extend(absent.iter().map(|text| ask(text, None)));
        sets.push(Set { name: format!("{sort}_{language} ×{}", together.documents.len()), customers: vec![together] });
    }
    sets
}

/// Each speaker is a customer; a question goes to the speaker it names, else to who said the evidence. Evidence said by
/// the other counts as missed, as in the published figures. Asked of the next conversation's customer, a question must
/// find nothing; nor must an adversarial one, asked of its own.
fn locomo(data: &Path) -> Read<[Set; 2]> {
    let mut customers: Vec<Customer> = Vec::new();
    let (mut foreign, mut adversarial_of): (Vec<Vec<Asked>>, Vec<Customer>) = (Vec::new(), Vec::new());
    for row in rows(&data.join("locomo_en.jsonl.gz"))? {
        let speakers: Vec<String> = list(&row["speakers"]).iter().map(string).collect();
        let mut own: Vec<Customer> =
            speakers.iter().map(|name| Customer { name: Some(name.clone()), ..Customer::default() }).collect();
        let mut place: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let mut before: Option<(String, String)> = None;
        for doc in list(&row["docs"]) {
            let (who, text) = (string(&doc["who"]), string(&doc["text"]));
            if let Some(speaker) = speakers.iter().position(|name| *name == who).filter(|_| !text.is_empty()) {
                let at = own[speaker].documents.len();
                place.insert(string(&doc["id"]), (speaker, at));
                if let Some((_, asked)) = before.take().filter(|(by, asked)| *by != who && asked.ends_with('?')) {
                    own[speaker].answered.insert(at, asked);
                }
                before = Some((who, text.clone()));
                own[speaker].documents.push(text);
            }
        }
        let mut asked_elsewhere = Vec::new();
        let mut traps: Vec<Customer> = own.clone();
        for qa in list(&row["qa"]) {
            let text = string(&qa["q"]);
            let evidence: Vec<(usize, usize)> =
                list(&qa["ev"]).iter().filter_map(|id| place.get(&string(id)).copied()).collect();
            let adversarial = qa["cat"] == 5;
            let named: Vec<usize> = (0..speakers.len()).filter(|s| text.contains(&speakers[*s])).collect();
            let (Some(first), false) = (evidence.first(), evidence.is_empty()) else { continue };
            let speaker = if named.len() == 1 { named[0] } else { first.0 };
            if adversarial {
                traps[speaker].questions.push(Asked { text, right: BTreeSet::new(), absent: true });
            } else {
                let right = evidence.iter().filter(|(who, _)| *who == speaker).map(|(_, at)| *at).collect();
                own[speaker].questions.push(Asked { text: text.clone(), right, absent: false });
                asked_elsewhere.push(Asked { text, right: BTreeSet::new(), absent: true });
            }
        }
        customers.extend(own);
        adversarial_of.extend(traps);
        foreign.push(asked_elsewhere);
    }
    let pairs = customers.len() / foreign.len().max(1);
    for (conversation, asked) in foreign.into_iter().enumerate() {
        let at = (conversation + 1) * pairs % customers.len();
        customers[at].questions.extend(asked.into_iter().step_by(2));
    }
    let adversarial = Set { name: "locomo_en adversarial".into(), customers: adversarial_of };
    Ok([Set { name: "locomo_en".into(), customers }, adversarial])
}

/// Preferences: alone; one of each topic; all together. A question of another topic must find nothing.
fn prefeval(data: &Path) -> Read<Vec<Set>> {
    let rows = rows(&data.join("prefeval_en.jsonl.gz"))?;
    let explicit = rows.iter().filter(|row| row["kind"] == "explicit_preference");
    let all: Vec<(String, String, String)> =
        explicit.map(|row| (string(&row["topic"]), string(&row["preference"]), string(&row["question"]))).collect();
    let mut by_topic: BTreeMap<&str, Vec<&(String, String, String)>> = BTreeMap::new();
    for row in &all {
        by_topic.entry(&row.0).or_default().push(row);
    }
    let asked = |text: &str, right: Option<usize>| Asked {
        text: text.to_owned(),
        right: right.into_iter().collect(),
        absent: right.is_none(),
    };
    let one = all.iter().enumerate().map(|(at, (topic, preference, question))| {
        let other = all[(at + 1)..].iter().chain(&all).find(|row| row.0 != *topic);
        let mut questions = vec![asked(question, Some(0))];
        questions.extend(other.map(|row| asked(&row.2, None)));
        Customer { documents: vec![preference.clone()], questions, ..Customer::default() }
    });
    let one = Set { name: "prefeval ×1".into(), customers: one.collect() };

    let rounds = by_topic.values().map(Vec::len).min().unwrap_or_default();
    let mut mixed = Vec::new();
    for round in 0..rounds {
        let picked: Vec<_> = by_topic.values().map(|rows| rows[round]).collect();
        let absent = round % picked.len();
        let mut customer = Customer::default();
        for (at, row) in picked.iter().enumerate() {
            if at == absent {
                customer.questions.push(asked(&row.2, None));
            } else {
                customer.questions.push(asked(&row.2, Some(customer.documents.len())));
                customer.documents.push(row.1.clone());
            }
        }
        // One topic's questions are left out in turn; more of that topic's, to have enough that nothing answers.
        let others = by_topic.values().nth(absent).into_iter().flatten().skip(1).step_by(2);
        customer.questions.extend(others.map(|row| asked(&row.2, None)));
        mixed.push(customer);
    }
    let mixed = Set { name: "prefeval ×19".into(), customers: mixed };

    let documents: Vec<String> = all.iter().map(|row| row.1.clone()).collect();
    let questions = all.iter().enumerate().map(|(at, row)| asked(&row.2, Some(at))).collect();
    let pooled = Set {
        name: "prefeval pooled".into(),
        customers: vec![Customer { documents, questions, ..Customer::default() }],
    };
    Ok(vec![one, mixed, pooled])
}

/// Twelve ids together are a customer; the questions of the next id must find nothing.
fn memdaily(data: &Path) -> Read<Set> {
    let rows: Vec<Value> = rows(&data.join("memdaily_zh.jsonl.gz"))?.into_iter().step_by(12).collect();
    let mut customers = Vec::new();
    for (at, group) in rows.chunks(12).enumerate() {
        let mut customer = Customer::default();
        for row in group {
            let start = customer.documents.len();
            let ids: Vec<&Value> = list(&row["docs"]).iter().map(|doc| &doc["id"]).collect();
            customer.documents.extend(list(&row["docs"]).iter().map(|doc| string(&doc["text"])));
            for qa in list(&row["qa"]) {
                let right = list(&qa["ev"]).iter().filter_map(|ev| ids.iter().position(|id| *id == ev));
                let right = right.map(|at| start + at).collect();
                customer.questions.push(Asked { text: string(&qa["q"]), right, absent: false });
            }
        }
        let next = rows.chunks(12).nth(at + 1).or(rows.chunks(12).next()).unwrap_or_default();
        let foreign = next.iter().flat_map(|row| list(&row["qa"]));
        let foreign = foreign.map(|qa| Asked { text: string(&qa["q"]), right: BTreeSet::new(), absent: true });
        customer.questions.extend(foreign);
        customers.push(customer);
    }
    Ok(Set { name: "memdaily_zh".into(), customers })
}

/// The paragraphs of eight articles are a customer; questions about the next eight must find nothing.
fn xquad(data: &Path, language: &str) -> Read<Set> {
    let rows = rows(&data.join(format!("xquad/{language}.jsonl.gz")))?;
    let mut articles: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for row in &rows {
        articles.entry(string(&row["title"])).or_default().push(row);
    }
    let articles: Vec<Vec<&Value>> = articles.into_values().collect();
    let groups: Vec<Vec<&Value>> = articles.chunks(8).map(<[_]>::concat).collect();
    let questions = |row: &Value| list(&row["qa"]).iter().map(|qa| string(&qa["q"])).collect::<Vec<_>>();
    let mut customers = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        let mut customer = Customer::default();
        for row in group {
            let right = BTreeSet::from([customer.documents.len()]);
            customer.documents.push(string(&row["context"]));
            let asked = questions(row).into_iter().map(|text| Asked { text, right: right.clone(), absent: false });
            customer.questions.extend(asked);
        }
        let next = groups[(at + 1) % groups.len()].iter().flat_map(|row| questions(row)).step_by(4);
        customer.questions.extend(next.map(|text| Asked { text, right: BTreeSet::new(), absent: true }));
        customers.push(customer);
    }
    Ok(Set { name: format!("xquad_{language}"), customers })
}

/// Fifty premises are a customer; questions about the next fifty must find nothing.
fn koziev(data: &Path) -> Read<Set> {
    let mut rows: Vec<Value> = rows(&data.join("koziev_premise_qa_ru.jsonl.gz"))?.into_iter().take(3_000).collect();
    let mut known = BTreeSet::new();
    rows.retain(|row| known.insert(string(&row["t"])));
    let mut customers = Vec::new();
    for (at, group) in rows.chunks(50).enumerate() {
        let mut customer = Customer::default();
        for row in group {
            let right = BTreeSet::from([customer.documents.len()]);
            customer.documents.push(string(&row["t"]));
            customer.questions.push(Asked { text: string(&row["q"]), right, absent: false });
        }
        let next = rows.chunks(50).nth(at + 1).or(rows.chunks(50).next()).unwrap_or_default();
        let foreign = next.iter().step_by(2).map(|row| string(&row["q"]));
        customer.questions.extend(foreign.map(|text| Asked { text, right: BTreeSet::new(), absent: true }));
        customers.push(customer);
    }
    Ok(Set { name: "koziev_ru".into(), customers })
}
