//! Barrier (dissemination) and broadcast (binomial tree).

use philae_units::Bytes;

use super::exchange::{Combine, Exchange, ceil_log2, ring_neighbours};

/// Steps of both: the binary logarithm of the rank count, rounded up.
pub(super) const fn steps(ranks: u32) -> u32 {
    ceil_log2(ranks)
}

/// Step `k`: send to the rank `2^k` above, receive from the rank `2^k` below.
///
/// Source: Hensgen, Finkel, Manber 1988; MPICH's default barrier. Status: published.
pub(super) fn dissemination(rank: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
    let (to, from) = ring_neighbours(rank, ranks, 1 << step);
    out.recv(from, Bytes::ZERO, step, Combine::Union);
    out.send(to, Bytes::ZERO, step, std::iter::once(0));
}

/// A binomial tree, the most distant children first: of the ranks whose last `digit` digits are
/// zero, those that have the message send it to the one `2^digit` above.
///
/// Source: MPICH, compared with version 5.0.2 message by message (`bench/simulated/rules.py`).
/// Status: published.
pub(super) fn binomial(
    bytes: Bytes,
    rank: u32,
    ranks: u32,
    step: u32,
    items: impl Iterator<Item = u64>,
    out: &mut impl Exchange,
) {
    let distance = 1_u32 << (steps(ranks) - 1 - step);
    if rank & (distance - 1) != 0 {
    } else if rank & distance != 0 {
        out.recv(rank - distance, bytes, step, Combine::Replace);
    } else if distance < ranks - rank {
        out.send(rank + distance, bytes, step, items);
    }
}
