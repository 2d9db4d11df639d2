//! The forms of endpoints of the view.

use crate::access::{AccessArea, AccessKind, RequiredAccess};
use crate::compat::envelope;
use crate::manager::Manager;
use crate::protocol::endpoint::ApiEndpoint;
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::{EndpointShape, any};

type Run = fn(&mut Manager, &ApiRequest) -> Result<Reply, ApiProblem>;

/// Whether a path begins with `with`.
pub(crate) const fn begins(path: &str, with: &str) -> bool {
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
pub(crate) const fn access(method: &str, path: &str) -> RequiredAccess {
    let action = match method.as_bytes() {
        b"GET" => AccessKind::Read,
        b"DELETE" => AccessKind::Delete,
        _ => AccessKind::Write,
    };
    let of_jobs = begins(path, "/fabric/collectives") || begins(path, "/fabric/vni/block");
    RequiredAccess::Of(if of_jobs { AccessArea::Jobs } else { AccessArea::Fabric }, action)
}

pub(crate) const fn list(path: &'static str, summary: &'static str, run: Run) -> ApiEndpoint {
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

pub(crate) const fn get(path: &'static str, summary: &'static str, run: Run) -> ApiEndpoint {
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

pub(crate) const fn write(method: &'static str, path: &'static str, summary: &'static str, run: Run) -> ApiEndpoint {
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
