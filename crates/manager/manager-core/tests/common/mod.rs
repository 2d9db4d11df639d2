//! A manager, agents and the network between them, in one thread and in simulated time.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_agent::{FromAgent, Numbered, SimulatedFabric, SwitchControl, ToAgent};
use philae_engine::RandomStream;
use philae_manager_core::{ControlOutput, ControlSettings, DeviceState, FabricControl, Input};
use philae_route_tables::{FabricWiring, LiveLinks, Parameters, RoutePlan, verify};
use philae_topology::{DragonflyDescription, Topology};
use philae_units::SwitchId;
use prost::Message;

/// A message in flight, with its connection.
#[derive(Debug)]
enum Packet {
    Connect(SwitchId),
    ToManager(SwitchId, u64, Vec<u8>),
    ToAgent(SwitchId, u64, Vec<u8>),
}

/// The complete system.
pub struct World {
    pub fabric: SimulatedFabric,
    pub control: FabricControl,
    pub epoch: u64,
    pub now_ms: u64,
    /// Least and greatest time that a message takes, milliseconds.
    pub latency_ms: (u64, u64),
    /// Random numbers for latencies and faults.
    pub random: RandomStream,
    wire: BTreeMap<(u64, u64), Packet>,
    /// When the last message of each direction of a connection arrives: a stream keeps its order.
    last: BTreeMap<(u32, bool), u64>,
    /// Number of the connection of each switch; `None` while it is not connected.
    connection: Vec<Option<u64>>,
    sent: u64,
    pub fenced: bool,
}

pub fn wiring() -> Arc<FabricWiring> {
    let topology = Topology::build(&DragonflyDescription::uniform(4, 4, 2, 2).into()).expect("it fits 64 ports");
    Arc::new(FabricWiring::of(&topology).expect("64 ports at most"))
}

impl World {
    pub fn new(seed: u64) -> Self {
        let wiring = wiring();
        let count = wiring.switch_count();
        let fabric = SimulatedFabric::new(Arc::clone(&wiring), Arc::new(Numbered));
        let mut world = Self {
            fabric,
            control: FabricControl::new(wiring, Arc::new(Numbered), 1, ControlSettings::default()),
            epoch: 1,
            now_ms: 1_000,
            latency_ms: (1, 3),
            random: RandomStream::new(seed, 0, 0),
            wire: BTreeMap::new(),
            last: BTreeMap::new(),
            connection: vec![None; count],
            sent: 0,
            fenced: false,
        };
        for switch in world.switches() {
            world.connect_after(switch, 1);
        }
        world
    }

    pub fn switches(&self) -> impl Iterator<Item = SwitchId> + use<> {
        (0..self.fabric.wiring().switch_count()).map(SwitchId::from_index)
    }

    fn put(&mut self, after_ms: u64, stream: Option<(u32, bool)>, packet: Packet) {
        self.sent += 1;
        let mut at = self.now_ms + after_ms;
        if let Some(stream) = stream {
            let last = self.last.entry(stream).or_default();
            at = at.max(*last);
            *last = at;
        }
        self.wire.insert((at, self.sent), packet);
    }

    fn latency(&mut self) -> u64 {
        let (least, most) = self.latency_ms;
        least + u64::from(self.random.below((most - least + 1) as u32))
    }

    pub fn connect_after(&mut self, switch: SwitchId, after_ms: u64) {
        self.put(after_ms, None, Packet::Connect(switch));
    }

    /// Breaks the connection of a switch; it connects again after a while.
    pub fn disconnect(&mut self, switch: SwitchId, again_ms: u64) {
        if self.connection[switch.index()].take().is_some() {
            self.fabric.agent_mut(switch).disconnected();
            self.control.handle(self.now_ms, Input::Disconnected(switch));
        }
        self.connect_after(switch, again_ms);
    }

    /// Turns the power of a switch on or off; its connection breaks with it.
    pub fn power(&mut self, switch: SwitchId, on: bool) {
        if !on {
            self.disconnect(switch, 50);
        }
        self.fabric.set_power(switch, on);
    }

    /// Restarts the manager without any state; all agents connect again.
    pub fn restart_manager(&mut self) {
        self.epoch += 1;
        self.control = FabricControl::new(
            Arc::clone(self.fabric.wiring()),
            Arc::new(Numbered),
            self.epoch,
            *self.control.settings(),
        );
        for switch in self.switches() {
            self.connection[switch.index()] = None;
            self.fabric.agent_mut(switch).disconnected();
            let after = self.latency();
            self.connect_after(switch, after);
        }
    }

    fn tell_manager(&mut self, switch: SwitchId, message: &FromAgent) {
        let Some(connection) = self.connection[switch.index()] else { return };
        let latency = self.latency();
        let packet = Packet::ToManager(switch, connection, message.encode_to_vec());
        self.put(latency, Some((switch.0, true)), packet);
    }

    fn deliver(&mut self, packet: Packet) {
        match packet {
            Packet::Connect(switch) => {
                if !self.fabric.is_powered(switch) {
                    self.connect_after(switch, 50);
                } else if self.connection[switch.index()].is_none() {
                    self.sent += 1;
                    self.connection[switch.index()] = Some(self.sent);
                    self.control.handle(self.now_ms, Input::Connected(switch));
                    let hello = self.fabric.agent_mut(switch).connected(self.now_ms);
                    self.tell_manager(switch, &hello);
                }
            }
            Packet::ToManager(switch, connection, bytes) if self.connection[switch.index()] == Some(connection) => {
                let message = FromAgent::decode(&*bytes).expect("it was encoded");
                self.control.handle(self.now_ms, Input::Message(switch, message));
            }
            Packet::ToAgent(switch, connection, bytes) if self.connection[switch.index()] == Some(connection) => {
                let message = ToAgent::decode(&*bytes).expect("it was encoded");
                if let Some(answer) = self.fabric.agent_mut(switch).handle(self.now_ms, message) {
                    self.tell_manager(switch, &answer);
                }
                if self.fabric.agent_mut(switch).switch_mut().take_reboot() {
                    self.power(switch, false);
                    self.power(switch, true);
                }
            }
            Packet::ToManager(..) | Packet::ToAgent(..) => {}
        }
    }

    /// Runs until a time.
    pub fn run_until(&mut self, end_ms: u64) {
        loop {
            for switch in self.switches() {
                if self.connection[switch.index()].is_some() {
                    for message in self.fabric.agent_mut(switch).poll(self.now_ms) {
                        self.tell_manager(switch, &message);
                    }
                }
            }
            for output in self.control.flush(self.now_ms) {
                match output {
                    ControlOutput::Send(switch, message) => {
                        let Some(connection) = self.connection[switch.index()] else { continue };
                        let latency = self.latency();
                        let packet = Packet::ToAgent(switch, connection, message.encode_to_vec());
                        self.put(latency, Some((switch.0, false)), packet);
                    }
                    ControlOutput::Close(switch, _) => self.disconnect(switch, 20),
                    ControlOutput::Fenced { .. } => self.fenced = true,
                    ControlOutput::Device { .. }
                    | ControlOutput::Link { .. }
                    | ControlOutput::Nic { .. }
                    | ControlOutput::Published(_) => {}
                }
            }
            let agents = self
                .switches()
                .filter_map(|switch| self.connection[switch.index()].and(self.fabric.agent(switch).next_deadline_ms()));
            let next = agents
                .chain(self.control.next_deadline_ms())
                .chain(self.wire.first_key_value().map(|(&(at, _), _)| at))
                .min()
                .unwrap_or(end_ms)
                .max(self.now_ms);
            if next > end_ms {
                self.now_ms = end_ms;
                return;
            }
            self.now_ms = next;
            while let Some(first) = self.wire.first_entry().filter(|first| first.key().0 <= self.now_ms) {
                let packet = first.remove();
                self.deliver(packet);
            }
        }
    }

    pub fn run_for(&mut self, ms: u64) {
        self.run_until(self.now_ms + ms);
    }

    /// Checks that every switch with power is in its desired state, by the switches' own state.
    pub fn check_converged(&self) -> Result<(), String> {
        let plan = self.control.plan().ok_or("no tables were ever published")?;
        verify(plan).map_err(|error| error.to_string())?;
        if let Some(rollout) = self.control.rollout() {
            return Err(format!("tables are still on their way: {rollout:?}"));
        }
        for switch in self.switches().filter(|&switch| self.fabric.is_powered(switch)) {
            let state = self.control.device_state(switch);
            if state != DeviceState::Synced {
                return Err(format!("switch {switch} is {state:?}: {:?}", self.control.device(switch)));
            }
            let (has, wants) = (self.fabric.agent(switch).switch().routes_hash(), plan.tables().hash_of(switch));
            if has != wants {
                return Err(format!("switch {switch} has table {has:016x}, wanted is {wants:016x}"));
            }
            if self.fabric.agent(switch).switch().routes() != &plan.tables().of(switch) {
                return Err(format!("switch {switch} has another table of the same hash"));
            }
        }
        Ok(())
    }

    /// Checks that the tables are those of the links that really exist.
    pub fn check_links(&self) -> Result<(), String> {
        let wiring = self.fabric.wiring();
        let plan = self.control.plan().ok_or("no tables were ever published")?;
        let mut links = LiveLinks::all(wiring);
        for (port, far) in wiring.links() {
            let off = [port, far].iter().all(|&end| !self.fabric.is_powered(wiring.split(end).0));
            // No switch can report a link between two switches that are off.
            let up = if off {
                plan.links().is_live(wiring, port)
            } else {
                [port, far].iter().all(|&end| {
                    let (switch, number) = wiring.split(end);
                    let ports = self.fabric.agent(switch).switch().ports();
                    ports[usize::from(number.0)].state == philae_agent::PortState::Up
                })
            };
            if !up {
                links.set(wiring, philae_route_tables::LinkChange { port, up: false });
            }
        }
        let wanted = RoutePlan::new(Arc::clone(wiring), Some(links), Parameters::default());
        if plan.tables() != wanted.tables() {
            let wrong = wiring
                .links()
                .find(|&(port, _)| plan.links().is_live(wiring, port) != wanted.links().is_live(wiring, port));
            let (port, far) = wrong.expect("tables follow from links");
            let view = self.control.link_view(self.now_ms, port);
            let seen = [port, far].map(|end| {
                let (switch, number) = wiring.split(end);
                (self.fabric.agent(switch).switch().ports()[usize::from(number.0)], self.control.port(end))
            });
            return Err(format!(
                "a link is not used as it could be: {view:?}; its ends and what is known of them: {seen:?}"
            ));
        }
        Ok(())
    }
}
