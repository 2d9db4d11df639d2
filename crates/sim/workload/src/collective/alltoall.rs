//! Alltoall: Bruck, scattered, pairwise and in place; all except Bruck also for uneven blocks
//! (alltoallv).
//!
//! Source: MPICH @ 6a79bf6 and the papers it cites (Bruck et al., IEEE TPDS 1997; Thakur et al.,
//! IJHPCA 2005). Status: published; the orders `random` and `spread` are ours. A rank's block for
//! itself is a local copy and sends nothing.

use philae_units::Bytes;

use super::algorithm::{AlltoallAlgorithm, AlltoallvAlgorithm};
use super::blocks::BlockSizes;
use super::exchange::{Combine, Exchange, ceil_log2, ring_neighbours};
use super::order::{Shuffle, spread_stride};

/// Messages that the scattered algorithm keeps in flight. Source: MPICH's
/// MPIR_CVAR_ALLTOALL_THROTTLE. Status: published.
pub const SCATTERED_BATCH: u32 = 32;

pub(super) fn steps(algorithm: AlltoallAlgorithm, ranks: u32) -> u32 {
    match algorithm {
        AlltoallAlgorithm::Bruck => ceil_log2(ranks),
        AlltoallAlgorithm::Scattered => steps_v(AlltoallvAlgorithm::Scattered, ranks),
        AlltoallAlgorithm::Pairwise => steps_v(AlltoallvAlgorithm::Pairwise, ranks),
        AlltoallAlgorithm::SendrecvReplace => steps_v(AlltoallvAlgorithm::SendrecvReplace, ranks),
        AlltoallAlgorithm::Random | AlltoallAlgorithm::Spread => (ranks - 1).div_ceil(SCATTERED_BATCH),
        AlltoallAlgorithm::Auto => unreachable!("the specification resolves `auto` before it builds a program"),
    }
}

/// Steps of the algorithms that take blocks of any size.
pub(super) fn steps_v(algorithm: AlltoallvAlgorithm, ranks: u32) -> u32 {
    match algorithm {
        _ if ranks == 1 => 0,
        AlltoallvAlgorithm::Scattered => ranks.div_ceil(SCATTERED_BATCH),
        AlltoallvAlgorithm::Pairwise => ranks - 1,
        AlltoallvAlgorithm::SendrecvReplace => ranks,
        AlltoallvAlgorithm::Auto => unreachable!("the specification resolves `auto` before it builds a program"),
    }
}

pub(super) fn step(
    algorithm: AlltoallAlgorithm,
    (bytes, seed): (Bytes, u64),
    rank: u32,
    ranks: u32,
    step: u32,
    out: &mut impl Exchange,
) {
    let uneven = match algorithm {
        AlltoallAlgorithm::Bruck => return bruck(bytes, rank, ranks, step, out),
        AlltoallAlgorithm::Scattered => AlltoallvAlgorithm::Scattered,
        AlltoallAlgorithm::Pairwise => AlltoallvAlgorithm::Pairwise,
        AlltoallAlgorithm::SendrecvReplace => AlltoallvAlgorithm::SendrecvReplace,
        AlltoallAlgorithm::Random => {
            let ring = Shuffle::new(ranks, seed);
            let own = ring.place_of(rank);
            return ordered(bytes, rank, ranks, step, out, |turn| {
                let (after, before) = ring_neighbours(own, ranks, turn);
                (ring.number_at(after), ring.number_at(before))
            });
        }
        AlltoallAlgorithm::Spread => {
            let stride = u64::from(spread_stride(ranks));
            return ordered(bytes, rank, ranks, step, out, |turn| {
                ring_neighbours(rank, ranks, (u64::from(turn) * stride % u64::from(ranks)) as u32)
            });
        }
        AlltoallAlgorithm::Auto => unreachable!("the specification resolves `auto` before it builds a program"),
    };
    step_v(uneven, &BlockSizes::Even(bytes), rank, ranks, step, out);
}

pub(super) fn step_v(
    algorithm: AlltoallvAlgorithm,
    blocks: &BlockSizes,
    rank: u32,
    ranks: u32,
    step: u32,
    out: &mut impl Exchange,
) {
    match algorithm {
        AlltoallvAlgorithm::Scattered => scattered(blocks, rank, ranks, step, out),
        AlltoallvAlgorithm::Pairwise => pairwise(blocks, rank, ranks, step, out),
        AlltoallvAlgorithm::SendrecvReplace => sendrecv_replace(blocks, rank, ranks, step, out),
        AlltoallvAlgorithm::Auto => unreachable!("the specification resolves `auto` before it builds a program"),
    }
}

/// Step `k`: blocks with `2^k` in their remaining distance go to the rank `2^k` above.
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
            // The block has already covered the lower digits of the distance.
            let origin = ring_neighbours(rank, ranks, slot & (distance - 1)).1;
            block(origin, ring_neighbours(origin, ranks, slot).0, ranks)
        }),
    );
}

/// Step `b`: receive from the 32 next ranks above, send to the 32 next ranks below, wait for all.
/// Empty blocks are not sent.
///
/// Like MPICH's, the batches cover distances 0 to `ranks - 1`; distance 0 is the local copy.
fn scattered(blocks: &BlockSizes, rank: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
    let first = step * SCATTERED_BATCH;
    let distances = first.max(1)..(first + SCATTERED_BATCH).min(ranks);
    for distance in distances.clone() {
        let from = ring_neighbours(rank, ranks, distance).0;
        let bytes = blocks.pair(from, rank, ranks);
        if bytes > Bytes::ZERO {
            out.recv(from, bytes, step, Combine::Replace);
        }
    }
    for distance in distances {
        let to = ring_neighbours(rank, ranks, distance).1;
        let bytes = blocks.pair(rank, to, ranks);
        if bytes > Bytes::ZERO {
            out.send(to, bytes, step, std::iter::once(block(rank, to, ranks)));
        }
    }
}

/// Step `b`: the exchanges of turns `32 b + 1` to `32 b + 32`, all at the same time. `partners`
/// says to which rank a block goes in a turn and from which one comes.
fn ordered(
    bytes: Bytes,
    rank: u32,
    ranks: u32,
    step: u32,
    out: &mut impl Exchange,
    partners: impl Fn(u32) -> (u32, u32),
) {
    let first = step * SCATTERED_BATCH + 1;
    let turns = first..(first + SCATTERED_BATCH).min(ranks);
    for (_, from) in turns.clone().map(&partners) {
        out.recv(from, bytes, step, Combine::Replace);
    }
    for (to, _) in turns.map(&partners) {
        out.send(to, bytes, step, std::iter::once(block(rank, to, ranks)));
    }
}

/// Step `i - 1`: exchange with `rank XOR i` when the rank count is a power of two, else send `i`
/// above, receive `i` below.
fn pairwise(blocks: &BlockSizes, rank: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
    let distance = step + 1;
    let (to, from) = if ranks.is_power_of_two() {
        (rank ^ distance, rank ^ distance)
    } else {
        ring_neighbours(rank, ranks, distance)
    };
    out.recv(from, blocks.pair(from, rank, ranks), step, Combine::Replace);
    out.send(to, blocks.pair(rank, to, ranks), step, std::iter::once(block(rank, to, ranks)));
}

/// Step `i`: exchange with rank `i`. Each sends the block for the other and replaces it with the
/// received one.
///
/// A message carries the step of its sender, which is the number of its receiver.
fn sendrecv_replace(blocks: &BlockSizes, rank: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
    if step == rank {
        return;
    }
    let bytes = blocks.exchanged(rank, step, ranks);
    out.recv(step, bytes, rank, Combine::Replace);
    out.send(step, bytes, step, std::iter::once(block(rank, step, ranks)));
}

/// The item from `origin` for `destination`.
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
