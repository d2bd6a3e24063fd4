//! How often a text denies.

use std::borrow::Cow;

use super::{
    Language,
    flat::{Flat, Phrases},
};

/// How many negations a text holds.
///
/// "Not only", "no problem", an answering "no," and a tag ("isn't it?") deny nothing; nor do Chinese fixed words ("不过")
/// and A-not-A questions ("是不是"). Russian double negation ("никогда не ем") is one.
pub fn negations(text: &str) -> usize {
    let flat = Flat::new(text);
    match flat.language {
        Language::Zh => chinese(&flat.plain) + english(&flat.spaced),
        Language::Ru => russian(&flat.spaced) + english(&flat.spaced),
        Language::En | Language::Other => english(&flat.spaced) + russian(&flat.spaced),
    }
}

/// A spaced text without phrases that hold a negation and deny nothing; as it is, where none occurs.
fn without<'a>(spaced: &'a str, phrases: &Phrases) -> Cow<'a, str> {
    if !phrases.occur(spaced) {
        return spaced.into();
    }
    // Shared spaces: " not only " leaves one behind for the next phrase.
    phrases.list().fold(spaced.to_owned(), |text, phrase| text.replace(&format!(" {phrase} "), " ")).into()
}

/// Phrases of English that deny nothing.
static IDLE_EN: Phrases = Phrases::whole(
    "not only|not just|not merely|no problem|no problems|no worries|no doubt|no matter|without doubt|\
    without a doubt|why not|can't wait|don't forget|do not forget|never forget|whether or not|or not ?",
);

fn english(spaced: &str) -> usize {
    let text = without(spaced, &IDLE_EN);
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut count = 0;
    for (at, &word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        count += usize::from(match word {
            "not" | "never" | "none" | "nobody" | "nothing" | "nowhere" | "neither" | "nor" | "without" | "cannot" => {
                true
            }
            // An answer, not a denial: "no, I live in Oslo".
            "no" => {
                let answers = matches!(
                    next,
                    "i" | "i'm" | "i've" | "i'd" | "we" | "we're" | "he" | "she" | "they" | "my" | "our"
                );
                !(answers || next.is_empty() || matches!(next, "," | "." | "!" | ";"))
                    || at > 0 && !answers && !matches!(words[at - 1], "," | "." | "!" | ";")
            }
            "dont" | "doesnt" | "didnt" | "isnt" | "arent" | "wasnt" | "werent" | "cant" | "wont" | "havent"
            | "hasnt" | "hadnt" | "wouldnt" | "couldnt" | "shouldnt" => true,
            _ if word.ends_with("n't") => {
                let tag = matches!(next, "i" | "you" | "he" | "she" | "it" | "we" | "they")
                    && words.get(at + 2) == Some(&"?");
                !tag && word != "wouldn't've"
            }
            _ => false,
        });
    }
    count
}

/// Phrases of Russian that deny nothing.
static IDLE_RU: Phrases = Phrases::whole(
    "не только|тем не менее|не за что|не забудь|не забудьте|не забывай|не забывайте|нет проблем|без проблем|\
    не раз|не прочь|чуть не|едва не|без сомнения|бы ни|ни разу не|не могу не|ничего страшного",
);

fn russian(spaced: &str) -> usize {
    if spaced.is_ascii() {
        return 0;
    }
    let text = without(spaced, &IDLE_RU);
    // "Ни разу не" lost its only negation above with the concord word.
    let never = spaced.matches(" ни разу не ").count();
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut count = never;
    let mut concord = 0;
    for (at, &word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        match word {
            "не" | "без" | "нельзя" | "невозможно" | "нету" => count += 1,
            "нет" => {
                let answer = (next.is_empty() || matches!(next, "," | "." | "!" | ";"))
                    && (at == 0 || matches!(words[at - 1], "," | "." | "!" | ";"));
                count += usize::from(!answer);
            }
            "ни" | "никогда" | "никто" | "никого" | "никому" | "ничего" | "ничто" | "ничем" | "ничему" | "нигде"
            | "никуда" | "никакой" | "никаких" | "никакого" | "никакие" | "никакую" => {
                concord += 1
            }
            _ => {}
        }
    }
    if count == 0 { usize::from(concord > 0) } else { count }
}

const NEGATING: [char; 7] = ['不', '没', '别', '无', '未', '勿', '甭'];

/// Words that hold a negating character and deny nothing.
const FIXED: [&str; 65] = [
    "别忘",
    "不要忘",
    "不会忘",
    "不好意思",
    "对不起",
    "了不起",
    "没关系",
    "没问题",
    "没事",
    "不客气",
    "不用谢",
    "差不多",
    "不得不",
    "无人机",
    "无所谓",
    "不过",
    "不但",
    "不仅",
    "不只",
    "不管",
    "不论",
    "不断",
    "不错",
    "不久",
    "不少",
    "不停",
    "不然",
    "不如",
    "不妨",
    "不止",
    "不同",
    "不光",
    "不幸",
    "不禁",
    "不愧",
    "不时",
    "无论",
    "无锡",
    "无线",
    "无聊",
    "无限",
    "无数",
    "无意中",
    "未来",
    "未必",
    "未免",
    "没准",
    "说不定",
    "巴不得",
    "忍不住",
    "恨不得",
    "别人",
    "别的",
    "别墅",
    "特别",
    "区别",
    "级别",
    "性别",
    "个别",
    "告别",
    "类别",
    "分别",
    "识别",
    "别名",
    "没收",
];

fn chinese(plain: &str) -> usize {
    if !plain.contains(NEGATING) {
        return 0;
    }
    let mut text = plain.to_owned();
    for fixed in FIXED {
        text = text.replace(fixed, "、");
    }
    let characters: Vec<char> = text.chars().collect();
    let mut count = 0;
    for (at, &c) in characters.iter().enumerate() {
        if !NEGATING.contains(&c) {
            continue;
        }
        let before = at.checked_sub(1).and_then(|index| characters.get(index));
        let choice = before.is_some() && before == characters.get(at + 1);
        count += usize::from(!choice);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn denials_are_counted() {
        for (text, count) in [
            ("I do not eat meat", 1),
            ("I don't eat meat and never drink", 2),
            ("We no longer use it", 1),
            ("I have no dog", 1),
            ("tea without sugar", 1),
            ("I dont like it", 1),
            ("No, I live in Oslo", 0),
            ("no i live in Oslo", 0),
            ("Don't forget that I live in Oslo", 0),
            ("Not only that, no problem", 0),
            ("It's nice, isn't it?", 0),
            ("I live in Norway", 0),
            ("我不吃肉", 1),
            ("我没有猫，也没有狗", 2),
            ("不过我喜欢特别的，非常不错", 0),
            ("你是不是有没有猫", 0),
            ("别给我打电话，我从不接", 2),
            ("我无法登录", 1),
            ("Я не ем мясо", 1),
            ("Никогда не ем мяса", 1),
            ("У меня нет кота, без сахара", 2),
            ("Нет, я живу в Туле", 0),
            ("Не только это, тем не менее без проблем", 0),
            ("Ни разу не был там", 1),
            ("Никакого мяса", 1),
        ] {
            assert_eq!(negations(text), count, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC*|[a-z'?, не нет不没过有]{0,40}") {
            let _ = negations(&text);
        }
    }
}
