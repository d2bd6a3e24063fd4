//! Slices: neighbouring texts that are embedded together.

/// Tokens of a text for a model whose tokenizer is not at hand: a third of its bytes, and a few around it. Chinese has
/// about one a character (3 bytes), English and Russian fewer for their bytes, so that slices come out short, not long.
pub fn estimate(text: &str) -> usize {
    text.len() / 3 + 4
}

/// Neighbours in slices of about equal cost, as many for each of those who work at once, none above `most` but for a text
/// that is so alone. `costs` has one for each text.
pub(super) fn cut<'a, 'b>(texts: &'b [&'a str], costs: &[usize], most: usize, at_once: usize) -> Vec<&'b [&'a str]> {
    let total: usize = costs.iter().sum();
    let count = total.div_ceil(most.max(1)).next_multiple_of(at_once.max(1));
    let fair = total.div_ceil(count.max(1));
    let mut slices = Vec::new();
    let (mut from, mut cost) = (0, 0);
    for (index, next) in costs.iter().enumerate() {
        // A text belongs where its middle falls, if it fits.
        if index > from && (cost + next / 2 >= fair || cost + next > most) {
            slices.push(&texts[from..index]);
            (from, cost) = (index, 0);
        }
        cost += next;
    }
    if from < texts.len() {
        slices.push(&texts[from..]);
    }
    slices
}
