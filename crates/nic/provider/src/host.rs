//! What distinguishes this host, and this user, from others.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of this host: of what shares process numbers, memory and a network with this process.
/// Containers and network namespaces of one machine are hosts of their own, because they reach each
/// other over their network.
pub fn number() -> u64 {
    static NUMBER: OnceLock<u64> = OnceLock::new();
    *NUMBER.get_or_init(|| {
        let mut hasher = DefaultHasher::new();
        std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().hash(&mut hasher);
        for space in ["net", "pid", "ipc", "user"] {
            std::fs::read_link(format!("/proc/self/ns/{space}")).ok().hash(&mut hasher);
        }
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata("/dev/shm").map(|found| found.dev()).ok().hash(&mut hasher);
        hasher.finish()
    })
}

/// A device's location on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pci {
    pub domain: u16,
    pub bus: u8,
    pub device: u8,
    pub function: u8,
}

/// Parses a location in the system's notation: `0000:81:00.0`.
pub(crate) fn pci(text: &str) -> Option<Pci> {
    let (place, function) = text.split_once('.')?;
    let mut numbers = place.split(':');
    let (domain, bus, device) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let byte = |text: &str| u8::from_str_radix(text, 16).ok();
    let domain = u16::from_str_radix(domain, 16).ok()?;
    let found = Pci { domain, bus: byte(bus)?, device: byte(device)?, function: byte(function)? };
    numbers.next().is_none().then_some(found)
}

/// The address under which other hosts on the network know this one: that of the first interface
/// that is up and not a loopback, else the loopback's.
pub fn address() -> IpAddr {
    let mut found: Option<IpAddr> = None;
    let mut list: *mut libc::ifaddrs = std::ptr::null_mut();
    // SAFETY: the system allocates a list, which is read and then freed.
    unsafe {
        if libc::getifaddrs(&raw mut list) == 0 {
            let mut at = list;
            while let Some(entry) = at.as_ref() {
                at = entry.ifa_next;
                let is_up = entry.ifa_flags & libc::IFF_UP as u32 != 0;
                let is_loopback = entry.ifa_flags & libc::IFF_LOOPBACK as u32 != 0;
                let Some(address) = entry.ifa_addr.as_ref().filter(|_| is_up && !is_loopback) else { continue };
                if i32::from(address.sa_family) == libc::AF_INET && found.is_none() {
                    let address = &*entry.ifa_addr.cast::<libc::sockaddr_in>();
                    found = Some(IpAddr::V4(Ipv4Addr::from(u32::from_be(address.sin_addr.s_addr))));
                }
            }
            libc::freeifaddrs(list);
        }
    }
    found.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST))
}

/// The user of this process.
pub fn user() -> u32 {
    // SAFETY: the call only queries.
    unsafe { libc::geteuid() }
}

/// The rank of this process in its job, if its launcher has set it. Source: the variables that
/// MPICH's launcher, Open MPI's, PMIx and Slurm set. Status: published.
pub fn rank() -> Option<u32> {
    const NAMES: [&str; 5] = ["PHILAE_RANK", "PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"];
    NAMES.into_iter().find_map(|name| std::env::var(name).ok()?.parse().ok())
}

/// An unpredictable number.
///
/// # Panics
/// Never on a system that has random numbers at all.
pub fn random() -> u64 {
    let mut bytes = [0_u8; 8];
    // SAFETY: the buffer is as long as it says.
    let got = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    assert_eq!(got, 8, "the system has random numbers");
    u64::from_ne_bytes(bytes)
}

/// This process's number, queried once, and again after a fork.
pub(crate) fn process() -> u32 {
    match PROCESS.load(Ordering::Relaxed) {
        0 => ask_process(),
        known => known,
    }
}

/// The result of [`process`]; 0: not queried yet.
static PROCESS: AtomicU32 = AtomicU32::new(0);

#[cold]
fn ask_process() -> u32 {
    static IS_TOLD: OnceLock<bool> = OnceLock::new();
    extern "C" fn forked() {
        PROCESS.store(0, Ordering::Relaxed);
    }
    // SAFETY: the function only stores a number.
    let is_told = *IS_TOLD.get_or_init(|| unsafe { libc::pthread_atfork(None, None, Some(forked)) } == 0);
    let process = std::process::id();
    if is_told {
        PROCESS.store(process, Ordering::Relaxed);
    }
    process
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_devices_are_read_as_the_system_writes_them() {
        let found = Pci { domain: 1, bus: 0x81, device: 0x1f, function: 7 };
        assert_eq!(pci("0001:81:1f.7"), Some(found));
        for other in ["virtio2", "pci0000:00", "0000:00:03", "0000:00:03.0.1", "10000:00:03.0", "net"] {
            assert_eq!(pci(other), None, "{other}");
        }
    }
}
