//! Past changes with their actors, rollbacks, and present changes.

use std::fs::OpenOptions;
use std::io::{BufRead, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use philae_console::out;
use philae_manager_api::passphrase_beside;
use serde_json::{Value, json};

use super::arguments::Making;
use super::http::HttpClient;
use super::render::{AnswerFormat, Style, answer};
use philae_manager_api::Failure;

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A time of the API in the form for people.
fn time(micros: &Value) -> String {
    let seconds = micros.as_u64().unwrap_or(0) / 1_000_000;
    philae_manager_api::utc(seconds)
}

fn fields(changed: &Value, style: Style) -> Result<(), Failure> {
    for field in changed["fields"].as_array().into_iter().flatten() {
        for (sign, colour, key) in [('-', 31, "before"), ('+', 32, "after")] {
            if field[key].is_null() {
                continue;
            }
            let words = format!("{}: {}", text(&field["pointer"]), field[key]);
            let line = format!("    {sign} {}", philae_manager_api::wrap(&words, 6));
            out!("{}", if style.colour { format!("\x1b[{colour}m{line}\x1b[0m") } else { line });
        }
    }
    Ok(())
}

/// A line; words that do not fit follow below it, indented.
fn indented(words: &str) -> String {
    philae_manager_api::wrap(words, 0).replace('\n', "\n    ")
}

fn because(entry: &Value) -> String {
    let reason = text(&entry["reason"]);
    if reason.is_empty() { String::new() } else { format!(": {reason}") }
}

/// `philae fabric history`
pub fn history(client: &HttpClient, kind: &str, name: &str, limit: usize, style: Style) -> Result<(), Failure> {
    let query = [("limit".to_owned(), limit.clamp(1, 10_000).to_string())];
    let found = client.get(&format!("/api/v1/history/{kind}/{name}"), &query)?;
    if style.is_data() {
        philae_console::print(&answer("history", &found, style))?;
        return Ok(());
    }
    for past in found["items"].as_array().into_iter().flatten() {
        let (what, who) = (text(&past["changed"]["what"]), text(&past["actor"]));
        let words =
            format!("revision {}  {}  {what} by {who}{}", past["revision"], time(&past["atMicros"]), because(past));
        out!("{}", indented(&words));
        fields(&past["changed"], style)?;
    }
    Ok(())
}

/// `philae fabric audit`
pub fn audit(client: &HttpClient, query: &[(String, String)], style: Style) -> Result<(), Failure> {
    let found = client.get("/api/v1/audit", query)?;
    if style.is_data() {
        philae_console::print(&answer("audit", &found, style))?;
        return Ok(());
    }
    for entry in found["items"].as_array().into_iter().flatten() {
        let revision = entry["revision"].as_u64().map_or_else(|| "        -".to_owned(), |found| format!("{found:9}"));
        let (who, outcome) = (text(&entry["actor"]), text(&entry["outcome"]));
        let words = format!("{}  {who}  {outcome}{}", time(&entry["atMicros"]), because(entry));
        out!("{revision}  {}", philae_manager_api::wrap(&words, 11));
        let order = &entry["order"];
        if !order.is_null() {
            out!("    {} {}", text(&order["method"]), text(&order["path"]));
        }
        if let Some(refusal) = entry["refusal"].as_str() {
            out!("    refused: {}", philae_manager_api::wrap(refusal, 13));
        }
        for changed in entry["changes"].as_array().into_iter().flatten() {
            out!("    {} {}: {}", text(&changed["kind"]), text(&changed["name"]), text(&changed["what"]));
            fields(changed, style)?;
        }
    }
    Ok(())
}

/// `philae fabric changes`
pub fn changes(client: &HttpClient, from: u64, to: Option<u64>, style: Style) -> Result<(), Failure> {
    let mut query = vec![("from".to_owned(), from.to_string())];
    query.extend(to.map(|to| ("to".to_owned(), to.to_string())));
    let found = client.get("/api/v1/diff", &query)?;
    if style.is_data() {
        philae_console::print(&answer("differences", &found, style))?;
        return Ok(());
    }
    let items = found["items"].as_array().map_or(&[][..], Vec::as_slice);
    for changed in items {
        out!("{} {}: {}", text(&changed["kind"]), text(&changed["name"]), text(&changed["what"]));
        fields(changed, style)?;
    }
    if items.is_empty() {
        out!("no differences between revisions {} and {}", found["from"], found["to"]);
    }
    Ok(())
}

/// `philae fabric rollback`
pub fn rollback(client: &HttpClient, revision: u64, how: Making, style: Style) -> Result<(), Failure> {
    let mut body = json!({ "revision": revision });
    how.confirmable(&mut body);
    let done = client.send("POST", &format!("/api/v1/rollback{}", how.query()), body)?;
    let words = format!("back to revision {revision}: {}", super::documents::reaches(&done, how.dry_run));
    style.tell(&done, &(philae_manager_api::wrap(&words, 0) + &how.note()))
}

/// `philae fabric confirm`: keeps the pending change, or takes it back.
pub fn confirm(client: &HttpClient, undo: bool, style: Style) -> Result<(), Failure> {
    if undo {
        let done = client.send("POST", "/api/v1/pending/rollback", Value::Null)?;
        return style.tell(&done, "undone: documents are as they were before");
    }
    client.send("POST", "/api/v1/pending/confirm", Value::Null)?;
    style.tell(&json!({ "confirmed": true }), "confirmed: the change stays")
}

/// A time such as 2h, in seconds.
fn seconds_of(text: &str) -> Result<u64, Failure> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" | "s" => Some(1),
        "m" | "min" => Some(60),
        "h" => Some(3_600),
        "d" => Some(86_400),
        _ => None,
    };
    let number = digits.parse::<u64>().ok();
    let found = number.zip(factor).and_then(|(number, factor)| number.checked_mul(factor));
    found.ok_or_else(|| Failure(2, format!("--since {text}: a number with s, min, h or d would work, such as 2h")))
}

/// More events of one kind in a row than this become one line.
const TOGETHER: usize = 3;

/// `philae fabric events`
pub fn events(
    client: &HttpClient,
    since: &str,
    types: Option<String>,
    limit: usize,
    style: Style,
) -> Result<(), Failure> {
    let mut query = vec![
        ("sinceSeconds".to_owned(), seconds_of(since)?.to_string()),
        ("limit".to_owned(), limit.clamp(1, 100_000).to_string()),
    ];
    query.extend(types.map(|types| ("types".to_owned(), types)));
    let found = client.get("/api/v1/events", &query)?;
    if style.is_data() {
        philae_console::print(&answer("events", &found, style))?;
        return Ok(());
    }
    let items = found["items"].as_array().map_or(&[][..], Vec::as_slice);
    if items.is_empty() {
        out!("nothing happened in the last {since}");
    }
    let second = |item: &Value| item["atMicros"].as_u64().unwrap_or(0) / 1_000_000;
    let alike = |one: &Value, other: &Value| {
        one["event"] == other["event"]
            && one["carrying"] == other["carrying"]
            && one["up"] == other["up"]
            && one["state"] == other["state"]
            && second(one) == second(other)
    };
    for run in items.chunk_by(alike) {
        let told = if run.len() > TOGETHER { 1 } else { run.len() };
        for item in &run[..told] {
            let more = if run.len() > told { format!("; and {} more such", run.len() - 1) } else { String::new() };
            let words = format!("{}{more}", text(&item["words"]));
            out!("{}  {}", time(&item["atMicros"]), philae_manager_api::wrap(&words, 22));
        }
    }
    if let Some(older) = found["older"].as_u64().filter(|older| *older > 0) {
        out!("{older} older ones are left out; --limit shows more");
    }
    if let Some(lost) = found["leftOut"].as_u64().filter(|lost| *lost > 0) {
        out!("{lost} events could not be saved: the disk was too slow");
    }
    Ok(())
}

/// A passphrase of 128 random bits, as letters.
fn passphrase() -> Result<String, Failure> {
    let mut bytes = [0_u8; 16];
    ring::rand::SecureRandom::fill(&ring::rand::SystemRandom::new(), &mut bytes)
        .map_err(|_| Failure(1, "the system gives no random numbers".to_owned()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writes a new file that only its owner may read; fails if it exists.
fn write_new(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error| Failure(1, format!("cannot write {}: {error}", file.display()));
    let mut out = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).map_err(failed)?;
    out.write_all(bytes).and_then(|()| out.sync_all()).map_err(failed)
}

/// `philae fabric backup`
pub fn backup(
    client: &HttpClient,
    file: &Path,
    passphrase_file: Option<&Path>,
    without_keys: bool,
    style: Style,
) -> Result<(), Failure> {
    let beside = passphrase_beside(file);
    if let Some(there) = [file, &beside].into_iter().find(|path| path.exists()) {
        return Err(Failure(1, format!("{} exists already; a new file would work", there.display())));
    }
    let (words, made) = match passphrase_file {
        Some(path) => {
            let text = std::fs::read_to_string(path);
            (text.map_err(|error| Failure(2, format!("{}: {error}", path.display())))?.trim().to_owned(), false)
        }
        None => (passphrase()?, true),
    };
    let sealed = match without_keys {
        true => None,
        false => client.bytes_for("/api/v1/backup", &json!({ "passphrase": words }))?,
    };
    let (bytes, has_keys) = match sealed {
        Some(bytes) => (bytes, true),
        None if passphrase_file.is_some() => {
            return Err(Failure(2, "only the role admin gets the fabric's keys; --without-keys would work".to_owned()));
        }
        None => (client.bytes("/api/v1/backup")?, false),
    };
    write_new(file, &bytes)?;
    let mut said =
        format!("{}: {} bytes; philae manager restore makes a state directory from it", file.display(), bytes.len());
    if has_keys && made {
        write_new(&beside, format!("{words}\n").as_bytes())?;
        said += &format!(
            "\nit holds the fabric's authority and keys, sealed by {}: keep that in another place",
            beside.display()
        );
    } else if has_keys {
        said += "\nit holds the fabric's authority and keys, sealed by the passphrase";
    } else {
        said += "\nWARNING: it does not hold the fabric's authority and keys. After a restore every agent must join again.\n\
                 The role admin gets them: philae fabric backup FILE";
    }
    style.tell(&json!({ "file": file, "bytes": bytes.len(), "keys": has_keys }), &said)
}

/// One event of a watch, on a line.
fn event(sort: &str, data: &Value) -> String {
    match sort {
        "document" => {
            let documents = data["documents"].as_array().into_iter().flatten();
            let names: Vec<String> = documents
                .map(|document| {
                    let verb = if document["document"].is_null() { " deleted" } else { "" };
                    format!("{} {}{verb}", text(&document["kind"]), text(&document["name"]))
                })
                .collect();
            format!("revision {} by {}: {}", data["revision"], text(&data["actor"]), names.join(", "))
        }
        _ => text(&data["words"]),
    }
}

/// `philae fabric watch`
pub fn watch(client: &HttpClient, query: &[(String, String)], style: Style) -> Result<(), Failure> {
    let mut sort = String::new();
    for line in client.stream("/api/v1/watch", query, "text/event-stream")?.lines() {
        let line = line.map_err(|error| client.stream_ended(&error))?;
        if let Some(found) = line.strip_prefix("event: ") {
            found.clone_into(&mut sort);
        }
        let Some(data) = line.strip_prefix("data: ") else { continue };
        let value: Value = serde_json::from_str(data).unwrap_or(Value::Null);
        match (sort.as_str(), style.format) {
            ("bookmark", _) => {}
            ("end", _) => return Err(Failure(1, text(&value["detail"]))),
            (_, AnswerFormat::Json | AnswerFormat::Yaml) => out!("{}", json!({ "event": sort, "data": value })),
            (_, AnswerFormat::Table | AnswerFormat::Wide) => {
                // The event's own time; an event without one happened now.
                let micros = value["atMicros"].as_u64().unwrap_or_else(philae_manager_api::now_micros);
                out!("{}  {}", time(&json!(micros)), philae_manager_api::wrap(&event(&sort, &value), 22));
            }
        }
    }
    Ok(())
}
