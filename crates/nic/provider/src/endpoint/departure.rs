//! Peers that have died or closed: whatever waits for them ends with an error, once all their
//! messages have been matched.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use philae_nic_core::nic::{EventKind, NicEvent, PortalKind, Receive, ReturnCode};

use super::fi_endpoint::{EndpointState, FiEndpoint, Own, PendingOperation, WATCH_NS};
use crate::abi::Errno;
use crate::host;
use crate::remote::REMOTE;
use crate::shm::area::{Entered, SharedArea};
use crate::shm::flight::Cargo;
use crate::shm::lock::is_alive;
use crate::wait::now_ns;

impl FiEndpoint {
    /// Ends receives that wait for messages of this source with an error, once all messages that
    /// have arrived are matched.
    pub fn expect_nothing_from(&self, source: u32) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if !left.contains(&source) {
            left.push(source);
        }
    }

    /// Whether a receive for this source ends now because the sender has left; if so, this reserves
    /// room for its event. Mail in the inbox may be for the receive, so it ends only after the mail
    /// has been matched.
    pub(super) fn ends_in_vain(&self, entered: &mut Entered<'_>, kind: PortalKind, source: u32) -> bool {
        let may_come = self.area().is_ok_and(|area| area.awaits_mail(kind));
        let ends = !may_come && entered.process.expect_event().is_ok();
        if !ends {
            self.expect_nothing_from(source);
        }
        ends
    }

    /// Ends a receive that has just been posted if its sender has left and nothing more can arrive.
    #[cold]
    pub(super) fn end_posted_in_vain(&self, mut entered: Entered<'_>, kind: PortalKind, index: u32) {
        let source = entered.process.portal(kind).receives.get(index).criteria.source;
        if self.ends_in_vain(&mut entered, kind, source) {
            let receive = entered.process.portal(kind).receives.remove(index);
            Self::end_in_vain(&mut entered, kind, &receive);
            drop(entered);
            self.wake();
        }
    }

    /// Checks periodically whether the processes that operations of this endpoint depend on are
    /// alive.
    pub fn watch(&self) {
        let Some(own) = self.own.get() else { return };
        let Ok(mut state) = self.state.try_lock() else { return };
        let now = now_ns();
        if now - state.watched_at < WATCH_NS {
            return;
        }
        state.watched_at = now;
        own.area.skip_dead_mail();
        // Many operations may wait for one peer: each peer is checked once.
        let mut lives: HashMap<*const SharedArea, bool> = HashMap::new();
        let mut is_gone = |peer: &Arc<SharedArea>| !*lives.entry(Arc::as_ptr(peer)).or_insert_with(|| peer.is_alive());
        let gone: Vec<u64> =
            state.pending.iter().filter(|(_, pending)| is_gone(&pending.peer)).map(|(&handle, _)| handle).collect();
        // The ring has the events of operations that the dead process still ended: they are read
        // first, or those operations would end twice.
        if !gone.is_empty() && self.drain(own, &mut state).unwrap_or(true) {
            for handle in gone {
                self.give_up(own, &mut state, handle);
            }
        }
        state.peers.dead(is_alive).into_iter().for_each(|source| self.expect_nothing_from(source));
        let Ok(mut entered) = own.area.enter() else { return };
        let us = host::process();
        while let Some(cargo) = entered.flights.lost(|process| process != us && !is_alive(process)) {
            match cargo {
                Cargo::Message { is_tagged, landing, arrival } => {
                    let kind = if is_tagged { PortalKind::Tagged } else { PortalKind::Plain };
                    entered.process.end_message(kind, &landing, &arrival, ReturnCode::Undeliverable);
                    own.area.ring();
                }
                Cargo::Access { has_event: true, .. } => entered.process.forget_event(),
                Cargo::Access { .. } | Cargo::None => {}
            }
        }
        drop(entered);
        drop(state);
        let left = std::mem::take(&mut *self.left.lock().unwrap_or_else(PoisonError::into_inner));
        for source in left {
            if !self.abandon(own, source).unwrap_or(true) {
                self.expect_nothing_from(source);
            }
        }
    }

    /// Ends an operation whose peer has died.
    fn give_up(&self, own: &Own, state: &mut EndpointState, handle: u64) {
        let Some(PendingOperation { reply, .. }) = state.pending.remove(&handle) else { return };
        if let Ok(mut entered) = own.area.enter() {
            entered.process.forget_event();
        }
        self.ended(&reply, ReturnCode::Undeliverable);
    }

    /// Ends receives that wait for a sender that has left with an error. Returns whether all have
    /// ended, or some messages are still to be matched.
    fn abandon(&self, own: &Own, source: u32) -> Result<bool, Errno> {
        if source & REMOTE != 0 && self.with_remote(|remote| Ok(remote.holds(source)))? {
            return Ok(false);
        }
        let mut entered = if self.software.is_active() { self.match_software()? } else { self.enter()? };
        let mut is_done = true;
        for kind in [PortalKind::Plain, PortalKind::Tagged] {
            is_done &= self.end_all_in_vain(own, &mut entered, kind, source);
        }
        drop(entered);
        self.wake();
        Ok(is_done)
    }

    fn end_all_in_vain(&self, own: &Own, entered: &mut Entered<'_>, kind: PortalKind, source: u32) -> bool {
        if own.area.awaits_mail(kind) {
            return false;
        }
        let in_nic = entered.process.portal(kind).receives.of_source(source);
        let in_software = self.software.of_source(kind, source);
        let all =
            in_nic.into_iter().map(|index| (index, true)).chain(in_software.into_iter().map(|index| (index, false)));
        for (index, is_in_nic) in all {
            // Without room for an event, an arrived message may not have met its receive in
            // software yet.
            if entered.process.expect_event().is_err() {
                return false;
            }
            let receive = if is_in_nic {
                entered.process.portal(kind).receives.remove(index)
            } else {
                self.software.remove(kind, index)
            };
            Self::end_in_vain(entered, kind, &receive);
        }
        true
    }

    /// Ends a receive with an error that was removed or never posted, because its sender has left.
    /// Room for its event was reserved.
    pub(super) fn end_in_vain(entered: &mut Entered<'_>, kind: PortalKind, receive: &Receive) {
        entered.process.end_access(NicEvent {
            context: receive.context,
            bits: receive.criteria.bits,
            flags: receive.flags,
            source: receive.criteria.source,
            kind: EventKind::Receive,
            code: ReturnCode::Undeliverable,
            is_tagged: kind == PortalKind::Tagged,
            is_last: true,
            ..NicEvent::default()
        });
    }
}
