//! Every collective algorithm against what the operation means, and against the published counts.

use philae_units::{Bytes, RankId};
use philae_workload::{
    Allreduce, AllreduceAlgorithm, Alltoall, AlltoallAlgorithm, Barrier, Broadcast, Collective, RankSummary, Reduction,
    SendMode, SendrecvAlltoall, Size, SmallAlgorithm, Workload, simulate_data, simulate_semantics,
};

fn rank_counts() -> impl Iterator<Item = u32> {
    (1..=33).chain([64, 100])
}

fn alltoalls() -> [AlltoallAlgorithm; 3] {
    [AlltoallAlgorithm::Bruck, AlltoallAlgorithm::Scattered, AlltoallAlgorithm::Pairwise]
}

fn allreduces() -> [AllreduceAlgorithm; 3] {
    [AllreduceAlgorithm::RecursiveDoubling, AllreduceAlgorithm::Rabenseifner, AllreduceAlgorithm::Ring]
}

fn offloaded() -> [Box<dyn Workload>; 3] {
    let (iterations, algorithm) = (Some(3), SmallAlgorithm::SwitchOffloaded);
    let allreduce = Allreduce { algorithm: AllreduceAlgorithm::SwitchOffloaded, iterations, ..Allreduce::default() };
    [
        Box::new(allreduce),
        Box::new(Barrier { algorithm, iterations, ..Barrier::default() }),
        Box::new(Broadcast { algorithm, iterations, ..Broadcast::default() }),
    ]
}

fn once(workload: &dyn Workload, ranks: u32, mode: SendMode, seed: u64) -> Vec<RankSummary> {
    let programs = (0..ranks).map(|rank| workload.program(RankId(rank), ranks, 1)).collect();
    simulate_semantics(programs, mode, seed, 50_000_000)
        .unwrap_or_else(|error| panic!("{} on {ranks} ranks: {error}", workload.describe()))
}

/// Runs the programs in both send modes, with several timings.
fn run(workload: &dyn Workload, ranks: u32) -> Vec<RankSummary> {
    let first = once(workload, ranks, SendMode::Eager, 0);
    for (mode, seed) in [(SendMode::Eager, 1), (SendMode::Rendezvous, 2)] {
        for (one, other) in first.iter().zip(once(workload, ranks, mode, seed)) {
            assert_eq!((one.sends, one.sent, &one.peers), (other.sends, other.sent, &other.peers));
        }
    }
    first
}

#[test]
fn alltoall_brings_every_block_to_its_destination() {
    for algorithm in alltoalls() {
        for ranks in rank_counts() {
            let collective = Collective::Alltoall { algorithm, bytes: Bytes(3) };
            simulate_data(&collective, ranks).unwrap_or_else(|error| panic!("{algorithm:?} on {ranks}: {error}"));
        }
    }
}

#[test]
fn allreduce_adds_every_contribution_exactly_once() {
    for algorithm in allreduces() {
        for ranks in rank_counts() {
            for elements in [1, 7, u64::from(ranks), 3 * u64::from(ranks) + 1] {
                let vector = Reduction { elements, element_bytes: Bytes(8) };
                let collective = Collective::Allreduce { algorithm, vector };
                simulate_data(&collective, ranks)
                    .unwrap_or_else(|error| panic!("{algorithm:?} of {elements} on {ranks}: {error}"));
            }
        }
    }
}

#[test]
fn barrier_and_broadcast_reach_everybody() {
    for ranks in rank_counts() {
        for collective in [Collective::Barrier, Collective::Broadcast { bytes: Bytes(5) }] {
            simulate_data(&collective, ranks).unwrap_or_else(|error| panic!("{collective:?} on {ranks}: {error}"));
        }
    }
}

#[test]
fn what_is_left_to_the_switches_reaches_everybody_once() {
    for ranks in rank_counts() {
        for elements in 1..=4 {
            let vector = Reduction { elements, element_bytes: Bytes(8) };
            let algorithm = AllreduceAlgorithm::SwitchOffloaded;
            let collective = Collective::Allreduce { algorithm, vector };
            simulate_data(&collective, ranks).unwrap_or_else(|error| panic!("{elements} on {ranks}: {error}"));
        }
        for collective in [Collective::OffloadedBarrier, Collective::OffloadedBroadcast { bytes: Bytes(32) }] {
            simulate_data(&collective, ranks).unwrap_or_else(|error| panic!("{collective:?} on {ranks}: {error}"));
        }
    }
    for workload in offloaded() {
        let summaries = run(workload.as_ref(), 13);
        assert!(summaries.iter().all(|rank| (rank.offloads, rank.sends, rank.iterations) == (3, 0, 3)));
        assert!(workload.program(RankId(0), 13, 1).offloads(), "{}", workload.describe());
    }
    assert!(!Barrier::default().program(RankId(0), 13, 1).offloads());
}

#[test]
fn more_than_32_bytes_are_refused_by_the_switches_with_what_works() {
    let algorithm = AllreduceAlgorithm::SwitchOffloaded;
    let allreduce = |bytes| Allreduce { algorithm, bytes: Size::bytes(bytes), ..Allreduce::default() };
    assert_eq!(allreduce(32).check(4), Ok(()));
    let error = allreduce(40).check(4).expect_err("five words").to_string();
    assert!(error.contains("at most 32 B with the algorithm switch-offloaded"), "{error}");
    let algorithm = SmallAlgorithm::SwitchOffloaded;
    let broadcast = Broadcast { algorithm, bytes: Size::bytes(33), ..Broadcast::default() };
    assert!(broadcast.check(4).is_err());
}

#[test]
fn the_programs_of_collectives_match_up_and_finish_even_with_ranks_ahead() {
    for ranks in [2, 3, 5, 8, 13, 33, 64] {
        for algorithm in alltoalls() {
            run(&Alltoall { algorithm, iterations: Some(3), ..Alltoall::default() }, ranks);
        }
        for algorithm in allreduces() {
            let bytes = Size::bytes(8 * 40);
            run(&Allreduce { algorithm, bytes, iterations: Some(3), ..Allreduce::default() }, ranks);
        }
        run(&SendrecvAlltoall { iterations: Some(3), ..SendrecvAlltoall::default() }, ranks);
        run(&Barrier { iterations: Some(5), ..Barrier::default() }, ranks);
        let summaries = run(&Broadcast { iterations: Some(5), ..Broadcast::default() }, ranks);
        assert!(summaries.iter().all(|summary| summary.iterations == 5));
    }
}

#[test]
fn the_256_byte_dip_of_alltoall_has_its_published_volumes() {
    let alltoall = |bytes| Alltoall { bytes: Size::bytes(bytes), iterations: Some(1), ..Alltoall::default() };
    let sent = |bytes| {
        once(&alltoall(bytes), 1_024, SendMode::Eager, 0).iter().map(|rank| (rank.sends, rank.sent)).collect::<Vec<_>>()
    };
    assert!(sent(256).iter().all(|&counts| counts == (10, Bytes(5 * 256 * 1_024))), "Bruck: 1.25 MiB in 10 messages");
    assert!(sent(257).iter().all(|&counts| counts == (1_023, Bytes(257 * 1_023))), "scattered: 1,023 messages");
}

#[test]
fn allreduce_sends_the_textbook_volumes() {
    let bytes = Size::kib(64);
    for (algorithm, messages, volume) in [
        (AllreduceAlgorithm::RecursiveDoubling, 4, 4 * 65_536),
        (AllreduceAlgorithm::Rabenseifner, 8, 2 * 65_536 * 15 / 16),
        (AllreduceAlgorithm::Ring, 30, 2 * 65_536 * 15 / 16),
    ] {
        let spec = Allreduce { algorithm, bytes, iterations: Some(1), ..Allreduce::default() };
        for rank in run(&spec, 16) {
            assert_eq!((rank.sends, rank.sent), (messages, Bytes(volume)), "{algorithm:?}");
        }
    }
}

#[test]
fn a_scattered_alltoall_keeps_at_most_32_exchanges_going() {
    let spec = Alltoall { algorithm: AlltoallAlgorithm::Scattered, iterations: Some(1), ..Alltoall::default() };
    assert!(run(&spec, 100).iter().all(|rank| rank.outstanding_max == 64), "32 sends and 32 receives");
}

#[test]
fn more_ranks_than_can_be_followed_are_refused() {
    assert!(simulate_data(&Collective::Barrier, 129).is_err());
}

#[test]
fn a_tree_that_breaks_anywhere_leaves_every_rank_with_every_result() {
    use philae_workload::{WorkloadSpec, simulate_semantics_of_a_broken_tree};
    for text in [
        "kind = 'allreduce'\nbytes = '32B'\nalgorithm = 'switch-offloaded'\niterations = 9\ncompute = '1us'",
        "kind = 'barrier'\nalgorithm = 'switch-offloaded'\niterations = 9",
        "kind = 'broadcast'\nbytes = '8B'\nalgorithm = 'switch-offloaded'\niterations = 9",
    ] {
        let spec: WorkloadSpec = toml::from_str(text).expect("a workload");
        for ranks in [2, 5, 8, 13] {
            for by_switches in 0..=9 {
                let programs = (0..ranks).map(|rank| spec.program(RankId(rank), ranks, 1)).collect();
                let seed = by_switches + u64::from(ranks);
                let done =
                    simulate_semantics_of_a_broken_tree(programs, SendMode::Rendezvous, seed, 100_000, by_switches);
                for summary in done.unwrap_or_else(|error| panic!("{text} of {ranks}, {by_switches}: {error}")) {
                    assert_eq!((summary.iterations, summary.offloads), (9, by_switches));
                }
            }
        }
    }
    // What is done by messages gives everybody everybody's part, once.
    let vector = Reduction { elements: 4, element_bytes: Bytes(8) };
    let by_switches = [
        Collective::Allreduce { algorithm: AllreduceAlgorithm::SwitchOffloaded, vector },
        Collective::OffloadedBarrier,
        Collective::OffloadedBroadcast { bytes: Bytes(8) },
    ];
    for collective in by_switches {
        let by_messages = collective.by_messages().expect("there is a way");
        assert!(!by_messages.is_offloaded() && by_messages.by_messages().is_none());
        for ranks in 2..40 {
            assert_eq!(simulate_data(&collective, ranks), Ok(()));
            assert_eq!(simulate_data(&by_messages, ranks), Ok(()));
        }
    }
}
