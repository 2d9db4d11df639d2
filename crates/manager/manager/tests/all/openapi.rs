//! Answers match the OpenAPI document: the test calls every endpoint and compares every answer with
//! its schema.

use crate::common;
use std::collections::BTreeSet;

use crate::common::new_folder;
use crate::common::up;
use philae_manager::access::Actor;
use philae_manager::api::{ApiRequest, Reply, answer, endpoints};
use philae_manager::{Manager, openapi};
use serde_json::{Value, json};

struct Conversation {
    manager: Manager,
    document: Value,
    asked: BTreeSet<(String, String)>,
}

impl Conversation {
    /// Sends a request, and compares the answer with its description in the document.
    fn ask(&mut self, method: &str, template: &str, target: &str, body: Value) -> Value {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let request = ApiRequest {
            method: method.to_owned(),
            path: path.to_owned(),
            query: pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
            body,
            actor: Actor::process(),
            ..ApiRequest::default()
        };
        let whole = answer(&mut self.manager, request);
        self.asked.insert((method.to_owned(), template.to_owned()));
        let concrete = template.replace("{kind}", "port-policies");
        let described = [template, &concrete, path].into_iter().find_map(|path| {
            let operation = &self.document["paths"][path][method.to_lowercase()];
            operation.is_object().then_some(operation)
        });
        let described = described.unwrap_or_else(|| panic!("{method} {template} is not described"));
        let (status, value) = match whole {
            Ok(reply) => {
                let (reply, meta) = reply.split();
                (meta.status.unwrap_or(200), reply.into_value())
            }
            Err(problem) => (problem.status, json!(problem)),
        };
        let response = &described["responses"][status.to_string()];
        let named = response.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        let response = named.and_then(|pointer| self.document.pointer(pointer)).unwrap_or(response);
        assert!(response.is_object(), "{method} {target} answers {status}, which is not described: {value}");
        let content = &response["content"];
        // Errors of the exchange of tokens get their form only in the HTTP service.
        let is_dressed = template == "/oauth/token" && status >= 400;
        let schema = [&content["application/json"]["schema"], &content["application/problem+json"]["schema"]];
        // Text has no schema to compare with.
        let is_text = content["text/plain"].is_object() && value.is_string();
        if let Some(schema) = schema.into_iter().find(|schema| schema.is_object() && !is_text && !is_dressed) {
            let whole = json!({ "components": self.document["components"], "allOf": [schema] });
            let validator = jsonschema::validator_for(&whole).expect("a schema");
            let wrong: Vec<String> =
                validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path)).collect();
            assert!(wrong.is_empty(), "{method} {target}: {wrong:#?}\n{value:#}");
        }
        value
    }

    /// The same, and the answer must not be an error.
    fn well(&mut self, method: &str, template: &str, target: &str, body: Value) -> Value {
        let value = self.ask(method, template, target, body);
        let is_problem = value.get("status").is_some_and(Value::is_u64) && value.get("title").is_some();
        assert!(!is_problem, "{method} {target}: {value}");
        value
    }
}

fn policy(priority: u32) -> Value {
    json!({ "spec": { "selector": "role=edge", "priority": priority } })
}

#[test]
fn every_endpoint_answers_what_is_described() {
    let folder = new_folder();
    let manager = up("malbec", Some(folder.path()));
    let mut talk = Conversation { manager, document: openapi::document(), asked: BTreeSet::new() };
    let fabric = talk.manager.fabric.clone();
    let switch = fabric.bmc_xname(philae_units::SwitchId(0)).to_string();
    let node = fabric.node_xname(philae_units::NodeId(0)).to_string();
    let edge = talk.manager.port_name(common::edges(&talk.manager)[0]);
    let links = talk.well("GET", "/api/v1/links", "/api/v1/links", Value::Null);
    let link = links["items"][0]["name"].as_str().expect("a name").to_owned();
    let wiring = format!("{:016x}", talk.manager.control_loop.control.wiring().hash());
    let kind = "/api/v1/{kind}";
    let named = "/api/v1/{kind}/{name}";
    let mine = "/api/v1/port-policies/mine";
    talk.well("PUT", named, mine, policy(5));
    for (template, name) in [
        ("/api/v1", ""),
        ("/api/v1/openapi.json", ""),
        ("/api/v1/status", ""),
        ("/api/v1/alarms", ""),
        ("/api/v1/switches", ""),
        ("/api/v1/switches/{name}", &switch),
        ("/api/v1/ports", ""),
        ("/api/v1/ports/{name}", &edge),
        ("/api/v1/links/{name}", &link),
        ("/api/v1/flaps", ""),
        ("/api/v1/nics", ""),
        ("/api/v1/events", ""),
        ("/api/v1/traffic", ""),
        ("/api/v1/export/routes", ""),
        ("/api/v1/routes/{name}", &switch),
        ("/api/v1/settings", ""),
        ("/api/v1/operations", ""),
        ("/api/v1/documents", ""),
        ("/api/v1/change-sets", ""),
        ("/api/v1/audit", ""),
        ("/api/v1/backup", ""),
        ("/api/v1/certificates", ""),
        ("/api/v1/tokens", ""),
        ("/api/v1/log", ""),
        ("/api/v1/clock", ""),
        ("/api/v1/attestations", ""),
        ("/api/v1/watch", ""),
        ("/api/v1/explain/port/{name}", &edge),
        ("/api/v1/explain/switch/{name}", &switch),
        ("/metrics", ""),
        ("/livez", ""),
        ("/readyz", ""),
    ] {
        talk.well("GET", template, &template.replace("{name}", name), Value::Null);
    }
    talk.well("GET", "/api/v1/explain/path", &format!("/api/v1/explain/path?from={link}&to={edge}"), Value::Null);
    talk.well("GET", "/api/v1/names", &format!("/api/v1/names?name={link}"), Value::Null);
    let explain = "/api/v1/explain/policy/{kind}/{name}";
    talk.well("GET", explain, "/api/v1/explain/policy/port-policies/mine", Value::Null);
    talk.well("GET", kind, "/api/v1/port-policies", Value::Null);
    talk.well("GET", named, mine, Value::Null);
    talk.well("GET", "/api/v1/documents/{kind}/{name}", "/api/v1/documents/port-policies/mine", Value::Null);
    talk.well("GET", "/api/v1/history/{kind}/{name}", "/api/v1/history/port-policies/mine", Value::Null);
    talk.well("PATCH", named, mine, json!({ "spec": { "priority": 6 } }));
    talk.well("PATCH", kind, "/api/v1/port-policies?name=mine", json!({ "spec": { "priority": 7 } }));
    talk.well("GET", "/api/v1/diff", "/api/v1/diff?from=0", Value::Null);
    talk.well("POST", "/api/v1/what-if", "/api/v1/what-if", json!({ "links": [link] }));
    talk.well("PATCH", "/api/v1/settings", "/api/v1/settings", json!({ "heartbeat_ms": 1000 }));
    talk.well("PATCH", "/api/v1/log", "/api/v1/log", json!({ "level": "info" }));
    for (template, name, body) in [
        ("/api/v1/links/{name}/drain", &link, Value::Null),
        ("/api/v1/links/{name}/restore", &link, Value::Null),
        ("/api/v1/links/{name}/release", &link, Value::Null),
        ("/api/v1/switches/{name}/restore", &switch, Value::Null),
        ("/api/v1/switches/{name}/maintenance", &switch, Value::Null),
        ("/api/v1/switches/{name}/resume", &switch, Value::Null),
        ("/api/v1/simulation/links/{name}/cut", &link, Value::Null),
        ("/api/v1/simulation/links/{name}/mend", &link, Value::Null),
        ("/api/v1/simulation/switches/{name}/off", &switch, Value::Null),
        ("/api/v1/simulation/switches/{name}/on", &switch, Value::Null),
        ("/api/v1/simulation/ports/{name}/pause", &edge, Value::Null),
        ("/api/v1/simulation/ports/{name}/unpause", &edge, Value::Null),
        ("/api/v1/simulation/counters", &edge, json!({ "wiring": wiring, "clockNs": 1, "ports": [] })),
        ("/api/v1/switches/{name}/reboot", &switch, Value::Null),
    ] {
        talk.well("POST", template, &template.replace("{name}", name), body);
    }
    let drain = "/api/v1/switches/{name}/drain";
    talk.well("POST", drain, &format!("/api/v1/switches/{switch}/drain?force=true"), Value::Null);
    talk.well("POST", "/api/v1/switches/{name}/restore", &format!("/api/v1/switches/{switch}/restore"), Value::Null);
    let exchange = "/api/v1/simulation/links/{name}/exchange/{other}";
    let other = talk.manager.control_loop.control.wiring().links().nth(1).expect("a second link").0;
    let other = talk.manager.port_name(other);
    for _ in 0..2 {
        talk.well("POST", exchange, &format!("/api/v1/simulation/links/{link}/exchange/{other}"), Value::Null);
    }
    let how = "/api/v1/simulation/switches/{name}/firmware/{how}";
    let stays = format!("/api/v1/simulation/switches/{switch}/firmware/stays");
    talk.well("POST", how, &stays, json!({ "agent": "0.0.9", "installMs": 5 }));
    let wanted = json!({ "spec": { "selector": "", "settings": { "firmware": "2.2.0" } } });
    talk.well("PUT", named, "/api/v1/switch-policies/firmware", wanted);
    talk.well("GET", "/api/v1/firmware/switches", "/api/v1/firmware/switches", Value::Null);
    let start = "/api/v1/firmware/start";
    talk.well("POST", start, "/api/v1/firmware/start?dryRun=true", json!({ "atOncePercent": 10 }));
    talk.well("POST", start, start, json!({ "atOnce": 2 }));
    talk.well("POST", "/api/v1/firmware/pause", "/api/v1/firmware/pause", Value::Null);
    talk.well("POST", "/api/v1/firmware/resume", "/api/v1/firmware/resume", json!({ "retry": true }));
    talk.well("GET", "/api/v1/firmware", "/api/v1/firmware", Value::Null);
    talk.well("GET", "/api/v1/status", "/api/v1/status", Value::Null);
    talk.well("POST", "/api/v1/firmware/abort", "/api/v1/firmware/abort", Value::Null);
    let order = json!({ "do": "reboot", "selector": "", "atOnce": 1 });
    let operation = talk.well("POST", "/api/v1/operations", "/api/v1/operations", order);
    let operation = operation["name"].as_str().expect("a name").to_owned();
    talk.well("GET", "/api/v1/operations/{name}", &format!("/api/v1/operations/{operation}"), Value::Null);
    let cancel = "/api/v1/operations/{name}/cancel";
    talk.well("POST", cancel, &cancel.replace("{name}", &operation), Value::Null);
    let steps = json!([{ "put": { "kind": "port-policy", "name": "set", "spec": { "priority": 3 } } }]);
    let sets = "/api/v1/change-sets";
    let set = "/api/v1/change-sets/{name}";
    let one = "/api/v1/change-sets/one";
    talk.well("POST", sets, sets, json!({ "name": "one", "steps": steps }));
    talk.well("PUT", set, one, json!({ "steps": steps }));
    talk.well("GET", set, one, Value::Null);
    talk.well("POST", "/api/v1/change-sets/{name}/validate", &format!("{one}/validate"), Value::Null);
    let waits = json!({ "confirmWithinSeconds": 600 });
    talk.well("POST", "/api/v1/change-sets/{name}/commit", &format!("{one}/commit"), waits.clone());
    talk.well("GET", "/api/v1/pending", "/api/v1/pending", Value::Null);
    talk.well("POST", "/api/v1/change-sets/{name}/confirm", &format!("{one}/confirm"), Value::Null);
    talk.well("POST", "/api/v1/change-sets/{name}/rollback", &format!("{one}/rollback"), Value::Null);
    talk.well("DELETE", set, one, Value::Null);
    let apply = json!({ "steps": steps, "confirmWithinSeconds": 600 });
    talk.well("POST", "/api/v1/documents", "/api/v1/documents", apply);
    talk.well("POST", "/api/v1/pending/rollback", "/api/v1/pending/rollback", Value::Null);
    let again = json!({ "steps": steps, "confirmWithinSeconds": 600 });
    let made = talk.well("POST", "/api/v1/documents", "/api/v1/documents", again);
    talk.well("POST", "/api/v1/pending/confirm", "/api/v1/pending/confirm", Value::Null);
    let before = made["revision"].as_u64().expect("a revision") - 1;
    talk.well("POST", "/api/v1/rollback", "/api/v1/rollback", json!({ "revision": before }));
    talk.well("DELETE", named, mine, Value::Null);
    let node = format!("/api/v1/attestations/{node}");
    let attestation = "/api/v1/attestations/{name}";
    talk.well("PUT", attestation, &node, json!({ "qosProfile": "HPC" }));
    talk.well("GET", attestation, &node, Value::Null);
    talk.well("DELETE", attestation, &node, Value::Null);
    let spec = json!({ "spec": { "vniRanges": ["100-200"], "edgePorts": [edge] } });
    talk.well("PUT", named, "/api/v1/vni-partitions/leased", spec);
    let lease = json!({ "expiresAtSeconds": common::NOW + 60 });
    let spec =
        json!({ "spec": { "partition": "leased", "vniRanges": ["100-110"], "edgePorts": [edge], "lease": lease } });
    talk.well("PUT", named, "/api/v1/vni-blocks/leased", spec);
    talk.well("POST", "/api/v1/{kind}/{name}/renew", "/api/v1/vni-blocks/leased/renew", json!({ "seconds": 60 }));
    talk.well("POST", "/api/v1/tokens", "/api/v1/tokens", json!({ "name": "reader", "role": "guest" }));
    talk.well("DELETE", "/api/v1/tokens/{name}", "/api/v1/tokens/reader", Value::Null);
    // The exchange of tokens needs a socket, where the guard is. Here, only its answers'
    // description is tested.
    talk.ask(
        "POST",
        "/oauth/token",
        "/oauth/token",
        json!({ "grant_type": "client_credentials", "client_secret": "x" }),
    );
    talk.ask("POST", "/api/v1/session", "/api/v1/session", Value::Null);
    talk.well("DELETE", "/api/v1/session", "/api/v1/session", Value::Null);
    talk.well("POST", "/api/v1/join-tokens", "/api/v1/join-tokens", json!({ "switches": "x*c*r*b*" }));
    talk.well("POST", "/api/v1/certificates/rotate", "/api/v1/certificates/rotate", Value::Null);
    talk.well("POST", "/api/v1/certificates/retire", "/api/v1/certificates/retire", json!({ "force": true }));
    let revoke = "/api/v1/certificates/{serial}/revoke";
    assert_eq!(talk.ask("POST", revoke, "/api/v1/certificates/00/revoke", Value::Null)["status"], 404);
    talk.well("POST", "/api/v1/backup", "/api/v1/backup", json!({ "passphrase": "correct horse battery" }));
    talk.well("POST", "/api/v1/clock/accept", "/api/v1/clock/accept", json!({}));
    // Takeovers are tested with two managers. Here, only the answers' description is tested.
    for (method, template, body) in [
        ("GET", "/api/v1/leadership", Value::Null),
        ("GET", "/api/v1/leadership/log", Value::Null),
        ("GET", "/api/v1/leadership/copy", Value::Null),
        ("POST", "/api/v1/leadership/secrets", json!({})),
        ("POST", "/api/v1/leadership/takeover", Value::Null),
        ("POST", "/api/v1/leadership/yield", json!({})),
    ] {
        talk.ask(method, template, template, body);
    }
    let described = endpoints().filter(|endpoint| openapi::is_described(endpoint.path));
    let missed: Vec<String> = described
        .filter(|found| !talk.asked.contains(&(found.method.to_owned(), found.path.to_owned())))
        .map(|found| format!("{} {}", found.method, found.path))
        .collect();
    assert!(missed.is_empty(), "not asked: {missed:#?}");
}

#[test]
fn the_committed_document_is_the_one_that_is_served() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../openapi/manager.json");
    let committed = std::fs::read_to_string(path).expect("it is committed");
    let served = format!("{:#}\n", openapi::document());
    assert!(committed == served, "philae manager openapi > openapi/manager.json would bring it up to date");
}

#[test]
fn operations_have_names_of_their_own_and_all_references_lead_somewhere() {
    let document = openapi::document();
    let mut names = BTreeSet::new();
    let paths = document["paths"].as_object().expect("paths");
    for operation in paths.values().flat_map(|item| item.as_object().expect("methods").values()) {
        assert!(names.insert(operation["operationId"].as_str().expect("a name")), "{}", operation["operationId"]);
    }
    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(table) => {
                found.extend(table.get("$ref").and_then(Value::as_str));
                table.values().for_each(|value| references(value, found));
            }
            Value::Array(list) => list.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(found.len() > 100, "{}", found.len());
    for reference in found {
        let pointer = reference.strip_prefix('#').expect("of this document");
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

/// Legal constructs that generators of clients do not handle: schemas that are `true`, a licence
/// without identifier, references into schemas, bodies without a name, and names that differ only
/// in capitals and signs.
#[test]
fn programs_that_make_clients_can_read_it() {
    fn schemas<'a>(value: &'a Value, path: String, found: &mut Vec<(String, &'a Value)>) {
        match value {
            Value::Object(table) => {
                for (key, below) in table {
                    let path = format!("{path}/{key}");
                    match (key.as_str(), below) {
                        ("properties" | "patternProperties" | "schemas", Value::Object(each)) => {
                            found.extend(each.iter().map(|(name, schema)| (format!("{path}/{name}"), schema)));
                        }
                        ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(each)) => {
                            found.extend(each.iter().map(|schema| (path.clone(), schema)));
                        }
                        ("items" | "schema" | "not", schema) => found.push((path.clone(), schema)),
                        _ => {}
                    }
                    schemas(below, path, found);
                }
            }
            Value::Array(list) => list.iter().for_each(|below| schemas(below, path.clone(), found)),
            _ => {}
        }
    }
    let document = openapi::document();
    let mut found = Vec::new();
    schemas(&document, String::new(), &mut found);
    assert!(found.len() > 1_000, "{}", found.len());
    for (path, schema) in &found {
        assert!(!schema.is_boolean(), "{path} is {schema}");
        assert!(!schema["title"].is_string(), "{path}: a title is taken for the name");
        if let Some(reference) = schema["$ref"].as_str() {
            assert_eq!(reference.split('/').count(), 4, "{path}: {reference} leads into a schema");
        }
    }
    assert!(document["info"]["license"]["identifier"].is_string());
    let plain = |name: &str| name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    for section in ["schemas", "parameters", "responses"] {
        let names = document["components"][section].as_object().expect("a table").keys();
        let once: BTreeSet<String> = names.clone().map(|name| plain(name)).collect();
        assert!(
            section != "schemas" || names.clone().all(|name| !name.contains('.')),
            "what stands before a dot is left out"
        );
        assert_eq!(once.len(), names.len(), "{section}");
    }
    let mut operations = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for operation in item.as_object().expect("methods").values() {
            let name = operation["operationId"].as_str().expect("a name");
            assert!(operations.insert(plain(name)), "{path}: {name} is another one's, too");
            let bodies = operation["requestBody"]["content"].as_object().into_iter().flatten();
            for (kind, body) in bodies {
                let schema = &body["schema"];
                let is_named =
                    schema["$ref"].is_string() || *schema == json!({}) || schema["anyOf"][0]["$ref"].is_string();
                assert!(is_named, "{path} {kind}: {schema}");
            }
        }
    }
}

#[test]
fn lists_may_be_asked_for_as_lines() {
    let mut manager = common::manager("malbec");
    let request = ApiRequest {
        method: "GET".to_owned(),
        path: "/api/v1/ports".to_owned(),
        accept: Some("application/x-ndjson".to_owned()),
        actor: Actor::process(),
        ..ApiRequest::default()
    };
    let Ok(Reply::Lines(pieces)) = answer(&mut manager, request) else { panic!("lines") };
    let mut bytes = Vec::new();
    pieces(&mut |piece| {
        bytes.extend(piece);
        true
    });
    let lines: Vec<Value> =
        bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    assert_eq!(lines.len(), manager.fabric.port_count());
    assert_eq!(lines[0]["name"], json!(manager.port_name(philae_units::PortIndex(0))));
}
