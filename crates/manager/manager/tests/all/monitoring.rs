//! The exported metrics, those that rules and dashboard use, and that neither grows with the
//! fabric.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{ask, manager};
use philae_manager::Manager;
use philae_manager::monitoring::{ALERTS, DASHBOARD};
use serde_json::Value;

fn page(manager: &mut Manager, query: &str) -> String {
    let page = ask(manager, "GET", &format!("/metrics{query}"), Value::Null).expect("metrics");
    page.as_str().expect("text").to_owned()
}

/// Reads a page strictly: each metric has help and type before its values, once, and no series is
/// there twice. Returns values by series.
fn read(page: &str) -> (BTreeMap<String, String>, BTreeMap<String, f64>) {
    let (mut types, mut helps, mut series) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
    let mut current = String::new();
    for line in page.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, help) = rest.split_once(' ').expect("a name and a help");
            assert!(help.len() > 10 && help.ends_with('.'), "{line}");
            assert!(helps.insert(name.to_owned()), "{name} has two helps");
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').expect("a name and a type");
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
            assert!(helps.contains(name), "{line}: the help comes first");
            current = name.to_owned();
            types.insert(name.to_owned(), kind.to_owned());
        } else {
            let (name, value) = line.rsplit_once(' ').expect("a series and a value");
            let metric = name.split('{').next().expect("a name");
            let base = ["_bucket", "_sum", "_count"].iter().find_map(|end| metric.strip_suffix(end));
            let base = base.filter(|base| types.get(*base).is_some_and(|kind| kind == "histogram")).unwrap_or(metric);
            assert_eq!(base, current, "{line}: it stands under its own type");
            let value: f64 = value.parse().unwrap_or_else(|_| panic!("{line}: no number"));
            assert!(series.insert(name.to_owned(), value).is_none(), "{line}: twice");
        }
    }
    assert_eq!(helps.len(), types.len());
    (types, series)
}

/// The metrics in a text.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let strip = |word: &str| word.strip_suffix("_bucket").unwrap_or(word).to_owned();
    words.filter(|word| word.starts_with("philae_")).map(strip).collect()
}

#[test]
fn rules_and_dashboard_ask_for_what_is_exported() {
    let mut manager = manager("malbec");
    let (types, _) = read(&page(&mut manager, ""));
    for (what, text) in [("alerts.yaml", ALERTS), ("grafana.json", DASHBOARD)] {
        let names = named(text);
        assert!(names.len() > 10, "{what}: {names:?}");
        for name in names {
            assert!(types.contains_key(&name), "{what} asks for {name}, which is not exported");
        }
    }
    let rules = ALERTS.matches("- alert:").count();
    assert!(rules > 10);
    for part in ["summary:", "description:", "action:", "expr:", "for:", "severity:"] {
        assert_eq!(ALERTS.matches(part).count(), rules, "each rule has {part}");
    }
    let dashboard: Value = serde_json::from_str(DASHBOARD).expect("JSON");
    assert!(dashboard["panels"].as_array().is_some_and(|panels| panels.len() > 10));
}

#[test]
fn the_number_of_series_does_not_follow_the_fabric() {
    let count = |system: &str, query: &str| read(&page(&mut manager(system), query)).1.len();
    let (small, large) = (count("malbec", ""), count("shandy", ""));
    assert_eq!(small, large);
    assert!(small < 200, "{small}");
    assert!(count("shandy", "?groups=true") > large);
}

#[test]
fn a_lost_link_is_counted_and_its_reroute_timed() {
    let mut manager = manager("malbec");
    let before = read(&page(&mut manager, "")).1;
    assert_eq!(before["philae_health{word=\"runtime\"}"], 0.0);
    assert_eq!(before["philae_switches_synced"], 32.0);
    let links = ask(&mut manager, "GET", "/api/v1/links?limit=1", Value::Null).expect("links");
    let link = links["items"][0]["name"].as_str().expect("a name").to_owned();
    ask(&mut manager, "POST", &format!("/api/v1/simulation/links/{link}/cut"), Value::Null).expect("it is cut");
    manager.run();
    let after = read(&page(&mut manager, "")).1;
    assert_eq!(after["philae_health{word=\"runtime\"}"], 2.0);
    assert_eq!(after["philae_alarms{kind=\"link\"}"], 1.0);
    assert_eq!(after["philae_links{state=\"not-carrying\"}"], 1.0);
    for step in ["received", "computed", "sent", "acknowledged"] {
        let count = format!("philae_reroute_seconds_count{{step=\"{step}\"}}");
        assert_eq!(after[&count], before[&count] + 1.0, "{step}");
        let all = format!("philae_reroute_seconds_bucket{{step=\"{step}\",le=\"+Inf\"}}");
        assert_eq!(after[&all], after[&count]);
    }
}
