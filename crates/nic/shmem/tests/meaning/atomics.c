/* Atomics: each PE on the next one's variable, then all on PE 0's. */
#include "meaning.h"

#define EXTENDED(N, T)                                                                           \
    static T e_##N;                                                                              \
    static void extended_##N(void)                                                               \
    {                                                                                            \
        T old = 0;                                                                               \
        e_##N = 10;                                                                              \
        shmem_barrier_all();                                                                     \
        CHECK(shmem_##N##_atomic_fetch(&e_##N, next) == 10);                                     \
        shmem_##N##_atomic_set(&e_##N, 11, next);                                                \
        CHECK(shmem_##N##_atomic_swap(&e_##N, 12, next) == 11);                                  \
        CHECK(shmem_ctx_##N##_atomic_fetch(ctx, &e_##N, next) == 12);                            \
        shmem_ctx_##N##_atomic_set(ctx, &e_##N, 13, next);                                       \
        CHECK(shmem_ctx_##N##_atomic_swap(ctx, &e_##N, 14, next) == 13);                         \
        shmem_##N##_atomic_fetch_nbi(&old, &e_##N, next);                                        \
        shmem_quiet();                                                                           \
        CHECK(old == 14);                                                                        \
        shmem_##N##_atomic_swap_nbi(&old, &e_##N, 15, next);                                     \
        shmem_quiet();                                                                           \
        CHECK(old == 14);                                                                        \
        shmem_ctx_##N##_atomic_fetch_nbi(ctx, &old, &e_##N, next);                               \
        shmem_ctx_quiet(ctx);                                                                    \
        CHECK(old == 15);                                                                        \
        shmem_ctx_##N##_atomic_swap_nbi(ctx, &old, &e_##N, 16, next);                            \
        shmem_ctx_quiet(ctx);                                                                    \
        CHECK(old == 15);                                                                        \
        CHECK(shmem_##N##_fetch(&e_##N, next) == 16);                                            \
        shmem_##N##_set(&e_##N, 17, next);                                                       \
        CHECK(shmem_##N##_swap(&e_##N, 18, next) == 17);                                         \
        shmem_barrier_all();                                                                     \
        CHECK(e_##N == 18);                                                                      \
        shmem_barrier_all();                                                                     \
    }

#define STANDARD(N, T)                                                                           \
    static T s_##N, all_##N;                                                                     \
    static void standard_##N(void)                                                               \
    {                                                                                            \
        T old = 0;                                                                               \
        int i;                                                                                   \
        s_##N = 1;                                                                               \
        all_##N = 0;                                                                             \
        shmem_barrier_all();                                                                     \
        CHECK(shmem_##N##_atomic_compare_swap(&s_##N, 1, 2, next) == 1);                         \
        CHECK(shmem_##N##_atomic_compare_swap(&s_##N, 1, 9, next) == 2);                         \
        CHECK(shmem_ctx_##N##_atomic_compare_swap(ctx, &s_##N, 2, 3, next) == 2);                \
        CHECK(shmem_##N##_atomic_fetch_inc(&s_##N, next) == 3);                                  \
        CHECK(shmem_ctx_##N##_atomic_fetch_inc(ctx, &s_##N, next) == 4);                         \
        shmem_##N##_atomic_inc(&s_##N, next);                                                    \
        shmem_quiet();                                                                           \
        shmem_ctx_##N##_atomic_inc(ctx, &s_##N, next);                                           \
        shmem_ctx_quiet(ctx);                                                                    \
        CHECK(shmem_##N##_atomic_fetch_add(&s_##N, 10, next) == 7);                              \
        CHECK(shmem_ctx_##N##_atomic_fetch_add(ctx, &s_##N, 10, next) == 17);                    \
        shmem_##N##_atomic_add(&s_##N, 3, next);                                                 \
        shmem_quiet();                                                                           \
        shmem_ctx_##N##_atomic_add(ctx, &s_##N, 3, next);                                        \
        shmem_ctx_quiet(ctx);                                                                    \
        shmem_##N##_atomic_compare_swap_nbi(&old, &s_##N, 33, 34, next);                         \
        shmem_quiet();                                                                           \
        CHECK(old == 33);                                                                        \
        shmem_ctx_##N##_atomic_compare_swap_nbi(ctx, &old, &s_##N, 33, 35, next);                \
        shmem_ctx_quiet(ctx);                                                                    \
        CHECK(old == 34);                                                                        \
        shmem_##N##_atomic_fetch_inc_nbi(&old, &s_##N, next);                                    \
        shmem_quiet();                                                                           \
        CHECK(old == 34);                                                                        \
        shmem_ctx_##N##_atomic_fetch_inc_nbi(ctx, &old, &s_##N, next);                           \
        shmem_ctx_quiet(ctx);                                                                    \
        CHECK(old == 35);                                                                        \
        shmem_##N##_atomic_fetch_add_nbi(&old, &s_##N, 4, next);                                 \
        shmem_quiet();                                                                           \
        CHECK(old == 36);                                                                        \
        shmem_ctx_##N##_atomic_fetch_add_nbi(ctx, &old, &s_##N, 10, next);                       \
        shmem_ctx_quiet(ctx);                                                                    \
        CHECK(old == 40);                                                                        \
        CHECK(shmem_##N##_cswap(&s_##N, 50, 51, next) == 50);                                    \
        CHECK(shmem_##N##_finc(&s_##N, next) == 51);                                             \
        shmem_##N##_inc(&s_##N, next);                                                           \
        shmem_quiet();                                                                           \
        CHECK(shmem_##N##_fadd(&s_##N, 2, next) == 53);                                          \
        shmem_##N##_add(&s_##N, 5, next);                                                        \
        for (i = 0; i < 50; i++) {                                                               \
            shmem_##N##_atomic_inc(&all_##N, 0);                                                 \
            (void)shmem_##N##_atomic_fetch_add(&all_##N, 2, 0);                                  \
        }                                                                                        \
        shmem_barrier_all();                                                                     \
        CHECK(s_##N == 60);                                                                      \
        CHECK(me != 0 || all_##N == (T)(150 * n));                                               \
        shmem_barrier_all();                                                                     \
    }

#define BITWISE(N, T)                                                                            \
    static T b_##N;                                                                              \
    static void bitwise_##N(void)                                                                \
    {                                                                                            \
        T old = 0;                                                                               \
        b_##N = 0x0f;                                                                            \
        shmem_barrier_all();                                                                     \
        CHECK(shmem_##N##_atomic_fetch_and(&b_##N, 0x3c, next) == 0x0f);                         \
        CHECK(shmem_##N##_atomic_fetch_or(&b_##N, 0x31, next) == 0x0c);                          \
        CHECK(shmem_##N##_atomic_fetch_xor(&b_##N, 0x0f, next) == 0x3d);                         \
        shmem_##N##_atomic_and(&b_##N, 0x1e, next);                                              \
        shmem_quiet();                                                                           \
        shmem_##N##_atomic_or(&b_##N, 0x41, next);                                               \
        shmem_quiet();                                                                           \
        shmem_##N##_atomic_xor(&b_##N, 0x03, next);                                              \
        shmem_quiet();                                                                           \
        CHECK(shmem_ctx_##N##_atomic_fetch_and(ctx, &b_##N, 0x51, next) == 0x50);                \
        CHECK(shmem_ctx_##N##_atomic_fetch_or(ctx, &b_##N, 0x01, next) == 0x50);                 \
        CHECK(shmem_ctx_##N##_atomic_fetch_xor(ctx, &b_##N, 0x11, next) == 0x51);                \
        shmem_ctx_##N##_atomic_and(ctx, &b_##N, 0x60, next);                                     \
        shmem_ctx_quiet(ctx);                                                                    \
        shmem_ctx_##N##_atomic_or(ctx, &b_##N, 0x02, next);                                      \
        shmem_ctx_quiet(ctx);                                                                    \
        shmem_ctx_##N##_atomic_xor(ctx, &b_##N, 0x43, next);                                     \
        shmem_ctx_quiet(ctx);                                                                    \
        shmem_##N##_atomic_fetch_and_nbi(&old, &b_##N, 0x0f, next);                              \
        shmem_quiet();                                                                           \
        CHECK(old == 0x01);                                                                      \
        shmem_##N##_atomic_fetch_or_nbi(&old, &b_##N, 0x06, next);                               \
        shmem_quiet();                                                                           \
        CHECK(old == 0x01);                                                                      \
        shmem_##N##_atomic_fetch_xor_nbi(&old, &b_##N, 0x05, next);                              \
        shmem_quiet();                                                                           \
        CHECK(old == 0x07);                                                                      \
        shmem_ctx_##N##_atomic_fetch_and_nbi(ctx, &old, &b_##N, 0x03, next);                     \
        shmem_ctx_quiet(ctx);                                                                    \
        CHECK(old == 0x02);                                                                      \
        shmem_ctx_##N##_atomic_fetch_or_nbi(ctx, &old, &b_##N, 0x08, next);                      \
        shmem_ctx_quiet(ctx);                                                                    \
        CHECK(old == 0x02);                                                                      \
        shmem_ctx_##N##_atomic_fetch_xor_nbi(ctx, &old, &b_##N, 0x0f, next);                     \
        shmem_ctx_quiet(ctx);                                                                    \
        CHECK(old == 0x0a);                                                                      \
        shmem_barrier_all();                                                                     \
        CHECK(b_##N == 0x05);                                                                    \
        shmem_barrier_all();                                                                     \
    }

AMO_TYPES(EXTENDED)
AMO_FLOATS(EXTENDED)
AMO_TYPES(STANDARD)
BITWISE_TYPES(BITWISE)

void atomics(void)
{
#define CALL_EXTENDED(N, T) extended_##N();
    AMO_TYPES(CALL_EXTENDED)
    AMO_FLOATS(CALL_EXTENDED)
#define CALL_STANDARD(N, T) standard_##N();
    AMO_TYPES(CALL_STANDARD)
#define CALL_BITWISE(N, T) bitwise_##N();
    BITWISE_TYPES(CALL_BITWISE)
}
