//! Chinese words for times, in normal form: full-width digits are plain ones.

use jiff::civil::Weekday;

use super::{
    calendar::{Clock, Named, Part, Portion, Tense, Unit, Which},
    digits,
    reading::Reading,
};
use crate::text;

/// Words for days and years, longest first, with what they mean.
const DAYS: [(&str, Unit, i32, Option<Part>); 23] = [
    ("大前天", Unit::Day, -3, None),
    ("大后天", Unit::Day, 3, None),
    ("大前年", Unit::Year, -3, None),
    ("前天", Unit::Day, -2, None),
    ("后天", Unit::Day, 2, None),
    ("昨天", Unit::Day, -1, None),
    ("昨日", Unit::Day, -1, None),
    ("今天", Unit::Day, 0, None),
    ("今日", Unit::Day, 0, None),
    ("明天", Unit::Day, 1, None),
    ("明日", Unit::Day, 1, None),
    ("今早", Unit::Day, 0, Some(Part::MORNING)),
    ("今晨", Unit::Day, 0, Some(Part::MORNING)),
    ("今晚", Unit::Day, 0, Some(Part::EVENING)),
    ("明早", Unit::Day, 1, Some(Part::MORNING)),
    ("明晚", Unit::Day, 1, Some(Part::EVENING)),
    ("昨晚", Unit::Day, -1, Some(Part::NIGHT)),
    ("昨夜", Unit::Day, -1, Some(Part::NIGHT)),
    ("前年", Unit::Year, -2, None),
    ("后年", Unit::Year, 2, None),
    ("去年", Unit::Year, -1, None),
    ("今年", Unit::Year, 0, None),
    ("明年", Unit::Year, 1, None),
];

const PARTS: [(&str, Part); 11] = [
    ("早上", Part::MORNING),
    ("上午", Part::MORNING),
    ("早晨", Part::MORNING),
    ("清晨", Part::MORNING),
    ("中午", Part::MIDDAY),
    ("下午", Part::AFTERNOON),
    ("傍晚", Part::EVENING),
    ("晚上", Part::EVENING),
    ("夜里", Part::NIGHT),
    ("凌晨", Part::SMALL_HOURS),
    ("半夜", Part::SMALL_HOURS),
];

/// The time whose words begin at `at`, with the tokens they take. A time that is none ("晚上好") is taken whole and names
/// nothing.
pub(super) fn read(reading: &Reading, at: usize) -> Option<(usize, Named)> {
    let text = reading.rest(at);
    let before = reading.before(at);
    let (rest, named) = day(text, before)
        .or_else(|| pointed(text, before))
        .or_else(|| running(text))
        .or_else(|| weekday_alone(text, before))
        .or_else(|| part(text))
        .or_else(|| season(text))
        .or_else(|| counted(text, before))
        .or_else(|| end_of(text))?;
    Some((reading.tokens(at, text.len() - rest.len()), named))
}

/// "明天", "去年底". "聪明天真" and "以后天天" hold none.
fn day<'t>(text: &'t str, before: &str) -> Option<(&'t str, Named)> {
    let (word, unit, by, part) = *DAYS.iter().find(|(word, ..)| text.starts_with(word))?;
    let rest = &text[word.len()..];
    let inside = match word {
        "明天" | "明日" | "明年" => "聪光文发说证透表黎",
        "前天" | "前年" => "以之从先目当提生年天月周",
        "后天" | "后年" => "以之今最然先年天月周",
        "今天" | "今年" | "今日" => "如至迄",
        "去年" => "过",
        _ => "",
    };
    if !before.is_empty() && inside.contains(before) || rest.starts_with('天') {
        return None;
    }
    let (rest, portion) = if unit == Unit::Year { portion(rest, "年") } else { (rest, None) };
    Some((rest, Named { part, portion, ..Named::shift(unit, by) }))
}

/// "上周三", "下个月底", "这个周末", "本季度".
fn pointed<'t>(text: &'t str, before: &str) -> Option<(&'t str, Named)> {
    let first = text.chars().next()?;
    let ups = text.chars().take_while(|c| *c == first).count().min(3);
    let step = i32::try_from(ups).ok()?;
    let by = match first {
        '上' => -step,
        '下' => step,
        '这' | '本' if ups == 1 && !matches!(before, "日" | "书" | "根" | "基") => 0,
        _ => return None,
    };
    let rest = &text[first.len_utf8() * ups..];
    let counted = rest.strip_prefix("一个").or_else(|| rest.strip_prefix('个'));
    let rest = counted.or_else(|| rest.strip_prefix('一')).unwrap_or(rest);
    if let Some(rest) = week(rest) {
        if let Some((rest, day)) = weekday(rest) {
            return Some((rest, Named { weekday: Some(day), ..Named::shift(Unit::Week, by) }));
        }
        let named = Named::shift(Unit::Week, by);
        return Some(match rest.strip_prefix('末') {
            Some(rest) => (rest, Named { weekend: Some(()), ..named }),
            None => (rest, named),
        });
    }
    if let Some(rest) = rest.strip_prefix("季度") {
        let (rest, portion) = portion(rest, "季");
        return Some((rest, Named { portion, ..Named::shift(Unit::Quarter, by) }));
    }
    if let Some(rest) = rest.strip_prefix('月') {
        let (rest, portion) = portion(rest, "月");
        return Some((rest, Named { portion, ..Named::shift(Unit::Month, by) }));
    }
    if let Some(rest) = rest.strip_prefix("年度").or_else(|| rest.strip_prefix('年'))
        && (first == '本' || first == '这' || counted.is_none() && text[first.len_utf8() * ups..].starts_with('一'))
    {
        let (rest, portion) = portion(rest, "年");
        return Some((rest, Named { portion, ..Named::shift(Unit::Year, by) }));
    }
    // "这个夏天" is this year's; "上个夏天" the latest.
    let (rest, named) = counted.and_then(season)?;
    let which = [Which::Last, Which::This, Which::Next][usize::try_from(by.signum() + 1).ok()?];
    Some((rest, Named { which: Some(which), ..named }))
}

/// "过去三年", "最近两周", "未来十天".
fn running(text: &str) -> Option<(&str, Named)> {
    let (lead, sign) = [
        ("过去的", -1),
        ("过去", -1),
        ("最近的", -1),
        ("最近", -1),
        ("近", -1),
        ("未来", 1),
        ("接下来的", 1),
        ("接下来", 1),
    ]
    .into_iter()
    .find(|(lead, _)| text.starts_with(lead))?;
    let (rest, count) = number(&text[lead.len()..])?;
    let (rest, unit) = counted_unit(rest)?;
    Some((rest, Named::running(unit, sign * count)))
}

/// "周三", "星期天", "周末"; "一周三次", "周一到周五" and "每周三" are no times.
fn weekday_alone<'t>(text: &'t str, before: &str) -> Option<(&'t str, Named)> {
    let rest = week(text)?;
    if numeral(before).is_some()
        || digits::count(before).is_some()
        || matches!(before, "每" | "个" | "两" | "半" | "十")
    {
        return None;
    }
    if let Some(rest) = rest.strip_prefix('末') {
        return Some((rest, Named { weekend: Some(()), ..Named::default() }));
    }
    let (rest, day) = weekday(rest)?;
    let other = rest.strip_prefix(['到', '至', '-', '~']).and_then(week).and_then(weekday);
    Some(match other {
        Some((rest, _)) => (rest, Named::default()),
        None => (rest, Named { weekday: Some(day), ..Named::default() }),
    })
}

/// "下午", "晚上"; a greeting is no time.
fn part(text: &str) -> Option<(&str, Named)> {
    let (word, part) = *PARTS.iter().find(|(word, _)| text.starts_with(word))?;
    let rest = &text[word.len()..];
    Some(match rest.strip_prefix('好') {
        Some(after) => (after, Named::default()),
        None => (rest, Named { part: Some(part), ..Named::default() }),
    })
}

fn season(text: &str) -> Option<(&str, Named)> {
    let mut chars = text.chars();
    let month = match chars.next()? {
        '春' => 3,
        '夏' => 6,
        '秋' => 9,
        '冬' => 12,
        _ => return None,
    };
    let rest = chars.as_str().strip_prefix(['天', '季'])?;
    (!rest.starts_with('度')).then_some((rest, Named { season: Some(month), ..Named::default() }))
}

/// What begins with a number: "三天前", "2019年3月5日", "八点半", "第三季度", "半年后".
fn counted<'t>(text: &'t str, before: &str) -> Option<(&'t str, Named)> {
    if !before.is_empty() && (numeral(before).is_some() || matches!(before, "." | "十" | "第" | "几" | "-" | "/")) {
        return None;
    }
    if let Some(rest) = text.strip_prefix('半') {
        let (rest, unit) = counted_unit(rest)?;
        let (unit, count) = match unit {
            Unit::Year => (Unit::Month, 6),
            Unit::Month => (Unit::Day, 15),
            Unit::Hour => (Unit::Minute, 30),
            _ => return None,
        };
        let (rest, sign) = side(rest)?;
        return Some((rest, Named::shift(unit, sign * count)));
    }
    let ordinal = text.strip_prefix('第');
    if let Some((rest, quarter)) = number(ordinal.unwrap_or(text)).filter(|(_, quarter)| (1..=4).contains(quarter))
        && let Some(rest) = rest.strip_prefix("季度")
    {
        return Some((rest, Named { quarter: i8::try_from(quarter).ok(), ..Named::default() }));
    }
    if let Some((rest, year)) = year(text) {
        if let Some((rest, named)) = month_and_day(rest) {
            return Some((rest, Named { year: Some(year), ..named }));
        }
        let (rest, portion) = portion(rest, "年");
        return Some((rest, Named { year: Some(year), portion, ..Named::default() }));
    }
    let (rest, count) = number(text)?;
    if let Some((after, unit)) = counted_unit(rest)
        && let Some((after, sign)) = side(after)
    {
        return Some((after, Named::shift(unit, sign * count)));
    }
    if let Some(found) = month_and_day(text) {
        return Some(found);
    }
    if let Some(rest) = rest.strip_prefix(['号', '日']) {
        return Some((rest, Named { day: i8::try_from(count).ok().filter(|day| *day <= 31), ..Named::default() }));
    }
    clock(rest, count)
}

/// "三月", "3月5日", "三月底"; "一月一次" counts months, "三月前" may.
fn month_and_day(text: &str) -> Option<(&str, Named)> {
    let (rest, month) = number(text)?;
    let month = i8::try_from(month).ok().filter(|month| *month <= 12)?;
    let rest = rest.strip_prefix('月')?;
    let named = Named { month: Some(month), ..Named::default() };
    if let Some(rest) = rest.strip_prefix('份') {
        return Some((rest, named));
    }
    if let Some((after, day)) = number(rest) {
        let after = after.strip_prefix(['日', '号'])?;
        return Some((after, Named { day: Some(i8::try_from(day).ok().filter(|day| *day <= 31)?), ..named }));
    }
    let (rest, portion) = portion(rest, "月");
    (!rest.starts_with(['前', '后', '内', '来', '饼', '子'])).then_some((rest, Named { portion, ..named }))
}

/// "点半", "点二十分", "点钟" after an hour.
fn clock(rest: &str, hour: i32) -> Option<(&str, Named)> {
    let hour = i8::try_from(hour).ok().filter(|hour| *hour <= 24)?;
    let rest = rest.strip_prefix('点')?;
    let minutes = || {
        let (rest, minute) = number(rest)?;
        let rest = rest.strip_prefix('分').unwrap_or(rest);
        Some((rest, i8::try_from(minute).ok().filter(|minute| *minute < 60)?))
    };
    let (rest, minute) = [("半", 30), ("一刻", 15), ("三刻", 45), ("钟", 0), ("整", 0)]
        .into_iter()
        .find_map(|(word, minute)| Some((rest.strip_prefix(word)?, minute)))
        .or_else(minutes)
        .unwrap_or((rest, 0));
    Some((rest, Named { clock: Some(Clock { hour, minute, exact: hour > 12 }), ..Named::default() }))
}

/// "月底", "年初" of the present month and year.
fn end_of(text: &str) -> Option<(&str, Named)> {
    let (rest, unit, of) = match text.chars().next()? {
        '月' => (&text['月'.len_utf8()..], Unit::Month, "月"),
        '年' => (&text['年'.len_utf8()..], Unit::Year, "年"),
        _ => return None,
    };
    match portion(rest, of) {
        (rest, portion @ Some(_)) => Some((rest, Named { portion, ..Named::shift(unit, 0) })),
        _ => None,
    }
}

/// The "底" of "下个月底" and "今年年底", of a unit it can be said of.
fn portion<'t>(text: &'t str, of: &str) -> (&'t str, Option<Portion>) {
    let found = [
        ("上旬", Portion::Beginning),
        ("中旬", Portion::Middle),
        ("下旬", Portion::End),
        ("初", Portion::Beginning),
        ("中", Portion::Middle),
        ("底", Portion::End),
        ("末", Portion::End),
    ];
    let twice = text.strip_prefix(of).unwrap_or(text);
    for (word, portion) in found {
        if let Some(rest) = twice.strip_prefix(word) {
            let other = word == "中" && rest.starts_with(['考', '国', '秋', '文', '午', '学', '心', '间'])
                || word == "初" && rest.starts_with(['中', '三', '二', '一', '次'])
                || word.ends_with('旬') && of != "月";
            return if other { (text, None) } else { (rest, Some(portion)) };
        }
    }
    (text, None)
}

/// "前", "以后": before or after the present. "两年后悔" and "三年前后" are neither.
fn side(text: &str) -> Option<(&str, i32)> {
    let text = text.strip_prefix(['以', '之']).unwrap_or(text);
    let mut chars = text.chars();
    let sign = match chars.next()? {
        '前' => -1,
        '后' => 1,
        _ => return None,
    };
    let rest = chars.as_str();
    (!rest.starts_with(['悔', '后', '面', '来'])).then_some((rest, sign))
}

fn counted_unit(text: &str) -> Option<(&str, Unit)> {
    [
        ("分钟", Unit::Minute),
        ("个小时", Unit::Hour),
        ("小时", Unit::Hour),
        ("天", Unit::Day),
        ("个星期", Unit::Week),
        ("个礼拜", Unit::Week),
        ("星期", Unit::Week),
        ("周", Unit::Week),
        ("个月", Unit::Month),
        ("个季度", Unit::Quarter),
        ("年", Unit::Year),
    ]
    .into_iter()
    .find_map(|(word, unit)| Some((text.strip_prefix(word)?, unit)))
}

fn week(text: &str) -> Option<&str> {
    ["周", "星期", "礼拜"].into_iter().find_map(|word| text.strip_prefix(word))
}

/// The day after "周"; "上周一直", "周日程" and "周三次" go on otherwise.
fn weekday(text: &str) -> Option<(&str, Weekday)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    let (day, other) = match first {
        '一' => (Weekday::Monday, "直起共样般定切些个次点"),
        '二' => (Weekday::Tuesday, ""),
        '三' => (Weekday::Wednesday, ""),
        '四' => (Weekday::Thursday, ""),
        '五' => (Weekday::Friday, ""),
        '六' => (Weekday::Saturday, ""),
        '日' => (Weekday::Sunday, "程常子期志"),
        '天' => (Weekday::Sunday, "气天"),
        _ => return None,
    };
    let rest = chars.as_str();
    let next = rest.chars().next();
    let goes_on = next.is_some_and(|c| other.contains(c) || "次个天年小".contains(c) && c != '天');
    (!goes_on).then_some((rest, day))
}

/// A year written in full, with its 年.
fn year(text: &str) -> Option<(&str, i16)> {
    let end = text.find('年')?;
    let written = text[..end].trim();
    let rest = &text[end + '年'.len_utf8()..];
    if let Some(year) = digits::year(written) {
        return Some((rest, year));
    }
    let mut spelled = 0i16;
    if written.chars().count() != 4 {
        return None;
    }
    for c in written.chars() {
        let digit = if c == '〇' || c == '零' { 0 } else { i16::from(one(c)?) };
        spelled = spelled * 10 + digit;
    }
    (1800..2200).contains(&spelled).then_some((rest, spelled))
}

/// A number from 1 on, in digits or up to 99 in characters. "两三" is none for certain.
fn number(text: &str) -> Option<(&str, i32)> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if end > 0 {
        return Some((text[end..].trim_start(), digits::count(&text[..end])?));
    }
    let end = text.find(|c| one(c).is_none() && c != '十').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let mut digits = word.split('十').map(|part| numeral(part).map(i32::from).or(part.is_empty().then_some(0)));
    let count = match (digits.next()??, digits.next(), digits.next()) {
        (ones, None, _) => ones,
        (tens, Some(ones), None) => tens.max(1) * 10 + ones?,
        _ => return None,
    };
    (count > 0).then_some((rest, count))
}

/// One numeral character.
fn numeral(word: &str) -> Option<i8> {
    let mut chars = word.chars();
    let first = one(chars.next()?)?;
    chars.next().is_none().then_some(first)
}

/// A digit from one to nine.
fn one(c: char) -> Option<i8> {
    text::chinese_digit(c).filter(|digit| *digit > 0).and_then(|digit| i8::try_from(digit).ok())
}

/// What the character at `at` says of the tense of its sentence.
pub(super) fn tense(reading: &Reading, at: usize) -> Option<Tense> {
    let (before, rest) = (reading.before(at), reading.rest(at));
    let next = reading.words.get(at + 1).copied().unwrap_or_default();
    match reading.words[at] {
        "每" => Some(Tense::Habit),
        "生" | "出" | "纪" => {
            ["生日", "出生", "纪念日"].iter().any(|word| rest.starts_with(word)).then_some(Tense::Yearly)
        }
        "通" | "平" | "经" | "总" | "一" | "往" => {
            let habit = ["通常", "平时", "经常", "总是", "一般", "往往"].iter().any(|word| rest.starts_with(word));
            habit.then_some(Tense::Habit)
        }
        "了" => (!matches!(next, "解" | "不") && !matches!(before, "为" | "除" | "罢")).then_some(Tense::Past),
        "过" => {
            let other = matches!(next, "敏" | "去" | "年" | "生" | "来" | "节" | "周" | "程" | "于");
            (!other && !matches!(before, "通" | "不" | "超" | "经" | "难")).then_some(Tense::Past)
        }
        "曾" => Some(Tense::Past),
        "已" => (next == "经").then_some(Tense::Past),
        "会" => {
            let meeting = matches!(before, "机" | "社" | "聚" | "开" | "约" | "宴" | "晚" | "年")
                || matches!(next, "议" | "员" | "计");
            (!meeting).then_some(Tense::Future)
        }
        "要" => (!matches!(before, "重" | "主" | "需" | "只" | "不") && next != "求").then_some(Tense::Future),
        "打" => (next == "算").then_some(Tense::Future),
        "准" => (next == "备").then_some(Tense::Future),
        _ => None,
    }
}
