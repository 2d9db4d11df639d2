//! Prometheus' text format. The number of series does not depend on the size of the fabric, unless
//! groups are requested.

use std::collections::BTreeMap;
use std::fmt::Write;

use philae_manager_core::{DeviceState, FabricStatus, HealthLevel, Isolation};
use philae_units::SwitchId;

use crate::access::RequiredAccess;
use crate::compat;
use crate::control_loop::ControlLoop;
use crate::documents::Documents;
use crate::incidents::kind_of;
use crate::manager::Manager;
use crate::measured::{BUCKETS, TimeHistogram};
use crate::protocol::endpoint::{ApiEndpoint, get};
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::Content;
use crate::resources::Answer;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] =
    &[get("/metrics", "Prometheus' text format.", compat::endpoint::METRICS, metrics)
        .content(Content::Text)
        .for_whom(RequiredAccess::Figures)];

/// Kinds of alarms, with the names of the control loop's alarms.
const ALARMS: [&str; 11] = [
    "parts",
    "switches-silent",
    "switch",
    "link",
    "link-flapping",
    "cable",
    "neighbour",
    "group-pair",
    "nic",
    "paused-too-long",
    "routes",
];

const fn number_of(health: HealthLevel) -> f64 {
    match health {
        HealthLevel::Healthy => 0.0,
        HealthLevel::Converging => 1.0,
        HealthLevel::Degraded => 2.0,
        HealthLevel::Unhealthy => 3.0,
    }
}

/// The page: each metric has its help and its type once, before its values.
#[derive(Debug, Default)]
struct Page(String);

impl Page {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP philae_{name} {help}\n# TYPE philae_{name} {kind}");
    }

    fn value(&mut self, name: &str, labels: &[(&str, &str)], value: f64) {
        let _ = write!(self.0, "philae_{name}");
        for (at, (label, text)) in labels.iter().enumerate() {
            let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            let _ = write!(self.0, "{}{label}=\"{text}\"", if at == 0 { '{' } else { ',' });
        }
        let _ = writeln!(self.0, "{} {value}", if labels.is_empty() { "" } else { "}" });
    }

    fn one(&mut self, name: &str, kind: &str, help: &str, value: f64) {
        self.head(name, kind, help);
        self.value(name, &[], value);
    }

    fn each<'a>(
        &mut self,
        name: &str,
        kind: &str,
        help: &str,
        label: &str,
        values: impl IntoIterator<Item = (&'a str, f64)>,
    ) {
        self.head(name, kind, help);
        for (text, value) in values {
            self.value(name, &[(label, text)], value);
        }
    }

    fn histogram(&mut self, name: &str, labels: &[(&str, &str)], times: &TimeHistogram) {
        let bounds = BUCKETS.iter().map(ToString::to_string).chain(["+Inf".to_owned()]);
        for (bound, count) in bounds.zip(times.cumulative()) {
            let labels: Vec<(&str, &str)> = labels.iter().copied().chain([("le", bound.as_str())]).collect();
            self.value(&format!("{name}_bucket"), &labels, count as f64);
        }
        self.value(&format!("{name}_sum"), labels, times.sum());
        self.value(&format!("{name}_count"), labels, times.count() as f64);
    }
}

/// `GET /metrics`
pub fn metrics(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let groups = request.flag("groups")?;
    if request.query.keys().any(|key| key.starts_with('$')) {
        return compat::state::metrics(manager, request);
    }
    let mut page = Page::default();
    page.head("build_info", "gauge", "The version of the manager; always 1.");
    page.value("build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1.0);
    let status = crate::resources::status::judged(manager, &manager.firmware_counts());
    fabric(manager, &status, &mut page);
    reach(&manager.documents, &status, &mut page);
    if groups {
        by_group(manager, &mut page);
    }
    links(&manager.control_loop, &status, &mut page);
    firmware(manager, &mut page);
    service(manager, &mut page);
    process(&mut page);
    Ok(Reply::Text(page.0))
}

/// Which switches reach each other, and what is off.
fn reach(documents: &Documents, status: &FabricStatus, page: &mut Page) {
    let reach = &status.reach;
    let help = "Parts of the fabric that do not reach each other; 1 if it is as planned.";
    page.one("parts", "gauge", help, reach.part_count() as f64);
    let help = "Pairs of switches with NICs that have no path, without dead and drained switches.";
    page.one("switch_pairs_without_way", "gauge", help, reach.switch_pairs as f64);
    let help = "Pairs of NICs of such switches.";
    page.one("nic_pairs_without_way", "gauge", help, reach.nic_pairs as f64);
    let help = "Switches that neither answer nor have a link that carries traffic, and not on purpose.";
    page.one("switches_dead", "gauge", help, reach.dead_count() as f64);
    let help = "Switches that restart for an upgrade, or are in maintenance and do not answer.";
    page.one("switches_dead_planned", "gauge", help, reach.dead_planned.len() as f64);
    let help = "Switches that do not answer and forward by their last tables.";
    page.one("switches_silent", "gauge", help, reach.silent.len() as f64);
    let off = |planned: bool| status.nics_off.iter().filter(|nic| nic.is_planned == planned).count() as f64;
    let help = "NICs that are off the fabric; planned: on purpose.";
    page.each("nics_off", "gauge", help, "planned", [("no", off(false)), ("yes", off(true))]);
    page.one("nics", "gauge", "NICs that are planned.", status.edge.total as f64);
    let pending = crate::documents::pending::pending(documents).is_some();
    let help = "1 while a change waits for confirmation.";
    page.one("change_pending", "gauge", help, f64::from(u8::from(pending)));
}

fn fabric(manager: &Manager, status: &FabricStatus, page: &mut Page) {
    let security = crate::resources::status::security_word(manager).health;
    let words = [
        ("runtime", status.runtime.health),
        ("configuration", status.configuration.health),
        ("traffic", status.traffic.health),
        ("security", security),
    ];
    let words = words.map(|(word, health)| (word, number_of(health)));
    page.each("health", "gauge", "0 healthy, 1 converging, 2 degraded, 3 unhealthy.", "word", words);
    let states = DeviceState::ALL.iter().map(|state| (state.name(), status.switches[*state as usize] as f64));
    page.each("switches", "gauge", "Switches by state.", "state", states);
    let synced = status.switches[DeviceState::Synced as usize] as f64;
    page.one("switches_synced", "gauge", "Switches with the whole desired configuration.", synced);
    page.one("switches_installed", "gauge", "Switches that are installed.", manager.fabric.switch_count() as f64);
    let now_ms = manager.control_loop.now_ms();
    let control = &manager.control_loop.control;
    let heard = (0..manager.fabric.switch_count()).map(SwitchId::from_index);
    let heard = heard
        .filter(|&switch| !matches!(control.device_state(switch), DeviceState::Unknown | DeviceState::Unreachable));
    let oldest = heard.map(|switch| now_ms.saturating_sub(control.device(switch).last_heard_ms)).max().unwrap_or(0);
    let help = "Seconds since the last message of the switch that was silent longest, among those that are not known to be unreachable.";
    page.one("sweep_age_seconds", "gauge", help, oldest as f64 / 1e3);
    let mut kinds: BTreeMap<&str, f64> = ALARMS.iter().map(|kind| (*kind, 0.0)).collect();
    for alarm in control.alarms(now_ms) {
        *kinds.entry(kind_of(&alarm.kind)).or_default() += 1.0;
    }
    page.each("alarms", "gauge", "Present alarms, by kind.", "kind", kinds);
    let up = [("edge", status.edge.up as f64), ("fabric", status.fabric.up as f64)];
    page.each("ports_up", "gauge", "Ports that are up, by role.", "to", up);
    let all = [("edge", status.edge.total as f64), ("fabric", status.fabric.total as f64)];
    page.each("ports_cabled", "gauge", "Ports that are cabled, by role.", "to", all);
    let help = "Pairs of groups without a live direct link.";
    page.one("group_pairs_without_direct_link", "gauge", help, status.indirect_pairs as f64);
    let published = status.published;
    page.one("routes_generation", "gauge", "Generation of the active forwarding tables.", published.generation as f64);
    page.one("routes_entries_changed", "gauge", "Entries that the last tables changed.", published.entries as f64);
    page.one("routes_switches_changed", "gauge", "Switches that the last tables changed.", published.switches as f64);
    let waiting = control.rollout().map_or(0, |rollout| rollout.waiting);
    page.one("routes_waiting_switches", "gauge", "Switches whose answer to new tables is awaited.", waiting as f64);
    page.head(
        "reroute_seconds",
        "histogram",
        "From a link's event on: waiting, computing, sending, and all until the last switch has the tables.",
    );
    for (step, times) in manager.control_loop.reroutes.steps() {
        page.histogram("reroute_seconds", &[("step", step)], times);
    }
}

fn links(control_loop: &ControlLoop, status: &FabricStatus, page: &mut Page) {
    let ((all, carrying), planned) = (status.links, status.planned_links);
    let states = [
        ("carrying", carrying as f64),
        ("not-carrying", (all - carrying - planned) as f64),
        ("planned-off", planned as f64),
    ];
    page.each("links", "gauge", "Links between switches by state.", "state", states);
    let (mut losses, mut isolation) = (0, [("held-down", 0.0), ("isolated", 0.0), ("spared", 0.0)]);
    for (_, view) in control_loop.control.flapping(control_loop.now_ms()) {
        losses += view.losses;
        match view.isolation {
            Isolation::None => {}
            Isolation::HeldDown { .. } => isolation[0].1 += 1.0,
            Isolation::Isolated => isolation[1].1 += 1.0,
            Isolation::Spared => isolation[2].1 += 1.0,
        }
    }
    page.one("link_losses_recent", "gauge", "Losses of links within the window of flaps.", losses as f64);
    let help = "Links that are kept out of service after losses, by state; spared links are not.";
    page.each("links_flapping", "gauge", help, "isolation", isolation);
}

/// Firmware and versions. Versions are labels, because there are few of them.
fn firmware(manager: &Manager, page: &mut Page) {
    let counts = manager.firmware_counts();
    let help = "Switches that do not run their desired firmware.";
    page.one("firmware_differs", "gauge", help, counts.differ as f64);
    let running = counts.running.iter().map(|(version, count)| (version.as_str(), *count as f64));
    page.each("firmware_switches", "gauge", "Switches by the firmware that they report.", "version", running);
    let agents = counts.agents.iter().map(|(version, count)| (version.as_str(), *count as f64));
    page.each("agents", "gauge", "Switches by the version of their agent.", "version", agents);
    let help = "Switches whose agent is not of the desired version.";
    page.one("agents_differ", "gauge", help, counts.agents_differ as f64);
    let (working, failed) = (manager.firmware.working.len(), manager.firmware.failed_count());
    page.one("firmware_in_work", "gauge", "Switches that a rollout is upgrading.", working as f64);
    page.one("firmware_failed", "gauge", "Switches of which an upgrade failed.", failed as f64);
    let state = manager.firmware.rollout.as_ref().map(|rollout| rollout.state);
    let states = ["running", "paused", "halted", "done", "aborted"];
    let states = states.map(|name| (name, f64::from(u8::from(state.is_some_and(|state| state.name() == name)))));
    page.each("firmware_rollout", "gauge", "1 for the state of the newest rollout of firmware.", "state", states);
    let help = "1 if the rollout makes no progress for longer than its --alarm-seconds.";
    page.one("firmware_stuck", "gauge", help, f64::from(u8::from(manager.firmware_stuck().is_some())));
}

fn by_group(manager: &Manager, page: &mut Page) {
    let mut counts: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for switch in (0..manager.fabric.switch_count()).map(SwitchId::from_index) {
        let count = counts.entry(manager.fabric.switch(switch).group.0).or_default();
        count.0 += 1;
        count.1 += usize::from(manager.control_loop.control.device_state(switch) == DeviceState::Synced);
    }
    let counts: Vec<(String, (usize, usize))> =
        counts.into_iter().map(|(group, counts)| (group.to_string(), counts)).collect();
    let help = "Switches of each group; only with ?groups=true.";
    page.each(
        "group_switches",
        "gauge",
        help,
        "group",
        counts.iter().map(|(group, found)| (group.as_str(), found.0 as f64)),
    );
    let help = "Switches of each group with the whole desired configuration; only with ?groups=true.";
    page.each(
        "group_switches_synced",
        "gauge",
        help,
        "group",
        counts.iter().map(|(group, found)| (group.as_str(), found.1 as f64)),
    );
}

fn service(manager: &Manager, page: &mut Page) {
    let snapshot = manager.documents.store().snapshot();
    page.one("store_revision", "gauge", "The newest revision of the documents.", snapshot.revision().0 as f64);
    page.one(
        "store_revisions_kept",
        "gauge",
        "Revisions in the log.",
        (snapshot.revision().0 + 1 - snapshot.oldest().0) as f64,
    );
    page.one("store_documents", "gauge", "Documents and records in the store.", snapshot.len() as f64);
    page.one(
        "store_bytes",
        "gauge",
        "Size of the state directory, bytes; 0 without one.",
        manager.availability.stored_bytes() as f64,
    );
    page.one("leader", "gauge", "1 if this manager leads.", f64::from(manager.availability.is_leading()));
    page.one("epoch", "gauge", "The epoch that leads, as far as it is known here.", snapshot.epoch().0 as f64);
    let lag = manager.availability.lag(snapshot.revision().0);
    page.one("standbys", "gauge", "Standbys that follow this manager.", lag.standbys as f64);
    page.one(
        "standby_behind_revisions",
        "gauge",
        "Changes that the nearest standby lacks; of a standby, those that it lacks itself.",
        lag.behind.map_or(f64::NAN, |behind| behind as f64),
    );
    page.one("standbys_usable", "gauge", "Standbys that may take over from this manager.", lag.usable as f64);
    page.one(
        "takeover_covered",
        "gauge",
        "1 if a standby may take over; on a standby, if it may take over itself.",
        f64::from(lag.covered),
    );
    page.one(
        "takeover_expected",
        "gauge",
        "1 if a standby is expected: there is a lease, or answers wait for standbys; on a standby always 1.",
        f64::from(lag.expected),
    );
    page.one(
        "changes_on_one_disk_total",
        "counter",
        "Changes that were answered while no standby had every change.",
        lag.one_disk as f64,
    );
    page.one(
        "histories_set_aside",
        "gauge",
        "Histories of this manager that its leader does not have.",
        lag.asides as f64,
    );
    let (room, _) = manager.availability.room(manager.documents.store());
    page.one("disk_takes_changes", "gauge", "1 if changes can be saved.", f64::from(!room.is_out));
    let free = room.free.map_or(f64::NAN, |free| free as f64);
    page.one("disk_free_bytes", "gauge", "Free space on the disk of the state directory.", free);
    let jump = manager.clock.jump().unwrap_or(0);
    page.one(
        "clock_jump_seconds",
        "gauge",
        "Difference of the wall clock and the steady clock; 0 within 10 s.",
        jump as f64,
    );
    page.one(
        "standby_in_step_age_seconds",
        "gauge",
        "On a standby: seconds since it had every change of its leader.",
        lag.in_step_age,
    );
    let traffic = manager.control_loop.traffic;
    let messages = [("agents", traffic.messages_out as f64), ("manager", traffic.messages_in as f64)];
    page.each("agent_messages_total", "counter", "Messages between manager and agents.", "to", messages);
    let bytes = [("agents", traffic.bytes_out as f64), ("manager", traffic.bytes_in as f64)];
    page.each("agent_bytes_total", "counter", "Bytes between manager and agents.", "to", bytes);
    let measured = &manager.process.measured;
    page.head("api_requests_total", "counter", "Requests that were answered.");
    for ((method, path, status), count) in measured.requests() {
        page.value(
            "api_requests_total",
            &[("method", method), ("path", path), ("status", &status.to_string())],
            count as f64,
        );
    }
    page.head("api_request_seconds", "histogram", "Duration of requests, by path as in the list of endpoints.");
    for (path, times) in measured.latency() {
        page.histogram("api_request_seconds", &[("path", path)], &times);
    }
    page.head("change_seconds", "histogram", "Duration of changes: admission and writing, including the disk's sync.");
    page.histogram("change_seconds", &[], &measured.changes());
    let (changes, answers) = measured.waiting();
    let waiting = [("changes", changes as f64), ("answers", answers as f64)];
    page.each(
        "queue_length",
        "gauge",
        "Waiting requests: changes for the previous one, answers for the end of an operation.",
        "of",
        waiting,
    );
    page.one("watches", "gauge", "Streams of events that are open.", manager.requests.watchers.count() as f64);
}

fn process(page: &mut Page) {
    let usage = crate::clock::Usage::now();
    page.one("process_cpu_seconds_total", "counter", "Processor time of the manager.", usage.cpu_seconds);
    page.one("process_resident_memory_bytes", "gauge", "Memory of the manager.", usage.bytes as f64);
    let open = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    page.one("process_open_fds", "gauge", "Files and connections that are open.", open as f64);
}
