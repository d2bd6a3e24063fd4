//! What a question's results are worth. Pure.

use std::collections::BTreeSet;

use serde::Serialize;

use super::set::Wanted;

/// How many results recall is measured over.
pub const DEPTHS: [usize; 3] = [5, 10, 20];
/// Results an agent takes unless it asks for more: what traps are looked for in.
pub const TOP: usize = DEPTHS[0];

/// Sums over questions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    answerable: usize,
    recall: [f64; DEPTHS.len()],
    reciprocal: f64,
    falsely_empty: usize,
    unanswerable: usize,
    rightly_empty: usize,
    trapped: usize,
}

impl Tally {
    /// Counts one answer: for each result, best first, the messages it quotes.
    pub fn count(&mut self, wanted: &Wanted, results: &[Vec<String>]) {
        let holds = |result: &Vec<String>, docs: &BTreeSet<String>| result.iter().any(|doc| docs.contains(doc));
        match wanted {
            Wanted::Docs(docs) => {
                self.answerable += 1;
                self.falsely_empty += usize::from(results.is_empty());
                for (recall, depth) in self.recall.iter_mut().zip(DEPTHS) {
                    let found: BTreeSet<&String> =
                        results.iter().take(depth).flatten().filter(|doc| docs.contains(*doc)).collect();
                    *recall += found.len() as f64 / docs.len() as f64;
                }
                let first = results.iter().position(|result| holds(result, docs));
                self.reciprocal += first.map_or(0.0, |at| 1.0 / (at + 1) as f64);
            }
            Wanted::Nothing { traps } => {
                self.unanswerable += 1;
                self.rightly_empty += usize::from(results.is_empty());
                self.trapped += usize::from(results.iter().take(TOP).any(|result| holds(result, traps)));
            }
        }
    }

    /// Adds the sums of other questions.
    pub fn add(&mut self, other: &Self) {
        self.answerable += other.answerable;
        self.recall.iter_mut().zip(other.recall).for_each(|(sum, more)| *sum += more);
        self.reciprocal += other.reciprocal;
        self.falsely_empty += other.falsely_empty;
        self.unanswerable += other.unanswerable;
        self.rightly_empty += other.rightly_empty;
        self.trapped += other.trapped;
    }

    /// The means.
    pub fn figures(&self) -> Figures {
        let mean = |sum: f64, of: usize| (of > 0).then(|| sum / of as f64);
        let [at_5, at_10, at_20] = self.recall.map(|sum| mean(sum, self.answerable));
        Figures {
            answerable: self.answerable,
            recall_at_5: at_5,
            recall_at_10: at_10,
            recall_at_20: at_20,
            mrr: mean(self.reciprocal, self.answerable),
            falsely_empty: mean(self.falsely_empty as f64, self.answerable),
            unanswerable: self.unanswerable,
            rightly_empty: mean(self.rightly_empty as f64, self.unanswerable),
            traps_in_top_5: mean(self.trapped as f64, self.unanswerable),
        }
    }
}

/// Means over questions; `None` over none.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Questions that something which was said answers.
    pub answerable: usize,
    /// The share of the evidence that the first five results quote.
    pub recall_at_5: Option<f64>,
    /// The same of ten.
    pub recall_at_10: Option<f64>,
    /// The same of twenty.
    pub recall_at_20: Option<f64>,
    /// One by the rank of the first result that quotes evidence, 0 if none of twenty does.
    pub mrr: Option<f64>,
    /// The share of the answerable that came back empty.
    pub falsely_empty: Option<f64>,
    /// Questions that nothing which was said answers.
    pub unanswerable: usize,
    /// The share of those that came back empty.
    pub rightly_empty: Option<f64>,
    /// The share of those with a message that only seems to answer among the first five results.
    pub traps_in_top_5: Option<f64>,
}

/// Nearest-rank percentiles.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Percentiles {
    /// Values.
    pub n: usize,
    /// Half are at most this.
    pub p50: f64,
    /// 95 in a hundred are.
    pub p95: f64,
    /// 99 in a hundred are.
    pub p99: f64,
}

impl Percentiles {
    /// Of some values; none have none.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let n = values.len();
        let rank = |hundredths: usize| values.get((n * hundredths).div_ceil(100).saturating_sub(1)).copied();
        Some(Self { n, p50: rank(50)?, p95: rank(95)?, p99: rank(99)? })
    }
}

/// The tokens of a text as models of many languages count them, about: a character of Chinese, Japanese or Korean is one,
/// and four of any other script are one.
pub fn tokens(text: &str) -> usize {
    let dense = |c: &char| matches!(*c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}');
    let (all, dense) = (text.chars().count(), text.chars().filter(dense).count());
    dense + (all - dense).div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn docs(ids: &[&str]) -> BTreeSet<String> {
        ids.iter().map(|id| (*id).to_owned()).collect()
    }

    fn results(results: &[&[&str]]) -> Vec<Vec<String>> {
        results.iter().map(|ids| ids.iter().map(|id| (*id).to_owned()).collect()).collect()
    }

    fn figures(wanted: &Wanted, found: &[&[&str]]) -> Figures {
        let mut tally = Tally::default();
        tally.count(wanted, &results(found));
        tally.figures()
    }

    #[test]
    fn evidence_counts_once_and_the_first_result_that_quotes_it_ranks() {
        let found =
            figures(&Wanted::Docs(docs(&["a", "b", "c"])), &[&["x"], &["a", "y"], &["a"], &["x"], &["b"], &["c"]]);
        assert_eq!(found.recall_at_5, Some(2.0 / 3.0));
        assert_eq!(found.recall_at_10, Some(1.0));
        assert_eq!((found.mrr, found.falsely_empty), (Some(0.5), Some(0.0)));
        assert_eq!((found.unanswerable, found.rightly_empty, found.traps_in_top_5), (0, None, None));
    }

    #[test]
    fn an_empty_answer_is_wrong_or_right_by_what_was_wanted() {
        let wrong = figures(&Wanted::Docs(docs(&["a"])), &[]);
        assert_eq!((wrong.falsely_empty, wrong.recall_at_20, wrong.mrr), (Some(1.0), Some(0.0), Some(0.0)));
        let nothing = Wanted::Nothing { traps: docs(&["a"]) };
        let right = figures(&nothing, &[]);
        assert_eq!((right.rightly_empty, right.traps_in_top_5, right.mrr), (Some(1.0), Some(0.0), None));
        assert_eq!(figures(&nothing, &[&["x"], &["a"]]).traps_in_top_5, Some(1.0));
        let sixth = figures(&nothing, &[&["1"], &["2"], &["3"], &["4"], &["5"], &["a"]]);
        assert_eq!((sixth.rightly_empty, sixth.traps_in_top_5), (Some(0.0), Some(0.0)));
    }

    #[test]
    fn percentiles_are_values_that_were_measured() {
        assert_eq!(Percentiles::of(Vec::new()), None);
        let hundred = Percentiles::of((1..=100).rev().map(f64::from).collect());
        assert_eq!(hundred, Some(Percentiles { n: 100, p50: 50.0, p95: 95.0, p99: 99.0 }));
        assert_eq!(Percentiles::of(vec![7.0]), Some(Percentiles { n: 1, p50: 7.0, p95: 7.0, p99: 7.0 }));
    }

    #[test]
    fn tokens_are_counted_by_script() {
        assert_eq!(["", "a", "abcd", "abcde", "我用", "我用 MySQL"].map(tokens), [0, 1, 1, 2, 2, 4]);
    }

    mod rules {
        use proptest::prelude::*;

        use super::*;

        fn wanted() -> impl Strategy<Value = Wanted> {
            let some = proptest::collection::btree_set("[a-f]", 1..4).prop_map(Wanted::Docs);
            let none = proptest::collection::btree_set("[a-f]", 0..3).prop_map(|traps| Wanted::Nothing { traps });
            prop_oneof![some, none]
        }

        fn answers() -> impl Strategy<Value = Vec<(Wanted, Vec<Vec<String>>)>> {
            let results = proptest::collection::vec(proptest::collection::vec("[a-h]", 1..3), 0..25);
            proptest::collection::vec((wanted(), results), 0..12)
        }

        fn tally(answers: &[(Wanted, Vec<Vec<String>>)]) -> Tally {
            let mut tally = Tally::default();
            answers.iter().for_each(|(wanted, results)| tally.count(wanted, results));
            tally
        }

        proptest! {
            #[test]
            fn deeper_finds_no_less_and_every_share_is_one(answers in answers()) {
                let figures = tally(&answers).figures();
                let depths = [figures.recall_at_5, figures.recall_at_10, figures.recall_at_20];
                prop_assert!(depths.windows(2).all(|pair| pair[0] <= pair[1]));
                let shares = [figures.mrr, figures.falsely_empty, figures.rightly_empty, figures.traps_in_top_5];
                for share in depths.into_iter().chain(shares).flatten() {
                    prop_assert!((0.0..=1.0 + 1e-12).contains(&share));
                }
                if let (Some(empty), Some(recall)) = (figures.falsely_empty, figures.recall_at_20) {
                    prop_assert!(recall <= 1.0 - empty + 1e-12);
                }
            }

            #[test]
            fn parts_add_up_to_the_whole(answers in answers(), cut in 0usize..12) {
                let (one, other) = answers.split_at(cut.min(answers.len()));
                let mut sum = tally(one);
                sum.add(&tally(other));
                let (sum, whole) = (sum.figures(), tally(&answers).figures());
                prop_assert_eq!((sum.answerable, sum.unanswerable), (whole.answerable, whole.unanswerable));
                for (sum, whole) in [(sum.recall_at_10, whole.recall_at_10), (sum.mrr, whole.mrr), (sum.rightly_empty, whole.rightly_empty)] {
                    prop_assert!(sum.zip(whole).is_none_or(|(sum, whole)| (sum - whole).abs() < 1e-9));
                    prop_assert_eq!(sum.is_some(), whole.is_some());
                }
            }
        }
    }
}
