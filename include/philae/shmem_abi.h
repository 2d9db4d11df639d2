/* What programs and libphilae_shmem.so share below shmem.h: where memory lies, and how a PE that sleeps is woken.
   Nothing here is for programs themselves. crates/shmem/src/abi.rs has the same structures; a test compares them. */
#ifndef PHILAE_SHMEM_ABI_H
#define PHILAE_SHMEM_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a PE's memory lies here: what is added to an address of one's own. */
typedef struct { intptr_t heap, data; } philae_shmem_way;
#define PHILAE_SHMEM_FAR INTPTR_MIN /* it does not lie here: through the NIC */

/* shmem_ctx_t points to one. */
struct philae_shmem_ctx {
    const philae_shmem_way *ways; /* by PE of the context's team */
    uint32_t n_pes;               /* 0: every call takes the long way, which checks and says what is wrong */
    uint32_t far_pending;         /* something went out by the NIC since the last quiet */
    void *library;                /* the library's own part; null: not there, or destroyed */
};

/* shmem_team_t points to one. */
struct philae_shmem_team {
    int32_t me, n_pes; /* -1: not there, or destroyed */
    void *library;
};

/* One per PE, just before its heap: 4 KiB. The library keeps more behind these. */
struct philae_shmem_control {
    uint32_t sleepers; /* not 0: threads of that PE may sleep until memory changes */
    uint32_t bell;     /* what they sleep on: a futex */
};
#define PHILAE_SHMEM_CONTROL_BYTES 4096

struct philae_shmem_here {
    uintptr_t heap; /* the heap of this PE, without the control page */
    size_t heap_bytes;
    uintptr_t data; /* the program's static data, in shared memory too */
    size_t data_bytes;
    struct philae_shmem_control *control; /* heap - 4096 */
    uint32_t near_atomics;                /* 1: atomics on PEs of this host are the processor's; 0: all go by the NIC */
    int32_t me, n_pes;                    /* -1 before shmem_init and after shmem_finalize */
    uint32_t tells_waits;                 /* 1: a trace is told of every wait for memory: none ends in the header */
};

extern struct philae_shmem_here philae_shmem_here;
extern struct philae_shmem_ctx philae_shmem_ctx_default;
extern struct philae_shmem_ctx philae_shmem_ctx_invalid; /* n_pes is always 0 */
extern struct philae_shmem_team philae_shmem_team_world;
extern struct philae_shmem_team philae_shmem_team_shared;

/* Threads of a PE sleep: they are woken after its memory was changed. */
void philae_shmem_wake(struct philae_shmem_control *control);

#ifdef __cplusplus
}
#endif
#endif
