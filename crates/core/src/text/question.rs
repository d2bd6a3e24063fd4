//! Whether a sentence asks.

use super::{
    Language,
    flat::{Flat, Phrases, one_of},
};

/// Whether a sentence asks (or asks for an answer), with or without a question mark.
pub fn is_question(sentence: &str) -> bool {
    let flat = Flat::new(sentence);
    if flat.plain.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '?').ends_with('?') {
        return true;
    }
    match flat.language {
        Language::Zh => asks_chinese(&flat),
        Language::Ru => asks_russian(&flat),
        Language::En => asks_english(&flat),
        Language::Other => flat.plain.starts_with('¿'),
    }
}

/// Whether a sentence is a question that offers a choice ("MySQL or PostgreSQL?"): a yes to it chooses none. "Or not" is no
/// choice.
pub fn offers_alternatives(sentence: &str) -> bool {
    if !is_question(sentence) {
        return false;
    }
    let flat = Flat::new(sentence);
    let joined = |or: &str, idle: &[&str]| {
        let or = format!(" {or} ");
        flat.spaced
            .match_indices(&or)
            .any(|(at, _)| !idle.iter().any(|word| flat.spaced[at + or.len()..].starts_with(word)))
    };
    match flat.language {
        // "还是…吗" asks whether it is still so.
        Language::Zh => {
            flat.holds("或") || flat.holds("还是") && !flat.holds("吗|还是不|还是没") || flat.holds("是还是|吗,还是")
        }
        Language::Ru => joined("или", &["нет ", "не "]) || joined("либо", &[]),
        Language::En | Language::Other => {
            joined("or", &["not ", "no ", "so "])
                || flat.language == Language::Other && (joined("o", &["no "]) || joined("u", &[]))
        }
    }
}

/// The words without the greetings and fillers they open with.
fn opening<'a>(spaced: &'a str, fillers: &str) -> Vec<&'a str> {
    spaced.split_whitespace().skip_while(|word| one_of(fillers, word)).collect()
}

/// What asks in English wherever it stands.
static ASKING_EN: Phrases = Phrases::whole(
    "any idea|any ideas|do you know|can you|could you|would you|tell me|let me know|i wonder|\
    i was wondering|i'd like to know|i want to know|i would like to know|need to know",
);

fn asks_english(flat: &Flat) -> bool {
    let words =
        opening(&flat.spaced, "hi|hello|hey|so|and|but|ok|okay|well|please|um|oh|also|then|,|.|!|thanks|actually");
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let subject = |word: &str| {
        one_of("i|you|he|she|it|we|they|there|your|my|our|the|this|that|these|those|anyone|someone|any", word)
    };
    let pronoun = |word: &str| one_of("i|you|he|she|it|we|they|there", word);
    let auxiliary = |word: &str| {
        one_of(
            "is|are|am|was|were|do|does|did|can|could|would|will|should|shall|may|has|had|have|\
             don't|doesn't|didn't|isn't|aren't|can't|couldn't|won't|wouldn't|shouldn't|hasn't|haven't",
            word,
        )
    };
    let wh = match word(0) {
        "what" | "who" | "where" | "when" | "why" | "how" | "which" | "whose" | "whom" => {
            let counted = word(0) == "how" && one_of("many|much|long|far|often|old|come|about|soon|big|to", word(1));
            let kind =
                matches!(word(0), "what" | "which") && one_of("kind|sort|type|time|about|if|else|one|ones", word(1));
            counted || kind || auxiliary(word(1))
        }
        "what's" | "who's" | "where's" | "how's" | "when's" | "why's" | "whats" | "hows" => true,
        _ => false,
    };
    let inverted = match word(0) {
        "have" | "had" | "has" => pronoun(word(1)),
        "am" => word(1) == "i",
        "don't" | "do" => pronoun(word(1)) || word(0) == "do" && subject(word(1)),
        first => auxiliary(first) && subject(word(1)),
    };
    wh || inverted || flat.finds(&ASKING_EN)
}

/// What asks in Chinese wherever it stands.
static ASKING_ZH: Phrases = Phrases::parts(
    "请问|为什么|为啥|为何|怎么样|怎样|如何|是否|能否|可否|几点|几个|多少|多久|多远|多大|\
    哪里|哪儿|哪个|哪些|哪家|哪种|哪位|干嘛|干啥|咋",
);

fn asks_chinese(flat: &Flat) -> bool {
    let text = flat.plain.trim_end_matches(|c: char| !c.is_alphanumeric() || matches!(c, '啊' | '呀' | '哈'));
    if text.ends_with('吗') || text.ends_with('嘛') && flat.holds("能|可以|行") {
        return true;
    }
    if text.ends_with('呢') && text.chars().count() <= 6 && !text.starts_with('我') {
        return true;
    }
    if flat.finds(&ASKING_ZH) && !flat.holds("不知道该如何") {
        return !flat.holds("不管|无论|不论|没多少|没几个|几个月|好几个|不怎么样");
    }
    // "什么", "怎么" and "谁" also mean "any" beside 都, 也, 没 and 不.
    if flat.holds("什么|怎么|谁|啥") {
        return !flat.holds(
            "什么都|什么也|没什么|没有什么|不是什么|什么的|谁都|谁也|怎么都|怎么也|不怎么|没怎么|没啥|啥都|啥也|\
不管|无论|不论|不知道怎么",
        );
    }
    a_not_a(&flat.plain)
}

/// "是不是", "有没有", "喜不喜欢": a choice is asked for.
fn a_not_a(text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    characters
        .windows(3)
        .any(|three| matches!(three[1], '不' | '没') && three[0] == three[2] && super::normal::han(three[0]))
}

/// What asks in Russian wherever it stands.
static ASKING_RU: Phrases =
    Phrases::whole("подскажите|не подскажете|скажите|вы можете|можете ли|вы не знаете|у вас есть|интересно ,");

fn asks_russian(flat: &Flat) -> bool {
    let words =
        opening(&flat.spaced, "привет|здравствуйте|добрый|день|а|и|ну|так|но|то|скажите|пожалуйста|,|.|!|тогда|еще");
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let dependent = words.iter().skip(1).any(|word| *word == ",");
    let asked = match word(0) {
        "что" | "чем" => word(1) != "касается" && !dependent,
        "как" => !dependent && !one_of("правило|обычно|всегда|только|и|раз|минимум|клиент|я|вы|мы", word(1)),
        "когда" | "где" | "куда" | "откуда" | "кто" | "кому" | "кого" | "сколько" | "какой" | "какая" | "какое"
        | "какие" | "каким" | "каков" | "чей" | "чья" | "чье" => !dependent,
        "почему" | "зачем" | "разве" | "неужели" | "можно" | "подскажите" => true,
        _ => false,
    };
    let whether = flat.spaced.contains(" ли ") && !flat.has("вряд ли|едва ли|чуть ли|то ли");
    asked || whether || flat.finds(&ASKING_RU) || flat.opens("скажите|есть ли")
}

#[cfg(test)]
mod tests {
    use super::{super::tests::check, *};

    #[test]
    fn questions_need_no_mark() {
        check(
            is_question,
            &[
                "Where do you live?",
                "do you ship to Oslo",
                "what is the price",
                "hi, how much is it",
                "can I pay later",
                "could you help me",
                "tell me more",
                "你喜欢猫吗",
                "你呢",
                "请问几点开门",
                "这家餐馆的地址是在哪里啊",
                "有没有便宜的",
                "怎么走",
                "есть ли у вас доставка",
                "Сколько это стоит",
                "а как оплатить",
                "Подскажите адрес",
                "можно ли вернуть",
                "Это правда? 🙂",
            ],
            &[
                "I live in Oslo.",
                "When I was young, I lived in Rome",
                "Have a nice day",
                "What I like is tea",
                "我住在上海",
                "我没什么爱好",
                "我在北京呢",
                "Когда я был молод, я жил в Туле",
                "Как правило, я дома",
                "Я не знаю его",
                "",
            ],
        );
    }
}
