//! What shows that a row of a cabling file is damaged: its number of values, its quotes, and ports
//! or ids that another row uses.

use crate::cabling::{COLUMNS, Cable, CablingError, CablingHeader};
use crate::xname::{Xname, XnameKind, quoted};
use philae_units::counted;
use std::collections::{BTreeMap, BTreeSet};

/// The rows of a file.
pub(crate) struct Row<'t> {
    /// The file, without a mark at its beginning.
    pub text: &'t str,
    /// Between values.
    pub separator: u8,
    /// Number of values, and the line that has set it: the header, or the first row.
    pub width: Option<(usize, u64)>,
}

impl Row<'_> {
    /// Refuses a quote that is not closed. The reader of rows takes all that follows, to the next
    /// quote or to the end of the file, for one value.
    pub fn check_quotes(&self, record: &csv::StringRecord, end: &csv::Position, line: u64) -> Result<(), CablingError> {
        let wrong = |found: &str, works: &str| {
            Err(CablingError { line, column: String::new(), found: found.to_owned(), works: works.to_owned() })
        };
        if record.iter().any(|value| value.trim_end().contains(['\n', '\r'])) {
            return wrong("a quote, and its value continues on the next line", "a second quote on the same line");
        }
        let start = record.position().map_or(0, csv::Position::byte);
        let Some(raw) = self.text.as_bytes().get(start as usize..end.byte() as usize) else { return Ok(()) };
        let quotes = raw.iter().filter(|byte| **byte == b'"').count();
        // Within a value without quotes around it, a quote is a letter: 2" cable.
        let begins =
            raw.trim_ascii_start().starts_with(b"\"") || raw.windows(2).any(|pair| pair == [self.separator, b'"']);
        if begins && quotes % 2 == 1 {
            return wrong("a quote that is not closed", "a second quote behind the value");
        }
        Ok(())
    }

    /// Refuses a row with fewer values than the header, or with more of them. Empty values beyond
    /// the header are padding.
    pub fn check_width(
        &mut self,
        header: &CablingHeader,
        record: &csv::StringRecord,
        line: u64,
    ) -> Result<(), CablingError> {
        let filled = (0..record.len()).rev().find(|&at| !record[at].trim().is_empty()).map_or(0, |last| last + 1);
        let &mut (width, by) = self.width.get_or_insert((record.len(), line));
        if record.len() >= width && filled <= width {
            return Ok(());
        }
        let missing = header.place.iter().position(|place| *place == Some(record.len()));
        let column =
            missing.filter(|_| record.len() < width).map_or_else(String::new, |column| COLUMNS[column].to_owned());
        let found = match record.len() < width {
            true => format!("the row ends after {} values", record.len()),
            false => format!("a row of {filled} values"),
        };
        Err(CablingError { line, column, found, works: format!("{width} values, as in line {by},") })
    }
}

/// Ends of cables, each with the line that uses it.
#[derive(Default)]
pub(crate) struct Plugs(BTreeMap<Xname, u64>);

impl Plugs {
    /// Refuses a port of a jack or a NIC that an earlier row uses.
    pub fn add(&mut self, cable: &Cable, line: u64) -> Result<(), CablingError> {
        for end in cable.lanes().into_iter().flat_map(|(one, other)| [one, other]) {
            if let Some(before) = self.0.insert(end, line) {
                let found = match before == line {
                    true => format!("{end} at both ends of the cable"),
                    false => format!("{end}, where the cable of line {before} ends"),
                };
                let works = "one cable for each port, each row once,".to_owned();
                return Err(CablingError { line, column: String::new(), found, works });
            }
        }
        Ok(())
    }
}

/// The `cable_id` of each cable, with its first line and its jacks.
#[derive(Default)]
pub(crate) struct CableIds {
    known: BTreeMap<String, (u64, BTreeSet<Xname>)>,
    /// Rows with the id of another cable: the first id, its line, the line before, and their count.
    again: Option<(String, u64, u64, usize)>,
}

impl CableIds {
    /// Notes the id of a row. Rows of one id that share a jack, or join one node and one switch,
    /// are the links of one cable, such as a splitter.
    pub fn add(&mut self, cable: &Cable, line: u64) {
        let id = cable.cable_id.trim();
        if ["", "-", "none", "n/a"].iter().any(|word| id.eq_ignore_ascii_case(word)) {
            return;
        }
        let ends = cable.source.iter().chain(&cable.destination).flatten();
        let mut plugs: BTreeSet<Xname> = ends.clone().filter_map(|end| end.ancestor(XnameKind::Connector)).collect();
        plugs.extend(ends.filter(|end| end.kind() == XnameKind::Nic).filter_map(Xname::parent));
        match self.known.get_mut(id) {
            None => {
                self.known.insert(id.to_owned(), (line, plugs));
            }
            Some((_, known)) if !known.is_disjoint(&plugs) => known.extend(plugs),
            Some((before, _)) => match &mut self.again {
                Some((.., count)) => *count += 1,
                None => self.again = Some((id.to_owned(), line, *before, 1)),
            },
        }
    }

    /// A sentence about ids that two cables have.
    pub fn warning(&self) -> Option<String> {
        let (id, line, before, count) = self.again.as_ref()?;
        let (rows, id) = (counted(*count, "row"), quoted(id));
        let others = if *count > 1 { ", first" } else { "" };
        Some(format!(
            "line {line}: {rows} with the cable_id of another cable{others} '{id}' of line {before}: each is read as a cable"
        ))
    }
}
