//! The forms of requests and answers: JSON Schemas, made from their types.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// A function that makes a schema; definitions that it refers to are in the generator.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// The schema of a type.
pub fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The schema of any value.
pub fn any(_: &mut SchemaGenerator) -> Schema {
    json_schema!({})
}

/// A generator whose definitions are in OpenAPI's place.
#[must_use]
pub fn generator() -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.contract = schemars::generate::Contract::Serialize;
    settings.into_generator()
}

/// The content of an endpoint's answer.
#[derive(Clone, Copy)]
pub enum Content {
    /// JSON of this schema.
    Json(SchemaOf),
    /// Also one JSON document a line, on request: each item of the list.
    Lines(SchemaOf, SchemaOf),
    /// Plain text.
    Text,
    File,
    /// Events (`text/event-stream`).
    Events,
}

/// The form of an endpoint's request and answers.
#[derive(Clone, Copy)]
pub struct EndpointShape {
    /// The schema of the body; `None` without one.
    pub body: Option<SchemaOf>,
    /// The content of the answer.
    pub content: Content,
    /// The statuses of answers that are no errors.
    pub statuses: &'static [u16],
    /// The statuses of errors that this endpoint may have in addition to the common ones.
    pub errors: &'static [u16],
}

impl EndpointShape {
    /// Any JSON, without a body.
    pub const ANY: Self = Self { body: None, content: Content::Json(any), statuses: &[200], errors: &[] };
}
