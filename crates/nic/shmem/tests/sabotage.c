/* Functions of the library that go wrong once, on PE 0: an update is lost, a key is wrong, an edge
   is too cold. The verification of the example programs has to detect it. */

#include <pshmem.h>

#include <stdint.h>

/* Whether this is PE 0's 5th call. */
static int is_the_one(void)
{
    static int calls;
    return pshmem_my_pe() == 0 && ++calls == 5;
}

void shmem_ctx_ulong_atomic_xor(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
{
    if (!is_the_one())
        pshmem_ctx_ulong_atomic_xor(ctx, dest, value, pe);
}

void shmem_ulong_atomic_inc(unsigned long *dest, int pe)
{
    if (!is_the_one())
        pshmem_ulong_atomic_inc(dest, pe);
}

/* There is one call for each target: the first goes wrong. */
void shmem_uint_put_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{
    static int calls;
    pshmem_uint_put_nbi(dest, source, pshmem_my_pe() == 0 && ++calls == 1 ? nelems - 1 : nelems, pe);
}

void shmem_double_put_signal(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    if (is_the_one()) { /* Before the signal: after it the target may already have read the edge. */
        const double cold = 0;
        pshmem_double_put(dest, &cold, 1, pe);
        pshmem_fence();
        dest++;
        source++;
        nelems--;
    }
    pshmem_double_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe);
}

int shmem_alltoallmem(shmem_team_t team, void *dest, const void *source, size_t nelems)
{
    int status = pshmem_alltoallmem(team, dest, source, nelems);
    if (is_the_one())
        ((double *)dest)[0] += 1e-6;
    return status;
}
