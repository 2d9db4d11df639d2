//! Routes of a scenario: the file with the switches' forwarding tables.

use std::path::Path;
use std::sync::Arc;

use philae_route_tables::{FabricWiring, LinkChange, LiveLinks, Parameters, RoutePlan, RoutesFile};
use philae_topology::{PortPeer, Topology, read_input};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{RoutesError, ScenarioError};
use crate::fault::link_named;
use crate::tree::Scenario;

/// Forwarding tables for the switches, instead of the topology's own paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoutesSection {
    /// A file that `philae routes` wrote for this system. Its dead links are down from the beginning.
    pub file: String,
    /// The file's checksum, as `philae routes --check` prints it: another file is refused. Default: any file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
}

/// Routes that have been read.
#[derive(Clone, Debug)]
pub struct LoadedRoutes {
    /// Name of the system that they were made for.
    pub system: String,
    /// The file's checksum.
    pub checksum: String,
    /// The tables, not yet verified.
    pub plan: RoutePlan,
}

impl RoutesSection {
    /// This file, whatever its contents.
    #[must_use]
    pub fn new(file: &Path) -> Self {
        Self { file: file.to_string_lossy().into_owned(), checksum: None }
    }

    /// Reads the file for a system.
    ///
    /// # Errors
    /// [`ScenarioError::Routes`].
    pub fn read(&self, topology: &Topology) -> Result<LoadedRoutes, ScenarioError> {
        let file = || self.file.clone();
        let bytes = read_input(Path::new(&self.file)).map_err(|source| RoutesError::Read { file: file(), source })?;
        let refused = |source| RoutesError::File { file: file(), source };
        let read = RoutesFile::read(&bytes).map_err(refused)?;
        let found = format!("{:016x}", read.checksum);
        if let Some(expected) = self.checksum.clone().filter(|expected| *expected != found) {
            return Err(RoutesError::Changed { file: file(), found, expected }.into());
        }
        let wiring = FabricWiring::of(topology).map_err(RoutesError::Wiring)?;
        let system = read.system.clone();
        let plan = read.plan(wiring).map_err(refused)?;
        Ok(LoadedRoutes { system, checksum: found, plan })
    }
}

/// Tables for a system whose links with these names do not work; names as for a fault's `link`.
///
/// # Errors
/// [`ScenarioError::Value`] for a name that no link between switches has, [`ScenarioError::Routes`]
/// for a system that cannot have tables.
pub fn routes_without(
    topology: &Topology,
    down: &[String],
    parameters: Parameters,
) -> Result<RoutePlan, ScenarioError> {
    let wiring = Arc::new(FabricWiring::of(topology).map_err(RoutesError::Wiring)?);
    let mut links = LiveLinks::all(&wiring);
    for name in down {
        let port = link_named(topology, name, "--down")?;
        if !matches!(topology.port(port).peer, PortPeer::Port(_)) {
            let works = "a link between two switches would work: tables do not list those to NICs".to_owned();
            let place = crate::error::KeyLocation::of("--down");
            return Err(ScenarioError::Value { place, found: format!("\"{name}\""), works });
        }
        links.set(&wiring, LinkChange { port, up: false });
    }
    Ok(RoutePlan::new(wiring, Some(links), parameters))
}

impl Scenario {
    /// Makes a relative path of the routes relative to `folder`, unless an override gave it.
    pub(crate) fn routes_relative_to(&mut self, folder: &Path, overrides: &[(String, String)]) {
        let is_own = |key: &str| key == "routes" || key == "routes.file";
        if let Some(routes) = &mut self.routes
            && Path::new(&routes.file).is_relative()
            && !overrides.iter().any(|(key, _)| is_own(key))
        {
            routes.file = folder.join(&routes.file).to_string_lossy().into_owned();
        }
    }
}
