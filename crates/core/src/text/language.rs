//! Which language a text is in.

use std::{collections::HashMap, sync::LazyLock};

use serde::{Deserialize, Serialize};

use super::{normal, stops};

/// A language with rules of its own here, or any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English.
    En,
    /// Chinese.
    Zh,
    /// Russian.
    Ru,
    /// Any other: works by shared rules alone.
    Other,
}

/// Words that are common in another language of the Latin script and are no English ones.
const FOREIGN: &str = "el la los las de del que y en un una es por para mi mis muy más pero soy estoy tengo vivo gusta \
    como también le les des je j'ai vous nous est et pas une dans pour avec mon ma mes suis c'est der die das und ich \
    nicht ist ein eine mit für auf wir mein meine habe il che di non sono mio mia ho os não eu uma com meu minha é con nuestra nuestro nuestros nuestras siempre nunca \
    desde hasta sobre cuando donde dónde estamos tenemos somos también porque mis ahora todos todas hoy nací dan al \
    meiner meinen unser unsere wohne arbeite auch sehr nie immer seit bei aber j'habite j'aime nos notre mes chez \
    toujours jamais suis depuis sempre mai nostro nostra anche nossa nosso moro trabalho";

/// English function words that are common in another language too: they say nothing.
const SHARED: [&str; 11] = ["me", "in", "am", "an", "as", "he", "on", "or", "was", "so", "has"];

/// What single words of Latin script speak for.
static EVIDENCE: LazyLock<HashMap<&str, Word>> = LazyLock::new(|| {
    let mut words: HashMap<&str, Word> = HashMap::new();
    for word in FOREIGN.split_whitespace() {
        words.entry(word).or_default().foreign = true;
    }
    // "No" and "a" are words of half of Europe.
    for word in stops::EN.iter().copied().filter(|word| word.len() > 1).chain(["i", "not"]) {
        let known = words.entry(word).or_default();
        (known.english, known.shared) = (true, SHARED.contains(&word));
    }
    words
});

/// What a word of Latin script speaks for.
#[derive(Default)]
struct Word {
    foreign: bool,
    english: bool,
    /// It is English and no proof.
    shared: bool,
}

/// Letters of Cyrillic alphabets other than the Russian one.
const NOT_RUSSIAN: &str = "іїєґўјљњћђџѓќѕәғқңөұүһ";

impl Language {
    /// The language of a text: its script first, and for Latin letters its function words.
    ///
    /// Names and terms in Latin letters do not make a sentence English: "我用 MySQL 8.0" is Chinese. Latin text without
    /// any evidence counts as English.
    pub fn of(text: &str) -> Self {
        let (mut han, mut cyrillic, mut latin, mut elsewhere) = (0usize, 0usize, 0usize, 0usize);
        let (mut kana, mut foreign_cyrillic) = (0usize, false);
        let mut count = |c: char| match c {
            'a'..='z' => latin += 1,
            c if c.is_ascii() => {}
            _ if normal::han(c) => han += 1,
            _ if normal::ideograph(c) => kana += 1,
            _ if normal::cyrillic(c) => {
                cyrillic += 1;
                foreign_cyrillic |= NOT_RUSSIAN.contains(c);
            }
            _ if normal::latin(c) => latin += 1,
            _ if c.is_alphabetic() && !fullwidth_latin(c) => elsewhere += 1,
            _ => {}
        };
        for c in text.chars() {
            // The tables are slow, and most characters need none.
            match c {
                _ if c.is_ascii() => count(c.to_ascii_lowercase()),
                'а'..='я' | '\u{4e00}'..='\u{9fff}' => count(c),
                _ => c.to_lowercase().for_each(&mut count),
            }
        }
        // A Han character carries about as much as two or three letters.
        let han_weight = han * 3;
        if elsewhere > han_weight.max(cyrillic).max(latin) {
            return Self::Other;
        }
        if kana * 4 > han && kana * 3 > latin {
            return Self::Other;
        }
        let english = if latin > 0 { Latin::of(text) } else { Latin::default() };
        let others_lead = |weight: usize| english.english > 1 && latin > weight;
        if han > 0 && han_weight >= cyrillic && !others_lead(han_weight) {
            return Self::Zh;
        }
        if cyrillic > 0 && !others_lead(cyrillic) {
            return if foreign_cyrillic { Self::Other } else { Self::Ru };
        }
        if english.foreign > english.english - english.shared || (english.english == 0 && english.foreign_letters) {
            return Self::Other;
        }
        Self::En
    }
}

fn fullwidth_latin(c: char) -> bool {
    matches!(c, '\u{ff21}'..='\u{ff5a}')
}

/// What the words of Latin script speak for.
#[derive(Default)]
struct Latin {
    english: usize,
    /// Those of `english` that are no proof.
    shared: usize,
    foreign: usize,
    foreign_letters: bool,
}

impl Latin {
    fn of(text: &str) -> Self {
        let mut evidence = Self::default();
        let lower = text.to_lowercase();
        let lower = if lower.contains('’') { lower.replace('’', "'") } else { lower };
        for word in lower.split(|c: char| !(c.is_alphabetic() || c == '\'')).filter(|word| !word.is_empty()) {
            let Some(word) = EVIDENCE.get(word) else { continue };
            evidence.foreign += usize::from(word.foreign);
            evidence.english += usize::from(word.english);
            evidence.shared += usize::from(word.shared);
        }
        // Looked for only where words say nothing.
        evidence.foreign_letters = evidence.english == 0
            && lower.contains(['¿', '¡', 'ñ', 'ß', 'ø', 'å', 'æ', 'œ', 'ã', 'õ', 'ł', 'ę', 'ą', 'ş', 'ğ', 'ı']);
        evidence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_is_told_by_script_and_function_words() {
        for (text, language) in [
            ("I live in Oslo with my dog", Language::En),
            ("", Language::En),
            ("PostgreSQL 16", Language::En),
            ("café", Language::En),
            ("👍 123", Language::En),
            ("我用 MySQL 8.0", Language::Zh),
            ("我们的 Kubernetes cluster 跑在 AWS Frankfurt region", Language::Zh),
            ("Мы используем PostgreSQL и Kubernetes в AWS", Language::Ru),
            ("У меня две ёлки", Language::Ru),
            ("My teacher taught me the word 你好 and I liked it", Language::En),
            ("I read the word да in a book", Language::En),
            ("Я живу у місті і їм", Language::Other),
            ("Vivo en Madrid con mi perro", Language::Other),
            ("¿Dónde vives?", Language::Other),
            ("Me casé en mayo", Language::Other),
            ("Ich wohne in Hamburg", Language::Other),
            ("I live in El Paso", Language::En),
            ("ha ha no", Language::En),
            ("Ich habe einen Hund und eine Katze", Language::Other),
            ("私は東京に住んでいます", Language::Other),
            ("나는 서울에 살아요", Language::Other),
            ("أعيش في القاهرة", Language::Other),
        ] {
            assert_eq!(Language::of(text), language, "{text}");
        }
    }
}
