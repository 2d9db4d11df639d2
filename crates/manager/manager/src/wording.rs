//! Words for ports and links, and spans of time, that many answers share.

use philae_agent::PortState;
use philae_inventory::PlannedFabric;
use philae_manager_core::Unusable;
use philae_units::PortIndex;

/// A port in a sentence that has its other names already: its xname, or `port 39 of leaf01` where
/// switches number their ports.
pub(crate) fn port_words(fabric: &PlannedFabric, port: PortIndex) -> String {
    if fabric.first_port().is_some() { fabric.plug_text(port) } else { fabric.link_xname(port).to_string() }
}

/// Why a link carries no traffic, for people.
pub(crate) fn unusable(fabric: &PlannedFabric, why: Unusable) -> String {
    let name = |port: PortIndex| port_words(fabric, port);
    match why {
        Unusable::Dark => "both of its switches are dead".to_owned(),
        Unusable::NotHeardOf => "neither of its switches has connected".to_owned(),
        Unusable::Down(port, PortState::Disabled) => format!("{} is switched off by documents", name(port)),
        Unusable::Down(port, state) => format!("{} is {}", name(port), state.name()),
        Unusable::Unheard(port) => format!("{} does not see its neighbour: the link is not trusted", name(port)),
        Unusable::Miscabled(port, Some(found)) => format!("{} leads to {}", name(port), name(found)),
        Unusable::Miscabled(port, None) => format!("{} leads to something unknown", name(port)),
        Unusable::HeldDown => "held down after a loss".to_owned(),
        Unusable::Isolated => "isolated after too many losses; release it after the cable is repaired".to_owned(),
        Unusable::Drained => "drained by an operator".to_owned(),
    }
}

/// Seconds between two times of the manager's clock.
pub(crate) fn seconds(now_ms: u64, then_ms: u64) -> f64 {
    now_ms.saturating_sub(then_ms) as f64 / 1e3
}
