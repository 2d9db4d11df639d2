//! Which runs can have Ultra Ethernet's transport, and which jobs.

use philae_nic_model::{EntropySpray, HostPath, ResponseScope, UetEncapsulation};
use philae_path::RoutingMode;
use philae_topology::Topology;
use philae_traffic_class::{EntropyRouting, TrafficClass};
use philae_units::{EndpointId, word};

use crate::model::config::{FabricConfig, Job};
use crate::model::edge::NicKinds;
use crate::model::error::FabricError;
use crate::model::fabric_gateway::FabricGateways;
use crate::model::shared::RankEntry;

/// Whether NICs can have this transport in this run.
///
/// # Errors
/// [`FabricError::Parameter`] for what cannot have it.
pub fn check(config: &FabricConfig, kinds: &NicKinds, topology: &Topology) -> Result<(), FabricError> {
    if kinds.uet().is_none() {
        return without(config);
    }
    let law = config.congestion.name();
    let is_beside = !config.congestion.is_ultra_ethernet();
    let (what, asked) = if is_beside {
        ("hardware.ethernet.transport", "\"uet\"".to_owned())
    } else {
        ("congestion.law", format!("\"{law}\""))
    };
    let refuse = |with: &str, works| Err(FabricError::Parameter { what, found: format!("{asked}, {with}"), works });
    if is_beside {
        beside(config)?;
    } else if kinds.are_mixed() {
        let works =
            "a system without such endpoints; or the law \"slingshot\", with hardware.ethernet.transport = \"uet\"";
        return refuse("with third-party endpoints", works);
    }
    let detours = |class: &&TrafficClass| class.paths == Some(EntropyRouting::EcmpNonminimal);
    if let Some(class) = config.classes.classes().iter().find(detours).filter(|_| config.routing.mode.is_minimal()) {
        let found = format!(
            "\"ecmp-nonminimal\" in class '{}', with routing.mode = \"{}\"",
            class.name,
            word(config.routing.mode)
        );
        let works = "\"ecmp\"; or another routing.mode, whose routes leave shortest paths";
        return Err(FabricError::Parameter { what: "class.paths", found, works });
    }
    if !FabricGateways::of(topology).is_empty() {
        return refuse("with gateways between fabrics", "a system with one fabric, or another transport");
    }
    if config.host.path != HostPath::Messages && config.host.path != HostPath::Direct {
        return refuse("with hosts that speak through the kernel", "a host preset of MPI, verbs or libfabric");
    }
    if !is_beside && config.nic.responses == ResponseScope::Switch {
        return refuse("with NICs that do not answer", "hardware.nic.responses = \"message\", or another law");
    }
    if let Some((what, found, works)) = config.laws.uet.fault() {
        return Err(FabricError::Parameter { what, found, works });
    }
    idle(config, is_beside)?;
    let (least, most) = config.uet_law().marks_percent();
    if most < least {
        let what = if is_beside { "hardware.uet_law.mark_max_percent" } else { "congestion.mark_max_percent" };
        let works = "at least mark_min_percent, at which marking begins";
        return Err(FabricError::Parameter { what, found: format!("{most}, and mark_min_percent {least}"), works });
    }
    if config.uet_law().credit_packets() == Some(0) {
        let what = if is_beside { "hardware.uet_law.credit_packets" } else { "congestion.credit_packets" };
        let works = "at least 1: a receiver gives credit for whole packets";
        return Err(FabricError::Parameter { what, found: "0, under \"rccc\"".to_owned(), works });
    }
    Ok(())
}

/// Refuses keys that change nothing with the others of this run.
fn idle(config: &FabricConfig, is_beside: bool) -> Result<(), FabricError> {
    let refuse = |what, found: String, works| Err(FabricError::Parameter { what, found, works });
    let classes = config.classes.classes();
    let by_class = classes.iter().any(|class| class.paths == Some(EntropyRouting::EcmpNonminimal));
    let by_mode =
        config.routing.mode == RoutingMode::EcmpNonminimal && classes.iter().any(|class| class.paths.is_none());
    if config.laws.uet.spray == EntropySpray::PathAware && !by_class && !by_mode {
        let found = format!("\"path-aware\", with routing.mode = \"{}\"", word(config.routing.mode));
        let works = if is_beside {
            "paths = \"ecmp-nonminimal\" in a class, where some values of the entropy are for other paths than \
             shortest ones; or another value"
        } else {
            "routing.mode = \"ecmp-nonminimal\", where some values of the entropy are for other paths than shortest \
             ones; or another value"
        };
        return refuse("hardware.uet.spray", found, works);
    }
    if (by_class || by_mode) && config.routing.nonminimal_candidates == 0 {
        let works = "1 to 3; or \"ecmp\", whose paths are all shortest ones";
        return refuse("routing.nonminimal_candidates", "0, with paths by \"ecmp-nonminimal\"".to_owned(), works);
    }
    let trimmed = config.laws.uet.trimmed_bytes;
    if trimmed != 0 && !classes.iter().any(|class| class.trimming) {
        let found = format!("{trimmed}, and no class has `trimming`");
        return refuse("hardware.uet.trimmed_bytes", found, "no such key; or trimming = true in a class");
    }
    match config.uet_law().idle_shift() {
        Some((found, works)) if is_beside => refuse("hardware.uet_law.quick_adaptation_shift", found, works),
        Some((found, works)) => refuse("congestion.quick_adaptation_shift", found, works),
        None => Ok(()),
    }
}

/// A run whose NICs all have another transport.
fn without(config: &FabricConfig) -> Result<(), FabricError> {
    let law = config.congestion.name();
    if config.routing.mode == RoutingMode::EcmpNonminimal {
        let found = format!("\"ecmp-nonminimal\" under the law \"{law}\", whose packets have no entropy");
        let works = "the law \"nscc\" or \"rccc\", or another mode";
        return Err(FabricError::Parameter { what: "routing.mode", found, works });
    }
    let by_entropy = config.classes.classes().iter().find(|class| class.paths.is_some());
    if let Some(class) = by_entropy {
        let found = format!("given in class '{}', where no NIC has Ultra Ethernet's transport", class.name);
        let works = "no such key; or hardware.ethernet.transport = \"uet\", in a system with [[ethernet]]";
        return Err(FabricError::Parameter { what: "class.paths", found, works });
    }
    let trims = config.classes.classes().iter().find(|class| class.trimming);
    trims.map_or(Ok(()), |class| {
        let found = format!("\"{law}\", with `trimming` of class '{}'", class.name);
        let works = "\"nscc\" or \"rccc\", whose NICs send trimmed packets again; or no trimming";
        Err(FabricError::Parameter { what: "congestion.law", found, works })
    })
}

/// A run in which third-party endpoints have the transport.
fn beside(config: &FabricConfig) -> Result<(), FabricError> {
    let kinds = config.ethernet.iter().filter(|kind| kind.is_uet()).count();
    if kinds > 1 {
        let (what, works) = ("hardware.ethernet", "one kind: packets of all such endpoints have the same sizes");
        return Err(FabricError::Parameter { what, found: format!("{kinds} kinds with transport \"uet\""), works });
    }
    if config.laws.uet.encapsulation == UetEncapsulation::Nic {
        let found = "\"nic\", with third-party endpoints that speak Ultra Ethernet".to_owned();
        let (what, works) = ("hardware.uet.encapsulation", "\"udp\" or \"ip\": their packets are frames of Ethernet");
        return Err(FabricError::Parameter { what, found, works });
    }
    if config.packet_engine.is_some() {
        let found = "a program, with third-party endpoints that speak Ultra Ethernet".to_owned();
        let works = "no program, or another hardware.ethernet.transport: the engine reads no headers of Ultra Ethernet";
        return Err(FabricError::Parameter { what: "packet_engine", found, works });
    }
    if config.routing.mode == RoutingMode::EcmpNonminimal {
        let found = "\"ecmp-nonminimal\", with NICs whose packets have no entropy".to_owned();
        let works = "another mode, with `paths = \"ecmp-nonminimal\"` in the class of Ultra Ethernet's jobs";
        return Err(FabricError::Parameter { what: "routing.mode", found, works });
    }
    Ok(())
}

/// Whether the ranks of each job share a transport, and their class is one for it.
///
/// # Errors
/// [`FabricError::NoTransport`] for a job with two kinds of NICs of which one speaks Ultra
/// Ethernet, [`FabricError::ClassOfUet`] for a job of other NICs in a class for them, and
/// [`FabricError::Parameter`] for one that leaves operations to the switches.
pub fn check_jobs(
    config: &FabricConfig,
    uet_endpoints: &[EndpointId],
    (jobs, ranks): (&[Job], &[RankEntry]),
) -> Result<(), FabricError> {
    if uet_endpoints.is_empty() {
        return Ok(());
    }
    for (index, job) in jobs.iter().enumerate() {
        let of_job = || ranks.iter().filter(|rank| usize::from(rank.job) == index).map(|rank| rank.endpoint);
        let is_uet = |endpoint: &u32| uet_endpoints.binary_search(&EndpointId(*endpoint)).is_ok();
        let (one, other) = (of_job().find(is_uet), of_job().find(|endpoint| !is_uet(endpoint)));
        if let (Some(uet), Some(own)) = (one, other) {
            return Err(FabricError::NoTransport { job: job.name.clone(), uet, own });
        }
        let class = &config.classes.classes()[job.class.index()];
        let needs = match (class.trimming, class.paths) {
            (true, _) => Some("trimming"),
            (false, Some(_)) => Some("paths"),
            (false, None) => None,
        };
        if let (Some(key), Some(own)) = (needs, other) {
            return Err(FabricError::ClassOfUet { job: job.name.clone(), class: class.name.clone(), key, own });
        }
        if one.is_some() && job.programs.iter().any(|program| program.offloads()) {
            let found =
                format!("'{}', whose endpoints speak Ultra Ethernet, with operations left to the switches", job.name);
            let works = "an algorithm of software: switches combine packets of the system's own NICs";
            return Err(FabricError::Parameter { what: "job", found, works });
        }
    }
    Ok(())
}
