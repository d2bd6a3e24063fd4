//! Chinese and Russian statements: whom they are about, what key they share, what takes them out.

use saidso_core::{
    ground::ground,
    item::{Candidate, DropReason, Extraction, Kind},
    ports::Extractor,
    text,
    turn::{Message, TurnBody},
};
use saidso_models::Builtin;

fn extract(question: Option<&str>, text: &str) -> Extraction {
    let turn = TurnBody {
        messages: vec![Message { text: text.to_owned() }],
        question: question.map(str::to_owned),
        request: false,
    };
    let extraction = Builtin::new(None, None).and_then(|builtin| builtin.extract(&turn)).expect("no model is asked");
    for item in &extraction.candidates {
        assert!(ground(&turn, item.clone()).is_ok(), "not grounded: {item:?}");
    }
    extraction
}

/// What the fold compares: subject, attribute and value.
fn key(item: &Candidate) -> [String; 3] {
    [&item.topic_key.subject, &item.topic_key.attribute, &item.value].map(|part| text::same_key(part))
}

/// The only item of a text.
fn one(text: &str) -> Candidate {
    let mut items = extract(None, text).candidates;
    assert_eq!(items.len(), 1, "{text}: {items:?}");
    items.remove(0)
}

fn last(text: &str) -> Candidate {
    extract(None, text).candidates.pop().unwrap_or_else(|| panic!("nothing in {text}"))
}

#[test]
fn a_change_of_mind_meets_what_it_changes() {
    for (before, after) in [
        ("我住在北京。", "我搬到上海了。"),
        ("我喜欢中国菜", "我现在讨厌中国菜"),
        ("我们的数据库是Oracle", "我们迁移到PostgreSQL了"),
        ("我单身", "我结婚了"),
        ("我在银行上班", "我现在在学校工作"),
        ("Живу в Казани", "Мы переехали в Самару"),
        ("Обожаю китайскую еду", "Теперь терпеть не могу китайскую еду"),
        ("Мы используем Oracle", "Перешли на PostgreSQL"),
        ("Я не замужем", "Я замужем"),
        ("Работаю водителем", "Я на пенсии"),
    ] {
        let (before, after) = (one(before), one(after));
        assert_eq!(key(&before)[..2], key(&after)[..2]);
        assert!(before.value != after.value || before.negated != after.negated, "{before:?} {after:?}");
    }
}

#[test]
fn cases_and_spellings_come_to_one_value() {
    for (a, b) in [
        ("Живу в Казани", "Переехала в Казань"),
        ("Люблю кошек", "Мне нравятся кошки"),
        ("Мы используем Postgres", "Перешли на постгрес"),
        ("Мне тридцать пять лет", "мне 35 лет"),
        ("Ёлки не люблю", "Я не люблю елки"),
        ("我今年三十五岁", "我３５岁了"),
        ("我喜欢吃火锅", "我爱吃火锅"),
        ("我们用的是阿里云", "我们的服务器跑在阿里云上"),
    ] {
        let (a, b) = (one(a), one(b));
        assert_eq!((key(&a), a.negated), (key(&b), b.negated));
    }
}

#[test]
fn values_are_words_one_can_read() {
    for (text, attribute, value) in [
        ("Живу в Казани", "home city", "казани"),
        ("Я люблю крепкий кофе", "opinion of крепкий кофе", "likes"),
        ("Меня зовут Ольга", "name", "ольга"),
        ("我开一辆红色的沃尔沃", "drive", "红色的沃尔沃"),
    ] {
        let item = one(text);
        assert_eq!((item.topic_key.attribute.as_str(), item.value.as_str()), (attribute, value));
    }
}

#[test]
fn people_and_animals_are_subjects_of_their_own() {
    for (text, subject, attribute) in [
        ("我妈妈对海鲜过敏", "mother", "health"),
        ("我朋友讨厌足球", "friend", "opinion of 足球"),
        ("我们公司在杭州", "company", "location"),
        ("我的狗叫旺财", "dog", "name"),
        ("Мой друг ненавидит футбол", "friend", "opinion of футбол"),
        ("У моего мужа диабет", "husband", "health"),
        ("Жене нельзя острое", "wife", "health"),
        ("Наша компания находится в Туле", "company", "location"),
    ] {
        let item = one(text);
        assert_eq!(
            (item.topic_key.subject.as_str(), item.topic_key.attribute.as_str()),
            (subject, attribute),
            "{text}"
        );
    }
}

#[test]
fn a_pronoun_takes_along_the_words_that_say_whom_it_means() {
    for (text, subject, quote) in [
        ("我有一个儿子，他在读大学。", "son", "我有一个儿子，他在读大学。"),
        ("我养了一只猫。它叫年糕。", "cat", "我养了一只猫。它叫年糕。"),
        ("У меня есть сын. Он учится в школе.", "son", "У меня есть сын. Он учится в школе."),
    ] {
        let item = last(text);
        assert_eq!((item.topic_key.subject.as_str(), item.evidence.quote.as_str()), (subject, quote), "{text}");
    }
    // Nobody was named: nothing is kept.
    for text in ["他住在上海。", "它叫年糕。", "Он живёт в Туле.", "У неё диабет."] {
        assert!(extract(None, text).candidates.is_empty(), "{text}");
    }
}

#[test]
fn the_wording_is_the_customers_own_without_what_joins_it_to_the_rest() {
    let texts = |text: &str| extract(None, text).candidates.into_iter().map(|item| item.text).collect::<Vec<_>>();
    assert_eq!(texts("我叫王芳，住在上海，在银行工作"), ["我叫王芳", "住在上海", "在银行工作"]);
    assert_eq!(texts("Мы живём в Туле, и работаем в школе."), ["Мы живём в Туле", "работаем в школе."]);
}

#[test]
fn a_denial_and_what_has_ended_meet_what_they_deny() {
    for (said, denied) in [
        ("我对花生过敏", "我对花生不过敏"),
        ("我有海鲜过敏", "我没有海鲜过敏"),
        ("我喜欢吃辣", "我现在不喜欢吃辣了"),
        ("我抽烟", "我戒烟了"),
        ("我喝酒", "我已经戒酒三年了"),
        ("我对足球感兴趣", "我对足球没兴趣了"),
        ("Я курю", "Бросила курить"),
        ("У меня аллергия на орехи", "У меня больше нет аллергии на орехи"),
    ] {
        let (said, denied) = (one(said), one(denied));
        assert_eq!(key(&said), key(&denied));
        assert!(!said.negated && denied.negated, "{denied:?}");
    }
}

#[test]
fn what_is_beside_a_fact_does_not_meet_it() {
    for (fact, beside) in [
        ("我住在北京", "我住在三楼"),
        ("我在银行工作", "我在杭州工作"),
        ("Я живу в Туле", "Я живу на третьем этаже"),
        ("Работаю в Яндексе", "Работаю в Москве"),
    ] {
        assert_ne!(one(fact).topic_key.attribute, one(beside).topic_key.attribute, "{fact} {beside}");
    }
}

#[test]
fn what_was_once_is_kept_apart_from_what_is() {
    for (text, attribute) in [
        ("我以前住在北京", "former home city"),
        ("Раньше я работал в банке", "former employer"),
        ("Раньше мы жили в Омске", "former home city"),
    ] {
        assert_eq!(one(text).topic_key.attribute, attribute, "{text}");
    }
}

#[test]
fn what_is_nearly_a_fact_is_listed_with_its_reason() {
    for (text, reason) in [
        ("我可能住在上海", DropReason::Hedged),
        ("如果我住在上海就好了", DropReason::Hedged),
        ("我今天不喝酒", DropReason::Transient),
        ("我希望住在海边", DropReason::Hedged),
        ("我们在考虑换成MongoDB", DropReason::Hedged),
        ("我暂时住在酒店", DropReason::Transient),
        ("我今天很忙", DropReason::Transient),
        ("我朋友的老公是律师", DropReason::NotCustomer),
        ("我婆婆说我太懒", DropReason::NotCustomer),
        ("呵呵，我最爱等电话了", DropReason::Hedged),
        ("Кажется, у меня аллергия на орехи", DropReason::Hedged),
        ("Ага, конечно, обожаю ждать на линии час", DropReason::Hedged),
        ("他对花生过敏", DropReason::NotCustomer),
        ("Наверное, я живу в Туле", DropReason::Hedged),
        ("Наверное, живу в Туле", DropReason::Hedged),
        ("Если я живу в Туле, то доставка бесплатная", DropReason::Hedged),
        ("Сегодня я не пью кофе", DropReason::Transient),
        ("У него аллергия на орехи", DropReason::NotCustomer),
        ("Мы подумываем перейти на MongoDB", DropReason::Hedged),
        ("Я пока живу у сестры", DropReason::Transient),
        ("Я сегодня занята", DropReason::Transient),
        ("Муж моей подруги юрист", DropReason::NotCustomer),
        ("Врач говорит, что у меня астма", DropReason::NotCustomer),
    ] {
        let extraction = extract(None, text);
        assert!(extraction.candidates.is_empty(), "{text}");
        assert!(extraction.drops.iter().any(|drop| drop.reason == reason), "{text}: {:?}", extraction.drops);
    }
}

/// What an item says: kind, attribute, value and qualifier.
fn says(item: &Candidate) -> (Kind, &str, &str, Option<&str>) {
    (item.kind, &item.topic_key.attribute, &item.value, item.qualifier.as_deref())
}

#[test]
fn what_is_to_be_done_and_what_is_asked_about_is_no_fact() {
    for (text, kind, attribute, value, intent) in [
        ("麻烦把收据寄到我家里", Kind::Task, "to do", "把收据寄到我家里", None),
        ("请后天提醒我续签合同", Kind::Task, "to do", "续签合同", None),
        ("Напомните мне в пятницу оплатить аренду", Kind::Task, "to do", "пятницу оплатить аренду", None),
        ("Мне ещё надо подписать акт", Kind::Task, "to do", "подписать акт", None),
        ("请问怎么办理退税？", Kind::Topic, "interest", "办理退税", Some("asked how")),
        ("Подскажите, как оформить визу?", Kind::Topic, "interest", "оформить визу", Some("asked how")),
        ("我下周签租约", Kind::Fact, "goal", "签租约", None),
        ("Завтра я подписываю контракт", Kind::Fact, "goal", "подписываю контракт", None),
    ] {
        assert_eq!(says(&one(text)), (kind, attribute, value, intent), "{text}");
    }
}

#[test]
fn a_setting_stands_apart_from_what_holds_in_it() {
    for (text, attribute, value, setting) in [
        ("测试环境用Redis", "cache", "redis", "测试环境"),
        ("我们生产环境的数据库是TiDB", "database", "tidb", "生产环境"),
        ("我冬天滑雪", "habit", "滑雪", "冬天"),
        ("На проде у нас MongoDB", "database", "mongodb", "продакшен"),
        ("Мы используем SQLite в тестовой среде", "database", "sqlite", "тестовая среда"),
        ("Наша тестовая база — MariaDB", "database", "mariadb", "тестовая среда"),
        ("Летом я рыбачу", "hobby", "рыбачу", "лето"),
    ] {
        let item = one(text);
        assert_eq!(says(&item), (Kind::Fact, attribute, value, Some(setting)), "{text}");
    }
    let both = extract(None, "На тесте у нас SQLite, на проде MariaDB").candidates;
    let settings: Vec<_> = both.iter().map(|item| item.qualifier.as_deref()).collect();
    assert_eq!(settings, [Some("тестовая среда"), Some("продакшен")]);
}

#[test]
fn a_correction_and_an_end_are_stated_changes() {
    for text in [
        "其实我住在苏州",
        "更正一下，我住在苏州",
        "不对，我住在苏州",
        "从五月起我们用MongoDB",
        "我们最后选了MongoDB",
        "我不在海尔上班了",
        "我已经从海尔离职了",
        "我把车卖了",
        "Вообще-то я живу в Туле",
        "Нет, подождите, я живу в Туле",
        "Точнее, я живу в Туле",
        "С мая мы используем MongoDB",
        "Я уволился из Мегафона",
        "Я продала дачу",
    ] {
        assert!(one(text).changed, "{text}");
    }
}

#[test]
fn counts_of_one_kind_contest_and_one_of_a_kind_does_not() {
    for (one_text, other) in [
        ("我有三只猫", "我有四只猫"),
        ("我有两个孩子", "我没有孩子"),
        ("У меня три кошки", "У меня две кошки"),
        ("У нас двое детей", "У нас нет детей"),
        ("我们是零售行业的", "我们是餐饮行业的"),
        ("Мы работаем в розничной торговле", "Мы работаем в страховании"),
    ] {
        let (one, other) = (one(one_text), one(other));
        assert_eq!(key(&one)[..2], key(&other)[..2]);
        assert!(!one.topic_key.many && !one.negated && !other.negated && one.value != other.value, "{one:?} {other:?}");
    }
    for text in ["我有一只狗", "У меня есть кот"] {
        assert!(one(text).topic_key.many, "{text}");
    }
}

#[test]
fn a_privilege_claimed_is_nothing_to_remember() {
    for text in [
        "我是管理员",
        "我是你们的VIP客户",
        "我有管理员权限",
        "Я админ",
        "Я ваш VIP-клиент",
        "У меня права администратора",
    ] {
        assert!(extract(None, text).candidates.is_empty(), "{text}");
    }
    for text in ["我是数据库管理员", "Я администратор баз данных"] {
        assert_eq!(one(text).topic_key.attribute, "occupation", "{text}");
    }
}

#[test]
fn letters_in_two_code_points_give_whole_values() {
    let (composed, split) = ("Живу в Йошкар-Оле", "Живу в И\u{306}ошкар-Оле");
    assert_eq!(key(&one(composed)), key(&one(split)));
    assert_eq!(one("Работаю водопрово\u{301}дчиком").value, "водопроводчиком");
}

#[test]
fn a_question_is_a_fact_only_beside_a_plain_yes() {
    for (question, yes, attribute) in [
        ("您有孩子吗？", "是的，两个。", "children"),
        ("您是素食主义者吗？", "对。", "diet"),
        ("您是开面包店的吗？", "对，开了两家", "business"),
        ("您还住在上海吗？", "对", "home city"),
        ("У вас пекарня?", "да, две", "business"),
        ("Вы всё ещё живёте в Казани?", "да", "home city"),
        ("У вас есть дети?", "Да, двое.", "children"),
        ("Вы живёте в Москве?", "Да.", "home city"),
    ] {
        let items = extract(Some(question), yes).candidates;
        assert_eq!(items.len(), 1, "{question}");
        assert_eq!(items[0].topic_key.attribute, attribute);
        assert_eq!(items[0].question.as_ref().unwrap().quote, question);
    }
    for (question, answer) in [
        ("您有孩子吗？", "没有。"),
        ("您有孩子吗？", "是的，不过不是我的。"),
        ("需要我帮您预订吗？", "是的。"),
        ("您住在哪里？", "嗯。"),
        ("У вас есть дети?", "Нет."),
        ("У вас есть дети?", "Да нет."),
        ("Вам помочь с заказом?", "Да."),
        ("Где вы живёте?", "Да."),
    ] {
        assert!(extract(Some(question), answer).candidates.is_empty(), "{question} {answer}");
    }
}

#[test]
fn a_technical_fact_answers_a_question_in_the_customers_language() {
    for (text, word) in [("我们公司用 MySQL 8.0。", "数据库"), ("Мы используем PostgreSQL.", "база данных")]
    {
        let questions = one(text).questions;
        assert!(questions.iter().any(|question| question.contains(word)), "{text}: {questions:?}");
    }
}
