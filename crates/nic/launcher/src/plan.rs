//! The plan of a run: a launcher with its options and the program, or the program several times.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use crate::environment::{ProviderChoices, variables};
use crate::error::LaunchError;
use crate::launcher::{Launcher, LauncherChoice, LauncherKind};
use crate::library::find_library;
use crate::place::{RemoteShell, places};
use crate::program::{LaunchedProgram, Linked, find_program, recognise_arguments};

/// The user's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchRequest {
    /// The number of processes.
    pub processes: u32,
    /// Hosts in the form that launchers take, with or without a count: `a`, `b:2`. None: this host.
    pub hosts: Vec<String>,
    /// How to start processes there if no other launcher does it.
    pub remote: RemoteShell,
    pub launcher: LauncherChoice,
    /// Whether each line of output begins with the number of its process.
    pub has_prefix: bool,
    /// The settings of the provider.
    pub settings: ProviderChoices,
    pub program: OsString,
    pub arguments: Vec<OsString>,
}

/// What to run.
#[derive(Clone, Debug)]
pub struct LaunchPlan {
    pub launcher: Launcher,
    /// What the program is linked with.
    pub linked: Linked,
    /// The command with its arguments.
    pub command: Vec<OsString>,
    /// Variables to set for it.
    pub variables: Vec<(String, OsString)>,
    /// Processes to start here: 1 with a launcher.
    pub copies: u32,
    /// The host of each of them; `None` for this host.
    pub hosts: Vec<Option<String>>,
    /// How to reach those.
    pub remote: RemoteShell,
    /// Whether to prefix lines with the number of the process here, because the launcher does not.
    pub has_prefix: bool,
    /// Where the program begins in the command, if its processes run here and the launcher does not
    /// report how each ends.
    pub recorded: Option<usize>,
    /// The standard input of the launcher, or of process 0; `None`: ours.
    pub input: Option<Arc<OwnedFd>>,
    /// Warnings for the user before the run.
    pub warnings: Vec<&'static str>,
}

/// Measured with Debian's 4.1.4 on 28 November 2026, over `tcp;ofi_rxm` as well: MPI_Send_init of a
/// subarray of whole rows sends the array's first rows.
const OF_OPEN_MPI_4: &str = "Open MPI 4 with libfabric (pml cm) sends wrong bytes in persistent operations and in MPI_Alltoallw \
    where a datatype is contiguous and begins behind its buffer's start, over every provider; Open MPI 5 and MPICH do not";

const STATIC: &str = "the program is linked statically: it loads no provider, and no simulated clocks, unless it starts another \
    program that is not";

/// Finds everything that a request needs.
///
/// # Errors
/// [`LaunchError`]: what is missing, and what would work.
pub fn plan(request: &LaunchRequest) -> Result<LaunchPlan, LaunchError> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let executable = std::env::current_exe().map_err(LaunchError::system("find this command's own file"))?;
    let mut program = find_program(&request.program, &path)?;
    recognise_arguments(&mut program, &request.arguments, &path);
    let library = find_library(std::env::var_os("PHILAE_LIBRARY").as_ref().map(AsRef::as_ref), &executable);
    // Within a host, our SHMEM needs no provider.
    let library = match library {
        Err(LaunchError::NoLibrary(_)) if program.linked == Linked::PhilaeShmem && request.hosts.is_empty() => None,
        found => Some(found?),
    };
    let is_in_job = std::env::var_os("SLURM_JOB_ID").is_some();
    let launcher = Launcher::find(request.launcher, &program, &path, is_in_job)?;
    if launcher.kind != LauncherKind::Plain && request.remote != RemoteShell::default() {
        return Err(LaunchError::Unsupported {
            launcher: launcher.kind.name(),
            cannot: "has its own method to reach other hosts, and does not support --remote-shell or --address"
                .to_owned(),
            works: "--launcher plain would work",
        });
    }
    let variables = variables(library.as_deref(), program.linked, &launcher, &request.settings);
    let command = command(request, &program, &launcher, &variables)?;
    let mut warnings = warnings(&launcher, &variables);
    warnings.extend(program.is_static.then_some(STATIC));
    let is_plain = launcher.kind == LauncherKind::Plain;
    let is_recorded = launcher.kind == LauncherKind::Hydra && request.hosts.is_empty();
    Ok(LaunchPlan {
        recorded: is_recorded.then(|| command.len() - 1 - request.arguments.len()),
        linked: program.linked,
        command,
        variables,
        copies: if is_plain { request.processes } else { 1 },
        hosts: if is_plain { places(request.processes, &request.hosts)? } else { vec![None] },
        remote: request.remote.clone(),
        has_prefix: is_plain && request.has_prefix,
        launcher,
        input: None,
        warnings,
    })
}

/// Known faults of a launcher's library with these variables.
fn warnings(launcher: &Launcher, variables: &[(String, OsString)]) -> Vec<&'static str> {
    let has_cm = variables.iter().any(|(name, value)| name == "OMPI_MCA_pml" && value == "cm");
    let is_old = launcher.kind == LauncherKind::OpenMpi && (1..5).contains(&launcher.major);
    if is_old && has_cm { vec![OF_OPEN_MPI_4] } else { Vec::new() }
}

fn command(
    request: &LaunchRequest,
    program: &LaunchedProgram,
    launcher: &Launcher,
    variables: &[(String, OsString)],
) -> Result<Vec<OsString>, LaunchError> {
    let mut words: Vec<OsString> = Vec::new();
    if launcher.kind != LauncherKind::Plain {
        words.push(launcher.file.clone().into());
        words.extend(["-n".into(), request.processes.to_string().into()]);
    }
    let mut say = |list: &[&str]| words.extend(list.iter().map(OsString::from));
    let hosts = request.hosts.join(",");
    let refuse =
        |cannot: String, works| Err(LaunchError::Unsupported { launcher: launcher.kind.name(), cannot, works });
    match launcher.kind {
        LauncherKind::Hydra => {
            if !hosts.is_empty() {
                say(&["-hosts", &hosts]);
            }
            if request.has_prefix {
                say(&["-prepend-rank"]);
            }
        }
        LauncherKind::OpenMpi => {
            if !hosts.is_empty() {
                say(&["--host", &hosts]);
                // It passes its own variables to other hosts, and no others.
                let own = |name: &str| ["OMPI_", "PRTE_"].iter().any(|prefix| name.starts_with(prefix));
                variables.iter().filter(|(name, _)| !own(name)).for_each(|(name, _)| say(&["-x", name]));
            }
            match (request.has_prefix, launcher.major) {
                (false, _) => {}
                (true, 5..) => say(&["--output", "tag"]),
                (true, _) => say(&["--tag-output"]),
            }
        }
        LauncherKind::Slurm => {
            if let Some(counted) = request.hosts.iter().find(|host| host.contains(':')) {
                return refuse(format!("takes no count of processes with a host, as in {counted}"), "a,b would work");
            }
            if !hosts.is_empty() {
                say(&["-w", &hosts]);
            }
            if request.has_prefix {
                say(&["--label"]);
            }
        }
        LauncherKind::Plain => {}
    }
    words.push(program.file.clone().into());
    words.extend(request.arguments.iter().cloned());
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(kind: LauncherKind, major: u32, hosts: &[&str]) -> Result<String, LaunchError> {
        let request = LaunchRequest {
            processes: 3,
            hosts: hosts.iter().map(|&host| host.to_owned()).collect(),
            remote: RemoteShell::default(),
            launcher: LauncherChoice::One(kind),
            has_prefix: true,
            settings: ProviderChoices::default(),
            program: "app".into(),
            arguments: vec!["-x".into(), "1".into()],
        };
        let program =
            LaunchedProgram { file: "/bin/app".into(), linked: Linked::Nothing, folders: Vec::new(), is_static: false };
        let launcher = Launcher { kind, file: "/bin/launcher".into(), major, is_intel: false };
        let variables = [("FI_PROVIDER".to_owned(), "philae".into()), ("OMPI_MCA_pml".to_owned(), "cm".into())];
        let words = command(&request, &program, &launcher, &variables)?;
        Ok(words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn what_goes_wrong_with_a_library_is_said() {
        let variables = |pml: &str| vec![("OMPI_MCA_pml".to_owned(), OsString::from(pml))];
        let of = |kind, major, pml| {
            warnings(&Launcher { kind, file: "/bin/x".into(), major, is_intel: false }, &variables(pml)).len()
        };
        assert_eq!(
            [
                of(LauncherKind::OpenMpi, 4, "cm"),
                of(LauncherKind::OpenMpi, 5, "cm"),
                of(LauncherKind::OpenMpi, 4, "ob1")
            ],
            [1, 0, 0]
        );
        assert_eq!(of(LauncherKind::Hydra, 4, "cm"), 0);
    }

    #[test]
    fn launchers_are_told_in_their_own_words() {
        let of = |kind, major, hosts: &[&str]| words(kind, major, hosts).expect("it can");
        assert_eq!(
            of(LauncherKind::Hydra, 5, &["a", "b:2"]),
            "/bin/launcher -n 3 -hosts a,b:2 -prepend-rank /bin/app -x 1"
        );
        let open_mpi = of(LauncherKind::OpenMpi, 4, &["a", "b:2"]);
        assert_eq!(open_mpi, "/bin/launcher -n 3 --host a,b:2 -x FI_PROVIDER --tag-output /bin/app -x 1");
        assert_eq!(of(LauncherKind::OpenMpi, 5, &[]), "/bin/launcher -n 3 --output tag /bin/app -x 1");
        assert_eq!(of(LauncherKind::Slurm, 23, &["a", "b"]), "/bin/launcher -n 3 -w a,b --label /bin/app -x 1");
        assert_eq!(of(LauncherKind::Plain, 0, &[]), "/bin/app -x 1");
        let error = words(LauncherKind::Slurm, 23, &["b:2"]).expect_err("it cannot").to_string();
        assert!(error.contains("b:2") && error.contains("a,b would work"), "{error}");
        assert_eq!(of(LauncherKind::Plain, 0, &["a"]), "/bin/app -x 1");
    }
}
