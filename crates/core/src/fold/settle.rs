//! What an answer about what is known already comes to: it settles what is open, verifies what holds, and ends what
//! does not (requirements A10, B9).
//!
//! The answer is to a question about what was recalled for its turn. Which memories it means it says itself by their values,
//! or the question does, or else it means all that was recalled. "The first" and "the second" are read by the order in which
//! the question names two rivals; "still so" and "no longer" speak of the one said before, which is what a probe asks
//! ([`crate::probe`]). What holds no longer leaves as superseded, with nothing in its place where nothing took it: it was
//! true once, or the customer would deny it (requirements D1).

use std::collections::BTreeSet;

use super::{State, agree::Statement, draft::Ending};
use crate::{
    item::{Answer, Kind},
    observation::Observation,
    text,
};

impl<'a> State<'a> {
    /// Takes a confirmation.
    pub(super) fn confirm(&mut self, statement: &Statement<'a>) {
        let (item, why) = (statement.item(), statement.observation);
        let Some(answer) = Answer::of(&item.value) else { return };
        let recalled = self.recalled(why);
        let quote = &item.evidence.quote;
        match answer {
            Answer::Still => {
                let own = self.named(&recalled, &text::content(quote));
                let meant = match self.asked_pair(statement, &recalled) {
                    Some(pair) if own.is_empty() => vec![self.before(pair)],
                    _ if own.is_empty() => self.asked(statement, &recalled).unwrap_or(recalled),
                    _ => own,
                };
                self.hold(meant, why);
            }
            Answer::NoLonger => {
                let own = self.named(&self.with_rivals(&recalled), &text::named(quote).1);
                let pair = self.asked_pair(statement, &recalled);
                let meant = match pair {
                    Some(pair) if own.is_empty() => vec![self.before(pair)],
                    _ if own.is_empty() => self.asked(statement, &recalled).unwrap_or(recalled),
                    _ => own,
                };
                // A no about several things at once says nothing of any.
                if let [only] = meant[..] {
                    match pair {
                        Some([a, b]) if a == only || b == only => self.hold(vec![if a == only { b } else { a }], why),
                        _ => self.over(only, why),
                    }
                }
            }
            Answer::Named => {
                let meant = self.named(&self.with_rivals(&recalled), &text::named(quote).0);
                let pairs = self.rivals_among(&meant);
                match pairs.is_empty() {
                    true => self.hold(meant, why),
                    false => self.let_stand(pairs, why),
                }
            }
            Answer::First | Answer::Second => {
                if let Some([first, second]) = self.asked_pair(statement, &recalled) {
                    self.hold(vec![if answer == Answer::First { first } else { second }], why);
                }
            }
            Answer::Both => {
                let pairs = self.both(statement, recalled);
                self.let_stand(pairs, why);
            }
            Answer::Neither => {
                for place in self.asked_pair(statement, &recalled).into_iter().flatten() {
                    self.end(place, None, Ending::Superseded, why);
                }
            }
        }
    }

    /// These hold: each is verified, and of a conflict one holds instead of its rivals.
    fn hold(&mut self, meant: Vec<usize>, why: &'a Observation) {
        let (open, clear): (Vec<usize>, Vec<usize>) =
            meant.into_iter().partition(|place| self.drafts.contested(*place));
        // A yes to two values at once says nothing of either.
        if let [only] = open[..] {
            for rival in self.drafts.at(only).rivals.clone() {
                self.end(rival, Some(only), Ending::Superseded, why);
            }
            self.drafts.verify(only, &why.body.at);
        }
        clear.into_iter().for_each(|place| self.drafts.verify(place, &why.body.at));
    }

    /// It holds no longer, and nothing is known to have taken its place. What happened is not undone.
    fn over(&mut self, place: usize, why: &'a Observation) {
        if matches!(self.drafts.newest(place).item().kind, Kind::Fact | Kind::Instruction) {
            self.end(place, None, Ending::Superseded, why);
        }
    }

    /// Both of each pair hold.
    fn let_stand(&mut self, pairs: Vec<(usize, usize)>, why: &'a Observation) {
        for (a, b) in pairs {
            self.drafts.ally(a, b);
            self.drafts.verify(a, &why.body.at);
            self.drafts.verify(b, &why.body.at);
        }
    }

    /// The one of two that was said before.
    fn before(&self, [a, b]: [usize; 2]) -> usize {
        let age = |place: usize| {
            let draft = self.drafts.at(place);
            let first = draft.mentions[0];
            (draft.last().ms(), first.body.at.ms(), first.id)
        };
        if age(a) <= age(b) { a } else { b }
    }

    /// Of some memories those whose whole value a set of words names; or else the only one of whose value it names a part.
    fn named(&self, of: &[usize], words: &BTreeSet<String>) -> Vec<usize> {
        let whole: Vec<usize> =
            of.iter().copied().filter(|place| self.drafts.newest(*place).is_named_in(words)).collect();
        if !whole.is_empty() {
            return whole;
        }
        let touched = of.iter().copied().filter(|place| self.drafts.newest(*place).is_touched_by(words));
        let touched: Vec<usize> = touched.collect();
        if touched.len() == 1 { touched } else { Vec::new() }
    }

    /// Of what was recalled that which the question names, if it names any.
    fn asked(&self, confirmation: &Statement<'a>, recalled: &[usize]) -> Option<Vec<usize>> {
        let question = confirmation.item().question.as_ref()?;
        let named = self.named(recalled, &text::content(&question.quote));
        (!named.is_empty()).then_some(named)
    }

    /// The two rivals, at least one of them recalled, that the question names, in its order.
    fn asked_pair(&self, confirmation: &Statement<'a>, recalled: &[usize]) -> Option<[usize; 2]> {
        let words = text::words(&confirmation.item().question.as_ref()?.quote);
        let mut pairs = self.rivals_among(&self.with_rivals(recalled)).into_iter().filter_map(|(a, b)| {
            let (one, other) = (self.drafts.newest(a), self.drafts.newest(b));
            let (at, then) = (one.told_apart(other, &words)?, other.told_apart(one, &words)?);
            Some(if at <= then { [a, b] } else { [b, a] })
        });
        pairs.next().filter(|_| pairs.next().is_none())
    }

    /// What was recalled, and what it is in conflict with.
    fn with_rivals(&self, recalled: &[usize]) -> Vec<usize> {
        let rivals = recalled.iter().flat_map(|place| &self.drafts.at(*place).rivals);
        let all: BTreeSet<usize> = recalled.iter().chain(rivals).copied().collect();
        all.into_iter().collect()
    }

    /// The pairs in conflict among some memories, each once.
    fn rivals_among(&self, places: &[usize]) -> Vec<(usize, usize)> {
        let rivals = |a: usize| self.drafts.at(a).rivals.range(a..).map(move |b| (a, *b));
        places.iter().copied().flat_map(rivals).filter(|(_, b)| places.contains(b)).collect()
    }

    /// The rivals that "both" lets stand, in pairs: those that were recalled for the turn, or else that it names. Of a
    /// conflict of which it means but one, that one with all its rivals.
    fn both(&self, confirmation: &Statement<'a>, recalled: Vec<usize>) -> Vec<(usize, usize)> {
        let mut open = recalled;
        open.retain(|place| self.drafts.contested(*place));
        if open.is_empty() {
            let words = text::content(&confirmation.item().evidence.quote);
            open = self.drafts.all_contested();
            open.retain(|place| self.drafts.newest(*place).is_named_in(&words));
        }
        let meant: BTreeSet<usize> = open.into_iter().collect();
        let mut pairs = Vec::new();
        for a in &meant {
            let rivals = &self.drafts.at(*a).rivals;
            let among: Vec<usize> = rivals.intersection(&meant).copied().collect();
            let rivals = if among.is_empty() { rivals.iter().copied().collect() } else { among };
            pairs.extend(rivals.into_iter().map(|b| (*a, b)));
        }
        pairs
    }
}
