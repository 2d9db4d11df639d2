//! The remote side at work: it takes what has arrived, and sends the answers.

use std::net::SocketAddr;
use std::sync::Weak;
use std::time::Duration;

use philae_nic_core::nic::ReturnCode;

use super::command::RemoteCommand;
use super::request_handler::RequestHandler;
use super::side::{ANSWERS, AnswerBytes, REMOTE, REQUESTS, RemoteSide, WireAnswer, WireOperation};
use crate::endpoint::FiEndpoint;
use crate::log::{MessageLevel, say};
use crate::udp::{COPIED_MAX, TransportSendError, UdpWire};
use crate::wait::rough_now_ns;

/// The interval between checks whether a receive still waits for a peer, in ns: half the silence
/// after which the peer is asked for a sign of life. Source: ours. Status: assumed.
const AWAITED_NS: u64 = 500_000_000;
/// If the wire was last polled longer ago than this, it is polled before a receive waits for a
/// peer. Source: ours. Status: assumed.
const LATELY_NS: u64 = 1_000_000;
/// How long a closing endpoint waits for its messages to be taken. Source: ours. Status: assumed.
const DRAIN_NS: u64 = 2_000_000_000;
/// The thread leaves the wire to the program if that has polled within this time. Source: ours; at
/// 1 ms a round trip took a third longer. Status: measured.
const ATTEND: Duration = Duration::from_millis(5);
/// If nothing arrives, the thread checks at this interval whether it is still needed, in ms.
/// Source: ours. Status: assumed.
const ATTEND_IDLE_MS: i32 = 20;

impl RemoteSide {
    /// A receive waits for this peer: from now on the wire asks it for signs of life.
    pub fn await_messages(&mut self, endpoint: &FiEndpoint, address: SocketAddr) {
        // Arrived messages may say that the peer has closed. A peer that closes before a receive is
        // posted gets this question and does not answer any more.
        if !endpoint.was_polled_since(LATELY_NS) {
            self.poll(endpoint);
        }
        if self.core.expectations.receives.insert(address, rough_now_ns()).is_none() {
            self.core.expectations.changed.push(address);
            // An empty message: an answer to it, or the lack of one, shows whether the peer is
            // there.
            let command = RemoteCommand::Done { handle: 0, code: ReturnCode::Ok };
            if let Ok(peer) = self.wire.connect(&address, REQUESTS) {
                let _ = self.wire.send(peer, &command.encode(endpoint.vni), &[], 0);
                let _ = self.wire.flush(UdpWire::now());
            }
        }
    }

    /// Stops asking peers for signs of life for which no receive waits any more.
    fn forget_awaited(&mut self, endpoint: &FiEndpoint, now: u64) {
        let Self { wire, core } = self;
        core.expectations.checked_at = now;
        // A receive that is about to be posted is not in a list yet.
        let lately = rough_now_ns().saturating_sub(AWAITED_NS);
        let changed = &mut core.expectations.changed;
        let waited_for = endpoint.sources_waited_for();
        core.expectations.receives.retain(|address, &mut posted| {
            let source = wire.connect(address, REQUESTS).map(|peer| REMOTE | peer.0);
            let is_awaited = posted > lately || source.is_ok_and(|source| waited_for.contains(&source));
            if !is_awaited {
                changed.push(*address);
            }
            is_awaited
        });
    }

    /// Handles what has arrived and sends the answers; returns whether anything arrived.
    pub fn poll(&mut self, endpoint: &FiEndpoint) -> bool {
        let now = UdpWire::now();
        if !self.core.once.is_empty() {
            self.give_up_once(endpoint, now);
        }
        if !self.core.expectations.receives.is_empty()
            && now.saturating_sub(self.core.expectations.checked_at) > AWAITED_NS
        {
            self.forget_awaited(endpoint, now);
        }
        let mut handler = RequestHandler { endpoint, core: &mut self.core };
        handler.retry_held();
        let anything = self.wire.poll(now, &mut handler).unwrap_or_else(|error| {
            say(MessageLevel::Warn, &format!("the wire between hosts: {error}"));
            false
        });
        self.flush_answers(endpoint);
        if !self.core.early.is_empty() {
            let mut handler = RequestHandler { endpoint, core: &mut self.core };
            handler.retry_early();
            self.flush_answers(endpoint);
        }
        anything
    }

    /// Sends pending answers.
    pub(super) fn flush_answers(&mut self, endpoint: &FiEndpoint) {
        let answers = std::mem::take(&mut self.core.answers);
        let is_idle = answers.is_empty();
        for answer in answers {
            if let Some(again) = self.answer(endpoint, answer) {
                self.core.answers.push(again);
            }
        }
        for peer in std::mem::take(&mut self.core.expectations.changed) {
            let is_asked = self.core.expectations.answers.get(&peer).is_some_and(|&expected| expected > 0);
            let expects = is_asked || self.core.expectations.receives.contains_key(&peer);
            if let Ok(peer) = self.wire.connect(&peer, REQUESTS) {
                self.wire.expects(peer, expects);
            }
        }
        for peer in self.core.strangers.drain(..) {
            let Some(known) = self.core.heard.get_mut(&peer) else { continue };
            *known = self.wire.peer(peer).map(|(address, _)| address);
            if let Some((address, REQUESTS)) = self.wire.peer(peer) {
                endpoint.name_remote(peer, address);
            }
        }
        if !is_idle {
            let _ = self.wire.flush(UdpWire::now());
        }
    }

    /// Sends an answer; returns what could not be sent now, to be sent later.
    fn answer(&mut self, endpoint: &FiEndpoint, answer: WireAnswer) -> Option<WireAnswer> {
        let WireAnswer { to, command, bytes } = answer;
        let Ok(lane) = self.wire.connect(&to, ANSWERS) else { return None };
        self.core.heard.insert(lane, Some(to));
        let header = command.encode(endpoint.vni);
        let (sent, bytes) = match bytes {
            AnswerBytes::None => (self.wire.send(lane, &header, &[], 0), AnswerBytes::None),
            AnswerBytes::Own(own) if own.len() <= COPIED_MAX => {
                (self.wire.send(lane, &header, &own, 0), AnswerBytes::Own(own))
            }
            AnswerBytes::Own(own) => {
                let (begin, length) = (own.as_ptr(), own.len() as u32);
                let token = self.core.add(WireOperation::Answer(own), to, false);
                // SAFETY: the bytes stay in their place until the operation is removed, which is
                // when the peer has them.
                let sent = unsafe { self.wire.send_from(lane, &header, begin, length, token) };
                let own = if sent.is_ok() { None } else { self.core.take(token) };
                let Some(WireOperation::Answer(own)) = own else { return None };
                (sent, AnswerBytes::Own(own))
            }
            AnswerBytes::Lent { address, length, handle } => {
                // SAFETY: the program has lent the bytes to the operation with this handle, which
                // ends when the peer has them.
                let begin = address as usize as *const u8;
                let sent = unsafe { self.wire.send_from(lane, &header, begin, length as u32, handle) };
                (sent, AnswerBytes::Lent { address, length, handle })
            }
        };
        match sent {
            Err(TransportSendError::Busy) => Some(WireAnswer { to, command, bytes }),
            Err(_) => {
                if let AnswerBytes::Lent { handle, .. } = bytes
                    && let Some(WireOperation::Fetched(reply)) = self.core.take(handle)
                {
                    endpoint.ended(&reply, ReturnCode::Undeliverable);
                }
                None
            }
            Ok(()) => None,
        }
    }

    /// Waits a while until everything sent has arrived: nothing can be sent any more once `self` is
    /// gone.
    pub fn drain(&mut self, endpoint: &FiEndpoint) {
        self.flush_answers(endpoint);
        let mut handler = RequestHandler { endpoint, core: &mut self.core };
        let _ = self.wire.drain(DRAIN_NS, &mut handler);
    }

    /// Polls an endpoint's wire while its program computes, so that other hosts get answers and do
    /// not take it for dead. While the program polls, the thread sleeps and no arrival wakes it: a
    /// thread that datagrams wake takes the processor from the thread that waits for them.
    pub fn attend(weak: Weak<FiEndpoint>) {
        let attend = move || {
            while let Some(endpoint) = weak.upgrade() {
                if endpoint.was_polled_since(ATTEND.as_nanos() as u64) {
                    drop(endpoint);
                    std::thread::sleep(ATTEND);
                    continue;
                }
                endpoint.poll_remote();
                let prepare = |remote: &mut RemoteSide| {
                    remote.prepare_sleep();
                    Ok(remote.file())
                };
                let Ok(file) = endpoint.with_remote(prepare) else { return };
                drop(endpoint);
                let mut poll = libc::pollfd { fd: file, events: libc::POLLIN, revents: 0 };
                // SAFETY: one descriptor. It may be closed meanwhile; then the endpoint is gone,
                // which the loop checks.
                unsafe { libc::poll(&raw mut poll, 1, ATTEND_IDLE_MS) };
            }
        };
        let started = std::thread::Builder::new().name("philae-progress".to_owned()).spawn(attend);
        if started.is_err() {
            say(MessageLevel::Warn, "no thread can be started: other hosts are answered only when the program calls");
        }
    }
}
