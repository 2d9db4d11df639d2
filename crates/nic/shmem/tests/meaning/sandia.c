/* The extensions of Sandia OpenSHMEM that shmemx.h has. */
#include "meaning.h"

#define BLOCKED(id, T)                                                                           \
    static T blocks_##id[12];                                                                    \
    static void block_##id(void)                                                                 \
    {                                                                                            \
        T source[6], got[12];                                                                    \
        int i;                                                                                   \
        for (i = 0; i < 6; i++) source[i] = (T)(10 * me + i);                                    \
        memset(blocks_##id, 0, sizeof blocks_##id);                                              \
        memset(got, 0, sizeof got);                                                              \
        shmem_barrier_all();                                                                     \
        shmemx_##id##_ibput(blocks_##id, source, 4, 2, 2, 3, next);                              \
        shmem_quiet();                                                                           \
        shmemx_##id##_ibget(got, blocks_##id, 4, 4, 2, 3, next);                                 \
        for (i = 0; i < 12; i++) CHECK(got[i] == (i % 4 < 2 ? source[i / 4 * 2 + i % 4] : (T)0)); \
        memset(got, 0, sizeof got);                                                              \
        shmem_barrier_all();                                                                     \
        shmemx_ctx_##id##_ibput(ctx, blocks_##id, source + 1, 4, 2, 1, 2, next);                 \
        shmem_ctx_quiet(ctx);                                                                    \
        shmemx_ctx_##id##_ibget(ctx, got, blocks_##id, 1, 4, 1, 2, next);                        \
        CHECK(got[0] == source[1] && got[1] == source[3]);                                       \
    }
STANDARD_TYPES(BLOCKED)

#define SIZED(bits)                                                                              \
    static char sized_##bits[12 * bits / 8];                                                     \
    static void size_##bits(void)                                                                \
    {                                                                                            \
        char source[4 * bits / 8], got[4 * bits / 8];                                            \
        memset(source, me + 1, sizeof source);                                                   \
        memset(got, 0, sizeof got);                                                              \
        shmem_barrier_all();                                                                     \
        shmemx_ibput##bits(sized_##bits, source, 4, 2, 2, 2, next);                              \
        shmem_quiet();                                                                           \
        shmemx_ibget##bits(got, sized_##bits, 2, 4, 2, 2, next);                                 \
        CHECK(memcmp(got, source, sizeof got) == 0);                                             \
        memset(got, 0, sizeof got);                                                              \
        shmem_barrier_all();                                                                     \
        shmemx_ctx_ibput##bits(ctx, sized_##bits, source, 4, 2, 2, 2, next);                     \
        shmem_ctx_quiet(ctx);                                                                    \
        shmemx_ctx_ibget##bits(ctx, got, sized_##bits, 2, 4, 2, 2, next);                        \
        CHECK(memcmp(got, source, sizeof got) == 0);                                             \
    }
SIZES(SIZED)

#define SCANNED(id, T)                                                                           \
    static T scanned_##id[2][2];                                                                 \
    static void scan_##id(void)                                                                  \
    {                                                                                            \
        T (*all)[2] = scanned_##id;                                                              \
        all[0][0] = (T)1, all[0][1] = (T)2;                                                      \
        shmem_barrier_all();                                                                     \
        CHECK(shmemx_##id##_sum_inscan(SHMEM_TEAM_WORLD, all[1], all[0], 2) == 0);               \
        CHECK(all[1][0] == (T)(me + 1) && all[1][1] == (T)(2 * (me + 1)));                       \
        shmem_barrier_all();                                                                     \
        CHECK(shmemx_##id##_sum_exscan(SHMEM_TEAM_WORLD, all[1], all[0], 2) == 0);               \
        CHECK(all[1][0] == (T)me && all[1][1] == (T)(2 * me));                                   \
    }
STANDARD_TYPES(SCANNED)
COMPLEX_TYPES(SCANNED)

static void counters(void)
{
    static int data;
    int mine = me, value = 0;
    shmemx_ct_t ct;
    shmemx_ct_create(&ct);
    CHECK(shmemx_ct_get(ct) == 0);
    shmem_barrier_all();
    shmemx_putmem_ct(ct, &data, &mine, sizeof data, next);
    shmemx_ct_wait(ct, 1);
    CHECK(data == previous && shmemx_ct_get(ct) == 1);
    shmem_barrier_all();
    shmemx_getmem_ct(ct, &value, &data, sizeof data, next);
    shmemx_ct_wait(ct, 2);
    CHECK(value == me);
    shmem_barrier_all();
    shmemx_ct_set(ct, 0);
    CHECK(shmemx_ct_get(ct) == 0);
    shmem_barrier_all();
    shmemx_ct_free(&ct);
    CHECK(ct == 0);
}

static void signal_adds(void)
{
    static uint64_t sig;
    shmem_barrier_all();
    shmemx_signal_add(&sig, 3, next);
    shmemx_ctx_signal_add(ctx, &sig, 4, next);
    shmem_ctx_quiet(ctx);
    CHECK(shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 7) == 7);
    shmem_barrier_all();
}

static void performance_counters(void)
{
    static long target;
    uint64_t writes, reads, ended_writes, ended_reads, at_target = 1;
    shmemx_pcntr_t before, after;
    shmemx_pcntr_get_all(ctx, &before);
    shmem_ctx_long_p(ctx, &target, 1, next);
    shmem_ctx_quiet(ctx);
    (void)shmem_ctx_long_g(ctx, &target, next);
    shmemx_pcntr_get_all(ctx, &after);
    shmemx_pcntr_get_issued_write(ctx, &writes);
    shmemx_pcntr_get_issued_read(ctx, &reads);
    shmemx_pcntr_get_completed_write(ctx, &ended_writes);
    shmemx_pcntr_get_completed_read(ctx, &ended_reads);
    shmemx_pcntr_get_completed_target(&at_target);
    CHECK(writes == after.pending_put && reads == after.pending_get && at_target == after.target);
    CHECK(ended_writes == after.completed_put && ended_reads == after.completed_get);
    CHECK(ended_writes == writes && ended_reads == reads);
    if (shmem_ptr(&target, next) == NULL) {
        CHECK(after.pending_put > before.pending_put && after.pending_get > before.pending_get);
    } else {
        CHECK(after.pending_put == before.pending_put && after.pending_get == before.pending_get);
    }
}

static uint64_t own_number(void) { return 7; }

static void names(void)
{
    long *block = shmem_malloc_with_hints(8, SHMEMX_MALLOC_NO_BARRIER | (1L << 40));
    double begin = shmemx_wtime();
    shmem_ctx_t other;
    CHECK(block != NULL);
    shmem_barrier_all();
    shmem_free(block);
    CHECK(shmemx_wtime() >= begin && strlen(shmemx_nodename()) > 0);
    CHECK(shmem_team_n_pes(SHMEMX_TEAM_NODE) == shmem_team_n_pes(SHMEM_TEAM_SHARED));
    shmemx_register_gettid(own_number);
    CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE | SHMEMX_CTX_BOUNCE_BUFFER, &other) == 0);
    shmem_ctx_quiet(other);
    shmem_ctx_destroy(other);
    shmemx_register_gettid(NULL);
    CHECK(_SHMEM_ALLTOALL_SYNC_SIZE == SHMEM_ALLTOALL_SYNC_SIZE && OSHMEM_SPEC_VERSION / 100 == 106);
}

#define CALL(id, T) block_##id();
#define CALL_SIZE(bits) size_##bits();
#define CALL_SCAN(id, T) scan_##id();

void sandia(void)
{
    STANDARD_TYPES(CALL)
    SIZES(CALL_SIZE)
    STANDARD_TYPES(CALL_SCAN)
    COMPLEX_TYPES(CALL_SCAN)
    counters();
    signal_adds();
    performance_counters();
    names();
}
