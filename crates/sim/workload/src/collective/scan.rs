//! Scan, and exclusive scan: prefix sums by recursive doubling.

use super::allreduce::VectorSum;
use super::exchange::{Combine, Exchange};

/// Step `k`: ranks that differ only in digit `k` exchange the sums of their aligned blocks of `2^k`
/// ranks; the upper one also adds the lower one's to its result. Ranks without a partner skip the
/// step.
///
/// Source: MPICH @ 6a79bf6, `MPIR_Scan_intra_recursive_doubling` and
/// `MPIR_Exscan_intra_recursive_doubling`, for operations that commute. Status: published. The time
/// of the additions is not modelled.
pub(super) fn step(vector: VectorSum, rank: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
    let peer = rank ^ (1 << step);
    if peer >= ranks {
        return;
    }
    let bytes = vector.bytes(&vector.whole());
    out.recv(peer, bytes, step, Combine::Prefix { results: vector.elements });
    out.send(peer, bytes, step, vector.whole());
}
