/* The deprecated collectives on active sets: all PEs, and every other one. */
#include "meaning.h"

#define PES 16
static long pSync[2][SHMEM_SYNC_SIZE];
static int turn;
#define NEXT_SYNC pSync[turn++ % 2]

#define MOVE(S, T)                                                                               \
    static T from_##S[4 * PES], to_##S[4 * PES];                                                 \
    static void fill_##S(void)                                                                   \
    {                                                                                            \
        int i;                                                                                   \
        for (i = 0; i < 4 * PES; i++) from_##S[i] = (T)(me * 100 + i), to_##S[i] = 9999;         \
        shmem_barrier_all();                                                                     \
    }                                                                                            \
    static void move_##S(int log_stride, int size)                                               \
    {                                                                                            \
        int stride = 1 << log_stride, is_in = me % stride == 0 && me / stride < size, mine = me / stride, pe, i, place = 0; \
        fill_##S();                                                                              \
        if (is_in) {                                                                             \
            shmem_broadcast##S(to_##S, from_##S, 2, 0, 0, log_stride, size, NEXT_SYNC);          \
            for (i = 0; i < 2; i++) CHECK(to_##S[i] == (T)(me == 0 ? 9999 : i));                 \
        }                                                                                        \
        fill_##S();                                                                              \
        if (is_in) {                                                                             \
            shmem_fcollect##S(to_##S, from_##S, 2, 0, log_stride, size, NEXT_SYNC);              \
            for (pe = 0; pe < size; pe++)                                                        \
                for (i = 0; i < 2; i++) CHECK(to_##S[2 * pe + i] == (T)(pe * stride * 100 + i)); \
        }                                                                                        \
        fill_##S();                                                                              \
        if (is_in) {                                                                             \
            shmem_collect##S(to_##S, from_##S, (size_t)(mine % 3), 0, log_stride, size, NEXT_SYNC); \
            for (pe = 0; pe < size; pe++)                                                        \
                for (i = 0; i < pe % 3; i++) CHECK(to_##S[place++] == (T)(pe * stride * 100 + i)); \
        }                                                                                        \
        fill_##S();                                                                              \
        if (is_in) {                                                                             \
            shmem_alltoall##S(to_##S, from_##S, 2, 0, log_stride, size, NEXT_SYNC);              \
            for (pe = 0; pe < size; pe++)                                                        \
                for (i = 0; i < 2; i++) CHECK(to_##S[2 * pe + i] == (T)(pe * stride * 100 + 2 * mine + i)); \
        }                                                                                        \
        fill_##S();                                                                              \
        if (is_in) {                                                                             \
            shmem_alltoalls##S(to_##S, from_##S, 2, 3, 1, 0, log_stride, size, NEXT_SYNC);       \
            for (pe = 0; pe < size; pe++) CHECK(to_##S[2 * pe] == (T)(pe * stride * 100 + 3 * mine)); \
        }                                                                                        \
        shmem_barrier_all();                                                                     \
    }
MOVE(32, uint32_t)
MOVE(64, uint64_t)

#define TO_ALL(N, T, name, op)                                                                   \
    static T name##_from_##N[3], name##_to_##N[3], name##_work_##N[8 + SHMEM_REDUCE_MIN_WRKDATA_SIZE]; \
    static void name##_##N(void)                                                                 \
    {                                                                                            \
        int i, pe;                                                                               \
        for (i = 0; i < 3; i++) name##_from_##N[i] = (T)(1 + (me + i) % 3);                      \
        shmem_barrier_all();                                                                     \
        shmem_##N##_##name##_to_all(name##_to_##N, name##_from_##N, 3, 0, 0, n, name##_work_##N, NEXT_SYNC); \
        for (i = 0; i < 3; i++) {                                                                \
            T expected = (T)(1 + i % 3);                                                         \
            for (pe = 1; pe < n; pe++) {                                                         \
                T a = expected, b = (T)(1 + (pe + i) % 3);                                       \
                expected = (T)(op);                                                              \
            }                                                                                    \
            CHECK(name##_to_##N[i] == expected);                                                 \
        }                                                                                        \
        shmem_barrier_all();                                                                     \
    }
#define OLD_BITWISE(X) X(short, short) X(int, int) X(long, long) X(longlong, long long)
#define OLD_ORDERED(X) OLD_BITWISE(X) AMO_FLOATS(X) X(longdouble, long double)
#define OLD_ARITHMETIC(X) OLD_ORDERED(X) COMPLEX_TYPES(X)
#define BITWISE(N, T) TO_ALL(N, T, and, a & b) TO_ALL(N, T, or, a | b) TO_ALL(N, T, xor, a ^ b)
#define ORDERED(N, T) TO_ALL(N, T, max, a > b ? a : b) TO_ALL(N, T, min, a < b ? a : b)
#define ARITHMETIC(N, T) TO_ALL(N, T, sum, a + b) TO_ALL(N, T, prod, a * b)
OLD_BITWISE(BITWISE)
OLD_ORDERED(ORDERED)
OLD_ARITHMETIC(ARITHMETIC)

void active_sets(void)
{
    static long word;
    size_t i;

    for (i = 0; i < SHMEM_SYNC_SIZE; i++) pSync[0][i] = pSync[1][i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    move_32(0, n), move_64(0, n);
    move_32(1, (n + 1) / 2), move_64(1, (n + 1) / 2);
#define CALL_BITWISE(N, T) and_##N(), or_##N(), xor_##N();
    OLD_BITWISE(CALL_BITWISE)
#define CALL_ORDERED(N, T) max_##N(), min_##N();
    OLD_ORDERED(CALL_ORDERED)
#define CALL_ARITHMETIC(N, T) sum_##N(), prod_##N();
    OLD_ARITHMETIC(CALL_ARITHMETIC)
    word = 0;
    shmem_barrier(0, 0, n, NEXT_SYNC);
    shmem_long_p(&word, me + 1, next);
    shmem_barrier(0, 0, n, NEXT_SYNC);
    CHECK(word == previous + 1);
    shmem_sync(0, 0, n, NEXT_SYNC);
    shmem_barrier_all();
}
