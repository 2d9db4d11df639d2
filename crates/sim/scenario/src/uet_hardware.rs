//! Ultra Ethernet's transport and law in a scenario's hardware.

use crate::error::{KeyLocation, ScenarioError};
use crate::part::{ParameterSet, Preset};
use philae_congestion::{CongestionLaw, UetLaw};
use philae_nic_model::UetParameters;

/// Ultra Ethernet's transport, where the law is one of Ultra Ethernet's or third-party endpoints
/// speak it (`is_beside`), and the law of such endpoints.
pub(crate) fn transport(
    uet: Option<&Preset<UetParameters>>,
    uet_law: Option<&Preset<UetLaw>>,
    law: &CongestionLaw,
    is_beside: bool,
) -> Result<(Option<UetParameters>, Option<UetLaw>), ScenarioError> {
    let uet = uet.map(|uet| uet.resolve(UetParameters::PRESETS[0])).transpose()?.map(|(_, found)| found);
    let uet_law = uet_law.map(|law| law.resolve(UetLaw::NAMES[0])).transpose()?.map(|(_, found)| found);
    let refuse = |key: &str, found: String, works: &str| {
        Err(ScenarioError::Value { place: KeyLocation::of(key), found, works: works.to_owned() })
    };
    let (is_its_law, name) = (law.is_ultra_ethernet(), law.name());
    if uet.is_some() && !is_its_law && !is_beside {
        let found = format!("Ultra Ethernet's transport under the law \"{name}\", which has another");
        let works = "congestion.law = \"nscc\" or \"rccc\", or no such table, would work; or third-party endpoints \
                     ([[ethernet]] of the system) with hardware.ethernet.transport = \"uet\"";
        return refuse("hardware.uet", found, works);
    }
    if uet_law.is_some() && !is_beside {
        let found = "a law of third-party endpoints that speak Ultra Ethernet, of which there are none".to_owned();
        let works = if is_its_law {
            "these keys in [congestion] would work"
        } else {
            "hardware.ethernet.transport = \"uet\", in a system with [[ethernet]], would work"
        };
        return refuse("hardware.uet_law", found, works);
    }
    let uet = uet.or_else(|| (is_its_law || is_beside).then(UetParameters::uec));
    Ok((uet, uet_law.or_else(|| is_beside.then(UetLaw::default))))
}
