//! Agents' streams, by switch.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bytes::Bytes;
use philae_agent::{FromAgent, Operate, ToAgent, ToBody};
use thiserror::Error;
use tokio::sync::{Notify, mpsc, watch};

use crate::frame::encode;
use crate::identity::PeerIdentity;
use crate::settings::LinkSettings;
use crate::status::{GrpcCode, GrpcStatus};

/// The operation that asks an agent to renew its certificate.
pub(crate) const RENEW: u32 = 2;

/// Events of the link, in order for each switch: connected, messages, disconnected.
#[derive(Debug)]
pub enum LinkEvent {
    /// An agent has connected, and its certificate names the switch. Its hello follows as a
    /// message.
    Connected {
        /// Name of the switch.
        switch: Arc<str>,
        /// Its certificate.
        peer: Arc<PeerIdentity>,
    },
    /// An agent has sent a message.
    Message {
        /// Name of the switch.
        switch: Arc<str>,
        message: FromAgent,
    },
    /// The stream has ended.
    Disconnected {
        /// Name of the switch.
        switch: Arc<str>,
        reason: String,
        /// The same switch has connected again: its `Connected` follows immediately.
        is_replaced: bool,
    },
}

/// Why the manager closes a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// The agent reads its messages too slowly.
    Slow,
    /// The same switch has connected again.
    Replaced,
    /// The certificate is revoked.
    Revoked,
    /// The manager ends.
    Shutdown,
    /// The user of the link asked for it.
    Asked(String),
}

impl CloseReason {
    pub(crate) fn status(&self) -> GrpcStatus {
        match self {
            Self::Slow => GrpcStatus::new(GrpcCode::ResourceExhausted, "messages are read too slowly"),
            Self::Replaced => GrpcStatus::new(GrpcCode::Aborted, "the same switch has connected again"),
            Self::Revoked => GrpcStatus::new(GrpcCode::PermissionDenied, "the certificate is revoked"),
            Self::Shutdown => GrpcStatus::new(GrpcCode::Unavailable, "the manager ends"),
            Self::Asked(reason) => GrpcStatus::new(GrpcCode::Aborted, reason.clone()),
        }
    }
}

/// Why a message cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StreamSendError {
    /// No agent of that name is connected.
    #[error("the agent is not connected")]
    NotConnected,
    /// It reads its messages too slowly and is disconnected for it.
    #[error("the agent reads its messages too slowly and is disconnected")]
    Slow,
    /// The message is larger than `message_max`.
    #[error("a message of {0} bytes is too large")]
    TooLarge(usize),
}

/// Ends a stream from another task.
#[derive(Debug, Default)]
pub(crate) struct Kill {
    reason: OnceLock<CloseReason>,
    notify: Notify,
}

impl Kill {
    pub(crate) fn close(&self, reason: CloseReason) {
        // The first reason counts.
        let _ = self.reason.set(reason);
        self.notify.notify_waiters();
    }

    pub(crate) fn reason(&self) -> Option<&CloseReason> {
        self.reason.get()
    }

    pub(crate) async fn closed(&self) -> CloseReason {
        loop {
            let mut notified = std::pin::pin!(self.notify.notified());
            notified.as_mut().enable();
            if let Some(reason) = self.reason.get() {
                return reason.clone();
            }
            notified.await;
        }
    }
}

/// The sender's side of a stream.
#[derive(Clone, Debug)]
pub(crate) struct StreamHandle {
    pub(crate) number: u64,
    pub(crate) serial: String,
    pub(crate) queue: mpsc::Sender<Bytes>,
    pub(crate) queued: Arc<AtomicUsize>,
    pub(crate) kill: Arc<Kill>,
    /// Closed after the stream's last event.
    pub(crate) done: watch::Receiver<()>,
}

/// Streams by switch: sends to agents and closes their streams. Cheap to clone; calls never block.
#[derive(Clone, Debug)]
pub struct SwitchStreams {
    streams: Arc<Mutex<HashMap<Arc<str>, StreamHandle>>>,
    settings: LinkSettings,
}

impl SwitchStreams {
    pub(crate) fn new(settings: LinkSettings) -> Self {
        Self { streams: Arc::default(), settings }
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Arc<str>, StreamHandle>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn insert(&self, switch: Arc<str>, handle: StreamHandle) -> Option<StreamHandle> {
        self.held().insert(switch, handle)
    }

    pub(crate) fn remove(&self, switch: &str, number: u64) {
        let mut streams = self.held();
        if streams.get(switch).is_some_and(|handle| handle.number == number) {
            streams.remove(switch);
        }
    }

    /// Sends a message to the agent of a switch: it is queued when this returns.
    ///
    /// # Errors
    /// When the agent is not connected, the message is too large, or the queue is full. A full
    /// queue closes the stream.
    pub fn send(&self, switch: &str, message: &ToAgent) -> Result<(), StreamSendError> {
        use prost::Message;
        let length = message.encoded_len();
        if length > self.settings.message_max {
            return Err(StreamSendError::TooLarge(length));
        }
        let handle = self.held().get(switch).cloned().ok_or(StreamSendError::NotConnected)?;
        if handle.kill.reason().is_some() {
            return Err(StreamSendError::NotConnected);
        }
        let frame = encode(message);
        let length = frame.len();
        let before = handle.queued.fetch_add(length, Ordering::Relaxed);
        let fits = before == 0 || before + length <= self.settings.queue_bytes;
        if fits && handle.queue.try_send(frame).is_ok() {
            return Ok(());
        }
        handle.queued.fetch_sub(length, Ordering::Relaxed);
        if handle.queue.is_closed() {
            return Err(StreamSendError::NotConnected);
        }
        handle.kill.close(CloseReason::Slow);
        Err(StreamSendError::Slow)
    }

    /// Closes the stream of a switch and drops its queue. Returns whether there was one.
    pub fn close(&self, switch: &str, reason: CloseReason) -> bool {
        let handle = self.held().get(switch).cloned();
        handle.map(|handle| handle.kill.close(reason)).is_some()
    }

    /// Closes all streams that use a certificate, and returns their number.
    pub fn close_serial(&self, serial: &str, reason: &CloseReason) -> usize {
        let streams = self.held();
        let of_it = streams.values().filter(|handle| handle.serial == serial);
        of_it.map(|handle| handle.kill.close(reason.clone())).count()
    }

    /// Asks all agents to renew their certificates, each at a time of its choice. Returns how many
    /// were asked.
    #[must_use]
    pub fn ask_to_renew(&self) -> usize {
        let operate = Operate { operation: RENEW, ..Operate::default() };
        // Without an epoch, because the order is for the link, not for the switch.
        let order = ToAgent { epoch: 0, request: 0, body: Some(ToBody::Operate(operate)) };
        let names: Vec<Arc<str>> = self.held().keys().cloned().collect();
        names.iter().filter(|name| self.send(name, &order).is_ok()).count()
    }

    /// Closes all streams.
    pub fn close_all(&self, reason: &CloseReason) {
        self.held().values().for_each(|handle| handle.kill.close(reason.clone()));
    }

    /// Switches whose agents are connected.
    #[must_use]
    pub fn connected(&self) -> usize {
        self.held().len()
    }
}
