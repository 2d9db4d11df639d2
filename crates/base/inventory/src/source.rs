//! Recognises what a file describes by its content: a system, a fabric template, point-to-point
//! cabling or a netlist.
//!
//! All programs of the project use this reader, so that a file that one of them accepts is accepted
//! by the others.

use crate::cabling::{Cabling, CablingError};
use crate::fabric::{PlannedFabric, WiringKind};
use crate::jack::Models;
use crate::netlist::Netlist;
use crate::parts::InventoryError;
use crate::template::Template;
use philae_topology::{Assumed, PortPeer, PortRole, SystemDescription, SystemError, SystemText};
use philae_units::PortIndex;
use std::collections::BTreeSet;
use thiserror::Error;

/// A system by its description, or a fabric whose parts have names.
#[derive(Clone, Debug)]
pub enum SystemSource {
    /// Built in, or a file of a system: TOML, JSON, GraphML, GEXF, node-link JSON, htsim.
    System(Box<SystemDescription>),
    /// A file of a fabric.
    Fabric {
        /// Its content.
        fabric: Box<PlannedFabric>,
        /// Assumptions for values that the file does not state.
        assumed: Vec<Assumed>,
        /// Content of the file that a fabric cannot represent.
        warnings: Vec<String>,
    },
}

/// Why a file cannot be used.
#[derive(Debug, Error)]
pub enum SourceError {
    /// An error in a system.
    #[error(transparent)]
    System(#[from] SystemError),
    /// An error in a cabling file.
    #[error("'{place}' is not point-to-point cabling: {source}")]
    Cabling {
        /// The file.
        place: String,
        /// The error.
        source: CablingError,
    },
    /// An error in a fabric.
    #[error("'{place}' is not a {what}: {source}")]
    Fabric {
        /// The file.
        place: String,
        /// The format that it seems to have.
        what: &'static str,
        /// The error.
        source: Box<InventoryError>,
    },
}

impl SystemSource {
    /// Finds a system by its built-in name, or reads the file at this path.
    ///
    /// # Errors
    /// [`SourceError`]: no such name or file, or a file that is neither a system nor a fabric.
    pub fn load(name_or_path: &str, models: &Models) -> Result<Self, SourceError> {
        match SystemText::find(name_or_path)? {
            SystemText::BuiltIn(text) => Ok(Self::System(Box::new(SystemDescription::parse(text)?))),
            SystemText::File(text) => Self::read(&text, name_or_path, models),
        }
    }

    /// Reads the text of a file. A fabric without its own name gets the name of the file.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn read(text: &str, path: &str, models: &Models) -> Result<Self, SourceError> {
        let stem = std::path::Path::new(path).file_stem().map_or_else(|| path.into(), |stem| stem.to_string_lossy());
        let failed =
            |what| move |source| SourceError::Fabric { place: path.to_owned(), what, source: Box::new(source) };
        let plain = text.trim_start_matches('\u{feff}');
        if crate::cabling::separator(plain).is_some() {
            let wrong = |source| SourceError::Cabling { place: path.to_owned(), source };
            let cabling = Cabling::parse(text.as_bytes()).map_err(wrong)?;
            let what = "point-to-point cabling";
            let template = cabling.to_template(&stem).map_err(failed(what))?;
            let fabric = template.build(models).map_err(failed(what))?;
            let columns = cabling.unknown_columns.iter().map(|column| format!("the column `{column}` is not used"));
            let slow = fabric.slow_text();
            let warnings = columns.chain(cabling.warnings.iter().cloned()).chain(slow).collect();
            return Ok(Self::Fabric { fabric: Box::new(fabric), assumed: cabling.assumed(), warnings });
        }
        if looks_like_netlist(plain) {
            let what = "netlist of ibnetdiscover or ibsim";
            let netlist = Netlist::parse(plain).map_err(failed(what))?;
            let template = netlist.to_template(&stem).map_err(failed(what))?;
            let fabric = template.build(models).map_err(failed(what))?;
            return Ok(Self::Fabric {
                assumed: netlist.assumed(),
                warnings: netlist.warnings().into_iter().chain(fabric.slow_text()).collect(),
                fabric: Box::new(fabric),
            });
        }
        if looks_like_template(plain) {
            let what = "fabric template";
            let fabric = Template::parse(plain).and_then(|template| template.build(models)).map_err(failed(what))?;
            let warnings = fabric.slow_text().into_iter().collect();
            return Ok(Self::Fabric { fabric: Box::new(fabric), assumed: Vec::new(), warnings });
        }
        Ok(Self::System(Box::new(SystemDescription::parse_from(text, &format!("'{path}'"))?)))
    }

    /// Content of the file that a fabric cannot represent.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        match self {
            Self::System(system) => &system.warnings,
            Self::Fabric { warnings, .. } => warnings,
        }
    }

    /// The fabric; the parts of a system get the usual names.
    ///
    /// # Errors
    /// [`InventoryError`]: the system cannot be built or named.
    pub fn into_fabric(self, models: &Models) -> Result<PlannedFabric, InventoryError> {
        match self {
            Self::System(system) => Template::of_system(&system).build(models),
            Self::Fabric { fabric, .. } => Ok(*fabric),
        }
    }

    /// The system; a fabric becomes a graph with the same ports.
    #[must_use]
    pub fn into_system(self) -> SystemDescription {
        match self {
            Self::System(system) => *system,
            Self::Fabric { fabric, assumed, warnings } => {
                let mut system = fabric.to_description();
                let parts = format!("{}, {}, {}", system.switch, system.nic, system.congestion);
                system.assumed.push(Assumed {
                    key: "switch, nic, congestion".to_owned(),
                    value: parts,
                    why: "the file does not have them; set them in the scenario".to_owned(),
                });
                system.assumed.extend(assumed);
                system.warnings = warnings;
                system.warnings.extend(lost_shape(&fabric));
                system
            }
        }
    }
}

/// What a graph does not keep of the fabric's shape.
fn lost_shape(fabric: &PlannedFabric) -> Option<String> {
    let groups: BTreeSet<u32> = fabric.switches().iter().map(|switch| switch.group.0).collect();
    let shape = match fabric.wiring() {
        WiringKind::FatTree => "the fabric is a fat tree".to_owned(),
        // Every file of cables names groups; they are not always those of a dragonfly.
        WiringKind::Dragonfly if groups.len() > 1 && joins_all(fabric, groups.len()) => {
            "the fabric is a dragonfly".to_owned()
        }
        WiringKind::Dragonfly | WiringKind::Graph if groups.len() > 1 => {
            format!("the file names {} groups of switches", groups.len())
        }
        WiringKind::Dragonfly | WiringKind::Graph => return None,
    };
    Some(format!("{shape}: it is read as a graph of one group, also for routing"))
}

/// Whether global links join every two groups, and no other links leave a group.
fn joins_all(fabric: &PlannedFabric, groups: usize) -> bool {
    let mut joined = BTreeSet::new();
    for (at, port) in fabric.ports().iter().enumerate() {
        let PortPeer::Port(far) = port.peer else { continue };
        let [one, other] = [PortIndex(at as u32), far].map(|port| fabric.switch(fabric.switch_of(port)).group.0);
        if (port.role == PortRole::Global) != (one != other) {
            return false;
        }
        if one < other {
            joined.insert((one, other));
        }
    }
    joined.len() == groups * (groups - 1) / 2
}

fn looks_like_netlist(text: &str) -> bool {
    let is_marked_up = text.trim_start().starts_with(['<', '{']);
    let is_device = |line: &str| {
        let mut words = line.split_whitespace();
        let is_kind = words.next().is_some_and(|word| ["Switch", "Ca", "Hca", "Rt"].contains(&word));
        let counted = words.next().is_some_and(|word| word == ":" || word.parse::<u16>().is_ok());
        is_kind && counted && line.contains('"')
    };
    !is_marked_up && (text.lines().any(is_device) || Netlist::is_report(text))
}

/// Whether the text has the key that every template has.
fn looks_like_template(text: &str) -> bool {
    let is_json = text.trim_start().starts_with('{');
    let key = |line: &str| line.trim_start().starts_with("fabric_template") && line.contains('=');
    if is_json { text.contains("\"fabric_template\"") } else { text.lines().any(key) }
}
