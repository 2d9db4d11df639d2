//! Signals.

use super::arguments::PE;
use crate::page::{ApiPart, CallPrototype, ManualPage, Selected};
use crate::types::{SIZES, STANDARD};

const SIG_ADDR: (&str, &str) =
    ("sig_addr", "The symmetric address of the signal on the PE; it does not lie within dest.");

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmem_put_signal",
        group: ApiPart::Signals,
        since: "1.5",
        summary: "copy to another PE and tell it",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_put_signal({T} *dest, const {T} *source, size_t nelems, uint64_t *sig_addr, uint64_t \
                 signal, int sig_op, int pe)",
                "philae_shmem_local_put_signal({what}, {ctx}, dest, source, nelems, {B}, sig_addr, signal, sig_op, pe, 0);",
            )
            .types(STANDARD).ctx().generic("shmem_put_signal", Selected::First)
            .inlined(),
            CallPrototype::new(
                "void shmem_put{S}_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t \
                 signal, int sig_op, int pe)",
                "philae_shmem_local_put_signal({what}, {ctx}, dest, source, nelems, {B}, sig_addr, signal, sig_op, pe, 0);",
            )
            .sizes(SIZES).ctx()
            .inlined(),
            CallPrototype::new(
                "void shmem_putmem_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t \
                 signal, int sig_op, int pe)",
                "philae_shmem_local_put_signal({what}, {ctx}, dest, source, nelems, {B}, sig_addr, signal, sig_op, pe, 0);",
            )
            .ctx()
            .inlined(),
        ],
        arguments: &[
            ("dest", "The symmetric address that is written on the PE."),
            ("source", "The local address that is read."),
            ("nelems", "How many elements; bytes for the mem form. With 0 only the signal goes."),
            SIG_ADDR,
            ("signal", "The value that is set or added."),
            ("sig_op", "SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD."),
            PE,
        ],
        description: "When it returns, the source can be used again. The signal changes after the data has arrived: a PE that sees it sees the data. Nothing else is ordered by it.",
        example: "shmem_put_signal(dest, source, n, &arrived, 1, SHMEM_SIGNAL_ADD, pe);\n",
        see: &["shmem_put_signal_nbi", "shmem_signal_wait_until", "shmem_signal_fetch"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_put_signal_nbi",
        group: ApiPart::Signals,
        since: "1.5",
        summary: "begin to copy to another PE and tell it",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_put_signal_nbi({T} *dest, const {T} *source, size_t nelems, uint64_t *sig_addr, uint64_t \
                 signal, int sig_op, int pe)",
                "philae_shmem_local_put_signal({what}, {ctx}, dest, source, nelems, {B}, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI);",
            )
            .types(STANDARD).ctx().generic("shmem_put_signal_nbi", Selected::First)
            .inlined(),
            CallPrototype::new(
                "void shmem_put{S}_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t \
                 signal, int sig_op, int pe)",
                "philae_shmem_local_put_signal({what}, {ctx}, dest, source, nelems, {B}, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI);",
            )
            .sizes(SIZES).ctx()
            .inlined(),
            CallPrototype::new(
                "void shmem_putmem_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t \
                 signal, int sig_op, int pe)",
                "philae_shmem_local_put_signal({what}, {ctx}, dest, source, nelems, {B}, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI);",
            )
            .ctx()
            .inlined(),
        ],
        arguments: &[
            ("dest", "The symmetric address that is written on the PE."),
            ("source", "The local address that is read."),
            ("nelems", "How many elements; bytes for the mem form. With 0 only the signal goes."),
            SIG_ADDR,
            ("signal", "The value that is set or added."),
            ("sig_op", "SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD."),
            PE,
        ],
        description: "It returns immediately; the source must stay as it is until the next shmem_quiet on the context. The signal changes after the data has arrived: a PE that sees it sees the data. Nothing else is ordered by it.",

        see: &["shmem_put_signal", "shmem_signal_wait_until", "shmem_signal_fetch"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_signal_fetch",
        group: ApiPart::Signals,
        since: "1.5",
        summary: "read a signal of this PE",
        calls: &[CallPrototype::new(
            "uint64_t shmem_signal_fetch(const uint64_t *sig_addr)",
            "return philae_shmem_local_signal_fetch(sig_addr);",
        )
        .inlined()],
        arguments: &[("sig_addr", "The local address of the signal.")],
        description: "It reads as one what signals change, without waiting.",
        returns: "The value.",
        see: &["shmem_signal_wait_until"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_signal_set",
        group: ApiPart::Signals,
        since: "1.6",
        summary: "set a signal of another PE",
        calls: &[CallPrototype::new(
            "void shmem_signal_set(uint64_t *sig_addr, uint64_t signal, int pe)",
            "PHILAE_SHMEM_AMO_STORED({what}, {ctx}, uint64_t, PHILAE_SHMEM_U64, sig_addr, signal, pe)",
        )
        .ctx()
        .inlined()],
        arguments: &[SIG_ADDR, ("signal", "The value."), PE],
        description: "The signal of a put with signal, without the put. It may come later than the call; shmem_quiet \
                      completes it. In C11, the form with a context has the same name.",
        see: &["shmem_signal_add", "shmem_put_signal"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_signal_add",
        group: ApiPart::Signals,
        since: "1.6",
        summary: "add to a signal of another PE",
        calls: &[CallPrototype::new(
            "void shmem_signal_add(uint64_t *sig_addr, uint64_t signal, int pe)",
            "PHILAE_SHMEM_AMO_CHANGED({what}, {ctx}, uint64_t, PHILAE_SHMEM_U64, add, ADD, sig_addr, signal, pe)",
        )
        .ctx()
        .inlined()],
        arguments: &[SIG_ADDR, ("signal", "What is added."), PE],
        description: "As shmem_signal_set, with addition.",
        see: &["shmem_signal_set"],
        ..ManualPage::EMPTY
    },
];
