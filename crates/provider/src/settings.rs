//! What the environment says: the names of the vendor's provider where it has one for the matter, our own for the rest.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::OnceLock;

use crate::log::{Level, say};

/// What the environment says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What the provider is called.
    pub name: &'static str,
    /// NICs of this host, by number.
    pub devices: Vec<u8>,
    /// Virtual networks that this process may use; the first is its default.
    pub vnis: Vec<u16>,
    /// The services whose resources are used, by NIC.
    pub services: Vec<u32>,
    /// The address of the first NIC: group, switch and port.
    pub nic_address: u32,
    /// Bits that a tag may have. The vendor's NIC has 48, which MPI libraries know by its name; under another name they
    /// take for granted that there are more.
    pub tag_bits: u64,
    /// Longer messages are fetched by their receiver.
    pub rendezvous_threshold: usize,
    /// Completions of a queue that is not told how many.
    pub queue_size: usize,
    /// Operations that an endpoint may have outstanding.
    pub transmit_size: usize,
    /// Receives that an endpoint may have posted.
    pub receive_size: usize,
    /// How long a waiter looks before it gives its processor away, in ns.
    pub spin_ns: u64,
    /// Where the wire between hosts listens; nothing: there is none.
    pub bind: Option<SocketAddr>,
    /// The port of process number 0 of the first NIC, where ports go by process numbers.
    pub port_base: Option<u16>,
    /// Whether regions with low keys are of the fast kind.
    pub optimized_regions: bool,
    /// Whether closing a region waits for whoever is about to reach it.
    pub match_events: bool,
    /// Whether regions with keys of the provider's are kept for later.
    pub key_cache: bool,
    /// Whether processes of this host are reached through memory that they share.
    pub has_shared_memory: bool,
}

/// A variable that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}={value}: {expected}")]
pub struct SettingError {
    name: &'static str,
    value: String,
    expected: String,
}

/// Names of the vendor's provider that have no meaning here. They are accepted and said to have none. Source:
/// fi_cxi(7). Status: published.
const WITHOUT_EFFECT: [&str; 16] = [
    "FI_CXI_ODP",
    "FI_CXI_FORCE_ODP",
    "FI_CXI_ATS",
    "FI_CXI_IOTLB",
    "FI_CXI_ATS_MLOCK_MODE",
    "FI_CXI_DISABLE_HMEM_DEV_REGISTER",
    "FI_CXI_FORCE_ZE_HMEM_SUPPORT",
    "FI_CXI_SAFE_DEVMEM_COPY_THRESHOLD",
    "FI_CXI_FORK_SAFE_REQUESTED",
    "FI_CXI_LLRING_MODE",
    "FI_CXI_CQ_POLICY",
    "FI_CXI_EQ_ACK_BATCH_SIZE",
    "FI_CXI_MSG_LOSSLESS",
    "FI_CXI_DISABLE_NON_INJECT_MSG_IDC",
    "FI_CXI_DISABLE_NON_INJECT_RMA_IDC",
    "FI_CXI_DISABLE_NON_INJECT_AMO_IDC",
];

/// NICs that a host may have. Source: names from cxi0 to cxi15. Status: assumed.
pub(crate) const NICS: u8 = 16;
/// Process numbers of a NIC: 9 bits, the last of which names any. Source: fi_cxi(7). Status: published.
pub(crate) const PIDS: u16 = 511;
/// Bits of a NIC's address: 9 of the group, 5 of the switch, 6 of the port. Source: fi_cxi(7), dragonfly. Status: published.
pub(crate) const ADDRESS_BITS: u32 = 20;

/// Bytes that a message may have to be kept by its receiver's NIC, at most: those of the greatest block.
const EAGER_MAX: usize = 16_384;

impl Settings {
    /// The settings of this process, read once.
    ///
    /// # Errors
    /// [`SettingError`]: the first variable that cannot be used.
    pub fn of_environment() -> Result<&'static Self, SettingError> {
        static SETTINGS: OnceLock<Result<Settings, SettingError>> = OnceLock::new();
        let read = || {
            for name in WITHOUT_EFFECT.into_iter().filter(|name| std::env::var_os(name).is_some()) {
                say(Level::Warn, &format!("{name} has no effect here"));
            }
            Self::read(&|name| std::env::var(name).ok()).inspect_err(|error| eprintln!("philae: {error}"))
        };
        SETTINGS.get_or_init(read).as_ref().map_err(Clone::clone)
    }

    /// Reads the settings from wherever `variable` finds them.
    ///
    /// # Errors
    /// [`SettingError`].
    pub fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, SettingError> {
        let source = Source { variable };
        let vnis =
            match source.list("SLINGSHOT_VNIS", "numbers from 1 to 65535, with commas between", |vni| *vni > 0)? {
                Some(vnis) => vnis,
                None => vec![source.number("FI_CXI_DEFAULT_VNI", 10, 1..=65_535)? as u16],
            };
        let name = match variable("FI_PHILAE_NAME").as_deref() {
            None | Some("philae") => "philae",
            Some("cxi") => "cxi",
            Some(other) => return Err(wrong("FI_PHILAE_NAME", other, "philae or cxi")),
        };
        let wires = variable("FI_PHILAE_WIRES").unwrap_or_else(|| "shm,udp".to_owned());
        if let Some(other) = wires.split(',').find(|wire| !["shm", "udp"].contains(wire)) {
            return Err(wrong("FI_PHILAE_WIRES", &wires, &format!("shm, udp, or both; {other} is neither")));
        }
        let bits = source.number("FI_PHILAE_TAG_BITS", if name == "cxi" { 48 } else { 64 }, 16..=64)?;
        Ok(Self {
            name,
            tag_bits: u64::MAX >> (64 - bits),
            devices: source.devices()?,
            services: source
                .list("SLINGSHOT_SVC_IDS", "numbers from 1 to 4294967295, with commas between", |service| *service > 0)?
                .unwrap_or_else(|| vec![1]),
            nic_address: source.address()?,
            vnis,
            rendezvous_threshold: source.number("FI_CXI_RDZV_THRESHOLD", EAGER_MAX, 0..=EAGER_MAX)?,
            queue_size: source.number("FI_CXI_DEFAULT_CQ_SIZE", 131_072, 1..=1 << 24)?,
            transmit_size: source.number("FI_CXI_DEFAULT_TX_SIZE", 1_024, 1..=16_384)?,
            receive_size: source.number("FI_CXI_DEFAULT_RX_SIZE", 1_024, 1..=15_360)?,
            spin_ns: source.number("FI_PHILAE_SPIN_NSEC", 2_000, 0..=1_000_000_000)? as u64,
            bind: if wires.split(',').any(|wire| wire == "udp") { Some(source.bind()?) } else { None },
            port_base: source.port_base()?,
            optimized_regions: source.flag("FI_CXI_OPTIMIZED_MRS", true)?,
            match_events: source.flag("FI_CXI_MR_MATCH_EVENTS", false)?,
            key_cache: source.flag("FI_CXI_PROV_KEY_CACHE", true)?,
            has_shared_memory: wires.split(',').any(|wire| wire == "shm"),
        })
    }
}

impl Settings {
    /// The place of a NIC among those of this process.
    fn index(&self, device: u8) -> usize {
        self.devices.iter().position(|&known| known == device).unwrap_or(0)
    }

    /// The address of a NIC: those of one host are at ports next to each other.
    pub(crate) fn nic_address(&self, device: u8) -> u32 {
        (self.nic_address + self.index(device) as u32) & ((1 << ADDRESS_BITS) - 1)
    }

    /// The service of a NIC; the last of those named goes for all that follow.
    pub(crate) fn service(&self, device: u8) -> u32 {
        let last = self.services.last().copied().unwrap_or(1);
        self.services.get(self.index(device)).copied().unwrap_or(last)
    }
}

impl Settings {
    /// Where a process number of a NIC listens for datagrams; nothing where any port will do.
    pub(crate) fn port(&self, device: u8, pid: u16) -> Option<u16> {
        self.port_base.map(|base| base + u16::from(device) * PIDS + pid)
    }
}

fn wrong(name: &'static str, value: &str, expected: &str) -> SettingError {
    SettingError { name, value: value.to_owned(), expected: format!("expected {expected}") }
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
    ) -> Result<usize, SettingError> {
        let Some(text) = (self.variable)(name) else { return Ok(default) };
        let found = text.trim().parse().ok().filter(|number| range.contains(number));
        let expected = || format!("a whole number from {} to {}", range.start(), range.end());
        found.ok_or_else(|| wrong(name, &text, &expected()))
    }

    /// Yes or no, as libfabric reads it.
    fn flag(&self, name: &'static str, default: bool) -> Result<bool, SettingError> {
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
    ) -> Result<Option<Vec<T>>, SettingError> {
        let Some(text) = (self.variable)(name).filter(|text| !text.trim().is_empty()) else { return Ok(None) };
        let one = |part: &str| part.trim().parse().ok().filter(&fits).ok_or_else(|| wrong(name, &text, expected));
        text.split(',').map(one).collect::<Result<_, _>>().map(Some)
    }

    /// The address that others on the network know this host by; any port.
    fn bind(&self) -> Result<SocketAddr, SettingError> {
        let Some(text) = (self.variable)("FI_PHILAE_ADDRESS").filter(|text| !text.trim().is_empty()) else {
            return Ok(SocketAddr::new(crate::host::address(), 0));
        };
        let expected = "an address of this host, such as 10.0.0.1";
        let address: IpAddr = text.trim().parse().map_err(|_| wrong("FI_PHILAE_ADDRESS", &text, expected))?;
        Ok(SocketAddr::new(address, 0))
    }

    /// The port of the first process number; all others lie above it.
    fn port_base(&self) -> Result<Option<u16>, SettingError> {
        let name = "FI_PHILAE_PORT_BASE";
        let most = usize::from(u16::MAX - u16::from(NICS) * PIDS);
        let is_set = (self.variable)(name).is_some_and(|text| !text.trim().is_empty());
        if is_set { Ok(Some(self.number(name, 0, 1_024..=most)? as u16)) } else { Ok(None) }
    }

    /// The address of the first NIC: a number as the system's files of the vendor's NIC have it, `0x4a3` for example.
    fn address(&self) -> Result<u32, SettingError> {
        let name = "FI_PHILAE_NIC_ADDRESS";
        let Some(text) = (self.variable)(name).filter(|text| !text.trim().is_empty()) else { return Ok(0) };
        let digits = text.trim();
        let found =
            digits.strip_prefix("0x").map_or_else(|| digits.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok());
        let expected = "a number below 2^20, such as 0x4a3: 9 bits of the group, 5 of the switch, 6 of the port";
        found.filter(|&address| address < 1 << ADDRESS_BITS).ok_or_else(|| wrong(name, &text, expected))
    }

    /// The numbers of `cxi0,cxi1`.
    fn devices(&self) -> Result<Vec<u8>, SettingError> {
        for name in ["FI_CXI_DEVICE_NAME", "SLINGSHOT_DEVICES"] {
            let Some(text) = (self.variable)(name).filter(|text| !text.trim().is_empty()) else { continue };
            let number = |part: &str| part.trim().strip_prefix("cxi").and_then(|number| number.parse::<u8>().ok());
            let one = |part| number(part).filter(|&number| number < NICS);
            let expected = || wrong(name, &text, "names from cxi0 to cxi15, with commas between");
            return text.split(',').map(|part| one(part).ok_or_else(expected)).collect();
        }
        Ok(vec![0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, SettingError> {
        let find =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        Settings::read(&find)
    }

    #[test]
    fn the_vendors_names_are_read_and_their_defaults_are_the_vendors() {
        let plain = read(&[]).expect("nothing to be wrong");
        let Settings { name, devices, vnis, rendezvous_threshold, queue_size, transmit_size, receive_size, .. } = plain;
        assert_eq!((name, devices, vnis, rendezvous_threshold), ("philae", vec![0], vec![10], 16_384));
        assert_eq!(plain.tag_bits, u64::MAX);
        assert_eq!(read(&[("FI_PHILAE_NAME", "cxi")]).expect("a name").tag_bits, (1 << 48) - 1);
        assert_eq!((queue_size, transmit_size, receive_size), (131_072, 1_024, 1_024));
        let set = [("SLINGSHOT_VNIS", "7, 8"), ("FI_CXI_DEVICE_NAME", "cxi2"), ("FI_CXI_RDZV_THRESHOLD", "2048")];
        let set = read(&set).expect("all right");
        assert_eq!((set.vnis, set.devices, set.rendezvous_threshold), (vec![7, 8], vec![2], 2_048));
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
        assert!(message("FI_PHILAE_NIC_ADDRESS", "0x100000").contains("below 2^20"));
        assert!(message("SLINGSHOT_SVC_IDS", "a").contains("numbers from 1"));
    }
}
