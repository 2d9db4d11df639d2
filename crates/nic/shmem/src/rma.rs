//! The long forms of put, get, atomics and signals: the cases that the header does not inline, and
//! all errors.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering, fence};

use crate::abi::{Ctx, REMOTE, TeamHandle};
use crate::ctx::{ShmemContext, context};
use crate::ending::end;
use crate::error::{Error, name};
use crate::log;
use crate::remote::{self, Guarantee, RemoteContext, RemoteError, SignalOperation, Strides, Width};
use crate::runtime::{Runtime, check, present};

/// `PHILAE_SHMEM_NBI`: completes at the next quiet.
const NBI: c_uint = 1;

/// The parameters of a call: the function, the context and the PE.
struct Call {
    what: &'static str,
    runtime: &'static Runtime,
    context: &'static ShmemContext,
    /// The PE's number as the program gives it.
    pe: c_int,
    /// Its number in the context's team.
    number: u32,
    /// Its number in the world.
    world: u32,
}

/// The location of another PE's memory.
enum Place {
    /// Mapped in this process.
    Local(*mut u8),
    /// Reached through the NIC.
    Remote,
}

impl Call {
    /// # Safety
    /// `what` is a C string that stays valid; `ctx` is null or was made by this library.
    unsafe fn new(what: *const c_char, ctx: *const Ctx, pe: c_int, stores: bool) -> Self {
        // SAFETY: as the caller promises.
        let what = unsafe { name(what) };
        let runtime = present(what);
        log::call(what, Some(pe));
        // SAFETY: as the caller promises.
        let context = unsafe { context(what, ctx) };
        context.permit(runtime.modes.debug, what, stores);
        let members = &context.team().members;
        let number = u32::try_from(pe).ok();
        let Some((number, world)) = number.and_then(|number| Some((number, members.world(number)?))) else {
            let among = if members.len() == runtime.n_pes { "the world" } else { "the context's team" };
            end(what, &Error::NoSuchPe { pe, among, last: members.len() - 1 });
        };
        Self { what, runtime, context, pe, number, world }
    }

    /// The location of `bytes` bytes at a symmetric address of the PE.
    fn place(&self, role: &'static str, address: usize, bytes: usize) -> Place {
        let memory = &self.runtime.memory;
        let window = self.context.team().windows[self.number as usize];
        let within = |range: &std::ops::Range<usize>| {
            address >= range.start && address < range.end && bytes <= range.end - address
        };
        let offset = if within(&memory.heap) {
            window.heap
        } else if within(&memory.data) {
            window.data
        } else {
            let (heap, data) = (memory.heap.clone(), memory.data.clone());
            end(self.what, &Error::Address { role, address, bytes, pe: self.pe, heap, data })
        };
        if offset == REMOTE { Place::Remote } else { Place::Local(address.wrapping_add_signed(offset) as *mut u8) }
    }

    /// In debug mode, ends the job if source and destination overlap in this PE's own memory.
    fn apart(&self, dest: usize, source: usize, bytes: usize) {
        if self.runtime.modes.debug && self.world == self.runtime.me {
            Error::unless_apart(dest, bytes, source, bytes).unwrap_or_else(|error| end(self.what, &error));
        }
    }

    /// Whether the processor carries out atomic operations on PEs of this host.
    fn by_processor(&self) -> bool {
        remote::by_processor(self.runtime, self.context)
    }

    /// Wakes threads of the PE that sleep.
    fn ring(&self) {
        if let Some(control) = self.runtime.memory.control(self.world) {
            control.ring_if_asleep();
        }
    }

    /// Runs `work` through the NIC.
    fn by_nic(&self, work: impl FnOnce(&RemoteContext) -> Result<(), RemoteError>) {
        remote::by_nic(self.runtime, self.context, self.what, work);
    }

    fn product(&self, role: &'static str, address: usize, count: usize, element_bytes: usize) -> usize {
        count.checked_mul(element_bytes).unwrap_or_else(|| {
            let (heap, data) = (self.runtime.memory.heap.clone(), self.runtime.memory.data.clone());
            end(self.what, &Error::Address { role, address, bytes: usize::MAX, pe: self.pe, heap, data })
        })
    }
}

/// `shmem_put` and its family.
///
/// # Safety
/// As the standard says of the public calls: `source` is readable for this many bytes. `what` is a
/// C string that stays valid; `ctx` is null or was made by this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_put(
    what: *const c_char,
    ctx: *const Ctx,
    dest: *mut c_void,
    source: *const c_void,
    count: usize,
    element_bytes: usize,
    pe: c_int,
    flags: c_uint,
) {
    // SAFETY: as the caller promises.
    let call = unsafe { Call::new(what, ctx, pe, true) };
    let bytes = call.product("dest", dest as usize, count, element_bytes);
    if bytes == 0 {
        return;
    }
    call.apart(dest as usize, source as usize, bytes);
    match call.place("dest", dest as usize, bytes) {
        Place::Local(to) => {
            // SAFETY: the place is mapped; the caller promises the source. They may be the same.
            unsafe { ptr::copy(source.cast::<u8>(), to, bytes) };
            call.ring();
        }
        Place::Remote => {
            let source = source.cast::<u8>();
            // SAFETY: the caller promises the source.
            call.by_nic(|remote| unsafe {
                remote.put(call.what, dest as usize, source, bytes, call.world, flags & NBI != 0)
            });
        }
    }
}

/// `shmem_get` and its family.
///
/// # Safety
/// As [`philae_shmem_put`]; `dest` is writable for this many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_get(
    what: *const c_char,
    ctx: *const Ctx,
    dest: *mut c_void,
    source: *const c_void,
    count: usize,
    element_bytes: usize,
    pe: c_int,
    flags: c_uint,
) {
    // SAFETY: as the caller promises.
    let call = unsafe { Call::new(what, ctx, pe, false) };
    let bytes = call.product("source", source as usize, count, element_bytes);
    if bytes == 0 {
        return;
    }
    call.apart(dest as usize, source as usize, bytes);
    match call.place("source", source as usize, bytes) {
        // SAFETY: the place is mapped; the caller promises the destination. They may be the same.
        Place::Local(from) => unsafe { ptr::copy(from.cast_const(), dest.cast::<u8>(), bytes) },
        Place::Remote => {
            let (dest, from) = (dest.cast::<u8>(), source as usize);
            // SAFETY: the caller promises the destination.
            call.by_nic(|remote| unsafe { remote.get(call.what, dest, from, bytes, call.world, flags & NBI != 0) });
        }
    }
}

/// Strided blocks of elements, on both sides.
#[derive(Clone, Copy, Debug)]
struct Blocks {
    /// From the beginning of one block to that of the next, in elements.
    dest_stride: isize,
    source_stride: isize,
    /// Elements in a block.
    block: usize,
    blocks: usize,
    element_bytes: usize,
}

impl Blocks {
    /// The same, for the path through a NIC.
    const fn strides(&self) -> Strides {
        let &Self { dest_stride, source_stride, block, blocks, element_bytes } = self;
        Strides { destination: dest_stride, source: source_stride, block, count: blocks, element_bytes }
    }

    /// How far the blocks with this stride reach below and above the first block's beginning, in
    /// bytes.
    fn extent(&self, stride: isize) -> Option<(usize, usize)> {
        let last = i128::from(stride as i64) * (self.blocks as i128 - 1) * self.element_bytes as i128;
        let block = self.block as i128 * self.element_bytes as i128;
        let below = usize::try_from((-last).max(0)).ok()?;
        let above = usize::try_from(last.max(0) + block).ok()?;
        Some((below, above))
    }

    /// # Safety
    /// All blocks are readable on one side and writable on the other.
    unsafe fn copy(&self, to: *mut u8, from: *const u8) {
        let bytes = self.block * self.element_bytes;
        let step = |stride: isize| stride * self.element_bytes as isize;
        let (to_step, from_step) = (step(self.dest_stride), step(self.source_stride));
        let (mut to, mut from) = (to, from);
        macro_rules! one_word_each {
            ($word:ty) => {
                for _ in 0..self.blocks {
                    // SAFETY: as the caller promises.
                    unsafe { to.cast::<$word>().write_unaligned(from.cast::<$word>().read_unaligned()) };
                    (to, from) = (to.wrapping_offset(to_step), from.wrapping_offset(from_step));
                }
            };
        }
        match bytes {
            4 => one_word_each!(u32),
            8 => one_word_each!(u64),
            _ => {
                for _ in 0..self.blocks {
                    // SAFETY: as the caller promises.
                    unsafe { ptr::copy(from, to, bytes) };
                    (to, from) = (to.wrapping_offset(to_step), from.wrapping_offset(from_step));
                }
            }
        }
    }
}

/// `shmem_iput` and `shmem_ibput`.
///
/// # Safety
/// As [`philae_shmem_put`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_put_strided(
    what: *const c_char,
    ctx: *const Ctx,
    dest: *mut c_void,
    source: *const c_void,
    dst: isize,
    sst: isize,
    bsize: usize,
    nblocks: usize,
    element_bytes: usize,
    pe: c_int,
) {
    // SAFETY: as the caller promises.
    let call = unsafe { Call::new(what, ctx, pe, true) };
    let blocks = Blocks { dest_stride: dst, source_stride: sst, block: bsize, blocks: nblocks, element_bytes };
    if bsize == 0 || nblocks == 0 {
        return;
    }
    let (below, bytes) = spread(&call, "dest", dest as usize, &blocks, dst);
    match call.place("dest", dest as usize - below, below + bytes) {
        Place::Local(to) => {
            // SAFETY: the whole extent is mapped; the caller promises the source.
            unsafe { blocks.copy(to.add(below), source.cast()) };
            call.ring();
        }
        Place::Remote => {
            let (dest, source) = (dest as usize, source.cast::<u8>());
            // SAFETY: the caller promises the source.
            call.by_nic(|remote| unsafe { remote.put_strided(call.what, dest, source, blocks.strides(), call.world) });
        }
    }
}

/// `shmem_iget` and `shmem_ibget`.
///
/// # Safety
/// As [`philae_shmem_get`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_get_strided(
    what: *const c_char,
    ctx: *const Ctx,
    dest: *mut c_void,
    source: *const c_void,
    dst: isize,
    sst: isize,
    bsize: usize,
    nblocks: usize,
    element_bytes: usize,
    pe: c_int,
) {
    // SAFETY: as the caller promises.
    let call = unsafe { Call::new(what, ctx, pe, false) };
    let blocks = Blocks { dest_stride: dst, source_stride: sst, block: bsize, blocks: nblocks, element_bytes };
    if bsize == 0 || nblocks == 0 {
        return;
    }
    let (below, bytes) = spread(&call, "source", source as usize, &blocks, sst);
    match call.place("source", source as usize - below, below + bytes) {
        // SAFETY: the whole extent is mapped; the caller promises the destination.
        Place::Local(from) => unsafe { blocks.copy(dest.cast(), from.add(below)) },
        Place::Remote => {
            let (dest, source) = (dest.cast::<u8>(), source as usize);
            // SAFETY: the caller promises the destination.
            call.by_nic(|remote| unsafe { remote.get_strided(call.what, dest, source, blocks.strides(), call.world) });
        }
    }
}

/// Checks the extent of the blocks below and above a symmetric address.
fn spread(call: &Call, role: &'static str, address: usize, blocks: &Blocks, stride: isize) -> (usize, usize) {
    let found = blocks.extent(stride).filter(|&(below, above)| below <= address && below.checked_add(above).is_some());
    found.unwrap_or_else(|| {
        let (heap, data) = (call.runtime.memory.heap.clone(), call.runtime.memory.data.clone());
        end(call.what, &Error::Address { role, address, bytes: usize::MAX, pe: call.pe, heap, data })
    })
}

/// Atomic operations, numbered as in `include/philae/shmem_core.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amo {
    /// Reads the value.
    Fetch,
    /// Writes the value; a swap if there is a result.
    Set,
    /// Writes the value if the old one is the expected one.
    CompareSwap,
    /// Adds to the value.
    Add,
    /// Bitwise AND.
    And,
    /// Bitwise OR.
    Or,
    /// Bitwise exclusive OR.
    Xor,
}

impl Amo {
    /// The same, for the path through a NIC.
    const fn remote(self) -> remote::AmoEffect {
        match self {
            Self::Fetch => remote::AmoEffect::Fetch,
            Self::Set => remote::AmoEffect::Set,
            Self::CompareSwap => remote::AmoEffect::CompareSwap,
            Self::Add => remote::AmoEffect::Add,
            Self::And => remote::AmoEffect::And,
            Self::Or => remote::AmoEffect::Or,
            Self::Xor => remote::AmoEffect::Xor,
        }
    }

    /// The operation with this number in C.
    #[must_use]
    pub fn of(number: c_int) -> Option<Self> {
        use Amo::{Add, And, CompareSwap, Fetch, Or, Set, Xor};
        [Fetch, Set, CompareSwap, Add, And, Or, Xor].get(usize::try_from(number).ok()?).copied()
    }
}

/// The width of a type that has atomics, with types numbered as in `include/philae/shmem_core.h`:
/// 16, 32 and 64 bits.
#[must_use]
pub fn atomic_width(kind: c_int) -> Option<usize> {
    [0, 2, 4, 8, 0, 2, 4, 8, 4, 8].get(usize::try_from(kind).ok()?).copied().filter(|&width| width > 0)
}

/// Types without sums and bitwise operations: F32 and F64.
const fn is_float(kind: c_int) -> bool {
    matches!(kind, 8 | 9)
}

macro_rules! carry_out {
    ($atomic:ty, $word:ty, $operation:expr, $at:expr, $operand:expr, $compare:expr, $result:expr) => {{
        // SAFETY: the caller has checked that the place is mapped and aligned, and promises the
        // operands.
        unsafe {
            let at = <$atomic>::from_ptr($at.cast::<$word>());
            let operand = if $operand.is_null() { 0 } else { $operand.cast::<$word>().read_unaligned() };
            let before = match $operation {
                Amo::Fetch => at.load(Ordering::SeqCst),
                Amo::Set => at.swap(operand, Ordering::SeqCst),
                Amo::Add => at.fetch_add(operand, Ordering::SeqCst),
                Amo::And => at.fetch_and(operand, Ordering::SeqCst),
                Amo::Or => at.fetch_or(operand, Ordering::SeqCst),
                Amo::Xor => at.fetch_xor(operand, Ordering::SeqCst),
                Amo::CompareSwap => {
                    let expected = $compare.cast::<$word>().read_unaligned();
                    match at.compare_exchange(expected, operand, Ordering::SeqCst, Ordering::SeqCst) {
                        Ok(before) | Err(before) => before,
                    }
                }
            };
            if !$result.is_null() {
                $result.cast::<$word>().write_unaligned(before);
            }
        }
    }};
}

/// When an atomic operation completes.
pub(crate) enum AtomicCompletion<'h> {
    /// When the call returns, as far as its result is concerned.
    Now,
    /// At the next quiet.
    AtQuiet,
    /// When its handle says so; the handle is null if that is immediately.
    Handle(&'h mut *mut c_void),
}

/// Atomic operations of all kinds.
///
/// # Safety
/// `operand`, `compare` and `result` are null or of the type; the rest as [`philae_shmem_put`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_amo(
    what: *const c_char,
    ctx: *const Ctx,
    op: c_int,
    kind: c_int,
    dest: *mut c_void,
    operand: *const c_void,
    compare: *const c_void,
    result: *mut c_void,
    pe: c_int,
    flags: c_uint,
) {
    let over = if flags & NBI == 0 { AtomicCompletion::Now } else { AtomicCompletion::AtQuiet };
    // SAFETY: as the caller promises.
    unsafe { amo(what, ctx, (op, kind), dest, [operand, compare], result, pe, over) };
}

/// The same, also with handles.
///
/// # Safety
/// As above; with a handle, the result has room until the handle is complete.
#[expect(clippy::too_many_arguments, reason = "as above")]
pub(crate) unsafe fn amo(
    what: *const c_char,
    ctx: *const Ctx,
    (op, kind): (c_int, c_int),
    dest: *mut c_void,
    [operand, compare]: [*const c_void; 2],
    result: *mut c_void,
    pe: c_int,
    over: AtomicCompletion<'_>,
) {
    let stores = op != Amo::Fetch as c_int;
    // SAFETY: as the caller promises.
    let call = unsafe { Call::new(what, ctx, pe, stores && result.is_null()) };
    let wrong = |what: &'static str, found: String, works: &'static str| -> ! {
        end(call.what, &Error::Argument { what, found, works })
    };
    let (Some(operation), Some(width)) = (Amo::of(op), atomic_width(kind)) else {
        wrong("the operation", format!("{op} on type {kind}"), "operations on 16, 32 and 64 bits would work");
    };
    let is_plain = matches!(operation, Amo::Fetch | Amo::Set);
    if !is_plain && is_float(kind) || operand.is_null() && operation != Amo::Fetch {
        wrong("the operation", format!("{operation:?} on type {kind}"), "fetch, set and swap would work, with a value");
    }
    if operation == Amo::CompareSwap && compare.is_null() {
        wrong("cond", "null".to_owned(), "a value to compare with would work");
    }
    if !(dest as usize).is_multiple_of(width) {
        wrong("dest", format!("{:#x}", dest as usize), "an address that is a multiple of its type's size would work");
    }
    match call.place("dest", dest as usize, width) {
        Place::Local(at) if call.by_processor() => {
            match width {
                2 => carry_out!(AtomicU16, u16, operation, at, operand, compare, result),
                4 => carry_out!(AtomicU32, u32, operation, at, operand, compare, result),
                _ => carry_out!(AtomicU64, u64, operation, at, operand, compare, result),
            }
            if operation != Amo::Fetch {
                call.ring();
            }
        }
        _ => {
            let number = |value: *const c_void| {
                if value.is_null() {
                    return 0;
                }
                // SAFETY: values are of the type, as the caller promises.
                unsafe {
                    match width {
                        2 => u64::from(value.cast::<u16>().read_unaligned()),
                        4 => u64::from(value.cast::<u32>().read_unaligned()),
                        _ => value.cast::<u64>().read_unaligned(),
                    }
                }
            };
            let (operands, result) = ([number(operand), number(compare)], result.cast::<u8>());
            let Some(width) = Width::of(width) else { wrong("the type", kind.to_string(), "16, 32 and 64 bits") };
            let (of, place) = ((operation.remote(), width), (dest as usize, call.world));
            // SAFETY: the result is null or of the type, as the caller promises.
            call.by_nic(|remote| unsafe {
                match over {
                    AtomicCompletion::Handle(handle) => {
                        let begun = remote.begin_amo(call.what, of, place, operands, result)?;
                        let number = call.runtime.remote.as_ref().map_or(0, |all| all.handles.keep(begun));
                        *handle = ptr::without_provenance_mut(number);
                        Ok(())
                    }
                    AtomicCompletion::Now => remote.amo(call.what, of, place, operands, result, false),
                    AtomicCompletion::AtQuiet => remote.amo(call.what, of, place, operands, result, true),
                }
            });
            if operation != Amo::Fetch {
                call.ring();
            }
        }
    }
}

/// `SHMEM_SIGNAL_SET` and `SHMEM_SIGNAL_ADD`, as `include/philae/shmem_core.h` numbers them.
const SIGNAL_SET: c_int = 0;
const SIGNAL_ADD: c_int = 1;

/// `shmem_put_signal` and its family.
///
/// # Safety
/// As [`philae_shmem_put`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_put_signal(
    what: *const c_char,
    ctx: *const Ctx,
    dest: *mut c_void,
    source: *const c_void,
    count: usize,
    element_bytes: usize,
    sig_addr: *mut u64,
    signal: u64,
    sig_op: c_int,
    pe: c_int,
    flags: c_uint,
) {
    // SAFETY: as the caller promises.
    let call = unsafe { Call::new(what, ctx, pe, true) };
    if sig_op != SIGNAL_SET && sig_op != SIGNAL_ADD {
        let works = "SHMEM_SIGNAL_SET and SHMEM_SIGNAL_ADD would work";
        end(call.what, &Error::Argument { what: "sig_op", found: sig_op.to_string(), works });
    }
    if !(sig_addr as usize).is_multiple_of(8) {
        let found = format!("{:#x}", sig_addr as usize);
        end(call.what, &Error::Argument { what: "sig_addr", found, works: "a multiple of 8 would work" });
    }
    let bytes = call.product("dest", dest as usize, count, element_bytes);
    let data = (bytes > 0).then(|| call.place("dest", dest as usize, bytes));
    match (data, call.place("sig_addr", sig_addr as usize, 8)) {
        (data @ (None | Some(Place::Local(_))), Place::Local(at)) if call.by_processor() => {
            if let Some(Place::Local(to)) = data {
                // SAFETY: the place is mapped; the caller promises the source.
                unsafe { ptr::copy(source.cast::<u8>(), to, bytes) };
            }
            // SAFETY: the place is mapped and aligned.
            let word = unsafe { AtomicU64::from_ptr(at.cast()) };
            // After the data, so that a PE that sees the signal sees the data.
            match sig_op {
                SIGNAL_SET => word.store(signal, Ordering::SeqCst),
                _ => _ = word.fetch_add(signal, Ordering::SeqCst),
            }
            call.ring();
        }
        (data, _) => {
            let kind = if sig_op == SIGNAL_SET { SignalOperation::Set } else { SignalOperation::Add };
            let mut sent = bytes;
            if let Some(Place::Local(to)) = data {
                // SAFETY: the place is mapped; the caller promises the source.
                unsafe { ptr::copy(source.cast::<u8>(), to, bytes) };
                // Before the signal, whichever path that takes.
                fence(Ordering::SeqCst);
                sent = 0;
            }
            let data = (dest as usize, source.cast::<u8>(), sent);
            let signal = (sig_addr as usize, signal, kind);
            // SAFETY: the caller promises the source.
            call.by_nic(|remote| unsafe { remote.put_signal(call.what, data, signal, call.world, flags & NBI != 0) });
            call.ring();
        }
    }
}

/// Completes the operations of the default context: the first half of a barrier.
pub(crate) fn complete(runtime: &Runtime, what: &'static str) {
    flush(runtime, &runtime.objects.context, what, Guarantee::Quiet);
}

/// Flushes. Operations on PEs of this host are complete and ordered when their calls return; the
/// rest is the NIC's part.
fn flush(runtime: &Runtime, context: &ShmemContext, what: &'static str, guarantee: Guarantee<'_>) {
    context.permit(runtime.modes.debug, what, false);
    fence(Ordering::SeqCst);
    remote::flush(runtime, context, what, guarantee);
}

/// Does nothing on `SHMEM_CTX_INVALID`, as OpenSHMEM 1.6 says of `shmem_quiet` and `shmem_fence`.
///
/// # Safety
/// `what` is a C string that stays valid; `ctx` is null or was made by this library.
unsafe fn flush_handle(what: *const c_char, ctx: *const Ctx, guarantee: Guarantee<'_>) {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let runtime = check(what);
    if crate::ctx::is_invalid(ctx) {
        return;
    }
    // SAFETY: as the caller promises.
    flush(runtime, unsafe { context(what, ctx) }, what, guarantee);
}

/// `shmem_fence`.
///
/// # Safety
/// `what` is a C string that stays valid; `ctx` is null or was made by this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_fence(what: *const c_char, ctx: *const Ctx) {
    // SAFETY: as the caller promises.
    unsafe { flush_handle(what, ctx, Guarantee::Fence) };
}

/// `shmem_quiet`.
///
/// # Safety
/// As [`philae_shmem_fence`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_quiet(what: *const c_char, ctx: *const Ctx) {
    // SAFETY: as the caller promises.
    unsafe { flush_handle(what, ctx, Guarantee::Quiet) };
}

/// `shmem_pe_quiet`.
///
/// # Safety
/// As [`philae_shmem_fence`]; `pes` has `n` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_pe_quiet(what: *const c_char, ctx: *const Ctx, pes: *const c_int, n: usize) {
    if crate::ctx::is_invalid(ctx) {
        // SAFETY: as the caller promises.
        let _ = check(unsafe { name(what) });
        return;
    }
    // SAFETY: as the caller promises. Every entry is checked, because a nonexistent PE is an error.
    let world = |place| unsafe { Call::new(what, ctx, *pes.add(place), false) }.world;
    let pes: Vec<u32> = (0..n).map(world).collect();
    // SAFETY: as the caller promises.
    unsafe { flush_handle(what, ctx, Guarantee::PeQuiet(&pes)) };
}

/// `shmemx_local_complete`: waits until the sources of all operations may be reused.
///
/// # Safety
/// As [`philae_shmem_fence`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_local_complete(what: *const c_char, ctx: *const Ctx) {
    // SAFETY: as the caller promises.
    unsafe { flush_handle(what, ctx, Guarantee::Local) };
}

/// `shmem_pe_accessible`.
///
/// # Safety
/// `what` is a C string that stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_pe_accessible(what: *const c_char, pe: c_int) -> c_int {
    // SAFETY: as the caller promises.
    let runtime = check(unsafe { name(what) });
    c_int::from(u32::try_from(pe).is_ok_and(|pe| pe < runtime.n_pes))
}

/// `shmem_addr_accessible`.
///
/// # Safety
/// `what` is a C string that stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_addr_accessible(what: *const c_char, addr: *const c_void, pe: c_int) -> c_int {
    // SAFETY: as the caller promises.
    let runtime = check(unsafe { name(what) });
    let is_there = u32::try_from(pe).is_ok_and(|pe| pe < runtime.n_pes);
    let (memory, address) = (&runtime.memory, addr as usize);
    c_int::from(is_there && (memory.heap.contains(&address) || memory.data.contains(&address)))
}

/// `shmem_ptr` and `shmem_team_ptr`: where an object of a PE lies in this process; null if it is
/// not mapped.
///
/// # Safety
/// `what` is a C string that stays valid; `team` is null or was made by this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_ptr(
    what: *const c_char,
    team: *const TeamHandle,
    dest: *const c_void,
    pe: c_int,
) -> *mut c_void {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let runtime = check(what);
    if team.is_null() {
        return ptr::null_mut();
    }
    // SAFETY: as the caller promises.
    let team = unsafe { crate::team::team(what, team) };
    let Some(window) = u32::try_from(pe).ok().and_then(|pe| team.windows.get(pe as usize)) else {
        end(what, &Error::NoSuchPe { pe, among: "the team", last: team.members.len() - 1 });
    };
    let (memory, address) = (&runtime.memory, dest as usize);
    let offset = if memory.heap.contains(&address) {
        window.heap
    } else if memory.data.contains(&address) {
        window.data
    } else {
        REMOTE
    };
    if offset == REMOTE { ptr::null_mut() } else { address.wrapping_add_signed(offset) as *mut c_void }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_reach_as_far_as_their_strides_say() {
        let of = |block, blocks, stride| {
            Blocks { dest_stride: stride, source_stride: 1, block, blocks, element_bytes: 4 }.extent(stride)
        };
        assert_eq!(of(1, 1, 1), Some((0, 4)));
        assert_eq!(of(2, 3, 5), Some((0, 2 * 5 * 4 + 8)));
        assert_eq!(of(2, 3, -5), Some((2 * 5 * 4, 8)));
        assert_eq!(of(1, usize::MAX, isize::MAX), None);
    }

    #[test]
    fn blocks_are_copied_to_their_places() {
        let from: Vec<u16> = (0..20).collect();
        let mut to = [99u16; 20];
        let blocks = Blocks { dest_stride: 4, source_stride: 3, block: 2, blocks: 4, element_bytes: 2 };
        // SAFETY: both arrays are long enough.
        unsafe { blocks.copy(to.as_mut_ptr().cast(), from.as_ptr().cast()) };
        assert_eq!(to[..15], [0, 1, 99, 99, 3, 4, 99, 99, 6, 7, 99, 99, 9, 10, 99]);
    }

    #[test]
    fn types_have_the_widths_that_c_numbers() {
        assert_eq!([1, 2, 3, 5, 6, 7, 8, 9].map(atomic_width), [2, 4, 8, 2, 4, 8, 4, 8].map(Some));
        assert_eq!([-1, 0, 4, 10, 12].map(atomic_width), [None; 5]);
        assert_eq!((Amo::of(0), Amo::of(6), Amo::of(7), Amo::of(-1)), (Some(Amo::Fetch), Some(Amo::Xor), None, None));
    }
}
