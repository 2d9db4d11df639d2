//! The fabric's certificate authority, in the state directory.

use std::path::Path;
use std::sync::Arc;

use philae_agent_rpc::{Authority, CaError, CaSettings, unix_seconds};
use philae_inventory::PlannedFabric;
use philae_units::SwitchId;

/// The fabric's authority, in the state directory. Its name is the fabric's, as far as its letters
/// are allowed in certificates.
pub(crate) fn open_authority(
    state: &Path,
    fabric: &PlannedFabric,
    settings: CaSettings,
) -> Result<Arc<Authority>, CaError> {
    let legal = |letter: char| if letter.is_ascii_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    let name: String = fabric.name().chars().take(128).map(legal).collect();
    let directory = state.join("ca");
    let authority = Authority::open(&directory, &name, settings, unix_seconds())?;
    authority.want((0..fabric.switch_count()).map(|at| fabric.bmc_xname(SwitchId::from_index(at)).to_string()));
    // The roots are for clients that verify the manager. On a full disk the start continues if the
    // file exists already.
    let roots = authority.roots();
    if std::fs::read(directory.join("roots.pem")).is_ok_and(|known| known == roots.as_bytes()) {
        return Ok(Arc::new(authority));
    }
    philae_agent_rpc::replace(&directory, "roots.pem", roots.as_bytes())?;
    Ok(Arc::new(authority))
}
