//! The part of a request or a denial that names what it is about.

use saidso_core::item::Span;

/// What is named, without the word for information that says nothing of its own ("my insulin info" names the insulin),
/// as long as something is left.
pub(super) fn essence(text: &str, about: Span) -> Span {
    const INFORMATION: [&str; 29] = [
        " treatment",
        " therapy",
        " situation",
        " story",
        " info",
        " information",
        " data",
        " details",
        " detail",
        " thing",
        " things",
        " stuff",
        " entry",
        " record",
        " records",
        " notes",
        "的一切",
        "的所有事情",
        "这件事情",
        "这件事",
        "的事情",
        "的事",
        "的信息",
        "信息",
        "的资料",
        "资料",
        "的数据",
        "数据",
        "的记录",
    ];
    const EMPTY: [&str; 17] = [
        "my",
        "our",
        "all my",
        "all our",
        "all of my",
        "all of our",
        "the",
        "personal",
        "my personal",
        "your",
        "我",
        "我们",
        "我的",
        "所有",
        "我的所有",
        "我的个人",
        "我的全部",
    ];
    let named = about.of(text).unwrap_or_default().trim_end();
    let left = INFORMATION.iter().filter_map(|word| named.strip_suffix(word)).map(str::trim_end);
    match left.filter(|left| !left.is_empty() && !EMPTY.contains(left)).min_by_key(|left| left.len()) {
        Some(left) => Span { start: about.start, end: about.start + left.len() as u32 },
        None => about,
    }
}

/// A denied part that takes nothing back: turns of phrase, what is no more so, what the customer does not want now.
pub(super) fn idle(about: &str) -> bool {
    const TURNS: [&str; 22] = [
        "problem",
        "fault",
        "cup of tea",
        "thing",
        "style",
        "type",
        "idea",
        "business",
        "concern",
        "point",
        "intention",
        "favorite",
        "favourite",
        "taste",
        "проблем",
        "вина",
        "дело",
        "забот",
        "问题",
        "错",
        "意思",
        "责任",
    ];
    const NO_MORE: [&str; 19] = [
        "anymore",
        "any more",
        "any longer",
        "yet",
        "today",
        "now",
        "this time",
        "at the moment",
        "больше",
        "уже",
        "пока",
        "сейчас",
        "сегодня",
        "еще",
        "现在",
        "今天",
        "目前",
        "暂时",
        "还",
    ];
    const WILLS: [&str; 62] = [
        "want",
        "need",
        "think",
        "know",
        "see",
        "mind",
        "care",
        "understand",
        "believe",
        "remember",
        "wish",
        "get",
        "feel",
        "mean",
        "agree",
        "recall",
        "sure",
        "interested",
        "ready",
        "looking",
        "going",
        "like",
        "love",
        "enjoy",
        "hear",
        "find",
        "have time",
        "have any",
        "say",
        "worried",
        "happy",
        "хочу",
        "хотим",
        "знаю",
        "знаем",
        "надо",
        "нужно",
        "думаю",
        "помню",
        "понимаю",
        "могу",
        "можем",
        "согласен",
        "согласна",
        "уверен",
        "уверена",
        "вижу",
        "слышу",
        "против",
        "видел",
        "понял",
        "поняла",
        "想",
        "要",
        "需要",
        "知道",
        "记得",
        "明白",
        "觉得",
        "同意",
        "清楚",
        "确定",
    ];
    let begins = |word: &str| {
        about.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphabetic() && c < '\u{3000}'))
    };
    let holds = |word: &str| {
        about.match_indices(word).any(|(at, found)| {
            let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() && c < '\u{3000}');
            !letter(about[..at].chars().next_back()) && !letter(about[at + found.len()..].chars().next())
        })
    };
    TURNS.iter().any(|word| about.ends_with(word) && about.split(' ').count() <= 4)
        || NO_MORE.iter().any(|word| holds(word))
        || WILLS.iter().any(|word| begins(word))
        || about.ends_with('了')
        || about.starts_with("得不")
        || ["有", "是", "看到", "去过", "听说过", "见过", "吃过"].contains(&about)
}
