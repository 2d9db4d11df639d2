/* A program with a part in simulated time, whose thread is given a processor to stay on. One line
 * per check that fails; the code says how many. With an argument it was started by this program,
 * and says how many processors it has. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct source {
    uint64_t (*now)(void);
    int (*sleep)(uint64_t);
    int64_t began_ns[12];
};

static int failed;

static uint64_t now(void) { return 1; }
static int sleeps(uint64_t picoseconds) { return picoseconds ? 0 : ENOTSUP; }

static void check(int holds, const char *what) {
    if (holds) return;
    failed++;
    printf("failed: %s\n", what);
}

/* The processors that the system gives the calling thread. */
static int real(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    syscall(SYS_sched_getaffinity, 0, sizeof set, &set);
    return CPU_COUNT(&set);
}

/* Those that a program is told. */
static int told(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
}

static int told_by_threads(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    return pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
}

static void *in_thread(void *found) {
    *(int *)found = real();
    return NULL;
}

static pthread_barrier_t is_home, may_end;
static void (*home)(int);

/* Another thread that stays somewhere, until the end of simulated time. */
static void *stays(void *found) {
    home(0);
    ((int *)found)[0] = real();
    pthread_barrier_wait(&is_home);
    pthread_barrier_wait(&may_end);
    ((int *)found)[1] = real();
    return NULL;
}

int main(int count, char **words) {
    if (count > 1) return real();
    struct source source = {now, sleeps, {0}};
    int (*attach)(const struct source *) = (int (*)(const struct source *))dlsym(RTLD_DEFAULT, "philae_clock_attach");
    void (*detach)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "philae_clock_detach");
    home = (void (*)(int))dlsym(RTLD_DEFAULT, "philae_clock_home");
    const int all = real();
    int found[2] = {0}, status = 0;
    cpu_set_t first;
    pthread_t thread;
    pid_t child;

    CPU_ZERO(&first);
    CPU_SET(sched_getcpu(), &first);
    attach(&source);
    home(sched_getcpu());
    check(real() == 1, "it stays on one processor");
    check(told() == all && told_by_threads() == all, "it is told those that it had");
    pthread_create(&thread, NULL, in_thread, found);
    pthread_join(thread, NULL);
    check(found[0] == all, "a thread that it makes has all");
    child = fork();
    if (child == 0) _exit(real() != all || told() != all);
    waitpid(child, &status, 0);
    check(status == 0, "a child of a fork has all");
    posix_spawn(&child, words[0], NULL, NULL, (char *[]){words[0], "started", NULL}, NULL);
    waitpid(child, &status, 0);
    check(WEXITSTATUS(status) == all, "a program that it starts has all");
    check(real() == 1, "it stays there after that");
    home(-1);
    check(real() == all, "it goes anywhere");
    home(100000);
    check(real() == all, "a processor that it does not have is none");
    pthread_barrier_init(&is_home, NULL, 2);
    pthread_barrier_init(&may_end, NULL, 2);
    pthread_create(&thread, NULL, stays, found);
    pthread_barrier_wait(&is_home);
    home(sched_getcpu());
    detach();
    pthread_barrier_wait(&may_end);
    pthread_join(thread, NULL);
    check(found[0] == 1 && found[1] == all, "afterwards another thread has all");
    check(real() == all, "afterwards it has all");
    attach(&source);
    home(sched_getcpu());
    sched_setaffinity(0, sizeof first, &first);
    home(-1);
    check(real() == 1 && told() == 1, "what the program sets stays");
    detach();
    check(real() == 1 && told() == 1, "what the program has set stays afterwards");
    return failed;
}
