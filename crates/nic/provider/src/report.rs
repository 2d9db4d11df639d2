//! The NIC's traffic, if requested (`FI_PHILAE_TRAFFIC=DIRECTORY`): one file per endpoint, written
//! when it closes.

use std::fmt::Write;

use crate::domain::FiDomain;
use crate::endpoint::FiEndpoint;
use crate::log::tell;

/// Writes the report of an endpoint that closes.
pub(crate) fn closed(endpoint: &FiEndpoint) {
    crate::trace::closed();
    if !endpoint.domain.settings.telemetry.counts.is_empty() {
        let wire = endpoint.with_remote(|remote| Ok(remote.counts().list())).unwrap_or_default();
        let mut sums = endpoint.domain.telemetry.lock().expect("no panic with it");
        for (name, count) in endpoint.counts().into_iter().chain(wire) {
            *sums.entry(name).or_default() += count;
        }
    }
    let (Some(folder), Some(address)) = (std::env::var_os("FI_PHILAE_TRAFFIC"), endpoint.address()) else { return };
    let mut text = format!("{{\"process\":{},\"pid\":{},\"vni\":{}", std::process::id(), address.pid, address.vni);
    if let Some(rank) = crate::host::rank() {
        write!(text, ",\"rank\":{rank}").expect("a string takes all");
    }
    for (name, count) in endpoint.counts() {
        write!(text, ",\"{name}\":{count}").expect("a string takes all");
    }
    write!(text, ",\"host\":\"{:016x}\",\"device\":{}", address.host, address.device).expect("a string takes all");
    if let Some(peers) = &endpoint.traffic.peers {
        write!(
            text,
            ",\"peers\":{}",
            peers.json(|number| endpoint.peer_address(number), |socket| endpoint.wire_counts(socket))
        )
        .expect("a string takes all");
    }
    let wire = endpoint.with_remote(|remote| Ok(remote.counts()));
    if let Ok(wire) = wire {
        for (name, count) in wire.list() {
            write!(text, ",\"{name}\":{count}").expect("a string takes all");
        }
    }
    text += "}\n";
    let file = std::path::Path::new(&folder).join(format!("{}-{}.json", std::process::id(), address.pid));
    if let Err(error) = std::fs::write(&file, text) {
        tell(&format!("philae: cannot write {}: {error}", file.display()));
    }
}

/// Reports the counts that `FI_CXI_TELEMETRY` names when a domain closes, as the vendor's provider
/// reports those of its NIC.
pub(crate) fn telemetry(domain: &FiDomain) {
    let settings = domain.settings;
    if settings.telemetry.service.is_some_and(|service| service != settings.service(domain.device)) {
        return;
    }
    let sums = domain.telemetry.lock().expect("no panic with it");
    for name in &settings.telemetry.counts {
        let (process, count) = (std::process::id(), sums.get(name.as_str()).copied().unwrap_or(0));
        tell(&format!("libfabric:{process}:philae:cxi{} {name} {count}", domain.device));
    }
}
