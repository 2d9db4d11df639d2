//! The encoded value of an item of a section.

use std::sync::Arc;

use serde_json::Value;

/// The encoded value of an item.
pub fn value(item: &Value) -> Arc<[u8]> {
    item.to_string().into_bytes().into()
}
