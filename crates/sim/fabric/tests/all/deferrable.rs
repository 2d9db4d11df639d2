//! Deferrable sends of Ultra Ethernet: a target without a receive stops the sender, and asks later.

use crate::common::{config, run, topology};
use crate::matching::{compute, ranks, receive, record, send};
use philae_fabric::{ExecutionOptions, FabricConfig, Job, RunOptions};
use philae_nic_model::UetLongSend;
use philae_results::record::RunRecord;
use philae_topology::DragonflyDescription;
use philae_traffic_class::{ClassSet, TrafficClass};
use philae_units::Picoseconds;
use philae_workload::Op;

const BYTES: u64 = 512 << 10;

fn with(law: &str, long_send: UetLongSend) -> FabricConfig {
    let mut config = config(law);
    config.laws.uet.long_send = long_send;
    config
}

/// Rank 0 sends to rank 1, which posts its receive at once or after `late_us`.
fn pair(late_us: u64) -> Job {
    let late = if late_us == 0 { Vec::new() } else { vec![vec![compute(late_us)]] };
    let taker = late.into_iter().chain([vec![receive(0, 7)]]).collect();
    ranks(vec![vec![vec![send(1, 7, BYTES)]], taker])
}

/// The record, and when the message was delivered, in microseconds.
fn delivered(law: &str, long_send: UetLongSend, late_us: u64) -> (RunRecord, f64) {
    let record = record(with(law, long_send), 1, pair(late_us)).expect("it runs");
    assert_eq!(record.messages.len(), 1, "it is delivered once");
    assert_eq!(record.messages[0].bytes.0, BYTES);
    let time = record.messages[0].delivered.0 as f64 / 1e6;
    println!("TABLE {law} {long_send:?} late {late_us}: {time:.2} us, {} packets", record.packets_delivered);
    (record, time)
}

/// With a receive in time the data need no request: a round trip less than a rendezvous.
#[test]
fn a_message_whose_receive_is_posted_needs_no_request() {
    for law in ["nscc", "rccc"] {
        let (asked, late) = delivered(law, UetLongSend::Rendezvous, 0);
        let (sent, early) = delivered(law, UetLongSend::Deferrable, 0);
        assert!(early + 1.0 < late, "{law}: {early} and {late} us");
        assert!(sent.packets_delivered < asked.packets_delivered, "{law}: no requests");
    }
}

/// Without one the sender stops within a round trip. All data come after the receive, once.
#[test]
fn a_message_without_a_receive_is_deferred() {
    for law in ["nscc", "rccc"] {
        let (asked, of_rendezvous) = delivered(law, UetLongSend::Rendezvous, 100);
        let (sent, of_deferred) = delivered(law, UetLongSend::Deferrable, 100);
        let link_us = BYTES as f64 * 8.0 / 200e3;
        assert!(of_deferred > 100.0 + link_us, "{law}: {of_deferred} us");
        assert!((of_deferred - of_rendezvous).abs() < 3.0, "{law}: {of_deferred} and {of_rendezvous} us");
        let more = sent.packets_delivered - asked.packets_delivered;
        assert!((5..160).contains(&more), "{law}: {more} packets in vain, of 256");
    }
}

/// Pairs with and without a receive in time, several messages each.
fn mixed() -> Job {
    let batch = |ops: Vec<Op>| vec![ops];
    let mut programs = Vec::new();
    for pair in 0..4_u32 {
        let (from, to) = (2 * pair, 2 * pair + 1);
        programs.push(batch((0..6).map(|tag| send(to, tag, 40_000 + 1_000 * u64::from(tag))).collect()));
        let first = (0..3).map(|tag| receive(from, tag)).collect();
        let later = (3..6).rev().map(|tag| receive(from, tag)).collect();
        programs.push(vec![first, vec![compute(20 * u64::from(pair))], later]);
    }
    ranks(programs)
}

#[test]
fn deferred_messages_arrive_once_on_any_number_of_partitions_and_with_losses() {
    for law in ["nscc", "rccc"] {
        for queue in [None, Some(20_000)] {
            let mut config = with(law, UetLongSend::Deferrable);
            if let Some(bytes) = queue {
                let lossy = TrafficClass::named("best effort");
                let lossy = TrafficClass { lossy: true, queue_max_bytes: Some(bytes), ..lossy };
                config.classes = ClassSet::new(vec![lossy], 8).expect("a class");
            }
            let mut digests = Vec::new();
            for partitions in 1..4 {
                let topology = topology(DragonflyDescription::uniform(3, 4, 4, 2));
                let execution = ExecutionOptions { partitions, ..ExecutionOptions::default() };
                let time_limit = Picoseconds::from_micros(5_000);
                let options = RunOptions { execution, time_limit, ..RunOptions::default() };
                let record = run(&topology, config.clone(), options, vec![mixed()]).expect("it runs");
                assert_eq!(record.messages.len(), 24, "{law}, {queue:?}");
                digests.push(record.digest);
            }
            assert!(digests.windows(2).all(|two| two[0] == two[1]), "{law}, {queue:?}");
        }
    }
}
