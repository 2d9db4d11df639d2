//! The actions, one function for each shape of arguments.

use philae_units::{Bytes, Picoseconds, RankId};
use philae_workload::{MESSAGE_BYTES_MAX, Op};

use super::sequence::{ANY_TAG, RankSpan, UNNAMED};
use super::{Reader, datatypes};
use crate::call::COLLECTIVE_TAG;
use crate::error::TraceError;
use crate::task::{RANK_TIME_MAX, TaskKind};
use crate::text::LineWords;

/// The kind of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SmpiAction {
    Init,
    Finalize,
    /// An action without messages or time.
    Idle,
    /// Left out, with a warning that counts.
    Left(&'static str),
    Compute,
    Sleep,
    Send,
    Receive,
    SendReceive,
    /// A persistent request starts.
    Start,
    Wait,
    WaitAny,
    WaitAll,
    /// One-sided: a write, or a read.
    Put,
    Get,
    /// The rank's one-sided operations are over after it.
    Synchronise,
    /// A collective operation, by its name.
    Collective(&'static str),
}

const COMMUNICATORS: &str = "communicators other than the world: collective operations are run over all ranks";
const TESTS: &str = "tests of requests: a test takes no time and completes nothing";
const FILES: &str = "reads and writes of files";
const STARTALL: &str = "Startall: the trace does not contain the messages of these persistent requests";

/// The words that may follow the rank, in lower case; without `i` before those that can be
/// nonblocking.
///
/// Source: simgrid/simgrid, the actions that its replay registers, and the further ones that its
/// tracer writes (3.32 and 4.1). Status: published.
const ACTIONS: &[(&str, SmpiAction)] = &[
    ("init", SmpiAction::Init),
    ("finalize", SmpiAction::Finalize),
    ("comm_size", SmpiAction::Idle),
    ("location", SmpiAction::Idle),
    ("iteration_in", SmpiAction::Idle),
    ("iteration_out", SmpiAction::Idle),
    ("comm_split", SmpiAction::Left(COMMUNICATORS)),
    ("comm_dup", SmpiAction::Left(COMMUNICATORS)),
    ("migrate", SmpiAction::Left("migrations of ranks")),
    ("compute", SmpiAction::Compute),
    ("sleep", SmpiAction::Sleep),
    ("send", SmpiAction::Send),
    ("ssend", SmpiAction::Send),
    ("bsend", SmpiAction::Send),
    ("recv", SmpiAction::Receive),
    ("sendrecv", SmpiAction::SendReceive),
    ("start", SmpiAction::Start),
    ("startall", SmpiAction::Left(STARTALL)),
    ("wait", SmpiAction::Wait),
    ("waitany", SmpiAction::WaitAny),
    ("waitall", SmpiAction::WaitAll),
    ("test", SmpiAction::Left(TESTS)),
    ("testany", SmpiAction::Left(TESTS)),
    ("testall", SmpiAction::Left(TESTS)),
    ("testsome", SmpiAction::Left(TESTS)),
    ("put", SmpiAction::Put),
    ("rput", SmpiAction::Put),
    ("accumulate", SmpiAction::Put),
    ("raccumulate", SmpiAction::Put),
    ("get", SmpiAction::Get),
    ("rget", SmpiAction::Get),
    ("get_accumulate", SmpiAction::Get),
    ("rget_accumulate", SmpiAction::Get),
    ("fetch_and_op", SmpiAction::Get),
    ("compare_and_swap", SmpiAction::Get),
    ("win_fence", SmpiAction::Synchronise),
    ("win_complete", SmpiAction::Synchronise),
    ("win_unlock", SmpiAction::Synchronise),
    ("win_unlock_all", SmpiAction::Synchronise),
    ("win_flush", SmpiAction::Synchronise),
    ("win_flush_local", SmpiAction::Synchronise),
    ("win_flush_all", SmpiAction::Synchronise),
    ("win_flush_local_all", SmpiAction::Synchronise),
    ("win_post", SmpiAction::Idle),
    ("win_start", SmpiAction::Idle),
    ("win_wait", SmpiAction::Idle),
    ("win_lock", SmpiAction::Idle),
    ("win_lock_all", SmpiAction::Idle),
    ("io", SmpiAction::Left(FILES)),
    ("barrier", SmpiAction::Collective("barrier")),
    ("bcast", SmpiAction::Collective("bcast")),
    ("reduce", SmpiAction::Collective("reduce")),
    ("allreduce", SmpiAction::Collective("allreduce")),
    ("scan", SmpiAction::Collective("scan")),
    ("exscan", SmpiAction::Collective("exscan")),
    ("alltoall", SmpiAction::Collective("alltoall")),
    ("alltoallv", SmpiAction::Collective("alltoallv")),
    ("gather", SmpiAction::Collective("gather")),
    ("gatherv", SmpiAction::Collective("gatherv")),
    ("scatter", SmpiAction::Collective("scatter")),
    ("scatterv", SmpiAction::Collective("scatterv")),
    ("allgather", SmpiAction::Collective("allgather")),
    ("allgatherv", SmpiAction::Collective("allgatherv")),
    ("reducescatter", SmpiAction::Collective("reducescatter")),
];

/// The action of a name, and whether it is the nonblocking form.
pub(super) fn action(word: &str) -> Option<(SmpiAction, bool)> {
    let name = word.to_ascii_lowercase();
    let find = |name: &str| ACTIONS.iter().find(|(known, _)| *known == name).map(|(_, action)| *action);
    let nonblocking = || {
        let action = find(name.strip_prefix('i')?)?;
        let can = matches!(
            action,
            SmpiAction::Send | SmpiAction::Receive | SmpiAction::SendReceive | SmpiAction::Collective(_)
        );
        can.then_some((action, true))
    };
    find(&name).map(|action| (action, false)).or_else(nonblocking)
}

impl Reader<'_> {
    pub(super) fn action(&mut self, rank: u32, mut words: LineWords) -> Result<(), TraceError> {
        let name = words.expect("an action such as `send`")?;
        let Some((action, later)) = action(name) else {
            let known: Vec<&str> = ACTIONS.iter().map(|(name, _)| *name).collect();
            return Err(words.wrong(&format!("an action: {}", known.join(", "))));
        };
        let line = words.line.number as u64;
        self.sequence(rank).line = line;
        self.one_program(rank, action, &words)?;
        match action {
            SmpiAction::Finalize => {
                self.sequence(rank).span.end = Some(line);
                return Ok(());
            }
            // With an argument, sizes without a datatype count doubles, as in SimGrid.
            SmpiAction::Init => {
                self.sequence(rank).span.begin = Some(line);
                self.default_bytes = if words.next().is_some() { 8 } else { 1 };
                return Ok(());
            }
            SmpiAction::Idle => return Ok(()),
            SmpiAction::Left(what) => {
                self.note(what);
                return Ok(());
            }
            SmpiAction::Compute => {
                let time = self.flops(&mut words, "floating-point operations")?;
                self.compute(rank, time);
            }
            SmpiAction::Sleep => {
                let time = words.decimal("seconds", 12, RANK_TIME_MAX.0)?;
                self.sequence(rank).blocking(TaskKind::Op(Op::Delay { time: Picoseconds(time) }));
            }
            SmpiAction::Send => self.send(rank, later, &mut words)?,
            SmpiAction::Receive => self.receive(rank, later, &mut words)?,
            SmpiAction::SendReceive => self.send_receive(rank, later, &mut words)?,
            SmpiAction::Start => self.start(rank, &mut words)?,
            SmpiAction::Wait => self.wait(rank, &mut words)?,
            SmpiAction::WaitAny => {
                words.next();
                if self.sequence(rank).wait_for_first() {
                    self.note("waits for any of several requests: the oldest request is used");
                } else {
                    self.note(NOT_OUTSTANDING);
                }
            }
            SmpiAction::WaitAll => {
                words.next();
                self.sequence(rank).wait_for_all();
            }
            SmpiAction::Put | SmpiAction::Get => self.one_sided(rank, action == SmpiAction::Put, &mut words)?,
            SmpiAction::Synchronise => {
                let sequence = self.sequence(rank);
                let all = std::mem::take(&mut sequence.one_sided);
                sequence.wait_for(all);
                self.note("synchronisations of windows: each waits for its own rank's operations, not for other ranks");
                return Ok(());
            }
            SmpiAction::Collective(name) => self.collective(rank, name, later, &mut words)?,
        }
        if words.next().is_some() {
            self.note("actions with too many arguments: the last ones are ignored");
        }
        Ok(())
    }

    /// Refuses what no program does: two traces of a rank, one after the other.
    fn one_program(&mut self, rank: u32, action: SmpiAction, words: &LineWords) -> Result<(), TraceError> {
        let RankSpan { begin, end } = self.sequence(rank).span;
        let found = match (action, begin, end) {
            (SmpiAction::Init, Some(line), _) => {
                format!("a second `init` of rank {rank}, which has one in line {line}")
            }
            (SmpiAction::Idle, ..) | (_, _, None) => return Ok(()),
            (_, _, Some(line)) => format!("an action of rank {rank} after its `finalize` in line {line}"),
        };
        Err(words.line.error(found, "one trace of each rank: two runs, one behind the other, are two traces"))
    }

    /// A rank, or `None` for those that a trace does not name.
    fn peer(&self, words: &mut LineWords, what: &str) -> Result<Option<u32>, TraceError> {
        let word = words.expect(what)?;
        if NO_RANK.contains(&word) {
            return Ok(None);
        }
        let highest = u64::from(self.ranks) - 1;
        // A file that is missing behind the last one is noticed here.
        let what = format!("{what}, a rank of the trace, or {} for any rank or none", NO_RANK[0]);
        words.parse(word, &what, highest).map(|peer| Some(peer as u32))
    }

    fn tag(words: &mut LineWords) -> Result<Option<u64>, TraceError> {
        let word = words.expect("a tag")?;
        if word.parse() == Ok(ANY_TAG) {
            return Ok(None);
        }
        words.parse(word, &format!("a tag, or {ANY_TAG} for any"), u64::from(COLLECTIVE_TAG) - 1).map(Some)
    }

    /// Bytes of an element of the datatype that a word names, if there is a word; `None` for a
    /// derived one.
    pub(super) fn element(&self, words: &LineWords, datatype: Option<&str>) -> Result<Option<u64>, TraceError> {
        datatype.map_or(Ok(Some(self.default_bytes)), |word| datatypes::bytes(words, word))
    }

    /// The size of `count` elements.
    pub(super) fn times(words: &LineWords, count: u64, each: u64) -> Result<Bytes, TraceError> {
        let bytes = count.checked_mul(each).filter(|&bytes| bytes <= MESSAGE_BYTES_MAX.0);
        bytes.map(Bytes).ok_or_else(|| {
            words.line.error(format!("{count} times {each} bytes"), format!("at most {MESSAGE_BYTES_MAX}"))
        })
    }

    /// Bytes of a message; a message of a derived datatype has none here.
    fn message_bytes(&mut self, words: &LineWords, count: u64, datatype: Option<&str>) -> Result<Bytes, TraceError> {
        match self.element(words, datatype)? {
            Some(each) => Self::times(words, count, each),
            None => {
                self.derived(count);
                Ok(Bytes::ZERO)
            }
        }
    }

    pub(super) fn count(words: &mut LineWords, what: &str) -> Result<u64, TraceError> {
        words.whole(what, MESSAGE_BYTES_MAX.0)
    }

    /// `partner tag size [datatype]`
    fn send(&mut self, rank: u32, later: bool, words: &mut LineWords) -> Result<(), TraceError> {
        let to = self.peer(words, "the receiver")?;
        let tag = words.number("a tag", u64::from(COLLECTIVE_TAG) - 1)?;
        let count = Self::count(words, "a size")?;
        let datatype = words.next();
        // A message to no process is nothing, and so is the wait for it.
        let Some(to) = to else {
            self.element(words, datatype)?;
            if later {
                self.sequence(rank).request((rank, UNNAMED, tag as i64), None);
            }
            return Ok(());
        };
        let bytes = self.message_bytes(words, count, datatype)?;
        self.unnamed.sent_to(Some(to), tag);
        self.begin(
            rank,
            later,
            (rank, to, tag as i64),
            Op::Send { to: RankId(to), bytes, tag: tag as u32, class: None },
        );
        Ok(())
    }

    /// The same.
    fn receive(&mut self, rank: u32, later: bool, words: &mut LineWords) -> Result<(), TraceError> {
        let from = self.peer(words, "the sender")?;
        let tag = Self::tag(words)?;
        let size_word = words.expect("a size")?;
        // A receiver that does not know the size gives 0 or less.
        let count = match size_word.starts_with('-') {
            true => 0,
            false => words.parse_whole(size_word, "a size", MESSAGE_BYTES_MAX.0)?,
        };
        let datatype = words.next();
        let bytes = match self.element(words, datatype)? {
            Some(each) if count > 0 => Self::times(words, count, each)?,
            _ => MESSAGE_BYTES_MAX,
        };
        self.receive_from(rank, later, from, tag, bytes);
        Ok(())
    }

    fn receive_from(&mut self, rank: u32, later: bool, from: Option<u32>, tag: Option<u64>, bytes: Bytes) {
        let bytes = whole_or_any(bytes);
        let key = (from.unwrap_or(UNNAMED), rank, tag.map_or(ANY_TAG, |tag| tag as i64));
        let op = Op::Recv { from: from.map(RankId), bytes, tag: tag.map(|tag| tag as u32) };
        let task = self.begin(rank, later, key, op);
        if from.is_none() && later {
            self.unnamed.may_receive(rank, tag, task);
        } else {
            self.unnamed.received(rank, tag);
        }
    }

    /// Adds a message or a receive that the program waits for here, or later.
    fn begin(&mut self, rank: u32, later: bool, key: (u32, u32, i64), op: Op) -> u32 {
        let sequence = self.sequence(rank);
        if later {
            let task = sequence.push(TaskKind::Op(op));
            sequence.request(key, Some(task));
            task
        } else {
            sequence.blocking(TaskKind::Op(op));
            sequence.tasks.len() as u32 - 1
        }
    }

    /// `send-size to receive-size from [datatype [datatype]]`
    fn send_receive(&mut self, rank: u32, later: bool, words: &mut LineWords) -> Result<(), TraceError> {
        let sent = Self::count(words, "a size to send")?;
        let to = self.peer(words, "the rank to send to")?;
        let received = Self::count(words, "a size to receive")?;
        let from = self.peer(words, "the rank to receive from")?;
        let (first, second) = (words.next(), words.next());
        let sent = self.message_bytes(words, sent, first)?;
        let each = self.element(words, second.or(first))?;
        let received = each.map_or(Ok(MESSAGE_BYTES_MAX), |each| Self::times(words, received, each))?;
        let receive = Op::Recv { from: from.map(RankId), bytes: whole_or_any(received), tag: Some(0) };
        let send = to.map(|to| (to, Op::Send { to: RankId(to), bytes: sent, tag: 0, class: None }));
        // A receive of no process is not in a trace: this one gets a message.
        self.unnamed.received(rank, Some(0));
        self.unnamed.sent_to(to, 0);
        let sequence = self.sequence(rank);
        let mut both = vec![((from.unwrap_or(UNNAMED), rank, 0), sequence.push(TaskKind::Op(receive)))];
        both.extend(send.map(|(to, send)| ((rank, to, 0), sequence.push(TaskKind::Op(send)))));
        if later {
            both.into_iter().for_each(|(key, task)| sequence.request(key, Some(task)));
        } else {
            sequence.wait_only_for(both.into_iter().map(|(_, task)| task));
        }
        Ok(())
    }

    /// `receiver tag bytes datatype`: a persistent request, whose receiver is the rank itself if it
    /// receives.
    fn start(&mut self, rank: u32, words: &mut LineWords) -> Result<(), TraceError> {
        let to = self.peer(words, "the receiver")?;
        let tag = words.number("a tag", u64::from(COLLECTIVE_TAG) - 1)?;
        // These are bytes, whatever the datatype.
        let bytes = Bytes(Self::count(words, "a size in bytes")?);
        words.next();
        match to {
            None => self.sequence(rank).request((rank, UNNAMED, tag as i64), None),
            Some(to) if to == rank => self.receive_from(rank, true, None, Some(tag), bytes),
            Some(to) => {
                self.unnamed.sent_to(Some(to), tag);
                let op = Op::Send { to: RankId(to), bytes, tag: tag as u32, class: None };
                self.begin(rank, true, (rank, to, tag as i64), op);
            }
        }
        Ok(())
    }

    /// `source destination tag`
    fn wait(&mut self, rank: u32, words: &mut LineWords) -> Result<(), TraceError> {
        let from = self.peer(words, "the sender")?.unwrap_or(UNNAMED);
        let to = self.peer(words, "the receiver")?.unwrap_or(UNNAMED);
        let word = words.expect("a tag")?;
        let is_found = match word.parse::<i64>() {
            // Tags of SimGrid itself are those of collective operations.
            Ok(tag) if tag < 0 && tag != ANY_TAG => self.sequence(rank).wait_for_collective(),
            Ok(tag) => self.sequence(rank).wait_for_request((from, to, tag)),
            Err(_) => return Err(words.wrong("a tag")),
        };
        // As in SimGrid: a test may have completed it when the trace was recorded.
        if !is_found {
            self.note(NOT_OUTSTANDING);
        }
        Ok(())
    }

    /// `target tag size [datatype]`
    fn one_sided(&mut self, rank: u32, writes: bool, words: &mut LineWords) -> Result<(), TraceError> {
        let target = self.peer(words, "the target")?;
        words.expect("a tag")?;
        let count = Self::count(words, "a size")?;
        let datatype = words.next();
        let bytes = self.message_bytes(words, count, datatype)?;
        let Some(target) = target.map(RankId) else { return Ok(()) };
        let op = if writes {
            Op::Put { to: target, bytes, class: None }
        } else {
            Op::Get { from: target, bytes, class: None }
        };
        let sequence = self.sequence(rank);
        let task = sequence.push(TaskKind::Op(op));
        sequence.one_sided.push(task);
        Ok(())
    }
}

/// A receive of size 0 does not know the size, and accepts any message.
const fn whole_or_any(bytes: Bytes) -> Bytes {
    if bytes.0 == 0 { MESSAGE_BYTES_MAX } else { bytes }
}

const NOT_OUTSTANDING: &str = "waits for requests that are not outstanding";

/// What SimGrid writes if a rank has no number (MPI_UNDEFINED), and its numbers of any rank and of
/// none.
const NO_RANK: [&str; 3] = ["-333", "-555", "-666"];
