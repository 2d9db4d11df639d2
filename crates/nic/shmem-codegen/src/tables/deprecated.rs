//! Names that the standard deprecates, and that programs and suites still use.

use crate::page::{ApiPart, CallPrototype, ManualPage, Selected};
use crate::types::{AMO, AMO_EXTENDED, OLD_ARITHMETIC, OLD_BITWISE, OLD_ORDERED, OLD_SIZES, OLD_WAIT};

const ACTIVE_START: (&str, &str) = ("PE_start", "The first PE of the active set.");
const ACTIVE_STRIDE: (&str, &str) =
    ("logPE_stride", "The logarithm, to the base 2, of the distance from one to the next.");
const ACTIVE_SIZE: (&str, &str) = ("PE_size", "How many PEs the active set has.");
const PSYNC: (&str, &str) = (
    "pSync",
    "A symmetric array of the length of SHMEM_SYNC_SIZE or of the constant for this call, filled with SHMEM_SYNC_VALUE \
     before its first use.",
);

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "start_pes",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.2",
        summary: "start SHMEM",
        calls: &[
            CallPrototype::new(
                "void start_pes(int npes)",
                "(void)npes; philae_shmem_start_pes({what});",
            ),
        ],
        arguments: &[("npes", "Ignored.")],
        description: "As shmem_init. A second call does nothing, and the end of the program finalises.",
        returns: "",
        see: &["shmem_init"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "_my_pe",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.2",
        summary: "the number of this PE",
        calls: &[
            CallPrototype::new(
                "int _my_pe(void)",
                "return shmem_my_pe();",
            ),
        ],
        arguments: &[],
        description: "As shmem_my_pe.",
        returns: "The number.",
        see: &["shmem_my_pe"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "_num_pes",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.2",
        summary: "how many PEs there are",
        calls: &[
            CallPrototype::new(
                "int _num_pes(void)",
                "return shmem_n_pes();",
            ),
        ],
        arguments: &[],
        description: "As shmem_n_pes.",
        returns: "The number.",
        see: &["shmem_n_pes"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmalloc",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.2",
        summary: "the symmetric heap under its old names",
        calls: &[
            CallPrototype::new(
                "void *shmalloc(size_t size)",
                "return philae_shmem_malloc({what}, size, 0);",
            ),
            CallPrototype::new(
                "void shfree(void *ptr)",
                "philae_shmem_free({what}, ptr);",
            ),
            CallPrototype::new(
                "void *shrealloc(void *ptr, size_t size)",
                "return philae_shmem_realloc({what}, ptr, size);",
            ),
            CallPrototype::new(
                "void *shmemalign(size_t alignment, size_t size)",
                "return philae_shmem_align({what}, alignment, size);",
            ),
        ],
        arguments: &[("size", "How many bytes."), ("ptr", "The block."), ("alignment", "The alignment.")],
        description: "shmem_malloc, shmem_free, shmem_realloc and shmem_align.",
        returns: "As those.",
        see: &["shmem_malloc"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_cache",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.3",
        summary: "the caches of old machines",
        calls: &[
            CallPrototype::new(
                "void shmem_clear_cache_inv(void)",
                "",
            ).inlined(),
            CallPrototype::new(
                "void shmem_set_cache_inv(void)",
                "",
            ).inlined(),
            CallPrototype::new(
                "void shmem_clear_cache_line_inv(void *dest)",
                "(void)dest;",
            ).inlined(),
            CallPrototype::new(
                "void shmem_set_cache_line_inv(void *dest)",
                "(void)dest;",
            ).inlined(),
            CallPrototype::new(
                "void shmem_udcflush(void)",
                "",
            ).inlined(),
            CallPrototype::new(
                "void shmem_udcflush_line(void *dest)",
                "(void)dest;",
            ).inlined(),
        ],
        arguments: &[("dest", "Ignored.")],
        description: "They do nothing: caches are coherent here. The standard has removed them in 1.5.",
        returns: "",
        see: &[],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_fetch",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.4",
        summary: "the old name of shmem_atomic_fetch",
        calls: &[
            CallPrototype::new(
                "{T} shmem_{N}_fetch(const {T} *source, int pe)",
                "PHILAE_SHMEM_AMO_FETCHED({what}, {ctx}, {T}, {K}, source, pe)",
            ).types(AMO_EXTENDED).generic("shmem_fetch", Selected::FirstConst).inlined(),
        ],
        arguments: &[],
        description: "As shmem_atomic_fetch, without a form for contexts.",
        returns: "As that.",
        see: &["shmem_atomic_fetch"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_set",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.4",
        summary: "the old name of shmem_atomic_set",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_set({T} *dest, {T} value, int pe)",
                "PHILAE_SHMEM_AMO_STORED({what}, {ctx}, {T}, {K}, dest, value, pe)",
            ).types(AMO_EXTENDED).generic("shmem_set", Selected::First).inlined(),
        ],
        arguments: &[],
        description: "As shmem_atomic_set, without a form for contexts.",
        returns: "",
        see: &["shmem_atomic_set"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_cswap",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.4",
        summary: "the old name of shmem_atomic_compare_swap",
        calls: &[
            CallPrototype::new(
                "{T} shmem_{N}_cswap({T} *dest, {T} cond, {T} value, int pe)",
                "PHILAE_SHMEM_AMO_COMPARED({what}, {ctx}, {T}, {K}, dest, cond, value, pe)",
            ).types(AMO).generic("shmem_cswap", Selected::First).inlined(),
        ],
        arguments: &[],
        description: "As shmem_atomic_compare_swap, without a form for contexts.",
        returns: "As that.",
        see: &["shmem_atomic_compare_swap"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_swap",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.4",
        summary: "the old name of shmem_atomic_swap",
        calls: &[
            CallPrototype::new(
                "{T} shmem_{N}_swap({T} *dest, {T} value, int pe)",
                "PHILAE_SHMEM_AMO_SWAPPED({what}, {ctx}, {T}, {K}, dest, value, pe)",
            ).types(AMO_EXTENDED).generic("shmem_swap", Selected::First).inlined(),
        ],
        arguments: &[],
        description: "As shmem_atomic_swap, without a form for contexts.",
        returns: "As that.",
        see: &["shmem_atomic_swap"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_finc",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.4",
        summary: "the old name of shmem_atomic_fetch_inc",
        calls: &[
            CallPrototype::new(
                "{T} shmem_{N}_finc({T} *dest, int pe)",
                "PHILAE_SHMEM_AMO_FETCH_CHANGED({what}, {ctx}, {T}, {K}, add, ADD, dest, 1, pe)",
            ).types(AMO).generic("shmem_finc", Selected::First).inlined(),
        ],
        arguments: &[],
        description: "As shmem_atomic_fetch_inc, without a form for contexts.",
        returns: "As that.",
        see: &["shmem_atomic_fetch_inc"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_inc",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.4",
        summary: "the old name of shmem_atomic_inc",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_inc({T} *dest, int pe)",
                "PHILAE_SHMEM_AMO_CHANGED({what}, {ctx}, {T}, {K}, add, ADD, dest, 1, pe)",
            ).types(AMO).generic("shmem_inc", Selected::First).inlined(),
        ],
        arguments: &[],
        description: "As shmem_atomic_inc, without a form for contexts.",
        returns: "",
        see: &["shmem_atomic_inc"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_fadd",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.4",
        summary: "the old name of shmem_atomic_fetch_add",
        calls: &[
            CallPrototype::new(
                "{T} shmem_{N}_fadd({T} *dest, {T} value, int pe)",
                "PHILAE_SHMEM_AMO_FETCH_CHANGED({what}, {ctx}, {T}, {K}, add, ADD, dest, value, pe)",
            ).types(AMO).generic("shmem_fadd", Selected::First).inlined(),
        ],
        arguments: &[],
        description: "As shmem_atomic_fetch_add, without a form for contexts.",
        returns: "As that.",
        see: &["shmem_atomic_fetch_add"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_add",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.4",
        summary: "the old name of shmem_atomic_add",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_add({T} *dest, {T} value, int pe)",
                "PHILAE_SHMEM_AMO_CHANGED({what}, {ctx}, {T}, {K}, add, ADD, dest, value, pe)",
            ).types(AMO).generic("shmem_add", Selected::First).inlined(),
        ],
        arguments: &[],
        description: "As shmem_atomic_add, without a form for contexts.",
        returns: "",
        see: &["shmem_atomic_add"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_wait",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.4",
        summary: "wait until a variable is no longer what it was",
        calls: &[
            CallPrototype::new(
                "void shmem_wait(long *ivar, long cmp_value)",
                "PHILAE_SHMEM_WAITED({what}, long, PHILAE_SHMEM_SIGNED(long), ivar, PHILAE_SHMEM_CMP_NE, cmp_value)",
            ),
            CallPrototype::new(
                "void shmem_{N}_wait({T} *ivar, {T} cmp_value)",
                "PHILAE_SHMEM_WAITED({what}, {T}, {K}, ivar, PHILAE_SHMEM_CMP_NE, cmp_value)",
            ).types(OLD_WAIT),
            CallPrototype::new(
                "void shmem_wait_until(long *ivar, int cmp, long cmp_value)",
                "PHILAE_SHMEM_WAITED({what}, long, PHILAE_SHMEM_SIGNED(long), ivar, cmp, cmp_value)",
            ),
        ],
        arguments: &[("ivar", "The variable."), ("cmp", "The comparison."), ("cmp_value", "The value.")],
        description: "shmem_wait is shmem_long_wait_until with SHMEM_CMP_NE. The function shmem_wait_until is shmem_long_wait_until; in C11 the generic name covers it.",
        returns: "",
        see: &["shmem_wait_until"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_barrier",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.5",
        summary: "wait for the PEs of an active set",
        calls: &[
            CallPrototype::new(
                "void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_sync({what}, set, pSync, 1);",
            ),
            CallPrototype::new(
                "void shmem_sync(int PE_start, int logPE_stride, int PE_size, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_sync({what}, set, pSync, 0);",
            ),
        ],
        arguments: &[ACTIVE_START, ACTIVE_STRIDE, ACTIVE_SIZE, PSYNC],
        description: "shmem_barrier makes a quiet on the default context first. Only the PEs of the active set call.",
        returns: "",
        see: &["shmem_team_sync"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_alltoall32",
        group: ApiPart::Deprecated,
        since: "1.3",
        deprecated: "1.5",
        summary: "shmem_alltoall on an active set",
        calls: &[
            CallPrototype::new(
                "void shmem_alltoall{S}(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_alltoall({what}, set, dest, source, nelems, {B}, pSync);",
            ).sizes(OLD_SIZES),
        ],
        arguments: &[("dest", "The symmetric address of the result."), ("source", "The symmetric address of the data."), ("nelems", "How many elements."), ACTIVE_START, ACTIVE_STRIDE, ACTIVE_SIZE, PSYNC],
        description: "As shmem_alltoall, on an active set.",
        returns: "",
        see: &["shmem_alltoall"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_alltoalls32",
        group: ApiPart::Deprecated,
        since: "1.3",
        deprecated: "1.5",
        summary: "shmem_alltoalls on an active set",
        calls: &[
            CallPrototype::new(
                "void shmem_alltoalls{S}(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_alltoalls({what}, set, dest, source, dst, sst, nelems, {B}, pSync);",
            ).sizes(OLD_SIZES),
        ],
        arguments: &[("dest", "The symmetric address of the result."), ("source", "The symmetric address of the data."), ("nelems", "How many elements."), ("dst", "From one element to the next in dest."), ("sst", "The same in source."), ACTIVE_START, ACTIVE_STRIDE, ACTIVE_SIZE, PSYNC],
        description: "As shmem_alltoalls, on an active set.",
        returns: "",
        see: &["shmem_alltoalls"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_broadcast32",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.5",
        summary: "shmem_broadcast on an active set",
        calls: &[
            CallPrototype::new(
                "void shmem_broadcast{S}(void *dest, const void *source, size_t nelems, int PE_root, int PE_start, int logPE_stride, int PE_size, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_broadcast({what}, set, dest, source, nelems, {B}, PE_root, pSync);",
            ).sizes(OLD_SIZES),
        ],
        arguments: &[("dest", "The symmetric address of the result."), ("source", "The symmetric address of the data."), ("nelems", "How many elements."), ("PE_root", "The PE whose source is copied, numbered in the set."), ACTIVE_START, ACTIVE_STRIDE, ACTIVE_SIZE, PSYNC],
        description: "As shmem_broadcast, on an active set; PE_root counts within the set, and its own dest is not written.",
        returns: "",
        see: &["shmem_broadcast"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_collect32",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.5",
        summary: "shmem_collect on an active set",
        calls: &[
            CallPrototype::new(
                "void shmem_collect{S}(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_collect({what}, set, dest, source, nelems, {B}, pSync);",
            ).sizes(OLD_SIZES),
        ],
        arguments: &[("dest", "The symmetric address of the result."), ("source", "The symmetric address of the data."), ("nelems", "How many elements."), ACTIVE_START, ACTIVE_STRIDE, ACTIVE_SIZE, PSYNC],
        description: "As shmem_collect, on an active set.",
        returns: "",
        see: &["shmem_collect"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_fcollect32",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.5",
        summary: "shmem_fcollect on an active set",
        calls: &[
            CallPrototype::new(
                "void shmem_fcollect{S}(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_fcollect({what}, set, dest, source, nelems, {B}, pSync);",
            ).sizes(OLD_SIZES),
        ],
        arguments: &[("dest", "The symmetric address of the result."), ("source", "The symmetric address of the data."), ("nelems", "How many elements."), ACTIVE_START, ACTIVE_STRIDE, ACTIVE_SIZE, PSYNC],
        description: "As shmem_fcollect, on an active set.",
        returns: "",
        see: &["shmem_fcollect"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_and_to_all",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.5",
        summary: "shmem_and_reduce on an active set",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_and_to_all({T} *dest, const {T} *source, int nreduce, int PE_start, int logPE_stride, int PE_size, {T} *pWrk, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce({what}, set, dest, source, (size_t)nreduce, {K}, PHILAE_SHMEM_REDUCE_AND, pSync);",
            ).types(OLD_BITWISE),
        ],
        arguments: &[("dest", "The symmetric address of the result."), ("source", "The symmetric address of the elements."), ("nreduce", "How many elements."), ACTIVE_START, ACTIVE_STRIDE, ACTIVE_SIZE, ("pWrk", "Ignored."), PSYNC],
        description: "As shmem_and_reduce, on an active set.",
        returns: "",
        see: &["shmem_and_reduce"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_or_to_all",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.5",
        summary: "shmem_or_reduce on an active set",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_or_to_all({T} *dest, const {T} *source, int nreduce, int PE_start, int logPE_stride, int PE_size, {T} *pWrk, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce({what}, set, dest, source, (size_t)nreduce, {K}, PHILAE_SHMEM_REDUCE_OR, pSync);",
            ).types(OLD_BITWISE),
        ],
        arguments: &[("dest", "The symmetric address of the result."), ("source", "The symmetric address of the elements."), ("nreduce", "How many elements."), ACTIVE_START, ACTIVE_STRIDE, ACTIVE_SIZE, ("pWrk", "Ignored."), PSYNC],
        description: "As shmem_or_reduce, on an active set.",
        returns: "",
        see: &["shmem_or_reduce"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_xor_to_all",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.5",
        summary: "shmem_xor_reduce on an active set",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_xor_to_all({T} *dest, const {T} *source, int nreduce, int PE_start, int logPE_stride, int PE_size, {T} *pWrk, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce({what}, set, dest, source, (size_t)nreduce, {K}, PHILAE_SHMEM_REDUCE_XOR, pSync);",
            ).types(OLD_BITWISE),
        ],
        arguments: &[("dest", "The symmetric address of the result."), ("source", "The symmetric address of the elements."), ("nreduce", "How many elements."), ACTIVE_START, ACTIVE_STRIDE, ACTIVE_SIZE, ("pWrk", "Ignored."), PSYNC],
        description: "As shmem_xor_reduce, on an active set.",
        returns: "",
        see: &["shmem_xor_reduce"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_max_to_all",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.5",
        summary: "shmem_max_reduce on an active set",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_max_to_all({T} *dest, const {T} *source, int nreduce, int PE_start, int logPE_stride, int PE_size, {T} *pWrk, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce({what}, set, dest, source, (size_t)nreduce, {K}, PHILAE_SHMEM_REDUCE_MAX, pSync);",
            ).types(OLD_ORDERED),
        ],
        arguments: &[("dest", "The symmetric address of the result."), ("source", "The symmetric address of the elements."), ("nreduce", "How many elements."), ACTIVE_START, ACTIVE_STRIDE, ACTIVE_SIZE, ("pWrk", "Ignored."), PSYNC],
        description: "As shmem_max_reduce, on an active set.",
        returns: "",
        see: &["shmem_max_reduce"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_min_to_all",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.5",
        summary: "shmem_min_reduce on an active set",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_min_to_all({T} *dest, const {T} *source, int nreduce, int PE_start, int logPE_stride, int PE_size, {T} *pWrk, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce({what}, set, dest, source, (size_t)nreduce, {K}, PHILAE_SHMEM_REDUCE_MIN, pSync);",
            ).types(OLD_ORDERED),
        ],
        arguments: &[("dest", "The symmetric address of the result."), ("source", "The symmetric address of the elements."), ("nreduce", "How many elements."), ACTIVE_START, ACTIVE_STRIDE, ACTIVE_SIZE, ("pWrk", "Ignored."), PSYNC],
        description: "As shmem_min_reduce, on an active set.",
        returns: "",
        see: &["shmem_min_reduce"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_sum_to_all",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.5",
        summary: "shmem_sum_reduce on an active set",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_sum_to_all({T} *dest, const {T} *source, int nreduce, int PE_start, int logPE_stride, int PE_size, {T} *pWrk, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce({what}, set, dest, source, (size_t)nreduce, {K}, PHILAE_SHMEM_REDUCE_SUM, pSync);",
            ).types(OLD_ARITHMETIC),
        ],
        arguments: &[("dest", "The symmetric address of the result."), ("source", "The symmetric address of the elements."), ("nreduce", "How many elements."), ACTIVE_START, ACTIVE_STRIDE, ACTIVE_SIZE, ("pWrk", "Ignored."), PSYNC],
        description: "As shmem_sum_reduce, on an active set.",
        returns: "",
        see: &["shmem_sum_reduce"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_prod_to_all",
        group: ApiPart::Deprecated,
        since: "1.0",
        deprecated: "1.5",
        summary: "shmem_prod_reduce on an active set",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_prod_to_all({T} *dest, const {T} *source, int nreduce, int PE_start, int logPE_stride, int PE_size, {T} *pWrk, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce({what}, set, dest, source, (size_t)nreduce, {K}, PHILAE_SHMEM_REDUCE_PROD, pSync);",
            ).types(OLD_ARITHMETIC),
        ],
        arguments: &[("dest", "The symmetric address of the result."), ("source", "The symmetric address of the elements."), ("nreduce", "How many elements."), ACTIVE_START, ACTIVE_STRIDE, ACTIVE_SIZE, ("pWrk", "Ignored."), PSYNC],
        description: "As shmem_prod_reduce, on an active set.",
        returns: "",
        see: &["shmem_prod_reduce"],
        ..ManualPage::EMPTY
    },
];
