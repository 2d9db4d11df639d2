//! What is assumed: of one run, for its report; and of all presets, for the documentation.

use crate::part::{Part, Section};
use crate::resolve::ResolvedScenario;
use philae_cassini::{HostParameters, NicParameters};
use philae_congestion::CongestionLaw;
use philae_rosetta::SwitchParameters;
use philae_routing::RoutingParameters;
use philae_units::{Provenance, Status};
use std::fmt::Write;

impl ResolvedScenario {
    /// Every assumed value of the presets in use and of the system, as sentences. Values that the scenario sets are
    /// named too, with the preset's.
    #[must_use]
    pub fn assumptions(&self) -> Vec<String> {
        let scenario = &self.scenario;
        let mut lines = Vec::new();
        of_part("switch", &scenario.hardware.switch, &mut lines);
        of_part("NIC", &scenario.hardware.nic, &mut lines);
        of_part("host", &scenario.hardware.host, &mut lines);
        of_part("routing", &scenario.routing, &mut lines);
        of_part("congestion law", &scenario.congestion, &mut lines);
        let system = &self.system.description;
        lines.extend(system.assumed.iter().map(|assumed| {
            format!("system {}: {} is {} (assumed: {})", system.name, assumed.key, assumed.value, assumed.why)
        }));
        lines
    }
}

fn of_part<T: Section>(what: &str, part: &Part<T>, lines: &mut Vec<String>) {
    let name = part.name().unwrap_or_default();
    let preset = T::preset(name).map(|preset| Part::exactly(name, &preset)).unwrap_or_default();
    for row in T::provenance(name) {
        let key = row.name;
        let used = part.value(key).map_or_else(|| row.value.clone(), plain);
        let changed = part.value(key) != preset.value(key);
        let opening = format!("{what} {name}: {key} = {used}");
        if changed {
            lines.push(format!("{opening} (not the preset's {})", preset.value(key).map_or(row.value, plain)));
        } else if row.status == Status::Assumed {
            let range = if row.range.is_empty() { String::new() } else { format!("; plausible: {}", row.range) };
            lines.push(format!("{opening} (assumed: {}{range}; moves {})", row.source, row.moves));
        }
    }
}

fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// docs/ASSUMPTIONS.md: every assumed value of every preset, generated from the code.
#[must_use]
pub fn assumptions_markdown() -> String {
    let mut text = String::from(
        "# What is assumed\n\n\
         Every figure of the model for which no public source was found, with the value taken, why, the range in which it\n\
         is plausible and the result that it moves most. Each is a key of a scenario, so that anyone can sweep it:\n\
         `philae simulate FILE --set hardware.switch.latency_spread_ns=0`. All other figures have their source beside them\n\
         in the code. This page is generated: `philae schema --assumptions > docs/ASSUMPTIONS.md`.\n",
    );
    table::<SwitchParameters>("Switch", &mut text);
    table::<NicParameters>("NIC", &mut text);
    table::<HostParameters>("Host software", &mut text);
    table::<RoutingParameters>("Routing", &mut text);
    table::<CongestionLaw>("Congestion laws", &mut text);
    text
}

fn table<T: Section>(title: &str, text: &mut String) {
    let mut rows: Vec<(&str, Provenance)> = T::PRESETS
        .iter()
        .flat_map(|&preset| T::provenance(preset).into_iter().map(move |row| (preset, row)))
        .filter(|(_, row)| row.status == Status::Assumed)
        .collect();
    rows.sort_by_key(|(preset, row)| (*preset, row.name));
    let written = write!(text, "\n## {title}: `[{}]`\n\n", T::TABLE).and_then(|()| {
        writeln!(text, "| {} | key | value | why this value | plausible | moves most |", T::SELECTOR)?;
        writeln!(text, "|---|---|---|---|---|---|")?;
        rows.iter().try_for_each(|(preset, row)| {
            let cell = |text: &str| text.replace('|', "\\|");
            let (source, range, moves) = (cell(row.source), cell(row.range), cell(row.moves));
            writeln!(text, "| {preset} | `{}` | {} | {source} | {range} | {moves} |", row.name, cell(&row.value))
        })
    });
    written.expect("writing into a string cannot fail");
}
