//! How long texts wait for the embedder.

use saidso_models::lanes::{BOUNDS, Counts, Lane};

use super::{catalogue as names, text::Page};

pub(super) fn show(page: &mut Page, lanes: &[(Lane, Counts)]) {
    page.head(names::EMBEDDER_WAIT);
    for (lane, counts) in lanes {
        let labels: [(&str, &dyn std::fmt::Display); 1] = [("lane", &lane.name())];
        page.histogram(names::EMBEDDER_WAIT.name, &labels, &BOUNDS, &counts.classes, counts.sum);
    }
    page.head(names::EMBEDDER_WAITING);
    for (lane, counts) in lanes {
        page.sample(names::EMBEDDER_WAITING.name, &[("lane", &lane.name())], counts.waiting);
    }
    page.head(names::EMBEDDER_BEHIND);
    for (lane, counts) in lanes {
        page.sample(names::EMBEDDER_BEHIND.name, &[("lane", &lane.name())], counts.behind_most);
    }
}
