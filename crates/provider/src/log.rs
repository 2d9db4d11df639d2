//! What the library says to whoever asked for it by `FI_LOG_LEVEL`, as libfabric's own providers do.

use std::sync::OnceLock;

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

/// The level asked for. Source: fi_log of `fabric(7)`: warn, trace, info, debug. Status: published.
fn asked() -> Option<Level> {
    static ASKED: OnceLock<Option<Level>> = OnceLock::new();
    *ASKED.get_or_init(|| match std::env::var("FI_LOG_LEVEL").ok()?.to_ascii_lowercase().as_str() {
        "warn" => Some(Level::Warn),
        "trace" | "info" | "debug" => Some(Level::Info),
        _ => None,
    })
}
