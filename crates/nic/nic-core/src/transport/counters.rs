//! Counters of the transport.

macro_rules! counters {
    ($($(#[$meta:meta])* $name:ident,)*) => {
        /// Counts of events, per peer or for all peers together. Counts only rise.
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
    /// Valid, undamaged datagrams received.
    datagrams_received,
    /// Bytes of datagrams sent, with the transport's headers and without those of UDP.
    bytes_sent,
    /// Bytes of valid, undamaged datagrams received.
    bytes_received,
    /// Messages delivered to the peer.
    messages_delivered,
    /// Messages reported as undelivered.
    messages_undelivered,
    /// Messages accepted from the peer.
    messages_received,
    /// Messages sent once (datagram messages).
    once_sent,
    /// Messages accepted that were sent once.
    once_received,
    /// Messages sent once that were rejected as copies, or as too old to tell.
    once_doubled,
    /// Segments retransmitted.
    retransmissions,
    /// Segments counted as lost because later ones were acknowledged first.
    lost_fast,
    /// Segments of those that turned out to be late, not lost.
    late,
    /// Decreases of the congestion window that were undone because segments had been late, not
    /// lost.
    decreases_undone,
    /// Segments counted as lost because no answer came in time.
    lost_timeout,
    /// Time-outs.
    timeouts,
    /// Time-outs after which the echoed time stamp showed that the answer was only slow and no
    /// segment was lost.
    timeouts_undone,
    /// Datagrams that carried nothing but an acknowledgement, sent.
    acks_sent,
    /// Datagrams that carried nothing but an acknowledgement, received.
    acks_received,
    /// Keep-alive probes sent.
    probes_sent,
    /// Segments received twice.
    duplicates,
    /// Segments received ahead of others and kept.
    out_of_order,
    /// Segments received for which there was no room.
    segments_refused,
    /// Times that the handler stalled a message.
    stalls,
    /// Datagrams received with the network's mark of congestion.
    marks_received,
    /// Marks that the peer reported on what was sent.
    marks_reported,
    /// Decreases of the congestion window, after losses and marks.
    decreases,
    /// Connections established.
    connections,
    /// Connections that failed.
    failures,
    /// Datagrams received that are not of this transport, or damaged.
    malformed,
    /// Datagrams whose key does not, or no longer, belong to a connection.
    foreign,
    /// Answers to unknown senders that were dropped because too many waited.
    answers_dropped,
}
