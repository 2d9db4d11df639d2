//! Reading GOAL text.

use philae_units::counted;
use std::collections::BTreeMap;

use philae_workload::MESSAGE_BYTES_MAX;

use super::{ANY, Kind, NANOSECONDS_MAX, task, warnings};
use crate::call::Calls;
use crate::error::{TraceError, quoted};
use crate::format::TraceFormat;
use crate::places::OperationNumbers;
use crate::schedule::TraceSchedule;
use crate::task::{RANKS_MAX, TraceTask};
use crate::text::{LineWords, Text, TraceLine};

/// Reads a file.
pub fn read(file: &str, bytes: &[u8]) -> Result<TraceSchedule, TraceError> {
    let text = Text::new(file, bytes)?;
    let mut reader = Reader { ranks: Vec::new(), lines: Vec::new(), seen: Vec::new(), current: None };
    let mut in_comment = false;
    let mut last = None;
    for line in text.lines() {
        let bare = without_comments(line.text, &mut in_comment);
        let bare_line = TraceLine { text: &bare, ..line };
        if !bare.trim().is_empty() {
            reader.line(bare_line)?;
        }
        last = Some(line.number);
    }
    let end = TraceLine { file, text: "", number: last.unwrap_or(1) };
    if in_comment {
        return Err(end.error("the end of the file", "`*/`: a comment is open"));
    }
    if let Some(block) = &reader.current {
        return Err(end.error("the end of the file", format!("`}}` of rank {}", block.rank)));
    }
    if reader.seen.is_empty() {
        return Err(end.error("the end of the file", "`num_ranks` with a number, then `rank 0 {`"));
    }
    let warnings = warnings(&reader.ranks);
    let places = OperationNumbers::new("line", reader.lines);
    let mut schedule =
        TraceSchedule::of_places(TraceFormat::Goal, file, reader.ranks, Calls::default(), warnings, places)?;
    let empty = reader.seen.iter().filter(|seen| !**seen).count();
    if empty > 0 {
        schedule.warnings.push(format!("{} without a block, which do nothing", counted(empty, "rank")));
    }
    Ok(schedule)
}

/// A line without its comments. `open` is whether a comment continues from one line to the next.
fn without_comments(mut line: &str, open: &mut bool) -> String {
    let mut bare = String::new();
    loop {
        if *open {
            let Some((_, rest)) = line.split_once("*/") else { return bare };
            (line, *open) = (rest, false);
            bare.push(' ');
        }
        let Some(start) = line.find("//").into_iter().chain(line.find("/*")).min() else {
            return bare + line;
        };
        bare += &line[..start];
        if line[start..].starts_with("//") {
            return bare;
        }
        (line, *open) = (&line[start + 2..], true);
    }
}

struct Reader {
    ranks: Vec<Vec<TraceTask>>,
    /// Line of each task.
    lines: Vec<Vec<u64>>,
    /// Ranks that had a block.
    seen: Vec<bool>,
    current: Option<Block>,
}

/// The open block of a rank.
struct Block {
    rank: usize,
    labels: BTreeMap<String, u32>,
}

impl Reader {
    fn line(&mut self, line: TraceLine) -> Result<(), TraceError> {
        let mut words = line.words();
        if self.seen.is_empty() {
            words.literal("num_ranks")?;
            let count = words.number("the number of ranks", u64::from(RANKS_MAX))?;
            if count == 0 {
                return Err(words.wrong("at least 1 rank"));
            }
            self.ranks.resize_with(count as usize, Vec::new);
            self.lines.resize_with(count as usize, Vec::new);
            self.seen.resize(count as usize, false);
            return words.end();
        }
        if self.current.is_none() {
            return self.open(line);
        }
        if line.text.trim() == "}" {
            self.current = None;
            return Ok(());
        }
        let block = self.current.as_mut().expect("a block is open");
        let tasks = &mut self.ranks[block.rank];
        statement(block, tasks, words)?;
        // A dependency adds no task.
        self.lines[block.rank].resize(tasks.len(), line.number as u64);
        Ok(())
    }

    /// `rank 3 {`
    fn open(&mut self, line: TraceLine) -> Result<(), TraceError> {
        let text = line.text.trim();
        let Some(head) = text.strip_suffix('{') else {
            return Err(line.error(quoted(text), "`rank` with a number and `{`"));
        };
        let mut words = TraceLine { text: head, ..line }.words();
        words.literal("rank")?;
        let rank = words.number("the number of a rank", self.ranks.len() as u64 - 1)? as usize;
        words.end()?;
        if std::mem::replace(&mut self.seen[rank], true) {
            return Err(line.error(format!("rank {rank} for the second time"), "one block for each rank"));
        }
        self.current = Some(Block { rank, labels: BTreeMap::new() });
        Ok(())
    }
}

const OPERATION: &str = "`send`, `recv` or `calc`, with or without `label:` before it, or `label requires label`";

fn statement(block: &mut Block, tasks: &mut Vec<TraceTask>, mut words: LineWords) -> Result<(), TraceError> {
    let first = words.expect(OPERATION)?;
    let label = first.strip_suffix(':');
    if let Some(label) = label {
        let starts_well = label.starts_with(|letter: char| letter.is_ascii_alphabetic());
        if !starts_well || !label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
            return Err(words.wrong("a label of letters, digits and _, beginning with a letter"));
        }
        if block.labels.insert(label.to_owned(), tasks.len() as u32).is_some() {
            return Err(words.wrong("a label that this rank has not used before"));
        }
    }
    let word = if label.is_some() { words.expect("`send`, `recv` or `calc`")? } else { first };
    match word {
        "send" => tasks.push(message(Kind::Send, "to", &mut words)?),
        "recv" => tasks.push(message(Kind::Recv, "from", &mut words)?),
        "calc" => {
            let time = words.number("nanoseconds", NANOSECONDS_MAX)?;
            tasks.push(with_options(task(Kind::Calc, 0, time, 0), false, &mut words)?);
        }
        _ if label.is_none() => return dependency(block, tasks, first, words),
        _ => return Err(words.wrong("`send`, `recv` or `calc`")),
    }
    Ok(())
}

/// `l2 requires l1`
fn dependency(block: &Block, tasks: &mut [TraceTask], first: &str, mut words: LineWords) -> Result<(), TraceError> {
    let line = words.line;
    let find = |label: &str| {
        let expected = || format!("a label that rank {} has defined above", block.rank);
        block.labels.get(label).copied().ok_or_else(|| line.error(quoted(label), expected()))
    };
    let at_start = match words.next() {
        Some("requires") => false,
        Some("irequires") => true,
        _ => return Err(line.error(quoted(line.text.trim()), OPERATION)),
    };
    let on = words.expect("a label")?;
    let (dependent, on) = (find(first)?, find(on)?);
    words.end()?;
    let task = &mut tasks[dependent as usize];
    if at_start {
        task.irequires.push(on)
    } else {
        task.requires.push(on)
    }
    Ok(())
}

/// `1024b to 3 tag 7 cpu 0 nic 0`, after `send` or `recv`.
fn message(kind: Kind, preposition: &str, words: &mut LineWords) -> Result<TraceTask, TraceError> {
    let size = words.expect("a size such as 1024b")?;
    let Some(size) = size.strip_suffix('b') else { return Err(words.wrong("a size such as 1024b")) };
    let size = words.parse(size, "a size in bytes", MESSAGE_BYTES_MAX.0)?;
    words.literal(preposition)?;
    let peer = match kind {
        Kind::Recv => number_or_any("a rank, or -1 for any", words)?,
        _ => words.number("a rank", u64::from(RANKS_MAX))? as u32,
    };
    with_options(task(kind, peer, size, 0), true, words)
}

fn number_or_any(what: &str, words: &mut LineWords) -> Result<u32, TraceError> {
    let word = words.expect(what)?;
    if word == "-1" { Ok(ANY) } else { Ok(words.parse(word, what, u64::from(ANY))? as u32) }
}

fn with_options(mut task: TraceTask, is_message: bool, words: &mut LineWords) -> Result<TraceTask, TraceError> {
    use crate::task::TaskKind;
    use philae_workload::Op;
    while let Some(option) = words.next() {
        match option {
            "tag" if is_message => {
                let value = number_or_any("a tag, or -1 for any", words)?;
                match &mut task.what {
                    TaskKind::Op(Op::Send { tag, .. }) => *tag = value,
                    TaskKind::Op(Op::Recv { tag, .. }) => *tag = (value != ANY).then_some(value),
                    _ => {}
                }
            }
            "cpu" => task.cpu = words.number("a cpu stream", 255)? as u8,
            "nic" if is_message => task.nic = words.number("a nic", 255)? as u8,
            _ if is_message => return Err(words.wrong("`tag`, `cpu`, `nic` or the end of the line")),
            _ => return Err(words.wrong("`cpu` or the end of the line")),
        }
    }
    Ok(task)
}
