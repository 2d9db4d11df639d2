//! Features that few runs use. Every hop checks for them several times: one flag says that the run
//! uses none of them, and the code for them is kept away from the code of every hop.

use crate::partition::Partition;

/// A condition that the compiler takes for rarely true.
#[inline(always)]
pub const fn rare(is: bool) -> bool {
    if is {
        std::hint::cold_path();
    }
    is
}

impl Partition {
    /// Follows single packets from here on.
    pub fn follow_packets(&mut self) {
        self.record.observer.on = true;
        self.update_features();
    }

    /// Checks whether the run uses any of the features below. Called when a partition is built or
    /// restored, and when an observer is added.
    pub fn update_features(&mut self) {
        let shared = &self.shared;
        self.layout.has_features = shared.traits.has_link_layer
            || shared.traits.is_reliable
            || self.nic.uet.is_some()
            || shared.trees.is_some()
            || shared.overlay.is_some()
            || shared.classes.schedule.is_some()
            || self.layout.pauses_links
            || !self.switch.class_queued.is_empty()
            || shared.config.laws.tcp.is_some()
            || self.record.observer.on;
    }

    /// Whether links are modelled frame by frame.
    #[inline(always)]
    pub fn has_link_layer(&self) -> bool {
        rare(self.layout.has_features) && self.shared.traits.has_link_layer
    }

    /// Whether NICs keep what they sent until it is acknowledged.
    #[inline(always)]
    pub fn is_reliable(&self) -> bool {
        rare(self.layout.has_features) && self.shared.traits.is_reliable
    }

    /// Whether the NIC of `endpoint` keeps what it sent until that is acknowledged.
    #[inline(always)]
    pub fn keeps_packets(&self, endpoint: u32) -> bool {
        self.is_reliable() || self.is_uet(endpoint)
    }

    /// Whether some NICs have Ultra Ethernet's transport.
    #[inline(always)]
    pub const fn has_uet(&self) -> bool {
        rare(self.layout.has_features) && self.nic.uet.is_some()
    }

    /// Whether the NIC of `endpoint` has it, and so those that it sends to and receives from.
    #[inline(always)]
    pub fn is_uet(&self, endpoint: u32) -> bool {
        self.has_uet() && self.shared.is_uet(endpoint)
    }

    /// Whether switches carry out collectives.
    #[inline(always)]
    pub fn has_trees(&self) -> bool {
        rare(self.layout.has_features) && self.shared.trees.is_some()
    }

    /// Whether edge ports have a packet engine.
    #[inline(always)]
    pub fn has_overlay(&self) -> bool {
        rare(self.layout.has_features) && self.shared.overlay.is_some()
    }

    /// Whether classes share outputs by a schedule.
    #[inline(always)]
    pub fn has_schedule(&self) -> bool {
        rare(self.layout.has_features) && self.shared.classes.schedule.is_some()
    }

    /// Whether links between switches are paused rather than controlled by credits.
    #[inline(always)]
    pub const fn pauses(&self) -> bool {
        rare(self.layout.has_features) && self.layout.pauses_links
    }

    /// Whether packets of some class may be discarded when its queue is long.
    #[inline(always)]
    pub const fn has_lossy_classes(&self) -> bool {
        rare(self.layout.has_features) && !self.switch.class_queued.is_empty()
    }

    /// Whether the bus between a NIC and its host has a limit.
    #[inline(always)]
    pub const fn has_bus(&self) -> bool {
        !self.nic.buses.is_empty()
    }

    /// Whether TCP connections have windows.
    #[inline(always)]
    pub fn has_tcp(&self) -> bool {
        rare(self.layout.has_features) && self.shared.config.laws.tcp.is_some()
    }

    /// Whether single packets are followed.
    #[inline(always)]
    pub const fn is_observed(&self) -> bool {
        rare(self.layout.has_features) && self.record.observer.on
    }
}
