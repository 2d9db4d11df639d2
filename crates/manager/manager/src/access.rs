//! Access control: one table of roles, which authorises requests and is shown to clients.

use std::collections::{BTreeMap, BTreeSet};

use philae_policy::{Change, Document, DocumentSet, Kind, Role, Spec};
use serde_json::{Value, json};

use crate::login::is_certificate;
use crate::problem::Problem;

/// What an endpoint deals with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
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

/// The kind of access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Reads.
    Read,
    /// Creates or changes.
    Write,
    /// Deletes.
    Delete,
}

/// What an endpoint requires of its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Nothing, not even a token.
    Open,
    /// A token, unless the caller is on this machine: figures without names.
    Figures,
    /// A token of any kind.
    Known,
    /// A role of the table.
    Of(Area, Action),
    /// A role of the table, by the kind of document in the path.
    OfKind(Action),
}

/// All roles, in the order of the table's columns.
pub const ROLES: [Role; 6] = [Role::Guest, Role::Operator, Role::Security, Role::Wlm, Role::Standby, Role::Admin];

/// The table: which roles may do what in each area.
const TABLE: &[(Area, Action, &[Role])] = {
    use Role::{Admin, Guest, Operator, Security, Standby, Wlm};
    &[
        (Area::Fabric, Action::Read, &[Guest, Operator, Security, Wlm, Admin]),
        (Area::Fabric, Action::Write, &[Operator, Admin]),
        (Area::Fabric, Action::Delete, &[Admin]),
        (Area::Jobs, Action::Read, &[Guest, Operator, Security, Wlm, Admin]),
        (Area::Jobs, Action::Write, &[Operator, Wlm, Admin]),
        (Area::Jobs, Action::Delete, &[Wlm, Admin]),
        (Area::Secrets, Action::Read, &[Security, Admin]),
        (Area::Secrets, Action::Write, &[Security, Admin]),
        (Area::Secrets, Action::Delete, &[Security, Admin]),
        (Area::Audit, Action::Read, &[Operator, Security, Admin]),
        // The record of past changes cannot be changed.
        (Area::Audit, Action::Write, &[]),
        (Area::Audit, Action::Delete, &[]),
        (Area::Standby, Action::Read, &[Standby, Admin]),
        (Area::Standby, Action::Write, &[Standby, Admin]),
        (Area::Standby, Action::Delete, &[Admin]),
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
pub const fn area_of(kind: Kind) -> Area {
    match kind {
        Kind::VniBlock | Kind::CollectiveSession | Kind::Multicast => Area::Jobs,
        Kind::Token | Kind::RoleBinding => Area::Secrets,
        _ => Area::Fabric,
    }
}

/// Whether documents of a kind belong to tenants, by their label `tenant`, and a role that is
/// limited to a tenant may do this with them.
const fn of_tenants(kind: Kind, action: Action) -> bool {
    match kind {
        Kind::VniPartition => matches!(action, Action::Read),
        kind => matches!(area_of(kind), Area::Jobs),
    }
}

/// The label with the tenant of a document.
const TENANT: &str = "tenant";

impl Area {
    /// The roles that may do something here.
    #[must_use]
    pub fn roles(self, action: Action) -> &'static [Role] {
        let row = TABLE.iter().find(|row| (row.0, row.1) == (self, action));
        row.map(|row| row.2).expect("the table has a row for each pair")
    }
}

impl Access {
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
                let of = |area: Area| json!(names(area.roles(action)));
                json!({
                    "vni-blocks, collective-sessions, multicasts": of(Area::Jobs),
                    "tokens, role-bindings": of(Area::Secrets),
                    "other kinds": of(Area::Fabric),
                })
            }
        }
    }
}

/// A role, for the whole fabric or for one tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The role.
    pub role: Role,
    /// The tenant that it is limited to.
    pub tenant: Option<String>,
}

/// The kind of credentials that an actor has shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// None, or none for the API.
    #[default]
    Nothing,
    /// A token that the manager has made.
    Token,
    /// A short-lived token, made from such a token.
    ShortToken,
    /// A browser's cookie.
    Cookie,
    /// A certificate.
    Certificate,
}

/// The caller of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actor {
    name: Option<String>,
    grants: Vec<Grant>,
    here: bool,
    shown: Shown,
}

impl Actor {
    /// The operator of the process itself, within the process: may do everything.
    #[must_use]
    pub fn process() -> Self {
        Self {
            name: Some("manager".to_owned()),
            grants: vec![Grant { role: Role::Admin, tenant: None }],
            here: true,
            shown: Shown::Nothing,
        }
    }

    /// A caller without credentials.
    #[must_use]
    pub const fn nobody(here: bool) -> Self {
        Self { name: None, grants: Vec::new(), here, shown: Shown::Nothing }
    }

    /// A caller that is known by a token.
    #[must_use]
    pub const fn known(name: String, grants: Vec<Grant>, here: bool) -> Self {
        Self { name: Some(name), grants, here, shown: Shown::Token }
    }

    /// The same caller, with other credentials.
    #[must_use]
    pub fn by(mut self, shown: Shown) -> Self {
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
        matches!(self.shown, Shown::Cookie)
    }

    /// Whether the caller is known by a token that the manager has made.
    #[must_use]
    pub const fn shows_token(&self) -> bool {
        matches!(self.shown, Shown::Token)
    }

    /// The roles.
    #[must_use]
    pub fn grants(&self) -> &[Grant] {
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
pub(crate) fn unknown() -> Problem {
    Problem {
        status: 401,
        code: "auth.required",
        title: "The caller is not known",
        detail: "a token is needed: 'Authorization: Bearer TOKEN', or as the password of HTTP Basic; philae fabric takes it from --token-file, PHILAE_TOKEN or \
                 the manager's state directory"
            .to_owned(),
        problems: Vec::new(),
    }
}

fn forbidden(detail: String) -> Problem {
    Problem {
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
pub fn authorise(access: Access, actor: &Actor, kind: Option<Kind>) -> Result<Scope, Problem> {
    let roles = match access {
        Access::Open => return Ok(Scope::Fabric),
        Access::Figures if actor.here => return Ok(Scope::Fabric),
        _ if actor.name.is_none() => return Err(unknown()),
        Access::Figures | Access::Known => return Ok(Scope::Fabric),
        Access::Of(area, action) => area.roles(action),
        // If there is no such kind, the endpoint's answer says so.
        Access::OfKind(action) => kind.map_or(Area::Fabric, area_of).roles(action),
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

const fn action_of(access: Access) -> Action {
    match access {
        Access::Of(_, action) | Access::OfKind(action) => action,
        Access::Open | Access::Figures | Access::Known => Action::Read,
    }
}

/// Whether a caller may make these changes of documents: each by its kind, and within the tenant.
/// Only an admin may give or remove a role that leads to everything.
///
/// # Errors
/// 401 and 403 as [`authorise`].
pub fn check_changes(actor: &Actor, set: &DocumentSet, changes: &[Change]) -> Result<(), Problem> {
    for change in changes {
        let reference = change.reference();
        let action = if matches!(change, Change::Delete(_)) { Action::Delete } else { Action::Write };
        let scope = authorise(Access::OfKind(action), actor, Some(reference.kind))?;
        let (old, new) = match change {
            Change::Put(new) => (set.get(reference.kind, &reference.name), Some(new)),
            Change::Delete(_) => (set.get(reference.kind, &reference.name), None),
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
pub fn keeps_tokens(set: &DocumentSet, changes: &[Change]) -> bool {
    let hash = |document: &Document| match &document.spec {
        Spec::Token(spec) => Some(spec.hash.clone()),
        _ => None,
    };
    changes.iter().all(|change| match change {
        Change::Put(document) if document.kind == Kind::Token => {
            set.get(Kind::Token, &document.name).is_some_and(|old| hash(old) == hash(document))
        }
        Change::Put(_) => true,
        // Tokens have their own endpoint, which also removes their roles.
        Change::Delete(reference) => reference.kind != Kind::Token,
    })
}

/// Whether the partition or session that a document belongs to is within a scope too.
fn parent_is_covered(scope: &Scope, set: &DocumentSet, document: &Document) -> bool {
    let parent = match &document.spec {
        Spec::VniBlock(spec) => set.get(Kind::VniPartition, &spec.partition),
        Spec::Multicast(spec) => set.get(Kind::CollectiveSession, &spec.session),
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
        Spec::Token(_) => set.of(Kind::RoleBinding).any(|binding| {
            matches!(&binding.spec, Spec::RoleBinding(spec)
                if leads_to_all(spec.role) && spec.subjects.contains(&document.name))
        }),
        _ => false,
    }
}

/// The roles of a subject, from documents.
#[must_use]
pub fn grants_of(set: &DocumentSet, subject: &str) -> Vec<Grant> {
    let bound = set.of(Kind::RoleBinding).filter_map(|binding| match &binding.spec {
        Spec::RoleBinding(spec) if spec.subjects.iter().any(|one| one == subject) => {
            Some(Grant { role: spec.role, tenant: spec.tenant.clone() })
        }
        _ => None,
    });
    bound.collect()
}

/// The roles of clients' certificates, from documents, by subject.
pub(crate) fn certificates_of(set: &DocumentSet) -> BTreeMap<String, Vec<Grant>> {
    let mut found: BTreeMap<String, Vec<Grant>> = BTreeMap::new();
    for binding in set.of(Kind::RoleBinding) {
        let Spec::RoleBinding(spec) = &binding.spec else { continue };
        for subject in spec.subjects.iter().filter(|subject| is_certificate(subject)) {
            found.entry(subject.clone()).or_default().push(Grant { role: spec.role, tenant: spec.tenant.clone() });
        }
    }
    found
}
