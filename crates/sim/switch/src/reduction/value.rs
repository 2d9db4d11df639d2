//! Operations and their operands.

use crate::reduction::double;
use crate::reduction::reproducible::ReproducibleSum;

/// The operation on operands. All but `SumDouble` give the same bits in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum OffloadOperation {
    /// Counts contributions only.
    Barrier,
    /// Bitwise and of up to 4 words.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Least of signed integers.
    MinSigned,
    /// Greatest of signed integers.
    MaxSigned,
    /// Least of unsigned integers.
    MinUnsigned,
    /// Greatest of unsigned integers.
    MaxUnsigned,
    /// Sum of integers, signed or not, modulo 2^64.
    Sum,
    /// Least and greatest signed integer with their locations: words (least, place, greatest,
    /// place).
    MinMaxLocSigned,
    /// Least double.
    MinDouble,
    /// Greatest double.
    MaxDouble,
    /// Sum of doubles, rounded after each addition: the one operation whose result depends on the
    /// order.
    SumDouble,
    /// Least and greatest double with their locations.
    MinMaxLocDouble,
    /// Sum of one double per contribution that does not depend on the order.
    SumReproducible,
}

impl OffloadOperation {
    /// All operations.
    pub const ALL: [Self; 15] = [
        Self::Barrier,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::MinSigned,
        Self::MaxSigned,
        Self::MinUnsigned,
        Self::MaxUnsigned,
        Self::Sum,
        Self::MinMaxLocSigned,
        Self::MinDouble,
        Self::MaxDouble,
        Self::SumDouble,
        Self::MinMaxLocDouble,
        Self::SumReproducible,
    ];
}

/// Operands, at most 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Operands {
    /// Up to 4 words of 64 bits (bits of doubles, for operations on doubles).
    Words {
        /// The words; unused ones are zero.
        words: [u64; 4],
        /// The number of words.
        count: u8,
    },
    /// A reproducible sum.
    Sum(ReproducibleSum),
}

/// Operands that do not fit the operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// Too many.
    #[error("{found} operands of 8 bytes; an operation in the switch takes 4 at most: cut the vector, or use software")]
    TooLong {
        /// The number of words.
        found: usize,
    },
    /// Not in the operation's form.
    #[error("{} takes {wanted}", philae_units::word(.operation))]
    Form {
        operation: OffloadOperation,
        /// The form that it takes.
        wanted: &'static str,
    },
    /// Operands of different lengths.
    #[error("one side has {one} operands, the other {other}; both must have the same")]
    Lengths {
        /// The length of one.
        one: u8,
        /// The length of the other.
        other: u8,
    },
}

impl Operands {
    /// No operands, as for a barrier.
    pub const NOTHING: Self = Self::Words { words: [0; 4], count: 0 };

    /// Operands from words.
    ///
    /// # Errors
    /// [`ValueError::TooLong`] for more than 4.
    pub fn words(given: &[u64]) -> Result<Self, ValueError> {
        let mut words = [0; 4];
        let Some(place) = words.get_mut(..given.len()) else {
            return Err(ValueError::TooLong { found: given.len() });
        };
        place.copy_from_slice(given);
        Ok(Self::Words { words, count: given.len() as u8 })
    }

    /// Operands from doubles.
    ///
    /// # Errors
    /// As [`words`](Self::words).
    pub fn doubles(given: &[f64]) -> Result<Self, ValueError> {
        let bits: Vec<u64> = given.iter().map(|double| double.to_bits()).collect();
        Self::words(&bits)
    }

    /// Checks whether these are operands of `operation`.
    ///
    /// # Errors
    /// [`ValueError::Form`] if they are not.
    pub fn fits(&self, operation: OffloadOperation) -> Result<(), ValueError> {
        let wanted = match (operation, self) {
            (OffloadOperation::SumReproducible, Self::Sum(_)) => return Ok(()),
            (OffloadOperation::SumReproducible, Self::Words { .. }) => "one reproducible sum",
            (OffloadOperation::Barrier, Self::Words { count: 0, .. }) => return Ok(()),
            (OffloadOperation::Barrier, _) => "no operands",
            (OffloadOperation::MinMaxLocSigned | OffloadOperation::MinMaxLocDouble, Self::Words { count: 4, .. }) => {
                return Ok(());
            }
            (OffloadOperation::MinMaxLocSigned | OffloadOperation::MinMaxLocDouble, _) => {
                "least, its place, greatest, its place"
            }
            (_, Self::Words { count: 1..=4, .. }) => return Ok(()),
            _ => "1 to 4 words",
        };
        Err(ValueError::Form { operation, wanted })
    }

    /// Combines both operands.
    ///
    /// # Errors
    /// [`ValueError`] if either is not an operand of `operation`, or if their lengths differ.
    pub fn combine(self, other: Self, operation: OffloadOperation) -> Result<Self, ValueError> {
        self.fits(operation)?;
        other.fits(operation)?;
        let (one, count, two) = match (self, other) {
            (Self::Sum(one), Self::Sum(two)) => return Ok(Self::Sum(one.plus(two))),
            (Self::Words { words: one, count }, Self::Words { words: two, count: other }) if count == other => {
                (one, count, two)
            }
            (Self::Words { count: one, .. }, Self::Words { count: other, .. }) => {
                return Err(ValueError::Lengths { one, other });
            }
            _ => return Err(ValueError::Form { operation, wanted: "both of one form" }),
        };
        let each = |with: fn(u64, u64) -> u64| {
            let mut words = [0; 4];
            for (place, word) in words.iter_mut().enumerate().take(usize::from(count)) {
                *word = with(one[place], two[place]);
            }
            words
        };
        let words = match operation {
            OffloadOperation::Barrier | OffloadOperation::SumReproducible => [0; 4],
            OffloadOperation::And => each(|one, two| one & two),
            OffloadOperation::Or => each(|one, two| one | two),
            OffloadOperation::Xor => each(|one, two| one ^ two),
            OffloadOperation::MinSigned => each(|one, two| (one as i64).min(two as i64) as u64),
            OffloadOperation::MaxSigned => each(|one, two| (one as i64).max(two as i64) as u64),
            OffloadOperation::MinUnsigned => each(u64::min),
            OffloadOperation::MaxUnsigned => each(u64::max),
            OffloadOperation::Sum => each(u64::wrapping_add),
            OffloadOperation::MinDouble => each(double::min),
            OffloadOperation::MaxDouble => each(double::max),
            OffloadOperation::SumDouble => each(double::sum),
            OffloadOperation::MinMaxLocSigned => {
                let least = (one[0] as i64, one[1]).min((two[0] as i64, two[1]));
                let greatest = match (one[2] as i64).cmp(&(two[2] as i64)) {
                    std::cmp::Ordering::Equal => (one[2], one[3].min(two[3])),
                    std::cmp::Ordering::Greater => (one[2], one[3]),
                    std::cmp::Ordering::Less => (two[2], two[3]),
                };
                [least.0 as u64, least.1, greatest.0, greatest.1]
            }
            OffloadOperation::MinMaxLocDouble => {
                let least = double::min_at((one[0], one[1]), (two[0], two[1]));
                let greatest = double::max_at((one[2], one[3]), (two[2], two[3]));
                [least.0, least.1, greatest.0, greatest.1]
            }
        };
        Ok(Self::Words { words, count })
    }
}
