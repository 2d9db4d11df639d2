//! Firmware: desired and running versions, and rollouts.

use std::fmt::Write;

use philae_manager_api::{counted, wrap};
use serde_json::{Value, json};

use super::arguments::{FirmwareCommand, RolloutArguments};
use super::http::{HttpClient, all};
use super::render::{Style, answer, duration, fitted};
use philae_manager_api::Failure;

/// The column of facts.
const COLUMN: usize = 12;
/// Most letters of a label or a version in a table.
const CELL_MOST: usize = 20;

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

/// A table; it has a column for labels only if there are some.
fn labelled(headers: &[&str], rows: Vec<(String, Vec<String>)>, at: usize, style: Style) -> String {
    let has_labels = rows.iter().any(|(label, _)| !label.is_empty());
    let mut headers = headers.to_vec();
    if has_labels {
        headers.insert(at, "label");
    }
    let row = |(label, mut row): (String, Vec<String>)| {
        if has_labels {
            row.insert(at, label);
        }
        row
    };
    let rows: Vec<Vec<String>> = rows.into_iter().map(row).collect();
    if rows.is_empty() { String::new() } else { fitted(&headers, &rows, style) }
}

/// A label or a version as a cell: a long one is cut, `-o json` has all of it.
fn cut(value: &Value) -> String {
    let text = value.as_str().unwrap_or_default();
    match text.chars().count() {
        0..=CELL_MOST => text.to_owned(),
        _ => text.chars().take(CELL_MOST - 3).chain("...".chars()).collect(),
    }
}

fn waits(found: &Value, style: Style) -> String {
    let row = |wait: &Value| {
        let (first, why) = (text(&wait["firstSwitch"]).to_owned(), text(&wait["reason"]).to_owned());
        (cut(&wait["firstLabel"]), vec![wait["switches"].to_string(), first, why])
    };
    labelled(&["wait", "the first", "for"], items(found).iter().map(row).collect(), 2, style)
}

/// The line about a rollout's state.
fn state(rollout: &Value) -> String {
    let number = &rollout["number"];
    let why = match text(&rollout["why"]) {
        "" => String::new(),
        why if why.starts_with("by ") => format!(" ({why})"),
        why => format!(": {why}"),
    };
    format!(
        "{number}, started by {}: {} for {}{why}",
        text(&rollout["startedBy"]),
        text(&rollout["state"]).to_uppercase(),
        duration(rollout["forSeconds"].as_f64().unwrap_or(0.0)),
    )
}

/// The progress of a rollout, and its limits.
fn progress(rollout: &Value) -> String {
    let (plan, number) = (&rollout["plan"], |value: &Value| value.as_u64().unwrap_or(0));
    let verb = if number(&rollout["done"]) == 1 { "runs" } else { "run" };
    let waves = match number(&rollout["wave"]) {
        0 => String::new(),
        waves => format!(" in {}", counted(waves, "wave", "s")),
    };
    format!(
        "{} of its {} {verb} what is wanted, {} finished{waves}; {}, {} of a group, halts at {}",
        rollout["done"],
        counted(number(&rollout["total"]), "switch", "es"),
        counted(number(&rollout["upgraded"]), "upgrade", "s"),
        at_once(plan),
        plan["perGroup"],
        counted(number(&plan["failuresMax"]), "failure", "s")
    )
}

/// Firmware and the newest rollout, for a terminal.
fn shown(found: &Value, style: Style) -> String {
    let mut out = String::new();
    let leads = found["leads"] != false;
    let wanted = items(&found["wanted"]).iter().map(|item| {
        let (on, running) = (item["switches"].as_u64().unwrap_or(0), &item["running"]);
        let verb = if *running == 1 { "runs" } else { "run" };
        let runs = if leads { format!(", {running} of them {verb} it") } else { String::new() };
        format!("{} on {}{runs}", text(&item["version"]), counted(on, "switch", "es"))
    });
    let wanted = wanted.collect::<Vec<_>>().join("; ");
    line(&mut out, "Wanted", if wanted.is_empty() { "no document sets a version" } else { &wanted });
    let standbys = items(&found["versions"]["standbys"]).iter();
    let standbys: Vec<&str> = standbys.map(|standby| standby["version"].as_str().unwrap_or("unknown")).collect();
    let standbys = if standbys.is_empty() { String::new() } else { format!(", standbys {}", standbys.join(", ")) };
    if leads {
        line(&mut out, "Running", &versions(&found["running"]));
    } else {
        line(&mut out, "Running", "unknown here: only the leading manager is connected to switches");
    }
    line(&mut out, "Manager", &format!("{}{standbys}", text(&found["versions"]["manager"])));
    if leads {
        line(&mut out, "Agents", &versions(&found["versions"]["agents"]));
    } else {
        line(&mut out, "", &format!("it {}; the rollout is shown as its store holds it", text(&found["standing"])));
    }
    let rollout = &found["rollout"];
    if !rollout.is_object() {
        line(&mut out, "Rollout", "none yet; philae fabric firmware start begins one");
        return out;
    }
    line(&mut out, "Rollout", &state(rollout));
    if leads {
        line(&mut out, "", &progress(rollout));
    }
    if let Some(held) = rollout["held"].as_str() {
        line(&mut out, "Waits", held);
    }
    let work = items(&rollout["working"]).iter().map(|work| {
        let took = duration(work["forSeconds"].as_f64().unwrap_or(0.0));
        let step = format!("{}: {} to {}", text(&work["phase"]), cut(&work["from"]), cut(&work["to"]));
        (cut(&work["label"]), vec![text(&work["switch"]).to_owned(), took, step])
    });
    let work = labelled(&["in work", "for", "step"], work.collect(), 1, style);
    let failed = items(&rollout["failed"]).iter().map(|failed| {
        let links = match (&failed["retried"], &failed["restored"]) {
            (Value::Bool(true), _) => "to be tried again",
            (_, Value::Bool(true)) => "given back",
            _ => "drained",
        };
        let why = format!("to {}: {}", cut(&failed["version"]), text(&failed["reason"]));
        let (switch, number) = (text(&failed["switch"]).to_owned(), failed["rollout"].to_string());
        (cut(&failed["label"]), vec![switch, number, links.to_owned(), why])
    });
    let failed = labelled(&["failed", "rollout", "links", "why"], failed.collect(), 1, style);
    for table in [work, failed, waits(&rollout["waits"], style)] {
        if !table.is_empty() {
            let _ = write!(out, "\n{table}");
        }
    }
    if let Some(next) = rollout["next"].as_str().filter(|_| leads) {
        let _ = writeln!(out, "\nnext: {}", wrap(&next.replace("; ", "  or: "), 6));
    }
    out
}

fn dry(found: &Value, style: Style) -> String {
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let begin = items(&found["begin"]);
    let verb = if number(&found["differ"]) == 1 { "does" } else { "do" };
    let words = format!(
        "{} of {} {verb} not run the desired firmware; {} would begin{}",
        found["differ"],
        counted(number(&found["total"]), "switch", "es"),
        begin.len(),
        if begin.is_empty() { "." } else { ":" }
    );
    let mut out = format!("{}\n", wrap(&words, 0));
    let rows = begin.iter().map(|item| {
        let upgrade = format!("{} to {}", cut(&item["from"]), cut(&item["to"]));
        let row = vec![text(&item["switch"]).to_owned(), item["nics"].to_string(), item["nodesCutOff"].to_string()];
        (cut(&item["label"]), [row, vec![upgrade]].concat())
    });
    out.push_str(&labelled(&["switch", "NICs off", "nodes cut off", "upgrade"], rows.collect(), 1, style));
    let sum = |key: &str| begin.iter().map(|item| number(&item[key])).sum::<u64>();
    let (nics, nodes) = (sum("nics"), sum("nodesCutOff"));
    if nics > 0 {
        let cut = match nodes {
            0 => "every node has another NIC".to_owned(),
            1 => "1 node has no other NIC".to_owned(),
            many => format!("{many} nodes have no other NIC"),
        };
        let words = format!("It takes {} off the fabric until the switch is back: {cut}.", counted(nics, "NIC", "s"));
        let _ = writeln!(out, "{}", wrap(&words, 0));
    }
    let waits = waits(&found["waits"], style);
    if !waits.is_empty() {
        let _ = write!(out, "\n{waits}");
    }
    if let Some(current) = found["current"].as_str() {
        let _ = writeln!(out, "\n{}", wrap(current, 0));
    }
    out
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

fn start(client: &HttpClient, rollout: &RolloutArguments, style: Style) -> Result<(), Failure> {
    let mut plan = json!({
        "selector": rollout.switches,
        "perGroup": rollout.per_group,
        "firstWave": rollout.first_wave,
        "failuresMax": rollout.failures_max,
        "soakSeconds": rollout.soak_seconds,
        "timeoutSeconds": rollout.timeout_seconds,
        "alarmSeconds": rollout.alarm_seconds,
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
pub fn firmware(client: &HttpClient, what: Option<FirmwareCommand>, style: Style) -> Result<(), Failure> {
    let found = match what.unwrap_or(FirmwareCommand::Status) {
        FirmwareCommand::Status => client.get("/api/v1/firmware", &[])?,
        FirmwareCommand::Switches { query, limit } => {
            let pairs = query.iter().map(|text| super::pair(text)).collect::<Result<Vec<_>, _>>()?;
            let (items, mut rest) = all(client, "/api/v1/firmware/switches", &pairs, limit)?;
            rest.insert("items".to_owned(), Value::Array(items));
            philae_console::print(&answer("firmware switches", &Value::Object(rest), style))?;
            return Ok(());
        }
        FirmwareCommand::Start(rollout) => return start(client, &rollout, style),
        FirmwareCommand::Pause => client.send("POST", "/api/v1/firmware/pause", Value::Null)?,
        FirmwareCommand::Resume { retry } => {
            client.send("POST", "/api/v1/firmware/resume", json!({ "retry": retry }))?
        }
        FirmwareCommand::Abort => client.send("POST", "/api/v1/firmware/abort", Value::Null)?,
    };
    tell(&found, &shown(&found, style), style)
}
