//! SimGrid's time-independent traces: the actions of each process of an MPI program, without times.
//!
//! Source: the actions that SimGrid's `smpi_replay` takes (simgrid/simgrid, version 4). One line is
//! `rank action arguments`. A file has all ranks, or there is one file for each; a file that lists
//! files represents them. Sizes are counts of a datatype, which is a byte unless a number gives
//! another; computation is in floating-point operations.

mod actions;
mod arguments;
mod collectives;
mod datatypes;
mod sequence;
mod unnamed;

use std::collections::{BTreeMap, BTreeSet};

use philae_units::{Picoseconds, counted};
use philae_workload::Op;

use crate::error::TraceError;
use crate::format::TraceFormat;
use crate::input::{TraceFile, TraceOptions};
use crate::places::OperationNumbers;
use crate::schedule::TraceSchedule;
use crate::task::{RANK_TIME_MAX, RANKS_MAX, TaskKind};
use crate::text::{LineWords, Text, TraceLine};

use self::collectives::TraceCollectives;
use self::sequence::RankTasks;
use self::unnamed::Unnamed;

/// Whether this is the name of an action.
pub(crate) fn is_action(word: &str) -> bool {
    actions::action(word).is_some()
}

/// The files that a file lists, if it is a list: every line looks like a path. A path may have
/// blanks in it, if its end is that of a file's name and it does not begin with a number.
#[must_use]
pub fn listed_files(bytes: &[u8]) -> Option<Vec<String>> {
    let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}');
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let names: Option<Vec<String>> =
        lines.map(|line| (is_path(line) || is_path_with_blanks(line)).then(|| line.to_owned())).collect();
    names.filter(|names| !names.is_empty())
}

/// Whether a word may be the path of a file: letters, digits and other characters of names, but not
/// a number.
fn is_path(word: &str) -> bool {
    let is_usual = |letter: char| letter.is_alphanumeric() || "./_-+@~\\".contains(letter);
    word.chars().all(is_usual)
        && word.parse::<f64>().is_err()
        && word.contains(['.', '/', '_', '-'])
        && !word.contains("..")
        && word.contains(|letter: char| letter.is_ascii_alphabetic())
        || word.starts_with("../") && is_path(&word[3..])
}

/// Whether a line may be a path with blanks: `my traces/rank 0.txt`.
fn is_path_with_blanks(line: &str) -> bool {
    let is_usual = |letter: char| letter.is_alphanumeric() || "./_-+@~\\ ()".contains(letter);
    let begins = line.split(' ').next().is_some_and(|word| word.parse::<f64>().is_err());
    let named = line.rsplit(['/', '\\']).next().and_then(|name| name.rsplit_once('.'));
    let ends = named.is_some_and(|(stem, end)| {
        !stem.is_empty()
            && end.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    line.contains(' ') && begins && ends && line.chars().all(is_usual)
}

/// The one rank of a file's actions; `None` for a file with several ranks or none, or of another
/// form.
#[must_use]
pub fn only_rank(bytes: &[u8]) -> Option<u32> {
    let text = Text::new("", bytes).ok()?;
    let mut only = None;
    for line in text.lines() {
        let Some((rank, mut words)) = head(line).ok()? else { continue };
        if only.is_some_and(|only| only != rank) || !words.next().is_some_and(is_action) {
            return None;
        }
        only = Some(rank);
    }
    only
}

/// Reads the files of all ranks.
pub(crate) fn read(files: &[TraceFile], options: &TraceOptions) -> Result<TraceSchedule, TraceError> {
    let texts: Result<Vec<Text>, TraceError> = files.iter().map(|file| Text::new(&file.name, &file.bytes)).collect();
    let texts = texts?;
    let first = &files[0].name;
    let world = World::of(first, &texts)?;
    let ranks = world.ranks;
    let mut reader = Reader {
        options,
        ranks,
        sequences: (0..ranks).map(|_| RankTasks::default()).collect(),
        collectives: TraceCollectives::new(ranks),
        unnamed: Unnamed::default(),
        default_bytes: 1,
        notes: BTreeMap::new(),
        rated: 0,
    };
    let mut open = Vec::new();
    for text in &texts {
        let mut last = None;
        for line in text.lines() {
            if let Some((rank, words)) = head(line)? {
                reader.action(rank, words)?;
                last = Some(rank);
            }
        }
        // Nothing can be missing behind the end of the program.
        let has_ended = last.is_some_and(|rank| reader.sequences[rank as usize].span.end.is_some());
        open.extend(text.open_end().filter(|_| !has_ended).map(|words| (text.file, words)));
    }
    let mut schedule = reader.finish(first, world)?;
    if let Some((file, words)) = open.first() {
        let more = if open.len() == 1 { String::new() } else { format!("{} files, the first '{file}': ", open.len()) };
        schedule.warnings.push(more + words);
    }
    Ok(schedule)
}

/// Rank and the rest of a line; `None` for an empty line or a comment.
fn head(line: TraceLine) -> Result<Option<(u32, LineWords)>, TraceError> {
    let mut words = line.words();
    match words.next() {
        None => Ok(None),
        Some(word) if word.starts_with('#') => Ok(None),
        Some(word) => Ok(Some((words.parse(word, "the rank", u64::from(RANKS_MAX) - 1)? as u32, words))),
    }
}

/// The ranks of a trace, and the file with the actions of each.
#[derive(Default)]
struct World {
    ranks: u32,
    /// Ranks without any action.
    silent: Vec<u32>,
    /// By rank, if each file has those of one rank.
    files: Vec<String>,
}

impl World {
    /// Every process has at least one action: a rank above the number of actions is a mistake in a
    /// number, and would cost memory for ranks that do nothing. If each file has one rank, there
    /// are as many ranks as files.
    fn of(first: &str, texts: &[Text]) -> Result<Self, TraceError> {
        let mut highest: Option<(u32, TraceLine)> = None;
        let mut actions = 0_u32;
        let mut seen = BTreeSet::new();
        let mut file_of = BTreeMap::new();
        let (mut each_has_one, mut empty) = (texts.len() > 1, 0_u32);
        for (number, text) in texts.iter().enumerate() {
            let mut own = None;
            for line in text.lines() {
                let Some((rank, _)) = head(line)? else { continue };
                actions = actions.saturating_add(1);
                each_has_one &= own.is_none_or(|own| own == rank);
                if own != Some(rank) {
                    seen.insert(rank);
                    // Each file is one process's, or one has them all: two files of a rank are
                    // copies, or traces of two runs.
                    if let Some((_, other)) = file_of.insert(rank, (number, text.file)).filter(|(of, _)| *of != number)
                    {
                        let found = if other == text.file {
                            format!("rank {rank}: the list has the file twice")
                        } else {
                            format!("rank {rank}, which '{other}' also has")
                        };
                        return Err(line.error(found, "each rank in one file"));
                    }
                }
                own = Some(rank);
                if highest.is_none_or(|(before, _)| rank > before) {
                    highest = Some((rank, line));
                }
            }
            empty += u32::from(own.is_none());
        }
        let Some((highest, line)) = highest else {
            return Err(TraceError::whole(first, "no action", "lines such as `0 send 1 0 1e6`"));
        };
        if highest >= actions && !each_has_one {
            let expected = format!("ranks numbered from 0 without gaps: the trace has {actions} actions");
            return Err(line.error(format!("rank {highest}"), expected));
        }
        let ranks = if each_has_one { (highest + 1).max(texts.len() as u32) } else { highest + 1 };
        let silent: Vec<u32> = (0..ranks).filter(|rank| !seen.contains(rank)).collect();
        if each_has_one && silent.len() as u32 > empty {
            let has = if silent.len() == 1 { "has" } else { "have" };
            let found = format!("{} files, and {} {has} no file", texts.len(), ranks_text(&silent));
            return Err(TraceError::whole(first, found, format!("one file for each rank from 0 to {highest}")));
        }
        let files = if each_has_one {
            (0..ranks).map(|rank| file_of.remove(&rank).map_or_else(String::new, |(_, file)| file.to_owned())).collect()
        } else {
            Vec::new()
        };
        Ok(Self { ranks, silent, files })
    }
}

/// `rank 5`, `ranks 5, 9 and 3 more`.
#[must_use]
pub fn ranks_text(ranks: &[u32]) -> String {
    const NAMED: usize = 8;
    let named: Vec<String> = ranks.iter().take(NAMED).map(u32::to_string).collect();
    let more = ranks.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("rank{} {}{more}", if ranks.len() == 1 { "" } else { "s" }, named.join(", "))
}

struct Reader<'a> {
    options: &'a TraceOptions,
    ranks: u32,
    sequences: Vec<RankTasks>,
    collectives: TraceCollectives,
    unnamed: Unnamed,
    /// Element size of counts without a datatype.
    default_bytes: u64,
    /// What was left out, each with its count.
    notes: BTreeMap<&'static str, u64>,
    /// Spans of computation whose time follows from the rate.
    rated: u64,
}

const DERIVED: &str =
    "messages and collective operations of derived datatypes count 0 B, because the trace does not contain their size";

impl Reader<'_> {
    fn note(&mut self, what: &'static str) {
        *self.notes.entry(what).or_default() += 1;
    }

    /// Notes elements of a derived datatype, whose size is unknown.
    fn derived(&mut self, count: u64) {
        if count > 0 {
            self.note(DERIVED);
        }
    }

    fn sequence(&mut self, rank: u32) -> &mut RankTasks {
        &mut self.sequences[rank as usize]
    }

    fn compute(&mut self, rank: u32, time: Picoseconds) {
        if time > Picoseconds::ZERO {
            self.sequence(rank).blocking(TaskKind::Op(Op::Compute { time }));
        }
    }

    /// The next word, a number of floating-point operations, as time.
    fn flops(&mut self, words: &mut LineWords, what: &str) -> Result<Picoseconds, TraceError> {
        let word = words.expect(what)?;
        self.flops_of(words, word, what)
    }

    /// The same for a word that has been taken.
    fn flops_of(&mut self, words: &LineWords, word: &str, what: &str) -> Result<Picoseconds, TraceError> {
        let thousandths = words.parse_decimal(word, what, 3, u64::MAX)?;
        if thousandths == 0 {
            return Ok(Picoseconds::ZERO);
        }
        let Some(rate) = self.options.flops_per_second.filter(|&rate| rate > 0) else {
            let expected = "a value of `flops_per_second`: the trace counts operations, not time";
            return Err(words.line.error(
                format!("computation of {}.{:03} operations", thousandths / 1_000, thousandths % 1_000),
                expected,
            ));
        };
        self.rated += 1;
        let time = u128::from(thousandths) * 1_000_000_000 / u128::from(rate);
        match u64::try_from(time) {
            Ok(time) if time <= RANK_TIME_MAX.0 => Ok(Picoseconds(time)),
            _ => Err(words.wrong(&format!("computation of at most {RANK_TIME_MAX} at {rate} operations per second"))),
        }
    }

    fn finish(self, file: &str, world: World) -> Result<TraceSchedule, TraceError> {
        let Self { mut sequences, collectives, unnamed, notes, rated, .. } = self;
        let uncertain = unnamed.resolve(&mut sequences);
        let mut warnings: Vec<String> = notes.into_iter().map(|(what, count)| format!("{count} {what}")).collect();
        if uncertain > 0 {
            warnings.push(format!(
                "{uncertain} receives of rank -333 may be from any source or from no process: the first ones get the remaining messages"
            ));
        }
        if !world.silent.is_empty() {
            let verb = if world.silent.len() == 1 { "has no action and does" } else { "have no action and do" };
            warnings.push(format!("{} {verb} nothing", ranks_text(&world.silent)));
        }
        let unended: Vec<u32> =
            (0..).zip(&sequences).filter(|(_, one)| one.span.is_open()).map(|(rank, _)| rank).collect();
        if !unended.is_empty() {
            let verb = if unended.len() == 1 { "has" } else { "have" };
            let looks = "a trace that was cut looks the same";
            warnings.push(format!("{} {verb} `init` and no `finalize`: {looks}", ranks_text(&unended)));
        }
        let idle = sequences.iter().filter(|sequence| sequence.tasks.is_empty()).count() - world.silent.len();
        if idle > 0 {
            warnings.push(format!("{} without communication or computation", counted(idle, "rank")));
        }
        let (ranks, lines) = sequences.into_iter().map(|sequence| (sequence.tasks, sequence.lines)).unzip();
        let (calls, disagree) = collectives.finish(file)?;
        if disagree > 0 {
            warnings.push(format!(
                "{} of alltoallv with another size at the receiver (SimGrid writes MPI_Alltoallw with its first \
                 datatype): the sender's counts",
                counted(disagree, "message")
            ));
        }
        let places = OperationNumbers::new("line", lines).in_files(world.files);
        let mut schedule = TraceSchedule::of_places(TraceFormat::Smpi, file, ranks, calls, warnings, places)?;
        schedule.rated = rated;
        Ok(schedule)
    }
}
