//! The files written for Slurm are valid: a strict reader of our own checks them by the rules of
//! topology.conf(5).

use philae_inventory::{Models, PlannedFabric, Template};
use std::collections::{BTreeMap, BTreeSet};

/// A switch of the file: its nodes, or the switches below it.
#[derive(Debug, Default)]
struct Entry {
    nodes: Vec<String>,
    switches: Vec<String>,
}

fn is_name(text: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !text.is_empty() && text.bytes().all(legal)
}

/// The names of a host list: `a,b[1-3,07]`. A name has one bracket, at its end, with rising ranges
/// of equal width.
fn expanded(list: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = list;
    while !rest.is_empty() {
        let end = rest.find([',', '[']).unwrap_or(rest.len());
        let prefix = &rest[..end];
        assert!(is_name(prefix), "'{prefix}' of '{list}' is no name");
        rest = &rest[end..];
        if let Some(inside) = rest.strip_prefix('[') {
            let (ranges, behind) = inside.split_once(']').expect("a bracket that ends");
            for range in ranges.split(',') {
                let (from, to) = range.split_once('-').unwrap_or((range, range));
                let (first, last): (u64, u64) = (from.parse().expect("a number"), to.parse().expect("a number"));
                assert!(first <= last, "{range}");
                let width = if from.starts_with('0') { from.len() } else { 0 };
                names.extend((first..=last).map(|number| format!("{prefix}{number:0width$}")));
            }
            rest = behind;
        } else {
            names.push(prefix.to_owned());
        }
        rest = match rest.strip_prefix(',') {
            Some(next) => {
                assert!(!next.is_empty(), "a list that ends with a comma");
                next
            }
            None => {
                assert!(rest.is_empty(), "'{rest}' behind a name");
                rest
            }
        };
    }
    names
}

/// Reads a topology.conf as strictly as the manual describes it.
fn read(text: &str) -> BTreeMap<String, Entry> {
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let pairs: Vec<(&str, &str)> = line
            .split(' ')
            .map(|pair| pair.split_once('=').unwrap_or_else(|| panic!("'{pair}' of '{line}' is no key=value")))
            .collect();
        let [("SwitchName", name), (key, list)] = pairs[..] else { panic!("'{line}'") };
        assert!(is_name(name), "{name}");
        let names = expanded(list);
        assert!(!names.is_empty(), "{name} has nothing below it");
        let entry = match key {
            "Nodes" => Entry { nodes: names, ..Entry::default() },
            "Switches" => Entry { switches: names, ..Entry::default() },
            _ => panic!("'{key}'"),
        };
        assert!(entries.insert(name.to_owned(), entry).is_none(), "a second switch {name}");
    }
    let mut below = BTreeSet::new();
    for (name, entry) in &entries {
        for switch in &entry.switches {
            assert!(entries.contains_key(switch), "{switch} below {name} is not listed");
            assert!(below.insert(switch.clone()), "{switch} is below two switches");
        }
    }
    let roots = entries.keys().filter(|name| !below.contains(*name)).count();
    assert_eq!(roots, 1, "one tree");
    let mut nodes = BTreeSet::new();
    for node in entries.values().flat_map(|entry| &entry.nodes) {
        assert!(nodes.insert(node), "{node} is there twice");
    }
    entries
}

fn fabric(text: &str) -> PlannedFabric {
    Template::from_netlist(text, "lab").expect("a netlist").build(&Models::built_in()).expect("consistent")
}

/// Two scalable units of two rails each, a spine, and names that are not hosts.
fn rails(names: [&str; 4]) -> PlannedFabric {
    let mut text =
        "Switch 8 \"S-9\" # \"MF0;spine:MQM9700/U1\"\n[1] \"S-1\"[8]\n[2] \"S-2\"[8]\n[3] \"S-3\"[8]\n[4] \"S-4\"[8]\n"
            .to_owned();
    for leaf in 1..=4 {
        text += &format!("Switch 8 \"S-{leaf}\" # \"MF0;leaf0{leaf}:MQM9700/U1\"\n");
    }
    for (at, name) in names.iter().enumerate() {
        for rail in 1..=2 {
            let (leaf, port) = (2 * (at / 2) + rail, at % 2 + 1);
            text += &format!("Ca 1 \"H-{at}{rail}\" # \"{name} mlx5_{rail}\"\n[1] \"S-{leaf}\"[{port}]\n");
        }
    }
    fabric(&text)
}

#[test]
fn hosts_of_several_rails_are_there_once() {
    let conf = rails(["a01", "a02", "b01", "b02"]).to_slurm_conf();
    assert_eq!(
        conf,
        "# lab\nSwitchName=su1 Nodes=a[01-02]\nSwitchName=su2 Nodes=b[01-02]\nSwitchName=root Switches=su[1-2]\n"
    );
    assert_eq!(read(&conf)["su1"].nodes, ["a01", "a02"]);
}

#[test]
fn names_are_tokens_and_no_two_are_equal() {
    // One switch each: leaves are switches, with the names of their systems.
    let text = "Switch 8 \"S-1\" # \"MF0;leaf 01:MQM9700/U1\"\n[8] \"S-2\"[8]\nSwitch 8 \"S-2\" # \"root\"\n\
                Ca 1 \"H-1\" # \"a card, with = and [brackets]\"\n[1] \"S-1\"[1]\nCa 1 \"H-2\" # \"a card  with = and [brackets]\"\n[1] \"S-1\"[2]\n\
                Ca 1 \"H-3\" # \"n#3 mlx5_0\"\n[1] \"S-2\"[1]\nCa 1 \"H-4\" # \"n07 mlx5_0\"\n[1] \"S-2\"[2]\n";
    let fabric = fabric(text);
    let entries = read(&fabric.to_slurm_conf());
    assert_eq!(
        entries["leaf-01"].nodes,
        ["a-card-with-and-brackets", "x3001c0s2b0n0"],
        "a second of one name: its xname"
    );
    assert_eq!(entries["x3000c0r3"].nodes, ["n07", "n-3-mlx5_0"], "'root' is ours");
    assert_eq!(entries["root"].switches, ["leaf-01", "x3000c0r3"]);
}

#[test]
fn built_in_systems_are_legal_and_complete() {
    for name in ["shandy", "malbec", "slingshot400-fat-tree", "frontier", "ndr-64"] {
        let fabric = Template::of_built_in(name).build(&Models::built_in()).expect("built in");
        let entries = read(&fabric.to_slurm_conf());
        let listed: usize = entries.values().map(|entry| entry.nodes.len()).sum();
        let with_nics = |node: &usize| {
            let id = philae_units::NodeId::from_index(*node);
            fabric.nodes()[*node].compute && !fabric.nics_of(id).is_empty()
        };
        assert_eq!(listed, (0..fabric.node_count()).filter(with_nics).count(), "{name}");
        let yaml = fabric.to_slurm_yaml();
        assert_eq!(yaml.matches("      - switch: ").count(), entries.len(), "{name}");
    }
}

#[test]
fn names_that_change_are_told() {
    let node = |name: &str, port: u16| format!("Ca 1 \"H-{port}\" # \"{name}\"\n[1] \"S-1\"[{port}]\n");
    let of = |switch: &str, nodes: [&str; 2]| {
        fabric(&format!("Switch 8 \"S-1\" # \"{switch}\"\n{}{}", node(nodes[0], 1), node(nodes[1], 2)))
    };
    assert_eq!(of("leaf", ["n1", "n2"]).slurm_warnings(), [""; 0]);
    let odd = of("leaf #1", ["\u{fc}1", "\u{f6}1"]);
    let entries = read(&odd.to_slurm_conf());
    assert_eq!(entries["leaf-1"].nodes, ["1", "x3001c0s2b0n0"], "two nodes, two names");
    let said = odd.slurm_warnings();
    assert!(said[0].starts_with("2 nodes have another name") && said[0].contains("'1' for '\u{fc}1'"), "{said:?}");
    assert!(said[1].starts_with("1 switch has another name") && said[1].contains("'leaf-1'"), "{said:?}");
}

#[test]
fn yaml_reads_every_name_as_text() {
    for (name, written) in [
        ("true", "\"true\""),
        ("No", "\"No\""),
        ("1e3", "\"1e3\""),
        ("0x1", "\"0x1\""),
        ("12", "\"12\""),
        ("null", "\"null\""),
        ("leaf01", "leaf01"),
    ] {
        let text = format!("Switch 8 \"S-1\" # \"{name}\"\nCa 1 \"H-1\" # \"n1 mlx5_0\"\n[1] \"S-1\"[1]\n");
        let yaml = fabric(&text).to_slurm_yaml();
        assert!(yaml.contains(&format!("- switch: {written}\n")), "{yaml}");
    }
}
