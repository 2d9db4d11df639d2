//! The rules of Chrome's JSON trace format, as the importer of ui.perfetto.dev applies them: for
//! tests of written timelines.
//!
//! Format: "Trace Event Format" (Google, Chromium's documentation). The importer rounds times to
//! nanoseconds one by one. It sorts events by time, with those of one time in the order of the
//! file. It drops slices of a track that do not nest. An arrow belongs to the innermost open slice
//! at its beginning or end.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Events by their phase.
pub type Phases = BTreeMap<String, u64>;

type Track = (u64, u64);

/// Checks a trace; returns the number of events of each phase.
///
/// # Errors
/// The first event that breaks a rule, and the rule.
pub fn check(trace: &Value) -> Result<Phases, String> {
    let events = trace["traceEvents"].as_array().ok_or("traceEvents is not a list")?;
    if !matches!(trace["displayTimeUnit"].as_str(), Some("ns" | "ms")) {
        return Err(format!("displayTimeUnit is {}, not ns or ms", trace["displayTimeUnit"]));
    }
    let mut checker = Checker::default();
    let mut sorted = Vec::with_capacity(events.len());
    for event in events {
        let (track, time) = checker.common(event)?;
        sorted.push((time, track, event));
    }
    sorted.sort_by_key(|entry| entry.0);
    for (time, track, event) in sorted {
        checker.event(time, track, event).map_err(|rule| format!("{rule}: {event}"))?;
    }
    checker.end()?;
    Ok(checker.phases)
}

#[derive(Default)]
struct Checker {
    phases: Phases,
    /// Open slices of a track: their ends, if known.
    open: BTreeMap<Track, Vec<Option<i64>>>,
    /// Tracks with a name, and processes with one.
    named: BTreeSet<Track>,
    processes: BTreeSet<u64>,
    /// Arrows that have begun, by category, name and id, with their last time; `None` once they
    /// have ended.
    arrows: BTreeMap<(String, String, String), Option<i64>>,
}

/// Microseconds as nanoseconds, with the importer's rounding.
fn nanoseconds(event: &Value, key: &str) -> Result<i64, String> {
    let value = event[key].as_f64().filter(|value| value.is_finite() && *value >= 0.0);
    let value = value.ok_or_else(|| format!("{key} is no number from 0 on: {event}"))?;
    Ok((value * 1_000.0).round() as i64)
}

impl Checker {
    /// Checks the common members of events; names come before the objects that they name.
    fn common(&mut self, event: &Value) -> Result<(Track, i64), String> {
        let number = |key: &str| {
            let found = event[key].as_u64().filter(|&number| u32::try_from(number).is_ok());
            found.ok_or_else(|| format!("{key} is no number of 32 bits: {event}"))
        };
        let track = (number("pid")?, number("tid")?);
        let phase = event["ph"].as_str().ok_or_else(|| format!("ph is no text: {event}"))?;
        *self.phases.entry(phase.to_owned()).or_insert(0) += 1;
        if phase != "E" && event["name"].as_str().is_none_or(str::is_empty) {
            return Err(format!("it has no name: {event}"));
        }
        if phase == "M" {
            self.metadata(track, event)?;
        } else if !self.processes.contains(&track.0) {
            return Err(format!("its process has no name yet: {event}"));
        } else if matches!(phase, "B" | "E" | "X") && !self.named.contains(&track) {
            return Err(format!("its track has no name yet: {event}"));
        }
        Ok((track, nanoseconds(event, "ts")?))
    }

    fn metadata(&mut self, track: Track, event: &Value) -> Result<(), String> {
        let args = &event["args"];
        let suits = match event["name"].as_str().unwrap_or_default() {
            "process_name" => {
                self.processes.insert(track.0);
                args["name"].is_string()
            }
            "thread_name" => {
                self.named.insert(track);
                args["name"].is_string()
            }
            "process_labels" => args["labels"].is_string(),
            "process_sort_index" | "thread_sort_index" => args["sort_index"].is_i64(),
            _ => false,
        };
        if suits { Ok(()) } else { Err(format!("no such metadata: {event}")) }
    }

    fn event(&mut self, time: i64, track: Track, event: &Value) -> Result<(), String> {
        match event["ph"].as_str().unwrap_or_default() {
            "M" => Ok(()),
            "B" => self.begin(time, track, None),
            "X" => {
                let length = nanoseconds(event, "dur")?;
                self.begin(time, track, Some(time + length))
            }
            "E" => match self.pass(time, track).pop() {
                Some(None) => Ok(()),
                Some(Some(_)) => Err("it ends a slice that has a length".to_owned()),
                None => Err("it ends nothing".to_owned()),
            },
            "s" | "t" | "f" => self.arrow(time, track, event),
            "C" => {
                let numbers = event["args"].as_object().filter(|args| !args.is_empty());
                let numbers = numbers.is_some_and(|args| args.values().all(Value::is_number));
                if numbers { Ok(()) } else { Err("a counter has numbers only".to_owned()) }
            }
            "i" if matches!(event["s"].as_str(), Some("g" | "p" | "t")) => Ok(()),
            "i" => Err("an instant has the scope g, p or t".to_owned()),
            _ => Err("no such phase".to_owned()),
        }
    }

    /// The open slices of a track at `time`.
    fn pass(&mut self, time: i64, track: Track) -> &mut Vec<Option<i64>> {
        let open = self.open.entry(track).or_default();
        while open.last().is_some_and(|end| end.is_some_and(|end| end <= time)) {
            open.pop();
        }
        open
    }

    fn begin(&mut self, time: i64, track: Track, end: Option<i64>) -> Result<(), String> {
        let open = self.pass(time, track);
        let around = open.iter().rev().find_map(|end| *end);
        if let (Some(around), Some(end)) = (around, end)
            && end > around
        {
            return Err(format!("it ends at {end} ns, after the slice that it is in, at {around} ns"));
        }
        open.push(end);
        Ok(())
    }

    fn arrow(&mut self, time: i64, track: Track, event: &Value) -> Result<(), String> {
        // The end of a slice without length is still within it.
        let inside = self.open.get(&track).and_then(|open| open.last());
        if inside.is_none_or(|end| end.is_some_and(|end| end < time)) {
            return Err("an arrow begins and ends in slices".to_owned());
        }
        let id = event.get("id").filter(|id| id.is_u64() || id.is_string()).ok_or("an arrow has an id")?;
        let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
        let key = (text("cat"), text("name"), id.to_string());
        let last = self.arrows.get(&key).copied();
        let next = match (event["ph"].as_str(), last) {
            (Some("s"), None) => Some(time),
            (Some("s"), Some(_)) => return Err("an arrow with this id has begun already".to_owned()),
            (_, None) => return Err("no arrow with this id has begun".to_owned()),
            (_, Some(None)) => return Err("the arrow with this id has ended".to_owned()),
            (_, Some(Some(last))) if last > time => return Err("the arrow goes back in time".to_owned()),
            (Some("f"), _) if event["bp"] != "e" => {
                return Err("without bp e it would go to the slice after".to_owned());
            }
            (Some("f"), _) => None,
            _ => Some(time),
        };
        self.arrows.insert(key, next);
        Ok(())
    }

    fn end(&self) -> Result<(), String> {
        if let Some((track, _)) = self.open.iter().find(|(_, open)| open.contains(&None)) {
            return Err(format!("a slice of track {track:?} has no end"));
        }
        match self.arrows.iter().find(|(_, last)| last.is_some()) {
            Some((key, _)) => Err(format!("arrow {key:?} has no end")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(events: Vec<Value>) -> Result<Phases, String> {
        let names = [
            json!({"ph": "M", "pid": 1, "tid": 0, "ts": 0, "name": "process_name", "args": {"name": "job"}}),
            json!({"ph": "M", "pid": 1, "tid": 2, "ts": 0, "name": "thread_name", "args": {"name": "rank"}}),
        ];
        let all: Vec<Value> = names.into_iter().chain(events).collect();
        check(&json!({"traceEvents": all, "displayTimeUnit": "ns"}))
    }

    fn event(phase: &str, ts: f64, more: &Value) -> Value {
        let mut event = json!({"ph": phase, "pid": 1, "tid": 2, "ts": ts, "name": "n", "cat": "c"});
        let members = event.as_object_mut().expect("an object");
        members.extend(more.as_object().expect("an object").clone());
        event
    }

    #[test]
    fn what_nests_and_matches_passes() {
        let none = json!({});
        let phases = of(vec![
            event("B", 1.0, &none),
            event("X", 1.0, &json!({"dur": 2.0})),
            event("s", 1.0, &json!({"id": 7})),
            event("X", 3.0, &json!({"dur": 0.0})),
            event("f", 3.0, &json!({"id": 7, "bp": "e"})),
            event("C", 0.5, &json!({"args": {"bytes": 3}})),
            event("i", 0.5, &json!({"s": "p"})),
            event("E", 3.0, &none),
        ]);
        assert_eq!(phases.expect("it is right")["X"], 2);
    }

    #[test]
    fn each_rule_has_something_that_breaks_it() {
        let none = json!({});
        let x = |ts: f64, dur: f64| event("X", ts, &json!({ "dur": dur }));
        let arrow = |phase: &str, ts: f64, id: u64| event(phase, ts, &json!({"id": id, "bp": "e"}));
        for (events, rule) in [
            (vec![x(1.0, 2.0), x(2.0, 2.0)], "after the slice"),
            (vec![event("B", 1.0, &none)], "no end"),
            (vec![event("E", 1.0, &none)], "ends nothing"),
            (vec![x(1.0, 1.0), event("E", 1.5, &none)], "has a length"),
            (vec![arrow("s", 1.0, 1)], "in slices"),
            (vec![x(1.0, 9.0), arrow("s", 1.0, 1)], "arrow"),
            (vec![x(1.0, 9.0), arrow("f", 1.0, 1)], "has begun"),
            (vec![x(1.0, 9.0), arrow("s", 1.0, 1), arrow("s", 2.0, 1)], "already"),
            (vec![x(1.0, 9.0), arrow("s", 1.0, 1), event("f", 2.0, &json!({"id": 1}))], "bp"),
            (vec![event("C", 1.0, &json!({"args": {"bytes": "3"}}))], "numbers only"),
            (vec![event("i", 1.0, &none)], "scope"),
            (vec![event("Z", 1.0, &none)], "no such phase"),
            (vec![event("X", 1.0, &none)], "dur"),
            (vec![event("X", -1.0, &json!({"dur": 1.0}))], "ts"),
            (vec![event("X", 1.0, &json!({"dur": 1.0, "tid": 3}))], "track has no name"),
            (vec![event("X", 1.0, &json!({"dur": 1.0, "pid": 3}))], "process has no name"),
            (vec![event("X", 1.0, &json!({"dur": 1.0, "pid": "1"}))], "32 bits"),
            (vec![event("M", 1.0, &json!({"name": "thread_colour"}))], "metadata"),
            (vec![event("X", 1.0, &json!({"dur": 1.0, "name": ""}))], "no name"),
        ] {
            let error = of(events).expect_err(rule);
            assert!(error.contains(rule), "{error}");
        }
        assert!(check(&json!({})).is_err());
    }
}
