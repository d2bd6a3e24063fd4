//! Of whom a clause speaks, by the words it opens with.

use super::{
    Language,
    flat::{Flat, Words, starts_with_any},
};

/// Of whom a clause speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The one who speaks: "I", "we", "my car", or words about somebody else that come back to the speaker.
    Own,
    /// Somebody of the speaker's: "my friend", "мой брат", "我妈".
    Theirs,
    /// Somebody else: "he", "people", "вы".
    Others,
    /// The words do not tell.
    Unsaid,
}

/// Of whom a clause speaks.
pub fn whose(clause: &str) -> Whose {
    let flat = Flat::new(clause);
    match flat.language {
        Language::Zh => chinese(&flat.plain),
        Language::Ru => spaced(&flat, &RU),
        Language::En => spaced(&flat, &EN),
        Language::Other => Whose::Unsaid,
    }
}

/// What a language with spaces brings.
struct Tongue {
    /// Words before a subject.
    fillers: Words,
    /// Possessives of the speaker.
    mine: Words,
    /// The speaker as subject or object.
    me: Words,
    /// Others, where they open a clause.
    others: Words,
    /// What may stand before a person ("a friend", "у моей сестры").
    articles: Words,
    /// Words for people.
    people: Words,
}

static EN: Tongue = Tongue {
    fillers: Words::new(
        ",|.|!|:|(|\"|and|but|so|because|well|yes|yeah|no|also|oh|ok|okay|actually|that|since|as|though|although|\
        besides|honestly|however|anyway|hi|hello|hey|now|then|plus|apparently",
    ),
    mine: Words::new("my|our|mine|ours"),
    me: Words::new("i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|we'd|we'll|me|us|myself|ourselves|my|our|let's"),
    others: Words::new(
        "he|she|they|you|he's|she's|they're|they've|you're|you've|his|her|their|your|people|everyone|everybody|\
        someone|somebody|nobody",
    ),
    articles: Words::new(
        "a|an|the|one|this|that|some|another|best|old|older|younger|elder|big|little|good|close|dear|new|ex|late|\
        two|three|both|of|own",
    ),
    people: Words::new(
        "friend|friends|wife|husband|mother|mom|mum|mommy|father|dad|daddy|brother|brothers|sister|sisters|son|sons|\
        daughter|daughters|kid|kids|child|children|parents|grandmother|grandma|grandfather|grandpa|grandparents|aunt|uncle|\
        cousin|cousins|nephew|niece|partner|girlfriend|boyfriend|fiance|fiancee|boss|manager|colleague|colleagues|coworker|\
        coworkers|neighbor|neighbors|neighbour|neighbours|roommate|flatmate|teacher|doctor|landlord|spouse|mate|buddy|\
        classmate|client|clients|accountant|lawyer",
    ),
};

static RU: Tongue = Tongue {
    fillers: Words::new(
        ",|.|!|:|(|\"|и|а|но|да|нет|вот|ну|потому|что|так|как|еще|также|кстати|вообще|зато|однако|хотя|привет",
    ),
    mine: Words::new("мой|моя|мое|мои|моего|моей|моему|моих|моим|наш|наша|наше|наши|нашего|нашей|нашему|наших|нашим"),
    me: Words::new(
        "я|мы|меня|мне|мной|мною|нас|нам|нами|мой|моя|мое|мои|моего|моей|моему|моих|моим|моем|моими|мою|наш|наша|наше|\
        наши|нашего|нашей|нашему|наших|нашим|нашем|нашу",
    ),
    others: Words::new("он|она|они|вы|ты|его|ее|их|ему|ей|им|ваш|ваша|ваши|твой|твоя|твои|люди|никто"),
    articles: Words::new(
        "у|один|одна|лучший|лучшая|лучшего|лучшей|старший|старшая|младший|младшая|старшего|старшей|младшего|младшей|\
        хороший|хорошая|бывший|бывшая|этот|эта|самый|самая|двоюродный|двоюродная",
    ),
    people: Words::new(
        "друг|друга|другу|друзья|друзей|подруга|подруги|подруге|жена|жены|жене|муж|мужа|мужу|мама|мамы|маме|мать|\
        матери|папа|папы|папе|отец|отца|отцу|брат|брата|брату|сестра|сестры|сестре|сын|сына|сыну|дочь|дочери|дочка|дочки|дети|\
        детей|детям|родители|родителей|родителям|бабушка|бабушки|бабушке|дедушка|дедушки|дед|деда|тетя|тети|дядя|дяди|\
        племянник|племянница|внук|внучка|начальник|начальника|коллега|коллеги|коллег|сосед|соседа|соседка|соседи|девушка|\
        девушки|парень|парня|невеста|жених|учитель|врач|директор",
    ),
};

fn spaced(flat: &Flat, tongue: &Tongue) -> Whose {
    let words: Vec<&str> = flat.spaced.split_whitespace().skip_while(|word| tongue.fillers.has(word)).collect();
    let comes_back = |from: usize| words.iter().skip(from).any(|word| tongue.me.has(word));
    let Some(first) = words.first() else { return Whose::Unsaid };
    // "У моей сестры": the preposition belongs to the one it speaks of.
    let at = usize::from(*first == "у");
    let own = words.get(at).is_some_and(|word| tongue.mine.has(word));
    let person = words[at..].iter().enumerate().take(5).skip(usize::from(own)).take_while(|(index, word)| {
        *index == 0 || tongue.articles.has(word) || tongue.people.has(word) || person_of(word, tongue)
    });
    let person = person.map(|(index, word)| (at + index, *word)).find(|(_, word)| person_of(word, tongue));
    match person {
        // "My wife's car", "my dog is mine": a thing of theirs, or back to the speaker.
        Some((index, _)) if comes_back(index + 1) => Whose::Own,
        Some(_) if own => Whose::Theirs,
        Some((index, _)) if tongue.articles.has(words[0]) && index > 0 => Whose::Others,
        _ if comes_back(0) => Whose::Own,
        _ if tongue.others.has(first) => Whose::Others,
        _ => Whose::Unsaid,
    }
}

fn person_of(word: &str, tongue: &Tongue) -> bool {
    tongue.people.has(word)
}

fn chinese(plain: &str) -> Whose {
    const PEOPLE: &str = "朋友|好朋友|闺蜜|哥们|老婆|太太|妻子|爱人|老公|丈夫|先生|妈妈|妈|母亲|爸爸|爸|父亲|爸妈|父母|哥哥|哥|姐姐|姐|弟弟|弟|\
        妹妹|妹|儿子|女儿|孩子|宝宝|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔|阿姨|舅舅|姑姑|表哥|表姐|表弟|表妹|侄子|外甥|同事|老板|领导|\
        上司|经理|同学|室友|邻居|男朋友|女朋友|男友|女友|老师|客户";
    let text = plain.trim_start_matches(|c: char| !c.is_alphanumeric());
    let text = ["而且", "不过", "但是", "但", "因为", "所以", "另外", "还有", "其实"]
        .iter()
        .fold(text, |text, filler| text.strip_prefix(filler).unwrap_or(text));
    if let Some(rest) = text.strip_prefix("我们").or_else(|| text.strip_prefix('我')) {
        let rest = rest.strip_prefix('的').unwrap_or(rest);
        let rest = ["最好的", "大", "小", "老"].iter().fold(rest, |rest, lead| rest.strip_prefix(lead).unwrap_or(rest));
        let person = PEOPLE.split('|').filter_map(|person| rest.strip_prefix(person)).min_by_key(|rest| rest.len());
        return match person {
            Some(rest) if !rest.contains('我') && !rest.starts_with(['和', '跟', '与', '的']) => Whose::Theirs,
            _ => Whose::Own,
        };
    }
    if text.contains(['我', '咱']) {
        return Whose::Own;
    }
    match starts_with_any(text, "他|她|它|你|您|有人|有些人|大家|别人|人们|朋友|同事") {
        true => Whose::Others,
        false => Whose::Unsaid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_tells_of_whom_it_speaks() {
        for (clause, of) in [
            ("My friend hates football.", Whose::Theirs),
            ("and my older sister lives in Rome", Whose::Theirs),
            ("A friend of mine hates football", Whose::Others),
            ("The doctor lives in Oslo", Whose::Others),
            ("My friends call me Sam", Whose::Own),
            ("My wife and I live in Oslo", Whose::Own),
            ("My car is red", Whose::Own),
            ("I hate football", Whose::Own),
            ("She hates football", Whose::Others),
            ("You are great", Whose::Others),
            ("Live in Oslo", Whose::Unsaid),
            ("Мой друг ненавидит футбол", Whose::Theirs),
            ("У моей сестры кошка", Whose::Theirs),
            ("У меня кошка", Whose::Own),
            ("Он ненавидит футбол", Whose::Others),
            ("Ненавижу футбол", Whose::Unsaid),
            ("Моя машина красная", Whose::Own),
            ("我朋友讨厌足球", Whose::Theirs),
            ("我妈妈住在上海", Whose::Theirs),
            ("我和我太太住在上海", Whose::Own),
            ("我讨厌足球", Whose::Own),
            ("我有一个儿子", Whose::Own),
            ("他讨厌足球", Whose::Others),
            ("讨厌足球", Whose::Unsaid),
            ("Mi amigo odia el fútbol", Whose::Unsaid),
            ("", Whose::Unsaid),
        ] {
            assert_eq!(whose(clause), of, "{clause}");
        }
    }
}
