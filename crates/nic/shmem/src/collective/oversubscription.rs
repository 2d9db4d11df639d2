//! Oversubscription: whether a host has more PEs than processors. If it has, a waiting PE must
//! yield.

use std::sync::atomic::{AtomicU64, Ordering};

use super::slot::{HOST_PAGE, HOST_PAGE_BYTES};

/// The most processors that this module can count on a host. Source: glibc's `cpu_set_t`. Status:
/// published.
const PROCESSORS: usize = 1024;
const MASK_WORDS: usize = PROCESSORS / 64;

/// Words of the host page: the mask of the processors that a PE may run on, then its control
/// group's quota of processors.
const QUOTA: usize = MASK_WORDS;
/// The first word of the host page that belongs to [`super::watch`].
pub(super) const WORDS: usize = MASK_WORDS + 1;
const _: () = assert!(WORDS * 8 < HOST_PAGE_BYTES);

fn word(first_slot: usize, index: usize) -> &'static AtomicU64 {
    // SAFETY: callers give the first slot of a PE of this host, which is mapped while SHMEM is
    // initialised.
    unsafe { AtomicU64::from_ptr((first_slot + HOST_PAGE + index * 8) as *mut u64) }
}

/// Publishes to the other PEs of this host where this PE may run. `first_slot` is slot 0 of its own
/// collective area.
///
/// # Safety
/// The slot is mapped, and no other PE reads it yet.
pub unsafe fn publish(first_slot: usize) {
    // SAFETY: a `cpu_set_t` consists of integers, so zero bytes are a valid value.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the size given is that of the set. If the call fails, the set stays empty, which
    // `is_oversubscribed` handles.
    unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) };
    for index in 0..MASK_WORDS {
        let mut bits = 0;
        for bit in 0..64 {
            // SAFETY: the index is below the 1024 processors of a set.
            if unsafe { libc::CPU_ISSET(index * 64 + bit, &set) } {
                bits |= 1 << bit;
            }
        }
        word(first_slot, index).store(bits, Ordering::Relaxed);
    }
    let quota = std::thread::available_parallelism().map_or(usize::MAX, std::num::NonZero::get);
    word(first_slot, QUOTA).store(quota as u64, Ordering::Release);
}

/// Whether the PEs of this host outnumber the processors that they may use together. `first_slots`
/// has the first slot of each. All PEs get the same answer. Call this after all have published.
///
/// # Safety
/// The slots are mapped.
#[must_use]
pub unsafe fn is_oversubscribed(first_slots: &[usize]) -> bool {
    let mut all = [0u64; MASK_WORDS];
    let mut quota = u64::MAX;
    for &slot in first_slots {
        let granted = word(slot, QUOTA).load(Ordering::Acquire);
        let mut own = 0;
        for (index, bits) in all.iter_mut().enumerate() {
            let mask = word(slot, index).load(Ordering::Relaxed);
            own += u64::from(mask.count_ones());
            *bits |= mask;
        }
        // A quota below the size of the mask is that of the control group, which the PEs of a job
        // share. A quota equal to it means that there is no limit.
        if granted < own {
            quota = quota.min(granted);
        }
    }
    let processors: u64 = all.iter().map(|bits| u64::from(bits.count_ones())).sum();
    first_slots.len() as u64 > processors.min(quota)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::SLOT_BYTES;

    fn slots(masks: &[(u64, u64)]) -> (Vec<Vec<u64>>, Vec<usize>) {
        let memory: Vec<Vec<u64>> = masks.iter().map(|_| vec![0u64; SLOT_BYTES / 8]).collect();
        let bases: Vec<usize> = memory.iter().map(|slot| slot.as_ptr() as usize).collect();
        for (&base, &(mask, quota)) in bases.iter().zip(masks) {
            word(base, 3).store(mask, Ordering::Relaxed);
            word(base, QUOTA).store(quota, Ordering::Relaxed);
        }
        (memory, bases)
    }

    #[test]
    fn pes_bound_to_a_processor_each_are_not_oversubscribed() {
        let (_memory, bases) = slots(&[(1, 1), (2, 1), (4, 1)]);
        // SAFETY: the slots outlive the call.
        assert!(!unsafe { is_oversubscribed(&bases) });
    }

    #[test]
    fn a_quota_oversubscribes_a_large_host() {
        let (_memory, bases) = slots(&[(u64::MAX, 2); 3]);
        // SAFETY: the slots outlive the calls.
        unsafe {
            assert!(is_oversubscribed(&bases));
            assert!(!is_oversubscribed(&bases[..2]));
        }
    }

    #[test]
    fn this_process_says_where_it_may_run() {
        let (_memory, bases) = slots(&[(0, 0)]);
        // SAFETY: the slot outlives the calls.
        unsafe {
            publish(bases[0]);
            assert!(!is_oversubscribed(&bases), "one PE has the processor that it runs on");
        }
        assert!((0..MASK_WORDS).any(|index| word(bases[0], index).load(Ordering::Relaxed) != 0));
    }
}
