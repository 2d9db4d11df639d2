//! Windows of messages with an acknowledgement each: the bandwidth and message-rate tests.

use philae_units::{Bytes, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Pairing;
use crate::error::{WorkloadError, message_size, not_zero};
use crate::phase::{Idle, Motif, Phase, Phased};
use crate::program::RankProgram;
use crate::quantity::Size;
use crate::workload::{Workload, iterations_text};

/// `bandwidth`: the first of each pair sends a window of messages, the second answers with 4 bytes when it has all of them.
///
/// One iteration is one window. OSU's `osu_bw`; with `bidirectional`, `osu_bibw`; with `pairs = "halves"` and 8 bytes,
/// `osu_mbw_mr`. Source: OSU micro-benchmarks. Status: published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Bandwidth {
    /// Per message. Default 1 MiB. Source: ours. Status: assumed; large enough for the full rate.
    pub bytes: Size,
    /// The pairs of ranks. Default `first`.
    pub pairs: Pairing,
    /// Messages per window. Default 64. Source: osu_bw. Status: published.
    pub window: u32,
    /// Whether the second of a pair also sends a window, at the same time. Default false.
    pub bidirectional: bool,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Bandwidth {
    fn default() -> Self {
        Self { bytes: Size::bytes(1 << 20), pairs: Pairing::First, window: 64, bidirectional: false, iterations: None }
    }
}

impl Workload for Bandwidth {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        message_size("bandwidth", "bytes", self.bytes.0)?;
        not_zero("bandwidth", "window", self.window)?;
        self.pairs.check("bandwidth", ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        match self.pairs.partner(rank.0, ranks) {
            None => Box::new(Idle),
            Some((partner, first)) => {
                Box::new(Phased::new(Windows { spec: self.clone(), partner, first }, self.iterations))
            }
        }
    }

    fn describe(&self) -> String {
        let both = if self.bidirectional { " both ways" } else { "" };
        format!("bandwidth{both} {} x {}, {}", self.window, self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

struct Windows {
    spec: Bandwidth,
    partner: u32,
    first: bool,
}

impl Windows {
    const ACK: Bytes = Bytes(4);
}

impl Motif for Windows {
    fn step(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> bool {
        let (data, ack) = (iteration.wrapping_mul(2), iteration.wrapping_mul(2).wrapping_add(1));
        let sends = self.first || self.spec.bidirectional;
        let receives = !self.first || self.spec.bidirectional;
        match step {
            0 => {
                let window = self.spec.window;
                if receives {
                    (0..window).for_each(|_| phase.recv(self.partner, self.spec.bytes.0, data));
                }
                if sends {
                    (0..window).for_each(|_| phase.send(self.partner, self.spec.bytes.0, data));
                }
            }
            1 => {
                if sends {
                    phase.recv(self.partner, Self::ACK, ack);
                }
                if receives {
                    phase.send(self.partner, Self::ACK, ack);
                }
            }
            _ => return false,
        }
        true
    }
}
