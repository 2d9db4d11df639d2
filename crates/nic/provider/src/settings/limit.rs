//! The limit on the bytes of messages that wait for a receive.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::log::tell;

/// The largest overflow or request buffer, in bytes, and the most of them. Source: ours.
/// Status: assumed.
pub(super) const BUFFER_MAX: usize = 1 << 30;
pub(super) const BUFFERS_MAX: usize = 1_024;

/// The most bytes of messages that an endpoint keeps for receives that are not posted yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    pub bytes: usize,
    /// The vendor's name of the buffers: `OFLOW` or `REQ`.
    pub name: &'static str,
    /// The number of buffers that the variables ask for.
    pub buffers: usize,
    /// The largest buffer that the variable permits, in bytes.
    pub buffer_max: usize,
}

impl Limit {
    /// The variables that double this limit, with their values; `None` if no value does.
    fn doubled(&self) -> Option<String> {
        let (Self { name, buffers, buffer_max, .. }, bytes) = (self, self.bytes.checked_mul(2)?);
        let size = bytes.div_ceil(*buffers);
        if size <= *buffer_max {
            return Some(format!("FI_CXI_{name}_BUF_SIZE={size}"));
        }
        let buffers = bytes.div_ceil(*buffer_max);
        (buffers <= BUFFERS_MAX)
            .then(|| format!("FI_CXI_{name}_BUF_SIZE={buffer_max} with FI_CXI_{name}_BUF_MAX_CACHED={buffers}"))
    }

    /// Reports that the limit is reached: once for each process, at any log level, because a
    /// program that posts those receives only later may wait forever.
    pub fn is_reached(&self, is_said: &AtomicBool) {
        if !is_said.swap(true, Ordering::Relaxed) {
            let larger = self.doubled().map_or_else(String::new, |larger| format!("; {larger} doubles this limit"));
            let (process, bytes) = (std::process::id(), self.bytes);
            tell(&format!(
                "philae: process {process}: messages of {bytes} bytes wait here for receives that are not posted, \
                 the limit: senders wait until some are received{larger}"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_names_values_that_double_it() {
        let limit = |bytes, buffers| Limit { bytes, name: "OFLOW", buffers, buffer_max: 1 << 30 };
        let doubled = |bytes, buffers| limit(bytes, buffers).doubled();
        assert_eq!(doubled(1 << 30, 9).as_deref(), Some("FI_CXI_OFLOW_BUF_SIZE=238609295"));
        let more = "FI_CXI_OFLOW_BUF_SIZE=1073741824 with FI_CXI_OFLOW_BUF_MAX_CACHED=4";
        assert_eq!(doubled(2 << 30, 2).as_deref(), Some(more));
        assert_eq!(doubled(1 << 40, 1_024), None, "it is the greatest");
    }
}
