/* What calls of OpenSHMEM cost on one host, in short trials. It uses only what OpenSHMEM 1.4 has,
   so that old libraries compile it too.

   bench TRIALS [PIN [SHORT]]: PE 0 prints a line for each measure: its name and the mean
   nanoseconds of a call in each trial; the last line is "end". With PIN 1 every PE is pinned to a
   processor of its own. With 2 PEs it measures everything, with more PEs only the collectives. With
   SHORT 1 it measures only a barrier, and a sum and an alltoall of one word. It prints everything
   before shmem_finalize, and checks the data that was moved. */
#define _GNU_SOURCE
#include <sched.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    HOT = 1024,           /* longs that are written repeatedly: 8 KiB */
    SPREAD = 65536,       /* longs of random access: 512 KiB */
    LARGEST = 8 << 20,    /* bytes of the largest copy */
    TRIALS_MAX = 2001,
    SYNCS = 2             /* work arrays, used alternately: a call that all must enter frees the one before */
};

/* Everything that other PEs write lies in the heap: some libraries are slow elsewhere. */
struct symmetric {
    long psync[SYNCS][SHMEM_COLLECT_SYNC_SIZE + SHMEM_ALLTOALL_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE];
    long pwork[SYNCS][4096 / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
    long before[16], flag, after[15], go; /* a line for each */
};
static struct symmetric *all;
static double found[TRIALS_MAX];
static int trials, me, n_pes;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void print(const char *name)
{
    int trial;
    if (me != 0) return;
    printf("%s", name);
    for (trial = 0; trial < trials; trial++) printf(" %.3f", found[trial]);
    printf("\n");
    fflush(stdout);
}

/* Runs CALL `calls` times, and then END, for each trial. `i` counts the calls. */
#define TRIALS(name, calls, CALL, END)                             \
    do {                                                           \
        int trial;                                                 \
        long i;                                                    \
        for (trial = -2; trial < trials; trial++) {                \
            double begin = now();                                  \
            for (i = 0; i < (calls); i++) { CALL; }                \
            END;                                                   \
            if (trial >= 0) found[trial] = (now() - begin) / (double)(calls); \
        }                                                          \
        print(name);                                               \
    } while (0)

static void fail(const char *what)
{
    fprintf(stderr, "bench: %s is not what was to come\n", what);
    _exit(3);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* What PE 0 does to PE 1, which waits at a barrier, or computes if `quiet_target` is set. */
static void one_sided(const char *suffix, long *hot, uint64_t *spread, const long *source, const uint32_t *places)
{
    char name[64];
    long sum = 0;
#define NAMED(text) (snprintf(name, sizeof name, "%s%s", text, suffix), name)
    TRIALS(NAMED("long_p"), 4096, shmem_long_p(&hot[i % HOT], i, 1), shmem_quiet());
    TRIALS(NAMED("put_nbi"), 4096, shmem_long_put_nbi(&hot[i % HOT], &source[i % HOT], 1, 1), shmem_quiet());
    TRIALS(NAMED("put_nbi_random"), 4096, shmem_long_put_nbi((long *)&spread[places[i]], &source[i % HOT], 1, 1), shmem_quiet());
    TRIALS(NAMED("atomic_random"), 2048, shmem_uint64_atomic_xor(&spread[places[i]], (uint64_t)i, 1), shmem_quiet());
    if (*suffix) return;
    TRIALS("put", 512, shmem_long_put(&hot[i % HOT], &source[i % HOT], 1, 1), shmem_quiet());
    TRIALS("put_quiet", 512, shmem_long_put(&hot[i % HOT], &source[i % HOT], 1, 1); shmem_quiet(), (void)0);
    TRIALS("get", 512, sum += shmem_long_g(&hot[i % HOT], 1), (void)0);
    TRIALS("get_nbi", 4096, shmem_long_get_nbi(&hot[i % HOT], &hot[i % HOT], 1, 1), shmem_quiet());
    TRIALS("get_random", 4096, sum += shmem_long_g((long *)&spread[places[i]], 1), (void)0);
    TRIALS("fetch_add", 512, sum += shmem_long_atomic_fetch_add(&hot[0], 1, 1), (void)0);
    TRIALS("atomic_add", 2048, shmem_long_atomic_add(&hot[1], 1, 1), shmem_quiet());
    if (sum == 42) fail("the sum"); /* so that the compiler keeps the sum */
}

static void copies(char *target, char *source)
{
    static const size_t sizes[] = {64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, LARGEST};
    unsigned int at;
    char name[32];
    for (at = 0; at < sizeof sizes / sizeof *sizes; at++) {
        size_t size = sizes[at];
        long calls = size <= 4096 ? 256 : size <= 65536 ? 16 : size < LARGEST ? 2 : 1;
        int kept = trials;
        if (size >= 1048576 && trials > 61) trials = 61;
        memset(source, (int)at + 1, size);
        snprintf(name, sizeof name, "put_%zu", size);
        TRIALS(name, calls, shmem_putmem(target, source, size, 1), shmem_quiet());
        memset(source, 0, size);
        snprintf(name, sizeof name, "get_%zu", size);
        TRIALS(name, calls, shmem_getmem(source, target, size, 1), (void)0);
        if (source[0] != (char)(at + 1) || source[size - 1] != (char)(at + 1)) fail(name);
        trials = kept;
    }
}

/* A round trip by waits; half of it is the one-way time. */
static void waits(void)
{
    enum { TRIPS = 100 };
    int trial;
    long i, value = 0;
    shmem_barrier_all();
    for (trial = -2; trial < trials; trial++) {
        double begin = now();
        for (i = 0; i < TRIPS; i++) {
            value++;
            if (me == 0) {
                shmem_long_p(&all->flag, value, 1);
                shmem_long_wait_until(&all->flag, SHMEM_CMP_EQ, value);
            } else {
                shmem_long_wait_until(&all->flag, SHMEM_CMP_EQ, value);
                shmem_long_p(&all->flag, value, 0);
            }
        }
        if (trial >= 0) found[trial] = (now() - begin) / (2.0 * TRIPS);
    }
    print("wait");
}

static void collectives(long *target, long *source, int is_short)
{
    long calls = n_pes <= 2 ? 50 : 5, expected = 0;
    int pe;
    shmem_barrier_all();
    TRIALS("barrier", calls, shmem_barrier_all(), (void)0);
    for (pe = 0; pe < n_pes; pe++) expected += pe + 7;
    for (pe = 0; pe < 1024; pe++) source[pe] = me + 7;
    shmem_barrier_all();
    TRIALS("sum_1", calls, shmem_long_sum_to_all(target, source, 1, 0, 0, n_pes, all->pwork[i % SYNCS], all->psync[i % SYNCS]), shmem_barrier_all());
    if (is_short) {
        TRIALS("alltoall_8", calls, shmem_alltoall64(target, source, 1, 0, 0, n_pes, all->psync[i % SYNCS]), shmem_barrier_all());
        return;
    }
    TRIALS("sum_1024", calls, shmem_long_sum_to_all(target, source, 1024, 0, 0, n_pes, all->pwork[i % SYNCS], all->psync[i % SYNCS]), shmem_barrier_all());
    if (target[0] != expected || target[1023] != expected) fail("the sum of all");
    shmem_barrier_all(); /* the next call writes there */
    TRIALS("broadcast_8", calls, shmem_broadcast64(target, source, 1, 0, 0, 0, n_pes, all->psync[i % SYNCS]); shmem_barrier_all(), (void)0);
    TRIALS("broadcast_64K", calls, shmem_broadcast64(target, source, 8192, 0, 0, 0, n_pes, all->psync[i % SYNCS]); shmem_barrier_all(), (void)0);
    TRIALS("fcollect_8", calls, shmem_fcollect64(target, source, 1, 0, 0, n_pes, all->psync[i % SYNCS]), shmem_barrier_all());
    TRIALS("collect_8", calls, shmem_collect64(target, source, 1, 0, 0, n_pes, all->psync[i % SYNCS]), shmem_barrier_all());
    TRIALS("alltoall_8", calls, shmem_alltoall64(target, source, 1, 0, 0, n_pes, all->psync[i % SYNCS]), shmem_barrier_all());
    for (pe = 0; pe < n_pes; pe++)
        if (target[pe] != pe + 7) fail("the alltoall");
    shmem_barrier_all();
    TRIALS("alltoall_4K", calls, shmem_alltoall64(target, source, 512, 0, 0, n_pes, all->psync[i % SYNCS]), shmem_barrier_all());
#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
    TRIALS("team_sum_1", calls, shmem_long_sum_reduce(SHMEM_TEAM_WORLD, target, source, 1), (void)0);
    TRIALS("team_broadcast_8", calls, shmem_long_broadcast(SHMEM_TEAM_WORLD, target, source, 1, 0), (void)0);
    TRIALS("team_alltoall_8", calls, shmem_long_alltoall(SHMEM_TEAM_WORLD, target, source, 1), (void)0);
#endif
}

int main(int argc, char **argv)
{
    size_t at, turn;
    uint64_t state = 88172645463325252u;
    long *hot, *source;
    uint64_t *spread;
    uint32_t *places;
    char *near, *far;
    trials = argc > 1 ? atoi(argv[1]) : 101;
    if (trials < 1 || trials > TRIALS_MAX) {
        fprintf(stderr, "bench: %d trials; 1 to %d would work\n", trials, TRIALS_MAX);
        return 2;
    }
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    if (argc > 2 && atoi(argv[2]) == 1) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(me % (int)sysconf(_SC_NPROCESSORS_ONLN), &set);
        sched_setaffinity(0, sizeof set, &set);
    }
    all = shmem_align(4096, sizeof *all);
    if (!all) {
        fprintf(stderr, "bench: no memory\n");
        return 3;
    }
    memset(all, 0, sizeof *all);
    for (turn = 0; turn < SYNCS; turn++)
        for (at = 0; at < sizeof all->psync[0] / sizeof(long); at++) all->psync[turn][at] = SHMEM_SYNC_VALUE;
    hot = shmem_malloc(HOT * sizeof(long));
    spread = shmem_malloc(SPREAD * sizeof(uint64_t));
    near = shmem_malloc(LARGEST);
    far = shmem_malloc(LARGEST);
    source = malloc(HOT * sizeof(long));
    places = malloc(4096 * sizeof(uint32_t));
    if (!hot || !spread || !near || !far || !source || !places) {
        fprintf(stderr, "bench: no memory\n");
        return 3;
    }
    memset(hot, 0, HOT * sizeof(long));
    memset(spread, 0, SPREAD * sizeof(uint64_t));
    memset(near, 0, LARGEST);
    memset(far, 0, LARGEST);
    for (at = 0; at < HOT; at++) source[at] = (long)at;
    for (at = 0; at < 4096; at++) places[at] = (uint32_t)(next_random(&state) % SPREAD);
    shmem_barrier_all();
    if (n_pes == 2) {
        waits();
        shmem_barrier_all();
        /* PE 1 is at a barrier, as in most programs; then it computes. */
        if (me == 0) {
            one_sided("", hot, spread, source, places);
            copies(far, near);
        }
        shmem_barrier_all();
        if (me == 0) {
            one_sided("_computing", hot, spread, source, places);
            shmem_long_p(&all->go, 1, 1);
        } else {
            while (*(volatile long *)&all->go == 0) {}
        }
    }
    collectives((long *)far, (long *)near, argc > 3 && atoi(argv[3]) == 1);
    shmem_barrier_all();
    if (me == 0) printf("end\n");
    fflush(stdout);
    shmem_finalize();
    return 0;
}
