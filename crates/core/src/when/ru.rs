//! Russian words for times, in normal form: `е` for `ё`.

use jiff::civil::Weekday;

use super::{
    calendar::{Clock, Named, Part, Portion, Tense, Unit, Which},
    digits,
    reading::Reading,
};

/// The time whose words begin at `at`, with the tokens they take. A time that is none ("через день") is taken whole and
/// names nothing.
pub(super) fn read(reading: &Reading, at: usize) -> Option<(usize, Named)> {
    let words = &reading.words[at..];
    let some = |tokens, unit, by| Some((tokens, Named::shift(unit, by)));
    match words {
        ["сегодня", ..] => some(1, Unit::Day, 0),
        ["завтра", ..] => some(1, Unit::Day, 1),
        ["послезавтра", ..] => some(1, Unit::Day, 2),
        ["вчера", ..] => some(1, Unit::Day, -1),
        ["позавчера", ..] => some(1, Unit::Day, -2),
        ["полдень", ..] => {
            Some((1, Named { clock: Some(Clock { hour: 12, minute: 0, exact: true }), ..Named::default() }))
        }
        ["утром", ..] => Some((1, Named { part: Some(Part::MORNING), ..Named::default() })),
        ["днем", ..] => {
            let named = words.get(1).is_some_and(|next| next.starts_with("рожд")) || reading.before(at) == "с";
            let every = reading.before(at).starts_with("кажд");
            (!named && !every).then_some((1, Named { part: Some(Part::AFTERNOON), ..Named::default() }))
        }
        ["вечером", ..] => Some((1, Named { part: Some(Part::EVENING), ..Named::default() })),
        ["через", ..] => ahead(reading, at),
        _ => pointed(reading, at)
            .or_else(|| ago(words))
            .or_else(|| portion(words))
            .or_else(|| clock(reading, at))
            .or_else(|| dated(words))
            .or_else(|| named_day(reading, at))
            .or_else(|| among_months(reading, at)),
    }
}

/// "В прошлый вторник", "на следующей неделе", "за последние три недели".
fn pointed(reading: &Reading, at: usize) -> Option<(usize, Named)> {
    let words = &reading.words[at..];
    let recent = is_adjective(words[0], "последн");
    if recent || is_adjective(words[0], "ближайш") || is_adjective(words[0], "следующ") {
        let counted = number(&words[1..]).and_then(|(tokens, count)| {
            let unit = unit(words.get(1 + tokens)?)?;
            Some((2 + tokens, Named::running(unit, if recent { -count } else { count })))
        });
        if counted.is_some() {
            return counted;
        }
        if recent {
            let unit = words.get(1).and_then(|word| unit(word)).filter(|unit| *unit != Unit::Day)?;
            return (reading.before(at) == "за").then_some((2, Named::running(unit, -1)));
        }
    }
    let (which, by) = which(words[0])?;
    let word = *words.get(1)?;
    if let Some(unit) = unit(word) {
        // "На следующий день" counts from another day.
        return match unit {
            Unit::Day | Unit::Hour | Unit::Minute => Some((2, Named::default())),
            _ if words[0].ends_with(['е', 'х']) && unit == Unit::Year => None,
            _ => Some((2, Named::shift(unit, by))),
        };
    }
    let plain = Named { which: Some(which), ..Named::default() };
    let named = if let Some(weekday) = weekday(word) {
        Named { weekday: Some(weekday), ..plain }
    } else if word.starts_with("выходн") {
        Named { weekend: Some(()), ..plain }
    } else if let Some(month) = season(word) {
        Named { season: Some(month), ..plain }
    } else {
        Named { month: Some(month(word)?), ..plain }
    };
    Some((2, named))
}

/// "Через три дня". "Через неделю он уехал" counts from another day, "через день" is every other one.
fn ahead(reading: &Reading, at: usize) -> Option<(usize, Named)> {
    let words = &reading.words[at..];
    let (tokens, unit, count) = amount(&words[1..])?;
    let told = reading.tense(at, tokens + 1) == Tense::Past || words.get(1 + tokens) == Some(&"после");
    let alternating = tokens == 1 && matches!(unit, Unit::Day | Unit::Minute);
    let named = if told || alternating { Named::default() } else { Named::shift(unit, count) };
    Some((tokens + 1, named))
}

/// "Два года назад", "полгода тому назад".
fn ago(words: &[&str]) -> Option<(usize, Named)> {
    let (tokens, unit, count) = amount(words)?;
    match &words[tokens..] {
        ["назад", ..] => Some((tokens + 1, Named::shift(unit, -count))),
        ["тому", "назад", ..] => Some((tokens + 2, Named::shift(unit, -count))),
        _ => None,
    }
}

/// "Три недели", "неделю", "полгода".
fn amount(words: &[&str]) -> Option<(usize, Unit, i32)> {
    match words {
        ["полгода", ..] => Some((1, Unit::Month, 6)),
        ["полчаса", ..] => Some((1, Unit::Minute, 30)),
        ["полтора", "года", ..] => Some((2, Unit::Month, 18)),
        [word, ..] if let Some(unit) = unit(word) => Some((1, unit, 1)),
        _ => {
            let (tokens, count) = number(words)?;
            Some((tokens + 1, unit(words.get(tokens)?)?, count))
        }
    }
}

/// "В конце месяца", and "в начале" before what it is a part of.
fn portion(words: &[&str]) -> Option<(usize, Named)> {
    let portion = match words[0] {
        "начало" | "начала" | "начале" | "началу" => Portion::Beginning,
        "середина" | "середине" | "середины" | "середину" => Portion::Middle,
        "конец" | "конца" | "конце" | "концу" => Portion::End,
        _ => return None,
    };
    let named = Named { portion: Some(portion), ..Named::default() };
    let unit = words.get(1).and_then(|word| unit(word));
    match unit.filter(|unit| matches!(unit, Unit::Week | Unit::Month | Unit::Quarter | Unit::Year)) {
        Some(unit) => Some((2, Named { shift: Some((unit, 0)), ..named })),
        None => Some((1, named)),
    }
}

/// "В три часа дня", "в 15 часов", "в 7 вечера", "в половине пятого".
fn clock(reading: &Reading, at: usize) -> Option<(usize, Named)> {
    let words = &reading.words[at..];
    let led = matches!(reading.before(at), "в" | "к" | "до" | "с" | "после" | "около");
    if words[0].starts_with("половин") {
        let hour = words.get(1).and_then(|word| ordinal(word)).filter(|hour| (1..=12).contains(hour))?;
        let (more, part) = words.get(2).and_then(|word| part(word)).map_or((0, None), |part| (1, Some(part)));
        let clock = Clock { hour: if hour == 1 { 12 } else { hour - 1 }, minute: 30, exact: false };
        return led.then_some((2 + more, Named { clock: Some(clock), part, ..Named::default() }));
    }
    if words.get(1) == Some(&":") {
        let (tokens, named) = digits::read(reading, at, false)?;
        let part = words.get(tokens).and_then(|word| part(word))?;
        let clock = named.clock.map(|clock| Clock { exact: clock.hour > 12, ..clock })?;
        return Some((tokens + 1, Named { clock: Some(clock), part: Some(part), ..named }));
    }
    let (mut tokens, hour) = if words[0] == "час" { (0, 1) } else { number(words)? };
    let hour = i8::try_from(hour).ok().filter(|hour| *hour <= 24)?;
    let hours = words.get(tokens).is_some_and(|word| unit(word) == Some(Unit::Hour));
    tokens += usize::from(hours);
    let mut minute = 0;
    if let Some((more, count)) = words.get(tokens..).and_then(number).filter(|_| hours)
        && words.get(tokens + more).is_some_and(|word| unit(word) == Some(Unit::Minute))
    {
        minute = i8::try_from(count).ok().filter(|minute| *minute < 60)?;
        tokens += more + 1;
    }
    // "Три дня" is how long, "в три часа дня" is when.
    let part = words.get(tokens).and_then(|word| part(word)).filter(|part| hours || *part != Part::AFTERNOON);
    tokens += usize::from(part.is_some());
    let exact = part.is_none() && hour > 12;
    let told = led && (hours || part.is_some());
    told.then_some((tokens, Named { clock: Some(Clock { hour, minute, exact }), part, ..Named::default() }))
}

/// "5 марта 2026 года", "пятого марта", "5 числа".
fn dated(words: &[&str]) -> Option<(usize, Named)> {
    let (mut tokens, day) = match words {
        [day, "-", "го" | "е" | "ое", ..] => (3, digits::day(day)?),
        ["двадцать", ones, ..] if let Some(one @ 1..10) = ordinal(ones) => (2, 20 + one),
        ["тридцать", "первого" | "первое", ..] => (2, 31),
        [day, ..] => (1, digits::day(day).or_else(|| ordinal(day))?),
        [] => return None,
    };
    let word = *words.get(tokens)?;
    tokens += 1;
    if word == "числа" {
        return Some((tokens, Named { day: Some(day), ..Named::default() }));
    }
    let genitive = word.ends_with(['я', 'а']);
    let month = month(word).filter(|_| genitive)?;
    let mut year = words.get(tokens).and_then(|word| digits::year(word));
    if year.is_some() {
        tokens += 1;
        tokens += usize::from(words.get(tokens).is_some_and(|word| is_year(word)));
    } else {
        year = None;
    }
    Some((tokens, Named { year, month: Some(month), day: Some(day), ..Named::default() }))
}

/// "В пятницу", "на выходных"; a working week is no time.
fn named_day(reading: &Reading, at: usize) -> Option<(usize, Named)> {
    let words = &reading.words[at..];
    let before = reading.before(at);
    if matches!(words[0], "выходных" | "выходные") && matches!(before, "на" | "в") {
        return Some((1, Named { weekend: Some(()), ..Named::default() }));
    }
    let day = weekday(words[0])?;
    if matches!(words[1..], ["по" | "до" | "-", other, ..] if weekday(other).is_some()) {
        return Some((3, Named::default()));
    }
    let led = matches!(before, "в" | "во" | "на" | "до" | "с" | "со" | "к" | "ко" | "после");
    led.then_some((1, Named { weekday: Some(day), which: leaning(before), ..Named::default() }))
}

/// "В марте", "в 2019 году", "летом", "в третьем квартале".
fn among_months(reading: &Reading, at: usize) -> Option<(usize, Named)> {
    let words = &reading.words[at..];
    let before = reading.before(at);
    let led = matches!(before, "в" | "во" | "с" | "со" | "до" | "к" | "от" | "после" | "на" | "за");
    if let Some(year) = digits::year(words[0]) {
        let named = Some(Named { year: Some(year), ..Named::default() });
        return match &words[1..] {
            [word, ..] if is_year(word) => Some(2).zip(named),
            ["-", "м" | "го" | "й" | "ом" | "ого", word, ..] if is_year(word) => Some(4).zip(named),
            ["-", "м" | "го" | "й" | "ом" | "ого", ..] => Some(3).zip(named),
            // "В 2000 домах" counts.
            [word, ..] if word.chars().next().is_some_and(char::is_alphabetic) => None,
            _ if led && !matches!(before, "на" | "за") => Some(1).zip(named),
            _ => None,
        };
    }
    if let Some(month) = season(words[0]) {
        return Some((1, Named { season: Some(month), ..Named::default() }));
    }
    if let [number, next, ..] = words
        && next.starts_with("квартал")
        && let Some(quarter) = quarter(number)
    {
        return Some((2, Named { quarter: Some(quarter), ..Named::default() }));
    }
    let month = month(words[0])?;
    let part = at > 0 && portion(&[before]).is_some();
    let dated = words.get(1).is_some_and(|next| digits::year(next).is_some());
    (led || part || dated).then_some((1, Named { month: Some(month), which: leaning(before), ..Named::default() }))
}

/// "До пятницы" is ahead, whatever the tense.
fn leaning(before: &str) -> Option<Which> {
    matches!(before, "до" | "к" | "ко" | "на").then_some(Which::Coming)
}

/// "Прошлый", "следующий", "этот" in any case: which one, and how many units away.
fn which(word: &str) -> Option<(Which, i32)> {
    if is_adjective(word, "прошл") || is_adjective(word, "минувш") {
        Some((Which::Last, -1))
    } else if is_adjective(word, "следующ") || is_adjective(word, "будущ") {
        Some((Which::Next, 1))
    } else if is_adjective(word, "ближайш") {
        Some((Which::Coming, 1))
    } else if matches!(word, "этот" | "эта" | "это" | "эту" | "этой" | "этом" | "этого" | "этим" | "эти" | "этих")
        || is_adjective(word, "текущ")
        || is_adjective(word, "нынешн")
    {
        Some((Which::This, 0))
    } else {
        None
    }
}

/// Whether a word is an adjective of that stem: "прошлой", but not the verb "прошла".
fn is_adjective(word: &str, stem: &str) -> bool {
    const ENDINGS: [&str; 17] =
        ["ый", "ий", "ая", "яя", "ое", "ее", "ую", "юю", "ой", "ей", "ом", "ем", "ого", "его", "ым", "ые", "ых"];
    let ending = word.strip_prefix(stem);
    ending.is_some_and(|ending| ENDINGS.contains(&ending) || matches!(ending, "им" | "ие" | "их"))
}

fn number(words: &[&str]) -> Option<(usize, i32)> {
    match words {
        [tens @ ("двадцать" | "тридцать" | "сорок"), ones, ..] if let Some(one @ 1..=9) = small(ones) => {
            Some((2, small(tens)? + one))
        }
        [word, ..] => Some((1, small(word).or_else(|| digits::count(word))?)),
        [] => None,
    }
}

fn small(word: &str) -> Option<i32> {
    Some(match word {
        "один" | "одну" | "одна" | "одно" | "одного" | "одной" => 1,
        "два" | "две" | "двух" => 2,
        "три" | "трех" => 3,
        "четыре" | "четырех" => 4,
        "пять" | "пяти" => 5,
        "шесть" | "шести" => 6,
        "семь" | "семи" => 7,
        "восемь" | "восьми" => 8,
        "девять" | "девяти" => 9,
        "десять" | "десяти" => 10,
        "одиннадцать" => 11,
        "двенадцать" => 12,
        "тринадцать" => 13,
        "четырнадцать" => 14,
        "пятнадцать" => 15,
        "шестнадцать" => 16,
        "семнадцать" => 17,
        "восемнадцать" => 18,
        "девятнадцать" => 19,
        "двадцать" => 20,
        "тридцать" => 30,
        "сорок" => 40,
        _ => return None,
    })
}

/// "Пятого", "пятое": the day of a month, or the hour that is running.
fn ordinal(word: &str) -> Option<i8> {
    const STEMS: [&str; 20] = [
        "перв",
        "втор",
        "трет",
        "четверт",
        "пят",
        "шест",
        "седьм",
        "восьм",
        "девят",
        "десят",
        "одиннадцат",
        "двенадцат",
        "тринадцат",
        "четырнадцат",
        "пятнадцат",
        "шестнадцат",
        "семнадцат",
        "восемнадцат",
        "девятнадцат",
        "двадцат",
    ];
    let stem = word.strip_suffix("ого").or_else(|| word.strip_suffix("ое"));
    let stem = stem.or_else(|| word.strip_suffix("ьего")).or_else(|| word.strip_suffix("ье"))?;
    if stem == "тридцат" {
        return Some(30);
    }
    STEMS.iter().position(|known| *known == stem).and_then(|at| i8::try_from(at + 1).ok())
}

fn quarter(word: &str) -> Option<i8> {
    let stems = ["перв", "втор", "трет", "четверт"];
    let spelled = stems.iter().position(|stem| {
        let ending = word.strip_prefix(stem);
        ending.is_some_and(|ending| matches!(ending, "ый" | "ой" | "ом" | "ого" | "ий" | "ьем" | "ьего"))
    });
    spelled.and_then(|at| i8::try_from(at + 1).ok())
}

fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "минута" | "минуту" | "минуты" | "минут" => Unit::Minute,
        "час" | "часа" | "часов" => Unit::Hour,
        "день" | "дня" | "дней" => Unit::Day,
        "неделя" | "неделю" | "недели" | "недель" | "неделе" | "неделей" => {
            Unit::Week
        }
        "месяц" | "месяца" | "месяцев" | "месяце" | "месяцу" => Unit::Month,
        "квартал" | "квартала" | "кварталов" | "квартале" | "кварталу" => {
            Unit::Quarter
        }
        "год" | "года" | "году" | "лет" | "годом" => Unit::Year,
        _ => return None,
    })
}

fn is_year(word: &str) -> bool {
    matches!(word, "год" | "года" | "году" | "годом" | "годе" | "г")
}

/// The part of the day a clock time belongs to.
fn part(word: &str) -> Option<Part> {
    Some(match word {
        "утра" => Part::MORNING,
        "дня" => Part::AFTERNOON,
        "вечера" => Part::EVENING,
        "ночи" => Part::SMALL_HOURS,
        _ => return None,
    })
}

fn season(word: &str) -> Option<i8> {
    Some(match word {
        "весной" | "весна" | "весну" | "весны" => 3,
        "летом" | "лето" | "лета" | "лету" => 6,
        "осенью" | "осень" | "осени" => 9,
        "зимой" | "зима" | "зиму" | "зимы" => 12,
        _ => return None,
    })
}

fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "понедельник" | "понедельника" | "понедельнику" => Weekday::Monday,
        "вторник" | "вторника" | "вторнику" => Weekday::Tuesday,
        "среда" | "среду" | "среды" => Weekday::Wednesday,
        "четверг" | "четверга" | "четвергу" => Weekday::Thursday,
        "пятница" | "пятницу" | "пятницы" | "пятнице" => Weekday::Friday,
        "суббота" | "субботу" | "субботы" | "субботе" => Weekday::Saturday,
        "воскресенье" | "воскресенья" | "воскресенью" => Weekday::Sunday,
        _ => return None,
    })
}

fn month(word: &str) -> Option<i8> {
    const STEMS: [&str; 12] =
        ["январ", "феврал", "март", "апрел", "ма", "июн", "июл", "август", "сентябр", "октябр", "ноябр", "декабр"];
    let found = STEMS.iter().position(|stem| {
        let ending = word.strip_prefix(stem);
        let ending = |endings: &[&str]| ending.is_some_and(|ending| endings.contains(&ending));
        match *stem {
            "март" | "август" => ending(&["", "а", "е", "у", "ом"]),
            "ма" => ending(&["й", "я", "е", "ю", "ем"]),
            _ => ending(&["ь", "я", "е", "ю", "ем"]),
        }
    });
    found.and_then(|at| i8::try_from(at + 1).ok())
}

/// What the word at `at` says of the tense of its sentence.
pub(super) fn tense(reading: &Reading, at: usize) -> Option<Tense> {
    let word = reading.words[at];
    match word {
        "обычно" | "всегда" | "часто" | "иногда" | "ежедневно" | "еженедельно" =>
        {
            return Some(Tense::Habit);
        }
        "буду" | "будем" | "будет" | "будут" | "будешь" | "будете" | "собираюсь" | "планирую" | "давай" | "давайте" =>
        {
            return Some(Tense::Future);
        }
        "рождения" | "рождение" | "годовщина" => return Some(Tense::Yearly),
        _ if word.starts_with("кажд") => return Some(Tense::Habit),
        _ if word.starts_with("родил") => return Some(Tense::Yearly),
        _ => {}
    }
    // Nouns and conjunctions that end like a verb.
    const OTHER: [&str; 16] = [
        "или",
        "если",
        "дела",
        "дело",
        "дел",
        "школа",
        "стол",
        "стул",
        "пол",
        "зал",
        "отдел",
        "канал",
        "журнал",
        "материал",
        "тело",
        "недели",
    ];
    let stem = word.strip_suffix("ся").or_else(|| word.strip_suffix("сь")).unwrap_or(word);
    let stem = stem.strip_suffix(['а', 'о', 'и']).unwrap_or(stem);
    let past = stem
        .strip_suffix('л')
        .is_some_and(|stem| stem.ends_with(['а', 'я', 'и', 'е', 'ы', 'у', 'о']) && stem.chars().count() > 1);
    let went = matches!(
        stem,
        "шел" | "пошл" | "ушл" | "пришл" | "нашл" | "зашл" | "вышл" | "дошл" | "шл" | "умер" | "смог"
    );
    ((past || went) && !OTHER.contains(&word)).then_some(Tense::Past)
}
