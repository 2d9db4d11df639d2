//! `philae manager serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use philae_agent_rpc::{CaSettings, LinkSettings};
use philae_console::note;
use philae_manager::availability::follower::Follower;
use philae_manager::availability::{
    Availability, Claimant, Lease, LeaseError, LeaseName, LeaseOutcome, LeaseProof, OtherManager, Terms, claimant_of,
    follows, lead_from_now_on, leads_now,
};
use philae_manager::log::{self, LogFormat, LogLevel};
use philae_manager::{LeaderStart, Limits, Manager, RateLimits, ServeOptions, Tls, load, serve};
use philae_manager_core::ControlSettings;
use philae_results::check_folder;

use philae_manager_api::{Announcement, Failure, announce, bad_input, manager_url, usual_state};

/// Format of log lines.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum LineFormat {
    /// Text.
    Text,
    /// One JSON document a line.
    Json,
}

/// Options of a service.
#[derive(clap::Args, Debug)]
pub struct ServiceOptions {
    /// Address for agents of switches; absent: switches are --simulated.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "simulated")]
    agents_listen: Option<SocketAddr>,
    /// Serve the API over TLS with a certificate of the fabric's own authority, for the listening
    /// address and --tls-name.
    #[arg(long)]
    tls: bool,
    /// A name or address by which clients reach the manager. Can be repeated.
    #[arg(long, value_name = "HOST", requires = "tls")]
    tls_name: Vec<String>,
    /// Serve the API over TLS with this certificate.
    #[arg(long, value_name = "FILE", requires = "tls_key", conflicts_with = "tls")]
    tls_certificate: Option<PathBuf>,
    /// The key of --tls-certificate.
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    tls_key: Option<PathBuf>,
    /// Days after the end of a certificate in which its agent can still renew it with its key, for
    /// example after a switch was off; 0: it must join again.
    #[arg(long, default_value_t = 30, value_parser = philae_console::whole::<u64>(0, 365), value_name = "DAYS")]
    certificate_grace_days: u64,
    /// Accept certificates of clients that these roots have signed; a role-binding for
    /// certificate:NAME gives one its role.
    #[arg(long, value_name = "FILE")]
    client_ca: Option<PathBuf>,
    /// Limit of requests per second of one token, or of one address without a token; bursts of
    /// twice as many.
    #[arg(long, default_value_t = 2_000, value_parser = philae_console::whole::<u32>(1, 999_999), value_name = "NUMBER")]
    rate_limit: u32,
    /// Limit of client connections; absent: 4096, or half of the system's limit. At the limit, the
    /// connection that is idle longest is closed.
    #[arg(long, value_name = "NUMBER", value_parser = philae_console::whole::<usize>(0, usize::MAX as u64))]
    connections: Option<usize>,
    /// Format of the log.
    #[arg(long, value_enum, default_value = "text")]
    log: LineFormat,
    /// Log level: error, warn, info or debug. `philae fabric log` changes it.
    #[arg(long, default_value_t = LogLevel::Info)]
    log_level: LogLevel,
    /// Store of the lease that decides which manager leads: none (a standby takes over by command),
    /// file:PATH on shared storage, etcd:https://HOST:PORT, or etcd:http://HOST:PORT.
    #[arg(long, default_value_t = LeaseName::None)]
    lease: LeaseName,
    /// The roots that prove an etcd with TLS, PEM.
    #[arg(long, value_name = "FILE")]
    lease_ca: Option<PathBuf>,
    /// The certificate that proves this manager to etcd, PEM.
    #[arg(long, value_name = "FILE", requires = "lease_key", requires = "lease_ca")]
    lease_certificate: Option<PathBuf>,
    /// The key of --lease-certificate.
    #[arg(long, value_name = "FILE", requires = "lease_certificate")]
    lease_key: Option<PathBuf>,
    /// Seconds after which another manager can take a lease that is not renewed.
    #[arg(long, default_value_t = 10, value_parser = philae_console::whole::<u64>(3, 600), value_name = "SECONDS")]
    lease_seconds: u64,
    /// When a change is answered: when it is on this disk, or when usable standbys also have it.
    /// With a lease they always have it, except for --failover-lag.
    #[arg(long, value_enum, default_value = "disk", value_name = "WHERE")]
    acknowledge: Acknowledge,
    /// Changes that a standby may lack and still take over automatically: up to this many
    /// acknowledged changes may then be lost.
    #[arg(long, default_value_t = 0, value_name = "CHANGES", value_parser = philae_console::whole::<u64>(0, u64::MAX))]
    failover_lag: u64,
    /// Seconds that an answer waits for a usable standby. After that the standby is no longer
    /// usable, and changes continue on one disk.
    #[arg(long, default_value_t = 3, value_parser = philae_console::whole::<u64>(1, 600), value_name = "SECONDS")]
    standby_seconds: u64,
}

/// When a change is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Acknowledge {
    /// Once it is on this manager's disk.
    Disk,
    /// Once it is on the disks of standbys that are in step, too.
    Standby,
}

/// The leader of a standby.
#[derive(clap::Args, Debug)]
pub struct Of {
    /// Address of the leader's API. Repeat it for other managers that may lead: the standby finds
    /// the leader.
    #[arg(long, value_name = "URL", required = true, value_parser = manager_url)]
    of: Vec<String>,
    /// A file with a token of the leader, with the role standby or admin; default: the variable
    /// PHILAE_TOKEN.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Root certificates that prove a leader at an https address.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
}

impl Of {
    fn reaches(&self) -> Result<Vec<OtherManager>, Failure> {
        let token = match &self.token_file {
            Some(path) => {
                Some(std::fs::read_to_string(path).map_err(|error| bad_input(format!("{}: {error}", path.display())))?)
            }
            None => std::env::var("PHILAE_TOKEN").ok(),
        };
        let token = token.map(|token| token.trim().to_owned()).filter(|token| !token.is_empty());
        let reach = |url: &String| OtherManager::new(url, token.clone(), self.ca.as_deref()).map_err(bad_input);
        self.of.iter().map(reach).collect()
    }
}

impl ServiceOptions {
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
                // Each name once, no matter how often it was given.
                let mut seen = std::collections::BTreeSet::new();
                hosts.retain(|host| !host.is_empty() && seen.insert(host.to_ascii_lowercase()));
                Tls::Own(hosts)
            }
            _ => Tls::Off,
        }
    }
}

/// The result of a request for the lease.
enum Asked {
    /// It is held: the lease, its epoch, and since when.
    Held(Lease, u64, Instant),
    /// etcd does not answer; the reason.
    Later(Lease, String),
}

/// Takes the lease and its epoch. Another manager may hold it for a while yet: if that one is gone,
/// the lease expires.
fn take_lease(mut lease: Lease, options: &ServiceOptions, claimant: &Claimant) -> Result<Asked, Failure> {
    let begin = Instant::now();
    let patience = Duration::from_secs(options.lease_seconds + 2);
    loop {
        let now = Instant::now();
        let taken = match lease.take(claimant, now) {
            // An etcd that is down may start after its managers.
            Err(error @ LeaseError::Etcd { .. }) => return Ok(Asked::Later(lease, error.to_string())),
            taken => taken.map_err(bad_input)?,
        };
        match taken {
            LeaseOutcome::Ours(epoch) => return Ok(Asked::Held(lease, epoch, now)),
            LeaseOutcome::Theirs(_) if begin.elapsed() < patience => std::thread::sleep(Duration::from_millis(100)),
            LeaseOutcome::Theirs(holder) => {
                let remedy = "philae manager standby --of URL follows it, and takes over when it is gone";
                return Err(bad_input(format!("{holder} holds the lease {} and leads; {remedy}", options.lease)));
            }
            LeaseOutcome::Refused(why) => {
                let remedy = "start the last leader; if it is lost for good, --take-over leads without its missing \
                              changes, which are lost";
                return Err(bad_input(format!("this manager may not lead: {why}; {remedy}")));
            }
        }
    }
}

/// Serves until a signal ends the process.
pub fn run(
    system: &str,
    simulated: bool,
    state: Option<PathBuf>,
    listen: SocketAddr,
    of: Option<Of>,
    take_over: bool,
    options: ServiceOptions,
) -> Result<(), Failure> {
    let format = if matches!(options.log, LineFormat::Json) { LogFormat::Json } else { LogFormat::Text };
    log::begin(format, options.log_level);
    crate::agent::raise_limit();
    let fabric = load(system).map_err(bad_input)?;
    let state = match state {
        Some(state) => state,
        None => usual_state(if of.is_some() { "standby" } else { "manager" })?.join(fabric.name()),
    };
    check_folder(&state).map_err(|found| bad_input(format!("--state '{}': {found}", state.display())))?;
    if options.agents_listen.is_none() && !simulated {
        return Err(bad_input(
            "the kind of switches is not given; --simulated, or --agents-listen 127.0.0.1:8001 would work",
        ));
    }
    let life = Duration::from_secs(options.lease_seconds);
    let name = Availability::leads(Some(&state)).name().to_owned();
    let proof = LeaseProof {
        roots: options.lease_ca.clone(),
        certificate: options.lease_certificate.clone().zip(options.lease_key.clone()),
    };
    let lease = Lease::open(&options.lease, fabric.name(), &name, life, &proof).map_err(bad_input)?;
    let agents = options.agents_listen.map(|address| (address, LinkSettings::default()));
    let certificates = CaSettings { grace_s: options.certificate_grace_days * 86_400, ..CaSettings::default() };
    let plan = LeaderStart { settings: ControlSettings::default(), state: Some(state.clone()), agents, certificates };
    let tls = options.tls(listen);
    let scheme = if tls == Tls::Off { "http" } else { "https" };
    let lag = options.failover_lag;
    let terms = Terms {
        acknowledge_standby: options.acknowledge == Acknowledge::Standby,
        lag,
        patience: Duration::from_secs(options.standby_seconds),
    };
    let threads = |error: std::io::Error| Failure(1, format!("cannot start threads: {error}"));
    let manager = match of {
        Some(of) => {
            let lease = lease.map(|lease| (options.lease.clone(), lease));
            let own = format!("{scheme}://{listen}");
            let follower = Follower::begin(of.reaches()?, &state, lease, life, lag, own).map_err(bad_input)?;
            Manager::standby(fabric, plan, follower, terms).map_err(bad_input)?
        }
        None => {
            match follows(&state) {
                _ if take_over => lead_from_now_on(&state).map_err(bad_input)?,
                // With a lease, its record decides who may lead.
                Some(leader) if lease.is_none() => {
                    let remedy = "philae manager standby --of URL follows it; if no manager leads any more, --take-over makes this one lead";
                    return Err(bad_input(format!("{} follows {leader}; {remedy}", state.display())));
                }
                _ => {}
            }
            let asked = match lease {
                Some(lease) => {
                    let claimant = claimant_of(&state, lag, take_over).map_err(bad_input)?;
                    Some(take_lease(lease, &options, &claimant)?)
                }
                None => None,
            };
            let manager = match &asked {
                Some(Asked::Later(_, why)) => {
                    log::lease_failed(why);
                    Manager::unleased(fabric, plan, why.clone(), take_over)
                }
                Some(Asked::Held(_, epoch, _)) => {
                    leads_now(&state).map_err(bad_input)?;
                    Manager::leading(fabric, plan, Some(*epoch))
                }
                None => Manager::leading(fabric, plan, None),
            };
            let manager = manager.map_err(bad_input)?;
            manager.availability.agree(terms, manager.documents.revision());
            if let Some(Asked::Later(lease, _)) = asked {
                let waiting = Follower::waiting(&state, (options.lease.clone(), lease), life, lag);
                waiting.start(Arc::clone(manager.documents.store()), manager.availability.clone()).map_err(threads)?;
            } else if let Some(Asked::Held(lease, _, since)) = asked {
                let (availability, revision) = (&manager.availability, manager.documents.revision());
                let phase = availability.phase().clone();
                let kept = availability.keep(options.lease.clone(), lease, life, since, revision, phase);
                kept.map_err(threads)?;
                let rest = Follower::resting(&state, life, lag);
                rest.start(Arc::clone(manager.documents.store()), availability.clone()).map_err(threads)?;
            }
            manager
        }
    };
    let size = manager.fabric.switch_count();
    let switches = match (options.agents_listen, manager.control_loop.agents()) {
        (_, Some(agents)) => format!("{size} switches, agents connect to {}", agents.address()),
        (address, None) if manager.availability.phase().name() == "waits-for-lease" => {
            let agents = address.map_or_else(String::new, |address| format!(", agents will connect to {address}"));
            format!("waits for its lease, {size} switches once it leads{agents}")
        }
        (Some(address), None) => format!("standby, {size} switches, agents will connect to {address}"),
        (None, None) if manager.control_loop.is_idle() => format!("standby, {size} simulated switches once it leads"),
        (None, None) => format!("{size} simulated switches"),
    };
    let rates = RateLimits {
        requests_per_second: options.rate_limit,
        requests_burst: options.rate_limit * 2,
        ..RateLimits::default()
    };
    let announcement = Arc::new(Mutex::new(None));
    let (announcing, kept) = (manager.availability.clone(), Arc::clone(&announcement));
    let ready = |address: SocketAddr| {
        let mut reached = address;
        if address.ip().is_unspecified() {
            reached.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        keep_announced(format!("{scheme}://{reached}"), state.clone(), announcing, kept);
        note!("{switches}, {scheme}://{address}; try: philae fabric status");
    };
    let availability = manager.availability.clone();
    let limits = Limits::new(options.connections);
    let served = ServeOptions { address: listen, tls, rates, limits, client_roots: options.client_ca };
    let served = serve(manager, served, ready).map_err(bad_input);
    availability.end();
    drop(announcement.lock().map(|mut announced| announced.take()));
    served
}

/// Interval between checks whether commands on this machine can still find this manager.
///
/// Source: ours. Status: assumed.
const ANNOUNCED_AGAIN: Duration = Duration::from_secs(10);

/// Announces this manager's address to commands of the same user, and repeats that if it failed or
/// the file was removed. A failure is logged once, and becomes an alarm if it lasts.
fn keep_announced(
    url: String,
    state: PathBuf,
    availability: Availability,
    announced: Arc<Mutex<Option<Announcement>>>,
) {
    let mut said = None;
    let mut announce = move |availability: &Availability| {
        let Ok(mut announced) = announced.lock() else { return };
        if availability.has_ended() || announced.as_ref().is_some_and(Announcement::is_there) {
            return;
        }
        let failed = match announce(&url, &state) {
            Ok(done) => {
                *announced = Some(done);
                None
            }
            Err(why) => Some(why),
        };
        if let Some(why) = failed.as_ref().filter(|_| failed != said) {
            log::not_announced(why);
        }
        availability.note_announced(failed.clone());
        said = failed;
    };
    announce(&availability);
    let again = move || {
        while !availability.has_ended() {
            std::thread::sleep(ANNOUNCED_AGAIN);
            announce(&availability);
        }
    };
    // Without a thread the announcement is made, or fails, once.
    drop(std::thread::Builder::new().name("announcement".to_owned()).spawn(again));
}
