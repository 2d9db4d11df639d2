//! Agents over the network. Their events come through a queue of bounded length; orders are queued
//! for each agent, and the manager never waits for one.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use philae_agent::ToAgent;
use philae_agent_rpc::{
    Authority, BindError, CloseReason, LinkEvent, LinkSettings, Listener, PeerIdentity, RefusedCall, SwitchStreams,
    unix_seconds,
};
use philae_inventory::PlannedFabric;
use philae_manager_core::Input;
use philae_units::SwitchId;
use tokio::runtime::Runtime;

use crate::control_loop::MessageSink;

/// Events that wait for the event loop, in addition to those that wait in the link.
///
/// Source: ours. Status: assumed.
const EVENTS: usize = 1_024;

/// Events that are processed before the manager computes tables from them.
///
/// Source: ours. Status: assumed.
const BATCH: usize = 1_024;

/// Why the manager cannot listen for agents.
#[derive(Debug, thiserror::Error)]
pub enum AgentsError {
    /// The address is taken, or there is no certificate.
    #[error("agents: {0}")]
    Bind(#[from] BindError),
    /// The system starts no threads.
    #[error("agents: cannot start threads: {0}")]
    Threads(#[from] std::io::Error),
}

/// A function that wakes a sleeping thread.
type Waker = Box<dyn Fn() + Send>;

/// Called when agents have sent something while the event loop sleeps.
#[derive(Clone, Default)]
pub struct Wake(Arc<Mutex<Option<Waker>>>);

impl fmt::Debug for Wake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wake")
    }
}

impl Wake {
    /// Sets the function.
    pub fn set(&self, call: impl Fn() + Send + 'static) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(call));
    }

    /// Calls the function, if there is one.
    pub fn call(&self) {
        if let Some(call) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            call();
        }
    }
}

/// The manager's end of all connections to agents. It has threads of its own, so that a storm of
/// agents takes none from the API.
#[derive(Debug)]
pub struct AgentsEnd {
    // Fields are dropped in this order: first the listener, then the runtime that it runs on.
    listener: Listener,
    links: SwitchStreams,
    authority: Arc<Authority>,
    events: Receiver<LinkEvent>,
    /// Events that [`Self::wait`] has received.
    waited: VecDeque<LinkEvent>,
    more: bool,
    asleep: Arc<AtomicBool>,
    wake: Wake,
    names: Vec<Arc<str>>,
    numbers: BTreeMap<Arc<str>, SwitchId>,
    /// (S): the certificate of each switch's agent.
    peers: Vec<Option<Arc<PeerIdentity>>>,
    runtime: Runtime,
}

fn relay(
    mut from: tokio::sync::mpsc::Receiver<LinkEvent>,
    to: &SyncSender<LinkEvent>,
    asleep: &AtomicBool,
    wake: &Wake,
) {
    while let Some(event) = from.blocking_recv() {
        // While the event loop is busy this blocks, and with it the agents: the queue cannot grow.
        if to.send(event).is_err() {
            return;
        }
        if asleep.swap(false, Ordering::AcqRel) {
            wake.call();
        }
    }
}

impl AgentsEnd {
    /// Listens for the agents of a fabric.
    ///
    /// # Errors
    /// When the address is taken, or there are no threads or no certificate.
    pub fn listen(
        fabric: &PlannedFabric,
        address: SocketAddr,
        authority: Arc<Authority>,
        settings: LinkSettings,
    ) -> Result<Self, AgentsError> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).thread_name("agents").enable_all().build()?;
        let (listener, received) = runtime.block_on(Listener::bind(address, Arc::clone(&authority), settings))?;
        let (sender, events) = sync_channel(EVENTS);
        let (asleep, wake) = (Arc::new(AtomicBool::new(true)), Wake::default());
        let (relay_asleep, relay_wake) = (Arc::clone(&asleep), wake.clone());
        std::thread::Builder::new()
            .name("agents' events".to_owned())
            .spawn(move || relay(received, &sender, &relay_asleep, &relay_wake))?;
        let switches = (0..fabric.switch_count()).map(SwitchId::from_index);
        let names: Vec<Arc<str>> = switches.map(|switch| fabric.bmc_xname(switch).to_string().into()).collect();
        let numbered = names.iter().enumerate();
        Ok(Self {
            links: listener.links(),
            listener,
            authority,
            events,
            waited: VecDeque::new(),
            more: false,
            asleep,
            wake,
            numbers: numbered.map(|(index, name)| (Arc::clone(name), SwitchId::from_index(index))).collect(),
            peers: vec![None; names.len()],
            names,
            runtime,
        })
    }

    /// The address for agents.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// Called when agents have sent something.
    #[must_use]
    pub const fn wake(&self) -> &Wake {
        &self.wake
    }

    /// The certificate authority.
    #[must_use]
    pub const fn authority(&self) -> &Arc<Authority> {
        &self.authority
    }

    /// Takes a new certificate of the manager for new connections.
    ///
    /// # Errors
    /// When the authority cannot make one; the old one is then kept.
    pub fn reload(&self) -> Result<(), BindError> {
        self.listener.reload()
    }

    /// Revokes a certificate. Returns how many of its streams were closed.
    ///
    /// # Errors
    /// When the revocation cannot be written; nothing is closed then.
    pub fn revoke(&self, serial: &str, not_after: u64) -> Result<usize, philae_agent_rpc::CaError> {
        self.listener.revoke(serial, not_after)
    }

    /// Asks all connected agents to renew their certificates. Returns their number.
    #[must_use]
    pub fn ask_to_renew(&self) -> usize {
        self.links.ask_to_renew()
    }

    /// Closes all streams; the agents reconnect.
    pub fn close_all(&self, reason: &str) {
        self.links.close_all(&CloseReason::Asked(reason.to_owned()));
    }

    /// Number of connected agents.
    #[must_use]
    pub fn connected(&self) -> usize {
        self.links.connected()
    }

    /// The certificate of a switch's agent while it is connected.
    #[must_use]
    pub fn peer(&self, switch: SwitchId) -> Option<&Arc<PeerIdentity>> {
        self.peers[switch.index()].as_ref()
    }

    /// Certificates of the connected agents.
    pub fn peers(&self) -> impl Iterator<Item = &Arc<PeerIdentity>> {
        self.peers.iter().flatten()
    }

    /// The number of refusals since the start, and the last ones, oldest first.
    #[must_use]
    pub fn refused(&self) -> (u64, Vec<RefusedCall>) {
        self.listener.refused()
    }

    /// Whether there may be more events to process.
    pub(super) const fn has_more(&self) -> bool {
        self.more
    }

    /// Passes the events of agents to the event loop, up to [`BATCH`] of them.
    pub(super) fn speak(&mut self, sink: &mut MessageSink<'_>) {
        // From now on the relay wakes the event loop. Events found below need no waking; later ones
        // do.
        self.asleep.store(true, Ordering::Release);
        self.more = true;
        for _ in 0..BATCH {
            let event = match self.waited.pop_front() {
                Some(event) => event,
                None => match self.events.try_recv() {
                    Ok(event) => event,
                    Err(TryRecvError::Empty | TryRecvError::Disconnected) => {
                        self.more = false;
                        return;
                    }
                },
            };
            self.hear(sink, event);
        }
    }

    fn hear(&mut self, sink: &mut MessageSink<'_>, event: LinkEvent) {
        match event {
            LinkEvent::Connected { switch, peer } => {
                let Some(&number) = self.numbers.get(&switch) else {
                    let why = format!("this fabric has no switch {switch}");
                    self.listener.note_refused(None, why.clone(), unix_seconds());
                    self.links.close(&switch, CloseReason::Asked(why));
                    return;
                };
                self.peers[number.index()] = Some(peer);
                sink.deliver(Input::Connected(number));
            }
            LinkEvent::Message { switch, message } => {
                if let Some(&number) = self.numbers.get(&switch) {
                    sink.deliver_message(number, message);
                }
            }
            LinkEvent::Disconnected { switch, reason, is_replaced } => {
                let Some(&number) = self.numbers.get(&switch) else { return };
                self.peers[number.index()] = None;
                // If a new connection replaces this one, as with each new certificate, the switch
                // is not lost.
                if !is_replaced {
                    crate::log::disconnected(&switch, &reason);
                    sink.deliver(Input::Disconnected(number));
                }
            }
        }
    }

    /// Waits until agents send something, for `most` at the longest.
    pub(super) fn wait(&mut self, most: Duration) {
        match self.events.recv_timeout(most) {
            Ok(event) => self.waited.push_back(event),
            Err(RecvTimeoutError::Timeout) => {}
            // The threads are gone, so no event will come.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(most),
        }
    }

    /// Queues an order for an agent. A disconnected agent gets it after it reconnects; the link
    /// closes the stream of one that reads too slowly.
    pub(super) fn tell(&mut self, sink: &mut MessageSink<'_>, switch: SwitchId, message: &ToAgent) {
        if self.links.send(&self.names[switch.index()], message).is_ok() {
            sink.count_order(message);
        }
    }

    /// Closes the stream of an agent.
    pub(super) fn close(&mut self, switch: SwitchId, reason: String) {
        self.links.close(&self.names[switch.index()], CloseReason::Asked(reason));
    }

    /// Ends all connections, after sending the reason.
    pub fn shutdown(self) {
        let Self { listener, runtime, .. } = self;
        runtime.block_on(listener.shutdown());
    }
}
