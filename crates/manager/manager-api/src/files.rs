//! Where the manager and its command line find each other's files.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, bad_input};

/// The usual folder for this user's state: `what` is `manager` or `agent`.
///
/// # Errors
/// When the environment names no folder for it.
pub fn usual_state(what: &str) -> Result<PathBuf, Failure> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = variable("XDG_STATE_HOME").or_else(|| variable("HOME").map(|home| home.join(".local/state")));
    let home = home.ok_or_else(|| bad_input("neither XDG_STATE_HOME nor HOME is set; --state DIRECTORY would work"))?;
    Ok(home.join("philae").join(what))
}

/// The file with the operator's token.
#[must_use]
pub fn admin_file(state: &Path) -> PathBuf {
    state.join("admin.token")
}

/// The file for the passphrase of a backup that was made without one.
#[must_use]
pub fn passphrase_beside(backup: &Path) -> PathBuf {
    let mut name = backup.file_name().unwrap_or_default().to_owned();
    name.push(".passphrase");
    backup.with_file_name(name)
}
