//! Completion queues: the results of operations, in the form that their owner chose.

use std::collections::VecDeque;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock, Weak};

use philae_fi_sys::*;
use philae_nic_core::nic::ReturnCode;

use crate::abi::{self, Errno, answer_done, answer_size};
use crate::address_vector::NOT_AVAILABLE;
use crate::domain::FiDomain;
use crate::endpoint::EndpointPort;
use crate::wait::{Poller, Waiter};
use crate::watcher::Watcher;

/// The result of an operation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OperationResult {
    pub context: u64,
    pub flags: u64,
    pub length: u64,
    pub buffer: u64,
    pub data: u64,
    pub tag: u64,
    /// The sender.
    pub source: fi_addr_t,
    /// The return code.
    pub code: ReturnCode,
    /// The error number, if the code has none of its own; 0: the code's.
    pub errno: c_int,
    /// Bytes that did not fit.
    pub lost: u64,
}

impl OperationResult {
    fn errno(&self) -> c_int {
        if self.errno != 0 { self.errno } else { errno_of(self.code) }
    }

    fn is_error(&self) -> bool {
        self.errno() != 0
    }
}

/// The error number that programs get for a return code. Source: fi_errno(3), fi_cxi(7) as far as
/// it says. Status: published; assumed for the others.
pub(crate) const fn errno_of(code: ReturnCode) -> c_int {
    match code {
        ReturnCode::Ok => 0,
        ReturnCode::Undeliverable => libc::EHOSTUNREACH,
        ReturnCode::Disabled => libc::EAGAIN,
        ReturnCode::Truncated => FI_ETRUNC,
        ReturnCode::PermissionViolation => libc::EACCES,
        ReturnCode::NoMatch => FI_ENOKEY,
        ReturnCode::OutOfBounds => libc::EINVAL,
        ReturnCode::Unsupported => libc::EOPNOTSUPP,
        ReturnCode::Cancelled => libc::ECANCELED,
        ReturnCode::BadAddress => libc::EFAULT,
    }
}

/// A queue.
pub(crate) struct FiCompletionQueue {
    entries: Mutex<VecDeque<OperationResult>>,
    /// The number of entries, to be read without the lock.
    waiting: AtomicUsize,
    size: usize,
    format: u32,
    /// The endpoints that complete here.
    ports: RwLock<Vec<Weak<EndpointPort>>>,
    signalled: AtomicBool,
    poller: Poller,
    pub users: AtomicUsize,
    /// Makes a file readable when something arrives, if requested.
    watcher: Option<Watcher>,
}

impl FiCompletionQueue {
    /// A queue without a C object.
    #[cfg(test)]
    pub fn for_test() -> Self {
        Self {
            entries: Mutex::default(),
            waiting: AtomicUsize::new(0),
            size: 1_000,
            format: FI_CQ_FORMAT_TAGGED,
            ports: RwLock::default(),
            signalled: AtomicBool::new(false),
            poller: Poller::default(),
            users: AtomicUsize::new(0),
            watcher: None,
        }
    }

    /// All its entries.
    #[cfg(test)]
    pub fn all(&self) -> Vec<OperationResult> {
        self.entries.lock().expect("no panic with it").iter().copied().collect()
    }

    /// Adds a completion. A caller that may wait for room first [checks](Self::has_room).
    pub fn push(&self, completion: OperationResult) {
        let mut entries = self.entries.lock().expect("no panic with it");
        entries.push_back(completion);
        self.waiting.store(entries.len(), Ordering::Release);
    }

    /// Whether there is room for another operation's completion.
    pub fn has_room(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) < self.size
    }

    /// Adds an endpoint that completes here.
    pub fn follow(&self, port: &Arc<EndpointPort>) {
        let mut ports = self.ports.write().expect("no panic with it");
        ports.retain(|known| known.strong_count() > 0);
        if !ports.iter().any(|known| std::ptr::eq(known.as_ptr(), Arc::as_ptr(port))) {
            ports.push(Arc::downgrade(port));
        }
        if let Some(watcher) = &self.watcher {
            watcher.follow(port);
        }
    }

    fn with_ports<T>(&self, work: impl FnOnce(&[&EndpointPort]) -> T) -> T {
        let ports = self.ports.read().expect("no panic with it");
        // Usually there is one endpoint: no list is allocated for it.
        if let [port] = &ports[..] {
            let port = port.upgrade();
            return work(port.as_deref().as_slice());
        }
        let ports: Vec<Arc<EndpointPort>> = ports.iter().filter_map(Weak::upgrade).collect();
        work(&ports.iter().map(|port| &**port).collect::<Vec<_>>())
    }

    /// Lets the endpoints make progress, so that the queue has everything that has arrived.
    fn progress(&self) {
        self.with_ports(|ports| ports.iter().for_each(|port| port.progress()));
    }

    /// Passes completions up to the first error to `take`, each with its index.
    fn take(&self, count: usize, mut take: impl FnMut(usize, &OperationResult)) -> Result<usize, Errno> {
        let mut entries = self.entries.lock().expect("no panic with it");
        let mut taken = 0;
        while taken < count {
            match entries.front() {
                Some(front) if front.is_error() => {
                    if taken == 0 {
                        return Err(FI_EAVAIL);
                    }
                    break;
                }
                Some(front) => {
                    crate::trace::completed(self, front, 0);
                    take(taken, front);
                }
                None => break,
            }
            entries.pop_front();
            taken += 1;
        }
        self.waiting.store(entries.len(), Ordering::Release);
        Ok(taken)
    }

    /// One poll: takes existing entries, or those that progress brings.
    fn look(&self, count: usize, mut take: impl FnMut(usize, &OperationResult)) -> Result<usize, Errno> {
        if self.waiting.load(Ordering::Acquire) == 0 {
            self.progress();
            if self.waiting.load(Ordering::Acquire) == 0 {
                return Ok(0);
            }
        }
        self.take(count, &mut take)
    }
}

/// The object.
#[repr(C)]
pub(crate) struct CompletionQueue {
    fid: fid_cq,
    pub queue: Arc<FiCompletionQueue>,
    domain: Arc<FiDomain>,
}

static FID_OPS: fi_ops = fi_ops { close: Some(close), control: Some(control), ..fi_ops::DECLINED };
static OPS: fi_ops_cq = fi_ops_cq {
    read: Some(read),
    readfrom: Some(read_from),
    readerr: Some(read_error),
    sread: Some(sread),
    sreadfrom: Some(sread_from),
    signal: Some(signal),
    strerror: Some(error_text),
    ..fi_ops_cq::DECLINED
};

/// `fi_cq_open`.
pub(crate) unsafe extern "C" fn open(
    domain: *mut fid_domain,
    attr: *mut fi_cq_attr,
    cq: *mut *mut fid_cq,
    context: *mut c_void,
) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a domain of ours, and attributes or null.
        let (domain, attr) = unsafe { (crate::domain::of(domain), attr.as_mut()) };
        let (mut size, mut format, mut has_file) = (0, FI_CQ_FORMAT_CONTEXT, false);
        if let Some(attr) = attr {
            match attr.wait_obj {
                FI_WAIT_NONE | FI_WAIT_UNSPEC | FI_WAIT_YIELD => {}
                FI_WAIT_FD | FI_WAIT_POLLFD => has_file = true,
                _ => return Err(libc::ENOSYS),
            }
            if attr.format > FI_CQ_FORMAT_TAGGED {
                return Err(libc::ENOSYS);
            }
            if attr.format == FI_CQ_FORMAT_UNSPEC {
                attr.format = FI_CQ_FORMAT_CONTEXT;
            }
            (size, format) = (attr.size, attr.format);
        }
        let watcher = if has_file { Some(Watcher::new()?) } else { None };
        let queue = FiCompletionQueue {
            entries: Mutex::default(),
            waiting: AtomicUsize::new(0),
            size: if size == 0 { domain.settings.sizes.queue } else { size },
            format,
            ports: RwLock::default(),
            signalled: AtomicBool::new(false),
            poller: Poller::default(),
            users: AtomicUsize::new(0),
            watcher,
        };
        domain.users.fetch_add(1, Ordering::Relaxed);
        let fid = fid_cq { fid: abi::head(FI_CLASS_CQ, context, &FID_OPS), ops: abi::table(&OPS) };
        abi::give_out(CompletionQueue { fid, queue: Arc::new(queue), domain: Arc::clone(domain) }, cq)
    })
}

/// The Rust object of a C handle.
///
/// # Safety
/// The handle is one of ours.
pub(crate) unsafe fn of<'a, C>(cq: *mut C) -> &'a CompletionQueue {
    // SAFETY: as the caller promises.
    unsafe { abi::object(cq) }
}

unsafe extern "C" fn close(fid: *mut fid) -> c_int {
    answer_done(|| {
        // SAFETY: C closes an object that it was given.
        let object = unsafe { of(fid) };
        if object.queue.users.load(Ordering::Relaxed) > 0 {
            return Err(libc::EBUSY);
        }
        object.domain.users.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: it is not in use.
        drop(unsafe { abi::reclaim::<CompletionQueue, _>(fid) });
        Ok(())
    })
}

unsafe extern "C" fn control(fid: *mut fid, command: c_int, arg: *mut c_void) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a queue of ours.
        let object = unsafe { of(fid) };
        let watcher = object.queue.watcher.as_ref().ok_or(libc::ENODATA)?;
        match command as u32 {
            // SAFETY: the argument of this command is room for a file descriptor.
            FI_GETWAIT => unsafe { *arg.cast::<c_int>() = watcher.file() },
            // SAFETY: the argument of this command is room for the kind of object.
            FI_GETWAITOBJ => unsafe { *arg.cast::<u32>() = FI_WAIT_FD },
            _ => return Err(libc::ENOSYS),
        }
        Ok(())
    })
}

impl CompletionQueue {
    /// Prepares for a sleep on the file: `EAGAIN` if there are entries already.
    pub fn arm(&self) -> Result<(), Errno> {
        let watcher = self.queue.watcher.as_ref().ok_or(libc::EINVAL)?;
        watcher.arm();
        self.queue.progress();
        if self.queue.waiting.load(Ordering::Acquire) > 0 || self.queue.signalled.load(Ordering::Acquire) {
            return Err(libc::EAGAIN);
        }
        Ok(())
    }

    /// One poll, into C's memory.
    ///
    /// # Safety
    /// `buffer` has room for `count` entries of the queue's format, and `sources` for as many
    /// sources, or is null.
    unsafe fn look(&self, buffer: *mut c_void, count: usize, sources: *mut fi_addr_t) -> Result<isize, Errno> {
        let format = self.queue.format;
        let put = |index: usize, completion: &OperationResult| {
            // SAFETY: as the caller promises; the formats begin in the same way.
            unsafe {
                write(format, buffer, index, completion);
                if !sources.is_null() {
                    *sources.add(index) = completion.source;
                }
            }
        };
        match self.queue.look(count, put)? {
            0 => Err(libc::EAGAIN),
            taken => Ok(taken as isize),
        }
    }

    /// Polls until there are entries, or the time is over, or a thread signals.
    ///
    /// # Safety
    /// As [`look`](Self::look).
    unsafe fn wait(
        &self,
        buffer: *mut c_void,
        count: usize,
        sources: *mut fi_addr_t,
        timeout: c_int,
    ) -> Result<isize, Errno> {
        let call = crate::trace::enter();
        let mut waiter = Waiter::new(timeout, self.domain.settings.waiting.spin_ns);
        loop {
            // SAFETY: as the caller promises.
            let answer = unsafe { self.look(buffer, count, sources) };
            if answer != Err(libc::EAGAIN) {
                call.found_nothing(&answer);
                return answer;
            }
            if self.queue.signalled.swap(false, Ordering::AcqRel) {
                return Err(libc::EAGAIN);
            }
            self.domain.deferred.begin_due();
            self.queue.with_ports(|ports| waiter.pause_among(ports)).map_err(|_| libc::EAGAIN)?;
        }
    }
}

/// Writes a completion as entry `index` of a format.
///
/// # Safety
/// The buffer has room for it.
unsafe fn write(format: u32, buffer: *mut c_void, index: usize, completion: &OperationResult) {
    let &OperationResult { context, flags, length, buffer: address, data, tag, .. } = completion;
    let whole = fi_cq_tagged_entry {
        op_context: context as usize as *mut c_void,
        flags,
        len: length as usize,
        buf: address as usize as *mut c_void,
        data,
        tag,
    };
    let bytes = match format {
        FI_CQ_FORMAT_MSG => size_of::<fi_cq_msg_entry>(),
        FI_CQ_FORMAT_DATA => size_of::<fi_cq_data_entry>(),
        FI_CQ_FORMAT_TAGGED => size_of::<fi_cq_tagged_entry>(),
        _ => size_of::<fi_cq_entry>(),
    };
    // SAFETY: as the caller promises; each format is the beginning of the longest.
    unsafe {
        let place = buffer.cast::<u8>().add(index * bytes);
        std::ptr::copy_nonoverlapping((&raw const whole).cast::<u8>(), place, bytes);
    }
}

unsafe extern "C" fn read(cq: *mut fid_cq, buffer: *mut c_void, count: usize) -> isize {
    // SAFETY: as for `read_from`.
    unsafe { read_from(cq, buffer, count, std::ptr::null_mut()) }
}

unsafe extern "C" fn read_from(cq: *mut fid_cq, buffer: *mut c_void, count: usize, sources: *mut fi_addr_t) -> isize {
    answer_size(|| {
        let call = crate::trace::enter();
        // SAFETY: C passes a queue of ours, and room for the requested entries.
        unsafe {
            let object = of(cq);
            // Reading zero entries lets the endpoints make progress.
            if count == 0 {
                object.queue.progress();
                return Ok(0);
            }
            let answer = object.look(buffer, count, sources);
            if answer == Err(libc::EAGAIN) {
                object.domain.deferred.begin_due();
                object.queue.with_ports(|ports| {
                    object.queue.poller.found_nothing(ports, object.domain.settings.waiting.spin_ns);
                });
            } else {
                object.queue.poller.found();
            }
            call.found_nothing(&answer);
            answer
        }
    })
}

unsafe extern "C" fn sread(
    cq: *mut fid_cq,
    buffer: *mut c_void,
    count: usize,
    _: *const c_void,
    timeout: c_int,
) -> isize {
    // SAFETY: C passes a queue of ours, and room for the requested entries.
    answer_size(|| unsafe { of(cq).wait(buffer, count, std::ptr::null_mut(), timeout) })
}

unsafe extern "C" fn sread_from(
    cq: *mut fid_cq,
    buffer: *mut c_void,
    count: usize,
    sources: *mut fi_addr_t,
    _: *const c_void,
    timeout: c_int,
) -> isize {
    // SAFETY: as above.
    answer_size(|| unsafe { of(cq).wait(buffer, count, sources, timeout) })
}

unsafe extern "C" fn signal(cq: *mut fid_cq) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a queue of ours.
        let queue = &unsafe { of(cq) }.queue;
        queue.signalled.store(true, Ordering::Release);
        queue.with_ports(|ports| ports.iter().for_each(|port| port.wake()));
        if let Some(watcher) = &queue.watcher {
            watcher.ring();
        }
        Ok(())
    })
}

unsafe extern "C" fn read_error(cq: *mut fid_cq, entry: *mut fi_cq_err_entry, _: u64) -> isize {
    answer_size(|| {
        // SAFETY: C passes a queue of ours and room for an entry.
        let (queue, entry) = unsafe { (&of(cq).queue, entry.as_mut().ok_or(libc::EINVAL)?) };
        let mut entries = queue.entries.lock().expect("no panic with it");
        let Some(completion) = entries.front().copied().filter(OperationResult::is_error) else {
            return Err(libc::EAGAIN);
        };
        crate::trace::completed(&**queue, &completion, completion.errno());
        entries.pop_front();
        queue.waiting.store(entries.len(), Ordering::Release);
        entry.op_context = completion.context as usize as *mut c_void;
        entry.flags = completion.flags;
        entry.len = completion.length as usize;
        entry.buf = completion.buffer as usize as *mut c_void;
        entry.data = completion.data;
        entry.tag = completion.tag;
        entry.olen = completion.lost as usize;
        entry.err = completion.errno();
        entry.prov_errno = completion.code as c_int;
        entry.err_data_size = 0;
        Ok(1)
    })
}

unsafe extern "C" fn error_text(
    _: *mut fid_cq,
    code: c_int,
    _: *const c_void,
    buffer: *mut c_char,
    length: usize,
) -> *const c_char {
    let text = text_of(code);
    if !buffer.is_null() && length > 0 {
        let bytes = text.to_bytes_with_nul();
        let fits = bytes.len().min(length);
        // SAFETY: C passes room of that length.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr().cast(), buffer, fits);
            *buffer.add(fits - 1) = 0;
        }
        return buffer;
    }
    text.as_ptr()
}

/// The text of a return code's number; texts stay valid.
fn text_of(code: c_int) -> &'static CStr {
    use std::sync::OnceLock;
    static TEXTS: OnceLock<Vec<CString>> = OnceLock::new();
    let texts = TEXTS.get_or_init(|| {
        ReturnCode::ALL.map(|code| CString::new(code.to_string()).expect("a text without a zero")).to_vec()
    });
    usize::try_from(code).ok().and_then(|index| texts.get(index)).map_or(c"no such code", |text| text)
}

/// The source of a completion whose sender is unknown.
pub(crate) const NOBODY: fi_addr_t = NOT_AVAILABLE;
