//! The point-to-point cabling file, `Shasta_system_hsn_pt_pt.csv`: one row for each cable.
//!
//! UTF-8, optionally with a byte order mark; optional first rows that begin with `#` (quoted,
//! padded with commas); an optional header. Jacks are dotted (`x3000.c0.r15.j13`), and `none`
//! stands for a missing one. A cable may end in two NICs or two jacks.
//! Source: CSM's documentation. Status: published. Where the ports of a jack lead is not published;
//! [`Cable::lanes`] states the assumption.

use crate::cabling_rows::{CableIds, Plugs, Row};
use crate::xname::{Xname, XnameKind, quoted};
use philae_units::WideEncoding;
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// The columns, in their order in a file without a header.
pub const COLUMNS: [&str; 17] = [
    "cable_id",
    "src_conn_a",
    "src_conn_b",
    "dst_conn_a",
    "dst_conn_b",
    "stage",
    "src_egress_a",
    "src_egress_b",
    "dst_egress_a",
    "dst_egress_b",
    "link_type",
    "src_group",
    "dst_group",
    "part_number",
    "part_length",
    "calculated_distance",
    "route",
];

const LINK_TYPE: usize = 10;
const PART_LENGTH: usize = 14;
/// Columns that a row cannot do without.
const NEEDED: [usize; 3] = [1, 3, LINK_TYPE];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CablePurpose {
    /// From a switch to NICs.
    Edge,
    /// Within a group.
    Local,
    /// Between groups.
    Global,
}

impl fmt::Display for CablePurpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Edge => "edge",
            Self::Local => "local",
            Self::Global => "global",
        })
    }
}

/// An error in a cabling file, with its position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line} of the cabling{}: {found}; {works} would work", column_of(.column))]
pub struct CablingError {
    /// Line, from 1.
    pub line: u64,
    /// Name of the column; empty for the whole line.
    pub column: String,
    /// The text found.
    pub found: String,
    /// The text that would work.
    pub works: String,
}

fn column_of(column: &str) -> String {
    if column.is_empty() { String::new() } else { format!(", column {column}") }
}

/// One cable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cable {
    /// Its name.
    pub cable_id: String,
    /// Its ends on one side: jacks, ports of jacks, or NICs.
    pub source: [Option<Xname>; 2],
    /// Its far ends.
    pub destination: [Option<Xname>; 2],
    /// When it is to be laid; kept unchanged.
    pub stage: String,
    /// Where its ends leave the cabinets; source a and b, destination a and b; kept unchanged.
    pub egress: [String; 4],
    /// Its purpose.
    pub link_type: CablePurpose,
    pub source_group: Option<u32>,
    pub destination_group: Option<u32>,
    /// Kept unchanged.
    pub part_number: String,
    /// Length of the cable, in metres if it is a number; kept unchanged.
    pub part_length: String,
    /// Kept unchanged.
    pub calculated_distance: String,
    /// Kept unchanged.
    pub route: String,
}

impl Cable {
    /// Pairs of ends that its links join: two ports of jacks (`xXcCrRjJpP`), or such a port and a
    /// NIC.
    ///
    /// Assumed: between two jacks p0 leads to p0 and p1 to p1. If one jack meets two ends, p0 leads
    /// to the first and p1 to the second, and each of two jacks uses p0. If both sides have two
    /// jacks, a joins a and b joins b.
    #[must_use]
    pub fn lanes(&self) -> Vec<(Xname, Xname)> {
        let count = |ends: &[Option<Xname>; 2]| ends.iter().flatten().count();
        let both = count(&self.source) == 2 && count(&self.destination) == 2;
        let side = |ends: &[Option<Xname>; 2]| {
            let several = count(ends) == 2;
            let mut lanes = Vec::new();
            for end in ends.iter().flatten() {
                if end.kind() == XnameKind::Connector {
                    let ports = if several && !both { 0..1 } else { 0..2 };
                    lanes.extend(ports.filter_map(|port| end.child(XnameKind::ConnectorPort, port).ok()));
                } else {
                    lanes.push(*end);
                }
            }
            lanes
        };
        let edge = |ends: &[Option<Xname>; 2]| ends.iter().flatten().any(|end| end.kind() == XnameKind::Nic);
        let (mut source, mut destination) = (side(&self.source), side(&self.destination));
        // Two jacks and two NICs: one port of each jack.
        if both && edge(&self.source) != edge(&self.destination) {
            let first = |lanes: &mut Vec<Xname>| {
                lanes.retain(|name| name.kind() != XnameKind::ConnectorPort || name.number('p') == Some(0));
            };
            if edge(&self.source) { first(&mut destination) } else { first(&mut source) }
        }
        source.into_iter().zip(destination).collect()
    }

    /// Its length in millimetres: `part_length`, or otherwise `calculated_distance`, if it is a
    /// number of metres.
    #[must_use]
    pub fn length_mm(&self) -> Option<u32> {
        let metres = |text: &String| match length_of(text) {
            Length::Metres(metres) => Some(metres),
            Length::Unknown | Length::Words | Length::Wrong => None,
        };
        let metres = [&self.part_length, &self.calculated_distance].into_iter().find_map(metres)?;
        Some((metres * 1e3).round() as u32)
    }
}

/// The longest cable, in metres.
///
/// Source: none; the reach of optics between two switches is 2 km (400GBASE-FR8). Status: assumed.
const LENGTH_MAX_M: f64 = 2_000.0;

/// What a column of lengths says.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Length {
    /// Nothing, or that it is not known.
    Unknown,
    Metres(f64),
    /// Words without a number, such as a kind of cable.
    Words,
    /// A number that is no length in metres.
    Wrong,
}

/// `2`, `2.5`, `2.5 m`, `1e1m`.
fn length_of(text: &str) -> Length {
    let text = text.trim();
    if ["", "-", "none", "n/a", "na", "0", "0.0"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return Length::Unknown;
    }
    let unit = text.trim_start_matches(|letter: char| !letter.is_alphabetic() || "eE".contains(letter));
    let number = text[..text.len() - unit.len()].trim();
    match number.parse::<f64>().ok().or_else(|| text.parse().ok()) {
        Some(metres) if ["", "m", "metre", "metres", "meter", "meters"].contains(&unit.to_lowercase().as_str()) => {
            if metres > 0.0 && metres <= LENGTH_MAX_M {
                Length::Metres(metres)
            } else {
                Length::Wrong
            }
        }
        Some(_) => Length::Wrong,
        None if number.contains(|letter: char| letter.is_ascii_digit()) => Length::Wrong,
        None => Length::Words,
    }
}

/// The separator of a file's columns: that with which its first row looks like cabling. None if no
/// separator makes it so.
///
/// Spreadsheets write semicolons where a comma is the decimal point, and tabs.
pub(crate) fn separator(text: &str) -> Option<u8> {
    let rows = text.lines().map(|line| line.trim_matches([' ', '\r']).trim_start_matches('"'));
    let mut rows = rows.filter(|row| !row.starts_with('#'));
    let first = rows.find(|row| !row.trim_matches([',', ';', '\t', ' ']).is_empty())?;
    [',', ';', '\t'].into_iter().find_map(|separator| {
        let mut columns = first.split(separator).map(|column| column.trim().trim_matches('"'));
        let is_header = columns.next()?.eq_ignore_ascii_case(COLUMNS[0]);
        let mut is_row = || columns.next().is_some_and(|second| Xname::parse_dotted(second).is_ok());
        (is_header || is_row()).then_some(separator as u8)
    })
}

/// What a file says that is read otherwise, with the number of its rows and the first of them.
#[derive(Default)]
struct Noted(BTreeMap<String, (usize, u64)>);

impl Noted {
    fn add(&mut self, what: String, line: u64) {
        self.0.entry(what).or_insert((0, line)).0 += 1;
    }

    fn words(self) -> impl Iterator<Item = String> {
        self.0.into_iter().map(|(what, (rows, line))| match rows {
            1 => format!("line {line}: {what}"),
            _ => format!("{rows} rows, the first in line {line}: {what}"),
        })
    }
}

/// A cabling file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cabling {
    /// The lines that begin with `#`, without their padding.
    pub preamble: Vec<String>,
    /// Columns of the header that the format does not have; they are ignored.
    pub unknown_columns: Vec<String>,
    /// The cables, in the order of the file.
    pub cables: Vec<Cable>,
    /// Values that were read differently from their text, with the line.
    pub warnings: Vec<String>,
}

/// The position of each column in the rows of a file.
pub(crate) struct CablingHeader {
    pub place: [Option<usize>; COLUMNS.len()],
}

impl CablingHeader {
    const fn usual() -> Self {
        let mut place = [None; COLUMNS.len()];
        let mut at = 0;
        while at < COLUMNS.len() {
            place[at] = Some(at);
            at += 1;
        }
        Self { place }
    }

    fn of(record: &csv::StringRecord, line: u64) -> Result<Self, CablingError> {
        let mut place = [None; COLUMNS.len()];
        for (at, name) in record.iter().enumerate() {
            let known = COLUMNS.iter().position(|column| name.trim().eq_ignore_ascii_case(column));
            if let Some(column) = known
                && place[column].replace(at).is_some()
            {
                let (column, found) = (COLUMNS[column].to_owned(), "a second column of this name".to_owned());
                return Err(CablingError { line, column, found, works: "each column once".to_owned() });
            }
        }
        if let Some(&missing) = NEEDED.iter().find(|&&needed| place[needed].is_none()) {
            let (column, found) = (COLUMNS[missing].to_owned(), "a header without it".to_owned());
            return Err(CablingError { line, column, found, works: COLUMNS.join(",") });
        }
        Ok(Self { place })
    }
}

impl Cabling {
    /// Reads a file.
    ///
    /// # Errors
    /// [`CablingError`], with the line and the column.
    pub fn parse(bytes: &[u8]) -> Result<Self, CablingError> {
        if let Some(encoding) = WideEncoding::of(bytes) {
            let found = format!("text in {}", encoding.name());
            return Err(CablingError { line: 1, column: String::new(), found, works: "a file in UTF-8".to_owned() });
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
            let found = format!("byte {:#04x}, which is not UTF-8", bytes[error.valid_up_to()]);
            CablingError { line, column: String::new(), found, works: "a file in UTF-8".to_owned() }
        })?;
        let text = text.trim_start_matches('\u{feff}');
        let separator = separator(text).unwrap_or(b',');
        let mut reader = csv::ReaderBuilder::new();
        let reader = reader.has_headers(false).flexible(true).delimiter(separator);
        let mut reader = reader.from_reader(text.as_bytes());
        let mut noted = Noted::default();
        let mut cabling = Self::default();
        let mut header = CablingHeader::usual();
        let (mut first, mut last) = (true, 0);
        let mut row = Row { text, separator, width: None };
        let (mut plugs, mut ids) = (Plugs::default(), CableIds::default());
        let mut record = csv::StringRecord::new();
        loop {
            let more = reader.read_record(&mut record).map_err(|error| {
                let line = error.position().map_or(0, csv::Position::line);
                let (found, works) = (error.to_string(), "a row of values with separators between them".to_owned());
                CablingError { line, column: String::new(), found, works }
            })?;
            if !more {
                break;
            }
            let line = record.position().map_or(0, csv::Position::line);
            row.check_quotes(&record, reader.position(), line)?;
            let start = record.get(0).unwrap_or_default().trim();
            if start.starts_with('#') {
                let text = record.iter().collect::<Vec<_>>().join(",");
                cabling.preamble.push(text.trim_end_matches([',', ' ']).trim_start().to_owned());
                continue;
            }
            if record.iter().all(|value| value.trim().is_empty()) {
                continue;
            }
            if std::mem::take(&mut first) && start.eq_ignore_ascii_case(COLUMNS[0]) {
                header = CablingHeader::of(&record, line)?;
                let names = record.iter().map(str::trim).filter(|name| !name.is_empty());
                let unknown = names.filter(|name| !COLUMNS.iter().any(|column| name.eq_ignore_ascii_case(column)));
                cabling.unknown_columns = unknown.map(|name| quoted(name).to_string()).collect();
                row.width = Some((record.len(), line));
                continue;
            }
            let cable = cable(&header, &record, line, &mut cabling.warnings)?;
            row.check_width(&header, &record, line)?;
            plugs.add(&cable, line)?;
            ids.add(&cable, line);
            check_length(&cable, line, &mut noted)?;
            note_groups(&cable, line, &mut noted);
            cabling.cables.push(cable);
            last = line;
        }
        cabling.warnings.extend(noted.words());
        cabling.warnings.extend(ids.warning());
        if last > 0 && !text.ends_with(['\n', '\r']) {
            let cut = "the last row has no line end: a file that was cut within its last value looks the same";
            cabling.warnings.push(format!("line {last}: {cut}"));
        }
        Ok(cabling)
    }

    /// Writes the file: preamble, header, cables.
    ///
    /// # Panics
    /// Never, because it writes to memory.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(Vec::new());
        let expect = "memory takes every row";
        for line in &self.preamble {
            let mut row = vec![line.as_str()];
            row.resize(COLUMNS.len(), "");
            writer.write_record(row).expect(expect);
        }
        writer.write_record(COLUMNS).expect(expect);
        for cable in &self.cables {
            let end = |end: Option<Xname>| end.map_or_else(|| "none".to_owned(), |end| end.dotted());
            let group = |group: Option<u32>| group.map_or_else(String::new, |group| group.to_string());
            let [src_a, src_b, dst_a, dst_b] = cable.egress.clone();
            writer
                .write_record([
                    cable.cable_id.clone(),
                    end(cable.source[0]),
                    end(cable.source[1]),
                    end(cable.destination[0]),
                    end(cable.destination[1]),
                    cable.stage.clone(),
                    src_a,
                    src_b,
                    dst_a,
                    dst_b,
                    cable.link_type.to_string(),
                    group(cable.source_group),
                    group(cable.destination_group),
                    cable.part_number.clone(),
                    cable.part_length.clone(),
                    cable.calculated_distance.clone(),
                    cable.route.clone(),
                ])
                .expect(expect);
        }
        let bytes = writer.into_inner().expect(expect);
        String::from_utf8(bytes).expect("text came in")
    }
}

/// Refuses a length that is none, where it would be used.
fn check_length(cable: &Cable, line: u64, noted: &mut Noted) -> Result<(), CablingError> {
    for (column, text) in [(PART_LENGTH, &cable.part_length), (PART_LENGTH + 1, &cable.calculated_distance)] {
        match length_of(text) {
            Length::Metres(_) => return Ok(()),
            Length::Unknown => {}
            Length::Words => noted.add(format!("{} has words instead of metres and is ignored", COLUMNS[column]), line),
            Length::Wrong => {
                let (column, found) = (COLUMNS[column].to_owned(), format!("'{}'", quoted(text.trim())));
                let works = format!("metres above 0 and up to {LENGTH_MAX_M}, or nothing,");
                return Err(CablingError { line, column, found, works });
            }
        }
    }
    Ok(())
}

/// Notes where the kind of a cable is not that of its groups.
fn note_groups(cable: &Cable, line: u64, noted: &mut Noted) {
    let (Some(one), Some(other)) = (cable.source_group, cable.destination_group) else { return };
    match cable.link_type {
        CablePurpose::Global if one == other => {
            noted.add("link_type is global, but both ends are in one group: global is used".to_owned(), line);
        }
        CablePurpose::Local if one != other => {
            noted.add("link_type is local, but its ends are in two groups: local is used".to_owned(), line);
        }
        _ => {}
    }
}

/// A NIC's name without its controller, which public samples use for NICs that are not on a blade:
/// `x7000c0s0n0h11`. The controller is the first one.
fn without_bmc(text: &str) -> Option<Xname> {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !text.contains('b');
    let (before, after) = text.split_once('n').filter(|_| plain)?;
    format!("{before}b0n{after}").parse().ok().filter(|name: &Xname| name.kind() == XnameKind::Nic)
}

/// Kinds of names that a cable may end in.
const ENDS: [XnameKind; 3] = [XnameKind::Connector, XnameKind::ConnectorPort, XnameKind::Nic];

fn cable(
    header: &CablingHeader,
    record: &csv::StringRecord,
    line: u64,
    warnings: &mut Vec<String>,
) -> Result<Cable, CablingError> {
    let refused = |column: usize, found: String, works: String| CablingError {
        line,
        column: COLUMNS[column].to_owned(),
        found,
        works,
    };
    let value = |column: usize| header.place[column].and_then(|at| record.get(at)).unwrap_or_default().trim();
    let text = |column: usize| value(column).to_owned();
    for column in NEEDED {
        if header.place[column].is_some_and(|at| at >= record.len()) {
            let found = format!("the row ends after {} values", record.len());
            return Err(refused(column, found, format!("{} values", COLUMNS.len())));
        }
    }
    let mut end = |column: usize| {
        let value = value(column);
        if value.is_empty() || ["none", "n/a"].iter().any(|word| value.eq_ignore_ascii_case(word)) {
            return Ok(None);
        }
        let works = "a jack such as x3000.c0.r15.j13, a NIC such as x1000.c0.s0.b0.n0.h0, or none,".to_owned();
        let name = match (Xname::parse_dotted(value), without_bmc(value)) {
            (Ok(name), _) => name,
            (Err(_), Some(name)) => {
                let column = COLUMNS[column];
                warnings.push(format!("line {line}, column {column}: {value} names no controller; {name} is used"));
                name
            }
            (Err(error), None) => return Err(refused(column, error.to_string(), works)),
        };
        if !ENDS.contains(&name.kind()) {
            return Err(refused(column, format!("{name}, a {}", name.kind().name()), works));
        }
        Ok(Some(name))
    };
    let group = |column: usize| match value(column) {
        "" | "-" => Ok(None),
        none if ["none", "n/a", "na"].iter().any(|word| none.eq_ignore_ascii_case(word)) => Ok(None),
        value => value.parse::<u32>().map(Some).map_err(|_| {
            refused(column, format!("'{}'", quoted(value)), "the number of a group, or nothing,".to_owned())
        }),
    };
    let link_type = match value(LINK_TYPE).to_ascii_lowercase().as_str() {
        "edge" => CablePurpose::Edge,
        "local" => CablePurpose::Local,
        "global" => CablePurpose::Global,
        other => return Err(refused(LINK_TYPE, format!("'{}'", quoted(other)), "edge, local or global".to_owned())),
    };
    let mut ends = [[end(1)?, end(2)?], [end(3)?, end(4)?]];
    for [a, b] in &mut ends {
        // No cable has two plugs at the same NIC.
        if let Some(name) = *a
            && name.kind() == XnameKind::Nic
            && *b == *a
        {
            warnings.push(format!("line {line}: both ends are {name}; one link to it is used"));
            *b = None;
        }
    }
    let cable = Cable {
        cable_id: text(0),
        source: ends[0],
        destination: ends[1],
        stage: text(5),
        egress: [text(6), text(7), text(8), text(9)],
        link_type,
        source_group: group(11)?,
        destination_group: group(12)?,
        part_number: text(13),
        part_length: text(14),
        calculated_distance: text(15),
        route: text(16),
    };
    for (column, ends) in [(1, cable.source), (3, cable.destination)] {
        if ends == [None, None] {
            return Err(refused(column, "a cable without this end".to_owned(), "a jack or a NIC".to_owned()));
        }
    }
    let nics = |ends: &[Option<Xname>; 2]| ends.iter().flatten().filter(|end| end.kind() == XnameKind::Nic).count();
    let count = |ends: &[Option<Xname>; 2]| ends.iter().flatten().count();
    let (source, destination) = (nics(&cable.source), nics(&cable.destination));
    let mixed = |nics: usize, ends: &[Option<Xname>; 2]| nics != 0 && nics != count(ends);
    let edge = (source == 0) != (destination == 0);
    if mixed(source, &cable.source)
        || mixed(destination, &cable.destination)
        || (link_type == CablePurpose::Edge) != edge
    {
        let works = "NICs at one end of an edge cable, jacks at all other ends,".to_owned();
        let found = format!("{link_type}, with {source} NICs at one end and {destination} at the other");
        return Err(refused(LINK_TYPE, found, works));
    }
    Ok(cable)
}
