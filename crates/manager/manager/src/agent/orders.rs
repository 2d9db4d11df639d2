//! Changes to a simulated fabric, read from standard input.

use philae_agent::UpgradeFault;
use philae_agent_rpc::RunningAgents;
use philae_console::note;
use philae_inventory::PlannedFabric;
use tokio::sync::mpsc;

use super::stand_in::StandIn;

fn order(fabric: &PlannedFabric, running: &RunningAgents<StandIn>, line: &str) -> Result<(), String> {
    let known = "cut PORT, mend PORT, exchange PORT PORT, off SWITCH, on SWITCH, firmware SWITCH HOW would work";
    let (what, name) = line.split_once(' ').ok_or_else(|| format!("'{line}': {known}"))?;
    let name = name.trim();
    match what {
        "cut" | "mend" => {
            let port = fabric.port_by_name(name).map_err(|error| error.to_string())?;
            running.agents().fabric_mut().set_link(port, what == "mend");
        }
        "exchange" => {
            let (one, other) = name.split_once(' ').ok_or_else(|| format!("'{line}': {known}"))?;
            let port = |name: &str| fabric.port_by_name(name.trim()).map_err(|error| error.to_string());
            let (one, other) = (port(one)?, port(other)?);
            running.agents().fabric_mut().exchange(one, other);
        }
        "off" | "on" => {
            let switch = fabric.switch_by_name(name).map_err(|error| error.to_string())?;
            running.agents().fabric_mut().set_power(switch, what == "on");
        }
        "firmware" => {
            let (name, how) = name.split_once(' ').ok_or_else(|| format!("'{line}': {known}"))?;
            let switch = fabric.switch_by_name(name).map_err(|error| error.to_string())?;
            let fault = UpgradeFault::ALL.iter().find(|(word, _)| *word == how.trim());
            let (_, fault) = fault.ok_or_else(|| {
                let words: Vec<&str> = UpgradeFault::ALL.iter().map(|(word, _)| *word).collect();
                format!("'{how}': {} would work", words.join(", "))
            })?;
            let mut agents = running.agents();
            agents.fabric_mut().agent_mut(switch).switch_mut().flash.get_or_insert_default().fault = *fault;
        }
        _ => return Err(format!("'{what}': {known}")),
    }
    running.changed();
    Ok(())
}

/// Carries out each line of standard input, until it ends.
pub async fn obey(fabric: &PlannedFabric, running: &RunningAgents<StandIn>) {
    let (sender, mut lines) = mpsc::channel(64);
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    while let Some(line) = lines.recv().await {
        if let Err(error) = order(fabric, running, line.trim()) {
            note!("error: {error}");
        }
    }
}
