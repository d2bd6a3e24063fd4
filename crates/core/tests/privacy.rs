//! What must not enter memory, and what looks like it and may (requirements E3; field case 21).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use proptest::prelude::*;
use saidso_core::privacy::{redact, redacted, sensitive};

fn masked(text: &str) -> String {
    let mut text = text.to_owned();
    redact(&mut text);
    text
}

/// `«…»` marks what must be masked to the last byte; of the rest, only the characters before a short one may be.
fn hides(marked: &str) {
    let plain = marked.replace(['«', '»'], "");
    let hidden = masked(&plain);
    for part in marked.split('«').skip(1) {
        let secret = part.split('»').next().unwrap();
        let at = plain.find(secret).unwrap();
        assert!(hidden[at..at + secret.len()].bytes().all(|b| b == b'*'), "{marked}: {hidden}");
    }
    let kept: String = marked.split('«').map(|part| part.split('»').next_back().unwrap()).collect();
    let stars = hidden.trim_matches('*').matches('*').count().max(hidden.matches('*').count());
    assert!(stars <= plain.len() - kept.len() + 5, "too much: {marked}: {hidden}");
    assert!(redacted(&hidden), "{hidden}");
}

#[test]
fn numbers_and_secrets_are_masked_and_nothing_beside_them() {
    for marked in [
        "my card is «4111 1111 1111 1111» for groceries",
        "card «4111-1111-1111-1111», thanks",
        "card «4111.1111.1111.1111»",
        "card «4111,1111,1111,1111»",
        "amex «3782 822463 10005» here",
        "卡号是«６２２２０２１２３４５６７８９０１２３»谢谢",
        "我的身份证号是«11010519491231002X»，住北京",
        "身份证 «110105 19491231 002X»",
        "SSN «123-45-6789»",
        "my NHS number is «943 476 5919» ok",
        "I live in Oslo, my fødselsnummer is «01010112345», and have a cat",
        "fnr «010190 12345»",
        "мой ИНН «7707083893», работаю в Москве",
        "ИНН «500100732259»",
        "СНИЛС «112-233-445 95»",
        "паспорт «45 06 123456» выдан в Туле",
        "паспорт серия «4506» номер «123456» выдан".replace("«4506» номер «123456»", "«4506 123456»").as_str(),
        "My passport number is «X1234567» and I fly in May",
        "my passport, «X1234567», was lost",
        "我的护照是«E12345678»，下个月去",
        "Mein Personalausweis ist «L01X00T47» und ich wohne in Bonn",
        "ID card «AB123456» please",
        "my national insurance number is «QQ 12 34 56 C» ok",
        "mi DNI es «12345678Z» y vivo en Madrid",
        "my phone is «555-1234» at home",
        "call «+44 20 7946 0958» now",
        "my number is «(555) 123-4567» ok",
        "(«+47) 912 34 567» is mine",
        "телефон «+7 912 345-67-89», Аня",
        "мой номер «8 912 345 67 89»",
        "я по «89123456789» всегда",
        "手机«13812345678»联系我",
        "numéro «06 12 34 56 78» merci",
        "write to «anna.k+shop@example.org».",
        "пишите на «аня@почта.рф» вечером",
        "mail me (anna＠example.org)".replace("anna＠example.org", "«anna＠example.org»").as_str(),
        "IBAN «DE89 3704 0044 0532 0130 00» at the bank",
        "iban «GB29 NWBK 6016 1331 9268 19», thanks",
        "the CVV is «123» and",
        "cvv: «1234»",
        "CVV是«123»",
        "my pin is «4821»",
        "验证码是«482913»",
        "my password is «hunter2», my cat is Tom",
        "my password is «hunter»",
        "password: «qwerty» thanks",
        "password «abc123xyz» works",
        "我的密码是«abc»，谢谢",
        "пароль «кот12345», спасибо",
        "пароль: «котик»",
        "key «ghp_abcdEFGH1234ijklMNOP5678qrstUVWX» leaked",
        "«AKIAIOSFODNN7EXAMPLE» is the id",
        "use «sk-proj-abcdefghijklmnopqrst» for it",
        "Bearer «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_ghi» ok",
        "api key is «3f2b8c9d»",
        "my passphrase is «correct horse battery staple»",
        "the file has «-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----»\nok",
        "card «4111\u{200b}1111\u{200b}1111\u{200b}1111»",
    ] {
        hides(marked);
    }
}

#[test]
fn amounts_dates_and_versions_stay() {
    for text in [
        "we have 1,200,000 rows",
        "1,200,000,000 requests and 12,345,678,901.50 dollars",
        "it cost 1 200 000 рублей",
        "оборот 1 200 000 000 рублей",
        "2 000–3 000 users",
        "20 000-30 000 users, 12 500-17 500 orders",
        "20 000 – 30 000 users",
        "20000-30000 users",
        "born on 1990-05-12",
        "on 12.05.1990 we moved",
        "2024-03-15 - 2024-04-15",
        "at 2024-03-15T14:30:00.123456Z and 2024-03-15 14:30",
        "MySQL 8.0.32 and 8.0.36 since 2019-2021",
        "in 2018 2019 2020 2021 2022",
        "Windows 10.0.19045.3570",
        "host 192.168.100.200",
        "my budget is 50000 dollars",
        "ticket 48213",
        "order 4821398812, please",
        "I ordered 250 pieces of 12 at 1099.95",
        "I forgot my password",
        "my password is not working",
        "the password is wrong",
        "my password is broken again",
        "the password is 8 characters long".replace("is 8", "has 8").as_str(),
        "密码是什么？",
        "пароль не подходит",
        "ping me @home",
        "my budget is 1000-2000 dollars",
        "between 200-1500 users",
        "we sold 120 000 units and 120 000 000 parts",
        "my passport expires 2027-05-01",
        "my passport is from 2019",
        "паспорт получил в 2019 году",
        "I need a passport photo for 15 people",
        "the pin is on the 3rd floor",
        "sizes 36 37 38 39 40 41",
        "**bold** and ***strong*** and ****",
        "pi is 3.14159265358979",
        "call me at 14:30 on 12/05/2024",
    ] {
        assert_eq!(masked(text), text);
    }
}

#[test]
fn emphasis_and_swearing_are_no_masks() {
    for text in ["***strong***", "**bold**", "a f**** router", "* one\n* two", "***重点***"] {
        assert!(!redacted(text), "{text}");
    }
    for text in ["my number is 555-1234, call", "CVV是123", "身份证号是11010519491231002X"] {
        assert!(redacted(&masked(text)), "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_keeps_its_length_and_is_masked_once_and_for_all(
        text in "\\PC*|[0-9 x+().,/–-]{0,60}|(passport|CVV|password|密码是|护照|паспорт|AKIA|eyJ|[a-z]@b.c|[0-9０-９]{1,9}|[ :*-]|[A-Z]{1,3}|\u{200b}|é|\n){0,14}"
    ) {
        let spans = sensitive(&text);
        for span in &spans {
            prop_assert!(span.start < span.end && span.of(&text).is_some());
        }
        prop_assert!(spans.windows(2).all(|two| two[0].end < two[1].start));
        let once = masked(&text);
        prop_assert_eq!(once.len(), text.len());
        prop_assert!(spans.iter().all(|span| span.of(&once).is_some_and(|run| run.bytes().all(|b| b == b'*'))));
        prop_assert_eq!(masked(&once), once.clone());
        prop_assert!(sensitive(&once).is_empty());
    }
}
