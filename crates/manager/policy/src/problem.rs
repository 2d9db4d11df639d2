//! Problems of a document or a change, for people and for programs.

use crate::DocumentRef;
use serde::Serialize;
use std::fmt;

macro_rules! codes {
    ($($(#[$meta:meta])* $variant:ident, $code:literal;)*) => {
        /// The kind of a problem. The text of [`PolicyCode::code`] is the same in all versions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub enum PolicyCode {
            $($(#[$meta])* #[serde(rename = $code)] $variant,)*
        }

        impl PolicyCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The text for comparison by programs.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }
        }
    };
}

codes! {
    /// The text is not JSON or YAML.
    Syntax, "syntax";
    /// A value of the wrong type, or an unknown word where one of a list is expected.
    Type, "type";
    /// A key that the document does not have.
    UnknownField, "unknown-field";
    /// A key that the document must have.
    MissingField, "missing-field";
    /// A number or text outside of its range.
    OutOfRange, "out-of-range";
    /// An invalid name.
    BadName, "bad-name";
    /// An invalid selector.
    BadSelector, "bad-selector";
    /// A patch that does not apply.
    BadPatch, "bad-patch";
    /// No kind of document has this name.
    UnknownKind, "unknown-kind";
    /// A reference to a document that does not exist.
    UnknownDocument, "unknown-document";
    /// A name that the fabric does not have.
    UnknownElement, "unknown-element";
    /// The kind or the name of a document cannot be changed.
    Immutable, "immutable";
    /// A built-in document cannot be changed or deleted.
    Stock, "stock";
    /// The document to delete is used by another document.
    InUse, "in-use";
    /// The same thing is set or taken twice.
    Duplicate, "duplicate";
    /// Two values, of one document or of several, do not fit each other.
    Conflict, "conflict";
    /// The two ends of a link would be set differently.
    LinkMismatch, "link-mismatch";
    /// Switches and NICs would have different traffic classes.
    QosMismatch, "qos-mismatch";
    /// More than the hardware or the partition allows.
    LimitExceeded, "limit-exceeded";
    /// The port has another role, or is not wired.
    WrongRole, "wrong-role";
    /// The hardware does not support this.
    NotCapable, "not-capable";
    /// The time has passed.
    Expired, "expired";
    /// A selector that matches nothing.
    SelectsNothing, "selects-nothing";
    /// Two groups lose their last link.
    GroupsCutOff, "groups-cut-off";
    /// A switch loses its last link to other switches.
    SwitchCutOff, "switch-cut-off";
}

/// An error or a warning: the position, what was found, what would work.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PolicyProblem {
    /// The kind of problem.
    pub code: PolicyCode,
    /// The document that has the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<DocumentRef>,
    /// The position in the document (RFC 6901); empty for all of it.
    pub pointer: String,
    /// One sentence for people, without the position.
    pub message: String,
    /// The value found there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// What would work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub works: Option<String>,
    /// The known name that is most similar to the one found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<String>,
    /// Other documents that are involved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<DocumentRef>,
}

impl PolicyProblem {
    /// A problem at a position of the present document.
    #[must_use]
    pub fn new(code: PolicyCode, pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code,
            document: None,
            pointer: pointer.into(),
            message: message.into(),
            found: None,
            works: None,
            nearest: None,
            others: Vec::new(),
        }
    }

    /// Adds the value found.
    #[must_use]
    pub fn found(mut self, found: impl fmt::Display) -> Self {
        self.found = Some(found.to_string());
        self
    }

    /// Adds the values that would work.
    #[must_use]
    pub fn works(mut self, works: impl fmt::Display) -> Self {
        self.works = Some(works.to_string());
        self
    }

    /// Adds the most similar of the known names, if one is similar enough.
    #[must_use]
    pub fn near<'a>(mut self, found: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        self.nearest = nearest(found, known).map(str::to_owned);
        self
    }

    /// Sets the document, unless it is known.
    #[must_use]
    pub fn of(mut self, document: &DocumentRef) -> Self {
        self.document.get_or_insert_with(|| document.clone());
        self
    }

    /// Adds another document that is involved.
    #[must_use]
    pub fn with(mut self, other: DocumentRef) -> Self {
        self.others.push(other);
        self
    }

    /// The same problem deeper in a document: puts `prefix` before the pointer.
    #[must_use]
    pub fn below(mut self, prefix: &str) -> Self {
        self.pointer = format!("{prefix}{}", self.pointer);
        self
    }
}

impl fmt::Display for PolicyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(document) = &self.document {
            write!(f, "{document}: ")?;
        }
        if !self.pointer.is_empty() {
            write!(f, "{}: ", self.pointer)?;
        }
        f.write_str(&self.message)?;
        if let Some(found) = &self.found {
            write!(f, ", found {found}")?;
        }
        if let Some(works) = &self.works {
            write!(f, "; {works} would work")?;
        }
        if let Some(nearest) = &self.nearest {
            write!(f, "; did you mean '{nearest}'?")?;
        }
        Ok(())
    }
}

impl std::error::Error for PolicyProblem {}

/// The known name that is most similar to `found`, if it is similar enough to be the intended one.
#[must_use]
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (found.chars().count() / 3).max(2);
    let distances = known.into_iter().map(|name| (strsim::damerau_levenshtein(found, name), name));
    distances.filter(|(distance, _)| *distance <= most).min().map(|(_, name)| name)
}

/// One step of a JSON pointer, escaped (RFC 6901).
#[must_use]
pub fn pointer_step(key: &str) -> String {
    format!("/{}", key.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_unique_lower_case_words() {
        let codes: BTreeSet<&str> = PolicyCode::ALL.iter().map(|code| code.code()).collect();
        assert_eq!(codes.len(), PolicyCode::ALL.len());
        for code in PolicyCode::ALL {
            assert_eq!(serde_json::to_value(code).expect("a word"), code.code());
            assert!(code.code().chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'));
        }
    }

    #[test]
    fn a_problem_reads_as_a_sentence() {
        let problem = PolicyProblem::new(PolicyCode::UnknownField, "/spec/spede", "there is no such key")
            .near("spede", ["speed", "state"])
            .of(&DocumentRef::new(crate::DocumentKind::PortPolicy, "a"));
        assert_eq!(problem.to_string(), "port-policy 'a': /spec/spede: there is no such key; did you mean 'speed'?");
        assert_eq!(nearest("entirely-different", ["speed"]), None);
        assert_eq!(pointer_step("a/b~c"), "/a~1b~0c");
    }
}
