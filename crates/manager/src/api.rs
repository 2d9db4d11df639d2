//! The table of endpoints, and finding the one that a request means.

use std::collections::BTreeMap;

use philae_intent::Kind;
use serde_json::{Value, json};

use crate::access::{Access, Action, Actor, Area, Scope, authorise};
use crate::availability;
use crate::certificates;
use crate::compat;
use crate::desired;
use crate::documents;
use crate::manager::Manager;
use crate::problem::Problem;
use crate::resources;
use crate::tokens;
use crate::what_if;

/// A request, apart from how it came.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// "GET", "POST", "PATCH".
    pub method: String,
    /// Path, without the query.
    pub path: String,
    /// The query's keys and values.
    pub query: BTreeMap<String, String>,
    /// The body; null where there is none.
    pub body: Value,
    /// The revision that the document must have (`If-Match`).
    pub if_match: Option<String>,
    /// A name for this attempt (`Idempotency-Key`): the same again changes nothing more.
    pub idempotency_key: Option<String>,
    /// Who asks; nobody, unless it is said.
    pub actor: Actor,
    /// How far what is allowed goes; filled in by [`answer`].
    pub scope: Scope,
    /// What stands in the path for each `{name}` of the endpoint; filled in by [`answer`].
    pub captures: BTreeMap<&'static str, String>,
}

impl Request {
    /// What stands in the path for a name of the endpoint.
    #[must_use]
    pub fn capture(&self, name: &str) -> &str {
        self.captures.get(name).map_or("", String::as_str)
    }

    /// A number in the query.
    ///
    /// # Errors
    /// When it is no number, or above `most`.
    pub fn number(&self, name: &str, default: usize, most: usize) -> Result<usize, Problem> {
        let Some(text) = self.query.get(name) else { return Ok(default) };
        let number = text.parse().ok().filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| Problem::bad_request(format!("{name}={text}: a number from 1 to {most} would work")))
    }
}

/// Work for an answer that needs the manager no more: it is done beside it.
pub struct Later(Box<dyn FnOnce() -> Result<Reply, Problem> + Send>);

impl Later {
    /// What is to be done.
    #[must_use]
    pub fn new(work: impl FnOnce() -> Result<Reply, Problem> + Send + 'static) -> Self {
        Self(Box::new(work))
    }

    /// Does it.
    ///
    /// # Errors
    /// With the problem that the client is told.
    pub fn work(self) -> Result<Reply, Problem> {
        (self.0)()
    }
}

impl std::fmt::Debug for Later {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Later")
    }
}

/// An answer.
#[derive(Debug)]
pub enum Reply {
    /// A JSON document.
    Json(Value),
    /// Plain text.
    Text(String),
    /// A file.
    Bytes(Vec<u8>),
    /// What takes too long for the manager to wait for.
    Later(Later),
}

/// Something that can be asked or ordered.
pub struct Endpoint {
    /// "GET", "POST", "PATCH".
    pub method: &'static str,
    /// Path, with `{name}` for what is captured.
    pub path: &'static str,
    /// What it is for, one sentence.
    pub summary: &'static str,
    /// Keys that the query may have, with what they do.
    pub query: &'static [(&'static str, &'static str)],
    /// Whether it changes anything.
    pub changes: bool,
    /// Who may ask for it.
    pub access: Access,
    /// What it does.
    pub run: fn(&mut Manager, &Request) -> Result<Reply, Problem>,
}

impl Endpoint {
    /// The same for others.
    pub(crate) const fn for_whom(self, access: Access) -> Self {
        Self { access, ..self }
    }
}

const SECRETS_READ: Access = Access::Of(Area::Secrets, Action::Read);
const SECRETS_WRITE: Access = Access::Of(Area::Secrets, Action::Write);

const PAGE: (&str, &str) = ("limit", "most items in the answer, 1 to 100000; default 1000");
const AFTER: (&str, &str) = ("after", "name of the last item of the page before");

const fn get(
    path: &'static str,
    summary: &'static str,
    query: &'static [(&'static str, &'static str)],
    run: fn(&mut Manager, &Request) -> Result<Reply, Problem>,
) -> Endpoint {
    Endpoint {
        method: "GET",
        path,
        summary,
        query,
        changes: false,
        access: Access::Of(Area::Fabric, Action::Read),
        run,
    }
}

const fn post(
    path: &'static str,
    summary: &'static str,
    run: fn(&mut Manager, &Request) -> Result<Reply, Problem>,
) -> Endpoint {
    Endpoint {
        method: "POST",
        path,
        summary,
        query: &[],
        changes: true,
        access: Access::Of(Area::Fabric, Action::Write),
        run,
    }
}

const OVERRIDE: (&str, &str) = ("override", "true: makes the change though a freeze is open or no window is");
const DRY: (&str, &str) = ("dryRun", "true: says what would change and what is wrong with it, and changes nothing");

const fn write(
    method: &'static str,
    action: Action,
    summary: &'static str,
    run: fn(&mut Manager, &Request) -> Result<Reply, Problem>,
) -> Endpoint {
    let access = Access::OfKind(action);
    Endpoint { method, path: "/api/v1/{kind}/{name}", summary, query: &[DRY, OVERRIDE], changes: true, access, run }
}

/// All endpoints. The first that fits counts.
pub fn endpoints() -> impl Iterator<Item = &'static Endpoint> {
    desired::ENDPOINTS.iter().chain(ENDPOINTS).chain(compat::ENDPOINTS)
}

/// Those of the fabric and of documents.
const ENDPOINTS: &[Endpoint] = &[
    get("/api/v1", "This list, with the roles that may.", &[], |_, _| Ok(Reply::Json(list()))).for_whom(Access::Known),
    get("/api/v1/status", "How well the fabric is, and where it is not.", &[], resources::status::status),
    get("/api/v1/alarms", "All that is wrong, since when.", &[PAGE], resources::status::alarms),
    get(
        "/api/v1/switches",
        "Switches with their states.",
        &[("name", "pattern of names, such as x1001c*r*b0"), ("state", "only these, such as degraded"), PAGE, AFTER],
        resources::switches::switches,
    ),
    get("/api/v1/switches/{name}", "One switch: state, cause, sections, ports.", &[], resources::switches::switch),
    get("/api/v1/ports/{name}", "One port and its link.", &[], resources::ports::port),
    get(
        "/api/v1/links",
        "Switch-to-switch links.",
        &[("state", "carrying or not-carrying"), PAGE, AFTER],
        resources::links::links,
    ),
    get("/api/v1/flaps", "Links that were lost, worst first.", &[PAGE], resources::links::flaps),
    get(
        "/api/v1/traffic",
        "What ports carry, the busiest first, where their switches report counters.",
        &[PAGE],
        resources::traffic::traffic,
    ),
    get(
        "/api/v1/export/routes",
        "The forwarding tables of all switches, as a file for `philae simulate --routes`.",
        &[],
        resources::routes::export_routes,
    ),
    get("/api/v1/routes/{name}", "The forwarding table of one switch.", &[], resources::routes::routes),
    get(
        "/api/v1/explain/path",
        "Every way that packets may take between two ports or NICs.",
        &[("from", "port or NIC"), ("to", "port or NIC")],
        resources::routes::path,
    ),
    post(
        "/api/v1/what-if",
        "What would be lost if links, switches or groups failed; nothing changes.",
        what_if::what_if,
    )
    .for_whom(Access::Of(Area::Fabric, Action::Read)),
    get(
        "/api/v1/documents",
        "What was made or set by somebody, of all kinds.",
        &[("kind", "only these, such as port-policies")],
        documents::endpoints::all,
    ),
    post("/api/v1/links/{name}/drain", "Takes a link out of service.", resources::orders::drain),
    post("/api/v1/links/{name}/restore", "Gives a drained link back.", resources::orders::restore),
    post("/api/v1/links/{name}/release", "Gives an isolated link another chance.", resources::orders::release_link),
    post("/api/v1/switches/{name}/maintenance", "Sends nothing to a switch any more.", resources::orders::maintenance),
    post("/api/v1/switches/{name}/resume", "Ends a switch's maintenance or quarantine.", resources::orders::resume),
    post("/api/v1/switches/{name}/reboot", "Starts a switch again.", resources::orders::reboot),
    post("/api/v1/simulation/links/{name}/cut", "Takes the signal from a simulated cable.", resources::simulation::cut),
    post(
        "/api/v1/simulation/links/{name}/mend",
        "Gives the signal back to a simulated cable.",
        resources::simulation::mend,
    ),
    post(
        "/api/v1/simulation/switches/{name}/off",
        "Takes the power from a simulated switch.",
        resources::simulation::power_off,
    ),
    post(
        "/api/v1/simulation/switches/{name}/on",
        "Gives the power back to a simulated switch.",
        resources::simulation::power_on,
    ),
    post(
        "/api/v1/simulation/counters",
        "What ports of simulated switches have carried; their agents report it.",
        resources::traffic::count,
    ),
    get("/api/v1/certificates", "Certificates that count, those that end first first.", &[PAGE], certificates::list)
        .for_whom(SECRETS_READ),
    post(
        "/api/v1/certificates/rotate",
        "A new root signs from now on; agents are asked to renew.",
        certificates::rotate,
    )
    .for_whom(SECRETS_WRITE),
    post("/api/v1/certificates/retire", "Old roots are believed no more.", certificates::retire)
        .for_whom(SECRETS_WRITE),
    post("/api/v1/certificates/{serial}/revoke", "Refuses a certificate from now on.", certificates::revoke)
        .for_whom(SECRETS_WRITE),
    post("/api/v1/join-tokens", "A token for a first certificate, shown once.", certificates::join_token)
        .for_whom(SECRETS_WRITE),
    get("/api/v1/tokens", "Tokens with their roles and ends; not the tokens themselves.", &[], tokens::list)
        .for_whom(SECRETS_READ),
    post("/api/v1/tokens", "A token with a role, shown once.", tokens::make).for_whom(SECRETS_WRITE),
    Endpoint {
        method: "DELETE",
        path: "/api/v1/tokens/{name}",
        summary: "Revokes a token, and the roles that it alone had.",
        query: &[],
        changes: true,
        access: Access::Of(Area::Secrets, Action::Delete),
        run: tokens::revoke,
    },
    get("/api/v1/leadership", "Whether this manager leads, and how far standbys are.", &[], availability::show),
    Endpoint {
        changes: false,
        ..post("/api/v1/leadership/takeover", "This standby leads from now on.", availability::take_over)
    }
    .for_whom(SECRETS_WRITE),
    Endpoint {
        changes: false,
        ..post("/api/v1/leadership/yield", "Steps down for another manager.", availability::yield_to)
    }
    .for_whom(SECRETS_WRITE),
    get(
        "/api/v1/leadership/log",
        "What changed after a revision, for a standby.",
        &[
            ("after", "a revision; absent: all"),
            ("waitMs", "milliseconds that the next change is waited for, at most 1000"),
            ("standby", "who asks: everything up to 'after' is on its disk"),
        ],
        availability::give_log,
    )
    .for_whom(SECRETS_READ),
    get(
        "/api/v1/leadership/secrets",
        "What a standby needs to stand in: the authority.",
        &[],
        availability::give_secrets,
    )
    .for_whom(SECRETS_WRITE),
    get("/api/v1/log", "How much is written down.", &[], certificates::log_level),
    Endpoint {
        method: "PATCH",
        path: "/api/v1/log",
        summary: "Writes more or less down from now on: {\"level\": \"debug\"}.",
        query: &[],
        changes: true,
        access: Access::Of(Area::Fabric, Action::Write),
        run: certificates::set_log_level,
    },
    get("/api/v1/{kind}", "Documents of a kind, such as port-policies.", &[], documents::endpoints::list)
        .for_whom(Access::OfKind(Action::Read)),
    get("/api/v1/{kind}/{name}", "One document.", &[], documents::endpoints::get)
        .for_whom(Access::OfKind(Action::Read)),
    write(
        "PUT",
        Action::Write,
        "Makes or replaces a document. If-Match guards against what others do.",
        documents::endpoints::put,
    ),
    write("PATCH", Action::Write, "Changes fields of a document (JSON merge patch).", documents::endpoints::patch),
    write("DELETE", Action::Delete, "Deletes a document.", documents::endpoints::delete),
    get("/metrics", "Prometheus' text format.", compat::METRICS, resources::metrics::metrics).for_whom(Access::Figures),
    get("/livez", "Whether the manager answers.", &[], |_, _| Ok(Reply::Text("ok\n".to_owned())))
        .for_whom(Access::Open),
    get("/readyz", "Whether tables have been published.", &[], resources::status::ready).for_whom(Access::Open),
];

/// What stands in a path for each `{name}` of an endpoint's; nothing where the path is not its.
fn captures(endpoint: &'static str, path: &str) -> Option<BTreeMap<&'static str, String>> {
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

/// Answers a request.
///
/// # Errors
/// With the problem that the client is told.
pub fn answer(manager: &mut Manager, mut request: Request) -> Result<Reply, Problem> {
    if compat::is_path(&request.path) {
        // Clients of that view end paths of collections with a stroke.
        request.path.truncate(request.path.trim_end_matches('/').len());
    }
    let mut others = Vec::new();
    for endpoint in endpoints() {
        let Some(captures) = captures(endpoint.path, &request.path) else { continue };
        if endpoint.method != request.method {
            others.push(endpoint.method);
            continue;
        }
        let kind = captures.get("kind").and_then(|plural| Kind::ALL.iter().find(|kind| kind.plural() == plural));
        request.scope = authorise(endpoint.access, &request.actor, kind.copied())?;
        if let Some(unknown) = request.query.keys().find(|key| !endpoint.query.iter().any(|(known, _)| known == key)) {
            let known: Vec<&str> = endpoint.query.iter().map(|(known, _)| *known).collect();
            let known =
                if known.is_empty() { "none is known here".to_owned() } else { format!("known: {}", known.join(", ")) };
            return Err(Problem::bad_request(format!("there is no query key '{unknown}'; {known}")));
        }
        request.captures = captures;
        if !endpoint.changes {
            return (endpoint.run)(manager, &request);
        }
        manager.availability.admit_change()?;
        let before = manager.documents.revision();
        let reply = (endpoint.run)(manager, &request)?;
        return Ok(availability::confirmed(manager, before, reply));
    }
    // Whoever is not known learns nothing of what there is.
    authorise(Access::Known, &request.actor, None)?;
    if others.is_empty() {
        return Err(Problem::not_found(format!(
            "there is nothing at {}; GET /api/v1 lists what there is",
            request.path
        )));
    }
    Err(Problem::method_not_allowed(format!("{} takes {}", request.path, others.join(" and "))))
}

/// The table, for people and programs.
fn list() -> Value {
    let endpoint = |endpoint: &Endpoint| {
        let query: BTreeMap<&str, &str> = endpoint.query.iter().copied().collect();
        json!({ "method": endpoint.method, "path": endpoint.path, "summary": endpoint.summary, "query": query,
            "roles": endpoint.access.shown() })
    };
    json!({ "endpoints": endpoints().map(endpoint).collect::<Vec<_>>() })
}
