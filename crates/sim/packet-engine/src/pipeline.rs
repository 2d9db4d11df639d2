//! A running program: a frame and its metadata in, a verdict and a frame out.

use crate::action::{Act, NameNumbers, Surroundings, TunnelSource, ValueSource, resolve};
use crate::error::{EngineError, hint};
use crate::field::Field;
use crate::flow;
use crate::graph::ParseGraph;
use crate::packet::{CAUSE_LONG, CAUSE_NO_ADDRESS, EnginePacket, Metadata, Tunnel, mac};
use crate::pattern::FieldPattern;
use crate::spec::{EntrySpec, MatchKind, PipelineProgram, PipelineStage, TableSpec};
use crate::table::{EntryHandle, MatchTable, SIZE_MAX};
use philae_wire::MacAddress;
use std::collections::BTreeMap;
use std::net::Ipv4Addr;

/// The most tables of a program.
///
/// Source: ours; the number of tables of a Rosetta is not published. Status: assumed.
pub const TABLES_MAX: usize = 256;

/// The tables that hold members of virtual networks, one for each stage.
const MEMBER_TABLES: [&str; 2] = ["vni_ingress", "vni_egress"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PacketDecision {
    /// It passes.
    Permit,
    /// It is discarded.
    Deny {
        cause: String,
        /// The table that denied it.
        table: String,
    },
}

/// The entries and counters that a packet matched. Further packets of the same kind are counted by
/// it without evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Trail(Vec<Step>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
enum Step {
    Hit(usize, EntryHandle),
    Miss(usize),
    Count(u16),
}

/// The result for a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The decision.
    pub verdict: PacketDecision,
    /// Its frame as the actions changed it; for a denied packet, the original frame.
    pub frame: Vec<u8>,
    /// Its metadata after the actions.
    pub metadata: Metadata,
    /// Signature of its flow before any action.
    pub signature: u32,
    /// The entries and counters that it matched.
    pub trail: Trail,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableCount {
    pub table: String,
    pub stage: PipelineStage,
    /// The number of entries, and the table's size.
    pub entries: (u32, u32),
    /// Packets that an entry matched, by entry.
    pub hits: BTreeMap<EntryHandle, u64>,
    /// Packets that no entry matched.
    pub misses: u64,
}

impl TableCount {
    /// Packets that the table evaluated.
    #[must_use]
    pub fn packets(&self) -> u64 {
        self.hits.values().sum::<u64>() + self.misses
    }
}

/// A compiled program.
#[derive(Clone, Debug)]
pub struct Pipeline {
    graph: ParseGraph,
    signature: Vec<Field>,
    classes: Vec<String>,
    tables: Vec<MatchTable>,
    /// By stage: number and name of its tables, in the order in which packets pass them.
    order: [Vec<(usize, String)>; 2],
    causes: NameNumbers,
    counters: NameNumbers,
    counts: Vec<u64>,
}

/// The continuation after an action list.
enum Then {
    Next,
    Goto(usize),
    Permit,
    Deny(String),
}

impl PipelineProgram {
    /// Checks and compiles a program. `classes` are the traffic classes that it may name; without
    /// any, it names them by number.
    ///
    /// # Errors
    /// [`EngineError`]: an unknown table or field, a pattern that its field cannot have, a full
    /// table, a `goto` that does not lead forward, or another error. Each says what would work.
    pub fn compile(&self, classes: &[String]) -> Result<Pipeline, EngineError> {
        let graph = ParseGraph::new(&self.parser)?;
        let place = "packet_engine.signature";
        let signature = self.signature.iter().map(|text| {
            let field = Field::named(text, place)?;
            graph.must_find(field, place).map(|()| field)
        });
        let signature = signature.collect::<Result<_, _>>()?;
        if self.tables.len() > TABLES_MAX {
            let works = format!("at most {TABLES_MAX} would work");
            return Err(EngineError::value("packet_engine", "the number of tables", self.tables.len(), works));
        }
        let mut pipeline = Pipeline {
            graph,
            signature,
            classes: classes.to_vec(),
            tables: Vec::new(),
            order: [Vec::new(), Vec::new()],
            causes: NameNumbers::default(),
            counters: NameNumbers::default(),
            counts: Vec::new(),
        };
        for table in &self.tables {
            pipeline.add_table(table)?;
        }
        // Defaults and entries may go to later tables, so those must exist first.
        for (number, table) in self.tables.iter().enumerate() {
            let place = format!("table '{}', default", table.name);
            pipeline.tables[number].default = pipeline.actions(number, place, &table.default)?;
            pipeline.tables[number].has_room(table.entries.len() as u64)?;
            for entry in &table.entries {
                pipeline.insert_at(number, entry)?;
            }
        }
        Ok(pipeline)
    }
}

impl Pipeline {
    fn add_table(&mut self, spec: &TableSpec) -> Result<(), EngineError> {
        let (number, name) = (self.tables.len(), spec.name.clone());
        let place = format!("table '{name}'");
        if name.is_empty() {
            let works = "a name of at least one letter would work";
            return Err(EngineError::value(format!("table number {}", number + 1), "`name`", "empty", works));
        }
        if self.tables.iter().any(|table| table.name == name) {
            return Err(EngineError::Twice { what: "tables", name });
        }
        if spec.size == 0 || spec.size > SIZE_MAX {
            return Err(EngineError::value(place, "`size`", spec.size, format!("1 to {SIZE_MAX} entries would work")));
        }
        let mut key: Vec<(Field, MatchKind)> = Vec::new();
        for part in &spec.key {
            let field = Field::named(&part.field, &place)?;
            self.graph.must_find(field, &place)?;
            if key.iter().any(|(known, _)| *known == field) {
                return Err(EngineError::value(
                    place,
                    format!("`{field}` in the key"),
                    "there twice",
                    "once would work",
                ));
            }
            key.push((field, part.kind));
        }
        let order = &mut self.order[spec.stage as usize];
        let at = match &spec.before {
            None => order.len(),
            Some(before) => order.iter().position(|(_, known)| known == before).ok_or_else(|| {
                let names: Vec<String> = order.iter().map(|(_, name)| name.clone()).collect();
                let works = format!(
                    "no table of the {} that is named earlier has that name{} tables: {}",
                    spec.stage,
                    hint(before, &names),
                    names.join(", ")
                );
                EngineError::value(&place, "`before`", format!("'{before}'"), works)
            })?,
        };
        order.insert(at, (number, name.clone()));
        self.tables.push(MatchTable::new(name, spec.stage, key, spec.size, Vec::new()));
        Ok(())
    }

    fn actions(
        &mut self,
        number: usize,
        place: String,
        actions: &[crate::spec::PacketAction],
    ) -> Result<Vec<Act>, EngineError> {
        let tables = &self.order[self.tables[number].stage as usize];
        let around = Surroundings { place, graph: &self.graph, classes: &self.classes, tables, table: number };
        let found = resolve(actions, &around, &mut self.causes, &mut self.counters)?;
        self.counts.resize(self.counters.all().len(), 0);
        Ok(found)
    }

    /// Compiles the match and the actions of an entry.
    fn read(&mut self, number: usize, entry: &EntrySpec) -> Result<(Vec<FieldPattern>, Vec<Act>), EngineError> {
        let table = &self.tables[number];
        let place = format!("table '{}'", table.name);
        let mut patterns = vec![FieldPattern::Any; table.key.len()];
        for (text, value) in &entry.matches {
            let field = Field::named(text, &place)?;
            let Some(at) = table.key.iter().position(|(known, _)| *known == field) else {
                let names: Vec<String> = table.key.iter().map(|(known, _)| known.to_string()).collect();
                let works = format!("its key has: {}", names.join(", "));
                return Err(EngineError::value(place, "a field of an entry", format!("`{field}`"), works));
            };
            patterns[at] = FieldPattern::read(&place, field, table.key[at].1, value, &self.classes)?;
        }
        let exact = |((field, kind), pattern): &(&(Field, MatchKind), &FieldPattern)| {
            (*kind == MatchKind::Exact && **pattern == FieldPattern::Any).then_some(*field)
        };
        if let Some(field) = table.key.iter().zip(&patterns).find_map(|pair| exact(&pair)) {
            let works = "it is compared exactly: give a value, or compare it as ternary in the key";
            return Err(EngineError::value(place, format!("`{field}` of an entry"), "absent", works));
        }
        let all_exact = table.key.iter().all(|(_, kind)| *kind == MatchKind::Exact);
        if all_exact && entry.priority > 0 {
            let works = "all of its key is compared exactly, so that no two entries match one packet; 0 would work";
            return Err(EngineError::value(place, "`priority` of an entry", entry.priority, works));
        }
        let actions = self.actions(number, place, &entry.actions)?;
        Ok((patterns, actions))
    }

    fn insert_at(&mut self, number: usize, entry: &EntrySpec) -> Result<EntryHandle, EngineError> {
        // Check the room first: a full table is the more useful error.
        self.tables[number].has_room(1)?;
        let (patterns, actions) = self.read(number, entry)?;
        self.tables[number].insert(patterns, entry.priority, actions)
    }

    fn number(&self, table: &str) -> Result<usize, EngineError> {
        self.tables.iter().position(|known| known.name == table).ok_or_else(|| {
            let names: Vec<String> = self.tables.iter().map(|table| table.name.clone()).collect();
            EngineError::UnknownTable {
                place: "the pipeline".to_owned(),
                found: table.to_owned(),
                hint: hint(table, &names),
                known: names.join(", "),
            }
        })
    }

    /// Adds an entry to a table.
    ///
    /// # Errors
    /// [`EngineError`]: no such table, no room, an equal entry, patterns or actions that are
    /// invalid.
    pub fn insert(&mut self, table: &str, entry: &EntrySpec) -> Result<EntryHandle, EngineError> {
        self.insert_at(self.number(table)?, entry)
    }

    /// Removes an entry from a table.
    ///
    /// # Errors
    /// [`EngineError`]: no such table or entry.
    pub fn remove(&mut self, table: &str, handle: EntryHandle) -> Result<(), EngineError> {
        let number = self.number(table)?;
        self.tables[number].remove(handle).map(|_| ())
    }

    /// Replaces an entry. The new one keeps its handle and hits.
    ///
    /// # Errors
    /// As [`insert`](Self::insert) and [`remove`](Self::remove); the old entry then remains.
    pub fn replace(&mut self, table: &str, handle: EntryHandle, entry: &EntrySpec) -> Result<(), EngineError> {
        let number = self.number(table)?;
        let (patterns, actions) = self.read(number, entry)?;
        self.tables[number].replace(handle, patterns, entry.priority, actions)
    }

    /// Whether the program isolates virtual networks, and so needs members.
    #[must_use]
    pub fn has_members(&self) -> bool {
        self.tables.iter().any(|table| MEMBER_TABLES.contains(&table.name.as_str()))
    }

    /// Makes an endpoint a member of a virtual network, in the tables that need it. A repetition
    /// changes nothing.
    ///
    /// # Errors
    /// [`EngineError::Full`], or [`EngineError::Value`] for a VNI above 24 bits.
    pub fn admit(&mut self, endpoint: u32, vni: u32) -> Result<(), EngineError> {
        let matches = [("meta.endpoint", endpoint), ("meta.vni", vni)];
        let matches = matches.map(|(field, value)| (field.to_owned(), u64::from(value).into()));
        let entry = EntrySpec { matches: matches.into(), ..EntrySpec::default() };
        for number in 0..self.tables.len() {
            if !MEMBER_TABLES.contains(&self.tables[number].name.as_str()) {
                continue;
            }
            let key = [Some(u64::from(endpoint)), Some(u64::from(vni))];
            if self.tables[number].lookup_values(&key).is_none() {
                self.insert_at(number, &entry)?;
            }
        }
        Ok(())
    }

    /// Parses the headers of a frame (without frame check sequence).
    #[must_use]
    pub fn parse<'frame>(&self, frame: &'frame [u8], stage: PipelineStage, metadata: Metadata) -> EnginePacket<'frame> {
        self.graph.parse(frame, stage, metadata)
    }

    /// Signature of a packet's flow.
    #[must_use]
    pub fn signature(&self, packet: &EnginePacket<'_>) -> u32 {
        flow::signature(packet, &self.signature)
    }

    /// Evaluates a frame (without frame check sequence) at a stage. Counts nothing: see
    /// [`account`](Self::account).
    #[must_use]
    pub fn classify(&self, stage: PipelineStage, frame: &[u8], metadata: Metadata) -> Passage {
        let mut packet = self.graph.parse(frame, stage, metadata);
        let signature = self.signature(&packet);
        let mut trail = Trail::default();
        let order = &self.order[stage as usize];
        let mut last = "";
        let mut denied = None;
        let mut at = 0;
        while let Some((number, name)) = order.get(at) {
            last = name;
            let table = &self.tables[*number];
            let entry = table.lookup(&packet);
            trail.0.push(entry.map_or(Step::Miss(*number), |entry| Step::Hit(*number, entry.handle)));
            let actions = entry.map_or(&table.default, |entry| &entry.actions);
            match self.apply(actions, &mut packet, &mut trail) {
                Then::Next => at += 1,
                // A compiled `goto` leads to a later table of the stage.
                Then::Goto(to) => at = order.iter().position(|(number, _)| *number == to).unwrap_or(order.len()),
                Then::Permit => break,
                Then::Deny(cause) => {
                    denied = Some(cause);
                    break;
                }
            }
        }
        let metadata = packet.metadata;
        let (denied, frame) = match (denied, packet.emit()) {
            (None, Ok(frame)) => (None, frame),
            (None, Err(_)) => (Some(CAUSE_LONG.to_owned()), frame.to_vec()),
            (cause, _) => (cause, frame.to_vec()),
        };
        let verdict = match denied {
            None => PacketDecision::Permit,
            Some(cause) => PacketDecision::Deny { cause, table: last.to_owned() },
        };
        Passage { verdict, frame, metadata, signature, trail }
    }

    /// Evaluates a frame and counts it.
    pub fn run(&mut self, stage: PipelineStage, frame: &[u8], metadata: Metadata) -> Passage {
        let passage = self.classify(stage, frame, metadata);
        self.account(&passage.trail, 1);
        passage
    }

    /// Counts `packets` packets that matched the same entries. Entries that have been removed since
    /// do not count.
    pub fn account(&mut self, trail: &Trail, packets: u64) {
        for step in &trail.0 {
            match *step {
                Step::Hit(table, handle) => {
                    if let Some(entry) = self.tables.get_mut(table).and_then(|table| table.entry_mut(handle)) {
                        entry.hits += packets;
                    }
                }
                Step::Miss(table) => {
                    if let Some(table) = self.tables.get_mut(table) {
                        table.misses += packets;
                    }
                }
                Step::Count(counter) => {
                    if let Some(count) = self.counts.get_mut(usize::from(counter)) {
                        *count += packets;
                    }
                }
            }
        }
    }

    /// The number of packets by counter.
    #[must_use]
    pub fn counters(&self) -> BTreeMap<&str, u64> {
        self.counters.all().iter().map(String::as_str).zip(self.counts.iter().copied()).collect()
    }

    /// The counts of the tables, in the order in which packets pass them, ingress first.
    #[must_use]
    pub fn table_counts(&self) -> Vec<TableCount> {
        let tables = self.order.iter().flatten().map(|(number, _)| &self.tables[*number]);
        let count = |table: &MatchTable| TableCount {
            table: table.name.clone(),
            stage: table.stage,
            entries: (table.len() as u32, table.size),
            hits: table.entries().map(|entry| (entry.handle, entry.hits)).collect(),
            misses: table.misses,
        };
        tables.map(count).collect()
    }

    fn apply(&self, actions: &[Act], packet: &mut EnginePacket<'_>, trail: &mut Trail) -> Then {
        let value = |packet: &EnginePacket<'_>, source: ValueSource| match source {
            ValueSource::Constant(value) => Some(value),
            ValueSource::Field(field) => packet.get(field),
        };
        for action in actions {
            match action {
                Act::Permit => return Then::Permit,
                Act::Deny { cause } => return Then::Deny(self.causes.all()[usize::from(*cause)].clone()),
                Act::Goto { table } => return Then::Goto(*table),
                Act::Count { counter } => trail.0.push(Step::Count(*counter)),
                Act::Set { field, source } => {
                    if let Some(value) = value(packet, *source) {
                        packet.set(*field, value);
                    }
                }
                Act::PushVlan { vlan, priority } => {
                    if !packet.push_vlan(*vlan, *priority) {
                        return Then::Deny(crate::packet::CAUSE_DEEP.to_owned());
                    }
                }
                Act::PopVlan => packet.pop_vlan(),
                Act::Encapsulate(tunnel) => {
                    if let Err(cause) = encapsulate(tunnel, packet, value) {
                        return Then::Deny(cause.to_owned());
                    }
                }
                Act::Decapsulate => packet.decapsulate(),
            }
        }
        Then::Next
    }
}

fn encapsulate<'p>(
    tunnel: &TunnelSource,
    packet: &mut EnginePacket<'p>,
    value: impl Fn(&EnginePacket<'p>, ValueSource) -> Option<u64>,
) -> Result<(), &'static str> {
    let read = |source| value(packet, source).ok_or(CAUSE_NO_ADDRESS);
    let address = |source| read(source).map(|found| Ipv4Addr::from(found as u32));
    let station = |source| read(source).map(mac) as Result<MacAddress, _>;
    let found = Tunnel {
        vni: tunnel.vni.unwrap_or(packet.metadata.vni),
        source: address(tunnel.source)?,
        destination: address(tunnel.destination)?,
        source_mac: station(tunnel.source_mac)?,
        destination_mac: station(tunnel.destination_mac)?,
        source_port: flow::tunnel_port(packet),
    };
    packet.encapsulate(&found)
}
