//! Admission: whether a change may be made, all its problems, and its effect.

mod alone;
mod links;
mod together;

use crate::problem::{PolicyCode, PolicyProblem};
use crate::{Composition, DocumentChange, DocumentKind, DocumentRef, DocumentSet, Existence, FabricView};
use philae_units::{GroupId, PortIndex, SwitchId};
use std::collections::BTreeSet;

pub use alone::{VNI_MAX, vni_range};
pub use together::edge_port;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeEffect {
    /// Ports whose configuration changes.
    pub ports: Vec<PortIndex>,
    /// Switches whose configuration changes, or that have such a port.
    pub switches: Vec<SwitchId>,
    /// Links with such a port, by the lower of their ports.
    pub links: Vec<(PortIndex, PortIndex)>,
    /// Pairs of groups that lose their last link.
    pub groups_cut_off: Vec<(GroupId, GroupId)>,
}

/// A change that may be made.
#[derive(Clone, Debug)]
pub struct Admitted {
    /// The documents after it.
    pub set: DocumentSet,
    /// The configurations after it.
    pub composition: Composition,
    /// Warnings that do not prevent it.
    pub warnings: Vec<PolicyProblem>,
    /// Its effect.
    pub blast: ChangeEffect,
}

/// Checks a change of a set of documents. Composes the fabric for the check; a caller that has the
/// composition uses [`admit_onto`].
///
/// # Errors
/// All its problems, in the order of documents and positions.
pub fn admit(
    set: &DocumentSet,
    changes: &[DocumentChange],
    fabric: &dyn FabricView,
) -> Result<Admitted, Vec<PolicyProblem>> {
    admit_onto(set, &Composition::whole(set, fabric), changes, fabric)
}

/// Checks every document of a set, as [`admit`] does for those of a change. For documents read from
/// elsewhere.
///
/// # Errors
/// As [`admit`].
pub fn admit_whole(set: &DocumentSet, fabric: &dyn FabricView) -> Result<Admitted, Vec<PolicyProblem>> {
    let own = set.iter().filter(|document| !DocumentSet::is_stock(&document.reference()));
    let changes: Vec<DocumentChange> = own.cloned().map(DocumentChange::Put).collect();
    admit(&DocumentSet::default(), &changes, fabric)
}

/// Checks a change of a set of documents, given its composition.
///
/// # Errors
/// As [`admit`].
pub fn admit_onto(
    set: &DocumentSet,
    composition: &Composition,
    changes: &[DocumentChange],
    fabric: &dyn FabricView,
) -> Result<Admitted, Vec<PolicyProblem>> {
    let mut problems = Vec::new();
    let mut touched = BTreeSet::new();
    for change in changes {
        let reference = change.reference();
        if DocumentSet::is_stock(&reference) {
            let problem = PolicyProblem::new(PolicyCode::Stock, "", "a built-in document cannot be changed or deleted");
            problems.push(problem.works("one of another name").of(&reference));
        }
        if !touched.insert(reference.clone()) {
            let problem = PolicyProblem::new(PolicyCode::Duplicate, "", "the change has this document twice");
            problems.push(problem.works("one step for each document").of(&reference));
        }
        match change {
            DocumentChange::Put(document) => alone::check(document, &mut problems),
            DocumentChange::Delete(reference) => {
                if !set.contains(reference) {
                    let known = set.of(reference.kind).map(|document| document.name.as_str());
                    let problem =
                        PolicyProblem::new(PolicyCode::UnknownDocument, "", "there is no such document to delete");
                    problems.push(problem.near(&reference.name, known).of(reference));
                }
            }
        }
    }
    if !problems.is_empty() {
        return Err(sorted(problems));
    }
    let after = set.changed(changes);
    together::check(set, &after, changes, fabric, &mut problems);
    if !problems.is_empty() {
        return Err(sorted(problems));
    }
    let touched: Vec<DocumentRef> = touched.into_iter().collect();
    let (next, ports, switches) = composition.update(&after, &touched, fabric);
    let mut warnings = Vec::new();
    links::check(&after, &next, &ports, fabric, &mut problems);
    together::check_resolved(&after, &next, &ports, fabric, &mut problems);
    if !problems.is_empty() {
        return Err(sorted(problems));
    }
    selects_nothing(&after, changes, fabric, &mut warnings);
    let groups_cut_off = links::cut_off(composition, &next, &ports, fabric, &mut warnings);
    let mut reached: BTreeSet<SwitchId> = switches.into_iter().collect();
    reached.extend(ports.iter().map(|port| fabric.switch_of(*port)));
    reached.extend(together::switches_of(set, &after, &next, &touched, fabric));
    let ends = ports.iter().filter_map(|port| fabric.peer(*port).map(|peer| (*port.min(&peer), *port.max(&peer))));
    let links = ends.collect::<BTreeSet<_>>().into_iter().collect();
    let blast = ChangeEffect { ports, switches: reached.into_iter().collect(), links, groups_cut_off };
    Ok(Admitted { set: after, composition: next, warnings: sorted(warnings), blast })
}

fn sorted(mut problems: Vec<PolicyProblem>) -> Vec<PolicyProblem> {
    problems.sort_by(|one, other| (&one.document, &one.pointer, one).cmp(&(&other.document, &other.pointer, other)));
    problems.dedup();
    problems
}

/// Whether documents of a kind name things in the inventory.
pub(crate) const fn is_inventory(kind: DocumentKind) -> bool {
    matches!(kind.existence(), Existence::Inventory)
}

fn selects_nothing(
    after: &DocumentSet,
    changes: &[DocumentChange],
    fabric: &dyn FabricView,
    warnings: &mut Vec<PolicyProblem>,
) {
    for change in changes {
        let DocumentChange::Put(document) = change else { continue };
        if let Some(selector) =
            together::selector_of(document).filter(|found| !found.selects_any(after, document.kind, fabric))
        {
            let problem = PolicyProblem::new(
                PolicyCode::SelectsNothing,
                "/spec/selector",
                "the selector matches nothing at present",
            );
            warnings.push(problem.found(format!("'{selector}'")).of(&document.reference()));
        }
    }
}
