//! An endpoint of a provider, with all objects that it needs.

use std::ffi::{CString, c_int, c_void};
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use philae_fi_sys::*;

use crate::post::MeasuredOperation;

/// How long a peer may be silent. Source: ours. Status: assumed.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// Polls without a result before the thread yields. Source: ours. Status: assumed.
const LOOKS: u32 = 2_000;
/// Operations that may be in flight; each has its own context. Source: ours. Status: assumed.
pub(crate) const CONTEXTS: usize = 256;

#[derive(Debug, thiserror::Error)]
pub enum FiClientError {
    /// libfabric is not installed.
    #[error("libfabric.so.1 cannot be opened: {0}; Debian's package libfabric1 has it")]
    NoLibrary(String),
    /// The provider does not exist, or does not support the operation.
    #[error("no provider '{provider}' for {operation}: {why}; `fi_info -l` lists those that are there")]
    NoProvider {
        /// The provider that was asked for.
        provider: String,
        operation: &'static str,
        /// libfabric's reason.
        why: String,
    },
    /// A call that failed.
    #[error("{call}: {why}")]
    Call {
        /// The function.
        call: &'static str,
        /// libfabric's reason.
        why: String,
    },
    /// The expected event did not arrive.
    #[error("nothing came within {seconds} s while waiting for {0}", seconds = PATIENCE.as_secs())]
    Silence(&'static str),
    /// The received bytes differ from those sent.
    #[error("{0} bytes came that are not those that were sent")]
    Damaged(usize),
}

fn done(library: &FiLibrary, call: &'static str, code: c_int) -> Result<(), FiClientError> {
    if code >= 0 { Ok(()) } else { Err(FiClientError::Call { call, why: library.why(code) }) }
}

/// An endpoint with its own memory.
pub struct FiClient {
    libfabric: FiLibrary,
    info: *mut fi_info,
    fabric: *mut fid_fabric,
    domain: *mut fid_domain,
    vector: *mut fid_av,
    /// Completion queues for outgoing and for incoming operations.
    queues: [*mut fid_cq; 2],
    pub(crate) endpoint: *mut fid_ep,
    region: *mut fid_mr,
    /// Three parts: outgoing data, incoming data, and the target of the peer's accesses.
    memory: Vec<u8>,
    /// Bytes of each part.
    pub(crate) part: usize,
    pub(crate) contexts: Box<[fi_context2; CONTEXTS]>,
    pub(crate) next_context: usize,
    pub(crate) peer: fi_addr_t,
    /// The address and the key of the peer's memory.
    pub(crate) remote: (u64, u64),
    /// Completions so far, outgoing and incoming.
    pub(crate) ended: [u64; 2],
}

/// Index of a queue.
pub(crate) const OUT: usize = 0;
pub(crate) const IN: usize = 1;

fn missing(call: &'static str) -> FiClientError {
    FiClientError::Call { call, why: "the provider does not have it".to_owned() }
}

impl FiClient {
    /// Opens an endpoint of a provider for an operation of up to `bytes` bytes.
    ///
    /// # Errors
    /// [`FiClientError`].
    pub fn open(provider: &str, operation: MeasuredOperation, bytes: usize) -> Result<Self, FiClientError> {
        // libfabric also opens the libraries of other providers in its search for this one.
        let _handlers = SignalHandlers::keep();
        let library = FiLibrary::open().map_err(FiClientError::NoLibrary)?;
        let info = find_info(&library, provider, operation)?;
        let part = bytes.next_multiple_of(4_096);
        let mut client = Self {
            libfabric: library,
            info,
            fabric: null_mut(),
            domain: null_mut(),
            vector: null_mut(),
            queues: [null_mut(); 2],
            endpoint: null_mut(),
            region: null_mut(),
            memory: vec![0; 3 * part],
            part,
            contexts: Box::new([fi_context2 { internal: [null_mut(); 8] }; CONTEXTS]),
            next_context: 0,
            peer: 0,
            remote: (0, 0),
            ended: [0; 2],
        };
        client.build()?;
        Ok(client)
    }

    fn build(&mut self) -> Result<(), FiClientError> {
        let library = self.libfabric;
        // SAFETY: each object is made by the one before it, through that object's table. Each
        // result is checked before its object is used. `drop` closes all of them.
        unsafe {
            let info = &mut *self.info;
            done(&library, "fi_fabric", (library.fabric)(info.fabric_attr, &raw mut self.fabric, null_mut()))?;
            let open = (*(*self.fabric).ops).domain.ok_or(missing("fi_domain"))?;
            done(&library, "fi_domain", open(self.fabric, self.info, &raw mut self.domain, null_mut()))?;
            let table = &*(*self.domain).ops;
            let mut attr: fi_av_attr = std::mem::zeroed();
            attr.r#type = FI_AV_UNSPEC;
            let open = table.av_open.ok_or(missing("fi_av_open"))?;
            done(&library, "fi_av_open", open(self.domain, &raw mut attr, &raw mut self.vector, null_mut()))?;
            let open = table.cq_open.ok_or(missing("fi_cq_open"))?;
            for queue in &mut self.queues {
                let mut attr: fi_cq_attr = std::mem::zeroed();
                (attr.size, attr.format, attr.wait_obj) = (1_024, FI_CQ_FORMAT_CONTEXT, FI_WAIT_NONE);
                done(&library, "fi_cq_open", open(self.domain, &raw mut attr, &raw mut *queue, null_mut()))?;
            }
            let open = table.endpoint.ok_or(missing("fi_endpoint"))?;
            done(&library, "fi_endpoint", open(self.domain, self.info, &raw mut self.endpoint, null_mut()))?;
            let own = &raw mut (*self.endpoint).fid;
            let bind = (*(*own).ops).bind.ok_or(missing("fi_ep_bind"))?;
            done(&library, "fi_ep_bind", bind(own, &raw mut (*self.vector).fid, 0))?;
            // `FI_TRANSMIT` is `FI_SEND`.
            for (queue, flags) in self.queues.into_iter().zip([FI_SEND, FI_RECV]) {
                done(&library, "fi_ep_bind", bind(own, &raw mut (*queue).fid, flags))?;
            }
            let control = (*(*own).ops).control.ok_or(missing("fi_enable"))?;
            done(&library, "fi_enable", control(own, FI_ENABLE as c_int, null_mut()))?;
            self.register()
        }
    }

    /// Registers the memory: for accesses of the peer, and for providers that require registration
    /// of every buffer.
    ///
    /// # Safety
    /// Domain and endpoint exist.
    unsafe fn register(&mut self) -> Result<(), FiClientError> {
        let library = self.libfabric;
        // SAFETY: as the caller guarantees; the memory does not move until the region is closed.
        unsafe {
            let mode = (*(*self.info).domain_attr).mr_mode;
            let asks = (*self.info).caps & (FI_RMA | FI_ATOMIC) != 0 || mode & FI_MR_LOCAL != 0;
            if !asks {
                return Ok(());
            }
            let table = &*(*self.domain).mr;
            let register = table.reg.ok_or(missing("fi_mr_reg"))?;
            let rights = FI_SEND | FI_RECV | FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE;
            let (begin, bytes) = (self.memory.as_ptr().cast(), self.memory.len());
            let domain = &raw mut (*self.domain).fid;
            let code = register(domain, begin, bytes, rights, 0, 7, 0, &raw mut self.region, null_mut());
            done(&library, "fi_mr_reg", code)?;
            if mode & FI_MR_ENDPOINT != 0 {
                let own = &raw mut (*self.region).fid;
                let bind = (*(*own).ops).bind.ok_or(missing("fi_mr_bind"))?;
                done(&library, "fi_mr_bind", bind(own, &raw mut (*self.endpoint).fid, 0))?;
                let control = (*(*own).ops).control.ok_or(missing("fi_mr_enable"))?;
                done(&library, "fi_mr_enable", control(own, FI_ENABLE as c_int, null_mut()))?;
            }
        }
        Ok(())
    }

    /// The address of this endpoint, for its peer.
    ///
    /// # Errors
    /// The provider does not report it.
    pub fn address(&self) -> Result<Vec<u8>, FiClientError> {
        let mut bytes = vec![0; 512];
        let mut length = bytes.len();
        // SAFETY: the buffer has as much room as stated.
        unsafe {
            let get = (*(*self.endpoint).cm).getname.ok_or(missing("fi_getname"))?;
            let code = get(&raw mut (*self.endpoint).fid, bytes.as_mut_ptr().cast(), &raw mut length);
            done(&self.libfabric, "fi_getname", code)?;
        }
        bytes.truncate(length);
        Ok(bytes)
    }

    /// The address at which the peer accesses the memory, and the key.
    #[must_use]
    pub fn region(&self) -> (u64, u64) {
        if self.region.is_null() {
            return (0, 0);
        }
        // SAFETY: the region and the provider's description exist until `drop`.
        let (mode, key) = unsafe { ((*(*self.info).domain_attr).mr_mode, (*self.region).key) };
        let begin = if mode & FI_MR_VIRT_ADDR == 0 { 0 } else { self.memory.as_ptr() as u64 };
        // The third part is for the peer's accesses.
        (begin + 2 * self.part as u64, key)
    }

    /// Sets the peer: its address, and the address and key of its memory.
    ///
    /// # Errors
    /// The address is not of this provider.
    pub fn connect(&mut self, address: &[u8], region: (u64, u64)) -> Result<(), FiClientError> {
        // SAFETY: one address, of this provider's length.
        let count = unsafe {
            let insert = (*(*self.vector).ops).insert.ok_or(missing("fi_av_insert"))?;
            insert(self.vector, address.as_ptr().cast(), 1, &raw mut self.peer, 0, null_mut())
        };
        if count != 1 {
            return Err(FiClientError::Call { call: "fi_av_insert", why: self.libfabric.why(count) });
        }
        self.remote = region;
        Ok(())
    }

    /// A part of the memory, by number.
    pub(crate) fn part_at(&mut self, number: usize) -> *mut c_void {
        self.memory[number * self.part..].as_mut_ptr().cast()
    }

    /// The bytes of a part.
    pub(crate) fn bytes(&mut self, number: usize, bytes: usize) -> &mut [u8] {
        &mut self.memory[number * self.part..][..bytes]
    }

    pub(crate) fn descriptor(&self) -> *mut c_void {
        // SAFETY: the region exists until `drop`.
        if self.region.is_null() { null_mut() } else { unsafe { (*self.region).mem_desc } }
    }

    /// Starts an operation, and retries until the provider has room for it.
    pub(crate) fn begin(
        &mut self,
        call: &'static str,
        mut ask: impl FnMut(&mut Self) -> Result<isize, FiClientError>,
    ) -> Result<(), FiClientError> {
        let mut waiting: Option<Instant> = None;
        loop {
            match ask(self)? {
                0.. => return Ok(()),
                code if code == -(libc::EAGAIN as isize) => self.look()?,
                code => return Err(FiClientError::Call { call, why: self.libfabric.why(code as c_int) }),
            };
            if waiting.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
                return Err(FiClientError::Silence(call));
            }
        }
    }

    /// Polls both queues once, and returns whether there was a completion.
    pub(crate) fn look(&mut self) -> Result<bool, FiClientError> {
        let mut found = false;
        for which in [OUT, IN] {
            let mut entries = [fi_cq_entry { op_context: null_mut() }; 16];
            // SAFETY: the buffer has room for the stated number of entries of this format.
            let count = unsafe {
                let queue = self.queues[which];
                let read = (*(*queue).ops).read.ok_or(missing("fi_cq_read"))?;
                read(queue, entries.as_mut_ptr().cast(), entries.len())
            };
            match count {
                1.. => {
                    self.ended[which] += count as u64;
                    found = true;
                }
                0 => {}
                code if code == -(libc::EAGAIN as isize) => {}
                code if code == -(FI_EAVAIL as isize) => return Err(self.failure(which)),
                code => return Err(FiClientError::Call { call: "fi_cq_read", why: self.libfabric.why(code as c_int) }),
            }
        }
        Ok(found)
    }

    fn failure(&self, which: usize) -> FiClientError {
        // SAFETY: all zeros is an empty entry; the queue writes into it.
        let error = unsafe {
            let mut entry: fi_cq_err_entry = std::mem::zeroed();
            if let Some(read) = (*(*self.queues[which]).ops).readerr {
                read(self.queues[which], &raw mut entry, 0);
            }
            entry.err
        };
        FiClientError::Call { call: "an operation", why: self.libfabric.why(error) }
    }

    /// Waits until a queue has had `count` completions in total.
    pub(crate) fn wait(&mut self, which: usize, count: u64, what: &'static str) -> Result<(), FiClientError> {
        let (mut waiting, mut looks) = (None::<Instant>, 0_u32);
        while self.ended[which] < count {
            if self.look()? {
                (waiting, looks) = (None, 0);
                continue;
            }
            looks += 1;
            if looks >= LOOKS {
                looks = 0;
                std::thread::yield_now();
                if waiting.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
                    return Err(FiClientError::Silence(what));
                }
            }
        }
        Ok(())
    }
}

fn find_info(library: &FiLibrary, provider: &str, operation: MeasuredOperation) -> Result<*mut fi_info, FiClientError> {
    let refuse =
        |why: String| FiClientError::NoProvider { provider: provider.to_owned(), operation: operation.name(), why };
    let name = CString::new(provider).map_err(|_| refuse("its name has a zero in it".to_owned()))?;
    // SAFETY: libfabric allocates and frees its own objects; the name is allocated by C's `strdup`,
    // so libfabric may free it.
    unsafe {
        let hints = (library.dup_info)(null());
        let Some(asked) = hints.as_mut() else { return Err(refuse("no memory".to_owned())) };
        asked.caps = operation.capabilities();
        asked.mode = FI_CONTEXT | FI_CONTEXT2;
        (*asked.ep_attr).r#type = FI_EP_RDM;
        (*asked.domain_attr).mr_mode =
            FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
        (*asked.domain_attr).threading = FI_THREAD_DOMAIN;
        (*asked.fabric_attr).prov_name = libc::strdup(name.as_ptr());
        let mut found = null_mut();
        let code = (library.get_info)(CLIENT_VERSION, null(), null(), 0, hints, &raw mut found);
        (library.free_info)(hints);
        if code != 0 || found.is_null() {
            return Err(refuse(library.why(code)));
        }
        Ok(found)
    }
}

impl Drop for FiClient {
    fn drop(&mut self) {
        // SAFETY: each object is valid or null, and is closed once, after those that use it.
        unsafe {
            close(self.endpoint);
            close(self.region);
            self.queues.into_iter().for_each(|queue| {
                close(queue);
            });
            close(self.vector);
            close(self.domain);
            close(self.fabric);
        }
        // SAFETY: libfabric allocated it, and it is no longer used.
        unsafe { (self.libfabric.free_info)(self.info) };
    }
}
