//! The picture of the network: who is joined to whom, and how busy the links are.

use std::collections::{BTreeMap, BTreeSet};

use philae_topology::{PortPeer, Topology};
use philae_units::{SwitchId, counted};

use crate::chart::{NetworkLink, NetworkPicture};
use crate::record::{LinkRole, RunRecord};
use crate::utilisation::Utilisation;

/// Switches up to which they are drawn one by one.
const SWITCHES_SHOWN: usize = 48;
/// Groups that are drawn one by one; larger numbers are joined to blocks.
const GROUPS_SHOWN: usize = 64;
/// Links that are drawn; a picture of more says nothing and is large.
const LINKS_SHOWN: usize = 2_100;

/// The sum of some values, and their number.
type Sum = (f64, u32);

fn add(sum: &mut Sum, value: f64) {
    *sum = (sum.0 + value, sum.1 + 1);
}

fn mean((sum, count): Sum) -> f64 {
    sum / f64::from(count.max(1))
}

/// The picture, or nothing where there is no link between two nodes of it.
pub(super) fn network(record: &RunRecord, utilisation: &Utilisation) -> String {
    let fabric = || record.port_info.iter().filter(|info| info.role != LinkRole::Edge);
    let ends = fabric().flat_map(|info| [Some((info.group.0, info.switch.0)), info.peer_switch()]);
    let switches: Vec<(u32, u32)> = ends.flatten().collect::<BTreeSet<_>>().into_iter().collect();
    let groups: Vec<u32> = switches.iter().map(|place| place.0).collect::<BTreeSet<_>>().into_iter().collect();
    let by_switch = switches.len() <= SWITCHES_SHOWN;
    let per_node = if by_switch { 1 } else { groups.len().div_ceil(GROUPS_SHOWN) };
    let node = |place: (u32, u32)| {
        if by_switch {
            switches.binary_search(&place).ok()
        } else {
            groups.binary_search(&place.0).ok().map(|group| group / per_node)
        }
    };
    let nodes: Vec<String> = if by_switch {
        switches.iter().map(|(group, switch)| format!("{group}:{switch}")).collect()
    } else {
        groups.chunks(per_node).map(block).collect()
    };
    let mut inside: Vec<Sum> = vec![(0.0, 0); nodes.len()];
    let mut between: BTreeMap<[usize; 2], [Sum; 2]> = BTreeMap::new();
    for port in utilisation.ports.iter().filter(|port| port.role != LinkRole::Edge) {
        let info = &record.port_info[port.info];
        let own = node((info.group.0, info.switch.0));
        let Some((from, to)) = own.zip(info.peer_switch().and_then(node)) else { continue };
        if from == to {
            add(&mut inside[from], port.mean);
        } else {
            add(&mut between.entry([from.min(to), from.max(to)]).or_default()[usize::from(from > to)], port.mean);
        }
    }
    if between.is_empty() {
        return String::new();
    }
    let what = if by_switch { "switch" } else { "group" };
    let mut links: Vec<NetworkLink> = between
        .into_iter()
        .map(|(ends, both)| NetworkLink {
            ends,
            // The busier direction.
            used: both.map(mean).into_iter().fold(0.0, f64::max),
            label: format!("{what} {} and {}", nodes[ends[0]], nodes[ends[1]]),
        })
        .collect();
    let all = links.len();
    links.sort_by(|one, other| other.used.total_cmp(&one.used).then(one.ends.cmp(&other.ends)));
    links.truncate(LINKS_SHOWN);
    let mut note = if by_switch {
        "Switches as group:switch. ".to_owned()
    } else if per_node > 1 {
        format!("{per_node} groups to a point, coloured by the links inside. ")
    } else {
        "Groups, coloured by the links inside. ".to_owned()
    };
    note += "A line is the mean of the links in use in its busier direction; what carried nothing is not drawn.";
    if all > links.len() {
        note += &format!(" The {} busiest of {all} lines.", links.len());
    }
    NetworkPicture {
        title: format!("The network: mean utilisation between {what}{}", if by_switch { "es" } else { "s" }),
        nodes,
        inside: inside.into_iter().map(|sum| (sum.1 > 0).then(|| mean(sum))).collect(),
        links,
        note,
        scale: None,
    }
    .html()
}

/// The network of a system before any run: who is joined to whom, coloured by the number of cables.
/// `None` where no two nodes of the picture are joined.
#[must_use]
pub fn wiring(topology: &Topology) -> Option<NetworkPicture> {
    let by_switch = topology.switch_count() <= SWITCHES_SHOWN;
    let per_node = if by_switch { 1 } else { topology.group_count().div_ceil(GROUPS_SHOWN) };
    let node = |switch: SwitchId| {
        if by_switch { switch.index() } else { topology.group_of(switch).index() / per_node }
    };
    let groups: Vec<u32> = (0..topology.group_count() as u32).collect();
    let switches = || (0..topology.switch_count()).map(SwitchId::from_index);
    let nodes: Vec<String> = if by_switch {
        switches().map(|switch| format!("{}:{switch}", topology.group_of(switch))).collect()
    } else {
        groups.chunks(per_node).map(block).collect()
    };
    let mut cables: BTreeMap<[usize; 2], u32> = BTreeMap::new();
    for switch in switches() {
        for (_, port) in topology.ports_of(switch) {
            let PortPeer::Port(peer) = port.peer else { continue };
            let (own, other) = (node(switch), node(topology.switch_of(peer)));
            // Each cable has two ends.
            if own < other {
                *cables.entry([own, other]).or_default() += 1;
            }
        }
    }
    let most = *cables.values().max()?;
    let what = if by_switch { "switch" } else { "group" };
    let all = cables.len();
    let link = |(ends, count): ([usize; 2], u32)| NetworkLink {
        ends,
        used: f64::from(count) / f64::from(most),
        label: format!("{what} {} and {}: {}", nodes[ends[0]], nodes[ends[1]], counted(u64::from(count), "cable")),
    };
    let links: Vec<NetworkLink> = cables.into_iter().take(LINKS_SHOWN).map(link).collect();
    let shown = match all - links.len() {
        0 => String::new(),
        more => format!(" {more} further pairs are not drawn."),
    };
    Some(NetworkPicture {
        title: format!("The network: cables between {what}{}", if by_switch { "es" } else { "s" }),
        inside: vec![None; nodes.len()],
        note: format!(
            "{}A line is coloured by its number of cables.{shown}",
            if by_switch { "Switches as group:switch. " } else { "" }
        ),
        scale: Some([counted(u64::from(most), "cable"), "none".to_owned()]),
        nodes,
        links,
    })
}

fn block(groups: &[u32]) -> String {
    match groups {
        [] => String::new(),
        [only] => only.to_string(),
        [first, .., last] => format!("{first}–{last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic;

    #[test]
    fn the_picture_shows_the_links_of_the_record() {
        let record = synthetic::record(7, 40);
        let html = network(&record, &Utilisation::of(&record));
        assert!(html.contains("<svg") && html.contains("netlink"), "{html}");
        assert!(html.len() < 400_000, "{} bytes", html.len());
    }

    #[test]
    fn a_record_without_links_between_switches_has_none() {
        let record = synthetic::one_port_record();
        assert_eq!(network(&record, &Utilisation::of(&record)), "");
    }
}
