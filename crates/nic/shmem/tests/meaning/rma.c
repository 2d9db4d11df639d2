/* Put and get: each PE writes to the next one, and reads from it. Element i of PE p is p * 8 +
   i. */
#include "meaning.h"

#define TYPED(id, op) shmem_##id##_##op
#define TYPED_CTX(id, op) shmem_ctx_##id##_##op
#define TYPED_NBI(id, op) shmem_##id##_##op##_nbi
#define TYPED_CTX_NBI(id, op) shmem_ctx_##id##_##op##_nbi
#define SIZED(id, op) shmem_##op##id
#define SIZED_CTX(id, op) shmem_ctx_##op##id
#define SIZED_NBI(id, op) shmem_##op##id##_nbi
#define SIZED_CTX_NBI(id, op) shmem_ctx_##op##id##_nbi

typedef struct { uint64_t low, high; } wide;
static wide make_wide(int i) { wide w = {(uint64_t)i, (uint64_t)i << 8}; return w; }
static int is_wide(wide w, int i) { return w.low == (uint64_t)i && w.high == (uint64_t)i << 8; }
#define MAKE(T, i) ((T)(i))
#define IS(T, x, i) ((x) == (T)(i))
#define MAKE_WIDE(T, i) make_wide(i)
#define IS_WIDE(T, x, i) is_wide(x, i)

/* Contiguous: whole arrays, on the default context and on another, blocking and not. */
#define CONTIGUOUS(id, T, B, NAME, CTX, NBI, CTX_NBI, MAKE, IS)                                  \
    static T put_##id[40], home_##id[40];                                                        \
    static void contiguous_##id(void)                                                            \
    {                                                                                            \
        T source[40], got[40];                                                                   \
        int i;                                                                                   \
        for (i = 0; i < 40; i++) source[i] = home_##id[i] = MAKE(T, me * 8 + i);                 \
        memset(put_##id, 0, sizeof put_##id);                                                    \
        memset(got, 0, sizeof got);                                                              \
        shmem_barrier_all();                                                                     \
        NAME(id, put)(put_##id, source, 5 * B, next);                                            \
        CTX(id, put)(ctx, put_##id + 5, source + 5, 5 * B, next);                                \
        NBI(id, put)(put_##id + 10, source + 10, 6 * B, next);                                   \
        CTX_NBI(id, put)(ctx, put_##id + 16, source + 16, 6 * B, next);                          \
        NAME(id, put)(NULL, NULL, 0, next);                                                      \
        shmem_quiet();                                                                           \
        shmem_ctx_quiet(ctx);                                                                    \
        shmem_barrier_all();                                                                     \
        for (i = 0; i < 22; i++) CHECK(IS(T, put_##id[i], previous * 8 + i));                    \
        for (i = 22; i < 40; i++) CHECK(IS(T, put_##id[i], 0));                                  \
        NAME(id, get)(got, home_##id, 5 * B, next);                                              \
        CTX(id, get)(ctx, got + 5, home_##id + 5, 5 * B, next);                                  \
        for (i = 0; i < 10; i++) CHECK(IS(T, got[i], next * 8 + i));                             \
        NBI(id, get)(got + 10, home_##id + 10, 6 * B, next);                                     \
        CTX_NBI(id, get)(ctx, got + 16, home_##id + 16, 6 * B, next);                            \
        shmem_quiet();                                                                           \
        shmem_ctx_quiet(ctx);                                                                    \
        for (i = 0; i < 22; i++) CHECK(IS(T, got[i], next * 8 + i));                             \
        for (i = 22; i < 40; i++) CHECK(IS(T, got[i], 0));                                       \
        shmem_barrier_all();                                                                     \
    }

/* Strided and by blocks. */
#define STRIDED(id, T, NAME, CTX, MAKE, IS)                                                      \
    static T iput_##id[80];                                                                      \
    static void strided_##id(void)                                                               \
    {                                                                                            \
        T source[40], got[80];                                                                   \
        int i, j;                                                                                \
        for (i = 0; i < 40; i++) source[i] = MAKE(T, me * 8 + i);                                \
        memset(iput_##id, 0, sizeof iput_##id);                                                  \
        memset(got, 0, sizeof got);                                                              \
        shmem_barrier_all();                                                                     \
        NAME(id, iput)(iput_##id, source, 2, 3, 4, next);                                        \
        CTX(id, iput)(ctx, iput_##id + 10, source, 3, 1, 3, next);                               \
        NAME(id, ibput)(iput_##id + 20, source, 5, 4, 2, 3, next);                               \
        CTX(id, ibput)(ctx, iput_##id + 40, source, 4, 5, 3, 2, next);                           \
        shmem_quiet();                                                                           \
        shmem_ctx_quiet(ctx);                                                                    \
        shmem_barrier_all();                                                                     \
        for (i = 0; i < 4; i++) CHECK(IS(T, iput_##id[2 * i], previous * 8 + 3 * i));            \
        CHECK(IS(T, iput_##id[1], 0) && IS(T, iput_##id[3], 0));                                 \
        for (i = 0; i < 3; i++) CHECK(IS(T, iput_##id[10 + 3 * i], previous * 8 + i));           \
        for (i = 0; i < 3; i++)                                                                  \
            for (j = 0; j < 2; j++) CHECK(IS(T, iput_##id[20 + 5 * i + j], previous * 8 + 4 * i + j)); \
        CHECK(IS(T, iput_##id[22], 0) && IS(T, iput_##id[24], 0));                               \
        for (i = 0; i < 2; i++)                                                                  \
            for (j = 0; j < 3; j++) CHECK(IS(T, iput_##id[40 + 4 * i + j], previous * 8 + 5 * i + j)); \
        NAME(id, iget)(got, home_##id, 2, 3, 4, next);                                           \
        CTX(id, iget)(ctx, got + 10, home_##id, 3, 1, 3, next);                                  \
        NAME(id, ibget)(got + 20, home_##id, 5, 4, 2, 3, next);                                  \
        CTX(id, ibget)(ctx, got + 40, home_##id, 4, 5, 3, 2, next);                              \
        for (i = 0; i < 4; i++) CHECK(IS(T, got[2 * i], next * 8 + 3 * i));                      \
        for (i = 0; i < 3; i++) CHECK(IS(T, got[10 + 3 * i], next * 8 + i));                     \
        for (i = 0; i < 3; i++)                                                                  \
            for (j = 0; j < 2; j++) CHECK(IS(T, got[20 + 5 * i + j], next * 8 + 4 * i + j));     \
        for (i = 0; i < 2; i++)                                                                  \
            for (j = 0; j < 3; j++) CHECK(IS(T, got[40 + 4 * i + j], next * 8 + 5 * i + j));     \
        CHECK(IS(T, got[1], 0) && IS(T, got[22], 0));                                            \
        shmem_barrier_all();                                                                     \
    }

/* One value. */
#define SINGLE(N, T)                                                                             \
    static T p_##N[3];                                                                           \
    static void single_##N(void)                                                                 \
    {                                                                                            \
        p_##N[2] = 0;                                                                            \
        shmem_barrier_all();                                                                     \
        shmem_##N##_p(&p_##N[0], (T)(me + 1), next);                                             \
        shmem_ctx_##N##_p(ctx, &p_##N[1], (T)(me + 2), next);                                    \
        shmem_ctx_quiet(ctx);                                                                    \
        shmem_barrier_all();                                                                     \
        CHECK(p_##N[0] == (T)(previous + 1) && p_##N[1] == (T)(previous + 2) && p_##N[2] == 0);  \
        CHECK(shmem_##N##_g(&p_##N[0], next) == (T)(me + 1));                                    \
        CHECK(shmem_ctx_##N##_g(ctx, &p_##N[1], next) == (T)(me + 2));                           \
        shmem_barrier_all();                                                                     \
    }

#define OF_TYPE(N, T)                                                                            \
    CONTIGUOUS(N, T, 1, TYPED, TYPED_CTX, TYPED_NBI, TYPED_CTX_NBI, MAKE, IS)                    \
    STRIDED(N, T, TYPED, TYPED_CTX, MAKE, IS)                                                    \
    SINGLE(N, T)
#define OF_SIZE(S, T, MAKE, IS)                                                                  \
    CONTIGUOUS(S, T, 1, SIZED, SIZED_CTX, SIZED_NBI, SIZED_CTX_NBI, MAKE, IS)                    \
    STRIDED(S, T, SIZED, SIZED_CTX, MAKE, IS)

STANDARD_TYPES(OF_TYPE)
OF_SIZE(8, uint8_t, MAKE, IS)
OF_SIZE(16, uint16_t, MAKE, IS)
OF_SIZE(32, uint32_t, MAKE, IS)
OF_SIZE(64, uint64_t, MAKE, IS)
OF_SIZE(128, wide, MAKE_WIDE, IS_WIDE)
CONTIGUOUS(mem, uint32_t, 4, SIZED, SIZED_CTX, SIZED_NBI, SIZED_CTX_NBI, MAKE, IS)

void rma(void)
{
#define CALL_TYPE(N, T) contiguous_##N(), strided_##N(), single_##N();
    STANDARD_TYPES(CALL_TYPE)
#define CALL_SIZE(S) contiguous_##S(), strided_##S();
    SIZES(CALL_SIZE)
    contiguous_mem();
}
