//! The built-in embedder against the real thing: the same weights in the reference server, and the real package.
//!
//! Needs the outside; `testcontainers/e5.sh` brings it.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::{path::PathBuf, sync::Mutex, thread};

use saidso_core::{
    calibration::Calibration,
    ports::{Embedder, Purpose},
    text::Language,
};
use saidso_models::{
    e5::E5,
    weights::{Progress, fetch, locate},
};

fn given(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| {
        panic!("{name} is not set; run: testcontainers/e5.sh cargo test -p saidso-models --test e5_reference")
    })
}

const TEXTS: &[&str] = &[
    // English
    "I moved to a small flat near the river last spring.",
    "My daughter Ines starts school in September.",
    "Please never call me before ten in the morning",
    "we run postgres 14.2 on three machines, and the biggest has 256 GB of memory",
    "I used to play the cello, but my teacher retired and I never found another.",
    "ALL CAPITALS, BECAUSE I AM ANGRY!!!",
    "Order #A-10293 (two lamps) arrived broken; I paid 149.90 EUR.",
    "What is the capital of the country where my sister lives?",
    "it's",
    "a",
    "The quick brown fox jumps over the lazy dog",
    "I don't eat meat, fish or eggs; milk is fine.",
    // Chinese
    "我上个月搬到了上海，现在住在公司附近。",
    "我对花生过敏。",
    "我们公司用的是三台服务器，数据库每天凌晨两点备份",
    "他不是我弟弟，是我表弟！",
    "繁體字也要認得：我住在臺北。",
    "你好",
    // Russian
    "Я работаю бухгалтером и живу в Казани.",
    "Моя дочь учится во втором классе, а сын ещё маленький.",
    "не звоните мне по вечерам",
    "Мы переехали в новый офис на улице Ленина, 12.",
    "Ёжик съел ещё одно яблоко?",
    "нет",
    // Spanish, Portuguese, French, German, Italian
    "Tengo dos hijos y un perro llamado Canela.",
    "¿Cuándo abre la oficina de Sevilla?",
    "No me gusta el café, prefiero el té verde.",
    "O meu irmão mora em São Paulo há três anos.",
    "J'habite à côté de la gare, au troisième étage.",
    "Wir heißen Müller und wohnen in einer Straße ohne Nummer.",
    "Perché no? Domani è un altro giorno.",
    // Arabic, Hebrew, Persian
    "أنا أسكن في القاهرة وأعمل معلمة.",
    "لا أحب السفر بالطائرة",
    "אני גר בחיפה עם שני חתולים.",
    "من در تهران زندگی می‌کنم",
    // Others
    "私は京都に住んでいます。犬を一匹飼っています。",
    "ｶﾀｶﾅ ﾊﾝｶｸ と　全角スペース",
    "저는 부산에서 일하고 있어요.",
    "मैं दिल्ली में रहता हूँ और चाय पसंद करता हूँ।",
    "ฉันอาศัยอยู่ที่เชียงใหม่กับแม่",
    "Μένω στην Αθήνα με τη γιαγιά μου.",
    "Tôi sống ở Hà Nội và làm kế toán.",
    "İstanbul'da yaşıyorum, iki kedim var.",
    "Ես ապրում եմ Երևանում։",
    "მე თბილისში ვცხოვრობ.",
    "Ndimakhala ku Lilongwe ndi banja langa.",
    // Emoji and symbols
    "👍",
    "Thanks 🙂🙏 see you tomorrow 👩‍👩‍👧‍👦",
    "🇵🇹 → 🇯🇵 (twice a year)",
    "∑ x² ≤ ½ · π ± 3 °C ™ №5",
    "¯\\_(ツ)_/¯",
    // Mixed
    "My 名字 is Лена and I work en Madrid.",
    "版本 8.0.36 的 MySQL crashed вчера",
    "email: someone@example.org, phone +00 000 000, https://example.org/a?b=c#d",
    // What the normaliser and the segmentation stumble over
    "ﬁne Å ½ １２３ ⅷ ㎞ ﷺ",
    "e\u{301}clair and \u{e9}clair, soft\u{ad}hyphen, zero\u{200b}width, \u{feff}mark",
    "tabs\tand\nlines\r\nand\u{a0}hard\u{2003}spaces",
    "\u{1d4b3}\u{1d4b4} unusual letters \u{e123} \u{10ffff}",
    "<s> </s> <unk> <pad> <mask> query: passage: \u{2581}\u{2581}x",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "'\"`´‘’“”«»",
    "...",
    "{\"role\": \"customer\", \"text\": null}",
    // Nothing and next to nothing
    "",
    " ",
    "   \t\n  ",
    "  leading and trailing  ",
    "a     b          c",
];

fn texts() -> Vec<String> {
    let mut texts: Vec<String> = TEXTS.iter().map(|t| (*t).to_owned()).collect();
    // At and around the window of 510 pieces, and far beyond it.
    texts.extend([506, 508, 1100].map(|n| "word ".repeat(n)));
    texts.push("我每天早上喝一杯茶。".repeat(120));
    texts.push(TEXTS.join(" "));
    texts
}

/// The reference's vectors, each of length 1.
fn reference(kind: &str, texts: &[String]) -> Vec<Vec<f64>> {
    let url = format!("http://{}/v1/embeddings", given("SAIDSO_TEST_E5"));
    let body = serde_json::json!({ "model": "e5", "input_type": kind, "input": texts });
    let answer: serde_json::Value = ureq::post(&url).send_json(&body).unwrap().body_mut().read_json().unwrap();
    let vector = |row: &serde_json::Value| serde_json::from_value(row["embedding"].clone()).unwrap();
    answer["data"].as_array().unwrap().iter().map(vector).collect()
}

#[test]
fn vectors_equal_those_of_the_reference_server() {
    let model = E5::load(&PathBuf::from(given("SAIDSO_MODEL"))).unwrap();
    assert_eq!((model.id(), model.dimension()), ("multilingual-e5-small-q4/1571fc98", 384));
    let texts = texts();
    assert!(texts.len() >= 64);
    let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut lowest = 1.0f64;
    for (purpose, kind) in [(Purpose::Query, "query"), (Purpose::Passage, "passage")] {
        let ours = model.embed(purpose, &borrowed).unwrap();
        let theirs = reference(kind, &texts);
        assert_eq!(ours.len(), theirs.len());
        for ((text, ours), theirs) in texts.iter().zip(&ours).zip(&theirs) {
            let cosine: f64 = ours.to_f32().iter().zip(theirs).map(|(a, b)| f64::from(*a) * b).sum();
            let start: String = text.chars().take(40).collect();
            assert!(cosine >= 0.999, "cosine {cosine} as {kind} for {start:?} ({} bytes)", text.len());
            lowest = lowest.min(cosine);
        }
    }
    println!("{} texts as query and passage: lowest cosine {lowest:.6}", texts.len());
}

/// A fact, the same in other words, and a question it answers.
const FACTS: [(Language, [[&str; 3]; 6]); 3] = [
    (
        Language::En,
        [
            ["I moved to Porto in March.", "In March I relocated to Porto.", "Where do I live now?"],
            ["I'm allergic to peanuts.", "I have a peanut allergy.", "What am I allergic to?"],
            ["I'm a nurse in a children's hospital.", "I work as a nurse at a hospital for kids.", "Where do I work?"],
            [
                "We use Postgres 14 in production.",
                "Our production database is Postgres 14.",
                "Which database do we run?",
            ],
            ["My wife's name is Ana.", "I'm married to Ana.", "Who is my wife?"],
            ["I have two kids.", "I've got two children.", "How many children do I have?"],
        ],
    ),
    (
        Language::Zh,
        [
            ["我三月搬到了杭州。", "三月份我搬家到杭州了。", "我现在住在哪里？"],
            ["我对花生过敏。", "我吃花生会过敏。", "我对什么过敏？"],
            ["我在儿童医院当护士。", "我是儿童医院的护士。", "我在哪里工作？"],
            ["我们生产环境用的是Postgres 14。", "我们的生产数据库是Postgres 14。", "我们用什么数据库？"],
            ["我妻子叫安娜。", "我老婆的名字是安娜。", "我妻子是谁？"],
            ["我有两个孩子。", "我家有两个小孩。", "我有几个孩子？"],
        ],
    ),
    (
        Language::Ru,
        [
            ["В марте я переехал в Казань.", "Я перебрался в Казань в марте.", "Где я сейчас живу?"],
            ["У меня аллергия на арахис.", "Мне нельзя арахис, аллергия.", "На что у меня аллергия?"],
            ["Я работаю медсестрой в детской больнице.", "Я медсестра в больнице для детей.", "Где я работаю?"],
            ["У нас в продакшене Postgres 14.", "Наша боевая база данных — Postgres 14.", "Какая у нас база данных?"],
            ["Мою жену зовут Анна.", "Я женат на Анне.", "Кто моя жена?"],
            ["У меня двое детей.", "У меня два ребёнка.", "Сколько у меня детей?"],
        ],
    ),
];

#[test]
fn the_calibration_tells_own_pairs_apart() {
    let model = E5::load(&PathBuf::from(given("SAIDSO_MODEL"))).unwrap();
    let Calibration { duplicate, related } = model.calibration();
    for (language, facts) in FACTS {
        let embed = |purpose, column: usize| model.embed(purpose, &facts.map(|fact| fact[column])).unwrap();
        let (said, repeated, asked) =
            (embed(Purpose::Passage, 0), embed(Purpose::Passage, 1), embed(Purpose::Query, 2));
        for i in 0..facts.len() {
            let [fact, _, question] = facts[i];
            assert!(said[i].cosine(&repeated[i]).unwrap() >= duplicate.get(language), "{fact} and its paraphrase");
            assert!(asked[i].cosine(&said[i]).unwrap() >= related.get(language), "{question} and {fact}");
            for j in (0..facts.len()).filter(|j| *j != i) {
                assert!(said[i].cosine(&repeated[j]).unwrap() < duplicate.get(language), "{fact} and {}", facts[j][1]);
            }
        }
    }
}

#[test]
fn two_who_fetch_at_once_share_one_download() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(locate(None, folder.path()), None);
    let seen = Mutex::new(Vec::new());
    let fetch_once = || fetch(folder.path(), &mut |progress| seen.lock().unwrap().push(progress)).unwrap();
    let (one, two) = thread::scope(|scope| {
        let other = scope.spawn(fetch_once);
        (fetch_once(), other.join().unwrap())
    });
    assert_eq!(one, two);
    assert_eq!(locate(None, folder.path()), Some(one.clone()));
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.iter().filter(|p| **p == Progress::Unpacking).count(), 1, "{seen:?}");
    assert!(seen.contains(&Progress::Waiting), "{seen:?}");
    assert_eq!(E5::load(&one).unwrap().id(), "multilingual-e5-small-q4/1571fc98");
    let mut left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, [one.file_name().unwrap(), "lock".as_ref()]);
}
