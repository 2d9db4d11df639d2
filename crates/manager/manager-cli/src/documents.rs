//! Documents in files: applied, compared, exported.

use std::path::PathBuf;
use std::process::ExitCode;

use philae_console::out;
use philae_policy::{Document, DocumentChange, DocumentKind, DocumentSet, difference, from_yaml, to_json, to_yaml};
use philae_topology::{read_input, read_standard_input};
use serde_json::{Value, json};

use super::arguments::Making;
use super::http::{HttpClient, all};
use super::render::{AnswerFormat, Style};
use philae_manager_api::Failure;

/// Reads the documents in files. JSON works too, because it is YAML.
fn read(files: &[PathBuf]) -> Result<Vec<Document>, Failure> {
    let mut documents = Vec::new();
    for file in files {
        let bytes = if file.as_os_str() == "-" { read_standard_input() } else { read_input(file) };
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(std::io::Error::other));
        let text = text.map_err(|error| Failure(2, format!("{}: {error}", file.display())))?;
        let found = from_yaml(&text).map_err(|problems| {
            let lines: Vec<String> = problems.iter().map(|problem| format!("{}: {problem}", file.display())).collect();
            Failure(2, lines.join("\n"))
        })?;
        documents.extend(found);
    }
    Ok(documents)
}

/// Puts all documents as one change: they are made together or not at all.
fn put_all(client: &HttpClient, documents: &[Document], how: Making) -> Result<Value, Failure> {
    let steps: Vec<Value> = documents.iter().map(|document| json!({ "put": document.to_value() })).collect();
    let mut body = json!({ "steps": steps });
    how.confirmable(&mut body);
    client.send("POST", &format!("/api/v1/documents{}", how.query()), body)
}

/// The kind of a document by its name, singular or plural.
fn kind_of(text: &str) -> Result<DocumentKind, Failure> {
    DocumentKind::parse(text).ok_or_else(|| {
        let names: Vec<&str> = DocumentKind::ALL.iter().map(|kind| kind.plural()).collect();
        let near = philae_policy::nearest(text, names.iter().copied());
        let near = near.map_or_else(String::new, |near| format!("did you mean '{near}'? "));
        Failure(2, format!("there are no '{text}'; {near}There are: {}", names.join(", ")))
    })
}

/// `philae fabric delete`
pub fn delete(client: &HttpClient, kind: &str, name: &str, how: Making, style: Style) -> Result<(), Failure> {
    let kind = kind_of(kind)?;
    // If there is none of this name, the error suggests similar ones.
    client.get(&format!("/api/v1/{}/{name}", kind.plural()), &[])?;
    let step = json!({ "delete": { "kind": kind.singular(), "name": name } });
    let mut body = json!({ "steps": [step] });
    how.confirmable(&mut body);
    let answer = client.send("POST", &format!("/api/v1/documents{}", how.query()), body)?;
    let done = if how.dry_run { "would be deleted" } else { "deleted" };
    let refused = answer["refusedNow"].as_str();
    let refused = refused.map_or_else(String::new, |why| format!("\nnow it would be refused: {why}"));
    let words = format!("{done}: {} {name}{refused}{}", kind.plural(), how.note());
    style.tell(&json!({ "deleted": { "kind": kind.plural(), "name": name }, "report": answer }), &words)
}

/// `philae fabric apply`
pub fn apply(client: &HttpClient, files: &[PathBuf], how: Making, style: Style) -> Result<ExitCode, Failure> {
    let documents = read(files)?;
    let answer = put_all(client, &documents, how)?;
    if style.is_data() {
        style.tell(&answer, "")?;
        return Ok(ExitCode::SUCCESS);
    }
    let names: Vec<String> =
        documents.iter().map(|document| format!("{}/{}", document.kind.plural(), document.name)).collect();
    let line = format!("{} {}", names.join(", "), reaches(&answer, how.dry_run));
    out!("{}{}", philae_manager_api::wrap(&line, 0), how.note());
    for warning in answer["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        out!("  warning: {}", philae_manager_api::wrap(warning, 11));
    }
    if let Some(refused) = answer["refusedNow"].as_str() {
        out!("  {}", philae_manager_api::wrap(&format!("now it would be refused: {refused}"), 2));
    }
    Ok(ExitCode::SUCCESS)
}

/// The reach of a change in words: ports, or the sections of switches that change.
pub fn reaches(answer: &Value, dry_run: bool) -> String {
    let blast = &answer["blastRadius"];
    let verb = if dry_run { "would reach" } else { "reaches" };
    let count = |key: &str| blast[key].as_u64().unwrap_or(0);
    let (ports, switches, sent) = (count("ports"), count("switches"), count("sentTo"));
    if ports > 0 {
        let ports = philae_manager_api::counted(ports, "port", "s");
        return format!("{verb} {ports} of {}", philae_manager_api::counted(switches, "switch", "es"));
    }
    let sections: Vec<&str> =
        blast["sections"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    if sent > 0 {
        let switches = philae_manager_api::counted(sent, "switch", "es");
        return format!("{verb} {switches} (sections: {})", sections.join(", "));
    }
    format!("{verb} nothing now: it changes no port and no switch")
}

/// The manager's documents of some kinds; of all kinds if none is named.
fn fetch(client: &HttpClient, kinds: &[DocumentKind]) -> Result<DocumentSet, Failure> {
    let query: Vec<(String, String)> = kinds.iter().map(|kind| ("kind".to_owned(), kind.plural().to_owned())).collect();
    let mut changes = Vec::new();
    // One request for each kind, because a query has each key once.
    let none: &[&[(String, String)]] = &[&[]];
    let each: Vec<&[(String, String)]> = query.chunks(1).collect();
    for query in if kinds.is_empty() { none } else { &each } {
        let (items, _) = all(client, "/api/v1/documents", query, usize::MAX)?;
        for mut item in items {
            // The fields of the answer in addition to the document itself.
            for key in ["stock", "revision", "status", "ageSeconds"] {
                item.as_object_mut().map(|item| item.remove(key));
            }
            let document = Document::from_value(&item).map_err(|problems| {
                let why = problems.first().map_or_else(String::new, ToString::to_string);
                Failure(1, format!("the manager's {item} is not a document of this version: {why}"))
            })?;
            changes.push(DocumentChange::Put(document));
        }
    }
    Ok(DocumentSet::default().changed(&changes))
}

/// `philae fabric diff`
pub fn diff(client: &HttpClient, files: &[PathBuf], style: Style) -> Result<ExitCode, Failure> {
    let wanted = read(files)?;
    // `apply` must accept the documents, or there is nothing to compare.
    put_all(client, &wanted, Making { dry_run: true, ..Making::default() })?;
    let mut kinds: Vec<DocumentKind> = wanted.iter().map(|document| document.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let before = fetch(client, &kinds)?;
    let changes: Vec<DocumentChange> = wanted.into_iter().map(DocumentChange::Put).collect();
    let found = difference(&before, &before.changed(&changes));
    match style.format {
        AnswerFormat::Json | AnswerFormat::Yaml => {
            let value = serde_json::to_value(&found).map_err(|error| Failure(1, error.to_string()))?;
            philae_console::print(&super::render::answer("differences", &value, style))?;
        }
        AnswerFormat::Table | AnswerFormat::Wide => {
            let paint = |sign: char, text: String| {
                let code = if sign == '+' { 32 } else { 31 };
                if style.colour { format!("\x1b[{code}m{sign}{text}\x1b[0m") } else { format!("{sign}{text}") }
            };
            for document in &found {
                let verb = if document.was_there { "changes" } else { "is new" };
                out!("{} {verb}", document.document);
                for field in &document.fields {
                    for (sign, value) in [('-', &field.before), ('+', &field.after)] {
                        if let Some(value) = value {
                            out!("{}", paint(sign, format!(" {}: {value}", field.pointer)));
                        }
                    }
                }
            }
            if found.is_empty() {
                out!("no differences");
            }
        }
    }
    Ok(if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// `philae fabric export`
pub fn export(client: &HttpClient, kinds: &[String], all: bool, style: Style) -> Result<ExitCode, Failure> {
    let mut kinds: Vec<DocumentKind> = kinds.iter().map(|text| kind_of(text)).collect::<Result<_, _>>()?;
    if kinds.is_empty() && !all {
        // No configuration: of this manager alone, and not for a repository.
        kinds = DocumentKind::ALL
            .iter()
            .copied()
            .filter(|kind| !matches!(kind, DocumentKind::Token | DocumentKind::RoleBinding))
            .collect();
    }
    let set = fetch(client, &kinds)?;
    match style.format {
        AnswerFormat::Json => philae_console::print(&to_json(&set))?,
        AnswerFormat::Yaml | AnswerFormat::Table | AnswerFormat::Wide => philae_console::print(&to_yaml(&set))?,
    }
    Ok(ExitCode::SUCCESS)
}
