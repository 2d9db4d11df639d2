//! The judgement and a simulated fabric in one thread: messages take no time, everything else is as it is with agents of
//! their own.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use philae_agent::{FromAgent, Section, SimulatedFabric, ToAgent, ToBody};
use philae_control::{Control, Input, Output, Settings};
use philae_forwarding::Wiring;
use philae_units::SwitchId;

use crate::events::{Events, Happened};
use crate::names::FabricNames;

/// What crossed between manager and agents, as it would on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Messages to agents.
    pub messages_out: u64,
    /// Their bytes.
    pub bytes_out: u64,
    /// Messages of agents.
    pub messages_in: u64,
    /// Their bytes.
    pub bytes_in: u64,
}

/// A manager's judgement with a simulated fabric below.
#[derive(Debug)]
pub struct Plant {
    /// The judgement.
    pub control: Control,
    /// The switches.
    pub fabric: SimulatedFabric,
    /// What crossed between them.
    pub traffic: Traffic,
    /// What happened, for watchers.
    pub events: Arc<Events>,
    /// Switches whose agents are connected.
    connected: Vec<bool>,
    /// Agents to connect: when, and which.
    connecting: BinaryHeap<Reverse<(u64, u32)>>,
    /// When each agent has something to say.
    due: BinaryHeap<Reverse<(u64, u32)>>,
    began: Instant,
}

impl Plant {
    /// A fabric with power whose agents begin to connect now.
    #[must_use]
    pub fn new(wiring: Arc<Wiring>, names: Arc<FabricNames>, epoch: u64, settings: Settings) -> Self {
        let count = wiring.switch_count();
        let fabric = SimulatedFabric::new(Arc::clone(&wiring), Arc::clone(&names) as Arc<dyn philae_agent::Names>);
        let control = Control::new(wiring, names, epoch, settings);
        Self {
            control,
            fabric,
            traffic: Traffic::default(),
            events: Arc::default(),
            connected: vec![false; count],
            connecting: (0..count as u32).map(|switch| Reverse((0, switch))).collect(),
            due: BinaryHeap::new(),
            began: Instant::now(),
        }
    }

    /// Milliseconds since the manager began.
    #[must_use]
    pub fn now_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// Takes the power from a switch, or gives it back.
    pub fn set_power(&mut self, switch: SwitchId, on: bool) {
        if !on {
            self.disconnect(switch);
        }
        self.fabric.set_power(switch, on);
    }

    fn disconnect(&mut self, switch: SwitchId) {
        if std::mem::replace(&mut self.connected[switch.index()], false) {
            self.fabric.agent_mut(switch).disconnected();
            let now_ms = self.now_ms();
            self.control.handle(now_ms, Input::Disconnected(switch));
        }
        self.connecting.push(Reverse((self.now_ms() + RECONNECT_MS, switch.0)));
    }

    /// Does everything that is due, until there is nothing to do before a later time; that time.
    pub fn run(&mut self) -> Option<u64> {
        loop {
            let now_ms = self.now_ms();
            self.connect(now_ms);
            self.agents_speak(now_ms);
            let outputs = self.control.settle(now_ms);
            let idle = outputs.is_empty() && !self.fabric.is_touched();
            if idle && !self.has_due(self.now_ms()) {
                break;
            }
            self.carry_out(outputs);
        }
        let first = |heap: &BinaryHeap<Reverse<(u64, u32)>>| heap.peek().map(|Reverse((at, _))| *at);
        [self.control.next_deadline_ms(), first(&self.due), first(&self.connecting)].into_iter().flatten().min()
    }

    fn has_due(&self, now_ms: u64) -> bool {
        let due = |heap: &BinaryHeap<Reverse<(u64, u32)>>| heap.peek().is_some_and(|Reverse((at, _))| *at <= now_ms);
        due(&self.connecting) || due(&self.due)
    }

    fn connect(&mut self, now_ms: u64) {
        // So many at once: what each is sent at its hello takes memory until it is carried out.
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
                self.control.handle(now_ms, Input::Connected(switch));
                let hello = self.fabric.agent_mut(switch).connected(now_ms);
                self.tell_manager(switch, hello);
            }
        }
    }

    /// Agents whose ports have changed or whose heartbeat is due.
    fn agents_speak(&mut self, now_ms: u64) {
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
                self.tell_manager(switch, message);
            }
            self.note_due(switch);
        }
    }

    fn note_due(&mut self, switch: SwitchId) {
        if let Some(at) = self.fabric.agent(switch).next_deadline_ms() {
            self.due.push(Reverse((at, switch.0)));
        }
    }

    fn tell_manager(&mut self, switch: SwitchId, message: FromAgent) {
        use prost::Message;
        self.traffic.messages_in += 1;
        self.traffic.bytes_in += message.encoded_len() as u64;
        self.control.handle(self.now_ms(), Input::Message(switch, message));
    }

    fn carry_out(&mut self, outputs: Vec<Output>) {
        let mut orders: VecDeque<(SwitchId, ToAgent)> = VecDeque::new();
        for output in outputs {
            match output {
                Output::Send(switch, message) => orders.push_back((switch, message)),
                Output::Close(switch, _) => self.disconnect(switch),
                Output::Device { switch } => {
                    let view = self.control.device(switch);
                    self.events.publish(Happened::Device(switch, view.state, view.cause.to_string()));
                }
                Output::Link { port, up } => self.events.publish(Happened::Link(port, up)),
                Output::Published(published) => self.events.publish(Happened::Published(published)),
                Output::Fenced { epoch } => self.events.publish(Happened::Fenced(epoch)),
            }
        }
        for (switch, message) in orders {
            if self.connected[switch.index()] {
                self.tell_agent(switch, message);
            }
        }
    }

    fn tell_agent(&mut self, switch: SwitchId, message: ToAgent) {
        use prost::Message;
        self.traffic.messages_out += 1;
        self.traffic.bytes_out += message.encoded_len() as u64;
        let now_ms = self.now_ms();
        let welcome = matches!(message.body, Some(ToBody::Welcome(_)));
        let configured = match &message.body {
            Some(ToBody::Configure(configure)) => Section::from_number(configure.section),
            _ => None,
        };
        if let Some(answer) = self.fabric.agent_mut(switch).handle(now_ms, message) {
            self.tell_manager(switch, answer);
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
        if self.fabric.agent_mut(switch).switch_mut().take_reboot() {
            self.set_power(switch, false);
            self.set_power(switch, true);
        }
    }
}

/// Agents that connect before what they are sent is carried out.
///
/// Source: ours. Status: assumed.
const CONNECT_AT_ONCE: usize = 512;

/// Pause before an agent that lost its connection connects again, milliseconds.
///
/// Source: ours. Status: assumed.
const RECONNECT_MS: u64 = 100;
