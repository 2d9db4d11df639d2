//! Completion queues, as C reads them: `fi_cq(3)`.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use philae_fi_sys::*;
use philae_nic_core::nic::ReturnCode;

use super::deferred::begin_due;
use super::objects::QueueObject;
use crate::abi::{self, Errno};
use crate::completion::OperationResult;
use crate::completion_queue::FiCompletionQueue;
use crate::open_domain::OpenDomain;
use crate::simulated::rank::{self, FoundReceives, Pause};
use crate::wait::Waiter;
use crate::watcher::Watcher;

static FID_OPS: fi_ops = fi_ops::of::<QueueObject>();
static OPS: fi_ops_cq = fi_ops_cq::of::<QueueObject>();

/// `fi_cq_open`.
///
/// # Safety
/// The attributes are valid or null; there is room for the queue's address.
pub(super) unsafe fn open(
    domain: &Arc<OpenDomain>,
    attr: *mut fi_cq_attr,
    cq: *mut *mut fid_cq,
    context: *mut c_void,
) -> Result<c_int, Errno> {
    // SAFETY: as the caller promises.
    let attr = unsafe { attr.as_mut() };
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
    let size = if size == 0 { domain.settings.sizes.queue } else { size };
    let queue = Arc::new(FiCompletionQueue::new(size, format, watcher));
    domain.users.fetch_add(1, Ordering::Relaxed);
    let fid = fid_cq { fid: abi::head::<QueueObject>(context, &FID_OPS), ops: abi::table(&OPS) };
    abi::give_out(QueueObject { fid, queue, domain: Arc::clone(domain) }, cq)
}

impl ObjectCalls for QueueObject {
    fn may_close(&self) -> Result<(), Errno> {
        abi::check_unused(&self.queue.users)
    }

    fn close(self: Box<Self>) {
        self.domain.users.fetch_sub(1, Ordering::Relaxed);
    }

    unsafe fn control(&self, command: u32, arg: *mut c_void) -> Result<(), Errno> {
        let file = self.queue.file().ok_or(libc::ENODATA)?;
        match command {
            // SAFETY: the argument of this command is room for a file descriptor.
            FI_GETWAIT => unsafe { *arg.cast::<c_int>() = file },
            // SAFETY: the argument of this command is room for the kind of object.
            FI_GETWAITOBJ => unsafe { *arg.cast::<u32>() = FI_WAIT_FD },
            _ => return Err(libc::ENOSYS),
        }
        Ok(())
    }
}

impl QueueObject {
    /// One poll, into C's memory.
    ///
    /// # Safety
    /// `buffer` has room for `count` entries of the queue's format, and `sources` for as many
    /// sources, or is null.
    unsafe fn poll(&self, buffer: *mut c_void, count: usize, sources: *mut fi_addr_t) -> Result<isize, Errno> {
        let format = self.queue.format;
        let (mut receives, copied_max) = (FoundReceives::default(), rank::copied_max());
        let put = |index: usize, completion: &OperationResult| {
            if completion.flags & FI_RECV != 0 {
                receives.add(completion.length, copied_max);
            }
            // SAFETY: as the caller promises; the formats begin in the same way.
            unsafe {
                write(format, buffer, index, completion);
                if !sources.is_null() {
                    *sources.add(index) = completion.source;
                }
            }
        };
        let polled = self.queue.poll(count, put);
        let is_fruitless = |found| found == Err(FI_EAVAIL) && self.queue.has_fruitless_look();
        if polled != Ok(0) && rank::is_joined() && !is_fruitless(polled) {
            rank::found(receives);
        }
        match polled? {
            0 => Err(libc::EAGAIN),
            taken => Ok(taken as isize),
        }
    }

    /// Polls until there are entries, or the time is over, or a thread signals.
    ///
    /// # Safety
    /// As [`poll`](Self::poll).
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
            let answer = unsafe { self.poll(buffer, count, sources) };
            if answer != Err(libc::EAGAIN) {
                call.found_nothing(&answer);
                return answer;
            }
            if self.queue.take_signal() {
                return Err(libc::EAGAIN);
            }
            begin_due(&self.domain.deferred);
            self.queue.pause(&mut waiter).map_err(|_| libc::EAGAIN)?;
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

impl CompletionQueueCalls for QueueObject {
    #[inline]
    unsafe fn read(&self, buffer: *mut c_void, count: usize) -> Result<isize, Errno> {
        // SAFETY: as for `readfrom`.
        unsafe { self.readfrom(buffer, count, std::ptr::null_mut()) }
    }

    #[inline]
    unsafe fn readfrom(&self, buffer: *mut c_void, count: usize, sources: *mut fi_addr_t) -> Result<isize, Errno> {
        let call = crate::trace::enter();
        // Reading zero entries lets the endpoints make progress.
        if count == 0 {
            self.queue.progress();
            if rank::is_joined() {
                rank::found_nothing(Pause::Polls { is_awaited: self.queue.is_awaited() }, &self.queue.mark);
                self.queue.progress();
            }
            return Ok(0);
        }
        // SAFETY: C passes room for the requested entries.
        let mut answer = unsafe { self.poll(buffer, count, sources) };
        if answer == Err(libc::EAGAIN) && rank::is_joined() {
            begin_due(&self.domain.deferred);
            rank::found_nothing(Pause::Polls { is_awaited: self.queue.is_awaited() }, &self.queue.mark);
            // SAFETY: as above.
            answer = unsafe { self.poll(buffer, count, sources) };
        } else if answer == Err(libc::EAGAIN) {
            begin_due(&self.domain.deferred);
            self.queue.found_nothing(self.domain.settings.waiting.spin_ns);
        } else {
            self.queue.found();
        }
        call.found_nothing(&answer);
        answer
    }

    unsafe fn readerr(&self, entry: *mut fi_cq_err_entry, _: u64) -> Result<isize, Errno> {
        // SAFETY: C passes room for an entry.
        let entry = unsafe { entry.as_mut() }.ok_or(libc::EINVAL)?;
        let completion = self.queue.take_error().ok_or(libc::EAGAIN)?;
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
    }

    unsafe fn sread(
        &self,
        buffer: *mut c_void,
        count: usize,
        _: *const c_void,
        timeout: c_int,
    ) -> Result<isize, Errno> {
        // SAFETY: C passes room for the requested entries.
        unsafe { self.wait(buffer, count, std::ptr::null_mut(), timeout) }
    }

    unsafe fn sreadfrom(
        &self,
        buffer: *mut c_void,
        count: usize,
        sources: *mut fi_addr_t,
        _: *const c_void,
        timeout: c_int,
    ) -> Result<isize, Errno> {
        // SAFETY: as above.
        unsafe { self.wait(buffer, count, sources, timeout) }
    }

    unsafe fn signal(&self) -> Result<c_int, Errno> {
        self.queue.signal();
        Ok(0)
    }

    unsafe fn strerror(
        &self,
        code: c_int,
        _: *const c_void,
        buffer: *mut c_char,
        length: usize,
    ) -> Result<*const c_char, Errno> {
        let text = text_of(code);
        if buffer.is_null() || length == 0 {
            return Ok(text.as_ptr());
        }
        let bytes = text.to_bytes_with_nul();
        let fits = bytes.len().min(length);
        // SAFETY: C passes room of that length.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr().cast(), buffer, fits);
            *buffer.add(fits - 1) = 0;
        }
        Ok(buffer)
    }
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
