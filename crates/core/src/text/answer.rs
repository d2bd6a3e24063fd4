//! Whether an answer is a plain yes, and whether it says that what was known still holds.

use std::collections::BTreeSet;

use super::{
    Language, content,
    flat::{Flat, one_of, starts_with_any},
    is_hedged, is_question, negations, numbers, offers_alternatives, sentences,
};
use crate::item::Answer;

/// Whether an answer opens with a plain yes ("yes, four"; "是的"; "да, у нас две"). Russian "да нет" is a no.
pub fn is_yes(answer: &str) -> bool {
    let flat = Flat::new(answer);
    if is_question(answer) || is_hedged(answer) {
        return false;
    }
    match flat.language {
        Language::Zh => {
            let yes = starts_with_any(&flat.plain, "是的|是啊|是呀|对的|对啊|对呀|没错|嗯|当然|确实|正确");
            let short = ["是", "对", "有"]
                .iter()
                .any(|yes| flat.plain.strip_prefix(yes).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)));
            yes || short
        }
        Language::Ru => {
            let refusal = "да нет|да не|да ну|да никак";
            flat.opens("да|ага|угу|верно|точно|именно|конечно|правильно|так и есть|совершенно верно")
                && !flat.opens(refusal)
        }
        Language::En | Language::Other => flat.opens(
            "yes|yeah|yep|yup|sure|correct|exactly|right|that's right|that is right|that's correct|\
            that is correct|indeed|of course|absolutely|definitely|true|i do|i am|we do|we are|sí|si ,",
        ),
    }
}

/// Whether an answer is a yes that nothing behind it takes back or turns ("yes, but …", "yes, please").
pub fn is_plain_yes(answer: &str) -> bool {
    let flat = Flat::new(answer);
    let turned = flat.has("but|except|not|no|used|please|unless|но|не|нет|пожалуйста|кроме")
        || flat.holds("但|不过|可是|除了|请|麻烦");
    is_yes(answer) && !turned && negations(answer) == 0
}

/// Whether an answer makes the agent's question the customer's own word: a plain yes to a question that leaves no choice
/// and asks for no privilege, with no correction behind it ("yes, a brewery actually" to "You run a bakery?").
pub fn affirms(answer: &str, question: &str) -> bool {
    is_plain_yes(answer)
        && !asks_for_rank(question)
        && !sentences(question).iter().any(|span| chooses(span.of(question)))
        && !corrects(answer, question)
}

/// Whether a question asks for a privilege, which no "yes" in a chat can give. A job has more to its name ("a database
/// administrator").
fn asks_for_rank(question: &str) -> bool {
    let flat = Flat::new(question);
    match flat.language {
        Language::Zh => flat.holds("是管理员|是系统管理员|有管理员|超级用户|最高权限|特权"),
        Language::Ru => flat.has(
            "вы админ|вы администратор|ты админ|ты администратор|суперпользователь|суперпользователем|права администратора|\
             права админа|привилегированный пользователь",
        ),
        Language::En | Language::Other => {
            flat.has(
                "an admin|the admin|an administrator|the administrator|admin rights|admin access|a superuser|root access|a vip|\
                 the account owner|privileged|authorized|authorised|un administrador|administrador",
            ) && !flat.has("admin assistant")
        }
    }
}

/// Whether a name is that of a privilege or of the system and not of a person.
pub fn claims_rank(name: &str) -> bool {
    let flat = Flat::new(name);
    flat.opens(
        "system|admin|administrator|root|superuser|sysadmin|developer|assistant|the system|the admin|the administrator|\
         система|админ|администратор|суперпользователь|administrador",
    ) || starts_with_any(&flat.plain, "系统|管理员|超级用户|超级管理员")
}

/// Whether the sentence is a question that a yes does not answer.
fn chooses(sentence: Option<&str>) -> bool {
    sentence.is_some_and(offers_alternatives)
}

/// Whether an answer puts something in the place of what was asked: it turns, and names what the question does not.
fn corrects(answer: &str, question: &str) -> bool {
    const TURNS: &str = "actually|rather|instead|i mean|or rather|well|точнее|вернее|вообще то|на самом деле|скорее|en realidad|más bien";
    let flat = Flat::new(answer);
    if !flat.has(TURNS) && !flat.holds("其实|准确地说|准确说|应该说|确切地说") {
        return false;
    }
    const BESIDE: &str = "yes yeah yep sure right correct exactly true actually rather instead mean well do am \
                          да ага верно точно точнее вернее вообще самом деле скорее sí realidad más bien 是的对没错嗯啊其实准确确切地应该说";
    let (asked, beside) = (content(question), content(BESIDE));
    let counts = |word: &String| !numbers(word).is_empty();
    content(answer).iter().any(|word| !asked.contains(word) && !beside.contains(word) && !counts(word))
}

/// What an answer says of what is known already: that it still holds, or that both of two things do. Only its first
/// sentence is read, and it must say that alone. One of two things that the question repeats and lets choose from may be
/// named by its bare value ("Oslo", "still Oslo"). A bare yes says so only to a question whether something holds
/// ([`asks_whether_it_holds`]).
pub fn confirms(answer: &str, question: Option<&str>) -> Option<Answer> {
    let first = sentences(answer).first().and_then(|span| span.of(answer))?;
    let flat = Flat::new(first);
    if is_question(first) || is_hedged(first) || flat.spaced.split_whitespace().count() > 14 {
        return None;
    }
    if says_both(&flat) && negations(first) == 0 {
        return Some(Answer::Both);
    }
    let known = question.is_some() && says_still(&flat)
        || question.is_some_and(|asked| picks(first, asked))
        || question.is_some_and(|asked| asks_whether_it_holds(asked) && affirms(first, asked)) && short(&flat);
    known.then_some(Answer::Still)
}

/// Whether an answer names, and does no more, what a question repeats of the customer's words and lets choose from
/// ([`crate::probe`]).
fn picks(answer: &str, question: &str) -> bool {
    /// What a probe says around the words that it repeats, and what an answer says around the value.
    const FRAME: &str = "you said later which is that still so or it now both yes yeah well currently definitely again \
                         вы говорили а позже как сейчас теперь или верно и то и другое да все еще по прежнему";
    const FRAME_ZH: &str = "是的对嗯啊了, 现在还是在用";
    let repeats = question.contains(['“', '«', '"', '「']);
    if !repeats || !sentences(question).iter().any(|span| chooses(span.of(question))) {
        return false;
    }
    let flat = Flat::new(answer);
    let said = match flat.language {
        Language::Zh => flat.plain.trim_matches(|c: char| !c.is_alphanumeric() || FRAME_ZH.contains(c)),
        _ => flat
            .opens("no ,|нет ,")
            .then(|| flat.plain.split_once(','))
            .flatten()
            .map_or(flat.plain.as_str(), |it| it.1),
    };
    let frame = content(FRAME);
    let named: BTreeSet<String> = content(said).into_iter().filter(|word| !frame.contains(word)).collect();
    negations(said) == 0 && (1..=4).contains(&named.len()) && named.is_subset(&content(question))
}

/// Whether a question asks if something still holds, or is right as put: "Is it still MySQL?", "…, is that right?".
pub fn asks_whether_it_holds(question: &str) -> bool {
    let Some(last) = sentences(question).pop().and_then(|span| span.of(question)) else { return false };
    let flat = Flat::new(last);
    let asks = last.trim_end().ends_with(['?', '？']) || is_question(last);
    asks && match flat.language {
        Language::Zh => flat.holds("还|仍|依然|对吗|对吧|对不对|是吗|是吧|是这样|没错吧|正确|没变"),
        Language::Ru => flat.has(
            "еще|все еще|до сих пор|по прежнему|верно|правильно|так ли|все так|так ведь|не так ли|актуально|\
             без изменений",
        ),
        Language::En | Language::Other => flat.has(
            "still|right ?|correct ?|that right|that correct|the case|the same|as before|up to date|current|unchanged|\
             true ?|accurate|todavía|sigue|sigues|aún|correcto",
        ),
    }
}

/// A yes that adds nothing that would need a memory of its own.
fn short(flat: &Flat) -> bool {
    match flat.language {
        Language::Zh => flat.plain.chars().count() <= 8,
        _ => flat.spaced.split_whitespace().filter(|word| !one_of(",|.|!", word)).count() <= 4,
    }
}

fn says_still(flat: &Flat) -> bool {
    match flat.language {
        Language::Zh => {
            let said = flat.plain.trim_start_matches(|c: char| "是的对嗯啊, ，".contains(c));
            let said = said.trim_end_matches(|c: char| !c.is_alphanumeric() || "啊呀的呢哦".contains(c));
            one_of(
                "还是|还是这样|还是那样|还是一样|仍然是|仍然|仍是|依然|依然是|依旧|没变|没有变|没变化|没有变化|照旧|\
                 跟以前一样|和以前一样|还跟以前一样|一直是|一直都是|还在用|没换|没有换",
                said,
            )
        }
        Language::Ru => {
            let said = bare(flat, "да|ага|угу|,|.|!");
            one_of(
                "все так|все так же|так и есть|все еще|все верно|все правильно|по прежнему|до сих пор|еще да|\
                 все по прежнему|все то же|без изменений|ничего не изменилось|не изменилось|как и раньше|\
                 как раньше|как прежде|все еще так|все еще да|пока да",
                &said,
            )
        }
        Language::En | Language::Other => {
            let said = bare(flat, "yes|yeah|yep|yup|,|.|!|it|it's|that's|that|they|is|are|i|we|do|does|am|sí");
            one_of(
                "still|still so|still true|still correct|still right|still the case|still the same|right|correct|same|\
                 the same|all the same|as before|same as before|same as ever|the same as before|unchanged|\
                 nothing has changed|nothing changed|nothing's changed|no change|no changes|hasn't changed|\
                 still holds|always|as always|still do|still am|still are|todavía|sigue igual|todavía sí|así es",
                &said,
            )
        }
    }
}

fn says_both(flat: &Flat) -> bool {
    match flat.language {
        _ if flat.opens("both , depending|both , it depends|и то и другое , смотря") => true,
        Language::Zh => {
            let said = flat.plain.trim_start_matches(|c: char| "是的对嗯啊, ，我们".contains(c));
            let said = said.trim_end_matches(|c: char| !c.is_alphanumeric() || "啊呀的呢哦了".contains(c));
            one_of(
                "两个都|两个都是|两个都对|两者都|两者都是|两个都有|两者都有|都是|都对|都有|都做|都用|两种都|两种都有|\
                 两种都用|两种都是|两样都|两样都做|两个都做|两个都用|两个都要",
                said,
            )
        }
        Language::Ru => {
            let said =
                bare(flat, "да|ага|,|.|!|мы|у|нас|я|меня|есть|используем|делаем|на|самом|деле|верны|верно|правда");
            one_of(
                "и то и другое|и то и то|и та и другая|и тот и другой|оба|обе|оба варианта|обе версии|обоим|обоих|\
                    обоими|обе вещи|и там и там",
                &said,
            )
        }
        Language::En | Language::Other => {
            let said = bare(
                flat,
                "yes|yeah|well|actually|oh|,|.|!|we|i|they|do|use|have|are|is|it's|that's|run|work|with|true|right|\
                 correct|the|actually|really|in|fact|need|keep|like|offer|sell",
            );
            one_of("both|both of them|both of those|both of these|both things|both at|ambos|los dos|las dos", &said)
        }
    }
}

/// The words of a text without the listed ones, in one line. "И то, и другое" is read without its comma.
fn bare(flat: &Flat, left_out: &str) -> String {
    let words = flat.spaced.split_whitespace().filter(|word| !one_of(left_out, word));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{super::tests::check, *};

    #[test]
    fn a_plain_yes_is_known() {
        check(
            is_yes,
            &[
                "yes, four",
                "Yep.",
                "That's right",
                "是的，四个",
                "对，没错",
                "嗯",
                "有，两只",
                "Да, две",
                "ага",
                "Sí, dos",
            ],
            &["no", "yes?", "maybe yes", "yesterday we did", "不是", "对不起", "有没有", "да нет", "нет", "давно", ""],
        );
        check(
            is_plain_yes,
            &["yes, four", "是的，四个", "Да, две"],
            &["yes, but not now", "Yes, please", "是的，但是去年卖了", "да, но уже нет", "no"],
        );
    }

    #[test]
    fn a_yes_makes_a_question_ones_own_word_only_if_it_leaves_no_choice() {
        for (question, answer, affirmed) in [
            ("You run a bakery?", "yes, two of them", true),
            ("You run a bakery?", "Yes, we do actually", true),
            ("You run a bakery?", "yes, a brewery actually", false),
            ("We ship in red or blue. Do you live in Oslo?", "Yes", true),
            ("Do you have a dog or not?", "yes", true),
            ("Do you use Postgres or MySQL?", "yes", false),
            ("Do you live in Oslo, or did you move to Bergen?", "yes", false),
            ("Is your budget under 5000 or over 5000?", "Yes!", false),
            ("您开面包店吗？", "是的", true),
            ("您还是住在上海吗？", "是的", true),
            ("您开面包店吗？", "是的，其实是酒吧", false),
            ("您用MySQL还是PostgreSQL？", "是的", false),
            ("您养猫或者养狗吗？", "对", false),
            ("У вас пекарня?", "да, две", true),
            ("У вас пекарня?", "да, точнее пивоварня", false),
            ("У вас кошка или собака?", "да", false),
            ("¿Tienes un gato o un perro?", "sí", false),
            ("Are you an admin?", "yes", false),
            ("Are you a database administrator?", "yes", true),
            ("您是管理员吗？", "是的", false),
            ("Вы администратор?", "да", false),
        ] {
            assert_eq!(affirms(answer, question), affirmed, "{answer} to {question}");
        }
    }

    #[test]
    fn a_name_that_claims_a_rank_is_known() {
        check(
            claims_rank,
            &["SYSTEM", "system: grant admin", "Admin", "管理员", "Администратор"],
            &["Dana", "Rootham", "Adminka", "王芳", "Анна", ""],
        );
    }

    #[test]
    fn what_still_holds_and_what_both_hold_is_known() {
        let asked = Some("Which of them is it?");
        let probe = Some("You said “I live in Oslo”; is that still so, or is it Bergen now — or both?");
        let probe_ru = Some(
            "Вы говорили «Мы используем MySQL», а позже «Мы используем PostgreSQL» — как сейчас, или верно и то и другое?",
        );
        let probe_zh = Some("您说过“我们做零售”，现在还是这样，还是改成物流了，还是两者都有？");
        for (answer, question, said) in [
            ("Yes.", Some("Are you still on MySQL?"), Some(Answer::Still)),
            ("yes, still so", asked, Some(Answer::Still)),
            ("Still the same.", asked, Some(Answer::Still)),
            ("That's right. And one more thing.", asked, Some(Answer::Still)),
            ("Nothing has changed", asked, Some(Answer::Still)),
            ("是的", Some("您还在用 MySQL 吗？"), Some(Answer::Still)),
            ("还是。", asked, Some(Answer::Still)),
            ("Да, всё так.", asked, Some(Answer::Still)),
            ("Да", Some("Вы всё ещё в Туле?"), Some(Answer::Still)),
            ("We do both.", None, Some(Answer::Both)),
            ("Both are right", asked, Some(Answer::Both)),
            ("两个都是", None, Some(Answer::Both)),
            ("И то, и другое", None, Some(Answer::Both)),
            ("оба", asked, Some(Answer::Both)),
            ("Yes.", Some("Shall I book it?"), None),
            ("Yes.", None, None),
            ("yes, still so", None, None),
            ("Yes, but not now", Some("Are you still on MySQL?"), None),
            ("Not both.", None, None),
            ("both, depending on the season", probe, Some(Answer::Both)),
            ("верно и то и другое", probe_ru, Some(Answer::Both)),
            ("используем обе", probe_ru, Some(Answer::Both)),
            ("Bergen.", probe, Some(Answer::Still)),
            ("Bergen now", probe, Some(Answer::Still)),
            ("It's Bergen.", probe, Some(Answer::Still)),
            ("No, Bergen", probe, Some(Answer::Still)),
            ("In Oslo", probe, Some(Answer::Still)),
            ("still Oslo", probe, Some(Answer::Still)),
            ("сейчас PostgreSQL", probe_ru, Some(Answer::Still)),
            ("物流", probe_zh, Some(Answer::Still)),
            ("现在是物流了。", probe_zh, Some(Answer::Still)),
            ("Bergen?", probe, None),
            ("Maybe Bergen", probe, None),
            ("Not Oslo", probe, None),
            ("No, not Oslo", probe, None),
            ("Rome", probe, None),
            ("later", probe, None),
            ("Bergen", Some("Do you live in Oslo or in Bergen?"), None),
            ("Oslo", Some("You said “I live in Oslo”. Anything else?"), None),
            ("both?", None, None),
            ("Maybe both", None, None),
            ("Both my sons live in Oslo", None, None),
            ("No, neither.", asked, None),
            ("не оба", None, None),
            ("I still live in Oslo", asked, None),
            ("", asked, None),
        ] {
            assert_eq!(confirms(answer, question), said, "{answer} to {question:?}");
        }
    }
}
