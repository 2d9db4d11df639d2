//! Troubles other than those of switches, links and NICs: disk, clock, standbys, certificates,
//! tokens, hosts. Each has a line for the four words, a text for an alarm, a start, and what to do
//! next.

pub mod found;

use std::collections::BTreeMap;

use philae_manager_core::HealthLevel;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// The kind of its alarm.
    pub kind: &'static str,
    /// Distinguishes it from others of its kind, because its text may change while it lasts.
    pub key: String,
    /// Its severity.
    pub health: HealthLevel,
    /// A few words for the line of one of the four words; empty if that line counts them.
    pub brief: String,
    /// The full text.
    pub detail: String,
    /// What to do; several possibilities are separated by "; ".
    pub next: Option<String>,
    /// When it began, milliseconds of the manager's clock, if known.
    pub since_ms: Option<u64>,
}

impl Trouble {
    pub(crate) fn new(
        kind: &'static str,
        key: impl Into<String>,
        health: HealthLevel,
        detail: impl Into<String>,
    ) -> Self {
        let detail = detail.into();
        Self { kind, key: key.into(), health, brief: detail.clone(), detail, next: None, since_ms: None }
    }

    pub(crate) fn brief(self, brief: impl Into<String>) -> Self {
        Self { brief: brief.into(), ..self }
    }

    pub(crate) fn next(self, next: impl Into<String>) -> Self {
        Self { next: Some(next.into()), ..self }
    }

    fn id(&self) -> (&'static str, String) {
        (self.kind, self.key.clone())
    }
}

/// Lasting troubles, and when they were first seen.
#[derive(Debug, Default)]
pub(crate) struct LastingTroubles {
    lasting: BTreeMap<(&'static str, String), (u64, String)>,
    looked_ms: Option<u64>,
}
