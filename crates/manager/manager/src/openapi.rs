//! The API as OpenAPI 3.1, made from the table of endpoints and from the types of requests and
//! answers.

use std::collections::BTreeSet;

use philae_policy::{DocumentKind, schema};
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use crate::access::RequiredAccess;
use crate::api::endpoints;
use crate::protocol::endpoint::ApiEndpoint;
use crate::protocol::list::LIMIT_MAX;
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::request::WAIT_MOST_SECONDS;
use crate::protocol::shape;
use crate::protocol::shape::{Content, SchemaOf};
use crate::{compat, login};

/// Whether the document describes the endpoints of a path. It omits the compatibility view, which
/// its clients' own documentation describes, and all but the first of several paths for one thing.
#[must_use]
pub fn is_described(path: &str) -> bool {
    !compat::paths::is_path(path) && !login::is_alias(path)
}

#[must_use]
pub fn document() -> Value {
    let mut generator = shape::generator();
    let mut paths: Map<String, Value> = Map::new();
    let mut shared_parameters = Map::new();
    for endpoint in endpoints().filter(|endpoint| is_described(endpoint.path)) {
        for (path, kind) in concrete(endpoint) {
            let item = paths.entry(path.clone()).or_insert_with(|| json!({}));
            let method = endpoint.method.to_lowercase();
            // The first one that matches counts, as in the router.
            if item.get(&method).is_none() {
                let mut operation = operation(endpoint, &path, kind, &mut generator);
                shared(&mut operation, &mut shared_parameters);
                item[&method] = operation;
            }
        }
    }
    generator.subschema_for::<ApiProblem>();
    let mut schemas = generator.take_definitions(true);
    let text = Value::Object(paths.clone()).to_string();
    for kind in DocumentKind::ALL {
        documents_of(*kind, &mut schemas);
        let name = document_name(*kind);
        // Switches, ports and links have other answers.
        if !text.contains(&format!("/{name}\"")) {
            schemas.remove(&name);
        }
    }
    schemas.extend(patches());
    schemas.values_mut().for_each(without_booleans);
    paths.values_mut().for_each(without_booleans);
    let codes: Vec<Value> = ProblemCode::ALL
        .iter()
        .map(|code| json!({ "code": code.code(), "status": code.status(), "title": code.title() }))
        .collect();
    let headers: Map<String, Value> = HEADERS
        .iter()
        .map(|(name, description, of)| {
            ((*name).to_owned(), json!({ "description": description, "schema": { "type": of } }))
        })
        .collect();
    let document_codes: Vec<&str> = philae_policy::PolicyCode::ALL.iter().map(|code| code.code()).collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Philae fabric manager",
            "version": "v1",
            "summary": "Inventory, observed state and desired state of a fabric.",
            "description": "Errors are application/problem+json (RFC 9457); their codes are in x-problem-codes, those of the \
                            single problems of documents in x-document-problem-codes.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "token": [] }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "parameters": shared_parameters,
            "responses": problems(),
            "headers": headers,
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
        },
        "x-problem-codes": codes,
        "x-document-problem-codes": document_codes,
    })
}

/// The paths of an endpoint: one for each kind of document if it is for all kinds.
fn concrete(endpoint: &ApiEndpoint) -> Vec<(String, Option<DocumentKind>)> {
    match endpoint.path.strip_prefix("/api/v1/{kind}") {
        None => vec![(endpoint.path.to_owned(), None)],
        Some(rest) => {
            DocumentKind::ALL.iter().map(|kind| (format!("/api/v1/{}{rest}", kind.plural()), Some(*kind))).collect()
        }
    }
}

/// The schemas of one kind's documents, with names of their own.
fn documents_of(kind: DocumentKind, schemas: &mut Map<String, Value>) {
    let mut own = schema::of(kind);
    let definitions = own.get_mut("$defs").map(Value::take).unwrap_or_default();
    renamed(&mut own);
    if let Value::Object(definitions) = definitions {
        for (name, mut definition) in definitions {
            renamed(&mut definition);
            schemas.insert(intent_name(&name), definition);
        }
    }
    let Value::Object(mut own) = own else { return };
    own.remove("$schema");
    // Generators of clients use it as the name, which another schema has.
    own.remove("title");
    own.remove("$defs");
    // The path has kind and name; the additions of GET may be sent back.
    own.remove("required");
    if let Some(Value::Object(properties)) = own.get_mut("properties") {
        for key in ["stock", "revision", "status"] {
            properties.insert(key.to_owned(), json!({ "description": "Added by GET; ignored." }));
        }
    }
    let spec = own.get("properties").and_then(|properties| properties.get("spec")).cloned().unwrap_or(json!({}));
    schemas.insert(intent_name(kind.singular()), Value::Object(own));
    let shown = json!({ "allOf": [{ "$ref": "#/components/schemas/Document" }, { "type": "object", "properties": { "spec": spec } }] });
    schemas.insert(document_name(kind), shown);
}

/// The words of a name, each with a capital: `port-policy` becomes `PortPolicy`. Generators of
/// clients drop dots and dashes, and what precedes them.
fn capitals(name: &str) -> String {
    let parts = name.split('-').map(|part| {
        let mut letters = part.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    });
    parts.collect()
}

/// The name of the schema of a document, or of a part of it.
fn intent_name(name: &str) -> String {
    format!("Intent{}", capitals(name))
}

/// The name of the schema of a kind's document with its status.
fn document_name(kind: DocumentKind) -> String {
    format!("{}Document", capitals(kind.singular()))
}

/// Both kinds of patches, with names, because each generator of clients invents its own name for a
/// schema without one.
fn patches() -> [(String, Value); 2] {
    let merge = json!({
        "description": "A JSON merge patch (RFC 7396): sets these fields; null removes one.",
        "type": "object",
        "additionalProperties": true,
    });
    let operation = json!({
        "type": "object",
        "required": ["op", "path"],
        "properties": {
            "op": { "type": "string", "enum": ["add", "remove", "replace", "move", "copy", "test"] },
            "path": { "type": "string", "description": "A JSON pointer." },
            "from": { "type": "string", "description": "A JSON pointer, of move and copy." },
            "value": { "description": "Of add, replace and test." },
        },
    });
    let patch = json!({
        "description": "A JSON patch (RFC 6902): steps, all of them or none.",
        "type": "array",
        "items": operation,
    });
    [("MergePatch".to_owned(), merge), ("JsonPatch".to_owned(), patch)]
}

/// Replaces a schema `true` by the equivalent object, because many programs know only that.
fn without_booleans(value: &mut Value) {
    const TABLES: [&str; 3] = ["properties", "patternProperties", "$defs"];
    const SINGLE: [&str; 5] = ["items", "contains", "not", "propertyNames", "schema"];
    const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];
    let plain = |schema: &mut Value| {
        if *schema == json!(true) {
            *schema = json!({});
        }
    };
    match value {
        Value::Object(table) => {
            for (key, below) in table.iter_mut() {
                match &mut *below {
                    Value::Object(schemas) if TABLES.contains(&key.as_str()) => schemas.values_mut().for_each(plain),
                    Value::Array(schemas) if LISTS.contains(&key.as_str()) => schemas.iter_mut().for_each(plain),
                    schema if SINGLE.contains(&key.as_str()) => plain(schema),
                    _ => {}
                }
                without_booleans(below);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(without_booleans),
        _ => {}
    }
}

/// Moves references to definitions to OpenAPI's place.
fn renamed(schema: &mut Value) {
    match schema {
        Value::Object(table) => {
            if let Some(Value::String(reference)) = table.get_mut("$ref")
                && let Some(name) = reference.strip_prefix("#/$defs/")
            {
                *reference = format!("#/components/schemas/{}", intent_name(name));
            }
            table.values_mut().for_each(renamed);
        }
        Value::Array(list) => list.iter_mut().for_each(renamed),
        _ => {}
    }
}

fn schema_of(schema: SchemaOf, generator: &mut SchemaGenerator) -> Value {
    schema(generator).to_value()
}

fn operation(endpoint: &ApiEndpoint, path: &str, kind: Option<DocumentKind>, generator: &mut SchemaGenerator) -> Value {
    let mut operation = json!({
        "operationId": name_of(endpoint.method, path),
        "summary": endpoint.summary,
        "tags": [tag_of(path)],
        "parameters": parameters(endpoint, path),
        "responses": responses(endpoint, kind, generator),
        "x-roles": endpoint.access.shown(),
    });
    if matches!(endpoint.access, RequiredAccess::Open | RequiredAccess::Figures) {
        operation["security"] = json!([]);
    }
    if let Some(body) = body(endpoint, kind, generator) {
        operation["requestBody"] = body;
    }
    operation
}

/// `getSwitches`, `postLinksByNameDrain`.
fn name_of(method: &str, path: &str) -> String {
    let mut name = method.to_lowercase();
    for step in path.trim_start_matches("/api/v1").split(['/', '-', '.']).filter(|step| !step.is_empty()) {
        let step = match step.strip_prefix('{').and_then(|step| step.strip_suffix('}')) {
            Some(captured) => format!("by-{captured}"),
            None => step.to_owned(),
        };
        for part in step.split('-') {
            let mut letters = part.chars();
            name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
            name.push_str(letters.as_str());
        }
    }
    name
}

fn tag_of(path: &str) -> &str {
    path.trim_start_matches("/api/v1").split('/').find(|step| !step.is_empty()).unwrap_or("api")
}

fn parameters(endpoint: &ApiEndpoint, path: &str) -> Vec<Value> {
    let mut parameters = Vec::new();
    for step in path.split('/') {
        if let Some(name) = step.strip_prefix('{').and_then(|step| step.strip_suffix('}')) {
            let schema = match name {
                "kind" => json!({ "enum": DocumentKind::ALL.iter().map(|kind| kind.plural()).collect::<Vec<_>>() }),
                _ => json!({ "type": "string", "minLength": 1 }),
            };
            parameters.push(json!({ "name": name, "in": "path", "required": true, "schema": schema }));
        }
    }
    let least = (endpoint.method == "GET")
        .then_some(&("atLeastRevision", "refused unless the documents have this revision or a later one"));
    for (name, description) in endpoint.query.iter().chain(least) {
        let required = matches!((path, *name), ("/api/v1/explain/path", _) | ("/api/v1/diff", "from"));
        let required = required && *name != "atLeastRevision";
        parameters.push(json!({
            "name": name,
            "in": "query",
            "required": required,
            "description": description,
            "schema": query_schema(path, name),
        }));
    }
    let headers: &[(&str, &str)] = match (endpoint.method, endpoint.changes, endpoint.shape.content) {
        ("GET", _, Content::Json(_) | Content::Lines(..)) => {
            &[("If-None-Match", "304 if it still has this entity tag")]
        }
        ("GET", _, Content::Events) => &[("Last-Event-ID", "the id of the last event that was seen")],
        (_, true, _) => &[
            (
                "If-Match",
                "412 unless it has this entity tag: of a document its revision, else the newest revision of all",
            ),
            ("Idempotency-Key", "the same request with the same key is done once"),
        ],
        _ => &[],
    };
    for (name, description) in headers {
        let schema = json!({ "type": "string", "minLength": 1, "maxLength": 255 });
        parameters.push(json!({ "name": name, "in": "header", "description": description, "schema": schema }));
    }
    parameters
}

fn query_schema(path: &str, name: &str) -> Value {
    let number = |most: u64| json!({ "type": "integer", "minimum": 1, "maximum": most });
    let revision = json!({ "type": "integer", "minimum": 0 });
    match (path, name) {
        ("/api/v1/alarms" | "/api/v1/traffic" | "/api/v1/attestations" | "/api/v1/certificates", "limit") => {
            number(100_000)
        }
        ("/api/v1/audit", "limit") => number(10_000),
        (path, "limit") if path.starts_with("/api/v1/history") => number(10_000),
        (_, "limit") => number(LIMIT_MAX as u64),
        (_, "timeout") => number(WAIT_MOST_SECONDS as u64),
        (_, "timeoutSeconds") => number(86_400),
        (_, "wait") => json!({ "const": "applied" }),
        (_, "dryRun" | "override") => json!({ "type": "boolean" }),
        (_, "outcome") => json!({ "enum": ["done", "refused"] }),
        ("/api/v1/explain/path", _) => json!({ "type": "string" }),
        (_, "revision" | "atLeastRevision" | "before" | "from" | "to" | "fromMicros" | "untilMicros") => revision,
        _ => json!({ "type": "string" }),
    }
}

fn body(endpoint: &ApiEndpoint, kind: Option<DocumentKind>, generator: &mut SchemaGenerator) -> Option<Value> {
    let content = match (endpoint.method, kind) {
        ("PUT", Some(kind)) => {
            let reference = format!("#/components/schemas/{}", intent_name(kind.singular()));
            json!({ "application/json": { "schema": { "$ref": reference } } })
        }
        ("PATCH", Some(_)) => json!({
            "application/merge-patch+json": { "schema": { "$ref": "#/components/schemas/MergePatch" } },
            "application/json-patch+json": { "schema": { "$ref": "#/components/schemas/JsonPatch" } },
            "application/json": { "schema": { "$ref": "#/components/schemas/MergePatch" } },
        }),
        _ if login::is_token_path(endpoint.path) => {
            json!({ "application/x-www-form-urlencoded": { "schema": schema_of(endpoint.shape.body?, generator) } })
        }
        _ => json!({ "application/json": { "schema": schema_of(endpoint.shape.body?, generator) } }),
    };
    let required = endpoint.path != "/api/v1/change-sets/{name}/commit";
    Some(json!({ "required": required, "content": content }))
}

fn responses(
    endpoint: &ApiEndpoint,
    kind: Option<DocumentKind>,
    generator: &mut SchemaGenerator,
) -> Map<String, Value> {
    let mut responses = Map::new();
    let json_type = "application/json";
    let content = match endpoint.shape.content {
        Content::Json(schema) => {
            let mut schema = schema_of(schema, generator);
            if let (Some(kind), "GET") = (kind, endpoint.method) {
                schema = json!({ "$ref": format!("#/components/schemas/{}", document_name(kind)) });
            }
            json!({ json_type: { "schema": schema } })
        }
        Content::Lines(list, item) => json!({
            json_type: { "schema": projected(schema_of(list, generator)) },
            "application/x-ndjson": { "schema": {
                "type": "string",
                "description": "One JSON document a line, each an item of the list.",
                "x-item": schema_of(item, generator),
            } },
        }),
        Content::Text if !endpoint.query.is_empty() => json!({
            "text/plain": { "schema": { "type": "string" } },
            // With a key of the compatibility view.
            json_type: { "schema": { "type": "object" } },
        }),
        Content::Text => json!({ "text/plain": { "schema": { "type": "string" } } }),
        Content::File => json!({ "application/octet-stream": {} }),
        Content::Events => json!({ "text/event-stream": { "schema": { "type": "string" } } }),
    };
    for status in endpoint.shape.statuses {
        let mut headers = Map::new();
        for (name, _, _) in HEADERS.iter().filter(|(name, ..)| *name != "Location" || *status == 202) {
            headers.insert((*name).to_owned(), json!({ "$ref": format!("#/components/headers/{name}") }));
        }
        let description = match status {
            201 => "Created.",
            202 => "It was begun; its location shows the progress.",
            _ => endpoint.summary,
        };
        responses
            .insert(status.to_string(), json!({ "description": description, "headers": headers, "content": content }));
    }
    if endpoint.method == "GET" && matches!(endpoint.shape.content, Content::Json(_) | Content::Lines(..)) {
        responses.insert("304".to_owned(), json!({ "description": "It still has that entity tag." }));
    }
    let mut errors: BTreeSet<u16> = endpoint.shape.errors.iter().copied().collect();
    errors.extend([400, 500, 503]);
    if endpoint.access != RequiredAccess::Open {
        errors.extend([401, 403, 429]);
    }
    if endpoint.method == "GET" {
        errors.insert(409);
    }
    if endpoint.changes {
        errors.extend([409, 412, 507]);
    }
    if endpoint.shape.body.is_some() || kind.is_some() {
        errors.extend([408, 413, 415]);
    }
    for status in errors {
        let name =
            if login::is_token_path(endpoint.path) { "TokenError".to_owned() } else { format!("Problem{status}") };
        responses.insert(status.to_string(), json!({ "$ref": format!("#/components/responses/{name}") }));
    }
    responses
}

/// Headers of answers.
const HEADERS: [(&str, &str, &str); 3] = [
    ("Philae-Revision", "The newest revision.", "integer"),
    ("X-Request-Id", "Name of the request in the audit.", "string"),
    ("Location", "The operation.", "string"),
];

/// Errors, by status.
fn problems() -> Map<String, Value> {
    let statuses: BTreeSet<u16> = ProblemCode::ALL.iter().map(|code| code.status()).collect();
    let response = |status: u16| {
        let titles: BTreeSet<&str> =
            ProblemCode::ALL.iter().filter(|code| code.status() == status).map(|code| code.title()).collect();
        json!({
            "description": titles.into_iter().collect::<Vec<_>>().join("; "),
            "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } },
        })
    };
    let mut problems: Map<String, Value> =
        statuses.into_iter().map(|status| (format!("Problem{status}"), response(status))).collect();
    let text = json!({ "type": "string" });
    let schema = json!({
        "type": "object",
        "required": ["error", "error_description", "status", "code", "detail"],
        "properties": {
            "error": text, "error_description": text, "status": { "type": "integer" }, "code": text, "detail": text,
        },
    });
    let description = "The error, in the words of RFC 6749, section 5.2";
    let content = json!({ "application/json": { "schema": schema } });
    problems.insert("TokenError".to_owned(), json!({ "description": description, "content": content }));
    problems
}

/// Moves parameters that several operations share to one place.
fn shared(operation: &mut Value, parameters: &mut Map<String, Value>) {
    for parameter in operation["parameters"].as_array_mut().into_iter().flatten() {
        let word = |key: &str| parameter[key].as_str().unwrap_or_default().to_owned();
        let name = format!("{}.{}", word("in"), word("name").replace('$', ""));
        let known = parameters.entry(name.clone()).or_insert_with(|| parameter.clone());
        if known == parameter {
            *parameter = json!({ "$ref": format!("#/components/parameters/{name}") });
        }
    }
}

/// A list may be requested with some fields only: then its items have these alone.
fn projected(list: Value) -> Value {
    json!({ "anyOf": [list, {
        "description": "With `fields`: items with only these fields.",
        "type": "object",
        "required": ["items", "next"],
        "properties": { "items": { "type": "array", "items": { "type": "object" } } },
    }] })
}
