//! Teams and contexts, and the long forms of operations on one PE.

#![expect(unsafe_code, reason = "PEs call the library as C does")]

mod pes;

use std::ffi::{c_int, c_void};
use std::ptr;

use pes::{barrier, context, finalize, get, init, malloc, me, n_pes, run, scenario, world};
use philae_shmem::abi::{CTX_INVALID, Ctx, TEAM_SHARED, TeamHandle};
use philae_shmem::ctx_calls::{philae_shmem_ctx_create, philae_shmem_ctx_destroy, philae_shmem_ctx_get_team};
use philae_shmem::rma::{
    philae_shmem_amo, philae_shmem_get_strided, philae_shmem_pe_quiet, philae_shmem_put, philae_shmem_put_signal,
    philae_shmem_put_strided, philae_shmem_quiet,
};
use philae_shmem::runtime::runtime;
use philae_shmem::team::TeamConfig;
use philae_shmem::team_calls::{
    philae_shmem_team_destroy, philae_shmem_team_get_config, philae_shmem_team_split_2d, philae_shmem_team_split_3d,
    philae_shmem_team_split_color, philae_shmem_team_split_strided, philae_shmem_team_translate_pe,
};

const NAME: *const std::ffi::c_char = c"shmem".as_ptr();

/// The part of a test that each PE runs.
#[test]
#[ignore = "it is a PE of the tests below"]
fn pe() {
    match scenario().as_deref() {
        Some("teams") => teams(),
        Some("many teams") => many_teams(),
        Some("axes") => axes(),
        Some("contexts") => contexts(),
        Some("one pe") => one_pe(),
        Some("destroyed") => {
            init();
            let made = create(world(), 0);
            // SAFETY: as C calls it.
            unsafe {
                philae_shmem_ctx_destroy(NAME, made);
                philae_shmem_quiet(c"shmem_ctx_quiet".as_ptr(), made);
            }
        }
        Some("invalid") => {
            init();
            // SAFETY: as C calls it. A quiet on it does nothing.
            unsafe {
                philae_shmem_quiet(c"shmem_ctx_quiet".as_ptr(), &raw const CTX_INVALID);
                let block = malloc(8).cast();
                philae_shmem_put(c"shmem_ctx_long_put".as_ptr(), &raw const CTX_INVALID, block, block, 1, 8, 0, 0);
            }
        }
        Some("no store") => {
            init();
            let made = create(world(), 4);
            // SAFETY: as C calls it.
            unsafe {
                philae_shmem_put(
                    c"shmem_ctx_long_put".as_ptr(),
                    made,
                    malloc(8).cast(),
                    [1u64].as_ptr().cast(),
                    1,
                    8,
                    0,
                    0,
                )
            };
        }
        Some("misaligned") => {
            init();
            let place = malloc(16).cast::<u8>().wrapping_add(4).cast();
            amo(5, 7, place, Some(1), None, 0);
        }
        Some("world destroyed") => {
            init();
            // SAFETY: as C calls it.
            unsafe { philae_shmem_team_destroy(c"shmem_team_destroy".as_ptr(), world()) };
        }
        other => panic!("no such scenario: {other:?}"),
    }
}

fn split(parent: *const TeamHandle, start: c_int, stride: c_int, size: c_int) -> (c_int, *mut TeamHandle) {
    let mut made = ptr::dangling_mut();
    // SAFETY: as C calls it.
    let code =
        unsafe { philae_shmem_team_split_strided(NAME, parent, start, stride, size, ptr::null(), 0, &raw mut made) };
    (code, made)
}

fn place(team: *const TeamHandle) -> (c_int, c_int) {
    if team.is_null() {
        return (-1, -1);
    }
    use std::sync::atomic::Ordering::Relaxed;
    // SAFETY: handles stay.
    unsafe { ((*team).me.load(Relaxed), (*team).n_pes.load(Relaxed)) }
}

fn translate(from: *const TeamHandle, pe: c_int, to: *const TeamHandle) -> c_int {
    // SAFETY: as C calls it.
    unsafe { philae_shmem_team_translate_pe(NAME, from, pe, to) }
}

fn destroy(team: *const TeamHandle) {
    // SAFETY: as C calls it.
    unsafe { philae_shmem_team_destroy(NAME, team) };
}

fn create(team: *mut TeamHandle, options: i64) -> *const Ctx {
    let mut made = ptr::null();
    // SAFETY: as C calls it.
    assert_eq!(unsafe { philae_shmem_ctx_create(NAME, team, options, &raw mut made) }, 0);
    made
}

/// An atomic operation on a word of 64 bits (type 7) or another type; returns the old value.
fn amo(op: c_int, kind: c_int, dest: *mut c_void, operand: Option<u64>, compare: Option<u64>, pe: c_int) -> u64 {
    let mut before = 0u64;
    let of = |word: &Option<u64>| word.as_ref().map_or(ptr::null(), |word| ptr::from_ref(word).cast());
    // SAFETY: as C calls it.
    unsafe {
        let result = (&raw mut before).cast();
        philae_shmem_amo(NAME, context(), op, kind, dest, of(&operand), of(&compare), result, pe, 0);
    }
    before
}

fn teams() {
    init();
    let (me, n) = (me() as c_int, n_pes() as c_int);
    assert_eq!(place(world()), (me, n));
    assert_eq!(place(&raw const TEAM_SHARED), (me, n));
    let (code, even) = split(world(), 0, 2, (n + 1) / 2);
    assert_eq!(code, 0);
    assert_eq!(place(even), if me % 2 == 0 { (me / 2, (n + 1) / 2) } else { (-1, -1) });
    let (code, backwards) = split(world(), n - 1, -1, n);
    assert_eq!((code, place(backwards)), (0, (n - 1 - me, n)));
    assert_eq!(translate(world(), 0, backwards), n - 1);
    assert_eq!(translate(backwards, 0, world()), n - 1);
    if !even.is_null() {
        assert_eq!(translate(even, 1, world()), if n > 2 { 2 } else { -1 });
        assert_eq!(translate(world(), 1, even), -1);
        // A team of a team; PEs that are not in it have called, too.
        let (code, last) = split(even, (n + 1) / 2 - 1, 1, 1);
        assert_eq!((code, last.is_null()), (0, me / 2 != (n + 1) / 2 - 1));
        destroy(last);
        destroy(even);
    }
    assert_eq!(translate(world(), n, backwards), -1);
    assert_eq!(translate(ptr::null(), 0, world()), -1);
    // An impossible split is refused on all PEs, and takes nothing.
    for (start, stride, size) in [(0, 1, n + 1), (0, 0, 2), (-1, 1, 1), (0, 1, 0)] {
        let (code, made) = split(world(), start, stride, size);
        assert!(code != 0 && made.is_null(), "{start} {stride} {size}");
    }
    assert!(split(ptr::null(), 0, 1, 1).0 != 0);
    let mut config = TeamConfig { num_contexts: -7 };
    let mut made = ptr::null_mut();
    let asked = TeamConfig { num_contexts: 3 };
    // SAFETY: as C calls it.
    unsafe {
        assert_eq!(philae_shmem_team_split_strided(NAME, world(), 0, 1, n, &raw const asked, 1, &raw mut made), 0);
        assert_eq!(philae_shmem_team_get_config(NAME, made, 1, &raw mut config), 0);
        assert_eq!(config.num_contexts, 3);
        assert!(philae_shmem_team_get_config(NAME, ptr::null(), 1, &raw mut config) != 0);
        assert!(philae_shmem_team_get_config(NAME, made, 1, ptr::null_mut()) != 0);
        assert!(philae_shmem_team_split_strided(NAME, world(), 0, 1, n, &raw const asked, 2, &raw mut made) != 0);
    }
    destroy(backwards);
    destroy(ptr::null());
    finalize();
}

/// More teams in succession than there are slots, and as many at the same time as there are slots.
fn many_teams() {
    init();
    let n = n_pes() as c_int;
    for round in 0..300 {
        let (code, made) = split(world(), 0, 1, n - round % 2);
        assert_eq!(code, 0, "round {round}");
        if !made.is_null() {
            let (code, inner) = split(made, 0, 1, 1);
            assert_eq!(code, 0);
            destroy(inner);
            destroy(made);
        }
    }
    let mut all = Vec::new();
    loop {
        let (code, made) = split(world(), 0, 1, n);
        if code != 0 {
            break;
        }
        all.push(made);
    }
    assert_eq!(all.len(), philae_shmem::memory::TEAM_SLOTS - 2);
    destroy(all.swap_remove(7));
    let (code, again) = split(world(), 0, 1, n);
    assert_eq!(code, 0);
    all.push(again);
    all.into_iter().for_each(|team| destroy(team));
    finalize();
}

fn axes() {
    init();
    let (me, n) = (me() as c_int, n_pes() as c_int);
    let (mut x, mut y, mut z) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    let none = ptr::null();
    // SAFETY: as C calls it.
    unsafe {
        assert_eq!(philae_shmem_team_split_2d(NAME, world(), 2, none, 0, &raw mut x, none, 0, &raw mut y), 0);
        // Rows of two: 0 1 / 2 3 or 0 1 / 2.
        assert_eq!(place(x), (me % 2, (n - me / 2 * 2).min(2)));
        assert_eq!(place(y), (me / 2, (n - me % 2 + 1) / 2));
        destroy(x);
        destroy(y);
        assert!(philae_shmem_team_split_2d(NAME, world(), 0, none, 0, &raw mut x, none, 0, &raw mut y) != 0);
        philae_shmem_team_split_3d(NAME, world(), 2, 1, 2, &raw mut x, &raw mut y, &raw mut z);
        assert_eq!((place(y), place(z)), ((0, 1), (me / 2, (n - me % 2 + 1) / 2)));
        destroy(x);
        destroy(y);
        destroy(z);
        let mut made = ptr::null_mut();
        philae_shmem_team_split_color(NAME, world(), if me == 0 { -1 } else { me % 2 }, -me, &raw mut made);
        match me {
            0 => assert!(made.is_null()),
            1 => assert_eq!(place(made), (if n > 3 { 1 } else { 0 }, n / 2)),
            2 => assert_eq!(place(made), (0, 1)),
            _ => assert_eq!(place(made), (0, 2)),
        }
        destroy(made);
    }
    finalize();
}

fn contexts() {
    init();
    let (me, n) = (me() as c_int, n_pes() as c_int);
    let (_, backwards) = split(world(), n - 1, -1, n);
    let block = malloc(64);
    let made = create(backwards, 1);
    let mut team = ptr::null_mut();
    // SAFETY: as C calls it.
    unsafe {
        assert_eq!(philae_shmem_ctx_get_team(NAME, made, &raw mut team), 0);
        assert!(ptr::eq(team, backwards));
        assert_eq!(philae_shmem_ctx_get_team(NAME, context(), &raw mut team), 0);
        assert!(ptr::eq(team, world()));
        assert!(philae_shmem_ctx_get_team(NAME, &raw const CTX_INVALID, &raw mut team) != 0 && team.is_null());
        // A context numbers the PEs of its team.
        let to = translate(world(), (me + 1) % n, backwards);
        philae_shmem_put(NAME, made, block.cast(), [70 + me as u64].as_ptr().cast(), 1, 8, to, 1);
        philae_shmem_quiet(NAME, made);
        philae_shmem_pe_quiet(NAME, made, &raw const to, 1);
        barrier();
        assert_eq!(*block, 70 + ((me + n - 1) % n) as u64);
        let mut refused = ptr::null();
        assert!(philae_shmem_ctx_create(NAME, ptr::null_mut(), 0, &raw mut refused) != 0);
        assert!(ptr::eq(refused, &raw const CTX_INVALID));
        assert!(philae_shmem_ctx_create(NAME, world(), 64, &raw mut refused) != 0);
        philae_shmem_ctx_destroy(NAME, &raw const CTX_INVALID);
        philae_shmem_ctx_destroy(NAME, made);
        // A context that is not destroyed ends with its team, one of the world at finalisation.
        create(backwards, 0);
        create(world(), 0);
    }
    destroy(backwards);
    assert_eq!(runtime().expect("initialised").made().contexts.len(), 1);
    finalize();
}

fn one_pe() {
    init();
    let (me, n) = (me() as c_int, n_pes() as c_int);
    let next = (me + 1) % n;
    let block = malloc(4096);
    let word = |at: usize| block.wrapping_add(at).cast::<c_void>();
    // Every operation, on the neighbour's words, which no other PE uses.
    assert_eq!(amo(1, 7, word(0), Some(10), None, next), 0);
    assert_eq!(amo(0, 7, word(0), None, None, next), 10);
    assert_eq!(amo(3, 7, word(0), Some(u64::MAX), None, next), 10);
    assert_eq!(amo(2, 7, word(0), Some(3), Some(8), next), 9);
    assert_eq!(amo(2, 7, word(0), Some(0b1100), Some(9), next), 9);
    assert_eq!(amo(4, 7, word(0), Some(0b0110), None, next), 0b1100);
    assert_eq!(amo(5, 7, word(0), Some(0b0011), None, next), 0b0100);
    assert_eq!(amo(6, 7, word(0), Some(0b0101), None, next), 0b0111);
    assert_eq!(amo(0, 3, word(0), None, None, next), 0b0010);
    // Narrower types leave adjacent bytes alone; a sum wraps.
    assert_eq!(amo(1, 7, word(1), Some(u64::MAX), None, next), 0);
    assert_eq!(amo(3, 6, word(1), Some(1), None, next), u64::from(u32::MAX));
    assert_eq!(amo(3, 5, word(1), Some(5), None, next), 0);
    assert_eq!(amo(0, 7, word(1), None, None, next), 0xffff_ffff_0000_0005);
    assert_eq!(amo(1, 9, word(2), Some(1.5f64.to_bits()), None, next), 0);
    assert_eq!(f64::from_bits(amo(0, 9, word(2), None, None, next)), 1.5);
    // All PEs count on PE 0.
    for _ in 0..1000 {
        amo(3, 7, word(3), Some(1), None, 0);
    }
    let from: Vec<u64> = (0..32).map(|at| 100 * me as u64 + at).collect();
    let (dest, there) = (block.wrapping_add(64), block.wrapping_add(256));
    // SAFETY: as C calls it.
    unsafe {
        philae_shmem_put_strided(NAME, context(), dest.cast(), from.as_ptr().cast(), 3, 4, 2, 5, 8, next);
        let signal = block.wrapping_add(4);
        philae_shmem_put_signal(NAME, context(), there.cast(), from.as_ptr().cast(), 32, 8, signal, 5, 1, next, 0);
        philae_shmem_put_signal(NAME, context(), ptr::null_mut(), ptr::null(), 0, 8, signal, 2, 1, next, 0);
    }
    barrier();
    let before = 100 * ((me + n - 1) % n) as u64;
    // SAFETY: this PE's own block, after all writes.
    unsafe {
        for at in 0..15 {
            let expected = if at % 3 < 2 { before + (at / 3 * 4 + at % 3) as u64 } else { 0 };
            assert_eq!(*dest.wrapping_add(at), if at < 14 { expected } else { 0 }, "{at}");
        }
        assert_eq!((*block.wrapping_add(4), *there.wrapping_add(31)), (7, before + 31));
    }
    assert_eq!(get(block.wrapping_add(3), 1, 0), [1000 * n as u64]);
    let mut gathered = [0u32; 9];
    // SAFETY: as C calls it.
    unsafe {
        let to = gathered.as_mut_ptr().wrapping_add(8).cast::<c_void>();
        // Backwards at the destination, words of 32 bits: every second one of the source, which is
        // a lower half.
        philae_shmem_get_strided(NAME, context(), to, there.cast(), -1, 2, 1, 9, 4, next);
    }
    let own: Vec<u32> = (0..9).map(|at| 100 * me as u32 + 8 - at).collect();
    assert_eq!(gathered[..], own);
    barrier();
    finalize();
}

#[test]
fn teams_are_split_named_and_destroyed() {
    for n_pes in [2, 3, 4] {
        run(n_pes, "teams", &[]).well();
    }
    run(3, "teams", &[(None, "SHMEM_DEBUG", "1")]).well();
}

#[test]
fn places_of_teams_come_back_and_too_many_are_refused() {
    let job = run(3, "many teams", &[]);
    job.well();
    assert!(job.said().contains("128 teams exist already"), "{}", job.said());
}

#[test]
fn teams_lie_along_axes_and_by_colour() {
    for n_pes in [3, 4] {
        run(n_pes, "axes", &[]).well();
    }
}

#[test]
fn contexts_count_their_teams_pes_and_go_with_them() {
    run(2, "contexts", &[]).well();
    run(3, "contexts", &[(None, "SHMEM_DEBUG", "1")]).well();
}

#[test]
fn what_goes_to_one_pe_arrives_there() {
    run(2, "one pe", &[]).well();
    run(3, "one pe", &[(None, "SHMEM_DEBUG", "1")]).well();
}

#[test]
fn what_is_not_there_any_more_says_so() {
    for (scenario, debug, says) in [
        ("destroyed", "0", "shmem_ctx_quiet: the context is destroyed"),
        ("invalid", "0", "shmem_ctx_long_put: the context is SHMEM_CTX_INVALID"),
        ("no store", "1", "SHMEM_CTX_NOSTORE, but this call stores"),
        ("misaligned", "0", "a multiple of its type's size"),
        ("world destroyed", "0", "shmem_team_destroy: the team is a predefined one"),
    ] {
        let job = run(1, scenario, &[(None, "SHMEM_DEBUG", debug)]);
        assert!(job.said().contains(says), "{scenario}: {}", job.said());
        assert_eq!(job.pes[0].code(), 1);
    }
}
