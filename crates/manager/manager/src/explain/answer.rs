//! The first lines of an explanation: what is wrong, since when, the desired and the observed
//! state, why they differ, and what to do next.

use philae_agent::{ConfigSection, PortState};
use philae_manager_api::duration;
use philae_manager_core::SectionView;
use philae_manager_core::{DeviceState, Isolation, NicDown, Unusable};
use philae_topology::PortPeer;
use philae_units::{PortIndex, SwitchId};
use schemars::JsonSchema;
use serde::Serialize;

use crate::control_loop::ControlLoop;
use crate::incidents::{counted, port_text};
use crate::manager::Manager;
use crate::resources::nics::why_off;
use crate::wording::{port_words, unusable};

/// The answer to "what is the matter with it?".
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// Up, down, off, held-down, isolated, drained, miscabled, unheard, dead or unknown; of a
    /// switch its state.
    pub state: &'static str,
    /// Since when, seconds.
    pub for_seconds: Option<f64>,
    /// What it is, and how: the line that people read first.
    pub headline: String,
    /// What documents and operators want, and whether its switch has that.
    pub wanted: String,
    /// What its link can carry in one direction, and whether most of its kind carry more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<String>,
    /// What is seen.
    pub observed: String,
    /// Why what is seen is not what is wanted; nothing where it is.
    pub why: Option<String>,
    /// What to do next.
    pub next: Option<String>,
}

fn seconds(control_loop: &ControlLoop, since_ms: u64) -> f64 {
    control_loop.now_ms().saturating_sub(since_ms) as f64 / 1e3
}

/// The desired state of a port, and the document that determines it.
fn wanted(manager: &Manager, port: PortIndex) -> (bool, String) {
    let composition = manager.documents.composition();
    let fields = composition.explain_port(port);
    let state = fields.into_iter().find(|(pointer, ..)| *pointer == "/state");
    let (is_on, word, origin) = state.map_or((true, "online".to_owned(), String::new()), |(_, value, origin)| {
        let word = value.as_str().unwrap_or("online").to_owned();
        (word == "online", word, format!(" (by {origin})"))
    });
    let config = composition.switch(manager.fabric.switch_of(port));
    match config.enabled {
        true => (is_on, format!("{word}{origin}")),
        false => (false, "offline: its switch is not enabled".to_owned()),
    }
}

/// Whether a switch has a port's configuration from the documents, in words.
fn has(manager: &Manager, port: PortIndex) -> String {
    let switch = manager.fabric.switch_of(port);
    let view = manager.control_loop.control.section(switch, ConfigSection::Ports);
    if view.has_item(u64::from(manager.fabric.number_of(port).0)) {
        return "its switch has that".to_owned();
    }
    match why(&manager.control_loop, switch, &view) {
        Some(why) => format!("its switch does not have that: {why}"),
        None => "its switch does not have that yet".to_owned(),
    }
}

/// Whether a switch neither answers nor has a link.
fn is_dead(control_loop: &ControlLoop, switch: SwitchId) -> bool {
    let reach = control_loop.control.reach();
    reach.dead.binary_search(&switch).is_ok() && reach.dead_planned.binary_search(&switch).is_err()
}

/// Explains the state of a port.
pub fn port(manager: &Manager, port: PortIndex) -> Answered {
    let fabric = &manager.fabric;
    let peer = match fabric.port(port).peer {
        PortPeer::Port(far) => format!(" to {}", port_text(fabric, far)),
        PortPeer::Endpoint(nic) => format!(" to NIC {}", fabric.nic_text(nic)),
        PortPeer::None => " (nothing is planned here)".to_owned(),
    };
    let name = format!("{}{peer}", port_text(fabric, port));
    let mut answer = match fabric.port(port).peer {
        PortPeer::Port(far) => link(manager, port, far),
        _ => edge(manager, port),
    };
    let since = answer.for_seconds.filter(|_| answer.state != "up");
    let since = since.map_or(String::new(), |found| format!(" for {}", duration(found)));
    answer.headline = format!("{name}: {}{since}", answer.state.replace('-', " ").to_uppercase());
    answer.wanted = format!("{}; {}", wanted(manager, port).1, has(manager, port));
    answer.rate = fabric.rate_text(port);
    answer
}

fn blank(state: &'static str) -> Answered {
    Answered {
        state,
        for_seconds: None,
        headline: String::new(),
        wanted: String::new(),
        rate: None,
        observed: String::new(),
        why: None,
        next: None,
    }
}

fn edge(manager: &Manager, port: PortIndex) -> Answered {
    let (fabric, control) = (&manager.fabric, &manager.control_loop.control);
    let switch = fabric.switch_of(port);
    let seen = control.port(port);
    let mut down = control.nics_off(&control.reach());
    manager.unplan_nics(&mut down);
    let down: Option<NicDown> = down.into_iter().find(|nic| nic.port == port);
    let heard = !matches!(control.device_state(switch), DeviceState::Unknown | DeviceState::Unreachable);
    let mut answer = blank(match &down {
        Some(nic) if nic.is_planned => "off",
        Some(nic) if nic.why == philae_manager_core::NicOff::Dead => "dead",
        Some(_) => "down",
        None if heard && seen.state == PortState::Absent => "absent",
        None if heard => "up",
        None => "unknown",
    });
    answer.observed = match heard {
        true => format!("{}; {}", seen.state.name(), counted(seen.losses as usize, "loss", "es")),
        false => format!("its switch does not answer; its last report: {}", seen.state.name()),
    };
    let Some(nic) = down else { return answer };
    answer.for_seconds = Some(seconds(&manager.control_loop, nic.since_ms));
    answer.why = Some(why_off(fabric, &nic));
    answer.next = Some(match nic.why {
        philae_manager_core::NicOff::Dead => format!("philae fabric explain {}", fabric.bmc_xname(switch)),
        philae_manager_core::NicOff::SetApart => format!("philae fabric restore {}", fabric.bmc_xname(switch)),
        philae_manager_core::NicOff::Port(PortState::Disabled) => {
            "the document above sets this; change or delete it".to_owned()
        }
        philae_manager_core::NicOff::Port(PortState::PausedTooLong) => {
            "check the node: the port returns by itself when the node accepts traffic again".to_owned()
        }
        philae_manager_core::NicOff::Port(_) => {
            format!("check that the node is on, then reseat the cable in {}", fabric.plug_text(port))
        }
    });
    answer
}

fn link(manager: &Manager, port: PortIndex, far: PortIndex) -> Answered {
    let (fabric, control) = (&manager.fabric, &manager.control_loop.control);
    let now_ms = manager.control_loop.now_ms();
    let view = control.link_view(now_ms, port);
    let Some(view) = view else { return blank("unknown") };
    let side = |port: PortIndex| {
        let switch = fabric.switch_of(port);
        let state = control.device_state(switch);
        if matches!(state, DeviceState::Unknown | DeviceState::Unreachable) {
            return format!("switch {} {}", fabric.switch_text(switch), state.name());
        }
        let seen = control.port(port);
        let neighbour =
            seen.neighbour.and_then(|nid| philae_manager_core::Expected::port(&*manager.documents.names, nid));
        let hears = match (seen.state, neighbour) {
            (PortState::Up, Some(found)) => format!(", hears {}", port_words(fabric, found)),
            (PortState::Up, None) => ", hears no neighbour".to_owned(),
            _ => String::new(),
        };
        format!("{}{hears}", seen.state.name())
    };
    let mut observed = format!("this end {}; far end {}", side(port), side(far));
    if view.flaps.losses > 0 {
        observed = format!("{observed}; {} lately", counted(view.flaps.losses, "loss", "es"));
    }
    let by = manager.drained_by_rollout(port);
    let mut answer = blank(match view.unusable.map(|(why, _)| why) {
        None => "up",
        Some(_) if by.is_some() => "drained",
        Some(Unusable::NotHeardOf) => "unknown",
        Some(Unusable::Dark) => "dead",
        Some(Unusable::Down(_, PortState::Disabled)) => "off",
        Some(Unusable::Down(..)) => "down",
        Some(Unusable::Miscabled(..)) => "miscabled",
        Some(Unusable::Unheard(_)) => "unheard",
        Some(Unusable::HeldDown) => "held-down",
        Some(Unusable::Isolated) => "isolated",
        Some(Unusable::Drained) => "drained",
    });
    answer.observed = observed;
    let Some((why, since_ms)) = view.unusable else {
        return answer;
    };
    answer.for_seconds = Some(seconds(&manager.control_loop, since_ms));
    let dead =
        [far, port].map(|end| fabric.switch_of(end)).into_iter().find(|&switch| is_dead(&manager.control_loop, switch));
    let name = fabric.link_xname(port.min(far));
    let jacks = format!("{} and {}", fabric.plug_text(port), fabric.plug_text(far));
    let (why, next) = match (why, dead) {
        _ if by.is_some() => {
            (format!("drained by {}", by.unwrap_or_default()), "philae fabric firmware status".to_owned())
        }
        (_, Some(dead)) => {
            let next = format!("philae fabric explain {}", fabric.bmc_xname(dead));
            (format!("switch {} is dead", fabric.switch_text(dead)), next)
        }
        (Unusable::Down(at, PortState::Disabled), _) => {
            let (_, by) = wanted(manager, at);
            (
                format!("{} is to be {by}", port_text(fabric, at)),
                "the document sets this; change or delete it".to_owned(),
            )
        }
        (Unusable::Down(..), _) => {
            let ends = [port, far].map(|end| control.port(end).state);
            let why = match ends {
                [PortState::Absent, _] | [_, PortState::Absent] => "an end has no cable",
                [PortState::Failed, _] | [_, PortState::Failed] => "a port has failed",
                [PortState::Up, _] | [_, PortState::Up] => "one end has a signal, the other has none",
                _ => "neither end has a signal: the cable, or one of its ends",
            };
            (why.to_owned(), format!("reseat the cable between {jacks}, then exchange it"))
        }
        (Unusable::Miscabled(..), _) => {
            let why = unusable(fabric, why);
            (
                format!("the cable leads to another port: {why}"),
                "philae fabric show alarms names exchanged pairs".to_owned(),
            )
        }
        (Unusable::Unheard(_), _) => {
            let next = format!("check the cable between {jacks}, and that the far agent sends LLDP");
            (unusable(fabric, why), next)
        }
        (Unusable::HeldDown, _) => {
            let next = match view.flaps.isolation {
                Isolation::HeldDown { until_ms } => {
                    format!("it carries traffic again in {}", duration(until_ms.saturating_sub(now_ms) as f64 / 1e3))
                }
                _ => "it carries traffic again by itself".to_owned(),
            };
            (format!("it was lost {} recently", counted(view.flaps.losses, "time", "s")), next)
        }
        (Unusable::Isolated, _) => (
            format!("it was lost {} recently, too often", counted(view.flaps.losses, "time", "s")),
            format!("repair the cable between {jacks}, then: philae fabric do links/{name} release"),
        ),
        (Unusable::Drained, _) => ("an operator drained it".to_owned(), format!("philae fabric restore {name}")),
        (Unusable::Dark, None) => {
            ("both of its switches are dead".to_owned(), "philae fabric show switches -q state=unreachable".to_owned())
        }
        (Unusable::NotHeardOf, _) => (
            "neither of its switches has ever connected".to_owned(),
            "philae fabric show switches -q state=unknown".to_owned(),
        ),
    };
    (answer.why, answer.next) = (Some(why), Some(next));
    answer
}

/// Explains the state of a switch.
pub fn switch(manager: &Manager, switch: SwitchId) -> Answered {
    let (fabric, control) = (&manager.fabric, &manager.control_loop.control);
    let now_ms = manager.control_loop.now_ms();
    let device = control.device(switch);
    let mut answer = blank(device.state.name());
    answer.for_seconds = Some(seconds(&manager.control_loop, device.since_ms));
    let links = control.fabric_ports(switch).filter_map(|port| control.link_view(now_ms, port)).collect::<Vec<_>>();
    let carrying = links.iter().filter(|link| link.unusable.is_none()).count();
    let reach = control.reach();
    let off = control.nics_off(&reach).into_iter().filter(|nic| fabric.switch_of(nic.port) == switch).count();
    let all = control.edge_ports(switch).count();
    let is_away = reach.dead.binary_search(&switch).is_ok();
    let is_upgraded = manager.firmware.working.contains_key(&switch);
    let dead = is_away && reach.dead_planned.binary_search(&switch).is_err();
    let word = match (dead, is_away && is_upgraded) {
        (true, _) => "dead".to_owned(),
        (false, true) => "restarting for an upgrade (planned)".to_owned(),
        (false, false) => device.state.name().to_owned(),
    };
    answer.headline = format!(
        "switch {}{} (group {}): {} for {}",
        fabric.bmc_xname(switch),
        fabric.switch_system(switch).map_or_else(String::new, |label| format!(", {label}")),
        fabric.switch(switch).group,
        word.to_uppercase(),
        duration(seconds(&manager.control_loop, device.since_ms))
    );
    answer.observed = format!(
        "{carrying} of {} carry traffic; {off} of {} off the fabric",
        counted(links.len(), "link", "s"),
        counted(all, "NIC", "s")
    );
    let lacking: Vec<&str> = ConfigSection::ALL
        .into_iter()
        .filter(|&section| !control.section(switch, section).agrees())
        .map(ConfigSection::name)
        .collect();
    answer.wanted = match lacking.as_slice() {
        [] if matches!(device.state, DeviceState::Unknown | DeviceState::Unreachable) => {
            "it had the whole desired configuration at its last answer".to_owned()
        }
        [] => "it has the whole desired configuration".to_owned(),
        some => format!("it does not have the desired configuration of: {}", some.join(", ")),
    };
    let is_well = matches!(device.state, DeviceState::Synced | DeviceState::Connected | DeviceState::Configuring);
    answer.why = (!is_well || !lacking.is_empty()).then(|| device.cause.to_string());
    let name = fabric.bmc_xname(switch);
    let firmware = manager.firmware_cause(switch);
    if let Some(firmware) = &firmware {
        let before = answer.why.take().filter(|_| !matches!(device.cause, philae_manager_core::Cause::Operator));
        answer.why = Some(before.map_or_else(|| firmware.clone(), |why| format!("{why}; {firmware}")));
        answer.wanted = match (lacking.is_empty(), manager.wanted_firmware(switch)) {
            (true, Some(version)) => format!("firmware {version}; it has the rest of the desired configuration"),
            (_, Some(version)) => format!("{}; firmware {version}", answer.wanted),
            (_, None) => answer.wanted,
        };
    }
    answer.next = match device.state {
        _ if is_upgraded => Some("philae fabric firmware status".to_owned()),
        DeviceState::Synced | DeviceState::Maintenance if firmware.is_some() => {
            Some("philae fabric firmware status".to_owned())
        }
        DeviceState::Unknown | DeviceState::Unreachable if dead => {
            Some(format!("check the power and the controller of {name}"))
        }
        DeviceState::Unknown | DeviceState::Unreachable => {
            Some(format!("it still forwards: check the agent of {name} and the network to it"))
        }
        DeviceState::Quarantined => Some(format!("philae fabric do switches/{name} resume")),
        DeviceState::Maintenance => Some(format!("when the work is done: philae fabric do switches/{name} resume")),
        DeviceState::Degraded => Some(format!("philae fabric show switches/{name}; the agent's log")),
        _ => None,
    };
    answer
}

/// Why no path leads from one port to another.
pub fn no_way(manager: &Manager, from: PortIndex, to: PortIndex) -> Option<String> {
    let (fabric, control) = (&manager.fabric, &manager.control_loop.control);
    let reach = control.reach();
    let down = control.nics_off(&reach);
    for end in [to, from] {
        let switch = fabric.switch_of(end);
        let name = fabric.bmc_xname(switch);
        if reach.dead.binary_search(&switch).is_ok() {
            let cause = control.device(switch).cause.to_string();
            let cause = manager.firmware_cause(switch).map_or(cause.clone(), |why| format!("{cause}; {why}"));
            return Some(format!("{name} is {}: {cause}", control.device_state(switch).name()));
        }
        if let Some(nic) = down.iter().find(|nic| nic.port == end) {
            return Some(format!("{} is off the fabric: {}", port_text(fabric, end), why_off(fabric, nic)));
        }
    }
    let (one, other) = (fabric.switch_of(from), fabric.switch_of(to));
    if control.parts().is_some_and(|parts| !parts.join(one, other)) {
        let (one, other) = (fabric.bmc_xname(one), fabric.bmc_xname(other));
        let parts = match reach.parts.len() {
            0 | 1 => "no live link leads there".to_owned(),
            parts => format!("the fabric is in {parts} parts"),
        };
        return Some(format!("{parts}: {one} and {other} are in different parts"));
    }
    None
}

/// Why a section differs from its desired state; `None` if it does not.
pub(crate) fn why(control_loop: &ControlLoop, switch: SwitchId, view: &SectionView<'_>) -> Option<String> {
    if view.agrees() {
        return None;
    }
    let device = control_loop.control.device(switch);
    Some(match device.state {
        DeviceState::Unknown => "its switch has not connected yet".to_owned(),
        DeviceState::Unreachable => format!("its switch cannot be reached: {}", device.cause),
        DeviceState::Quarantined => format!("its switch is quarantined: {}", device.cause),
        DeviceState::Maintenance => "its switch is in maintenance and gets no changes".to_owned(),
        _ if view.on_its_way => "it is on its way".to_owned(),
        _ => view.cause.map_or_else(|| "it is to be sent".to_owned(), ToString::to_string),
    })
}
