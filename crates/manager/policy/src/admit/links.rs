//! Checks that the two ends of links agree, and finds what loses its last link.

use crate::fields::Composed;
use crate::problem::{PolicyCode, PolicyProblem};
use crate::settings::{FecMode, PortConfig, PortState};
use crate::{Composition, DocumentSet, FabricView, Origin, PortRole, StackId};
use philae_units::{GroupId, PortIndex};
use std::collections::{BTreeMap, BTreeSet};

/// Fields of a port that its peer has to agree with.
const FIELDS: [&str; 7] =
    ["/speed", "/autoneg", "/fec", "/linkRetry", "/mtuBytes", "/flowControl/rx", "/flowControl/tx"];

/// The field of the far end that must match `pointer`: if one end sends pauses, the other must obey
/// them.
fn far_pointer(pointer: &'static str) -> &'static str {
    match pointer {
        "/flowControl/rx" => "/flowControl/tx",
        "/flowControl/tx" => "/flowControl/rx",
        same => same,
    }
}

fn field(pointer: &str) -> usize {
    PortConfig::POINTERS.iter().position(|known| *known == pointer).unwrap_or(usize::MAX)
}

fn fits(pointer: &str, one: &PortConfig, other: &PortConfig) -> bool {
    match pointer {
        "/speed" => one.speed == other.speed,
        "/autoneg" => one.autoneg == other.autoneg,
        "/fec" => one.fec == other.fec || one.fec == FecMode::Auto || other.fec == FecMode::Auto,
        "/linkRetry" => one.link_retry == other.link_retry,
        "/mtuBytes" => one.mtu_bytes == other.mtu_bytes,
        "/flowControl/rx" => one.flow_control_rx == other.flow_control_tx,
        _ => one.flow_control_tx == other.flow_control_rx,
    }
}

/// Finds links of changed ports whose two ends would not match. For each pair of layer stacks, the
/// first link stands for the others.
pub(super) fn check(
    set: &DocumentSet,
    composition: &Composition,
    ports: &[PortIndex],
    fabric: &dyn FabricView,
    problems: &mut Vec<PolicyProblem>,
) {
    let mut bad: BTreeMap<(StackId, StackId), (PortIndex, PortIndex, u32)> = BTreeMap::new();
    let mut good = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for &port in ports {
        let Some(peer) = fabric.peer(port) else { continue };
        let (one, other) = (port.min(peer), port.max(peer));
        let stacks = (composition.port_stack(one), composition.port_stack(other));
        if good.contains(&stacks) {
            continue;
        }
        if let Some(known) = bad.get_mut(&stacks) {
            known.2 += u32::from(seen.insert(one));
            continue;
        }
        let (near, far) = (composition.port(one), composition.port(other));
        if FIELDS.iter().all(|pointer| fits(pointer, near, far)) {
            good.insert(stacks);
        } else {
            seen.insert(one);
            bad.insert(stacks, (one, other, 1));
        }
    }
    for (one, other, count) in bad.into_values() {
        let (near, far) = (composition.port(one), composition.port(other));
        for pointer in FIELDS.into_iter().filter(|pointer| !fits(pointer, near, far)) {
            problems.push(mismatch(set, composition, fabric, pointer, (one, other), count));
        }
    }
}

fn mismatch(
    set: &DocumentSet,
    composition: &Composition,
    fabric: &dyn FabricView,
    pointer: &'static str,
    ends: (PortIndex, PortIndex),
    count: u32,
) -> PolicyProblem {
    let far = far_pointer(pointer);
    let side = |port: PortIndex, pointer: &str| {
        let number = field(pointer);
        let origin = composition.port_origin(port, number);
        let name = fabric.port_name(port);
        (format!("{name} {} = {} (by {origin})", &pointer[1..], composition.port(port).value(number)), origin)
    };
    let ((near_text, near), (far_text, far)) = (side(ends.0, pointer), side(ends.1, far));
    let more = if count > 1 { format!(", and so {} more links", count - 1) } else { String::new() };
    let mut problem =
        PolicyProblem::new(PolicyCode::LinkMismatch, "", format!("the two ends of a link do not match{more}"));
    problem = problem.found(format!("{near_text}, {far_text}")).works("the same at both ends, by a link policy,");
    for origin in [near, far] {
        if let Origin::Document(reference) = origin {
            match (&problem.document, DocumentSet::is_stock(&reference) || !set.contains(&reference)) {
                (None, false) => problem = problem.of(&reference),
                _ => problem = problem.with(reference),
            }
        }
    }
    problem
}

/// Pairs of groups, and switches, that have a link before the change and none after it.
pub(super) fn cut_off(
    before: &Composition,
    after: &Composition,
    ports: &[PortIndex],
    fabric: &dyn FabricView,
    warnings: &mut Vec<PolicyProblem>,
) -> Vec<(GroupId, GroupId)> {
    let is_up = |composition: &Composition, port: PortIndex, peer: PortIndex| {
        [port, peer].into_iter().all(|end| composition.port(end).state == PortState::Online)
    };
    let groups = |port, peer| {
        let (one, other) = (fabric.group(fabric.switch_of(port)), fabric.group(fabric.switch_of(peer)));
        (one.min(other), one.max(other))
    };
    let gone = ports.iter().filter_map(|&port| fabric.peer(port).map(|peer| (port, peer)));
    let gone: Vec<_> = gone.filter(|&(port, peer)| is_up(before, port, peer) && !is_up(after, port, peer)).collect();
    if gone.is_empty() {
        return Vec::new();
    }
    let ends = gone.iter().flat_map(|(port, peer)| [*port, *peer]);
    for switch in ends.map(|port| fabric.switch_of(port)).collect::<BTreeSet<_>>() {
        let mut links =
            fabric.ports_of(switch).filter_map(|port| Some((PortIndex(port), fabric.peer(PortIndex(port))?)));
        if !links.any(|(port, peer)| is_up(after, port, peer)) {
            let message = format!("switch {} loses its last link to other switches", fabric.switch_name(switch));
            warnings.push(PolicyProblem::new(PolicyCode::SwitchCutOff, "", message));
        }
    }
    let is_global = |port| fabric.role(port) == PortRole::Global;
    let global = gone.iter().filter(|(port, _)| is_global(*port));
    let mut pairs: BTreeSet<(GroupId, GroupId)> = global.map(|(port, peer)| groups(*port, *peer)).collect();
    for port in (0..fabric.port_count()).map(PortIndex) {
        if pairs.is_empty() {
            break;
        }
        let Some(peer) = fabric.peer(port).filter(|_| is_global(port)) else { continue };
        if is_up(after, port, peer) {
            pairs.remove(&groups(port, peer));
        }
    }
    for (one, other) in &pairs {
        let message = format!("groups {one} and {other} lose their last direct link");
        warnings.push(PolicyProblem::new(PolicyCode::GroupsCutOff, "", message));
    }
    pairs.into_iter().collect()
}
