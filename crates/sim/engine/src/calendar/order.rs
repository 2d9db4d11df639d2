//! Sorts the events of a bucket.
//!
//! Keys of a bucket differ by little time, and that time tells roughly where each belongs. So
//! events are counted by time and laid out, and those out of place move a step or two. A sort that
//! only compares takes twice the instructions.

use super::chunks::{Chain, Chunks};
use super::lane::BUCKET_EVENTS_MAX;
use crate::EventKey;

/// Up to this many events a sort that only compares is good enough; beyond the others, events are
/// counted in more slots. Source: ours. Status: assumed.
const FEW: usize = 6;
const SOME: usize = 32;
const MANY: usize = 64;
/// Slots in each case: few enough to add up, enough for most events to have one of their own.
/// Source: ours. Status: assumed.
const SLOTS: usize = 64;
const SLOTS_OF_SOME: usize = 128;
const SLOTS_OF_MANY: usize = 256;
/// With more steps per event on average, moving them step by step takes longer than a sort: many
/// have one time. Source: ours. Status: assumed.
const STEPS_MAX: usize = 8;

/// Moves the events of a bucket that spans `1 << shift` picoseconds to the front of `current`,
/// largest key first. `current` may be longer.
pub fn in_order<P: Copy + Default>(current: &mut Vec<(EventKey, P)>, chunks: &mut Chunks<P>, chain: Chain, shift: u32) {
    let len = chain.len as usize;
    let Some(filler) = chunks.of(chain).next().map(|events| events[0]) else { return };
    if current.len() < len {
        current.resize(len, filler);
    }
    let current = &mut current[..len];
    // A crowded bucket is about to be divided.
    if len <= FEW || len > BUCKET_EVENTS_MAX {
        // The event that was pushed last is usually the largest.
        let events = chunks.of(chain).flat_map(|events| events.iter().rev());
        current.iter_mut().zip(events).for_each(|(sorted, event)| *sorted = *event);
        current.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
    } else if len <= SOME {
        counted::<P, SLOTS>(current, chunks, chain, shift);
    } else if len <= MANY {
        counted::<P, SLOTS_OF_SOME>(current, chunks, chain, shift);
    } else {
        counted::<P, SLOTS_OF_MANY>(current, chunks, chain, shift);
    }
    chunks.drop_all(chain);
}

/// Copies the events in order.
fn counted<P: Copy + Default, const SLOTS: usize>(
    current: &mut [(EventKey, P)],
    chunks: &Chunks<P>,
    chain: Chain,
    shift: u32,
) {
    let scale = shift.saturating_sub(SLOTS.ilog2());
    // The latest events have the first slot.
    let slot = |key: &EventKey| !(key.time.0 >> scale) as usize % SLOTS;
    let mut positions = [0_u16; SLOTS];
    for events in chunks.of(chain) {
        for (key, _) in events {
            positions[slot(key)] += 1;
        }
    }
    let mut before = 0;
    for position in &mut positions {
        before += std::mem::replace(position, before);
    }
    for events in chunks.of(chain) {
        for event in events {
            let position = &mut positions[slot(&event.0)];
            current[usize::from(*position)] = *event;
            *position += 1;
        }
    }
    let mut steps = 0;
    for index in 1..current.len() {
        let event = current[index];
        let whole = event.0.as_u128();
        if whole < current[index - 1].0.as_u128() {
            continue;
        }
        let mut to = index;
        while to > 0 && current[to - 1].0.as_u128() < whole {
            current[to] = current[to - 1];
            to -= 1;
        }
        current[to] = event;
        steps += index - to;
        if steps > STEPS_MAX * current.len() {
            current.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use philae_units::Picoseconds;

    use super::super::chunks::CHUNK;
    use super::*;
    use crate::{EventOrder, RandomStream};

    /// Few and many events, spread over a bucket, at some of its times, or all at one time: in the
    /// order of a sort.
    #[test]
    fn events_are_in_the_order_of_a_sort() {
        let mut random = RandomStream::new(5, 0, 0);
        let (mut chunks, mut current) = (Chunks::new(1), Vec::new());
        for len in [
            1,
            2,
            FEW,
            FEW + 1,
            CHUNK,
            SOME,
            SOME + 1,
            MANY,
            MANY + 1,
            100,
            300,
            BUCKET_EVENTS_MAX,
            BUCKET_EVENTS_MAX + 1,
        ] {
            for shift in [6, 7, 9, 13, 20] {
                for times in [1, 3, 40, 1 << shift] {
                    let first = u64::from(random.below(1_000)) << shift;
                    let mut chain = Chain::EMPTY;
                    let mut expected = Vec::new();
                    for payload in 0..len as u32 {
                        let time = first
                            + u64::from(random.below(times.min(1 << shift))) * ((1 << shift) / u64::from(times)).max(1);
                        let time = time.min(first + (1 << shift) - 1);
                        let key =
                            EventKey::new(Picoseconds(time), EventOrder::Arrive, random.below(9), u64::from(payload));
                        *chunks.add(&mut chain) = (key, payload);
                        expected.push((key, payload));
                    }
                    expected.sort_unstable_by(|a, b| b.cmp(a));
                    in_order(&mut current, &mut chunks, chain, shift);
                    assert_eq!(current[..len], expected, "{len} events at {times} times of 2^{shift} picoseconds");
                }
            }
        }
    }
}
