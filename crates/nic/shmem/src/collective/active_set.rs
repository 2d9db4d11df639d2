//! Active sets: the groups of the calls that OpenSHMEM 1.5 deprecated, given by a start, a stride
//! and a size. Their members synchronise through the program's `pSync`. When a call returns,
//! `pSync` has its initial values again, so that the next call can use it immediately.
//!
//! The words of `pSync`: [`ARRIVED`] counts arrivals at the first PE of each host, and each PE has
//! a [`RELEASED`] of its own. [`REMOTE_ARRIVED`] counts leaders at the first leader, and
//! [`REMOTE_RELEASED`] releases them. [`BOARD`] shows a number to the other members.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::abi::ControlPage;
use crate::error::Error;
use crate::remote::waits;

use super::barrier_group::BarrierGroup;
use super::membership::Membership;
use super::remote::RemoteTransport;
use super::team_group::Means;

const ARRIVED: usize = 0;
const RELEASED: usize = 1;
const REMOTE_ARRIVED: usize = 2;
const REMOTE_RELEASED: usize = 3;
const BOARD: usize = 4;

/// Words of `pSync` in use: every `SHMEM_*_SYNC_SIZE` is at least this. Source: ours. Status:
/// assumed.
pub const WORDS: usize = 5;

/// The barrier group of an active set, which synchronises through a `pSync`.
#[derive(Debug)]
pub struct ActiveSetGroup {
    membership: Membership,
    means: Means,
    sync: usize,
}

impl ActiveSetGroup {
    /// The barrier group of the members in `membership`, with the `pSync` at the symmetric address
    /// `sync`.
    ///
    /// # Safety
    /// `sync` is a symmetric array of [`WORDS`] aligned words, each `SHMEM_SYNC_VALUE`, and no
    /// other call uses it at the same time. The memory of this host's PEs is mapped as `membership`
    /// says.
    #[must_use]
    pub unsafe fn new(membership: Membership, sync: usize, means: Means) -> Self {
        Self { membership, means, sync }
    }

    fn word(&self, rank: usize, word: usize) -> &AtomicU64 {
        // SAFETY: the caller of `new` promised a symmetric array of aligned words.
        unsafe { AtomicU64::from_ptr(self.membership.at(rank, self.sync + word * size_of::<u64>()).cast()) }
    }

    fn own(&self, word: usize) -> &AtomicU64 {
        self.word(self.membership.me(), word)
    }

    fn ring(&self, rank: usize) {
        // SAFETY: the caller of `new` promised that the control pages of this host's PEs are
        // mapped.
        unsafe { &*self.membership.at(rank, self.membership.home().control).cast::<ControlPage>() }.ring_if_asleep();
    }

    /// Waits until this PE's own word has `value`, then restores the word's initial value.
    fn take(&self, word: usize, value: u64) -> Result<(), Error> {
        let word = self.own(word);
        self.means.waiting.until(|| word.load(Ordering::Acquire) == value)?;
        waits::waited(word.as_ptr() as usize, size_of_val(word));
        word.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Restores the board's initial value. All members have read the board and synchronised since
    /// then.
    pub fn wipe_board(&self) {
        self.own(BOARD).store(0, Ordering::Relaxed);
    }
}

impl BarrierGroup for ActiveSetGroup {
    fn membership(&self) -> &Membership {
        &self.membership
    }

    fn remote(&self) -> Result<&dyn RemoteTransport, Error> {
        let remote: Option<&Arc<dyn RemoteTransport>> = self.means.remote.as_ref();
        remote.map(|remote| &**remote).ok_or_else(|| {
            Error::Remote("the active set has PEs of another host, and there is no NIC to reach them".to_owned())
        })
    }

    fn local_sync(&mut self) -> Result<(), Error> {
        self.local_gather()?;
        self.local_release()
    }

    fn local_gather(&mut self) -> Result<(), Error> {
        let others = self.membership.local().len() as u64 - 1;
        if !self.membership.leads() {
            let leader = self.membership.leader();
            if self.word(leader, ARRIVED).fetch_add(1, Ordering::AcqRel) + 1 == others {
                self.ring(leader);
            }
            return Ok(());
        }
        self.take(ARRIVED, others)
    }

    fn local_release(&mut self) -> Result<(), Error> {
        if !self.membership.leads() {
            return self.take(RELEASED, 1);
        }
        for &rank in self.membership.local().iter().filter(|&&rank| rank != self.membership.me()) {
            self.word(rank, RELEASED).store(1, Ordering::Release);
            self.ring(rank);
        }
        Ok(())
    }

    fn leaders_sync(&mut self) -> Result<(), Error> {
        let address = |word: usize| self.sync + word * size_of::<u64>();
        let (first, others) = self
            .membership
            .leaders()
            .split_first()
            .ok_or_else(|| Error::Mismatch("an active set is empty".to_owned()))?;
        if self.membership.me() != *first {
            self.remote()?.add(self.membership.pe(*first), address(REMOTE_ARRIVED), 1)?;
            return self.take(REMOTE_RELEASED, 1);
        }
        self.take(REMOTE_ARRIVED, others.len() as u64)?;
        for &leader in others {
            // SAFETY: the signal carries no data.
            unsafe {
                self.remote()?.put_signal(
                    self.membership.pe(leader),
                    0,
                    std::ptr::null(),
                    0,
                    address(REMOTE_RELEASED),
                    1,
                )?
            };
        }
        Ok(())
    }

    fn board(&self) -> usize {
        self.sync + BOARD * size_of::<u64>()
    }
}
