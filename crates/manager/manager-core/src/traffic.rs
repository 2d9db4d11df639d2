//! Traffic of ports: the last counters of each, and the rate between the last two reports.

use std::collections::BTreeMap;

use philae_agent::CounterReading;
use philae_units::PortIndex;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PortTraffic {
    /// Bytes sent since its counters began.
    pub sent_bytes: u64,
    /// Packets sent since then.
    pub sent_packets: u64,
    /// Bits per second between the last two reports, by the switch's clock; `None` before the
    /// second.
    pub sent_bits_per_s: Option<f64>,
    /// The switch's clock at the last report, nanoseconds.
    pub clock_ns: u64,
    /// The time of the report, in milliseconds of the manager's clock.
    pub reported_ms: u64,
}

/// Ports with reported traffic.
#[derive(Debug, Default)]
pub struct ReportedTraffic(BTreeMap<PortIndex, PortTraffic>);

impl ReportedTraffic {
    /// Records the report of a switch whose first port is `base`. Ports that it does not have are
    /// ignored.
    pub fn take_in(&mut self, now_ms: u64, base: PortIndex, radix: usize, report: &CounterReading) {
        for counters in report.ports.iter().filter(|counters| (counters.port as usize) < radix) {
            let known = self.0.entry(PortIndex(base.0 + counters.port)).or_default();
            let ns = report.clock_ns.saturating_sub(known.clock_ns);
            // Counters that went back have been reset, like the clock of a switch that restarted.
            let sent = counters.sent_bytes.checked_sub(known.sent_bytes).filter(|_| known.reported_ms > 0);
            let rate = sent.filter(|_| ns > 0).map(|bytes| bytes as f64 * 8e9 / ns as f64);
            *known = PortTraffic {
                sent_bytes: counters.sent_bytes,
                sent_packets: counters.sent_packets,
                sent_bits_per_s: rate,
                clock_ns: report.clock_ns,
                reported_ms: now_ms.max(1),
            };
        }
    }

    /// The traffic of a port.
    pub fn of(&self, port: PortIndex) -> Option<PortTraffic> {
        self.0.get(&port).copied()
    }

    /// The traffic of all ports.
    pub fn iter(&self) -> impl Iterator<Item = (PortIndex, PortTraffic)> + '_ {
        self.0.iter().map(|(&port, &traffic)| (port, traffic))
    }
}

#[cfg(test)]
mod tests {
    use philae_agent::PortCounters;

    use super::*;

    fn report(clock_ns: u64, port: u32, sent_bytes: u64) -> CounterReading {
        CounterReading { clock_ns, ports: vec![PortCounters { port, sent_bytes, sent_packets: sent_bytes / 64 }] }
    }

    #[test]
    fn rates_follow_from_the_switch_s_clock_and_a_counter_that_begins_anew_has_none() {
        let mut traffic = ReportedTraffic::default();
        let base = PortIndex(128);
        traffic.take_in(5, base, 64, &report(1_000, 3, 640));
        assert_eq!(
            traffic.of(PortIndex(131)).map(|found| (found.sent_bytes, found.sent_bits_per_s)),
            Some((640, None))
        );
        // 25,000 B in 1,000 ns are 200 Gb/s, whatever the manager's clock says.
        traffic.take_in(900, base, 64, &report(2_000, 3, 25_640));
        assert_eq!(traffic.of(PortIndex(131)).and_then(|found| found.sent_bits_per_s), Some(200e9));
        traffic.take_in(950, base, 64, &report(100, 3, 64));
        assert_eq!(traffic.of(PortIndex(131)).and_then(|found| found.sent_bits_per_s), None);
        traffic.take_in(960, base, 64, &report(200, 64, 64));
        assert_eq!(traffic.iter().count(), 1, "the next switch's port is not this one's to report");
    }
}
