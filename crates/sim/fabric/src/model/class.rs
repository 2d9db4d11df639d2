//! Traffic classes at an output: which may send, which is next, what each has used.

use philae_traffic_class::{Account, Choice, ClassSchedule, Common};

use crate::partition::Partition;

/// Result of looking for a packet to grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granted {
    /// A packet leaves.
    One,
    /// No packet may go, or those that may do not fit the far buffer.
    NothingFits,
    /// The classes of all waiting packets have used up their bandwidth for now.
    Later,
}

impl Partition {
    /// Index of a class of a port (or of a NIC) in columns that have an entry for each.
    #[inline]
    pub fn class_slot(&self, slot: usize, class: u8) -> usize {
        slot * usize::from(self.shared.classes.plan.classes) + usize::from(class)
    }

    /// Index of a class of the NIC of an edge port in columns that have an entry for each.
    #[inline]
    pub fn edge_class_slot(&self, port_slot: usize, class: u8) -> usize {
        self.class_slot(self.nic_slot(self.switch.wires[port_slot].peer), class)
    }

    /// The schedule and the accounts of one output.
    #[inline]
    fn class_accounts(&mut self, port_slot: usize) -> Option<(&ClassSchedule, &mut [Account], &mut Common)> {
        if !self.has_schedule() {
            return None;
        }
        let schedule = self.shared.classes.schedule.as_ref()?;
        let classes = self.shared.config.classes.len();
        Some((
            schedule,
            &mut self.switch.accounts[port_slot * classes..][..classes],
            &mut self.switch.commons[port_slot],
        ))
    }

    /// Whether a packet of `class` may pass an output where nothing else waits.
    #[inline]
    pub fn class_may_go(&mut self, port_slot: usize, class: u8, now: u64) -> bool {
        match self.class_accounts(port_slot) {
            None => true,
            Some((schedule, accounts, common)) => {
                schedule.choose(now, 1 << class, accounts, common) == Choice::Class(class)
            }
        }
    }

    /// Charges `class` for an output that it occupies for `time` picoseconds.
    #[inline]
    pub fn charge_class(&mut self, port_slot: usize, class: u8, time: u64, now: u64) {
        if let Some((schedule, accounts, common)) = self.class_accounts(port_slot) {
            schedule.charge(now, class, time, accounts, common);
        }
    }

    /// Grants one packet of the class that the schedule chooses, or of the next class whose packets
    /// fit the far buffer. If the classes have to wait, the output is woken when the first may go.
    pub fn grant_by_class(&mut self, (port_slot, port): (usize, u32), requesting: u64, now: u64) -> Granted {
        let legs = self.shared.classes.plan.legs;
        let of_class = |class: u8| requesting & self.shared.classes.plan.channels_of(class);
        let classes = self.shared.classes.plan.classes;
        let mut nothing_fits = false;
        let mut asking =
            (0..classes).filter(|&class| of_class(class) != 0).fold(0_u64, |asking, class| asking | 1 << class);
        loop {
            let Some((schedule, accounts, common)) = self.class_accounts(port_slot) else {
                return Granted::NothingFits;
            };
            match schedule.choose(now, asking, accounts, common) {
                Choice::Class(class) => {
                    let last = class * legs + accounts[usize::from(class)].last_leg;
                    let channels = requesting & self.shared.classes.plan.channels_of(class);
                    if self.grant_among((port_slot, port), channels, last, now) {
                        let served = self.switch.outputs[port_slot].last_channel;
                        if let Some((_, accounts, _)) = self.class_accounts(port_slot) {
                            accounts[usize::from(class)].last_leg = served - class * legs;
                        }
                        return Granted::One;
                    }
                    asking &= !(1 << class);
                    nothing_fits = true;
                }
                Choice::Wait(until) => {
                    self.wake((port_slot, port), until);
                    return if nothing_fits { Granted::NothingFits } else { Granted::Later };
                }
                Choice::NoRequest => return Granted::NothingFits,
            }
        }
    }
}
