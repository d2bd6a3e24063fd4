//! What stands around a quote in its sentence: a statement is judged by all that is said of it, not by the part quoted.

use crate::{
    item::{Candidate, DropReason, Kind, Span},
    text::{self, Whose},
};

/// A quote with the rest of its sentence.
pub(super) struct Around<'a> {
    /// From the start of the sentence to the quote.
    before: &'a str,
    quote: &'a str,
    /// From the quote to the end of the sentence.
    after: &'a str,
    /// `before` to `after`.
    whole: &'a str,
}

/// Subjects of items that mean the one who speaks.
const SPEAKERS: [&str; 14] = [
    "customer",
    "user",
    "client",
    "speaker",
    "i",
    "me",
    "客户",
    "用户",
    "顾客",
    "我",
    "клиент",
    "пользователь",
    "я",
    "cliente",
];

impl<'a> Around<'a> {
    /// A quote of a message with what stands around it, by the message's sentences.
    pub fn of(message: &'a str, sentences: &[Span], quote: Span) -> Self {
        let touched = || sentences.iter().filter(|sentence| sentence.overlaps(quote));
        let start = touched().next().map_or(quote.start, |first| first.start.min(quote.start));
        let end = touched().next_back().map_or(quote.end, |last| last.end.max(quote.end));
        let cut = |start, end| Span { start, end }.of(message).unwrap_or_default();
        Self {
            before: cut(start, quote.start),
            quote: cut(quote.start, quote.end),
            after: cut(quote.end, end),
            whole: cut(start, end),
        }
    }

    /// What speaks against the item in what stands around its quote.
    pub fn refusal(&self, item: &Candidate) -> Option<DropReason> {
        let states = !matches!(item.kind, Kind::Instruction | Kind::Task);
        let of_speaker = SPEAKERS.contains(&item.topic_key.subject.to_lowercase().as_str());
        if states && of_speaker && (self.of_others() || self.told()) {
            return Some(DropReason::NotCustomer);
        }
        // A theme is raised by asking about it; it says nothing that could be untrue.
        let claims = states && item.kind != Kind::Topic;
        if claims && self.asks() {
            return Some(DropReason::Unsupported);
        }
        if claims && self.guesses() {
            return Some(DropReason::Hedged);
        }
        if item.kind == Kind::Fact && !item.changed && self.passes() {
            return Some(DropReason::Transient);
        }
        self.denied_outside().then_some(DropReason::Unsupported)
    }

    /// Whether somebody else says it: "my boss says I'm lazy".
    pub fn told(&self) -> bool {
        text::others_say(self.before.trim_end())
    }

    /// Whether the sentence bids not to forget.
    pub fn bids_to_remember(&self) -> bool {
        const BIDS: [&str; 17] = [
            "don't forget",
            "do not forget",
            "dont forget",
            "never forget",
            "not forget",
            "won't forget",
            "n't forget",
            "не забудь",
            "не забыв",
            "не забуд",
            "никогда не забу",
            "别忘",
            "不要忘",
            "不会忘",
            "不能忘",
            "勿忘",
            "no olvid",
        ];
        let sentence = text::Normalised::new(self.whole);
        BIDS.iter().any(|bid| sentence.text().contains(bid))
    }

    /// Whether it is asked, or said to be confirmed ("…, right?").
    fn asks(&self) -> bool {
        let (left, right) = (self.left(true), self.right());
        let behind = &self.after[right.len()..];
        // Behind an "and" another clause asks.
        let mark = behind.chars().next().filter(|c| MARKS.contains(c)).map_or(0, char::len_utf8);
        let rest = &behind[mark..];
        // "Я рад, что я дома": a conjunction behind a mark asks nothing.
        let linked = ["что ", "как "].iter().any(|link| left.trim_start().starts_with(link));
        let from = if linked && left.len() < self.before.len() { self.before.len() } else { self.start_of(left) };
        let tag = rest.trim().ends_with(['?', '？']) && is_tag(rest);
        tag || text::is_question(&self.whole[from..self.whole.len() - rest.len()])
    }

    /// Whether its clause speaks of somebody else.
    fn of_others(&self) -> bool {
        let of = match text::whose(self.quote) {
            Whose::Unsaid => {
                text::whose(&self.whole[self.start_of(self.left(true))..self.whole.len() - self.after.len()])
            }
            told => told,
        };
        matches!(of, Whose::Theirs | Whose::Others)
    }

    /// Whether it is guessed or supposed, there or by what opens the sentence ("如果…，").
    fn guesses(&self) -> bool {
        let lead = &self.before[..self.before.find(MARKS).unwrap_or(0)];
        let tail = self.right();
        let tail = if short(tail) { tail } else { "" };
        let from = self.start_of(self.left(true));
        let said = &self.whole[from..self.before.len() + self.quote.len() + tail.len()];
        guessed(said) || is_guess(self.after) || guessed(lead) && (is_guess(lead) || supposes(lead))
    }

    /// Whether it is true for now only.
    fn passes(&self) -> bool {
        let (left, end) = (self.left(true), self.before.len() + self.quote.len() + self.right().len());
        // "Today I'm at home": a word or two in front, not another statement run into it.
        let only_when = text::words(left).len() <= 2 && text::whose(left) == Whose::Unsaid;
        let from = if only_when { self.start_of(left) } else { self.before.len() };
        text::is_transient(&self.whole[from..end])
    }

    /// Whether a negation stands in the quote's clause and not in the quote: "like tea" of "I don't like tea".
    fn denied_outside(&self) -> bool {
        // "I don't smoke and drink" denies both, "I don't smoke and my wife drinks" does not.
        let own_subject = text::whose(self.quote) != Whose::Unsaid;
        let from = self.start_of(self.left(own_subject));
        let clause = &self.whole[from..self.before.len() + self.quote.len() + self.right().len()];
        text::negations(self.quote) == 0 && text::negations(clause) > 0
    }

    /// What stands before the quote in its clause; `and` tells whether a plain conjunction ends one.
    fn left(&self, and: bool) -> &'a str {
        let mark =
            self.before.rfind(MARKS).map_or(0, |at| at + self.before[at..].chars().next().map_or(0, char::len_utf8));
        let rest = &self.before[mark..];
        let lower = rest.to_lowercase();
        let joined = joints(and).filter_map(|joint| lower.rfind(joint).map(|at| at + joint.len()));
        let cut = joined.max().filter(|at| rest.is_char_boundary(*at)).unwrap_or(0);
        &rest[cut..]
    }

    /// What stands behind the quote in its clause.
    fn right(&self) -> &'a str {
        let mark = self.after.find(MARKS).unwrap_or(self.after.len());
        let rest = &self.after[..mark];
        let lower = rest.to_lowercase();
        let joined = joints(true).filter_map(|joint| lower.find(joint)).min();
        &rest[..joined.filter(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len())]
    }

    /// Where a part of `before` that ends with it begins.
    fn start_of(&self, left: &str) -> usize {
        self.before.len() - left.len()
    }
}

/// Marks between clauses.
const MARKS: [char; 20] =
    [',', ';', ':', '.', '!', '?', '(', ')', '—', '–', '\n', '，', '；', '：', '。', '！', '？', '（', '）', '…'];

/// Conjunctions between clauses; the plain ones with `and`.
fn joints(and: bool) -> impl Iterator<Item = &'static str> {
    const TURNS: [&str; 15] = [
        " but ",
        " so ",
        " because ",
        " although ",
        " though ",
        " while ",
        " whereas ",
        " since ",
        " но ",
        " зато ",
        " потому ",
        " поэтому ",
        " хотя ",
        " а ",
        " pero ",
    ];
    const PLAIN: [&str; 3] = [" and ", " и ", " y "];
    TURNS.into_iter().chain(PLAIN.into_iter().filter(move |_| and))
}

/// A guess or supposition; a hope or a plan is none, it states what is wished.
fn guessed(text: &str) -> bool {
    if !text::is_hedged(text) {
        return false;
    }
    const WISHES: [&str; 12] = [
        "i hope",
        "we hope",
        "hopefully",
        "hoping",
        "希望",
        "但愿",
        "打算",
        "надеюсь",
        "надеемся",
        "i would",
        "i'd",
        "if possible",
    ];
    let normal = text::Normalised::new(text);
    let plain = WISHES.iter().fold(normal.text().to_owned(), |text, wish| text.replace(wish, " "));
    text::is_hedged(&plain)
}

/// "…, right?": asks for the statement to be confirmed.
fn is_tag(text: &str) -> bool {
    const TAGS: [&str; 25] = [
        "right",
        "correct",
        "no",
        "yes",
        "huh",
        "eh",
        "isn't it",
        "aren't i",
        "don't i",
        "am i not",
        "do i not",
        "ain't i",
        "am i",
        "do i",
        "对吗",
        "对吧",
        "是吗",
        "是吧",
        "对不对",
        "是不是",
        "верно",
        "правда",
        "так",
        "не так ли",
        "правильно",
    ];
    TAGS.contains(&bare(text).as_str())
}

/// A guess in a word or two, put before what is guessed.
fn is_guess(text: &str) -> bool {
    const GUESSES: [&str; 28] = [
        "maybe",
        "perhaps",
        "probably",
        "possibly",
        "presumably",
        "supposedly",
        "i guess",
        "i think",
        "i suppose",
        "i believe",
        "not sure",
        "apparently",
        "可能",
        "也许",
        "或许",
        "大概",
        "好像",
        "也许吧",
        "может быть",
        "может",
        "наверное",
        "наверно",
        "возможно",
        "кажется",
        "вероятно",
        "видимо",
        "похоже",
        "по моему",
    ];
    GUESSES.contains(&bare(text).as_str())
}

/// The words of a text in normal form, without marks.
fn bare(text: &str) -> String {
    let words: Vec<String> = text::words(text).into_iter().map(|word| word.text).collect();
    let han = words.iter().all(|word| word.chars().all(|c| !c.is_ascii() && !c.is_lowercase()));
    words.join(if han { "" } else { " " })
}

/// Whether words open with a supposition.
fn supposes(text: &str) -> bool {
    const OPEN: [&str; 22] = [
        "if ",
        "unless ",
        "suppose",
        "imagine",
        "let's say",
        "assuming",
        "in case",
        "如果",
        "要是",
        "假如",
        "假设",
        "若",
        "万一",
        "倘若",
        "除非",
        "只要",
        "если",
        "допустим",
        "предположим",
        "вдруг",
        "представь",
        "при условии",
    ];
    let normal = text::Normalised::new(text);
    let said = normal.text().trim_start_matches(|c: char| !c.is_alphanumeric());
    let said = ["but ", "and ", "so ", "но ", "а ", "и ", "但", "那"]
        .iter()
        .fold(said, |said, joint| said.strip_prefix(joint).unwrap_or(said));
    OPEN.iter().any(|open| said.starts_with(open))
}

/// At most three words, or five characters of a script without spaces.
fn short(text: &str) -> bool {
    let words = text::words(text);
    match words.iter().any(text::Word::is_ideograph) {
        true => words.len() <= 5,
        false => words.len() <= 3,
    }
}
