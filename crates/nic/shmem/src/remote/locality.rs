//! Which PEs of this host are reached through memory, and which through the NIC nevertheless.

use super::error::RemoteError;

/// The environment's request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locality {
    /// A PE is local only to itself.
    is_all_remote: bool,
    /// Ranges (first and last) of PEs that are local to no other PE.
    remote: Vec<(u32, u32)>,
    /// The most PEs of a host that share memory; `None`: all.
    limit: Option<u32>,
}

/// A PE's number, and its index among the PEs of its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostMember {
    /// Among all PEs.
    pub pe: u32,
    /// Among the PEs of its host, in order.
    pub index: u32,
}

impl Locality {
    /// Parses the three variables.
    ///
    /// # Errors
    /// [`RemoteError::Setting`]: not a list of PEs.
    pub(super) fn parse(is_all_remote: bool, remote: Option<&str>, limit: i64) -> Result<Self, RemoteError> {
        let wrong = |why: &str| RemoteError::Setting {
            name: "SHMEM_LOCALITY_OFFNODE",
            value: remote.unwrap_or_default().to_owned(),
            why: why.to_owned(),
            works: "list of PEs such as 1,4-7",
        };
        let remote = match remote {
            None => Vec::new(),
            Some(list) => {
                ranges(list).ok_or_else(|| wrong("is not a list of PEs, each a number or an ascending range"))?
            }
        };
        Ok(Self { is_all_remote, remote, limit: u32::try_from(limit).ok() })
    }

    /// Whether two PEs of one host reach each other through memory. Symmetric.
    #[must_use]
    pub fn is_local(&self, one: HostMember, other: HostMember) -> bool {
        let is_remote = |pe: u32| self.remote.iter().any(|&(first, last)| (first..=last).contains(&pe));
        let group = |place: HostMember| self.limit.map_or(0, |limit| place.index / limit.max(1));
        one.pe == other.pe
            || !self.is_all_remote && !is_remote(one.pe) && !is_remote(other.pe) && group(one) == group(other)
    }

    /// The groups of PEs that share memory: for each PE the first PE that is local to it. `hosts`:
    /// for each PE the first of its host.
    #[must_use]
    pub fn groups(&self, hosts: &[u32]) -> Box<[u32]> {
        let index = |pe: usize| hosts[..pe].iter().filter(|&&first| first == hosts[pe]).count() as u32;
        let places: Vec<HostMember> =
            (0..hosts.len()).map(|pe| HostMember { pe: pe as u32, index: index(pe) }).collect();
        let first = |pe: usize| {
            let local = |other: &usize| hosts[*other] == hosts[pe] && self.is_local(places[*other], places[pe]);
            (0..=pe).find(local).unwrap_or(pe) as u32
        };
        (0..hosts.len()).map(first).collect()
    }

    /// Whether any PE is to be remote that need not be.
    #[must_use]
    pub fn asks_for_nic(&self) -> bool {
        self.is_all_remote || !self.remote.is_empty() || self.limit.is_some()
    }
}

/// Parses a list such as `1,4-7`.
pub(crate) fn ranges(list: &str) -> Option<Vec<(u32, u32)>> {
    let one = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (first <= last).then_some((first, last))
    };
    list.split(',').map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(locality: &Locality) -> Vec<Vec<bool>> {
        let place = |pe: u32| HostMember { pe, index: pe };
        (0..4).map(|one| (0..4).map(|other| locality.is_local(place(one), place(other))).collect()).collect()
    }

    #[test]
    fn groups_are_parts_of_hosts() {
        let hosts = [0, 1, 0, 1, 0, 0];
        let groups =
            |all, remote: Option<&str>, limit| Locality::parse(all, remote, limit).expect("good").groups(&hosts);
        assert_eq!(groups(false, None, -1)[..], hosts);
        assert_eq!(groups(true, None, -1)[..], [0, 1, 2, 3, 4, 5]);
        assert_eq!(groups(false, Some("2"), -1)[..], [0, 1, 2, 1, 0, 0]);
        assert_eq!(groups(false, None, 2)[..], [0, 1, 0, 1, 4, 4]);
    }

    #[test]
    fn local_is_symmetric_and_each_pe_is_local_to_itself() {
        let parse = |all, remote: Option<&str>, limit| local(&Locality::parse(all, remote, limit).expect("good"));
        for found in [parse(false, None, -1), parse(true, None, -1), parse(false, Some("1"), -1), parse(false, None, 2)]
        {
            for (one, row) in found.iter().enumerate() {
                assert!(row[one]);
                (0..4).for_each(|other| assert_eq!(row[other], found[other][one]));
            }
        }
        assert!(parse(false, None, -1).concat().into_iter().all(|is_local| is_local));
        assert_eq!(parse(true, None, -1).concat().into_iter().filter(|&is_local| is_local).count(), 4);
        assert_eq!(parse(false, Some("1, 3-3"), -1)[0], [true, false, true, false]);
        assert_eq!(parse(false, None, 2)[2], [false, false, true, true]);
        assert_eq!(parse(false, None, 0)[2], [false, false, true, false], "none and one share nothing");
    }
}
