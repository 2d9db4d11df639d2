//! `none` leaves something out: `job.aggressor=none`, `fault=none`, `link=none`.

use crate::check::{choices, kinds};
use crate::lines::KeyLines;
use serde_json::Value as Json;
use toml::{Table, Value};

/// The value that leaves something out.
const NONE: &str = "none";

/// What an override leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LeftOut {
    /// An entry of a list of tables.
    Entry { list: String, number: usize },
    /// A key that has a table or a list of tables, and may be absent.
    Key(Vec<String>),
}

impl LeftOut {
    /// What the value `value` at `path` leaves out; `None` if the value is meant as it is, such as
    /// `congestion.law=none`.
    pub(crate) fn of(path: &[String], value: &Value, table: &Table, schema: &Json) -> Option<Self> {
        if value.as_str() != Some(NONE) {
            return None;
        }
        if let [list, number] = path
            && let (Some(Value::Array(entries)), Ok(number)) = (table.get(list), number.parse::<usize>())
            && entries.get(number).is_some_and(Value::is_table)
        {
            return Some(Self::Entry { list: list.clone(), number });
        }
        let (last, above) = path.split_last()?;
        let mut at = schema;
        for part in above {
            at = choices(at, schema).into_iter().find_map(|choice| choice.get("properties")?.get(part))?;
        }
        let found = choices(at, schema).into_iter().find_map(|choice| choice.get("properties")?.get(last))?;
        let all = choices(found, schema);
        let is = |choice: &Json, kind| kinds(choice).contains(&kind);
        let has_tables = |choice: &Json| {
            choice.get("items").is_some_and(|items| choices(items, schema).iter().all(|entry| is(entry, "object")))
        };
        let is_optional = all.iter().any(|choice| is(choice, "null")) && all.iter().any(|choice| is(choice, "object"));
        let takes_text = all.iter().any(|choice| is(choice, "string") || choice.get("enum").is_some());
        let is_left = !takes_text && (is_optional || all.iter().all(|choice| has_tables(choice)));
        is_left.then(|| Self::Key(path.to_vec()))
    }
}

/// Leaves out what overrides ask for; entries behind an entry that is left out move up.
pub(crate) fn leave_out(table: &mut Table, all: &[LeftOut], lines: &mut KeyLines) {
    for one in all {
        if let LeftOut::Key(path) = one {
            lines.forget(&path.join("."));
            let (last, above) = path.split_last().expect("a path has at least one part");
            let inner = above.iter().try_fold(&mut *table, |table, part| table.get_mut(part)?.as_table_mut());
            inner.and_then(|inner| inner.remove(last));
        }
    }
    let lists = all.iter().filter_map(|one| if let LeftOut::Entry { list, .. } = one { Some(list) } else { None });
    for list in lists.collect::<std::collections::BTreeSet<_>>() {
        let Some(Value::Array(entries)) = table.get_mut(list) else { continue };
        let is_left = |number: &usize| !all.contains(&LeftOut::Entry { list: list.clone(), number: *number });
        let left: Vec<usize> = (0..entries.len()).filter(is_left).collect();
        lines.keep_entries(list, &left);
        *entries = left.iter().map(|&number| entries[number].clone()).collect();
    }
}
