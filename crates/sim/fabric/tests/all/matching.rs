//! List entries and match modes: what runs out, what that costs, and that nothing is lost.

use crate::common::{config, job, run, topology};
use philae_fabric::{ExecutionOptions, FabricConfig, FabricError, Job, RankPlace, RunOptions};
use philae_nic_core::nic::MatchMode;
use philae_nic_model::HostPath;
use philae_results::counter::CounterName;
use philae_results::record::{RunRecord, RunStatus};
use philae_topology::DragonflyDescription;
use philae_units::{Bytes, ClassId, NodeId, Picoseconds, RankId};
use philae_workload::{Action, Op, OpHandle, Progress, RankProgram};

/// Starts batches of operations, each when all of the previous batch have completed, and reports
/// when each batch began.
struct Batches(std::vec::IntoIter<Vec<Op>>, u32);

impl RankProgram for Batches {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        self.1 -= u32::from(completed.is_some());
        if self.1 > 0 {
            return Progress::Running;
        }
        let Some(batch) = self.0.next() else { return Progress::Finished };
        self.1 = batch.len() as u32;
        // Handles are used again: two equal operations may have the same handle.
        actions.extend((0..).zip(batch).map(|(handle, op)| Action::Start(OpHandle(handle), op)));
        Progress::Running
    }
}

pub fn send(to: u32, tag: u32, bytes: u64) -> Op {
    Op::Send { to: RankId(to), bytes: Bytes(bytes), tag, class: None }
}

pub fn receive(from: u32, tag: u32) -> Op {
    Op::Recv { from: Some(RankId(from)), bytes: Bytes(1 << 20), tag: Some(tag) }
}

pub const fn compute(micros: u64) -> Op {
    Op::Compute { time: Picoseconds::from_micros(micros) }
}

/// Ranks on nodes of different groups.
pub fn ranks(programs: Vec<Vec<Vec<Op>>>) -> Job {
    let places = (0..programs.len() as u32).map(|rank| RankPlace { node: NodeId(rank * 11 % 48), nic: 0 }).collect();
    let program = |batches: Vec<Vec<Op>>| Box::new(Batches(batches.into_iter(), 0)) as Box<dyn RankProgram>;
    Job {
        name: "ranks".to_owned(),
        workload: "batches".to_owned(),
        places,
        programs: programs.into_iter().map(program).collect(),
        start: Picoseconds::ZERO,
        class: ClassId(0),
        vni: 1,
        iterations: Some(1),
        offered_gbps: None,
        record_messages: true,
    }
}

fn with(mode: MatchMode, entries: u32) -> FabricConfig {
    let mut config = config("slingshot");
    (config.nic.match_mode, config.nic.list_entries) = (mode, entries);
    config
}

pub fn record(config: FabricConfig, partitions: u32, job: Job) -> Result<RunRecord, FabricError> {
    let topology = topology(DragonflyDescription::uniform(3, 4, 4, 2));
    run(
        &topology,
        config,
        RunOptions {
            execution: ExecutionOptions { partitions, ..ExecutionOptions::default() },
            ..RunOptions::default()
        },
        vec![job],
    )
}

fn count(record: &RunRecord, name: CounterName) -> u64 {
    record.counters.iter().filter(|row| row.name == name).map(|row| row.value).sum()
}

/// Two ranks send to rank 0, which computes and then takes the last messages first. Some messages
/// are short, others have to be fetched.
fn flood(messages: u32) -> Job {
    let of_sender = |_| vec![(0..messages).map(|tag| send(0, tag, if tag % 8 == 7 { 40_000 } else { 700 })).collect()];
    let takes = (0..messages).rev().flat_map(|tag| [receive(1, tag), receive(2, tag)]).collect();
    ranks(std::iter::once(vec![vec![compute(300)], takes]).chain((1..3).map(of_sender)).collect())
}

/// Source, destination and bytes of each received message, in any order.
fn received(record: &RunRecord) -> Vec<(u32, u32, u64)> {
    let mut rows: Vec<_> = record.messages.iter().map(|row| (row.source.0, row.destination.0, row.bytes.0)).collect();
    rows.sort_unstable();
    rows
}

#[test]
fn hardware_with_few_entries_loses_nothing_and_ends_later() {
    let plenty = record(with(MatchMode::Hardware, 0), 1, flood(64)).expect("it runs");
    let enough = record(with(MatchMode::Hardware, 1_000), 1, flood(64)).expect("it runs");
    assert_eq!(
        (plenty.digest, plenty.simulated),
        (enough.digest, enough.simulated),
        "entries that suffice do not show"
    );
    let few = record(with(MatchMode::Hardware, 16), 1, flood(64)).expect("it runs");
    assert_eq!(few.status, RunStatus::Completed);
    assert_eq!(received(&few), received(&plenty));
    assert_eq!(received(&few).len(), 128);
    let refused = count(&few, CounterName::MessagesRefused);
    assert!(refused > 0 && count(&few, CounterName::MatchingClosed) > 0);
    assert_eq!(refused, count(&few, CounterName::MessagesSentAgain));
    assert!(few.packets_delivered > plenty.packets_delivered, "what is sent again crosses the fabric again");
    assert!(few.simulated.0 > plenty.simulated.0 + 600_000_000, "{} and {}", few.simulated, plenty.simulated);
}

#[test]
fn hybrid_refuses_nothing_and_hands_over_to_software_once() {
    let hybrid = record(with(MatchMode::Hybrid, 16), 1, flood(64)).expect("it runs");
    assert_eq!(count(&hybrid, CounterName::MessagesRefused), 0);
    assert_eq!(count(&hybrid, CounterName::MatchingChanges), 1, "of one process of three");
    let [plenty, few, software] = [(MatchMode::Hardware, 0), (MatchMode::Hardware, 16), (MatchMode::Software, 0)]
        .map(|(mode, entries)| record(with(mode, entries), 1, flood(64)).expect("it runs"));
    assert_eq!(received(&hybrid), received(&plenty));
    assert_eq!(received(&software), received(&plenty));
    assert!(hybrid.simulated > plenty.simulated && hybrid.simulated < few.simulated);
    assert!(software.simulated > plenty.simulated && software.simulated < few.simulated);
}

#[test]
fn software_makes_a_rendezvous_wait_for_the_core() {
    // The receive is posted before the core is busy: a NIC that matches fetches the data meanwhile.
    let overlapped =
        || ranks(vec![vec![vec![receive(1, 1), compute(500)]], vec![vec![compute(5)], vec![send(0, 1, 1 << 20)]]]);
    let delivered = |mode| {
        let record = record(with(mode, 0), 1, overlapped()).expect("it runs");
        record.messages[0].delivered
    };
    assert!(delivered(MatchMode::Hardware) < Picoseconds::from_micros(200));
    assert!(delivered(MatchMode::Software) > Picoseconds::from_micros(500));
}

#[test]
fn receives_wait_for_an_entry_in_their_order() {
    // Eight receives at the same time and four entries. Messages come one by one, in the order of
    // the receives.
    let takes = |tags: std::ops::Range<u32>| tags.map(|tag| receive(1, tag)).collect::<Vec<_>>();
    let sends = (0..8).map(|tag| vec![compute(10), send(0, tag, 8)]).collect();
    let few = record(with(MatchMode::Hardware, 4), 1, ranks(vec![vec![takes(0..8)], sends])).expect("it runs");
    assert_eq!(count(&few, CounterName::ReceivesDeferred), 1);
    assert_eq!(count(&few, CounterName::MessagesRefused), 0);
    assert_eq!(few.messages.len(), 8);
}

#[test]
fn messages_with_one_tag_stay_in_their_order() {
    // Sizes identify the messages: receives of one tag get them in the order of sending, however
    // often they were refused.
    let sizes: Vec<u64> = (1..=40).map(|number| number * 16).collect();
    let sends = sizes.iter().map(|&bytes| vec![send(0, 5, bytes)]).collect();
    let takes = std::iter::once(vec![compute(100)]).chain((0..40).map(|_| vec![receive(1, 5)])).collect();
    let few = record(with(MatchMode::Hardware, 3), 1, ranks(vec![takes, sends])).expect("it runs");
    assert!(count(&few, CounterName::MessagesRefused) > 10);
    let taken: Vec<u64> = few.messages.iter().map(|row| row.bytes.0).collect();
    assert_eq!(taken, sizes);
}

#[test]
fn a_receive_that_came_first_gets_its_message_past_one_that_has_no_entry() {
    // The only entry holds the receive of the second message. The first message is refused until
    // that entry is free.
    let takes = vec![vec![receive(1, 2)], vec![receive(1, 1)]];
    let sends = vec![vec![compute(5)], vec![send(0, 1, 8), send(0, 2, 8)]];
    let few = record(with(MatchMode::Hardware, 1), 1, ranks(vec![takes, sends])).expect("it runs");
    assert_eq!(few.messages.len(), 2);
    assert!(count(&few, CounterName::MessagesRefused) > 0);
}

#[test]
fn endless_refusals_are_an_error_that_says_what_would_work() {
    // The only entry holds a receive whose message comes only after another receive, which has no
    // entry, has completed.
    let programs = || {
        let takes = vec![vec![receive(2, 9), receive(1, 1)]];
        ranks(vec![
            takes,
            vec![vec![compute(5)], vec![send(0, 1, 40_000)], vec![send(2, 3, 8)]],
            vec![vec![receive(1, 3)], vec![send(0, 9, 8)]],
        ])
    };
    let message = record(with(MatchMode::Hardware, 1), 1, programs()).expect_err("it cannot end").to_string();
    assert!(message.contains("rank 0 of all jobs has refused a message from rank 1 with tag 1"), "{message}");
    assert!(message.contains("1 receives wait for an entry") && message.contains("hybrid"), "{message}");
    for config in [with(MatchMode::Hardware, 2), with(MatchMode::Hybrid, 1)] {
        assert_eq!(record(config, 1, programs()).expect("it ends").status, RunStatus::Completed);
    }
}

#[test]
fn every_knob_changes_something() {
    let result = |config: FabricConfig| record(config, 1, flood(64)).map(|record| record.digest).expect("it runs");
    let few = result(with(MatchMode::Hardware, 16));
    let changed = |change: fn(&mut FabricConfig), base: (MatchMode, u32)| {
        let mut config = with(base.0, base.1);
        change(&mut config);
        result(config)
    };
    let hardware = (MatchMode::Hardware, 16);
    assert_ne!(changed(|config| config.nic.match_mode = MatchMode::Hybrid, hardware), few);
    assert_ne!(changed(|config| config.nic.match_mode = MatchMode::Software, hardware), few);
    assert_ne!(changed(|config| config.nic.list_entries = 20, hardware), few);
    assert_ne!(changed(|config| config.nic.refused_retry_us = 400, hardware), few);
    assert_ne!(changed(|config| config.nic.match_entry_ns = 40, hardware), few);
    let software = (MatchMode::Software, 0);
    assert_ne!(changed(|config| config.nic.match_entry_ns = 40, software), changed(|_| (), software));
}

#[test]
fn partitions_do_not_show() {
    let everybody = || job("all", 0..48, "kind = 'alltoall'\nbytes = '3KiB'\niterations = 2", 1);
    for (mode, entries) in [(MatchMode::Hardware, 6), (MatchMode::Hybrid, 6), (MatchMode::Software, 0)] {
        for of_job in [|| flood(40), everybody] {
            let one = record(with(mode, entries), 1, of_job()).expect("it runs");
            let three = record(with(mode, entries), 3, of_job()).expect("it runs");
            assert_eq!(one.digest, three.digest, "{mode:?}");
            assert_eq!(format!("{:?}", one.messages), format!("{:?}", three.messages));
            assert_eq!(one.counters, three.counters);
        }
    }
}

#[test]
fn unread_settings_are_errors() {
    let refused = |change: fn(&mut FabricConfig)| {
        let mut config = with(MatchMode::Hardware, 16);
        change(&mut config);
        record(config, 1, flood(2)).expect_err("it is not read").to_string()
    };
    assert!(refused(|config| config.nic.match_offload = false).contains("nic.match_offload = true would work"));
    assert!(refused(|config| config.host.path = HostPath::Kernel).contains("host.path"));
    assert!(refused(|config| config.nic.refused_retry_us = 0).contains("nic.refused_retry_us"));
}
