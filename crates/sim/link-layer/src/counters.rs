//! Counters of a link for its operator.

use std::ops::AddAssign;

/// Counters of one end of one link.
///
/// The names in [`LinkCounters::rows`] are those of the NIC's counters as its tools print them
/// (`hni_...`), if it has one. `link_down` is the link driver's; the others that begin with `link_`
/// are ours.
///
/// Source: shs-libcxi and HPE's public link driver for the names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LinkCounters {
    /// Codewords in which errors were repaired: `hni_pcs_corrected_cw`.
    pub corrected_codewords: u64,
    /// Codewords with more errors than the code repairs: `hni_pcs_uncorrected_cw`.
    pub uncorrected_codewords: u64,
    /// Number of times that this end began a replay: `hni_llr_tx_replay_event`.
    pub replays: u64,
    /// Number of times that a frame arrived for which this end had asked:
    /// `hni_llr_rx_replay_event`.
    pub replays_received: u64,
    /// Frames that this end sent again: `hni_llr_tx_ok_lossless_rpt`.
    pub replayed_frames: u64,
    /// Replays in a row beyond the retry threshold; ours.
    pub replays_over_threshold: u64,
    /// Acks that this end sent: `hni_llr_tx_ack_ctl_os`.
    pub acks_sent: u64,
    /// Nacks that this end sent: `hni_llr_tx_nack_ctl_os`.
    pub nacks_sent: u64,
    /// Acks that arrived here: `hni_llr_rx_ack_ctl_os`.
    pub acks_received: u64,
    /// Nacks that arrived here: `hni_llr_rx_nack_ctl_os`.
    pub nacks_received: u64,
    /// Acks and nacks for a frame that is not in flight: `hni_llr_rx_ack_nack_seq_err`.
    pub sequence_errors: u64,
    /// Frames that arrived again after they had been delivered: `hni_llr_rx_duplicate_seq`.
    pub duplicates: u64,
    /// Number of times that a flap took lanes and gave them back; ours.
    pub flaps: u64,
    /// Lanes lost; a lane counts each time. Ours.
    pub lanes_lost: u64,
    /// Number of times that the link went down: `link_down` of the link driver.
    pub downs: u64,
}

impl LinkCounters {
    /// Each counter with the name that an operator knows.
    #[must_use]
    pub const fn rows(&self) -> [(&'static str, u64); 15] {
        [
            ("hni_pcs_corrected_cw", self.corrected_codewords),
            ("hni_pcs_uncorrected_cw", self.uncorrected_codewords),
            ("hni_llr_tx_replay_event", self.replays),
            ("hni_llr_rx_replay_event", self.replays_received),
            ("hni_llr_tx_ok_lossless_rpt", self.replayed_frames),
            ("link_replays_over_threshold", self.replays_over_threshold),
            ("hni_llr_tx_ack_ctl_os", self.acks_sent),
            ("hni_llr_tx_nack_ctl_os", self.nacks_sent),
            ("hni_llr_rx_ack_ctl_os", self.acks_received),
            ("hni_llr_rx_nack_ctl_os", self.nacks_received),
            ("hni_llr_rx_ack_nack_seq_err", self.sequence_errors),
            ("hni_llr_rx_duplicate_seq", self.duplicates),
            ("link_flaps", self.flaps),
            ("link_lanes_lost", self.lanes_lost),
            ("link_down", self.downs),
        ]
    }
}

/// Adds the counts of another part of the same end.
impl AddAssign for LinkCounters {
    fn add_assign(&mut self, other: Self) {
        self.corrected_codewords += other.corrected_codewords;
        self.uncorrected_codewords += other.uncorrected_codewords;
        self.replays += other.replays;
        self.replays_received += other.replays_received;
        self.replayed_frames += other.replayed_frames;
        self.replays_over_threshold += other.replays_over_threshold;
        self.acks_sent += other.acks_sent;
        self.nacks_sent += other.nacks_sent;
        self.acks_received += other.acks_received;
        self.nacks_received += other.nacks_received;
        self.sequence_errors += other.sequence_errors;
        self.duplicates += other.duplicates;
        self.flaps += other.flaps;
        self.lanes_lost += other.lanes_lost;
        self.downs += other.downs;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_adds_every_counter_and_each_has_its_own_name() {
        let one = LinkCounters {
            corrected_codewords: 1,
            uncorrected_codewords: 2,
            replays: 3,
            replays_received: 4,
            replayed_frames: 5,
            replays_over_threshold: 6,
            acks_sent: 7,
            nacks_sent: 8,
            acks_received: 9,
            nacks_received: 10,
            sequence_errors: 11,
            duplicates: 12,
            flaps: 13,
            lanes_lost: 14,
            downs: 15,
        };
        let mut sum = one;
        sum += one;
        let names: std::collections::BTreeSet<_> = sum.rows().iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), sum.rows().len());
        for (index, (name, value)) in sum.rows().into_iter().enumerate() {
            assert_eq!(value, 2 * (index as u64 + 1), "{name}");
        }
    }
}
