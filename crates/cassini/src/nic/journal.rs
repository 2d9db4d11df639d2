//! What a session has changed of a process's state, so that it can be taken back should whoever carries it out die in its
//! middle: either all of a session has happened or nothing of it.
//!
//! A session is what somebody other than the process does between taking the process's lock and giving it back. What is
//! about to change is noted here before it changes: the number of events, the room set aside for them, the receive that a
//! message meets, the place in the order that a message gets. Chains and counts of entries are not noted: each entry says
//! itself whether it is in use and when it came, and they are made again from that.
//!
//! A process that dies stops between two instructions: all that it has written is there, and nothing after. The barriers
//! below keep the compiler from moving what is written across a note; they are no instructions.

use std::sync::atomic::{AtomicU32, Ordering, compiler_fence};

use super::list::Receive;
use super::process::PortalKind;

/// What a session has changed.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Journal {
    /// Whether a session goes on.
    is_open: AtomicU32,
    /// What of the following is noted: [`RECEIVE`], [`ARRIVAL`], and of which portals they are.
    noted: u32,
    put: u64,
    reserved: u64,
    receive: NotedReceive,
    next: u64,
}

/// A receive as it was before a message came for it.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct NotedReceive {
    pub order: u64,
    pub used: u64,
    pub index: u32,
}

/// What is known of a session that has not ended.
#[derive(Debug)]
pub(super) struct Noted {
    /// Events that had been put in before it.
    pub put: u64,
    /// Room that had been set aside before it.
    pub reserved: u64,
    /// The receive that it has taken a message to.
    pub receive: Option<(PortalKind, NotedReceive)>,
    /// Where in the order of messages those are that it has added.
    pub arrival: Option<(PortalKind, u64)>,
}

const RECEIVE: u32 = 1;
const RECEIVE_IS_TAGGED: u32 = 2;
const ARRIVAL: u32 = 4;
const ARRIVAL_IS_TAGGED: u32 = 8;

/// What is written before this is written before what is written after it.
fn in_order() {
    compiler_fence(Ordering::SeqCst);
}

impl Journal {
    /// A session begins.
    pub(super) fn open(&mut self, put: u64, reserved: u64) {
        (self.put, self.reserved, self.noted) = (put, reserved, 0);
        in_order();
        self.is_open.store(1, Ordering::Release);
        in_order();
    }

    /// It has ended.
    pub(super) fn close(&mut self) {
        in_order();
        self.is_open.store(0, Ordering::Release);
        in_order();
    }

    /// A message is about to come to a receive.
    pub(super) fn note_receive(&mut self, kind: PortalKind, index: u32, receive: &Receive) {
        self.receive = NotedReceive { order: receive.order, used: receive.used, index };
        self.note(RECEIVE, RECEIVE_IS_TAGGED, kind);
    }

    /// A message is about to be added to those that wait, with this place in their order.
    pub(super) fn note_arrival(&mut self, kind: PortalKind, next: u64) {
        self.next = next;
        self.note(ARRIVAL, ARRIVAL_IS_TAGGED, kind);
    }

    fn note(&mut self, what: u32, is_tagged: u32, kind: PortalKind) {
        in_order();
        self.noted |= what | if kind == PortalKind::Tagged { is_tagged } else { 0 };
        in_order();
    }

    /// What a session that has not ended has changed; nothing where none goes on.
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
    /// As it was before anything but the beginning of the session was noted.
    pub(super) fn without_notes(&self) -> Self {
        Self { noted: 0, ..self.clone() }
    }
}
