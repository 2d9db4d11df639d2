//! All faults of a run in order of time.
//!
//! Every partition has a timeline of its own, and all are equal: the faults do not depend on what
//! the fabric does.

use std::collections::{BTreeMap, BTreeSet};

use philae_engine::{RandomStream, exponential_of_mean};
use philae_link_layer::FlapLaw;
use philae_topology::{PortPeer, Topology};
use philae_units::{Picoseconds, PortIndex};

use crate::model::resilience::{Fault, FaultKind, FaultTarget, Resilience};

/// The beginning or end of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultChange {
    /// Time, in picoseconds.
    pub time: u64,
    /// Number of the fault, in the order of beginnings.
    pub fault: u32,
    /// The fault.
    pub what: Fault,
    /// Whether it begins.
    pub begins: bool,
}

/// The source of the next fault of one kind.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
enum Source {
    Law { index: usize, stream: RandomStream },
    Flaps { law: FlapLaw, port: PortIndex, lanes: u8 },
}

/// All faults that are still to come.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Timeline {
    /// Belongs to the run and is no part of a checkpoint.
    #[serde(skip)]
    pub resilience: Resilience,
    sources: Vec<Source>,
    /// Beginnings by time, then in the order in which they were planned, with the source that plans
    /// the next one.
    coming: BTreeMap<(u64, u64), (Fault, Option<usize>)>,
    planned: u64,
    /// Ends by time and fault.
    ends: BTreeMap<(u64, u32), Fault>,
    begun: u32,
}

impl Timeline {
    /// The faults of a run.
    pub fn new(resilience: &Resilience, topology: &Topology, seed: u64) -> Self {
        let mut timeline = Self { resilience: resilience.clone(), ..Self::default() };
        for fault in &resilience.faults {
            timeline.plan(*fault, None);
        }
        for index in 0..resilience.laws.len() {
            let stream = RandomStream::new(seed, index as u64, u64::from_be_bytes(*b"fb-fault"));
            timeline.sources.push(Source::Law { index, stream });
        }
        if let Some(link) = resilience.link.as_ref().filter(|link| link.flap_gap_ms > 0) {
            for (port, _) in links(topology) {
                if let Some(law) = FlapLaw::new(link, seed, u64::from(port.0)) {
                    timeline.sources.push(Source::Flaps { law, port, lanes: link.flap_lanes });
                }
            }
        }
        (0..timeline.sources.len()).for_each(|source| timeline.plan_next(source, 0));
        timeline
    }

    fn plan(&mut self, fault: Fault, source: Option<usize>) {
        self.coming.insert((fault.start.0, self.planned), (fault, source));
        self.planned += 1;
    }

    /// Plans the next fault of a source, whose last one began at `after`.
    fn plan_next(&mut self, source: usize, after: u64) {
        let fault = match &mut self.sources[source] {
            Source::Law { index, stream } => {
                let law = &self.resilience.laws[*index];
                let mean = |span: Picoseconds| u128::from(span.0) << 16;
                let begin = after.saturating_add(exponential_of_mean(stream, mean(law.gap_mean)).max(1));
                let until = begin.saturating_add(exponential_of_mean(stream, mean(law.length_mean)).max(1));
                let target = law.targets[stream.below(law.targets.len() as u32) as usize];
                Fault { start: Picoseconds(begin), until: Some(Picoseconds(until)), target, kind: law.kind }
            }
            Source::Flaps { law, port, lanes } => {
                let Some(flap) = law.next_flap() else { return };
                let (target, kind) = (FaultTarget::Link(*port), FaultKind::Lanes(*lanes));
                Fault { start: flap.start, until: Some(flap.end), target, kind }
            }
        };
        self.plan(fault, Some(source));
    }

    /// Time of the next change.
    pub fn next_time(&self) -> Option<u64> {
        let coming = self.coming.keys().next().map(|key| key.0);
        let ends = self.ends.keys().next().map(|key| key.0);
        coming.into_iter().chain(ends).min()
    }

    /// The next change, if it is due. Ends come before beginnings of the same time.
    pub fn pop_due(&mut self, now: u64) -> Option<FaultChange> {
        let time = self.next_time().filter(|&time| time <= now)?;
        if let Some((&(_, fault), _)) = self.ends.first_key_value().filter(|(key, _)| key.0 == time) {
            let what = self.ends.remove(&(time, fault))?;
            return Some(FaultChange { time, fault, what, begins: false });
        }
        let (_, (what, source)) = self.coming.pop_first()?;
        let fault = self.begun;
        self.begun += 1;
        if let Some(until) = what.until {
            self.ends.insert((until.0, fault), what);
        }
        if let Some(source) = source {
            self.plan_next(source, time);
        }
        Some(FaultChange { time, fault, what, begins: true })
    }
}

/// Every link of a system once: the port and its far end.
pub fn links(topology: &Topology) -> impl Iterator<Item = (PortIndex, PortPeer)> + '_ {
    (0..topology.port_count() as u32).map(PortIndex).filter_map(|port| match topology.port(port).peer {
        PortPeer::None => None,
        PortPeer::Port(peer) if peer < port => None,
        peer => Some((port, peer)),
    })
}

/// The ports of every link that a fault affects.
pub fn ports_of(topology: &Topology, target: FaultTarget) -> BTreeSet<PortIndex> {
    match target {
        FaultTarget::Link(port) => BTreeSet::from([port]),
        FaultTarget::Nic(endpoint) => BTreeSet::from([topology.endpoint(endpoint).port]),
        FaultTarget::Switch(switch) => {
            topology.ports_of(switch).filter(|(_, port)| port.peer != PortPeer::None).map(|(index, _)| index).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::resilience::FaultLaw;
    use philae_topology::DragonflyDescription;
    use philae_units::SwitchId;

    fn topology() -> Topology {
        Topology::build(&DragonflyDescription::uniform(3, 2, 2, 1).into()).expect("a legal system")
    }

    fn all(resilience: &Resilience, until: u64) -> Vec<FaultChange> {
        let mut timeline = Timeline::new(resilience, &topology(), 3);
        std::iter::from_fn(|| timeline.pop_due(until)).collect()
    }

    #[test]
    fn changes_come_in_order_and_each_fault_ends_once() {
        let law = FaultLaw {
            kind: FaultKind::Down,
            targets: links(&topology()).map(|(port, _)| FaultTarget::Link(port)).collect(),
            gap_mean: Picoseconds::from_micros(10),
            length_mean: Picoseconds::from_micros(30),
        };
        let given = Fault {
            start: Picoseconds::from_micros(5),
            until: None,
            target: FaultTarget::Switch(SwitchId(1)),
            kind: FaultKind::Down,
        };
        let resilience = Resilience { faults: vec![given], laws: vec![law], ..Resilience::default() };
        let changes = all(&resilience, Picoseconds::from_micros(20_000).0);
        assert!(changes.windows(2).all(|pair| pair[0].time <= pair[1].time));
        let begun = changes.iter().filter(|change| change.begins).count();
        assert!((1_800..2_200).contains(&begun), "{begun} faults in 2,000 mean gaps");
        let mut open = BTreeSet::new();
        for change in &changes {
            assert!(if change.begins { open.insert(change.fault) } else { open.remove(&change.fault) });
        }
        let ended: u64 = changes.iter().filter(|change| !change.begins).map(|change| change.time).sum();
        let ended_since: u64 = changes.iter().filter(|c| !c.begins).map(|change| change.what.start.0).sum();
        let mean = (ended - ended_since) as f64 / (begun - open.len()) as f64 / 30e6;
        assert!((0.9..1.1).contains(&mean), "mean length {mean}");
        assert_eq!(changes, all(&resilience, Picoseconds::from_micros(20_000).0));
    }

    #[test]
    fn flaps_of_every_link_are_lanes_lost() {
        let link = philae_link_layer::LinkParameters { flap_gap_ms: 1, flap_length_us: 10, ..Default::default() };
        let resilience = Resilience { link: Some(link), ..Resilience::default() };
        let changes = all(&resilience, Picoseconds::from_micros(50_000).0);
        let struck: BTreeSet<_> = changes.iter().map(|change| change.what.target).collect();
        assert_eq!(struck.len(), links(&topology()).count(), "every link flaps in 50 mean gaps");
        assert!(changes.iter().all(|change| change.what.kind == FaultKind::Lanes(4)));
    }
}
