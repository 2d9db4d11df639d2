//! Writes Slurm's topology files: `topology.conf` for the plugin `topology/tree`, and
//! `topology.yaml`.
//!
//! A name in them is a host name: letters, digits, `-`, `_` and `.`. Blanks end a value, and commas
//! and brackets belong to lists. A node is below one switch, once. Source: the manual page
//! topology.conf(5). Status: published.

use crate::fabric::{PlannedFabric, WiringKind};
use crate::xname::quoted;
use philae_units::{GroupId, NodeId, SwitchId, counted};
use std::collections::{BTreeMap, BTreeSet};

/// A level of Slurm's tree: a name, and the entries below it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Branch {
    name: String,
    below: Below,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Below {
    Nodes(String),
    Switches(String),
}

/// Names as a Slurm host list: `n[001-003,7]` for names that end in numbers, with commas between
/// the rest.
#[must_use]
pub(crate) fn host_list(names: &[String]) -> String {
    // Group by the text before the number, and by width if there are leading zeros: 007 differs
    // from 7.
    let mut numbered: BTreeMap<(&str, usize), Vec<u64>> = BTreeMap::new();
    let mut plain = Vec::new();
    for name in names {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (prefix, number) = name.split_at(name.len() - digits);
        match number.parse::<u64>() {
            Ok(value) if digits <= 18 => {
                let width = if number.starts_with('0') && digits > 1 { digits } else { 0 };
                numbered.entry((prefix, width)).or_default().push(value);
            }
            _ => plain.push(name.clone()),
        }
    }
    for ((prefix, width), mut values) in numbered {
        values.sort_unstable();
        values.dedup();
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for value in values {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == value => *last = value,
                _ => ranges.push((value, value)),
            }
        }
        let range = |(from, to): &(u64, u64)| {
            if from == to { format!("{from:0width$}") } else { format!("{from:0width$}-{to:0width$}") }
        };
        let list: Vec<String> = ranges.iter().map(range).collect();
        match &ranges[..] {
            [(from, to)] if from == to => plain.push(format!("{prefix}{}", list[0])),
            _ => plain.push(format!("{prefix}[{}]", list.join(","))),
        }
    }
    plain.join(",")
}

/// A text as a valid name for Slurm: other characters become `-`. Empty if nothing is left.
fn token(text: &str) -> String {
    let legal = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match legal(letter) {
            true => out.push(letter),
            false if out.ends_with('-') => {}
            false => out.push('-'),
        }
    }
    out.trim_matches(|letter: char| !letter.is_ascii_alphanumeric()).to_owned()
}

/// Assigns unique names: if the preferred name is already in use, the unique fallback is used.
#[derive(Default)]
struct Taken {
    names: BTreeSet<String>,
    /// Labels that could not be taken as they are, with the names instead.
    changed: Vec<(String, String)>,
}

impl Taken {
    fn take(&mut self, wanted: &str, sure: impl FnOnce() -> String) -> String {
        let mut name = token(wanted);
        if name.is_empty() || self.names.contains(&name) {
            name = sure();
        }
        while !self.names.insert(name.clone()) {
            name += "-2";
        }
        if !wanted.is_empty() && wanted != name {
            self.changed.push((wanted.to_owned(), name.clone()));
        }
        name
    }

    /// What was changed, in words: a count and an example.
    fn warning(&self, what: &str, key: &str) -> Option<String> {
        let (wanted, name) = self.changed.first()?;
        let have = if self.changed.len() == 1 { "has" } else { "have" };
        let count = counted(self.changed.len(), what);
        Some(format!(
            "{count} {have} another name in Slurm's file than in the fabric, such as '{name}' for '{}': a {key} has \
             letters, digits, '-', '_' and '.', and is there once",
            quoted(wanted)
        ))
    }
}

/// Slurm's tree, and the names that are not those of the fabric.
struct Tree {
    branches: Vec<Branch>,
    warnings: Vec<String>,
}

/// A name as YAML text. Without quotes `true`, `no`, `1e3` and `0x1` would be no text.
fn yaml_text(name: &str) -> String {
    /// Source: the scalars of YAML 1.1 and 1.2's core schema that are not text. Status: published.
    const WORDS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"];
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && !WORDS.iter().any(|word| name.eq_ignore_ascii_case(word));
    if is_plain { name.to_owned() } else { format!("\"{name}\"") }
}

/// The first of the switches that are joined with it.
fn first(joined: &mut [u32], of: u32) -> u32 {
    let mut at = of;
    while joined[at as usize] != at {
        joined[at as usize] = joined[joined[at as usize] as usize];
        at = joined[at as usize];
    }
    at
}

impl PlannedFabric {
    /// The leaf of each switch: the switch itself if every node has all its NICs on one switch.
    /// Otherwise a node would be below several leaves, so a leaf is then a group, or in a graph
    /// without groups all switches that share nodes.
    fn leaf_of_switches(&self, switches_of: &[Vec<SwitchId>]) -> Vec<u32> {
        let several = switches_of.iter().any(|switches| switches.windows(2).any(|pair| pair[0] != pair[1]));
        let mut leaf: Vec<u32> = (0..self.switch_count() as u32).collect();
        if !several {
            return leaf;
        }
        if self.wiring() != WiringKind::Graph {
            let first_of = |switch: u32| self.switches_of(self.switch(SwitchId(switch)).group).start;
            return leaf.into_iter().map(first_of).collect();
        }
        for switches in switches_of {
            for pair in switches.windows(2) {
                let (one, other) = (first(&mut leaf, pair[0].0), first(&mut leaf, pair[1].0));
                leaf[one.max(other) as usize] = one.min(other);
            }
        }
        (0..leaf.len() as u32).map(|switch| first(&mut leaf, switch)).collect()
    }

    /// Slurm's tree: leaves, above them groups (if more than one), then one root. Nodes on which no
    /// jobs run are left out.
    fn slurm_tree(&self) -> Tree {
        let nodes = (0..self.node_count()).map(NodeId::from_index).filter(|node| self.nodes()[node.index()].compute);
        let nodes: Vec<NodeId> = nodes.collect();
        let switches = |node: &NodeId| {
            self.nics_of(*node).map(|nic| self.switch_of(self.nics()[nic as usize].port)).collect::<Vec<_>>()
        };
        let switches_of: Vec<Vec<SwitchId>> = nodes.iter().map(switches).collect();
        let leaf_of = self.leaf_of_switches(&switches_of);
        let used: BTreeSet<SwitchId> = switches_of.iter().flatten().copied().collect();
        let mut members: BTreeMap<u32, Vec<SwitchId>> = BTreeMap::new();
        for switch in used {
            members.entry(leaf_of[switch.index()]).or_default().push(switch);
        }
        let mut hosts = Taken::default();
        let mut leaves: BTreeMap<(GroupId, SwitchId), Vec<String>> = BTreeMap::new();
        for (node, switches) in nodes.iter().zip(&switches_of) {
            let Some(switch) = switches.first() else { continue };
            let leaf = SwitchId(leaf_of[switch.index()]);
            let name = hosts.take(self.node_label(*node).unwrap_or_default(), || self.node_xname(*node).to_string());
            leaves.entry((self.switch(leaf).group, leaf)).or_default().push(name);
        }
        let mut leaves_of: BTreeMap<GroupId, usize> = BTreeMap::new();
        leaves.keys().for_each(|(group, _)| *leaves_of.entry(*group).or_default() += 1);
        // Reserve our own names first, so that no label of a switch takes them.
        let names = leaves_of.keys().map(|group| format!("g{group}")).chain(["root".to_owned()]).collect();
        let mut taken = Taken { names, ..Taken::default() };
        let mut tree = Vec::new();
        let mut groups: BTreeMap<GroupId, Vec<String>> = BTreeMap::new();
        let mut units = 0;
        let mut is_whole = BTreeSet::new();
        for (&(group, leaf), names) in &leaves {
            let name = match members[&leaf.0][..] {
                [switch] => {
                    let wanted = self.switch_system(switch).unwrap_or_default();
                    taken.take(wanted, || self.switch_xname(switch).to_string())
                }
                _ if leaves_of[&group] == 1 => {
                    is_whole.insert(group);
                    format!("g{group}")
                }
                // Switches that share hosts, one for each rail, are a scalable unit.
                _ => {
                    units += 1;
                    taken.take(&format!("su{units}"), || format!("su{units}"))
                }
            };
            tree.push(Branch { name: name.clone(), below: Below::Nodes(host_list(names)) });
            groups.entry(group).or_default().push(name);
        }
        let several = groups.len() > 1;
        let mut top = Vec::new();
        for (group, names) in groups {
            if several && !is_whole.contains(&group) {
                let name = format!("g{group}");
                tree.push(Branch { name: name.clone(), below: Below::Switches(host_list(&names)) });
                top.push(name);
            } else {
                top.extend(names);
            }
        }
        if top.len() > 1 {
            tree.push(Branch { name: "root".to_owned(), below: Below::Switches(host_list(&top)) });
        }
        let warnings = [hosts.warning("node", "NodeName"), taken.warning("switch", "SwitchName")];
        Tree { branches: tree, warnings: warnings.into_iter().flatten().collect() }
    }

    /// What Slurm's files cannot say as the fabric does: other names of nodes and switches, and
    /// parts that share no link.
    #[must_use]
    pub fn slurm_warnings(&self) -> Vec<String> {
        let mut warnings = self.slurm_tree().warnings;
        let parts = self.parts_of_switches().into_iter().max().map_or(1, |last| last + 1);
        if parts > 1 {
            warnings.push(format!(
                "the switches are in {parts} parts without a link between them: Slurm's tree joins them below its root, \
                 and a job may be spread over them; a partition for each part would keep it in one"
            ));
        }
        warnings
    }

    /// Slurm's `topology.conf` for the plugin `topology/tree`.
    #[must_use]
    pub fn to_slurm_conf(&self) -> String {
        let mut out = format!("# {}\n", self.name().replace(['\n', '\r'], " "));
        for branch in self.slurm_tree().branches {
            let (key, list) = match &branch.below {
                Below::Nodes(list) => ("Nodes", list),
                Below::Switches(list) => ("Switches", list),
            };
            out += &format!("SwitchName={} {key}={list}\n", branch.name);
        }
        out
    }

    /// Slurm's `topology.yaml` (25.05 and later), one tree.
    #[must_use]
    pub fn to_slurm_yaml(&self) -> String {
        let mut out = String::from("---\n- topology: fabric\n  cluster_default: true\n  tree:\n    switches:\n");
        for branch in self.slurm_tree().branches {
            let (key, list) = match &branch.below {
                Below::Nodes(list) => ("nodes", list),
                Below::Switches(list) => ("children", list),
            };
            out += &format!("      - switch: {}\n        {key}: \"{list}\"\n", yaml_text(&branch.name));
        }
        out
    }
}
