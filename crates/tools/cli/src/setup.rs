//! Shared parts of the commands that make their own scenarios: a system, and keys that are set.

use crate::arguments::{CommonOptions, HostName, ModelArguments};
use crate::failure::CommandFailure;
use philae_scenario::{Scenario, System};
use philae_units::NodeId;

/// A built system, and a scenario without jobs on it.
pub struct Setup {
    pub system: System,
    pub base: Scenario,
}

impl Setup {
    /// The setup that the command line asks for.
    pub fn new(arguments: &ModelArguments, shared: &CommonOptions) -> Result<Self, CommandFailure> {
        let mut overrides = arguments.overrides.clone();
        if let Some((key, _)) = overrides.iter().find(|(key, _)| key == "job" || key.starts_with("job.")) {
            return Err(CommandFailure::input(format!(
                "--set {key}: this command defines the jobs itself; other keys would work"
            )));
        }
        let seed = arguments.seed.map(|seed| ("seed".to_owned(), seed.to_string()));
        let law = arguments.law.clone().map(|law| ("congestion.law".to_owned(), format!("\"{law}\"")));
        overrides.extend(seed.into_iter().chain(law));
        let text = format!("system = {:?}\n", arguments.system);
        let mut base = Scenario::parse_with(&text, "the command line", &overrides).map_err(CommandFailure::input)?;
        let system =
            System::build(base.system.describe().map_err(CommandFailure::input)?).map_err(CommandFailure::input)?;
        shared.warn(&system.description.warnings);
        if let Some(host) = arguments.host {
            let nic = base.hardware.nic.name().unwrap_or(&system.description.nic).to_owned();
            base.hardware.host = base.hardware.host.preset(format!("{nic}-{}", host.name()));
        }
        Ok(Self { system, base })
    }

    /// The congestion law's name.
    pub fn law(&self) -> &str {
        self.base.congestion.name().unwrap_or(&self.system.description.congestion)
    }

    /// The host's preset.
    pub fn host(&self) -> String {
        let nic = self.base.hardware.nic.name().unwrap_or(&self.system.description.nic);
        self.base.hardware.host.name().map_or_else(|| format!("{nic}-mpi"), str::to_owned)
    }

    /// The compute nodes, in order.
    pub fn compute_nodes(&self) -> Vec<NodeId> {
        let topology = &self.system.topology;
        (0..topology.node_count()).map(NodeId::from_index).filter(|&node| topology.is_compute(node)).collect()
    }
}

/// Threads to use: the requested number, or the machine's cores.
pub fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

impl HostName {
    /// The end of a preset's name.
    const fn name(self) -> &'static str {
        match self {
            Self::Mpi => "mpi",
            Self::Libfabric => "libfabric",
            Self::Verbs => "verbs",
            Self::Shmem => "shmem",
            Self::Udp => "udp",
            Self::Tcp => "tcp",
        }
    }
}
