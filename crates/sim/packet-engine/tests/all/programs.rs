//! Tables, actions and built-in programs: each changes the verdict or the frame, and impossible
//! ones are refused.

use crate::common::{DESTINATION, Kind, ROCE, Shape, field, frame, pipeline, try_pipeline};
use philae_packet_engine::{EntrySpec, Metadata, PacketDecision, Passage, Pipeline, PipelineStage};

fn ingress(pipeline: &mut Pipeline, shape: Shape, metadata: Metadata) -> Passage {
    pipeline.run(PipelineStage::Ingress, &frame(shape), metadata)
}

fn denied(passage: &Passage) -> Option<(&str, &str)> {
    match &passage.verdict {
        PacketDecision::Permit => None,
        PacketDecision::Deny { cause, table } => Some((cause, table)),
    }
}

/// A pipeline of one ingress table, with an entry that denies and matches `key` as `pattern`.
fn one(key: &str, kind: &str, pattern: &str) -> Pipeline {
    pipeline(&format!(
        "[[tables]]\nname = \"t\"\nstage = \"ingress\"\nsize = 4\nkey = [{{ field = \"{key}\", match = \"{kind}\" }}]\n\
         entries = [{{ match = {{ \"{key}\" = \"{pattern}\" }}, actions = [{{ do = \"deny\", cause = \"c\" }}] }}]\n"
    ))
}

fn with(actions: &str) -> Pipeline {
    pipeline(&format!("[[tables]]\nname = \"t\"\nstage = \"ingress\"\nsize = 1\nkey = []\ndefault = [{actions}]\n"))
}

#[test]
fn each_match_kind_changes_the_outcome() {
    for (key, kind, hit, miss) in [
        ("l4.dport", "exact", "4791", "4790"),
        ("eth.dst", "exact", "02:00:00:00:00:02", "02:00:00:00:00:03"),
        ("ip.proto", "ternary", "0x10&0x10", "0x20&0x20"),
        ("ip.dst", "prefix", "10.0.0.0/24", "10.0.1.0/24"),
        ("l4.sport", "range", "49152-65535", "0-49151"),
        ("meta.class", "ternary", "LL", "BE"),
        ("meta.direction", "exact", "ingress", "egress"),
        ("meta.malformed", "exact", "0", "1"),
    ] {
        let metadata = Metadata { class: 1, ..Metadata::default() };
        assert_eq!(denied(&ingress(&mut one(key, kind, hit), ROCE, metadata)), Some(("c", "t")), "{key} {hit}");
        assert_eq!(denied(&ingress(&mut one(key, kind, miss), ROCE, metadata)), None, "{key} {miss}");
    }
    let mut inner = one("inner.roce.dest_qp", "range", "0-16777215");
    assert!(denied(&ingress(&mut inner, ROCE, Metadata::default())).is_none());
    assert!(denied(&ingress(&mut inner, Shape { tunnelled: true, ..ROCE }, Metadata::default())).is_some());
}

#[test]
fn each_action_changes_the_outcome() {
    let tunnel = "source = \"1.2.3.4\", destination = \"ip.dst\", source_mac = \"eth.src\", destination_mac = \"02:00:00:00:00:09\"";
    let run = |actions: &str, shape| {
        let mut pipeline = with(actions);
        let metadata = Metadata { vni: 7, ..Metadata::default() };
        let passage = ingress(&mut pipeline, shape, metadata);
        (pipeline, passage)
    };
    let value = |actions: &str, shape, name: &str| {
        let (pipeline, passage) = run(actions, shape);
        assert_eq!(denied(&passage), None);
        field(&pipeline, &passage.frame, name)
    };
    let tagged = Shape { tags: 1, ..ROCE };
    assert_eq!(value("{ do = \"set\", field = \"ip.dscp\", value = 46 }", ROCE, "ip.dscp"), Some(46));
    assert_eq!(value("{ do = \"set\", field = \"ip.dst\", from = \"ip.src\" }", ROCE, "ip.dst"), Some(0x0a00_0001));
    assert_eq!(value("{ do = \"push-vlan\", id = 5, pcp = 2 }", ROCE, "vlan.id"), Some(5));
    assert_eq!(value("{ do = \"push-vlan\", id = 5 }", tagged, "vlan.type"), Some(0x8100));
    assert_eq!(value("{ do = \"pop-vlan\" }", tagged, "vlan.id"), None);
    assert_eq!(value("{ do = \"pop-vlan\" }", tagged, "eth.type"), Some(0x0800));
    assert_eq!(value(&format!("{{ do = \"encapsulate\", {tunnel} }}"), ROCE, "vxlan.vni"), Some(7));
    assert_eq!(value(&format!("{{ do = \"encapsulate\", vni = 8, {tunnel} }}"), ROCE, "vxlan.vni"), Some(8));
    let outer = value(&format!("{{ do = \"encapsulate\", {tunnel} }}"), ROCE, "ip.dst");
    assert_eq!(outer, Some(u32::from(DESTINATION).into()));
    assert_eq!(value("{ do = \"decapsulate\" }", Shape { tunnelled: true, ..ROCE }, "vxlan.vni"), None);
    assert_eq!(run("{ do = \"class\", class = \"LL\" }", ROCE).1.metadata.class, 1);
    assert_eq!(run("{ do = \"vni\", vni = 3 }", ROCE).1.metadata.vni, 3);
    assert_eq!(run("{ do = \"count\", counter = \"seen\" }", ROCE).0.counters()["seen"], 1);
    assert_eq!(denied(&run("{ do = \"deny\", cause = \"because\" }", ROCE).1), Some(("because", "t")));
    // Impossible actions: a tunnel within a tunnel, an address from a missing field.
    let twice = run(&format!("{{ do = \"encapsulate\", {tunnel} }}"), Shape { tunnelled: true, ..ROCE }).1;
    assert_eq!(denied(&twice), Some(("already_encapsulated", "t")));
    let no_ip = run(&format!("{{ do = \"encapsulate\", {tunnel} }}"), Shape { kind: Kind::Unknown, ..ROCE }).1;
    assert_eq!(denied(&no_ip), Some(("no_outer_address", "t")));
    let deep = run("{ do = \"push-vlan\", id = 5 }", Shape { tags: 8, ..ROCE }).1;
    assert_eq!(denied(&deep), Some(("too_many_headers", "t")));
    let long = run(&format!("{{ do = \"encapsulate\", {tunnel} }}"), Shape { payload: 8_950, ..ROCE }).1;
    assert_eq!(denied(&long), Some(("frame_too_long", "t")));
}

const THREE: &str = r#"
[[tables]]
name = "first"
stage = "ingress"
size = 1
key = []
default = [FIRST]

[[tables]]
name = "second"
stage = "ingress"
size = 1
key = []
default = [{ do = "deny", cause = "second" }]

[[tables]]
name = "third"
stage = "ingress"
size = 1
key = []
default = [{ do = "count", counter = "third" }]
"#;

#[test]
fn permit_ends_goto_skips_and_nothing_goes_on() {
    let run = |first: &str| {
        let mut pipeline = pipeline(&THREE.replace("FIRST", first));
        let passage = ingress(&mut pipeline, ROCE, Metadata::default());
        (denied(&passage).map(|(cause, _)| cause.to_owned()), pipeline.counters()["third"])
    };
    assert_eq!(run(""), (Some("second".to_owned()), 0));
    assert_eq!(run("{ do = \"permit\" }"), (None, 0));
    assert_eq!(run("{ do = \"goto\", table = \"third\" }"), (None, 1));
    let error = |first: &str| try_pipeline(&THREE.replace("FIRST", first)).unwrap_err().to_string();
    assert!(
        error("{ do = \"goto\", table = \"first\" }")
            .contains("it goes forward only, so that evaluation ends: second, third would work")
    );
    assert!(error("{ do = \"goto\", table = \"thrid\" }").contains("did you mean `third`?"));
    assert!(error("{ do = \"permit\" }, { do = \"pop-vlan\" }").contains("permit, deny and goto end a list"));
}

#[test]
fn before_moves_a_table_in_front_of_another() {
    let more = "[[tables]]\nname = \"zeroth\"\nstage = \"ingress\"\nbefore = \"second\"\nsize = 1\nkey = []\ndefault = [{ do = \"permit\" }]\n";
    let text = format!("{}{more}", THREE.replace("FIRST", ""));
    assert_eq!(denied(&ingress(&mut pipeline(&text), ROCE, Metadata::default())), None);
    let error = try_pipeline(&text.replace("before = \"second\"", "before = \"secnd\"")).unwrap_err().to_string();
    assert!(error.contains("did you mean `second`?"), "{error}");
}

#[test]
fn entries_come_and_go_at_run_time_and_are_counted() {
    let mut pipeline = one("l4.dport", "ternary", "80");
    let entry = |text: &str| toml::from_str::<EntrySpec>(text).unwrap();
    let deny = entry("match = { \"l4.dport\" = 4791 }\nactions = [{ do = \"deny\", cause = \"roce\" }]");
    let handle = pipeline.insert("t", &deny).unwrap();
    assert_eq!(denied(&ingress(&mut pipeline, ROCE, Metadata::default())), Some(("roce", "t")));
    assert!(pipeline.insert("t", &deny).unwrap_err().to_string().contains("is there already (handle 1)"));
    let other = entry("match = { \"l4.dport\" = 4791 }\nactions = [{ do = \"count\", counter = \"roce\" }]");
    pipeline.replace("t", handle, &other).unwrap();
    assert_eq!(denied(&ingress(&mut pipeline, ROCE, Metadata::default())), None);
    assert_eq!(pipeline.counters()["roce"], 1);
    let counts = pipeline.table_counts();
    assert_eq!((counts[0].hits[&handle], counts[0].misses, counts[0].entries), (2, 0, (2, 4)));
    pipeline.remove("t", handle).unwrap();
    ingress(&mut pipeline, ROCE, Metadata::default());
    assert_eq!(pipeline.table_counts()[0].misses, 1);
    assert!(pipeline.remove("t", handle).unwrap_err().to_string().contains("has no entry with handle 1"));
    assert!(pipeline.remove("tt", handle).unwrap_err().to_string().contains("did you mean `t`?"));
}

#[test]
fn a_trail_counts_packets_that_nobody_looked_at() {
    let mut pipeline = with("{ do = \"count\", counter = \"seen\" }");
    let passage = pipeline.classify(PipelineStage::Ingress, &frame(ROCE), Metadata::default());
    assert_eq!(pipeline.counters()["seen"], 0);
    pipeline.account(&passage.trail, 41);
    pipeline.run(PipelineStage::Ingress, &frame(ROCE), Metadata::default());
    assert_eq!(pipeline.counters()["seen"], 42);
    assert_eq!(pipeline.table_counts()[0].packets(), 42);
}

#[test]
fn priorities_then_longer_prefixes_then_age_decide() {
    let text = |entries: &str| {
        format!(
            "[[tables]]\nname = \"t\"\nstage = \"ingress\"\nsize = 9\nkey = [{{ field = \"ip.dst\", match = \"prefix\" }}, {{ field = \"l4.dport\", match = \"range\" }}]\nentries = [{entries}]\n"
        )
    };
    let entry = |net: &str, priority: u32, cause: &str| {
        format!(
            "{{ match = {{ \"ip.dst\" = \"{net}\" }}, priority = {priority}, actions = [{{ do = \"deny\", cause = \"{cause}\" }}] }},"
        )
    };
    let run = |entries: &[String]| {
        let passage = ingress(&mut pipeline(&text(&entries.concat())), ROCE, Metadata::default());
        denied(&passage).map(|(cause, _)| cause.to_owned())
    };
    let (short, long) = (entry("10.0.0.0/8", 0, "short"), entry("10.0.0.0/24", 0, "long"));
    assert_eq!(run(&[short.clone(), long.clone()]).as_deref(), Some("long"));
    assert_eq!(run(&[entry("10.0.0.0/8", 1, "first"), long.clone()]).as_deref(), Some("first"));
    let any =
        "{ priority = 0, match = { \"l4.dport\" = \"0-65535\" }, actions = [{ do = \"deny\", cause = \"any\" }] },"
            .to_owned();
    assert_eq!(run(&[any.clone(), short]).as_deref(), Some("short"));
    assert_eq!(run(&[any]).as_deref(), Some("any"));
}

#[test]
fn vni_isolation_lets_members_pass_and_nobody_else() {
    let mut pipeline = pipeline("programs = [\"vni-isolation\"]");
    assert!(pipeline.has_members());
    pipeline.admit(1, 5).unwrap();
    pipeline.admit(2, 5).unwrap();
    pipeline.admit(2, 5).unwrap();
    let at = |endpoint, vni| Metadata { endpoint, vni, ..Metadata::default() };
    assert_eq!(denied(&ingress(&mut pipeline, ROCE, at(1, 5))), None);
    assert_eq!(denied(&ingress(&mut pipeline, ROCE, at(1, 6))), Some(("vni_mismatch", "vni_ingress")));
    assert_eq!(denied(&ingress(&mut pipeline, ROCE, at(3, 5))), Some(("vni_mismatch", "vni_ingress")));
    let far = pipeline.run(PipelineStage::Egress, &frame(ROCE), at(3, 5));
    assert_eq!(denied(&far), Some(("vni_mismatch", "vni_egress")));
    // A frame that carries its VNI is held to that one (9), whatever the port's configuration.
    let fabric = Shape { kind: Kind::Fabric, ..ROCE };
    assert_eq!(denied(&ingress(&mut pipeline, fabric, at(1, 5))), Some(("vni_mismatch", "vni_ingress")));
    pipeline.admit(1, 9).unwrap();
    assert_eq!(denied(&ingress(&mut pipeline, fabric, at(1, 5))), None);
    let full = (0..).find_map(|endpoint| pipeline.admit(endpoint, 7).err()).unwrap().to_string();
    assert!(
        full.contains("table 'vni_ingress' is full: it has room for 2048 entries, and 2049 are requested"),
        "{full}"
    );
}

#[test]
fn access_ports_tag_and_trunks_carry_what_they_are_told() {
    let text = "programs = [\"vlan-edge\"]\n[[vlan]]\nport = 1\naccess = 100\n[[vlan]]\nport = 2\ntrunk = [100, 200]\n[[vlan]]\nport = 3\naccess = 7\n";
    let mut pipeline = pipeline(text);
    let port = |port| Metadata { port, ..Metadata::default() };
    let tagged = ingress(&mut pipeline, ROCE, port(1));
    assert_eq!(field(&pipeline, &tagged.frame, "vlan.id"), Some(100));
    let leave = |pipeline: &mut Pipeline, at| pipeline.run(PipelineStage::Egress, &tagged.frame, port(at));
    assert_eq!(leave(&mut pipeline, 1).frame, frame(ROCE), "the tag comes off again");
    assert_eq!(leave(&mut pipeline, 2).frame, tagged.frame, "a trunk leaves it on");
    assert_eq!(denied(&leave(&mut pipeline, 3)), Some(("vlan_mismatch", "vlan_egress")));
    let with_tag = Shape { tags: 1, ..ROCE };
    assert_eq!(denied(&ingress(&mut pipeline, with_tag, port(1))), Some(("vlan_mismatch", "vlan_ingress")));
    assert_eq!(denied(&ingress(&mut pipeline, with_tag, port(2))), None);
    assert_eq!(denied(&ingress(&mut pipeline, ROCE, port(2))), Some(("vlan_mismatch", "vlan_ingress")));
    let error = |text: &str| try_pipeline(text).unwrap_err().to_string();
    assert!(error("programs = [\"vlan-edge\"]\nvlan = [{ port = 1 }]").contains("neither access nor trunk; one of"));
    assert!(error("programs = [\"vlan-edge\"]\nvlan = [{ port = 1, access = 5000 }]").contains("1 to 4094"));
    assert!(error("vlan = [{ port = 1, access = 5 }]").contains("name a program in packet_engine.programs"));
}

#[test]
fn vxlan_at_both_edges_round_trips_with_isolation_and_acl_between() {
    let text = "programs = [\"vlan-edge\", \"acl\", \"vni-isolation\", \"vxlan-edge\"]\n\
        [[entries]]\ntable = \"acl_egress\"\nmatch = { \"inner.ip.dst\" = \"10.0.0.0/8\" }\nactions = [{ do = \"count\", counter = \"still_inside\" }]\n\
        [[entries]]\ntable = \"acl_egress\"\nmatch = { \"roce.dest_qp\" = 77 }\nactions = [{ do = \"count\", counter = \"qp\" }]\n\
        [[vlan]]\nport = 1\naccess = 30\n";
    let mut pipeline = pipeline(text);
    pipeline.admit(1, 5).unwrap();
    pipeline.admit(2, 5).unwrap();
    let there = ingress(&mut pipeline, ROCE, Metadata { port: 1, endpoint: 1, vni: 5, ..Metadata::default() });
    assert_eq!(denied(&there), None);
    assert_eq!(field(&pipeline, &there.frame, "vxlan.vni"), Some(5));
    assert_eq!(field(&pipeline, &there.frame, "inner.vlan.id"), Some(30));
    assert_eq!(there.frame.len(), frame(ROCE).len() + 54);
    // The VNI that the tunnel carries counts, not the configuration of the far port.
    let metadata = Metadata { port: 1, endpoint: 2, vni: 0, ..Metadata::default() };
    let back = pipeline.run(PipelineStage::Egress, &there.frame, metadata);
    assert_eq!((denied(&back), back.metadata.vni), (None, 5));
    assert_eq!(back.frame, frame(ROCE));
    assert_eq!(pipeline.counters()["qp"], 1);
    assert_eq!(pipeline.counters()["still_inside"], 0, "the tunnel comes off before the list is asked");
    let stranger = pipeline.run(PipelineStage::Egress, &there.frame, Metadata { endpoint: 3, ..metadata });
    assert_eq!(denied(&stranger), Some(("vni_mismatch", "vni_egress")));
}

#[test]
fn an_access_list_sees_outer_and_inner_fields() {
    let entry = |matches: &str, action: &str| {
        format!("[[entries]]\ntable = \"acl_ingress\"\nmatch = {{ {matches} }}\nactions = [{action}]\n")
    };
    let deny = "{ do = \"deny\", cause = \"acl\" }";
    let text = format!(
        "programs = [\"acl\"]\n{}",
        entry("\"inner.ip.dst\" = \"10.0.0.0/30\", \"inner.roce.dest_qp\" = \"70-80\"", deny)
    );
    let mut inner = pipeline(&text);
    assert_eq!(denied(&ingress(&mut inner, ROCE, Metadata::default())), None);
    let tunnelled = Shape { tunnelled: true, ..ROCE };
    assert_eq!(denied(&ingress(&mut inner, tunnelled, Metadata::default())), Some(("acl", "acl_ingress")));
    let mut outer = pipeline(&format!("programs = [\"acl\"]\n{}", entry("\"ip.dst\" = \"192.168.0.0/16\"", deny)));
    assert_eq!(denied(&ingress(&mut outer, ROCE, Metadata::default())), None);
    assert!(denied(&ingress(&mut outer, tunnelled, Metadata::default())).is_some());
}

#[test]
fn a_signature_tells_flows_apart_by_what_it_is_told() {
    let signature = |text: &str, shape| {
        pipeline(text).classify(PipelineStage::Ingress, &frame(shape), Metadata::default()).signature
    };
    let (one, other) = (Shape { port: 1_000, ..ROCE }, Shape { port: 1_001, ..ROCE });
    assert_eq!(signature("", one), signature("", other), "the same source and destination");
    let by_port = "signature = [\"l4.sport\"]";
    assert_ne!(signature(by_port, one), signature(by_port, other));
    let inner = |shape| Shape { tunnelled: true, ..shape };
    assert_eq!(signature(by_port, inner(one)), signature(by_port, inner(other)), "the tunnel's own port is one");
    let by_inner = "signature = [\"inner.l4.sport\"]";
    assert_ne!(signature(by_inner, inner(one)), signature(by_inner, inner(other)));
    // The value as computed with zlib.crc32: 01 and eight bytes for each of eth.src, eth.dst.
    assert_eq!(signature("", one), 0x7bb0_7767);
    let error = try_pipeline("signature = [\"inner.l4.sprt\"]").unwrap_err().to_string();
    assert!(error.contains("did you mean `inner.l4.sport`?"), "{error}");
}

#[test]
fn a_tunnels_source_port_differs_by_inner_flow() {
    let text = "programs = [\"vxlan-edge\"]";
    let port = |shape| {
        let mut pipeline = pipeline(text);
        let passage = ingress(&mut pipeline, shape, Metadata { vni: 1, ..Metadata::default() });
        field(&pipeline, &passage.frame, "l4.sport").unwrap()
    };
    let ports: std::collections::BTreeSet<u64> = (0..16).map(|port_of| port(Shape { port: port_of, ..ROCE })).collect();
    assert!(ports.len() >= 15 && ports.iter().all(|port| (0xc000..=0xffff).contains(port)), "{ports:?}");
}

#[test]
fn what_cannot_be_is_refused_with_what_would_work() {
    let table = |key: &str, rest: &str| {
        format!("[[tables]]\nname = \"t\"\nstage = \"ingress\"\nsize = 2\nkey = [{key}]\n{rest}\n")
    };
    let exact = "{ field = \"l4.dport\", match = \"exact\" }";
    let error = |key: &str, rest: &str| try_pipeline(&table(key, rest)).unwrap_err().to_string();
    let entries = |list: &str| format!("entries = [{list}]");
    assert!(
        error("{ field = \"l4.dprt\", match = \"exact\" }", "")
            .contains("table 't': no field is named `l4.dprt`; did you mean `l4.dport`?")
    );
    assert!(error(exact, &entries("{ match = { \"l4.sport\" = 1 } }")).contains("its key has: l4.dport"));
    assert!(error(exact, &entries("{ }")).contains("it is compared exactly: give a value"));
    assert!(error(exact, &entries("{ match = { \"l4.dport\" = 1 }, priority = 2 }")).contains("0 would work"));
    let three = "{ match = { \"l4.dport\" = 1 } }, { match = { \"l4.dport\" = 2 } }, { match = { \"l4.dport\" = 3 } }";
    assert_eq!(
        error(exact, &entries(three)),
        "table 't' is full: it has room for 2 entries, and 3 are requested; remove entries or give it a size of 3 (at most 1048576)"
    );
    assert!(error(&format!("{exact}, {exact}"), "").contains("there twice"));
    let default = |action: &str| error("", &format!("default = [{action}]"));
    assert!(default("{ do = \"set\", field = \"eth.type\", value = 5 }").contains("stays as it is"));
    assert!(default("{ do = \"set\", field = \"l4.dport\", value = 5 }").contains("the parser decides by it"));
    assert!(default("{ do = \"set\", field = \"ip.dscp\", from = \"ip.src\" }").contains("at most 6 bits would fit"));
    assert!(default("{ do = \"set\", field = \"ip.dscp\" }").contains("one of `value` and `from`"));
    assert!(default("{ do = \"set\", field = \"ip.dscp\", value = 64 }").contains("0 to 63 would work"));
    assert!(default("{ do = \"class\", class = \"XX\" }").contains("BE, LL"));
    assert!(default("{ do = \"push-vlan\", id = 4095 }").contains("1 to 4094 would work"));
    assert!(default("{ do = \"deny\", cause = \"\" }").contains("at least one letter"));
    let error = |text: &str| try_pipeline(text).unwrap_err().to_string();
    assert!(error("programs = [\"vlan-egde\"]").contains("did you mean `vlan-edge`?"));
    assert!(error("programs = [\"acl\", \"acl\"]").contains("each program runs once"));
    assert!(error("entries = [{ table = \"acl_ingress\" }]").contains("name a program in packet_engine.programs"));
    assert!(
        error("programs = [\"acl\"]\nentries = [{ table = \"acl_ingres\" }]").contains("did you mean `acl_ingress`?")
    );
    assert!(error("members = [{ vni = 5, endpoints = [] }]").contains("vni-isolation"));
    assert!(error("programs = [\"vni-isolation\"]\nmembers = [{ vni = 0, endpoints = [] }]").contains("1 to 65535"));
    assert!(error(&table("", "").repeat(2)).contains("two tables are named `t`"));
    assert!(error(&table("", "").replace("size = 2", "size = 0")).contains("1 to 1048576 entries would work"));
}
