//! A run with a meter is the same run, and what the meter reads at the end is what the record has.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use crate::common::{config, job, topology};
use philae_fabric::{ExecutionOptions, Meter, PortCount, RecordOptions, RunOptions, Simulation};
use philae_results::record::{RunRecord, RunStatus};
use philae_topology::DragonflyDescription;
use philae_units::Picoseconds;

/// Times, each with all ports.
type Seen = Arc<Mutex<Vec<(Picoseconds, Vec<PortCount>)>>>;

struct Watching {
    next: Picoseconds,
    /// Number of reads before it stops the run.
    patience: usize,
    seen: Seen,
}

impl Meter for Watching {
    fn next(&self) -> Picoseconds {
        self.next
    }

    fn read(&mut self, now: Picoseconds, ports: &mut dyn Iterator<Item = PortCount>) -> ControlFlow<()> {
        self.next = now + Picoseconds::from_micros(2);
        let mut seen = self.seen.lock().expect("no panic with it");
        seen.push((now, ports.collect()));
        if seen.len() >= self.patience { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn run(partitions: u32, patience: Option<usize>) -> (RunRecord, Vec<(Picoseconds, Vec<PortCount>)>) {
    let topology = topology(DragonflyDescription::uniform(4, 4, 4, 2));
    let options = RunOptions {
        execution: ExecutionOptions { partitions, ..ExecutionOptions::default() },
        records: RecordOptions { sample_interval: Picoseconds::from_micros(1), ..RecordOptions::default() },
        ..RunOptions::default()
    };
    let jobs =
        vec![job("alltoall", 0..topology.node_count() as u32, "kind = 'alltoall'\nbytes = '8KiB'\niterations = 1", 1)];
    let mut simulation = Simulation::new(topology, config("slingshot"), options, jobs).expect("it fits");
    let seen = Seen::default();
    if let Some(patience) = patience {
        simulation.meter(Box::new(Watching { next: Picoseconds::ZERO, patience, seen: Arc::clone(&seen) }));
    }
    let record = simulation.run(&mut |_| ControlFlow::Continue(())).expect("nothing is lost");
    let seen = std::mem::take(&mut *seen.lock().expect("no panic with it"));
    (record, seen)
}

#[test]
fn a_meter_changes_nothing_and_its_last_reading_is_complete() {
    let (plain, _) = run(1, None);
    for partitions in [1, 3] {
        let (record, seen) = run(partitions, Some(usize::MAX));
        assert_eq!(record.digest, plain.digest);
        assert!(seen.len() > 3, "it looked {} times", seen.len());
        for pair in seen.windows(2) {
            assert!(pair[0].0 <= pair[1].0, "time goes on");
            let grows = |(before, after): (&PortCount, &PortCount)| {
                before.port == after.port && before.bytes <= after.bytes && before.packets <= after.packets
            };
            assert!(pair[0].1.iter().zip(&pair[1].1).all(grows), "counters never go back");
        }
        let (_, last) = seen.last().expect("it looked");
        for count in last {
            let samples = || record.ports.iter().filter(|sample| sample.port == count.port);
            assert_eq!(count.packets, samples().map(|sample| u64::from(sample.packets)).sum::<u64>());
            // The rest of a port's last packet at the end has not been on the wire.
            let sent: u64 = samples().map(|sample| sample.bytes.0).sum();
            assert!((sent..sent + 10_000).contains(&count.bytes), "port {}: {} B, {sent}", count.port.0, count.bytes);
        }
        assert!(last.iter().any(|count| count.packets > 0));
    }
}

#[test]
fn a_meter_may_stop_the_run() {
    let (record, seen) = run(1, Some(2));
    assert_eq!(record.status, RunStatus::Interrupted);
    assert_eq!(seen.len(), 3, "two while it went on, one at its end");
}
