/* A program that reads the processor's counter, whose values the library under test gives. It owns
 * simulated time itself, in which only a sleep takes time. One line per check that fails; the code
 * says how many. With the argument `started` it only reads the counter: it was started by this
 * program. With `becomes` and a name it replaces itself by that function, while it has the trap. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#define SECOND 1000000000LL

struct source {
    uint64_t (*now)(void);
    int (*sleep)(uint64_t);
};

static uint64_t simulated; /* nanoseconds */
static __thread int takes_part = 1;
static int failed;
static double rate; /* ticks in a nanosecond */

static uint64_t now(void) { return takes_part ? 1000 * simulated : UINT64_MAX; }

static int sleeps(uint64_t picoseconds) {
    if (!takes_part) return ENOTSUP;
    simulated += picoseconds / 1000;
    return 0;
}

static void check(int holds, const char *what) {
    if (holds) return;
    failed++;
    printf("failed: %s\n", what);
}

static uint64_t plain(void) { return __rdtsc(); }

static uint64_t with_number(void) {
    unsigned number;
    return __rdtscp(&number);
}

/* Whether a sleep of a second is a second of the counter, within a hundredth. */
static int follows(uint64_t (*read)(void)) {
    uint64_t begin = read();
    struct timespec second = {1, 0};
    nanosleep(&second, NULL);
    double ticks = (double)(read() - begin);
    return ticks > 0.99 * rate * SECOND && ticks < 1.01 * rate * SECOND;
}

static sigjmp_buf back;
static volatile int faults;

static void on_fault(int signal) {
    (void)signal;
    faults++;
    siglongjmp(back, 1);
}

/* Whether a fault of the program's own reaches its handler. */
static int fault_is_its_own(void) {
    int before = faults;
    static int *volatile nowhere = (int *)8;
    if (sigsetjmp(back, 1) == 0) *nowhere = 1;
    return faults == before + 1;
}

static void *of_the_trap(void *unused) {
    (void)unused;
    check(follows(plain), "a thread made by a thread with the trap");
    return NULL;
}

static void *without_part(void *unused) {
    (void)unused;
    takes_part = 0;
    uint64_t begin = __rdtsc();
    simulated += SECOND;
    check((double)(__rdtsc() - begin) < 0.5 * rate * SECOND, "a thread without a part follows real time");
    struct timespec time;
    check(clock_gettime(CLOCK_MONOTONIC, &time) == 0, "its clock");
    return NULL;
}

static int ended(pid_t child) {
    int status = -1;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static const char *const replacements[] = {"execl",   "execlp",  "execle",   "execv",    "execve",       "execvp",
                                            "execvpe", "fexecve", "execveat", "syscall", "short"};

/* Replaces this program by itself, with nine more words. */
static int become(char *own, const char *with) {
    char *words[] = {own, "started", "2", "3", "4", "5", "6", "7", "8", "9", NULL};
    char preload[4096];
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", getenv("LD_PRELOAD"));
    char *given[] = {"ENVIRONMENT=given", preload, NULL};
#define IS(name) (!strcmp(with, name))
    if (IS("execl")) execl(own, own, "started", "2", "3", "4", "5", "6", "7", "8", "9", (char *)NULL);
    if (IS("execlp")) execlp(own, own, "started", "2", "3", "4", "5", "6", "7", "8", "9", (char *)NULL);
    if (IS("execle")) execle(own, own, "started", "2", "3", "4", "5", "6", "7", "8", "9", (char *)NULL, given);
    if (IS("execv")) execv(own, words);
    if (IS("execve")) execve(own, words, given);
    if (IS("execvp")) execvp(own, words);
    if (IS("execvpe")) execvpe(own, words, given);
    if (IS("fexecve")) fexecve(open(own, O_RDONLY | O_CLOEXEC), words, given);
    if (IS("execveat")) execveat(AT_FDCWD, own, words, given, 0);
    if (IS("syscall")) syscall(SYS_execve, own, words, given);
    /* Fewer words than there are registers. */
    if (IS("short")) execl(own, own, "started", (char *)NULL);
    return 9;
}

static void programs_start(char *own) {
    char *words[] = {own, "started", NULL}, command[4096];
    pid_t child;
    extern char **environ;
    check(posix_spawn(&child, own, NULL, NULL, words, environ) == 0 && ended(child), "posix_spawn");
    check(posix_spawnp(&child, own, NULL, NULL, words, environ) == 0 && ended(child), "posix_spawnp");
    snprintf(command, sizeof command, "'%s' started", own);
    check(system(command) == 0, "system");
    FILE *pipe = popen(command, "r");
    check(pipe != NULL && pclose(pipe) == 0, "popen");
    for (int i = 0; i < 2; i++) {
        child = i ? vfork() : fork();
        if (child == 0) {
            execv(own, words);
            _exit(9);
        }
        check(child > 0 && ended(child), i ? "vfork and exec" : "fork and exec");
    }
    for (size_t i = 0; i < sizeof replacements / sizeof *replacements; i++) {
        snprintf(command, sizeof command, "'%s' becomes %s", own, replacements[i]);
        check(system(command) == 0, replacements[i]);
    }
    check(execl("/no/such/file", "it", NULL) == -1 && errno == ENOENT, "execl of nothing fails");
    check(follows(plain), "the trap after all that");
}

/* Whether all words have come. */
static int is_whole(int count, char **words) {
    if (count == 2) return 1;
    for (int i = 2; i < count; i++)
        if (atoi(words[i]) != i) return 0;
    return count == 10 && (!getenv("ENVIRONMENT") || !strcmp(getenv("ENVIRONMENT"), "given"));
}

int main(int count, char **words) {
    if (count > 1 && !strcmp(words[1], "started")) return __rdtsc() == 0 || !is_whole(count, words);
    int (*attach)(const struct source *) = (int (*)(const struct source *))dlsym(RTLD_DEFAULT, "philae_clock_attach");
    void (*detach)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "philae_clock_detach");
    if (!attach || !detach) {
        printf("the library is not loaded\n");
        return 1;
    }
    struct timespec begin, end, moment = {0, 50000000};
    clock_gettime(CLOCK_MONOTONIC_RAW, &begin);
    uint64_t first = __rdtsc();
    nanosleep(&moment, NULL);
    clock_gettime(CLOCK_MONOTONIC_RAW, &end);
    rate = (double)(__rdtsc() - first) / ((end.tv_sec - begin.tv_sec) * 1e9 + end.tv_nsec - begin.tv_nsec);

    struct sigaction own, found;
    memset(&own, 0, sizeof own);
    own.sa_handler = on_fault;
    sigaction(SIGSEGV, &own, NULL);
    sigset_t all, mask;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask);

    static const struct source source = {now, sleeps};
    if (count > 2) return attach(&source) == 0 ? become(words[0], words[2]) : 8;
    uint64_t before = __rdtsc();
    check(attach(&source) == 0, "attach");
    uint64_t shown = __rdtsc();
    check(shown >= before && (double)(shown - before) < rate * SECOND, "the counter goes on from its value");
    check(__rdtsc() == shown, "it stands still with simulated time");
    check(follows(plain) && follows(with_number), "it follows simulated time");
    sigprocmask(SIG_SETMASK, &all, NULL);
    check(follows(plain), "it does so where all signals are blocked");
    pthread_sigmask(SIG_SETMASK, &mask, NULL);

    check(sigaction(SIGSEGV, NULL, &found) == 0 && found.sa_handler == on_fault, "the program sees its handler");
    check(fault_is_its_own(), "its handler gets its faults");
    check(signal(SIGSEGV, SIG_DFL) == on_fault, "signal says what there was");
    check(signal(SIGSEGV, on_fault) == SIG_DFL, "signal sets a handler");
    check(fault_is_its_own() && follows(plain), "the handler and the trap");

    pthread_t thread;
    pthread_create(&thread, NULL, of_the_trap, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, without_part, NULL);
    pthread_join(thread, NULL);
    programs_start(words[0]);

    shown = __rdtsc();
    detach();
    uint64_t after = __rdtsc();
    check(after >= shown && (double)(after - shown) < rate * SECOND, "it does not go back at the end");
    check(__rdtsc() > after, "and then follows real time");
    return failed;
}
