//! The actions, one function for each shape of arguments.

use philae_units::{Bytes, Picoseconds, RankId};
use philae_workload::{Blocks, MESSAGE_BYTES_MAX, Op};

use super::{Reader, datatype_bytes};
use crate::call::{COLLECTIVE_TAG, CallKind, listed};
use crate::error::TraceError;
use crate::schedule::{RANK_TIME_MAX, What};
use crate::text::Words;

/// What may stand behind the rank, in lower case.
pub(super) const NAMES: &[&str] = &[
    "init",
    "finalize",
    "comm_size",
    "comm_split",
    "comm_dup",
    "location",
    "compute",
    "sleep",
    "send",
    "isend",
    "recv",
    "irecv",
    "sendrecv",
    "wait",
    "waitall",
    "test",
    "barrier",
    "bcast",
    "reduce",
    "allreduce",
    "alltoall",
    "alltoallv",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "allgather",
    "allgatherv",
    "reducescatter",
];

impl Reader<'_> {
    pub(super) fn action(&mut self, rank: u32, mut words: Words) -> Result<(), TraceError> {
        let name = words.expect("an action such as `send`")?.to_ascii_lowercase();
        match name.as_str() {
            "init" => {
                // With an argument, sizes without a datatype count doubles, as SimGrid has it.
                self.default_bytes = if words.next().is_some() { 8 } else { 1 };
                Ok(())
            }
            "finalize" | "comm_size" | "location" => Ok(()),
            "comm_split" | "comm_dup" => {
                self.ignore("communicators besides the world: collective operations are of all ranks");
                Ok(())
            }
            "compute" => {
                let time = self.flops(&mut words, "floating-point operations")?;
                self.compute(rank, time);
                words.end()
            }
            "sleep" => {
                let time = words.decimal("seconds", 12, RANK_TIME_MAX.0)?;
                self.sequence(rank).blocking(What::Op(Op::Delay { time: Picoseconds(time) }));
                words.end()
            }
            "send" | "isend" | "recv" | "irecv" => self.message(rank, &name, words),
            "sendrecv" => self.sendrecv(rank, words),
            "wait" => self.wait(rank, words),
            "waitall" => {
                let sequence = self.sequence(rank);
                let all: Vec<u32> = sequence.requests.drain(..).map(|(_, _, _, task)| task).collect();
                sequence.wait_for(all);
                Ok(())
            }
            "test" => {
                self.ignore("tests of requests: a test takes no time and completes nothing");
                Ok(())
            }
            _ if NAMES.contains(&name.as_str()) => self.collective(rank, &name, words),
            _ => Err(words.wrong(&format!("an action: {}", NAMES.join(", ")))),
        }
    }

    fn peer(&self, words: &mut Words, what: &str) -> Result<u32, TraceError> {
        words.number(what, u64::from(self.ranks) - 1).map(|peer| peer as u32)
    }

    /// A count of a datatype that the words behind it may name.
    fn bytes(&self, words: &Words, count: u64, datatype: Option<&str>) -> Result<Bytes, TraceError> {
        let each = datatype.map_or(Ok(self.default_bytes), |word| datatype_bytes(words, word))?;
        let bytes = count.checked_mul(each).filter(|&bytes| bytes <= MESSAGE_BYTES_MAX.0);
        bytes.map(Bytes).ok_or_else(|| {
            words.line.error(format!("{count} times {each} bytes"), format!("at most {MESSAGE_BYTES_MAX}"))
        })
    }

    fn count(words: &mut Words, what: &str) -> Result<u64, TraceError> {
        words.decimal(what, 0, MESSAGE_BYTES_MAX.0)
    }

    /// `partner tag size [datatype]`
    fn message(&mut self, rank: u32, name: &str, mut words: Words) -> Result<(), TraceError> {
        let peer = self.peer(&mut words, "the other rank")?;
        let tag = words.number("a tag", u64::from(COLLECTIVE_TAG) - 1)?;
        let size_word = words.expect("a size")?;
        let is_receive = name.ends_with("recv");
        // A receiver that does not know the size says 0 or less, and takes what comes.
        let unknown = is_receive && size_word.starts_with('-');
        let count = if unknown { 0 } else { words.parse_decimal(size_word, "a size", 0, MESSAGE_BYTES_MAX.0)? };
        let datatype = words.next();
        let bytes = self.bytes(&words, count, datatype)?;
        let bytes = if is_receive && bytes == Bytes::ZERO { MESSAGE_BYTES_MAX } else { bytes };
        let op = if is_receive { receive(peer, bytes, tag) } else { send(peer, bytes, tag) };
        let sequence = self.sequence(rank);
        if name.starts_with('i') {
            let task = sequence.push(What::Op(op));
            let (from, to) = if is_receive { (peer, rank) } else { (rank, peer) };
            sequence.requests.push((from, to, tag, task));
        } else {
            sequence.blocking(What::Op(op));
        }
        Ok(())
    }

    /// `send-size to receive-size from [datatype [datatype]]`
    fn sendrecv(&mut self, rank: u32, mut words: Words) -> Result<(), TraceError> {
        let sent = Self::count(&mut words, "a size to send")?;
        let to = self.peer(&mut words, "the rank to send to")?;
        let received = Self::count(&mut words, "a size to receive")?;
        let from = self.peer(&mut words, "the rank to receive from")?;
        let (first, second) = (words.next(), words.next());
        let (sent, received) = (self.bytes(&words, sent, first)?, self.bytes(&words, received, second.or(first))?);
        let sequence = self.sequence(rank);
        let receive = sequence.push(What::Op(receive(from, received, 0)));
        let send = sequence.push(What::Op(send(to, sent, 0)));
        sequence.after.clear();
        sequence.wait_for([receive, send]);
        Ok(())
    }

    /// `source destination tag`
    fn wait(&mut self, rank: u32, mut words: Words) -> Result<(), TraceError> {
        let from = self.peer(&mut words, "the sender")?;
        let to = self.peer(&mut words, "the receiver")?;
        let tag = words.number("a tag", u64::from(COLLECTIVE_TAG) - 1)?;
        let sequence = self.sequence(rank);
        match sequence.requests.iter().position(|request| (request.0, request.1, request.2) == (from, to, tag)) {
            Some(position) => {
                let (_, _, _, task) = sequence.requests.remove(position);
                sequence.wait_for([task]);
            }
            // As SimGrid has it: a test may have completed it when the trace was taken.
            None => self.ignore("waits for requests that are not outstanding"),
        }
        Ok(())
    }

    fn collective(&mut self, rank: u32, name: &str, mut words: Words) -> Result<(), TraceError> {
        let size = self.ranks as usize;
        let counts = |words: &mut Words, what: &str| -> Result<Vec<u64>, TraceError> {
            (0..size).map(|_| Self::count(words, what)).collect()
        };
        let root = |words: &mut Words| -> Result<u32, TraceError> {
            match words.next() {
                Some(word) => Ok(words.parse(word, "the root", size as u64 - 1)? as u32),
                None => Ok(0),
            }
        };
        let mut after = Picoseconds::ZERO;
        let kind = match name {
            "barrier" => CallKind::Barrier,
            "bcast" => {
                let count = Self::count(&mut words, "a size")?;
                let root = root(&mut words)?;
                let datatype = words.next();
                CallKind::Broadcast(self.bytes(&words, count, datatype)?, root)
            }
            "reduce" | "allreduce" => {
                let count = Self::count(&mut words, "a size")?;
                after = self.flops(&mut words, "operations of the reduction")?;
                let root = if name == "reduce" { root(&mut words)? } else { 0 };
                let datatype = words.next();
                let bytes = self.bytes(&words, count, datatype)?;
                if name == "reduce" { CallKind::Reduce(bytes, root) } else { CallKind::AllReduce(bytes) }
            }
            "alltoall" => {
                let (sent, _) =
                    (Self::count(&mut words, "a size to send")?, Self::count(&mut words, "a size to receive")?);
                let datatype = words.next();
                CallKind::AllToAll(self.bytes(&words, sent, datatype)?)
            }
            "gather" | "scatter" | "allgather" => {
                let (sent, received) =
                    (Self::count(&mut words, "a size to send")?, Self::count(&mut words, "a size to receive")?);
                let root = if name == "allgather" { 0 } else { root(&mut words)? };
                let datatype = words.next();
                // What counts is one rank's part: what it sends to gather, what it receives of a scatter.
                let part = if name == "scatter" { received } else { sent };
                let parts = Blocks::Even(self.bytes(&words, part, datatype)?);
                match name {
                    "gather" => CallKind::Gather(parts, root),
                    "scatter" => CallKind::Scatter(parts, root),
                    _ => CallKind::AllGather(parts),
                }
            }
            "gatherv" | "allgatherv" => {
                Self::count(&mut words, "a size to send")?;
                let parts = counts(&mut words, "a size for each rank")?;
                let root = if name == "gatherv" { root(&mut words)? } else { 0 };
                // Displacements of an allgatherv say nothing about the network, and hide its datatype.
                let datatype = if name == "gatherv" { words.next() } else { only_word(&mut words) };
                let parts = listed(&self.all_bytes(&words, &parts, datatype)?);
                if name == "gatherv" { CallKind::Gather(parts, root) } else { CallKind::AllGather(parts) }
            }
            "scatterv" => {
                let parts = counts(&mut words, "a size for each rank")?;
                Self::count(&mut words, "a size to receive")?;
                let root = root(&mut words)?;
                let datatype = words.next();
                CallKind::Scatter(listed(&self.all_bytes(&words, &parts, datatype)?), root)
            }
            "reducescatter" => {
                let parts = counts(&mut words, "a size for each rank")?;
                after = self.flops(&mut words, "operations of the reduction")?;
                let datatype = words.next();
                CallKind::ReduceScatter(listed(&self.all_bytes(&words, &parts, datatype)?))
            }
            _ => return self.alltoallv(rank, words),
        };
        let what = self.collectives.take_part(rank, kind, words.line)?;
        self.sequence(rank).blocking(what);
        self.compute(rank, after);
        Ok(())
    }

    /// `send-buffer sizes... receive-buffer sizes... [datatype [datatype]]`
    fn alltoallv(&mut self, rank: u32, mut words: Words) -> Result<(), TraceError> {
        let sizes = |words: &mut Words| -> Result<Vec<u64>, TraceError> {
            Self::count(words, "the size of a buffer")?;
            (0..self.ranks).map(|_| Self::count(words, "a size for each rank")).collect()
        };
        let (sent, received) = (sizes(&mut words)?, sizes(&mut words)?);
        let (first, second) = (words.next(), words.next());
        let sent = self.all_bytes(&words, &sent, first)?;
        let received = self.all_bytes(&words, &received, second.or(first))?;
        let what = self.collectives.exchange(rank, &sent, &received, words.line)?;
        self.sequence(rank).blocking(what);
        Ok(())
    }

    fn all_bytes(&self, words: &Words, counts: &[u64], datatype: Option<&str>) -> Result<Vec<u64>, TraceError> {
        counts.iter().map(|&count| self.bytes(words, count, datatype).map(|bytes| bytes.0)).collect()
    }
}

/// The next word where it is the last one.
fn only_word<'a>(words: &mut Words<'a>) -> Option<&'a str> {
    let word = words.next();
    word.filter(|_| words.next().is_none())
}

const fn send(to: u32, bytes: Bytes, tag: u64) -> Op {
    Op::Send { to: RankId(to), bytes, tag: tag as u32, class: None }
}

const fn receive(from: u32, bytes: Bytes, tag: u64) -> Op {
    Op::Recv { from: Some(RankId(from)), bytes, tag: Some(tag as u32) }
}
