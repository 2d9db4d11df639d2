//! What people read first.

use std::fmt::Write;

use serde_json::Value;

/// The status as text for a terminal: is the fabric well, and if not, where.
///
/// `status` and `alarms` are what the API answers to the questions of these names.
#[must_use]
pub fn status(status: &Value, alarms: &Value, colour: bool) -> String {
    let mut out = String::new();
    let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    let _ = writeln!(out, "Fabric {}", text(&status["system"]));
    for word in ["runtime", "configuration", "traffic", "security"] {
        let health = text(&status["health"][word]["word"]);
        let painted = match (colour, health.as_str()) {
            (false, _) => health.clone(),
            (true, "HEALTHY") => format!("\x1b[32m{health}\x1b[0m"),
            (true, "CONVERGING") => format!("\x1b[33m{health}\x1b[0m"),
            (true, _) => format!("\x1b[31m{health}\x1b[0m"),
        };
        let causes = status["health"][word]["causes"]
            .as_array()
            .map_or(String::new(), |causes| causes.iter().map(text).collect::<Vec<_>>().join("; "));
        let _ = writeln!(out, "  {:14} {painted:12} {causes}", title(word));
    }
    let switches = &status["switches"];
    let _ = writeln!(
        out,
        "  {:14} {} of {} fully synchronised",
        "Switches", switches["byState"]["synced"], switches["total"]
    );
    for (name, key) in [("Edge ports", "edgePorts"), ("Fabric ports", "fabricPorts")] {
        let unknown = match status[key]["unknown"].as_u64() {
            None | Some(0) => String::new(),
            Some(unknown) => format!(", {unknown} of switches that do not answer"),
        };
        let _ = writeln!(out, "  {name:14} {} of {} up{unknown}", status[key]["up"], status[key]["total"]);
    }
    let links = &status["links"];
    let _ = writeln!(out, "  {:14} {} of {} carry traffic", "Links", links["carrying"], links["total"]);
    let routes = &status["routes"];
    let _ = writeln!(
        out,
        "  {:14} generation {}, {} entries in {} switches, {} ms from the event to the last answer",
        "Routes", routes["generation"], routes["entries"], routes["switches"], routes["convergedMs"]
    );
    let items = alarms["items"].as_array().map_or(&[][..], Vec::as_slice);
    if items.is_empty() {
        out.push_str("No alarms.\n");
        return out;
    }
    let total = alarms["total"].as_u64().unwrap_or(items.len() as u64);
    let alarms = if total == 1 { "alarm" } else { "alarms" };
    let _ = writeln!(
        out,
        "{total} {alarms}{}",
        if total > ALARMS { format!(", the first {ALARMS}:") } else { ":".to_owned() }
    );
    for alarm in items.iter().take(ALARMS as usize) {
        let since = alarm["sinceSeconds"].as_f64().map_or(String::new(), |seconds| format!(", for {seconds:.0} s"));
        let _ = writeln!(out, "  {:10} {}{since}", text(&alarm["health"]), text(&alarm["detail"]));
    }
    out
}

/// Alarms on the first screen.
const ALARMS: u64 = 10;

fn title(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
