//! The system of a scenario, by name, by path or described in place; and a built system that
//! several scenarios can share.

use crate::error::{KeyLocation, ScenarioError};
use crate::tree::Scenario;
use philae_inventory::{Models, SourceError, SystemSource};
use philae_topology::{SystemDescription, SystemError, SystemFigures, SystemText, Topology};
use philae_trace::TraceFormat;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The system of a scenario.
///
/// Written as `system = "shandy"`, `system = "systems/mine.toml"`, or as a table `[system]` with
/// `name` alone, with `path` and perhaps `endpoints_per_switch`, or with a whole description.
#[derive(Clone, Debug, PartialEq)]
pub enum SystemChoice {
    /// A built-in system.
    Named(String),
    /// A file; in a scenario from a file, paths are relative to that file.
    File(SystemFile),
    /// Described here.
    Inline(Box<SystemDescription>),
}

/// A system in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemFile {
    /// Path of a file of a system, or of a fabric: a template, point-to-point cabling, a netlist.
    pub path: String,
    /// Endpoints on each switch of a graph that has none; 0: none.
    pub endpoints_per_switch: u32,
}

impl SystemFile {
    /// A file without changes.
    #[must_use]
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), endpoints_per_switch: 0 }
    }

    /// Reads it, or finds the built-in system of this name.
    fn describe(&self) -> Result<SystemDescription, ScenarioError> {
        let mut system = match SystemSource::load(&self.path, &Models::built_in()) {
            Ok(source) => source.into_system(),
            Err(error) => return Err(other_kind(&self.path, &error).unwrap_or_else(|| Box::new(error).into())),
        };
        let is_built_in = philae_topology::systems().iter().any(|system| system.name == self.path);
        system.file = (!is_built_in).then(|| self.path.clone());
        let asked = self.endpoints_per_switch;
        if asked > 0 {
            let refused = |found: String, works: &str| ScenarioError::Value {
                place: KeyLocation::of("system.endpoints_per_switch"),
                found: format!("{asked}, and '{}' {found}", self.path),
                works: works.to_owned(),
            };
            let works = "without this key the system would work";
            let Some(graph) = &mut system.graph else { return Err(refused("is not a graph".to_owned(), works)) };
            let own = graph.endpoints.len() as u64 + u64::from(graph.endpoints_per_switch) * u64::from(graph.switches);
            if own > 0 {
                return Err(refused(format!("has {own} endpoints of its own"), works));
            }
            graph.endpoints_per_switch = asked;
        }
        Ok(system)
    }
}

/// The kind of a file that is not a system: a scenario, or a trace.
fn other_kind(path: &str, error: &SourceError) -> Option<ScenarioError> {
    if !matches!(error, SourceError::System(SystemError::Parse { .. })) {
        return None;
    }
    let Ok(SystemText::File(text)) = SystemText::find(path) else { return None };
    let found = |found: String, works: String| ScenarioError::NotASystem { path: path.to_owned(), found, works };
    if let Ok(table) = text.parse::<toml::Table>() {
        if !(table.contains_key("job") || table.contains_key("system")) {
            return None;
        }
        let named = match table.get("system") {
            Some(toml::Value::String(name)) => format!("its system, '{name}', would work"),
            _ => "the system that it names, or a file with the keys of its [system], would work".to_owned(),
        };
        return Some(found("a scenario".to_owned(), named));
    }
    let format = TraceFormat::detect(path, text.as_bytes())?;
    Some(found(format!("a trace ({format})"), format!("`philae trace info {path}` describes it")))
}

/// A description with its topology, built once and shared by many scenarios.
#[derive(Clone, Debug)]
pub struct System {
    /// The description.
    pub description: Arc<SystemDescription>,
    /// The wiring.
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
            Err(source) => {
                let SystemDescription { name, file, .. } = description;
                let system = file.map_or_else(|| format!("'{name}'"), |file| format!("'{name}' of '{file}'"));
                Err(ScenarioError::Topology { system, source })
            }
        }
    }

    /// Finds a system by its built-in name or reads the file at this path, and builds it.
    ///
    /// # Errors
    /// [`ScenarioError::System`], [`ScenarioError::NotASystem`], [`ScenarioError::Topology`].
    pub fn load(name_or_path: &str) -> Result<Self, ScenarioError> {
        Self::build(SystemFile::new(name_or_path).describe()?)
    }

    /// The figures of the system, as JSON, with the result of [`check`](Self::check): `refused` is
    /// null if a run would begin.
    ///
    /// # Panics
    /// Never: JSON can express every description.
    #[must_use]
    pub fn to_json(&self, refused: Option<&ScenarioError>) -> serde_json::Value {
        let description = SystemFigures::of(&self.description, &self.topology);
        let mut value = serde_json::to_value(&description as &dyn erased_serde::Serialize)
            .expect("a description is made of what JSON can say");
        value["hardware"] = serde_json::to_value(&self.description.hardware as &dyn erased_serde::Serialize)
            .expect("tables of TOML are tables of JSON");
        value["refused"] = refused.map(ToString::to_string).into();
        value
    }

    /// Checks that the hardware that the system names can serve it: otherwise every scenario on it
    /// would be refused.
    ///
    /// # Errors
    /// Those of [`Scenario::resolve`] that do not depend on a scenario.
    pub fn check(&self) -> Result<(), ScenarioError> {
        Scenario::on(self).check_hardware(self)
    }
}

impl SystemChoice {
    /// From a command line or a file: a path if it looks like one, otherwise a name.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let is_path = text.contains(['/', '\\']) || Path::new(text).extension().is_some();
        if is_path { Self::File(SystemFile::new(text)) } else { Self::Named(text.to_owned()) }
    }

    /// The description.
    ///
    /// # Errors
    /// [`ScenarioError::System`], [`ScenarioError::NotASystem`] if there is no such system or the
    /// file cannot be read, and [`ScenarioError::Value`] if endpoints cannot be added.
    pub fn describe(&self) -> Result<SystemDescription, ScenarioError> {
        match self {
            Self::Inline(description) => Ok(description.as_ref().clone()),
            Self::Named(text) => SystemFile::new(text).describe(),
            Self::File(file) => file.describe(),
        }
    }

    /// The same, with a relative path relative to `folder`.
    pub(crate) fn relative_to(self, folder: &Path) -> Self {
        match self {
            Self::File(file) if Path::new(&file.path).is_relative() => {
                Self::File(SystemFile { path: folder.join(&file.path).to_string_lossy().into_owned(), ..file })
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
            Self::File(SystemFile { path, endpoints_per_switch }) => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry("path", path)?;
                if *endpoints_per_switch > 0 {
                    map.serialize_entry("endpoints_per_switch", endpoints_per_switch)?;
                }
                map.end()
            }
        }
    }
}

/// The key next to `path`.
const PER_SWITCH: &str = "endpoints_per_switch";

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
                let count = match table.get(PER_SWITCH) {
                    None => Some(0),
                    Some(value) => value.as_integer().and_then(|count| u32::try_from(count).ok()),
                };
                let beside = 1 + usize::from(table.contains_key(PER_SWITCH));
                match (text("name"), text("path")) {
                    (Some(name), None) if table.len() == 1 => Ok(SystemChoice::Named(name)),
                    (None, Some(path)) if table.len() == beside => match count {
                        Some(endpoints_per_switch) => Ok(SystemChoice::File(SystemFile { path, endpoints_per_switch })),
                        None => {
                            let found = &table[PER_SWITCH];
                            Err(de::Error::custom(format!("`{PER_SWITCH}` is {found}; a whole number would work")))
                        }
                    },
                    (_, Some(_)) => Err(de::Error::custom(
                        "next to `path` only `endpoints_per_switch` would work: the file has all other keys",
                    )),
                    (_, None) => SystemDescription::deserialize(table)
                        .map(|description| SystemChoice::Inline(Box::new(description)))
                        .map_err(|error| de::Error::custom(philae_units::plain(error.message()))),
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
                    "description": "A file with the description (.toml, .json, .graphml, .gexf, .topo) or with a fabric \
                        (template, point-to-point cabling, netlist). The file has all other keys.",
                    "type": "string",
                }),
            );
            properties.insert(
                "hardware".to_owned(),
                serde_json::json!({
                    "description": "Hardware that differs from the presets: the tables of the scenario's `hardware` \
                        (switch, nic, ethernet, host, node, jitter, tcp) and `congestion`. A scenario's own keys win.",
                    "type": "object",
                }),
            );
            properties.insert(
                PER_SWITCH.to_owned(),
                serde_json::json!({
                    "description": "Next to `path`, for a graph without endpoints: endpoints on each switch.",
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 256,
                }),
            );
        }
        json_schema!({
            "description": "A built-in system's name, the path of a file, or a table with `name`, `path` or a description.",
            "anyOf": [{ "type": "string" }, table],
        })
    }
}
