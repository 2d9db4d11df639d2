//! Scores candidate paths.

use philae_units::PortIndex;

use crate::parameters::RoutingParameters;
use crate::route::Via;

/// The most candidates that one decision scores.
pub const CANDIDATES_MAX: usize = 4;

/// A possible path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathCandidate {
    /// First port.
    pub port: PortIndex,
    /// Next goal of the packet on this path.
    pub via: Via,
    /// Switch-to-switch hops of the path.
    pub hops: u8,
    /// Whether it is a shortest path.
    pub minimal: bool,
    /// The candidates of one decision. Only the cheapest so far is kept.
    pub load_bytes: u32,
}

/// The candidates of one decision: of those seen so far, the cheapest is kept.
#[derive(Clone, Debug)]
pub struct Candidates<'a> {
    parameters: &'a RoutingParameters,
    bias_percent: u32,
    seen: usize,
    best: Option<(u64, PathCandidate)>,
}

impl<'a> Candidates<'a> {
    /// No candidates yet; a nonminimal path will count `bias_percent` more.
    #[inline]
    #[must_use]
    pub const fn new(parameters: &'a RoutingParameters, bias_percent: u32) -> Self {
        Self { parameters, bias_percent, seen: 0, best: None }
    }

    /// Adds a candidate. After four, further ones are ignored.
    #[inline]
    pub fn push(&mut self, candidate: PathCandidate) {
        if self.seen < CANDIDATES_MAX {
            self.seen += 1;
            let cost = cost(self.parameters, self.bias_percent, &candidate);
            if self.best.is_none_or(|(least, _)| cost < least) {
                self.best = Some((cost, candidate));
            }
        }
    }

    /// Whether there is no candidate.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.seen == 0
    }

    /// The cheapest; the earliest of equals.
    #[inline]
    #[must_use]
    pub fn best(&self) -> Option<PathCandidate> {
        self.best.map(|(_, candidate)| candidate)
    }
}

/// Cost of a path: load times length, more for a nonminimal one.
///
/// It is load times length, and not load plus length, because a packet on a path of five hops takes
/// five links from others. Under uniform saturation all queues are long, and a sum would send half
/// of the traffic on nonminimal paths.
#[inline]
#[must_use]
pub fn cost(parameters: &RoutingParameters, bias_percent: u32, candidate: &PathCandidate) -> u64 {
    let bias = if candidate.minimal { 0 } else { bias_percent };
    let load = u64::from(candidate.load_bytes) + u64::from(parameters.idle_load_bytes);
    load * u64::from(candidate.hops) * u64::from(100 + bias)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(minimal: bool, load_bytes: u32) -> PathCandidate {
        let hops = if minimal { 3 } else { 5 };
        PathCandidate { port: PortIndex(u32::from(minimal)), via: Via::Nothing, hops, minimal, load_bytes }
    }

    fn best_is_minimal(parameters: &RoutingParameters, minimal: u32, nonminimal: u32) -> bool {
        let mut candidates = Candidates::new(parameters, parameters.nonminimal_bias_percent);
        candidates.push(candidate(true, minimal));
        candidates.push(candidate(false, nonminimal));
        candidates.best().expect("two candidates").minimal
    }

    #[test]
    fn an_idle_network_is_crossed_minimally_and_a_loaded_path_is_left() {
        let parameters = RoutingParameters::slingshot();
        assert!(best_is_minimal(&parameters, 0, 0));
        assert!(best_is_minimal(&parameters, 5_000, 0));
        assert!(!best_is_minimal(&parameters, 50_000, 0));
        assert!(best_is_minimal(&parameters, 50_000, 40_000), "both are loaded: the shorter path wastes less");
    }

    #[test]
    fn the_earliest_of_equals_is_taken() {
        let parameters = RoutingParameters::slingshot();
        let mut candidates = Candidates::new(&parameters, 0);
        assert_eq!(candidates.best(), None);
        let equal = |port| PathCandidate { port: PortIndex(port), ..candidate(true, 5_000) };
        [3, 1, 2].into_iter().for_each(|port| candidates.push(equal(port)));
        assert_eq!(candidates.best().map(|best| best.port), Some(PortIndex(3)));
    }

    #[test]
    fn every_knob_of_the_cost_moves_the_choice() {
        let parameters = RoutingParameters::slingshot();
        assert!(!best_is_minimal(&parameters, 7_000, 0));
        let biased = RoutingParameters { nonminimal_bias_percent: 100, ..parameters.clone() };
        assert!(best_is_minimal(&biased, 7_000, 0));
        let idle = RoutingParameters { idle_load_bytes: 8_000, ..parameters };
        assert!(best_is_minimal(&idle, 7_000, 0));
    }
}
