//! One switch at `tile` fidelity: 4 rows of 8 tiles, row buses, a 16-to-8 crossbar per tile, column
//! channels.
//!
//! Invariant: data crosses only once granted, and a grant is a place in the queue that it crosses
//! to. So no row bus and no crossbar output ever waits with a packet on it, no queue holds more
//! than its credits, and packets in are packets out and packets inside (checked in every run).
//!
//! A packet's path, in the order of the files:
//! - `source`: the link into an input port, controlled by credits.
//! - `arbiter`: the request crossbar, the output's choice, the grant crossbar.
//! - `row`: row bus and 16-to-8 crossbar of a tile.
//! - `column`: column channel, 4-to-1 multiplexer, output queue, link.
//!
//! Structure after De Sensi et al., SC'20, section II-A.
//!
//! Deliberately absent: topology, routes, NICs, traffic classes, congestion control, clocks. The
//! crossbars for request-queue credits towards routing and for end-to-end acknowledgements are
//! separate from the data's by design, so that they cannot disturb it. Nothing in a single switch
//! consumes what they carry, so they are not here.

mod arbiter;
mod audit;
mod column;
mod error;
mod event;
mod layout;
mod packet;
mod parameters;
mod row;
mod source;
mod switch;
#[cfg(test)]
mod tests;

pub use error::TileError;
pub use layout::{COLUMNS, PORTS, ROWS, column_of, row_of, tile_of};
pub use parameters::TileParameters;
pub use source::Offer;
pub use switch::{Crossing, TileSwitch};
