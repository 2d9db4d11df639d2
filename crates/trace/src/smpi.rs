//! SimGrid's time-independent traces: what each process of an MPI program did, without times.
//!
//! Source: the actions that SimGrid's `smpi_replay` takes (simgrid/simgrid, version 4). One line is `rank action
//! arguments`; a file has all ranks or there is one for each; a file that lists files stands for them. Sizes are counts of
//! a datatype, which is a byte unless a number says otherwise; computation is in floating-point operations.

mod actions;
mod collectives;

use std::collections::BTreeMap;

use philae_units::Picoseconds;
use philae_workload::Op;

use crate::error::{TraceError, quoted};
use crate::format::Format;
use crate::schedule::{RANK_TIME_MAX, RANKS_MAX, Schedule, Task, What};
use crate::text::{Line, Text, Words};
use crate::{File, Options};

use self::collectives::Collectives;

/// Whether this is the name of an action.
pub(crate) fn is_action(word: &str) -> bool {
    actions::NAMES.contains(&word.to_ascii_lowercase().as_str())
}

/// The files that a file lists, if that is what it does: every line is one word that is no number.
#[must_use]
pub fn listed_files(bytes: &[u8]) -> Option<Vec<String>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let names: Option<Vec<String>> = lines
        .map(|line| {
            let is_name =
                !line.contains(char::is_whitespace) && line.parse::<u64>().is_err() && line.contains(['.', '/', '_']);
            is_name.then(|| line.to_owned())
        })
        .collect();
    names.filter(|names| !names.is_empty())
}

/// Reads the files of all ranks.
pub(crate) fn read(files: &[File], options: &Options) -> Result<Schedule, TraceError> {
    let texts: Result<Vec<Text>, TraceError> = files.iter().map(|file| Text::new(&file.name, &file.bytes)).collect();
    let texts = texts?;
    let first = &files[0].name;
    let ranks = count_ranks(&texts)?;
    if ranks == 0 {
        return Err(TraceError::whole(first, "no action", "lines such as `0 send 1 0 1e6`"));
    }
    let mut reader = Reader {
        options,
        ranks,
        sequences: (0..ranks).map(|_| Sequence::default()).collect(),
        collectives: Collectives::new(ranks),
        default_bytes: 1,
        ignored: BTreeMap::new(),
    };
    for line in texts.iter().flat_map(Text::lines) {
        if let Some((rank, words)) = head(line)? {
            reader.action(rank, words)?;
        }
    }
    reader.finish(first)
}

/// Rank and the rest of a line; `None` for an empty line or a comment.
fn head(line: Line) -> Result<Option<(u32, Words)>, TraceError> {
    let mut words = line.words();
    match words.next() {
        None => Ok(None),
        Some(word) if word.starts_with('#') => Ok(None),
        Some(word) => Ok(Some((words.parse(word, "the rank", u64::from(RANKS_MAX) - 1)? as u32, words))),
    }
}

/// Every process has at least one action: a rank above the number of actions is a mistake in a number, and would cost memory
/// for ranks that do nothing.
fn count_ranks(texts: &[Text]) -> Result<u32, TraceError> {
    let mut highest: Option<(u32, Line)> = None;
    let mut actions = 0_u32;
    for line in texts.iter().flat_map(Text::lines) {
        if let Some((rank, _)) = head(line)? {
            actions = actions.saturating_add(1);
            if highest.is_none_or(|(before, _)| rank > before) {
                highest = Some((rank, line));
            }
        }
    }
    match highest {
        Some((rank, line)) if rank >= actions => {
            let expected = format!("ranks numbered from 0 without gaps: the trace has {actions} actions");
            Err(line.error(format!("rank {rank}"), expected))
        }
        highest => Ok(highest.map_or(0, |(rank, _)| rank + 1)),
    }
}

struct Reader<'a> {
    options: &'a Options,
    ranks: u32,
    sequences: Vec<Sequence>,
    collectives: Collectives,
    /// Size of what counts count that name no datatype.
    default_bytes: u64,
    /// What was left out, with how often.
    ignored: BTreeMap<&'static str, u64>,
}

/// What one rank does, in the order of its program.
#[derive(Debug, Default)]
struct Sequence {
    tasks: Vec<Task>,
    /// What the next task waits for.
    after: Vec<u32>,
    /// Outstanding requests: source, destination, tag, task.
    requests: Vec<(u32, u32, u64, u32)>,
}

impl Sequence {
    /// A task that the rest of the program waits for.
    fn blocking(&mut self, what: What) {
        let task = self.push(what);
        self.after.clear();
        self.after.push(task);
    }

    /// A task that the program waits for later, if at all.
    fn push(&mut self, what: What) -> u32 {
        let number = self.tasks.len() as u32;
        self.tasks.push(Task::new(what, self.after.clone()));
        number
    }

    /// The program goes on when these have completed too. Several become one, so that many waits by many stay few.
    fn wait_for(&mut self, tasks: impl IntoIterator<Item = u32>) {
        self.after.extend(tasks);
        if self.after.len() > 2 {
            self.blocking(What::Join);
        }
    }
}

impl Reader<'_> {
    fn ignore(&mut self, what: &'static str) {
        *self.ignored.entry(what).or_default() += 1;
    }

    fn sequence(&mut self, rank: u32) -> &mut Sequence {
        &mut self.sequences[rank as usize]
    }

    fn compute(&mut self, rank: u32, time: Picoseconds) {
        if time > Picoseconds::ZERO {
            self.sequence(rank).blocking(What::Op(Op::Compute { time }));
        }
    }

    /// The next word, a number of floating-point operations, as time.
    fn flops(&self, words: &mut Words, what: &str) -> Result<Picoseconds, TraceError> {
        let thousandths = words.decimal(what, 3, u64::MAX)?;
        if thousandths == 0 {
            return Ok(Picoseconds::ZERO);
        }
        let Some(rate) = self.options.flops_per_second.filter(|&rate| rate > 0) else {
            let expected = "`flops_per_second` to be given: the trace counts operations, not time";
            return Err(words.line.error(
                format!("computation of {}.{:03} operations", thousandths / 1_000, thousandths % 1_000),
                expected,
            ));
        };
        let time = u128::from(thousandths) * 1_000_000_000 / u128::from(rate);
        match u64::try_from(time) {
            Ok(time) if time <= RANK_TIME_MAX.0 => Ok(Picoseconds(time)),
            _ => Err(words.wrong(&format!("computation of at most {RANK_TIME_MAX} at {rate} operations per second"))),
        }
    }

    fn finish(self, file: &str) -> Result<Schedule, TraceError> {
        let Self { sequences, collectives, ignored, .. } = self;
        let mut warnings: Vec<String> = ignored.into_iter().map(|(what, count)| format!("{count} {what}")).collect();
        let empty = sequences.iter().filter(|sequence| sequence.tasks.is_empty()).count();
        if empty > 0 {
            warnings.push(format!("{empty} ranks communicate and compute nothing"));
        }
        let ranks = sequences.into_iter().map(|sequence| sequence.tasks).collect();
        let calls = collectives.finish(file)?;
        Schedule::of_tasks(Format::Smpi, file, ranks, calls, warnings)
    }
}

/// Bytes of one of a datatype, by the number that SimGrid writes. Source: simgrid/simgrid, its predefined datatypes in order.
fn datatype_bytes(words: &Words, word: &str) -> Result<u64, TraceError> {
    const BYTES: [u64; 30] =
        [8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8];
    let known = word.parse::<usize>().ok().and_then(|number| BYTES.get(number).copied());
    known.ok_or_else(|| words.line.error(quoted(word), format!("a datatype: 0 to {}", BYTES.len() - 1)))
}
