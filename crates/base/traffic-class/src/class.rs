//! One class, and a set of them that makes sense together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How switches choose paths by the entropy of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EntropyRouting {
    /// Among shortest paths (equal-cost multipath).
    Ecmp,
    /// Among shortest paths and paths through an intermediate group (or switch).
    EcmpNonminimal,
}

/// How a traffic class is treated. Shares are per cent of each link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TrafficClass {
    /// How jobs and results name it.
    pub name: String,
    /// DSCP values of its packets: 0 to 63. The model's packets carry their class itself; frames, in captures and for the packet
    /// engine, carry the first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dscp: Vec<u8>,
    /// Among classes that are below their assured share, the highest goes first: 0 to 7. Default 0.
    #[schemars(range(max = 7))]
    pub priority: u8,
    /// Least bandwidth while it has traffic; other classes use the rest. The sum over all classes is at most 100. Default 0.
    #[schemars(range(max = 100))]
    pub assured_percent: u32,
    /// Part of the assured bandwidth that no other class uses, even while this one is idle. Default 0.
    #[schemars(range(max = 100))]
    pub reserved_percent: u32,
    /// Most bandwidth, even while others are idle. Default 100.
    #[schemars(range(min = 1, max = 100))]
    pub ceiling_percent: u32,
    /// Whether its packets stay in order, per flow. Default: as the NIC's traffic does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordered: Option<bool>,
    /// Extra cost of nonminimal paths for this class, in per cent. Default: that of [routing].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonminimal_bias_percent: Option<u32>,
    /// Switches choose the paths of its packets by their entropy, and not as [routing] says: "ecmp" or "ecmp-nonminimal"
    /// (see `routing.mode`). Only for jobs whose NICs have Ultra Ethernet's transport. Default: as [routing].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<EntropyRouting>,
    /// Bytes of an input buffer kept for each of its channels. Default: `hardware.switch.buffer_reserve_bytes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_reserve_bytes: Option<u32>,
    /// Whether its packets are discarded instead of waiting long: at an output whose queue of this
    /// class is full, and at an edge port whose part of the buffer is full. NICs retransmit lost
    /// packets. Default: packets wait.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lossy: bool,
    /// Queue of a lossy class at an output, in bytes, beyond which its packets are discarded. Default 65,536.
    ///
    /// Source: none. Status: assumed (16 KiB to the whole buffer; affects the losses of a lossy class).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_max_bytes: Option<u32>,
    /// Whether a packet that finds its queue full is cut down to its header instead of being
    /// discarded, and goes on in the class of `responses`, which is another one. Its receiver then
    /// asks for it again. Needs `lossy`, and NICs with Ultra Ethernet's transport: the law "nscc" or "rccc", or third-party
    /// endpoints that speak it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub trimming: bool,
    /// Its assured share at a NIC's output, where that differs from the fabric's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 100))]
    pub host_assured_percent: Option<u32>,
    /// Kinds of workload ("allreduce", "barrier", ...) that use it where their job names no class.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub collectives: Vec<String>,
    /// Class that carries the responses to its requests (data that was read). Default: itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub responses: Option<String>,
}

impl Default for TrafficClass {
    fn default() -> Self {
        Self {
            name: String::new(),
            dscp: Vec::new(),
            priority: 0,
            assured_percent: 0,
            reserved_percent: 0,
            ceiling_percent: 100,
            ordered: None,
            nonminimal_bias_percent: None,
            paths: None,
            buffer_reserve_bytes: None,
            lossy: false,
            queue_max_bytes: None,
            trimming: false,
            host_assured_percent: None,
            collectives: Vec::new(),
            responses: None,
        }
    }
}

impl TrafficClass {
    /// A class of this name that asks for nothing.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

/// Classes that are not possible together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassError {
    /// A share outside 0 to 100, or a priority outside 0 to 7.
    #[error("class '{class}': `{key}` is {found}; {works} would work")]
    Value {
        class: String,
        key: &'static str,
        /// The value that was asked for.
        found: u32,
        /// What would work.
        works: String,
    },
    /// More is assured than there is.
    #[error("the classes are assured {sum} % together ({list}); a link has 100 %")]
    Oversubscribed {
        /// Sum of the assured shares.
        sum: u32,
        /// Each class with its share.
        list: String,
    },
    /// Nothing is left for a class that has no reserve.
    #[error("the classes reserve 100 % together, and class '{class}' reserves nothing: it could never send")]
    Starved { class: String },
    /// One DSCP value asks for two classes.
    #[error("DSCP {dscp} asks for class '{one}' and for class '{other}'; it can ask for one")]
    Dscp {
        /// The value.
        dscp: u8,
        /// First class.
        one: String,
        /// Second class.
        other: String,
    },
    /// Responses in a class that does not exist.
    #[error("class '{class}': no class is named '{responses}'; there are {known}")]
    Responses {
        class: String,
        /// The name that was asked for.
        responses: String,
        /// The classes that exist.
        known: String,
    },
    /// Trimming where it has no effect, or where nothing can carry what is left.
    #[error("class '{class}': `trimming` needs {needs}")]
    Trimming { class: String, needs: &'static str },
    /// More classes than the switch has.
    #[error("{found} classes: the switch has {most}")]
    TooMany {
        /// Number of classes asked for.
        found: usize,
        /// Number of classes that the switch has.
        most: usize,
    },
}

/// Classes that go together, in the order in which results number them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassSet {
    classes: Vec<TrafficClass>,
    /// Class of responses, by class.
    responses: Vec<u8>,
}

impl ClassSet {
    /// A set of one or more classes for a switch that has `most`.
    ///
    /// # Errors
    /// [`ClassError`] in these cases: a share is out of range; more than 100 % is assured; nothing
    /// is left for a class; two classes share a DSCP value; responses name no class; there are more
    /// classes than the switch has.
    pub fn new(classes: Vec<TrafficClass>, most: usize) -> Result<Self, ClassError> {
        if classes.is_empty() || classes.len() > most {
            return Err(ClassError::TooMany { found: classes.len(), most });
        }
        for class in &classes {
            check_shares(class)?;
        }
        for assured in [fabric_share, host_share] {
            let sum = classes.iter().map(assured).sum();
            if sum > 100 {
                let shares = classes.iter().filter(|class| assured(class) > 0);
                let list = shares.map(|class| format!("{} {}", class.name, assured(class)));
                return Err(ClassError::Oversubscribed { sum, list: list.collect::<Vec<_>>().join(", ") });
            }
        }
        let reserved: u32 = classes.iter().map(|class| class.reserved_percent).sum();
        let starved = classes.iter().find(|class| reserved == 100 && class.reserved_percent == 0);
        if let Some(class) = starved {
            return Err(ClassError::Starved { class: class.name.clone() });
        }
        let mut seen: Vec<(u8, &str)> = Vec::new();
        for class in &classes {
            for &dscp in &class.dscp {
                if let Some((_, one)) = seen.iter().find(|(other, _)| *other == dscp) {
                    return Err(ClassError::Dscp { dscp, one: (*one).to_owned(), other: class.name.clone() });
                }
                seen.push((dscp, &class.name));
            }
        }
        let responses = classes.iter().enumerate().map(|(index, class)| match &class.responses {
            None => Ok(index as u8),
            Some(name) => position(&classes, name).map(|index_of_class| index_of_class as u8).ok_or_else(|| {
                ClassError::Responses {
                    class: class.name.clone(),
                    responses: name.clone(),
                    known: classes.iter().map(|class| class.name.as_str()).collect::<Vec<_>>().join(", "),
                }
            }),
        });
        let responses = responses.collect::<Result<Vec<_>, _>>()?;
        let trims =
            |(index, class): &(usize, &TrafficClass)| class.trimming && usize::from(responses[*index]) == *index;
        if let Some((_, class)) = classes.iter().enumerate().find(trims) {
            let needs = "`responses` with another class: it carries what is left of a packet";
            return Err(ClassError::Trimming { class: class.name.clone(), needs });
        }
        Ok(Self { classes, responses })
    }

    /// The same classes with the shares of a NIC's output.
    #[must_use]
    pub fn on_host(&self) -> Self {
        let mut host = self.clone();
        for class in &mut host.classes {
            class.assured_percent = host_share(class);
            class.reserved_percent = class.reserved_percent.min(class.assured_percent);
        }
        host
    }

    /// One class that asks for nothing.
    #[must_use]
    pub fn single(name: &str) -> Self {
        Self { classes: vec![TrafficClass::named(name)], responses: vec![0] }
    }

    #[must_use]
    pub fn classes(&self) -> &[TrafficClass] {
        &self.classes
    }

    /// Number of classes.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a set has at least one")]
    pub const fn len(&self) -> usize {
        self.classes.len()
    }

    /// Index of the class of this name.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        position(&self.classes, name)
    }

    /// The class that carries responses to requests of `class`.
    #[inline]
    #[must_use]
    pub fn responses(&self, class: u8) -> u8 {
        self.responses[usize::from(class)]
    }

    /// The most of a link that a class can have, in per cent: its ceiling, and what others do not
    /// reserve.
    #[must_use]
    pub fn most_percent(&self, class: u8) -> u32 {
        let others = |set: &Self| -> u32 {
            let all = set.classes.iter().enumerate().filter(|(index, _)| *index != usize::from(class));
            all.map(|(_, other)| other.reserved_percent).sum()
        };
        let reserved = others(self).max(others(&self.on_host()));
        self.classes[usize::from(class)].ceiling_percent.min(100 - reserved)
    }

    /// Names, in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.classes.iter().map(|class| class.name.clone()).collect()
    }
}

const fn fabric_share(class: &TrafficClass) -> u32 {
    class.assured_percent
}

fn host_share(class: &TrafficClass) -> u32 {
    class.host_assured_percent.unwrap_or(class.assured_percent)
}

fn position(classes: &[TrafficClass], name: &str) -> Option<usize> {
    classes.iter().position(|class| class.name == name)
}

fn check_shares(class: &TrafficClass) -> Result<(), ClassError> {
    let wrong = |key, found, works: String| Err(ClassError::Value { class: class.name.clone(), key, found, works });
    if class.priority > 7 {
        return wrong("priority", u32::from(class.priority), "0 to 7".to_owned());
    }
    if class.assured_percent > 100 {
        return wrong("assured_percent", class.assured_percent, "0 to 100".to_owned());
    }
    if class.reserved_percent > class.assured_percent {
        let works = format!("0 to the assured share ({})", class.assured_percent);
        return wrong("reserved_percent", class.reserved_percent, works);
    }
    if let (false, Some(found)) = (class.lossy, class.queue_max_bytes) {
        return wrong("queue_max_bytes", found, "`lossy = true`, or no such key,".to_owned());
    }
    if class.trimming && !class.lossy {
        let needs = "`lossy = true`: other packets wait until their queue has room";
        return Err(ClassError::Trimming { class: class.name.clone(), needs });
    }
    if let (Some(_), Some(found)) = (class.paths, class.nonminimal_bias_percent) {
        let works = "no such key, because `paths` chooses paths by entropy and not by load,".to_owned();
        return wrong("nonminimal_bias_percent", found, works);
    }
    let least = class.assured_percent.max(1);
    if !(least..=100).contains(&class.ceiling_percent) {
        return wrong("ceiling_percent", class.ceiling_percent, format!("{least} to 100"));
    }
    if host_share(class) > class.ceiling_percent {
        let works = format!("0 to the ceiling ({})", class.ceiling_percent);
        return wrong("host_assured_percent", host_share(class), works);
    }
    if let Some(&dscp) = class.dscp.iter().find(|&&dscp| dscp > 63) {
        return wrong("dscp", u32::from(dscp), "0 to 63".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str, assured: u32) -> TrafficClass {
        TrafficClass { assured_percent: assured, ..TrafficClass::named(name) }
    }

    #[test]
    fn a_class_can_have_what_its_ceiling_and_the_reserves_of_others_leave() {
        let low = TrafficClass { ceiling_percent: 40, ..class("low", 10) };
        let reserved = TrafficClass { reserved_percent: 70, host_assured_percent: Some(75), ..class("reserved", 80) };
        let set = ClassSet::new(vec![low, reserved, class("rest", 0)], 8).expect("legal");
        assert_eq!([0, 1, 2].map(|class| set.most_percent(class)), [30, 100, 30]);
        assert_eq!(ClassSet::single("alone").most_percent(0), 100);
    }

    #[test]
    fn impossible_class_sets_are_refused_with_what_would_work() {
        let refused = |classes: Vec<TrafficClass>| ClassSet::new(classes, 8).expect_err("refused").to_string();
        assert_eq!(
            refused(vec![class("a", 80), class("b", 30)]),
            "the classes are assured 110 % together (a 80, b 30); a link has 100 %"
        );
        let low = TrafficClass { ceiling_percent: 40, ..class("a", 50) };
        assert_eq!(refused(vec![low]), "class 'a': `ceiling_percent` is 40; 50 to 100 would work");
        let more = TrafficClass { reserved_percent: 60, ..class("a", 50) };
        assert_eq!(refused(vec![more]), "class 'a': `reserved_percent` is 60; 0 to the assured share (50) would work");
        let both = |name| TrafficClass { dscp: vec![8], ..TrafficClass::named(name) };
        assert_eq!(
            refused(vec![both("a"), both("b")]),
            "DSCP 8 asks for class 'a' and for class 'b'; it can ask for one"
        );
        let all = TrafficClass { reserved_percent: 100, ..class("a", 100) };
        assert!(refused(vec![all, class("b", 0)]).contains("class 'b' reserves nothing: it could never send"));
        let lost = TrafficClass { responses: Some("c".to_owned()), ..class("a", 0) };
        assert_eq!(refused(vec![lost, class("b", 0)]), "class 'a': no class is named 'c'; there are a, b");
        let trimmed = TrafficClass { trimming: true, ..class("a", 0) };
        assert_eq!(
            refused(vec![trimmed.clone()]),
            "class 'a': `trimming` needs `lossy = true`: other packets wait until their queue has room"
        );
        assert_eq!(
            refused(vec![TrafficClass { lossy: true, ..trimmed }, class("b", 0)]),
            "class 'a': `trimming` needs `responses` with another class: it carries what is left of a packet"
        );
        assert_eq!(refused(vec![class("a", 0); 9]), "9 classes: the switch has 8");
    }
}
