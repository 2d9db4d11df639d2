//! Sets of classes that administrators choose from.

use crate::class::TrafficClass;

/// Names of the built-in profiles.
pub const PROFILES: [&str; 3] = ["HPC", "LL_BE_BD_ET", "LL_BE_BD_ET1_ET2"];

/// One traffic class of a profile. An RDMA class is a pair of network classes: for requests and for
/// responses.
struct Row {
    name: &'static str,
    assured_percent: u32,
    ceiling_percent: u32,
    /// The assured share at NICs, if it differs.
    host_assured_percent: Option<u32>,
    /// Of requests and responses.
    priority: (u8, u8),
    /// Of requests and responses; `None` for Ethernet, which has one class.
    dscp: Option<([u8; 2], [u8; 2])>,
}

const DEDICATED: ([u8; 2], [u8; 2]) = ([12, 14], [13, 15]);
const LOW_LATENCY: ([u8; 2], [u8; 2]) = ([8, 10], [9, 11]);
const BULK: ([u8; 2], [u8; 2]) = ([4, 6], [5, 7]);
const BEST_EFFORT: ([u8; 2], [u8; 2]) = ([0, 2], [1, 3]);

const fn row(
    name: &'static str,
    assured_percent: u32,
    ceiling_percent: u32,
    priority: (u8, u8),
    dscp: Option<([u8; 2], [u8; 2])>,
) -> Row {
    Row { name, assured_percent, ceiling_percent, host_assured_percent: None, priority, dscp }
}

/// The same class with another assured share at NICs.
const fn on_host(row: Row, host_assured_percent: u32) -> Row {
    Row { host_assured_percent: Some(host_assured_percent), ..row }
}

/// Dedicated access, low latency, bulk data, best effort. The 10 % of the Ethernet class are not
/// assured to any class here: in eight network classes, Ethernet traffic shares those of best
/// effort.
/// Source: HPE Slingshot host software, public driver and documentation (QoS profile HPC).
/// Status: published.
const HPC: [Row; 4] = [
    row("DA", 50, 100, (2, 1), Some(DEDICATED)),
    row("LL", 15, 30, (7, 6), Some(LOW_LATENCY)),
    row("BD", 15, 100, (0, 0), Some(BULK)),
    row("BE", 10, 100, (0, 0), Some(BEST_EFFORT)),
];

/// Source: as `HPC` (QoS profile LL_BE_BD_ET, shares on the fabric; best effort and bulk have 10
/// each on hosts). Status: published, priorities derived from `HPC`.
const LL_BE_BD_ET: [Row; 4] = [
    row("LL", 2, 5, (7, 6), Some(LOW_LATENCY)),
    on_host(row("BE", 50, 100, (0, 0), Some(BEST_EFFORT)), 10),
    on_host(row("BD", 20, 100, (0, 0), Some(BULK)), 10),
    row("ET", 20, 100, (0, 0), None),
];

/// Source: as `HPC` (QoS profile LL_BE_BD_ET1_ET2, shares on the fabric).
/// Status: published, priorities derived from `HPC`.
const LL_BE_BD_ET1_ET2: [Row; 5] = [
    row("LL", 2, 5, (7, 6), Some(LOW_LATENCY)),
    row("BE", 40, 100, (0, 0), Some(BEST_EFFORT)),
    row("BD", 20, 100, (0, 0), Some(BULK)),
    row("ET1", 25, 100, (0, 0), None),
    row("ET2", 13, 100, (0, 0), None),
];

/// The classes of a built-in profile; `None` if no profile has this name.
///
/// How a pair divides its assured share is not published: requests have the larger half of it,
/// responses the other.
#[must_use]
pub fn profile(name: &str) -> Option<Vec<TrafficClass>> {
    let rows: &[Row] = match name {
        "HPC" => &HPC,
        "LL_BE_BD_ET" => &LL_BE_BD_ET,
        "LL_BE_BD_ET1_ET2" => &LL_BE_BD_ET1_ET2,
        _ => return None,
    };
    Some(rows.iter().flat_map(classes_of).collect())
}

fn classes_of(row: &Row) -> Vec<TrafficClass> {
    let class = |name: String, priority, assured_percent, dscp: &[u8]| TrafficClass {
        priority,
        assured_percent,
        ceiling_percent: row.ceiling_percent,
        dscp: dscp.to_vec(),
        ..TrafficClass::named(&name)
    };
    let Some((request, response)) = row.dscp else {
        return vec![class(row.name.to_owned(), row.priority.0, row.assured_percent, &[])];
    };
    let responses = format!("{}-response", row.name);
    let half = row.assured_percent / 2;
    let host_half = row.host_assured_percent.map(|share| share / 2);
    vec![
        TrafficClass {
            responses: Some(responses.clone()),
            host_assured_percent: row.host_assured_percent.map(|share| share - share / 2),
            ..class(row.name.to_owned(), row.priority.0, row.assured_percent - half, &request)
        },
        TrafficClass { host_assured_percent: host_half, ..class(responses, row.priority.1, half, &response) },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClassSet;

    #[test]
    fn every_profile_fits_the_first_generation_and_assures_what_is_published() {
        let sums = [90, 92, 100];
        for (name, sum) in PROFILES.into_iter().zip(sums) {
            let classes = profile(name).expect("built in");
            assert_eq!(classes.iter().map(|class| class.assured_percent).sum::<u32>(), sum, "{name}");
            let set = ClassSet::new(classes, 8).expect("eight classes are enough");
            let request = set.position("LL").expect("every profile has it");
            let response = usize::from(set.responses(request as u8));
            assert_eq!(set.classes()[response].name, "LL-response");
        }
        assert_eq!(profile("hpc"), None);
    }
}
