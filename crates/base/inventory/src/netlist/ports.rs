//! The port report, `ibnetdiscover -p`: one line for each port, linked or not.
//!
//! ```text
//! CA   134  1 0x7cfe9003003b4bde 4x EDR - SW  1719 10 0x7cfe9003009ce5b0 ( 'o0001 HCA-1' - 'leaf01' )
//! SW  1719 37 0x7cfe9003009ce5b0 4x SDR                                    'leaf01'
//! ```
//! A switch's GUID is the same in all of its lines. An adapter has one for each port, counting up
//! from the first.

use super::{Device, DeviceKind, Far, Half, LinkWidth, Netlist, Plug, is_aggregation_node, wrong};
use crate::parts::InventoryError;
use std::collections::{BTreeMap, BTreeSet};

/// One end as a line describes it.
#[derive(Clone, Copy, Debug)]
struct End<'a> {
    kind: DeviceKind,
    port: u16,
    guid: u64,
    label: &'a str,
}

/// A line: the port, its width and speed, and its far end.
struct Line<'a> {
    own: End<'a>,
    lanes: Option<LinkWidth>,
    far: Option<End<'a>>,
}

fn kind(word: &str) -> Option<DeviceKind> {
    match word {
        "SW" => Some(DeviceKind::Switch),
        "CA" => Some(DeviceKind::Adapter),
        "RT" => Some(DeviceKind::Router),
        _ => None,
    }
}

/// Whether a text is such a report: its first line with content describes a port.
pub(super) fn is_report(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.and_then(read).is_some()
}

/// Kind, LID, port and GUID at the beginning of a text, and the rest.
fn end(text: &str) -> Option<(End<'static>, &str)> {
    let mut rest = text.trim_start();
    let mut word = || {
        let at = rest.find(char::is_whitespace)?;
        let word = &rest[..at];
        rest = rest[at..].trim_start();
        Some(word)
    };
    let kind = kind(word()?)?;
    word()?.parse::<u32>().ok()?;
    let port = word()?.parse().ok()?;
    let guid = u64::from_str_radix(word()?.strip_prefix("0x")?, 16).ok()?;
    Some((End { kind, port, guid, label: "" }, rest))
}

fn read(line: &str) -> Option<Line<'_>> {
    let (own, rest) = end(line)?;
    let (width, rest) = rest.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let (speed, rest) = rest.split_once(char::is_whitespace)?;
    let lanes = format!("{width}{speed}").parse().ok();
    let rest = rest.trim();
    let Some(rest) = rest.strip_prefix("- ") else {
        return Some(Line { own: End { label: rest.trim_matches('\'').trim(), ..own }, lanes, far: None });
    };
    let (far, rest) = end(rest)?;
    let names = rest.trim().strip_prefix('(')?.strip_suffix(')')?.trim();
    let (one, other) = names.strip_prefix('\'')?.strip_suffix('\'')?.split_once("' - '")?;
    Some(Line { own: End { label: one.trim(), ..own }, lanes, far: Some(End { label: other.trim(), ..far }) })
}

/// Devices by the common properties of their ports.
#[derive(Default)]
struct Devices {
    all: Vec<Device>,
    place: BTreeMap<(u64, String), usize>,
}

impl Devices {
    fn plug(&mut self, end: End<'_>) -> Plug {
        let key = match end.kind {
            DeviceKind::Switch => (end.guid, String::new()),
            // The GUIDs of two adapters may be consecutive: their descriptions distinguish them.
            _ => (end.guid.wrapping_sub(end.port.into()), end.label.to_owned()),
        };
        let at = *self.place.entry(key).or_insert_with(|| {
            let letter = match end.kind {
                DeviceKind::Switch => 'S',
                DeviceKind::Adapter => 'H',
                DeviceKind::Router => 'R',
            };
            let name = format!("{letter}-{:016x}", end.guid);
            self.all.push(Device { name, kind: end.kind, ports: 0, label: end.label.to_owned(), card: None });
            self.all.len() - 1
        });
        self.all[at].ports = self.all[at].ports.max(end.port);
        (at, end.port)
    }
}

impl Netlist {
    pub(super) fn parse_report(text: &str) -> Result<Self, InventoryError> {
        let mut devices = Devices::default();
        let (mut links, mut inner) = (Vec::new(), Vec::new());
        for (at, line) in text.lines().enumerate() {
            let (number, line) = (at + 1, line.trim());
            if line.is_empty() || ["#", "ibwarn:", "src/"].iter().any(|begin| line.starts_with(begin)) {
                continue;
            }
            let works = "SW, CA or RT, LID, port, GUID, width and speed, then '-' and the neighbour, or a name,";
            let Line { own, lanes, far } = read(line).ok_or_else(|| wrong(number, "not a port of a report", works))?;
            let ports = 1..=255;
            if !ports.contains(&own.port) || far.is_some_and(|far| !ports.contains(&far.port)) {
                return Err(wrong(number, "a port out of range", "ports 1 to 255"));
            }
            let own_plug = devices.plug(own);
            let Some(far) = far else { continue };
            let far_plug = devices.plug(far);
            match (is_aggregation_node(own.label), is_aggregation_node(far.label)) {
                (false, true) => inner.push(own_plug),
                (true, false) => inner.push(far_plug),
                _ if own_plug == far_plug => {
                    return Err(wrong(number, "a port that leads to itself", "another port"));
                }
                _ => links.push((own_plug, Far { plug: far_plug, line: number, lanes })),
            }
        }
        inner.sort_unstable();
        inner.dedup();
        let mut netlist = Self { devices: devices.all, ..Self::default() };
        let ends: BTreeSet<Plug> = links.iter().map(|(own, _)| *own).collect();
        let mut half = Half::default();
        for (own, far) in links {
            if !ends.contains(&far.plug) {
                half.add(far.line);
            }
            netlist.add(own, far)?;
            netlist.add(far.plug, Far { plug: own, ..far })?;
        }
        netlist.warnings.extend(half.words(None));
        netlist.leave_out_inner(&inner);
        Ok(netlist)
    }
}
