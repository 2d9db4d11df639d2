//! What is known of ports, and which links may carry traffic.

use std::collections::BTreeMap;

use philae_agent::{Numbered, PortReport, PortState};
use philae_forwarding::Wiring;
use philae_units::{PortId, PortIndex, SwitchId};

use crate::flap::FlapView;

/// What addresses the ports of a fabric have, by which neighbours are known.
pub trait Expected: Send + Sync + std::fmt::Debug {
    /// Network address (NID) of a port.
    fn nid(&self, port: PortIndex) -> Option<u32>;
    /// The port with a network address.
    fn port(&self, nid: u32) -> Option<PortIndex>;
}

impl Expected for Numbered {
    fn nid(&self, port: PortIndex) -> Option<u32> {
        Some(port.0)
    }

    fn port(&self, nid: u32) -> Option<PortIndex> {
        Some(PortIndex(nid))
    }
}

/// Why a link carries no traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unusable {
    /// Neither of its switches has been heard of.
    NotHeardOf,
    /// Both of its switches are dead: no one tells of it.
    Dark,
    /// One of its ends is not up.
    Down(PortIndex, PortState),
    /// A cable leads elsewhere than planned: the port, and what it leads to where that is known.
    Miscabled(PortIndex, Option<PortIndex>),
    /// One of its ends is up and does not hear who is at the other one.
    Unheard(PortIndex),
    /// It was lost too often lately and has not been up for long enough.
    HeldDown,
    /// It was lost too often: an operator must release it.
    Isolated,
    /// An operator took it out of service.
    Drained,
}

impl Unusable {
    /// Whether it is on purpose: an operator, or a document.
    #[must_use]
    pub const fn is_planned(self) -> bool {
        matches!(self, Self::Drained | Self::Down(_, PortState::Disabled))
    }
}

/// Ports of the whole fabric, in columns.
#[derive(Debug)]
pub struct Ports {
    state: Vec<u8>,
    /// Network address of the neighbour plus one; 0: none seen.
    neighbour: Vec<u32>,
    losses: Vec<u32>,
    /// Links that carry no traffic, by their lower port: why, and since when.
    unusable: BTreeMap<u32, (Unusable, u64)>,
    /// (S): links whose signal is there at both ends, by their lower port, as masks.
    up: Vec<u64>,
    /// Ports of a switch.
    radix: usize,
    /// Links that operators took out of service, by their lower port.
    drained: std::collections::BTreeSet<u32>,
    /// Edge ports that are isolated because their partner held back traffic for too long, and since when.
    paused_edges: BTreeMap<u32, u64>,
    /// Edge ports that are not up, and since when.
    edges_off: BTreeMap<u32, u64>,
    /// Ports to switches that are up and have not heard their neighbour within its time.
    unheard: std::collections::BTreeSet<u32>,
    /// Links, by their lower port, that were lost on purpose and are not back
    /// yet.
    put_down: std::collections::BTreeSet<u32>,
}

/// A port as people see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortView {
    /// What its switch says.
    pub state: PortState,
    /// Network address that its neighbour announces.
    pub neighbour: Option<u32>,
    /// Losses of its link since its switch started.
    pub losses: u32,
}

/// A link as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkView {
    /// Its two ports, the lower one first.
    pub ports: (PortIndex, PortIndex),
    /// Why it carries no traffic and since when; nothing where it does.
    pub unusable: Option<(Unusable, u64)>,
    /// How often it was lost.
    pub flaps: FlapView,
}

/// Cables that lead elsewhere than planned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CableFault {
    /// The ends of two cables are exchanged.
    Exchanged(PortIndex, PortIndex),
    /// A port leads to another one than planned.
    Elsewhere {
        /// The port.
        port: PortIndex,
        /// Where it should lead.
        planned: Option<PortIndex>,
        /// Where it leads; nothing where its neighbour is none of this fabric's.
        found: Option<PortIndex>,
    },
}

/// What a report of a port changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported {
    /// The port.
    pub port: PortIndex,
    /// Whether its link was lost since the last report, though it may be up again.
    pub lost: bool,
    /// Whether it is up and names no neighbour, and that is new; and whether it did name one just
    /// before.
    pub unheard: Option<bool>,
}

impl Ports {
    /// Nothing is known yet.
    pub fn new(wiring: &Wiring) -> Self {
        let count = wiring.switch_count() * wiring.radix();
        let mut ports = Self {
            state: vec![PortState::Absent as u8; count],
            neighbour: vec![0; count],
            losses: vec![0; count],
            unusable: BTreeMap::new(),
            up: vec![0; wiring.switch_count()],
            radix: wiring.radix(),
            drained: std::collections::BTreeSet::new(),
            paused_edges: BTreeMap::new(),
            edges_off: BTreeMap::new(),
            unheard: std::collections::BTreeSet::new(),
            put_down: std::collections::BTreeSet::new(),
        };
        ports.unusable = wiring.links().map(|(port, _)| (port.0, (Unusable::NotHeardOf, 0))).collect();
        ports
    }

    /// Takes in a report; nothing where there is no such port or state.
    pub fn report(&mut self, wiring: &Wiring, switch: SwitchId, report: PortReport, first: bool) -> Option<Reported> {
        let number = u8::try_from(report.port).ok().filter(|&port| usize::from(port) < wiring.radix())?;
        let state = PortState::from_number(report.state)?;
        let port = wiring.port(switch, PortId(number));
        let index = port.index();
        let was_up = self.state[index] == PortState::Up as u8;
        let missed = !first && report.losses > self.losses[index];
        let lost = was_up && (state != PortState::Up || missed);
        let had = self.neighbour[index] != 0;
        let silent = state == PortState::Up && report.neighbour == 0;
        let unheard = (silent && (!was_up || lost || had)).then_some(was_up && !lost && had);
        if !silent && !self.unheard.is_empty() {
            self.unheard.remove(&port.0);
        }
        self.state[index] = state as u8;
        self.neighbour[index] = report.neighbour;
        self.losses[index] = report.losses;
        Some(Reported { port, lost, unheard })
    }

    /// Keeps since when an edge port is not up, and since when it is isolated because of its
    /// partner's pauses; whether either is new.
    pub fn note_edge(&mut self, now_ms: u64, wiring: &Wiring, port: PortIndex) -> bool {
        let (switch, number) = wiring.split(port);
        if wiring.edge(switch) >> number.0 & 1 == 0 {
            return false;
        }
        let state = self.state(port);
        let keep = |map: &mut BTreeMap<u32, u64>, is_so: bool| match (is_so, map.is_empty()) {
            (true, _) => {
                let new = !map.contains_key(&port.0);
                map.entry(port.0).or_insert(now_ms);
                new
            }
            (false, true) => false,
            (false, false) => map.remove(&port.0).is_some(),
        };
        let off = keep(&mut self.edges_off, state != PortState::Up);
        keep(&mut self.paused_edges, state == PortState::PausedTooLong) || off
    }

    /// Edge ports that are not up, by what their switch said last, and since when.
    pub fn edges_off(&self) -> impl Iterator<Item = (PortIndex, u64)> + '_ {
        self.edges_off.iter().map(|(&port, &since)| (PortIndex(port), since))
    }

    /// The time to hear the neighbour of a port is over; whether it is up without one.
    pub fn note_unheard(&mut self, port: PortIndex) -> bool {
        let silent = self.state(port) == PortState::Up && self.neighbour[port.index()] == 0;
        if silent { self.unheard.insert(port.0) } else { false }
    }

    /// Ports that are up and have not heard their neighbour within its time.
    pub fn unheard(&self) -> impl Iterator<Item = PortIndex> + '_ {
        self.unheard.iter().map(|&port| PortIndex(port))
    }

    /// Since when an edge port is not up.
    pub fn edge_off(&self, port: PortIndex) -> Option<u64> {
        self.edges_off.get(&port.0).copied()
    }

    /// Whether a port is up and has not heard its neighbour within its time.
    pub fn is_unheard(&self, port: PortIndex) -> bool {
        self.unheard.contains(&port.0)
    }

    /// Whether there is any such port.
    pub fn has_unheard(&self) -> bool {
        !self.unheard.is_empty()
    }

    /// Keeps that a link was lost on purpose; whether that was known.
    pub fn note_put_down(&mut self, link: u32) -> bool {
        !self.put_down.insert(link)
    }

    /// A link is back; whether it was lost on purpose.
    pub fn take_put_down(&mut self, link: u32) -> bool {
        !self.put_down.is_empty() && self.put_down.remove(&link)
    }

    /// Edge ports that are isolated because of their partner's pauses, and since when.
    pub fn paused_edges(&self) -> impl Iterator<Item = (PortIndex, u64)> + '_ {
        self.paused_edges.iter().map(|(&port, &since)| (PortIndex(port), since))
    }

    /// Keeps whether the signal of a link is there; whether that is new.
    pub fn note_up(&mut self, link: u32, up: bool) -> bool {
        let bit = 1_u64 << (link as usize % self.radix);
        let mask = &mut self.up[link as usize / self.radix];
        let old = *mask;
        *mask = if up { old | bit } else { old & !bit };
        *mask != old
    }

    /// A port as people see it.
    pub fn view(&self, port: PortIndex) -> PortView {
        let index = port.index();
        PortView {
            state: self.state(port),
            neighbour: self.neighbour[index].checked_sub(1),
            losses: self.losses[index],
        }
    }

    /// What its switch says of a port.
    pub fn state(&self, port: PortIndex) -> PortState {
        PortState::from_number(u32::from(self.state[port.index()])).expect("only states are kept")
    }

    /// Whether the signal is there, and where it should be, as far as the ends that were heard of say.
    pub fn judge(
        &self,
        expected: &dyn Expected,
        ends: (PortIndex, PortIndex),
        heard: (bool, bool),
    ) -> Result<(), Unusable> {
        if heard == (false, false) {
            return Err(Unusable::NotHeardOf);
        }
        // An end that was switched off is the cause, and the other one its consequence.
        if let Some(port) = [(ends.0, heard.0), (ends.1, heard.1)]
            .into_iter()
            .find(|(port, heard)| *heard && self.state[port.index()] == PortState::Disabled as u8)
        {
            return Err(Unusable::Down(port.0, PortState::Disabled));
        }
        for (port, far, heard) in [(ends.0, ends.1, heard.0), (ends.1, ends.0, heard.1)] {
            if !heard {
                continue;
            }
            let state = self.state(port);
            if state != PortState::Up {
                return Err(Unusable::Down(port, state));
            }
            let found = self.neighbour[port.index()].checked_sub(1);
            if let Some(found) = found
                && expected.nid(far).is_some_and(|planned| planned != found)
            {
                return Err(Unusable::Miscabled(port, expected.port(found)));
            }
        }
        Ok(())
    }

    /// Why a link carries no traffic, and since when.
    pub fn unusable(&self, link: u32) -> Option<(Unusable, u64)> {
        self.unusable.get(&link).copied()
    }

    /// All links that carry no traffic, by their lower port.
    pub fn all_unusable(&self) -> impl Iterator<Item = (PortIndex, Unusable, u64)> + '_ {
        self.unusable.iter().map(|(&link, &(why, since))| (PortIndex(link), why, since))
    }

    /// How many links carry no traffic.
    pub fn unusable_count(&self) -> usize {
        self.unusable.len()
    }

    /// Sets whether a link carries traffic, and says whether that is new.
    pub fn settle(&mut self, link: u32, verdict: Result<(), Unusable>, now_ms: u64) -> bool {
        match verdict {
            Ok(()) => self.unusable.remove(&link).is_some(),
            Err(why) => match self.unusable.get_mut(&link) {
                Some(known) => {
                    known.0 = why;
                    false
                }
                None => {
                    self.unusable.insert(link, (why, now_ms));
                    true
                }
            },
        }
    }

    /// Takes a link out of service, or gives it back; whether that is new.
    pub fn drain(&mut self, link: u32, drained: bool) -> bool {
        if drained { self.drained.insert(link) } else { self.drained.remove(&link) }
    }

    /// Whether an operator took a link out of service.
    pub fn is_drained(&self, link: u32) -> bool {
        self.drained.contains(&link)
    }

    /// Cables that lead elsewhere than planned, exchanged pairs by name.
    pub fn cable_faults(&self, wiring: &Wiring, expected: &dyn Expected) -> Vec<CableFault> {
        let mut found = BTreeMap::new();
        for (&link, &(why, _)) in &self.unusable {
            let Unusable::Miscabled(..) = why else { continue };
            let port = PortIndex(link);
            for port in [Some(port), wiring.peer(port)].into_iter().flatten() {
                let Some(nid) = self.neighbour[port.index()].checked_sub(1) else { continue };
                let leads = expected.port(nid);
                if leads != wiring.peer(port) {
                    found.insert(port, leads);
                }
            }
        }
        let mut faults = std::collections::BTreeSet::new();
        for (&port, &leads) in &found {
            // Two cables are exchanged where each port leads to where the other one should.
            let partner = leads.and_then(|leads| wiring.peer(leads));
            let exchanged = partner.filter(|partner| {
                *partner != port
                    && found.get(partner).is_some_and(|&other| other.is_some() && other == wiring.peer(port))
            });
            faults.insert(match exchanged {
                Some(partner) => CableFault::Exchanged(port.min(partner), port.max(partner)),
                None => CableFault::Elsewhere { port, planned: wiring.peer(port), found: leads },
            });
        }
        // Both ends of two exchanged cables tell of it: once is enough.
        let mirrored = |fault: &CableFault| match *fault {
            CableFault::Exchanged(one, other) => {
                let (Some(one), Some(other)) = (wiring.peer(one), wiring.peer(other)) else { return false };
                let far = CableFault::Exchanged(one.min(other), one.max(other));
                far < *fault && faults.contains(&far)
            }
            CableFault::Elsewhere { .. } => false,
        };
        faults.iter().filter(|fault| !mirrored(fault)).cloned().collect()
    }
}
