//! Estimates the round-trip time. RFC 6298, in integers.

use super::TransportParameters;

/// The estimate.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundTrip {
    smooth_ns: u64,
    variation_ns: u64,
    least_ns: u64,
}

impl RoundTrip {
    /// Takes one measured round trip, less the time for which the peer says that it delayed the
    /// answer.
    pub const fn sample(&mut self, sample_ns: u64) {
        if self.smooth_ns == 0 || sample_ns < self.least_ns {
            self.least_ns = sample_ns;
        }
        if self.smooth_ns == 0 {
            self.smooth_ns = if sample_ns == 0 { 1 } else { sample_ns };
            self.variation_ns = sample_ns / 2;
        } else {
            let difference = self.smooth_ns.abs_diff(sample_ns);
            self.variation_ns = (3 * self.variation_ns + difference) / 4;
            self.smooth_ns = (7 * self.smooth_ns + sample_ns) / 8;
            if self.smooth_ns == 0 {
                self.smooth_ns = 1;
            }
        }
    }

    /// The shortest round trip so far, in nanoseconds; 0 while unknown.
    pub const fn least_ns(&self) -> u64 {
        self.least_ns
    }

    /// An upper bound of most round trips, in nanoseconds; 0 while unknown.
    pub const fn most_ns(&self) -> u64 {
        self.smooth_ns + 4 * self.variation_ns
    }

    /// The smoothed round trip, in nanoseconds; 0 while unknown.
    pub const fn smooth_ns(&self) -> u64 {
        self.smooth_ns
    }

    /// How long to wait for an answer the first time, in nanoseconds.
    pub fn timeout_ns(&self, parameters: &TransportParameters) -> u64 {
        match self.smooth_ns {
            0 => parameters.timeout_initial_ns,
            smooth => (smooth + 4 * self.variation_ns).clamp(parameters.timeout_min_ns, parameters.timeout_max_ns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_follows_what_is_measured() {
        let parameters = TransportParameters::default();
        let mut round_trip = RoundTrip::default();
        assert_eq!(round_trip.timeout_ns(&parameters), parameters.timeout_initial_ns);
        (0..100).for_each(|_| round_trip.sample(10_000));
        assert_eq!((round_trip.smooth_ns(), round_trip.timeout_ns(&parameters)), (10_000, parameters.timeout_min_ns));
        (0..100).for_each(|_| round_trip.sample(50_000_000));
        assert!(round_trip.timeout_ns(&parameters) > 49_000_000);
        (0..9).for_each(|_| round_trip.sample(60_000_000_000));
        assert_eq!(round_trip.timeout_ns(&parameters), parameters.timeout_max_ns);
        (0..1_000).for_each(|_| round_trip.sample(0));
        assert_eq!(round_trip.timeout_ns(&parameters), parameters.timeout_min_ns);
    }
}
