//! Settings from the environment: the vendor's names where its provider has one, our own for the
//! rest.

mod limit;
mod names;

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::OnceLock;

use philae_nic_core::nic::{MatchMode, ProcessMatching};

use crate::address::{ADDRESS_BITS, AddressForm, NICS, PIDS};
use crate::host::Pci;
use crate::limits::EAGER_MAX;
use crate::log::{MessageLevel, say, tell};
pub(crate) use limit::Limit;
use limit::{BUFFER_MAX, BUFFERS_MAX};
use names::{NAMES, SettingName, Tier};

/// The settings from the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderSettings {
    /// The provider's name.
    pub name: &'static str,
    /// The virtual networks that this process may use; the first is its default.
    pub vnis: Vec<u16>,
    pub nics: NicSettings,
    pub messages: MessageSettings,
    pub regions: RegionSettings,
    pub sizes: SizeSettings,
    pub waiting: WaitSettings,
    pub telemetry: TelemetrySettings,
    pub wires: WireSettings,
}

/// The NICs of this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NicSettings {
    /// Their numbers.
    pub devices: Vec<u8>,
    /// The services whose resources are used, by NIC.
    pub services: Vec<u32>,
    /// The bus location that the NIC is to report.
    pub pci: Option<Pci>,
    /// The address of the first NIC: group, switch and port.
    pub first_address: u32,
}

/// Messages, writes and atomic operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageSettings {
    /// The most bits of a tag. The vendor's NIC has 48, and MPI libraries know that by its name;
    /// under another name they assume more.
    pub tag_bits: u64,
    /// Longer messages are fetched by their receiver. This combines the vendor's threshold and its
    /// minimum of a fetch.
    pub rendezvous_threshold: usize,
    /// The limit on messages that an endpoint keeps while no block is free.
    pub unexpected: Limit,
    /// The limit on messages that software keeps instead of the NIC.
    pub requests: Limit,
    /// The match mode, and when it changes.
    pub matching: ProcessMatching,
    /// Whether short messages, writes and atomic operations that are not injected go inline.
    pub inline: [bool; 3],
    /// Whether writes may have data for their target.
    pub has_write_data: bool,
}

/// Registered memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionSettings {
    /// Whether the provider offers its own keys to programs that can take them.
    pub offers_keys: bool,
    /// Whether regions with low keys are of the fast kind.
    pub is_optimized: bool,
    /// Whether closing a region waits for operations that are about to reach it.
    pub match_events: bool,
    /// Whether regions with the provider's keys are cached.
    pub key_cache: bool,
}

/// Default sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeSettings {
    /// Completions of a queue without a requested size.
    pub queue: usize,
    /// The most outstanding operations of an endpoint.
    pub transmit: usize,
    /// The most posted receives of an endpoint.
    pub receive: usize,
}

/// Threads that wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitSettings {
    /// Polls of a waiter for a counter before it yields; `None`: by time.
    pub counter_polls: Option<u32>,
    /// How long a waiter polls before it yields, in ns.
    pub spin_ns: u64,
}

/// Reports when a domain closes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TelemetrySettings {
    /// The names of the counts.
    pub counts: Vec<String>,
    /// The service that is reported; `None`: any.
    pub service: Option<u32>,
}

/// The transports to peers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireSettings {
    /// The address of the wire between hosts; `None`: no wire.
    pub bind: Option<SocketAddr>,
    /// The port of process number 0 of the first NIC, if ports follow from process numbers.
    pub port_base: Option<u16>,
    /// Whether processes of this host are reached through shared memory.
    pub has_shared_memory: bool,
    /// Whether processes are the ranks of a simulated run: its fabric carries what they send.
    pub is_simulated: bool,
    /// Whether the system may copy from and to their memory, if it permits that to this process.
    pub copies: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}={value}: {expected}")]
pub struct VariableError {
    name: &'static str,
    value: String,
    expected: String,
}

/// List entries of a NIC. Source: `fi_cxi(7)` and its provider. Status: published; that each
/// endpoint has its own is ours.
const LIST_ENTRIES: usize = 16_384;
/// The vendor's smallest fetch by a receiver, in bytes. Source: fi_cxi(7). Status: published.
const GET_MIN: usize = 2_049;
/// The default bytes of messages that an endpoint keeps in its process's memory. MPI programs rely
/// on short sends that return although no receive is posted, and libfabric's `tcp` has no limit at
/// all. Source: ours. Status: assumed.
const UNEXPECTED_BYTES: usize = 1 << 30;
/// Bytes of such a buffer if only the number of buffers is set. Source: fi_cxi(7).
/// Status: published.
const BUFFER_BYTES: usize = 12 << 20;

/// The limit on messages in the buffers with this name.
fn limit(name: &'static str, size: Option<usize>, buffers: usize, is_set: bool) -> Limit {
    let bytes = if is_set { size.unwrap_or(BUFFER_BYTES) * buffers } else { UNEXPECTED_BYTES };
    Limit { bytes, name, buffers, buffer_max: BUFFER_MAX }
}

/// The vendor's variables that are set but have no effect here. Those whose reason is "as above"
/// get it written out.
fn without_effect(is_set: impl Fn(&str) -> bool) -> Vec<SettingName> {
    let mut found = Vec::new();
    let mut reason = "";
    for name in NAMES.into_iter().filter(|name| name.tier != Tier::Read) {
        reason = if name.effect.starts_with("as above") { reason } else { name.effect };
        if is_set(name.name) {
            found.push(SettingName { effect: reason, ..name });
        }
    }
    found
}

impl ProviderSettings {
    /// The settings of this process, read once.
    ///
    /// # Errors
    /// [`VariableError`]: the first variable that cannot be used.
    pub fn of_environment() -> Result<&'static Self, VariableError> {
        static SETTINGS: OnceLock<Result<ProviderSettings, VariableError>> = OnceLock::new();
        let read = || {
            for SettingName { name, effect, range, default, .. } in
                without_effect(|name| std::env::var_os(name).is_some())
            {
                say(
                    MessageLevel::Warn,
                    &format!("{name} ({range}; by default {default}) has no effect here: {effect}"),
                );
            }
            Self::read(&|name| std::env::var(name).ok()).inspect_err(|error| tell(&format!("philae: {error}")))
        };
        SETTINGS.get_or_init(read).as_ref().map_err(Clone::clone)
    }

    /// Whether neighbours are reached through memory: the system lets this process take part in
    /// copies, or there is no other path.
    #[must_use]
    pub fn reaches_memory(&self) -> bool {
        self.wires.has_shared_memory && (self.takes_copies() || self.wires.bind.is_none())
    }

    /// Whether this process takes part in copies between processes.
    #[must_use]
    pub fn takes_copies(&self) -> bool {
        self.wires.copies && crate::shm::copy::obstacle().is_none()
    }

    /// Reads the settings through `variable`.
    ///
    /// # Errors
    /// [`VariableError`].
    pub fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, VariableError> {
        let source = Source { variable };
        // Both names of a setting are checked, whichever counts.
        let default_vni = source.number("FI_CXI_DEFAULT_VNI", 10, 1..=65_535)? as u16;
        let vnis =
            match source.list("SLINGSHOT_VNIS", "numbers from 1 to 65535, with commas between", |vni| *vni > 0)? {
                Some(vnis) => vnis,
                None => vec![default_vni],
            };
        let name = match variable("FI_PHILAE_NAME").as_deref() {
            None | Some("philae") => "philae",
            Some("cxi") => "cxi",
            Some(other) => return Err(wrong("FI_PHILAE_NAME", other, "philae or cxi")),
        };
        let wires = variable("FI_PHILAE_WIRES").unwrap_or_else(|| "shm,udp".to_owned());
        let is_simulated = wires == "sim";
        if !is_simulated && let Some(other) = wires.split(',').find(|wire| !["shm", "udp"].contains(wire)) {
            return Err(wrong("FI_PHILAE_WIRES", &wires, &format!("shm, udp, or both; {other} is neither")));
        }
        let copies = match variable("FI_PHILAE_COPY").as_deref() {
            None | Some("auto") => true,
            Some("off") => false,
            Some(other) => return Err(wrong("FI_PHILAE_COPY", other, "auto or off")),
        };
        let offers_keys = match variable("FI_PHILAE_KEYS").as_deref() {
            None | Some("auto") => true,
            Some("client") => false,
            Some(other) => return Err(wrong("FI_PHILAE_KEYS", other, "auto or client")),
        };
        source.check_others()?;
        let bits = source.number("FI_PHILAE_TAG_BITS", if name == "cxi" { 48 } else { 64 }, 16..=64)?;
        let nics = NicSettings {
            devices: source.devices()?,
            services: source
                .list("SLINGSHOT_SVC_IDS", "numbers from 1 to 4294967295, with commas between", |service| *service > 0)?
                .unwrap_or_else(|| vec![1]),
            pci: source.pci()?,
            first_address: source.address()?,
        };
        let messages = MessageSettings {
            tag_bits: u64::MAX >> (64 - bits),
            rendezvous_threshold: source.rendezvous()?,
            unexpected: source.overflow()?,
            requests: source.requests()?,
            matching: source.matching()?,
            inline: source.inline()?,
            has_write_data: source.flag("FI_CXI_ENABLE_WRITEDATA", true)?,
        };
        let waiting = WaitSettings {
            counter_polls: source
                .optional("FI_CXI_CNTR_SPIN_BEFORE_YIELD", 0..=1_000_000_000)?
                .map(|polls| polls as u32),
            spin_ns: source.number("FI_PHILAE_SPIN_NSEC", 2_000, 0..=1_000_000_000)? as u64,
        };
        let telemetry = TelemetrySettings { counts: source.telemetry()?, service: source.telemetry_service()? };
        let sizes = SizeSettings {
            queue: source.number("FI_CXI_DEFAULT_CQ_SIZE", 131_072, 1..=1 << 24)?,
            transmit: source.number("FI_CXI_DEFAULT_TX_SIZE", 1_024, 1..=16_384)?,
            receive: source.number("FI_CXI_DEFAULT_RX_SIZE", 1_024, 1..=15_360)?,
        };
        let has = |name| wires.split(',').any(|wire| wire == name);
        let wires = WireSettings {
            bind: if has("udp") { Some(source.bind()?) } else { None },
            port_base: source.port_base()?,
            has_shared_memory: has("shm") || is_simulated,
            is_simulated,
            copies,
        };
        let regions = RegionSettings {
            offers_keys,
            is_optimized: source.flag("FI_CXI_OPTIMIZED_MRS", true)?,
            match_events: source.flag("FI_CXI_MR_MATCH_EVENTS", false)?,
            key_cache: source.flag("FI_CXI_PROV_KEY_CACHE", true)?,
        };
        Ok(Self { name, vnis, nics, messages, regions, sizes, waiting, telemetry, wires })
    }
}

impl ProviderSettings {
    /// The index of a NIC among those of this process.
    fn index(&self, device: u8) -> usize {
        self.nics.devices.iter().position(|&known| known == device).unwrap_or(0)
    }

    /// The address of a NIC: those of one host are at consecutive ports.
    pub(crate) fn nic_address(&self, device: u8) -> u32 {
        (self.nics.first_address + self.index(device) as u32) & ((1 << ADDRESS_BITS) - 1)
    }

    /// The form of addresses for a format.
    pub(crate) fn address_form(&self, format: u32) -> AddressForm {
        match format {
            philae_fi_sys::FI_ADDR_CXI => AddressForm::Vendor { first_nic: self.nics.first_address },
            _ => AddressForm::Whole,
        }
    }

    /// The service of a NIC; the last one named applies to all following NICs.
    pub(crate) fn service(&self, device: u8) -> u32 {
        let last = self.nics.services.last().copied().unwrap_or(1);
        self.nics.services.get(self.index(device)).copied().unwrap_or(last)
    }
}

impl ProviderSettings {
    /// The datagram port for a process number of a NIC; `None` if any port will do.
    pub(crate) fn port(&self, device: u8, pid: u16) -> Option<u16> {
        self.wires.port_base.map(|base| base + u16::from(device) * PIDS + pid)
    }
}

fn wrong(name: &'static str, value: &str, expected: &str) -> VariableError {
    VariableError { name, value: value.to_owned(), expected: format!("expected {expected}") }
}

struct Source<'s> {
    variable: &'s dyn Fn(&str) -> Option<String>,
}

impl Source<'_> {
    fn number(
        &self,
        name: &'static str,
        default: usize,
        range: std::ops::RangeInclusive<usize>,
    ) -> Result<usize, VariableError> {
        let Some(text) = (self.variable)(name) else { return Ok(default) };
        let found = text.trim().parse().ok().filter(|number| range.contains(number));
        let expected = || format!("a whole number from {} to {}", range.start(), range.end());
        found.ok_or_else(|| wrong(name, &text, &expected()))
    }

    fn optional(
        &self,
        name: &'static str,
        range: std::ops::RangeInclusive<usize>,
    ) -> Result<Option<usize>, VariableError> {
        let is_set = (self.variable)(name).is_some_and(|text| !text.trim().is_empty());
        if is_set { self.number(name, 0, range).map(Some) } else { Ok(None) }
    }

    /// Checks that the value is one of a few words.
    fn word(&self, name: &'static str, words: &[&str]) -> Result<(), VariableError> {
        let Some(text) = (self.variable)(name).filter(|text| !text.trim().is_empty()) else { return Ok(()) };
        let word = text.trim().to_ascii_lowercase();
        if words.contains(&word.as_str()) { Ok(()) } else { Err(wrong(name, &text, &words.join(", "))) }
    }

    /// The longest message that is not fetched.
    fn rendezvous(&self) -> Result<usize, VariableError> {
        let threshold = self.number("FI_CXI_RDZV_THRESHOLD", EAGER_MAX, 0..=EAGER_MAX)?;
        let least = self.number("FI_CXI_RDZV_GET_MIN", GET_MIN, 0..=EAGER_MAX)?;
        Ok((threshold + least).min(EAGER_MAX))
    }

    /// The limit of all overflow buffers.
    fn overflow(&self) -> Result<Limit, VariableError> {
        let size = self.optional("FI_CXI_OFLOW_BUF_SIZE", EAGER_MAX..=BUFFER_MAX)?;
        let least = self.optional("FI_CXI_OFLOW_BUF_MIN_POSTED", 1..=BUFFERS_MAX)?;
        let most = self.optional("FI_CXI_OFLOW_BUF_MAX_CACHED", 0..=BUFFERS_MAX)?;
        let is_set = size.is_some() || least.is_some() || most.is_some();
        let buffers = match most.unwrap_or_else(|| 3 * least.unwrap_or(3)) {
            0 => BUFFERS_MAX,
            most => most,
        };
        Ok(limit("OFLOW", size, buffers, is_set))
    }

    /// The limit of all request buffers.
    fn requests(&self) -> Result<Limit, VariableError> {
        let size = self.optional("FI_CXI_REQ_BUF_SIZE", EAGER_MAX..=BUFFER_MAX)?;
        let least = self.optional("FI_CXI_REQ_BUF_MIN_POSTED", 2..=BUFFERS_MAX)?;
        let most = self.optional("FI_CXI_REQ_BUF_MAX_CACHED", 0..=BUFFERS_MAX)?;
        let is_set = size.is_some() || least.is_some() || most.is_some();
        let buffers = match most.unwrap_or(0) {
            0 => BUFFERS_MAX,
            most => most.max(least.unwrap_or(4)),
        };
        Ok(limit("REQ", size, buffers, is_set))
    }

    /// The match mode.
    fn matching(&self) -> Result<ProcessMatching, VariableError> {
        let name = "FI_CXI_RX_MATCH_MODE";
        let mode = match (self.variable)(name).filter(|text| !text.trim().is_empty()) {
            None => MatchMode::Hardware,
            Some(text) => MatchMode::named(text.trim())
                .ok_or_else(|| wrong(name, &text, &MatchMode::ALL.map(MatchMode::as_str).join(", ")))?,
        };
        let entries = self.number("FI_PHILAE_LIST_ENTRIES", LIST_ENTRIES, 1..=LIST_ENTRIES)? as u32;
        let size = self.number("FI_CXI_DEFAULT_RX_SIZE", 1_024, 1..=15_360)? as u32;
        let over = |is_set: bool| if is_set { size } else { 0 };
        let receives = over(self.flag("FI_CXI_HYBRID_POSTED_RECV_PREEMPTIVE", false)?);
        let messages = over(self.flag("FI_CXI_HYBRID_UNEXPECTED_MSG_PREEMPTIVE", false)?);
        let is_early = self.flag("FI_CXI_HYBRID_PREEMPTIVE", false)?;
        Ok(ProcessMatching::new(mode, entries).with_early_change(receives, messages, is_early))
    }

    /// Whether short data that is not injected goes inline: for messages, writes, atomic
    /// operations.
    fn inline(&self) -> Result<[bool; 3], VariableError> {
        Ok([
            !self.flag("FI_CXI_DISABLE_NON_INJECT_MSG_IDC", false)?,
            !self.flag("FI_CXI_DISABLE_NON_INJECT_RMA_IDC", false)?,
            !self.flag("FI_CXI_DISABLE_NON_INJECT_AMO_IDC", false)?,
        ])
    }

    /// Counts that are reported when a domain closes.
    fn telemetry(&self) -> Result<Vec<String>, VariableError> {
        let name = "FI_CXI_TELEMETRY";
        let Some(text) = (self.variable)(name).filter(|text| !text.trim().is_empty()) else { return Ok(Vec::new()) };
        let known: Vec<&str> = crate::traffic::names();
        let one = |part: &str| known.contains(&part.trim()).then(|| part.trim().to_owned());
        let expected = || format!("counts by name, with commas between: {}", known.join(", "));
        text.split(',').map(|part| one(part).ok_or_else(|| wrong(name, &text, &expected()))).collect()
    }

    /// The service whose telemetry is reported; `None`: any.
    fn telemetry_service(&self) -> Result<Option<u32>, VariableError> {
        let name = "FI_CXI_TELEMETRY_RGID";
        let Some(text) = (self.variable)(name).filter(|text| !text.trim().is_empty()) else { return Ok(None) };
        let found = text.trim().parse::<i64>().ok().filter(|number| (-1..=i64::from(u32::MAX)).contains(number));
        let expected = "a whole number from -1 to 4294967295";
        let found = found.ok_or_else(|| wrong(name, &text, expected))?;
        Ok(u32::try_from(found).ok())
    }

    /// Checks variables that have no effect.
    fn check_others(&self) -> Result<(), VariableError> {
        self.number("FI_CXI_RDZV_EAGER_SIZE", 2_048, 0..=EAGER_MAX)?;
        self.word("FI_CXI_RDZV_PROTO", &["default", "alt_read", "alt_write"])?;
        self.word("FI_CXI_RGET_TC", &["best_effort", "low_latency", "dedicated_access", "bulk_data"])?;
        self.word("FI_CXI_LLRING_MODE", &["idle", "always", "never"])?;
        self.word("FI_CXI_CQ_POLICY", &["always", "high_empty", "low_empty", "low"])?;
        self.number("FI_CXI_EQ_ACK_BATCH_SIZE", 32, 1..=65_535)?;
        self.flag("FI_CXI_MSG_LOSSLESS", false)?;
        self.number("FI_CXI_FC_RETRY_USEC_DELAY", 1_000, 0..=60_000_000)?;
        self.flag("FI_CXI_HYBRID_RECV_PREEMPTIVE", false)?;
        Ok(())
    }

    /// Parses yes or no, as libfabric does.
    fn flag(&self, name: &'static str, default: bool) -> Result<bool, VariableError> {
        let Some(text) = (self.variable)(name).filter(|text| !text.trim().is_empty()) else { return Ok(default) };
        match text.trim().to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => Ok(true),
            "0" | "false" | "no" | "off" => Ok(false),
            _ => Err(wrong(name, &text, "1, true, yes, on, or 0, false, no, off")),
        }
    }

    fn list<T: FromStr>(
        &self,
        name: &'static str,
        expected: &str,
        fits: impl Fn(&T) -> bool,
    ) -> Result<Option<Vec<T>>, VariableError> {
        let Some(text) = (self.variable)(name).filter(|text| !text.trim().is_empty()) else { return Ok(None) };
        let one = |part: &str| part.trim().parse().ok().filter(&fits).ok_or_else(|| wrong(name, &text, expected));
        text.split(',').map(one).collect::<Result<_, _>>().map(Some)
    }

    /// The address under which other hosts know this one; any port.
    fn bind(&self) -> Result<SocketAddr, VariableError> {
        let Some(text) = (self.variable)("FI_PHILAE_ADDRESS").filter(|text| !text.trim().is_empty()) else {
            return Ok(SocketAddr::new(crate::host::address(), 0));
        };
        let expected = "an address of this host, such as 10.0.0.1";
        let address: IpAddr = text.trim().parse().map_err(|_| wrong("FI_PHILAE_ADDRESS", &text, expected))?;
        Ok(SocketAddr::new(address, 0))
    }

    /// A location on the bus, in the system's notation.
    fn pci(&self) -> Result<Option<Pci>, VariableError> {
        let name = "FI_PHILAE_PCI";
        let Some(text) = (self.variable)(name).filter(|text| !text.trim().is_empty()) else { return Ok(None) };
        let expected = "a device of this host as lspci -D names it, such as 0000:81:00.0";
        crate::host::pci(text.trim()).map(Some).ok_or_else(|| wrong(name, &text, expected))
    }

    /// The port of the first process number; all others are above it.
    fn port_base(&self) -> Result<Option<u16>, VariableError> {
        let name = "FI_PHILAE_PORT_BASE";
        let most = usize::from(u16::MAX - u16::from(NICS) * PIDS);
        let is_set = (self.variable)(name).is_some_and(|text| !text.trim().is_empty());
        if is_set { Ok(Some(self.number(name, 0, 1_024..=most)? as u16)) } else { Ok(None) }
    }

    /// The address of the first NIC: a number as in the system's files of the vendor's NIC, `0x4a3`
    /// for example.
    fn address(&self) -> Result<u32, VariableError> {
        let name = "FI_PHILAE_NIC_ADDRESS";
        let Some(text) = (self.variable)(name).filter(|text| !text.trim().is_empty()) else { return Ok(0) };
        let digits = text.trim();
        let found =
            digits.strip_prefix("0x").map_or_else(|| digits.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok());
        let expected = "a number below 2^20, such as 0x4a3: 9 bits of the group, 5 of the switch, 6 of the port";
        found.filter(|&address| address < 1 << ADDRESS_BITS).ok_or_else(|| wrong(name, &text, expected))
    }

    /// Parses the numbers of `cxi0,cxi1`.
    fn devices(&self) -> Result<Vec<u8>, VariableError> {
        let mut found: Option<Vec<u8>> = None;
        for name in ["FI_CXI_DEVICE_NAME", "SLINGSHOT_DEVICES"] {
            let Some(text) = (self.variable)(name).filter(|text| !text.trim().is_empty()) else { continue };
            let number = |part: &str| part.trim().strip_prefix("cxi").and_then(|number| number.parse::<u8>().ok());
            let one = |part| number(part).filter(|&number| number < NICS);
            let expected = || wrong(name, &text, "names from cxi0 to cxi15, with commas between");
            let all: Vec<u8> = text.split(',').map(|part| one(part).ok_or_else(expected)).collect::<Result<_, _>>()?;
            found.get_or_insert(all);
        }
        Ok(found.unwrap_or_else(|| vec![0]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<ProviderSettings, VariableError> {
        let find =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        ProviderSettings::read(&find)
    }

    #[test]
    fn the_vendors_names_are_read_and_their_defaults_are_the_vendors() {
        let plain = read(&[]).expect("nothing to be wrong");
        let ProviderSettings { name, nics, vnis, messages, sizes, .. } = plain;
        assert_eq!((name, nics.devices, vnis, messages.rendezvous_threshold), ("philae", vec![0], vec![10], 16_384));
        assert_eq!(messages.tag_bits, u64::MAX);
        assert_eq!(read(&[("FI_PHILAE_NAME", "cxi")]).expect("a name").messages.tag_bits, (1 << 48) - 1);
        assert_eq!(sizes, SizeSettings { queue: 131_072, transmit: 1_024, receive: 1_024 });
        let set = [("SLINGSHOT_VNIS", "7, 8"), ("FI_CXI_DEVICE_NAME", "cxi2"), ("FI_CXI_RDZV_THRESHOLD", "2048")];
        let set = read(&set).expect("all right");
        assert_eq!(
            (set.vnis, set.nics.devices, set.messages.rendezvous_threshold),
            (vec![7, 8], vec![2], 2_048 + 2_049)
        );
    }

    #[test]
    fn protocols_and_buffers_are_as_they_are_set() {
        let threshold = |set: &[(&str, &str)]| read(set).expect("all right").messages.rendezvous_threshold;
        assert_eq!(threshold(&[("FI_CXI_RDZV_THRESHOLD", "2048"), ("FI_CXI_RDZV_GET_MIN", "0")]), 2_048);
        assert_eq!(threshold(&[("FI_CXI_RDZV_THRESHOLD", "16000")]), 16_384, "no block keeps more");
        let unexpected = |set: &[(&str, &str)]| read(set).expect("all right").messages.unexpected.bytes;
        assert_eq!(unexpected(&[]), 1 << 30);
        assert_eq!(unexpected(&[("FI_CXI_OFLOW_BUF_SIZE", "65536")]), 9 * 65_536);
        assert_eq!(unexpected(&[("FI_CXI_OFLOW_BUF_SIZE", "65536"), ("FI_CXI_OFLOW_BUF_MIN_POSTED", "1")]), 3 * 65_536);
        assert_eq!(unexpected(&[("FI_CXI_OFLOW_BUF_MAX_CACHED", "2")]), 24 << 20);
        let requests = |set: &[(&str, &str)]| read(set).expect("all right").messages.requests.bytes;
        assert_eq!((requests(&[]), requests(&[("FI_CXI_REQ_BUF_SIZE", "65536")])), (1 << 30, 1_024 * 65_536));
        assert_eq!(requests(&[("FI_CXI_REQ_BUF_SIZE", "65536"), ("FI_CXI_REQ_BUF_MAX_CACHED", "2")]), 4 * 65_536);
        let matching = |set: &[(&str, &str)]| read(set).expect("all right").messages.matching;
        assert_eq!(matching(&[]), ProcessMatching::new(MatchMode::Hardware, 16_384));
        let set = [("FI_CXI_RX_MATCH_MODE", "Hybrid"), ("FI_PHILAE_LIST_ENTRIES", "64")];
        assert_eq!(matching(&set), ProcessMatching::new(MatchMode::Hybrid, 64));
        let set = [("FI_CXI_HYBRID_POSTED_RECV_PREEMPTIVE", "1"), ("FI_CXI_DEFAULT_RX_SIZE", "50")];
        assert_eq!(matching(&set), ProcessMatching::new(MatchMode::Hardware, 16_384).with_early_change(50, 0, false));
        let set = [("FI_CXI_TELEMETRY", "sends, retransmissions"), ("FI_CXI_TELEMETRY_RGID", "-1")];
        let set = read(&set).expect("all right");
        let counts = vec!["sends".to_owned(), "retransmissions".to_owned()];
        assert_eq!(set.telemetry, TelemetrySettings { counts, service: None });
        assert_eq!(read(&[("FI_CXI_CNTR_SPIN_BEFORE_YIELD", "0")]).expect("all right").waiting.counter_polls, Some(0));
        assert_eq!(
            read(&[("FI_CXI_DISABLE_NON_INJECT_RMA_IDC", "1")]).expect("yes").messages.inline,
            [true, false, true]
        );
    }

    #[test]
    fn what_changes_nothing_is_named_with_its_reason() {
        let found = without_effect(|name| ["FI_CXI_IOTLB", "FI_CXI_RDZV_GET_MIN", "FI_CXI_CQ_POLICY"].contains(&name));
        let found: Vec<_> = found.iter().map(|one| (one.name, one.effect)).collect();
        assert_eq!(found[0], ("FI_CXI_CQ_POLICY", "there are no rings: a command is carried out immediately"));
        assert_eq!(found[1..], [("FI_CXI_IOTLB", "there is no translation of addresses")]);
    }

    #[test]
    fn each_nic_has_an_address_and_a_service() {
        let set =
            [("SLINGSHOT_DEVICES", "cxi1,cxi3"), ("SLINGSHOT_SVC_IDS", "5,6"), ("FI_PHILAE_NIC_ADDRESS", "0x4a3")];
        let set = read(&set).expect("all right");
        assert_eq!([1, 3].map(|device| (set.nic_address(device), set.service(device))), [(0x4a3, 5), (0x4a4, 6)]);
        assert_eq!((read(&[]).expect("plain").nic_address(0), read(&[]).expect("plain").service(0)), (0, 1));
    }

    #[test]
    fn what_cannot_be_used_is_said_with_what_would_do() {
        let message = |name, value| read(&[(name, value)]).expect_err("wrong").to_string();
        let threshold = message("FI_CXI_RDZV_THRESHOLD", "1e9");
        assert_eq!(threshold, "FI_CXI_RDZV_THRESHOLD=1e9: expected a whole number from 0 to 16384");
        assert!(message("SLINGSHOT_VNIS", "0").contains("numbers from 1 to 65535"));
        assert!(message("SLINGSHOT_DEVICES", "mlx5_0").contains("cxi0"));
        assert!(message("FI_PHILAE_WIRES", "shm,ib").contains("ib is neither"));
        assert!(message("FI_PHILAE_NAME", "verbs").contains("philae or cxi"));
        let mode = message("FI_CXI_RX_MATCH_MODE", "soft");
        assert_eq!(mode, "FI_CXI_RX_MATCH_MODE=soft: expected hardware, hybrid, software");
        assert!(message("FI_PHILAE_COPY", "no").contains("auto or off"));
        assert!(message("FI_PHILAE_KEYS", "no").contains("auto or client"));
        assert!(message("FI_PHILAE_NIC_ADDRESS", "0x100000").contains("below 2^20"));
        assert!(message("FI_PHILAE_PCI", "81:00.0").contains("lspci -D"));
        assert!(message("SLINGSHOT_SVC_IDS", "a").contains("numbers from 1"));
    }
}
