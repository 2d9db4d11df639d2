//! A table: patterns over a key, and the one entry that decides for a packet.
//!
//! Entries are kept by the values of their exact fields, and within those in order of precedence:
//! priority, then the sum of their prefix lengths, then age. A key of exact fields only needs one
//! look-up. A key of ternary fields only is a list that is searched from the front, as in a TCAM.

use crate::action::Act;
use crate::error::EngineError;
use crate::field::Field;
use crate::packet::EnginePacket;
use crate::pattern::FieldPattern;
use crate::spec::{MatchKind, PipelineStage};
use std::collections::BTreeMap;

/// The most entries that a table may be given.
///
/// Source: ours, so that a typing error does not exhaust the machine's memory; the size of a
/// Rosetta's tables is not published.
/// Status: assumed.
pub const SIZE_MAX: u32 = 1 << 20;

/// Identifies an entry of one table while the table has it. Handles are not reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct EntryHandle(pub u32);

#[derive(Clone, Debug)]
pub(crate) struct MatchEntry {
    pub handle: EntryHandle,
    pub priority: u32,
    /// One pattern for each field of the key.
    pub patterns: Vec<FieldPattern>,
    pub actions: Vec<Act>,
    /// Packets for which it decided.
    pub hits: u64,
}

impl MatchEntry {
    /// Sorts by precedence; the winner comes first.
    fn rank(&self) -> (std::cmp::Reverse<u32>, std::cmp::Reverse<u32>, EntryHandle) {
        let prefixes = self.patterns.iter().map(|pattern| pattern.prefix()).sum();
        (std::cmp::Reverse(self.priority), std::cmp::Reverse(prefixes), self.handle)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct MatchTable {
    pub name: String,
    pub stage: PipelineStage,
    pub key: Vec<(Field, MatchKind)>,
    pub size: u32,
    pub default: Vec<Act>,
    /// By the values of the exact fields.
    rows: BTreeMap<Vec<u64>, Vec<MatchEntry>>,
    /// The exact values of each entry, by handle.
    places: BTreeMap<EntryHandle, Vec<u64>>,
    next_handle: u32,
    /// Packets that no entry matched.
    pub misses: u64,
}

impl MatchTable {
    pub(crate) fn new(
        name: String,
        stage: PipelineStage,
        key: Vec<(Field, MatchKind)>,
        size: u32,
        default: Vec<Act>,
    ) -> Self {
        let (rows, places) = (BTreeMap::new(), BTreeMap::new());
        Self { name, stage, key, size, default, rows, places, next_handle: 0, misses: 0 }
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = &MatchEntry> {
        self.rows.values().flatten()
    }

    /// Checks that `more` entries fit.
    pub(crate) fn has_room(&self, more: u64) -> Result<(), EngineError> {
        let asked = self.len() as u64 + more;
        if asked <= u64::from(self.size) {
            return Ok(());
        }
        Err(EngineError::Full { table: self.name.clone(), size: self.size, asked, most: SIZE_MAX })
    }

    fn exact_values(&self, patterns: &[FieldPattern]) -> Vec<u64> {
        let exact = self.key.iter().zip(patterns).filter(|((_, kind), _)| *kind == MatchKind::Exact);
        exact
            .map(|(_, pattern)| match pattern {
                FieldPattern::Exact(value) => *value,
                // Compilation makes exact patterns of exact fields; a number outside every field's
                // range matches nothing.
                _ => u64::MAX,
            })
            .collect()
    }

    /// Checks that no entry except `except` has the same match and priority.
    fn is_new(
        &self,
        row: &[u64],
        patterns: &[FieldPattern],
        priority: u32,
        except: Option<EntryHandle>,
    ) -> Result<(), EngineError> {
        let entries = self.rows.get(row).map(Vec::as_slice).unwrap_or_default();
        let same = |entry: &&MatchEntry| {
            Some(entry.handle) != except && entry.priority == priority && entry.patterns == patterns
        };
        match entries.iter().find(same) {
            None => Ok(()),
            Some(entry) => Err(EngineError::Duplicate {
                table: self.name.clone(),
                key: self.describe(patterns),
                priority,
                handle: entry.handle.0,
            }),
        }
    }

    fn describe(&self, patterns: &[FieldPattern]) -> String {
        let written = self.key.iter().zip(patterns).filter(|(_, pattern)| **pattern != FieldPattern::Any);
        let parts: Vec<String> = written
            .map(|((field, _), pattern)| match pattern {
                FieldPattern::Any => String::new(),
                FieldPattern::Exact(value) => format!("{field}={value:#x}"),
                FieldPattern::Masked { value, mask, .. } => format!("{field}={value:#x}&{mask:#x}"),
                FieldPattern::Range { low, high } => format!("{field}={low}-{high}"),
            })
            .collect();
        if parts.is_empty() { "every packet".to_owned() } else { parts.join(", ") }
    }

    fn place(&mut self, entry: MatchEntry) {
        let row = self.exact_values(&entry.patterns);
        let entries = self.rows.entry(row.clone()).or_default();
        let at = entries.partition_point(|other| other.rank() < entry.rank());
        self.places.insert(entry.handle, row);
        entries.insert(at, entry);
    }

    /// Adds an entry.
    pub(crate) fn insert(
        &mut self,
        patterns: Vec<FieldPattern>,
        priority: u32,
        actions: Vec<Act>,
    ) -> Result<EntryHandle, EngineError> {
        self.has_room(1)?;
        self.is_new(&self.exact_values(&patterns), &patterns, priority, None)?;
        let handle = EntryHandle(self.next_handle);
        self.next_handle += 1;
        self.place(MatchEntry { handle, priority, patterns, actions, hits: 0 });
        Ok(handle)
    }

    /// Removes an entry.
    pub(crate) fn remove(&mut self, handle: EntryHandle) -> Result<MatchEntry, EngineError> {
        let missing = EngineError::NoEntry { table: self.name.clone(), handle: handle.0, entries: self.places.len() };
        let Some(row) = self.places.remove(&handle) else { return Err(missing) };
        let Some(entries) = self.rows.get_mut(&row) else { return Err(missing) };
        let Some(at) = entries.iter().position(|entry| entry.handle == handle) else { return Err(missing) };
        let entry = entries.remove(at);
        if entries.is_empty() {
            self.rows.remove(&row);
        }
        Ok(entry)
    }

    /// Replaces an entry. The new one keeps handle and hits.
    pub(crate) fn replace(
        &mut self,
        handle: EntryHandle,
        patterns: Vec<FieldPattern>,
        priority: u32,
        actions: Vec<Act>,
    ) -> Result<(), EngineError> {
        if !self.places.contains_key(&handle) {
            return Err(EngineError::NoEntry {
                table: self.name.clone(),
                handle: handle.0,
                entries: self.places.len(),
            });
        }
        self.is_new(&self.exact_values(&patterns), &patterns, priority, Some(handle))?;
        let hits = self.remove(handle)?.hits;
        self.place(MatchEntry { handle, priority, patterns, actions, hits });
        Ok(())
    }

    /// The entry that decides for a packet, if one matches.
    pub(crate) fn lookup(&self, packet: &EnginePacket<'_>) -> Option<&MatchEntry> {
        let found: Vec<Option<u64>> = self.key.iter().map(|(field, _)| packet.get(*field)).collect();
        self.lookup_values(&found)
    }

    /// The entry that decides for these values of the key's fields.
    pub(crate) fn lookup_values(&self, found: &[Option<u64>]) -> Option<&MatchEntry> {
        let exact = self.key.iter().zip(found).filter(|((_, kind), _)| *kind == MatchKind::Exact);
        let row: Vec<u64> = exact.map(|(_, value)| *value).collect::<Option<_>>()?;
        self.rows
            .get(&row)?
            .iter()
            .find(|entry| entry.patterns.iter().zip(found).all(|(pattern, value)| pattern.matches(*value)))
    }

    /// An entry, mutable for counting.
    pub(crate) fn entry_mut(&mut self, handle: EntryHandle) -> Option<&mut MatchEntry> {
        let row = self.places.get(&handle)?;
        self.rows.get_mut(row)?.iter_mut().find(|entry| entry.handle == handle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::FieldName;
    use proptest::prelude::*;

    const FIELDS: [(FieldName, MatchKind); 4] = [
        (FieldName::VlanId, MatchKind::Exact),
        (FieldName::VlanPcp, MatchKind::Ternary),
        (FieldName::IpSrc, MatchKind::Prefix),
        (FieldName::L4Dport, MatchKind::Range),
    ];

    fn table(kinds: &[usize], size: u32) -> MatchTable {
        let key = kinds.iter().map(|&at| (Field::of(FIELDS[at].0), FIELDS[at].1)).collect();
        MatchTable::new("t".to_owned(), PipelineStage::Ingress, key, size, Vec::new())
    }

    /// A pattern over few values, so that entries overlap.
    fn pattern(kind: MatchKind) -> BoxedStrategy<FieldPattern> {
        let any = Just(FieldPattern::Any);
        match kind {
            MatchKind::Exact => (0..4_u64).prop_map(FieldPattern::Exact).boxed(),
            MatchKind::Ternary => {
                let masked = (0..8_u64, 0..8_u64).prop_map(|(value, mask)| FieldPattern::Masked {
                    value: value & mask,
                    mask,
                    prefix: 0,
                });
                prop_oneof![any, masked].boxed()
            }
            MatchKind::Prefix => {
                let prefix = (0..8_u64, 29..=32_u32).prop_map(|(value, prefix)| {
                    let mask = 0xffff_ffff & !(0xffff_ffff_u64 >> prefix);
                    FieldPattern::Masked { value: value & mask, mask, prefix }
                });
                prop_oneof![any, prefix].boxed()
            }
            MatchKind::Range => {
                let range = (0..8_u64, 0..8_u64)
                    .prop_map(|(one, other)| FieldPattern::Range { low: one.min(other), high: one.max(other) });
                prop_oneof![any, range].boxed()
            }
        }
    }

    #[derive(Clone, Debug)]
    enum Step {
        Insert(Vec<FieldPattern>, u32),
        Remove(usize),
        Replace(usize, Vec<FieldPattern>, u32),
    }

    fn steps() -> impl Strategy<Value = (Vec<usize>, Vec<Step>, Vec<Vec<Option<u64>>>)> {
        prop::sample::subsequence(vec![0_usize, 1, 2, 3], 1..=4).prop_flat_map(|kinds| {
            let patterns: Vec<_> = kinds.iter().map(|&at| pattern(FIELDS[at].1)).collect();
            let step = prop_oneof![
                4 => (patterns.clone(), 0..3_u32).prop_map(|(patterns, priority)| Step::Insert(patterns, priority)),
                1 => (0..20_usize).prop_map(Step::Remove),
                1 => (0..20_usize, patterns, 0..3_u32).prop_map(|(at, patterns, p)| Step::Replace(at, patterns, p)),
            ];
            let values = prop::collection::vec(prop::option::weighted(0.9, 0..8_u64), kinds.len());
            (Just(kinds), prop::collection::vec(step, 1..40), prop::collection::vec(values, 40))
        })
    }

    /// The oracle: compares with every entry, and keeps the best match.
    fn oracle(entries: &[(EntryHandle, Vec<FieldPattern>, u32)], found: &[Option<u64>]) -> Option<EntryHandle> {
        let mut best: Option<(u32, u32, EntryHandle)> = None;
        for (handle, patterns, priority) in entries {
            if !patterns.iter().zip(found).all(|(pattern, value)| pattern.matches(*value)) {
                continue;
            }
            let prefixes: u32 = patterns.iter().map(|pattern| pattern.prefix()).sum();
            let better = best.is_none_or(|(p, l, h)| {
                *priority > p || (*priority == p && (prefixes > l || (prefixes == l && *handle < h)))
            });
            if better {
                best = Some((*priority, prefixes, *handle));
            }
        }
        best.map(|(_, _, handle)| handle)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn the_lookup_finds_what_a_scan_of_all_entries_finds((kinds, steps, values) in steps()) {
            let mut table = table(&kinds, 16);
            let mut entries: Vec<(EntryHandle, Vec<FieldPattern>, u32)> = Vec::new();
            for step in steps {
                match step {
                    Step::Insert(patterns, priority) => {
                        let known = entries.iter().any(|(_, p, q)| *p == patterns && *q == priority);
                        match table.insert(patterns.clone(), priority, Vec::new()) {
                            Ok(handle) => {
                                prop_assert!(!known && entries.len() < 16);
                                entries.push((handle, patterns, priority));
                            }
                            Err(EngineError::Full { size: 16, asked: 17, .. }) => prop_assert_eq!(entries.len(), 16),
                            Err(EngineError::Duplicate { .. }) => prop_assert!(known),
                            Err(other) => prop_assert!(false, "{}", other),
                        }
                    }
                    Step::Remove(at) if at < entries.len() => {
                        let (handle, _, _) = entries.remove(at);
                        prop_assert!(table.remove(handle).is_ok());
                        prop_assert!(table.remove(handle).is_err());
                    }
                    Step::Replace(at, patterns, priority) if at < entries.len() => {
                        let handle = entries[at].0;
                        if table.replace(handle, patterns.clone(), priority, Vec::new()).is_ok() {
                            entries[at] = (handle, patterns, priority);
                        }
                    }
                    Step::Remove(_) | Step::Replace(..) => {}
                }
                prop_assert_eq!(table.len(), entries.len());
            }
            for found in &values {
                prop_assert_eq!(table.lookup_values(found).map(|entry| entry.handle), oracle(&entries, found));
            }
        }
    }

    #[test]
    fn a_full_table_says_its_size_what_was_asked_and_what_would_work() {
        let mut table = table(&[0], 2);
        for value in 0..2 {
            table.insert(vec![FieldPattern::Exact(value)], 0, Vec::new()).unwrap();
        }
        assert_eq!(
            table.insert(vec![FieldPattern::Exact(2)], 0, Vec::new()).unwrap_err().to_string(),
            "table 't' is full: it has room for 2 entries, and 3 are requested; remove entries or give it a size of 3 (at most 1048576)"
        );
    }
}
