/* What programs and libphilae_shmem.so share below shmem.h: where memory lies, and how to wake a PE
   that sleeps. Programs use none of it directly. crates/nic/shmem/src/abi.rs has the same structures; a
   test compares them. */
#ifndef PHILAE_SHMEM_ABI_H
#define PHILAE_SHMEM_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a PE's memory lies in this process: the distances to add to addresses of this PE. */
typedef struct { intptr_t heap, data; } philae_shmem_window;
#define PHILAE_SHMEM_REMOTE INTPTR_MIN /* not mapped here: through the NIC */

/* The target of shmem_ctx_t. */
struct philae_shmem_ctx {
    const philae_shmem_window *windows; /* by PE of the context's team */
    uint32_t n_pes;               /* 0: every call takes the long form, which checks it */
    uint32_t remote_pending;         /* nonzero: operations went through the NIC since the last quiet */
    void *library;                /* the library's own part; null: none, or destroyed */
};

/* The target of shmem_team_t. */
struct philae_shmem_team {
    int32_t me, n_pes; /* -1: none, or destroyed */
    void *library;
};

/* One per PE, just before its heap: 4 KiB. The library keeps more after these members. */
struct philae_shmem_control {
    uint32_t sleepers; /* not 0: threads of that PE may be sleeping until memory changes */
    uint32_t bell;     /* the futex that they sleep on */
};
#define PHILAE_SHMEM_CONTROL_BYTES 4096

struct philae_shmem_here {
    uintptr_t heap; /* the heap of this PE, without the control page */
    size_t heap_bytes;
    uintptr_t data; /* the program's static data, which is also in shared memory */
    size_t data_bytes;
    struct philae_shmem_control *control; /* heap - 4096 */
    uint32_t local_atomics;                /* 1: the processor does atomics on this host; 0: NIC */
    int32_t me, n_pes;                    /* -1 before shmem_init and after shmem_finalize */
    uint32_t tells_waits;                 /* 1: a trace records waits: none may end in the header */
};

extern struct philae_shmem_here philae_shmem_here;
extern struct philae_shmem_ctx philae_shmem_ctx_default;
extern struct philae_shmem_ctx philae_shmem_ctx_invalid; /* n_pes is always 0 */
extern struct philae_shmem_team philae_shmem_team_world;
extern struct philae_shmem_team philae_shmem_team_shared;

/* Wakes the sleeping threads of a PE after its memory was changed. */
void philae_shmem_wake(struct philae_shmem_control *control);

#ifdef __cplusplus
}
#endif
#endif
