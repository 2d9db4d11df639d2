/* The calls from shmem.h's bodies to the library's core, which is in Rust (crates/nic/shmem): the long
   forms. They check arguments, find out whether a PE is local or remote, and end the job with a
   message on an error. Not for programs. `what` is the name of the public function, such as
   "shmem_long_put", for the message; it stays valid forever. */
#ifndef PHILAE_SHMEM_CORE_H
#define PHILAE_SHMEM_CORE_H

#include <philae/shmem_abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Types, as the core sees them: by kind and width. C determines which one an int or a size_t is
   here. */
enum {
    PHILAE_SHMEM_I8,
    PHILAE_SHMEM_I16,
    PHILAE_SHMEM_I32,
    PHILAE_SHMEM_I64,
    PHILAE_SHMEM_U8,
    PHILAE_SHMEM_U16,
    PHILAE_SHMEM_U32,
    PHILAE_SHMEM_U64,
    PHILAE_SHMEM_F32,
    PHILAE_SHMEM_F64,
    PHILAE_SHMEM_LONG_DOUBLE, /* arithmetic: philae_shmem_longdouble_combine */
    PHILAE_SHMEM_C32,         /* complex of two floats */
    PHILAE_SHMEM_C64          /* complex of two doubles */
};

/* Atomic operations. Fetching ones have a result that is not null; FETCH has no operand. An
   increment adds 1. */
enum {
    PHILAE_SHMEM_AMO_FETCH,
    PHILAE_SHMEM_AMO_SET, /* a swap if there is a result */
    PHILAE_SHMEM_AMO_COMPARE_SWAP,
    PHILAE_SHMEM_AMO_ADD,
    PHILAE_SHMEM_AMO_AND,
    PHILAE_SHMEM_AMO_OR,
    PHILAE_SHMEM_AMO_XOR
};

/* Reductions and scans. */
enum {
    PHILAE_SHMEM_REDUCE_AND,
    PHILAE_SHMEM_REDUCE_OR,
    PHILAE_SHMEM_REDUCE_XOR,
    PHILAE_SHMEM_REDUCE_MAX,
    PHILAE_SHMEM_REDUCE_MIN,
    PHILAE_SHMEM_REDUCE_SUM,
    PHILAE_SHMEM_REDUCE_PROD
};

/* The words to wait for or to test, of nelems variables: all, any or some. WAIT_TEST polls once.
   WAIT_VECTOR: one value each. */
enum {
    PHILAE_SHMEM_WAIT_ALL,
    PHILAE_SHMEM_WAIT_ANY,
    PHILAE_SHMEM_WAIT_SOME,
    PHILAE_SHMEM_WAIT_FORM = 3,
    PHILAE_SHMEM_WAIT_TEST = 4,
    PHILAE_SHMEM_WAIT_VECTOR = 8
};

/* SHMEM_CMP_*. */
enum {
    PHILAE_SHMEM_CMP_EQ,
    PHILAE_SHMEM_CMP_NE,
    PHILAE_SHMEM_CMP_GT,
    PHILAE_SHMEM_CMP_LE,
    PHILAE_SHMEM_CMP_LT,
    PHILAE_SHMEM_CMP_GE
};

/* SHMEM_SIGNAL_*, SHMEM_CTX_*, SHMEM_TEAM_NUM_CONTEXTS, SHMEM_MALLOC_*_REMOTE. */
enum {
    PHILAE_SHMEM_SIGNAL_SET = 0,
    PHILAE_SHMEM_SIGNAL_ADD = 1,
    PHILAE_SHMEM_CTX_SERIALIZED = 1,
    PHILAE_SHMEM_CTX_PRIVATE = 2,
    PHILAE_SHMEM_CTX_NOSTORE = 4,
    PHILAE_SHMEM_TEAM_NUM_CONTEXTS = 1,
    PHILAE_SHMEM_MALLOC_ATOMICS_REMOTE = 1,
    PHILAE_SHMEM_MALLOC_SIGNAL_REMOTE = 2
};

/* Options of sessions. SHMEM_CTX_SESSION_BATCH and SHMEM_SESSION_BUNDLE are the same; the mask has
   SESSION_TOTAL_OPS. */
enum {
    PHILAE_SHMEM_SESSION_BUNDLE = 0x1,
    PHILAE_SHMEM_SESSION_HRP = 0x2,             /* high rate put */
    PHILAE_SHMEM_SESSION_STAMO = 0x4,           /* single-transfer atomics: a loss is an error */
    PHILAE_SHMEM_SESSION_DC = 0x8,              /* delivery complete instead of transmit complete */
    PHILAE_SHMEM_SESSION_NO_CNCR_TACCESS = 0x10, /* no other access to the targets */
    PHILAE_SHMEM_SESSION_UNIFORM_AMO = 0x20,    /* one kind of atomic */
    PHILAE_SHMEM_SESSION_OP_PUT = 0x100,
    PHILAE_SHMEM_SESSION_OP_AMO = 0x200,
    PHILAE_SHMEM_SESSION_OP_FAMO = 0x400,
    PHILAE_SHMEM_SESSION_OP_PWS = 0x800,
    PHILAE_SHMEM_SESSION_TOTAL_OPS = 1
};

/* The old pSync arrays: the length of each in longs, and their initial value. */
#define PHILAE_SHMEM_PSYNC_LONGS 16
#define PHILAE_SHMEM_PSYNC_VALUE 0L

/* Flags of put, get, amo and put_signal. */
enum {
    PHILAE_SHMEM_NBI = 1 /* completes at the next quiet */
};

/* Active sets of PEs: start, start + stride, ...; `size` of them. The old calls pass the logarithm
   of the stride. */
struct philae_shmem_set {
    int start, log_stride, size;
};

typedef struct philae_shmem_ctx *philae_shmem_ctx_t;
typedef struct philae_shmem_team *philae_shmem_team_t;

/* --- lifecycle and queries (1.6, 9.1, 9.2) ---------------------------------------------------- */
int philae_shmem_init(const char *what, int requested, int *provided); /* 0, or what shmem_init_thread returns */
void philae_shmem_start_pes(const char *what);                         /* only once; finalises at exit */
void philae_shmem_finalize(const char *what);
#ifdef __GNUC__
__attribute__((noreturn))
#endif
void philae_shmem_global_exit(const char *what, int status);
int philae_shmem_initialized(void); /* initialisations without a finalisation yet; 0: none */
int philae_shmem_thread_level(const char *what);
int philae_shmem_my_pe(const char *what); /* the inlined read had no answer: reports the error */
int philae_shmem_n_pes(const char *what);
int philae_shmem_pe_accessible(const char *what, int pe);
int philae_shmem_addr_accessible(const char *what, const void *addr, int pe);
void *philae_shmem_ptr(const char *what, philae_shmem_team_t team, const void *dest, int pe);

/* --- memory (9.3) ----------------------------------------------------------------------------- */
void *philae_shmem_malloc(const char *what, size_t size, long hints);
void *philae_shmem_calloc(const char *what, size_t count, size_t size);
void *philae_shmem_align(const char *what, size_t alignment, size_t size);
void *philae_shmem_realloc(const char *what, void *ptr, size_t size);
void philae_shmem_free(const char *what, void *ptr);

/* --- teams (9.4). `config` is a shmem_team_config_t: one int, num_contexts -------------------- */
int philae_shmem_team_get_config(const char *what, philae_shmem_team_t team, long mask, void *config);
int philae_shmem_team_translate_pe(const char *what, philae_shmem_team_t from, int pe, philae_shmem_team_t to);
int philae_shmem_team_split_strided(const char *what, philae_shmem_team_t parent, int start, int stride, int size,
                                    const void *config, long mask, philae_shmem_team_t *made);
int philae_shmem_team_split_2d(const char *what, philae_shmem_team_t parent, int xrange, const void *xaxis_config,
                               long xaxis_mask, philae_shmem_team_t *xaxis_team, const void *yaxis_config,
                               long yaxis_mask, philae_shmem_team_t *yaxis_team);
void philae_shmem_team_split_3d(const char *what, philae_shmem_team_t parent, int xrange, int yrange, int zrange,
                                philae_shmem_team_t *xaxis_team, philae_shmem_team_t *yaxis_team,
                                philae_shmem_team_t *zaxis_team);
void philae_shmem_team_split_color(const char *what, philae_shmem_team_t parent, int color, int key,
                                   philae_shmem_team_t *made);
void philae_shmem_team_destroy(const char *what, philae_shmem_team_t team);

/* --- contexts (9.5) and sessions. `config`: a shmem_ctx_session_config_t, one size_t, total_ops */
int philae_shmem_ctx_create(const char *what, philae_shmem_team_t team, long options, philae_shmem_ctx_t *made);
void philae_shmem_ctx_destroy(const char *what, philae_shmem_ctx_t ctx);
int philae_shmem_ctx_get_team(const char *what, philae_shmem_ctx_t ctx, philae_shmem_team_t *team);
/* options: PHILAE_SHMEM_SESSION_*. */
void philae_shmem_ctx_session_start(const char *what, philae_shmem_ctx_t ctx, long options, const void *config, long mask);
void philae_shmem_ctx_session_stop(const char *what, philae_shmem_ctx_t ctx);

/* --- put, get, atomics, signals (9.6 to 9.8) -------------------------------------------------- */
void philae_shmem_put(const char *what, philae_shmem_ctx_t ctx, void *dest, const void *source, size_t count,
                      size_t element_bytes, int pe, unsigned flags);
void philae_shmem_get(const char *what, philae_shmem_ctx_t ctx, void *dest, const void *source, size_t count,
                      size_t element_bytes, int pe, unsigned flags);
/* Blocks of bsize elements; dst and sst are the distances between their beginnings, in elements. */
void philae_shmem_put_strided(const char *what, philae_shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
                              ptrdiff_t sst, size_t bsize, size_t nblocks, size_t element_bytes, int pe);
void philae_shmem_get_strided(const char *what, philae_shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
                              ptrdiff_t sst, size_t bsize, size_t nblocks, size_t element_bytes, int pe);
/* operand, compare, result: of the type; null if the operation has none. */
void philae_shmem_amo(const char *what, philae_shmem_ctx_t ctx, int op, int type, void *dest, const void *operand,
                      const void *compare, void *result, int pe, unsigned flags);
void philae_shmem_put_signal(const char *what, philae_shmem_ctx_t ctx, void *dest, const void *source, size_t count,
                             size_t element_bytes, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe,
                             unsigned flags);
void philae_shmem_fence(const char *what, philae_shmem_ctx_t ctx);
void philae_shmem_quiet(const char *what, philae_shmem_ctx_t ctx);
void philae_shmem_pe_quiet(const char *what, philae_shmem_ctx_t ctx, const int *pes, size_t n);
void philae_shmem_local_complete(const char *what, philae_shmem_ctx_t ctx);

/* --- waits and tests (9.10) ------------------------------------------------------------------- */
/* form: PHILAE_SHMEM_WAIT_*. value: one of the type, or with WAIT_VECTOR nelems of them. status may
   be null. indices only with WAIT_SOME. Returns 1 or 0 for ALL, an index or SIZE_MAX for ANY, a
   count for SOME. */
size_t philae_shmem_wait(const char *what, int form, int type, const void *ivars, size_t nelems, size_t *indices,
                         const int *status, int cmp, const void *value);

/* --- collectives on teams (9.9) --------------------------------------------------------------- */
void philae_shmem_barrier_all(const char *what);
void philae_shmem_sync_all(const char *what);
int philae_shmem_team_sync(const char *what, philae_shmem_team_t team);
int philae_shmem_alltoall(const char *what, philae_shmem_team_t team, void *dest, const void *source, size_t nelems,
                          size_t element_bytes);
int philae_shmem_alltoalls(const char *what, philae_shmem_team_t team, void *dest, const void *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems, size_t element_bytes);
int philae_shmem_broadcast(const char *what, philae_shmem_team_t team, void *dest, const void *source, size_t nelems,
                           size_t element_bytes, int root);
int philae_shmem_collect(const char *what, philae_shmem_team_t team, void *dest, const void *source, size_t nelems,
                         size_t element_bytes);
int philae_shmem_fcollect(const char *what, philae_shmem_team_t team, void *dest, const void *source, size_t nelems,
                          size_t element_bytes);
int philae_shmem_reduce(const char *what, philae_shmem_team_t team, void *dest, const void *source, size_t nreduce,
                        int type, int op);
int philae_shmem_scan(const char *what, philae_shmem_team_t team, void *dest, const void *source, size_t nreduce,
                      int type, int op, int exclusive);
/* Offsets and sizes are in bytes and by PE of the team; t_sizes has the received sizes
   afterwards. */
int philae_shmem_alltoallv(const char *what, philae_shmem_team_t team, void *target, const size_t *t_offsets,
                           size_t *t_sizes, const void *source, const size_t *s_offsets, const size_t *s_sizes);
/* Lays the received bytes end to end into target, which has room for target_len bytes; *t_size is
   their number afterwards. */
int philae_shmem_alltoallv_packed(const char *what, philae_shmem_team_t team, void *target, size_t target_len,
                                  size_t *t_size, const void *source, const size_t *s_offsets, const size_t *s_sizes);

/* --- collectives on active sets (deprecated in 1.5) ------------------------------------------- */
void philae_shmem_set_sync(const char *what, struct philae_shmem_set set, long *pSync, int quiet_first);
/* As the old call: does not write the root's dest; root counts within the set. */
void philae_shmem_set_broadcast(const char *what, struct philae_shmem_set set, void *dest, const void *source,
                                size_t nelems, size_t element_bytes, int root, long *pSync);
void philae_shmem_set_collect(const char *what, struct philae_shmem_set set, void *dest, const void *source,
                              size_t nelems, size_t element_bytes, long *pSync);
void philae_shmem_set_fcollect(const char *what, struct philae_shmem_set set, void *dest, const void *source,
                               size_t nelems, size_t element_bytes, long *pSync);
void philae_shmem_set_alltoall(const char *what, struct philae_shmem_set set, void *dest, const void *source,
                               size_t nelems, size_t element_bytes, long *pSync);
void philae_shmem_set_alltoalls(const char *what, struct philae_shmem_set set, void *dest, const void *source,
                                ptrdiff_t dst, ptrdiff_t sst, size_t nelems, size_t element_bytes, long *pSync);
void philae_shmem_set_reduce(const char *what, struct philae_shmem_set set, void *dest, const void *source,
                             size_t nreduce, int type, int op, long *pSync);
void philae_shmem_set_alltoallv(const char *what, struct philae_shmem_set set, void *target, const size_t *t_offsets,
                                size_t *t_sizes, const void *source, const size_t *s_offsets, const size_t *s_sizes,
                                long *pSync);
void philae_shmem_set_alltoallv_packed(const char *what, struct philae_shmem_set set, void *target, size_t target_len,
                                       size_t *t_size, const void *source, const size_t *s_offsets,
                                       const size_t *s_sizes, long *pSync);

/* --- locks (9.12) ----------------------------------------------------------------------------- */
void philae_shmem_set_lock(const char *what, long *lock);
void philae_shmem_clear_lock(const char *what, long *lock);
int philae_shmem_test_lock(const char *what, long *lock); /* 0: taken; 1: another PE has it */

/* --- extensions ------------------------------------------------------------------------------- */
void philae_shmem_thread_register(const char *what);
void philae_shmem_thread_unregister(const char *what);
void philae_shmem_thread_quiet(const char *what);
void philae_shmem_thread_fence(const char *what);
/* Atomics with handles: null if complete immediately. A null `handle` leaves completion to the next
   quiet. */
void philae_shmem_amo_handle(const char *what, int op, int type, void *dest, const void *operand, const void *compare,
                             void *result, int pe, void **handle);
/* A context's operations through its NIC: writes begun, reads begun, writes ended, reads ended. */
void philae_shmem_counts(const char *what, philae_shmem_ctx_t ctx, uint64_t all[4]);
/* How the library tells threads apart; null: by the system's number. */
void philae_shmem_register_gettid(uint64_t (*gettid)(void));
double philae_shmem_wtime(void);
char *philae_shmem_nodename(void);
int philae_shmem_handle_test(const char *what, void **handle); /* 1: complete, and the handle is null */
void philae_shmem_handle_wait(const char *what, void **handle);

/* --- what C does for Rust: Rust has no long double. crates/nic/shmem/c/long_double.c -------------- */
/* into[i] = left[i] op right[i]; op: PHILAE_SHMEM_REDUCE_{MAX,MIN,SUM,PROD}; the arrays may be the
   same. */
void philae_shmem_longdouble_combine(int op, void *into, const void *left, const void *right, size_t n);
void philae_shmem_longdouble_zero(void *into, size_t n);

#ifdef __cplusplus
}
#endif
#endif
