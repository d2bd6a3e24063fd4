//! The records that others write, in their two forms.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use std::{collections::BTreeMap, path::Path};

use common::Server;
use serde_json::Value;
use tempfile::tempdir;

/// Name → whether it may be left out.
type Fields = BTreeMap<String, bool>;

fn avro(record: &Value) -> Fields {
    let fields = record["fields"].as_array().unwrap();
    fields.iter().map(|field| (field["name"].as_str().unwrap().to_owned(), field.get("default").is_some())).collect()
}

fn json(schemas: &Value, name: &str) -> Fields {
    let schema = &schemas[name];
    let required: Vec<&str> =
        schema["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let properties = schema["properties"].as_object().unwrap();
    properties.keys().map(|name| (name.clone(), !required.contains(&name.as_str()))).collect()
}

#[test]
fn the_turn_is_the_same_in_avro_and_in_json() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/turn_completed.avsc");
    let turn: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let items = |name: &str| {
        let fields = turn["fields"].as_array().unwrap();
        fields.iter().find(|field| field["name"] == name).unwrap()["type"]["items"].clone()
    };

    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    let api = server.send("GET", "/openapi.json", &[], None).body;
    server.stop();
    let schemas = &api["components"]["schemas"];
    assert_eq!(avro(&turn), json(schemas, "Turn"));
    assert_eq!(avro(&items("messages")), json(schemas, "Message"));
    assert_eq!(avro(&items("attachments")), json(schemas, "Attachment"));
    let roles = items("messages")["fields"][0]["type"]["symbols"].clone();
    assert_eq!(roles, schemas["Role"]["enum"]);
}

#[test]
fn every_route_is_described() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    let api = server.send("GET", "/openapi.json", &[], None).body;
    server.stop();
    let mut routes: Vec<String> = Vec::new();
    for (path, item) in api["paths"].as_object().unwrap() {
        routes.extend(item.as_object().unwrap().keys().map(|method| format!("{method} {path}")));
    }
    routes.sort();
    assert_eq!(
        routes,
        [
            "delete /v1/spaces/{space}/memories/{id}",
            "get /healthz",
            "get /metrics",
            "get /readyz",
            "get /v1/dead-letters",
            "get /v1/reviews",
            "get /v1/spaces/{space}/drops",
            "get /v1/spaces/{space}/health",
            "get /v1/spaces/{space}/memories",
            "get /v1/spaces/{space}/memories/{id}",
            "get /v1/spaces/{space}/read-backs",
            "get /v1/spaces/{space}/sessions",
            "post /v1/dead-letters/redrive",
            "post /v1/recall",
            "post /v1/reviews/{id}",
            "post /v1/spaces/{space}/forget",
            "post /v1/spaces/{space}/read-backs/{id}",
            "post /v1/spaces/{space}/sessions/{session}/end",
            "post /v1/spaces/{space}/sessions/{session}/open",
            "post /v1/turns",
        ]
    );
    let statuses = |method: &str, path: &str| -> Vec<String> {
        api["paths"][path][method]["responses"].as_object().unwrap().keys().cloned().collect()
    };
    let turns = ["200", "400", "401", "403", "408", "413", "415", "422", "500", "503"];
    assert_eq!(statuses("post", "/v1/turns"), turns);
    assert_eq!(statuses("post", "/v1/recall"), turns);
    let one = ["202", "400", "401", "403", "404", "422", "500", "503"];
    assert_eq!(statuses("delete", "/v1/spaces/{space}/memories/{id}"), one);
    let schema = "#/components/schemas/ErrorBody";
    for status in &turns[1..] {
        let content = &api["paths"]["/v1/turns"]["post"]["responses"][status]["content"]["application/json"];
        assert_eq!(content["schema"]["$ref"], schema, "{status}");
    }
    assert!(api["components"]["schemas"]["ErrorBody"].is_object());
    let required = api["components"]["schemas"]["Recollection"]["required"].as_array().unwrap();
    assert!(required.contains(&Value::from("memory_since")), "{required:?}");
    assert_eq!(api["components"]["securitySchemes"]["bearer"]["scheme"], "bearer");
}
