//! What is expected after a step, held against what is there.

use std::time::Duration;

use saidso_core::{
    fault::Fault,
    fold::Status,
    item::Drop,
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
use crate::stand::GENERATION;

/// Far more than anything takes here; what takes longer has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// Everything about a step that is not as expected.
pub fn step(house: &House, play: &mut Play<'_>, step: &Step) -> Vec<String> {
    let scope = house.scope(play.scenario, &play.space(step));
    if let Err(wrong) = seen(house, &scope) {
        return vec![wrong];
    }
    let mut look = Look { house, play, step, scope };
    let parts =
        [Look::remembered, Look::drops, Look::answer, Look::read_backs, Look::sessions, Look::nowhere, Look::exports];
    parts.iter().flat_map(|part| part(&mut look).unwrap_or_else(|fault| vec![fault])).collect()
}

/// Recall follows what is stored a little behind: waits until it is there.
fn seen(house: &House, scope: &Scope) -> Result<(), String> {
    let Some(applied) = house.stand.ports.store.applied(scope, GENERATION).map_err(fault)? else { return Ok(()) };
    match house.recall.wait(scope, applied, PATIENCE).map_err(fault)? {
        true => Ok(()),
        false => Err("recall does not see what is stored".to_owned()),
    }
}

/// A step that is looked at.
struct Look<'a, 'p> {
    house: &'a House,
    play: &'a mut Play<'p>,
    step: &'a Step,
    scope: Scope,
}

type Wrong = Result<Vec<String>, String>;

impl Look<'_, '_> {
    fn remembered(&mut self) -> Wrong {
        let Step { memories, history, .. } = self.step;
        if memories.is_none() && history.is_none() {
            return Ok(Vec::new());
        }
        let all = self.house.recall.memories(&self.scope, true).map_err(fault)?;
        let stands = |status| matches!(status, Status::Active | Status::ToConfirm | Status::PendingConfirm);
        let (now, past): (Vec<_>, Vec<_>) = all.iter().cloned().partition(|memory| stands(memory.status));
        let mut wrong = Vec::new();
        for (name, expected, found, status) in
            [("memories", memories, now, Some(Status::Active)), ("history", history, past, None)]
        {
            let Some(expected) = expected else { continue };
            let views = View::of_memories(&found, &all);
            let whole = expected.len() == views.len();
            match named(self.play, name, expected, &views, status) {
                None if !whole => wrong.push(format!("{name}: {} are expected{}", expected.len(), list(&views))),
                other => wrong.extend(other),
            }
        }
        Ok(wrong)
    }

    fn drops(&mut self) -> Wrong {
        let Some(expected) = &self.step.drops else { return Ok(Vec::new()) };
        let turns = self.house.recall.drops(&self.scope).map_err(fault)?;
        let mut found: Vec<Drop> = turns.into_iter().flat_map(|turn| turn.drops).collect();
        let fits =
            |expected: &Dropped, drop: &Drop| drop.reason == expected.reason && holds(&drop.quote, &expected.quote);
        let missing = without(&mut found, expected, fits);
        let right = missing.is_empty() && found.is_empty();
        Ok(wrong(right, || format!("drops: there is no {missing:?}, and nobody expects {found:?}")))
    }

    fn answer(&mut self) -> Wrong {
        let Some(query) = &self.step.ask else { return Ok(Vec::new()) };
        let step = self.step;
        let as_of = step.as_of.as_ref().map(|at| at.to_string().parse::<jiff::Timestamp>()).transpose();
        let as_of = as_of.map_err(|error| format!("as_of is no time with an offset: {error}"))?;
        let question = Question {
            query: query.clone(),
            session: step.session.clone(),
            history: step.with_history,
            as_of: as_of.map(|at| AsOf::Time(at.as_millisecond())),
            ..Question::default()
        };
        let answer = self.house.recall.answer(&self.scope, &question).map_err(|error| error.to_string())?;
        let views: Vec<View> = answer.memories.iter().map(View::of_result).collect();
        let mut wrong = Vec::new();
        if step.empty.is_some_and(|empty| empty != answer.empty) {
            wrong.push(format!("the answer's empty is {}{}", answer.empty, list(&views)));
        }
        for words in &step.hides {
            let saying = views.iter().find(|view| view.says(words));
            wrong.extend(saying.map(|view| format!("a result says {words:?}: {view}")));
        }
        let offered = answer.probe.as_ref().map(|probe| probe.text.as_str());
        let as_expected = |words: &Vec<String>| match offered {
            Some(text) => !words.is_empty() && words.iter().all(|word| holds(text, word)),
            None => words.is_empty(),
        };
        if let Some(words) = step.probe.as_ref().filter(|words| !as_expected(words)) {
            wrong.push(format!("the answer offers to ask {offered:?} and not for {words:?}"));
        }
        wrong.extend(named(self.play, "finds", &step.finds, &views, Some(Status::Active)));
        Ok(wrong)
    }

    /// Takes what waits to be read back, and compares it.
    fn read_backs(&mut self) -> Wrong {
        let Some(expected) = &self.step.read_backs else { return Ok(Vec::new()) };
        let door = &self.house.door;
        let mut found = Vec::new();
        for pending in door.pending(&self.scope).map_err(fault)? {
            found.extend(door.read(&self.scope, pending.turn).map_err(fault)?);
        }
        let shown = format!("{found:?}");
        let fits = |expected: &ReadBack, found: &Found| {
            let mut texts: Vec<&str> = found.gone.iter().map(|gone| gone.text.as_str()).collect();
            let missing = without(&mut texts, &expected.texts, |words, text| holds(text, words));
            missing.is_empty()
                && texts.is_empty()
                && expected.more.is_none_or(|more| more == found.left)
                && expected.erase.is_none_or(|erase| erase == found.everything)
        };
        let right = without(&mut found, expected, fits).is_empty() && found.is_empty();
        Ok(wrong(right, || format!("read_backs: {expected:?} are expected, and there are {shown}")))
    }

    fn sessions(&mut self) -> Wrong {
        let Some(expected) = &self.step.sessions else { return Ok(Vec::new()) };
        let found = self.house.recall.sessions(&self.scope, limits::SESSIONS).map_err(|error| error.to_string())?;
        Ok(sessions::differ(expected, &found).into_iter().collect())
    }

    fn nowhere(&mut self) -> Wrong {
        let words = &self.step.nowhere;
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let everything = everything(self.house, &self.scope, words)?;
        let places = words.iter().flat_map(|words| everything.iter().map(move |(place, text)| (words, place, text)));
        let standing = places.filter(|(words, _, text)| holds(text, words));
        Ok(standing.map(|(words, place, text)| format!("{words:?} still stands in {place}: {text}")).collect())
    }

    fn exports(&mut self) -> Wrong {
        let Step { keep_export, same_export, .. } = self.step;
        if keep_export.is_none() && same_export.is_none() {
            return Ok(Vec::new());
        }
        let now = self.house.recall.export(&self.scope).map_err(fault)?;
        if let Some(name) = keep_export {
            self.play.exports.insert(name.clone(), now.clone());
        }
        let Some(name) = same_export else { return Ok(Vec::new()) };
        let kept = self.play.exports.get(name).ok_or_else(|| format!("no export before this is kept as {name:?}"))?;
        let lines = |export: &[String]| export.join("\n    ");
        Ok(wrong(*kept == now, || {
            format!("the export has changed from\n    {}\n  to\n    {}", lines(kept), lines(&now))
        }))
    }
}

fn fault(fault: Fault) -> String {
    fault.to_string()
}

fn wrong(right: bool, what: impl FnOnce() -> String) -> Vec<String> {
    if right { Vec::new() } else { vec![what()] }
}

/// Takes one of `found` away for each expected one that it fits; answers the expected ones that none fits.
fn without<'a, E, F>(found: &mut Vec<F>, expected: &'a [E], fits: impl Fn(&E, &F) -> bool) -> Vec<&'a E> {
    let missing = expected.iter().filter(|expected| {
        let at = found.iter().position(|found| fits(expected, found));
        at.map(|at| found.remove(at)).is_none()
    });
    missing.collect()
}

/// What of the expected ones is not there. Otherwise gives those that are called by a name that name.
fn named(
    play: &mut Play<'_>,
    list_name: &str,
    expected: &[Expected],
    views: &[View],
    status: Option<Status>,
) -> Option<String> {
    match assign(expected, views, status) {
        Some(of) => {
            for (expected, view) in expected.iter().zip(of) {
                if let Some(name) = &expected.called {
                    play.called.insert(name.clone(), views[view].id.clone());
                }
            }
            None
        }
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
    let Some(key) = house.stand.ports.keys.key(scope, row.sealed.key).map_err(fault)? else { return Ok(None) };
    let place = Place { scope, id: *row.turn.as_bytes(), generation: Generation::ALL, field: Field::Turn };
    let turn: Turn = seal::open(&key, place, &row.sealed).map_err(fault)?;
    let texts = turn.body.messages.iter().map(|message| message.text.as_str()).chain(turn.body.question.as_deref());
    Ok(Some(texts.collect::<Vec<_>>().join(" / ")))
}
