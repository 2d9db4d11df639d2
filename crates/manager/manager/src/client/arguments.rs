//! The arguments of `philae fabric`.

use std::path::PathBuf;

use clap::Subcommand;

use super::render::{Colour, Format};

/// Options of all commands.
#[derive(clap::Args, Debug)]
pub struct Options {
    /// Where the manager listens; else what the variable PHILAE_MANAGER says, else http://127.0.0.1:8000.
    #[arg(long, global = true, value_name = "URL", env = "PHILAE_MANAGER", default_value = "http://127.0.0.1:8000",
        value_parser = crate::address::manager_url)]
    pub manager: String,
    /// A file with the token that says who you are; else the variable PHILAE_TOKEN, else what the manager of the same user keeps.
    #[arg(long, global = true, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Roots that prove a manager at an https address; else what the manager of the same user keeps.
    #[arg(long, global = true, value_name = "FILE")]
    pub ca: Option<PathBuf>,
    /// Seconds without any byte of an answer after which the manager counts as gone; 0: never.
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 30,
        value_parser = philae_console::whole::<u64>(0, 86_400))]
    pub timeout: u64,
    /// How answers are printed.
    #[arg(short, long, global = true, value_enum, default_value = "table")]
    pub output: Format,
    /// When output is coloured.
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub color: Colour,
}

/// How documents are changed.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct Making {
    /// It is undone by itself unless it is confirmed (`philae fabric confirm`) within so many
    /// seconds.
    #[arg(long, value_name = "SECONDS")]
    pub confirm_within: Option<u64>,
    /// Says what would change and what is wrong, and changes nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Also where pairs of switches lose each other.
    #[arg(long)]
    pub force: bool,
    /// Also while a freeze is open or no maintenance window is: for the role admin.
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

/// What is asked or ordered.
#[derive(Subcommand, Debug)]
pub enum Fabric {
    /// Is the fabric well, and if not: where, since when, why, and what to do next.
    #[command(
        after_help = "Exit codes with --check: 0 HEALTHY, 3 CONVERGING, 4 DEGRADED, 5 UNHEALTHY, by the worst of the four \
words.\nWithout it the exit code is 0 whatever the words are."
    )]
    Status {
        /// The exit code follows the worst of the four words.
        #[arg(long)]
        check: bool,
    },
    /// What happened in the fabric, the oldest first: switches, links, NICs, alarms, operations,
    /// changes of documents.
    #[command(after_help = "Examples:
  philae fabric events --since 2h
  philae fabric events --since 7d --types alarm,link
  philae fabric events --since 30min -o json")]
    Events {
        /// How far back: seconds, or a number with s, min, h or d.
        #[arg(long, default_value = "24h", value_name = "TIME")]
        since: String,
        /// Only these, with commas: device, link, nic, alarm, operation, fenced, manager, document.
        #[arg(long)]
        types: Option<String>,
        /// The newest so many.
        #[arg(long, default_value_t = 2_000)]
        limit: usize,
    },
    /// Shows switches, ports, links, nics, alarms, flaps, routes/SWITCH, traffic, settings,
    /// operations, or documents such as port-policies. Without a name it lists all that can be
    /// shown.
    Show {
        /// What, as the API's paths name it.
        what: Option<String>,
        /// A name: `show switches x1000c0r1b0` is `show switches/x1000c0r1b0`.
        name: Option<String>,
        /// Conditions, as KEY=VALUE: state=degraded, name=x1001c*r*b0.
        #[arg(long, short)]
        query: Vec<String>,
        /// Most lines of a list.
        #[arg(long, default_value_t = 1_000)]
        limit: usize,
        /// Unused ports, too.
        #[arg(long)]
        all: bool,
    },
    /// Why something is as it is: a port, or every way between two ports or NICs.
    #[command(after_help = "Examples:
  philae fabric explain x1000c0r1a0l31                          what the port is to be, and which document says so
  philae fabric explain x1000c0s0b0n0h0 x1004c0s0b0n0h0         every way between two NICs
  philae fabric explain port-policies/quiet                     where a policy is applied, and what overrides it")]
    Explain {
        /// Port, NIC, switch, or KIND/NAME of a document.
        from: String,
        /// Port or NIC: the ways from the first to this one.
        to: Option<String>,
    },
    /// What would be lost if these failed: computed and proven on a copy, nothing changes.
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
        #[arg(long = "group", value_name = "NUMBER")]
        groups: Vec<u32>,
    },
    /// Takes links out of service, or all links of switches; shows first what that costs.
    Drain {
        /// Ports of links, or switches, or patterns of their names; links/NAME and switches/NAME
        /// mean the same.
        #[arg(required = true)]
        names: Vec<String>,
        /// Also where pairs of switches lose each other.
        #[arg(long)]
        force: bool,
    },
    /// Gives drained links back.
    Restore {
        /// Ports of links, or switches.
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// The busiest ports, where switches report counters.
    Top {
        /// How many.
        #[arg(default_value_t = 20)]
        count: usize,
        /// Again each so many seconds, until it is told to end.
        #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "1")]
        watch: Option<u64>,
    },
    /// Carries counters of a simulation to the manager (`philae simulate --live` does it): lines of JSON from standard input.
    #[command(hide = true)]
    Feed,
    /// Changes timers and limits.
    Set {
        /// Settings, as NAME=VALUE.
        #[arg(required = true)]
        settings: Vec<String>,
    },
    /// Makes or replaces the documents in files (YAML or JSON).
    #[command(after_help = "Examples:
  philae fabric apply policies.yaml --dry-run
  philae fabric apply policies.yaml --confirm-within 300; philae fabric confirm")]
    Apply {
        /// Files; `-` is standard input.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        how: Making,
    },
    /// Says what `apply` would change, field by field, and refuses what `apply` refuses. Exit code
    /// 1: something differs; 2: it is refused.
    Diff {
        /// Files; `-` is standard input.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Prints the documents, as `apply` takes them: always in the same order, for a repository.
    /// Tokens and role bindings say who may do what here; they are left out.
    Export {
        /// Only these kinds, such as port-policies.
        kinds: Vec<String>,
        /// All kinds, tokens (their hashes) and role bindings too.
        #[arg(long, conflicts_with = "kinds")]
        all: bool,
    },
    /// Deletes a document.
    Delete {
        /// Kind, as paths name it: port-policies.
        kind: String,
        /// Its name.
        name: String,
        #[command(flatten)]
        how: Making,
    },
    /// Says what changes, as it happens, until it is told to end: documents, devices, links, tables, alarms, operations.
    #[command(after_help = "Examples:
  philae fabric watch
  philae fabric watch --types device,link,alarm
  philae fabric watch --types document --from 120 -o json")]
    Watch {
        /// Only these, with commas: document, device, link, nic, tables, alarm, operation, fenced,
        /// manager.
        #[arg(long)]
        types: Option<String>,
        /// Documents' changes after this revision; absent: from now on.
        #[arg(long, value_name = "REVISION")]
        from: Option<u64>,
    },
    /// What became of a document: when, by whom, field by field.
    History {
        /// Kind, as paths name it: port-policies.
        kind: String,
        /// Its name.
        name: String,
        /// Most changes, the newest first.
        #[arg(long, default_value_t = 20)]
        limit: usize,
    },
    /// What differs between two revisions, field by field.
    Changes {
        /// A revision.
        from: u64,
        /// Another one; absent: the newest.
        to: Option<u64>,
    },
    /// Who did what, the newest first.
    Audit {
        /// Most entries.
        #[arg(long, default_value_t = 20)]
        limit: usize,
        /// Conditions, as KEY=VALUE: actor=slurm, kind=port-policies, outcome=refused.
        #[arg(long, short)]
        query: Vec<String>,
    },
    /// Makes documents as they were at a revision, as one change.
    #[command(after_help = "Examples:
  philae fabric audit                                    which revision
  philae fabric changes 41                               what has changed since
  philae fabric rollback 41 --dry-run
  philae fabric rollback 41 --confirm-within 300; philae fabric confirm")]
    Rollback {
        /// The revision.
        revision: u64,
        #[command(flatten)]
        how: Making,
    },
    /// Confirms the change that waits for it; without that it is taken back by itself.
    Confirm {
        /// Takes it back now instead.
        #[arg(long)]
        undo: bool,
    },
    /// Writes all that the manager keeps into a file, for `philae manager restore`.
    Backup {
        /// Where to; it must not be there.
        file: PathBuf,
        /// A passphrase that seals the fabric's authority and keys; absent: one is made, in
        /// FILE.passphrase.
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,
        /// Documents alone: after a restore all agents have to join anew.
        #[arg(long, conflicts_with = "passphrase_file")]
        without_keys: bool,
    },
    /// Writes what somebody who is asked for help wants to see into a tar file: status, alarms, switches, links, audit, documents.
    Support {
        /// Where to; it must not be there.
        file: PathBuf,
    },
    /// Orders something of a link or a switch. Of a name alone it is found out what it is.
    #[command(after_help = "What can be done:
  links/PORT                 release, drain, restore
  switches/SWITCH            maintenance, resume, reboot, drain, restore
Only where switches are simulated, to rehearse a failure:
  simulation/links/PORT      cut, mend, exchange/PORT
  simulation/switches/SWITCH off, on, firmware/HOW (upgrades, dies, ...)
  simulation/ports/PORT      pause, unpause
Examples:
  philae fabric do x1000c0r1b0 maintenance
  philae fabric do simulation/links/x1000c0r1a0l31 cut")]
    Do {
        /// What it is done to.
        what: String,
        /// What is done.
        action: String,
    },
    /// Firmware of switches: what is wanted and what runs, and rollouts in waves.
    #[command(after_help = "A switch-policy says which firmware is wanted:
  kind: switch-policy
  name: firmware
  spec: {selector: '', settings: {firmware: 2.2.0}}
Examples:
  philae fabric firmware                                             wanted, running, the rollout
  philae fabric firmware switches -q state=differs
  philae fabric firmware start --dry-run                             what would begin, and what waits
  philae fabric firmware start --at-once 10% --failures-max 2
  philae fabric firmware start --switches 'group in (1-4)' --soak-seconds 300
  philae fabric firmware pause; philae fabric firmware resume
  philae fabric firmware resume --retry                              tries those that failed again, at any time
  philae fabric firmware abort")]
    Firmware {
        #[command(subcommand)]
        what: Option<Firmware>,
    },
    /// Certificates of agents and manager: lists them, rotates, revokes, lets agents join.
    #[command(after_help = "Examples:
  philae fabric certificates                                         all that count, those that end first first
  philae fabric certificates join --switches 'x1000c*r*b0' join.token
  philae fabric certificates rotate; philae fabric certificates retire
  philae fabric certificates revoke 5c0f...")]
    Certificates {
        #[command(subcommand)]
        what: Option<Certificates>,
    },
    /// Tokens of people and programs: lists them, makes and revokes them.
    #[command(after_help = "Examples:
  philae fabric tokens
  philae fabric tokens make slurm --role wlm --days 365 -f slurm.token
  philae fabric tokens revoke slurm")]
    Tokens {
        #[command(subcommand)]
        what: Option<Tokens>,
    },
    /// The standby that is asked leads from now on; the manager that leads steps down first, if it can be reached.
    Takeover {
        /// Also where this standby lacks changes that were acknowledged: they are lost.
        #[arg(long)]
        accept_loss: bool,
    },
    /// Shows the time that leases end by; accepts the wall clock's after a jump.
    Clock {
        /// `accept`: the wall clock of now is right.
        #[arg(value_parser = ["accept"])]
        what: Option<String>,
    },
    /// Says how much the manager writes down, or changes it: error, warn, info, debug.
    Log {
        /// The new level.
        level: Option<String>,
    },
    /// Writes the forwarding tables that are in force, for `philae simulate --routes`.
    ExportRoutes {
        /// Where to.
        file: PathBuf,
    },
}

/// What is done with firmware.
#[derive(Subcommand, Debug)]
pub enum Firmware {
    /// What is wanted, what runs, versions of agents and managers, the newest rollout.
    Status,
    /// Switch by switch.
    Switches {
        /// Conditions, as KEY=VALUE: state=differs, group=3.
        #[arg(long, short)]
        query: Vec<String>,
        /// Most lines.
        #[arg(long, default_value_t = 1_000)]
        limit: usize,
    },
    /// Brings switches to the firmware that documents want, in waves. Each switch is drained, upgraded,
    /// watched and given back.
    Start(Rollout),
    /// Begins no more switches; those in work are finished.
    Pause,
    /// Goes on with a rollout that is paused or halted.
    Resume {
        /// Switches that failed are tried again.
        #[arg(long)]
        retry: bool,
    },
    /// Ends the rollout; switches that were told to upgrade are finished.
    Abort,
}

/// How a rollout goes.
#[derive(clap::Args, Debug)]
pub struct Rollout {
    /// Which switches, as a selector such as `group in (1-4)`; absent: all.
    #[arg(long, default_value = "", value_name = "SELECTOR", hide_default_value = true)]
    pub switches: String,
    /// Most switches in work at once: a number, or a share of the rollout's switches such as 10%.
    #[arg(long, default_value = "1", value_name = "NUMBER|PERCENT")]
    pub at_once: String,
    /// Most switches of a group that are in work or unavailable for another reason.
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    pub per_group: u32,
    /// Most switches in work until so many run a version.
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    pub first_wave: u32,
    /// Failures after which no more switches are begun.
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    pub failures_max: u32,
    /// How long a switch is watched before it counts as done.
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    pub soak_seconds: u32,
    /// How long each step of a switch may take.
    #[arg(long, default_value_t = 1_200, value_name = "SECONDS")]
    pub timeout_seconds: u32,
    /// How long a rollout may make no progress before that is an alarm.
    #[arg(long, default_value_t = 3_600, value_name = "SECONDS")]
    pub alarm_seconds: u32,
    /// Also switches without which others have no way, and switches whose NICs are leased to jobs.
    #[arg(long)]
    pub force: bool,
    /// Says what would begin and what waits, and changes nothing.
    #[arg(long)]
    pub dry_run: bool,
}

/// What is done with certificates.
#[derive(Subcommand, Debug)]
pub enum Certificates {
    /// A new root signs from now on; agents are asked to renew.
    Rotate,
    /// Old roots are believed no more.
    Retire {
        /// Also where agents have not renewed: they are refused from then on.
        #[arg(long)]
        force: bool,
    },
    /// Refuses a certificate from now on, and closes what it speaks on.
    Revoke {
        /// Its serial number.
        serial: String,
    },
    /// Writes a token with which an agent gets its first certificate, once, and the roots that prove the manager to it.
    Join {
        /// Switches that the agent may speak for: a name, or a pattern in which `*` is a number.
        #[arg(long)]
        switches: String,
        /// How long the token counts, minutes.
        #[arg(long, default_value_t = 60)]
        minutes: u64,
        /// Where to; only its owner can read it.
        file: PathBuf,
    },
}

/// What is done with tokens.
#[derive(Subcommand, Debug)]
pub enum Tokens {
    /// Makes a token with a role; it is shown this once.
    Make {
        /// Its name, for the record of changes.
        name: String,
        /// guest, operator, security, wlm, standby or admin.
        #[arg(long)]
        role: String,
        /// Limits the role to the documents of a tenant.
        #[arg(long)]
        tenant: Option<String>,
        /// What it is for.
        #[arg(long, default_value = "")]
        description: String,
        /// How long it counts, days.
        #[arg(long, default_value_t = 90)]
        days: u64,
        /// Where to, in place of the screen; only its owner can read it.
        #[arg(long, short)]
        file: Option<PathBuf>,
    },
    /// Revokes a token.
    Revoke {
        /// Its name.
        name: String,
    },
}
