//! Every workload: its programs match and finish, send what is documented, and every knob has an
//! effect.

use std::collections::VecDeque;

use philae_units::{Bytes, RankId};
use philae_workload::{
    Action, Op, Progress, RankSummary, SendMode, Workload, WorkloadError, WorkloadSpec, simulate_semantics,
};

fn read(text: &str) -> WorkloadSpec {
    toml::from_str(&text.replace("; ", "\n")).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn run_with(spec: &WorkloadSpec, ranks: u32, mode: SendMode, seed: u64) -> Vec<RankSummary> {
    spec.check(ranks).unwrap_or_else(|error| panic!("{error}"));
    let programs = (0..ranks).map(|rank| spec.program(RankId(rank), ranks, 5)).collect();
    simulate_semantics(programs, mode, seed, 10_000_000)
        .unwrap_or_else(|error| panic!("{} on {ranks} ranks, {mode:?}: {error}", spec.describe()))
}

fn run(text: &str, ranks: u32) -> Vec<RankSummary> {
    run_with(&read(text), ranks, SendMode::Rendezvous, 0)
}

/// The first answers of every rank's program if operations complete in the order in which they were
/// started.
fn trace(spec: &WorkloadSpec, ranks: u32, seed: u64) -> Vec<Vec<Vec<Action>>> {
    let of_rank = |rank| {
        let mut program = spec.program(RankId(rank), ranks, seed);
        let (mut all, mut outstanding, mut completed) = (Vec::new(), VecDeque::new(), None);
        loop {
            let mut actions = Vec::new();
            let progress = program.advance(completed, &mut actions);
            outstanding.extend(actions.iter().filter_map(|action| match action {
                Action::Start(handle, _) => Some(*handle),
                _ => None,
            }));
            all.push(actions);
            if progress == Progress::Finished || all.len() > 2_000 {
                return all;
            }
            completed = Some(outstanding.pop_front().expect("a running program has something outstanding"));
        }
    };
    (0..ranks).map(of_rank).collect()
}

/// Workloads by kind, each with other values for each of its keys.
const KNOBS: &[(&str, &[&str])] = &[
    ("ping-pong", &["bytes = 16", "pairs = 'halves'", "pairs = 'ends'", "pairs = 'neighbours'", "compute = '1us'"]),
    ("bandwidth", &["bytes = 16", "pairs = 'halves'", "window = 8", "bidirectional = true"]),
    ("permutation", STREAM),
    ("uniform-random", &["bytes = 16", "window = 3", "offered = { load = 0.5, rate_gbps = 200 }"]),
    ("shift", STREAM),
    ("shift", &["by = 2", "stride = 3"]),
    ("bisection", STREAM),
    (
        "incast",
        &[
            "bytes = 16",
            "operation = 'send'",
            "operation = 'get'",
            "to = 'last'",
            "targets = 3",
            "messages = 8",
            "gap = '5us'",
            "barrier = true",
        ],
    ),
    ("incast; messages = 8", &["window = 4"]),
    (
        "one-sided",
        &[
            "bytes = 16",
            "operation = 'get'",
            "operation = 'amo'",
            "operation = 'fetching-amo'",
            "pattern = 'one-to-many'",
            "pattern = 'many-to-one'",
            "window = 4",
        ],
    ),
    ("one-sided; pattern = 'one-to-many'", &["ones = 3"]),
    (
        "alltoall; bytes = 8",
        &[
            "algorithm = 'scattered'",
            "algorithm = 'pairwise'",
            "compute = '1us'",
            "selection = { source = 'test', alltoall = [{ algorithm = 'pairwise' }], allreduce = [{ algorithm = 'ring' }] }",
        ],
    ),
    ("alltoall", &["bytes = 16", "algorithm = 'bruck'"]),
    ("alltoall; bytes = 8", &["in_place = true", "algorithm = 'sendrecv-replace'", "every = 2"]),
    (
        "alltoallv",
        &[
            "bytes = 16",
            "algorithm = 'pairwise'",
            "in_place = true",
            "compute = '1us'",
            "sizes = { drawn = 'uniform' }",
            "sizes = { drawn = 'exponential' }",
            "sizes = { hot = { ranks = 2, factor = 3 } }",
            "selection = { source = 'test', alltoallv = [{ algorithm = 'pairwise' }] }",
        ],
    ),
    ("sendrecv-alltoall", &["bytes = 16", "compute = '1us'"]),
    ("allreduce", &["bytes = 16", "compute = '1us'", "algorithm = 'ring'"]),
    ("allreduce; bytes = '64KiB'", &["algorithm = 'recursive-doubling'", "algorithm = 'tree'", "element = '32KiB'"]),
    (
        "reduce-scatter",
        &[
            "bytes = 16",
            "algorithm = 'pairwise'",
            "compute = '1us'",
            UNEVEN,
            "sizes = { hot = { ranks = 2, factor = 3 } }",
            "selection = { source = 'test', reduce-scatter = [{ algorithm = 'pairwise' }] }",
        ],
    ),
    ("reduce-scatter; bytes = 64; sizes = { drawn = 'uniform' }", &["element = 16"]),
    (
        "allgather",
        &[
            "bytes = 16",
            "algorithm = 'ring'",
            "algorithm = 'recursive-doubling'",
            "compute = '1us'",
            UNEVEN,
            "sizes = { drawn = 'uniform' }",
            "selection = { source = 'test', allgather = [{ algorithm = 'ring' }] }",
        ],
    ),
    (
        "reduce",
        &[
            "bytes = 16",
            "root = 3",
            "compute = '1us'",
            "algorithm = 'reduce-scatter-gather'",
            "selection = { source = 'test', reduce = [{ algorithm = 'reduce-scatter-gather' }] }",
        ],
    ),
    ("reduce; bytes = '64KiB'", &["element = '32KiB'"]),
    (
        "gather",
        &[
            "bytes = 16",
            "root = 3",
            "compute = '1us'",
            "algorithm = 'linear'",
            UNEVEN,
            "selection = { source = 'test', gather = [{ algorithm = 'linear' }] }",
        ],
    ),
    (
        "scatter",
        &[
            "bytes = 16",
            "root = 3",
            "compute = '1us'",
            "algorithm = 'linear'",
            UNEVEN,
            "selection = { source = 'test', scatter = [{ algorithm = 'linear' }] }",
        ],
    ),
    (
        "barrier",
        &["compute = '1us'", "selection = { source = 'test', barrier = [{ algorithm = 'switch-offloaded' }] }"],
    ),
    (
        "broadcast",
        &[
            "bytes = 16",
            "root = 3",
            "compute = '1us'",
            "algorithm = 'scatter-ring'",
            "algorithm = 'scatter-recursive-doubling'",
            "selection = { source = 'test', broadcast = [{ algorithm = 'scatter-ring' }] }",
        ],
    ),
    (
        "random-ring",
        &[
            "bytes = 16",
            "operation = 'put'",
            "operation = 'get'",
            "window = 8",
            "barrier = true",
            "natural = true",
            "per_ring = 2",
            "slices = 3",
        ],
    ),
    ("congestors", &["bytes = 16"]),
    (
        "sliced-collective",
        &[
            "bytes = 16",
            "operation = 'alltoall'",
            "operation = 'allgather'",
            "operation = 'broadcast'",
            "operation = 'reduce'",
            "operation = 'barrier'",
            "slices = 3",
            "barriers = true",
        ],
    ),
    ("sliced-collective; bytes = '64KiB'", &["element = '32KiB'"]),
    ("halo3d", &["cells = [10, 10, 20]", "vars = 2", "compute = '2us'", "grid = [12, 1, 1]", "diagonals = true"]),
    ("flow-sizes", &[]),
    ("sweep3d", &["cells = [50, 60, 100]", "kba = 20", "vars = 2", "compute = '2us'", "grid = [12, 1]"]),
    ("halo3d-26", &["cells = [10, 10, 20]", "vars = 2", "compute = '2us'", "grid = [12, 1, 1]"]),
    (
        "milc",
        &[
            "sites = [8, 8, 8, 16]",
            "naik_layers = 0",
            "gflops = 10",
            "allreduce = 'ring'",
            "grid = [12, 1, 1, 1]",
            "periodic = false",
        ],
    ),
    (
        "lammps; rebuild_every = 2; thermo_every = 3",
        &[
            "atoms = 64000",
            "density = 0.7",
            "cutoff = 3",
            "skin = 0.4",
            "migrating = 0.01",
            "compute = '1us'",
            "allreduce = 'ring'",
            "grid = [12, 1, 1]",
        ],
    ),
    ("lammps; thermo_every = 3", &["rebuild_every = 5"]),
    ("lammps", &["thermo_every = 7"]),
    ("hpcg", &["cells = [104, 104, 112]", "levels = 3", "gflops = 4", "allreduce = 'ring'", "grid = [12, 1, 1]"]),
    ("fft", &["size = 128", "decomposition = 'pencil'", "transposes = 1", "algorithm = 'bruck'", "gflops = 3"]),
    ("fft; decomposition = 'pencil'", &["grid = [12, 1]"]),
    (
        "resnet-proxy",
        &[
            "model = 'resnet-50'",
            "forward = '1us'",
            "backward = '1us'",
            "compute_on = 'core'",
            "scale = 10",
            "algorithm = 'ring'",
            "element = 2",
        ],
    ),
    (
        "dlrm",
        &[
            "embeddings = '2MiB'",
            "bottom = 64",
            "top = 64",
            "embedding_time = '1us'",
            "bottom_time = '1us'",
            "interaction_time = '1us'",
            "top_time = '1us'",
            "compute_on = 'core'",
            "algorithm = 'ring'",
            "alltoall = 'bruck'",
        ],
    ),
    (
        "transformer",
        &[
            "layers = 8",
            "hidden = 48",
            "sequence = 12",
            "micro_batch = 2",
            "micro_batches = 4",
            "element = 2",
            "tensor = 1",
            "pipeline = 1",
            "expert = 3",
            "tensor_collective = 'sequence-parallel'",
            "schedule = 'gpipe'",
            "forward = '1us'",
            "backward = '1us'",
            "compute_on = 'core'",
            "bucket = 512",
            "overlap = false",
            "algorithm = 'auto'",
        ],
    ),
    ("transformer; expert = 3", &["experts_per_token = 2"]),
    ("gups", &["bytes = 16", "operation = 'put'", "window = 8"]),
    ("iperf", &["bytes = 16", "window = 8", "rate_gbps = 10", "writes = 8"]),
    (
        "service",
        &[
            "application = 'xapian'",
            "rate = 10.5",
            "request = 100",
            "response = 100",
            "workers = 3",
            "service_time = { exponential = '40us' }",
            "servers = 2",
            "warm_up = 5",
        ],
    ),
];

const STREAM: &[&str] =
    &["bytes = 16", "operation = 'send'", "window = 3", "offered = { load = 0.5, rate_gbps = 200 }"];

const UNEVEN: &str = "sizes = { listed = [8, 0, 16, 8, 8, 0, 0, 24, 8, 8, 8, 8] }";

/// Kinds that a single rank may do: there is nothing to do.
const COLLECTIVES: &[&str] = &[
    "alltoall",
    "alltoallv",
    "sendrecv-alltoall",
    "allreduce",
    "reduce-scatter",
    "allgather",
    "reduce",
    "gather",
    "scatter",
    "barrier",
    "broadcast",
];

/// Kinds that a single rank may also do: it computes.
const ALONE: &[&str] = &["milc", "lammps", "hpcg", "fft", "resnet-proxy", "dlrm"];

const RANKS: u32 = 12;

/// A small model: the default one needs 384 ranks.
const SMALL_TRANSFORMER: &[&str] = &[
    "layers = 4",
    "hidden = 24",
    "sequence = 6",
    "micro_batches = 3",
    "tensor = 2",
    "pipeline = 2",
    "bucket = '1KiB'",
];

fn base(kind: &str) -> String {
    base_for(kind, "")
}

/// A kind with the keys that it needs, except the key of `knob`.
fn base_for(kind: &str, knob: &str) -> String {
    let (kind, more) = kind.split_once("; ").unwrap_or((kind, ""));
    // Keys without a default.
    let more = if kind == "flow-sizes" { "distribution = 'web-search'; load = 0.5; rate_gbps = 200" } else { more };
    let is_own = |key: &&&str| key.split(' ').next() != knob.split(' ').next();
    let needed: Vec<&str> =
        if kind == "transformer" { SMALL_TRANSFORMER.iter().filter(is_own).copied().collect() } else { Vec::new() };
    format!("kind = '{kind}'; {}; {more}; ", needed.join("; "))
}

/// Every kind that needs neither a file nor other workloads nor processes.
fn generated() -> impl Iterator<Item = &'static &'static str> {
    WorkloadSpec::KINDS.iter().filter(|kind| !["trace", "series", "program"].contains(*kind))
}

/// Keys that would do nothing beside another one are refused, with the key that would work.
#[test]
fn keys_without_effect_are_refused() {
    const OFFERED: &str = "offered = { load = 0.5, rate_gbps = 200 }";
    let refused = [
        ("kind = 'incast'; window = 2".to_owned(), "`messages`"),
        ("kind = 'incast'; window = 9; messages = 8".to_owned(), "`messages`"),
        ("kind = 'one-sided'; ones = 2".to_owned(), "`one-to-many`"),
        (format!("kind = 'uniform-random'; window = 64; {OFFERED}"), "`offered.outstanding_max`"),
        (format!("kind = 'shift'; window = 4; operation = 'send'; {OFFERED}"), "`offered.outstanding_max`"),
    ];
    for (text, works) in &refused {
        let error = read(text).check(RANKS).expect_err(text).to_string();
        assert!(error.contains(works), "{text}: {error}");
    }
    const RULES: &str = "selection = { source = 'test', alltoall = [{ algorithm = 'pairwise' }] }";
    let kinds = "allgather alltoall alltoallv allreduce reduce reduce-scatter gather scatter barrier broadcast";
    for kind in kinds.split(' ') {
        let named = match kind {
            "alltoall" | "alltoallv" => "pairwise",
            "allgather" => "ring",
            "allreduce" => "recursive-doubling",
            "reduce-scatter" => "pairwise",
            "barrier" => "dissemination",
            _ => "binomial",
        };
        let text = format!("kind = '{kind}'; {RULES}; algorithm = '{named}'");
        let error = read(&text).check(RANKS).expect_err(&text).to_string();
        assert!(error.contains("`selection`") && error.contains("auto"), "{text}: {error}");
        read(&format!("kind = '{kind}'; {RULES}")).check(RANKS).expect(kind);
    }
    let in_place = format!("kind = 'alltoall'; {RULES}; in_place = true");
    assert!(read(&in_place).check(RANKS).expect_err("pairs exchange").to_string().contains("`selection`"));
    let accepted = [
        "kind = 'incast'; window = 8; messages = 8".to_owned(),
        "kind = 'shift'; window = 4; iterations = 4".to_owned(),
        // A window is the most that is in flight: fewer messages are no contradiction.
        "kind = 'shift'; window = 8; iterations = 4".to_owned(),
        "kind = 'one-sided'; ones = 2; pattern = 'many-to-one'".to_owned(),
        // The window also is the number of receives that a target keeps posted.
        format!("kind = 'shift'; window = 64; operation = 'send'; {OFFERED}"),
    ];
    for text in &accepted {
        read(text).check(RANKS).expect(text);
    }
}

#[test]
fn the_knobs_of_drawn_flows_change_the_program() {
    let spec = |distribution: &str, load: &str, rate: u32, most: u32| {
        read(&format!(
            "kind = 'flow-sizes'; {distribution}; load = {load}; rate_gbps = {rate}; outstanding_max = {most}"
        ))
    };
    let usual = trace(&spec("distribution = 'web-search'", "0.5", 200, 1_024), RANKS, 1);
    for other in [
        spec("distribution = 'ali-storage'", "0.5", 200, 1_024),
        spec("distribution = 'fb-hadoop'", "0.5", 200, 1_024),
        spec("points = [{ bytes = 1, billionths = 0 }, { bytes = 9, billionths = 1000000000 }]", "0.5", 200, 1_024),
        spec("distribution = 'web-search'", "0.6", 200, 1_024),
        spec("distribution = 'web-search'", "0.5", 100, 1_024),
    ] {
        other.check(RANKS).expect("all of them work");
        assert!(trace(&other, RANKS, 1) != usual, "{other:?}");
    }
    let error = spec("distribution = 'web-search'", "0.5", 200, 0).check(RANKS).expect_err("no flow").to_string();
    assert!(error.contains("outstanding_max"), "{error}");
}

#[test]
fn a_trace_that_nobody_has_read_is_refused() {
    let error = read("kind = 'trace'; file = 'x.goal'").check(4).expect_err("no file").to_string();
    assert!(error.contains("x.goal") && error.contains("resolved"), "{error}");
}

/// A real program is described, and refused where nothing starts its processes.
#[test]
fn a_real_program_without_processes_says_which_command_has_them() {
    let spec = read("kind = 'program'; command = 'app'");
    assert_eq!((spec.kind(), spec.describe().as_str()), ("program", "program app"));
    let error = spec.check(4).expect_err("no processes").to_string();
    assert!(error.contains("philae run --simulate"), "{error}");
}

#[test]
fn every_kind_is_listed_here_and_reads_back_under_its_own_name() {
    for kind in generated() {
        assert!(KNOBS.iter().any(|(listed, _)| listed == kind), "{kind} has no knob test");
        let spec = read(&base(kind));
        assert_eq!(spec.kind(), *kind);
        let text = toml::to_string(&spec).expect("a workload is TOML");
        assert_eq!(toml::from_str::<WorkloadSpec>(&text).expect("and reads back"), spec);
        assert!(spec.describe().contains("endless"), "{}", spec.describe());
        assert_eq!((spec.iterations(), spec.counted_iterations()), (None, None));
    }
}

#[test]
fn every_knob_changes_the_program() {
    for (kind, knobs) in KNOBS {
        let default = read(&base(kind));
        default.check(RANKS).expect("defaults work");
        let usual = trace(&default, RANKS, 1);
        for knob in knobs.iter().chain(&["iterations = 1"]) {
            let spec = read(&(base_for(kind, knob) + knob));
            spec.check(RANKS).unwrap_or_else(|error| panic!("{kind} {knob}: {error}"));
            assert!(trace(&spec, RANKS, 1) != usual, "{kind}: `{knob}` changes nothing");
        }
    }
}

#[test]
fn the_knobs_of_an_offered_load_change_the_program() {
    let with = |more: &str| {
        read(&format!("kind = 'shift'; offered = {{ load = 0.5, rate_gbps = 200, {more} }}").replace(", }", " }"))
    };
    let usual = trace(&with(""), RANKS, 1);
    assert!(trace(&with("gaps = 'fixed'"), RANKS, 1) != usual);
    assert!(trace(&read("kind = 'shift'; offered = { load = 0.6, rate_gbps = 200 }"), RANKS, 1) != usual);
    assert!(trace(&read("kind = 'shift'; offered = { load = 0.5, rate_gbps = 100 }"), RANKS, 1) != usual);
    let bounded = with("outstanding_max = 1");
    assert_eq!(trace(&bounded, RANKS, 1), usual, "a bound that is not reached changes nothing");
}

#[test]
fn the_seed_changes_what_is_random_and_nothing_else() {
    for kind in generated() {
        let spec = read(&base(kind));
        let random = matches!(
            *kind,
            "permutation" | "random-ring" | "congestors" | "uniform-random" | "flow-sizes" | "gups" | "service"
        );
        assert_eq!(trace(&spec, RANKS, 1) != trace(&spec, RANKS, 2), random, "{kind}");
        assert!(trace(&spec, RANKS, 1) == trace(&spec, RANKS, 1), "{kind}");
    }
}

#[test]
fn all_programs_match_up_and_finish_whatever_the_timing() {
    for (kind, knobs) in KNOBS {
        for knob in knobs.iter().chain(&[""]) {
            let spec = read(&format!("{}{knob}; iterations = 3", base_for(kind, knob)));
            for (mode, seed) in [(SendMode::Eager, 1), (SendMode::Rendezvous, 2), (SendMode::Rendezvous, 3)] {
                let summaries = run_with(&spec, RANKS, mode, seed);
                let sent: u64 = summaries.iter().map(|rank| rank.sent.0).sum();
                let received: u64 = summaries.iter().map(|rank| rank.received.0).sum();
                assert_eq!(sent, received, "{kind} {knob}");
                let counted = summaries.iter().map(|rank| rank.iterations).max();
                assert_eq!(counted, spec.counted_iterations(), "{kind} {knob}: iterations counted");
            }
        }
    }
}

#[test]
fn awkward_rank_counts_work_too() {
    for ranks in [2, 3, 5, 7, 17] {
        for kind in generated() {
            let spec = read(&format!("{}iterations = 2", base(kind)));
            if spec.check(ranks).is_ok() {
                run_with(&spec, ranks, SendMode::Rendezvous, 0);
            } else {
                let few = *kind == "congestors" && ranks < 8;
                let odd = matches!(*kind, "bisection" | "iperf") && ranks % 2 == 1;
                assert!(few || odd || *kind == "transformer", "{kind} on {ranks}");
            }
        }
    }
}

#[test]
fn memory_is_the_window_and_not_the_messages() {
    for rank in run("kind = 'bisection'; window = 4; iterations = 5000; operation = 'put'", 4) {
        assert_eq!((rank.puts, rank.outstanding_max), (5_000, 4));
    }
    for rank in &run("kind = 'incast'; messages = 100; window = 5; iterations = 10", 4)[1..] {
        assert_eq!((rank.puts, rank.outstanding_max), (1_000, 5));
    }
}

#[test]
fn a_permutation_gives_every_rank_one_message_stream_in_and_out() {
    let summaries = run("kind = 'permutation'; iterations = 10", 50);
    let mut targets: Vec<RankId> = summaries.iter().flat_map(|rank| rank.peers.keys().copied()).collect();
    targets.sort_unstable();
    assert_eq!(targets, (0..50).map(RankId).collect::<Vec<_>>());
    assert!(summaries.iter().enumerate().all(|(rank, summary)| !summary.peers.contains_key(&RankId(rank as u32))));
}

#[test]
fn uniform_random_reaches_every_other_rank_about_equally() {
    for (rank, summary) in run("kind = 'uniform-random'; iterations = 11000", 12).iter().enumerate() {
        assert!(!summary.peers.contains_key(&RankId(rank as u32)));
        assert_eq!(summary.peers.len(), 11);
        assert!(summary.peers.values().all(|&count| count.abs_diff(1_000) < 160), "{:?}", summary.peers);
    }
}

#[test]
fn incast_writes_to_its_targets_only() {
    let summaries =
        run("kind = 'incast'; targets = 2; to = 'last'; operation = 'send'; messages = 3; iterations = 4", 9);
    for origin in &summaries[..7] {
        assert_eq!((origin.sends, origin.peers.len()), (12, 1));
    }
    assert_eq!((summaries[7].receives, summaries[8].receives), (4 * 12, 3 * 12));
}

#[test]
fn embers_incast_is_a_barrier_and_8_kib_each() {
    let summaries =
        run("kind = 'incast'; operation = 'send'; bytes = '8KiB'; to = 'last'; barrier = true; iterations = 1", 8);
    assert!(summaries[..7].iter().all(|rank| (rank.sends, rank.sent) == (4, Bytes(8_192))), "3 barrier steps and one");
    assert_eq!(summaries[7].received, Bytes(7 * 8_192));
}

#[test]
fn halo3d_sends_what_ember_sends() {
    let middle = 13; // the one interior rank of 3 x 3 x 3
    let faces = &run("kind = 'halo3d'; cells = [20, 20, 20]; vars = 8; iterations = 1", 27)[middle];
    assert_eq!((faces.sends, faces.sent, faces.outstanding_max), (6, Bytes::from_kib(150), 4));
    let all = &run("kind = 'halo3d'; diagonals = true; iterations = 1", 27)[middle];
    assert_eq!((all.sends, all.outstanding_max), (26, 52));
    assert_eq!(all.sent, Bytes(6 * 800 + 12 * 80 + 8 * 8));
}

#[test]
fn sweep3d_sends_what_ember_sends() {
    let summaries = run("kind = 'sweep3d'; iterations = 1", 9);
    let interior = &summaries[4];
    assert_eq!((interior.sends, interior.sent, interior.computes), (160, Bytes(80 * 8_000), 80));
}

#[test]
fn a_ping_pong_alternates() {
    let [first, second] = &trace(&read("kind = 'ping-pong'; iterations = 1"), 2, 0)[..] else { panic!("two ranks") };
    assert!(matches!(first[0][..], [Action::IterationStart(0), Action::Start(_, Op::Send { .. })]), "{first:?}");
    assert!(matches!(first[1][..], [Action::Start(_, Op::Recv { .. })]));
    assert!(matches!(second[0][..], [Action::Start(_, Op::Recv { .. })]), "{second:?}");
    assert!(matches!(second[1][..], [Action::Start(_, Op::Send { .. })]));
    // The round trip is the first's: the second waits for the next message as soon as it has
    // answered.
    assert_eq!((&first[2], &second[2]), (&vec![Action::IterationEnd(0)], &Vec::new()));
}

#[test]
fn impossible_workloads_are_refused_with_what_would_work() {
    let error = |text: &str, ranks| read(text).check(ranks).expect_err(text).to_string();
    assert_eq!(error("kind = 'incast'; targets = 4", 4), "incast needs at least 5 ranks; the job has 4");
    assert_eq!(error("kind = 'ping-pong'; bytes = 0", 2), "ping-pong: `bytes` is 0; it must be at least 1");
    assert_eq!(error("kind = 'bisection'", 7), "bisection pairs its ranks and needs an even number; the job has 7");
    assert_eq!(error("kind = 'halo3d'; grid = [2, 2, 2]", 9), "halo3d: the grid 2 x 2 x 2 has 8 ranks; the job has 9");
    assert_eq!(
        error("kind = 'sweep3d'; kba = 7", 4),
        "sweep3d: `cells[2]` is 100, which is not a multiple of `kba` (7)"
    );
    assert!(error("kind = 'shift'; by = 2; stride = 4", 8).contains("no rank sends to itself"));
    assert!(matches!(read("kind = 'allreduce'; bytes = 12").check(4), Err(WorkloadError::NotDividing { .. })));
    for kind in generated() {
        assert_eq!(
            read(&base(kind)).check(1).is_ok(),
            COLLECTIVES.contains(kind) || ALONE.contains(kind),
            "{kind} alone"
        );
    }
}

#[test]
fn a_collective_of_one_rank_alone_is_over_at_once() {
    for kind in COLLECTIVES {
        let summaries = run(&format!("kind = '{kind}'; iterations = 3"), 1);
        assert_eq!((summaries[0].iterations, summaries[0].sends), (3, 0), "{kind}");
        assert_eq!(run(&format!("kind = '{kind}'"), 1)[0].sends, 0, "{kind} without end");
    }
}

#[test]
fn unknown_kinds_and_keys_are_refused_by_name() {
    let error = |text: &str| toml::from_str::<WorkloadSpec>(text).expect_err(text).to_string();
    assert!(error("kind = 'all2all'").contains("all2all"));
    assert!(error("kind = 'alltoall'\nbyte = 8").contains("byte"));
    assert!(error("kind = 'alltoall'\nbytes = '8KB'").contains("8KB"));
}

#[test]
fn the_json_schema_names_every_kind_and_default() {
    let schema = schemars::schema_for!(philae_workload::JobSpec);
    let text = serde_json::to_string(&schema).expect("a schema is JSON");
    for kind in WorkloadSpec::KINDS {
        assert!(text.contains(&format!("\"const\":\"{kind}\"")), "{kind}");
    }
    for part in ["ranks_min", "\"default\":\"128KiB\"", "\"default\":\"1us\"", "exclusiveMinimum", "\"rest\""] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}
