//! Explained messages in their NIC: from ready to sent, and sent again.

mod sending;

use philae_results::explain::TimePart;

use super::packet_path::{FlowKey, SpanPlace, Spans};

/// What a NIC sends.
#[derive(Clone, Copy, Debug)]
pub struct SendingFlow {
    flow: FlowKey,
    bytes: u64,
    /// Number of its message at its NIC; `None` for what is sent again.
    message: Option<u32>,
    /// When the wire is free again, in picoseconds.
    until: u64,
}

/// A followed message that has packets to send.
#[derive(Clone, Debug)]
pub struct FollowedMessage {
    message_index: u32,
    number: u32,
    class: u8,
    /// The sender's record of it, and the end of its TCP connection; `NO_INDEX` for none that has a
    /// window.
    outgoing: u32,
    tcp_end: u32,
    spans: Spans,
    /// What the NIC sends meanwhile.
    sending: Option<SendingFlow>,
    /// The switch's buffer had no room for its next packet.
    starved: bool,
    /// Its law did not let its next packet go: the window was full, or the receiver had given no
    /// credit.
    held: bool,
}

impl FollowedMessage {
    /// Accounts for its time up to `now`. Time in which the NIC was idle is due to `reason`.
    fn waited(&mut self, endpoint: u32, now: u64, reason: TimePart) {
        let place = SpanPlace::Nic(endpoint);
        if let Some(sending) =
            self.sending.filter(|sending| sending.until > self.spans.cursor && now > self.spans.cursor)
        {
            let own = sending.message == Some(self.number);
            let part = if own { TimePart::Serialisation } else { TimePart::NicQueue };
            self.spans.advance(part, place, sending.until.min(now));
            if !own {
                self.spans.blame(part, place, sending.flow, sending.bytes);
                // Blamed once, however often the wait is updated.
                self.sending = Some(SendingFlow { bytes: 0, ..sending });
            }
        }
        self.spans.advance(reason, place, now);
    }
}
