//! Locks of several PEs, and of several threads of a PE.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::Error;
use crate::local::atomics::LocalAtomics;
use crate::local::lock::{LockRequest, Locks};

use super::super::barrier_group::BarrierGroup;
use super::{Draw, Pe, Shape, run};

fn atomics(pe: &Pe) -> LocalAtomics<'_> {
    // SAFETY: the job's memory is mapped as the PE says.
    unsafe { LocalAtomics::on(&pe.windows, &pe.home) }
}

fn lock_at(pe: &Pe, offset: usize) -> LockRequest {
    LockRequest::new(pe.heap + offset, offset, pe.me as u32, pe.size() as u32)
}

/// Data that a lock guards: without it, changes by several threads would mix.
struct Guarded(UnsafeCell<[u64; 2]>);
// SAFETY: the tests' locks exclude concurrent access, or the test fails.
unsafe impl Sync for Guarded {}

#[test]
fn one_at_a_time_has_a_lock_wherever_its_home_is() {
    for (pes, oversubscribed) in [(2, false), (3, true), (8, true)] {
        let guarded: Vec<Guarded> = (0..3).map(|_| Guarded(UnsafeCell::new([0; 2]))).collect();
        run(&Shape { oversubscribed, ..Shape::local(pes) }, |pe| {
            let (locks, atomics, mut world) = (Locks::default(), atomics(pe), pe.world());
            let mut draw = Draw(pe.me as u64);
            for _ in 0..600 {
                let which = draw.below(3);
                let lock = lock_at(pe, which * 8);
                // SAFETY: symmetric words of this PE.
                unsafe {
                    if draw.below(3) == 0 {
                        while !locks.test(lock, &atomics).expect("no member fails") {
                            std::thread::yield_now();
                        }
                    } else {
                        locks.set(lock, &atomics, &pe.means.waiting).expect("no member fails");
                    }
                    let words = guarded[which].0.get();
                    (*words)[0] += 1;
                    if draw.below(4) == 0 {
                        std::thread::yield_now();
                    }
                    (*words)[1] += 1;
                    assert_eq!((*words)[0], (*words)[1], "two had lock {which}");
                    locks.clear(lock, &atomics, &pe.means.waiting).expect("no member fails");
                }
            }
            world.sync().expect("no member fails");
            for which in 0..3 {
                // SAFETY: as above.
                assert_eq!(
                    unsafe { ((pe.heap + which * 8) as *const u64).read() },
                    0,
                    "a free lock is zero everywhere"
                );
            }
        });
        let total: u64 = guarded.into_iter().map(|guarded| guarded.0.into_inner()[0]).sum();
        assert_eq!(total, 600 * pes as u64);
    }
}

#[test]
fn who_asks_first_is_served_first() {
    let turns = AtomicUsize::new(0);
    run(&Shape::local(4), |pe| {
        let (locks, atomics, mut world) = (Locks::default(), atomics(pe), pe.world());
        let lock = lock_at(pe, 0);
        // The tail of the lock's home names the last to arrive. PE 0 lets the next begin once the
        // one before is in the queue. SAFETY: the home is PE 0, for offset 0.
        let tail = || unsafe {
            (*((pe.heap.wrapping_add_signed(pe.windows[0].heap)) as *const std::sync::atomic::AtomicU32))
                .load(Ordering::Acquire)
        };
        // SAFETY: symmetric words of this PE.
        unsafe {
            if pe.me > 0 {
                pe.means.waiting.until(|| tail() == pe.me as u32).expect("no member fails");
            }
            locks.set(lock, &atomics, &pe.means.waiting).expect("no member fails");
            assert_eq!(turns.fetch_add(1, Ordering::Relaxed), pe.me);
            if pe.me == 0 {
                pe.means.waiting.until(|| tail() == 4).expect("no member fails");
            }
            locks.clear(lock, &atomics, &pe.means.waiting).expect("no member fails");
        }
        world.sync().expect("no member fails");
    });
    assert_eq!(turns.into_inner(), 4);
}

#[test]
fn wrong_use_of_a_lock_is_told_and_threads_of_a_pe_take_turns() {
    run(&Shape::local(2), |pe| {
        let (locks, atomics, mut world) = (Locks::default(), atomics(pe), pe.world());
        let (own, shared) = (lock_at(pe, 64 + pe.me * 8), lock_at(pe, 8));
        let waiting = &pe.means.waiting;
        // SAFETY: symmetric words of this PE.
        unsafe {
            let never_set = locks.clear(own, &atomics, waiting);
            assert!(matches!(never_set, Err(Error::Argument { .. })), "{never_set:?}");
            locks.set(own, &atomics, waiting).expect("no member fails");
            let twice = locks.set(own, &atomics, waiting);
            assert!(matches!(twice, Err(Error::Argument { .. })), "{twice:?}");
            assert!(!locks.test(own, &atomics).expect("no member fails"));
            locks.clear(own, &atomics, waiting).expect("no member fails");
        }
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        // SAFETY: as above.
                        unsafe {
                            locks.set(shared, &atomics, waiting).expect("no member fails");
                            assert_eq!(inside.fetch_add(1, Ordering::Relaxed), 0, "one thread at a time");
                            inside.fetch_sub(1, Ordering::Relaxed);
                            locks.clear(shared, &atomics, waiting).expect("no member fails");
                        }
                    }
                });
            }
        });
        world.sync().expect("no member fails");
    });
}

#[test]
fn a_wait_for_a_lock_ends_when_a_pe_has_died() {
    struct Died;
    impl crate::local::wait::SlowPart for Died {
        fn dead(&self) -> Option<Error> {
            Some(Error::PeDied { pe: 1, pid: 1, how: "is gone".to_owned() })
        }
    }
    run(&Shape::local(2), |pe| {
        let (atomics, mut world) = (atomics(pe), pe.world());
        let locks = Locks::default();
        let lock = lock_at(pe, 0);
        // SAFETY: symmetric words of this PE.
        unsafe {
            if pe.me == 1 {
                locks.set(lock, &atomics, &pe.means.waiting).expect("it is free");
            }
            world.sync().expect("no member fails");
            if pe.me == 0 {
                let mut waiting = pe.means.waiting.clone();
                waiting.slow = std::sync::Arc::new(Died);
                let ended = locks.set(lock, &atomics, &waiting);
                assert!(matches!(ended, Err(Error::PeDied { pe: 1, .. })), "{ended:?}");
            }
        }
        world.sync().expect("no member fails");
    });
}
