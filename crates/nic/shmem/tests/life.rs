//! The life of PEs: initialisation, reinitialisation, good and bad ends, and no hang after another
//! PE's end.

#![expect(unsafe_code, reason = "PEs call the library as C does")]

mod pes;

use std::process::exit;
use std::ptr;

use pes::{Ended, barrier, finalize, free, get, init, malloc, me, n_pes, put, run, scenario};
use philae_launcher::Wish;
use philae_shmem::ctx_calls::{philae_shmem_ctx_create, philae_shmem_ctx_destroy};
use philae_shmem::lifecycle::{philae_shmem_global_exit, philae_shmem_init, philae_shmem_initialized};

/// The part of a test that each PE runs.
#[test]
#[ignore = "it is a PE of the tests below"]
fn pe() {
    match scenario().as_deref() {
        Some("plain") => {
            init();
            finalize();
        }
        Some("again") => again(),
        Some("contexts") => contexts(),
        Some("calls") => {
            init();
            put(c"shmem_put64", malloc(8), &[1], 0);
            barrier();
            finalize();
        }
        Some("nested") => nested(),
        Some("no finalize") => {
            init();
            let block = malloc(64);
            put(c"shmem_put64", block, &[u64::from(me())], (me() as i32 + 1) % n_pes() as i32);
            exit(0);
        }
        Some("global exit") => {
            init();
            if me() == 1 {
                // SAFETY: two C strings; the C library buffers the output until it is flushed.
                unsafe { printf(c"%s".as_ptr(), c"before".as_ptr()) };
                // SAFETY: as C calls it.
                unsafe { philae_shmem_global_exit(c"shmem_global_exit".as_ptr(), 7) };
            }
            barrier();
            exit(99);
        }
        Some("killed") => {
            init();
            if me() == 1 {
                // SAFETY: this process ends.
                unsafe { kill(std::process::id() as i32, 9) };
            }
            barrier();
            exit(99);
        }
        Some("exit 3") => {
            init();
            if me() == 1 {
                exit(3);
            }
            barrier();
            exit(99);
        }
        Some("killed early") => {
            if std::env::var("PMI_RANK").as_deref() == Ok("1") {
                exit(0);
            }
            init();
            exit(99);
        }
        Some("before") => {
            let _ = malloc(8);
        }
        Some("after") => {
            init();
            let block = malloc(8);
            finalize();
            put(c"shmem_long_put", block, &[1], 0);
        }
        other => panic!("no such scenario: {other:?}"),
    }
}

unsafe extern "C" {
    fn kill(pid: i32, signal: i32) -> i32;
    fn printf(format: *const std::ffi::c_char, ...) -> i32;
}

fn again() {
    for round in 0..3u64 {
        assert_eq!(philae_shmem_initialized(), 0);
        init();
        assert_eq!(philae_shmem_initialized(), 1);
        let block = malloc(4096);
        let (me, n) = (u64::from(me()), u64::from(n_pes()));
        // SAFETY: this PE's own block.
        assert_eq!(unsafe { *block }, 0, "a heap begins as zeros");
        barrier();
        put(c"shmem_put64", block, &[100 * round + me], ((me + 1) % n) as i32);
        barrier();
        // SAFETY: as above.
        assert_eq!(unsafe { *block }, 100 * round + (me + n - 1) % n);
        assert_eq!(get(block, 1, me as i32), [100 * round + (me + n - 1) % n]);
        if round == 1 {
            free(block);
        }
        finalize();
    }
}

/// As many contexts as `SHMEM_MAX_CTX` permits, and one more after one is destroyed.
fn contexts() {
    init();
    let create = || {
        let mut made = ptr::null();
        // SAFETY: as C calls it.
        let code = unsafe { philae_shmem_ctx_create(c"shmem_ctx_create".as_ptr(), pes::world(), 0, &raw mut made) };
        (code == 0, made)
    };
    let [first, second, third] = [create(), create(), create()];
    assert_eq!([first.0, second.0, third.0], [true, true, false]);
    // SAFETY: as C calls it.
    unsafe { philae_shmem_ctx_destroy(c"shmem_ctx_destroy".as_ptr(), first.1) };
    assert!(create().0);
    finalize();
}

fn nested() {
    init();
    let mut provided = -1;
    // SAFETY: as C calls it.
    unsafe { philae_shmem_init(c"shmem_init_thread".as_ptr(), 3, &raw mut provided) };
    // The first call has set the thread level.
    assert_eq!((provided, philae_shmem_initialized()), (0, 2));
    finalize();
    assert_eq!(philae_shmem_initialized(), 1);
    barrier();
    finalize();
    assert_eq!(philae_shmem_initialized(), 0);
    // SAFETY: as C calls it.
    unsafe { philae_shmem_init(c"shmem_init_thread".as_ptr(), 3, ptr::null_mut()) };
    barrier();
    finalize();
}

#[test]
fn pes_begin_and_end_with_code_0() {
    for n_pes in [1, 2, 3, 4] {
        let job = run(n_pes, "plain", &[]);
        job.well();
        assert_eq!((job.said(), job.wishes), (String::new(), Vec::new()));
    }
}

#[test]
fn shmem_begins_again_after_it_has_ended_and_nests() {
    run(3, "again", &[]).well();
    run(2, "nested", &[]).well();
}

#[test]
fn the_thread_level_is_said_where_it_is_asked_for() {
    let job = run(2, "plain", &[(None, "SHMEM_THREAD_SAFETY", "1")]);
    assert_eq!(job.said(), "PE 0: SHMEM: thread level SHMEM_THREAD_SINGLE\n");
}

#[test]
fn contexts_are_limited_where_the_environment_says_so() {
    run(2, "contexts", &[(None, "SHMEM_MAX_CTX", "2")]).well();
}

#[test]
fn calls_are_said_by_level_kind_and_pe() {
    let functions = |variables: &[(&str, &str)]| {
        let all: Vec<_> = variables.iter().map(|&(name, value)| (None, name, value)).collect();
        let job = run(2, "calls", &all);
        job.well();
        let lines = |pe: &Ended| {
            let function = |line: &str| line.split(": ").nth(1).unwrap_or(line).to_owned();
            pe.err.lines().map(function).collect::<Vec<String>>()
        };
        [lines(&job.pes[0]), lines(&job.pes[1])]
    };
    let all = ["shmem_init", "shmem_malloc", "shmem_put64", "shmem_barrier_all", "shmem_finalize"];
    assert_eq!(functions(&[("SHMEM_DEBUG_LEVEL", "1")]), [&[] as &[&str]; 2]);
    assert_eq!(functions(&[("SHMEM_DEBUG_LEVEL", "2")]), [[all[0], all[4]]; 2]);
    assert_eq!(functions(&[("SHMEM_DEBUG_LEVEL", "4")]), [[all[0], all[1], all[3], all[4]]; 2]);
    assert_eq!(functions(&[("SHMEM_DEBUG_LEVEL", "5")]), [all; 2]);
    let one = functions(&[("SHMEM_DEBUG_LEVEL", "5"), ("SHMEM_DEBUG_RANKS", "1-3"), ("SHMEM_DEBUG_CATEGORIES", "rma")]);
    assert_eq!(one, [vec![], vec![all[2]]]);
}

#[test]
fn an_end_without_finalize_finalises() {
    let job = run(3, "no finalize", &[]);
    job.well();
    assert_eq!(job.said(), "");
}

#[test]
fn a_global_exit_ends_all_with_its_code_after_what_was_printed() {
    let job = run(3, "global exit", &[]);
    assert!(job.wishes.contains(&Wish::Abort { rank: 1, code: 7 }), "{:?}", job.wishes);
    assert_eq!(job.pes[1].code(), 7);
    assert!(job.pes[1].out.contains("before"), "{}", job.pes[1].out);
    // No launcher ended them: they have seen it themselves.
    for pe in [0, 2] {
        assert!(job.pes[pe].err.contains("PE 1 (process"), "{}", job.pes[pe].err);
        assert!(job.pes[pe].err.contains("has ended with code 7"), "{}", job.pes[pe].err);
        assert_eq!(job.pes[pe].code(), 1);
    }
}

#[test]
fn a_killed_pe_is_seen_by_those_who_wait_for_it_without_a_launcher() {
    let job = run(3, "killed", &[]);
    assert_eq!(job.pes[1].code(), 128 + 9);
    for pe in [0, 2] {
        assert!(
            job.pes[pe].err.contains("PE 1 (process") && job.pes[pe].err.contains("has died"),
            "{}",
            job.pes[pe].err
        );
        assert_eq!(job.pes[pe].code(), 1);
    }
    let job = run(2, "exit 3", &[]);
    assert!(job.pes[0].err.contains("has ended with code 3"), "{}", job.pes[0].err);
    assert!(job.pes[1].err.contains("before shmem_finalize"), "{}", job.pes[1].err);
    assert_eq!((job.pes[0].code(), job.pes[1].code()), (1, 3));
}

#[test]
fn a_pe_that_never_comes_is_missed_at_initialisation() {
    let job = run(2, "killed early", &[]);
    // In a real job, the code that watches processes informs the launcher's server; this test has
    // only the end of the connection.
    assert_eq!(job.pes[1].code(), 0);
    assert!(job.pes[0].err.contains("process_1_has_left_the_job"), "{}", job.pes[0].err);
}

#[test]
fn calls_before_and_after_say_so() {
    let job = run(1, "before", &[]);
    assert!(job.said().contains("shmem_malloc: SHMEM is not initialised"), "{}", job.said());
    assert_eq!(job.pes[0].code(), 1);
    let job = run(1, "after", &[]);
    assert!(job.said().contains("shmem_long_put: SHMEM was finalised"), "{}", job.said());
    assert_eq!(job.pes[0].code(), 1);
}
