/* Histogram: the bins are distributed cyclically over the PEs, and each PE counts its samples into
   them by atomic increments.

   Then all PEs collect all bins, and each compares those that it can count alone. */

#include "example.h"

/* The bin of a sample: the sum of two random numbers, so that bins in the middle are fuller. */
static size_t bin_of(uint64_t sample, size_t bins)
{
    const uint64_t random = random_at(sample);
    return (size_t)(((random >> 32) % bins + (random & 0xffffffffu) % bins) / 2);
}

int main(int argc, char **argv)
{
    size_t bins = 1 << 12, samples = 1 << 18;
    const struct option options[] = {
        {"bins", &bins, 1, (size_t)1 << 31, "bins on all PEs together"},
        {"samples", &samples, 1, (size_t)1 << 40, "samples of each PE"},
    };
    start(argc, argv, "histogram: bins on all PEs, counted by atomic increments; million samples per second", options, 2);
    const int me = shmem_my_pe(), n_pes = shmem_n_pes();
    const size_t width = (bins + (size_t)n_pes - 1) / (size_t)n_pes;
    uint64_t *mine = symmetric(width, sizeof *mine), *all = symmetric(width * (size_t)n_pes, sizeof *all);

    shmem_barrier_all();
    const double began = seconds();
    const shmem_ctx_session_config_t config = {.total_ops = samples};
    shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
    for (size_t i = 0; i < samples; i++) {
        const size_t bin = bin_of((uint64_t)me * samples + i, bins);
        shmem_atomic_inc(&mine[bin / (size_t)n_pes], (int)(bin % (size_t)n_pes));
    }
    shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    shmem_barrier_all();
    const double took = max_of_all(seconds() - began);
    shmem_fcollect(SHMEM_TEAM_WORLD, all, mine, width); /* bin b is all[b % n_pes * width + b / n_pes] */

    /* All counted samples are there, and each of this PE's bins has the count that one PE alone
       finds. */
    uint64_t wrong = 0, counted = 0, fullest = 0;
    for (size_t bin = 0; bin < bins; bin++) {
        const uint64_t count = all[bin % (size_t)n_pes * width + bin / (size_t)n_pes];
        counted += count;
        if (count > fullest)
            fullest = count;
    }
    wrong += counted != (uint64_t)samples * (uint64_t)n_pes;
    uint64_t *expected = own(width, sizeof *expected);
    for (uint64_t i = 0; i < (uint64_t)samples * (uint64_t)n_pes; i++) {
        const size_t bin = bin_of(i, bins);
        if (bin % (size_t)n_pes == (size_t)me)
            expected[bin / (size_t)n_pes]++;
    }
    for (size_t i = 0; i < width; i++)
        wrong += mine[i] != expected[i];
    free(expected);
    if (me == 0)
        printf("histogram: %d PEs, %zu samples each into %zu bins (the fullest has %llu), %.3f million samples per second\n", n_pes,
               samples, bins, (unsigned long long)fullest, (double)samples * n_pes / took * 1e-6);
    verdict(wrong, "no sample is lost, and each bin has what one PE alone counts");
}
