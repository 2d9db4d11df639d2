//! The congestion window: how many bytes may be in flight to a peer. It grows without losses and
//! shrinks after a loss or a mark, following RFC 5681.

use super::TransportParameters;

/// The window of one connection.
#[derive(Clone, Copy, Debug)]
pub struct CongestionWindow {
    window: u64,
    threshold: u64,
    /// An acknowledgement below this is for data sent before the last decrease and causes no
    /// further decrease.
    recover: u64,
    segment: u64,
    most: u64,
    decrease_256: u64,
}

impl CongestionWindow {
    /// The window at the beginning of a connection whose datagrams have at most `segment` bytes.
    pub fn new(parameters: &TransportParameters, segment: u64) -> Self {
        // More than the peer's window can never be in flight. To grow past every possible peer
        // window would only delay the response to a loss.
        let most = u64::from(u32::MAX);
        let window = u64::from(parameters.start_window_bytes).max(2 * segment);
        Self { window, threshold: most, recover: 0, segment, most, decrease_256: parameters.decrease_256.into() }
    }

    /// Bytes that may be in flight.
    pub const fn window(&self) -> u64 {
        self.window
    }

    /// Whether a loss or mark has occurred and data sent before it is still unacknowledged.
    pub const fn is_recovering(&self, acknowledged: u64) -> bool {
        acknowledged < self.recover
    }

    /// Grows the window. `bytes` were acknowledged while the window was the limit.
    pub fn grow(&mut self, bytes: u64, acknowledged: u64) {
        if self.is_recovering(acknowledged) {
            return;
        }
        let more = if self.window < self.threshold { bytes } else { (self.segment * bytes / self.window).max(1) };
        self.window = (self.window + more).min(self.most);
    }

    /// Shrinks the window after a loss or a mark, once for all data sent up to `next`.
    pub fn shrink(&mut self, acknowledged: u64, next: u64) -> bool {
        if self.is_recovering(acknowledged) {
            return false;
        }
        self.threshold = (self.window * self.decrease_256 / 256).max(2 * self.segment);
        self.window = self.threshold;
        self.recover = next;
        true
    }

    /// Reduces the window to its minimum after a time-out.
    pub fn collapse(&mut self, next: u64) {
        self.threshold = (self.window * self.decrease_256 / 256).max(2 * self.segment);
        self.window = 2 * self.segment;
        self.recover = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_doubles_then_adds_and_halves_once_a_window() {
        let parameters = TransportParameters { start_window_bytes: 10_000, ..TransportParameters::default() };
        let mut congestion = CongestionWindow::new(&parameters, 1_000);
        congestion.grow(10_000, 10_000);
        assert_eq!(congestion.window(), 20_000);
        assert!(congestion.shrink(10_000, 30_000) && !congestion.shrink(20_000, 40_000));
        assert_eq!(congestion.window(), 10_000);
        congestion.grow(10_000, 20_000);
        assert_eq!(congestion.window(), 10_000, "what was sent before says nothing");
        congestion.grow(10_000, 30_000);
        assert_eq!(congestion.window(), 11_000, "one segment a window");
        congestion.collapse(50_000);
        assert_eq!(congestion.window(), 2_000);
        congestion.grow(2_000, 50_000);
        assert_eq!(congestion.window(), 4_000);
    }
}
