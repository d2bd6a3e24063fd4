//! Russian: free word order brought into one, a subject that its verb often stands for, and predicates by table.
//!
//! The path of a sentence: clauses, cut once more before a verb of the first person → `manner` takes off what stands
//! around → `subject` finds of whom → the table (`rules.txt`) says what → `refuse` and [`stated::judge`] keep out what
//! is asked, guessed, passing or somebody else's. Values stand as said; what
//! compares them looks past their endings (`text::same_key`).

use std::sync::LazyLock;

use saidso_core::{item::Span, text};

use super::{
    rules::{Finding, Reading, Rules, Sentence},
    stated::{self, Manner, Stated, Tongue, Who},
    table::{Table, pattern},
    technology,
};

mod asked;
mod manner;
mod refuse;
mod subject;
mod tidy;

static RU: Tongue = Tongue {
    table: LazyLock::new(|| Table::parse(include_str!("rules.txt"), &[("tech", &technology::pattern())])),
    phrase: tidy::phrase,
    passing: refuse::passing,
    ahead: refuse::ahead,
    weighed: refuse::weighed,
    rank: refuse::rank,
    steady: refuse::steady,
    kind: subject::kind,
    things: &THINGS,
    questions,
};

// Where a clause of its own begins without a subject: before a verb that says "I" or "we" by its ending, or a short
// predicate of the customer.
pattern!(
    VERB,
    "(?:,(?: а)?| а) (?:летом|зимой|весной|осенью|в тестовой среде|на тесте|в продакшене|на проде|в проде|в production|в разработке|дома|на работе)(?: |,)|\
     (?:,| и| а| но)(?: и| а| но| еще| также| тоже| сейчас| теперь| уже)* (?:не )?(?:живу|живем|работаю|работаем|люблю|любим|обожаю|ненавижу|учусь|учу|увлекаюсь|занимаюсь|занимаемся|использую|используем|пользуюсь|пользуемся|\
     играю|езжу|воспитываю|изучаю|предпочитаю|предпочитаем|боюсь|мечтаю|коллекционирую|говорю по|пою|танцую|рисую|вяжу|шью|замужем|женат|разведена?|есть (?:двое|трое|сын|дочь|дети|кот|кошка|собака|муж|жена)|\
     ем|пью|курю|терпеть не могу|переехал[аи]?|перешли|вышла замуж|родил(?:а|ся|ась)|двое детей|трое детей|руковожу|пишем|храним|разворачиваем|разрабатываем|продаем|торгуем|планируем|веду|готовлю|ношу|(?:очень )?плохо (?:вижу|слышу))(?: |,|\\.|!|$)"
);

/// The rules of Russian.
pub(super) struct Russian;

impl Rules for Russian {
    fn read(&self, sentence: &Sentence<'_>) -> Reading {
        let mut reader = Reader {
            sentence,
            reading: Reading::default(),
            topic: sentence.before.last().and_then(referent),
            supposed: refuse::mocks(sentence.message, sentence.text()),
            corrected: false,
        };
        for clause in text::clauses(sentence.message, sentence.span) {
            for part in parts(sentence.message, clause) {
                reader.clause(part);
            }
        }
        reader.reading
    }

    fn asked(&self, question: &str) -> Option<String> {
        asked::asked(question)
    }
}

/// Cuts a clause before verbs that begin one of their own.
fn parts(message: &str, clause: Span) -> Vec<Span> {
    let text = clause.of(message).unwrap_or_default();
    let mut parts = Vec::new();
    let mut start = 0;
    let mut search = 0;
    while let Some(found) = text.get(search..).and_then(|rest| VERB.find(rest)) {
        let at = search + found.start();
        // The comma stays with what it closes.
        let cut = at + usize::from(text[at..].starts_with(','));
        // "Наверное, живу …": a guess in front stays with what it guesses.
        if text[start..cut].chars().any(char::is_alphanumeric) && !text::is_hedged(&text[start..cut]) {
            parts.push((start, cut));
            start = cut;
        }
        search = at + found.as_str().chars().next().map_or(1, char::len_utf8);
    }
    parts.push((start, text.len()));
    let span = |(from, to): (usize, usize)| {
        let part = &text[from..to];
        let from = from + (part.len() - part.trim_start().len());
        Span { start: clause.start + from as u32, end: clause.start + (from + part.trim().len()) as u32 }
    };
    parts.into_iter().map(span).collect()
}

/// A sentence being read: what earlier clauses leave for later ones.
struct Reader<'a> {
    sentence: &'a Sentence<'a>,
    reading: Reading,
    /// Of whom the clause before spoke, and where it began: a clause without a subject goes on about it.
    topic: Option<(Who, u32)>,
    /// "Если…", "шучу": what follows is not meant as said.
    supposed: bool,
    /// "Нет, подождите, …": what follows takes the place of what was said.
    corrected: bool,
}

impl Reader<'_> {
    /// Reads one clause.
    fn clause(&mut self, span: Span) {
        let raw = span.of(self.sentence.message).unwrap_or_default();
        let from = span.start;
        let span = stated::bare(self.sentence.message, span, &["и ", "а ", "но ", "да "]);
        let clause = tidy::clause(raw);
        if let Some(contrast) = manner::contrast(&clause) {
            return self.contrast(span, raw, from, &contrast);
        }
        self.said(span, raw, clause, Manner::default());
    }

    /// "Не чай, а кофе": the one holds, the other does not.
    fn contrast(&mut self, span: Span, raw: &str, from: u32, contrast: &manner::Contrast) {
        let before = self.reading.findings.len();
        self.said(span, raw, contrast.holds.clone(), Manner { changed: true, ..Manner::default() });
        let Some(end) = raw.find(", а ").or_else(|| raw.find(" а ")) else { return };
        let alone = self.reading.findings.get(before).is_some_and(|holds| {
            holds.kind == saidso_core::item::Kind::Fact && !holds.many && !holds.attribute.starts_with("opinion of ")
        });
        // Of a thing with one value at a time the one that holds takes the place of the other.
        if self.reading.findings.len() > before && !alone {
            let denied = Span { end: from + end as u32, ..span };
            self.said(denied, &raw[..end], contrast.denied.clone(), Manner { denied: true, ..Manner::default() });
        }
    }

    /// Reads a clause in its tidy form, said in a manner that is known already.
    fn said(&mut self, span: Span, raw: &str, clause: String, given: Manner) {
        // "Кажется, …": a guess put in front colours all that follows.
        self.supposed |= refuse::supposes(&clause) || clause.split(' ').count() <= 3 && text::is_hedged(raw);
        if !refuse::standing(&clause)
            && let Some(wanted) = stated::wanted(&RU, &refuse::plain(&clause), span)
        {
            self.topic = None;
            return self.reading.findings.push(wanted);
        }
        if text::is_question(raw) {
            self.topic = None;
            return;
        }
        if manner::corrects(&clause) {
            self.corrected = true;
            return;
        }
        let corrected = std::mem::take(&mut self.corrected);
        let mut manner = Manner { changed: given.changed || corrected, ..given };
        let stripped = match manner::untrue(&clause) {
            Some(said) => {
                manner.denied = !manner.denied;
                manner::before(&mut manner, said)
            }
            None => manner::before(&mut manner, &clause),
        };
        let headed = subject::head(&stripped);
        let predicate = manner::behind(&mut manner, &headed.predicate);
        let (who, start) = match (&headed.who, &self.topic) {
            (Who::Unsaid, Some((Who::Customer, _))) => (Who::Customer, span.start),
            (Who::Unsaid | Who::Pronoun, Some((who, start))) if *who != Who::Customer => (who.clone(), *start),
            (said, _) => (said.clone(), span.start),
        };
        let span = Span { start, end: span.end };
        // "На тесте MySQL": whose it is goes without saying.
        let who = match manner.qualifier {
            Some(_) if who == Who::Unsaid && technology::named(&predicate).is_some() => Who::Customer,
            _ => who,
        };
        let said = Stated { raw, text: &clause, who, manner, predicate: &predicate, span, supposed: self.supposed };
        match stated::judge(&RU, &said) {
            Some(Ok(finding)) if finding.kind != saidso_core::item::Kind::Instruction && refuse::request(&clause) => {}
            // "Работает экспорт": a thing works, and nobody is named who would.
            Some(Ok(finding)) if said.who == Who::Unsaid && works(&predicate, &finding) => {}
            Some(Ok(finding)) => self.reading.findings.push(finding),
            Some(Err(reason)) => self.reading.drops.push((span, reason)),
            None => {}
        }
        self.topic = match headed.who {
            Who::Other => None,
            Who::Unsaid if verbal(&predicate) && self.topic.is_none() => Some((Who::Customer, start)),
            Who::Unsaid | Who::Pronoun => self.topic.take(),
            who => Some((who, start)),
        };
        // "У меня есть сын, он учится": the next pronoun means the one just named.
        let new = self.reading.findings.last().filter(|finding| finding.span == span);
        if let Some(key) = new.and_then(|finding| stated::introduced(finding, subject::named_in)) {
            self.topic = Some((Who::Person(key), span.start));
        }
    }
}

/// Whether it says of the third person where or as what somebody works.
fn works(predicate: &str, finding: &Finding) -> bool {
    ["работает ", "работают "].iter().any(|verb| predicate.starts_with(verb))
        && ["employer", "work place", "work mode", "occupation", "industry"].contains(&finding.attribute.as_str())
}

/// Whether a predicate begins with a verb of the first person.
fn verbal(predicate: &str) -> bool {
    let first = predicate.split(' ').next().unwrap_or_default();
    ["ю", "у", "ем", "им", "юсь", "усь", "емся", "имся", "ла", "л", "ли", "лся", "лась", "лись"]
        .iter()
        .any(|ending| first.ends_with(ending))
}

/// Whom a pronoun in the next sentence may mean: the one the last finding introduced or spoke of.
fn referent(last: &Finding) -> Option<(Who, u32)> {
    let key = stated::introduced(last, subject::named_in).or_else(|| subject::known(&last.subject))?;
    Some((Who::Person(key), last.span.start))
}

/// Things of an organisation by the stem of their word.
const THINGS: [(&str, &str); 12] = [
    ("баз дан", "database"),
    ("операционн систем", "operating system"),
    ("облак", "cloud"),
    ("сервер", "server"),
    ("стек", "stack"),
    ("язык программирован", "programming language"),
    ("фреймворк", "framework"),
    ("брокер", "message broker"),
    ("верс", "version"),
    ("сайт", "website"),
    ("браузер", "browser"),
    ("срм", "crm"),
];

/// Questions the finding answers.
fn questions(attribute: &str, who: &Who) -> Vec<String> {
    if !matches!(who, Who::Customer | Who::Unsaid) {
        return Vec::new();
    }
    let (head, object) =
        attribute.split_once(" of ").or_else(|| attribute.split_once(" in ")).unwrap_or((attribute, ""));
    let question = match head {
        "home city" => "Где я живу?",
        "origin" => "Откуда я родом?",
        "occupation" => "Кем я работаю?",
        "employer" => "Где я работаю?",
        "name" => "Как меня зовут?",
        "age" => "Сколько мне лет?",
        "birth date" => "Когда у меня день рождения?",
        "marital status" => "Я в браке?",
        "children" | "child" => "Есть ли у меня дети?",
        "family" => "Какая у меня семья?",
        "pet" => "Какие у меня питомцы?",
        "health" => "Какие у меня аллергии и болезни?",
        "diet" => "Чего я не ем?",
        "education" => "Где я учусь?",
        "hobby" | "plays" | "habit" => "Чем я увлекаюсь?",
        "language" => "На каких языках я говорю?",
        "contract" => "Когда заканчивается наш договор?",
        "size" => "Сколько нас человек?",
        "industry" => "Чем занимается наша компания?",
        "deployment" => "Как у нас развернуто?",
        "plan" => "Какой у нас тариф?",
        "goal" | "project" => "Какие у меня планы?",
        "answers" => "Как мне отвечать?",
        "database" => "Какая у нас база данных?",
        "operating system" => "Какая у нас операционная система?",
        "cloud" => "Какое у нас облако?",
        "programming language" => "Какой у нас язык программирования?",
        "framework" => "Какой у нас фреймворк?",
        "message broker" => "Какой у нас брокер сообщений?",
        "website" => "Какой у нас сайт?",
        "browser" => "Какой у нас браузер?",
        "crm" => "Какая у нас CRM?",
        "opinion" | "interest" if !object.is_empty() => return vec![format!("Как я отношусь к {object}?")],
        _ => return Vec::new(),
    };
    vec![question.to_owned()]
}
