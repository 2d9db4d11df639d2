//! PEs of one host that reach each other through a NIC, either all or between groups: the whole
//! library, by the calls that C makes. With groups, local PEs use the processor and remote ones the
//! NIC on the same memory.

#![expect(unsafe_code, reason = "PEs call the library as C does")]

mod pes;

use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pes::{barrier, context, finalize, get, init, malloc, me, n_pes, put, run, scenario, world};
use philae_shmem::abi::{Ctx, HERE};
use philae_shmem::lifecycle::philae_shmem_init;
use philae_shmem::rma::{
    philae_shmem_amo, philae_shmem_ptr, philae_shmem_put, philae_shmem_put_signal, philae_shmem_quiet,
};
use philae_shmem::session::option;

unsafe extern "C" {
    fn philae_shmem_wait(
        what: *const c_char,
        form: c_int,
        kind: c_int,
        ivars: *const c_void,
        nelems: usize,
        indices: *mut usize,
        status: *const c_int,
        cmp: c_int,
        value: *const c_void,
    ) -> usize;
    fn philae_shmem_reduce(
        what: *const c_char,
        team: *mut c_void,
        dest: *mut c_void,
        source: *const c_void,
        nreduce: usize,
        kind: c_int,
        op: c_int,
    ) -> c_int;
    fn philae_shmem_broadcast(
        what: *const c_char,
        team: *mut c_void,
        dest: *mut c_void,
        source: *const c_void,
        nelems: usize,
        element_bytes: usize,
        root: c_int,
    ) -> c_int;
    fn philae_shmem_set_lock(what: *const c_char, lock: *mut u64);
    fn philae_shmem_clear_lock(what: *const c_char, lock: *mut u64);
    fn philae_shmem_ctx_create(what: *const c_char, team: *mut c_void, options: i64, made: *mut *const Ctx) -> c_int;
    fn philae_shmem_ctx_destroy(what: *const c_char, ctx: *const Ctx);
    fn philae_shmem_ctx_session_start(
        what: *const c_char,
        ctx: *const Ctx,
        options: i64,
        config: *const usize,
        mask: i64,
    );
    fn philae_shmem_ctx_session_stop(what: *const c_char, ctx: *const Ctx);
    fn philae_shmem_thread_register(what: *const c_char);
    fn philae_shmem_thread_quiet(what: *const c_char);
    fn philae_shmem_thread_unregister(what: *const c_char);
    fn philae_shmem_amo_handle(
        what: *const c_char,
        op: c_int,
        kind: c_int,
        dest: *mut c_void,
        operand: *const c_void,
        compare: *const c_void,
        result: *mut c_void,
        pe: c_int,
        handle: *mut *mut c_void,
    );
    fn philae_shmem_handle_test(what: *const c_char, handle: *mut *mut c_void) -> c_int;
    fn philae_shmem_handle_wait(what: *const c_char, handle: *mut *mut c_void);
}

const ADD: c_int = 3;
/// An unsigned and a signed 64-bit number, as `shmem_core.h` numbers types.
const U64: c_int = 7;
const SUM: c_int = 5;
const EQUAL: c_int = 0;
const AT_LEAST: c_int = 5;
const ROUNDS: u64 = 200;
/// Operations of the program that runs with a session and without; a multiple of 16.
const OPERATIONS: usize = 400;

/// The part of a test that each PE runs.
#[test]
#[ignore = "it is a PE of the tests below"]
fn pe() {
    match scenario().as_deref() {
        Some("everything") => {
            // Twice: a job may finalise and initialise again.
            everything();
            everything();
        }
        Some("wrong session") => {
            init();
            // SAFETY: as C calls it.
            unsafe {
                philae_shmem_ctx_session_start(c"shmem_ctx_session_start".as_ptr(), context(), 1 << 30, ptr::null(), 0)
            };
            finalize();
        }
        Some("session without a context") => {
            init();
            // SAFETY: as C calls it.
            unsafe {
                let invalid = &raw const philae_shmem::abi::CTX_INVALID;
                philae_shmem_ctx_session_start(c"shmem_ctx_session_start".as_ptr(), invalid, 1 << 30, ptr::null(), 0);
                philae_shmem_ctx_session_stop(c"shmem_ctx_session_stop".as_ptr(), invalid);
            }
            finalize();
        }
        Some("ring") => {
            init();
            let (me, n_pes) = (me(), n_pes());
            let (block, next) = (malloc(4_096), (me + 1) % n_pes);
            barrier();
            for round in 1..=10_u64 {
                put(c"shmem_put64", block.wrapping_add(8), &[round; 100], next as i32);
                quiet(context());
                add(context(), block, 1, next, false);
                wait_for(block, AT_LEAST, round);
            }
            barrier();
            finalize();
        }
        Some("quiets of two threads") => quiets_of_two_threads(),
        Some("operations one by one") => println!("memory {:?}", operations(None)),
        Some("operations in a session") => println!("memory {:?}", operations(Some(option::BUNDLE))),
        Some("operations of one kind") => println!("memory {:?}", operations(Some(option::UNIFORM_AMO))),
        Some("operations on own words") => println!("memory {:?}", operations(Some(option::NO_CNCR_TACCESS))),
        Some("init") => {
            init();
            finalize();
        }
        _ => {}
    }
}

fn pointer(block: *const u64, pe: u32) -> *mut u64 {
    // SAFETY: as C calls it.
    unsafe { philae_shmem_ptr(c"shmem_ptr".as_ptr(), world(), block.cast(), pe as c_int) }.cast()
}

fn add(ctx: *const Ctx, dest: *mut u64, value: u64, pe: u32, fetches: bool) -> u64 {
    let mut result = 0_u64;
    let place = if fetches { (&raw mut result).cast() } else { ptr::null_mut() };
    let operand = (&raw const value).cast();
    let what = c"shmem_ulong_atomic_fetch_add".as_ptr();
    // SAFETY: as C calls it.
    unsafe { philae_shmem_amo(what, ctx, ADD, U64, dest.cast(), operand, ptr::null(), place, pe as c_int, 0) };
    result
}

/// An addition as the header inlines it: by the processor if that is permitted, else by the long
/// form.
fn inlined_add(dest: *mut u64, value: u64, pe: u32) {
    let here = pointer(dest, pe);
    // SAFETY: a plain number, which does not change meanwhile.
    if !here.is_null() && unsafe { HERE.local_atomics } == 1 {
        // SAFETY: it lies here, aligned.
        unsafe { AtomicU64::from_ptr(here) }.fetch_add(value, Ordering::SeqCst);
    } else {
        add(context(), dest, value, pe, false);
    }
}

fn wait_for(place: *const u64, cmp: c_int, value: u64) {
    let what = c"shmem_ulong_wait_until".as_ptr();
    // SAFETY: as C calls it.
    unsafe {
        let value = (&raw const value).cast();
        philae_shmem_wait(what, 0, U64, place.cast(), 1, ptr::null_mut(), ptr::null(), cmp, value);
    }
}

fn quiet(ctx: *const Ctx) {
    // SAFETY: as C calls it.
    unsafe { philae_shmem_quiet(c"shmem_quiet".as_ptr(), ctx) };
}

/// The current value of a number, whichever PE wrote it.
fn now(place: *const u64) -> u64 {
    // SAFETY: the number exists.
    unsafe { place.read_volatile() }
}

/// One thread only calls quiet, while another one waits for its own requests by quiets of its own.
fn quiets_of_two_threads() {
    const ROUNDS: u64 = 2_000;
    // SAFETY: as C calls it, for SHMEM_THREAD_MULTIPLE.
    unsafe { philae_shmem_init(c"shmem_init_thread".as_ptr(), 3, ptr::null_mut()) };
    let block = malloc(8);
    barrier();
    if me() == 0 {
        let mut fetched = vec![u64::MAX; ROUNDS as usize];
        let (is_over, address) = (AtomicBool::new(false), block as usize);
        let late = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    quiet(context());
                }
            });
            let (one, block) = (1_u64, address as *mut u64);
            let is_late = |place: &mut u64| {
                let (operand, result) = ((&raw const one).cast(), ptr::from_mut(place).cast());
                let what = c"shmem_ulong_atomic_fetch_add_nbi".as_ptr();
                // SAFETY: as C calls it; the result's memory stays until all is complete.
                unsafe {
                    philae_shmem_amo(what, context(), ADD, U64, block.cast(), operand, ptr::null(), result, 1, 1)
                };
                quiet(context());
                now(place) == u64::MAX
            };
            let late = fetched.iter_mut().map(is_late).filter(|is_late| *is_late).count();
            is_over.store(true, Ordering::Relaxed);
            late
        });
        assert_eq!(late, 0, "results that a quiet has not waited for, of {ROUNDS}");
        assert!(fetched.into_iter().eq(0..ROUNDS));
    }
    barrier();
    finalize();
}

fn everything() {
    init();
    let (me, n_pes) = (me(), n_pes());
    let (next, before) = ((me + 1) % n_pes, (me + n_pes - 1) % n_pes);
    let block = malloc(64 * 1024);
    let at = |index: usize| block.wrapping_add(index);
    barrier();
    // The number of local PEs.
    let group: u32 = std::env::var("SHMEM_SMP_SIZE_LIMIT").map_or(1, |limit| limit.parse().expect("a number"));
    for pe in 0..n_pes {
        assert_eq!(!pointer(block, pe).is_null(), pe / group == me / group, "PE {pe} from PE {me}");
    }
    // All PEs put to all others.
    for pe in 0..n_pes {
        let source: Vec<u64> = (0..1_000).map(|at| u64::from(me) << 32 | u64::from(pe) << 16 | at).collect();
        put(c"shmem_put64", at(100 + 1_000 * me as usize), &source, pe as i32);
    }
    barrier();
    for pe in 0..n_pes {
        let first = at(100 + 1_000 * pe as usize);
        for index in 0..1_000 {
            let expected = u64::from(pe) << 32 | u64::from(me) << 16 | index as u64;
            assert_eq!(now(first.wrapping_add(index)), expected, "PE {me} from PE {pe}");
        }
        let found = get(first.wrapping_add(7), 3, next as i32);
        assert_eq!(found[2], u64::from(pe) << 32 | u64::from(next) << 16 | 9);
    }
    // All PEs add to one number: local ones as in the header, remote ones by the long form.
    for round in 0..ROUNDS {
        inlined_add(at(0), 1, 0);
        add(context(), at(0), 2, 0, round % 3 == 0);
        inlined_add(at(1), 1, next);
    }
    barrier();
    assert_eq!(now(at(1)), ROUNDS);
    if me == 0 {
        assert_eq!(now(at(0)), 3 * ROUNDS * u64::from(n_pes), "nothing is lost");
    }
    signals(at(2), at(6_000), me, next);
    collectives(block, me, n_pes);
    // A lock, and a number that only its holder changes.
    for _ in 0..20 {
        // SAFETY: as C calls it.
        unsafe { philae_shmem_set_lock(c"shmem_set_lock".as_ptr(), at(10)) };
        let found = get(at(11), 1, 0)[0];
        put(c"shmem_put64", at(11), &[found + 1], 0);
        quiet(context());
        // SAFETY: as above.
        unsafe { philae_shmem_clear_lock(c"shmem_clear_lock".as_ptr(), at(10)) };
    }
    barrier();
    assert!(me != 0 || now(at(11)) == 20 * u64::from(n_pes));
    contexts(at(20), me, n_pes, next, before);
    finalize();
}

fn signals(signal: *mut u64, data: *mut u64, me: u32, next: u32) {
    for round in 1..=20_u64 {
        let source: Vec<u64> = (0..300).map(|at| round << 20 | u64::from(me) << 16 | at).collect();
        // SAFETY: as C calls it.
        unsafe {
            let (dest, from) = (data.cast::<c_void>(), source.as_ptr().cast());
            let what = c"shmem_put64_signal".as_ptr();
            philae_shmem_put_signal(what, context(), dest, from, 300, 8, signal, 1, 1, next as c_int, 0);
        }
        wait_for(signal, EQUAL, round);
        let from = now(data.wrapping_add(299));
        assert_eq!((from >> 20, from & 0xffff), (round, 299));
        barrier();
    }
}

fn collectives(block: *mut u64, me: u32, n_pes: u32) {
    let (source, dest) = (block.wrapping_add(7_000), block.wrapping_add(7_100));
    for index in 0..50 {
        // SAFETY: the block is long enough.
        unsafe { source.add(index).write(u64::from(me) * 100 + index as u64) };
    }
    barrier();
    let team = world().cast::<c_void>();
    // SAFETY: as C calls them.
    unsafe {
        let what = c"shmem_ulong_sum_reduce".as_ptr();
        assert_eq!(philae_shmem_reduce(what, team, dest.cast(), source.cast(), 50, U64, SUM), 0);
        let sum: u64 = (0..u64::from(n_pes)).map(|pe| pe * 100 + 49).sum();
        assert_eq!(now(dest.add(49)), sum);
        barrier();
        let root = n_pes as c_int - 1;
        assert_eq!(
            philae_shmem_broadcast(c"shmem_broadcast64".as_ptr(), team, dest.cast(), source.cast(), 50, 8, root),
            0
        );
        assert_eq!(now(dest.add(3)), root as u64 * 100 + 3);
    }
    barrier();
}

/// Contexts, sessions, threads and handles do not change the sums.
fn contexts(block: *mut u64, me: u32, n_pes: u32, next: u32, before: u32) {
    let mut own: *const Ctx = ptr::null();
    // SAFETY: as C calls them.
    unsafe {
        let what = c"shmem_ctx_create".as_ptr();
        assert_eq!(philae_shmem_ctx_create(what, world().cast(), 2, &raw mut own), 0);
        let total = 1_000_usize;
        for ctx in [context(), own] {
            let start = c"shmem_ctx_session_start".as_ptr();
            philae_shmem_ctx_session_start(start, ctx, option::BUNDLE, &raw const total, 1);
            for index in 0..100 {
                add(ctx, block.wrapping_add(index % 10), 1, next, false);
            }
            philae_shmem_ctx_session_stop(c"shmem_ctx_session_stop".as_ptr(), ctx);
            quiet(ctx);
        }
        philae_shmem_ctx_destroy(c"shmem_ctx_destroy".as_ptr(), own);
        let address = block as usize;
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(move || {
                    let block = address as *mut u64;
                    philae_shmem_thread_register(c"shmemx_thread_register".as_ptr());
                    for _ in 0..100 {
                        add(context(), block.wrapping_add(10), 1, next, false);
                    }
                    philae_shmem_thread_quiet(c"shmemx_thread_quiet".as_ptr());
                    philae_shmem_thread_unregister(c"shmemx_thread_unregister".as_ptr());
                });
            }
        });
        let (mut fetched, one) = ([0_u64; 10], 1_u64);
        let mut handles = [ptr::null_mut::<c_void>(); 10];
        let (place, operand) = (block.wrapping_add(11), (&raw const one).cast());
        for (result, handle) in fetched.iter_mut().zip(&mut handles) {
            let (what, result) = (c"shmemx_ulong_fadd_nb".as_ptr(), ptr::from_mut(result).cast());
            philae_shmem_amo_handle(what, ADD, U64, place.cast(), operand, ptr::null(), result, next as c_int, handle);
        }
        let (first, others) = handles.split_at_mut(1);
        while philae_shmem_handle_test(c"shmemx_test_nb".as_ptr(), &raw mut first[0]) == 0 {}
        others.iter_mut().for_each(|handle| philae_shmem_handle_wait(c"shmemx_wait_nb".as_ptr(), handle));
        assert!(handles.iter().all(|handle| handle.is_null()));
        fetched.sort_unstable();
        assert!(fetched.into_iter().eq(0..10), "{fetched:?}");
    }
    barrier();
    for index in 0..10 {
        assert_eq!(now(block.wrapping_add(index)), 20, "PE {me} of {n_pes} from PE {before}");
    }
    assert_eq!((now(block.wrapping_add(10)), now(block.wrapping_add(11))), (200, 10));
    barrier();
}

/// Puts to this PE's neighbour and additions there, in a session or without one; returns this PE's
/// memory afterwards.
fn operations(session: Option<i64>) -> Vec<u64> {
    init();
    let me = me();
    let (block, next) = (malloc(OPERATIONS * 8), me ^ 1);
    barrier();
    // SAFETY: as C calls them; the sources stay.
    unsafe {
        if let Some(options) = session {
            let start = c"shmem_ctx_session_start".as_ptr();
            philae_shmem_ctx_session_start(start, context(), options, ptr::null(), 0);
        }
        let source: Vec<u64> = (0..OPERATIONS as u64 / 2).map(|at| u64::from(me) << 32 | at).collect();
        for (at, value) in source.iter().enumerate() {
            let (dest, from) = (block.wrapping_add(at).cast::<c_void>(), ptr::from_ref(value).cast());
            philae_shmem_put(c"shmem_put64_nbi".as_ptr(), context(), dest, from, 1, 8, next as c_int, 1);
        }
        for at in OPERATIONS / 2..OPERATIONS {
            add(context(), block.wrapping_add(at), u64::from(me) + at as u64, next, false);
        }
        if session.is_some() {
            philae_shmem_ctx_session_stop(c"shmem_ctx_session_stop".as_ptr(), context());
        }
        quiet(context());
    }
    barrier();
    let memory = (0..OPERATIONS).map(|at| now(block.wrapping_add(at))).collect();
    finalize();
    memory
}

/// The folder with the provider's library, where libfabric searches for it.
fn libraries() -> String {
    let test = std::env::current_exe().expect("a test knows its own file");
    let found = philae_launcher::find_library(None, &test).expect("cargo builds the provider for this test");
    found.to_string_lossy().into_owned()
}

const SHM: &[(&str, &str)] = &[("SHMEM_OFI_PROVIDER", "philae"), ("FI_PHILAE_WIRES", "shm")];
const UDP: &[(&str, &str)] =
    &[("SHMEM_OFI_PROVIDER", "philae"), ("FI_PHILAE_WIRES", "udp"), ("FI_PHILAE_ADDRESS", "127.0.0.1")];
const TCP: &[(&str, &str)] = &[("SHMEM_OFI_PROVIDER", "tcp;ofi_rxm")];
/// All PEs through the NIC, or pairs through memory.
const ALONE: (&str, &str) = ("SHMEM_LOCALITY_ONNODE", "NIC");
const PAIRS: (&str, &str) = ("SHMEM_SMP_SIZE_LIMIT", "2");

fn job(n_pes: u32, scenario: &str, variables: &[(&str, &str)]) -> pes::Job {
    let libraries = libraries();
    let path = [("FI_PROVIDER_PATH", libraries.as_str())];
    let all: Vec<_> = variables.iter().chain(&path).map(|&(name, value)| (None, name, value)).collect();
    run(n_pes, scenario, &all)
}

#[test]
fn all_through_the_nic() {
    for wire in [SHM, UDP, TCP] {
        job(3, "everything", &[wire, &[ALONE]].concat()).well();
    }
}

#[test]
fn a_quiet_waits_whatever_other_threads_quiets_do() {
    job(2, "quiets of two threads", &[UDP, &[ALONE]].concat()).well();
}

#[test]
fn pairs_share_memory_and_the_rest_is_the_nics() {
    for wire in [SHM, UDP, TCP] {
        job(4, "everything", &[wire, &[PAIRS]].concat()).well();
    }
}

#[test]
fn what_is_chosen_is_printed() {
    let said = |variables: &[(&str, &str)]| {
        let job = job(4, "init", &[variables, &[("SHMEM_INFO", "1")]].concat());
        job.well();
        job.said()
    };
    let shm = said(&[SHM, &[PAIRS]].concat());
    assert!(shm.contains("provider") && shm.contains("philae of libfabric"), "{shm}");
    assert!(shm.contains("by the NIC: the provider's atomic operations are atomic only among themselves"), "{shm}");
    let udp = said(&[UDP, &[PAIRS]].concat());
    assert!(udp.contains("by the processor: the provider's atomic operations are the processor's own"), "{udp}");
    let local = said(&[]);
    assert!(
        local.contains("by the processor: all PEs share memory") && local.contains("SHMEM_OFI_PROVIDER"),
        "{local}"
    );
}

/// The provider's trace has all operations through the NIC, and becomes a schedule with the
/// dependencies of waiting PEs.
#[test]
fn a_trace_of_one_host_becomes_a_schedule() {
    use philae_trace::{TraceFile, TraceFormat, TraceOptions, import};
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().to_string_lossy().into_owned();
    job(3, "ring", &[SHM, &[ALONE, ("FI_PHILAE_TRACE", &place)]].concat()).well();
    let read = |rank: u32| {
        let name = format!("{rank}.phtrace");
        let bytes = std::fs::read(folder.path().join(&name)).expect("a trace of each PE");
        TraceFile { name, bytes }
    };
    let files: Vec<TraceFile> = (0..3).map(read).collect();
    let schedule = import(TraceFormat::Provider, &files, &TraceOptions::default()).expect("a schedule");
    // 10 puts and 10 additions of each PE, and those of barriers; each is a message and an answer.
    let sends = schedule.totals().sends;
    assert!(sends >= 3 * 2 * 20, "{sends}");
    let text = philae_trace::goal::to_text(&schedule).expect("a text");
    assert!(text.contains("num_ranks 3") && text.contains("send 800b to 1"), "{text}");
}

/// Runs a scenario of operations; returns the PEs' final memory, the NICs' commands, and how many
/// of them had no doorbell of their own.
fn measure(n_pes: u32, scenario: &str, locality: (&str, &str)) -> (Vec<String>, u64, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().to_string_lossy().into_owned();
    let bundles = ("SHMEM_OFI_BUNDLE", "16");
    let job = job(n_pes, scenario, &[SHM, &[locality, bundles, ("FI_PHILAE_TRAFFIC", &place)]].concat());
    job.well();
    let memory: Vec<String> = job.pes.iter().map(|pe| said_of_memory(&pe.out)).collect();
    let texts: Vec<String> = std::fs::read_dir(folder.path())
        .expect("it is there")
        .map(|entry| std::fs::read_to_string(entry.expect("an entry").path()).expect("a text"))
        .collect();
    let sum = |name: &str| texts.iter().map(|text| number(text, name)).sum::<u64>();
    (memory, sum("commands"), sum("bundled"))
}

/// One program, with a session and without: the same memory and as many commands, and fewer
/// doorbells.
#[test]
fn a_session_saves_doorbells_and_changes_no_memory() {
    let (memory, commands, bundled) = measure(2, "operations one by one", ALONE);
    let (same_memory, same_commands, left_to_others) = measure(2, "operations in a session", ALONE);
    let value = |pe: u64, at: u64| if at < OPERATIONS as u64 / 2 { (1 - pe) << 32 | at } else { 1 - pe + at };
    for pe in 0..2 {
        let expected: Vec<u64> = (0..OPERATIONS as u64).map(|at| value(pe, at)).collect();
        assert_eq!(memory[pe as usize], format!("{expected:?}"));
    }
    assert_eq!(memory, same_memory);
    assert_eq!(commands, same_commands);
    // 400 operations of each of two PEs: 400 doorbells, or one for each 16 of them.
    let operations = OPERATIONS as u64;
    assert!(commands >= 2 * operations, "{commands}");
    assert_eq!(left_to_others - bundled, 2 * (operations - operations / 16), "{commands} commands");
    // Only additions, which the session announces as one kind.
    let (same_memory, same_commands, left_to_others) = measure(2, "operations of one kind", ALONE);
    assert_eq!((same_memory, same_commands), (memory, commands));
    let additions = operations / 2;
    assert_eq!(left_to_others - bundled, 2 * (additions - additions.div_ceil(16)));
}

/// If the NIC carries out atomic operations on PEs of this host, a session without other operations
/// on their targets leaves them to the processor.
#[test]
fn atomics_on_what_only_one_pe_changes_need_no_nic() {
    let (memory, commands, _) = measure(4, "operations one by one", PAIRS);
    let (same_memory, fewer, _) = measure(4, "operations on own words", PAIRS);
    assert_eq!(memory, same_memory);
    // The puts of both go by memory; 200 additions of each of four PEs go through the NIC without
    // the session.
    assert_eq!(commands - fewer, 4 * OPERATIONS as u64 / 2, "{commands} and {fewer} commands");
}

fn said_of_memory(out: &str) -> String {
    let line = out.lines().find_map(|line| line.split_once("memory ").map(|(_, rest)| rest));
    line.unwrap_or_else(|| panic!("no line of memory in {out}")).to_owned()
}

/// The number with this name in an endpoint's report.
fn number(text: &str, name: &str) -> u64 {
    let (_, rest) = text.split_once(&format!("\"{name}\":")).unwrap_or_else(|| panic!("no {name} in {text}"));
    rest.split([',', '}']).next().and_then(|digits| digits.parse().ok()).expect("a number")
}

#[test]
fn wrong_hints_and_differences_between_pes_are_said() {
    let wrong = job(1, "wrong session", &[]);
    wrong.well();
    assert_eq!(wrong.said(), "", "a hint that is not known is a hint");
    let wrong = job(1, "wrong session", &[("SHMEM_DEBUG", "1")]);
    wrong.well();
    assert!(wrong.said().contains("0x40000000 is not a hint"), "{}", wrong.said());
    job(1, "session without a context", &[]).well();
    let libraries = libraries();
    let one = [(Some(1), "SHMEM_LOCALITY_ONNODE", "NIC"), (None, "FI_PROVIDER_PATH", libraries.as_str())];
    let differ = run(2, "init", &one);
    assert!(differ.said().contains("differ on PE"), "{}", differ.said());
    let none = job(2, "init", &[("SHMEM_OFI_PROVIDER", "ether"), ALONE]);
    assert!(none.said().contains("no provider of libfabric named 'ether'"), "{}", none.said());
}
