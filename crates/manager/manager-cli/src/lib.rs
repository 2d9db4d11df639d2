//! `philae fabric`: a client of the manager's API.
//!
//! Invariant: every command is requests of the public API, so any other client can do the same.
//!
//! Deliberately absent: the server, and any knowledge of its state.

mod arguments;
mod credentials;
mod documents;
mod explain;
mod feed;
mod firmware;
mod http;
mod past;
mod render;
mod secrets;
mod service;
mod support;

use std::process::ExitCode;

use philae_console::out;
use philae_manager_api::{Failure, alarms_screen, status_screen};
use serde_json::{Map, Value, json};

use philae_policy::DocumentKind;

pub use self::arguments::{Certificates, ClientOptions, FabricCommand, TokenCommand};
use self::http::{HttpClient, all};
use self::render::{AnswerFormat, Style, answer};

/// Runs a command: sends its requests and prints the answers.
pub fn run(options: &ClientOptions, what: FabricCommand, json: bool) -> Result<ExitCode, Failure> {
    let client = HttpClient::new(options)?;
    let format = if json { AnswerFormat::Json } else { options.output };
    let style = Style { format, colour: options.color.is_on() };
    match what {
        FabricCommand::Status { check } => return status(&client, check, style),
        FabricCommand::Events { since, types, limit } => past::events(&client, &since, types, limit, style)?,
        FabricCommand::Show { what, name, query, limit, all } => {
            let what = what_to_show(what.as_deref())?;
            show(&client, &what, name.as_deref(), &query, (limit, all), style)?;
        }
        FabricCommand::Explain { from, to } => return explain::explain(&client, &from, to.as_deref(), style),
        FabricCommand::WhatIf { names, mut links, mut switches, groups } => {
            service::add_named(&client, &names, &mut links, &mut switches)?;
            let body = json!({ "links": links, "switches": switches, "groups": groups });
            let found = client.send("POST", "/api/v1/what-if", body)?;
            philae_console::print(&explain::what_if(&found, explain::FailureCost::Failure, style))?;
        }
        FabricCommand::Drain { names, force } => service::drain(&client, &names, force, style)?,
        FabricCommand::Restore { names } => service::restore(&client, &names, style)?,
        FabricCommand::Top { count, watch } => top(&client, count, watch, style)?,
        FabricCommand::Feed => feed::feed(&client)?,
        FabricCommand::Set { settings } => set(&client, &settings, style)?,
        FabricCommand::Apply { files, how } => return documents::apply(&client, &files, how, style),
        FabricCommand::Diff { files } => return documents::diff(&client, &files, style),
        FabricCommand::Export { kinds, all } => return documents::export(&client, &kinds, all, style),
        FabricCommand::Delete { kind, name, how } => documents::delete(&client, &kind, &name, how, style)?,
        FabricCommand::Do { what, action } => service::order(&client, &what, &action, style)?,
        FabricCommand::Watch { types, from } => {
            let mut query = Vec::new();
            query.extend(types.map(|types| ("types".to_owned(), types)));
            query.extend(from.map(|from| ("from".to_owned(), from.to_string())));
            past::watch(&client, &query, style)?;
        }
        FabricCommand::History { kind, name, limit } => past::history(&client, &kind, &name, limit, style)?,
        FabricCommand::Changes { from, to } => past::changes(&client, from, to, style)?,
        FabricCommand::Audit { limit, query } => {
            let mut pairs = query.iter().map(|text| pair(text)).collect::<Result<Vec<_>, _>>()?;
            pairs.push(("limit".to_owned(), limit.clamp(1, 10_000).to_string()));
            past::audit(&client, &pairs, style)?;
        }
        FabricCommand::Rollback { revision, how } => past::rollback(&client, revision, how, style)?,
        FabricCommand::Confirm { undo } => past::confirm(&client, undo, style)?,
        FabricCommand::Backup { file, passphrase_file, without_keys } => {
            past::backup(&client, &file, passphrase_file.as_deref(), without_keys, style)?;
        }
        FabricCommand::Support { file } => support::support(&client, &file, style)?,
        FabricCommand::Certificates { what } => secrets::certificates(&client, what, style)?,
        FabricCommand::Tokens { what } => secrets::tokens(&client, what, style)?,
        FabricCommand::Firmware { what } => firmware::firmware(&client, what, style)?,
        FabricCommand::Log { level } => {
            let found = match level {
                Some(level) => client.send("PATCH", "/api/v1/log", json!({ "level": level }))?,
                None => client.get("/api/v1/log", &[])?,
            };
            philae_console::print(&answer("log", &found, style))?;
        }
        FabricCommand::Takeover { accept_loss } => takeover(&client, accept_loss, style)?,
        FabricCommand::Clock { what } => clock(&client, what.is_some(), style)?,
        FabricCommand::ExportRoutes { file } => {
            let bytes = client.bytes("/api/v1/export/routes")?;
            let failed = |error| Failure(1, format!("cannot write {}: {error}", file.display()));
            philae_results::write_whole(&file, &bytes).map_err(failed)?;
            // Where the tables are on standard output, they are alone there.
            if philae_console::standard_output(&file).is_ok_and(|found| found.is_none()) {
                let words = format!("{}: {} bytes", file.display(), bytes.len());
                style.tell(&json!({ "file": file, "bytes": bytes.len() }), &words)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn clock(client: &HttpClient, accept: bool, style: Style) -> Result<(), Failure> {
    let shown = match accept {
        true => client.send("POST", "/api/v1/clock/accept", json!({}))?,
        false => client.get("/api/v1/clock", &[])?,
    };
    let problem = shown["problem"].as_str().unwrap_or("the wall clock agrees");
    style.tell(&shown, &format!("leases end by {}: {problem}", shown["time"].as_str().unwrap_or("?")))
}

fn takeover(client: &HttpClient, accept_loss: bool, style: Style) -> Result<(), Failure> {
    let order = if accept_loss { json!({ "acceptLoss": true }) } else { json!({}) };
    let took = client.send("POST", "/api/v1/leadership/takeover", order)?;
    let lost = match (took["complete"].as_bool(), took["behindRevisions"].as_u64()) {
        (Some(true), _) => "the previous leader stepped down, and all its changes are here".to_owned(),
        (_, Some(0)) => {
            "the previous leader was not reached; all changes that it was known to have are here".to_owned()
        }
        (_, behind) => format!("the previous leader was not reached, and had {} more", changes(behind.unwrap_or(0))),
    };
    style.tell(&took, &format!("leads with epoch {} from revision {}: {lost}", took["epoch"], took["revision"]))
}

/// A line of the first screen, broken if it is longer than the screen.
fn line(title: &str, words: &str) -> String {
    format!("  {title:14} {}", philae_manager_api::wrap(words, 17))
}

/// "1 change", "2 changes".
fn changes(count: u64) -> String {
    philae_manager_api::counted(count, "change", "s")
}

/// The progress of standbys, if there are any.
fn standbys(shown: &Value) -> Option<String> {
    let standbys = shown["standbys"].as_array()?.iter();
    let mut lines: Vec<String> = standbys
        .map(|standby| {
            let name = standby["name"].as_str().unwrap_or("?");
            let behind = changes(standby["behindRevisions"].as_u64().unwrap_or(0));
            let may = if standby["usable"] == true { "may take over, " } else { "" };
            let heard = ago(&standby["heardSecondsAgo"]);
            line("Standby", &format!("{name}: {may}{behind} behind, heard {heard}"))
        })
        .collect();
    lines.extend(shown["problem"].as_str().map(|problem| line("Standbys", problem)));
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn ago(seconds: &Value) -> String {
    seconds.as_f64().map_or_else(|| "never".to_owned(), |ago| format!("{ago:.1} s ago"))
}

/// The first lines about a manager that does not lead: which one it follows and how far behind it
/// is, then where to ask for the fabric. `None` for one that leads.
fn not_leading(shown: &Value) -> Option<String> {
    let text = |key: &str| shown[key].as_str().unwrap_or("?").to_owned();
    let state = shown["state"].as_str()?;
    let head = |words: &str| philae_manager_api::wrap(words, 0);
    Some(match state {
        "leads" => return None,
        "follows" => {
            let behind = shown["behindRevisions"].as_u64();
            let behind = behind.map_or("an unknown number of changes".to_owned(), changes);
            let may = match shown["mayTakeOver"] == true {
                true => "yes, by itself".to_owned(),
                false => format!("no: {}", text("whyNot")),
            };
            let mut lines = vec![
                head(&format!("This manager is a standby, it follows {}", text("leader"))),
                line("Behind", &format!("{behind}, in step {}", ago(&shown["inStepSecondsAgo"]))),
                line("May take over", &may),
            ];
            let is_said = shown["problem"] == shown["whyNot"];
            lines.extend(shown["problem"].as_str().filter(|_| !is_said).map(|problem| line("Problem", problem)));
            lines.push(line("Fabric", &format!("ask the leader: philae fabric --manager {} status", text("leader"))));
            lines.join("\n")
        }
        "waits-for-disk" => head(&format!("This manager cannot lead yet: {}", text("problem"))),
        "waits-for-lease" => head(&format!("This manager does not lead, it waits for its lease: {}", text("problem"))),
        "stepped-down" => head(&format!("This manager has stepped down: {}", text("problem"))),
        state => head(&format!("This manager is {state}")),
    })
}

/// The exit codes of `status --check`, by the worst of the four words, in addition to those of all
/// commands (1: it failed, 2: the manager cannot be reached, or the request was wrong).
const CHECKED: [(&str, u8); 4] = [("HEALTHY", 0), ("CONVERGING", 3), ("DEGRADED", 4), ("UNHEALTHY", 5)];

fn status(client: &HttpClient, check: bool, style: Style) -> Result<ExitCode, Failure> {
    let status = client.get("/api/v1/status", &[])?;
    let word = status["word"].as_str().unwrap_or("UNHEALTHY");
    let code = CHECKED.iter().find(|(known, _)| check && *known == word).map_or(0, |(_, code)| *code);
    let code = ExitCode::from(code);
    if style.is_data() {
        philae_console::print(&answer("status", &status, style))?;
        return Ok(code);
    }
    let leadership = client.get("/api/v1/leadership", &[])?;
    let alarms = client.get("/api/v1/alarms", &[])?;
    if let Some(lines) = not_leading(&leadership) {
        out!("{lines}");
        if leadership["state"] == "follows" {
            // It has no connection to switches, so its view of the fabric would be wrong.
            philae_console::print(&alarms_screen(&alarms, style.colour))?;
            return Ok(code);
        }
    }
    philae_console::print(&status_screen(&status, &alarms, style.colour))?;
    if let Some(lines) = standbys(&leadership) {
        out!("{lines}");
    }
    Ok(code)
}

/// What `show` takes beside the kinds of documents: lists and documents of the API.
const SHOWN: [&str; 20] = [
    "switches",
    "ports",
    "links",
    "nics",
    "alarms",
    "flaps",
    "routes",
    "traffic",
    "status",
    "settings",
    "operations",
    "firmware",
    "attestations",
    "certificates",
    "change-sets",
    "pending",
    "leadership",
    "clock",
    "log",
    "session",
];

/// What is shown, by its plural; nothing else is asked for.
fn what_to_show(text: Option<&str>) -> Result<String, Failure> {
    let text = text.unwrap_or_default().trim_matches('/');
    let (first, rest) = text.split_once('/').map_or((text, None), |(first, rest)| (first, Some(rest)));
    let with = |first: &str| rest.map_or_else(|| first.to_owned(), |rest| format!("{first}/{rest}"));
    if let Some(known) = SHOWN.iter().find(|known| **known == first || known.strip_suffix('s') == Some(first)) {
        return Ok(with(known));
    }
    if let Some(kind) = DocumentKind::parse(first) {
        return Ok(with(kind.plural()));
    }
    // What the API has beyond these, such as the documents of another version.
    if rest.is_some() {
        return Ok(text.to_owned());
    }
    let begins = if text.is_empty() { "show what?".to_owned() } else { format!("'{text}' cannot be shown;") };
    let documents: Vec<&str> =
        DocumentKind::ALL.iter().map(|kind| kind.plural()).filter(|kind| !SHOWN.contains(kind)).collect();
    let lines = [
        format!("the fabric: {} (routes/SWITCH)", SHOWN[..8].join(", ")),
        format!("the manager: {}", SHOWN[8..].join(", ")),
        format!("documents: {}", documents.join(", ")),
    ];
    let lines = lines.map(|line| format!("\n  {}", philae_manager_api::wrap(&line, 4)));
    Err(Failure(2, format!("{begins} these can:{}", lines.concat())))
}

/// Things with labels that are shown one by one.
const THINGS: [&str; 5] = ["switches", "ports", "nics", "links", "routes"];

fn show(
    client: &HttpClient,
    what: &str,
    name: Option<&str>,
    query: &[String],
    (limit, all_ports): (usize, bool),
    style: Style,
) -> Result<(), Failure> {
    let mut pairs = query.iter().map(|text| pair(text)).collect::<Result<Vec<_>, _>>()?;
    let (what, name) = match (what.trim_matches('/').split_once('/'), name) {
        // One thing that has labels: `show ports/LABEL` is `show ports LABEL`.
        (Some((kind, name)), None) if THINGS.contains(&kind) => (kind, Some(name)),
        _ => (what.trim_matches('/'), name),
    };
    let name = match name {
        // Ports of a switch: the used ones, unless all are asked for.
        Some(name)
            if what == "ports" && service::resolve(client, name).is_ok_and(|meant| meant["kind"] == "switches") =>
        {
            pairs.push(("selector".to_owned(), format!("switch={name}")));
            None
        }
        // NICs have a list alone: one is an entry of it.
        Some(name) if what == "nics" => {
            pairs.push(("name".to_owned(), name.to_owned()));
            None
        }
        Some(name) if THINGS.contains(&what) => {
            let is_switch = ["switches", "routes"].contains(&what);
            let (kind, key) = if is_switch { ("switches", "name") } else { ("ports", "port") };
            let meant = service::resolve(client, &format!("{kind}/{name}"))?;
            Some(service::field(&meant, key))
        }
        name => name.map(str::to_owned),
    };
    let path = name.as_ref().map_or_else(|| format!("/api/v1/{what}"), |name| format!("/api/v1/{what}/{name}"));
    if render::is_documents(what) && name.is_none() && !style.is_data() && !pairs.iter().any(|(key, _)| key == "status")
    {
        pairs.push(("status".to_owned(), "true".to_owned()));
    }
    let mut note = String::new();
    let found = if ["switches", "links", "ports", "nics", "alarms", "flaps"].contains(&what) && name.is_none() {
        if !pairs.iter().any(|(key, _)| key == "limit") {
            pairs.push(("limit".to_owned(), limit.clamp(1, 100_000).to_string()));
        }
        let (mut items, mut rest) = all(client, &path, &pairs, limit)?;
        if what == "ports" && !all_ports && !style.is_data() && query.is_empty() {
            let before = items.len();
            items.retain(|port| port["role"] != "unused");
            let left_out = before - items.len();
            if left_out > 0 {
                let verb = if left_out == 1 { "port is" } else { "ports are" };
                note = format!("{left_out} unused {verb} left out; --all shows them\n");
            }
        }
        rest.insert("items".to_owned(), Value::Array(items));
        Value::Object(rest)
    } else {
        client.get(&path, &pairs)?
    };
    let list = what.split('/').next().unwrap_or(what);
    philae_console::print(&(answer(list, &found, style) + &note))?;
    Ok(())
}

fn top(client: &HttpClient, count: usize, watch: Option<u64>, style: Style) -> Result<(), Failure> {
    let query = [("limit".to_owned(), count.to_string())];
    loop {
        let found = client.get("/api/v1/traffic", &query)?;
        let clear = if watch.is_some() && style.colour { "\x1b[2J\x1b[H" } else { "" };
        // In a stream of documents each is a line.
        let text = match (style.format, watch) {
            (AnswerFormat::Json, Some(_)) => format!("{found}\n"),
            _ => answer("traffic", &found, style),
        };
        philae_console::print(&format!("{clear}{text}"))?;
        let Some(seconds) = watch else { return Ok(()) };
        std::thread::sleep(std::time::Duration::from_secs(seconds.max(1)));
    }
}

fn set(client: &HttpClient, settings: &[String], style: Style) -> Result<(), Failure> {
    let mut changes = Map::new();
    for text in settings {
        let (name, value) = pair(text)?;
        let number = philae_console::whole::<u64>(0, u64::MAX)(&value);
        let number = number.map_err(|_| {
            let like = in_unit_of(&name, &value).unwrap_or(5);
            Failure(2, format!("{text}: a whole number would work, such as {name}={like}"))
        })?;
        changes.insert(name, json!(number));
    }
    client.send("PATCH", "/api/v1/settings", Value::Object(changes.clone()))?;
    style.tell(&json!({ "set": changes }), &format!("set: {}", settings.join(", ")))
}

/// A time as people write it, in the unit at the end of a setting's name.
fn in_unit_of(name: &str, text: &str) -> Option<u64> {
    let milliseconds = |unit: &str| match unit {
        "ms" => Some(1),
        "s" => Some(1_000),
        "min" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    };
    let digits = text.find(|letter: char| !letter.is_ascii_digit())?;
    let value = text[..digits].parse::<u64>().ok()?.checked_mul(milliseconds(text[digits..].trim())?)?;
    let unit = milliseconds(name.rsplit('_').next()?)?;
    (value % unit == 0).then_some(value / unit)
}

fn pair(text: &str) -> Result<(String, String), Failure> {
    let pair = text.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
    pair.ok_or_else(|| Failure(2, format!("'{text}' is not KEY=VALUE")))
}

#[cfg(test)]
mod tests {
    use super::in_unit_of;

    #[test]
    fn times_are_told_in_the_unit_of_the_setting() {
        assert_eq!(in_unit_of("hold_down_ms", "5s"), Some(5_000));
        assert_eq!(in_unit_of("flap_window_s", "2 h"), Some(7_200));
        assert_eq!(in_unit_of("flap_window_s", "5ms"), None, "no whole number");
        assert_eq!(in_unit_of("flap_losses", "5s"), None, "no time");
        assert_eq!(in_unit_of("hold_down_ms", "soon"), None);
    }
}
