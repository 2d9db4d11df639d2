//! Why a program cannot be started.

use std::path::{Path, PathBuf};

/// Why a program cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The provider's library is nowhere.
    #[error(
        "libphilae-fi.so is not there; looked at {}; `make build` lays it beside the command, `cargo build --release \
         --package philae-provider` builds it alone, and PHILAE_LIBRARY=FILE names one elsewhere", places(.0)
    )]
    NoLibrary(Vec<PathBuf>),
    /// `PHILAE_LIBRARY` names something else.
    #[error("PHILAE_LIBRARY={}: {found}; expected libphilae-fi.so, or the folder that it is in", .path.display())]
    WrongLibrary {
        /// What it says.
        path: PathBuf,
        /// What is there.
        found: &'static str,
    },
    /// There is no such program.
    #[error("'{name}' is not there; looked at {}", places(.looked))]
    NoProgram {
        /// As it was asked for.
        name: String,
        /// Where it could have been.
        looked: Vec<PathBuf>,
    },
    /// It is there and cannot be run.
    #[error("'{}' cannot be run: {why}", .path.display())]
    NotExecutable {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// No launcher fits the program.
    #[error("no launcher for {what}: looked for {names} in {}; {package}", places(.looked))]
    NoLauncher {
        /// What the program is.
        what: String,
        /// Names of launchers that would do.
        names: String,
        /// Folders.
        looked: Vec<PathBuf>,
        /// What has one.
        package: &'static str,
    },
    /// A launcher that does not take what was asked for.
    #[error("{launcher} {cannot}; {works}")]
    Unsupported {
        /// The launcher.
        launcher: &'static str,
        /// What it cannot do.
        cannot: String,
        /// What would work.
        works: &'static str,
    },
    /// The system refused.
    #[error("cannot {what}: {source}")]
    System {
        /// What was tried.
        what: String,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
}

impl LaunchError {
    pub(crate) fn system(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        |source| Self::System { what: what.into(), source }
    }
}

/// Places as people read them.
fn places(paths: &[PathBuf]) -> String {
    if paths.is_empty() {
        return "no place".to_owned();
    }
    paths.iter().map(|path| quoted(path)).collect::<Vec<_>>().join(", ")
}

fn quoted(path: &Path) -> String {
    path.display().to_string()
}
