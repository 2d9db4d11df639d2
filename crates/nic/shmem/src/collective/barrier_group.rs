//! Barrier groups: the members of a collective and how they wait for each other. Every algorithm
//! here builds on them.

use crate::error::Error;

use super::membership::Membership;
use super::remote::RemoteTransport;

/// A barrier group: a team with its slot in the collective area, or an active set with the
/// program's `pSync`.
///
/// All members call the same methods in the same order.
pub trait BarrierGroup {
    fn membership(&self) -> &Membership;

    /// The transport to other hosts.
    ///
    /// # Errors
    /// This PE has no transport to other hosts.
    fn remote(&self) -> Result<&dyn RemoteTransport, Error>;

    /// Waits until all members of this host have arrived.
    ///
    /// # Errors
    /// A PE of the job has died.
    fn local_sync(&mut self) -> Result<(), Error>;

    /// The leader waits until all members of this host have arrived; the others continue.
    /// [`BarrierGroup::local_release`] follows.
    ///
    /// # Errors
    /// A PE of the job has died.
    fn local_gather(&mut self) -> Result<(), Error>;

    /// The others wait until the leader has arrived as well.
    ///
    /// # Errors
    /// A PE of the job has died.
    fn local_release(&mut self) -> Result<(), Error>;

    /// Leaders wait until all leaders have arrived. Only leaders call it.
    ///
    /// # Errors
    /// A PE of the job has died, or the NIC reports an error.
    fn leaders_sync(&mut self) -> Result<(), Error>;

    /// A word of this PE's symmetric memory, for a number that the other members read after the
    /// next sync.
    fn board(&self) -> usize;

    /// Waits until all members have arrived.
    ///
    /// # Errors
    /// A PE of the job has died, or the NIC reports an error.
    fn sync(&mut self) -> Result<(), Error> {
        if self.membership().is_local() {
            return self.local_sync();
        }
        self.local_gather()?;
        if self.membership().leads() {
            self.leaders_sync()?;
        }
        self.local_release()
    }

    /// Waits until everything that this PE began through [`fetch`] and [`deliver`] is done.
    ///
    /// # Errors
    /// A PE of the job has died, or the NIC reports an error.
    fn quiet(&self) -> Result<(), Error> {
        if self.membership().is_local() { Ok(()) } else { self.remote()?.quiet() }
    }
}

/// Copies from the symmetric address `source` of `rank` to `target`. From another host, the bytes
/// are at `target` after `quiet`.
///
/// # Safety
/// `source` is symmetric with `bytes` bytes, `target` has room for them, and neither changes during
/// the copy.
///
/// # Errors
/// The NIC reports an error.
pub unsafe fn fetch(
    barrier_group: &dyn BarrierGroup,
    rank: usize,
    target: *mut u8,
    source: usize,
    bytes: usize,
) -> Result<(), Error> {
    let membership = barrier_group.membership();
    if bytes == 0 {
        return Ok(());
    }
    if !membership.has_local(rank) {
        // SAFETY: as the caller promises.
        return unsafe { barrier_group.remote()?.get(membership.pe(rank), target, source, bytes) };
    }
    // SAFETY: as the caller promises.
    unsafe { std::ptr::copy(membership.at(rank, source).cast_const(), target, bytes) };
    Ok(())
}

/// Copies `source` to the symmetric address `target` of `rank`. On another host, the bytes are at
/// `target` after `quiet`.
///
/// # Safety
/// As for [`fetch`].
///
/// # Errors
/// The NIC reports an error.
pub unsafe fn deliver(
    barrier_group: &dyn BarrierGroup,
    rank: usize,
    target: usize,
    source: *const u8,
    bytes: usize,
) -> Result<(), Error> {
    let membership = barrier_group.membership();
    if bytes == 0 {
        return Ok(());
    }
    if !membership.has_local(rank) {
        // SAFETY: as the caller promises.
        return unsafe { barrier_group.remote()?.put(membership.pe(rank), target, source, bytes) };
    }
    // SAFETY: as the caller promises.
    unsafe { std::ptr::copy(source, membership.at(rank, target), bytes) };
    Ok(())
}
