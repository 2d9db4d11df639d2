//! What the manager itself takes: processor time and memory.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// Microseconds since 1970.
#[must_use]
pub fn now_micros() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_micros() as u64)
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
