//! Deferred work: operations that begin when a counter has reached a threshold (`fi_trigger(3)`).
//!
//! They begin when the process reads a queue or a counter; no thread begins them earlier.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use philae_fi_sys::*;
use philae_nic_core::nic::{PortalKind, ReturnCode, Trigger, TriggerHeads, Triggers};

use crate::abi::Errno;
use crate::completion_queue::errno_of;
use crate::counter::{self, FiCounter};
use crate::description::WorkDescription;
use crate::domain::{AtomicForm, FiDomain};
use crate::endpoint::{PostedReceive, calls, object};

/// The most deferred operations at a time. Source: ours. Status: assumed.
pub(crate) const PLACES: usize = 1_024;

/// The deferred operations.
#[derive(Default)]
pub(crate) struct Deferred {
    waiting: AtomicUsize,
    list: Mutex<Option<List>>,
}

struct List {
    pool: Vec<Trigger>,
    heads: TriggerHeads,
    works: Vec<Option<WorkDescription>>,
    /// Counters that operations wait for, by their number in triggers.
    counters: Vec<Arc<FiCounter>>,
}

impl List {
    fn new() -> Self {
        let mut pool = vec![Trigger::default(); PLACES];
        let heads = TriggerHeads::of(&mut pool);
        Self { pool, heads, works: std::iter::repeat_with(|| None).take(PLACES).collect(), counters: Vec::new() }
    }

    fn add(&mut self, work: WorkDescription) -> Result<(), Errno> {
        let &fi_deferred_work { triggering_cntr, threshold, .. } = work.work();
        // SAFETY: C keeps the counter.
        let counter = unsafe { Arc::clone(&counter::of(triggering_cntr).counter) };
        let number = self.counters.iter().position(|known| Arc::ptr_eq(known, &counter)).unwrap_or_else(|| {
            self.counters.push(counter);
            self.counters.len() - 1
        });
        let place = self.works.iter().position(Option::is_none).ok_or(libc::ENOSPC)?;
        Triggers::new(&mut self.pool, &mut self.heads)
            .add(number as u32, threshold, place as u32)
            .map_err(|_| libc::ENOSPC)?;
        self.works[place] = Some(work);
        Ok(())
    }

    fn next_due(&mut self) -> Option<WorkDescription> {
        for (number, counter) in self.counters.iter().enumerate() {
            let due = Triggers::new(&mut self.pool, &mut self.heads).due(number as u32, counter.successes());
            if let Some(place) = due {
                return self.works[place as usize].take();
            }
        }
        None
    }

    fn cancel(&mut self, work: *mut fi_deferred_work) -> bool {
        let found = self.works.iter().position(|known| known.as_ref().is_some_and(|known| known.is_named(work)));
        found.is_some_and(|place| self.cancel_at(place))
    }

    /// Cancels the operation in this place; returns whether there was one.
    fn cancel_at(&mut self, place: usize) -> bool {
        self.works[place].take().is_some() && Triggers::new(&mut self.pool, &mut self.heads).cancel(place as u32)
    }
}

impl Deferred {
    /// Begins the operations that are due.
    pub fn begin_due(&self) {
        if self.waiting.load(Ordering::Acquire) == 0 {
            return;
        }
        loop {
            let due = self.with(List::next_due);
            let Some(work) = due else { return };
            self.waiting.fetch_sub(1, Ordering::Release);
            // SAFETY: C keeps the objects and the data until the operation has ended.
            match unsafe { begin(work.work()) } {
                // There is no room now: it is due again immediately.
                Err(libc::EAGAIN) => {
                    let _ = self.add(work);
                    return;
                }
                Err(error) => {
                    // SAFETY: as above.
                    if let Some(counter) = unsafe { completion_counter(work.work()) } {
                        counter.count(ReturnCode::Unsupported);
                    }
                    crate::log::say(crate::log::MessageLevel::Warn, &format!("deferred work failed: error {error}"));
                }
                Ok(()) => {}
            }
        }
    }

    fn with<T>(&self, work: impl FnOnce(&mut List) -> T) -> T {
        work(self.list.lock().expect("no panic with it").get_or_insert_with(List::new))
    }

    fn add(&self, work: WorkDescription) -> Result<(), Errno> {
        self.with(|list| list.add(work))?;
        self.waiting.fetch_add(1, Ordering::Release);
        Ok(())
    }
}

/// The commands of a domain for deferred work.
///
/// # Safety
/// The argument is a description, if the command has one.
pub(crate) unsafe fn control(domain: &FiDomain, command: u32, work: *mut fi_deferred_work) -> Result<(), Errno> {
    let deferred = &domain.deferred;
    match command {
        FI_QUEUE_WORK => {
            // SAFETY: as the caller promises.
            let description = unsafe { WorkDescription::of(work)? };
            let asked = description.work();
            if matches!(asked.op_type, FI_OP_RECV | FI_OP_TRECV) && asked.threshold != 0 {
                return Err(libc::EOPNOTSUPP);
            }
            if asked.triggering_cntr.is_null() {
                // SAFETY: as the caller promises.
                return if asked.threshold == 0 { unsafe { begin(asked) } } else { Err(libc::EINVAL) };
            }
            deferred.add(description)?;
            deferred.begin_due();
            Ok(())
        }
        FI_CANCEL_WORK => {
            if deferred.with(|list| list.cancel(work)) {
                deferred.waiting.fetch_sub(1, Ordering::Release);
                Ok(())
            } else {
                Err(libc::ENOENT)
            }
        }
        FI_FLUSH_WORK => {
            let flushed = deferred.with(|list| (0..PLACES).filter(|&place| list.cancel_at(place)).count());
            deferred.waiting.fetch_sub(flushed, Ordering::Release);
            Ok(())
        }
        _ => Err(libc::ENOSYS),
    }
}

unsafe fn completion_counter(work: &fi_deferred_work) -> Option<Arc<FiCounter>> {
    let counter = work.completion_cntr;
    // SAFETY: C keeps the counter.
    (!counter.is_null()).then(|| unsafe { Arc::clone(&counter::of(counter).counter) })
}

/// Carries out an operation.
///
/// # Safety
/// C keeps the description and all that it refers to.
unsafe fn begin(work: &fi_deferred_work) -> Result<(), Errno> {
    // A counter that shows its value does so whenever it counts.
    let plain = |flags: u64| flags & !FI_CXI_CNTR_WB;
    // SAFETY: as the caller promises, throughout; the kind says which member of the union is valid.
    unsafe {
        let counter = completion_counter(work);
        match work.op_type {
            FI_OP_SEND => {
                let op = &*work.op.msg;
                let asked = calls::described(&op.msg, plain(op.flags))?;
                calls::send(object::of(op.ep), asked, counter)
            }
            FI_OP_TSEND => {
                let op = &*work.op.tagged;
                let asked = calls::described_tagged(&op.msg, plain(op.flags))?;
                calls::send(object::of(op.ep), asked, counter)
            }
            FI_OP_RECV => {
                let op = &*work.op.msg;
                let (buffer, length) = calls::only(op.msg.msg_iov, op.msg.iov_count)?;
                object::of(op.ep).port().receive_traced(&PostedReceive {
                    kind: PortalKind::Plain,
                    from: op.msg.addr,
                    tag: 0,
                    ignore: 0,
                    address: buffer as u64,
                    length: length as u64,
                    context: op.msg.context as u64,
                    flags: plain(op.flags),
                    least_free: 0,
                })
            }
            FI_OP_TRECV => {
                let op = &*work.op.tagged;
                let (buffer, length) = calls::only(op.msg.msg_iov, op.msg.iov_count)?;
                object::of(op.ep).port().receive_traced(&PostedReceive {
                    kind: PortalKind::Tagged,
                    from: op.msg.addr,
                    tag: op.msg.tag,
                    ignore: op.msg.ignore,
                    address: buffer as u64,
                    length: length as u64,
                    context: op.msg.context as u64,
                    flags: plain(op.flags),
                    least_free: 0,
                })
            }
            FI_OP_READ | FI_OP_WRITE => {
                let op = &*work.op.rma;
                let mut access = calls::described_access(&op.msg, plain(op.flags), work.op_type == FI_OP_READ, false)?;
                calls::count_only(&mut access.reply, counter, None);
                object::of(op.ep).classify(&mut access)?;
                object::of(op.ep).port().access_traced(access)
            }
            FI_OP_ATOMIC => {
                let op = &*work.op.atomic;
                let asked = calls::described_amo(&op.msg, plain(op.flags), AtomicForm::Plain)?;
                calls::change(object::of(op.ep), &asked, counter)
            }
            FI_OP_FETCH_ATOMIC => {
                let op = &*work.op.fetch_atomic;
                let asked = calls::described_amo(&op.msg, plain(op.flags), AtomicForm::Fetching)?;
                let asked = calls::with_result(asked, op.fetch.msg_iov, op.fetch.iov_count)?;
                calls::change(object::of(op.ep), &asked, counter)
            }
            FI_OP_COMPARE_ATOMIC => {
                let op = &*work.op.compare_atomic;
                let asked = calls::described_amo(&op.msg, plain(op.flags), AtomicForm::Comparing)?;
                let asked = calls::with_result(asked, op.fetch.msg_iov, op.fetch.iov_count)?;
                let asked = calls::with_comparand(asked, op.compare.msg_iov, op.compare.iov_count)?;
                calls::change(object::of(op.ep), &asked, counter)
            }
            FI_OP_CNTR_SET | FI_OP_CNTR_ADD => {
                let op = &*work.op.cntr;
                let target = &counter::of(op.cntr).counter;
                if work.op_type == FI_OP_CNTR_SET {
                    target.set(op.value)
                } else {
                    target.add(op.value)
                }
                if let Some(counter) = counter {
                    counter.count(ReturnCode::Ok);
                }
                Ok(())
            }
            _ => Err(errno_of(ReturnCode::Unsupported)),
        }
    }
}
