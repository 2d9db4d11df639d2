//! Running agents: each connects, reports, carries out orders, and reconnects.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use philae_agent::{Agent, ConfigSection, FromAgent, Operate, SimulatedFabric, SwitchControl, ToAgent, ToBody};
use philae_units::SwitchId;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::ca::{CertifiedKey, renewal_at};
use crate::client::{AgentClient, AgentClientError, ServerStream};
use crate::registry::RENEW;
use crate::settings::LinkSettings;
use crate::status::GrpcStatus;
use crate::{end_of, unix_seconds};

/// The agents that one process runs. Times are milliseconds of a monotonic clock.
pub trait Driven: Send + 'static {
    /// Number of agents.
    fn count(&self) -> usize;
    /// Whether the switch has power.
    fn is_on(&self, index: usize) -> bool;
    /// A connection is open: returns the hello.
    fn connected(&mut self, index: usize, now_ms: u64) -> FromAgent;
    /// The connection is closed.
    fn disconnected(&mut self, index: usize);
    /// Messages that the agent sends unasked.
    fn poll(&mut self, index: usize, now_ms: u64) -> Vec<FromAgent>;
    /// Carries out an order. Returns the answer, and whether the switch restarts: the stream is
    /// then closed.
    fn handle(&mut self, index: usize, now_ms: u64, message: ToAgent) -> (Option<FromAgent>, bool);
    /// When the agent next has a message to send.
    fn deadline_ms(&self, index: usize) -> Option<u64>;
    /// Agents that have had a message to send since the previous call.
    fn take_touched(&mut self) -> Vec<usize>;
    /// Additional delay of a message to or from this switch, on top of the network's.
    fn delay(&mut self, index: usize) -> Duration {
        let _ = index;
        Duration::ZERO
    }
}

impl Driven for SimulatedFabric {
    fn count(&self) -> usize {
        self.wiring().switch_count()
    }

    fn is_on(&self, index: usize) -> bool {
        self.is_powered(SwitchId::from_index(index))
    }

    fn connected(&mut self, index: usize, now_ms: u64) -> FromAgent {
        self.agent_mut(SwitchId::from_index(index)).connected(now_ms)
    }

    fn disconnected(&mut self, index: usize) {
        self.agent_mut(SwitchId::from_index(index)).disconnected();
    }

    fn poll(&mut self, index: usize, now_ms: u64) -> Vec<FromAgent> {
        self.go_on_with_upgrades(now_ms);
        self.agent_mut(SwitchId::from_index(index)).poll(now_ms)
    }

    fn handle(&mut self, index: usize, now_ms: u64, message: ToAgent) -> (Option<FromAgent>, bool) {
        let switch = SwitchId::from_index(index);
        let configured = match &message.body {
            Some(ToBody::Configure(configure)) => ConfigSection::from_number(configure.section),
            _ => None,
        };
        let answer = self.agent_mut(switch).handle(now_ms, message);
        if let Some(section) = configured {
            self.share(switch, section);
        }
        if self.agent_mut(switch).switch_mut().take_reconfigured() {
            self.reconfigured(switch);
        }
        self.begin_upgrade(switch, now_ms);
        let restarts = self.agent_mut(switch).switch_mut().take_reboot();
        if restarts {
            self.set_power(switch, false);
            self.set_power(switch, true);
        }
        (answer, restarts)
    }

    fn deadline_ms(&self, index: usize) -> Option<u64> {
        self.agent(SwitchId::from_index(index)).next_deadline_ms()
    }

    fn take_touched(&mut self) -> Vec<usize> {
        Self::take_touched(self).into_iter().map(SwitchId::index).collect()
    }
}

/// The agent of one switch.
#[derive(Debug)]
pub struct OneAgent<S>(pub Agent<S>);

impl<S: SwitchControl + Send + 'static> Driven for OneAgent<S> {
    fn count(&self) -> usize {
        1
    }

    fn is_on(&self, _: usize) -> bool {
        true
    }

    fn connected(&mut self, _: usize, now_ms: u64) -> FromAgent {
        self.0.connected(now_ms)
    }

    fn disconnected(&mut self, _: usize) {
        self.0.disconnected();
    }

    fn poll(&mut self, _: usize, now_ms: u64) -> Vec<FromAgent> {
        self.0.poll(now_ms)
    }

    fn handle(&mut self, _: usize, now_ms: u64, message: ToAgent) -> (Option<FromAgent>, bool) {
        (self.0.handle(now_ms, message), false)
    }

    fn deadline_ms(&self, _: usize) -> Option<u64> {
        self.0.next_deadline_ms()
    }

    fn take_touched(&mut self) -> Vec<usize> {
        // Asking a switch costs little: its agent finds nothing new if nothing has changed.
        vec![0]
    }
}

/// Interval at which agents check whether their switches have something to report.
///
/// Source: ours. Status: assumed; it bounds the delay of a port's change.
const TOUCH_PERIOD: Duration = Duration::from_millis(20);

/// A connection that streams share, with the expiry of the certificate that it uses; `None` before
/// the first connection.
type Connection = tokio::sync::Mutex<Option<(Arc<AgentClient>, u64)>>;

struct Shared<D> {
    agents: Arc<Mutex<D>>,
    /// Managers: only the leader accepts agents.
    addresses: Vec<SocketAddr>,
    /// Index of the manager to try next; each failure adds one.
    at: AtomicUsize,
    settings: LinkSettings,
    identity: Arc<RwLock<CertifiedKey>>,
    /// Each with the expiry of the certificate that it uses.
    connections: Vec<Connection>,
    touched: Vec<Notify>,
    /// The driven agents' state was changed from outside.
    changed: Arc<Notify>,
    /// The manager has asked for new certificates.
    renew: Notify,
    asked: AtomicBool,
    /// How often a certificate was replaced because the manager had asked for it.
    replaced: AtomicUsize,
    began: Instant,
    troubles: Arc<Mutex<FailedAttempts>>,
}

/// Time over which streams are replaced after the manager has asked for new certificates, so that
/// they do not all reconnect together.
///
/// Source: ours. Status: assumed; 2,464 switches are then 250 streams a second.
const REPLACED_WITHIN: Duration = Duration::from_secs(10);

/// A stream that breaks within this time counts as not accepted.
///
/// Source: ours. Status: assumed.
const AT_ONCE: Duration = Duration::from_secs(2);

/// Failed attempts to reach a manager since the last [`RunningAgents::take_troubles`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailedAttempts {
    /// Number of failures.
    pub failed: u64,
    /// Why the last attempt failed, with its address.
    pub why: Option<String>,
}

/// Running agents. Dropping this stops them.
#[derive(Debug)]
pub struct RunningAgents<D> {
    agents: Arc<Mutex<D>>,
    identity: Arc<RwLock<CertifiedKey>>,
    changed: Arc<Notify>,
    troubles: Arc<Mutex<FailedAttempts>>,
    tasks: Vec<JoinHandle<()>>,
}

impl<D> Drop for RunningAgents<D> {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

impl<D> RunningAgents<D> {
    /// The agents, to inspect or to change their state.
    pub fn agents(&self) -> MutexGuard<'_, D> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Call this after changing the agents' state: agents with something to report send it
    /// immediately.
    pub fn changed(&self) {
        self.changed.notify_one();
    }

    /// The failed attempts since the previous call, for a log.
    pub fn take_troubles(&self) -> FailedAttempts {
        std::mem::take(&mut *self.troubles.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The present certificate. Keep it: a restarted program begins with it.
    #[must_use]
    pub fn identity(&self) -> CertifiedKey {
        self.identity.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Runs agents against a manager with one certificate, on as many connections as their number
/// needs. Call this within a runtime.
#[must_use]
pub fn run_agents<D: Driven>(
    agents: D,
    address: SocketAddr,
    identity: CertifiedKey,
    settings: LinkSettings,
) -> RunningAgents<D> {
    run_agents_of(agents, vec![address], identity, settings)
}

/// As [`run_agents`], with several managers of which one leads. If one does not accept the agents,
/// they try the next.
///
/// # Panics
/// Without any address.
#[must_use]
pub fn run_agents_of<D: Driven>(
    agents: D,
    addresses: Vec<SocketAddr>,
    identity: CertifiedKey,
    settings: LinkSettings,
) -> RunningAgents<D> {
    assert!(!addresses.is_empty(), "agents need a manager's address");
    let count = agents.count();
    let connections = count.div_ceil(settings.streams_per_connection.max(1) as usize).max(1);
    let agents = Arc::new(Mutex::new(agents));
    let identity = Arc::new(RwLock::new(identity));
    let changed = Arc::new(Notify::new());
    let troubles = Arc::new(Mutex::new(FailedAttempts::default()));
    let shared = Arc::new(Shared {
        agents: Arc::clone(&agents),
        addresses,
        at: AtomicUsize::new(0),
        settings,
        identity: Arc::clone(&identity),
        connections: (0..connections).map(|_| tokio::sync::Mutex::new(None)).collect(),
        touched: (0..count).map(|_| Notify::new()).collect(),
        changed: Arc::clone(&changed),
        renew: Notify::new(),
        asked: AtomicBool::new(false),
        replaced: AtomicUsize::new(0),
        began: Instant::now(),
        troubles: Arc::clone(&troubles),
    });
    let mut tasks: Vec<_> = (0..count).map(|index| tokio::spawn(run_one(Arc::clone(&shared), index))).collect();
    tasks.push(tokio::spawn(touch(Arc::clone(&shared))));
    tasks.push(tokio::spawn(renew(shared)));
    RunningAgents { agents, identity, changed, troubles, tasks }
}

impl<D: Driven> Shared<D> {
    fn held(&self) -> MutexGuard<'_, D> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn trouble(&self, error: &AgentClientError) {
        let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        troubles.failed += 1;
        troubles.why = Some(error.to_string());
    }

    fn now_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// The connection of an agent, and when its certificate expires. The first agent that needs the
    /// connection opens it.
    async fn connection(&self, index: usize) -> Result<(Arc<AgentClient>, u64), AgentClientError> {
        let mut slot = self.connections[index % self.connections.len()].lock().await;
        if let Some((client, end)) = slot.as_ref().filter(|(client, _)| !client.is_over()) {
            return Ok((Arc::clone(client), *end));
        }
        let identity = self.identity.read().unwrap_or_else(PoisonError::into_inner).clone();
        let at = self.at.load(Ordering::Relaxed);
        let address = self.addresses[at % self.addresses.len()];
        let client = match AgentClient::connect(address, &identity, self.settings).await {
            Ok(client) => Arc::new(client),
            Err(error) => {
                // If another agent has moved on already, its move counts for all.
                let _ = self.at.compare_exchange(at, at.wrapping_add(1), Ordering::Relaxed, Ordering::Relaxed);
                return Err(error);
            }
        };
        let end = end_of(&identity.certificate).unwrap_or(0);
        *slot = Some((Arc::clone(&client), end));
        Ok((client, end))
    }

    /// Waits until the manager asks for new certificates.
    async fn asked(&self) {
        while !self.asked.load(Ordering::Acquire) {
            self.renew.notified().await;
        }
    }
}

/// When a stream is replaced by one that uses the renewed certificate, after renewal is due. The
/// time is random, so that not all streams reconnect together.
fn giving_way(end: u64) -> Duration {
    let left = Duration::from_secs(end.saturating_sub(unix_seconds()));
    (left.mul_f64(0.8) + jitter(left.mul_f64(0.15))).max(Duration::from_secs(1))
}

/// Wakes agents whose switches have something to report.
async fn touch<D: Driven>(shared: Arc<Shared<D>>) {
    loop {
        tokio::select! { () = tokio::time::sleep(TOUCH_PERIOD) => {}, () = shared.changed.notified() => {} }
        let touched = shared.held().take_touched();
        touched.into_iter().filter_map(|index| shared.touched.get(index)).for_each(Notify::notify_one);
    }
}

/// A random time up to `most`, so that agents do not all come together.
fn jitter(most: Duration) -> Duration {
    let mut bytes = [0; 4];
    // Without random numbers there is no TLS either.
    let _ = ring::rand::SecureRandom::fill(&ring::rand::SystemRandom::new(), &mut bytes);
    most.mul_f64(f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX))
}

async fn run_one<D: Driven>(shared: Arc<Shared<D>>, index: usize) {
    let settings = shared.settings;
    let mut backoff = settings.backoff_first;
    // A stream stays open until its replacement is open, so that the manager never loses the
    // switch.
    let mut standing = None;
    loop {
        let mut pushback = Duration::ZERO;
        let was_on = shared.held().is_on(index);
        if was_on {
            match open(&shared, index).await {
                Ok((client, end, mut stream)) => {
                    if let Some((client, stream, _)) = standing.take() {
                        closed_by_the_manager(client, stream);
                    }
                    backoff = settings.backoff_first;
                    let began = Instant::now();
                    // The stream is open. A certificate that the manager does not accept shows
                    // here, immediately.
                    match speak(&shared, index, end, &mut stream).await {
                        Ok(Spoken::GivesWay) => {
                            standing = Some((client, stream, Instant::now()));
                            continue;
                        }
                        Ok(Spoken::SwitchOff) => {}
                        Err(error) if began.elapsed() < AT_ONCE => shared.trouble(&error),
                        Err(_) => {}
                    }
                }
                Err(error) => {
                    if let AgentClientError::Closed(GrpcStatus { retry_ms: Some(retry_ms), .. }) = &error {
                        pushback = Duration::from_millis(*retry_ms);
                    }
                    shared.trouble(&error);
                }
            }
        }
        // A busy manager may not accept the replacement immediately. The old stream then stays
        // open.
        let is_on = shared.held().is_on(index);
        let stands = standing.as_ref().is_some_and(|(.., since)| is_on && since.elapsed() < REPLACED_WITHIN);
        if !stands {
            drop(standing.take());
            if was_on {
                shared.held().disconnected(index);
            }
        }
        tokio::time::sleep(pushback + backoff / 2 + jitter(backoff / 2)).await;
        backoff = (backoff * 2).min(settings.backoff_most);
    }
}

async fn open<D: Driven>(
    shared: &Shared<D>,
    index: usize,
) -> Result<(Arc<AgentClient>, u64, ServerStream), AgentClientError> {
    let (client, end) = shared.connection(index).await?;
    let hello = shared.held().connected(index, shared.now_ms());
    let stream = client.attend(&hello).await?;
    Ok((client, end, stream))
}

/// Waits until the manager closes a stream that another one has replaced. If the agent closed it,
/// the manager might see its end before the replacement.
fn closed_by_the_manager(client: Arc<AgentClient>, mut stream: ServerStream) {
    tokio::spawn(async move {
        let closing = async { while stream.next().await.is_ok() {} };
        // A manager that does not close it in time has other problems.
        let _ = tokio::time::timeout(REPLACED_WITHIN, closing).await;
        drop(client);
    });
}

/// Why an agent stops using a stream.
enum Spoken {
    /// Another certificate replaces the stream's.
    GivesWay,
    /// The switch is off, or restarts.
    SwitchOff,
}

async fn speak<D: Driven>(
    shared: &Shared<D>,
    index: usize,
    end: u64,
    stream: &mut ServerStream,
) -> Result<Spoken, AgentClientError> {
    let mut gives_way = Instant::now() + giving_way(end);
    let mut replaced = shared.replaced.load(Ordering::Acquire);
    while Instant::now() < gives_way {
        let now_replaced = shared.replaced.load(Ordering::Acquire);
        if now_replaced != replaced {
            // The certificate of this stream must be replaced: its root may be retired.
            replaced = now_replaced;
            gives_way = gives_way.min(Instant::now() + jitter(REPLACED_WITHIN));
        }
        let deadline_ms = shared.held().deadline_ms(index).unwrap_or(u64::MAX);
        let until = Duration::from_millis(deadline_ms.saturating_sub(shared.now_ms()).min(3_600_000));
        let until = until.min(gives_way.saturating_duration_since(Instant::now()));
        let message = tokio::select! {
            message = stream.next() => Some(message?),
            () = shared.touched[index].notified() => None,
            () = tokio::time::sleep(until) => None,
        };
        if !shared.held().is_on(index) {
            return Ok(Spoken::SwitchOff);
        }
        let delay = shared.held().delay(index);
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        match message {
            Some(ToAgent { body: Some(ToBody::Operate(Operate { operation: RENEW, .. })), .. }) => {
                shared.asked.store(true, Ordering::Release);
                shared.renew.notify_one();
            }
            Some(message) => {
                let (answer, restarts) = shared.held().handle(index, shared.now_ms(), message);
                if restarts {
                    return Ok(Spoken::SwitchOff);
                }
                if let Some(answer) = answer {
                    stream.send(&answer).await?;
                }
            }
            None => {
                let said = shared.held().poll(index, shared.now_ms());
                for message in said {
                    stream.send(&message).await?;
                }
            }
        }
    }
    Ok(Spoken::GivesWay)
}

/// Renews the certificate after two thirds of its life; later connections use the new one.
async fn renew<D: Driven>(shared: Arc<Shared<D>>) {
    let mut from = unix_seconds();
    loop {
        let end = end_of(&shared.identity.read().unwrap_or_else(PoisonError::into_inner).certificate).unwrap_or(0);
        let wait = renewal_at(from, end).saturating_sub(unix_seconds());
        let was_asked = tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(wait)) => false,
            // The manager asked all agents of the fabric together.
            () = shared.asked() => {
                tokio::time::sleep(jitter(shared.settings.backoff_most)).await;
                true
            }
        };
        // All agents that were asked so far get the same certificate.
        shared.asked.store(false, Ordering::Release);
        let renewed = match shared.connection(0).await {
            Ok((client, _)) => client.renew().await,
            Err(error) => Err(error),
        };
        match renewed {
            Ok(identity) => {
                *shared.identity.write().unwrap_or_else(PoisonError::into_inner) = identity;
                from = unix_seconds();
                // The next agents that connect open connections with it; open streams hold the old
                // connections.
                for slot in &shared.connections {
                    slot.lock().await.take();
                }
                if was_asked {
                    shared.replaced.fetch_add(1, Ordering::AcqRel);
                    shared.touched.iter().for_each(Notify::notify_one);
                }
            }
            Err(error) => {
                shared.trouble(&error);
                tokio::time::sleep(shared.settings.backoff_most + jitter(shared.settings.backoff_most)).await;
            }
        }
    }
}
