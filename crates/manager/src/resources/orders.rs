//! Orders to links and switches.

use philae_control::Input;

use super::{Answer, done, link_named, switch_named};
use crate::api::Request;
use crate::manager::Manager;

fn order(manager: &mut Manager, input: Input) -> Answer {
    let now_ms = manager.plant.now_ms();
    manager.plant.control.handle(now_ms, input);
    done(manager)
}

/// `POST /api/v1/links/{name}/drain`
pub fn drain(manager: &mut Manager, request: &Request) -> Answer {
    let port = link_named(manager, request.capture("name"))?;
    order(manager, Input::Drain(port, true))
}

/// `POST /api/v1/links/{name}/restore`
pub fn restore(manager: &mut Manager, request: &Request) -> Answer {
    let port = link_named(manager, request.capture("name"))?;
    order(manager, Input::Drain(port, false))
}

/// `POST /api/v1/links/{name}/release`
pub fn release_link(manager: &mut Manager, request: &Request) -> Answer {
    let port = link_named(manager, request.capture("name"))?;
    order(manager, Input::ReleaseLink(port))
}

/// `POST /api/v1/switches/{name}/maintenance`
pub fn maintenance(manager: &mut Manager, request: &Request) -> Answer {
    let switch = switch_named(manager, request.capture("name"))?;
    order(manager, Input::Maintenance(switch, true))
}

/// `POST /api/v1/switches/{name}/resume`
pub fn resume(manager: &mut Manager, request: &Request) -> Answer {
    let switch = switch_named(manager, request.capture("name"))?;
    let now_ms = manager.plant.now_ms();
    manager.plant.control.handle(now_ms, Input::Maintenance(switch, false));
    order(manager, Input::ReleaseDevice(switch))
}

/// `POST /api/v1/switches/{name}/reboot`
pub fn reboot(manager: &mut Manager, request: &Request) -> Answer {
    let switch = switch_named(manager, request.capture("name"))?;
    order(manager, Input::Reboot(switch))
}
