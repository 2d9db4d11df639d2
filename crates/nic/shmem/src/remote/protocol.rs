//! How a put's bytes reach the NIC: with the command, or fetched by the NIC from their place.

use std::sync::atomic::{AtomicU64, Ordering};

/// How a put's bytes reach the NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutProtocol {
    /// Copied into the command immediately: the source may be reused when the call returns.
    Inject,
    /// Small enough for one restricted packet at the high rate. The NIC takes the bytes with the
    /// command, although libfabric's injection limit is lower.
    Inline,
    /// The NIC reads them from symmetric memory, which is registered.
    Dma,
    /// The NIC reads them from other memory of the program.
    DmaElsewhere,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PutProperties {
    pub bytes: usize,
    /// Its source is symmetric memory.
    pub is_symmetric: bool,
    /// The program does not touch its source until a quiet.
    pub is_nonblocking: bool,
    /// It goes at the high rate.
    pub is_high_rate: bool,
}

/// The largest put of each protocol, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Thresholds {
    /// At most the provider's limit.
    pub inject: usize,
    /// The same for a source in symmetric memory that the program does not touch.
    pub inject_heap: usize,
    /// One restricted packet.
    pub restricted: usize,
}

impl Thresholds {
    /// The protocol of a put.
    pub const fn choose(&self, asked: PutProperties) -> PutProtocol {
        let PutProperties { bytes, is_symmetric, is_nonblocking, is_high_rate } = asked;
        let most = if is_symmetric && is_nonblocking { self.inject_heap } else { self.inject };
        if bytes <= most {
            PutProtocol::Inject
        } else if is_high_rate && bytes <= self.restricted {
            PutProtocol::Inline
        } else if is_symmetric {
            PutProtocol::Dma
        } else {
            PutProtocol::DmaElsewhere
        }
    }
}

/// The number of puts by protocol.
#[derive(Debug, Default)]
pub struct ProtocolCounts {
    counts: [AtomicU64; 4],
}

impl ProtocolCounts {
    pub(super) fn count(&self, protocol: PutProtocol) {
        self.counts[protocol as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Each count with its name.
    #[must_use]
    pub fn list(&self) -> [(&'static str, u64); 4] {
        let of = |protocol: PutProtocol| self.counts[protocol as usize].load(Ordering::Relaxed);
        [
            ("puts_injected", of(PutProtocol::Inject)),
            ("puts_inline", of(PutProtocol::Inline)),
            ("puts_dma", of(PutProtocol::Dma)),
            ("puts_dma_elsewhere", of(PutProtocol::DmaElsewhere)),
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
            thresholds.choose(PutProperties { bytes, is_symmetric, is_nonblocking, is_high_rate })
        };
        assert_eq!(choose(192, false, true, false), PutProtocol::Inject);
        assert_eq!(choose(193, false, true, false), PutProtocol::DmaElsewhere);
        assert_eq!(choose(65, true, true, false), PutProtocol::Dma);
        assert_eq!(choose(65, true, false, false), PutProtocol::Inject, "a blocking put's source is free immediately");
        assert_eq!(choose(224, true, true, true), PutProtocol::Inline);
        assert_eq!(choose(225, true, true, true), PutProtocol::Dma);
        assert_eq!(choose(224, false, false, false), PutProtocol::DmaElsewhere);
    }
}
