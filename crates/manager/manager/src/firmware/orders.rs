//! Orders and requests about rollouts of firmware.

use std::time::Duration;

use philae_units::SwitchId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::{AccessArea, AccessKind, RequiredAccess};
use crate::clock::now_micros;
use crate::firmware::Rollouts;
use crate::firmware::choose::Trial;
use crate::firmware::view::{FirmwareRow, FirmwareView};
use crate::firmware::{RolloutPlan, RolloutState, StoredRollout, UpdatePhase, engine, view, words};
use crate::manager::Manager;
use crate::protocol::endpoint::{AFTER, ApiEndpoint, FIELDS, GROUP, NAME, PAGE, REASON, SELECTOR, SORT, get, post};
use crate::protocol::list::{List, ListFilter, Listing, condition, selects_no_switch, word};
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::{Answer, Reply, Work};
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::of;

const READ: RequiredAccess = RequiredAccess::Of(AccessArea::Fabric, AccessKind::Read);
const WRITE: RequiredAccess = RequiredAccess::Of(AccessArea::Fabric, AccessKind::Write);

const fn order(path: &'static str, summary: &'static str, run: fn(&mut Manager, &ApiRequest) -> Answer) -> ApiEndpoint {
    post(path, summary, run).keys(&[REASON]).json(of::<FirmwareView>).for_whom(WRITE).errors(&[409, 507])
}

/// These come before the others, because some of their paths would match those of documents of any
/// kind.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    get("/api/v1/firmware", "Desired and running firmware, versions of agents, and the rollout.", &[], show)
        .json(of::<FirmwareView>)
        .for_whom(READ),
    get(
        "/api/v1/firmware/switches",
        "The running and desired firmware of each switch, and the progress of its upgrade.",
        &[
            NAME,
            GROUP,
            ("state", "only these: current, not-wanted, differs, in-work, failed, unknown"),
            SELECTOR,
            PAGE,
            AFTER,
            FIELDS,
            SORT,
        ],
        list,
    )
    .lines(of::<List<FirmwareRow>>, of::<FirmwareRow>)
    .errors(&[404]),
    order("/api/v1/firmware/start", "Upgrades switches to the desired firmware, in waves.", start)
        .body(of::<RolloutPlan>)
        .keys(&[("dryRun", "true: shows which switches would begin and which wait, and changes nothing"), REASON])
        .errors(&[409, 422, 507]),
    order("/api/v1/firmware/pause", "Begin no more switches; those in progress finish.", pause),
    order(
        "/api/v1/firmware/resume",
        "Continues a paused or halted rollout; can retry failed switches, also of a rollout that runs or is done.",
        resume,
    )
    .body(of::<Resume>),
    order("/api/v1/firmware/abort", "Ends a rollout; switches that have begun their upgrade finish.", abort),
];

/// How a rollout continues.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "FirmwareResume")]
pub struct Resume {
    /// Retry switches that failed. A rollout that runs or is done takes this, too.
    pub retry: bool,
}

/// `GET /api/v1/firmware`
pub fn show(manager: &mut Manager, _: &ApiRequest) -> Answer {
    Ok(Reply::of(&view::view(manager)))
}

/// `GET /api/v1/firmware/switches`
pub fn list(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let (listing, filter) = (Listing::of(request)?, ListFilter::of(request)?);
    let states = view::STATES.map(|state| (state, state));
    let state = word(request, "state", &states)?;
    let first = match &listing.after {
        Some(name) if !listing.is_sorted() => manager.fabric.switch_by_name(name).map_err(ApiProblem::not_found)?.0 + 1,
        _ => 0,
    };
    let switches = (first..manager.fabric.switch_count() as u32).map(SwitchId);
    let set = manager.documents.set();
    let fits = switches.filter(|&switch| filter.fits_switch(&manager.fabric, set, switch));
    let rows: Vec<FirmwareRow> = fits
        .map(|switch| view::row(manager, switch))
        .filter(|row| state.is_none_or(|state| row.state == state))
        .collect();
    listing.answer(rows.into_iter(), |row| row.switch.clone(), serde_json::Map::new())
}

fn check(plan: &RolloutPlan) -> Result<(), ApiProblem> {
    let most = 100_000;
    for (name, value, range) in [
        ("atOnce", plan.at_once, 1..=most),
        ("atOncePercent", plan.at_once_percent.unwrap_or(1), 1..=100),
        ("perGroup", plan.per_group, 1..=most),
        ("firstWave", plan.first_wave, 1..=most),
        ("failuresMax", plan.failures_max, 1..=most),
        ("soakSeconds", plan.soak_seconds, 0..=86_400),
        ("timeoutSeconds", plan.timeout_seconds, 1..=86_400),
        ("alarmSeconds", plan.alarm_seconds, 1..=31_536_000),
    ] {
        if !range.contains(&value) {
            let (least, most) = range.into_inner();
            return Err(ApiProblem::bad_request(format!("{name} is {value}; {least} to {most} would work")));
        }
    }
    condition(&plan.selector).map(|_| ())
}

/// The error that another rollout is running, with what to do instead.
fn goes_on(current: &StoredRollout) -> ApiProblem {
    let way = match current.state {
        RolloutState::Running => {
            "it follows new versions by itself; to start another one, first: philae fabric firmware abort"
        }
        RolloutState::Halted => {
            "philae fabric firmware resume --retry continues it, philae fabric firmware abort ends it"
        }
        _ => "philae fabric firmware resume continues it, philae fabric firmware abort ends it",
    };
    ApiProblem::conflict(format!("firmware rollout {} is {}: {way}", current.number, current.state.name()))
}

/// `POST /api/v1/firmware/start`
pub fn start(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let plan: RolloutPlan = request.read_or_default()?;
    check(&plan)?;
    let is_dry = request.flag("dryRun")?;
    if let Some(current) = manager.firmware.current().filter(|_| !is_dry) {
        return Err(goes_on(current));
    }
    let scope = manager.firmware_scope(&plan)?;
    if scope.is_empty() {
        let filter = ListFilter::by(condition(&plan.selector)?);
        let mut switches = (0..manager.fabric.switch_count()).map(SwitchId::from_index);
        if !switches.any(|switch| filter.fits_switch(&manager.fabric, manager.documents.set(), switch)) {
            return Err(ApiProblem::bad_request(selects_no_switch(&manager.fabric, &plan.selector)));
        }
        let of = if plan.selector.is_empty() { String::new() } else { format!(" of '{}'", plan.selector) };
        return Err(ApiProblem::conflict(format!(
            "no document sets the firmware of the switches{of}; a switch-policy with settings.firmware would work"
        )));
    }
    if is_dry {
        let upgraded = std::collections::BTreeMap::new();
        let chosen = manager.choose_firmware(&plan, Trial::Fresh, &upgraded, Duration::from_secs(1))?;
        let answer = Reply::of(&view::planned(manager, &plan, &chosen));
        // Nothing is done that belongs in the audit.
        return Ok(Reply::Work(Work::new(|| (), move |_, ()| Ok(answer))));
    }
    let number = manager.firmware.rollout.as_ref().map_or(1, |before| before.number + 1);
    let now = now_micros();
    let rollout = StoredRollout {
        number,
        plan,
        started_by: request.actor.name().to_owned(),
        started_micros: now,
        changed_micros: now,
        total: scope.len(),
        ..StoredRollout::default()
    };
    // Switches that failed before are tried again.
    let again = failed_of(manager, &rollout.plan)?;
    let words = format!("{} begins", rollout.by());
    manager.keep_rollout(request.actor.name(), rollout, &again)?;
    manager.tell_firmware(words);
    manager.tick_firmware();
    show(manager, request)
}

/// Failed switches of a rollout.
fn failed_of(manager: &Manager, plan: &RolloutPlan) -> Result<Vec<SwitchId>, ApiProblem> {
    let filter = ListFilter::by(condition(&plan.selector)?);
    let failed = manager.firmware.failed.keys().copied();
    Ok(failed.filter(|&switch| filter.fits_switch(&manager.fabric, manager.documents.set(), switch)).collect())
}

/// The current rollout, if it is in one of some states.
fn current(firmware: &Rollouts, what: &str, states: &[RolloutState]) -> Result<StoredRollout, ApiProblem> {
    let Some(rollout) = &firmware.rollout else {
        return Err(ApiProblem::conflict(format!(
            "there is no rollout to {what}; philae fabric firmware start begins one"
        )));
    };
    if states.contains(&rollout.state) {
        return Ok(rollout.clone());
    }
    let way = match (what, rollout.state) {
        ("resume", RolloutState::Running) => "; resume --retry retries failed switches",
        ("resume", RolloutState::Done | RolloutState::Aborted) => "; philae fabric firmware start begins another one",
        _ => "",
    };
    Err(ApiProblem::conflict(format!(
        "firmware rollout {} is {}: there is nothing to {what}{way}",
        rollout.number,
        rollout.state.name()
    )))
}

fn change(
    manager: &mut Manager,
    request: &ApiRequest,
    what: &str,
    rollout: StoredRollout,
    again: &[SwitchId],
) -> Answer {
    let words = format!("firmware rollout {} is {what} {}", rollout.number, rollout.why);
    manager.keep_rollout(request.actor.name(), rollout, again)?;
    manager.tell_firmware(words);
    manager.tick_firmware();
    show(manager, request)
}

fn by(request: &ApiRequest) -> String {
    format!("by {}", request.actor.name())
}

/// `POST /api/v1/firmware/pause`
pub fn pause(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let mut rollout = current(&manager.firmware, "pause", &[RolloutState::Running])?;
    rollout.go(RolloutState::Paused, by(request));
    change(manager, request, "paused", rollout, &[])
}

/// `POST /api/v1/firmware/resume`
pub fn resume(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let Resume { retry } = request.read_or_default()?;
    let states: &[RolloutState] = match retry {
        true => &[RolloutState::Running, RolloutState::Paused, RolloutState::Halted, RolloutState::Done],
        false => &[RolloutState::Paused, RolloutState::Halted],
    };
    let mut rollout = current(&manager.firmware, "resume", states)?;
    let again = if retry { failed_of(manager, &rollout.plan)? } else { Vec::new() };
    if again.is_empty() && matches!(rollout.state, RolloutState::Running | RolloutState::Done) {
        return Err(ApiProblem::conflict(format!(
            "firmware rollout {} is {}: none of its switches has failed, so there is nothing to retry",
            rollout.number,
            rollout.state.name()
        )));
    }
    let tries = match again.len() {
        0 => String::new(),
        count => format!("; {} failed, to be retried", words::switches(count)),
    };
    rollout.go(RolloutState::Running, format!("{}{tries}", by(request)));
    rollout.failures = 0;
    change(manager, request, "resumed", rollout, &again)
}

/// `POST /api/v1/firmware/abort`
pub fn abort(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let mut rollout =
        current(&manager.firmware, "abort", &[RolloutState::Running, RolloutState::Paused, RolloutState::Halted])?;
    rollout.go(RolloutState::Aborted, by(request));
    let now_ms = manager.control_loop.now_ms();
    let untold = |phase| matches!(phase, UpdatePhase::Keeping | UpdatePhase::Draining);
    let back: Vec<SwitchId> =
        manager.firmware.working.iter().filter(|(_, found)| untold(found.phase)).map(|(&switch, _)| switch).collect();
    for switch in back {
        if let Some(working) = manager.firmware.working.remove(&switch) {
            engine::give_back(&mut manager.firmware, &mut manager.control_loop.control, now_ms, working.drained);
            manager.firmware.dirty.insert(switch);
        }
    }
    manager.control_loop.run();
    change(manager, request, "aborted", rollout, &[])
}
