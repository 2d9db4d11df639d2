//! Documents as text: what is read, what is refused, patches, differences, selectors, leases.

use crate::common::{document, put, set};
use philae_policy::{
    Document, DocumentKind, DocumentRef, DocumentSet, Patch, PolicyCode, Selector, Spec, difference, expired,
    from_json, from_yaml, next_expiry, renew, schema, to_json, to_yaml,
};
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn all_that_is_wrong_is_said_at_once_with_its_place_and_the_nearest_name() {
    let text = json!({ "kind": "port-policy", "name": "a b", "spec": { "settings": {
        "spede": "CK_400G", "state": "onlin", "flowControl": { "rx": 1 }, "flapScoreMax": 7 } } });
    let problems = Document::from_value(&text).expect_err("wrong in five places");
    let found: Vec<_> = problems.iter().map(|p| (p.code, p.pointer.as_str(), p.nearest.as_deref())).collect();
    for expected in [
        (PolicyCode::UnknownField, "/spec/settings/spede", Some("speed")),
        (PolicyCode::Type, "/spec/settings/state", Some("online")),
        (PolicyCode::Type, "/spec/settings/flowControl/rx", None),
        (PolicyCode::OutOfRange, "/spec/settings/flapScoreMax", None),
        (PolicyCode::BadName, "/name", None),
    ] {
        assert!(found.contains(&expected), "{expected:?} in {found:?}");
    }
    assert_eq!(found.len(), 5, "{found:?}");
    let kind = Document::from_value(&json!({ "kind": "port-polici", "name": "a" })).expect_err("no kind");
    assert_eq!((kind[0].code, kind[0].nearest.as_deref()), (PolicyCode::UnknownKind, Some("port-policy")));
    let selector = json!({ "kind": "port-policy", "name": "a", "spec": { "selector": "rol=edge" } });
    let selector = Document::from_value(&selector).expect_err("no such key");
    assert_eq!((selector[0].code, selector[0].pointer.as_str()), (PolicyCode::BadSelector, "/spec/selector"));
    assert!(selector[0].message.contains("did you mean 'role'"), "{}", selector[0]);
    assert_eq!(Document::from_json("{").expect_err("no JSON")[0].code, PolicyCode::Syntax);
}

#[test]
fn every_kind_reads_its_own_empty_document_unless_something_is_needed() {
    for &kind in DocumentKind::ALL {
        let empty = Document::new("a", Spec::empty(kind));
        assert_eq!(Document::from_value(&empty.to_value()).as_ref(), Ok(&empty), "{kind}");
    }
}

#[test]
fn the_committed_schema_is_the_schema() {
    let fresh = format!("{:#}\n", schema::all());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/documents.json");
    if std::env::var_os("PHILAE_BLESS").is_some() {
        std::fs::write(path, &fresh).expect("the folder is there");
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == fresh, "run `PHILAE_BLESS=1 cargo test -p philae-policy --test documents` and commit");
}

fn mixed() -> DocumentSet {
    set(&[
        put("vlan", "storage", json!({ "id": 100, "description": "yes: it's \"quoted\", #1" })),
        put(
            "port-policy",
            "slow",
            json!({ "selector": "role=edge", "settings": { "speed": "CD_100G", "acls": ["no"] } }),
        ),
        put("acl", "no", json!({ "rules": [{ "priority": 1, "match": { "protocol": 6 }, "action": "deny" }] })),
        put("setting", "timers", json!({ "values": { "on": true, "period": 10, "1": "off" } })),
    ])
}

#[test]
fn exports_are_ordered_and_read_back_to_the_same_documents() {
    let own: Vec<Document> = mixed().iter().filter(|d| !DocumentSet::is_stock(&d.reference())).cloned().collect();
    assert_eq!(from_json(&to_json(&mixed())).as_ref(), Ok(&own));
    let yaml = to_yaml(&mixed());
    assert_eq!(from_yaml(&yaml).as_ref(), Ok(&own), "{yaml}");
    assert!(yaml.starts_with("---\nkind: port-policy\nname: slow\nspec:\n"), "{yaml}");
}

#[test]
fn differences_name_fields_and_an_equal_set_has_none() {
    let before = mixed();
    assert_eq!(difference(&before, &before), []);
    let slow = before.get(DocumentKind::PortPolicy, "slow").expect("there");
    let patch = Patch::Merge(json!({ "spec": { "settings": { "speed": "BS_200G", "acls": null } } }));
    let after = before.changed(&[philae_policy::DocumentChange::Put(patch.apply(slow).expect("valid"))]);
    let found = difference(&before, &after);
    let fields: Vec<_> = found[0].fields.iter().map(|field| (field.pointer.as_str(), &field.after)).collect();
    let expected = Some(json!("BS_200G"));
    assert_eq!(fields, [("/spec/settings/acls", &None), ("/spec/settings/speed", &expected)]);
}

#[test]
fn patches_change_a_document_whole_or_not_at_all_and_never_its_name() {
    let slow = mixed().get(DocumentKind::PortPolicy, "slow").expect("there").clone();
    let json = |operations: Value| Patch::Json(operations).apply(&slow);
    let done = json(json!([{ "op": "replace", "path": "/spec/priority", "value": 7 }]));
    assert!(done.is_err(), "what is at its default is not there to be replaced");
    let done = json(json!([{ "op": "add", "path": "/spec/priority", "value": 7 }])).expect("valid");
    assert!(matches!(done.spec, Spec::PortPolicy(spec) if spec.priority == 7));
    let code = |result: Result<Document, Vec<philae_policy::PolicyProblem>>| result.expect_err("refused")[0].code;
    assert_eq!(code(json(json!([{ "op": "test", "path": "/name", "value": "other" }]))), PolicyCode::BadPatch);
    assert_eq!(code(json(json!({ "op": "add" }))), PolicyCode::BadPatch);
    assert_eq!(code(json(json!([{ "op": "add", "path": "/spec/priority", "value": 7_000 }]))), PolicyCode::OutOfRange);
    assert_eq!(code(Patch::Merge(json!({ "name": "other" })).apply(&slow)), PolicyCode::Immutable);
    assert_eq!(code(Patch::Merge(json!(7)).apply(&slow)), PolicyCode::Immutable);
}

#[test]
fn selectors_that_cannot_be_read_say_what_would_work() {
    for (text, says) in [
        ("role=edg", "did you mean 'edge'?"),
        ("group in (1-4", "open and close in pairs"),
        ("group in (4-1)", "`3` or `1-4` would work"),
        ("role=edge,", "a term of a selector is empty"),
        ("name", "only labels can stand without a value"),
        ("rack=3", "labels.KEY"),
        ("group of (1)", "a list follows `in` or `notin`"),
        ("name=", "this is not a pattern"),
    ] {
        let problem = Selector::parse(text).expect_err(text);
        assert_eq!(problem.code, PolicyCode::BadSelector);
        assert!(problem.to_string().contains(says), "{text}: {problem}");
    }
}

#[test]
fn leases_end_in_order_and_can_be_renewed_until_they_do() {
    let block = |name: &str, end: u64| {
        put("vni-block", name, json!({ "partition": "p", "vniRanges": ["10"], "lease": { "expiresAtSeconds": end } }))
    };
    let set = set(&[block("a", 100), block("b", 200)]);
    assert_eq!((next_expiry(&set, 0), next_expiry(&set, 100), next_expiry(&set, 200)), (Some(100), Some(200), None));
    assert_eq!(expired(&set, 99), []);
    assert_eq!(expired(&set, 100), [DocumentRef::new(DocumentKind::VniBlock, "a")]);
    let a = set.get(DocumentKind::VniBlock, "a").expect("there");
    let renewed = renew(a, 50, 500).expect("not over");
    assert_eq!(renewed.spec.lease().and_then(|lease| lease.expires_at_seconds), Some(550));
    assert_eq!(renew(&renewed, 60, 1).expect("not over"), renewed, "a renewal never ends it earlier");
    assert_eq!(renew(a, 100, 500).expect_err("over").code, PolicyCode::Expired);
    assert_eq!(renew(&document("vlan", "v", json!({ "id": 2 })), 0, 1).expect_err("none").code, PolicyCode::Conflict);
}

fn value() -> impl Strategy<Value = Value> {
    let keys = "spec|settings|speed|labels|state|priority|selector|x";
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "BS_200G|online|role=edge|x".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map(keys, inner, 0..4).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn term() -> impl Strategy<Value = String> {
    prop_oneof![
        "role(=|!=)(edge|local|global|unused)",
        "role (in|notin) \\((edge|local),global\\)",
        (0_u32..50, 1_u32..50).prop_map(|(first, more)| format!("group in ({first}-{},7)", first + more)),
        "(name|switch|model)(=|!=)[a-z0-9*?]{1,8}",
        "!?labels\\.[a-z]{1,5}",
        "labels\\.[a-z]{1,5} (in|notin) \\([a-z]{1,3},[a-z]{1,3}\\)",
    ]
}

#[test]
fn a_range_of_one_group_is_written_as_that_group() {
    let selector = Selector::parse("group in (17-17,7)").expect("legal");
    assert_eq!(selector.to_string(), "group in (17,7)");
    assert_eq!(Selector::parse(&selector.to_string()), Ok(selector));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_patch_gives_a_valid_document_or_a_problem_and_never_panics(patch in value()) {
        let slow = mixed().get(DocumentKind::PortPolicy, "slow").expect("there").clone();
        for patch in [Patch::Merge(patch.clone()), Patch::Json(Value::Array(vec![json!({ "op": "add", "path": "/spec", "value": patch })]))] {
            match patch.apply(&slow) {
                Ok(document) => prop_assert_eq!(Document::from_value(&document.to_value()), Ok(document)),
                Err(problems) => prop_assert!(!problems.is_empty()),
            }
        }
    }

    #[test]
    fn selectors_survive_being_written(terms in proptest::collection::vec(term(), 0..4)) {
        let text = terms.join(",");
        let selector = Selector::parse(&text).expect("legal");
        prop_assert_eq!(selector.to_string(), text.clone());
        prop_assert_eq!(Selector::parse(&selector.to_string()), Ok(selector));
    }

    #[test]
    fn no_text_makes_the_selector_parser_panic(text in "[a-z(),=!. -]{0,24}") {
        let _ = Selector::parse(&text);
    }
}
