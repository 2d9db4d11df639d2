//! The endpoints of this host, with their owners, and whether these are alive.

use std::os::unix::fs::MetadataExt;

use crate::shm::area::{AreaError, SharedArea};
use crate::shm::file::{self, FOLDER, remove_stale};
pub use crate::shm::paths::{PeerName, PeerPath};

/// The state of an endpoint's owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    Alive(u32),
    /// It is alive in another PID namespace, such as a container that shares this memory: its
    /// number has no meaning here.
    Elsewhere,
    /// It has died without closing the endpoint, so its memory is still in use. The number is
    /// unknown if it was killed while it opened the endpoint.
    Dead(Option<u32>),
    /// It cannot be determined: the endpoint is another user's, or of another version of the
    /// provider.
    Unknown(String),
}

/// The memory of an endpoint on this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostEndpoint {
    /// Its name in the system's shared memory.
    pub name: String,
    pub user: u32,
    /// The number of its NIC.
    pub device: u8,
    /// Its virtual network.
    pub vni: u16,
    /// Its process number on the NIC.
    pub pid: u16,
    /// The memory that it uses, in bytes.
    pub bytes: u64,
    pub owner: Owner,
    /// The peers that it has talked to, and over which path; the first 64.
    pub peers: Vec<(PeerName, PeerPath)>,
    /// How many more peers there are, by path.
    pub other_peers: [u32; 4],
}

/// Every endpoint of this host, in the order of user, NIC, virtual network and process number.
///
/// # Errors
/// The system's shared memory cannot be listed.
pub fn endpoints() -> std::io::Result<Vec<HostEndpoint>> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(FOLDER)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some((user, device, vni, pid)) = parts(&name) else { continue };
        // An endpoint that is gone meanwhile is skipped.
        let Ok(memory) = entry.metadata() else { continue };
        let (mut peers, mut other_peers) = (Vec::new(), [0; 4]);
        let owner = match (
            file::open(&name, libc::O_RDWR).and_then(|file| file::is_owned(&file)),
            SharedArea::look_at(&name),
        ) {
            (Err(error), _) if error.kind() == std::io::ErrorKind::NotFound => continue,
            (_, Err(AreaError::System { source, .. })) if source.kind() == std::io::ErrorKind::NotFound => continue,
            (Err(error), _) => Owner::Unknown(error.to_string()),
            (Ok(false), area) => Owner::Dead(area.ok().filter(SharedArea::is_here).map(|area| area.owner())),
            (Ok(true), Ok(area)) => {
                (peers, other_peers) = area.ways();
                if area.is_here() { Owner::Alive(area.owner()) } else { Owner::Elsewhere }
            }
            (Ok(true), Err(error)) => Owner::Unknown(error.to_string()),
        };
        all.push(HostEndpoint {
            user,
            device,
            vni,
            pid,
            bytes: memory.blocks() * 512,
            owner,
            name,
            peers,
            other_peers,
        });
    }
    all.sort_by_key(|found| (found.user, found.device, found.vni, found.pid));
    Ok(all)
}

/// Frees the memory of endpoints whose owners have died; returns these endpoints.
///
/// # Errors
/// As [`endpoints`].
pub fn clean() -> std::io::Result<Vec<HostEndpoint>> {
    let all = endpoints()?.into_iter();
    Ok(all.filter(|found| matches!(found.owner, Owner::Dead(_)) && remove_stale(&found.name)).collect())
}

/// The parts of an area's name: user, device, virtual network, process number.
fn parts(name: &str) -> Option<(u32, u8, u16, u16)> {
    let mut words = name.strip_prefix("philae-")?.split('-');
    let parts = (
        words.next()?.parse().ok()?,
        words.next()?.parse().ok()?,
        words.next()?.parse().ok()?,
        words.next()?.parse().ok()?,
    );
    words.next().is_none().then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::area_name;

    #[test]
    fn names_are_those_that_endpoints_have() {
        assert_eq!(parts(&area_name(1000, 3, 65_535, 510)), Some((1000, 3, 65_535, 510)));
        for name in ["philae-1-2-3", "philae-1-2-3-4-5", "philae-test-pair-77", "sem.philae-1-2-3-4", ""] {
            assert_eq!(parts(name), None, "{name}");
        }
    }

    #[test]
    fn an_endpoint_is_found_while_it_lives() {
        use crate::shm::area::{AreaCapacity, PortalShape};
        use philae_nic_core::nic::BufferShape;
        let portal = PortalShape { receives: 16, arrivals: 16, blocks: BufferShape { blocks: [16, 4, 2] } };
        let shape = AreaCapacity { plain: portal, tagged: portal, regions: 8, counters: 4, triggers: 4, events: 64 };
        // A device that no program has, so that no other test uses it either.
        let name = area_name(crate::host::user(), 250, 9, (std::process::id() % 500) as u16);
        let area = SharedArea::create(&name, shape, 9, 1).expect("it can be made");
        let find = || endpoints().expect("a folder").into_iter().find(|found| found.name == name);
        let found = find().expect("it is there");
        assert_eq!((found.device, found.vni, found.owner), (250, 9, Owner::Alive(std::process::id())));
        assert!(found.bytes >= 4_096, "{}", found.bytes);
        assert!(found.peers.is_empty() && found.other_peers == [0; 4]);
        area.note_way(PeerName::Neighbour(0, 7), PeerPath::NoCopies);
        assert_eq!(find().expect("it is there").peers, [(PeerName::Neighbour(0, 7), PeerPath::NoCopies)]);
        drop(area);
        assert_eq!(find(), None);
        file::open(&name, libc::O_CREAT | libc::O_RDWR).expect("one that was cut off at its beginning");
        assert_eq!(find().expect("it is there").owner, Owner::Dead(None));
        assert!(remove_stale(&name));
        assert_eq!(find(), None);
    }
}
