//! Alltoall: Bruck, scattered and pairwise.
//!
//! Source: MPICH @ 6a79bf6 and the papers it cites (Bruck et al., IEEE TPDS 1997; Thakur et al., IJHPCA 2005).
//! Status: published. A rank's block for itself is a local copy and sends nothing.

use philae_units::Bytes;

use super::one_to_all::ring_neighbours;
use super::{AlltoallAlgorithm, Combine, Exchange, ceil_log2};

/// Messages that the scattered algorithm keeps going at once. Source: MPICH's MPIR_CVAR_ALLTOALL_THROTTLE. Status: published.
pub const SCATTERED_BATCH: u32 = 32;

pub(super) fn steps(algorithm: AlltoallAlgorithm, ranks: u32) -> u32 {
    match algorithm {
        AlltoallAlgorithm::Bruck => ceil_log2(ranks),
        AlltoallAlgorithm::Scattered if ranks == 1 => 0,
        AlltoallAlgorithm::Scattered => ranks.div_ceil(SCATTERED_BATCH),
        AlltoallAlgorithm::Pairwise => ranks - 1,
        AlltoallAlgorithm::Auto => unreachable!("the specification resolves `auto` before it builds a program"),
    }
}

pub(super) fn step(
    algorithm: AlltoallAlgorithm,
    bytes: Bytes,
    rank: u32,
    ranks: u32,
    step: u32,
    out: &mut impl Exchange,
) {
    match algorithm {
        AlltoallAlgorithm::Bruck => bruck(bytes, rank, ranks, step, out),
        AlltoallAlgorithm::Scattered => scattered(bytes, rank, ranks, step, out),
        AlltoallAlgorithm::Pairwise => pairwise(bytes, rank, ranks, step, out),
        AlltoallAlgorithm::Auto => unreachable!("the specification resolves `auto` before it builds a program"),
    }
}

/// Step `k`: the blocks that have `2^k` in the distance they must still travel go to the rank `2^k` above.
fn bruck(bytes: Bytes, rank: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
    let distance = 1_u32 << step;
    let (to, from) = ring_neighbours(rank, ranks, distance);
    let payload = Bytes(bytes.0 * u64::from(numbers_with_bit(ranks, step)));
    out.recv(from, payload, step, Combine::Replace);
    let slots = (distance..ranks).filter(move |slot| slot & distance != 0);
    out.send(
        to,
        payload,
        step,
        slots.map(move |slot| {
            // The lower digits of the distance have been travelled already.
            let origin = ring_neighbours(rank, ranks, slot & (distance - 1)).1;
            block(origin, ring_neighbours(origin, ranks, slot).0, ranks)
        }),
    );
}

/// Step `b`: receive from the 32 next ranks above, send to the 32 next ranks below, wait for all.
///
/// Like MPICH's, the batches cover distances 0 to `ranks - 1`; distance 0 is the local copy.
fn scattered(bytes: Bytes, rank: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
    let first = step * SCATTERED_BATCH;
    let distances = first.max(1)..(first + SCATTERED_BATCH).min(ranks);
    for distance in distances.clone() {
        out.recv(ring_neighbours(rank, ranks, distance).0, bytes, step, Combine::Replace);
    }
    for distance in distances {
        let to = ring_neighbours(rank, ranks, distance).1;
        out.send(to, bytes, step, std::iter::once(block(rank, to, ranks)));
    }
}

/// Step `i - 1`: exchange with `rank XOR i` when the rank count is a power of two, else send `i` above, receive `i` below.
fn pairwise(bytes: Bytes, rank: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
    let distance = step + 1;
    let (to, from) = if ranks.is_power_of_two() {
        (rank ^ distance, rank ^ distance)
    } else {
        ring_neighbours(rank, ranks, distance)
    };
    out.recv(from, bytes, step, Combine::Replace);
    out.send(to, bytes, step, std::iter::once(block(rank, to, ranks)));
}

/// The item that `origin` has for `destination`.
pub(super) fn block(origin: u32, destination: u32, ranks: u32) -> u64 {
    u64::from(origin) * u64::from(ranks) + u64::from(destination)
}

/// How many of the numbers `0..count` have binary digit `bit` set.
const fn numbers_with_bit(count: u32, bit: u32) -> u32 {
    let half = 1_u64 << bit;
    let count = count as u64;
    let rest = count % (2 * half);
    let partial = rest.saturating_sub(half);
    (count / (2 * half) * half + partial) as u32
}

const _: () = assert!(numbers_with_bit(1_024, 9) == 512 && numbers_with_bit(6, 1) == 2 && numbers_with_bit(7, 2) == 3);
