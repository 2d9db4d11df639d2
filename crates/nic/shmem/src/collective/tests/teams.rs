//! Slots of the collective area: agreed on, returned, and used again by other teams.

use crate::memory::TEAM_SLOTS;

use super::super::barrier_group::BarrierGroup;
use super::{Draw, Shape, run};

#[test]
fn thousands_of_teams_come_and_go_and_never_share_a_slot_with_a_member_of_another() {
    for (pes, oversubscribed) in [(2, false), (4, true), (5, false)] {
        let shape = Shape { oversubscribed, ..Shape::local(pes) };
        run(&shape, |pe| {
            let mut world = pe.world();
            let mut draw = Draw(11);
            // Few slots, so that teams wait for slots that others had.
            let mut free = 0b1111_0000u64;
            let mut kept = Vec::new();
            for round in 0..1500usize {
                let who: Vec<usize> = (0..pe.size()).filter(|_| draw.below(2) == 0).collect();
                let mine = if who.contains(&pe.me) { free } else { !0 };
                let mut words = [mine];
                world.agree(&mut words).expect("no member fails");
                // If no slot is free for all members, there is no team, and every member knows it.
                if !who.is_empty() && words[0] != 0 {
                    let slot = words[0].trailing_zeros();
                    if let Some(mut team) = pe.team(&who, slot) {
                        free &= !(1 << slot);
                        let mut all = [!(1 << pe.me)];
                        team.agree(&mut all).expect("no member fails");
                        assert_eq!(!all[0], who.iter().map(|&pe| 1 << pe).sum::<u64>(), "round {round}, slot {slot}");
                        kept.push((slot, team));
                    }
                }
                // All members end their oldest teams at the same point of the program.
                if round % 7 == 6 {
                    for (slot, mut team) in kept.drain(..) {
                        team.retire().expect("no member fails");
                        free |= 1 << slot;
                    }
                }
            }
        });
    }
}

#[test]
fn all_slots_of_the_area_work_at_the_same_time() {
    run(&Shape::local(2), |pe| {
        let mut teams: Vec<_> = (0..TEAM_SLOTS as u32).map(|slot| pe.team(&[0, 1], slot).expect("a member")).collect();
        for round in 0..3 {
            for (number, team) in teams.iter_mut().enumerate() {
                let mut words = [!0, (number as u64) << round | 1 << (60 + pe.me)];
                team.agree(&mut words).expect("no member fails");
                assert_eq!(words, [!0, (number as u64) << round]);
            }
        }
    });
}

#[test]
fn many_pes_on_few_processors_meet_thousands_of_times() {
    for oversubscribed in [true, false] {
        run(&Shape { oversubscribed, ..Shape::local(8) }, |pe| {
            let mut world = pe.world();
            for _ in 0..2000 {
                world.sync().expect("no member fails");
            }
        });
    }
}

#[test]
fn a_stream_of_broadcasts_reuses_no_line_that_a_member_still_reads() {
    for oversubscribed in [false, true] {
        run(&Shape { oversubscribed, ..Shape::local(4) }, |pe| {
            let mut world = pe.world();
            let (source, target) = (pe.heap, pe.heap + 4096);
            for round in 0..3000u64 {
                // One root at a time, which waits only for what the broadcast itself waits for.
                let (root, bytes) = ((round / 250) as usize % 4, if round / 50 % 2 == 0 { 8 } else { 200 });
                // SAFETY: symmetric words of this PE.
                unsafe {
                    (source as *mut u64).write(round << 8 | pe.me as u64);
                    world.broadcast(target, source, bytes, root).expect("no member fails");
                    assert_eq!((target as *const u64).read(), round << 8 | root as u64);
                }
                // One PE lags behind.
                if pe.me == (root + 1) % 4 {
                    std::thread::yield_now();
                }
            }
        });
    }
}
