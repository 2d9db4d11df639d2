/* Every function of the API, by its meaning. Ends with 0 if everything behaved as the standard
   says. */
#include "meaning.h"

int me, n, next, previous, failures;
shmem_ctx_t ctx;

int main(void)
{
    static int before[2] = {7, 7};
    int provided = -1, code;

    shmem_query_initialized(&before[0]);
    if (before[0] != 0) failures++;
    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0 || provided != SHMEM_THREAD_MULTIPLE) failures++;
    shmem_query_initialized(&before[1]);
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    previous = (me + n - 1) % n;
    CHECK(before[1] != 0);
    CHECK(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx) == 0 && ctx != SHMEM_CTX_INVALID);
    rma();
    atomics();
    signals();
    waits();
    collectives();
    reductions();
    active_sets();
    setup();
    vendor();
    sandia();
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    code = failures != 0;
    shmem_finalize();
    return code;
}
