//! Applies documents to switches: determines which sections a change affects, whether it is
//! permitted now, and the orders that follow.

use std::collections::BTreeSet;

use philae_agent::{ConfigSection, SectionItems};
use philae_manager_core::Input;
use philae_policy::{
    Admitted, Composition, DocumentChange, DocumentKind, DocumentSet, PolicyCode, PolicyProblem as Wrong, Spec,
    may_change,
};
use philae_units::SwitchId;
use serde_json::json;

use crate::clock::utc;
use crate::desired::sections::input::SectionInput;
use crate::desired::sections::{ChangedSection, sections_of};
use crate::desired::trees::MulticastGroups;
use crate::manager::Manager;
use crate::protocol::problem::ApiProblem;

/// The effect of a change of documents on switches.
#[derive(Debug)]
pub struct Effect {
    changed: Vec<ChangedSection>,
    trees: Option<MulticastGroups>,
}

impl Effect {
    /// Switches that get orders.
    #[must_use]
    pub fn switches(&self) -> BTreeSet<SwitchId> {
        self.changed.iter().map(|(switch, ..)| *switch).collect()
    }

    /// The new desired items of the changed sections.
    pub fn changed(&self) -> impl Iterator<Item = (SwitchId, ConfigSection, &SectionItems)> {
        self.changed.iter().map(|(switch, section, items)| (*switch, *section, &**items))
    }

    /// Changed sections, with the number of switches of each.
    #[must_use]
    pub fn sections(&self) -> Vec<(ConfigSection, usize)> {
        let count = |section: ConfigSection| self.changed.iter().filter(|(_, found, _)| *found == section).count();
        ConfigSection::ALL
            .into_iter()
            .map(|section| (section, count(section)))
            .filter(|(_, count)| *count > 0)
            .collect()
    }
}

/// Orders that are sent before their answers are processed, because orders in transit take memory.
const AT_ONCE: usize = 512;

/// Kinds that windows and freezes do not restrict: those that set the times of other changes and
/// the access, and those that jobs lease and release.
const ALWAYS: [DocumentKind; 7] = [
    DocumentKind::MaintenanceWindow,
    DocumentKind::Setting,
    DocumentKind::RoleBinding,
    DocumentKind::Token,
    DocumentKind::VniBlock,
    DocumentKind::CollectiveSession,
    DocumentKind::Multicast,
];

impl Manager {
    /// The effect of a change on switches, before it is made.
    #[must_use]
    pub fn effect(&self, admitted: &Admitted, changes: &[DocumentChange]) -> Effect {
        let kinds = changes.iter().map(|change| change.reference().kind);
        self.effect_on(&admitted.set, &admitted.composition, kinds, &mut admitted.blast.switches.iter().copied())
    }

    /// The effect of documents on switches, if documents of some kinds have changed.
    fn effect_on(
        &self,
        set: &DocumentSet,
        composition: &Composition,
        kinds: impl IntoIterator<Item = DocumentKind>,
        ports_of: &mut dyn Iterator<Item = SwitchId>,
    ) -> Effect {
        let sections: BTreeSet<ConfigSection> = kinds.into_iter().flat_map(sections_of).copied().collect();
        let names = &*self.documents.names;
        let trees = sections
            .contains(&ConfigSection::Multicast)
            .then(|| self.desired.trees.updated(set, names, self.control_loop.control.plan()));
        let source = SectionInput { set, composition, names, trees: trees.as_ref().unwrap_or(&self.desired.trees) };
        Effect { changed: self.desired.sections.differences(source, &sections, ports_of), trees }
    }

    /// The effect of deleting a document: the items that come from it alone.
    #[must_use]
    pub fn effect_of_absence(&self, reference: &philae_policy::DocumentRef) -> Effect {
        let set = self.documents.set().changed(&[DocumentChange::Delete(reference.clone())]);
        self.effect_on(&set, self.documents.composition(), [reference.kind], &mut std::iter::empty())
    }

    /// Checks windows and freezes for a change.
    ///
    /// # Errors
    /// When one of the affected switches may not be changed now, with the time from which it may.
    pub fn permitted(
        &self,
        effect: &Effect,
        admitted: &Admitted,
        changes: &[DocumentChange],
    ) -> Result<(), ApiProblem> {
        if changes.iter().all(|change| ALWAYS.contains(&change.reference().kind)) {
            return Ok(());
        }
        let mut switches = effect.switches();
        switches.extend(admitted.blast.switches.iter().copied());
        // Checked with the documents before the change, so that a change cannot open its own
        // window.
        may_change(self.documents.set(), &*self.documents.names, switches, self.clock.seconds()).map_err(|closed| {
            let opens = utc(closed.opens_at_seconds);
            let (code, why) =
                if closed.freeze { ("change.frozen", "open") } else { ("change.outside-window", "not open") };
            let detail = format!(
                "switch {} may not be changed now: {} is {why}; after {opens} it would work; an admin may do it now: \
                 --override (override=true)",
                self.switch_name(closed.switch),
                closed.by
            );
            let problem = json!({
                "code": code,
                "document": closed.by.to_string(),
                "opensAtSeconds": closed.opens_at_seconds,
                "opensAt": opens,
            });
            ApiProblem { status: 409, code, title: "Not allowed at this time", detail, problems: vec![problem] }
        })
    }

    /// Errors of a change that documents alone do not show: leases that have ended already,
    /// settings that do not exist.
    #[must_use]
    pub fn wrong_now(&self, changes: &[DocumentChange]) -> Vec<Wrong> {
        let now = self.clock.seconds();
        let mut wrong = Vec::new();
        for change in changes {
            let DocumentChange::Put(document) = change else { continue };
            let reference = document.reference();
            if let Some(end) =
                document.spec.lease().and_then(|lease| lease.expires_at_seconds).filter(|end| *end <= now)
            {
                let problem =
                    Wrong::new(PolicyCode::Expired, "/spec/lease/expiresAtSeconds", "the lease has already ended");
                wrong.push(problem.found(format!("{end}, and it is {now}")).works("a later time").of(&reference));
            }
            if let Spec::Setting(spec) = &document.spec {
                wrong.extend(crate::tuning::problems(spec).into_iter().map(|problem| problem.of(&reference)));
            }
        }
        wrong
    }

    /// Makes an admitted change take effect: documents, what follows from them, and orders to the
    /// affected switches.
    pub fn take_effect(&mut self, admitted: Admitted, effect: Effect, changes: &[DocumentChange]) {
        self.documents.replace(admitted.set, admitted.composition);
        if changes
            .iter()
            .any(|change| matches!(change.reference().kind, DocumentKind::Setting | DocumentKind::TopologyPolicy))
        {
            self.tune();
        }
        self.order(effect);
    }

    /// Gives all desired state to the control loop, when the manager begins.
    pub(crate) fn roll_out_all(&mut self) {
        let all = (0..self.fabric.switch_count()).map(SwitchId::from_index);
        let effect = self.effect_on(
            self.documents.set(),
            self.documents.composition(),
            DocumentKind::ALL.iter().copied(),
            &mut all.into_iter(),
        );
        self.tune();
        self.order(effect);
    }

    fn order(&mut self, effect: Effect) {
        if let Some(trees) = effect.trees {
            self.desired.trees = trees;
        }
        // Before the first switch has connected there are no answers to wait for.
        let is_up = self.control_loop.control.plan().is_some();
        for (at, (switch, section, items)) in effect.changed.into_iter().enumerate() {
            self.desired.sections.set(switch, section, std::sync::Arc::clone(&items));
            let now_ms = self.control_loop.now_ms();
            self.control_loop.control.handle(now_ms, Input::Desired(switch, section, items));
            if is_up && at % AT_ONCE == AT_ONCE - 1 {
                self.control_loop.run();
            }
        }
    }

    /// Rebuilds trees whose links have failed, or that did not reach all members, on the present
    /// links.
    fn mend_trees(&mut self) {
        if !self.desired.trees.is_behind(self.control_loop.control.plan()) {
            return;
        }
        let effect = self.effect_on(
            self.documents.set(),
            self.documents.composition(),
            [DocumentKind::Multicast],
            &mut std::iter::empty(),
        );
        self.order(effect);
    }

    /// Does everything that is due, in the fabric and by the clock. Returns when the next thing is,
    /// in milliseconds of the manager's clock.
    pub fn run(&mut self) -> Option<u64> {
        loop {
            let next_ms = self.control_loop.run();
            let ended = self.end_leases();
            let behind = self.desired.trees.is_behind(self.control_loop.control.plan());
            self.mend_trees();
            if !ended && !behind {
                return next_ms;
            }
        }
    }
}
