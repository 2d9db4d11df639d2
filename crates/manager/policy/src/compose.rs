//! Composition: which documents apply to a port, in which order, and the result.
//!
//! From the bottom: built-in defaults, the active topology policy, policies by selector (by
//! priority, port before link, then name), the port's own list of policies, the link's own list,
//! the link's settings, the port's settings. Later layers win field by field.

mod reach;

use crate::fields::Composed;
use crate::selector::Subject;
use crate::settings::{PortConfig, PortSettings, SwitchConfig};
use crate::spec::Spec;
use crate::{Document, DocumentKind, DocumentRef, DocumentSet, FabricView, PortRole, Selector};
use philae_units::{GroupId, PortIndex, SwitchId};
use serde::Serialize;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub use reach::{DocumentScope, FieldReach};

/// A configuration that some ports (or switches) share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConfigId(pub u32);

/// A stack of layers that some ports (or switches) share: a configuration, and the origin of each
/// of its fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StackId(pub u32);

/// The origin of a field's value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Origin {
    /// Built in: no document sets it.
    Default,
    Document(DocumentRef),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("the built-in default"),
            Self::Document(reference) => reference.fmt(f),
        }
    }
}

#[derive(Clone, Debug)]
struct Stack {
    config: ConfigId,
    /// By field: the layer that sets it; `None` is the built-in default.
    said_by: Vec<Option<u32>>,
}

/// Configurations of ports or of switches, each stored once.
#[derive(Clone, Debug)]
struct Table<C: Composed> {
    layers: Vec<(DocumentRef, C::Settings)>,
    layer_of: BTreeMap<DocumentRef, u32>,
    stacks: Vec<Stack>,
    stack_of: BTreeMap<Vec<u32>, StackId>,
    configs: Vec<C>,
    config_of: BTreeMap<C, ConfigId>,
    /// By port or switch.
    of: Vec<StackId>,
}

impl<C: Composed> Table<C> {
    fn new() -> Self {
        Self {
            layers: Vec::new(),
            layer_of: BTreeMap::new(),
            stacks: Vec::new(),
            stack_of: BTreeMap::new(),
            configs: Vec::new(),
            config_of: BTreeMap::new(),
            of: Vec::new(),
        }
    }

    /// Adds the present settings of a document; an older layer of it remains where it is used.
    fn put(&mut self, reference: DocumentRef, settings: C::Settings) -> u32 {
        let id = self.layers.len() as u32;
        self.layer_of.insert(reference.clone(), id);
        self.layers.push((reference, settings));
        id
    }

    fn stack(&mut self, layers: &[u32]) -> StackId {
        if let Some(id) = self.stack_of.get(layers) {
            return *id;
        }
        let mut config = C::default();
        let mut said_by = vec![None; C::POINTERS.len()];
        for &layer in layers {
            config.lay(&self.layers[layer as usize].1, &mut |field| said_by[field] = Some(layer));
        }
        let next = ConfigId(self.configs.len() as u32);
        let config = *self.config_of.entry(config.clone()).or_insert_with(|| {
            self.configs.push(config);
            next
        });
        let id = StackId(self.stacks.len() as u32);
        self.stacks.push(Stack { config, said_by });
        self.stack_of.insert(layers.to_vec(), id);
        id
    }

    fn config_id(&self, index: usize) -> ConfigId {
        self.stacks[self.of[index].0 as usize].config
    }

    fn origin(&self, index: usize, field: usize) -> Origin {
        match self.stacks[self.of[index].0 as usize].said_by.get(field).copied().flatten() {
            None => Origin::Default,
            Some(layer) => Origin::Document(self.layers[layer as usize].0.clone()),
        }
    }

    fn explain(&self, index: usize) -> Vec<(&'static str, serde_json::Value, Origin)> {
        let config = &self.configs[self.config_id(index).0 as usize];
        let fields = C::POINTERS.iter().enumerate();
        fields.map(|(field, pointer)| (*pointer, config.value(field), self.origin(index, field))).collect()
    }
}

/// The configuration of every port and switch of a fabric. It takes four bytes per port and switch,
/// and the memory that they share.
#[derive(Clone, Debug)]
pub struct Composition {
    ports: Table<PortConfig>,
    switches: Table<SwitchConfig>,
}

impl Composition {
    /// Composes the whole fabric.
    #[must_use]
    pub fn whole(set: &DocumentSet, fabric: &dyn FabricView) -> Self {
        let mut composition = Self { ports: Table::new(), switches: Table::new() };
        composition.put_layers(set, None);
        let rules = Rules::new(&composition, set, fabric);
        let mut layers = Vec::new();
        let name = RefCell::new(String::new());
        let count = fabric.port_count();
        let mut stacks = Vec::with_capacity(count as usize);
        let mut last = None;
        for port in (0..count).map(PortIndex) {
            rules.layers_of(port, fabric, &name, &mut layers);
            stacks.push(same_or(&mut last, &layers, || composition.ports.stack(&layers)));
        }
        composition.ports.of = stacks;
        composition.compose_switches(set, fabric);
        composition
    }

    /// Composes again what changed documents can affect, and returns the ports and switches whose
    /// configuration changed.
    ///
    /// The fabric must be the one of this composition; for another one, use `whole`.
    #[must_use]
    pub fn update(
        &self,
        after: &DocumentSet,
        touched: &[DocumentRef],
        fabric: &dyn FabricView,
    ) -> (Self, Vec<PortIndex>, Vec<SwitchId>) {
        let touched: BTreeSet<&DocumentRef> = touched.iter().collect();
        let live = after.iter().filter(|document| port_layer(document).is_some()).count();
        let is_full = self.ports.layers.len() > 4 * live + 1_024;
        let mut next = if is_full {
            Self::whole(after, fabric)
        } else {
            let mut next = self.clone();
            next.put_layers(after, Some(&touched));
            let reached = reached(&touched, fabric);
            let rules = Rules::new(&next, after, fabric);
            let mut layers = Vec::new();
            let name = RefCell::new(String::new());
            let mut last = None;
            reached.for_each(fabric.port_count(), |port| {
                rules.layers_of(port, fabric, &name, &mut layers);
                next.ports.of[port.index()] = same_or(&mut last, &layers, || next.ports.stack(&layers));
            });
            next
        };
        next.compose_switches(after, fabric);
        let ports = (0..self.ports.of.len()).filter(|&port| differs(&self.ports, &next.ports, port, !is_full));
        let ports = ports.map(PortIndex::from_index).collect();
        let switches =
            (0..self.switches.of.len()).filter(|&switch| differs(&self.switches, &next.switches, switch, false));
        let switches = switches.map(SwitchId::from_index).collect();
        (next, ports, switches)
    }

    /// The configuration of a port.
    #[must_use]
    pub fn port(&self, port: PortIndex) -> &PortConfig {
        &self.ports.configs[self.port_config_id(port).0 as usize]
    }

    /// The number of a port's configuration.
    #[must_use]
    pub fn port_config_id(&self, port: PortIndex) -> ConfigId {
        self.ports.config_id(port.index())
    }

    /// The number of a port's stack of layers.
    #[must_use]
    pub fn port_stack(&self, port: PortIndex) -> StackId {
        self.ports.of[port.index()]
    }

    /// The origin of a field of a port, by its number in [`Composed::POINTERS`].
    #[must_use]
    pub fn port_origin(&self, port: PortIndex, field: usize) -> Origin {
        self.ports.origin(port.index(), field)
    }

    /// Every field of a port: its pointer, value and origin.
    #[must_use]
    pub fn explain_port(&self, port: PortIndex) -> Vec<(&'static str, serde_json::Value, Origin)> {
        self.ports.explain(port.index())
    }

    /// The configuration of a switch.
    #[must_use]
    pub fn switch(&self, switch: SwitchId) -> &SwitchConfig {
        &self.switches.configs[self.switches.config_id(switch.index()).0 as usize]
    }

    /// Every field of a switch: its pointer, value and origin.
    #[must_use]
    pub fn explain_switch(&self, switch: SwitchId) -> Vec<(&'static str, serde_json::Value, Origin)> {
        self.switches.explain(switch.index())
    }

    /// The number of different configurations of ports.
    #[must_use]
    pub fn port_config_count(&self) -> usize {
        self.ports.configs.len()
    }

    fn put_layers(&mut self, set: &DocumentSet, only: Option<&BTreeSet<&DocumentRef>>) {
        for document in set.iter() {
            let reference = document.reference();
            if only.is_some_and(|only| !only.contains(&reference)) {
                continue;
            }
            if let Some(settings) = port_layer(document) {
                self.ports.put(reference, settings);
            }
        }
    }

    /// Composes all switches each time, because they are few.
    fn compose_switches(&mut self, set: &DocumentSet, fabric: &dyn FabricView) {
        let mut table = Table::new();
        let mut selected: Vec<(u16, &str, &Selector, u32)> = Vec::new();
        for document in set.of(DocumentKind::SwitchPolicy) {
            let Spec::SwitchPolicy(spec) = &document.spec else { continue };
            let layer = table.put(document.reference(), spec.settings.clone());
            if let Some(selector) = &spec.selector {
                selected.push((spec.priority, &document.name, selector, layer));
            }
        }
        selected.sort_by_key(|(priority, name, ..)| (*priority, *name));
        let base = set.active_topology().and_then(|document| match &document.spec {
            Spec::TopologyPolicy(spec) => Some(table.put(document.reference(), spec.switch_defaults.clone())),
            _ => None,
        });
        let by_switch = by_switch(set, fabric);
        let name = RefCell::new(String::new());
        for switch in (0..fabric.switch_count()).map(SwitchId) {
            let own = by_switch.get(&switch.0).copied();
            let subject = SwitchSubject { fabric, switch, document: own, name: &name };
            let mut layers: Vec<u32> = base.into_iter().collect();
            layers.extend(selected.iter().filter(|(_, _, s, _)| s.matches(&subject)).map(|(.., layer)| *layer));
            if let Some((document, Spec::Switch(spec))) = own.map(|document| (document, &document.spec)) {
                let named =
                    spec.switch_policy_links.iter().map(|name| DocumentRef::new(DocumentKind::SwitchPolicy, name));
                layers.extend(named.filter_map(|reference| table.layer_of.get(&reference).copied()));
                layers.push(table.put(document.reference(), spec.settings.clone()));
            }
            let stack = table.stack(&layers);
            table.of.push(stack);
        }
        self.switches = table;
    }
}

/// Equal numbers mean equal configurations if `after` was derived from `before`.
fn differs<C: Composed>(before: &Table<C>, after: &Table<C>, index: usize, grew: bool) -> bool {
    let (old, new) = (before.config_id(index), after.config_id(index));
    if grew { old != new } else { before.configs[old.0 as usize] != after.configs[new.0 as usize] }
}

/// Returns the previous result if the layers are the previous ones, as they are for most ports.
fn same_or(last: &mut Option<(Vec<u32>, StackId)>, layers: &[u32], find: impl FnOnce() -> StackId) -> StackId {
    match last {
        Some((known, stack)) if known == layers => *stack,
        _ => {
            let stack = find();
            *last = Some((layers.to_vec(), stack));
            stack
        }
    }
}

/// The settings of ports in a document.
fn port_layer(document: &Document) -> Option<PortSettings> {
    match &document.spec {
        Spec::TopologyPolicy(spec) => Some(spec.port_defaults.clone()),
        Spec::PortPolicy(spec) => Some(spec.settings.clone()),
        Spec::LinkPolicy(spec) => Some(spec.settings.for_port()),
        Spec::Port(spec) => Some(spec.settings.clone()),
        Spec::Link(spec) => Some(spec.settings.for_port()),
        _ => None,
    }
}

fn by_switch<'a>(set: &'a DocumentSet, fabric: &dyn FabricView) -> BTreeMap<u32, &'a Document> {
    set.of(DocumentKind::Switch).filter_map(|found| Some((fabric.find_switch(&found.name)?.0, found))).collect()
}

/// The rules of one set, to look up by port.
struct Rules<'a> {
    base: Vec<u32>,
    /// By priority, kind and name.
    selected: Vec<(&'a Selector, bool, u32)>,
    ports: BTreeMap<u32, (&'a Document, Vec<u32>, u32)>,
    /// By each end of the link.
    links: BTreeMap<u32, (Vec<u32>, u32)>,
    switches: BTreeMap<u32, &'a Document>,
}

impl<'a> Rules<'a> {
    fn new(composition: &Composition, set: &'a DocumentSet, fabric: &dyn FabricView) -> Self {
        let layer = |reference: &DocumentRef| composition.ports.layer_of.get(reference).copied();
        let named = |kind, names: &[String]| {
            names
                .iter()
                .filter_map(|name| {
                    Some(DocumentRef::new(kind, name)).filter(|r| set.contains(r)).and_then(|r| layer(&r))
                })
                .collect()
        };
        let mut selected = Vec::new();
        for document in set.of(DocumentKind::PortPolicy).chain(set.of(DocumentKind::LinkPolicy)) {
            let (selector, priority) = match &document.spec {
                Spec::PortPolicy(spec) => (&spec.selector, spec.priority),
                Spec::LinkPolicy(spec) => (&spec.selector, spec.priority),
                _ => continue,
            };
            if let (Some(selector), Some(id)) = (selector, layer(&document.reference())) {
                let is_stock = DocumentSet::is_stock(&document.reference());
                let is_link = document.kind == DocumentKind::LinkPolicy;
                selected.push(((!is_stock, priority, is_link, &document.name), (selector, is_link, id)));
            }
        }
        selected.sort_by_key(|(order, _)| *order);
        let mut ports = BTreeMap::new();
        for document in set.of(DocumentKind::Port) {
            let (Some(port), Spec::Port(spec)) = (fabric.find_port(&document.name), &document.spec) else { continue };
            let Some(own) = layer(&document.reference()) else { continue };
            ports.insert(port.0, (document, named(DocumentKind::PortPolicy, &spec.port_policy_links), own));
        }
        let mut links = BTreeMap::new();
        for document in set.of(DocumentKind::Link) {
            let (Some(ends), Spec::Link(spec)) = (fabric.find_link(&document.name), &document.spec) else { continue };
            let Some(own) = layer(&document.reference()) else { continue };
            for end in [ends.0, ends.1] {
                links.insert(end.0, (named(DocumentKind::LinkPolicy, &spec.link_policy_links), own));
            }
        }
        Self {
            base: set.active_topology().and_then(|document| layer(&document.reference())).into_iter().collect(),
            selected: selected.into_iter().map(|(_, rule)| rule).collect(),
            ports,
            links,
            switches: by_switch(set, fabric),
        }
    }

    fn subject<'s>(
        &'s self,
        port: PortIndex,
        fabric: &'s dyn FabricView,
        name: &'s RefCell<String>,
    ) -> PortSubject<'s> {
        let switch = fabric.switch_of(port);
        let document = self.ports.get(&port.0).map(|found| found.0);
        PortSubject { fabric, port, switch, document, of_switch: self.switches.get(&switch.0).copied(), name }
    }

    fn layers_of(&self, port: PortIndex, fabric: &dyn FabricView, name: &RefCell<String>, layers: &mut Vec<u32>) {
        layers.clear();
        layers.extend(&self.base);
        let subject = self.subject(port, fabric, name);
        let peer = fabric.peer(port);
        for (selector, is_link, layer) in &self.selected {
            let far = || peer.is_some_and(|peer| selector.matches(&self.subject(peer, fabric, name)));
            let applies = if *is_link {
                peer.is_some() && (selector.matches(&subject) || far())
            } else {
                selector.matches(&subject)
            };
            if applies {
                layers.push(*layer);
            }
        }
        if let Some((_, named, _)) = self.ports.get(&port.0) {
            layers.extend(named);
        }
        if let Some((named, own)) = self.links.get(&port.0) {
            layers.extend(named);
            layers.push(*own);
        }
        if let Some((_, _, own)) = self.ports.get(&port.0) {
            layers.push(*own);
        }
    }
}

/// Whether a selector selects any port, or any port with a link to another switch.
pub(crate) fn selects_any_port(selector: &Selector, set: &DocumentSet, is_link: bool, fabric: &dyn FabricView) -> bool {
    let rules = Rules::new(&Composition { ports: Table::new(), switches: Table::new() }, set, fabric);
    let documents: BTreeMap<u32, &Document> =
        set.of(DocumentKind::Port).filter_map(|found| Some((fabric.find_port(&found.name)?.0, found))).collect();
    let name = RefCell::new(String::new());
    (0..fabric.port_count()).map(PortIndex).filter(|port| !is_link || fabric.peer(*port).is_some()).any(|port| {
        let mut subject = rules.subject(port, fabric, &name);
        subject.document = documents.get(&port.0).copied();
        selector.matches(&subject)
    })
}

/// Ports that changed documents can affect.
enum Reached {
    All,
    Some(BTreeSet<u32>),
}

impl Reached {
    fn for_each(&self, count: u32, mut visit: impl FnMut(PortIndex)) {
        match self {
            Self::All => (0..count).map(PortIndex).for_each(visit),
            Self::Some(ports) => ports.iter().map(|port| PortIndex(*port)).for_each(&mut visit),
        }
    }
}

fn reached(touched: &BTreeSet<&DocumentRef>, fabric: &dyn FabricView) -> Reached {
    let mut ports = BTreeSet::new();
    for reference in touched {
        match reference.kind {
            // Selectors may match anything before or after the change, so check all ports.
            DocumentKind::TopologyPolicy
            | DocumentKind::Switch
            | DocumentKind::PortPolicy
            | DocumentKind::LinkPolicy => return Reached::All,
            DocumentKind::Port => {
                let port = fabric.find_port(&reference.name);
                // A link policy selects by labels of either end.
                ports.extend(port.and_then(|port| fabric.peer(port)).map(|port| port.0));
                ports.extend(port.map(|port| port.0));
            }
            DocumentKind::Link => {
                let ends = fabric.find_link(&reference.name);
                ports.extend(ends.into_iter().flat_map(|(one, other)| [one.0, other.0]));
            }
            _ => {}
        }
    }
    Reached::Some(ports)
}

struct PortSubject<'a> {
    fabric: &'a dyn FabricView,
    port: PortIndex,
    switch: SwitchId,
    document: Option<&'a Document>,
    of_switch: Option<&'a Document>,
    name: &'a RefCell<String>,
}

fn look_at(name: &RefCell<String>, write: impl FnOnce(&mut String), look: &mut dyn FnMut(&str) -> bool) -> bool {
    let mut name = name.borrow_mut();
    name.clear();
    write(&mut name);
    look(&name)
}

impl Subject for PortSubject<'_> {
    fn role(&self) -> Option<PortRole> {
        Some(self.fabric.role(self.port))
    }

    fn group(&self) -> Option<GroupId> {
        Some(self.fabric.group(self.switch))
    }

    fn model(&self) -> Option<&str> {
        Some(self.fabric.model(self.switch))
    }

    fn label(&self, key: &str) -> Option<&str> {
        let own = self.document.and_then(|found| found.labels.get(key));
        own.or_else(|| self.of_switch.and_then(|found| found.labels.get(key))).map(String::as_str)
    }

    fn switch_name(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        look_at(self.name, |text| self.fabric.write_switch_name(self.switch, text), look)
    }

    fn name(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        look_at(self.name, |text| self.fabric.write_port_name(self.port, text), look)
    }

    fn jack(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        look_at(self.name, |text| self.fabric.write_jack_name(self.port, text), look)
    }

    fn switch_label(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        self.fabric.look_at_switch(self.switch, look)
    }

    fn own_label(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        self.fabric.look_at_end(self.port, look)
    }
}

pub(crate) struct SwitchSubject<'a> {
    pub fabric: &'a dyn FabricView,
    pub switch: SwitchId,
    pub document: Option<&'a Document>,
    pub name: &'a RefCell<String>,
}

impl Subject for SwitchSubject<'_> {
    fn role(&self) -> Option<PortRole> {
        None
    }

    fn group(&self) -> Option<GroupId> {
        Some(self.fabric.group(self.switch))
    }

    fn model(&self) -> Option<&str> {
        Some(self.fabric.model(self.switch))
    }

    fn label(&self, key: &str) -> Option<&str> {
        self.document.and_then(|found| found.labels.get(key)).map(String::as_str)
    }

    fn switch_name(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        look_at(self.name, |text| self.fabric.write_switch_name(self.switch, text), look)
    }

    fn name(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        self.switch_name(look)
    }

    fn switch_label(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        self.fabric.look_at_switch(self.switch, look)
    }

    fn own_label(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        self.fabric.look_at_switch(self.switch, look)
    }
}
