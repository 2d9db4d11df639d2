//! The cost of a change of documents for the fabric's traffic: pairs of switches that lose each
//! other, NICs that are switched off, and NICs without the traffic classes that switches get.

use std::collections::BTreeSet;

use philae_agent::ConfigSection;
use philae_inventory::PlannedFabric;
use philae_policy::{Admitted, Composition, DocumentChange, DocumentKind, PortState};
use philae_route_tables::{FabricParts, FabricWiring, LinkChange, LiveLinks};
use philae_units::{PortIndex, SwitchId};

use crate::desired::sections::sections_of;
use crate::documents::report::Report;
use crate::manager::Manager;
use crate::resources::orders::cut_off;

/// Most nodes that are named.
const NAMED: usize = 10;

fn is_on(fabric: &PlannedFabric, composition: &Composition, port: PortIndex) -> bool {
    composition.port(port).state == PortState::Online && composition.switch(fabric.switch_of(port)).enabled
}

/// Computes which switches lose each other by a change, on the links that carry traffic now, and
/// adds that to the change's report.
pub fn tell(
    fabric: &PlannedFabric,
    wiring: &FabricWiring,
    live: &LiveLinks,
    before: &Composition,
    admitted: &Admitted,
    report: &mut Report,
) {
    let after = &admitted.composition;
    // If a switch is enabled or disabled as a whole, its ports are not in the list of ports whose
    // configuration changes.
    let whole =
        admitted.blast.switches.iter().filter(|&&switch| before.switch(switch).enabled != after.switch(switch).enabled);
    let ports: BTreeSet<PortIndex> = admitted
        .blast
        .ports
        .iter()
        .copied()
        .chain(whole.flat_map(|&switch| fabric.ports_of(switch).map(PortIndex)))
        .filter(|&port| is_on(fabric, before, port) != is_on(fabric, after, port))
        .collect();
    if ports.is_empty() {
        return;
    }
    let mut left = live.clone();
    let mut nodes = BTreeSet::new();
    for &port in &ports {
        let both = |composition: &Composition| {
            wiring.peer(port).map(|far| is_on(fabric, composition, port) && is_on(fabric, composition, far))
        };
        match (both(before), both(after)) {
            (Some(was), Some(is)) if was != is => {
                left.set(wiring, LinkChange { port, up: is });
            }
            (None, _) if !is_on(fabric, after, port) => {
                if let Some(nic) = fabric.nic_at(port) {
                    report.blast_radius.nics_cut_off += 1;
                    nodes.insert(fabric.nics()[nic.index()].node);
                }
            }
            _ => {}
        }
    }
    report.blast_radius.first_nodes_cut_off =
        nodes.iter().take(NAMED).map(|&node| fabric.node_xname(node).to_string()).collect();
    // A document that disables a switch is meant to cost its pairs.
    let left_out = |switch: SwitchId| !after.switch(switch).enabled;
    let pairs = |links: &LiveLinks| FabricParts::of(wiring, links).count(wiring, left_out).switch_pairs;
    report.blast_radius.switch_pairs_without_way = [pairs(live), pairs(&left)];
    report.cuts_off = cut_off(fabric, wiring, live, &left, left_out);
    if let Some(cost) = &report.cuts_off {
        report.warnings.insert(0, format!("it {cost}"));
    }
    if report.blast_radius.nics_cut_off > 0 {
        let (nics, first) = (report.blast_radius.nics_cut_off, &report.blast_radius.first_nodes_cut_off);
        let nodes = first.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
        let verb = if nics == 1 { "is" } else { "are" };
        let nics = crate::incidents::counted(nics, "NIC", "s");
        report.warnings.push(format!("{nics} {verb} switched off, of nodes such as {nodes}"));
    }
}

/// If a change gives switches other traffic classes: a warning with the number of NICs that attest
/// them.
pub fn qos(manager: &Manager, admitted: &Admitted, changes: &[DocumentChange]) -> Option<String> {
    let touches = changes.iter().any(|change| sections_of(change.reference().kind).contains(&ConfigSection::Qos))
        || changes.iter().any(|change| matches!(change.reference().kind, DocumentKind::QosProfile));
    let (wanted, attest) =
        touches.then(|| manager.hosts.attesting(&manager.fabric, &admitted.set, &admitted.composition))??;
    let now = manager.hosts.attesting(&manager.fabric, manager.documents.set(), manager.documents.composition());
    if now.as_ref().is_some_and(|(before, _)| *before == wanted) {
        return None;
    }
    Some(format!(
        "the traffic classes of {} switches become those of QoS profile {}: {attest} of {} NICs attest it; if NICs \
         and switches differ, traffic can stop",
        manager.fabric.switch_count(),
        wanted.0,
        manager.fabric.nic_count()
    ))
}
