//! Typed quantities and identifiers.
//!
//! Invariant: a number that crosses a crate border carries its unit in its type. Time is integer
//! picoseconds, size is integer bytes, rates are integer megabits per second. No floating point:
//! floats belong to figures.

#![warn(missing_docs)]

mod encoding;
mod integer;
mod nearest;
mod provenance;
mod refusable;
mod version;
mod word;

pub use encoding::{NotText, WideEncoding, text_of};
pub use integer::{IntegerError, integer, keeps_digits, scaled_integer};
pub use nearest::{has_one_wrong_letter, is_misspelt, nearest};
pub use provenance::{FigureStatus, Provenance};
pub use refusable::{is_refusable, refusable};
pub use version::is_version;
pub use word::{counted, plain, word};

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// A point in simulated time, or a span of it, in picoseconds. 2^64 ps is 213 days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Picoseconds(pub u64);

impl Picoseconds {
    /// The start of a run.
    pub const ZERO: Self = Self(0);
    /// Later than anything that happens.
    pub const MAX: Self = Self(u64::MAX);

    /// From whole nanoseconds.
    #[must_use]
    pub const fn from_nanos(nanoseconds: u64) -> Self {
        Self(nanoseconds * 1_000)
    }

    /// From whole microseconds.
    #[must_use]
    pub const fn from_micros(microseconds: u64) -> Self {
        Self(microseconds * 1_000_000)
    }

    /// In nanoseconds, for people and figures.
    #[must_use]
    pub fn as_nanos_f64(self) -> f64 {
        self.0 as f64 / 1e3
    }

    /// In microseconds, for people and figures.
    #[must_use]
    pub fn as_micros_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// In seconds, for people and figures.
    #[must_use]
    pub fn as_seconds_f64(self) -> f64 {
        self.0 as f64 / 1e12
    }

    /// The later of two times.
    #[must_use]
    pub const fn max(self, other: Self) -> Self {
        if self.0 >= other.0 { self } else { other }
    }

    /// The earlier of two times.
    #[must_use]
    pub const fn min(self, other: Self) -> Self {
        if self.0 <= other.0 { self } else { other }
    }

    /// The difference, at least zero: for remaining waiting times.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add for Picoseconds {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Picoseconds {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Picoseconds {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        debug_assert!(self.0 >= other.0, "time does not go back");
        Self(self.0 - other.0)
    }
}

impl Mul<u64> for Picoseconds {
    type Output = Self;
    #[inline]
    fn mul(self, count: u64) -> Self {
        Self(self.0 * count)
    }
}

impl fmt::Display for Picoseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ps = self.0;
        match ps {
            0..=9_999 => write!(f, "{ps} ps"),
            10_000..=9_999_999 => write!(f, "{:.1} ns", ps as f64 / 1e3),
            10_000_000..=9_999_999_999 => write!(f, "{:.2} µs", ps as f64 / 1e6),
            10_000_000_000..=9_999_999_999_999 => write!(f, "{:.3} ms", ps as f64 / 1e9),
            _ => write!(f, "{:.3} s", ps as f64 / 1e12),
        }
    }
}

/// A size in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Bytes(pub u64);

impl Bytes {
    /// Zero bytes.
    pub const ZERO: Self = Self(0);

    /// From KiB (1,024 bytes).
    #[must_use]
    pub const fn from_kib(kib: u64) -> Self {
        Self(kib * 1024)
    }
}

impl Add for Bytes {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Bytes {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Bytes {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        debug_assert!(self.0 >= other.0, "a size is not negative");
        Self(self.0 - other.0)
    }
}

impl SubAssign for Bytes {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        debug_assert!(self.0 >= other.0, "a size is not negative");
        self.0 -= other.0;
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0;
        match bytes {
            0..=1_023 => write!(f, "{bytes} B"),
            1_024..=1_048_575 => write!(f, "{:.4} KiB", Trimmed(bytes as f64 / 1_024.0)),
            1_048_576..=1_073_741_823 => write!(f, "{:.4} MiB", Trimmed(bytes as f64 / 1_048_576.0)),
            _ => write!(f, "{:.4} GiB", Trimmed(bytes as f64 / 1_073_741_824.0)),
        }
    }
}

/// Writes a float without trailing zeros.
struct Trimmed(f64);

impl fmt::Display for Trimmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.*}", f.precision().unwrap_or(3), self.0);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// The rate of a link in one direction, in megabits per second (1 Mb/s = 10^6 bit/s), so that
/// Aries' 37.6 Gb/s is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct LinkRate(pub u32);

impl LinkRate {
    /// From whole gigabits per second.
    #[must_use]
    pub const fn from_gbps(gbps: u32) -> Self {
        Self(gbps * 1_000)
    }

    /// Time for `size` to cross a link of this rate.
    ///
    /// Rounds up once per packet: truncating per byte would make a 300 Gb/s link 2.5 % too fast.
    ///
    /// # Panics
    /// If the rate is zero: a link that carries traffic has a rate (scenarios are checked earlier).
    #[inline]
    #[must_use]
    pub const fn serialization(self, size: Bytes) -> Picoseconds {
        Picoseconds((size.0 * 8_000_000).div_ceil(self.0 as u64))
    }

    /// In gigabits per second, for people and figures.
    #[must_use]
    pub fn as_gbps_f64(self) -> f64 {
        f64::from(self.0) / 1e3
    }
}

impl fmt::Display for LinkRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} Gb/s", Trimmed(self.as_gbps_f64()))
    }
}

const _: () = assert!(LinkRate::from_gbps(200).serialization(Bytes(1)).0 == 40);
const _: () = assert!(LinkRate::from_gbps(400).serialization(Bytes(4_096)).0 == 81_920);

macro_rules! identifier {
    ($(#[$meta:meta])* $name:ident($inner:ty)) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub struct $name(pub $inner);

        impl $name {
            /// As an index into a column.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// From an index into a column.
            ///
            /// # Panics
            /// If the index does not fit: columns are bounded when the system is built.
            #[inline]
            #[must_use]
            pub fn from_index(index: usize) -> Self {
                Self(<$inner>::try_from(index).expect("columns are bounded when the system is built"))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    };
}

identifier!(
    /// A switch, counted over the whole system.
    SwitchId(u32)
);
identifier!(
    /// A group of switches (dragonfly) or a pod (three-level fat tree), counted from 0.
    GroupId(u32)
);
identifier!(
    /// A port of one switch, counted from 0 (Rosetta: 0 to 63).
    PortId(u8)
);
identifier!(
    /// A port, counted over the whole system: `switch * radix + port`.
    PortIndex(u32)
);
identifier!(
    /// A place where a NIC is attached, counted over the whole system.
    EndpointId(u32)
);
identifier!(
    /// A compute node: one host with one or more NICs.
    NodeId(u32)
);
identifier!(
    /// A job of a scenario, numbered in the scenario's order.
    JobId(u16)
);
identifier!(
    /// A process of a job (its MPI rank), counted within the job.
    RankId(u32)
);
identifier!(
    /// A traffic class, numbered in the scenario's order.
    ClassId(u8)
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serialization_rounds_up_once_per_packet() {
        let rate = LinkRate::from_gbps(300);
        assert_eq!(rate.serialization(Bytes(3)), Picoseconds(80));
        assert_eq!(rate.serialization(Bytes(1)), Picoseconds(27), "26.67 ps rounds up");
        assert_eq!(rate.serialization(Bytes(4_096)), Picoseconds(109_227));
    }

    #[test]
    fn aries_rates_are_exact() {
        assert_eq!(LinkRate(37_600).serialization(Bytes(47)), Picoseconds(10_000));
        assert_eq!(LinkRate(37_600).to_string(), "37.6 Gb/s");
    }

    #[test]
    fn quantities_print_for_people() {
        assert_eq!(Picoseconds::from_nanos(350).to_string(), "350.0 ns");
        assert_eq!(Picoseconds::from_micros(12_500).to_string(), "12.500 ms");
        assert_eq!(Bytes(131_072).to_string(), "128 KiB");
        assert_eq!(Bytes(1_536).to_string(), "1.5 KiB");
    }
}
