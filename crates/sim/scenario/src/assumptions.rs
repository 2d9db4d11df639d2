//! The assumptions of one run, for its report; and of all presets, for the documentation.

use crate::part::{ParameterSet, Preset};
use crate::resolve::ResolvedScenario;
use philae_congestion::CongestionLaw;
use philae_link_layer::LinkParameters;
use philae_nic_model::{
    EthernetParameters, HostJitter, HostParameters, NicParameters, NodeParameters, RetryParameters, TcpParameters,
    UetParameters,
};
use philae_path::RoutingParameters;
use philae_switch::port::SwitchParameters;
use philae_switch::reduction::CollectiveParameters;
use philae_switch::tile::TileParameters;
use philae_units::{FigureStatus, Provenance};
use serde::Serialize;
use std::fmt::Write;

impl ResolvedScenario {
    /// Every assumed value of the presets in use and of the system, as sentences. Values that the
    /// scenario sets are named too, with the preset's.
    #[must_use]
    pub fn assumptions(&self) -> Vec<String> {
        let scenario = &self.scenario;
        let mut lines = Vec::new();
        of_part("switch", &scenario.hardware.switch, &mut lines);
        of_part("NIC", &scenario.hardware.nic, &mut lines);
        if let Some(ethernet) = &scenario.hardware.ethernet {
            of_part("third-party endpoints", ethernet, &mut lines);
        }
        of_part("host", &scenario.hardware.host, &mut lines);
        if self.config.node.is_some() {
            of_part("node", &scenario.hardware.node, &mut lines);
        }
        if let Some(jitter) = &scenario.hardware.jitter {
            of_part("host jitter", jitter, &mut lines);
        }
        if let Some(tcp) = &scenario.hardware.tcp {
            of_part("TCP", tcp, &mut lines);
        }
        if let Some(uet) = &scenario.hardware.uet {
            of_part("Ultra Ethernet", uet, &mut lines);
        }
        if let Some(law) = &scenario.hardware.uet_law {
            of_part("law of Ultra Ethernet's endpoints", law, &mut lines);
        }
        of_part("routing", &scenario.routing, &mut lines);
        of_part("congestion law", &scenario.congestion, &mut lines);
        if self.config.resilience.has_link_layer() {
            if let Some(link) = &scenario.link {
                of_part("link", link, &mut lines);
            }
            of_part("retry", &scenario.retry, &mut lines);
        }
        if self.offloads() {
            of_part("collectives", &scenario.collectives, &mut lines);
        }
        let system = &self.system.description;
        lines.extend(system.assumed.iter().map(|assumed| {
            format!("system {}: {} is {} (assumed: {})", system.name, assumed.key, assumed.value, assumed.why)
        }));
        lines
    }
}

fn of_part<T: ParameterSet>(what: &str, part: &Preset<T>, lines: &mut Vec<String>) {
    let name = part.name().unwrap_or_default();
    let preset = T::preset(name).map(|preset| Preset::exactly(name, &preset)).unwrap_or_default();
    for row in T::provenance(name) {
        let key = row.name;
        let used = part.value(key).map_or_else(|| row.value.clone(), plain);
        let changed = part.value(key) != preset.value(key);
        let opening = format!("{what} {name}: {key} = {used}");
        if changed {
            lines.push(format!("{opening} (not the preset's {})", preset.value(key).map_or(row.value, plain)));
        } else if row.status == FigureStatus::Assumed {
            let range = if row.range.is_empty() { String::new() } else { format!("; plausible: {}", row.range) };
            lines.push(format!("{opening} (assumed: {}{range}; moves {})", row.source, row.moves));
        }
    }
}

fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// An assumed value of a preset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AssumedValue {
    /// Table of the scenario: `hardware.switch`. The inside of a switch is not a key of a scenario:
    /// `tile fidelity`.
    pub table: &'static str,
    /// Preset (or law).
    pub preset: &'static str,
    /// Key.
    pub key: &'static str,
    /// The value.
    pub value: String,
    /// The reason for this value.
    pub why: &'static str,
    /// Plausible range; may be empty.
    pub plausible: &'static str,
    /// The result that it moves most.
    pub moves: &'static str,
}

/// Every assumed value of every preset, by table, preset and key.
#[must_use]
pub fn assumed_values() -> Vec<AssumedValue> {
    let mut values = Vec::new();
    of_presets::<SwitchParameters>(&mut values);
    of_presets::<NicParameters>(&mut values);
    of_presets::<EthernetParameters>(&mut values);
    of_presets::<HostParameters>(&mut values);
    of_presets::<NodeParameters>(&mut values);
    of_presets::<HostJitter>(&mut values);
    of_presets::<TcpParameters>(&mut values);
    of_presets::<UetParameters>(&mut values);
    of_presets::<RoutingParameters>(&mut values);
    of_presets::<CongestionLaw>(&mut values);
    of_presets::<LinkParameters>(&mut values);
    of_presets::<RetryParameters>(&mut values);
    of_presets::<CollectiveParameters>(&mut values);
    values.extend(assumed(TILE, "rosetta", TileParameters::rosetta_provenance()));
    values
}

/// Replaces the table for figures that are not keys of a scenario: those of the inside of a switch.
const TILE: &str = "tile fidelity";
/// Its heading, and the reason why it is there.
const TILE_HEADING: &str = "Tile fidelity\n\n\
    The inside of one switch, with which `philae validate --fidelity` compares the model of the fabric. Not a key of a\n\
    scenario; that command shows the effect of the figures that matter under load.";

fn assumed(table: &'static str, preset: &'static str, rows: Vec<Provenance>) -> impl Iterator<Item = AssumedValue> {
    rows.into_iter().filter(|row| row.status == FigureStatus::Assumed).map(move |row| AssumedValue {
        table,
        preset,
        key: row.name,
        value: row.value,
        why: row.source,
        plausible: row.range,
        moves: row.moves,
    })
}

fn of_presets<T: ParameterSet>(values: &mut Vec<AssumedValue>) {
    let first = values.len();
    for &preset in T::PRESETS {
        values.extend(assumed(T::TABLE, preset, T::provenance(preset)));
    }
    values[first..].sort_by_key(|value| (value.preset, value.key));
}

/// docs/simulate/assumptions.md: every assumed value of every preset, generated from the code.
///
/// # Panics
/// Never: writing into a string cannot fail.
#[must_use]
pub fn assumptions_markdown() -> String {
    let mut text = String::from(
        "# What is assumed\n\n\
         Every figure of the presets for which no public source was found, with its value, the reason, the range in which it\n\
         is plausible and the result that it affects most. Each is a key of a scenario, so that you can sweep it:\n\
         `philae simulate FILE --set hardware.switch.latency_spread_ns=0`. All other figures have their source beside them\n\
         in the code. This page is generated: `philae schema --assumptions > docs/simulate/assumptions.md`.\n",
    );
    let mut table = "";
    for row in assumed_values() {
        if row.table != table {
            table = row.table;
            let heads = "| preset | key | value | why this value | plausible | moves most |\n|---|---|---|---|---|---|";
            let heading = match table {
                TILE => TILE_HEADING.to_owned(),
                key => format!("`[{key}]`"),
            };
            writeln!(text, "\n## {heading}\n\n{heads}").expect("writing into a string cannot fail");
        }
        let cells = [row.preset, row.key, &row.value, row.why, row.plausible, row.moves];
        let cells = cells.map(|cell| cell.replace('|', "\\|")).join(" | ");
        writeln!(text, "| {cells} |").expect("writing into a string cannot fail");
    }
    text
}
