//! How a sentence is meant: asked, guessed, or true for now only.

use super::{Language, flat::Flat};

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

/// Whether a sentence guesses, wishes or supposes. "I'd prefer" and "I would never" state what holds.
pub fn is_hedged(sentence: &str) -> bool {
    let flat = Flat::new(sentence);
    match flat.language {
        Language::Zh => guesses_chinese(&flat),
        Language::Ru => guesses_russian(&flat),
        Language::En | Language::Other => guesses_english(&flat),
    }
}

/// Whether a sentence is about today or this moment only.
pub fn is_transient(sentence: &str) -> bool {
    let flat = Flat::new(sentence);
    match flat.language {
        Language::Zh => passes_chinese(&flat),
        Language::Ru => passes_russian(&flat),
        Language::En | Language::Other => passes_english(&flat),
    }
}

/// Whether an answer opens with a plain yes ("yes, four"; "是的"; "да, у нас две"). Russian "да нет" is a no.
pub fn is_yes(answer: &str) -> bool {
    let flat = Flat::new(answer);
    if is_question(answer) || is_hedged(answer) {
        return false;
    }
    match flat.language {
        Language::Zh => {
            let yes = ["是的", "是啊", "是呀", "对的", "对啊", "对呀", "没错", "嗯", "当然", "确实", "正确"]
                .iter()
                .any(|yes| flat.plain.starts_with(yes));
            let short = ["是", "对", "有"]
                .iter()
                .any(|yes| flat.plain.strip_prefix(yes).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)));
            yes || short
        }
        Language::Ru => {
            let refusal = "да нет|да не|да ну|да никак";
            flat.opens("да|ага|угу|верно|точно|именно|конечно|правильно|так и есть|совершенно верно")
                && !flat.opens(refusal)
        }
        Language::En | Language::Other => flat.opens(
            "yes|yeah|yep|yup|sure|correct|exactly|right|that's right|that is right|that's correct|\
            that is correct|indeed|of course|absolutely|definitely|true|i do|i am|we do|we are|sí|si ,",
        ),
    }
}

/// The words without the greetings and fillers they open with.
fn opening<'a>(spaced: &'a str, fillers: &[&str]) -> Vec<&'a str> {
    spaced.split_whitespace().skip_while(|word| fillers.contains(word)).collect()
}

fn asks_english(flat: &Flat) -> bool {
    let words = opening(
        &flat.spaced,
        &[
            "hi", "hello", "hey", "so", "and", "but", "ok", "okay", "well", "please", "um", "oh", "also", "then", ",",
            ".", "!", "thanks", "actually",
        ],
    );
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let subject = |word: &str| {
        matches!(
            word,
            "i" | "you"
                | "he"
                | "she"
                | "it"
                | "we"
                | "they"
                | "there"
                | "your"
                | "my"
                | "our"
                | "the"
                | "this"
                | "that"
                | "these"
                | "those"
                | "anyone"
                | "someone"
                | "any"
        )
    };
    let pronoun = |word: &str| matches!(word, "i" | "you" | "he" | "she" | "it" | "we" | "they" | "there");
    let auxiliary = |word: &str| {
        matches!(
            word,
            "is" | "are"
                | "am"
                | "was"
                | "were"
                | "do"
                | "does"
                | "did"
                | "can"
                | "could"
                | "would"
                | "will"
                | "should"
                | "shall"
                | "may"
                | "has"
                | "had"
                | "have"
                | "don't"
                | "doesn't"
                | "didn't"
                | "isn't"
                | "aren't"
                | "can't"
                | "couldn't"
                | "won't"
                | "wouldn't"
                | "shouldn't"
                | "hasn't"
                | "haven't"
        )
    };
    let wh = match word(0) {
        "what" | "who" | "where" | "when" | "why" | "how" | "which" | "whose" | "whom" => {
            let counted = word(0) == "how"
                && matches!(
                    word(1),
                    "many" | "much" | "long" | "far" | "often" | "old" | "come" | "about" | "soon" | "big" | "to"
                );
            let kind = matches!(word(0), "what" | "which")
                && matches!(word(1), "kind" | "sort" | "type" | "time" | "about" | "if" | "else" | "one" | "ones");
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
    wh || inverted
        || flat.has("any idea|any ideas|do you know|can you|could you|would you|tell me|let me know|i wonder")
        || flat.has("i was wondering|i'd like to know|i want to know|i would like to know|need to know")
}

fn asks_chinese(flat: &Flat) -> bool {
    let text = flat.plain.trim_end_matches(|c: char| !c.is_alphanumeric() || matches!(c, '啊' | '呀' | '哈'));
    if text.ends_with('吗') || text.ends_with('嘛') && flat.holds("能|可以|行") {
        return true;
    }
    if text.ends_with('呢') && text.chars().count() <= 6 && !text.starts_with('我') {
        return true;
    }
    if flat.holds("请问|为什么|为啥|为何|怎么样|怎样|如何|是否|能否|可否|几点|几个|多少|多久|多远|多大|哪里|哪儿|哪个|哪些|哪家|哪种|哪位|干嘛|干啥|咋") && !flat.holds("不知道该如何")
    {
        return !flat.holds("不管|无论|不论|没多少|没几个|几个月|好几个|不怎么样");
    }
    // "什么", "怎么" and "谁" also mean "any" beside 都, 也, 没 and 不.
    if flat.holds("什么|怎么|谁|啥") {
        return !flat.holds("什么都|什么也|没什么|没有什么|不是什么|什么的|谁都|谁也|怎么都|怎么也|不怎么|没怎么|没啥|啥都|啥也|不管|无论|不论|不知道怎么");
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

fn asks_russian(flat: &Flat) -> bool {
    let words = opening(
        &flat.spaced,
        &[
            "привет",
            "здравствуйте",
            "добрый",
            "день",
            "а",
            "и",
            "ну",
            "так",
            "но",
            "то",
            "скажите",
            "пожалуйста",
            ",",
            ".",
            "!",
            "тогда",
            "еще",
        ],
    );
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let dependent = words.iter().skip(1).any(|word| *word == ",");
    let asked = match word(0) {
        "что" | "чем" => word(1) != "касается" && !dependent,
        "как" => {
            !dependent
                && !matches!(
                    word(1),
                    "правило"
                        | "обычно"
                        | "всегда"
                        | "только"
                        | "и"
                        | "раз"
                        | "минимум"
                        | "клиент"
                        | "я"
                        | "вы"
                        | "мы"
                )
        }
        "когда" | "где" | "куда" | "откуда" | "кто" | "кому" | "кого" | "сколько" | "какой" | "какая" | "какое"
        | "какие" | "каким" | "каков" | "чей" | "чья" | "чье" => !dependent,
        "почему" | "зачем" | "разве" | "неужели" | "можно" | "подскажите" => true,
        _ => false,
    };
    let whether = flat.spaced.contains(" ли ") && !flat.has("вряд ли|едва ли|чуть ли|то ли");
    asked
        || whether
        || flat.has("подскажите|не подскажете|скажите|вы можете|можете ли|вы не знаете|у вас есть|интересно ,")
        || flat.opens("скажите|есть ли")
}

fn guesses_english(flat: &Flat) -> bool {
    if flat.has(
        "maybe|perhaps|probably|possibly|presumably|supposedly|hopefully|apparently|i guess|i suppose|\
            i wish|we wish|i hope|we hope|not sure|unsure|not certain|what if|let's say|imagine|pretend|\
            hypothetically|suppose|thinking about|thinking of|considering|it seems|seems like|seems that|\
            unless|could be|could have|i could|we could|may be|i may|we may|may have|i think i'm|i think i|\
            i think we|i think my|i think our|i think it's|i think he|i think she|i believe i|i believe we|\
            i believe my|i believe our|i was going to|as if|dream of|dreaming of",
    ) {
        return true;
    }
    let might = flat.spaced.replace(" might as well ", " ").contains(" might ");
    let condition =
        ["even if ", "if possible ", "if you don't mind ", "if that helps ", "if it helps ", "if it matters "]
            .iter()
            .fold(flat.spaced.clone(), |text, phrase| text.replace(phrase, ""))
            .contains(" if ");
    might || condition || supposes(&flat.spaced)
}

/// "I would …" supposes, except where it states a preference, a wish or a refusal.
fn supposes(spaced: &str) -> bool {
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.iter().enumerate().any(|(at, word)| {
        let would =
            *word == "would" || matches!(*word, "i'd" | "we'd" | "he'd" | "she'd" | "they'd" | "it'd" | "you'd");
        let next = words.get(at + 1).copied().unwrap_or_default();
        // "I'd better", "I'd been": the short form of "had".
        let had = *word != "would"
            && (matches!(next, "better" | "been" | "had" | "just" | "already") || next.ends_with("ed"));
        would
            && !had
            && !matches!(
                next,
                "prefer"
                    | "rather"
                    | "like"
                    | "love"
                    | "never"
                    | "not"
                    | "hate"
                    | "always"
                    | "definitely"
                    | "say"
                    | "much"
                    | "really"
                    | "appreciate"
                    | "you"
            )
    })
}

fn guesses_chinese(flat: &Flat) -> bool {
    let mut text = flat.plain.clone();
    for certain in ["不可能", "可能性", "希望小学", "不大概"] {
        text = text.replace(certain, "、");
    }
    let about = ["大概", "大约", "差不多", "估计"].iter().any(|word| {
        text.split_once(word).is_some_and(|(_, after)| {
            // "大概三十人" is a figure given roughly, no guess.
            let figure = after.trim_start_matches(['有', '是', '在', ' ']).chars().next();
            *word != "大约"
                && *word != "差不多"
                && !figure.is_some_and(|c| c.is_ascii_digit() || "一二两三四五六七八九十百几".contains(c))
        })
    });
    about
        || [
            "可能",
            "也许",
            "或许",
            "说不定",
            "如果",
            "要是",
            "假如",
            "假设",
            "倘若",
            "假使",
            "万一",
            "希望",
            "但愿",
            "好像",
            "似乎",
            "想必",
            "恐怕",
            "不确定",
            "不一定",
            "没准",
            "应该是",
            "应该会",
            "考虑",
            "的话",
            "巴不得",
            "要不要",
            "我猜",
            "不太清楚",
            "打算",
            "看情况",
            "再说吧",
        ]
        .iter()
        .any(|word| text.contains(word))
}

fn guesses_russian(flat: &Flat) -> bool {
    if flat.has(
        "может быть|может ,|наверное|наверно|возможно|вроде|кажется|похоже ,|пожалуй|вероятно|видимо|\
            скорее всего|надеюсь|надеемся|допустим|предположим|не уверен|не уверена|если|думаю , что|\
            думаем , что|думаю|подумываю|подумываем|по идее|вдруг|якобы|будто|хорошо бы|вот бы|то ли|\
            вряд ли|должно быть|по моему|мы рассматриваем|рассматриваю",
    ) || flat.opens("может")
    {
        return true;
    }
    let words: Vec<&str> = flat.spaced.split_whitespace().collect();
    words.iter().enumerate().any(|(at, word)| {
        let around = |word: &str| {
            ["хотел", "предпоч", "стал", "посоветова", "рекоменд"].iter().any(|stated| word.starts_with(stated))
        };
        let near = words[at.saturating_sub(2)..words.len().min(at + 3)].iter().any(|word| around(word));
        // "Как бы" and "чтобы" aside, "бы" supposes; "хотел бы" wishes, "не стал бы" refuses.
        matches!(*word, "бы" | "б")
            && !near
            && !at.checked_sub(1).is_some_and(|before| matches!(words[before], "как" | "что" | "кто" | "где"))
    })
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
        let rest = words[at + 1..].iter().find(|word| {
            !matches!(
                **word,
                "so" | "very"
                    | "really"
                    | "a"
                    | "bit"
                    | "little"
                    | "too"
                    | "just"
                    | "kind"
                    | "of"
                    | "pretty"
                    | "quite"
                    | "still"
                    | "also"
                    | "all"
                    | "feeling"
                    | "getting"
                    | "currently"
                    | "well"
                    | "doing"
            )
        });
        being
            && rest.is_some_and(|state| {
                matches!(
                    *state,
                    "busy"
                        | "tired"
                        | "hungry"
                        | "sleepy"
                        | "bored"
                        | "sick"
                        | "cold"
                        | "hot"
                        | "late"
                        | "driving"
                        | "stuck"
                        | "exhausted"
                        | "thirsty"
                        | "sad"
                        | "happy"
                        | "excited"
                        | "confused"
                        | "sorry"
                        | "ready"
                        | "done"
                        | "fine"
                        | "good"
                        | "ok"
                        | "okay"
                        | "great"
                        | "upset"
                        | "angry"
                        | "frustrated"
                        | "annoyed"
                        | "nervous"
                        | "stressed"
                        | "worried"
                        | "glad"
                        | "here"
                        | "waiting"
                        | "back"
                        | "relaxing"
                        | "better"
                        | "pleased"
                        | "drunk"
                        | "hungover"
                )
            })
    })
}

fn passes_chinese(flat: &Flat) -> bool {
    if flat.holds("今天|今晚|今早|今儿|刚才|刚刚|此刻|这会儿|一会儿|等会|待会|马上|这两天|目前正在|现在正|正在|今日|明早|最近有点|最近很|最近太") {
        return true;
    }
    let state = [
        "累",
        "忙",
        "饿",
        "困",
        "渴",
        "烦",
        "冷",
        "热",
        "急",
        "开心",
        "高兴",
        "难过",
        "无聊",
        "生气",
        "头疼",
        "头痛",
        "不舒服",
        "感冒",
        "郁闷",
        "着急",
        "担心",
        "紧张",
        "激动",
    ];
    let now = ["现在", "有点", "好", "很", "太", "真", "快", "非常", "挺", "正"];
    let first = flat.plain.starts_with(['我', '好', '太', '有', '真']) || flat.plain.contains("现在");
    first && now.iter().any(|now| state.iter().any(|state| flat.plain.contains(&format!("{now}{state}"))))
}

fn passes_russian(flat: &Flat) -> bool {
    let durable = ["жив", "работа", "уч", "использ", "польз", "перешл", "перееха", "снима", "занима"];
    let lasting = flat.spaced.split_whitespace().any(|word| durable.iter().any(|stem| word.starts_with(stem)));
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
    use super::*;
    use proptest::prelude::*;

    fn check(rule: fn(&str) -> bool, yes: &[&str], no: &[&str]) {
        for text in yes {
            assert!(rule(text), "{text}");
        }
        for text in no {
            assert!(!rule(text), "{text}");
        }
    }

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

    #[test]
    fn guesses_are_told_from_preferences() {
        check(
            is_hedged,
            &[
                "Maybe I'll move to Oslo",
                "I might buy a dog",
                "I think I might go",
                "If I had a dog, I'd walk it",
                "I would buy it",
                "I wish I had a car",
                "We're considering Postgres",
                "我可能会搬家",
                "如果我有钱就好了",
                "要是能去就好了",
                "我希望去日本",
                "Может быть, куплю собаку",
                "Наверное, я перееду",
                "Если переедем, скажу",
                "Я бы купил дом",
            ],
            &[
                "I'd prefer e-mail",
                "I would never eat meat",
                "I'd rather walk",
                "I live in Oslo",
                "I moved in May",
                "I might as well stay",
                "我不可能吃肉",
                "我们公司大概有30人",
                "我住在上海",
                "Я хотел бы получать письма",
                "Я бы не стал это есть",
                "Я живу в Туле",
                "",
            ],
        );
    }

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
                "Сейчас живу в Туле",
                "Я врач",
                "",
            ],
        );
    }

    #[test]
    fn a_plain_yes_is_known() {
        check(
            is_yes,
            &[
                "yes, four",
                "Yep.",
                "That's right",
                "是的，四个",
                "对，没错",
                "嗯",
                "有，两只",
                "Да, две",
                "ага",
                "Sí, dos",
            ],
            &["no", "yes?", "maybe yes", "yesterday we did", "不是", "对不起", "有没有", "да нет", "нет", "давно", ""],
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC*|[a-z'?, бы ли我不现在呢]{0,40}") {
            let _ = (is_question(&text), is_hedged(&text), is_transient(&text));
        }
    }
}
