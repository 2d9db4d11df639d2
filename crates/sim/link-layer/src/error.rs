//! Checks whether a link can be built.

use crate::LinkParameters;
use crate::parameters::ENTRIES_MAX;

/// A link that cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("link: `{key}` is {found}; {works} would work")]
pub struct ParameterError {
    pub key: &'static str,
    /// The value that was asked for.
    pub found: u64,
    /// What would work.
    pub works: String,
}

impl LinkParameters {
    /// Checks whether such a link can be built.
    ///
    /// # Errors
    /// [`ParameterError`] for the first figure outside its range, or for a line on which a tenth of
    /// the bits or more start an error.
    pub fn check(&self) -> Result<(), ParameterError> {
        within("lanes", self.lanes.into(), 1, 8)?;
        within("bit_errors_per_10_to", self.bit_errors_per_10_to.into(), 1, 18)?;
        within("burst_bits", self.burst_bits.into(), 1, 65_536)?;
        within("replay_entries", self.replay_entries.into(), 1, ENTRIES_MAX.into())?;
        within("replay_timer_ns", self.replay_timer_ns.into(), 1, u32::MAX.into())?;
        within("flap_lanes", self.flap_lanes.into(), 1, self.lanes.into())?;
        // Times must stay within 2^64 ps, even at 44 times the mean, the longest possible draw.
        within("link_down_timer_ns", self.link_down_timer_ns, 0, 1_000_000_000_000_000)?;
        within("flap_gap_ms", self.flap_gap_ms, 0, 100_000_000)?;
        within("flap_length_us", self.flap_length_us, 1, 100_000_000_000)?;
        let most = 10_u64.pow(self.bit_errors_per_10_to.into()) / 10;
        within("bit_errors", self.bit_errors.into(), 0, most.saturating_mul(self.burst_bits.into()))
    }
}

fn within(key: &'static str, found: u64, least: u64, most: u64) -> Result<(), ParameterError> {
    if found < least || found > most {
        return Err(ParameterError { key, found, works: format!("{least} to {most}") });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_parameters_say_what_would_work() {
        let refused = |change: fn(&mut LinkParameters)| {
            let mut parameters = LinkParameters::slingshot();
            change(&mut parameters);
            parameters.check().unwrap_err().to_string()
        };
        assert_eq!(refused(|link| link.replay_entries = 2_049), "link: `replay_entries` is 2049; 1 to 2048 would work");
        assert_eq!(refused(|link| link.flap_lanes = 5), "link: `flap_lanes` is 5; 1 to 4 would work");
        assert!(refused(|link| (link.bit_errors, link.bit_errors_per_10_to) = (2, 1)).contains("`bit_errors`"));
    }
}
