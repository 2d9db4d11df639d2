//! Explanations and what-if answers, in words and tables.

use std::fmt::Write;
use std::process::ExitCode;

use philae_manager_api::wrap;
use philae_policy::DocumentKind;
use philae_results::text::{bold, table};
use serde_json::Value;

use super::http::HttpClient;
use super::render::{AnswerFormat, Style, answer, duration};
use super::service::{field, resolve};
use philae_manager_api::Failure;

/// A name without the kind before it.
fn plain(text: &str) -> String {
    let kinds = ["ports/", "links/", "nics/", "nodes/"];
    kinds.iter().find_map(|kind| text.strip_prefix(kind)).unwrap_or(text).to_owned()
}

/// `philae fabric explain`: exit code 1 if no path leads from one to the other.
pub fn explain(client: &HttpClient, from: &str, to: Option<&str>, style: Style) -> Result<ExitCode, Failure> {
    if let Some(to) = to {
        let query = [("from".to_owned(), plain(from)), ("to".to_owned(), plain(to))];
        let found = client.get("/api/v1/explain/path", &query)?;
        philae_console::print(&path(&found, style))?;
        return Ok(if found["reached"] == true { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let from = from.trim_matches('/');
    let document = from.split_once('/').and_then(|(kind, name)| Some((DocumentKind::parse(kind)?, name)));
    let found = match document
        .filter(|(kind, _)| !matches!(kind, DocumentKind::Switch | DocumentKind::Port | DocumentKind::Link))
    {
        Some((kind, name)) => client.get(&format!("/api/v1/explain/policy/{}/{name}", kind.plural()), &[])?,
        None => {
            let meant = resolve(client, from)?;
            match (meant["kind"].as_str(), meant["port"].as_str()) {
                (Some("switches"), _) => {
                    client.get(&format!("/api/v1/explain/switch/{}", field(&meant, "name")), &[])?
                }
                (_, Some(port)) => client.get(&format!("/api/v1/explain/port/{port}"), &[])?,
                // A node with several NICs: the manager's error names them.
                _ => client.get(&format!("/api/v1/explain/port/{}", field(&meant, "name")), &[])?,
            }
        }
    };
    if style.is_data() {
        philae_console::print(&answer("explanation", &found, style))?;
    } else {
        philae_console::print(&explanation(&found, style))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The API's name for the origin of a field that no document sets.
const BUILT_IN: &str = "the built-in default";

/// The answer first, then its details.
fn explanation(found: &Value, style: Style) -> String {
    let mut out = String::new();
    let mut rest = found.as_object().cloned().unwrap_or_default();
    if let Some(answer) = rest.remove("answer") {
        let _ = writeln!(out, "{}", wrap(&text(&answer["headline"]), 0));
        for (title, key) in
            [("wanted", "wanted"), ("rate", "rate"), ("observed", "observed"), ("why", "why"), ("next", "next")]
        {
            if let Some(words) = answer[key].as_str() {
                let _ = writeln!(out, "  {title:9} {}", wrap(words, 12));
            }
        }
        out.push('\n');
        // The lines above have these already.
        for key in [
            "desired",
            "acknowledged",
            "observed",
            "vnis",
            "port",
            "jack",
            "switch",
            "state",
            "cause",
            "forSeconds",
            "why",
        ] {
            rest.remove(key);
        }
        if let Some(fields) = rest.remove("fields") {
            let value = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let all: Vec<Vec<String>> = fields
                .as_array()
                .into_iter()
                .flatten()
                .map(|field| vec![text(&field["field"]), value(&field["value"]), text(&field["from"])])
                .collect();
            let told = |row: &&Vec<String>| style.format == AnswerFormat::Wide || row[2] != BUILT_IN;
            let rows: Vec<Vec<String>> = all.iter().filter(told).cloned().collect();
            if rows.len() < all.len() {
                let more = all.len() - rows.len();
                let _ = writeln!(out, "{more} fields are at their built-in defaults (-o wide shows them)");
            }
            if !rows.is_empty() {
                out += &super::render::fitted(&["field", "value", "from"], &rows, style);
            }
        }
        for key in ["applied", "switchState", "switchCause", "nextTryInSeconds"] {
            rest.remove(key);
        }
        if rest.get("closedForChanges").is_some_and(Value::is_null) {
            rest.remove("closedForChanges");
        }
    }
    if rest.is_empty() {
        return out;
    }
    out + &answer("explanation", &Value::Object(rest), style)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The paths between two ports, hop by hop.
fn path(found: &Value, style: Style) -> String {
    if style.is_data() {
        return answer("path", found, style);
    }
    let mut out = String::new();
    let switch = |of: &Value| match of["switchLabel"].as_str() {
        Some(label) => format!("{} ({label})", text(&of["switch"])),
        None => text(&of["switch"]),
    };
    let end = |end: &Value| match end["portNumber"].as_u64() {
        Some(number) => format!("port {number} ({}) of switch {}", text(&end["port"]), switch(end)),
        None => format!("{} at switch {}", text(&end["port"]), switch(end)),
    };
    let _ = writeln!(out, "from  {}\nto    {}", end(&found["from"]), end(&found["to"]));
    let hops = found["candidatesByHop"].as_array().map_or(&[][..], Vec::as_slice);
    if found["reached"] != true {
        let why = found["why"].as_str().unwrap_or("no live link leads there");
        let _ = writeln!(out, "NO WAY: {}", wrap(&format!("ends at {}, because {why}", text(&found["endsAt"])), 8));
        return out;
    }
    let verb = "every path arrives";
    let generation = &found["generation"];
    let most = philae_manager_api::counted(hops.len() as u64, "hop", "s");
    let _ = writeln!(out, "{most} at most, {verb}; tables of generation {generation}\n");
    let mut rows = Vec::new();
    for (number, hop) in hops.iter().enumerate() {
        let switches = hop.as_array().map_or(&[][..], Vec::as_slice);
        for (row, candidate) in switches.iter().enumerate() {
            if row == SWITCHES_MAX {
                rows.push(vec![String::new(), format!("and {} more", switches.len() - row)]);
                break;
            }
            let key = if candidate["portNumbers"].is_array() { "portNumbers" } else { "ports" };
            let ports: Vec<String> = candidate[key].as_array().into_iter().flatten().map(text).collect();
            let shown = ports.iter().take(PORTS_MAX).map(String::as_str).collect::<Vec<_>>().join(" ");
            let more = ports.len().checked_sub(PORTS_MAX).filter(|&more| more > 0);
            let more = more.map_or_else(String::new, |more| format!(" and {more} more"));
            let hop = if row == 0 { (number + 1).to_string() } else { String::new() };
            let shown = if ports.is_empty() { "none".to_owned() } else { shown + &more };
            rows.push(vec![hop, switch(candidate), shown]);
        }
    }
    out + &table(&["hop", "at switch", "one of these ports"], &rows, style.colour)
}

/// Most switches of a hop that are printed; JSON has all.
const SWITCHES_MAX: usize = 8;
/// Most ports of a switch that are printed.
const PORTS_MAX: usize = 6;

/// "1 link", "2 links".
fn count(number: &Value, one: &str, more: &str) -> String {
    format!("{number} {one}{}", if *number == 1 { "" } else { more })
}

/// What a failure would cost, or a drain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum FailureCost {
    Failure,
    Drain,
}

/// What failures or drains would cost.
pub fn what_if(found: &Value, of: FailureCost, style: Style) -> String {
    if style.is_data() {
        return answer("what-if", found, style);
    }
    let rows: Vec<Vec<String>> = [
        ("links that carry traffic", "links"),
        ("pairs of the switches left without a path", "unreachablePairs"),
        ("pairs of groups without a direct link", "indirectPairs"),
        ("virtual channel classes in use", "legs"),
        ("switches routed along a spanning tree", "treeSwitches"),
        ("NICs cut off", "nicsCutOff"),
        ("global capacity, Gb/s", "globalGbps"),
        ("between the two halves of the groups, Gb/s", "halvesGbps"),
        ("least between two groups, Gb/s", "leastPairGbps"),
    ]
    .into_iter()
    .map(|(name, key)| vec![name.to_owned(), text(&found["before"][key]), text(&found["after"][key])])
    .collect();
    // Values that do not exist are omitted, such as the least between two groups of one.
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|row| row.into_iter().map(|cell| if cell == "null" { "-".to_owned() } else { cell }).collect())
        .collect();
    let mut out = String::new();
    let failed = &found["failed"];
    let (links, switches) = (count(&failed["links"], "link", "s"), count(&failed["switches"], "switch", "es"));
    let title = match (of, failed["links"] == 0, failed["switches"] == 0) {
        (FailureCost::Drain, ..) => format!("If {links} were drained:"),
        (FailureCost::Failure, _, true) => format!("If {links} failed:"),
        (FailureCost::Failure, true, _) => format!("If {switches} failed:"),
        (FailureCost::Failure, ..) => format!("If {switches} failed, with {links}:"),
    };
    let _ = writeln!(out, "{}", bold(&title, style.colour));
    out.push_str(&table(&["", "now", "then"], &rows, style.colour));
    let changed = &found["changed"];
    let seconds = found["seconds"].as_f64().unwrap_or(0.0);
    let _ = writeln!(
        out,
        "{} of {} would change; computed and {} in {}",
        match changed["entries"].as_u64() {
            Some(1) => "1 entry".to_owned(),
            _ => format!("{} entries", changed["entries"]),
        },
        count(&changed["switches"], "switch", "es"),
        if found["proven"] == true { "proven".to_owned() } else { format!("not proven ({})", text(&found["unsound"])) },
        duration(seconds)
    );
    let pairs = found["lostPairs"].as_array().map_or(&[][..], Vec::as_slice);
    let nodes = found["nodesCutOff"].as_array().map_or(&[][..], Vec::as_slice);
    if !nodes.is_empty() {
        let shown: Vec<String> = nodes.iter().take(4).map(text).collect();
        let more = if nodes.len() > shown.len() { ", ..." } else { "" };
        let _ = writeln!(out, "cut off: {}", wrap(&format!("nodes {}{more}", shown.join(", ")), 9));
    }
    if !pairs.is_empty() {
        let shown: Vec<String> =
            pairs.iter().take(5).map(|pair| format!("{} - {}", text(&pair[0]), text(&pair[1]))).collect();
        let more = if found["after"]["unreachablePairs"].as_u64() > Some(shown.len() as u64) { ", ..." } else { "" };
        let _ = writeln!(out, "without a path: {}", wrap(&format!("{}{more}", shown.join(", ")), 16));
    }
    out
}
