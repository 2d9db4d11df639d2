//! A PE's NICs, from initialisation to finalisation.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use philae_fi_sys::*;

use super::atomic::has_native;
use super::context::{ContextCore, RemoteContext};
use super::endpoint::RmaEndpoint;
use super::error::RemoteError;
use super::handle::Handles;
use super::nic::{OpenNic, Registered};
use super::nic_policy::Known;
use super::progress::ProgressThread;
use super::protocol::{ProtocolCounts, Thresholds};
use super::provider::{choose, is_like_the_vendors};
use super::region::{Card, LocalRange, RemoteRange};
use super::rule::ProviderAtomics;
use super::settings::{PutCompletion, RemoteSettings};
use super::thread::Threads;
use super::waits;

/// How PEs exchange their addresses.
pub trait Bootstrap {
    /// This PE, and the number of PEs.
    fn place(&self) -> (u32, u32);
    /// This PE's index among those of its host, and their number.
    fn on_host(&self) -> (u32, u32);
    /// Exchanges bytes: the result has every PE's, by PE. All PEs call it equally often.
    ///
    /// # Errors
    /// The launcher's message.
    fn exchange(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, String>;
}

/// State that contexts share.
pub(super) struct SharedNetwork {
    /// This PE's memory as others reach it. The first field, so that it is dropped first.
    _regions: Vec<Registered>,
    /// The endpoint that others' operations reach.
    target: Arc<RmaEndpoint>,
    nics: Vec<Arc<OpenNic>>,
    /// The index of this PE's own NIC.
    home: usize,
    me: u32,
    pub ranges: Vec<LocalRange>,
    /// Where the other PEs have each range, by PE.
    cards: Vec<Vec<RemoteRange>>,
    pub thresholds: Thresholds,
    pub protocols: ProtocolCounts,
    pub completion: PutCompletion,
    pub bundle: u32,
    pub message_bytes: usize,
    /// Writes of up to this many bytes stay in order; 0: none do.
    pub ordered_bytes: usize,
    pub has_fence: bool,
    /// Whether the NIC supports atomic operations on numbers of 2 bytes.
    pub has_short_atomics: bool,
    patience: Option<Duration>,
    why: String,
    /// Operations that wait for their bundle.
    pub held: AtomicUsize,
    /// Reads that were issued to flush puts.
    pub flushes: AtomicU64,
    pub next_key: AtomicU64,
    opened: AtomicUsize,
    contexts: Mutex<Vec<Weak<ContextCore>>>,
}

/// The path to PEs through the NIC.
pub struct RemoteNetwork {
    /// For the operations of the default context.
    default: RemoteContext,
    pub(super) threads: Threads,
    pub(crate) handles: Handles,
    /// The context of the library's own operations.
    pub(super) own_work: OnceLock<RemoteContext>,
    progress: Option<ProgressThread>,
    pub(super) network: Arc<SharedNetwork>,
}

impl std::fmt::Debug for RemoteNetwork {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let nic = &self.network.nics[self.network.home];
        write!(formatter, "Remote {{ {} of {}, PE {} }}", nic.info.domain(), nic.provider, self.network.me)
    }
}

/// The memory node that this thread runs at, if the system says.
fn own_node() -> Option<u32> {
    // SAFETY: it has no arguments.
    let processor = unsafe { libc::sched_getcpu() };
    let folder = std::fs::read_dir(format!("/sys/devices/system/cpu/cpu{processor}")).ok()?;
    folder.flatten().find_map(|entry| entry.file_name().to_str()?.strip_prefix("node")?.parse().ok())
}

impl SharedNetwork {
    /// Opens NICs and tells the other PEs. All PEs call it at the same time.
    fn open(
        settings: &RemoteSettings,
        bootstrap: &dyn Bootstrap,
        ranges: &[LocalRange],
        has_other_hosts: bool,
    ) -> Result<Arc<Self>, RemoteError> {
        // The program's signal handlers stay in place, whatever libfabric opens to find a provider.
        let _handlers = SignalHandlers::keep();
        let (me, n_pes) = bootstrap.place();
        let chosen = choose(settings, has_other_hosts)?;
        let (index, count) = bootstrap.on_host();
        let nodes: Vec<Option<u32>> = chosen.nics.iter().map(|info| info.node()).collect();
        let home = settings.nic_policy.choose(&Known { index, count, nics: &nodes, node: own_node() })?;
        let mut nics = Vec::new();
        for info in chosen.nics {
            let mut nic = OpenNic::open(chosen.library, info)?;
            nic.know(ranges)?;
            nics.push(Arc::new(nic));
        }
        let nic = Arc::clone(&nics[home]);
        let target = Arc::new(RmaEndpoint::open(&nic, settings.patience, None)?);
        let mode = nic.info.registration();
        let mut regions = Vec::new();
        let mut own = Vec::new();
        for (key, &memory) in ranges.iter().enumerate() {
            if memory.bytes == 0 {
                own.push(RemoteRange { base: 0, bytes: 0, key: 0 });
                continue;
            }
            let region = nic.register(memory, Some(key as u64), 0)?;
            if mode & FI_MR_ENDPOINT != 0 {
                region.bind(&nic, target.raw)?;
            }
            let base = if mode & FI_MR_VIRT_ADDR == 0 { 0 } else { memory.begin as u64 };
            own.push(RemoteRange { base, bytes: memory.bytes as u64, key: region.key() });
            regions.push(region);
        }
        let card = Card { provider: nic.provider.clone(), address: target.address()?, regions: own };
        let cards = introduce(bootstrap, &card, n_pes)?;
        let addresses: Vec<&[u8]> = cards.iter().map(|card| &card.address[..]).collect();
        nics.iter().try_for_each(|nic| nic.learn(&addresses))?;
        let transmit = nic.info.transmit();
        let endpoint = nic.info.endpoint();
        let ordered = if transmit.msg_order & FI_ORDER_WAW == 0 { 0 } else { endpoint.max_order_waw_size };
        let inject = transmit.inject_size;
        let completion = match settings.completion {
            PutCompletion::Auto if nic.provider == "cxi" => PutCompletion::Transmit,
            PutCompletion::Auto => PutCompletion::Delivery,
            said => said,
        };
        let has_short_atomics = has_native(&target, &nic)?;
        Ok(Arc::new(Self {
            _regions: regions,
            target,
            home,
            me,
            ranges: ranges.to_vec(),
            cards: cards.into_iter().map(|card| card.regions).collect(),
            thresholds: Thresholds {
                inject: settings.inject_bytes.min(inject),
                inject_heap: settings.inject_heap_bytes.min(inject),
                restricted: settings.restricted_bytes,
            },
            protocols: ProtocolCounts::default(),
            completion,
            bundle: settings.bundle,
            message_bytes: settings.message_bytes.unwrap_or(usize::MAX).min(endpoint.max_msg_size).max(1),
            ordered_bytes: ordered,
            has_fence: nic.info.capabilities() & FI_FENCE != 0,
            has_short_atomics,
            patience: settings.patience,
            why: chosen.why,
            held: AtomicUsize::new(0),
            flushes: AtomicU64::new(0),
            next_key: AtomicU64::new(0),
            opened: AtomicUsize::new(1),
            contexts: Mutex::default(),
            nics,
        }))
    }

    fn contexts(&self) -> MutexGuard<'_, Vec<Weak<ContextCore>>> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(self: &Arc<Self>, endpoint: Arc<RmaEndpoint>) -> RemoteContext {
        let core = Arc::new(ContextCore::open(self, endpoint));
        self.contexts().push(Arc::downgrade(&core));
        RemoteContext { core }
    }

    /// Removes a context.
    pub fn forget(&self, core: &Arc<ContextCore>) {
        self.contexts().retain(|known| !std::ptr::eq(known.as_ptr(), Arc::as_ptr(core)));
    }

    /// The counterpart at a PE of this PE's address, and its key.
    pub fn remote(&self, what: &'static str, pe: u32, address: usize, bytes: usize) -> Result<(u64, u64), RemoteError> {
        let regions = &self.cards[pe as usize];
        let find = |(memory, remote): (&LocalRange, &RemoteRange)| {
            let offset = memory.offset(address, bytes)? as u64;
            let fits = offset <= remote.bytes && bytes as u64 <= remote.bytes - offset;
            fits.then_some((remote.base + offset, remote.key))
        };
        self.ranges.iter().zip(regions).find_map(find).ok_or_else(|| {
            let one = |(memory, remote): (&LocalRange, &RemoteRange)| {
                let bytes = memory.bytes.min(remote.bytes as usize);
                format!("{:#x} to {:#x}", memory.begin, memory.begin + bytes)
            };
            let legal: Vec<String> =
                self.ranges.iter().zip(regions).filter(|(memory, _)| memory.bytes > 0).map(one).collect();
            RemoteError::Address { what, address: address as u64, bytes, pe, legal: legal.join(", ") }
        })
    }

    /// The number of PEs.
    pub const fn n_pes(&self) -> usize {
        self.cards.len()
    }

    /// Whether this PE's memory at `address` is symmetric.
    pub fn is_symmetric(&self, address: usize, bytes: usize) -> bool {
        self.ranges.iter().any(|range| range.offset(address, bytes).is_some())
    }

    /// Whether writes stay in order.
    pub const fn keeps_order(&self) -> bool {
        self.ordered_bytes > 0
    }

    /// Lets every endpoint make progress, and rings for operations that wait for their bundle.
    /// Returns whether any operation has ended.
    pub fn progress(&self) -> Result<bool, RemoteError> {
        let mut is_busy = self.target.look()?;
        let cores: Vec<Arc<ContextCore>> = self.contexts().iter().filter_map(Weak::upgrade).collect();
        for core in cores {
            if self.held.load(Ordering::Acquire) > 0 {
                core.ring()?;
            }
            if !Arc::ptr_eq(&core.endpoint, &self.target) {
                is_busy |= core.endpoint.look()?;
            }
        }
        Ok(is_busy)
    }
}

/// Sends this PE's card to the others and receives theirs.
fn introduce(bootstrap: &dyn Bootstrap, own: &Card, n_pes: u32) -> Result<Vec<Card>, RemoteError> {
    let said = bootstrap.exchange(&own.encode()).map_err(RemoteError::Job)?;
    if said.len() != n_pes as usize {
        return Err(RemoteError::Job(format!("{} PEs of {n_pes} have announced their NICs", said.len())));
    }
    let decode = |(pe, bytes): (usize, &Vec<u8>)| {
        let card = Card::decode(bytes).ok_or_else(|| {
            RemoteError::Mismatch(format!(
                "PE {pe} has announced its NIC in an unknown form: it has another version of the library"
            ))
        })?;
        if card.provider != own.provider {
            let (its, ours) = (card.provider, &own.provider);
            return Err(RemoteError::Mismatch(format!(
                "PE {pe} uses provider '{its}' of libfabric and this PE '{ours}'; SHMEM_OFI_PROVIDER with one provider for all would work"
            )));
        }
        if card.regions.len() != own.regions.len() {
            return Err(RemoteError::Mismatch(format!("PE {pe} has other kinds of symmetric memory than this PE")));
        }
        Ok(card)
    };
    said.iter().enumerate().map(decode).collect()
}

impl RemoteNetwork {
    /// Opens provider, NIC and endpoint, and registers memory. All PEs call it at the same time.
    /// `ranges` are in the same order on all; the first has at least 8 bytes. `has_other_hosts`:
    /// some PEs are on other hosts.
    ///
    /// # Errors
    /// [`RemoteError`].
    pub fn open(
        settings: &RemoteSettings,
        bootstrap: &dyn Bootstrap,
        ranges: &[LocalRange],
        has_other_hosts: bool,
    ) -> Result<Self, RemoteError> {
        let network = SharedNetwork::open(settings, bootstrap, ranges, has_other_hosts)?;
        let default = network.add(Arc::clone(&network.target));
        let home = &network.nics[network.home];
        let traced = std::env::var_os("FI_PHILAE_TRACE").filter(|folder| !folder.is_empty() && home.is_philae());
        if let Some(folder) = traced {
            waits::begin(folder.as_ref(), network.me, ranges);
        }
        let needs_thread = settings.has_progress && !home.info.has_progress();
        let progress = if needs_thread { Some(ProgressThread::start(&network)?) } else { None };
        Ok(Self {
            default,
            threads: Threads::default(),
            handles: Handles::default(),
            own_work: OnceLock::new(),
            progress,
            network,
        })
    }

    /// The default context's NIC side. For a registered thread, its own.
    #[must_use]
    pub const fn default_context(&self) -> &RemoteContext {
        &self.default
    }

    /// A context of its own, with an endpoint that shares nothing with others.
    ///
    /// # Errors
    /// The provider has no further endpoint.
    pub fn context(&self) -> Result<RemoteContext, RemoteError> {
        let SharedNetwork { nics, home, patience, target, .. } = &*self.network;
        let number = self.network.opened.fetch_add(1, Ordering::Relaxed);
        let nic = &nics[(home + number) % nics.len()];
        Ok(self.network.add(Arc::new(RmaEndpoint::open(nic, *patience, Some(target))?)))
    }

    /// Lets every endpoint make progress: for loops that wait for memory.
    ///
    /// # Errors
    /// An operation failed.
    pub fn progress(&self) -> Result<bool, RemoteError> {
        self.network.progress()
    }

    /// Which agent carries out the provider's atomic operations.
    #[must_use]
    pub fn atomics(&self) -> ProviderAtomics {
        self.network.nics[self.network.home].atomics()
    }

    /// The NICs' counters for this process, by name; `None` if the provider has none.
    #[must_use]
    pub fn nic_counts(&self) -> Option<Vec<(String, u64)>> {
        let mut all: Vec<(String, u64)> = Vec::new();
        for nic in &self.network.nics {
            for (name, count) in nic.counts()? {
                match all.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, sum)) => *sum += count,
                    None => all.push((name, count)),
                }
            }
        }
        Some(all)
    }

    /// This library's counters: protocols of puts, and flushing reads.
    #[must_use]
    pub fn counts(&self) -> Vec<(&'static str, u64)> {
        let flushes = self.network.flushes.load(Ordering::Relaxed);
        self.network.protocols.list().into_iter().chain([("flush_reads", flushes)]).collect()
    }

    /// What was chosen, as lines of a name and a text.
    #[must_use]
    pub fn description(&self) -> Vec<(&'static str, String)> {
        let network = &*self.network;
        let nic = &network.nics[network.home];
        let transmit = nic.info.transmit();
        let Thresholds { inject, inject_heap, restricted } = network.thresholds;
        let (major, minor) = nic.library.version();
        let class = match transmit.tclass {
            FI_TC_UNSPEC => "unspecified".to_owned(),
            FI_TC_BEST_EFFORT => "best effort".to_owned(),
            FI_TC_LOW_LATENCY => "low latency".to_owned(),
            FI_TC_DEDICATED_ACCESS => "dedicated access".to_owned(),
            FI_TC_BULK_DATA => "bulk data".to_owned(),
            other => other.to_string(),
        };
        let progress = match (&self.progress, nic.info.has_progress()) {
            (Some(_), _) => "a thread of this library's",
            (None, true) => "the provider's own",
            (None, false) => "only within calls",
        };
        let completion = match network.completion {
            PutCompletion::Transmit => "the target's NIC has it",
            _ => "it is in the target's memory",
        };
        let order = match (network.ordered_bytes, network.has_fence) {
            (0, true) => "by fences".to_owned(),
            (0, false) => "by waiting".to_owned(),
            (usize::MAX, _) => "kept by the NIC".to_owned(),
            (bytes, _) => format!("kept by the NIC up to {bytes} B"),
        };
        vec![
            ("provider", format!("{} of libfabric {major}.{minor} ({})", nic.provider, network.why)),
            ("NIC", format!("{}, {} of {}", nic.info.domain(), network.home + 1, network.nics.len())),
            ("traffic class", class),
            ("progress", progress.to_owned()),
            ("a put ends when", completion.to_owned()),
            ("order of puts", order),
            ("injected", format!("up to {inject} B; from symmetric memory without blocking up to {inject_heap} B")),
            ("in one packet at the high rate", format!("up to {restricted} B")),
            ("longest transfer", format!("{} B", network.message_bytes)),
            ("operations of a bundle", network.bundle.to_string()),
            (
                "atomics of 2 bytes",
                if network.has_short_atomics { "the NIC's" } else { "by comparing 4 bytes" }.to_owned(),
            ),
            (
                "session hints",
                if is_like_the_vendors(&nic.provider) { "all" } else { "bundles and delivery" }.to_owned(),
            ),
        ]
    }
}
