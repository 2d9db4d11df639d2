/* Collectives that move data, on the world and on a team of every other PE. */
#include "meaning.h"

#define PES 16
static shmem_team_t some;

#define CASE(id, T, B, ALLTOALL, ALLTOALLS, BROADCAST, COLLECT, FCOLLECT)                        \
    static T from_##id[8 * PES], to_##id[8 * PES];                                               \
    static void fill_##id(void)                                                                  \
    {                                                                                            \
        int i;                                                                                   \
        for (i = 0; i < 8 * PES; i++) from_##id[i] = (T)((me * 16 + i) % 100), to_##id[i] = (T)101; \
        shmem_barrier_all();                                                                     \
    }                                                                                            \
    static void collective_##id(shmem_team_t team)                                               \
    {                                                                                            \
        int size = shmem_team_n_pes(team), mine = shmem_team_my_pe(team), root = size - 1, pe, i, at; \
        fill_##id();                                                                             \
        if (mine >= 0) {                                                                         \
            CHECK(BROADCAST(team, to_##id, from_##id, 3 * B, root) == 0);                        \
            at = shmem_team_translate_pe(team, root, SHMEM_TEAM_WORLD);                          \
            for (i = 0; i < 3; i++) CHECK(to_##id[i] == (T)((at * 16 + i) % 100));               \
            CHECK(to_##id[3] == (T)101);                                                         \
        }                                                                                        \
        fill_##id();                                                                             \
        if (mine >= 0) {                                                                         \
            CHECK(FCOLLECT(team, to_##id, from_##id, 2 * B) == 0);                               \
            for (pe = 0; pe < size; pe++) {                                                      \
                at = shmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD);                        \
                for (i = 0; i < 2; i++) CHECK(to_##id[2 * pe + i] == (T)((at * 16 + i) % 100));  \
            }                                                                                    \
            CHECK(to_##id[2 * size] == (T)101);                                                  \
        }                                                                                        \
        fill_##id();                                                                             \
        if (mine >= 0) {                                                                         \
            int place = 0;                                                                       \
            CHECK(COLLECT(team, to_##id, from_##id, (size_t)(mine % 3) * B) == 0);               \
            for (pe = 0; pe < size; pe++) {                                                      \
                at = shmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD);                        \
                for (i = 0; i < pe % 3; i++) CHECK(to_##id[place++] == (T)((at * 16 + i) % 100)); \
            }                                                                                    \
            CHECK(to_##id[place] == (T)101);                                                     \
        }                                                                                        \
        fill_##id();                                                                             \
        if (mine >= 0) {                                                                         \
            CHECK(ALLTOALL(team, to_##id, from_##id, 2 * B) == 0);                               \
            for (pe = 0; pe < size; pe++) {                                                      \
                at = shmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD);                        \
                for (i = 0; i < 2; i++) CHECK(to_##id[2 * pe + i] == (T)((at * 16 + 2 * mine + i) % 100)); \
            }                                                                                    \
        }                                                                                        \
        fill_##id();                                                                             \
        if (mine >= 0 && B == 1) {                                                               \
            CHECK(ALLTOALLS(team, to_##id, from_##id, 2, 3, 1) == 0);                            \
            for (pe = 0; pe < size; pe++) {                                                      \
                at = shmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD);                        \
                CHECK(to_##id[2 * pe] == (T)((at * 16 + 3 * mine) % 100) && to_##id[2 * pe + 1] == (T)101); \
            }                                                                                    \
        }                                                                                        \
        shmem_barrier_all();                                                                     \
    }

#define OF_TYPE(N, T)                                                                            \
    CASE(N, T, 1, shmem_##N##_alltoall, shmem_##N##_alltoalls, shmem_##N##_broadcast, shmem_##N##_collect, \
         shmem_##N##_fcollect)
STANDARD_TYPES(OF_TYPE)
CASE(mem, unsigned char, 1, shmem_alltoallmem, shmem_alltoallsmem, shmem_broadcastmem, shmem_collectmem, shmem_fcollectmem)

void collectives(void)
{
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &some) == 0);
#define CALL_TYPE(N, T) collective_##N(SHMEM_TEAM_WORLD), collective_##N(some);
    STANDARD_TYPES(CALL_TYPE)
    collective_mem(SHMEM_TEAM_WORLD), collective_mem(some);
    CHECK(shmem_int_broadcast(SHMEM_TEAM_INVALID, NULL, NULL, 0, 0) != 0);
    if (some != SHMEM_TEAM_INVALID) shmem_team_destroy(some);
    shmem_barrier_all();
}
