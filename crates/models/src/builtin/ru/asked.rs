//! What a Russian yes/no question asks to confirm.

use super::tidy;

/// Words in which an agent speaks of the customer, and the customer's own.
const TURNED: [(&str, &str); 24] = [
    ("вы", "я"),
    ("ты", "я"),
    ("вас", "меня"),
    ("тебя", "меня"),
    ("вам", "мне"),
    ("тебе", "мне"),
    ("ваш", "мой"),
    ("ваша", "моя"),
    ("ваше", "мое"),
    ("ваши", "мои"),
    ("вашей", "моей"),
    ("вашего", "моего"),
    ("твой", "мой"),
    ("твоя", "моя"),
    ("живете", "живу"),
    ("работаете", "работаю"),
    ("используете", "используем"),
    ("пользуетесь", "пользуемся"),
    ("любите", "люблю"),
    ("едите", "ем"),
    ("пьете", "пью"),
    ("учитесь", "учусь"),
    ("говорите", "говорю"),
    ("предпочитаете", "предпочитаю"),
];

/// The statement a yes/no question asks to confirm, in the customer's words; `None` for offers, requests and open
/// questions.
pub(super) fn asked(question: &str) -> Option<String> {
    let asked = tidy::clause(question);
    let asked = asked.trim_end_matches(['?', '.', '!', ' ']);
    let words: Vec<&str> = asked.split(' ').map(|word| word.trim_matches(',')).collect();
    let open = [
        "что",
        "кто",
        "где",
        "когда",
        "как",
        "какой",
        "какая",
        "какие",
        "какое",
        "сколько",
        "почему",
        "зачем",
        "чем",
        "откуда",
        "куда",
        "или",
        "кем",
    ];
    let offer = [
        "хотите",
        "хотели",
        "нужно",
        "нужна",
        "нужен",
        "можно",
        "можем",
        "могу",
        "помочь",
        "подойдет",
        "удобно",
        "желаете",
        "согласны",
        "планируете",
        "готовы",
        "давайте",
        "прислать",
    ];
    if words.iter().any(|word| open.contains(word) || offer.contains(word)) {
        return None;
    }
    let mut own = false;
    let turned: Vec<&str> = words
        .iter()
        .filter(|word| {
            !matches!(
                **word,
                "ли" | "верно"
                    | "правильно"
                    | "так"
                    | "да"
                    | "правда"
                    | "а"
                    | "скажите"
                    | "понимаю"
                    | "значит"
                    | "получается"
            )
        })
        .map(|word| match TURNED.iter().find(|(theirs, _)| theirs == word) {
            Some((_, mine)) => {
                own = true;
                *mine
            }
            None => *word,
        })
        .collect();
    own.then(|| format!("{}.", turned.join(" ")))
}
