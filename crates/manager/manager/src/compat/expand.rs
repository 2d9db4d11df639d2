//! `expand` and `$filter` of collections: documents in addition to links, and only those that
//! match.

use serde_json::{Map, Value, json};

use crate::compat::envelope::{PAGE, collection};
use crate::manager::Manager;
use crate::protocol::endpoint::ApiEndpoint;
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::{Answer, Reply};
use crate::protocol::request::ApiRequest;
use crate::routing::route;

/// Most documents of one answer.
///
/// Source: ours. Status: assumed.
const EXPAND_MAX: usize = 1_000;
/// Most documents that one filter reads, because no change of the fabric is processed meanwhile.
///
/// Source: ours. Status: assumed.
const FILTER_MAX: usize = 20_000;

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

const WORDS: [(&str, Compared); 6] = [
    ("eq", Compared::Eq),
    ("ne", Compared::Ne),
    ("lt", Compared::Lt),
    ("le", Compared::Le),
    ("gt", Compared::Gt),
    ("ge", Compared::Ge),
];

/// One condition: the steps to a field, a comparison, and a value.
#[derive(Clone, Debug, PartialEq)]
struct Condition {
    field: Vec<String>,
    how: Compared,
    value: Value,
}

/// Groups of conditions: in one of them, all conditions must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpandFilter(Vec<Vec<Condition>>);

/// The words of a filter. A quoted text is one word.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = if let Some(quoted) = rest.strip_prefix('\'') {
            let mut at = 0;
            loop {
                let quote = at + quoted[at..].find('\'')?;
                // Two quotes within a text are one.
                if !quoted[quote + 1..].starts_with('\'') {
                    break quote + 2;
                }
                at = quote + 2;
            }
        } else {
            rest.find(char::is_whitespace).unwrap_or(rest.len())
        };
        words.push(rest[..end].to_owned());
        rest = rest[end..].trim_start();
    }
    Some(words)
}

fn value(word: &str) -> Option<Value> {
    if let Some(text) = word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return Some(json!(text.replace("''", "'")));
    }
    serde_json::from_str(word)
        .ok()
        .filter(|value: &Value| !value.is_object() && !value.is_array() && !value.is_string())
}

impl ExpandFilter {
    /// Parses an OData filter: comparisons joined by `and` and `or`, of which `and` binds closer.
    ///
    /// # Errors
    /// When it is invalid, with what would work.
    pub fn parse(text: &str) -> Result<Self, ApiProblem> {
        let wrong = || {
            let works = "FIELD eq VALUE would work, and ne, lt, le, gt, ge, joined by and, or; a VALUE is 'text', a number, true, false or null";
            ApiProblem::bad_request(format!("$filter={text}: {works}"))
        };
        let words = words(text).ok_or_else(wrong)?;
        let mut groups = vec![Vec::new()];
        let mut rest = words.as_slice();
        loop {
            let [field, how, wanted, more @ ..] = rest else { return Err(wrong()) };
            let how = WORDS.iter().find(|(word, _)| *word == how).map(|(_, how)| *how);
            let is_field = |letter: char| letter.is_ascii_alphanumeric() || "_.-/".contains(letter);
            if !field.chars().all(is_field) {
                return Err(wrong());
            }
            let field = field.split(['.', '/']).map(str::to_owned).collect();
            let condition = Condition { field, how: how.ok_or_else(wrong)?, value: value(wanted).ok_or_else(wrong)? };
            groups.last_mut().expect("there is one").push(condition);
            match more {
                [] => return Ok(Self(groups)),
                [word, more @ ..] if word == "and" => rest = more,
                [word, more @ ..] if word == "or" => {
                    groups.push(Vec::new());
                    rest = more;
                }
                _ => return Err(wrong()),
            }
        }
    }

    /// Whether a document matches. A missing field is null.
    #[must_use]
    pub fn holds(&self, document: &Value) -> bool {
        self.0.iter().any(|group| group.iter().all(|condition| condition.holds(document)))
    }
}

impl Condition {
    fn holds(&self, document: &Value) -> bool {
        let found = self.field.iter().try_fold(document, |value, step| value.get(step)).unwrap_or(&Value::Null);
        // A list matches if one of its items does.
        match found {
            Value::Array(items) if self.how == Compared::Eq => items.iter().any(|item| self.compares(item)),
            Value::Array(items) if self.how == Compared::Ne => items.iter().all(|item| self.compares(item)),
            found => self.compares(found),
        }
    }

    fn compares(&self, found: &Value) -> bool {
        let order = match (found, &self.value) {
            (Value::Number(found), Value::Number(wanted)) => found.as_f64().partial_cmp(&wanted.as_f64()),
            (Value::String(found), Value::String(wanted)) => Some(found.cmp(wanted)),
            _ => None,
        };
        match self.how {
            Compared::Eq => order.map_or(*found == self.value, std::cmp::Ordering::is_eq),
            Compared::Ne => !order.map_or(*found == self.value, std::cmp::Ordering::is_eq),
            Compared::Lt => order.is_some_and(std::cmp::Ordering::is_lt),
            Compared::Le => order.is_some_and(std::cmp::Ordering::is_le),
            Compared::Gt => order.is_some_and(std::cmp::Ordering::is_gt),
            Compared::Ge => order.is_some_and(std::cmp::Ordering::is_ge),
        }
    }
}

fn wants_documents(request: &ApiRequest) -> Result<bool, ApiProblem> {
    match request.query.get("expand").map(String::as_str) {
        None | Some("false") => Ok(false),
        Some("" | "true" | "documentLinks") => Ok(true),
        Some(other) => Err(ApiProblem::bad_request(format!("expand={other}: expand or expand=true would work"))),
    }
}

fn links_of(body: &Value) -> Vec<String> {
    body["documentLinks"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The document at a link, as this caller may see it.
fn follow(manager: &mut Manager, request: &ApiRequest, link: &str) -> Option<Value> {
    let mut asked = ApiRequest {
        method: "GET".to_owned(),
        path: link.to_owned(),
        actor: request.actor.clone(),
        ..ApiRequest::default()
    };
    let (endpoint, captures) = route(&asked).ok()?;
    crate::access::authorise(endpoint.access, &asked.actor, None).ok()?;
    asked.captures = captures;
    match (endpoint.run)(manager, &asked).ok()?.split().0 {
        Reply::Json(document) => Some(document),
        _ => None,
    }
}

/// Applies `$filter` and `expand` to the answer of a collection; other answers stay as they are.
///
/// # Errors
/// When the filter is invalid, or the answer would have too many documents.
pub fn expanded(manager: &mut Manager, endpoint: &ApiEndpoint, request: &ApiRequest, reply: Reply) -> Answer {
    let filter = request.query.get("$filter").filter(|_| endpoint.query == PAGE);
    let expands = endpoint.query == PAGE && wants_documents(request)?;
    if filter.is_none() && !expands {
        return Ok(reply);
    }
    let (mut body, mut documents) = (reply.into_value(), Map::new());
    if let Some(filter) = filter {
        let filter = ExpandFilter::parse(filter)?;
        let mut whole = request.clone();
        whole.query.retain(|key, _| !["$limit", "$skip", "$top", "$filter"].contains(&key.as_str()));
        let all = links_of(&(endpoint.run)(manager, &whole)?.into_value());
        if all.len() > FILTER_MAX {
            let detail = format!(
                "$filter searches at most {FILTER_MAX} documents, and there are {}; the selectors of /api/v1 would work",
                all.len()
            );
            return Err(ApiProblem::bad_request(detail));
        }
        let mut fitting = Vec::new();
        for link in all {
            if let Some(document) = follow(manager, request, &link).filter(|document| filter.holds(document)) {
                if expands {
                    documents.insert(link.clone(), document);
                }
                fitting.push(link);
            }
        }
        body = collection(manager, request, fitting.len(), |range| fitting[range].to_vec())?.into_value();
    }
    if expands {
        let links = links_of(&body);
        if links.len() > EXPAND_MAX {
            let detail = format!(
                "expand adds {EXPAND_MAX} documents at most, and these are {}; $limit={EXPAND_MAX} would work",
                links.len()
            );
            return Err(ApiProblem::bad_request(detail));
        }
        let mut shown = Map::new();
        for link in links {
            let document = documents.remove(&link).or_else(|| follow(manager, request, &link));
            shown.insert(link, document.unwrap_or(Value::Null));
        }
        body["documents"] = Value::Object(shown);
    }
    Ok(Reply::Json(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_compare_fields_and_are_joined() {
        let document =
            json!({ "grpId": 3, "name": "it's", "labels": ["a", "b"], "in": { "deep": true }, "none": null });
        for (text, wanted) in [
            ("grpId eq 3", true),
            ("grpId ge 4", false),
            ("grpId lt 4 and grpId gt 2", true),
            ("name eq 'it''s'", true),
            ("name ne 'other'", true),
            ("labels eq 'b'", true),
            ("labels ne 'b'", false),
            ("in.deep eq true", true),
            ("in/deep eq false", false),
            ("none eq null and missing eq null", true),
            ("grpId eq 1 or grpId eq 3 and name eq 'it''s'", true),
            ("grpId eq '3'", false),
        ] {
            assert_eq!(ExpandFilter::parse(text).expect(text).holds(&document), wanted, "{text}");
        }
        for wrong in [
            "",
            "grpId",
            "grpId eq",
            "grpId is 3",
            "name eq 'open",
            "a eq 1 b eq 2",
            "a eq x",
            "a eq 1 and",
            "(a eq 1)",
        ] {
            assert!(ExpandFilter::parse(wrong).expect_err(wrong).detail.contains("would work"), "{wrong}");
        }
    }
}
