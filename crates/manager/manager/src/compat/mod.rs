//! A view of the fabric at the paths, and in the form of documents, that clients of the hardware's
//! own manager know, so that they work with this one. Everything in it is one of our documents or
//! follows from the fabric. A write through it is admitted, stored and applied like any other
//! change. docs/manager/compat.md lists the differences.

mod collectives;
pub mod endpoint;
mod envelope;
pub mod expand;
mod lags;
pub mod paths;
mod policies;
mod ports;
mod roots;
pub mod state;
mod vnis;

use crate::access::{AccessArea, AccessKind, RequiredAccess};
use crate::compat::endpoint::{get, list, write};
use crate::protocol::endpoint::ApiEndpoint;
pub use paths::{error, status};

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
