//! A recorded run of the provider replays through the same NIC: its messages match the same
//! receives.
//!
//! The run is an MPI program of three ranks (`pairs`, in the data of `trace`). It has messages of
//! several tags, short ones and fetched ones, most of them there before their receives; receives of
//! any source, of any tag, and in another order than the sends; puts and gets. A record of a
//! received message has its length, and no two messages of the program between two ranks have the
//! same length, so the trace itself shows which send matched which receive.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use philae_nic_core::nic::{ANY_SOURCE, Criteria, MatchLists, MatchPools, Receive, UnexpectedMessage};
use philae_scenario::Scenario;
use philae_trace::{TraceFile, TraceFormat, TraceOptions, TraceSchedule, import};
use philae_workload::{Op, RankProgram, Recording};

const MULTI: u64 = 1 << 16;
const TAGGED: u64 = 1 << 3;
const RECEIVE: u64 = 1 << 10;
const RMA_OR_ATOMIC: u64 = 1 << 2 | 1 << 4;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../trace/tests/data/pairs")
}

fn files() -> Vec<TraceFile> {
    let read = |rank: u32| {
        let path = folder().join(format!("{rank}.phtrace"));
        TraceFile { name: rank.to_string(), bytes: std::fs::read(&path).expect("the recorded trace") }
    };
    (0..3).map(read).collect()
}

/// A recorded send.
struct Sent {
    to: u32,
    is_tagged: bool,
    tag: u64,
    bytes: u64,
}

/// A posted receive, and what it got: the sender and the length.
struct Taken {
    is_tagged: bool,
    tag: u64,
    ignore: u64,
    is_from_anybody: bool,
    is_for_many: bool,
    got: Vec<(u32, u64)>,
}

#[derive(Default)]
struct Recorded {
    sent: Vec<Sent>,
    taken: Vec<Taken>,
    one_sided: usize,
}

/// The records of the files, parsed here by their format and not by the importer.
fn recorded(files: &[TraceFile]) -> Vec<Recorded> {
    let words = |file: &TraceFile| -> Vec<[u64; 9]> {
        let of_record = |record: &[u8]| {
            std::array::from_fn(|at| u64::from_le_bytes(record[8 * at..8 * at + 8].try_into().expect("eight bytes")))
        };
        file.bytes[32..].chunks_exact(72).map(of_record).collect()
    };
    let mut homes = BTreeMap::new();
    for (rank, file) in (0_u32..).zip(files) {
        homes.extend(words(file).iter().filter(|record| record[0] & 0xff == 1).map(|record| (record[2], rank)));
    }
    let of_file = |file: &TraceFile| {
        let mut all = Recorded::default();
        let mut peers: BTreeMap<u64, u32> = BTreeMap::new();
        let mut open: BTreeMap<u64, usize> = BTreeMap::new();
        for [head, _, third, fourth, tag, bytes, context, flags, more] in words(file) {
            match head & 0xff {
                2 => peers.extend([(fourth, homes[&tag])]),
                3 => all.sent.push(Sent { to: peers[&fourth], is_tagged: flags & TAGGED != 0, tag, bytes }),
                4 => {
                    open.insert(context, all.taken.len());
                    let (is_from_anybody, is_for_many) = (fourth == u64::MAX, flags & MULTI != 0);
                    let is_tagged = flags & TAGGED != 0;
                    all.taken.push(Taken {
                        is_tagged,
                        tag,
                        ignore: more,
                        is_from_anybody,
                        is_for_many,
                        got: Vec::new(),
                    });
                }
                5..=7 => all.one_sided += 1,
                8 if flags & RECEIVE != 0 && flags & RMA_OR_ATOMIC == 0 && more == 0 => {
                    let receive = open[&context];
                    all.taken[receive].got.push((peers[&fourth], bytes));
                }
                _ => {}
            }
            assert!(head & 0xff != 8 || third != 0, "a completion has a queue");
        }
        all
    };
    files.iter().map(of_file).collect()
}

fn schedule() -> TraceSchedule {
    import(TraceFormat::Provider, &files(), &TraceOptions::default()).expect("a recorded trace")
}

#[test]
fn the_recorded_run_is_worth_the_test() {
    let recorded = recorded(&files());
    let taken = || recorded.iter().flat_map(|rank| &rank.taken).filter(|taken| !taken.got.is_empty());
    assert!(taken().filter(|taken| taken.is_from_anybody && taken.is_tagged).count() >= 8);
    assert!(taken().filter(|taken| taken.ignore.count_ones() >= 16).count() >= 8, "receives of any tag");
    assert!(taken().any(|taken| taken.got.iter().any(|got| got.1 > 16_384)), "a message that is fetched");
    assert!(recorded.iter().map(|rank| rank.one_sided).sum::<usize>() >= 6);
    let mut sizes: Vec<_> = taken().flat_map(|taken| &taken.got).filter(|got| got.1 >= 1_000).collect();
    sizes.sort_unstable();
    assert_eq!(sizes.len(), 16, "the messages of the program, of which no two are alike");
    sizes.dedup();
    assert_eq!(sizes.len(), 16);
}

#[test]
fn the_schedule_pairs_what_the_run_had_paired() {
    let recorded = recorded(&files());
    let schedule = schedule();
    let tasks = schedule.tasks().expect("a list of tasks");
    let mut sends = BTreeMap::new();
    for (from, tasks) in (0_u32..).zip(tasks) {
        for task in tasks.iter() {
            if let philae_trace::TaskKind::Op(Op::Send { to, bytes, tag, .. }) = task.what {
                assert!(sends.insert((from, to.0, tag), bytes.0).is_none(), "a tag names one message");
            }
        }
    }
    let mut left = 0;
    for (rank, (recorded, tasks)) in (0_u32..).zip(recorded.iter().zip(tasks)) {
        let receives = tasks.iter().filter_map(|task| match task.what {
            philae_trace::TaskKind::Op(Op::Recv { from: Some(from), tag: Some(tag), .. }) => Some((from.0, tag)),
            _ => None,
        });
        let paired: Vec<(u32, u64)> = receives.map(|(from, tag)| (from, sends[&(from, rank, tag)])).collect();
        let truth: Vec<(u32, u64)> = recorded.taken.iter().flat_map(|taken| taken.got.clone()).collect();
        // Between them, in their order, are receives of requests and answers of one-sided
        // operations.
        let mut rest = paired.iter();
        assert!(truth.iter().all(|message| rest.any(|other| other == message)), "rank {rank}: {truth:?} in {paired:?}");
        left += paired.len() - truth.len();
    }
    assert_eq!(left, 2 * recorded.iter().map(|rank| rank.one_sided).sum::<usize>());
}

/// Plays a rank's receives and the messages to it through the NIC's lists, with the recorded tags,
/// and returns what each receive got. `late`: all messages arrive before the first receive;
/// otherwise all receives come first.
fn through_the_nic(recorded: &[Recorded], rank: u32, is_tagged: bool, late: bool) -> Vec<Vec<(u32, u64)>> {
    let of_rank = &recorded[rank as usize];
    let mut pools = MatchPools::default();
    let mut lists = MatchLists::default();
    let mut got = vec![Vec::new(); of_rank.taken.len()];
    let mut sizes = Vec::new();
    for (from, other) in (0_u32..).zip(recorded) {
        sizes.extend(
            other.sent.iter().filter(|sent| sent.to == rank && sent.is_tagged == is_tagged).map(|sent| (from, sent)),
        );
    }
    let arrive = |lists: &mut MatchLists, pools: &mut MatchPools, got: &mut Vec<Vec<(u32, u64)>>| {
        for (number, &(from, sent)) in sizes.iter().enumerate() {
            match lists.take_receive(pools, sent.tag, from) {
                Some(receive) => got[receive as usize].push((from, sent.bytes)),
                None => {
                    let mut arrival = UnexpectedMessage::new(sent.tag, from, sent.bytes);
                    arrival.handle = number as u64;
                    lists.add_arrival(pools, arrival).expect("no limit");
                }
            }
        }
    };
    let receive = |lists: &mut MatchLists, pools: &mut MatchPools, got: &mut Vec<Vec<(u32, u64)>>| {
        for (number, taken) in of_rank.taken.iter().enumerate().filter(|(_, taken)| taken.is_tagged == is_tagged) {
            // The run decided which sender a receive of any source matched.
            let source = taken.got.first().map_or(ANY_SOURCE, |got| got.0);
            for _ in &taken.got {
                let criteria = Criteria::new(taken.tag, taken.ignore, source);
                match lists.take_arrival(pools, &criteria) {
                    Some(message) => {
                        let (from, sent) = sizes[message as usize];
                        got[number].push((from, sent.bytes));
                    }
                    None => {
                        let receive = Receive::new(criteria, 0, 1 << 20, number as u64);
                        lists.add_receive(pools, receive).expect("no limit");
                    }
                }
            }
        }
    };
    if late {
        arrive(&mut lists, &mut pools, &mut got);
        receive(&mut lists, &mut pools, &mut got);
    } else {
        receive(&mut lists, &mut pools, &mut got);
        arrive(&mut lists, &mut pools, &mut got);
    }
    got
}

#[test]
fn the_nic_pairs_what_the_run_had_paired_whichever_comes_first() {
    let recorded = recorded(&files());
    for rank in 0..3 {
        for late in [false, true] {
            let got = through_the_nic(&recorded, rank, true, late);
            for (got, taken) in got.iter().zip(&recorded[rank as usize].taken) {
                // A buffer for many messages accepts any sender: the order of arrival is specific
                // to the run.
                if taken.is_tagged && !taken.is_for_many {
                    assert_eq!(got, &taken.got, "rank {rank}, late: {late}");
                }
            }
        }
    }
}

#[test]
fn the_simulator_delivers_what_the_run_had_delivered() {
    let text = format!(
        "[system]\nname = 'tiny'\n[system.dragonfly]\nlinks_per_pair = 1\n\
         groups = [{{ name = 'c', count = 4, switches = 2, endpoints_per_switch = 4 }}]\n\
         [[job]]\nname = 'trace'\nnodes = 3\nworkload = {{ kind = 'trace', file = '{}' }}\n",
        folder().display()
    );
    let run = |set: &[(&str, &str)]| {
        let set: Vec<_> = set.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        let scenario = Scenario::parse_with(&text, "the text", &set).expect("a scenario");
        let simulation = scenario.resolve().expect("it resolves").simulation().expect("it builds");
        let record = simulation.run(&mut |_| ControlFlow::Continue(())).expect("it runs");
        let mut rows: Vec<_> =
            record.messages.iter().map(|row| (row.source.0, row.destination.0, row.bytes.0)).collect();
        rows.sort_unstable();
        (rows, record.simulated)
    };
    let mut truth = Vec::new();
    for (rank, of_rank) in (0_u32..).zip(recorded(&files())) {
        truth.extend(of_rank.taken.iter().flat_map(|taken| &taken.got).map(|&(from, bytes)| (from, rank, bytes)));
    }
    // A one-sided operation is a message and its answer.
    let one_sided: usize = recorded(&files()).iter().map(|rank| rank.one_sided).sum();
    let (rows, _) = run(&[]);
    assert_eq!(rows.len(), truth.len() + 2 * one_sided);
    let mut left = rows.clone();
    for message in truth {
        let place = left.iter().position(|row| *row == message);
        left.remove(place.unwrap_or_else(|| panic!("{message:?} was delivered in the run")));
    }
    // The matching side, and its number of entries, change times but not the matches.
    for set in [
        &[("hardware.nic.match_mode", "software")][..],
        &[("hardware.nic.match_mode", "hybrid"), ("hardware.nic.list_entries", "2")],
        &[("hardware.nic.list_entries", "4")],
    ] {
        assert_eq!(run(set).0, rows, "{set:?}");
    }
}

#[test]
fn nobody_is_left_waiting_in_the_schedule() {
    let schedule = schedule();
    let programs: Vec<Box<dyn RankProgram>> = (0..3).map(|rank| schedule.program(philae_units::RankId(rank))).collect();
    let ended = philae_workload::simulate_semantics(programs, philae_workload::SendMode::Eager, 1, 100_000);
    assert_eq!(ended.expect("everybody ends").len(), 3);
}
