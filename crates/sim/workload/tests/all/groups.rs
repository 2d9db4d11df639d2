//! Collectives of some of the ranks: as programs, and as operations of a graph.

use philae_units::{Bytes, Picoseconds, RankId};
use philae_workload::{
    AllgatherAlgorithm, AllreduceAlgorithm, AlltoallAlgorithm, BarrierAlgorithm, BlockSizes, Collective,
    CollectiveTags, GatherAlgorithm, Group, GroupCollective, GroupError, Listed, Op, Operation, OperationGraph, Phase,
    Phased, RankProgram, RankSummary, SendMode, StageSequence, VectorSum, simulate_semantics,
};

fn allreduce(algorithm: AllreduceAlgorithm) -> Collective {
    Collective::Allreduce { algorithm, vector: VectorSum { elements: 50, element_bytes: Bytes(8) } }
}

fn some_collectives() -> Vec<Collective> {
    vec![
        allreduce(AllreduceAlgorithm::Rabenseifner),
        allreduce(AllreduceAlgorithm::Ring),
        Collective::Alltoall { algorithm: AlltoallAlgorithm::Scattered, bytes: Bytes(7), seed: 0 },
        Collective::Alltoall { algorithm: AlltoallAlgorithm::SendrecvReplace, bytes: Bytes(7), seed: 0 },
        Collective::Allgather { algorithm: AllgatherAlgorithm::Bruck, blocks: BlockSizes::Even(Bytes(9)) },
        Collective::Gather { algorithm: GatherAlgorithm::Linear, blocks: BlockSizes::Even(Bytes(9)), root: 1 },
        Collective::BARRIER,
    ]
}

fn on(collective: &Collective, group: Group) -> GroupCollective {
    GroupCollective::new(collective.clone(), group).expect("the collective suits the group")
}

fn run(programs: impl Fn() -> Vec<Box<dyn RankProgram>>) -> Vec<RankSummary> {
    let run =
        |mode, seed| simulate_semantics(programs(), mode, seed, 1_000_000).unwrap_or_else(|error| panic!("{error}"));
    let first = run(SendMode::Eager, 0);
    for (mode, seed) in [(SendMode::Eager, 3), (SendMode::Rendezvous, 1), (SendMode::Rendezvous, 2)] {
        for (one, other) in first.iter().zip(run(mode, seed)) {
            assert_eq!((one.sends, one.sent, &one.peers), (other.sends, other.sent, &other.peers));
        }
    }
    first
}

#[test]
fn members_and_ranks_are_each_others_inverse() {
    let groups = [
        Group::all(12),
        Group::strided(3, 5, 4).expect("ranks 3, 8, 13, 18"),
        Group::around(13, 4, 3).expect("ranks 13, 17, 21"),
        Group::listed([7, 0, 19, 3]).expect("four ranks"),
    ];
    for group in &groups {
        let ranks: Vec<u32> = (0..group.members()).map(|member| group.rank(member)).collect();
        assert!(
            (0..20)
                .all(|rank| group.member(rank).map(|member| member as usize) == ranks.iter().position(|&r| r == rank))
        );
    }
    assert_eq!(Group::around(13, 4, 3), Group::strided(1 + 12, 4, 3), "13 / 4 = 3, the first of its group");
    assert_eq!(Group::around(21, 4, 3), Group::strided(13, 4, 3));
}

#[test]
fn every_rank_of_a_grid_is_in_one_group_of_each_dimension() {
    for (stride, count) in [(1, 4), (4, 8), (32, 2)] {
        for rank in 0..64 {
            let group = Group::around(rank, stride, count).expect("a group");
            assert!(group.member(rank).is_some());
            let others = (0..count).map(|member| Group::around(group.rank(member), stride, count).expect("a group"));
            assert!(others.into_iter().all(|other| other == group));
        }
    }
}

#[test]
fn groups_that_cannot_be_are_refused() {
    assert_eq!(Group::listed([1, 2, 1]), Err(GroupError::Twice { rank: 1 }));
    assert_eq!(Group::listed([]), Err(GroupError::Empty));
    assert_eq!(Group::strided(0, 1, 0), Err(GroupError::Empty));
    assert!(matches!(Group::strided(0, 0, 2), Err(GroupError::Stride { .. })));
    assert!(matches!(Group::strided(u32::MAX, 1, 2), Err(GroupError::Stride { .. })));
    let pair = Group::strided(4, 1, 2).expect("two ranks");
    let new = |collective| GroupCollective::new(collective, pair.clone());
    let gather = |blocks, root| Collective::Gather { algorithm: GatherAlgorithm::Binomial, blocks, root };
    assert_eq!(new(gather(BlockSizes::Even(Bytes(1)), 2)), Err(GroupError::Root { root: 2, members: 2 }));
    let three = BlockSizes::Listed(Listed::new([Bytes(1); 3]));
    assert_eq!(new(gather(three, 0)), Err(GroupError::Sizes { found: 3, members: 2, needed: 2 }));
    let offloaded = Collective::Barrier { algorithm: BarrierAlgorithm::SwitchOffloaded };
    assert_eq!(new(offloaded.clone()), Err(GroupError::Offloaded { members: 2 }));
    let whole = GroupCollective::new(offloaded, Group::all(6)).expect("the whole job has a tree");
    assert!(Phased::new(StageSequence::new().collective(0, whole), Some(1)).offloads());
}

#[test]
fn a_group_does_what_as_many_ranks_do_alone() {
    for collective in some_collectives() {
        let alone = run(|| {
            let whole = on(&collective, Group::all(5));
            (0..5).map(|rank| boxed(StageSequence::new().collective(rank, whole.clone()))).collect()
        });
        let group = Group::listed([9, 2, 7, 4, 0]).expect("five ranks");
        let within = run(|| {
            let some = on(&collective, group.clone());
            (0..10).map(|rank| boxed(StageSequence::new().collective(rank, some.clone()))).collect()
        });
        for rank in 0..10 {
            let sends = group.member(rank).map_or(0, |member| alone[member as usize].sends);
            assert_eq!(within[rank as usize].sends, sends, "{collective:?}, rank {rank}");
        }
    }
}

fn boxed(motif: StageSequence) -> Box<dyn RankProgram> {
    Box::new(Phased::new(motif, Some(3)))
}

#[test]
fn stages_over_rows_columns_and_everybody_keep_apart_even_with_ranks_ahead() {
    let (rows, columns) = (3, 5);
    let summaries = run(|| {
        let program = |rank| {
            let row = Group::around(rank, 1, columns).expect("a row");
            let column = Group::around(rank, columns, rows).expect("a column");
            let motif = some_collectives().iter().fold(StageSequence::new(), |motif, collective| {
                motif
                    .collective(rank, on(collective, row.clone()))
                    .collective(rank, on(collective, column.clone()))
                    .collective(rank, on(collective, Group::all(rows * columns)))
            });
            boxed(motif.compute(Picoseconds(1)))
        };
        (0..rows * columns).map(program).collect()
    });
    assert!(summaries.iter().all(|rank| (rank.iterations, rank.computes) == (3, 3)));
}

#[test]
fn a_graph_does_what_the_program_does_and_steps_follow_each_other() {
    let tags = CollectiveTags::new(2, 64).expect("there are enough");
    for collective in some_collectives() {
        let (rows, columns) = (3_u32, 40_u32);
        let groups = |rank| {
            [Group::around(rank, 1, columns).expect("a row"), Group::around(rank, columns, rows).expect("a column")]
        };
        let as_program = run(|| {
            let program = |rank| {
                let [row, column] = groups(rank);
                let motif = StageSequence::new()
                    .collective(rank, on(&collective, row))
                    .collective(rank, on(&collective, column));
                Box::new(Phased::new(motif, Some(1))) as Box<dyn RankProgram>
            };
            (0..rows * columns).map(program).collect()
        });
        let as_graph = run(|| {
            let program = |rank| {
                let mut operations: Vec<Operation> = Vec::new();
                let [row, column] = groups(rank);
                let after = on(&collective, row).operations(rank, tags.first(0, 0), &[], &mut operations);
                on(&collective, column).operations(rank, tags.first(1, 0), &after, &mut operations);
                assert!(operations.iter().all(|node| node.requires.len() <= 80), "joined by empty computations");
                Box::new(OperationGraph::new(&operations).expect("no circle")) as Box<dyn RankProgram>
            };
            (0..rows * columns).map(program).collect()
        });
        for (one, other) in as_program.iter().zip(as_graph) {
            assert_eq!((one.sends, one.sent, &one.peers), (other.sends, other.sent, &other.peers), "{collective:?}");
            assert!(other.outstanding_max <= one.outstanding_max, "{collective:?}: a step began early");
        }
    }
}

#[test]
fn who_is_no_member_passes_on_what_it_was_given() {
    let some = on(&Collective::BARRIER, Group::strided(0, 2, 3).expect("three ranks"));
    let mut operations = Vec::new();
    assert_eq!(some.operations(1, 0, &[7, 9], &mut operations), [7, 9]);
    assert!(operations.is_empty());
    let mut phase = Phase::default();
    some.step(1, 0, 0, &mut phase);
    assert!(phase.ops().is_empty());
    some.step(2, 0, 100, &mut phase);
    let to = |op: &Op| matches!(op, Op::Send { to: RankId(4), tag: 100, .. });
    assert!(phase.ops().iter().any(to), "{:?}", phase.ops());
}

#[test]
fn tags_of_groups_and_of_collectives_under_way_differ() {
    let tags = CollectiveTags::new(3, 5).expect("there are enough");
    let mut all: Vec<u32> = (0..40)
        .flat_map(|sequence| (0..3).map(move |group| (group, sequence)))
        .flat_map(|(group, sequence)| (0..5).map(move |step| tags.first(group, sequence) + step))
        .collect();
    assert!(all.iter().all(|&tag| tag >= CollectiveTags::FIRST));
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 40 * 3 * 5);
    let few = CollectiveTags::new(1 << 15, 1 << 15).expect("just enough");
    assert_eq!((few.depth(), few.first(0, 0)), (2, few.first(0, 2)));
    assert!(few.first((1 << 15) - 1, 1).checked_add((1 << 15) - 1).is_some());
    assert_eq!(CollectiveTags::new(1 << 16, 1 << 16), Err(GroupError::Tags { groups: 1 << 16, steps: 1 << 16 }));
}
