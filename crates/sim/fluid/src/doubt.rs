//! Decides when rates are not to be trusted, from what is known before the run and from what each
//! job met.

use philae_congestion::CongestionLaw;
use philae_fabric::FabricConfig;
use philae_topology::{Topology, TopologyShape};

use crate::limits::{JobKind, JobObservations, Stop};

/// Endpoints of the largest system of the error table.
///
/// Source: ours. Status: measured.
pub const MEASURED_ENDPOINTS: usize = 4_096;
/// Part of a job's time near a crowded endpoint above which DCQCN's pauses matter to it.
///
/// Source: ours; chosen on scenarios 0 to 559 of docs/simulate/fluid.md, checked on 560 to 783.
/// Status: assumed.
const BESIDE: f64 = 0.15;
/// Mean message size, in bytes, from which DCQCN cuts the flows of an incast before they have
/// ended, so that its link is idle at times. Marks begin at 20 KB, which a few such messages fill.
///
/// Source: as above. Status: assumed.
const CUT_BYTES: u64 = 8 << 10;

/// Reads of connections' state are few below one in so many messages. Source: ours. Status:
/// assumed.
const READS_PART: u64 = 100;

/// Doubts about the whole run, in which links went down or up `changes` times while messages were
/// in transit.
///
/// `reads`: messages for which a NIC read the state of a connection, of all messages.
pub fn of_run(topology: &Topology, config: &FabricConfig, changes: u64, reads: (u64, u64)) -> Vec<String> {
    let mut told = Vec::new();
    if config.nic.ordered {
        told.push("packets are ordered, each flow on one path: rates do not show flows that share a link".to_owned());
    }
    if matches!(topology.shape(), TopologyShape::Graph(_)) {
        told.push("the network is neither a dragonfly nor a fat tree: detours are one pool".to_owned());
    }
    if topology.endpoint_count() > MEASURED_ENDPOINTS {
        told.push(format!(
            "the system has {} endpoints: errors were measured only on systems of up to {MEASURED_ENDPOINTS}",
            topology.endpoint_count()
        ));
    }
    if config.node.as_ref().is_some_and(|node| node.memory_rate() > 0) {
        told.push(
            "the NICs and cores of a node share its memory (hardware.node.memory_mbytes): rates bound each NIC by it, \
             but not several together, nor copies by cores"
                .to_owned(),
        );
    }
    if reads.0 * READS_PART > reads.1 {
        told.push(format!(
            "NICs read the state of connections {} times for {} messages and requests, at either end \
             (hardware.nic.connections_max): rates show how long these wait, and not what the reads take of the bus",
            reads.0, reads.1
        ));
    }
    if changes > 0 {
        told.push(format!(
            "links went down or up {changes} times with messages in flight: packets on such a link are lost and \
             retransmitted after the NIC's timer, and switches learn of it late; rates show neither"
        ));
    }
    told
}

/// Why a job's times are not to be trusted, for people; `None` if there is no known reason.
pub fn of_job(law: &CongestionLaw, seen: &JobObservations) -> Option<String> {
    let percent = |part: f64| format!("{:.0} %", 100.0 * part);
    let (beside, kind) = (seen.part_beside(), seen.kind());
    let name = law.name();
    match law {
        CongestionLaw::Pfc(_) | CongestionLaw::Nscc(_) | CongestionLaw::Rccc(_) => {
            Some(format!("runs in rates were never compared with packets under {name}"))
        }
        CongestionLaw::Ecn(_) if beside > BESIDE => Some(format!(
            "an incast next to it for {} of its time under {name}: until DCQCN has cut the incast's flows, about 55 \
             us each time, their pauses block all traffic that shares a switch with them, which rates do not show",
            percent(beside)
        )),
        CongestionLaw::Ecn(_) if kind == JobKind::Endpoint && seen.mean_bytes() >= CUT_BYTES => Some(format!(
            "messages crowded their receivers' links for {} of the time under {name}: DCQCN's cuts leave these links idle, \
             which rates do not show",
            percent(seen.part(Stop::Endpoint))
        )),
        _ if kind == JobKind::Held => Some(format!(
            "full buffers blocked it for {} of its time under {name}: the extent of a tree of full buffers is an estimate",
            percent(seen.part(Stop::Held))
        )),
        CongestionLaw::Aries(_) | CongestionLaw::None if kind == JobKind::Beside => Some(format!(
            "an incast next to it for {} of its time under {name}: the incast's full buffers may extend further than the estimate",
            percent(beside)
        )),
        _ if kind == JobKind::Network => Some(format!(
            "links of the network limited it for {} of its time: they are pooled, so rates do not show a single link \
             that is fuller than the others of its pool",
            percent(seen.part(Stop::Network))
        )),
        _ => None,
    }
}
