//! The protocol of hosts and NICs: the messages that an operation becomes, what follows when one
//! arrives, and when each step happens.
//!
//! The packet simulator and the fluid model follow the same steps. They differ only in how a
//! message crosses the fabric. Times are in picoseconds.

use philae_units::Bytes;
use serde::{Deserialize, Serialize};

use super::eager_rendezvous::MessageProtocol;
use super::{HostParameters, HostPath};
use crate::parameters::NicParameters;

/// Purpose of a message between two NICs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PacketPurpose {
    /// Two-sided data sent immediately.
    Eager,
    /// Two-sided data that the target may defer until a receive is posted (Ultra Ethernet).
    Deferrable,
    /// Asks the receiver to fetch two-sided data.
    RendezvousRequest,
    /// Asks the sender for the data: from the receiver's NIC to the sender's.
    ReadRequest,
    /// The data of a rendezvous.
    ReadData,
    /// One-sided write.
    Put,
    /// Asks a target for its memory.
    GetRequest,
    /// The memory asked for.
    GetData,
    /// Changes a target's memory.
    Amo,
    /// Changes a target's memory and asks for the old value.
    FetchingAmo,
    /// The old value.
    AmoData,
    /// A message from software to software about a broken collective tree.
    Notice,
    /// A packet of a collective tree, which belongs to no message.
    Collective,
    /// The answer of a target's NIC to a packet or a message. It belongs to no message.
    Response,
}

/// What a host does with a message that it sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostStep {
    /// It matches the message with a receive.
    Match,
    /// The data complete the receive that asked for them.
    EndReceive,
    /// The data complete the one-sided operation that asked for them.
    EndIssued,
}

impl PacketPurpose {
    /// An atomic operation: with the old value as its answer, or without an answer.
    #[must_use]
    pub const fn atomic(fetches: bool) -> Self {
        if fetches { Self::FetchingAmo } else { Self::Amo }
    }

    /// Whether this begins a one-sided operation. Within a node such an operation ends when its
    /// copy is visible; the sender of any other message is done when it has copied the data.
    #[must_use]
    pub const fn is_one_sided(self) -> bool {
        matches!(self, Self::Put | Self::GetRequest | Self::Amo | Self::FetchingAmo)
    }

    /// Whether this answers a one-sided operation: the rank that issued it is the destination.
    #[must_use]
    pub const fn answers_issuer(self) -> bool {
        matches!(self, Self::GetData | Self::AmoData)
    }

    /// What the host does with such a message; `None` if the NIC answers it without the host.
    #[must_use]
    pub const fn host_step(self) -> Option<HostStep> {
        match self {
            Self::Eager | Self::Deferrable | Self::RendezvousRequest => Some(HostStep::Match),
            Self::ReadData => Some(HostStep::EndReceive),
            Self::GetData | Self::AmoData => Some(HostStep::EndIssued),
            Self::ReadRequest
            | Self::GetRequest
            | Self::Put
            | Self::Amo
            | Self::FetchingAmo
            | Self::Notice
            | Self::Collective
            | Self::Response => None,
        }
    }

    /// Whether the target's NIC answers the packets of such a message with responses. Requests for
    /// data are answered with the data, and data that was asked for is itself an answer.
    #[must_use]
    pub const fn gets_response(self) -> bool {
        match self {
            Self::Eager | Self::Deferrable | Self::RendezvousRequest | Self::Put | Self::Amo | Self::Notice => true,
            Self::ReadRequest
            | Self::ReadData
            | Self::GetRequest
            | Self::GetData
            | Self::FetchingAmo
            | Self::AmoData
            | Self::Collective
            | Self::Response => false,
        }
    }

    /// Whether the issuer's operation ends when it learns that such a message has arrived in full.
    #[must_use]
    pub const fn ends_when_answered(self) -> bool {
        matches!(self, Self::Put | Self::Amo | Self::ReadData | Self::Deferrable)
    }

    /// Whether a packet of such a message may be taken twice with the same effect.
    #[must_use]
    pub const fn is_idempotent(self) -> bool {
        match self {
            Self::Put | Self::ReadData | Self::GetData | Self::AmoData | Self::Response => true,
            Self::Eager
            | Self::Deferrable
            | Self::RendezvousRequest
            | Self::ReadRequest
            | Self::GetRequest
            | Self::Amo
            | Self::FetchingAmo
            | Self::Notice
            | Self::Collective => false,
        }
    }
}

/// How a core hands a two-sided message to its NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handover {
    /// What the first message is: the data, or a request for the receiver to fetch them.
    pub purpose: PacketPurpose,
    /// Payload of the first message.
    pub bytes: u64,
    /// When the NIC, or the memory of the node, has it.
    pub time: u64,
    /// When the core is free.
    pub core_free_at: u64,
}

/// What follows when all of a message has arrived at its NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrivalStep {
    /// The host sees the message after this time.
    Visible {
        /// In picoseconds.
        after: u64,
    },
    /// The host sees the fetched data after this time. The sender's operation ends when the
    /// acknowledgement, which leaves at the same time, reaches it.
    Fetched {
        /// In picoseconds.
        after: u64,
    },
    /// The NIC answers by itself after this time, with the data that was asked for.
    Answer {
        /// What the answer is.
        purpose: PacketPurpose,
        /// In picoseconds.
        after: u64,
    },
    /// The data are in memory. The issuer's operation ends when an acknowledgement that leaves
    /// after this time reaches it.
    Written {
        /// In picoseconds.
        after: u64,
    },
    /// Software continues a collective operation.
    Software,
}

/// A host and a NIC of it.
#[derive(Clone, Copy, Debug)]
pub struct HostProtocol<'a> {
    pub host: &'a HostParameters,
    pub nic: &'a NicParameters,
}

const fn ps(ns: u32) -> u64 {
    ns as u64 * 1_000
}

impl HostProtocol<'_> {
    /// A two-sided message of `bytes` that a program sends at `time`, to a rank of the same node or
    /// of another.
    #[must_use]
    pub const fn send(&self, bytes: u64, is_same_node: bool, time: u64) -> Handover {
        let (host, called) = (self.host, self.called(time));
        let (purpose, travels) = match MessageProtocol::for_size(self.nic, host.path, Bytes(bytes)) {
            MessageProtocol::Rendezvous if !is_same_node => (PacketPurpose::RendezvousRequest, 0),
            MessageProtocol::Eager | MessageProtocol::Rendezvous => (PacketPurpose::Eager, bytes),
        };
        let (first, all) = match purpose {
            // The copy within a node counts in transit.
            _ if is_same_node => (called, called),
            PacketPurpose::Eager if host.path.is_kernel() => {
                (self.rung(called + host.kernel_first(bytes)), self.rung(called + host.kernel_time(bytes)))
            }
            PacketPurpose::Eager => {
                let copied = self.rung(called + self.bounce(bytes, false));
                (copied, copied)
            }
            _ => (self.rung(called), self.rung(called)),
        };
        Handover { purpose, bytes: travels, time: first, core_free_at: all }
    }

    /// When a core has written the command of an operation that it begins at `time`.
    #[must_use]
    pub const fn called(&self, time: u64) -> u64 {
        time + ps(self.host.send_overhead_ns)
    }

    /// When a core that begins at `time` has rung the doorbell.
    #[must_use]
    pub const fn rung(&self, time: u64) -> u64 {
        time + ps(self.host.doorbell_ns)
    }

    /// Time for which a core copies eager data, at one end, between the program and a buffer that
    /// the NIC knows.
    ///
    /// A NIC that matches reads and writes the program's memory directly. A copy is needed only for
    /// data that was kept, because it came before its receive was posted or because software
    /// matches.
    #[must_use]
    pub const fn bounce(&self, bytes: u64, is_kept: bool) -> u64 {
        let copies = match self.host.path {
            HostPath::Messages => is_kept || !self.nic.match_offload,
            HostPath::Direct => is_kept,
            // The kernel counts its own copies.
            HostPath::Kernel | HostPath::KernelUdp => false,
        };
        if copies { self.host.copy(bytes) } else { 0 }
    }

    /// Whether the NIC has to fetch a payload that is not part of its command.
    #[must_use]
    pub const fn fetches(&self, payload: u64) -> bool {
        payload > self.nic.inline_max_bytes as u64
    }

    /// Whether a core that has written this many commands of one-sided operations rings the
    /// doorbell now, without waiting for more.
    #[must_use]
    pub const fn is_bundle_full(&self, commands: usize) -> bool {
        commands >= self.host.bundle_max as usize
    }

    /// Whether the NIC has to fetch one of `commands` that share a doorbell, or its payload. A
    /// single command is written into the NIC. Several wait in the host's memory.
    #[must_use]
    pub const fn fetches_command(&self, commands: usize, payload: u64) -> bool {
        commands > 1 || self.fetches(payload)
    }

    /// When a NIC that gets a command at `time` can send the message.
    #[must_use]
    pub const fn ready(&self, is_fetched: bool, time: u64) -> u64 {
        let fetch = if is_fetched { self.nic.dma_read_ns } else { 0 };
        time + ps(self.nic.command_ns + fetch + self.nic.transmit_ns)
    }

    /// A message of `bytes` within a node, from `time` on: when the receiver sees it, and when the
    /// sender's operation ends.
    #[must_use]
    pub const fn local_copy(&self, bytes: u64, time: u64) -> (u64, u64) {
        let copied = time + self.host.copy(bytes);
        (copied + ps(self.host.local_latency_ns), copied)
    }

    /// When the request for the data of a rendezvous, matched at `time`, can be sent. The
    /// receiver's NIC asks if it matches; otherwise its core does, which is then busy.
    #[must_use]
    pub const fn read_request(&self, nic_matches: bool, time: u64, core_free_at: &mut u64) -> u64 {
        if nic_matches {
            return time + ps(self.nic.transmit_ns);
        }
        let begins = if time > *core_free_at { time } else { *core_free_at };
        *core_free_at = begins + ps(self.host.receive_overhead_ns + self.host.send_overhead_ns);
        *core_free_at + ps(self.nic.command_ns + self.nic.transmit_ns)
    }

    /// When a core has taken a message that is there at `time`. `copy` is the time of a copy.
    #[must_use]
    pub const fn taken(&self, time: u64, core_free_at: u64, copy: u64) -> u64 {
        let begins = if time > core_free_at { time } else { core_free_at };
        begins + ps(self.host.receive_overhead_ns) + copy
    }

    /// The same through the kernel. The core began when the first segment had arrived, `streamed`
    /// before, if it had nothing else to do.
    #[must_use]
    pub const fn taken_by_kernel(&self, bytes: u64, streamed: u64, time: u64, core_free_at: u64) -> u64 {
        let all = self.taken(time.saturating_sub(streamed), core_free_at, self.host.kernel_time(bytes));
        let last = time + self.host.kernel_first(bytes);
        if all > last { all } else { last }
    }

    /// What follows when all of a message has arrived. `nic_matches`: the receiver's NIC matches
    /// for it.
    #[must_use]
    pub const fn arrival(&self, purpose: PacketPurpose, nic_matches: bool) -> ArrivalStep {
        let (receive, read) = (ps(self.nic.receive_ns), ps(self.nic.dma_read_ns));
        let accepted = ps(self.nic.accept_ns);
        let turnaround = accepted + read + ps(self.nic.transmit_ns);
        match purpose {
            PacketPurpose::RendezvousRequest if nic_matches => ArrivalStep::Visible { after: accepted },
            PacketPurpose::Eager
            | PacketPurpose::Deferrable
            | PacketPurpose::RendezvousRequest
            | PacketPurpose::GetData
            | PacketPurpose::AmoData => ArrivalStep::Visible { after: receive },
            PacketPurpose::ReadData => ArrivalStep::Fetched { after: receive },
            PacketPurpose::ReadRequest => ArrivalStep::Answer { purpose: PacketPurpose::ReadData, after: turnaround },
            PacketPurpose::GetRequest => ArrivalStep::Answer { purpose: PacketPurpose::GetData, after: turnaround },
            PacketPurpose::FetchingAmo => ArrivalStep::Answer { purpose: PacketPurpose::AmoData, after: turnaround },
            PacketPurpose::Put => ArrivalStep::Written { after: receive },
            // The target's NIC reads the memory that it changes.
            PacketPurpose::Amo => ArrivalStep::Written { after: receive + read },
            PacketPurpose::Notice | PacketPurpose::Collective | PacketPurpose::Response => ArrivalStep::Software,
        }
    }

    /// After what time the NIC sends the response to a packet that has arrived: it has accepted the
    /// packet, and the response takes the way of every packet out of the NIC. Data may not be in
    /// memory yet: libfabric's cxi provider asks for a flush where they must be.
    #[must_use]
    pub const fn response(&self, purpose: PacketPurpose) -> u64 {
        let read = if matches!(purpose, PacketPurpose::Amo) { self.nic.dma_read_ns } else { 0 };
        ps(self.nic.accept_ns + read + self.nic.transmit_ns)
    }

    /// After what time a response that has arrived ends the issuer's operation: the event is
    /// visible to the host.
    #[must_use]
    pub const fn answered(&self) -> u64 {
        ps(self.nic.receive_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A host and a NIC in which every time is another power of two, in nanoseconds.
    fn parts(path: HostPath, match_offload: bool) -> (HostParameters, NicParameters) {
        let host = HostParameters {
            path,
            send_overhead_ns: 1,
            receive_overhead_ns: 2,
            doorbell_ns: 4,
            local_latency_ns: 8,
            copy_rate_mbytes: 1_000,
            segment_bytes: 100,
            segment_ns: 10_000,
            ..HostParameters::connectx_5_mpi()
        };
        let nic = NicParameters {
            command_ns: 16,
            dma_read_ns: 32,
            transmit_ns: 64,
            receive_ns: 128,
            accept_ns: 100,
            eager_max_bytes: 1_000,
            inline_max_bytes: 192,
            match_offload,
            ..NicParameters::cassini_1()
        };
        (host, nic)
    }

    #[test]
    fn a_send_is_eager_up_to_the_limit_and_a_request_beyond() {
        let (host, nic) = parts(HostPath::Messages, false);
        let protocol = HostProtocol { host: &host, nic: &nic };
        let eager = Handover { purpose: PacketPurpose::Eager, bytes: 1_000, time: 1_005_000, core_free_at: 1_005_000 };
        assert_eq!(protocol.send(1_000, false, 0), eager, "the call, 1,000 ns of copy, the doorbell");
        let asks = Handover { purpose: PacketPurpose::RendezvousRequest, bytes: 0, time: 5_000, core_free_at: 5_000 };
        assert_eq!(protocol.send(1_001, false, 0), asks);
        let near = Handover { purpose: PacketPurpose::Eager, bytes: 1_001, time: 1_000, core_free_at: 1_000 };
        assert_eq!(protocol.send(1_001, true, 0), near, "no doorbell, and the copy counts in transit");
        let (host, nic) = parts(HostPath::Messages, true);
        let matching = HostProtocol { host: &host, nic: &nic }.send(1_000, false, 0);
        assert_eq!(matching.time, 5_000, "a NIC that matches reads the program's memory");
    }

    #[test]
    fn the_kernel_sends_its_first_segment_while_it_works_on_the_others() {
        let (host, nic) = parts(HostPath::Kernel, false);
        let protocol = HostProtocol { host: &host, nic: &nic };
        let sent = protocol.send(5_000, false, 0);
        assert_eq!((sent.purpose, sent.bytes), (PacketPurpose::Eager, 5_000), "no rendezvous at any size");
        assert_eq!(sent.time, 5_000 + host.kernel_first(5_000));
        assert_eq!(sent.core_free_at, 5_000 + host.kernel_time(5_000));
        let (time, streamed) = (10_000_000, 4_000_000);
        assert_eq!(protocol.taken_by_kernel(5_000, streamed, time, 0), 6_002_000 + host.kernel_time(5_000));
        assert_eq!(
            protocol.taken_by_kernel(50, streamed, time, 0),
            time + host.kernel_first(50),
            "not before the last segment has come"
        );
    }

    #[test]
    fn commands_that_share_a_doorbell_are_fetched() {
        let (host, nic) = parts(HostPath::Direct, true);
        let host = HostParameters { bundle_max: 4, ..host };
        let protocol = HostProtocol { host: &host, nic: &nic };
        assert!(!protocol.is_bundle_full(3) && protocol.is_bundle_full(4));
        assert!(!protocol.fetches_command(1, 192), "the payload travels in the command");
        assert!(protocol.fetches_command(1, 193) && protocol.fetches_command(2, 0));
    }

    #[test]
    fn arrivals_lead_to_what_the_operation_needs_next() {
        let (host, nic) = parts(HostPath::Messages, true);
        let protocol = HostProtocol { host: &host, nic: &nic };
        let step = |purpose| protocol.arrival(purpose, true);
        assert_eq!(step(PacketPurpose::RendezvousRequest), ArrivalStep::Visible { after: 100_000 });
        let by_host = protocol.arrival(PacketPurpose::RendezvousRequest, false);
        assert_eq!(by_host, ArrivalStep::Visible { after: 128_000 });
        let answer = ArrivalStep::Answer { purpose: PacketPurpose::ReadData, after: 196_000 };
        assert_eq!(step(PacketPurpose::ReadRequest), answer);
        assert_eq!(step(PacketPurpose::ReadData), ArrivalStep::Fetched { after: 128_000 });
        assert_eq!(step(PacketPurpose::Put), ArrivalStep::Written { after: 128_000 });
        assert_eq!(step(PacketPurpose::Amo), ArrivalStep::Written { after: 160_000 });
        for purpose in [PacketPurpose::Put, PacketPurpose::GetRequest, PacketPurpose::Amo, PacketPurpose::FetchingAmo] {
            assert!(purpose.is_one_sided() && purpose.host_step().is_none(), "{purpose:?}: the NIC carries it out");
        }
        assert_eq!(
            step(PacketPurpose::atomic(true)),
            ArrivalStep::Answer { purpose: PacketPurpose::AmoData, after: 196_000 }
        );
        assert_eq!(step(PacketPurpose::atomic(false)), ArrivalStep::Written { after: 160_000 });
        assert_eq!(PacketPurpose::AmoData.host_step(), Some(HostStep::EndIssued));
        assert_eq!(PacketPurpose::ReadData.host_step(), Some(HostStep::EndReceive));
        let mut core = 7_000;
        assert_eq!(protocol.read_request(true, 9_000, &mut core), 73_000);
        assert_eq!(core, 7_000, "the NIC asks by itself");
        assert_eq!(protocol.read_request(false, 9_000, &mut core), 12_000 + 80_000);
        assert_eq!(core, 12_000, "the core takes the request and issues another");
    }
}
