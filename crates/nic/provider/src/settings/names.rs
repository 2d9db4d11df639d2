//! The vendor's variables, with the legal values and the effect of each. `docs/nic/guide.md` has
//! the same table.

/// The effect of a variable here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tier {
    /// It is read and checked, and has the described effect.
    Read,
    /// It is read and checked; the hardware that it affects does not exist here. Reported once, if
    /// it is set.
    Checked,
    /// Any value is accepted. Reported once, if it is set.
    Accepted,
}

/// A variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SettingName {
    pub name: &'static str,
    pub tier: Tier,
    /// The legal values.
    pub range: &'static str,
    pub default: &'static str,
    /// Its effect, or the reason why it has none.
    pub effect: &'static str,
}

const fn read(name: &'static str, range: &'static str, default: &'static str, effect: &'static str) -> SettingName {
    SettingName { name, tier: Tier::Read, range, default, effect }
}

const fn checked(name: &'static str, range: &'static str, default: &'static str, effect: &'static str) -> SettingName {
    SettingName { name, tier: Tier::Checked, range, default, effect }
}

const fn accepted(name: &'static str, effect: &'static str) -> SettingName {
    SettingName { name, tier: Tier::Accepted, range: "anything", default: "", effect }
}

const FLAG: &str = "0 or 1";

/// All variables. Source: fi_cxi(7), names, ranges and defaults. Status: published.
pub(crate) const NAMES: [SettingName; 53] = [
    read("SLINGSHOT_VNIS", "1 to 65535, list", "10", "virtual networks; the first is the process's"),
    read("SLINGSHOT_DEVICES", "cxi0 to cxi15, list", "cxi0", "NICs, if FI_CXI_DEVICE_NAME is not set"),
    read("SLINGSHOT_SVC_IDS", "1 to 4294967295, list", "1", "services by NIC, in fi_info.nic"),
    read("FI_CXI_DEVICE_NAME", "cxi0 to cxi15, list", "cxi0", "NICs"),
    read("FI_CXI_DEFAULT_VNI", "1 to 65535", "10", "virtual network, if SLINGSHOT_VNIS is not set"),
    read(
        "FI_CXI_RDZV_THRESHOLD",
        "0 to 16384",
        "16384",
        "with the next: longer messages are fetched by their receiver, bytes",
    ),
    read("FI_CXI_RDZV_GET_MIN", "0 to 16384", "2049", "added to the threshold; the sum is at most 16384"),
    checked(
        "FI_CXI_RDZV_EAGER_SIZE",
        "0 to 16384",
        "2048",
        "fetched messages are fetched whole: no part is sent ahead",
    ),
    checked("FI_CXI_RDZV_PROTO", "default, alt_read or alt_write", "default", "receivers read, with any protocol"),
    read(
        "FI_CXI_OFLOW_BUF_SIZE",
        "16384 to 1073741824",
        "12582912",
        "with the next two: bytes of messages that an endpoint keeps outside its blocks are this times the greatest number; 1 GiB if none of the three is set",
    ),
    read("FI_CXI_OFLOW_BUF_MIN_POSTED", "1 to 1024", "3", "a third of the greatest number, where that is not set"),
    read("FI_CXI_OFLOW_BUF_MAX_CACHED", "0 to 1024", "9", "the greatest number; 0: 1024"),
    read(
        "FI_CXI_RX_MATCH_MODE",
        "hardware, hybrid or software",
        "hardware",
        "matching by the NIC or by software, and the reaction when list entries are used up",
    ),
    read(
        "FI_CXI_REQ_BUF_SIZE",
        "16384 to 1073741824",
        "12582912",
        "with the next two: bytes of messages that software keeps are this times the greatest number; 1 GiB if none of the three is set",
    ),
    read("FI_CXI_REQ_BUF_MIN_POSTED", "2 to 1024", "4", "the greatest number is at least this"),
    read("FI_CXI_REQ_BUF_MAX_CACHED", "0 to 1024", "0", "the greatest number; 0: 1024"),
    read("FI_CXI_DEFAULT_CQ_SIZE", "1 to 16777216", "131072", "completions of a queue"),
    read(
        "FI_CXI_DEFAULT_TX_SIZE",
        "1 to 16384",
        "1024",
        "limit of outstanding operations of an endpoint, without long messages that no receive has matched yet",
    ),
    read(
        "FI_CXI_DEFAULT_RX_SIZE",
        "1 to 15360",
        "1024",
        "reported limit of posted receives of an endpoint (rx_attr.size)",
    ),
    read("FI_CXI_OPTIMIZED_MRS", FLAG, "1", "regions with keys below 100 are fast ones"),
    read("FI_CXI_MR_MATCH_EVENTS", FLAG, "0", "initial value of FI_OPT_CXI_GET_MR_MATCH_EVENTS"),
    read("FI_CXI_PROV_KEY_CACHE", FLAG, "1", "initial value of FI_OPT_CXI_GET_PROV_KEY_CACHE"),
    checked(
        "FI_CXI_RGET_TC",
        "best_effort, low_latency, dedicated_access or bulk_data",
        "",
        "traffic classes have no effect on these transports",
    ),
    read(
        "FI_CXI_DISABLE_NON_INJECT_MSG_IDC",
        FLAG,
        "0",
        "short messages that are not injected count as eager, not as inline",
    ),
    read("FI_CXI_DISABLE_NON_INJECT_RMA_IDC", FLAG, "0", "short writes that are not injected do not count as inline"),
    read(
        "FI_CXI_DISABLE_NON_INJECT_AMO_IDC",
        FLAG,
        "0",
        "atomic operations that are not injected do not count as inline",
    ),
    checked(
        "FI_CXI_LLRING_MODE",
        "idle, always or never",
        "idle",
        "there are no rings: a command is carried out immediately",
    ),
    checked("FI_CXI_CQ_POLICY", "always, high_empty, low_empty or low", "low_empty", "as above"),
    checked("FI_CXI_EQ_ACK_BATCH_SIZE", "1 to 65535", "32", "an event's place is free as soon as it is read"),
    checked("FI_CXI_MSG_LOSSLESS", FLAG, "0", "no message is ever dropped: its sender gets -FI_EAGAIN"),
    checked("FI_CXI_FC_RETRY_USEC_DELAY", "0 to 60000000", "1000", "as above: the program decides when to try again"),
    read(
        "FI_CXI_CNTR_SPIN_BEFORE_YIELD",
        "0 to 1000000000",
        "",
        "polls of fi_cntr_wait before it yields its core, instead of FI_PHILAE_SPIN_NSEC",
    ),
    read(
        "FI_CXI_HYBRID_PREEMPTIVE",
        FLAG,
        "0",
        "1: in hybrid mode software takes over when a sixteenth of the list entries is left",
    ),
    checked(
        "FI_CXI_HYBRID_RECV_PREEMPTIVE",
        FLAG,
        "0",
        "receives leave a sixteenth of the list entries in any case, and software takes over there",
    ),
    read(
        "FI_CXI_HYBRID_POSTED_RECV_PREEMPTIVE",
        FLAG,
        "0",
        "1: in hybrid mode software takes over when more receives are posted than FI_CXI_DEFAULT_RX_SIZE",
    ),
    read("FI_CXI_HYBRID_UNEXPECTED_MSG_PREEMPTIVE", FLAG, "0", "1: the same when more messages wait than that"),
    read("FI_CXI_ENABLE_WRITEDATA", FLAG, "1", "0: writes with data for the target answer -FI_EOPNOTSUPP"),
    read(
        "FI_CXI_TELEMETRY",
        "names of counts, list",
        "",
        "prints these counts on standard error when a domain closes: those of --traffic and docs/nic/transport.md",
    ),
    read("FI_CXI_TELEMETRY_RGID", "-1 to 4294967295", "-1", "only for NICs of this service; -1: for all"),
    accepted("FI_CXI_ODP", "pages need not be there before they are used"),
    accepted("FI_CXI_FORCE_ODP", "as above"),
    accepted("FI_CXI_ATS", "there is no translation of addresses"),
    accepted("FI_CXI_IOTLB", "as above"),
    accepted("FI_CXI_ATS_MLOCK_MODE", "as above"),
    accepted("FI_CXI_DISABLE_EQ_HUGETLB", "queues take what the system gives"),
    accepted("FI_CXI_DISABLE_CQ_HUGETLB", "as above"),
    accepted("FI_CXI_DISABLE_HMEM_DEV_REGISTER", "there is no device memory"),
    accepted("FI_CXI_FORCE_ZE_HMEM_SUPPORT", "as above"),
    accepted("FI_CXI_SAFE_DEVMEM_COPY_THRESHOLD", "as above"),
    accepted("FI_CXI_DISABLE_HOST_REGISTER", "as above"),
    accepted("CXI_FORK_SAFE", "nothing is pinned: children of a fork see what the system gives them"),
    accepted("CXI_FORK_SAFE_HP", "as above"),
    accepted("FI_CXI_FORK_SAFE_REQUESTED", "as above"),
];

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    use super::super::ProviderSettings;
    use super::*;

    fn rows() -> impl Iterator<Item = String> {
        let row = |name: &SettingName| {
            let sign = match name.tier {
                Tier::Read => "",
                Tier::Checked => "none: ",
                Tier::Accepted => "none, unchecked: ",
            };
            format!("| `{}` | {} | {} | {sign}{} |", name.name, name.range, name.default, name.effect)
        };
        NAMES.iter().map(row)
    }

    #[test]
    fn the_guide_has_this_table() {
        let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/nic/guide.md");
        let guide = std::fs::read_to_string(guide).expect("the guide");
        let missing: Vec<String> = rows().filter(|row| !guide.lines().any(|line| line == row)).collect();
        assert!(missing.is_empty(), "docs/nic/guide.md lacks these rows:\n{}", missing.join("\n"));
        let names: BTreeSet<&str> = NAMES.iter().map(|name| name.name).collect();
        assert_eq!(names.len(), NAMES.len(), "each name once");
        let section = guide.split("## Variables of the vendor's").nth(1).expect("the section");
        let section = section.split("\n## ").next().expect("its text");
        let unknown: Vec<&str> = section
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
            .filter(|name| !names.contains(name))
            .collect();
        assert!(unknown.is_empty(), "the guide has names that the code has not: {unknown:?}");
    }

    #[test]
    fn every_name_is_asked_for_and_what_it_may_not_be_is_refused() {
        let asked = RefCell::new(BTreeSet::new());
        let nothing = |name: &str| {
            asked.borrow_mut().insert(name.to_owned());
            None
        };
        ProviderSettings::read(&nothing).expect("nothing is set");
        for SettingName { name, tier, range, .. } in NAMES {
            if tier == Tier::Accepted {
                continue;
            }
            // Which of two names is read may depend on the other, so each is set alone.
            let wrong = |asked: &str| (asked == name).then(|| "none\u{1}such".to_owned());
            let error = ProviderSettings::read(&wrong).expect_err(name).to_string();
            assert!(error.starts_with(&format!("{name}=none")) && error.contains("expected"), "{error} ({range})");
        }
        let asked = asked.into_inner();
        let unasked: Vec<&str> = NAMES
            .iter()
            .filter(|known| known.tier != Tier::Accepted && !asked.contains(known.name))
            .map(|known| known.name)
            .collect();
        assert!(unasked.is_empty(), "never asked for: {unasked:?}");
    }
}
