//! Timers and limits, from documents: the active topology policy, and settings, which override it.

pub mod endpoints;

use philae_manager_core::ControlSettings;
use philae_policy::{
    DocumentKind, DocumentSet, PolicyCode, PolicyProblem as Wrong, SettingSpec, SettingValue, Spec, pointer_step,
};

use crate::manager::Manager;

/// The document that `PATCH /api/v1/settings` changes.
const OWN: &str = "manager";

/// Errors of settings: unknown names, values out of range.
pub fn problems(spec: &SettingSpec) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    for (name, value) in &spec.values {
        let pointer = format!("/spec/values{}", pointer_step(name));
        let number = match value {
            SettingValue::Number(number) => u64::try_from(*number).ok(),
            SettingValue::Flag(_) | SettingValue::Text(_) => None,
        };
        let Some(number) = number else {
            let found = serde_json::to_string(value).unwrap_or_default();
            wrong.push(
                Wrong::new(PolicyCode::Type, pointer, "settings are whole numbers")
                    .found(found)
                    .works("a whole number"),
            );
            continue;
        };
        if let Err(error) = ControlSettings::default().set(name, number) {
            let known = ControlSettings::NAMES.contains(&name.as_str());
            let code = if known { PolicyCode::OutOfRange } else { PolicyCode::UnknownField };
            let problem = Wrong::new(code, pointer, error.to_string());
            wrong.push(if known { problem } else { problem.near(name, ControlSettings::NAMES.iter().copied()) });
        }
    }
    wrong
}

/// The settings that follow from documents and from those that a manager began with.
fn tuned(mut settings: ControlSettings, set: &DocumentSet) -> ControlSettings {
    // Admitted documents are valid: a name or a value that a later version lacks has no effect.
    let mut apply = |name: &str, value: u64| {
        let _ = settings.set(name, value);
    };
    let topology = set.active_topology().filter(|document| !DocumentSet::is_stock(&document.reference()));
    if let Some(Spec::TopologyPolicy(spec)) = topology.map(|document| &document.spec) {
        if let Some(milliseconds) = spec.sweep_interval_milliseconds {
            apply("heartbeat_ms", u64::from(milliseconds));
        }
        if let Some(links) = spec.isolation_budget_links {
            apply("isolation_budget_links", u64::from(links));
        }
    }
    for document in set.of(DocumentKind::Setting) {
        let Spec::Setting(spec) = &document.spec else { continue };
        for (name, value) in &spec.values {
            if let SettingValue::Number(number) = value
                && let Ok(number) = u64::try_from(*number)
            {
                apply(name, number);
            }
        }
    }
    settings
}

impl Manager {
    /// Sets timers and limits to the values of documents.
    pub(crate) fn tune(&mut self) {
        for (name, value, ..) in tuned(self.process.plan.settings, self.documents.set()).all() {
            let known = self.control_loop.control.settings().all().into_iter().find(|known| known.0 == name);
            if known.is_some_and(|known| known.1 != value) {
                self.control_loop.control.set(name, value).expect("it comes from settings");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use philae_policy::{Document, DocumentChange};

    use super::*;

    fn setting(values: &[(&str, i64)]) -> SettingSpec {
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), SettingValue::Number(*value)));
        SettingSpec { values: values.collect() }
    }

    #[test]
    fn settings_go_over_the_topology_policy_and_a_wrong_one_is_named() {
        let policy = r#"{ "kind": "topology-policy", "name": "mine", "spec": { "active": true,
            "sweepIntervalMilliseconds": 20000, "isolationBudgetLinks": 3 } }"#;
        let policy = Document::from_json(policy).expect("it is one");
        let set = DocumentSet::default();
        assert_eq!(
            tuned(ControlSettings::default(), &set),
            ControlSettings::default(),
            "the stock policy says nothing of it"
        );
        let set = set.changed(&[DocumentChange::Put(policy)]);
        let found = tuned(ControlSettings::default(), &set);
        assert_eq!((found.heartbeat_ms, found.isolation_budget_links), (20_000, 3));
        let own = Document::new(OWN, Spec::Setting(setting(&[("heartbeat_ms", 7_000)])));
        assert_eq!(tuned(ControlSettings::default(), &set.changed(&[DocumentChange::Put(own)])).heartbeat_ms, 7_000);
        let wrong = problems(&setting(&[("heartbeat_m", 1), ("retry_ms", 1), ("hold_down_ms", -1)]));
        let codes: Vec<&str> = wrong.iter().map(|problem| problem.code.code()).collect();
        assert_eq!(codes, ["unknown-field", "type", "out-of-range"]);
        assert_eq!(wrong[0].nearest.as_deref(), Some("heartbeat_ms"));
    }
}
