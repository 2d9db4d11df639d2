//! Netlists: the output of `ibnetdiscover` with each of its options, and the files that `ibsim`
//! reads.
//!
//! ```text
//! Switch  24 "S-005442ba00003080"    # "ISR9024" base port 0 lid 6 lmc 0
//! [22]    "H-00188b00003ab0"[1](188b00003ab1)    # "hca" lid 5 4xSDR
//! Ca      2 "H-00188b00003ab0"       # "MT23108"
//! [1](188b00003ab1)   "S-005442ba00003080"[22]   # lid 5 lmc 0
//! ```
//! Port numbers begin at 1 there and at 0 here. Links keep their width and speed as a rate. The
//! adapters of one host are one node. Source: the manual pages of infiniband-diags and ibsim.
//! Status: published.

mod hosts;
mod lanes;
mod parse;
mod ports;
mod template;
mod write;

pub use lanes::LinkWidth;

use crate::parts::InventoryError;
use philae_topology::Assumed;
use std::collections::BTreeMap;

/// The kind of a device in a netlist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeviceKind {
    Switch,
    /// `Ca`, `Hca`.
    Adapter,
    /// `Rt`: it joins this subnet to others, and runs no jobs.
    Router,
}

/// A switch, an adapter or a router of the text.
#[derive(Debug)]
struct Device {
    name: String,
    kind: DeviceKind,
    ports: u16,
    /// The description.
    label: String,
    /// The system image GUID, which adapters of one card share.
    card: Option<u64>,
}

impl Device {
    fn is_switch(&self) -> bool {
        self.kind == DeviceKind::Switch
    }

    /// Whether it is at the edge of the fabric.
    fn is_end(&self) -> bool {
        self.kind != DeviceKind::Switch
    }
}

/// Whether a description is that of an aggregation node, the part of a switch that reduces passing
/// data (SHARP).
///
/// Source: NVIDIA's switches of the HDR and NDR generations call it
/// `Mellanox Technologies Aggregation Node`. Status: published, in dumps and in NVIDIA's
/// documentation of SHARP.
fn is_aggregation_node(description: &str) -> bool {
    description.to_ascii_lowercase().contains("aggregation node")
}

/// Port counts of switches whose last port leads to the aggregation node.
///
/// Source: dumps of Switch-IB (37), Quantum (41, split 81), Quantum-2 (65, split 129) and
/// Quantum-X800 (145) systems.
/// Status: published for 37, 41, 65 and 81, assumed for the others.
const WITH_INNER_PORT: [u16; 6] = [37, 41, 65, 81, 129, 145];

/// One end of a link: device, and port from 1.
type Plug = (usize, u16);

/// The far end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Far {
    plug: Plug,
    /// The first line that states it.
    line: usize,
    lanes: Option<LinkWidth>,
}

/// A netlist: devices and the links between them.
#[derive(Debug, Default)]
pub struct Netlist {
    devices: Vec<Device>,
    /// Links in both directions.
    links: BTreeMap<Plug, Far>,
    /// The number of aggregation nodes that were left out.
    aggregation_nodes: usize,
    warnings: Vec<String>,
}

/// Links that one of their ends alone lists: a cable that failed while the tool looked, or a file
/// that a person changed.
#[derive(Default)]
struct Half {
    links: usize,
    line: usize,
}

impl Half {
    fn add(&mut self, line: usize) {
        if self.links == 0 {
            self.line = line;
        }
        self.links += 1;
    }

    /// In words. A file that lists none of `all` its links twice, as those for ibsim may, means
    /// what it says.
    fn words(self, all: Option<usize>) -> Option<String> {
        let Self { links, line } = self;
        match links {
            0 => None,
            _ if Some(links) == all => None,
            1 => Some(format!("line {line}: only one end of the link lists it; it is read as a link")),
            _ => Some(format!(
                "{links} links, the first in line {line}: only one end of each lists it; they are read as links"
            )),
        }
    }
}

fn wrong(line: usize, found: impl ToString, works: impl ToString) -> InventoryError {
    InventoryError::wrong(format!("line {line} of the netlist"), found, works)
}

impl Netlist {
    /// Reads a netlist in any of its forms.
    ///
    /// # Errors
    /// [`InventoryError::Wrong`], with the line.
    pub fn parse(text: &str) -> Result<Self, InventoryError> {
        let mut netlist = if ports::is_report(text) { Self::parse_report(text)? } else { Self::parse_topology(text)? };
        if netlist.links.is_empty() {
            netlist
                .warnings
                .push("no device has a link: a file that was cut behind its first device looks the same".to_owned());
        }
        if !text.ends_with(['\n', '\r']) {
            let (line, cut) = (text.lines().count(), "has no line end: a file that was cut within it looks the same");
            netlist.warnings.push(format!("line {line}, the last one, {cut}"));
        }
        Ok(netlist)
    }

    /// Whether a text is the port report, `ibnetdiscover -p`.
    pub(crate) fn is_report(text: &str) -> bool {
        ports::is_report(text)
    }

    /// Each link once, with the lower end first.
    fn each_link(&self) -> impl Iterator<Item = (Plug, Far)> + '_ {
        self.links.iter().map(|(&plug, &far)| (plug, far)).filter(|(plug, far)| *plug < far.plug)
    }

    /// How many switches, and how many adapters and routers, share each description.
    fn described(&self) -> BTreeMap<(bool, &str), usize> {
        let mut count = BTreeMap::new();
        for device in self.devices.iter().filter(|device| !device.label.is_empty()) {
            *count.entry((device.is_switch(), device.label.as_str())).or_default() += 1;
        }
        count
    }

    /// The label of each device: its description, or its name if another device has the same
    /// description.
    fn labels(&self) -> Vec<&str> {
        let count = self.described();
        let label = |device: &Device| count.get(&(device.is_switch(), device.label.as_str())) == Some(&1);
        self.devices.iter().map(|device| if label(device) { device.label.as_str() } else { &device.name }).collect()
    }

    /// Parts of the text that a fabric cannot represent, and ambiguities.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.warnings.clone();
        if self.aggregation_nodes > 0 {
            let (nodes, are) = if self.aggregation_nodes == 1 { ("node", "is") } else { ("nodes", "are") };
            warnings.push(format!(
                "{} aggregation {nodes} (SHARP) {are} left out: a part of its switch, at an internal port",
                self.aggregation_nodes
            ));
        }
        let routers = self.devices.iter().filter(|device| device.kind == DeviceKind::Router).count();
        if routers > 0 {
            let (routers, are) = if routers == 1 { ("1 router", "is a node") } else { ("routers", "are nodes") };
            warnings.push(format!("{routers} (Rt) {are} on which no jobs run: other subnets are not part of the file"));
        }
        warnings.extend(hosts::hosts(&self.devices).1);
        let named = self.described();
        for ((_, name), count) in named.into_iter().filter(|((is_switch, _), count)| *is_switch && *count > 1) {
            let name = crate::xname::quoted(name);
            warnings.push(format!("{count} switches have the name '{name}': their GUIDs are used as labels"));
        }
        warnings
    }

    /// Values that the text does not state, and the assumptions used instead; also the rates
    /// derived from widths and speeds.
    #[must_use]
    pub fn assumed(&self) -> Vec<Assumed> {
        let entry = |key: String, value: String, why: String| Assumed { key, value, why };
        let mut count: BTreeMap<LinkWidth, usize> = BTreeMap::new();
        let mut silent = 0;
        for (_, far) in self.each_link() {
            match far.lanes {
                Some(lanes) => *count.entry(lanes).or_default() += 1,
                None => silent += 1,
            }
        }
        let mut assumed = Vec::new();
        for (lanes, links) in count {
            let signalled = match lanes.signalling() == lanes.rate() {
                true => String::new(),
                false => format!(", {} on the wire", lanes.signalling()),
            };
            let links = if links == 1 { "1 link".to_owned() } else { format!("{links} links") };
            assumed.push(entry(
                format!("rate of {links}"),
                lanes.rate().to_string(),
                format!("{lanes}: what is left after the encoding{signalled}"),
            ));
        }
        if silent > 0 {
            let why = "the netlist gives no known width and speed".to_owned();
            let key = if self.links.len() == 2 * silent { "rate of all links" } else { "rate of the other links" };
            assumed.push(entry(key.to_owned(), template::USUAL_RATE.to_string(), why));
        }
        assumed.push(entry(
            "length and medium of all links".to_owned(),
            "2 m, copper".to_owned(),
            "a netlist does not have them".to_owned(),
        ));
        assumed
    }
}
