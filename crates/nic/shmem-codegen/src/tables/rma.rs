//! Put and get.

use super::arguments::PE;
use crate::page::{ApiPart, CallPrototype, ManualPage, Selected};
use crate::types::{SIZES, STANDARD};

const PUT_ARGUMENTS: &[(&str, &str)] = &[
    ("dest", "The symmetric address that is written on the PE."),
    ("source", "The local address that is read; it need not be symmetric."),
    ("nelems", "How many elements; bytes for the form that ends with mem. 0 is allowed, with any address."),
    PE,
];
const GET_ARGUMENTS: &[(&str, &str)] = &[
    ("dest", "The local address that is written; it need not be symmetric."),
    ("source", "The symmetric address that is read on the PE."),
    ("nelems", "How many elements; bytes for the form that ends with mem. 0 is allowed, with any address."),
    PE,
];

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmem_put",
        group: ApiPart::Rma,
        summary: "copy to another PE",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_put({T} *dest, const {T} *source, size_t nelems, int pe)",
                "philae_shmem_local_put({what}, {ctx}, dest, source, nelems, {B}, pe, 0);",
            )
            .types(STANDARD)
            .ctx()
            .generic("shmem_put", Selected::First)
            .inlined(),
            CallPrototype::new(
                "void shmem_put{S}(void *dest, const void *source, size_t nelems, int pe)",
                "philae_shmem_local_put({what}, {ctx}, dest, source, nelems, {B}, pe, 0);",
            )
            .sizes(SIZES)
            .ctx()
            .inlined(),
            CallPrototype::new(
                "void shmem_putmem(void *dest, const void *source, size_t nelems, int pe)",
                "philae_shmem_local_put({what}, {ctx}, dest, source, nelems, {B}, pe, 0);",
            )
            .ctx()
            .inlined(),
        ],
        arguments: PUT_ARGUMENTS,
        description: "When it returns, the source can be used again. The data has arrived after the next shmem_quiet or \
                      barrier; shmem_fence keeps two puts to one PE in order.",
        notes: "On a PE of the same host it is a copy in memory, done when the call returns; a program must not count on \
                that.",
        example: "static long dest[2];\nlong source[2] = {1, 2};\nif (shmem_my_pe() == 0)\n    shmem_long_put(dest, source, \
                  2, 1);\nshmem_barrier_all();\n",
        see: &["shmem_put_nbi", "shmem_p", "shmem_iput", "shmem_quiet"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_p",
        group: ApiPart::Rma,
        summary: "put one value",
        calls: &[CallPrototype::new(
            "void shmem_{N}_p({T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_P({what}, {ctx}, {T}, dest, value, pe)",
        )
        .types(STANDARD)
        .ctx()
        .generic("shmem_p", Selected::First)
        .inlined()],
        arguments: &[("dest", "The symmetric address that is written on the PE."), ("value", "The value."), PE],
        description: "As shmem_put of one element, with the value itself as the argument.",
        example: "static int flag;\nshmem_p(&flag, 1, 1);\n",
        see: &["shmem_g", "shmem_put", "shmem_atomic_set"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_get",
        group: ApiPart::Rma,
        summary: "copy from another PE",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_get({T} *dest, const {T} *source, size_t nelems, int pe)",
                "philae_shmem_local_get({what}, {ctx}, dest, source, nelems, {B}, pe, 0);",
            )
            .types(STANDARD)
            .ctx()
            .generic("shmem_get", Selected::First)
            .inlined(),
            CallPrototype::new(
                "void shmem_get{S}(void *dest, const void *source, size_t nelems, int pe)",
                "philae_shmem_local_get({what}, {ctx}, dest, source, nelems, {B}, pe, 0);",
            )
            .sizes(SIZES)
            .ctx()
            .inlined(),
            CallPrototype::new(
                "void shmem_getmem(void *dest, const void *source, size_t nelems, int pe)",
                "philae_shmem_local_get({what}, {ctx}, dest, source, nelems, {B}, pe, 0);",
            )
            .ctx()
            .inlined(),
        ],
        arguments: GET_ARGUMENTS,
        description: "When it returns, the data is there.",
        see: &["shmem_get_nbi", "shmem_g", "shmem_iget"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_g",
        group: ApiPart::Rma,
        summary: "get one value",
        calls: &[CallPrototype::new(
            "{T} shmem_{N}_g(const {T} *source, int pe)",
            "PHILAE_SHMEM_G({what}, {ctx}, {T}, source, pe)",
        )
        .types(STANDARD)
        .ctx()
        .generic("shmem_g", Selected::FirstConst)
        .inlined()],
        arguments: &[("source", "The symmetric address that is read on the PE."), PE],
        description: "As shmem_get of one element, with the value as the result.",
        returns: "The value.",
        see: &["shmem_p", "shmem_get", "shmem_atomic_fetch"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_put_nbi",
        group: ApiPart::RmaNonblocking,
        since: "1.3",
        summary: "begin to copy to another PE",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_put_nbi({T} *dest, const {T} *source, size_t nelems, int pe)",
                "philae_shmem_local_put({what}, {ctx}, dest, source, nelems, {B}, pe, PHILAE_SHMEM_NBI);",
            )
            .types(STANDARD)
            .ctx()
            .generic("shmem_put_nbi", Selected::First)
            .inlined(),
            CallPrototype::new(
                "void shmem_put{S}_nbi(void *dest, const void *source, size_t nelems, int pe)",
                "philae_shmem_local_put({what}, {ctx}, dest, source, nelems, {B}, pe, PHILAE_SHMEM_NBI);",
            )
            .sizes(SIZES)
            .ctx()
            .inlined(),
            CallPrototype::new(
                "void shmem_putmem_nbi(void *dest, const void *source, size_t nelems, int pe)",
                "philae_shmem_local_put({what}, {ctx}, dest, source, nelems, {B}, pe, PHILAE_SHMEM_NBI);",
            )
            .ctx()
            .inlined(),
        ],
        arguments: PUT_ARGUMENTS,
        description: "It returns immediately. The source must stay as it is until the next shmem_quiet on the context, after \
                      which the data has arrived.",
        example: "for (int pe = 0; pe < shmem_n_pes(); pe++)\n    shmem_putmem_nbi(dest, source, 4096, pe);\nshmem_quiet();\n",
        see: &["shmem_put", "shmem_quiet", "shmemx_local_complete"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_get_nbi",
        group: ApiPart::RmaNonblocking,
        since: "1.3",
        summary: "begin to copy from another PE",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_get_nbi({T} *dest, const {T} *source, size_t nelems, int pe)",
                "philae_shmem_local_get({what}, {ctx}, dest, source, nelems, {B}, pe, PHILAE_SHMEM_NBI);",
            )
            .types(STANDARD)
            .ctx()
            .generic("shmem_get_nbi", Selected::First)
            .inlined(),
            CallPrototype::new(
                "void shmem_get{S}_nbi(void *dest, const void *source, size_t nelems, int pe)",
                "philae_shmem_local_get({what}, {ctx}, dest, source, nelems, {B}, pe, PHILAE_SHMEM_NBI);",
            )
            .sizes(SIZES)
            .ctx()
            .inlined(),
            CallPrototype::new(
                "void shmem_getmem_nbi(void *dest, const void *source, size_t nelems, int pe)",
                "philae_shmem_local_get({what}, {ctx}, dest, source, nelems, {B}, pe, PHILAE_SHMEM_NBI);",
            )
            .ctx()
            .inlined(),
        ],
        arguments: GET_ARGUMENTS,
        description: "It returns immediately. The data is there after the next shmem_quiet on the context.",
        see: &["shmem_get", "shmem_quiet"],
        ..ManualPage::EMPTY
    },
];
