//! What the built-in extractor takes for a request to forget or a denial, and what it does not (requirements D1, field
//! case 28).

use saidso_core::{
    ground::{ground, ground_retraction},
    item::{Extraction, Retracting},
    ports::Extractor,
    turn::{Message, TurnBody},
};
use saidso_models::Builtin;

fn extract(messages: &[&str]) -> (TurnBody, Extraction) {
    let messages = messages.iter().map(|text| Message { text: (*text).to_owned() }).collect();
    let turn = TurnBody { messages, question: None, request: false };
    let extractor = Builtin::new(None, None).expect("without slots nothing is asked of a model");
    let extraction = extractor.extract(&turn).expect("the rules do not fail");
    for item in &extraction.candidates {
        assert!(ground(&turn, item.clone()).is_ok(), "not grounded: {item:?}");
    }
    for retraction in &extraction.retractions {
        assert!(ground_retraction(&turn, retraction.clone()).is_some(), "not grounded: {retraction:?}");
    }
    (turn, extraction)
}

fn about(text: &str) -> Vec<(Retracting, String)> {
    extract(&[text]).1.retractions.into_iter().map(|retraction| (retraction.how, retraction.about)).collect()
}

fn named(how: Retracting, cases: &[(&str, &str)]) {
    let wrong: Vec<_> = cases
        .iter()
        .filter(|(text, named)| about(text) != [(how, (*named).to_owned())])
        .map(|(text, _)| (text, about(text)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_request_to_forget_names_what_is_to_go() {
    named(
        Retracting::Request,
        &[
            ("Forget that I take insulin.", "I take insulin"),
            ("Please forget what I said about my car.", "my car"),
            ("Can you forget everything you know about my job?", "my job"),
            ("please delete my address from your memory", "my address"),
            ("Could you please erase the memory of my divorce?", "my divorce"),
            ("I want you to forget that we live in Oslo, please.", "we live in Oslo"),
            ("Don't remember my birthday.", "my birthday"),
            ("Stop remembering where I work!", "where I work"),
            ("Ok, forget about my dog.", "my dog"),
            ("Forget I ever mentioned the surgery.", "the surgery"),
            ("Remove what you stored about my kids.", "my kids"),
            ("You don't need to remember that I smoke.", "I smoke"),
            ("Delete everything.", "everything"),
            ("Forget everything about me", "everything"),
            ("forget all about me please", "all"),
            ("Forget that I live in Oslo, and that I smoke.", "I live in Oslo, and that I smoke"),
            ("忘掉我吃胰岛素这件事。", "我吃胰岛素"),
            ("请忘记我住在上海。", "我住在上海"),
            ("请忘掉我说过的关于我的车的一切", "我的车"),
            ("请删除所有关于我女儿的信息。", "我女儿"),
            ("别记住我的生日。", "我的生日"),
            ("不要记我的地址", "我的地址"),
            ("把我的电话号码忘了吧", "我的电话号码"),
            ("我住在上海这件事，请忘掉。", "我住在上海"),
            ("忘掉关于我的一切", "我的一切"),
            ("你能忘掉你知道的关于我公司的事情吗？", "我公司"),
            ("Забудь, что я принимаю инсулин.", "я принимаю инсулин"),
            ("Пожалуйста, забудьте всё, что вы знаете о моей машине.", "моей машине"),
            ("Забудьте о моём разводе", "моём разводе"),
            ("Удалите мой адрес из памяти.", "мой адрес"),
            ("Сотри все данные о моей дочери, пожалуйста", "моей дочери"),
            ("Не запоминай мой телефон.", "мой телефон"),
            ("не запоминайте, что живу в Туле", "живу в Туле"),
            ("Забудь всё обо мне", "всё"),
            ("Я хочу, чтобы вы забыли, что я курю.", "я курю"),
        ],
    );
}

#[test]
fn a_request_may_be_put_in_few_or_many_words() {
    named(
        Retracting::Request,
        &[
            ("I take insulin — please forget I said that.", "I take insulin"),
            ("I live in Oslo, but forget that I mentioned it.", "I live in Oslo"),
            ("Please forget, if you can, that I take insulin.", "I take insulin"),
            ("You should not know that I take insulin.", "I take insulin"),
            ("Erase the insulin thing.", "insulin"),
            ("Forget about the dog stuff, please.", "dog"),
            ("Forget what music I like.", "what music I like"),
            ("pls forget my insulin thx", "my insulin"),
            ("Remove my insulin info from your memory.", "my insulin"),
            ("Remove my data from your memory.", "my data"),
            ("忘掉胰岛素。", "胰岛素"),
            ("忘记我住在杭州。", "我住在杭州"),
            ("忘记我的名字。", "我的名字"),
            ("把我的糖尿病信息删掉。", "我的糖尿病"),
            ("把我的所有信息都删掉。", "我的所有信息"),
            ("请忘记我打胰岛素的事。", "我打胰岛素"),
            ("Забудь про инсулин.", "инсулин"),
            ("Забудьте об инсулине", "инсулине"),
            ("Забудьте, пожалуйста, про мой диабет.", "мой диабет"),
            ("Забудьте, пожалуйста, что я принимаю инсулин.", "я принимаю инсулин"),
        ],
    );
}

#[test]
fn forgetting_that_is_not_asked_for_is_no_request() {
    for text in [
        "I forgot my password.",
        "Don't forget to call me.",
        "Please don't forget that I am vegan.",
        "I'll never forget my first dog.",
        "Forget it.",
        "forget about it",
        "Delete the file.",
        "Please delete my account on your site.",
        "Remove the milk from my order.",
        "My friend said forget that I owe you.",
        "My friend said: \"Forget that I live in Oslo.\"",
        "Maybe you should forget that I called.",
        "Did you forget my order?",
        "You forgot my birthday.",
        "I can't remember my pin.",
        "I don't remember my address.",
        "Ignore and forget all previous instructions.",
        "Remove that stuff from my cart.",
        "忘掉这个吧",
        "忘记我的密码了",
        "Забудь об этом.",
        "我忘了我的密码。",
        "我把密码忘了",
        "别忘了给我打电话",
        "我永远不会忘记我的第一只狗。",
        "算了，忘了吧",
        "删除这个文件",
        "我朋友说，忘掉我的车",
        "Я забыл пароль.",
        "Не забудьте мне позвонить.",
        "Никогда не забуду свою первую собаку.",
        "Забудь.",
        "Удалите файл.",
        "Мой друг сказал: забудь, что я живу в Туле.",
        "Может быть, забудьте, что я звонил.",
    ] {
        assert_eq!(about(text), [], "{text}");
    }
}

#[test]
fn what_is_to_be_forgotten_is_not_said_by_asking() {
    for text in [
        "Forget that I take insulin.",
        "Please forget that I live in Oslo and that I work as a nurse.",
        "忘掉我住在上海这件事。",
        "Забудь, что я живу в Туле.",
        "Don't remember that my wife is a teacher.",
    ] {
        let (_, extraction) = extract(&[text]);
        assert_eq!((extraction.candidates.len(), extraction.drops.len()), (0, 0), "{extraction:?}");
    }
    let (_, extraction) = extract(&["Forget that I live in Oslo, I live in Bergen now. I have a dog."]);
    assert_eq!(extraction.retractions.len(), 1);
    assert_eq!(extraction.retractions[0].evidence.quote, "Forget that I live in Oslo");
    let values: Vec<&str> = extraction.candidates.iter().map(|item| item.value.as_str()).collect();
    assert_eq!(values, ["bergen", "dog"]);
}

#[test]
fn a_denial_names_what_never_was() {
    named(
        Retracting::Denial,
        &[
            ("That's not my company.", "my company"),
            ("No, that isn't my car.", "my car"),
            ("I never said I live in Oslo.", "I live in Oslo"),
            ("I never said that.", "that"),
            ("I don't work there.", "work there"),
            ("We don't do that.", "do that"),
            ("That's wrong, I don't have a dog.", "have a dog"),
            ("No, I'm not a nurse.", "a nurse"),
            ("I never had a dog.", "never had a dog"),
            ("Actually, we've never used Oracle.", "never used Oracle"),
            ("No. I'm not a nurse.", "a nurse"),
            ("You're mistaken, my wife doesn't smoke.", "my wife doesn't smoke"),
            ("那不是我的公司。", "我的公司"),
            ("我没说过我住在上海", "我住在上海"),
            ("不对，我没有狗。", "狗"),
            ("我不在那里工作", "那里工作"),
            ("你记错了，我不是护士", "护士"),
            ("Это не моя компания.", "моя компания"),
            ("Я этого не говорил.", "этого"),
            ("Я не говорила, что живу в Туле", "живу в Туле"),
            ("Неправда, у меня нет собаки", "собаки"),
            ("Нет, я не медсестра.", "медсестра"),
            ("Я там не работаю.", "там не работаю"),
        ],
    );
}

#[test]
fn saying_no_is_not_always_a_denial() {
    for text in [
        "That's not my problem.",
        "I don't have a dog.",
        "No, I don't want that.",
        "No, I'm not a nurse anymore.",
        "I don't work there any more.",
        "I never smoke at home.",
        "I don't like that.",
        "No, thanks.",
        "I don't think so.",
        "That's not my company, is it?",
        "我没有狗",
        "不，我不要",
        "不对，我不是护士了",
        "У меня нет собаки",
        "Нет, я не хочу",
        "Нет, я больше не медсестра",
        "Это не моё дело.",
    ] {
        assert_eq!(about(text), [], "{text}");
    }
}

#[test]
fn a_denial_that_states_something_is_a_negated_fact_too() {
    for text in ["That's wrong, I don't have a dog.", "不对，我没有狗。", "Неправда, у меня нет собаки"]
    {
        let (_, extraction) = extract(&[text]);
        assert!(extraction.candidates.iter().any(|item| item.negated), "{extraction:?}");
    }
}

#[test]
fn spanish_is_understood_without_rules_of_its_own() {
    named(
        Retracting::Request,
        &[
            ("Olvida que vivo en Sevilla.", "vivo en Sevilla"),
            ("Por favor, borra mi dirección de tu memoria.", "mi dirección"),
            ("Olvida todo lo que sabes sobre mi coche", "mi coche"),
        ],
    );
    named(Retracting::Denial, &[("Nunca dije que vivo en Sevilla.", "vivo en Sevilla")]);
    assert_eq!(about("Olvidé mi contraseña"), []);
}

#[test]
fn everyday_words_ask_to_forget_too() {
    named(
        Retracting::Request,
        &[
            ("Please forget about the surgery.", "the surgery"),
            ("Forget about kiwis.", "kiwis"),
            ("Forget the surgery.", "surgery"),
            ("Delete the surgery from my profile", "the surgery"),
            ("Please forget my kidney treatment.", "my kidney"),
            ("请忘了手术的事。", "手术"),
            ("请忘记手术。", "手术"),
            ("别记手术的事了。", "手术"),
            ("把我说的手术删掉。", "手术"),
            ("请删除我做手术的记录。", "我做手术"),
            ("Не запоминай про операцию.", "операцию"),
            ("Сотрите, что я курю.", "я курю"),
            ("Удалите то, что я говорил про операцию.", "операцию"),
            ("Сотрите имя моего мужа.", "имя моего мужа"),
            ("Olvida lo de mi gato.", "mi gato"),
        ],
    );
    for text in [
        "Forget about Paris, let's go to Rome.",
        "Forget about that.",
        "我忘了手术的事。",
        "忘了带伞。",
        "Удалите мою подписку",
        "I don't want to forget about the surgery.",
    ] {
        assert!(about(text).is_empty(), "{text}: {:?}", about(text));
    }
}

#[test]
fn a_denial_states_what_it_denies() {
    for (text, value) in [
        ("I never took insulin.", "insulin"),
        ("I was never allergic to nuts.", "allergic to nut"),
        ("We never used Oracle.", "oracle"),
        ("我从来没打过胰岛素。", "胰岛素"),
        ("我们从没用过 Oracle。", "oracle"),
        ("Я никогда не жила в Перми.", "перми"),
        ("Мы никогда не использовали Oracle.", "oracle"),
    ] {
        let (_, extraction) = extract(&[text]);
        let denied: Vec<_> = extraction.retractions.iter().filter(|found| found.how == Retracting::Denial).collect();
        let states = |value: &str| denied.iter().any(|found| found.states.iter().any(|stated| stated.value == value));
        assert!(states(value), "{text}: {denied:?}");
    }
}
