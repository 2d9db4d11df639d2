//! Reads the product's `fabric_template.json`, as far as its content is known.
//!
//! No sample is public. It is known that the file has objects for switches, with `edgePorts` and
//! `fabricPorts` whose entries have `conn_port` and `dst_port`, and with ids of groups and
//! switches. The reader accepts such an object at any position. It lists every key that it did not
//! use, so that the result is not taken for more than it is.

use crate::fabric::WiringKind;
use crate::parts::InventoryError;
use crate::template::{EdgeItem, LinkItem, SwitchItem, Template};
use crate::xname::{Xname, XnameKind, quoted};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

const GROUP_KEYS: [&str; 4] = ["grpId", "groupId", "group", "grp_id"];
const NUMBER_KEYS: [&str; 4] = ["swcNum", "swcId", "switchNum", "swc_num"];
const NAME_KEYS: [&str; 5] = ["id", "xname", "name", "switchLink", "documentSelfLink"];
const PORT_KEYS: [&str; 2] = ["edgePorts", "fabricPorts"];
const OWN_KEYS: [&str; 4] = ["conn_port", "connPort", "id", "portLink"];
const FAR_KEYS: [&str; 3] = ["dst_port", "dstPort", "dst"];

/// A template, and the parts of the file that were not understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The content that was understood.
    pub template: Template,
    /// Keys that were not used, with their number of occurrences.
    pub ignored: BTreeMap<String, usize>,
    /// Ports and links with missing or unexpected parts, in words.
    pub skipped: Vec<String>,
}

#[derive(Default)]
struct Reader {
    switches: BTreeMap<Xname, (Option<u32>, Option<u16>)>,
    links: BTreeSet<(Xname, Xname)>,
    edges: BTreeMap<Xname, Xname>,
    ignored: BTreeMap<String, usize>,
    skipped: Vec<String>,
}

/// The xname in a value, also at the end of a path such as `/fabric/ports/x3000c0r41j13p0`.
fn xname_in(value: &Value) -> Option<Xname> {
    let text = value.as_str()?;
    Xname::parse_dotted(text.rsplit('/').next()?).ok()
}

fn first<'a>(object: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a Value> {
    keys.iter().find_map(|key| object.get(*key))
}

fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
}

impl Reader {
    fn walk(&mut self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.walk(item)),
            Value::Object(object) if PORT_KEYS.iter().any(|key| object.contains_key(*key)) => self.switch(object),
            Value::Object(object) => {
                for (key, inner) in object {
                    // Containers are searched; plain values have no meaning.
                    if inner.is_array() || inner.is_object() {
                        self.walk(inner);
                    } else {
                        self.ignore(key);
                    }
                }
            }
            _ => {}
        }
    }

    fn ignore(&mut self, key: &str) {
        *self.ignored.entry(quoted(key)).or_default() += 1;
    }

    fn skip(&mut self, why: String) {
        /// The most that are reported individually.
        const TOLD_MAX: usize = 1_000;
        if self.skipped.len() < TOLD_MAX {
            self.skipped.push(why);
        }
    }

    fn switch(&mut self, object: &Map<String, Value>) {
        let module = |name: Xname| name.ancestor(XnameKind::SwitchModule);
        let mut name = NAME_KEYS.iter().filter_map(|key| object.get(*key)).find_map(|value| module(xname_in(value)?));
        let mut ports = Vec::new();
        for (key, value) in object {
            if PORT_KEYS.contains(&key.as_str()) {
                let entries: Vec<&Value> = match value {
                    Value::Array(items) => items.iter().collect(),
                    Value::Object(items) => items.values().collect(),
                    _ => Vec::new(),
                };
                ports.extend(entries.into_iter().map(|entry| (key == PORT_KEYS[0], entry)));
            } else if ![&GROUP_KEYS[..], &NUMBER_KEYS[..], &NAME_KEYS[..]].concat().contains(&key.as_str()) {
                self.ignore(key);
            }
        }
        for (is_edge, entry) in ports {
            let Some(entry) = entry.as_object() else {
                self.skip("a port that is not an object".to_owned());
                continue;
            };
            let Some(own) = first(entry, &OWN_KEYS).and_then(xname_in) else {
                self.skip(format!("a port without conn_port: {}", quoted(&Value::Object(entry.clone()).to_string())));
                continue;
            };
            for key in entry.keys() {
                if !OWN_KEYS.contains(&key.as_str()) && !FAR_KEYS.contains(&key.as_str()) {
                    self.ignore(key);
                }
            }
            name = name.or_else(|| module(own));
            self.port(is_edge, own, first(entry, &FAR_KEYS).and_then(xname_in));
        }
        let Some(name) = name else {
            self.skip("a switch without an xname".to_owned());
            return;
        };
        let group = first(object, &GROUP_KEYS).and_then(number).and_then(|group| u32::try_from(group).ok());
        let place = first(object, &NUMBER_KEYS).and_then(number).and_then(|place| u16::try_from(place).ok());
        self.switches.insert(name, (group, place));
    }

    fn port(&mut self, is_edge: bool, own: Xname, far: Option<Xname>) {
        let is_port = |name: Xname| matches!(name.kind(), XnameKind::Link | XnameKind::ConnectorPort);
        match far {
            _ if !is_port(own) => self.skip(format!("{own}, which is not a port")),
            None => self.skip(format!("{own}, which has no dst_port")),
            Some(far) if is_edge && far.kind() == XnameKind::Nic => {
                self.edges.insert(own, far);
            }
            Some(far) if !is_edge && is_port(far) && own != far => {
                self.links.insert((own.min(far), own.max(far)));
            }
            Some(far) => self.skip(format!("{own}, whose dst_port {far} is a {}", far.kind().name())),
        }
    }
}

impl Template {
    /// Reads a `fabric_template.json`, as far as it is understood.
    ///
    /// Assumed: a switch without a group is in group 0. A switch without a number, or with the
    /// number of another switch in its group, gets the next free number. Switches of cabinets x3000
    /// to x8999 have the model "columbia", others "colorado".
    ///
    /// # Errors
    /// [`InventoryError::Parse`] for text that is not JSON, [`InventoryError::Wrong`] if it has no
    /// switch.
    pub fn from_vendor(text: &str, name: &str) -> Result<Imported, InventoryError> {
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
            InventoryError::Parse { what: "fabric_template.json", format: "JSON", message: error.to_string() }
        })?;
        let mut reader = Reader::default();
        reader.walk(&value);
        if reader.switches.is_empty() {
            let works = "objects with edgePorts or fabricPorts, and an xname";
            return Err(InventoryError::wrong("fabric_template.json", "no switch", works));
        }
        let mut template = Self { name: Some(name.to_owned()), wiring: Some(WiringKind::Dragonfly), ..Self::empty() };
        let mut taken: BTreeSet<(u32, u16)> = BTreeSet::new();
        let mut later = Vec::new();
        for (xname, (group, number)) in reader.switches {
            let group = group.unwrap_or(0);
            match number {
                Some(number) if taken.insert((group, number)) => template.switches.push(item(xname, group, number)),
                _ => later.push((xname, group)),
            }
        }
        for (xname, group) in later {
            let number = (0..=u16::MAX).find(|number| taken.insert((group, *number))).unwrap_or(u16::MAX);
            template.switches.push(item(xname, group, number));
        }
        let links = reader.links.into_iter().map(|(a, b)| LinkItem { a, b, role: None, cable: 0, id: None });
        template.links = links.collect();
        let edges = reader.edges.into_iter();
        template.edge_ports =
            edges.map(|(port, nic)| EdgeItem { port, nic, cable: 0, id: None, ethernet: false, label: None }).collect();
        Ok(Imported { template, ignored: reader.ignored, skipped: reader.skipped })
    }
}

fn item(xname: Xname, group: u32, number: u16) -> SwitchItem {
    let model = crate::cabling_template::model_of(xname).to_owned();
    SwitchItem { xname, group, number, model: Some(model), label: None }
}
