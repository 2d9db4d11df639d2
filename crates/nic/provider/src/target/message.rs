//! A message that arrives at its target.

use philae_nic_core::nic::{
    ArrivingMessage, Begun, IncomingOperation, MessageLanding, OperationRequest, PortalKind, ReturnCode,
    UnexpectedMessage,
};

use super::LocalTarget;
use crate::host;
use crate::operation::LEFT_WITH_SENDER;
use crate::peers::BytePath;
use crate::shm::area::Entered;
use crate::shm::flight::Cargo;

/// The most bytes that go through a block of the target instead of directly to its receive. That is
/// one copy more, but no system call.
/// Source: ours, measured (`philae nic bench`). Status: measured.
const THROUGH_BLOCK: u64 = 8_192;

/// The result of offering a message to its target.
pub(crate) enum OfferResult {
    /// It has ended, and its bytes took this path.
    Done(ReturnCode, BytePath),
    /// The receiver will end it.
    Waits,
    /// The target has no room now.
    NoRoom,
    /// Earlier mail has not been matched yet: the message goes after that, by the same path.
    Behind,
}

impl LocalTarget<'_> {
    /// Offers a message to the target, with the bytes that it may keep.
    pub fn offer(&self, vni: u16, kind: PortalKind, arrival: UnexpectedMessage, bytes: &[u8]) -> OfferResult {
        let Ok(mut entered) = self.area.enter() else {
            return OfferResult::Done(ReturnCode::Undeliverable, BytePath::Eager);
        };
        // Messages of its sender that are in the inbox, and had no room yet, come before it.
        if self.area.awaits_mail(kind) {
            return OfferResult::Behind;
        }
        let request = OperationRequest::Send { portal: kind, message: ArrivingMessage { arrival, bytes } };
        match entered.process.begin(&IncomingOperation { vni, request }) {
            Ok(Begun::Lands(landing)) => {
                // The whole message is here, whatever part of it may be kept.
                let (code, path) = self.land(entered, kind, &landing, &arrival, bytes);
                OfferResult::Done(code, path)
            }
            Ok(_) if arrival.handle != 0 => {
                if arrival.flags & LEFT_WITH_SENDER != 0 {
                    entered.process.ask_to_take_over();
                }
                OfferResult::Waits
            }
            Ok(_) => OfferResult::Done(ReturnCode::Ok, BytePath::Eager),
            Err(ReturnCode::Disabled) => {
                if entered.process.matching.is_asked() {
                    self.area.ring();
                }
                OfferResult::NoRoom
            }
            Err(code) => OfferResult::Done(code, BytePath::Eager),
        }
    }

    /// Delivers a message to the receive that it matched. `bytes` may be empty: then the message is
    /// read from its place.
    fn land(
        &self,
        mut entered: Entered<'_>,
        kind: PortalKind,
        landing: &MessageLanding,
        arrival: &UnexpectedMessage,
        bytes: &[u8],
    ) -> (ReturnCode, BytePath) {
        let all = if bytes.is_empty() && arrival.length > 0 {
            // SAFETY: the message is this process's own, and the program has lent it to the
            // operation.
            unsafe { std::slice::from_raw_parts(arrival.address as usize as *const u8, arrival.length as usize) }
        } else {
            bytes
        };
        let fitting = &all[..arrival.length.min(landing.room) as usize];
        let is_small = fitting.len() as u64 <= THROUGH_BLOCK && arrival.length <= landing.room;
        if fitting.is_empty() {
            entered.process.end_message(kind, landing, arrival, ReturnCode::Ok);
            return (ReturnCode::Ok, BytePath::Eager);
        }
        if is_small && !self.is_here && entered.process.end_message_kept(kind, landing, arrival, fitting) {
            return (ReturnCode::Ok, BytePath::Eager);
        }
        // The message that fills a multi-receive buffer releases it: the others must have ended by
        // then.
        let place = if landing.receive.is_for_many() || self.is_here {
            None
        } else {
            entered.flights.depart(host::process(), Cargo::message(kind, *landing, *arrival))
        };
        let Some(place) = place else {
            let code = self.write(landing.address, fitting);
            entered.process.end_message(kind, landing, arrival, code);
            return (code, BytePath::OneCopy);
        };
        drop(entered);
        let code = self.write(landing.address, fitting);
        let Ok(mut entered) = self.area.enter() else { return (ReturnCode::Undeliverable, BytePath::OneCopy) };
        entered.flights.arrive(place);
        entered.process.end_message(kind, landing, arrival, code);
        (code, BytePath::OneCopy)
    }
}
