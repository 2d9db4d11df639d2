//! The parts of an answer other than its body.

use crate::availability::ChangeDurability;

/// The parts of an answer other than its body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    /// The status, if it is not 200.
    pub status: Option<u16>,
    /// The entity tag of this state.
    pub etag: Option<String>,
    /// The path of what was made or begun.
    pub location: Option<String>,
    /// A cookie for the browser.
    pub cookie: Option<String>,
    /// Where an acknowledged change is stored.
    pub kept: Option<ChangeDurability>,
}
