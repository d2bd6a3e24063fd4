//! Every schema ever released, and a record that each of them wrote (`schemas/released`).

use std::{fs, path::PathBuf};

use apache_avro::{Schema, schema_compatibility::SchemaCompatibility};
use serde_json::Value;

use crate::{codec, examples};

fn schemas() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../schemas")
}

fn version(name: &str) -> [u32; 3] {
    let numbers: Vec<u32> = name.split('.').map(|number| number.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

/// In the order they were released.
fn released() -> Vec<String> {
    let folders = fs::read_dir(schemas().join("released")).unwrap();
    let mut names: Vec<String> = folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_by_key(|name| version(name));
    names
}

fn read(path: &str) -> String {
    fs::read_to_string(schemas().join(path)).unwrap_or_else(|error| panic!("schemas/{path}: {error}"))
}

fn without_words(schema: Value) -> Value {
    match schema {
        Value::Object(fields) => fields
            .into_iter()
            .filter(|(name, _)| name != "doc")
            .map(|(name, value)| (name, without_words(value)))
            .collect(),
        Value::Array(items) => items.into_iter().map(without_words).collect(),
        other => other,
    }
}

#[test]
fn every_release_can_be_read() {
    let (codec, mut seen) = (codec(), 0);
    for release in released() {
        for (name, _, reads) in examples(&codec) {
            let path = format!("released/{release}/{name}");
            let then = Schema::parse_str(&read(&format!("{path}.avsc"))).unwrap();
            let now = Schema::parse_str(&read(&format!("{name}.avsc"))).unwrap();
            SchemaCompatibility::can_read(&then, &now).unwrap_or_else(|error| panic!("{path}: {error}"));

            let hex = read(&format!("{path}.avro.hex"));
            let bytes: Vec<u8> = hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
            assert!(
                reads(&codec, &bytes).unwrap_or_else(|fault| panic!("{path}: {fault}")),
                "{path} comes to its value"
            );
            seen += 1;
        }
    }
    assert!(seen >= 4, "there is a release");
}

#[test]
fn a_schema_that_changes_is_a_new_release() {
    let newest = released().pop().unwrap();
    let now = env!("CARGO_PKG_VERSION");
    assert!(version(&newest) <= version(now), "{newest} is a release that this version {now} has not come to");
    for (name, bytes, _) in examples(&codec()) {
        let [then, now]: [Value; 2] = [format!("released/{newest}/{name}.avsc"), format!("{name}.avsc")]
            .map(|path| without_words(serde_json::from_str(&read(&path)).unwrap()));
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(
            then == now || version(&newest) < version(env!("CARGO_PKG_VERSION")),
            "schemas/{name}.avsc is not as release {newest} has it. If that release is out, raise the version and add \
             a folder to schemas/released; its {name}.avro.hex is\n{}",
            hex.join(" "),
        );
    }
}

/// Two things that `apache_avro` does unlike others. A plain type with a logical one stands at length in its canonical
/// form, so that nobody else finds the fingerprint. And it resolves a value to the first record of a union that has no
/// other fields than it, whatever the name.
#[test]
fn a_schema_has_no_logical_type_and_no_union_but_with_null() {
    fn check(schema: &Value) {
        match schema {
            Value::Object(fields) => {
                assert!(!fields.contains_key("logicalType"), "{schema}");
                let kind = &fields["type"];
                assert!(kind.as_array().is_none_or(|either| either.len() == 2 && either[0] == "null"), "{schema}");
                let inner = [kind.as_array(), fields.get("fields").and_then(Value::as_array)].into_iter().flatten();
                inner.flatten().chain([kind]).chain(fields.get("items")).for_each(check);
            }
            Value::String(_) | Value::Array(_) => {}
            _ => panic!("{schema}"),
        }
    }
    for (name, ..) in examples(&codec()) {
        check(&serde_json::from_str(&read(&format!("{name}.avsc"))).unwrap());
    }
}
