/* The building blocks of the API's bodies: the local path inline, everything else through the long
   forms of philae/shmem_core.h. The same text serves programs, which inline it, and the library,
   which exports it. Not for programs. */
#ifndef PHILAE_SHMEM_INLINE_H
#define PHILAE_SHMEM_INLINE_H

#include <philae/shmem_core.h>

#define PHILAE_SHMEM_INLINE extern __inline__ __attribute__((__gnu_inline__, __always_inline__))
#define PHILAE_SHMEM_LIKELY(condition) __builtin_expect(!!(condition), 1)

#ifdef __cplusplus
extern "C" {
#endif

/* Where `count` elements of `size` bytes at the symmetric address of that PE lie in this process;
   null: the long form finds out. */
PHILAE_SHMEM_INLINE void *philae_shmem_at(const struct philae_shmem_ctx *ctx, const void *address, size_t count,
                                          size_t size, int pe)
{
    if (PHILAE_SHMEM_LIKELY((uint32_t)pe < ctx->n_pes)) {
        const philae_shmem_window *window = ctx->windows + pe;
        uintptr_t offset = (uintptr_t)address - philae_shmem_here.heap;
        if (PHILAE_SHMEM_LIKELY(offset < philae_shmem_here.heap_bytes &&
                                count <= (philae_shmem_here.heap_bytes - offset) / size &&
                                window->heap != PHILAE_SHMEM_REMOTE))
            return (void *)((uintptr_t)address + (uintptr_t)window->heap);
        offset = (uintptr_t)address - philae_shmem_here.data;
        if (offset < philae_shmem_here.data_bytes && count <= (philae_shmem_here.data_bytes - offset) / size &&
            window->data != PHILAE_SHMEM_REMOTE)
            return (void *)((uintptr_t)address + (uintptr_t)window->data);
    }
    return 0;
}

/* The same for atomic operations: only if atomics on local PEs are the processor's. */
PHILAE_SHMEM_INLINE void *philae_shmem_amo_at(const struct philae_shmem_ctx *ctx, const void *address, size_t size, int pe)
{
    if (PHILAE_SHMEM_LIKELY(philae_shmem_here.local_atomics && ((uintptr_t)address & (size - 1)) == 0))
        return philae_shmem_at(ctx, address, 1, size, pe);
    return 0;
}

/* The memory of a local PE was changed: wakes its sleeping threads. The sleeper makes up for a read
   here that is too early: after it has announced its sleep, it makes every processor pass a
   barrier, and polls once more. */
PHILAE_SHMEM_INLINE void philae_shmem_changed(const struct philae_shmem_ctx *ctx, int pe)
{
    struct philae_shmem_control *control =
        (struct philae_shmem_control *)((uintptr_t)philae_shmem_here.control + (uintptr_t)ctx->windows[pe].heap);
    if (!PHILAE_SHMEM_LIKELY(__atomic_load_n(&control->sleepers, __ATOMIC_RELAXED) == 0)) philae_shmem_wake(control);
}

/* --- put and get ------------------------------------------------------------------------------ */
PHILAE_SHMEM_INLINE void philae_shmem_local_put(const char *what, philae_shmem_ctx_t ctx, void *dest, const void *source,
                                               size_t count, size_t size, int pe, unsigned flags)
{
    void *at = philae_shmem_at(ctx, dest, count, size, pe);
    if (PHILAE_SHMEM_LIKELY(at != 0)) {
        __builtin_memcpy(at, source, count * size);
        philae_shmem_changed(ctx, pe);
        return;
    }
    philae_shmem_put(what, ctx, dest, source, count, size, pe, flags);
}

PHILAE_SHMEM_INLINE void philae_shmem_local_get(const char *what, philae_shmem_ctx_t ctx, void *dest, const void *source,
                                               size_t count, size_t size, int pe, unsigned flags)
{
    const void *at = philae_shmem_at(ctx, source, count, size, pe);
    if (PHILAE_SHMEM_LIKELY(at != 0)) {
        __builtin_memcpy(dest, at, count * size);
        return;
    }
    philae_shmem_get(what, ctx, dest, source, count, size, pe, flags);
}

/* The number of elements from the first of the first block to the last of the last; SIZE_MAX: not a
   legal range. */
PHILAE_SHMEM_INLINE size_t philae_shmem_span(ptrdiff_t stride, size_t bsize, size_t nblocks)
{
    size_t steps, span;
    if (stride < 1 || nblocks == 0) return SIZE_MAX;
    if (__builtin_mul_overflow(nblocks - 1, (size_t)stride, &steps) || __builtin_add_overflow(steps, bsize, &span))
        return SIZE_MAX;
    return span;
}

PHILAE_SHMEM_INLINE void philae_shmem_copy_blocks(char *to, const char *from, ptrdiff_t dst, ptrdiff_t sst,
                                                  size_t bsize, size_t nblocks, size_t size)
{
    size_t block;
    for (block = 0; block < nblocks; block++) {
        __builtin_memcpy(to, from, bsize * size);
        to += (size_t)dst * size;
        from += (size_t)sst * size;
    }
}

PHILAE_SHMEM_INLINE void philae_shmem_local_put_strided(const char *what, philae_shmem_ctx_t ctx, void *dest,
                                                       const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                                                       size_t nblocks, size_t size, int pe)
{
    void *at = philae_shmem_at(ctx, dest, philae_shmem_span(dst, bsize, nblocks), size, pe);
    if (PHILAE_SHMEM_LIKELY(at != 0 && sst >= 1)) {
        philae_shmem_copy_blocks((char *)at, (const char *)source, dst, sst, bsize, nblocks, size);
        philae_shmem_changed(ctx, pe);
        return;
    }
    philae_shmem_put_strided(what, ctx, dest, source, dst, sst, bsize, nblocks, size, pe);
}

PHILAE_SHMEM_INLINE void philae_shmem_local_get_strided(const char *what, philae_shmem_ctx_t ctx, void *dest,
                                                       const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                                                       size_t nblocks, size_t size, int pe)
{
    const void *at = philae_shmem_at(ctx, source, philae_shmem_span(sst, bsize, nblocks), size, pe);
    if (PHILAE_SHMEM_LIKELY(at != 0 && dst >= 1)) {
        philae_shmem_copy_blocks((char *)dest, (const char *)at, dst, sst, bsize, nblocks, size);
        return;
    }
    philae_shmem_get_strided(what, ctx, dest, source, dst, sst, bsize, nblocks, size, pe);
}

/* --- signals ---------------------------------------------------------------------------------- */
PHILAE_SHMEM_INLINE void philae_shmem_local_put_signal(const char *what, philae_shmem_ctx_t ctx, void *dest,
                                                      const void *source, size_t count, size_t size,
                                                      uint64_t *sig_addr, uint64_t signal, int sig_op, int pe,
                                                      unsigned flags)
{
    uint64_t *bell = (uint64_t *)philae_shmem_amo_at(ctx, sig_addr, sizeof *sig_addr, pe);
    void *at = count == 0 ? (void *)bell : philae_shmem_at(ctx, dest, count, size, pe);
    if (PHILAE_SHMEM_LIKELY(bell != 0 && at != 0 &&
                            (sig_op == PHILAE_SHMEM_SIGNAL_SET || sig_op == PHILAE_SHMEM_SIGNAL_ADD))) {
        if (count != 0) __builtin_memcpy(at, source, count * size);
        if (sig_op == PHILAE_SHMEM_SIGNAL_SET)
            __atomic_store_n(bell, signal, __ATOMIC_RELEASE);
        else
            (void)__atomic_fetch_add(bell, signal, __ATOMIC_SEQ_CST);
        philae_shmem_changed(ctx, pe);
        return;
    }
    philae_shmem_put_signal(what, ctx, dest, source, count, size, sig_addr, signal, sig_op, pe, flags);
}

PHILAE_SHMEM_INLINE uint64_t philae_shmem_local_signal_fetch(const uint64_t *sig_addr)
{
    return __atomic_load_n(sig_addr, __ATOMIC_ACQUIRE);
}

/* --- ordering --------------------------------------------------------------------------------- */
PHILAE_SHMEM_INLINE void philae_shmem_local_fence(const char *what, philae_shmem_ctx_t ctx)
{
    if (PHILAE_SHMEM_LIKELY(ctx->n_pes != 0 && ctx->remote_pending == 0))
        __atomic_thread_fence(__ATOMIC_RELEASE);
    else
        philae_shmem_fence(what, ctx);
}

PHILAE_SHMEM_INLINE void philae_shmem_local_quiet(const char *what, philae_shmem_ctx_t ctx)
{
    if (PHILAE_SHMEM_LIKELY(ctx->n_pes != 0 && ctx->remote_pending == 0))
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    else
        philae_shmem_quiet(what, ctx);
}

PHILAE_SHMEM_INLINE void *philae_shmem_local_ptr(const char *what, const void *dest, int pe)
{
    void *at = philae_shmem_at(&philae_shmem_ctx_default, dest, 1, 1, pe);
    return PHILAE_SHMEM_LIKELY(at != 0) ? at : philae_shmem_ptr(what, &philae_shmem_team_world, dest, pe);
}

#ifdef __cplusplus
}
#endif

/* --- what depends on the type: macros, each the whole body of a function ---------------------- */

/* The core's type of a C integer type. */
#define PHILAE_SHMEM_BY_SIZE(T, bits8, bits16, bits32, bits64) \
    (sizeof(T) == 8 ? bits64 : sizeof(T) == 4 ? bits32 : sizeof(T) == 2 ? bits16 : bits8)
#define PHILAE_SHMEM_SIGNED(T) \
    PHILAE_SHMEM_BY_SIZE(T, PHILAE_SHMEM_I8, PHILAE_SHMEM_I16, PHILAE_SHMEM_I32, PHILAE_SHMEM_I64)
#define PHILAE_SHMEM_UNSIGNED(T) \
    PHILAE_SHMEM_BY_SIZE(T, PHILAE_SHMEM_U8, PHILAE_SHMEM_U16, PHILAE_SHMEM_U32, PHILAE_SHMEM_U64)
#ifdef __CHAR_UNSIGNED__
#define PHILAE_SHMEM_CHAR PHILAE_SHMEM_U8
#else
#define PHILAE_SHMEM_CHAR PHILAE_SHMEM_I8
#endif

/* One store, whatever the compiler knows about the code after it. */
#define PHILAE_SHMEM_P(what, ctx, T, dest, value, pe)                                            \
    {                                                                                            \
        T *philae_at = (T *)philae_shmem_at(ctx, dest, 1, sizeof(T), pe);                        \
        if (PHILAE_SHMEM_LIKELY(philae_at != 0)) {                                               \
            *(volatile T *)philae_at = value;                                                    \
            philae_shmem_changed(ctx, pe);                                                       \
        } else                                                                                   \
            philae_shmem_put(what, ctx, dest, &value, 1, sizeof(T), pe, 0);                      \
    }

#define PHILAE_SHMEM_G(what, ctx, T, source, pe)                                                 \
    {                                                                                            \
        T philae_value;                                                                          \
        const T *philae_at = (const T *)philae_shmem_at(ctx, source, 1, sizeof(T), pe);          \
        if (PHILAE_SHMEM_LIKELY(philae_at != 0)) return *(const volatile T *)philae_at;          \
        philae_shmem_get(what, ctx, &philae_value, source, 1, sizeof(T), pe, 0);                 \
        return philae_value;                                                                     \
    }

#define PHILAE_SHMEM_AMO_FETCHED(what, ctx, T, K, source, pe)                                    \
    {                                                                                            \
        T philae_value;                                                                          \
        T *philae_at = (T *)philae_shmem_amo_at(ctx, source, sizeof(T), pe);                     \
        if (PHILAE_SHMEM_LIKELY(philae_at != 0))                                                 \
            __atomic_load(philae_at, &philae_value, __ATOMIC_SEQ_CST);                           \
        else                                                                                     \
            philae_shmem_amo(what, ctx, PHILAE_SHMEM_AMO_FETCH, K, (void *)(uintptr_t)(source), 0, 0, &philae_value, pe, \
                             0);                                                                 \
        return philae_value;                                                                     \
    }

#define PHILAE_SHMEM_AMO_STORED(what, ctx, T, K, dest, value, pe)                                \
    {                                                                                            \
        T *philae_at = (T *)philae_shmem_amo_at(ctx, dest, sizeof(T), pe);                       \
        if (PHILAE_SHMEM_LIKELY(philae_at != 0)) {                                               \
            __atomic_store(philae_at, &value, __ATOMIC_SEQ_CST);                                 \
            philae_shmem_changed(ctx, pe);                                                       \
        } else                                                                                   \
            philae_shmem_amo(what, ctx, PHILAE_SHMEM_AMO_SET, K, dest, &value, 0, 0, pe, 0);     \
    }

#define PHILAE_SHMEM_AMO_SWAPPED(what, ctx, T, K, dest, value, pe)                               \
    {                                                                                            \
        T philae_value;                                                                          \
        T *philae_at = (T *)philae_shmem_amo_at(ctx, dest, sizeof(T), pe);                       \
        if (PHILAE_SHMEM_LIKELY(philae_at != 0)) {                                               \
            __atomic_exchange(philae_at, &value, &philae_value, __ATOMIC_SEQ_CST);               \
            philae_shmem_changed(ctx, pe);                                                       \
        } else                                                                                   \
            philae_shmem_amo(what, ctx, PHILAE_SHMEM_AMO_SET, K, dest, &value, 0, &philae_value, pe, 0); \
        return philae_value;                                                                     \
    }

#define PHILAE_SHMEM_AMO_COMPARED(what, ctx, T, K, dest, cond, value, pe)                        \
    {                                                                                            \
        T philae_value = cond;                                                                   \
        T *philae_at = (T *)philae_shmem_amo_at(ctx, dest, sizeof(T), pe);                       \
        if (PHILAE_SHMEM_LIKELY(philae_at != 0)) {                                               \
            (void)__atomic_compare_exchange_n(philae_at, &philae_value, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
            philae_shmem_changed(ctx, pe);                                                       \
        } else                                                                                   \
            philae_shmem_amo(what, ctx, PHILAE_SHMEM_AMO_COMPARE_SWAP, K, dest, &value, &cond, &philae_value, pe, 0); \
        return philae_value;                                                                     \
    }

/* op: add, and, or, xor; OP the same in capitals. */
#define PHILAE_SHMEM_AMO_CHANGED(what, ctx, T, K, op, OP, dest, value, pe)                       \
    {                                                                                            \
        const T philae_operand = value;                                                          \
        T *philae_at = (T *)philae_shmem_amo_at(ctx, dest, sizeof(T), pe);                       \
        if (PHILAE_SHMEM_LIKELY(philae_at != 0)) {                                               \
            (void)__atomic_fetch_##op(philae_at, philae_operand, __ATOMIC_SEQ_CST);              \
            philae_shmem_changed(ctx, pe);                                                       \
        } else                                                                                   \
            philae_shmem_amo(what, ctx, PHILAE_SHMEM_AMO_##OP, K, dest, &philae_operand, 0, 0, pe, 0); \
    }

#define PHILAE_SHMEM_AMO_FETCH_CHANGED(what, ctx, T, K, op, OP, dest, value, pe)                 \
    {                                                                                            \
        const T philae_operand = value;                                                          \
        T philae_value;                                                                          \
        T *philae_at = (T *)philae_shmem_amo_at(ctx, dest, sizeof(T), pe);                       \
        if (PHILAE_SHMEM_LIKELY(philae_at != 0)) {                                               \
            philae_value = __atomic_fetch_##op(philae_at, philae_operand, __ATOMIC_SEQ_CST);     \
            philae_shmem_changed(ctx, pe);                                                       \
        } else                                                                                   \
            philae_shmem_amo(what, ctx, PHILAE_SHMEM_AMO_##OP, K, dest, &philae_operand, 0, &philae_value, pe, 0); \
        return philae_value;                                                                     \
    }

/* The nonblocking ones: on local PEs they complete immediately. */
#define PHILAE_SHMEM_NBI_FETCHED(what, ctx, T, K, fetch, source, pe)                             \
    {                                                                                            \
        T *philae_at = (T *)philae_shmem_amo_at(ctx, source, sizeof(T), pe);                     \
        if (PHILAE_SHMEM_LIKELY(philae_at != 0))                                                 \
            __atomic_load(philae_at, fetch, __ATOMIC_SEQ_CST);                                   \
        else                                                                                     \
            philae_shmem_amo(what, ctx, PHILAE_SHMEM_AMO_FETCH, K, (void *)(uintptr_t)(source), 0, 0, fetch, pe, \
                             PHILAE_SHMEM_NBI);                                                  \
    }

#define PHILAE_SHMEM_NBI_SWAPPED(what, ctx, T, K, fetch, dest, value, pe)                        \
    {                                                                                            \
        T *philae_at = (T *)philae_shmem_amo_at(ctx, dest, sizeof(T), pe);                       \
        if (PHILAE_SHMEM_LIKELY(philae_at != 0)) {                                               \
            __atomic_exchange(philae_at, &value, fetch, __ATOMIC_SEQ_CST);                       \
            philae_shmem_changed(ctx, pe);                                                       \
        } else                                                                                   \
            philae_shmem_amo(what, ctx, PHILAE_SHMEM_AMO_SET, K, dest, &value, 0, fetch, pe, PHILAE_SHMEM_NBI); \
    }

#define PHILAE_SHMEM_NBI_COMPARED(what, ctx, T, K, fetch, dest, cond, value, pe)                 \
    {                                                                                            \
        T *philae_at = (T *)philae_shmem_amo_at(ctx, dest, sizeof(T), pe);                       \
        if (PHILAE_SHMEM_LIKELY(philae_at != 0)) {                                               \
            T philae_value = cond;                                                               \
            (void)__atomic_compare_exchange_n(philae_at, &philae_value, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
            *(fetch) = philae_value;                                                             \
            philae_shmem_changed(ctx, pe);                                                       \
        } else                                                                                   \
            philae_shmem_amo(what, ctx, PHILAE_SHMEM_AMO_COMPARE_SWAP, K, dest, &value, &cond, fetch, pe, \
                             PHILAE_SHMEM_NBI);                                                  \
    }

#define PHILAE_SHMEM_NBI_FETCH_CHANGED(what, ctx, T, K, op, OP, fetch, dest, value, pe)          \
    {                                                                                            \
        const T philae_operand = value;                                                          \
        T *philae_at = (T *)philae_shmem_amo_at(ctx, dest, sizeof(T), pe);                       \
        if (PHILAE_SHMEM_LIKELY(philae_at != 0)) {                                               \
            *(fetch) = __atomic_fetch_##op(philae_at, philae_operand, __ATOMIC_SEQ_CST);         \
            philae_shmem_changed(ctx, pe);                                                       \
        } else                                                                                   \
            philae_shmem_amo(what, ctx, PHILAE_SHMEM_AMO_##OP, K, dest, &philae_operand, 0, fetch, pe, PHILAE_SHMEM_NBI); \
    }

/* One poll, which may be enough; the long form refuses a comparison that is not one of
   SHMEM_CMP_*. */
#define PHILAE_SHMEM_HOLDS(left, cmp, right)                                                     \
    ((cmp) == PHILAE_SHMEM_CMP_EQ   ? (left) == (right)                                          \
     : (cmp) == PHILAE_SHMEM_CMP_NE ? (left) != (right)                                          \
     : (cmp) == PHILAE_SHMEM_CMP_GT ? (left) > (right)                                           \
     : (cmp) == PHILAE_SHMEM_CMP_LE ? (left) <= (right)                                          \
     : (cmp) == PHILAE_SHMEM_CMP_LT ? (left) < (right)                                           \
     : (cmp) == PHILAE_SHMEM_CMP_GE ? (left) >= (right)                                          \
                                    : 0)

#define PHILAE_SHMEM_LOOK(T, ivar, cmp, value)                                                   \
    ((ivar) != 0 && PHILAE_SHMEM_HOLDS(__atomic_load_n(ivar, __ATOMIC_ACQUIRE), cmp, value) &&   \
     PHILAE_SHMEM_LIKELY(philae_shmem_here.tells_waits == 0))

#define PHILAE_SHMEM_WAITED(what, T, K, ivar, cmp, value)                                        \
    {                                                                                            \
        if (!PHILAE_SHMEM_LOOK(T, ivar, cmp, value))                                             \
            (void)philae_shmem_wait(what, PHILAE_SHMEM_WAIT_ALL, K, ivar, 1, 0, 0, cmp, &value); \
    }

#define PHILAE_SHMEM_TESTED(what, T, K, ivar, cmp, value)                                        \
    {                                                                                            \
        if (PHILAE_SHMEM_LOOK(T, ivar, cmp, value)) return 1;                                    \
        return (int)philae_shmem_wait(what, PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST, K, ivar, 1, 0, 0, cmp, \
                                      &value);                                                   \
    }

#endif
