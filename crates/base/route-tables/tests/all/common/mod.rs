//! Fabrics and faults for the tests of this crate.

use philae_route_tables::{FabricWiring, LinkChange};
use philae_topology::{DragonflyDescription, FatTreeDescription, GraphDescription, SystemDescription, Topology};
use philae_units::PortIndex;

/// Number of systems that [`system`] knows.
pub const SYSTEMS: u8 = 7;

/// A small system of each shape.
pub fn system(which: u8) -> SystemDescription {
    match which {
        0 => DragonflyDescription::uniform(4, 4, 2, 1).into(),
        1 => DragonflyDescription::uniform(6, 8, 4, 2).into(),
        2 => DragonflyDescription::uniform(9, 4, 4, 1).into(),
        3 => SystemDescription::load("malbec").expect("a built-in system"),
        4 => tree().into(),
        5 => ring(12).into(),
        _ => ring(24).into(),
    }
}

fn tree() -> FatTreeDescription {
    let text = "leaves = 8\nendpoints_per_leaf = 4\nspines = 4\ncores = { pods = 3, per_plane = 2 }\n";
    toml::from_str(text).expect("a fat tree of three levels")
}

/// Switches in a ring: a graph with long paths.
fn ring(switches: u32) -> GraphDescription {
    let links: Vec<[u32; 2]> = (0..switches).map(|switch| [switch, (switch + 1) % switches]).collect();
    GraphDescription::regular(switches, 1, &links)
}

/// Wiring of a small system.
pub fn wiring(which: u8) -> FabricWiring {
    let topology = Topology::build(&system(which)).expect("a small system");
    FabricWiring::of(&topology).expect("64 ports at most")
}

/// A change for each number: the link, and whether it works after the change.
pub fn changes(wiring: &FabricWiring, numbers: &[(u16, bool)]) -> Vec<LinkChange> {
    let links: Vec<PortIndex> = wiring.links().map(|(port, _)| port).collect();
    let pick = |&(number, up): &(u16, bool)| LinkChange { port: links[usize::from(number) % links.len()], up };
    numbers.iter().map(pick).collect()
}
