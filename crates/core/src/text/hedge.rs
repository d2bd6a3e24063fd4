//! Whether a sentence guesses, wishes or supposes.

use super::{
    Language,
    flat::{Flat, Phrases, one_of},
};

/// Whether a sentence guesses, wishes or supposes. "I'd prefer" and "I would never" state what holds.
pub fn is_hedged(sentence: &str) -> bool {
    let flat = Flat::new(sentence);
    match flat.language {
        Language::Zh => guesses_chinese(&flat),
        Language::Ru => guesses_russian(&flat),
        Language::En | Language::Other => guesses_english(&flat),
    }
}

/// What English guesses and supposes with.
static GUESSES: Phrases = Phrases::whole(
    "maybe|perhaps|probably|possibly|presumably|supposedly|hopefully|apparently|i guess|i suppose|\
    i wish|we wish|i hope|we hope|not sure|unsure|not certain|what if|let's say|\
    hypothetically|thinking about|thinking of|considering|it seems|seems like|seems that|\
    unless|could be|could have|i could|we could|may be|i may|we may|may have|i think i'm|i think i|\
    i think we|i think my|i think our|i think it's|i think he|i think she|i believe i|i believe we|\
    i believe my|i believe our|i was going to|as if|dream of|dreaming of",
);

fn guesses_english(flat: &Flat) -> bool {
    if flat.finds(&GUESSES) {
        return true;
    }
    let trails = |doubt: &str| flat.plain.trim_end_matches(['.', '!', ' ']).ends_with(doubt);
    if flat.opens("imagine|pretend|suppose")
        || [", i think", ", i believe", ", i suppose"].iter().any(|doubt| trails(doubt))
    {
        return true;
    }
    let might = flat.spaced.contains(" might ") && flat.spaced.replace(" might as well ", " ").contains(" might ");
    let condition = flat.spaced.contains(" if ")
        && ["even if ", "if possible ", "if you don't mind ", "if that helps ", "if it helps ", "if it matters "]
            .iter()
            .fold(flat.spaced.clone(), |text, phrase| text.replace(phrase, ""))
            .contains(" if ");
    might || condition || supposes(&flat.spaced)
}

/// "I would …" supposes, except where it states a preference, a wish or a refusal.
fn supposes(spaced: &str) -> bool {
    if !spaced.contains("would ") && !spaced.contains("'d ") {
        return false;
    }
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.iter().enumerate().any(|(at, word)| {
        let would = *word == "would" || one_of("i'd|we'd|he'd|she'd|they'd|it'd|you'd", word);
        let next = words.get(at + 1).copied().unwrap_or_default();
        // "I'd better", "I'd been": the short form of "had".
        let had = *word != "would"
            && (matches!(next, "better" | "been" | "had" | "just" | "already") || next.ends_with("ed"));
        would
            && !had
            && !one_of("prefer|rather|like|love|never|not|hate|always|definitely|say|much|really|appreciate|you", next)
    })
}

/// What Chinese guesses, hopes and supposes with.
static CHINESE: Phrases = Phrases::parts(
    "可能|也许|或许|说不定|如果|要是|假如|假设|倘若|假使|万一|希望|但愿|好像|似乎|想必|恐怕|不确定|不一定|没准|\
    应该是|应该会|考虑|的话|巴不得|要不要|我猜|不太清楚|打算|看情况|再说吧",
);

fn guesses_chinese(flat: &Flat) -> bool {
    if !flat.finds(&CHINESE) && !flat.holds("大概|估计") {
        return false;
    }
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
    about || CHINESE.occur(&text)
}

/// What Russian guesses, hopes and supposes with.
static RUSSIAN: Phrases = Phrases::whole(
    "может быть|может ,|наверное|наверно|возможно|вроде|кажется|похоже ,|пожалуй|вероятно|видимо|\
    скорее всего|надеюсь|надеемся|допустим|предположим|не уверен|не уверена|если|думаю , что|\
    думаем , что|думаю|подумываю|подумываем|по идее|вдруг|якобы|будто|хорошо бы|вот бы|то ли|\
    вряд ли|должно быть|по моему|мы рассматриваем|рассматриваю",
);

fn guesses_russian(flat: &Flat) -> bool {
    if flat.finds(&RUSSIAN) || flat.opens("может") {
        return true;
    }
    if !flat.has("бы|б") {
        return false;
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

#[cfg(test)]
mod tests {
    use super::{super::tests::check, *};

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
}
