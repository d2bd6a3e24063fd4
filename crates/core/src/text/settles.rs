//! What an answer says of what is known already: that it still holds or no longer does, or which of two things holds.

use std::{collections::BTreeSet, sync::LazyLock};

use super::{
    Language,
    answer::{affirms, chooses},
    content,
    flat::{Flat, one_of},
    is_hedged, is_question, negations, sayings, sentences,
};
use crate::item::Answer;

/// Words of an answer, or of a probe ([`crate::probe`]), around what they name.
static FRAME: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    content(
        "you said later which is that still so or it now both yes yeah well currently definitely again no not longer never \
         rather instead any more anymore isn't aren't don't cannot wasn't \
         вы говорили а позже как сейчас теперь или верно и то и другое да все еще по прежнему нет не больше уже вместо",
    )
});
const FRAME_ZH: &str = "是的对嗯啊了, 现在还是在用";

/// What an answer says of what is known already. Only its first sentence is read, and it must say that alone.
///
/// Which of two things holds it says by their order ("the latter"), by a bare value that the question repeats ("Oslo",
/// "Oslo, not Bergen"; [`named`] tells the two apart), or of both ("both", "neither"). A bare yes or no says something only
/// to a question whether something holds ([`asks_whether_it_holds`]), and nothing to one that lets choose.
pub fn confirms(answer: &str, question: Option<&str>) -> Option<Answer> {
    let first = sentences(answer).first().and_then(|span| span.of(answer))?;
    let flat = Flat::new(first);
    if is_question(first) || is_hedged(first) || flat.spaced.split_whitespace().count() > 14 {
        return None;
    }
    let depends = flat.opens("both , depending|both , it depends|и то и другое , смотря");
    if depends || sayings::BOTH.is(&flat) && negations(first) == 0 {
        return Some(Answer::Both);
    }
    let question = question?;
    let choice = sentences(question).iter().any(|span| chooses(span.of(question)));
    let still = asks_if_still(question);
    if choice {
        // "Right" says nothing of two things; "still so", or "no longer", speaks of the one that was before.
        return sayings::CHOSEN
            .iter()
            .find_map(|(saying, answer)| saying.opens(&flat).then_some(*answer))
            .or_else(|| sayings::STILL.is(&flat).then_some(Answer::Still))
            .or_else(|| (still && sayings::OVER.opens(&flat)).then_some(Answer::NoLonger))
            .or_else(|| picks(first, question));
    }
    let yes = || asks_whether_it_holds(question) && affirms(first, question) && short(&flat);
    if sayings::STILL.is(&flat) || sayings::RIGHT.is(&flat) || yes() {
        Some(Answer::Still)
    } else {
        let over = || sayings::OVER.opens(&flat) || sayings::NO.is(&flat) || puts_another(first, &flat, question);
        (still && over()).then_some(Answer::NoLonger)
    }
}

/// Whether a statement says that it is so as it was: "I still live in Oslo".
pub fn reaffirms(statement: &str) -> bool {
    let flat = Flat::new(statement);
    negations(statement) == 0
        && match flat.language {
            Language::Zh => flat.holds("还是|还在|还住|还用|仍|依然|依旧|一直"),
            Language::Ru => flat.has("все еще|по прежнему|до сих пор|все так же|как и раньше"),
            Language::En | Language::Other => flat.has("still|as before|like before"),
        }
}

/// Whether an answer is a no with another value in the place of what was asked: "no, Bergen" to "still in Oslo?".
fn puts_another(answer: &str, flat: &Flat, question: &str) -> bool {
    let no = flat.opens("no ,|nope ,|нет ,|уже нет ,")
        || ["不,", "不是,", "没有,", "不，", "不是，", "没有，"].iter().any(|no| flat.plain.starts_with(no));
    let (held, denied) = named(answer);
    let asked = content(question);
    let same = flat.has("same|still|wait|why|sorry|thanks|thank you|так|все|верно|спасибо|по прежнему")
        || flat.holds("一样|还|谢谢");
    no && !same && denied.is_empty() && (1..=2).contains(&held.len()) && held.is_disjoint(&asked)
}

/// Whether an answer names, and does no more, what a question lets choose from: as what holds, or else as what does not.
fn picks(answer: &str, question: &str) -> Option<Answer> {
    let (held, denied) = named(answer);
    let asked = content(question);
    let few = (1..=4).contains(&held.len()) || held.is_empty() && (1..=4).contains(&denied.len());
    if !few || !held.is_subset(&asked) || !denied.is_subset(&asked) {
        return None;
    }
    Some(if held.is_empty() { Answer::NoLonger } else { Answer::Named })
}

/// The content words of an answer: what it names as holding, and what as not ("Oslo, not Bergen", "不是上海，是北京").
pub fn named(answer: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let flat = Flat::new(answer);
    let (mut held, mut denied) = (BTreeSet::new(), BTreeSet::new());
    match flat.language {
        Language::Zh => {
            for part in flat.plain.split([',', '.', ';', '!', '，', '。', '；', '！', '、']) {
                let (yes, no) = denied_zh(part);
                held.extend(content(yes));
                denied.extend(content(no));
            }
        }
        _ => {
            for part in spoken_parts(&flat.spaced) {
                let at = denied_from(&part);
                held.extend(content(&part[..at].join(" ")));
                denied.extend(content(&part[at..].join(" ")));
            }
        }
    }
    held.retain(|word| !FRAME.contains(word));
    denied.retain(|word| !FRAME.contains(word));
    (held, denied)
}

/// The words between marks, and between "but"s.
fn spoken_parts(spaced: &str) -> Vec<Vec<&str>> {
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.split(|word| one_of(",|.|;|:|!|(|)|but|а", word)).map(<[&str]>::to_vec).collect()
}

/// From which of its words on a part denies: "Oslo rather than Bergen". What is "no longer" so is denied as a whole.
fn denied_from(part: &[&str]) -> usize {
    const OVER: &str = "no longer|not any|any more|anymore|больше не|больше нет|уже не|уже нет";
    const NOT: &str = "not|isn't|aren't|wasn't|don't|never|cannot|rather|instead|не|вместо";
    let over = part.contains(&"anymore") || part.windows(2).any(|two| one_of(OVER, &two.join(" ")));
    match over {
        true => 0,
        false => part.iter().position(|word| one_of(NOT, word)).unwrap_or(part.len()),
    }
}

/// What a part of a Chinese answer names as holding, and what as not.
fn denied_zh<'a>(part: &'a str) -> (&'a str, &'a str) {
    const NOT: [&str; 8] = ["而不是", "不再是", "不再", "不是", "不在", "不用", "不做", "没有"];
    let bare = |text: &'a str| text.trim_matches(|c: char| !c.is_alphanumeric() || FRAME_ZH.contains(c));
    match NOT.iter().filter_map(|not| part.find(not).map(|at| (at, not.len()))).min() {
        Some((at, not)) => {
            let (yes, no) = (&part[..at], &part[at + not..]);
            // "上海不是了": what is over stands before.
            match bare(no) {
                "" => ("", bare(yes)),
                no => (bare(yes), no),
            }
        }
        None => (bare(part), ""),
    }
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

/// Whether a question asks if something is as it was before.
fn asks_if_still(question: &str) -> bool {
    let flat = Flat::new(question);
    match flat.language {
        Language::Zh => flat.holds("还|仍|依然|没变"),
        Language::Ru => flat.has("еще|все еще|до сих пор|по прежнему|актуально|без изменений"),
        Language::En | Language::Other => {
            flat.has("still|the same|as before|up to date|current|unchanged|todavía|sigue|sigues|aún")
        }
    }
}

/// A yes that adds nothing that would need a memory of its own.
fn short(flat: &Flat) -> bool {
    match flat.language {
        Language::Zh => flat.plain.chars().count() <= 8,
        _ => flat.spaced.split_whitespace().filter(|word| !one_of(",|.|!", word)).count() <= 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROBE: &str = "You said “I live in Oslo”; is that still so, or is it Bergen now — or both?";
    const PROBE_RU: &str =
        "Вы говорили «Мы используем MySQL», а позже «Мы используем PostgreSQL» — как сейчас, или верно и то и другое?";
    const PROBE_ZH: &str = "您说过“我们做零售”，现在还是这样，还是改成物流了，还是两者都有？";

    /// What was heard in each answer to a question is what is due.
    fn as_due(heard: &[(&str, &str, Option<Answer>, Option<Answer>)]) {
        let wrong: Vec<_> = heard.iter().filter(|(_, _, found, due)| found != due).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn what_holds_of_what_was_known_is_heard() {
        let mut heard = Vec::new();
        let asked = "We have it noted down.";
        let still = Some(Answer::Still);
        for (question, answer, said) in [
            ("Are you still on MySQL?", "Yes.", still),
            (asked, "yes, still so", still),
            (asked, "Still the same.", still),
            (asked, "That's right. And one more thing.", still),
            (asked, "Nothing has changed", still),
            ("您还在用 MySQL 吗？", "是的", still),
            (asked, "还是。", still),
            (asked, "Да, всё так.", still),
            ("Вы всё ещё в Туле?", "Да", still),
            ("Shall I book it?", "Yes.", None),
            ("Are you still on MySQL?", "Yes, but not now", None),
            (asked, "I still live in Oslo", None),
            (asked, "", None),
        ] {
            heard.push((answer, question, confirms(answer, Some(question)), said));
        }
        as_due(&heard);
        assert_eq!(confirms("Yes.", None), None);
        assert_eq!(confirms("yes, still so", None), None);
    }

    #[test]
    fn what_is_over_is_heard() {
        let mut heard = Vec::new();
        let over = Some(Answer::NoLonger);
        for (question, answer, said) in [
            ("Are you still on MySQL?", "No longer.", over),
            ("Are you still on MySQL?", "No, not any more", over),
            ("Are you still on MySQL?", "Not anymore, we moved", over),
            ("Are you still on MySQL?", "No.", over),
            ("您还在用 MySQL 吗？", "不用了", over),
            ("您还在用 MySQL 吗？", "已经不用了。", over),
            ("Вы всё ещё в Туле?", "уже нет", over),
            ("Вы всё ещё в Туле?", "Нет, больше нет", over),
            ("Вы всё ещё в Туле?", "Нет.", over),
            ("Do you still keep bees?", "no, hens", over),
            ("Вы всё ещё в Туле?", "Нет, в Перми.", over),
            ("您还住在上海吗？", "不，苏州", over),
            ("Do you still keep bees?", "no, still bees", None),
            ("Do you keep bees?", "no, hens", None),
            (PROBE, "no longer", over),
            (PROBE, "Not Oslo", over),
            (PROBE, "No, not Oslo", over),
            (PROBE, "No.", None),
            ("Do you want milk?", "No.", None),
            ("Is that right?", "No.", None),
            ("要袋子吗？", "不用了", None),
            ("Вам нужен чек?", "Нет", None),
            ("Are you still on MySQL?", "No idea", None),
            ("Are you still on MySQL?", "Maybe not any more", None),
            ("Are you still on MySQL?", "No longer than a year", None),
        ] {
            heard.push((answer, question, confirms(answer, Some(question)), said));
        }
        as_due(&heard);
    }

    #[test]
    fn which_of_two_holds_is_heard() {
        let mut heard = Vec::new();
        use Answer::{Both, First, Named, Neither, NoLonger, Second, Still};
        for (question, answer, said) in [
            (PROBE, "both, depending on the season", Some(Both)),
            (PROBE_RU, "верно и то и другое", Some(Both)),
            (PROBE_RU, "используем обе", Some(Both)),
            (PROBE, "Bergen.", Some(Named)),
            (PROBE, "Bergen now", Some(Named)),
            (PROBE, "It's Bergen.", Some(Named)),
            (PROBE, "No, Bergen", Some(Named)),
            (PROBE, "In Oslo", Some(Named)),
            (PROBE, "still Oslo", Some(Named)),
            (PROBE, "Bergen, not Oslo", Some(Named)),
            (PROBE, "Not Oslo, Bergen.", Some(Named)),
            (PROBE, "not Oslo but Bergen", Some(Named)),
            (PROBE, "Bergen rather than Oslo", Some(Named)),
            (PROBE, "Oslo no longer", Some(NoLonger)),
            (PROBE_RU, "сейчас PostgreSQL", Some(Named)),
            (PROBE_RU, "PostgreSQL, а не MySQL", Some(Named)),
            (PROBE_RU, "не MySQL, а PostgreSQL", Some(Named)),
            (PROBE_ZH, "物流", Some(Named)),
            (PROBE_ZH, "现在是物流了。", Some(Named)),
            (PROBE_ZH, "不是零售，是物流", Some(Named)),
            (PROBE_ZH, "物流，不是零售了。", Some(Named)),
            (PROBE_ZH, "零售不做了", Some(NoLonger)),
            ("Do you live in Oslo or in Bergen?", "Bergen", Some(Named)),
            (PROBE, "Yes, still so.", Some(Still)),
            (PROBE, "the same as before", Some(Still)),
            (PROBE_ZH, "还是这样。", Some(Still)),
            (PROBE_RU, "По-прежнему", Some(Still)),
            (PROBE, "the latter", Some(Second)),
            (PROBE, "The second one.", Some(Second)),
            (PROBE, "It's the second one now", Some(Second)),
            (PROBE, "the latter, we moved in May", Some(Second)),
            (PROBE, "the first", Some(First)),
            (PROBE, "Still the first one, please", Some(First)),
            (PROBE, "The former.", Some(First)),
            (PROBE_ZH, "后者", Some(Second)),
            (PROBE_ZH, "是第一个", Some(First)),
            (PROBE_ZH, "第二个，刚换的", Some(Second)),
            (PROBE_RU, "второе", Some(Second)),
            (PROBE_RU, "Первое верно", Some(First)),
            (PROBE_RU, "последнее", Some(Second)),
            (PROBE, "Neither.", Some(Neither)),
            (PROBE, "No, neither of them", Some(Neither)),
            (PROBE_ZH, "都不是", Some(Neither)),
            (PROBE_RU, "Ни то, ни другое", Some(Neither)),
            (PROBE, "Bergen?", None),
            (PROBE, "Maybe Bergen", None),
            (PROBE, "maybe the latter", None),
            (PROBE, "the latter?", None),
            (PROBE, "the latter, but only in summer", None),
            (PROBE, "First, I need a new card", None),
            (PROBE, "Rome", None),
            (PROBE, "later", None),
            (PROBE, "right", None),
            (PROBE, "Yes.", None),
            (PROBE, "Not both.", None),
            (PROBE_ZH, "是的", None),
            ("You said “I live in Oslo”. Anything else?", "Oslo", None),
            ("Anything else?", "the second one", None),
            ("Anything else?", "neither", None),
        ] {
            heard.push((answer, question, confirms(answer, Some(question)), said));
        }
        as_due(&heard);
        for (answer, said) in [
            ("We do both.", Some(Both)),
            ("两个都是", Some(Both)),
            ("И то, и другое", Some(Both)),
            ("оба", Some(Both)),
            ("both?", None),
            ("Maybe both", None),
            ("Both my sons live in Oslo", None),
            ("не оба", None),
            ("the latter", None),
        ] {
            assert_eq!(confirms(answer, None), said, "{answer}");
        }
    }
}
