//! Extensions: sessions, completion, threads, 16-bit and handle operations.

use crate::page::{ApiPart, CallPrototype, ManualPage, Selected};
use crate::types::{AMO, SIZES, STANDARD};

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmemx_session_start",
        group: ApiPart::Extensions,
        since: "",
        summary: "sessions with the vendor's hints",
        calls: &[
            CallPrototype::new(
                "void shmemx_session_start(shmem_ctx_t ctx, long options)",
                "philae_shmem_ctx_session_start({what}, ctx, options, 0, 0);",
            ),
            CallPrototype::new(
                "void shmemx_ctx_session_start(shmem_ctx_t ctx, int options)",
                "philae_shmem_ctx_session_start({what}, ctx, options, 0, 0);",
            ),
            CallPrototype::new(
                "void shmemx_session_stop(shmem_ctx_t ctx)",
                "philae_shmem_ctx_session_stop({what}, ctx);",
            ),
            CallPrototype::new(
                "void shmemx_ctx_session_stop(shmem_ctx_t ctx)",
                "philae_shmem_ctx_session_stop({what}, ctx);",
            ),
        ],
        arguments: &[("ctx", "The context."), ("options", "0, or a sum of SHMEM_SESSION_ hints.")],
        description: "The vendor's manual and an earlier talk of its authors spell shmem_ctx_session_start and shmem_ctx_session_stop in these two forms. Hints: SHMEM_SESSION_BUNDLE puts several commands behind one doorbell; SHMEM_SESSION_HRP makes high rate puts, whose responses come from the edge of the fabric and are not ordered; SHMEM_SESSION_STAMO sends atomics that fetch nothing once, so that a lost one is an error and not a retry; SHMEM_SESSION_DC completes when data is delivered, not when it is sent; SHMEM_SESSION_OP_PUT, _OP_AMO, _OP_FAMO and _OP_PWS say which operations come (puts, atomics, fetching atomics, puts with signal); SHMEM_SESSION_NO_CNCR_TACCESS says that nobody else uses the targets of atomics meanwhile, so that those on PEs of one's own host need no NIC; SHMEM_SESSION_UNIFORM_AMO says that all atomics are of one kind, and bundles those that fetch nothing.",
        returns: "",
        notes: "",
        example: "shmemx_session_start(SHMEM_CTX_DEFAULT, SHMEM_SESSION_BUNDLE | SHMEM_SESSION_OP_PUT);\nfor (int i = 0; i < n; i++)\n    shmem_long_put_nbi(&dest[i], &source[i], 1, pe);\nshmemx_session_stop(SHMEM_CTX_DEFAULT);\nshmem_quiet();\n",
        see: &["shmem_ctx_session_start", "shmemx_local_complete"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_local_complete",
        group: ApiPart::Extensions,
        since: "",
        summary: "wait until sources can be used again",
        calls: &[
            CallPrototype::new(
                "void shmemx_local_complete(void)",
                "philae_shmem_local_complete({what}, {ctx});",
            ).ctx(),
        ],
        arguments: &[],
        description: "When it returns, the sources of the nonblocking puts and puts with signal that were issued on the context can be used again. Whether the data has arrived, it does not say: that is what shmem_quiet is for.",
        returns: "",
        notes: "",
        example: "shmem_putmem_nbi(dest, source, n, pe);\nshmemx_local_complete();\nmemset(source, 0, n);\nshmem_quiet();\n",
        see: &["shmem_quiet", "shmem_put_nbi"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_pe_quiet",
        group: ApiPart::Extensions,
        since: "",
        summary: "complete what was issued to one PE",
        calls: &[
            CallPrototype::new(
                "void shmemx_pe_quiet(int pe)",
                "philae_shmem_pe_quiet({what}, SHMEM_CTX_DEFAULT, &pe, 1);",
            ),
        ],
        arguments: &[("pe", "The PE.")],
        description: "As shmem_pe_quiet, for one PE, on the default context.",
        returns: "",
        notes: "",
        example: "",
        see: &["shmem_pe_quiet"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_init_thread",
        group: ApiPart::Extensions,
        since: "",
        summary: "threads under their old names",
        calls: &[
            CallPrototype::new(
                "int shmemx_init_thread(int requested)",
                "int provided = -1; (void)philae_shmem_init({what}, requested, &provided); return provided;",
            ),
            CallPrototype::new(
                "int shmemx_query_thread(void)",
                "return philae_shmem_thread_level({what});",
            ),
        ],
        arguments: &[("requested", "One of SHMEM_THREAD_SINGLE to SHMEM_THREAD_MULTIPLE.")],
        description: "shmemx_init_thread starts SHMEM as shmem_init_thread does; shmemx_query_thread asks as shmem_query_thread does.",
        returns: "The level that is given.",
        notes: "",
        example: "",
        see: &["shmem_init_thread", "shmemx_thread_register"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_thread_register",
        group: ApiPart::Extensions,
        since: "",
        summary: "an endpoint of the NIC for this thread",
        calls: &[
            CallPrototype::new(
                "void shmemx_thread_register(void)",
                "philae_shmem_thread_register({what});",
            ),
            CallPrototype::new(
                "void shmemx_thread_unregister(void)",
                "philae_shmem_thread_unregister({what});",
            ),
            CallPrototype::new(
                "void shmemx_thread_quiet(void)",
                "philae_shmem_thread_quiet({what});",
            ),
            CallPrototype::new(
                "void shmemx_thread_fence(void)",
                "philae_shmem_thread_fence({what});",
            ),
        ],
        arguments: &[],
        description: "With SHMEM_THREAD_MULTIPLE, a thread that registers gets resources of its own for what it issues on the default context; it unregisters before it ends. shmemx_thread_quiet and shmemx_thread_fence concern what this thread has issued on the default context.",
        returns: "",
        notes: "A thread that has not registered uses the default context's resources, and the quiet and fence of the whole PE.",
        example: "",
        see: &["shmem_init_thread", "shmem_quiet"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_short_add",
        group: ApiPart::Extensions,
        since: "",
        summary: "atomics of 16 bits",
        calls: &[
            CallPrototype::new(
                "short shmemx_short_fadd(short *target, short value, int pe)",
                "PHILAE_SHMEM_AMO_FETCH_CHANGED({what}, {ctx}, short, PHILAE_SHMEM_I16, add, ADD, target, value, pe)",
            ),
            CallPrototype::new(
                "void shmemx_short_add(short *target, short value, int pe)",
                "PHILAE_SHMEM_AMO_CHANGED({what}, {ctx}, short, PHILAE_SHMEM_I16, add, ADD, target, value, pe)",
            ),
            CallPrototype::new(
                "short shmemx_short_finc(short *target, int pe)",
                "PHILAE_SHMEM_AMO_FETCH_CHANGED({what}, {ctx}, short, PHILAE_SHMEM_I16, add, ADD, target, 1, pe)",
            ),
            CallPrototype::new(
                "void shmemx_short_inc(short *target, int pe)",
                "PHILAE_SHMEM_AMO_CHANGED({what}, {ctx}, short, PHILAE_SHMEM_I16, add, ADD, target, 1, pe)",
            ),
            CallPrototype::new(
                "short shmemx_short_swap(short *target, short value, int pe)",
                "PHILAE_SHMEM_AMO_SWAPPED({what}, {ctx}, short, PHILAE_SHMEM_I16, target, value, pe)",
            ),
            CallPrototype::new(
                "short shmemx_short_cswap(short *target, short cond, short value, int pe)",
                "PHILAE_SHMEM_AMO_COMPARED({what}, {ctx}, short, PHILAE_SHMEM_I16, target, cond, value, pe)",
            ),
        ],
        arguments: &[("target", "The symmetric address of the value on the PE, aligned."), ("value", "The operand."), ("cond", "The value that is expected."), ("pe", "The PE.")],
        description: "As shmem_atomic_add, shmem_atomic_inc, shmem_atomic_fetch_add, shmem_atomic_fetch_inc, shmem_atomic_swap and shmem_atomic_compare_swap, for short.",
        returns: "What was there before, where there is a result.",
        notes: "Sums that are too large wrap around.",
        example: "",
        see: &["shmem_atomic_add"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_fadd_nb",
        group: ApiPart::Extensions,
        since: "",
        summary: "nonblocking atomics with a handle",
        calls: &[
            CallPrototype::new(
                "void shmemx_{N}_fadd_nb({T} *fetch, {T} *target, {T} value, int pe, void **transfer_handle)",
                "philae_shmem_amo_handle({what}, PHILAE_SHMEM_AMO_ADD, {K}, target, &value, 0, fetch, pe, transfer_handle);",
            ).types(AMO).generic("shmemx_fadd_nb", Selected::First),
            CallPrototype::new(
                "void shmemx_{N}_finc_nb({T} *fetch, {T} *target, int pe, void **transfer_handle)",
                "const {T} philae_one = 1; philae_shmem_amo_handle({what}, PHILAE_SHMEM_AMO_ADD, {K}, target, &philae_one, 0, fetch, pe, transfer_handle);",
            ).types(AMO).generic("shmemx_finc_nb", Selected::First),
            CallPrototype::new(
                "void shmemx_{N}_swap_nb({T} *fetch, {T} *target, {T} value, int pe, void **transfer_handle)",
                "philae_shmem_amo_handle({what}, PHILAE_SHMEM_AMO_SET, {K}, target, &value, 0, fetch, pe, transfer_handle);",
            ).types(AMO).generic("shmemx_swap_nb", Selected::First),
            CallPrototype::new(
                "void shmemx_{N}_cswap_nb({T} *fetch, {T} *target, {T} cond, {T} value, int pe, void **transfer_handle)",
                "philae_shmem_amo_handle({what}, PHILAE_SHMEM_AMO_COMPARE_SWAP, {K}, target, &value, &cond, fetch, pe, transfer_handle);",
            ).types(AMO).generic("shmemx_cswap_nb", Selected::First),
            CallPrototype::new(
                "void shmemx_{N}_add_nb({T} *target, {T} value, int pe, void **transfer_handle)",
                "philae_shmem_amo_handle({what}, PHILAE_SHMEM_AMO_ADD, {K}, target, &value, 0, 0, pe, transfer_handle);",
            ).types(AMO).generic("shmemx_add_nb", Selected::First),
            CallPrototype::new(
                "void shmemx_{N}_inc_nb({T} *target, int pe, void **transfer_handle)",
                "const {T} philae_one = 1; philae_shmem_amo_handle({what}, PHILAE_SHMEM_AMO_ADD, {K}, target, &philae_one, 0, 0, pe, transfer_handle);",
            ).types(AMO).generic("shmemx_inc_nb", Selected::First),
        ],
        arguments: &[("fetch", "The local address where the old value is put."), ("target", "The symmetric address of the value on the PE."), ("cond", "The value that is expected."), ("value", "The operand."), ("pe", "The PE."), ("transfer_handle", "Where the handle is put: null where the operation is complete already. If it is itself null, there is no handle.")],
        description: "They begin the atomic operation and return. It is complete, and what was there before is in fetch, when shmemx_wait_nb has returned or shmemx_test_nb has returned 1 for its handle, or after the next shmem_quiet or shmem_pe_quiet of the default context, whichever is first.",
        returns: "",
        notes: "The vendor's manual has the handle, and no call that takes it. A handle is a number, not an address: one of an operation that is complete may be kept, asked for again and given up.",
        example: "",
        see: &["shmem_atomic_fetch_add_nbi", "shmemx_wait_nb"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_wait_nb",
        group: ApiPart::Extensions,
        since: "",
        summary: "the end of one nonblocking operation",
        calls: &[
            CallPrototype::new(
                "void shmemx_wait_nb(void **transfer_handle)",
                "philae_shmem_handle_wait({what}, transfer_handle);",
            ),
            CallPrototype::new(
                "int shmemx_test_nb(void **transfer_handle)",
                "return philae_shmem_handle_test({what}, transfer_handle);",
            ),
        ],
        arguments: &[("transfer_handle", "What shmemx_fadd_nb and its kin have put there.")],
        description: "shmemx_wait_nb returns when the operation of the handle is complete, whatever else is in flight; shmemx_test_nb does not wait. Both set the handle to null when the operation is complete; a null handle is complete.",
        returns: "shmemx_test_nb: 1 where the operation is complete, else 0.",
        notes: "Ours: the vendor's manual has no such calls.",
        example: "",
        see: &["shmemx_fadd_nb", "shmem_quiet"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_put_nb",
        group: ApiPart::Extensions,
        since: "",
        summary: "the vendor's name of shmem_put_nbi",
        calls: &[
            CallPrototype::new(
                "void shmemx_{N}_put_nb({T} *dest, const {T} *source, size_t nelems, int pe)",
                "philae_shmem_local_put({what}, {ctx}, dest, source, nelems, {B}, pe, PHILAE_SHMEM_NBI);",
            ).types(STANDARD).ctx().generic("shmemx_put_nb", Selected::First),
            CallPrototype::new(
                "void shmemx_put{S}_nb(void *dest, const void *source, size_t nelems, int pe)",
                "philae_shmem_local_put({what}, {ctx}, dest, source, nelems, {B}, pe, PHILAE_SHMEM_NBI);",
            ).sizes(SIZES).ctx(),
            CallPrototype::new(
                "void shmemx_putmem_nb(void *dest, const void *source, size_t nelems, int pe)",
                "philae_shmem_local_put({what}, {ctx}, dest, source, nelems, {B}, pe, PHILAE_SHMEM_NBI);",
            ).ctx(),
        ],
        arguments: &[("dest", "Where it is written."), ("source", "Where it is read."), ("nelems", "How many elements; bytes for the mem form."), ("pe", "The PE.")],
        description: "As shmem_put_nbi.",
        returns: "",
        notes: "",
        example: "",
        see: &["shmem_put_nbi"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_get_nb",
        group: ApiPart::Extensions,
        since: "",
        summary: "the vendor's name of shmem_get_nbi",
        calls: &[
            CallPrototype::new(
                "void shmemx_{N}_get_nb({T} *dest, const {T} *source, size_t nelems, int pe)",
                "philae_shmem_local_get({what}, {ctx}, dest, source, nelems, {B}, pe, PHILAE_SHMEM_NBI);",
            ).types(STANDARD).ctx().generic("shmemx_get_nb", Selected::First),
            CallPrototype::new(
                "void shmemx_get{S}_nb(void *dest, const void *source, size_t nelems, int pe)",
                "philae_shmem_local_get({what}, {ctx}, dest, source, nelems, {B}, pe, PHILAE_SHMEM_NBI);",
            ).sizes(SIZES).ctx(),
            CallPrototype::new(
                "void shmemx_getmem_nb(void *dest, const void *source, size_t nelems, int pe)",
                "philae_shmem_local_get({what}, {ctx}, dest, source, nelems, {B}, pe, PHILAE_SHMEM_NBI);",
            ).ctx(),
        ],
        arguments: &[("dest", "Where it is written."), ("source", "Where it is read."), ("nelems", "How many elements; bytes for the mem form."), ("pe", "The PE.")],
        description: "As shmem_get_nbi.",
        returns: "",
        notes: "",
        example: "",
        see: &["shmem_get_nbi"],
        ..ManualPage::EMPTY
    },
];
