//! Why something is as it is, and what would be, in words and tables.

use std::fmt::Write;

use philae_measure::text::{bold, table};
use serde_json::Value;

use super::http::Client;
use super::render::{Style, answer, duration};
use crate::Failure;

/// `philae fabric explain`
pub fn explain(client: &Client, from: &str, to: Option<&str>, style: Style) -> Result<(), Failure> {
    if let Some(to) = to {
        let query = [("from".to_owned(), from.to_owned()), ("to".to_owned(), to.to_owned())];
        let found = client.get("/api/v1/explain/path", &query)?;
        philae_console::print(&path(&found, style))?;
        return Ok(());
    }
    let found = match from.split_once('/') {
        Some((kind, name)) => client.get(&format!("/api/v1/explain/policy/{kind}/{name}"), &[])?,
        // A switch's name is no port's.
        None => match client.get(&format!("/api/v1/explain/port/{from}"), &[]) {
            Ok(found) => found,
            Err(no_port) => client.get(&format!("/api/v1/explain/switch/{from}"), &[]).map_err(|_| no_port)?,
        },
    };
    philae_console::print(&answer("explanation", &found, style))?;
    Ok(())
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The ways between two ports, hop by hop.
fn path(found: &Value, style: Style) -> String {
    if style.is_data() {
        return answer("path", found, style);
    }
    let mut out = String::new();
    let end = |end: &Value| format!("{} at switch {}", text(&end["port"]), text(&end["switch"]));
    let _ = writeln!(out, "from  {}\nto    {}", end(&found["from"]), end(&found["to"]));
    let hops = found["candidatesByHop"].as_array().map_or(&[][..], Vec::as_slice);
    let verb = if found["reached"] == true { "every way arrives" } else { "some ways end before" };
    let generation = &found["generation"];
    let _ = writeln!(out, "{} hops at most, {verb}; tables of generation {generation}\n", hops.len());
    let mut rows = Vec::new();
    for (number, hop) in hops.iter().enumerate() {
        let switches = hop.as_array().map_or(&[][..], Vec::as_slice);
        for (row, switch) in switches.iter().enumerate() {
            if row == SWITCHES_MAX {
                rows.push(vec![String::new(), format!("and {} more", switches.len() - row)]);
                break;
            }
            let ports: Vec<String> = switch["ports"].as_array().into_iter().flatten().map(text).collect();
            let shown = ports.iter().take(PORTS_MAX).map(String::as_str).collect::<Vec<_>>().join(" ");
            let more = ports.len().checked_sub(PORTS_MAX).filter(|&more| more > 0);
            let more = more.map_or_else(String::new, |more| format!(" and {more} more"));
            let hop = if row == 0 { (number + 1).to_string() } else { String::new() };
            let shown = if ports.is_empty() { "none".to_owned() } else { shown + &more };
            rows.push(vec![hop, text(&switch["switch"]), shown]);
        }
    }
    out + &table(&["hop", "at switch", "one of these ports"], &rows, style.colour)
}

/// Switches of a hop that are printed; JSON has all.
const SWITCHES_MAX: usize = 8;
/// Ports of a switch that are printed.
const PORTS_MAX: usize = 6;

/// "1 link", "2 links".
fn count(number: &Value, one: &str, more: &str) -> String {
    format!("{number} {one}{}", if *number == 1 { "" } else { more })
}

/// What failures would cost.
pub fn what_if(found: &Value, style: Style) -> String {
    if style.is_data() {
        return answer("what-if", found, style);
    }
    let rows: Vec<Vec<String>> = [
        ("links that carry traffic", "links"),
        ("pairs of switches without a way", "unreachablePairs"),
        ("pairs of groups without a direct link", "indirectPairs"),
        ("channel classes that ways climb through", "legs"),
        ("switches reached up and down a tree", "treeSwitches"),
        ("NICs cut off", "nicsCutOff"),
        ("global capacity, Gb/s", "globalGbps"),
        ("across the halves of the groups, Gb/s", "halvesGbps"),
        ("least between two groups, Gb/s", "leastPairGbps"),
    ]
    .into_iter()
    .map(|(name, key)| vec![name.to_owned(), text(&found["before"][key]), text(&found["after"][key])])
    .collect();
    let mut out = String::new();
    let failed = &found["failed"];
    let _ = writeln!(
        out,
        "{}",
        bold(
            &format!(
                "If {} and {} failed:",
                count(&failed["links"], "link", "s"),
                count(&failed["switches"], "switch", "es")
            ),
            style.colour
        )
    );
    out.push_str(&table(&["", "now", "then"], &rows, style.colour));
    let changed = &found["changed"];
    let seconds = found["seconds"].as_f64().unwrap_or(0.0);
    let _ = writeln!(
        out,
        "{} entries of {} switches would change; computed and {} in {}",
        changed["entries"],
        changed["switches"],
        if found["proven"] == true { "proven".to_owned() } else { format!("not proven ({})", text(&found["unsound"])) },
        duration(seconds)
    );
    let pairs = found["lostPairs"].as_array().map_or(&[][..], Vec::as_slice);
    if !pairs.is_empty() {
        let shown: Vec<String> =
            pairs.iter().take(5).map(|pair| format!("{} - {}", text(&pair[0]), text(&pair[1]))).collect();
        let more = if found["after"]["unreachablePairs"].as_u64() > Some(shown.len() as u64) { ", ..." } else { "" };
        let _ = writeln!(out, "without a way: {}{more}", shown.join(", "));
    }
    out
}
