//! The endpoints of documents and their effect, and of hosts' attestations.

use crate::access::{Access, Action, Area};
use crate::api::{Endpoint, Reply, Request};
use crate::manager::Manager;
use crate::problem::Problem;
use crate::shape::{SchemaOf, Shape, any};
use crate::{hosts, leases, resources, sight, tuning};

const fn endpoint(
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    run: fn(&mut Manager, &Request) -> Result<Reply, Problem>,
) -> Endpoint {
    let changes = !matches!(method.as_bytes(), b"GET");
    let action = match method.as_bytes() {
        b"GET" => Action::Read,
        b"DELETE" => Action::Delete,
        _ => Action::Write,
    };
    let body = if matches!(method.as_bytes(), b"GET" | b"DELETE") { None } else { Some(any as SchemaOf) };
    let shape = Shape { body, errors: &[404, 409, 422], ..Shape::ANY };
    Endpoint { method, path, summary, query: &[], changes, access: Access::Of(Area::Fabric, action), shape, run }
}

/// These come before the others, because some of their paths would match those of documents of any
/// kind.
pub const ENDPOINTS: &[Endpoint] = &[
    endpoint(
        "GET",
        "/api/v1/explain/port/{name}",
        "What a port is to be and which document each field comes from; what its switch acknowledged, what is seen, and why they differ.",
        sight::port,
    ),
    endpoint(
        "GET",
        "/api/v1/explain/switch/{name}",
        "What a switch is to be, section by section, with causes and next tries.",
        sight::switch,
    ),
    endpoint(
        "GET",
        "/api/v1/explain/policy/{kind}/{name}",
        "Where a document applies, what overrides it, and on which switches it is not applied yet.",
        sight::policy,
    )
    .for_whom(Access::OfKind(Action::Read)),
    endpoint(
        "GET",
        "/api/v1/clock",
        "The time that leases end by, and whether the wall clock agrees.",
        leases::show_clock,
    ),
    endpoint(
        "POST",
        "/api/v1/clock/accept",
        "The wall clock of now is right: leases end by it from now on.",
        leases::accept_clock,
    ),
    endpoint("GET", "/api/v1/settings", "Timers and limits, with their ranges.", tuning::settings),
    endpoint("PATCH", "/api/v1/settings", "Changes timers and limits while the manager runs, durably.", tuning::set),
    Endpoint {
        method: "GET",
        path: "/api/v1/attestations",
        summary: "What hosts say of their NICs, and what they should have.",
        query: &[
            ("limit", "most items in the answer, 1 to 100000; default 1000"),
            ("after", "name of the last node of the page before"),
        ],
        changes: false,
        access: Access::Of(Area::Fabric, Action::Read),
        shape: Shape { errors: &[404], ..Shape::ANY },
        run: hosts::list,
    },
    endpoint("GET", "/api/v1/attestations/{name}", "What a node said last.", hosts::get),
    endpoint(
        "PUT",
        "/api/v1/attestations/{name}",
        "A node says what QoS profile and addresses its NICs have.",
        hosts::put,
    ),
    endpoint("DELETE", "/api/v1/attestations/{name}", "Forgets what a node said.", hosts::delete),
    endpoint(
        "POST",
        "/api/v1/{kind}/{name}/renew",
        "Makes a lease last longer: for so many seconds from now.",
        leases::renew_lease,
    )
    .for_whom(Access::OfKind(Action::Write)),
    endpoint(
        "POST",
        "/api/v1/simulation/links/{name}/exchange/{other}",
        "Exchanges the cables of two simulated links at these ends; the same again puts them right.",
        resources::simulation::exchange,
    ),
    endpoint(
        "POST",
        "/api/v1/simulation/switches/{name}/firmware/{how}",
        "How a simulated switch takes upgrades: upgrades, refuses, fails, stays, dies, other, claims; and what it runs.",
        resources::simulation::firmware,
    ),
    endpoint(
        "POST",
        "/api/v1/simulation/ports/{name}/pause",
        "Lets the NIC behind a simulated edge port hold back all traffic.",
        resources::simulation::pause,
    ),
    endpoint(
        "POST",
        "/api/v1/simulation/ports/{name}/unpause",
        "Lets the NIC behind a simulated edge port take in traffic again.",
        resources::simulation::unpause,
    ),
];
