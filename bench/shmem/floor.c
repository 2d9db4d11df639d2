/* The machine's own limits: two processes that share memory, each on a processor of its own, and no
   library.

   floor TRIALS: prints the lines that bench.c prints, for the same amounts and in the same kind of
   trials. While the first process is measured alone, the second one spins on memory of its own,
   like a PE that computes. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { HOT = 1024, SPREAD = 65536, LARGEST = 8 << 20, TRIALS_MAX = 2001, LINE = 64 };

struct word {
    _Alignas(2 * LINE) long value; /* two lines: processors fetch the adjacent one, too */
};

/* The layout of shared memory: what the other process would own, and where both synchronise. */
struct shared {
    char far[LARGEST], near[LARGEST];
    uint64_t spread[SPREAD];
    long hot[HOT];
    struct word flag[2], arrived[2], go;
};

static double found[TRIALS_MAX];
static int trials;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void print(const char *name)
{
    int trial;
    printf("%s", name);
    for (trial = 0; trial < trials; trial++) printf(" %.3f", found[trial]);
    printf("\n");
}

#define TRIALS(name, calls, CALL)                                  \
    do {                                                           \
        int trial;                                                 \
        long i;                                                    \
        for (trial = -2; trial < trials; trial++) {                \
            double begin = now();                                  \
            for (i = 0; i < (calls); i++) { CALL; }                \
            __atomic_thread_fence(__ATOMIC_SEQ_CST);               \
            if (trial >= 0) found[trial] = (now() - begin) / (double)(calls); \
        }                                                          \
        print(name);                                               \
    } while (0)

static void pin(int processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor % (int)sysconf(_SC_NPROCESSORS_ONLN), &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* Pauses between two polls, or not: which is faster depends on the processor. */
static void pause_if(int pauses)
{
#if defined __x86_64__ || defined __i386__
    if (pauses) __builtin_ia32_pause();
#elif defined __aarch64__
    if (pauses) __asm__ volatile("isb");
#else
    (void)pauses;
#endif
}

/* A round trip on two lines, and two processes that wait for each other. */
static void together(struct shared *all, int me, int pauses)
{
    enum { TRIPS = 100, MEETINGS = 50 };
    static long value, met; /* each process counts for itself */
    int trial;
    long i;
    for (trial = -2; trial < trials; trial++) {
        double begin = now();
        for (i = 0; i < TRIPS; i++) {
            value++;
            if (me == 0) __atomic_store_n(&all->flag[1].value, value, __ATOMIC_RELEASE);
            while (__atomic_load_n(&all->flag[me].value, __ATOMIC_ACQUIRE) != value) pause_if(pauses);
            if (me == 1) __atomic_store_n(&all->flag[0].value, value, __ATOMIC_RELEASE);
        }
        if (trial >= 0) found[trial] = (now() - begin) / (2.0 * TRIPS);
    }
    if (me == 0) print(pauses ? "wait_pausing" : "wait");
    for (trial = -2; trial < trials; trial++) {
        double begin = now();
        for (i = 0; i < MEETINGS; i++) {
            met++;
            __atomic_store_n(&all->arrived[me].value, met, __ATOMIC_RELEASE);
            while (__atomic_load_n(&all->arrived[1 - me].value, __ATOMIC_ACQUIRE) < met) pause_if(pauses);
        }
        if (trial >= 0) found[trial] = (now() - begin) / (double)MEETINGS;
    }
    if (me == 0) print(pauses ? "barrier_pausing" : "barrier");
}

/* Oversubscription: the time in which each of `count` processes gets its turn, by sched_yield. No
   barrier is faster if all processes have to run for it. */
static void crowd(struct shared *all, int count)
{
    enum { TURNS = 50 };
    pid_t others[64];
    int at, trial, turn;
    char name[32];
    all->go.value = 0;
    fflush(stdout);
    for (at = 1; at < count; at++) {
        others[at] = fork();
        if (others[at] < 0) exit(3);
        if (others[at] == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            pin(at);
            while (__atomic_load_n(&all->go.value, __ATOMIC_ACQUIRE) == 0) sched_yield();
            _exit(0);
        }
    }
    for (trial = -2; trial < trials; trial++) {
        double begin = now();
        for (turn = 0; turn < TURNS; turn++) sched_yield();
        if (trial >= 0) found[trial] = (now() - begin) / (double)TURNS;
    }
    __atomic_store_n(&all->go.value, 1, __ATOMIC_RELEASE);
    for (at = 1; at < count; at++) waitpid(others[at], NULL, 0);
    snprintf(name, sizeof name, "crowd_%d", count);
    print(name);
}

static void alone(struct shared *all, const long *source, const uint32_t *places)
{
    static const size_t sizes[] = {64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, LARGEST};
    volatile long *hot = all->hot;
    volatile uint64_t *spread = all->spread;
    long sum = 0;
    unsigned int at;
    char name[32];
    TRIALS("long_p", 4096, hot[i % HOT] = i);
    TRIALS("put_nbi", 4096, hot[i % HOT] = source[i % HOT]);
    TRIALS("put_nbi_random", 4096, spread[places[i]] = (uint64_t)source[i % HOT]);
    TRIALS("put", 512, hot[i % HOT] = source[i % HOT]);
    TRIALS("put_quiet", 512, hot[i % HOT] = source[i % HOT]; __atomic_thread_fence(__ATOMIC_SEQ_CST));
    TRIALS("get", 512, sum += hot[i % HOT]);
    TRIALS("get_nbi", 4096, hot[i % HOT] = hot[i % HOT]);
    TRIALS("get_random", 4096, sum += (long)spread[places[i]]);
    TRIALS("fetch_add", 512, sum += __atomic_fetch_add(&all->hot[0], 1, __ATOMIC_SEQ_CST));
    TRIALS("atomic_add", 2048, __atomic_fetch_add(&all->hot[1], 1, __ATOMIC_SEQ_CST));
    TRIALS("atomic_random", 2048, __atomic_fetch_xor(&all->spread[places[i]], (uint64_t)i, __ATOMIC_SEQ_CST));
    if (sum == 42) printf("\n"); /* so that the compiler keeps the sum */
    for (at = 0; at < sizeof sizes / sizeof *sizes; at++) {
        size_t size = sizes[at];
        long calls = size <= 4096 ? 256 : size <= 65536 ? 16 : size < LARGEST ? 2 : 1;
        int kept = trials;
        if (size >= 1048576 && trials > 61) trials = 61;
        memset(all->near, (int)at + 1, size);
        snprintf(name, sizeof name, "put_%zu", size);
        /* Hides from the compiler that the copies are alike. */
        TRIALS(name, calls, memcpy(all->far, all->near, size); __asm__ volatile("" ::: "memory"));
        memset(all->near, 0, size);
        snprintf(name, sizeof name, "get_%zu", size);
        TRIALS(name, calls, memcpy(all->near, all->far, size); __asm__ volatile("" ::: "memory"));
        trials = kept;
    }
}

int main(int argc, char **argv)
{
    struct shared *all;
    long *source = malloc(HOT * sizeof(long));
    uint32_t *places = malloc(4096 * sizeof(uint32_t));
    uint64_t state = 88172645463325252u;
    size_t at;
    pid_t other;
    trials = argc > 1 ? atoi(argv[1]) : 101;
    if (trials < 1 || trials > TRIALS_MAX) {
        fprintf(stderr, "floor: %d trials; 1 to %d would work\n", trials, TRIALS_MAX);
        return 2;
    }
    all = mmap(NULL, sizeof *all + (4 << 20), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || !source || !places) {
        perror("floor: memory");
        return 3;
    }
    all = (struct shared *)(((uintptr_t)all + (2 << 20) - 1) & ~(uintptr_t)((2 << 20) - 1));
    madvise(all, sizeof *all, MADV_HUGEPAGE); /* if the machine permits it */
    memset(all, 0, sizeof *all);
    for (at = 0; at < HOT; at++) source[at] = (long)at;
    for (at = 0; at < 4096; at++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        places[at] = (uint32_t)(state % SPREAD);
    }
    fflush(stdout);
    other = fork();
    if (other < 0) {
        perror("floor: fork");
        return 3;
    }
    if (other == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pin(1);
        together(all, 1, 0);
        together(all, 1, 1);
        while (__atomic_load_n(&all->go.value, __ATOMIC_ACQUIRE) == 0) {}
        _exit(0);
    }
    pin(0);
    together(all, 0, 0);
    together(all, 0, 1);
    alone(all, source, places);
    __atomic_store_n(&all->go.value, 1, __ATOMIC_RELEASE);
    waitpid(other, NULL, 0);
    crowd(all, 4);
    crowd(all, 8);
    printf("end\n");
    return 0;
}
