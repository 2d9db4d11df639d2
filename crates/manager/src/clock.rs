//! What time it is, and what the manager itself takes: processor time and memory.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// Where unix time comes from: the system, or whoever set it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnixClock {
    set: Option<u64>,
}

impl UnixClock {
    /// Stands at a time.
    #[must_use]
    pub const fn at(seconds: u64) -> Self {
        Self { set: Some(seconds) }
    }

    /// Seconds since 1970.
    #[must_use]
    pub fn seconds(self) -> u64 {
        self.set.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()))
    }
}

/// Microseconds since 1970.
#[must_use]
pub fn now_micros() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_micros() as u64)
}

/// Unix time as people and programs read it: "2026-11-22T23:58:00Z".
#[must_use]
pub fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March, so that the leap day is the last of them; counted in eras of 400 years from year 0.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let of_month = day - (153 * month + 2) / 5 + 1;
    let (month, early) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + early;
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{of_month:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Processor time and memory of this process.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Processor time since the process began, seconds.
    pub cpu_seconds: f64,
    /// The most memory it ever had, bytes.
    pub peak_bytes: u64,
    /// The memory it has, bytes.
    pub bytes: u64,
}

impl Usage {
    /// As the kernel says; zero where it does not.
    #[must_use]
    pub fn now() -> Self {
        let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
        // After the name in parentheses: state, then ten numbers, then user and system time in hundredths.
        let after = stat.rsplit(')').next().unwrap_or_default();
        let numbers: Vec<u64> = after.split_whitespace().skip(1).map(|word| word.parse().unwrap_or(0)).collect();
        let ticks = numbers.get(10).unwrap_or(&0) + numbers.get(11).unwrap_or(&0);
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let kib = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0_u64)
        };
        Self { cpu_seconds: ticks as f64 / 100.0, peak_bytes: kib("VmHWM:") * 1024, bytes: kib("VmRSS:") * 1024 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_the_calendar_has_them() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(utc(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(utc(1_700_000_000), "2023-11-14T22:13:20Z");
        assert_eq!(utc(4_102_444_799), "2099-12-31T23:59:59Z");
    }
}
