//! The figures of a run, for programs and for people.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::Serialize;

use super::{
    evidence::Corrections,
    journal::Journal,
    run,
    score::{Figures, Percentiles, Tally},
    set::Set,
};

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The program's version.
    pub saidso: String,
    /// Whom it asked.
    pub asked: String,
    /// What became of the corrections of evidence, if some were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrections: Option<Corrections>,
    /// Each set.
    pub sets: Vec<OfSet>,
}

/// One set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OfSet {
    /// Its name.
    pub name: String,
    /// Rows that state nothing in so many words, and were not published.
    pub rows_left_out: usize,
    /// Spaces.
    pub customers: usize,
    /// Customers of whose turns none became a memory.
    pub customers_without_memory: usize,
    /// Turns.
    pub turns: usize,
    /// Turns the product refused.
    pub turns_refused: usize,
    /// The share of the turns that no memory quotes.
    pub turns_without_memory: f64,
    /// Memories, past ones too.
    pub memories: usize,
    /// What was said and not kept, by reason.
    pub drops: BTreeMap<String, usize>,
    /// Milliseconds from the start of a publish until a recall shows the turn, nothing else going on.
    pub visible_ms: Option<Percentiles>,
    /// Milliseconds of a recall over HTTP, one at a time, the question's embedding included.
    pub recall_ms: Option<Percentiles>,
    /// Tokens of the first five results' texts; of answers that have some.
    pub tokens: Option<Percentiles>,
    /// Results that quote something which was not said in their space: always 0, or there is a defect.
    pub foreign_results: usize,
    /// Questions no message of a customer is named as evidence of; they were not asked.
    pub questions_unscored: usize,
    /// All questions.
    pub all: Figures,
    /// Each category, if there are several.
    pub categories: BTreeMap<String, Figures>,
}

/// What the journal says of a set.
pub fn of_set(set: &Set, journal: &Journal) -> OfSet {
    let (mut tallies, mut all): (BTreeMap<&str, Tally>, Tally) = (BTreeMap::new(), Tally::default());
    let (mut recall_ms, mut tokens, mut foreign) = (Vec::new(), Vec::new(), 0);
    for question in &set.questions {
        let Some(answer) = journal.answered(&run::key(set, question)) else { continue };
        let mut one = Tally::default();
        one.count(&question.wanted, &answer.results);
        all.add(&one);
        tallies.entry(&question.category).or_default().add(&one);
        recall_ms.extend(&answer.recall_ms);
        tokens.extend((!answer.results.is_empty()).then_some(answer.tokens as f64));
        foreign += answer.foreign;
    }
    let published: Vec<_> = set.customers.iter().filter_map(|customer| journal.published(&customer.space)).collect();
    let sum = |of: fn(&super::journal::Published) -> usize| published.iter().map(|one| of(one)).sum::<usize>();
    let mut drops: BTreeMap<String, usize> = BTreeMap::new();
    for (reason, count) in published.iter().flat_map(|one| &one.drops) {
        *drops.entry(reason.clone()).or_default() += count;
    }
    let turns = sum(|one| one.turns);
    let several = tallies.len() > 1;
    OfSet {
        name: set.name.clone(),
        rows_left_out: set.left_out,
        customers: published.len(),
        customers_without_memory: sum(|one| usize::from(one.memories == 0)),
        turns,
        turns_refused: sum(|one| one.refused),
        turns_without_memory: 1.0 - sum(|one| one.telling) as f64 / turns.max(1) as f64,
        memories: sum(|one| one.memories),
        drops,
        visible_ms: Percentiles::of(published.iter().flat_map(|one| &one.visible_ms).copied().collect()),
        recall_ms: Percentiles::of(recall_ms),
        tokens: Percentiles::of(tokens),
        foreign_results: foreign,
        questions_unscored: set.unscored,
        all: all.figures(),
        categories: tallies
            .into_iter()
            .filter(|_| several)
            .map(|(name, tally)| (name.to_owned(), tally.figures()))
            .collect(),
    }
}

/// Markdown, which reads well on a terminal too.
pub fn table(report: &Report) -> String {
    let mut text = format!("asked {}, saidso {}\n", report.asked, report.saidso);
    if let Some(Corrections { given, applied }) = report.corrections {
        let _ = writeln!(text, "{applied} of {given} corrections of evidence applied");
    }
    let asked = |set: &&OfSet| set.all.answerable + set.all.unanswerable > 0;
    if report.sets.iter().any(|set| asked(&set)) {
        text.push_str(
            "\n| set | n | R@5 | R@10 | R@20 | MRR | false empty | unanswerable | right empty | traps in top 5 |\n\
             |---|---|---|---|---|---|---|---|---|---|\n",
        );
    }
    for set in report.sets.iter().filter(asked) {
        row(&mut text, &set.name, &set.all);
        for (name, figures) in &set.categories {
            row(&mut text, &format!("· {name}"), figures);
        }
    }
    text.push_str(
        "\n| set | customers | turns | memories | turns without | drops | visible, ms | recall, ms | tokens |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for set in &report.sets {
        let drops: Vec<String> = set.drops.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {:.3} | {} | {} | {} | {} |",
            set.name,
            set.customers,
            set.turns,
            set.memories,
            set.turns_without_memory,
            if drops.is_empty() { "none".to_owned() } else { drops.join(", ") },
            percentiles(set.visible_ms, 1),
            percentiles(set.recall_ms, 1),
            percentiles(set.tokens, 0),
        );
    }
    text.push_str(
        "\nms and tokens: p50 / p95 / p99; tokens of the first five results' texts, a character of Chinese, ",
    );
    text.push_str("Japanese or Korean one, else four characters one\n");
    for set in &report.sets {
        for (count, what) in [
            (set.turns_refused, "turns refused"),
            (set.rows_left_out, "rows left out, which state nothing in so many words"),
            (set.questions_unscored, "questions not asked, no message of a customer being their evidence"),
            (set.foreign_results, "results that were not said in their space: please report this as a defect"),
        ] {
            if count > 0 {
                let _ = writeln!(text, "{}: {count} {what}", set.name);
            }
        }
    }
    text
}

fn row(text: &mut String, name: &str, figures: &Figures) {
    let share = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{share:.3}"));
    let shares = [figures.recall_at_5, figures.recall_at_10, figures.recall_at_20, figures.mrr, figures.falsely_empty];
    let _ = writeln!(
        text,
        "| {name} | {} | {} | {} | {} | {} |",
        figures.answerable,
        shares.map(share).join(" | "),
        figures.unanswerable,
        share(figures.rightly_empty),
        share(figures.traps_in_top_5),
    );
}

fn percentiles(percentiles: Option<Percentiles>, decimals: usize) -> String {
    percentiles.map_or("–".to_owned(), |Percentiles { p50, p95, p99, .. }| {
        format!("{p50:.decimals$} / {p95:.decimals$} / {p99:.decimals$}")
    })
}
