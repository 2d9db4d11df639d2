//! The endpoints of documents and their effect, and of hosts' attestations.

use crate::access::{AccessArea, AccessKind, RequiredAccess};
use crate::api::{ApiEndpoint, ApiRequest, Reply};
use crate::manager::Manager;
use crate::problem::ApiProblem;
use crate::shape::{EndpointShape, SchemaOf, any};
use crate::{hosts, leases, resources, state_view, tuning};

const fn endpoint(
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    run: fn(&mut Manager, &ApiRequest) -> Result<Reply, ApiProblem>,
) -> ApiEndpoint {
    let changes = !matches!(method.as_bytes(), b"GET");
    let action = match method.as_bytes() {
        b"GET" => AccessKind::Read,
        b"DELETE" => AccessKind::Delete,
        _ => AccessKind::Write,
    };
    let body = if matches!(method.as_bytes(), b"GET" | b"DELETE") { None } else { Some(any as SchemaOf) };
    let shape = EndpointShape { body, errors: &[404, 409, 422], ..EndpointShape::ANY };
    ApiEndpoint {
        method,
        path,
        summary,
        query: &[],
        changes,
        access: RequiredAccess::Of(AccessArea::Fabric, action),
        shape,
        run,
    }
}

/// These come before the others, because some of their paths would match those of documents of any
/// kind.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    endpoint(
        "GET",
        "/api/v1/explain/port/{name}",
        "The desired state of a port with the document of each field, the state that its switch acknowledged, the observed state, and the reasons for differences.",
        state_view::port,
    ),
    endpoint(
        "GET",
        "/api/v1/explain/switch/{name}",
        "The desired state of a switch, section by section, with causes of differences and next attempts.",
        state_view::switch,
    ),
    endpoint(
        "GET",
        "/api/v1/explain/policy/{kind}/{name}",
        "The ports and switches of a document, documents that override it, and switches that do not have it yet.",
        state_view::policy,
    )
    .for_whom(RequiredAccess::OfKind(AccessKind::Read)),
    endpoint(
        "GET",
        "/api/v1/clock",
        "The clock that leases end by, and whether the wall clock agrees.",
        leases::show_clock,
    ),
    endpoint(
        "POST",
        "/api/v1/clock/accept",
        "Accepts the present wall clock: leases end by it from now on.",
        leases::accept_clock,
    ),
    endpoint("GET", "/api/v1/settings", "Timers and limits, with their ranges.", tuning::settings),
    endpoint("PATCH", "/api/v1/settings", "Changes timers and limits while the manager runs, durably.", tuning::set),
    ApiEndpoint {
        method: "GET",
        path: "/api/v1/attestations",
        summary: "Attestations of hosts about their NICs, and the planned values.",
        query: &[
            ("limit", "most items in the answer, 1 to 100000; default 1000"),
            ("after", "name of the last node of the previous page"),
        ],
        changes: false,
        access: RequiredAccess::Of(AccessArea::Fabric, AccessKind::Read),
        shape: EndpointShape { errors: &[404], ..EndpointShape::ANY },
        run: hosts::list,
    },
    endpoint("GET", "/api/v1/attestations/{name}", "The last attestation of a node.", hosts::get),
    endpoint(
        "PUT",
        "/api/v1/attestations/{name}",
        "Stores a node's attestation: QoS profile and addresses of its NICs.",
        hosts::put,
    ),
    endpoint("DELETE", "/api/v1/attestations/{name}", "Deletes a node's attestation.", hosts::delete),
    endpoint(
        "POST",
        "/api/v1/{kind}/{name}/renew",
        "Renews a lease, for this many seconds from now.",
        leases::renew_lease,
    )
    .for_whom(RequiredAccess::OfKind(AccessKind::Write)),
    endpoint(
        "POST",
        "/api/v1/simulation/links/{name}/exchange/{other}",
        "Exchanges the cables of two simulated links at these ends; a second call restores them.",
        resources::simulation::exchange,
    ),
    endpoint(
        "POST",
        "/api/v1/simulation/switches/{name}/firmware/{how}",
        "Sets the behaviour of a simulated switch in upgrades (upgrades, refuses, fails, stays, dies, other, claims), and its version.",
        resources::simulation::firmware,
    ),
    endpoint(
        "POST",
        "/api/v1/simulation/ports/{name}/pause",
        "Makes the NIC of a simulated edge port block all traffic.",
        resources::simulation::pause,
    ),
    endpoint(
        "POST",
        "/api/v1/simulation/ports/{name}/unpause",
        "Makes the NIC of a simulated edge port accept traffic again.",
        resources::simulation::unpause,
    ),
];
