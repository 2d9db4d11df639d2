//! Changes for a what-if study: keys that are set in every scenario.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use philae_scenario::{ScenarioError, System};
use serde::Serialize;

use crate::runner::Cell;

/// A key that was set, and where it had an effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyChange {
    /// Path of the key: `routing.algorithm`.
    pub key: String,
    /// Its value, as TOML or plain text.
    pub value: String,
    /// Cells that have it and had another value.
    pub cells_changed: usize,
    /// Cells that ran.
    pub cells: usize,
    /// A reason why a cell does not have it.
    #[serde(skip)]
    pub refused: Option<String>,
}

impl std::fmt::Display for KeyChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={} (in {} of {} runs)", self.key, self.value, self.cells_changed, self.cells)
    }
}

/// The keys, with the outcome of each.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    list: Vec<Asked>,
    cells: AtomicUsize,
}

#[derive(Debug)]
struct Asked {
    key_and_value: (String, String),
    changed: AtomicUsize,
    /// A reason why a cell did not have it.
    refused: Mutex<Option<String>>,
}

impl Asked {
    /// Jobs and congestion laws differ from cell to cell, so a cell may lack the job, or its job or
    /// law the key.
    fn is_of_some_cells(&self) -> bool {
        self.is_of_a_law() || self.key_and_value.0.starts_with("job.")
    }

    fn is_of_a_law(&self) -> bool {
        self.key_and_value.0.starts_with("congestion.")
    }
}

impl Changes {
    pub fn new(changes: impl IntoIterator<Item = (String, String)>) -> Self {
        let asked = |key_and_value| Asked { key_and_value, changed: AtomicUsize::new(0), refused: Mutex::new(None) };
        Self { list: changes.into_iter().map(asked).collect(), cells: AtomicUsize::new(0) }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether this key is set.
    pub fn sets(&self, key: &str) -> bool {
        self.list.iter().any(|asked| asked.key_and_value.0 == key)
    }

    pub fn tally(&self) -> Vec<KeyChange> {
        let cells = self.cells.load(Ordering::Relaxed);
        let change = |asked: &Asked| KeyChange {
            key: asked.key_and_value.0.clone(),
            value: asked.key_and_value.1.clone(),
            cells_changed: asked.changed.load(Ordering::Relaxed),
            cells,
            refused: asked.refused.lock().expect("no thread panics with it in hand").clone(),
        };
        self.list.iter().map(change).collect()
    }

    /// The cell with every change that applies to it: `job.1.start` does not apply to a cell
    /// without a second job.
    pub fn apply(&self, cell: &Cell) -> Result<Cell, ScenarioError> {
        self.cells.fetch_add(1, Ordering::Relaxed);
        let mut changed = cell.clone();
        for asked in &self.list {
            let after = changed.scenario.changed(std::slice::from_ref(&asked.key_and_value));
            // The keys of a law are known once it is resolved.
            let after = match after {
                Ok(after) if asked.is_of_a_law() => after.resolve_on(&cell.system).map(|_| after),
                other => other,
            };
            match after {
                Ok(after) => {
                    if after != changed.scenario {
                        asked.changed.fetch_add(1, Ordering::Relaxed);
                    }
                    changed.scenario = after;
                }
                Err(error) if asked.is_of_some_cells() => {
                    *asked.refused.lock().expect("no thread panics with it in hand") = Some(error.to_string());
                }
                Err(error) => return Err(error),
            }
        }
        if changed.scenario.system != cell.scenario.system {
            changed.system = System::build(changed.scenario.system.describe()?)?;
        }
        Ok(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::ping_pong;
    use philae_topology::PortRole;
    use philae_units::{NodeId, SwitchId};

    fn cell() -> Cell {
        let system = System::load("malbec").expect("a built-in system");
        ping_pong(&system, 1, [NodeId(0), NodeId(1)], 8, 2)
    }

    fn changes(list: &[(&str, &str)]) -> Changes {
        Changes::new(list.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn a_change_is_counted_where_it_took() {
        let changes = changes(&[("congestion.law", "none"), ("seed", "1"), ("job.7.start", "1us")]);
        let changed = changes.apply(&cell()).expect("it can be changed");
        assert_ne!(changed.scenario, cell().scenario);
        let counts: Vec<_> = changes.tally().iter().map(|change| (change.cells_changed, change.cells)).collect();
        assert_eq!(counts, [(1, 1), (0, 1), (0, 1)], "the seed is 1 already, and there is one job");
    }

    #[test]
    fn a_change_of_the_system_is_built() {
        let changes = changes(&[("system.dragonfly.links_per_pair", "8")]);
        let changed = changes.apply(&cell()).expect("fewer links");
        let connected = |cell: &Cell| {
            let topology = &cell.system.topology;
            let ports = (0..topology.switch_count()).flat_map(|switch| topology.ports_of(SwitchId::from_index(switch)));
            ports.filter(|(_, port)| port.role == PortRole::Global).count()
        };
        assert!(connected(&changed) < connected(&cell()));
    }

    #[test]
    fn a_key_that_does_not_exist_is_an_error() {
        let error = changes(&[("routing.mod", "minimal")]).apply(&cell()).expect_err("no such key");
        assert!(error.to_string().contains("mode"), "{error}");
    }

    #[test]
    fn a_key_of_another_law_is_left_out_and_its_reason_is_kept() {
        let changes = changes(&[("congestion.channel_buffer_bytes", "65536")]);
        let changed = changes.apply(&cell()).expect("malbec's law has no such key; another cell's may");
        assert_eq!(changed.scenario, cell().scenario);
        let tally = changes.tally();
        assert_eq!((tally[0].cells_changed, tally[0].cells), (0, 1));
        assert!(tally[0].refused.as_ref().is_some_and(|reason| reason.contains("channel_buffer_bytes")));
    }
}
