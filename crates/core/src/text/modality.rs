//! How a statement stands to what is: wished, due, over, to come. What it says plainly has none.

use std::collections::BTreeSet;

use super::{
    Language,
    flat::{Flat, starts_with_any},
};

/// How a statement stands to what is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Modality {
    /// "Would like to", "plans to", "想", "хочу".
    Wish,
    /// "Must", "has to", "必须", "должен".
    Duty,
    /// "Used to", "以前", "раньше".
    Past,
    /// "Will", "将", "будет".
    Ahead,
}

/// The modalities a text speaks in.
pub fn modalities(text: &str) -> BTreeSet<Modality> {
    let flat = Flat::new(text);
    let list: &[(Modality, &str)] = match flat.language {
        Language::Zh => &ZH,
        Language::Ru => &RU,
        Language::En | Language::Other => &EN,
    };
    let speaks = |phrases: &str| match flat.language {
        Language::Zh => flat.holds(phrases),
        // Stems: the endings tell the person.
        Language::Ru => flat.spaced.split_whitespace().any(|word| starts_with_any(word, phrases)),
        Language::En | Language::Other => flat.has(phrases),
    };
    list.iter().filter(|(_, phrases)| speaks(phrases)).map(|(modality, _)| *modality).collect()
}

const EN: [(Modality, &str); 4] = [
    (
        Modality::Wish,
        "want|wants|wanted|wanting|would like|i'd like|we'd like|would love|i'd love|hope|hopes|hoping|plan|plans|planning|\
        planned|intend|intends|intending|going to|gonna|dream|dreams|wish|wishes|aim|aims|try to|trying to|tries to",
    ),
    (Modality::Duty, "must|have to|has to|had to|should|need to|needs to|supposed to|ought to"),
    (Modality::Past, "used to|formerly|previously|in the past|once was|back then|no longer|anymore|any longer"),
    (Modality::Ahead, "will|i'll|we'll|he'll|she'll|they'll|shall|going to|gonna|about to"),
];
const ZH: [(Modality, &str); 4] = [
    (Modality::Wish, "想要|想去|想学|想买|想换|想当|想在|我想|希望|打算|计划|准备"),
    (Modality::Duty, "必须|应该|需要|不得不"),
    (Modality::Past, "以前|曾经|过去|从前|原来|之前|不再"),
    (Modality::Ahead, "将要|即将|快要|将会|就要|将"),
];
const RU: [(Modality, &str); 4] = [
    (Modality::Wish, "хочу|хотим|хочет|хотят|хотел|хотите|планиру|собираю|собирае|мечта|надею|надее|намерен|стремлю"),
    (Modality::Duty, "должен|должн|обязан|придется|приходится|необходимо"),
    (Modality::Past, "раньше|прежде|когда-то|ранее|бывш|больше"),
    (Modality::Ahead, "буду|будет|будем|будут|скоро"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modalities_are_told() {
        for (text, expected) in [
            ("I live in Oslo", vec![]),
            ("I would like to learn Spanish", vec![Modality::Wish]),
            ("I used to live in Oslo", vec![Modality::Past]),
            ("I have to take insulin", vec![Modality::Duty]),
            ("I will move in May", vec![Modality::Ahead]),
            ("我想学日语", vec![Modality::Wish]),
            ("我以前住在上海", vec![Modality::Past]),
            ("我住在上海", vec![]),
            ("Хочу выучить испанский", vec![Modality::Wish]),
            ("Раньше я жил в Туле", vec![Modality::Past]),
            ("Я живу в Туле", vec![]),
        ] {
            assert_eq!(modalities(text).into_iter().collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
