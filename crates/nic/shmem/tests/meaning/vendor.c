/* The extensions of shmemx.h. */
#include "meaning.h"

#define PES 16
static long pSync[2][SHMEM_ALLTOALL_SYNC_SIZE];
static uint64_t sig[2];

#define TYPED(id, op) shmemx_##id##_##op##_nb
#define TYPED_CTX(id, op) shmemx_ctx_##id##_##op##_nb
#define SIZED(id, op) shmemx_##op##id##_nb
#define SIZED_CTX(id, op) shmemx_ctx_##op##id##_nb
#define MOVE(id, T, B, NAME, CTX)                                                                \
    static T to_##id[8], home_##id[8];                                                           \
    static void move_##id(void)                                                                  \
    {                                                                                            \
        T source[8], got[8];                                                                     \
        memset(source, me + 1, sizeof source);                                                   \
        memset(home_##id, me + 1, sizeof home_##id);                                             \
        memset(to_##id, 0, sizeof to_##id);                                                      \
        memset(got, 0, sizeof got);                                                              \
        shmem_barrier_all();                                                                     \
        NAME(id, put)(to_##id, source, 4 * B, next);                                             \
        CTX(id, put)(ctx, to_##id + 4, source, 4 * B, next);                                     \
        NAME(id, get)(got, home_##id, 4 * B, next);                                              \
        CTX(id, get)(ctx, got + 4, home_##id, 4 * B, next);                                      \
        shmem_quiet();                                                                           \
        shmem_ctx_quiet(ctx);                                                                    \
        memset(source, next + 1, sizeof source);                                                 \
        CHECK(memcmp(got, source, sizeof source) == 0);                                          \
        shmem_barrier_all();                                                                     \
        memset(source, previous + 1, sizeof source);                                             \
        CHECK(memcmp(to_##id, source, sizeof source) == 0);                                      \
        shmem_barrier_all();                                                                     \
    }
typedef struct { uint64_t a, b; } wide;
#define MOVE_TYPE(N, T) MOVE(N, T, 1, TYPED, TYPED_CTX)
STANDARD_TYPES(MOVE_TYPE)
MOVE(8, uint8_t, 1, SIZED, SIZED_CTX)
MOVE(16, uint16_t, 1, SIZED, SIZED_CTX)
MOVE(32, uint32_t, 1, SIZED, SIZED_CTX)
MOVE(64, uint64_t, 1, SIZED, SIZED_CTX)
MOVE(128, wide, 1, SIZED, SIZED_CTX)
MOVE(mem, uint32_t, 4, SIZED, SIZED_CTX)

/* By quiet, by wait and by test. */
#define HANDLE(N, T)                                                                             \
    static T a_##N;                                                                              \
    static void handle_##N(void)                                                                 \
    {                                                                                            \
        T old = 0;                                                                               \
        void *handle = NULL, *other = NULL;                                                      \
        a_##N = 1;                                                                               \
        shmem_barrier_all();                                                                     \
        shmemx_##N##_fadd_nb(&old, &a_##N, 4, next, NULL);                                       \
        shmem_quiet();                                                                           \
        CHECK(old == 1);                                                                         \
        shmemx_##N##_finc_nb(&old, &a_##N, next, &handle);                                       \
        shmemx_wait_nb(&handle);                                                                 \
        CHECK(old == 5 && handle == NULL);                                                       \
        shmemx_##N##_swap_nb(&old, &a_##N, 9, next, &handle);                                    \
        while (!shmemx_test_nb(&handle)) {}                                                      \
        CHECK(old == 6 && handle == NULL);                                                       \
        shmemx_##N##_cswap_nb(&old, &a_##N, 9, 20, next, &handle);                               \
        shmem_pe_quiet(&next, 1);                                                                \
        CHECK(old == 9 && shmemx_test_nb(&handle));                                              \
        shmemx_##N##_add_nb(&a_##N, 3, next, &handle);                                           \
        shmemx_##N##_inc_nb(&a_##N, next, &other);                                               \
        shmemx_wait_nb(&handle);                                                                 \
        shmem_quiet();                                                                           \
        shmemx_wait_nb(&other);                                                                  \
        shmemx_wait_nb(&other);                                                                  \
        shmem_barrier_all();                                                                     \
        CHECK(a_##N == 24);                                                                      \
        shmem_barrier_all();                                                                     \
    }
AMO_TYPES(HANDLE)

#define SIGNAL(id, T, B, PUT, PUT_NB)                                                            \
    static T s_##id[4];                                                                          \
    static void signal_##id(void)                                                                \
    {                                                                                            \
        T source[4], expected[4];                                                                \
        memset(source, me + 1, sizeof source);                                                   \
        memset(expected, previous + 1, sizeof expected);                                         \
        memset(s_##id, 0, sizeof s_##id);                                                        \
        sig[0] = sig[1] = 0;                                                                     \
        shmem_barrier_all();                                                                     \
        PUT(s_##id, source, 2 * B, &sig[0], 1, next);                                            \
        PUT_NB(s_##id + 2, source, 2 * B, &sig[1], 2, next);                                     \
        shmem_signal_wait_until(&sig[0], SHMEM_CMP_EQ, 1);                                       \
        shmem_signal_wait_until(&sig[1], SHMEM_CMP_EQ, 2);                                       \
        CHECK(memcmp(s_##id, expected, sizeof expected) == 0);                                   \
        shmem_barrier_all();                                                                     \
    }
#define SIGNAL_TYPE(N, T) SIGNAL(N, T, 1, shmemx_##N##_put_signal, shmemx_##N##_put_signal_nb)
#define SIGNAL_SIZE(S, T) SIGNAL(S, T, 1, shmemx_put##S##_signal, shmemx_put##S##_signal_nb)
#define SIGNAL_TYPES(X) \
    AMO_FLOATS(X) X(longdouble, long double) X(char, char) X(int, int) X(long, long) X(longlong, long long)
SIGNAL_TYPES(SIGNAL_TYPE)
SIGNAL_SIZE(8, uint8_t) SIGNAL_SIZE(16, uint16_t) SIGNAL_SIZE(32, uint32_t) SIGNAL_SIZE(64, uint64_t) SIGNAL_SIZE(128, wide)
SIGNAL(mem, uint32_t, 4, shmemx_putmem_signal, shmemx_putmem_signal_nb)

#define REDUCE(N, T, name, op)                                                                   \
    static T name##_from_##N, name##_to_##N;                                                     \
    static void name##_##N(void)                                                                 \
    {                                                                                            \
        T expected = 1;                                                                          \
        int pe;                                                                                  \
        name##_from_##N = (T)(1 + me % 3);                                                       \
        shmem_barrier_all();                                                                     \
        CHECK(shmemx_team_##N##_##name##_to_all(SHMEM_TEAM_WORLD, &name##_to_##N, &name##_from_##N, 1) == 0); \
        for (pe = 1; pe < n; pe++) {                                                             \
            T a = expected, b = (T)(1 + pe % 3);                                                 \
            expected = (T)(op);                                                                  \
        }                                                                                        \
        CHECK(name##_to_##N == expected);                                                        \
        shmem_barrier_all();                                                                     \
    }
#define OLD_BITWISE(X) X(short, short) X(int, int) X(long, long) X(longlong, long long)
#define OLD_ORDERED(X) OLD_BITWISE(X) AMO_FLOATS(X) X(longdouble, long double)
#define OLD_ARITHMETIC(X) OLD_ORDERED(X) COMPLEX_TYPES(X)
#define BITWISE(N, T) REDUCE(N, T, and, a & b) REDUCE(N, T, or, a | b) REDUCE(N, T, xor, a ^ b)
#define ORDERED(N, T) REDUCE(N, T, max, a > b ? a : b) REDUCE(N, T, min, a < b ? a : b)
#define ARITHMETIC(N, T) REDUCE(N, T, sum, a + b) REDUCE(N, T, prod, a * b)
OLD_BITWISE(BITWISE)
OLD_ORDERED(ORDERED)
OLD_ARITHMETIC(ARITHMETIC)

/* PE i sends i + j + 1 bytes to PE j, all of them i + 1. */
static void alltoallv(int on_team)
{
    static char source[PES * 2 * PES], target[PES * 2 * PES];
    static size_t s_offsets[PES], s_sizes[PES], t_offsets[PES], t_sizes[PES];
    size_t size = 0, wanted = 0, at = 0, i, found[PES + 2] = {0};
    int pe;

    memset(source, me + 1, sizeof source);
    memset(target, 0, sizeof target);
    for (pe = 0; pe < n; pe++) {
        s_offsets[pe] = at;
        s_sizes[pe] = (size_t)(me + pe + 1);
        at += s_sizes[pe];
        t_offsets[pe] = (size_t)(pe * 2 * PES);
        t_sizes[pe] = 2 * PES;
        wanted += (size_t)(pe + me + 1);
    }
    shmem_barrier_all();
    if (on_team)
        CHECK(shmemx_team_alltoallv(target, t_offsets, t_sizes, source, s_offsets, s_sizes, SHMEM_TEAM_WORLD,
                                    pSync[0]) == 0);
    else
        shmemx_alltoallv(target, t_offsets, t_sizes, source, s_offsets, s_sizes, 0, 0, n, pSync[0]);
    for (pe = 0; pe < n; pe++) {
        CHECK(t_sizes[pe] == (size_t)(pe + me + 1));
        for (i = 0; i < t_sizes[pe]; i++) CHECK(target[t_offsets[pe] + i] == pe + 1);
        CHECK(target[t_offsets[pe] + t_sizes[pe]] == 0);
    }
    memset(target, 0, sizeof target);
    shmem_barrier_all();
    if (on_team)
        CHECK(shmemx_team_alltoallv_packed(target, sizeof target, &size, source, s_offsets, s_sizes,
                                           SHMEM_TEAM_WORLD, NULL) == 0);
    else
        shmemx_alltoallv_packed(target, sizeof target, &size, source, s_offsets, s_sizes, 0, 0, n, pSync[1]);
    CHECK(size == wanted && target[size] == 0);
    for (i = 0; i < size; i++)
        if (target[i] >= 1 && target[i] <= n) found[(int)target[i]]++;
    for (pe = 0; pe < n; pe++) CHECK(found[pe + 1] == (size_t)(pe + me + 1));
    shmem_barrier_all();
}

static void teams(void)
{
    static char from[PES], to[PES];
    shmem_team_t half, row, column, x, y, z, color, of_ctx;
    shmem_team_config_t config = {0};
    shmem_ctx_t on_team;
    int pe;

    shmemx_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, &half);
    CHECK(shmemx_team_my_pe(half) == (me % 2 == 0 ? me / 2 : -1) && (me % 2 != 0 || shmemx_team_n_pes(half) == (n + 1) / 2));
    shmemx_team_split_2d(SHMEM_TEAM_WORLD, 2, (n + 1) / 2, &row, &column);
    CHECK(shmemx_team_my_pe(row) == me % 2 && shmemx_team_my_pe(column) == me / 2);
    shmemx_team_split_3d(SHMEM_TEAM_WORLD, n, 1, 1, &x, &y, &z);
    CHECK(shmemx_team_n_pes(x) == n && shmemx_team_n_pes(y) == 1 && shmemx_team_n_pes(z) == 1);
    shmemx_team_split_color(SHMEM_TEAM_WORLD, me % 2, -me, &color);
    CHECK(shmemx_team_my_pe(color) == shmemx_team_n_pes(color) - 1 - me / 2);
    CHECK(shmemx_team_translate_pe(color, shmemx_team_my_pe(color), SHMEM_TEAM_WORLD) == me);
    CHECK(shmemx_team_get_config(color, SHMEM_TEAM_NUM_CONTEXTS, &config) == 0);
    CHECK(shmemx_team_ctx_create(color, 0, &on_team) == 0);
    CHECK(shmemx_ctx_get_team(on_team, &of_ctx) == 0 && of_ctx == color);
    shmem_ctx_destroy(on_team);
    shmemx_team_barrier(color);
    shmemx_team_destroy(color);
    shmemx_team_split(SHMEM_TEAM_WORLD, me == 0 ? SHMEM_COLOR_UNDEFINED : 3, 0, &color);
    CHECK(me == 0 ? color == SHMEM_TEAM_NULL : shmemx_team_n_pes(color) == n - 1);
    if (color != SHMEM_TEAM_NULL) shmemx_team_destroy(color);
    for (pe = 0; pe < n; pe++) from[pe] = (char)(me * 10 + pe);
    shmem_barrier_all();
    CHECK(shmemx_team_alltoall(SHMEM_TEAM_WORLD, to, from, 1) == 0);
    for (pe = 0; pe < n; pe++) CHECK(to[pe] == pe * 10 + me);
    CHECK(SHMEM_TEAM_NODE == SHMEM_TEAM_SHARED);
    if (half != SHMEM_TEAM_NULL) shmemx_team_destroy(half);
    shmemx_team_destroy(row), shmemx_team_destroy(column);
    shmemx_team_destroy(x), shmemx_team_destroy(y), shmemx_team_destroy(z);
    shmem_barrier_all();
}

static void completion(void)
{
    static long data[32];
    static short small;
    long source[32];
    int i;

    CHECK(shmemx_query_thread() == SHMEM_THREAD_MULTIPLE);
    CHECK(shmemx_init_thread(SHMEM_THREAD_MULTIPLE) == SHMEM_THREAD_MULTIPLE);
    shmem_finalize(); /* it was one more */
    small = 5;
    shmem_barrier_all();
    shmemx_thread_register();
    shmemx_session_start(SHMEM_CTX_DEFAULT, SHMEM_SESSION_BUNDLE | SHMEM_SESSION_OP_PUT);
    shmemx_ctx_session_start(ctx, SHMEM_SESSION_BUNDLE | SHMEM_SESSION_DC);
    for (i = 0; i < 32; i++) source[i] = me + i;
    for (i = 0; i < 16; i++) shmem_long_put_nbi(&data[i], &source[i], 1, next);
    shmemx_local_complete();
    for (i = 16; i < 32; i++) shmem_ctx_long_put_nbi(ctx, &data[i], &source[i], 1, next);
    shmemx_ctx_local_complete(ctx);
    for (i = 0; i < 32; i++) source[i] = -1; /* the sources may be reused */
    shmemx_session_stop(SHMEM_CTX_DEFAULT);
    shmemx_ctx_session_stop(ctx);
    shmemx_pe_quiet(next);
    shmem_ctx_quiet(ctx);
    shmemx_thread_fence();
    shmemx_thread_quiet();
    shmemx_thread_unregister();
    shmem_barrier_all();
    for (i = 0; i < 32; i++) CHECK(data[i] == previous + i);
    CHECK(shmemx_short_fadd(&small, 2, next) == 5);
    CHECK(shmemx_short_finc(&small, next) == 7);
    CHECK(shmemx_short_swap(&small, 20, next) == 8);
    CHECK(shmemx_short_cswap(&small, 20, 30, next) == 20);
    shmemx_short_add(&small, 3, next);
    shmemx_short_inc(&small, next);
    sig[0] = sig[1] = 0;
    shmem_barrier_all();
    CHECK(small == 34);
    shmemx_signal_set(&sig[0], 4, next);
    shmemx_ctx_signal_set(ctx, &sig[1], 5, next);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    CHECK(sig[0] == 4 && sig[1] == 5);
}

void vendor(void)
{
    size_t i;

    for (i = 0; i < SHMEM_ALLTOALL_SYNC_SIZE; i++) pSync[0][i] = pSync[1][i] = SHMEM_SYNC_VALUE;
#define CALL_MOVE(N, T) move_##N();
    STANDARD_TYPES(CALL_MOVE)
    move_8(), move_16(), move_32(), move_64(), move_128(), move_mem();
#define CALL_HANDLE(N, T) handle_##N();
    AMO_TYPES(CALL_HANDLE)
#define CALL_SIGNAL(N, T) signal_##N();
    SIGNAL_TYPES(CALL_SIGNAL)
    signal_8(), signal_16(), signal_32(), signal_64(), signal_128(), signal_mem();
#define CALL_BITWISE(N, T) and_##N(), or_##N(), xor_##N();
    OLD_BITWISE(CALL_BITWISE)
#define CALL_ORDERED(N, T) max_##N(), min_##N();
    OLD_ORDERED(CALL_ORDERED)
#define CALL_ARITHMETIC(N, T) sum_##N(), prod_##N();
    OLD_ARITHMETIC(CALL_ARITHMETIC)
    alltoallv(0);
    alltoallv(1);
    teams();
    completion();
}
