//! Fence and quiet; locks.

use crate::page::{ApiPart, CallPrototype, ManualPage};

const LOCK: &[(&str, &str)] =
    &[("lock", "The symmetric address of the lock: a long that all PEs have set to 0 before its first use.")];

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmem_fence",
        group: ApiPart::Ordering,
        summary: "keep operations to a PE in order",
        calls: &[CallPrototype::new("void shmem_fence(void)", "philae_shmem_local_fence({what}, {ctx});")
            .ctx()
            .inlined()],
        description: "Puts, atomics and signals that this PE issued before on the context arrive at each PE before those \
                      that it issues after. Different contexts, and different PEs, are not ordered against each other.",
        example: "shmem_putmem(data, source, n, pe);\nshmem_fence();\nshmem_p(&ready, 1, pe);\n",
        see: &["shmem_quiet", "shmem_put_signal"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_quiet",
        group: ApiPart::Ordering,
        summary: "complete what was issued",
        calls: &[CallPrototype::new("void shmem_quiet(void)", "philae_shmem_local_quiet({what}, {ctx});")
            .ctx()
            .inlined()],
        description: "When it returns, everything that this PE issued on the context has arrived and can be seen by all \
                      PEs, and what nonblocking calls fetch is there.",
        see: &["shmem_fence", "shmem_pe_quiet", "shmemx_local_complete"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_pe_quiet",
        group: ApiPart::Ordering,
        since: "1.6",
        summary: "complete what was issued to some PEs",
        calls: &[CallPrototype::new(
            "void shmem_pe_quiet(const int *target_pes, size_t npes)",
            "philae_shmem_pe_quiet({what}, {ctx}, target_pes, npes);",
        )
        .ctx()],
        arguments: &[
            ("target_pes", "The PEs, numbered in the team of the context; each at most once."),
            ("npes", "How many. With 0 it does nothing."),
        ],
        description: "As shmem_quiet, for what went to these PEs; operations to others may continue.",
        notes: "The first call on a context waits for operations to all PEs. From then on those of the context are counted by PE, each with an entry in its completion queue.",
        see: &["shmem_quiet"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_set_lock",
        group: ApiPart::Locks,
        summary: "take a lock",
        calls: &[CallPrototype::new("void shmem_set_lock(long *lock)", "philae_shmem_set_lock({what}, lock);")],
        arguments: LOCK,
        description: "It waits until no other PE holds the lock, and then holds it. The lock stands for the object on all PEs: taking it here is taking it everywhere.",
        notes: "A PE that holds the lock and takes it again waits for itself.",
        example: "static long lock;\nshmem_set_lock(&lock);\nlong n = shmem_long_g(&total, 0);\nshmem_long_p(&total, n + 1, \
                  0);\nshmem_clear_lock(&lock);\n",
        see: &["shmem_test_lock", "shmem_clear_lock"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_clear_lock",
        group: ApiPart::Locks,
        summary: "give a lock back",
        calls: &[CallPrototype::new("void shmem_clear_lock(long *lock)", "philae_shmem_clear_lock({what}, lock);")],
        arguments: LOCK,
        description: "It completes what this PE has issued on the default context, and lets the next PE have the lock.",
        see: &["shmem_set_lock"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_test_lock",
        group: ApiPart::Locks,
        summary: "take a lock if it is free",
        calls: &[CallPrototype::new("int shmem_test_lock(long *lock)", "return philae_shmem_test_lock({what}, lock);")],
        arguments: LOCK,
        description: "It does not wait.",
        returns: "0 where this PE holds the lock now, 1 where another does.",
        see: &["shmem_set_lock"],
        ..ManualPage::EMPTY
    },
];
