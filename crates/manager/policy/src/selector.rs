//! Selectors: texts that select ports, switches or documents, such as
//! `role=global,group in (1-4),name=x1001c*r*`.

use crate::problem::{PolicyCode, PolicyProblem};
use crate::{PortRole, glob};
use philae_units::GroupId;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// The property that a term compares.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SelectorKey {
    /// The role of a port.
    Role,
    /// The group of a switch.
    Group,
    /// The model of a switch.
    Model,
    /// A label, by its key.
    Label(String),
    /// The name of a switch, also for its ports.
    Switch,
    /// The label of the thing or its switch in other programs: a host name, a description.
    Foreign,
    Name,
}

const KEYS: [&str; 6] = ["role", "group", "model", "switch", "label", "name"];
const ROLES: [PortRole; 4] = [PortRole::Unused, PortRole::Edge, PortRole::Local, PortRole::Global];

/// One condition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Term {
    key: SelectorKey,
    negated: bool,
    values: Values,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Values {
    Roles(Vec<PortRole>),
    Groups(Vec<(u32, u32)>),
    Globs(Vec<String>),
    Exists,
}

/// Conditions that must all hold. Without any, everything is selected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Selector {
    /// In the order in which they were written.
    terms: Vec<Term>,
}

/// A thing that a selector is applied to.
pub trait Subject {
    /// Its role, if it is a port.
    fn role(&self) -> Option<PortRole>;
    fn group(&self) -> Option<GroupId>;
    /// Its switch's model.
    fn model(&self) -> Option<&str>;
    /// The value of a label.
    fn label(&self, key: &str) -> Option<&str>;
    /// Passes its switch's name to `look`.
    fn switch_name(&self, look: &mut dyn FnMut(&str) -> bool) -> bool;
    /// Passes its name to `look`.
    fn name(&self, look: &mut dyn FnMut(&str) -> bool) -> bool;
    /// Passes its name in terms of its jack to `look`, if it has one.
    fn jack(&self, _look: &mut dyn FnMut(&str) -> bool) -> bool {
        false
    }
    /// Passes the labels of its switch in other programs to `look`.
    fn switch_label(&self, _look: &mut dyn FnMut(&str) -> bool) -> bool {
        false
    }
    /// Passes its own labels in other programs to `look`; for a port, those of its NIC and node.
    fn own_label(&self, _look: &mut dyn FnMut(&str) -> bool) -> bool {
        false
    }
}

impl Selector {
    /// Reads a selector.
    ///
    /// # Errors
    /// [`PolicyCode::BadSelector`], with the invalid term.
    pub fn parse(text: &str) -> Result<Self, PolicyProblem> {
        let (open, closed) = (text.matches('(').count(), text.matches(')').count());
        if open != closed {
            let problem = bad("parentheses of a selector open and close in pairs", text);
            return Err(problem.works("`group in (1-4)`"));
        }
        let terms = split(text, ',').into_iter().filter(|term| !(term.trim().is_empty() && text.trim().is_empty()));
        Ok(Self { terms: terms.map(|term| parse_term(term.trim())).collect::<Result<_, _>>()? })
    }

    /// Whether all conditions hold. The cheapest ones are evaluated first.
    #[must_use]
    pub fn matches(&self, subject: &dyn Subject) -> bool {
        let cheap = |term: &&Term| !matches!(term.key, SelectorKey::Name | SelectorKey::Switch | SelectorKey::Foreign);
        self.terms.iter().filter(cheap).all(|term| term.holds(subject))
            && self.terms.iter().filter(|term| !cheap(term)).all(|term| term.holds(subject))
    }

    /// Whether it has conditions on labels.
    #[must_use]
    pub fn uses_labels(&self) -> bool {
        self.terms.iter().any(|term| matches!(term.key, SelectorKey::Label(_)))
    }
}

impl Term {
    fn holds(&self, subject: &dyn Subject) -> bool {
        let any = |globs: &[String], text: &str| globs.iter().any(|pattern| glob::matches(pattern, text));
        let found = match (&self.key, &self.values) {
            (SelectorKey::Role, Values::Roles(roles)) => subject.role().is_some_and(|role| roles.contains(&role)),
            (SelectorKey::Group, Values::Groups(ranges)) => {
                let within = |group: GroupId| ranges.iter().any(|(first, last)| (*first..=*last).contains(&group.0));
                subject.group().is_some_and(within)
            }
            (SelectorKey::Model, Values::Globs(globs)) => subject.model().is_some_and(|model| any(globs, model)),
            (SelectorKey::Label(key), Values::Globs(globs)) => {
                subject.label(key).is_some_and(|value| any(globs, value))
            }
            (SelectorKey::Label(key), _) => subject.label(key).is_some(),
            (SelectorKey::Switch, Values::Globs(globs)) => {
                subject.switch_name(&mut |name| any(globs, name)) || subject.switch_label(&mut |name| any(globs, name))
            }
            (SelectorKey::Foreign, Values::Globs(globs)) => {
                subject.own_label(&mut |name| any(globs, name)) || subject.switch_label(&mut |name| any(globs, name))
            }
            // Names of jacks contain a letter that others lack, so other names cost nothing.
            (SelectorKey::Name, Values::Globs(globs)) => {
                subject.name(&mut |name| any(globs, name))
                    || globs.iter().any(|pattern| pattern.contains('j')) && subject.jack(&mut |name| any(globs, name))
                    || subject.own_label(&mut |name| any(globs, name))
            }
            _ => false,
        };
        found != self.negated
    }
}

/// Splits at a separator outside parentheses.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if letter == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn bad(message: &str, found: &str) -> PolicyProblem {
    PolicyProblem::new(PolicyCode::BadSelector, "", message.to_owned()).found(format!("'{found}'"))
}

fn parse_term(text: &str) -> Result<Term, PolicyProblem> {
    let forms = "`key=value`, `key!=value`, `key in (a,b)`, `key notin (a,b)`, `labels.key` or `!labels.key`, joined by commas,";
    if text.is_empty() {
        return Err(bad("a term of a selector is empty", text).works(forms));
    }
    if let Some((key, list)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        let mut words = key.split_whitespace();
        let (key, operator) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let negated = match operator {
            "in" => false,
            "notin" => true,
            _ => return Err(bad("a list follows `in` or `notin`", text).works(forms)),
        };
        if words.next().is_some() {
            return Err(bad("a list follows `key in` or `key notin`", text).works(forms));
        }
        return term(key, negated, &list.split(',').map(str::trim).collect::<Vec<_>>());
    }
    if let Some((key, value)) = text.split_once('=') {
        let (key, negated) = key.strip_suffix('!').map_or((key, false), |key| (key, true));
        return term(key.trim(), negated, &[value.trim()]);
    }
    let (label, negated) = text.strip_prefix('!').map_or((text, false), |label| (label, true));
    match parse_key(label.trim())? {
        key @ SelectorKey::Label(_) => Ok(Term { key, negated, values: Values::Exists }),
        _ => Err(bad("only labels can stand without a value", text).works(forms)),
    }
}

fn parse_key(text: &str) -> Result<SelectorKey, PolicyProblem> {
    if let Some(label) = text.strip_prefix("labels.") {
        return match crate::document::is_label_key(label) {
            true => Ok(SelectorKey::Label(label.to_owned())),
            false => Err(bad("this is not a key of a label", label).works("letters, digits, '-', '_', '.' and '/'")),
        };
    }
    match text {
        "role" => Ok(SelectorKey::Role),
        "group" => Ok(SelectorKey::Group),
        "model" => Ok(SelectorKey::Model),
        "switch" => Ok(SelectorKey::Switch),
        "label" => Ok(SelectorKey::Foreign),
        "name" => Ok(SelectorKey::Name),
        _ => {
            let works = "role, group, model, switch, label, name, or labels.KEY";
            Err(bad("a selector has no such key", text).works(works).near(text, KEYS))
        }
    }
}

fn term(key: &str, negated: bool, values: &[&str]) -> Result<Term, PolicyProblem> {
    let key = parse_key(key)?;
    let values = match key {
        SelectorKey::Role => Values::Roles(values.iter().map(|word| parse_role(word)).collect::<Result<_, _>>()?),
        SelectorKey::Group => Values::Groups(values.iter().map(|range| parse_range(range)).collect::<Result<_, _>>()?),
        SelectorKey::Model | SelectorKey::Label(_) | SelectorKey::Switch | SelectorKey::Foreign | SelectorKey::Name => {
            let fits = |value: &&str| {
                !value.is_empty() && !value.chars().any(|letter| "(),=!".contains(letter) || letter.is_whitespace())
            };
            if let Some(value) = values.iter().find(|value| !fits(value)) {
                return Err(
                    bad("this is not a pattern", value).works("a name, in which * is any run and ? any one letter,")
                );
            }
            Values::Globs(values.iter().map(|value| (*value).to_owned()).collect())
        }
    };
    Ok(Term { key, negated, values })
}

fn parse_role(word: &str) -> Result<PortRole, PolicyProblem> {
    let found = ROLES.into_iter().find(|role| role.name() == word);
    found.ok_or_else(|| {
        bad("ports do not have this role", word)
            .works("edge, local, global or unused")
            .near(word, ROLES.map(PortRole::name))
    })
}

/// `3` or `1-4`.
fn parse_range(text: &str) -> Result<(u32, u32), PolicyProblem> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u32>().ok()).flatten();
    match (number(first.trim()), number(last.trim())) {
        (Some(first), Some(last)) if first <= last => Ok((first, last)),
        _ => Err(bad("this is neither a group nor a range of groups", text).works("`3` or `1-4`")),
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = match &self.key {
            SelectorKey::Role => Cow::Borrowed("role"),
            SelectorKey::Group => "group".into(),
            SelectorKey::Model => "model".into(),
            SelectorKey::Label(key) => format!("labels.{key}").into(),
            SelectorKey::Switch => "switch".into(),
            SelectorKey::Foreign => "label".into(),
            SelectorKey::Name => "name".into(),
        };
        let values: Vec<String> = match &self.values {
            Values::Roles(roles) => roles.iter().map(|role| role.name().to_owned()).collect(),
            Values::Groups(ranges) => ranges
                .iter()
                .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") })
                .collect(),
            Values::Globs(globs) => globs.clone(),
            Values::Exists => return write!(f, "{}{key}", if self.negated { "!" } else { "" }),
        };
        match (values.as_slice(), self.negated) {
            ([one], false) => write!(f, "{key}={one}"),
            ([one], true) => write!(f, "{key}!={one}"),
            (many, negated) => write!(f, "{key} {} ({})", if negated { "notin" } else { "in" }, many.join(",")),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms: Vec<String> = self.terms.iter().map(Term::to_string).collect();
        f.write_str(&terms.join(","))
    }
}

impl From<Selector> for String {
    fn from(selector: Selector) -> Self {
        selector.to_string()
    }
}

impl TryFrom<String> for Selector {
    type Error = PolicyProblem;

    fn try_from(text: String) -> Result<Self, PolicyProblem> {
        Self::parse(&text)
    }
}

impl JsonSchema for Selector {
    fn schema_name() -> Cow<'static, str> {
        "Selector".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "Which ports, links or switches, as `role=global,group in (1-4),name=x1001c*r*`." })
    }
}
