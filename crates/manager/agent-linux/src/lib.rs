//! Switches in software: each is a network namespace of Linux that routes IPv6 by the manager's
//! tables.
//!
//! The tables become routes with several next hops ([`plan`]), classes and access lists become
//! rules of nftables and HTB ([`policy`]), and neighbours are found by LLDP ([`links`]). Linux
//! decides by the destination alone. So it does not distinguish paths that lead up and then down a
//! tree, because these depend on where a packet comes from. It takes no nonminimal paths.
//!
//! Invariant: what is in force in the kernel is what the agent reports, read back from the kernel.
//!
//! Deliberately absent: the connection to the manager (`agent-rpc`), and the computation of tables.

mod lab;
mod links;
mod plan;
mod policy;
mod switch;
mod tools;
mod upgrade;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use philae_agent::{Agent, ControlError, FromAgent, ToAgent};
use philae_agent_rpc::Driven;
use philae_inventory::PlannedFabric;
use philae_route_tables::FabricWiring;
use philae_units::SwitchId;

use lab::Lab;
use switch::LinuxSwitch;
use tools::Namespace;

/// The agents of switches in software.
#[derive(Debug)]
pub struct LinuxSwitches {
    agents: Vec<Agent<LinuxSwitch>>,
    /// Namespaces that were made for them.
    lab: Option<Lab>,
}

/// Why the switches cannot be driven.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The kernel, or a tool of it, refused.
    #[error("{0}")]
    Control(#[from] ControlError),
    /// The folder for the epochs cannot be made.
    #[error("{folder}: {error}")]
    State {
        folder: String,
        /// The system's error.
        error: std::io::Error,
    },
    /// A switch has no namespace.
    #[error(
        "there is no network namespace {0}; `ip netns add {0}` makes one, --lab 1 makes all of them with their \
         links and one host for each"
    )]
    NoNamespace(String),
}

impl LinuxSwitches {
    /// Uses the namespaces that have the switches' names, or creates them with `lab` hosts at each.
    ///
    /// # Errors
    /// When a namespace is missing or cannot be made, or the state cannot be stored.
    pub fn open(
        fabric: &Arc<PlannedFabric>,
        wiring: &Arc<FabricWiring>,
        switches: &[SwitchId],
        lab: Option<usize>,
        state: &Path,
    ) -> Result<Self, OpenError> {
        let lab = lab.map(|hosts| Lab::make(fabric, wiring, switches, hosts)).transpose()?;
        let epochs = state.join("epochs");
        let failed = |error| OpenError::State { folder: epochs.display().to_string(), error };
        std::fs::create_dir_all(&epochs).map_err(failed)?;
        let mut agents = Vec::new();
        for &number in switches {
            let name = lab::of_switch(fabric, number);
            let namespace = Namespace(Some(name.clone()));
            if !namespace.exists() {
                return Err(OpenError::NoNamespace(name));
            }
            let switch =
                LinuxSwitch::open(Arc::clone(fabric), Arc::clone(wiring), number, namespace, epochs.join(&name));
            agents.push(Agent::new(switch?));
        }
        Ok(Self { agents, lab })
    }

    /// Sets the program that installs firmware on all of them; without one, they refuse upgrades.
    pub fn upgrade_by(&mut self, program: Option<&PathBuf>) {
        for agent in &mut self.agents {
            agent.switch_mut().upgrade_by(program.cloned());
        }
    }

    /// The hosts of the lab: the name of the namespace, and its address.
    #[must_use]
    pub fn hosts(&self) -> &[(String, String)] {
        self.lab.as_ref().map_or(&[], |lab| &lab.hosts)
    }
}

impl Driven for LinuxSwitches {
    fn count(&self) -> usize {
        self.agents.len()
    }

    fn is_on(&self, _: usize) -> bool {
        true
    }

    fn connected(&mut self, index: usize, now_ms: u64) -> FromAgent {
        self.agents[index].connected(now_ms)
    }

    fn disconnected(&mut self, index: usize) {
        self.agents[index].disconnected();
    }

    fn poll(&mut self, index: usize, now_ms: u64) -> Vec<FromAgent> {
        self.agents[index].poll(now_ms)
    }

    fn handle(&mut self, index: usize, now_ms: u64, message: ToAgent) -> (Option<FromAgent>, bool) {
        let answer = self.agents[index].handle(now_ms, message);
        (answer, self.agents[index].switch_mut().take_reboot())
    }

    fn deadline_ms(&self, index: usize) -> Option<u64> {
        self.agents[index].next_deadline_ms()
    }

    fn take_touched(&mut self) -> Vec<usize> {
        (0..self.agents.len()).collect()
    }
}
