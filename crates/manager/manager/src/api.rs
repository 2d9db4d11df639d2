//! The table of endpoints, and the dispatch of a request to its endpoint.

use std::collections::BTreeMap;
use std::net::IpAddr;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::access::{AccessArea, AccessKind, Actor, RequiredAccess, Scope, authorise};
use crate::availability;
use crate::backup;
use crate::certificates;
use crate::compat;
use crate::desired;
use crate::documents::{self, change_sets, history};
use crate::firmware;
use crate::login;
use crate::manager::Manager;
use crate::mutation::mutate;
use crate::oncall;
use crate::operations;
use crate::problem::{ApiProblem, ProblemCode};
pub use crate::reply::{Answer, Reply};
use crate::resources;
pub use crate::routing::template;
use crate::routing::{kind_of, route};
use crate::shape::{Content, EndpointShape, SchemaOf, any, of};
use crate::tokens;
use crate::watching;

/// A request, independent of its transport.
#[derive(Clone, Debug, Default)]
pub struct ApiRequest {
    /// "GET", "POST", "PATCH".
    pub method: String,
    /// Path, without the query.
    pub path: String,
    /// The query's keys and values.
    pub query: BTreeMap<String, String>,
    /// The body; null if there is none.
    pub body: Value,
    /// The revision that the document must have (`If-Match`).
    pub if_match: Option<String>,
    /// A name for this attempt (`Idempotency-Key`): the same again changes nothing more.
    pub idempotency_key: Option<String>,
    /// The caller; unknown by default.
    pub actor: Actor,
    /// The address of the caller, if the request came over the network.
    pub from: Option<IpAddr>,
    /// The scope of the caller's permission; set by [`begin`].
    pub scope: Scope,
    /// The type of the body (`Content-Type`).
    pub content_type: Option<String>,
    /// The type of the answer (`Accept`).
    pub accept: Option<String>,
    /// The last event that the client has seen (`Last-Event-ID`).
    pub last_event: Option<String>,
    /// The client program (`User-Agent`).
    pub user_agent: Option<String>,
    /// The request's name in the audit and in logs (`X-Request-Id`, or drawn here).
    pub request_id: String,
    /// The part of the path for each `{name}` of the endpoint; set by [`begin`].
    pub captures: BTreeMap<&'static str, String>,
}

impl ApiRequest {
    /// The part of the path for a name of the endpoint.
    #[must_use]
    pub fn capture(&self, name: &str) -> &str {
        self.captures.get(name).map_or("", String::as_str)
    }

    /// A number in the query.
    ///
    /// # Errors
    /// When it is not a number, or above `most`.
    pub fn number(&self, name: &str, default: usize, most: usize) -> Result<usize, ApiProblem> {
        let Some(text) = self.query.get(name) else { return Ok(default) };
        let number = text.parse().ok().filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| ApiProblem::bad_request(format!("{name}={text}: a number from 1 to {most} would work")))
    }

    /// Any whole number in the query.
    ///
    /// # Errors
    /// When it is not a whole number.
    pub fn whole(&self, name: &str) -> Result<Option<u64>, ApiProblem> {
        let Some(text) = self.query.get(name) else { return Ok(None) };
        let number = text.parse().map(Some);
        number.map_err(|_| ApiProblem::bad_request(format!("{name}={text}: a whole number would work")))
    }

    /// A truth value in the query; false if it is absent.
    ///
    /// # Errors
    /// When it is neither true nor false.
    pub fn flag(&self, name: &str) -> Result<bool, ApiProblem> {
        match self.query.get(name).map(String::as_str) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => Err(ApiProblem::bad_request(format!("{name}={other}: true or false would work"))),
        }
    }

    /// The body as a type.
    ///
    /// # Errors
    /// When it does not match the type, with the place.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ApiProblem> {
        serde_json::from_value(self.body.clone())
            .map_err(|error| ApiProblem::bad_request(format!("the body does not fit this request: {error}")))
    }

    /// The body as a type; the type's default without a body.
    ///
    /// # Errors
    /// When it does not match the type, with the place.
    pub fn read_or_default<T: DeserializeOwned + Default>(&self) -> Result<T, ApiProblem> {
        if self.body.is_null() { Ok(T::default()) } else { self.read() }
    }
}

/// An endpoint of the API.
pub struct ApiEndpoint {
    /// "GET", "POST", "PATCH".
    pub method: &'static str,
    /// Path, with `{name}` for captured parts.
    pub path: &'static str,
    /// Its purpose, one sentence.
    pub summary: &'static str,
    /// Keys of the query, with their meaning.
    pub query: &'static [(&'static str, &'static str)],
    /// Whether it changes anything.
    pub changes: bool,
    /// The access that it requires.
    pub access: RequiredAccess,
    /// The forms of its request and answers.
    pub shape: EndpointShape,
    /// Its handler.
    pub run: fn(&mut Manager, &ApiRequest) -> Answer,
}

impl ApiEndpoint {
    /// With another required access.
    pub(crate) const fn for_whom(mut self, access: RequiredAccess) -> Self {
        self.access = access;
        self
    }

    /// With a JSON answer of this schema.
    pub(crate) const fn json(mut self, schema: SchemaOf) -> Self {
        self.shape.content = Content::Json(schema);
        self
    }

    /// With a list as its answer, as one document or one item a line.
    pub(crate) const fn lines(mut self, list: SchemaOf, item: SchemaOf) -> Self {
        self.shape.content = Content::Lines(list, item);
        self
    }

    /// With an answer that is not JSON.
    pub(crate) const fn content(mut self, content: Content) -> Self {
        self.shape.content = content;
        self
    }

    /// With a body of this schema.
    pub(crate) const fn body(mut self, schema: SchemaOf) -> Self {
        self.shape.body = Some(schema);
        self
    }

    /// With these statuses of answers that are no errors.
    const fn statuses(mut self, statuses: &'static [u16]) -> Self {
        self.shape.statuses = statuses;
        self
    }

    /// With these statuses of errors, in addition to those of all endpoints.
    pub(crate) const fn errors(mut self, errors: &'static [u16]) -> Self {
        self.shape.errors = errors;
        self
    }

    /// It changes nothing, whatever its method.
    pub(crate) const fn asks_only(mut self) -> Self {
        self.changes = false;
        self
    }

    /// With these keys of the query.
    pub(crate) const fn keys(mut self, query: &'static [(&'static str, &'static str)]) -> Self {
        self.query = query;
        self
    }
}

const SECRETS_READ: RequiredAccess = RequiredAccess::Of(AccessArea::Secrets, AccessKind::Read);
const SECRETS_WRITE: RequiredAccess = RequiredAccess::Of(AccessArea::Secrets, AccessKind::Write);

/// A key of every `GET`.
const AT_LEAST: (&str, &str) = ("atLeastRevision", "refused unless the documents have this revision or a later one");

pub(crate) const PAGE: (&str, &str) = ("limit", "most items in the answer, 1 to 2000000; default 1000");
pub(crate) const LIMIT_100K: (&str, &str) = ("limit", "most items in the answer, 1 to 100000; default 1000");
pub(crate) const FIELDS: (&str, &str) = ("fields", "only these fields of each item: name,flaps.score");
pub(crate) const SORT: (&str, &str) = ("sort", "sorted by this field; with a minus in falling order: -losses");
pub(crate) const AFTER: (&str, &str) = ("after", "the value of 'next' of the previous page");
pub(crate) const NAME: (&str, &str) = ("name", "pattern of names, such as x1001c*r*b0");
pub(crate) const LABEL: (&str, &str) = ("label", "pattern of the label of it or its switch, such as leaf*");
pub(crate) const GROUP: (&str, &str) = ("group", "of these groups: 7 or 1-4");
const ROLE: (&str, &str) = ("role", "of these roles: edge, local, global");
const TYPE: (&str, &str) = ("type", "the same as role");
pub(crate) const SELECTOR: (&str, &str) = ("selector", "conditions that hold together: group in (1-4),labels.rack=r7");
const DRY: (&str, &str) = ("dryRun", "true: returns the changes and errors, and changes nothing");
pub(crate) const REASON: (&str, &str) = ("reason", "the reason, for the audit");
pub(crate) const WAIT: (&str, &str) =
    ("wait", "applied: the answer waits until all switches have it, or for the timeout");
pub(crate) const TIMEOUT: (&str, &str) = ("timeout", "seconds to wait, 1 to 3600; default 30");
const REVISION: (&str, &str) = ("revision", "as it was at this revision");
const STATUS: (&str, &str) = ("status", "true: with the status and age of each, of the first 200");
const BEFORE: (&str, &str) = ("before", "the value of 'next' of the previous page");
const OVERRIDE: (&str, &str) =
    ("override", "true: makes the change during a freeze or outside maintenance windows; for the role admin");
const WRITE: &[(&str, &str)] = &[DRY, OVERRIDE, FORCE, REASON, WAIT, TIMEOUT];
pub(crate) const FORCE: (&str, &str) = ("force", "true: also if pairs of switches would lose each other");
const ORDER: &[(&str, &str)] = &[REASON, WAIT, TIMEOUT];

pub(crate) const fn get(
    path: &'static str,
    summary: &'static str,
    query: &'static [(&'static str, &'static str)],
    run: fn(&mut Manager, &ApiRequest) -> Answer,
) -> ApiEndpoint {
    let access = RequiredAccess::Of(AccessArea::Fabric, AccessKind::Read);
    ApiEndpoint { method: "GET", path, summary, query, changes: false, access, shape: EndpointShape::ANY, run }
}

pub(crate) const fn post(
    path: &'static str,
    summary: &'static str,
    run: fn(&mut Manager, &ApiRequest) -> Answer,
) -> ApiEndpoint {
    let access = RequiredAccess::Of(AccessArea::Fabric, AccessKind::Write);
    ApiEndpoint {
        method: "POST",
        path,
        summary,
        query: &[REASON],
        changes: true,
        access,
        shape: EndpointShape::ANY,
        run,
    }
}

/// An order: 202, and an operation.
pub(crate) const fn order(
    path: &'static str,
    summary: &'static str,
    run: fn(&mut Manager, &ApiRequest) -> Answer,
) -> ApiEndpoint {
    post(path, summary, run).keys(ORDER).json(of::<operations::OperationView>).statuses(&[200, 202]).errors(&[404, 409])
}

/// A change of documents.
const fn write(
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    run: fn(&mut Manager, &ApiRequest) -> Answer,
) -> ApiEndpoint {
    let shape = EndpointShape {
        body: None,
        content: Content::Json(of::<documents::report::Report>),
        statuses: &[200, 201, 202],
        errors: &[404, 409, 422],
    };
    // Each document has the access of its kind, which is checked when the kinds are known.
    let access = RequiredAccess::Of(AccessArea::Fabric, AccessKind::Write);
    ApiEndpoint { method, path, summary, query: WRITE, changes: true, access, shape, run }
}

/// All endpoints. The first one that matches counts.
pub fn endpoints() -> impl Iterator<Item = &'static ApiEndpoint> {
    // Some of their paths would also match those of documents of any kind.
    let own = availability::ENDPOINTS.iter().chain(desired::ENDPOINTS).chain(oncall::ENDPOINTS);
    let own = own.chain(firmware::orders::ENDPOINTS);
    own.chain(login::ENDPOINTS).chain(ENDPOINTS).chain(compat::endpoints())
}

/// Endpoints of the fabric and of documents.
const ENDPOINTS: &[ApiEndpoint] = &[
    get("/api/v1", "This list, with the roles that each endpoint requires.", &[], |_, _| Ok(Reply::of(&list())))
        .json(of::<EndpointList>)
        .for_whom(RequiredAccess::Known),
    get("/api/v1/openapi.json", "The whole API, as OpenAPI 3.1.", &[], |_, _| {
        Ok(Reply::Read(Box::new(|| Ok(Reply::Json(crate::openapi::document())))))
    })
    .for_whom(RequiredAccess::Known),
    get("/api/v1/status", "The health of the fabric, and its problems.", &[], resources::status::status)
        .json(of::<resources::status::FabricStatusView>),
    get("/api/v1/alarms", "All problems, each with its start time.", &[LIMIT_100K], resources::status::alarms)
        .json(of::<resources::status::AlarmList>),
    get(
        "/api/v1/switches",
        "Switches with their states.",
        &[NAME, LABEL, GROUP, ("state", "only these, such as degraded"), SELECTOR, PAGE, AFTER, FIELDS, SORT],
        resources::switches::switches,
    )
    .lines(of::<List<resources::switches::SwitchRow>>, of::<resources::switches::SwitchRow>)
    .errors(&[404]),
    get("/api/v1/switches/{name}", "One switch: state, cause, sections, ports.", &[], resources::switches::switch)
        .json(of::<resources::switches::SwitchDetails>)
        .errors(&[404]),
    get(
        "/api/v1/ports",
        "Ports with their states; all of them as application/x-ndjson.",
        &[NAME, LABEL, GROUP, ROLE, TYPE, ("state", "only these, such as up"), SELECTOR, PAGE, AFTER, FIELDS, SORT],
        resources::ports::ports,
    )
    .lines(of::<List<resources::ports::PortRow>>, of::<resources::ports::PortRow>)
    .errors(&[404]),
    get("/api/v1/ports/{name}", "One port and its link.", &[], resources::ports::port)
        .json(of::<resources::ports::PortDetails>)
        .errors(&[404]),
    get(
        "/api/v1/links",
        "Switch-to-switch links.",
        &[NAME, LABEL, GROUP, ROLE, TYPE, ("state", "carrying or not-carrying"), SELECTOR, PAGE, AFTER, FIELDS, SORT],
        resources::links::links,
    )
    .lines(of::<List<resources::links::LinkRow>>, of::<resources::links::LinkRow>)
    .errors(&[404]),
    get("/api/v1/links/{name}", "One link.", &[], resources::links::link)
        .json(of::<resources::links::LinkRow>)
        .errors(&[404, 409]),
    get("/api/v1/flaps", "Links that were lost, worst first.", &[PAGE], resources::links::flaps)
        .json(of::<Total<resources::links::LinkRow>>),
    get(
        "/api/v1/traffic",
        "Traffic of ports, the busiest first, if their switches report counters.",
        &[("limit", "most items in the answer, 1 to 100000; default 20")],
        resources::traffic::traffic,
    )
    .json(of::<Total<resources::traffic::PortTrafficView>>),
    get(
        "/api/v1/export/routes",
        "The forwarding tables of all switches, as a file for `philae simulate --routes`.",
        &[],
        resources::routes::export_routes,
    )
    .content(Content::File)
    .errors(&[409]),
    get("/api/v1/routes/{name}", "The forwarding table of one switch.", &[], resources::routes::routes)
        .json(of::<resources::routes::SwitchTable>)
        .errors(&[404, 409]),
    get(
        "/api/v1/watch",
        "Changes as they happen: of documents from a revision, and of the observed fabric (server-sent events).",
        &[
            ("from", "documents' changes after this revision; absent: from now on"),
            ("types", "only these: document, device, link, nic, tables, alarm, operation, firmware, fenced, manager"),
            ("timeoutSeconds", "the stream ends after this many seconds, 1 to 86400; absent: never"),
        ],
        watching::watch,
    )
    .content(Content::Events)
    .errors(&[409, 410, 503]),
    order(
        "/api/v1/switches/{name}/maintenance",
        "Stops all changes to a switch (maintenance).",
        resources::orders::maintenance,
    ),
    order("/api/v1/switches/{name}/resume", "Ends a switch's maintenance or quarantine.", resources::orders::resume),
    order("/api/v1/switches/{name}/reboot", "Restarts a switch.", resources::orders::reboot),
    get(
        "/api/v1/operations",
        "Orders and changes that take time, newest first.",
        &[("state", "only these: running, done, failed, cancelled"), PAGE, AFTER, FIELDS, SORT],
        operations::list,
    )
    .lines(of::<List<operations::OperationView>>, of::<operations::OperationView>)
    .errors(&[404]),
    order("/api/v1/operations", "Gives an order to many switches, a few at a time.", resources::orders::rolling)
        .body(of::<resources::orders::RollingOrder>),
    get("/api/v1/operations/{name}", "One operation, device by device.", &[WAIT, TIMEOUT], operations::get)
        .json(of::<operations::OperationView>)
        .errors(&[404]),
    post("/api/v1/operations/{name}/cancel", "Cancels an operation: it begins no more devices.", operations::cancel)
        .json(of::<operations::OperationView>)
        .errors(&[404, 409]),
    post("/api/v1/simulation/links/{name}/cut", "Cuts a simulated cable.", resources::simulation::cut)
        .json(of::<resources::simulation::Done>)
        .errors(&[404]),
    post("/api/v1/simulation/links/{name}/mend", "Repairs a simulated cable.", resources::simulation::mend)
        .json(of::<resources::simulation::Done>)
        .errors(&[404]),
    post("/api/v1/simulation/switches/{name}/off", "Turns a simulated switch off.", resources::simulation::power_off)
        .json(of::<resources::simulation::Done>)
        .errors(&[404]),
    post("/api/v1/simulation/switches/{name}/on", "Turns a simulated switch on.", resources::simulation::power_on)
        .json(of::<resources::simulation::Done>)
        .errors(&[404]),
    post(
        "/api/v1/simulation/counters",
        "Traffic counts for ports of simulated switches; their agents report them.",
        resources::traffic::count,
    )
    .body(any)
    .json(of::<resources::simulation::Done>)
    .errors(&[409]),
    get(
        "/api/v1/change-sets",
        "Change sets, by name.",
        &[("state", "only these: staged, pending, committed, rolled-back"), PAGE, AFTER, FIELDS, SORT],
        change_sets::list,
    )
    .lines(of::<List<change_sets::ChangeSet>>, of::<change_sets::ChangeSet>),
    post("/api/v1/change-sets", "Stages a change set.", change_sets::stage)
        .body(of::<change_sets::Staging>)
        .json(of::<change_sets::ChangeSet>)
        .statuses(&[201])
        .errors(&[409, 422]),
    get("/api/v1/change-sets/{name}", "One change set.", &[], change_sets::get)
        .json(of::<change_sets::ChangeSet>)
        .errors(&[404]),
    ApiEndpoint {
        method: "PUT",
        ..post("/api/v1/change-sets/{name}", "Stages a change set again.", change_sets::restage)
    }
    .body(of::<change_sets::Staging>)
    .json(of::<change_sets::ChangeSet>)
    .statuses(&[200, 201])
    .errors(&[409, 422]),
    ApiEndpoint {
        method: "DELETE",
        ..post("/api/v1/change-sets/{name}", "Deletes a change set.", change_sets::discard)
    }
    .errors(&[404, 409]),
    write(
        "POST",
        "/api/v1/change-sets/{name}/validate",
        "Returns the changes of a change set, and its errors.",
        change_sets::validate,
    )
    .keys(&[])
    .asks_only(),
    write(
        "POST",
        "/api/v1/change-sets/{name}/commit",
        "Commits all of a change set, or nothing of it; it may require confirmation.",
        change_sets::commit,
    )
    .body(of::<Option<change_sets::Commit>>),
    post("/api/v1/change-sets/{name}/confirm", "Confirms a change set that waits for it.", change_sets::confirm)
        .errors(&[404, 409]),
    write(
        "POST",
        "/api/v1/change-sets/{name}/rollback",
        "Rolls a change set back: one that waits for its confirmation, or one that was committed.",
        change_sets::take_back,
    ),
    get("/api/v1/pending", "The change that waits for confirmation.", &[], change_sets::show_pending)
        .json(of::<change_sets::PendingChange>)
        .errors(&[404]),
    post("/api/v1/pending/confirm", "Confirms the change that waits for confirmation.", change_sets::confirm)
        .errors(&[409]),
    write(
        "POST",
        "/api/v1/pending/rollback",
        "Rolls back the change that waits for confirmation.",
        change_sets::take_back,
    ),
    write("POST", "/api/v1/rollback", "Restores the documents of a revision, as one change.", change_sets::roll_back)
        .body(of::<change_sets::Rollback>)
        .errors(&[404, 409, 410, 422]),
    get(
        "/api/v1/diff",
        "The differences of two revisions.",
        &[("from", "a revision"), ("to", "another revision; absent: the newest")],
        history::diff,
    )
    .json(of::<history::DifferenceView>)
    .errors(&[409, 410]),
    get(
        "/api/v1/history/{kind}/{name}",
        "The history of a document, newest first.",
        &[("limit", "most items in the answer, 1 to 10000; default 100"), BEFORE],
        history::history,
    )
    .json(of::<history::DocumentHistory>)
    .for_whom(RequiredAccess::OfKind(AccessKind::Read))
    .errors(&[404]),
    get(
        "/api/v1/audit",
        "The audit: changes and orders with their actors, newest first.",
        &[
            ("limit", "most items in the answer, 1 to 10000; default 100"),
            BEFORE,
            ("actor", "by this one only"),
            ("kind", "of documents of this kind, or orders, change-sets, pending"),
            ("name", "only names with this beginning; of orders, their path"),
            ("fromMicros", "not before this time, microseconds since 1970"),
            ("untilMicros", "before this time"),
            ("outcome", "done, or refused: the newest refusals since the manager began"),
        ],
        history::audit,
    )
    .json(of::<history::AuditList>)
    .for_whom(RequiredAccess::Of(AccessArea::Audit, AccessKind::Read))
    .errors(&[404]),
    get("/api/v1/backup", "Documents and their log, without keys, for `philae manager restore`.", &[], history::backup)
        .content(Content::File)
        .for_whom(SECRETS_READ)
        .errors(&[507]),
    post(
        "/api/v1/backup",
        "The whole store, with the certificate authority and all keys sealed by a passphrase.",
        backup::sealed,
    )
    .asks_only()
    .keys(&[])
    .body(any)
    .content(Content::File)
    .for_whom(RequiredAccess::Of(AccessArea::Standby, AccessKind::Delete))
    .errors(&[507]),
    get("/api/v1/certificates", "Valid certificates, in order of their end.", &[LIMIT_100K], certificates::list)
        .for_whom(SECRETS_READ)
        .errors(&[409, 507]),
    post(
        "/api/v1/certificates/rotate",
        "Create a new root that signs from now on, and ask agents to renew.",
        certificates::rotate,
    )
    .for_whom(SECRETS_WRITE)
    .errors(&[409, 507]),
    post("/api/v1/certificates/retire", "Stops trusting old roots.", certificates::retire)
        .body(any)
        .for_whom(SECRETS_WRITE)
        .errors(&[409, 507]),
    post("/api/v1/certificates/{serial}/revoke", "Revokes a certificate.", certificates::revoke)
        .for_whom(SECRETS_WRITE)
        .errors(&[404, 409, 507]),
    post("/api/v1/join-tokens", "A token for a first certificate, shown once.", certificates::join_token)
        .body(any)
        .for_whom(SECRETS_WRITE)
        .errors(&[409, 507]),
    get("/api/v1/tokens", "Tokens with their roles and ends, without the secrets.", &[], tokens::list)
        .for_whom(SECRETS_READ),
    post("/api/v1/tokens", "A token with a role, shown once.", tokens::make)
        .body(any)
        .for_whom(SECRETS_WRITE)
        .errors(&[409, 422]),
    ApiEndpoint {
        method: "DELETE",
        ..post("/api/v1/tokens/{name}", "Revokes a token, and the role bindings of it alone.", tokens::revoke)
    }
    .for_whom(RequiredAccess::Of(AccessArea::Secrets, AccessKind::Delete))
    .errors(&[404, 409, 422]),
    get("/api/v1/log", "The log level.", &[], certificates::log_level),
    ApiEndpoint {
        method: "PATCH",
        ..post("/api/v1/log", "Changes the log level: {\"level\": \"debug\"}.", certificates::set_log_level)
    }
    .body(any),
    get(
        "/api/v1/documents",
        "Documents of all kinds that users made or changed.",
        &[("kind", "of this kind only"), NAME, SELECTOR, REVISION, STATUS, PAGE, AFTER, FIELDS, SORT],
        documents::endpoints::list_all,
    )
    .lines(of::<DocumentList>, of::<documents::status::DocumentView>)
    .errors(&[404, 409, 410]),
    write("POST", "/api/v1/documents", "Several changes of documents: all of them, or none.", change_sets::apply)
        .body(of::<change_sets::Apply>),
    get("/api/v1/documents/{kind}/{name}", "One document, with its status.", &[REVISION], documents::endpoints::get)
        .json(of::<documents::status::DocumentView>)
        .for_whom(RequiredAccess::OfKind(AccessKind::Read))
        .errors(&[404, 409, 410]),
    get(
        "/api/v1/{kind}",
        "Documents of a kind, such as port-policies.",
        &[NAME, SELECTOR, REVISION, STATUS, PAGE, AFTER, FIELDS, SORT],
        documents::endpoints::list,
    )
    .lines(of::<DocumentList>, of::<documents::status::DocumentView>)
    .for_whom(RequiredAccess::OfKind(AccessKind::Read))
    .errors(&[404, 409, 410]),
    ApiEndpoint {
        query: &[NAME, SELECTOR, DRY, OVERRIDE, FORCE, REASON, WAIT, TIMEOUT],
        ..write(
            "PATCH",
            "/api/v1/{kind}",
            "Changes fields of all selected documents together (JSON merge patch, or JSON patch).",
            documents::endpoints::patch_many,
        )
    }
    .for_whom(RequiredAccess::OfKind(AccessKind::Write)),
    get("/api/v1/{kind}/{name}", "One document, with its status.", &[REVISION], documents::endpoints::get)
        .json(of::<documents::status::DocumentView>)
        .for_whom(RequiredAccess::OfKind(AccessKind::Read))
        .errors(&[404, 409, 410]),
    write("PUT", "/api/v1/{kind}/{name}", "Makes or replaces a document.", documents::endpoints::put)
        .for_whom(RequiredAccess::OfKind(AccessKind::Write)),
    write(
        "PATCH",
        "/api/v1/{kind}/{name}",
        "Changes fields of a document (JSON merge patch, or JSON patch).",
        documents::endpoints::patch,
    )
    .for_whom(RequiredAccess::OfKind(AccessKind::Write)),
    write("DELETE", "/api/v1/{kind}/{name}", "Deletes a document.", documents::endpoints::delete)
        .for_whom(RequiredAccess::OfKind(AccessKind::Delete)),
    get("/metrics", "Prometheus' text format.", compat::METRICS, resources::metrics::metrics)
        .content(Content::Text)
        .for_whom(RequiredAccess::Figures),
    get("/livez", "Whether the manager answers.", &[], |_, _| Ok(Reply::Text("ok\n".to_owned())))
        .content(Content::Text)
        .for_whom(RequiredAccess::Open),
    get("/readyz", "Whether tables have been published.", &[], resources::status::ready)
        .content(Content::Text)
        .for_whom(RequiredAccess::Open)
        .errors(&[503]),
];

/// A page of a list.
#[derive(serde::Serialize, JsonSchema)]
#[schemars(rename = "{T}List", deny_unknown_fields)]
pub struct List<T> {
    /// Its items.
    pub items: Vec<T>,
    /// Beginning of the next page (`after`), if there is one.
    pub next: Option<String>,
}

/// The first of so many.
#[derive(serde::Serialize, JsonSchema)]
#[schemars(rename = "Total{T}s", deny_unknown_fields)]
pub struct Total<T> {
    /// How many there are.
    pub total: usize,
    /// The first of them.
    pub items: Vec<T>,
}

/// A page of documents.
#[derive(serde::Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DocumentList {
    /// Its items.
    pub items: Vec<documents::status::DocumentView>,
    /// Beginning of the next page (`after`), if there is one.
    pub next: Option<String>,
    /// The revision that they are of.
    pub revision: u64,
}

/// Begins to answer a request. The answer may be work that another thread still has to do.
///
/// # Errors
/// The problem for the client.
pub fn begin(manager: &mut Manager, mut request: ApiRequest) -> Answer {
    if let Some(plain) = compat::without_prefix(&request.path) {
        request.path = plain.to_owned();
    }
    let (endpoint, captures) = match route(&request) {
        Ok(found) => found,
        Err(problem) => {
            // An unknown caller learns nothing of what exists.
            authorise(RequiredAccess::Known, &request.actor, None)?;
            return Err(problem);
        }
    };
    request.scope = authorise(endpoint.access, &request.actor, captures.get("kind").and_then(|kind| kind_of(kind)))?;
    let is_get = endpoint.method == "GET";
    let known = endpoint.query.iter().chain([&AT_LEAST].into_iter().filter(|_| is_get)).map(|(known, _)| *known);
    if let Some(unknown) = request.query.keys().find(|key| !known.clone().any(|known| known == key.as_str())) {
        let known: Vec<&str> = endpoint.query.iter().map(|(known, _)| *known).collect();
        let known =
            if known.is_empty() { "none is known here".to_owned() } else { format!("known: {}", known.join(", ")) };
        return Err(ApiProblem::bad_request(format!("there is no query key '{unknown}'; {known}")));
    }
    if let Some(least) = request.whole("atLeastRevision")? {
        let revision = manager.documents.revision();
        if revision < least {
            let detail = format!(
                "revision {least} was requested, but the newest is {revision}; the same request would work later"
            );
            return Err(ApiProblem::new(ProblemCode::RevisionNotReached, detail));
        }
    }
    if endpoint.shape.body.is_none()
        && endpoint.method == "POST"
        && !request.body.is_null()
        && request.body != json!({})
    {
        return Err(ApiProblem::bad_request(format!("{} takes no body; without a body it would work", request.path)));
    }
    request.captures = captures;
    if !endpoint.changes {
        let reply = (endpoint.run)(manager, &request)?;
        return compat::expanded(manager, endpoint, &request, reply);
    }
    manager.availability.admit_change()?;
    let before = manager.documents.revision();
    let reply = mutate(manager, endpoint, &request)?;
    Ok(availability::confirmed(manager, before, &request, reply))
}

/// Answers a request, and does all of its work in this thread: for callers without an event loop
/// that it would block.
///
/// # Errors
/// The problem for the client.
pub fn answer(manager: &mut Manager, request: ApiRequest) -> Answer {
    begin(manager, request)?.finish(manager)
}

/// One endpoint, for people and programs.
#[derive(serde::Serialize, JsonSchema)]
#[schemars(rename = "Endpoint", deny_unknown_fields)]
pub struct EndpointView {
    /// "GET", "POST", "PATCH".
    pub method: &'static str,
    /// Path, with `{name}` for what is captured.
    pub path: &'static str,
    /// Its purpose.
    pub summary: &'static str,
    /// Keys of the query, with their effects.
    pub query: BTreeMap<&'static str, &'static str>,
    /// Who may.
    pub roles: Value,
}

/// All endpoints.
#[derive(serde::Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EndpointList {
    /// Each of them, in the order in which they are looked through.
    pub endpoints: Vec<EndpointView>,
}

/// The table, for people and programs.
fn list() -> EndpointList {
    let endpoint = |endpoint: &ApiEndpoint| EndpointView {
        method: endpoint.method,
        path: endpoint.path,
        summary: endpoint.summary,
        query: endpoint.query.iter().copied().collect(),
        roles: endpoint.access.shown(),
    };
    EndpointList { endpoints: endpoints().map(endpoint).collect() }
}
