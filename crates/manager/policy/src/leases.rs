//! Leases: the next one that ends, those that have ended, and renewal. Times are unix seconds.

use crate::problem::{PolicyCode, PolicyProblem};
use crate::{Document, DocumentRef, DocumentSet, Spec};

/// When a document ends, if it does.
fn end(document: &Document) -> Option<u64> {
    match &document.spec {
        Spec::MaintenanceWindow(spec) => Some(spec.ends_at_seconds),
        spec => spec.lease().and_then(|lease| lease.expires_at_seconds),
    }
}

/// The next time after `now` at which a lease ends.
#[must_use]
pub fn next_expiry(set: &DocumentSet, now: u64) -> Option<u64> {
    set.iter().filter_map(end).filter(|end| *end > now).min()
}

/// Documents whose lease has ended at `now`, by kind and name. A lease with end `now` has ended.
#[must_use]
pub fn expired(set: &DocumentSet, now: u64) -> Vec<DocumentRef> {
    set.iter().filter(|document| end(document).is_some_and(|end| end <= now)).map(Document::reference).collect()
}

/// The same document with a lease from `now` for `seconds`. The lease never ends earlier than
/// before.
///
/// # Errors
/// [`PolicyCode::Expired`] if the lease has ended; [`PolicyCode::Conflict`] if the document has
/// none.
pub fn renew(document: &Document, now: u64, seconds: u64) -> Result<Document, PolicyProblem> {
    let mut renewed = document.clone();
    let reference = document.reference();
    let Some(lease) = renewed.spec.lease_mut() else {
        let problem = PolicyProblem::new(PolicyCode::Conflict, "/spec", "documents of this kind have no lease");
        return Err(problem.of(&reference));
    };
    if let Some(end) = lease.expires_at_seconds {
        if end <= now {
            let problem =
                PolicyProblem::new(PolicyCode::Expired, "/spec/lease/expiresAtSeconds", "the lease has ended");
            return Err(problem.found(format!("{end}, and it is {now}")).works("a new one").of(&reference));
        }
        lease.expires_at_seconds = Some(end.max(now.saturating_add(seconds)));
    }
    Ok(renewed)
}
