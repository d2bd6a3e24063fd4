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
    technology,
};

mod answer;
mod manner;
mod refuse;
mod subject;
mod tidy;

use manner::Manner;
use subject::Who;

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::parse(include_str!("rules.txt"), &[("tech", &technology::pattern())]));

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
        let said = Clause { raw, text: &clause, who: &who, manner, predicate: &predicate, span, lead };
        match self.judge(&said) {
            Some(Ok(finding)) => self.reading.findings.push(finding),
            Some(Err(reason)) => self.reading.drops.push((span, reason)),
            None => {}
        }
        self.topic = match said_of {
            Who::Other => None,
            Who::Unsaid | Who::Pronoun => self.topic.take(),
            who => Some((who, start)),
        };
        // "我有一个儿子，他五岁": the next pronoun means the one just named.
        let new = self.reading.findings.last().filter(|finding| finding.span == span);
        if let Some(key) = new.and_then(introduced) {
            self.topic = Some((Who::Person(key), span.start));
        }
    }

    /// A finding, or why what would have been one is none; `None` if nothing is near.
    fn judge(&self, clause: &Clause<'_>) -> Option<Result<Finding, DropReason>> {
        let said = TABLE.read(clause.predicate, |says| clause.fits(says), tidy::phrase)?;
        if matches!(clause.who, Who::Other | Who::Pronoun) {
            return Some(Err(DropReason::NotCustomer));
        }
        let hopes = said.attribute == "goal" || said.says.kind == Kind::Instruction;
        if self.supposed || !hopes && text::is_hedged(clause.raw) {
            return Some(Err(DropReason::Hedged));
        }
        let lasting = matches!(said.says.kind, Kind::Event | Kind::Instruction) || said.says.changed;
        let steady = if said.says.lasts { refuse::steady(clause.text) } else { clause.text.to_owned() };
        if !lasting && (text::is_transient(&steady) || refuse::passing(&steady)) {
            return Some(Err(DropReason::Transient));
        }
        Some(Ok(finding(said, clause)))
    }
}

/// A clause taken apart.
struct Clause<'a> {
    /// As written.
    raw: &'a str,
    /// In normal form.
    text: &'a str,
    /// Of whom it speaks.
    who: &'a Who,
    /// How it says it.
    manner: Manner,
    /// What it says.
    predicate: &'a str,
    /// The words it rests on.
    span: Span,
    /// The subject it left out.
    lead: Option<&'static str>,
}

impl Clause<'_> {
    /// Whether a rule may speak of it.
    fn fits(&self, says: &Says) -> bool {
        let of = match says.of {
            Of::Any => true,
            Of::Customer => matches!(self.who, Who::Customer | Who::Unsaid),
            Of::Group => !matches!(self.who, Who::Person(_)),
        };
        of && says.when_denied.is_none_or(|denied| denied == self.manner.denied)
            && (!says.when_habit || self.manner.habit)
            && (!says.when_timed || self.manner.timed)
            && (*self.who != Who::Unsaid || says.alone)
    }
}

/// A finding of what a clause says.
fn finding(said: Said, clause: &Clause<'_>) -> Finding {
    let &Clause { who, manner, span, lead, .. } = clause;
    let Said { attribute, value, qualifier, says } = said;
    let (attribute, value) = about(attribute, value);
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
        importance: importance(says.importance, &manner),
        confidence: if *who == Who::Unsaid { says.confidence.min(sure::SHAPE) } else { says.confidence },
    }
}

/// Things of an organisation by their names in every language's topic keys.
const THINGS: [(&str, &str); 21] = [
    ("数据库", "database"),
    ("操作系统", "operating system"),
    ("云", "cloud"),
    ("云平台", "cloud"),
    ("服务器", "server"),
    ("技术栈", "stack"),
    ("编程语言", "programming language"),
    ("框架", "framework"),
    ("消息队列", "message broker"),
    ("中间件", "middleware"),
    ("缓存", "cache"),
    ("版本", "version"),
    ("网站", "website"),
    ("架构", "architecture"),
    ("后端", "backend"),
    ("前端", "frontend"),
    ("办公软件", "office suite"),
    ("浏览器", "browser"),
    ("crm", "crm"),
    ("erp", "erp"),
    ("oa", "oa"),
];

/// A technology by its category and one name; a thing of an organisation by its English name.
fn about(attribute: String, value: String) -> (String, String) {
    let thing = THINGS.iter().find(|(word, _)| *word == attribute).map(|(_, english)| *english);
    if thing.is_none() && attribute != "uses" {
        return (attribute, value);
    }
    match technology::named(&value) {
        Some((category, name)) => (category.to_owned(), name),
        None => (thing.map_or(attribute, str::to_owned), value),
    }
}

fn importance(base: Unit, manner: &Manner) -> Unit {
    if manner.past {
        base.min(weight::DETAIL)
    } else if manner.strong && base == weight::PREFERENCE {
        weight::STRONG
    } else {
        base
    }
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
    let (head, object) =
        attribute.split_once(" of ").or_else(|| attribute.split_once(" in ")).unwrap_or((attribute, ""));
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
        "education" => "学的是什么？",
        "hobby" | "plays" | "habit" => "平时喜欢做什么？",
        "language" => "会说什么语言？",
        "contract" => "的合同什么时候到期？",
        "size" => "有多少人？",
        "industry" => "是做什么行业的？",
        "deployment" => "是怎么部署的？",
        "plan" => "用的是什么版本？",
        "goal" | "project" => "有什么计划？",
        "opinion" | "interest" if !object.is_empty() => return vec![format!("{whose}喜欢{object}吗？")],
        _ => return Vec::new(),
    };
    vec![format!("{whose}{question}")]
}
