//! Traces of the provider: the calls of two small programs become the right schedule, and damage is
//! reported.

use philae_trace::{TraceError, TraceFile, TraceFormat, TraceOptions, TraceSchedule, goal, import};
use philae_units::RankId;
use philae_workload::{Recording, SendMode, simulate_semantics};

const ANY: u64 = u64::MAX;
const TAGGED: u64 = 1 << 3;
const SEND: u64 = 1 << 11 | TAGGED;
const RECEIVE: u64 = 1 << 10 | TAGGED;
const WRITE: u64 = 1 << 9 | 1 << 2;
const MULTI: u64 = 1 << 16;

/// A process's file, as the provider writes it.
struct Trace {
    bytes: Vec<u8>,
    own: u64,
    time: u64,
}

impl Trace {
    /// A process with one endpoint, number 100 and its rank, that knows all others by their ranks.
    fn of(rank: u64, ranks: u64) -> Self {
        let mut bytes = b"PHTRACE\x01".to_vec();
        [rank, 4_000 + rank, 77].iter().for_each(|word: &u64| bytes.extend(word.to_le_bytes()));
        let mut trace = Self { bytes, own: 100 + rank, time: 0 };
        trace.put(1, 0, [trace.own, 0xa, 0xb, 0xc, 10, 0, 0]);
        (0..ranks).for_each(|peer| trace.put(2, 0, [0xa, peer, 100 + peer, 0, 0, 0, 0]));
        trace
    }

    fn put(&mut self, kind: u64, computed: u64, rest: [u64; 7]) {
        let head = [kind | computed << 8, self.time];
        head.iter().chain(&rest).for_each(|word| self.bytes.extend(word.to_le_bytes()));
    }

    /// Sets the time of the next records.
    fn at(&mut self, time: u64) -> &mut Self {
        self.time = time;
        self
    }

    fn send(&mut self, computed: u64, to: u64, tag: u64, bytes: u64, context: u64) {
        self.put(3, computed, [self.own, to, tag, bytes, context, SEND, 1]);
    }

    fn receive(&mut self, computed: u64, from: u64, tag: u64, ignore: u64, context: u64, flags: u64) {
        self.put(4, computed, [self.own, from, tag, 4_096, context, flags | TAGGED, ignore]);
    }

    fn sent(&mut self, context: u64) {
        self.put(8, 0, [0xb, ANY, 0, 0, context, SEND, 0]);
    }

    fn received(&mut self, from: u64, tag: u64, bytes: u64, context: u64, flags: u64) {
        self.put(8, 0, [0xc, from, tag, bytes, context, flags | RECEIVE, 0]);
    }

    fn file(mut self, name: &str) -> TraceFile {
        self.put(10, 0, [0; 7]);
        TraceFile { name: name.to_owned(), bytes: self.bytes }
    }
}

fn read(files: &[TraceFile]) -> Result<TraceSchedule, TraceError> {
    import(TraceFormat::Provider, files, &TraceOptions::default())
}

fn text(files: &[TraceFile]) -> String {
    goal::to_text(&read(files).expect("a trace")).expect("GOAL can say it")
}

/// The lines between braces, without the definitions of labels.
fn of_rank(text: &str, rank: u32) -> Vec<&str> {
    let body = text.split(&format!("rank {rank} {{\n")).nth(1).expect("the rank is there");
    body.split('}').next().expect("its end").lines().collect()
}

#[test]
fn a_ping_pong_becomes_what_it_was() {
    let (mut ping, mut pong) = (Trace::of(0, 2), Trace::of(1, 2));
    ping.send(500, 1, 7, 64, 1);
    ping.sent(1);
    ping.receive(0, 1, 7, 0, 2, 0);
    ping.received(1, 7, 128, 2, 0);
    pong.receive(0, ANY, 0, ANY, 3, 0);
    pong.received(0, 7, 64, 3, 0);
    pong.send(900, 0, 7, 128, 4);
    pong.sent(4);
    let files = [pong.file("1"), ping.file("0")];
    let text = text(&files);
    let expected = [
        "l1: calc 500",
        "l2: send 64b to 1 tag 0",
        "l2 requires l1",
        "l3: recv 128b from 1 tag 0",
        "l3 requires l1",
        "l3 requires l2",
    ];
    assert_eq!(of_rank(&text, 0), expected);
    // A receive of any source becomes one of its sender, and the next task waits for it.
    let expected =
        ["l1: recv 64b from 0 tag 0", "l2: calc 900", "l2 requires l1", "l3: send 128b to 0 tag 0", "l3 requires l2"];
    assert_eq!(of_rank(&text, 1), expected);
}

#[test]
fn messages_of_one_tag_go_to_receives_in_the_order_in_which_these_were_posted() {
    let (mut sender, mut receiver) = (Trace::of(0, 2), Trace::of(1, 2));
    sender.send(0, 1, 5, 4_000, 1);
    sender.send(0, 1, 5, 8, 2);
    receiver.receive(0, 0, 5, 0, 11, 0);
    receiver.receive(0, 0, 5, 0, 12, 0);
    // The second, which is short, ends first.
    receiver.received(0, 5, 8, 12, 0);
    receiver.received(0, 5, 4_000, 11, 0);
    let text = text(&[sender.file("0"), receiver.file("1")]);
    assert_eq!(of_rank(&text, 1), ["l1: recv 4000b from 0 tag 0", "l2: recv 8b from 0 tag 1"]);
    assert_eq!(of_rank(&text, 0), ["l1: send 4000b to 1 tag 0", "l2: send 8b to 1 tag 1"]);
}

#[test]
fn a_buffer_of_many_messages_is_a_receive_of_each() {
    let (mut sender, mut receiver) = (Trace::of(0, 2), Trace::of(1, 2));
    (0..3).for_each(|context| sender.send(0, 1, 5, 100, context));
    receiver.receive(0, ANY, 5, 0, 11, MULTI);
    receiver.received(0, 5, 100, 11, 0);
    receiver.send(40, 0, 6, 1, 12);
    receiver.received(0, 5, 100, 11, 0);
    receiver.received(0, 5, 100, 11, MULTI);
    let files = [sender.file("0"), receiver.file("1")];
    let schedule = read(&files).expect("a trace");
    let text = goal::to_text(&schedule).expect("GOAL can say it");
    let lines = of_rank(&text, 1);
    assert_eq!(lines.iter().filter(|line| line.contains("recv 100b from 0")).count(), 3, "{text}");
    assert!(lines.contains(&"l4: calc 40") && lines.contains(&"l4 requires l1"), "{text}");
    assert!(
        schedule.warnings()[0].starts_with("1 sent message left out, because no completion shows"),
        "nobody took the answer"
    );
}

#[test]
fn one_sided_operations_are_messages_and_their_answers() {
    let (mut origin, target) = (Trace::of(0, 2), Trace::of(1, 2));
    origin.put(5, 10, [origin.own, 1, 3, 5_000, 1, WRITE, 1]);
    origin.put(8, 0, [0xb, ANY, 0, 0, 1, WRITE, 0]);
    origin.put(6, 20, [origin.own, 1, 3, 700, 2, 0, 0]);
    origin.put(9, 0, [0; 7]);
    origin.put(7, 30, [origin.own, 1, 3, 16, 3, 0, 2]);
    let files = [origin.file("0"), target.file("1")];
    let schedule = read(&files).expect("a trace");
    assert!(schedule.warnings().iter().any(|warning| warning.starts_with("3 one-sided")), "{:?}", schedule.warnings());
    let text = goal::to_text(&schedule).expect("GOAL can say it");
    let expected = [
        "l1: recv 5000b from 0 tag 0",
        "l2: send 8b to 0 tag 0",
        "l2 requires l1",
        "l3: recv 8b from 0 tag 1",
        "l4: send 700b to 0 tag 1",
        "l4 requires l3",
        "l5: recv 16b from 0 tag 2",
        "l6: send 16b to 0 tag 2",
        "l6 requires l5",
    ];
    assert_eq!(of_rank(&text, 1), expected);
    let origin = of_rank(&text, 0);
    // The completion of the write and the wait for the read: the tasks after each wait for its
    // answer.
    for line in ["l4: calc 20", "l4 requires l3", "l7: calc 30", "l7 requires l6"] {
        assert!(origin.contains(&line), "{line}: {text}");
    }
}

#[test]
fn what_is_read_runs_to_its_end() {
    let ranks = 4;
    let files: Vec<TraceFile> = (0..ranks)
        .map(|rank| {
            let mut trace = Trace::of(rank, ranks);
            for round in 1..ranks {
                let (to, from) = ((rank + round) % ranks, (rank + ranks - round) % ranks);
                trace.receive(10, from, round, 0, 2 * round, 0);
                trace.send(10, to, round, 1_000, 2 * round + 1);
                trace.sent(2 * round + 1);
                trace.received(from, round, 1_000, 2 * round, 0);
            }
            trace.file(&rank.to_string())
        })
        .collect();
    let schedule = read(&files).expect("a trace");
    for mode in [SendMode::Eager, SendMode::Rendezvous] {
        let programs = (0..ranks as u32).map(|rank| schedule.program(RankId(rank))).collect();
        let ended = simulate_semantics(programs, mode, 1, 10_000).expect("everybody ends");
        assert_eq!(ended.iter().map(|rank| rank.sends).sum::<u64>(), ranks * (ranks - 1));
    }
}

#[test]
fn damage_is_named_with_its_place() {
    let whole = || {
        let (mut sender, mut receiver) = (Trace::of(0, 2), Trace::of(1, 2));
        sender.send(0, 1, 5, 4_000, 1);
        receiver.receive(0, 0, 5, 0, 11, 0);
        receiver.received(0, 5, 4_000, 11, 0);
        [sender.file("0.phtrace"), receiver.file("1.phtrace")]
    };
    let refused = |files: &[TraceFile]| read(files).expect_err("it is damaged").to_string();
    let [first, second] = whole();
    assert!(refused(std::slice::from_ref(&second)).contains("rank 0 has no file, but rank 1 has one"));
    assert!(refused(&[first.clone(), first.clone()]).contains("a second trace of rank 0"));
    let cut = TraceFile { bytes: first.bytes[..first.bytes.len() - 1].to_vec(), ..first.clone() };
    let said = refused(&[cut, second.clone()]);
    assert!(said.contains("'0.phtrace', byte") && said.contains("71 bytes of a record"), "{said}");
    let unended = TraceFile { bytes: first.bytes[..first.bytes.len() - 72].to_vec(), ..first.clone() };
    assert!(refused(&[unended, second.clone()]).contains("before it closed its endpoints"));
    let mut other = first.clone();
    other.bytes[0] = b'X';
    assert!(refused(&[other, second.clone()]).contains("PHTRACE"));
    let mut strange = first.clone();
    strange.bytes[32] = 99;
    assert!(refused(&[strange, second.clone()]).contains("a record of kind 99"));
    // Without its message, the receive has nothing to be matched with.
    let silent = Trace::of(0, 2).file("0.phtrace");
    assert!(refused(&[silent, second.clone()]).contains("no process sent"));
    // Any byte of either file, flipped: a schedule or a refusal.
    for which in 0..2 {
        for at in 0..whole()[which].bytes.len() {
            for bit in [0, 6, 7] {
                let mut files = whole();
                files[which].bytes[at] ^= 1 << bit;
                let _: Result<TraceSchedule, TraceError> = read(&files);
            }
        }
    }
}

/// A PE's records of its operations and waits, as the OpenSHMEM library writes them: time, offset,
/// bytes and context or nothing.
fn said(pe: u64, records: &[(u64, u64, u64, u64, u64)], threads: &[u64]) -> TraceFile {
    let mut bytes = b"PHWAITS\x01".to_vec();
    let mut put = |word: u64| bytes.extend(word.to_le_bytes());
    [pe, 4_000 + pe].into_iter().for_each(&mut put);
    for (number, &(what, time, offset, length, context)) in records.iter().enumerate() {
        [what, time, 0, offset, length, context, threads[number % threads.len()]].into_iter().for_each(&mut put);
    }
    TraceFile { name: format!("{pe}.phwaits"), bytes }
}

const CHANGED: u64 = 1;
const WAITED: u64 = 2;

/// PE 0 puts data and then a flag; PE 1 waits for the flag, computes and puts one back, for which
/// PE 0 waits.
fn flags() -> [Trace; 2] {
    let (mut one, mut other) = (Trace::of(0, 2), Trace::of(1, 2));
    one.at(100).put(5, 0, [100, 1, 9, 64, 1, WRITE, 0]);
    one.at(110).put(7, 0, [100, 1, 9, 8, 3, WRITE, 0]);
    one.at(400).put(9, 50, [0; 7]);
    other.at(250).put(7, 70, [101, 0, 9, 8, 5, WRITE, 0]);
    [one, other]
}

#[test]
fn a_wait_for_memory_waits_for_the_operation_that_changed_it() {
    let files = |threads: &[u64], says: bool| {
        let one = [(CHANGED, 90, 0, 64, 1), (CHANGED, 105, 512, 8, 3), (WAITED, 300, 640, 8, 0)];
        let other = [(WAITED, 200, 512, 8, 0), (CHANGED, 240, 640, 8, 5)];
        let [own, others] = flags();
        let mut files = vec![own.file("0"), others.file("1")];
        if says {
            files.extend([said(0, &one, threads), said(1, &other, &[1])]);
        }
        files
    };
    let with = text(&files(&[1], true));
    // The computation after the wait waits for the flag, l7, and not for the data, l5, which no
    // wait concerns.
    let expected = [
        "l1: calc 0",
        "l2: calc 70",
        "l2 requires l1",
        "l3: send 8b to 0 tag 2",
        "l3 requires l2",
        "l4: recv 8b from 0 tag 2",
        "l4 requires l2",
        "l5: recv 64b from 0 tag 0",
        "l6: send 8b to 0 tag 0",
        "l6 requires l5",
        "l7: recv 8b from 0 tag 1",
        "l8: send 8b to 0 tag 1",
        "l8 requires l7",
        "l1 requires l7",
    ];
    assert_eq!(of_rank(&with, 1), expected, "{with}");
    let without = of_rank(&text(&files(&[1], false)), 1).join("\n");
    assert!(without.starts_with("l1: calc 70\nl2: send 8b to 0 tag 2"), "{without}");
    for files in [files(&[1], true), files(&[1, 2], true)] {
        let schedule = read(&files).expect("a trace");
        let programs = (0..2).map(|rank| schedule.program(RankId(rank))).collect();
        let ended = simulate_semantics(programs, SendMode::Rendezvous, 1, 10_000).expect("everybody ends");
        assert_eq!(ended.iter().map(|rank| rank.sends).sum::<u64>(), 6);
    }
    // Clocks of two hosts differ, so the order is unknown.
    let mut abroad = files(&[1], true);
    abroad[1].bytes[24] ^= 1;
    let schedule = read(&abroad).expect("a trace");
    assert!(
        schedule.warnings().iter().any(|warning| warning.contains("2 waits for memory")),
        "{:?}",
        schedule.warnings()
    );
    assert_eq!(of_rank(&text(&abroad), 1).join("\n"), without);
    // Any byte of these records, flipped: a schedule or a refusal.
    for which in 2..4 {
        for at in 0..files(&[1], true)[which].bytes.len() {
            for bit in [0, 6, 7] {
                let mut files = files(&[1], true);
                files[which].bytes[at] ^= 1 << bit;
                let _: Result<TraceSchedule, TraceError> = read(&files);
            }
        }
    }
    let mut cut = files(&[1], true);
    cut[2].bytes.pop();
    assert!(read(&cut).expect_err("it is damaged").to_string().contains("55 bytes of a record"));
}
