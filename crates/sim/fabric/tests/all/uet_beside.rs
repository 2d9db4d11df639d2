//! Ultra Ethernet's endpoints on edge ports, beside Slingshot endpoints in one run.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::common::beside::{beside, classes, dragonfly, mixture, own_nodes, trimming, uet_job, uet_nodes, with};
use crate::common::uet::{LAWS, control, counted, iteration_us};
use crate::common::{config, job, run, run_by_reference};
use philae_congestion::{NsccParameters, RcccParameters, UetLaw};
use philae_fabric::{
    CaptureEnd, CapturePoint, CaptureSink, CapturedFrame, ExecutionOptions, FabricConfig, Job, RecordOptions,
    RunOptions, Simulation,
};
use philae_link_layer::{FecKind, LinkParameters};
use philae_nic_model::{EntropySpray, EthernetParameters, NicParameters, UetEncapsulation, UetLongSend, UetSizes};
use philae_results::RunSummary;
use philae_results::counter::CounterPlace;
use philae_results::record::{RunRecord, RunStatus};
use philae_topology::{DragonflyDescription, Topology};
use philae_traffic_class::{ClassSet, EntropyRouting, TrafficClass};
use philae_units::{EndpointId, Picoseconds};
use philae_wire::Framing;
use philae_wire::dissect::{LayerKind, Start, dissect};

fn options(micros: u64) -> RunOptions {
    RunOptions {
        time_limit: Picoseconds::from_micros(micros),
        records: RecordOptions { class_counters: true, ..RecordOptions::default() },
        ..RunOptions::default()
    }
}

fn ran(topology: &Arc<Topology>, config: FabricConfig, jobs: Vec<Job>) -> RunRecord {
    let record = run(topology, config, options(20_000), jobs).expect("it runs");
    assert_eq!(record.status, RunStatus::Completed);
    record
}

/// Each kind runs an incast beside a collective of the other. All arrives, nothing is lost for
/// good, and neither takes much from the other.
#[test]
fn each_kind_keeps_its_bandwidth_beside_an_incast_of_the_other() {
    let incast = "kind = 'incast'\nto = 'last'\nbytes = '256KiB'\niterations = 2";
    let small = "kind = 'alltoall'\nbytes = '4KiB'\niterations = 8";
    for law in LAWS {
        for trims in [false, true] {
            let config = || if trims { trimming(beside("slingshot", law), 150_000) } else { beside("slingshot", law) };
            let uet_incast = || uet_job("uet", uet_nodes(), incast);
            let uet_small = || uet_job("uet", uet_nodes(), small);
            let own_incast = || job("own", own_nodes(), incast, 1);
            let own_small = || job("own", own_nodes(), small, 1);
            let alone = |job: Job| iteration_us(&ran(&dragonfly(), config(), vec![job]), 0);
            let both = ran(&dragonfly(), config(), vec![uet_incast(), own_small()]);
            assert!(iteration_us(&both, 1) < 1.3 * alone(own_small()), "{law}: alltoall of Slingshot beside an incast");
            assert!(iteration_us(&both, 0) < 1.3 * alone(uet_incast()), "{law}: incast of Ultra Ethernet");
            let trimmed = counted(&both, "packets_trimmed", |_| true);
            assert_eq!(trimmed > 0, trims, "{law}: {trimmed} packets were trimmed");
            let other = ran(&dragonfly(), config(), vec![uet_small(), own_incast()]);
            assert!(iteration_us(&other, 0) < 1.3 * alone(uet_small()), "{law}: alltoall of Ultra Ethernet");
            assert!(iteration_us(&other, 1) < 1.3 * alone(own_incast()), "{law}: incast of Slingshot");
            for record in [both, other] {
                let summary = RunSummary::of(&record);
                assert_eq!((summary.operations_failed, record.packets_discarded), (0, 0), "{law}");
                assert!(summary.jobs.iter().all(|job| job.messages_undelivered == 0), "{law}");
            }
        }
    }
}

/// Two groups with one link between them, on which both kinds want more than there is: each class
/// gets what it is assured.
#[test]
fn each_class_gets_its_share_of_a_link() {
    let uet = || [0, 4, 8, 12].into_iter();
    let system = with(DragonflyDescription::uniform(2, 2, 4, 1), uet());
    let stream = "kind = 'bisection'\nbytes = '64KiB'\nwindow = 8";
    for (own_percent, uet_percent) in [(60, 20), (20, 60)] {
        for law in LAWS {
            let assured = |name: &str, percent| TrafficClass { assured_percent: percent, ..TrafficClass::named(name) };
            let of_uet = TrafficClass { responses: Some("control".to_owned()), ..assured("uet", uet_percent) };
            let set = vec![assured("own", own_percent), of_uet, control()];
            let config = FabricConfig { classes: ClassSet::new(set, 8).expect("legal"), ..beside("slingshot", law) };
            let jobs = vec![uet_job("uet", uet(), stream), job("own", [1, 5, 9, 13], stream, 1)];
            let warm_up = Picoseconds::from_micros(100);
            let record = run(&system, config, RunOptions { warm_up, ..options(300) }, jobs).expect("it runs");
            let rate = |job: usize| record.jobs[job].delivered.0 as f64 * 8.0 / 200e3;
            let (uet_gbps, own_gbps) = (rate(0), rate(1));
            // Both ways over one link of 400 Gb/s, of which headers take up to a twentieth.
            let least = |percent: u32| 0.95 * f64::from(percent) / 100.0 * 800.0 * 0.95;
            assert!(uet_gbps > least(uet_percent), "{law}, {uet_percent} %: {uet_gbps} and {own_gbps} Gb/s");
            assert!(own_gbps > least(own_percent), "{law}, {own_percent} %: {uet_gbps} and {own_gbps} Gb/s");
        }
    }
}

/// Packets of each kind have the sizes of their own formats.
#[test]
fn bytes_are_those_of_each_kind() {
    for law in ["nscc", "rccc"] {
        let config = beside("slingshot", law);
        let payload = config.ethernet[0].payload_max_bytes();
        assert_eq!(payload, 4_096, "in an MTU of 9,000");
        let sizes = UetSizes::new(&config.laws.uet, payload, law == "rccc").expect("sizes of the formats");
        let put = |nodes: [u32; 2]| {
            job("put", nodes, "kind = 'incast'\nto = 'last'\noperation = 'put'\nbytes = '256KiB'\niterations = 1", 1)
        };
        let jobs = vec![Job { class: philae_units::ClassId(1), ..put([0, 44]) }, put([1, 45])];
        let record = ran(&dragonfly(), config, jobs);
        let sent = |endpoint| {
            let here = |place| place == CounterPlace::Nic(EndpointId(endpoint));
            (counted(&record, "hni_pkts_sent_by_tc", here), counted(&record, "bytes_sent_by_class", here))
        };
        let (packets, bytes) = sent(0);
        // Under RCCC the sender asks for credit, too.
        let asks = packets - 64;
        assert!(asks == 0 || law == "rccc", "{asks}");
        let expected = 64 * u64::from(sizes.full()) + asks * u64::from(sizes.control());
        assert_eq!(bytes, expected, "{law}: 64 packets of {} bytes", sizes.full());
        let nic = NicParameters::cassini_2();
        let first = u64::from(nic.header_first_bytes - nic.header_next_bytes);
        assert_eq!(sent(1), (128, first + 128 * 2_085), "{law}: packets of Cassini-2");
        assert_eq!(sent(45).0, 1, "{law}: one response to the message");
        assert!(sent(44).0 > 8, "{law}: acknowledgements of 16 KiB, of four packets");
    }
}

#[test]
fn runs_repeat_on_any_number_of_partitions() {
    let configs = |fabric: &str, law: &str| {
        let mut ordered = beside(fabric, law);
        let class = TrafficClass { ordered: Some(true), lossy: true, ..TrafficClass::named("ordered") };
        ordered.classes = classes(class);
        let mut other_paths = trimming(beside(fabric, law), 60_000);
        let mut set = other_paths.classes.classes().to_vec();
        set[1].paths = Some(EntropyRouting::EcmpNonminimal);
        other_paths.classes = ClassSet::new(set, 8).expect("legal");
        other_paths.laws.uet.spray = EntropySpray::PathAware;
        let mut deferrable = beside(fabric, law);
        deferrable.laws.uet.long_send = UetLongSend::Deferrable;
        let mut by_credits = beside(fabric, law);
        (by_credits.ethernet[0].link_retry, by_credits.ethernet[0].credits) = (true, true);
        let mut noisy = beside(fabric, law);
        let errors = LinkParameters {
            bit_errors: 1,
            bit_errors_per_10_to: 6,
            fec: FecKind::None,
            ..LinkParameters::slingshot()
        };
        (noisy.resilience.link, noisy.resilience.reroute_ns) = (Some(errors), 5_000);
        noisy.laws.uet.retry_timeout_ns = 20_000;
        vec![
            ("credits between switches", beside(fabric, law)),
            ("noisy links", noisy),
            ("trimming", trimming(beside(fabric, law), 60_000)),
            ("ordered, lossy", ordered),
            ("path-aware", other_paths),
            ("deferrable", deferrable),
            ("credits at the edge", by_credits),
        ]
    };
    for (fabric, law) in [("slingshot", "nscc"), ("slingshot", "rccc"), ("none", "nscc with credits"), ("ecn", "nscc")]
    {
        for (what, config) in configs(fabric, law) {
            let options = |partitions| RunOptions {
                execution: ExecutionOptions { partitions, ..ExecutionOptions::default() },
                ..options(80)
            };
            let oracle = run_by_reference(&dragonfly(), config.clone(), options(1), mixture()).expect("it runs");
            for partitions in 1..4 {
                let record = run(&dragonfly(), config.clone(), options(partitions), mixture()).expect("it runs");
                assert_eq!(record.digest, oracle.digest, "{fabric}, {law}, {what}, {partitions} partitions");
            }
            let other = run(&dragonfly(), config, RunOptions { seed: 2, ..options(1) }, mixture()).expect("it runs");
            assert_ne!(other.digest, oracle.digest, "{fabric}, {law}, {what}: another seed");
        }
    }
}

/// A system whose third-party endpoints do nothing: what they speak changes nothing for others.
#[test]
fn idle_endpoints_change_nothing() {
    let jobs = || mixture().into_iter().skip(2).collect::<Vec<Job>>();
    let digest = |config| run(&dragonfly(), config, options(200), jobs()).expect("it runs").digest;
    let roce = FabricConfig { ethernet: vec![EthernetParameters::standard()], ..beside("slingshot", "nscc") };
    assert_eq!(digest(beside("slingshot", "nscc")), digest(roce));
}

/// Every parameter of the transport and of its laws changes a result of the endpoints' job.
#[test]
fn knobs() {
    type Change = (&'static str, fn(&mut FabricConfig));
    fn nscc(config: &mut FabricConfig) -> &mut NsccParameters {
        match &mut config.laws.uet_law {
            UetLaw::Nscc(law) => law,
            UetLaw::Rccc(_) => panic!("the law is nscc"),
        }
    }
    fn rccc(config: &mut FabricConfig) -> &mut RcccParameters {
        match &mut config.laws.uet_law {
            UetLaw::Rccc(law) => law,
            UetLaw::Nscc(_) => panic!("the law is rccc"),
        }
    }
    fn of_class(config: &mut FabricConfig, change: impl Fn(&mut TrafficClass)) {
        let mut set = config.classes.classes().to_vec();
        change(&mut set[1]);
        config.classes = ClassSet::new(set, 8).expect("legal");
    }
    // What the job of Ultra Ethernet's nodes sees.
    let result = |config: FabricConfig| {
        let record = run(&dragonfly(), config, options(400), mixture()).expect("it runs");
        let of_uet = record.jobs[..2].iter().map(|job| (job.delivered, job.finished));
        of_uet.collect::<Vec<_>>()
    };
    let of_nscc: Vec<Change> = vec![
        ("target_delay_ns", |config| nscc(config).target_delay_ns = 20_000),
        ("window_max_permille", |config| nscc(config).window_max_permille = 1_000),
        ("fair_increase_permille", |config| nscc(config).fair_increase_permille = 20_000),
        ("proportional_permille", |config| nscc(config).proportional_permille = 0),
        ("fast_increase_permille", |config| nscc(config).fast_increase_permille = 1_000),
        ("fast_below_ns", |config| nscc(config).fast_below_ns = 100),
        ("additive_increase_permille", |config| nscc(config).additive_increase_permille = 2_000),
        ("decrease_permille", |config| nscc(config).decrease_permille = 300),
        ("decrease_max_permille", |config| nscc(config).decrease_max_permille = 1),
        ("delay_gain_permyriad", |config| nscc(config).delay_gain_permyriad = 5_000),
        ("adjust_packets", |config| nscc(config).adjust_packets = 1),
        ("quick_adaptation", |config| nscc(config).quick_adaptation = false),
        ("quick_adaptation_shift", |config| nscc(config).quick_adaptation_shift = 0),
        ("credit_packets", |config| nscc(config).credit_packets = 2),
        ("mark_min_percent", |config| nscc(config).mark_min_percent = 60),
        ("mark_max_percent", |config| nscc(config).mark_max_percent = 200),
        ("ack_bytes", |config| config.laws.uet.ack_bytes = 4_096),
        ("retry_timeout_ns", |config| config.laws.uet.retry_timeout_ns = 20_000),
        ("spray", |config| config.laws.uet.spray = EntropySpray::Flow),
        ("entropy_values", |config| config.laws.uet.entropy_values = 2),
        ("encapsulation", |config| config.laws.uet.encapsulation = UetEncapsulation::Ip),
        ("ip", |config| config.laws.uet.ip = 6),
        ("frame_gap_bytes", |config| config.laws.uet.frame_gap_bytes = 0),
        ("long_send", |config| config.laws.uet.long_send = UetLongSend::Deferrable),
        ("mtu_bytes", |config| config.ethernet[0].mtu_bytes = 1_500),
        ("trimming", |config| *config = trimming(config.clone(), 40_000)),
        ("paths", |config| of_class(config, |class| class.paths = None)),
        ("paths, others", |config| of_class(config, |class| class.paths = Some(EntropyRouting::EcmpNonminimal))),
        ("ordered", |config| of_class(config, |class| class.ordered = Some(true))),
    ];
    let of_rccc: Vec<Change> = vec![
        ("window_max_permille", |config| rccc(config).window_max_permille = 500),
        ("credit_packets", |config| rccc(config).credit_packets = 1),
        ("mark_min_percent", |config| rccc(config).mark_min_percent = 60),
        ("mark_max_percent", |config| rccc(config).mark_max_percent = 200),
    ];
    for (name, changes) in [("nscc", of_nscc), ("rccc", of_rccc)] {
        // Lossy, so that timers and quick adaptation act, and by entropy, so that marks do.
        let mut base = trimming(beside("none", name), 40_000);
        of_class(&mut base, |class| class.trimming = false);
        if let UetLaw::Nscc(law) = &mut base.laws.uet_law {
            // So that a short run has delays above the target.
            (law.target_delay_ns, law.delay_gain_permyriad) = (1_000, 1_000);
        }
        let before = result(base.clone());
        let idle: Vec<&str> = changes
            .into_iter()
            .filter(|(_, change)| {
                let mut changed = base.clone();
                change(&mut changed);
                result(changed) == before
            })
            .map(|(what, _)| what)
            .collect();
        assert_eq!(idle, Vec::<&str>::new(), "under {name} these change nothing");
    }
}

/// Frames by the dissector: those of Ultra Ethernet at its endpoints, of Slingshot at others.
#[test]
fn captures_show_the_frames_of_each_kind() {
    #[derive(Default)]
    struct Kept(Vec<(usize, Vec<u8>)>);
    impl CaptureSink for Kept {
        fn frame(&mut self, frame: &CapturedFrame<'_>) -> ControlFlow<()> {
            self.0.push((frame.point, frame.bytes.to_vec()));
            ControlFlow::Continue(())
        }
    }
    for law in LAWS {
        let config = trimming(beside("slingshot", law), 60_000);
        let mut simulation = Simulation::new(dragonfly(), config, options(60), mixture()).expect("legal");
        let point = |endpoint| CapturePoint {
            name: "here".into(),
            end: CaptureEnd::Nic(EndpointId(endpoint)),
            packets_max: 1 << 40,
            snap_bytes: 1 << 16,
        };
        simulation.capture(vec![point(0), point(1)]).expect("the ports are there");
        let mut kept = Kept::default();
        simulation.run_into(&mut |_| ControlFlow::Continue(()), &mut kept).expect("it runs");
        let mut seen = [0, 0];
        for (at, bytes) in &kept.0 {
            let layers = dissect(bytes, Start::Ethernet(Framing::Bare));
            assert_eq!(layers.error(), None, "{law}");
            let is_uet = layers.innermost(LayerKind::UetDelivery).is_some();
            let is_pause = layers.innermost(LayerKind::MacControl).is_some();
            assert!(is_uet == (*at == 0) || is_pause, "{law}: at point {at}");
            seen[*at] += u32::from(!is_pause);
        }
        assert!(seen.iter().all(|count| *count > 20), "{law}: {seen:?} frames");
    }
}

#[test]
fn what_cannot_work_is_refused() {
    let refused_with = |config: FabricConfig, jobs: Vec<Job>| {
        run(&dragonfly(), config, options(50), jobs).expect_err("it is refused").to_string()
    };
    let refused = |change: fn(&mut FabricConfig)| {
        let mut config = beside("slingshot", "nscc");
        change(&mut config);
        refused_with(config, mixture())
    };
    let pair =
        refused_with(beside("slingshot", "nscc"), vec![uet_job("both", 1..6, "kind = 'barrier'\niterations = 1")]);
    assert!(pair.contains("endpoint 4, whose NIC speaks Ultra Ethernet, and at endpoint 1,"), "{pair}");
    let class = refused_with(
        trimming(beside("slingshot", "nscc"), 60_000),
        vec![uet_job("own", own_nodes(), "kind = 'barrier'\niterations = 1")],
    );
    assert!(class.contains("job own is in class 'ultra ethernet', which has `trimming`"), "{class}");
    let law = refused_with(FabricConfig { congestion: config("nscc").congestion, ..beside("none", "nscc") }, mixture());
    assert!(law.contains("hardware.ethernet.transport = \"uet\""), "{law}");
    let uncredited = refused(|config| {
        config.laws.uet_law = UetLaw::Rccc(RcccParameters { credit_packets: 0, ..RcccParameters::uec() });
    });
    assert!(uncredited.contains("hardware.uet_law.credit_packets"), "{uncredited}");
    let kernel = refused(|config| config.host.path = philae_nic_model::HostPath::Kernel);
    assert!(kernel.contains("through the kernel"), "{kernel}");
    let sizes = refused(|config| config.laws.uet.encapsulation = UetEncapsulation::Nic);
    assert!(sizes.contains("hardware.uet.encapsulation"), "{sizes}");
    let gap = refused(|config| config.ethernet[0].no_gap = true);
    assert!(gap.contains("hardware.uet.frame_gap_bytes"), "{gap}");
    let version = refused(|config| config.laws.uet.ip = 5);
    assert!(version.contains("hardware.uet.ip"), "{version}");
    let mode = refused(|config| config.routing.mode = philae_path::RoutingMode::EcmpNonminimal);
    assert!(mode.contains("paths = \"ecmp-nonminimal\""), "{mode}");
    let two = refused(|config| config.ethernet.push(config.ethernet[0].clone()));
    assert!(two.contains("2 kinds"), "{two}");
    let mut roce = trimming(beside("slingshot", "nscc"), 60_000);
    roce.ethernet[0] = EthernetParameters::standard();
    let paths = refused_with(roce, mixture());
    assert!(paths.contains("class.paths is given in class 'ultra ethernet'"), "{paths}");
}
