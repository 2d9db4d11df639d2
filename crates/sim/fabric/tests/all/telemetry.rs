//! What sampled packets note and ports count: the same for any number of partitions, and consistent
//! with the other records.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::common::{config, job, topology, without_responses};
use philae_fabric::{
    CaptureEnd, CapturePoint, CaptureSink, CapturedFrame, ExecutionOptions, FabricConfig, Job, RecordOptions,
    RunOptions, Simulation,
};
use philae_nic_model::{NicParameters, ResponseScope};
use philae_results::counter::{CounterName, CounterPlace};
use philae_results::record::{CongestionKind, RunRecord};
use philae_topology::{DragonflyDescription, PortPeer, Topology};
use philae_traffic_class::{ClassSet, TrafficClass};
use philae_units::{EndpointId, Picoseconds};

const NODES: u32 = 6 * 4 * 4;

fn system() -> Arc<Topology> {
    topology(DragonflyDescription::uniform(6, 4, 4, 2))
}

fn jobs() -> Vec<Job> {
    vec![
        job("victim", (0..NODES).step_by(3), "kind = 'allreduce'\nbytes = '32KiB'\niterations = 6", 1),
        job("incast", (0..NODES).skip(1).step_by(3), "kind = 'incast'\nbytes = '64KiB'", 1),
        job("mix", (0..NODES).skip(2).step_by(3), "kind = 'uniform-random'\nbytes = '20KiB'", 1),
    ]
}

fn options(partitions: u32) -> RunOptions {
    RunOptions {
        seed: 7,
        time_limit: Picoseconds::from_micros(300),
        start_skew: Picoseconds::from_micros(2),
        execution: ExecutionOptions { partitions, ..ExecutionOptions::default() },
        records: RecordOptions {
            sample_interval: Picoseconds::from_micros(10),
            telemetry_every: 16,
            class_counters: true,
            ..RecordOptions::default()
        },
        ..RunOptions::default()
    }
}

fn run(law: &str, options: RunOptions) -> RunRecord {
    let mut config = without_responses(config(law));
    if law == "none" {
        // Low thresholds, so that the incast makes switches pause their NICs: nothing else holds
        // them back.
        (config.switch.pause_on_bytes, config.switch.pause_off_bytes) = (16_384, 8_192);
    }
    crate::common::run(&system(), config, options, jobs()).expect("it runs")
}

#[test]
fn partitions_do_not_show_in_telemetry_and_counters() {
    for law in ["slingshot", "none", "ecn"] {
        let one = run(law, options(1));
        assert!(one.telemetry.len() > 1_000, "{law}: {} rows", one.telemetry.len());
        assert!(one.counters.len() > 200, "{law}: {} counters", one.counters.len());
        for partitions in [2, 3, 6] {
            let many = run(law, options(partitions));
            assert_eq!(one.telemetry, many.telemetry, "{law}, {partitions} partitions");
            assert_eq!(one.counters, many.counters, "{law}, {partitions} partitions");
        }
    }
}

#[test]
fn an_observer_changes_nothing() {
    let plain = RunOptions {
        records: RecordOptions { telemetry_every: 0, class_counters: false, ..options(2).records.clone() },
        ..options(2)
    };
    for law in ["slingshot", "ecn"] {
        let (seen, unseen) = (run(law, options(2)), run(law, plain.clone()));
        assert_eq!(seen.digest, unseen.digest, "{law}");
        assert!(unseen.telemetry.is_empty());
        assert_eq!(unseen.telemetry_packets, 0);
        assert!(unseen.counters.iter().all(|row| row.name != CounterName::PacketsSent));
    }
}

#[test]
fn hops_follow_each_other_along_the_cables() {
    let (system, record) = (system(), run("slingshot", options(3)));
    let packets: Vec<_> = record.telemetry.chunk_by(|_, next| next.hop > 0).collect();
    let mut waited = 0;
    for hops in &packets {
        let (first, last) = (&hops[0], &hops[hops.len() - 1]);
        assert_eq!(first.input, system.endpoint(first.source).port);
        assert_eq!(last.output, system.endpoint(last.destination).port);
        assert!(first.number.is_multiple_of(16));
        assert!(first.injected < first.arrived && last.departed < last.delivered);
        for (hop, number) in hops.iter().zip(0..) {
            assert_eq!(hop.hop, number);
            assert_eq!(system.switch_of(hop.input), system.switch_of(hop.output));
            assert!(hop.arrived <= hop.requested && hop.requested <= hop.departed);
            waited += u32::from(hop.departed > hop.requested);
        }
        for pair in hops.windows(2) {
            assert_eq!(system.port(pair[0].output).peer, PortPeer::Port(pair[1].input));
            let flight = pair[1].arrived - pair[0].departed;
            assert!(flight > system.propagation(pair[0].output), "{flight}");
        }
    }
    assert!(waited > 100, "an incast makes packets wait");
    assert_eq!(packets.len() as u64, record.telemetry_packets);
    // Every sixteenth packet of each NIC, without those on their way at the end.
    let sampled = record.packets_delivered / 16;
    assert!(packets.len() as u64 >= sampled - u64::from(NODES) && packets.len() as u64 <= sampled + u64::from(NODES));
}

#[test]
fn rows_of_a_packet_are_kept_together_up_to_the_limit() {
    let all = run("slingshot", options(1));
    for partitions in [1, 6] {
        let some = run(
            "slingshot",
            RunOptions {
                records: RecordOptions { telemetry_packets_max: 100, ..options(partitions).records.clone() },
                ..options(partitions)
            },
        );
        assert_eq!(some.telemetry_packets, all.telemetry_packets);
        assert_eq!(some.telemetry, all.telemetry[..some.telemetry.len()]);
        assert_eq!(some.telemetry.iter().filter(|row| row.hop == 0).count(), 100);
        assert_eq!(all.telemetry[some.telemetry.len()].hop, 0);
    }
}

#[test]
fn counters_add_up_to_what_else_is_recorded() {
    for law in ["slingshot", "none", "ecn"] {
        let record = run(law, options(2));
        let mut nics: BTreeMap<CounterName, u64> = BTreeMap::new();
        let mut ports: BTreeMap<CounterName, u64> = BTreeMap::new();
        for row in &record.counters {
            assert!(row.value > 0);
            let sums = if matches!(row.place, CounterPlace::Nic(_)) { &mut nics } else { &mut ports };
            *sums.entry(row.name).or_insert(0) += row.value;
        }
        let of = |sums: &BTreeMap<CounterName, u64>, name| sums.get(&name).copied().unwrap_or(0);
        let events =
            |kind| record.congestion_counts.iter().find(|(found, _)| *found == kind).map_or(0, |found| found.1);
        assert_eq!(of(&nics, CounterName::PacketsSent), record.packets_injected, "{law}");
        assert_eq!(of(&ports, CounterName::PacketsSent), record.packet_hops, "{law}");
        let received = |name| of(&nics, name) + of(&ports, name);
        assert_eq!(received(CounterName::PacketsReceived), record.packet_hops + record.packets_injected, "{law}");
        assert_eq!(received(CounterName::BytesReceived), received(CounterName::BytesSent), "{law}");
        let switched: u64 = record.switches.iter().map(|row| row.bytes.0).sum();
        assert_eq!(of(&ports, CounterName::BytesSent), switched, "{law}");
        assert_eq!(of(&ports, CounterName::PauseSent), events(CongestionKind::PauseStart), "{law}");
        assert_eq!(received(CounterName::PauseReceived), of(&ports, CounterName::PauseSent), "{law}");
        assert_eq!(received(CounterName::TransmitPaused), of(&ports, CounterName::ReceivePaused), "{law}");
        assert_eq!(of(&ports, CounterName::EndpointOnsets), events(CongestionKind::EndpointOnset), "{law}");
        assert_eq!(of(&ports, CounterName::Marked), events(CongestionKind::Marked), "{law}");
        let held = of(&ports, CounterName::FlowsHeld) + of(&nics, CounterName::RateCuts);
        assert_eq!(held, events(CongestionKind::FlowHeld), "{law}");
        match law {
            "slingshot" => {
                assert!(of(&ports, CounterName::EndpointOnsets) > 0 && of(&ports, CounterName::NoticesSent) > 0);
                assert!(of(&ports, CounterName::FlowsHeldTime) > 0);
            }
            "ecn" => assert!(of(&nics, CounterName::RateCuts) > 0 && of(&nics, CounterName::NoticesSent) > 0),
            _ => assert!(of(&ports, CounterName::PauseSent) > 0 && of(&ports, CounterName::ReceivePaused) > 0),
        }
    }
}

#[test]
fn answers_and_packets_sent_again_are_counted_apart() {
    let totals = |law: &str, lossy: bool| {
        let mut config = config(law);
        let class = TrafficClass { lossy, queue_max_bytes: lossy.then_some(16_384), ..TrafficClass::named("class") };
        config.classes = ClassSet::new(vec![class], 8).expect("one class");
        let record = crate::common::run(&system(), config, options(2), jobs()).expect("it runs");
        let sum = |name| record.counters.iter().filter(|row| row.name == name).map(|row| row.value).sum::<u64>();
        let nics = |name| {
            let rows = record.counters.iter().filter(|row| row.name == name);
            rows.filter(|row| matches!(row.place, CounterPlace::Nic(_))).map(|row| row.value).sum::<u64>()
        };
        let parts = [CounterName::ResponseBytesSent, CounterName::BytesSentAgain].map(sum);
        (parts, nics(CounterName::BytesSent), record.retry_totals.retries)
    };
    let ([answers, again], sent, retries) = totals("nscc", false);
    assert!(answers > 0 && answers < sent / 4, "{answers} of {sent}");
    assert_eq!((again, retries), (0, 0), "nothing is lost");
    let ([answers, again], sent, retries) = totals("nscc", true);
    assert!(retries > 0 && again > 0 && answers + again < sent, "{retries}: {answers} and {again} of {sent}");
    // A switch answers for its NICs without packets of theirs.
    let without = run("slingshot", options(2));
    assert!(without.counters.iter().all(|row| row.name != CounterName::ResponseBytesSent));
}

/// Keeps what it receives.
#[derive(Default)]
struct Kept(Vec<(usize, Picoseconds, bool, usize, Vec<u8>)>);

impl CaptureSink for Kept {
    fn frame(&mut self, frame: &CapturedFrame<'_>) -> ControlFlow<()> {
        self.0.push((frame.point, frame.time, frame.inbound, frame.length, frame.bytes.to_vec()));
        ControlFlow::Continue(())
    }
}

#[test]
fn a_capture_sees_each_packet_of_its_nic_and_changes_nothing() {
    capture_of(&config("slingshot"));
}

#[test]
fn a_capture_of_roce_sees_each_response_where_it_is() {
    let mut hardware = config("slingshot");
    hardware.nic = NicParameters { responses: ResponseScope::Packet, ..NicParameters::connectx_5() };
    capture_of(&hardware);
}

fn capture_of(hardware: &FabricConfig) {
    let run = |partitions, end: Option<CaptureEnd>| {
        let options = RunOptions {
            records: RecordOptions { telemetry_every: 0, ..options(partitions).records.clone() },
            ..options(partitions)
        };
        let mut simulation = Simulation::new(system(), hardware.clone(), options, jobs()).expect("it is built");
        let point = |end| CapturePoint { name: "here".into(), end, packets_max: 1 << 40, snap_bytes: 96 };
        simulation.capture(end.into_iter().map(point).collect()).expect("the port is there");
        let mut kept = Kept::default();
        let record = simulation.run_into(&mut |_| ControlFlow::Continue(()), &mut kept).expect("it runs");
        (record, kept.0)
    };
    let (plain, _) = run(1, None);
    // The target of the incast, and one of its sources.
    for endpoint in [1, 4] {
        let nic = EndpointId(endpoint);
        let (record, frames) = run(1, Some(CaptureEnd::Nic(nic)));
        assert_eq!(record.digest, plain.digest);
        assert_eq!(record.captures[0].written, frames.len() as u64);
        assert!(frames.is_sorted_by_key(|frame| frame.1));
        let counted = |name| {
            let row =
                |row: &&philae_results::counter::CounterRow| row.place == CounterPlace::Nic(nic) && row.name == name;
            record.counters.iter().find(row).map_or(0, |row| row.value)
        };
        let data =
            |inbound| frames.iter().filter(|frame| frame.2 == inbound && frame.4[12..14] == [8, 0]).count() as u64;
        assert_eq!(data(false), counted(CounterName::PacketsSent));
        // One may be between switch and NIC when the run ends.
        assert!(counted(CounterName::PacketsReceived) - data(true) <= 1);
        let (_, across) = run(6, Some(CaptureEnd::Nic(nic)));
        assert_eq!(frames, across);
    }
}
