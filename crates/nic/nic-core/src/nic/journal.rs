//! Records what a session has changed of a process's state, so that the changes can be taken back
//! if the process that carries it out dies in the middle. A session happens completely or not at
//! all.
//!
//! A session is what a process other than the owner does between taking the owner's lock and
//! releasing it. It records each value here before it changes it: the number of events, the room
//! reserved for them, the receive that a message matches, the number in the order that a message
//! gets. It does not record chains and counts of entries: each entry itself says whether it is in
//! use and when it came, and recovery rebuilds chains and counts from that.
//!
//! A process that dies stops between two instructions: all its earlier writes are visible, and no
//! later ones. The barriers below keep the compiler from moving a write across a record; they
//! generate no instructions.

use std::sync::atomic::{AtomicU32, Ordering, compiler_fence};

use super::list::Receive;
use super::process::PortalKind;

/// The changes of a session.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Journal {
    /// Whether a session is in progress.
    is_open: AtomicU32,
    /// Which of the following fields are recorded: [`RECEIVE`], [`ARRIVAL`], and the portal of
    /// each.
    noted: u32,
    put: u64,
    reserved: u64,
    receive: NotedReceive,
    next: u64,
}

/// A receive as it was before a message matched it.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct NotedReceive {
    pub order: u64,
    pub used: u64,
    pub index: u32,
}

/// The record of a session that has not ended.
#[derive(Debug)]
pub(super) struct Noted {
    /// Events that had been put in before the session.
    pub put: u64,
    /// Room that had been reserved before the session.
    pub reserved: u64,
    /// The receive that the session has matched with a message.
    pub receive: Option<(PortalKind, NotedReceive)>,
    /// The first number, in the order of messages, of those that the session has added.
    pub arrival: Option<(PortalKind, u64)>,
}

const RECEIVE: u32 = 1;
const RECEIVE_IS_TAGGED: u32 = 2;
const ARRIVAL: u32 = 4;
const ARRIVAL_IS_TAGGED: u32 = 8;

/// Orders the writes before this call before the writes after it.
fn in_order() {
    compiler_fence(Ordering::SeqCst);
}

impl Journal {
    /// Begins a session.
    pub(super) fn open(&mut self, put: u64, reserved: u64) {
        (self.put, self.reserved, self.noted) = (put, reserved, 0);
        in_order();
        self.is_open.store(1, Ordering::Release);
        in_order();
    }

    /// Ends the session.
    pub(super) fn close(&mut self) {
        in_order();
        self.is_open.store(0, Ordering::Release);
        in_order();
    }

    /// Records a receive that a message is about to match.
    pub(super) fn note_receive(&mut self, kind: PortalKind, index: u32, receive: &Receive) {
        self.receive = NotedReceive { order: receive.order, used: receive.used, index };
        self.note(RECEIVE, RECEIVE_IS_TAGGED, kind);
    }

    /// Records that a message is about to join those that wait, with this number in their order.
    pub(super) fn note_arrival(&mut self, kind: PortalKind, next: u64) {
        self.next = next;
        self.note(ARRIVAL, ARRIVAL_IS_TAGGED, kind);
    }

    fn note(&mut self, what: u32, is_tagged: u32, kind: PortalKind) {
        in_order();
        self.noted |= what | if kind == PortalKind::Tagged { is_tagged } else { 0 };
        in_order();
    }

    /// The changes of a session that has not ended. `None` if no session is in progress.
    pub(super) fn noted(&self) -> Option<Noted> {
        if self.is_open.load(Ordering::Acquire) == 0 {
            return None;
        }
        let has = |bit: u32| self.noted & bit != 0;
        let kind = |bit: u32| if has(bit) { PortalKind::Tagged } else { PortalKind::Plain };
        Some(Noted {
            put: self.put,
            reserved: self.reserved,
            receive: has(RECEIVE).then(|| (kind(RECEIVE_IS_TAGGED), self.receive)),
            arrival: has(ARRIVAL).then(|| (kind(ARRIVAL_IS_TAGGED), self.next)),
        })
    }
}

#[cfg(test)]
impl Clone for Journal {
    fn clone(&self) -> Self {
        Self { is_open: AtomicU32::new(self.is_open.load(Ordering::Relaxed)), ..*self }
    }
}

#[cfg(test)]
impl Journal {
    /// The journal as it was when only the beginning of the session had been recorded.
    pub(super) fn without_notes(&self) -> Self {
        Self { noted: 0, ..self.clone() }
    }
}
