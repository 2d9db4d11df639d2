//! The columns of the comparison: values of a scenario's keys, nothing else.

use philae_scenario::{Scenario, ScenarioError};

/// One way to run a network. Everything that differs from the other columns is in `keys`.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name in tables.
    pub name: &'static str,
    /// What it stands for.
    pub about: &'static str,
    /// Keys of the scenario with their values, as `--set` takes them.
    pub keys: &'static [(&'static str, &'static str)],
}

/// The columns, from the fabric's congestion management to the endpoints'.
pub const COLUMNS: &[Column] = &[
    Column {
        name: "Slingshot",
        about: "Slingshot's congestion management and adaptive routing in the switches",
        keys: &[("congestion.law", "slingshot"), ("routing.mode", "adaptive")],
    },
    Column {
        name: "NSCC, adaptive",
        about: "Slingshot's adaptive routing, Ultra Ethernet's transport with the sender's window",
        keys: &[("congestion.law", "nscc"), ("routing.mode", "adaptive")],
    },
    Column {
        name: "RCCC, adaptive",
        about: "Slingshot's adaptive routing, Ultra Ethernet's transport with the receiver's credits",
        keys: &[("congestion.law", "rccc"), ("routing.mode", "adaptive")],
    },
    Column {
        name: "UE, ECMP",
        about: "shortest paths by the packet's entropy (recycled), the sender's window",
        keys: &[("congestion.law", "nscc"), ("routing.mode", "ecmp"), ("hardware.uet.spray", "recycled")],
    },
];

impl Column {
    /// The scenario in this column.
    ///
    /// # Errors
    /// If the scenario has no such key, or not this value.
    pub fn apply(&self, scenario: &Scenario) -> Result<Scenario, ScenarioError> {
        let keys: Vec<(String, String)> =
            self.keys.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        scenario.changed(&keys)
    }

    /// Its keys, for people: `congestion.law=nscc, routing.mode=ecmp`.
    pub fn keys_text(&self) -> String {
        self.keys.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(", ")
    }
}
