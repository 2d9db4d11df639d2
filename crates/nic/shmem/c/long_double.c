/* Arithmetic of long double, which Rust lacks. */
#include <philae/shmem_core.h>

void philae_shmem_longdouble_combine(int op, void *into, const void *left, const void *right, size_t n)
{
    long double *to = into;
    const long double *a = left, *b = right;
    size_t i;

    switch (op) {
    case PHILAE_SHMEM_REDUCE_MAX:
        for (i = 0; i < n; i++) to[i] = a[i] < b[i] ? b[i] : a[i];
        break;
    case PHILAE_SHMEM_REDUCE_MIN:
        for (i = 0; i < n; i++) to[i] = b[i] < a[i] ? b[i] : a[i];
        break;
    case PHILAE_SHMEM_REDUCE_SUM:
        for (i = 0; i < n; i++) to[i] = a[i] + b[i];
        break;
    case PHILAE_SHMEM_REDUCE_PROD:
        for (i = 0; i < n; i++) to[i] = a[i] * b[i];
        break;
    default: /* the tables have no bitwise operations of floating-point types */
        break;
    }
}

void philae_shmem_longdouble_zero(void *into, size_t n)
{
    long double *to = into;
    size_t i;

    for (i = 0; i < n; i++) to[i] = 0;
}
