//! Each parameter of the transport changes something, in the direction that its documentation says.

use crate::common::World;
use philae_nic_core::transport::{FaultSpec, HandlerDecision, PeerId, TransportCounters, TransportParameters};

const SECOND: u64 = 1_000_000_000;

/// The result of one run with a set of parameters.
struct Run {
    took: u64,
    sender: TransportCounters,
    receiver: TransportCounters,
    world: World,
}

/// Sends `count` messages one way and waits until all have arrived.
fn run(parameters: TransportParameters, faults: &str, count: u64, bytes: u32) -> Run {
    let spec: FaultSpec = faults.parse().expect("a specification");
    let mut world = World::new(2, &parameters, spec, 1_472);
    let peer = world.connect(0, 1);
    let began = world.now;
    let mut sent = 0;
    while world.nics[0].seen.delivered.len() < count as usize {
        while sent < count && world.send(0, peer, b"", sent << 24, bytes, sent) {
            sent += 1;
        }
        assert!(world.step() && world.now < began + 600 * SECOND && world.nics[0].seen.failed.is_empty());
    }
    let (sender, receiver) = (world.nics[0].transport.total(), world.nics[1].transport.total());
    Run { took: world.last - began, sender, receiver, world }
}

fn with(change: impl FnOnce(&mut TransportParameters)) -> TransportParameters {
    let mut parameters = TransportParameters::software();
    change(&mut parameters);
    parameters
}

fn usual() -> TransportParameters {
    TransportParameters::software()
}

#[test]
fn a_smaller_window_of_the_peer_takes_longer_on_a_long_way() {
    let small = run(with(|p| p.window_bytes = 65_536), "delay=1ms", 1, 4_000_000);
    assert!(small.took > 5 * run(usual(), "delay=1ms", 1, 4_000_000).took);
}

#[test]
fn a_smaller_start_window_takes_longer_on_a_long_way() {
    let small = run(with(|p| p.start_window_bytes = 3_000), "delay=1ms", 1, 200_000);
    assert!(small.took > 2 * run(usual(), "delay=1ms", 1, 200_000).took);
}

#[test]
fn without_room_to_keep_what_is_early_more_is_sent_again() {
    let none = run(with(|p| p.held_bytes_max = 0), "drop=2%", 10, 200_000);
    let usual = run(usual(), "drop=2%", 10, 200_000);
    assert!(none.receiver.segments_refused > 0 && usual.receiver.segments_refused == 0);
    assert!(none.sender.retransmissions > 2 * usual.sender.retransmissions);
}

#[test]
fn a_shorter_queue_has_less_in_flight() {
    let one = run(with(|p| p.queue_messages_max = 1), "delay=1ms", 20, 100);
    assert!(one.took > 5 * run(usual(), "delay=1ms", 20, 100).took);
}

#[test]
fn acknowledgements_come_as_often_as_they_are_asked_for() {
    // One segment every 5 us.
    let acks = |change: &dyn Fn(&mut TransportParameters)| {
        let parameters = with(|p| {
            (p.ack_every_segments, p.ack_every_bytes, p.ack_delay_ns) = (1_000, 1_000_000, SECOND);
            change(p);
        });
        let mut world = World::new(2, &parameters, FaultSpec::default(), 1_472);
        let peer = world.connect(0, 1);
        for token in 0..200 {
            world.send(0, peer, b"", 0, 1_000, token);
            world.step();
            world.now += 5_000;
        }
        world.nics[1].transport.total().acks_sent
    };
    let seldom = acks(&|_| {});
    assert!(acks(&|p| p.ack_every_segments = 10) > 15 + seldom);
    assert!(acks(&|p| p.ack_every_bytes = 10_000) > 15 + seldom);
    let last_acknowledged_after = |parameters| {
        let mut run = run(parameters, "", 1, 10);
        let began = run.world.now;
        run.world.send(0, PeerId(0), b"", 0, 10, 1);
        run.world.run_until(SECOND, |world| world.nics[0].seen.delivered.len() == 2);
        run.world.last - began
    };
    let late = last_acknowledged_after(with(|p| p.ack_delay_ns = 2_000_000));
    let usual_time = last_acknowledged_after(usual());
    assert!(late > usual_time + 1_500_000, "{late} {usual_time}");
}

#[test]
fn patience_with_segments_that_are_late_spares_sending_them_again() {
    let hasty = run(usual(), "reorder=5%", 10, 200_000).sender;
    let patient = run(with(|p| p.reorder_segments = 10_000), "reorder=5%", 10, 200_000).sender;
    assert!(hasty.lost_fast > 20 && patient.lost_fast == 0, "{hasty:?} {patient:?}");
}

#[test]
fn timeouts_decide_how_long_a_single_loss_takes() {
    let single = |parameters: TransportParameters, faults| {
        run(TransportParameters { queue_messages_max: 1, ..parameters }, faults, 200, 10).took
    };
    let usual_time = single(usual(), "drop=5%");
    assert!(
        single(with(|p| (p.timeout_min_ns, p.timeout_initial_ns) = (40_000_000, 40_000_000)), "drop=5%")
            > 3 * usual_time
    );
    // The first datagram of all is lost.
    let first = |initial| {
        let mut world = World::new(2, &with(|p| p.timeout_initial_ns = initial), FaultSpec::default(), 1_472);
        let peer = world.connect(0, 1);
        world.send(0, peer, b"", 0, 1, 0);
        let began = world.now;
        world.nics[1].is_asleep = true;
        (0..2).for_each(|_| assert!(world.step()));
        world.nics[1].is_asleep = false;
        world.run_until(10 * SECOND, |world| world.nics[0].seen.delivered == [0]);
        world.last - began
    };
    assert!(first(300_000_000) > first(20_000_000) + 200_000_000);
    // A peer that does not exist is asked as often as the longest wait allows.
    let asked = |longest| {
        let change = |p: &mut TransportParameters| (p.timeout_max_ns, p.unreachable_after_ns) = (longest, 100 * SECOND);
        let mut world = World::new(2, &with(change), FaultSpec::default(), 1_472);
        let peer = world.connect(0, 1);
        world.send(0, peer, b"", 0, 1, 0);
        world.nics[1].is_asleep = true;
        world.run_for(30 * SECOND);
        world.nics[0].transport.total().datagrams_sent
    };
    assert!(asked(100_000_000) > 250 && asked(20 * SECOND) < 20);
}

#[test]
fn patience_with_a_silent_peer_is_as_long_as_it_says() {
    let silence = |parameters: TransportParameters, expects| {
        let mut world = World::new(2, &parameters, FaultSpec::default(), 1_472);
        let peer = world.connect(0, 1);
        world.send(0, peer, b"", 0, 1, 0);
        world.run_until(SECOND, |world| world.nics[0].seen.delivered == [0]);
        world.nics[1].is_asleep = true;
        let began = world.now;
        if expects {
            world.nics[0].transport.expects(began, peer, true);
        } else {
            world.send(0, peer, b"", 0, 1, 1);
        }
        world.run_until(600 * SECOND, |world| !world.nics[0].seen.failed.is_empty());
        world.last - began
    };
    let usual_time = silence(usual(), false);
    assert!(silence(with(|p| p.unreachable_after_ns = 30 * SECOND), false) > usual_time + 15 * SECOND);
    let often = |p: &mut TransportParameters| (p.attempts_min, p.unreachable_after_ns) = (30, SECOND);
    assert!(silence(with(often), false) > silence(with(|p| p.unreachable_after_ns = SECOND), false) + 5 * SECOND);
    assert!(silence(with(|p| p.keepalive_ns = 20 * SECOND), true) > silence(usual(), true) + 15 * SECOND);
}

#[test]
fn a_gentler_decrease_keeps_more_in_flight() {
    let window = |parameters| {
        let run = run(parameters, "seed=9,mark=2%", 8, 500_000);
        run.world.nics[0].transport.path(PeerId(0)).expect("known").0
    };
    assert!(window(with(|p| p.decrease_256 = 230)) > window(usual()));
}

#[test]
fn a_message_that_stalls_costs_its_sender_time_and_nothing_else() {
    let mut world = World::new(2, &usual(), FaultSpec::default(), 1_472);
    world.nics[1].seen.verdicts = [vec![HandlerDecision::Stall; 100], vec![HandlerDecision::Accept]].concat();
    let peer = world.connect(0, 1);
    world.send(0, peer, b"", 0, 100_000, 0);
    world.run_until(SECOND, |world| world.nics[0].seen.delivered == [0]);
    let sender = world.nics[0].transport.total();
    assert!(world.nics[1].transport.total().stalls == 100 && sender.retransmissions == 0, "{sender:?}");
}
