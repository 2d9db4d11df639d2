//! The agent of one switch.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_route_tables::StagedEntry;

use crate::control::{ControlError, PortStatus, SwitchControl, SwitchOperation, Upgrade};
use crate::message::{
    Ack, Activate, Configure, EqualItems, FromAgent, FromBody, Heartbeat, Hello, Operate, OrderOutcome, PROTOCOL,
    PortReport, PortReports, ReadSection, SectionHash, SectionState, StageEntries, ToAgent, ToBody, UpgradeReport,
};
use crate::pause::Pauses;
use crate::section::{ConfigSection, SectionItems};
use philae_units::is_version;

/// Time between heartbeats until a manager sets another one, milliseconds.
///
/// Source: ours. Status: assumed; 17,440 agents then send 1,744 messages a second.
const HEARTBEAT_MS: u32 = 10_000;

/// Forwarding entries that wait for their activation.
#[derive(Debug)]
struct Staged {
    generation: u64,
    entries: Vec<StagedEntry>,
    /// Hash of the routes after the last round.
    after: u64,
    next_round: u8,
    rounds: u8,
}

/// The agent of one switch. Times are milliseconds of any monotonic clock.
#[derive(Debug)]
pub struct Agent<S> {
    switch: S,
    heartbeat_ms: u32,
    next_heartbeat_ms: Option<u64>,
    /// Least time between reports of counters, milliseconds; 0: none.
    counters_ms: u32,
    /// When counters may be reported again, milliseconds.
    next_counters_ms: u64,
    reports: u64,
    staged: Option<Staged>,
    /// Shared if one process runs many switches with equal settings.
    sections: BTreeMap<ConfigSection, Arc<SectionItems>>,
    pauses: Pauses,
    /// The last firmware upgrade that a manager ordered.
    upgrade: Option<Box<Upgrade>>,
}

impl<S: SwitchControl> Agent<S> {
    /// The agent of a switch, not yet connected.
    pub fn new(switch: S) -> Self {
        Self {
            switch,
            heartbeat_ms: HEARTBEAT_MS,
            next_heartbeat_ms: None,
            counters_ms: 0,
            next_counters_ms: 0,
            reports: 0,
            staged: None,
            sections: BTreeMap::new(),
            pauses: Pauses::default(),
            upgrade: None,
        }
    }

    /// The content of a section; `None` if it was never set.
    pub fn section(&self, section: ConfigSection) -> Option<&Arc<SectionItems>> {
        self.sections.get(&section)
    }

    /// The content of a section, to be replaced by an equal one that is shared.
    pub(crate) fn section_mut(&mut self, section: ConfigSection) -> Option<&mut Arc<SectionItems>> {
        self.sections.get_mut(&section)
    }

    pub const fn switch(&self) -> &S {
        &self.switch
    }

    /// The switch, for code that plays the part of the hardware.
    pub const fn switch_mut(&mut self) -> &mut S {
        &mut self.switch
    }

    /// Handles a new connection to a manager, and returns the first message.
    pub fn connected(&mut self, now_ms: u64) -> FromAgent {
        self.reports = 0;
        self.next_heartbeat_ms = Some(now_ms + u64::from(self.heartbeat_ms));
        self.switch.take_changes();
        let identity = self.switch.identity();
        let ports = self.switch.ports();
        let all = ports.iter().enumerate().map(|(port, status)| report(port as u32, status)).collect();
        let ports = self.number_report(all);
        self.upgrade = self.switch.upgrade().map(Box::new);
        let upgrade = self.upgrade.as_deref();
        let upgrade = upgrade.map(|upgrade| Box::new(upgrade_report(upgrade, &identity.firmware)));
        let own = || env!("CARGO_PKG_VERSION").to_owned();
        FromBody::Hello(Hello {
            name: identity.name,
            protocol: PROTOCOL,
            epoch: self.switch.epoch(),
            serial: identity.serial,
            model: identity.model,
            firmware: identity.firmware,
            sections: self.hashes(),
            ports: Some(ports),
            agent: if identity.agent.is_empty() { own() } else { identity.agent },
            boot: identity.boot,
            upgrade,
        })
        .into()
    }

    /// Handles the end of the connection. The switch continues unchanged; staged entries are
    /// discarded.
    pub fn disconnected(&mut self) {
        self.next_heartbeat_ms = None;
        self.staged = None;
    }

    /// Handles a restart of the switch, which has no configuration then.
    pub fn restarted(&mut self) {
        self.disconnected();
        self.sections.clear();
        self.pauses.forget();
    }

    /// When [`Self::poll`] must be called if nothing happens before.
    pub fn next_deadline_ms(&self) -> Option<u64> {
        let counts = self.next_heartbeat_ms.is_some() && self.counters_ms > 0 && self.switch.has_counters();
        let counters_ms = counts.then_some(self.next_counters_ms);
        [self.next_heartbeat_ms, counters_ms, self.pauses.next_deadline_ms()].into_iter().flatten().min()
    }

    /// Isolates ports that pause traffic for too long and releases those that have stopped, with or
    /// without a manager.
    fn guard(&mut self, now_ms: u64) {
        for (port, isolated) in self.pauses.poll(now_ms, self.switch.pausing()) {
            if self.switch.isolate(port, isolated).is_err() {
                // It is retried after its time has passed again.
                self.pauses.failed(now_ms, port, isolated);
            }
        }
    }

    /// Returns unsolicited messages: changed ports, and heartbeats.
    pub fn poll(&mut self, now_ms: u64) -> Vec<FromAgent> {
        self.guard(now_ms);
        let Some(next) = self.next_heartbeat_ms else { return Vec::new() };
        let mut out = Vec::new();
        let changed = self.switch.take_changes();
        if !changed.is_empty() {
            let ports = self.switch.ports();
            let reports =
                changed.iter().filter_map(|&port| Some(report(u32::from(port), ports.get(usize::from(port))?)));
            let reports = reports.collect();
            out.push(FromBody::Ports(self.number_report(reports)).into());
        }
        let upgrade = self.switch.upgrade();
        if upgrade.as_ref() != self.upgrade.as_deref() {
            let firmware = self.switch.identity().firmware;
            out.push(FromBody::Upgrade(upgrade_report(&upgrade.clone().unwrap_or_default(), &firmware)).into());
            self.upgrade = upgrade.map(Box::new);
        }
        if self.counters_ms > 0
            && now_ms >= self.next_counters_ms
            && let Some(counters) = self.switch.take_counters()
        {
            self.next_counters_ms = now_ms + u64::from(self.counters_ms);
            out.push(FromBody::Counters(counters).into());
        }
        if now_ms >= next {
            self.next_heartbeat_ms = Some(now_ms + u64::from(self.heartbeat_ms));
            out.push(FromBody::Heartbeat(Heartbeat { sections: self.hashes(), reports: self.reports }).into());
        }
        out
    }

    /// Carries out a manager's message.
    pub fn handle(&mut self, now_ms: u64, message: ToAgent) -> Option<FromAgent> {
        let known = self.switch.epoch();
        let Some(body) = message.body else {
            return Some(refusal(
                message.request,
                OrderOutcome::Refused,
                0,
                "an order of a kind that this agent does not know",
            ));
        };
        if message.epoch < known {
            let detail = format!("the manager's epoch is {}, the highest seen is {known}", message.epoch);
            return Some(refusal(message.request, OrderOutcome::StaleEpoch, known, &detail));
        }
        if message.epoch > known {
            self.switch.set_epoch(message.epoch);
            // Entries staged by an older manager are void.
            self.staged = None;
        }
        match body {
            ToBody::Welcome(welcome) => {
                self.heartbeat_ms = welcome.heartbeat_ms.max(1);
                self.counters_ms = welcome.counters_ms;
                self.pauses.limits(welcome.pause_limit_ms, welcome.pause_clear_ms);
                self.next_heartbeat_ms = Some(now_ms + u64::from(self.heartbeat_ms));
                None
            }
            ToBody::Stage(stage) => Some(self.stage(message.request, &stage)),
            ToBody::Activate(activate) => Some(self.activate(message.request, activate)),
            ToBody::Configure(configure) => Some(self.configure(message.request, configure)),
            ToBody::Read(read) => Some(self.read(message.request, read)),
            ToBody::Operate(operate) => Some(self.operate(message.request, &operate)),
        }
    }

    fn stage(&mut self, request: u64, stage: &StageEntries) -> FromAgent {
        let hash = self.switch.routes_hash();
        let Some(entries) =
            stage.entries.as_ref().map_or(Some(Vec::new()), crate::message::ForwardingEntries::to_entries)
        else {
            return refusal(request, OrderOutcome::Refused, hash, "entries whose columns differ in length");
        };
        if !stage.replace && stage.base != hash {
            let detail = format!("routes are {hash:016x}, the order begins with {:016x}", stage.base);
            return refusal(request, OrderOutcome::Mismatch, hash, &detail);
        }
        let rounds = entries.iter().map(|entry| entry.round + 1).max().unwrap_or(1);
        if stage.replace && rounds > 1 {
            return refusal(
                request,
                OrderOutcome::Refused,
                hash,
                "entries that replace all others take effect immediately",
            );
        }
        let first: Vec<StagedEntry> = entries.iter().filter(|entry| entry.round == 0).copied().collect();
        if let Err(error) = self.switch.set_routes(&first, stage.replace) {
            return failure(request, hash, &error);
        }
        self.staged = (rounds > 1).then_some(Staged {
            generation: stage.generation,
            entries,
            after: stage.after,
            next_round: 1,
            rounds,
        });
        self.taken_up(request, (rounds == 1).then_some(stage.after))
    }

    fn activate(&mut self, request: u64, activate: Activate) -> FromAgent {
        let hash = self.switch.routes_hash();
        let due = |staged: &&mut Staged| {
            let due = u32::from(staged.next_round)..u32::from(staged.rounds);
            staged.generation == activate.generation && due.contains(&activate.round)
        };
        let Some(staged) = self.staged.as_mut().filter(due) else {
            let detail = format!("round {} of generation {} is not staged", activate.round, activate.generation);
            return refusal(request, OrderOutcome::NothingStaged, hash, &detail);
        };
        // The manager does not call rounds in which this switch changes nothing.
        let rounds = staged.next_round..=activate.round as u8;
        let round: Vec<StagedEntry> =
            staged.entries.iter().filter(|entry| rounds.contains(&entry.round)).copied().collect();
        if let Err(error) = self.switch.set_routes(&round, false) {
            return failure(request, hash, &error);
        }
        staged.next_round = activate.round as u8 + 1;
        let after = (staged.next_round == staged.rounds).then_some(staged.after);
        if after.is_some() {
            self.staged = None;
        }
        self.taken_up(request, after)
    }

    /// Answers an order on routes that was carried out; `after` is their expected hash.
    fn taken_up(&self, request: u64, after: Option<u64>) -> FromAgent {
        let hash = self.switch.routes_hash();
        match after {
            Some(after) if after != hash => {
                let detail = format!("routes came out as {hash:016x}, they should be {after:016x}");
                refusal(request, OrderOutcome::Mismatch, hash, &detail)
            }
            _ => done(request, hash),
        }
    }

    fn configure(&mut self, request: u64, configure: Configure) -> FromAgent {
        let section = ConfigSection::from_number(configure.section).filter(|&section| section != ConfigSection::Routes);
        let Some(section) = section else {
            let detail = format!("section {} cannot have this configuration", configure.section);
            return refusal(request, OrderOutcome::Refused, 0, &detail);
        };
        let old = self.sections.get(&section).cloned().unwrap_or_default();
        if !configure.replace && configure.base != old.hash() {
            let detail =
                format!("{} are {:016x}, the order begins with {:016x}", section.name(), old.hash(), configure.base);
            return refusal(request, OrderOutcome::Mismatch, old.hash(), &detail);
        }
        let mut new = if configure.replace { SectionItems::default() } else { (*old).clone() };
        for items in configure.items {
            let value: Option<Arc<[u8]>> = (!items.drop).then(|| items.value.into());
            for key in items.keys {
                new.set(key, value.clone());
            }
        }
        if new.hash() != configure.after {
            let detail = format!("{} would be {:016x}, not {:016x}", section.name(), new.hash(), configure.after);
            return refusal(request, OrderOutcome::Mismatch, old.hash(), &detail);
        }
        if let Err(error) = self.switch.set_section(section, &new) {
            return failure(request, old.hash(), &error);
        }
        let hash = new.hash();
        self.sections.insert(section, Arc::new(new));
        done(request, hash)
    }

    fn read(&self, request: u64, read: ReadSection) -> FromAgent {
        let Some(section) = ConfigSection::from_number(read.section) else {
            return refusal(request, OrderOutcome::Refused, 0, &format!("there is no section {}", read.section));
        };
        let items = self.sections.get(&section);
        let hash = if section == ConfigSection::Routes {
            self.switch.routes_hash()
        } else {
            items.map_or(0, |items| items.hash())
        };
        let one = |(key, value): (u64, &Arc<[u8]>)| EqualItems { keys: vec![key], value: value.to_vec(), drop: false };
        let items = items.map_or(Vec::new(), |items| items.iter().map(one).collect());
        FromBody::State(SectionState { request, section: read.section, hash, items }).into()
    }

    fn operate(&mut self, request: u64, operate: &Operate) -> FromAgent {
        let operation = match (operate.operation, u8::try_from(operate.port)) {
            (0, _) => SwitchOperation::Reboot,
            (1, Ok(port)) => SwitchOperation::ResetPort(port),
            (3, _) if is_version(&operate.version) => SwitchOperation::Upgrade(operate.version.clone()),
            (3, _) => return refusal(request, OrderOutcome::Refused, 0, "the order to install has no version"),
            _ => return refusal(request, OrderOutcome::Refused, 0, "an operation that this agent does not know"),
        };
        match self.switch.operate(operation) {
            Ok(()) => done(request, 0),
            Err(error) => failure(request, 0, &error),
        }
    }

    /// Hashes of all sections.
    fn hashes(&self) -> Vec<SectionHash> {
        let hash = |section: ConfigSection| match section {
            ConfigSection::Routes => self.switch.routes_hash(),
            _ => self.sections.get(&section).map_or(0, |items| items.hash()),
        };
        ConfigSection::ALL.iter().map(|&section| SectionHash { section: section as u32, hash: hash(section) }).collect()
    }

    fn number_report(&mut self, ports: Vec<PortReport>) -> PortReports {
        self.reports += 1;
        PortReports { number: self.reports, ports }
    }
}

fn report(port: u32, status: &PortStatus) -> PortReport {
    let neighbour = status.neighbour.map_or(0, |nid| nid + 1);
    PortReport { port, state: status.state as u32, neighbour, losses: status.losses }
}

fn upgrade_report(upgrade: &Upgrade, firmware: &str) -> UpgradeReport {
    UpgradeReport {
        version: upgrade.version.clone(),
        stage: upgrade.stage as u32,
        detail: upgrade.detail.clone(),
        firmware: firmware.to_owned(),
    }
}

fn done(request: u64, hash: u64) -> FromAgent {
    FromBody::Ack(Ack { request, outcome: OrderOutcome::Done as i32, hash, detail: String::new() }).into()
}

fn refusal(request: u64, outcome: OrderOutcome, hash: u64, detail: &str) -> FromAgent {
    FromBody::Ack(Ack { request, outcome: outcome as i32, hash, detail: detail.to_owned() }).into()
}

fn failure(request: u64, hash: u64, error: &ControlError) -> FromAgent {
    let outcome = match error {
        ControlError::Refused(_) => OrderOutcome::Refused,
        ControlError::Failed(_) => OrderOutcome::Failed,
    };
    refusal(request, outcome, hash, &error.to_string())
}
