//! Datatypes, by SimGrid's numbers.

use crate::error::{TraceError, quoted};
use crate::text::LineWords;

/// Bytes of a predefined datatype by its number. Source: simgrid/simgrid, its predefined datatypes
/// in order. Status: published.
const BYTES: [u64; 60] = [
    8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8, // C's
    8, 16, 16, 8, 8, 8, 16, 16, // pairs of a value and an index
    4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8, 16, // Fortran's
    32, 1, 8, 16, 32, // long double with an index, C++'s
    0, 0, 1, 8, 8, // bounds, packed, pointers, counts
];

/// What SimGrid writes for `MPI_DATATYPE_NULL`, and for every derived datatype.
const DERIVED: &str = "-1";

/// Bytes of one element; `None` for a derived datatype, whose size a trace does not have.
pub(super) fn bytes(words: &LineWords, word: &str) -> Result<Option<u64>, TraceError> {
    if word == DERIVED {
        return Ok(None);
    }
    match word.parse::<usize>().ok().and_then(|number| BYTES.get(number).copied()) {
        Some(bytes) => Ok(Some(bytes)),
        None => {
            let expected = format!("a datatype: 0 to {}, or {DERIVED} for a derived one", BYTES.len() - 1);
            Err(words.line.error(quoted(word), expected))
        }
    }
}
