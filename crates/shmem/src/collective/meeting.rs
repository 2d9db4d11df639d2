//! Those who take part, and how they wait for each other: what every algorithm here is made of.

use crate::error::Error;

use super::far::FarTransport;
use super::roll::Roll;

/// A team with its slot in the collective area, or an active set with the program's `pSync`.
///
/// All members call the same methods in the same order.
pub trait Meeting {
    /// Who takes part.
    fn roll(&self) -> &Roll;

    /// The way to other hosts.
    ///
    /// # Errors
    /// There is none.
    fn far(&self) -> Result<&dyn FarTransport, Error>;

    /// Waits until all of this host are here.
    ///
    /// # Errors
    /// A PE of the job has died.
    fn near_sync(&mut self) -> Result<(), Error>;

    /// The leader waits until all of this host are here; the others go on. [`Meeting::near_release`] follows.
    ///
    /// # Errors
    /// A PE of the job has died.
    fn near_gather(&mut self) -> Result<(), Error>;

    /// The others wait until the leader is here, too.
    ///
    /// # Errors
    /// A PE of the job has died.
    fn near_release(&mut self) -> Result<(), Error>;

    /// Leaders wait until all leaders are here. Only leaders call it.
    ///
    /// # Errors
    /// A PE of the job has died, or the NIC cannot.
    fn leaders_sync(&mut self) -> Result<(), Error>;

    /// A word of this PE's symmetric memory, for a number that the others of this meeting shall see after the next sync.
    fn board(&self) -> usize;

    /// Waits until all are here.
    ///
    /// # Errors
    /// A PE of the job has died, or the NIC cannot.
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

    /// Waits until what this PE began through [`fetch`] and [`deliver`] is done.
    ///
    /// # Errors
    /// A PE of the job has died, or the NIC cannot.
    fn quiet(&self) -> Result<(), Error> {
        if self.roll().is_near() { Ok(()) } else { self.far()?.quiet() }
    }
}

/// Copies what `rank` has at the symmetric address `source` to `target`; from another host, it is there after `quiet`.
///
/// # Safety
/// `source` is symmetric with `bytes` bytes, `target` has room for them, and neither changes meanwhile.
///
/// # Errors
/// The NIC cannot.
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

/// Copies `source` to what `rank` has at the symmetric address `target`; on another host, it is there after `quiet`.
///
/// # Safety
/// As for [`fetch`].
///
/// # Errors
/// The NIC cannot.
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
