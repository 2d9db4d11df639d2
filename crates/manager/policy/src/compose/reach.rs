//! Where the settings of a document apply, and which documents override them elsewhere.

use std::collections::BTreeMap;

use philae_units::{PortIndex, SwitchId};

use super::{Composition, Table};
use crate::DocumentRef;
use crate::fields::Composed;

/// A field that a document sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldReach {
    /// Its pointer in the document's settings (JSON pointer).
    pub pointer: &'static str,
    /// The number of ports, or switches, that have it from this document.
    pub from_it: usize,
    /// Documents that override it elsewhere, with the number of ports or switches.
    pub overridden_by: Vec<(DocumentRef, usize)>,
}

/// Where a document of ports or switches applies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentScope {
    /// Ports that it has settings for.
    pub ports: Vec<PortIndex>,
    /// Switches that it has settings for, apart from their ports.
    pub switches: Vec<SwitchId>,
    pub port_fields: Vec<FieldReach>,
    pub switch_fields: Vec<FieldReach>,
}

impl<C: Composed> Table<C> {
    fn reach(&self, reference: &DocumentRef) -> (Vec<usize>, Vec<FieldReach>) {
        let Some(&layer) = self.layer_of.get(reference) else { return (Vec::new(), Vec::new()) };
        let mut has = vec![false; self.stacks.len()];
        for (layers, stack) in &self.stack_of {
            has[stack.0 as usize] = layers.contains(&layer);
        }
        let of: Vec<usize> = (0..self.of.len()).filter(|&index| has[self.of[index].0 as usize]).collect();
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for &index in &of {
            *counts.entry(self.of[index].0).or_default() += 1;
        }
        let mut fields = Vec::new();
        C::default().lay(&self.layers[layer as usize].1, &mut |field| fields.push(field));
        let field_reach = |field: usize| {
            let mut reach = FieldReach { pointer: C::POINTERS[field], from_it: 0, overridden_by: Vec::new() };
            let mut others: BTreeMap<&DocumentRef, usize> = BTreeMap::new();
            for (&stack, &count) in &counts {
                match self.stacks[stack as usize].said_by.get(field).copied().flatten() {
                    Some(by) if by == layer => reach.from_it += count,
                    Some(by) => *others.entry(&self.layers[by as usize].0).or_default() += count,
                    None => {}
                }
            }
            reach.overridden_by = others.into_iter().map(|(by, count)| (by.clone(), count)).collect();
            reach
        };
        (of, fields.into_iter().map(field_reach).collect())
    }
}

impl Composition {
    /// Where a document applies: the ports and switches that it has settings for, and which
    /// document finally sets each of its fields. Empty for kinds from which no port or switch is
    /// composed.
    #[must_use]
    pub fn reach(&self, reference: &DocumentRef) -> DocumentScope {
        let (ports, port_fields) = self.ports.reach(reference);
        let (switches, switch_fields) = self.switches.reach(reference);
        DocumentScope {
            ports: ports.into_iter().map(PortIndex::from_index).collect(),
            switches: switches.into_iter().map(SwitchId::from_index).collect(),
            port_fields,
            switch_fields,
        }
    }
}
