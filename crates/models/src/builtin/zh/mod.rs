//! Chinese: clauses between commas, a subject that is often left out, and predicates by table.
//!
//! The path of a sentence: clauses → `manner` takes off what stands around → `subject` finds of whom → the table
//! (`rules.txt`) says what → `refuse` keeps out what is asked, guessed, passing or somebody else's.

use std::sync::LazyLock;

use saidso_core::{
    item::{DropReason, Kind, Span, Unit},
    text::{self, Normalised},
};

use super::{
    rules::{Finding, Reading, Rules, Sentence, sure, weight},
    table::{Of, Said, Says, Table},
};

mod answer;
mod manner;
mod refuse;
mod subject;
mod tidy;

use manner::Manner;
use subject::Who;

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::parse(include_str!("rules.txt")));

/// The rules of Chinese.
pub(super) struct Chinese;

impl Rules for Chinese {
    fn read(&self, sentence: &Sentence<'_>) -> Reading {
        let mut reader = Reader::new(sentence);
        for span in text::clauses(sentence.message, sentence.span) {
            reader.clause(span);
        }
        reader.reading
    }

    fn asked(&self, question: &str) -> Option<String> {
        answer::asked(question)
    }
}

/// A sentence being read: what earlier clauses leave for later ones.
struct Reader<'a> {
    sentence: &'a Sentence<'a>,
    reading: Reading,
    /// Of whom the clause before spoke, and where it began: a clause without a subject goes on about it.
    topic: Option<(Who, u32)>,
    /// Where "当…时" began: what follows holds only then, so the words stay together.
    occasion: Option<u32>,
    /// "如果…": all that follows is supposed.
    supposed: bool,
}

impl<'a> Reader<'a> {
    fn new(sentence: &'a Sentence<'a>) -> Self {
        let topic = sentence.before.last().and_then(referent);
        Self { sentence, reading: Reading::default(), topic, occasion: None, supposed: false }
    }

    /// Reads one clause.
    fn clause(&mut self, span: Span) {
        let raw = span.of(self.sentence.message).unwrap_or_default();
        let normalised = Normalised::new(raw);
        let clause = tidy::clause(normalised.text());
        if refuse::supposes(&clause) {
            self.supposed = true;
        }
        if refuse::occasion(&clause) {
            self.occasion = Some(span.start);
            return;
        }
        if text::is_question(raw) || refuse::request(&clause) {
            self.topic = None;
            return;
        }
        let mut manner = Manner::default();
        let stripped = manner.before(&clause);
        let (said_of, rest) = subject::head(&stripped);
        let predicate = manner.behind(rest);
        let (who, start, lead) = match (&said_of, &self.topic) {
            (Who::Unsaid, Some((who @ Who::Customer, _))) => (who.clone(), span.start, Some("我")),
            (Who::Unsaid | Who::Pronoun, Some((who, start))) if *who != Who::Customer => (who.clone(), *start, None),
            (said_of, _) => (said_of.clone(), span.start, None),
        };
        let start = self.occasion.take().map_or(start, |occasion| occasion.min(start));
        let span = Span { start, end: span.end };
        if let Some(reason) = self.judge(raw, &clause, &who, &manner, &predicate, span, lead) {
            self.reading.drops.push((span, reason));
        }
        self.topic = match said_of {
            Who::Other => None,
            Who::Unsaid | Who::Pronoun => self.topic.take(),
            who => Some((who, start)),
        };
        // "我有一个儿子，他五岁": the next pronoun means the one just named.
        if let Some(finding) = self.reading.findings.last().filter(|finding| finding.span == span) {
            if let Some(key) = introduced(finding) {
                self.topic = Some((Who::Person(key), span.start));
            }
        }
    }

    /// Adds a finding, or says why what would have been one is none.
    #[allow(clippy::too_many_arguments)]
    fn judge(&mut self, raw: &str, clause: &str, who: &Who, manner: &Manner, predicate: &str, span: Span, lead: Option<&'static str>) -> Option<DropReason> {
        let fits = |says: &Says| {
            (says.when_denied.is_none() || says.when_denied == Some(manner.denied))
                && (!says.when_habit || manner.habit)
                && (!says.when_timed || manner.timed)
                && match (says.of, who) {
                    (Of::Customer, who) => matches!(who, Who::Customer | Who::Unsaid),
                    (Of::Group, Who::Person(_)) => false,
                    _ => true,
                }
                && (*who != Who::Unsaid || says.alone)
        };
        let said = TABLE.read(predicate, fits, tidy::phrase)?;
        if matches!(who, Who::Other | Who::Pronoun) {
            return Some(DropReason::NotCustomer);
        }
        if self.supposed || text::is_hedged(raw) && said.attribute != "goal" && said.says.kind != Kind::Instruction {
            return Some(DropReason::Hedged);
        }
        let lasting = matches!(said.says.kind, Kind::Event | Kind::Instruction) || said.says.changed;
        if text::is_transient(raw) && !lasting || refuse::passing(clause) && !lasting {
            return Some(DropReason::Transient);
        }
        self.reading.findings.push(finding(said, who, manner, span, lead));
        None
    }
}

/// A finding of what a clause says.
fn finding(said: Said, who: &Who, manner: &Manner, span: Span, lead: Option<&'static str>) -> Finding {
    let Said { attribute, value, qualifier, says } = said;
    // What was so once is no value of what is so now.
    let (attribute, many) = match manner.past && says.kind == Kind::Fact {
        true => (format!("former {attribute}"), true),
        false => (attribute, says.many),
    };
    Finding {
        kind: says.kind,
        span,
        lead,
        subject: who.key().to_owned(),
        questions: questions(&attribute, who),
        attribute,
        many,
        value,
        negated: manner.denied != says.denied,
        qualifier,
        changed: says.changed || manner.changed,
        importance: importance(says.importance, manner),
        confidence: if *who == Who::Unsaid { says.confidence.min(sure::SHAPE) } else { says.confidence },
    }
}

fn importance(base: Unit, manner: &Manner) -> Unit {
    if manner.past { base.min(weight::DETAIL) } else if manner.strong && base == weight::PREFERENCE { weight::STRONG } else { base }
}

/// Whom a pronoun in the next sentence may mean: the one the last finding introduced or spoke of.
fn referent(last: &Finding) -> Option<(Who, u32)> {
    let key = introduced(last).or_else(|| subject::known(&last.subject))?;
    Some((Who::Person(key), last.span.start))
}

/// The one person or animal a finding brings in: "我有一个儿子", "我养了一只猫".
fn introduced(finding: &Finding) -> Option<&'static str> {
    let one = !text::numbers(&finding.value).iter().any(|number| number != "1");
    match finding.attribute.as_str() {
        "pet" | "children" | "family" if one && !finding.negated => subject::named_in(&finding.value),
        _ => None,
    }
}

/// Questions the finding answers.
fn questions(attribute: &str, who: &Who) -> Vec<String> {
    let whose = match who {
        Who::Customer | Who::Unsaid | Who::Pronoun | Who::Other => "我",
        Who::Organisation(_) => "我们公司",
        Who::Person(key) => subject::word(key),
    };
    let (head, object) = attribute.split_once(" of ").or_else(|| attribute.split_once(" in ")).unwrap_or((attribute, ""));
    let question = match head {
        "home city" | "location" => "在哪里？",
        "origin" => "来自哪里？",
        "occupation" => "是做什么工作的？",
        "employer" => "在哪里工作？",
        "name" => "叫什么名字？",
        "age" => "多大了？",
        "birthday" => "生日是什么时候？",
        "marital status" => "结婚了吗？",
        "children" => "有孩子吗？",
        "family" => "家里有什么人？",
        "pet" => "养了什么宠物？",
        "health" => "有什么过敏或健康问题？",
        "diet" => "饮食上有什么忌口？",
        "studies" => "学的是什么？",
        "hobby" | "plays" | "habit" => "平时喜欢做什么？",
        "languages" => "会说什么语言？",
        "contract" => "的合同什么时候到期？",
        "size" => "有多少人？",
        "industry" => "是做什么行业的？",
        "deployment" => "是怎么部署的？",
        "plan" | "product in use" => "用的是什么版本？",
        "goal" | "project" => "有什么计划？",
        "opinion" | "interest" if !object.is_empty() => return vec![format!("{whose}喜欢{object}吗？")],
        _ => return Vec::new(),
    };
    vec![format!("{whose}{question}")]
}
