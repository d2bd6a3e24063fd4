//! Of whom a Russian clause speaks, and its predicate in one word order.

use std::{collections::HashMap, sync::LazyLock};

use super::super::{
    stated::Who,
    table::{cut, pattern},
};

// "Говорят, что я…", "мой врач считает, что у меня…": said of the customer by somebody else.
pattern!(
    TOLD,
    "^(?:[^,]{2,30} )?(?:говорит|говорят|сказал[аи]?|считает|считают|думает|думают|утверждает|утверждают|уверяет|полагает),? (?:что |будто |якобы )?"
);

/// The customer's own people, organisations and animals by every form.
static OWN: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    include_str!("people.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(": "))
        .flat_map(|(key, words)| words.split(' ').map(move |word| (word.replace('_', " "), key)))
        .collect()
});

/// Kin and animals that are the customer's own without "my".
const OWN_BARE: [&str; 17] = [
    "mother",
    "father",
    "parents",
    "husband",
    "wife",
    "son",
    "sons",
    "daughter",
    "daughters",
    "children",
    "brother",
    "sister",
    "grandmother",
    "grandfather",
    "dog",
    "cat",
    "grandchildren",
];

const MY: [&str; 24] = [
    "мой",
    "моя",
    "мое",
    "мои",
    "моего",
    "моей",
    "моему",
    "моим",
    "моих",
    "мою",
    "наш",
    "наша",
    "наше",
    "наши",
    "нашего",
    "нашей",
    "нашему",
    "нашим",
    "наших",
    "нашу",
    "моем",
    "нашем",
    "моими",
    "нашими",
];

/// Adjectives between "my" and the noun that say nothing here.
const EPITHETS: [&str; 29] = [
    "старший",
    "старшая",
    "старшего",
    "старшей",
    "старшему",
    "младший",
    "младшая",
    "младшего",
    "младшей",
    "младшему",
    "лучший",
    "лучшая",
    "лучшего",
    "лучшей",
    "родной",
    "родная",
    "двоюродный",
    "двоюродная",
    "будущий",
    "будущая",
    "маленький",
    "маленькая",
    "маленькому",
    "маленькой",
    "единственный",
    "единственная",
    "любимый",
    "любимая",
    "нынешний",
];

/// A clause's subject and what is said of it, in one word order: "у меня", "мне", "меня зовут" become "есть", "мне", "зовут".
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Headed {
    /// Of whom.
    pub who: Who,
    /// What.
    pub predicate: String,
}

/// Finds the subject.
pub(super) fn head(clause: &str) -> Headed {
    let words: Vec<&str> = clause.split(' ').filter(|word| !word.is_empty()).collect();
    if let Some(told) = told(clause) {
        return Headed { who: Who::Other, predicate: head(told).predicate };
    }
    let headed = |who, predicate: String| Headed { who, predicate };
    match words.as_slice() {
        // "Аллергии на орехи больше нет".
        [noun, .., "больше" | "уже", "нет" | "нету"]
            if words.len() > 2
                && *noun != "у"
                && !words.iter().any(|word| matches!(*word, "меня" | "нас" | "я" | "мы")) =>
        {
            headed(Who::Customer, format!("нет {}", words[..words.len() - 2].join(" ")))
        }
        ["я", rest @ ..] => headed(Who::Customer, rest.join(" ")),
        ["мы", "с", _, rest @ ..] if !rest.is_empty() => headed(Who::Customer, rest.join(" ")),
        ["мы", rest @ ..] => headed(Who::Customer, rest.join(" ")),
        ["меня" | "нас", rest @ ..] => headed(Who::Customer, format!("меня {}", rest.join(" "))),
        ["мне" | "нам", rest @ ..] => headed(Who::Customer, format!("мне {}", rest.join(" "))),
        ["у", "меня" | "нас", "в" | "на", place, rest @ ..] if organisation(place).is_some() => {
            headed(Who::Organisation(organisation(place).unwrap_or("company")), has(rest))
        }
        ["у", "меня" | "нас", rest @ ..] => headed(Who::Customer, has(rest)),
        ["у", my, rest @ ..] if MY.contains(my) => match person(rest) {
            Some((key, rest)) => headed(group(key), has(rest)),
            None => headed(Who::Other, clause.to_owned()),
        },
        ["у", "него" | "нее" | "них", rest @ ..] => headed(Who::Pronoun, has(rest)),
        ["у", rest @ ..] => match person(rest).filter(|(key, _)| OWN_BARE.contains(key)) {
            Some((key, rest)) => headed(group(key), has(rest)),
            None => headed(Who::Other, clause.to_owned()),
        },
        ["в" | "на", my, place, rest @ ..] if MY.contains(my) && organisation(place).is_some() => {
            headed(Who::Organisation(organisation(place).unwrap_or("company")), has(rest))
        }
        ["в" | "на", place, rest @ ..] if organisation(place).is_some() && !rest.is_empty() => {
            headed(Who::Organisation(organisation(place).unwrap_or("company")), has(rest))
        }
        [my, rest @ ..] if MY.contains(my) => match person(rest) {
            Some((key, tail)) => headed(group(key), about(key, rest, tail)),
            None => headed(Who::Customer, rest.join(" ")),
        },
        ["он" | "она" | "оно" | "они", rest @ ..] => headed(Who::Pronoun, rest.join(" ")),
        ["ему" | "ей" | "им", rest @ ..] => headed(Who::Pronoun, format!("мне {}", rest.join(" "))),
        ["его" | "ее" | "их", noun, rest @ ..] if OWN.contains_key(*noun) => headed(Who::Other, rest.join(" ")),
        ["его" | "ее" | "их", rest @ ..] => headed(Who::Pronoun, format!("меня {}", rest.join(" "))),
        // "Всё развёрнуто в облаке": things, no people.
        ["все", done, ..] if done.ends_with("но") || done.ends_with("то") => {
            headed(Who::Unsaid, words[1..].join(" "))
        }
        [
            "ты" | "вы" | "вам" | "тебе" | "вас" | "тебя" | "это" | "этот" | "эта" | "эти" | "тот" | "та" | "те"
            | "все" | "всем" | "кто" | "кто-то" | "люди" | "ваш" | "ваша" | "ваше" | "ваши" | "твой" | "твоя" | "твои"
            | "никто" | "многие" | "там" | "тут",
            ..,
        ] => headed(Who::Other, clause.to_owned()),
        ["неправда" | "неверно", ..] | ["не", "то" | "факт" | "считаю" | "верю" | "говорил" | "говорила", ..] => {
            headed(Who::Other, clause.to_owned())
        }
        _ => turned(&words).unwrap_or_else(|| bare(&words, clause)),
    }
}

/// What somebody else says of the customer.
fn told(clause: &str) -> Option<&str> {
    let own = ["я ", "мы ", "у меня ", "у нас ", "мне ", "мой ", "моя "];
    let told = cut(&TOLD, clause).filter(|told| own.iter().any(|word| told.starts_with(word)))?;
    (!clause.starts_with("я ") && !clause.starts_with("мы ")).then_some(told)
}

/// "Мясо я не ем", "по профессии я инженер", "собак мы любим", "кофе мне нельзя": the subject stands behind.
fn turned(words: &[&str]) -> Option<Headed> {
    let at = words.iter().take(5).position(|word| matches!(*word, "я" | "мы" | "мне" | "нам" | "меня" | "нас"))?;
    // "Пишите мне по-русски" asks somebody else.
    let imperative = |word: &str| ["йте", "ите", "йтесь", "итесь"].iter().any(|ending| word.ends_with(ending));
    if at == 0
        || words[..at].iter().any(|word| {
            imperative(word) || word.contains(',') || matches!(*word, "что" | "как" | "когда" | "если" | "чтобы")
        })
    {
        return None;
    }
    // "Не я живу в Туле": it is somebody else. "Не я один" is one of several.
    if words[at - 1] == "не" && matches!(words[at], "я" | "мы") {
        let rest = &words[at + 1..];
        let alone = ["один", "одна", "одни", "единственн", "перв", "только", "последн"];
        let several = rest.first().is_none_or(|next| alone.iter().any(|word| next.starts_with(word)));
        let who = if several { Who::Other } else { Who::Customer };
        return Some(Headed { who, predicate: format!("не {}", rest.join(" ")) });
    }
    if matches!(words[at], "меня" | "нас") {
        // "Детей у меня нет" has its words turned, "бюджет у нас 200 тысяч" has not.
        let (true, rest) = (words[at - 1] == "у", &words[at + 1..]) else { return None };
        let rest = match rest {
            ["больше" | "уже", "нет" | "нету", ..] => &rest[1..],
            rest => rest,
        };
        let front = words[..at - 1].join(" ");
        let turned = matches!(rest.first().copied(), Some("нет" | "нету" | "есть" | "был" | "была" | "было" | "были"));
        let predicate = if turned { format!("{} {front}", has(rest)) } else { format!("{front} {}", rest.join(" ")) };
        return Some(Headed { who: Who::Customer, predicate: predicate.trim().to_owned() });
    }
    let rest = words[at + 1..].join(" ");
    let front = words[..at].join(" ");
    let predicate = if matches!(words[at], "мне" | "нам") {
        format!("мне {rest} {front}")
    } else {
        format!("{rest} {front}")
    };
    Some(Headed { who: Who::Customer, predicate: predicate.trim().to_owned() })
}

/// "Муж работает в банке", "собаку зовут Рекс", "сыну пять лет", and what has no subject at all.
fn bare(words: &[&str], clause: &str) -> Headed {
    match person(words).filter(|(key, rest)| OWN_BARE.contains(key) && !rest.is_empty()) {
        // "Жена моего друга": whose people these are is no business of the customer's.
        Some((_, [my, friend, rest @ ..])) if MY.contains(my) && OWN.contains_key(*friend) => {
            Headed { who: Who::Other, predicate: rest.join(" ") }
        }
        Some((key, rest)) => Headed { who: group(key), predicate: about(key, words, rest) },
        None => Headed { who: Who::Unsaid, predicate: verb_first(words).unwrap_or_else(|| clause.to_owned()) },
    }
}

/// Verbs of the first person that often stand behind their object: "собак не люблю", "телеграмом не пользуюсь".
const OWN_VERBS: [&str; 32] = [
    "люблю",
    "любим",
    "ем",
    "едим",
    "пью",
    "пьем",
    "курю",
    "пользуюсь",
    "пользуемся",
    "использую",
    "используем",
    "переношу",
    "выношу",
    "терплю",
    "боюсь",
    "предпочитаю",
    "говорю",
    "владею",
    "играю",
    "вожу",
    "умею",
    "обожаю",
    "ненавижу",
    "живу",
    "живем",
    "работаю",
    "работаем",
    "увлекаюсь",
    "занимаюсь",
    "ношу",
    "держу",
    "интересуюсь",
];

fn verb_first(words: &[&str]) -> Option<String> {
    let own = |word: &&str| OWN_VERBS.contains(&word.trim_end_matches(','));
    let verb = words.iter().take(5).position(own).filter(|at| *at > 0)?;
    let start = if words[verb - 1] == "не" { verb - 1 } else { verb };
    if words[..start] == ["не", "только"] {
        return Some(words[start..].join(" "));
    }
    if start == 0 || words[..start].iter().any(|word| word.contains(',')) {
        return None;
    }
    // What stands in front of the verb is its object, what stands behind a comma is not.
    let behind = words[start..].join(" ");
    let (verb, rest) =
        behind.split_once(',').map_or((behind.as_str(), String::new()), |(verb, rest)| (verb, format!(",{rest}")));
    Some(format!("{verb} {}{rest}", words[..start].join(" ")))
}

/// The predicate behind a noun, by its case: "сыну 5 лет" is like "мне 5 лет", "мужа зовут Олег" like "меня зовут".
fn about(key: &str, noun: &[&str], rest: &[&str]) -> String {
    let word = noun.get(noun.len() - rest.len() - 1).copied().unwrap_or_default();
    let dative = word.ends_with(['у', 'е', 'и', 'ю']) || word.ends_with("ам") || word.ends_with("ям");
    // "Дочери Лиле пять лет": the name stands between.
    let rest = match rest {
        [name, count, ..] if dative && !counts(name) && *name != "уже" && counts(count) => &rest[1..],
        rest => rest,
    };
    let rest = rest.join(" ");
    let named = rest.starts_with("зовут");
    let numbered = rest.starts_with(|c: char| c.is_ascii_digit())
        || rest.starts_with("уже ")
        || rest.contains(" лет")
        || rest.contains(" год")
        || rest.contains(" месяц");
    if named || key == "name" {
        format!("меня {rest}")
    } else if dative
        && (numbered || rest.starts_with("нельзя") || rest.starts_with("нрав") || rest.contains("нравится"))
    {
        format!("мне {rest}")
    } else {
        rest
    }
}

/// Whether a word is a number.
fn counts(word: &str) -> bool {
    let digits = word.starts_with(|c: char| c.is_ascii_digit());
    digits
        || ["один", "одна", "два", "две", "три", "четыр", "пять", "шест", "семь", "восем", "девят", "десят", "сорок"]
            .iter()
            .any(|number| word.starts_with(number))
        || word.ends_with("надцать")
        || word.ends_with("дцать")
}

/// One of the customer's own at the start, epithets before it skipped.
fn person<'a, 'b>(words: &'b [&'a str]) -> Option<(&'static str, &'b [&'a str])> {
    let skipped = words.iter().take_while(|word| EPITHETS.contains(word)).count();
    let words = &words[skipped..];
    let two = words.get(..2).map(|two| two.join(" "));
    if let Some(key) = two.and_then(|two| OWN.get(&two).copied()) {
        return Some((key, &words[2..]));
    }
    let first = words.first()?.trim_end_matches(',');
    Some((OWN.get(first).copied()?, &words[1..]))
}

fn organisation(word: &str) -> Option<&'static str> {
    OWN.get(word).copied().filter(|key| matches!(*key, "company" | "team" | "shop"))
}

fn group(key: &'static str) -> Who {
    match key {
        "company" | "team" | "shop" => Who::Organisation(key),
        key => Who::Person(key),
    }
}

/// What one has, in one form: "есть две собаки", "нет детей" and "двое детей" all begin with "есть" or "нет".
fn has(rest: &[&str]) -> String {
    // "Больше нет": the verb says it.
    let rest = match rest {
        ["больше" | "уже", "нет" | "нету", ..] => &rest[1..],
        rest => rest,
    };
    let skip = rest
        .iter()
        .take_while(|word| {
            matches!(
                **word,
                "уже"
                    | "еще"
                    | "тоже"
                    | "также"
                    | "давно"
                    | "сейчас"
                    | "дома"
                    | "теперь"
                    | "в"
                    | "семье"
            )
        })
        .count();
    let rest = if matches!(rest, ["в", "семье", ..]) {
        &rest[2..]
    } else {
        &rest[skip.min(rest.iter().take_while(|word| **word != "в").count())..]
    };
    match rest {
        [
            "есть" | "имеется" | "имеются" | "живет" | "живут" | "стоит" | "появился" | "появилась" | "появились"
            | "родился" | "родилась",
            tail @ ..,
        ] => format!("есть {}", tail.join(" ")),
        ["был" | "была" | "было" | "были", tail @ ..] => format!("были {}", tail.join(" ")),
        ["нет" | "нету" | "не", ..] => rest.join(" "),
        _ => format!("есть {}", rest.join(" ")),
    }
}

/// The key, if it is one of a person or animal.
pub(super) fn known(key: &str) -> Option<&'static str> {
    OWN.values().copied().find(|known| *known == key && !matches!(group(known), Who::Organisation(_)))
}

/// The person or animal whose word a value holds, in any case.
pub(super) fn named_in(value: &str) -> Option<&'static str> {
    value.split(' ').find_map(|word| OWN.get(word).and_then(|key| known(key)))
}

/// Whose kind a counted word names: numbers want cases in which nobody is a subject ("пять кошек").
pub(super) fn kind(word: &str) -> Option<&'static str> {
    const COUNTED: [(&str, &str); 8] = [
        ("кошек", "cat"),
        ("котов", "cat"),
        ("котят", "cat"),
        ("собак", "dog"),
        ("псов", "dog"),
        ("щенков", "dog"),
        ("щенка", "dog"),
        ("дочек", "daughters"),
    ];
    named_in(word).or_else(|| COUNTED.iter().find(|(counted, _)| *counted == word).map(|(_, key)| *key))
}
