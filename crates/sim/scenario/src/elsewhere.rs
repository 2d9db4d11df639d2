//! Keys that exist, but not in the table where they were written.

use crate::check::{choices, kinds};
use philae_units::{has_one_wrong_letter, nearest};
use serde_json::Value as Json;
use std::fmt;

/// The most places that a message names. Source: ours: a line of a terminal. Status: assumed.
const NAMED_MAX: usize = 3;

/// Maximum depth of tables, as on the page of keys. Source: ours. Status: assumed.
const DEPTH_MAX: usize = 7;

/// The key that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KnownKey {
    None,
    /// A key of the same table.
    Here(String),
    /// Keys of other tables, with their paths.
    There(Vec<String>),
    /// A key of the same table if its tag has one of these words: `kind = "alltoall"`.
    WithTag(Vec<String>),
}

impl KnownKey {
    pub(crate) fn here(word: &str) -> Self {
        Self::Here(word.to_owned())
    }
}

impl fmt::Display for KnownKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str(";"),
            Self::Here(word) => write!(f, "; did you mean `{word}`?"),
            Self::There(paths) => {
                let top = |path: &str| if path.contains('.') { "" } else { " at the top level" };
                let quoted: Vec<String> = paths.iter().map(|path| format!("`{path}`{}", top(path))).collect();
                write!(f, "; did you mean {}?", quoted.join(" or "))
            }
            Self::WithTag(tags) => {
                let more = tags.len().saturating_sub(NAMED_MAX);
                let more = if more > 0 { format!(" and {more} others") } else { String::new() };
                let named = &tags[..tags.len().min(NAMED_MAX)];
                write!(f, "; it is a key of tables with {}{more};", named.join(", "))
            }
        }
    }
}

/// A key of the schema.
struct SchemaKey {
    /// Its path; `[]` is an entry of a list.
    path: Vec<String>,
    /// The tag of its table.
    tag: Option<String>,
}

/// Where else a key of this name is. `table` is the path of the table in which it was written, with
/// numbers of entries, and `named` that path with names.
pub(crate) fn elsewhere(root: &Json, table: &str, named: &[&str], key: &str) -> Option<KnownKey> {
    let mut all = Vec::new();
    collect(root, root, &mut Vec::new(), &mut Vec::new(), &mut all);
    let last = |found: &SchemaKey| found.path.last().cloned().unwrap_or_default();
    let plain = |word: &str| word.to_lowercase().replace('-', "_");
    let mut same: Vec<&SchemaKey> = all.iter().filter(|found| plain(&last(found)) == plain(key)).collect();
    if same.is_empty() {
        // In another table, only one wrong letter is close enough: `marking` is not `mapping`.
        let words: Vec<String> = all.iter().map(last).filter(|word| has_one_wrong_letter(key, word)).collect();
        let word = nearest(key, words.iter().map(String::as_str))?;
        same = all.iter().filter(|found| last(found) == word).collect();
    }
    let here: Vec<&str> = if table.is_empty() { Vec::new() } else { table.split('.').collect() };
    let shared =
        |path: &[String]| path.iter().zip(&here).take_while(|(part, here)| *part == *here || *part == "[]").count();
    let is_here = |found: &&&SchemaKey| found.path.len() == here.len() + 1 && shared(&found.path) == here.len();
    let mut tags: Vec<String> = same.iter().filter(is_here).filter_map(|found| found.tag.clone()).collect();
    tags.dedup();
    if !tags.is_empty() {
        return Some(KnownKey::WithTag(tags));
    }
    // The nearest tables: those that share the most of the path.
    let most = same.iter().map(|found| shared(&found.path)).max()?;
    same.retain(|found| shared(&found.path) == most);
    let shortest = same.iter().map(|found| found.path.len()).min()?;
    same.retain(|found| found.path.len() == shortest);
    let mut paths: Vec<String> = Vec::new();
    for found in same {
        let parts = found.path.iter().enumerate().map(|(at, part)| match part.as_str() {
            "[]" if at < most => named[at],
            "[]" if at == 1 && found.path[0] == "job" => "NAME",
            "[]" => "0",
            part => part,
        });
        let path = parts.collect::<Vec<_>>().join(".");
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths.truncate(NAMED_MAX);
    Some(KnownKey::There(paths))
}

/// Collects the keys below a schema. `above` are the tables on the way, since a workload may have
/// workloads in it.
fn collect<'j>(
    root: &'j Json,
    schema: &'j Json,
    path: &mut Vec<String>,
    above: &mut Vec<&'j Json>,
    found: &mut Vec<SchemaKey>,
) {
    if path.len() > DEPTH_MAX {
        return;
    }
    for choice in choices(schema, root) {
        if above.iter().any(|table| std::ptr::eq(*table, choice)) {
            continue;
        }
        above.push(choice);
        if let Some(items) = choice.get("items").filter(|_| kinds(choice).contains(&"array")) {
            path.push("[]".to_owned());
            collect(root, items, path, above, found);
            path.pop();
        }
        let properties = choice.get("properties").and_then(Json::as_object);
        let tag = properties.into_iter().flatten();
        let tag = tag.clone().find_map(|(key, schema)| Some(format!("{key} = {}", schema.get("const")?)));
        for (key, schema) in properties.into_iter().flatten() {
            path.push(key.clone());
            if schema.get("const").is_none() {
                found.push(SchemaKey { path: path.clone(), tag: tag.clone() });
            }
            collect(root, schema, path, above, found);
            path.pop();
        }
        above.pop();
    }
}
