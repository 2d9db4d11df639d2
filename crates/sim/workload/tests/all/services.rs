//! Services, TCP streams and random updates: which rank asks which, how much, and in what order
//! answers may arrive.

use crate::common::{error, read, run};
use philae_units::{Bytes, RankId};
use philae_workload::{Action, Op, OpHandle, Progress, RankProgram, Workload};

#[test]
fn every_request_is_answered_by_its_server() {
    for (servers, workers) in [(1, 1), (1, 4), (3, 2)] {
        for ranks in [4, 5, 11] {
            let text =
                format!("kind = 'service'; servers = {servers}; workers = {workers}; warm_up = 3; iterations = 20");
            let summaries = run(&text, ranks);
            let clients = ranks - servers;
            for (client, rank) in (0..).zip(&summaries[servers as usize..]) {
                assert_eq!((rank.iterations, rank.sends, rank.receives), (20, 23, 23), "warm-up is not counted");
                assert_eq!((rank.sent, rank.received), (Bytes(23 * 28), Bytes(23 * 33)), "silo's sizes");
                assert_eq!(rank.peers.keys().copied().collect::<Vec<_>>(), [RankId(client % servers)]);
            }
            let answered: u64 = summaries[..servers as usize].iter().map(|server| server.sends).sum();
            assert_eq!(answered, 23 * u64::from(clients));
        }
    }
}

#[test]
fn applications_have_tailbenchs_sizes_and_rates() {
    for (name, request, response, per_second) in [
        ("silo", 28, 33, 1_000_u64),
        ("xapian", 152, 4_128, 50),
        ("img-dnn", 6_296, 48, 500),
        ("sphinx", 100_024, 132, 1),
    ] {
        let text = format!("kind = 'service'; application = '{name}'; iterations = 400");
        let rank = &run(&text, 2)[1];
        assert_eq!((rank.sent, rank.received), (Bytes(400 * request), Bytes(400 * response)));
        let times = times(&mut *read(&text).program(RankId(1), 2, 9));
        let mean = times.iter().sum::<u64>() as f64 / times.len() as f64;
        assert!((mean * per_second as f64 / 1e12 - 1.0).abs() < 0.15, "{name}: {mean} ps between requests");
    }
}

/// The times that a program asks for if everything else completes immediately.
fn times(program: &mut dyn RankProgram) -> Vec<u64> {
    let (mut times, mut outstanding, mut completed) = (Vec::new(), std::collections::VecDeque::new(), None);
    loop {
        let mut actions = Vec::new();
        let progress = program.advance(completed, &mut actions);
        for action in actions {
            if let Action::Start(handle, op) = action {
                outstanding.push_back(handle);
                if let Op::Delay { time } = op {
                    times.push(time.0);
                }
            }
        }
        if progress == Progress::Finished {
            return times;
        }
        completed = outstanding.pop_front();
    }
}

#[test]
fn a_client_asks_though_nothing_is_answered_and_answers_may_come_in_any_order() {
    let mut client = read("kind = 'service'; iterations = 5").program(RankId(2), 4, 0);
    let mut actions = Vec::new();
    client.advance(None, &mut actions);
    let mut answers = Vec::new();
    let mut pause = of_kind(&actions, |op| matches!(op, Op::Delay { .. })).next();
    while let Some(handle) = pause {
        actions.clear();
        client.advance(Some(handle), &mut actions);
        answers.extend(of_kind(&actions, |op| matches!(op, Op::Recv { .. })));
        pause = of_kind(&actions, |op| matches!(op, Op::Delay { .. })).next();
    }
    assert_eq!(answers.len(), 5, "all are asked with none answered");
    for (place, request) in [(4, 4), (0, 0), (2, 2), (3, 3), (1, 1)] {
        actions.clear();
        client.advance(Some(answers[place]), &mut actions);
        // Client 1 of 3: its requests are iterations 1, 4, 7, ...
        assert_eq!(actions, [Action::IterationEnd(3 * request + 1)]);
    }
}

fn of_kind(actions: &[Action], wanted: fn(&Op) -> bool) -> impl Iterator<Item = OpHandle> {
    actions.iter().filter_map(move |action| match action {
        Action::Start(handle, op) if wanted(op) => Some(*handle),
        _ => None,
    })
}

#[test]
fn a_server_works_on_as_many_requests_as_it_has_workers() {
    let mut server = read("kind = 'service'; workers = 2; iterations = 5").program(RankId(0), 4, 0);
    let mut actions = Vec::new();
    server.advance(None, &mut actions);
    let requests: Vec<OpHandle> = of_kind(&actions, |op| matches!(op, Op::Recv { .. })).collect();
    assert_eq!(requests.len(), 3, "one of each client");
    let mut begun = Vec::new();
    for &request in &requests {
        actions.clear();
        server.advance(Some(request), &mut actions);
        begun.extend(of_kind(&actions, |op| matches!(op, Op::Delay { .. })));
    }
    assert_eq!(begun.len(), 2);
    actions.clear();
    server.advance(Some(begun[1]), &mut actions);
    let answered = actions.iter().any(|action| matches!(action, Action::Start(_, Op::Send { to: RankId(2), .. })));
    assert!(answered, "the second client's request first: {actions:?}");
    assert_eq!(of_kind(&actions, |op| matches!(op, Op::Delay { .. })).count(), 1, "the third is taken up");
}

#[test]
fn tcp_streams_go_from_one_half_to_the_other_in_order() {
    let summaries = run("kind = 'iperf'; writes = 8; iterations = 5; window = 3", 6);
    for (rank, summary) in (0..).zip(&summaries) {
        let (sends, reports) = if rank < 3 { (40, 0) } else { (0, 5) };
        assert_eq!((summary.sends, summary.iterations), (sends, reports));
        assert_eq!(summary.sent.0, sends * (128 << 10));
        assert!(summary.outstanding_max <= 3);
    }
    assert_eq!(summaries[1].peers.keys().copied().collect::<Vec<_>>(), [RankId(4)]);
    // 10 Gb/s: one write of 128 KiB every 104.8576 µs.
    let text = "kind = 'iperf'; rate_gbps = 10; writes = 10; iterations = 2";
    run(text, 2);
    assert_eq!(times(&mut *read(text).program(RankId(0), 2, 0)), vec![104_857_600; 19]);
}

#[test]
fn random_updates_reach_every_other_rank_about_equally() {
    let summaries = run("kind = 'gups'; window = 1000; iterations = 11", 12);
    for (rank, summary) in (0..).zip(&summaries) {
        assert_eq!((summary.amos, summary.outstanding_max, summary.peers.len()), (11_000, 1_000, 11));
        assert!(!summary.peers.contains_key(&RankId(rank)));
        assert!(summary.peers.values().all(|&count| count.abs_diff(1_000) < 160), "{:?}", summary.peers);
    }
}

#[test]
fn services_that_cannot_be_are_refused_with_what_would_work() {
    assert_eq!(error("kind = 'service'; servers = 4", 4), "service needs at least 5 ranks; the job has 4");
    assert_eq!(error("kind = 'service'; workers = 0", 4), "service: `workers` is 0; it must be at least 1");
    assert!(
        error("kind = 'service'; service_time = { lognormal = { mean = '1us', p99 = '20us' } }", 4)
            .contains("14 times")
    );
    assert!(error("kind = 'service'; service_time = { empirical = [] }", 4).contains("empirical"));
    assert!(error("kind = 'iperf'", 5).contains("even number"));
    assert!(error("kind = 'iperf'; window = 2000000", 4).contains("at most 1048576"));
    assert!(error("kind = 'gups'; window = 2000000", 4).contains("at most 1048576"));
}
