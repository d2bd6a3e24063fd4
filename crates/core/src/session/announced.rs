//! What words announce: whose name follows, what sort of number was masked, which number is an order's.

use super::entity::Withheld;
use crate::{
    item::Span,
    text::{self, Word},
};

/// How far before a number the word that announces it may stand, in characters.
const REACH: usize = 32;
/// Digits of a number that is an order's or a contract's for the word before it alone.
const REFERENCE_DIGITS: usize = 5;
/// Digits of one that has letters too, or a number sign before it.
const MARKED_DIGITS: usize = 3;

/// Beginnings of words, and what sort of number stands behind them.
const SORTS: [(Withheld, &[&str]); 7] = [
    (Withheld::Mail, &["mail", "e-mail", "email", "почт", "correo", "邮箱", "邮件"]),
    (Withheld::Phone, &["phone", "mobile", "telephone", "cell", "телефон", "мобильн", "teléfono", "电话", "手机"]),
    (Withheld::Card, &["card", "cvv", "cvc", "карт", "tarjeta", "卡号", "银行卡", "信用卡"]),
    (Withheld::Account, &["account", "iban", "счет", "счёт", "cuenta", "账号", "账户", "帐号"]),
    (
        Withheld::Document,
        &["passport", "id", "id card", "identity card", "ssn", "licen", "паспорт", "снилс", "инн", "护照", "身份证"],
    ),
    (
        Withheld::Credential,
        &[
            "password",
            "passcode",
            "pin",
            "key",
            "token",
            "secret",
            "парол",
            "пин",
            "код",
            "密码",
            "口令",
            "验证码",
            "密钥",
        ],
    ),
    (Withheld::Reference, &REFERENCES),
];

const REFERENCES: [&str; 19] = [
    "order",
    "contract",
    "invoice",
    "ticket",
    "booking",
    "reservation",
    "policy",
    "заказ",
    "договор",
    "контракт",
    "заявк",
    "обращени",
    "бронь",
    "pedido",
    "contrato",
    "订单",
    "合同",
    "工单",
    "保单",
];

/// Words after which somebody's own name follows.
const OPENINGS: [&str; 12] = [
    "my name is",
    "my name's",
    "i am called",
    "i'm called",
    "my full name is",
    "my surname is",
    "меня зовут",
    "мое имя",
    "моя фамилия",
    "me llamo",
    "mi nombre es",
    "je m'appelle",
];
/// The same in Chinese, and what they begin with.
const OPENINGS_ZH: [&str; 6] = ["我叫", "我的名字是", "我的名字叫", "我名叫", "我姓", "姓名是"];
const OPENING_ZH: [&str; 2] = ["我", "姓"];
/// Characters of a Chinese name at most.
const NAME_ZH: usize = 4;

/// What sort of thing a mask covers.
pub(super) fn withheld(text: &str, mask: Span) -> Withheld {
    let before = before(text, mask.start as usize);
    let ends = SORTS.iter().flat_map(|(sort, words)| {
        let before = &before;
        words.iter().filter_map(move |word| Some((last(before, word)?, word.len(), *sort)))
    });
    // The nearest word, of two that end together the longer one.
    ends.max_by_key(|(end, length, _)| (*end, *length)).map_or(Withheld::Number, |(_, _, sort)| sort)
}

/// The numbers of orders, contracts and the like.
pub(super) fn references<'a>(text: &'a str, words: &'a [Word]) -> impl Iterator<Item = String> + 'a {
    words.iter().filter_map(move |word| {
        let digits = word.text.chars().filter(char::is_ascii_digit).count();
        if digits < MARKED_DIGITS {
            return None;
        }
        let before = before(text, word.span.start as usize);
        let marked = word.text.contains(char::is_alphabetic) || before.trim_end().ends_with(['#', '№', '号']);
        let enough = if marked { MARKED_DIGITS } else { REFERENCE_DIGITS };
        let announced = digits >= enough && REFERENCES.iter().any(|word| last(&before, word).is_some());
        word.span.of(text).filter(|_| announced).map(str::to_owned)
    })
}

/// Names that people gave as their own.
pub(super) fn persons(text: &str, words: &[Word]) -> Vec<String> {
    let mut persons = Vec::new();
    for at in 0..words.len() {
        let mut rest = words[at..].iter().map(|word| word.text.as_str());
        let opens = |opening: &&&str| rest.clone().take(opening.split(' ').count()).eq(opening.split(' '));
        if let Some(opening) = OPENINGS.iter().find(opens) {
            persons.extend(spaced(text, &words[at + opening.split(' ').count()..]));
        } else if rest.next().is_some_and(|first| OPENING_ZH.contains(&first)) {
            let behind = &text[words[at].span.start as usize..];
            let opening = OPENINGS_ZH.iter().filter(|opening| behind.starts_with(**opening)).max_by_key(|o| o.len());
            let count = opening.map_or(0, |opening| opening.chars().count());
            persons.extend(words.get(at + count..).filter(|_| count > 0).and_then(|words| chinese(text, words)));
        }
    }
    persons
}

/// A name of up to three capitalised words; a small one only where nothing follows ("my name is spelled wrong").
fn spaced(text: &str, words: &[Word]) -> Option<String> {
    let capital = |word: &&Word| word.span.of(text).is_some_and(|word| word.starts_with(char::is_uppercase));
    let first = words.first().filter(|word| word.text.starts_with(char::is_alphabetic))?;
    // A mark ends a name, but for the point behind an initial.
    let joined = |at: usize| {
        let (before, word) = (&words[at - 1], &words[at]);
        let between = &text[before.span.end as usize..word.span.start as usize];
        matches!(between, " " | "-" | "'" | "’") || between == ". " && before.text.chars().count() == 1
    };
    let named = |at: &usize| capital(&&words[*at]) && (*at == 0 || joined(*at));
    let count = (0..words.len().min(3)).take_while(named).count();
    let last = match count {
        0 if !text[first.span.end as usize..].starts_with([' ', '-', '\'']) => first,
        0 => return None,
        count => &words[count - 1],
    };
    text.get(first.span.start as usize..last.span.end as usize).map(str::to_owned)
}

/// A few ideographs that nothing but a mark or a function word follows; or a word of another script.
fn chinese(text: &str, words: &[Word]) -> Option<String> {
    let first = words.first()?;
    if !first.is_ideograph() {
        return spaced(text, words);
    }
    let touching = |at: &usize| *at == 0 || words[*at - 1].span.end == words[*at].span.start;
    let name = (0..words.len()).take_while(|at| words[*at].is_ideograph() && !words[*at].stop && touching(at)).count();
    let last = words.get(name.checked_sub(1)?).filter(|_| name <= NAME_ZH)?;
    text.get(first.span.start as usize..last.span.end as usize).map(str::to_owned)
}

/// The text before a place, as far as an announcing word reaches, in lower case.
fn before(text: &str, at: usize) -> String {
    let start = text[..at].char_indices().rev().nth(REACH - 1).map_or(0, |(at, _)| at);
    text[start..at].to_lowercase()
}

/// Where the last word of a text that begins like this one ends; short ones stand for themselves alone.
fn last(text: &str, word: &str) -> Option<usize> {
    let starts = |at: &usize| {
        let inside = text[..*at].ends_with(|c: char| c.is_alphanumeric() && !text::ideograph(c));
        let short = word.is_ascii() && word.len() < 4;
        let goes_on = text[*at + word.len()..].starts_with(char::is_alphanumeric);
        text::ideograph(word.chars().next().unwrap_or(' ')) || !(inside || short && goes_on)
    };
    text.rmatch_indices(word).map(|(at, _)| at).find(starts).map(|at| at + word.len())
}
