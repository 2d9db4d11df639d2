//! Finds the endpoint of a method and a path.

use std::collections::BTreeMap;

use philae_policy::DocumentKind;

use crate::access::RequiredAccess;
use crate::api::endpoints;
use crate::compat;
use crate::protocol::endpoint::ApiEndpoint;
use crate::protocol::problem::ApiProblem;
use crate::protocol::request::ApiRequest;

/// The part of the path for each `{name}` of the endpoint.
pub(crate) type Captures = BTreeMap<&'static str, String>;

/// The part of a path for each `{name}` of an endpoint; `None` if the path does not match.
fn captures(endpoint: &'static str, path: &str) -> Option<Captures> {
    let (mut wanted, mut found) = (endpoint.split('/'), path.split('/'));
    let mut captures = BTreeMap::new();
    loop {
        match (wanted.next(), found.next()) {
            (None, None) => return Some(captures),
            (Some(wanted), Some(found)) => match wanted.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
                Some(name) if !found.is_empty() => {
                    captures.insert(name, found.to_owned());
                }
                None if wanted == found => {}
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// The kind of document that a step of a path names, such as `port-policies`.
pub(crate) fn kind_of(plural: &str) -> Option<DocumentKind> {
    DocumentKind::ALL.iter().copied().find(|kind| kind.plural() == plural)
}

/// Whether `{kind}`, if the endpoint has it, is a kind.
fn is_of_a_kind(captures: &Captures) -> bool {
    captures.get("kind").is_none_or(|plural| kind_of(plural).is_some())
}

/// A path in the form of the table: clients of the compatibility view put a prefix before, and a
/// slash after, their paths.
fn plain(path: &str) -> &str {
    let path = compat::paths::without_prefix(path).unwrap_or(path);
    if compat::paths::is_path(path) && path != "/" { path.trim_end_matches('/') } else { path }
}

/// All endpoints of a path, in their order. Those for documents match only if the path names a
/// kind: `/api/v1/alarms` is no kind. If nothing else matches, they say which kinds exist.
fn of_path(path: &str) -> Vec<(&'static ApiEndpoint, Captures)> {
    let path = plain(path);
    let fits = |endpoint: &'static ApiEndpoint| captures(endpoint.path, path).map(|captures| (endpoint, captures));
    let all: Vec<(&'static ApiEndpoint, Captures)> = endpoints().filter_map(fits).collect();
    let meant = all.iter().any(|(_, captures)| is_of_a_kind(captures));
    all.into_iter().filter(|(_, captures)| !meant || is_of_a_kind(captures)).collect()
}

/// The endpoint of a method and a path.
fn find(method: &str, path: &str) -> Option<(&'static ApiEndpoint, Captures)> {
    let of_method = endpoints().filter(|endpoint| endpoint.method == method);
    let fits =
        |endpoint: &'static ApiEndpoint| captures(endpoint.path, plain(path)).map(|captures| (endpoint, captures));
    // Nearly always the first match is right, and no other path has to be checked.
    let first = of_method.filter_map(fits).find(|(_, captures)| is_of_a_kind(captures));
    first.or_else(|| of_path(path).into_iter().find(|(endpoint, _)| endpoint.method == method))
}

/// Method and path as in the table; "other" for what is not in it.
#[must_use]
pub fn template(method: &str, path: &str) -> (&'static str, &'static str) {
    let found = find(method, path);
    found.map_or(("other", "other"), |(endpoint, _)| (endpoint.method, endpoint.path))
}

/// The endpoint of a request, with the captured parts of its path.
///
/// # Errors
/// 404 if nothing matches, 405 with the methods of the path.
pub(crate) fn route(request: &ApiRequest) -> Result<(&'static ApiEndpoint, Captures), ApiProblem> {
    if let Some(found) = find(&request.method, &request.path) {
        return Ok(found);
    }
    let others = methods(&request.path);
    if others.is_empty() {
        let detail = format!("there is nothing at {}; GET /api/v1 lists all endpoints", request.path);
        return Err(ApiProblem::not_found(detail));
    }
    Err(ApiProblem::method_not_allowed(format!("{} takes {}", request.path, others.join(" and "))))
}

/// The methods of a path, each once, in the order of the table.
#[must_use]
pub fn methods(path: &str) -> Vec<&'static str> {
    let mut methods = Vec::new();
    for (endpoint, _) in of_path(path) {
        if !methods.contains(&endpoint.method) {
            methods.push(endpoint.method);
        }
    }
    methods
}

/// Whether a request changes anything: then it waits until the previous change is done.
#[must_use]
pub fn is_change(request: &ApiRequest) -> bool {
    route(request).is_ok_and(|(endpoint, _)| endpoint.changes)
}

/// Whether a path allows this method to a caller without token or certificate. `here`: on this
/// machine.
#[must_use]
pub fn is_open(method: &str, path: &str, here: bool) -> bool {
    find(method, path).is_some_and(|(endpoint, _)| match endpoint.access {
        RequiredAccess::Open => true,
        RequiredAccess::Figures => here,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_takes_each_method_once_and_only_kinds_take_those_of_documents() {
        assert_eq!(methods("/api/v1/alarms"), ["GET"]);
        assert_eq!(methods("/api/v1/switches"), ["GET", "PATCH"]);
        assert_eq!(methods("/api/v1/port-policies"), ["GET", "PATCH"]);
        assert_eq!(methods("/api/v1/no-such-kind"), ["GET", "PATCH"], "they say which kinds there are");
        assert_eq!(methods("/apis/fabric-manager/fabric/vlans/"), ["GET", "POST"]);
        assert!(methods("/api/v2").is_empty());
        for endpoint in endpoints() {
            let path = endpoint.path.replace("{kind}", "vlans").replace(['{', '}'], "");
            let mut once = methods(&path);
            assert!(once.contains(&endpoint.method), "{} {path}", endpoint.method);
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), methods(&path).len(), "{path}");
        }
    }

    #[test]
    fn what_is_open_is_named() {
        let open = endpoints().filter(|endpoint| is_open(endpoint.method, endpoint.path, false));
        let open: Vec<&str> = open.map(|endpoint| endpoint.path).collect();
        let wanted = ["/oauth/token", "/token", "/api/v1/token"];
        assert!(wanted.iter().all(|path| open.contains(path)) && open.contains(&"/livez"), "{open:?}");
        assert!(!is_open("GET", "/metrics", false) && is_open("GET", "/metrics", true));
        assert!(!is_open("GET", "/api/v1/status", true));
    }
}
