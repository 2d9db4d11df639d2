//! Ranks as threads and as processes, and a coordinator that gives them turns.

#![expect(unsafe_code, reason = "ranks that die are processes")]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use philae_cosim::{
    BYTES_MAX, COMMANDS_MAX, COPIED, ComputeTime, Coordinator, Given, NoTurn, PeerAddress, RankCommand,
    RankCommandKind, RankCosts, RankFault, RunFile, RunFileError, SimulatedRank, WaitKind,
};

const SOON: Duration = Duration::from_secs(20);

fn run(ranks: u32) -> (tempfile::TempDir, Arc<RunFile>, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("run");
    let run = RunFile::create(&path, ranks).expect("there is room");
    (folder, run, path)
}

fn send(bits: u64) -> RankCommand {
    RankCommand {
        kind: RankCommandKind::Send as u32,
        bits,
        to: PeerAddress { numbers: 7, incarnation: 9 },
        ..RankCommand::default()
    }
}

/// A rank that has joined and has had its first turn.
fn joined(run: &Arc<RunFile>, number: u32) -> SimulatedRank {
    let mut rank = SimulatedRank::join(run, number).expect("it is free");
    drop(rank.enter().expect("it has a turn"));
    rank
}

fn back(given: Result<Given, RankFault>) -> (WaitKind, u64, u64) {
    match given {
        Ok(Given::Back { wait, deadline, clock }) => (wait, deadline, clock),
        other => panic!("the rank gives its turn back: {other:?}"),
    }
}

/// What happens has the order of simulated time, whatever the machine does.
#[test]
fn one_rank_computes_at_a_time_and_time_decides_which() {
    const RANKS: u32 = 8;
    let (_folder, run, path) = run(RANKS);
    let (busy, order) = (Arc::new(AtomicBool::new(false)), Arc::new(std::sync::Mutex::new(Vec::new())));
    let ranks: Vec<_> = (0..RANKS)
        .map(|number| {
            let (path, busy, order) = (path.clone(), Arc::clone(&busy), Arc::clone(&order));
            std::thread::spawn(move || {
                let run = RunFile::open(&path).expect("it is there");
                let mut rank = joined(&run, number);
                for step in 0..50_u64 {
                    assert!(!busy.swap(true, Ordering::SeqCst), "no other rank has a turn");
                    order.lock().expect("no panic").push((rank.clock(), number));
                    busy.store(false, Ordering::SeqCst);
                    let mut call = rank.enter().expect("it has a turn");
                    call.pass(3);
                    call.hand_over(send(step), None).expect("there is room");
                    let next = call.clock() + u64::from(number) + 1;
                    call.give(WaitKind::Sleep, Some(next)).expect("it has a turn");
                    assert_eq!(call.clock(), next);
                }
            })
        })
        .collect();
    let (coordinator, mut turns) = Coordinator::new(run, &RankCosts::default());
    let mut due: Vec<Option<u64>> =
        (0..RANKS).map(|rank| coordinator.await_rank(rank, SOON).expect("it lives").then_some(0)).collect();
    assert!(due.iter().all(Option::is_some), "all have joined");
    let mut commands = 0;
    while let Some((time, rank)) = (0..RANKS).filter_map(|rank| Some((due[rank as usize]?, rank))).min() {
        let (wait, deadline, clock) = back(turns[rank as usize].run(time));
        commands += turns[rank as usize].take().expect("sound").commands.len();
        assert!(clock >= time);
        due[rank as usize] = (wait == WaitKind::Sleep).then_some(deadline);
        assert_eq!(coordinator.is_gone(rank), wait == WaitKind::Ends);
    }
    ranks.into_iter().for_each(|rank| rank.join().expect("no failure"));
    let order = order.lock().expect("no panic");
    assert_eq!((commands, order.len()), (400, 400));
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn commands_and_bytes_arrive_as_they_were_handed_over() {
    let (_folder, run, path) = run(2);
    let thread = std::thread::spawn(move || {
        let run = RunFile::open(&path).expect("it is there");
        let mut rank = joined(&run, 1);
        let mut call = rank.enter().expect("it has a turn");
        call.pass(40);
        call.hand_over(send(1), Some(b"first")).expect("room");
        call.pass(2);
        call.hand_over(RankCommand { address: 77, length: 1 << 40, ..send(2) }, None).expect("room");
        call.hand_over(send(3), Some(&[])).expect("room");
        call.give(WaitKind::Full, None).expect("it has a turn");
        // Until it is full.
        let mut handed = 0;
        while call.hand_over(send(handed), Some(&[handed as u8; 300])).is_ok() {
            handed += 1;
        }
        assert_eq!(handed as usize, COMMANDS_MAX.min(BYTES_MAX / 300));
        call.give(WaitKind::Full, None).expect("it has a turn");
        assert!(call.hand_over(send(0), Some(&vec![5; BYTES_MAX])).is_ok());
        assert!(call.hand_over(send(0), Some(&[1])).is_err() && call.hand_over(send(9), None).is_ok());
        call.give(WaitKind::Event, Some(99)).expect("it has a turn");
    });
    let (coordinator, mut turns) = Coordinator::new(run, &RankCosts::default());
    assert_eq!(
        [coordinator.await_rank(1, SOON), coordinator.await_rank(0, Duration::from_millis(1))],
        [Ok(true), Ok(false)]
    );
    assert_eq!(back(turns[1].run(1_000)), (WaitKind::Full, u64::MAX, 1_042));
    let handed = turns[1].take().expect("sound");
    let seen: Vec<(u64, u64, &[u8])> =
        handed.commands.iter().map(|(_, command)| (command.bits, command.clock, handed.bytes_of(command))).collect();
    assert_eq!(seen, [(1, 1_040, &b"first"[..]), (2, 1_042, &[]), (3, 1_042, &[])]);
    assert_eq!((handed.commands[1].1.address, handed.commands[1].1.length), (77, 1 << 40));
    assert_eq!(handed.commands[0].1.to, PeerAddress { numbers: 7, incarnation: 9 });
    back(turns[1].run(1_042));
    let handed = turns[1].take().expect("sound");
    for (place, (_, command)) in handed.commands.iter().enumerate() {
        assert_eq!((command.bits, handed.bytes_of(command)), (place as u64, &[place as u8; 300][..]));
    }
    assert_eq!(back(turns[1].run(1_042)), (WaitKind::Event, 99, 1_042));
    assert_eq!(turns[1].take().expect("sound").commands.len(), 2);
    assert_eq!(back(turns[1].run(1_042)).0, WaitKind::Ends);
    assert_eq!(turns[1].take().expect("sound").commands, []);
    thread.join().expect("no failure");
}

/// Runs `work` in a child, which ends with the code 0 if it says so, and without destructors.
fn in_child(work: impl FnOnce() -> bool) -> libc::pid_t {
    // SAFETY: the child uses what it makes itself, and ends here.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let code = i32::from(!work());
        // SAFETY: it ends this process.
        unsafe { libc::_exit(code) };
    }
    child
}

/// The code of a child that has ended.
fn code_of(child: libc::pid_t) -> i32 {
    let mut status = 0;
    // SAFETY: the child is ours.
    unsafe { libc::waitpid(child, &raw mut status, 0) };
    status
}

/// A rank that sleeps elsewhere does not stop the others; it comes back at the time of the run, or
/// at its own if that is later.
#[test]
fn a_rank_that_sleeps_elsewhere_is_outside_until_it_comes_back() {
    for (later, then) in [(5_000, 5_000), (20, 1_010)] {
        let (_folder, run, path) = run(1);
        let (mut reader, writer) = std::io::pipe().expect("a pipe");
        let child = in_child(move || {
            let run = RunFile::open(&path).expect("it is there");
            let mut rank = joined(&run, 0);
            let mut call = rank.enter().expect("it has a turn");
            call.pass(1_000);
            call.hand_over(send(7), None).expect("room");
            drop(call);
            std::io::Read::read_exact(&mut reader, &mut [0]).expect("it is written");
            let seen = rank.enter().expect("it has a turn").clock();
            // It works for long, and that is not outside.
            let began = Instant::now();
            while began.elapsed() < Duration::from_millis(150) {
                std::hint::spin_loop();
            }
            drop(rank);
            seen == then
        });
        let (coordinator, mut turns) = Coordinator::new(run, &RankCosts::default());
        assert_eq!(coordinator.await_rank(0, SOON), Ok(true));
        assert_eq!(turns[0].run(10), Ok(Given::Outside { clock: 1_010 }));
        assert_eq!(turns[0].take().expect("sound").commands.len(), 1, "what it handed over before is there");
        let soon = coordinator.await_rank(0, Duration::from_millis(20));
        assert_eq!((coordinator.is_back(0), soon), (false, Ok(false)));
        std::io::Write::write_all(&mut &writer, b"x").expect("it is read");
        assert_eq!(coordinator.await_rank(0, SOON), Ok(true));
        assert_eq!(back(turns[0].run(later)), (WaitKind::Ends, u64::MAX, then));
        assert_eq!(code_of(child), 0);
    }
}

/// Programs that only look what there is open endpoints and close them.
#[test]
fn a_rank_that_has_had_no_turn_may_leave_and_join_again() {
    let (_folder, run, _) = run(1);
    let costs = RankCosts { poll: 1, receive: 2, copy: 5, copied_max: 6, clock: 3, compute: ComputeTime::Fixed(4) };
    let (coordinator, _turns) = Coordinator::new(Arc::clone(&run), &costs);
    let endpoint = PeerAddress { numbers: 5, incarnation: 6 };
    for _ in 0..3 {
        let mut rank = SimulatedRank::join(&run, 0).expect("it is free");
        assert_eq!(rank.costs(), costs);
        assert!(rank.show_endpoint(endpoint));
        assert_eq!(coordinator.endpoints(0).collect::<Vec<_>>(), [endpoint]);
        rank.hide_endpoint(endpoint);
        assert_eq!(coordinator.endpoints(0).count(), 0);
        assert!(!coordinator.is_back(0) && coordinator.process(0) == std::process::id());
    }
    assert_eq!((coordinator.process(0), coordinator.is_gone(0)), (0, false));
}

#[test]
fn a_rank_is_one_process_in_one_call() {
    let (_folder, run, path) = run(1);
    let thread = std::thread::spawn(move || {
        let run = RunFile::open(&path).expect("it is there");
        let mut rank = joined(&run, 0);
        let process = std::process::id();
        assert_eq!(SimulatedRank::join(&run, 0).expect_err("it is taken"), NoTurn::Taken { rank: 0, process });
        // A child neither enters nor leaves for its parent.
        let child = in_child(|| {
            let error = rank.enter().expect_err("it has no part");
            drop(rank);
            error == NoTurn::Child { rank: 0 }
        });
        assert_eq!(code_of(child), 0);
        // It went with the closure.
        assert_eq!(SimulatedRank::join(&run, 0).expect_err("it has left"), NoTurn::Left { rank: 0 });
    });
    let (coordinator, mut turns) = Coordinator::new(run, &RankCosts::default());
    assert_eq!(coordinator.await_rank(0, SOON), Ok(true));
    assert_eq!(back(turns[0].run(0)).0, WaitKind::Ends, "it was the parent that left");
    assert!(coordinator.is_gone(0));
    thread.join().expect("no failure");
}

/// A coordinator that ends the run lets all go that wait for a turn.
#[test]
fn the_end_of_a_run_ends_the_wait_of_its_ranks() {
    let (_folder, run, path) = run(1);
    let thread = std::thread::spawn(move || {
        let run = RunFile::open(&path).expect("it is there");
        SimulatedRank::join(&run, 0)?.enter().map(drop)
    });
    let (coordinator, _) = Coordinator::new(run, &RankCosts::default());
    assert_eq!(coordinator.await_rank(0, SOON), Ok(true));
    drop(coordinator);
    assert_eq!(thread.join().expect("no failure"), Err(NoTurn::CoordinatorGone));
}

#[test]
fn a_run_removes_the_files_of_runs_whose_coordinators_were_killed() {
    let (folder, run, path) = run(1);
    let (killed, other) = (folder.path().join("run-killed"), folder.path().join("run-other"));
    let there = killed.clone();
    let child = in_child(move || {
        std::mem::forget(RunFile::create(&there, 1).expect("there is room"));
        true
    });
    assert_eq!(code_of(child), 0);
    std::fs::write(&other, "text").expect("a file");
    assert!(killed.exists(), "it had no time to remove its file");
    RunFile::remove_stale(folder.path(), "ru-");
    assert!(killed.exists(), "of another name");
    RunFile::remove_stale(folder.path(), "run");
    assert!(!killed.exists() && other.exists() && path.exists());
    drop(run);
    assert!(!path.exists());
}

#[test]
fn a_rank_that_dies_is_named_and_a_dead_coordinator_ends_the_wait() {
    let (_folder, run, path) = run(2);
    let there = path.clone();
    let child = in_child(move || {
        let run = RunFile::open(&there).expect("it is there");
        std::mem::forget(joined(&run, 1));
        true
    });
    let (coordinator, mut turns) = Coordinator::new(run, &RankCosts::default());
    assert_eq!(coordinator.await_rank(1, SOON), Ok(true));
    let process = coordinator.process(1);
    assert_eq!(process, child.cast_unsigned());
    let died = RankFault::Died { rank: 1, process };
    assert_eq!(turns[1].run(0), Err(died.clone()));
    assert!(died.to_string().contains("rank 1 (process"), "{died}");
    assert_eq!(code_of(child), 0);
    assert_eq!(coordinator.await_rank(1, SOON), Err(died));

    // A coordinator in a child, which dies, and a rank here.
    let other = path.with_extension("other");
    let there = other.clone();
    let child = in_child(move || {
        let run = RunFile::create(&there, 1).expect("there is room");
        let (coordinator, _) = Coordinator::new(run, &RankCosts::default());
        let has_rank = coordinator.await_rank(0, SOON);
        std::mem::forget(coordinator);
        has_rank == Ok(true)
    });
    let began = Instant::now();
    let run = loop {
        match RunFile::open(&other) {
            Ok(run) => break run,
            Err(error) => assert!(began.elapsed() < SOON, "{error}"),
        }
    };
    let waiting = std::thread::spawn(move || SimulatedRank::join(&run, 0)?.enter().map(drop));
    assert_eq!(code_of(child), 0);
    assert_eq!(waiting.join().expect("no failure"), Err(NoTurn::CoordinatorGone));
}

#[test]
fn nothing_that_a_page_says_is_trusted() {
    let (_folder, run, path) = run(1);
    let thread = std::thread::spawn({
        let path = path.clone();
        move || {
            let run = RunFile::open(&path).expect("it is there");
            let mut rank = joined(&run, 0);
            let wrong = [
                RankCommand { kind: 77, ..RankCommand::default() },
                RankCommand { flags: COPIED, address: u64::MAX, length: 2, ..send(0) },
                RankCommand { flags: COPIED, address: 3, length: 1, ..send(0) },
            ];
            for command in wrong {
                let mut call = rank.enter().expect("it has a turn");
                call.hand_over(send(0), Some(b"abc")).expect("room");
                call.hand_over(command, None).expect("room");
                call.give(WaitKind::Full, None).expect("it has a turn");
            }
        }
    });
    let (coordinator, mut turns) = Coordinator::new(Arc::clone(&run), &RankCosts::default());
    assert_eq!(coordinator.await_rank(0, SOON), Ok(true));
    for said in ["kind 77; 1 to 6", "2 B at 18446744073709551615 of 3 B", "1 B at 3 of 3 B"] {
        back(turns[0].run(0));
        let fault = turns[0].take().expect_err("it is wrong").to_string();
        assert!(fault.contains("rank 0 handed over") && fault.contains(said), "{fault}");
    }
    assert_eq!(back(turns[0].run(0)).0, WaitKind::Ends);
    thread.join().expect("no failure");

    assert!(matches!(RunFile::open(&path.with_extension("none")), Err(RunFileError::System { .. })));
    let other = path.with_extension("text");
    for (text, said) in [(vec![7; 100], "it has 100 B"), (vec![7; 5 << 20], "it begins with 0x707070707070707")] {
        std::fs::write(&other, text).expect("there is room");
        let error = RunFile::open(&other).expect_err("it is no run").to_string();
        assert!(error.contains(said), "{error}");
    }
    assert!(RunFile::create(&path, 1).is_err(), "a second run does not take the file of the first");
    let error = RunFile::create(&path.with_extension("many"), 0).expect_err("no ranks").to_string();
    assert!(error.contains("0 ranks; 1 to 262144 would work"), "{error}");
    drop((coordinator, turns, run));
    assert!(!path.exists(), "the file goes with its coordinator");
}
