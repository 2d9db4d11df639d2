//! Rates of links: the usual one of each kind of link, and the links that run below it.

use crate::fabric::PlannedFabric;
use crate::parts::InventoryParts;
use philae_topology::{PortPeer, PortRole};
use philae_units::{LinkRate, PortIndex};
use std::collections::BTreeMap;

/// Kinds of links that are compared with each other: to NICs, within groups, between groups.
const KINDS: usize = 3;
/// Links that a text names.
///
/// Source: ours: what fits two lines. Status: assumed.
const NAMED: usize = 3;

const fn kind(role: PortRole) -> Option<usize> {
    match role {
        PortRole::Edge => Some(0),
        PortRole::Local => Some(1),
        PortRole::Global => Some(2),
        PortRole::Unused => None,
    }
}

/// The usual rates and the links below them.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkRates {
    usual: [Option<LinkRate>; KINDS],
    /// By their lower ports.
    slow: Vec<PortIndex>,
}

impl LinkRates {
    /// A rate is usual for a kind if more than half of its links have it.
    pub fn of(parts: &InventoryParts) -> Self {
        let links = || {
            parts.ports.iter().enumerate().filter_map(|(index, port)| {
                let at = PortIndex::from_index(index);
                let first = !matches!(port.peer, PortPeer::Port(other) if other < at);
                let kind = kind(port.role).filter(|_| first)?;
                Some((at, kind, parts.cables[usize::from(port.cable.0)].rate))
            })
        };
        let mut counts: [BTreeMap<LinkRate, usize>; KINDS] = Default::default();
        links().for_each(|(_, kind, rate)| *counts[kind].entry(rate).or_default() += 1);
        let usual = counts.map(|count| {
            let all: usize = count.values().sum();
            count.into_iter().find(|(_, links)| 2 * links > all).map(|(rate, _)| rate)
        });
        let is_slow = |&(_, kind, rate): &(PortIndex, usize, LinkRate)| usual[kind].is_some_and(|usual| rate < usual);
        Self { usual, slow: links().filter(is_slow).map(|(port, ..)| port).collect() }
    }
}

impl PlannedFabric {
    /// The rate that more than half of the links of this port's kind have: links to NICs, links
    /// within groups or links between groups.
    #[must_use]
    pub fn usual_rate(&self, port: PortIndex) -> Option<LinkRate> {
        kind(self.port(port).role).and_then(|kind| self.rates().usual[kind])
    }

    /// Links that run below the usual rate of their kind, by their lower ports.
    #[must_use]
    pub fn slow_links(&self) -> &[PortIndex] {
        &self.rates().slow
    }

    /// The rate of the link at a port, and the usual one if it is below that:
    /// `2 Gb/s (1xSDR), where most links to NICs have 200 Gb/s`.
    #[must_use]
    pub fn rate_text(&self, port: PortIndex) -> Option<String> {
        let rate = self.cable(port)?.rate;
        let lanes = self.lanes_of(port).map_or_else(String::new, |lanes| format!(" ({lanes})"));
        let kind = match self.port(port).role {
            PortRole::Edge => "links to NICs",
            PortRole::Local => "links within groups",
            _ => "links between groups",
        };
        let kind = if self.group_count() == 1 && kind != "links to NICs" { "links between switches" } else { kind };
        let below = self.usual_rate(port).filter(|usual| rate < *usual);
        let below = below.map_or_else(String::new, |usual| format!(", where most {kind} have {usual}"));
        Some(format!("{rate}{lanes}{below}"))
    }

    /// Links that run below the usual rate of their kind, in one sentence; `None` if there are
    /// none.
    #[must_use]
    pub fn slow_text(&self) -> Option<String> {
        let slow = self.slow_links();
        let mut named: Vec<String> = slow
            .iter()
            .take(NAMED)
            .map(|&port| {
                let end = match self.port(port).peer {
                    PortPeer::Endpoint(nic) => self.nic_text(nic),
                    PortPeer::Port(far) => self.plug_text(far),
                    PortPeer::None => String::new(),
                };
                let rate = self.cable(port).map_or_else(String::new, |cable| cable.rate.to_string());
                let lanes = self.lanes_of(port).map_or_else(String::new, |lanes| format!(", {lanes}"));
                format!("{} to {end} ({rate}{lanes})", self.plug_text(port))
            })
            .collect();
        if slow.len() > NAMED {
            named.push(format!("and {} more", slow.len() - NAMED));
        }
        let (links, run) = if slow.len() == 1 { ("link", "runs") } else { ("links", "run") };
        let words = format!("{} {links} {run} below the rate of most others: {}", slow.len(), named.join("; "));
        (!slow.is_empty()).then_some(words)
    }
}
