//! Which agent carries out atomic operations. All operations that may meet at one address must use
//! the same agent.
//!
//! PEs of the same host change a PE's memory with the processor's instructions or through the NIC,
//! and PEs of other hosts always through the NIC. A NIC's operation that is not the processor's own
//! reads, adds and writes back. It would lose what an instruction has added in between.

/// The environment's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicsChoice {
    /// By the rule.
    Auto,
    /// By the processor, on PEs of this host.
    Processor,
    /// By the NIC, on every PE.
    Nic,
}

/// Which agent carries out a provider's atomic operations at their target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProviderAtomics {
    /// For operations from other hosts it is the processor.
    pub from_other_hosts: bool,
    /// The same for operations from the target's own host.
    pub from_this_host: bool,
}

/// Which agent carries out atomic operations on PEs of this host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicsBy {
    Processor,
    /// The NIC, also on this PE's own memory.
    Nic,
}

/// Applies the rule, and returns its reason.
///
/// `on_other_hosts`: some PEs are on other hosts. `on_this_host`: some PEs of this host are reached
/// through the NIC nevertheless.
#[must_use]
pub const fn atomics_by(
    choice: AtomicsChoice,
    on_other_hosts: bool,
    on_this_host: bool,
    provider: ProviderAtomics,
) -> (AtomicsBy, &'static str) {
    let are_one = (!on_other_hosts || provider.from_other_hosts) && (!on_this_host || provider.from_this_host);
    match (choice, on_other_hosts || on_this_host, are_one) {
        (AtomicsChoice::Nic, true, _) => (AtomicsBy::Nic, "SHMEM_ATOMICS=NIC"),
        (AtomicsChoice::Nic, false, _) => {
            (AtomicsBy::Processor, "SHMEM_ATOMICS=NIC, but no PE is reached through a NIC")
        }
        (_, false, _) => (AtomicsBy::Processor, "all PEs share memory"),
        (_, true, true) => (AtomicsBy::Processor, "the provider's atomic operations are the processor's own"),
        (AtomicsChoice::Processor, true, false) => (
            AtomicsBy::Processor,
            "SHMEM_ATOMICS=PROCESSOR: operations of PEs of this host and of other hosts on one address are not atomic with each other",
        ),
        (AtomicsChoice::Auto, true, false) => {
            (AtomicsBy::Nic, "the provider's atomic operations are atomic only among themselves")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_methods_change_one_place_only_if_they_agree_or_a_setting_asks_for_it() {
        for choice in [AtomicsChoice::Auto, AtomicsChoice::Nic, AtomicsChoice::Processor] {
            for bits in 0..16_u8 {
                let bit = |place: u8| bits >> place & 1 == 1;
                let (remote, here) = (bit(0), bit(1));
                let provider = ProviderAtomics { from_other_hosts: bit(2), from_this_host: bit(3) };
                let (by, why) = atomics_by(choice, remote, here, provider);
                // The agents that may change the same address: the processor if local PEs use it,
                // and the provider's for each kind of origin.
                let kinds = [remote.then_some(provider.from_other_hosts), here.then_some(provider.from_this_host)];
                let meets_another = by == AtomicsBy::Processor && kinds.contains(&Some(false));
                assert_eq!(meets_another, choice == AtomicsChoice::Processor && kinds.contains(&Some(false)), "{why}");
                assert!(by == AtomicsBy::Processor || remote || here, "without a NIC only the processor can do it");
                if choice == AtomicsChoice::Nic && (remote || here) {
                    assert_eq!(by, AtomicsBy::Nic);
                }
                if choice == AtomicsChoice::Auto && !kinds.contains(&Some(false)) {
                    assert_eq!(by, AtomicsBy::Processor, "the fast method, where it is right: {why}");
                }
            }
        }
    }
}
