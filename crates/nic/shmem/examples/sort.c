/* Integer sort by buckets, as in NAS IS and ISx: each PE has keys, and gets those of its own range
   from all others.

   Each PE reserves room on the target by one fetching addition and puts a whole bucket there; then
   it counts its own keys. */

#include "example.h"

int main(int argc, char **argv)
{
    size_t keys = 1 << 18, range = 1 << 19;
    const struct option options[] = {
        {"keys", &keys, 1, (size_t)1 << 32, "keys of each PE"},
        {"range", &range, 1, (size_t)1 << 31, "keys are less than this"},
    };
    start(argc, argv, "sort: integer sort by buckets; million keys per second", options, 2);
    const int me = shmem_my_pe(), n_pes = shmem_n_pes();
    const size_t width = (range + (size_t)n_pes - 1) / (size_t)n_pes;
    uint32_t *mine = own(keys, sizeof *mine);
    uint64_t checksum = 0;
    for (size_t i = 0; i < keys; i++) {
        mine[i] = (uint32_t)(random_at((uint64_t)me * keys + i) % range);
        checksum += random_at(mine[i]);
    }

    static uint64_t received; /* static data is symmetric */
    uint64_t *sends = symmetric((size_t)n_pes, sizeof *sends), *comes = symmetric((size_t)n_pes, sizeof *comes);
    shmem_barrier_all();
    const double began = seconds();

    /* Counts the keys for each PE, and sorts the keys by bucket. */
    for (size_t i = 0; i < keys; i++)
        sends[mine[i] / width]++;
    size_t *next = own((size_t)n_pes + 1, sizeof *next);
    for (int pe = 0; pe < n_pes; pe++)
        next[pe + 1] = next[pe] + sends[pe];
    uint32_t *buckets = own(keys, sizeof *buckets);
    for (size_t i = 0; i < keys; i++)
        buckets[next[mine[i] / width]++] = mine[i];

    /* Room for the most keys that any PE gets: symmetric memory has the same size on all PEs. */
    shmem_alltoall(SHMEM_TEAM_WORLD, comes, sends, 1);
    static uint64_t gets, most;
    gets = 0;
    for (int pe = 0; pe < n_pes; pe++)
        gets += comes[pe];
    shmem_max_reduce(SHMEM_TEAM_WORLD, &most, &gets, 1);
    uint32_t *bucket = symmetric(most > 0 ? most : 1, sizeof *bucket);

    /* Each PE begins with another target. */
    for (int i = 0; i < n_pes; i++) {
        const int pe = (me + i) % n_pes;
        const size_t count = sends[pe];
        if (count > 0) {
            const uint64_t at = shmem_atomic_fetch_add(&received, (uint64_t)count, pe);
            shmem_put_nbi(&bucket[at], &buckets[next[pe] - count], count, pe);
        }
    }
    shmem_barrier_all(); /* all puts are done, everywhere */

    /* A key is its index among the counts. */
    const uint32_t first = (uint32_t)((size_t)me * width);
    uint64_t wrong = received != gets;
    size_t *counts = own(width, sizeof *counts);
    for (size_t i = 0; i < gets; i++) {
        if (bucket[i] < first || bucket[i] - first >= width)
            wrong++;
        else
            counts[bucket[i] - first]++;
    }
    size_t at = 0;
    for (size_t key = 0; key < width; key++)
        for (size_t i = 0; i < counts[key]; i++)
            bucket[at++] = first + (uint32_t)key;
    const double took = max_of_all(seconds() - began);

    /* Checks that keys are in order within each PE and from each PE to the next, and that no key is
       lost. */
    static uint32_t before;
    const uint32_t none = 0;
    shmem_barrier_all();
    if (me + 1 < n_pes)
        shmem_uint32_put(&before, gets > 0 ? &bucket[gets - 1] : &none, 1, me + 1);
    shmem_barrier_all();
    uint64_t found = 0;
    for (size_t i = 0; i < gets; i++) {
        wrong += bucket[i] < (i > 0 ? bucket[i - 1] : before);
        found += random_at(bucket[i]);
    }
    wrong += sum_of_all(found) != sum_of_all(checksum);
    wrong += sum_of_all(gets) != (uint64_t)keys * (uint64_t)n_pes;
    if (me == 0)
        printf("sort: %d PEs, %zu keys each, %.3f million keys per second\n", n_pes, keys, (double)keys * n_pes / took * 1e-6);
    free(mine);
    free(next);
    free(buckets);
    free(counts);
    verdict(wrong, "the keys are in order over all PEs, and they are the ones that there were");
}
