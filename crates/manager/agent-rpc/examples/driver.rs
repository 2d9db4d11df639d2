//! A complete driver for a switch of another make. It keeps its state in files of a directory; a
//! program for a real switch would keep it in registers. `docs/manager/agent-driver.md` explains
//! it.
//!
//! ```text
//! philae manager serve --system malbec --agents-listen 127.0.0.1:8001 &
//! philae fabric certificates join --switches x1000c0r1b0 join.token
//! cargo run --release -p philae-agent-rpc --example driver -- x1000c0r1b0 127.0.0.1:8001 join.token switch
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use philae_agent::{
    Agent, ConfigSection, ControlError, PortState, PortStatus, SectionItems, SwitchControl, SwitchIdentity,
    SwitchOperation,
};
use philae_agent_rpc::{AgentClient, LinkSettings, OneAgent, run_agents};
use philae_route_tables::{ForwardingTable, StagedEntry};

/// Number of ports of the switch.
const PORTS: usize = 64;

/// The switch, as its driver sees it.
struct FileSwitch {
    name: String,
    directory: PathBuf,
    /// The forwarding table. Real hardware holds it itself; either way it must survive the end of
    /// this program.
    routes: ForwardingTable,
    /// The last reported state of the ports.
    told: Vec<PortStatus>,
}

impl FileSwitch {
    fn new(name: &str, directory: &Path) -> std::io::Result<Self> {
        std::fs::create_dir_all(directory)?;
        let mut switch = Self {
            name: name.to_owned(),
            directory: directory.to_owned(),
            routes: ForwardingTable::default(),
            told: Vec::new(),
        };
        switch.told = switch.ports();
        Ok(switch)
    }

    fn write(&self, file: &str, text: &str) -> Result<(), ControlError> {
        // Written as a whole or not at all: a call that fails has changed nothing.
        let (new, path) = (self.directory.join(format!("{file}.new")), self.directory.join(file));
        let written = std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &path));
        written.map_err(|error| ControlError::Failed(format!("{}: {error}", path.display())))
    }
}

impl SwitchControl for FileSwitch {
    fn identity(&self) -> SwitchIdentity {
        SwitchIdentity {
            name: self.name.clone(),
            serial: "FILE-1".to_owned(),
            model: "file".to_owned(),
            firmware: "1".to_owned(),
            ports: PORTS as u8,
            ..SwitchIdentity::default()
        }
    }

    /// Each line of `ports` is a port that is not absent: number, `up` or `down`, and the address
    /// that the neighbour announces by LLDP, if there is one.
    fn ports(&self) -> Vec<PortStatus> {
        let text = std::fs::read_to_string(self.directory.join("ports")).unwrap_or_default();
        let mut ports = vec![PortStatus::default(); PORTS];
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let number = words.next().and_then(|word| word.parse::<usize>().ok());
            let Some(port) = number.and_then(|number| ports.get_mut(number)) else { continue };
            port.state = if words.next() == Some("up") { PortState::Up } else { PortState::Down };
            port.neighbour = words.next().and_then(|word| word.parse().ok());
        }
        ports
    }

    fn take_changes(&mut self) -> Vec<u8> {
        let now = self.ports();
        let changed = (0..PORTS).filter(|&port| now[port] != self.told[port]).map(|port| port as u8).collect();
        self.told = now;
        changed
    }

    fn set_routes(&mut self, entries: &[StagedEntry], replace: bool) -> Result<(), ControlError> {
        let mut routes = if replace { ForwardingTable::default() } else { self.routes.clone() };
        for entry in entries {
            routes.set(entry.destination, entry.ports);
        }
        let lines: Vec<String> =
            routes.entries().map(|(destination, ports)| format!("{destination:?} {ports:016x}")).collect();
        self.write("routes", &lines.join("\n"))?;
        self.routes = routes;
        Ok(())
    }

    fn routes_hash(&self) -> u64 {
        self.routes.hash()
    }

    fn set_section(&mut self, section: ConfigSection, items: &SectionItems) -> Result<(), ControlError> {
        let lines: BTreeMap<u64, String> =
            items.iter().map(|(key, value)| (key, String::from_utf8_lossy(value).into_owned())).collect();
        let text: Vec<String> = lines.into_iter().map(|(key, value)| format!("{key} {value}")).collect();
        self.write(&format!("set-{}", section.name()), &text.join("\n"))
    }

    fn operate(&mut self, operation: SwitchOperation) -> Result<(), ControlError> {
        Err(ControlError::Refused(format!("files cannot do this: {operation:?}")))
    }

    fn epoch(&self) -> u64 {
        let text = std::fs::read_to_string(self.directory.join("epoch")).unwrap_or_default();
        text.trim().parse().unwrap_or(0)
    }

    fn set_epoch(&mut self, epoch: u64) {
        // A switch that forgets the epoch would obey an older manager, so the program stops here.
        self.write("epoch", &epoch.to_string()).expect("the epoch of the manager can be kept");
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, manager, token, directory] = arguments.as_slice() else {
        return Err("four arguments would work: SWITCH HOST:PORT TOKEN-FILE DIRECTORY".into());
    };
    let address: SocketAddr = manager.parse()?;
    // The file that `philae fabric certificates join` wrote: `switches PATTERN`, `token TOKEN`, and
    // the roots.
    let text = std::fs::read_to_string(token)?;
    let token = text.lines().find_map(|line| line.strip_prefix("token ")).ok_or("the file has no token")?;
    let roots = &text[text.find("-----BEGIN").ok_or("the file has no roots")?..];
    let settings = LinkSettings::default();
    // A program that runs for long would store the identity, and begin with it after a restart.
    let identity = AgentClient::anonymous(address, roots, settings).await?.join(token, name).await?;
    let switch = FileSwitch::new(name, Path::new(directory))?;
    let _running = run_agents(OneAgent(Agent::new(switch)), address, identity, settings);
    eprintln!("{name} is connected to {address}; its files are in {directory}");
    tokio::signal::ctrl_c().await?;
    Ok(())
}
