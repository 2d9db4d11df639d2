//! The arguments of collective operations.

use std::ops::RangeInclusive;

use philae_units::{Bytes, Picoseconds};
use philae_workload::{BlockSizes, MESSAGE_BYTES_MAX};

use super::Reader;
use crate::call::{CallKind, listed};
use crate::error::TraceError;
use crate::task::TaskKind;
use crate::text::LineWords;

/// The reason why numbers may not fit the number of ranks.
const COMMUNICATOR: &str = "the format has no communicator, so every operation is one of all ranks";

impl<'a> Reader<'_> {
    /// A collective operation; `later` if the program waits for it later.
    pub(super) fn collective(
        &mut self,
        rank: u32,
        name: &'static str,
        later: bool,
        words: &mut LineWords<'a>,
    ) -> Result<(), TraceError> {
        if name == "alltoallv" {
            return self.alltoallv(rank, later, words);
        }
        let mut after = Picoseconds::ZERO;
        let (kind, is_known) = match name {
            "barrier" => (CallKind::Barrier, true),
            "bcast" => {
                let count = Self::count(words, "a size")?;
                let root = self.root(words)?;
                let datatype = words.next();
                let (bytes, is_known) = self.sized(words, count, datatype)?;
                (CallKind::Broadcast(bytes, root), is_known)
            }
            "reduce" | "allreduce" | "scan" | "exscan" => {
                let count = Self::count(words, "a size")?;
                after = self.flops(words, "operations of the reduction")?;
                let root = if name == "reduce" { self.root(words)? } else { 0 };
                let datatype = words.next();
                let (bytes, is_known) = self.sized(words, count, datatype)?;
                let kind = match name {
                    "reduce" => CallKind::Reduce(bytes, root),
                    "allreduce" => CallKind::AllReduce(bytes),
                    _ => CallKind::Scan(bytes, name == "exscan"),
                };
                (kind, is_known)
            }
            "alltoall" | "allgather" => {
                let (part, is_known) = self.everybodys_part(words)?;
                (
                    if name == "alltoall" {
                        CallKind::AllToAll(part)
                    } else {
                        CallKind::AllGather(BlockSizes::Even(part))
                    },
                    is_known,
                )
            }
            "gather" | "scatter" => self.rooted(rank, name == "gather", words)?,
            "gatherv" => {
                let list = rest(words);
                let ranks = self.ranks as usize;
                let parts = self.numbers(words, &list, 1, 1 + ranks..=4 + ranks)?;
                let more = &list[1 + ranks..];
                let root = self.root_of(words, more.first().copied())?;
                // Except at the root, the sizes do not count, and neither does their type.
                let datatype = more.get(2).or(more.get(1)).copied().filter(|_| root == rank);
                let (blocks, is_known) = self.blocks(words, &parts, datatype)?;
                (CallKind::Gather(blocks, root), is_known)
            }
            "allgatherv" => self.allgatherv(rank, words)?,
            "scatterv" => {
                let list = rest(words);
                let ranks = self.ranks as usize;
                let parts = self.numbers(words, &list, 0, 1 + ranks..=4 + ranks)?;
                let more = &list[ranks..];
                number(words, more[0], "a size to receive")?;
                let root = self.root_of(words, more.get(1).copied())?;
                let datatype = more.get(2).copied().filter(|_| root == rank);
                let (blocks, is_known) = self.blocks(words, &parts, datatype)?;
                (CallKind::Scatter(blocks, root), is_known)
            }
            _ => {
                let (kind, time) = self.reduce_scatter(words)?;
                after = time;
                kind
            }
        };
        let what = self.collectives.take_part(rank, kind, is_known, words.line)?;
        let sequence = &mut self.sequences[rank as usize];
        if later {
            sequence.begin(what)
        } else {
            sequence.blocking(what)
        }
        self.compute(rank, after);
        Ok(())
    }

    fn root(&self, words: &mut LineWords<'a>) -> Result<u32, TraceError> {
        let word = words.next();
        self.root_of(words, word)
    }

    fn root_of(&self, words: &LineWords<'a>, word: Option<&str>) -> Result<u32, TraceError> {
        word.map_or(Ok(0), |word| words.parse(word, "the root", u64::from(self.ranks) - 1).map(|root| root as u32))
    }

    /// Bytes of `count` elements, and whether they are known: those of a derived datatype are not.
    fn sized(
        &mut self,
        words: &LineWords<'a>,
        count: u64,
        datatype: Option<&str>,
    ) -> Result<(Bytes, bool), TraceError> {
        match self.element(words, datatype)? {
            Some(each) => Self::times(words, count, each).map(|bytes| (bytes, true)),
            None => {
                self.derived(count);
                Ok((Bytes::ZERO, count == 0))
            }
        }
    }

    /// The same for several counts.
    fn blocks(
        &mut self,
        words: &LineWords<'a>,
        counts: &[u64],
        datatype: Option<&str>,
    ) -> Result<(BlockSizes, bool), TraceError> {
        let sizes: Result<Vec<(Bytes, bool)>, TraceError> =
            counts.iter().map(|&count| self.sized(words, count, datatype)).collect();
        let sizes = sizes?;
        let is_known = sizes.iter().all(|(_, is_known)| *is_known);
        Ok((listed(&sizes.into_iter().map(|(bytes, _)| bytes.0).collect::<Vec<_>>()), is_known))
    }

    /// `size-to-send [size-to-receive] [datatype datatype]`; a size to receive of 0 is not written.
    fn everybodys_part(&mut self, words: &mut LineWords<'a>) -> Result<(Bytes, bool), TraceError> {
        let sent = Self::count(words, "a size to send")?;
        let list = rest(words);
        match list.as_slice() {
            [received, types @ ..] if sent > 0 || types.len() != 1 => {
                let received = number(words, received, "a size to receive")?;
                self.unless_derived(
                    words,
                    (sent, types.first().copied()),
                    (received, types.get(1).or(types.first()).copied()),
                )
            }
            [] => Err(words.line.error("the end of the line", "a size to receive")),
            // Nothing is sent, and nothing is received.
            [..] => Ok((Bytes::ZERO, true)),
        }
    }

    /// The first of two sizes that should be equal, or the second if the first is of a derived
    /// datatype.
    fn unless_derived(
        &mut self,
        words: &LineWords<'a>,
        first: (u64, Option<&str>),
        second: (u64, Option<&str>),
    ) -> Result<(Bytes, bool), TraceError> {
        let (count, datatype) = if self.element(words, first.1)?.is_some() { first } else { second };
        self.sized(words, count, datatype)
    }

    /// `size-to-send [size-to-receive] [root] [datatype [datatype]]`; a size to receive of 0 is not
    /// written.
    fn rooted(&mut self, rank: u32, gathers: bool, words: &mut LineWords<'a>) -> Result<(CallKind, bool), TraceError> {
        let sent = Self::count(words, "a size to send")?;
        let list = rest(words);
        // SimGrid's tracer writes both datatypes, so four arguments are a size, the root and both
        // of them. If both sizes are equal, the writer has given two sizes, the root and one
        // datatype.
        let without = list.len() == 3 && list[0].parse() != Ok(sent);
        let (received, more) = match list.as_slice() {
            [] => return Err(words.line.error("the end of the line", "a size to receive")),
            all if without => (0, all),
            [received, more @ ..] => (number(words, received, "a size to receive")?, more),
        };
        let root = self.root_of(words, more.first().copied())?;
        let (first, second) = (more.get(1).copied(), more.get(2).or(more.get(1)).copied());
        if more.len() > 3 {
            self.note("actions with too many arguments: the last ones are ignored");
        }
        // Only one side counts: the sent size of a gather, the received size of a scatter; at the
        // root the other.
        let (sent, received) = ((sent, first), (received, second));
        let (part, other) = if gathers == (root == rank) { (received, sent) } else { (sent, received) };
        let (bytes, is_known) = self.unless_derived(words, part, other)?;
        let blocks = BlockSizes::Even(bytes);
        Ok((if gathers { CallKind::Gather(blocks, root) } else { CallKind::Scatter(blocks, root) }, is_known))
    }

    /// `size-to-send sizes... [datatype datatype] [displacements...]`
    fn allgatherv(&mut self, rank: u32, words: &mut LineWords<'a>) -> Result<(CallKind, bool), TraceError> {
        let ranks = self.ranks as usize;
        let list = rest(words);
        let own = list.first().copied().unwrap_or_default();
        let own = number(words, own, "a size to send")?;
        let parts = self.numbers(words, &list, 1, 1 + ranks..=3 + 2 * ranks)?;
        // Displacements do not matter to the network. There are as many as ranks, and datatypes
        // come before them.
        let more = &list[1 + ranks..];
        let has_types = more.len() <= 2 || more.len() > ranks;
        let types = if has_types { &more[..more.len().min(2)] } else { &[] };
        let (first, second) = (types.first().copied(), types.get(1).or(types.first()).copied());
        let (sent, received) = (self.element(words, first)?, self.element(words, second)?);
        if let (Some(sent), Some(received)) = (sent, received)
            && own.checked_mul(sent) != parts[rank as usize].checked_mul(received)
        {
            let found =
                format!("rank {rank} that sends {own} elements and has {} in the list of all", parts[rank as usize]);
            return Err(words.line.error(found, format!("the same number; {COMMUNICATOR}")));
        }
        let (blocks, is_known) = self.blocks(words, &parts, second)?;
        Ok((CallKind::AllGather(blocks), is_known))
    }

    /// `sizes... [operations [datatype]]`; for `MPI_Reduce_scatter_block` SimGrid writes a 0 for
    /// each element, then the datatype.
    fn reduce_scatter(&mut self, words: &mut LineWords<'a>) -> Result<((CallKind, bool), Picoseconds), TraceError> {
        let list = rest(words);
        let ranks = self.ranks as usize;
        if let [zeros @ .., datatype] = list.as_slice()
            && !zeros.is_empty()
            && zeros.iter().all(|zero| *zero == "0")
        {
            self.note(BLOCK);
            let (bytes, is_known) = self.sized(words, zeros.len() as u64, Some(datatype))?;
            return Ok(((CallKind::ReduceScatter(BlockSizes::Even(bytes)), is_known), Picoseconds::ZERO));
        }
        let parts = self.numbers(words, &list, 0, ranks..=ranks + 2)?;
        let more = &list[ranks..];
        let after = more
            .first()
            .map_or(Ok(Picoseconds::ZERO), |word| self.flops_of(words, word, "operations of the reduction"))?;
        let (blocks, is_known) = self.blocks(words, &parts, more.get(1).copied())?;
        Ok(((CallKind::ReduceScatter(blocks), is_known), after))
    }

    /// `send-buffer sizes... receive-buffer sizes... [datatype [datatype]]`
    fn alltoallv(&mut self, rank: u32, later: bool, words: &mut LineWords<'a>) -> Result<(), TraceError> {
        let list = rest(words);
        let ranks = self.ranks as usize;
        let sent = self.numbers(words, &list, 1, 2 * ranks + 2..=2 * ranks + 4)?;
        let received = self.numbers(words, &list, 2 + ranks, 2 * ranks + 2..=2 * ranks + 4)?;
        let types = &list[2 * ranks + 2..];
        let (first, second) = (types.first().copied(), types.get(1).or(types.first()).copied());
        let mut bytes = |counts: &[u64], datatype| -> Result<Option<Vec<u64>>, TraceError> {
            let sizes = counts.iter().map(|&count| self.sized(words, count, datatype));
            let sizes = sizes.collect::<Result<Vec<(Bytes, bool)>, TraceError>>()?;
            let is_known = sizes.iter().all(|(_, is_known)| *is_known);
            Ok(is_known.then(|| sizes.into_iter().map(|(bytes, _)| bytes.0).collect()))
        };
        let (sent, received) = (bytes(&sent, first)?, bytes(&received, second)?);
        let what: TaskKind = self.collectives.exchange(rank, sent, received, words.line)?;
        let sequence = &mut self.sequences[rank as usize];
        if later {
            sequence.begin(what)
        } else {
            sequence.blocking(what)
        }
        Ok(())
    }

    /// The sizes for each rank, starting at a place in a list. The whole list must have as many
    /// words as `lengths` says; otherwise it is a list of other ranks.
    fn numbers(
        &self,
        words: &LineWords<'a>,
        list: &[&str],
        from: usize,
        lengths: RangeInclusive<usize>,
    ) -> Result<Vec<u64>, TraceError> {
        if !lengths.contains(&list.len()) {
            let found = format!("{} numbers", list.len());
            let (least, most) = lengths.into_inner();
            let expected = format!("{least} to {most}, with sizes of all {} ranks; {COMMUNICATOR}", self.ranks);
            return Err(words.line.error(found, expected));
        }
        let sizes = &list[from..from + self.ranks as usize];
        sizes.iter().map(|word| number(words, word, "a size for each rank")).collect()
    }
}

fn number(words: &LineWords, word: &str, what: &str) -> Result<u64, TraceError> {
    words.parse_whole(word, what, MESSAGE_BYTES_MAX.0)
}

const BLOCK: &str = "reducescatter actions of zeros only, as SimGrid's tracer writes MPI_Reduce_scatter_block: the \
    number of zeros is used as the number of elements of a block";

/// The remaining words.
fn rest<'a>(words: &mut LineWords<'a>) -> Vec<&'a str> {
    std::iter::from_fn(|| words.next()).collect()
}
