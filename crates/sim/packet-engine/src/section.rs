//! The packet engine's section of a scenario, and the program that it makes.

use crate::error::{EngineError, hint};
use crate::spec::{
    EntrySpec, FieldValue, Members, PacketAction, ParserSpec, PipelineProgram, PipelineStage, TableSpec,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Built-in programs: name and text.
const PROGRAMS: [(&str, &str); 4] = [
    ("vlan-edge", include_str!("../programs/vlan-edge.toml")),
    ("acl", include_str!("../programs/acl.toml")),
    ("vni-isolation", include_str!("../programs/vni-isolation.toml")),
    ("vxlan-edge", include_str!("../programs/vxlan-edge.toml")),
];

/// Cause with which the built-in program `vlan-edge` denies.
const VLAN_MISMATCH: &str = "vlan_mismatch";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BuiltIn {
    about: String,
    tables: Vec<TableSpec>,
}

/// The packet engine of every switch: `[packet_engine]` of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PacketEngine {
    /// Built-in programs: "vlan-edge", "acl", "vni-isolation", "vxlan-edge". Packets pass them in
    /// this order at the ingress, and in the opposite order at the egress. Default: none.
    pub programs: Vec<String>,
    /// Fields that tell flows of one source and destination apart, such as "inner.l4.sport". Default: none.
    pub signature: Vec<String>,
    /// Whether the endpoints of each job are members of its VNI, for "vni-isolation". Default true.
    pub jobs_are_members: bool,
    /// The parser's graph. Default: the built-in one, which reads every field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parser: Option<ParserSpec>,
    /// Further members of virtual networks, for "vni-isolation".
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Members>,
    /// VLANs of edge ports, for "vlan-edge".
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vlan: Vec<VlanPort>,
    /// Entries for tables of built-in programs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<TableEntry>,
    /// Additional tables: after those of the built-in programs in both stages, unless `before` places them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableSpec>,
}

impl Default for PacketEngine {
    /// No program and no table: every packet passes.
    fn default() -> Self {
        Self {
            programs: Vec::new(),
            signature: Vec::new(),
            jobs_are_members: true,
            parser: None,
            members: Vec::new(),
            vlan: Vec::new(),
            entries: Vec::new(),
            tables: Vec::new(),
        }
    }
}

/// The VLANs of an edge port: an access port has one, whose tag the endpoint does not see; a trunk port carries several, tagged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VlanPort {
    /// The switch. Default: every switch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<u32>,
    /// The port's number on its switch.
    pub port: u8,
    /// Of an access port: its VLAN, 1 to 4094.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<u16>,
    /// Of a trunk port: the VLANs that it carries, 1 to 4094.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trunk: Vec<u16>,
}

/// An entry for a table that is there already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableEntry {
    /// The table.
    pub table: String,
    /// Matched values, by field: as in a table.
    #[serde(default, rename = "match")]
    pub matches: BTreeMap<String, FieldValue>,
    /// As in a table. Default 0.
    #[serde(default)]
    pub priority: u32,
    /// The actions. Without `permit`, `deny` or `goto`, the next table follows.
    #[serde(default)]
    pub actions: Vec<PacketAction>,
}

/// The names of the built-in programs, and the purpose of each.
///
/// # Panics
/// Never, because a test reads them all.
#[must_use]
pub fn built_in_programs() -> Vec<(&'static str, String)> {
    PROGRAMS.iter().map(|(name, text)| (*name, read_built_in(text).about)).collect()
}

fn read_built_in(text: &str) -> BuiltIn {
    toml::from_str(text).expect("a test reads every built-in program")
}

/// The built-in parser.
///
/// # Panics
/// Never, because a test reads it.
#[must_use]
pub fn default_parser() -> ParserSpec {
    toml::from_str(include_str!("../programs/parser.toml")).expect("a test reads the built-in parser")
}

impl PacketEngine {
    /// The section with every default filled in: the parser's graph.
    #[must_use]
    pub fn resolved(&self) -> Self {
        Self { parser: Some(self.parser.clone().unwrap_or_else(default_parser)), ..self.clone() }
    }

    /// The program: built-in tables, their entries, and the scenario's own tables.
    ///
    /// # Errors
    /// [`EngineError`]: an unknown program or table, a VLAN port that is neither access nor trunk,
    /// members of no VNI.
    pub fn program(&self) -> Result<PipelineProgram, EngineError> {
        let mut tables = self.built_in_tables()?;
        tables.extend(self.tables.iter().cloned());
        for entry in &self.entries {
            let spec =
                EntrySpec { matches: entry.matches.clone(), priority: entry.priority, actions: entry.actions.clone() };
            find(&mut tables, &entry.table, "packet_engine.entries")?.entries.push(spec);
        }
        self.add_vlans(&mut tables)?;
        for members in &self.members {
            if members.vni == 0 || members.vni > u32::from(u16::MAX) {
                let works = "1 to 65535 would work";
                return Err(EngineError::value("packet_engine.members", "`vni`", members.vni, works));
            }
            find(&mut tables, "vni_ingress", "packet_engine.members (for the program \"vni-isolation\")")?;
        }
        Ok(PipelineProgram {
            parser: self.parser.clone().unwrap_or_else(default_parser),
            signature: self.signature.clone(),
            tables,
            jobs_are_members: self.jobs_are_members,
            members: self.members.clone(),
        })
    }

    fn built_in_tables(&self) -> Result<Vec<TableSpec>, EngineError> {
        let mut chosen = Vec::new();
        for (at, name) in self.programs.iter().enumerate() {
            if self.programs[..at].contains(name) {
                let works = "each program runs once";
                return Err(EngineError::value("packet_engine.programs", format!("\"{name}\""), "there twice", works));
            }
            let Some((_, text)) = PROGRAMS.iter().find(|(known, _)| known == name) else {
                let known = PROGRAMS.map(|(known, _)| known.to_owned());
                let hint = hint(name, &known);
                return Err(EngineError::UnknownProgram { found: name.clone(), hint, known: known.join(", ") });
            };
            chosen.push(read_built_in(text).tables);
        }
        let of = |stage| move |table: &TableSpec| table.stage == stage;
        let mut tables: Vec<TableSpec> =
            chosen.iter().flatten().filter(|table| of(PipelineStage::Ingress)(table)).cloned().collect();
        // The egress removes first what the ingress added last.
        tables.extend(chosen.iter().rev().flatten().filter(|table| of(PipelineStage::Egress)(table)).cloned());
        Ok(tables)
    }

    fn add_vlans(&self, tables: &mut [TableSpec]) -> Result<(), EngineError> {
        for (at, found) in self.vlan.iter().enumerate() {
            let place = format!("packet_engine.vlan.{at}");
            let missing = "packet_engine.vlan (for the program \"vlan-edge\")";
            let entry = |vlan: Option<FieldValue>, priority: u32, actions: Vec<PacketAction>| {
                let switch = found.switch.map(|switch| ("meta.switch".to_owned(), u64::from(switch).into()));
                let port = ("meta.port".to_owned(), u64::from(found.port).into());
                let vlan = vlan.map(|vlan| ("vlan.id".to_owned(), vlan));
                let matches = switch.into_iter().chain([port]).chain(vlan).collect();
                EntrySpec { matches, priority, actions }
            };
            let deny = || vec![PacketAction::Deny { cause: VLAN_MISMATCH.to_owned() }];
            let any_tag = || Some(FieldValue::from("0&0"));
            let (ingress, egress) = match (found.access, found.trunk.as_slice()) {
                (Some(vlan), []) => (
                    vec![
                        entry(any_tag(), 1, deny()),
                        entry(None, 0, vec![PacketAction::PushVlan { id: vlan, pcp: 0 }]),
                    ],
                    vec![entry(Some(u64::from(vlan).into()), 1, vec![PacketAction::PopVlan]), entry(None, 0, deny())],
                ),
                (None, vlans @ [_, ..]) => {
                    let carried = vlans.iter().map(|vlan| entry(Some(u64::from(*vlan).into()), 1, Vec::new()));
                    let entries: Vec<EntrySpec> = carried.chain([entry(None, 0, deny())]).collect();
                    (entries.clone(), entries)
                }
                (access, _) => {
                    let state = if access.is_some() { "access and trunk" } else { "neither access nor trunk" };
                    let works = "one of `access` (a VLAN) and `trunk` (a list of VLANs) would work";
                    return Err(EngineError::value(place, format!("port {}", found.port), state, works));
                }
            };
            let vlans = found.trunk.iter().chain(&found.access);
            if let Some(wrong) = vlans.into_iter().find(|vlan| **vlan == 0 || **vlan > 4_094) {
                return Err(EngineError::value(place, "a VLAN", wrong, "1 to 4094 would work"));
            }
            find(tables, "vlan_ingress", missing)?.entries.extend(ingress);
            find(tables, "vlan_egress", missing)?.entries.extend(egress);
        }
        Ok(())
    }
}

/// A table by name.
fn find<'t>(tables: &'t mut [TableSpec], name: &str, place: &str) -> Result<&'t mut TableSpec, EngineError> {
    let names: Vec<String> = tables.iter().map(|table| table.name.clone()).collect();
    tables.iter_mut().find(|table| table.name == name).ok_or_else(|| EngineError::UnknownTable {
        place: place.to_owned(),
        found: name.to_owned(),
        hint: hint(name, &names),
        known: if names.is_empty() {
            "none; name a program in packet_engine.programs".to_owned()
        } else {
            names.join(", ")
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_program_compiles_alone_and_with_all_others() {
        assert_eq!(built_in_programs().len(), 4);
        let all: Vec<String> = PROGRAMS.iter().map(|(name, _)| (*name).to_owned()).collect();
        for programs in all.iter().map(|name| vec![name.clone()]).chain([all.clone()]) {
            let engine = PacketEngine { programs, ..PacketEngine::default() };
            engine.program().unwrap().compile(&[]).unwrap();
        }
    }
}
