//! Extensions of Sandia OpenSHMEM. The standard has since adopted most of these names.

use super::arguments::{PE, TEAM};
use super::strided::{GET_BLOCKS, PUT_BLOCKS};
use crate::page::{ApiPart, CallPrototype, ManualPage, Selected};
use crate::types::{REDUCE_ARITHMETIC, SIZES, STANDARD};

const TARGET: (&str, &str) = ("target", "Where it is written: symmetric in a put.");
const SOURCE: (&str, &str) = ("source", "Where it is read: symmetric in a get.");
const CT: (&str, &str) = ("ct", "The counter, or where it is put.");
const CTX: (&str, &str) = ("ctx", "The context.");
const VALUE: (&str, &str) = ("cntr_value", "Where the number is put.");

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmemx_ibput",
        group: ApiPart::Extensions,
        summary: "Sandia OpenSHMEM's names of shmem_ibput and shmem_ibget",
        calls: &[
            CallPrototype::new(
                "void shmemx_{N}_ibput({T} *dest, const {T} *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)",
                PUT_BLOCKS,
            )
            .types(STANDARD)
            .ctx()
            .generic("shmemx_ibput", Selected::First),
            CallPrototype::new(
                "void shmemx_ibput{S}(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)",
                PUT_BLOCKS,
            )
            .sizes(SIZES)
            .ctx(),
            CallPrototype::new(
                "void shmemx_{N}_ibget({T} *dest, const {T} *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)",
                GET_BLOCKS,
            )
            .types(STANDARD)
            .ctx()
            .generic("shmemx_ibget", Selected::First),
            CallPrototype::new(
                "void shmemx_ibget{S}(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)",
                GET_BLOCKS,
            )
            .sizes(SIZES)
            .ctx(),
        ],
        arguments: &[
            ("dest", "Where it is written: symmetric in a put."),
            SOURCE,
            ("dst", "From the beginning of one block to the next in dest, in elements; at least 1."),
            ("sst", "From the beginning of one block to the next in source, in elements; at least 1."),
            ("bsize", "How many elements a block has."),
            ("nblocks", "How many blocks in all. 0 is allowed."),
            PE,
        ],
        description: "As shmem_ibput and shmem_ibget.",
        see: &["shmem_ibput", "shmem_ibget"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_sum_inscan",
        group: ApiPart::Extensions,
        summary: "Sandia OpenSHMEM's names of shmem_sum_inscan and shmem_sum_exscan",
        calls: &[
            CallPrototype::new(
                "int shmemx_{N}_sum_inscan(shmem_team_t team, {T} *dest, const {T} *source, size_t nelems)",
                "return philae_shmem_scan({what}, team, dest, source, nelems, {K}, PHILAE_SHMEM_REDUCE_SUM, 0);",
            )
            .types(REDUCE_ARITHMETIC)
            .generic("shmemx_sum_inscan", Selected::Second),
            CallPrototype::new(
                "int shmemx_{N}_sum_exscan(shmem_team_t team, {T} *dest, const {T} *source, size_t nelems)",
                "return philae_shmem_scan({what}, team, dest, source, nelems, {K}, PHILAE_SHMEM_REDUCE_SUM, 1);",
            )
            .types(REDUCE_ARITHMETIC)
            .generic("shmemx_sum_exscan", Selected::Second),
        ],
        arguments: &[
            TEAM,
            ("dest", "The symmetric address of the result."),
            ("source", "The symmetric address of the elements."),
            ("nelems", "How many elements."),
        ],
        description: "As shmem_sum_inscan and shmem_sum_exscan.",
        returns: "0, or another value where the team is SHMEM_TEAM_INVALID.",
        see: &["shmem_sum_inscan", "shmem_sum_exscan"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_signal_add",
        group: ApiPart::Extensions,
        summary: "Sandia OpenSHMEM's name of shmem_signal_add",
        calls: &[CallPrototype::new(
            "void shmemx_signal_add(uint64_t *sig_addr, uint64_t signal, int pe)",
            "PHILAE_SHMEM_AMO_CHANGED({what}, {ctx}, uint64_t, PHILAE_SHMEM_U64, add, ADD, sig_addr, signal, pe)",
        )
        .ctx()],
        arguments: &[
            ("sig_addr", "The symmetric address of the signal."),
            ("signal", "What is added."),
            PE,
        ],
        description: "As shmem_signal_add. In C11 and C++ the name without ctx takes a context as its first argument, too.",
        see: &["shmem_signal_add", "shmemx_signal_set"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_ct_create",
        group: ApiPart::Extensions,
        summary: "counters that puts and gets change at their target",
        calls: &[
            CallPrototype::new("void shmemx_ct_create(shmemx_ct_t *ct)", "*ct = (shmemx_ct_t)philae_shmem_calloc({what}, 1, 8);"),
            CallPrototype::new("void shmemx_ct_free(shmemx_ct_t *ct)", "philae_shmem_free({what}, *ct); *ct = 0;"),
            CallPrototype::new("long shmemx_ct_get(shmemx_ct_t ct)", "return __atomic_load_n((long *)(void *)ct, __ATOMIC_ACQUIRE);"),
            CallPrototype::new(
                "void shmemx_ct_set(shmemx_ct_t ct, long value)",
                "__atomic_store_n((long *)(void *)ct, value, __ATOMIC_RELEASE);",
            ),
            CallPrototype::new(
                "void shmemx_ct_wait(shmemx_ct_t ct, long wait_for)",
                "(void)philae_shmem_wait({what}, PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_I64, ct, 1, 0, 0, PHILAE_SHMEM_CMP_GE, &wait_for);",
            ),
            CallPrototype::new(
                "void shmemx_putmem_ct(shmemx_ct_t ct, void *target, const void *source, size_t len, int pe)",
                "philae_shmem_local_put_signal({what}, SHMEM_CTX_DEFAULT, target, source, len, 1, (uint64_t *)(void *)ct, 1, PHILAE_SHMEM_SIGNAL_ADD, pe, 0);",
            ),
            CallPrototype::new(
                "void shmemx_getmem_ct(shmemx_ct_t ct, void *target, const void *source, size_t len, int pe)",
                "const uint64_t philae_one = 1; philae_shmem_local_get({what}, SHMEM_CTX_DEFAULT, target, source, len, 1, pe, 0); philae_shmem_amo({what}, SHMEM_CTX_DEFAULT, PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_U64, ct, &philae_one, 0, 0, pe, 0);",
            ),
        ],
        arguments: &[
            CT,
            ("value", "What it is set to."),
            ("wait_for", "The value that is waited for: this or more."),
            TARGET,
            SOURCE,
            ("len", "How many bytes."),
            PE,
        ],
        description: "shmemx_ct_create makes a symmetric counter of 0 and shmemx_ct_free gives it back: all PEs call both. shmemx_putmem_ct copies to another PE and adds 1 to that PE's counter, which changes after the data has arrived; shmemx_getmem_ct copies from another PE and adds 1 to that PE's counter. shmemx_ct_get, shmemx_ct_set and shmemx_ct_wait concern this PE's own.",
        returns: "shmemx_ct_get: the value.",
        notes: "The names are Sandia OpenSHMEM's.",
        see: &["shmem_put_signal"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_pcntr_get_all",
        group: ApiPart::Extensions,
        summary: "how many operations of a context went through the NIC",
        calls: &[
            CallPrototype::new(
                "void shmemx_pcntr_get_issued_write(shmem_ctx_t ctx, uint64_t *cntr_value)",
                "uint64_t philae_all[4]; philae_shmem_counts({what}, ctx, philae_all); *cntr_value = philae_all[0];",
            ),
            CallPrototype::new(
                "void shmemx_pcntr_get_issued_read(shmem_ctx_t ctx, uint64_t *cntr_value)",
                "uint64_t philae_all[4]; philae_shmem_counts({what}, ctx, philae_all); *cntr_value = philae_all[1];",
            ),
            CallPrototype::new(
                "void shmemx_pcntr_get_completed_write(shmem_ctx_t ctx, uint64_t *cntr_value)",
                "uint64_t philae_all[4]; philae_shmem_counts({what}, ctx, philae_all); *cntr_value = philae_all[2];",
            ),
            CallPrototype::new(
                "void shmemx_pcntr_get_completed_read(shmem_ctx_t ctx, uint64_t *cntr_value)",
                "uint64_t philae_all[4]; philae_shmem_counts({what}, ctx, philae_all); *cntr_value = philae_all[3];",
            ),
            CallPrototype::new("void shmemx_pcntr_get_completed_target(uint64_t *cntr_value)", "*cntr_value = 0;"),
            CallPrototype::new(
                "void shmemx_pcntr_get_all(shmem_ctx_t ctx, shmemx_pcntr_t *pcntr)",
                "uint64_t philae_all[4]; philae_shmem_counts({what}, ctx, philae_all); pcntr->pending_put = philae_all[0]; pcntr->pending_get = philae_all[1]; pcntr->completed_put = philae_all[2]; pcntr->completed_get = philae_all[3]; pcntr->target = 0;",
            ),
        ],
        arguments: &[CTX, VALUE, ("pcntr", "Where the numbers are put.")],
        description: "Issued: operations of the context that this PE has handed to its NIC since the context was made; completed: those of them that have ended. Those that fetch count as reads, all others as writes. What goes to PEs of this host by memory does not count.",
        notes: "The names are Sandia OpenSHMEM's, which calls what was issued pending in shmemx_pcntr_t. What others do to this PE's memory is not counted: the number of a target is 0.",
        see: &["shmem_quiet"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_register_gettid",
        group: ApiPart::Extensions,
        summary: "how threads are told apart",
        calls: &[CallPrototype::new(
            "void shmemx_register_gettid(shmemx_gettid_t gettid_fn)",
            "philae_shmem_register_gettid(gettid_fn);",
        )],
        arguments: &[("gettid_fn", "Gives a number for the thread that calls it; null for the system's number.")],
        description: "A program whose threads are not the system's says how they are told apart. It is called before shmem_init_thread. With SHMEM_DEBUG the numbers tell whether a context that was made with SHMEM_CTX_PRIVATE is used by another thread.",
        notes: "The name is Sandia OpenSHMEM's.",
        see: &["shmem_ctx_create", "shmem_init_thread"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_wtime",
        group: ApiPart::Extensions,
        summary: "the time, and this host's name",
        calls: &[
            CallPrototype::new("double shmemx_wtime(void)", "return philae_shmem_wtime();"),
            CallPrototype::new("char *shmemx_nodename(void)", "return philae_shmem_nodename();"),
        ],
        arguments: &[],
        description: "shmemx_wtime gives seconds since some moment in the past, which is the same for all calls of a PE. shmemx_nodename gives the name of the PE's host, in memory that stays.",
        returns: "Seconds; a string.",
        notes: "The names are Sandia OpenSHMEM's.",
        see: &["shmem_my_pe"],
        ..ManualPage::EMPTY
    },
];
