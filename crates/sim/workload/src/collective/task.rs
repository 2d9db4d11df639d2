//! The purpose of each collective, independent of its algorithm: the data of each rank at the start
//! and at the end.

use std::collections::BTreeMap;

use philae_units::Bytes;

use super::Collective;
use super::algorithm::{AlltoallAlgorithm, AlltoallvAlgorithm};
use super::alltoall::block;
use super::blocks::BlockSizes;
use super::rooted::parts;

/// Items of a rank: the contributors to each, one bit per rank.
pub(super) type RankItems = BTreeMap<u64, u128>;

/// A collective as data.
pub(super) struct CollectiveTask {
    /// Size of each item, by its number.
    sizes: Vec<Bytes>,
    /// The data of each rank before.
    pub start: Vec<RankItems>,
    /// The data that each rank must have after; it may have more.
    pub end: Vec<RankItems>,
    /// Sent data is gone: received data replaces it.
    pub in_place: bool,
}

impl CollectiveTask {
    /// The task of `collective` among `ranks`, which are at most as many as there are bits.
    pub fn of(collective: &Collective, ranks: u32) -> Self {
        let everybody = u128::MAX >> (u128::BITS - ranks);
        let own = |item: u32| (u64::from(item), 1_u128 << item);
        let by_rank = |blocks: &BlockSizes| (0..ranks).map(|rank| blocks.of(rank)).collect::<Vec<_>>();
        let each = |items: &dyn Fn(u32) -> RankItems| (0..ranks).map(items).collect::<Vec<_>>();
        let only =
            |root: u32, items: RankItems| each(&|rank| if rank == root { items.clone() } else { RankItems::new() });
        let sums = |elements: u64, who: u128| (0..elements).map(|element| (element, who)).collect::<RankItems>();
        let (sizes, start, end) = match collective {
            Collective::Alltoall { .. } | Collective::Alltoallv { .. } => (
                (0..ranks).flat_map(|from| (0..ranks).map(move |to| pair_bytes(collective, from, to, ranks))).collect(),
                each(&|rank| (0..ranks).map(|to| (block(rank, to, ranks), 1 << rank)).collect()),
                each(&|rank| (0..ranks).map(|from| (block(from, rank, ranks), 1 << from)).collect()),
            ),
            Collective::Allreduce { vector, .. } => (
                vec![vector.element_bytes; vector.elements as usize],
                each(&|rank| sums(vector.elements, 1 << rank)),
                each(&|_| sums(vector.elements, everybody)),
            ),
            Collective::Reduce { vector, root, .. } => (
                vec![vector.element_bytes; vector.elements as usize],
                each(&|rank| sums(vector.elements, 1 << rank)),
                only(*root, sums(vector.elements, everybody)),
            ),
            Collective::ReduceScatter { blocks, .. } => (
                by_rank(blocks),
                each(&|rank| sums(ranks.into(), 1 << rank)),
                each(&|rank| [(rank.into(), everybody)].into()),
            ),
            Collective::Allgather { blocks, .. } => {
                (by_rank(blocks), each(&|rank| [own(rank)].into()), each(&|_| (0..ranks).map(own).collect()))
            }
            Collective::Gather { blocks, root, .. } => {
                (by_rank(blocks), each(&|rank| [own(rank)].into()), only(*root, (0..ranks).map(own).collect()))
            }
            Collective::Scatter { blocks, root, .. } => {
                let roots = |item: u32| (u64::from(item), 1_u128 << root);
                (by_rank(blocks), only(*root, (0..ranks).map(roots).collect()), each(&|rank| [roots(rank)].into()))
            }
            Collective::Broadcast { algorithm, bytes, root } => {
                let sizes = parts(*algorithm, *bytes, *root, ranks).map_or(vec![*bytes], |parts| by_rank(&parts));
                let message = sums(sizes.len() as u64, 1 << root);
                (sizes, only(*root, message.clone()), each(&|_| message.clone()))
            }
            Collective::Scan { vector, exclusive } => {
                let elements = vector.elements;
                let results = |who: u128| (elements..2 * elements).map(move |element| (element, who));
                let below = |rank: u32| (1_u128 << rank) - 1;
                let ends = |rank: u32| below(rank) | if *exclusive { 0 } else { 1 << rank };
                let start = each(&|rank| {
                    let own = results(1 << rank).filter(|_| !exclusive);
                    sums(elements, 1 << rank).into_iter().chain(own).collect()
                });
                let end = each(&|rank| results(ends(rank)).filter(|&(_, who)| who != 0).collect());
                (vec![vector.element_bytes; 2 * elements as usize], start, end)
            }
            Collective::Barrier { .. } => {
                (vec![Bytes::ZERO], each(&|rank| sums(1, 1 << rank)), each(&|_| sums(1, everybody)))
            }
        };
        Self { sizes, start, end, in_place: is_in_place(collective) }.without_nothing(collective)
    }

    /// Removes items without bytes, except the knowledge that all ranks have entered a barrier.
    fn without_nothing(mut self, collective: &Collective) -> Self {
        if !matches!(collective, Collective::Barrier { .. }) {
            let sizes = &self.sizes;
            self.end.iter_mut().for_each(|items| items.retain(|&item, _| sizes[item as usize] > Bytes::ZERO));
        }
        self
    }

    /// The size of an item; zero for one that does not exist.
    pub fn bytes(&self, item: u64) -> Bytes {
        self.sizes.get(item as usize).copied().unwrap_or(Bytes::ZERO)
    }
}

fn is_in_place(collective: &Collective) -> bool {
    matches!(
        collective,
        Collective::Alltoall { algorithm: AlltoallAlgorithm::SendrecvReplace, .. }
            | Collective::Alltoallv { algorithm: AlltoallvAlgorithm::SendrecvReplace, .. }
    )
}

fn pair_bytes(collective: &Collective, from: u32, to: u32, ranks: u32) -> Bytes {
    match collective {
        Collective::Alltoall { bytes, .. } => *bytes,
        Collective::Alltoallv { blocks, .. } if is_in_place(collective) => {
            blocks.pair(from.max(to), from.min(to), ranks)
        }
        Collective::Alltoallv { blocks, .. } => blocks.pair(from, to, ranks),
        _ => Bytes::ZERO,
    }
}
