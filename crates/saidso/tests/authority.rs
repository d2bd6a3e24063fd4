//! Who may ask what.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::{Server, said};
use serde_json::json;
use tempfile::tempdir;

const AT: &str = "2026-03-01T09:30:00+01:00";

/// Routes under `/v1` that are of a whole tenant.
const TENANTS: [(&str, &str); 4] = [
    ("GET", "/v1/dead-letters"),
    ("POST", "/v1/dead-letters/redrive"),
    ("GET", "/v1/reviews"),
    ("POST", "/v1/reviews/00000000000000000000000000000000"),
];

/// The other routes under `/v1`: each is of one space.
const ROUTES: [(&str, &str); 7] = [
    ("POST", "/v1/turns"),
    ("POST", "/v1/recall"),
    ("GET", "/v1/spaces/ann/memories"),
    ("GET", "/v1/spaces/ann/memories/00000000000000000000000000000000"),
    ("DELETE", "/v1/spaces/ann/memories/00000000000000000000000000000000"),
    ("GET", "/v1/spaces/ann/drops"),
    ("POST", "/v1/spaces/ann/sessions/today/end"),
];

#[test]
fn without_a_known_token_there_is_no_answer() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    let wrong = format!("Bearer {}x", server.token);
    let basic = format!("Basic {}", server.token);
    let shy = format!("Bearer{}", server.token);
    for (method, path) in ROUTES.into_iter().chain(TENANTS) {
        for header in [None, Some("Bearer "), Some(wrong.as_str()), Some(basic.as_str()), Some(shy.as_str())] {
            let headers: Vec<(&str, &str)> = header.iter().map(|value| ("authorization", *value)).collect();
            // The body would be refused too, but nobody gets that far.
            let body = (method == "POST").then(|| "nonsense".to_owned());
            let answer = server.send(method, path, &headers, body);
            assert_eq!(
                (answer.status, &answer.body["error"]["code"]),
                (401, &json!("unauthorized")),
                "{method} {path}"
            );
            assert_eq!(answer.head.headers()["www-authenticate"], "Bearer");
            // What was not read is still on the connection: nobody is to go on with it.
            assert_eq!(answer.head.headers().contains_key("connection"), method == "POST", "{method} {path}");
        }
    }
    server.stop();
}

#[test]
fn a_token_speaks_for_its_tenant_alone() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("saidso.toml");
    std::fs::write(&file, "[tenants.acme]\ntokens = [\"acme-0123456789abcdef\"]").unwrap();
    let server = Server::with(&folder.path().join("data"), &["--config", file.to_str().unwrap()]);
    server.wait("ann", &server.publish(&said("ann", AT, "I live in Oslo.")));
    let id = server.memories("ann")[0]["id"].as_str().unwrap().to_owned();

    let acme = [("authorization", "Bearer acme-0123456789abcdef")];
    // The same space name is another space.
    let theirs = server.send("GET", "/v1/spaces/ann/memories", &acme, None);
    assert_eq!((theirs.status, &theirs.body["memories"]), (200, &json!([])));
    for method in ["GET", "DELETE"] {
        assert_eq!(server.send(method, &format!("/v1/spaces/ann/memories/{id}"), &acme, None).status, 404);
    }
    // Naming the other tenant is refused everywhere, naming one's own is not.
    for (method, path) in ROUTES {
        let body = (method == "POST").then(|| match path {
            "/v1/turns" => said("ann", AT, "I live in Oslo.").to_string(),
            "/v1/spaces/ann/sessions/today/end" => "{}".to_owned(),
            _ => json!({"space": "ann", "query": "Oslo"}).to_string(),
        });
        if path != "/v1/recall" {
            let answer = server.send(method, &format!("{path}?tenant=default"), &acme, body.clone());
            assert_eq!(
                (answer.status, &answer.body["error"]["code"]),
                (403, &json!("other_tenant")),
                "{method} {path}"
            );
            let answer = server.send(method, &format!("{path}?tenant=acme"), &acme, body);
            assert!([200, 202, 404].contains(&answer.status), "{method} {path}: {}", answer.text);
        }
    }
    let recall = json!({"tenant": "default", "space": "ann", "query": "Oslo"}).to_string();
    assert_eq!(server.send("POST", "/v1/recall", &acme, Some(recall)).status, 403);
    assert_eq!(server.memories("ann").len(), 1);
    server.stop();
}

#[test]
fn operators_see_health_and_counts_from_this_machine() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    server.wait("ann", &server.publish(&said("ann", AT, "I live in Oslo. I'm busy today.")));
    assert_eq!(server.send("GET", "/healthz", &[], None).body["status"], json!("ok"));
    assert_eq!(server.send("GET", "/readyz", &[], None).body["ready"], json!(true));
    let page = server.send("GET", "/metrics", &[], None);
    assert_eq!(page.status, 200);
    for line in [
        r#"saidso_turns_total{result="new"} 1"#,
        r#"saidso_http_requests_total{route="/v1/turns",status="200"} 1"#,
        r#"saidso_stage_records_total{topic="turns"} 1"#,
        r#"saidso_drops_total{reason="transient"} 1"#,
        "saidso_observations_total 1",
        "saidso_ready 1",
    ] {
        assert!(page.text.lines().any(|found| found == line), "{line}\n{}", page.text);
    }
    assert!(!page.text.contains("ann") && !page.text.contains("Oslo"));
    // Whoever comes through a proxy need not be on this machine.
    assert_eq!(server.send("GET", "/metrics", &[("x-forwarded-for", "192.0.2.1")], None).status, 401);
    let bearer = format!("Bearer {}", server.token);
    let proxied = [("x-forwarded-for", "192.0.2.1"), ("authorization", bearer.as_str())];
    assert_eq!(server.send("GET", "/metrics", &proxied, None).status, 200);
    server.stop();
}

#[test]
fn the_page_and_every_answer_are_locked_down() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    let page = server.send("GET", "/", &[], None);
    assert_eq!(page.status, 200);
    let policy = page.head.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
    assert_eq!(page.text.matches(nonce).count(), 2);
    assert!(!page.text.contains("{nonce}") && !page.text.contains("http://") && !page.text.contains("https://"));
    assert_ne!(policy, server.send("GET", "/", &[], None).head.headers()["content-security-policy"]);

    for (method, path, status) in
        [("GET", "/", 200), ("GET", "/nowhere", 404), ("PUT", "/v1/turns", 405), ("GET", "/healthz", 200)]
    {
        let answer = server.send(method, path, &[("origin", "http://elsewhere.example")], None);
        assert_eq!(answer.status, status, "{method} {path}");
        let headers = answer.head.headers();
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(headers[name], value, "{method} {path}");
        }
        assert!(headers.contains_key("content-security-policy"));
        assert!(!headers.contains_key("access-control-allow-origin"));
    }
    server.stop();
}
