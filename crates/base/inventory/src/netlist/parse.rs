//! The topology file of `ibnetdiscover`, with and without `-g`, `-f` and `-s`, and netlists of
//! `ibsim`.

use super::{Device, DeviceKind, Far, Half, LinkWidth, Netlist, Plug, WITH_INNER_PORT, is_aggregation_node, wrong};
use crate::parts::InventoryError;
use crate::xname::quoted;
use std::collections::{BTreeMap, BTreeSet};

/// A link as one of its ends tells it.
struct Told {
    own: Plug,
    far: String,
    far_port: u16,
    line: usize,
    lanes: Option<LinkWidth>,
    /// How the far end is described.
    label: String,
}

/// The text between the first two quotes, and what follows.
fn between_quotes(text: &str) -> Option<(&str, &str)> {
    let (_, rest) = text.split_once('"')?;
    rest.split_once('"')
}

/// A number in brackets at the front, and what follows.
fn bracketed(text: &str) -> Option<(u16, &str)> {
    let (number, rest) = text.trim_start().strip_prefix('[')?.split_once(']')?;
    Some((number.trim().parse().ok()?, rest))
}

/// What stands before a comment, and the comment; a `#` within quotes is none.
fn without_comment(line: &str) -> (&str, &str) {
    let mut quoted = false;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'#' if !quoted => return (&line[..at], &line[at + 1..]),
            _ => {}
        }
    }
    (line, "")
}

/// Width and speed at the end of a link's comment.
fn lanes_of(comment: &str) -> Option<LinkWidth> {
    let rest = comment.rsplit_once('"').map_or(comment, |(_, rest)| rest);
    rest.split_whitespace().find_map(|word| word.parse().ok()).or_else(|| LinkWidth::of_numbers(rest))
}

/// Headings of `-g`, progress of `-s`, and what the program writes to standard error beside its
/// report.
fn says_nothing(line: &str) -> bool {
    let number = |rest: &str| rest.trim_start().starts_with(|first: char| first.is_ascii_digit());
    line.strip_prefix("Chassis").is_some_and(number)
        || line == "Non-Chassis Nodes"
        || ["Hostname:", "//", "DR path ", "Lid ", "ibwarn:", "src/"].iter().any(|begin| line.starts_with(begin))
}

/// The number behind a key such as `sysimggguid=`, in hexadecimal; `None` for none and for 0.
fn guid(line: &str, key: &str) -> Option<u64> {
    let digits = line.strip_prefix(key)?.trim_start_matches("0x");
    let end = digits.find(|digit: char| !digit.is_ascii_hexdigit()).unwrap_or(digits.len());
    u64::from_str_radix(&digits[..end], 16).ok().filter(|guid| *guid != 0)
}

const FORMS: &str = "Switch, Ca, Hca, Rt, [port] or key=value";

impl Netlist {
    pub(super) fn parse_topology(text: &str) -> Result<Self, InventoryError> {
        let mut devices: Vec<Device> = Vec::new();
        let mut place: BTreeMap<String, usize> = BTreeMap::new();
        let mut told: Vec<Told> = Vec::new();
        let mut current: Option<usize> = None;
        let mut card = None;
        for (at, line) in text.lines().enumerate() {
            let number = at + 1;
            let (line, comment) = without_comment(line);
            let line = line.trim();
            if line.is_empty() || says_nothing(line) {
                continue;
            }
            if line.starts_with('[') {
                let owner = current.ok_or_else(|| wrong(number, "a port before any device", "Switch or Ca first"))?;
                told.extend(read_port(line, comment, number, owner, devices[owner].ports)?);
                continue;
            }
            let word = line.split_whitespace().next().unwrap_or_default();
            let kind = match word.to_ascii_lowercase().as_str() {
                "switch" => DeviceKind::Switch,
                "ca" | "hca" => DeviceKind::Adapter,
                "rt" | "router" => DeviceKind::Router,
                other if other.contains('=') => {
                    card = guid(other, "sysimgguid=").or(card);
                    continue;
                }
                "module" | "include" | "do" => {
                    return Err(wrong(number, format!("'{word}'"), "a netlist without modules, includes and commands"));
                }
                _ => return Err(wrong(number, format!("'{}'", quoted(word)), FORMS)),
            };
            let next = line[word.len()..].split_whitespace().next();
            if next.is_some_and(|next| next.starts_with(':')) {
                let works = "the report of ibnetdiscover without -l, -H, -S and -R";
                return Err(wrong(number, "a list of devices, which has no links", works));
            }
            let count = next.and_then(|count| count.parse::<u16>().ok());
            let ports = count.filter(|count| (1..=255).contains(count));
            let ports = ports.ok_or_else(|| wrong(number, "no count of ports", "1 to 255 ports after the word"))?;
            let (name, _) =
                between_quotes(line).ok_or_else(|| wrong(number, "no name", "a name in quotes after the ports"))?;
            // Descriptions may have quotes of their own: the last one ends it.
            let label = comment.trim_start().strip_prefix('"').and_then(|rest| rest.rsplit_once('"'));
            let label = label.map_or("", |(label, _)| label).trim().to_owned();
            if place.insert(name.to_owned(), devices.len()).is_some() {
                return Err(wrong(number, format!("a second '{}'", quoted(name)), "one device of each name"));
            }
            current = Some(devices.len());
            devices.push(Device { name: name.to_owned(), kind, ports, label, card: card.take() });
        }
        let inner = |far: &Told, devices: &[Device]| {
            let listed = place.get(&far.far).is_some_and(|&at| is_aggregation_node(&devices[at].label));
            listed || is_aggregation_node(&far.label)
        };
        let (inner, told): (Vec<Told>, Vec<Told>) = told.into_iter().partition(|far| inner(far, &devices));
        let mut netlist = Self { devices, ..Self::default() };
        let ends: BTreeSet<Plug> = told.iter().map(|told| told.own).collect();
        let all = told.len();
        let mut half = Half::default();
        for Told { own, far, far_port, line, lanes, .. } in told {
            if is_aggregation_node(&netlist.devices[own.0].label) {
                continue;
            }
            let &far_at = place.get(&far).ok_or_else(|| {
                wrong(line, format!("a neighbour '{}' that is not listed", quoted(&far)), "a listed device")
            })?;
            let most = netlist.devices[far_at].ports;
            if far_port == 0 || far_port > most || own == (far_at, far_port) {
                let found = format!("port {far_port} of '{}'", quoted(&far));
                return Err(wrong(line, found, format!("ports 1 to {most}, and not itself")));
            }
            if !ends.contains(&(far_at, far_port)) {
                half.add(line);
            }
            netlist.add(own, Far { plug: (far_at, far_port), line, lanes })?;
            netlist.add((far_at, far_port), Far { plug: own, line, lanes })?;
        }
        netlist.warnings.extend(half.words(Some(all)));
        let inner: Vec<Plug> = inner.into_iter().map(|told| told.own).collect();
        netlist.leave_out_inner(&inner);
        Ok(netlist)
    }

    /// Adds one direction of a link. Where its ends run at different widths and speeds, the lower
    /// counts.
    pub(super) fn add(&mut self, from: Plug, to: Far) -> Result<(), InventoryError> {
        let Some(known) = self.links.get_mut(&from) else {
            self.links.insert(from, to);
            return Ok(());
        };
        if known.plug == to.plug {
            if let (Some(one), Some(other)) = (known.lanes, to.lanes)
                && one != other
                && from < to.plug
            {
                let slower = if one.rate() <= other.rate() { one } else { other };
                let (name, port) = (quoted(&self.devices[from.0].name), from.1);
                let text = format!("\"{name}\"[{port}] runs at {one} and {other} by its two ends: {slower} is used");
                self.warnings.push(text);
            }
            known.lanes = match (known.lanes, to.lanes) {
                (Some(one), Some(other)) if other.rate() < one.rate() => Some(other),
                (one, other) => one.or(other),
            };
            return Ok(());
        }
        let (known, line) = (known.plug, to.line);
        let first = self.links[&from].line;
        let told = |plug: Plug| format!("\"{}\"[{}]", quoted(&self.devices[plug.0].name), plug.1);
        let found = format!("{} leads to {}, and by line {first} to {}", told(from), told(to.plug), told(known));
        Err(wrong(line, found, "one cable for each port"))
    }

    /// Takes aggregation nodes out, and the ports inside switches that lead to them.
    pub(super) fn leave_out_inner(&mut self, plugs: &[Plug]) {
        let nodes = self.devices.iter().filter(|device| device.is_end() && is_aggregation_node(&device.label)).count();
        self.aggregation_nodes = nodes.max(plugs.len());
        let has_link = |links: &BTreeMap<Plug, Far>, at: usize, port: u16| links.contains_key(&(at, port));
        for at in 0..self.devices.len() {
            if !self.devices[at].is_switch() {
                continue;
            }
            let last = self.devices[at].ports;
            let is_inner = plugs.contains(&(at, last)) || WITH_INNER_PORT.contains(&last);
            if last > 1 && is_inner && !has_link(&self.links, at, last) {
                self.devices[at].ports -= 1;
            }
        }
        if nodes == 0 {
            return;
        }
        let mut kept = Vec::with_capacity(self.devices.len());
        let mut devices = Vec::with_capacity(self.devices.len() - nodes);
        for device in std::mem::take(&mut self.devices) {
            let is_inner = device.is_end() && is_aggregation_node(&device.label);
            kept.push((!is_inner).then_some(devices.len()));
            if !is_inner {
                devices.push(device);
            }
        }
        self.devices = devices;
        let moved = |(at, port): Plug| kept[at].map(|at| (at, port));
        let links = std::mem::take(&mut self.links).into_iter();
        self.links =
            links.filter_map(|(plug, far)| Some((moved(plug)?, Far { plug: moved(far.plug)?, ..far }))).collect();
    }
}

/// A line of a port; `None` where it leads nowhere.
fn read_port(
    line: &str,
    comment: &str,
    number: usize,
    owner: usize,
    most: u16,
) -> Result<Option<Told>, InventoryError> {
    let works = "[port] \"device\"[port]";
    let (port, rest) = bracketed(line).ok_or_else(|| wrong(number, "a port without its number", works))?;
    let Some((far, rest)) = between_quotes(rest) else {
        let rest = rest.trim_start();
        // ibsim takes ports that lead nowhere; `-g` puts the number that is printed on the chassis
        // behind.
        if rest.is_empty() || rest.starts_with(['(', '[']) {
            return Ok(None);
        }
        return Err(wrong(number, "a port without its neighbour", works));
    };
    let (far_port, rest) = bracketed(rest).ok_or_else(|| wrong(number, "a neighbour without its port", works))?;
    if port == 0 || port > most {
        return Err(wrong(number, format!("port {port}"), format!("ports 1 to {most}")));
    }
    let enabled = LinkWidth::of_enabled(rest).map_err(|word| {
        let works = "masks as ibsim takes them: w= of 1 (1x), 2 (4x), 4 (8x), 8 (12x), s= of 1 (SDR), 2 (DDR), 4 (QDR)";
        wrong(number, format!("'{}'", quoted(&word)), works)
    })?;
    let label = between_quotes(comment).map_or("", |(label, _)| label).to_owned();
    let lanes = lanes_of(comment).or(enabled);
    Ok(Some(Told { own: (owner, port), far: far.to_owned(), far_port, line: number, lanes, label }))
}
