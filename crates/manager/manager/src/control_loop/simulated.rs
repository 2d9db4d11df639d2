//! Switches and their agents in this process. Messages take no time; everything else is as with
//! agents in processes of their own.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use philae_agent::{ConfigSection, HardwareNames, SimulatedFabric, ToAgent, ToBody};
use philae_manager_core::Input;
use philae_route_tables::FabricWiring;
use philae_units::SwitchId;

use crate::control_loop::MessageSink;

/// Pause before an agent that lost its connection reconnects, milliseconds.
///
/// Source: ours. Status: assumed.
const RECONNECT_MS: u64 = 100;

/// Agents that connect before the orders for them are carried out.
///
/// Source: ours. Status: assumed.
const CONNECT_AT_ONCE: usize = 512;

/// Times, each with its switch.
type Times = BinaryHeap<Reverse<(u64, u32)>>;

fn first(times: &Times) -> Option<u64> {
    times.peek().map(|Reverse((at, _))| *at)
}

/// A simulated fabric, and the times at which its agents act.
#[derive(Debug)]
pub struct Simulated {
    /// The switches.
    pub fabric: SimulatedFabric,
    /// Switches whose agents are connected.
    connected: Vec<bool>,
    /// Agents that wait to connect, with the time.
    connecting: Times,
    /// When each agent next has something to send.
    due: Times,
}

impl Simulated {
    /// A fabric with power whose agents begin to connect.
    pub fn new(wiring: Arc<FabricWiring>, names: Arc<dyn HardwareNames>) -> Self {
        let count = wiring.switch_count();
        Self {
            fabric: SimulatedFabric::new(wiring, names),
            connected: vec![false; count],
            connecting: (0..count as u32).map(|switch| Reverse((0, switch))).collect(),
            due: BinaryHeap::new(),
        }
    }

    /// Switches a switch off or on.
    pub fn set_power(&mut self, sink: &mut MessageSink<'_>, switch: SwitchId, on: bool) {
        if !on {
            self.disconnect(sink, switch);
        }
        self.fabric.set_power(switch, on);
    }

    /// Breaks the connection of a switch; its agent reconnects after [`RECONNECT_MS`].
    pub fn disconnect(&mut self, sink: &mut MessageSink<'_>, switch: SwitchId) {
        if std::mem::replace(&mut self.connected[switch.index()], false) {
            self.fabric.agent_mut(switch).disconnected();
            sink.deliver(Input::Disconnected(switch));
        }
        self.connecting.push(Reverse((sink.now_ms() + RECONNECT_MS, switch.0)));
    }

    /// When an agent next acts without an order.
    pub fn next_ms(&self) -> Option<u64> {
        [first(&self.due), first(&self.connecting), self.fabric.next_upgrade_ms()].into_iter().flatten().min()
    }

    /// Whether agents have something to send by now.
    pub fn has_more(&self, now_ms: u64) -> bool {
        self.fabric.is_touched() || self.next_ms().is_some_and(|at| at <= now_ms)
    }

    /// Lets agents connect and send what is due: changed ports, heartbeats.
    pub fn speak(&mut self, sink: &mut MessageSink<'_>) {
        let now_ms = sink.now_ms();
        for switch in self.fabric.go_on_with_upgrades(now_ms) {
            self.disconnect(sink, switch);
        }
        self.connect(sink, now_ms);
        let mut speakers = self.fabric.take_touched();
        while let Some(&Reverse((at, switch))) = self.due.peek() {
            if at > now_ms {
                break;
            }
            self.due.pop();
            speakers.insert(SwitchId(switch));
        }
        speakers.retain(|switch| self.connected[switch.index()]);
        for switch in speakers {
            for message in self.fabric.agent_mut(switch).poll(now_ms) {
                sink.deliver_message(switch, message);
            }
            self.note_due(switch);
        }
    }

    fn connect(&mut self, sink: &mut MessageSink<'_>, now_ms: u64) {
        // A limited number together: the orders after each hello take memory until they are carried
        // out.
        let mut at_once = CONNECT_AT_ONCE;
        while let Some(&Reverse((at, switch))) = self.connecting.peek() {
            if at > now_ms || at_once == 0 {
                return;
            }
            at_once -= 1;
            self.connecting.pop();
            let switch = SwitchId(switch);
            if !self.fabric.is_powered(switch) {
                self.connecting.push(Reverse((now_ms + RECONNECT_MS, switch.0)));
            } else if !std::mem::replace(&mut self.connected[switch.index()], true) {
                sink.deliver(Input::Connected(switch));
                let hello = self.fabric.agent_mut(switch).connected(now_ms);
                sink.deliver_message(switch, hello);
            }
        }
    }

    fn note_due(&mut self, switch: SwitchId) {
        if let Some(at) = self.fabric.agent(switch).next_deadline_ms() {
            self.due.push(Reverse((at, switch.0)));
        }
    }

    /// Gives an order to an agent, and its answer to the control loop.
    pub fn tell(&mut self, sink: &mut MessageSink<'_>, switch: SwitchId, message: ToAgent) {
        if !self.connected[switch.index()] {
            return;
        }
        sink.count_order(&message);
        let welcome = matches!(message.body, Some(ToBody::Welcome(_)));
        let configured = match &message.body {
            Some(ToBody::Configure(configure)) => ConfigSection::from_number(configure.section),
            _ => None,
        };
        if let Some(answer) = self.fabric.agent_mut(switch).handle(sink.now_ms(), message) {
            sink.deliver_message(switch, answer);
        }
        if welcome {
            self.note_due(switch);
        }
        if let Some(section) = configured {
            self.fabric.share(switch, section);
        }
        if self.fabric.agent_mut(switch).switch_mut().take_reconfigured() {
            self.fabric.reconfigured(switch);
        }
        self.fabric.begin_upgrade(switch, sink.now_ms());
        if self.fabric.agent_mut(switch).switch_mut().take_reboot() {
            self.set_power(sink, switch, false);
            self.set_power(sink, switch, true);
        }
    }
}
