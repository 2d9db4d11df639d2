//! Orders to links and switches. Each is an operation: 202, and its progress at its location.

use philae_inventory::PlannedFabric;
use philae_manager_core::Input;
use philae_route_tables::{FabricParts, FabricWiring, LinkChange, LiveLinks};
use philae_units::{PortIndex, SwitchId};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::control_loop::ControlLoop;
use crate::manager::Manager;
use crate::operations::{EndCondition, Order};
use crate::protocol::endpoint::{ApiEndpoint, FORCE, REASON, TIMEOUT, WAIT, order};
use crate::protocol::list::{ListFilter, condition, selects_no_switch};
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::of;
use crate::resources::{Answer, link_named};
use crate::things::switch_named;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    order("/api/v1/switches/{name}/maintenance", "Stops all changes to a switch (maintenance).", maintenance),
    order("/api/v1/switches/{name}/resume", "Ends a switch's maintenance or quarantine.", resume),
    order("/api/v1/switches/{name}/reboot", "Restarts a switch.", reboot),
    order("/api/v1/operations", "Gives an order to many switches, a few at a time.", rolling).body(of::<RollingOrder>),
    order(
        "/api/v1/switches/{name}/drain",
        "Takes all links of a switch out of service, in one change of tables.",
        drain_switch,
    )
    .keys(&[FORCE, REASON, WAIT, TIMEOUT]),
    order("/api/v1/switches/{name}/restore", "Returns the links of a drained switch to service.", restore_switch),
    order("/api/v1/links/{name}/drain", "Takes a link out of service.", drain),
    order("/api/v1/links/{name}/restore", "Returns a drained link to service.", restore),
    order("/api/v1/links/{name}/release", "Releases an isolated link.", release_link),
];

fn link_order(manager: &mut Manager, request: &ApiRequest, what: &str, input: Input, goal: EndCondition) -> Answer {
    let now_ms = manager.control_loop.now_ms();
    manager.control_loop.control.handle(now_ms, input);
    manager.control_loop.run();
    let what = format!("{what} {}", request.capture("name"));
    manager.begin_operation(request, what, Vec::new(), goal)
}

/// `POST /api/v1/links/{name}/drain`
pub fn drain(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let port = link_named(manager, request.capture("name"))?;
    stays_drained(manager, port);
    link_order(manager, request, "drain", Input::Drain(port, true), EndCondition::Drain(port))
}

/// `POST /api/v1/links/{name}/restore`
pub fn restore(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let port = link_named(manager, request.capture("name"))?;
    for end in [Some(port), manager.control_loop.control.wiring().peer(port)].into_iter().flatten() {
        not_in_work(manager, manager.fabric.switch_of(end))?;
    }
    link_order(manager, request, "restore", Input::Drain(port, false), EndCondition::Restore(port))
}

/// `POST /api/v1/links/{name}/release`
pub fn release_link(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let port = link_named(manager, request.capture("name"))?;
    link_order(manager, request, "release", Input::ReleaseLink(port), EndCondition::Restore(port))
}

/// A link that an operator drains during the upgrade of one of its ends stays drained afterwards.
fn stays_drained(manager: &mut Manager, port: PortIndex) {
    if let Some(far) = manager.control_loop.control.wiring().peer(port) {
        manager.firmware.drained_by_operator([port, far]);
    }
}

/// Refuses to return links to a switch that is being upgraded.
fn not_in_work(manager: &Manager, switch: SwitchId) -> Result<(), ApiProblem> {
    if !manager.firmware.is_in_work(switch) {
        return Ok(());
    }
    let name = manager.switch_name(switch);
    Err(ApiProblem::conflict(format!(
        "{name} is being upgraded, and its links return afterwards; philae fabric firmware shows the progress"
    )))
}

/// The fabric links of a switch, by its ports.
fn links_of(control_loop: &ControlLoop, switch: SwitchId) -> Vec<PortIndex> {
    control_loop.control.fabric_ports(switch).collect()
}

fn order_links(manager: &mut Manager, switch: SwitchId, drained: bool) {
    let now_ms = manager.control_loop.now_ms();
    for port in links_of(&manager.control_loop, switch) {
        let far = manager.control_loop.control.wiring().peer(port).map(|far| manager.fabric.switch_of(far));
        if drained {
            stays_drained(manager, port);
        } else if far.is_some_and(|far| manager.firmware.is_in_work(far)) {
            // It returns with the switch at its other end.
            continue;
        }
        // All of them before tables are computed: one change of tables, not one for each link.
        manager.control_loop.control.handle(now_ms, Input::Drain(port, drained));
    }
    manager.control_loop.run();
}

/// `POST /api/v1/switches/{name}/drain`
pub fn drain_switch(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let switch = switch_named(&manager.fabric, request.capture("name"))?;
    let cost = cost_of_links(manager, &links_of(&manager.control_loop, switch));
    if let Some(cost) = cost.filter(|_| manager.control_loop.control.plan().is_some())
        && !request.flag("force")?
    {
        let name = manager.switch_name(switch);
        return Err(ApiProblem::new(ProblemCode::CutsOff, format!("to drain {name} {cost}; force=true does it")));
    }
    order_links(manager, switch, true);
    let what = format!("drain {}", request.capture("name"));
    manager.begin_operation(request, what, vec![switch], EndCondition::DrainSwitch(switch))
}

/// `POST /api/v1/switches/{name}/restore`
pub fn restore_switch(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let switch = switch_named(&manager.fabric, request.capture("name"))?;
    not_in_work(manager, switch)?;
    order_links(manager, switch, false);
    let what = format!("restore {}", request.capture("name"));
    manager.begin_operation(request, what, vec![switch], EndCondition::RestoreSwitch(switch))
}

/// The cost if these links carry no traffic any more: pairs of switches that lose their path;
/// `None` if there are none.
fn cost_of_links(manager: &Manager, links: &[PortIndex]) -> Option<String> {
    let plan = manager.control_loop.control.plan()?;
    let wiring = plan.wiring();
    let mut left = plan.links().clone();
    for &port in links {
        left.set(wiring, LinkChange { port, up: false });
    }
    cut_off(&manager.fabric, wiring, plan.links(), &left, |_| false)
}

/// The loss between two states of the links, in words: pairs of switches that reach each other
/// before and not after. `None` if there are none.
pub(crate) fn cut_off(
    fabric: &PlannedFabric,
    wiring: &FabricWiring,
    before: &LiveLinks,
    after: &LiveLinks,
    is_left_out: impl Fn(SwitchId) -> bool + Copy,
) -> Option<String> {
    let (was, is) = (FabricParts::of(wiring, before), FabricParts::of(wiring, after));
    let (was, is) = (was.count(wiring, is_left_out), is.count(wiring, is_left_out));
    if is.switch_pairs <= was.switch_pairs {
        return None;
    }
    let nics: usize = is.parts.iter().skip(1).map(|part| part.nics).sum();
    let nics_before: usize = was.parts.iter().skip(1).map(|part| part.nics).sum();
    let first = is.parts.last().map_or_else(String::new, |part| fabric.bmc_xname(part.first).to_string());
    Some(format!(
        "leaves {} pairs of switches without a path ({} now), the fabric in {} parts, {} NICs cut off from the largest ({} now), \
         such as those of {first}",
        is.switch_pairs,
        was.switch_pairs,
        is.parts.len(),
        nics,
        nics_before
    ))
}

fn switch_order(manager: &mut Manager, request: &ApiRequest, order: Order) -> Answer {
    let switch = switch_named(&manager.fabric, request.capture("name"))?;
    start(manager, request, order, vec![switch], 1, true)
}

fn start(
    manager: &mut Manager,
    request: &ApiRequest,
    order: Order,
    switches: Vec<SwitchId>,
    at_once: usize,
    stop_on_failure: bool,
) -> Answer {
    let what = match switches.as_slice() {
        [one] => format!("{} {}", order.name(), manager.switch_name(*one)),
        many => format!("{} {} switches", order.name(), many.len()),
    };
    manager.begin_operation(request, what, switches, EndCondition::Rolling { order, at_once, stop_on_failure })
}

/// `POST /api/v1/switches/{name}/maintenance`
pub fn maintenance(manager: &mut Manager, request: &ApiRequest) -> Answer {
    switch_order(manager, request, Order::Maintenance)
}

/// `POST /api/v1/switches/{name}/resume`
pub fn resume(manager: &mut Manager, request: &ApiRequest) -> Answer {
    switch_order(manager, request, Order::Resume)
}

/// `POST /api/v1/switches/{name}/reboot`
pub fn reboot(manager: &mut Manager, request: &ApiRequest) -> Answer {
    switch_order(manager, request, Order::Reboot)
}

/// An order to many switches, a few at a time.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RollingOrder {
    /// The action.
    #[serde(rename = "do")]
    pub order: Order,
    /// Which switches: a selector such as `group in (1-4)`; the empty one is all.
    pub selector: String,
    /// How many at once, 1 to 100,000; absent: 1.
    #[schemars(range(min = 1, max = 100_000))]
    pub at_once: Option<u32>,
    /// Whether no more are begun once one has failed; absent: true.
    pub stop_on_failure: Option<bool>,
}

/// `POST /api/v1/operations`
pub fn rolling(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let order: RollingOrder = request.read()?;
    let at_once = order.at_once.unwrap_or(1);
    if !(1..=100_000).contains(&at_once) {
        return Err(ApiProblem::bad_request(format!("atOnce is {at_once}; 1 to 100000 would work")));
    }
    let filter = ListFilter::by(condition(&order.selector)?);
    let all = (0..manager.fabric.switch_count()).map(SwitchId::from_index);
    let switches: Vec<SwitchId> =
        all.filter(|&switch| filter.fits_switch(&manager.fabric, manager.documents.set(), switch)).collect();
    if switches.is_empty() {
        return Err(ApiProblem::bad_request(selects_no_switch(&manager.fabric, &order.selector)));
    }
    start(manager, request, order.order, switches, at_once as usize, order.stop_on_failure.unwrap_or(true))
}
