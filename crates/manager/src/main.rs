//! `philae-manager`: what `philae manager` and `philae fabric` run.

mod client;
mod export;
mod measure;
mod measure_policy;
mod tour;

use std::net::SocketAddr;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use philae_control::Settings;
use philae_manager::{Manager, load, serve};

#[derive(Parser)]
#[command(
    name = "philae-manager",
    version,
    about = "The fabric manager: brings a fabric up, routes it, watches it and heals it"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the manager.
    #[command(after_help = "Examples:
  philae manager serve --system shandy --simulated
  philae manager tour                                  a simulated Shandy comes up, loses a link and heals
  philae manager measure --system frontier             what bring-up and re-routing cost
  philae manager export --system lumi --format ibsim -o lumi.net")]
    Manager {
        #[command(subcommand)]
        what: Service,
    },
    /// Asks a manager, or tells it what to do.
    #[command(after_help = "Examples:
  philae fabric status
  philae fabric show switches --query state=degraded
  philae fabric show links --query state=not-carrying
  philae fabric show switches/x1000c0r3b0
  philae fabric explain x1000c0s0b0n0h0 x1004c0s0b0n0h0
  philae fabric export-routes -o degraded.routes       # then: philae simulate scenario.toml --routes degraded.routes
  philae fabric apply policies.yaml --dry-run
  philae fabric show explain/port/x1000c0r1a0l42       what a port is to be, and which document says so
  philae fabric set flaps_isolate=5 heartbeat_ms=5000
  philae fabric do links/x1000c0r1a0l42 drain
  philae fabric do simulation/links/x1000c0r1a0l42 cut")]
    Fabric {
        /// Where the manager listens; else what the variable PHILAE_MANAGER says, else http://127.0.0.1:8000.
        #[arg(long, global = true)]
        manager: Option<String>,
        #[command(subcommand)]
        what: Fabric,
    },
    /// Prints completions for a shell.
    #[command(hide = true)]
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
}

#[derive(clap::Args)]
struct Inventory {
    /// A built-in system, or a file: a system, a fabric template, what ibnetdiscover printed.
    #[arg(long, default_value = "shandy")]
    system: String,
}

#[derive(Subcommand)]
enum Service {
    /// Serves the API until it is told to end.
    Serve {
        #[command(flatten)]
        inventory: Inventory,
        /// Switches are simulated in this process.
        #[arg(long)]
        simulated: bool,
        /// Where what you want of the fabric is kept; absent: ~/.local/state/philae/manager/NAME.
        #[arg(long)]
        state: Option<std::path::PathBuf>,
        /// Where to listen; this machine only.
        #[arg(long, default_value = "127.0.0.1:8000")]
        listen: SocketAddr,
    },
    /// Brings a simulated fabric up, takes a link and a switch from it and gives them back, and shows the status each time.
    Tour {
        #[command(flatten)]
        inventory: Inventory,
    },
    /// Writes a fabric in a format of another program.
    Export {
        #[command(flatten)]
        inventory: Inventory,
        /// Which format.
        #[arg(long, value_enum, default_value = "template")]
        format: export::Format,
        /// Where to; absent: standard output.
        #[arg(long, short)]
        output: Option<std::path::PathBuf>,
    },
    /// Measures bring-up, idling and re-routing on a simulated fabric: processor time, messages, time to the last answer.
    Measure {
        #[command(flatten)]
        inventory: Inventory,
        /// Global links that are lost and restored, one after the other.
        #[arg(long, default_value_t = 1_000)]
        losses: usize,
        /// Seconds of idling after bring-up.
        #[arg(long, default_value_t = 10)]
        idle: u64,
        /// One JSON document on standard output.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Subcommand)]
enum Fabric {
    /// Is the fabric well, and if not, where.
    Status {
        /// The API's own answer.
        #[arg(short, long)]
        json: bool,
    },
    /// Shows something of the API: switches, links, ports/NAME, alarms, flaps, settings, routes/NAME.
    Show {
        /// What, as the API's paths name it.
        what: String,
        /// Conditions, as KEY=VALUE.
        #[arg(long)]
        query: Vec<String>,
    },
    /// Writes the forwarding tables that are in force, for `philae simulate --routes`.
    ExportRoutes {
        /// Where to.
        #[arg(long, short)]
        output: std::path::PathBuf,
    },
    /// Every way that packets may take between two ports or NICs.
    Explain {
        /// Port or NIC.
        from: String,
        /// Port or NIC.
        to: String,
    },
    /// Changes timers and limits.
    Set {
        /// Settings, as NAME=VALUE.
        #[arg(required = true)]
        settings: Vec<String>,
    },
    /// Makes or replaces the documents in files (YAML or JSON), one after the other.
    Apply {
        /// Files; `-` is standard input.
        #[arg(required = true)]
        files: Vec<std::path::PathBuf>,
        /// Says what would change and what is wrong, and changes nothing.
        #[arg(long)]
        dry_run: bool,
    },
    /// Deletes a document.
    Delete {
        /// Kind, as paths name it: port-policies.
        kind: String,
        /// Its name.
        name: String,
    },
    /// Orders something: links/NAME drain|restore|release, switches/NAME maintenance|resume|reboot, simulation/...
    Do {
        /// What it is done to.
        what: String,
        /// What is done.
        action: String,
    },
}

/// Where a manager's state is by the custom of the system.
fn usual_state(name: &str) -> Result<std::path::PathBuf, Failure> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(std::path::PathBuf::from);
    let home = variable("XDG_STATE_HOME").or_else(|| variable("HOME").map(|home| home.join(".local/state")));
    let home = home.ok_or_else(|| bad_input("neither XDG_STATE_HOME nor HOME is set; --state DIRECTORY would work"))?;
    Ok(home.join("philae/manager").join(name))
}

fn with_simulated_switches(system: &str) -> Result<Manager, Failure> {
    let fabric = load(system).map_err(bad_input)?;
    Manager::simulated(fabric, Settings::default(), None).map_err(bad_input)
}

/// What went wrong, and the exit code that says so.
struct Failure(u8, String);

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(code, text)) => {
            eprintln!("error: {text}");
            ExitCode::from(code)
        }
    }
}

fn bad_input(error: impl ToString) -> Failure {
    Failure(2, error.to_string())
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Manager { what: Service::Serve { inventory, simulated, state, listen } } => {
            if !simulated {
                return Err(bad_input("switches of their own are not served yet; --simulated would work"));
            }
            let fabric = load(&inventory.system).map_err(bad_input)?;
            let state = state.map_or_else(|| usual_state(fabric.name()), Ok)?;
            let manager = Manager::simulated(fabric, Settings::default(), Some(&state)).map_err(bad_input)?;
            let size = manager.fabric.switch_count();
            let ready = |address: SocketAddr| {
                eprintln!("{size} simulated switches, http://{address}; try: philae fabric status");
            };
            serve(manager, listen, ready).map_err(bad_input)
        }
        Command::Manager { what: Service::Export { inventory, format, output } } => {
            export::export(&inventory.system, format, output.as_ref())
        }
        Command::Manager { what: Service::Tour { inventory } } => {
            tour::tour(with_simulated_switches(&inventory.system)?)
        }
        Command::Manager { what: Service::Measure { inventory, losses, idle, json } } => {
            measure::measure(with_simulated_switches(&inventory.system)?, losses, idle, json)
        }
        Command::Fabric { manager, what } => {
            let named = manager.or_else(|| std::env::var("PHILAE_MANAGER").ok());
            client::run(named.as_deref().unwrap_or("http://127.0.0.1:8000"), what)
        }
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Arguments::command(), "philae-manager", &mut std::io::stdout());
            Ok(())
        }
    }
}
