//! A program as data, as scenarios write it and as built-in programs are defined.

use crate::field::HeaderKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The side of the switch: ingress or egress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[serde(rename = "Stage")]
pub enum PipelineStage {
    /// At the edge port where a packet enters the fabric.
    Ingress,
    /// At the edge port where it leaves.
    Egress,
}

impl fmt::Display for PipelineStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ingress => "ingress",
            Self::Egress => "egress",
        })
    }
}

/// How a field of a key is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MatchKind {
    /// With one value, which every entry gives.
    Exact,
    /// With a value in the bits of a mask: "0x10&0xf0".
    Ternary,
    /// With the upper bits of a value: "10.0.0.0/8".
    Prefix,
    /// With the values from one to another: "1024-2047".
    Range,
}

impl fmt::Display for MatchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exact => "exact",
            Self::Ternary => "ternary",
            Self::Prefix => "prefix",
            Self::Range => "range",
        })
    }
}

/// A number, or text in the field's own form: "10.0.0.1", "02:00:00:00:07:ea", "0x88b5", a traffic class, a pattern such as
/// "10.0.0.0/8", "0x10&0xf0" or "1024-2047". A field's name has a dot in it, so it stands in quotes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[serde(rename = "Value")]
pub enum FieldValue {
    /// A number.
    Number(u64),
    /// Text.
    Text(String),
}

impl fmt::Display for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

impl From<u64> for FieldValue {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for FieldValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// What is done with a packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
#[serde(rename = "Action")]
pub enum PacketAction {
    /// It passes; no further table of the stage sees it.
    Permit,
    /// It is discarded.
    Deny {
        /// Why, as results name it.
        cause: String,
    },
    /// It is counted.
    Count {
        /// The counter, which exists once named.
        counter: String,
    },
    /// A field is set; a packet without the field stays as it is.
    Set {
        /// The field.
        field: String,
        /// Its value. One of `value` and `from`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<FieldValue>,
        /// The field that its value is copied from. One of `value` and `from`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
    },
    /// It changes its traffic class.
    Class {
        /// The class, by name or number.
        class: FieldValue,
    },
    /// An 802.1Q tag is put in front of what the Ethernet header carries.
    PushVlan {
        /// VLAN: 1 to 4094.
        id: u16,
        /// Priority: 0 to 7. Default 0.
        #[serde(default)]
        pcp: u8,
    },
    /// The outermost 802.1Q tag is taken away; a packet without one stays as it is.
    PopVlan,
    /// The frame is put into a VXLAN tunnel. Each address is a value, or the field that it is copied from.
    Encapsulate {
        /// Virtual network: 1 to 16777215. Default: that of the packet, `meta.vni`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        vni: Option<u32>,
        /// Outer source address.
        source: FieldValue,
        /// Outer destination address.
        destination: FieldValue,
        /// Outer Ethernet source.
        source_mac: FieldValue,
        /// Outer Ethernet destination.
        destination_mac: FieldValue,
    },
    /// The frame is taken out of its VXLAN tunnel; a packet that is in none stays as it is.
    Decapsulate,
    /// It changes its virtual network, `meta.vni`.
    Vni {
        /// Virtual network: 0 to 16777215; 0 for none.
        vni: u32,
    },
    /// A later table of the stage is next.
    Goto {
        /// The table.
        table: String,
    },
}

/// One field of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyPart {
    /// The field.
    pub field: String,
    /// How it is compared: exact, ternary, prefix or range.
    #[serde(rename = "match")]
    pub kind: MatchKind,
}

/// One entry of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntrySpec {
    /// Matched values, by field. An omitted field of the key matches every packet, even one without
    /// the field; a given field matches only packets that have it. Fields that are compared exactly
    /// must be given.
    #[serde(default, rename = "match")]
    pub matches: BTreeMap<String, FieldValue>,
    /// Of several entries that match, the one of highest priority counts, then the one with the longer prefixes, then the
    /// older. Default 0.
    #[serde(default)]
    pub priority: u32,
    /// The actions. Without `permit`, `deny` or `goto`, the next table follows.
    #[serde(default)]
    pub actions: Vec<PacketAction>,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// How `goto`, entries and results name it.
    pub name: String,
    /// Its stage: "ingress" or "egress".
    pub stage: PipelineStage,
    /// The fields that it compares.
    pub key: Vec<KeyPart>,
    /// The most entries: 1 to 1048576.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub size: u32,
    /// The table of the stage that it stands before. Default: behind all that were named before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Actions for a packet that no entry matches. Default: none; the next table follows.
    #[serde(default)]
    pub default: Vec<PacketAction>,
    /// The entries.
    #[serde(default)]
    pub entries: Vec<EntrySpec>,
}

/// Which state follows for a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchSpec {
    /// Value of the field that the state selects by.
    pub value: FieldValue,
    /// The state that follows.
    pub state: String,
}

/// A state of the parser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StateSpec {
    /// How other states name it.
    pub name: String,
    /// The header that it reads.
    pub header: HeaderKind,
    /// The field of that header that selects the next header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub select: Option<String>,
    /// What follows, by value.
    #[serde(default)]
    pub next: Vec<BranchSpec>,
    /// What follows for all other values. Default: payload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<String>,
}

/// A parser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParserSpec {
    /// The most headers of a packet: 1 to 32.
    #[schemars(range(min = 1, max = 32))]
    pub depth: u32,
    /// The states; the first reads the start of the frame.
    pub states: Vec<StateSpec>,
}

/// Endpoints that belong to a virtual network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Members {
    /// Virtual network: 1 to 65535.
    #[schemars(range(min = 1, max = 65_535))]
    pub vni: u32,
    /// Endpoints, by number.
    pub endpoints: Vec<u32>,
}

/// All parts of a pipeline. Tables are in the order in which packets pass them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineProgram {
    pub parser: ParserSpec,
    /// Fields that distinguish flows, in addition to source and destination.
    pub signature: Vec<String>,
    pub tables: Vec<TableSpec>,
    /// Whether the endpoints of each job are members of its virtual network.
    pub jobs_are_members: bool,
    /// Further members.
    pub members: Vec<Members>,
}
