//! The manager's event loop and a simulated fabric, with real sockets and TLS between them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::Manager;
use philae_agent::{HardwareNames, Numbered, SimulatedFabric};
use philae_agent_rpc::{CloseReason, LinkEvent, LinkSettings, run_agents};
use philae_manager_core::{ControlOutput, ControlSettings, DeviceState, FabricControl, Input};
use philae_route_tables::FabricWiring;
use philae_topology::{DragonflyDescription, Topology};
use philae_units::SwitchId;

fn wiring(groups: u32, switches: u32) -> Arc<FabricWiring> {
    let description = DragonflyDescription::uniform(groups, switches, 2, 2);
    let topology = Topology::build(&description.into()).expect("it fits 64 ports");
    Arc::new(FabricWiring::of(&topology).expect("64 ports at most"))
}

/// The control loop, fed from the link.
struct EventLoop {
    manager: Manager,
    control: FabricControl,
    numbers: BTreeMap<String, SwitchId>,
    began: Instant,
    connects: usize,
}

impl EventLoop {
    fn new(manager: Manager, wiring: &Arc<FabricWiring>) -> Self {
        let all = (0..wiring.switch_count()).map(SwitchId::from_index);
        Self {
            manager,
            control: FabricControl::new(Arc::clone(wiring), Arc::new(Numbered), 1, ControlSettings::default()),
            numbers: all.map(|switch| (Numbered.switch(switch), switch)).collect(),
            began: Instant::now(),
            connects: 0,
        }
    }

    async fn run_until(&mut self, what: &str, done: impl Fn(&FabricControl) -> bool) {
        let limit = Instant::now() + Duration::from_secs(200);
        let links = self.manager.listener.links();
        while !done(&self.control) {
            assert!(Instant::now() < limit, "{what}: not in time");
            if let Ok(event) = tokio::time::timeout(Duration::from_millis(20), self.manager.events.recv()).await {
                let now_ms = self.began.elapsed().as_millis() as u64;
                let input = match event.expect("the listener is there") {
                    LinkEvent::Connected { switch, .. } => {
                        self.connects += 1;
                        Input::Connected(self.numbers[&*switch])
                    }
                    LinkEvent::Message { switch, message } => Input::Message(self.numbers[&*switch], message),
                    LinkEvent::Disconnected { switch, .. } => Input::Disconnected(self.numbers[&*switch]),
                };
                self.control.handle(now_ms, input);
            }
            for output in self.control.flush(self.began.elapsed().as_millis() as u64) {
                match output {
                    // An agent that is disconnected now gets the message's effect when it
                    // reconnects.
                    ControlOutput::Send(switch, message) => drop(links.send(&Numbered.switch(switch), &message)),
                    ControlOutput::Close(switch, reason) => {
                        links.close(&Numbered.switch(switch), CloseReason::Asked(reason));
                    }
                    _ => {}
                }
            }
        }
    }
}

fn all_synced(control: &FabricControl, count: usize) -> bool {
    control.rollout().is_none()
        && (0..count).map(SwitchId::from_index).all(|switch| control.device_state(switch) == DeviceState::Synced)
}

async fn bring_up(streams_per_connection: u32) {
    let settings = LinkSettings { streams_per_connection, ..LinkSettings::default() };
    let manager = Manager::new(settings).await;
    let wiring = wiring(4, 4);
    let count = wiring.switch_count();
    let fabric = SimulatedFabric::new(Arc::clone(&wiring), Arc::new(Numbered));
    let identity = manager.identity(&["x1000c0r*b0"]);
    let running = run_agents(fabric, manager.listener.address(), identity, settings);
    let mut event_loop = EventLoop::new(manager, &wiring);
    event_loop.run_until("bring-up", |control| all_synced(control, count)).await;
    let agrees = |event_loop: &EventLoop| {
        let fabric = running.agents();
        let plan = event_loop.control.plan().expect("tables were published");
        (0..count)
            .map(SwitchId::from_index)
            .all(|switch| *fabric.agent(switch).switch().routes() == plan.tables().of(switch))
    };
    assert!(agrees(&event_loop));
    // A link fails: the manager learns of it and sends new tables.
    let before = event_loop.control.plan().map(|plan| plan.tables().hash_of(SwitchId(0)));
    let (port, _) = wiring.links().find(|&(port, _)| wiring.split(port).0 == SwitchId(0)).expect("it has links");
    running.agents().set_link(port, false);
    event_loop
        .run_until("a lost link", |control| {
            all_synced(control, count) && control.plan().map(|plan| plan.tables().hash_of(SwitchId(0))) != before
        })
        .await;
    assert!(agrees(&event_loop));
    // A switch loses its power and gets it back.
    running.agents().set_power(SwitchId(3), false);
    running.agents().set_link(port, true);
    let gone = |control: &FabricControl| control.device_state(SwitchId(3)) != DeviceState::Synced;
    // Its neighbours' ports wake its agent, which closes the stream of a switch without power.
    event_loop.run_until("a switch without power", gone).await;
    running.agents().set_power(SwitchId(3), true);
    event_loop.run_until("its power is back", |control| all_synced(control, count)).await;
    assert!(agrees(&event_loop));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fabric_is_synced_with_one_connection() {
    bring_up(1_000).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fabric_is_synced_with_a_connection_for_each_agent() {
    bring_up(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_storm_of_2000_agents_ends_connected() {
    let settings = LinkSettings {
        streams_per_connection: 500,
        admitted_per_second: 2_000,
        admitted_burst: 200,
        backoff_most: Duration::from_secs(2),
        ..LinkSettings::default()
    };
    let mut manager = Manager::new(settings).await;
    let wiring = wiring(100, 20);
    let count = wiring.switch_count();
    assert_eq!(count, 2_000);
    let fabric = SimulatedFabric::new(wiring, Arc::new(Numbered));
    let _running = run_agents(fabric, manager.listener.address(), manager.identity(&["x1000c0r*b0"]), settings);
    let links = manager.listener.links();
    let mut connected = 0;
    let mut first_gone = false;
    // All agents connect, all are disconnected, and all reconnect.
    loop {
        match manager.event().await {
            LinkEvent::Connected { .. } => connected += 1,
            LinkEvent::Disconnected { .. } => {
                connected -= 1;
                continue;
            }
            // Messages that were sent before all streams were closed do not say which agents are
            // connected.
            LinkEvent::Message { .. } => continue,
        }
        if connected < count {
            continue;
        }
        assert_eq!(links.connected(), count);
        if first_gone {
            return;
        }
        first_gone = true;
        links.close_all(&CloseReason::Asked("all come again".to_owned()));
    }
}
