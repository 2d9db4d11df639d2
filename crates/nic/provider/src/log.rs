//! The library's log, as requested by `FI_LOG_LEVEL`, in the manner of libfabric's own providers.

use std::sync::OnceLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MessageLevel {
    /// Errors; logged unless the level is unknown.
    Warn,
    /// Actions.
    Info,
}

/// Writes a line to standard error. If a program has closed that, the line is lost, and the program
/// continues.
pub(crate) fn tell(line: &str) {
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{line}\n").as_bytes());
}

/// Logs a line, if its level is on.
pub(crate) fn say(level: MessageLevel, line: &str) {
    if asked().is_some_and(|asked| level <= asked) {
        tell(&format!("libfabric:{}:philae:{line}", std::process::id()));
    }
}

/// The requested level. Source: fi_log of `fabric(7)`: warn, trace, info, debug. Status: published.
fn asked() -> Option<MessageLevel> {
    static ASKED: OnceLock<Option<MessageLevel>> = OnceLock::new();
    *ASKED.get_or_init(|| match std::env::var("FI_LOG_LEVEL").ok()?.to_ascii_lowercase().as_str() {
        "warn" => Some(MessageLevel::Warn),
        "trace" | "info" | "debug" => Some(MessageLevel::Info),
        _ => None,
    })
}
