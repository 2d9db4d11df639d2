/* Reductions and scans, compared with a loop. */
#include "meaning.h"

#define LENGTH 5
#define ELEMENT(pe, i) (1 + ((pe) * 3 + (i)) % 4)

/* The expected result, in a type that holds every result of small numbers exactly. */
#define EXPECT(T, i, first, op)                                                                  \
    T expected = (T)ELEMENT(0, i);                                                               \
    int pe;                                                                                      \
    for (pe = 1; pe < n; pe++) {                                                                 \
        T a = expected, b = (T)ELEMENT(pe, i);                                                   \
        expected = (T)(op);                                                                      \
    }

#define REDUCE(N, T, name, op)                                                                   \
    static T name##_from_##N[LENGTH], name##_to_##N[LENGTH];                                     \
    static void name##_##N(void)                                                                 \
    {                                                                                            \
        int i;                                                                                   \
        for (i = 0; i < LENGTH; i++) name##_from_##N[i] = (T)ELEMENT(me, i);                     \
        shmem_barrier_all();                                                                     \
        CHECK(shmem_##N##_##name##_reduce(SHMEM_TEAM_WORLD, name##_to_##N, name##_from_##N, LENGTH) == 0); \
        for (i = 0; i < LENGTH; i++) {                                                           \
            EXPECT(T, i, 1, op)                                                                  \
            CHECK(name##_to_##N[i] == expected);                                                 \
        }                                                                                        \
        shmem_barrier_all();                                                                     \
        CHECK(shmem_##N##_##name##_reduce(SHMEM_TEAM_WORLD, name##_from_##N, name##_from_##N, LENGTH) == 0); \
        for (i = 0; i < LENGTH; i++) CHECK(name##_from_##N[i] == name##_to_##N[i]);              \
        shmem_barrier_all();                                                                     \
    }

#define SCAN(N, T)                                                                               \
    static T scan_from_##N[LENGTH], in_to_##N[LENGTH], ex_to_##N[LENGTH];                        \
    static void scan_##N(void)                                                                   \
    {                                                                                            \
        int i, pe;                                                                               \
        for (i = 0; i < LENGTH; i++) scan_from_##N[i] = (T)ELEMENT(me, i), ex_to_##N[i] = (T)77; \
        shmem_barrier_all();                                                                     \
        CHECK(shmem_##N##_sum_inscan(SHMEM_TEAM_WORLD, in_to_##N, scan_from_##N, LENGTH) == 0);  \
        CHECK(shmem_##N##_sum_exscan(SHMEM_TEAM_WORLD, ex_to_##N, scan_from_##N, LENGTH) == 0);  \
        for (i = 0; i < LENGTH; i++) {                                                           \
            T sum = 0;                                                                           \
            for (pe = 0; pe < me; pe++) sum = (T)(sum + (T)ELEMENT(pe, i));                      \
            CHECK(ex_to_##N[i] == sum);                                                          \
            CHECK(in_to_##N[i] == (T)(sum + (T)ELEMENT(me, i)));                                 \
        }                                                                                        \
        shmem_barrier_all();                                                                     \
    }

#define BITWISE(N, T) REDUCE(N, T, and, a & b) REDUCE(N, T, or, a | b) REDUCE(N, T, xor, a ^ b)
#define ORDERED(N, T) REDUCE(N, T, max, a > b ? a : b) REDUCE(N, T, min, a < b ? a : b)
#define ARITHMETIC(N, T) REDUCE(N, T, sum, a + b) REDUCE(N, T, prod, a * b) SCAN(N, T)
REDUCE_BITWISE_TYPES(BITWISE)
STANDARD_TYPES(ORDERED)
STANDARD_TYPES(ARITHMETIC)
COMPLEX_TYPES(ARITHMETIC)

void reductions(void)
{
#define CALL_BITWISE(N, T) and_##N(), or_##N(), xor_##N();
    REDUCE_BITWISE_TYPES(CALL_BITWISE)
#define CALL_ORDERED(N, T) max_##N(), min_##N();
    STANDARD_TYPES(CALL_ORDERED)
#define CALL_ARITHMETIC(N, T) sum_##N(), prod_##N(), scan_##N();
    STANDARD_TYPES(CALL_ARITHMETIC)
    COMPLEX_TYPES(CALL_ARITHMETIC)
}
