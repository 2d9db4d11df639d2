//! Collectives, waits and locks of real PEs: processes that call the library as C does.

#![expect(unsafe_code, reason = "PEs call the library as C does")]

mod pes;

use std::ffi::{c_char, c_int};
use std::ptr;

use pes::{barrier, finalize, init, malloc, me, n_pes, put, run, scenario, world};
use philae_shmem::abi::TeamHandle;
use philae_shmem::team_calls::philae_shmem_team_split_strided;

/// An active set, as C passes it.
#[derive(Clone, Copy)]
#[repr(C)]
struct Set {
    start: c_int,
    log_stride: c_int,
    size: c_int,
}

/// Numbers of `include/philae/shmem_core.h`.
const I64: c_int = 3;
const U64: c_int = 7;
const C64: c_int = 12;
const SUM: c_int = 5;
const WAIT_ALL: c_int = 0;
const WAIT_ANY: c_int = 1;
const WAIT_SOME: c_int = 2;
const WAIT_TEST: c_int = 4;
const WAIT_VECTOR: c_int = 8;
const CMP_EQ: c_int = 0;
const CMP_GE: c_int = 5;

unsafe extern "C" {
    fn philae_shmem_team_sync(what: *const c_char, team: *const TeamHandle) -> c_int;
    fn philae_shmem_broadcast(
        what: *const c_char,
        team: *const TeamHandle,
        dest: *mut u64,
        source: *const u64,
        count: usize,
        bytes: usize,
        root: c_int,
    ) -> c_int;
    fn philae_shmem_collect(
        what: *const c_char,
        team: *const TeamHandle,
        dest: *mut u64,
        source: *const u64,
        count: usize,
        bytes: usize,
    ) -> c_int;
    fn philae_shmem_fcollect(
        what: *const c_char,
        team: *const TeamHandle,
        dest: *mut u64,
        source: *const u64,
        count: usize,
        bytes: usize,
    ) -> c_int;
    fn philae_shmem_alltoall(
        what: *const c_char,
        team: *const TeamHandle,
        dest: *mut u64,
        source: *const u64,
        count: usize,
        bytes: usize,
    ) -> c_int;
    fn philae_shmem_alltoallv_packed(
        what: *const c_char,
        team: *const TeamHandle,
        target: *mut u64,
        room: usize,
        size: *mut usize,
        source: *const u64,
        offsets: *const u64,
        sizes: *const u64,
    ) -> c_int;
    fn philae_shmem_reduce(
        what: *const c_char,
        team: *const TeamHandle,
        dest: *mut u64,
        source: *const u64,
        count: usize,
        kind: c_int,
        op: c_int,
    ) -> c_int;
    fn philae_shmem_scan(
        what: *const c_char,
        team: *const TeamHandle,
        dest: *mut u64,
        source: *const u64,
        count: usize,
        kind: c_int,
        op: c_int,
        exclusive: c_int,
    ) -> c_int;
    fn philae_shmem_set_sync(what: *const c_char, set: Set, sync: *mut u64, quiet: c_int);
    fn philae_shmem_set_reduce(
        what: *const c_char,
        set: Set,
        dest: *mut u64,
        source: *const u64,
        count: usize,
        kind: c_int,
        op: c_int,
        sync: *mut u64,
    );
    fn philae_shmem_set_collect(
        what: *const c_char,
        set: Set,
        dest: *mut u64,
        source: *const u64,
        count: usize,
        bytes: usize,
        sync: *mut u64,
    );
    fn philae_shmem_wait(
        what: *const c_char,
        form: c_int,
        kind: c_int,
        words: *const u64,
        count: usize,
        indices: *mut usize,
        status: *const c_int,
        cmp: c_int,
        value: *const u64,
    ) -> usize;
    fn philae_shmem_set_lock(what: *const c_char, lock: *mut u64);
    fn philae_shmem_clear_lock(what: *const c_char, lock: *mut u64);
    fn philae_shmem_test_lock(what: *const c_char, lock: *mut u64) -> c_int;
}

const NAME: *const c_char = c"shmem".as_ptr();

/// The part of a test that each PE runs.
#[test]
#[ignore = "it is a PE of the tests below"]
fn pe() {
    match scenario().as_deref() {
        Some("all") => all(),
        Some("teams") => teams(300),
        Some("waits") => waits(2000),
        Some("locks") => locks(300),
        Some("few teams") => teams(5),
        Some("few waits") => waits(100),
        Some("few locks") => locks(30),
        Some("mismatch") => mismatch(),
        Some("not symmetric") => {
            init();
            let stack = 7u64;
            // SAFETY: as C calls it; the library refuses.
            unsafe {
                philae_shmem_reduce(
                    c"shmem_long_sum_reduce".as_ptr(),
                    world(),
                    malloc(8),
                    &raw const stack,
                    1,
                    I64,
                    SUM,
                )
            };
        }
        Some("no such root") => {
            init();
            // SAFETY: as C calls it; the library refuses.
            unsafe { philae_shmem_broadcast(c"shmem_long_broadcast".as_ptr(), world(), malloc(8), malloc(8), 1, 8, 5) };
        }
        Some("not in the set") => {
            init();
            let sync = malloc(64);
            // SAFETY: as C calls it; the library refuses.
            unsafe { philae_shmem_set_sync(c"shmem_sync".as_ptr(), Set { start: 1, log_stride: 1, size: 1 }, sync, 0) };
        }
        Some("killed holder") => killed_holder(),
        other => panic!("no such scenario: {other:?}"),
    }
}

fn fill(words: *mut u64, values: impl Iterator<Item = u64>) {
    for (index, value) in values.enumerate() {
        // SAFETY: the callers' arrays have room.
        unsafe { words.add(index).write(value) };
    }
}

fn read(words: *const u64, count: usize) -> Vec<u64> {
    // SAFETY: the callers' arrays have `count` words.
    (0..count).map(|index| unsafe { words.add(index).read_volatile() }).collect()
}

/// Every collective on a team, with sizes for each of its methods; source and target lie in the
/// heap.
fn collectives(team: *const TeamHandle, members: &[u64], place: usize, source: *mut u64, target: *mut u64) {
    let size = members.len() as u64;
    let own = members[place];
    let value = |pe: u64, index: u64| pe << 32 | index;
    for count in [1usize, 3, 100, 5000] {
        let n = count as u64;
        // SAFETY: as C calls them; the arrays have room for all of this.
        unsafe {
            fill(source, (0..n).map(|index| value(own, index)));
            let root = count % members.len();
            assert_eq!(philae_shmem_broadcast(NAME, team, target, source, count, 8, root as c_int), 0);
            assert_eq!(read(target, count), (0..n).map(|index| value(members[root], index)).collect::<Vec<_>>());

            assert_eq!(philae_shmem_fcollect(NAME, team, target, source, count, 8), 0);
            let everybodys: Vec<u64> =
                members.iter().flat_map(|&pe| (0..n).map(move |index| value(pe, index))).collect();
            assert_eq!(read(target, everybodys.len()), everybodys);

            let some = |place: u64| n.min(1 + place * 7);
            assert_eq!(philae_shmem_collect(NAME, team, target, source, some(place as u64) as usize, 8), 0);
            let everybodys: Vec<u64> =
                (0..size).flat_map(|at| (0..some(at)).map(move |index| value(members[at as usize], index))).collect();
            assert_eq!(read(target, everybodys.len()), everybodys);

            fill(source, (0..n * size).map(|index| value(own, index)));
            assert_eq!(philae_shmem_alltoall(NAME, team, target, source, count, 8), 0);
            let blocks: Vec<u64> =
                members.iter().flat_map(|&pe| (0..n).map(move |index| value(pe, place as u64 * n + index))).collect();
            assert_eq!(read(target, blocks.len()), blocks);

            fill(source, (0..n).map(|index| own + index));
            assert_eq!(philae_shmem_reduce(NAME, team, target, source, count, I64, SUM), 0);
            let sum: u64 = members.iter().sum();
            assert_eq!(read(target, count), (0..n).map(|index| sum + size * index).collect::<Vec<_>>());

            for exclusive in [0, 1] {
                // In place.
                fill(target, (0..n).map(|index| own + index));
                assert_eq!(philae_shmem_scan(NAME, team, target, target, count, I64, SUM, exclusive), 0);
                let before = &members[..place + 1 - exclusive as usize];
                let (sum, terms) = (before.iter().sum::<u64>(), before.len() as u64);
                assert_eq!(read(target, count), (0..n).map(|index| sum + terms * index).collect::<Vec<_>>());
            }
            assert_eq!(philae_shmem_team_sync(NAME, team), 0);
        }
    }
}

fn all() {
    init();
    let (me, n) = (u64::from(me()), u64::from(n_pes()));
    let (source, target) = (malloc(5000 * 8 * n as usize), malloc(5000 * 8 * n as usize));
    let members: Vec<u64> = (0..n).collect();
    collectives(world(), &members, me as usize, source, target);
    // SAFETY: as C calls them; the arrays have room for all of this.
    unsafe {
        // Complex numbers: 1 + i each; products rotate.
        let complex = |real: f64, imaginary: f64| [real.to_bits(), imaginary.to_bits()];
        fill(source, complex(1.0, me as f64).into_iter());
        assert_eq!(philae_shmem_reduce(NAME, world(), target, source, 1, C64, SUM), 0);
        assert_eq!(read(target, 2), complex(n as f64, (n * (n - 1) / 2) as f64));

        // Bytes by PE: PE i sends i + j words to PE j.
        let (offsets, sizes) = (malloc(8 * n as usize), malloc(8 * n as usize));
        fill(offsets, (0..n).map(|to| to * 100 * 8));
        fill(sizes, (0..n).map(|to| (me + to) * 8));
        fill(source, (0..n * 100).map(|index| me << 32 | index));
        let mut total = 0;
        let room = 5000 * 8;
        assert_eq!(
            philae_shmem_alltoallv_packed(NAME, world(), target, room, &raw mut total, source, offsets, sizes),
            0
        );
        let coming: Vec<u64> =
            (0..n).flat_map(|from| (0..from + me).map(move |index| from << 32 | (me * 100 + index))).collect();
        assert_eq!(total, coming.len() * 8);
        assert_eq!(read(target, coming.len()), coming);

        // Active sets: the even PEs, then all.
        let (sync, other_sync) = (malloc(64 * 8), malloc(64 * 8));
        fill(sync, (0..64).map(|_| 0));
        fill(other_sync, (0..64).map(|_| 0));
        barrier();
        for round in 0..20 {
            let set = Set { start: 0, log_stride: 1, size: n.div_ceil(2) as c_int };
            if me.is_multiple_of(2) {
                fill(source, [me + round].into_iter());
                philae_shmem_set_reduce(NAME, set, target, source, 1, I64, SUM, sync);
                let evens = n.div_ceil(2);
                assert_eq!(read(target, 1), [evens * (evens - 1) + evens * round]);
            }
            let set = Set { start: 0, log_stride: 0, size: n as c_int };
            fill(source, (0..=me).map(|index| me << 8 | index));
            philae_shmem_set_collect(NAME, set, target, source, me as usize + 1, 8, other_sync);
            let blocks: Vec<u64> = (0..n).flat_map(|pe| (0..=pe).map(move |index| pe << 8 | index)).collect();
            assert_eq!(read(target, blocks.len()), blocks);
        }
        assert_eq!((read(sync, 64), read(other_sync, 64)), (vec![0; 64], vec![0; 64]), "a pSync is as it was");
    }
    barrier();
    finalize();
}

/// A team of the odd PEs backwards, made, used and destroyed many times.
fn teams(rounds: u32) {
    init();
    let (me, n) = (u64::from(me()), u64::from(n_pes()));
    let (source, target) = (malloc(5000 * 8 * n as usize), malloc(5000 * 8 * n as usize));
    let members: Vec<u64> = (0..n).rev().filter(|pe| !pe.is_multiple_of(2)).collect();
    for _ in 0..rounds {
        let mut made = ptr::null_mut();
        // SAFETY: as C calls it.
        let code = unsafe {
            let (first, size) = (members[0] as c_int, members.len() as c_int);
            philae_shmem_team_split_strided(NAME, world(), first, -2, size, ptr::null(), 0, &raw mut made)
        };
        assert_eq!(code, 0);
        if let Some(place) = members.iter().position(|&pe| pe == me) {
            collectives(made, &members, place, source, target);
            // SAFETY: as C calls it.
            unsafe { philae_shmem::team_calls::philae_shmem_team_destroy(NAME, made) };
        }
    }
    finalize();
}

/// A ring of words, by every form of wait: each PE waits for its left neighbour.
fn waits(rounds: u64) {
    init();
    let (me, n) = (u64::from(me()), u64::from(n_pes()));
    let words = malloc(8 * 8);
    fill(words, (0..8).map(|_| 0));
    barrier();
    let right = ((me + 1) % n) as c_int;
    let wait = |form: c_int, count: usize, indices: *mut usize, status: *const c_int, cmp: c_int, value: &[u64]| {
        // SAFETY: as C calls it.
        unsafe {
            philae_shmem_wait(
                c"shmem_uint64_wait_until".as_ptr(),
                form,
                U64,
                words,
                count,
                indices,
                status,
                cmp,
                value.as_ptr(),
            )
        }
    };
    for round in 1..=rounds {
        let index = (round % 8) as usize;
        // PE 0 begins every round.
        if me == 0 {
            put(c"shmem_uint64_put", words.wrapping_add(index), &[round], right);
        }
        let mut status = [1; 8];
        status[index] = 0;
        match round % 4 {
            0 => {
                // SAFETY: as C calls it.
                let one = unsafe {
                    philae_shmem_wait(
                        NAME,
                        WAIT_ALL,
                        U64,
                        words.add(index),
                        1,
                        ptr::null_mut(),
                        ptr::null(),
                        CMP_EQ,
                        &raw const round,
                    )
                };
                assert_eq!(one, 1);
            }
            1 => assert_eq!(wait(WAIT_ANY, 8, ptr::null_mut(), status.as_ptr(), CMP_GE, &[round]), index),
            2 => {
                let mut indices = [9; 8];
                let values = [round; 8];
                assert_eq!(wait(WAIT_SOME | WAIT_VECTOR, 8, indices.as_mut_ptr(), status.as_ptr(), CMP_EQ, &values), 1);
                assert_eq!(indices[0], index);
            }
            _ => {
                while wait(WAIT_ALL | WAIT_TEST, 8, ptr::null_mut(), status.as_ptr(), CMP_EQ, &[round]) == 0 {
                    std::thread::yield_now();
                }
            }
        }
        if me != 0 {
            put(c"shmem_uint64_put", words.wrapping_add(index), &[round], right);
        }
    }
    barrier();
    finalize();
}

/// A counter of PE 0 that only the lock's holder changes, by a get and a put.
fn locks(rounds: u64) {
    init();
    let n = u64::from(n_pes());
    let (lock, counter) = (malloc(8), malloc(8));
    fill(lock, [0].into_iter());
    fill(counter, [0].into_iter());
    barrier();
    for round in 0..rounds {
        // SAFETY: as C calls it.
        unsafe {
            if round % 3 == 0 {
                while philae_shmem_test_lock(NAME, lock) != 0 {
                    std::thread::yield_now();
                }
            } else {
                philae_shmem_set_lock(NAME, lock);
            }
        }
        let before = pes::get(counter, 1, 0)[0];
        put(c"shmem_uint64_put", counter, &[before + 1], 0);
        // SAFETY: as C calls it.
        unsafe { philae_shmem_clear_lock(NAME, lock) };
    }
    barrier();
    assert_eq!(pes::get(counter, 1, 0)[0], rounds * n);
    assert_eq!(read(lock, 1), [0]);
    finalize();
}

fn mismatch() {
    init();
    let (source, target) = (malloc(800), malloc(800));
    let count = if me() == 1 { 4 } else { 5 };
    // SAFETY: as C calls it; the library refuses in debug mode.
    unsafe { philae_shmem_broadcast(c"shmem_long_broadcast".as_ptr(), world(), target, source, count, 8, 0) };
    finalize();
}

fn killed_holder() {
    init();
    let lock = malloc(8);
    fill(lock, [0].into_iter());
    barrier();
    // SAFETY: as C calls it.
    unsafe {
        if me() == 1 {
            philae_shmem_set_lock(NAME, lock);
            barrier();
            std::process::abort();
        }
        barrier();
        philae_shmem_set_lock(c"shmem_set_lock".as_ptr(), lock);
    }
    unreachable!("the lock's holder is dead");
}

#[test]
fn every_collective_gives_what_the_standard_says() {
    for pes in [1, 2, 3, 4] {
        run(pes, "all", &[]).well();
        run(pes, "all", &[(None, "SHMEM_DEBUG", "1")]).well();
    }
}

#[test]
fn teams_come_and_go_with_their_collectives() {
    for pes in [2, 4, 7] {
        run(pes, "teams", &[]).well();
    }
}

#[test]
fn every_form_of_wait_sees_its_word() {
    for pes in [1, 2, 4] {
        run(pes, "waits", &[]).well();
    }
}

#[test]
fn a_lock_keeps_others_out_of_a_read_and_a_write() {
    for pes in [1, 2, 4] {
        run(pes, "locks", &[]).well();
    }
}

/// PEs that reach each other through a NIC: either all, or only the leaders of pairs that share
/// memory.
fn through_the_nic(scenario: &str, pes: u32) {
    let test = std::env::current_exe().expect("a test knows its own file");
    let found = philae_launcher::find_library(None, &test).expect("cargo builds the provider for this test");
    let libraries = found.to_string_lossy().into_owned();
    let shm = [("SHMEM_OFI_PROVIDER", "philae"), ("FI_PHILAE_WIRES", "shm")];
    let tcp = [("SHMEM_OFI_PROVIDER", "tcp;ofi_rxm"), ("FI_PHILAE_WIRES", "")];
    for wire in [shm, tcp] {
        for locality in [("SHMEM_LOCALITY_ONNODE", "NIC"), ("SHMEM_SMP_SIZE_LIMIT", "2")] {
            // Over the faster wires, those of one host, the debug mode is on, too.
            let debug = ("SHMEM_DEBUG", if wire == shm { "1" } else { "0" });
            let path = [("FI_PROVIDER_PATH", libraries.as_str()), locality, debug];
            let said = wire.iter().chain(&path).filter(|(_, value)| !value.is_empty());
            let said: Vec<_> = said.map(|&(name, value)| (None, name, value)).collect();
            run(pes, scenario, &said).well();
        }
    }
}

#[test]
fn every_collective_gives_the_same_through_a_nic() {
    through_the_nic("all", 4);
}

#[test]
fn teams_waits_and_locks_do_the_same_through_a_nic() {
    for scenario in ["few teams", "few waits", "few locks"] {
        through_the_nic(scenario, 3);
    }
}

#[test]
fn pes_that_call_different_things_are_told_both_in_debug_mode() {
    let job = run(3, "mismatch", &[(None, "SHMEM_DEBUG", "1")]);
    let said = job.said();
    assert!(job.pes.iter().all(|ended| ended.code() != 0), "{said}");
    assert!(said.contains("shmem_long_broadcast with root 0 of 32 bytes"), "{said}");
    assert!(said.contains("shmem_long_broadcast with root 0 of 40 bytes"), "{said}");
}

#[test]
fn wrong_arguments_end_the_job_with_their_reason() {
    for (scenario, words) in [
        ("not symmetric", ["shmem_long_sum_reduce", "source", "legal here: heap"]),
        ("no such root", ["shmem_long_broadcast", "PE 5", "0 to 1"]),
        ("not in the set", ["shmem_sync", "PE_start 1, logPE_stride 1, PE_size 1", "without PE 0"]),
    ] {
        let job = run(2, scenario, &[]);
        let said = job.said();
        assert!(job.pes.iter().any(|ended| ended.code() != 0), "{scenario}: {said}");
        for word in words {
            assert!(said.contains(word), "{scenario}: no '{word}' in {said}");
        }
    }
}

#[test]
fn who_waits_for_a_lock_whose_holder_was_killed_is_told() {
    let job = run(3, "killed holder", &[]);
    let said = job.said();
    assert!(said.contains("shmem_set_lock") && said.contains("PE 1"), "{said}");
    for pe in [0, 2] {
        assert_ne!(job.pes[pe].code(), 0, "{said}");
    }
}
