//! Incidents: one line for each cause, with what follows from it and what to do next; and planned
//! work.

use std::collections::{BTreeMap, BTreeSet};

use philae_agent::PortState;
use philae_inventory::PlannedFabric;
use philae_manager_core::{
    Alarm, AlarmKind, CableFault, Cause, DeviceState, HealthLevel, Planned, PlannedKind, Unusable,
};
use philae_topology::PortPeer;
use philae_units::{GroupId, PortIndex, SwitchId};
use schemars::JsonSchema;
use serde::Serialize;

use crate::wording::{port_words, seconds, unusable};

/// Most names below a line of an answer; the lists of links and NICs have all.
const NAMED: usize = 100;
/// Most lines of one kind; more become one.
const APART: usize = 8;
/// Number of links of one switch that become one line.
const OF_SWITCH: usize = 3;
/// Most groups whose switches have lines of their own; more become one line.
const GROUPS: usize = 4;

/// Something that is wrong.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Alarm", deny_unknown_fields)]
pub struct AlarmRow {
    /// parts, switches-silent, switch, link, link-flapping, cable, neighbour, group-pair, nic,
    /// paused-too-long, routes, security, multicast, lease, availability, disk, clock, firmware,
    /// version, or what is wrong with a host.
    pub kind: &'static str,
    /// How bad it is, as one of the four words.
    pub health: &'static str,
    /// What is wrong.
    pub detail: String,
    /// Since when, where that is known.
    pub since_seconds: Option<f64>,
    /// Number of causes of the same sort in this line; 1 for a single cause.
    pub count: usize,
    /// Links that carry no traffic because of it.
    pub links: usize,
    /// NICs that are off the fabric because of it.
    pub nics: usize,
    /// The first of these links, by their lower ports, if the links are the problem.
    pub link_names: Vec<String>,
    /// The first nodes of these NICs.
    pub nodes: Vec<String>,
    /// The next step.
    pub next: Option<String>,
}

impl AlarmRow {
    /// The sort key of alarms: the worst first.
    pub(crate) fn rank(&self) -> std::cmp::Reverse<Option<usize>> {
        std::cmp::Reverse(["CONVERGING", "DEGRADED", "UNHEALTHY"].iter().position(|word| *word == self.health))
    }
}

/// Something that is off on purpose: no failure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PlannedWork", deny_unknown_fields)]
pub struct PlannedRow {
    /// maintenance, drained-switch, drained-links, links-off, nics-off, firmware or operation.
    pub kind: &'static str,
    /// What is so.
    pub detail: String,
    /// Since when, where that is known.
    pub since_seconds: Option<f64>,
    /// Links that carry no traffic because of it.
    pub links: usize,
    /// NICs that are off the fabric because of it.
    pub nics: usize,
}

/// "1 link", "2 links", "3 switches".
pub(crate) fn counted(count: usize, one: &str, more: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { more })
}

/// A port by both of its names: `x1000c0r1a0l31 (j16p1)`, `port 39 of leaf01 (x3000c0r1a0l38)`.
pub(crate) fn port_text(fabric: &PlannedFabric, port: PortIndex) -> String {
    fabric.port_text(port)
}

/// A link by both names of both ends.
pub(crate) fn link_text(fabric: &PlannedFabric, port: PortIndex) -> String {
    let far = match fabric.port(port).peer {
        PortPeer::Port(far) => port_text(fabric, far),
        _ => "?".to_owned(),
    };
    format!("{} - {far}", port_text(fabric, port))
}

/// The first nodes of NICs at some ports, and how many nodes there are.
fn nodes(fabric: &PlannedFabric, ports: &[PortIndex]) -> (Vec<String>, usize) {
    let found = ports.iter().filter_map(|&port| fabric.nic_at(port)).map(|nic| fabric.nics()[nic.index()].node);
    let found: BTreeSet<_> = found.collect();
    (found.iter().take(NAMED).map(|&node| fabric.node_text(node)).collect(), found.len())
}

/// The word for the kind of an alarm.
pub(crate) const fn kind_of(kind: &AlarmKind) -> &'static str {
    match kind {
        AlarmKind::Parted(_) => "parts",
        AlarmKind::AllSilent => "switches-silent",
        AlarmKind::Device(..) => "switch",
        AlarmKind::Link(..) => "link",
        AlarmKind::Spared(_) => "link-flapping",
        AlarmKind::Cable(_) => "cable",
        AlarmKind::Deaf(_) => "neighbour",
        AlarmKind::NoDirectLink(..) => "group-pair",
        AlarmKind::NicsOff(..) => "nic",
        AlarmKind::PausedTooLong(_) => "paused-too-long",
        AlarmKind::Unsound(_) => "routes",
    }
}

/// The text of an alarm, for people.
pub(crate) fn described(fabric: &PlannedFabric, kind: &AlarmKind) -> String {
    let switch = |switch: &SwitchId| fabric.switch_text(*switch);
    match kind {
        AlarmKind::Parted(first) => {
            let named: Vec<String> = first.iter().take(3).map(switch).collect();
            let more = if first.len() > 3 { ", ..." } else { "" };
            format!("the fabric is in {} parts, with {}{more}", first.len(), named.join(", "))
        }
        AlarmKind::AllSilent => "no switch answers".to_owned(),
        AlarmKind::Device(one, state, cause) => format!("switch {} is {}: {cause}", switch(one), state.name()),
        AlarmKind::Link(port, why) => format!("link {}: {}", link_text(fabric, *port), unusable(fabric, *why)),
        AlarmKind::Spared(port) => {
            let why = "flaps, and is not isolated: the budget is spent or it is the last one";
            format!("link {} {why}", link_text(fabric, *port))
        }
        AlarmKind::Cable(CableFault::Exchanged(one, other)) => {
            let jack = |port: &PortIndex| fabric.plug_text(*port);
            format!("the cables in {} and {} are exchanged", jack(one), jack(other))
        }
        AlarmKind::Cable(CableFault::Elsewhere { port, planned, found }) => {
            let named =
                |port: &Option<PortIndex>| port.map_or("nothing known".to_owned(), |port| port_text(fabric, port));
            format!("{} leads to {}, planned is {}", port_text(fabric, *port), named(found), named(planned))
        }
        AlarmKind::Deaf(one) => {
            format!("switch {} sees no neighbour at any port: cables are not checked", switch(one))
        }
        AlarmKind::NoDirectLink(one, other) => {
            format!("groups {one} and {other} have no direct link: paths between them take two global hops")
        }
        AlarmKind::NicsOff(one, state) => format!("NICs of switch {}: their ports are {}", switch(one), state.name()),
        AlarmKind::PausedTooLong(port) => {
            let nic =
                fabric.nic_at(*port).map_or_else(|| "its partner".to_owned(), |nic| fabric.nic_xname(nic).to_string());
            format!("edge port {} is isolated: {nic} blocked all traffic for too long", port_text(fabric, *port))
        }
        AlarmKind::Unsound(error) => format!("new tables could not be proven: {error}"),
    }
}

fn port_name(fabric: &PlannedFabric, port: PortIndex) -> String {
    fabric.link_xname(port).to_string()
}

/// The next step.
fn next(fabric: &PlannedFabric, alarm: &Alarm) -> Option<String> {
    let links_off = "philae fabric show links -q state=not-carrying";
    Some(match &alarm.kind {
        AlarmKind::Parted(_) => match alarm.links.first() {
            Some(&port) => format!("philae fabric explain {}; {links_off}", port_name(fabric, port)),
            None => links_off.to_owned(),
        },
        AlarmKind::AllSilent => "check the manager's network and certificate, and the agents' logs".to_owned(),
        AlarmKind::Device(switch, ..) => format!("philae fabric explain {}", fabric.bmc_xname(*switch)),
        AlarmKind::Link(port, Unusable::Isolated) => {
            format!("repair the cable, then: philae fabric do links/{} release", port_name(fabric, *port))
        }
        AlarmKind::Link(port, _) | AlarmKind::Spared(port) | AlarmKind::PausedTooLong(port) => {
            format!("philae fabric explain {}", port_name(fabric, *port))
        }
        AlarmKind::Cable(CableFault::Exchanged(..)) => {
            "exchange them at one end: the links then carry traffic again".to_owned()
        }
        AlarmKind::Cable(CableFault::Elsewhere { port, .. }) => {
            format!("philae fabric explain {}", port_name(fabric, *port))
        }
        AlarmKind::Deaf(_) => "check that the driver reads LLDP: docs/manager/agent-driver.md".to_owned(),
        AlarmKind::NoDirectLink(..) => format!("{links_off} -q role=global"),
        AlarmKind::NicsOff(..) => "philae fabric show nics -q state=off".to_owned(),
        AlarmKind::Unsound(_) => "philae fabric support FILE: it is a fault of the manager".to_owned(),
    })
}

/// The effect on pairs of groups, for the end of a text.
fn lacking(pairs: &[(GroupId, GroupId)]) -> String {
    let names: Vec<String> = pairs.iter().map(|(one, other)| format!("{one}-{other}")).collect();
    match pairs.len() {
        0 => String::new(),
        1 => format!("; groups {} have no direct link without it", names[0]),
        count => format!("; {count} pairs of groups have no direct link without it: {}", few(&names)),
    }
}

fn row(fabric: &PlannedFabric, now_ms: u64, alarm: &Alarm) -> AlarmRow {
    let names_links = matches!(alarm.kind, AlarmKind::Parted(_));
    let named = alarm.links.iter().take(if names_links { NAMED } else { 0 });
    AlarmRow {
        kind: kind_of(&alarm.kind),
        health: alarm.health.name(),
        detail: described(fabric, &alarm.kind) + &lacking(&alarm.pairs),
        since_seconds: alarm.since_ms.map(|since| seconds(now_ms, since)),
        count: 1,
        links: alarm.links.len(),
        nics: alarm.nics.len(),
        link_names: named.map(|&port| port_words(fabric, port)).collect(),
        nodes: nodes(fabric, &alarm.nics).0,
        next: next(fabric, alarm),
    }
}

/// Several alarms of one kind as one line.
fn fold(fabric: &PlannedFabric, now_ms: u64, alarms: &[&Alarm], detail: String, next: Option<String>) -> AlarmRow {
    let ports = |of: &dyn Fn(&Alarm) -> Vec<PortIndex>| alarms.iter().flat_map(|alarm| of(alarm)).collect::<Vec<_>>();
    let nics = ports(&|alarm| alarm.nics.clone());
    // The links of the alarm itself, and those below it.
    let links: BTreeSet<PortIndex> = ports(&|alarm| match alarm.kind {
        AlarmKind::Link(port, _) | AlarmKind::Spared(port) => vec![port],
        _ => alarm.links.clone(),
    })
    .into_iter()
    .collect();
    let is_links = matches!(alarms.first().map(|alarm| &alarm.kind), Some(AlarmKind::Link(..) | AlarmKind::Spared(_)));
    let since = alarms.iter().filter_map(|alarm| alarm.since_ms).min();
    let pairs: Vec<(GroupId, GroupId)> = alarms.iter().flat_map(|alarm| alarm.pairs.iter().copied()).collect();
    let detail = detail + &lacking(&pairs).replace("without it", "without them");
    AlarmRow {
        kind: alarms.first().map_or("", |alarm| kind_of(&alarm.kind)),
        health: alarms.iter().map(|alarm| alarm.health).max().unwrap_or(HealthLevel::Degraded).name(),
        detail,
        since_seconds: since.map(|since| seconds(now_ms, since)),
        count: alarms.len(),
        links: links.len(),
        nics: nics.len(),
        link_names: links.iter().take(if is_links { NAMED } else { 0 }).map(|&port| port_words(fabric, port)).collect(),
        nodes: nodes(fabric, &nics).0,
        next,
    }
}

/// The first few names.
pub(crate) fn few(names: &[String]) -> String {
    let more = if names.len() > 4 { format!(" and {} more", names.len() - 4) } else { String::new() };
    format!("{}{more}", names.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(", "))
}

/// Alarms as lines: one cause, one line.
#[must_use]
pub fn rows(fabric: &PlannedFabric, now_ms: u64, alarms: &[Alarm]) -> Vec<AlarmRow> {
    let of =
        |wanted: &dyn Fn(&AlarmKind) -> bool| alarms.iter().filter(|alarm| wanted(&alarm.kind)).collect::<Vec<_>>();
    let mut rows: Vec<AlarmRow> = Vec::new();
    let one = |alarm: &Alarm| row(fabric, now_ms, alarm);
    for alarm in of(&|kind| matches!(kind, AlarmKind::Parted(_) | AlarmKind::Unsound(_))) {
        let mut row = one(alarm);
        if !alarm.links.is_empty() {
            let links = counted(alarm.links.len(), "link", "s");
            let verb = if alarm.links.len() == 1 { "carries" } else { "carry" };
            row.detail = format!("{}; {links} between them {verb} no traffic", row.detail);
        }
        rows.push(row);
    }
    devices(fabric, now_ms, &of(&|kind| matches!(kind, AlarmKind::Device(..) | AlarmKind::AllSilent)), &mut rows);
    rows.extend(limited(
        fabric,
        now_ms,
        &of(&|kind| matches!(kind, AlarmKind::Cable(_))),
        "cables lead to other ports",
    ));
    rows.extend(limited(fabric, now_ms, &of(&|kind| matches!(kind, AlarmKind::Deaf(_))), "switches see no neighbour"));
    nics(fabric, now_ms, &of(&|kind| matches!(kind, AlarmKind::NicsOff(..))), &mut rows);
    links(fabric, now_ms, &of(&|kind| matches!(kind, AlarmKind::Link(..))), &mut rows);
    rows.extend(limited(
        fabric,
        now_ms,
        &of(&|kind| matches!(kind, AlarmKind::Spared(_))),
        "links flap and are not isolated",
    ));
    let paused = of(&|kind| matches!(kind, AlarmKind::PausedTooLong(_)));
    rows.extend(limited(fabric, now_ms, &paused, "edge ports are isolated: their NICs blocked traffic"));
    let pairs = of(&|kind| matches!(kind, AlarmKind::NoDirectLink(..)));
    match pairs.as_slice() {
        [] => {}
        [pair] => rows.push(one(pair)),
        [first, ..] => {
            let names: Vec<String> = pairs
                .iter()
                .filter_map(|alarm| match alarm.kind {
                    AlarmKind::NoDirectLink(one, other) => Some(format!("{one}-{other}")),
                    _ => None,
                })
                .collect();
            let detail = format!("{} pairs of groups have no direct link: {}", pairs.len(), few(&names));
            rows.push(fold(fabric, now_ms, &pairs, detail, next(fabric, first)));
        }
    }
    rows.sort_by_key(AlarmRow::rank);
    rows
}

/// A few lines of one kind, or one for all.
fn limited(fabric: &PlannedFabric, now_ms: u64, alarms: &[&Alarm], what: &str) -> Vec<AlarmRow> {
    match alarms {
        [] => Vec::new(),
        few if few.len() <= APART => few.iter().map(|alarm| row(fabric, now_ms, alarm)).collect(),
        [first, ..] => {
            let detail = format!("{} {what}, such as: {}", alarms.len(), described(fabric, &first.kind));
            vec![fold(fabric, now_ms, alarms, detail, next(fabric, first))]
        }
    }
}

/// Switches: those of a group that share state and cause are one line.
fn devices(fabric: &PlannedFabric, now_ms: u64, alarms: &[&Alarm], rows: &mut Vec<AlarmRow>) {
    if let Some(all) = alarms.iter().find(|alarm| alarm.kind == AlarmKind::AllSilent) {
        let detail = format!("no switch answers: all {} are silent", fabric.switch_count());
        rows.push(AlarmRow {
            health: all.health.name(),
            kind: "switches-silent",
            ..fold(fabric, now_ms, alarms, detail, next(fabric, all))
        });
        return;
    }
    let mut alike: BTreeMap<(DeviceState, &Cause), BTreeMap<GroupId, Vec<&Alarm>>> = BTreeMap::new();
    for alarm in alarms {
        if let AlarmKind::Device(switch, state, cause) = &alarm.kind {
            alike.entry((*state, cause)).or_default().entry(fabric.switch(*switch).group).or_default().push(alarm);
        }
    }
    for ((state, cause), groups) in alike {
        let show = format!("philae fabric show switches -q state={}", state.name());
        let all: Vec<&Alarm> = groups.values().flatten().copied().collect();
        if groups.len() > 1 && all.len() == fabric.switch_count() {
            let detail = format!("all {} switches are {}: {cause}", all.len(), state.name());
            rows.push(fold(fabric, now_ms, &all, detail, Some(show)));
            continue;
        }
        if groups.len() > GROUPS {
            let detail = format!("{} switches of {} groups are {}: {cause}", all.len(), groups.len(), state.name());
            rows.push(fold(fabric, now_ms, &all, detail, Some(show)));
            continue;
        }
        for (group, found) in groups {
            match found.as_slice() {
                [alarm] => rows.push(row(fabric, now_ms, alarm)),
                many => {
                    let names: Vec<String> = many
                        .iter()
                        .filter_map(|alarm| match alarm.kind {
                            AlarmKind::Device(switch, ..) => Some(fabric.switch_text(switch)),
                            _ => None,
                        })
                        .collect();
                    let size = fabric.switches_of(group).len();
                    let state = state.name();
                    let detail = format!(
                        "{} of {size} switches of group {group} are {state}: {cause}: {}",
                        many.len(),
                        few(&names)
                    );
                    rows.push(fold(fabric, now_ms, many, detail, Some(format!("{show} -q group={group}"))));
                }
            }
        }
    }
}

/// NICs that are off: a line for each switch, or one for all if there are many.
fn nics(fabric: &PlannedFabric, now_ms: u64, alarms: &[&Alarm], rows: &mut Vec<AlarmRow>) {
    let state = |state: PortState| match state {
        PortState::Absent => "no cable is plugged in".to_owned(),
        PortState::Down => "no signal".to_owned(),
        other => format!("the port is {}", other.name()),
    };
    if alarms.len() > APART {
        let count: usize = alarms.iter().map(|alarm| alarm.nics.len()).sum();
        let detail = format!("{} of {} switches are off the fabric", counted(count, "NIC", "s"), alarms.len());
        rows.push(fold(fabric, now_ms, alarms, detail, alarms.first().and_then(|alarm| next(fabric, alarm))));
        return;
    }
    for alarm in alarms {
        let AlarmKind::NicsOff(switch, of) = alarm.kind else { continue };
        let mut row = row(fabric, now_ms, alarm);
        row.detail = match alarm.nics.as_slice() {
            [port] => {
                let nic = fabric.nic_at(*port).map_or_else(|| "?".to_owned(), |nic| fabric.nic_text(nic));
                row.next = Some(format!("philae fabric explain {}", port_name(fabric, *port)));
                row.nodes.clear();
                format!("NIC {nic} at {} is off the fabric: {}", port_text(fabric, *port), state(of))
            }
            many => {
                let verb = format!("{} of switch {}", counted(many.len(), "NIC", "s"), fabric.switch_text(switch));
                let is = if many.len() == 1 { "is" } else { "are" };
                format!("{verb} {is} off the fabric: {}", state(of))
            }
        };
        rows.push(row);
    }
}

/// Links: those that share a switch are one line, and so are many of one kind.
fn links(fabric: &PlannedFabric, now_ms: u64, alarms: &[&Alarm], rows: &mut Vec<AlarmRow>) {
    let switches = |alarm: &Alarm| {
        let AlarmKind::Link(port, _) = alarm.kind else { return Vec::new() };
        let far = match fabric.port(port).peer {
            PortPeer::Port(far) => Some(far),
            _ => None,
        };
        [Some(port), far].into_iter().flatten().map(|port| fabric.switch_of(port)).collect::<Vec<_>>()
    };
    let sort = |alarm: &Alarm| match alarm.kind {
        AlarmKind::Link(_, Unusable::Isolated) => "are isolated after too many losses",
        AlarmKind::Link(_, Unusable::HeldDown) => "are held down after a loss",
        AlarmKind::Link(_, Unusable::Miscabled(..)) => "lead to other ports than planned",
        AlarmKind::Link(_, Unusable::Unheard(_)) => "are not trusted: a neighbour is not seen",
        AlarmKind::Link(_, Unusable::NotHeardOf) => "are between switches that have never connected",
        _ => "are down",
    };
    let mut by_sort: BTreeMap<&str, Vec<&Alarm>> = BTreeMap::new();
    for alarm in alarms {
        by_sort.entry(sort(alarm)).or_default().push(alarm);
    }
    for (what, mut left) in by_sort {
        loop {
            let mut count: BTreeMap<SwitchId, usize> = BTreeMap::new();
            left.iter().flat_map(|alarm| switches(alarm)).for_each(|switch| *count.entry(switch).or_default() += 1);
            let most = count.into_iter().max_by_key(|&(switch, count)| (count, std::cmp::Reverse(switch)));
            let Some((switch, _)) = most.filter(|(_, count)| *count >= OF_SWITCH && left.len() > OF_SWITCH) else {
                break;
            };
            let (here, others): (Vec<&Alarm>, Vec<&Alarm>) =
                left.iter().partition(|alarm| switches(alarm).contains(&switch));
            let name = fabric.bmc_xname(switch);
            let detail = format!("{} links of switch {} {what}", here.len(), fabric.switch_text(switch));
            rows.push(fold(fabric, now_ms, &here, detail, Some(format!("philae fabric explain {name}"))));
            left = others;
        }
        if left.len() > APART {
            let detail = format!("{} links {what}", left.len());
            let next = Some("philae fabric show links -q state=not-carrying".to_owned());
            rows.push(fold(fabric, now_ms, &left, detail, next));
        } else {
            rows.extend(left.iter().map(|alarm| row(fabric, now_ms, alarm)));
        }
    }
}

/// Planned work, as lines.
#[must_use]
pub fn planned(fabric: &PlannedFabric, now_ms: u64, found: &[Planned]) -> Vec<PlannedRow> {
    let mut rows = Vec::new();
    let switch = |switch: SwitchId| fabric.switch_text(switch);
    let tell = |kind, detail, alike: &[&Planned]| PlannedRow {
        kind,
        detail,
        since_seconds: alike.iter().map(|planned| planned.since_ms).min().map(|since| seconds(now_ms, since)),
        links: alike
            .iter()
            .map(|planned| planned.links.len().max(usize::from(matches!(planned.kind, PlannedKind::Link(..)))))
            .sum(),
        nics: alike.iter().map(|planned| planned.nics.len()).sum(),
    };
    let of = |wanted: &dyn Fn(&PlannedKind) -> bool| {
        found.iter().filter(|planned| wanted(&planned.kind)).collect::<Vec<_>>()
    };
    let mut switches = |kind, what: &str, alike: Vec<&Planned>| {
        let names: Vec<String> = alike
            .iter()
            .filter_map(|planned| match planned.kind {
                PlannedKind::Maintenance(one) | PlannedKind::SetApart(one) => Some(switch(one)),
                _ => None,
            })
            .collect();
        if !names.is_empty() {
            let count = counted(names.len(), "switch", "es");
            rows.push(tell(kind, format!("{count} {what}: {}", few(&names)), &alike));
        }
    };
    switches("maintenance", "in maintenance", of(&|kind| matches!(kind, PlannedKind::Maintenance(_))));
    switches("drained-switch", "with all links out of service", of(&|kind| matches!(kind, PlannedKind::SetApart(_))));
    for (kind, what, is_drained) in
        [("drained-links", "drained", true), ("links-off", "switched off by documents", false)]
    {
        let alike = of(&|kind| matches!(kind, PlannedKind::Link(_, why) if (*why == Unusable::Drained) == is_drained));
        let names: Vec<String> = alike
            .iter()
            .filter_map(|planned| match planned.kind {
                PlannedKind::Link(port, _) => Some(port_words(fabric, port)),
                _ => None,
            })
            .collect();
        if !names.is_empty() {
            let count = counted(names.len(), "link", "s");
            rows.push(tell(kind, format!("{count} {what}: {}", few(&names)), &alike));
        }
    }
    let off = of(&|kind| matches!(kind, PlannedKind::NicsOff(_)));
    if !off.is_empty() {
        let ports: Vec<PortIndex> = off.iter().flat_map(|planned| planned.nics.clone()).collect();
        let (names, _) = nodes(fabric, &ports);
        let detail = format!("{} switched off by documents: {}", counted(ports.len(), "NIC", "s"), few(&names));
        rows.push(tell("nics-off", detail, &off));
    }
    rows
}
