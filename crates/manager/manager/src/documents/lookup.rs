//! Finds kinds and documents by name, and makes one answer of the errors of documents.

use philae_policy::{Document, DocumentKind};
use serde_json::json;

use crate::documents::Documents;
use crate::protocol::problem::{ApiProblem, ProblemCode};

/// The kind in a path.
///
/// # Errors
/// When there is no such kind, with the names of all.
pub fn kind_named(plural: &str) -> Result<DocumentKind, ApiProblem> {
    let found = DocumentKind::ALL.iter().copied().find(|kind| kind.plural() == plural);
    found.ok_or_else(|| {
        let known: Vec<&str> = DocumentKind::ALL.iter().map(|kind| kind.plural()).collect();
        let near = philae_policy::nearest(plural, known.iter().copied());
        let near = near.map_or_else(String::new, |near| format!("did you mean '{near}'? "));
        ApiProblem::not_found(format!("there are no '{plural}'; {near}There are: {}", known.join(", ")))
    })
}

/// The errors of documents as one answer.
pub fn problems(found: Vec<philae_policy::PolicyProblem>) -> ApiProblem {
    let detail: Vec<String> = found.iter().map(ToString::to_string).collect();
    let details = found.iter().map(|problem| {
        json!({
            "code": problem.code.code(),
            "document": problem.document.as_ref().map(ToString::to_string),
            "pointer": problem.pointer,
            "detail": problem.to_string(),
        })
    });
    ApiProblem { problems: details.collect(), ..ApiProblem::new(ProblemCode::DocumentInvalid, detail.join("\n")) }
}

pub(crate) fn existing(documents: &Documents, kind: DocumentKind, name: &str) -> Result<Document, ApiProblem> {
    let found = documents.set().get(kind, name).cloned();
    found.ok_or_else(|| {
        let known = documents.set().of(kind).map(|document| document.name.as_str());
        let nearest =
            philae_policy::nearest(name, known).map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
        ApiProblem::not_found(format!("there is no {} '{name}'{nearest}", kind.singular()))
    })
}
