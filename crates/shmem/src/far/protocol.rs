//! How a put's bytes reach the NIC: with their command, or fetched by it from where they lie.

use std::sync::atomic::{AtomicU64, Ordering};

/// How a put's bytes reach the NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Copied into the command at once: the source may be used again when the call returns.
    Inject,
    /// Small enough for one restricted packet at the high rate: the NIC takes it with the command, but libfabric's limit for
    /// injection is below.
    Inline,
    /// Read by the NIC from symmetric memory, which is registered.
    Dma,
    /// Read by the NIC from other memory of the program's.
    DmaElsewhere,
}

/// What is known of a put.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub bytes: usize,
    /// Its source is symmetric memory.
    pub is_symmetric: bool,
    /// The program leaves its source alone until a quiet.
    pub is_nonblocking: bool,
    /// It goes at the high rate.
    pub is_high_rate: bool,
}

/// Up to how many bytes which protocol goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Thresholds {
    /// As the provider can, at most.
    pub inject: usize,
    /// The same for sources in symmetric memory that the program leaves alone.
    pub inject_heap: usize,
    /// One restricted packet.
    pub restricted: usize,
}

impl Thresholds {
    /// The protocol of a put.
    pub const fn choose(&self, asked: Asked) -> Protocol {
        let Asked { bytes, is_symmetric, is_nonblocking, is_high_rate } = asked;
        let most = if is_symmetric && is_nonblocking { self.inject_heap } else { self.inject };
        if bytes <= most {
            Protocol::Inject
        } else if is_high_rate && bytes <= self.restricted {
            Protocol::Inline
        } else if is_symmetric {
            Protocol::Dma
        } else {
            Protocol::DmaElsewhere
        }
    }
}

/// How many puts went by each protocol.
#[derive(Debug, Default)]
pub struct ProtocolCounts {
    counts: [AtomicU64; 4],
}

impl ProtocolCounts {
    pub(super) fn count(&self, protocol: Protocol) {
        self.counts[protocol as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Each with its name.
    #[must_use]
    pub fn list(&self) -> [(&'static str, u64); 4] {
        let of = |protocol: Protocol| self.counts[protocol as usize].load(Ordering::Relaxed);
        [
            ("puts_injected", of(Protocol::Inject)),
            ("puts_inline", of(Protocol::Inline)),
            ("puts_dma", of(Protocol::Dma)),
            ("puts_dma_elsewhere", of(Protocol::DmaElsewhere)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_and_place_of_the_source_choose() {
        let thresholds = Thresholds { inject: 192, inject_heap: 64, restricted: 224 };
        let choose = |bytes, is_symmetric, is_nonblocking, is_high_rate| {
            thresholds.choose(Asked { bytes, is_symmetric, is_nonblocking, is_high_rate })
        };
        assert_eq!(choose(192, false, true, false), Protocol::Inject);
        assert_eq!(choose(193, false, true, false), Protocol::DmaElsewhere);
        assert_eq!(choose(65, true, true, false), Protocol::Dma);
        assert_eq!(choose(65, true, false, false), Protocol::Inject, "a blocking put's source is free at once");
        assert_eq!(choose(224, true, true, true), Protocol::Inline);
        assert_eq!(choose(225, true, true, true), Protocol::Dma);
        assert_eq!(choose(224, false, false, false), Protocol::DmaElsewhere);
    }
}
