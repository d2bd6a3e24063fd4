//! Reading JSON that somebody sent: an error names the place and what is expected there, and echoes nothing of it.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, MapAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::error::Category;

use crate::problem::Problem;

/// Without the mark that some editors put at the start of UTF-8.
pub fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Parses one JSON object and nothing after it but space. A byte order mark before it is skipped.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let mut deserializer = serde_json::Deserializer::from_slice(unmarked(bytes));
    let Object(value) = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| Problem::BadJson(reason(error.inner(), Some(error.path()))))?;
    deserializer.end().map_err(|error| Problem::BadJson(reason(&error, None)))?;
    Ok(value)
}

/// A list of objects.
pub fn objects<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let objects = Vec::<Object<T>>::deserialize(deserializer)?;
    Ok(objects.into_iter().map(|Object(value)| value).collect())
}

/// What is an object. A derived `Deserialize` alone takes a list of its fields' values as well.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields(PhantomData)).map(Self)
    }
}

struct Fields<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields))
    }
}

fn reason(error: &serde_json::Error, path: Option<&serde_path_to_error::Path>) -> String {
    let place = format!("line {} column {}", error.line(), error.column());
    let text = error.to_string();
    let found = text.rsplit_once(" at line ").map_or(text.as_str(), |(found, _)| found);
    let expected = match (error.classify(), found.rsplit_once(", expected ")) {
        // The parser's own words; they quote nothing.
        (Category::Syntax | Category::Eof | Category::Io, _) => return format!("the JSON breaks at {place}: {found}"),
        // The only fields these can name are ours.
        (Category::Data, _) if found.starts_with("missing field") || found.starts_with("duplicate field") => {
            found.to_owned()
        }
        (Category::Data, Some((what, expected))) if what.starts_with("unknown field") => {
            return format!("the JSON has an unknown field at {place}: expected {expected}");
        }
        (Category::Data, None) if found.starts_with("unknown field") => {
            return format!("the JSON has an unknown field at {place}: expected none");
        }
        (Category::Data, Some((_, expected))) => format!("expected {}", plain(expected)),
        (Category::Data, None) => "not what is expected there".to_owned(),
    };
    // Every name on a path that led here was one of ours: an unknown one ends above.
    match path.map(ToString::to_string).filter(|path| path != ".") {
        Some(path) => format!("the JSON is wrong at {place}, in {path}: {expected}"),
        None => format!("the JSON is wrong at {place}: {expected}"),
    }
}

/// The parser names what it expected by this program's own types; a caller knows JSON's.
fn plain(expected: &str) -> &str {
    match expected {
        "usize" | "u8" | "u16" | "u32" | "u64" | "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        expected => expected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Recall, Turn};

    fn said(text: &str) -> String {
        match parse::<Turn>(text.as_bytes()) {
            Err(Problem::BadJson(said)) => said,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_error_names_the_place() {
        let message = |m: &str| format!(r#"{{"space":"s","occurred_at":"x","messages":[{m}]}}"#);
        for (text, expected) in [
            ("{", "the JSON breaks at line 1 column 1: EOF while parsing an object"),
            ("{}", "the JSON is wrong at line 1 column 2: missing field `space`"),
            (r#"{"space":1}"#, "the JSON is wrong at line 1 column 10, in space: expected a string"),
            (r#"{"space":"s","space":"s"}"#, "duplicate field `space`"),
            (&message(r#"{"role":"system","text":""}"#), "in messages[0].role: expected `customer` or `agent`"),
            (&message(r#"{"role":"customer","text":"\ud800"}"#), "the JSON breaks at line 1 column"),
            (r#"{"space":"s","occurred_at":"","messages":[]} x"#, "the JSON breaks at line 1 column 46: trailing"),
        ] {
            let said = said(text);
            assert!(said.contains(expected), "{text}: {said}");
        }
    }

    #[test]
    fn what_is_expected_is_said_in_the_words_of_json() {
        let message = |m: &str| format!(r#"{{"space":"s","occurred_at":"x","messages":{m}}}"#);
        for (text, expected) in [
            ("[]", ": expected an object"),
            ("7", ": expected an object"),
            (&message("7"), "in messages: expected a list"),
            (&message("[7]"), "in messages[0]: expected an object"),
            (r#"["s","x",[]]"#, ": expected an object"),
            (&message(r#"[["customer","x"]]"#), "in messages[0]: expected an object"),
        ] {
            assert!(said(text).ends_with(expected), "{text}: {}", said(text));
        }
        for (text, expected) in [
            (r#"{"limit":-1}"#, "in limit: expected a whole number"),
            (r#"{"limit":1.5}"#, "in limit: expected a whole number"),
            (r#"{"history":1}"#, "in history: expected true or false"),
        ] {
            let Err(Problem::BadJson(said)) = parse::<Recall>(text.as_bytes()) else { panic!("{text}") };
            assert!(said.ends_with(expected), "{text}: {said}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        let asked = parse::<Recall>("\u{feff}{\"space\":\"s\",\"query\":\"q\"}".as_bytes()).unwrap();
        assert_eq!((asked.space.as_str(), asked.query.as_str()), ("s", "q"));
    }

    #[test]
    fn an_error_echoes_nothing() {
        for text in [
            r#"{"SECRET":1}"#,
            r#"{"SECRET, expected SECRET":1}"#,
            r#"{"space":["SECRET"]}"#,
            r#"{"space":"s","messages":"SECRET"}"#,
            r#"{"space":"s","messages":[{"role":"SECRET"}]}"#,
            r#"{"space":"s","messages":[{"SECRET":"SECRET"}]}"#,
            r#"{"space":"s" SECRET"#,
            r#""SECRET""#,
        ] {
            let said = said(text);
            assert!(!said.contains("SECRET"), "{text}: {said}");
        }
    }
}
