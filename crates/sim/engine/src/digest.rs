//! The run digest: one number that changes when any event changes its time, its step, its target or
//! its detail.

use crate::EventKey;

/// Digest of the event order of a run.
///
/// A sum of mixed keys: keys are unique and order themselves, so their set is their order, and a
/// sum may be gathered from partitions in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Digest(u64);

impl Digest {
    /// Counts one event.
    #[inline]
    pub const fn add(&mut self, key: EventKey) {
        let mut z = key.time.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ key.packed().rotate_left(29);
        z = (z ^ (z >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.0 = self.0.wrapping_add(z ^ (z >> 32));
    }

    /// Adds the digest of another partition.
    pub const fn merge(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }

    /// The number.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EventOrder;
    use philae_units::Picoseconds;

    #[test]
    fn moving_one_event_by_a_picosecond_changes_the_digest() {
        let digest = |times: &[u64]| {
            let mut digest = Digest::default();
            for (detail, &time) in times.iter().enumerate() {
                digest.add(EventKey::new(Picoseconds(time), EventOrder::Arrive, 1, detail as u64));
            }
            digest.value()
        };
        assert_eq!(digest(&[10, 20, 30]), digest(&[10, 20, 30]));
        assert_ne!(digest(&[10, 20, 30]), digest(&[10, 21, 30]));
        assert_ne!(digest(&[10, 20]), digest(&[20, 10]), "who it happened to matters");
    }
}
