//! Parameter values of host software.

use super::{HostParameters, HostPath};
use philae_units::preset;

preset!(
    /// A host under MPI on ConnectX-5 (Malbec, Shandy).
    HostParameters, connectx_5_mpi, connectx_5_mpi_provenance, {
    path = HostPath::Messages, Published, "MPI matches: eager, then rendezvous", "", "latency of medium messages";
    send_overhead_ns = 250, Assumed, "share of the 1.6 us of edge latency", "100 to 500", "absolute latency, message rate per rank";
    receive_overhead_ns = 350, Assumed, "share of the 1.6 us of edge latency", "100 to 600", "absolute latency, message rate per rank";
    doorbell_ns = 0, Derived, "part of send_overhead_ns", "", "nothing";
    bundle_max = 1, Derived, "MPI issues each operation by itself", "", "nothing";
    segment_bytes = 0, Derived, "no kernel on the way", "", "nothing";
    segment_ns = 0, Derived, "no kernel on the way", "", "nothing";
    local_latency_ns = 500, Assumed, "MPI between cores of one node", "200 to 1000", "collectives at several ranks per node";
    copy_rate_mbytes = 8_000, Assumed, "one core copying", "4000 to 16000", "latency of medium messages, collectives at several ranks per node";
});

preset!(
    /// A host under MPI on Cassini-1.
    HostParameters, cassini_1_mpi, cassini_1_mpi_provenance, {
    path = HostPath::Messages, Published, "MPI matches: eager, then rendezvous", "", "latency of medium messages";
    send_overhead_ns = 230, Assumed, "share of the 1.30 us of edge latency", "100 to 500", "absolute latency, message rate per rank";
    receive_overhead_ns = 300, Assumed, "share of the 1.30 us of edge latency", "100 to 600", "absolute latency, message rate per rank";
    doorbell_ns = 0, Derived, "part of send_overhead_ns", "", "nothing";
    bundle_max = 1, Derived, "MPI issues each operation by itself", "", "nothing";
    segment_bytes = 0, Derived, "no kernel on the way", "", "nothing";
    segment_ns = 0, Derived, "no kernel on the way", "", "nothing";
    local_latency_ns = 400, Assumed, "MPI between cores of one node", "200 to 1000", "collectives at several ranks per node";
    copy_rate_mbytes = 10_000, Assumed, "one core copying", "4000 to 16000", "latency of medium messages, collectives at several ranks per node";
});

preset!(
    /// A host under MPI on Cassini-2.
    HostParameters, cassini_2_mpi, cassini_2_mpi_provenance, {
    path = HostPath::Messages, Published, "MPI matches: eager, then rendezvous", "", "latency of medium messages";
    send_overhead_ns = 200, Assumed, "share of the 1.15 us of edge latency", "100 to 500", "absolute latency, message rate per rank";
    receive_overhead_ns = 270, Assumed, "share of the 1.15 us of edge latency", "100 to 600", "absolute latency, message rate per rank";
    doorbell_ns = 0, Derived, "part of send_overhead_ns", "", "nothing";
    bundle_max = 1, Derived, "MPI issues each operation by itself", "", "nothing";
    segment_bytes = 0, Derived, "no kernel on the way", "", "nothing";
    segment_ns = 0, Derived, "no kernel on the way", "", "nothing";
    local_latency_ns = 350, Assumed, "MPI between cores of one node", "200 to 1000", "collectives at several ranks per node";
    copy_rate_mbytes = 12_000, Assumed, "one core copying", "4000 to 20000", "latency of medium messages, collectives at several ranks per node";
});

preset!(
    /// A host under MPI on ConnectX-7: the cores are those of Cassini-2's host.
    HostParameters, connectx_7_mpi, connectx_7_mpi_provenance, {
    path = HostPath::Messages, Published, "MPI matches: eager, then rendezvous", "", "latency of medium messages";
    send_overhead_ns = 200, Assumed, "as Cassini-2's host: the same cores", "100 to 500", "absolute latency, message rate per rank";
    receive_overhead_ns = 270, Assumed, "as Cassini-2's host: the same cores", "100 to 600", "absolute latency, message rate per rank";
    doorbell_ns = 0, Derived, "part of send_overhead_ns", "", "nothing";
    bundle_max = 1, Derived, "MPI issues each operation by itself", "", "nothing";
    segment_bytes = 0, Derived, "no kernel on the way", "", "nothing";
    segment_ns = 0, Derived, "no kernel on the way", "", "nothing";
    local_latency_ns = 350, Assumed, "as Cassini-2's host", "200 to 1000", "collectives at several ranks per node";
    copy_rate_mbytes = 12_000, Assumed, "as Cassini-2's host: one core copying", "4000 to 20000", "latency of medium messages, collectives at several ranks per node";
});

preset!(
    /// A host under MPI on Aries.
    HostParameters, aries_mpi, aries_mpi_provenance, {
    path = HostPath::Messages, Published, "MPI matches: eager, then rendezvous", "", "latency of medium messages";
    send_overhead_ns = 250, Assumed, "share of the 1.2 us of edge latency", "100 to 500", "absolute latency, message rate per rank";
    receive_overhead_ns = 330, Assumed, "share of the 1.2 us of edge latency", "100 to 600", "absolute latency, message rate per rank";
    doorbell_ns = 0, Derived, "part of send_overhead_ns", "", "nothing";
    bundle_max = 1, Derived, "MPI issues each operation by itself", "", "nothing";
    segment_bytes = 0, Derived, "no kernel on the way", "", "nothing";
    segment_ns = 0, Derived, "no kernel on the way", "", "nothing";
    local_latency_ns = 500, Assumed, "MPI between cores of one node", "200 to 1000", "collectives at several ranks per node";
    copy_rate_mbytes = 6_000, Assumed, "one core copying", "3000 to 12000", "latency of medium messages, collectives at several ranks per node";
});

preset!(
    /// A host under verbs on ConnectX-5: `ib_send_lat`.
    HostParameters, connectx_5_verbs, connectx_5_verbs_provenance, {
    path = HostPath::Direct, Published, "verbs move data between registered memory, receives posted beforehand", "", "latency of medium and large messages";
    send_overhead_ns = 100, Assumed, "posting one work request: some 300 cycles", "50 to 200", "absolute latency";
    receive_overhead_ns = 150, Assumed, "polling a completion queue", "50 to 300", "absolute latency";
    doorbell_ns = 0, Derived, "part of send_overhead_ns", "", "nothing";
    bundle_max = 1, Derived, "two-sided messages are issued one by one", "", "nothing";
    segment_bytes = 0, Derived, "no kernel on the way", "", "nothing";
    segment_ns = 0, Derived, "no kernel on the way", "", "nothing";
    local_latency_ns = 500, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 8_000, Assumed, "one core copying", "4000 to 16000", "latency of medium and large messages";
});

preset!(
    /// A host under libfabric (verbs with RxM) on ConnectX-5: `fi_pingpong`.
    HostParameters, connectx_5_libfabric, connectx_5_libfabric_provenance, {
    path = HostPath::Messages, Published, "fi_rxm(7): eager messages through bounce buffers, rendezvous beyond", "", "latency of medium messages";
    send_overhead_ns = 200, Assumed, "between verbs and MPI: MPI adds little over libfabric (SC20 II-F)", "100 to 250", "absolute latency";
    receive_overhead_ns = 300, Assumed, "as send_overhead_ns", "150 to 350", "absolute latency";
    doorbell_ns = 0, Derived, "part of send_overhead_ns", "", "nothing";
    bundle_max = 1, Derived, "two-sided messages are issued one by one", "", "nothing";
    segment_bytes = 0, Derived, "no kernel on the way", "", "nothing";
    segment_ns = 0, Derived, "no kernel on the way", "", "nothing";
    local_latency_ns = 500, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 8_000, Assumed, "one core copying", "4000 to 16000", "latency of medium and large messages";
});

preset!(
    /// A host under UDP sockets on ConnectX-5.
    HostParameters, connectx_5_udp, connectx_5_udp_provenance, {
    path = HostPath::KernelUdp, Published, "sockets", "", "latency at every size";
    send_overhead_ns = 2_000, Assumed, "system call, UDP and IP layers, driver", "1000 to 4000", "latency of small messages";
    receive_overhead_ns = 6_000, Assumed, "interrupt, soft interrupt, wake-up of the receiver, system call", "3000 to 12000", "latency of small messages";
    doorbell_ns = 0, Derived, "the kernel's, part of segment_ns", "", "nothing";
    bundle_max = 1, Derived, "sockets have no one-sided operations", "", "nothing";
    segment_bytes = 65_536, Published, "largest UDP datagram, and largest segment that Linux hands to a NIC that cuts it (64 KiB)", "", "latency of large messages";
    segment_ns = 6_000, Assumed, "IP fragments or offloaded packets of 64 KiB at both ends", "3000 to 15000", "latency of large messages";
    local_latency_ns = 500, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 8_000, Assumed, "one core copying", "4000 to 16000", "latency of medium and large messages";
});

preset!(
    /// A host under TCP sockets on ConnectX-5.
    HostParameters, connectx_5_tcp, connectx_5_tcp_provenance, {
    path = HostPath::Kernel, Published, "sockets", "", "latency at every size";
    send_overhead_ns = 2_500, Assumed, "as UDP, and the connection's state", "1000 to 5000", "latency of small messages";
    receive_overhead_ns = 7_500, Assumed, "as UDP, and acknowledgement and order", "4000 to 15000", "latency of small messages";
    doorbell_ns = 0, Derived, "the kernel's, part of segment_ns", "", "nothing";
    bundle_max = 1, Derived, "sockets have no one-sided operations", "", "nothing";
    segment_bytes = 65_536, Published, "largest UDP datagram, and largest segment that Linux hands to a NIC that cuts it (64 KiB)", "", "latency of large messages";
    segment_ns = 8_000, Assumed, "as UDP, and acknowledgements and window", "3000 to 20000", "latency of large messages";
    local_latency_ns = 500, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 8_000, Assumed, "one core copying", "4000 to 16000", "latency of medium and large messages";
});

preset!(
    /// A host under OpenSHMEM (one-sided libfabric) on Cassini-1, each operation by itself;
    /// `bundle_max` is FI_MORE.
    HostParameters, cassini_1_shmem, cassini_1_shmem_provenance, {
    path = HostPath::Messages, Derived, "as MPI; one-sided operations do not depend on it", "", "nothing";
    send_overhead_ns = 25, Assumed, "writing one command of 32 to 64 bytes: some 80 cycles", "10 to 60", "rate of operations per process";
    receive_overhead_ns = 20, Assumed, "a counter is read for many operations at once", "0 to 100", "rate of gets per process";
    doorbell_ns = 120, Assumed, "a fenced store to the NIC: Slingshot 400 IV-C calls SFENCE expensive and gives no figure", "50 to 300", "rate of operations per process, gain of bundling";
    bundle_max = 1, Derived, "without FI_MORE", "1 to 64", "rate of operations per process";
    segment_bytes = 0, Derived, "no kernel on the way", "", "nothing";
    segment_ns = 0, Derived, "no kernel on the way", "", "nothing";
    local_latency_ns = 400, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 10_000, Assumed, "one core copying", "4000 to 20000", "nothing that is published";
});

preset!(
    /// A host that writes commands of Cassini-1 without libfabric: HPE's CXI diagnostics.
    HostParameters, cassini_1_commands, cassini_1_commands_provenance, {
    path = HostPath::Messages, Derived, "as MPI; one-sided operations do not depend on it", "", "nothing";
    send_overhead_ns = 13, Measured, "calibrated: the CXI diagnostics' sample output has 67.6 million atomic operations a second, for which 12 would be nearer, and 29.3 GB/s of writes of 1 KiB both ways, for which 16 would", "8 to 20", "rate of operations per process";
    receive_overhead_ns = 20, Assumed, "a counter is read for a whole list", "0 to 100", "rate of lists";
    doorbell_ns = 120, Assumed, "a fenced store to the NIC: Slingshot 400 IV-C calls SFENCE expensive and gives no figure", "50 to 300", "rate of lists";
    bundle_max = 256, Published, "shs-libcxi: lists of 256 operations, of 4,096 for atomic ones, with one doorbell", "", "rate of operations per process";
    segment_bytes = 0, Derived, "no kernel on the way", "", "nothing";
    segment_ns = 0, Derived, "no kernel on the way", "", "nothing";
    local_latency_ns = 400, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 10_000, Assumed, "one core copying", "4000 to 20000", "nothing that is published";
});

preset!(
    /// A host under OpenSHMEM (one-sided libfabric) on Cassini-2, each operation by itself;
    /// `bundle_max` is FI_MORE.
    HostParameters, cassini_2_shmem, cassini_2_shmem_provenance, {
    path = HostPath::Messages, Derived, "as MPI; one-sided operations do not depend on it", "", "nothing";
    send_overhead_ns = 25, Assumed, "writing one command of 32 to 64 bytes: some 80 cycles", "10 to 60", "rate of operations per process";
    receive_overhead_ns = 20, Assumed, "a counter is read for many operations at once", "0 to 100", "rate of gets per process";
    doorbell_ns = 120, Assumed, "a fenced store to the NIC: Slingshot 400 IV-C calls SFENCE expensive and gives no figure", "50 to 300", "rate of operations per process, gain of bundling";
    bundle_max = 1, Derived, "without FI_MORE", "1 to 64", "rate of operations per process";
    segment_bytes = 0, Derived, "no kernel on the way", "", "nothing";
    segment_ns = 0, Derived, "no kernel on the way", "", "nothing";
    local_latency_ns = 350, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 12_000, Assumed, "one core copying", "4000 to 20000", "nothing that is published";
});

preset!(
    /// A host under TCP sockets on Cassini-2.
    HostParameters, cassini_2_tcp, cassini_2_tcp_provenance, {
    path = HostPath::Kernel, Published, "sockets", "", "latency at every size";
    send_overhead_ns = 2_000, Assumed, "as ConnectX-5's host, a newer core", "1000 to 5000", "latency of small messages";
    receive_overhead_ns = 6_000, Assumed, "as ConnectX-5's host, a newer core", "3000 to 15000", "latency of small messages";
    doorbell_ns = 0, Derived, "the kernel's, part of segment_ns", "", "nothing";
    bundle_max = 1, Derived, "sockets have no one-sided operations", "", "nothing";
    segment_bytes = 65_536, Published, "largest UDP datagram, and largest segment that Linux hands to a NIC that cuts it (64 KiB)", "", "latency of large messages";
    segment_ns = 4_600, Measured, "Slingshot 400 IV-D: 40 Gb/s of one sending thread; calibrated with that row, at 128 KiB a call", "", "throughput of one thread";
    local_latency_ns = 350, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 12_000, Assumed, "one core copying", "4000 to 20000", "throughput of one thread";
});

preset!(
    /// A host under verbs on Cassini-1: registered memory, receives posted beforehand.
    HostParameters, cassini_1_verbs, cassini_1_verbs_provenance, {
    path = HostPath::Direct, Published, "verbs move data between registered memory, receives posted beforehand", "", "latency of medium and large messages";
    send_overhead_ns = 100, Assumed, "posting one work request: some 300 cycles", "50 to 200", "absolute latency";
    receive_overhead_ns = 150, Assumed, "polling a completion queue", "50 to 300", "absolute latency";
    doorbell_ns = 0, Derived, "part of send_overhead_ns", "", "nothing";
    bundle_max = 1, Derived, "two-sided messages are issued one by one", "", "nothing";
    segment_bytes = 0, Derived, "no kernel on the way", "", "nothing";
    segment_ns = 0, Derived, "no kernel on the way", "", "nothing";
    local_latency_ns = 400, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 10_000, Assumed, "one core copying", "4000 to 20000", "latency of medium and large messages";
});

preset!(
    /// A host under libfabric (its cxi provider) on Cassini-1.
    HostParameters, cassini_1_libfabric, cassini_1_libfabric_provenance, {
    path = HostPath::Messages, Published, "fi_cxi(7): eager messages and rendezvous, which the NIC matches", "", "latency of medium messages";
    send_overhead_ns = 180, Assumed, "below MPI: MPI adds little over libfabric (SC20 II-F)", "80 to 230", "absolute latency";
    receive_overhead_ns = 250, Assumed, "as send_overhead_ns", "80 to 300", "absolute latency";
    doorbell_ns = 0, Derived, "part of send_overhead_ns", "", "nothing";
    bundle_max = 1, Derived, "two-sided messages are issued one by one", "", "nothing";
    segment_bytes = 0, Derived, "no kernel on the way", "", "nothing";
    segment_ns = 0, Derived, "no kernel on the way", "", "nothing";
    local_latency_ns = 400, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 10_000, Assumed, "one core copying", "4000 to 20000", "latency of medium and large messages";
});

preset!(
    /// A host under UDP sockets on Cassini-1.
    HostParameters, cassini_1_udp, cassini_1_udp_provenance, {
    path = HostPath::KernelUdp, Published, "sockets", "", "latency at every size";
    send_overhead_ns = 2_000, Assumed, "as ConnectX-5's host", "1000 to 5000", "latency of small messages";
    receive_overhead_ns = 6_000, Assumed, "as ConnectX-5's host", "3000 to 15000", "latency of small messages";
    doorbell_ns = 0, Derived, "the kernel's, part of segment_ns", "", "nothing";
    bundle_max = 1, Derived, "sockets have no one-sided operations", "", "nothing";
    segment_bytes = 65_536, Published, "largest UDP datagram, and largest segment that Linux hands to a NIC that cuts it (64 KiB)", "", "latency of large messages";
    segment_ns = 6_000, Assumed, "as ConnectX-5's host", "3000 to 20000", "throughput of one thread";
    local_latency_ns = 400, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 10_000, Assumed, "one core copying", "4000 to 20000", "throughput of one thread";
});

preset!(
    /// A host under TCP sockets on Cassini-1.
    HostParameters, cassini_1_tcp, cassini_1_tcp_provenance, {
    path = HostPath::Kernel, Published, "sockets", "", "latency at every size";
    send_overhead_ns = 2_500, Assumed, "as ConnectX-5's host", "1000 to 5000", "latency of small messages";
    receive_overhead_ns = 7_500, Assumed, "as ConnectX-5's host", "3000 to 15000", "latency of small messages";
    doorbell_ns = 0, Derived, "the kernel's, part of segment_ns", "", "nothing";
    bundle_max = 1, Derived, "sockets have no one-sided operations", "", "nothing";
    segment_bytes = 65_536, Published, "largest UDP datagram, and largest segment that Linux hands to a NIC that cuts it (64 KiB)", "", "latency of large messages";
    segment_ns = 8_000, Assumed, "as ConnectX-5's host", "3000 to 20000", "throughput of one thread";
    local_latency_ns = 400, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 10_000, Assumed, "one core copying", "4000 to 20000", "throughput of one thread";
});

preset!(
    /// A host under verbs on Cassini-2: registered memory, receives posted beforehand.
    HostParameters, cassini_2_verbs, cassini_2_verbs_provenance, {
    path = HostPath::Direct, Published, "verbs move data between registered memory, receives posted beforehand", "", "latency of medium and large messages";
    send_overhead_ns = 90, Assumed, "posting one work request: some 300 cycles", "50 to 200", "absolute latency";
    receive_overhead_ns = 130, Assumed, "polling a completion queue", "50 to 300", "absolute latency";
    doorbell_ns = 0, Derived, "part of send_overhead_ns", "", "nothing";
    bundle_max = 1, Derived, "two-sided messages are issued one by one", "", "nothing";
    segment_bytes = 0, Derived, "no kernel on the way", "", "nothing";
    segment_ns = 0, Derived, "no kernel on the way", "", "nothing";
    local_latency_ns = 350, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 12_000, Assumed, "one core copying", "4000 to 20000", "latency of medium and large messages";
});

preset!(
    /// A host under libfabric (its cxi provider) on Cassini-2.
    HostParameters, cassini_2_libfabric, cassini_2_libfabric_provenance, {
    path = HostPath::Messages, Published, "fi_cxi(7): eager messages and rendezvous, which the NIC matches", "", "latency of medium messages";
    send_overhead_ns = 160, Assumed, "below MPI: MPI adds little over libfabric (SC20 II-F)", "80 to 230", "absolute latency";
    receive_overhead_ns = 220, Assumed, "as send_overhead_ns", "80 to 300", "absolute latency";
    doorbell_ns = 0, Derived, "part of send_overhead_ns", "", "nothing";
    bundle_max = 1, Derived, "two-sided messages are issued one by one", "", "nothing";
    segment_bytes = 0, Derived, "no kernel on the way", "", "nothing";
    segment_ns = 0, Derived, "no kernel on the way", "", "nothing";
    local_latency_ns = 350, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 12_000, Assumed, "one core copying", "4000 to 20000", "latency of medium and large messages";
});

preset!(
    /// A host under UDP sockets on Cassini-2.
    HostParameters, cassini_2_udp, cassini_2_udp_provenance, {
    path = HostPath::KernelUdp, Published, "sockets", "", "latency at every size";
    send_overhead_ns = 1_600, Assumed, "as Cassini-2's host under TCP, less the connection: as ConnectX-5's hosts differ", "1000 to 5000", "latency of small messages";
    receive_overhead_ns = 4_800, Assumed, "as Cassini-2's host under TCP, less the connection: as ConnectX-5's hosts differ", "3000 to 15000", "latency of small messages";
    doorbell_ns = 0, Derived, "the kernel's, part of segment_ns", "", "nothing";
    bundle_max = 1, Derived, "sockets have no one-sided operations", "", "nothing";
    segment_bytes = 65_536, Published, "largest UDP datagram, and largest segment that Linux hands to a NIC that cuts it (64 KiB)", "", "latency of large messages";
    segment_ns = 4_600, Assumed, "as Cassini-2's host under TCP", "3000 to 20000", "throughput of one thread";
    local_latency_ns = 350, Assumed, "as under MPI", "200 to 1000", "nothing that is published";
    copy_rate_mbytes = 12_000, Assumed, "one core copying", "4000 to 20000", "throughput of one thread";
});
