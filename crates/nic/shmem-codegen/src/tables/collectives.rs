//! Barriers, and collectives that move data.

use super::arguments::TEAM;
use crate::page::{ApiPart, CallPrototype, ManualPage, Selected};
use crate::types::STANDARD;

const DEST: (&str, &str) = ("dest", "The symmetric address of the result. It does not overlap source.");
const SOURCE: (&str, &str) = ("source", "The symmetric address of this PE's data.");
const NOTES: &str = "When it returns, this PE's dest is complete and its source can be used again; other PEs may still be \
                     at it. A team has one collective at a time.";

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmem_barrier_all",
        group: ApiPart::Synchronisation,
        summary: "complete everything and wait for all PEs",
        calls: &[CallPrototype::new("void shmem_barrier_all(void)", "philae_shmem_barrier_all({what});")],
        description: "It makes a quiet on the default context, and returns when all PEs have called it: what any of them \
                      issued on its default context before has then arrived.",
        see: &["shmem_sync_all", "shmem_quiet"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_sync_all",
        group: ApiPart::Synchronisation,
        since: "1.4",
        summary: "wait for all PEs",
        calls: &[CallPrototype::new("void shmem_sync_all(void)", "philae_shmem_sync_all({what});")],
        description: "It returns when all PEs have called it. Ordinary stores that they made before are visible then; puts \
                      and atomics need a quiet.",
        see: &["shmem_barrier_all", "shmem_team_sync"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_team_sync",
        group: ApiPart::Synchronisation,
        since: "1.5",
        summary: "wait for all PEs of a team",
        calls: &[CallPrototype::new("int shmem_team_sync(shmem_team_t team)", "return philae_shmem_team_sync({what}, team);")],
        arguments: &[TEAM],
        description: "As shmem_sync_all, for a team. In C11 and C++ it is shmem_sync(team) too.",
        returns: "0, or another value where the team is SHMEM_TEAM_INVALID.",
        see: &["shmem_sync_all"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_alltoall",
        group: ApiPart::Collectives,
        since: "1.5",
        summary: "exchange a block with every PE of a team",
        calls: &[
            CallPrototype::new(
                "int shmem_{N}_alltoall(shmem_team_t team, {T} *dest, const {T} *source, size_t nelems)",
                "return philae_shmem_alltoall({what}, team, dest, source, nelems, {B});",
            ).types(STANDARD).generic("shmem_alltoall", Selected::Second),
            CallPrototype::new(
                "int shmem_alltoallmem(shmem_team_t team, void *dest, const void *source, size_t nelems)",
                "return philae_shmem_alltoall({what}, team, dest, source, nelems, {B});",
            ),
        ],
        arguments: &[TEAM, DEST, SOURCE, ("nelems", "How many elements a block has; bytes for the mem form. The same on all PEs.")],
        description: "Block j of this PE's source becomes block i of PE j's dest, where i is this PE. Each block has nelems elements; source and dest have one for every PE of the team.",
        returns: "0, or another value where the team is SHMEM_TEAM_INVALID.",
        notes: NOTES,
        see: &["shmem_broadcast", "shmem_fcollect", "shmem_team_sync"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_alltoalls",
        group: ApiPart::Collectives,
        since: "1.5",
        summary: "exchange strided elements with every PE of a team",
        calls: &[
            CallPrototype::new(
                "int shmem_{N}_alltoalls(shmem_team_t team, {T} *dest, const {T} *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)",
                "return philae_shmem_alltoalls({what}, team, dest, source, dst, sst, nelems, {B});",
            ).types(STANDARD).generic("shmem_alltoalls", Selected::Second),
            CallPrototype::new(
                "int shmem_alltoallsmem(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)",
                "return philae_shmem_alltoalls({what}, team, dest, source, dst, sst, nelems, {B});",
            ),
        ],
        arguments: &[TEAM, DEST, SOURCE, ("dst", "From one element to the next in dest, in elements; at least 1."), ("sst", "From one element to the next in source, in elements; at least 1."), ("nelems", "How many elements a block has; bytes for the mem form. The same on all PEs.")],
        description: "As shmem_alltoall, with elements that lie apart: element k of block j begins at (j * nelems + k) * sst in source, and goes to (i * nelems + k) * dst in PE j's dest.",
        returns: "0, or another value where the team is SHMEM_TEAM_INVALID.",
        notes: NOTES,
        see: &["shmem_alltoall", "shmem_broadcast", "shmem_fcollect", "shmem_team_sync"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_broadcast",
        group: ApiPart::Collectives,
        since: "1.5",
        summary: "copy from one PE to all of a team",
        calls: &[
            CallPrototype::new(
                "int shmem_{N}_broadcast(shmem_team_t team, {T} *dest, const {T} *source, size_t nelems, int PE_root)",
                "return philae_shmem_broadcast({what}, team, dest, source, nelems, {B}, PE_root);",
            ).types(STANDARD).generic("shmem_broadcast", Selected::Second),
            CallPrototype::new(
                "int shmem_broadcastmem(shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root)",
                "return philae_shmem_broadcast({what}, team, dest, source, nelems, {B}, PE_root);",
            ),
        ],
        arguments: &[TEAM, DEST, ("source", "The symmetric address of the data, read on PE_root."), ("nelems", "How many elements; bytes for the mem form. The same on all PEs."), ("PE_root", "The PE whose source is copied, numbered in the team.")],
        description: "The source of PE PE_root becomes the dest of every PE of the team, of PE_root too.",
        returns: "0, or another value where the team is SHMEM_TEAM_INVALID.",
        notes: NOTES,
        see: &["shmem_alltoall", "shmem_fcollect", "shmem_team_sync"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_collect",
        group: ApiPart::Collectives,
        since: "1.5",
        summary: "join the data of all PEs of a team, of different sizes",
        calls: &[
            CallPrototype::new(
                "int shmem_{N}_collect(shmem_team_t team, {T} *dest, const {T} *source, size_t nelems)",
                "return philae_shmem_collect({what}, team, dest, source, nelems, {B});",
            ).types(STANDARD).generic("shmem_collect", Selected::Second),
            CallPrototype::new(
                "int shmem_collectmem(shmem_team_t team, void *dest, const void *source, size_t nelems)",
                "return philae_shmem_collect({what}, team, dest, source, nelems, {B});",
            ),
        ],
        arguments: &[TEAM, DEST, SOURCE, ("nelems", "How many elements this PE gives; bytes for the mem form.")],
        description: "The sources of all PEs, in the order of their numbers, make up the dest of every PE. nelems may differ from PE to PE.",
        returns: "0, or another value where the team is SHMEM_TEAM_INVALID.",
        notes: NOTES,
        see: &["shmem_alltoall", "shmem_broadcast", "shmem_fcollect", "shmem_team_sync"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_fcollect",
        group: ApiPart::Collectives,
        since: "1.5",
        summary: "join the data of all PEs of a team, of one size",
        calls: &[
            CallPrototype::new(
                "int shmem_{N}_fcollect(shmem_team_t team, {T} *dest, const {T} *source, size_t nelems)",
                "return philae_shmem_fcollect({what}, team, dest, source, nelems, {B});",
            ).types(STANDARD).generic("shmem_fcollect", Selected::Second),
            CallPrototype::new(
                "int shmem_fcollectmem(shmem_team_t team, void *dest, const void *source, size_t nelems)",
                "return philae_shmem_fcollect({what}, team, dest, source, nelems, {B});",
            ),
        ],
        arguments: &[TEAM, DEST, SOURCE, ("nelems", "How many elements each PE gives; bytes for the mem form.")],
        description: "As shmem_collect, where nelems is the same on all PEs.",
        returns: "0, or another value where the team is SHMEM_TEAM_INVALID.",
        notes: NOTES,
        see: &["shmem_alltoall", "shmem_broadcast", "shmem_team_sync"],
        ..ManualPage::EMPTY
    },
];
