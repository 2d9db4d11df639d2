//! The token that the manager makes for its operator.

use std::path::Path;

use philae_policy::{DocumentKind, Role};

use crate::access::{Actor, RoleGrant, grants_of};
use crate::manager::Manager;
use crate::protocol::problem::ApiProblem;
use crate::tokens::{KnownToken, TokenSecret, documents, find};

/// Life of the token that the manager makes for its operator, seconds.
///
/// Source: ours. Status: assumed; a year, and each start makes a new one for the last month.
const ADMIN_LIFE_S: u64 = 365 * 86_400;

/// Name of the token that the manager makes for its operator.
pub const ADMIN: &str = "admin";

/// Ensures that the file in the state directory has a valid token: makes one at the first start,
/// and if it is lost, expired, or nearly so. A token that may be stored elsewhere stays as it is:
/// then the new one has a name of its own.
///
/// # Errors
/// When it cannot be stored.
pub fn first_token(manager: &mut Manager, state: &Path, now: u64) -> Result<(), ApiProblem> {
    let path = philae_manager_api::admin_file(state);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let known = KnownToken::all(manager.documents.set());
    let found = find(&known, text.trim());
    let is_admin = |token: &KnownToken| token.grants.contains(&RoleGrant { role: Role::Admin, tenant: None });
    if found.is_some_and(|token| !token.is_over(now + ADMIN_LIFE_S / 12) && is_admin(token)) {
        return Ok(());
    }
    let taken = |name: &str| {
        let set = manager.documents.set();
        set.get(DocumentKind::Token, name).is_some()
            || set.get(DocumentKind::RoleBinding, name).is_some()
            || !grants_of(set, name).is_empty()
    };
    let (name, why) = match found {
        // The owner of the file finds the next token in the same place.
        Some(token) if is_admin(token) => (token.name.clone(), "the one before is about to end"),
        _ if !taken(ADMIN) => (ADMIN.to_owned(), ""),
        _ => {
            let mut names = (2..).map(|number| format!("{ADMIN}-{number}"));
            let free = names.find(|name| !taken(name)).expect("names do not end");
            (free, "the file of the previous token is gone; that token remains valid")
        }
    };
    let secret = TokenSecret::random()?;
    // The file is written first: a token without a file would be of no use.
    philae_agent_rpc::replace(state, "admin.token", format!("{}\n", secret.reveal()).as_bytes())
        .map_err(|error| ApiProblem::conflict(format!("the admin's token cannot be saved: {error}")))?;
    let about = "made by the manager for the user who starts it";
    let changes = documents(&name, &secret, about, now + ADMIN_LIFE_S, Role::Admin, None);
    manager.documents.commit(Actor::process().name(), &changes)?;
    if !why.is_empty() {
        crate::log::token_made(&name, why);
    }
    Ok(())
}
