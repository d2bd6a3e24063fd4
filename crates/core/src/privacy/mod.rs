//! The privacy filter: numbers and secrets that must not enter memory (requirements E3), by shape, checksum and the
//! word that announces them. Errs towards masking: a lost order number is a smaller harm than a kept card number.
//!
//! A masked text keeps its length, so every span in it and in the original is the same. `numbers` knows runs of digits,
//! `announced` what stands behind "passport", "CVV" or "password", `tokens` what tells itself by its shape alone.

use crate::item::Span;

mod announced;
mod checks;
mod numbers;
mod scan;
mod tokens;

use scan::Scan;

/// What a masked byte reads.
const MASK: char = '*';
/// Fewest bytes of a masked run: more than Markdown's strongest emphasis and than a starred-out swear word mostly has.
const SHORTEST: usize = 6;

/// Where a text holds what must not enter memory: card, account, identity and phone numbers, mail addresses,
/// credentials. Sorted, disjoint, on character boundaries, each at least six bytes long unless the text is shorter.
pub fn sensitive(text: &str) -> Vec<Span> {
    match quiet(text) {
        true => Vec::new(),
        false => looked_over(text),
    }
}

fn looked_over(text: &str) -> Vec<Span> {
    let scan = Scan::over(text);
    let mut found = numbers::find(&scan);
    found.extend(announced::find(&scan));
    found.extend(tokens::find(&scan));
    found.sort_unstable();
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for (start, end) in found {
        // A short one takes in its neighbours, so that its mask is told from emphasis.
        let (mut start, mut end) = (start, end);
        while scan.byte(end) - scan.byte(start) < SHORTEST && (start > 0 || end < scan.chars.len()) {
            (start, end) = if start > 0 { (start - 1, end) } else { (start, end + 1) };
        }
        match spans.last_mut() {
            Some(last) if start <= last.1 => *last = (last.0.min(start), last.1.max(end)),
            _ => spans.push((start, end)),
        }
    }
    spans.retain(|&(start, end)| scan.chars[start..end].iter().any(|&c| c != MASK));
    spans.into_iter().map(|(start, end)| scan.span(start, end)).collect()
}

/// Whether it is plain at a glance that nothing in a text is sensitive, as of most: no digit, no `@`, no run as long as a
/// key, no word that announces a secret, and only characters that read as they stand.
fn quiet(text: &str) -> bool {
    let mut run = 0;
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '_' | '.' | '-' => run += 1,
            '0'..='9' | '@' => return false,
            ' '..='~' | '\n' => run = 0,
            'а'..='я' | 'А'..='Я' | 'ё' | 'Ё' | '\u{4e00}'..='\u{9fff}' => run = 0,
            '’' | '‘' | '“' | '”' | '«' | '»' | '…' | '。' | '、' | '，' | '！' | '？' | '：' | '；' => {
                run = 0
            }
            _ => return false,
        }
        if run >= tokens::KEY {
            return false;
        }
    }
    !text.contains("--") && !announced::may_announce(text)
}

/// Overwrites what must not enter memory with `*`, byte for byte, until nothing is left of it. Done twice it is the
/// same as done once.
pub fn redact(text: &mut String) {
    // A mask can make a neighbour plain to see; each round masks at least one byte more, so the rounds end.
    loop {
        let spans = sensitive(text);
        if spans.is_empty() {
            return;
        }
        let mut masked = String::with_capacity(text.len());
        let mut from = 0;
        for span in spans {
            let (start, end) = (span.start as usize, span.end as usize);
            masked.push_str(&text[from..start]);
            masked.extend(std::iter::repeat_n(MASK, end - start));
            from = end;
        }
        masked.push_str(&text[from..]);
        *text = masked;
    }
}

/// Where a text was masked by [`redact`]: runs of six and more `*`. Stars of the customer's own, if so many, look the
/// same; they say nothing either.
pub fn masks(text: &str) -> Vec<Span> {
    let mut masks = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(MASK).map(|at| from + at) {
        from = text[start..].find(|c| c != MASK).map_or(text.len(), |at| start + at);
        if from - start >= SHORTEST {
            masks.push(Span { start: start as u32, end: from as u32 });
        }
    }
    masks
}

/// Whether something in a text was masked, by [`masks`].
pub fn redacted(text: &str) -> bool {
    !masks(text).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_is_sensitive_in_a_quiet_text(
            text in "[a-cA-C0-9@._ -]{0,40}|\\PC{0,20}|(password|PASS|парол|Пароль|ь|is|seed phrase|—|sk-|密码|是|: |=|hunter|api|key| |\t|-----BEGIN |private key|Ⅷ|aaaaaaaa){0,8}"
        ) {
            if quiet(&text) {
                prop_assert_eq!(looked_over(&text), Vec::new());
            }
        }
    }
}
