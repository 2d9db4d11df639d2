//! `philae-manager`: the program behind `philae manager` and `philae fabric`.

mod agent;
mod export;
mod measure;
mod service;
mod tour;

use std::net::SocketAddr;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use philae_console::{READER_GONE, note, out};
use philae_manager::{Manager, load};
use philae_manager_api::{Failure, bad_input};
use philae_manager_cli::{ClientOptions, FabricCommand};
use philae_manager_core::ControlSettings;
use serde_json::json;

#[derive(Parser)]
#[command(
    name = "philae-manager",
    version,
    about = "The fabric manager: brings a fabric up, routes it, monitors it and repairs its routes"
)]
struct Arguments {
    /// Print one JSON document on standard output, and everything else on standard error; `watch` prints one per line.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the manager.
    #[command(after_help = "Examples:
  philae manager serve --system shandy --simulated
  philae manager tour  a simulated Shandy comes up, loses a link and heals
  philae manager measure --system frontier  the cost of bring-up and re-routing
  philae manager export --system lumi --format ibsim -o lumi.net")]
    Manager {
        #[command(subcommand)]
        what: Box<Service>,
    },
    /// Query and control a running manager.
    #[command(after_help = "Examples:
  philae fabric status
  philae fabric show switches -q state=degraded
  philae fabric show links -q state=not-carrying -o wide
  philae fabric explain x1000c0s0b0n0h0 x1004c0s0b0n0h0
      every path between two NICs
  philae fabric explain x1000c0r1a0l42
      desired state of a port, and the document that sets it
  philae fabric what-if --switch x1000c0r3b0  the cost of its loss
  philae fabric drain x1000c0r1a0l42
  philae fabric diff policies.yaml; philae fabric apply policies.yaml
  philae fabric export > fabric.yaml
  philae fabric set flaps_isolate=5 heartbeat_ms=5000
  philae fabric export-routes degraded.routes
      then: philae simulate scenario.toml --routes degraded.routes
  philae fabric do simulation/links/x1000c0r1a0l42 cut")]
    Fabric {
        #[command(flatten)]
        options: ClientOptions,
        #[command(subcommand)]
        what: FabricCommand,
    },
    /// Run agents of switches: each connects to a manager, follows its orders and reports events.
    #[command(after_help = "Examples:
  philae fabric certificates join --switches 'x*c*r*b0' join.token
  philae agent --system frontier --manager 127.0.0.1:8001 \\
      --join-token-file join.token
  philae agent --system shandy --manager 127.0.0.1:8001 \\
      --join-token-file join.token --lying 5 --slow 5 --latency-ms 50")]
    Agent(agent::AgentOptions),
    /// Write manual pages of `philae manager` and the like.
    #[command(hide = true)]
    Man {
        /// The folder.
        folder: std::path::PathBuf,
    },
    /// Print a completion script for a shell.
    #[command(hide = true)]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

#[derive(clap::Args)]
struct Inventory {
    /// A built-in system, or a file: a system, a fabric template, point-to-point cabling, the
    /// output of ibnetdiscover.
    #[arg(long, default_value = "shandy")]
    system: String,
}

#[derive(Subcommand)]
enum Service {
    /// Run the manager until interrupted.
    Serve {
        #[command(flatten)]
        inventory: Inventory,
        /// Simulate the switches in this process.
        #[arg(long)]
        simulated: bool,
        /// State directory with your documents; absent: ~/.local/state/philae/manager/NAME.
        #[arg(long)]
        state: Option<std::path::PathBuf>,
        /// Address to listen at; any address other than this machine's own needs TLS.
        #[arg(long, default_value = "127.0.0.1:8000")]
        listen: SocketAddr,
        /// Lead although the state directory follows another manager: only if no other manager leads any more.
        #[arg(long)]
        take_over: bool,
        #[command(flatten)]
        service: service::ServiceOptions,
    },
    /// Run a standby: it follows a manager's log, and takes over by command or when the lease is free.
    #[command(after_help = "Examples:
  philae manager serve --system shandy --agents-listen 10.0.0.1:8001 \\
      --lease file:/shared/philae.lease
  philae manager standby --system shandy --agents-listen 10.0.0.2:8001 \\
      --lease file:/shared/philae.lease \\
      --of http://127.0.0.1:8000 --token-file admin.token \\
      --listen 127.0.0.1:8010
  philae fabric takeover --manager http://127.0.0.1:8010
      the leader steps down, nothing is lost")]
    Standby {
        #[command(flatten)]
        inventory: Inventory,
        #[command(flatten)]
        of: service::Of,
        /// Simulate the switches in this process when it leads.
        #[arg(long)]
        simulated: bool,
        /// State directory of the copy; absent: ~/.local/state/philae/standby/NAME.
        #[arg(long)]
        state: Option<std::path::PathBuf>,
        /// Address to listen at; any address other than this machine's own needs TLS.
        #[arg(long, default_value = "127.0.0.1:8010")]
        listen: SocketAddr,
        #[command(flatten)]
        service: service::ServiceOptions,
    },
    /// Load a manager with watches and requests, and measure its response times.
    Load(measure::load::LoadOptions),
    /// Print the API as OpenAPI 3.1.
    Openapi,
    /// Make a state directory from a backup (`philae fabric backup`); the directory must be empty
    /// or new.
    #[command(after_help = "Examples:
  philae fabric backup fabric.backup
      writes fabric.backup.passphrase as well: keep it elsewhere
  philae manager restore fabric.backup --state DIRECTORY
  philae manager restore fabric.backup --state DIRECTORY \\
      --passphrase-file vault.passphrase")]
    Restore {
        /// The backup.
        backup: std::path::PathBuf,
        /// The directory.
        #[arg(long)]
        state: std::path::PathBuf,
        /// File with the passphrase of the sealed keys; absent: BACKUP.passphrase, if it exists.
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<std::path::PathBuf>,
        /// Restore only documents: agents must join again.
        #[arg(long, conflicts_with = "passphrase_file")]
        without_keys: bool,
    },
    /// Print alert rules for Prometheus, and a dashboard for Grafana.
    #[command(after_help = "Examples:
  philae manager monitoring --alerts > philae.rules.yaml
  philae manager monitoring --dashboard > philae.json")]
    Monitoring {
        /// Print alert rules for Prometheus.
        #[arg(long, required_unless_present = "dashboard", conflicts_with = "dashboard")]
        alerts: bool,
        /// Print a dashboard for Grafana.
        #[arg(long)]
        dashboard: bool,
    },
    /// Bring up a simulated fabric, remove and return a link and a switch, and show the status each time.
    Tour {
        #[command(flatten)]
        inventory: Inventory,
    },
    /// Write a fabric in a format of another program.
    Export {
        #[command(flatten)]
        inventory: Inventory,
        /// The format.
        #[arg(long, value_enum, default_value = "template")]
        format: export::ExportFormat,
        /// The file to write; absent: standard output.
        #[arg(long, short)]
        output: Option<std::path::PathBuf>,
    },
    /// Measure bring-up, idling and re-routing of a simulated fabric: processor time, messages, time to the last answer.
    Measure {
        #[command(flatten)]
        inventory: Inventory,
        /// Global links that are lost and restored, one after the other.
        #[arg(long, default_value_t = 1_000, value_parser = philae_console::whole::<usize>(0, usize::MAX as u64))]
        losses: usize,
        /// Seconds of idling after bring-up.
        #[arg(long, default_value_t = 10, value_parser = philae_console::whole::<u64>(0, u64::MAX))]
        idle: u64,
        /// Run the agents in a separate process, over TLS, to measure only the manager.
        #[arg(long)]
        agents: bool,
        /// With --agents: streams that share a connection; 1 is one connection per switch, as with real switches.
        #[arg(long, default_value_t = 1_024, value_name = "NUMBER", requires = "agents", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
        streams: u32,
    },
}

fn with_simulated_switches(system: &str) -> Result<Manager, Failure> {
    let fabric = load(system).map_err(bad_input)?;
    Manager::simulated(fabric, ControlSettings::default(), None).map_err(bad_input)
}

fn main() -> ExitCode {
    let Arguments { json, command } = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(said) => return philae_console::said!(said).exit(),
    };
    match run(command, json) {
        Ok(code) => code,
        Err(Failure(code, text)) => {
            if code != READER_GONE {
                note!("error: {text}");
                if json {
                    let _ = philae_console::print_json(&philae_console::error_document(&text, code));
                }
            }
            philae_console::exit(code)
        }
    }
}

/// Writes a manual page for a command, and for each of its subcommands.
fn pages(command: &clap::Command, folder: &std::path::Path) -> std::io::Result<()> {
    for part in command.get_subcommands().filter(|part| !part.is_hide_set()) {
        pages(part, folder)?;
    }
    clap_mangen::Man::new(command.clone()).generate_to(folder).map(drop)
}

/// Refuses `--json` if there is no document to print.
fn for_people(json: bool, what: &str, prints: &str) -> Result<(), Failure> {
    if json { Err(bad_input(format!("{what} prints {prints}; without --json it would work"))) } else { Ok(()) }
}

fn restore(
    backup: &std::path::Path,
    state: &std::path::Path,
    passphrase: Option<std::path::PathBuf>,
    without_keys: bool,
    json: bool,
) -> Result<(), Failure> {
    use philae_manager::backup::restore;
    use philae_manager_api::passphrase_beside;
    let beside = passphrase_beside(backup);
    let file = passphrase.or_else(|| beside.exists().then_some(beside)).filter(|_| !without_keys);
    let read = |path: &std::path::PathBuf| {
        std::fs::read_to_string(path).map_err(|error| bad_input(format!("{}: {error}", path.display())))
    };
    let passphrase = file.as_ref().map(read).transpose()?;
    let restored = restore(backup, state, passphrase.as_deref().map(str::trim), without_keys).map_err(bad_input)?;
    let summary = restored.summary;
    note!("{}: revision {}, {} documents and records", state.display(), summary.revision, summary.objects);
    if restored.has_keys {
        note!("with the fabric's certificate authority, the keys and the first token: agents and tokens remain valid");
    } else {
        note!(
            "WARNING: without the fabric's authority and its keys. Every agent has to join anew (philae fabric certificates join),\n\
             tokens of jobs' sessions end, tokens of people count as before. A backup with keys: philae fabric backup FILE"
        );
    }
    if json {
        philae_console::print_json(&json!({
            "state": state, "revision": summary.revision, "objects": summary.objects, "keys": restored.has_keys,
        }))?;
    }
    Ok(())
}

/// `philae manager`
fn manager(what: Service, json: bool) -> Result<(), Failure> {
    match what {
        Service::Serve { inventory, simulated, state, listen, take_over, service } => {
            service::run(&inventory.system, simulated, state, listen, None, take_over, service)?;
        }
        Service::Standby { inventory, of, simulated, state, listen, service } => {
            service::run(&inventory.system, simulated, state, listen, Some(of), false, service)?;
        }
        Service::Load(options) => measure::load::load(&options, json)?,
        Service::Openapi => {
            out!("{:#}", philae_manager::openapi::document());
        }
        Service::Restore { backup, state, passphrase_file, without_keys } => {
            restore(&backup, &state, passphrase_file, without_keys, json)?;
        }
        Service::Export { inventory, format, output } => {
            for_people(json, "export", "a format of another program")?;
            philae_console::signals_may_wait();
            export::export(&inventory.system, format, output.as_ref())?;
        }
        Service::Monitoring { alerts, .. } => {
            use philae_manager::monitoring::{ALERTS, DASHBOARD};
            if alerts {
                for_people(json, "monitoring --alerts", "YAML")?;
            }
            philae_console::print(if alerts { ALERTS } else { DASHBOARD })?;
        }
        Service::Tour { inventory } => {
            for_people(json, "tour", "a walk for people")?;
            tour::tour(with_simulated_switches(&inventory.system)?)?;
        }
        Service::Measure { inventory, losses, idle, agents: true, streams } => {
            measure::agents::measure(&inventory.system, losses, idle, streams, json)?;
        }
        Service::Measure { inventory, losses, idle, .. } => {
            measure::measure(with_simulated_switches(&inventory.system)?, losses, idle, json)?;
        }
    }
    Ok(())
}

fn run(command: Command, json: bool) -> Result<ExitCode, Failure> {
    match command {
        Command::Manager { what } => manager(*what, json)?,
        Command::Agent(options) => agent::run(options)?,
        Command::Fabric { options, what } => return philae_manager_cli::run(&options, what, json),
        Command::Man { folder } => {
            // `philae man` has written the page of the command itself, which names these.
            let mut command = Arguments::command().name("philae").bin_name("philae").disable_help_subcommand(true);
            command.build();
            for part in command.get_subcommands().filter(|part| !part.is_hide_set()) {
                let failed = |error| Failure(1, format!("cannot write into {}: {error}", folder.display()));
                pages(part, &folder).map_err(failed)?;
            }
        }
        Command::Completions { shell } => {
            // `philae completions` appends these to its own commands. Bash's completions would not
            // work for a name with a dash.
            let mut command = Arguments::command().name("philae_manager");
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command, "philae_manager", &mut script);
            philae_console::print(&String::from_utf8_lossy(&script))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(command: &clap::Command, found: &mut Vec<String>) {
        found
            .extend(command.get_after_help().into_iter().chain(command.get_after_long_help()).map(ToString::to_string));
        command.get_subcommands().for_each(|part| texts(part, found));
    }

    /// A terminal of 80 columns would break a longer line in the middle of a command, which then
    /// cannot be copied.
    #[test]
    fn examples_fit_a_terminal() {
        let mut found = Vec::new();
        texts(&Arguments::command(), &mut found);
        let lines: Vec<&str> =
            found.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with("  ")).collect();
        assert!(lines.iter().filter(|line| line.starts_with("  philae ")).count() > 30, "{lines:?}");
        for line in lines {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
