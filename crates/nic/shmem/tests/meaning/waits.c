/* Waits and tests: the next PE changes what this one waits for. */
#include "meaning.h"

#define WAITED_TYPES(X) X(short, short) X(ushort, unsigned short) AMO_TYPES(X)

#define ONE(N, T)                                                                                \
    static T one_##N[2];                                                                         \
    static void one_wait_##N(void)                                                               \
    {                                                                                            \
        one_##N[0] = one_##N[1] = 3;                                                             \
        CHECK(shmem_##N##_test(&one_##N[0], SHMEM_CMP_EQ, 3) == 1);                              \
        CHECK(shmem_##N##_test(&one_##N[0], SHMEM_CMP_NE, 3) == 0);                              \
        CHECK(shmem_##N##_test(&one_##N[0], SHMEM_CMP_GT, 2) == 1);                              \
        CHECK(shmem_##N##_test(&one_##N[0], SHMEM_CMP_GE, 3) == 1);                              \
        CHECK(shmem_##N##_test(&one_##N[0], SHMEM_CMP_LT, 3) == 0);                              \
        CHECK(shmem_##N##_test(&one_##N[0], SHMEM_CMP_LE, 2) == 0);                              \
        shmem_barrier_all();                                                                     \
        shmem_##N##_p(&one_##N[0], 4, next);                                                     \
        shmem_##N##_wait_until(&one_##N[0], SHMEM_CMP_GE, 4);                                    \
        CHECK(one_##N[0] == 4);                                                                  \
        shmem_##N##_p(&one_##N[1], 1, next);                                                     \
        while (!shmem_##N##_test(&one_##N[1], SHMEM_CMP_LT, 2)) continue;                        \
        shmem_barrier_all();                                                                     \
    }
WAITED_TYPES(ONE)

/* Four variables; the third is excluded by status, and never changes. */
#define SEVERAL(N, T)                                                                            \
    static T v_##N[4];                                                                           \
    static void several_##N(void)                                                                \
    {                                                                                            \
        static const int status[4] = {0, 0, 1, 0}, none[4] = {1, 1, 1, 1};                       \
        const T values[4] = {5, 6, 7, 8};                                                        \
        size_t places[4], found, i;                                                              \
        memset(v_##N, 0, sizeof v_##N);                                                          \
        CHECK(shmem_##N##_test_all(v_##N, 4, NULL, SHMEM_CMP_EQ, 0) == 1);                       \
        CHECK(shmem_##N##_test_all(v_##N, 4, NULL, SHMEM_CMP_EQ, 1) == 0);                       \
        CHECK(shmem_##N##_test_all(v_##N, 4, none, SHMEM_CMP_EQ, 1) == 1);                       \
        CHECK(shmem_##N##_test_all(v_##N, 0, NULL, SHMEM_CMP_EQ, 1) == 1);                       \
        CHECK(shmem_##N##_test_all_vector(v_##N, 4, NULL, SHMEM_CMP_LT, values) == 1);           \
        CHECK(shmem_##N##_test_all_vector(v_##N, 4, NULL, SHMEM_CMP_EQ, values) == 0);           \
        CHECK(shmem_##N##_test_any(v_##N, 4, NULL, SHMEM_CMP_EQ, 1) == SIZE_MAX);                \
        CHECK(shmem_##N##_test_any_vector(v_##N, 4, NULL, SHMEM_CMP_EQ, values) == SIZE_MAX);    \
        CHECK(shmem_##N##_test_some(v_##N, 4, places, NULL, SHMEM_CMP_EQ, 1) == 0);              \
        CHECK(shmem_##N##_test_some_vector(v_##N, 4, places, NULL, SHMEM_CMP_EQ, values) == 0);  \
        CHECK(shmem_##N##_wait_until_any(v_##N, 4, none, SHMEM_CMP_EQ, 1) == SIZE_MAX);          \
        CHECK(shmem_##N##_wait_until_some(v_##N, 4, places, none, SHMEM_CMP_EQ, 1) == 0);        \
        shmem_barrier_all();                                                                     \
        shmem_##N##_atomic_set(&v_##N[1], 6, next);                                              \
        CHECK(shmem_##N##_wait_until_any(v_##N, 4, status, SHMEM_CMP_NE, 0) == 1);               \
        CHECK(shmem_##N##_wait_until_any_vector(v_##N, 4, status, SHMEM_CMP_EQ, values) == 1);   \
        CHECK(shmem_##N##_wait_until_some(v_##N, 4, places, status, SHMEM_CMP_EQ, 6) == 1 && places[0] == 1); \
        CHECK(shmem_##N##_wait_until_some_vector(v_##N, 4, places, status, SHMEM_CMP_EQ, values) == 1 && places[0] == 1); \
        CHECK(shmem_##N##_test_any(v_##N, 4, status, SHMEM_CMP_EQ, 6) == 1);                     \
        CHECK(shmem_##N##_test_any_vector(v_##N, 4, status, SHMEM_CMP_EQ, values) == 1);         \
        CHECK(shmem_##N##_test_some(v_##N, 4, places, status, SHMEM_CMP_EQ, 6) == 1 && places[0] == 1); \
        CHECK(shmem_##N##_test_some_vector(v_##N, 4, places, status, SHMEM_CMP_EQ, values) == 1 && places[0] == 1); \
        shmem_barrier_all();                                                                     \
        shmem_##N##_atomic_set(&v_##N[0], 5, next);                                              \
        shmem_##N##_atomic_set(&v_##N[3], 8, next);                                              \
        shmem_##N##_wait_until_all(v_##N, 4, status, SHMEM_CMP_NE, 0);                           \
        shmem_##N##_wait_until_all_vector(v_##N, 4, status, SHMEM_CMP_EQ, values);               \
        CHECK(v_##N[0] == 5 && v_##N[1] == 6 && v_##N[2] == 0 && v_##N[3] == 8);                 \
        found = shmem_##N##_wait_until_some(v_##N, 4, places, status, SHMEM_CMP_GT, 0);          \
        CHECK(found == 3);                                                                       \
        for (i = 0; i < found; i++) CHECK(places[i] != 2 && places[i] < 4);                      \
        for (found = 0; found < 4; found++) {                                                    \
            /* The search returns each word that satisfies the condition eventually. */          \
            unsigned seen = 0;                                                                   \
            for (i = 0; i < 6; i++)                                                              \
                seen |= 1u << (found == 0   ? shmem_##N##_test_any(v_##N, 4, status, SHMEM_CMP_GT, 0) \
                               : found == 1 ? shmem_##N##_wait_until_any(v_##N, 4, status, SHMEM_CMP_GT, 0) \
                               : found == 2 ? shmem_##N##_test_any_vector(v_##N, 4, status, SHMEM_CMP_GE, values) \
                                            : shmem_##N##_wait_until_any_vector(v_##N, 4, status, SHMEM_CMP_GE, values)); \
            CHECK(seen == 11);                                                                   \
        }                                                                                        \
        shmem_barrier_all();                                                                     \
    }
AMO_TYPES(SEVERAL)

#define OLD(N, T)                                                                                \
    static T old_##N;                                                                            \
    static void old_wait_##N(void)                                                               \
    {                                                                                            \
        old_##N = 0;                                                                             \
        shmem_barrier_all();                                                                     \
        shmem_##N##_p(&old_##N, 1, next);                                                        \
        shmem_##N##_wait(&old_##N, 0);                                                           \
        CHECK(old_##N == 1);                                                                     \
        shmem_barrier_all();                                                                     \
    }
OLD(short, short)
OLD(int, int)
OLD(long, long)
OLD(longlong, long long)

/* A session may hold a put back for the next: a PE that tests whether the others' puts have come
   issues its own. */
static void asked_in_a_session(void)
{
    static long asked;
    asked = 0;
    shmem_barrier_all();
    shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    shmem_long_p(&asked, 1, next);
    while (!shmem_long_test(&asked, SHMEM_CMP_EQ, 1)) continue;
    shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    shmem_barrier_all();
}

void waits(void)
{
    static long word;
#define CALL_ONE(N, T) one_wait_##N();
    WAITED_TYPES(CALL_ONE)
#define CALL_SEVERAL(N, T) several_##N();
    AMO_TYPES(CALL_SEVERAL)
    old_wait_short(), old_wait_int(), old_wait_long(), old_wait_longlong();
    word = 0;
    shmem_barrier_all();
    shmem_long_p(&word, 1, next);
    shmem_wait(&word, 0);
    (shmem_wait_until)(&word, SHMEM_CMP_EQ, 1);
    CHECK(word == 1);
    shmem_barrier_all();
    asked_in_a_session();
}
