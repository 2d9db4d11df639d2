//! `philae manager export`: a fabric in the formats of other programs.

use std::path::PathBuf;

use philae_console::OutputError;
use philae_inventory::Template;
use philae_manager::load;

use philae_manager_api::{Failure, bad_input};

/// A format that a fabric is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    /// A fabric template with every switch, port and link in it (JSON).
    Template,
    /// Point-to-point cabling (CSV).
    Cabling,
    /// A netlist for ibsim, so that OpenSM can be run on it.
    Ibsim,
    /// Slurm's topology.conf.
    Slurm,
    /// Slurm's topology.yaml.
    SlurmYaml,
    /// A graph for networkx, Gephi or yEd.
    Graphml,
}

/// Writes a fabric.
pub fn export(system: &str, format: ExportFormat, output: Option<&PathBuf>) -> Result<(), Failure> {
    if let Some(path) = output.filter(|path| philae_results::is_input(path, system.as_ref())) {
        let path = path.display();
        return Err(bad_input(format!("'{path}' would be written, and the command reads it; another name would work")));
    }
    let fabric = load(system).map_err(bad_input)?;
    let text = match format {
        ExportFormat::Template => Template::explicit(&fabric).to_json(),
        ExportFormat::Cabling => fabric.to_cabling().to_csv(),
        ExportFormat::Ibsim => fabric.to_netlist(),
        ExportFormat::Slurm => fabric.to_slurm_conf(),
        ExportFormat::SlurmYaml => fabric.to_slurm_yaml(),
        ExportFormat::Graphml => fabric.to_graphml().map_err(bad_input)?,
    };
    let warnings = match format {
        ExportFormat::Template => Vec::new(),
        ExportFormat::Cabling => fabric.cabling_warnings(),
        ExportFormat::Ibsim => fabric.netlist_warnings(),
        ExportFormat::Slurm | ExportFormat::SlurmYaml => fabric.slurm_warnings(),
        ExportFormat::Graphml => fabric.graphml_warnings().map_err(bad_input)?,
    };
    warnings.iter().for_each(|warning| philae_console::note!("{system}: warning: {warning}"));
    match output {
        Some(path) if path.as_os_str() == "-" => Ok(philae_console::print(&text)?),
        Some(path) => philae_results::write_whole(path, text.as_bytes()).map_err(|error| match error.kind() {
            std::io::ErrorKind::BrokenPipe => OutputError::ReaderGone.into(),
            _ => Failure(1, format!("cannot write '{}': {error}", path.display())),
        }),
        None => Ok(philae_console::print(&text)?),
    }
}
