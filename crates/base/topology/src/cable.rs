//! Cables between two ports: medium, length and rate.

use crate::TopologyError;
use philae_units::{LinkRate, Picoseconds, scaled_integer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Signal delay of one metre of cable, copper or fibre.
///
/// Source: light in vacuum takes 3.34 ns a metre; the index of glass (1.47) and the velocity factor
/// of twinaxial copper (about 0.7) both give about 0.67 c. Status: derived, 3.34 / 0.67 = 5.0 ns.
pub const PROPAGATION_PER_METRE: Picoseconds = Picoseconds(5_000);

/// What a signal travels in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Medium {
    /// Traces of a circuit board between cards of one chassis.
    Backplane,
    /// Passive copper cable; Slingshot: at most 2.6 m.
    Copper,
    /// Active optical cable; Slingshot: at most 100 m.
    Optical,
}

impl Medium {
    /// The word that files and tables use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Backplane => "backplane",
            Self::Copper => "copper",
            Self::Optical => "optical",
        }
    }
}

/// Lengths of cables that are accepted, in metres, and rates of links, in Gb/s.
pub(crate) const LENGTHS_M: RangeInclusive<f64> = 0.0..=2_000.0;
pub(crate) const RATES_GBPS: RangeInclusive<f64> = 0.001..=4_000.0;

/// The entry of a topology's table of cable kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CableKindId(pub u16);

/// One kind of cable of a topology; ports hold an index into the table of kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CableKind {
    /// For people: "optical 20 m, 200 Gb/s".
    pub name: String,
    /// Its medium.
    pub medium: Medium,
    /// Length in millimetres.
    pub length_mm: u32,
    /// Rate of each link in the cable, in one direction.
    pub rate: LinkRate,
    /// Links that share one physical cable: 2 in a dual-density cable, 1 otherwise.
    pub links_per_cable: u8,
}

impl CableKind {
    /// A kind with its usual name.
    #[must_use]
    pub fn new(medium: Medium, length_mm: u32, rate: LinkRate, links_per_cable: u8) -> Self {
        let metres = f64::from(length_mm) / 1e3;
        let shared = if links_per_cable > 1 { format!(", {links_per_cable} links") } else { String::new() };
        Self { name: format!("{} {metres} m, {rate}{shared}", medium.name()), medium, length_mm, rate, links_per_cable }
    }

    /// Time of a signal from one end to the other.
    #[must_use]
    pub const fn propagation(&self) -> Picoseconds {
        Picoseconds(self.length_mm as u64 * PROPAGATION_PER_METRE.0 / 1_000)
    }

    /// The same, where the electronics at both ends of an optical cable add `optical` together.
    #[must_use]
    pub const fn propagation_retimed(&self, optical: Picoseconds) -> Picoseconds {
        match self.medium {
            Medium::Optical => Picoseconds(self.propagation().0 + optical.0),
            Medium::Copper | Medium::Backplane => self.propagation(),
        }
    }
}

/// A run of cables as a system file describes it: medium, length (or a range of lengths) and rate.
///
/// With `length_max_m`, lengths grow evenly from `length_m` between neighbours (switch or group numbers that differ by
/// one) to `length_max_m` between those that are farthest apart, in steps of 1 m (optical) or 0.1 m (otherwise).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CableDescription {
    /// Medium of the cable.
    pub medium: Medium,
    /// Length in metres, of the shortest where `length_max_m` is given.
    pub length_m: f64,
    /// Length of the longest, in metres; absent: all are equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_max_m: Option<f64>,
    /// Rate of a link in one direction, in Gb/s; steps of 0.001.
    pub rate_gbps: f64,
    /// Links that share one physical cable: 2 for dual-density cables.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub links_per_cable: u8,
}

fn one() -> u8 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_one(count: &u8) -> bool {
    *count == 1
}

impl CableDescription {
    /// Cables of one length.
    #[must_use]
    pub const fn new(medium: Medium, length_m: f64, rate_gbps: f64) -> Self {
        Self { medium, length_m, length_max_m: None, rate_gbps, links_per_cable: 1 }
    }

    /// The same between ports with these highest rates, in Gb/s (none: as fast as the cable).
    #[must_use]
    pub fn between(&self, ports: [Option<f64>; 2]) -> Self {
        // A rate that is not a number is kept, so that building with it fails.
        let lesser = |rate: f64, port: f64| if port >= rate { rate } else { port };
        Self { rate_gbps: ports.into_iter().flatten().fold(self.rate_gbps, lesser), ..self.clone() }
    }

    /// Copper, 2 m, 200 Gb/s: the default of edge and local links.
    #[must_use]
    pub const fn copper_200g() -> Self {
        Self::new(Medium::Copper, 2.0, 200.0)
    }

    /// Optical, 20 m, 200 Gb/s: the default of global links.
    #[must_use]
    pub const fn optical_200g() -> Self {
        Self::new(Medium::Optical, 20.0, 200.0)
    }

    /// The rate as a typed quantity.
    ///
    /// # Errors
    /// [`TopologyError::Rate`] unless it is between 0.001 and 4,000 Gb/s, and a whole number of
    /// Mb/s.
    pub fn rate(&self, role: &'static str) -> Result<LinkRate, TopologyError> {
        let gbps = self.rate_gbps;
        let mbps = if RATES_GBPS.contains(&gbps) { scaled_integer(&gbps.to_string(), 1_000).ok() } else { None };
        let mbps = mbps.and_then(|mbps| u32::try_from(mbps).ok());
        mbps.map(LinkRate).ok_or(TopologyError::Rate { role, gbps })
    }

    /// The kind of cable between two ends at `distance` (1 = neighbours), `farthest` being the
    /// largest.
    ///
    /// # Errors
    /// [`TopologyError::Rate`], [`TopologyError::Length`], [`TopologyError::LinksPerCable`].
    pub fn kind(&self, role: &'static str, distance: u32, farthest: u32) -> Result<CableKind, TopologyError> {
        let rate = self.rate(role)?;
        let longest = self.length_max_m.unwrap_or(self.length_m);
        if !LENGTHS_M.contains(&self.length_m) || !(self.length_m..=2_000.0).contains(&longest) {
            return Err(TopologyError::Length { role, shortest_m: self.length_m, longest_m: longest });
        }
        if self.links_per_cable == 0 {
            return Err(TopologyError::LinksPerCable { role });
        }
        let step_mm = if self.medium == Medium::Optical { 1_000.0 } else { 100.0 };
        let share = if farthest > 1 { f64::from(distance.saturating_sub(1)) / f64::from(farthest - 1) } else { 0.0 };
        let range_mm = (longest - self.length_m) * 1e3;
        // The longest cable has the length of the file; lengths in between are rounded to steps.
        let added_mm =
            if share < 1.0 { ((range_mm * share / step_mm).round() * step_mm).min(range_mm) } else { range_mm };
        let length_mm = self.length_m * 1e3 + added_mm;
        Ok(CableKind::new(self.medium, length_mm.round() as u32, rate, self.links_per_cable))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_metres_take_a_hundred_nanoseconds() {
        let cable = CableKind::new(Medium::Optical, 20_000, LinkRate::from_gbps(200), 1);
        assert_eq!(cable.propagation(), Picoseconds::from_nanos(100));
        assert_eq!(cable.name, "optical 20 m, 200 Gb/s");
    }

    #[test]
    fn lengths_grow_from_neighbours_to_the_farthest() {
        let mut run = CableDescription::optical_200g();
        run.length_m = 5.0;
        run.length_max_m = Some(35.0);
        let length = |distance| run.kind("global", distance, 73).expect("legal").length_mm;
        assert_eq!(length(1), 5_000);
        assert_eq!(length(73), 35_000);
        assert_eq!(length(37), 20_000);
    }

    #[test]
    fn impossible_cables_are_refused() {
        let mut run = CableDescription::copper_200g();
        run.rate_gbps = 0.0;
        assert!(matches!(run.kind("edge", 1, 1), Err(TopologyError::Rate { .. })));
        run.rate_gbps = 100.0001;
        let error = run.rate("edge").expect_err("not whole").to_string();
        assert!(error.contains("100.0001") && error.contains("three digits after the point"), "{error}");
        run.rate_gbps = 37.6;
        assert_eq!(run.rate("edge").expect("legal"), LinkRate(37_600));
        run.length_max_m = Some(1.0);
        assert!(matches!(run.kind("edge", 1, 1), Err(TopologyError::Length { .. })));
        run.length_max_m = None;
        run.links_per_cable = 0;
        assert!(matches!(run.kind("edge", 1, 1), Err(TopologyError::LinksPerCable { .. })));
    }
}
