//! Barrier groups: the members of a collective and how they wait for each other. Every algorithm
//! here builds on them.

use crate::error::Error;

use super::far::FarTransport;
use super::roll::Roll;

/// A barrier group: a team with its slot in the collective area, or an active set with the
/// program's `pSync`.
///
/// All members call the same methods in the same order.
pub trait Meeting {
    /// The membership.
    fn roll(&self) -> &Roll;

    /// The transport to other hosts.
    ///
    /// # Errors
    /// This PE has no transport to other hosts.
    fn far(&self) -> Result<&dyn FarTransport, Error>;

    /// Waits until all members of this host have arrived.
    ///
    /// # Errors
    /// A PE of the job has died.
    fn near_sync(&mut self) -> Result<(), Error>;

    /// The leader waits until all members of this host have arrived; the others continue.
    /// [`Meeting::near_release`] follows.
    ///
    /// # Errors
    /// A PE of the job has died.
    fn near_gather(&mut self) -> Result<(), Error>;

    /// The others wait until the leader has arrived as well.
    ///
    /// # Errors
    /// A PE of the job has died.
    fn near_release(&mut self) -> Result<(), Error>;

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
        if self.roll().is_near() {
            return self.near_sync();
        }
        self.near_gather()?;
        if self.roll().leads() {
            self.leaders_sync()?;
        }
        self.near_release()
    }

    /// Waits until everything that this PE began through [`fetch`] and [`deliver`] is done.
    ///
    /// # Errors
    /// A PE of the job has died, or the NIC reports an error.
    fn quiet(&self) -> Result<(), Error> {
        if self.roll().is_near() { Ok(()) } else { self.far()?.quiet() }
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
    meeting: &dyn Meeting,
    rank: usize,
    target: *mut u8,
    source: usize,
    bytes: usize,
) -> Result<(), Error> {
    let roll = meeting.roll();
    if bytes == 0 {
        return Ok(());
    }
    if !roll.has_near(rank) {
        // SAFETY: as the caller promises.
        return unsafe { meeting.far()?.get(roll.pe(rank), target, source, bytes) };
    }
    // SAFETY: as the caller promises.
    unsafe { std::ptr::copy(roll.at(rank, source).cast_const(), target, bytes) };
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
    meeting: &dyn Meeting,
    rank: usize,
    target: usize,
    source: *const u8,
    bytes: usize,
) -> Result<(), Error> {
    let roll = meeting.roll();
    if bytes == 0 {
        return Ok(());
    }
    if !roll.has_near(rank) {
        // SAFETY: as the caller promises.
        return unsafe { meeting.far()?.put(roll.pe(rank), target, source, bytes) };
    }
    // SAFETY: as the caller promises.
    unsafe { std::ptr::copy(source, roll.at(rank, target), bytes) };
    Ok(())
}
