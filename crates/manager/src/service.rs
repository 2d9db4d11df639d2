//! `philae manager serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use philae_agent_link::LinkSettings;
use philae_control::Settings;
use philae_manager::log::{self, Format, Level};
use philae_manager::{Manager, Rates, ServeOptions, Tls, load, serve};

use crate::{Failure, bad_input, credentials, usual_state};

/// How lines look.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Lines {
    /// For people.
    Text,
    /// One JSON document a line.
    Json,
}

/// What a service has beside its fabric.
#[derive(clap::Args, Debug)]
pub struct Options {
    /// Where agents of switches connect; absent: switches are --simulated.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "simulated")]
    agents_listen: Option<SocketAddr>,
    /// Proves the API by the fabric's own authority, at the listening address and for --tls-name.
    #[arg(long)]
    tls: bool,
    /// A name or address that clients call the manager by. Can be repeated.
    #[arg(long, value_name = "HOST", requires = "tls")]
    tls_name: Vec<String>,
    /// Proves the API by this certificate.
    #[arg(long, value_name = "FILE", requires = "tls_key", conflicts_with = "tls")]
    tls_certificate: Option<PathBuf>,
    /// The key of --tls-certificate.
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    tls_key: Option<PathBuf>,
    /// Requests a second of one token, or of one address without a token; twice as many at once.
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..1_000_000), value_name = "NUMBER")]
    rate_limit: u32,
    /// How lines of the log look.
    #[arg(long, value_enum, default_value = "text")]
    log: Lines,
    /// How much is logged: error, warn, info or debug. `philae fabric log` changes it.
    #[arg(long, default_value_t = Level::Info)]
    log_level: Level,
}

impl Options {
    fn tls(&self, listen: SocketAddr) -> Tls {
        match (&self.tls_certificate, &self.tls_key) {
            (Some(certificate), Some(key)) => Tls::Files { certificate: certificate.clone(), key: key.clone() },
            _ if self.tls => {
                let mut hosts = self.tls_name.clone();
                hosts.extend(["localhost", "127.0.0.1", "::1"].map(str::to_owned));
                if !listen.ip().is_unspecified() && !listen.ip().is_loopback() {
                    hosts.push(listen.ip().to_string());
                }
                if let Ok(host) = std::fs::read_to_string("/proc/sys/kernel/hostname") {
                    hosts.push(host.trim().to_owned());
                }
                Tls::Own(hosts)
            }
            _ => Tls::Off,
        }
    }
}

/// Serves until it is told to end.
pub fn run(
    system: &str,
    simulated: bool,
    state: Option<PathBuf>,
    listen: SocketAddr,
    options: Options,
) -> Result<(), Failure> {
    let format = if matches!(options.log, Lines::Json) { Format::Json } else { Format::Text };
    log::begin(format, options.log_level);
    let fabric = load(system).map_err(bad_input)?;
    let state = match state {
        Some(state) => state,
        None => usual_state("manager")?.join(fabric.name()),
    };
    let settings = Settings::default();
    let manager = match options.agents_listen {
        Some(address) => Manager::connected(fabric, settings, &state, address, LinkSettings::default()),
        None if simulated => Manager::simulated(fabric, settings, Some(&state)),
        None => {
            return Err(bad_input("where are the switches? --simulated, or --agents-listen 127.0.0.1:8001 would work"));
        }
    };
    let manager = manager.map_err(bad_input)?;
    let tls = options.tls(listen);
    let scheme = if tls == Tls::Off { "http" } else { "https" };
    let size = manager.fabric.switch_count();
    let switches = match manager.plant.agents() {
        Some(agents) => format!("{size} switches, agents connect to {}", agents.address()),
        None => format!("{size} simulated switches"),
    };
    let rates =
        Rates { requests_per_second: options.rate_limit, requests_burst: options.rate_limit * 2, ..Rates::default() };
    let mut announcement = None;
    let ready = |address: SocketAddr| {
        let mut reached = address;
        if address.ip().is_unspecified() {
            reached.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        announcement = Some(credentials::announce(&format!("{scheme}://{reached}"), &state));
        eprintln!("{switches}, {scheme}://{address}; try: philae fabric status");
    };
    let served = serve(manager, ServeOptions { address: listen, tls, rates }, ready).map_err(bad_input);
    drop(announcement);
    served
}
