//! The environment variables for the path through a NIC.

use std::time::Duration;

use philae_fi_sys::*;

use super::error::RemoteError;
use super::locality::Locality;
use super::nic_policy::NicPolicy;
use super::rule::AtomicsChoice;
use crate::settings::Variable;

const fn variable(
    name: &'static str,
    other: &'static str,
    works: &'static str,
    default: &'static str,
    effect: &'static str,
) -> Variable {
    Variable { name, other, works, default, effect }
}

/// All of these variables. Source: names that the vendor has are those of its manual;
/// Status: published. The others are ours.
pub const VARIABLES: [Variable; 19] = [
    variable(
        "SHMEM_OFI_PROVIDER",
        "SHMEM_OFI_USE_PROV_NAME",
        "a name as `fi_info -l` has it, such as philae or tcp;ofi_rxm",
        "",
        "libfabric's provider; not set: philae or cxi if available, otherwise the best provider with RMA and atomics",
    ),
    variable(
        "SHMEM_OFI_DOMAIN",
        "SHMEM_OFI_USE_DOMAIN_NAME",
        "a domain's name, such as cxi0 or eth0",
        "",
        "the only NIC",
    ),
    variable("SHMEM_OFI_NUM_NICS", "", "1 to 64", "all", "NICs of a host that the job uses"),
    variable(
        "SHMEM_OFI_NIC_POLICY",
        "",
        "BLOCK, ROUND-ROBIN, NUMA or USER",
        "BLOCK",
        "how PEs are assigned to NICs: neighbours together, in turn, the nearest, or by SHMEM_OFI_NIC_MAPPING",
    ),
    variable(
        "SHMEM_OFI_NIC_MAPPING",
        "",
        "such as 0:0-3;1:4-7",
        "",
        "NICs and the PEs of a host that use them, by their number there",
    ),
    variable(
        "SHMEM_OFI_DEFAULT_TCLASS",
        "",
        "TC_UNSPEC, TC_BEST_EFFORT, TC_LOW_LATENCY, TC_DEDICATED_ACCESS or TC_BULK_DATA",
        "TC_UNSPEC",
        "traffic class of all operations",
    ),
    variable(
        "SHMEM_OFI_PROGRESS",
        "",
        "AUTO or MANUAL",
        "AUTO",
        "AUTO: the provider's own progress if it has it, otherwise a thread of this library; MANUAL: only calls of the program make progress",
    ),
    variable(
        "SHMEM_OFI_COMPLETION",
        "",
        "AUTO, TRANSMIT or DELIVERY",
        "AUTO",
        "completion of a put: when the target's NIC has it, or its memory; AUTO: TRANSMIT with cxi, otherwise DELIVERY",
    ),
    variable(
        "SHMEM_OFI_INJECT",
        "",
        "0 to 4096",
        "192",
        "puts up to this size are sent within their command, up to the provider's limit",
    ),
    variable(
        "SHMEM_OFI_INJECT_HEAP",
        "",
        "0 to 4096",
        "192",
        "the same for nonblocking puts whose source is symmetric memory, which the NIC can read itself",
    ),
    variable(
        "SHMEM_OFI_INLINE_RESTRICTED",
        "",
        "0 to 4096",
        "224",
        "puts at the high rate up to this size are sent in one packet with their command",
    ),
    variable(
        "SHMEM_OFI_MESSAGE_MAX",
        "",
        "64 to 2^40, with k, m, g",
        "",
        "longer transfers are divided; not set: the provider's limit",
    ),
    variable("SHMEM_OFI_BUNDLE", "", "1 to 1024", "16", "operations per doorbell in a session with BUNDLE or BATCH"),
    variable(
        "SHMEM_OFI_PATIENCE",
        "",
        "0 to 86400",
        "120",
        "seconds without a completion after which a wait fails; 0: never",
    ),
    variable(
        "SHMEM_OFI_MR_MODE",
        "",
        "ANY, BASIC or SCALABLE",
        "ANY",
        "keys and addresses of registered memory: the provider's choice, its own keys and virtual addresses, or ours and offsets",
    ),
    variable(
        "SHMEM_ATOMICS",
        "",
        "AUTO, PROCESSOR or NIC",
        "AUTO",
        "processor or NIC for atomic operations on PEs of the same host; docs/shmem/nic.md has the rule",
    ),
    variable(
        "SHMEM_LOCALITY_ONNODE",
        "SHMEM_ON_HOST",
        "DEFAULT, MEMORY or NIC",
        "DEFAULT",
        "NIC: PEs of one host also reach each other through the NIC",
    ),
    variable(
        "SHMEM_LOCALITY_OFFNODE",
        "",
        "list of PEs such as 1,4-7",
        "",
        "these PEs are reached through the NIC on any host",
    ),
    variable(
        "SHMEM_SMP_SIZE_LIMIT",
        "",
        "-1 to 2147483647",
        "-1",
        "largest number of PEs of a host that share memory, group by group; -1: all, 0 and 1: none",
    ),
];

/// When a put completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutCompletion {
    /// The provider's cheapest level.
    Auto,
    /// The target's NIC has the data. A quiet sends a read after it to each target.
    Transmit,
    /// The data is in the target's memory.
    Delivery,
}

/// Keys and addresses of registered memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registration {
    /// The provider's choice.
    Any,
    /// The provider's keys, virtual addresses.
    Basic,
    /// Our keys, offsets.
    Scalable,
}

/// The settings for the path through a NIC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteSettings {
    /// The provider's name.
    pub provider: Option<String>,
    /// The domain's name.
    pub domain: Option<String>,
    /// The most NICs of a host to use.
    pub nics: Option<usize>,
    /// The choice of a PE's NIC.
    pub nic_policy: NicPolicy,
    /// `FI_TC_*`.
    pub traffic_class: u32,
    /// Whether a thread makes progress if the provider does not.
    pub has_progress: bool,
    /// When a put completes.
    pub completion: PutCompletion,
    /// The most bytes of a put that go with the command.
    pub inject_bytes: usize,
    /// The same if the source is symmetric memory.
    pub inject_heap_bytes: usize,
    /// The same at the high rate.
    pub restricted_bytes: usize,
    /// The largest transfer in bytes.
    pub message_bytes: Option<usize>,
    /// Operations per doorbell.
    pub bundle: u32,
    /// How long to wait without a completion; `None`: forever.
    pub patience: Option<Duration>,
    /// Keys and addresses.
    pub registration: Registration,
    /// The agent of atomic operations.
    pub atomics: AtomicsChoice,
    /// Which PEs are local.
    pub locality: Locality,
}

impl Default for RemoteSettings {
    fn default() -> Self {
        Self::read(&|_| None).expect("what is not set is not wrong")
    }
}

/// Names of traffic classes, with or without `TC_`.
const CLASSES: [(&str, u32); 5] = [
    ("UNSPEC", FI_TC_UNSPEC),
    ("BEST_EFFORT", FI_TC_BEST_EFFORT),
    ("LOW_LATENCY", FI_TC_LOW_LATENCY),
    ("DEDICATED_ACCESS", FI_TC_DEDICATED_ACCESS),
    ("BULK_DATA", FI_TC_BULK_DATA),
];

/// Reads the variables of [`VARIABLES`].
struct Source<'g> {
    get: &'g dyn Fn(&str) -> Option<String>,
}

impl Source<'_> {
    fn variable(name: &str) -> &'static Variable {
        VARIABLES.iter().find(|known| known.name == name).expect("every name that is read is in the table")
    }

    fn text(&self, name: &str) -> Option<(&'static Variable, String)> {
        let known = Self::variable(name);
        let set = |name: &str| (self.get)(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        set(known.name).or_else(|| set(known.other)).map(|value| (known, value))
    }

    fn wrong(known: &Variable, value: &str, why: impl Into<String>) -> RemoteError {
        RemoteError::Setting { name: known.name, value: value.to_owned(), why: why.into(), works: known.works }
    }

    fn number(&self, name: &str, range: std::ops::RangeInclusive<i64>) -> Result<Option<i64>, RemoteError> {
        let Some((known, value)) = self.text(name) else { return Ok(None) };
        let number: i64 = value.parse().map_err(|_| Self::wrong(known, &value, "is not a whole number"))?;
        if !range.contains(&number) {
            return Err(Self::wrong(known, &value, format!("is not from {} to {}", range.start(), range.end())));
        }
        Ok(Some(number))
    }

    /// Parses one of several words, in any letter case.
    fn word<T: Copy>(&self, name: &str, words: &[(&str, T)], default: T) -> Result<T, RemoteError> {
        let Some((known, value)) = self.text(name) else { return Ok(default) };
        let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(&value)).map(|(_, found)| *found);
        found.ok_or_else(|| Self::wrong(known, &value, "is not one of its words"))
    }
}

impl RemoteSettings {
    /// Reads all variables, through a function that returns the environment.
    ///
    /// # Errors
    /// [`RemoteError::Setting`].
    pub fn read(get: &dyn Fn(&str) -> Option<String>) -> Result<Self, RemoteError> {
        let source = Source { get };
        let size = |name: &str, default: usize| {
            source.number(name, 0..=4_096).map(|found| found.map_or(default, |number| number as usize))
        };
        let traffic_class = match source.text("SHMEM_OFI_DEFAULT_TCLASS") {
            None => FI_TC_UNSPEC,
            Some((known, value)) => {
                let upper = value.to_ascii_uppercase();
                let bare = upper.strip_prefix("TC_").unwrap_or(&upper);
                let found = CLASSES.iter().find(|(name, _)| *name == bare);
                found.ok_or_else(|| Source::wrong(known, &value, "is not a traffic class"))?.1
            }
        };
        let message_bytes = match source.text("SHMEM_OFI_MESSAGE_MAX") {
            None => None,
            Some((known, value)) => {
                let size = bytes(&value).filter(|size| (64..=1 << 40).contains(size));
                Some(size.ok_or_else(|| Source::wrong(known, &value, "is not such a size"))?)
            }
        };
        let patience = source.number("SHMEM_OFI_PATIENCE", 0..=86_400)?.unwrap_or(120);
        let mapping = source.text("SHMEM_OFI_NIC_MAPPING").map(|(_, value)| value);
        let policy = source.text("SHMEM_OFI_NIC_POLICY").map(|(_, value)| value);
        let locality = Locality::parse(
            source.word(
                "SHMEM_LOCALITY_ONNODE",
                &[("DEFAULT", false), ("MEMORY", false), ("NIC", true), ("ON", false), ("OFF", true)],
                false,
            )?,
            source.text("SHMEM_LOCALITY_OFFNODE").map(|(_, value)| value).as_deref(),
            source.number("SHMEM_SMP_SIZE_LIMIT", -1..=i64::from(i32::MAX))?.unwrap_or(-1),
        )?;
        Ok(Self {
            provider: source.text("SHMEM_OFI_PROVIDER").map(|(_, value)| value),
            domain: source.text("SHMEM_OFI_DOMAIN").map(|(_, value)| value),
            nics: source.number("SHMEM_OFI_NUM_NICS", 1..=64)?.map(|count| count as usize),
            nic_policy: NicPolicy::parse(policy.as_deref(), mapping.as_deref())?,
            traffic_class,
            has_progress: source.word("SHMEM_OFI_PROGRESS", &[("AUTO", true), ("MANUAL", false)], true)?,
            completion: source.word(
                "SHMEM_OFI_COMPLETION",
                &[
                    ("AUTO", PutCompletion::Auto),
                    ("TRANSMIT", PutCompletion::Transmit),
                    ("DELIVERY", PutCompletion::Delivery),
                ],
                PutCompletion::Auto,
            )?,
            // Source: libfabric's inject size is C_MAX_IDC_PAYLOAD_UNR, a restricted packet's
            // C_MAX_IDC_PAYLOAD_RES.
            // Status: published; whether the vendor's library changes there is not.
            inject_bytes: size("SHMEM_OFI_INJECT", 192)?,
            inject_heap_bytes: size("SHMEM_OFI_INJECT_HEAP", 192)?,
            restricted_bytes: size("SHMEM_OFI_INLINE_RESTRICTED", 224)?,
            message_bytes,
            bundle: source.number("SHMEM_OFI_BUNDLE", 1..=1_024)?.unwrap_or(16) as u32,
            patience: (patience > 0).then(|| Duration::from_secs(patience as u64)),
            registration: source.word(
                "SHMEM_OFI_MR_MODE",
                &[("ANY", Registration::Any), ("BASIC", Registration::Basic), ("SCALABLE", Registration::Scalable)],
                Registration::Any,
            )?,
            atomics: source.word(
                "SHMEM_ATOMICS",
                &[("AUTO", AtomicsChoice::Auto), ("PROCESSOR", AtomicsChoice::Processor), ("NIC", AtomicsChoice::Nic)],
                AtomicsChoice::Auto,
            )?,
            locality,
        })
    }
}

/// Parses a size with the suffix k, m, g or t.
fn bytes(text: &str) -> Option<usize> {
    let lower = text.to_ascii_lowercase();
    let shift = ["k", "m", "g", "t"].iter().position(|unit| lower.ends_with(unit)).map_or(0, |index| 10 * (index + 1));
    let digits = if shift == 0 { &lower[..] } else { &lower[..lower.len() - 1] };
    digits.parse::<usize>().ok()?.checked_shl(shift as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(set: &[(&str, &str)]) -> Result<RemoteSettings, RemoteError> {
        RemoteSettings::read(&|asked| set.iter().find(|(name, _)| *name == asked).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn ours_and_the_vendors_names_are_read_and_ours_wins() {
        let found = read(&[("SHMEM_OFI_USE_PROV_NAME", "sockets"), ("SHMEM_OFI_DEFAULT_TCLASS", "low_latency")]);
        let found = found.expect("good");
        assert_eq!((found.provider.as_deref(), found.traffic_class), (Some("sockets"), FI_TC_LOW_LATENCY));
        let both = read(&[("SHMEM_OFI_USE_PROV_NAME", "sockets"), ("SHMEM_OFI_PROVIDER", "philae")]).expect("good");
        assert_eq!(both.provider.as_deref(), Some("philae"));
        let sized = read(&[("SHMEM_OFI_MESSAGE_MAX", "64k"), ("SHMEM_OFI_PATIENCE", "0")]).expect("good");
        assert_eq!((sized.message_bytes, sized.patience), (Some(65_536), None));
    }

    #[test]
    fn the_guide_has_this_table() {
        let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/shmem/nic.md");
        let guide = std::fs::read_to_string(guide).expect("the guide");
        for Variable { name, other, works, default, effect } in VARIABLES {
            let other = if other.is_empty() { String::new() } else { format!("`{other}`") };
            let row = format!("| `{name}` | {other} | {works} | {default} | {effect} |");
            assert!(guide.lines().any(|line| line == row), "docs/shmem/nic.md lacks\n{row}");
        }
        let rows = guide.lines().filter(|line| line.starts_with("| `SHMEM_") && line.matches('|').count() == 6).count();
        assert_eq!(rows, VARIABLES.len(), "the guide has names that the code has not");
    }

    #[test]
    fn what_has_no_meaning_is_said_with_what_would_work() {
        for (name, value) in [
            ("SHMEM_OFI_NUM_NICS", "0"),
            ("SHMEM_OFI_NIC_POLICY", "NEAR"),
            ("SHMEM_OFI_DEFAULT_TCLASS", "TC_FAST"),
            ("SHMEM_OFI_PROGRESS", "yes"),
            ("SHMEM_OFI_COMPLETION", "remote"),
            ("SHMEM_OFI_INJECT", "4097"),
            ("SHMEM_OFI_MESSAGE_MAX", "63"),
            ("SHMEM_OFI_BUNDLE", "0"),
            ("SHMEM_OFI_PATIENCE", "-1"),
            ("SHMEM_OFI_MR_MODE", "both"),
            ("SHMEM_ATOMICS", "both"),
            ("SHMEM_LOCALITY_ONNODE", "far"),
            ("SHMEM_LOCALITY_OFFNODE", "4-2"),
            ("SHMEM_SMP_SIZE_LIMIT", "-2"),
        ] {
            let error = read(&[(name, value)]).expect_err(name).to_string();
            let works = VARIABLES.iter().find(|known| known.name == name).expect("known").works;
            assert!(error.starts_with(&format!("{name}='{value}'")) && error.ends_with(works), "{error}");
        }
    }
}
