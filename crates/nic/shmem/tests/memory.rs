//! Memory that PEs share: the heap, the program's static data, and memory that is not symmetric.

#![expect(unsafe_code, reason = "PEs call the library as C does")]

mod pes;

use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pes::{barrier, context, finalize, free, get, init, malloc, me, n_pes, put, run, scenario, world};
use philae_shmem::abi::TeamHandle;
use philae_shmem::memory::allocate::{
    philae_shmem_align, philae_shmem_calloc, philae_shmem_free, philae_shmem_malloc, philae_shmem_realloc,
};
use philae_shmem::rma::{philae_shmem_addr_accessible, philae_shmem_ptr, philae_shmem_put};
use philae_shmem::runtime::runtime;

/// Static data of the program: with an initial value, without one, and large.
static INITIALISED: AtomicU64 = AtomicU64::new(0x1122_3344);
static ZEROS: [AtomicU64; 1024] = [const { AtomicU64::new(0) }; 1024];
static LARGE: [AtomicU64; 8 << 20] = [const { AtomicU64::new(0) }; 8 << 20];

fn fcollect(dest: *mut u64, source: *mut u64, count: usize) {
    unsafe extern "C" {
        fn philae_shmem_fcollect(
            what: *const c_char,
            team: *const TeamHandle,
            dest: *mut u64,
            source: *const u64,
            count: usize,
            element_bytes: usize,
        ) -> c_int;
    }
    // SAFETY: as C calls it.
    unsafe { philae_shmem_fcollect(c"shmem_ulong_fcollect".as_ptr(), world(), dest, source, count, 8) };
}

/// The part of a test that each PE runs.
#[test]
#[ignore = "it is a PE of the tests below"]
fn pe() {
    match scenario().as_deref() {
        Some("static data") => static_data(),
        Some("threads") => threads(),
        Some("fork") => fork_and_others(),
        Some("heap") => heap(),
        Some("exhausted") => exhausted(),
        Some("alignments") => alignments(),
        Some("asymmetric") => {
            init();
            malloc(100 + me() as usize);
        }
        Some("address") => {
            init();
            let mut own = [0u64; 4];
            barrier();
            put(c"shmem_long_put", own.as_mut_ptr(), &[1], (me() as c_int + 1) % n_pes() as c_int);
        }
        Some("beyond") => {
            init();
            let heap = runtime().expect("initialised").memory.heap.clone();
            put(c"shmem_putmem", (heap.end - 8) as *mut u64, &[1, 2], 0);
        }
        Some("overlap") => {
            init();
            let block = malloc(80);
            // SAFETY: this PE's own block.
            let numbers = |at: usize, count| unsafe { std::slice::from_raw_parts(block.wrapping_add(at), count) };
            // The same place, separate places, and places that overlap on another PE: all are
            // legal.
            put(c"shmem_ulong_put", block, numbers(0, 4), me() as c_int);
            put(c"shmem_ulong_put", block, numbers(4, 4), me() as c_int);
            put(c"shmem_ulong_put", block, numbers(1, 4), (me() as c_int + 1) % n_pes() as c_int);
            if std::env::var("PHILAE_TEST_OVERLAP").as_deref() == Ok("put") {
                put(c"shmem_ulong_put", block, numbers(3, 4), me() as c_int);
            }
            fcollect(block, block.wrapping_add(7), 3);
            fcollect(block, block.wrapping_add(5), 3);
            finalize();
        }
        Some("no pe") => {
            init();
            put(c"shmem_int_put", malloc(8), &[1], 2);
        }
        Some("free twice") => {
            init();
            let block = malloc(8);
            free(block);
            free(block);
        }
        Some("plain") => {
            init();
            finalize();
        }
        Some("all killed") => {
            init();
            put(c"shmem_put64", malloc(1 << 20), &[1], (me() as c_int + 1) % n_pes() as c_int);
            barrier();
            println!("{}", runtime().expect("initialised").memory.heap.start);
            // SAFETY: this process ends.
            unsafe { kill(std::process::id() as c_int, 9) };
        }
        other => panic!("no such scenario: {other:?}"),
    }
}

fn address(word: &AtomicU64) -> *mut u64 {
    word.as_ptr()
}

fn static_data() {
    ZEROS[7].store(9, Ordering::Relaxed);
    init();
    let (me, n) = (me() as u64, n_pes() as u64);
    let (next, before) = (((me + 1) % n) as c_int, (me + n - 1) % n);
    assert_eq!((INITIALISED.load(Ordering::Relaxed), ZEROS[7].load(Ordering::Relaxed)), (0x1122_3344, 9));
    barrier();
    put(c"shmem_put64", address(&INITIALISED), &[1000 + me], next);
    put(c"shmem_put64", address(&ZEROS[500]), &[2000 + me, 3000 + me], next);
    put(c"shmem_put64", address(&LARGE[(8 << 20) - 1]), &[4000 + me], next);
    barrier();
    assert_eq!(INITIALISED.load(Ordering::Relaxed), 1000 + before);
    assert_eq!([500, 501].map(|at: usize| ZEROS[at].load(Ordering::Relaxed)), [2000 + before, 3000 + before]);
    assert_eq!(LARGE[(8 << 20) - 1].load(Ordering::Relaxed), 4000 + before);
    assert_eq!(get(address(&INITIALISED), 1, next), [1000 + me]);
    // SAFETY: as C calls it.
    unsafe {
        let found = philae_shmem_ptr(c"shmem_ptr".as_ptr(), world(), address(&INITIALISED).cast(), next).cast::<u64>();
        assert_eq!(*found, 1000 + me);
        assert_eq!(philae_shmem_addr_accessible(c"f".as_ptr(), address(&INITIALISED).cast(), next), 1);
        let local = 0u64;
        assert_eq!(philae_shmem_addr_accessible(c"f".as_ptr(), (&raw const local).cast(), next), 0);
        assert!(philae_shmem_ptr(c"shmem_ptr".as_ptr(), world(), (&raw const local).cast(), next).is_null());
    }
    barrier();
    finalize();
    // After finalisation it is still the program's, and it is symmetric again after the next
    // initialisation.
    INITIALISED.store(5 + me, Ordering::Relaxed);
    init();
    barrier();
    assert_eq!(get(address(&INITIALISED), 1, next), [5 + (me + 1) % n]);
    barrier();
    finalize();
}

/// Threads write static data while it is moved: nothing is lost.
fn threads() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let writers: Vec<_> = (0..3)
        .map(|thread| {
            std::thread::spawn(move || {
                let mut writes = 0u64;
                while !STOP.load(Ordering::Relaxed) {
                    for word in &ZEROS[thread * 256..(thread + 1) * 256] {
                        // Only this thread writes here, so the word has its last value.
                        assert_eq!(word.load(Ordering::Relaxed), writes);
                        word.store(writes + 1, Ordering::Relaxed);
                    }
                    writes += 1;
                }
                writes
            })
        })
        .collect();
    init();
    barrier();
    STOP.store(true, Ordering::Relaxed);
    for (thread, writer) in writers.into_iter().enumerate() {
        let writes = writer.join().expect("nothing is lost");
        assert!(ZEROS[thread * 256..(thread + 1) * 256].iter().all(|word| word.load(Ordering::Relaxed) == writes));
    }
    finalize();
}

unsafe extern "C" {
    fn fork() -> c_int;
    fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
    fn _exit(code: c_int) -> !;
    fn kill(pid: c_int, signal: c_int) -> c_int;
    fn system(command: *const c_char) -> c_int;
}

fn fork_and_others() {
    init();
    INITIALISED.store(1, Ordering::Relaxed);
    ZEROS[3].store(77, Ordering::Relaxed);
    for round in 0..20 {
        // SAFETY: the child reads its memory and ends.
        let child = unsafe { fork() };
        if child == 0 {
            let inherited = (INITIALISED.load(Ordering::Relaxed), ZEROS[3].load(Ordering::Relaxed));
            INITIALISED.store(99, Ordering::Relaxed);
            LARGE[5].store(99, Ordering::Relaxed);
            let is_well = inherited == (1 + round, 77) && INITIALISED.load(Ordering::Relaxed) == 99;
            let is_no_pe = runtime().is_none();
            // SAFETY: the call ends the child, and runs none of the parent's handlers.
            unsafe { _exit(if is_well && is_no_pe { 42 } else { 1 }) };
        }
        let mut status = 0;
        // SAFETY: its own child.
        unsafe { waitpid(child, &raw mut status, 0) };
        assert_eq!(status >> 8, 42, "round {round}: {status:#x}");
        // The child wrote only its own memory.
        assert_eq!((INITIALISED.load(Ordering::Relaxed), LARGE[5].load(Ordering::Relaxed)), (1 + round, 0));
        INITIALISED.store(2 + round, Ordering::Relaxed);
    }
    // SAFETY: a shell command.
    assert_eq!(unsafe { system(c"exit 3".as_ptr()) } >> 8, 3);
    assert!(std::process::Command::new("true").status().expect("it runs").success());
    // A child that ends by `exit` finalises nothing. SAFETY: as above.
    let child = unsafe { fork() };
    if child == 0 {
        std::process::exit(0);
    }
    let mut status = 0;
    // SAFETY: its own child.
    unsafe { waitpid(child, &raw mut status, 0) };
    assert_eq!(status, 0);
    barrier();
    finalize();
}

fn heap() {
    init();
    let base = runtime().expect("initialised").memory.heap.start;
    let (name, n) = (c"shmem".as_ptr(), n_pes() as c_int);
    // SAFETY: as C calls it.
    unsafe {
        assert!(philae_shmem_malloc(name, 0, 0).is_null() && philae_shmem_calloc(name, 0, 8).is_null());
        assert!(philae_shmem_align(name, 64, 0).is_null());
        philae_shmem_free(name, ptr::null_mut());
        let first = philae_shmem_malloc(name, 1000, 3);
        let aligned = philae_shmem_align(name, 1 << 16, 10);
        assert!((aligned as usize).is_multiple_of(1 << 16));
        first.cast::<u8>().write_bytes(0xab, 1000);
        let first = philae_shmem_realloc(name, first, 5000);
        assert_eq!(*first.cast::<[u8; 1000]>(), [0xab; 1000]);
        let zeros = philae_shmem_calloc(name, 100, 8);
        assert_eq!(*zeros.cast::<[u64; 100]>(), [0; 100]);
        let grown = philae_shmem_realloc(name, zeros, 1 << 20);
        let new = philae_shmem_realloc(name, ptr::null_mut(), 64);
        assert!(!grown.is_null() && !new.is_null());
        assert!(philae_shmem_realloc(name, new, 0).is_null());
        // The same offsets on all PEs, whatever the addresses.
        let offsets = [first, aligned, grown].map(|block: *mut c_void| (block as usize - base) as u64);
        let mine = malloc(24);
        std::slice::from_raw_parts_mut(mine, 3).copy_from_slice(&offsets);
        barrier();
        for pe in 0..n {
            assert_eq!(get(mine, 3, pe), offsets);
        }
        barrier();
        for block in [first, aligned, grown, mine.cast()] {
            philae_shmem_free(name, block);
        }
        let runtime = runtime().expect("initialised");
        assert_eq!(runtime.memory.blocks().free(), (16 << 20, 16 << 20));
        // Zero bytes from nowhere to a PE: legal.
        philae_shmem_put(name, context(), ptr::null_mut(), ptr::null(), 0, 8, 0, 0);
    }
    finalize();
}

fn exhausted() {
    init();
    let first = malloc(10 << 20);
    assert!(!first.is_null());
    assert!(malloc(10 << 20).is_null());
    free(first);
    assert!(!malloc(10 << 20).is_null());
    finalize();
}

/// Every alignment up to the heap's size, at the same offset on all PEs; none beyond.
fn alignments() {
    init();
    let (name, n) = (c"shmem_align".as_ptr(), n_pes() as c_int);
    let heap = runtime().expect("initialised").memory.heap.clone();
    let align = |alignment: usize, bytes: usize| {
        // SAFETY: as C calls it.
        unsafe { philae_shmem_align(name, alignment, bytes).cast::<u64>() }
    };
    let below = 1 << heap.len().ilog2();
    let mut alignment = 1;
    while alignment <= below {
        let block = align(alignment, 64);
        assert!(!block.is_null() && (block as usize).is_multiple_of(alignment), "{alignment}: {block:?}");
        // A second block next to it, if the heap has two such multiples.
        let second = if alignment <= heap.len() / 2 { align(alignment, 8) } else { ptr::null_mut() };
        assert!((second as usize).is_multiple_of(alignment) && second != block, "{alignment}: {second:?}");
        assert!(second.is_null() == (alignment > heap.len() / 2), "{alignment}");
        // SAFETY: the block has eight words.
        unsafe { *block = (block as usize - heap.start) as u64 };
        barrier();
        for pe in 0..n {
            assert_eq!(get(block, 1, pe), [(block as usize - heap.start) as u64], "{alignment}");
        }
        free(second);
        free(block);
        alignment *= 2;
    }
    let largest = below.max(2 << 20);
    for alignment in [0, 3, 24, 2 * largest, 1 << 40, 1 << 63, usize::MAX] {
        assert!(align(alignment, 64).is_null(), "{alignment}");
    }
    let runtime = runtime().expect("initialised");
    assert_eq!(runtime.memory.blocks().free(), (heap.len(), heap.len()));
    finalize();
}

#[test]
fn every_alignment_up_to_the_heaps_size_works_and_others_give_nothing() {
    for (size, largest) in [("64k", 2 << 20), ("16m", 16 << 20), ("48m", 32 << 20), ("1g", 1 << 30)] {
        for pages in ["auto", "never"] {
            let job = run(3, "alignments", &[(None, "SHMEM_SYMMETRIC_SIZE", size), (None, "SHMEM_HUGE_PAGES", pages)]);
            job.well();
            let said = job.said();
            assert!(said.contains(&format!("a power of two up to {largest} (")), "{size}: {said}");
            assert_eq!(said.matches("no block has an alignment of").count(), 7, "{size}: {said}");
        }
    }
    run(2, "alignments", &[(None, "SHMEM_SYMMETRIC_SIZE", "512m"), (None, "SHMEM_DEBUG", "1")]).well();
}

#[test]
fn static_data_is_symmetric_wherever_it_lies() {
    run(3, "static data", &[]).well();
}

#[test]
fn no_write_of_another_thread_is_lost_while_static_data_moves() {
    for _ in 0..5 {
        run(2, "threads", &[]).well();
    }
}

#[test]
fn a_forked_child_has_its_own_static_data() {
    run(2, "fork", &[]).well();
}

#[test]
fn the_heap_gives_the_same_offsets_to_all() {
    run(3, "heap", &[]).well();
    run(2, "heap", &[(None, "SHMEM_DEBUG", "1")]).well();
}

#[test]
fn an_exhausted_heap_gives_nothing_and_says_what_is_free() {
    let job = run(2, "exhausted", &[]);
    job.well();
    let said = job.said();
    assert!(said.contains("no room for 10485760 bytes") && said.contains("heap of 16 MiB"), "{said}");
    assert!(said.contains("6291456 bytes are free") && said.contains("SHMEM_SYMMETRIC_SIZE"), "{said}");
    assert_eq!(said.matches("no room").count(), 1);
}

#[test]
fn different_calls_are_found_out_in_debug_mode() {
    let job = run(2, "asymmetric", &[(Some(1), "SHMEM_DEBUG", "1")]);
    for (pe, ended) in job.pes.iter().enumerate() {
        assert_eq!(ended.code(), 1);
        let asks = format!("this one requests {} bytes", 100 + pe);
        assert!(ended.err.contains(&asks) || ended.err.contains("has ended with code 1"), "{}", ended.err);
    }
    assert!(job.said().contains("PEs make different calls"), "{}", job.said());
}

#[test]
fn places_that_overlap_are_found_out_in_debug_mode() {
    run(2, "overlap", &[]).well();
    for (which, function, bytes) in [("put", "shmem_ulong_put", 24), ("collect", "shmem_ulong_fcollect", 40)] {
        let job = run(2, "overlap", &[(None, "SHMEM_DEBUG", "1"), (None, "PHILAE_TEST_OVERLAP", which)]);
        let said = job.said();
        assert!(job.pes.iter().all(|pe| pe.code() == 1), "{which}: {said}");
        assert!(said.contains(&format!("{function}: dest 0x")) && said.contains("overlap; the same address"), "{said}");
        let addresses: Vec<usize> = said.lines().next().expect("a line").split("0x").skip(1).map(hexadecimal).collect();
        assert_eq!(addresses[2] - addresses[0], bytes, "{said}");
    }
}

/// The number at the beginning of a text.
fn hexadecimal(text: &str) -> usize {
    let digits: String = text.chars().take_while(char::is_ascii_hexdigit).collect();
    usize::from_str_radix(&digits, 16).expect("digits")
}

#[test]
fn what_is_no_symmetric_memory_is_refused_with_what_is_legal() {
    for debug in ["0", "1"] {
        let job = run(2, "address", &[(None, "SHMEM_DEBUG", debug)]);
        let said = job.said();
        for words in ["shmem_long_put: dest 0x", "with 8 bytes for PE", "legal here: heap 0x", "static data 0x"] {
            assert!(said.contains(words), "{words}: {said}");
        }
    }
    let job = run(1, "beyond", &[]);
    assert!(job.said().contains("with 16 bytes for PE 0"), "{}", job.said());
    let job = run(2, "no pe", &[]);
    assert!(job.said().contains("shmem_int_put: PE 2 was given; the world has PEs 0 to 1"), "{}", job.said());
    let job = run(1, "free twice", &[]);
    assert!(job.said().contains("which is not the beginning of a block of the symmetric heap"), "{}", job.said());
}

#[test]
fn settings_that_cannot_be_are_errors() {
    let of = |name: &'static str, value: &'static str| run(1, "plain", &[(None, name, value)]);
    for (name, value, says) in [
        ("SHMEM_SYMMETRIC_SIZE", "2x", "SHMEM_SYMMETRIC_SIZE='2x' has an unknown unit"),
        ("SHMEM_SYMMETRIC_SIZE", "", "is no size"),
        ("SHMEM_SYMMETRIC_SIZE", "60t", "SHMEM_SYMMETRIC_SIZE"),
        ("SHMEM_HUGE_PAGES", "some", "auto, never or reserved"),
    ] {
        let job = of(name, value);
        assert_eq!(job.pes[0].code(), 1, "{name}={value}");
        assert!(job.said().contains(says), "{}", job.said());
    }
    let sizes = [(Some(0), "SHMEM_SYMMETRIC_SIZE", "4m"), (Some(1), "SHMEM_SYMMETRIC_SIZE", "8m")];
    let job = run(2, "plain", &sizes);
    assert!(job.said().contains("is 4194304 on PE 0 and 8388608 on PE 1"), "{}", job.said());
    run(2, "plain", &[(None, "SHMEM_SYMMETRIC_SIZE", "3.1M")]).well();
    run(2, "plain", &[(None, "SHMEM_HUGE_PAGES", "never"), (None, "SHMEM_STATIC_DATA", "0")]).well();
}

#[test]
fn the_version_the_variables_and_the_memory_map_are_printed_when_asked_for() {
    let asked = [(None, "SHMEM_VERSION", "1"), (None, "SHMEM_INFO", "1"), (None, "SHMEM_MEMINFO_DISPLAY", "1")];
    let job = run(2, "plain", &asked);
    job.well();
    let (first, second) = (&job.pes[0].err, &job.pes[1].err);
    assert!(first.contains("OpenSHMEM 1.6") && first.contains("2 PEs, 2 of them on this host, by PMI-1"), "{first}");
    assert!(first.contains("SHMEM_SYMMETRIC_SIZE") && first.contains("now: SHMEM_SYMMETRIC_SIZE=16m"), "{first}");
    assert!(first.contains("16 MiB") && first.contains("of PE 1"), "{first}");
    assert!(!second.contains("OpenSHMEM 1.6") && second.contains("of PE 0"), "{second}");
}

#[test]
fn nothing_is_left_when_all_have_been_killed() {
    let names = || -> Vec<_> {
        let files = std::fs::read_dir("/dev/shm").into_iter().flatten().flatten().map(|entry| entry.file_name());
        files.filter(|name| name.to_string_lossy().contains("shmem")).collect()
    };
    let before = names();
    let job = run(3, "all killed", &[]);
    assert!(job.pes.iter().any(|ended| ended.code() == 128 + 9), "{}", job.said());
    assert_eq!(names(), before, "a segment without a name cannot be left behind");
}
