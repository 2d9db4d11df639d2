//! What the library says to whoever asked for it by `FI_LOG_LEVEL`, as libfabric's own providers do.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// What went wrong; said unless the level is unknown.
    Warn,
    /// What was done.
    Info,
}

/// Says a line on standard error. Where a program has closed that, the line is lost, and the program goes on.
pub(crate) fn tell(line: &str) {
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{line}\n").as_bytes());
}

/// Says a line, if it is asked for.
pub(crate) fn say(level: Level, line: &str) {
    if asked().is_some_and(|asked| level <= asked) {
        tell(&format!("libfabric:{}:philae:{line}", std::process::id()));
    }
}

/// A limit for messages that wait for their receives. That it is reached is said once, whatever
/// level is asked for: a program that posts those receives later only may wait for ever.
#[derive(Debug)]
pub(crate) struct Limit {
    pub bytes: usize,
    /// The variable that makes it larger.
    name: &'static str,
    is_said: AtomicBool,
}

impl Limit {
    pub const fn new(bytes: usize, name: &'static str) -> Self {
        Self { bytes, name, is_said: AtomicBool::new(false) }
    }

    /// It is reached.
    pub fn is_reached(&self) {
        if !self.is_said.swap(true, Ordering::Relaxed) {
            let (process, Self { bytes, name, .. }) = (std::process::id(), self);
            tell(&format!(
                "philae: process {process}: messages of {bytes} bytes wait here for receives that are not posted, and no \
                 more are kept: their senders wait until some are received. {name} makes this limit larger"
            ));
        }
    }
}

/// The level asked for. Source: fi_log of `fabric(7)`: warn, trace, info, debug. Status: published.
fn asked() -> Option<Level> {
    static ASKED: OnceLock<Option<Level>> = OnceLock::new();
    *ASKED.get_or_init(|| match std::env::var("FI_LOG_LEVEL").ok()?.to_ascii_lowercase().as_str() {
        "warn" => Some(Level::Warn),
        "trace" | "info" | "debug" => Some(Level::Info),
        _ => None,
    })
}
