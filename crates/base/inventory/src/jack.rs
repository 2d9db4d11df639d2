//! Maps jacks to ports of the ASIC, by model of switch.
//!
//! The tables are a file of known rows and a rule for the rest (`models/jacks.toml`;
//! docs/manager/fabric-template.md describes the format). [`JackPort::status`] marks rows that
//! follow from the rule, so that no guess is silent.

use crate::xname::{Xname, XnameError, XnameKind};
use philae_units::PortId;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The origin of a row of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowStatus {
    /// A public document shows it.
    Published,
    /// Read from a switch.
    Measured,
    /// No source: the rule of the file.
    Assumed,
}

/// The port of a pair that is the first port of a jack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstPort {
    /// The even one: p0 is port 2k, p1 port 2k + 1.
    Even,
    /// The odd one: p0 is port 2k + 1, p1 port 2k.
    Odd,
}

/// The rule for jacks without rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestDescription {
    /// The remaining jacks take the remaining pairs of ASIC ports (2k, 2k + 1), both in order; this
    /// is the port of a pair that is p0.
    pub p0: FirstPort,
    /// The origin of the rule.
    pub status: RowStatus,
    /// The reason.
    pub why: String,
}

/// One known row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowDescription {
    /// Number of the jack, from 1.
    pub jack: u8,
    /// Port of the jack: 0 or 1.
    pub jack_port: u8,
    /// The ASIC's number of the port.
    pub asic_port: u8,
    /// Its origin.
    pub status: RowStatus,
    /// The document, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
}

/// One model of switch as a file describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelDescription {
    /// Its name, in lower case.
    pub name: String,
    /// A description in one sentence.
    #[serde(default)]
    pub summary: String,
    /// Ports of the ASIC: 2 to 256, two to a jack.
    pub ports: u16,
    /// Jacks, numbered from 1.
    pub jacks: u8,
    /// The bits of the ASIC's number that are flipped in the second numbering; absent if there is
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_number_xor: Option<u8>,
    /// The origin of the second numbering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_number_status: Option<RowStatus>,
    /// The rule for jacks without rows; absent if every port has a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<RestDescription>,
    /// Known rows.
    #[serde(default, rename = "row", skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<RowDescription>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    model: Vec<ModelDescription>,
}

/// An error in a table of jacks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JackError {
    /// Not a file of this format.
    #[error("not a table of jacks: {0}")]
    Parse(String),
    /// An impossible model.
    #[error("model '{model}': {found}; {works} would work")]
    Model {
        /// Its name.
        model: String,
        /// The value found.
        found: String,
        /// The values that would work.
        works: String,
    },
    /// No table has the model.
    #[error("no switch model '{asked}'; known: {known}; or a table of jacks that has it")]
    Unknown {
        /// The name asked for.
        asked: String,
        /// Names of all models.
        known: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JackPort {
    /// Number of the jack, from 1.
    pub jack: u8,
    /// Port of the jack.
    pub port: u8,
    /// The origin of the row.
    pub status: RowStatus,
}

/// A model of switch: each port of the ASIC corresponds to one port of one jack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    name: String,
    second_number_xor: Option<u8>,
    /// By the ASIC's number.
    jacks: Vec<JackPort>,
    /// By (jack - 1) * 2 + port.
    ports: Vec<u8>,
}

impl Model {
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Ports of the ASIC.
    #[must_use]
    pub fn port_count(&self) -> usize {
        self.jacks.len()
    }

    /// The jack of a port; `None` if the ASIC has no such port.
    #[must_use]
    pub fn jack_of(&self, port: PortId) -> Option<JackPort> {
        self.jacks.get(port.index()).copied()
    }

    /// The port behind a port of a jack; `None` if there is no such jack.
    #[must_use]
    pub fn port_of(&self, jack: u8, port: u8) -> Option<PortId> {
        if port > 1 {
            return None;
        }
        let at = usize::from(jack.checked_sub(1)?) * 2 + usize::from(port);
        self.ports.get(at).map(|&port| PortId(port))
    }

    /// The diagnostic tool's number of a port; `None` if the model has no second numbering.
    #[must_use]
    pub fn second_number(&self, port: PortId) -> Option<u8> {
        self.second_number_xor.map(|bits| port.0 ^ bits).filter(|_| port.index() < self.jacks.len())
    }

    /// The port with this number in the second numbering.
    #[must_use]
    pub fn port_of_second_number(&self, number: u8) -> Option<PortId> {
        let port = PortId(number ^ self.second_number_xor?);
        (port.index() < self.jacks.len()).then_some(port)
    }

    /// Every port, as rows of a file.
    #[must_use]
    pub fn described(&self) -> ModelDescription {
        let row = |(asic_port, found): (usize, &JackPort)| RowDescription {
            jack: found.jack,
            jack_port: found.port,
            asic_port: asic_port as u8,
            status: found.status,
            source: String::new(),
        };
        ModelDescription {
            name: self.name.clone(),
            summary: String::new(),
            ports: self.jacks.len() as u16,
            jacks: (self.jacks.len() / 2) as u8,
            second_number_xor: self.second_number_xor,
            second_number_status: None,
            rest: None,
            rows: self.jacks.iter().enumerate().map(row).collect(),
        }
    }

    /// The connector port of a port of the switch in `module`.
    ///
    /// # Errors
    /// [`XnameError`] if `module` is not a switch module, or if the model does not have the port.
    pub fn connector_port(&self, module: Xname, port: PortId) -> Result<Xname, XnameError> {
        let Some(jack) = self.jack_of(port) else {
            return Err(XnameError::Range {
                text: format!("{module}a0l{port}"),
                letter: 'l',
                found: port.to_string(),
                least: 0,
                most: self.port_count() as u16 - 1,
            });
        };
        let connector = module.child(XnameKind::Connector, jack.jack.into())?;
        connector.child(XnameKind::ConnectorPort, jack.port.into())
    }
}

impl ModelDescription {
    fn refuse(&self, found: String, works: &str) -> JackError {
        JackError::Model { model: self.name.clone(), found, works: works.to_owned() }
    }

    /// The table, with the rule applied.
    ///
    /// # Errors
    /// [`JackError::Model`]: rows that contradict each other or do not fit, ports without a row or
    /// a rule.
    pub fn build(&self) -> Result<Model, JackError> {
        let ports = usize::from(self.ports);
        if ports != 2 * usize::from(self.jacks) || !(2..=256).contains(&ports) {
            let found = format!("{ports} ports on {} jacks", self.jacks);
            return Err(self.refuse(found, "two ports to a jack, 1 to 128 jacks,"));
        }
        if self.name.is_empty() || self.name.chars().any(char::is_uppercase) {
            return Err(self.refuse("a name that is empty or has capitals".to_owned(), "a name in lower case"));
        }
        if self.second_number_xor.is_some_and(|bits| !ports.is_power_of_two() || usize::from(bits) >= ports) {
            let found = format!("second_number_xor = {} with {ports} ports", self.second_number_xor.unwrap_or(0));
            return Err(self.refuse(found, "a number below the count of ports, which is a power of two,"));
        }
        let mut by_port: Vec<Option<JackPort>> = vec![None; ports];
        let mut by_jack: Vec<Option<u8>> = vec![None; ports];
        for row in &self.rows {
            let what = format!("j{}p{} = port {}", row.jack, row.jack_port, row.asic_port);
            if row.jack == 0 || row.jack > self.jacks || row.jack_port > 1 || usize::from(row.asic_port) >= ports {
                let works = format!("jacks 1 to {}, ports 0 and 1 of them, ASIC ports 0 to {}", self.jacks, ports - 1);
                return Err(self.refuse(format!("row {what}"), &works));
            }
            let at = (usize::from(row.jack) - 1) * 2 + usize::from(row.jack_port);
            if by_jack[at].is_some() || by_port[usize::from(row.asic_port)].is_some() {
                return Err(self.refuse(format!("row {what} contradicts an earlier row"), "each port once"));
            }
            by_jack[at] = Some(row.asic_port);
            by_port[usize::from(row.asic_port)] =
                Some(JackPort { jack: row.jack, port: row.jack_port, status: row.status });
        }
        if let Some(rest) = &self.rest {
            self.fill(rest, &mut by_port, &mut by_jack)?;
        }
        let missing = by_port.iter().position(Option::is_none);
        if let Some(missing) = missing {
            return Err(
                self.refuse(format!("ASIC port {missing} has no row"), "a row for each port, or a rule (rest),")
            );
        }
        Ok(Model {
            name: self.name.clone(),
            second_number_xor: self.second_number_xor,
            jacks: by_port.into_iter().flatten().collect(),
            ports: by_jack.into_iter().flatten().collect(),
        })
    }

    /// Assigns pairs to jacks, both in order. A jack with one known port takes the other port of
    /// its pair.
    fn fill(
        &self,
        rest: &RestDescription,
        by_port: &mut [Option<JackPort>],
        by_jack: &mut [Option<u8>],
    ) -> Result<(), JackError> {
        let status = rest.status;
        for jack in 1..=self.jacks {
            let at = (usize::from(jack) - 1) * 2;
            let half = match (by_jack[at], by_jack[at + 1]) {
                (Some(known), None) => Some((1, known)),
                (None, Some(known)) => Some((0, known)),
                _ => None,
            };
            let Some((port, known)) = half else { continue };
            let other = known ^ 1;
            if by_port[usize::from(other)].is_some() {
                let found = format!("jack {jack} has port {known}, but port {other} of the same pair is elsewhere");
                return Err(self.refuse(found, "a row for the other port of the jack"));
            }
            by_jack[at + usize::from(port)] = Some(other);
            by_port[usize::from(other)] = Some(JackPort { jack, port, status });
        }
        let mut pairs =
            (0..by_port.len() / 2).filter(|&pair| by_port[pair * 2].is_none() && by_port[pair * 2 + 1].is_none());
        let mut taken = Vec::new();
        for jack in 1..=self.jacks {
            let at = (usize::from(jack) - 1) * 2;
            if by_jack[at].is_none() && by_jack[at + 1].is_none() {
                let Some(pair) = pairs.next() else {
                    return Err(self.refuse(format!("no pair of ports is left for jack {jack}"), "a row for it"));
                };
                taken.push((jack, pair));
            }
        }
        for (jack, pair) in taken {
            let even = (pair * 2) as u8;
            let ports = if rest.p0 == FirstPort::Even { [even, even + 1] } else { [even + 1, even] };
            for (port, asic) in ports.into_iter().enumerate() {
                by_jack[(usize::from(jack) - 1) * 2 + port] = Some(asic);
                by_port[usize::from(asic)] = Some(JackPort { jack, port: port as u8, status });
            }
        }
        Ok(())
    }
}

/// The models that a fabric may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Models {
    list: Vec<Model>,
}

impl Models {
    /// The models that come with Philae.
    ///
    /// # Panics
    /// Never, because a test reads the file.
    #[must_use]
    pub fn built_in() -> Self {
        let mut models = Self { list: Vec::new() };
        models.read(include_str!("../models/jacks.toml")).expect("the file comes with the crate");
        models
    }

    /// Adds the models of a file; each replaces one with the same name.
    ///
    /// # Errors
    /// [`JackError`]; nothing is added then.
    pub fn read(&mut self, text: &str) -> Result<(), JackError> {
        let file: File = toml::from_str(text)
            .map_err(|error| JackError::Parse(philae_units::plain(error.to_string().trim_end())))?;
        let built = file.model.iter().map(ModelDescription::build).collect::<Result<Vec<_>, _>>()?;
        built.into_iter().for_each(|model| self.take(model));
        Ok(())
    }

    /// Adds a model; it replaces one with the same name.
    pub fn take(&mut self, model: Model) {
        match self.list.iter_mut().find(|known| known.name == model.name) {
            Some(known) => *known = model,
            None => self.list.push(model),
        }
    }

    /// A model by its name.
    ///
    /// # Errors
    /// [`JackError::Unknown`].
    pub fn get(&self, name: &str) -> Result<&Model, JackError> {
        self.list.iter().find(|model| model.name == name).ok_or_else(|| {
            let known = self.list.iter().map(Model::name).collect::<Vec<_>>().join(", ");
            JackError::Unknown { asked: crate::xname::quoted(name), known }
        })
    }

    /// All models.
    #[must_use]
    pub fn list(&self) -> &[Model] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_published_rows_hold() {
        let models = Models::built_in();
        let columbia = models.get("columbia").expect("built in");
        assert_eq!(columbia.port_of(13, 0), Some(PortId(29)));
        assert_eq!(columbia.second_number(PortId(29)), Some(28));
        assert_eq!(columbia.port_of_second_number(28), Some(PortId(29)));
        assert_eq!(columbia.jack_of(PortId(29)).expect("a port").status, RowStatus::Published);
        assert_eq!(columbia.jack_of(PortId(28)).expect("a port").status, RowStatus::Assumed);
        let colorado = models.get("colorado").expect("built in");
        assert_eq!(colorado.port_of(17, 0), Some(PortId(58)));
        let module = "x9000c1r3".parse().expect("a module");
        assert_eq!(colorado.connector_port(module, PortId(58)).expect("a port").to_string(), "x9000c1r3j17p0");
        assert!(colorado.connector_port(module, PortId(64)).is_err());
    }

    #[test]
    fn every_port_has_one_jack_and_back() {
        for model in Models::built_in().list() {
            for port in (0..model.port_count()).map(PortId::from_index) {
                let jack = model.jack_of(port).expect("in range");
                assert_eq!(model.port_of(jack.jack, jack.port), Some(port), "{} {port}", model.name());
            }
            assert_eq!(model.port_of(0, 0), None);
            assert_eq!(model.port_of(1, 2), None);
            assert_eq!(model.port_of(255, 1), None);
        }
    }

    const SMALL: &str = "[[model]]\nname = \"tiny\"\nports = 4\njacks = 2\n";

    fn refused(rows: &str) -> String {
        Models::built_in().read(&format!("{SMALL}{rows}")).expect_err("wrong").to_string()
    }

    #[test]
    fn wrong_tables_are_refused_with_what_would_work() {
        assert_eq!(
            refused(""),
            "model 'tiny': ASIC port 0 has no row; a row for each port, or a rule (rest), would work"
        );
        let row = |jack, jack_port, asic_port| {
            format!(
                "[[model.row]]\njack = {jack}\njack_port = {jack_port}\nasic_port = {asic_port}\nstatus = \"measured\"\n"
            )
        };
        assert!(refused(&row(3, 0, 0)).contains("row j3p0 = port 0; jacks 1 to 2"));
        assert!(refused(&(row(1, 0, 0) + &row(1, 0, 1))).contains("j1p0 = port 1 contradicts an earlier row"));
        let rest = "[model.rest]\np0 = \"even\"\nstatus = \"assumed\"\nwhy = \"\"\n";
        let apart = row(1, 0, 0) + &row(2, 0, 1) + rest;
        assert!(refused(&apart).contains("port 1 of the same pair is elsewhere"));
        assert!(Models::built_in().read("model = 3").expect_err("wrong").to_string().contains("line 1"));
        assert_eq!(
            Models::built_in().get("texas").expect_err("unknown").to_string(),
            "no switch model 'texas'; known: columbia, colorado, generic; or a table of jacks that has it"
        );
    }

    #[test]
    fn a_file_replaces_a_model_by_name() {
        let mut models = Models::built_in();
        let rows: String = (0..64)
            .map(|port| {
                let (jack, of) = (port / 2 + 1, port % 2);
                format!("[[model.row]]\njack = {jack}\njack_port = {of}\nasic_port = {port}\nstatus = \"measured\"\n")
            })
            .collect();
        models.read(&format!("[[model]]\nname = \"columbia\"\nports = 64\njacks = 32\n{rows}")).expect("whole");
        let columbia = models.get("columbia").expect("replaced");
        assert_eq!(columbia.port_of(13, 0), Some(PortId(24)));
        assert_eq!(columbia.jack_of(PortId(24)).expect("a port").status, RowStatus::Measured);
        assert_eq!(columbia.second_number(PortId(24)), None);
        assert_eq!(models.list().len(), 3);
    }

    proptest! {
        #[test]
        fn tables_are_whole_or_refused(
            rows in proptest::collection::vec((0_u8..6, 0_u8..3, 0_u8..12), 0..8),
            jacks in 0_u8..6,
            odd in any::<bool>(),
        ) {
            let description = ModelDescription {
                name: "any".to_owned(),
                summary: String::new(),
                ports: u16::from(jacks) * 2,
                jacks,
                second_number_xor: None,
                second_number_status: None,
                rest: Some(RestDescription {
                    p0: if odd { FirstPort::Odd } else { FirstPort::Even },
                    status: RowStatus::Assumed,
                    why: String::new(),
                }),
                rows: rows
                    .into_iter()
                    .map(|(jack, jack_port, asic_port)| RowDescription {
                        jack, jack_port, asic_port, status: RowStatus::Measured, source: String::new(),
                    })
                    .collect(),
            };
            if let Ok(model) = description.build() {
                for port in (0..model.port_count()).map(PortId::from_index) {
                    let jack = model.jack_of(port).expect("in range");
                    prop_assert_eq!(model.port_of(jack.jack, jack.port), Some(port));
                }
            }
        }
    }
}
