//! The state of ports, and which links may carry traffic.

use std::collections::BTreeMap;

use philae_agent::{Numbered, PortReport, PortState};
use philae_route_tables::FabricWiring;
use philae_units::{PortId, PortIndex, SwitchId};

use crate::flap::FlapView;

/// The planned addresses of ports, by which neighbours are recognised.
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
    /// Neither of its switches has been heard from.
    NotHeardOf,
    /// Both of its switches are dead, so no switch reports its state.
    Dark,
    /// One of its ends is not up.
    Down(PortIndex, PortState),
    /// A cable leads to another port than planned: the port, and the far port if known.
    Miscabled(PortIndex, Option<PortIndex>),
    /// One of its ends is up and does not hear its neighbour.
    Unheard(PortIndex),
    /// It was lost too often lately and has not been up for long enough.
    HeldDown,
    /// It was lost too often: an operator must release it.
    Isolated,
    /// An operator took it out of service.
    Drained,
}

impl Unusable {
    /// Whether it is intended, by an operator or a document.
    #[must_use]
    pub const fn is_planned(self) -> bool {
        matches!(self, Self::Drained | Self::Down(_, PortState::Disabled))
    }
}

/// Ports of the whole fabric, in columns.
#[derive(Debug)]
pub struct Ports {
    state: Vec<u8>,
    /// Network address of the neighbour plus one; 0: none reported.
    neighbour: Vec<u32>,
    losses: Vec<u32>,
    /// Links that carry no traffic, by their lower port: why, and since when.
    unusable: BTreeMap<u32, (Unusable, u64)>,
    /// (S): links with a signal at both ends, by their lower port, as masks.
    up: Vec<u64>,
    /// Ports of a switch.
    radix: usize,
    /// Links that operators drained, by their lower port.
    drained: std::collections::BTreeSet<u32>,
    /// Edge ports isolated because their partner paused traffic for too long, and since when.
    paused_edges: BTreeMap<u32, u64>,
    /// Edge ports that are not up, and since when.
    edges_off: BTreeMap<u32, u64>,
    /// Ports to switches that are up and have not heard their neighbour within its time.
    unheard: std::collections::BTreeSet<u32>,
    /// Links, by their lower port, that were lost intentionally and are not back yet.
    put_down: std::collections::BTreeSet<u32>,
}

/// A port in readable form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortView {
    /// The state that its switch reports.
    pub state: PortState,
    /// Network address that its neighbour announces.
    pub neighbour: Option<u32>,
    /// Losses of its link since its switch started.
    pub losses: u32,
}

/// A link in readable form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkView {
    /// Its two ports, the lower one first.
    pub ports: (PortIndex, PortIndex),
    /// Why it carries no traffic and since when; `None` if it does.
    pub unusable: Option<(Unusable, u64)>,
    /// Its history of losses.
    pub flaps: FlapView,
}

/// A cable that does not lead where planned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CableFault {
    /// The ends of two cables are exchanged.
    Exchanged(PortIndex, PortIndex),
    /// A port leads to another one than planned.
    Elsewhere {
        port: PortIndex,
        /// The port to which it should lead.
        planned: Option<PortIndex>,
        /// The port to which it leads; `None` if its neighbour is not in this fabric.
        found: Option<PortIndex>,
    },
}

/// The changes of a port's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported {
    pub port: PortIndex,
    /// Whether its link was lost since the last report, though it may be up again.
    pub lost: bool,
    /// `Some` if it has newly become up without a neighbour's name; the value is whether it had
    /// named one just before.
    pub unheard: Option<bool>,
}

impl Ports {
    /// Ports without any report.
    pub fn new(wiring: &FabricWiring) -> Self {
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

    /// Processes a report. `None` if there is no such port or state.
    pub fn report(
        &mut self,
        wiring: &FabricWiring,
        switch: SwitchId,
        report: PortReport,
        first: bool,
    ) -> Option<Reported> {
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

    /// Records since when an edge port is not up, and since when it is isolated because of its
    /// partner's pauses. Returns whether either has changed.
    pub fn note_edge(&mut self, now_ms: u64, wiring: &FabricWiring, port: PortIndex) -> bool {
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

    /// Edge ports that are not up, as last reported, and since when.
    pub fn edges_off(&self) -> impl Iterator<Item = (PortIndex, u64)> + '_ {
        self.edges_off.iter().map(|(&port, &since)| (PortIndex(port), since))
    }

    /// Handles the end of the time to hear the neighbour of a port, and returns whether the port is
    /// up without one.
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

    /// Whether there is such a port.
    pub fn has_unheard(&self) -> bool {
        !self.unheard.is_empty()
    }

    /// Records that a link was lost intentionally, and returns whether that was known.
    pub fn note_put_down(&mut self, link: u32) -> bool {
        !self.put_down.insert(link)
    }

    /// Handles the return of a link, and returns whether it was lost intentionally.
    pub fn take_put_down(&mut self, link: u32) -> bool {
        !self.put_down.is_empty() && self.put_down.remove(&link)
    }

    /// Edge ports that are isolated because of their partner's pauses, and since when.
    pub fn paused_edges(&self) -> impl Iterator<Item = (PortIndex, u64)> + '_ {
        self.paused_edges.iter().map(|(&port, &since)| (PortIndex(port), since))
    }

    /// Records whether a link has a signal, and returns whether that has changed.
    pub fn note_up(&mut self, link: u32, up: bool) -> bool {
        let bit = 1_u64 << (link as usize % self.radix);
        let mask = &mut self.up[link as usize / self.radix];
        let old = *mask;
        *mask = if up { old | bit } else { old & !bit };
        *mask != old
    }

    /// A port in readable form.
    pub fn view(&self, port: PortIndex) -> PortView {
        let index = port.index();
        PortView {
            state: self.state(port),
            neighbour: self.neighbour[index].checked_sub(1),
            losses: self.losses[index],
        }
    }

    /// The state of a port that its switch reports.
    pub fn state(&self, port: PortIndex) -> PortState {
        PortState::from_number(u32::from(self.state[port.index()])).expect("only states are kept")
    }

    /// Checks that a link has a signal and leads where planned, as far as the ends with a report
    /// tell.
    pub fn assess(
        &self,
        expected: &dyn Expected,
        ends: (PortIndex, PortIndex),
        heard: (bool, bool),
    ) -> Result<(), Unusable> {
        if heard == (false, false) {
            return Err(Unusable::NotHeardOf);
        }
        // A disabled end is the cause, and the state of the other end its consequence.
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

    /// Sets whether a link carries traffic, and returns whether that has changed.
    pub fn record_verdict(&mut self, link: u32, verdict: Result<(), Unusable>, now_ms: u64) -> bool {
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

    /// Drains a link or ends that, and returns whether it has changed.
    pub fn drain(&mut self, link: u32, drained: bool) -> bool {
        if drained { self.drained.insert(link) } else { self.drained.remove(&link) }
    }

    /// Whether an operator drained a link.
    pub fn is_drained(&self, link: u32) -> bool {
        self.drained.contains(&link)
    }

    /// Cables that do not lead where planned; exchanged pairs are named as such.
    pub fn cable_faults(&self, wiring: &FabricWiring, expected: &dyn Expected) -> Vec<CableFault> {
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
            // Two cables are exchanged if each port leads to where the other one should lead.
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
        // Both ends of two exchanged cables report the exchange; keep one report.
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
