//! The actions, one function for each shape of arguments.

use philae_units::{Bytes, Picoseconds, RankId};
use philae_workload::{MESSAGE_BYTES_MAX, Op};

use super::sequence::{ANY_TAG, UNNAMED};
use super::{Reader, datatypes};
use crate::call::COLLECTIVE_TAG;
use crate::error::TraceError;
use crate::schedule::{RANK_TIME_MAX, What};
use crate::text::Words;

/// The kind of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Init,
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
const ACTIONS: &[(&str, Action)] = &[
    ("init", Action::Init),
    ("finalize", Action::Idle),
    ("comm_size", Action::Idle),
    ("location", Action::Idle),
    ("iteration_in", Action::Idle),
    ("iteration_out", Action::Idle),
    ("comm_split", Action::Left(COMMUNICATORS)),
    ("comm_dup", Action::Left(COMMUNICATORS)),
    ("migrate", Action::Left("migrations of ranks")),
    ("compute", Action::Compute),
    ("sleep", Action::Sleep),
    ("send", Action::Send),
    ("ssend", Action::Send),
    ("bsend", Action::Send),
    ("recv", Action::Receive),
    ("sendrecv", Action::SendReceive),
    ("start", Action::Start),
    ("startall", Action::Left(STARTALL)),
    ("wait", Action::Wait),
    ("waitany", Action::WaitAny),
    ("waitall", Action::WaitAll),
    ("test", Action::Left(TESTS)),
    ("testany", Action::Left(TESTS)),
    ("testall", Action::Left(TESTS)),
    ("testsome", Action::Left(TESTS)),
    ("put", Action::Put),
    ("rput", Action::Put),
    ("accumulate", Action::Put),
    ("raccumulate", Action::Put),
    ("get", Action::Get),
    ("rget", Action::Get),
    ("get_accumulate", Action::Get),
    ("rget_accumulate", Action::Get),
    ("fetch_and_op", Action::Get),
    ("compare_and_swap", Action::Get),
    ("win_fence", Action::Synchronise),
    ("win_complete", Action::Synchronise),
    ("win_unlock", Action::Synchronise),
    ("win_unlock_all", Action::Synchronise),
    ("win_flush", Action::Synchronise),
    ("win_flush_local", Action::Synchronise),
    ("win_flush_all", Action::Synchronise),
    ("win_flush_local_all", Action::Synchronise),
    ("win_post", Action::Idle),
    ("win_start", Action::Idle),
    ("win_wait", Action::Idle),
    ("win_lock", Action::Idle),
    ("win_lock_all", Action::Idle),
    ("io", Action::Left(FILES)),
    ("barrier", Action::Collective("barrier")),
    ("bcast", Action::Collective("bcast")),
    ("reduce", Action::Collective("reduce")),
    ("allreduce", Action::Collective("allreduce")),
    ("scan", Action::Collective("scan")),
    ("exscan", Action::Collective("exscan")),
    ("alltoall", Action::Collective("alltoall")),
    ("alltoallv", Action::Collective("alltoallv")),
    ("gather", Action::Collective("gather")),
    ("gatherv", Action::Collective("gatherv")),
    ("scatter", Action::Collective("scatter")),
    ("scatterv", Action::Collective("scatterv")),
    ("allgather", Action::Collective("allgather")),
    ("allgatherv", Action::Collective("allgatherv")),
    ("reducescatter", Action::Collective("reducescatter")),
];

/// The action of a name, and whether it is the nonblocking form.
pub(super) fn action(word: &str) -> Option<(Action, bool)> {
    let name = word.to_ascii_lowercase();
    let find = |name: &str| ACTIONS.iter().find(|(known, _)| *known == name).map(|(_, action)| *action);
    let nonblocking = || {
        let action = find(name.strip_prefix('i')?)?;
        let can = matches!(action, Action::Send | Action::Receive | Action::SendReceive | Action::Collective(_));
        can.then_some((action, true))
    };
    find(&name).map(|action| (action, false)).or_else(nonblocking)
}

impl Reader<'_> {
    pub(super) fn action(&mut self, rank: u32, mut words: Words) -> Result<(), TraceError> {
        let name = words.expect("an action such as `send`")?;
        let Some((action, later)) = action(name) else {
            let known: Vec<&str> = ACTIONS.iter().map(|(name, _)| *name).collect();
            return Err(words.wrong(&format!("an action: {}", known.join(", "))));
        };
        self.sequence(rank).line = words.line.number as u64;
        match action {
            // With an argument, sizes without a datatype count doubles, as in SimGrid.
            Action::Init => {
                self.default_bytes = if words.next().is_some() { 8 } else { 1 };
                return Ok(());
            }
            Action::Idle => return Ok(()),
            Action::Left(what) => {
                self.note(what);
                return Ok(());
            }
            Action::Compute => {
                let time = self.flops(&mut words, "floating-point operations")?;
                self.compute(rank, time);
            }
            Action::Sleep => {
                let time = words.decimal("seconds", 12, RANK_TIME_MAX.0)?;
                self.sequence(rank).blocking(What::Op(Op::Delay { time: Picoseconds(time) }));
            }
            Action::Send => self.send(rank, later, &mut words)?,
            Action::Receive => self.receive(rank, later, &mut words)?,
            Action::SendReceive => self.send_receive(rank, later, &mut words)?,
            Action::Start => self.start(rank, &mut words)?,
            Action::Wait => self.wait(rank, &mut words)?,
            Action::WaitAny => {
                words.next();
                if self.sequence(rank).wait_for_first() {
                    self.note("waits for any of several requests: the oldest request is used");
                } else {
                    self.note(NOT_OUTSTANDING);
                }
            }
            Action::WaitAll => {
                words.next();
                self.sequence(rank).wait_for_all();
            }
            Action::Put | Action::Get => self.one_sided(rank, action == Action::Put, &mut words)?,
            Action::Synchronise => {
                let sequence = self.sequence(rank);
                let all = std::mem::take(&mut sequence.one_sided);
                sequence.wait_for(all);
                self.note("synchronisations of windows: each waits for its own rank's operations, not for other ranks");
                return Ok(());
            }
            Action::Collective(name) => self.collective(rank, name, later, &mut words)?,
        }
        if words.next().is_some() {
            self.note("actions with too many arguments: the last ones are ignored");
        }
        Ok(())
    }

    /// A rank, or `None` for those that a trace does not name.
    fn peer(&self, words: &mut Words, what: &str) -> Result<Option<u32>, TraceError> {
        let word = words.expect(what)?;
        if NO_RANK.contains(&word) {
            return Ok(None);
        }
        let highest = u64::from(self.ranks) - 1;
        // A file that is missing behind the last one is noticed here.
        let what = format!("{what}, a rank of the trace, or {} for any rank or none", NO_RANK[0]);
        words.parse(word, &what, highest).map(|peer| Some(peer as u32))
    }

    fn tag(words: &mut Words) -> Result<Option<u64>, TraceError> {
        let word = words.expect("a tag")?;
        if word.parse() == Ok(ANY_TAG) {
            return Ok(None);
        }
        words.parse(word, &format!("a tag, or {ANY_TAG} for any"), u64::from(COLLECTIVE_TAG) - 1).map(Some)
    }

    /// Bytes of an element of the datatype that a word names, if there is a word; `None` for a
    /// derived one.
    pub(super) fn element(&self, words: &Words, datatype: Option<&str>) -> Result<Option<u64>, TraceError> {
        datatype.map_or(Ok(Some(self.default_bytes)), |word| datatypes::bytes(words, word))
    }

    /// The size of `count` elements.
    pub(super) fn times(words: &Words, count: u64, each: u64) -> Result<Bytes, TraceError> {
        let bytes = count.checked_mul(each).filter(|&bytes| bytes <= MESSAGE_BYTES_MAX.0);
        bytes.map(Bytes).ok_or_else(|| {
            words.line.error(format!("{count} times {each} bytes"), format!("at most {MESSAGE_BYTES_MAX}"))
        })
    }

    /// Bytes of a message; a message of a derived datatype has none here.
    fn message_bytes(&mut self, words: &Words, count: u64, datatype: Option<&str>) -> Result<Bytes, TraceError> {
        match self.element(words, datatype)? {
            Some(each) => Self::times(words, count, each),
            None => {
                self.derived(count);
                Ok(Bytes::ZERO)
            }
        }
    }

    pub(super) fn count(words: &mut Words, what: &str) -> Result<u64, TraceError> {
        words.whole(what, MESSAGE_BYTES_MAX.0)
    }

    /// `partner tag size [datatype]`
    fn send(&mut self, rank: u32, later: bool, words: &mut Words) -> Result<(), TraceError> {
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
    fn receive(&mut self, rank: u32, later: bool, words: &mut Words) -> Result<(), TraceError> {
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
            let task = sequence.push(What::Op(op));
            sequence.request(key, Some(task));
            task
        } else {
            sequence.blocking(What::Op(op));
            sequence.tasks.len() as u32 - 1
        }
    }

    /// `send-size to receive-size from [datatype [datatype]]`
    fn send_receive(&mut self, rank: u32, later: bool, words: &mut Words) -> Result<(), TraceError> {
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
        let mut both = vec![((from.unwrap_or(UNNAMED), rank, 0), sequence.push(What::Op(receive)))];
        both.extend(send.map(|(to, send)| ((rank, to, 0), sequence.push(What::Op(send)))));
        if later {
            both.into_iter().for_each(|(key, task)| sequence.request(key, Some(task)));
        } else {
            sequence.wait_only_for(both.into_iter().map(|(_, task)| task));
        }
        Ok(())
    }

    /// `receiver tag bytes datatype`: a persistent request, whose receiver is the rank itself if it
    /// receives.
    fn start(&mut self, rank: u32, words: &mut Words) -> Result<(), TraceError> {
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
    fn wait(&mut self, rank: u32, words: &mut Words) -> Result<(), TraceError> {
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
    fn one_sided(&mut self, rank: u32, writes: bool, words: &mut Words) -> Result<(), TraceError> {
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
        let task = sequence.push(What::Op(op));
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
