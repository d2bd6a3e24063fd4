//! Whether a sentence is true for now only.

use super::{
    Language,
    flat::{Flat, Phrases, one_of, starts_with_any},
};

/// Whether a sentence is about today or this moment only.
pub fn is_transient(sentence: &str) -> bool {
    let flat = Flat::new(sentence);
    match flat.language {
        Language::Zh => passes_chinese(&flat),
        Language::Ru => passes_russian(&flat),
        Language::En | Language::Other => passes_english(&flat),
    }
}

/// What English says of now only.
static NOW_EN: Phrases = Phrases::whole(
    "today|tonight|right now|at the moment|just now|this morning|this afternoon|this evening|\
    for now|this week|this weekend|in a hurry|in a meeting|on my way|one moment|be right back|\
    a minute ago",
);

fn passes_english(flat: &Flat) -> bool {
    if flat.finds(&NOW_EN) {
        return true;
    }
    let words: Vec<&str> = flat.spaced.split_whitespace().collect();
    words.iter().enumerate().any(|(at, word)| {
        let being = matches!(*word, "i'm" | "im" | "we're")
            || matches!(*word, "am" | "feel" | "feeling" | "are")
                && at > 0
                && matches!(words[at - 1], "i" | "we" | "i'm");
        if !being {
            return false;
        }
        let plain = |word: &&&str| {
            !one_of(
                "so|very|really|a|bit|little|too|just|kind|of|pretty|quite|still|also|all|feeling|getting|\
                 currently|well|doing",
                word,
            )
        };
        let mut rest = words[at + 1..].iter().filter(plain);
        let state = rest.next().is_some_and(|state| {
            one_of(
                "busy|tired|hungry|sleepy|bored|sick|cold|hot|late|driving|stuck|exhausted|thirsty|sad|\
                 happy|excited|confused|sorry|ready|done|fine|good|ok|okay|great|upset|angry|frustrated|\
                 annoyed|nervous|stressed|worried|glad|here|waiting|back|relaxing|better|pleased|drunk|\
                 hungover",
                state,
            )
        });
        // "A great swimmer", "good at chess", "when I am bored": what somebody is, and a habit.
        let noun = rest.next().is_some_and(|next| {
            !one_of(
                ",|.|!|?|;|:|(|)|and|but|so|to|now|about|with|in|on|for|today|that|because|right|here|there|this|\
                 since|when|if|i|i'm|as|from|enough|lol|thanks|thank|my|after|by|while|until|or|then|you|how|what",
                next,
            )
        });
        let habit = words[..at].iter().rev().take(2).any(|word| one_of("when|once|whenever|if|while", word));
        state && !noun && !habit
    })
}

/// What Chinese says of now only.
static NOW_ZH: Phrases = Phrases::parts(
    "今天|今晚|今早|今儿|刚才|刚刚|此刻|这会儿|一会儿|等会|待会|马上|这两天|今日|明早|最近有点|最近很|最近太",
);

/// States that pass, behind one of [`NOW`].
static STATE_ZH: Phrases = Phrases::parts(
    "累|忙|饿|困|渴|烦|冷|热|急|开心|高兴|难过|无聊|生气|头疼|头痛|不舒服|感冒|郁闷|着急|担心|紧张|激动",
);
/// What stands before a state that is one now.
const NOW: [&str; 10] = ["现在", "有点", "好", "很", "太", "真", "快", "非常", "挺", "正"];

fn passes_chinese(flat: &Flat) -> bool {
    // What somebody is in the middle of learning or building lasts.
    let going = || flat.holds("正在学|正在攻读|正在读|正在准备|正在研究|正在开发|正在筹备|正在建|正在备考|正在创业");
    if flat.holds("正在") && !going() {
        return true;
    }
    if flat.finds(&NOW_ZH) {
        return true;
    }
    if !flat.finds(&STATE_ZH) {
        return false;
    }
    // Words that begin like a state and are none.
    let text = ["热爱", "热情", "热心", "热衷", "热闹", "冷静", "困难", "忙碌的人"]
        .iter()
        .fold(flat.plain.clone(), |text, word| text.replace(word, "、"));
    let first = text.starts_with(['我', '好', '太', '有', '真']) || text.contains("现在");
    let states = |rest: &str| STATE_ZH.list().any(|state| rest.starts_with(state));
    first && NOW.iter().any(|now| text.match_indices(now).any(|(at, _)| states(&text[at + now.len()..])))
}

/// What Russian says of now only.
static NOW_RU: Phrases = Phrases::whole(
    "прямо сейчас|в данный момент|в данную минуту|только что|сию минуту|на этой неделе|сегодня|\
    сегодняшний",
);

/// States that pass.
static STATE_RU: Phrases = Phrases::whole(
    "устал|устала|устали|занят|занята|заняты|голоден|голодна|голодный|хочу спать|хочу есть|\
    хочу пить|мне скучно|мне холодно|мне жарко|мне грустно|мне плохо|опаздываю|спешу|тороплюсь|\
    в пути|в дороге|на совещании|за рулем|болит|рад|рада|рады|расстроен|расстроена|злюсь|волнуюсь|\
    заболел|заболела|плохо себя чувствую|не выспался|не выспалась",
);

fn passes_russian(flat: &Flat) -> bool {
    let durable = "жив|работа|уч|использ|польз|перешл|перееха|снима|занима";
    let lasting = || flat.spaced.split_whitespace().any(|word| starts_with_any(word, durable));
    if flat.finds(&NOW_RU) || flat.has("сейчас|щас") && !lasting() {
        return true;
    }
    flat.finds(&STATE_RU)
}

#[cfg(test)]
mod tests {
    use super::{super::tests::check, *};

    #[test]
    fn what_passes_is_told_from_what_lasts() {
        check(
            is_transient,
            &[
                "I'm busy today",
                "I am so tired",
                "I'm at work right now",
                "今天我很忙",
                "我现在有点累",
                "刚才吃完饭",
                "Сегодня я занят",
                "Я устала",
                "Сейчас пью чай",
            ],
            &[
                "I live in Oslo now",
                "I'm a nurse",
                "We are a bakery",
                "我现在住在上海",
                "我喜欢热茶",
                "我很热爱音乐",
                "I eat when I am bored",
                "I'm a great swimmer",
                "我正在学日语",
                "Сейчас живу в Туле",
                "Я врач",
                "",
            ],
        );
    }
}
