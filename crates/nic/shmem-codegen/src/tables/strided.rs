//! Strided put and get.

use super::arguments::PE;
use crate::page::{ApiPart, CallPrototype, ManualPage, Selected};
use crate::types::{SIZES, STANDARD};

const DST: (&str, &str) = ("dst", "From the beginning of one to the next in dest, in elements; at least 1.");
const SST: (&str, &str) = ("sst", "From the beginning of one to the next in source, in elements; at least 1.");
const BSIZE: (&str, &str) = ("bsize", "How many elements a block has.");

/// The effect of a put of blocks, under its standard and its earlier names.
pub(super) const PUT_BLOCKS: &str =
    "philae_shmem_local_put_strided({what}, {ctx}, dest, source, dst, sst, bsize, nblocks, {B}, pe);";
/// The effect of a get of blocks, likewise.
pub(super) const GET_BLOCKS: &str =
    "philae_shmem_local_get_strided({what}, {ctx}, dest, source, dst, sst, bsize, nblocks, {B}, pe);";

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmem_iput",
        group: ApiPart::RmaStrided,

        summary: "copy elements that lie apart to another PE",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_iput({T} *dest, const {T} *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int \
                 pe)",
                "philae_shmem_local_put_strided({what}, {ctx}, dest, source, dst, sst, 1, nelems, {B}, pe);",
            )
            .types(STANDARD)
            .ctx()
            .generic("shmem_iput", Selected::First)
            .inlined(),
            CallPrototype::new(
                "void shmem_iput{S}(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)",
                "philae_shmem_local_put_strided({what}, {ctx}, dest, source, dst, sst, 1, nelems, {B}, pe);",
            )
            .sizes(SIZES)
            .ctx()
            .inlined(),
        ],
        arguments: &[
            ("dest", "The symmetric address of the first element written on the PE."),
            ("source", "The local address of the first element read."),
            DST,
            SST,

            ("nelems", "How many elements in all. 0 is allowed."),
            PE,
        ],
        description: "When it returns, the source can be used again; the data has arrived after the next shmem_quiet or barrier.",
        see: &["shmem_ibput", "shmem_put"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_iget",
        group: ApiPart::RmaStrided,

        summary: "copy elements that lie apart from another PE",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_iget({T} *dest, const {T} *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int \
                 pe)",
                "philae_shmem_local_get_strided({what}, {ctx}, dest, source, dst, sst, 1, nelems, {B}, pe);",
            )
            .types(STANDARD)
            .ctx()
            .generic("shmem_iget", Selected::First)
            .inlined(),
            CallPrototype::new(
                "void shmem_iget{S}(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)",
                "philae_shmem_local_get_strided({what}, {ctx}, dest, source, dst, sst, 1, nelems, {B}, pe);",
            )
            .sizes(SIZES)
            .ctx()
            .inlined(),
        ],
        arguments: &[
            ("dest", "The local address of the first element written."),
            ("source", "The symmetric address of the first element read on the PE."),
            DST,
            SST,

            ("nelems", "How many elements in all. 0 is allowed."),
            PE,
        ],
        description: "When it returns, the data is there.",
        see: &["shmem_ibget", "shmem_get"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_ibput",
        group: ApiPart::RmaStrided,
        since: "1.6",
        summary: "copy blocks that lie apart to another PE",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_ibput({T} *dest, const {T} *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int \
                 pe)",
                PUT_BLOCKS,
            )
            .types(STANDARD)
            .ctx()
            .generic("shmem_ibput", Selected::First)
            .inlined(),
            CallPrototype::new(
                "void shmem_ibput{S}(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)",
                PUT_BLOCKS,
            )
            .sizes(SIZES)
            .ctx()
            .inlined(),
        ],
        arguments: &[
            ("dest", "The symmetric address of the first element written on the PE."),
            ("source", "The local address of the first element read."),
            DST,
            SST,
            BSIZE,
            ("nblocks", "How many blocks in all. 0 is allowed."),
            PE,
        ],
        description: "When it returns, the source can be used again; the data has arrived after the next shmem_quiet or barrier.",
        see: &["shmem_iput", "shmem_put"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_ibget",
        group: ApiPart::RmaStrided,
        since: "1.6",
        summary: "copy blocks that lie apart from another PE",
        calls: &[
            CallPrototype::new(
                "void shmem_{N}_ibget({T} *dest, const {T} *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int \
                 pe)",
                GET_BLOCKS,
            )
            .types(STANDARD)
            .ctx()
            .generic("shmem_ibget", Selected::First)
            .inlined(),
            CallPrototype::new(
                "void shmem_ibget{S}(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)",
                GET_BLOCKS,
            )
            .sizes(SIZES)
            .ctx()
            .inlined(),
        ],
        arguments: &[
            ("dest", "The local address of the first element written."),
            ("source", "The symmetric address of the first element read on the PE."),
            DST,
            SST,
            BSIZE,
            ("nblocks", "How many blocks in all. 0 is allowed."),
            PE,
        ],
        description: "When it returns, the data is there.",
        see: &["shmem_iget", "shmem_get"],
        ..ManualPage::EMPTY
    },
];
