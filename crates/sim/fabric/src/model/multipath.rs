//! Equal-cost multipath: switches choose among shortest paths, or these and others, by the entropy
//! of packets.

use philae_engine::RandomStream;
use philae_path::{EntropyPaths, Hop, RouteRequest, RouteState};
use philae_units::{EndpointId, PortIndex};

use crate::model::health::SwitchView;
use crate::model::hop::next_hop_among_faults;
use crate::model::load_view::NoLoads;
use crate::model::packet::FlowEnds;
use crate::model::shared::{Shared, switch_of};
use crate::partition::Partition;

impl Shared {
    /// Which values of the entropy are for shortest paths, for packets of a class.
    pub fn entropy_paths(&self, class: u8) -> EntropyPaths {
        self.config.routing.entropy_paths(self.classes.rules[usize::from(class)].mode)
    }
}

impl Partition {
    /// The next hop of a packet of `flow` that is in the switch of `input`: what is drawn elsewhere
    /// follows from flow, entropy and switch here. `source`: whether this is its first switch.
    #[inline(never)]
    pub fn next_hop_by_entropy(
        &mut self,
        FlowEnds { source: from, destination, class }: FlowEnds,
        input: u32,
        route: &mut RouteState,
        (source, entropy): (bool, u16),
    ) -> Option<Hop> {
        let switch = switch_of(&self.shared, input);
        let (mode, paths) = (self.shared.classes.rules[usize::from(class)].mode, self.shared.entropy_paths(class));
        let request = RouteRequest {
            switch,
            destination: EndpointId(destination),
            source,
            ordered: None,
            nonminimal_bias_percent: 0,
            mode,
            shortest: paths.is_shortest(entropy),
            fresh: false,
            input: PortIndex(input),
        };
        let ends = u64::from(from) << 32 | u64::from(destination);
        let mut random = RandomStream::new(ends, entropy.into(), switch.0.into());
        if self.has_link_layer() {
            let own = (switch.0 - self.layout.switch_base) as usize;
            let loads = self.load_view();
            let view = SwitchView { loads, health: &self.fault.health, switch: own, accepts_waiting_links: false };
            return next_hop_among_faults(&self.shared, request, input, route, view, &mut random);
        }
        self.shared.router.route(request, route, &NoLoads, &mut random)
    }
}
