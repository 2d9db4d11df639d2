//! The origin of a model constant, and how sure we are of it.
//!
//! [`preset!`] makes every parameter set of the model. It cannot be called without a source and a
//! status for each value, so a figure without an origin does not compile, and
//! docs/simulate/assumptions.md can be generated.

/// How sure we are of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FigureStatus {
    /// Stated in the named public source.
    Published,
    /// Read off a measurement that the named public source reports.
    Measured,
    /// Follows from published figures; the source shows the arithmetic.
    Derived,
    /// Our choice. A scenario parameter, with the range in which it is plausible.
    Assumed,
}

impl FigureStatus {
    /// The word used in documents.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Measured => "measured",
            Self::Derived => "derived",
            Self::Assumed => "assumed",
        }
    }
}

/// The origin of one parameter of one preset.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// Parameter name; its unit is its last word.
    pub name: &'static str,
    /// Value, as written in a scenario.
    pub value: String,
    /// How sure we are.
    pub status: FigureStatus,
    /// The source of the value.
    pub source: &'static str,
    /// Plausible range (assumed values) or the empty text.
    pub range: &'static str,
    /// The result that it moves most.
    pub moves: &'static str,
}

/// Defines a named set of values for a parameter struct, each with status, source, plausible range
/// and the result that it moves most.
///
/// `preset!(Struct, preset_fn, provenance_fn, { field = value, Status, "source", "range", "moves
/// most"; ... })`
#[macro_export]
macro_rules! preset {
    ($(#[$meta:meta])* $struct:ident, $preset:ident, $provenance:ident,
     { $($field:ident = $value:expr, $status:ident, $source:expr, $range:expr, $moves:expr;)* }) => {
        impl $struct {
            $(#[$meta])*
            #[must_use]
            pub fn $preset() -> Self {
                Self { $($field: $value),* }
            }

            /// The provenance of each value of the preset of the same name.
            #[must_use]
            pub fn $provenance() -> Vec<$crate::Provenance> {
                vec![$($crate::Provenance {
                    name: stringify!($field),
                    value: format!("{:?}", $value),
                    status: $crate::FigureStatus::$status,
                    source: $source,
                    range: $range,
                    moves: $moves,
                }),*]
            }
        }
    };
}
