//! The choice of a PE's NIC among those of its host.

use super::error::RemoteError;
use super::locality::ranges;

/// How a PE's NIC is chosen. Source: names as MPICH's and the vendor's have them.
/// Status: published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NicPolicy {
    /// Neighbouring PEs share one.
    Block,
    /// One after the other.
    RoundRobin,
    /// The NIC nearest to the PE's processor. In rotation among several, and if no position is
    /// known.
    Numa,
    /// As the job says: NICs with the first and last of their PEs, by index on the host.
    User(Vec<(usize, (u32, u32))>),
}

/// The known facts about a PE and its host's NICs.
pub(super) struct Known<'k> {
    /// The PE's index among those of its host.
    pub index: u32,
    /// The number of PEs on the host.
    pub count: u32,
    /// The NICs' memory nodes, as far as known.
    pub nics: &'k [Option<u32>],
    /// The node that the PE runs at.
    pub node: Option<u32>,
}

const POLICY: &str = "SHMEM_OFI_NIC_POLICY";
const MAPPING: &str = "SHMEM_OFI_NIC_MAPPING";

fn wrong(name: &'static str, value: &str, why: String, works: &'static str) -> RemoteError {
    RemoteError::Setting { name, value: value.to_owned(), why, works }
}

impl NicPolicy {
    /// Parses the two variables.
    ///
    /// # Errors
    /// [`RemoteError::Setting`].
    pub(super) fn parse(policy: Option<&str>, mapping: Option<&str>) -> Result<Self, RemoteError> {
        let mapped = |text: &str| {
            let one = |part: &str| {
                let (nic, pes) = part.split_once(':')?;
                let nic = nic.trim().parse().ok()?;
                Some(ranges(pes)?.into_iter().map(move |range| (nic, range)).collect::<Vec<_>>())
            };
            let parts: Option<Vec<_>> = text.split(';').map(one).collect();
            parts.map(|parts| parts.concat())
        };
        let policy = policy.unwrap_or("BLOCK");
        match policy.to_ascii_uppercase().replace('_', "-").as_str() {
            "BLOCK" => Ok(Self::Block),
            "ROUND-ROBIN" => Ok(Self::RoundRobin),
            "NUMA" => Ok(Self::Numa),
            "USER" => {
                let works = "such as 0:0-3;1:4-7: a NIC, and the PEs of a host that use it";
                let text = mapping.unwrap_or_default();
                let list = mapped(text).filter(|list| !list.is_empty());
                list.map(Self::User).ok_or_else(|| {
                    let why = "is not a list of NICs and PEs, which SHMEM_OFI_NIC_POLICY=USER requires".to_owned();
                    wrong(MAPPING, text, why, works)
                })
            }
            _ => Err(wrong(POLICY, policy, "is no policy".to_owned(), "BLOCK, ROUND-ROBIN, NUMA or USER")),
        }
    }

    /// Chooses the NIC of a PE.
    ///
    /// # Errors
    /// [`RemoteError::Setting`]: the job's own choice does not cover this PE, or names a NIC that
    /// does not exist.
    pub(super) fn choose(&self, known: &Known<'_>) -> Result<usize, RemoteError> {
        let &Known { index, count, nics, node } = known;
        let there = nics.len().max(1);
        match self {
            Self::Block => Ok((index as usize * there / count.max(1) as usize).min(there - 1)),
            Self::RoundRobin => Ok(index as usize % there),
            Self::Numa => {
                let local: Vec<usize> = (0..there).filter(|&nic| node.is_some() && nics[nic] == node).collect();
                Ok(if local.is_empty() { index as usize % there } else { local[index as usize % local.len()] })
            }
            Self::User(list) => {
                let works = "a NIC that is there for every PE of a host";
                let found = list.iter().find(|(_, (first, last))| (*first..=*last).contains(&index));
                let Some(&(nic, _)) = found else {
                    return Err(wrong(MAPPING, &self.said(), format!("has no NIC for PE {index} of its host"), works));
                };
                if nic >= there {
                    let why = format!("names NIC {nic} of {there}");
                    return Err(wrong(MAPPING, &self.said(), why, works));
                }
                Ok(nic)
            }
        }
    }

    fn said(&self) -> String {
        match self {
            Self::User(list) => {
                let part = |(nic, (first, last)): &(usize, (u32, u32))| format!("{nic}:{first}-{last}");
                list.iter().map(part).collect::<Vec<_>>().join(";")
            }
            Self::Block => "BLOCK".to_owned(),
            Self::RoundRobin => "ROUND-ROBIN".to_owned(),
            Self::Numa => "NUMA".to_owned(),
        }
    }
}

impl std::fmt::Display for NicPolicy {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.said())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(policy: &NicPolicy, count: u32, nics: &[Option<u32>], node: Option<u32>) -> Vec<usize> {
        let one = |index| policy.choose(&Known { index, count, nics, node }).expect("a NIC");
        (0..count).map(one).collect()
    }

    #[test]
    fn each_policy_spreads_in_its_way() {
        let two = [Some(0), Some(1)];
        assert_eq!(all(&NicPolicy::Block, 5, &two, None), [0, 0, 0, 1, 1]);
        assert_eq!(all(&NicPolicy::RoundRobin, 5, &two, None), [0, 1, 0, 1, 0]);
        assert_eq!(all(&NicPolicy::Numa, 3, &two, Some(1)), [1, 1, 1]);
        assert_eq!(all(&NicPolicy::Numa, 4, &[Some(0), Some(1), Some(1)], Some(1)), [1, 2, 1, 2]);
        assert_eq!(all(&NicPolicy::Numa, 3, &[None, None], Some(1)), [0, 1, 0], "nothing is known of them");
        let user = NicPolicy::parse(Some("user"), Some("1:0,2;0:1,3-4")).expect("good");
        assert_eq!(all(&user, 5, &two, None), [1, 0, 1, 0, 0]);
    }

    #[test]
    fn a_choice_that_does_not_fit_is_said() {
        let missing = NicPolicy::parse(Some("USER"), None).expect_err("no list").to_string();
        assert!(missing.contains("SHMEM_OFI_NIC_MAPPING=''") && missing.contains("0:0-3;1:4-7"), "{missing}");
        let user = NicPolicy::parse(Some("USER"), Some("0:0;2:1")).expect("good");
        let choose = |index| user.choose(&Known { index, count: 3, nics: &[None, None], node: None });
        assert!(choose(1).expect_err("no such NIC").to_string().contains("names NIC 2 of 2"));
        assert!(choose(2).expect_err("not said").to_string().contains("has no NIC for PE 2"));
    }
}
