//! What tells this host, and this user, from others.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

/// The number of this host: of what shares process numbers, memory and a network with this process. Containers and network
/// namespaces of one machine are hosts of their own: they reach each other over their network.
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

/// The user of this process.
pub fn user() -> u32 {
    // SAFETY: the call only asks.
    unsafe { libc::geteuid() }
}

/// A number that nobody can guess.
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
