//! Firmware: what is wanted and runs, and rollouts.

use std::fmt::Write;

use philae_manager::{counted, wrap};
use serde_json::{Value, json};

use super::arguments::{Firmware, Rollout};
use super::http::{Client, all};
use super::render::{Style, answer, duration, fitted};
use crate::Failure;

/// Where facts begin.
const COLUMN: usize = 12;

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("?")
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn line(out: &mut String, title: &str, words: &str) {
    let _ = writeln!(out, "{title:11} {}", wrap(words, COLUMN));
}

/// "2.2.0 on 12, simulated-1 on 116".
fn versions(found: &Value) -> String {
    let one = |item: &Value| format!("{} on {}", text(&item["version"]), item["switches"]);
    items(found).iter().map(one).collect::<Vec<_>>().join(", ")
}

fn at_once(plan: &Value) -> String {
    match plan["atOncePercent"].as_u64() {
        Some(share) => format!("{share} % at once"),
        None => format!("{} at once", plan["atOnce"]),
    }
}

fn waits(found: &Value, style: Style) -> String {
    let row = |wait: &Value| {
        vec![wait["switches"].to_string(), text(&wait["firstSwitch"]).to_owned(), text(&wait["reason"]).to_owned()]
    };
    let rows: Vec<Vec<String>> = items(found).iter().map(row).collect();
    if rows.is_empty() { String::new() } else { fitted(&["wait", "the first", "for"], &rows, style) }
}

/// Firmware and the newest rollout, for a terminal.
fn shown(found: &Value, style: Style) -> String {
    let mut out = String::new();
    let wanted = items(&found["wanted"])
        .iter()
        .map(|item| format!("{} on {}, {} of them run it", text(&item["version"]), item["switches"], item["running"]));
    let wanted = wanted.collect::<Vec<_>>().join("; ");
    line(&mut out, "Wanted", if wanted.is_empty() { "no document wants a version" } else { &wanted });
    line(&mut out, "Running", &versions(&found["running"]));
    let standbys = items(&found["versions"]["standbys"]).iter();
    let standbys: Vec<&str> = standbys.map(|standby| standby["version"].as_str().unwrap_or("unknown")).collect();
    let standbys = if standbys.is_empty() { String::new() } else { format!(", standbys {}", standbys.join(", ")) };
    line(&mut out, "Manager", &format!("{}{standbys}", text(&found["versions"]["manager"])));
    line(&mut out, "Agents", &versions(&found["versions"]["agents"]));
    let rollout = &found["rollout"];
    if !rollout.is_object() {
        line(&mut out, "Rollout", "none yet; philae fabric firmware start begins one");
        return out;
    }
    let plan = &rollout["plan"];
    let state = format!(
        "{} by {}, {} for {}{}",
        rollout["number"],
        text(&rollout["startedBy"]),
        text(&rollout["state"]).to_uppercase(),
        duration(rollout["forSeconds"].as_f64().unwrap_or(0.0)),
        match text(&rollout["why"]) {
            "" => String::new(),
            why => format!(": {why}"),
        }
    );
    line(&mut out, "Rollout", &state);
    let progress = format!(
        "{} of {} switches run what is wanted, {} upgraded in {}; {}, {} of a group, halts at {}",
        rollout["done"],
        rollout["total"],
        rollout["upgraded"],
        counted(rollout["wave"].as_u64().unwrap_or(0), "wave", "s"),
        at_once(plan),
        plan["perGroup"],
        counted(plan["failuresMax"].as_u64().unwrap_or(0), "failure", "s")
    );
    line(&mut out, "", &progress);
    let work = items(&rollout["working"]).iter().map(|work| {
        let (from, to) = (text(&work["from"]).to_owned(), text(&work["to"]).to_owned());
        let took = duration(work["forSeconds"].as_f64().unwrap_or(0.0));
        vec![text(&work["switch"]).to_owned(), from, to, took, text(&work["phase"]).to_owned()]
    });
    let work: Vec<Vec<String>> = work.collect();
    if !work.is_empty() {
        let _ = write!(out, "\n{}", fitted(&["in work", "from", "to", "for", "step"], &work, style));
    }
    let failed = items(&rollout["failed"]).iter().map(|failed| {
        let links = if failed["restored"] == true { "given back" } else { "drained" };
        vec![
            text(&failed["switch"]).to_owned(),
            text(&failed["version"]).to_owned(),
            links.to_owned(),
            text(&failed["reason"]).to_owned(),
        ]
    });
    let failed: Vec<Vec<String>> = failed.collect();
    if !failed.is_empty() {
        let _ = write!(out, "\n{}", fitted(&["failed", "to", "links", "why"], &failed, style));
    }
    let waits = waits(&rollout["waits"], style);
    if !waits.is_empty() {
        let _ = write!(out, "\n{waits}");
    }
    if let Some(next) = rollout["next"].as_str() {
        let _ = writeln!(out, "\nnext: {}", wrap(&next.replace("; ", "  or: "), 6));
    }
    out
}

fn dry(found: &Value, style: Style) -> String {
    let mut out = format!(
        "{} of {} switches do not run the wanted firmware; {} would begin:\n",
        found["differ"],
        found["total"],
        items(&found["begin"]).len()
    );
    let begin = items(&found["begin"]).iter();
    let begin = begin
        .map(|item| [&item["switch"], &item["from"], &item["to"]].map(|value| text(value).to_owned()).to_vec())
        .collect::<Vec<_>>();
    if !begin.is_empty() {
        out.push_str(&fitted(&["switch", "from", "to"], &begin, style));
    }
    let waits = waits(&found["waits"], style);
    if waits.is_empty() { out } else { format!("{out}\n{waits}") }
}

/// A number of switches, or a share of them: `4`, `10%`.
fn share(text: &str) -> Result<(&'static str, u32), Failure> {
    let (key, number) = match text.strip_suffix('%') {
        Some(number) => ("atOncePercent", number),
        None => ("atOnce", text),
    };
    let number = number.trim().parse().map_err(|_| Failure(2, format!("--at-once {text}: 4 or 10% would work")))?;
    Ok((key, number))
}

fn start(client: &Client, rollout: &Rollout, style: Style) -> Result<(), Failure> {
    let mut plan = json!({
        "selector": rollout.switches,
        "perGroup": rollout.per_group,
        "firstWave": rollout.first_wave,
        "failuresMax": rollout.failures_max,
        "soakSeconds": rollout.soak_seconds,
        "timeoutSeconds": rollout.timeout_seconds,
        "force": rollout.force,
    });
    let (key, number) = share(&rollout.at_once)?;
    plan[key] = json!(number);
    let query = if rollout.dry_run { "?dryRun=true" } else { "" };
    let found = client.send("POST", &format!("/api/v1/firmware/start{query}"), plan)?;
    let words = if rollout.dry_run { dry(&found["dryRun"], style) } else { shown(&found, style) };
    tell(&found, &words, style)
}

fn tell(found: &Value, words: &str, style: Style) -> Result<(), Failure> {
    let text = if style.is_data() { answer("firmware", found, style) } else { words.to_owned() };
    Ok(philae_console::print(&text)?)
}

/// `philae fabric firmware`
pub fn firmware(client: &Client, what: Option<Firmware>, style: Style) -> Result<(), Failure> {
    let found = match what.unwrap_or(Firmware::Status) {
        Firmware::Status => client.get("/api/v1/firmware", &[])?,
        Firmware::Switches { query, limit } => {
            let pairs = query.iter().map(|text| super::pair(text)).collect::<Result<Vec<_>, _>>()?;
            let (items, mut rest) = all(client, "/api/v1/firmware/switches", &pairs, limit)?;
            rest.insert("items".to_owned(), Value::Array(items));
            philae_console::print(&answer("firmware switches", &Value::Object(rest), style))?;
            return Ok(());
        }
        Firmware::Start(rollout) => return start(client, &rollout, style),
        Firmware::Pause => client.send("POST", "/api/v1/firmware/pause", Value::Null)?,
        Firmware::Resume { retry } => client.send("POST", "/api/v1/firmware/resume", json!({ "retry": retry }))?,
        Firmware::Abort => client.send("POST", "/api/v1/firmware/abort", Value::Null)?,
    };
    tell(&found, &shown(&found, style), style)
}
