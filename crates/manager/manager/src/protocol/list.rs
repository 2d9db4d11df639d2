//! Lists: the selected items, their order, their fields, and their number per answer.

use std::collections::BTreeSet;

use philae_inventory::{NameSelector as Pattern, PlannedFabric};
use philae_policy::{DocumentKind, DocumentSet, GroupId, PortRole, Subject};
use philae_units::{PortIndex, SwitchId};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::protocol::natural::natural;
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::{Pieces, Reply};
use crate::protocol::request::ApiRequest;

/// The most items of one answer.
///
/// Source: more than the ports of the largest fabric (1,116,160). Status: derived.
pub const LIMIT_MAX: usize = 2_000_000;

/// Default number of items of an answer.
///
/// Source: ours. Status: assumed.
pub const LIMIT_DEFAULT: usize = 1_000;

/// Items that are kept beyond a page before they are reduced to the page.
///
/// Source: ours. Status: assumed.
const KEPT_MORE: usize = 4_096;

/// Bytes of lines that are sent together.
///
/// Source: ours. Status: assumed.
const PIECE_BYTES: usize = 64 << 10;

/// The parameters of a list request.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The most items; `None` for all.
    pub limit: Option<usize>,
    /// The name of the last item of the previous page, or its sort key in a sorted list.
    pub after: Option<String>,
    fields: Option<Vec<Vec<String>>>,
    sort: Option<(Vec<String>, bool)>,
    /// Whether it is answered one item a line.
    pub lines: bool,
}

fn path(text: &str) -> Vec<String> {
    text.split('.').map(str::to_owned).collect()
}

impl Listing {
    /// Reads the query and the headers.
    ///
    /// # Errors
    /// When the limit is not a number in its range, or a field has no name.
    pub fn of(request: &ApiRequest) -> Result<Self, ApiProblem> {
        let lines = request.accept.as_deref().is_some_and(|accept| accept.contains("application/x-ndjson"));
        let limit = match request.query.get("limit") {
            None if lines => None,
            _ => Some(request.number("limit", LIMIT_DEFAULT, LIMIT_MAX)?),
        };
        let named = |text: &str| {
            let found = path(text);
            if found.iter().any(String::is_empty) {
                return Err(ApiProblem::bad_request(format!(
                    "'{text}' names no field; name, state or flaps.score would work"
                )));
            }
            Ok(found)
        };
        let fields = match request.query.get("fields") {
            None => None,
            Some(text) => Some(text.split(',').map(|field| named(field.trim())).collect::<Result<Vec<_>, _>>()?),
        };
        let sort = match request.query.get("sort") {
            None => None,
            Some(text) => {
                let (text, falling) = text.strip_prefix('-').map_or((text.as_str(), false), |text| (text, true));
                Some((named(text)?, falling))
            }
        };
        Ok(Self { limit, after: request.query.get("after").cloned(), fields, sort, lines })
    }

    /// Whether the query asks for an order: then all items must be read.
    #[must_use]
    pub const fn is_sorted(&self) -> bool {
        self.sort.is_some()
    }

    /// Only the requested fields.
    fn projected(&self, value: Value) -> Value {
        let Some(fields) = &self.fields else { return value };
        let mut out = Map::new();
        for field in fields {
            if let Some(found) = at(&value, field) {
                place(&mut out, field, found.clone());
            }
        }
        Value::Object(out)
    }

    /// Writes an item.
    fn write(&self, item: &impl Serialize, out: &mut Vec<u8>) {
        if self.fields.is_none() {
            serde_json::to_writer(out, item).expect("items are plain");
            return;
        }
        let value = serde_json::to_value(item).expect("items are plain");
        serde_json::to_writer(out, &self.projected(value)).expect("items are plain");
    }

    /// Answers a list of items in their natural order, which already begins after the cursor.
    ///
    /// `name` gives an item's cursor.
    ///
    /// # Errors
    /// When the cursor does not belong to a sorted list.
    pub fn answer<R: Serialize + 'static>(
        self,
        items: impl Iterator<Item = R> + Send + 'static,
        name: fn(&R) -> String,
        more: Map<String, Value>,
    ) -> Result<Reply, ApiProblem> {
        if self.sort.is_some() {
            return self.sorted(items, name, more);
        }
        if self.lines {
            return Ok(Reply::Lines(self.pieces(items)));
        }
        let limit = self.limit.unwrap_or(usize::MAX);
        let (mut out, mut next, mut count) = (b"{\"items\":[".to_vec(), None, 0);
        let mut items = items.peekable();
        while let Some(item) = items.next() {
            if count > 0 {
                out.push(b',');
            }
            self.write(&item, &mut out);
            count += 1;
            if count == limit {
                next = items.peek().is_some().then(|| name(&item));
                break;
            }
        }
        finish(&mut out, next, more);
        Ok(Reply::Encoded(out))
    }

    fn pieces<R: Serialize>(self, items: impl Iterator<Item = R> + Send + 'static) -> Pieces {
        Box::new(move |give| {
            let mut out = Vec::with_capacity(PIECE_BYTES + 1_024);
            for item in items.take(self.limit.unwrap_or(usize::MAX)) {
                self.write(&item, &mut out);
                out.push(b'\n');
                if out.len() >= PIECE_BYTES
                    && !give(std::mem::replace(&mut out, Vec::with_capacity(PIECE_BYTES + 1_024)))
                {
                    return;
                }
            }
            if !out.is_empty() {
                give(out);
            }
        })
    }

    /// Sorts by a field, then by name. The cursor has the field's value, so that items that come or
    /// go do not shift a page.
    fn sorted<R: Serialize>(
        self,
        items: impl Iterator<Item = R>,
        name: fn(&R) -> String,
        more: Map<String, Value>,
    ) -> Result<Reply, ApiProblem> {
        let Some((field, falling)) = &self.sort else { return Err(ApiProblem::bad_request("no order was asked for")) };
        let after = self.after.as_deref().map(cursor).transpose()?;
        let limit = self.limit.unwrap_or(usize::MAX);
        let mut rows: Vec<(Key, Value)> = Vec::new();
        for item in items {
            let value = serde_json::to_value(&item).expect("items are plain");
            let key = Key(at(&value, field).cloned().unwrap_or_default(), name(&item));
            if after.as_ref().is_some_and(|after| key.order(after, *falling).is_le()) {
                continue;
            }
            rows.push((key, value));
            // Of a million items it keeps at most two pages and some more.
            if rows.len() > limit.saturating_mul(2).saturating_add(KEPT_MORE) {
                rows.sort_by(|one, other| one.0.order(&other.0, *falling));
                rows.truncate(limit.saturating_add(1));
            }
        }
        rows.sort_by(|one, other| one.0.order(&other.0, *falling));
        let next = (rows.len() > limit).then(|| rows[limit - 1].0.cursor());
        rows.truncate(limit);
        if self.lines {
            let plain = Self { fields: self.fields.clone(), sort: None, ..self };
            return Ok(Reply::Lines(plain.pieces(rows.into_iter().map(|row| row.1))));
        }
        let mut out = b"{\"items\":[".to_vec();
        for (count, (_, row)) in rows.iter().enumerate() {
            if count > 0 {
                out.push(b',');
            }
            self.write(row, &mut out);
        }
        finish(&mut out, next, more);
        Ok(Reply::Encoded(out))
    }
}

fn finish(out: &mut Vec<u8>, next: Option<String>, more: Map<String, Value>) {
    out.extend_from_slice(b"],\"next\":");
    serde_json::to_writer(&mut *out, &next).expect("a text");
    for (key, value) in more {
        out.push(b',');
        serde_json::to_writer(&mut *out, &key).expect("a text");
        out.push(b':');
        serde_json::to_writer(&mut *out, &value).expect("a value");
    }
    out.push(b'}');
}

/// The value at a path of an object.
fn at<'a>(value: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, step| value.get(step))
}

fn place(out: &mut Map<String, Value>, path: &[String], value: Value) {
    let Some((first, rest)) = path.split_first() else { return };
    if rest.is_empty() {
        out.insert(first.clone(), value);
        return;
    }
    let inner = out.entry(first.clone()).or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(inner) = inner {
        place(inner, rest, value);
    }
}

/// The sort key of an item.
struct Key(Value, String);

impl Key {
    fn order(&self, other: &Self, falling: bool) -> std::cmp::Ordering {
        let order = compare(&self.0, &other.0);
        (if falling { order.reverse() } else { order }).then_with(|| natural(&self.1, &other.1))
    }

    fn cursor(&self) -> String {
        let text = Value::Array(vec![self.0.clone(), Value::String(self.1.clone())]).to_string();
        text.bytes().fold("~".to_owned(), |out, byte| out + &format!("{byte:02x}"))
    }
}

fn cursor(text: &str) -> Result<Key, ApiProblem> {
    let wrong =
        || ApiProblem::bad_request(format!("after={text}: the value of 'next' of the previous page would work"));
    let digits = text
        .strip_prefix('~')
        .filter(|digits| digits.len().is_multiple_of(2) && digits.is_ascii())
        .ok_or_else(wrong)?;
    let bytes = (0..digits.len()).step_by(2).map(|place| u8::from_str_radix(&digits[place..place + 2], 16));
    let bytes = bytes.collect::<Result<Vec<u8>, _>>().map_err(|_| wrong())?;
    match serde_json::from_slice(&bytes) {
        Ok((value, name)) => Ok(Key(value, name)),
        Err(_) => Err(wrong()),
    }
}

/// An order of all JSON values: null, false and true, numbers, texts, all else by its text.
fn compare(one: &Value, other: &Value) -> std::cmp::Ordering {
    let sort = |value: &Value| match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) | Value::Object(_) => 4,
    };
    match (one, other) {
        (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
        (Value::Number(one), Value::Number(other)) => {
            one.as_f64().unwrap_or(0.0).total_cmp(&other.as_f64().unwrap_or(0.0))
        }
        (Value::String(one), Value::String(other)) => natural(one, other),
        _ if sort(one) == sort(other) => one.to_string().cmp(&other.to_string()),
        _ => sort(one).cmp(&sort(other)),
    }
}

/// Conditions on switches, ports and links.
#[derive(Clone, Debug, Default)]
pub struct ListFilter {
    name: Option<Pattern>,
    conditions: Vec<philae_policy::Selector>,
}

impl ListFilter {
    /// `name`, `group`, `role` (or `type`) and `selector` of a query, which must all hold.
    ///
    /// # Errors
    /// When one of them is invalid.
    pub fn of(request: &ApiRequest) -> Result<Self, ApiProblem> {
        let mut conditions = Vec::new();
        let name = match request.query.get("name").map(|text| (text, text.parse::<Pattern>())) {
            None => None,
            Some((_, Ok(pattern))) => Some(pattern),
            // The same patterns as in selectors: `*` is any run of letters and digits. A text that
            // does not begin as an xname is a label.
            Some((text, Err(_))) if text.contains(['*', '?']) || !begins_as_xname(text) => {
                conditions.push(condition(&format!("name={}", as_glob(text)))?);
                None
            }
            Some((_, Err(error))) => return Err(ApiProblem::bad_request(error)),
        };
        if let Some(text) = request.query.get("label") {
            conditions.push(condition(&format!("label={}", as_glob(text)))?);
        }
        for (key, term) in [("group", "group"), ("role", "role"), ("type", "role")] {
            if let Some(text) = request.query.get(key) {
                conditions.push(condition(&format!("{term} in ({text})"))?);
            }
        }
        if let Some(text) = request.query.get("selector") {
            conditions.push(condition(text)?);
        }
        Ok(Self { name, conditions })
    }

    /// A filter with one condition.
    #[must_use]
    pub fn by(condition: philae_policy::Selector) -> Self {
        Self { name: None, conditions: vec![condition] }
    }

    /// Whether everything matches.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.name.is_none() && self.conditions.is_empty()
    }

    /// Whether a switch matches.
    #[must_use]
    pub fn fits_switch(&self, fabric: &PlannedFabric, set: &DocumentSet, switch: SwitchId) -> bool {
        let named =
            |name: &Pattern| name.matches(fabric.bmc_xname(switch)) || name.matches(fabric.switch_xname(switch));
        self.name.as_ref().is_none_or(named)
            && self.conditions.iter().all(|selector| selector.matches(&Thing { fabric, set, switch, port: None }))
    }

    /// Whether a port matches: its name, or that of its jack's port or of its NIC.
    #[must_use]
    pub fn fits_port(&self, fabric: &PlannedFabric, set: &DocumentSet, port: PortIndex) -> bool {
        let named = |name: &Pattern| {
            name.matches(fabric.link_xname(port))
                || name.matches(fabric.connector_port_xname(port))
                || fabric.nic_at(port).is_some_and(|nic| name.matches(fabric.nic_xname(nic)))
        };
        let switch = fabric.switch_of(port);
        self.name.as_ref().is_none_or(named)
            && self.conditions.iter().all(|selector| selector.matches(&Thing { fabric, set, switch, port: Some(port) }))
    }
}

/// Reads a selector.
///
/// # Errors
/// When it is invalid, with the reason.
pub fn condition(text: &str) -> Result<philae_policy::Selector, ApiProblem> {
    philae_policy::Selector::parse(text).map_err(ApiProblem::bad_request)
}

/// The message that a selector selects no switch: the selector, and the existing groups if it
/// selects by group.
pub fn selects_no_switch(fabric: &PlannedFabric, selector: &str) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for switch in fabric.switches() {
        match ranges.last_mut() {
            Some((_, last)) if switch.group.0 <= *last + 1 => *last = (*last).max(switch.group.0),
            _ => ranges.push((switch.group.0, switch.group.0)),
        }
    }
    let range =
        |(first, last): &(u32, u32)| if first == last { first.to_string() } else { format!("{first} to {last}") };
    let groups = ranges.iter().take(8).map(range).collect::<Vec<_>>().join(", ");
    let groups = if selector.contains("group") {
        format!("; the groups of {} are {groups}", fabric.name())
    } else {
        String::new()
    };
    format!("'{selector}' selects no switch{groups}")
}

/// A text as a selector's pattern: letters with a special meaning there match any one letter.
fn as_glob(text: &str) -> String {
    let plain = |letter: char| !"(),=!".contains(letter) && !letter.is_whitespace();
    text.chars().map(|letter| if plain(letter) { letter } else { '?' }).collect()
}

/// Whether a text begins like an xname, such as `x3000`.
fn begins_as_xname(text: &str) -> bool {
    let mut letters = text.bytes();
    letters.next() == Some(b'x') && letters.next().is_some_and(|letter| letter.is_ascii_digit() || letter == b'[')
}

/// A switch or a port, as selectors see it. Labels are those of its document.
struct Thing<'a> {
    fabric: &'a PlannedFabric,
    set: &'a DocumentSet,
    switch: SwitchId,
    port: Option<PortIndex>,
}

impl Subject for Thing<'_> {
    fn role(&self) -> Option<PortRole> {
        self.port.map(|port| self.fabric.port(port).role)
    }

    fn group(&self) -> Option<GroupId> {
        Some(self.fabric.switch(self.switch).group)
    }

    fn model(&self) -> Option<&str> {
        Some(self.fabric.model(self.switch).name())
    }

    fn label(&self, key: &str) -> Option<&str> {
        let (kind, name) = match self.port {
            Some(port) => (DocumentKind::Port, self.fabric.link_xname(port).to_string()),
            None => (DocumentKind::Switch, self.fabric.bmc_xname(self.switch).to_string()),
        };
        self.set.get(kind, &name)?.labels.get(key).map(String::as_str)
    }

    fn switch_name(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        look(&self.fabric.bmc_xname(self.switch).to_string())
    }

    fn name(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        match self.port {
            Some(port) => look(&self.fabric.link_xname(port).to_string()),
            None => look(&self.fabric.bmc_xname(self.switch).to_string()),
        }
    }

    fn jack(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        self.port.is_some_and(|port| look(&self.fabric.connector_port_xname(port).to_string()))
    }

    fn switch_label(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        self.fabric.look_at_switch(self.switch, look)
    }

    fn own_label(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        match self.port {
            Some(port) => self.fabric.look_at_end(port, look),
            None => self.fabric.look_at_switch(self.switch, look),
        }
    }
}

/// A word of a fixed set; `None` if the query has none.
///
/// # Errors
/// When it is another word; the error names all of them.
pub fn word<T: Copy>(request: &ApiRequest, key: &str, words: &[(&'static str, T)]) -> Result<Option<T>, ApiProblem> {
    let Some(text) = request.query.get(key) else { return Ok(None) };
    let found = words.iter().find(|(word, _)| word == text).map(|(_, value)| *value);
    found.map(Some).ok_or_else(|| {
        let known: BTreeSet<&str> = words.iter().map(|(word, _)| *word).collect();
        let known: Vec<&str> = known.into_iter().collect();
        ApiProblem::bad_request(format!("there is no {key} '{text}'; there are: {}", known.join(", ")))
    })
}

/// A page of a list.
#[derive(serde::Serialize, JsonSchema)]
#[schemars(rename = "{T}List", deny_unknown_fields)]
pub struct List<T> {
    /// Its items.
    pub items: Vec<T>,
    /// Beginning of the next page (`after`), if there is one.
    pub next: Option<String>,
}

/// The first of so many.
#[derive(serde::Serialize, JsonSchema)]
#[schemars(rename = "Total{T}s", deny_unknown_fields)]
pub struct Total<T> {
    /// How many there are.
    pub total: usize,
    /// The first of them.
    pub items: Vec<T>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_come_back_as_they_were() {
        let key = Key(serde_json::json!(2.5), "x1c0".to_owned());
        let back = cursor(&key.cursor()).expect("it is one");
        assert!(back.order(&key, false).is_eq());
        for wrong in ["", "x1c0", "~", "~7", "~zz", "~7b7d"] {
            assert!(cursor(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_in_texts_count_as_numbers() {
        let sorted = ["x9c1", "x10c0", "x10c9r1", "x10c010r0", "x10c10r0", "x10d", "xa", "ä"];
        for pair in sorted.windows(2) {
            assert!(natural(pair[0], pair[1]).is_lt() && natural(pair[1], pair[0]).is_gt(), "{pair:?}");
        }
        assert!(natural("x1", "x1").is_eq());
    }

    #[test]
    fn values_of_all_sorts_have_one_order() {
        let values = [Value::Null, false.into(), true.into(), 1.into(), 2.5.into(), "a".into(), "b".into()];
        assert!(values.windows(2).all(|pair| compare(&pair[0], &pair[1]).is_lt()));
    }
}
