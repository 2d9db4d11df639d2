//! The examples of the documentation are valid, reach switches, and stay there.

use crate::common::{ask, assert_all_hold_what_is_wanted, get, manager};
use philae_policy::{DocumentKind, from_yaml};
use serde_json::json;

const POLICIES: &str = include_str!("../../../../../docs/manager/policies.md");

/// The texts of all YAML examples of a page.
fn examples(page: &str) -> Vec<&str> {
    page.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or(rest)).collect()
}

#[test]
fn every_example_of_policies_is_applied_and_every_kind_that_reaches_switches_has_one() {
    let mut manager = manager("malbec");
    let (_, section) = POLICIES.split_once("## What reaches which switch").expect("the section");
    let mut kinds = std::collections::BTreeSet::new();
    for text in examples(section) {
        let documents = from_yaml(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
        for document in documents {
            let path = format!("/api/v1/{}/{}", document.kind.plural(), document.name);
            let made = ask(&mut manager, "PUT", &path, json!({ "spec": document.spec }));
            assert!(made.is_ok(), "{text}: {made:?}");
            kinds.insert(document.kind);
        }
    }
    let all = DocumentKind::ALL.iter().copied().filter(|kind| {
        !matches!(
            kind,
            DocumentKind::Switch
                | DocumentKind::Port
                | DocumentKind::Link
                | DocumentKind::RoleBinding
                | DocumentKind::Token
        )
    });
    assert_eq!(kinds, all.collect(), "an example of each");
    assert_all_hold_what_is_wanted(&manager);
    let alarms = get(&mut manager, "/api/v1/alarms");
    assert_eq!(alarms["total"], 0, "{alarms}");
}
