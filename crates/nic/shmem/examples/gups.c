/* Random access (GUPS): all PEs change random words of a table that is distributed over all of
   them, by atomic operations.

   The updates use a context of their own, in a session that announces many small ones, so that a
   NIC gets them in bundles. An update is an exclusive or: after all updates a second time, the
   table has its initial values. */

#include "example.h"

int main(int argc, char **argv)
{
    size_t words = 1 << 16, updates = 1 << 18, session = 1;
    const struct option options[] = {
        {"words", &words, 1, (size_t)1 << 40, "words of 8 bytes on each PE"},
        {"updates", &updates, 1, (size_t)1 << 40, "updates by each PE"},
        {"session", &session, 0, 1, "0: without a session, so that the NIC gets each update by itself"},
    };
    start(argc, argv, "gups: random updates of a table on all PEs; giga-updates per second", options, 3);
    const int me = shmem_my_pe(), n_pes = shmem_n_pes();
    uint64_t *table = symmetric(words, sizeof *table);
    const uint64_t total = (uint64_t)words * (uint64_t)n_pes;
    for (size_t i = 0; i < words; i++)
        table[i] = (uint64_t)me * words + i;

    shmem_ctx_t ctx;
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) != 0)
        ctx = SHMEM_CTX_DEFAULT;
    double took = 0;
    for (int round = 0; round < 2; round++) {
        shmem_barrier_all();
        const double began = seconds();
        const shmem_ctx_session_config_t config = {.total_ops = updates};
        if (session)
            shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
        for (size_t i = 0; i < updates; i++) {
            const uint64_t value = random_at((uint64_t)me * updates + i);
            const uint64_t at = value % total;
            shmem_atomic_xor(ctx, &table[at % words], value, (int)(at / words));
        }
        if (session)
            shmem_ctx_session_stop(ctx);
        shmem_ctx_quiet(ctx);
        shmem_barrier_all();
        if (round == 0)
            took = seconds() - began;
    }
    if (ctx != SHMEM_CTX_DEFAULT)
        shmem_ctx_destroy(ctx);

    uint64_t wrong = 0;
    for (size_t i = 0; i < words; i++)
        wrong += table[i] != (uint64_t)me * words + i;
    took = max_of_all(took);
    if (me == 0)
        printf("gups: %d PEs, %zu words and %zu updates each, %.6f GUPS (10^9 updates per second)\n", n_pes, words, updates,
               (double)updates * n_pes / took * 1e-9);
    shmem_free(table);
    verdict(wrong, "every update, done twice, leaves the table as it was");
}
