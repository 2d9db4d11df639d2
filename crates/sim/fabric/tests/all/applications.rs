//! Applications on a fabric: requests that overlap, computation next to messages, and results that
//! partitions do not change.

use crate::common::{config, job, run, topology};
use philae_fabric::{ExecutionOptions, Job, RunOptions};
use philae_results::record::RunRecord;
use philae_topology::DragonflyDescription;

/// Jobs on 4 groups of 8 nodes.
fn record(jobs: Vec<Job>, partitions: u32) -> RunRecord {
    let topology = topology(DragonflyDescription::uniform(4, 2, 4, 2));
    let options = RunOptions {
        execution: ExecutionOptions { partitions, ..ExecutionOptions::default() },
        ..RunOptions::default()
    };
    run(&topology, config("slingshot"), options, jobs).expect("it runs")
}

/// Start and end of each iteration in microseconds, by its number.
fn iterations(record: &RunRecord) -> Vec<(f64, f64)> {
    let mut rows: Vec<_> = record.iterations.iter().collect();
    rows.sort_by_key(|row| row.iteration);
    rows.iter().map(|row| (row.start.0 as f64 / 1e6, row.end.0 as f64 / 1e6)).collect()
}

fn service(more: &str) -> Vec<(f64, f64)> {
    let text = format!("kind = 'service'\nservice_time = {{ deterministic = '50us' }}\n{more}");
    iterations(&record(vec![job("service", [0, 31], &text, 3)], 1))
}

#[test]
fn an_idle_server_takes_the_service_time_and_the_network() {
    let requests = service("rate = 1000\niterations = 20");
    assert_eq!(requests.len(), 20);
    let alone = requests.iter().filter(|(start, end)| end - start < 60.0);
    assert!(alone.count() > 15, "5 % of the time busy: {requests:?}");
    assert!(requests.iter().all(|(start, end)| end - start > 51.0), "{requests:?}");
    let gap = (requests[19].0 - requests[0].0) / 19.0;
    assert!((500.0..2_000.0).contains(&gap), "a mean of 1 ms: {gap} us");
}

#[test]
fn requests_wait_for_workers_and_their_sojourn_times_overlap() {
    let queued = service("rate = 1_000_000\niterations = 6");
    assert!(queued[5].0 - queued[0].0 < 50.0, "all are asked before the first is answered: {queued:?}");
    for pair in queued.windows(2) {
        let apart = pair[1].1 - pair[0].1;
        assert!((49.9..51.0).contains(&apart), "one after the other: {queued:?}");
    }
    let parallel = service("rate = 1_000_000\niterations = 6\nworkers = 6");
    assert!(parallel.iter().all(|(start, end)| (51.0..60.0).contains(&(end - start))), "{parallel:?}");
}

#[test]
fn a_warm_up_is_not_in_the_results() {
    let cold = service("rate = 1_000_000\niterations = 6");
    let warm = service("rate = 1_000_000\niterations = 2\nwarm_up = 4");
    assert_eq!(warm[..], cold[4..], "the same requests, of which the last two count");
}

#[test]
fn messages_progress_next_to_an_accelerator_and_not_next_to_a_busy_core() {
    let step = |on: &str| {
        let text = format!(
            "kind = 'resnet-proxy'\nmodel = 'resnet-50'\nelement = 1\nbackward = '300us'\nalgorithm = 'ring'\ncompute_on = '{on}'\niterations = 1"
        );
        let rows = iterations(&record(vec![job("training", [0, 8, 16, 24], &text, 1)], 1));
        rows.iter().map(|(_, end)| *end).fold(0.0, f64::max)
    };
    let (accelerator, core) = (step("accelerator"), step("core"));
    // 6 buckets take 1.8 ms to compute. The last one's sum, a quarter of the others' time, is left
    // when the accelerator is done.
    assert!((1_800.0..2_400.0).contains(&accelerator), "{accelerator} us");
    assert!(core > accelerator + 200.0, "{core} us, {accelerator} us beside an accelerator");
}

#[test]
fn partitions_do_not_show_in_applications() {
    let texts = [
        "kind = 'transformer'\nlayers = 4\nhidden = 128\nsequence = 64\nmicro_batches = 3\ntensor = 2\nexpert = 2\npipeline = 2\nforward = '5us'\nbackward = '10us'\nbucket = '16KiB'\niterations = 2",
        "kind = 'hpcg'\ncells = [16, 16, 16]\niterations = 2",
        "kind = 'lammps'\ncompute = '20us'\nrebuild_every = 2\nthermo_every = 2\niterations = 4",
        "kind = 'service'\nservers = 2\nworkers = 2\nrate = 100_000\niterations = 20",
    ];
    let jobs = || {
        let place = |(number, text): (u32, &&str)| job("job", (number..32).step_by(4), text, number.into());
        (0..).zip(&texts).map(place).collect()
    };
    let one = record(jobs(), 1);
    let many = record(jobs(), 4);
    assert_eq!((one.digest, one.packet_hops), (many.digest, many.packet_hops));
    assert_eq!(format!("{:?}", one.iterations), format!("{:?}", many.iterations));
}
