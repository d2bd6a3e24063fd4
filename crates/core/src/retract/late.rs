//! What a request or a denial has forgotten of what was said before it and arrives after it (requirements A11, D2): known by
//! its name alone, since no word of it may stay.

use super::{
    Named,
    words::{CUSTOMER, words_of},
};
use crate::{
    fold::Memory,
    item::{Candidate, Kind, Retracting, Retraction, Stated},
    text,
};

/// What is forgotten whatever is said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Late {
    /// All that is said of somebody.
    Subject(String),
    /// One thing of somebody ("where I live").
    Attribute {
        /// Of whom.
        subject: String,
        /// What.
        attribute: String,
    },
    /// What holds a word ("my Porsche").
    Word {
        /// Its stem.
        word: String,
        /// Said that it is not so.
        negated: bool,
    },
    /// What was never so.
    Denied(Stated),
}

impl Late {
    /// All under which an item may be forgotten.
    pub fn of(item: &Candidate) -> Vec<Self> {
        if item.kind == Kind::Confirmation {
            return Vec::new();
        }
        let (subject, attribute) = (&item.topic_key.subject, &item.topic_key.attribute);
        let names: &str = if *subject == CUSTOMER { "" } else { subject };
        let called = if attribute == "name" { item.value.as_str() } else { "" };
        let of_them = &text::content(names) | &text::content(called);
        let ours = |word: &String| *subject == CUSTOMER || of_them.contains(word);
        let word = |word| Self::Word { word, negated: item.negated };
        let mut all: Vec<Self> = words_of(item).into_iter().filter(ours).map(word).collect();
        all.push(Self::Subject(subject.clone()));
        all.push(Self::Attribute { subject: subject.clone(), attribute: attribute.clone() });
        if !item.negated {
            all.push(Self::Denied(Stated::of(item)));
        }
        all
    }

    /// What a mark of it is the hash of.
    pub fn parts(&self) -> [String; 5] {
        let none = String::new;
        match self {
            Self::Subject(subject) => ["subject".into(), subject.clone(), none(), none(), none()],
            Self::Attribute { subject, attribute } => {
                ["attribute".into(), subject.clone(), text::same_key(attribute), none(), none()]
            }
            Self::Word { word, negated } => ["word".into(), word.clone(), negated.to_string(), none(), none()],
            Self::Denied(Stated { topic_key: key, value, qualifier, .. }) => {
                let qualifier = text::same_key(qualifier.as_deref().unwrap_or_default());
                let [attribute, value] = [&key.attribute, value].map(|part| text::same_key(part));
                ["denied".into(), key.subject.clone(), attribute, value, qualifier]
            }
        }
    }

    /// Whether it means a memory.
    fn means(&self, memory: &Memory) -> bool {
        let key = &memory.topic_key;
        match self {
            Self::Subject(subject) => key.subject == *subject,
            Self::Attribute { subject, attribute } => key.subject == *subject && key.attribute == *attribute,
            Self::Word { word, negated } => memory.negated == *negated && Named::of(word).names(memory),
            Self::Denied(stated) => !memory.negated && super::Says(std::slice::from_ref(stated)).states(memory),
        }
    }
}

/// What a retraction has forgotten of what is still to arrive. Nothing that means a memory which `stays`: what a request
/// leaves where it is said, it leaves where it comes late.
pub fn late<'a>(
    retraction: &Retraction,
    denied: &[Stated],
    stays: impl Iterator<Item = &'a Memory> + Clone,
) -> Vec<Late> {
    let mut found = Vec::new();
    match retraction.how {
        Retracting::Denial => found.extend(denied.iter().cloned().map(Late::Denied)),
        Retracting::Request if super::means_everything(&retraction.about) => {}
        Retracting::Request => {
            for named in Named::all(&retraction.about) {
                let keys = named.matter().map(super::matters::Matter::keys).unwrap_or_default();
                found.extend(keys.into_iter().map(|(subject, attribute)| match attribute {
                    Some(attribute) => Late::Attribute { subject: subject.into(), attribute: attribute.into() },
                    None => Late::Subject(subject.into()),
                }));
                let against = |negated| retraction.states.iter().any(|stated| stated.negated != negated);
                let polarities = [false, true].into_iter().filter(|negated| !against(*negated));
                let word = named.one_word().into_iter();
                found.extend(
                    word.flat_map(|word| {
                        polarities.clone().map(|negated| Late::Word { word: word.to_owned(), negated })
                    }),
                );
            }
        }
    }
    found.retain(|late| !stays.clone().any(|memory| late.means(memory)));
    found
}
