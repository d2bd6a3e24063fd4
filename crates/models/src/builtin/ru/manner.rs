//! What stands around a Russian predicate: fillers before it, times, adverbs and negation.

use super::super::{
    stated::Manner,
    table::{cut, pattern},
};

pattern!(
    FILLER,
    "^(?:(?:здравствуйте|здравствуй|привет|приветствую|добрый день|доброе утро|добрый вечер|день добрый|доброго дня|ну|так|вот|да|нет|неправда|это неправда|неверно|это не так|ага|угу|ок|хорошо|\
     спасибо|пожалуйста|понятно|ясно|кстати|между прочим|к слову|вообще|в общем|короче|короче говоря|наверное|наверно|возможно|вероятно|кажется|видимо|может быть|похоже|скорее всего|пожалуй|по идее|думаю|если честно|честно говоря|честно|по правде говоря|\
     дело в том что|в том числе|значит|итак|к сожалению|к счастью|как я уже говорила?|как я уже писала?|как говорила?|напоминаю|для справки|для информации|учтите что|учтите|\
     имейте в виду что|имейте в виду|обратите внимание|хочу сказать что|хочу отметить что|хочу предупредить что|предупреждаю|сообщаю что|сразу скажу|\
     скажу что|знаете|знаешь|понимаете|видите ли|дело такое|смотрите|слушайте|конечно|разумеется|естественно|и|а|но|однако|зато|поэтому|потому что|так как|хотя|\
     тоже|также|плюс|еще и|еще|просто|ведь|правда|прикинь|представь|представьте что|представьте|допустим|предположим|если|если бы|когда|лично|лично для|что касается еды то|по поводу еды|ps|p\\.s\\.)(?:[,.:!]| |$)[,.:! -]*)"
);
// What is said behind one of these takes the place of what was said before.
pattern!(
    CORRECTS,
    "^(?:вообще[- ]то|на самом деле|точнее|вернее|точнее сказать|поправка|поправлюсь|уточню|уточняю|исправлюсь|(?:я )?(?:ошибся|ошиблась|оговорился|оговорилась|перепутал|перепутала)|подождите|погодите|подожди|стоп|\
     (?:я )?имел[аи]? в виду|в итоге|в конце концов|в конечном счете|окончательно)(?:[,.:!]| |$)[,.:! -]*"
);
pattern!(
    TIME,
    "^(?:в прошлом (?:году|месяце)|на прошлой неделе|в прошл(?:ый|ую|ое) (?:понедельник|вторник|среду|четверг|пятницу|субботу|воскресенье)|позапрошлом году|вчера|позавчера|недавно|только что|этим летом|прошлым летом|в этом году|в этом месяце|\
     (?:[0-9]+|год|два|три|четыре|пять|шесть|семь|восемь|девять|десять|пару|несколько|полгода|полтора)(?: года| лет| год| месяца| месяцев| недели| недель| дня| дней)? (?:тому )?назад|\
     в [0-9]{4}(?: году| м году| г\\.?)?|с [0-9]{4}(?: года| г\\.?)?|с (?:января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря)(?: [0-9]{4}(?: года)?)?|в (?:январе|феврале|марте|апреле|мае|июне|июле|августе|сентябре|октябре|ноябре|декабре)(?: [0-9]{4}(?: года)?)?|\
     [0-9]{1,2} (?:января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря)(?: [0-9]{4}(?: года)?)?|наконец|наконец то|после школы|после института|после университета|\
     после свадьбы|после развода|в молодости в|на днях)[, ]+"
);
// A moment: it says that the rest holds only then, which is judged from the whole clause.
pattern!(
    TODAY,
    "^(?:сегодня|завтра|послезавтра|вечером|утром|днем|прямо сейчас|только что|на этой неделе|пока что|на следующей неделе|в следующ(?:ем (?:месяце|году|квартале)|ий (?:понедельник|вторник|четверг)|ую (?:среду|пятницу|субботу)|ее воскресенье)|\
     через (?:неделю|месяц|год|полгода|(?:пару|несколько|два|две|три|[0-9]+) (?:дня|дней|недели|недель|месяца|месяцев|года|лет))|в конце (?:недели|месяца|года))[, ]+"
);
pattern!(
    NOW,
    "^(?:теперь|сейчас|ныне|в настоящее время|на данный момент|на сегодняшний день|нынче|с недавних пор|отныне)[, ]+"
);
pattern!(
    PAST,
    "^(?:раньше|прежде|ранее|когда то|в детстве|в прошлом|в юности|в молодости|до этого|до переезда|одно время|долгое время|в свое время|некогда)[, ]+"
);
pattern!(
    HABIT,
    "^(?:кажд(?:ый|ое|ую|ые) (?:день|утро|вечер|неделю|год|месяц|выходные|лето|зиму|субботу|воскресенье|понедельник|вторник|среду|четверг|пятницу)|ежедневно|еженедельно|ежемесячно|ежегодно|\
     обычно|часто|всегда|постоянно|регулярно|иногда|порой|периодически|время от времени|изредка|редко|по (?:выходным|утрам|вечерам|ночам|субботам|воскресеньям|понедельникам|вторникам|средам|четвергам|пятницам|праздникам)|\
     по жизни|с детства|в свободное время|на досуге|(?:один |два |три |[0-9]+ )?раза? в (?:неделю|месяц|год|день)|как правило|в основном|чаще всего|в целом)[, ]+"
);
pattern!(
    STRONG,
    "^(?:очень|безумно|сильно|ужасно|страшно|просто|особенно|больше всего|категорически|строго|абсолютно|совершенно|совсем|вообще|полностью|крайне|искренне|всей душой|дико|жутко|ни за что|больше всех)[, ]+"
);
pattern!(
    ADVERB,
    "^(?:наверное|наверно|возможно|вероятно|кажется|может быть|видимо|вроде|похоже|тоже|также|еще|уже|давно|сам|сама|сами|лично|вместе|с (?:мужем|женой|семьей|детьми|сыном|дочерью|родителями|друзьями|подругой|другом|мамой|парнем|девушкой|коллегами|братом|сестрой)|всей семьей|вдвоем|оба|обе|все|всё|по прежнему|до сих пор|пока|временно|скоро|пока что|и так|только|лишь|\
     именно|в принципе|реально|действительно|довольно|достаточно|немного|слегка|чуть чуть|почти|практически|примерно|около|где то|далеко|успешно|официально|почему то|конечно|правда|к сожалению|к счастью|как раз|\
     сначала|потом|затем|вот|же|и|по образованию и профессии|по факту|[0-9]+ лет|много лет|уже много лет|(?:[0-9]+|два|три|четыре|пять|шесть|семь|восемь|девять|десять|год|несколько)(?: года| лет| год| месяца| месяцев)|уже (?:[0-9]+|два|три|пять) (?:года|лет|год))[, ]+"
);
pattern!(
    DENIED,
    "^(?:никогда в жизни не|никогда не|больше никогда не|больше не|уже не|ни разу не|вовсе не|совсем не|вообще не|категорически не|абсолютно не|совершенно не|принципиально не|не очень|не особо|не слишком|не особенно|не)(?: очень| особо| сильно| слишком)? "
);

/// Takes fillers and times off the front of a clause.
pub(super) fn before(manner: &mut Manner, mut text: &str) -> String {
    while let Some(rest) = correction(manner, text)
        .or_else(|| cut(&FILLER, text).or_else(|| time(manner, text)).filter(|rest| !rest.is_empty()))
    {
        text = rest;
    }
    text.to_owned()
}

/// Whether a clause does no more than take back what was said: "нет, подождите".
pub(super) fn corrects(clause: &str) -> bool {
    let (mut text, mut corrected) = (clause, false);
    while let Some(rest) = cut(&CORRECTS, text) {
        (text, corrected) = (rest, true);
    }
    match cut(&FILLER, text).filter(|_| !text.is_empty()) {
        Some(rest) => corrected && rest.is_empty() || corrects(rest),
        None => corrected && text.is_empty(),
    }
}

/// Takes "вообще-то", "точнее" off the front.
fn correction<'a>(manner: &mut Manner, text: &'a str) -> Option<&'a str> {
    let rest = cut(&CORRECTS, text).filter(|rest| !rest.is_empty())?;
    manner.changed = true;
    Some(rest)
}

pattern!(
    UNTRUE,
    "^(?:(?:нет|но|и|а)[, ]+)?(?:(?:это |вот )?(?:неправда|не правда|неверно|не верно|неправильно|ложь|вранье|выдумка|не так)|(?:я |мы )?отрица(?:ю|ем))[, ]+(?:что|будто(?: бы)?|якобы) "
);

/// What is said not to be so: "неправда, что …".
pub(super) fn untrue(clause: &str) -> Option<&str> {
    cut(&UNTRUE, clause)
}

/// What "не чай, а кофе" says, as two clauses.
pub(super) struct Contrast {
    /// With the word that holds.
    pub holds: String,
    /// With the word that does not, as if it did.
    pub denied: String,
}

/// Most words on either side of a contrast.
const OPPOSED: usize = 5;

/// Takes "не X, а Y" apart. "Не только", "не потому" and a second subject make no contrast of two values.
pub(super) fn contrast(clause: &str) -> Option<Contrast> {
    let (head, rest) = clause.split_once(" не ")?;
    let (denied, holds) = rest.split_once(", а ").or_else(|| rest.split_once(" а "))?;
    let opens = |text: &str, words: &[&str]| words.contains(&text.split(' ').next().unwrap_or_default());
    let apart = opens(denied, &["только", "столько", "просто", "потому", "один", "одна", "раз", "то", "так"])
        || opens(
            holds,
            &[
                "я",
                "мы",
                "он",
                "она",
                "они",
                "вы",
                "ты",
                "у",
                "мой",
                "моя",
                "мои",
                "потому",
                "то",
                "теперь",
                "сейчас",
                "не",
            ],
        );
    let few = |text: &str| (1..=OPPOSED).contains(&text.split(' ').count()) && !text.contains(',');
    (!apart && few(denied) && few(holds))
        .then(|| Contrast { holds: format!("{head} {holds}"), denied: format!("{head} {denied}") })
}

/// A setting that lets other values stand elsewhere.
struct Setting {
    name: &'static str,
    /// Its words.
    words: &'static [&'static str],
    /// Words that are this setting only where one of `before` follows: "дома пользуюсь", but "дома кот".
    bound: &'static [&'static str],
    before: &'static [&'static str],
}

const SETTINGS: [Setting; 9] = [
    Setting {
        name: "тестовая среда",
        words: &[
            "в тестовой среде",
            "в тестовом окружении",
            "на тестовом стенде",
            "на тестовом сервере",
            "на тесте",
            "в тесте",
            "на стенде",
        ],
        bound: &["тестовая", "тестовый"],
        before: &SYSTEM,
    },
    Setting {
        name: "продакшен",
        words: &[
            "в продакшене",
            "в продакшне",
            "на продакшене",
            "на проде",
            "в проде",
            "в production",
            "в боевой среде",
            "в боевом окружении",
            "на боевом сервере",
            "в рабочей среде",
        ],
        bound: &["продакшен", "продакшн", "боевая", "боевой", "прод", "рабочая"],
        before: &SYSTEM,
    },
    Setting {
        name: "разработка", words: &["в разработке", "в среде разработки", "на деве"], bound: &[], before: &[]
    },
    Setting { name: "весна", words: &["весной"], bound: &[], before: &[] },
    Setting { name: "лето", words: &["летом"], bound: &[], before: &[] },
    Setting { name: "осень", words: &["осенью"], bound: &[], before: &[] },
    Setting { name: "зима", words: &["зимой"], bound: &[], before: &[] },
    Setting { name: "на работе", words: &[], bound: &["на работе", "в офисе"], before: &DOING },
    Setting { name: "дома", words: &[], bound: &["дома"], before: &DOING },
];
/// What a system is called behind the word for its setting.
const SYSTEM: [&str; 6] = ["база", "бд", "субд", "сервер", "кластер", "операционная"];
/// What somebody does in one place and another.
const DOING: [&str; 14] = [
    "я пользу",
    "мы пользу",
    "пользу",
    "я использу",
    "мы использу",
    "использу",
    "я говор",
    "говор",
    "я пью",
    "пью",
    "я ем",
    "ем ",
    "я ношу",
    "ношу",
];

/// Takes a setting off the front.
fn setting<'a>(manner: &mut Manner, text: &'a str) -> Option<&'a str> {
    let (setting, rest) = SETTINGS.iter().find_map(|setting| {
        let behind = |word: &&str| {
            let rest = text.strip_prefix(*word)?.strip_prefix([' ', ',', '-'])?.trim_start();
            (!rest.is_empty()).then_some(rest)
        };
        let bound = |rest: &&str| setting.before.iter().any(|word| rest.starts_with(word));
        let rest = setting.words.iter().find_map(behind);
        let rest = rest.or_else(|| setting.bound.iter().find_map(behind).filter(bound))?;
        Some((setting, rest))
    })?;
    set(manner, setting);
    Some(rest)
}

/// Takes a setting off the end.
fn setting_behind<'a>(manner: &mut Manner, text: &'a str) -> Option<&'a str> {
    let (setting, rest) = SETTINGS.iter().find_map(|setting| {
        let rest = setting.words.iter().find_map(|word| text.strip_suffix(*word)?.strip_suffix(' '))?;
        Some((setting, rest))
    })?;
    set(manner, setting);
    Some(rest)
}

/// Takes the days off the end on which alone something is so.
fn days_behind(text: &str) -> Option<(&str, &'static str)> {
    const DAYS: [&str; 17] = [
        "по выходным",
        "на выходных",
        "в выходные",
        "по будням",
        "по понедельникам",
        "по вторникам",
        "по средам",
        "по четвергам",
        "по пятницам",
        "по субботам",
        "по воскресеньям",
        "по праздникам",
        "по утрам",
        "по вечерам",
        "по ночам",
        "ночью",
        "на работе",
    ];
    DAYS.iter().find_map(|days| Some((text.strip_suffix(days)?.strip_suffix(' ')?, *days)))
}

fn set(manner: &mut Manner, setting: &Setting) {
    manner.qualifier = Some(setting.name);
    manner.timed |= matches!(setting.name, "весна" | "лето" | "осень" | "зима");
}

// A time at the end.
pattern!(
    TRAILING,
    ",? (?:(?:(?:[0-9]+|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|пару|пол|несколько|много) )?(?:год|года|лет|месяц|месяца|месяцев|неделю|недели|недель|дня|дней|полгода) (?:тому )?назад|в прошлом (?:году|месяце)|на прошлой неделе|этим летом|прошлым летом|недавно|вчера|\
     в этом году|в [0-9]{4}(?: году| г\\.?)|(?:уже |вот уже )?(?:[0-9]+|два|три|четыре|пять|шесть|семь|восемь|девять|десять|много|несколько|почти год|год|лет десять|лет пять)(?: (?:года|лет|месяцев|месяца))?|с [0-9]{4} года|с детства|на днях)$"
);
pattern!(NOW_BEHIND, "(?: теперь| сейчас| больше)$");

/// Takes adverbs, times and negation off the front of what follows the subject, and times off its end. What marks the
/// case of the subject ("мне", "меня", "есть") stays in front.
pub(super) fn behind(manner: &mut Manner, text: &str) -> String {
    let mark = ["мне ", "меня ", "есть "].into_iter().find(|mark| text.starts_with(mark)).unwrap_or_default();
    let mut text = &text[mark.len()..];
    // "Мне тридцать четыре года": no time but the age itself.
    if let Some(found) = TRAILING.find(text).filter(|found| found.start() > 0 && mark != "мне ") {
        manner.timed = true;
        text = &text[..found.start()];
    }
    if let Some(rest) = setting_behind(manner, text) {
        text = rest;
    }
    // "Не использую по выходным" denies nothing of the other days.
    if let Some((rest, days)) = text.starts_with("не ").then(|| days_behind(text)).flatten() {
        manner.qualifier = manner.qualifier.or(Some(days));
        text = rest;
    }
    if let Some(found) = NOW_BEHIND.find(text).filter(|found| found.start() > 0) {
        manner.changed = true;
        text = &text[..found.start()];
    }
    loop {
        // A denial with its own strength first: "совсем не", "вообще не".
        if let Some(found) =
            DENIED.find(text).filter(|_| !text.starts_with("не только ") && !text.starts_with("не раз "))
        {
            let words = found.as_str();
            manner.denied = !manner.denied;
            manner.changed |= words.starts_with("больше") || words.starts_with("уже");
            manner.strong |=
                ["никогда", "категорически", "принципиально"].iter().any(|strong| words.starts_with(strong));
            text = &text[found.end()..];
        } else if let Some(rest) = time(manner, text) {
            text = rest;
        } else if let Some(rest) = cut(&STRONG, text) {
            manner.strong = true;
            text = rest;
        } else if let Some(rest) = cut(&ADVERB, text).filter(|rest| !rest.is_empty()) {
            text = rest;
        } else {
            return format!("{mark}{text}");
        }
    }
}

/// Takes a time, a setting, "now", "formerly" or a habit off the front.
fn time<'a>(manner: &mut Manner, text: &'a str) -> Option<&'a str> {
    if let Some(rest) = setting(manner, text) {
        return Some(rest);
    }
    if let Some(rest) = cut(&TODAY, text).filter(|rest| !rest.is_empty()) {
        manner.moment = true;
        return Some(rest);
    }
    let found = |pattern| cut(pattern, text).filter(|rest: &&str| !rest.is_empty());
    if let Some(rest) = found(&TIME) {
        manner.timed = true;
        // "С мая": since then, and not before.
        manner.changed |= text.starts_with("с ");
        return Some(rest);
    }
    for (pattern, flag) in [(&NOW, &mut manner.changed), (&PAST, &mut manner.past), (&HABIT, &mut manner.habit)] {
        if let Some(rest) = found(pattern) {
            *flag = true;
            return Some(rest);
        }
    }
    None
}
