//! Breaks each law that every run checks, once, and expects the check to catch it.

use std::ops::ControlFlow;
use std::sync::Arc;

use philae_congestion::CongestionLaw;
use philae_nic_model::{HostParameters, NicParameters, TcpParameters};
use philae_path::{Router, RoutingMode, RoutingParameters};
use philae_switch::port::SwitchParameters;
use philae_topology::{DragonflyDescription, GraphDescription, SystemDescription, Topology};
use philae_units::{ClassId, EndpointId, NodeId, Picoseconds, RankId};
use philae_workload::{Action, Op, OpHandle, Progress, RankProgram, Workload, WorkloadSpec};

use crate::run::audit;
use crate::{
    CaptureEnd, CapturePoint, ExecutionOptions, FabricConfig, FabricError, Job, RankPlace, RunOptions, Simulation,
    SingleProcess,
};

pub fn config(law: &str) -> FabricConfig {
    FabricConfig {
        switch: SwitchParameters::rosetta(),
        nic: NicParameters::cassini_1(),
        ethernet: Vec::new(),
        host: HostParameters::cassini_1_mpi(),
        routing: RoutingParameters::slingshot(),
        congestion: CongestionLaw::named(law).expect("a law"),
        classes: philae_traffic_class::ClassSet::single("best-effort"),
        resilience: Default::default(),
        collectives: Default::default(),
        packet_engine: None,
        node: None,
        laws: Default::default(),
    }
}

pub fn topology(description: impl Into<SystemDescription>) -> Arc<Topology> {
    Arc::new(Topology::build(&description.into()).expect("a legal system"))
}

pub fn job_of(workload: &str, nodes: u32) -> Job {
    let spec: WorkloadSpec = toml::from_str(workload).expect("a workload");
    Job {
        name: "job".to_owned(),
        workload: spec.describe(),
        places: (0..nodes).map(|node| RankPlace { node: NodeId(node), nic: 0 }).collect(),
        programs: (0..nodes).map(|rank| spec.program(RankId(rank), nodes, 1)).collect(),
        start: Picoseconds::ZERO,
        class: ClassId(0),
        vni: 1,
        iterations: spec.counted_iterations(),
        offered_gbps: spec.offered_gbps(),
        record_messages: false,
    }
}

/// A busy fabric, stopped in the middle.
fn busy(config: FabricConfig) -> Simulation {
    let topology = topology(DragonflyDescription::uniform(4, 4, 4, 1));
    let jobs = vec![job_of("kind = 'incast'\nbytes = '128KiB'", 64)];
    let options = RunOptions {
        time_limit: Picoseconds::from_micros(60),
        execution: ExecutionOptions { far_ports_min: usize::MAX, ..ExecutionOptions::default() },
        ..RunOptions::default()
    };
    let mut simulation = Simulation::new(topology, config, options, jobs).expect("it builds");
    for partition in simulation.partitions_mut() {
        partition.run_until(Picoseconds::from_micros(40));
        assert!(partition.transit.packets.len() > 100, "the fabric is busy");
    }
    assert_eq!(
        audit::check(simulation.partitions_mut(), &mut SingleProcess).expect("no process is lost"),
        Ok(()),
        "an honest run passes"
    );
    simulation
}

fn broken(law: &str, breakage: impl FnOnce(&mut crate::partition::Partition)) -> String {
    broken_with(config(law), breakage)
}

fn broken_with(config: FabricConfig, breakage: impl FnOnce(&mut crate::partition::Partition)) -> String {
    let mut simulation = busy(config);
    breakage(&mut simulation.partitions_mut()[0]);
    audit::check(simulation.partitions_mut(), &mut SingleProcess)
        .expect("no process is lost")
        .expect_err("a broken law is caught")
}

#[test]
fn a_lost_packet_is_caught() {
    let message = broken("none", |partition| {
        let (slot, _) = partition.transit.packets.used().next().expect("a packet");
        partition.transit.packets.remove(slot);
    });
    assert!(message.contains("were injected"), "{message}");
}

#[test]
fn a_lost_credit_is_caught() {
    let message = broken("none", |partition| {
        let output = partition.switch.outputs.iter_mut().find(|output| output.credits().next_arrival().is_some());
        output.expect("a credit is in transit").pop_credit(u64::MAX);
    });
    assert!(message.contains("of the far buffer are taken"), "{message}");
}

#[test]
fn a_wrong_queue_is_caught() {
    let message = broken("slingshot", |partition| partition.switch.loads[0].queued_bytes += 1);
    assert!(message.contains("request queue says"), "{message}");
}

#[test]
fn bytes_that_a_tcp_connection_loses_and_a_window_that_it_exceeds_are_caught() {
    let text =
        "kind = 'incast'\noperation = 'send'\nto = 'last'\nbytes = '64KiB'\nwindow = 4\nmessages = 8\niterations = 1";
    let busy = || {
        let tcp = TcpParameters::linux();
        let host = HostParameters::cassini_1_tcp();
        let laws = crate::HostLaws { tcp: Some(tcp), ..crate::HostLaws::default() };
        let config = FabricConfig { laws, host, ..config("slingshot") };
        let options = RunOptions { time_limit: Picoseconds::from_micros(1_000), ..RunOptions::default() };
        let system = topology(DragonflyDescription::uniform(2, 2, 4, 1));
        let mut simulation = Simulation::new(system, config, options, vec![job_of(text, 16)]).expect("it builds");
        simulation.partitions_mut()[0].run_until(Picoseconds::from_micros(100));
        simulation
    };
    let audited = |simulation: &mut Simulation| {
        audit::check(simulation.partitions_mut(), &mut SingleProcess).expect("no process is lost")
    };
    let mut simulation = busy();
    assert!(simulation.partitions_mut()[0].nic.tcp.totals[1] > 0, "segments have arrived");
    assert_eq!(audited(&mut simulation), Ok(()), "an honest run passes");
    simulation.partitions_mut()[0].nic.tcp.totals[1] -= 1;
    let message = audited(&mut simulation).expect_err("a lost byte is caught");
    assert!(message.contains("over TCP connections"), "{message}");
    let mut simulation = busy();
    simulation.partitions_mut()[0].nic.tcp.promise_less();
    let message = audited(&mut simulation).expect_err("a sender beyond its window is caught");
    assert!(message.contains("with room up to"), "{message}");
}

#[test]
fn a_wrong_share_is_caught() {
    let message = broken("slingshot", |partition| {
        let held = partition.transit.shares.held_bytes().iter().position(|held| *held > 0).expect("a share is held");
        partition.transit.shares.of_output_mut(held).for_each(|(_, share)| share.take(1));
    });
    assert!(message.contains("endpoints hold"), "{message}");
}

#[test]
fn a_wrong_extent_is_caught() {
    let message = broken("slingshot", |partition| {
        let slots: Vec<u32> = partition.edge.flows.flows.used().map(|(slot, _)| slot).collect();
        for slot in slots {
            partition.edge.flows.flows[slot].extent_bytes = 0;
        }
    });
    assert!(message.contains("its extent is") || message.contains("is still there"), "{message}");
}

/// Slingshot's law with an account for each ingress port.
fn limited_ports() -> FabricConfig {
    let mut config = config("slingshot");
    let CongestionLaw::Slingshot(law) = &mut config.congestion else { panic!("the law is slingshot") };
    law.injection_scope = philae_congestion::InjectionScope::Port;
    law.injection_limit_ns = 200;
    config
}

#[test]
fn room_that_an_ingress_port_does_not_get_back_is_caught() {
    let message = broken_with(limited_ports(), |partition| {
        let port = partition.edge.ingress_ports.iter_mut().find(|port| port.inside_bytes > 0);
        port.expect("a port has packets inside").inside_bytes -= 1;
    });
    assert!(message.contains("its account has"), "{message}");
}

#[test]
fn a_flow_that_lost_its_turn_is_caught() {
    let message = broken_with(limited_ports(), |partition| {
        let flow = partition.edge.flows.flows.used().find(|(_, flow)| !flow.wait.waits_for_turn).expect("a flow").0;
        partition.edge.flows.flows[flow].wait.waits_for_turn = true;
    });
    assert!(message.contains("wait for their turn"), "{message}");
}

#[test]
fn a_channel_that_cannot_hold_a_packet_of_its_own_is_refused() {
    // Such channels depend on the shared part, which others can fill: networks stalled.
    let system = topology(GraphDescription::regular(5, 8, &[[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]]));
    let with = |reserve: u32, shared: u32, of_class: Option<u32>| {
        let mut config = config("none");
        (config.switch.buffer_reserve_bytes, config.switch.buffer_shared_bytes) = (reserve, shared);
        if let Some(bytes) = of_class {
            let mut classes = config.classes.classes().to_vec();
            classes[0].buffer_reserve_bytes = Some(bytes);
            config.classes = philae_traffic_class::ClassSet::new(classes, 8).expect("one class");
        }
        crate::check_hardware(&system, &config)
    };
    let Err(FabricError::ReserveTooSmall { packet, reserve: 1 }) = with(1, 1_000_000, None) else {
        panic!("one byte is no reserve")
    };
    assert!(packet > 2_048, "with its headers: {packet}");
    assert!(with(packet, 0, None).is_ok(), "a packet fits");
    let below = with(packet - 1, 1_000_000, None).expect_err("a byte is missing").to_string();
    assert!(below.contains(&format!("a packet of {packet} bytes does not fit the {} bytes", packet - 1)), "{below}");
    assert!(with(16_384, 100_000, Some(packet)).is_ok());
    assert!(with(16_384, 100_000, Some(packet - 1)).is_err(), "a class's own reserve counts as well");
}

#[test]
fn a_deadlock_is_reported_with_its_circle() {
    // A ring of five with a single leg, every node sending to the second switch after its own: the
    // textbook deadlock.
    let ring = topology(GraphDescription::regular(5, 8, &[[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]]));
    let mut config = config("none");
    config.routing.mode = RoutingMode::Minimal;
    config.switch.buffer_reserve_bytes = 2_200;
    config.switch.buffer_shared_bytes = 0;
    let jobs = vec![job_of("kind = 'shift'\nby = 16\nbytes = '64KiB'", 40)];
    let options = RunOptions { time_limit: Picoseconds::from_micros(50_000), ..RunOptions::default() };
    let honest = Simulation::new(
        Arc::clone(&ring),
        config.clone(),
        options.clone(),
        vec![job_of("kind = 'shift'\nby = 16\nbytes = '64KiB'\niterations = 20", 40)],
    )
    .expect("it builds");
    honest.run(&mut |_| ControlFlow::Continue(())).expect("with a leg per hop there is no deadlock");
    let router = Router::unproven(ring, config.routing.clone());
    let simulation = Simulation::with_router(router, config, options, jobs).expect("it builds");
    let error = simulation.run(&mut |_| ControlFlow::Continue(())).expect_err("flat legs deadlock");
    let FabricError::Stalled { circle, .. } = &error else { panic!("{error}") };
    assert!(circle.contains("wait for each other's buffers: switch"), "{error}");
}

/// Waits for a message that no rank sends.
struct Lonely;

impl RankProgram for Lonely {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        assert!(completed.is_none(), "nothing ever completes");
        let op = Op::Recv { from: Some(RankId(1)), bytes: philae_units::Bytes(8), tag: Some(42) };
        actions.push(Action::Start(OpHandle(0), op));
        Progress::Running
    }
}

#[test]
fn ranks_that_wait_in_vain_are_reported() {
    let topology = topology(DragonflyDescription::uniform(2, 2, 2, 1));
    let mut job = job_of("kind = 'barrier'\niterations = 1", 2);
    job.programs = vec![Box::new(Lonely), Box::new(Lonely)];
    let simulation =
        Simulation::new(topology, config("slingshot"), RunOptions::default(), vec![job]).expect("it builds");
    let error = simulation.run(&mut |_| ControlFlow::Continue(())).expect_err("no rank sends");
    assert!(error.to_string().contains("2 ranks wait for messages that no rank sends"), "{error}");
    assert!(error.to_string().contains("rank 1, recv from rank 1, tag 42"), "{error}");
}

#[test]
fn a_run_without_end_is_refused() {
    let topology = topology(DragonflyDescription::uniform(2, 2, 2, 1));
    let jobs = vec![job_of("kind = 'incast'", 4)];
    let built = Simulation::new(topology, config("none"), RunOptions::default(), jobs);
    assert_eq!(built.err(), Some(FabricError::Endless));
}

/// Where packets are followed, a NIC's list of those that are not acknowledged is empty at the end.
#[test]
fn acknowledged_packets_are_forgotten_where_they_are_followed() {
    for law in ["nscc", "rccc"] {
        let jobs = vec![job_of("kind = 'alltoall'\nbytes = '40KiB'\niterations = 1", 16)];
        let system = topology(DragonflyDescription::uniform(2, 2, 4, 1));
        let mut simulation = Simulation::new(system, config(law), RunOptions::default(), jobs).expect("it builds");
        let end = CaptureEnd::Nic(EndpointId(0));
        let point = CapturePoint { name: "here".into(), end, packets_max: 1, snap_bytes: 64 };
        simulation.capture(vec![point]).expect("the port is there");
        let partition = &mut simulation.partitions_mut()[0];
        partition.run_until(Picoseconds::from_micros(5));
        assert!(partition.record.observer.unacknowledged() > 100, "{law}: packets are on their way");
        partition.run_until(Picoseconds::from_micros(100_000));
        assert_eq!(partition.record.observer.unacknowledged(), 0, "{law}: all have been acknowledged");
    }
}
