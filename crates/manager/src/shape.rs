//! What requests and answers look like: JSON Schemas, made from the types that are written and read.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// A schema, with what it refers to left in the generator.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// The schema of a type.
pub fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Anything.
pub fn any(_: &mut SchemaGenerator) -> Schema {
    json_schema!({})
}

/// A generator whose definitions stand where OpenAPI has them.
#[must_use]
pub fn generator() -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.contract = schemars::generate::Contract::Serialize;
    settings.into_generator()
}

/// What an endpoint answers.
#[derive(Clone, Copy)]
pub enum Content {
    /// JSON of this schema.
    Json(SchemaOf),
    /// Also, where it is asked for, one JSON document a line: each item of the list.
    Lines(SchemaOf, SchemaOf),
    /// Plain text.
    Text,
    /// A file.
    File,
    /// Events (`text/event-stream`).
    Events,
}

/// What is known of an endpoint's request and answer.
#[derive(Clone, Copy)]
pub struct Shape {
    /// What the body has to be; nothing where there is none.
    pub body: Option<SchemaOf>,
    /// What is answered.
    pub content: Content,
    /// The statuses of an answer that is no error.
    pub statuses: &'static [u16],
    /// The statuses of errors that this endpoint may have beside those that all have.
    pub errors: &'static [u16],
}

impl Shape {
    /// Any JSON, without a body.
    pub const ANY: Self = Self { body: None, content: Content::Json(any), statuses: &[200], errors: &[] };
}
