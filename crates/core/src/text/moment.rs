//! Whether a sentence is true for now only.

use super::{
    Language,
    flat::{Flat, one_of, starts_with_any},
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

fn passes_english(flat: &Flat) -> bool {
    if flat.has(
        "today|tonight|right now|at the moment|just now|this morning|this afternoon|this evening|\
            for now|this week|this weekend|in a hurry|in a meeting|on my way|one moment|be right back|\
            a minute ago",
    ) {
        return true;
    }
    let words: Vec<&str> = flat.spaced.split_whitespace().collect();
    words.iter().enumerate().any(|(at, word)| {
        let being = matches!(*word, "i'm" | "im" | "we're")
            || matches!(*word, "am" | "feel" | "feeling" | "are")
                && at > 0
                && matches!(words[at - 1], "i" | "we" | "i'm");
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
        being && state && !noun && !habit
    })
}

fn passes_chinese(flat: &Flat) -> bool {
    // What somebody is in the middle of learning or building lasts.
    let lasting = ["学", "攻读", "读", "准备", "研究", "开发", "筹备", "建", "备考", "创业"];
    let going = lasting.iter().any(|doing| flat.plain.contains(&format!("正在{doing}")));
    if !going && flat.holds("目前正在|现在正在|正在") {
        return true;
    }
    if flat.holds(
        "今天|今晚|今早|今儿|刚才|刚刚|此刻|这会儿|一会儿|等会|待会|马上|这两天|今日|明早|最近有点|最近很|最近太",
    ) {
        return true;
    }
    let state = "累|忙|饿|困|渴|烦|冷|热|急|开心|高兴|难过|无聊|生气|头疼|头痛|不舒服|感冒|郁闷|着急|担心|紧张|激动";
    let now = "现在|有点|好|很|太|真|快|非常|挺|正";
    // Words that begin like a state and are none.
    let text = ["热爱", "热情", "热心", "热衷", "热闹", "冷静", "困难", "忙碌的人"]
        .iter()
        .fold(flat.plain.clone(), |text, word| text.replace(word, "、"));
    let first = text.starts_with(['我', '好', '太', '有', '真']) || text.contains("现在");
    first && now.split('|').any(|now| state.split('|').any(|state| text.contains(&format!("{now}{state}"))))
}

fn passes_russian(flat: &Flat) -> bool {
    let durable = "жив|работа|уч|использ|польз|перешл|перееха|снима|занима";
    let lasting = flat.spaced.split_whitespace().any(|word| starts_with_any(word, durable));
    if flat.has(
        "прямо сейчас|в данный момент|в данную минуту|только что|сию минуту|на этой неделе|сегодня|\
            сегодняшний",
    ) || flat.has("сейчас|щас") && !lasting
    {
        return true;
    }
    flat.has(
        "устал|устала|устали|занят|занята|заняты|голоден|голодна|голодный|хочу спать|хочу есть|\
            хочу пить|мне скучно|мне холодно|мне жарко|мне грустно|мне плохо|опаздываю|спешу|тороплюсь|\
            в пути|в дороге|на совещании|за рулем|болит|рад|рада|рады|расстроен|расстроена|злюсь|волнуюсь|\
            заболел|заболела|плохо себя чувствую|не выспался|не выспалась",
    )
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
