//! Access control: one table of roles, which authorises requests and is shown to clients.

use std::collections::{BTreeMap, BTreeSet};

use philae_policy::{Document, DocumentChange, DocumentKind, DocumentSet, Role, Spec};
use serde_json::{Value, json};

use crate::protocol::problem::ApiProblem;
use crate::server::credential::is_certificate;

/// What an endpoint deals with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessArea {
    /// The fabric, and its desired state.
    Fabric,
    /// What jobs use: VNIs, sessions of collectives, their trees.
    Jobs,
    /// Certificates, tokens, and the roles of subjects.
    Secrets,
    /// The record of changes. Changes of secrets are shown only to roles that manage secrets.
    Audit,
    /// Requests between managers: the log, the authority, to step down.
    Standby,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    Read,
    /// Creates or changes.
    Write,
    /// Deletes.
    Delete,
}

/// What an endpoint requires of its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredAccess {
    /// Nothing, not even a token.
    Open,
    /// A token, unless the caller is on this machine: figures without names.
    Figures,
    /// A token of any kind.
    Known,
    /// A role of the table.
    Of(AccessArea, AccessKind),
    /// A role of the table, by the kind of document in the path.
    OfKind(AccessKind),
}

/// All roles, in the order of the table's columns.
pub const ROLES: [Role; 6] = [Role::Guest, Role::Operator, Role::Security, Role::Wlm, Role::Standby, Role::Admin];

/// The table: which roles may do what in each area.
const TABLE: &[(AccessArea, AccessKind, &[Role])] = {
    use Role::{Admin, Guest, Operator, Security, Standby, Wlm};
    &[
        (AccessArea::Fabric, AccessKind::Read, &[Guest, Operator, Security, Wlm, Admin]),
        (AccessArea::Fabric, AccessKind::Write, &[Operator, Admin]),
        (AccessArea::Fabric, AccessKind::Delete, &[Admin]),
        (AccessArea::Jobs, AccessKind::Read, &[Guest, Operator, Security, Wlm, Admin]),
        (AccessArea::Jobs, AccessKind::Write, &[Operator, Wlm, Admin]),
        (AccessArea::Jobs, AccessKind::Delete, &[Wlm, Admin]),
        (AccessArea::Secrets, AccessKind::Read, &[Security, Admin]),
        (AccessArea::Secrets, AccessKind::Write, &[Security, Admin]),
        (AccessArea::Secrets, AccessKind::Delete, &[Security, Admin]),
        (AccessArea::Audit, AccessKind::Read, &[Operator, Security, Admin]),
        // The record of past changes cannot be changed.
        (AccessArea::Audit, AccessKind::Write, &[]),
        (AccessArea::Audit, AccessKind::Delete, &[]),
        (AccessArea::Standby, AccessKind::Read, &[Standby, Admin]),
        (AccessArea::Standby, AccessKind::Write, &[Standby, Admin]),
        (AccessArea::Standby, AccessKind::Delete, &[Admin]),
    ]
};

/// The word of a role in documents.
#[must_use]
pub const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Guest => "guest",
        Role::Operator => "operator",
        Role::Security => "security",
        Role::Wlm => "wlm",
        Role::Standby => "standby",
        Role::Admin => "admin",
    }
}

/// The role of a word.
#[must_use]
pub fn role_named(word: &str) -> Option<Role> {
    ROLES.into_iter().find(|role| role_name(*role) == word)
}

/// The area that documents of a kind belong to.
#[must_use]
pub const fn area_of(kind: DocumentKind) -> AccessArea {
    match kind {
        DocumentKind::VniBlock | DocumentKind::CollectiveSession | DocumentKind::Multicast => AccessArea::Jobs,
        DocumentKind::Token | DocumentKind::RoleBinding => AccessArea::Secrets,
        _ => AccessArea::Fabric,
    }
}

/// Whether documents of a kind belong to tenants, by their label `tenant`, and a role that is
/// limited to a tenant may do this with them.
const fn of_tenants(kind: DocumentKind, action: AccessKind) -> bool {
    match kind {
        DocumentKind::VniPartition => matches!(action, AccessKind::Read),
        kind => matches!(area_of(kind), AccessArea::Jobs),
    }
}

/// The label with the tenant of a document.
const TENANT: &str = "tenant";

impl AccessArea {
    /// The roles that may do something here.
    #[must_use]
    pub fn roles(self, action: AccessKind) -> &'static [Role] {
        let row = TABLE.iter().find(|row| (row.0, row.1) == (self, action));
        row.map(|row| row.2).expect("the table has a row for each pair")
    }
}

impl RequiredAccess {
    /// For people and programs: the roles by name, "anybody", "on this machine", or by the kind in
    /// the path.
    #[must_use]
    pub fn shown(self) -> Value {
        let names = |roles: &[Role]| roles.iter().map(|role| role_name(*role)).collect::<Vec<_>>();
        match self {
            Self::Open => json!("anybody"),
            Self::Figures => json!("any caller on this machine; from other machines any role"),
            Self::Known => json!("any role"),
            Self::Of(area, action) => json!(names(area.roles(action))),
            Self::OfKind(action) => {
                let of = |area: AccessArea| json!(names(area.roles(action)));
                json!({
                    "vni-blocks, collective-sessions, multicasts": of(AccessArea::Jobs),
                    "tokens, role-bindings": of(AccessArea::Secrets),
                    "other kinds": of(AccessArea::Fabric),
                })
            }
        }
    }
}

/// A role, for the whole fabric or for one tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleGrant {
    pub role: Role,
    /// The tenant that it is limited to.
    pub tenant: Option<String>,
}

/// The kind of credentials that an actor has shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CredentialKind {
    /// None, or none for the API.
    #[default]
    Nothing,
    /// A token that the manager has made.
    Token,
    /// A short-lived token, made from such a token.
    ShortToken,
    /// A browser's cookie.
    Cookie,
    Certificate,
}

/// The caller of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actor {
    name: Option<String>,
    grants: Vec<RoleGrant>,
    here: bool,
    shown: CredentialKind,
}

impl Actor {
    /// The operator of the process itself, within the process: may do everything.
    #[must_use]
    pub fn process() -> Self {
        Self {
            name: Some("manager".to_owned()),
            grants: vec![RoleGrant { role: Role::Admin, tenant: None }],
            here: true,
            shown: CredentialKind::Nothing,
        }
    }

    /// A caller without credentials.
    #[must_use]
    pub const fn nobody(here: bool) -> Self {
        Self { name: None, grants: Vec::new(), here, shown: CredentialKind::Nothing }
    }

    /// A caller that is known by a token.
    #[must_use]
    pub const fn known(name: String, grants: Vec<RoleGrant>, here: bool) -> Self {
        Self { name: Some(name), grants, here, shown: CredentialKind::Token }
    }

    /// The same caller, with other credentials.
    #[must_use]
    pub fn by(mut self, shown: CredentialKind) -> Self {
        self.shown = shown;
        self
    }

    /// Whether the caller is unknown.
    #[must_use]
    pub const fn is_nobody(&self) -> bool {
        self.name.is_none()
    }

    /// Whether the caller's only credential is a browser's cookie.
    #[must_use]
    pub const fn shows_cookie(&self) -> bool {
        matches!(self.shown, CredentialKind::Cookie)
    }

    /// Whether the caller is known by a token that the manager has made.
    #[must_use]
    pub const fn shows_token(&self) -> bool {
        matches!(self.shown, CredentialKind::Token)
    }

    /// The roles.
    #[must_use]
    pub fn grants(&self) -> &[RoleGrant] {
        &self.grants
    }

    /// The name, for logs and the record of changes.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("nobody")
    }

    /// Whether the caller has a role for the whole fabric.
    #[must_use]
    pub fn has(&self, role: Role) -> bool {
        self.grants.iter().any(|grant| grant.role == role && grant.tenant.is_none())
    }
}

/// The extent of a permission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Everything.
    #[default]
    Fabric,
    /// Documents of these tenants.
    Tenants(BTreeSet<String>),
}

impl Scope {
    /// Whether a document is within the scope.
    #[must_use]
    pub fn covers(&self, document: &Document) -> bool {
        match self {
            Self::Fabric => true,
            Self::Tenants(tenants) => document.labels.get(TENANT).is_some_and(|tenant| tenants.contains(tenant)),
        }
    }
}

/// The error for a caller without credentials.
pub(crate) fn unknown() -> ApiProblem {
    ApiProblem {
        status: 401,
        code: "auth.required",
        title: "The caller is not known",
        detail: "a token is needed: 'Authorization: Bearer TOKEN', or as the password of HTTP Basic; philae fabric takes it from --token-file, PHILAE_TOKEN or \
                 the manager's state directory"
            .to_owned(),
        problems: Vec::new(),
    }
}

fn forbidden(detail: String) -> ApiProblem {
    ApiProblem {
        status: 403,
        code: "auth.forbidden",
        title: "The role does not permit this",
        detail,
        problems: Vec::new(),
    }
}

fn words(roles: &[Role]) -> String {
    let names: Vec<&str> = roles.iter().map(|role| role_name(*role)).collect();
    names.join(" or ")
}

/// Whether a caller may use an endpoint, and the scope of that. `kind` is the kind in the path, if
/// there is one.
///
/// # Errors
/// 401 without credentials if some are required; 403 with the roles that would work.
pub fn authorise(access: RequiredAccess, actor: &Actor, kind: Option<DocumentKind>) -> Result<Scope, ApiProblem> {
    let roles = match access {
        RequiredAccess::Open => return Ok(Scope::Fabric),
        RequiredAccess::Figures if actor.here => return Ok(Scope::Fabric),
        _ if actor.name.is_none() => return Err(unknown()),
        RequiredAccess::Figures | RequiredAccess::Known => return Ok(Scope::Fabric),
        RequiredAccess::Of(area, action) => area.roles(action),
        // If there is no such kind, the endpoint's answer says so.
        RequiredAccess::OfKind(action) => kind.map_or(AccessArea::Fabric, area_of).roles(action),
    };
    let fitting = || actor.grants.iter().filter(|grant| roles.contains(&grant.role));
    if fitting().any(|grant| grant.tenant.is_none()) {
        return Ok(Scope::Fabric);
    }
    let tenants: BTreeSet<String> = fitting().filter_map(|grant| grant.tenant.clone()).collect();
    if tenants.is_empty() {
        return Err(forbidden(format!("{} may not do this; the role {} may", actor.name(), words(roles))));
    }
    match kind {
        Some(kind) if of_tenants(kind, action_of(access)) => Ok(Scope::Tenants(tenants)),
        _ => {
            let tenants: Vec<String> = tenants.into_iter().collect();
            let text = "is limited to documents of tenant";
            Err(forbidden(format!(
                "{} {text} {}; {} without a tenant may",
                actor.name(),
                tenants.join(", "),
                words(roles)
            )))
        }
    }
}

const fn action_of(access: RequiredAccess) -> AccessKind {
    match access {
        RequiredAccess::Of(_, action) | RequiredAccess::OfKind(action) => action,
        RequiredAccess::Open | RequiredAccess::Figures | RequiredAccess::Known => AccessKind::Read,
    }
}

/// Whether a caller may make these changes of documents: each by its kind, and within the tenant.
/// Only an admin may give or remove a role that leads to everything.
///
/// # Errors
/// 401 and 403 as [`authorise`].
pub fn check_changes(actor: &Actor, set: &DocumentSet, changes: &[DocumentChange]) -> Result<(), ApiProblem> {
    for change in changes {
        let reference = change.reference();
        let action = if matches!(change, DocumentChange::Delete(_)) { AccessKind::Delete } else { AccessKind::Write };
        let scope = authorise(RequiredAccess::OfKind(action), actor, Some(reference.kind))?;
        let (old, new) = match change {
            DocumentChange::Put(new) => (set.get(reference.kind, &reference.name), Some(new)),
            DocumentChange::Delete(_) => (set.get(reference.kind, &reference.name), None),
        };
        for document in old.into_iter().chain(new) {
            if !scope.covers(document) || !parent_is_covered(&scope, set, document) {
                let text = "is of another tenant, or its partition or session is: see the label 'tenant'";
                return Err(forbidden(format!("{reference} {text}")));
            }
            if !actor.has(Role::Admin) && touches_all(set, document) {
                return Err(forbidden(format!("{reference} gives or takes the role admin or standby; admin may")));
            }
        }
    }
    Ok(())
}

/// Whether changes keep the text of each token: they may extend it, or change its description.
#[must_use]
pub fn keeps_tokens(set: &DocumentSet, changes: &[DocumentChange]) -> bool {
    let hash = |document: &Document| match &document.spec {
        Spec::Token(spec) => Some(spec.hash.clone()),
        _ => None,
    };
    changes.iter().all(|change| match change {
        DocumentChange::Put(document) if document.kind == DocumentKind::Token => {
            set.get(DocumentKind::Token, &document.name).is_some_and(|old| hash(old) == hash(document))
        }
        DocumentChange::Put(_) => true,
        // Tokens have their own endpoint, which also removes their roles.
        DocumentChange::Delete(reference) => reference.kind != DocumentKind::Token,
    })
}

/// Whether the partition or session that a document belongs to is within a scope too.
fn parent_is_covered(scope: &Scope, set: &DocumentSet, document: &Document) -> bool {
    let parent = match &document.spec {
        Spec::VniBlock(spec) => set.get(DocumentKind::VniPartition, &spec.partition),
        Spec::Multicast(spec) => set.get(DocumentKind::CollectiveSession, &spec.session),
        _ => return true,
    };
    // If it does not exist, admission says so.
    parent.is_none_or(|parent| scope.covers(parent))
}

/// Whether a document is, or is about, a token whose role leads to everything: the admin's, and
/// that of standbys, which get the authority and the first token.
fn touches_all(set: &DocumentSet, document: &Document) -> bool {
    let leads_to_all = |role: Role| matches!(role, Role::Admin | Role::Standby);
    match &document.spec {
        Spec::RoleBinding(spec) => leads_to_all(spec.role),
        Spec::Token(_) => set.of(DocumentKind::RoleBinding).any(|binding| {
            matches!(&binding.spec, Spec::RoleBinding(spec)
                if leads_to_all(spec.role) && spec.subjects.contains(&document.name))
        }),
        _ => false,
    }
}

/// The roles of a subject, from documents.
#[must_use]
pub fn grants_of(set: &DocumentSet, subject: &str) -> Vec<RoleGrant> {
    let bound = set.of(DocumentKind::RoleBinding).filter_map(|binding| match &binding.spec {
        Spec::RoleBinding(spec) if spec.subjects.iter().any(|one| one == subject) => {
            Some(RoleGrant { role: spec.role, tenant: spec.tenant.clone() })
        }
        _ => None,
    });
    bound.collect()
}

/// The roles of clients' certificates, from documents, by subject.
pub(crate) fn certificates_of(set: &DocumentSet) -> BTreeMap<String, Vec<RoleGrant>> {
    let mut found: BTreeMap<String, Vec<RoleGrant>> = BTreeMap::new();
    for binding in set.of(DocumentKind::RoleBinding) {
        let Spec::RoleBinding(spec) = &binding.spec else { continue };
        for subject in spec.subjects.iter().filter(|subject| is_certificate(subject)) {
            found.entry(subject.clone()).or_default().push(RoleGrant { role: spec.role, tenant: spec.tenant.clone() });
        }
    }
    found
}

/// Whether a caller may read documents of a kind.
pub(crate) fn may_read(actor: &Actor, kind: DocumentKind) -> bool {
    authorise(RequiredAccess::OfKind(AccessKind::Read), actor, Some(kind)).is_ok()
}
