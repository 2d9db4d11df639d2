//! Paths of the view, and the form of its errors.

use serde_json::{Value, json};

use crate::protocol::problem::{ApiProblem, ProblemCode};

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
