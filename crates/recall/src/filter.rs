//! What results have to be, besides close.

use saidso_core::{
    fold::{Memory, Status},
    item::Kind,
    text,
};

/// Which memories may come back at all. What is left empty asks for nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// One of these kinds.
    pub kinds: Vec<Kind>,
    /// In one of these slots.
    pub slots: Vec<String>,
    /// Standing so. What history alone has comes back if it is named here.
    pub statuses: Vec<Status>,
    /// Last said at this instant or later, in milliseconds since 1970.
    pub from_ms: Option<i64>,
    /// Last said before this instant, in milliseconds since 1970.
    pub until_ms: Option<i64>,
}

impl Filter {
    /// Whether it asks for something that only history has.
    pub(crate) fn of_history(&self) -> bool {
        let holds = |status: &Status| matches!(status, Status::Active | Status::ToConfirm | Status::PendingConfirm);
        self.statuses.iter().any(|status| !holds(status))
    }

    /// Whether a memory that stands so passes.
    pub(crate) fn passes(&self, memory: &Memory, status: Status) -> bool {
        fn asked<T: PartialEq<U>, U>(among: &[T], it: Option<&U>) -> bool {
            among.is_empty() || it.is_some_and(|it| among.iter().any(|asked| asked == it))
        }
        asked(&self.kinds, Some(&memory.kind))
            && asked(&self.slots, memory.slot.as_ref())
            && asked(&self.statuses, Some(&status))
            && self.said(memory.last.ms())
    }

    /// Whether raw words of that instant pass: they have no kind, no slot, and stand nowhere.
    pub(crate) fn passes_raw(&self, at_ms: i64) -> bool {
        self.kinds.is_empty() && self.slots.is_empty() && self.statuses.is_empty() && self.said(at_ms)
    }

    fn said(&self, at_ms: i64) -> bool {
        self.from_ms.is_none_or(|from| at_ms >= from) && self.until_ms.is_none_or(|until| at_ms < until)
    }
}

/// What the words of a result must contain (requirements B4): rules of the business that asks, applied last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// A number, in digits or in words.
    Number,
    /// A percentage.
    Percentage,
    /// A month or a day of the week.
    Date,
    /// All words of a text, in any form and order.
    Words(String),
}

impl Rule {
    /// Whether a text follows the rule.
    pub fn holds(&self, said: &str) -> bool {
        match self {
            Rule::Number => !text::numbers(said).is_empty(),
            Rule::Percentage => text::numbers(said).iter().any(|number| number.ends_with('%')),
            Rule::Date => !text::dates(said).is_empty(),
            Rule::Words(words) => text::content(words).is_subset(&text::content(said)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_read_three_languages() {
        for (rule, yes, no) in [
            (Rule::Percentage, ["We got 5 % off.", "折扣是百分之五。", "Скидка 5 процентов."], "We got 5 off."),
            (Rule::Number, ["I have two cats.", "我有两只猫。", "У меня две кошки."], "I have cats."),
            (Rule::Date, ["It ends in May.", "合同5月到期。", "Договор до мая."], "It ends."),
        ] {
            assert!(yes.iter().all(|said| rule.holds(said)) && !rule.holds(no), "{rule:?}");
        }
        let words = Rule::Words("contracts end".into());
        assert!(words.holds("The contract ends in May.") && !words.holds("The contract began in May."));
    }
}
