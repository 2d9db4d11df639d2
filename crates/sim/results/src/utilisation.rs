//! Utilisation of links: per role over time, per port over the run, per pair of groups.

use philae_units::{GroupId, LinkRate};
use serde::Serialize;

use crate::names::RowNames;
use crate::record::{LinkRole, RunRecord};
use crate::span::{INTERVALS_OVER_TIME_MAX, MeasuredSpan};

/// The share of a link's capacity in a time; `None` for no time or no rate.
///
/// 1 is a full link.
#[must_use]
pub fn share(bytes: u64, rate: LinkRate, duration_ps: u64) -> Option<f64> {
    // Megabits per second times picoseconds are millionths of a bit.
    let capacity_microbits = f64::from(rate.0) * duration_ps as f64;
    (capacity_microbits > 0.0).then(|| bytes as f64 * 8e6 / capacity_microbits)
}

/// Bytes by which rounding may exceed a link's rate in an interval: samples have whole bytes, and a
/// packet that covers several intervals is rounded where it begins and where it ends.
///
/// Source: `Recorder::next_sample` of the fabric. Status: derived.
const ROUNDED_BYTES: u64 = 3;

/// The share of a link's capacity in a sampling interval. It is at most 1: only the rounding to
/// whole bytes is taken off, so that a sample with too many bytes still shows.
#[must_use]
pub fn interval_share(bytes: u64, rate: LinkRate, duration_ps: u64) -> Option<f64> {
    let exact = share(bytes, rate, duration_ps)?;
    let is_rounded = share(bytes.saturating_sub(ROUNDED_BYTES), rate, duration_ps)? <= 1.0;
    Some(if is_rounded { exact.min(1.0) } else { exact })
}

/// The mean share over several intervals, without what rounding to whole bytes adds to a full link.
fn mean_share(bytes: u64, rate: LinkRate, duration_ps: u64) -> f64 {
    interval_share(bytes, rate, duration_ps).unwrap_or(0.0)
}

/// One output port over the measured part of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PortUse {
    /// Position in `RunRecord::port_info`.
    #[serde(skip)]
    pub info: usize,
    /// Switch, counted over the whole system.
    pub switch: u32,
    /// Port number on the switch.
    pub port: u32,
    /// Group of the switch.
    pub group: u32,
    pub role: LinkRole,
    /// The device at its other end.
    pub peer: String,
    /// Bytes put on the wire.
    pub bytes: u64,
    /// Mean utilisation, 0 to 1.
    pub mean: f64,
    /// Utilisation in its busiest interval.
    pub max: f64,
    /// Largest request queue, in bytes.
    pub queued_bytes_max: u64,
    /// Share of the time for which it wanted to send and had no credits, 0 to 1.
    pub stalled: f64,
}

/// All ports of one role.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoleUse {
    pub role: LinkRole,
    /// Ports of this role in the system, used or not.
    pub ports: u64,
    /// Ports that carried anything in the measured part.
    pub ports_used: u64,
    /// Mean utilisation over all ports and the measured part, 0 to 1.
    pub mean: f64,
    /// Mean utilisation of the busiest port.
    pub busiest_port: f64,
    /// Utilisation of the busiest port in its busiest interval.
    pub max: f64,
    /// Mean over all ports per interval, from the start of the run. Empty above
    /// [`INTERVALS_OVER_TIME_MAX`].
    #[serde(skip)]
    pub mean_over_time: Vec<f64>,
    /// Busiest port per interval, from the start of the run.
    #[serde(skip)]
    pub max_over_time: Vec<f64>,
}

/// The utilisation of a run's links.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Utilisation {
    /// Edge, local, global, without roles for which the system has no ports; empty if ports were
    /// not sampled.
    pub roles: Vec<RoleUse>,
    /// Ports that carried anything in the measured part, busiest first.
    pub ports: Vec<PortUse>,
}

/// Sums while samples are read.
#[derive(Clone, Copy, Default)]
struct PortSum {
    bytes: u64,
    max: f64,
    queued_bytes_max: u64,
    stalled_ps: u64,
}

impl Utilisation {
    /// Computes it from the samples; without samples nothing is known. Samples of ports that
    /// `port_info` does not list are left out.
    #[must_use]
    pub fn of(record: &RunRecord) -> Self {
        if !record.is_sampled() {
            return Self { roles: Vec::new(), ports: Vec::new() };
        }
        let span = MeasuredSpan::of(record);
        let names = RowNames::new(record);
        let seen = record.ports.iter().map(|sample| sample.interval.saturating_add(1)).max().unwrap_or(0);
        // Above the number of intervals that memory allows there is no picture; samples and means
        // stay.
        let intervals = match seen.min(span.interval_count()) {
            few @ ..=INTERVALS_OVER_TIME_MAX => few,
            _ => 0,
        };
        let mut sums = vec![PortSum::default(); record.port_info.len()];
        let mut bytes_over_time = vec![[0_u64; 3]; intervals as usize];
        let mut max_over_time = vec![[0.0_f64; 3]; intervals as usize];
        for sample in &record.ports {
            let Some(position) = names.port_position(sample.port) else { continue };
            let info = &record.port_info[position];
            let length_ps = span.interval_length(sample.interval).0;
            let utilisation = if span.is_representative(sample.interval) {
                interval_share(sample.bytes.0, info.rate, length_ps).unwrap_or(0.0)
            } else {
                0.0
            };
            let role = info.role.index();
            if sample.interval < intervals {
                let interval = sample.interval as usize;
                bytes_over_time[interval][role] += sample.bytes.0;
                max_over_time[interval][role] = max_over_time[interval][role].max(utilisation);
            }
            if sample.interval >= span.first_interval {
                let sum = &mut sums[position];
                sum.bytes += sample.bytes.0;
                sum.max = sum.max.max(utilisation);
                sum.queued_bytes_max = sum.queued_bytes_max.max(sample.queued_bytes_max.0);
                sum.stalled_ps += sample.stalled.0;
            }
        }
        let ports = port_uses(record, &sums, span.length().0);
        let roles = LinkRole::ALL
            .into_iter()
            .filter_map(|role| role_use(record, role, &ports, &bytes_over_time, &max_over_time, span))
            .collect();
        Self { roles, ports }
    }

    /// The `count` ports that had no credits for the longest time.
    #[must_use]
    pub fn starved(&self, count: usize) -> Vec<&PortUse> {
        let mut starved: Vec<&PortUse> = self.ports.iter().filter(|port| port.stalled > 0.0).collect();
        starved.sort_by(|one, other| other.stalled.total_cmp(&one.stalled).then(one.info.cmp(&other.info)));
        starved.truncate(count);
        starved
    }

    /// The `count` busiest ports of a role, or of all roles.
    #[must_use]
    pub fn hottest(&self, role: Option<LinkRole>, count: usize) -> Vec<&PortUse> {
        self.ports.iter().filter(|port| role.is_none_or(|role| port.role == role)).take(count).collect()
    }
}

fn port_uses(record: &RunRecord, sums: &[PortSum], length_ps: u64) -> Vec<PortUse> {
    let used =
        record.port_info.iter().zip(sums).enumerate().filter(|(_, (_, sum))| sum.bytes > 0 || sum.stalled_ps > 0);
    let mut ports: Vec<PortUse> = used
        .map(|(position, (info, sum))| PortUse {
            info: position,
            switch: info.switch.0,
            port: u32::from(info.port.0),
            group: info.group.0,
            role: info.role,
            peer: info.peer.clone(),
            bytes: sum.bytes,
            mean: mean_share(sum.bytes, info.rate, length_ps),
            // Traffic in an interval that is too short for a rate counts in the mean alone.
            max: sum.max.max(mean_share(sum.bytes, info.rate, length_ps)),
            queued_bytes_max: sum.queued_bytes_max,
            stalled: if length_ps == 0 { 0.0 } else { sum.stalled_ps as f64 / length_ps as f64 },
        })
        .collect();
    // Ties keep the order of the ports, so that two equal runs print the same table.
    ports.sort_by(|left, right| right.mean.total_cmp(&left.mean).then(left.info.cmp(&right.info)));
    ports
}

fn role_use(
    record: &RunRecord,
    role: LinkRole,
    ports: &[PortUse],
    bytes_over_time: &[[u64; 3]],
    max_over_time: &[[f64; 3]],
    span: MeasuredSpan,
) -> Option<RoleUse> {
    let known = record.port_info.iter().filter(|info| info.role == role);
    let (known_count, known_mbps) =
        known.fold((0_u64, 0_u64), |(count, rate), info| (count + 1, rate + u64::from(info.rate.0)));
    let all = record.ports_by_role[role.index()].max(known_count);
    if all == 0 {
        return None;
    }
    // The record lists only used ports: the mean rate of these is assumed for unused ones.
    let capacity_bits_per_ps =
        if known_count == 0 { 0.0 } else { known_mbps as f64 * 1e-6 * all as f64 / known_count as f64 };
    let mean = |bytes: u64, length_ps: u64| {
        let capacity_bits = capacity_bits_per_ps * length_ps as f64;
        if capacity_bits > 0.0 { bytes as f64 * 8.0 / capacity_bits } else { 0.0 }
    };
    // What rounding to whole bytes adds to links that are all full is taken off.
    let share = |bytes: u64, roundings: u64, length_ps: u64| {
        let is_rounded = mean(bytes.saturating_sub(ROUNDED_BYTES * roundings), length_ps) <= 1.0;
        if is_rounded { mean(bytes, length_ps).min(1.0) } else { mean(bytes, length_ps) }
    };
    let own = || ports.iter().filter(|port| port.role == role);
    let mean_over_time = bytes_over_time
        .iter()
        .enumerate()
        .map(|(interval, bytes)| share(bytes[role.index()], all, span.interval_length(interval as u32).0))
        .collect();
    Some(RoleUse {
        role,
        ports: all,
        ports_used: own().count() as u64,
        mean: share(own().map(|port| port.bytes).sum(), all, span.length().0),
        busiest_port: own().map(|port| port.mean).fold(0.0, f64::max),
        max: own().map(|port| port.max).fold(0.0, f64::max),
        mean_over_time,
        max_over_time: max_over_time.iter().map(|max| max[role.index()]).collect(),
    })
}

/// Utilisation of the global links between each pair of groups.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupPairs {
    /// Groups that have a global link in the record, ascending.
    pub groups: Vec<GroupId>,
    /// Mean over the used links from the row's group to the column's, 0 to 1; `None` if no link
    /// carried anything.
    pub mean: Vec<Vec<Option<f64>>>,
}

/// The utilisation of global links by pair of groups. Empty if the record lists no global port.
#[must_use]
pub fn group_pairs(record: &RunRecord, utilisation: &Utilisation) -> GroupPairs {
    let pairs: Vec<(GroupId, GroupId, &PortUse)> = utilisation
        .ports
        .iter()
        .filter(|port| port.role == LinkRole::Global)
        .filter_map(|port| {
            let info = &record.port_info[port.info];
            info.peer_group().map(|peer| (info.group, peer, port))
        })
        .collect();
    let mut groups: Vec<GroupId> = pairs.iter().flat_map(|(from, to, _)| [*from, *to]).collect();
    groups.sort_unstable();
    groups.dedup();
    let mut sums = vec![vec![(0.0, 0_u32); groups.len()]; groups.len()];
    for (from, to, port) in pairs {
        if let (Ok(row), Ok(column)) = (groups.binary_search(&from), groups.binary_search(&to)) {
            sums[row][column].0 += port.mean;
            sums[row][column].1 += 1;
        }
    }
    let mean_of = |(sum, count): (f64, u32)| (count > 0).then(|| sum / f64::from(count));
    let mean = sums.into_iter().map(|row| row.into_iter().map(mean_of).collect()).collect();
    GroupPairs { groups, mean }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic;

    #[test]
    fn a_full_link_is_one() {
        assert_eq!(share(25_000, LinkRate::from_gbps(200), 1_000_000), Some(1.0));
        assert_eq!(share(1, LinkRate::from_gbps(200), 0), None);
    }

    #[test]
    fn only_rounding_is_taken_off() {
        let rate = LinkRate::from_gbps(100);
        assert_eq!(interval_share(6, rate, 1_000), Some(0.48));
        assert_eq!(interval_share(13, rate, 1_000), Some(1.0), "12.5 bytes fit");
        assert!(interval_share(20, rate, 1_000).is_some_and(|share| share > 1.5), "an error would show");
    }

    #[test]
    fn an_empty_record_has_no_use() {
        let use_of_links = Utilisation::of(&synthetic::empty_record());
        assert!(use_of_links.roles.is_empty() && use_of_links.ports.is_empty());
    }

    #[test]
    fn links_that_were_not_sampled_are_not_said_to_be_idle() {
        let mut record = synthetic::one_port_record();
        assert!(!Utilisation::of(&record).roles.is_empty());
        (record.sample_interval.0, record.ports) = (0, Vec::new());
        assert_eq!(Utilisation::of(&record).roles, []);
    }

    #[test]
    fn intervals_without_number_take_no_row_each() {
        let mut record = synthetic::one_port_record();
        (record.sample_interval.0, record.simulated.0) = (1, 1 << 22);
        record.ports.iter_mut().for_each(|sample| sample.interval = u32::MAX - 1);
        let found = Utilisation::of(&record);
        assert!(found.roles.iter().all(|role| role.mean_over_time.is_empty() && role.max_over_time.is_empty()));
        assert!(!found.roles.is_empty());
    }

    #[test]
    fn unused_ports_count_in_the_mean() {
        let mut record = synthetic::one_port_record();
        let alone = Utilisation::of(&record).roles[0].mean;
        record.ports_by_role[LinkRole::Edge.index()] *= 4;
        let among_four = Utilisation::of(&record).roles[0].mean;
        assert!((alone / among_four - 4.0).abs() < 1e-9, "{alone} against {among_four}");
    }

    #[test]
    fn the_hottest_port_comes_first_and_is_named() {
        let record = synthetic::record(7, 40);
        let utilisation = Utilisation::of(&record);
        assert!(utilisation.ports.windows(2).all(|pair| pair[0].mean >= pair[1].mean));
        assert!(utilisation.hottest(Some(LinkRole::Global), 3).iter().all(|port| port.peer.starts_with("group ")));
    }

    #[test]
    fn group_pairs_are_square() {
        let record = synthetic::record(7, 40);
        let pairs = group_pairs(&record, &Utilisation::of(&record));
        assert!(pairs.groups.len() > 1);
        assert!(pairs.mean.len() == pairs.groups.len() && pairs.mean.iter().all(|row| row.len() == pairs.groups.len()));
    }
}
