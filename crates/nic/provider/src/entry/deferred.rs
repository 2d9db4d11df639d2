//! Deferred work, as C describes it (`fi_trigger(3)`), and its beginning.

use std::sync::Arc;

use philae_fi_sys::*;
use philae_nic_core::nic::ReturnCode;

use super::objects::{CounterObject, EndpointObject};
use super::{atomics, messages, rma};
use crate::abi::Errno;
use crate::completion::errno_of;
use crate::counter::FiCounter;
use crate::deferred::Deferred;
use crate::description::WorkDescription;
use crate::log::{MessageLevel, say};
use crate::operation::{AtomicForm, Extra};

/// Begins the operations that are due.
pub(super) fn begin_due(deferred: &Deferred) {
    if !deferred.is_empty() {
        begin_all(deferred);
    }
}

#[cold]
fn begin_all(deferred: &Deferred) {
    while let Some(work) = deferred.take_due() {
        // SAFETY: C keeps the objects and the data until the operation has ended.
        match unsafe { begin(work.work()) } {
            // There is no room now: it is due again immediately.
            Err(libc::EAGAIN) => {
                // SAFETY: as above.
                if let Ok(object) = unsafe { object::<CounterObject>(work.work().triggering_cntr.cast()) } {
                    let _ = deferred.add(work, &object.counter);
                }
                return;
            }
            Err(error) => {
                // SAFETY: as above.
                if let Ok(Some(counter)) = unsafe { completion_counter(work.work()) } {
                    counter.count(ReturnCode::Unsupported);
                }
                say(MessageLevel::Warn, &format!("deferred work failed: error {error}"));
            }
            Ok(()) => {}
        }
    }
}

/// The commands of a domain for deferred work.
///
/// # Safety
/// The argument is a description, if the command has one.
pub(crate) unsafe fn control(deferred: &Arc<Deferred>, command: u32, work: *mut fi_deferred_work) -> Result<(), Errno> {
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
            // SAFETY: as the caller promises.
            let counter = unsafe { &object::<CounterObject>(asked.triggering_cntr.cast())?.counter };
            deferred.register(begin_due);
            deferred.add(description, counter)?;
            begin_due(deferred);
            Ok(())
        }
        FI_CANCEL_WORK => {
            if deferred.cancel(work) {
                Ok(())
            } else {
                Err(libc::ENOENT)
            }
        }
        FI_FLUSH_WORK => {
            deferred.cancel_all();
            Ok(())
        }
        _ => Err(libc::ENOSYS),
    }
}

/// The counter of an operation's end, if it has one.
///
/// # Safety
/// C keeps the counter.
unsafe fn completion_counter(work: &fi_deferred_work) -> Result<Option<Arc<FiCounter>>, Errno> {
    let counter = work.completion_cntr;
    if counter.is_null() {
        return Ok(None);
    }
    // SAFETY: as the caller promises.
    let counter = unsafe { object::<CounterObject>(counter.cast())? };
    Ok(Some(Arc::clone(&counter.counter)))
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
        let counter = completion_counter(work)?;
        match work.op_type {
            FI_OP_SEND => {
                let op = &*work.op.msg;
                let asked = messages::described(&op.msg, plain(op.flags))?;
                send(object::<EndpointObject>(op.ep.cast())?, asked, counter)
            }
            FI_OP_TSEND => {
                let op = &*work.op.tagged;
                let asked = messages::described_tagged(&op.msg, plain(op.flags))?;
                send(object::<EndpointObject>(op.ep.cast())?, asked, counter)
            }
            FI_OP_RECV => {
                let op = &*work.op.msg;
                let receive = messages::described_receive(&op.msg, plain(op.flags))?;
                object::<EndpointObject>(op.ep.cast())?.core.receive_traced(&receive)
            }
            FI_OP_TRECV => {
                let op = &*work.op.tagged;
                let receive = messages::described_tagged_receive(&op.msg, plain(op.flags))?;
                object::<EndpointObject>(op.ep.cast())?.core.receive_traced(&receive)
            }
            FI_OP_READ | FI_OP_WRITE => {
                let op = &*work.op.rma;
                let mut access = rma::described(&op.msg, plain(op.flags), work.op_type == FI_OP_READ, false)?;
                access.reply.extra = Some(count_only(counter, None));
                object::<EndpointObject>(op.ep.cast())?.carry_out(access).map(drop)
            }
            FI_OP_ATOMIC => {
                let op = &*work.op.atomic;
                let asked = atomics::described(&op.msg, plain(op.flags), AtomicForm::Plain)?;
                change(object::<EndpointObject>(op.ep.cast())?, &asked, counter)
            }
            FI_OP_FETCH_ATOMIC => {
                let op = &*work.op.fetch_atomic;
                let asked = atomics::described(&op.msg, plain(op.flags), AtomicForm::Fetching)?;
                let asked = atomics::with_result(asked, op.fetch.msg_iov, op.fetch.iov_count)?;
                change(object::<EndpointObject>(op.ep.cast())?, &asked, counter)
            }
            FI_OP_COMPARE_ATOMIC => {
                let op = &*work.op.compare_atomic;
                let asked = atomics::described(&op.msg, plain(op.flags), AtomicForm::Comparing)?;
                let asked = atomics::with_result(asked, op.fetch.msg_iov, op.fetch.iov_count)?;
                let asked = atomics::with_comparand(asked, op.compare.msg_iov, op.compare.iov_count)?;
                change(object::<EndpointObject>(op.ep.cast())?, &asked, counter)
            }
            FI_OP_CNTR_SET | FI_OP_CNTR_ADD => {
                let op = &*work.op.cntr;
                let target = &object::<CounterObject>(op.cntr.cast())?.counter;
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

/// Counts the operation's end without a completion.
fn count_only(counter: Option<Arc<FiCounter>>, gathered: messages::Gathered) -> Arc<Extra> {
    // Deferred work without a counter gets no answer.
    let counter = Some(counter.unwrap_or_default());
    Arc::new(Extra { counter, gathered })
}

/// Sends a message.
fn send(
    endpoint: &EndpointObject,
    (asked, gathered): (messages::MessageRequest<'_>, messages::Gathered),
    counter: Option<Arc<FiCounter>>,
) -> Result<(), Errno> {
    endpoint.send_with(&asked, false, Some(count_only(counter, gathered))).map(drop)
}

/// Carries out an atomic operation.
///
/// # Safety
/// Operands have the lengths that they state.
unsafe fn change(
    endpoint: &EndpointObject,
    asked: &atomics::AtomicRequest,
    counter: Option<Arc<FiCounter>>,
) -> Result<(), Errno> {
    // SAFETY: as the caller promises.
    let mut amo = unsafe { atomics::amo(asked, false)? };
    amo.reply.extra = Some(count_only(counter, None));
    endpoint.carry_out_amo(amo).map(drop)
}
