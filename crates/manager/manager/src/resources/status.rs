//! The status of the fabric, and the alarms.

use std::collections::BTreeMap;

use philae_inventory::PlannedFabric;
use philae_manager_core::{DeviceState, FabricStatus, HealthLevel, HealthWord, PlannedKind, PortTally, Reachability};
use schemars::JsonSchema;
use serde::Serialize;

use crate::access::RequiredAccess;
use crate::clock::now_micros;
use crate::documents::pending::pending;
use crate::firmware::counts::Counts;
use crate::firmware::view::{RolloutView, VersionCount, VersionsView};
use crate::firmware::{shown as firmware, view};
use crate::incidents;
use crate::incidents::{AlarmRow, PlannedRow, counted};
use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, LIMIT_100K, get};
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::{Content, of};
use crate::resources::Answer;
use crate::wording::seconds;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    get("/api/v1/status", "The health of the fabric, and its problems.", &[], status).json(of::<FabricStatusView>),
    get("/api/v1/alarms", "All problems, each with its start time.", &[LIMIT_100K], alarms).json(of::<AlarmList>),
    get("/readyz", "Whether tables have been published.", &[], ready)
        .content(Content::Text)
        .for_whom(RequiredAccess::Open)
        .errors(&[503]),
];

/// One of the four words, with what it comes from.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[schemars(rename = "Word")]
pub struct StatusWord {
    /// HEALTHY, CONVERGING, DEGRADED or UNHEALTHY.
    pub word: &'static str,
    /// Why, most serious first.
    pub causes: Vec<String>,
}

/// The three words that are read first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[schemars(rename = "Words")]
pub struct StatusWords {
    /// Whether devices and links are there.
    pub runtime: StatusWord,
    /// Whether devices have what they should have.
    pub configuration: StatusWord,
    /// Whether traffic finds its ways.
    pub traffic: StatusWord,
    /// Whether callers were refused, and whether certificates, tokens or roots end soon.
    pub security: StatusWord,
}

/// Switches, counted.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct SwitchCounts {
    /// Their number.
    pub total: usize,
    /// By state.
    pub by_state: BTreeMap<&'static str, usize>,
}

/// Ports, counted.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[schemars(rename = "PortCounts")]
pub struct PortCountsView {
    /// Their number.
    pub total: usize,
    /// Those whose switch says that they are up.
    pub up: usize,
    /// Those whose switch does not answer.
    pub unknown: usize,
}

/// Links, counted.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "LinkCounts", deny_unknown_fields)]
pub struct CarryingLinks {
    /// Their number.
    pub total: usize,
    /// Those that carry traffic.
    pub carrying: usize,
    /// Those that carry none on purpose.
    pub planned: usize,
}

/// NICs, counted.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct NicCounts {
    /// All that are planned.
    pub total: usize,
    /// Those that are off the fabric: their port is not up, or their switch is dead.
    pub off: usize,
    /// Those that are off on purpose.
    pub planned_off: usize,
}

/// A part of the fabric that does not reach the others.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FabricPart", deny_unknown_fields)]
pub struct PartView {
    /// Its first switch.
    pub first_switch: String,
    /// That switch's group.
    pub group: u32,
    /// Its switches with NICs.
    pub switches: usize,
    /// Its NICs.
    pub nics: usize,
}

/// Who reaches whom.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Reachability", deny_unknown_fields)]
pub struct ReachView {
    /// Parts of the fabric that do not reach each other: 1 if it is whole or as planned.
    pub parts: usize,
    /// The largest of them, if there are several.
    pub largest_parts: Vec<PartView>,
    /// Since when there are several.
    pub since_seconds: Option<f64>,
    /// Pairs of switches with NICs that have no path, each counted once. Dead switches and those
    /// that were set apart are in none.
    pub switch_pairs_without_way: u64,
    /// Pairs of their NICs, each counted once.
    pub nic_pairs_without_way: u64,
    /// Switches that neither answer nor have a link that carries traffic, those in maintenance and
    /// those that restart for an upgrade not counted.
    pub dead_switches: usize,
    /// Switches that restart for an upgrade, or are in maintenance and do not answer.
    pub dead_planned: usize,
    /// Switches that do not answer and forward by their last tables.
    pub silent_switches: usize,
}

/// A change that waits for its confirmation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PendingChange", deny_unknown_fields)]
pub struct PendingView {
    /// Its revision.
    pub revision: u64,
    /// Who made it.
    pub actor: String,
    /// Seconds after which it is taken back, unless it is confirmed.
    pub seconds_left: f64,
    /// The revision to which it is taken back.
    pub before: u64,
}

/// The tables that were published last.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct PublishedTables {
    /// Their number.
    pub generation: u64,
    /// Links that had changed.
    pub links: usize,
    /// Entries that changed.
    pub entries: usize,
    /// Switches that they were sent to.
    pub switches: usize,
    /// Rounds in which the tables were applied.
    pub rounds: u8,
    /// From the first change of a link to the last answer, milliseconds.
    pub converged_ms: u64,
}

/// Switches, ports, links and NICs: how many there are, and how many work.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComponentCounts {
    /// Its switches.
    pub switches: SwitchCounts,
    /// Ports to NICs.
    pub edge_ports: PortCountsView,
    /// Ports to other switches.
    pub fabric_ports: PortCountsView,
    /// Links between switches.
    pub links: CarryingLinks,
    /// NICs.
    pub nics: NicCounts,
    /// Who reaches whom.
    pub reach: ReachView,
}

/// How well the fabric is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Status", deny_unknown_fields)]
pub struct FabricStatusView {
    /// The system's name.
    pub system: String,
    /// The worst of the four words.
    pub word: &'static str,
    /// The four words.
    pub health: StatusWords,
    /// Switches, ports, links and NICs.
    #[serde(flatten)]
    pub components: ComponentCounts,
    /// Components that are off on purpose, and work in progress: no failures.
    pub planned: Vec<PlannedRow>,
    /// The change that waits for confirmation.
    pub pending: Option<PendingView>,
    /// Links that run below the rate of most others of their kind.
    pub slow_links: SlowLinks,
    /// Pairs of groups without a live direct link.
    pub group_pairs_without_direct_link: usize,
    /// The tables in force.
    pub routes: PublishedTables,
    /// Running firmware, and whether it is the desired one.
    pub firmware: FirmwareStatus,
    /// Versions of agents and managers.
    pub versions: VersionsView,
    /// The revision of what is wanted.
    pub revision: u64,
}

/// Links that run below the rate of most others of their kind: links to NICs, within groups or
/// between groups. The plan says so; whether it is meant, an operator knows.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SlowLinks {
    /// Number of links.
    pub count: usize,
    /// In words, with the first of them.
    pub summary: Option<String>,
}

/// Running firmware, and whether it is the desired one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FirmwareStatus {
    /// In words, if a version is desired or switches run several.
    pub summary: Option<String>,
    /// Switches that do not run the desired firmware.
    pub differ: usize,
    /// Versions that run.
    pub running: Vec<VersionCount>,
    /// The newest rollout.
    pub rollout: Option<RolloutView>,
}

/// The status of the fabric, with what only the manager knows: hosts, its own troubles, firmware.
pub(super) fn judged(manager: &Manager, versions: &Counts) -> FabricStatus {
    let mut status = manager.control_loop.control.status();
    let faults = manager.hosts.faults(&manager.fabric, &manager.documents).len();
    if faults > 0 {
        let verb = if faults == 1 { "does" } else { "do" };
        let words = format!("{} {verb} not fit the fabric", counted(faults, "host", "s"));
        status.configuration.add(HealthLevel::Degraded, words);
    }
    for trouble in crate::troubles::found::of_configuration(manager) {
        status.configuration.add(trouble.health, trouble.brief);
    }
    let cut_off = manager.unplan_nics(&mut status.nics_off);
    if cut_off > 0 {
        let (verb, has) = if cut_off == 1 { ("is", "has") } else { ("are", "have") };
        let words = format!("{} {verb} cut off after an upgrade failed", counted(cut_off, "NIC", "s"));
        status.runtime.add(HealthLevel::Degraded, words);
        // A failure, not an operator, left them without a path.
        let words = format!("{} {has} no path since an upgrade failed", counted(cut_off, "NIC", "s"));
        status.traffic.add_first(HealthLevel::Unhealthy, words);
    }
    for (health, detail) in firmware::causes(&manager.firmware, versions) {
        status.configuration.add(health, detail);
    }
    status
}

/// `GET /api/v1/status`
pub fn status(manager: &mut Manager, _: &ApiRequest) -> Answer {
    let versions = manager.firmware_counts();
    let status = judged(manager, &versions);
    let security = security_word(manager);
    let worst = [&status.runtime, &status.configuration, &status.traffic, &security].map(|word| word.health);
    let worst = worst.into_iter().max().unwrap_or(HealthLevel::Healthy);
    let word = |word: HealthWord| StatusWord { word: word.health.name(), causes: word.causes };
    let now_ms = manager.control_loop.now_ms();
    let mut found = manager.control_loop.control.planned();
    found.retain(|planned| match planned.kind {
        PlannedKind::SetApart(switch) => !manager.is_cut_off_by_upgrade(switch),
        _ => true,
    });
    let of_rollout = firmware::take_planned(manager, &mut found);
    let mut planned = incidents::planned(&manager.fabric, now_ms, &found);
    planned.extend(firmware::planned_row(manager, of_rollout));
    planned.extend(manager.operations_running(MOST_OPERATIONS).into_iter().map(|operation| PlannedRow {
        kind: "operation",
        detail: format!(
            "{} ({}): {} of {} done",
            operation.what,
            operation.name,
            operation.done,
            counted(operation.total, "switch", "es")
        ),
        since_seconds: Some(now_micros().saturating_sub(operation.began_micros) as f64 / 1e6),
        links: 0,
        nics: 0,
    }));
    let off = |wanted: bool| status.nics_off.iter().filter(|nic| nic.is_planned == wanted).count();
    let nics = NicCounts { total: status.edge.total, off: off(false), planned_off: off(true) };
    let published = status.published;
    let ports = |PortTally { total, up, unknown }| PortCountsView { total, up, unknown };
    Ok(Reply::of(&FabricStatusView {
        system: manager.fabric.name().to_owned(),
        components: ComponentCounts {
            switches: SwitchCounts {
                total: manager.fabric.switch_count(),
                by_state: DeviceState::ALL
                    .iter()
                    .map(|state| (state.name(), status.switches[*state as usize]))
                    .collect(),
            },
            edge_ports: ports(status.edge),
            fabric_ports: ports(status.fabric),
            links: CarryingLinks { total: status.links.0, carrying: status.links.1, planned: status.planned_links },
            nics,
            reach: reach_view(&manager.fabric, now_ms, &status.reach),
        },
        planned,
        pending: pending(&manager.documents).map(|pending| PendingView {
            revision: pending.revision,
            actor: pending.actor,
            seconds_left: pending.until_micros.saturating_sub(manager.clock.micros()) as f64 / 1e6,
            before: pending.before,
        }),
        word: worst.name(),
        slow_links: SlowLinks { count: manager.fabric.slow_links().len(), summary: manager.fabric.slow_text() },
        group_pairs_without_direct_link: status.indirect_pairs,
        health: StatusWords {
            runtime: word(status.runtime),
            configuration: word(status.configuration),
            traffic: word(status.traffic),
            security: word(security),
        },
        routes: PublishedTables {
            generation: published.generation,
            links: published.links,
            entries: published.entries,
            switches: published.switches,
            rounds: published.rounds,
            converged_ms: published.done_ms.saturating_sub(published.event_ms),
        },
        firmware: FirmwareStatus {
            summary: firmware::facts(&versions),
            differ: versions.differ,
            running: view::counts_of(&versions.running),
            rollout: view::rollout(manager),
        },
        versions: view::versions(manager, &versions),
        revision: manager.documents.revision(),
    }))
}

pub(super) fn security_word(manager: &Manager) -> HealthWord {
    let troubles = crate::security::troubles::troubles(manager).into_iter();
    HealthWord::from_causes(troubles.map(|trouble| (trouble.health, trouble.brief)).collect())
}

/// Most running operations on the first screen.
const MOST_OPERATIONS: usize = 5;
/// Most parts that are named.
const PARTS_NAMED: usize = 16;

fn reach_view(fabric: &PlannedFabric, now_ms: u64, reach: &Reachability) -> ReachView {
    let part = |part: &philae_route_tables::FabricPart| PartView {
        first_switch: fabric.bmc_xname(part.first).to_string(),
        group: fabric.switch(part.first).group.0,
        switches: part.switches,
        nics: part.nics,
    };
    let named = if reach.is_parted() { PARTS_NAMED } else { 0 };
    ReachView {
        parts: reach.part_count(),
        largest_parts: reach.parts.iter().take(named).map(part).collect(),
        since_seconds: reach.apart_ms.map(|since| seconds(now_ms, since)),
        switch_pairs_without_way: reach.switch_pairs,
        nic_pairs_without_way: reach.nic_pairs,
        dead_switches: reach.dead_count(),
        dead_planned: reach.dead_planned.len(),
        silent_switches: reach.silent.len(),
    }
}

/// All that is wrong.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AlarmList {
    /// How many there are.
    pub total: usize,
    /// The worst of them.
    pub items: Vec<AlarmRow>,
}

/// `GET /api/v1/alarms`
pub fn alarms(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let limit = request.number("limit", 1_000, 100_000)?;
    manager.tick_troubles();
    let now_ms = manager.control_loop.now_ms();
    // A manager that does not lead has no connection to switches, so missing switches are not
    // alarms.
    let alarms = if manager.control_loop.is_idle() { Vec::new() } else { manager.control_loop.control.alarms(now_ms) };
    let (fabric, mut others) = (manager.fabric.clone(), crate::troubles::found::alarms(manager, now_ms));
    others.extend(firmware::alarms(manager, &manager.firmware_counts(), now_ms));
    Ok(Reply::Read(Box::new(move || {
        let rows = incidents::rows(&fabric, now_ms, &alarms);
        let total = rows.len() + others.len();
        // The worst first, whatever their kind.
        let mut items: Vec<AlarmRow> = rows.into_iter().chain(others).collect();
        items.sort_by_key(AlarmRow::rank);
        items.truncate(limit);
        Ok(Reply::of(&AlarmList { total, items }))
    })))
}

/// `GET /readyz`
pub fn ready(manager: &mut Manager, _: &ApiRequest) -> Answer {
    if let Some(epoch) = manager.control_loop.fenced {
        let detail = format!("agents obey a manager of epoch {epoch}: this one gives no orders");
        return Err(ApiProblem { status: 503, ..ApiProblem::new(ProblemCode::Fenced, detail) });
    }
    let warning = crate::availability::shown::readiness(manager)?;
    match manager.control_loop.control.plan() {
        Some(_) => {
            let warning = warning.map_or_else(String::new, |warning| format!("warning: {warning}\n"));
            Ok(Reply::Text(format!("ok\n{warning}")))
        }
        None => Err(ApiProblem::new(
            ProblemCode::NotReady,
            "no tables have been published yet: the first switches still have to connect",
        )),
    }
}
