//! Every collective and algorithm compared with the definition of the operation: each rank ends
//! with the right data, for any number of ranks, any root, even and uneven blocks.

use philae_units::Bytes;
use philae_workload::{
    AllgatherAlgorithm, AllreduceAlgorithm, AlltoallAlgorithm, AlltoallvAlgorithm, BarrierAlgorithm, BlockSizes,
    BroadcastAlgorithm, Collective, Combine, Draw, Exchange, GatherAlgorithm, Listed, Offload, ReduceAlgorithm,
    ReduceScatterAlgorithm, VectorSum, simulate_data,
};
use proptest::prelude::*;

const ALLGATHERS: [AllgatherAlgorithm; 4] = [
    AllgatherAlgorithm::RecursiveDoubling,
    AllgatherAlgorithm::Bruck,
    AllgatherAlgorithm::Ring,
    AllgatherAlgorithm::Bine,
];
const REDUCE_SCATTERS: [ReduceScatterAlgorithm; 3] =
    [ReduceScatterAlgorithm::RecursiveHalving, ReduceScatterAlgorithm::Pairwise, ReduceScatterAlgorithm::Bine];
const GATHERS: [GatherAlgorithm; 2] = [GatherAlgorithm::Binomial, GatherAlgorithm::Linear];
const ALLTOALLS: [AlltoallAlgorithm; 6] = [
    AlltoallAlgorithm::Bruck,
    AlltoallAlgorithm::Scattered,
    AlltoallAlgorithm::Pairwise,
    AlltoallAlgorithm::SendrecvReplace,
    AlltoallAlgorithm::Random,
    AlltoallAlgorithm::Spread,
];
const ALLTOALLVS: [AlltoallvAlgorithm; 3] =
    [AlltoallvAlgorithm::Scattered, AlltoallvAlgorithm::Pairwise, AlltoallvAlgorithm::SendrecvReplace];
const ALLREDUCES: [AllreduceAlgorithm; 7] = [
    AllreduceAlgorithm::RecursiveDoubling,
    AllreduceAlgorithm::Rabenseifner,
    AllreduceAlgorithm::Ring,
    AllreduceAlgorithm::Tree,
    AllreduceAlgorithm::Bine,
    AllreduceAlgorithm::BineRabenseifner,
    AllreduceAlgorithm::SwitchOffloaded,
];
const BROADCASTS: [BroadcastAlgorithm; 5] = [
    BroadcastAlgorithm::Binomial,
    BroadcastAlgorithm::ScatterRecursiveDoubling,
    BroadcastAlgorithm::ScatterRing,
    BroadcastAlgorithm::Bine,
    BroadcastAlgorithm::SwitchOffloaded,
];
const REDUCES: [ReduceAlgorithm; 3] =
    [ReduceAlgorithm::Binomial, ReduceAlgorithm::ReduceScatterGather, ReduceAlgorithm::Bine];
const BARRIERS: [BarrierAlgorithm; 2] = [BarrierAlgorithm::Dissemination, BarrierAlgorithm::SwitchOffloaded];

fn check(collective: &Collective, ranks: u32) {
    simulate_data(collective, ranks).unwrap_or_else(|error| panic!("{collective:?} on {ranks}: {error}"));
}

fn roots(ranks: u32) -> Vec<u32> {
    let mut roots: Vec<u32> = if ranks <= 12 { (0..ranks).collect() } else { vec![0, 1, ranks / 2, ranks - 1] };
    roots.dedup();
    roots
}

/// Sizes by rank: even, drawn by both laws, a few large ones, mostly empty, all empty except one.
fn blocks(ranks: u32) -> Vec<BlockSizes> {
    let listed = |size: fn(u32) -> u64| BlockSizes::Listed(Listed::new((0..ranks).map(|rank| Bytes(size(rank)))));
    let drawn = |law, seed| BlockSizes::Drawn { mean: Bytes(20), law, unit: Bytes(8), seed };
    vec![
        BlockSizes::Even(Bytes(3)),
        drawn(Draw::Uniform, 1),
        drawn(Draw::Exponential, 2),
        BlockSizes::Hot { bytes: Bytes(5), hot: 3, factor: 7 },
        listed(|rank| u64::from(rank % 3 == 1) * u64::from(rank)),
        listed(|rank| u64::from(rank == 2)),
    ]
}

/// The same by sender and receiver.
fn pairs(ranks: u32) -> Vec<BlockSizes> {
    let mut pairs = blocks(ranks);
    pairs.truncate(4);
    let size = move |index: u32| Bytes(u64::from(index * 7 % 5 * (index % 3)));
    let symmetric =
        move |index: u32| size((index / ranks).min(index % ranks) * ranks + (index / ranks).max(index % ranks));
    pairs.push(BlockSizes::Listed(Listed::new((0..ranks * ranks).map(symmetric))));
    pairs
}

fn one_of_each(ranks: u32) -> Vec<Collective> {
    let mut all = Vec::new();
    let vector = |elements| VectorSum { elements, element_bytes: Bytes(8) };
    all.extend(ALLTOALLS.map(|algorithm| Collective::Alltoall { algorithm, bytes: Bytes(3), seed: 9 }));
    all.extend(BARRIERS.map(|algorithm| Collective::Barrier { algorithm }));
    for blocks in pairs(ranks) {
        all.extend(ALLTOALLVS.map(|algorithm| Collective::Alltoallv { algorithm, blocks: blocks.clone() }));
    }
    for blocks in blocks(ranks) {
        all.extend(REDUCE_SCATTERS.map(|algorithm| Collective::ReduceScatter { algorithm, blocks: blocks.clone() }));
        all.extend(ALLGATHERS.map(|algorithm| Collective::Allgather { algorithm, blocks: blocks.clone() }));
    }
    for elements in [1, 7, u64::from(ranks), 3 * u64::from(ranks) + 1] {
        all.extend(ALLREDUCES.map(|algorithm| Collective::Allreduce { algorithm, vector: vector(elements) }));
        all.extend([false, true].map(|exclusive| Collective::Scan { vector: vector(elements), exclusive }));
    }
    for root in roots(ranks) {
        for bytes in [0, 1, 5, 1_000].map(Bytes) {
            all.extend(BROADCASTS.map(|algorithm| Collective::Broadcast { algorithm, bytes, root }));
        }
        for elements in [1, 7, 3 * u64::from(ranks) + 1] {
            all.extend(REDUCES.map(|algorithm| Collective::Reduce { algorithm, vector: vector(elements), root }));
        }
        for blocks in blocks(ranks) {
            for algorithm in GATHERS {
                all.push(Collective::Gather { algorithm, blocks: blocks.clone(), root });
                all.push(Collective::Scatter { algorithm, blocks: blocks.clone(), root });
            }
        }
    }
    all
}

#[test]
fn every_algorithm_does_what_the_operation_means_for_1_to_65_ranks() {
    for ranks in 1..=65 {
        one_of_each(ranks).iter().for_each(|collective| check(collective, ranks));
    }
    [100, 127, 128]
        .into_iter()
        .for_each(|ranks| one_of_each(ranks).iter().step_by(3).for_each(|one| check(one, ranks)));
}

proptest! {
    #[test]
    fn any_sizes_any_root_any_number_of_ranks(
        sizes in proptest::collection::vec(prop_oneof![Just(0_u64), 1_u64..100, 1_u64..1_000_000], 1..40),
        root: u32, which: prop::sample::Index,
    ) {
        let ranks = sizes.len() as u32;
        let root = root % ranks;
        let blocks = BlockSizes::Listed(Listed::new(sizes.iter().copied().map(Bytes)));
        let total = Bytes(sizes.iter().sum());
        let vector = VectorSum { elements: sizes[0] % 300 + 1, element_bytes: Bytes(4) };
        let mut all = Vec::new();
        all.extend(REDUCE_SCATTERS.map(|algorithm| Collective::ReduceScatter { algorithm, blocks: blocks.clone() }));
        all.extend(ALLGATHERS.map(|algorithm| Collective::Allgather { algorithm, blocks: blocks.clone() }));
        all.extend(BROADCASTS.map(|algorithm| Collective::Broadcast { algorithm, bytes: total, root }));
        all.extend(REDUCES.map(|algorithm| Collective::Reduce { algorithm, vector, root }));
        all.extend(GATHERS.map(|algorithm| Collective::Gather { algorithm, blocks: blocks.clone(), root }));
        all.extend(GATHERS.map(|algorithm| Collective::Scatter { algorithm, blocks: blocks.clone(), root }));
        let collective = which.get(&all);
        prop_assert_eq!(simulate_data(collective, ranks), Ok(()), "{:?}", collective);
    }

    #[test]
    fn any_matrix_of_sizes(ranks in 1_u32..20, seed: u64, which in 0..2_usize, mean in 0_u64..10_000) {
        for law in [Draw::Uniform, Draw::Exponential] {
            let blocks = BlockSizes::Drawn { mean: Bytes(mean), law, unit: Bytes(1), seed };
            let collective = Collective::Alltoallv { algorithm: ALLTOALLVS[which], blocks };
            prop_assert_eq!(simulate_data(&collective, ranks), Ok(()), "{:?}", collective);
        }
    }
}

/// Total messages and bytes of one rank.
#[derive(Default)]
struct Sent(u64, u64);

impl Exchange for Sent {
    fn send(&mut self, _to: u32, bytes: Bytes, _step: u32, _items: impl Iterator<Item = u64>) {
        self.0 += 1;
        self.1 += bytes.0;
    }
    fn recv(&mut self, _from: u32, _bytes: Bytes, _step: u32, _combine: Combine) {}
    fn offload(&mut self, _kind: Offload, _bytes: Bytes, _items: impl Iterator<Item = u64>) {}
}

fn sent(collective: &Collective, rank: u32, ranks: u32) -> (u64, u64) {
    let mut sent = Sent::default();
    (0..collective.steps(ranks)).for_each(|step| collective.step(rank, ranks, step, &mut sent));
    (sent.0, sent.1)
}

#[test]
fn every_rank_sends_what_the_closed_forms_say() {
    let (p, n, log) = (1_024_u32, 1_u64 << 20, 10);
    let each = |collective: Collective, messages: u64, bytes: u64| {
        for rank in [0, 1, 511, 512, 1_023] {
            assert_eq!(sent(&collective, rank, p), (messages, bytes), "{collective:?}, rank {rank}");
        }
    };
    let vector = VectorSum { elements: n / 8, element_bytes: Bytes(8) };
    let block = n / u64::from(p);
    let blocks = BlockSizes::Even(Bytes(block));
    let most = n - block;
    let alltoall = |algorithm, bytes| Collective::Alltoall { algorithm, bytes: Bytes(bytes), seed: 9 };
    each(alltoall(AlltoallAlgorithm::Bruck, 256), log, 256 * 512 * log);
    assert_eq!(256 * 512 * log, 5 << 18, "1.25 MiB");
    each(alltoall(AlltoallAlgorithm::Scattered, 257), 1_023, 257 * 1_023);
    each(alltoall(AlltoallAlgorithm::Pairwise, 257), 1_023, 257 * 1_023);
    each(alltoall(AlltoallAlgorithm::SendrecvReplace, 257), 1_023, 257 * 1_023);
    each(alltoall(AlltoallAlgorithm::Random, 257), 1_023, 257 * 1_023);
    each(alltoall(AlltoallAlgorithm::Spread, 257), 1_023, 257 * 1_023);
    let allreduce = |algorithm| Collective::Allreduce { algorithm, vector };
    each(allreduce(AllreduceAlgorithm::RecursiveDoubling), log, log * n);
    each(allreduce(AllreduceAlgorithm::Rabenseifner), 2 * log, 2 * most);
    each(allreduce(AllreduceAlgorithm::Ring), 2 * 1_023, 2 * most);
    each(allreduce(AllreduceAlgorithm::Bine), log, log * n);
    each(allreduce(AllreduceAlgorithm::BineRabenseifner), 2 * log, 2 * most);
    let reduce_scatter = |algorithm| Collective::ReduceScatter { algorithm, blocks: blocks.clone() };
    each(reduce_scatter(ReduceScatterAlgorithm::RecursiveHalving), log, most);
    each(reduce_scatter(ReduceScatterAlgorithm::Pairwise), 1_023, most);
    each(reduce_scatter(ReduceScatterAlgorithm::Bine), log, most);
    let allgather = |algorithm| Collective::Allgather { algorithm, blocks: blocks.clone() };
    each(allgather(AllgatherAlgorithm::RecursiveDoubling), log, most);
    each(allgather(AllgatherAlgorithm::Bruck), log, most);
    each(allgather(AllgatherAlgorithm::Ring), 1_023, most);
    each(allgather(AllgatherAlgorithm::Bine), log, most);
    each(Collective::BARRIER, log, 0);
}

#[test]
fn trees_send_what_the_closed_forms_say_over_all_ranks() {
    let (p, n) = (64_u32, 6_400_u64);
    let vector = VectorSum { elements: n / 8, element_bytes: Bytes(8) };
    let blocks = BlockSizes::Even(Bytes(n / u64::from(p)));
    let root = 5;
    let total = |collective: Collective| {
        let each = (0..p).map(|rank| sent(&collective, rank, p)).collect::<Vec<_>>();
        (each.iter().map(|sent| sent.0).sum::<u64>(), each.iter().map(|sent| sent.1).sum::<u64>())
    };
    let others = u64::from(p) - 1;
    assert_eq!(
        total(Collective::Broadcast { algorithm: BroadcastAlgorithm::Binomial, bytes: Bytes(n), root }),
        (others, others * n)
    );
    assert_eq!(
        total(Collective::Broadcast { algorithm: BroadcastAlgorithm::Bine, bytes: Bytes(n), root }),
        (others, others * n)
    );
    assert_eq!(total(Collective::Reduce { algorithm: ReduceAlgorithm::Bine, vector, root }), (others, others * n));
    assert_eq!(total(Collective::Reduce { algorithm: ReduceAlgorithm::Binomial, vector, root }), (others, others * n));
    assert_eq!(
        total(Collective::Allreduce { algorithm: AllreduceAlgorithm::Tree, vector }),
        (2 * others, 2 * others * n)
    );
    // Each block travels as many edges of the tree as its rank has ones: half of the digits on
    // average.
    let binomial = n * 6 / 2;
    let linear = n - n / u64::from(p);
    for (algorithm, bytes) in [(GatherAlgorithm::Binomial, binomial), (GatherAlgorithm::Linear, linear)] {
        assert_eq!(total(Collective::Gather { algorithm, blocks: blocks.clone(), root }), (others, bytes));
        assert_eq!(total(Collective::Scatter { algorithm, blocks: blocks.clone(), root }), (others, bytes));
    }
    // Reduce-scatter: every rank sends all except one part; the gather then moves what a binomial
    // gather moves.
    let parts = u64::from(p) * linear + binomial;
    let collective = Collective::Reduce { algorithm: ReduceAlgorithm::ReduceScatterGather, vector, root };
    let messages = u64::from(p) * 6 + others;
    let (sent_messages, bytes) = total(collective);
    assert_eq!(sent_messages, messages);
    assert!(bytes.abs_diff(parts) <= 64 * 64 * 8, "parts are cut at elements: {bytes} and {parts}");
    let broadcast = |algorithm| total(Collective::Broadcast { algorithm, bytes: Bytes(n), root });
    let doubling = (others + u64::from(p) * 6, binomial + u64::from(p) * linear);
    assert_eq!(broadcast(BroadcastAlgorithm::ScatterRecursiveDoubling), doubling);
    let ring = (others + u64::from(p) * others, binomial + u64::from(p) * linear);
    assert_eq!(broadcast(BroadcastAlgorithm::ScatterRing), ring);
}

#[test]
fn one_rank_alone_sends_nothing() {
    for collective in one_of_each(1).iter().filter(|collective| !collective.is_offloaded()) {
        assert_eq!((collective.steps(1), sent(collective, 0, 1)), (0, (0, 0)), "{collective:?}");
    }
}
