//! Fat trees in htsim's form: `.topo` files.
//!
//! Format: the topology files of htsim (uet-htsim, htsim/sim/datacenter/topologies) and of
//! ASTRA-sim's htsim backend. `Nodes`, `Tiers` and `Podsize`, then a block for each tier: ports
//! down and up, rate and delay of the links down, links in a bundle to each switch below. The
//! reader keeps everything that the description of a fat tree can hold; `assumed` lists the rest.

use std::collections::BTreeMap;

use super::{FatTreeCores, FatTreeDescription};
use crate::{Assumed, CableDescription, Medium, PROPAGATION_PER_METRE, SystemDescription};

/// Longest cable of copper, in metres. Source: Slingshot's passive cables are at most 2.6 m.
/// Status: published.
const COPPER_METRES_MAX: f64 = 2.6;

/// Whether a text looks like one: its first word is `Nodes`.
pub(crate) fn looks_like(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.split_whitespace().next() == Some("Nodes"))
}

/// A number with the line that it is on.
#[derive(Clone, Copy, Debug)]
struct Number {
    value: u64,
    line: usize,
}

/// The contents of a file: for the whole, and for each tier.
struct File {
    whole: BTreeMap<String, Number>,
    tiers: Vec<Tier>,
    last: usize,
}

/// A block.
struct Tier {
    number: u64,
    line: usize,
    values: BTreeMap<String, Number>,
}

const OF_WHOLE: [&str; 3] = ["Nodes", "Tiers", "Podsize"];
const OF_TIER: [&str; 7] = [
    "Downlink_speed_Gbps",
    "Radix_Down",
    "Radix_Up",
    "Downlink_Latency_ns",
    "Switch_Latency_ns",
    "Bundle",
    "Oversubscribed",
];
/// Values that no other value of the file confirms.
const FREE: [&str; 4] = ["Downlink_speed_Gbps", "Downlink_Latency_ns", "Switch_Latency_ns", "Oversubscribed"];
/// Largest number in a file: products of two stay inside 64 bits.
const NUMBER_MAX: u64 = u32::MAX as u64;

fn wrong(line: usize, found: impl std::fmt::Display, expected: impl std::fmt::Display) -> String {
    format!("line {line}: found {found}; expected {expected}")
}

/// Reads a file.
///
/// # Errors
/// The line, what was found and what was expected.
pub(crate) fn parse(text: &str) -> Result<SystemDescription, String> {
    let file = read(text)?;
    let tree = Tree::of(&file)?;
    let mut description = tree.description();
    // Sizes must fit each other, so that a cut one is an error.
    let last = text.lines().next_back().and_then(|line| line.split_whitespace().next()).unwrap_or_default();
    if !text.ends_with(char::is_whitespace) && FREE.contains(&last) {
        let cut = "the last one, has no line end: a file that was cut within it looks the same";
        description.warnings.push(format!("line {}, {cut}", file.last));
    }
    Ok(description)
}

fn read(text: &str) -> Result<File, String> {
    let mut file = File { whole: BTreeMap::new(), tiers: Vec::new(), last: 1 };
    for (line, words) in text.lines().zip(1..).map(|(words, line)| (line, words)) {
        let words = words.split('#').next().unwrap_or_default();
        let words: Vec<&str> = words.split_whitespace().collect();
        file.last = line;
        let (key, value) = match words.as_slice() {
            [] => continue,
            [key, value] => (*key, *value),
            _ => return Err(wrong(line, format!("'{}'", words.join(" ")), "a key and a number, such as `Nodes 128`")),
        };
        let known: &[&str] = match (key, file.tiers.is_empty()) {
            ("Tier", _) => &["Tier"],
            (_, true) => &OF_WHOLE,
            _ => &OF_TIER,
        };
        if !known.contains(&key) {
            let place = if file.tiers.is_empty() { "before the first `Tier`" } else { "in a tier" };
            return Err(wrong(line, format!("'{key}' {place}"), format!("Tier, or one of {}", known.join(", "))));
        }
        let parsed = value.parse::<u64>().ok().filter(|&number| number <= NUMBER_MAX);
        let Some(value) = parsed else {
            return Err(wrong(line, format!("'{value}' for {key}"), format!("a whole number up to {NUMBER_MAX}")));
        };
        let number = Number { value, line };
        if key == "Tier" {
            let next = file.tiers.len() as u64;
            if value != next {
                return Err(wrong(line, format!("tier {value}"), format!("tier {next}: they come in order from 0")));
            }
            file.tiers.push(Tier { number: value, line, values: BTreeMap::new() });
            continue;
        }
        let values = file.tiers.last_mut().map_or(&mut file.whole, |tier| &mut tier.values);
        if let Some(before) = values.insert(key.to_owned(), number) {
            return Err(wrong(
                line,
                format!("{key} for the second time"),
                format!("it once, as on line {}", before.line),
            ));
        }
    }
    Ok(file)
}

impl File {
    fn whole(&self, key: &str) -> Result<Number, String> {
        let found = self.whole.get(key).copied();
        let found = found.ok_or_else(|| wrong(self.last, format!("no `{key}`"), format!("`{key}` and a number")))?;
        not_zero(key, found)
    }
}

fn not_zero(key: &str, number: Number) -> Result<Number, String> {
    if number.value == 0 { Err(wrong(number.line, format!("{key} 0"), "1 or more")) } else { Ok(number) }
}

impl Tier {
    fn get(&self, key: &str) -> Result<Number, String> {
        let found = self.values.get(key).copied();
        let missing =
            || wrong(self.line, format!("no `{key}` in tier {}", self.number), format!("`{key}` and a number"));
        not_zero(key, found.ok_or_else(missing)?)
    }

    fn or(&self, key: &str, default: u64) -> Number {
        self.values.get(key).copied().unwrap_or(Number { value: default, line: self.line })
    }

    fn bundle(&self) -> Result<Number, String> {
        not_zero("Bundle", self.or("Bundle", 1))
    }

    /// The links down.
    fn cable(&self) -> Result<CableDescription, String> {
        let rate = self.get("Downlink_speed_Gbps")?.value as f64;
        let metres = self.or("Downlink_Latency_ns", 0).value as f64 * 1_000.0 / PROPAGATION_PER_METRE.0 as f64;
        let medium = if metres <= COPPER_METRES_MAX { Medium::Copper } else { Medium::Optical };
        Ok(CableDescription::new(medium, metres, rate))
    }
}

/// `whole` divided by `part`, both with their names.
fn divided(whole: (&str, Number), part: (&str, Number)) -> Result<u64, String> {
    if whole.1.value.is_multiple_of(part.1.value) {
        return Ok(whole.1.value / part.1.value);
    }
    let found = format!("{} {} with {} {}", whole.0, whole.1.value, part.0, part.1.value);
    Err(wrong(part.1.line, found, format!("a divisor of {}", whole.1.value)))
}

/// Checks that `found` is `needed`, for the reason in `why`.
fn agrees(key: &str, found: Number, needed: u64, why: &str) -> Result<(), String> {
    if found.value == needed {
        return Ok(());
    }
    Err(wrong(found.line, format!("{key} {}", found.value), format!("{needed}: {why}")))
}

/// The tree with its sizes checked.
struct Tree {
    nodes: u64,
    wiring: FatTreeDescription,
    assumed: Vec<Assumed>,
    radix: u64,
    warnings: Vec<String>,
}

impl Tree {
    fn of(file: &File) -> Result<Self, String> {
        let (nodes, tiers) = (file.whole("Nodes")?, file.whole("Tiers")?);
        if !(2..=3).contains(&tiers.value) {
            return Err(wrong(tiers.line, format!("{} tiers", tiers.value), "2 or 3"));
        }
        let blocks = file.tiers.len() as u64;
        if blocks != tiers.value {
            let found = format!("{blocks} blocks of tiers");
            return Err(wrong(file.last, found, format!("{}, as line {} says", tiers.value, tiers.line)));
        }
        let pod =
            if tiers.value == 3 { file.whole("Podsize")? } else { file.whole.get("Podsize").copied().unwrap_or(nodes) };
        let pod = not_zero("Podsize", pod)?;
        let pods = divided(("Nodes", nodes), ("Podsize", pod))?;
        if tiers.value == 2 && pods != 1 {
            return Err(wrong(
                pod.line,
                format!("Podsize {}", pod.value),
                format!("{}: two tiers are one pod", nodes.value),
            ));
        }
        let (leaf, spine) = (&file.tiers[0], &file.tiers[1]);
        let endpoints = leaf.get("Radix_Down")?;
        let leaves = divided(("Podsize", pod), ("Radix_Down", endpoints))?;
        let (leaf_up, leaf_links) = (leaf.get("Radix_Up")?, spine.bundle()?);
        let spines = divided(("Radix_Up of tier 0", leaf_up), ("Bundle", leaf_links))?;
        let why = format!("a bundle of {} from each of {leaves} switches below", leaf_links.value);
        agrees("Radix_Down", spine.get("Radix_Down")?, leaves * leaf_links.value, &why)?;
        let mut wiring = FatTreeDescription {
            edge: leaf.cable()?,
            uplink: spine.cable()?,
            links_per_pair: narrow(leaf_links)?,
            ..FatTreeDescription::two_level(
                narrow_count(leaves, endpoints)?,
                narrow(endpoints)?,
                narrow_count(spines, leaf_up)?,
            )
        };
        let mut radix = (endpoints.value + leaf_up.value).max(leaves * leaf_links.value);
        if let Some(core) = file.tiers.get(2) {
            let (spine_up, core_links) = (spine.get("Radix_Up")?, core.bundle()?);
            let per_plane = divided(("Radix_Up of tier 1", spine_up), ("Bundle", core_links))?;
            let why = format!("a bundle of {} from each of {pods} pods", core_links.value);
            agrees("Radix_Down", core.get("Radix_Down")?, pods * core_links.value, &why)?;
            wiring.cores = Some(FatTreeCores {
                pods: narrow_count(pods, pod)?,
                per_plane: narrow_count(per_plane, spine_up)?,
                links_per_pair: narrow(core_links)?,
            });
            wiring.core_link = Some(core.cable()?).filter(|cable| *cable != wiring.uplink);
            radix = radix.max(leaves * leaf_links.value + spine_up.value).max(pods * core_links.value);
        }
        if let Some(top) = file.tiers.last().and_then(|tier| tier.values.get("Radix_Up")) {
            return Err(wrong(top.line, "Radix_Up in the highest tier", "none: nothing is above it"));
        }
        let mut warnings = Vec::new();
        warnings.extend(latency_warning(&file.tiers));
        let has_delay = |tier: &&Tier| tier.values.contains_key("Downlink_Latency_ns");
        if file.tiers.iter().any(|tier| has_delay(&tier)) {
            let without = file.tiers.iter().filter(|tier| !has_delay(tier));
            let said = |tier: &Tier| {
                format!("tier {} has no Downlink_Latency_ns, and others have: its cables have 0 m", tier.number)
            };
            warnings.extend(without.map(said));
        }
        Ok(Self { nodes: nodes.value, wiring, assumed: assumed(&file.tiers), radix, warnings })
    }

    fn description(self) -> SystemDescription {
        let Self { nodes, wiring, assumed, radix, warnings } = self;
        let tiers = if wiring.cores.is_some() { 3 } else { 2 };
        let mut description = SystemDescription::from(wiring);
        description.name = format!("htsim-{nodes}");
        description.summary = format!("Fat tree of {nodes} nodes and {tiers} tiers, from htsim's description");
        description.sources = vec!["htsim's topology file".to_owned()];
        description.assumed = assumed;
        // All ports are used; a switch has at least the two of a line.
        description.radix = (radix as usize).max(2);
        description.warnings = description.wide_switches(|_| false).into_iter().chain(warnings).collect();
        description
    }
}

/// A warning that latencies of switches are not those of the file.
fn latency_warning(tiers: &[Tier]) -> Option<String> {
    let said: Vec<String> =
        tiers.iter().filter_map(|tier| Some(tier.values.get("Switch_Latency_ns")?.value.to_string())).collect();
    let values = said.join(", ");
    (!said.is_empty())
        .then(|| format!("Switch_Latency_ns ({values}) is ignored: `hardware.switch.latency_ns` of a scenario sets it"))
}

/// What the file says and a fat tree here cannot hold, and what the file does not say.
fn assumed(tiers: &[Tier]) -> Vec<Assumed> {
    let mut assumed = vec![Assumed {
        key: "switch, nic, congestion".to_owned(),
        value: "rosetta, cassini-1, slingshot".to_owned(),
        why: "the file has sizes, rates and delays only; set them in the scenario".to_owned(),
    }];
    for tier in tiers {
        // 0 is a latency as well; a key that the file omits is not mentioned.
        if let Some(latency) = tier.values.get("Switch_Latency_ns") {
            assumed.push(Assumed {
                key: format!("Switch_Latency_ns of tier {}", tier.number),
                value: format!("{} ns in the file; the switch's own here", latency.value),
                why: "the latency is the switch's: hardware.switch in the scenario".to_owned(),
            });
        }
        let (down, up) = (tier.or("Radix_Down", 0).value, tier.or("Radix_Up", 0).value);
        let said = tier.values.get("Oversubscribed").copied();
        if let Some(said) = said.filter(|said| up > 0 && down != up.saturating_mul(said.value)) {
            assumed.push(Assumed {
                key: format!("Oversubscribed of tier {}", tier.number),
                value: format!("{down} ports down and {up} up; the file says {}", said.value),
                why: "the number of ports follows from the wiring".to_owned(),
            });
        }
    }
    assumed
}

fn narrow(number: Number) -> Result<u32, String> {
    narrow_count(number.value, number)
}

fn narrow_count(count: u64, because: Number) -> Result<u32, String> {
    u32::try_from(count).map_err(|_| wrong(because.line, count, "a tree of at most 2^32 switches in a level"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Topology;

    /// Two tiers: 16 nodes, 4 leaves, 2 spines, bundles of 2.
    const TWO: &str = "# a small tree\nNodes 16\nTiers 2\nPodsize 16\nTier 0\nDownlink_speed_Gbps 200\nRadix_Down 4\nRadix_Up 4\n\
        Downlink_Latency_ns 10\nTier 1\nDownlink_speed_Gbps 400\nRadix_Down 8\nDownlink_Latency_ns 100\nBundle 2\n";
    /// Three tiers: two pods of two leaves and two spines; cores with links of another rate, two to
    /// each spine.
    const THREE: &str = "Nodes 8\nTiers 3\nPodsize 4\n\nTier 0\nDownlink_speed_Gbps 200\nRadix_Down 2\nRadix_Up 2\n\
        Downlink_Latency_ns 1000\n\nTier 1\nDownlink_speed_Gbps 200\nRadix_Down 2\nRadix_Up 4\nDownlink_Latency_ns 1000\nBundle 1\n\n\
        Tier 2\nDownlink_speed_Gbps 100\nRadix_Down 4\nDownlink_Latency_ns 1000\nBundle 2\nSwitch_Latency_ns 300\n";

    #[test]
    fn two_and_three_tiers_are_wired_as_they_say() {
        let two = parse(TWO).expect("it is right");
        let tree = two.fat_tree.as_ref().expect("a fat tree");
        assert_eq!((tree.leaves, tree.endpoints_per_leaf, tree.spines, tree.links_per_pair), (4, 4, 2, 2));
        assert_eq!((tree.edge.medium, tree.edge.length_m), (Medium::Copper, 2.0));
        assert_eq!((tree.uplink.medium, tree.uplink.length_m, tree.uplink.rate_gbps), (Medium::Optical, 20.0, 400.0));
        let built = Topology::build(&two).expect("it can be wired");
        assert_eq!((built.endpoint_count(), built.switch_count()), (16, 6));

        let three = parse(THREE).expect("it is right");
        let tree = three.fat_tree.as_ref().expect("a fat tree");
        assert_eq!(tree.cores, Some(FatTreeCores { pods: 2, per_plane: 2, links_per_pair: 2 }));
        assert_eq!(tree.core_link.as_ref().map(|cable| cable.rate_gbps), Some(100.0));
        let built = Topology::build(&three).expect("it can be wired");
        // Two pods of four, and two cores to each of two planes.
        assert_eq!((built.endpoint_count(), built.switch_count()), (8, 12));
        let slow = (0..built.port_count() as u32)
            .map(philae_units::PortIndex)
            .filter(|&port| built.port(port).role != crate::PortRole::Unused && built.rate(port).0 == 100_000)
            .count();
        assert_eq!(slow, 2 * 2 * 4 * 2, "both ends of four links up from each of four spines");
        assert!(three.assumed.iter().any(|assumed| assumed.key.contains("Switch_Latency_ns of tier 2")));
        assert_eq!((two.warnings.len(), three.warnings.len()), (0, 1));
        assert!(three.warnings[0].starts_with("Switch_Latency_ns (300) is ignored"), "{:?}", three.warnings);
        let none = parse(&THREE.replace("Latency_ns 300", "Latency_ns 0")).expect("it is right");
        assert!(none.warnings[0].starts_with("Switch_Latency_ns (0) is ignored"), "{:?}", none.warnings);
        let wide = TWO
            .replace("Radix_Down 4", "Radix_Down 64")
            .replace("Radix_Up 4", "Radix_Up 64")
            .replace("Nodes 16", "Nodes 256");
        let wide = wide.replace("Podsize 16", "Podsize 256");
        assert!(parse(&wide).expect("it is right").warnings[0].contains("128 ports"));
    }

    #[test]
    fn a_file_is_recognised_by_its_first_word() {
        for text in [TWO, THREE] {
            assert!(looks_like(text));
            assert_eq!(SystemDescription::parse(text).expect("it is one"), parse(text).expect("it is right"));
        }
        assert!(!looks_like("name = \"x\"\nNodes 3\n") && !looks_like("Nodeset 3\n"));
    }

    #[test]
    fn damaged_files_say_where_and_what_works() {
        let two = |from: &str, to: &str| TWO.replacen(from, to, 1);
        let three = |from: &str, to: &str| THREE.replacen(from, to, 1);
        for (text, line, expected) in [
            (two("Nodes 16", "Nodes"), 2, "a key and a number"),
            (two("Nodes 16", "Nodes 16 17"), 2, "a key and a number"),
            (two("Nodes 16", "Nodes many"), 2, "a whole number"),
            (two("Nodes 16", "Nodes -16"), 2, "a whole number"),
            (two("Nodes 16", "Nodes 1.5"), 2, "a whole number"),
            (two("Nodes 16", "Nodes 99999999999"), 2, "a whole number"),
            (two("Nodes 16", "Nodes 0"), 2, "1 or more"),
            (two("Nodes 16", "Nodes 15"), 4, "a divisor of 15"),
            (two("Nodes 16", "Nodes 32"), 4, "one pod"),
            (two("Nodes 16\n", ""), 13, "`Nodes` and a number"),
            (two("Tiers 2", "Tiers 4"), 3, "2 or 3"),
            (two("Tiers 2", "Tiers 3"), 14, "3, as line 3"),
            (two("Tiers 2", "Levels 2"), 3, "Nodes, Tiers, Podsize"),
            (two("Tiers 2", "Nodes 16"), 3, "as on line 2"),
            (two("Podsize 16", "Podsize 0"), 4, "1 or more"),
            (two("Tier 0", "Tier 1"), 5, "tier 0"),
            (two("Tier 1", "Tier 2"), 10, "tier 1"),
            (two("Radix_Down 4", "Radix_Down 3"), 7, "a divisor of 16"),
            (two("Radix_Down 4", "Radix_Down 0"), 7, "1 or more"),
            (two("Radix_Down 4\n", ""), 5, "`Radix_Down` and a number"),
            (two("Radix_Up 4\n", ""), 5, "`Radix_Up` and a number"),
            (two("Radix_Up 4", "Radix_Up 3"), 14, "a divisor of 3"),
            (two("Radix_Up 4", "Radix_Sideways 4"), 8, "Radix_Up"),
            (two("Downlink_speed_Gbps 200\n", ""), 5, "`Downlink_speed_Gbps`"),
            (two("Radix_Down 8", "Radix_Down 4"), 12, "8: a bundle of 2"),
            (two("Bundle 2", "Bundle 0"), 14, "1 or more"),
            (two("Bundle 2", "Bundle 2\nRadix_Up 4"), 15, "nothing is above"),
            (three("Podsize 4\n", ""), 22, "`Podsize`"),
            (three("Podsize 4", "Podsize 3"), 3, "a divisor of 8"),
            (three("Radix_Up 4", "Radix_Up 3"), 22, "a divisor of 3"),
            (three("Radix_Down 4", "Radix_Down 2"), 20, "4: a bundle of 2 from each of 2 pods"),
        ] {
            let error = parse(&text).expect_err(&text);
            assert!(error.starts_with(&format!("line {line}: found ")) && error.contains(expected), "{error}\n{text}");
        }
        for end in 0..THREE.len() {
            // Any prefix is read or refused.
            let _ = parse(&THREE[..end]);
        }
    }
}
