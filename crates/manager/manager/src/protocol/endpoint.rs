//! An endpoint of the API: its path, its access, the forms of request and answers, and its handler.
//!
//! Each resource declares its endpoints beside its handlers; `api` lists the resources.

use crate::access::{AccessArea, AccessKind, RequiredAccess};
use crate::documents::report::Report;
use crate::manager::Manager;
use crate::operations::OperationView;
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::{Answer, Reply};
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::{Content, EndpointShape, SchemaOf, any, of};

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
    pub(crate) const fn statuses(mut self, statuses: &'static [u16]) -> Self {
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

pub(crate) const SECRETS_READ: RequiredAccess = RequiredAccess::Of(AccessArea::Secrets, AccessKind::Read);

pub(crate) const SECRETS_WRITE: RequiredAccess = RequiredAccess::Of(AccessArea::Secrets, AccessKind::Write);

pub(crate) const PAGE: (&str, &str) = ("limit", "most items in the answer, 1 to 2000000; default 1000");

pub(crate) const LIMIT_100K: (&str, &str) = ("limit", "most items in the answer, 1 to 100000; default 1000");

pub(crate) const FIELDS: (&str, &str) = ("fields", "only these fields of each item: name,flaps.score");

pub(crate) const SORT: (&str, &str) = ("sort", "sorted by this field; with a minus in falling order: -losses");

pub(crate) const AFTER: (&str, &str) = ("after", "the value of 'next' of the previous page");

pub(crate) const NAME: (&str, &str) = ("name", "pattern of names, such as x1001c*r*b0");

pub(crate) const LABEL: (&str, &str) = ("label", "pattern of the label of it or its switch, such as leaf*");

pub(crate) const GROUP: (&str, &str) = ("group", "of these groups: 7 or 1-4");

pub(crate) const ROLE: (&str, &str) = ("role", "of these roles: edge, local, global");

pub(crate) const TYPE: (&str, &str) = ("type", "the same as role");

pub(crate) const SELECTOR: (&str, &str) = ("selector", "conditions that hold together: group in (1-4),labels.rack=r7");

pub(crate) const DRY: (&str, &str) = ("dryRun", "true: returns the changes and errors, and changes nothing");

pub(crate) const REASON: (&str, &str) = ("reason", "the reason, for the audit");

pub(crate) const WAIT: (&str, &str) =
    ("wait", "applied: the answer waits until all switches have it, or for the timeout");

pub(crate) const TIMEOUT: (&str, &str) = ("timeout", "seconds to wait, 1 to 3600; default 30");

pub(crate) const REVISION: (&str, &str) = ("revision", "as it was at this revision");

pub(crate) const STATUS: (&str, &str) = ("status", "true: with the status and age of each, of the first 200");

pub(crate) const BEFORE: (&str, &str) = ("before", "the value of 'next' of the previous page");

pub(crate) const OVERRIDE: (&str, &str) =
    ("override", "true: makes the change during a freeze or outside maintenance windows; for the role admin");

pub(crate) const WRITE: &[(&str, &str)] = &[DRY, OVERRIDE, FORCE, REASON, WAIT, TIMEOUT];

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
    post(path, summary, run).keys(ORDER).json(of::<OperationView>).statuses(&[200, 202]).errors(&[404, 409])
}

/// A change of documents.
pub(crate) const fn write(
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    run: fn(&mut Manager, &ApiRequest) -> Answer,
) -> ApiEndpoint {
    let shape = EndpointShape {
        body: None,
        content: Content::Json(of::<Report>),
        statuses: &[200, 201, 202],
        errors: &[404, 409, 422],
    };
    // Each document has the access of its kind, which is checked when the kinds are known.
    let access = RequiredAccess::Of(AccessArea::Fabric, AccessKind::Write);
    ApiEndpoint { method, path, summary, query: WRITE, changes: true, access, shape, run }
}

/// An endpoint with any JSON as its body and its answer.
pub(crate) const fn any_json(
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
