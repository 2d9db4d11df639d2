//! The environment of a program's libraries, which makes its messages cross the provider.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::launcher::{Launcher, LauncherKind};
use crate::program::Linked;

/// The user's choices about the provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderChoices {
    /// `FI_PHILAE_WIRES`: `shm,udp`.
    pub wires: Option<String>,
    /// The simulated run that the processes are ranks of.
    pub simulation: Option<SimulatedRun>,
    /// The virtual network of the job.
    pub vni: Option<u16>,
    /// The folder where each process writes its traffic through the provider.
    pub traffic: Option<PathBuf>,
    /// The folder where each process writes its trace.
    pub trace: Option<PathBuf>,
    /// Other variables; each overrides those above.
    pub others: Vec<(String, String)>,
}

/// A simulated run whose ranks the processes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulatedRun {
    /// Its shared memory.
    pub file: PathBuf,
    /// The library with the clocks of simulated time.
    pub clocks: PathBuf,
    /// The longest message whose data come with it, in bytes.
    pub eager: u32,
}

/// Libraries that are loaded before all others. Source: ld.so(8). Status: published.
const PRELOAD: &str = "LD_PRELOAD";

/// The variables, in order and without duplicates. `library` is the folder of the provider's
/// library, if there is one.
#[must_use]
pub fn variables(
    library: Option<&Path>,
    linked: Linked,
    launcher: &Launcher,
    settings: &ProviderChoices,
) -> Vec<(String, OsString)> {
    let mut all: Vec<(String, OsString)> = Vec::new();
    let mut set = |name: &str, value: OsString| {
        all.retain(|(known, _)| known != name);
        all.push((name.to_owned(), value));
    };
    let ProviderChoices { wires, simulation, vni, traffic, trace, others } = settings;
    if let Some(library) = library {
        set("FI_PROVIDER_PATH", library.into());
        set("FI_PROVIDER", "philae".into());
    }
    // The launcher shows what an unknown program will load, except for Slurm's.
    let may_be = |known, kind| {
        linked == known || linked == Linked::Unknown && (launcher.kind == kind || launcher.kind == LauncherKind::Slurm)
    };
    if may_be(Linked::Mpich, LauncherKind::Hydra) && launcher.is_intel {
        of_intel().into_iter().for_each(|(name, value)| set(name, value.into()));
        if simulation.is_some() {
            // Otherwise collective operations within this host use shared memory, in no time at
            // all. Source: Intel MPI's reference; measured with 2021.18. Status: measured.
            set("I_MPI_COLL_INTRANODE", "pt2pt".into());
        }
    } else if may_be(Linked::Mpich, LauncherKind::Hydra) {
        of_mpich().into_iter().for_each(|(name, value)| set(name, value.into()));
        if simulation.is_some() {
            // A thread frees the library's lock for long enough only when it yields, by default
            // after 1,000 polls. In simulated time these are one wait, with the lock.
            set("MPIR_CVAR_POLLS_BEFORE_YIELD", "1".into());
        }
    }
    if may_be(Linked::OpenMpi, LauncherKind::OpenMpi) {
        of_open_mpi(launcher).into_iter().for_each(|(name, value)| set(name, value.into()));
    }
    if launcher.kind == LauncherKind::Slurm && std::env::var_os(SLURM_MPI).is_none() {
        of_slurm(linked).into_iter().for_each(|kind| set(SLURM_MPI, kind.into()));
    }
    if linked == Linked::SandiaShmem {
        set("SHMEM_OFI_PROVIDER", "philae".into());
    }
    // An interpreter may load it later; in simulated time nothing else than the NIC would do.
    if linked == Linked::PhilaeShmem || linked == Linked::Unknown && simulation.is_some() {
        if library.is_some() {
            set("SHMEM_OFI_PROVIDER", "philae".into());
        }
        // Within a host it would use shared memory alone, where the provider sees no traffic.
        let is_seen = traffic.is_some() || trace.is_some();
        if simulation.is_some() || is_seen && std::env::var_os(ON_HOST).is_none() {
            set(ON_HOST, "NIC".into());
        }
    }
    if let Some(SimulatedRun { file, clocks, eager }) = simulation {
        set("FI_PHILAE_WIRES", "sim".into());
        set("FI_PHILAE_SIMULATION", file.into());
        set("FI_CXI_RDZV_THRESHOLD", eager.to_string().into());
        set("FI_CXI_RDZV_GET_MIN", "0".into());
        let mut preloaded = clocks.clone().into_os_string();
        if let Some(others) = std::env::var_os(PRELOAD).filter(|others| !others.is_empty()) {
            preloaded.push(" ");
            preloaded.push(others);
        }
        set(PRELOAD, preloaded);
    }
    if let Some(wires) = wires {
        set("FI_PHILAE_WIRES", wires.into());
    }
    if let Some(vni) = vni {
        set("SLINGSHOT_VNIS", vni.to_string().into());
    }
    for (name, folder) in [("FI_PHILAE_TRAFFIC", traffic), ("FI_PHILAE_TRACE", trace)] {
        if let Some(folder) = folder {
            set(name, folder.into());
        }
    }
    others.iter().for_each(|(name, value)| set(name, value.into()));
    all
}

/// How PEs of our SHMEM on one host reach each other.
const ON_HOST: &str = "SHMEM_LOCALITY_ONNODE";

/// How `srun` introduces processes to each other. Without it, each may be a job of its own.
const SLURM_MPI: &str = "SLURM_MPI_TYPE";

/// The protocol that a library speaks with Slurm. Source: the library's and Slurm's guides for MPI.
/// Status: published.
const fn of_slurm(linked: Linked) -> Option<&'static str> {
    match linked {
        Linked::Mpich | Linked::SandiaShmem | Linked::PhilaeShmem => Some("pmi2"),
        Linked::OpenMpi => Some("pmix"),
        Linked::Unknown | Linked::Nothing => None,
    }
}

/// Source: MPICH's configuration variables (`mpichversion`, its README). Status: published.
const fn of_mpich() -> [(&'static str, &'static str); 2] {
    // Otherwise, processes on one host would use MPICH's own shared memory.
    [("MPIR_CVAR_CH4_NETMOD", "ofi"), ("MPIR_CVAR_NOLOCAL", "1")]
}

/// Source: Intel MPI's reference (environment variables for fabrics control). Status: published.
/// Its one-sided operations cannot use keys chosen by the provider with addresses that begin at 0
/// in each window; that is ours, measured with 2021.18.
const fn of_intel() -> [(&'static str, &'static str); 3] {
    [("I_MPI_FABRICS", "ofi"), ("I_MPI_OFI_PROVIDER", "philae"), ("FI_PHILAE_KEYS", "client")]
}

/// Source: Open MPI's parameters (`ompi_info --all`). Status: published.
fn of_open_mpi(launcher: &Launcher) -> Vec<(&'static str, &'static str)> {
    let mut all = vec![
        ("OMPI_MCA_pml", "cm"),
        ("OMPI_MCA_mtl", "ofi"),
        ("OMPI_MCA_mtl_ofi_provider_include", "philae"),
        ("OMPI_MCA_coll", "^sm,han"),
        // More processes than cores: each yields its core while it waits.
        ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        ("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"),
    ];
    // From version 5, the only component for windows within a host is shared memory: `osc/pt2pt` is
    // gone.
    if launcher.kind == LauncherKind::OpenMpi && launcher.major < 5 {
        all.push(("OMPI_MCA_osc", "^sm"));
    }
    if rustix::process::geteuid().is_root() {
        all.extend(["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"].map(|name| (name, "1")));
        all.extend(["PRTE_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"].map(|name| (name, "1")));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<'a>(all: &'a [(String, OsString)], name: &str) -> Option<&'a str> {
        let found: Vec<&str> =
            all.iter().filter(|(known, _)| known == name).filter_map(|(_, value)| value.to_str()).collect();
        assert!(found.len() <= 1, "{name} twice");
        found.first().copied()
    }

    #[test]
    fn each_library_is_told_what_it_needs_and_the_user_has_the_last_word() {
        let launcher = |kind, major| Launcher { kind, file: "/bin/x".into(), major, is_intel: major > 2_000 };
        let folder = Some(Path::new("/opt/lib"));
        let plain = ProviderChoices::default();
        let of = |linked, kind, major| variables(folder, linked, &launcher(kind, major), &plain);
        let mpich = of(Linked::Mpich, LauncherKind::Hydra, 5);
        assert_eq!(value(&mpich, "FI_PROVIDER_PATH"), Some("/opt/lib"));
        assert_eq!(value(&mpich, "MPIR_CVAR_NOLOCAL"), Some("1"));
        assert_eq!(value(&mpich, "OMPI_MCA_pml"), None);
        let intel = of(Linked::Unknown, LauncherKind::Hydra, 2_021);
        assert_eq!((value(&intel, "I_MPI_FABRICS"), value(&intel, "MPIR_CVAR_NOLOCAL")), (Some("ofi"), None));
        assert_eq!((value(&mpich, "I_MPI_FABRICS"), value(&intel, "FI_PROVIDER")), (None, Some("philae")));
        let (four, five) =
            (of(Linked::OpenMpi, LauncherKind::OpenMpi, 4), of(Linked::Unknown, LauncherKind::OpenMpi, 5));
        assert_eq!((value(&four, "OMPI_MCA_osc"), value(&five, "OMPI_MCA_osc")), (Some("^sm"), None));
        assert_eq!(value(&five, "OMPI_MCA_mtl_ofi_provider_include"), Some("philae"));
        let shmem = of(Linked::SandiaShmem, LauncherKind::Hydra, 4);
        assert_eq!(value(&shmem, "SHMEM_OFI_PROVIDER"), Some("philae"));
        let ours = of(Linked::PhilaeShmem, LauncherKind::Hydra, 4);
        assert_eq!((value(&ours, "SHMEM_OFI_PROVIDER"), value(&ours, "SHMEM_LOCALITY_ONNODE")), (Some("philae"), None));
        let seen = ProviderChoices { traffic: Some("traffic".into()), ..plain.clone() };
        let seen = variables(folder, Linked::PhilaeShmem, &Launcher::plain(), &seen);
        assert_eq!(value(&seen, "SHMEM_LOCALITY_ONNODE"), Some("NIC"));
        let simulation = SimulatedRun { file: "/dev/shm/run".into(), clocks: "/opt/lib/clock.so".into(), eager: 8_192 };
        let simulated = ProviderChoices { simulation: Some(simulation), ..plain.clone() };
        let shmem = variables(folder, Linked::PhilaeShmem, &Launcher::plain(), &simulated);
        let wanted = [
            ("FI_PHILAE_WIRES", "sim"),
            ("FI_PHILAE_SIMULATION", "/dev/shm/run"),
            ("FI_CXI_RDZV_THRESHOLD", "8192"),
            ("SHMEM_LOCALITY_ONNODE", "NIC"),
        ];
        wanted.iter().for_each(|(name, wanted)| assert_eq!(value(&shmem, name), Some(*wanted), "{name}"));
        let python = variables(folder, Linked::Unknown, &Launcher::plain(), &simulated);
        assert_eq!(value(&python, "SHMEM_LOCALITY_ONNODE"), Some("NIC"), "shmem4py");
        assert!(value(&shmem, "LD_PRELOAD").is_some_and(|list| list.starts_with("/opt/lib/clock.so")));
        let intel = variables(folder, Linked::Mpich, &launcher(LauncherKind::Hydra, 2_021), &simulated);
        assert_eq!(value(&intel, "I_MPI_COLL_INTRANODE"), Some("pt2pt"), "memory is no network");
        let slurm = |linked| value(&of(linked, LauncherKind::Slurm, 22), "SLURM_MPI_TYPE").map(str::to_owned);
        assert_eq!((slurm(Linked::Mpich).as_deref(), slurm(Linked::OpenMpi).as_deref()), (Some("pmi2"), Some("pmix")));
        assert_eq!((slurm(Linked::Nothing), value(&mpich, "SLURM_MPI_TYPE")), (None, None));
        let others = vec![("FI_PROVIDER".to_owned(), "cxi".to_owned())];
        let chosen = ProviderChoices { vni: Some(7), wires: Some("udp".to_owned()), others, ..plain.clone() };
        let chosen = variables(folder, Linked::Nothing, &Launcher::plain(), &chosen);
        assert_eq!((value(&chosen, "SLINGSHOT_VNIS"), value(&chosen, "FI_PHILAE_WIRES")), (Some("7"), Some("udp")));
        assert_eq!(value(&chosen, "FI_PROVIDER"), Some("cxi"));
    }
}
