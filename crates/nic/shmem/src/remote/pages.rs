//! The control pages of PEs of other hosts, read through the NIC without waiting for it.

use super::handle::OperationHandle;
use super::network::RemoteNetwork;
use crate::local::stuck::ControlSnapshot;

/// The words of a control page that are read: all of [`crate::abi::ControlPage`].
const WORDS: usize = 8;
const _: () = assert!(std::mem::offset_of!(crate::abi::ControlPage, polls) == 24 && WORDS * 4 >= 28);

/// The name of the operation in a failed read's message.
const LOOK: &str = "a check whether it can continue";

/// One read of a page, which may be in flight.
#[derive(Debug, Default)]
pub(crate) struct PageRead {
    pending: Option<(u32, OperationHandle)>,
    /// The read's target, which does not move while the read is in flight.
    room: Box<[u32; WORDS]>,
    /// A read has failed: its PE is gone, and its launcher handles that.
    is_broken: bool,
}

impl PageRead {
    /// A PE's page: the first call begins the read, and a later one returns its result. `control`:
    /// this PE's own page.
    pub fn read(&mut self, remote: &RemoteNetwork, control: usize, pe: u32) -> Option<ControlSnapshot> {
        if self.is_broken {
            return None;
        }
        let Some((of, handle)) = &self.pending else {
            self.begin(remote, control, pe);
            return None;
        };
        match handle.test() {
            Ok(false) => None,
            Ok(true) => {
                let is_asked = *of == pe;
                self.pending = None;
                let [_, _, state, _, pid, waits, polls, _] = *self.room;
                is_asked.then_some(ControlSnapshot { state, pid: pid.cast_signed(), waits, polls })
            }
            Err(_) => {
                self.is_broken = true;
                None
            }
        }
    }

    fn begin(&mut self, remote: &RemoteNetwork, control: usize, pe: u32) {
        let place = self.room.as_mut_ptr().cast();
        // SAFETY: the buffer outlives the handle, which is complete before the buffer is dropped.
        let begun = remote
            .locks()
            .and_then(|own| unsafe { own.begin_transfer(LOOK, false, place, WORDS * size_of::<u32>(), control, pe) });
        match begun {
            Ok(handle) => self.pending = Some((pe, handle)),
            Err(_) => self.is_broken = true,
        }
    }
}
