//! The messages of a Chakra trace that a schedule needs, by their field numbers. Source:
//! mlcommons/chakra, `et_def.proto`.

/// First message of a file.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct GlobalMetadata {
    /// Version of the schema.
    #[prost(string, tag = "1")]
    pub version: String,
    /// Further attributes of the trace.
    #[prost(message, repeated, tag = "2")]
    pub attributes: Vec<Attribute>,
}

/// An operation of one rank.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct ChakraNode {
    /// Omitted if it is 0.
    #[prost(uint64, tag = "1")]
    pub id: u64,
    /// For people.
    #[prost(string, tag = "2")]
    pub name: String,
    /// Its kind: see [`NodeKind`](super::NodeKind).
    #[prost(int32, tag = "3")]
    pub kind: i32,
    /// Ids of nodes before it.
    #[prost(uint64, repeated, tag = "4")]
    pub control_dependencies: Vec<u64>,
    /// Ids of nodes before it.
    #[prost(uint64, repeated, tag = "5")]
    pub data_dependencies: Vec<u64>,
    /// Its duration, in microseconds.
    #[prost(uint64, tag = "7")]
    pub duration_micros: u64,
    /// All other attributes.
    #[prost(message, repeated, tag = "10")]
    pub attributes: Vec<Attribute>,
}

/// A name with a value of some type; writers choose different types for the same name.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Attribute {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(int32, optional, tag = "7")]
    pub int32: Option<i32>,
    #[prost(int64, optional, tag = "9")]
    pub int64: Option<i64>,
    #[prost(uint32, optional, tag = "11")]
    pub uint32: Option<u32>,
    #[prost(uint64, optional, tag = "13")]
    pub uint64: Option<u64>,
    #[prost(sint32, optional, tag = "15")]
    pub sint32: Option<i32>,
    #[prost(sint64, optional, tag = "17")]
    pub sint64: Option<i64>,
    #[prost(fixed32, optional, tag = "19")]
    pub fixed32: Option<u32>,
    #[prost(fixed64, optional, tag = "21")]
    pub fixed64: Option<u64>,
    #[prost(sfixed32, optional, tag = "23")]
    pub sfixed32: Option<i32>,
    #[prost(sfixed64, optional, tag = "25")]
    pub sfixed64: Option<i64>,
    #[prost(bool, optional, tag = "27")]
    pub boolean: Option<bool>,
    #[prost(message, optional, tag = "28")]
    pub booleans: Option<BoolList>,
    #[prost(string, optional, tag = "29")]
    pub text: Option<String>,
}

/// Several truth values.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct BoolList {
    /// The values.
    #[prost(bool, repeated, tag = "1")]
    pub values: Vec<bool>,
}

impl Attribute {
    /// The value as a whole number, whatever its integer type; a truth value is 0 or 1.
    pub fn number(&self) -> Option<i128> {
        let signed = [
            self.int32.map(i64::from),
            self.int64,
            self.sint32.map(i64::from),
            self.sint64,
            self.sfixed32.map(i64::from),
            self.sfixed64,
            self.boolean.map(i64::from),
        ];
        let unsigned = [self.uint32.map(u64::from), self.uint64, self.fixed32.map(u64::from), self.fixed64];
        let signed = signed.into_iter().flatten().map(i128::from);
        signed.chain(unsigned.into_iter().flatten().map(i128::from)).next()
    }
}
