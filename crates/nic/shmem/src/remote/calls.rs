//! What the library's calls need of the path through a NIC, by context. Errors end the job.

use std::sync::atomic::Ordering;

use super::atomic::{AmoEffect, Width};
use super::context::RemoteContext;
use super::error::RemoteError;
use super::network::{Bootstrap, RemoteNetwork};
use super::rule::AtomicsBy;
use crate::ctx::ShmemContext;
use crate::ending::end;
use crate::error::Error;
use crate::job::ShmemJob;
use crate::local::atomics::LocalAtomics;
use crate::local::lock::Atomics;
use crate::runtime::Runtime;

/// Exchanges the addresses of NICs between PEs by means of the job.
pub(crate) struct Introduced<'j> {
    pub job: &'j ShmemJob,
    /// By PE: the first PE of its host.
    pub hosts: &'j [u32],
}

impl Bootstrap for Introduced<'_> {
    fn place(&self) -> (u32, u32) {
        (self.job.me, self.job.n_pes)
    }

    fn on_host(&self) -> (u32, u32) {
        let me = self.job.me as usize;
        let of_host = |hosts: &[u32]| hosts.iter().filter(|&&first| first == self.hosts[me]).count() as u32;
        (of_host(&self.hosts[..me]), of_host(self.hosts))
    }

    fn exchange(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        self.job.exchange(own).map_err(|error| error.to_string())
    }
}

/// Runs `work` with the NIC side of a context; ends the job if that fails or if there is no NIC.
pub(crate) fn by_nic<T>(
    runtime: &Runtime,
    context: &ShmemContext,
    what: &'static str,
    work: impl FnOnce(&RemoteContext) -> Result<T, RemoteError>,
) -> T {
    let Some(remote) = &runtime.remote else { end(what, &Error::Remote("there is no path through a NIC".to_owned())) };
    let done = match &context.remote {
        Some(own) => work(own),
        None => remote.with_own(work),
    };
    // Only after the operation has begun: otherwise another thread's quiet that ends in between
    // would count it as ended. SAFETY: handles live as long as the process, and consist of atomics.
    let pending = &unsafe { context.handle.as_ref() }.remote_pending;
    if pending.fetch_add(1, Ordering::AcqRel) == u32::MAX {
        pending.store(1, Ordering::Release);
    }
    done.unwrap_or_else(|error| end(what, &error.into()))
}

/// Whether the processor carries out a context's atomic operations on PEs of this host. Either the
/// rule says so, or the session says that no other operations change their targets.
pub(crate) fn by_processor(runtime: &Runtime, context: &ShmemContext) -> bool {
    let is_alone = |remote: &RemoteNetwork| match &context.remote {
        Some(own) => own.session().is_alone(),
        None => remote.with_own(|own| own.session().is_alone()),
    };
    runtime.atomics.by == AtomicsBy::Processor || runtime.remote.as_ref().is_some_and(is_alone)
}

/// The guarantee that a quiet, a fence or a similar call gives.
#[derive(Clone, Copy)]
pub(crate) enum Guarantee<'p> {
    /// All operations are complete in memory.
    Quiet,
    /// Operations on these PEs of the world are complete in memory.
    PeQuiet(&'p [u32]),
    /// Earlier operations take effect before later ones.
    Fence,
    /// Sources may be used again.
    Local,
}

/// Flushes, if the context has used a NIC.
pub(crate) fn flush(runtime: &Runtime, context: &ShmemContext, what: &'static str, guarantee: Guarantee<'_>) {
    let Some(remote) = &runtime.remote else { return };
    // SAFETY: as above.
    let pending = &unsafe { context.handle.as_ref() }.remote_pending;
    let seen = pending.load(Ordering::Acquire);
    if seen == 0 {
        return;
    }
    // If the NIC changes memory that PEs also reach directly, its own ordering says nothing about
    // operations before a later store to a PE of this host.
    let has_two_paths = runtime.atomics.by == AtomicsBy::Nic;
    let done = match (&context.remote, guarantee) {
        (Some(own), Guarantee::Fence) if has_two_paths => own.fence_of_two_paths(),
        (None, Guarantee::Fence) if has_two_paths => remote.each_default(RemoteContext::fence_of_two_paths),
        (Some(own), Guarantee::Quiet) => own.quiet(),
        (None, Guarantee::Quiet) => remote.quiet_default(),
        (Some(own), Guarantee::Fence) => own.fence(),
        (None, Guarantee::Fence) => remote.fence_default(),
        (Some(own), Guarantee::PeQuiet(pes)) => own.pe_quiet(pes),
        (None, Guarantee::PeQuiet(pes)) => remote.pe_quiet_default(pes),
        (Some(own), Guarantee::Local) => own.local_complete(),
        (None, Guarantee::Local) => remote.with_own(RemoteContext::local_complete),
    };
    if let Err(error) = done {
        end(what, &error.into());
    }
    // Only when all operations have ended, so that no other thread skips operations still in
    // flight. Operations that began meanwhile stay pending.
    if let Guarantee::Quiet = guarantee {
        let _ = pending.compare_exchange(seen, 0, Ordering::AcqRel, Ordering::Relaxed);
    }
}

/// Atomic operations on PEs of every host, for locks: the processor's if the rule permits,
/// otherwise the NIC's.
pub(crate) struct AnyAtomics<'r> {
    runtime: &'r Runtime,
    local: LocalAtomics<'r>,
}

impl<'r> AnyAtomics<'r> {
    /// `local` are the processor's, on PEs of this host.
    pub const fn new(runtime: &'r Runtime, local: LocalAtomics<'r>) -> Self {
        Self { runtime, local }
    }

    /// Runs `work` through the NIC; `None` if the processor does it.
    fn by_nic(
        &self,
        pe: u32,
        work: impl FnOnce(&RemoteContext) -> Result<u32, RemoteError>,
    ) -> Option<Result<u32, Error>> {
        let remote = self.runtime.remote.as_ref()?;
        if self.runtime.is_local(pe) && self.runtime.atomics.by == AtomicsBy::Processor {
            return None;
        }
        Some(remote.locks().and_then(work).map_err(Error::from))
    }
}

impl Atomics for AnyAtomics<'_> {
    fn swap(&self, pe: u32, address: usize, value: u32) -> Result<u32, Error> {
        let swap = |remote: &RemoteContext| remote.word("shmem_lock", AmoEffect::Set, address, [value, 0], pe);
        self.by_nic(pe, swap).unwrap_or_else(|| self.local.swap(pe, address, value))
    }

    fn compare_swap(&self, pe: u32, address: usize, expected: u32, value: u32) -> Result<u32, Error> {
        let swap =
            |remote: &RemoteContext| remote.word("shmem_lock", AmoEffect::CompareSwap, address, [value, expected], pe);
        self.by_nic(pe, swap).unwrap_or_else(|| self.local.compare_swap(pe, address, expected, value))
    }

    fn add(&self, pe: u32, address: usize, value: u32) -> Result<(), Error> {
        let add = |remote: &RemoteContext| remote.word("shmem_lock", AmoEffect::Add, address, [value, 0], pe);
        match self.by_nic(pe, add) {
            Some(done) => done.map(drop),
            None => self.local.add(pe, address, value),
        }
    }
}

impl RemoteContext {
    /// Changes a number of 4 bytes, and returns the old value.
    fn word(
        &self,
        what: &'static str,
        amo: AmoEffect,
        address: usize,
        operands: [u32; 2],
        pe: u32,
    ) -> Result<u32, RemoteError> {
        let mut result = 0_u32;
        let operands = operands.map(u64::from);
        // SAFETY: there is room for the number, and the call waits for it.
        unsafe { self.amo(what, (amo, Width::Four), (address, pe), operands, (&raw mut result).cast(), false)? };
        Ok(result)
    }
}

impl RemoteNetwork {
    /// An endpoint for the library's own operations, so that no other operations delay them.
    ///
    /// # Errors
    /// The provider has no further endpoint.
    pub(crate) fn locks(&self) -> Result<&RemoteContext, RemoteError> {
        if let Some(own) = self.own_work.get() {
            return Ok(own);
        }
        let made = self.context()?;
        Ok(self.own_work.get_or_init(|| made))
    }
}
