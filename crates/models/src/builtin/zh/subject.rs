//! Of whom a Chinese clause speaks.

use std::sync::LazyLock;

use super::super::{
    stated::Who,
    table::{cut, pattern},
};

/// The customer's own people, organisations and animals: word, key.
static OWN: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    let mut own: Vec<_> = include_str!("people.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(": "))
        .flat_map(|(key, words)| words.split(' ').map(move |word| (word, key)))
        .collect();
    // The longest word first: "妈妈" before "妈".
    own.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    own
});

pattern!(
    ME,
    "^(?:(?:在)?(?:我们|咱们|咱|我|俺|本人|鄙人)(?:自己|本人|本身|个人|俩|两个人?|几个|都|这边|这里|这儿|全家|一家人?|一家[0-9一二三四五六七八]口)*)"
);
pattern!(
    COMPANY,
    "^(?:我们公司|我公司|我司|咱们公司|咱公司|本公司|我们企业|我们集团|我们单位|敝司|我厂|我们厂|我校|我们学校|我店|我们店|我们这家公司)(?:里|内部|现在)?"
);
pattern!(
    EPITHET,
    "^(?:最好的|最|大|小|老|亲|现任|前任|前|新|可爱的|唯一的|两岁的|亲爱的|大学|高中|两个|三个|双胞胎|[0-9一二两三四五六七八九十]+(?:个|只|条|岁的))"
);
pattern!(
    BELIEVES,
    "^(?:我|我们)?(?:个人|可|也|并|从来|从)*(?:不|没|没有)?(?:认为|觉得|感觉|猜|相信你|听说|发现|看到|以为|想你|知道|怀疑|担心|敢说|清楚|承认|是说|说过)|^(?:并)?不是(?:说)?(?:我|我们)|^说我"
);
pattern!(THIRD, "^(?:他们|她们|它们|他|她|它)(?:俩|两个|都)?");
pattern!(
    ELSE,
    "^(?:你|您|这|那|有人|有些人|大家|人们|别人|其他|每个人|每位|谁|对方|哪|什么|咱们能|它的|他的|她的|听说|据说|让)"
);

// "医生说我…", "我老板觉得我…": said of the customer by somebody else.
pattern!(TOLD, "^(?:我(?:的)?)?[^我,]{1,8}?(?:说|认为|觉得|以为|讲|表示|怀疑)(?:过|了)?(?:我们|我)");

/// Finds the subject; the rest begins with the predicate.
pub(super) fn head(clause: &str) -> (Who, &str) {
    if BELIEVES.is_match(clause) {
        return (Who::Other, clause);
    }
    if let Some(told) = cut(&TOLD, clause) {
        return (Who::Other, told);
    }
    if let Some(rest) = cut(&COMPANY, clause) {
        return match rest.strip_prefix('的').and_then(own) {
            Some((key, rest)) => (Who::Organisation(key), rest),
            None => (Who::Organisation("company"), rest),
        };
    }
    if let Some(rest) = cut(&ME, clause) {
        let after = rest.strip_prefix('的').unwrap_or(rest);
        if let Some((key, rest)) =
            cut(&EPITHET, after).or_else(|| after.strip_prefix('家')).and_then(own).or_else(|| own(after))
        {
            // "我朋友的老婆": whose people these are is no business of the customer's.
            return match rest.strip_prefix('的').and_then(own) {
                Some((_, rest)) => (Who::Other, rest),
                None => (group(key), rest),
            };
        }
        return (Who::Customer, rest);
    }
    if let Some(rest) = cut(&THIRD, clause) {
        if let Some((_, rest)) = rest.strip_prefix('的').and_then(own) {
            return (Who::Other, rest);
        }
        return (Who::Pronoun, rest);
    }
    if ELSE.is_match(clause) {
        return (Who::Other, clause);
    }
    (Who::Unsaid, clause)
}

/// A word for one of the customer's own, at the start. A kin word before another noun is no subject ("妈妈桑").
fn own(text: &str) -> Option<(&'static str, &str)> {
    OWN.iter().find_map(|(word, key)| {
        let rest = text.strip_prefix(word)?;
        let rest = rest.strip_prefix('们').unwrap_or(rest);
        (!rest.is_empty()).then_some((*key, rest))
    })
}

/// A person, or an organisation by its key.
fn group(key: &'static str) -> Who {
    match key {
        "company" | "team" | "shop" => Who::Organisation(key),
        key => Who::Person(key),
    }
}

/// The key, if it is one of a person or animal.
pub(super) fn known(key: &str) -> Option<&'static str> {
    OWN.iter().map(|(_, known)| *known).find(|known| *known == key && !matches!(group(known), Who::Organisation(_)))
}

/// The person or animal named in a value.
pub(super) fn named_in(value: &str) -> Option<&'static str> {
    OWN.iter().find(|(word, _)| value.contains(word)).map(|(_, key)| *key).filter(|key| known(key).is_some())
}

/// The first word for a key.
pub(super) fn word(key: &str) -> &'static str {
    let line = include_str!("people.txt").lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    line.and_then(|words| words.split(' ').next()).unwrap_or("我")
}
