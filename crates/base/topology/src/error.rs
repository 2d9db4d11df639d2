//! Errors of descriptions: each message says what was asked, what was found and what would work.

use thiserror::Error;

/// Why a description cannot be built. Numbers of switches and groups are those of the system, from
/// 0.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TopologyError {
    /// A description has none or several of its wiring tables.
    #[error("system '{system}' has {found} of the tables [dragonfly], [fat_tree] and [graph]; exactly one would work")]
    Wiring {
        /// The system's name.
        system: String,
        /// Number of the tables that it has.
        found: usize,
    },
    /// A radix out of range.
    #[error("the switch has {radix} ports; 1 to 256 would work")]
    Radix {
        /// Ports asked for.
        radix: usize,
    },
    /// Too few or too many switches.
    #[error("the system has {switches} switches; 1 to {most} would work")]
    SwitchCount {
        /// Switches asked for.
        switches: u64,
        /// The maximum that identifiers can number.
        most: u64,
    },
    /// A count that has to be at least one is zero.
    #[error("{what} is 0; at least 1 would work")]
    Zero {
        /// The key, in words.
        what: String,
    },
    /// A link rate out of range, or with a fraction of 1 Mb/s.
    #[error("the {role} links run at {} Gb/s; {} would work", short(*.gbps), rates(*.gbps))]
    Rate {
        /// Role of the links.
        role: &'static str,
        /// Rate asked for, in Gb/s.
        gbps: f64,
    },
    /// A cable length out of range.
    #[error("the {role} cables are {} long; 0 to 2000 m, the shortest first, would work", lengths(*.shortest_m, *.longest_m))]
    Length {
        /// Role of the cables.
        role: &'static str,
        /// Length of the shortest, in metres.
        shortest_m: f64,
        /// Length of the longest, in metres.
        longest_m: f64,
    },
    /// An error in the cable of one link or endpoint.
    #[error("{what}: {source}")]
    Cable {
        /// The link or endpoint, with its switches.
        what: String,
        /// The error.
        source: Box<TopologyError>,
    },
    /// A cable without links.
    #[error("the {role} cables carry 0 links each; 1, or 2 for dual-density cables, would work")]
    LinksPerCable {
        /// Role of the cables.
        role: &'static str,
    },
    /// A switch has too few ports for its part of the wiring.
    #[error(
        "switch {switch} of group {group} needs {needed} {role} ports, it has {left} left ({radix} ports: {used}); \
         {advice} would work"
    )]
    Ports {
        /// Switch, counted within the group.
        switch: u32,
        /// Group.
        group: u32,
        /// Role that runs out.
        role: &'static str,
        /// Ports of this role that the wiring asks for.
        needed: u64,
        /// Ports that are left for it.
        left: u64,
        /// Ports of a switch.
        radix: usize,
        /// Roles of the other ports: "16 edge, 31 local".
        used: String,
        /// What would make it fit.
        advice: &'static str,
    },
    /// An invalid range of port numbers.
    #[error(
        "port_ranges.{role} is [{first}, {last}]; first <= last < {radix} (the ports of a switch), and no overlap with \
         port_ranges.{other}, would work"
    )]
    PortRange {
        /// Role of the range.
        role: &'static str,
        /// First port number.
        first: u8,
        /// Last port number.
        last: u8,
        /// Ports of a switch.
        radix: usize,
        /// Role of another range, which it may overlap.
        other: &'static str,
    },
    /// Two kinds of group share a name.
    #[error("two kinds of group are named '{kind}'; different names would work")]
    DuplicateKind {
        /// The name.
        kind: String,
    },
    /// A link count names a kind of group that does not exist.
    #[error(
        "global links between '{first}' and '{second}': the kinds of group of this system are {known}; two of these would work"
    )]
    UnknownKind {
        /// One kind asked for.
        first: String,
        /// The other.
        second: String,
        /// The kinds that exist.
        known: String,
    },
    /// Two kinds of group have several link counts.
    #[error("links between '{first}' and '{second}' are given twice; once would work")]
    DuplicateGlobalLinks {
        /// One kind.
        first: String,
        /// The other.
        second: String,
    },
    /// Two kinds of group are not joined.
    #[error(
        "groups of kind '{first}' and '{second}' have no link; a dragonfly joins every pair of groups: \
         global_links with per_pair >= 1, or links_per_pair, would work"
    )]
    NoGlobalLinks {
        /// One kind.
        first: String,
        /// The other.
        second: String,
    },
    /// Keys that do not fit the wiring of global links.
    #[error("wiring \"{wiring}\" is asked for together with {found}; {works} would work")]
    GlobalWiring {
        /// The wiring.
        wiring: &'static str,
        /// What does not fit.
        found: &'static str,
        /// What would work.
        works: &'static str,
    },
    /// A listed global link that cannot be made.
    #[error("listed link {link} {found}; {works} would work")]
    ListedLink {
        /// The link, counted from 0.
        link: usize,
        /// What it asks for.
        found: String,
        /// What would work.
        works: String,
    },
    /// Two groups without a listed link.
    #[error(
        "no listed link joins the groups {one} and {other}; a dragonfly joins every pair of groups: one more link would work"
    )]
    UnjoinedGroups {
        /// One group.
        one: u32,
        /// The other.
        other: u32,
    },
    /// More nodes than places.
    #[error(
        "kind '{kind}' has {nodes} nodes, but its {groups} groups have {places} places of {nics} NICs each; \
         at most {places} would work"
    )]
    NodeCount {
        /// Kind of group.
        kind: String,
        /// Nodes asked for.
        nodes: u32,
        /// Groups of the kind.
        groups: u32,
        /// Nodes that fit.
        places: u64,
        /// NICs of a node.
        nics: u8,
    },
    /// A node's NICs cannot be placed.
    #[error(
        "a node of kind '{kind}' has {nics} NICs {spread}, there are {room}; at most {room} would work, \
         or the other nic_spread"
    )]
    NicSpread {
        /// Kind of group.
        kind: String,
        /// NICs of a node.
        nics: u8,
        /// How they are spread, in words.
        spread: &'static str,
        /// Switches of a group, or edge ports of a switch.
        room: u32,
    },
    /// A grid that does not have as many places as there are switches.
    #[error(
        "groups of kind '{kind}' have {switches} switches in a grid of {columns} columns and {rows} rows; \
         {product} switches would work"
    )]
    Grid {
        /// Kind of group.
        kind: String,
        /// Switches of a group.
        switches: u32,
        /// Columns of the grid.
        columns: u32,
        /// Rows of the grid.
        rows: u32,
        /// Places of the grid.
        product: u64,
    },
    /// A fat tree whose level cannot be wired with the ports of a switch.
    #[error(
        "a {level} switch needs {needed} ports ({down} down, {up} up), it has {radix}; fewer {down_what}, \
         fewer links up or a higher radix would work"
    )]
    FatTreePorts {
        /// Level, in words.
        level: &'static str,
        /// Ports that the wiring asks for.
        needed: u64,
        /// Of these, towards the endpoints.
        down: u64,
        /// Of these, away from them.
        up: u64,
        /// Ports of a switch.
        radix: usize,
        /// The devices below the down ports.
        down_what: &'static str,
    },
    /// Links that do not fill their cables.
    #[error("{links} links join a leaf and a spine, a cable carries {per_cable}; a multiple of {per_cable} would work")]
    FatTreeCables {
        /// Links per pair.
        links: u32,
        /// Links that share a cable.
        per_cable: u8,
    },
    /// More kinds of cable than can be numbered.
    #[error(
        "the cables are of more than {most} kinds (medium, length in millimetres and rate); lengths in whole metres would work"
    )]
    CableKinds {
        /// The most that can be numbered.
        most: usize,
    },
    /// A node with more NICs than can be numbered.
    #[error("node {node} has {nics} NICs; up to {most} would work")]
    NodeNics {
        /// The node.
        node: u32,
        /// Its NICs.
        nics: usize,
        /// The most that can be numbered.
        most: usize,
    },
    /// A graph names a switch that it does not have.
    #[error("{what} is on switch {switch}, the graph has switches 0 to {last}; one of these would work")]
    MissingSwitch {
        /// The object that refers to it: "link 3", "endpoint 7".
        what: String,
        /// The switch referred to.
        switch: u32,
        /// The last switch.
        last: u32,
    },
    /// A link from a switch to itself.
    #[error("link {link} joins switch {switch} to itself; two different switches would work")]
    SelfLoop {
        /// The link, counted from 0.
        link: usize,
        /// The switch.
        switch: u32,
    },
    /// A port that is used twice.
    #[error("{what} is on port {port} of switch {switch}, which is taken; {advice} would work")]
    DuplicatePort {
        /// The user of the port: "link 3", "endpoint 7".
        what: String,
        /// The switch.
        switch: u32,
        /// The port.
        port: u32,
        /// What would work.
        advice: String,
    },
    /// A port number out of range, or a switch without free ports.
    #[error(
        "{what} is on port {port} of switch {switch}, but a switch has ports 0 to {last}; fewer links or a higher radix would work"
    )]
    PortOutOfRange {
        /// The user of the port: "link 3", "endpoint 7".
        what: String,
        /// The switch.
        switch: u32,
        /// The port.
        port: u32,
        /// The last port.
        last: u32,
    },
    /// A graph of several parts.
    #[error(
        "the graph is not connected: switch {reached} cannot reach switch {unreached} ({count} of {switches} switches \
         are reached); a link between the parts would work"
    )]
    Unconnected {
        /// A switch of one part.
        reached: u32,
        /// A switch of another part.
        unreached: u32,
        /// Switches of the first part.
        count: usize,
        /// All switches.
        switches: usize,
    },
    /// A graph with another number of parts than its file says.
    #[error(
        "the graph has {found} parts that share no switch, but `fabrics = {asked}`; `fabrics = {found}` would work"
    )]
    Fabrics {
        /// The number in the file.
        asked: u32,
        /// The number in the wiring.
        found: u32,
    },
    /// Two fabrics without a gateway between them.
    #[error(
        "no node has a NIC in fabric {one} and one in fabric {other}; such a node is a gateway between them and would work"
    )]
    NoGateway {
        /// One fabric.
        one: u16,
        /// The other.
        other: u16,
    },
    /// A graph whose paths are too long.
    #[error("switches {from} and {to} are more than {most} hops apart; at most {most} would work")]
    GraphDistance {
        /// A switch.
        from: u32,
        /// Another, too distant switch.
        to: u32,
        /// The most that are supported.
        most: u8,
    },
    /// A graph too large for its next-hop table.
    #[error("the graph has {switches} switches; up to {most} would work (its table of next hops is quadratic)")]
    GraphSize {
        /// Switches of the graph.
        switches: u32,
        /// The most that are supported.
        most: u32,
    },
    /// A graph whose next hops have too many different sets.
    #[error(
        "the switches have more than 2^32 next hops in all; fewer switches, or fewer links between them, would work"
    )]
    GraphSets,
    /// Third-party endpoints that cannot be attached.
    #[error("[[ethernet]] entry {entry}: {found}; {works} would work")]
    Ethernet {
        /// The entry, counted from 0.
        entry: usize,
        /// What was asked, and what was found.
        found: String,
        /// What would work.
        works: String,
    },
    /// NICs of one node that do not follow each other.
    #[error(
        "endpoint {endpoint} belongs to node {node}, endpoint {before} to node {node_before}; endpoints in order of \
         their node, nodes counted from 0 without gaps, would work"
    )]
    EndpointOrder {
        /// The endpoint that is out of order.
        endpoint: usize,
        /// Its node.
        node: u32,
        /// The endpoint before it.
        before: usize,
        /// The node of that endpoint.
        node_before: u32,
    },
}

/// A number for an error: numbers without meaning may have hundreds of digits.
fn short(number: f64) -> String {
    if number.abs() < 1e9 { number.to_string() } else { format!("{number:e}") }
}

/// What would work instead of a rate.
fn rates(gbps: f64) -> &'static str {
    if crate::cable::RATES_GBPS.contains(&gbps) {
        "a number with at most three digits after the point"
    } else {
        "0.001 to 4000"
    }
}

/// The lengths of a run of cables.
fn lengths(shortest_m: f64, longest_m: f64) -> String {
    let (shortest, longest) = (short(shortest_m), short(longest_m));
    if shortest == longest { format!("{longest} m") } else { format!("{shortest} m to {longest} m") }
}
