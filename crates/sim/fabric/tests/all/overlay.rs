//! The packet engine at the edge: frames of messages, verdicts, members of virtual networks,
//! counts.

use crate::common::{config, job, topology};
use philae_fabric::{
    EdgeMessage, EdgeVerdict, FabricConfig, FabricError, Job, Overlay, PacketPurpose, Simulation, Verdicts,
};
use philae_packet_engine::{PacketEngine, PipelineStage};
use philae_topology::DragonflyDescription;
use philae_units::{ClassId, EndpointId, JobId};
use philae_wire::Framing;
use philae_wire::dissect::{LayerKind, Start, dissect};
use std::sync::Arc;

const RING: &str = "kind = 'permutation'\nbytes = '64KiB'\niterations = 2";

fn with(text: &str) -> FabricConfig {
    let engine: PacketEngine = toml::from_str(text).expect("a section");
    FabricConfig { packet_engine: Some(engine.program().expect("a program")), ..config("slingshot") }
}

/// Job 0 on nodes 0 to 3 with VNI 5, job 1 on nodes 4 to 7 with VNI 6.
fn jobs() -> Vec<Job> {
    vec![Job { vni: 5, ..job("one", 0..4, RING, 1) }, Job { vni: 6, ..job("other", 4..8, RING, 1) }]
}

fn overlay(text: &str) -> Result<Overlay, FabricError> {
    let topology = topology(DragonflyDescription::uniform(3, 2, 4, 1));
    Overlay::new(&topology, &with(text), &jobs()).map(|overlay| overlay.expect("there is a program"))
}

fn message(source: u32, destination: u32, job: u16, purpose: PacketPurpose) -> EdgeMessage {
    EdgeMessage { source, destination, job: JobId(job), class: ClassId(0), purpose }
}

const PURPOSES: [PacketPurpose; 7] = [
    PacketPurpose::Eager,
    PacketPurpose::RendezvousRequest,
    PacketPurpose::ReadRequest,
    PacketPurpose::ReadData,
    PacketPurpose::Put,
    PacketPurpose::GetRequest,
    PacketPurpose::GetData,
];

#[test]
fn every_purpose_makes_a_sound_frame_with_the_endpoints_own_addresses() {
    let topology = topology(DragonflyDescription::uniform(3, 2, 4, 1));
    let overlay = overlay("").unwrap();
    for purpose in PURPOSES {
        let frame = overlay.frame(&message(1, 9, 0, purpose));
        let layers = dissect(&frame, Start::Ethernet(Framing::Bare));
        assert_eq!(layers.error(), None, "{purpose:?}");
        assert!(layers.innermost(LayerKind::Roce).is_some(), "{purpose:?}");
        let address = |endpoint| topology.address(EndpointId(endpoint)).unwrap().mac().0;
        assert_eq!((&frame[..6], &frame[6..12]), (&address(9)[..], &address(1)[..]));
    }
}

#[test]
fn a_job_keeps_to_its_own_network() {
    let overlay = overlay("programs = ['vni-isolation']").unwrap();
    let mut verdicts = Verdicts::default();
    let mut ask = |stage, source, destination, job| {
        verdicts.verdict(&overlay, stage, &message(source, destination, job, PacketPurpose::Put)).clone()
    };
    let passes = EdgeVerdict::Permit { extra_wire_bytes: 0, class: ClassId(0) };
    assert_eq!(ask(PipelineStage::Ingress, 0, 1, 0), passes);
    assert_eq!(ask(PipelineStage::Egress, 0, 1, 0), passes);
    assert_eq!(ask(PipelineStage::Ingress, 4, 5, 1), passes);
    let denied =
        |stage, table: &str| EdgeVerdict::Deny { cause: "vni_mismatch".to_owned(), table: table.to_owned(), stage };
    assert_eq!(
        ask(PipelineStage::Ingress, 4, 0, 0),
        denied(PipelineStage::Ingress, "vni_ingress"),
        "not a member of job 0's network"
    );
    assert_eq!(ask(PipelineStage::Ingress, 0, 4, 0), passes, "the far edge decides over the receiver");
    assert_eq!(ask(PipelineStage::Egress, 0, 4, 0), denied(PipelineStage::Egress, "vni_egress"));
    let counts = overlay.counts([&verdicts]);
    let table = |name: &str| counts.tables.iter().find(|found| found.table == name).unwrap();
    assert_eq!((table("vni_ingress").hits, table("vni_ingress").misses), (3, 1));
    assert!(table("vni_ingress").entries.is_empty(), "members are counted together");
    assert_eq!((table("vni_egress").hits, table("vni_egress").misses), (1, 1));
    assert_eq!(counts.denied.values().sum::<u64>(), 2);
}

#[test]
fn only_listed_members_pass_where_jobs_are_none() {
    let text = "programs = ['vni-isolation']\njobs_are_members = false\nmembers = [{ vni = 5, endpoints = [0] }]";
    let overlay = overlay(text).unwrap();
    let mut verdicts = Verdicts::default();
    let mut passes = |stage| {
        let verdict = verdicts.verdict(&overlay, stage, &message(0, 1, 0, PacketPurpose::Eager));
        matches!(verdict, EdgeVerdict::Permit { .. })
    };
    assert!(passes(PipelineStage::Ingress) && !passes(PipelineStage::Egress));
}

#[test]
fn a_tunnel_makes_frames_longer_in_the_fabric_and_not_behind_it() {
    let overlay = overlay("programs = ['vni-isolation', 'vxlan-edge']").unwrap();
    let mut verdicts = Verdicts::default();
    let mut extra = |stage| match verdicts.verdict(&overlay, stage, &message(0, 1, 0, PacketPurpose::Eager)) {
        EdgeVerdict::Permit { extra_wire_bytes, .. } => *extra_wire_bytes,
        denied => panic!("{denied:?}"),
    };
    assert_eq!((extra(PipelineStage::Ingress), extra(PipelineStage::Egress)), (50, 0));
}

const USERS: &str = "
[[tables]]
name = 'puts'
stage = 'ingress'
size = 8
key = [{ field = 'roce.opcode', match = 'ternary' }, { field = 'meta.switch', match = 'ternary' }]
entries = [
    { match = { 'roce.opcode' = 10 }, actions = [{ do = 'count', counter = 'puts' }] },
    { match = { 'roce.opcode' = 12, 'meta.switch' = 0 }, actions = [{ do = 'deny', cause = 'no_reads' }] },
]";

#[test]
fn packets_are_counted_one_by_one_and_partitions_add_up() {
    let overlay = overlay(USERS).unwrap();
    let mut parts = [Verdicts::default(), Verdicts::default()];
    for (part, packets) in [(0, 7), (1, 5)] {
        for _ in 0..packets {
            parts[part].verdict(&overlay, PipelineStage::Ingress, &message(part as u32 * 9, 3, 0, PacketPurpose::Put));
        }
    }
    let read = message(0, 9, 0, PacketPurpose::GetRequest);
    assert!(
        matches!(parts[0].verdict(&overlay, PipelineStage::Ingress, &read), EdgeVerdict::Deny { cause, .. } if cause == "no_reads")
    );
    let elsewhere = message(9, 0, 0, PacketPurpose::GetRequest);
    assert!(matches!(parts[1].verdict(&overlay, PipelineStage::Ingress, &elsewhere), EdgeVerdict::Permit { .. }));
    let counts = overlay.counts(&parts);
    assert_eq!(counts.counters["puts"], 12);
    assert_eq!((counts.tables[0].hits, counts.tables[0].misses), (13, 1));
    assert_eq!(counts.tables[0].entries, [12, 1]);
    let denied = (PipelineStage::Ingress, "puts".to_owned(), "no_reads".to_owned());
    assert_eq!(counts.denied.get(&denied), Some(&1));
}

#[test]
fn impossible_settings_are_refused_before_the_run() {
    let error = |text: &str| overlay(text).unwrap_err().to_string();
    let unknown_endpoint = error("programs = ['vni-isolation']\nmembers = [{ vni = 5, endpoints = [99] }]");
    assert_eq!(
        unknown_endpoint,
        "an endpoint of packet_engine.members is 99; a number of an endpoint of the system would work"
    );
    let topology = topology(DragonflyDescription::uniform(3, 2, 4, 1));
    let small = "[[tables]]\nname = 'vni_ingress'\nstage = 'ingress'\nsize = 3\nkey = [{ field = 'meta.endpoint', match = 'exact' }, { field = 'meta.vni', match = 'exact' }]";
    let full = Simulation::new(Arc::clone(&topology), with(small), philae_fabric::RunOptions::default(), jobs());
    let full = full.err().expect("four members of one switch do not fit").to_string();
    assert!(full.contains("table 'vni_ingress' is full: it has room for 3 entries, and 4 are requested"), "{full}");
    let simulation =
        |config| Simulation::new(Arc::clone(&topology), config, philae_fabric::RunOptions::default(), jobs());
    assert!(simulation(with(USERS)).unwrap().overlay().is_some());
    assert!(simulation(config("slingshot")).unwrap().overlay().is_none());
}
