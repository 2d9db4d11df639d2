//! The tile, row and column of each port.
//!
//! Source: De Sensi et al., SC'20, Fig. 1: row 0 has ports 0 to 15 from left to right, two in a
//! tile; the ports of column 0 are 0, 1, 16, 17, 32, 33, 48 and 49. Status: published.

use crate::port::PortSet;
use philae_units::PortId;

/// Ports of the switch.
pub const PORTS: usize = 64;
/// Rows of tiles.
pub const ROWS: usize = 4;
/// Tiles of a row.
pub const COLUMNS: usize = 8;
/// Ports of a row. Equal to the row buses of a row and the inputs of a tile's crossbar.
pub const ROW_PORTS: usize = PORTS / ROWS;

/// Row of a port's tile, 0 to 3.
#[inline]
#[must_use]
pub const fn row_of(port: PortId) -> usize {
    port.index() / ROW_PORTS
}

/// Column of a port's tile, 0 to 7.
#[inline]
#[must_use]
pub const fn column_of(port: PortId) -> usize {
    port.index() % ROW_PORTS / 2
}

/// A port's tile, 0 to 31.
#[inline]
#[must_use]
pub const fn tile_of(port: PortId) -> usize {
    port.index() / 2
}

#[inline]
#[must_use]
pub const fn row_ports(row: usize) -> PortSet {
    PortSet(0xffff << (row * ROW_PORTS))
}

/// Index of the crossbar output that leads from a row to a port: one of the eight of the tile in
/// that row and the port's column.
#[inline]
#[must_use]
pub const fn crossbar_output(row: usize, port: PortId) -> usize {
    row * PORTS + port.index()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_example_goes_from_port_19_to_port_56() {
        assert_eq!((row_of(PortId(19)), column_of(PortId(19)), tile_of(PortId(19))), (1, 1, 9));
        assert_eq!((row_of(PortId(56)), column_of(PortId(56)), tile_of(PortId(56))), (3, 4, 28));
    }

    #[test]
    fn every_tile_has_two_ports_every_row_sixteen_and_every_column_eight() {
        let ports = || (0..PORTS as u8).map(PortId);
        for row in 0..ROWS {
            assert_eq!(ports().filter(|port| row_of(*port) == row).count(), ROW_PORTS);
            assert_eq!(row_ports(row).0.count_ones() as usize, ROW_PORTS);
        }
        let first: Vec<u8> = ports().filter(|port| column_of(*port) == 0).map(|port| port.0).collect();
        assert_eq!(first, [0, 1, 16, 17, 32, 33, 48, 49], "as printed in Fig. 1");
        assert!(ports().all(|port| tile_of(port) == row_of(port) * COLUMNS + column_of(port)));
    }
}
