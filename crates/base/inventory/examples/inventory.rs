//! Prints what a built-in system is made of, or writes it in a format: `inventory frontier
//! netlist`. The system `-` is a file of any format on standard input: what `ibnetdiscover`
//! printed, cabling, a graph.
//!
//! `valgrind --tool=cachegrind --cache-sim=no` counts what a reader does: for four times the lines,
//! the instructions may grow by slightly more than four.

use philae_inventory::{Models, SystemSource, Template};
use std::io::{self, Read, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let system = arguments.next().unwrap_or_else(|| "shandy".to_owned());
    let models = Models::built_in();
    let fabric = if system == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text)?;
        SystemSource::read(&text, "standard input", &models)?.into_fabric(&models)?
    } else {
        Template::of_built_in(&system).build(&models)?
    };
    let text = match arguments.next().as_deref() {
        None => {
            let links = fabric.links();
            format!(
                "{system}: {} switches, {} ports, {} NICs, {} nodes, {} edge, {} local and {} global links\n",
                fabric.switch_count(),
                fabric.port_count(),
                fabric.nic_count(),
                fabric.node_count(),
                links.edge,
                links.local,
                links.global
            )
        }
        Some("template") if system != "-" => Template::of_built_in(&system).to_toml(),
        Some("template") => Template::explicit(&fabric).to_toml(),
        Some("explicit") => Template::explicit(&fabric).to_compact_json(),
        Some("cabling") => fabric.to_cabling().to_csv(),
        Some("netlist") => fabric.to_netlist(),
        Some("slurm") => fabric.to_slurm_conf(),
        Some("slurm-yaml") => fabric.to_slurm_yaml(),
        Some("graphml") => fabric.to_graphml()?,
        Some(other) => {
            let works = "template, explicit, cabling, netlist, slurm, slurm-yaml or graphml";
            return Err(format!("no format '{other}'; {works} would work").into());
        }
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}
