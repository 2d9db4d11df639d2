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
    Column {
        name: "UE, ECMP, trimming",
        about: "the same without credits between switches: a switch trims what finds its queue full",
        keys: &[
            ("congestion.law", "nscc"),
            ("routing.mode", "ecmp"),
            ("hardware.uet.spray", "recycled"),
            ("class", TRIMMING),
        ],
    },
    Column {
        name: "UE, paths",
        about: "the sender chooses among shortest and other paths by the packet's entropy, the sender's window",
        keys: &[("congestion.law", "nscc"), ("routing.mode", "ecmp-nonminimal"), ("hardware.uet.spray", "path-aware")],
    },
    Column {
        name: "UE, paths, trimming",
        about: "the same without credits between switches: a switch trims what finds its queue full",
        keys: &[
            ("congestion.law", "nscc"),
            ("routing.mode", "ecmp-nonminimal"),
            ("hardware.uet.spray", "path-aware"),
            ("class", TRIMMING),
        ],
    },
];

/// A class whose packets are trimmed where their queue is full, and the one that carries what is
/// left of them and answers.
///
/// Source: UE overview (arXiv 2508.08906): headers of trimmed packets and control packets have a
/// class of their own, with priority; the share is ours. Status: assumed (5 to 20 per cent; affects
/// how fast what is left of packets travels).
const TRIMMING: &str = "[{ name = \"data\", lossy = true, trimming = true, responses = \"control\" }, \
                        { name = \"control\", priority = 7, assured_percent = 10 }]";

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
