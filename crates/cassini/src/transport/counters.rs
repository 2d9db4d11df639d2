//! What is counted.

macro_rules! counters {
    ($($(#[$meta:meta])* $name:ident,)*) => {
        /// What happened, per peer or of all peers together. Counts only go up.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct TransportCounters {
            $($(#[$meta])* pub $name: u64,)*
        }

        impl TransportCounters {
            /// Adds another's counts to these.
            pub const fn add(&mut self, other: &Self) {
                $(self.$name = self.$name.wrapping_add(other.$name);)*
            }

            /// Names and counts, in the order of their declaration.
            #[must_use]
            pub fn list(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name)),*]
            }
        }
    };
}

counters! {
    /// Datagrams sent, of every kind.
    datagrams_sent,
    /// Datagrams received that were ours and whole.
    datagrams_received,
    /// Bytes of datagrams sent, with the transport's headers and without those of UDP.
    bytes_sent,
    /// Bytes of datagrams received that were ours and whole.
    bytes_received,
    /// Messages that the peer has.
    messages_delivered,
    /// Messages that were undelivered.
    messages_undelivered,
    /// Messages taken from the peer.
    messages_received,
    /// Messages sent once.
    once_sent,
    /// Messages taken that were sent once.
    once_received,
    /// Copies of those, and ones too old to know, that were not taken.
    once_doubled,
    /// Segments sent again.
    retransmissions,
    /// Segments taken for lost because later ones were acknowledged first.
    lost_fast,
    /// Segments of those that are known to have been late, not lost.
    late,
    /// Decreases of what may be under way that were taken back: segments had been late, not lost.
    decreases_undone,
    /// Segments taken for lost because no answer came in time.
    lost_timeout,
    /// Times that no answer came in time.
    timeouts,
    /// Times that the answer had only been slow, which the time that it sent back showed: nothing was taken for lost.
    timeouts_undone,
    /// Datagrams that carried nothing but an acknowledgement, sent.
    acks_sent,
    /// Datagrams that carried nothing but an acknowledgement, received.
    acks_received,
    /// Questions whether the peer lives, sent.
    probes_sent,
    /// Segments received that were there already.
    duplicates,
    /// Segments received ahead of others and kept.
    out_of_order,
    /// Segments received for which there was no room.
    segments_refused,
    /// Times that the handler did not take a message at once.
    stalls,
    /// Datagrams received with the network's mark of congestion.
    marks_received,
    /// Marks that the peer reported on what was sent.
    marks_reported,
    /// Decreases of what may be under way, after losses and marks.
    decreases,
    /// Connections that came about.
    connections,
    /// Connections that failed.
    failures,
    /// Datagrams that were no datagrams of this transport, or damaged.
    malformed,
    /// Datagrams with a key that is not, or no longer, that of a connection.
    foreign,
    /// Answers to strangers that were not given because too many waited.
    answers_dropped,
}
