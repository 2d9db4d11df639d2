//! The state machine of each device.
//!
//! ```text
//! unknown -> connected -> configuring -> synced
//!               ^             |  ^          |
//!               |             v  |          v  (an order fails, or what it has is not what it should have)
//!               |          degraded <-------+
//!          unreachable <- any of them (silence, or the connection is gone)
//! quarantined (it answers wrongly again and again), maintenance (an operator's word): nothing is sent
//! ```

use std::sync::Arc;

use philae_agent::{ConfigSection, SectionItems};

use crate::firmware::UpgradeView;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeviceState {
    /// It has not been heard from since the manager started.
    #[default]
    Unknown,
    /// It has introduced itself; nothing has been sent yet.
    Connected,
    /// Orders to it are in flight.
    Configuring,
    /// Its observed state is its desired state.
    Synced,
    /// An order failed and will be retried.
    Degraded,
    /// It was heard from and is silent now. It forwards by its last tables.
    Unreachable,
    /// It answered wrongly again and again; nothing is sent until an operator releases it.
    Quarantined,
    /// It is in maintenance; nothing is sent.
    Maintenance,
}

impl DeviceState {
    /// All states.
    pub const ALL: [Self; 8] = [
        Self::Unknown,
        Self::Connected,
        Self::Configuring,
        Self::Synced,
        Self::Degraded,
        Self::Unreachable,
        Self::Quarantined,
        Self::Maintenance,
    ];

    /// The name in output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Connected => "connected",
            Self::Configuring => "configuring",
            Self::Synced => "synced",
            Self::Degraded => "degraded",
            Self::Unreachable => "unreachable",
            Self::Quarantined => "quarantined",
            Self::Maintenance => "maintenance",
        }
    }
}

/// Why a device is in its state.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Nothing has happened yet.
    #[default]
    None,
    /// Its agent connected.
    Connected,
    /// Sections differ and are being sent.
    Differs,
    /// All sections are as they should be.
    Agrees,
    /// An order was refused or failed, with the agent's message.
    Failed(ConfigSection, String),
    /// An order was not answered in time.
    NoAnswer(ConfigSection),
    /// It was silent for too long.
    Silence,
    /// Its connection has ended.
    Disconnected,
    /// Its result was not the ordered one, this many times in a row.
    Wrong(u32),
    /// An operator's request.
    Operator,
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("never connected"),
            Self::Connected => f.write_str("its agent connected"),
            Self::Differs => f.write_str("its configuration differs from the desired one"),
            Self::Agrees => f.write_str("it has the desired configuration"),
            Self::Failed(section, detail) => write!(f, "{}: {detail}", section.name()),
            Self::NoAnswer(section) => write!(f, "{}: no answer in time", section.name()),
            Self::Silence => f.write_str("no heartbeat"),
            Self::Disconnected => f.write_str("its connection is gone"),
            Self::Wrong(times) => write!(f, "it falsely reported success, {times} times in a row"),
            Self::Operator => f.write_str("by order of an operator"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderInFlight {
    /// Its number.
    pub request: u64,
    /// The hash of the section after the order.
    pub after: u64,
}

/// The state of one section of a device.
#[derive(Clone, Debug, Default)]
pub struct SectionTrack {
    /// The observed hash, which the device reports.
    pub observed: u64,
    /// The desired items; for the routes, the plan has them.
    pub desired: Arc<SectionItems>,
    /// The last known items, from which differences are computed.
    pub applied: Option<Arc<SectionItems>>,
    /// The order in flight.
    pub sent: Option<OrderInFlight>,
    /// The items after the order in flight.
    pub sending: Option<Arc<SectionItems>>,
    /// Consecutive failures.
    pub failures: u32,
    /// Why the last order failed; `None` after a success.
    pub cause: Option<Box<Cause>>,
    /// Whether observed and desired state agreed at the last check, and since when.
    pub agrees: bool,
    pub since_ms: u64,
}

/// The stream of a device.
#[derive(Clone, Debug, Default)]
pub struct DeviceConnection {
    pub connected: bool,
    /// Whether it has introduced itself since the manager started.
    pub known: bool,
    pub last_heard_ms: u64,
    pub reports: u64,
}

/// How far a device's reports of its neighbours can be relied on.
#[derive(Clone, Debug, Default)]
pub struct NeighbourReports {
    /// Whether its configuration disables both sending and reading of LLDP.
    pub is_mute: bool,
    /// Whether it has named a neighbour since it connected, which shows that its driver can.
    pub hears: bool,
    /// Ports whose configuration was changed lately, as a mask, and until when that excuses losses
    /// of their links.
    pub changed_ports: u64,
    pub changed_until_ms: u64,
}

/// What a device says that it is.
#[derive(Clone, Debug, Default)]
pub struct DeviceIdentity {
    pub model: String,
    pub firmware: String,
    pub serial: String,
    pub agent: Arc<str>,
    pub boot: Box<str>,
}

/// What the manager knows of a device.
#[derive(Clone, Debug, Default)]
pub struct Device {
    pub state: DeviceState,
    pub since_ms: u64,
    pub cause: Cause,
    pub maintenance: bool,
    pub quarantined: bool,
    pub wrong: u32,
    pub connection: DeviceConnection,
    pub neighbours: NeighbourReports,
    pub identity: DeviceIdentity,
    pub upgrade: Option<Box<UpgradeView>>,
    pub sections: [SectionTrack; ConfigSection::ALL.len()],
}

impl Device {
    /// `count` devices of unknown state, with nothing desired.
    pub fn all(count: usize) -> Vec<Self> {
        // All sections share one empty value, because each device has nine.
        let empty = Arc::new(SectionItems::default());
        let device = |_| {
            let mut device = Self::default();
            for track in &mut device.sections {
                track.desired = Arc::clone(&empty);
            }
            device
        };
        (0..count).map(device).collect()
    }

    /// Whether it accepts orders.
    pub const fn takes_orders(&self) -> bool {
        self.connection.connected && !self.maintenance && !self.quarantined
    }

    /// Changes the state, unless the device is already in it for the same cause, and returns
    /// whether the state changed.
    pub fn go(&mut self, now_ms: u64, state: DeviceState, cause: Cause) -> bool {
        let changed = self.state != state;
        if changed {
            self.since_ms = now_ms;
        }
        self.state = state;
        self.cause = cause;
        changed
    }
}

/// A device in readable form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceSummary {
    pub state: DeviceState,
    /// Since when, in milliseconds of the manager's clock.
    pub since_ms: u64,
    pub cause: Cause,
    /// When it was last heard from.
    pub last_heard_ms: u64,
    /// The model that it reports.
    pub model: String,
    /// The firmware version that it reports.
    pub firmware: String,
    /// The serial number that it reports.
    pub serial: String,
    /// For each section: desired hash, observed hash, consecutive failures, time of the next try.
    pub sections: Vec<(ConfigSection, u64, u64, u32, Option<u64>)>,
}

/// One section of a device in readable form: its desired, its last known and its observed state.
#[derive(Clone, Copy, Debug)]
pub struct SectionView<'a> {
    /// Desired items; none for the routes.
    pub desired: &'a SectionItems,
    /// Desired hash; `None` if it is not known yet.
    pub desired_hash: Option<u64>,
    /// Items that it acknowledged last, if known.
    pub applied: Option<&'a SectionItems>,
    pub observed_hash: u64,
    /// Whether an order to it is in flight.
    pub on_its_way: bool,
    /// Consecutive failures.
    pub failures: u32,
    /// Why the last order failed.
    pub cause: Option<&'a Cause>,
    /// Since when it agrees or differs, in milliseconds of the manager's clock.
    pub since_ms: u64,
    /// When it will be retried, if it waits for that.
    pub next_try_ms: Option<u64>,
}

impl SectionView<'_> {
    /// Whether observed and desired state agree.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.desired_hash == Some(self.observed_hash)
    }

    /// Whether one item is as desired, as far as is known; true for all if the hashes agree.
    #[must_use]
    pub fn has_item(&self, key: u64) -> bool {
        self.agrees() || self.applied_now().is_some_and(|applied| applied.get(key) == self.desired.get(key))
    }

    /// The last known items, if the observed hash is still theirs.
    #[must_use]
    pub fn applied_now(&self) -> Option<&SectionItems> {
        if self.agrees() {
            return Some(self.desired);
        }
        self.applied.filter(|applied| applied.hash() == self.observed_hash)
    }
}
