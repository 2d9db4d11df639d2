//! The endpoint that the other modules use.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};
use std::time::Duration;

use philae_fi_sys::*;
use philae_nic_core::nic::{BufferShape, EventKind, NicEvent, ReturnCode};

use super::bindings::{Bindings, Bound, OperationCounters};
use super::fetching::Fetching;
use super::peer::EndpointPeers;
use super::simulated::FetchedMessage;
use super::software::Software;
use super::unexpected_buffer::{IN_UNEXPECTED_BUFFER, UnexpectedBuffer};
use crate::abi::Errno;
use crate::address::{EndpointAddress, NOT_AVAILABLE, PIDS, area_name};
use crate::address_vector::PeerListener;
use crate::completion::OperationResult;
use crate::counter::FiCounter;
use crate::domain::FiDomain;
use crate::host;
use crate::log::{MessageLevel, say, tell};
use crate::operation::{CompletionTarget, Extra};
use crate::remote::{REMOTE, RemoteSide};
use crate::shm::area::{AreaCapacity, AreaError, Entered, PortalShape, SharedArea};
use crate::shm::file::remove_stale;
use crate::simulated::peer_address;
use crate::simulated::rank::{PeekMarks, ShownEndpoint};
use crate::traffic::EndpointTraffic;
use crate::udp::PeerId;
use crate::wait::{Pollable, now_ns};

/// The most regions of an endpoint. Source: ours. Status: assumed.
pub(crate) const REGIONS: u32 = 4_096;
/// The capacity of an endpoint, in about 9 MiB; memory is allocated only as it fills. Source: ours.
/// Status: assumed.
pub(super) const SHAPE: AreaCapacity = AreaCapacity {
    plain: PortalShape { receives: 1_024, arrivals: 2_048, blocks: BufferShape { blocks: [1_024, 256, 32] } },
    tagged: PortalShape { receives: 8_192, arrivals: 8_192, blocks: BufferShape { blocks: [4_096, 512, 64] } },
    regions: REGIONS,
    counters: 256,
    triggers: 1,
    events: 16_384,
};
/// Polls for messages from other hosts while no peer there is known: one poll in this many.
/// Source: ours. Status: assumed.
const IDLE_POLLS: u32 = 64;
/// A sleep that datagrams end immediately checks bells after this time. Source: ours.
/// Status: assumed.
const SLEEP_AMONG_HOSTS: Duration = Duration::from_micros(200);
/// How often a waiting thread checks that its peers are alive, in ns. Source: ours.
/// Status: assumed.
pub(super) const WATCH_NS: u64 = 50_000_000;

/// An operation that another process will end.
pub(super) struct PendingOperation {
    pub(super) reply: CompletionTarget,
    /// That process's area.
    pub(super) peer: Arc<SharedArea>,
}

/// The state that changes while an endpoint works.
#[derive(Default)]
pub(crate) struct EndpointState {
    pub peers: EndpointPeers,
    pub(super) pending: HashMap<u64, PendingOperation>,
    next_handle: u64,
    /// Messages that the coordinator of a simulated run fetches, by their handle.
    pub(super) fetched: HashMap<u64, FetchedMessage>,
    /// Areas of senders whose messages are fetched from them, by source.
    neighbours: HashMap<u32, Arc<SharedArea>>,
    /// The area's counters that are in use.
    pub(super) places: Vec<u32>,
    pub(super) watched_at: u64,
    /// Bells that are deferred until the bundle ends (`FI_MORE`).
    pub unrung: Vec<Arc<SharedArea>>,
}

impl EndpointState {
    /// A handle that no operation has had.
    pub(super) fn next_handle(&mut self) -> u64 {
        self.next_handle += 1;
        self.next_handle
    }
}

pub(crate) struct FiEndpoint {
    pub domain: Arc<FiDomain>,
    pub capabilities: u64,
    pub vni: u16,
    pub(super) own: OnceLock<Own>,
    /// The bell's count when everything that had arrived was taken.
    seen: AtomicU32,
    pub(super) state: Mutex<EndpointState>,
    /// The wire between hosts, if there is one. Locked after the state, before areas and queues.
    remote: Mutex<Option<RemoteSide>>,
    /// Addresses of peers on other hosts, by the source of their messages.
    names: RwLock<HashMap<u32, SocketAddr>>,
    /// Whether any peer on another host is known.
    has_remote: AtomicBool,
    /// When the wire between hosts was last polled, and the polls since then.
    polled_at: AtomicU64,
    idle_polls: AtomicU32,
    /// The sources of peers that have left: receives that wait for them end with an error, once all
    /// that has arrived is matched. Locked last.
    pub(super) left: Mutex<Vec<u32>>,
    /// Multi-receive buffers with messages that are being fetched, by their context.
    pub fetching: Fetching,
    /// In a simulated run.
    pub(super) peeks: PeekMarks,
    pub unexpected: UnexpectedBuffer,
    /// The lists in this process's own memory.
    pub software: Software,
    /// Where remote accesses to its memory count: writes and reads, each as its number plus one; 0:
    /// nowhere.
    pub(super) remote_places: OnceLock<[u32; 2]>,
    pub traffic: EndpointTraffic,
}

/// What an endpoint has once it is enabled.
pub(super) struct Own {
    pub(super) area: Arc<SharedArea>,
    pub(super) address: EndpointAddress,
    pub(super) bindings: Bindings,
    /// For the thread that polls while the program computes.
    myself: Weak<FiEndpoint>,
    /// In a simulated run it is shown to the coordinator.
    #[expect(dead_code, reason = "dropping it takes the endpoint out of the run")]
    shown: Option<ShownEndpoint>,
}

impl FiEndpoint {
    pub fn new(domain: &Arc<FiDomain>, capabilities: u64, vni: u16) -> Self {
        Self {
            domain: Arc::clone(domain),
            capabilities,
            vni,
            own: OnceLock::new(),
            seen: AtomicU32::new(0),
            state: Mutex::default(),
            remote: Mutex::new(None),
            names: RwLock::default(),
            has_remote: AtomicBool::new(false),
            polled_at: AtomicU64::new(0),
            idle_polls: AtomicU32::new(0),
            left: Mutex::default(),
            fetching: Fetching::default(),
            peeks: PeekMarks::default(),
            unexpected: UnexpectedBuffer::new(domain.settings.messages.unexpected),
            software: Software::new(domain.settings.messages.requests),
            remote_places: OnceLock::new(),
            traffic: EndpointTraffic::of_endpoint(),
        }
    }

    /// Makes its area: from now on other endpoints can reach it.
    ///
    /// # Errors
    /// Every process number is in use (`EADDRINUSE`), or shared memory is lacking (`ENOSPC`).
    pub fn enable(self: &Arc<Self>, bindings: Bindings, wanted: Option<u16>) -> Result<(), Errno> {
        if self.own.get().is_some() {
            return Err(FI_EOPBADSTATE);
        }
        let (host, user, device, vni) = (host::number(), host::user(), self.domain.device, self.vni);
        let incarnation = host::random();
        let (area, pid, remote) = self.open_own(wanted, incarnation)?;
        let socket = remote.as_ref().map(RemoteSide::local_address);
        *self.remote.lock().expect("no panic with it") = remote;
        let takes_copies = self.domain.settings.takes_copies();
        let address = EndpointAddress { host, user, device, vni, pid, incarnation, socket, takes_copies };
        let Bindings { transmit, receive, counters, .. } = &bindings;
        let pollable: Weak<dyn Pollable> = Arc::<Self>::downgrade(self);
        for bound in [transmit, receive].into_iter().flatten() {
            bound.queue.follow(&pollable);
        }
        let OperationCounters { send, receive, read, write, .. } = counters;
        for counter in [send, receive, read, write].into_iter().flatten() {
            counter.follow(&pollable);
        }
        say(MessageLevel::Info, &format!("endpoint {address}"));
        area.enter().map_err(|_| libc::EOWNERDEAD).map(|entered| {
            *entered.process.matching = self.domain.settings.messages.matching;
            self.software.begin_if_asked(&entered);
        })?;
        let is_simulated = self.domain.settings.wires.is_simulated;
        let shown = is_simulated.then(|| ShownEndpoint::new(peer_address(&address))).transpose()?;
        let own = Own { area: Arc::new(area), address, bindings, myself: Arc::downgrade(self), shown };
        self.own.set(own).map_err(|_| FI_EOPBADSTATE)?;
        self.count_remotely()?;
        self.trace_enabled();
        if let Some(addresses) = self.bindings()?.addresses.as_ref() {
            let listener: Weak<dyn PeerListener> = Arc::<Self>::downgrade(self);
            addresses.follow(listener);
        }
        Ok(())
    }

    /// A peer on another host is known: the wire there is polled from now on, by a thread if
    /// nothing else polls it.
    pub fn expect_remote(&self) {
        let has_wire = self.remote.lock().is_ok_and(|remote| remote.is_some());
        let Some(own) = self.own.get().filter(|_| has_wire) else { return };
        if !self.has_remote.swap(true, Ordering::AcqRel) {
            RemoteSide::attend(own.myself.clone());
        }
    }

    /// Runs `work` with the wire between hosts.
    ///
    /// # Errors
    /// There is no wire; or the error of `work`.
    pub fn with_remote<T>(&self, work: impl FnOnce(&mut RemoteSide) -> Result<T, Errno>) -> Result<T, Errno> {
        let mut remote = self.remote.lock().unwrap_or_else(PoisonError::into_inner);
        work(remote.as_mut().ok_or(libc::EHOSTUNREACH)?)
    }

    /// The source of the messages from this socket address.
    pub fn remote_source(&self, socket: SocketAddr) -> Option<u32> {
        let peer = self.with_remote(|remote| remote.peer(socket)).ok()?;
        self.name_remote(peer, socket);
        Some(REMOTE | peer.0)
    }

    /// Records the address of a peer on another host.
    pub fn name_remote(&self, peer: PeerId, socket: SocketAddr) {
        self.names.write().expect("no panic with it").insert(REMOTE | peer.0, socket);
    }

    /// The address of the peer whose messages carry this source.
    pub fn remote_name(&self, source: u32) -> Option<SocketAddr> {
        self.names.read().expect("no panic with it").get(&source).copied()
    }

    /// Whether the wire between hosts has been polled within this time, in ns.
    pub fn was_polled_since(&self, time_ns: u64) -> bool {
        now_ns().saturating_sub(self.polled_at.load(Ordering::Relaxed)) < time_ns
    }

    /// Polls the wire between hosts.
    pub fn poll_remote(&self) {
        if let Ok(mut remote) = self.remote.try_lock()
            && let Some(remote) = remote.as_mut()
        {
            remote.poll(self);
        }
    }

    /// Soon ends receives with an error that wait for a peer on another host, which has failed.
    pub fn abandon_remote(&self, socket: SocketAddr) {
        let names = self.names.read().expect("no panic with it");
        names.iter().filter(|&(_, &known)| known == socket).for_each(|(&source, _)| self.expect_nothing_from(source));
    }

    /// Lets messages to other hosts arrive.
    pub fn drain_remote(&self) {
        let _ = self.with_remote(|remote| {
            remote.drain(self);
            Ok(())
        });
    }

    /// Opens its area and its wire. If ports follow from process numbers, a number whose port is in
    /// use counts as taken.
    fn open_own(&self, wanted: Option<u16>, incarnation: u64) -> Result<(SharedArea, u16, Option<RemoteSide>), Errno> {
        let settings = self.domain.settings;
        let mut pids = wanted.map_or(0..PIDS, |pid| pid..pid.saturating_add(1));
        loop {
            let (area, pid) = self.make_area(pids.clone(), incarnation)?;
            let Some(mut bind) = settings.wires.bind else { return Ok((area, pid, None)) };
            bind.set_port(settings.port(self.domain.device, pid).unwrap_or(0));
            match RemoteSide::open(bind) {
                Ok(remote) => return Ok((area, pid, Some(remote))),
                Err(libc::EADDRINUSE) if pid + 1 < pids.end => pids.start = pid + 1,
                Err(error) => return Err(error),
            }
        }
    }

    fn make_area(&self, pids: std::ops::Range<u16>, incarnation: u64) -> Result<(SharedArea, u16), Errno> {
        let wanted = pids.clone();
        let (user, device) = (host::user(), self.domain.device);
        for pid in pids.filter(|&pid| pid < PIDS) {
            let name = area_name(user, device, self.vni, pid);
            let made = SharedArea::create(&name, SHAPE, self.vni, incarnation);
            let made = match made {
                Err(AreaError::System { ref source, .. })
                    if source.kind() == std::io::ErrorKind::AlreadyExists && remove_stale(&name) =>
                {
                    SharedArea::create(&name, SHAPE, self.vni, incarnation)
                }
                other => other,
            };
            match made {
                Ok(area) => return Ok((area, pid)),
                Err(AreaError::System { source, .. }) if source.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error @ AreaError::NoRoom { .. }) => {
                    // MPI libraries print only the text of the error number, which does not mention
                    // memory.
                    tell(&format!("philae: process {}: {error}", host::process()));
                    return Err(libc::ENOSPC);
                }
                Err(error) => {
                    say(MessageLevel::Warn, &error.to_string());
                    return Err(libc::ENOMEM);
                }
            }
        }
        say(MessageLevel::Warn, &format!("process numbers {wanted:?} of cxi{device} with VNI {} are in use", self.vni));
        Err(libc::EADDRINUSE)
    }

    /// Its address; `None` before it is enabled.
    pub fn address(&self) -> Option<&EndpointAddress> {
        self.own.get().map(|own| &own.address)
    }

    /// Its area.
    ///
    /// # Errors
    /// The endpoint is not enabled.
    pub fn area(&self) -> Result<&Arc<SharedArea>, Errno> {
        self.own.get().map(|own| &own.area).ok_or(FI_EOPBADSTATE)
    }

    /// Its bindings.
    ///
    /// # Errors
    /// The endpoint is not enabled.
    pub fn bindings(&self) -> Result<&Bindings, Errno> {
        self.own.get().map(|own| &own.bindings).ok_or(FI_EOPBADSTATE)
    }

    pub fn state(&self) -> MutexGuard<'_, EndpointState> {
        // A panic under the lock is an error of this library, which the affected call has reported.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its own state, as other processes change it.
    ///
    /// # Errors
    /// The endpoint is not enabled, or a process died while it changed the state.
    pub fn enter(&self) -> Result<Entered<'_>, Errno> {
        self.area()?.enter().map_err(|_| libc::EOWNERDEAD)
    }

    /// Whether anything has arrived since the last check.
    pub fn has_news(&self) -> bool {
        self.own.get().is_some_and(|own| own.area.rung() != self.seen.load(Ordering::Acquire) || own.area.has_mail())
    }

    /// Sleeps until something arrives.
    pub fn sleep(&self, at_most: Duration) {
        match self.own.get() {
            Some(own) if self.has_remote.load(Ordering::Acquire) => self.sleep_among_hosts(own, at_most),
            Some(own) => own.area.sleep(self.seen.load(Ordering::Acquire), at_most),
            None => std::thread::sleep(at_most),
        }
    }

    /// Sleeps until something arrives, from this host or another. A thread cannot wait for bells
    /// and files at the same time: it detects one of the two immediately, the other a little later.
    fn sleep_among_hosts(&self, own: &Own, at_most: Duration) {
        let file = self.with_remote(|remote| {
            remote.prepare_sleep();
            Ok(remote.file())
        });
        let Ok(fd) = file else { return own.area.sleep(self.seen.load(Ordering::Acquire), at_most) };
        if self.has_news() {
            return;
        }
        let time = libc::timespec { tv_sec: 0, tv_nsec: at_most.min(SLEEP_AMONG_HOSTS).as_nanos() as libc::c_long };
        let mut poll = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        // SAFETY: one descriptor and a time, which outlive the call.
        unsafe { libc::ppoll(&raw mut poll, 1, &raw const time, std::ptr::null()) };
    }

    /// Wakes sleeping threads.
    pub fn wake(&self) {
        if let Some(own) = self.own.get() {
            own.area.ring();
        }
    }

    /// Takes what has arrived.
    pub fn progress(&self) {
        let Some(own) = self.own.get() else { return };
        self.poll_between_hosts();
        let rung = own.area.rung();
        if rung == self.seen.load(Ordering::Acquire) && !own.area.has_mail() {
            return;
        }
        let mut state = self.state();
        if self.drain(own, &mut state).unwrap_or(true) {
            self.seen.store(rung, Ordering::Release);
        }
        drop(state);
        if self.software.is_active() {
            drop(self.match_software());
        }
        self.domain.shown.refresh();
    }

    /// Polls the wire between hosts, often if a peer there is known.
    fn poll_between_hosts(&self) {
        if self.domain.settings.wires.bind.is_none() {
            return;
        }
        if !self.has_remote.load(Ordering::Acquire) {
            let idle_polls = self.idle_polls.load(Ordering::Relaxed).wrapping_add(1);
            self.idle_polls.store(idle_polls, Ordering::Relaxed);
            if !idle_polls.is_multiple_of(IDLE_POLLS) {
                return;
            }
            if !self.names.read().expect("no panic with it").is_empty() {
                self.expect_remote();
            }
        }
        self.polled_at.store(now_ns(), Ordering::Relaxed);
        self.poll_remote();
    }

    /// Takes events while there is room for their completions; returns whether all are taken.
    pub(super) fn drain(&self, own: &Own, state: &mut EndpointState) -> Result<bool, Errno> {
        let mut entered = own.area.enter().map_err(|_| libc::EOWNERDEAD)?;
        loop {
            let has_room = |bound: &Option<Bound>| bound.as_ref().is_none_or(|bound| bound.queue.has_room());
            if !has_room(&own.bindings.receive) || !has_room(&own.bindings.transmit) {
                return Ok(entered.process.events.is_empty());
            }
            let Some(event) = entered.process.events.pop() else {
                own.area.has_read_all();
                if own.area.has_mail() {
                    own.area.match_rest(&mut entered, &self.unexpected);
                }
                self.software.begin_if_asked(&entered);
                return Ok(true);
            };
            if event.kept_at != 0 {
                let bytes = entered.process.kept_for(&event);
                // SAFETY: the program has lent this memory to the receive until its completion.
                unsafe {
                    let place = event.address as usize as *mut u8;
                    std::ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len());
                }
                entered.process.release_kept(&event);
            }
            if let Some(fetched) = Some(event.kind)
                .filter(|kind| *kind == EventKind::Send)
                .and_then(|_| state.fetched.remove(&event.context))
            {
                Self::end_fetched(&mut entered, &fetched, &event);
                continue;
            }
            self.report(own, state, &event);
        }
    }

    /// Reports an event to the program.
    fn report(&self, own: &Own, state: &mut EndpointState, event: &NicEvent) {
        match event.kind {
            EventKind::Send => {
                if let Some(PendingOperation { reply, .. }) = state.pending.remove(&event.context) {
                    self.ended(&reply, event.code);
                }
            }
            EventKind::RemotePut | EventKind::RemoteGet | EventKind::Atomic => self.report_access(own, event),
            EventKind::Receive | EventKind::Put | EventKind::Get | EventKind::Search => self.report_receive(own, event),
        }
    }

    fn report_receive(&self, own: &Own, event: &NicEvent) {
        if let Some(counter) = &own.bindings.counters.receive {
            counter.count(event.code);
        }
        self.traffic.received(event.length);
        if let Some(peers) = self.traffic.peers.as_ref().filter(|_| event.code == ReturnCode::Ok) {
            peers.count(self.number_of(own, event.source), |peer| {
                peer.receives += 1;
                peer.received_bytes += event.length;
            });
        }
        let Some(Bound { queue, is_selective }) = &own.bindings.receive else { return };
        let is_wanted = !is_selective || event.flags & FI_COMPLETION != 0;
        if event.code == ReturnCode::Ok && !is_wanted {
            return;
        }
        let kind = if event.is_tagged { FI_TAGGED } else { FI_MSG };
        let last = if event.flags & FI_MULTI_RECV != 0 && self.fetching.is_released(event) { FI_MULTI_RECV } else { 0 };
        let has_data = event.flags & FI_REMOTE_CQ_DATA;
        queue.push(OperationResult {
            context: event.context,
            flags: FI_RECV | kind | last | has_data,
            length: event.length,
            buffer: event.address,
            data: event.data,
            tag: event.bits,
            source: self.number_of(own, event.source),
            code: event.code,
            errno: 0,
            lost: u64::from(event.lost),
        });
    }

    /// Reports a remote write with data.
    fn report_access(&self, own: &Own, event: &NicEvent) {
        let Some(Bound { queue, .. }) = &own.bindings.receive else { return };
        queue.push(OperationResult {
            flags: FI_RMA | FI_REMOTE_WRITE | FI_REMOTE_CQ_DATA,
            length: event.length,
            data: event.data,
            source: self.number_of(own, event.source),
            code: event.code,
            ..OperationResult::default()
        });
    }

    fn number_of(&self, own: &Own, source: u32) -> fi_addr_t {
        if source & REMOTE != 0 {
            let addresses = own.bindings.addresses.as_ref();
            let named = self.remote_name(source).zip(addresses);
            return named.map_or(NOT_AVAILABLE, |(socket, addresses)| addresses.number_of_socket(socket));
        }
        own.bindings.addresses.as_ref().map_or(NOT_AVAILABLE, |addresses| addresses.number_of(source))
    }

    /// The number in the address vector of the peer whose messages carry this source.
    pub fn sender(&self, source: u32) -> fi_addr_t {
        self.own.get().map_or(NOT_AVAILABLE, |own| self.number_of(own, source))
    }

    /// The endpoint's counter of operations of this kind.
    fn counter_of(bindings: &Bindings, kind: u64) -> Option<&Arc<FiCounter>> {
        let OperationCounters { send, read, write, .. } = &bindings.counters;
        match kind & (FI_SEND | FI_READ | FI_WRITE) {
            FI_SEND => send.as_ref(),
            FI_READ => read.as_ref(),
            _ => write.as_ref(),
        }
    }

    /// Whether the program learns of the success of an operation.
    pub fn is_awaited(&self, reply: &CompletionTarget) -> bool {
        let is_counted = |bindings| Self::counter_of(bindings, reply.kind).is_some();
        reply.is_reported
            || reply.extra.as_deref().is_some_and(|extra| extra.counter.is_some())
            || self.bindings().is_ok_and(is_counted)
    }

    /// Reports the end of an operation of this process.
    pub fn ended(&self, reply: &CompletionTarget, code: ReturnCode) {
        let Ok(bindings) = self.bindings() else { return };
        if let Some(Extra { counter: Some(counter), .. }) = reply.extra.as_deref() {
            counter.count(code);
            return;
        }
        if let Some(counter) = Self::counter_of(bindings, reply.kind) {
            counter.count(code);
        }
        if code != ReturnCode::Ok || reply.is_reported {
            self.complete(reply, code);
        }
    }

    #[inline]
    fn complete(&self, reply: &CompletionTarget, code: ReturnCode) {
        let Some(Bound { queue, .. }) = self.own.get().and_then(|own| own.bindings.transmit.as_ref()) else { return };
        let &CompletionTarget { context, kind, length, .. } = reply;
        queue.push(OperationResult {
            context,
            flags: kind,
            length,
            source: NOT_AVAILABLE,
            code,
            ..OperationResult::default()
        });
    }

    /// Whether an operation's completion has room; if not, the program tries again later.
    ///
    /// # Errors
    /// `EAGAIN`.
    pub fn check_room(&self) -> Result<&Bindings, Errno> {
        let bindings = self.bindings()?;
        match &bindings.transmit {
            Some(bound) if !bound.queue.has_room() => Err(libc::EAGAIN),
            _ => Ok(bindings),
        }
    }

    /// Registers an operation that another process will end; returns its handle.
    pub fn await_end(&self, state: &mut EndpointState, reply: CompletionTarget, peer: &Arc<SharedArea>) -> u64 {
        let handle = state.next_handle();
        state.pending.insert(handle, PendingOperation { reply, peer: Arc::clone(peer) });
        handle
    }

    /// Removes an operation that has ended already, or has not begun.
    pub fn end_here(&self, state: &mut EndpointState, handle: u64) -> Option<CompletionTarget> {
        state.pending.remove(&handle).map(|pending| pending.reply)
    }

    /// The area of the peer on this host whose messages carry this source.
    pub fn neighbour(&self, source: u32) -> Option<Arc<SharedArea>> {
        let own = self.own.get()?;
        if source == own.address.source() {
            return Some(Arc::clone(&own.area));
        }
        let mut state = self.state();
        if let Some(area) = state.neighbours.get(&source).filter(|area| !area.is_closed()) {
            return Some(Arc::clone(area));
        }
        let address = own.address.with_place_of(source);
        let area = self.domain.area(&address).ok()?;
        // Another process may have its process number by now.
        if (EndpointAddress { incarnation: area.incarnation(), ..address }).source() != source {
            return None;
        }
        state.neighbours.insert(source, Arc::clone(&area));
        Some(area)
    }

    /// Tells the sender of a message that it has been taken.
    pub fn tell_taken(&self, source: u32, handle: u64, code: ReturnCode) {
        if handle == 0 {
            return;
        }
        if handle & IN_UNEXPECTED_BUFFER != 0 {
            drop(self.unexpected.take(handle));
            return;
        }
        if source & REMOTE != 0 {
            if let Some(socket) = self.remote_name(source) {
                let _ = self.with_remote(|remote| {
                    remote.tell_taken(self, socket, handle, code);
                    Ok(())
                });
            }
            return;
        }
        if self.is_simulated(source) {
            return self.discard_simulated(source, handle);
        }
        let Some(area) = self.neighbour(source) else { return };
        let Ok(mut entered) = area.enter() else { return };
        entered.process.end_access(NicEvent { context: handle, kind: EventKind::Send, code, ..NicEvent::default() });
        drop(entered);
        area.ring();
    }

    /// Rings a peer's bell, or defers that while a bundle continues. A process that is awake sees
    /// mail (`is_mailed`) without the bell.
    pub fn ring(&self, state: &mut EndpointState, area: &Arc<SharedArea>, flags: u64, is_mailed: bool) {
        if flags & FI_MORE != 0 {
            if !state.unrung.iter().any(|known| Arc::ptr_eq(known, area)) {
                state.unrung.push(Arc::clone(area));
            }
            return;
        }
        self.traffic.doorbell();
        if is_mailed {
            area.nudge()
        } else {
            area.ring()
        }
        for deferred in state.unrung.drain(..) {
            if !Arc::ptr_eq(&deferred, area) {
                deferred.ring();
            }
        }
    }
}
