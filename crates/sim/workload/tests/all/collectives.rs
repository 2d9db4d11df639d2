//! Every collective algorithm compared with the definition of the operation, and with the published
//! counts.

use philae_units::{Bytes, RankId};
use philae_workload::{
    Allgather, AllgatherAlgorithm, Allreduce, AllreduceAlgorithm, Alltoall, AlltoallAlgorithm, Alltoallv,
    AlltoallvAlgorithm, Barrier, BarrierAlgorithm, Broadcast, BroadcastAlgorithm, Collective, Draw, Gather,
    GatherAlgorithm, PairSizes, RankSummary, Reduce, ReduceAlgorithm, ReduceScatter, ReduceScatterAlgorithm, Scatter,
    SendMode, SendrecvAlltoall, Size, Sizes, VectorSum, Workload, simulate_data, simulate_semantics,
};

/// Every kind with every algorithm that uses messages, three iterations each.
fn by_messages(ranks: u32) -> Vec<Box<dyn Workload>> {
    let iterations = Some(3);
    let root = ranks / 2;
    let mut all: Vec<Box<dyn Workload>> = vec![
        Box::new(SendrecvAlltoall { iterations, ..SendrecvAlltoall::default() }),
        Box::new(Barrier { iterations, ..Barrier::default() }),
        Box::new(Broadcast { iterations, ..Broadcast::default() }),
    ];
    use AlltoallAlgorithm as A;
    for algorithm in [A::Bruck, A::Scattered, A::Pairwise, A::SendrecvReplace] {
        all.push(Box::new(Alltoall { algorithm, iterations, ..Alltoall::default() }));
    }
    use AlltoallvAlgorithm as V;
    for algorithm in [V::Scattered, V::Pairwise, V::SendrecvReplace] {
        let sizes = Some(PairSizes::Drawn(Draw::Exponential));
        all.push(Box::new(Alltoallv { bytes: Size::bytes(3), sizes, algorithm, iterations, ..Alltoallv::default() }));
    }
    use AllreduceAlgorithm as R;
    for algorithm in [R::RecursiveDoubling, R::Rabenseifner, R::Ring, R::Tree] {
        all.push(Box::new(Allreduce { bytes: Size::bytes(320), algorithm, iterations, ..Allreduce::default() }));
    }
    for algorithm in [ReduceScatterAlgorithm::RecursiveHalving, ReduceScatterAlgorithm::Pairwise] {
        let sizes = Some(Sizes::Drawn(Draw::Uniform));
        all.push(Box::new(ReduceScatter { sizes, algorithm, iterations, ..ReduceScatter::default() }));
    }
    for algorithm in [AllgatherAlgorithm::RecursiveDoubling, AllgatherAlgorithm::Bruck, AllgatherAlgorithm::Ring] {
        let sizes = Some(Sizes::Drawn(Draw::Uniform));
        all.push(Box::new(Allgather { sizes, algorithm, iterations, ..Allgather::default() }));
    }
    use BroadcastAlgorithm as B;
    for algorithm in [B::Binomial, B::ScatterRecursiveDoubling, B::ScatterRing] {
        all.push(Box::new(Broadcast { bytes: Size::kib(1), root, algorithm, iterations, ..Broadcast::default() }));
    }
    for algorithm in [ReduceAlgorithm::Binomial, ReduceAlgorithm::ReduceScatterGather] {
        all.push(Box::new(Reduce { bytes: Size::kib(1), root, algorithm, iterations, ..Reduce::default() }));
    }
    for algorithm in [GatherAlgorithm::Binomial, GatherAlgorithm::Linear] {
        all.push(Box::new(Gather { root, algorithm, iterations, ..Gather::default() }));
        all.push(Box::new(Scatter { root, algorithm, iterations, ..Scatter::default() }));
    }
    all
}

fn offloaded() -> [Box<dyn Workload>; 3] {
    let iterations = Some(3);
    let allreduce = Allreduce { algorithm: AllreduceAlgorithm::SwitchOffloaded, iterations, ..Allreduce::default() };
    [
        Box::new(allreduce),
        Box::new(Barrier { algorithm: BarrierAlgorithm::SwitchOffloaded, iterations, ..Barrier::default() }),
        Box::new(Broadcast { algorithm: BroadcastAlgorithm::SwitchOffloaded, iterations, ..Broadcast::default() }),
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
fn what_is_left_to_the_switches_is_one_operation_of_each_rank() {
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
    let algorithm = BroadcastAlgorithm::SwitchOffloaded;
    let broadcast = Broadcast { algorithm, bytes: Size::bytes(33), ..Broadcast::default() };
    assert!(broadcast.check(4).is_err());
    let error =
        Broadcast { algorithm, root: 1, ..Broadcast::default() }.check(4).expect_err("its root is 0").to_string();
    assert!(error.contains("`root` is 1") && error.contains("it must be 0"), "{error}");
    assert!(Barrier { algorithm: BarrierAlgorithm::SwitchOffloaded, ..Barrier::default() }.check(1).is_err());
}

#[test]
fn the_programs_of_collectives_match_up_and_finish_even_with_ranks_ahead() {
    for ranks in [1, 2, 3, 5, 8, 13, 33, 64] {
        for workload in by_messages(ranks) {
            workload.check(ranks).unwrap_or_else(|error| panic!("{error}"));
            let summaries = run(workload.as_ref(), ranks);
            assert!(summaries.iter().all(|summary| summary.iterations == 3), "{}", workload.describe());
            assert_eq!(ranks == 1, summaries.iter().all(|summary| summary.sends == 0), "{}", workload.describe());
        }
    }
}

#[test]
fn in_place_exchanges_pairs_and_refuses_what_needs_a_second_buffer() {
    let in_place = Alltoall { in_place: true, iterations: Some(1), ..Alltoall::default() };
    assert!(run(&in_place, 8).iter().all(|rank| (rank.sends, rank.outstanding_max) == (7, 2)));
    let error = Alltoall { algorithm: AlltoallAlgorithm::Bruck, ..in_place.clone() }.check(8).expect_err("Bruck");
    assert!(error.to_string().contains("sendrecv-replace"), "{error}");
    let error = Alltoall { every: 2, ..in_place }.check(8).expect_err("steps differ").to_string();
    assert!(error.contains("`every` = 1"), "{error}");
    let matrix = |sizes: &str| {
        let spec: Alltoallv =
            toml::from_str(&format!("sizes = {{ matrix = {sizes} }}\nin_place = true")).expect("TOML");
        spec.check(2)
    };
    assert_eq!(matrix("[[0, 5], [5, 0]]"), Ok(()));
    let error = matrix("[[0, 5], [6, 0]]").expect_err("not symmetric").to_string();
    assert!(error.contains("5 B from rank 1 to rank 0"), "{error}");
}

#[test]
fn sizes_that_do_not_fit_are_refused_with_what_would_work() {
    let error = |text: &str, ranks| {
        let spec: Result<philae_workload::WorkloadSpec, _> = toml::from_str(&text.replace("; ", "\n"));
        match spec {
            Err(error) => error.to_string(),
            Ok(spec) => spec.check(ranks).expect_err(text).to_string(),
        }
    };
    for (text, ranks, says) in [
        ("kind = 'allgather'; sizes = { listed = [1, 2, 3] }", 4, "4 sizes for 4 ranks"),
        ("kind = 'alltoallv'; sizes = { matrix = [[1, 2], [3, 4]] }", 3, "9 sizes for 3 ranks"),
        ("kind = 'alltoallv'; sizes = { matrix = [[1, 2], [3]] }", 2, "sender 1 (numbered from 0) has sizes for 1"),
        ("kind = 'gather'; root = 4", 4, "a rank of the job, 0 to 3"),
        ("kind = 'scatter'; sizes = { hot = { ranks = 0, factor = 2 } }", 4, "`sizes.hot.ranks` is 0"),
        ("kind = 'scatter'; sizes = { cold = 1 }", 4, "`listed`"),
        ("kind = 'gather'; bytes = '1024GiB'; sizes = { drawn = 'uniform' }", 4, "2 times as large"),
        ("kind = 'reduce-scatter'; bytes = 12", 4, "not a multiple of `element` (8)"),
        ("kind = 'reduce-scatter'; sizes = { listed = [8, 4] }", 2, "not a multiple of `element` (8)"),
        ("kind = 'reduce'; bytes = 0", 2, "`bytes` is 0"),
    ] {
        let found = error(text, ranks);
        assert!(found.contains(says), "{text}: {found}");
    }
}

#[test]
fn auto_takes_what_the_table_says() {
    let table = "source = 'test'\n[[gather]]\nalgorithm = 'linear'\n[[barrier]]\nalgorithm = 'switch-offloaded'\n";
    let selection = Some(philae_workload::SelectionTable::parse(table).expect("a table"));
    let gather = Gather { selection: selection.clone(), ..Gather::default() };
    assert!(matches!(gather.collective(8, 1), Collective::Gather { algorithm: GatherAlgorithm::Linear, .. }));
    assert!(Barrier { selection: selection.clone(), ..Barrier::default() }.offloads(8));
    let large = Broadcast { bytes: Size::kib(64), selection, ..Broadcast::default() };
    let Collective::Broadcast { algorithm, .. } = large.collective(8) else { panic!("a broadcast") };
    assert_eq!(algorithm, BroadcastAlgorithm::ScatterRecursiveDoubling, "MPICH's where the table says nothing");
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
    assert!(simulate_data(&Collective::BARRIER, 129).is_err());
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
    // With messages every rank gets every rank's part, once.
    let vector = VectorSum { elements: 4, element_bytes: Bytes(8) };
    let by_switches = [
        Collective::Allreduce { algorithm: AllreduceAlgorithm::SwitchOffloaded, vector },
        Collective::Barrier { algorithm: BarrierAlgorithm::SwitchOffloaded },
        Collective::Broadcast { algorithm: BroadcastAlgorithm::SwitchOffloaded, bytes: Bytes(8), root: 0 },
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
