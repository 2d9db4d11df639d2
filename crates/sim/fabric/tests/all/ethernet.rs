//! Third-party Ethernet endpoints next to Cassini-2: rates, frame sizes, what edge links agreed on,
//! losses, and the time of the kernel's cores.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::common::{config, job, run, without_responses};
use philae_fabric::{
    CaptureEnd, CapturePoint, CaptureSink, CapturedFrame, ExecutionOptions, FabricConfig, Job, RecordOptions,
    Resilience, RunOptions, Simulation,
};
use philae_link_layer::{FecKind, LinkParameters};
use philae_nic_model::{EthernetParameters, HostParameters, NicParameters, ThirdPartyTransport};
use philae_results::counter::CounterPlace;
use philae_results::fault::DiscardCause;
use philae_results::record::{RunRecord, RunStatus};
use philae_switch::port::SwitchParameters;
use philae_topology::{DragonflyDescription, EthernetDescription, SystemDescription, Topology};
use philae_units::{EndpointId, LinkRate, Picoseconds};

/// The first third-party node of [`system`].
const THIRD: u32 = 16;

/// Two groups of 2 switches with 4 Cassini-2 each at 400 Gb/s (nodes 0 to 15); a port of switch 3
/// split into 4 links of 100 Gb/s (nodes 16 to 19).
fn system() -> Arc<Topology> {
    with(vec![EthernetDescription::on_switch(3, 4, 100)])
}

fn with(ethernet: Vec<EthernetDescription>) -> Arc<Topology> {
    let mut dragonfly = DragonflyDescription::uniform(2, 2, 4, 2);
    for cable in [&mut dragonfly.edge, &mut dragonfly.local, &mut dragonfly.global] {
        cable.rate_gbps = 400.0;
    }
    let description = SystemDescription { ethernet, ..dragonfly.into() };
    Arc::new(Topology::build(&description).expect("a legal system"))
}

fn mixed(ethernet: EthernetParameters) -> FabricConfig {
    without_responses(FabricConfig {
        switch: SwitchParameters::rosetta_2(),
        nic: NicParameters::cassini_2(),
        host: HostParameters::cassini_2_mpi(),
        ethernet: vec![ethernet],
        ..config("slingshot")
    })
}

fn tcp() -> EthernetParameters {
    EthernetParameters { transport: ThirdPartyTransport::Tcp, ..EthernetParameters::standard() }
}

fn options() -> RunOptions {
    RunOptions {
        time_limit: Picoseconds::from_micros(20_000_000),
        records: RecordOptions { class_counters: true, ..RecordOptions::default() },
        ..RunOptions::default()
    }
}

fn ran(topology: &Arc<Topology>, config: FabricConfig, jobs: Vec<Job>) -> RunRecord {
    let record = run(topology, config, options(), jobs).expect("it runs");
    assert_eq!(record.status, RunStatus::Completed);
    record
}

/// Sum of a counter over the places that `place` picks.
fn count(record: &RunRecord, name: &str, place: impl Fn(CounterPlace) -> bool) -> u64 {
    record.counters.iter().filter(|row| row.name.as_str() == name && place(row.place)).map(|row| row.value).sum()
}

fn finished(record: &RunRecord, job: usize) -> u64 {
    record.jobs[job].finished.expect("the job ends").0
}

fn lost(record: &RunRecord, cause: DiscardCause) -> u64 {
    record.discards.iter().filter(|row| row.cause == cause).map(|row| row.packets).sum()
}

/// 16 MiB from the first to the second node.
fn stream(from: u32, to: u32) -> Job {
    job("stream", [from, to], "kind = 'bandwidth'\nbytes = '1MiB'\nwindow = 16\niterations = 1", 1)
}

/// Cassini-2 endpoints of both groups, all on links that the stream takes.
fn competing_alltoall() -> Job {
    job("beside", [1, 5, 9, 13, 14, 15], "kind = 'alltoall'\nbytes = '256KiB'\niterations = 2", 1)
}

#[test]
fn a_slow_endpoint_on_a_split_port_and_a_fast_one_exchange_at_the_rate_of_the_slower() {
    let topology = system();
    for (from, to) in [(0, THIRD), (THIRD, 0)] {
        let record =
            ran(&topology, mixed(EthernetParameters::standard()), vec![stream(from, to), competing_alltoall()]);
        let full = 16 * (1 << 20) / 1_024;
        // Full packets of 1,094 bytes and their gap at 100 Gb/s: 80 ps a byte.
        let least = full * (1_094 + 12) * 80;
        let took = finished(&record, 0);
        assert!((least..least + least / 20).contains(&took), "{from} to {to}: {took} ps, at line rate {least}");
        // What crossed the third-party link: 16 requests, 16 reads, one answer, and the data.
        let (nic, port) = (EndpointId(THIRD), topology.endpoint(EndpointId(THIRD)).port);
        let ends = [CounterPlace::Nic(nic), CounterPlace::Port(port)];
        let sent = |name| ends.map(|end| count(&record, name, |place| place == end));
        let (packets, bytes) = (sent("hni_pkts_sent_by_tc"), sent("bytes_sent_by_class"));
        let (of_data, of_control) = if from == THIRD { (0, 1) } else { (1, 0) };
        // The run may end before the response to the answer.
        let responses = packets[of_data] - full - 16;
        assert!(responses <= 1, "data, a request for each message, a response: {packets:?}");
        let least = (16 + responses) * 72;
        assert_eq!(bytes[of_data], full * 1_094 + least, "RoCEv2 frames of 1,094 bytes, and least ones");
        // And a response to each request, and to the data of each read.
        assert_eq!((packets[of_control], bytes[of_control]), (49, 49 * 72 + 2), "four bytes in 74: no padding");
        // Cassini traffic next to it keeps its own frames: 2,048 bytes in 2,085.
        let other = |name| count(&record, name, |place| place == CounterPlace::Nic(EndpointId(13)));
        let mean = other("bytes_sent_by_class") / other("hni_pkts_sent_by_tc");
        assert!((2_000..=2_085).contains(&mean), "{mean} bytes a frame");
    }
}

#[test]
fn both_directions_at_the_same_time_have_the_rate_each() {
    let topology = system();
    let both = "kind = 'bandwidth'\nbytes = '1MiB'\nwindow = 16\nbidirectional = true\niterations = 1";
    let record = ran(&topology, mixed(EthernetParameters::standard()), vec![job("both", [0, THIRD], both, 1)]);
    let least = 16 * 1_024 * (1_094 + 12) * 80;
    let took = finished(&record, 0);
    assert!((least..least + least / 20).contains(&took), "{took} ps, at line rate {least}");
    assert_eq!(topology.rate(topology.endpoint(EndpointId(THIRD)).port), LinkRate::from_gbps(100));
}

#[test]
fn links_of_a_split_port_do_not_share_their_rate() {
    let topology = system();
    let four = (0..4).map(|link| Job { name: format!("stream {link}"), ..stream(link, THIRD + link) }).collect();
    let record = ran(&topology, mixed(EthernetParameters::standard()), four);
    let alone = ran(&topology, mixed(EthernetParameters::standard()), vec![stream(0, THIRD)]);
    let slowest = (0..4).map(|link| finished(&record, link)).max().expect("four");
    assert!(slowest < finished(&alone, 0) * 21 / 20, "{slowest} ps, alone {} ps", finished(&alone, 0));
}

#[test]
fn the_results_say_what_each_edge_link_agreed_on() {
    let half = EthernetParameters { no_gap: true, short_frames: true, ..EthernetParameters::standard() };
    let record = ran(&system(), mixed(half), vec![stream(0, THIRD)]);
    assert_eq!(record.edge_links.len(), 20);
    let third: Vec<_> = record.edge_links.iter().filter(|row| row.third_party).collect();
    assert_eq!(third.len(), 4);
    for row in third {
        assert_eq!((row.agreed.as_str(), row.withheld.as_str()), ("short frames", "no gap (needs link retry)"));
        assert_eq!(
            (row.rate_mbps, row.nic_gap_bytes, row.switch_gap_bytes, row.frame_min_bytes),
            (100_000, 12, 12, 32)
        );
        assert_eq!((row.retry, row.hold), (false, "pause"));
    }
    let plain = ran(&with(Vec::new()), mixed(EthernetParameters::standard()), vec![stream(0, 15)]);
    assert!(plain.edge_links.is_empty());
}

/// Every third-party frame of about a thousand bytes is damaged with a chance of about one in a
/// hundred.
fn noisy() -> Resilience {
    let link =
        LinkParameters { bit_errors: 1, bit_errors_per_10_to: 6, fec: FecKind::None, ..LinkParameters::slingshot() };
    let retry = philae_nic_model::RetryParameters {
        packet_timeout_ns: 2_000_000,
        retry_step_ms: 1,
        unordered_delay_ms: 1,
        retries_max: 7,
    };
    Resilience { link: Some(link), retry, reroute_ns: 5_000, pause_guard_ns: 50_000, ..Resilience::default() }
}

#[test]
fn without_link_retry_a_damaged_frame_is_lost_on_that_link_and_sent_again_end_to_end() {
    let topology = system();
    let standard = FabricConfig { resilience: noisy(), ..mixed(EthernetParameters::standard()) };
    let with_retry = EthernetParameters { link_retry: true, ..EthernetParameters::standard() };
    let protected = FabricConfig { resilience: noisy(), ..mixed(with_retry) };
    for (from, to) in [(0, THIRD), (THIRD, 0)] {
        let record = ran(&topology, standard.clone(), vec![stream(from, to)]);
        let edge = topology.endpoint(EndpointId(THIRD)).port;
        assert!(record.discards.iter().all(|row| row.port == edge && row.cause == DiscardCause::UncorrectedFrame));
        let damaged = lost(&record, DiscardCause::UncorrectedFrame);
        let permille = damaged * 1_000 / record.packets_injected;
        // Half of them are short.
        assert!((3..15).contains(&permille), "{damaged} of {} frames", record.packets_injected);
        assert!(record.retry_totals.retries >= damaged, "each is sent again by its NIC");
        assert_eq!(record.failures.len(), 0);
        let whole = ran(&topology, protected.clone(), vec![stream(from, to)]);
        assert_eq!((whole.packets_discarded, whole.retry_totals.retries), (0, 0), "the link sends them again itself");
        assert_eq!(whole.jobs[0].delivered, record.jobs[0].delivered);
    }
}

#[test]
fn without_flow_control_an_edge_buffer_that_is_too_full_discards() {
    // A 400 Gb/s third-party endpoint sends into one of 100 Gb/s.
    let topology = with(vec![EthernetDescription::on_switch(0, 1, 400), EthernetDescription::on_switch(3, 4, 100)]);
    let send = || {
        job(
            "puts",
            [16, 17],
            "kind = 'incast'\nto = 'last'\nbytes = '1MiB'\nwindow = 4\nmessages = 8\niterations = 1",
            1,
        )
    };
    let held = ran(&topology, mixed(EthernetParameters::standard()), vec![send()]);
    assert_eq!(held.packets_discarded, 0, "pauses hold it back");
    assert!(count(&held, "hni_pause_xoff_sent", |_| true) > 0);
    let agreed = EthernetParameters { link_retry: true, credits: true, ..EthernetParameters::standard() };
    let credited = ran(&topology, mixed(agreed), vec![send()]);
    assert_eq!((credited.packets_discarded, count(&credited, "hni_pause_xoff_sent", |_| true)), (0, 0));
    assert_ne!(credited.digest, held.digest);
    let unheld = mixed(EthernetParameters { pause: false, ..EthernetParameters::standard() });
    let record =
        ran(&topology, FabricConfig { resilience: Resilience { link: None, ..noisy() }, ..unheld }, vec![send()]);
    assert!(lost(&record, DiscardCause::LossyClass) > 0);
    assert_eq!(count(&record, "hni_pause_xoff_sent", |_| true), 0);
    assert!(record.retry_totals.retries > 0);
}

/// Seven Cassini-2 endpoints send to one third-party endpoint of 400 Gb/s over TCP.
fn tcp_flows(ethernet: EthernetParameters) -> u64 {
    let topology = with(vec![EthernetDescription::on_switch(3, 1, 400)]);
    let text =
        "kind = 'incast'\noperation = 'send'\nto = 'last'\nbytes = '64KiB'\nwindow = 8\nmessages = 32\niterations = 1";
    let config = mixed(ethernet);
    // A program that takes data at no cost: only the kernel's cores count.
    let host = HostParameters { receive_overhead_ns: 0, copy_rate_mbytes: 1_000_000, ..config.host.clone() };
    finished(&ran(&topology, FabricConfig { host, ..config }, vec![job("flows", (8..16).chain([16]), text, 1)]), 0)
}

#[test]
fn more_receive_queues_and_checksums_in_the_nic_make_tcp_faster() {
    let [eight, one] = [8, 1].map(|receive_queues| tcp_flows(EthernetParameters { receive_queues, ..tcp() }));
    // One core: 8 flows of 32 messages of 45 packets, 300 ns each.
    let core = 8 * 32 * 45 * 300_000;
    assert!((core..core + core / 20).contains(&one), "{one} ps, one core's work is {core}");
    // The hash puts four of the eight flows into one queue of eight.
    assert!((one / 2..one * 11 / 20).contains(&eight), "{eight} ps with eight queues, {one} with one");
    let checked = tcp_flows(EthernetParameters { checksum_offload: false, receive_queues: 1, ..tcp() });
    let check = 8 * 32 * 65_536 * 125;
    assert!((one + check * 19 / 20..one + check * 21 / 20).contains(&checked), "{checked} ps without the offload");
    let roce = tcp_flows(EthernetParameters::standard());
    assert!(roce * 2 < one, "{roce} ps over RoCEv2: no core per packet");
}

/// `pause` and `credits` have a test of their own, above.
#[test]
fn every_other_parameter_moves_a_result() {
    let topology = system();
    let jobs = || {
        vec![
            job("small", [0, THIRD], "kind = 'ping-pong'\nbytes = '300B'\niterations = 4", 1),
            job(
                "large",
                [THIRD + 1, 1],
                "kind = 'bandwidth'\nbytes = '64KiB'\nwindow = 4\nbidirectional = true\niterations = 1",
                1,
            ),
            job(
                "tiny",
                [THIRD + 2, 2, 3],
                "kind = 'incast'\nto = 'last'\nbytes = '8B'\nwindow = 64\nmessages = 64\niterations = 1",
                1,
            ),
            job(
                "many",
                [4, 5, 6, 7, THIRD + 3],
                "kind = 'incast'\noperation = 'send'\nto = 'last'\nbytes = '8KiB'\nwindow = 8\nmessages = 8\niterations = 1",
                1,
            ),
        ]
    };
    type Change = fn(&mut EthernetParameters);
    let standard = EthernetParameters::standard();
    let over_tcp = EthernetParameters { checksum_offload: false, ..tcp() };
    let retried = EthernetParameters { link_retry: true, ..standard.clone() };
    let cases: [(&str, &EthernetParameters, Change); 16] = [
        ("transport", &standard, |to| to.transport = ThirdPartyTransport::Udp),
        ("mtu_bytes", &standard, |to| to.mtu_bytes = 9_000),
        ("inline_max_bytes", &standard, |to| to.inline_max_bytes = 400),
        ("command_ns", &standard, |to| to.command_ns = 300),
        ("dma_read_ns", &standard, |to| to.dma_read_ns = 300),
        ("transmit_ns", &standard, |to| to.transmit_ns = 400),
        ("receive_ns", &standard, |to| to.receive_ns = 500),
        ("packet_gap_ps", &standard, |to| to.packet_gap_ps = 90_000),
        ("eager_max_bytes", &standard, |to| to.eager_max_bytes = 1 << 17),
        ("short_frames", &retried, |to| to.short_frames = true),
        ("no_gap", &retried, |to| to.no_gap = true),
        ("link_retry", &standard, |to| to.link_retry = true),
        ("receive_queues", &over_tcp, |to| to.receive_queues = 1),
        ("receive_packet_ns", &over_tcp, |to| to.receive_packet_ns = 400),
        ("checksum_offload", &over_tcp, |to| to.checksum_offload = true),
        ("checksum_ps_per_byte", &over_tcp, |to| to.checksum_ps_per_byte = 200),
    ];
    for (name, base, change) in cases {
        let result = |parameters: EthernetParameters| {
            let record = ran(&topology, FabricConfig { resilience: noisy(), ..mixed(parameters) }, jobs());
            record.digest
        };
        let mut changed = base.clone();
        change(&mut changed);
        assert_ne!(result(base.clone()), result(changed), "{name} moves nothing");
    }
}

#[test]
fn partitions_do_not_show() {
    // Endpoints of the wiring keep their order, so that groups can be separate blocks.
    let replaced =
        EthernetDescription { switch: None, endpoint: Some(12), ..EthernetDescription::on_switch(0, 1, 100) };
    let topology = with(vec![replaced]);
    let digest = |partitions| {
        let jobs =
            vec![stream(0, 12), job("beside", [1, 5, 9, 13], "kind = 'alltoall'\nbytes = '64KiB'\niterations = 2", 1)];
        let config = FabricConfig { resilience: noisy(), ..mixed(EthernetParameters::standard()) };
        let record = run(
            &topology,
            config,
            RunOptions { execution: ExecutionOptions { partitions, ..options().execution.clone() }, ..options() },
            jobs,
        )
        .expect("it runs");
        (record.digest, record.simulated, record.packets_discarded)
    };
    assert_eq!(digest(1), digest(2));
    assert!(digest(1).2 > 0, "frames are lost on the way");
}

/// Switches combine packets of the system's own NICs: in a tree, others would have their times.
#[test]
fn third_party_endpoints_leave_no_operations_to_the_switches() {
    let workload = "kind = 'allreduce'\nalgorithm = 'switch-offloaded'\niterations = 1";
    let all = |nodes: [u32; 3]| vec![job("sums", nodes, workload, 1)];
    let config = || mixed(EthernetParameters::standard());
    ran(&system(), config(), all([0, 5, 9]));
    let error = run(&system(), config(), options(), all([0, 5, THIRD])).expect_err("one of RoCE").to_string();
    assert!(error.contains("endpoint 16") && error.contains("algorithm of software"), "{error}");
}

#[test]
fn unknown_third_party_kinds_are_refused() {
    let bare = FabricConfig { ethernet: Vec::new(), ..mixed(EthernetParameters::standard()) };
    let error = run(&system(), bare, options(), vec![stream(0, THIRD)]).expect_err("nothing says what they are");
    assert!(error.to_string().contains("third-party endpoints, and 0 kinds of them"), "{error}");
    let odd = EthernetParameters { mtu_bytes: 1_600, ..EthernetParameters::standard() };
    let error = run(&system(), mixed(odd), options(), vec![stream(0, THIRD)]).expect_err("no such MTU").to_string();
    assert!(error.contains("ethernet.mtu_bytes") && error.contains("1500 or 9000"), "{error}");
}

/// Point, bytes and length of each frame.
#[derive(Default)]
struct Kept(Vec<(usize, bool, Vec<u8>, usize)>);

impl CaptureSink for Kept {
    fn frame(&mut self, frame: &CapturedFrame<'_>) -> ControlFlow<()> {
        self.0.push((frame.point, frame.inbound, frame.bytes.to_vec(), frame.length));
        ControlFlow::Continue(())
    }
}

#[test]
fn captures_of_third_party_links_are_roce_or_tcp_and_of_others_the_fabric_header() {
    let jobs = || vec![stream(0, THIRD), competing_alltoall()];
    let capture = |parameters| {
        let config = mixed(parameters);
        let mut simulation = Simulation::new(system(), config, options(), jobs()).expect("legal");
        let point = |endpoint| CapturePoint {
            name: "here".into(),
            end: CaptureEnd::Nic(EndpointId(endpoint)),
            packets_max: 1 << 40,
            snap_bytes: 96,
        };
        simulation.capture(vec![point(THIRD), point(13)]).map(|()| simulation)
    };
    let mut kept = Kept::default();
    let simulation = capture(EthernetParameters::standard()).expect("the ports are there");
    simulation.run_into(&mut |_| ControlFlow::Continue(()), &mut kept).expect("it runs");
    // IPv4 without options, UDP, and the destination port of RoCEv2.
    let is_roce = |bytes: &[u8]| bytes[23] == 17 && bytes[36..38] == 4_791_u16.to_be_bytes();
    let of = |point: usize| kept.0.iter().filter(move |(at_point, ..)| *at_point == point);
    assert!(of(0).all(|(_, _, bytes, _)| is_roce(bytes)));
    let full = of(0).filter(|(_, inbound, _, length)| *inbound && *length >= 14 + 20 + 8 + 12 + 1_024 + 4).count();
    assert_eq!(full, 16 * 1_024, "every data packet from the Cassini-2 end");
    assert!(of(0).any(|(_, inbound, ..)| !inbound), "and what asks for it");
    assert!(of(1).count() > 0 && of(1).all(|(_, _, bytes, _)| !is_roce(bytes)), "Cassini among themselves");
    let mut kept = Kept::default();
    let simulation = capture(tcp()).expect("the ports are there");
    simulation.run_into(&mut |_| ControlFlow::Continue(()), &mut kept).expect("it runs");
    let of_third = || kept.0.iter().filter(|(at_point, ..)| *at_point == 0);
    assert!(
        of_third().count() > 0 && of_third().all(|(_, _, bytes, _)| bytes[23] == 6),
        "segments, where endpoints speak TCP"
    );
}
