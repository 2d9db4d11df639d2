//! Compiled actions: names resolved, values checked.

use crate::error::{EngineError, hint};
use crate::field::{Field, FieldName};
use crate::graph::ParseGraph;
use crate::spec::{FieldValue, PacketAction};
use philae_wire::{Priority, VlanId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueSource {
    Constant(u64),
    /// A field of the packet.
    Field(Field),
}

/// Addresses of a tunnel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TunnelSource {
    /// `None`: the value of `meta.vni`.
    pub vni: Option<u32>,
    pub source: ValueSource,
    pub destination: ValueSource,
    pub source_mac: ValueSource,
    pub destination_mac: ValueSource,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Permit,
    Deny { cause: u16 },
    Count { counter: u16 },
    Set { field: Field, source: ValueSource },
    PushVlan { vlan: VlanId, priority: Priority },
    PopVlan,
    Encapsulate(TunnelSource),
    Decapsulate,
    Goto { table: usize },
}

/// Names that get numbers in order of first use: causes and counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NameNumbers(Vec<String>);

impl NameNumbers {
    /// The number of a name.
    pub(crate) fn number(&mut self, name: &str, place: &str, what: &str) -> Result<u16, EngineError> {
        if name.is_empty() {
            return Err(EngineError::value(place, what, "empty", "a name of at least one letter would work"));
        }
        let at = self.0.iter().position(|known| known == name).unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        });
        u16::try_from(at)
            .map_err(|_| EngineError::value(place, what, "the 65537th of its kind", "at most 65536 names would work"))
    }

    /// All names, in the order of their numbers.
    pub(crate) fn all(&self) -> &[String] {
        &self.0
    }
}

/// What the actions of one table may refer to.
pub(crate) struct Surroundings<'a> {
    /// The place that error messages name.
    pub place: String,
    pub graph: &'a ParseGraph,
    /// Traffic classes.
    pub classes: &'a [String],
    /// Tables of the same stage, as number and name, in the order in which packets pass them.
    pub tables: &'a [(usize, String)],
    /// The number of the table that has the actions.
    pub table: usize,
}

/// Checks and compiles a list of actions.
pub(crate) fn resolve(
    actions: &[PacketAction],
    around: &Surroundings<'_>,
    causes: &mut NameNumbers,
    counters: &mut NameNumbers,
) -> Result<Vec<Act>, EngineError> {
    let ends = |action: &PacketAction| {
        matches!(action, PacketAction::Permit | PacketAction::Deny { .. } | PacketAction::Goto { .. })
    };
    if let Some(at) = actions.iter().position(ends)
        && at + 1 < actions.len()
    {
        let works = "permit, deny and goto end a list: put them last";
        return Err(EngineError::value(
            &around.place,
            "an action behind the end of its list",
            format!("number {}", at + 2),
            works,
        ));
    }
    actions.iter().map(|action| around.resolve_one(action, causes, counters)).collect()
}

impl Surroundings<'_> {
    fn resolve_one(
        &self,
        action: &PacketAction,
        causes: &mut NameNumbers,
        counters: &mut NameNumbers,
    ) -> Result<Act, EngineError> {
        let place = &self.place;
        Ok(match action {
            PacketAction::Permit => Act::Permit,
            PacketAction::Deny { cause } => Act::Deny { cause: causes.number(cause, place, "`cause`")? },
            PacketAction::Count { counter } => Act::Count { counter: counters.number(counter, place, "`counter`")? },
            PacketAction::Set { field, value, from } => {
                let field = self.writable(field)?;
                let source = match (value, from) {
                    (Some(value), None) => ValueSource::Constant(self.constant(field, value)?),
                    (None, Some(from)) => self.copied(from, field)?,
                    (found, _) => {
                        let found = if found.is_some() { "two" } else { "absent" };
                        let works = "one of `value` and `from` would work";
                        return Err(EngineError::value(place, format!("what `{field}` is set to"), found, works));
                    }
                };
                Act::Set { field, source }
            }
            PacketAction::Class { class } => {
                let field = Field::of(FieldName::MetaClass);
                Act::Set { field, source: ValueSource::Constant(self.constant(field, class)?) }
            }
            PacketAction::Vni { vni } => {
                let field = Field::of(FieldName::MetaVni);
                Act::Set { field, source: ValueSource::Constant(self.constant(field, &u64::from(*vni).into())?) }
            }
            PacketAction::PushVlan { id, pcp } => {
                if *id == 0 || *id > 4_094 {
                    return Err(EngineError::value(place, "`id` of push-vlan", id, "1 to 4094 would work"));
                }
                let priority = Priority::new(*pcp);
                let priority =
                    priority.map_err(|_| EngineError::value(place, "`pcp` of push-vlan", pcp, "0 to 7 would work"))?;
                Act::PushVlan { vlan: VlanId::from_low_bits(*id), priority }
            }
            PacketAction::PopVlan => Act::PopVlan,
            PacketAction::Encapsulate { vni, source, destination, source_mac, destination_mac } => {
                if vni.is_some_and(|vni| vni == 0 || u64::from(vni) > FieldName::VxlanVni.max()) {
                    let found = vni.map_or_else(String::new, |vni| vni.to_string());
                    return Err(EngineError::value(place, "`vni` of encapsulate", found, "1 to 16777215 would work"));
                }
                Act::Encapsulate(TunnelSource {
                    vni: *vni,
                    source: self.address(source, FieldName::IpSrc)?,
                    destination: self.address(destination, FieldName::IpDst)?,
                    source_mac: self.address(source_mac, FieldName::EthSrc)?,
                    destination_mac: self.address(destination_mac, FieldName::EthDst)?,
                })
            }
            PacketAction::Decapsulate => Act::Decapsulate,
            PacketAction::Goto { table } => Act::Goto { table: self.later(table)? },
        })
    }

    /// A field that an action may write.
    fn writable(&self, text: &str) -> Result<Field, EngineError> {
        let field = Field::named(text, &self.place)?;
        self.graph.must_find(field, &self.place)?;
        if !field.name.is_writable() {
            let works = "a type, an opcode, a place in the switch stays as it is; another field would work";
            return Err(EngineError::value(&self.place, "the field to set", format!("`{field}`"), works));
        }
        if self.graph.selects(field.name) {
            let works = "the parser decides by it, so the packet would read as another; another field would work";
            return Err(EngineError::value(&self.place, "the field to set", format!("`{field}`"), works));
        }
        Ok(field)
    }

    fn constant(&self, field: Field, value: &FieldValue) -> Result<u64, EngineError> {
        let text = value.to_string();
        let found = field.value(text.trim(), self.classes);
        found.map_err(|works| EngineError::value(&self.place, format!("`{field}`"), format!("\"{text}\""), works))
    }

    /// A field whose values all fit into `to`.
    fn copied(&self, text: &str, to: Field) -> Result<ValueSource, EngineError> {
        let from = Field::named(text, &self.place)?;
        self.graph.must_find(from, &self.place)?;
        if from.name.bits() > to.name.bits() {
            let found = format!("`{from}`, which has {} bits", from.name.bits());
            let works = format!("a field of at most {} bits would fit", to.name.bits());
            return Err(EngineError::value(&self.place, format!("what `{to}` is copied from"), found, works));
        }
        Ok(ValueSource::Field(from))
    }

    /// A value for the field `like`, or a field to copy it from.
    fn address(&self, value: &FieldValue, like: FieldName) -> Result<ValueSource, EngineError> {
        match value {
            FieldValue::Text(text) if Field::find(text).is_some() => self.copied(text, Field::of(like)),
            other => self.constant(Field::of(like), other).map(ValueSource::Constant),
        }
    }

    /// A table after this one in its stage.
    fn later(&self, name: &str) -> Result<usize, EngineError> {
        let own = self.tables.iter().position(|(number, _)| *number == self.table).unwrap_or(0);
        let later = &self.tables[own + 1..];
        if let Some((number, _)) = later.iter().find(|(_, known)| known == name) {
            return Ok(*number);
        }
        let names: Vec<String> = later.iter().map(|(_, name)| name.clone()).collect();
        if self.tables.iter().any(|(_, known)| known == name) {
            let works = if names.is_empty() {
                "it goes forward only, and no table follows".to_owned()
            } else {
                format!("it goes forward only, so that evaluation ends: {} would work", names.join(", "))
            };
            return Err(EngineError::value(&self.place, "`table` of goto", format!("'{name}'"), works));
        }
        Err(EngineError::UnknownTable {
            place: format!("{}, goto", self.place),
            found: name.to_owned(),
            hint: hint(name, &names),
            known: if names.is_empty() { "none that follow".to_owned() } else { names.join(", ") },
        })
    }
}
