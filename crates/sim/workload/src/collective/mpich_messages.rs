//! The messages of MPICH 5.0.2, as its programs send them in simulated time.
//!
//! Each list is that of one call on `MPI_COMM_WORLD`: sender, receiver, bytes. Measured 30 November
//! 2026; `make simulated-programs SIMULATED="--parts rules"` compares more cases with MPICH itself.

use philae_units::Bytes;

use super::exchange::{Combine, Exchange};
use super::{AllreduceAlgorithm, BroadcastAlgorithm, Collective, ReduceAlgorithm, VectorSum};
use crate::program::Offload;

struct Sends<'a> {
    from: u32,
    all: &'a mut Vec<(u32, u32, u64)>,
}

impl Exchange for Sends<'_> {
    fn send(&mut self, to: u32, bytes: Bytes, _step: u32, _items: impl Iterator<Item = u64>) {
        self.all.push((self.from, to, bytes.0));
    }

    fn recv(&mut self, _from: u32, _bytes: Bytes, _step: u32, _combine: Combine) {}

    fn offload(&mut self, _kind: Offload, _bytes: Bytes, _items: impl Iterator<Item = u64>) {}
}

fn messages(collective: &Collective, ranks: u32) -> String {
    let mut all = Vec::new();
    for rank in 0..ranks {
        for step in 0..collective.steps(ranks) {
            collective.step(rank, ranks, step, &mut Sends { from: rank, all: &mut all });
        }
    }
    all.sort_unstable();
    all.iter().map(|(from, to, bytes)| format!("{from}>{to}:{bytes}")).collect::<Vec<_>>().join(" ")
}

fn longs(bytes: u64) -> VectorSum {
    VectorSum { elements: bytes / 8, element_bytes: Bytes(8) }
}

#[test]
fn a_broadcast_goes_down_mpichs_tree() {
    let collective = Collective::Broadcast { algorithm: BroadcastAlgorithm::Binomial, bytes: Bytes(8), root: 3 };
    let expected = "1>2:8 3>4:8 3>5:8 3>7:8 3>11:8 5>6:8 7>8:8 7>9:8 9>10:8 11>0:8 11>1:8";
    assert_eq!(messages(&collective, 12), expected);
}

#[test]
fn a_reduction_folds_and_gathers_as_mpich_does() {
    let algorithm = ReduceAlgorithm::ReduceScatterGather;
    let to = |root, bytes| Collective::Reduce { algorithm, vector: longs(bytes), root };
    let expected = "0>2:32768 0>4:16384 1>0:65536 2>0:32768 2>0:32768 2>5:16384 3>2:65536 4>0:16384 4>0:16384 \
                    4>5:32768 5>2:16384 5>2:16384 5>4:32768";
    assert_eq!(messages(&to(0, 65_536), 6), expected);
    // Rank 1 has given its vector to rank 0, and takes the place of rank 0 in the gather.
    let expected = "0>1:520 0>2:1024 0>4:512 1>0:2056 2>0:1032 2>1:1024 2>5:512 3>2:2056 4>0:520 4>1:512 4>5:1024 \
                    5>2:512 5>2:512 5>4:1032";
    assert_eq!(messages(&to(1, 2_056), 6), expected);
}

#[test]
fn the_first_parts_of_a_vector_have_one_element_more() {
    let collective = Collective::Allreduce { algorithm: AllreduceAlgorithm::Rabenseifner, vector: longs(2_056) };
    let expected = "0>1:1024 0>1:1032 0>2:512 0>2:520 1>0:1024 1>0:1032 1>3:512 1>3:512 2>0:512 2>0:520 2>3:1024 2>3:1032 \
                    3>1:512 3>1:512 3>2:1024 3>2:1032";
    assert_eq!(messages(&collective, 4), expected);
}
