//! The committed `.proto` describes the types of this crate on the wire.

use philae_agent::*;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};

fn pool() -> DescriptorPool {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/proto");
    let files = protox::compile(["philae/agent/v1/agent.proto"], [root]).expect("the file compiles");
    DescriptorPool::from_file_descriptor_set(files).expect("the file is whole")
}

/// Every field exists in the file with its name, and a round trip gives the same bytes.
fn check<M: Message + Default + PartialEq>(pool: &DescriptorPool, name: &str, message: &M, shown: &str) {
    let descriptor = pool.get_message_by_name(&format!("philae.agent.v1.{name}")).expect("the file has it");
    let bytes = message.encode_to_vec();
    let dynamic = DynamicMessage::decode(descriptor, &*bytes).expect("it decodes");
    assert_eq!(dynamic.unknown_fields().count(), 0, "{name}: fields that the file does not know");
    assert_eq!(dynamic.encode_to_vec(), bytes, "{name}");
    assert_eq!(dynamic.to_string(), shown, "{name}");
    assert!(M::decode(&*bytes).expect("it decodes") == *message);
}

#[test]
fn types_and_file_agree_field_by_field() {
    let pool = pool();
    let hash = SectionHash { section: 1, hash: 2 };
    let port = PortReport { port: 1, state: 2, neighbour: 3, losses: 4 };
    let ports = PortReports { number: 5, ports: vec![port] };
    let upgrade = UpgradeReport { version: "g".into(), stage: 1, detail: "h".into(), firmware: "i".into() };
    let upgrade_text = "upgrade{version:\"g\",stage:1,detail:\"h\",firmware:\"i\"}";
    let hello = Hello {
        name: "a".into(),
        protocol: 1,
        epoch: 2,
        serial: "b".into(),
        model: "c".into(),
        firmware: "d".into(),
        sections: vec![hash],
        ports: Some(ports.clone()),
        agent: "e".into(),
        boot: "f".into(),
        upgrade: Some(Box::new(upgrade.clone())),
    };
    let items = EqualItems { keys: vec![1, 2], value: vec![65], drop: true };
    let from = |body: FromBody| FromAgent::from(body);
    let ports_text = "number:5,ports:[{port:1,state:2,neighbour:3,losses:4}]";
    let hello_text = format!(
        "name:\"a\",protocol:1,epoch:2,serial:\"b\",model:\"c\",firmware:\"d\",sections:[{{section:1,hash:2}}],ports{{{ports_text}}},\
         agent:\"e\",boot:\"f\",{upgrade_text}"
    );
    check(&pool, "FromAgent", &from(FromBody::Hello(hello)), &format!("hello{{{hello_text}}}"));
    check(&pool, "FromAgent", &from(FromBody::Upgrade(upgrade)), upgrade_text);
    let heartbeat = Heartbeat { sections: vec![hash], reports: 3 };
    check(
        &pool,
        "FromAgent",
        &from(FromBody::Heartbeat(heartbeat)),
        "heartbeat{sections:[{section:1,hash:2}],reports:3}",
    );
    check(&pool, "FromAgent", &from(FromBody::Ports(ports)), &format!("ports{{{ports_text}}}"));
    for (outcome, word) in [(1, "STALE_EPOCH"), (2, "MISMATCH"), (3, "NOTHING_STAGED"), (4, "REFUSED"), (5, "FAILED")] {
        let ack = Ack { request: 1, outcome, hash: 2, detail: "e".into() };
        let text = format!("ack{{request:1,outcome:OUTCOME_{word},hash:2,detail:\"e\"}}");
        check(&pool, "FromAgent", &from(FromBody::Ack(ack)), &text);
    }
    let items_text = "items:[{keys:[1,2],value:\"A\",drop:true}]";
    let state = SectionState { request: 1, section: 2, hash: 3, items: vec![items.clone()] };
    check(
        &pool,
        "FromAgent",
        &from(FromBody::State(state)),
        &format!("state{{request:1,section:2,hash:3,{items_text}}}"),
    );
    let counters =
        CounterReading { clock_ns: 1, ports: vec![PortCounters { port: 2, sent_bytes: 3, sent_packets: 4 }] };
    let text = "counters{clock_ns:1,ports:[{port:2,sent_bytes:3,sent_packets:4}]}";
    check(&pool, "FromAgent", &from(FromBody::Counters(counters)), text);
    let entries = ForwardingEntries { destination: vec![1], ports: vec![2], round: vec![65] };
    let stage = StageEntries { generation: 1, base: 2, after: 3, replace: true, entries: Some(entries) };
    let configure = Configure { section: 1, base: 2, after: 3, replace: true, items: vec![items] };
    for (body, text) in [
        (
            ToBody::Welcome(Welcome { heartbeat_ms: 9, pause_limit_ms: 10, pause_clear_ms: 11, counters_ms: 8 }),
            "welcome{heartbeat_ms:9,pause_limit_ms:10,pause_clear_ms:11,counters_ms:8}".to_owned(),
        ),
        (
            ToBody::Stage(stage),
            "stage{generation:1,base:2,after:3,replace:true,entries{destination:[1],ports:[2],round:\"A\"}}".to_owned(),
        ),
        (ToBody::Activate(Activate { generation: 1, round: 2 }), "activate{generation:1,round:2}".to_owned()),
        (ToBody::Configure(configure), format!("configure{{section:1,base:2,after:3,replace:true,{items_text}}}")),
        (ToBody::Read(ReadSection { section: 1 }), "read{section:1}".to_owned()),
        (
            ToBody::Operate(Operate { operation: 1, port: 2, version: "v".into() }),
            "operate{operation:1,port:2,version:\"v\"}".to_owned(),
        ),
    ] {
        let message = ToAgent { epoch: 7, request: 8, body: Some(body) };
        check(&pool, "ToAgent", &message, &format!("epoch:7,request:8,{text}"));
    }
    let join = JoinRequest { token: "t".into(), name: "n".into(), request: "r".into() };
    check(&pool, "JoinRequest", &join, "token:\"t\",name:\"n\",request:\"r\"");
    check(&pool, "RenewRequest", &RenewRequest { request: "r".into() }, "request:\"r\"");
    let certificate = Certificate { certificate: "c".into(), roots: "r".into() };
    check(&pool, "Certificate", &certificate, "certificate:\"c\",roots:\"r\"");
}
