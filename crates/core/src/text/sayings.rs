//! The set phrases in which people answer a question about what is known already.

use super::{
    Language,
    flat::{Flat, one_of},
};
use crate::item::Answer;

/// One thing that may be said, by its phrases in each language.
///
/// Before a text is looked up, the words around a phrase are left out of it: `*_around`. In Chinese those are characters at
/// either end. Entries have `|` between them.
pub(super) struct Saying {
    en: &'static str,
    en_around: &'static str,
    ru: &'static str,
    ru_around: &'static str,
    zh: &'static str,
    zh_around: &'static str,
}

impl Saying {
    /// Whether the text says it and no more.
    pub(super) fn is(&self, flat: &Flat) -> bool {
        match flat.language {
            Language::Zh => self.chinese(&flat.plain),
            Language::Ru => one_of(self.ru, &bare(flat.spaced.split_whitespace(), self.ru_around)),
            Language::En | Language::Other => one_of(self.en, &bare(flat.spaced.split_whitespace(), self.en_around)),
        }
    }

    /// The same, or it opens with it and, behind a comma, turns nothing ("the latter, we moved in May").
    pub(super) fn opens(&self, flat: &Flat) -> bool {
        const TURNS: &str = "but|except|unless|only|was|were|used|но|кроме|только|был|была|было|были|раньше";
        if self.is(flat) {
            return true;
        }
        if flat.language == Language::Zh {
            let turned = flat.holds("但|不过|可是|除了|以前|曾经");
            return !turned && flat.plain.split_once([',', '，']).is_some_and(|(front, _)| self.chinese(front));
        }
        let (list, around) = match flat.language {
            Language::Ru => (self.ru, self.ru_around),
            _ => (self.en, self.en_around),
        };
        let front = bare(words(flat).take_while(|word| *word != ","), around);
        // "First, I need …" counts.
        !flat.has(TURNS) && !one_of("first|second|none|", &front) && one_of(list, &front)
    }

    fn chinese(&self, said: &str) -> bool {
        let around = |c: char| !c.is_alphanumeric() || self.zh_around.contains(c);
        let whole = said.trim_matches(|c: char| !c.is_alphanumeric());
        one_of(self.zh, whole) || one_of(self.zh, said.trim_matches(around))
    }
}

/// The words and marks of an answer, without a no that it opens with: "no, neither".
fn words(flat: &Flat) -> impl Iterator<Item = &str> {
    let said = flat.spaced.trim_start();
    let rest = ["no ,", "nope ,", "нет ,"].iter().find_map(|no| said.strip_prefix(no));
    rest.unwrap_or(said).split_whitespace()
}

/// Words without the listed ones, in one line: "и то, и другое" is read without its comma.
fn bare<'a>(words: impl Iterator<Item = &'a str>, left_out: &str) -> String {
    words.filter(|word| !one_of(left_out, word)).collect::<Vec<_>>().join(" ")
}

/// It is as it was before.
pub(super) const STILL: Saying = Saying {
    en: "still|still so|still true|still correct|still right|still the case|still the same|same|the same|all the same|as before|\
         same as before|same as ever|the same as before|unchanged|nothing has changed|nothing changed|nothing's changed|\
         no change|no changes|hasn't changed|still holds|always|as always|still do|still am|still are|todavía|sigue igual|\
         todavía sí|así es",
    en_around: "yes|yeah|yep|yup|,|.|!|it|it's|that's|that|they|is|are|i|we|do|does|am|sí",
    ru: "все так же|все еще|по прежнему|до сих пор|еще да|все по прежнему|все то же|без изменений|ничего не изменилось|\
         не изменилось|как и раньше|как раньше|как прежде|все еще так|все еще да|пока да|по прежнему так",
    ru_around: "да|ага|угу|,|.|!",
    zh: "还是|还是这样|还是那样|还是一样|仍然是|仍然|仍是|仍然这样|依然|依然是|依旧|没变|没有变|没变化|没有变化|照旧|\
         跟以前一样|和以前一样|还跟以前一样|一直是|一直都是|还在用|没换|没有换",
    zh_around: "是的对嗯啊呀呢哦",
};

/// It is right as put.
pub(super) const RIGHT: Saying =
    Saying {
        en: "right|correct", ru: "все так|так и есть|все верно|все правильно", zh: "", zh_around: "", ..STILL
    };

/// Of two things both hold.
pub(super) const BOTH: Saying = Saying {
    en: "both|both of them|both of those|both of these|both things|both at|ambos|los dos|las dos",
    en_around: "yes|yeah|well|actually|oh|,|.|!|we|i|they|do|use|have|are|is|it's|that's|run|work|with|true|right|correct|the|\
                actually|really|in|fact|need|keep|like|offer|sell",
    ru: "и то и другое|и то и то|и та и другая|и тот и другой|оба|обе|оба варианта|обе версии|обоим|обоих|обоими|\
         обе вещи|и там и там",
    ru_around: "да|ага|,|.|!|мы|у|нас|я|меня|есть|используем|делаем|на|самом|деле|верны|верно|правда",
    zh: "两个都|两个都是|两个都对|两者都|两者都是|两个都有|两者都有|都是|都对|都有|都做|都用|两种都|两种都有|\
         两种都用|两种都是|两样都|两样都做|两个都做|两个都用|两个都要",
    zh_around: "是的对嗯啊我们呀呢哦了",
};

/// Of two things the one named first, or last, or none.
pub(super) const CHOSEN: [(Saying, Answer); 3] =
    [(FIRST, Answer::First), (SECOND, Answer::Second), (NEITHER, Answer::Neither)];

const FIRST: Saying = Saying {
    en: "the first|first|the first one|first one|the former|former|the first of those|the first of them|the first of the two|\
         the first option|option one|the earlier one|the earlier|the older one|the old one|number one|el primero|la primera",
    en_around: "yes|yeah|yep|well|actually|oh|no|,|.|!|it|it's|is|that's|that|now|true|right|correct|currently|today|please|\
                still|would|be|i'd|say|definitely|holds",
    ru: "первое|первый|первая|первые|первый вариант|первая версия|старое|старый|старая|прежнее|прежний|прежняя",
    ru_around: "да|нет|ну|,|.|!|это|верно|сейчас|теперь|правильно|скорее|пожалуй|актуально|вот|именно",
    zh: "前者|第一个|前一个|前面那个|前面的|前面的那个|先前那个|之前那个|之前的那个|第一种|头一个|原来那个|\
         原来的那个|第一项|前面这个|前面一个",
    zh_around: "是的对嗯啊呀呢哦,，现在应该还就选",
};

const SECOND: Saying = Saying {
    en: "the second|second|the second one|second one|the latter|latter|the second of those|the second of them|\
         the second of the two|the second option|option two|the last one|the last|the later one|the newer one|the new one|\
         the newest one|the most recent|the most recent one|number two|el segundo|la segunda",
    ru: "второе|второй|вторая|вторые|второй вариант|вторая версия|последнее|последний|последняя|новое|новый|новая",
    zh: "后者|第二个|后一个|后面那个|后面的|后面的那个|后来那个|后来的那个|第二种|新的那个|最新的|最新的那个|\
         第二项|后面这个|后面一个|新的",
    ..FIRST
};

const NEITHER: Saying = Saying {
    en: "neither|neither of them|neither of those|neither of these|neither of the two|neither one|none of them|none of those|\
         none|not either|not either of them|neither anymore|neither any more|ninguno|ninguna|ninguno de los dos",
    ru: "ни то ни другое|ни то ни то|ни тот ни другой|ни та ни другая|ни те ни другие|ни одно из них|ни один из них|\
         ни одна из них|ни одно|ни один|ни одна|ни там ни там|ни первое ни второе|оба неверны|обе неверны|оба неверно",
    zh: "都不是|两个都不是|两者都不是|都不对|两个都不对|哪个都不是|都没有|两个都没有|两个都不|都不|都不是了|\
         一个都不是|都不用了|两个都不用",
    zh_around: "的嗯啊呀呢哦,，现在我们其实",
    ..FIRST
};

/// It is no longer so.
pub(super) const OVER: Saying = Saying {
    en: "no longer|not any more|not anymore|not any longer|no more|no longer so|not so any more|not now|not true any more|\
         no longer true|no longer the case|not the case any more|not the case anymore|isn't any more|isn't anymore|\
         don't any more|don't anymore|ya no",
    en_around: "well|actually|oh|,|.|!|it|it's|that's|that|they|is|are|i|we|i'm|we're|am",
    ru: "больше нет|уже нет|уже не так|больше не так|уже неактуально|неактуально|не актуально|уже не актуально|\
         больше не актуально|теперь нет|уже не|больше не|с тех пор изменилось",
    ru_around: "ну|,|.|!|это|я|мы|у|нас|меня|так",
    zh: "不再了|已经不是了|不是了|不用了|没有了|早就不是了|已经不了|不再是了|已经没有了|已经不用了|早就不用了|\
         不再用了|现在不是了|现在不用了|不这样了|已经不这样了|已经换了|早换了|换了|变了|已经变了",
    zh_around: "的嗯啊呀呢哦,，我们",
};

/// A plain no.
pub(super) const NO: Saying = Saying {
    en: "no|nope|no i don't|no we don't|no i'm not|no we're not|no it isn't|no it's not|i don't|we don't|i'm not|\
         no not really",
    en_around: ",|.|!|well|thanks",
    ru: "нет|нет уже",
    ru_around: ",|.|!|ну",
    zh: "不|不是|没有|没|不了|不用",
    zh_around: "的嗯啊呀呢哦,，",
};
