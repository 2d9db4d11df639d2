//! Short messages that come through an [inbox](super::inbox): the sender puts them there without
//! the lock, and the next process that takes the lock matches them.

use std::sync::atomic::{AtomicU32, Ordering, compiler_fence, fence};

use philae_nic_core::nic::{
    ArrivingMessage, Begun, IncomingOperation, MessageLanding, NicProcess, OperationRequest, PortalKind, ReturnCode,
    UnexpectedMessage,
};

use super::area::{Entered, SharedArea};
use super::copy;
use super::inbox::Envelope;
use super::lock::is_alive;
use crate::host;

/// The owner's unexpected-message buffer (`OverflowBuffer`), for messages for which the area has no
/// block.
pub trait OverflowBuffer {
    /// Keeps a message; returns its handle if there is room.
    fn keep(&self, bytes: &[u8]) -> Option<u64>;
    /// Removes a message that is not needed.
    fn forget(&self, handle: u64);
}

/// The message that a process other than the owner matches. If that process dies meanwhile, the
/// message has been matched if the inbox's head is past it, and is matched again otherwise.
#[derive(Debug, Default)]
#[repr(C)]
pub(super) struct MailNote {
    /// One more than the number of the portal's kind; 0: none.
    kind: AtomicU32,
    position: AtomicU32,
}

/// A compiler barrier: writes before this precede writes after it. That is enough, because a
/// process that dies stops between two instructions.
fn in_order() {
    compiler_fence(Ordering::SeqCst);
}

impl SharedArea {
    /// The owner, with the lock, matches messages for which there was no room when the lock was
    /// taken. Messages that wait for a receive go to the unexpected-message buffer.
    pub fn match_rest<'a>(&'a self, entered: &mut Entered<'a>, aside: &dyn OverflowBuffer) {
        for kind in [PortalKind::Plain, PortalKind::Tagged] {
            self.match_mail(entered, kind, Some(aside));
        }
    }

    /// Puts a short message into the inbox of a portal, without a lock; returns whether there was
    /// room. The caller then [nudges](Self::nudge) the owner.
    pub fn put_mail(&self, kind: PortalKind, envelope: &Envelope, bytes: &[u8]) -> bool {
        let inbox = self.inbox(kind).or_else(|| {
            self.make_inbox(kind);
            self.inbox(kind)
        });
        inbox.is_some_and(|inbox| inbox.put(host::process(), envelope, bytes))
    }

    fn head(&self, kind: PortalKind) -> &AtomicU32 {
        &self.header().front.0.heads[kind as usize]
    }

    pub(super) fn has_mail_of(&self, kind: PortalKind) -> bool {
        self.inbox(kind).is_some_and(|inbox| inbox.has_mail(self.head(kind).load(Ordering::Relaxed)))
    }

    /// Whether messages have come without the bell: they wait to be matched, or their events wait
    /// to be read.
    #[must_use]
    pub fn has_mail(&self) -> bool {
        self.header().front.0.has_events.load(Ordering::Relaxed) != 0
            || self.has_mail_of(PortalKind::Plain)
            || self.has_mail_of(PortalKind::Tagged)
    }

    /// The owner, with the lock, has read all events.
    pub fn has_read_all(&self) {
        self.header().front.0.has_events.store(0, Ordering::Relaxed);
    }

    /// Whether messages for this portal wait to be matched, or are about to: a message sent by
    /// another path now would overtake them.
    #[must_use]
    pub fn awaits_mail(&self, kind: PortalKind) -> bool {
        self.inbox(kind).is_some_and(|inbox| inbox.is_in_use(self.head(kind).load(Ordering::Relaxed)))
    }

    /// Skips messages whose senders died while they wrote them.
    pub fn skip_dead_mail(&self) {
        for kind in [PortalKind::Plain, PortalKind::Tagged] {
            if self.awaits_mail(kind) && !self.has_mail_of(kind) {
                let Ok(_entered) = self.take_lock() else { return };
                let head = self.head(kind);
                let position = head.load(Ordering::Relaxed);
                if self.inbox(kind).is_some_and(|inbox| inbox.skip_dead(position, is_alive)) {
                    head.store(position.wrapping_add(1), Ordering::Relaxed);
                }
            }
        }
    }

    /// Matches the messages of an inbox, as far as there is room for the results.
    pub(super) fn match_mail<'a>(
        &'a self,
        entered: &mut Entered<'a>,
        kind: PortalKind,
        aside: Option<&dyn OverflowBuffer>,
    ) {
        let (Some(inbox), head) = (self.inbox(kind), self.head(kind)) else { return };
        let is_owner = self.owner() == host::process();
        let mut position = head.load(Ordering::Relaxed);
        // SAFETY: the lock is held, and the slot is released below.
        while let Some(mail) = unsafe { inbox.first(position) } {
            if !self.is_owner {
                self.begin_matching(entered, kind, position);
            }
            self.make_room(entered);
            let process = &mut entered.process;
            let bytes = &mail.bytes[..(mail.length as usize).min(mail.bytes.len())];
            let mut arrival = UnexpectedMessage::new(mail.bits, mail.source, bytes.len() as u64);
            (arrival.data, arrival.flags) = (mail.data, mail.flags);
            let request = OperationRequest::Send { portal: kind, message: ArrivingMessage { arrival, bytes } };
            match process.begin(&IncomingOperation { vni: mail.vni, request }) {
                Ok(Begun::Lands(landing)) => {
                    self.land(process, kind, &landing, &arrival, bytes, is_owner);
                    self.header().front.0.has_events.store(1, Ordering::Relaxed);
                }
                Err(ReturnCode::Disabled) => {
                    // There is no room: this message waits, and so do those after it.
                    let Some((aside, handle)) = aside.and_then(|aside| Some((aside, aside.keep(bytes)?))) else {
                        break;
                    };
                    arrival.handle = handle;
                    let request =
                        OperationRequest::Send { portal: kind, message: ArrivingMessage { arrival, bytes: &[] } };
                    if process.begin(&IncomingOperation { vni: mail.vni, request }).is_err() {
                        aside.forget(handle);
                        break;
                    }
                }
                Ok(_) if process.matching.is_asked() => {
                    self.header().front.0.has_events.store(1, Ordering::Relaxed);
                }
                // It is of another virtual network: its sender has been told.
                Ok(_) | Err(_) => {}
            }
            // From here on it has been matched.
            in_order();
            head.store(position.wrapping_add(1), Ordering::Relaxed);
            in_order();
            inbox.release(position);
            position = position.wrapping_add(1);
        }
        if !self.is_owner {
            self.end_matching(entered);
        }
    }

    /// Records that a process other than the owner is about to match a message.
    fn begin_matching(&self, entered: &mut Entered<'_>, kind: PortalKind, position: u32) {
        self.end_matching(entered);
        let note = &self.header().front.0.mail;
        note.position.store(position, Ordering::Relaxed);
        note.kind.store(kind as u32 + 1, Ordering::Relaxed);
        entered.open();
    }

    fn end_matching(&self, entered: &mut Entered<'_>) {
        entered.process.close();
        self.header().front.0.mail.kind.store(0, Ordering::Relaxed);
    }

    /// Whether a process died that had only matched a message; releases the message's slot.
    pub(super) fn has_matched_mail(&self) -> bool {
        let note = &self.header().front.0.mail;
        let kind = match note.kind.swap(0, Ordering::Relaxed) {
            0 => return false,
            1 => PortalKind::Plain,
            _ => PortalKind::Tagged,
        };
        let position = note.position.load(Ordering::Relaxed);
        let is_matched = self.head(kind).load(Ordering::Relaxed) != position;
        if is_matched && let Some(inbox) = self.inbox(kind).filter(|inbox| inbox.has_mail(position)) {
            inbox.release(position);
        }
        is_matched
    }

    /// Delivers a short message to its receive.
    fn land(
        &self,
        process: &mut NicProcess<'_>,
        kind: PortalKind,
        landing: &MessageLanding,
        arrival: &UnexpectedMessage,
        bytes: &[u8],
        is_owner: bool,
    ) {
        let fitting = &bytes[..bytes.len().min(usize::try_from(landing.room).unwrap_or(usize::MAX))];
        let code = if fitting.is_empty() {
            ReturnCode::Ok
        } else if is_owner {
            // SAFETY: the program has lent this memory to the receive until its completion.
            unsafe {
                std::ptr::copy_nonoverlapping(fitting.as_ptr(), landing.address as usize as *mut u8, fitting.len());
            }
            ReturnCode::Ok
        } else if fitting.len() == bytes.len() && process.end_message_kept(kind, landing, arrival, fitting) {
            return;
        } else {
            copy::code_of(copy::write_to(self.owner(), landing.address, fitting))
        };
        process.end_message(kind, landing, arrival, code);
    }

    /// Wakes the owner if it sleeps: a message has come without the bell.
    pub fn nudge(&self) {
        fence(Ordering::SeqCst);
        if self.header().bell.0.sleeps.load(Ordering::SeqCst) != 0 {
            self.ring();
        }
    }
}
