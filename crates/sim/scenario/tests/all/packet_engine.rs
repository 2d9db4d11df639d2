//! `[packet_engine]`: read, checked, resolved; without it, nothing changes.

use philae_scenario::{Scenario, ScenarioError};

const BASE: &str = "system = \"malbec\"\n[[job]]\nname = \"a\"\nnodes = 16\nworkload = { kind = \"permutation\", iterations = 2 }\n\
     [[job]]\nname = \"b\"\nnodes = 8\nvni = 1\nworkload = { kind = \"permutation\", iterations = 2 }\n\
     [[job]]\nname = \"c\"\nnodes = 8\nworkload = { kind = \"permutation\", iterations = 2 }\n";

const SECTION: &str = r#"
[packet_engine]
programs = ["acl", "vni-isolation", "vxlan-edge"]
signature = ["inner.l4.sport"]

[[packet_engine.members]]
vni = 7
endpoints = [0, 5]

[[packet_engine.entries]]
table = "acl_ingress"
match = { "ip.dst" = "10.0.0.0/8", "meta.class" = "best-effort" }
actions = [{ do = "count", counter = "all" }]

[[packet_engine.tables]]
name = "mine"
stage = "egress"
before = "acl_egress"
size = 16
key = [{ field = "roce.dest_qp", match = "range" }]
default = []
entries = [
    { match = { "roce.dest_qp" = "0-1" }, actions = [{ do = "deny", cause = "management" }] },
    { match = { "roce.dest_qp" = "2-5" }, priority = 2, actions = [{ do = "set", field = "ip.dscp", value = 5 }, { do = "permit" }] },
]
"#;

fn parse(more: &str) -> Result<Scenario, ScenarioError> {
    Scenario::parse(&format!("{BASE}{more}"), "the text")
}

fn error_of(more: &str) -> String {
    parse(more).and_then(|scenario| scenario.resolve()).expect_err(more).to_string()
}

#[test]
fn a_section_resolves_reads_back_and_reaches_the_fabric() {
    let resolved = parse(SECTION).unwrap().resolve().unwrap();
    let program = resolved.config.packet_engine.clone().expect("there is one");
    let names: Vec<&str> = program.tables.iter().map(|table| table.name.as_str()).collect();
    let built_in = [
        "acl_ingress",
        "vni_of_frame_ingress",
        "vni_ingress",
        "vxlan_ingress",
        "vxlan_egress",
        "vni_egress",
        "acl_egress",
    ];
    assert_eq!(names, [&built_in[..], &["mine"]].concat());
    assert_eq!(
        resolved.jobs.iter().map(|job| job.vni).collect::<Vec<_>>(),
        [2, 1, 3],
        "1 is taken by a job that names it"
    );
    let again = Scenario::parse(&resolved.to_toml(), "the text").expect("written by us");
    assert_eq!(again, resolved.scenario);
    assert!(again.packet_engine.as_ref().unwrap().parser.is_some(), "every default is filled in");
    let resolved_again = again.resolve().unwrap();
    assert_eq!(resolved_again.config, resolved.config);
    assert_eq!(resolved_again.scenario, resolved.scenario);
    assert!(resolved.simulation().unwrap().overlay().is_some());
}

#[test]
fn without_the_section_nothing_changes() {
    let resolved = parse("").unwrap().resolve().unwrap();
    assert!(resolved.config.packet_engine.is_none());
    let text = resolved.to_toml();
    assert!(!text.contains("packet_engine") && text.matches("vni").count() == 1, "{text}");
}

#[test]
fn mistakes_are_answered_with_the_line_and_what_would_work() {
    let swapped = |from: &str, to: &str| error_of(&SECTION.replace(from, to));
    let error = swapped("programs =", "program =");
    assert!(
        error.contains("unknown key `program` in [packet_engine] (line ") && error.contains("did you mean `programs`?"),
        "{error}"
    );
    assert!(
        swapped("\"acl\", \"vni", "\"alc\", \"vni").contains("no built-in program is named `alc`; did you mean `acl`?")
    );
    assert!(swapped("\"roce.dest_qp\", match", "\"roce.dst_qp\", match").contains("did you mean `roce.dest_qp`?"));
    assert!(swapped("match = \"range\" }]", "match = \"rage\" }]").contains("did you mean `range`?"));
    let action = swapped("do = \"deny\", cause", "do = \"deny\", couse");
    assert!(action.contains("did you mean `cause`?"), "{action}");
    let word = swapped("do = \"permit\"", "do = \"pemit\"");
    assert!(word.contains("did you mean `permit`?"), "{word}");
    assert!(swapped("\"best-effort\"", "\"bulk\"").contains("a class or its number would work: best-effort"));
    assert!(
        swapped("size = 16", "size = 1")
            .contains("table 'mine' is full: it has room for 1 entries, and 2 are requested")
    );
    assert!(swapped("size = 16", "size = 0").contains("`packet_engine.tables.0.size` (line "));
    assert!(swapped("10.0.0.0/8", "10.0.0.0/40").contains("a length of 0 to 32 bits would work"));
    let quotes = swapped("{ \"ip.dst\" = \"10.0.0.0/8\", ", "{ ip.dst = \"10.0.0.0/8\", ");
    assert!(quotes.contains("stands in quotes"), "{quotes}");
    let zero = Scenario::parse_with(BASE, "the text", &[("job.a.vni".to_owned(), "0".to_owned())]);
    assert!(zero.unwrap_err().to_string().contains("a whole number from 1 up to 65535 would work"));
}
