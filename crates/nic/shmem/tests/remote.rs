//! PEs that reach each other through a NIC: real processes over this project's provider, both
//! wires, and over libfabric's own providers if they are installed. The tests compare memory with a
//! model of it.

#![expect(unsafe_code, reason = "operations lend memory")]

mod remote_support;

use philae_shmem::remote::{AmoEffect, RemoteContext, RemoteError, RemoteNetwork, SignalOperation, Strides, Width};
use remote_support::{DATA, HEAP, Over, Pe, Random, SHM, SOCKETS, TCP, UDP, pes};

const ALL: [Over; 4] = [SHM, UDP, TCP, SOCKETS];
const OURS: [Over; 2] = [SHM, UDP];

fn put(context: &RemoteContext, dest: usize, source: &[u8], pe: u32, is_nonblocking: bool) {
    // SAFETY: callers wait before they free the source.
    unsafe { context.put("shmem_put", dest, source.as_ptr(), source.len(), pe, is_nonblocking) }.expect("a put");
}

fn get(context: &RemoteContext, dest: &mut [u8], source: usize, pe: u32) {
    // SAFETY: the call blocks.
    unsafe { context.get("shmem_get", dest.as_mut_ptr(), source, dest.len(), pe, false) }.expect("a get");
}

fn amo(
    context: &RemoteContext,
    what: (AmoEffect, Width),
    dest: usize,
    operands: [u64; 2],
    fetches: bool,
    pe: u32,
) -> u64 {
    let mut result = 0_u64;
    let place = if fetches { (&raw mut result).cast() } else { std::ptr::null_mut() };
    // SAFETY: the call blocks if it fetches.
    unsafe { context.amo("shmem_atomic", what, (dest, pe), operands, place, false) }.expect("an atomic operation");
    result
}

/// Bytes of the part of a PE's heap that each PE writes in the test with the model.
const PART: usize = 16 * 1024;

/// What memory must contain.
struct Model {
    bytes: Vec<Vec<u8>>,
}

/// One random operation, on memory and in the model.
fn step(pe: &Pe, context: &RemoteContext, model: &mut Model, random: &mut Random, lent: &mut Vec<Vec<u8>>) {
    let target = random.below(pe.n_pes as usize) as u32;
    let base = pe.at(0) + pe.me as usize * PART;
    let bytes = &mut model.bytes[target as usize];
    let length = [1, 7, 8, 64, 191, 192, 193, 224, 225, 1_000, 4_096][random.below(11)];
    let at = random.below(PART - length);
    let noise: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
    match random.below(8) {
        0 => {
            put(context, base + at, &noise, target, false);
            bytes[at..at + length].copy_from_slice(&noise);
            // A fence keeps the order of writes to the same place.
            context.fence().expect("a fence");
        }
        1 => {
            put(context, base + at, &noise, target, true);
            bytes[at..at + length].copy_from_slice(&noise);
            lent.push(noise);
            context.fence().expect("a fence");
        }
        2 => {
            context.quiet().expect("a quiet");
            lent.clear();
            let mut found = vec![0; length];
            get(context, &mut found, base + at, target);
            assert!(found == bytes[at..at + length], "PE {}: {length} bytes at {at} of PE {target}", pe.me);
        }
        3 => {
            let (block, count, apart) = (1 + random.below(3), 1 + random.below(20), 3 + random.below(4));
            let strides = Strides {
                destination: apart as isize,
                source: (block + 1) as isize,
                block,
                count,
                element_bytes: [1, 4, 8, 16][random.below(4)],
            };
            let (size, reach) = (strides.element_bytes, apart * count * strides.element_bytes);
            let at = random.below(PART - reach);
            let source: Vec<u8> = (0..(block + 1) * count * size).map(|_| random.next() as u8).collect();
            // SAFETY: the call blocks.
            unsafe { context.put_strided("shmem_iput", base + at, source.as_ptr(), strides, target) }.expect("an iput");
            for number in 0..count {
                let (to, from) = (at + number * apart * size, number * (block + 1) * size);
                bytes[to..to + block * size].copy_from_slice(&source[from..from + block * size]);
            }
            context.quiet().expect("a quiet");
            let back = Strides { destination: strides.source, source: strides.destination, ..strides };
            let mut found = vec![0; source.len()];
            // SAFETY: the call blocks.
            unsafe { context.get_strided("shmem_iget", found.as_mut_ptr(), base + at, back, target) }.expect("an iget");
            for number in 0..count {
                let from = number * (block + 1) * size;
                assert_eq!(found[from..from + block * size], source[from..from + block * size], "PE {}", pe.me);
            }
        }
        4 | 5 => {
            let width = [Width::Two, Width::Four, Width::Eight][random.below(3)];
            let size = width.bytes();
            let at = random.below(PART / size) * size;
            let kinds = [
                AmoEffect::Fetch,
                AmoEffect::Set,
                AmoEffect::CompareSwap,
                AmoEffect::Add,
                AmoEffect::And,
                AmoEffect::Or,
                AmoEffect::Xor,
            ];
            let (kind, operand) = (kinds[random.below(7)], random.next());
            let fetches = matches!(kind, AmoEffect::Fetch | AmoEffect::CompareSwap) || random.below(2) == 0;
            context.quiet().expect("a quiet");
            let mask = u64::MAX >> (64 - 8 * size);
            let number = |bytes: &[u8]| {
                let mut all = [0; 8];
                all[..size].copy_from_slice(bytes);
                u64::from_le_bytes(all)
            };
            let old = number(&bytes[at..at + size]);
            let compare = if random.below(2) == 0 { old } else { random.next() };
            let found = amo(context, (kind, width), base + at, [operand, compare], fetches, target);
            assert!(
                !fetches || found & mask == old,
                "PE {}: {kind:?} {width:?} of PE {target}: {found:#x} {old:#x}",
                pe.me
            );
            let new = match kind {
                AmoEffect::Fetch => old,
                AmoEffect::Set => operand,
                AmoEffect::CompareSwap => {
                    if compare & mask == old {
                        operand
                    } else {
                        old
                    }
                }
                AmoEffect::Add => old.wrapping_add(operand),
                AmoEffect::And => old & operand,
                AmoEffect::Or => old | operand,
                AmoEffect::Xor => old ^ operand,
            };
            bytes[at..at + size].copy_from_slice(&new.to_le_bytes()[..size]);
        }
        6 => {
            let signal_at = (at + length).next_multiple_of(8).min(PART - 8);
            let (length, signal) = (length.min(signal_at.saturating_sub(at)), random.next());
            context.quiet().expect("a quiet");
            let is_set = random.below(2) == 0;
            let kind = if is_set { SignalOperation::Set } else { SignalOperation::Add };
            let what = (base + at, noise.as_ptr(), length);
            // SAFETY: the call blocks.
            unsafe { context.put_signal("shmem_put_signal", what, (base + signal_at, signal, kind), target, false) }
                .expect("a put with a signal");
            bytes[at..at + length].copy_from_slice(&noise[..length]);
            let old = u64::from_le_bytes(bytes[signal_at..signal_at + 8].try_into().expect("8 bytes"));
            let new = if is_set { signal } else { old.wrapping_add(signal) };
            bytes[signal_at..signal_at + 8].copy_from_slice(&new.to_le_bytes());
            context.fence().expect("a fence");
        }
        _ => context.local_complete().map(|()| lent.clear()).expect("a local completion"),
    }
}

fn agree(pe: &mut Pe, variables: &[(&str, &str)], steps: usize, options: i64) {
    let remote = pe.open(variables);
    let own = remote.context().expect("a context");
    let n_pes = pe.n_pes as usize;
    let mut model = Model { bytes: vec![vec![0; PART]; n_pes] };
    let mut random = Random(0x9e37_79b9 + u64::from(pe.me));
    let mut lent = [Vec::new(), Vec::new()];
    if options != 0 {
        own.session_start(options, None);
    }
    // The default context and one of its own alternate; each completes its operations before its
    // quiet.
    for _ in 0..steps {
        step(pe, remote.default_context(), &mut model, &mut random, &mut lent[0]);
        remote.default_context().quiet().expect("a quiet");
        for _ in 0..3 {
            step(pe, &own, &mut model, &mut random, &mut lent[1]);
        }
        own.quiet().expect("a quiet");
        lent.iter_mut().for_each(Vec::clear);
    }
    own.session_stop().expect("a stop");
    pe.barrier();
    // Each PE compares its own memory with the contents that the others' models predict.
    let said: Vec<Vec<Vec<u8>>> =
        (0..pe.n_pes).map(|target| remote_support_exchange(pe, &model.bytes[target as usize])).collect();
    for (writer, bytes) in said[pe.me as usize].iter().enumerate() {
        // SAFETY: the heap has this length.
        let found = unsafe { std::slice::from_raw_parts((pe.at(0) + writer * PART) as *const u8, PART) };
        let wrong = found.iter().zip(bytes).position(|(found, said)| found != said);
        assert_eq!(wrong, None, "PE {}: what PE {writer} has written", pe.me);
    }
    pe.barrier();
}

fn remote_support_exchange(pe: &Pe, own: &[u8]) -> Vec<Vec<u8>> {
    use philae_shmem::remote::Bootstrap;
    pe.exchange(own).expect("the others come")
}

#[test]
fn every_operation_agrees_with_a_model_of_the_memory() {
    const { assert!(4 * PART <= HEAP * 8) };
    pes("every_operation_agrees_with_a_model_of_the_memory", 3, &ALL, |pe| agree(pe, &[], 100, 0));
}

#[test]
fn it_agrees_whatever_completion_sizes_and_hints_there_are() {
    use philae_shmem::session::option;
    pes("it_agrees_whatever_completion_sizes_and_hints_there_are", 2, &ALL, |pe| {
        agree(pe, &[("SHMEM_OFI_COMPLETION", "TRANSMIT"), ("SHMEM_OFI_MESSAGE_MAX", "100")], 30, option::BUNDLE);
        pe.heap.fill(0);
        pe.barrier();
        let small = [("SHMEM_OFI_INJECT", "0"), ("SHMEM_OFI_INJECT_HEAP", "0"), ("SHMEM_OFI_BUNDLE", "3")];
        agree(pe, &small, 30, option::BUNDLE | option::DC | option::HRP);
    });
}

/// All PEs change the same numbers at the same time.
#[test]
fn nothing_is_lost_where_all_change_one_number() {
    pes("nothing_is_lost_where_all_change_one_number", 3, &ALL, |pe| {
        let remote = pe.open(&[]);
        let context = remote.default_context();
        let rounds = if pe.over == "sockets" { 100 } else { 300 };
        let mut tickets = Vec::new();
        for round in 0..rounds {
            amo(context, (AmoEffect::Add, Width::Eight), pe.at(0), [3, 0], false, 0);
            tickets.push(amo(context, (AmoEffect::Add, Width::Four), pe.at(1), [1, 0], true, 0) as u32);
            amo(context, (AmoEffect::Xor, Width::Eight), pe.at(2), [1 << (round % 60), 0], false, 0);
            // Two numbers of 2 bytes in one of 4.
            amo(context, (AmoEffect::Add, Width::Two), pe.at(3), [1, 0], false, 0);
            amo(context, (AmoEffect::Add, Width::Two), pe.at(3) + 2, [2, 0], true, 0);
            // A lock built from compare-and-swap.
            let mine = u64::from(pe.me) + 1;
            while amo(context, (AmoEffect::CompareSwap, Width::Eight), pe.at(4), [mine, 0], true, 0) != 0 {
                std::thread::yield_now();
            }
            let mut held = [0; 8];
            get(context, &mut held, pe.at(5), 0);
            put(context, pe.at(5), &(u64::from_le_bytes(held) + 1).to_le_bytes(), 0, false);
            context.quiet().expect("a quiet");
            assert_eq!(amo(context, (AmoEffect::Set, Width::Eight), pe.at(4), [0, 0], true, 0), mine);
        }
        context.quiet().expect("a quiet");
        let all: Vec<u8> = tickets.iter().flat_map(|ticket| ticket.to_le_bytes()).collect();
        let mut all: Vec<u32> = remote_support_exchange(pe, &all)
            .concat()
            .chunks(4)
            .map(|bytes| u32::from_le_bytes(bytes.try_into().expect("4 bytes")))
            .collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..rounds * pe.n_pes), "each ticket once");
        if pe.me == 0 {
            let count = u64::from(rounds * pe.n_pes);
            assert_eq!((pe.now(0), pe.now(5)), (3 * count, count));
            let bits = (0..u64::from(rounds)).fold(0, |bits, round| bits ^ 1 << (round % 60));
            assert_eq!(pe.now(2), bits, "an odd number of PEs");
            assert_eq!(pe.now(3), (count & 0xffff) | ((2 * count) & 0xffff) << 16);
        }
        pe.barrier();
    });
}

/// A PE that sees the signal, or a put after a fence, sees the earlier data. Puts reach even a
/// target that makes no calls.
#[test]
fn signals_and_fences_keep_their_order() {
    pes("signals_and_fences_keep_their_order", 2, &ALL, |pe| {
        let remote = pe.open(&[]);
        let context = remote.default_context();
        let to = 1 - pe.me;
        let rounds = if pe.over == "sockets" { 30 } else { 100 };
        for round in 1..=rounds {
            let words = [1, 24, 25, 1_000, 8_000][round as usize % 5];
            let payload: Vec<u64> = (0..words).map(|at| round << 32 | at).collect();
            let bytes = payload.len() * 8;
            let from = payload.as_ptr().cast::<u8>();
            if round % 2 == 0 {
                let signal = (pe.at(0), round, SignalOperation::Set);
                // SAFETY: a quiet follows.
                unsafe { context.put_signal("shmem_put_signal_nbi", (pe.at(100), from, bytes), signal, to, true) }
                    .expect("a put with a signal");
            } else {
                // SAFETY: it is the payload's own memory, and a quiet follows.
                let payload = unsafe { std::slice::from_raw_parts(from, bytes) };
                put(context, pe.at(100), payload, to, true);
                context.fence().expect("a fence");
                put(context, pe.at(0), &round.to_le_bytes(), to, false);
            }
            // The other PE may be in a call or not.
            pe.wait(&remote, 0, round);
            for at in 0..words {
                assert_eq!(pe.now(100 + at as usize), round << 32 | at, "PE {}, round {round}", pe.me);
            }
            context.quiet().expect("a quiet");
            pe.barrier();
        }
        // The target sleeps: its calls make no progress.
        if pe.me == 1 {
            put(context, pe.at(1), &7_u64.to_le_bytes(), 0, false);
            assert_eq!(amo(context, (AmoEffect::Add, Width::Eight), pe.at(1), [1, 0], true, 0), 7);
            context.quiet().expect("a quiet");
        }
        pe.barrier();
        assert_eq!(pe.now(1), if pe.me == 0 { 8 } else { 0 });
        pe.barrier();
    });
}

fn count(remote: &RemoteNetwork, name: &str) -> u64 {
    let counts = remote.nic_counts().expect("this provider counts");
    counts.into_iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("no count {name}")).1
}

/// The amount that `work` adds to the NIC's counters.
fn added<const N: usize>(remote: &RemoteNetwork, names: [&str; N], work: impl FnOnce()) -> [u64; N] {
    let before = names.map(|name| count(remote, name));
    work();
    let after = names.map(|name| count(remote, name));
    std::array::from_fn(|index| after[index] - before[index])
}

/// A hundred puts of a number and a hundred additions, with the same result in memory whatever the
/// session says.
fn puts_and_additions(pe: &Pe, context: &RemoteContext, round: u64) {
    for at in 0..100_usize {
        put(context, pe.at(at), &(round + at as u64).to_le_bytes(), 1, false);
    }
    context.fence().expect("a fence");
    for at in 0..100_usize {
        amo(context, (AmoEffect::Add, Width::Eight), pe.at(at), [round, 0], false, 1);
    }
}

fn holds(pe: &Pe, context: &RemoteContext, round: u64) {
    let mut found = vec![0; 800];
    get(context, &mut found, pe.at(0), 1);
    let expected: Vec<u8> = (0..100).flat_map(|at| (2 * round + at).to_le_bytes()).collect();
    assert_eq!(found, expected);
}

#[test]
fn sessions_show_in_the_nics_counts_and_not_in_memory() {
    use philae_shmem::session::option;
    pes("sessions_show_in_the_nics_counts_and_not_in_memory", 2, &OURS, |pe| {
        let remote = pe.open(&[("SHMEM_OFI_BUNDLE", "16")]);
        let context = remote.context().expect("a context");
        pe.barrier();
        if pe.me == 0 {
            let names = ["commands", "bundled", "high_rate", "unreliable"];
            let run = |options: i64, total: Option<usize>, round: u64| {
                let counts = added(&remote, names, || {
                    context.session_start(options, total);
                    puts_and_additions(pe, &context, round);
                    context.session_stop().expect("a stop");
                    context.quiet().expect("a quiet");
                });
                holds(pe, &context, round);
                counts
            };
            assert_eq!(run(0, None, 1_000), [200, 0, 0, 0], "without a session each has its own doorbell");
            // 200 operations in bundles of 16: 12 whole bundles and a last one of 8.
            assert_eq!(run(option::BUNDLE, None, 2_000), [200, 200 - 13, 0, 0]);
            // 100 puts: 6 whole bundles and one of 4, for which the first addition rings.
            assert_eq!(run(option::BUNDLE | option::OP_PUT, None, 3_000), [200, 94, 0, 0]);
            assert_eq!(run(option::BUNDLE | option::OP_AMO, None, 4_000), [200, 93, 0, 0]);
            // After the announced number of operations no operation is held any more.
            assert_eq!(run(option::BUNDLE, Some(8), 5_000)[1], 7);
            let [commands, bundled, high_rate, unreliable] = run(option::HRP, None, 6_000);
            // The fence has to wait, because operations at the high rate keep no order. It sends a
            // read after them, so the quiet sends none.
            assert_eq!([commands, bundled, high_rate, unreliable], [201, 0, 100, 0]);
            let [commands, _, high_rate, unreliable] = run(option::STAMO, None, 7_000);
            assert_eq!([commands, high_rate, unreliable], [201, 0, 100]);
            let [_, bundled, high_rate, unreliable] = run(option::STAMO | option::HRP | option::BUNDLE, None, 8_000);
            assert_eq!([high_rate, unreliable], [200, 100]);
            assert!(bundled >= 180, "{bundled}");
            // A start within a session adds to it; a stop without a session, and unknown options.
            context.session_start(option::BUNDLE, None);
            context.session_start(option::OP_PUT, None);
            assert_eq!(context.session().options(), option::BUNDLE | option::OP_PUT);
            context.session_stop().expect("a stop");
            context.session_stop().expect("nothing happens");
            context.session_start(1 << 40, None);
        }
        pe.barrier();
    });
}

#[test]
fn quiets_read_behind_puts_that_only_the_nic_has() {
    use philae_shmem::session::option;
    pes("quiets_read_behind_puts_that_only_the_nic_has", 2, &OURS, |pe| {
        let remote = pe.open(&[("SHMEM_OFI_COMPLETION", "TRANSMIT")]);
        let context = remote.context().expect("a context");
        pe.barrier();
        if pe.me == 0 {
            let run = |options: i64| {
                context.session_start(options, None);
                let reads = added(&remote, ["reads"], || {
                    puts_and_additions(pe, &context, 10);
                    context.local_complete().expect("a local completion");
                    context.quiet().expect("a quiet");
                });
                context.session_stop().expect("a stop");
                reads
            };
            assert_eq!(run(0), [1], "one for the PE that was written to");
            assert_eq!(run(option::DC), [0]);
            // A quiet of other PEs leaves the flush to a later one.
            put(&context, pe.at(0), &[1; 8], 1, false);
            assert_eq!(added(&remote, ["reads"], || context.pe_quiet(&[0]).expect("a quiet")), [0]);
            assert_eq!(added(&remote, ["reads"], || context.pe_quiet(&[1, 0]).expect("a quiet")), [1]);
            assert_eq!(added(&remote, ["reads"], || context.quiet().expect("a quiet")), [0]);
        }
        pe.barrier();
    });
}

#[test]
fn size_and_place_of_the_source_choose_the_protocol() {
    pes("size_and_place_of_the_source_choose_the_protocol", 2, &OURS, |pe| {
        let remote = pe.open(&[("SHMEM_OFI_INJECT_HEAP", "64")]);
        let context = remote.default_context();
        pe.barrier();
        if pe.me == 0 {
            let private = vec![1; 4_096];
            let symmetric = pe.at(1_000) as *const u8;
            let mut before = remote.counts();
            let mut run = |source: *const u8, bytes: usize, is_nonblocking: bool| {
                // SAFETY: this many bytes are there, and a quiet follows.
                unsafe { context.put("shmem_put", pe.at(0), source, bytes, 1, is_nonblocking) }.expect("a put");
                context.quiet().expect("a quiet");
                let after = remote.counts();
                let changed = after.iter().zip(&before).find(|(after, before)| after.1 != before.1);
                let name = changed.map(|(after, _)| after.0);
                before = after;
                name
            };
            assert_eq!(run(private.as_ptr(), 192, true), Some("puts_injected"));
            assert_eq!(run(private.as_ptr(), 193, true), Some("puts_dma_elsewhere"));
            assert_eq!(run(symmetric, 64, true), Some("puts_injected"));
            assert_eq!(run(symmetric, 65, true), Some("puts_dma"));
            assert_eq!(run(symmetric, 65, false), Some("puts_injected"));
            context.session_start(philae_shmem::session::option::HRP, None);
            assert_eq!(run(private.as_ptr(), 224, true), Some("puts_inline"));
            assert_eq!(run(private.as_ptr(), 225, true), Some("puts_dma_elsewhere"));
            context.session_stop().expect("a stop");
            let text = remote.description().into_iter().find(|(name, _)| *name == "injected").expect("it is said").1;
            assert_eq!(text, "up to 192 B; from symmetric memory without blocking up to 64 B");
        }
        pe.barrier();
    });
}

#[test]
fn long_transfers_are_cut_and_blocks_go_as_bundles() {
    pes("long_transfers_are_cut_and_blocks_go_as_bundles", 2, &OURS, |pe| {
        let remote = pe.open(&[("SHMEM_OFI_MESSAGE_MAX", "1k")]);
        let context = remote.default_context();
        pe.barrier();
        if pe.me == 0 {
            let noise: Vec<u8> = (0..10_500).map(|at: u32| (at * 7 + at / 256) as u8).collect();
            let counts = added(&remote, ["writes", "bundled"], || put(context, pe.at(0), &noise, 1, false));
            assert_eq!(counts, [11, 10], "11 parts, with one doorbell");
            let mut found = vec![0; noise.len()];
            assert_eq!(added(&remote, ["reads", "bundled"], || get(context, &mut found, pe.at(0), 1)), [11, 10]);
            assert!(found == noise);
            let strides = Strides { destination: 2, source: 1, block: 1, count: 40, element_bytes: 8 };
            let counts = added(&remote, ["writes", "bundled"], || {
                // SAFETY: the call blocks.
                unsafe { context.put_strided("shmem_iput64", pe.at(0), noise.as_ptr(), strides, 1) }.expect("an iput");
            });
            assert_eq!(counts, [40, 37], "40 numbers, 16 to a doorbell");
        }
        pe.barrier();
    });
}

#[test]
fn handles_threads_and_contexts_are_independent() {
    pes("handles_threads_and_contexts_are_independent", 2, &ALL, |pe| {
        let remote = pe.open(&[]);
        let to = 1 - pe.me;
        // Explicit handles: each individually.
        let context = remote.default_context();
        let source = [5_u64, 6];
        let mut back = [0_u64; 2];
        // SAFETY: the waits below cover all operations.
        unsafe {
            let from = source.as_ptr().cast::<u8>().cast_mut();
            let put = context.begin_transfer("shmemx_put_nb", true, from, 16, pe.at(0), to).expect("a put");
            put.wait().expect("its end");
            let old = (&raw mut back[1]).cast();
            let what = (AmoEffect::Add, Width::Eight);
            let add = context.begin_amo("shmemx_fadd_nb", what, (pe.at(1), to), [4, 0], old).expect("an addition");
            while !add.test().expect("it continues") {
                remote.progress().expect("progress");
            }
            assert!(add.test().expect("it stays over"));
            let into = (&raw mut back[0]).cast();
            let get = context.begin_transfer("shmemx_get_nb", false, into, 8, pe.at(0), to).expect("a get");
            // Dropping a handle waits for its operation.
            drop(get);
        }
        assert_eq!(back, [5, 6]);
        pe.barrier();
        assert_eq!((pe.now(0), pe.now(1)), (5, 10));
        pe.barrier();
        // Threads, each with a context of its own or registered for the default one.
        std::thread::scope(|scope| {
            for thread in 0..4_usize {
                let (remote, pe) = (&remote, &*pe);
                scope.spawn(move || {
                    let own = (thread % 2 == 0).then(|| remote.context().expect("a context"));
                    if own.is_none() {
                        remote.thread_register().expect("an endpoint");
                    }
                    let work = |context: &RemoteContext| {
                        for round in 0..50_u64 {
                            put(context, pe.at(1_000 + thread), &round.to_le_bytes(), to, false);
                            context.quiet().expect("a quiet");
                            let mut found = [0; 8];
                            get(context, &mut found, pe.at(1_000 + thread), to);
                            assert_eq!(u64::from_le_bytes(found), round);
                            amo(context, (AmoEffect::Add, Width::Eight), pe.at(2_000), [1, 0], round % 2 == 0, to);
                        }
                        context.quiet().expect("a quiet");
                    };
                    match &own {
                        Some(own) => work(own),
                        None => remote.with_own(work),
                    }
                    remote.thread_unregister().expect("an end");
                });
            }
        });
        remote.quiet_default().expect("a quiet");
        pe.barrier();
        assert_eq!(pe.now(2_000), 200);
        pe.barrier();
    });
}

#[test]
fn several_nics_and_a_second_range_are_used() {
    const TWO: [Over; 2] = [
        Over { variables: &[("FI_PHILAE_WIRES", "shm"), ("SLINGSHOT_DEVICES", "cxi0,cxi1")], ..SHM },
        Over {
            variables: &[
                ("FI_PHILAE_WIRES", "udp"),
                ("FI_PHILAE_ADDRESS", "127.0.0.1"),
                ("SLINGSHOT_DEVICES", "cxi0,cxi1"),
            ],
            ..UDP
        },
    ];
    pes("several_nics_and_a_second_range_are_used", 3, &TWO, |pe| {
        let nics = [("SHMEM_OFI_NIC_POLICY", "USER"), ("SHMEM_OFI_NIC_MAPPING", "1:0;0:1-2")];
        let class = ("SHMEM_OFI_DEFAULT_TCLASS", "TC_LOW_LATENCY");
        let remote = pe.open(&[nics[0], nics[1], class]);
        let said =
            |asked: &str| remote.description().into_iter().find(|(name, _)| *name == asked).expect("it is said").1;
        assert_eq!(said("NIC"), if pe.me == 0 { "cxi1, 2 of 2" } else { "cxi0, 1 of 2" });
        assert_eq!(said("traffic class"), "low latency");
        let contexts = [0, 1].map(|_| remote.context().expect("a context"));
        assert_ne!(format!("{:?}", contexts[0]), format!("{:?}", contexts[1]), "they take turns");
        let next = (pe.me + 1) % pe.n_pes;
        let at = &raw const pe.data[DATA - 2] as usize;
        for (index, context) in contexts.iter().enumerate() {
            put(context, at + 8 * index, &(u64::from(pe.me) + 10).to_le_bytes(), next, false);
            context.quiet().expect("a quiet");
            amo(context, (AmoEffect::Add, Width::Eight), at + 8 * index, [100, 0], true, next);
        }
        pe.barrier();
        let before = u64::from((pe.me + pe.n_pes - 1) % pe.n_pes) + 110;
        // SAFETY: the numbers exist; other PEs have changed them.
        let found = unsafe { (at as *const [u64; 2]).read_volatile() };
        assert_eq!(found, [before; 2]);
        pe.barrier();
    });
}

#[test]
fn wrong_addresses_providers_and_variables_are_said() {
    pes("wrong_addresses_providers_and_variables_are_said", 1, &[SHM], |pe| {
        let remote = pe.open(&[]);
        let end = pe.at(0) + HEAP * 8;
        // SAFETY: nothing is read.
        let wrong = unsafe { remote.default_context().put("shmem_long_put", end - 4, [0; 8].as_ptr(), 8, 0, false) };
        let said = wrong.expect_err("it does not fit").to_string();
        let heap = format!("{:#x} to {end:#x}", pe.at(0));
        assert!(said.starts_with("shmem_long_put: address") && said.contains(&heap) && said.contains("PE 0"), "{said}");
        let open = |name: &str, value: &str| pe.try_open(&[(name, value)]).map(drop).expect_err(value);
        let none = open("SHMEM_OFI_PROVIDER", "ether");
        assert!(matches!(&none, RemoteError::NoProvider { found, .. } if found.contains("philae")), "{none}");
        assert!(none.to_string().contains("named 'ether'"), "{none}");
        let domain = open("SHMEM_OFI_DOMAIN", "cxi9").to_string();
        assert!(domain.contains("in domain 'cxi9'"), "{domain}");
        let class = open("SHMEM_OFI_DEFAULT_TCLASS", "FAST").to_string();
        assert!(class.contains("TC_LOW_LATENCY"), "{class}");
    });
}

/// An operation that is sent once is not retransmitted: its loss ends the wait, with an error that
/// names it.
#[test]
fn a_lost_single_transmission_is_an_error() {
    const LOSSY: Over = Over {
        variables: &[
            ("FI_PHILAE_WIRES", "udp"),
            ("FI_PHILAE_ADDRESS", "127.0.0.1"),
            ("FI_PHILAE_FAULTS", "seed=3,drop=20%"),
        ],
        ..UDP
    };
    pes("a_lost_single_transmission_is_an_error", 2, &[LOSSY], |pe| {
        let remote = pe.open(&[]);
        let context = remote.context().expect("a context");
        pe.barrier();
        if pe.me == 0 {
            context.session_start(philae_shmem::session::option::STAMO, None);
            let failed = (0..1_000).find_map(|_| {
                amo(&context, (AmoEffect::Add, Width::Eight), pe.at(3), [1, 0], false, 1);
                context.quiet().err()
            });
            let said = failed.expect("a fifth is lost").to_string();
            let place = format!("{:#x}", pe.at(3));
            assert!(said.starts_with("shmem_atomic on PE 1") && said.contains(&place), "{said}");
            assert_eq!(count(&remote, "unreliable_lost"), 1);
        }
        pe.barrier();
    });
}

/// A wrong key is an error of the PE that uses it, and changes nothing.
#[test]
fn a_forged_key_is_an_error_and_changes_nothing() {
    pes("a_forged_key_is_an_error_and_changes_nothing", 2, &OURS, |pe| {
        if pe.me == 0 {
            // The end of a PE's card is two regions of three words each: base, length, key.
            pe.forge = Some(|card| {
                let key = card.len() - 32;
                card[key..key + 4].iter_mut().for_each(|byte| *byte ^= 0x55);
            });
        }
        let remote = pe.open(&[("SHMEM_OFI_PATIENCE", "60")]);
        let context = remote.context().expect("a context");
        pe.barrier();
        if pe.me == 0 {
            let source = 9_u64.to_le_bytes();
            // SAFETY: the call blocks or fails.
            let begun = unsafe { context.put("shmem_putmem", pe.at(7), source.as_ptr(), source.len(), 1, false) };
            let said = begun.and_then(|()| context.quiet()).expect_err("a key that no region has").to_string();
            let place = format!("{:#x}", pe.at(7));
            assert!(said.contains("on PE 1") && said.contains(&place), "{said}");
        }
        pe.barrier();
        assert!((0..HEAP).all(|index| pe.now(index) == 0), "PE {}", pe.me);
        pe.barrier();
    });
}

/// A PE that dies is an error on every PE that waits for it, which names it, and not a hang.
#[test]
fn a_peer_that_dies_is_an_error_that_names_it() {
    pes("a_peer_that_dies_is_an_error_that_names_it", 2, &OURS, |pe| {
        let remote = pe.open(&[("SHMEM_OFI_PATIENCE", "60")]);
        let context = remote.context().expect("a context");
        put(&context, pe.at(0), &1_u64.to_le_bytes(), 1 - pe.me, false);
        context.quiet().expect("a quiet");
        pe.barrier();
        if pe.me == 1 {
            // SAFETY: this process ends without notice, like one that is killed, but with exit code
            // 0.
            unsafe { libc::_exit(0) };
        }
        let failed = loop {
            let source = [7_u8; 5_000];
            // SAFETY: the call blocks or fails.
            let begun = unsafe { context.put("shmem_putmem", pe.at(0), source.as_ptr(), source.len(), 1, false) };
            if let Err(error) = begun.and_then(|()| context.quiet()) {
                break error;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        };
        let said = failed.to_string();
        let place = format!("{:#x}", pe.at(0));
        assert!(said.contains("on PE 1") && said.contains("shmem_") && said.contains(&place), "{said}");
        assert_eq!(context.quiet().expect_err("it stays"), failed);
    });
}
