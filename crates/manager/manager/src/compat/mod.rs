//! A view of the fabric at the paths, and in the form of documents, that clients of the hardware's
//! own manager know, so that they work with this one. Everything in it is one of our documents or
//! follows from the fabric. A write through it is admitted, stored and applied like any other
//! change. docs/manager/compat.md lists the differences.

mod collectives;
mod envelope;
mod expand;
mod lags;
mod policies;
mod ports;
mod roots;
mod state;
mod vnis;

use philae_policy::DocumentChange;
use serde_json::{Value, json};

use crate::access::{AccessArea, AccessKind, RequiredAccess};
use crate::api::{ApiEndpoint, ApiRequest, Reply};
use crate::documents::endpoints::change;
use crate::manager::Manager;
use crate::problem::{ApiProblem, ProblemCode};
use crate::shape::{EndpointShape, any};

pub use expand::expanded;
pub use state::metrics;

type Run = fn(&mut Manager, &ApiRequest) -> Result<Reply, ApiProblem>;

/// Whether a path begins with `with`.
const fn begins(path: &str, with: &str) -> bool {
    let (path, with) = (path.as_bytes(), with.as_bytes());
    let mut at = 0;
    while at < with.len() {
        if at >= path.len() || path[at] != with[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// The access that an endpoint needs: VNI blocks and collectives belong to jobs.
const fn access(method: &str, path: &str) -> RequiredAccess {
    let action = match method.as_bytes() {
        b"GET" => AccessKind::Read,
        b"DELETE" => AccessKind::Delete,
        _ => AccessKind::Write,
    };
    let of_jobs = begins(path, "/fabric/collectives") || begins(path, "/fabric/vni/block");
    RequiredAccess::Of(if of_jobs { AccessArea::Jobs } else { AccessArea::Fabric }, action)
}

const fn list(path: &'static str, summary: &'static str, run: Run) -> ApiEndpoint {
    ApiEndpoint {
        method: "GET",
        path,
        summary,
        query: envelope::PAGE,
        changes: false,
        access: access("GET", path),
        shape: EndpointShape::ANY,
        run,
    }
}

const fn get(path: &'static str, summary: &'static str, run: Run) -> ApiEndpoint {
    ApiEndpoint {
        method: "GET",
        path,
        summary,
        query: &[],
        changes: false,
        access: access("GET", path),
        shape: EndpointShape::ANY,
        run,
    }
}

const fn write(method: &'static str, path: &'static str, summary: &'static str, run: Run) -> ApiEndpoint {
    ApiEndpoint {
        method,
        path,
        summary,
        query: &[],
        changes: true,
        access: access(method, path),
        shape: EndpointShape { body: Some(any), ..EndpointShape::ANY },
        run,
    }
}

/// Query keys of `/metrics` that ask for this view of it.
pub const METRICS: &[(&str, &str)] = &[
    ("groups", "true: also the switches of each group"),
    ("$top", "this many links to switches with the states of their ports"),
    ("$limit", "most links in the answer, with links to the previous and next pages"),
    ("$skip", "number of links to skip"),
    ("$count", "accepted without effect: the answer always has both counts"),
    ("$filter", "\"switchType eq 'NAME'\": switches of a model"),
];

/// The endpoints of the view.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    list("/fabric/switches", "Links to all switches.", ports::switches),
    get("/fabric/switches/{name}", "A switch with links to its ports.", ports::switch),
    list("/fabric/ports", "Links to all ports, by jack.", ports::ports),
    get("/fabric/ports/{name}", "A port with links to its policies.", ports::port),
    write("PATCH", "/fabric/ports/{name}", "Changes the policies of a port.", ports::patch_port),
    list("/fabric/links", "Links to all fabric links.", ports::links),
    get("/fabric/links/{name}", "A fabric link, by its two ports.", ports::link),
    list("/fabric/port-policies", "Links to all port policies.", policies::list),
    write("POST", "/fabric/port-policies", "Creates a port policy.", policies::post),
    get("/fabric/port-policies/{name}", "A port policy.", policies::get),
    write("PUT", "/fabric/port-policies/{name}", "Replaces the settings of a port policy.", policies::put),
    write("PATCH", "/fabric/port-policies/{name}", "Changes fields of a port policy.", policies::patch),
    write("DELETE", "/fabric/port-policies/{name}", "Deletes a port policy.", policies::delete),
    list("/fabric/topology-policies", "Links to all topology policies.", state::topology_policies),
    get(
        "/fabric/topology-policies/{name}",
        "A topology policy; template-policy is the active one.",
        state::topology_policy,
    ),
    list("/fabric/topology-maps", "A link to the one topology map.", state::topology_maps),
    get("/fabric/topology-maps/template-map", "The state of every port, by switch.", state::topology_map),
    list("/fabric/health-engines", "A link to the one health engine.", state::health_engines),
    get("/fabric/health-engines/template-policy", "The health of the fabric, in four words.", state::health),
    list("/fabric/agents", "Links to the agents of all switches.", state::agents),
    get("/fabric/agents/{name}", "The agent of a switch.", state::agent),
    list("/fabric/available-agents", "Links to the agents that answer.", state::available_agents),
    list("/fabric/vlans", "Links to all VLANs.", vnis::vlans),
    write("POST", "/fabric/vlans", "Makes a VLAN.", vnis::post_vlan),
    get("/fabric/vlans/{name}", "A VLAN, by its number.", vnis::get_vlan),
    write("DELETE", "/fabric/vlans/{name}", "Deletes a VLAN.", vnis::delete_vlan),
    list("/fabric/vni/partitions", "Links to all VNI partitions.", vnis::partitions),
    write("POST", "/fabric/vni/partitions", "Makes a VNI partition.", vnis::post_partition),
    get("/fabric/vni/partitions/{name}", "A VNI partition.", vnis::get_partition),
    write("PUT", "/fabric/vni/partitions/{name}", "Replaces a VNI partition.", vnis::put_partition),
    write("PATCH", "/fabric/vni/partitions/{name}", "Changes a VNI partition.", vnis::patch_partition),
    write("DELETE", "/fabric/vni/partitions/{name}", "Deletes a VNI partition.", vnis::delete_partition),
    list("/fabric/vni/blocks", "Links to all VNI blocks.", vnis::blocks),
    write("POST", "/fabric/vni/blocks", "Makes a VNI block.", vnis::post_block),
    get("/fabric/vni/blocks/{name}", "A VNI block, with a link to the task that enforces it.", vnis::get_block),
    write("PUT", "/fabric/vni/blocks/{name}", "Replaces a VNI block.", vnis::put_block),
    write("PATCH", "/fabric/vni/blocks/{name}", "Changes a VNI block.", vnis::patch_block),
    write("DELETE", "/fabric/vni/blocks/{name}", "Deletes a VNI block.", vnis::delete_block),
    get("/fabric/vni/block-enforcement-tasks/{name}", "The progress of enforcing a VNI block.", vnis::task),
    list("/fabric/collectives/jobs", "Links to all jobs with collective sessions.", collectives::jobs),
    write("POST", "/fabric/collectives/jobs", "Opens a job's collective session.", collectives::post_job),
    get("/fabric/collectives/jobs/{name}", "A job's session, its token and its steps' trees.", collectives::job),
    write("PATCH", "/fabric/collectives/jobs/{name}", "Returns the trees of a job's step.", collectives::patch_job),
    write("DELETE", "/fabric/collectives/jobs/{name}", "Ends a job's session.", collectives::delete_job),
    list("/fabric/collectives/multicasts", "Links to all trees.", collectives::multicasts),
    write(
        "POST",
        "/fabric/collectives/multicasts",
        "Makes a tree, with a session's token.",
        collectives::post_multicast,
    )
    // The handler checks whose token it is.
    .for_whom(RequiredAccess::Known),
    get("/fabric/collectives/multicasts/{name}", "A tree, by its address.", collectives::multicast),
    write("DELETE", "/fabric/collectives/multicasts/{name}", "Returns a tree.", collectives::delete_multicast)
        .for_whom(RequiredAccess::Known),
    list("/fabric/switch-policies", "Links to all switch policies.", policies::switch_policies),
    get("/fabric/switch-policies/{name}", "A switch policy.", policies::switch_policy),
    list("/fabric/link-policies", "Links to all link policies.", policies::link_policies),
    get("/fabric/link-policies/{name}", "A link policy.", policies::link_policy),
    list("/fabric/lags", "Links to all link aggregation groups.", lags::list),
    write("POST", "/fabric/lags", "Makes a link aggregation group.", lags::post),
    get("/fabric/lags/{name}", "A link aggregation group.", lags::get),
    write("DELETE", "/fabric/lags/{name}", "Deletes a link aggregation group.", lags::delete),
    list("/fabric/lag", "Links to all link aggregation groups; /fabric/lags is the same.", lags::list),
    write("POST", "/fabric/lag", "Makes a link aggregation group; /fabric/lags is the same.", lags::post),
    list("/fabric/routing-engines", "A link to the one routing engine.", state::routing_engines),
    get("/fabric/routing-engines/template-policy", "How traffic is routed.", state::routing_engine),
    list("/fabric/rosetta-auth-token", "Refused: switches authenticate with certificates.", roots::no_switch_tokens)
        .for_whom(RequiredAccess::Of(AccessArea::Secrets, AccessKind::Read)),
    list("/certmgr/switch-certificates", "Links to the switches whose agents have certificates.", roots::certificates)
        .for_whom(RequiredAccess::Of(AccessArea::Secrets, AccessKind::Read)),
    get("/certmgr/switch-certificates/{name}", "The certificates of a switch's agent.", roots::certificate)
        .for_whom(RequiredAccess::Of(AccessArea::Secrets, AccessKind::Read)),
    list("/telemetry", "No receivers of telemetry: Prometheus asks /metrics.", roots::telemetry),
    list("/switch-telemetry", "Links to the telemetry of all switches.", roots::switch_telemetries),
    get("/switch-telemetry/{name}", "The interval of a switch's reports.", roots::switch_telemetry),
    list("/fabric/vni", "Links to the resources of VNIs.", roots::vni),
    list("/fabric", "Links to the resources of the fabric.", roots::fabric),
    list("/", "Links to all resources.", roots::all),
    get("/port-sets/{name}", "The ports of a set: fabric-ports or edge-ports.", ports::port_set),
    get("/port-sets/{name}/status", "Whether each port of a set is enabled.", ports::port_set_status),
    get("/metrics/{name}", "The states of a switch's ports.", state::switch_metrics),
    get("/host-settings", "Timers and limits.", state::settings),
    write("PATCH", "/host-settings", "Changes timers and limits.", state::set),
];

/// The endpoints of the view, in the order in which routes are matched.
pub(crate) fn endpoints() -> std::slice::Iter<'static, ApiEndpoint> {
    ENDPOINTS.iter()
}

/// Prefixes that gateways put before paths of the view, as clients behind one see them.
const PREFIXES: [&str; 2] = ["/apis/fabric-manager", "/apis/fm"];

/// A path without a gateway's prefix; `None` if it has none.
#[must_use]
pub fn without_prefix(path: &str) -> Option<&str> {
    let rest = PREFIXES.iter().find_map(|prefix| path.strip_prefix(prefix))?;
    match rest {
        "" => Some("/"),
        rest => rest.starts_with('/').then_some(rest),
    }
}

/// Whether a path belongs to this view.
#[must_use]
pub fn is_path(path: &str) -> bool {
    const FIRST: [&str; 6] = ["fabric", "host-settings", "certmgr", "telemetry", "switch-telemetry", "port-sets"];
    let first = path.strip_prefix('/').and_then(|rest| rest.split('/').next());
    path == "/" || path.starts_with("/metrics/") || first.is_some_and(|first| FIRST.contains(&first))
}

/// The path at which trees are made and deleted.
const TREES: &str = "/fabric/collectives/multicasts";

/// The status for clients of the view. libfabric, which requests trees, retries immediately and
/// forever after 409, and gives up after any other error. So 409 is the status only of problems
/// that end by themselves within seconds.
#[must_use]
pub fn status(path: &str, method: &str, problem: &ApiProblem) -> u16 {
    if method == "GET" || !path.starts_with(TREES) {
        return problem.status;
    }
    let passes = [
        ProblemCode::Busy,
        ProblemCode::NotReady,
        ProblemCode::TakingOver,
        ProblemCode::StoreBusy,
        ProblemCode::Unconfirmed,
    ];
    if passes.iter().any(|code| code.code() == problem.code) {
        return 409;
    }
    match problem.status {
        409 => 503,
        422 => 400,
        status => status,
    }
}

/// A problem in the form that clients of the view know; it keeps its stable code.
#[must_use]
pub fn error(problem: &ApiProblem) -> Value {
    json!({
        "message": problem.detail,
        // Workload managers log this field.
        "detail": problem.detail,
        "statusCode": problem.status,
        "errorCode": 0,
        "documentKind": "philae:fabric:error",
        "code": problem.code,
    })
}

/// Makes a change in the same way as the native API.
fn made(manager: &mut Manager, request: &ApiRequest, wanted: DocumentChange) -> Result<(), ApiProblem> {
    change(manager, request, wanted).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_of_gateways_are_taken_off_whole() {
        assert_eq!(without_prefix("/apis/fabric-manager/fabric/vlans"), Some("/fabric/vlans"));
        assert_eq!(without_prefix("/apis/fm"), Some("/"));
        assert_eq!(without_prefix("/apis/fmx/fabric"), None);
        assert_eq!(without_prefix("/fabric/vlans"), None);
        assert!(
            is_path("/") && is_path("/fabric") && is_path("/certmgr/x") && !is_path("/fabricx") && !is_path("/metrics")
        );
    }

    #[test]
    fn trees_are_tried_again_only_where_that_helps() {
        let said = |code, method, path| status(path, method, &ApiProblem::new(code, "why"));
        assert_eq!(said(ProblemCode::Busy, "POST", TREES), 409);
        assert_eq!(said(ProblemCode::TakingOver, "DELETE", "/fabric/collectives/multicasts/1"), 409);
        assert_eq!(said(ProblemCode::Conflict, "POST", TREES), 503);
        assert_eq!(said(ProblemCode::Frozen, "POST", TREES), 503);
        assert_eq!(said(ProblemCode::Follows, "POST", TREES), 503);
        assert_eq!(said(ProblemCode::DocumentInvalid, "POST", TREES), 400);
        assert_eq!(said(ProblemCode::NoTree, "POST", TREES), 507);
        assert_eq!(said(ProblemCode::Conflict, "POST", "/fabric/vlans"), 409);
        assert_eq!(said(ProblemCode::Busy, "GET", TREES), 503);
    }
}
