//! The arguments of `philae fabric`.

use std::path::PathBuf;

use clap::Subcommand;

use super::render::{AnswerFormat, Colour};

/// Options of all commands.
#[derive(clap::Args, Debug)]
pub struct ClientOptions {
    /// Address of the manager; default: the variable PHILAE_MANAGER, otherwise http://127.0.0.1:8000.
    #[arg(long, global = true, value_name = "URL", env = "PHILAE_MANAGER", default_value = "http://127.0.0.1:8000",
        value_parser = philae_manager_api::manager_url)]
    pub manager: String,
    /// A file with your token; default: the variable PHILAE_TOKEN, otherwise the token of a manager of the same user.
    #[arg(long, global = true, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Root certificates that prove a manager at an https address; default: those of a manager of the same user.
    #[arg(long, global = true, value_name = "FILE")]
    pub ca: Option<PathBuf>,
    /// Seconds without a byte of an answer after which the command gives up; 0: never.
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 30,
        value_parser = philae_console::whole::<u64>(0, 86_400))]
    pub timeout: u64,
    /// Format of the output.
    #[arg(short, long, global = true, value_enum, default_value = "table")]
    pub output: AnswerFormat,
    /// Colour the output.
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub color: Colour,
}

/// How documents are changed.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct Making {
    /// Undo the change after this many seconds unless it is confirmed (`philae fabric confirm`).
    #[arg(long, value_name = "SECONDS", value_parser = philae_console::whole::<u64>(0, u64::MAX))]
    pub confirm_within: Option<u64>,
    /// Show the changes and errors, and change nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Also if pairs of switches would lose each other.
    #[arg(long)]
    pub force: bool,
    /// Also during a freeze or outside maintenance windows: for the role admin.
    #[arg(long = "override")]
    pub overrides: bool,
}

impl Making {
    /// The options as a request's query.
    pub fn query(self) -> String {
        format!("?dryRun={}&force={}&override={}", self.dry_run, self.force, self.overrides)
    }

    /// Adds the time for a confirmation to a body.
    pub fn confirmable(self, body: &mut serde_json::Value) {
        if let Some(seconds) = self.confirm_within {
            body["confirmWithinSeconds"] = serde_json::json!(seconds);
        }
    }

    /// A line that says until when the change must be confirmed.
    pub fn note(self) -> String {
        match self.confirm_within.filter(|_| !self.dry_run) {
            Some(seconds) => format!("\nit is undone in {seconds} s unless it is confirmed: philae fabric confirm"),
            None => String::new(),
        }
    }
}

/// The command.
#[derive(Subcommand, Debug)]
pub enum FabricCommand {
    /// Show the health of the fabric, and of each problem: place, start, cause and next step.
    #[command(
        after_help = "Exit codes with --check: 0 HEALTHY, 3 CONVERGING, 4 DEGRADED, 5 UNHEALTHY, by the worst of the four \
words.\nWithout it the exit code is always 0."
    )]
    Status {
        /// The exit code follows the worst of the four words.
        #[arg(long)]
        check: bool,
    },
    /// List events of the fabric, the oldest first: switches, links, NICs, alarms, operations,
    /// changes of documents.
    #[command(after_help = "Examples:
  philae fabric events --since 2h
  philae fabric events --since 7d --types alarm,link
  philae fabric events --since 30min -o json")]
    Events {
        /// How far back: seconds, or a number with s, min, h or d.
        #[arg(long, default_value = "24h", value_name = "TIME")]
        since: String,
        /// Only these types, separated by commas: device, link, nic, alarm, operation, fenced, manager, document.
        #[arg(long)]
        types: Option<String>,
        /// Number of events, the newest.
        #[arg(long, default_value_t = 2_000, value_parser = philae_console::whole::<usize>(0, usize::MAX as u64))]
        limit: usize,
    },
    /// Show switches, ports, links, nics, alarms, flaps, routes/SWITCH, traffic, settings,
    /// operations, or documents such as port-policies. Without a name: list everything that can be
    /// shown.
    Show {
        /// The kind, as in the paths of the API.
        what: Option<String>,
        /// A name: `show switches x1000c0r1b0` is `show switches/x1000c0r1b0`.
        name: Option<String>,
        /// Conditions, as KEY=VALUE: state=degraded, name=x1001c*r*b0.
        #[arg(long, short)]
        query: Vec<String>,
        /// Most lines of a list.
        #[arg(long, default_value_t = 1_000, value_parser = philae_console::whole::<usize>(0, usize::MAX as u64))]
        limit: usize,
        /// Also unused ports.
        #[arg(long)]
        all: bool,
    },
    /// Explain the state of a port, switch or document, or every path between two ports or NICs.
    #[command(after_help = "Examples:
  philae fabric explain x1000c0r1a0l31
      desired state of the port, and the document that sets it
  philae fabric explain x1000c0s0b0n0h0 x1004c0s0b0n0h0
      every path between two NICs
  philae fabric explain port-policies/quiet
      places of a policy, and what overrides it")]
    Explain {
        /// Port, NIC, switch, or KIND/NAME of a document.
        from: String,
        /// Port or NIC: show the paths from the first to this one.
        to: Option<String>,
    },
    /// Show the losses if these failed: computed and proven on a copy; nothing changes.
    #[command(after_help = "Examples:
  philae fabric what-if x1000c0r1a0l31
  philae fabric what-if x1000c0r1b0 x1000c0r3b0
  philae fabric what-if 'x1003c0r*b0'
  philae fabric what-if --group 3 -o json")]
    WhatIf {
        /// Ports of links, or switches, or patterns of their names, as `drain` takes them.
        names: Vec<String>,
        /// A link, by one of its ports. Can be repeated, as all of these.
        #[arg(long = "link", value_name = "PORT")]
        links: Vec<String>,
        /// A switch with all its links.
        #[arg(long = "switch", value_name = "SWITCH")]
        switches: Vec<String>,
        /// All switches of a group.
        #[arg(long = "group", value_name = "NUMBER", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
        groups: Vec<u32>,
    },
    /// Take links out of service, or all links of switches; shows the cost first.
    Drain {
        /// Ports of links, or switches, or patterns of their names; links/NAME and switches/NAME
        /// mean the same.
        #[arg(required = true)]
        names: Vec<String>,
        /// Also if pairs of switches would lose each other.
        #[arg(long)]
        force: bool,
    },
    /// Return drained links to service.
    Restore {
        /// Ports of links, or switches.
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Show the busiest ports, if switches report counters.
    Top {
        /// Number of ports.
        #[arg(default_value_t = 20, value_parser = philae_console::whole::<usize>(0, usize::MAX as u64))]
        count: usize,
        /// Repeat after this many seconds, until interrupted.
        #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "1", value_parser = philae_console::whole::<u64>(0, u64::MAX))]
        watch: Option<u64>,
    },
    /// Send counters of a simulation to the manager (`philae simulate --live` uses it): lines of JSON from standard input.
    #[command(hide = true)]
    Feed,
    /// Change timers and limits.
    Set {
        /// Settings, as NAME=VALUE.
        #[arg(required = true)]
        settings: Vec<String>,
    },
    /// Create or replace the documents in files (YAML or JSON).
    #[command(after_help = "Examples:
  philae fabric apply policies.yaml --dry-run
  philae fabric apply policies.yaml --confirm-within 300; philae fabric confirm")]
    Apply {
        /// Files; `-` is standard input.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// How the change is made.
        #[command(flatten)]
        how: Making,
    },
    /// Show what `apply` would change, field by field, and refuse what `apply` refuses. Exit code
    /// 1: there are differences; 2: refused.
    Diff {
        /// Files; `-` is standard input.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Print the documents in the form for `apply`, always in the same order, for a repository.
    /// Tokens and role bindings are left out, because they belong to this manager.
    Export {
        /// Only these kinds, such as port-policies.
        kinds: Vec<String>,
        /// All kinds, including tokens (their hashes) and role bindings.
        #[arg(long, conflicts_with = "kinds")]
        all: bool,
    },
    /// Delete a document.
    Delete {
        /// Kind, as in paths: port-policies.
        kind: String,
        /// Its name.
        name: String,
        /// How the change is made.
        #[command(flatten)]
        how: Making,
    },
    /// Print changes as they happen, until interrupted: documents, devices, links, tables, alarms, operations.
    #[command(after_help = "Examples:
  philae fabric watch
  philae fabric watch --types device,link,alarm
  philae fabric watch --types document --from 120 -o json")]
    Watch {
        /// Only these types, separated by commas: document, device, link, nic, tables, alarm, operation, fenced,
        /// manager.
        #[arg(long)]
        types: Option<String>,
        /// Documents' changes after this revision; absent: from now on.
        #[arg(long, value_name = "REVISION", value_parser = philae_console::whole::<u64>(0, u64::MAX))]
        from: Option<u64>,
    },
    /// Show the history of a document: time, actor and fields of each change.
    History {
        /// Kind, as in paths: port-policies.
        kind: String,
        /// Its name.
        name: String,
        /// Most changes, the newest first.
        #[arg(long, default_value_t = 20, value_parser = philae_console::whole::<usize>(0, usize::MAX as u64))]
        limit: usize,
    },
    /// Show the differences of two revisions, field by field.
    Changes {
        /// A revision.
        from: u64,
        /// Another revision; absent: the newest.
        to: Option<u64>,
    },
    /// List changes and orders with their actors, the newest first.
    Audit {
        /// Most entries.
        #[arg(long, default_value_t = 20, value_parser = philae_console::whole::<usize>(0, usize::MAX as u64))]
        limit: usize,
        /// Conditions, as KEY=VALUE: actor=slurm, kind=port-policies, outcome=refused.
        #[arg(long, short)]
        query: Vec<String>,
    },
    /// Restore the documents of a revision, as one change.
    #[command(after_help = "Examples:
  philae fabric audit                                    which revision
  philae fabric changes 41                               what has changed since
  philae fabric rollback 41 --dry-run
  philae fabric rollback 41 --confirm-within 300; philae fabric confirm")]
    Rollback {
        /// The revision.
        revision: u64,
        /// How the change is made.
        #[command(flatten)]
        how: Making,
    },
    /// Confirm the pending change; an unconfirmed change is undone automatically.
    Confirm {
        /// Undo it now instead.
        #[arg(long)]
        undo: bool,
    },
    /// Write the manager's whole store to a file, for `philae manager restore`.
    Backup {
        /// The file to write; it must not exist.
        file: PathBuf,
        /// File with a passphrase that seals the fabric's certificate authority and keys; absent: a
        /// new one in FILE.passphrase.
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,
        /// Only documents: after a restore all agents must join again.
        #[arg(long, conflicts_with = "passphrase_file")]
        without_keys: bool,
    },
    /// Write a tar file for support: status, alarms, switches, links, audit, documents.
    Support {
        /// The file to write; it must not exist.
        file: PathBuf,
    },
    /// Run an action on a link or a switch, such as release or reboot. A name alone is enough if it is unique.
    #[command(after_help = "Actions:
  links/PORT                 release, drain, restore
  switches/SWITCH            maintenance, resume, reboot, drain, restore
Only with simulated switches, to rehearse a failure:
  simulation/links/PORT      cut, mend, exchange/PORT
  simulation/switches/SWITCH off, on, firmware/HOW (upgrades, dies, ...)
  simulation/ports/PORT      pause, unpause
Examples:
  philae fabric do x1000c0r1b0 maintenance
  philae fabric do simulation/links/x1000c0r1a0l31 cut")]
    Do {
        /// The object of the action.
        what: String,
        /// The action.
        action: String,
    },
    /// Manage firmware of switches: desired and running versions, and rollouts in waves.
    #[command(after_help = "A switch-policy sets the desired firmware:
  kind: switch-policy
  name: firmware
  spec: {selector: '', settings: {firmware: 2.2.0}}
Examples:
  philae fabric firmware                 desired, running, the rollout
  philae fabric firmware switches -q state=differs
  philae fabric firmware start --dry-run
      which switches would begin, and which wait
  philae fabric firmware start --at-once 10% --failures-max 2
  philae fabric firmware start --switches 'group in (1-4)' --soak-seconds 300
  philae fabric firmware pause; philae fabric firmware resume
  philae fabric firmware resume --retry  retry failed switches, at any time
  philae fabric firmware abort")]
    Firmware {
        /// What to do with firmware; absent: show it.
        #[command(subcommand)]
        what: Option<FirmwareCommand>,
    },
    /// Manage certificates of agents and manager: list, rotate, revoke, join tokens.
    #[command(after_help = "Examples:
  philae fabric certificates  all valid ones, in order of their end
  philae fabric certificates join --switches 'x1000c*r*b0' join.token
  philae fabric certificates rotate; philae fabric certificates retire
  philae fabric certificates revoke 5c0f...")]
    Certificates {
        /// What to do with certificates; absent: list them.
        #[command(subcommand)]
        what: Option<Certificates>,
    },
    /// Manage tokens of users and programs: list, make, revoke.
    #[command(after_help = "Examples:
  philae fabric tokens
  philae fabric tokens make slurm --role wlm --days 365 -f slurm.token
  philae fabric tokens revoke slurm")]
    Tokens {
        /// What to do with tokens; absent: list them.
        #[command(subcommand)]
        what: Option<TokenCommand>,
    },
    /// Make the standby at --manager the leader; the current leader steps down first, if it can be reached.
    Takeover {
        /// Also if this standby lacks acknowledged changes, which are then lost.
        #[arg(long)]
        accept_loss: bool,
    },
    /// Show the clock that leases end by, or accept the wall clock after a jump.
    Clock {
        /// `accept`: the present wall clock is right.
        #[arg(value_parser = ["accept"])]
        what: Option<String>,
    },
    /// Show or set the log level of the manager: error, warn, info, debug.
    Log {
        /// The new level.
        level: Option<String>,
    },
    /// Write the active forwarding tables to a file, for `philae simulate --routes`.
    ExportRoutes {
        /// Where to.
        file: PathBuf,
    },
}

/// The action on firmware.
#[derive(Subcommand, Debug)]
pub enum FirmwareCommand {
    /// Show desired and running firmware, versions of agents and managers, and the newest rollout.
    Status,
    /// List the firmware of each switch.
    Switches {
        /// Conditions, as KEY=VALUE: state=differs, group=3.
        #[arg(long, short)]
        query: Vec<String>,
        /// Most lines.
        #[arg(long, default_value_t = 1_000, value_parser = philae_console::whole::<usize>(0, usize::MAX as u64))]
        limit: usize,
    },
    /// Upgrade switches to the desired firmware, in waves. Each switch is drained, upgraded,
    /// watched and returned to service.
    Start(RolloutArguments),
    /// Begin no more switches; those in progress finish.
    Pause,
    /// Continue a paused or halted rollout.
    Resume {
        /// Retry switches that failed.
        #[arg(long)]
        retry: bool,
    },
    /// End the rollout; switches that have begun their upgrade finish.
    Abort,
}

/// Options of a rollout.
#[derive(clap::Args, Debug)]
pub struct RolloutArguments {
    /// Switches, as a selector such as `group in (1-4)`; absent: all.
    #[arg(long, default_value = "", value_name = "SELECTOR", hide_default_value = true)]
    pub switches: String,
    /// Most switches in progress at the same time: a number, or a share of the rollout's switches such as 10%.
    #[arg(long, default_value = "1", value_name = "NUMBER|PERCENT")]
    pub at_once: String,
    /// Most switches of a group that are in progress or unavailable for another reason.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    pub per_group: u32,
    /// Canary: most switches in progress until this many run the new version.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    pub first_wave: u32,
    /// Failures after which the rollout halts.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    pub failures_max: u32,
    /// Time for which a switch is watched before it counts as done.
    #[arg(long, default_value_t = 10, value_name = "SECONDS", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    pub soak_seconds: u32,
    /// Time limit of each step of a switch.
    #[arg(long, default_value_t = 1_200, value_name = "SECONDS", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    pub timeout_seconds: u32,
    /// Time without progress after which the rollout raises an alarm.
    #[arg(long, default_value_t = 3_600, value_name = "SECONDS", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    pub alarm_seconds: u32,
    /// Also switches that are the only path of others, and switches whose NICs are leased to jobs.
    #[arg(long)]
    pub force: bool,
    /// Show which switches would begin and which wait, and change nothing.
    #[arg(long)]
    pub dry_run: bool,
}

/// The action on certificates.
#[derive(Subcommand, Debug)]
pub enum Certificates {
    /// Create a new root that signs from now on, and ask agents to renew.
    Rotate,
    /// Stop trusting old roots.
    Retire {
        /// Also if agents have not renewed; they are then refused.
        #[arg(long)]
        force: bool,
    },
    /// Revoke a certificate, and close its connections.
    Revoke {
        /// Its serial number.
        serial: String,
    },
    /// Write a single-use token with which an agent gets its first certificate, and the roots that prove the manager to it.
    Join {
        /// Switches that the agent may control: a name, or a pattern in which `*` is a number.
        #[arg(long)]
        switches: String,
        /// Lifetime of the token, minutes.
        #[arg(long, default_value_t = 60, value_parser = philae_console::whole::<u64>(0, u64::MAX))]
        minutes: u64,
        /// The file to write; only its owner can read it.
        file: PathBuf,
    },
}

/// The action on tokens.
#[derive(Subcommand, Debug)]
pub enum TokenCommand {
    /// Make a token with a role; it is shown only once.
    Make {
        /// Its name, for the record of changes.
        name: String,
        /// guest, operator, security, wlm, standby or admin.
        #[arg(long)]
        role: String,
        /// Limit the role to the documents of a tenant.
        #[arg(long)]
        tenant: Option<String>,
        /// Purpose of the token.
        #[arg(long, default_value = "")]
        description: String,
        /// Lifetime, days.
        #[arg(long, default_value_t = 90, value_parser = philae_console::whole::<u64>(0, u64::MAX))]
        days: u64,
        /// Write it to this file instead of the screen; only its owner can read it.
        #[arg(long, short)]
        file: Option<PathBuf>,
    },
    /// Revoke a token.
    Revoke {
        /// Its name.
        name: String,
    },
}
