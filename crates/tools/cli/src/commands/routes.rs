//! `philae routes`.

use crate::arguments::{CommonOptions, RoutesArguments};
use crate::failure::CommandFailure;
use crate::output;
use philae_results::format::count;
use philae_results::text::bold;
use philae_route_tables::{Parameters, RoutePlan, RoutesFile, VerifyReport, verify};
use philae_scenario::{RoutesSection, System, routes_without};
use philae_topology::read_input;
use philae_units::SwitchId;
use serde_json::json;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

/// The most dead links and similar items that are named individually.
const NAMED: usize = 8;

/// Computes or reads tables, proves them, and prints a summary.
pub fn run(arguments: &RoutesArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let (system, plan, mut checksum) = match &arguments.check {
        Some(file) => checked(arguments, file, shared)?,
        None => {
            let name = arguments.system.as_deref().unwrap_or_default();
            let system = System::load(name).map_err(CommandFailure::input)?;
            shared.warn(&system.description.warnings);
            let parameters = Parameters { legs: arguments.classes };
            let plan = routes_without(&system.topology, &arguments.down, parameters).map_err(CommandFailure::input)?;
            (system.description.name.clone(), plan, None)
        }
    };
    if let (Some(check), Some(output)) = (&arguments.check, &arguments.output) {
        crate::documents::check_apart(&[check], &[output])?;
    }
    let report = verify(&plan).map_err(|error| {
        let whose = arguments.check.as_deref().map_or_else(|| system.clone(), |file| format!("'{}'", file.display()));
        CommandFailure::run(format!("the routes of {whose} must not be used: {error}"))
    })?;
    if let Some(path) = &arguments.output {
        let bytes = RoutesFile::write(&plan, &system);
        checksum = RoutesFile::read(&bytes).ok().map(|file| file.checksum);
        crate::documents::write(path, &bytes)?;
        shared.note(&format!("wrote '{}': {} bytes", path.display(), count(bytes.len() as u64)));
    }
    let summary = Summary { system, plan: &plan, report, checksum };
    match shared.writes_only(arguments.output.is_some()) {
        _ if shared.json => output::print_json(&summary.json()),
        true => Ok(ExitCode::SUCCESS),
        false => output::print(&summary.text(shared.colour())),
    }
}

/// The tables of a file, for the named system or the one that the file names.
fn checked(
    arguments: &RoutesArguments,
    file: &Path,
    shared: &CommonOptions,
) -> Result<(String, RoutePlan, Option<u64>), CommandFailure> {
    let named = match &arguments.system {
        Some(name) => name.clone(),
        None => {
            let bytes = read_input(file).map_err(|error| {
                CommandFailure::input(format!("cannot read the routes '{}': {error}", file.display()))
            })?;
            let read = RoutesFile::read(&bytes).map_err(|error| {
                CommandFailure::input(format!("cannot use the routes '{}': {error}", file.display()))
            })?;
            read.system
        }
    };
    let system = System::load(&named).map_err(|error| match &arguments.system {
        Some(_) => CommandFailure::input(error),
        None => CommandFailure::input(format!(
            "{error}\nthe routes were made for that system: `philae routes SYSTEM --check {}` says where it is described",
            file.display()
        )),
    })?;
    shared.warn(&system.description.warnings);
    let loaded = RoutesSection::new(file).read(&system.topology).map_err(CommandFailure::input)?;
    let checksum = u64::from_str_radix(&loaded.checksum, 16).ok();
    Ok((loaded.system, loaded.plan, checksum))
}

/// The summary of tables.
struct Summary<'a> {
    system: String,
    plan: &'a RoutePlan,
    report: VerifyReport,
    /// The checksum of the file, if there is one.
    checksum: Option<u64>,
}

impl Summary<'_> {
    fn dead(&self) -> Vec<String> {
        let wiring = self.plan.wiring();
        let name = |port| {
            let (switch, number) = wiring.split(port);
            format!("switch:{switch}/port:{number}")
        };
        self.plan.dead_links().map(name).collect()
    }

    fn own_entries(&self) -> Vec<(SwitchId, bool)> {
        self.plan.tables().own_entries().collect()
    }

    /// Channel classes that routes use, including the one reserved for routes up and down a tree.
    fn classes(&self) -> u8 {
        self.report.legs + u8::from(self.report.up_down > 0)
    }

    fn json(&self) -> serde_json::Value {
        let wiring = self.plan.wiring();
        let own_entries: Vec<u32> = self.own_entries().iter().map(|(switch, _)| switch.0).collect();
        json!({
            "system": self.system,
            "wiring": format!("{:016x}", wiring.hash()),
            "checksum": self.checksum.map(|checksum| format!("{checksum:016x}")),
            "generation": self.plan.generation().0,
            "switches": wiring.switch_count(),
            "links": wiring.links().count(),
            "dead_links": self.dead(),
            "entries": self.report.entries,
            "candidates": self.report.candidates,
            "channel_classes": self.classes(),
            "channel_classes_max": self.plan.parameters().legs,
            "pairs_without_direct_link": self.plan.pairs_without_direct_link().count(),
            "indirect_group_pairs": self.report.indirect_pairs,
            "unreachable_switch_pairs": self.report.unreachable_pairs,
            "switches_with_own_entries": own_entries,
            "up_down_switches": self.report.up_down,
            "verified": true,
        })
    }

    fn text(&self, colour: bool) -> String {
        let (plan, report) = (self.plan, &self.report);
        let wiring = plan.wiring();
        let whole = |value: usize| count(value as u64);
        let dead = self.dead();
        let links = match dead.len() {
            0 => format!("{}, all of them up", whole(wiring.links().count())),
            _ => format!("{}, {} of them dead: {}", whole(wiring.links().count()), whole(dead.len()), few(&dead)),
        };
        let own: Vec<String> = self.own_entries().iter().map(|(switch, _)| switch.to_string()).collect();
        let own = match own.len() {
            0 => "none".to_owned(),
            _ => format!(
                "{}: {}; {} reached by up/down routing on a tree",
                whole(own.len()),
                few(&own),
                count(report.up_down)
            ),
        };
        let pairs = plan.pairs_without_direct_link().count();
        let facts = [
            ("switches", whole(wiring.switch_count())),
            ("links between switches", links),
            ("entries", format!("{}, with {} candidates", count(report.entries), count(report.candidates))),
            ("channel classes", format!("{} of {}", self.classes(), plan.parameters().legs)),
            (
                "indirect pairs",
                format!("{} of groups, ordered; {} without a direct link", count(report.indirect_pairs), whole(pairs)),
            ),
            ("unreachable pairs", format!("{} of switches, ordered", count(report.unreachable_pairs))),
            ("switches with own entries", own),
            ("wiring", format!("{:016x}", wiring.hash())),
        ];
        let checksum = self.checksum.map(|checksum| ("checksum", format!("{checksum:016x}")));
        let proof = "every live path has an entry, none leads over a dead link or back, no cycle of channels";
        let rest = [("generation", plan.generation().0.to_string()), ("proof", proof.to_owned())];
        let facts: Vec<(&str, String)> = facts.into_iter().chain(checksum).chain(rest).collect();
        let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let mut out = format!("{}: forwarding tables\n\n", bold(&self.system, colour));
        for (name, value) in facts {
            let _ = writeln!(out, "{name:width$}  {value}");
        }
        out
    }
}

/// The first items of a list, and the number of further ones.
fn few(names: &[String]) -> String {
    let first = names[..names.len().min(NAMED)].join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
