//! Shares of several traffic classes.
//!
//! Each class has its own part of each link, which its flows share max-min fairly. The parts follow
//! the rules of the switch (`philae-traffic-class`): a class gets its assured share, no other class
//! uses a reserve, ceilings hold, and the class that has had least gets the rest. A class's demand
//! on a link is known only once rates are, so parts and rates are computed alternately. Parts never
//! sum to more than the link, so the rates of every iteration are feasible.

use philae_traffic_class::ClassSet;

use crate::paths::{FluidNetwork, ResourceKind};
use crate::share::{Demand, FlowGrant, NOTHING, ResourcePart, Sharing};

/// Maximum number of iterations.
///
/// Source: ours: the rates of every iteration are feasible, so a bound costs only fairness. Status:
/// assumed.
const TURNS: usize = 4;
/// Bisections of the interval that contains a level: to one part in 2^40.
const HALVINGS: usize = 40;

/// The bounds of one class on a link, as parts of the link.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rule {
    assured: f64,
    reserved: f64,
    ceiling: f64,
}

/// The rules of all classes, at NICs and in the fabric.
#[derive(Clone, Debug)]
pub struct Classes {
    host: Vec<Rule>,
    fabric: Vec<Rule>,
}

impl Classes {
    /// The rules of a set; `None` if there is nothing to divide: one class without a ceiling.
    pub fn new(set: &ClassSet) -> Option<Self> {
        let rules = |set: &ClassSet| -> Vec<Rule> {
            let part = |percent: u32| f64::from(percent) / 100.0;
            let rule = |class: &philae_traffic_class::TrafficClass| Rule {
                assured: part(class.assured_percent),
                reserved: part(class.reserved_percent),
                ceiling: part(class.ceiling_percent),
            };
            set.classes().iter().map(rule).collect()
        };
        let found = Self { host: rules(&set.on_host()), fabric: rules(set) };
        (set.len() > 1 || found.fabric[0].ceiling < 1.0).then_some(found)
    }

    fn rules(&self, network: &FluidNetwork, resource: usize) -> &[Rule] {
        if matches!(network.kind(resource as u32), ResourceKind::Injection) { &self.host } else { &self.fabric }
    }

    /// The largest part of a link that a class may have.
    pub fn most(&self, network: &FluidNetwork, resource: u32, class: u8) -> f64 {
        let rules = self.rules(network, resource as usize);
        let others: f64 = rules.iter().map(|rule| rule.reserved).sum::<f64>() - rules[usize::from(class)].reserved;
        rules[usize::from(class)].ceiling.min(1.0 - others)
    }

    /// The grant of each flow, given the class of each.
    pub fn share(
        &self,
        sharing: &mut Sharing,
        network: &FluidNetwork,
        flows: &[(Demand<'_>, u8)],
        grants: &mut Vec<FlowGrant>,
    ) {
        let count = self.fabric.len();
        let of_class = |parts: &[ResourcePart], class: u8| -> Vec<ResourcePart> {
            let place = |resource: u32| resource * count as u32 + u32::from(class);
            parts.iter().map(|part| ResourcePart { resource: place(part.resource), fraction: part.fraction }).collect()
        };
        let paths: Vec<(Vec<ResourcePart>, Vec<ResourcePart>)> =
            flows.iter().map(|(flow, class)| (of_class(flow.first, *class), of_class(flow.second, *class))).collect();
        let demands: Vec<Demand<'_>> = paths
            .iter()
            .zip(flows)
            .map(|((first, second), (flow, _))| Demand { first, second, weight: flow.weight })
            .collect();
        let mut asked = vec![0.0; network.capacities().len() * count];
        for part in paths.iter().flat_map(|(first, second)| first.iter().chain(second)) {
            asked[part.resource as usize] = f64::INFINITY;
        }
        let mut parts = asked.clone();
        for _ in 0..TURNS {
            for (resource, &capacity) in network.capacities().iter().enumerate() {
                let range = resource * count..(resource + 1) * count;
                if capacity > 0.0 && asked[range.clone()].iter().any(|&asked| asked > 0.0) {
                    let wanted: Vec<f64> = asked[range.clone()].iter().map(|asked| asked / capacity).collect();
                    let found = split(self.rules(network, resource), &wanted);
                    parts[range].iter_mut().zip(found).for_each(|(part, found)| *part = found * capacity);
                }
            }
            sharing.share(&parts, demands.as_slice(), grants);
            let mut used = vec![0.0; parts.len()];
            for (demand, grant) in demands.iter().zip(grants.iter()) {
                for (path, rate) in [(demand.first, grant.rate - grant.detoured), (demand.second, grant.detoured)] {
                    path.iter().for_each(|part| used[part.resource as usize] += part.fraction * rate);
                }
            }
            // A class that is stopped at its part of a link wants more of it; the others want what
            // they use.
            for grant in grants.iter().filter(|grant| grant.stopped_by != NOTHING) {
                used[grant.stopped_by as usize] = f64::INFINITY;
            }
            if asked == used {
                break;
            }
            asked = used;
        }
        for grant in grants.iter_mut().filter(|grant| grant.stopped_by != NOTHING) {
            grant.stopped_by /= count as u32;
        }
    }
}

/// Splits a link among classes that want these parts of it.
fn split(rules: &[Rule], wanted: &[f64]) -> Vec<f64> {
    let ceilings: Vec<f64> =
        rules.iter().zip(wanted).map(|(rule, &wanted)| if wanted > 0.0 { rule.ceiling } else { 0.0 }).collect();
    let most: Vec<f64> = ceilings.iter().zip(wanted).map(|(ceiling, wanted)| ceiling.min(*wanted)).collect();
    let assured: Vec<f64> = rules.iter().zip(&most).map(|(rule, most)| rule.assured.min(*most)).collect();
    // First what the classes want, then the rest of the link, which a class may use if its demand
    // grows.
    raise(rules, &raise(rules, &assured, &most), &ceilings)
}

/// Raises the lowest of `parts` first, each to at most its own `most`, until the link is full.
fn raise(rules: &[Rule], parts: &[f64], most: &[f64]) -> Vec<f64> {
    let at =
        |level: f64| -> Vec<f64> { parts.iter().zip(most).map(|(part, most)| part.max(level.min(*most))).collect() };
    let fits = |parts: &[f64]| rules.iter().zip(parts).map(|(rule, part)| part.max(rule.reserved)).sum::<f64>() <= 1.0;
    if fits(&at(1.0)) {
        return at(1.0);
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if fits(&at(middle)) { low = middle } else { high = middle }
    }
    at(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn rule(assured: f64, reserved: f64, ceiling: f64) -> Rule {
        Rule { assured, reserved, ceiling }
    }

    fn near(found: &[f64], expected: &[f64]) -> bool {
        found.len() == expected.len() && found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-6)
    }

    #[test]
    fn a_link_is_split_by_the_rules_of_the_switch() {
        let all = f64::INFINITY;
        let free = [rule(0.0, 0.0, 1.0); 2];
        assert!(near(&split(&free, &[all, all]), &[0.5, 0.5]));
        let assured = [rule(0.7, 0.0, 1.0), rule(0.1, 0.0, 1.0)];
        assert!(near(&split(&assured, &[all, all]), &[0.7, 0.3]), "what is left goes to who has least");
        assert!(near(&split(&assured, &[0.0, all]), &[0.0, 1.0]), "an idle class's share is used by others");
        let reserved = [rule(0.5, 0.4, 1.0), rule(0.0, 0.0, 1.0)];
        assert!(near(&split(&reserved, &[0.0, all]), &[0.0, 0.6]), "but not its reserve");
        let ceiling = [rule(0.0, 0.0, 0.2), rule(0.0, 0.0, 1.0)];
        assert!(near(&split(&ceiling, &[all, all]), &[0.2, 0.8]));
        assert!(near(&split(&ceiling, &[all, 0.0]), &[0.2, 0.0]));
        assert!(near(&split(&free, &[0.1, all]), &[0.1, 0.9]));
    }
}
