//! Prints what a system amounts to, and how long it took to build: `cargo run --release -p philae-topology --example
//! describe -- shandy`.

use philae_topology::{Description, SystemDescription, Topology};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "shandy".to_owned());
    let system = SystemDescription::load(&name)?;
    let start = Instant::now();
    let topology = Topology::build(&system)?;
    let built = start.elapsed();
    let description = Description::of(&system, &topology);
    eprintln!("built in {built:?}, described in {:?}", start.elapsed() - built);
    println!("{}", serde_json::to_string_pretty(&description)?);
    Ok(())
}
