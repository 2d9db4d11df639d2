//! Prints the figures of a system as JSON:
//! `cargo run --release -p philae-topology --example describe -- shandy`.

use philae_topology::{SystemDescription, SystemFigures, Topology};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "shandy".to_owned());
    let system = SystemDescription::load(&name)?;
    let topology = Topology::build(&system)?;
    let description = SystemFigures::of(&system, &topology);
    println!("{}", serde_json::to_string_pretty(&description)?);
    Ok(())
}
