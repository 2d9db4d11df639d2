//! The event loop (`FabricControl`) with its agents: simulated in this process, or connected over
//! the network.

mod connected;
mod simulated;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use philae_agent::{FromAgent, SimulatedFabric, ToAgent, ToBody};
use philae_manager_core::{
    Cause, ControlOutput, ControlSettings, DeviceState, Expected, FabricControl, Input, Unusable,
};
use philae_route_tables::FabricWiring;
use philae_units::SwitchId;
use prost::Message;
use simulated::Simulated;

use crate::clock::LoopClock;
use crate::events::log::EventLog;
use crate::events::{Events, Happened};
use crate::log;
use crate::measured::Reroutes;
use crate::names::FabricNames;
pub use connected::{AgentsEnd, AgentsError, Wake};

/// Messages and encoded bytes between manager and agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgentTraffic {
    /// Messages to agents.
    pub messages_out: u64,
    /// Their bytes.
    pub bytes_out: u64,
    /// Messages from agents.
    pub messages_in: u64,
    /// Their bytes.
    pub bytes_in: u64,
}

/// The agents of a plant.
#[derive(Debug)]
enum Agents {
    /// None: the manager does not lead.
    Nobody,
    Simulated(Box<Simulated>),
    Connected(Box<AgentsEnd>),
}

/// The control loop with its agents.
#[derive(Debug)]
pub struct ControlLoop {
    /// The control loop: decides on links, tables and orders.
    pub control: FabricControl,
    /// Messages between it and agents.
    pub traffic: AgentTraffic,
    /// How long new tables took.
    pub reroutes: Reroutes,
    /// Events for watchers.
    pub events: Arc<Events>,
    /// The file of events.
    pub event_log: Option<EventLog>,
    /// The epoch of another manager that agents obey instead of this one.
    pub fenced: Option<u64>,
    /// The rollout of firmware that gives orders to a switch, if no operator does.
    pub(crate) on_behalf: BTreeMap<SwitchId, Arc<str>>,
    names: Arc<FabricNames>,
    /// Switches that were not well at their last event.
    troubled: BTreeSet<SwitchId>,
    agents: Agents,
    epoch: u64,
    clock: LoopClock,
}

/// Receives the agents' input: counts it, adds the time, and passes it to the control loop.
struct MessageSink<'a> {
    control: &'a mut FabricControl,
    traffic: &'a mut AgentTraffic,
    clock: LoopClock,
}

impl MessageSink<'_> {
    fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    fn deliver(&mut self, input: Input) {
        self.control.handle(self.now_ms(), input);
    }

    fn deliver_message(&mut self, switch: SwitchId, message: FromAgent) {
        self.traffic.messages_in += 1;
        self.traffic.bytes_in += message.encoded_len() as u64;
        self.deliver(Input::Message(switch, message));
    }

    fn count_order(&mut self, order: &ToAgent) {
        self.traffic.messages_out += 1;
        self.traffic.bytes_out += order.encoded_len() as u64;
    }
}

/// The longest time that [`ControlLoop::run`] takes while agents keep sending.
///
/// Source: ours. Status: assumed; a request of the API waits for agents this long at most.
const TURN: Duration = Duration::from_millis(20);

impl ControlLoop {
    /// A simulated fabric with power, in this process, whose agents begin to connect.
    #[must_use]
    pub fn new(wiring: Arc<FabricWiring>, names: Arc<FabricNames>, epoch: u64, settings: ControlSettings) -> Self {
        let simulated = Simulated::new(Arc::clone(&wiring), Arc::clone(&names) as Arc<dyn philae_agent::HardwareNames>);
        Self::with(Agents::Simulated(Box::new(simulated)), wiring, names, epoch, settings)
    }

    /// Agents that connect over the network.
    #[must_use]
    pub fn connected(
        wiring: Arc<FabricWiring>,
        names: Arc<FabricNames>,
        epoch: u64,
        settings: ControlSettings,
        agents: AgentsEnd,
    ) -> Self {
        Self::with(Agents::Connected(Box::new(agents)), wiring, names, epoch, settings)
    }

    /// No agents, for a manager that does not lead. There is never anything to do.
    #[must_use]
    pub fn idle(wiring: Arc<FabricWiring>, names: Arc<FabricNames>, epoch: u64, settings: ControlSettings) -> Self {
        Self::with(Agents::Nobody, wiring, names, epoch, settings)
    }

    /// Whether there are no agents at all.
    #[must_use]
    pub const fn is_idle(&self) -> bool {
        matches!(self.agents, Agents::Nobody)
    }

    fn with(
        agents: Agents,
        wiring: Arc<FabricWiring>,
        names: Arc<FabricNames>,
        epoch: u64,
        settings: ControlSettings,
    ) -> Self {
        Self {
            control: FabricControl::new(wiring, Arc::clone(&names) as Arc<dyn Expected>, epoch, settings),
            traffic: AgentTraffic::default(),
            reroutes: Reroutes::default(),
            events: Arc::default(),
            event_log: None,
            fenced: None,
            on_behalf: BTreeMap::new(),
            names,
            troubled: BTreeSet::new(),
            agents,
            epoch,
            clock: LoopClock::default(),
        }
    }

    /// Continues an earlier plant: its clock, counters and watchers.
    #[must_use]
    pub fn after(mut self, before: &Self) -> Self {
        self.events = Arc::clone(&before.events);
        self.event_log.clone_from(&before.event_log);
        self.traffic = before.traffic;
        self.reroutes = before.reroutes.clone();
        self.clock = before.clock;
        self
    }

    /// The epoch that orders carry.
    #[must_use]
    pub const fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Milliseconds since the manager began.
    #[must_use]
    pub fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// Moves the time forward; from then on it stands. For tests in simulated time.
    pub fn advance(&mut self, by: Duration) {
        self.clock.advance(by);
    }

    /// The fabric, if it is simulated in this process.
    #[must_use]
    pub fn fabric(&self) -> Option<&SimulatedFabric> {
        match &self.agents {
            Agents::Simulated(simulated) => Some(&simulated.fabric),
            Agents::Connected(_) | Agents::Nobody => None,
        }
    }

    /// The fabric, to cause failures in it, if it is simulated in this process.
    pub fn fabric_mut(&mut self) -> Option<&mut SimulatedFabric> {
        match &mut self.agents {
            Agents::Simulated(simulated) => Some(&mut simulated.fabric),
            Agents::Connected(_) | Agents::Nobody => None,
        }
    }

    /// The end for connected agents, if there is one.
    #[must_use]
    pub fn agents(&self) -> Option<&AgentsEnd> {
        match &self.agents {
            Agents::Simulated(_) | Agents::Nobody => None,
            Agents::Connected(connected) => Some(connected),
        }
    }

    /// Switches a simulated switch off or on. Returns whether switches are simulated here.
    pub fn set_power(&mut self, switch: SwitchId, on: bool) -> bool {
        let mut control_loop =
            MessageSink { control: &mut self.control, traffic: &mut self.traffic, clock: self.clock };
        match &mut self.agents {
            Agents::Simulated(simulated) => simulated.set_power(&mut control_loop, switch, on),
            Agents::Connected(_) | Agents::Nobody => return false,
        }
        true
    }

    /// Breaks the connection of a simulated switch: its agent reconnects and reports everything
    /// again.
    pub fn reconnect(&mut self, switch: SwitchId) {
        let mut control_loop =
            MessageSink { control: &mut self.control, traffic: &mut self.traffic, clock: self.clock };
        if let Agents::Simulated(simulated) = &mut self.agents {
            simulated.disconnect(&mut control_loop, switch);
        }
    }

    /// Does everything that is due, and returns when the next thing is. If agents keep sending, it
    /// ends after `TURN` and returns the present time.
    pub fn run(&mut self) -> Option<u64> {
        let turn = Instant::now();
        loop {
            let mut control_loop =
                MessageSink { control: &mut self.control, traffic: &mut self.traffic, clock: self.clock };
            match &mut self.agents {
                Agents::Simulated(simulated) => simulated.speak(&mut control_loop),
                Agents::Connected(connected) => connected.speak(&mut control_loop),
                Agents::Nobody => return None,
            }
            let now_ms = control_loop.now_ms();
            let began = Instant::now();
            let outputs = control_loop.control.flush(now_ms);
            let computed = began.elapsed();
            let stages = |output: &ControlOutput| matches!(output, ControlOutput::Send(_, message) if matches!(message.body, Some(ToBody::Stage(_))));
            let reroute = control_loop.control.rollout().filter(|_| outputs.iter().any(stages));
            if let Some(rollout) = reroute {
                self.reroutes.received.observe(Duration::from_millis(now_ms.saturating_sub(rollout.event_ms)));
                self.reroutes.computed.observe(computed);
            }
            let waits = match &self.agents {
                Agents::Simulated(simulated) => simulated.has_more(self.now_ms()),
                Agents::Connected(connected) => connected.has_more(),
                Agents::Nobody => false,
            };
            if outputs.is_empty() && !waits {
                break;
            }
            let sending = Instant::now();
            self.carry_out(outputs);
            if reroute.is_some() {
                self.reroutes.sent.observe(sending.elapsed());
            }
            if matches!(self.agents, Agents::Connected(_)) && turn.elapsed() > TURN {
                return Some(self.now_ms());
            }
        }
        let agents = match &self.agents {
            Agents::Simulated(simulated) => simulated.next_ms(),
            Agents::Connected(_) | Agents::Nobody => None,
        };
        [self.control.next_deadline_ms(), agents].into_iter().flatten().min()
    }

    /// Waits until agents send something, for `most` at the longest. Simulated agents send only as
    /// time passes.
    pub fn wait(&mut self, most: Duration) {
        match &mut self.agents {
            _ if self.clock.is_simulated() => self.clock.advance(most),
            Agents::Simulated(_) | Agents::Nobody => std::thread::sleep(most),
            Agents::Connected(connected) => connected.wait(most),
        }
    }

    /// Publishes an event to watchers, and writes it to the file if `is_kept`.
    pub fn publish(&self, what: Happened, is_kept: bool) {
        let event = self.events.publish(what, is_kept);
        if let Some(log) = self.event_log.as_ref().filter(|_| is_kept) {
            log.keep(event);
        }
    }

    fn carry_out(&mut self, outputs: Vec<ControlOutput>) {
        let (mut orders, mut happened) = (Vec::new(), Vec::new());
        let mut control_loop =
            MessageSink { control: &mut self.control, traffic: &mut self.traffic, clock: self.clock };
        for output in outputs {
            match output {
                ControlOutput::Send(switch, message) => orders.push((switch, message)),
                ControlOutput::Close(switch, reason) => {
                    log::closed(&self.names, switch, &reason);
                    match &mut self.agents {
                        Agents::Simulated(simulated) => simulated.disconnect(&mut control_loop, switch),
                        Agents::Connected(connected) => connected.close(switch, reason),
                        Agents::Nobody => {}
                    }
                }
                ControlOutput::Device { switch } => {
                    let view = control_loop.control.device(switch);
                    let well = matches!(
                        control_loop.control.device_state(switch),
                        DeviceState::Connected | DeviceState::Configuring | DeviceState::Synced
                    );
                    let was_troubled = self.troubled.contains(&switch);
                    log::device(control_loop.control, &self.names, switch, was_troubled);
                    // The steps of a switch to its desired state are of no interest afterwards.
                    let is_kept = !well || was_troubled && view.state == DeviceState::Synced;
                    let cause = match self.on_behalf.get(&switch) {
                        Some(by) if view.cause == Cause::Operator => format!("by order of {by}"),
                        Some(by) if control_loop.control.is_in_maintenance(switch) => {
                            format!("{}; restarting for an upgrade (planned), by {by}", view.cause)
                        }
                        _ => view.cause.to_string(),
                    };
                    happened.push((Happened::Device(switch, view.state, cause), is_kept));
                    if !well {
                        self.troubled.insert(switch);
                    } else if control_loop.control.device_state(switch) == DeviceState::Synced {
                        self.troubled.remove(&switch);
                    }
                }
                ControlOutput::Link { port, up, has_tables } => {
                    log::link(&self.names, port, up);
                    let why = control_loop.control.unusable(port).filter(|_| !up);
                    let far = control_loop.control.wiring().peer(port);
                    let ends =
                        [Some(port), far].into_iter().flatten().map(|end| control_loop.control.wiring().split(end).0);
                    let by = ends.filter_map(|switch| self.on_behalf.get(&switch)).next();
                    let by = by.filter(|_| why == Some(Unusable::Drained)).cloned();
                    happened.push((Happened::Link(port, why, by), has_tables));
                }
                ControlOutput::Nic { port, state, has_tables } => {
                    happened.push((Happened::Nic(port, state), has_tables));
                }
                ControlOutput::Published(published) => {
                    let took = published.done_ms.saturating_sub(published.event_ms);
                    self.reroutes.acknowledged.observe(Duration::from_millis(took));
                    log::published(&published);
                    happened.push((Happened::Published(published), false));
                }
                ControlOutput::Fenced { epoch } => {
                    if self.fenced.is_none() {
                        log::fenced(epoch);
                        happened.push((Happened::Fenced(epoch), true));
                    }
                    self.fenced = Some(epoch);
                }
            }
        }
        for (what, is_kept) in happened {
            let event = self.events.publish(what, is_kept);
            if let Some(log) = self.event_log.as_ref().filter(|_| is_kept) {
                log.keep(event);
            }
        }
        if self.fenced.is_some() {
            // Agents would refuse the orders; the manager that they obey gives its own.
            return;
        }
        for (switch, message) in orders {
            match &mut self.agents {
                Agents::Simulated(simulated) => simulated.tell(&mut control_loop, switch, message),
                Agents::Connected(connected) => connected.tell(&mut control_loop, switch, &message),
                Agents::Nobody => {}
            }
        }
    }
}
