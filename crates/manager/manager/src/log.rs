//! The log of the running manager: lines of JSON or of text, with this program's own events only.
//!
//! It never gets secrets: requests are logged without headers and bodies, and the texts of tokens
//! and keys are of types that do not print them.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use philae_manager_core::{DeviceState, FabricControl, Published};
use philae_units::{PortIndex, SwitchId};
use tracing::level_filters::LevelFilter;
use tracing::{debug, error, info, warn};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::reload::{Handle, Layer};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Registry, fmt as lines};

use crate::names::FabricNames;

/// How lines look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON document a line.
    Json,
}

/// How much is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogLevel {
    /// What the manager cannot repair.
    Error,
    /// What is not as it should be.
    Warn,
    /// What was changed, and what became better or worse.
    #[default]
    Info,
    /// Every request, every state of every device, every link.
    Debug,
}

impl LogLevel {
    /// All levels.
    pub const ALL: [Self; 4] = [Self::Error, Self::Warn, Self::Info, Self::Debug];

    /// The word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        }
    }

    const fn filter(self) -> LevelFilter {
        match self {
            Self::Error => LevelFilter::ERROR,
            Self::Warn => LevelFilter::WARN,
            Self::Info => LevelFilter::INFO,
            Self::Debug => LevelFilter::DEBUG,
        }
    }

    /// Lines of libraries are left out: their content is not under our control.
    fn targets(self) -> Targets {
        Targets::new().with_target("philae_manager", self.filter())
    }
}

impl fmt::Display for LogLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for LogLevel {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|level| level.name() == word);
        found.ok_or_else(|| format!("there is no level '{word}'; there are: {}", Self::ALL.map(Self::name).join(", ")))
    }
}

static CHANGE: OnceLock<(Handle<Targets, Registry>, std::sync::Mutex<LogLevel>)> = OnceLock::new();

/// Lines on standard error. A line that cannot be written is lost: the library's own note about
/// that would end the thread.
fn layer<S>() -> lines::Layer<S, lines::format::DefaultFields, lines::format::Format, fn() -> std::io::Stderr> {
    lines::layer().log_internal_errors(false).with_writer(std::io::stderr)
}

/// Begins to log to standard error. A second call only changes the level.
pub fn begin(format: LogFormat, level: LogLevel) {
    let (filter, handle) = Layer::new(level.targets());
    if CHANGE.set((handle, std::sync::Mutex::new(level))).is_err() {
        set_level(level);
        return;
    }
    let registry = tracing_subscriber::registry().with(filter);
    let begun = match format {
        LogFormat::Text => registry.with(layer().with_ansi(false)).try_init(),
        LogFormat::Json => registry.with(layer().json().flatten_event(true)).try_init(),
    };
    // A program that embeds the manager may have a subscriber of its own: then lines go there.
    drop(begun);
}

/// Changes the level.
pub fn set_level(level: LogLevel) {
    if let Some((handle, known)) = CHANGE.get()
        && handle.reload(level.targets()).is_ok()
    {
        *known.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = level;
    }
}

/// The present level.
#[must_use]
pub fn level() -> LogLevel {
    CHANGE
        .get()
        .map_or(LogLevel::default(), |(_, level)| *level.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// Logs an answered request. Its query may have names, its headers and body may be secret, so none
/// of them is logged.
pub fn request(id: &str, actor: &str, method: &str, path: &str, status: u16, micros: u64) {
    if status == 503 {
        // For a manager that does not lead, or not yet: the reason has a line of its own.
        debug!(id, actor, method, path, status, micros, "request");
    } else if status >= 500 {
        error!(id, actor, method, path, status, micros, "request");
    } else if method != "GET" || matches!(status, 401 | 403 | 429) {
        info!(id, actor, method, path, status, micros, "request");
    } else {
        debug!(id, actor, method, path, status, micros, "request");
    }
}

/// A device has a new state. `troubled`: it was not well before.
pub(crate) fn device(control: &FabricControl, names: &FabricNames, switch: SwitchId, troubled: bool) {
    let view = control.device(switch);
    let (switch, state, cause) = (names.0.bmc_xname(switch), view.state.name(), view.cause);
    match view.state {
        DeviceState::Degraded | DeviceState::Unreachable | DeviceState::Quarantined => {
            warn!(%switch, state, %cause, "device");
        }
        DeviceState::Maintenance => info!(%switch, state, %cause, "device"),
        DeviceState::Synced if troubled => info!(%switch, state, %cause, "device"),
        _ => debug!(%switch, state, %cause, "device"),
    }
}

/// A link carries traffic again, or none.
pub(crate) fn link(names: &FabricNames, port: PortIndex, up: bool) {
    debug!(link = %names.0.link_xname(port), carrying = up, "link");
}

/// New tables are installed.
pub(crate) fn published(tables: &Published) {
    let millis = tables.done_ms.saturating_sub(tables.event_ms);
    let Published { generation, links, entries, switches, rounds, .. } = *tables;
    debug!(generation, links, entries, switches, rounds, millis, "tables taken up");
}

/// The manager closed the connection of a switch.
pub(crate) fn closed(names: &FabricNames, switch: SwitchId, reason: &str) {
    info!(switch = %names.0.bmc_xname(switch), reason, "connection closed");
}

/// An agent's connection has ended.
pub(crate) fn disconnected(switch: &str, reason: &str) {
    debug!(switch, reason, "agent disconnected");
}

/// A rollout of firmware, or a switch of it.
pub(crate) fn firmware(words: &str) {
    info!(firmware = words, "firmware");
}

/// Another manager leads.
pub(crate) fn fenced(epoch: u64) {
    error!(epoch, "agents obey another manager: this one no longer gives orders");
}

/// This manager no longer leads.
pub(crate) fn stepped_down(why: &str) {
    error!(why, "this manager has stepped down");
}

/// This manager begins to lead.
pub(crate) fn took_over(epoch: u64, revision: u64) {
    info!(epoch, revision, "this manager leads");
}

/// A standby cannot follow.
pub(crate) fn not_following(problem: &str) {
    error!(problem, "this standby does not follow");
}

/// A request to a lease failed.
pub fn lease_failed(problem: &str) {
    error!(problem, "the lease cannot be asked for");
}

/// The set of standbys that may take over has changed.
pub(crate) fn usable_standbys(names: &BTreeSet<String>) {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if names.is_empty() {
        warn!("no standby has every change: changes are on one disk only, and no automatic takeover is possible");
    } else {
        info!(standbys = names.join(", "), "standbys that may take over");
    }
}

/// A lease was granted for another time than requested.
pub(crate) fn lease_granted(lease: &str, asked: u64, granted: u64) {
    warn!(
        lease,
        asked, granted, "the lease is granted for another time than was asked for: a takeover takes that long"
    );
}

/// The lease is free, and this standby may not have it.
pub(crate) fn not_taking_over(why: &str) {
    error!(why, "the lease is free, and this standby does not take it");
}

/// A standby has replaced its store by its leader's.
pub(crate) fn seeded_again(why: &str, aside: Option<&std::path::Path>, seeded: &philae_store::Reseeded) {
    let (revision, parted, changes) = (seeded.revision.0, seeded.parted.0, seeded.lost.len());
    match aside {
        Some(folder) => {
            let folder = folder.display();
            warn!(why, %folder, changes, parted, revision, "this standby was seeded again; changes that only it had are set aside");
        }
        None => info!(why, revision, "this standby was seeded again; it had nothing that the leader lacks"),
    }
}

/// The wall clock jumped, or is right again.
pub(crate) fn clock_jumped(seconds: i64) {
    if seconds == 0 {
        info!("the wall clock agrees with the steady clock again");
    } else {
        error!(seconds, "the wall clock jumped: nothing ends by the clock until it is right, or its time is accepted");
    }
}

/// The manager made a token for its operator.
pub(crate) fn token_made(name: &str, why: &str) {
    warn!(name, why, "a token of the role admin was made for the state directory");
}

/// This manager would lead, but its disk accepts no writes.
pub(crate) fn waits_for_disk(why: &str) {
    error!(
        why,
        "this manager cannot record that it leads: documents can be read, and it leads as soon as writes succeed"
    );
}

/// The address of this manager could not be announced.
pub fn not_announced(problem: &str) {
    warn!(problem, "this manager cannot publish its address");
}
