//! What crossed the NIC, for whoever asked for it (`FI_PHILAE_TRAFFIC=DIRECTORY`): one file per endpoint, written when it
//! closes.

use std::fmt::Write;

use crate::endpoint::Port;

/// An endpoint is closed.
pub(crate) fn closed(port: &Port) {
    crate::trace::closed();
    let (Some(folder), Some(address)) = (std::env::var_os("FI_PHILAE_TRAFFIC"), port.address()) else { return };
    let mut text = format!("{{\"process\":{},\"pid\":{},\"vni\":{}", std::process::id(), address.pid, address.vni);
    if let Some(rank) = crate::host::rank() {
        write!(text, ",\"rank\":{rank}").expect("a string takes all");
    }
    for (name, count) in port.traffic.counts() {
        write!(text, ",\"{name}\":{count}").expect("a string takes all");
    }
    let wire = port.with_remote(|remote| Ok(remote.counts()));
    if let Ok(wire) = wire {
        for (name, count) in wire.list() {
            write!(text, ",\"{name}\":{count}").expect("a string takes all");
        }
    }
    text += "}\n";
    let file = std::path::Path::new(&folder).join(format!("{}-{}.json", std::process::id(), address.pid));
    if let Err(error) = std::fs::write(&file, text) {
        eprintln!("philae: cannot write {}: {error}", file.display());
    }
}
