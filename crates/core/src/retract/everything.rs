//! Requests that mean all there is ("delete everything", "忘掉关于我的一切", "удали все мои данные").

use std::{collections::HashSet, sync::LazyLock};

use crate::text;

/// Words for all.
const ALL: &str = "everything anything all every each whole entire completely все всё весь вся всех полностью целиком todo toda todos";
/// Words for what is remembered, and for remembering, whatever it is.
const MEMORY: &str = "data information info memory memories record records history detail details stuff thing things know knows \
    remember remembered store stored save saved keep kept collect collected said say told tell learned personal account profile \
    conversation conversations chat chats message messages \
    данные данных информация информацию память памяти запись записи историю история сведения знаешь знаете помнишь помните \
    сказал сказала говорил говорила рассказал рассказала личные аккаунт профиль переписку сообщения \
    datos información memoria recuerdos";
/// Words for the one who speaks, whole.
const SELF: &str = "me us myself меня мне обо нас я mí";
/// The same in Chinese, longest first: characters are words there.
const CHINESE_ALL: [&str; 6] = ["所有", "全部", "一切", "全都", "完全", "都"];
const CHINESE_MEMORY: [&str; 28] = [
    "聊天记录",
    "个人信息",
    "信息",
    "数据",
    "记忆",
    "记录",
    "资料",
    "内容",
    "东西",
    "事情",
    "历史",
    "账号",
    "知道",
    "记得",
    "记住",
    "说过",
    "告诉",
    "关于",
    "有关",
    "我们",
    "的",
    "我",
    "你",
    "您",
    "话",
    "事",
    "了",
    "过",
];

type Words = LazyLock<HashSet<String>>;

fn stems(list: &str) -> HashSet<String> {
    text::words(list).into_iter().map(|word| word.stem).collect()
}

static ALL_STEMS: Words = LazyLock::new(|| stems(ALL));
static MEMORY_STEMS: Words = LazyLock::new(|| stems(MEMORY));
static SELF_STEMS: Words = LazyLock::new(|| stems(SELF));

/// Whether a stem is a word for all: it names nothing.
pub(super) fn is_all(stem: &str) -> bool {
    ALL_STEMS.contains(stem)
}

/// Whether words name nothing but all there is.
pub fn means_everything(about: &str) -> bool {
    let mut left = about.to_owned();
    let mut found = false;
    for phrase in CHINESE_ALL.iter().chain(&CHINESE_MEMORY) {
        // A pronoun or particle alone points at something; it does not mean all.
        found |= phrase.chars().count() > 1 && left.contains(phrase);
        left = left.replace(phrase, " ");
    }
    for word in text::words(&left) {
        let stem = &word.stem;
        let general = ALL_STEMS.contains(stem) || MEMORY_STEMS.contains(stem) || SELF_STEMS.contains(stem);
        if !general && !word.stop {
            return false;
        }
        found |= general;
    }
    found
}
