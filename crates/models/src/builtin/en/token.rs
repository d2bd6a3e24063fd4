//! English words as the rules read them: lower case, contractions undone, endings folded, classes looked up.

use std::{collections::HashMap, sync::LazyLock};

use super::super::lexicon::{Classes, Lexicon, classes};

classes! {
    /// Word classes of `lexicon.txt`.
    Class {
        Filler = "filler", Adverb = "adverb", HabitAdverb = "habit_adverb", Request = "request",
        RequestStart = "request_start", Like = "like", Strong = "strong", Dislike = "dislike", Shun = "shun",
        Prefer = "prefer", Deictic = "deictic", Person = "person", Female = "female", Male = "male", Child = "child",
        Pet = "pet", Trait = "trait", Favorite = "favorite", Organisation = "organisation", Thing = "thing",
        Issue = "issue", Occupation = "occupation", FamilyRole = "family_role", Lasting = "lasting",
        LastingOf = "lasting_of", OpinionOf = "opinion_of", NegativeOf = "negative_of", Health = "health",
        Diet = "diet", Marital = "marital", Passing = "passing", PassingTime = "passing_time", Hedge = "hedge",
        Habit = "habit", Skill = "skill", Project = "project", Event = "event", NoEvent = "no_event",
        Respond = "respond", Determiner = "determiner", Intensifier = "intensifier", Preposition = "preposition",
        Light = "light", Number = "number", AbilityNot = "ability_not", Month = "month",
        PlaceNoun = "place_noun", Aux = "aux", Pronoun = "pronoun", Wh = "wh",
        Verb = "verb", Mood = "mood", Fault = "fault", Fails = "fails", Deployment = "deployment", Aim = "aim",
        Body = "body", NoJob = "no_job", Field = "field", Advocate = "advocate", Fond = "fond", Against = "against",
        Good = "praise", Bad = "bad", Pointer = "pointer", StopPhrase = "stop_phrase", Stop = "stop",
        Paper = "paper", Awaited = "awaited", Undertake = "undertake", Service = "service", Rank = "rank",
        Granted = "granted", System = "system", Right = "right",
    }
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::parse(include_str!("lexicon.txt"), Class::LABELS));

/// Past forms and participles of irregular verbs, with their base.
static IRREGULAR: LazyLock<HashMap<&'static str, (&'static str, Form)>> = LazyLock::new(|| {
    let mut forms = HashMap::new();
    for line in include_str!("irregular.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let (Some(base), Some(past), participle) = (words.next(), words.next(), words.next()) else { continue };
        if past != base {
            forms.entry(past).or_insert((base, Form::Past));
        }
        if let Some(participle) = participle.filter(|participle| *participle != base) {
            forms.entry(participle).or_insert((base, Form::Past));
        }
    }
    forms
});

/// The ending of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// None that is known.
    Base,
    /// `-s`.
    S,
    /// `-ed`, or an irregular past or participle.
    Past,
    /// `-ing`.
    Ing,
}

/// A word, a number or a mark.
#[derive(Debug, Clone)]
pub(super) struct Token {
    /// First byte in the message.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// In lower case; contractions are two tokens ("don't" → `do`, `not`).
    pub text: String,
    /// Without its ending, if the rest is a known word; else the text.
    pub base: String,
    /// Its ending.
    pub form: Form,
    /// Begins with a capital.
    pub capital: bool,
    classes: Classes,
}

impl Token {
    /// Whether the word or its base is in the class.
    pub fn is(&self, class: Class) -> bool {
        self.classes.has(class as usize)
    }

    /// Whether no list knows the word.
    pub fn unknown(&self) -> bool {
        self.classes == Classes::default()
    }

    /// Whether it is a mark, not a word.
    pub fn mark(&self) -> bool {
        !self.text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '$' | '€' | '£' | '\'' | '#'))
    }

    /// Whether it is a number in digits or as a word.
    pub fn number(&self) -> bool {
        self.is(Class::Number) || self.text.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Whether it ends a sentence.
    pub fn ends(&self) -> bool {
        matches!(self.text.as_str(), "." | "!" | "?" | "…")
    }
}

/// Whether a text is one of the words.
pub(super) fn any(text: &str, words: &[&str]) -> bool {
    words.contains(&text)
}

/// The tokens of a text; `offset` is where it begins in its message.
pub(super) fn tokens(text: &str, offset: u32) -> Vec<Token> {
    let mut out = Vec::new();
    let mut start = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let joins = matches!(c, '\'' | '’' | '-' | '.' | '/' | '_' | ',' | ':')
            && start.is_some()
            && next.is_some_and(|next| {
                let before = text[..at].chars().next_back().unwrap_or(' ');
                match c {
                    ',' | ':' | '/' => before.is_ascii_digit() && next.is_ascii_digit(),
                    '.' => next.is_alphanumeric() && (before.is_ascii_digit() || !next.is_uppercase()),
                    _ => next.is_alphanumeric(),
                }
            });
        let word = c.is_alphanumeric()
            || joins
            // An accent of its own belongs to the letter before it.
            || start.is_some() && matches!(c, '\u{300}'..='\u{36f}')
            || matches!(c, '+' | '#' | '%') && start.is_some()
            || matches!(c, '$' | '€' | '£') && next.is_some_and(|next| next.is_ascii_digit())
            || c == '.' && start.is_none() && next.is_some_and(char::is_alphanumeric) && text[at..].starts_with(".net");
        if word {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            word_tokens(&text[from..at], offset + from as u32, &mut out);
        }
        if !c.is_whitespace() {
            push(c.to_string(), offset + at as u32, offset + (at + c.len_utf8()) as u32, false, &mut out);
        }
    }
    if let Some(from) = start {
        word_tokens(&text[from..], offset + from as u32, &mut out);
    }
    out
}

/// One written word as its tokens.
fn word_tokens(written: &str, at: u32, out: &mut Vec<Token>) {
    let capital = written.starts_with(char::is_uppercase);
    let lower = match written.is_ascii() {
        true => written.to_lowercase(),
        false => saidso_core::text::Normalised::new(written).text().to_owned(),
    };
    let end = at + written.len() as u32;
    if let Some((first, second)) = contraction(&lower) {
        // Both halves span the whole word: a quote never ends inside one.
        push(first.to_owned(), at, end, capital, out);
        push(second.to_owned(), at, end, false, out);
        return;
    }
    if let Some(owner) = lower.strip_suffix("'s").filter(|owner| !owner.is_empty()) {
        push(owner.to_owned(), at, end, capital, out);
        push("'s".to_owned(), at, end, false, out);
        return;
    }
    push(lower, at, end, capital, out);
}

/// The two words of a contraction.
fn contraction(word: &str) -> Option<(&str, &'static str)> {
    const WHOLE: [(&str, &str, &str); 27] = [
        ("can't", "can", "not"),
        ("cannot", "can", "not"),
        ("cant", "can", "not"),
        ("won't", "will", "not"),
        ("ain't", "am", "not"),
        ("dont", "do", "not"),
        ("doesnt", "does", "not"),
        ("didnt", "did", "not"),
        ("isnt", "is", "not"),
        ("wasnt", "was", "not"),
        ("havent", "have", "not"),
        ("im", "i", "am"),
        ("ive", "i", "have"),
        ("it's", "it", "is"),
        ("he's", "he", "is"),
        ("she's", "she", "is"),
        ("that's", "that", "is"),
        ("thats", "that", "is"),
        ("there's", "there", "is"),
        ("what's", "what", "is"),
        ("whats", "what", "is"),
        ("who's", "who", "is"),
        ("where's", "where", "is"),
        ("how's", "how", "is"),
        ("here's", "here", "is"),
        ("gotta", "have", "to"),
        ("i'ma", "i", "will"),
    ];
    if let Some((_, first, second)) = WHOLE.iter().find(|(whole, ..)| *whole == word) {
        return Some((first, second));
    }
    if let Some(verb) = word.strip_suffix("n't") {
        return Some((verb, "not"));
    }
    const ENDS: [(&str, &str); 5] = [("'m", "am"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'d", "would")];
    ENDS.iter().find_map(|(end, word_of_end)| word.strip_suffix(end).map(|first| (first, *word_of_end)))
}

fn push(text: String, start: u32, end: u32, capital: bool, out: &mut Vec<Token>) {
    let own = LEXICON.classes(&text);
    let (base, form) = fold(&text);
    let classes = if base == text { own } else { own.and(LEXICON.classes(&base)) };
    out.push(Token { start, end, text, base, form, capital, classes });
}

/// A word's base and ending. Only a base the lexicon knows counts, so that "nothing" is no form of "noth".
fn fold(word: &str) -> (String, Form) {
    if word == "has" {
        return ("have".to_owned(), Form::S);
    }
    if let Some((base, form)) = IRREGULAR.get(word) {
        return ((*base).to_owned(), *form);
    }
    let known = |base: &str| LEXICON.classes(base) != Classes::default();
    let tries: [(&str, Form, &[&str]); 6] = [
        ("ies", Form::S, &["y"]),
        ("es", Form::S, &["", "e"]),
        ("s", Form::S, &[""]),
        ("ied", Form::Past, &["y"]),
        ("ed", Form::Past, &["", "e"]),
        ("ing", Form::Ing, &["", "e"]),
    ];
    for (ending, form, replacements) in tries {
        let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= 2) else { continue };
        for replacement in replacements {
            let base = format!("{stem}{replacement}");
            if known(&base) {
                return (base, form);
            }
        }
        let mut letters = stem.chars().rev();
        if let (Some(last), Some(before)) = (letters.next(), letters.next()) {
            let single = &stem[..stem.len() - last.len_utf8()];
            if last == before && form != Form::S && known(single) {
                return (single.to_owned(), form);
            }
        }
    }
    let form = match () {
        () if word.len() > 4 && word.ends_with("ed") => Form::Past,
        () if word.len() > 5 && word.ends_with("ing") => Form::Ing,
        () => Form::Base,
    };
    (word.to_owned(), form)
}

#[cfg(test)]
mod tests {
    use super::{Class, Form, tokens};

    #[test]
    fn contractions_and_endings_are_undone() {
        let list = tokens("I don't like MySQL 8.0, she's moving; we've bought 2 dogs", 10);
        let words: Vec<&str> = list.iter().map(|token| token.text.as_str()).collect();
        assert_eq!(
            words,
            [
                "i", "do", "not", "like", "mysql", "8.0", ",", "she", "is", "moving", ";", "we", "have", "bought", "2",
                "dogs"
            ]
        );
        assert_eq!((list[1].start, list[1].end, list[2].end), (12, 17, 17));
        assert_eq!((list[9].base.as_str(), list[9].form), ("move", Form::Ing));
        assert_eq!((list[13].base.as_str(), list[13].form), ("buy", Form::Past));
        assert!(list[15].is(Class::Pet) && list[15].form == Form::S);
    }
}
