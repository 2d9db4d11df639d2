/* Put with signal: a PE that sees the signal sees the data. */
#include "meaning.h"

static uint64_t sig[4];

/* Each of the four calls writes two elements and adds 1 to, or sets, its own signal. */
#define CASE(id, T, B, PUT, CTX_PUT, PUT_NBI, CTX_PUT_NBI)                                       \
    static T d_##id[8];                                                                          \
    static void signal_##id(void)                                                                \
    {                                                                                            \
        T source[8];                                                                             \
        int i;                                                                                   \
        memset(source, me + 1, sizeof source);                                                   \
        memset(d_##id, 0, sizeof d_##id);                                                        \
        memset(sig, 0, sizeof sig);                                                              \
        shmem_barrier_all();                                                                     \
        PUT(d_##id, source, 2 * B, &sig[0], 5, SHMEM_SIGNAL_SET, next);                          \
        CTX_PUT(ctx, d_##id + 2, source, 2 * B, &sig[1], 6, SHMEM_SIGNAL_ADD, next);             \
        PUT_NBI(d_##id + 4, source, 2 * B, &sig[2], 7, SHMEM_SIGNAL_ADD, next);                  \
        CTX_PUT_NBI(ctx, d_##id + 6, source, 2 * B, &sig[3], 8, SHMEM_SIGNAL_SET, next);         \
        for (i = 0; i < 4; i++) {                                                                \
            T expected[2];                                                                       \
            memset(expected, previous + 1, sizeof expected);                                     \
            CHECK(shmem_signal_wait_until(&sig[i], SHMEM_CMP_NE, 0) == (uint64_t)(5 + i));       \
            CHECK(memcmp(d_##id + 2 * i, expected, sizeof expected) == 0);                       \
            CHECK(shmem_signal_fetch(&sig[i]) == (uint64_t)(5 + i));                             \
        }                                                                                        \
        shmem_quiet();                                                                           \
        shmem_ctx_quiet(ctx);                                                                    \
        shmem_barrier_all();                                                                     \
    }

#define OF_TYPE(N, T)                                                                            \
    CASE(N, T, 1, shmem_##N##_put_signal, shmem_ctx_##N##_put_signal, shmem_##N##_put_signal_nbi, \
         shmem_ctx_##N##_put_signal_nbi)
typedef struct { uint8_t b[1]; } e8;
typedef struct { uint8_t b[2]; } e16;
typedef struct { uint8_t b[4]; } e32;
typedef struct { uint8_t b[8]; } e64;
typedef struct { uint8_t b[16]; } e128;
#define OF_SIZE(S)                                                                               \
    CASE(S, e##S, 1, shmem_put##S##_signal, shmem_ctx_put##S##_signal, shmem_put##S##_signal_nbi, \
         shmem_ctx_put##S##_signal_nbi)

STANDARD_TYPES(OF_TYPE)
SIZES(OF_SIZE)
CASE(mem, e32, 4, shmem_putmem_signal, shmem_ctx_putmem_signal, shmem_putmem_signal_nbi, shmem_ctx_putmem_signal_nbi)

void signals(void)
{
#define CALL_TYPE(N, T) signal_##N();
    STANDARD_TYPES(CALL_TYPE)
#define CALL_SIZE(S) signal_##S();
    SIZES(CALL_SIZE)
    signal_mem();

    memset(sig, 0, sizeof sig);
    shmem_barrier_all();
    shmem_signal_set(&sig[0], 9, next);
    (shmem_ctx_signal_set)(ctx, &sig[1], 10, next);
    shmem_signal_add(&sig[2], 1, 0);
    (shmem_ctx_signal_add)(ctx, &sig[3], 2, 0);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    CHECK(sig[0] == 9 && sig[1] == 10);
    CHECK(me != 0 || (sig[2] == (uint64_t)n && sig[3] == (uint64_t)(2 * n)));
    shmem_barrier_all();
    /* Without data to copy, the signal is still sent. */
    shmem_putmem_signal(NULL, NULL, 0, &sig[0], 1, SHMEM_SIGNAL_ADD, next);
    shmem_signal_wait_until(&sig[0], SHMEM_CMP_EQ, 10);
    shmem_barrier_all();
}
