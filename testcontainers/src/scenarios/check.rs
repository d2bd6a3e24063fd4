//! What is expected after a step, held against what is there.

use saidso_core::{
    fold::Status,
    limits,
    ports::TurnRow,
    retract::ReadBack as Found,
    scope::Scope,
    seal::{self, Field, Generation, Place},
    turn::Turn,
};
use saidso_recall::{AsOf, Question};

use super::{
    format::{Dropped, Expected, ReadBack, Step},
    house::House,
    play::Play,
    sessions,
    view::{View, assign, holds},
};

/// Everything about a step that is not as expected.
pub fn step(house: &House, play: &mut Play<'_>, step: &Step) -> Vec<String> {
    let scope = house.scope(play.scenario, &play.space(step));
    match expectations(house, play, step, &scope) {
        Ok(wrong) => wrong,
        Err(fault) => vec![fault],
    }
}

fn expectations(house: &House, play: &mut Play<'_>, step: &Step, scope: &Scope) -> Result<Vec<String>, String> {
    let recall = &house.recall;
    let mut wrong = Vec::new();
    if step.memories.is_some() || step.history.is_some() {
        let all = recall.memories(scope, true).map_err(|fault| fault.to_string())?;
        let stands = |status| matches!(status, Status::Active | Status::ToConfirm | Status::PendingConfirm);
        let (now, past): (Vec<_>, Vec<_>) = all.iter().cloned().partition(|memory| stands(memory.status));
        let mut listed = |name: &str, expected: &Option<Vec<Expected>>, memories, status| {
            let Some(expected) = expected else { return };
            let views = View::of_memories(memories, &all);
            wrong.extend(named(play, name, expected, &views, status, true));
        };
        listed("memories", &step.memories, &now, Some(Status::Active));
        listed("history", &step.history, &past, None);
    }
    if let Some(expected) = &step.drops {
        let turns = recall.drops(scope).map_err(|fault| fault.to_string())?;
        let mut found: Vec<_> = turns.into_iter().flat_map(|turn| turn.drops).collect();
        let missing: Vec<&Dropped> = expected
            .iter()
            .filter(|expected| {
                let at =
                    found.iter().position(|drop| drop.reason == expected.reason && holds(&drop.quote, &expected.quote));
                at.map(|at| found.remove(at)).is_none()
            })
            .collect();
        if !missing.is_empty() || !found.is_empty() {
            wrong.push(format!("drops: there is no {missing:?}, and nobody expects {found:?}"));
        }
    }
    if let Some(query) = &step.ask {
        let as_of = step.as_of.as_ref().map(|at| at.to_string().parse::<jiff::Timestamp>()).transpose();
        let as_of = as_of.map_err(|error| format!("as_of is no time with an offset: {error}"))?;
        let question = Question {
            query: query.clone(),
            session: step.session.clone(),
            history: step.with_history,
            as_of: as_of.map(|at| AsOf::Time(at.as_millisecond())),
            ..Question::default()
        };
        let answer = recall.answer(scope, &question).map_err(|error| error.to_string())?;
        let views: Vec<View> = answer.memories.iter().map(View::of_result).collect();
        if step.empty.is_some_and(|empty| empty != answer.empty) {
            wrong.push(format!("the answer's empty is {}{}", answer.empty, list(&views)));
        }
        for words in &step.hides {
            if let Some(view) = views.iter().find(|view| view.says(words)) {
                wrong.push(format!("a result says {words:?}: {view}"));
            }
        }
        if let Some(words) = &step.probe {
            let offered = answer.probe.as_ref().map(|probe| probe.text.as_str());
            let right = match offered {
                Some(text) => !words.is_empty() && words.iter().all(|word| holds(text, word)),
                None => words.is_empty(),
            };
            if !right {
                wrong.push(format!("the answer offers to ask {offered:?} and not for {words:?}"));
            }
        }
        wrong.extend(named(play, "finds", &step.finds, &views, Some(Status::Active), false));
    }
    if let Some(expected) = &step.read_backs {
        wrong.extend(read_backs(house, scope, expected)?);
    }
    if let Some(expected) = &step.sessions {
        let found = recall.sessions(scope, limits::SESSIONS).map_err(|error| error.to_string())?;
        wrong.extend(sessions::differ(expected, &found));
    }
    if !step.nowhere.is_empty() {
        let everything = everything(house, scope, &step.nowhere)?;
        for words in &step.nowhere {
            let places = everything.iter().filter(|(_, text)| holds(text, words));
            wrong.extend(places.map(|(place, text)| format!("{words:?} still stands in {place}: {text}")));
        }
    }
    let export = || recall.export(scope).map_err(|fault| fault.to_string());
    if let Some(name) = &step.keep_export {
        play.exports.insert(name.clone(), export()?);
    }
    if let Some(name) = &step.same_export {
        let kept = play.exports.get(name).ok_or_else(|| format!("no export before this is kept as {name:?}"))?;
        let now = export()?;
        if *kept != now {
            wrong.push(format!(
                "the export has changed from\n    {}\n  to\n    {}",
                kept.join("\n    "),
                now.join("\n    ")
            ));
        }
    }
    Ok(wrong)
}

/// Takes what waits to be read back, and compares it.
fn read_backs(house: &House, scope: &Scope, expected: &[ReadBack]) -> Result<Option<String>, String> {
    let fault = |fault: saidso_core::fault::Fault| fault.to_string();
    let mut found = Vec::new();
    for pending in house.door.pending(scope).map_err(fault)? {
        found.extend(house.door.read(scope, pending.turn).map_err(fault)?);
    }
    let fits = |expected: &ReadBack, found: &Found| {
        let mut texts: Vec<&str> = found.gone.iter().map(|gone| gone.text.as_str()).collect();
        let all = expected.texts.iter().all(|words| {
            let at = texts.iter().position(|text| holds(text, words));
            at.map(|at| texts.remove(at)).is_some()
        });
        all && texts.is_empty()
            && expected.more.is_none_or(|more| more == found.left)
            && expected.erase.is_none_or(|erase| erase == found.everything)
    };
    let mut left: Vec<&Found> = found.iter().collect();
    let all = expected.iter().all(|expected| {
        let at = left.iter().position(|found| fits(expected, found));
        at.map(|at| left.remove(at)).is_some()
    });
    Ok((!all || !left.is_empty()).then(|| format!("read_backs: {expected:?} are expected, and there are {found:?}")))
}

/// Compares a list, and gives its members the names they are called by. `whole`: nothing else may be there.
fn named(
    play: &mut Play<'_>,
    list_name: &str,
    expected: &[Expected],
    views: &[View],
    status: Option<Status>,
    whole: bool,
) -> Option<String> {
    match assign(expected, views, status) {
        Some(of) if !whole || views.len() == expected.len() => {
            for (expected, view) in expected.iter().zip(of) {
                if let Some(name) = &expected.called {
                    play.called.insert(name.clone(), views[view].id.clone());
                }
            }
            None
        }
        Some(_) => Some(format!("{list_name}: {} are expected{}", expected.len(), list(views))),
        None => {
            let none = expected.iter().enumerate().filter_map(|(index, expected)| {
                let mut ways: Vec<Vec<String>> = views.iter().map(|view| view.differs(expected, status)).collect();
                ways.sort_by_key(Vec::len);
                match ways.first() {
                    Some(nearest) if nearest.is_empty() => None,
                    Some(nearest) => {
                        Some(format!("no. {} is not there; of the nearest: {}", index + 1, nearest.join("; ")))
                    }
                    None => Some(format!("no. {} is not there", index + 1)),
                }
            });
            let none: Vec<String> = none.collect();
            let none = if none.is_empty() { "two of them are one".to_owned() } else { none.join("\n    ") };
            Some(format!("{list_name}: {none}{}", list(views)))
        }
    }
}

fn list(views: &[View]) -> String {
    let lines: String = views.iter().map(|view| format!("\n    {view}")).collect();
    if lines.is_empty() { ", and there is nothing".to_owned() } else { format!("\n  found:{lines}") }
}

/// All the text there is of a space, with the name of its place.
fn everything(house: &House, scope: &Scope, words: &[String]) -> Result<Vec<(&'static str, String)>, String> {
    let fault = |fault: saidso_core::fault::Fault| fault.to_string();
    let mut all = Vec::new();
    all.extend(house.recall.export(scope).map_err(fault)?.into_iter().map(|line| ("the export", line)));
    all.extend(house.recall.drops(scope).map_err(fault)?.iter().map(|turn| ("the drops", json(turn))));
    let sessions = house.recall.sessions(scope, limits::SESSIONS).map_err(|error| error.to_string())?;
    all.extend(sessions.iter().map(|session| ("a session", format!("{session:?}"))));
    for row in house.stand.ports.store.turns(scope).map_err(fault)? {
        all.extend(stored(house, scope, &row)?.map(|turn| ("a stored turn", turn)));
    }
    for query in words {
        let question = Question { query: query.clone(), history: true, ..Question::default() };
        let answer = house.recall.answer(scope, &question).map_err(|error| error.to_string())?;
        all.push(("an answer", json(&answer)));
    }
    Ok(all)
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("answers and drops serialise")
}

/// A turn as it is kept, if its key is.
fn stored(house: &House, scope: &Scope, row: &TurnRow) -> Result<Option<String>, String> {
    let fault = |fault: saidso_core::fault::Fault| fault.to_string();
    let Some(key) = house.stand.ports.keys.key(scope, row.sealed.key).map_err(fault)? else { return Ok(None) };
    let place = Place { scope, id: *row.turn.as_bytes(), generation: Generation::ALL, field: Field::Turn };
    let turn: Turn = seal::open(&key, place, &row.sealed).map_err(fault)?;
    let texts = turn.body.messages.iter().map(|message| message.text.as_str()).chain(turn.body.question.as_deref());
    Ok(Some(texts.collect::<Vec<_>>().join(" / ")))
}
