//! Derives hosts from descriptions of adapters: the adapters of one host are NICs of one node.
//!
//! The system writes `HOST DEVICE` as an adapter's description: `dgx01 mlx5_0`, `n7 HCA-1`. Source:
//! the manual page of rdma-ndd, whose default is `%h %d`. Status: published. Other descriptions are
//! the vendor's and name no host.

use super::Device;
use std::collections::{BTreeMap, BTreeSet};

/// Adapters that form one node.
#[derive(Debug, Default)]
pub(super) struct AdapterNode {
    /// Its name, if its adapters have it.
    pub name: Option<String>,
    /// Its adapters, as indices of devices, sorted by their own names.
    pub adapters: Vec<usize>,
}

/// Host names that identify no host.
const NO_HOSTS: [&str; 5] = ["localhost", "localhost.localdomain", "(none)", "unknown", "Node"];

/// Host and device of a description; `None` if it is not such a pair.
pub(super) fn host_and_device(description: &str) -> Option<(&str, &str)> {
    let plain = description.trim().trim_matches('\'').trim();
    let mut words = plain.split_whitespace();
    let (host, device) = (words.next()?, words.next()?);
    (words.next().is_none() && is_host(host) && is_device(device)).then_some((host, device))
}

fn is_host(word: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    word.bytes().all(legal) && word.starts_with(|first: char| first.is_ascii_alphanumeric())
}

/// `HCA-1`, `HFI-2`, or an RDMA device name of a system: `mlx5_0`, `ibp1s0`, `hfi1_0`.
fn is_device(word: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let has_number = word.bytes().any(|byte| byte.is_ascii_digit());
    let begins = word.starts_with(|first: char| first.is_ascii_lowercase());
    word.bytes().all(legal) && has_number && (begins || word.starts_with("HCA") || word.starts_with("HFI"))
}

/// A sort key that separates numbers, so that `mlx5_10` follows `mlx5_2`.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let text = rest.find(|letter: char| letter.is_ascii_digit()).unwrap_or(rest.len());
        let digits = rest[text..].bytes().take_while(u8::is_ascii_digit).count();
        let number = rest[text..text + digits].parse().unwrap_or(u64::MAX);
        parts.push((rest[..text].to_owned(), number));
        rest = &rest[text + digits..];
    }
    parts
}

/// The hosts in order of their first adapter, and warnings about ambiguous ones.
pub(super) fn hosts(devices: &[Device]) -> (Vec<AdapterNode>, Vec<String>) {
    let adapters: Vec<usize> = (0..devices.len()).filter(|&at| devices[at].is_end()).collect();
    let mut by_name: BTreeMap<&str, Vec<(usize, &str)>> = BTreeMap::new();
    for &at in &adapters {
        if let Some((host, device)) = host_and_device(&devices[at].label) {
            by_name.entry(host).or_default().push((at, device));
        }
    }
    let mut warnings = Vec::new();
    let mut name_of: BTreeMap<usize, &str> = BTreeMap::new();
    for (host, list) in by_name {
        let distinct: BTreeSet<&str> = list.iter().map(|(_, device)| *device).collect();
        let no_host = NO_HOSTS.contains(&host);
        if list.len() > 1 && (no_host || distinct.len() < list.len()) {
            let why =
                if no_host { "which is not the name of a single host" } else { "some of them with one device's name" };
            warnings.push(format!(
                "{} adapters have the host name '{host}', {why}: each card is read as a separate node",
                list.len()
            ));
            continue;
        }
        name_of.extend(list.iter().map(|(at, _)| (*at, host)));
    }
    // Adapters without a host name that have the same card GUID belong to one host.
    enum Key<'a> {
        Name(&'a str),
        Card(u64),
        Alone(usize),
    }
    let key = |at: usize| match (name_of.get(&at), devices[at].card) {
        (Some(name), _) => Key::Name(name),
        (None, Some(card)) => Key::Card(card),
        (None, None) => Key::Alone(at),
    };
    let mut hosts: Vec<AdapterNode> = Vec::new();
    let mut place: BTreeMap<(Option<&str>, Option<u64>), usize> = BTreeMap::new();
    for &at in &adapters {
        let known = match key(at) {
            Key::Name(name) => (Some(name), None),
            Key::Card(card) => (None, Some(card)),
            Key::Alone(at) => {
                hosts.push(AdapterNode { name: None, adapters: vec![at] });
                continue;
            }
        };
        let host = *place.entry(known).or_insert_with(|| {
            hosts.push(AdapterNode { name: known.0.map(str::to_owned), adapters: Vec::new() });
            hosts.len() - 1
        });
        hosts[host].adapters.push(at);
    }
    for host in &mut hosts {
        host.adapters.sort_by_cached_key(|&at| {
            let device = host_and_device(&devices[at].label).map_or("", |(_, device)| device);
            (natural(device), at)
        });
    }
    (hosts, warnings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_that_systems_write_name_a_host_and_others_do_not() {
        for (text, host, device) in [
            ("dgx01 mlx5_0", "dgx01", "mlx5_0"),
            ("node7 HCA-1", "node7", "HCA-1"),
            ("'n1.site HCA-2'", "n1.site", "HCA-2"),
            ("a08-p1-dgx-04-c01  ibp1s0", "a08-p1-dgx-04-c01", "ibp1s0"),
            ("opa17 hfi1_0", "opa17", "hfi1_0"),
            ("io-3 mlx5_bond_0", "io-3", "mlx5_bond_0"),
        ] {
            assert_eq!(host_and_device(text), Some((host, device)), "{text}");
        }
        for text in [
            "",
            "dgx01",
            "MT23108 InfiniHost Mellanox Technologies",
            "ISR9024 Voltaire",
            "Mellanox Technologies Aggregation Node",
            "Hca1",
            "two words",
            "a b 1",
        ] {
            assert_eq!(host_and_device(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names = vec!["mlx5_10", "mlx5_2", "ibp12s0", "ibp2s0", "mlx5_0"];
        names.sort_by_cached_key(|name| natural(name));
        assert_eq!(names, ["ibp2s0", "ibp12s0", "mlx5_0", "mlx5_2", "mlx5_10"]);
    }
}
