//! Whom a question names.

/// Whether a text has a name in it, as a word of its own; in scripts without spaces, anywhere.
pub fn names(text: &str, name: &str) -> bool {
    let outside = |c: Option<char>| !name.is_ascii() || c.is_none_or(|c| !c.is_alphanumeric());
    !name.is_empty()
        && text
            .match_indices(name)
            .any(|(at, _)| outside(text[..at].chars().next_back()) && outside(text[at + name.len()..].chars().next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_word_of_its_own() {
        for (text, name, named) in [
            ("When did Tim's train leave?", "Tim", true),
            ("What time was it? Timothy knows", "Tim", false),
            ("Did Johnson call John?", "John", true),
            ("李明的狗叫什么？", "李明", true),
            ("anything", "", false),
        ] {
            assert_eq!(names(text, name), named, "{text}");
        }
    }
}
