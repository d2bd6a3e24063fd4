//! Words in a message that somebody else said, that were only given to be worked on, or that the customer takes back:
//! labelled lines of a pasted chat, the text behind a task ("translate this: …"), speech behind a saying verb.

use super::segment::span;
use crate::item::Span;

/// Regions that are not the customer's own statement.
pub(super) fn regions(message: &str) -> Vec<Span> {
    let mut out = Vec::new();
    let mut labels = Vec::new();
    let mut at = 0;
    for line in message.split_inclusive('\n') {
        let region = span(at, at + line.len());
        at += line.len();
        if let Some(label) = Label::of(line) {
            labels.push((label, region));
        } else if let Some(start) = behind_colon(line) {
            // A text to work on runs to the end of the message, speech to the end of its line.
            let end = if start.to_the_end { message.len() } else { region.end as usize };
            out.push(span(region.start as usize + start.at, end));
        }
    }
    // One label may be a heading ("Update: …"); two different ones are a talk.
    let talk = labels.iter().any(|(label, _)| label.name != labels[0].0.name);
    out.extend(labels.into_iter().filter(|(label, _)| label.foreign(talk)).map(|(_, region)| region));
    out.extend(taken_back(message));
    out
}

/// The speaker a line names: "Tom: …", `[12:03] Customer: …`.
struct Label {
    name: String,
    of_self: bool,
}

impl Label {
    /// The label of a line, if its first words before a colon can be one.
    fn of(line: &str) -> Option<Self> {
        let (head, said) = line.split_once([':', '：']).map(|(head, said)| match time(head) {
            // "12:03 Tom: …" and "[12:03] Tom: …": the clock has colons of its own.
            true => said.split_once([':', '：']).unwrap_or((head, said)),
            false => (head, said),
        })?;
        let name = head.rsplit([']', ')']).next()?.trim().trim_start_matches(|c: char| !c.is_alphabetic());
        let words: Vec<&str> = name.split_whitespace().collect();
        let word = |word: &&str| word.chars().all(char::is_alphabetic);
        let named = (1..=2).contains(&words.len())
            && words.iter().all(word)
            && words.iter().all(|word| word.starts_with(char::is_uppercase))
            && name.len() <= 30;
        let first = said.split_whitespace().next()?.to_lowercase();
        let first = first.split(['\'', '’', ',']).next().unwrap_or_default();
        let of_self = ["i", "my", "we", "our", "im", "ive", "я", "у", "мой", "моя", "мы"].contains(&first);
        named.then(|| Self { name: name.to_lowercase(), of_self })
    }

    /// Whether its line is somebody else's; `talk` if other labels stand beside it.
    fn foreign(&self, talk: bool) -> bool {
        const SELF: [&str; 3] = ["me", "i", "я"];
        const PARTIES: [&str; 16] = [
            "customer",
            "client",
            "caller",
            "agent",
            "support",
            "operator",
            "rep",
            "representative",
            "bot",
            "patient",
            "guest",
            "клиент",
            "оператор",
            "агент",
            "user",
            "human",
        ];
        const HEADINGS: [&str; 44] = [
            "note",
            "notes",
            "ps",
            "update",
            "edit",
            "fyi",
            "btw",
            "reason",
            "answer",
            "background",
            "context",
            "info",
            "problem",
            "issue",
            "question",
            "diet",
            "about",
            "name",
            "hello",
            "hi",
            "correction",
            "also",
            "примечание",
            "уточнение",
            "поправка",
            "исправление",
            "更正",
            "补充",
            "说明",
            "correct",
            "yes",
            "no",
            "actually",
            "true",
            "summary",
            "address",
            "status",
            "job",
            "work",
            "family",
            "allergies",
            "hobbies",
            "home",
            "profile",
        ];
        let is = |list: &[&str]| list.contains(&self.name.as_str());
        !is(&SELF) && !is(&HEADINGS) && (talk || is(&PARTIES) || self.of_self)
    }
}

/// A clock's hours.
fn time(head: &str) -> bool {
    let digits = head.trim_start_matches(['[', '(', ' ']);
    (1..=2).contains(&digits.len()) && digits.chars().all(|c| c.is_ascii_digit())
}

/// Where foreign words begin in a line, and whether all after them is foreign too.
struct Behind {
    at: usize,
    to_the_end: bool,
}

/// What stands behind a task, the name of a text, or a saying verb, and its colon.
fn behind_colon(line: &str) -> Option<Behind> {
    const TASKS: [&str; 32] = [
        "translate",
        "rewrite",
        "rephrase",
        "paraphrase",
        "proofread",
        "summarize",
        "summarise",
        "correct",
        "edit",
        "continue",
        "complete",
        "polish",
        "write",
        "draft",
        "compose",
        "improve",
        "shorten",
        "send",
        "reply",
        "tell",
        "text",
        "fix",
        "check",
        "type",
        "repeat",
        "say",
        "read",
        "переведи",
        "переведите",
        "перепиши",
        "исправь",
        "напиши",
    ];
    const TEXTS: [&str; 36] = [
        "example",
        "examples",
        "sample",
        "forwarded",
        "fwd",
        "пример",
        "примера",
        "пересланное",
        "essay",
        "poem",
        "story",
        "letter",
        "email",
        "mail",
        "post",
        "article",
        "lyrics",
        "song",
        "text",
        "paragraph",
        "sentence",
        "review",
        "speech",
        "draft",
        "quote",
        "script",
        "novel",
        "book",
        "template",
        "bio",
        "tweet",
        "following",
        "dialogue",
        "verse",
        "caption",
        "chapter",
    ];
    const HAN_TASKS: [&str; 10] = ["转发", "示例", "举个例子", "例句", "翻译", "改写", "润色", "翻成", "校对", "写一"];
    let colon = line.match_indices([':', '：']).map(|(at, _)| at).find(|at| !of_a_time(line, *at));
    let open = line.get(..colon.unwrap_or(line.len()))?;
    // Only the sentence the colon ends is its announcement.
    let from = open.rfind(['.', '!', '?', '。', '！', '？']).map_or(0, |mark| mark + 1);
    let lower = open.get(from..).map(str::to_lowercase).unwrap_or_else(|| open.to_lowercase());
    let words: Vec<&str> =
        lower.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|w| !w.is_empty()).collect();
    let polite = ["please", "can", "could", "you", "would", "hi", "hello", "hey", "now", "help", "me", "пожалуйста"];
    let first = words.iter().find(|word| !polite.contains(word)).copied().unwrap_or_default();
    let task = TASKS.contains(&first) || HAN_TASKS.iter().any(|task| lower.contains(task));
    let text = words.iter().any(|word| TEXTS.contains(word));
    match colon {
        Some(colon)
            if task && (words.len() > 1 || lower.contains(|c: char| !c.is_ascii()))
                || text && !words.contains(&"i") =>
        {
            Some(Behind { at: colon + 1, to_the_end: true })
        }
        // A quotation behind the colon has an end of its own.
        Some(colon) if others_say(open) && !line[colon..].contains(['"', '“', '«', '「', '‘']) => {
            Some(Behind { at: colon + 1, to_the_end: false })
        }
        // "Translate this to German. I have …": what follows is the text.
        _ => {
            let first = lower_words(line);
            let told = first.iter().find(|word| !polite.contains(&word.as_str()))?;
            if !TASKS.contains(&told.as_str()) {
                return None;
            }
            let end = line.find(['.', '\n', '。']).filter(|end| end + 1 < line.len() || line.ends_with('\n'))?;
            let points = lower_words(line.get(..end)?);
            let at = points.iter().position(|word| word == told)?;
            let pointed = points.get(at + 1).is_some_and(|word| word == "this" || word == "the")
                && points.get(at + 2).is_none_or(|next| {
                    ["to", "into", "in", "for", "as", "please", "following"].contains(&next.as_str())
                });
            pointed.then_some(Behind { at: end + 1, to_the_end: true })
        }
    }
}

/// Whether a colon stands between the digits of a time of day.
fn of_a_time(line: &str, colon: usize) -> bool {
    let digit = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_digit());
    let bytes = line.as_bytes();
    digit(colon.checked_sub(1).map(|at| bytes[at])) && digit(bytes.get(colon + 1).copied())
}

fn lower_words(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Whether the words right before a quotation, a colon or a clause say that somebody else speaks.
pub fn others_say(before: &str) -> bool {
    const SAY: [&str; 36] = [
        "say",
        "says",
        "said",
        "saying",
        "write",
        "writes",
        "wrote",
        "tells",
        "told",
        "claims",
        "claimed",
        "shouts",
        "shouted",
        "sings",
        "sang",
        "asks",
        "asked",
        "replied",
        "replies",
        "answered",
        "texted",
        "posted",
        "goes",
        "reads",
        "quote",
        "thinks",
        "says:",
        "сказал",
        "сказала",
        "говорит",
        "пишет",
        "написал",
        "написала",
        "ответил",
        "сказали",
        "пишут",
    ];
    const HAN_SAY: [&str; 4] = ["说", "写道", "问", "喊"];
    let from = before.rfind(['.', '!', '?', '\n', '。', '！', '？']).map_or(0, |mark| mark + 1);
    let clause = before.get(from..).unwrap_or(before);
    let words = lower_words(clause);
    let tail = &words[words.len().saturating_sub(4)..];
    let own =
        |at: usize| tail[..at].iter().any(|word| ["i", "we", "я", "i've", "i'll", "i'd"].contains(&word.as_str()));
    let said = (0..tail.len()).any(|at| SAY.contains(&tail[at].as_str()) && !own(at));
    let han = clause.trim_end_matches([':', '：', ' ', '，']);
    // "准确地说", "总的来说": how the speaker puts it.
    let put = ["地说", "来说", "的说", "应该说", "可以说", "也就是说", "话说"].iter().any(|how| han.ends_with(how));
    said || !put && HAN_SAY.iter().any(|say| han.ends_with(say)) && !han.contains("我说")
}

/// Whether the words right behind a quotation say that somebody else speaks: "…", she said; "…" is what he wrote.
pub(super) fn others_said(behind: &str) -> bool {
    const SAID: [&str; 26] = [
        "said",
        "says",
        "wrote",
        "writes",
        "asked",
        "asks",
        "told",
        "shouted",
        "replied",
        "answered",
        "claimed",
        "claims",
        "goes",
        "сказал",
        "сказала",
        "говорит",
        "пишет",
        "написал",
        "написала",
        "ответил",
        "ответила",
        "спросил",
        "спросила",
        "сказали",
        "говорят",
        "пишут",
    ];
    let end = behind.find(['.', '!', '?', '\n', '。', '！', '？']).unwrap_or(behind.len());
    let words = lower_words(behind.get(..end).unwrap_or(behind));
    let head = &words[..words.len().min(6)];
    let own = head.iter().any(|word| ["i", "we", "я", "мы"].contains(&word.as_str()));
    let said = head.iter().any(|word| SAID.contains(&word.as_str()));
    let han = behind.trim_start_matches(['，', ',', ' ', '"', '”', '」']);
    let han: String = han.chars().take(8).collect();
    said && !own || !han.contains('我') && ["说", "写道", "问道", "喊道"].iter().any(|say| han.contains(say))
}

/// All before "just kidding": said, and taken back.
fn taken_back(message: &str) -> Option<Span> {
    const TAKES: [&str; 17] = [
        "just kidding",
        "only kidding",
        "i'm kidding",
        "i’m kidding",
        "im kidding",
        "just joking",
        "only joking",
        "i'm joking",
        "i’m joking",
        "just a joke",
        "scratch that",
        "i was joking",
        "开玩笑",
        "шучу",
        "это шутка",
        "я пошутил",
        "зачеркните",
    ];
    let lower = message.to_lowercase();
    // Lower case may change lengths; then only the plain phrase at its own place counts.
    let ends = TAKES.iter().filter_map(|take| lower.rfind(take).map(|at| at + take.len()));
    let short = lower.rfind(" jk").filter(|at| !lower[at + 3..].starts_with(char::is_alphanumeric)).map(|at| at + 3);
    let end = ends.chain(short).max()?;
    Some(span(0, message.floor_char_boundary(end)))
}

#[cfg(test)]
mod tests {
    use super::regions;

    fn covers(message: &str, words: &str) -> bool {
        let at = message.find(words).expect("the words stand in the message") as u32;
        regions(message).iter().any(|region| region.start <= at && at < region.end)
    }

    #[test]
    fn labelled_lines_tasks_and_speech_are_foreign() {
        for (message, words) in [
            ("Nora: I live in Lyon.\nMe: nice", "I live"),
            ("[09:14] Client: My boat leaks\n[09:15] Agent: sorry", "My boat"),
            ("Customer: I keep a parrot", "I keep"),
            ("Please translate into Dutch: I have a green door. I live in Ghent.", "I live"),
            ("My poem begins so: I own the sea", "I own"),
            ("Translate this to Polish. I have a garden.", "I have"),
            ("My aunt wrote: I hate cheese", "I hate"),
            ("I own a castle. Just kidding!", "I own"),
            ("Here is an example: I own a boat.", "I own"),
            ("Fwd: We run Postgres.", "We run"),
            ("Пример: я живу в Твери.", "я живу"),
        ] {
            assert!(covers(message, words), "{message}");
        }
    }

    #[test]
    fn own_words_stay_open() {
        for (message, words) in [
            ("Nora: I live in Lyon.\nMe: I live in Riga", "I live in Riga"),
            ("Update: I moved to Lyon", "I moved"),
            ("Поправка: я живу в Туле", "я живу"),
            ("准确地说：我住在南通", "我住在"),
            ("Just kidding! I live in Lyon.", "I live"),
            ("I'll say it again: I live in Lyon.", "I live in"),
            ("My hobbies: I paint", "I paint"),
            ("Two things: I am vegan", "I am"),
        ] {
            assert!(!covers(message, words), "{message}");
        }
    }
}
