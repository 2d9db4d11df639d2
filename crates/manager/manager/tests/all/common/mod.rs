//! A manager with a simulated fabric, called without sockets.

use std::collections::BTreeMap;
use std::path::Path;

use philae_agent::items::{Item, read_all};
use philae_agent::{ConfigSection, SectionItems};
use philae_manager::access::Actor;
use philae_manager::api::{ApiRequest, Reply, answer};
use philae_manager::{ApiProblem, Manager, UnixClock, load};
use philae_manager_core::ControlSettings;
use philae_units::{PortIndex, SwitchId};
use serde_json::Value;
use tempfile::TempDir;

/// The time at the start of tests.
pub const NOW: u64 = 2_000_000_000;

/// A manager of a built-in system, up.
pub fn manager(system: &str) -> Manager {
    up(system, None)
}

/// The same, with its state in a directory.
pub fn up(system: &str, state: Option<&Path>) -> Manager {
    let mut manager = Manager::simulated(load(system).expect("a built-in system"), ControlSettings::default(), state)
        .expect("it can be routed");
    manager.clock = UnixClock::at(NOW);
    manager.run();
    manager
}

/// An empty directory of this test's own, removed at its end.
pub fn new_folder() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

/// A request of an actor, without sockets.
pub fn call(
    manager: &mut Manager,
    actor: &Actor,
    method: &str,
    target: &str,
    body: Value,
) -> Result<Reply, ApiProblem> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let query: BTreeMap<String, String> = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    let request = ApiRequest {
        method: method.to_owned(),
        path: path.to_owned(),
        query,
        body,
        actor: actor.clone(),
        ..ApiRequest::default()
    };
    answer(manager, request)
}

/// The same, of the process itself.
pub fn ask(manager: &mut Manager, method: &str, target: &str, body: Value) -> Result<Value, ApiProblem> {
    call(manager, &Actor::process(), method, target, body).map(Reply::into_value)
}

pub fn get(manager: &mut Manager, target: &str) -> Value {
    ask(manager, "GET", target, Value::Null).unwrap_or_else(|problem| panic!("{target}: {problem:?}"))
}

pub fn put(manager: &mut Manager, target: &str, spec: Value) -> Value {
    let body = serde_json::json!({ "spec": spec });
    ask(manager, "PUT", target, body).unwrap_or_else(|problem| panic!("{target}: {problem:?}"))
}

pub fn refused(manager: &mut Manager, method: &str, target: &str, body: Value) -> ApiProblem {
    match ask(manager, method, target, body) {
        Err(problem) => problem,
        Ok(value) => panic!("{target}: {value}"),
    }
}

/// The names of edge ports, in order.
pub fn edges(manager: &Manager) -> Vec<PortIndex> {
    let ports = (0..manager.fabric.port_count()).map(PortIndex::from_index);
    ports.filter(|port| manager.fabric.nic_at(*port).is_some()).collect()
}

/// The items of a section in a simulated switch, as its agent reads them.
pub fn held(manager: &Manager, switch: SwitchId, section: ConfigSection) -> BTreeMap<u64, Item> {
    let empty = SectionItems::default();
    let agent = manager.control_loop.fabric().expect("it is simulated").agent(switch);
    let items = agent.section(section).map_or(&empty, |items| &**items);
    read_all(section, items).expect("agents refuse what they cannot read").into_iter().collect()
}

/// Every switch has its desired items, in every section.
pub fn assert_all_hold_what_is_wanted(manager: &Manager) {
    for switch in (0..manager.fabric.switch_count()).map(SwitchId::from_index) {
        for section in ConfigSection::ALL {
            let view = manager.control_loop.control.section(switch, section);
            assert!(view.agrees(), "{} {}: {:?}", manager.switch_name(switch), section.name(), view.cause);
            if section != ConfigSection::Routes {
                let items = manager.control_loop.fabric().expect("it is simulated").agent(switch).section(section);
                let held = items.map_or(0, |items| items.hash());
                assert_eq!(held, manager.desired.sections.get(switch, section).hash(), "{}", section.name());
            }
        }
    }
}

/// Repeats a search until it finds something. Only for what a thread of the manager does by
/// itself, such as the writer of the event log: everything else happens when a test moves a clock.
pub fn eventually<T>(what: &str, mut search: impl FnMut() -> Option<T>) -> T {
    let begin = std::time::Instant::now();
    loop {
        if let Some(found) = search() {
            return found;
        }
        assert!(begin.elapsed() < std::time::Duration::from_secs(120), "never: {what}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
