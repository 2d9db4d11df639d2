//! Possible explanations of the existing gaps: one change each, made by `philae validate --causes`.

use crate::cause::Probe;

/// All of them, in the order of the targets.
#[must_use]
pub const fn probes() -> &'static [Probe] {
    PROBES
}

const PROBES: &[Probe] = &[
    Probe {
        row: "placement-latency-16KiB",
        change: ("hardware.nic.eager_max_bytes", "4194304"),
        question: "is it the rendezvous, which crosses the network three times?",
        full: false,
    },
    Probe {
        row: "alltoall-shandy",
        change: ("job.0.workload.algorithm", "pairwise"),
        question: "does another of MPICH's schedules spread the load better?",
        full: false,
    },
    Probe {
        row: "alltoall-256B-dip",
        change: ("hardware.host.send_overhead_ns", "3000"),
        question: "is it the host's cost of a message?",
        full: false,
    },
    Probe {
        row: "alltoall-256B-dip",
        change: ("hardware.nic.match_entry_ns", "100"),
        question: "is it software that goes along its lists, at the end of its range?",
        full: false,
    },
    Probe {
        row: "bisection-shandy",
        change: ("routing.mode", "valiant"),
        question: "does it carry more where every packet takes a nonminimal path?",
        full: false,
    },
    Probe {
        row: "tailbench-aries",
        change: ("job.xapian.workload.service_time", "{ lognormal = { mean = \"250us\", p99 = \"1ms\" } }"),
        question: "is it Xapian's service time, which is assumed to be 1 ms?",
        full: true,
    },
    Probe {
        row: "heatmap-incast-vs-alltoall",
        change: ("congestion.law", "none"),
        question: "is it the congestion management, which removes all impact on victims?",
        full: false,
    },
    Probe {
        row: "allocation-aries",
        change: ("congestion.channel_buffer_bytes", "65536"),
        question: "is it Aries' buffers, which are assumed?",
        full: false,
    },
    Probe {
        row: "class-allreduce-shared",
        change: ("congestion.law", "none"),
        question: "is it the congestion management, which keeps the alltoall from delaying its own class?",
        full: true,
    },
    Probe {
        row: "class-allreduce-shared",
        change: ("job.allreduce.processes_per_node", "32"),
        question: "did each node have many processes of the allreduce?",
        full: false,
    },
    Probe {
        row: "class-fair",
        change: ("job.1.start", "0us"),
        question: "does job 1 come first, so that its ordered flows have chosen their paths before?",
        full: true,
    },
    Probe {
        row: "class-minimum-tc1",
        change: ("hardware.switch.fairness", "input"),
        question: "is it that outputs are fair to flows, of which both jobs have as many?",
        full: false,
    },
    Probe {
        row: "class-minimum-tc2",
        change: ("hardware.nic.ordered", "false"),
        question: "do ordered flows keep their paths, so that some links lack packets of job 1?",
        full: true,
    },
    Probe {
        row: "class-minimum-tc2",
        change: ("hardware.switch.class_window_ns", "40000"),
        question: "is the time too short over which a class may catch up on its share?",
        full: true,
    },
    Probe {
        row: "half-bandwidth-400",
        change: ("hardware.host.receive_overhead_ns", "300"),
        question: "is it the core's time for each message?",
        full: false,
    },
    Probe {
        row: "bisection-alltoall-400",
        change: ("hardware.nic.header_next_bytes", "128"),
        question: "how much of the line rate would have to be overhead?",
        full: false,
    },
    Probe {
        row: "put-rate-1to4-400",
        change: ("hardware.nic.operation_gap_ps", "2150"),
        question: "is it the gap between a NIC's operations, which is not published?",
        full: false,
    },
    Probe {
        row: "get-rate-4to1-400",
        change: ("hardware.nic.operation_gap_ps", "2150"),
        question: "is it the gap between a NIC's operations, which is not published?",
        full: false,
    },
    Probe {
        row: "read-minus-write",
        change: ("hardware.nic.dma_read_ns", "200"),
        question: "is it the PCIe read of the diagnostics' host?",
        full: false,
    },
    Probe {
        row: "shmem-bundling",
        change: ("hardware.host.send_overhead_ns", "60"),
        question: "is it a core's cost of writing a command, at the end of its range?",
        full: false,
    },
    Probe {
        row: "shmem-bundling",
        change: ("hardware.host.doorbell_ns", "50"),
        question: "is it a core's cost of a doorbell, at the beginning of its range?",
        full: false,
    },
    Probe {
        row: "shmem-bundling",
        change: ("job.puts.workload.window", "16"),
        question: "does the published test wait for all operations more often than ours?",
        full: false,
    },
    Probe {
        row: "fftw-crossover",
        change: ("hardware.node.preset", "none"),
        question: "is it the bus between NICs and memory?",
        full: false,
    },
    Probe {
        row: "osu-bibw-16KiB",
        change: ("hardware.node.completion_ns", "500"),
        question: "is it core time for each message that no latency shows?",
        full: false,
    },
    Probe {
        row: "write-bandwidth",
        change: ("hardware.node.pcie_posted_bytes", "5632"),
        question: "is it what the host accepts of writes, which would hold sends back as well?",
        full: false,
    },
    Probe {
        row: "read-bandwidth",
        change: ("hardware.node.pcie_posted_bytes", "5120"),
        question: "is it what the host accepts of writes, which would hold sends back as well?",
        full: false,
    },
    Probe {
        row: "write-both-16KiB",
        change: ("hardware.node.pcie_request_max_bytes", "256"),
        question: "is it the size of reads, which another host may have set?",
        full: false,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments;
    use crate::target::Target;

    #[test]
    fn probes_ask_about_rows_that_are_answered_and_may_not_be_fitted() {
        for probe in probes() {
            assert!(Target::named(probe.row).is_some(), "{} is a row", probe.row);
            let answered = experiments().iter().any(|experiment| experiment.targets().contains(&probe.row));
            assert!(answered, "{} is answered", probe.row);
            assert!(probe.question.ends_with('?'), "{}", probe.question);
        }
    }
}
