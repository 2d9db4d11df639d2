//! How the command finds out who it speaks for: a manager of the same user says where its token and its roots are.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::client::Options;
use crate::{Failure, usual_state};

/// A token. It is shown to nobody by accident.
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

impl Token {
    /// The text, for the header.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Who asks, and what proves the manager.
#[derive(Debug)]
pub struct Credentials {
    pub token: Option<Token>,
    /// PEM.
    pub roots: Option<String>,
}

/// What a manager that runs says of itself, for commands of the same user on the same machine.
#[derive(Serialize, Deserialize)]
struct Running {
    url: String,
    process: u32,
    token_file: PathBuf,
    roots: PathBuf,
}

/// Where managers of this user say that they run.
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

/// Said for as long as it is held.
pub struct Announcement(PathBuf);

impl Announcement {
    /// Whether it is still there: what is in a folder for one session may be cleaned away.
    pub fn is_there(&self) -> bool {
        self.0.exists()
    }
}

impl Drop for Announcement {
    fn drop(&mut self) {
        // What stays behind names a process that is gone, and counts for nothing.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Says that a manager runs here, and forgets those that do not any more.
///
/// # Errors
/// In words: then commands here need --token-file.
pub fn announce(url: &str, state: &Path) -> Result<Announcement, String> {
    use std::os::unix::fs::DirBuilderExt;
    let folder = folder().map_err(|Failure(_, why)| why)?;
    let failed = |error: std::io::Error| {
        format!("{}: {error}; philae fabric on this machine needs --token-file until that works", folder.display())
    };
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(failed)?;
    for entry in std::fs::read_dir(&folder).map_err(failed)?.flatten() {
        if read(&entry.path()).is_some_and(|running| !is_running(running.process)) {
            // Another manager may forget it at the same time.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    let state = std::path::absolute(state).map_err(failed)?;
    let running = Running {
        url: url.to_owned(),
        process: std::process::id(),
        token_file: philae_manager::admin_file(&state),
        roots: state.join("ca/roots.pem"),
    };
    let name = format!("{}.json", std::process::id());
    let text = serde_json::to_string(&running).map_err(|error| error.to_string())?;
    philae_agent_link::replace(&folder, &name, text.as_bytes())
        .map_err(|error| failed(std::io::Error::other(error.to_string())))?;
    Ok(Announcement(folder.join(name)))
}

fn read(path: &Path) -> Option<Running> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

/// The manager of this user that listens there. One that is gone counts for nothing: somebody else may listen there now.
fn running_at(url: &str) -> Option<Running> {
    let entries = std::fs::read_dir(folder().ok()?).ok()?.flatten();
    let mut found = entries.filter_map(|entry| read(&entry.path()));
    let same = |one: &str| one.replace("//localhost:", "//127.0.0.1:");
    found.find(|running| same(&running.url) == same(url) && is_running(running.process))
}

fn file(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure(2, format!("{}: {error}", path.display())))
}

impl Credentials {
    /// By the options, the environment, or what a manager of the same user says.
    pub fn find(url: &str, options: &Options) -> Result<Self, Failure> {
        let running = running_at(url);
        let variable = std::env::var("PHILAE_TOKEN").ok().filter(|token| !token.is_empty());
        let token = match (&options.token_file, variable, &running) {
            (Some(path), _, _) => Some(file(path)?),
            (None, Some(token), _) => Some(token),
            (None, None, Some(running)) => Some(file(&running.token_file)?),
            (None, None, None) => None,
        };
        let roots = match (&options.ca, &running) {
            (Some(path), _) => Some(file(path)?),
            (None, Some(running)) => std::fs::read_to_string(&running.roots).ok(),
            (None, None) => None,
        };
        Ok(Self { token: token.map(|token| Token(token.trim().to_owned())), roots })
    }
}
