//! The system of a scenario, by name, by path or described in place; and a system that is built and can be shared.

use crate::error::ScenarioError;
use philae_topology::{SystemDescription, Topology};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Which system.
///
/// Written as `system = "shandy"`, `system = "systems/mine.toml"`, or as a table `[system]` with `name` alone, `path` alone
/// or a whole description.
#[derive(Clone, Debug, PartialEq)]
pub enum SystemChoice {
    /// A built-in one.
    Named(String),
    /// A file; a scenario that was read from a file means paths beside that file.
    File(String),
    /// Described here.
    Inline(Box<SystemDescription>),
}

/// A description with its topology, built once and shared by many scenarios.
#[derive(Clone, Debug)]
pub struct System {
    /// What was built.
    pub description: Arc<SystemDescription>,
    /// Who is wired to whom.
    pub topology: Arc<Topology>,
}

impl System {
    /// Builds a described system.
    ///
    /// # Errors
    /// [`ScenarioError::Topology`] when it cannot be wired.
    pub fn build(description: SystemDescription) -> Result<Self, ScenarioError> {
        match Topology::build(&description) {
            Ok(topology) => Ok(Self { description: Arc::new(description), topology: Arc::new(topology) }),
            Err(source) => Err(ScenarioError::Topology { system: description.name, source }),
        }
    }

    /// Finds a system by its built-in name or reads the file at this path, and builds it.
    ///
    /// # Errors
    /// [`ScenarioError::System`], [`ScenarioError::Topology`].
    pub fn load(name_or_path: &str) -> Result<Self, ScenarioError> {
        Self::build(SystemDescription::load(name_or_path)?)
    }
}

impl SystemChoice {
    /// From what a command line or a file says: a path if it looks like one, otherwise a name.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let is_path = text.contains(['/', '\\']) || Path::new(text).extension().is_some();
        if is_path { Self::File(text.to_owned()) } else { Self::Named(text.to_owned()) }
    }

    /// The description.
    ///
    /// # Errors
    /// [`ScenarioError::System`] when there is no such system or the file cannot be read.
    pub fn describe(&self) -> Result<SystemDescription, ScenarioError> {
        match self {
            Self::Inline(description) => Ok(description.as_ref().clone()),
            Self::Named(text) | Self::File(text) => Ok(SystemDescription::load(text)?),
        }
    }

    /// The same, with a relative path meant from `folder`.
    pub(crate) fn relative_to(self, folder: &Path) -> Self {
        match self {
            Self::File(path) if Path::new(&path).is_relative() => {
                Self::File(folder.join(path).to_string_lossy().into_owned())
            }
            other => other,
        }
    }
}

impl Serialize for SystemChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Named(name) => serializer.serialize_str(name),
            Self::Inline(description) => description.serialize(serializer),
            Self::File(path) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("path", path)?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for SystemChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = SystemChoice;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a built-in system's name, a path, or a [system] table")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<SystemChoice, E> {
                Ok(SystemChoice::from_text(text))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SystemChoice, A::Error> {
                let table = toml::Table::deserialize(de::value::MapAccessDeserializer::new(map))?;
                let text = |key: &str| table.get(key).and_then(toml::Value::as_str).map(str::to_owned);
                match (text("name"), text("path")) {
                    (Some(name), None) if table.len() == 1 => Ok(SystemChoice::Named(name)),
                    (None, Some(path)) if table.len() == 1 => Ok(SystemChoice::File(path)),
                    (_, Some(_)) => Err(de::Error::custom(
                        "`path` stands alone: a description in place has no path, and a file has all the keys itself",
                    )),
                    (_, None) => SystemDescription::deserialize(table)
                        .map(|description| SystemChoice::Inline(Box::new(description)))
                        .map_err(|error| de::Error::custom(error.message().to_owned())),
                }
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

impl JsonSchema for SystemChoice {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "System".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut table = SystemDescription::json_schema(generator);
        table.remove("required");
        if let Some(properties) = table.get_mut("properties").and_then(|found| found.as_object_mut()) {
            properties.insert(
                "path".to_owned(),
                serde_json::json!({
                    "description": "A .toml, .json, .graphml or .topo file with the description; stands alone.",
                    "type": "string",
                }),
            );
        }
        json_schema!({
            "description": "A built-in system's name, the path of a file, or a table with `name`, `path` or a description.",
            "anyOf": [{ "type": "string" }, table],
        })
    }
}
