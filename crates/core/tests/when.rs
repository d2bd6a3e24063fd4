//! Relative times become absolute in the speaker's zone (requirements A12, field case 15).
//!
//! Every table says when the words are said, the words, and what they mean. `|` parts several times; nothing is no time.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use saidso_core::{
    text::Language,
    time::Moment,
    when::{Time, times},
};

/// Wednesday, 4 November 2026, ten in the morning in Shanghai.
const SHANGHAI: (&str, &str) = ("2026-11-04T10:00:00+08:00", "Asia/Shanghai");
/// The same day in Berlin.
const BERLIN: (&str, &str) = ("2026-11-04T10:00:00+01:00", "Europe/Berlin");
/// The same day in Moscow.
const MOSCOW: (&str, &str) = ("2026-11-04T10:00:00+03:00", "Europe/Moscow");

fn said(at: (&str, &str), words: &str, language: Language) -> Vec<Time> {
    times(words, language, &Moment::parse(at.0, Some(at.1)).unwrap())
}

fn texts(found: &[Time]) -> String {
    found.iter().map(|time| time.text.as_str()).collect::<Vec<_>>().join(" | ")
}

/// Reports every row that is wrong, not only the first.
fn table(at: (&str, &str), language: Language, rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(words, expected)| {
            let found = said(at, words, language);
            (texts(&found) != *expected).then(|| format!("{words}\n   is   {found:?}\n   must {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn english_days_and_weeks() {
    table(
        BERLIN,
        Language::En,
        &[
            ("I have a dentist appointment today", "2026-11-04"),
            ("Tomorrow we sign the lease", "2026-11-05"),
            ("yesterday's delivery was late", "2026-11-03"),
            ("We fly the day after tomorrow", "2026-11-06"),
            ("He called the day before yesterday", "2026-11-02"),
            ("The interview is next Wednesday", "2026-11-11"),
            ("The interview is this Friday", "2026-11-06"),
            ("this coming Tuesday", "2026-11-10"),
            ("I saw her last Friday", "2026-10-30"),
            ("last Wednesday", "2026-10-28"),
            ("last Monday", "2026-11-02"),
            ("On Monday I start my new job", "2026-11-09"),
            ("On Monday I started my new job", "2026-11-02"),
            ("I booked a table for Friday", "2026-11-06"),
            ("My surgery is scheduled for Tuesday", "2026-11-10"),
            ("It has to be ready by Friday", "2026-11-06"),
            ("I've been ill since Monday", "2026-11-02"),
            ("See you on Fri", "2026-11-06"),
            ("We went hiking last weekend", "2026-10-31/2026-11-01"),
            ("My birthday is next Friday", "2026-11-13"),
            ("Our anniversary is on Friday", "2026-11-06"),
            ("We are moving this weekend", "2026-11-07/2026-11-08"),
            ("next weekend", "2026-11-14/2026-11-15"),
            ("Over the weekend we painted the kitchen", "2026-10-31/2026-11-01"),
            ("I'm on leave next week", "2026-11-09/2026-11-15"),
            ("this week", "2026-11-02/2026-11-08"),
            ("last week", "2026-10-26/2026-11-01"),
            ("the week after next", "2026-11-16/2026-11-22"),
            ("the week before last", "2026-10-19/2026-10-25"),
            ("on Tuesday of next week", "2026-11-10"),
            ("Tuesday last week", "2026-10-27"),
            ("at the end of the week", "2026-11-06/2026-11-08"),
            ("early next week", "2026-11-09/2026-11-10"),
            ("I arrive in three days", "2026-11-07"),
            ("three days ago", "2026-11-01"),
            ("I start in two weeks", "2026-11-16/2026-11-22"),
            ("in two weeks' time", "2026-11-16/2026-11-22"),
            ("a couple of weeks ago", "2026-10-19/2026-10-25"),
            ("We met twenty-five days ago", "2026-10-10"),
            ("I was ill for the last 3 weeks", "2026-10-14/2026-11-04"),
            ("over the past two months", "2026-09-04/2026-11-04"),
            ("during the next ten days", "2026-11-04/2026-11-14"),
            ("We must leave within two weeks", "2026-11-04/2026-11-18"),
        ],
    );
}

#[test]
fn english_months_and_years() {
    table(
        BERLIN,
        Language::En,
        &[
            ("My lease ends next month", "2026-12"),
            ("last month", "2026-10"),
            ("two months ago", "2026-09"),
            ("by the end of next month", "2026-12-21/2026-12-31"),
            ("by the end of the month", "2026-11-21/2026-11-30"),
            ("at the beginning of March", "2027-03-01/2027-03-10"),
            ("in mid-March", "2027-03-11/2027-03-20"),
            ("in late January", "2027-01-21/2027-01-31"),
            ("We get married in May", "2027-05"),
            ("We got married in May", "2026-05"),
            ("I have lived here since May", "2026-05"),
            ("last May", "2026-05"),
            ("next September", "2027-09"),
            ("in May last year", "2025-05"),
            ("a year ago in May", "2025-05"),
            ("in March 2019", "2019-03"),
            ("The party is on March 5", "2027-03-05"),
            ("It happened on March 5th", "2026-03-05"),
            ("5 March 2026", "2026-03-05"),
            ("March 5, 2026", "2026-03-05"),
            ("the 21st of June 2024", "2024-06-21"),
            ("on the fifth of March next year", "2027-03-05"),
            ("on the 12th of next month", "2026-12-12"),
            ("Tuesday, March 2nd", "2027-03-02"),
            ("2026-03-05", "2026-03-05"),
            ("It is due on 3/25", "2027-03-25"),
            ("It is due on 25/3/2027", "2027-03-25"),
            ("It is due on 3/5", ""),
            ("We see each other on 29 February next time we will", ""),
            ("The next one is on February 29", "2028-02-29"),
            ("February 30", ""),
            ("We moved to Oslo in 2019", "2019"),
            ("I have worked there since 2020", "2020"),
            ("early 2019", "2019-01/2019-03"),
            ("last year", "2025"),
            ("two years ago", "2024"),
            ("half a year ago", "2026-05"),
            ("this quarter", "2026-10/2026-12"),
            ("in Q3", "2027-07/2027-09"),
            ("in the third quarter of 2025", "2025-07/2025-09"),
            ("last summer", "2026-06/2026-08"),
            ("next summer", "2027-06/2027-08"),
            ("this winter", "2026-12/2027-02"),
            ("in the summer of 2019", "2019-06/2019-08"),
            ("from 2015 until 2018", "2015 | 2018"),
        ],
    );
}

#[test]
fn english_times_of_day() {
    table(
        BERLIN,
        Language::En,
        &[
            ("tomorrow at 3pm", "2026-11-05T15:00+01:00"),
            ("tomorrow at 3 p.m.", "2026-11-05T15:00+01:00"),
            ("at 3 in the afternoon on Tuesday of next week", "2026-11-10T15:00+01:00"),
            ("at 15:00 on March 5", "2027-03-05T15:00+01:00"),
            ("next Wednesday at half past four in the afternoon", "2026-11-11T16:30+01:00"),
            ("next Wednesday at half past four", "2026-11-11"),
            ("Friday at noon works", "2026-11-06T12:00+01:00"),
            ("tomorrow morning", "2026-11-05T06:00+01:00/2026-11-05T12:00+01:00"),
            ("on the morning of March 5", "2027-03-05T06:00+01:00/2027-03-05T12:00+01:00"),
            ("this evening at 8 o'clock", "2026-11-04T20:00+01:00"),
            ("We celebrate tonight", "2026-11-04T18:00+01:00/2026-11-05T00:00+01:00"),
            ("I slept badly last night", "2026-11-03T18:00+01:00/2026-11-04T06:00+01:00"),
            ("I will call you at 3pm", "2026-11-04T15:00+01:00"),
            ("2026-03-05T15:30", "2026-03-05T15:30+01:00"),
            ("On May 11 we will be out from 2 PM to 4 PM", "2027-05-11"),
            ("two hours ago", "2026-11-04T08:00+01:00"),
            ("in 20 minutes", "2026-11-04T10:20+01:00"),
        ],
    );
}

#[test]
fn english_words_that_are_no_times() {
    let none = [
        "May I have the bill?",
        "It may 5 times as likely be wrong",
        "this may be wrong",
        "Give me a second",
        "I march on every day",
        "We march 5 miles on foot",
        "I read the Sunday Times",
        "Sunday Times is my paper",
        "I sat by the sun",
        "Black Friday is a nuisance",
        "Good morning, good evening and good night",
        "I am a morning person",
        "I'll do it soon, or later",
        "I did it recently",
        "I go swimming every Friday",
        "I go swimming on Fridays",
        "I work Monday to Friday",
        "I usually get up at 7am",
        "I take my pills at 8am",
        "I have lived here for two years",
        "I am 30 years old",
        "I finished it in three days",
        "The next day he was gone",
        "two weeks later",
        "in three years of marriage",
        "We like it in summer",
        "It is open 24/7",
        "a 9/16 inch bolt, version 2.10.4",
        "call 555-2026-03",
        "I sold flats in 2019 houses",
        "June and April are my daughters",
        "one day, some day, these days",
        "I was late, it was early",
        "the 1990s",
        "There are 24 hours in a day",
        "I have 3 days of leave",
        "My birthday is on March 5",
        "I was born in May",
    ];
    table(BERLIN, Language::En, &none.map(|words| (words, "")));
}

#[test]
fn chinese_times() {
    table(
        SHANGHAI,
        Language::Zh,
        &[
            ("我今天很忙", "2026-11-04"),
            ("明天去医院", "2026-11-05"),
            ("大后天出差", "2026-11-07"),
            ("前天买的", "2026-11-02"),
            ("大前天", "2026-11-01"),
            ("昨天我去了书店", "2026-11-03"),
            ("上周三见过他", "2026-10-28"),
            ("下周三开会", "2026-11-11"),
            ("这周五交房租", "2026-11-06"),
            ("下下周一", "2026-11-16"),
            ("上个星期天", "2026-11-01"),
            ("周五要交报告", "2026-11-06"),
            ("周一我去了医院", "2026-11-02"),
            ("上周末去爬山", "2026-10-31/2026-11-01"),
            ("下周", "2026-11-09/2026-11-15"),
            ("上周一直下雨", "2026-10-26/2026-11-01"),
            ("本周日程很满", "2026-11-02/2026-11-08"),
            ("本周天气不好", "2026-11-02/2026-11-08"),
            ("上个月搬的家", "2026-10"),
            ("上上个月", "2026-09"),
            ("下个月底到期", "2026-12-21/2026-12-31"),
            ("下个月5号面试", "2026-12-05"),
            ("月底发工资", "2026-11-21/2026-11-30"),
            ("去年", "2025"),
            ("前年结的婚", "2024"),
            ("去年五月", "2025-05"),
            ("去年夏天", "2025-06/2025-08"),
            ("今年年底", "2026-10/2026-12"),
            ("明年初", "2027-01/2027-03"),
            ("本季度", "2026-10/2026-12"),
            ("今年第三季度", "2026-07/2026-09"),
            ("半年前", "2026-05"),
            ("半个月前", "2026-10-20"),
            ("两周后", "2026-11-16/2026-11-22"),
            ("三天前", "2026-11-01"),
            ("三个月以后", "2027-02"),
            ("十五年前", "2011"),
            ("最近三周很累", "2026-10-14/2026-11-04"),
            ("过去两年", "2024-11-04/2026-11-04"),
            ("３月５日", "2027-03-05"),
            ("３月５日我搬了家", "2026-03-05"),
            ("三月五号", "2027-03-05"),
            ("二〇二六年三月五日", "2026-03-05"),
            ("2026 年 3 月 5 日", "2026-03-05"),
            ("2019年我搬到北京", "2019"),
            ("2019年夏天", "2019-06/2019-08"),
            ("一月份我要去上海", "2027-01"),
            ("三月中旬", "2027-03-11/2027-03-20"),
            ("明天下午三点", "2026-11-05T15:00+08:00"),
            ("下周三下午三点半", "2026-11-11T15:30+08:00"),
            ("今晚八点", "2026-11-04T20:00+08:00"),
            ("明天15:30", "2026-11-05T15:30+08:00"),
            ("明天晚上12点", "2026-11-06T00:00+08:00"),
            ("明天中午", "2026-11-05T11:00+08:00/2026-11-05T13:00+08:00"),
            ("我会在下午三点到", "2026-11-04T15:00+08:00"),
            ("两个小时前", "2026-11-04T08:00+08:00"),
            ("昨晚没睡好", "2026-11-03T18:00+08:00/2026-11-04T06:00+08:00"),
            ("今天，下午三点", "2026-11-04T15:00+08:00"),
        ],
    );
    let none = [
        "她聪明天真",
        "以前天天跑步",
        "以后天天跑步",
        "我每周三健身",
        "一周三次",
        "我周一到周五上班",
        "每个星期三上课",
        "我一个月去一次",
        "一月一次",
        "一月三次",
        "三个月",
        "晚上好",
        "早上好，下午好",
        "有一点累",
        "我早上七点起床",
        "最近很忙",
        "以后再说",
        "两年后悔一次",
        "我喜欢春天",
        "坐5号线",
        "上学和下班",
        "日本月饼",
        "我平时周末爬山",
        "我周末爬山",
        "工作了三年",
        "我妈妈的生日是5月6日",
    ];
    table(SHANGHAI, Language::Zh, &none.map(|words| (words, "")));
}

#[test]
fn russian_times() {
    table(
        MOSCOW,
        Language::Ru,
        &[
            ("Сегодня у меня собеседование", "2026-11-04"),
            ("завтра едем на дачу", "2026-11-05"),
            ("позавчера", "2026-11-02"),
            ("послезавтра", "2026-11-06"),
            ("в прошлый вторник", "2026-11-03"),
            ("в следующий вторник", "2026-11-10"),
            ("в эту пятницу", "2026-11-06"),
            ("в ближайшую среду", "2026-11-11"),
            ("В понедельник иду к врачу", "2026-11-09"),
            ("В понедельник ходила к врачу", "2026-11-02"),
            ("сдать до пятницы", "2026-11-06"),
            ("во вторник на прошлой неделе", "2026-10-27"),
            ("в понедельник на следующей неделе", "2026-11-09"),
            ("на следующей неделе", "2026-11-09/2026-11-15"),
            ("на этой неделе", "2026-11-02/2026-11-08"),
            ("в прошлые выходные", "2026-10-31/2026-11-01"),
            ("В выходные мы ездили на дачу", "2026-10-31/2026-11-01"),
            ("через две недели", "2026-11-16/2026-11-22"),
            ("через неделю", "2026-11-09/2026-11-15"),
            ("через 3 дня", "2026-11-07"),
            ("три дня назад", "2026-11-01"),
            ("неделю назад", "2026-10-26/2026-11-01"),
            ("за последние три недели", "2026-10-14/2026-11-04"),
            ("в ближайшие десять дней", "2026-11-04/2026-11-14"),
            ("в прошлом месяце", "2026-10"),
            ("к концу месяца", "2026-11-21/2026-11-30"),
            ("в конце следующего месяца", "2026-12-21/2026-12-31"),
            ("в начале марта", "2027-03-01/2027-03-10"),
            ("5 числа следующего месяца", "2026-12-05"),
            ("два года назад", "2024"),
            ("полгода назад", "2026-05"),
            ("год назад в мае", "2025-05"),
            ("в мае прошлого года", "2025-05"),
            ("Мы поженились в мае", "2026-05"),
            ("в этом году", "2026"),
            ("в следующем квартале", "2027-01/2027-03"),
            ("в третьем квартале 2025 года", "2025-07/2025-09"),
            ("прошлым летом", "2026-06/2026-08"),
            ("летом 2019 года", "2019-06/2019-08"),
            ("Мы переехали в 2019 году", "2019"),
            ("с 2020 года", "2020"),
            ("5 марта", "2027-03-05"),
            ("Я купил машину 5 марта", "2026-03-05"),
            ("пятого марта 2026 года", "2026-03-05"),
            ("двадцать первого июня", "2027-06-21"),
            ("05.03.2026", "2026-03-05"),
            ("завтра в три часа дня", "2026-11-05T15:00+03:00"),
            ("завтра в 15:30", "2026-11-05T15:30+03:00"),
            ("в пятницу в 7 вечера", "2026-11-06T19:00+03:00"),
            ("завтра утром", "2026-11-05T06:00+03:00/2026-11-05T12:00+03:00"),
            ("завтра днём", "2026-11-05T12:00+03:00/2026-11-05T18:00+03:00"),
            ("Утром ходила в аптеку", "2026-11-04T06:00+03:00/2026-11-04T12:00+03:00"),
            ("завтра в половине пятого вечера", "2026-11-05T16:30+03:00"),
            ("два часа назад", "2026-11-04T08:00+03:00"),
        ],
    );
    let none = [
        "каждую пятницу хожу в бассейн",
        "по пятницам хожу в бассейн",
        "работаю с понедельника по пятницу",
        "хожу туда через день",
        "Через неделю он уехал",
        "на следующий день он уехал",
        "прошла неделя",
        "я начал бегать",
        "скоро, недавно, потом",
        "живу здесь три года",
        "мне 30 лет",
        "с днём рождения",
        "Утром пью кофе",
        "Обычно встаю в 7 утра",
        "Маша и Марта мои сёстры",
        "летом тут жарко",
        "в 2000 домах нет света",
        "у нас была дружеская среда",
        "отпуск три дня",
        "вспоминаю прошлые года",
        "мой день рождения 5 марта",
        "я родилась в мае",
    ];
    table(MOSCOW, Language::Ru, &none.map(|words| (words, "")));
}

#[test]
fn another_language_gives_dates_nobody_mistakes() {
    table(
        BERLIN,
        Language::Other,
        &[
            ("Der Vertrag endet am 2026-03-05", "2026-03-05"),
            ("Termin am 5.3.2026", "2026-03-05"),
            ("am 5 April 2026", "2026-04-05"),
            ("2026年3月5日に引っ越した", "2026-03-05"),
            ("heute, gestern, in 3 Monaten, mar 5", ""),
            ("mañana a las 15:00 hay sol, 5 may", ""),
            ("明日は3月", ""),
        ],
    );
}

#[test]
fn another_script_in_a_sentence_is_read_by_its_own_rules() {
    table(SHANGHAI, Language::Zh, &[("deadline 是 next Friday", "2026-11-13"), ("завтра 见", "2026-11-05")]);
    table(BERLIN, Language::En, &[("Our 周会 is 下周三", "2026-11-11")]);
}
