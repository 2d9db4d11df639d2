//! The state machine of the manager: inputs in, outputs out.

use std::sync::{Arc, Mutex};

use philae_agent::{
    ConfigSection, FromAgent, FromBody, Heartbeat, Hello, Operate, PROTOCOL, PortReports, PortState, SectionHash,
    SectionItems, ToAgent, ToBody, Welcome, items,
};
use philae_route_tables::{FabricWiring, ForwardingTable, Parameters, RoutePlan};
use philae_units::{PortIndex, SwitchId};

use crate::device::{Cause, Device, DeviceState, DeviceSummary, SectionView};
use crate::flap::{FlapView, Flaps};
use crate::parts::{DeviceCensus, ManagedFabric, RoutingState};
use crate::ports::{Expected, LinkView, PortView, Ports};
use crate::routing::{Published, RouteRolloutView};
use crate::settings::{ControlSettingError, ControlSettings};
use crate::timers::{Timer, Timers};
use crate::traffic::{PortTraffic, ReportedTraffic};

/// An input of the state machine.
#[derive(Clone, Debug)]
pub enum Input {
    /// The agent of a switch has connected and is authenticated.
    Connected(SwitchId),
    /// The agent has sent a message.
    Message(SwitchId, FromAgent),
    /// Its connection has ended.
    Disconnected(SwitchId),
    /// Sets the desired state of a section of a switch.
    Desired(SwitchId, ConfigSection, Arc<SectionItems>),
    /// Begins or ends maintenance of a switch: nothing is sent to it meanwhile.
    Maintenance(SwitchId, bool),
    /// Releases a quarantined switch, which is retried.
    ReleaseDevice(SwitchId),
    /// Releases an isolated link, which is used again.
    ReleaseLink(PortIndex),
    /// Drains a link, or ends that.
    Drain(PortIndex, bool),
    /// Restarts the training of a port.
    ResetPort(PortIndex),
    /// Restarts a switch.
    Reboot(SwitchId),
    /// Upgrades a switch to a firmware version, with which it restarts.
    Upgrade(SwitchId, String),
}

/// An action to perform, or an event.
#[derive(Clone, Debug, PartialEq)]
pub enum ControlOutput {
    /// Send a message to the agent of a switch.
    Send(SwitchId, ToAgent),
    /// Close the connection of a switch.
    Close(SwitchId, String),
    /// The state of a device has changed.
    Device { switch: SwitchId },
    /// A link has begun or stopped carrying traffic.
    Link {
        /// Its lower port.
        port: PortIndex,
        /// Whether it carries traffic.
        up: bool,
        /// Whether the fabric already has tables; before that, links are only being discovered.
        has_tables: bool,
    },
    /// The port of a NIC has changed its state.
    Nic {
        port: PortIndex,
        /// The state that its switch reports.
        state: PortState,
        /// Whether the fabric already has tables.
        has_tables: bool,
    },
    /// Tables were activated.
    Published(Published),
    /// An agent knows a manager with a higher epoch: this one must stop.
    Fenced {
        /// The higher epoch.
        epoch: u64,
    },
}

/// The manager's state machine. Times are milliseconds of a monotonic clock.
#[derive(Debug)]
pub struct FabricControl {
    pub(crate) fabric: ManagedFabric,
    pub(crate) settings: ControlSettings,
    pub(crate) epoch: u64,
    pub(crate) devices: Vec<Device>,
    pub(crate) census: DeviceCensus,
    pub(crate) ports: Ports,
    pub(crate) flaps: Flaps,
    traffic: ReportedTraffic,
    pub(crate) tables: RoutingState,
    pub(crate) timers: Timers,
    pub(crate) outputs: Vec<ControlOutput>,
    bring_up_until_ms: Option<u64>,
    /// Hash of an empty table.
    empty_table: u64,
    pub(crate) reach: Mutex<crate::reach::Cached>,
    /// The last mute item read, with its meaning; most switches share one.
    mute_last: Option<(Arc<[u8]>, bool)>,
    /// Rises with every change that may affect alarms.
    pub(crate) changes: u64,
    requests: u64,
    messages_in: u64,
    messages_out: u64,
}

impl FabricControl {
    /// A manager with this epoch that has no reports yet.
    #[must_use]
    pub fn new(wiring: Arc<FabricWiring>, expected: Arc<dyn Expected>, epoch: u64, settings: ControlSettings) -> Self {
        let count = wiring.switch_count();
        let ports = Ports::new(&wiring);
        let link_count = wiring.links().count();
        Self {
            fabric: ManagedFabric { wiring, expected, parameters: Parameters::default(), link_count },
            settings,
            epoch,
            devices: Device::all(count),
            census: DeviceCensus::default(),
            ports,
            flaps: Flaps::default(),
            traffic: ReportedTraffic::default(),
            tables: RoutingState::new(count),
            timers: Timers::default(),
            outputs: Vec::new(),
            bring_up_until_ms: None,
            empty_table: ForwardingTable::default().hash(),
            reach: Mutex::default(),
            mute_last: None,
            changes: 0,
            requests: 0,
            messages_in: 0,
            messages_out: 0,
        }
    }

    /// Processes one input. A driver passes all available inputs before it calls [`Self::flush`].
    pub fn handle(&mut self, now_ms: u64, input: Input) {
        match input {
            Input::Connected(switch) => self.connected(now_ms, switch),
            Input::Message(switch, message) => self.message(now_ms, switch, message),
            Input::Disconnected(switch) => self.lost(now_ms, switch, Cause::Disconnected),
            Input::Desired(switch, section, items) => {
                assert!(section != ConfigSection::Routes, "routes follow from links");
                if section == ConfigSection::Switch {
                    self.note_mute(now_ms, switch, &items);
                }
                self.devices[switch.index()].sections[section as usize].desired = items;
                self.sync(now_ms, switch);
            }
            Input::Maintenance(switch, on) => {
                self.changes += 1;
                self.devices[switch.index()].maintenance = on;
                self.sync(now_ms, switch);
            }
            Input::ReleaseDevice(switch) => {
                let device = &mut self.devices[switch.index()];
                device.quarantined = false;
                device.wrong = 0;
                for (track, section) in device.sections.iter_mut().zip(ConfigSection::ALL) {
                    track.failures = 0;
                    track.cause = None;
                    if track.sent.is_none() {
                        self.timers.clear(Timer::Section(switch.0, section as u8));
                    }
                }
                self.sync(now_ms, switch);
            }
            Input::ReleaseLink(port) => {
                if let Some(link) = self.link(port) {
                    self.changes += 1;
                    self.flaps.release(link);
                    self.timers.clear(Timer::HoldDown(link));
                    self.update_link(now_ms, PortIndex(link));
                }
            }
            Input::Drain(port, drained) => {
                if let Some(link) = self.link(port)
                    && self.ports.drain(link, drained)
                {
                    self.changes += 1;
                    self.update_link(now_ms, PortIndex(link));
                }
            }
            Input::ResetPort(port) => {
                let (switch, number) = self.fabric.wiring.split(port);
                self.send(
                    switch,
                    ToBody::Operate(Operate { operation: 1, port: u32::from(number.0), ..Operate::default() }),
                );
            }
            Input::Reboot(switch) => {
                self.send(switch, ToBody::Operate(Operate::default()));
            }
            Input::Upgrade(switch, version) => self.order_upgrade(switch, version),
        }
    }

    /// Handles expired timers, computes tables if links have changed, and returns the outputs.
    pub fn flush(&mut self, now_ms: u64) -> Vec<ControlOutput> {
        while let Some(timer) = self.timers.take(now_ms) {
            match timer {
                Timer::Silence(switch) => self.silence(now_ms, SwitchId(switch)),
                Timer::Section(switch, section) => {
                    let section = ConfigSection::from_number(u32::from(section)).expect("timers are set for sections");
                    self.section_due(now_ms, SwitchId(switch), section);
                }
                Timer::Round => self.round_overdue(now_ms),
                Timer::BringUp => {}
                Timer::Neighbour(port) => self.neighbour_due(now_ms, PortIndex(port)),
                Timer::HoldDown(link) => {
                    self.flaps.end_hold(link);
                    self.update_link(now_ms, PortIndex(link));
                }
            }
        }
        self.send_deferred(now_ms);
        self.route(now_ms);
        self.tables.whole_tables = 0;
        self.changes += self.outputs.iter().filter(|output| !matches!(output, ControlOutput::Send(..))).count() as u64;
        std::mem::take(&mut self.outputs)
    }

    /// When [`Self::flush`] must be called if there is no input before.
    #[must_use]
    pub fn next_deadline_ms(&self) -> Option<u64> {
        let now = self.tables.active.is_none() && !self.tables.deferred.is_empty();
        if now { Some(0) } else { self.timers.next() }
    }

    pub(crate) fn switches(&self) -> impl Iterator<Item = SwitchId> + use<> {
        (0..self.devices.len()).map(SwitchId::from_index)
    }

    /// The lower port of a link.
    pub(crate) fn link(&self, port: PortIndex) -> Option<u32> {
        self.fabric.wiring.peer(port).map(|far| port.min(far).0)
    }

    /// Sends an order and returns its number.
    pub(crate) fn send(&mut self, switch: SwitchId, body: ToBody) -> u64 {
        self.requests += 1;
        self.messages_out += 1;
        let message = ToAgent { epoch: self.epoch, request: self.requests, body: Some(body) };
        self.outputs.push(ControlOutput::Send(switch, message));
        self.requests
    }

    fn connected(&mut self, now_ms: u64, switch: SwitchId) {
        if self.devices[switch.index()].connection.connected {
            // The end of the old connection has not been noticed.
            self.lost(now_ms, switch, Cause::Disconnected);
        }
        let device = &mut self.devices[switch.index()];
        device.connection.connected = true;
        device.connection.reports = 0;
        device.neighbours.hears = false;
        self.heard(now_ms, switch);
        if self.devices[switch.index()].go(now_ms, DeviceState::Connected, Cause::Connected) {
            self.outputs.push(ControlOutput::Device { switch });
        }
    }

    fn heard(&mut self, now_ms: u64, switch: SwitchId) {
        self.devices[switch.index()].connection.last_heard_ms = now_ms;
        let silence = self.settings.heartbeat_ms * self.settings.heartbeats_missed;
        // Moved at most once a heartbeat, because most messages come in bursts.
        let due = now_ms + silence;
        if self.timers.at(Timer::Silence(switch.0)).is_none_or(|at| at + self.settings.heartbeat_ms / 2 <= due) {
            self.timers.set(Timer::Silence(switch.0), due);
        }
    }

    fn silence(&mut self, now_ms: u64, switch: SwitchId) {
        let device = &self.devices[switch.index()];
        let due = device.connection.last_heard_ms + self.settings.heartbeat_ms * self.settings.heartbeats_missed;
        if device.connection.connected && due > now_ms {
            self.timers.set(Timer::Silence(switch.0), due);
        } else if device.connection.connected {
            self.outputs.push(ControlOutput::Close(switch, "no heartbeat".to_owned()));
            self.lost(now_ms, switch, Cause::Silence);
        }
    }

    fn lost(&mut self, now_ms: u64, switch: SwitchId, cause: Cause) {
        let device = &mut self.devices[switch.index()];
        if !device.connection.connected {
            return;
        }
        device.connection.connected = false;
        for (track, section) in device.sections.iter_mut().zip(ConfigSection::ALL) {
            track.sent = None;
            track.sending = None;
            track.failures = 0;
            self.timers.clear(Timer::Section(switch.0, section as u8));
        }
        self.timers.clear(Timer::Silence(switch.0));
        self.end_changed_ports(now_ms, switch);
        let device = &mut self.devices[switch.index()];
        if device.go(now_ms, DeviceState::Unreachable, cause) {
            self.outputs.push(ControlOutput::Device { switch });
        }
        self.answered(now_ms, switch, false);
    }

    fn message(&mut self, now_ms: u64, switch: SwitchId, message: FromAgent) {
        self.messages_in += 1;
        if !self.devices[switch.index()].connection.connected {
            return;
        }
        self.heard(now_ms, switch);
        match message.body {
            Some(FromBody::Hello(hello)) => self.hello(now_ms, switch, hello),
            Some(FromBody::Heartbeat(heartbeat)) => self.heartbeat(now_ms, switch, &heartbeat),
            Some(FromBody::Ports(reports)) => self.reports(now_ms, switch, &reports, false),
            Some(FromBody::Counters(counters)) => {
                let base = self.fabric.wiring.port(switch, philae_units::PortId(0));
                self.traffic.take_in(now_ms, base, self.fabric.wiring.radix(), &counters);
            }
            Some(FromBody::Ack(ack)) => self.ack(now_ms, switch, &ack),
            Some(FromBody::Upgrade(report)) => self.note_upgrade(switch, report),
            // The manager never asks for it: hashes are enough.
            Some(FromBody::State(_)) | None => {}
        }
    }

    fn hello(&mut self, now_ms: u64, switch: SwitchId, hello: Hello) {
        if hello.protocol > PROTOCOL || hello.protocol + 1 < PROTOCOL {
            let why =
                format!("the agent speaks protocol {}, this manager {PROTOCOL} and the one before", hello.protocol);
            self.outputs.push(ControlOutput::Close(switch, why));
            self.lost(now_ms, switch, Cause::Disconnected);
            return;
        }
        if hello.epoch > self.epoch {
            self.outputs.push(ControlOutput::Fenced { epoch: hello.epoch });
            return;
        }
        let device = &mut self.devices[switch.index()];
        (device.identity.model, device.identity.serial) = (hello.model, hello.serial);
        self.note_versions(switch, hello.firmware, &hello.agent, hello.boot, hello.upgrade.as_deref());
        let device = &mut self.devices[switch.index()];
        let first = !std::mem::replace(&mut device.connection.known, true);
        // A switch without a table has restarted: the losses at its neighbours are no fault of
        // cables.
        let empty = hello.sections.iter().any(|section| section.section == 0 && section.hash == self.empty_table);
        self.census.known += usize::from(first);
        self.send(switch, ToBody::Welcome(self.welcome()));
        self.observe(switch, &hello.sections);
        if let Some(ports) = hello.ports {
            self.reports(now_ms, switch, &ports, true);
        }
        if empty && !first {
            self.forgive(now_ms, switch);
        }
        // A switch that reconnects does not delay the others.
        if self.tables.plan.is_none() && (first || self.bring_up_until_ms.is_none()) {
            let most = *self.bring_up_until_ms.get_or_insert(now_ms + self.settings.bring_up_most_ms);
            self.timers.set(Timer::BringUp, (now_ms + self.settings.bring_up_quiet_ms).min(most));
        }
        self.sync(now_ms, switch);
    }

    /// The times for agents.
    const fn welcome(&self) -> Welcome {
        Welcome {
            heartbeat_ms: self.settings.heartbeat_ms as u32,
            pause_limit_ms: self.settings.pause_limit_ms as u32,
            pause_clear_ms: self.settings.pause_clear_ms as u32,
            counters_ms: self.settings.counters_ms as u32,
        }
    }

    /// Forgets the last loss of each link of a restarted switch.
    fn forgive(&mut self, now_ms: u64, switch: SwitchId) {
        for port in self.wired_ports(switch) {
            if let Some(link) = self.link(port)
                && self.flaps.forgive(link)
            {
                self.timers.clear(Timer::HoldDown(link));
                self.update_link(now_ms, port);
            }
        }
    }

    fn wired_ports(&self, switch: SwitchId) -> Vec<PortIndex> {
        let ports = (0..self.fabric.wiring.radix() as u8)
            .map(|port| self.fabric.wiring.port(switch, philae_units::PortId(port)));
        ports.filter(|&port| self.fabric.wiring.peer(port).is_some()).collect()
    }

    fn observe(&mut self, switch: SwitchId, sections: &[SectionHash]) {
        for reported in sections {
            let Some(section) = ConfigSection::from_number(reported.section) else { continue };
            let track = &mut self.devices[switch.index()].sections[section as usize];
            // An order in flight changes it; its answer will have the hash.
            if track.sent.is_none() {
                track.observed = reported.hash;
            }
        }
    }

    fn heartbeat(&mut self, now_ms: u64, switch: SwitchId, heartbeat: &Heartbeat) {
        self.observe(switch, &heartbeat.sections);
        if heartbeat.reports != self.devices[switch.index()].connection.reports {
            // A report is missing, which a stream never loses: start over.
            self.outputs.push(ControlOutput::Close(switch, "reports of ports are missing".to_owned()));
            self.lost(now_ms, switch, Cause::Disconnected);
            return;
        }
        self.sync(now_ms, switch);
    }

    fn reports(&mut self, now_ms: u64, switch: SwitchId, reports: &PortReports, first: bool) {
        self.devices[switch.index()].connection.reports = reports.number;
        let wiring = Arc::clone(&self.fabric.wiring);
        let mut hears = self.devices[switch.index()].neighbours.hears;
        for report in &reports.ports {
            let Some(reported) = self.ports.report(&wiring, switch, *report, first) else { continue };
            if self.ports.note_edge(now_ms, &wiring, reported.port) {
                let state = self.ports.state(reported.port);
                let has_tables = self.tables.plan.is_some();
                self.outputs.push(ControlOutput::Nic { port: reported.port, state, has_tables });
            }
            let Some(link) = self.link(reported.port) else { continue };
            self.note_loss(now_ms, link, reported.lost);
            hears |= report.neighbour != 0;
            match reported.unheard {
                None => {}
                // The neighbour was heard before, so its time is already over.
                Some(true) => self.neighbour_due(now_ms, reported.port),
                Some(false) => {
                    self.timers.set(Timer::Neighbour(reported.port.0), now_ms + self.settings.neighbour_ms);
                }
            }
            self.update_link(now_ms, reported.port);
        }
        if hears && !std::mem::replace(&mut self.devices[switch.index()].neighbours.hears, true) {
            self.update_unheard(now_ms, Some(switch));
        }
    }

    /// Handles the end of the time to hear the neighbour of a port.
    fn neighbour_due(&mut self, now_ms: u64, port: PortIndex) {
        if self.ports.note_unheard(port) {
            self.changes += 1;
            self.update_link(now_ms, port);
        }
    }

    /// Checks links of ports without a neighbour again, of one switch or of all.
    fn update_unheard(&mut self, now_ms: u64, switch: Option<SwitchId>) {
        let of = |port: &PortIndex| switch.is_none_or(|switch| self.fabric.wiring.split(*port).0 == switch);
        let ports: Vec<PortIndex> = self.ports.unheard().filter(of).collect();
        for port in ports {
            self.update_link(now_ms, port);
        }
    }

    /// Records whether a switch is configured neither to send nor to read LLDP: no neighbour hears
    /// it.
    fn note_mute(&mut self, now_ms: u64, switch: SwitchId, items: &SectionItems) {
        let value = items.get(0);
        let mute = match (value, &self.mute_last) {
            (Some(value), Some((last, mute))) if Arc::ptr_eq(value, last) => *mute,
            (Some(value), _) => {
                let item = items::read(ConfigSection::Switch, 0, value);
                let mute = matches!(item, Ok(items::Item::Switch(item)) if !item.lldp);
                self.mute_last = Some((Arc::clone(value), mute));
                mute
            }
            (None, _) => false,
        };
        if std::mem::replace(&mut self.devices[switch.index()].neighbours.is_mute, mute) != mute {
            self.update_unheard(now_ms, None);
        }
    }

    /// A port that is up but has not heard its neighbour in time, if both ends of the link use LLDP
    /// and its switch hears others.
    pub(crate) fn unheard_end(&self, ends: (PortIndex, PortIndex)) -> Option<PortIndex> {
        let device = |port: PortIndex| &self.devices[self.fabric.wiring.split(port).0.index()];
        if !self.ports.has_unheard() || device(ends.0).neighbours.is_mute || device(ends.1).neighbours.is_mute {
            return None;
        }
        [ends.0, ends.1].into_iter().find(|&end| self.ports.is_unheard(end) && device(end).neighbours.hears)
    }

    /// Whether the loss of a link is intended: an end is disabled, its configuration changes, the
    /// link is drained, or a switch is in maintenance.
    fn is_wanted_loss(&self, now_ms: u64, link: u32, ends: (PortIndex, PortIndex)) -> bool {
        self.ports.is_drained(link)
            || [ends.0, ends.1].into_iter().any(|end| {
                let (switch, number) = self.fabric.wiring.split(end);
                let device = &self.devices[switch.index()];
                device.maintenance
                    || self.ports.state(end) == PortState::Disabled
                    || (device.neighbours.changed_ports >> number.0 & 1 == 1
                        && now_ms < device.neighbours.changed_until_ms)
            })
    }

    /// Records a loss of a link once, although both ends report it.
    fn note_loss(&mut self, now_ms: u64, link: u32, lost: bool) {
        let ends = self.ends(link);
        let verdict = self.ports.assess(&*self.fabric.expected, ends, self.heard_ends(ends));
        let up = verdict.is_ok();
        if matches!(verdict, Err(crate::Unusable::Down(_, PortState::Disabled))) && !self.ports.note_put_down(link) {
            // The far end may have reported the loss first, which counted it.
            self.flaps.excuse(link, now_ms.saturating_sub(self.settings.change_grace_ms));
        }
        if lost && self.ports.note_up(link, false) {
            self.changes += 1;
            if self.is_wanted_loss(now_ms, link, ends) {
                self.ports.note_put_down(link);
                return;
            }
            self.flaps.lost(link, now_ms, &self.settings);
            self.timers.clear(Timer::HoldDown(link));
            if self.flaps.is_due(link, &self.settings) {
                let allowed = self.flaps.isolated() < self.isolation_budget() && self.has_others(ends);
                self.flaps.isolate(link, allowed);
            }
        }
        if up
            && self.ports.note_up(link, true)
            && !self.ports.take_put_down(link)
            && let Some(until_ms) = self.flaps.back(link, now_ms, &self.settings)
        {
            self.timers.set(Timer::HoldDown(link), until_ms);
        }
    }

    /// The most links that may be isolated at the same time.
    fn isolation_budget(&self) -> usize {
        match self.settings.isolation_budget_links {
            0 => (self.fabric.link_count * self.settings.isolation_budget_per_mille as usize / 1_000).max(1),
            links => links as usize,
        }
    }

    pub(crate) fn ends(&self, link: u32) -> (PortIndex, PortIndex) {
        let port = PortIndex(link);
        (port, self.fabric.wiring.peer(port).expect("a link has two ends"))
    }

    pub(crate) fn heard_ends(&self, ends: (PortIndex, PortIndex)) -> (bool, bool) {
        let heard = |port: PortIndex| self.devices[self.fabric.wiring.split(port).0.index()].connection.known;
        (heard(ends.0), heard(ends.1))
    }

    /// Whether traffic has an alternative to this link: between two groups another live link,
    /// within a group (or a fabric without groups) another live link at either end.
    fn has_others(&self, ends: (PortIndex, PortIndex)) -> bool {
        let Some(plan) = &self.tables.plan else { return false };
        let wiring = &self.fabric.wiring;
        let (one, other) = (wiring.split(ends.0), wiring.split(ends.1));
        let (here, there) = (wiring.group_of(one.0), wiring.group_of(other.0));
        let live = |switch: SwitchId| plan.links().of(switch);
        if here == there || !wiring.is_grouped() {
            return [one, other].iter().all(|&(switch, number)| live(switch) & !(1 << number.0) != 0);
        }
        wiring.switches_of(here).map(SwitchId).any(|switch| {
            let mask = live(switch) & wiring.global(switch) & !(if switch == one.0 { 1 << one.1.0 } else { 0 });
            (0..64).filter(|port| mask >> port & 1 == 1).any(|port| {
                let far =
                    wiring.peer(wiring.port(switch, philae_units::PortId(port))).expect("live links have two ends");
                wiring.group_of(wiring.split(far).0) == there
            })
        })
    }

    /// Changes a timer or a limit, and tells agents those that concern them.
    ///
    /// # Errors
    /// If there is no such setting or the value is outside its range.
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), ControlSettingError> {
        let told = self.welcome();
        self.settings.set(name, value)?;
        if self.welcome() != told {
            for switch in self.switches() {
                let device = &self.devices[switch.index()];
                if device.connection.connected && device.connection.known {
                    self.send(switch, ToBody::Welcome(self.welcome()));
                }
            }
        }
        Ok(())
    }

    /// Timers and limits.
    #[must_use]
    pub const fn settings(&self) -> &ControlSettings {
        &self.settings
    }

    /// The planned wiring.
    #[must_use]
    pub const fn wiring(&self) -> &Arc<FabricWiring> {
        &self.fabric.wiring
    }

    /// The tables for the present links; `None` before the fabric has come up.
    #[must_use]
    pub const fn plan(&self) -> Option<&RoutePlan> {
        self.tables.plan.as_ref()
    }

    /// The tables published last.
    #[must_use]
    pub const fn published(&self) -> Published {
        self.tables.published
    }

    /// The rollout in progress.
    #[must_use]
    pub fn rollout(&self) -> Option<RouteRolloutView> {
        self.tables.active.as_ref().map(|active| RouteRolloutView {
            generation: active.generation,
            round: active.round,
            rounds: active.rollout.rounds(),
            waiting: active.waiting.len(),
            event_ms: active.event_ms,
        })
    }

    /// A device in readable form.
    #[must_use]
    pub fn device(&self, switch: SwitchId) -> DeviceSummary {
        let device = &self.devices[switch.index()];
        let section = |section: ConfigSection| {
            let track = &device.sections[section as usize];
            let next = self.timers.at(Timer::Section(switch.0, section as u8)).filter(|_| track.sent.is_none());
            (section, self.desired(switch, section).unwrap_or(0), track.observed, track.failures, next)
        };
        DeviceSummary {
            state: device.state,
            since_ms: device.since_ms,
            cause: device.cause.clone(),
            last_heard_ms: device.connection.last_heard_ms,
            model: device.identity.model.clone(),
            firmware: device.identity.firmware.clone(),
            serial: device.identity.serial.clone(),
            sections: ConfigSection::ALL.into_iter().map(section).collect(),
        }
    }

    /// One section of a device in readable form.
    #[must_use]
    pub fn section(&self, switch: SwitchId, section: ConfigSection) -> SectionView<'_> {
        let track = &self.devices[switch.index()].sections[section as usize];
        let waits = self.timers.at(Timer::Section(switch.0, section as u8));
        SectionView {
            desired: &track.desired,
            desired_hash: self.desired(switch, section),
            applied: track.applied.as_deref(),
            observed_hash: track.observed,
            on_its_way: track.sent.is_some(),
            failures: track.failures,
            cause: track.cause.as_deref(),
            since_ms: track.since_ms,
            next_try_ms: waits.filter(|_| track.sent.is_none()),
        }
    }

    /// Edge ports isolated because their partner paused traffic for too long, and since when.
    pub fn paused_edges(&self) -> impl Iterator<Item = (PortIndex, u64)> + '_ {
        self.ports.paused_edges()
    }

    #[must_use]
    pub fn device_state(&self, switch: SwitchId) -> DeviceState {
        self.devices[switch.index()].state
    }

    /// A port as its switch reports it.
    #[must_use]
    pub fn port(&self, port: PortIndex) -> PortView {
        self.ports.view(port)
    }

    /// The traffic of a port, if reported.
    #[must_use]
    pub fn port_traffic(&self, port: PortIndex) -> Option<PortTraffic> {
        self.traffic.of(port)
    }

    /// The traffic of all ports that have reported it.
    pub fn all_traffic(&self) -> impl Iterator<Item = (PortIndex, PortTraffic)> + '_ {
        self.traffic.iter()
    }

    /// The link of a port; `None` if it has none to another switch.
    #[must_use]
    pub fn link_view(&self, now_ms: u64, port: PortIndex) -> Option<LinkView> {
        let link = self.link(port)?;
        let (one, other) = self.ends(link);
        // Dead switches are derived from all switches, so only check if neither end answers.
        let is_silent =
            [one, other].iter().all(|&end| !self.devices[self.fabric.wiring.split(end).0.index()].connection.connected);
        let is_dark = || is_silent && self.reach().dark.contains(&PortIndex(link));
        Some(LinkView {
            ports: self.ends(link),
            unusable: self.ports.unusable(link).or_else(|| is_dark().then(|| self.dark_since(PortIndex(link)))),
            flaps: self.flaps.view(link, now_ms, &self.settings),
        })
    }

    /// Links that carry no traffic, by their lower port: why, and since when.
    pub fn unusable_links(&self) -> impl Iterator<Item = (PortIndex, crate::Unusable, u64)> + '_ {
        let dark = self.reach().dark;
        self.ports.all_unusable().chain(dark.into_iter().map(|port| {
            let (why, since_ms) = self.dark_since(port);
            (port, why, since_ms)
        }))
    }

    /// For a link between two dead switches: since the second one is dead.
    fn dark_since(&self, port: PortIndex) -> (crate::Unusable, u64) {
        let ends = [Some(port), self.fabric.wiring.peer(port)].into_iter().flatten();
        let since = ends.map(|end| self.devices[self.fabric.wiring.split(end).0.index()].since_ms).max();
        (crate::Unusable::Dark, since.unwrap_or(0))
    }

    /// Why a link carries no traffic, by either of its ports; `None` if it does.
    #[must_use]
    pub fn unusable(&self, port: PortIndex) -> Option<crate::Unusable> {
        self.link(port).and_then(|link| self.ports.unusable(link)).map(|(why, _)| why)
    }

    /// Links with losses in their history, by their lower port.
    pub fn flapping(&self, now_ms: u64) -> impl Iterator<Item = (PortIndex, FlapView)> + '_ {
        self.flaps.links().map(move |link| (PortIndex(link), self.flaps.view(link, now_ms, &self.settings)))
    }

    /// The number of links.
    #[must_use]
    pub const fn link_count(&self) -> usize {
        self.fabric.link_count
    }

    /// Rises with every change that may affect alarms; while it is the same, so are they.
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// Since when an edge port is not up, as its switch reports, in ms of the manager's clock.
    #[must_use]
    pub fn edge_off_since(&self, port: PortIndex) -> Option<u64> {
        self.ports.edge_off(port)
    }

    /// Messages received and sent since the start.
    #[must_use]
    pub const fn messages(&self) -> (u64, u64) {
        (self.messages_in, self.messages_out)
    }
}
