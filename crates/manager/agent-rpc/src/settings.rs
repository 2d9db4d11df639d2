//! Limits and times of the link. All of them may be changed.

use std::time::Duration;

/// Limits and times of both ends.
///
/// Source: ours. Status: assumed, unless a line says otherwise. Limits of memory apply to each
/// stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkSettings {
    /// Largest message, bytes. A table of 64 K entries is 1.4 MB.
    pub message_max: usize,
    /// Messages that wait to be written on a stream; one more closes the stream as slow.
    pub queue_messages: usize,
    /// Bytes that wait to be written on a stream; more close the stream as slow.
    pub queue_bytes: usize,
    /// Events that wait for the manager; beyond it readers block, and so do their agents.
    pub events: usize,
    /// Messages a second that the manager reads from one agent; with more it is slowed down.
    pub messages_per_second: u32,
    /// KiB a second that the manager reads from one agent, after a burst of eight times as much;
    /// with more it is slowed down.
    pub kibibytes_per_second: u32,
    /// Streams of one connection.
    pub streams_per_connection: u32,
    /// Simultaneous connections.
    pub connections: usize,
    /// Simultaneous TLS handshakes; others wait.
    pub handshakes: usize,
    /// Time for a handshake, and for the first message of a stream.
    pub handshake_time: Duration,
    /// Time for an agent to get a connection. In a storm it waits for the handshakes of all others.
    pub connect_time: Duration,
    /// Time limit for writing one message to the stream.
    pub write_time: Duration,
    /// Time between pings of a connection.
    pub keep_alive: Duration,
    /// Time for the answer to a ping.
    pub keep_alive_time: Duration,
    /// Streams accepted a second; others are told when to try again.
    pub admitted_per_second: u32,
    /// Streams accepted together after a quiet time.
    pub admitted_burst: u32,
    /// First pause of a client before it tries again; each failure doubles it.
    pub backoff_first: Duration,
    /// Longest pause.
    pub backoff_most: Duration,
}

impl Default for LinkSettings {
    fn default() -> Self {
        Self {
            message_max: 4 << 20,
            queue_messages: 1_024,
            queue_bytes: 8 << 20,
            events: 4_096,
            messages_per_second: 2_000,
            kibibytes_per_second: 1_024,
            streams_per_connection: 1_024,
            connections: 20_000,
            handshakes: 64,
            handshake_time: Duration::from_secs(10),
            connect_time: Duration::from_secs(60),
            write_time: Duration::from_secs(30),
            keep_alive: Duration::from_secs(10),
            keep_alive_time: Duration::from_secs(20),
            admitted_per_second: 5_000,
            admitted_burst: 2_000,
            backoff_first: Duration::from_millis(100),
            backoff_most: Duration::from_secs(10),
        }
    }
}

/// A rate limiter. Times are milliseconds of a monotonic clock.
#[derive(Debug)]
pub struct TokenBucket {
    per_second: u64,
    burst: u64,
    /// Thousandths of a token.
    level: u64,
    at_ms: u64,
}

impl TokenBucket {
    /// A full bucket. A rate of 0 is taken as 1, so that no caller waits forever.
    #[must_use]
    pub fn new(per_second: u32, burst: u32) -> Self {
        let burst = u64::from(burst.max(1)) * 1_000;
        Self { per_second: u64::from(per_second.max(1)), burst, level: burst, at_ms: 0 }
    }

    /// Takes a token.
    ///
    /// # Errors
    /// When there is none: milliseconds until the next one.
    pub fn take(&mut self, now_ms: u64) -> Result<(), u64> {
        let passed = now_ms.saturating_sub(self.at_ms);
        self.at_ms = self.at_ms.max(now_ms);
        self.level = self.level.saturating_add(passed.saturating_mul(self.per_second)).min(self.burst);
        if self.level >= 1_000 {
            self.level -= 1_000;
            return Ok(());
        }
        Err((1_000 - self.level).div_ceil(self.per_second))
    }
}

#[cfg(test)]
mod tests {
    use super::TokenBucket;

    #[test]
    fn a_bucket_lets_its_burst_through_and_then_its_rate() {
        let mut bucket = TokenBucket::new(10, 3);
        assert!((0..3).all(|_| bucket.take(0).is_ok()));
        assert_eq!(bucket.take(0), Err(100));
        assert_eq!(bucket.take(99), Err(1));
        assert_eq!(bucket.take(100), Ok(()));
        assert_eq!(bucket.take(100), Err(100));
        assert!((0..3).all(|_| bucket.take(100_000).is_ok()));
        assert!(bucket.take(100_000).is_err(), "it holds no more than its burst");
    }
}
