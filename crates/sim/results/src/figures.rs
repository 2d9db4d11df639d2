//! The figures of a summary by name, as in the tables of sweeps.

use serde_json::Value;

use crate::summary::RunSummary;

/// Lists of a summary whose entries have a name: the list, the prefix of its figures, and the key
/// of the name. The other lists name only the busiest few and stay in the results.
const NAMED: [(&str, &str, &str); 3] =
    [("jobs", "job", "name"), ("classes", "class", "name"), ("links", "link", "role")];

/// The figures of a summary by name, such as `digest`, `job.victim.message_latency.p99_ps` and
/// `link.global.mean`, by job, class and role, and in alphabetical order. Times are picoseconds.
///
/// # Panics
/// Never: JSON can express every summary.
#[must_use]
pub fn figures(summary: &RunSummary) -> Vec<(String, Value)> {
    let summary =
        serde_json::to_value(summary as &dyn erased_serde::Serialize).expect("a summary is made of what JSON can say");
    figures_of(&summary)
}

/// The same from `summary.json`.
#[must_use]
pub(crate) fn figures_of(summary: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for (key, value) in summary.as_object().into_iter().flatten().filter(|(key, _)| *key != "status") {
        match NAMED.iter().find(|(list, ..)| list == key) {
            Some((_, start, name)) => {
                for entry in value.as_array().into_iter().flatten() {
                    let of = format!("{start}.{}", entry[name].as_str().unwrap_or_default());
                    let rest = entry.as_object().into_iter().flatten().filter(|(key, _)| key != name);
                    rest.for_each(|(key, value)| leaves(&format!("{of}.{key}"), value, &mut found));
                }
            }
            None => leaves(key, value, &mut found),
        }
    }
    found
}

fn leaves(name: &str, value: &Value, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(table) => table.iter().for_each(|(key, value)| leaves(&format!("{name}.{key}"), value, found)),
        Value::Null | Value::Array(_) => {}
        value => found.push((name.to_owned(), value.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic;

    #[test]
    fn figures_are_named_by_their_path() {
        let record = synthetic::record(2, 20);
        let found = figures(&RunSummary::of(&record));
        let job = &record.jobs[0].name;
        let has = |name: &str| found.iter().any(|(found, _)| found == name);
        assert!(has("digest") && has(&format!("job.{job}.delivered_gbps")), "{found:?}");
        assert!(!has("status") && found.iter().all(|(_, value)| !value.is_null() && !value.is_array()));
    }
}
