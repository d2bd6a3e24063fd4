//! What was denied to have ever been, said as if it were so: "never took insulin" denies "I take insulin". A denial means
//! what is remembered, whatever the tense it is denied in, so that it is read as the statement it denies.

use saidso_core::text::Language;

/// Past forms, and as what they are said of the present.
const EN: &[(&str, &str)] = &[
    ("took", "take"),
    ("taken", "take"),
    ("had", "have"),
    ("owned", "own"),
    ("kept", "keep"),
    ("used", "use"),
    ("ran", "run"),
    ("run", "run"),
    ("worked", "work"),
    ("lived", "live"),
    ("drove", "drive"),
    ("driven", "drive"),
    ("sold", "sell"),
    ("made", "make"),
    ("produced", "produce"),
    ("offered", "offer"),
    ("spoke", "speak"),
    ("spoken", "speak"),
    ("studied", "study"),
    ("taught", "teach"),
    ("smoked", "smoke"),
    ("was", "am"),
    ("were", "are"),
    ("been", "am"),
];
const RU: &[(&str, &str)] = &[
    ("жил", "живу"),
    ("жила", "живу"),
    ("жили", "живем"),
    ("работал", "работаю"),
    ("работала", "работаю"),
    ("работали", "работаем"),
    ("принимал", "принимаю"),
    ("принимала", "принимаю"),
    ("колол", "колю"),
    ("колола", "колю"),
    ("пил", "пью"),
    ("пила", "пью"),
    ("курил", "курю"),
    ("курила", "курю"),
    ("использовали", "используем"),
    ("использовал", "использую"),
    ("использовала", "использую"),
    ("пользовались", "пользуемся"),
    ("пользовался", "пользуюсь"),
    ("пользовалась", "пользуюсь"),
    ("держал", "держу"),
    ("держала", "держу"),
    ("ездил", "езжу"),
    ("ездила", "езжу"),
    ("продавали", "продаем"),
    ("продавал", "продаю"),
    ("продавала", "продаю"),
    ("учился", "учусь"),
    ("училась", "учусь"),
    ("занимались", "занимаемся"),
    ("занимался", "занимаюсь"),
    ("занималась", "занимаюсь"),
];
const NEVER_EN: &[&str] = &["never", "ever", "not", "don't", "didn't", "haven't", "dont", "really", "actually"];
const NEVER_RU: &[&str] = &["никогда", "не", "ни", "разу", "вообще", "вовсе", "совсем"];
const NEVER_ZH: &[&str] = &[
    "从来都没有",
    "从来都没",
    "从来没有",
    "从来没",
    "从来不",
    "从没有",
    "从没",
    "根本没有",
    "根本没",
    "压根没",
    "从未",
    "没有",
    "没",
    "不",
];

/// A denied part as the statement that it denies.
pub(super) fn so(about: &str, language: Language) -> String {
    let lower = about.to_lowercase();
    match language {
        Language::En => english(&lower),
        Language::Ru => russian(&lower),
        Language::Zh => chinese(&lower),
        Language::Other => about.to_owned(),
    }
}

fn present<'a>(table: &[(&'a str, &'a str)], word: &'a str) -> &'a str {
    table.iter().find(|(past, _)| *past == word).map_or(word, |(_, present)| present)
}

fn english(about: &str) -> String {
    let mut words: Vec<&str> = about.split_whitespace().collect();
    let group = matches!(words.first(), Some(&("we" | "we've" | "our")));
    if matches!(words.first(), Some(&("i" | "we" | "i've" | "we've"))) {
        words.remove(0);
    }
    // "Have never been a nurse", "was never a nurse": the verb is the one behind all that denies, or the one before it.
    let denied = words.iter().take(4).rposition(|word| NEVER_EN.contains(word)).map_or(0, |last| last + 1);
    let (verb, rest) = match words.first().copied() {
        Some(verb @ ("was" | "were" | "am" | "are")) if denied > 0 => (verb, &words[denied..]),
        _ => match words[denied..].split_first() {
            Some((verb, rest)) => (*verb, rest),
            None => return about.to_owned(),
        },
    };
    let verb = match present(EN, verb) {
        "am" if group => "are",
        verb => verb,
    };
    let who = if group { "we" } else { "i" };
    format!("{who} {verb} {}", rest.join(" "))
}

fn russian(about: &str) -> String {
    let words: Vec<&str> = about.split_whitespace().filter(|word| !NEVER_RU.contains(word)).collect();
    let having = words.first() == Some(&"у");
    let said = words.iter().map(|word| match *word {
        "было" | "была" | "были" | "нет" | "нету" if having => "есть",
        // "Я была медсестрой": what one is, is what one works as.
        "был" | "была" => "работаю",
        word => present(RU, word),
    });
    said.collect::<Vec<_>>().join(" ")
}

fn chinese(about: &str) -> String {
    let Some((at, never)) = NEVER_ZH
        .iter()
        .filter_map(|never| about.find(never).map(|at| (at, never)))
        .min_by_key(|(at, never)| (*at, std::cmp::Reverse(never.len())))
    else {
        return about.to_owned();
    };
    let behind = about[at + never.len()..].replacen('过', "", 1);
    let behind = match behind.strip_prefix("住") {
        Some(place) if !place.starts_with('在') => format!("住在{place}"),
        _ => behind,
    };
    // "过敏过": the particle is the one behind the verb.
    let behind = if behind.ends_with("敏过") || behind.contains("对") && behind.ends_with('敏') {
        about[at + never.len()..].trim_end_matches('过').to_owned()
    } else {
        behind
    };
    format!("{}{behind}", &about[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_so_is_read_as_if_it_were() {
        for (language, about, said) in [
            (Language::En, "never took insulin", "i take insulin"),
            (Language::En, "never been a nurse", "i am a nurse"),
            (Language::En, "we never sold peanuts", "we sell peanuts"),
            (Language::En, "have a parrot", "i have a parrot"),
            (Language::En, "was never allergic to nuts", "i am allergic to nuts"),
            (Language::En, "we have never used MySQL", "we use mysql"),
            (Language::Zh, "我从来没打过胰岛素", "我打胰岛素"),
            (Language::Zh, "我从没住过杭州", "我住在杭州"),
            (Language::Zh, "我从来没有对花生过敏过", "我对花生过敏"),
            (Language::Zh, "我从来没养过狗", "我养狗"),
            (Language::Ru, "я никогда не жил в Туле", "я живу в туле"),
            (Language::Ru, "у меня никогда не было собаки", "у меня есть собаки"),
            (Language::Ru, "я никогда не была медсестрой", "я работаю медсестрой"),
        ] {
            assert_eq!(so(about, language).trim(), said);
        }
    }
}
