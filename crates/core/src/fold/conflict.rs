//! What another value of the same thing comes to (requirements A10), and how the customer's word settles it.
//!
//! In this order: a stated change, or the opposite of what stands, supersedes it. Another qualifier lets both stand; so
//! does naming both in one message, unless the second is said to be a change: people know what they said a moment ago. Of
//! values said more than [`super::Rules::conflict_days`] apart the later one holds and the earlier is archived: that is so
//! too for an old statement that is heard late. A value in vaguer or finer words ("Flask", "Flask 2.3") contradicts nothing.
//! What is left is a true conflict, and both wait for the customer:
//!
//! - who restates one of them, after any of them was recalled or with a plain yes to a question, means that one, and who
//!   states a third one after both were recalled means that;
//! - an answer to the question about them settles it ([`super::settle`]).

use std::rc::Rc;

use super::{
    State,
    agree::{Clash, Precision, Statement},
    draft::{Ended, Ending},
};
use crate::{decay::DAY_MS, item::Kind, observation::Observation, text};

/// What becomes of a standing memory when something is said that it clashes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It gives way.
    Ends(Ending),
    /// Both hold.
    Together,
    /// Which holds is open.
    Contested,
    /// Nothing yet: the message goes on to speak of it.
    Later,
}

impl<'a> State<'a> {
    /// What becomes of all that a statement clashes with. It goes into `same`, or is the first of its memory. What is only
    /// said back changes nothing, but for a conflict that it settles.
    pub(super) fn verdicts(
        &self,
        statement: &Statement<'a>,
        same: Option<usize>,
        echo: bool,
        before: &[Rc<Statement<'a>>],
        after: &[Rc<Statement<'a>>],
    ) -> Vec<(usize, Verdict)> {
        let competing = match same {
            Some(place) if echo => self.drafts.at(place).rivals.iter().copied().collect(),
            _ => self.index.competing(statement),
        };
        let others = competing.into_iter().filter(|place| Some(*place) != same);
        let clashing = others.filter_map(|place| {
            let clash = statement.clash(self.drafts.newest(place)).or(echo.then_some(Clash::Values));
            clash.map(|clash| (place, clash))
        });
        clashing.map(|(place, clash)| (place, self.verdict(statement, same, place, clash, before, after))).collect()
    }

    fn verdict(
        &self,
        statement: &Statement<'a>,
        same: Option<usize>,
        old: usize,
        clash: Clash,
        before: &[Rc<Statement<'a>>],
        after: &[Rc<Statement<'a>>],
    ) -> Verdict {
        let standing = self.drafts.at(old);
        let says_old = |other: &&Rc<Statement<'a>>| other.repeats(&standing.newest);
        if clash == Clash::Opposite {
            return Verdict::Ends(Ending::Superseded);
        }
        if statement.item().changed {
            // "We've moved to this and that": one change to both.
            let one_change = |other: &Rc<Statement<'a>>| other.item().changed && statement.shares_words(other);
            return match before.iter().find(says_old) {
                Some(other) if one_change(other) => Verdict::Together,
                _ => Verdict::Ends(Ending::Superseded),
            };
        }
        if let Some(other) = after.iter().find(says_old) {
            return if other.item().changed { Verdict::Later } else { Verdict::Together };
        }
        let together = same.is_some_and(|same| standing.allies.contains(&same));
        if together || before.iter().any(|other| other.repeats(&standing.newest)) {
            return Verdict::Together;
        }
        if same.is_some_and(|same| standing.rivals.contains(&same) && self.answers(statement, same)) {
            return Verdict::Ends(Ending::Superseded);
        }
        let apart = statement.observation.body.at.ms() - standing.last().ms();
        let long_after = apart > i64::from(self.rules.conflict_days) * DAY_MS;
        match statement.precision(&standing.newest) {
            Precision::Vaguer => Verdict::Together,
            _ if long_after => Verdict::Ends(Ending::Archived),
            Precision::Finer => Verdict::Together,
            Precision::Apart if self.asked_about(statement, old) => Verdict::Ends(Ending::Superseded),
            Precision::Apart => Verdict::Contested,
        }
    }

    /// Whether the customer was just told that a memory and one of its rivals cannot both hold.
    fn asked_about(&self, statement: &Statement<'a>, contested: usize) -> bool {
        let recalled = self.recalled(statement.observation);
        let rivals = &self.drafts.at(contested).rivals;
        recalled.contains(&contested) && recalled.iter().any(|place| rivals.contains(place))
    }

    /// Whether restating a contested memory settles it: the customer was just told of the conflict, or said yes to it.
    fn answers(&self, statement: &Statement<'a>, contested: usize) -> bool {
        let rivals = &self.drafts.at(contested).rivals;
        let recalled = self.recalled(statement.observation);
        statement.item().question.is_some()
            || recalled.iter().any(|place| *place == contested || rivals.contains(place))
    }

    /// Does what was decided about others than `place`, because of an observation.
    pub(super) fn apply(&mut self, place: usize, verdicts: Vec<(usize, Verdict)>, why: &'a Observation, echo: bool) {
        let contested = self.drafts.contested(place);
        for (old, verdict) in verdicts {
            match verdict {
                Verdict::Ends(how) => self.end(old, Some(place), how, why),
                Verdict::Together => self.drafts.ally(old, place),
                Verdict::Contested => self.drafts.contest(old, place),
                Verdict::Later => {}
            }
        }
        // A yes to the agent's question says it back and that it holds; so does "I still …", but for what is to be done.
        let item = &why.body.item;
        let reaffirms = || item.kind != Kind::Task && text::reaffirms(&item.text);
        if echo && (contested || item.question.is_some() || reaffirms()) {
            self.drafts.verify(place, &why.body.at);
        }
    }

    /// Makes history of a memory; `by`: what took its place, if anything did.
    pub(super) fn end(&mut self, old: usize, by: Option<usize>, how: Ending, why: &'a Observation) {
        self.drafts.end(old, Ended { by, at: &why.body.at, how });
        self.index.remove(old);
    }
}
