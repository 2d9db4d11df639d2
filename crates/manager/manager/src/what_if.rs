//! The loss if links and switches failed, computed on a copy of the tables, which is proven like
//! published tables.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use philae_inventory::PlannedFabric;
use philae_route_tables::{FabricParts, LinkChange, RoutePlan, VerifyReport, verify};
use philae_units::{GroupId, PortIndex, SwitchId};
use serde_json::{Value, json};

use crate::access::{AccessArea, AccessKind, RequiredAccess};
use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, post};
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::any;
use crate::things::{port_named, switch_named};

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] =
    &[post("/api/v1/what-if", "The losses if links, switches or groups failed; nothing changes.", what_if)
        .keys(&[])
        .body(any)
        .asks_only()
        .for_whom(RequiredAccess::Of(AccessArea::Fabric, AccessKind::Read))
        .errors(&[404, 409])];

/// Most pairs of switches that are named in an answer.
const PAIRS_NAMED: usize = 20;

/// The failing links and switches.
#[derive(Default)]
struct Failing {
    links: BTreeSet<PortIndex>,
    switches: BTreeSet<SwitchId>,
}

/// The texts of a list in the body.
fn names<'b>(body: &'b Value, key: &str) -> Result<Vec<&'b str>, ApiProblem> {
    let wrong = || ApiProblem::bad_request(format!("'{key}' is {}; a list of names would work", body[key]));
    match &body[key] {
        Value::Null => Ok(Vec::new()),
        Value::Array(items) => items.iter().map(|item| item.as_str().ok_or_else(wrong)).collect(),
        _ => Err(wrong()),
    }
}

fn failing(manager: &Manager, body: &Value) -> Result<Failing, ApiProblem> {
    let known = ["links", "switches", "groups"];
    let Some(fields) = body.as_object() else {
        return Err(ApiProblem::bad_request("the body is not an object; {\"links\": [\"x1000c0r1a0l31\"]} would work"));
    };
    if let Some(unknown) = fields.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(ApiProblem::bad_request(format!("there is no field '{unknown}'; there are: {}", known.join(", "))));
    }
    let (fabric, wiring) = (&manager.fabric, manager.control_loop.control.wiring());
    let mut failing = Failing::default();
    for name in names(body, "links")? {
        let port = port_named(fabric, name)?;
        let far = wiring.peer(port);
        let far = far.ok_or_else(|| ApiProblem::conflict(format!("{name} has no link to another switch")))?;
        failing.links.insert(port.min(far));
    }
    for name in names(body, "switches")? {
        failing.switches.insert(switch_named(fabric, name)?);
    }
    match &body["groups"] {
        Value::Null => {}
        Value::Array(groups) => {
            for group in groups {
                let count = fabric.group_count();
                let found = group.as_u64().filter(|&group| (group as usize) < count);
                let found = found.ok_or_else(|| {
                    ApiProblem::bad_request(format!("there is no group {group}; there are 0 to {}", count - 1))
                })?;
                failing.switches.extend(fabric.switches_of(GroupId(found as u32)).map(SwitchId));
            }
        }
        other => return Err(ApiProblem::bad_request(format!("'groups' is {other}; a list of numbers would work"))),
    }
    let ends_there = |port: PortIndex| failing.switches.contains(&wiring.split(port).0);
    let with_switches = wiring.links().filter(|&(one, other)| ends_there(one) || ends_there(other));
    let with_switches: Vec<PortIndex> = with_switches.map(|(one, other)| one.min(other)).collect();
    failing.links.extend(with_switches);
    if failing.links.is_empty() && failing.switches.is_empty() {
        return Err(ApiProblem::bad_request("the body names nothing that fails: links, switches or groups"));
    }
    Ok(failing)
}

/// The number of links and their capacity, for a state of the links.
struct Capacity {
    links: usize,
    global_gbps: u64,
    halves_gbps: u64,
    least_pair_gbps: Option<u64>,
    /// Pairs of groups that are planned to have a direct link, and have none that is live.
    indirect_pairs: usize,
}

/// `off`: switches that are off. Pairs of a group without any switch left do not count.
fn capacity(fabric: &PlannedFabric, plan: &RoutePlan, off: &BTreeSet<SwitchId>) -> Capacity {
    let wiring = plan.wiring();
    let mut found = Capacity { links: 0, global_gbps: 0, halves_gbps: 0, least_pair_gbps: None, indirect_pairs: 0 };
    let mut pairs: BTreeMap<(GroupId, GroupId), (u64, usize)> = BTreeMap::new();
    let half = wiring.group_count() as u32 / 2;
    for (one, other) in wiring.links() {
        let groups = (wiring.group_of(wiring.split(one).0), wiring.group_of(wiring.split(other).0));
        let is_live = plan.links().is_live(wiring, one);
        found.links += usize::from(is_live);
        if groups.0 == groups.1 {
            continue;
        }
        let gbps = if is_live { fabric.cable(one).map_or(0, |cable| u64::from(cable.rate.0) / 1_000) } else { 0 };
        found.global_gbps += gbps;
        if (groups.0.0 < half) != (groups.1.0 < half) {
            found.halves_gbps += gbps;
        }
        let pair = pairs.entry((groups.0.min(groups.1), groups.0.max(groups.1))).or_default();
        *pair = (pair.0 + gbps, pair.1 + usize::from(is_live));
    }
    let is_left = |group: GroupId| wiring.switches_of(group).map(SwitchId).any(|switch| !off.contains(&switch));
    pairs.retain(|(one, other), _| is_left(*one) && is_left(*other));
    found.least_pair_gbps = pairs.values().map(|(gbps, _)| *gbps).min();
    found.indirect_pairs = pairs.values().filter(|(_, live)| *live == 0).count();
    found
}

/// Pairs of switches with NICs without a path between them, each once; those that are off are in
/// none. How many, and the first of them.
fn pairs_without_path(fabric: &PlannedFabric, plan: &RoutePlan, off: &BTreeSet<SwitchId>) -> (u64, Vec<[String; 2]>) {
    let wiring = plan.wiring();
    let parts = FabricParts::of(wiring, plan.links());
    let count = parts.count(wiring, |switch| off.contains(&switch)).switch_pairs;
    let with_edge = |switch: &SwitchId| wiring.edge(*switch) != 0 && !off.contains(switch);
    let switches = |first: usize| (first..wiring.switch_count()).map(SwitchId::from_index).filter(with_edge);
    let mut named = Vec::new();
    for from in switches(0).take(if count == 0 { 0 } else { usize::MAX }) {
        let lost = switches(from.index() + 1).filter(|&to| !parts.join(from, to));
        for to in lost.take(PAIRS_NAMED - named.len()) {
            named.push([fabric.bmc_xname(from).to_string(), fabric.bmc_xname(to).to_string()]);
        }
        if named.len() >= PAIRS_NAMED {
            break;
        }
    }
    (count, named)
}

/// NICs that are cut off: those of switches that are off, and those that no longer reach the
/// largest part of the fabric. Returns their number, and the first of their nodes.
fn nics_cut_off(fabric: &PlannedFabric, plan: &RoutePlan, off: &BTreeSet<SwitchId>) -> (usize, Vec<String>) {
    let wiring = plan.wiring();
    let parts = FabricParts::of(wiring, plan.links());
    let largest =
        parts.count(wiring, |switch| off.contains(&switch)).parts.first().map(|part| parts.part_of(part.first));
    let cut = (0..wiring.switch_count()).map(SwitchId::from_index).filter(|&switch| {
        wiring.edge(switch) != 0 && (off.contains(&switch) || Some(parts.part_of(switch)) != largest)
    });
    let nics = cut.flat_map(|switch| fabric.ports_of(switch)).filter_map(|port| fabric.nic_at(PortIndex(port)));
    let (mut count, mut nodes) = (0, BTreeSet::new());
    for nic in nics {
        count += 1;
        if nodes.len() < PAIRS_NAMED {
            nodes.insert(fabric.nics()[nic.index()].node);
        }
    }
    (count, nodes.into_iter().map(|node| fabric.node_xname(node).to_string()).collect())
}

fn state(report: Option<VerifyReport>, capacity: &Capacity, nics: usize, pairs: u64) -> Value {
    json!({
        "links": capacity.links,
        // Pairs of which one end is off are not counted: their NICs are.
        "unreachablePairs": pairs,
        "indirectPairs": capacity.indirect_pairs,
        "legs": report.map(|report| report.legs),
        "treeSwitches": report.map(|report| report.up_down),
        "nicsCutOff": nics,
        "globalGbps": capacity.global_gbps,
        "halvesGbps": capacity.halves_gbps,
        "leastPairGbps": capacity.least_pair_gbps,
    })
}

/// `POST /api/v1/what-if`
pub fn what_if(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let failing = failing(manager, &request.body)?;
    let plan = manager.control_loop.control.plan();
    let plan = plan
        .ok_or_else(|| ApiProblem::conflict("no tables have been published yet; /readyz shows when they are"))?
        .clone();
    let fabric = Arc::clone(&manager.fabric);
    let reach = manager.control_loop.control.reach();
    let off = [reach.dead, reach.set_apart, reach.arriving].concat().into_iter().collect();
    // A proof of the largest fabric's tables takes a second: no other request waits for it.
    Ok(Reply::Read(Box::new(move || Ok(Reply::Json(compute(&fabric, plan, &failing, &off))))))
}

/// `off`: switches that are off the fabric today.
///
/// One rule counts before and after, so that a failure never makes a figure better. NICs of a
/// switch that is off are cut off. Pairs of switches and of groups are those of the switches that
/// are left after the failure, before it too.
fn compute(fabric: &PlannedFabric, mut plan: RoutePlan, failing: &Failing, off: &BTreeSet<SwitchId>) -> Value {
    let began = Instant::now();
    let off_after: BTreeSet<SwitchId> = off.union(&failing.switches).copied().collect();
    let (before, before_capacity) = (verify(&plan).ok(), capacity(fabric, &plan, &off_after));
    let (pairs_before, _) = pairs_without_path(fabric, &plan, &off_after);
    let (cut_before, _) = nics_cut_off(fabric, &plan, off);
    let changes: Vec<LinkChange> = failing.links.iter().map(|&port| LinkChange { port, up: false }).collect();
    let update = plan.update(&changes);
    let after = verify(&plan);
    let after_capacity = capacity(fabric, &plan, &off_after);
    let (pairs_after, lost) = pairs_without_path(fabric, &plan, &off_after);
    let (cut_after, cut_nodes) = nics_cut_off(fabric, &plan, &off_after);
    json!({
        "failed": { "links": failing.links.len(), "switches": failing.switches.len() },
        "before": state(before, &before_capacity, cut_before, pairs_before),
        "after": state(after.as_ref().ok().copied(), &after_capacity, cut_after, pairs_after),
        "changed": { "entries": update.entries(), "switches": update.rollout.switches().len() },
        "lostPairs": lost,
        "nodesCutOff": cut_nodes,
        "proven": after.is_ok(),
        "unsound": after.err().map(|error| error.to_string()),
        "seconds": began.elapsed().as_secs_f64(),
    })
}
