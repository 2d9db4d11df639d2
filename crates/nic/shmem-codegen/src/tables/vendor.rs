//! Extensions: the vendor's earlier signals, alltoallv and teams.

use crate::page::{ApiPart, CallPrototype, ManualPage};
use crate::types::{OLD_ARITHMETIC, OLD_BITWISE, OLD_ORDERED, SIZES, VENDOR_SIGNAL};

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmemx_put_signal",
        group: ApiPart::Extensions,
        since: "",
        summary: "copy to another PE and set a signal there",
        calls: &[
            CallPrototype::new(
                "void shmemx_{N}_put_signal({T} *target, const {T} *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)",
                "philae_shmem_local_put_signal({what}, {ctx}, target, source, len, {B}, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0);",
            ).types(VENDOR_SIGNAL),
            CallPrototype::new(
                "void shmemx_put{S}_signal(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)",
                "philae_shmem_local_put_signal({what}, {ctx}, target, source, len, {B}, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0);",
            ).sizes(SIZES),
            CallPrototype::new(
                "void shmemx_putmem_signal(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)",
                "philae_shmem_local_put_signal({what}, {ctx}, target, source, len, {B}, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0);",
            ),
        ],
        arguments: &[("target", "The symmetric address that is written on the PE."), ("source", "The local address that is read."), ("len", "How many elements; bytes for the mem form."), ("sig_addr", "The symmetric address of the signal."), ("signal", "Its value."), ("pe", "The PE.")],
        description: "As shmem_put_signal with SHMEM_SIGNAL_SET.",
        returns: "",
        notes: "",
        example: "",
        see: &["shmem_put_signal"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_put_signal_nb",
        group: ApiPart::Extensions,
        since: "",
        summary: "begin to copy to another PE and set a signal there",
        calls: &[
            CallPrototype::new(
                "void shmemx_{N}_put_signal_nb({T} *target, const {T} *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)",
                "philae_shmem_local_put_signal({what}, {ctx}, target, source, len, {B}, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI);",
            ).types(VENDOR_SIGNAL),
            CallPrototype::new(
                "void shmemx_put{S}_signal_nb(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)",
                "philae_shmem_local_put_signal({what}, {ctx}, target, source, len, {B}, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI);",
            ).sizes(SIZES),
            CallPrototype::new(
                "void shmemx_putmem_signal_nb(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)",
                "philae_shmem_local_put_signal({what}, {ctx}, target, source, len, {B}, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI);",
            ),
        ],
        arguments: &[("target", "The symmetric address that is written on the PE."), ("source", "The local address that is read."), ("len", "How many elements; bytes for the mem form."), ("sig_addr", "The symmetric address of the signal."), ("signal", "Its value."), ("pe", "The PE.")],
        description: "As shmem_put_signal_nbi with SHMEM_SIGNAL_SET.",
        returns: "",
        notes: "",
        example: "",
        see: &["shmem_put_signal_nbi"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_signal_set",
        group: ApiPart::Extensions,
        since: "",
        summary: "the vendor's name of shmem_signal_set",
        calls: &[
            CallPrototype::new(
                "void shmemx_signal_set(uint64_t *sig_addr, uint64_t signal, int pe)",
                "PHILAE_SHMEM_AMO_STORED({what}, {ctx}, uint64_t, PHILAE_SHMEM_U64, sig_addr, signal, pe)",
            ).ctx(),
        ],
        arguments: &[("sig_addr", "The symmetric address of the signal."), ("signal", "Its value."), ("pe", "The PE.")],
        description: "As shmem_signal_set. In C11 and C++ the name without ctx takes a context as its first argument, too.",
        returns: "",
        notes: "",
        example: "",
        see: &["shmem_signal_set"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_alltoallv",
        group: ApiPart::Extensions,
        since: "",
        summary: "exchange blocks of different sizes with every PE",
        calls: &[
            CallPrototype::new(
                "void shmemx_alltoallv(void *target, size_t *t_offsets, size_t *t_sizes, const void *source, size_t *s_offsets, size_t *s_sizes, int PE_start, int logPE_stride, int PE_size, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_alltoallv({what}, set, target, t_offsets, t_sizes, source, s_offsets, s_sizes, pSync);",
            ),
            CallPrototype::new(
                "int shmemx_team_alltoallv(void *target, size_t *t_offsets, size_t *t_sizes, const void *source, size_t *s_offsets, size_t *s_sizes, shmem_team_t team, long *pSync)",
                "(void)pSync; return philae_shmem_alltoallv({what}, team, target, t_offsets, t_sizes, source, s_offsets, s_sizes);",
            ),
        ],
        arguments: &[("team", "The team. Every PE of it calls."), ("target", "The symmetric address of the result."), ("t_offsets", "Where what comes from each PE is put, in bytes from target."), ("t_sizes", "What came from each PE, in bytes: written. With SHMEM_ALLTOALLV_TSIZE_CHK it says before the call how much may come."), ("source", "The symmetric address of the data."), ("s_offsets", "Where the data for each PE begins, in bytes from source."), ("s_sizes", "How many bytes each PE is sent."), ("PE_start", "The first PE of the active set."), ("logPE_stride", "The logarithm, to the base 2, of the distance from one to the next."), ("PE_size", "How many PEs the active set has."), ("pSync", "A symmetric array of SHMEM_ALLTOALL_SYNC_SIZE, filled with SHMEM_SYNC_VALUE before its first use. The team form does not use it: a null pointer would do.")],
        description: "Each PE sends s_sizes[j] bytes to the j-th PE of the active set or team, which puts them where its t_offsets says for the sender.",
        returns: "The team form: 0, or another value where the team is SHMEM_TEAM_INVALID.",
        notes: "Offsets and sizes have one entry for every PE of the set, and are symmetric. The vendor's manual leaves the page of the team form empty: its arguments are in the order in which bale calls it.",
        example: "",
        see: &["shmem_alltoall", "shmemx_alltoallv_packed"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_alltoallv_packed",
        group: ApiPart::Extensions,
        since: "",
        summary: "exchange blocks of different sizes, laid end to end",
        calls: &[
            CallPrototype::new(
                "void shmemx_alltoallv_packed(void *target, size_t target_len, size_t *t_size, const void *source, size_t *s_offsets, size_t *s_sizes, int PE_start, int logPE_stride, int PE_size, long *pSync)",
                "struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_alltoallv_packed({what}, set, target, target_len, t_size, source, s_offsets, s_sizes, pSync);",
            ),
            CallPrototype::new(
                "int shmemx_team_alltoallv_packed(void *target, size_t target_len, size_t *t_size, const void *source, size_t *s_offsets, size_t *s_sizes, shmem_team_t team, long *pSync)",
                "(void)pSync; return philae_shmem_alltoallv_packed({what}, team, target, target_len, t_size, source, s_offsets, s_sizes);",
            ),
        ],
        arguments: &[("team", "The team. Every PE of it calls."), ("target", "The symmetric address of the result."), ("target_len", "How many bytes it has room for."), ("t_size", "How many bytes came: written."), ("source", "The symmetric address of the data."), ("s_offsets", "Where the data for each PE begins, in bytes from source."), ("s_sizes", "How many bytes each PE is sent."), ("PE_start", "The first PE of the active set."), ("logPE_stride", "The logarithm, to the base 2, of the distance from one to the next."), ("PE_size", "How many PEs the active set has."), ("pSync", "A symmetric array of SHMEM_ALLTOALL_SYNC_SIZE, filled with SHMEM_SYNC_VALUE before its first use. The team form does not use it: a null pointer would do.")],
        description: "As shmemx_alltoallv; what comes lies end to end in target, in no order that a program may count on.",
        returns: "The team form: 0, or another value where the team is SHMEM_TEAM_INVALID.",
        notes: "",
        example: "",
        see: &["shmemx_alltoallv"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_team_split_strided",
        group: ApiPart::Extensions,
        since: "",
        summary: "split a team, the vendor's form",
        calls: &[
            CallPrototype::new(
                "void shmemx_team_split_strided(shmem_team_t parent_team, int PE_start, int PE_stride, int PE_size, shmem_team_t *newteam)",
                "(void)philae_shmem_team_split_strided({what}, parent_team, PE_start, PE_stride, PE_size, 0, 0, newteam);",
            ),
            CallPrototype::new(
                "void shmemx_team_split_2d(shmem_team_t parent_team, int xrange, int yrange, shmem_team_t *xaxis_team, shmem_team_t *yaxis_team)",
                "(void)yrange; (void)philae_shmem_team_split_2d({what}, parent_team, xrange, 0, 0, xaxis_team, 0, 0, yaxis_team);",
            ),
            CallPrototype::new(
                "void shmemx_team_split_3d(shmem_team_t parent_team, int xrange, int yrange, int zrange, shmem_team_t *xaxis_team, shmem_team_t *yaxis_team, shmem_team_t *zaxis_team)",
                "philae_shmem_team_split_3d({what}, parent_team, xrange, yrange, zrange, xaxis_team, yaxis_team, zaxis_team);",
            ),
            CallPrototype::new(
                "void shmemx_team_split_color(shmem_team_t parent_team, int color, int key, shmem_team_t *newteam)",
                "philae_shmem_team_split_color({what}, parent_team, color, key, newteam);",
            ),
            CallPrototype::new(
                "void shmemx_team_split(shmem_team_t parent_team, int color, int key, shmem_team_t *newteam)",
                "philae_shmem_team_split_color({what}, parent_team, color, key, newteam);",
            ),
        ],
        arguments: &[("parent_team", "The team that is split. Every PE of it calls."), ("PE_start", "The first PE."), ("PE_stride", "From one to the next."), ("PE_size", "How many."), ("xrange", "The size in x."), ("yrange", "The size in y."), ("zrange", "The size in z."), ("color", "Which team this PE goes to: not negative, or SHMEM_COLOR_UNDEFINED."), ("key", "Its place there."), ("newteam", "Where the team is put."), ("xaxis_team", "Where the team along x is put."), ("yaxis_team", "Where the team along y is put."), ("zaxis_team", "Where the team along z is put.")],
        description: "shmemx_team_split_strided and shmemx_team_split_2d are the standard's, without a configuration. shmemx_team_split_3d puts PE i at x = i % xrange, y = i / xrange % yrange, z = i / (xrange * yrange), and gives the teams of the PEs that differ in x, y and z only. shmemx_team_split_color, also called shmemx_team_split, puts PEs of one color in one team, in the order of key, then of their numbers; with SHMEM_COLOR_UNDEFINED a PE is in none.",
        returns: "",
        notes: "A PE that is in no new team gets SHMEM_TEAM_NULL, which is SHMEM_TEAM_INVALID. SHMEM_TEAM_NODE is SHMEM_TEAM_SHARED.",
        example: "",
        see: &["shmem_team_split_strided"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_team_my_pe",
        group: ApiPart::Extensions,
        since: "",
        summary: "teams under their old names",
        calls: &[
            CallPrototype::new(
                "int shmemx_team_my_pe(shmem_team_t team)",
                "return team ? team->me : -1;",
            ),
            CallPrototype::new(
                "int shmemx_team_n_pes(shmem_team_t team)",
                "return team ? team->n_pes : -1;",
            ),
            CallPrototype::new(
                "int shmemx_team_translate_pe(shmem_team_t team1, int team1_pe, shmem_team_t team2)",
                "return philae_shmem_team_translate_pe({what}, team1, team1_pe, team2);",
            ),
            CallPrototype::new(
                "int shmemx_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config)",
                "return philae_shmem_team_get_config({what}, team, config_mask, config);",
            ),
            CallPrototype::new(
                "int shmemx_team_ctx_create(shmem_team_t team, long options, shmem_ctx_t *ctx)",
                "return philae_shmem_ctx_create({what}, team, options, ctx);",
            ),
            CallPrototype::new(
                "int shmemx_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team)",
                "return philae_shmem_ctx_get_team({what}, ctx, team);",
            ),
            CallPrototype::new(
                "void shmemx_team_destroy(shmem_team_t team)",
                "philae_shmem_team_destroy({what}, team);",
            ),
            CallPrototype::new(
                "void shmemx_team_barrier(shmem_team_t team)",
                "philae_shmem_quiet({what}, SHMEM_CTX_DEFAULT); (void)philae_shmem_team_sync({what}, team);",
            ),
            CallPrototype::new(
                "int shmemx_team_alltoall(shmem_team_t team, void *target, const void *source, size_t len)",
                "return philae_shmem_alltoall({what}, team, target, source, len, 1);",
            ),
        ],
        arguments: &[("team", "The team."), ("team1", "The team that numbers the PE."), ("team1_pe", "The PE."), ("team2", "The team in which its number is wanted."), ("config_mask", "Which members to give."), ("config", "Where they are put."), ("options", "As for shmem_ctx_create."), ("ctx", "The context, or where it is put."), ("target", "The symmetric address of the result."), ("source", "The symmetric address of the data."), ("len", "How many bytes go to each PE.")],
        description: "As the standard's functions of these names; shmemx_team_barrier is a quiet on the default context and shmem_team_sync; shmemx_team_alltoall is shmem_alltoallmem.",
        returns: "As those.",
        notes: "",
        example: "",
        see: &["shmem_team_my_pe"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmemx_team_reductions",
        group: ApiPart::Extensions,
        since: "",
        summary: "reductions on a team under their old names",
        calls: &[
            CallPrototype::new(
                "int shmemx_team_{N}_and_to_all(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
                "return philae_shmem_reduce({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_AND);",
            ).types(OLD_BITWISE),
            CallPrototype::new(
                "int shmemx_team_{N}_or_to_all(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
                "return philae_shmem_reduce({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_OR);",
            ).types(OLD_BITWISE),
            CallPrototype::new(
                "int shmemx_team_{N}_xor_to_all(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
                "return philae_shmem_reduce({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_XOR);",
            ).types(OLD_BITWISE),
            CallPrototype::new(
                "int shmemx_team_{N}_max_to_all(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
                "return philae_shmem_reduce({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_MAX);",
            ).types(OLD_ORDERED),
            CallPrototype::new(
                "int shmemx_team_{N}_min_to_all(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
                "return philae_shmem_reduce({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_MIN);",
            ).types(OLD_ORDERED),
            CallPrototype::new(
                "int shmemx_team_{N}_sum_to_all(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
                "return philae_shmem_reduce({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_SUM);",
            ).types(OLD_ARITHMETIC),
            CallPrototype::new(
                "int shmemx_team_{N}_prod_to_all(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
                "return philae_shmem_reduce({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_PROD);",
            ).types(OLD_ARITHMETIC),
        ],
        arguments: &[("team", "The team. Every PE of it calls."), ("dest", "The symmetric address of the result."), ("source", "The symmetric address of the elements."), ("nreduce", "How many elements.")],
        description: "As shmem_sum_reduce and the others. The vendor's manual names these calls and leaves their page empty: the arguments are ours.",
        returns: "0, or another value where the team is SHMEM_TEAM_INVALID.",
        notes: "",
        example: "",
        see: &["shmem_sum_reduce"],
        ..ManualPage::EMPTY
    },
];
