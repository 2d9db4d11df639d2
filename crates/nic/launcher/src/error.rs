//! Errors that prevent the start of a program.

use std::path::{Path, PathBuf};

/// Why a program cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The provider's library was not found.
    #[error(
        "libphilae-fi.so is not there; searched: {}; `make build` lays it next to the command, `cargo build --release \
         --package philae-provider` builds it alone, and PHILAE_LIBRARY=FILE names one elsewhere", places(.0)
    )]
    NoLibrary(Vec<PathBuf>),
    /// The library with the clocks of simulated time was not found.
    #[error(
        "libphilae_clock.so is not there; searched: {}; `make build` lays it next to the provider, and `cargo build \
         --release --package philae-clock` builds it alone", places(.0)
    )]
    NoClocks(Vec<PathBuf>),
    /// `PHILAE_LIBRARY` names a file that is not the library.
    #[error("PHILAE_LIBRARY={}: {found}; expected libphilae-fi.so, or the folder that it is in", .path.display())]
    WrongLibrary {
        /// The value of the variable.
        path: PathBuf,
        /// The kind of file found.
        found: &'static str,
    },
    /// The program does not exist.
    #[error("'{name}' is not there; searched: {}", places(.looked))]
    NoProgram {
        /// The name that was asked for.
        name: String,
        /// The places that were searched.
        looked: Vec<PathBuf>,
    },
    /// The program exists but cannot be run.
    #[error("'{}' cannot be run: {why}", .path.display())]
    NotExecutable {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// No launcher for this kind of program was found.
    #[error("no launcher for {what}: looked for {names} in {}; {package}", places(.looked))]
    NoLauncher {
        /// The kind of program.
        what: String,
        /// Names of launchers that would work.
        names: String,
        /// Folders that were searched.
        looked: Vec<PathBuf>,
        /// The package that has one.
        package: &'static str,
    },
    /// The launcher does not support the request.
    #[error("{launcher} {cannot}; {works}")]
    Unsupported {
        launcher: &'static str,
        /// What it does not support.
        cannot: String,
        /// What would work.
        works: &'static str,
    },
    /// A system call failed.
    #[error("cannot {what}: {source}")]
    System {
        /// The operation that was tried.
        what: String,
        /// The system's error.
        #[source]
        source: std::io::Error,
    },
}

impl LaunchError {
    pub(crate) fn system(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        |source| Self::System { what: what.into(), source }
    }
}

/// A list of places for messages.
fn places(paths: &[PathBuf]) -> String {
    if paths.is_empty() {
        return "no place".to_owned();
    }
    paths.iter().map(|path| quoted(path)).collect::<Vec<_>>().join(", ")
}

fn quoted(path: &Path) -> String {
    path.display().to_string()
}
