//! `philae nic`: the software NICs of this host.

mod bench;

use crate::arguments::{CommonOptions, NicArguments, NicCommand, StatArguments};
use crate::failure::CommandFailure;
use crate::output;
use philae_provider::census::{HostEndpoint, Owner, PeerPath, clean, endpoints};
use philae_results::format::bytes;
use philae_results::text::table;
use philae_units::counted;
use std::collections::BTreeMap;
use std::process::ExitCode;

/// Runs one of the subcommands.
pub fn run(arguments: &NicArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    match &arguments.what {
        NicCommand::Stat(arguments) => stat(arguments, shared),
        NicCommand::Bench(arguments) => bench::run(arguments, shared),
        NicCommand::BenchWorker(arguments) => bench::work(arguments),
    }
}

fn stat(arguments: &StatArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let failed = |error| CommandFailure::run(format!("cannot list the shared memory of this host: {error}"));
    let removed = if arguments.clean { clean().map_err(failed)? } else { Vec::new() };
    let found = endpoints().map_err(failed)?;
    if shared.json {
        let list = |all: &[HostEndpoint]| all.iter().map(json).collect::<Vec<_>>();
        return output::print_json(&serde_json::json!({ "endpoints": list(&found), "removed": list(&removed) }));
    }
    let mut text = String::new();
    if found.is_empty() {
        text += "no endpoint is open on this host\n";
    } else {
        let rows: Vec<Vec<String>> = found.iter().map(row).collect();
        text += &table(&["device", "VNI", "pid", "user", "owner", "state", "memory"], &rows, shared.colour());
        text += &summary(&found);
        let ways: Vec<Vec<String>> = found.iter().flat_map(way_rows).collect();
        if !ways.is_empty() {
            text += "\npeers of the endpoints:\n";
            text += &table(&["device", "VNI", "pid", "peer", "way"], &ways, shared.colour());
        }
    }
    if arguments.clean {
        let freed = bytes(removed.iter().map(|found| found.bytes).sum::<u64>() as f64);
        text += &format!("{} stale endpoints removed, {freed} freed\n", removed.len());
    }
    output::print(&text)
}

/// A line for each NIC.
fn summary(found: &[HostEndpoint]) -> String {
    let mut devices: BTreeMap<u8, Vec<&HostEndpoint>> = BTreeMap::new();
    found.iter().for_each(|one| devices.entry(one.device).or_default().push(one));
    let mut text = String::new();
    for (device, of_device) in devices {
        let mut vnis: Vec<u16> = of_device.iter().map(|found| found.vni).collect();
        vnis.dedup();
        let vnis = vnis.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
        let stale = of_device.iter().filter(|found| matches!(found.owner, Owner::Dead(_))).count();
        let memory = bytes(of_device.iter().map(|found| found.bytes).sum::<u64>() as f64);
        let left = if stale > 0 { format!(", {stale} of them stale (--clean removes those)") } else { String::new() };
        text += &format!("cxi{device}: VNI {vnis}; {}, {memory}{left}\n", counted(of_device.len(), "endpoint"));
    }
    text
}

/// A row for each peer that is known by name, and one for the rest of each wire.
fn way_rows(found: &HostEndpoint) -> Vec<Vec<String>> {
    let head = [format!("cxi{}", found.device), found.vni.to_string(), found.pid.to_string()];
    let named = found.peers.iter().map(|(name, way)| (name.to_string(), *way));
    let others = PeerPath::ALL.into_iter().zip(found.other_peers).filter(|(_, count)| *count > 0);
    let others = others.map(|(way, count)| (format!("{count} more"), way));
    let row = |(name, way): (String, PeerPath)| head.iter().cloned().chain([name, way.as_str().to_owned()]).collect();
    named.chain(others).map(row).collect()
}

fn row(found: &HostEndpoint) -> Vec<String> {
    let (owner, state) = match &found.owner {
        Owner::Alive(owner) => (owner.to_string(), "alive".to_owned()),
        Owner::Elsewhere => ("-".to_owned(), "alive, in another namespace".to_owned()),
        Owner::Dead(owner) => (owner.map_or("-".to_owned(), |owner| owner.to_string()), "stale".to_owned()),
        Owner::Unknown(why) => ("-".to_owned(), format!("unknown: {why}")),
    };
    let numbers = [found.vni.to_string(), found.pid.to_string(), found.user.to_string()];
    let rest = [owner, state, bytes(found.bytes as f64)];
    [format!("cxi{}", found.device)].into_iter().chain(numbers).chain(rest).collect()
}

fn json(found: &HostEndpoint) -> serde_json::Value {
    let (owner, state) = match found.owner {
        Owner::Alive(owner) => (Some(owner), "alive"),
        Owner::Elsewhere => (None, "alive elsewhere"),
        Owner::Dead(owner) => (owner, "stale"),
        Owner::Unknown(_) => (None, "unknown"),
    };
    let peers: Vec<serde_json::Value> = found
        .peers
        .iter()
        .map(|(name, way)| serde_json::json!({ "peer": name.to_string(), "way": way.as_str() }))
        .collect();
    let others: BTreeMap<&str, u32> = PeerPath::ALL.map(PeerPath::as_str).into_iter().zip(found.other_peers).collect();
    serde_json::json!({
        "peers": peers, "other_peers": others, "name": found.name, "device": format!("cxi{}", found.device), "vni": found.vni, "pid": found.pid,
        "user": found.user, "owner": owner, "state": state, "bytes": found.bytes,
    })
}
