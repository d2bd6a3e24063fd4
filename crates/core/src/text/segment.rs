//! Sentences, and the clauses of a sentence that can stand alone.

use super::{Language, normal};
use crate::item::Span;

/// Abbreviations that a full stop does not end a sentence after, whatever follows.
const NEVER_END: &str =
    " mr mrs ms dr prof st vs e.g i.e eg ie approx no fig dept т т.е т.к т.н им ул стр кв обл см п д пр тел ";
/// Abbreviations that end a sentence only when a capital follows.
const MAY_END: &str = " etc inc ltd jr sr p.m a.m co corp т.д т.п др пр гг руб тыс млн млрд мин сек час ";

/// The sentences of a text in order, without white space around them. What holds no letter or digit is no sentence.
pub fn sentences(text: &str) -> Vec<Span> {
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < characters.len() {
        let (ends, next) = stop(text, &characters, start, at);
        if ends {
            let to = characters.get(next).map_or(text.len(), |&(byte, _)| byte);
            sentences.extend(trimmed(text, characters[start].0, to));
            start = next;
        }
        at = next;
    }
    if let Some(&(from, _)) = characters.get(start) {
        sentences.extend(trimmed(text, from, text.len()));
    }
    sentences
}

/// Whether the character at `at` (with the marks that follow it) ends the sentence, and the index to go on from.
fn stop(text: &str, characters: &[(usize, char)], start: usize, at: usize) -> (bool, usize) {
    let look = |index: usize| characters.get(index).map(|&(_, c)| c);
    let c = characters[at].1;
    let mut next = at + 1;
    if matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}') {
        return (true, next);
    }
    let tilde = matches!(c, '~' | '～') && at > 0 && look(at - 1).is_some_and(normal::han);
    if !(matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '｡' | '．' | '‼' | '⁉') || tilde || emoji(c))
    {
        return (false, next);
    }
    let mut run = String::from(c);
    while let Some(more) = look(next).filter(|&c| {
        matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '~' | '～') || emoji(c) || normal::invisible(c)
    }) {
        run.push(more);
        next += 1;
    }
    while look(next).is_some_and(|c| matches!(c, '"' | '\'' | '”' | '’' | '»' | '」' | '』' | ')' | '）' | '》' | ']'))
    {
        next += 1;
    }
    let follows = (next..).map_while(look).find(|c| !c.is_whitespace() && !normal::invisible(*c));
    let Some(follows) = follows else { return (true, next) };
    let spaced = look(next).is_some_and(char::is_whitespace);
    let fresh = follows.is_uppercase() || normal::ideograph(follows) || follows.is_numeric();
    let ends = if emoji(c) {
        spaced && (follows.is_uppercase() || normal::ideograph(follows))
    } else if run.contains(['!', '?', '。', '！', '？', '｡', '‼', '⁉']) {
        spaced || !address(text, characters, at)
    } else if c == '…' || run.len() > 1 {
        fresh || look(next).is_some_and(normal::han)
    } else if tilde || c == '．' {
        !follows.is_ascii_digit()
    } else if spaced {
        !abbreviation(text, characters, start, at, follows)
    } else {
        unspaced_stop(text, characters, at, follows)
    };
    (ends, next)
}

/// Whether a full stop with a space behind it belongs to an abbreviation, an initial or a list number.
fn abbreviation(text: &str, characters: &[(usize, char)], start: usize, at: usize, follows: char) -> bool {
    let end = characters[at].0;
    let word = text[characters[start].0..end]
        .rsplit(|c: char| c.is_whitespace() || "(\"«“".contains(c))
        .next()
        .unwrap_or_default();
    let lower = format!(" {} ", word.to_lowercase());
    if word.is_empty() || NEVER_END.contains(&lower) {
        return !word.is_empty();
    }
    // "в 2020 г. Потом" ends, "в г. Туле" does not.
    if word == "г" {
        let year = text[characters[start].0..end - word.len()].trim_end().ends_with(|c: char| c.is_ascii_digit());
        return !(year && follows.is_uppercase());
    }
    if MAY_END.contains(&lower) {
        return !follows.is_uppercase();
    }
    let initial = word.chars().count() == 1 && word != "I" && word.chars().all(char::is_uppercase);
    let list_number = text[characters[start].0..end].trim_start() == word && word.chars().all(|c| c.is_ascii_digit());
    initial || list_number
}

/// Whether a full stop without a space behind it ends a sentence all the same ("done.Next", "привет.как дела").
fn unspaced_stop(text: &str, characters: &[(usize, char)], at: usize, follows: char) -> bool {
    let Some(before) = at.checked_sub(1).map(|index| characters[index].1) else { return false };
    if normal::ideograph(before) || normal::ideograph(follows) {
        return true;
    }
    let long_word = at > 1 && characters[at - 2].1.is_alphabetic();
    let letters = before.is_alphabetic() && follows.is_alphabetic() && long_word && !address(text, characters, at);
    letters
        && (normal::cyrillic(before) && normal::cyrillic(follows) || before.is_lowercase() && follows.is_uppercase())
}

/// Whether the run of characters without spaces around `at` is a web or mail address.
fn address(text: &str, characters: &[(usize, char)], at: usize) -> bool {
    let byte = characters[at].0;
    let left = text[..byte].rsplit(char::is_whitespace).next().unwrap_or_default();
    let token = text[byte - left.len()..].split(char::is_whitespace).next().unwrap_or_default();
    token.contains("://") || token.starts_with("www.") || token.contains('@')
}

fn emoji(c: char) -> bool {
    matches!(c, '\u{1f300}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}')
}

/// Subjects that can open a clause of its own.
const SUBJECTS_EN: &str = " i i'm i've i'd i'll my mine we we're we've our he he's his she she's her they they're their it it's its \
    the this that that's these there there's you your ";
const SUBJECTS_RU: &str = " я мы он она они оно у мой моя мое мои мне меня нам нас наш наша наше наши это этот эта эти мою нашу мужа \
    муж жена сын дочь ";
const CONJUNCTIONS_EN: &str = " and but so because though although however yet whereas while plus ";
const CONJUNCTIONS_RU: &str = " но а и зато однако поэтому потому хотя так ";
/// A clause opened by one of these needs the next one to make sense.
const OPENERS: &str = " if when whenever while unless since because although though after before as once until \
    если когда пока чтобы раз хотя как поскольку ";

/// The parts of a sentence that can stand alone, without white space around them; the sentence itself if it has no
/// such parts. Cuts at commas and conjunctions that a subject of its own follows; in Chinese, at commas.
pub fn clauses(text: &str, sentence: Span) -> Vec<Span> {
    let Some(part) = sentence.of(text) else { return Vec::new() };
    let base = sentence.start as usize;
    let language = Language::of(part);
    let mut cuts = Vec::new();
    let mut start = 0;
    for (at, c) in part.char_indices() {
        let after = at + c.len_utf8();
        let cut = match (language, c) {
            (_, ';' | '；') => true,
            (Language::Zh, '，' | ',') => !digits_around(part, at, after),
            (Language::Zh, ' ') => chinese_around(part, start, at, after),
            (Language::En, ',') => english_comma(&part[start..at], &part[after..]),
            (Language::En, ' ') => english_conjunction(&part[start..at], &part[after..]),
            (Language::Ru, ',') => russian_comma(&part[start..at], &part[after..]),
            _ => false,
        };
        if cut {
            cuts.push((start, after));
            start = after;
        }
    }
    cuts.push((start, part.len()));
    cuts.into_iter().filter_map(|(from, to)| trimmed(text, base + from, base + to)).collect()
}

fn digits_around(part: &str, at: usize, after: usize) -> bool {
    part[..at].ends_with(|c: char| c.is_ascii_digit()) && part[after..].starts_with(|c: char| c.is_ascii_digit())
}

/// A space between two Chinese phrases stands for a comma.
fn chinese_around(part: &str, start: usize, at: usize, after: usize) -> bool {
    let han = |text: &str| text.chars().filter(|c| normal::han(*c)).count();
    part[start..at].ends_with(normal::han)
        && part[after..].starts_with(normal::han)
        && han(&part[start..at]) > 1
        && han(&part[after..]) > 1
}

fn english_comma(left: &str, right: &str) -> bool {
    let mut words = spoken(right);
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    if listed(CONJUNCTIONS_EN, &first) {
        return listed(SUBJECTS_EN, &second) && !second.is_empty() && !opened(left);
    }
    listed(SUBJECTS_EN, &first)
        && !matches!(first.as_str(), "the" | "this" | "that" | "these")
        && !second.is_empty()
        && !opened(left)
}

/// "I like tea and my wife likes coffee": both sides have a subject.
fn english_conjunction(left: &str, right: &str) -> bool {
    let mut words = spoken(right);
    let conjunction = words.next().unwrap_or_default();
    let subject = words.next().unwrap_or_default();
    matches!(conjunction.as_str(), "and" | "but" | "so" | "because")
        && listed(" i i'm i've we we're my our ", &subject)
        && words.next().is_some()
        && spoken(left).count() > 2
        && spoken(left).next().is_some_and(|first| listed(SUBJECTS_EN, &first))
        && !spoken(left).nth(1).is_some_and(|second| second == "wife" || second == "husband")
}

fn russian_comma(left: &str, right: &str) -> bool {
    let mut words = spoken(right);
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    if opened(left) || second.is_empty() {
        return false;
    }
    let denied = format!(" {} ", spoken(left).collect::<Vec<_>>().join(" ")).contains(" не ");
    match first.as_str() {
        "но" | "зато" | "однако" | "поэтому" => true,
        "потому" => second == "что",
        "так" => second == "как",
        "а" => listed(SUBJECTS_RU, &second) || !denied && words.count() > 1,
        "и" | "хотя" => listed(SUBJECTS_RU, &second),
        // "Наверное, я …": what is only put in before a clause belongs to it.
        _ => listed(SUBJECTS_RU, &first) && first != "это" && stands(left),
    }
}

/// Whether a Russian clause before a comma says something by itself.
fn stands(left: &str) -> bool {
    spoken(left).count() > 2 || spoken(left).next().is_some_and(|first| listed(SUBJECTS_RU, &first))
}

/// Whether a clause begins with a word that makes it depend on the next one.
fn opened(clause: &str) -> bool {
    let mut words = spoken(clause);
    let first = words.next().unwrap_or_default();
    let linked = listed(CONJUNCTIONS_EN, &first) || listed(CONJUNCTIONS_RU, &first);
    listed(OPENERS, &first) && first != "because"
        || linked && words.next().is_some_and(|second| listed(OPENERS, &second))
}

fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

fn spoken(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'))
        .filter(|word| !word.is_empty())
        .map(|word| word.to_lowercase().replace('’', "'").replace('ё', "е"))
}

/// A span from byte offsets; texts are far below 4 GiB (`limits::MESSAGE_BYTES`).
pub(super) fn span(start: usize, end: usize) -> Span {
    Span { start: start as u32, end: end as u32 }
}

/// The range without white space and marks at its ends; `None` if it holds no letter or digit.
fn trimmed(text: &str, from: usize, to: usize) -> Option<Span> {
    let part = text.get(from..to)?;
    part.chars().any(char::is_alphanumeric).then_some(())?;
    let outside = |c: char| c.is_whitespace() || c.is_control() || normal::invisible(c);
    let start = from + (part.len() - part.trim_start_matches(outside).len());
    let end = from + part.trim_end_matches(outside).len();
    Some(Span { start: u32::try_from(start).ok()?, end: u32::try_from(end).ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> Vec<&str> {
        sentences(text).into_iter().filter_map(|span| span.of(text)).collect()
    }

    fn parts(text: &str) -> Vec<&str> {
        clauses(text, Span { start: 0, end: text.len() as u32 }).into_iter().filter_map(|span| span.of(text)).collect()
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        for (text, expected) in [
            ("I use MySQL 8.0. It runs well!  Does it?", vec!["I use MySQL 8.0.", "It runs well!", "Does it?"]),
            (
                "We use tools, e.g. Node.js, at Acme Inc. in Oslo.",
                vec!["We use tools, e.g. Node.js, at Acme Inc. in Oslo."],
            ),
            ("Dr. J. Smith is my vet. I like him", vec!["Dr. J. Smith is my vet.", "I like him"]),
            ("It works at 5 p.m. Then I go.", vec!["It works at 5 p.m.", "Then I go."]),
            ("See https://a.example/?q=1.2&b=3 now. Ok", vec!["See https://a.example/?q=1.2&b=3 now.", "Ok"]),
            ("Done.Next one", vec!["Done.", "Next one"]),
            ("I... like cats... They are fun", vec!["I... like cats...", "They are fun"]),
            ("He said \"go.\" I went", vec!["He said \"go.\"", "I went"]),
            ("1. Buy milk\n2. Sell it", vec!["1. Buy milk", "2. Sell it"]),
            ("I love it 😊 My dog too 👍", vec!["I love it 😊", "My dog too"]),
            (
                "我住在上海。我有两只猫！你呢？好的～我知道",
                vec!["我住在上海。", "我有两只猫！", "你呢？", "好的～", "我知道"],
            ),
            ("价格是3.5元.我要买", vec!["价格是3.5元.", "我要买"]),
            (
                "Живу в г. Москве, т.е. в столице. Работаю и т.д. А ты?",
                vec!["Живу в г. Москве, т.е. в столице.", "Работаю и т.д.", "А ты?"],
            ),
            ("привет.как дела? у меня кот", vec!["привет.", "как дела?", "у меня кот"]),
            ("👍 !!! …", vec![]),
        ] {
            assert_eq!(
                cut(text).into_iter().map(|s| s.trim_end_matches([' ', '👍'])).collect::<Vec<_>>(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn clauses_are_cut_where_both_sides_stand() {
        for (text, expected) in [
            ("I live in Oslo, and I work in Bergen.", vec!["I live in Oslo,", "and I work in Bergen."]),
            ("We use MySQL; our team likes it", vec!["We use MySQL;", "our team likes it"]),
            ("I like tea but my wife likes coffee", vec!["I like tea", "but my wife likes coffee"]),
            ("My wife and I live in Oslo", vec!["My wife and I live in Oslo"]),
            ("If it works, I buy it", vec!["If it works, I buy it"]),
            ("I like red, green and blue", vec!["I like red, green and blue"]),
            ("我住在上海，但是我在北京工作", vec!["我住在上海，", "但是我在北京工作"]),
            ("我有两只猫 还有一只狗", vec!["我有两只猫", "还有一只狗"]),
            ("我们有1,000人", vec!["我们有1,000人"]),
            ("Я живу в Москве, а работаю в Туле в банке", vec!["Я живу в Москве,", "а работаю в Туле в банке"]),
            ("У меня не кошка, а собака", vec!["У меня не кошка, а собака"]),
            ("Мне 30 лет, я врач", vec!["Мне 30 лет,", "я врач"]),
            ("Может быть, я перееду", vec!["Может быть, я перееду"]),
            ("Если будет дождь, я останусь", vec!["Если будет дождь, я останусь"]),
            ("Люблю чай, но кофе не пью", vec!["Люблю чай,", "но кофе не пью"]),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn spans_are_valid_apart_and_in_order(text in "\\PC*|[\\x00-\\x7fа-яё我们。！，…；\u{200b}👍 .?,]{0,60}") {
            let mut last = 0;
            for sentence in sentences(&text) {
                prop_assert!(sentence.of(&text).is_some_and(|t| !t.is_empty()));
                prop_assert!(sentence.start >= last);
                last = sentence.end;
                let mut inner = sentence.start;
                for clause in clauses(&text, sentence) {
                    prop_assert!(clause.of(&text).is_some_and(|t| !t.is_empty()));
                    prop_assert!(clause.start >= inner && clause.end <= sentence.end);
                    inner = clause.end;
                }
            }
        }
    }
}
