//! NICs with room for the state of few connections, and software that goes along its lists.

use crate::common::{config, free_node, job, topology, without_responses};
use crate::matching::{ranks, receive, record, send};
use philae_fabric::{FabricConfig, Job};
use philae_nic_model::NodeParameters;
use philae_results::counter::CounterName;
use philae_results::record::RunRecord;
use philae_topology::DragonflyDescription;
use philae_units::{Bytes, RankId};
use philae_workload::Op;

/// Connections that each NIC has room for.
fn with(connections_max: u32) -> FabricConfig {
    let mut config = config("slingshot");
    (config.nic.connections_max, config.nic.connection_bytes) = (connections_max, 375);
    config
}

const fn put(to: u32) -> Op {
    Op::Put { to: RankId(to), bytes: Bytes(8), class: None }
}

/// Rank 0 puts to each of `peers` in turn, `rounds` times, one at a time.
fn turns(peers: u32, rounds: usize) -> Job {
    let puts: Vec<Vec<Op>> = (1..=peers).map(|peer| vec![put(peer)]).collect();
    let idle = std::iter::repeat_n(Vec::new(), peers as usize);
    ranks(std::iter::once(vec![puts; rounds].concat()).chain(idle).collect())
}

fn ran(config: FabricConfig, job: Job) -> RunRecord {
    record(config, 1, job).expect("it runs")
}

fn read(record: &RunRecord) -> u64 {
    record.counters.iter().filter(|row| row.name == CounterName::ConnectionsRead).map(|row| row.value).sum()
}

#[test]
fn a_message_waits_for_the_state_that_its_nic_has_no_room_for() {
    let (few, plenty) = (ran(with(8), turns(9, 5)), ran(with(0), turns(9, 5)));
    // The first eight have room when they are made. After that each of nine has just lost its
    // place.
    let reads = 5 * 9 - 8;
    assert_eq!(read(&few), reads);
    let latency = u64::from(with(8).nic.dma_read_ns) * 1_000;
    assert_eq!(few.simulated.0 - plenty.simulated.0, reads * latency, "each put waits for one read");
    let fits = ran(with(8), turns(8, 5));
    assert_eq!((read(&fits), fits.digest), (0, ran(with(0), turns(8, 5)).digest), "what has room does not show");
}

#[test]
fn the_state_and_what_makes_room_for_it_cross_the_bus() {
    let node = |config: FabricConfig| without_responses(FabricConfig { node: Some(slow_bus()), ..config });
    let (few, plenty) = (ran(node(with(8)), turns(9, 5)), ran(node(with(0)), turns(9, 5)));
    let nic = with(8).nic;
    let each = u64::from(nic.dma_read_ns) * 1_000 + slow_bus().read_time(375, nic.dma_read_ns);
    assert_eq!(few.simulated.0 - plenty.simulated.0, (5 * 9 - 8) * each);
    let smaller =
        FabricConfig { nic: philae_nic_model::NicParameters { connection_bytes: 64, ..with(8).nic }, ..with(8) };
    assert_ne!(ran(node(smaller), turns(9, 5)).simulated, few.simulated);
}

fn slow_bus() -> NodeParameters {
    NodeParameters { pcie_read_mbytes: 1_000, pcie_write_mbytes: 1_000, ..free_node() }
}

#[test]
fn both_ends_need_the_state() {
    // All put to rank 0: its NIC has nine connections, the others one each.
    let puts = (1..=9).map(|_| vec![vec![put(0)]; 5]);
    let job = || ranks(std::iter::once(Vec::new()).chain(puts.clone()).collect());
    let (few, plenty) = (ran(with(8), job()), ran(with(0), job()));
    assert!(read(&few) > 0 && few.simulated > plenty.simulated, "{} reads", read(&few));
    let at_target = few.counters.iter().filter(|row| row.name == CounterName::ConnectionsRead && row.value > 0).count();
    assert_eq!(at_target, 1, "only the target has more than it has room for");
}

#[test]
fn partitions_do_not_show_and_nothing_is_lost() {
    let everybody = || job("all", 0..48, "kind = 'alltoall'\nbytes = '3KiB'\niterations = 2", 1);
    let system = topology(DragonflyDescription::uniform(3, 4, 4, 2));
    assert_eq!(system.endpoint_count(), 48);
    let one = record(with(16), 1, everybody()).expect("it runs");
    let three = record(with(16), 3, everybody()).expect("it runs");
    assert!(read(&one) > 1_000);
    assert_eq!((one.digest, &one.counters), (three.digest, &three.counters));
    assert_eq!(one.messages.len(), ran(with(0), everybody()).messages.len());
}

#[test]
fn software_goes_along_its_list_and_the_first_entry_is_free() {
    let of_each = |match_entry_ns: u32| {
        let mut config = config("slingshot");
        (config.nic.match_offload, config.nic.match_entry_ns) = (false, match_entry_ns);
        config
    };
    // Receives are posted long before their messages come, one at a time.
    let job = |reversed: bool| {
        let tags = || 0..16_u32;
        let posted: Vec<Op> = if reversed {
            tags().rev().map(|tag| receive(1, tag)).collect()
        } else {
            tags().map(|tag| receive(1, tag)).collect()
        };
        let sent = tags().map(|tag| vec![crate::matching::compute(20), send(0, tag, 8)]);
        ranks(vec![vec![posted], sent.collect()])
    };
    let first = |ns| ran(of_each(ns), job(false));
    assert_eq!(first(0).digest, first(1_000).digest, "each message finds its receive at once");
    let last = |ns| ran(of_each(ns), job(true)).messages;
    let (quick, slow) = (last(0), last(1_000));
    // The message with tag 0 passes 15 receives, the next one 14.
    for (passed, (quick, slow)) in (0..16_u64).rev().zip(quick.iter().zip(&slow)) {
        assert_eq!(slow.delivered.0 - quick.delivered.0, passed * 1_000_000, "behind {passed} others");
    }
}

#[test]
fn a_wait_for_state_leaves_the_bus_to_others() {
    // A bus on which events and state take a thousandth of a wait, and many messages of few peers.
    let node =
        || Some(NodeParameters { event_bytes: 64, pcie_write_mbytes: 25_000, pcie_read_mbytes: 25_000, ..free_node() });
    let sends = |rank: u32| vec![(0..64).map(|tag| send(0, rank * 64 + tag, 8)).collect::<Vec<Op>>()];
    let takes = vec![(1..=11).flat_map(|rank| (0..64).map(move |tag| receive(rank, rank * 64 + tag))).collect()];
    let job = || ranks(std::iter::once(takes.clone()).chain((1..=11).map(sends)).collect());
    let run = |room| ran(FabricConfig { node: node(), ..with(room) }, job());
    let (few, plenty) = (run(1), run(0));
    assert!(read(&few) > 100, "{} reads", read(&few));
    // Each read takes 16 ns of the bus: waits overlap, and do not follow each other.
    let later = few.simulated.0 - plenty.simulated.0;
    assert!(later < read(&few) * 40_000 + 2_000_000, "{later} ps later by {} reads", read(&few));
}

#[test]
fn messages_of_a_connection_that_is_being_read_do_not_overtake() {
    // Pairs of messages from each peer: the second finds the read of the first on its way.
    let config = FabricConfig { node: Some(NodeParameters::connectx_5()), ..with(1) };
    let sends = |rank: u32| {
        (0..8_u64)
            .map(|round| {
                vec![
                    send(0, 7, 16 * (2 * round + 1)),
                    send(0, 7, 16 * (2 * round + 2)),
                    crate::matching::compute(u64::from(rank % 3)),
                ]
            })
            .collect()
    };
    let takes = vec![(0..16).flat_map(|_| (1..=5).map(|rank| receive(rank, 7))).collect::<Vec<Op>>()];
    let record = ran(config, ranks(std::iter::once(takes).chain((1..=5).map(sends)).collect()));
    assert!(read(&record) > 20);
    for rank in 1..=5 {
        let sizes: Vec<u64> =
            record.messages.iter().filter(|row| row.source.0 == rank).map(|row| row.bytes.0).collect();
        assert_eq!(sizes, (1..=16).map(|place| 16 * place).collect::<Vec<_>>(), "rank {rank}");
    }
}

#[test]
fn sockets_leave_their_connections_to_the_kernel() {
    let config = |room| {
        let host = philae_nic_model::HostParameters::connectx_5_tcp();
        FabricConfig { host, ..with(room) }
    };
    let sends = || {
        ranks(
            vec![vec![(1..=9).map(|rank| receive(rank, 1)).collect()], vec![vec![send(0, 1, 8)]]]
                .into_iter()
                .chain((2..=9).map(|_| vec![vec![send(0, 1, 8)]]))
                .collect(),
        )
    };
    assert_eq!(read(&ran(config(1), sends())), 0);
    assert!(read(&ran(config(8), turns(9, 5))) > 0, "one-sided operations pass the NIC alone");
}
