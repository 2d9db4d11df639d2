//! Processes where the network loses something: what can be repaired arrives later, and of all else
//! they are told.

use std::collections::BTreeSet;

use super::scripted::{Asked, Seen, Step, play, system, times};
use super::{amo, get, put};
use crate::common::config;
use crate::matching::{compute, send};
use philae_fabric::{FabricConfig, Fault, FaultKind, FaultLaw, FaultTarget, Resilience};
use philae_link_layer::{FecKind, LinkParameters};
use philae_nic_model::{ResponseScope, RetryParameters};
use philae_results::record::{RunRecord, RunStatus};
use philae_topology::{PortPeer, PortRole};
use philae_units::{Bytes, EndpointId, JobId, Picoseconds, PortIndex, RankId, SwitchId};
use philae_workload::{Between, Op, OpHandle, OperationEnd};

const MICRO: u64 = 1_000_000;

/// Timers short enough for a test.
fn retry() -> RetryParameters {
    RetryParameters { packet_timeout_ns: 200_000, retry_step_ms: 1, unordered_delay_ms: 1, retries_max: 4 }
}

const TIMEOUT: u64 = 200 * MICRO;

fn lossy(resilience: Resilience) -> FabricConfig {
    let mut config = config("slingshot");
    config.resilience = Resilience { retry: retry(), reroute_ns: 5_000, pause_guard_ns: 50_000, ..resilience };
    config
}

fn faults(faults: Vec<Fault>) -> FabricConfig {
    lossy(Resilience { faults, ..Resilience::default() })
}

/// A part goes down at a time in picoseconds.
fn down(target: FaultTarget, start: u64, until: Option<u64>) -> Fault {
    Fault { start: Picoseconds(start), until: until.map(Picoseconds), target, kind: FaultKind::Down }
}

/// The NIC of a rank.
fn nic_of(rank: u32) -> FaultTarget {
    FaultTarget::Nic(EndpointId(rank * 11 % 48))
}

/// The same from one partition and three. A process is told of nothing that it does not know.
fn played(config: &FabricConfig, scripts: &[Vec<Step>], is_late: bool) -> (RunRecord, Seen) {
    let of = |partitions| {
        let (record, seen) = play(config.clone(), partitions, (scripts.to_vec(), is_late), None);
        (record.expect("it runs"), seen)
    };
    let (record, seen) = of(1);
    let (divided, seen_divided) = of(3);
    assert_eq!((seen_divided, divided.digest, divided.simulated), (seen.clone(), record.digest, record.simulated));
    assert!(seen.iter().all(|seen| !seen.2.starts_with("stale")), "{seen:?}");
    (record, seen)
}

/// The only time at which a rank saw this.
fn time(seen: &Seen, rank: u32, words: &str) -> u64 {
    let all = times(seen, rank, words);
    assert_eq!(all.len(), 1, "rank {rank}, {words}: {seen:?}");
    all[0]
}

/// A NIC gives up when its link has been down for as long as retries take, or when the first packet
/// that the other one has not taken has been sent as often as it may.
fn is_near(time: u64, expected: u64, is_own: bool) -> bool {
    time == expected || !is_own && time.abs_diff(expected) < 30 * MICRO
}

fn start(op: Op) -> Vec<Step> {
    vec![Step::Start(op), Step::All]
}

#[test]
fn a_link_that_is_cut_delays_what_goes_another_way() {
    // From one group to another, by several links.
    let to = |rank| Op::Put { to: RankId(rank), bytes: Bytes(1 << 16), class: None };
    let mut scripts = vec![vec![Step::Start(to(2)); 48], Vec::new(), Vec::new()];
    scripts[0].push(Step::Start(send(2, 0, 1 << 18)));
    scripts[0].push(Step::All);
    let (clean, seen_clean) = played(&faults(Vec::new()), &scripts, false);
    assert_eq!(clean.status, RunStatus::Completed);
    let system = system();
    let global = (0..system.port_count() as u32).map(PortIndex).find(|&port| {
        let PortPeer::Port(peer) = system.port(port).peer else { return false };
        let group = |port| system.group_of(system.switch_of(port)).0;
        system.port(port).role == PortRole::Global && (group(port), group(peer)) == (0, 1)
    });
    let cut = down(FaultTarget::Link(global.expect("the groups are joined")), 20 * MICRO, None);
    let (record, seen) = played(&faults(vec![cut]), &scripts, false);
    assert_eq!((record.status, record.failures.len()), (RunStatus::Completed, 0));
    assert!(record.packets_discarded > 0 && record.retry_totals.retries > 0, "the link was busy");
    for (rank, words) in [(0, "ends"), (2, "Write"), (2, "offered"), (2, "fetched")] {
        assert_eq!(times(&seen, rank, words).len(), times(&seen_clean, rank, words).len(), "{words}");
    }
    assert!(times(&seen, 0, "lost").is_empty() && record.simulated.0 > clean.simulated.0 + TIMEOUT);
}

/// Every kind of operation. What has left ends a short message.
fn operations() -> [(Op, bool); 6] {
    [(send(1, 0, 64), true), (send(1, 0, 1 << 18), false), (put(4_096), false), (get(4_096), false)]
        .into_iter()
        .chain([(amo(false), false), (amo(true), false)])
        .collect::<Vec<_>>()
        .try_into()
        .expect("six")
}

#[test]
fn what_a_dead_nic_does_not_take_is_lost_after_all_retries() {
    for (op, is_short) in operations() {
        let mut script = start(op);
        script.extend(is_short.then_some(Step::Wait(None)));
        let (record, seen) = played(&faults(vec![down(nic_of(1), 1, None)]), &[script, Vec::new()], false);
        assert_eq!((record.status, record.failures.len()), (RunStatus::Completed, 1), "{op:?}");
        let lost = time(&seen, 0, "lost Operation 0 of 0");
        assert_eq!(lost, record.failures[0].failed.0, "{op:?}");
        let span = retry().span(false);
        assert!((span..span + 10 * MICRO).contains(&lost), "{op:?} at {lost}, after {span}");
        let ends = time(&seen, 0, "ends 0");
        assert_eq!(ends == lost, !is_short, "{op:?}: {seen:?}");
        if is_short {
            assert_eq!(time(&seen, 0, "wakes"), lost);
        }
        assert!(seen.iter().all(|seen| seen.1 == 0), "{seen:?}");
    }
}

/// What takes effect after a lost operation does not wait for it any more. Its target learns that
/// by a timeout of its own, also if the first packets have come.
#[test]
fn a_target_is_told_of_what_never_arrives() {
    let many = Op::Put { to: RankId(1), bytes: Bytes(1 << 20), class: None };
    for (op, dead, dies) in operations().map(|(op, _)| (op, 1, 1)).into_iter().chain([(many, 0, 30 * MICRO)]) {
        let scripts = [vec![Step::Start(op), Step::Wait(None)], start(compute(20_000))];
        let (record, seen) = played(&faults(vec![down(nic_of(dead), dies, None)]), &scripts, false);
        assert_eq!((record.status, record.failures.len()), (RunStatus::Completed, 1), "{op:?}");
        let (lost, known) = (time(&seen, 0, "lost Operation 0 of 0"), time(&seen, 1, "lost Arrival 0 of 0"));
        assert_eq!(known, lost + TIMEOUT, "{op:?}");
        assert_eq!(times(&seen, 1, "").len(), 2, "and of nothing else: {seen:?}");
    }
}

/// The ranks of a NIC without a link learn that at the same time. A link that comes back earlier
/// loses nothing.
#[test]
fn a_nic_without_a_link_gives_up_what_it_is_handed() {
    for (op, is_short) in operations() {
        let mut script = vec![Step::Start(op), Step::Start(op)];
        script.extend([Step::All, Step::Start(op), Step::All]);
        let span = retry().span(false);
        // Some have sent something by then.
        let dies = if is_short { 1 } else { 700_000 };
        let (record, seen) = played(&faults(vec![down(nic_of(0), dies, None)]), &[script.clone(), Vec::new()], false);
        assert_eq!((record.status, record.failures.len()), (RunStatus::Completed, 3), "{op:?} {seen:?}");
        assert_eq!(times(&seen, 0, "lost Operation"), times(&seen, 0, "ends"), "{op:?} {seen:?}");
        let lost = times(&seen, 0, "lost Operation");
        assert_eq!(lost[..2], [dies + span; 2], "{op:?}");
        // The third is lost when its NIC has it.
        assert!((lost[1]..lost[1] + 5 * MICRO).contains(&lost[2]), "{op:?} {lost:?}");
        let (record, seen) =
            played(&faults(vec![down(nic_of(0), dies, Some(dies + span - 1))]), &[start(op), Vec::new()], false);
        assert_eq!((record.status, record.failures.len()), (RunStatus::Completed, 0), "{op:?} {seen:?}");
        assert!(time(&seen, 0, "ends 0") > dies + span, "{op:?} {seen:?}");
    }
}

/// A long message, whose data are on their way when a NIC dies. Both ranks wait for them.
#[test]
fn both_ends_are_told_of_data_that_are_lost() {
    let bytes = 1 << 22;
    for is_late in [false, true] {
        for dead in [0, 1] {
            let receiver = vec![Step::Wait(None), Step::Wait(None), Step::All];
            let receiver = if is_late { receiver } else { vec![Step::Wait(None)] };
            let dies = 40 * MICRO;
            let scripts = [start(send(1, 0, bytes)), receiver];
            let (record, seen) = played(&faults(vec![down(nic_of(dead), dies, None)]), &scripts, is_late);
            assert_eq!((record.status, record.failures.len()), (RunStatus::Completed, 1), "{seen:?}");
            let there = time(&seen, 0, "lost Operation 0 of 0");
            let here = time(&seen, 1, "lost Data 0 of 0");
            assert_eq!((here, time(&seen, 0, "ends 0")), (there + TIMEOUT, there), "{seen:?}");
            let span = retry().span(false);
            assert!(is_near(there, dies + span, dead == 0), "rank {dead} at {there}");
            assert!(times(&seen, 1, "fetched").is_empty() && *times(&seen, 1, "wakes").last().expect("it is") == here);
            // A fetch is an operation of its own.
            assert_eq!(times(&seen, 1, "ends"), if is_late { vec![here] } else { Vec::new() });
        }
    }
}

/// What is given up at one moment becomes known at the other end one by one.
#[test]
fn a_rank_is_told_of_one_loss_at_a_time() {
    let sender = vec![Step::Start(send(1, 0, 1 << 22)), Step::Start(send(1, 0, 1 << 22)), Step::All];
    let dies = 40 * MICRO;
    let (_, seen) = played(&faults(vec![down(nic_of(0), dies, None)]), &[sender, start(compute(20_000))], false);
    let lost = dies + retry().span(false);
    assert_eq!(times(&seen, 0, "lost Operation"), vec![lost; 2]);
    assert_eq!(times(&seen, 1, "lost Data"), vec![lost + TIMEOUT, lost + TIMEOUT + 1], "{seen:?}");
}

/// Everything has arrived, but a NIC dies before it hears of that. It calls the operation lost; the
/// other end has it, and is told of no loss.
#[test]
fn what_has_arrived_is_not_lost_at_its_target() {
    for (op, there) in [(send(1, 0, 1 << 20), "fetched"), (put(4_096), "Write")] {
        let mut config = faults(vec![down(nic_of(2), 100_000 * MICRO, None)]);
        config.nic.responses = ResponseScope::Packet;
        // The target is there when news of a loss would come.
        let scripts = [start(op), start(compute(20_000))];
        let (clean, seen) = played(&config, &scripts, false);
        let (arrives, ends) = (time(&seen, 1, there), time(&seen, 0, "ends 0"));
        assert!(clean.failures.is_empty() && arrives < ends, "{seen:?}");
        config.resilience.faults = vec![down(nic_of(0), arrives, None)];
        let (record, seen) = played(&config, &scripts, false);
        assert_eq!((record.status, record.failures.len()), (RunStatus::Completed, 1), "{op:?} {seen:?}");
        assert_eq!(time(&seen, 1, there), arrives);
        assert_eq!(time(&seen, 0, "lost Operation"), arrives + retry().span(false));
        assert!(times(&seen, 1, "lost").is_empty(), "{seen:?}");
    }
}

/// The sender's NIC dies before the receiver asks for the data.
#[test]
fn both_ends_are_told_when_data_cannot_be_asked_for() {
    let receiver = vec![Step::Start(compute(100)), Step::All];
    let scripts = [start(send(1, 0, 1 << 18)), receiver];
    let (record, seen) = played(&faults(vec![down(nic_of(0), 50 * MICRO, None)]), &scripts, true);
    assert_eq!((record.status, record.failures.len()), (RunStatus::Completed, 1), "{seen:?}");
    let here = time(&seen, 1, "lost Data 0 of 0");
    let asked = 100 * MICRO + retry().span(false);
    assert!((asked..asked + 10 * MICRO).contains(&here), "{seen:?}");
    assert_eq!(time(&seen, 0, "lost Operation 0 of 0"), here + TIMEOUT);
    // A computation, and the fetch.
    assert_eq!((time(&seen, 0, "ends 0"), times(&seen, 1, "ends")), (here + TIMEOUT, vec![100 * MICRO, here]));
}

/// A read whose request has arrived: the target's NIC knows of the loss first.
#[test]
fn the_issuer_is_told_that_an_answer_is_lost() {
    let (dies, span) = (40 * MICRO, retry().span(false));
    for dead in [0, 1] {
        let config = faults(vec![down(nic_of(dead), dies, None)]);
        let (record, seen) = played(&config, &[start(get(1 << 22)), Vec::new()], false);
        assert_eq!((record.status, record.failures.len()), (RunStatus::Completed, 1), "{seen:?}");
        let lost = time(&seen, 0, "lost Operation 0 of 0");
        assert_eq!(lost, record.failures[0].failed.0 + TIMEOUT);
        assert_eq!(lost, time(&seen, 0, "ends 0"));
        assert!(is_near(lost - TIMEOUT, dies + span, dead == 1), "rank {dead} at {lost}");
        assert!(time(&seen, 1, "Read 0 of 0") < dies);
    }
}

/// A receiver knows of a message that has never reached it only that nothing waits for that. The
/// run does not end in silence, and a supervisor may bring the rank back.
#[test]
fn a_receiver_of_a_lost_message_is_left_to_the_supervisor() {
    let scripts = || vec![start(send(1, 0, 64)), vec![Step::Wait(None)]];
    let config = faults(vec![down(nic_of(1), 1, None)]);
    let (record, seen) = played(&config, &scripts(), false);
    assert_eq!((record.status, record.failures.len()), (RunStatus::Unfinished, 1));
    assert_eq!(times(&seen, 1, ""), times(&seen, 1, "lost Arrival 0 of 0"), "{seen:?}");
    let mut asked = 0;
    let supervisor = Asked(move |now, next: Option<Picoseconds>| {
        if next.is_some() {
            return Between::Nothing;
        }
        asked += 1;
        assert_eq!(asked, 1);
        Between::End(vec![OperationEnd { job: JobId(0), rank: RankId(1), operation: OpHandle(0), at: now }])
    });
    let (record, seen) = play(config, 3, (scripts(), false), Some(Box::new(supervisor)));
    assert_eq!(record.expect("it runs").status, RunStatus::Completed);
    assert!(time(&seen, 1, "wakes") > retry().span(false), "{seen:?}");
}

#[test]
fn a_timeout_shorter_than_a_window_is_refused() {
    let mut config = faults(vec![down(nic_of(1), 1, None)]);
    config.resilience.retry.packet_timeout_ns = 100;
    let (job, _) = super::scripted::job(vec![start(put(8)), Vec::new()], false);
    let made = philae_fabric::Simulation::new(system(), config, super::options(1), vec![job]);
    let words = made.err().expect("it is refused").to_string();
    assert!(words.contains("retry.packet_timeout_ns") && words.contains("100 ns"), "{words}");
}

/// Faults of every kind by chance, and a NIC that stays dead.
fn storm(seed: u64) -> FabricConfig {
    let system = system();
    let micros = Picoseconds::from_micros;
    let links: Vec<FaultTarget> = (0..system.port_count() as u32)
        .map(PortIndex)
        .filter(|&port| matches!(system.port(port).peer, PortPeer::Port(peer) if peer > port))
        .map(FaultTarget::Link)
        .collect();
    let switches = (0..system.switch_count() as u32).map(|switch| FaultTarget::Switch(SwitchId(switch))).collect();
    let nics = (0..6).map(nic_of).collect();
    let law = |kind, targets, gap, length| FaultLaw {
        kind,
        targets,
        gap_mean: micros(gap + seed),
        length_mean: micros(length),
    };
    lossy(Resilience {
        link: Some(LinkParameters {
            link_down_timer_ns: 30_000,
            bit_errors: 6,
            bit_errors_per_10_to: 7,
            fec: FecKind::None,
            ..LinkParameters::slingshot()
        }),
        faults: vec![down(nic_of(7), (10 + seed) * MICRO, None), down(nic_of(3), 60 * MICRO, Some(30_000 * MICRO))],
        laws: vec![
            law(FaultKind::Down, links.clone(), 60, 50),
            law(FaultKind::Lanes(4), links, 40, 20),
            law(FaultKind::Down, switches, 400, 3_000),
            law(FaultKind::Down, nics, 300, 9_000),
        ],
        ..Resilience::default()
    })
}

/// The operation of another rank that has reached one, as it notes that.
fn arrival(words: &str) -> Option<&str> {
    ["offered ", "Write ", "Read ", "Change "].iter().find_map(|kind| words.strip_prefix(kind))
}

/// Whatever fails, every operation of every process ends once, and the same however the run is
/// divided. Of each failure one rank is told at least.
#[test]
fn every_operation_ends_once_under_random_faults() {
    const RANKS: u32 = 12;
    let scripts: Vec<Vec<Step>> = (0..RANKS)
        .map(|rank| {
            let others = || (0..RANKS).filter(move |other| *other != rank).map(RankId);
            let to_all = |make: fn(RankId) -> Op| others().map(make).map(Step::Start).collect::<Vec<_>>();
            let turn = [
                to_all(|to| Op::Send { to, bytes: Bytes(64), tag: 0, class: None }),
                to_all(|to| Op::Send { to, bytes: Bytes(40_000), tag: 0, class: None }),
                to_all(|to| Op::Put { to, bytes: Bytes(5_000), class: None }),
                to_all(|from| Op::Get { from, bytes: Bytes(30_000), class: None }),
                to_all(|to| Op::Amo { to, bytes: Bytes(8), fetch: true, class: None }),
                vec![Step::All],
            ]
            .concat();
            turn.repeat(2)
        })
        .collect();
    let operations = (RANKS * (RANKS - 1) * 10) as usize;
    let mut kinds = [0; 3];
    for seed in 0..3 {
        let mut config = storm(seed);
        config.nic.responses = [ResponseScope::Switch, ResponseScope::Packet][seed as usize % 2];
        let (record, seen) = played(&config, &scripts, seed == 1);
        assert_eq!(record.status, RunStatus::Completed);
        let mut ends: Vec<(u32, &str)> =
            seen.iter().filter(|seen| seen.2.starts_with("ends")).map(|seen| (seen.1, seen.2.as_str())).collect();
        let all = ends.len();
        ends.sort_unstable();
        ends.dedup();
        assert_eq!(ends.len(), all, "none ends twice");
        let fetches = if seed == 1 { all - operations } else { 0 };
        assert_eq!(all, operations + fetches);
        let lost = |words| seen.iter().filter(|seen| seen.2.starts_with(words)).count();
        assert!(record.failures.len() > 20 && record.packets_discarded > 100, "{}", record.failures.len());
        kinds[0] += lost("lost Operation");
        kinds[1] += lost("lost Data");
        kinds[2] += lost("lost Arrival");
        // What never arrives does not arrive.
        let arrivals: BTreeSet<(u32, &str)> =
            seen.iter().filter_map(|seen| Some((seen.1, arrival(&seen.2)?))).collect();
        for (_, rank, words) in &seen {
            let Some(lost) = words.strip_prefix("lost Arrival ") else { continue };
            assert!(!arrivals.contains(&(*rank, lost)), "rank {rank}, {words}");
        }
        // An operation that was told to be lost has ended at that time, or when the core was free.
        for (time, rank, words) in seen.iter().filter(|seen| seen.2.starts_with("lost Operation")) {
            let operation = words.split(' ').nth(2).expect("a number");
            let ends = format!("ends {operation}");
            let ended = seen.iter().find(|seen| seen.1 == *rank && seen.2 == ends).map(|seen| seen.0);
            assert!(
                ended.is_some_and(|ended| ended <= *time + 100 * MICRO),
                "rank {rank} at {time}, {words}: {ended:?}"
            );
        }
        // Data come, or are lost.
        let mut data: Vec<(u32, &str)> = seen
            .iter()
            .filter_map(|(_, rank, words)| {
                let message = words.strip_prefix("fetched ").or_else(|| words.strip_prefix("lost Data "))?;
                Some((*rank, message))
            })
            .collect();
        let all = data.len();
        data.sort_unstable();
        data.dedup();
        assert_eq!(data.len(), all);
    }
    assert!(kinds.iter().all(|kind| *kind > 0), "{kinds:?}");
}
