//! Clauses and phrases in a form that patterns can count on.

/// A clause of normalised text without spaces between Chinese characters and without marks at its ends.
pub(super) fn clause(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.trim().chars().peekable();
    while let Some(c) = chars.next() {
        let beside = out.chars().next_back().is_some_and(wide) || chars.peek().copied().is_some_and(wide);
        if !(c == ' ' && beside) {
            out.push(c);
        }
    }
    out.trim_matches(|c: char| ",.;!~…\"'()[] ".contains(c)).to_owned()
}

fn wide(c: char) -> bool {
    !c.is_ascii() || ",.!?;:".contains(c)
}

/// A phrase as a value: without particles and marks around it. `None` for a pronoun, a filler or nothing.
pub(super) fn phrase(text: &str) -> Option<String> {
    let emoji = |c: char| !c.is_ascii() && !c.is_alphanumeric() && !"》」』）”".contains(c);
    let mut text = text.trim_matches(|c: char| ",.;:!~\"' ".contains(c)).trim_end_matches(emoji);
    if let Some((head, _)) = text.split_once('(') {
        text = head;
    }
    let leads = ["的", "了", "着", "过", "一些", "一点", "那些", "各种各样的", "各种", "所有的", "所有", "任何"];
    let tails = ["的", "了", "啊", "呢", "吧", "呀", "哦", "啦", "嘛", "哈", "等等", "等", "之类", "什么"];
    loop {
        let shorter = leads
            .iter()
            .find_map(|lead| text.strip_prefix(lead))
            .or_else(|| tails.iter().find_map(|tail| text.strip_suffix(tail)));
        match shorter {
            Some(rest) => text = rest.trim(),
            None => break,
        }
    }
    // A denial at the end belongs to the verb behind it: such a cut is wrong.
    if text.ends_with(['不', '没', '未']) || text.ends_with("没有") {
        return None;
    }
    let empty = [
        "这个", "那个", "这样", "那样", "它", "他", "她", "你", "它们", "他们", "她们", "这些", "那些", "自己", "东西",
        "事情", "事", "人", "一个", "这里", "那里", "什么", "一切", "意思", "问题", "这种", "那种", "样子", "时候",
        "一下", "很多", "一样", "好", "多", "说", "想", "去", "来", "做", "看", "吃", "喝", "听", "玩", "骑", "了",
        "用",
    ];
    // "四个", "一次": a count of nothing.
    let bare =
        text.strip_suffix(['个', '只', '次', '天', '条', '下', '些', '点', '种', '段', '样']).is_some_and(|count| {
            !count.is_empty() && count.chars().all(|c| c.is_ascii_digit() || "一二两三四五六七八九十百几".contains(c))
        });
    (!text.is_empty() && !bare && !empty.contains(&text)).then(|| text.chars().take(40).collect())
}
