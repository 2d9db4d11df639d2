//! Waits with a deadline, and ranks that are outside for a time.

use std::sync::{Arc, Mutex};

use super::scripted::{Asked, Seen, Step, job, play, system, times};
use super::{options, put};
use crate::common::config;
use crate::matching::{compute, send};
use philae_fabric::{FabricError, ProcessShare, RunOptions, Simulation};
use philae_results::record::{RunRecord, RunStatus};
use philae_units::{JobId, Picoseconds, RankId};
use philae_workload::{Between, OpHandle, OperationEnd, ProcessSupervisor};

const MICRO: u64 = 1_000_000;

/// Runs scripts to their end without a supervisor.
fn ends(partitions: u32, scripts: Vec<Vec<Step>>) -> (RunRecord, Seen) {
    let (record, seen) = play(config("slingshot"), partitions, (scripts, false), None);
    let record = record.expect("it runs");
    assert_eq!(record.status, RunStatus::Completed, "{seen:?}");
    assert!(seen.iter().all(|seen| !seen.2.starts_with("stale")), "{seen:?}");
    (record, seen)
}

#[test]
fn a_wait_ends_at_its_deadline_or_at_its_event() {
    // Nothing comes.
    let (_, seen) = ends(1, vec![vec![Step::Wait(Some(7 * MICRO))]]);
    assert_eq!(seen, vec![(7 * MICRO, 0, "wakes".to_owned())]);
    // A deadline that has passed when the rank gets there ends the wait at once.
    let (_, seen) = ends(1, vec![vec![Step::Start(compute(9)), Step::Wait(Some(7 * MICRO))]]);
    assert_eq!(times(&seen, 0, "wakes"), vec![9 * MICRO]);
    // A message comes at `there`: what happens at the time of the deadline comes before it.
    let with = |until| {
        let sender = vec![Step::Start(send(1, 0, 64))];
        ends(1, vec![sender, vec![Step::Wait(until)]]).1
    };
    let there = times(&with(None), 1, "wakes")[0];
    for (until, wakes) in [(there - 1, there - 1), (there, there), (there + 1, there), (there + 1_000 * MICRO, there)] {
        let seen = with(Some(until));
        assert_eq!(times(&seen, 1, "wakes"), vec![wakes], "{seen:?}");
        assert_eq!(times(&seen, 1, "offered"), vec![there], "{seen:?}");
        let order: Vec<&str> = seen.iter().filter(|seen| seen.1 == 1).map(|seen| &seen.2[..5]).collect();
        let first = if until < there { "wakes" } else { "offer" };
        assert_eq!(order[0], first, "{seen:?}");
    }
}

/// The rank is woken by a message, and its next waits outlive the first one's deadline.
#[test]
fn a_stale_timer_ends_no_later_wait() {
    let scripts = || {
        let sender = vec![
            Step::Start(send(1, 0, 64)),
            Step::All,
            Step::Start(compute(100)),
            Step::All,
            Step::Start(send(1, 0, 64)),
            Step::All,
            Step::Start(compute(100)),
            Step::All,
            Step::Start(send(1, 0, 64)),
        ];
        let receiver = vec![Step::Wait(Some(50 * MICRO)), Step::Wait(None), Step::Wait(Some(900 * MICRO))];
        vec![sender, receiver]
    };
    let (_, seen) = ends(1, scripts());
    let (offered, wakes) = (times(&seen, 1, "offered"), times(&seen, 1, "wakes"));
    assert_eq!(offered, wakes, "each message ends one wait: {seen:?}");
    assert!(wakes[0] < 50 * MICRO && wakes[1] > 100 * MICRO && wakes[2] > 200 * MICRO);
    for partitions in [2, 3] {
        assert_eq!(ends(partitions, scripts()).1, seen, "{partitions} partitions");
    }
}

/// An operation of the rank itself brings it back: it leaves its wait, and starts another one.
#[test]
fn a_wait_that_another_one_replaces_never_ends() {
    let scripts = vec![
        vec![Step::Start(put(8)), Step::WaitOrEnd(Some(20 * MICRO)), Step::Wait(Some(60 * MICRO)), Step::All],
        vec![Step::Wait(None)],
    ];
    let (_, seen) = ends(1, scripts);
    assert!(times(&seen, 0, "ends 0")[0] < 20 * MICRO);
    assert_eq!(times(&seen, 0, "wakes"), vec![60 * MICRO], "{seen:?}");
}

#[test]
fn only_a_deadline_costs_an_event() {
    let events = |until| {
        let receiver = vec![Step::Wait(until), Step::Start(compute(50))];
        ends(1, vec![vec![Step::Start(send(1, 0, 64))], receiver]).0.events
    };
    assert_eq!(events(Some(20 * MICRO)), events(None) + 1);
}

/// What a supervisor was asked.
type Questions = Arc<Mutex<Vec<(u64, Option<u64>)>>>;

/// A supervisor that notes what it is asked, and answers by `answer`.
fn noting(
    mut answer: impl FnMut(u64, Option<u64>) -> Between + Send + 'static,
) -> (Box<dyn ProcessSupervisor>, Questions) {
    let questions = Questions::default();
    let noted = Arc::clone(&questions);
    let supervisor = Asked(move |now: Picoseconds, next: Option<Picoseconds>| {
        let asked = (now.0, next.map(|next| next.0));
        noted.lock().expect("no panic").push(asked);
        answer(asked.0, asked.1)
    });
    (Box::new(supervisor), questions)
}

fn end(rank: u32, operation: u32, at: u64) -> OperationEnd {
    OperationEnd { job: JobId(0), rank: RankId(rank), operation: OpHandle(operation), at: Picoseconds(at) }
}

/// Both ranks are outside at first. Rank 0 comes back when nothing is left to happen, rank 1 while
/// the others are busy, at a time that has passed. An operation that has ended does not end again.
#[test]
fn ranks_that_are_outside_come_back() {
    let play = |partitions| {
        let scripts = vec![
            vec![Step::Wait(None), Step::Start(send(2, 0, 1 << 18)), Step::All],
            vec![Step::Wait(None), Step::Start(send(2, 0, 64)), Step::All],
            vec![Step::Wait(None), Step::Wait(None)],
        ];
        let (mut is_first, mut is_busy) = (true, true);
        let (supervisor, questions) = noting(move |now, next| {
            if next.is_none() && std::mem::take(&mut is_first) {
                return Between::End(vec![end(0, 0, now + 30 * MICRO)]);
            }
            if now > 35 * MICRO && next.is_some() && std::mem::take(&mut is_busy) {
                return Between::End(vec![end(1, 0, MICRO), end(0, 0, MICRO)]);
            }
            Between::Nothing
        });
        let (record, seen) = play(config("slingshot"), partitions, (scripts, false), Some(supervisor));
        assert_eq!(record.expect("it runs").status, RunStatus::Completed, "{seen:?}");
        let questions = std::mem::take(&mut *questions.lock().expect("no panic"));
        (seen, questions)
    };
    let (seen, questions) = play(1);
    let idle = questions.iter().find(|asked| asked.1.is_none()).expect("at first, all are outside").0;
    assert_eq!(times(&seen, 0, "wakes"), vec![idle + 30 * MICRO], "{seen:?}");
    let busy = questions.iter().find(|asked| asked.0 > 35 * MICRO && asked.1.is_some()).expect("it was asked").0;
    assert_eq!(times(&seen, 1, "wakes"), vec![busy], "not before the question: {seen:?}");
    assert!(seen.iter().all(|seen| !seen.2.starts_with("stale")), "{seen:?}");
    assert_eq!(times(&seen, 2, "wakes").len(), 2);
    for asked in &questions {
        assert!(asked.1.is_none_or(|next| next >= asked.0), "nothing before {} is left: {asked:?}", asked.0);
    }
    assert!(questions.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    for partitions in [2, 3] {
        assert_eq!(play(partitions), (seen.clone(), questions.clone()), "{partitions} partitions");
    }
}

#[test]
fn a_supervisor_that_answers_nothing_does_not_show() {
    let scripts = || {
        let both = |to| vec![Step::Start(send(to, 0, 1 << 18)), Step::Wait(None), Step::All, Step::Start(compute(3))];
        (vec![both(1), both(0)], false)
    };
    let (supervisor, questions) = noting(|_, _| Between::Nothing);
    let (with, seen_with) = play(config("slingshot"), 1, scripts(), Some(supervisor));
    let (without, seen) = play(config("slingshot"), 1, scripts(), None);
    let (with, without) = (with.expect("it runs"), without.expect("it runs"));
    assert_eq!((with.digest, with.events, with.simulated), (without.digest, without.events, without.simulated));
    assert_eq!(seen_with, seen);
    assert!(questions.lock().expect("no panic").len() > 10);
}

#[test]
fn a_run_that_is_stopped_asks_no_process_again() {
    let play = |partitions| {
        let scripts = vec![
            vec![Step::Start(compute(20)), Step::All, Step::Start(compute(20)), Step::All, Step::Start(compute(20))],
            vec![Step::Wait(None)],
        ];
        let (supervisor, questions) = noting(|now, _| if now > 30 * MICRO { Between::Stop } else { Between::Nothing });
        let (record, seen) = play(config("slingshot"), partitions, (scripts, false), Some(supervisor));
        let questions = questions.lock().expect("no panic").clone();
        (record.expect("the record is valid"), seen, questions)
    };
    let (record, seen, questions) = play(1);
    assert_eq!(record.status, RunStatus::Interrupted);
    let stopped = questions.last().expect("it was asked").0;
    assert!(questions.iter().filter(|asked| asked.0 > 30 * MICRO).count() == 1, "it is asked no more: {questions:?}");
    assert!(seen.iter().all(|seen| seen.0 < stopped) && record.simulated.0 < stopped);
    assert_eq!(times(&seen, 0, "ends"), vec![20 * MICRO, 40 * MICRO], "{seen:?}");
    let (again, seen_again, _) = play(3);
    assert_eq!((again.digest, again.simulated, seen_again), (record.digest, record.simulated, seen));
}

#[test]
fn ranks_that_wait_for_ever_are_named() {
    let said = |is_late| {
        let scripts = vec![vec![Step::Wait(None)], vec![Step::Start(compute(1))]];
        let (supervisor, questions) = noting(|_, _| Between::Nothing);
        let (record, _) = play(config("slingshot"), 1, (scripts, is_late), Some(supervisor));
        assert_eq!(questions.lock().expect("no panic").last().expect("it was asked").1, None);
        record.expect_err("rank 0 waits").to_string()
    };
    let words = said(false);
    assert!(words.contains("1 ranks wait") && words.contains("job ranks, rank 0, wait for an event"), "{words}");
    // A process may say more.
    assert!(said(true).contains("job ranks, rank 0, turn 1 of rank 0"), "{}", said(true));
}

#[test]
fn a_run_that_several_simulators_share_is_refused() {
    let mut options = options(2);
    options.execution.share = ProcessShare { number: 0, count: 2 };
    let refused = |options: RunOptions| {
        let (job, _) = job(vec![vec![Step::Wait(None)]], false);
        Simulation::new(system(), config("slingshot"), options, vec![job]).err().map(|error| error.to_string())
    };
    let words = refused(options.clone()).expect("it is refused");
    assert!(words.contains("ranks that are processes") && words.contains("2 simulators share"), "{words}");
    assert_eq!(refused(super::options(2)), None);
    let programs = vec![crate::matching::ranks(vec![vec![vec![compute(1)]]])];
    let mut shared = Simulation::new(system(), config("slingshot"), options, programs).expect("programs may");
    let (supervisor, _) = noting(|_, _| Between::Nothing);
    assert!(matches!(shared.supervise(supervisor), Err(FabricError::Parameter { .. })));
}
