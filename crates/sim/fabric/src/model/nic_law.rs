//! Flows in NICs, for laws whose gate is there: admission, notices and rates.

use philae_congestion::{Admission, CongestionLaw, EcnFlow};

use crate::model::flow::NicFlow;
use crate::partition::Partition;

impl Partition {
    /// Whether the law of a message's flow admits a packet.
    pub fn law_admits(&mut self, message: u32) -> Admission {
        if self.is_uet(self.nic.outgoing[message].source) {
            let admission = self.uet_admits(message);
            if !matches!(admission, Admission::Now) && self.is_observed() {
                self.explain_held_by_law(message);
            }
            return admission;
        }
        if !matches!(self.shared.config.congestion, CongestionLaw::Ecn(_)) {
            return Admission::Now;
        }
        let (flow, now) = (self.nic_flow(message), self.clock.now());
        let CongestionLaw::Ecn(parameters) = &self.shared.config.congestion else { return Admission::Now };
        self.nic.nic_flows.flows[flow].law.admit(parameters, now)
    }

    /// The flow of a message in its NIC. Creates it if there is none.
    pub fn nic_flow(&mut self, message: u32) -> u32 {
        let sending = &self.nic.outgoing[message];
        let (source, destination, class) = (sending.source, sending.destination, sending.header.class.0);
        if let Some(flow) = self.nic.nic_flows.find(source, destination, class) {
            return flow;
        }
        let line = self.nic.nics[self.nic_slot(source)].wire().rate().0;
        let law = EcnFlow::new(line, self.clock.now());
        self.nic.nic_flows.insert(NicFlow { source, destination, class, noticed_at: 0, law })
    }

    /// A congestion notification has reached the NIC of a flow.
    pub fn notify_nic(&mut self, source: u32, destination: u32, class: u8) {
        let CongestionLaw::Ecn(parameters) = self.shared.config.congestion.clone() else { return };
        let Some(slot) = self.nic.nic_flows.find(source, destination, class) else { return };
        let notification_gap = u64::from(parameters.notification_gap_ns) * 1_000;
        let now = self.clock.now();
        let flow = &mut self.nic.nic_flows.flows[slot];
        if flow.noticed_at != 0 && now < flow.noticed_at + notification_gap {
            return;
        }
        flow.noticed_at = now;
        flow.law.notified(&parameters, now);
        let rate = flow.law.rate_mbps();
        let held = *flow;
        let port = self.edge_port(source);
        self.record.recorder.rate_cut(now, port, &held, rate);
    }

    /// Tells the law of a message's flow, if the NIC has one, that `size` bytes have been sent.
    #[inline(never)]
    pub fn account_rate(&mut self, message: u32, size: u32) {
        let CongestionLaw::Ecn(parameters) = self.shared.config.congestion.clone() else { return };
        let flow = self.nic_flow(message);
        self.nic.nic_flows.flows[flow].law.sent(&parameters, self.clock.now(), size);
    }
}
