//! Counts of versions.

use std::collections::BTreeMap;

use philae_units::SwitchId;

use crate::manager::Manager;

/// Counts of versions.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Running firmware.
    pub running: BTreeMap<String, usize>,
    /// Desired firmware: the number of switches, and how many of them run it.
    pub wanted: BTreeMap<String, (usize, usize)>,
    /// Switches that do not run the desired version.
    pub differ: usize,
    /// Versions of agents.
    pub agents: BTreeMap<String, usize>,
    /// Switches whose agents have not the desired version, with the first of them and its version.
    pub agents_differ: usize,
    /// The desired version of that agent.
    pub agent_wanted: Option<String>,
}

impl Manager {
    /// Counts versions. Switches that have never reported are in none.
    pub(crate) fn firmware_counts(&self) -> Counts {
        let mut found = Counts::default();
        let count = |of: &mut BTreeMap<String, usize>, version: &str| match of.get_mut(version) {
            Some(known) => *known += 1,
            None => {
                of.insert(version.to_owned(), 1);
            }
        };
        for switch in (0..self.fabric.switch_count()).map(SwitchId::from_index) {
            let seen = self.control_loop.control.versions(switch);
            let config = self.documents.composition().switch(switch);
            if let Some(wanted) = &config.firmware {
                let runs = seen.is_known && *seen.firmware == **wanted;
                let entry = match found.wanted.get_mut(wanted) {
                    Some(known) => known,
                    None => found.wanted.entry(wanted.clone()).or_default(),
                };
                *entry = (entry.0 + 1, entry.1 + usize::from(runs));
                found.differ += usize::from(seen.is_known && !runs);
            }
            if !seen.is_known {
                continue;
            }
            count(&mut found.running, seen.firmware);
            count(&mut found.agents, if seen.agent.is_empty() { "unknown" } else { seen.agent });
            if let Some(wanted) = config.agent.as_deref().filter(|wanted| *wanted != seen.agent) {
                found.agents_differ += 1;
                found.agent_wanted.get_or_insert_with(|| wanted.to_owned());
            }
        }
        found
    }
}
