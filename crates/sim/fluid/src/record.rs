//! Builds the record of a run in rates, in the form of a run in packets.

use philae_fabric::{port_info, ports_by_role};
use philae_results::Histogram;
use philae_results::fault::RetryTotals;
use philae_results::record::{JobInfo, OfferedLoad, RateTotals, RunRecord, RunStatus};
use philae_units::{Bytes, Picoseconds};

use crate::run::FluidSimulation;

/// The record of a run.
pub fn build(mut run: FluidSimulation, status: RunStatus) -> RunRecord {
    run.messages_kept.sort_by_key(|row| (row.delivered, row.job, row.destination, row.source, row.issued));
    run.iterations.sort_by_key(|row| (row.end, row.job, row.iteration, row.rank));
    run.iterations.truncate(run.options.records.message_rows_max);
    run.samples.sort_by_key(|row| (row.interval, row.port));
    let jobs = run
        .jobs
        .iter()
        .map(|job| JobInfo {
            name: job.name.clone(),
            ranks: job.ranks,
            nodes: job.nodes,
            workload: job.workload.clone(),
            finished: (job.ranks > 0 && job.finished.0 == job.ranks).then_some(Picoseconds(job.finished.1)),
            delivered: Bytes(job.delivered),
            iterations: job.iterations,
            warm_up_iterations: job.early,
            messages_issued: job.issued,
            messages_open: job.open.clone(),
            received: None,
            offered: job
                .offered_gbps
                .map(|each| OfferedLoad { gbps: each * f64::from(job.ranks), schedule: job.schedule }),
        })
        .collect();
    let open_iterations = run.open_iterations();
    let named = run.samples.iter().map(|row| row.port).collect();
    RunRecord {
        status,
        rates: Some(RateTotals {
            flows_max: run.flows.met.flows_max as u64,
            settled: run.flows.met.recomputed,
            ..run.totals
        }),
        simulated: Picoseconds(run.now),
        measured_from: run.options.warm_up,
        events: run.events,
        packet_hops: 0,
        packets_injected: 0,
        packets_delivered: 0,
        packets_discarded: 0,
        discards: Vec::new(),
        faults: Vec::new(),
        failures: Vec::new(),
        retry_totals: RetryTotals::default(),
        packet_engine: Vec::new(),
        edge_links: Vec::new(),
        digest: run.digest,
        model_bytes_peak: 0,
        sample_interval: run.options.records.sample_interval,
        jobs,
        classes: run.config.classes.names(),
        port_info: port_info(&run.topology, named),
        ports_by_role: ports_by_role(&run.topology),
        messages: run.messages_kept,
        iterations: run.iterations,
        open_iterations,
        activities: Vec::new(),
        activities_left_out: 0,
        ports: run.samples,
        class_samples: run.class_samples,
        flows: Vec::new(),
        congestion: Vec::new(),
        congestion_counts: Vec::new(),
        switches: Vec::new(),
        packet_latency: vec![Histogram::default(); run.config.classes.len()],
        message_latency: run.jobs.into_iter().map(|job| job.latency).collect(),
        telemetry: Vec::new(),
        telemetry_packets: 0,
        counters: Vec::new(),
        explained: Vec::new(),
        blockers: Vec::new(),
        captures: Vec::new(),
    }
}
