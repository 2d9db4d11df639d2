//! The command line of `run`.

use super::simulate::{ResultPlace, ScenarioKeys};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae run -n 2 ./ping-pong
  philae run -n 4 --traffic python3 script.py
      traffic through the NIC, by process
  philae run -n 4 --trace traces/app ./app
      and then: philae trace convert traces/app app.goal
  philae run -n 4 --prefix --vni 7 --env FI_CXI_RDZV_THRESHOLD=2048 ./app
  philae run -n 8 --hosts node1:4,node2:4 ./app
  philae run -n 2 --hosts a,b --remote-shell 'ssh -p 2222' --address 10.0.0.1 \\
      ./app
  philae run -n 2 -- ./-odd-name --its-option
      a program whose name begins with a hyphen
  philae run -n 2 --print ./app
      the command and the variables, without running it
  philae run --simulate frontier -n 16 ./app
      in simulated time, on 16 simulated nodes of Frontier
  philae run --simulate shandy --processes-per-node 4 -n 64 \\
      --output results/app --set congestion.law=none ./app

Any program that uses libfabric works unchanged. Programs of MPICH, Open MPI or Sandia OpenSHMEM
are recognised and started by their own launcher; scripts that start such a program are not, and
need --launcher (hydra is MPICH's, mpirun Open MPI's). In other programs each process finds its
number in PHILAE_RANK and their count in PHILAE_SIZE. Programs of Philae's OpenSHMEM need only this
launcher; on other hosts it starts them by ssh, or by the command that --remote-shell or
PHILAE_REMOTE_SHELL names (docs/shmem/run.md).
The exit code is the program's; 128 plus the signal's number if a signal ended it. See
docs/nic/guide.md, and docs/nic/simulated.md for simulated time.")]
pub struct RunArguments {
    /// Processes.
    #[arg(short = 'n', long = "processes", value_name = "N", value_parser = philae_console::whole::<u32>(1, 1_000_000))]
    pub processes: u32,
    #[command(flatten)]
    pub simulation: SimulatedNetwork,
    #[command(flatten)]
    pub remote: RemoteHosts,
    /// Launcher of the processes. `auto` is Slurm within a Slurm job, otherwise the launcher of the program's own library.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = LauncherName::Auto)]
    pub launcher: LauncherName,
    /// Transports between processes, in order of preference: shm, udp or both.
    #[arg(long, value_name = "WIRE,...", value_delimiter = ',', value_parser = ["shm", "udp"])]
    pub wires: Vec<String>,
    /// The virtual network: processes of different ones cannot reach each other.
    #[arg(long, value_name = "N", value_parser = philae_console::whole::<u16>(1, u16::MAX.into()))]
    pub vni: Option<u16>,
    /// Begin each line that a process prints with its number.
    #[arg(long)]
    pub prefix: bool,
    /// Print the traffic through the provider at the end, by process, on standard error.
    #[arg(long)]
    pub traffic: bool,
    /// Write a trace of every operation into this folder, for `philae trace convert`.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub trace: Option<PathBuf>,
    /// Set a variable for the program; it overrides those that this command sets. Can be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub env: Vec<(String, String)>,
    /// Print the command and its variables, and run nothing.
    #[arg(long, conflicts_with_all = ["traffic", "trace"])]
    pub print: bool,
    /// The program: a path, or a name in PATH; then its arguments.
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true, value_hint = ValueHint::CommandWithArguments)]
    pub program: Vec<OsString>,
}

/// A simulated network that carries what the processes send.
#[derive(Args, Debug)]
#[command(
    mut_arg("output", |argument| argument.requires("simulate")),
    mut_arg("overwrite", |argument| argument.requires("simulate")),
    mut_arg("seed", |argument| argument.requires("simulate")),
    mut_arg("overrides", |argument| argument.requires("simulate")),
    mut_arg("time_limit", |argument| argument.requires("simulate"))
)]
pub struct SimulatedNetwork {
    /// Run in simulated time, on the network of this scenario, one job of which has a workload of kind "program"; or on this
    /// system, one process on each node.
    #[arg(long, value_name = "SCENARIO|SYSTEM", value_hint = ValueHint::FilePath, conflicts_with_all = ["wires", "vni", "hosts", "print"])]
    pub simulate: Option<PathBuf>,
    /// Processes on each simulated node, on a SYSTEM. Default 1.
    #[arg(long, value_name = "N", requires = "simulate", value_parser = philae_console::whole::<u32>(1, 1_024))]
    pub processes_per_node: Option<u32>,
    #[command(flatten)]
    pub place: ResultPlace,
    #[command(flatten)]
    pub keys: ScenarioKeys,
    /// Threads of the simulation; the result does not depend on it.
    #[arg(long, value_name = "N", requires = "simulate", value_parser = philae_console::whole::<u32>(1, 1_024))]
    pub threads: Option<u32>,
    /// Begin the run even if it needs more memory than is free.
    #[arg(long, requires = "simulate")]
    pub ignore_memory: bool,
}

/// Other hosts, and how they are reached.
#[derive(Args, Debug)]
pub struct RemoteHosts {
    /// Hosts, as the launcher takes them: a,b or a:4,b:4. Default: this one.
    #[arg(long, value_name = "HOST[:N],...", value_delimiter = ',')]
    pub hosts: Vec<String>,
    /// Command that starts processes on other hosts, with its arguments; the host and `/bin/sh -s` follow them. Default: ssh.
    #[arg(long, value_name = "COMMAND", requires = "hosts", value_parser = NonEmptyStringValueParser::new())]
    pub remote_shell: Option<String>,
    /// Address of this host that the others can reach. Default: the source address of its route to the first of them.
    #[arg(long, value_name = "ADDRESS", requires = "hosts", value_parser = NonEmptyStringValueParser::new())]
    pub address: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LauncherName {
    Auto,
    Hydra,
    Mpirun,
    Srun,
    Plain,
}

/// `NAME=VALUE`.
pub fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
        _ => Err("NAME=VALUE would work, such as OMP_NUM_THREADS=1".to_owned()),
    }
}
