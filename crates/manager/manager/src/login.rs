//! Login of programs and browsers: a token as it is, as the password of HTTP Basic, exchanged for a
//! short-lived one (OAuth 2, client credentials), or in a browser's cookie; or a client's
//! certificate.

use std::net::{IpAddr, Ipv4Addr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::{RequiredAccess, role_name};
use crate::manager::Manager;
use crate::protocol::endpoint::ApiEndpoint;
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::{Content, EndpointShape, of};
use crate::security::Security;
use crate::server::credential::COOKIE;
use crate::server::guard::RequestRefusal;

/// Life of an exchanged token, seconds.
///
/// Source: ours. Status: assumed; an hour.
const ACCESS_LIFE_S: u64 = 3_600;

/// Life of a browser's session, seconds.
///
/// Source: ours. Status: assumed; a working day and a little more.
const SESSION_LIFE_S: u64 = 12 * 3_600;

/// Paths for the exchange of tokens. The first is ours; clients of other systems use the others.
const TOKEN_PATHS: [&str; 4] =
    ["/oauth/token", "/token", "/api/v1/token", "/keycloak/realms/shasta/protocol/openid-connect/token"];

/// The path of browsers' sessions.
const SESSION_PATH: &str = "/api/v1/session";

/// Whether tokens are exchanged at a path.
pub(crate) fn is_token_path(path: &str) -> bool {
    TOKEN_PATHS.contains(&path)
}

/// Whether a path is an alias of the first of these paths.
pub(crate) fn is_alias(path: &str) -> bool {
    TOKEN_PATHS[1..].contains(&path)
}

/// Whether a caller with only a cookie may do this. Another site can make a browser send the
/// cookie, so the caller may only read, and end its session.
pub(crate) fn is_for_browsers(method: &str, path: &str) -> bool {
    method == "GET" || (method, path) == ("DELETE", SESSION_PATH)
}

/// What is asked for where tokens are exchanged (RFC 6749, section 4.4), as a form.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct TokenRequest {
    /// `client_credentials`.
    pub grant_type: String,
    /// For the client's own logs: the token says who it is.
    pub client_id: String,
    /// A token of this manager; absent where it is the password of HTTP Basic.
    pub client_secret: Option<String>,
}

/// A token that ends soon (RFC 6749, section 5.1).
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AccessToken {
    /// The token, for `Authorization: Bearer`.
    pub access_token: String,
    /// `Bearer`.
    pub token_type: &'static str,
    /// Seconds until it ends.
    pub expires_in: u64,
    /// The roles that it has, with any scope in the request.
    pub scope: String,
}

/// A browser's session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Session {
    /// Who it is of.
    pub name: String,
    /// The roles that it has. With the cookie alone they may only read.
    pub roles: Vec<String>,
    /// Seconds until it ends.
    pub expires_in_seconds: u64,
}

const fn token_endpoint(path: &'static str) -> ApiEndpoint {
    ApiEndpoint {
        method: "POST",
        path,
        summary: "Exchanges a token for one that ends within the hour (OAuth 2, client credentials).",
        query: &[],
        changes: false,
        access: RequiredAccess::Open,
        shape: EndpointShape {
            body: Some(of::<TokenRequest>),
            content: Content::Json(of::<AccessToken>),
            statuses: &[200],
            errors: &[401, 409, 429],
        },
        run: exchange,
    }
}

/// The exchange of tokens, and the begin and end of browsers' sessions.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    token_endpoint(TOKEN_PATHS[0]),
    token_endpoint(TOKEN_PATHS[1]),
    token_endpoint(TOKEN_PATHS[2]),
    token_endpoint(TOKEN_PATHS[3]),
    ApiEndpoint {
        method: "POST",
        path: SESSION_PATH,
        summary: "Begins a browser's session: a cookie that may read, for pages that watch events.",
        query: &[],
        changes: false,
        access: RequiredAccess::Known,
        shape: EndpointShape { content: Content::Json(of::<Session>), errors: &[409], ..EndpointShape::ANY },
        run: begin_session,
    },
    ApiEndpoint {
        method: "DELETE",
        path: SESSION_PATH,
        summary: "Ends a browser's session: the browser forgets its cookie.",
        query: &[],
        changes: false,
        access: RequiredAccess::Open,
        shape: EndpointShape::ANY,
        run: end_session,
    },
];

/// Makes a short-lived token. A session or a short-lived token comes from a lasting token only, so
/// that it cannot extend itself.
fn lasting(request: &ApiRequest, seconds: u64, security: &Security) -> Result<(String, u64), ApiProblem> {
    let guard = &security.guard;
    let made =
        if request.actor.shows_token() { guard.short_token(request.actor.name(), guard.now(), seconds) } else { None };
    made.ok_or_else(|| {
        let detail = "this needs a token from philae fabric tokens make; Authorization: Bearer TOKEN would work";
        ApiProblem::new(ProblemCode::Conflict, detail)
    })
}

fn roles(request: &ApiRequest) -> Vec<String> {
    let one = |grant: &crate::access::RoleGrant| match &grant.tenant {
        Some(tenant) => format!("{}:{tenant}", role_name(grant.role)),
        None => role_name(grant.role).to_owned(),
    };
    request.actor.grants().iter().map(one).collect()
}

/// `POST /oauth/token`
fn exchange(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let asked: TokenRequest = request.read_or_default()?;
    if asked.grant_type != "client_credentials" {
        let detail = format!("grant_type is '{}'; client_credentials would work", asked.grant_type);
        return Err(ApiProblem::new(ProblemCode::GrantType, detail));
    }
    let mut request = request.clone();
    if let Some(secret) = &asked.client_secret {
        let from = request.from.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let now = manager.security.guard.now();
        request.actor = manager.security.guard.of_secret(secret, from, now).map_err(|refusal| match refusal {
            RequestRefusal::WrongToken => ApiProblem::new(
                ProblemCode::WrongToken,
                "client_secret is not a valid token: it was revoked, has ended, or was mistyped",
            ),
            RequestRefusal::TooMany(seconds) => ApiProblem::new(
                ProblemCode::TooMany,
                format!("too many wrong secrets; a request in {seconds} s would work"),
            ),
        })?;
    } else if !request.actor.shows_token() {
        let detail = "the form lacks client_secret: a token of this manager would work";
        return Err(ApiProblem::bad_request(detail));
    }
    let (access_token, expires_in) = lasting(&request, ACCESS_LIFE_S, &manager.security)?;
    let scope = roles(&request).join(" ");
    Ok(Reply::of(&AccessToken { access_token, token_type: "Bearer", expires_in, scope }))
}

/// `POST /api/v1/session`
fn begin_session(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let (token, seconds) = lasting(request, SESSION_LIFE_S, &manager.security)?;
    let secure = if manager.security.proof.is_some() { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    let name = request.actor.name().to_owned();
    Ok(Reply::of(&Session { name, roles: roles(request), expires_in_seconds: seconds }).cookie(cookie))
}

/// `DELETE /api/v1/session`
fn end_session(manager: &mut Manager, _: &ApiRequest) -> Result<Reply, ApiProblem> {
    let secure = if manager.security.proof.is_some() { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict{secure}");
    Ok(Reply::Json(serde_json::json!({ "ended": true })).cookie(cookie))
}

/// An error of the exchange of tokens, in the words of RFC 6749, section 5.2, with our own in
/// addition.
pub(crate) fn error(problem: &ApiProblem) -> serde_json::Value {
    let word = match problem.status {
        401 => "invalid_client",
        403 | 409 => "unauthorized_client",
        429 | 500.. => "temporarily_unavailable",
        _ if problem.code == ProblemCode::GrantType.code() => "unsupported_grant_type",
        _ => "invalid_request",
    };
    serde_json::json!({
        "error": word,
        "error_description": problem.detail,
        "status": problem.status,
        "code": problem.code,
        "detail": problem.detail,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_may_only_read_and_end_its_session() {
        assert!(is_for_browsers("GET", "/x") && is_for_browsers("DELETE", SESSION_PATH));
        assert!(!is_for_browsers("POST", SESSION_PATH) && !is_for_browsers("DELETE", "/api/v1/vlans/a"));
    }
}
