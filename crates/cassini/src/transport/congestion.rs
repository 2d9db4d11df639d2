//! How much may be under way to a peer: more while all goes well, less after a loss or a mark. RFC 5681 in shape.

use super::TransportParameters;

/// The window of one connection.
#[derive(Clone, Copy, Debug)]
pub struct Congestion {
    window: u64,
    threshold: u64,
    /// What is acknowledged below this was sent before the last decrease and causes no other.
    recover: u64,
    segment: u64,
    most: u64,
    decrease_256: u64,
}

impl Congestion {
    /// The window at the begin of a connection whose datagrams are at most `segment` bytes.
    pub fn new(parameters: &TransportParameters, segment: u64) -> Self {
        // Beyond the peer's window nothing can be under way: to grow past any such window would only delay the response.
        let most = u64::from(u32::MAX);
        let window = u64::from(parameters.start_window_bytes).max(2 * segment);
        Self { window, threshold: most, recover: 0, segment, most, decrease_256: parameters.decrease_256.into() }
    }

    /// Bytes that may be under way.
    pub const fn window(&self) -> u64 {
        self.window
    }

    /// Whether a loss or mark was met and not all that was sent before it is settled.
    pub const fn is_recovering(&self, acknowledged: u64) -> bool {
        acknowledged < self.recover
    }

    /// Bytes were acknowledged while the window was the limit.
    pub fn grow(&mut self, bytes: u64, acknowledged: u64) {
        if self.is_recovering(acknowledged) {
            return;
        }
        let more = if self.window < self.threshold { bytes } else { (self.segment * bytes / self.window).max(1) };
        self.window = (self.window + more).min(self.most);
    }

    /// A loss or a mark: less, once for all that was sent up to `next`.
    pub fn shrink(&mut self, acknowledged: u64, next: u64) -> bool {
        if self.is_recovering(acknowledged) {
            return false;
        }
        self.threshold = (self.window * self.decrease_256 / 256).max(2 * self.segment);
        self.window = self.threshold;
        self.recover = next;
        true
    }

    /// No answer at all: as little as possible.
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
        let mut congestion = Congestion::new(&parameters, 1_000);
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
