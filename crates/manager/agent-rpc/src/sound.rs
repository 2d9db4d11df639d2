//! Size limits of an agent's messages: no switch sends more.

use philae_agent::{FromAgent, FromBody, PortReports, SectionHash, UpgradeReport};
use thiserror::Error;

/// Most ports of a switch.
///
/// Source: a mask of ports has 64 bits. Status: derived.
const PORTS_MOST: usize = 64;

/// Most sections in a message.
///
/// Source: ours. Status: assumed; there are fewer than ten.
const SECTIONS_MOST: usize = 64;

/// Longest text, bytes.
///
/// Source: ours. Status: assumed.
const TEXT_MOST: usize = 1_024;

/// Why a message exceeds a limit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unsound {
    /// A text is too long.
    #[error("{what} of {found} bytes; {TEXT_MOST} are the limit")]
    Text {
        /// The kind of text.
        what: &'static str,
        /// Its length.
        found: usize,
    },
    /// A list is too long.
    #[error("{found} {what}; {most} are the limit")]
    Many {
        /// What it lists.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The limit.
        most: usize,
    },
}

fn text(what: &'static str, text: &str) -> Result<(), Unsound> {
    if text.len() > TEXT_MOST { Err(Unsound::Text { what, found: text.len() }) } else { Ok(()) }
}

fn many(what: &'static str, found: usize, most: usize) -> Result<(), Unsound> {
    if found > most { Err(Unsound::Many { what, found, most }) } else { Ok(()) }
}

fn ports(ports: &PortReports) -> Result<(), Unsound> {
    many("ports in a report", ports.ports.len(), PORTS_MOST)
}

fn sections(sections: &[SectionHash]) -> Result<(), Unsound> {
    many("sections", sections.len(), SECTIONS_MOST)
}

fn upgrade(report: &UpgradeReport) -> Result<(), Unsound> {
    text("a firmware version", &report.version)?;
    text("a firmware version", &report.firmware)?;
    text("a detail", &report.detail)
}

/// Checks that the parts of a message are within their limits.
///
/// # Errors
/// When one is not, with what is too large.
pub fn sound(message: &FromAgent) -> Result<(), Unsound> {
    match &message.body {
        Some(FromBody::Hello(hello)) => {
            for (what, value) in [
                ("a name", &hello.name),
                ("a serial number", &hello.serial),
                ("a model", &hello.model),
                ("a firmware version", &hello.firmware),
                ("a version of the agent", &hello.agent),
                ("the name of a start", &hello.boot),
            ] {
                text(what, value)?;
            }
            hello.ports.as_ref().map_or(Ok(()), ports)?;
            hello.upgrade.as_deref().map_or(Ok(()), upgrade)?;
            sections(&hello.sections)
        }
        Some(FromBody::Heartbeat(heartbeat)) => sections(&heartbeat.sections),
        Some(FromBody::Ports(reports)) => ports(reports),
        Some(FromBody::Counters(counters)) => many("ports in a report of counters", counters.ports.len(), PORTS_MOST),
        Some(FromBody::Upgrade(report)) => upgrade(report),
        Some(FromBody::Ack(ack)) => text("a detail", &ack.detail),
        Some(FromBody::State(_)) | None => Ok(()),
    }
}
