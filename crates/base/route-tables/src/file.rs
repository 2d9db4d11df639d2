//! Tables in a file: the form in which a manager hands them out, and which the simulator uses for
//! forwarding.
//!
//! Little-endian. A `number` is an unsigned LEB128 of up to ten bytes, a `word` eight bytes.
//!
//! | part | what |
//! |---|---|
//! | magic | the eight bytes `PHROUTES` |
//! | version | four bytes: 1 |
//! | wiring | word: [`FabricWiring::hash`] of the wiring that the tables are for |
//! | system | number of bytes, then the system's name in UTF-8 |
//! | generation | number |
//! | parameters | number: channel classes that paths may climb through |
//! | shape | numbers: switches, ports a switch, words of a row |
//! | dead links | number of links, then of each its lower port, as the difference from the one before |
//! | masks | number of different masks, then each as a word, the most frequent first |
//! | rows | of each switch its row, as runs of masks |
//! | apart | number of switches with entries of their own; of each: its number, 1 where paths lead up and down a tree (else 0), and the entries of all switches as runs |
//! | checksum | word: 64 bits of XXH3 over everything before |
//!
//! A run is the number `2 * mask` for one entry, or `2 * mask + 1` and the number of entries less
//! two for several. Rows and entries are those of [`Tables`].

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_units::{PortIndex, SwitchId};
use xxhash_rust::xxh3::xxh3_64;

use crate::links::{LinkChange, LiveLinks};
use crate::plan::{Parameters, RoutePlan};
use crate::tables::{OwnEntries, Tables};
use crate::update::Generation;
use crate::wiring::FabricWiring;

/// The first bytes of a file of forwarding tables.
pub const ROUTES_MARK: [u8; 8] = *b"PHROUTES";

/// The version that is written, and the only one that is read.
const VERSION: u32 = 1;

/// The most entries that a file may expand to: six times those of 17,440 switches. It keeps a
/// forged file from taking all memory.
const ENTRIES_MAX: u64 = 1 << 26;

/// Tables that cannot be read from a file, or not for this system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The file does not have tables.
    #[error("it does not begin as a file of routes does; one that `philae routes` wrote would work")]
    NotRoutes,
    /// The file has another version.
    #[error("it is of version {found} of the format, and version {VERSION} is read; write it again with this program")]
    Version {
        /// Version of the file.
        found: u32,
    },
    /// Bytes changed or are missing.
    #[error("it is damaged: {what}; write it again")]
    Damaged {
        /// What is wrong.
        what: &'static str,
    },
    /// More entries than are read.
    #[error("it has {found} entries; {ENTRIES_MAX} are the most that are read")]
    TooLarge {
        /// Number of entries.
        found: u64,
    },
    /// Tables of another system.
    #[error(
        "its tables are for the wiring of system {system} ({switches} switches, wiring {file:016x}), and the wiring here is {here:016x}: tables made for this system would work"
    )]
    OtherWiring {
        /// Name of the file's system.
        system: String,
        /// Number of its switches.
        switches: usize,
        /// Hash of its wiring.
        file: u64,
        /// Hash of the wiring at hand.
        here: u64,
    },
}

const fn damaged<T>(what: &'static str) -> Result<T, FileError> {
    Err(FileError::Damaged { what })
}

/// Contents of a file.
///
/// ```
/// use philae_route_tables::{Parameters, RoutePlan, RoutesFile, FabricWiring, verify};
/// use philae_topology::{DragonflyDescription, Topology};
/// use std::sync::Arc;
///
/// let topology = Topology::build(&DragonflyDescription::uniform(4, 8, 4, 2).into()).expect("fits 64 ports");
/// let wiring = Arc::new(FabricWiring::of(&topology).expect("64 ports at most"));
/// let plan = RoutePlan::new(Arc::clone(&wiring), None, Parameters::default());
/// let bytes = RoutesFile::write(&plan, "small");
/// let read = RoutesFile::read(&bytes).expect("just written").plan(wiring).expect("the same wiring");
/// assert_eq!(read.tables(), plan.tables());
/// assert!(verify(&read).is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutesFile {
    /// Name of the system.
    pub system: String,
    /// Hash of its wiring.
    pub wiring: u64,
    /// Generation of the tables.
    pub generation: Generation,
    /// Parameters of the computation.
    pub parameters: Parameters,
    /// Links that do not work, each by its lower port, ascending.
    pub dead: Vec<PortIndex>,
    /// The checksum: it differs if files differ.
    pub checksum: u64,
    radix: usize,
    width: usize,
    rows: Vec<Arc<[u64]>>,
    own_entries: BTreeMap<u32, OwnEntries>,
}

impl RoutesFile {
    /// The bytes of a file with the tables of a plan.
    #[must_use]
    pub fn write(plan: &RoutePlan, system: &str) -> Vec<u8> {
        let (wiring, tables) = (&plan.wiring, &plan.tables);
        let masks = Masks::of(tables);
        let mut out = ROUTES_MARK.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.extend(wiring.hash().to_le_bytes());
        put(&mut out, system.len() as u64);
        out.extend(system.as_bytes());
        put(&mut out, plan.generation.0);
        put(&mut out, u64::from(plan.parameters.legs));
        for number in [tables.rows.len(), wiring.radix(), tables.width()] {
            put(&mut out, number as u64);
        }
        let dead: Vec<PortIndex> = plan.dead_links().collect();
        put(&mut out, dead.len() as u64);
        let mut last = 0;
        for port in dead {
            put(&mut out, u64::from(port.0 - last));
            last = port.0;
        }
        put(&mut out, masks.list.len() as u64);
        masks.list.iter().for_each(|mask| out.extend(mask.to_le_bytes()));
        tables.rows.iter().for_each(|row| masks.put(&mut out, row));
        put(&mut out, tables.own_entries.len() as u64);
        for (&target, own_entries) in &tables.own_entries {
            put(&mut out, u64::from(target));
            put(&mut out, u64::from(own_entries.up_down));
            masks.put(&mut out, &own_entries.ports);
        }
        let checksum = xxh3_64(&out);
        out.extend(checksum.to_le_bytes());
        out
    }

    /// Reads a file. [`verify`](crate::verify()) of its [`plan`](Self::plan) says whether its
    /// tables are sound.
    ///
    /// # Errors
    /// [`FileError`], except [`FileError::OtherWiring`].
    pub fn read(bytes: &[u8]) -> Result<Self, FileError> {
        let head = ROUTES_MARK.len() + 4;
        if bytes.len() < head || bytes[..ROUTES_MARK.len()] != ROUTES_MARK {
            return Err(FileError::NotRoutes);
        }
        let mut input = Input { bytes, position: ROUTES_MARK.len() };
        let version = u32::from_le_bytes(input.take::<4>()?);
        if version != VERSION {
            return Err(FileError::Version { found: version });
        }
        let Some(end) = bytes.len().checked_sub(8).filter(|&end| end >= head) else {
            return damaged("it ends before its checksum");
        };
        let checksum = Input { bytes, position: end }.word()?;
        if xxh3_64(&bytes[..end]) != checksum {
            return damaged("its checksum is not that of its contents");
        }
        input.bytes = &bytes[..end];
        input.contents(checksum)
    }

    /// The tables as a plan for this wiring, with the links that the file calls dead.
    ///
    /// # Errors
    /// [`FileError::OtherWiring`], and [`FileError::Damaged`] if something still does not fit the
    /// wiring.
    pub fn plan(self, wiring: impl Into<Arc<FabricWiring>>) -> Result<RoutePlan, FileError> {
        let wiring = wiring.into();
        let here = wiring.hash();
        if here != self.wiring {
            let switches = self.rows.len();
            return Err(FileError::OtherWiring { system: self.system, switches, file: self.wiring, here });
        }
        let shape = Tables::shaped(&wiring);
        let fits = self.rows.len() == wiring.switch_count()
            && self.radix == wiring.radix()
            && self.width == shape.width()
            && self.own_entries.keys().all(|&target| (target as usize) < wiring.switch_count());
        if !fits {
            return damaged("its tables are not of the size that its wiring wants");
        }
        let mut links = LiveLinks::all(&wiring);
        for &port in &self.dead {
            let is_link = port.index() < wiring.switch_count() * wiring.radix();
            if !is_link || !links.set(&wiring, LinkChange { port, up: false }) {
                return damaged("it calls a link dead that is none");
            }
        }
        let tables = Tables { rows: self.rows, own_entries: self.own_entries, ..shape };
        Ok(RoutePlan::restored(wiring, links, tables, self.parameters, self.generation))
    }

    /// Number of switches.
    #[must_use]
    pub fn switch_count(&self) -> usize {
        self.rows.len()
    }
}

/// The different masks of all tables, and the index of each.
struct Masks {
    list: Vec<u64>,
    index: BTreeMap<u64, u64>,
}

impl Masks {
    fn of(tables: &Tables) -> Self {
        let mut times: BTreeMap<u64, u64> = BTreeMap::new();
        let rows = tables.rows.iter().map(|row| &row[..]);
        for list in rows.chain(tables.own_entries.values().map(|own_entries| &own_entries.ports[..])) {
            for run in list.chunk_by(|one, other| one == other) {
                *times.entry(run[0]).or_default() += 1;
            }
        }
        let mut list: Vec<u64> = times.keys().copied().collect();
        list.sort_by_key(|mask| (u64::MAX - times[mask], *mask));
        let index = list.iter().enumerate().map(|(index, &mask)| (mask, index as u64)).collect();
        Self { list, index }
    }

    fn put(&self, out: &mut Vec<u8>, entries: &[u64]) {
        for run in entries.chunk_by(|one, other| one == other) {
            let index = self.index[&run[0]];
            put(out, index << 1 | u64::from(run.len() > 1));
            if run.len() > 1 {
                put(out, run.len() as u64 - 2);
            }
        }
    }
}

fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Bytes that are still to be read.
struct Input<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl Input<'_> {
    fn contents(mut self, checksum: u64) -> Result<RoutesFile, FileError> {
        let wiring = self.word()?;
        let length = self.number()?;
        let name = usize::try_from(length).ok().and_then(|length| self.bytes.get(self.position..)?.get(..length));
        let Some(name) = name else { return damaged("it ends too early") };
        self.position += name.len();
        let Ok(system) = std::str::from_utf8(name) else { return damaged("its system's name is not UTF-8") };
        let generation = Generation(self.number()?);
        let legs = match u8::try_from(self.number()?) {
            Ok(legs) if legs > 0 => legs,
            _ => return damaged("its channel classes are not 1 to 255"),
        };
        let (switches, radix, width) = (self.number()?, self.number()?, self.number()?);
        let entries = switches.saturating_mul(width.max(1));
        if entries > ENTRIES_MAX {
            return Err(FileError::TooLarge { found: entries });
        }
        let dead = self.dead()?;
        let masks = self.list(|input| input.word())?;
        let width = width as usize;
        let rows: Result<Vec<Arc<[u64]>>, _> = (0..switches).map(|_| self.runs(&masks, width).map(Arc::from)).collect();
        let rows = rows?;
        let own_entries = self.own_entries(&masks, rows.len(), entries)?;
        if self.position != self.bytes.len() {
            return damaged("something follows its contents");
        }
        Ok(RoutesFile {
            system: system.to_owned(),
            wiring,
            generation,
            parameters: Parameters { legs },
            dead,
            checksum,
            radix: radix as usize,
            width,
            rows,
            own_entries,
        })
    }

    fn dead(&mut self) -> Result<Vec<PortIndex>, FileError> {
        let mut last = 0_u64;
        self.list(|input| {
            last = last.saturating_add(input.number()?);
            u32::try_from(last).map_or_else(|_| damaged("a dead link has no number"), |port| Ok(PortIndex(port)))
        })
    }

    fn own_entries(
        &mut self,
        masks: &[u64],
        switches: usize,
        entries: u64,
    ) -> Result<BTreeMap<u32, OwnEntries>, FileError> {
        let mut entries_total = entries;
        let list = self.list(|input| {
            entries_total = entries_total.saturating_add(switches as u64);
            if entries_total > ENTRIES_MAX {
                return Err(FileError::TooLarge { found: entries_total });
            }
            let Ok(target) = u32::try_from(input.number()?) else { return damaged("a switch has no number") };
            let up_down = match input.number()? {
                0 => false,
                1 => true,
                _ => return damaged("entries of a switch are of no known kind"),
            };
            Ok((target, OwnEntries { ports: input.runs(masks, switches)?, up_down }))
        })?;
        Ok(list.into_iter().collect())
    }

    /// A list preceded by its length. Each entry takes a byte or more.
    fn list<T>(&mut self, mut entry: impl FnMut(&mut Self) -> Result<T, FileError>) -> Result<Vec<T>, FileError> {
        let count = self.number()?;
        if count > (self.bytes.len() - self.position) as u64 {
            return damaged("a list is longer than what is left");
        }
        (0..count).map(|_| entry(self)).collect()
    }

    fn runs(&mut self, masks: &[u64], length: usize) -> Result<Vec<u64>, FileError> {
        let mut entries = Vec::with_capacity(length);
        while entries.len() < length {
            let run = self.number()?;
            let Some(&mask) = usize::try_from(run >> 1).ok().and_then(|index| masks.get(index)) else {
                return damaged("an entry has a mask that is not listed");
            };
            let times = if run & 1 == 1 { self.number()?.saturating_add(2) } else { 1 };
            if times > (length - entries.len()) as u64 {
                return damaged("a run is longer than its row");
            }
            entries.resize(entries.len() + times as usize, mask);
        }
        Ok(entries)
    }

    fn number(&mut self) -> Result<u64, FileError> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let [byte] = self.take::<1>()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        damaged("a number is too large")
    }

    fn word(&mut self) -> Result<u64, FileError> {
        Ok(u64::from_le_bytes(self.take::<8>()?))
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        match self.bytes.get(self.position..).and_then(|rest| rest.first_chunk::<N>()) {
            Some(&bytes) => {
                self.position += N;
                Ok(bytes)
            }
            None => damaged("it ends too early"),
        }
    }
}

impl RoutePlan {
    /// Links that do not work, each by its lower port, ascending.
    pub fn dead_links(&self) -> impl Iterator<Item = PortIndex> + '_ {
        self.wiring.links().map(|(port, _)| port).filter(|&port| !self.links.is_live(&self.wiring, port))
    }

    /// Whether a live link joins two groups (the larger part of each, if they have come apart).
    #[must_use]
    pub fn are_joined(&self, one: philae_units::GroupId, other: philae_units::GroupId) -> bool {
        self.components.are_joined(one.index(), other.index())
    }
}

impl Tables {
    /// Set for a switch that the entries of its group do not serve: `true` if paths to it lead up
    /// and down a tree.
    #[inline]
    #[must_use]
    pub fn own_entries_up_down(&self, target: SwitchId) -> Option<bool> {
        if self.own_entries.is_empty() {
            None
        } else {
            self.own_entries.get(&target.0).map(|own_entries| own_entries.up_down)
        }
    }
}
