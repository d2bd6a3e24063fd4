//! Where calendars, clocks and zones are odd, the day is still the speaker's; and no text at any moment breaks the rules
//! (requirements A12, field case 15).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use jiff::Timestamp;
use proptest::prelude::*;
use saidso_core::{
    text::Language,
    time::{BadTime, Moment},
    when::{Time, times},
};

/// Wednesday, 4 November 2026, ten in the morning in Shanghai.
const SHANGHAI: (&str, &str) = ("2026-11-04T10:00:00+08:00", "Asia/Shanghai");

fn said(at: (&str, &str), words: &str, language: Language) -> Vec<Time> {
    times(words, language, &Moment::parse(at.0, Some(at.1)).unwrap())
}

fn texts(found: &[Time]) -> String {
    found.iter().map(|time| time.text.as_str()).collect::<Vec<_>>().join(" | ")
}

#[test]
fn the_day_is_the_speakers() {
    let late = "2026-12-31T23:30:00+08:00";
    let moment = Moment::parse(late, None).unwrap();
    assert_eq!(texts(&times("tomorrow", Language::En, &moment)), "2027-01-01");
    let moment = Moment::parse("2026-12-31T15:30:00Z", Some("Asia/Shanghai")).unwrap();
    let found = times("明天", Language::Zh, &moment);
    assert_eq!(texts(&found), "2027-01-01");
    let midnight = Moment::parse("2027-01-01T00:00:00+08:00", None).unwrap();
    assert_eq!((found[0].from_ms, found[0].to_ms), (midnight.ms(), midnight.ms() + 24 * 3_600_000));
    assert_eq!(times("明天", Language::Zh, &Moment::at(moment.ms(), Some("Asia/Shanghai")).unwrap()), found);
    assert_eq!(texts(&times("明天", Language::Zh, &Moment::at(moment.ms(), None).unwrap())), "2027-01-01");
    assert_eq!(texts(&times("明天", Language::Zh, &Moment::at(moment.ms() - 86_400_000, None).unwrap())), "2026-12-31");
}

#[test]
fn a_day_of_a_clock_change_is_shorter_or_longer() {
    let hours = |said_at, words| {
        let found = said((said_at, "Europe/Berlin"), words, Language::En);
        (texts(&found), (found[0].to_ms - found[0].from_ms) / 3_600_000)
    };
    assert_eq!(hours("2026-03-28T12:00:00+01:00", "tomorrow"), ("2026-03-29".into(), 23));
    assert_eq!(hours("2026-10-24T12:00:00+02:00", "tomorrow"), ("2026-10-25".into(), 25));
    let clock = |said_at, words| texts(&said((said_at, "Europe/Berlin"), words, Language::En));
    // 02:30 does not exist on the one day and comes twice on the other.
    assert_eq!(clock("2026-03-28T12:00:00+01:00", "tomorrow at 02:30"), "2026-03-29T03:30+02:00");
    assert_eq!(clock("2026-10-24T12:00:00+02:00", "tomorrow at 02:30"), "2026-10-25T02:30+02:00");
    assert_eq!(clock("2026-03-29T03:30:00+02:00", "two hours ago"), "2026-03-29T00:30+01:00");
}

#[test]
fn calendars_end() {
    let at = |said_at, words| texts(&said((said_at, "Asia/Shanghai"), words, Language::En));
    assert_eq!(at("2027-01-31T12:00:00+08:00", "next month"), "2027-02");
    assert_eq!(at("2026-12-30T12:00:00+08:00", "next week"), "2027-01-04/2027-01-10");
    assert_eq!(at("2027-01-01T12:00:00+08:00", "this week"), "2026-12-28/2027-01-03");
    assert_eq!(at("2027-01-15T12:00:00+08:00", "two months ago"), "2026-11");
    assert_eq!(at("2027-01-15T12:00:00+08:00", "this winter"), "2026-12/2027-02");
    assert_eq!(at("2028-02-28T12:00:00+08:00", "tomorrow"), "2028-02-29");
    assert_eq!(at("2024-02-29T12:00:00+08:00", "over the past year"), "2023-02-28/2024-02-29");
    assert_eq!(at("2026-11-01T12:00:00+08:00", "next Wednesday"), "2026-11-04");
    // A day that a zone left out is no stretch of time.
    assert_eq!(texts(&said(("2011-12-29T12:00:00-10:00", "Pacific/Apia"), "tomorrow", Language::En)), "");
    assert_eq!(
        at("2026-11-04T12:00:00+08:00", "in 9999 years, 9999 years ago, 9998 weeks ago"),
        "1835-03-23/1835-03-29"
    );
}

#[test]
fn a_moment_is_one_that_can_be_written() {
    // The last second of the parser is longer than that of the calendar.
    let last = Moment::parse("9999-12-30T22:00:00Z", None).unwrap();
    assert_eq!(last.local_day(), "9999-12-30");
    assert_eq!(Moment::parse("9999-12-30T22:00:00.5Z", None), Err(BadTime::Instant));
    assert_eq!(Moment::at(i64::MAX, None), Err(BadTime::Instant));
    assert_eq!(Moment::at(0, Some("Europe/Atlantis")), Err(BadTime::Zone));
    assert_eq!(Moment::at(0, Some("Asia/Shanghai")), Moment::parse("1970-01-01T00:00:00Z", Some("Asia/Shanghai")));
}

#[test]
fn words_are_as_they_were_written() {
    let words = |text, language| said(SHANGHAI, text, language).into_iter().map(|time| time.words).collect::<Vec<_>>();
    assert_eq!(
        words("Call me Tomorrow at 3 PM, or next\u{a0}Friday.", Language::En),
        ["Tomorrow at 3 PM", "next\u{a0}Friday"]
    );
    assert_eq!(words("我３月５日搬家，下个月底装修", Language::Zh), ["３月５日", "下个月底"]);
    assert_eq!(words("Завтра днём и в прошлый вторник", Language::Ru), ["Завтра днём", "прошлый вторник"]);
}

fn pieces() -> impl Strategy<Value = String> {
    let word = prop::sample::select(
        "last next this the in at on of end beginning mid - , . : / 3 15 30 2019 2026 9999 00 31 am pm o ' clock half past \
         a week weeks month year day days ago from now May March Monday Sunday weekend summer quarter morning night noon \
         today tomorrow since by every was will th first 上 下 这 个 周 星期 月 年 底 初 天 日 号 三 十 二 〇 半 前 后 点 分 下午 晚上 \
         第 季度 春天 了 每 明 大 末 最近 过去 в на через назад неделю неделе прошлый следующей три два часа дня вечера марта \
         мае конце месяца году года пятницу утром половине пятого числа последние лет"
            .split_whitespace()
            .collect::<Vec<_>>(),
    );
    prop::collection::vec((word, prop::sample::select(vec!["", " ", " ", "\u{200b}"])), 0..14)
        .prop_map(|words| words.into_iter().map(|(word, gap)| format!("{word}{gap}")).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn whatever_is_said_whenever_names_stretches_in_its_own_words(
        text in prop_oneof![4 => pieces(), 1 => "\\PC{0,40}".prop_map(String::from)],
        language in prop::sample::select(vec![Language::En, Language::Zh, Language::Ru, Language::Other]),
        zone in prop::sample::select(vec![None, Some("Asia/Shanghai"), Some("America/New_York"), Some("Pacific/Apia")]),
        ms in prop_oneof![
            4 => 0i64..4_102_444_800_000,
            1 => Timestamp::MIN.as_millisecond()..=Timestamp::MAX.as_second() * 1000,
            1 => prop::sample::select(vec![Timestamp::MIN.as_millisecond(), Timestamp::MAX.as_second() * 1000]),
        ],
    ) {
        let moment = Moment::at(ms, zone).unwrap();
        let mut rest = text.as_str();
        for time in times(&text, language, &moment) {
            prop_assert!(time.from_ms < time.to_ms, "{time:?}");
            let at = rest.find(&time.words);
            prop_assert!(at.is_some() && !time.words.is_empty(), "{time:?}");
            rest = &rest[at.unwrap() + time.words.len()..];
        }
    }
}
