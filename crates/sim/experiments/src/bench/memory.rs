//! The memory of the process, as Linux counts it.

/// Begins a new count of [`peak_bytes`]. If that is not allowed, the count continues from the
/// process's start.
pub(super) fn reset_peak() {
    // 5: the peak of resident memory restarts (proc(5)). A refusal leaves a figure that is too
    // large, never too small.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Peak resident memory of the process; none if the operating system does not report it.
pub(super) fn peak_bytes() -> Option<u64> {
    kib_of(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:").map(|kib| kib * 1_024)
}

fn kib_of(status: &str, key: &str) -> Option<u64> {
    let rest = status.lines().find_map(|line| line.strip_prefix(key))?;
    rest.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_in_kib() {
        assert_eq!(kib_of("Name:\tx\nVmHWM:\t    1234 kB\nVmRSS:\t 7 kB\n", "VmHWM:"), Some(1_234));
        assert_eq!(kib_of("Name:\tx\n", "VmHWM:"), None);
    }

    #[test]
    fn what_is_allocated_and_touched_shows() {
        reset_peak();
        let Some(before) = peak_bytes() else { return };
        let block = std::hint::black_box(vec![1_u8; 64 << 20]);
        let after = peak_bytes().expect("it was told before");
        assert!(after >= before, "a peak does not fall: {before}, {after}");
        assert!(after >= block.len() as u64, "{after} bytes, {} of them ours", block.len());
    }
}
