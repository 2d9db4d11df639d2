//! Counters of ports and NICs, by the names that operators know.
//!
//! Names that begin with `hni_`, `rh:` or `pct_` are those of the Cassini NIC, as its tools and
//! `/sys/class/cxi` print them; a switch port's counters use the same names where they mean the
//! same. `link_down` is the link driver's. All others are ours. Source: shs-libcxi, HPE's public
//! link driver, Open MPI's `hwpc_cxi` component. Where the NIC has a counter for each of its eight
//! traffic classes (`hni_tx_paused_0`), the class is a column of its own here, and times are in
//! picoseconds instead of cycles of the NIC's clock.

use philae_units::{ClassId, EndpointId, PortIndex};
use serde::Serialize;

/// The reason why a packet was discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum DiscardCause {
    /// Its link was down.
    LinkDown,
    /// Its switch was down.
    SwitchDown,
    /// Its NIC was down.
    NicDown,
    /// Its class has no flow control, and a buffer was full.
    LossyClass,
    /// No path led to its destination.
    NoRoute,
    /// A sender stayed paused for longer than the guard allows.
    PauseGuard,
    /// A rule of a port forbade it.
    AccessList,
    /// Its virtual network is not its destination's.
    VniMismatch,
    /// It was damaged on a link without retry.
    UncorrectedFrame,
}

impl DiscardCause {
    /// Every cause.
    pub const ALL: [Self; 9] = [
        Self::LinkDown,
        Self::SwitchDown,
        Self::NicDown,
        Self::LossyClass,
        Self::NoRoute,
        Self::PauseGuard,
        Self::AccessList,
        Self::VniMismatch,
        Self::UncorrectedFrame,
    ];

    /// Its name in other tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.as_str().trim_start_matches("discarded_")
    }

    /// The counter's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::LinkDown => "discarded_link_down",
            Self::SwitchDown => "discarded_switch_down",
            Self::NicDown => "discarded_nic_down",
            Self::LossyClass => "discarded_lossy_class",
            Self::NoRoute => "discarded_no_route",
            Self::PauseGuard => "discarded_pause_guard",
            Self::AccessList => "discarded_access_list",
            Self::VniMismatch => "discarded_vni_mismatch",
            Self::UncorrectedFrame => "discarded_uncorrected_frame",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CounterUnit {
    /// Packets or frames.
    Packets,
    /// Bytes, headers included.
    Bytes,
    Events,
    /// Time.
    Picoseconds,
}

impl CounterUnit {
    /// Its name in the tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Packets => "packets",
            Self::Bytes => "bytes",
            Self::Events => "events",
            Self::Picoseconds => "ps",
        }
    }
}

macro_rules! counters {
    ($($(#[$meta:meta])* $variant:ident, $name:literal, $unit:ident, $about:literal;)+) => {
        /// The quantity of a counter.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum CounterName {
            $(#[doc = concat!("`", $name, "`: ", $about, ".")] $variant,)+
            /// Packets discarded, by cause.
            Discarded(DiscardCause),
        }

        impl CounterName {
            /// Every counter, those of discards last.
            pub fn all() -> impl Iterator<Item = Self> {
                [$(Self::$variant),+].into_iter().chain(DiscardCause::ALL.into_iter().map(Self::Discarded))
            }

            /// The name that operators know.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                    Self::Discarded(cause) => cause.as_str(),
                }
            }

            /// Its unit.
            #[must_use]
            pub const fn unit(self) -> CounterUnit {
                match self {
                    $(Self::$variant => CounterUnit::$unit,)+
                    Self::Discarded(_) => CounterUnit::Packets,
                }
            }

            /// Its meaning, for people.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$variant => $about,)+
                    Self::Discarded(_) => "packets discarded for this cause",
                }
            }
        }
    };
}

counters! {
    PacketsSent, "hni_pkts_sent_by_tc", Packets, "packets sent, by class";
    PacketsReceived, "hni_pkts_recv_by_tc", Packets, "packets received from the other end, by class";
    BytesSent, "bytes_sent_by_class", Bytes, "bytes sent, by class";
    BytesReceived, "bytes_recv_by_class", Bytes, "bytes received from the other end, by class";
    ResponseBytesSent, "response_bytes_sent_by_class", Bytes, "bytes of acknowledgements, credits and other answers without data that a NIC sent, by class";
    BytesSentAgain, "bytes_sent_again_by_class", Bytes, "bytes of packets that a NIC sent again, by class";
    PauseSent, "hni_pause_xoff_sent", Packets, "pause frames sent that stop the other end";
    PauseReceived, "hni_pause_recv", Packets, "pause frames received that stop this end";
    ReceivePaused, "hni_rx_paused", Picoseconds, "time for which this end paused the other";
    TransmitPaused, "hni_tx_paused", Picoseconds, "time for which this end was paused";
    ReductionResults, "reduction_results", Events, "whole results that a reduction engine sent up, or that the root of a tree sent down";
    ReductionsPartial, "reductions_partial", Events, "partial results that a reduction engine sent up";
    ReductionsLate, "reductions_late", Events, "contributions that a reduction engine forwarded alone, because its result had already been sent";
    ReductionsRefused, "reductions_refused", Events, "contributions and arms that a reduction engine, or the root, refused";
    ReductionRetries, "reduction_retries", Events, "operations that the root of a tree began again";
    ReductionFallbacks, "reduction_fallbacks", Events, "operations that a rank did by messages because its tree was given up; it no longer uses the tree";
    TreesGivenUp, "trees_given_up", Events, "trees that their root gave up, counted at the root's NIC";
    EndpointOnsets, "endpoint_congestion_onsets", Events, "times that the queue to a NIC exceeded the threshold";
    EndpointCongested, "endpoint_congestion_time", Picoseconds, "time from then until the queue had drained";
    NoticesSent, "congestion_notices_sent", Events, "congestion notices sent to the sources of packets";
    FlowsHeld, "flows_held", Events, "times that a flow began to be held at its ingress";
    FlowsHeldTime, "flows_held_time", Picoseconds, "time for which flows were held, until they were free again, gone, or the run ended";
    RateCuts, "flow_rate_cuts", Events, "times that a NIC cut the rate of a flow";
    Marked, "ecn_marked", Packets, "packets marked for congestion";
    Trimmed, "packets_trimmed", Packets, "packets that found their queue full and were cut down to their header";
    CorrectedCodewords, "hni_pcs_corrected_cw", Events, "codewords in which errors were repaired";
    UncorrectedCodewords, "hni_pcs_uncorrected_cw", Events, "codewords with more errors than the code repairs";
    Replays, "hni_llr_tx_replay_event", Events, "times that this end began a replay";
    ReplaysReceived, "hni_llr_rx_replay_event", Events, "times that a frame arrived that this end had asked for again";
    ReplayedFrames, "hni_llr_tx_ok_lossless_rpt", Packets, "frames that this end sent again";
    ReplaysOverThreshold, "link_replays_over_threshold", Events, "replays in a row beyond the retry threshold";
    AcksSent, "hni_llr_tx_ack_ctl_os", Events, "link-level acks sent";
    NacksSent, "hni_llr_tx_nack_ctl_os", Events, "link-level nacks sent";
    AcksReceived, "hni_llr_rx_ack_ctl_os", Events, "link-level acks received";
    NacksReceived, "hni_llr_rx_nack_ctl_os", Events, "link-level nacks received";
    SequenceErrors, "hni_llr_rx_ack_nack_seq_err", Events, "acks and nacks for a frame that is not in flight";
    Duplicates, "hni_llr_rx_duplicate_seq", Packets, "frames that arrived again after they had been delivered";
    Flaps, "link_flaps", Events, "times that lanes were lost and regained";
    LanesLost, "link_lanes_lost", Events, "lanes lost, each time counted";
    LinkDown, "link_down", Events, "times that the link went down";
    PacketTimeouts, "rh:spt_timeouts", Packets, "packets whose acknowledgement timed out";
    Retries, "pct_retry_srb_requests", Packets, "packets sent again from end to end";
    NotConnected, "rh:nack_no_matching_conn", Packets, "packets refused because their connection was unknown";
    MessagesRefused, "messages_refused", Events, "messages for which this NIC had no list entry, counted at each arrival";
    MessagesSentAgain, "messages_sent_again", Events, "messages that this NIC sent again because they had been refused";
    MatchingClosed, "matching_closed", Events, "times that a process refused all messages until software had taken over the waiting ones";
    MatchingChanges, "matching_changes", Events, "processes whose matching software took over from the NIC (hybrid)";
    ReceivesDeferred, "receives_deferred", Events, "times that receives of a process began to wait for a list entry";
    ConnectionsRead, "connections_read", Events, "messages for which a NIC read the state of their connection from the host's memory, because it had no room for it";
    OutOfSequence, "rh:nack_sequence_error", Packets, "packets refused because an earlier one was missing";
}

impl CounterName {
    /// The counter with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|counter| counter.as_str() == name)
    }
}

/// The owner of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum CounterPlace {
    /// A port of a switch.
    Port(PortIndex),
    Nic(EndpointId),
}

impl CounterPlace {
    /// Its name in the tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Port(_) => "port",
            Self::Nic(_) => "nic",
        }
    }

    /// The endpoint of a NIC.
    #[must_use]
    pub const fn endpoint(self) -> Option<u32> {
        match self {
            Self::Port(_) => None,
            Self::Nic(endpoint) => Some(endpoint.0),
        }
    }
}

/// One counter of one port or NIC over the whole run, including the warm-up; never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterRow {
    /// The owner.
    pub place: CounterPlace,
    /// The switch port: of a NIC, the one that it is connected to.
    pub port: PortIndex,
    /// The counter.
    pub name: CounterName,
    /// Traffic class, if the counter is by class.
    pub class: Option<ClassId>,
    pub value: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_stands_for_one_counter() {
        let names: std::collections::BTreeSet<_> = CounterName::all().map(CounterName::as_str).collect();
        assert_eq!(names.len(), CounterName::all().count());
        for counter in CounterName::all() {
            assert_eq!(CounterName::named(counter.as_str()), Some(counter));
        }
        assert_eq!(CounterName::named("hni_tx_paused_0"), None);
    }
}
