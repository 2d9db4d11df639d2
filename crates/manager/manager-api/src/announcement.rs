//! A manager announces where its token and its roots are, for commands of the same user on the same
//! machine.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::files::{admin_file, usual_state};

/// The announcement of a running manager, for commands of the same user on the same machine.
#[derive(Debug, Serialize, Deserialize)]
pub struct RunningManager {
    url: String,
    process: u32,
    /// The file with the operator's token.
    pub token_file: PathBuf,
    /// The file with the roots that verify the manager.
    pub roots: PathBuf,
}

/// The folder for announcements of this user's managers.
fn folder() -> Result<PathBuf, Failure> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").filter(|value| !value.is_empty()).map(PathBuf::from);
    match runtime.filter(|folder| folder.is_dir()) {
        Some(folder) => Ok(folder.join("philae")),
        None => Ok(usual_state("manager")?.join("running")),
    }
}

fn is_running(process: u32) -> bool {
    Path::new("/proc").join(process.to_string()).is_dir()
}

/// An announcement, which lasts as long as this value.
#[derive(Debug)]
pub struct Announcement(PathBuf);

impl Announcement {
    /// Whether it still exists: the folder of a login session may be cleaned.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.0.exists()
    }
}

impl Drop for Announcement {
    fn drop(&mut self) {
        // An announcement that remains names a process that is gone, and is ignored.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Announces a manager on this machine, and removes announcements of managers that have ended.
///
/// # Errors
/// In words: commands here then need --token-file.
pub fn announce(url: &str, state: &Path) -> Result<Announcement, String> {
    use std::os::unix::fs::DirBuilderExt;
    let folder = folder().map_err(|Failure(_, why)| why)?;
    let failed = |error: std::io::Error| {
        format!("{}: {error}; until this is fixed, philae fabric on this machine needs --token-file", folder.display())
    };
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(failed)?;
    for entry in std::fs::read_dir(&folder).map_err(failed)?.flatten() {
        if read(&entry.path()).is_some_and(|running| !is_running(running.process)) {
            // Another manager may remove it at the same time.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    let state = std::path::absolute(state).map_err(failed)?;
    let running = RunningManager {
        url: url.to_owned(),
        process: std::process::id(),
        token_file: admin_file(&state),
        roots: state.join("ca/roots.pem"),
    };
    let name = format!("{}.json", std::process::id());
    let text = serde_json::to_string(&running).map_err(|error| error.to_string())?;
    philae_agent_rpc::replace(&folder, &name, text.as_bytes())
        .map_err(|error| failed(std::io::Error::other(error.to_string())))?;
    Ok(Announcement(folder.join(name)))
}

fn read(path: &Path) -> Option<RunningManager> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

/// This user's manager that listens at an address. One that has ended is ignored, because another
/// program may listen there now.
#[must_use]
pub fn manager_running_at(url: &str) -> Option<RunningManager> {
    let entries = std::fs::read_dir(folder().ok()?).ok()?.flatten();
    let mut found = entries.filter_map(|entry| read(&entry.path()));
    let same = |one: &str| one.replace("//localhost:", "//127.0.0.1:");
    found.find(|running| same(&running.url) == same(url) && is_running(running.process))
}
