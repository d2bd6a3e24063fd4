//! Chinese: clauses between commas, a subject that is often left out, and predicates by table.
//!
//! The path of a sentence: clauses → `manner` takes off what stands around → `subject` finds of whom → the table
//! (`rules.txt`) says what → `refuse` and [`stated::judge`] keep out what is asked, guessed, passing or somebody else's.

use std::sync::LazyLock;

use saidso_core::{
    item::Span,
    text::{self, Normalised},
};

use super::{
    rules::{Finding, Reading, Rules, Sentence},
    stated::{self, Manner, Stated, Tongue, Who},
    table::Table,
    technology,
};

mod asked;
mod manner;
mod refuse;
mod subject;
mod tidy;

static ZH: Tongue = Tongue {
    table: LazyLock::new(|| Table::parse(include_str!("rules.txt"), &[("tech", &technology::pattern())])),
    phrase: tidy::phrase,
    passing: refuse::passing,
    ahead: refuse::ahead,
    weighed: refuse::weighed,
    rank: refuse::rank,
    steady: refuse::steady,
    kind: subject::named_in,
    things: &THINGS,
    questions,
};

/// The rules of Chinese.
pub(super) struct Chinese;

impl Rules for Chinese {
    fn read(&self, sentence: &Sentence<'_>) -> Reading {
        let mut reader = Reader::new(sentence);
        let mut clauses = text::clauses(sentence.message, sentence.span).into_iter().peekable();
        while let Some(span) = clauses.next() {
            match clauses.peek().and_then(|next| reader.contrast(span, *next)) {
                Some(()) => drop(clauses.next()),
                None => reader.clause(span),
            }
        }
        reader.reading
    }

    fn asked(&self, question: &str) -> Option<String> {
        asked::asked(question)
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
    /// "如果…", "开玩笑": what follows is not meant as said.
    supposed: bool,
    /// "不对，…": what follows takes the place of what was said.
    corrected: bool,
}

impl<'a> Reader<'a> {
    fn new(sentence: &'a Sentence<'a>) -> Self {
        let topic = sentence.before.last().and_then(referent);
        let supposed = refuse::mocks(sentence.message, sentence.text());
        Self { sentence, reading: Reading::default(), topic, occasion: None, supposed, corrected: false }
    }

    /// Reads two clauses of which the second puts something in the place of what the first denies ("不是住在杭州，是住在上海"):
    /// the one holds, the other does not. `None` if they are no such pair.
    fn contrast(&mut self, first: Span, second: Span) -> Option<()> {
        let form =
            |span: Span| tidy::clause(Normalised::new(span.of(self.sentence.message).unwrap_or_default()).text());
        let contrast = manner::contrast(&form(first), &form(second))?;
        let both = stated::bare(self.sentence.message, Span { start: first.start, end: second.end }, &[]);
        let raw = both.of(self.sentence.message).unwrap_or_default();
        let before = self.reading.findings.len();
        let holds = contrast.holds.into_iter().find(|holds| {
            self.said(both, raw, holds.clone(), Manner { changed: true, ..Manner::default() });
            self.reading.findings.len() > before
        });
        let alone = self.reading.findings.get(before).is_some_and(|holds| !holds.many);
        if holds.is_some() && !alone {
            let raw = first.of(self.sentence.message).unwrap_or_default();
            self.said(first, raw, contrast.denied, Manner { denied: true, ..Manner::default() });
        }
        Some(())
    }

    /// Reads one clause.
    fn clause(&mut self, span: Span) {
        let raw = span.of(self.sentence.message).unwrap_or_default();
        let span = stated::bare(self.sentence.message, span, &[]);
        let clause = tidy::clause(Normalised::new(raw).text());
        self.said(span, raw, clause, Manner::default());
    }

    /// Reads a clause in its tidy form, said in a manner that is known already.
    fn said(&mut self, span: Span, raw: &str, clause: String, given: Manner) {
        // "也许吧，…": a guess put in front colours all that follows.
        self.supposed |= refuse::supposes(&clause) || clause.chars().count() <= 4 && text::is_hedged(raw);
        if refuse::occasion(&clause) {
            self.occasion = Some(span.start);
            return;
        }
        if !refuse::standing(&clause)
            && let Some(wanted) = stated::wanted(&ZH, &clause, span)
        {
            self.topic = None;
            return self.reading.findings.push(wanted);
        }
        if text::is_question(raw) || refuse::request(&clause) {
            self.topic = None;
            return;
        }
        if manner::corrects(&clause) {
            self.corrected = true;
            return;
        }
        let corrected = std::mem::take(&mut self.corrected);
        let mut manner = Manner { changed: given.changed || corrected, ..given };
        let stripped = manner::before(&mut manner, &clause);
        let (said_of, rest) = subject::head(&stripped);
        let predicate = manner::behind(&mut manner, rest);
        let (who, start) = match (&said_of, &self.topic) {
            (Who::Unsaid, Some((who @ Who::Customer, _))) => (who.clone(), span.start),
            (Who::Unsaid | Who::Pronoun, Some((who, start))) if *who != Who::Customer => (who.clone(), *start),
            (said_of, _) => (said_of.clone(), span.start),
        };
        let start = self.occasion.take().map_or(start, |occasion| occasion.min(start));
        let span = Span { start, end: span.end };
        let said = Stated { raw, text: &clause, who, manner, predicate: &predicate, span, supposed: self.supposed };
        match stated::judge(&ZH, &said) {
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
        if let Some(key) = new.and_then(|finding| stated::introduced(finding, subject::named_in)) {
            self.topic = Some((Who::Person(key), span.start));
        }
    }
}

/// Whom a pronoun in the next sentence may mean: the one the last finding introduced or spoke of.
fn referent(last: &Finding) -> Option<(Who, u32)> {
    let key = stated::introduced(last, subject::named_in).or_else(|| subject::known(&last.subject))?;
    Some((Who::Person(key), last.span.start))
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
        thing => match THINGS.iter().find(|(_, attribute)| *attribute == thing) {
            Some((word, _)) => return vec![format!("{whose}用的是什么{word}？")],
            None => return Vec::new(),
        },
    };
    vec![format!("{whose}{question}")]
}
