/* PE 1 ends while the others do something: `ends HOW WHAT`. Every PE first prints its
   process number. */
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long word, lock, sum[2];
static int is(const char *given, const char *name) { return strcmp(given, name) == 0; }

static void *late_exit(void *nothing)
{
    (void)nothing;
    usleep(100000);
    exit(0);
}

/* A handler of the program, which must stay in place whatever the library opens. */
static void on_signal(int number)
{
    (void)number;
    _exit(40);
}

/* Waits in the C library for input that does not come. */
static void *read_on(void *nothing)
{
    int ends[2];
    if (pipe(ends) == 0 && dup2(ends[0], 0) == 0) getchar();
    return nothing;
}

/* What a program still does at its end. */
static void at_end(void) { fputs("tidied up\n", stdout); }

/* libpsm, which libfabric loads, sets the signal back before the C library writes its buffers. Here
 * it always does so early enough for a signal to follow. */
static int resets;
__attribute__((destructor)) static void reset(void)
{
    if (!resets) return;
    signal(SIGTERM, SIG_DFL);
    usleep(200000);
}

/* The program receives a signal to end, and ends by itself. */
static void on_end(int number)
{
    (void)number;
    exit(3);
}

static void end_as(const char *how)
{
    pthread_t other;
    if (strstr(how, "read")) {
        pthread_create(&other, NULL, read_on, NULL);
        usleep(100000);
    }
    if (strstr(how, "print")) fputs("printed, ", stdout);
    if (strstr(how, "print and exit 3")) exit(3);
    if (strstr(how, "print and global exit")) shmem_global_exit(17);
    if (is(how, "exit")) exit(0);
    if (is(how, "_exit")) _exit(0);
    if (is(how, "exit 3")) exit(3);
    if (is(how, "_exit 5")) _exit(5);
    if (is(how, "global exit")) shmem_global_exit(17);
    if (is(how, "kill")) kill(getpid(), SIGKILL);
    if (is(how, "fault")) *(volatile int *)0 = 1;
    if (is(how, "own handler")) raise(SIGSEGV);
    if (is(how, "abort")) abort();
    if (is(how, "finalize")) shmem_finalize();
    if (is(how, "thread")) {
        pthread_create(&other, NULL, late_exit, NULL);
        pthread_exit(NULL);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "", *what = argc > 2 ? argv[2] : "";
    int me, n, i, provided;
    shmem_team_t some;
    resets = strstr(how, "print") != NULL;
    if (resets) atexit(at_end);
    if (is(how, "own handler")) signal(SIGSEGV, on_signal);
    if (is(how, "kill")) signal(SIGTERM, on_end);
    shmem_init_thread(is(what, "barrier of threads") ? SHMEM_THREAD_MULTIPLE : SHMEM_THREAD_SINGLE, &provided);
    me = shmem_my_pe(), n = shmem_n_pes();
    printf("process %d\n", (int)getpid());
    fflush(stdout);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &some);
    if (is(what, "lock") && me == 1) shmem_set_lock(&lock);
    shmem_barrier_all();
    if (me == 1) {
        if (!is(how, "return")) end_as(how);
        return 0;
    }
    if (is(what, "wait")) shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
    if (is(what, "wait for any")) shmem_long_wait_until_any(sum, 2, NULL, SHMEM_CMP_EQ, 1);
    if (is(what, "signal")) shmem_signal_wait_until((uint64_t *)&word, SHMEM_CMP_EQ, 1);
    if (is(what, "reduce")) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sum, sum, 2);
    if (is(what, "team")) shmem_team_sync(some);
    if (is(what, "lock")) shmem_set_lock(&lock);
    if (is(what, "malloc")) shmem_free(shmem_malloc(8));
    if (is(what, "compute")) for (;;) usleep(1000);
    if (is(what, "put")) for (;;) shmem_long_p(&word, me, 1), shmem_quiet();
    if (is(what, "get")) for (;;) (void)shmem_long_g(&word, 1);
    if (is(what, "some puts")) for (i = 0; i < 1000; i++) shmem_long_p(&word, me, 1), shmem_quiet();
    if (!is(what, "some puts") && !is(what, "nothing")) shmem_barrier_all();
    shmem_finalize();
    return 0;
}
