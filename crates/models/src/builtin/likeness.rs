//! Languages without rules of their own: a sentence is of the kind of the example it is most like, by the embedder.
//!
//! A multilingual embedder puts "Vivo en Sevilla" beside "I live in Madrid", so English examples serve every language.
//! What a sentence is about stays open: each is a value of its own beside the others, and none replaces another.

use std::sync::{Arc, OnceLock};

use saidso_core::{
    fault::Fault,
    item::{Kind, Span},
    ports::{Embedder, Purpose},
    text,
    vector::Vector,
};

use super::rules::{Finding, weight};

/// Sentences per turn that the embedder is asked about.
pub(super) const ASKED_PER_TURN: usize = 16;

/// How much liker a sentence must be to a kind than to `nothing`, in ten-thousandths of cosine: on own sentences in
/// Spanish, German and French all that lasts lay above, all that does not below -290.
const MARGIN: i32 = 50;

/// What an embedder of many languages knows; one of words alone, or of one language, does not, and is not asked again.
const KNOWS: [(&str, Option<Kind>); 4] = [
    ("Tengo dos perros y un gato.", Some(Kind::Fact)),
    ("Ich wohne in einer großen Stadt.", Some(Kind::Fact)),
    ("¿Me puedes ayudar?", None),
    ("Vielen Dank, auf Wiedersehen!", None),
];

/// The embedder, and what it says of the examples, asked when the first foreign sentence comes.
pub(super) struct Likeness {
    embedder: Arc<dyn Embedder>,
    /// `None`: the embedder does not know languages.
    examples: OnceLock<Option<Vec<Example>>>,
}

/// An example's kind and place.
type Example = (Option<Kind>, Vector);

impl Likeness {
    /// Asks nothing yet.
    pub fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self { embedder, examples: OnceLock::new() }
    }

    /// The kind of each sentence, in one request; `None` for what no memory is made of.
    pub fn kinds(&self, sentences: &[&str]) -> Result<Vec<Option<Kind>>, Fault> {
        let Some(examples) = self.examples()? else { return Ok(vec![None; sentences.len()]) };
        let vectors = self.embedder.embed(Purpose::Query, sentences)?;
        Ok(vectors.iter().map(|vector| nearest(vector, examples)).collect())
    }

    fn examples(&self) -> Result<Option<&[Example]>, Fault> {
        if let Some(examples) = self.examples.get() {
            return Ok(examples.as_deref());
        }
        let lines = include_str!("exemplars.txt").lines().filter(|line| !line.starts_with('#'));
        let (kinds, mut texts): (Vec<Option<Kind>>, Vec<&str>) =
            lines.filter_map(|line| line.split_once(": ")).map(|(kind, text)| (named(kind), text)).unzip();
        texts.extend(KNOWS.map(|(text, _)| text));
        let mut vectors = self.embedder.embed(Purpose::Query, &texts)?;
        let known = vectors.split_off(kinds.len().min(vectors.len()));
        let examples: Vec<Example> = kinds.into_iter().zip(vectors).collect();
        let knows = KNOWS.iter().zip(&known).all(|((_, kind), vector)| nearest(vector, &examples) == *kind);
        Ok(self.examples.get_or_init(|| knows.then_some(examples)).as_deref())
    }
}

fn named(kind: &str) -> Option<Kind> {
    match kind {
        "fact" => Some(Kind::Fact),
        "event" => Some(Kind::Event),
        "instruction" => Some(Kind::Instruction),
        _ => None,
    }
}

/// The kind of the nearest example, if it is nearer than every example of nothing by the margin.
fn nearest(vector: &Vector, examples: &[Example]) -> Option<Kind> {
    let cosine = |example: &Vector| vector.cosine(example).unwrap_or(i32::MIN);
    let nothing = examples.iter().filter(|(kind, _)| kind.is_none()).map(|(_, example)| cosine(example)).max()?;
    let (near, kind) = examples
        .iter()
        .filter_map(|(kind, example)| kind.map(|kind| (cosine(example), kind)))
        .max_by_key(|(near, kind)| (*near, std::cmp::Reverse(*kind)))?;
    (near.saturating_sub(nothing) >= MARGIN).then_some(kind)
}

/// Whether a sentence of a language without rules is no plain word of the customer's own: a guess, the moment's state,
/// what somebody of theirs does.
pub(super) fn elsewhere(said: &str) -> bool {
    const OPENINGS: [&str; 17] = [
        "quizás ",
        "quizá ",
        "tal vez ",
        "a lo mejor ",
        "puede que ",
        "peut-être ",
        "vielleicht ",
        "tengo hambre",
        "tengo sed",
        "tengo frío",
        "tengo calor",
        "tengo sueño",
        "tengo prisa",
        "j'ai faim",
        "j'ai soif",
        "ich habe hunger",
        "ich habe durst",
    ];
    const OWN: [&str; 8] = ["mi ", "mis ", "mon ", "ma ", "mes ", "mein ", "meine ", "meu "];
    const PEOPLE: [&str; 40] = [
        "amigo",
        "amiga",
        "amigos",
        "hermano",
        "hermana",
        "madre",
        "padre",
        "mamá",
        "papá",
        "esposa",
        "esposo",
        "mujer",
        "marido",
        "hijo",
        "hija",
        "hijos",
        "jefe",
        "jefa",
        "primo",
        "prima",
        "abuela",
        "abuelo",
        "novio",
        "novia",
        "vecino",
        "vecina",
        "ami",
        "amie",
        "frère",
        "soeur",
        "mère",
        "père",
        "femme",
        "mari",
        "fils",
        "freund",
        "freundin",
        "bruder",
        "schwester",
        "frau",
    ];
    let said = text::Normalised::new(said);
    let said = said.text().trim_start_matches(|c: char| !c.is_alphanumeric());
    let person = OWN.iter().filter_map(|own| said.strip_prefix(own)).any(|rest| {
        let noun = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        PEOPLE.contains(&noun)
    });
    person || OPENINGS.iter().any(|opening| said.starts_with(opening))
}

/// Whether a sentence opens with a denial of languages without rules.
fn denies(said: &str) -> bool {
    const OPENINGS: [&str; 12] = [
        "es falso que ",
        "no es verdad que ",
        "no es cierto que ",
        "es mentira que ",
        "tampoco ",
        "nunca ",
        "jamás ",
        "ya no ",
        "il est faux que ",
        "ce n'est pas vrai que ",
        "es ist falsch, dass ",
        "es stimmt nicht, dass ",
    ];
    let said = text::Normalised::new(said);
    OPENINGS.iter().any(|opening| said.text().starts_with(opening))
}

/// A sentence of that kind as a finding.
pub(super) fn finding(kind: Kind, said: &str, span: Span) -> Finding {
    let words = text::words(said).into_iter().filter(|word| !word.stop).map(|word| word.text);
    Finding {
        kind,
        span,
        around: None,
        subject: "customer".to_owned(),
        attribute: "statement".to_owned(),
        many: true,
        value: words.take(8).collect::<Vec<_>>().join(" "),
        negated: text::negations(said) > 0 || denies(said),
        qualifier: None,
        changed: false,
        importance: weight::DETAIL,
        confidence: super::rules::sure::SHAPE,
        questions: Vec::new(),
    }
}
