//! A load on the real fabric: one switch at port fidelity with 64 NICs that take no time.
//!
//! The fabric has no switch without NICs, so the NICs are made transparent: no header, no command,
//! fetch or gap, credits instead of pauses. A packet's latency then runs from its first bit on the
//! cable to its last bit out of the other cable. This includes two cables, one serialisation and
//! the error correction of the second link around the crossing; they are constants and are
//! subtracted.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use philae_congestion::CongestionLaw;
use philae_fabric::{FabricConfig, Job, RankPlace, RunOptions, Simulation};
use philae_nic_model::{HostParameters, NicParameters, ResponseScope};
use philae_path::RoutingParameters;
use philae_results::record::RunStatus;
use philae_scenario::{ScenarioError, System};
use philae_switch::port::SwitchParameters;
use philae_switch::tile::Offer;
use philae_topology::{GraphDescription, GraphEndpoint};
use philae_traffic_class::ClassSet;
use philae_units::{Bytes, ClassId, NodeId, Picoseconds, RankId};
use philae_workload::{Action, Op, OpHandle, Progress, RankProgram};

use super::crossing::{CABLE_M, Crossings, Stopwatch};
use super::traffic::SwitchLoad;
use crate::runner::StudyError;

/// Packets that a rank hands to its NIC together; each is sent at its own time.
const BATCH: usize = 16;

/// Sends packets at given times.
#[derive(Default)]
struct Replay {
    offers: std::vec::IntoIter<Offer>,
    /// The core's time so far.
    time: Picoseconds,
    /// Operations begun.
    begun: u32,
    /// Those of them that have not completed.
    outstanding: u32,
    /// The last wait of the batch, with which the next batch begins.
    last_wait: Option<OpHandle>,
}

impl Replay {
    fn start(&mut self, op: Op, actions: &mut Vec<Action>) -> OpHandle {
        let handle = OpHandle(self.begun);
        self.begun += 1;
        self.outstanding += 1;
        actions.push(Action::Start(handle, op));
        handle
    }
}

impl RankProgram for Replay {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        self.outstanding -= u32::from(completed.is_some());
        if completed == self.last_wait {
            for _ in 0..BATCH {
                let Some(offer) = self.offers.next() else { break };
                // A put takes the core no time, so only the waits determine when each begins.
                let wait = Op::Compute { time: offer.time - self.time };
                let to = RankId(u32::from(offer.output.0));
                let put = Op::Put { to, bytes: Bytes(u64::from(offer.bytes)), class: None };
                self.time = offer.time;
                self.last_wait = Some(self.start(wait, actions));
                self.start(put, actions);
            }
        }
        if self.outstanding == 0 { Progress::Finished } else { Progress::Running }
    }
}

/// Rosetta, and NICs and hosts that take no time.
fn config() -> FabricConfig {
    let nic = NicParameters {
        inline_max_bytes: 65_535,
        command_ns: 0,
        dma_read_ns: 0,
        transmit_ns: 0,
        receive_ns: 0,
        accept_ns: 0,
        responses: ResponseScope::Switch,
        packet_gap_ps: 0,
        payload_max_bytes: 16_384,
        header_first_bytes: 0,
        header_next_bytes: 0,
        unit_payload_bytes: 0,
        unit_header_bytes: 0,
        frame_min_bytes: 0,
        edge_gap_bytes: 0,
        edge_pause: false,
        ..NicParameters::cassini_1()
    };
    FabricConfig {
        switch: SwitchParameters::rosetta(),
        nic,
        ethernet: Vec::new(),
        host: HostParameters { send_overhead_ns: 0, receive_overhead_ns: 0, ..HostParameters::cassini_1_mpi() },
        routing: RoutingParameters::slingshot(),
        congestion: CongestionLaw::None,
        classes: ClassSet::single("best-effort"),
        resilience: philae_fabric::Resilience::default(),
        collectives: Default::default(),
        packet_engine: None,
        node: None,
        laws: Default::default(),
    }
}

/// One switch, node `n` on port `n`.
fn one_switch(ports: usize) -> Result<System, ScenarioError> {
    let endpoint =
        |port: usize| GraphEndpoint { port: Some(port as u8), length_m: Some(CABLE_M as f64), ..GraphEndpoint::on(0) };
    let endpoints = (0..ports).map(endpoint).collect();
    let graph = GraphDescription { endpoints, ..GraphDescription::regular(1, 0, &[]) };
    System::build(graph.into())
}

/// Runs a load; returns nothing if stopped.
///
/// # Errors
/// If the fabric cannot be built or its run fails.
pub fn run(load: &SwitchLoad, seed: u64, stop: &AtomicBool) -> Result<Option<Crossings>, StudyError> {
    let failed =
        |source| StudyError::Cell { cell: format!("{} at port fidelity", load.label()), source: Box::new(source) };
    let offers = load.offers(seed);
    let system = one_switch(offers.len()).map_err(failed)?;
    let config = config();
    let fec_ns = config.switch.fec_ns;
    let places = (0..offers.len() as u32).map(|node| RankPlace { node: NodeId(node), nic: 0 }).collect();
    let program = |offers: Vec<Offer>| -> Box<dyn RankProgram> {
        Box::new(Replay { offers: offers.into_iter(), ..Replay::default() })
    };
    let job = Job {
        name: "load".to_owned(),
        workload: load.label(),
        places,
        programs: offers.into_iter().map(program).collect(),
        start: Picoseconds::ZERO,
        class: ClassId(0),
        vni: 1,
        iterations: None,
        offered_gbps: None,
        record_messages: false,
    };
    let options = RunOptions { seed, time_limit: load.end, warm_up: load.warm_up(), ..RunOptions::default() };
    let simulation = Simulation::new(Arc::clone(&system.topology), config, options, vec![job])
        .map_err(|error| failed(error.into()))?;
    let watch = Stopwatch::start();
    let record = simulation.run(&mut |_| {
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let seconds = watch.seconds();
    let record = record.map_err(|error| failed(error.into()))?;
    if record.status == RunStatus::Interrupted {
        return Ok(None);
    }
    Ok(Some(Crossings {
        packets: record.packets_delivered,
        events: record.events,
        digest: record.digest,
        seconds,
        ..Crossings::new(load, fec_ns, &record.packet_latency[0], record.jobs[0].delivered.0)
    }))
}
