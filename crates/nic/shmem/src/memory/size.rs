//! The size of a symmetric heap, from the request and the host's memory.

use crate::error::Error;

/// The name of the variable.
const NAME: &str = "SHMEM_SYMMETRIC_SIZE";

/// The accepted values, for messages.
const WORKS: &str = "a number of bytes with an optional unit k, m, g or t, such as 512m, 2g or 3.1M, would work";

/// The heap of a PE without a setting: untouched pages cost nothing. Source: ours; Sandia's library
/// has 512 MiB, the vendor's 64 MiB. Status: assumed.
const DEFAULT_BYTES: u64 = 1 << 30;

/// Sizes are rounded up to this: a huge page of x86-64 and of most aarch64. Source: Linux's
/// PMD_SIZE. Status: published.
pub const HUGE_PAGE: usize = 2 << 20;

/// Parses a size: digits, an optional fraction, and one of k, m, g, t in either case, as powers of
/// 1024.
///
/// # Errors
/// The text is not a size, is zero, or is more than an address can hold.
pub fn parse(name: &'static str, text: &str) -> Result<u64, Error> {
    let wrong = |why: &str| Error::Setting { name, value: text.to_owned(), why: why.to_owned(), works: WORKS };
    let trimmed = text.trim();
    let (digits, scale) = match trimmed.char_indices().next_back() {
        Some((at, letter)) if letter.is_ascii_alphabetic() => {
            let shift = match letter.to_ascii_lowercase() {
                'k' => 10,
                'm' => 20,
                'g' => 30,
                't' => 40,
                _ => return Err(wrong("has an unknown unit")),
            };
            (&trimmed[..at], 1u64 << shift)
        }
        _ => (trimmed, 1),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |text: &str| text.bytes().all(|letter| letter.is_ascii_digit());
    if whole.is_empty() && fraction.is_empty() || !is_number(whole) || !is_number(fraction) {
        return Err(wrong("is no size"));
    }
    let too_large = || wrong("is larger than any memory");
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| too_large())? };
    let mut bytes = whole.checked_mul(scale).filter(|&bytes| bytes < 1 << 46).ok_or_else(too_large)?;
    // The fraction, digit by digit, as exact as the unit permits: nine digits of a terabyte are a
    // kilobyte.
    let digits = &fraction[..fraction.len().min(9)];
    if !digits.is_empty() {
        let part: u64 = digits.parse().map_err(|_| wrong("is no size"))?;
        let all = 10u64.pow(digits.len() as u32);
        bytes += (u128::from(part) * u128::from(scale) / u128::from(all)) as u64;
    }
    if bytes == 0 {
        return Err(wrong("is 0 bytes"));
    }
    Ok(bytes)
}

/// A size in readable form.
#[must_use]
pub fn say(bytes: u64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let fit = units.into_iter().find(|&(shift, _)| bytes >= 1 << shift && bytes.is_multiple_of(1 << (shift - 10)));
    match fit {
        Some((shift, unit)) if bytes.is_multiple_of(1 << shift) => format!("{} {unit}", bytes >> shift),
        Some((shift, unit)) => format!("{:.2} {unit}", bytes as f64 / (1u64 << shift) as f64),
        None => format!("{bytes} bytes"),
    }
}

/// The memory that a process of this host can still get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostMemory {
    /// All memory and swap, within the limit of the control group.
    pub total: u64,
    /// The part of it that is free or can be freed.
    pub free: u64,
}

impl HostMemory {
    /// Reads the values from the system.
    #[must_use]
    pub fn look() -> Self {
        let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let entry = |name: &str| {
            let line = info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
            kilobytes.unwrap_or(0) << 10
        };
        let (limit, used) = control_group();
        let total = (entry("MemTotal") + entry("SwapTotal")).min(limit);
        let free = (entry("MemAvailable") + entry("SwapFree")).min(limit.saturating_sub(used));
        Self { total, free }
    }

    /// The default heap of each of `local` PEs of this host.
    #[must_use]
    pub fn default_heap(&self, local: u32) -> u64 {
        let share = self.total / 2 / u64::from(local.max(1));
        share.min(DEFAULT_BYTES).max(HUGE_PAGE as u64) / HUGE_PAGE as u64 * HUGE_PAGE as u64
    }

    /// Checks that `local` heaps of this size fit in `percent` of the free memory.
    ///
    /// # Errors
    /// They do not fit; the error says how much memory there is, and what would fit.
    pub fn check(&self, heap: u64, local: u32, percent: u32) -> Result<(), Error> {
        let wanted = u128::from(heap) * u128::from(local);
        let allowed = u128::from(self.free) * u128::from(percent) / 100;
        if wanted <= allowed {
            return Ok(());
        }
        Err(Error::Memory(format!(
            "{NAME} is {} for each of {local} PEs of this host, {} in all; {} of {} are free here, and {percent} % of \
             that may be taken (SHMEM_FREEMEM_THRESHOLD). {NAME}={} would fit",
            say(heap),
            say(u64::try_from(wanted).unwrap_or(u64::MAX)),
            say(self.free),
            say(self.total),
            (allowed / u128::from(local.max(1))) as u64 >> 20 << 20,
        )))
    }
}

/// The limit of this process's control group, and its usage.
fn control_group() -> (u64, u64) {
    let number = |path: String| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let own = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let path = own.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/").trim_end_matches('/').to_owned();
    // In a container the group's own path may be hidden; then its root counts.
    for folder in [format!("/sys/fs/cgroup{path}"), "/sys/fs/cgroup".to_owned()] {
        if let Some(limit) = number(format!("{folder}/memory.max")) {
            return (limit, number(format!("{folder}/memory.current")).unwrap_or(0));
        }
    }
    let folder = "/sys/fs/cgroup/memory";
    let limit = number(format!("{folder}/memory.limit_in_bytes"));
    (limit.unwrap_or(u64::MAX), number(format!("{folder}/memory.usage_in_bytes")).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_and_fractions_and_everything_else_is_refused() {
        let of = |text| parse(NAME, text);
        for (text, bytes) in [
            ("4096", 4096),
            ("20k", 20 << 10),
            ("512M", 512 << 20),
            ("1g", 1 << 30),
            ("2T", 2 << 40),
            ("0.5g", 512 << 20),
            ("3.1M", 3_250_585),
            (".5K", 512),
            (" 1m ", 1 << 20),
        ] {
            assert_eq!(of(text).expect(text), bytes, "{text}");
        }
        for text in
            ["", "m", "-1", "1x", "1 m", "1mb", "0", "0k", "1.2.3", "99999999999999999999", "99999t", "one", "1e3", "."]
        {
            let error = of(text).expect_err(text).to_string();
            assert!(error.contains("3.1M") && error.contains(NAME), "{text}: {error}");
        }
    }

    #[test]
    fn heaps_that_do_not_fit_are_refused_with_one_that_does() {
        let host = HostMemory { total: 8 << 30, free: 4 << 30 };
        assert!(host.check(1 << 30, 3, 95).is_ok());
        let error = host.check(1 << 30, 4, 95).expect_err("95 %").to_string();
        assert!(error.contains("4 GiB in all") && error.contains("SHMEM_SYMMETRIC_SIZE=1019215872"), "{error}");
        assert!(host.check(1 << 30, 4, 100).is_ok());
        assert_eq!(
            (host.default_heap(1), host.default_heap(8), host.default_heap(100_000)),
            (1 << 30, 512 << 20, 2 << 20)
        );
        let here = HostMemory::look();
        assert!(here.total > 0 && here.free <= here.total, "{here:?}");
    }
}
