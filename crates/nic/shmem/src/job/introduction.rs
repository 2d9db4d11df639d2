//! The first exchange between the PEs of a job: where each PE is, and what it asks for.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::ShmemJob;
use crate::error::Error;
use crate::memory::{HostMemory, SegmentFile, program};
use crate::settings::ShmemSettings;

/// One PE's introduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Introduction {
    /// PEs with the same number can map each other's memory: see [`host`].
    host: u64,
    /// The program's identity, from its static data.
    program: u64,
    /// The requested heap size; 0: none.
    heap: u64,
    /// Whether its static data is to be shared.
    shares_data: u64,
    /// Whether the debug mode is on.
    debug: u64,
    /// Whether several of its threads may call at the same time.
    threads: u64,
    /// The memory of its host: total and free.
    host_memory: HostMemory,
}

/// The version of the introduction. Source: ours. Status: assumed.
const VERSION: u64 = 0x5048_494c_4145_0002;

/// Packs numbers in one byte order for all PEs.
pub(crate) fn pack(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Unpacks exactly `N` numbers.
pub(crate) fn unpack<const N: usize>(pe: usize, bytes: &[u8]) -> Result<[u64; N], Error> {
    let broken = || {
        let what = "this library and that of the PE are different versions, or another program is in the job";
        Error::Job(format!("PE {pe} says {} bytes where {} are expected: {what}", bytes.len(), N * 8))
    };
    let mut numbers = [0; N];
    if bytes.len() != N * 8 {
        return Err(broken());
    }
    for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(8)) {
        *number = u64::from_le_bytes(bytes.try_into().map_err(|_| broken())?);
    }
    Ok(numbers)
}

/// A number for what shares process numbers, user rights and a network. Containers and network
/// namespaces of one machine are hosts of their own, as they are to the provider.
fn host() -> u64 {
    let mut hasher = DefaultHasher::new();
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().hash(&mut hasher);
    for space in ["net", "pid", "user"] {
        std::fs::read_link(format!("/proc/self/ns/{space}")).ok().hash(&mut hasher);
    }
    // SAFETY: the call only queries.
    unsafe { libc::geteuid() }.hash(&mut hasher);
    hasher.finish()
}

/// What follows from all introductions; the same on all PEs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobAgreement {
    /// For each PE the first PE of its host.
    pub hosts: Box<[u32]>,
    /// The heap size of every PE.
    pub heap_bytes: u64,
    /// Whether static data is symmetric.
    pub shares_data: bool,
    /// Whether the debug mode is on for all PEs.
    pub debug: bool,
    /// Whether several threads of any PE may call at the same time.
    pub threads: bool,
}

impl JobAgreement {
    /// Exchanges introductions. `threads`: several threads of this PE may call at the same time.
    ///
    /// # Errors
    /// The PEs cannot work together, with the reason; or the bootstrap's error.
    pub fn reach(job: &ShmemJob, settings: &ShmemSettings, threads: bool) -> Result<Self, Error> {
        let memory = HostMemory::look();
        let own = [
            VERSION,
            host(),
            program(),
            settings.symmetric_size.unwrap_or(0),
            u64::from(settings.static_data),
            u64::from(settings.debug),
            u64::from(threads),
            memory.total,
            memory.free,
        ];
        let mut all = Vec::new();
        for (pe, bytes) in job.exchange(&pack(&own))?.iter().enumerate() {
            let [version, host, program, heap, shares_data, debug, threads, total, free] = unpack(pe, bytes)?;
            if version != VERSION {
                return Err(Error::Job(format!(
                    "PE {pe} has version {version:#x} of this library; this is {VERSION:#x}"
                )));
            }
            let host_memory = HostMemory { total, free };
            all.push(Introduction { host, program, heap, shares_data, debug, threads, host_memory });
        }
        Self::of(&all, settings.freemem_threshold)
    }

    fn of(all: &[Introduction], percent: u32) -> Result<Self, Error> {
        let first_of = |of: &dyn Fn(&Introduction) -> u64, wanted: &Introduction| {
            all.iter().position(|one| of(one) == of(wanted)).unwrap_or(0) as u32
        };
        let hosts: Box<[u32]> = all.iter().map(|one| first_of(&|one| one.host, one)).collect();
        let local = |pe: u32| hosts.iter().filter(|&&first| first == hosts[pe as usize]).count() as u32;
        if let Some(other) = all.iter().position(|one| one.heap != all[0].heap) {
            let size = |bytes: u64| if bytes == 0 { "nothing".to_owned() } else { bytes.to_string() };
            return Err(Error::Mismatch(format!(
                "SHMEM_SYMMETRIC_SIZE is {} on PE 0 and {} on PE {other}; the same on every PE would work",
                size(all[0].heap),
                size(all[other].heap)
            )));
        }
        let heap_bytes = match all[0].heap {
            0 => (0u32..).zip(all).map(|(pe, one)| one.host_memory.default_heap(local(pe))).min().unwrap_or(0),
            asked => {
                for (pe, one) in (0u32..).zip(all) {
                    one.host_memory.check(asked, local(pe), percent)?;
                }
                asked
            }
        };
        let shares_data = all.iter().all(|one| one.shares_data != 0 && one.program == all[0].program);
        let debug = all.iter().any(|one| one.debug != 0);
        let threads = all.iter().any(|one| one.threads != 0);
        Ok(Self { hosts, heap_bytes, shares_data, debug, threads })
    }

    /// The PEs of a PE's host, ascending.
    #[must_use]
    pub fn local(&self, pe: u32) -> Box<[u32]> {
        let first = self.hosts[pe as usize];
        (0u32..).zip(&self.hosts).filter(|&(_, &other)| other == first).map(|(pe, _)| pe).collect()
    }
}

/// Exchanges where each PE's memory is, for the other PEs of its host.
pub(crate) fn exchange_places(
    job: &ShmemJob,
    own: [Option<SegmentFile>; 2],
) -> Result<Vec<[Option<SegmentFile>; 2]>, Error> {
    let numbers = |place: Option<SegmentFile>| match place {
        None => [0; 4],
        Some(place) => [place.pid as u64, place.descriptor as u64, place.inode, place.bytes],
    };
    let told = [numbers(own[0]), numbers(own[1])].concat();
    let all = job.exchange(&pack(&told))?;
    let read = |(pe, bytes): (usize, &Vec<u8>)| {
        let numbers: [u64; 8] = unpack(pe, bytes)?;
        let of = |at: usize| {
            let (pid, descriptor) = (numbers[at] as i32, numbers[at + 1] as i32);
            let place = SegmentFile { pid, descriptor, inode: numbers[at + 2], bytes: numbers[at + 3] };
            (place.bytes > 0).then_some(place)
        };
        Ok([of(0), of(4)])
    };
    all.iter().enumerate().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pe(host: u64, heap: u64) -> Introduction {
        let host_memory = HostMemory { total: 8 << 30, free: 4 << 30 };
        Introduction { host, program: 1, heap, shares_data: 1, debug: 0, threads: 0, host_memory }
    }

    #[test]
    fn hosts_are_named_by_their_first_pe_and_heaps_are_the_same() {
        let all = [pe(7, 0), pe(9, 0), pe(7, 0), pe(9, 0)];
        let agreed = JobAgreement::of(&all, 95).expect("they agree");
        assert_eq!(&agreed.hosts[..], [0, 1, 0, 1]);
        assert_eq!((&agreed.local(2)[..], &agreed.local(1)[..]), (&[0, 2][..], &[1, 3][..]));
        assert!(agreed.shares_data && !agreed.debug && !agreed.threads);
        assert_eq!(agreed.heap_bytes, 1 << 30);
        let mut other = all;
        other[3].program = 2;
        other[2].debug = 1;
        other[1].threads = 1;
        let agreed = JobAgreement::of(&other, 95).expect("they agree");
        assert!(!agreed.shares_data && agreed.debug && agreed.threads);
    }

    #[test]
    fn different_heaps_and_heaps_that_do_not_fit_are_refused() {
        let error = JobAgreement::of(&[pe(7, 0), pe(7, 4096)], 95).expect_err("they differ").to_string();
        assert!(error.contains("nothing on PE 0 and 4096 on PE 1"), "{error}");
        let asked = 3 << 30;
        assert!(JobAgreement::of(&[pe(7, asked), pe(9, asked)], 95).is_ok());
        let error = JobAgreement::of(&[pe(7, asked), pe(7, asked)], 95).expect_err("6 of 4 GiB").to_string();
        assert!(error.contains("6 GiB in all"), "{error}");
    }
}
