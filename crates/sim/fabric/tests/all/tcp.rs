//! TCP connections with windows: the closed form, what each parameter does, a slow receiver, many
//! connections into one node, and what captures and explanations show.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use crate::common::{config, job, run, topology};
use philae_fabric::{
    CaptureEnd, CapturePoint, CaptureSink, CapturedFrame, Checkpoint, CheckpointSource, ExecutionOptions,
    ExplainTarget, FabricConfig, HostLaws, Job, Keeper, RunOptions, Simulation, tcp_round_trip,
};
use philae_nic_model::{CongestionControl, HostParameters, NicParameters, TcpParameters};
use philae_path::RoutingMode;
use philae_results::explain::TimePart;
use philae_results::record::{RunRecord, RunStatus};
use philae_topology::{DragonflyDescription, Topology};
use philae_units::{EndpointId, Picoseconds, PortIndex};

/// Payload of a full segment in these tests.
const SEGMENT: u64 = 4_096;

/// Linux's, with core time for each acknowledgement.
fn linux() -> TcpParameters {
    TcpParameters { ack_ns: 300, ..TcpParameters::linux() }
}

/// ConnectX-5 under TCP, with windows.
pub fn windowed(tcp: TcpParameters) -> FabricConfig {
    let mut config = config("slingshot");
    config.switch.latency_spread_ns = 0;
    config.switch.ack_overhead_bytes = 0;
    config.routing.mode = RoutingMode::Minimal;
    config.nic = NicParameters::connectx_5();
    config.host = HostParameters::connectx_5_tcp();
    config.laws.tcp = Some(tcp);
    config
}

/// A program and a kernel whose cores take no time for data.
pub fn with_free_cores(config: FabricConfig) -> FabricConfig {
    let host = HostParameters {
        send_overhead_ns: 0,
        receive_overhead_ns: 0,
        segment_ns: 0,
        copy_rate_mbytes: 1_000_000_000,
        ..config.host.clone()
    };
    FabricConfig { host, ..config }
}

/// Only the receiver's window limits a sender, and each segment is acknowledged at once.
pub fn buffer_of(segments: u64) -> TcpParameters {
    TcpParameters {
        receive_buffer_bytes: (segments * SEGMENT) as u32,
        congestion_control: CongestionControl::None,
        ack_segments: 1,
        ..linux()
    }
}

fn ran(topology: &Arc<Topology>, config: FabricConfig, jobs: Vec<Job>) -> RunRecord {
    let options = RunOptions { time_limit: Picoseconds::from_micros(1_000_000), ..RunOptions::default() };
    let record = run(topology, config, options, jobs).expect("it runs");
    assert_eq!(record.status, RunStatus::Completed);
    record
}

fn finished(record: &RunRecord, job: usize) -> u64 {
    record.jobs[job].finished.expect("the job ends").0
}

/// One message of `bytes` from node 0 to node 1, on one switch.
fn message(bytes: u64) -> Vec<Job> {
    vec![job("message", [0, 1], &format!("kind = 'bandwidth'\nbytes = {bytes}\nwindow = 1\niterations = 1"), 1)]
}

fn pair() -> Arc<Topology> {
    topology(DragonflyDescription::uniform(2, 1, 8, 1))
}

/// The edge port of an endpoint: the whole path on one switch.
fn port_of(topology: &Topology, endpoint: u32) -> [PortIndex; 1] {
    [topology.endpoint(EndpointId(endpoint)).port]
}

#[test]
fn a_window_a_round_trip_is_the_rate_of_a_connection() {
    let topology = pair();
    for ack_segments in [1, 2] {
        for segments in [5, 9] {
            let config = with_free_cores(windowed(TcpParameters { ack_segments, ..buffer_of(segments) }));
            let (there, back) = (port_of(&topology, 1), port_of(&topology, 0));
            let turn = tcp_round_trip(&topology, &config, (EndpointId(0), &there), (EndpointId(1), &back));
            // The last segment that an acknowledgement answers is still in the buffer, and others
            // wait for it.
            let a_turn = segments - 1;
            let spread = u64::from(ack_segments - 1) * 4_158 * 40;
            assert!(turn.0 > 2 * a_turn * 4_158 * 40, "the link is not what limits it");
            let took = |turns: u64| finished(&ran(&topology, config.clone(), message(turns * a_turn * SEGMENT)), 0);
            let turns = 40;
            let each = (took(20 + turns) - took(20)) as f64 / turns as f64;
            let expected = (turn.0 + spread) as f64;
            if ack_segments == 1 {
                assert_eq!(each, expected, "{segments} segments, a round trip of {turn}");
            }
            assert!((each / expected - 1.0).abs() < 0.1, "{segments} segments: {each} ps a turn, not {expected}");
        }
    }
}

#[test]
fn what_fits_the_first_window_takes_as_long_as_without_windows() {
    let topology = pair();
    let bare = |bytes, windows: bool| {
        let mut config = windowed(linux());
        // Both ways of acknowledging have no part in a message that has arrived.
        (config.nic.ordered, config.nic.responses) = (true, philae_nic_model::ResponseScope::Switch);
        config.laws.tcp = config.laws.tcp.filter(|_| windows);
        finished(&ran(&topology, config, message(bytes)), 0)
    };
    for bytes in [1, 100, 4_096] {
        assert_eq!(bare(bytes, true), bare(bytes, false), "{bytes} bytes");
    }
    // The core makes the last acknowledgement before it copies.
    assert_eq!(bare(40_960, true), bare(40_960, false) + 300_000);
}

/// An offload that would merge more segments than the first window has does not wait for the timer.
#[test]
fn a_first_window_below_a_merge_is_acknowledged() {
    let topology = pair();
    let took = |ack_segments| {
        let tcp = TcpParameters { ack_segments, ..linux() };
        finished(&ran(&topology, windowed(tcp), message(1 << 20)), 0)
    };
    let (second, merged) = (took(2), took(16));
    assert!(merged < 2 * second, "{merged} ps with a merge of 16, {second} ps with every second segment");
}

#[test]
fn slow_start_takes_as_many_round_trips_as_its_closed_form_says() {
    let topology = pair();
    let tcp = TcpParameters { ack_segments: 1, ack_ns: 0, initial_window_segments: 1, ..linux() };
    let config = with_free_cores(windowed(tcp.clone()));
    let (there, back) = (port_of(&topology, 1), port_of(&topology, 0));
    let turn = tcp_round_trip(&topology, &config, (EndpointId(0), &there), (EndpointId(1), &back)).0;
    let took = |segments: u64| finished(&ran(&topology, config.clone(), message(segments * SEGMENT)), 0);
    // 1, 2, 4, 8 segments a round trip: the link carries far more in one.
    let mut whole = 0;
    for turns in 0..4 {
        whole += philae_nic_model::slow_start_bytes(&tcp, SEGMENT as u32, turns) / SEGMENT;
        // One segment more needs one round trip more, but for the rest of the last one's burst.
        let more = took(whole + 1) - took(whole);
        // A core copies a segment in 4 ps here.
        let burst = (1 << turns) * 4_158 * 40;
        assert!((turn - burst..turn + 20).contains(&more), "{turns} round trips: {more} ps for one more of {turn}");
    }
}

/// A stream, an exchange in both directions and an incast.
fn mixture() -> Vec<Job> {
    vec![
        job("stream", [0, 9], "kind = 'bandwidth'\nbytes = '300KiB'\nwindow = 4\niterations = 2", 1),
        job("small", [1, 10], "kind = 'ping-pong'\nbytes = '6KiB'\niterations = 8", 1),
        job(
            "incast",
            [2, 3, 11, 12, 4],
            "kind = 'incast'\noperation = 'send'\nto = 'last'\nbytes = '100KiB'\nwindow = 3\nmessages = 4\niterations = 1",
            1,
        ),
        job("both", [5, 6, 13, 14], "kind = 'sendrecv-alltoall'\nbytes = '50KiB'\niterations = 2", 1),
    ]
}

fn small() -> TcpParameters {
    TcpParameters { receive_buffer_bytes: 65_536, initial_window_segments: 4, ..linux() }
}

#[test]
fn every_parameter_moves_a_result() {
    type Change = fn(&mut TcpParameters);
    let changes: [(&str, Change); 6] = [
        ("receive_buffer_bytes", |to| to.receive_buffer_bytes = 40_000),
        ("congestion_control", |to| to.congestion_control = CongestionControl::None),
        ("initial_window_segments", |to| to.initial_window_segments = 5),
        ("ack_segments", |to| to.ack_segments = 3),
        ("ack_delay_us", |to| to.ack_delay_us = 10),
        ("ack_ns", |to| to.ack_ns = 400),
    ];
    let result = |tcp| ran(&pair(), windowed(tcp), mixture()).digest;
    let base = result(small());
    for (name, change) in changes {
        let mut changed = small();
        change(&mut changed);
        assert_ne!(result(changed), base, "{name} moves nothing");
    }
    let without = ran(&pair(), FabricConfig { laws: HostLaws::default(), ..windowed(small()) }, mixture()).digest;
    assert_ne!(without, base, "and the windows themselves do");
}

#[test]
fn a_slow_receiver_closes_the_window_and_leaves_the_fabric_free() {
    let slow = |tcp: Option<TcpParameters>| {
        let mut config = windowed(linux());
        (config.laws.tcp, config.host.copy_rate_mbytes) = (tcp, 500);
        let jobs = vec![
            job(
                "slow",
                [0, 2, 3, 4, 8],
                "kind = 'incast'\noperation = 'send'\nto = 'last'\nbytes = '64KiB'\nwindow = 64\nmessages = 64\niterations = 1",
                1,
            ),
            job(
                "beside",
                [1, 9],
                "kind = 'one-sided'\noperation = 'put'\nbytes = '64KiB'\nwindow = 1\niterations = 40",
                1,
            ),
        ];
        let options = RunOptions { time_limit: Picoseconds::from_micros(3_000), ..RunOptions::default() };
        run(&pair(), config, options, jobs).expect("it runs")
    };
    let buffer = 131_072;
    let (held, free) = (slow(Some(TcpParameters { receive_buffer_bytes: buffer, ..small() })), slow(None));
    let taken = |record: &RunRecord| record.jobs[0].received.expect("packets are counted").bytes.0;
    let (taken_held, taken_free) = (taken(&held), taken(&free));
    // Four connections: what has arrived and was not taken is at most what their buffers hold, and
    // parts of messages that the core has read.
    let arrived = held.jobs[0].delivered.0;
    assert!(arrived <= taken_held + 4 * (u64::from(buffer) + 65_536), "{arrived} have arrived, {taken_held} are taken");
    assert!(free.jobs[0].delivered.0 > taken_free + 8 * u64::from(buffer), "without windows everything is there");
    assert!(taken_held * 10 > taken_free * 8, "the core takes {taken_held} bytes with windows, {taken_free} without");
    assert!(finished(&held, 1) < finished(&free, 1), "who sends beside it does not wait for the slow receiver");
}

#[test]
fn many_connections_into_one_node_share_it_and_keep_their_windows() {
    // Audits run in every run: no window is exceeded, and every byte is somewhere.
    let text =
        "kind = 'incast'\noperation = 'send'\nto = 'last'\nbytes = '128KiB'\nwindow = 4\nmessages = 16\niterations = 1";
    let jobs = || vec![job("many", (1..16).chain([0]), text, 1)];
    let config = with_free_cores(windowed(small()));
    let record = ran(&pair(), config.clone(), jobs());
    // 15 streams of 16 messages at 100 Gb/s.
    let least = 15 * 16 * 131_072 * 80 / 2;
    let took = finished(&record, 0);
    assert!((least..least * 3 / 2).contains(&took), "{took} ps, {least} at line rate");
    let bytes = |record: &RunRecord| record.packets_injected;
    let without = ran(&pair(), FabricConfig { laws: HostLaws::default(), ..config }, jobs());
    // A pure acknowledgement for every second of 32 segments, and few more.
    let data = 15 * 16 * 32;
    assert!(bytes(&record) >= data + data / 2, "{} packets", bytes(&record));
    assert_eq!(bytes(&without), data + 15 * 16, "without windows, one response a message");
}

#[test]
fn partitions_and_threads_do_not_show() {
    let system = topology(DragonflyDescription::uniform(4, 2, 4, 1));
    let record = |partitions, threads| {
        let execution = ExecutionOptions {
            partitions,
            threads,
            thread_events_min: 0,
            far_ports_min: 0,
            block_ports_min: 0,
            ..ExecutionOptions::default()
        };
        let options =
            RunOptions { execution, time_limit: Picoseconds::from_micros(1_000_000), ..RunOptions::default() };
        let record = run(&system, windowed(small()), options, mixture()).expect("it runs");
        format!("{:?}", RunRecord { model_bytes_peak: 0, ..record })
    };
    let one = record(1, 1);
    assert!(one == record(4, 1) && one == record(4, 2) && one == record(2, 2));
}

/// Saves a run once.
struct Once(Picoseconds, Arc<Mutex<Vec<u8>>>);

impl Keeper for Once {
    fn next(&self) -> Picoseconds {
        self.0
    }
    fn keep(&mut self, source: &CheckpointSource<'_>) {
        self.0 = Picoseconds::MAX;
        source.write("1", "a test", &mut *self.1.lock().expect("one thread")).expect("memory takes it");
    }
}

#[test]
fn a_checkpoint_has_the_connections() {
    let build = || {
        let options = RunOptions { time_limit: Picoseconds::from_micros(1_000_000), ..RunOptions::default() };
        Simulation::new(pair(), windowed(small()), options, mixture()).expect("it builds")
    };
    let end = |simulation: Simulation| simulation.run(&mut |_| ControlFlow::Continue(())).expect("it runs");
    let whole = end(build());
    for at in [40, 90, 200] {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let mut first = build();
        first.keep(Box::new(Once(Picoseconds::from_micros(at), Arc::clone(&kept)))).expect("it can be kept");
        end(first);
        let bytes = kept.lock().expect("one thread").clone();
        let mut rest = build();
        rest.resume(Checkpoint::open(Cursor::new(&bytes)).expect("a checkpoint")).expect("of this run");
        assert_eq!(end(rest).digest, whole.digest, "cut at {at} us");
    }
}

#[test]
fn explanations_say_that_a_message_waited_for_the_window() {
    let build = || {
        let options = RunOptions { time_limit: Picoseconds::from_micros(1_000_000), ..RunOptions::default() };
        Simulation::new(pair(), windowed(small()), options, mixture()).expect("it builds")
    };
    let plain = build().run(&mut |_| ControlFlow::Continue(())).expect("it runs");
    let target = |row: &philae_results::record::MessageRow| ExplainTarget {
        job: row.job,
        source: row.source,
        destination: row.destination,
        issued: row.issued,
    };
    let targets: Vec<ExplainTarget> = plain.messages.iter().map(target).collect();
    let mut again = build();
    again.explain(&targets).expect("one partition");
    let record = again.run(&mut |_| ControlFlow::Continue(())).expect("it runs again");
    assert_eq!(record.digest, plain.digest);
    for message in &philae_results::explain::explanations(&record) {
        assert_eq!(message.parts.iter().map(|part| part.time_ps).sum::<u64>(), message.latency_ps, "{message:?}");
    }
    let waits = |job| {
        let of_job = |row: &&philae_results::explain::PartRow| row.message.job.0 == job && row.part == TimePart::Window;
        record.explained.iter().filter(of_job).map(|row| row.time.0).sum::<u64>()
    };
    assert!(waits(0) > 50_000_000, "the stream waits for its window, {} ps", waits(0));
    assert_eq!(waits(1), 0, "a window holds two segments");
}

/// Point, direction and bytes of each frame.
#[derive(Default)]
struct Kept(Vec<(usize, bool, Vec<u8>)>);

impl CaptureSink for Kept {
    fn frame(&mut self, frame: &CapturedFrame<'_>) -> ControlFlow<()> {
        self.0.push((frame.point, frame.inbound, frame.bytes.to_vec()));
        ControlFlow::Continue(())
    }
}

#[test]
fn captures_show_acknowledgements_with_their_numbers_and_windows() {
    let tcp = TcpParameters { receive_buffer_bytes: 131_072, ..small() };
    let options = RunOptions { time_limit: Picoseconds::from_micros(1_000_000), ..RunOptions::default() };
    let mut simulation = Simulation::new(pair(), windowed(tcp), options, message(100 * SEGMENT)).expect("it builds");
    let point = |endpoint| CapturePoint {
        name: "here".into(),
        end: CaptureEnd::Nic(EndpointId(endpoint)),
        packets_max: 1 << 40,
        snap_bytes: 96,
    };
    simulation.capture(vec![point(0), point(1)]).expect("the ports are there");
    let mut kept = Kept::default();
    simulation.run_into(&mut |_| ControlFlow::Continue(()), &mut kept).expect("it runs");
    let word = |bytes: &[u8], at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let length = |bytes: &[u8]| u64::from(u16::from_be_bytes([bytes[16], bytes[17]])) - 40;
    // At the sender: the end of what it has sent stays within what it was told, in the order of the
    // capture.
    let (mut edge, mut told, mut pure) = (131_072_u64, 0_u64, 0_u64);
    for (_, inbound, bytes) in kept.0.iter().filter(|(point, ..)| *point == 0) {
        assert_eq!(bytes[23], 6, "TCP");
        let (sequence, acknowledgement) = (u64::from(word(bytes, 38)), u64::from(word(bytes, 42)));
        let window = u64::from(u16::from_be_bytes([bytes[48], bytes[49]])) << 2;
        if *inbound && length(bytes) == 0 {
            assert!(acknowledgement > told, "each acknowledges more, or tells of more room");
            (told, pure) = (acknowledgement - u64::from(window <= edge), pure + 1);
            edge = edge.max(acknowledgement - 1 + window + 3);
        } else if !*inbound {
            assert!(sequence - 1 + length(bytes) <= edge, "{sequence} and {} bytes, room up to {edge}", length(bytes));
        }
    }
    // The last ones may be on their way when the run ends.
    assert!((45..=70).contains(&pure), "{pure} acknowledgements of 100 segments");
    // At the receiver: what it acknowledges is what it has got.
    let mut received = 0;
    for (_, inbound, bytes) in kept.0.iter().filter(|(point, ..)| *point == 1) {
        if *inbound {
            received += length(bytes);
        } else {
            assert!(u64::from(word(bytes, 42)) <= received + 1);
        }
    }
    assert_eq!(received, 100 * SEGMENT);
}

#[test]
fn where_no_end_speaks_tcp_nothing_changes() {
    let digest = |tcp| {
        let laws = HostLaws { tcp, ..HostLaws::default() };
        let mpi = FabricConfig { host: HostParameters::connectx_5_mpi(), laws, ..windowed(small()) };
        ran(&pair(), mpi, mixture()).digest
    };
    assert_eq!(digest(Some(small())), digest(None));
}

#[test]
fn what_cannot_have_windows_is_refused() {
    let refused = |config: FabricConfig| {
        let error = run(&pair(), config, RunOptions::default(), message(1)).expect_err("it is refused");
        error.to_string()
    };
    let small_buffer = windowed(TcpParameters { receive_buffer_bytes: 8_000, ..small() });
    assert!(refused(small_buffer).contains("two full segments"));
}
