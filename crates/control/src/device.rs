//! One state machine for each device.
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

use philae_agent::{Section, SectionItems};

use crate::firmware::UpgradeView;

/// What state a device is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeviceState {
    /// It has not been heard of since the manager started.
    #[default]
    Unknown,
    /// It has said what it is; nothing has been sent yet.
    Connected,
    /// Orders are on their way to it.
    Configuring,
    /// It has what it should have.
    Synced,
    /// An order failed; it is tried again.
    Degraded,
    /// It was heard of and is not any more. It forwards by what it had.
    Unreachable,
    /// It answered wrongly again and again; nothing is sent until an operator releases it.
    Quarantined,
    /// An operator works on it; nothing is sent.
    Maintenance,
}

impl DeviceState {
    /// All of them.
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

    /// The word that people read.
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
    /// An order was refused or failed, in the agent's words.
    Failed(Section, String),
    /// An order was not answered in time.
    NoAnswer(Section),
    /// It was not heard of for too long.
    Silence,
    /// Its connection is gone.
    Disconnected,
    /// What it did was not what it was told, this many times in a row.
    Wrong(u32),
    /// An operator's word.
    Operator,
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("not heard of yet"),
            Self::Connected => f.write_str("its agent connected"),
            Self::Differs => f.write_str("what it has differs from what it should have"),
            Self::Agrees => f.write_str("it has what it should have"),
            Self::Failed(section, detail) => write!(f, "{}: {detail}", section.name()),
            Self::NoAnswer(section) => write!(f, "{}: no answer in time", section.name()),
            Self::Silence => f.write_str("no heartbeat"),
            Self::Disconnected => f.write_str("its connection is gone"),
            Self::Wrong(times) => write!(f, "it did not do what it said, {times} times in a row"),
            Self::Operator => f.write_str("by order of an operator"),
        }
    }
}

/// An order that is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Its number.
    pub request: u64,
    /// Hash that the section has when it is carried out.
    pub after: u64,
}

/// One section of a device.
#[derive(Clone, Debug, Default)]
pub struct SectionTrack {
    /// What the device says it has.
    pub observed: u64,
    /// What it should have; for the routes, the plan knows.
    pub desired: Arc<SectionItems>,
    /// What it had when it was last known to have anything, to send differences from.
    pub applied: Option<Arc<SectionItems>>,
    /// The order that is on its way.
    pub sent: Option<Sent>,
    /// What the order on its way makes.
    pub sending: Option<Arc<SectionItems>>,
    /// Failures in a row.
    pub failures: u32,
    /// Why the last order failed; nothing where none did since one succeeded.
    pub cause: Option<Box<Cause>>,
    /// Whether it had what it should have when that was looked at last, and since when that is so.
    pub agrees: bool,
    pub since_ms: u64,
}

/// What the manager knows of a device.
#[derive(Clone, Debug, Default)]
pub struct Device {
    pub state: DeviceState,
    pub since_ms: u64,
    pub cause: Cause,
    pub connected: bool,
    /// Whether it has said what it is since the manager started.
    pub known: bool,
    pub maintenance: bool,
    pub quarantined: bool,
    pub wrong: u32,
    pub last_heard_ms: u64,
    pub reports: u64,
    /// Ports whose configuration was changed lately, as a mask, and until when that excuses losses
    /// of their links.
    pub changed_ports: u64,
    pub changed_until_ms: u64,
    /// Whether it neither sends nor reads LLDP, by configuration.
    pub is_mute: bool,
    /// Whether it has named a neighbour since it was connected: then its driver can.
    pub hears: bool,
    pub model: String,
    pub firmware: String,
    pub serial: String,
    pub agent: Arc<str>,
    pub boot: Box<str>,
    pub upgrade: Option<Box<UpgradeView>>,
    pub sections: [SectionTrack; Section::ALL.len()],
}

impl Device {
    /// So many of which nothing is known and nothing wanted.
    pub fn all(count: usize) -> Vec<Self> {
        // One empty section for all of them: there are nine of each device.
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

    /// Whether orders may be sent to it.
    pub const fn takes_orders(&self) -> bool {
        self.connected && !self.maintenance && !self.quarantined
    }

    /// Goes to a state, if it is not in it for the same cause already; whether the state changed.
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

/// A device as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceView {
    /// What state it is in.
    pub state: DeviceState,
    /// Since when, milliseconds of the manager's clock.
    pub since_ms: u64,
    /// Why.
    pub cause: Cause,
    /// When it was last heard of.
    pub last_heard_ms: u64,
    /// Model, as it says.
    pub model: String,
    /// Version of its firmware, as it says.
    pub firmware: String,
    /// Serial number, as it says.
    pub serial: String,
    /// For each section: hash wanted, hash that it says it has, failures in a row, when it is tried again.
    pub sections: Vec<(Section, u64, u64, u32, Option<u64>)>,
}

/// One section of a device as people see it: what it should have, what it was last known to have, what it says.
#[derive(Clone, Copy, Debug)]
pub struct SectionView<'a> {
    /// Items that it should have; none for the routes.
    pub desired: &'a SectionItems,
    /// Hash that it should have; nothing where that is not known yet.
    pub desired_hash: Option<u64>,
    /// Items that it acknowledged last, where they are known.
    pub applied: Option<&'a SectionItems>,
    /// Hash that it says it has.
    pub observed_hash: u64,
    /// Whether an order is on its way to it.
    pub on_its_way: bool,
    /// Failures in a row.
    pub failures: u32,
    /// Why the last order failed.
    pub cause: Option<&'a Cause>,
    /// Since when it has, or has not, what it should have: milliseconds of the manager's clock.
    pub since_ms: u64,
    /// When it is tried again, if it waits for that.
    pub next_try_ms: Option<u64>,
}

impl SectionView<'_> {
    /// Whether it has what it should have.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.desired_hash == Some(self.observed_hash)
    }

    /// Whether one item is as it should be, as far as is known: all of them, where the hashes say so.
    #[must_use]
    pub fn has_item(&self, key: u64) -> bool {
        self.agrees() || self.applied_now().is_some_and(|applied| applied.get(key) == self.desired.get(key))
    }

    /// What it was last known to have, where it still says so.
    #[must_use]
    pub fn applied_now(&self) -> Option<&SectionItems> {
        if self.agrees() {
            return Some(self.desired);
        }
        self.applied.filter(|applied| applied.hash() == self.observed_hash)
    }
}
