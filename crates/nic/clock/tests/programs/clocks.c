/* A program whose clocks the library under test replaces. It owns simulated time itself: each reading
 * takes 25 ns, and a sleep takes what it says. One line per check that fails; the code says how many. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <signal.h>
#include <sys/timerfd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL
#define READING 25

struct source {
    uint64_t (*now)(void);
    int (*sleep)(uint64_t);
    int64_t began[12];
};

static int (*attach)(const struct source *);
static void (*detach)(void);

static uint64_t simulated; /* nanoseconds */
static int signal_after = -1;
static __thread int takes_part = 1;
static int failed;

static uint64_t now(void) { return takes_part ? 1000 * (simulated += READING) : UINT64_MAX; }

static int sleeps(uint64_t picoseconds) {
    if (!takes_part) return ENOTSUP;
    if (signal_after >= 0) {
        simulated += signal_after;
        signal_after = -1;
        return EINTR;
    }
    simulated += picoseconds / 1000;
    return 0;
}

static void check(int holds, const char *what) {
    if (holds) return;
    failed++;
    printf("failed: %s (simulated %llu ns)\n", what, (unsigned long long)simulated);
}

static int64_t of(struct timespec time) { return time.tv_sec * SECOND + time.tv_nsec; }

static int64_t shown(clockid_t clock) {
    struct timespec time;
    check(clock_gettime(clock, &time) == 0, "clock_gettime");
    return of(time);
}

/* What the system says of a clock, whatever the library says. */
static int system_says(clockid_t clock, struct timespec *time) {
    static long (*call)(long, ...);
    if (!call) call = (long (*)(long, ...))dlsym(dlopen("libc.so.6", RTLD_LAZY), "syscall");
    return (int)call(SYS_clock_gettime, clock, time);
}

static int64_t real(clockid_t clock) {
    struct timespec time;
    system_says(clock, &time);
    return of(time);
}

static void before(void) {
    for (clockid_t clock = 0; clock < 8; clock++) {
        if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID) continue;
        int64_t first = real(clock), there = shown(clock), last = real(clock);
        check(first <= there + 10000000 && there <= last, "before, a clock is the system's");
    }
    errno = 0;
    struct timespec time;
    check(clock_gettime(77, &time) == -1 && errno == EINVAL, "no such clock");
}

static void clocks(void) {
    clockid_t known[] = {CLOCK_REALTIME,        CLOCK_MONOTONIC,        CLOCK_PROCESS_CPUTIME_ID, CLOCK_MONOTONIC_RAW,
                         CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME};
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        int64_t first = shown(known[i]);
        check(shown(known[i]) - first == READING, "a reading takes 25 ns, and nothing else takes time");
        simulated += 5 * SECOND;
        check(shown(known[i]) - first == 5 * SECOND + 2 * READING, "every clock follows simulated time");
    }
    struct timeval first, second;
    gettimeofday(&first, NULL);
    simulated += SECOND + 3000;
    gettimeofday(&second, NULL);
    int64_t passed = (second.tv_sec - first.tv_sec) * 1000000 + second.tv_usec - first.tv_usec;
    check(passed == 1000003 || passed == 1000004, "gettimeofday");
    check(time(NULL) == shown(CLOCK_REALTIME) / SECOND, "time");
    struct timespec got;
    check(timespec_get(&got, TIME_UTC) == TIME_UTC && of(got) + READING == shown(CLOCK_REALTIME), "timespec_get");
    int64_t by_function = shown(CLOCK_MONOTONIC);
    check(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &got) == 0 && of(got) == by_function + READING, "syscall");
    struct timespec nap = {1, 0};
    check(syscall(SYS_nanosleep, &nap, NULL) == 0 && shown(CLOCK_MONOTONIC) >= of(got) + SECOND, "a sleep by syscall");
    const struct timespec span = {0, 300000000};
    struct timespec until;
    uint32_t word = 7;
    int64_t begin = shown(CLOCK_MONOTONIC), began = real(CLOCK_MONOTONIC);
    until.tv_sec = (begin + 2 * SECOND / 10) / SECOND, until.tv_nsec = (begin + 2 * SECOND / 10) % SECOND;
    /* FUTEX_WAIT_BITSET, private, on the monotonic clock. */
    check(syscall(SYS_futex, &word, 9 | 128, 7, &until, NULL, ~0u) == -1 && errno == ETIMEDOUT, "a futex's deadline");
    check(real(CLOCK_MONOTONIC) - began >= SECOND / 10, "it waits in real time");
    check(shown(CLOCK_MONOTONIC) >= begin + 2 * SECOND / 10, "then its deadline has passed");
    check(syscall(SYS_futex, &word, 9 | 128, 6, &until, NULL, ~0u) == -1 && errno == EAGAIN, "another value");
    begin = shown(CLOCK_MONOTONIC), began = real(CLOCK_MONOTONIC);
    check(syscall(SYS_poll, NULL, 0, 5000) == 0 && shown(CLOCK_MONOTONIC) >= begin + 5 * SECOND, "poll by syscall");
    check(syscall(SYS_ppoll, NULL, 0, &span, NULL, 8) == 0, "ppoll by syscall");
    check(shown(CLOCK_MONOTONIC) >= begin + 53 * SECOND / 10, "and its time");
    struct timeval limit = {1, 0};
    check(syscall(SYS_select, 0, NULL, NULL, NULL, &limit) == 0, "select by syscall");
    check(shown(CLOCK_MONOTONIC) >= begin + 63 * SECOND / 10, "and its time");
    check(real(CLOCK_MONOTONIC) - began < SECOND, "none takes real time");
    check(syscall(SYS_getpid) == getpid(), "other calls by syscall");
    clock_t begun = clock();
    simulated += 2 * SECOND;
    check(clock() - begun == 2 * CLOCKS_PER_SEC || clock() - begun == 2 * CLOCKS_PER_SEC + 1, "clock");
    struct timespec alarm;
    system_says(CLOCK_REALTIME_ALARM, &alarm) == 0
        ? check(shown(CLOCK_REALTIME_ALARM) / SECOND == shown(CLOCK_REALTIME) / SECOND, "the clock of alarms")
        : check(clock_gettime(CLOCK_REALTIME_ALARM, &alarm) == -1, "a clock that the machine does not have");
    int64_t there = shown(CLOCK_REALTIME) / SECOND, system = real(CLOCK_REALTIME) / SECOND;
    check(there > system + 30, "simulated time runs ahead of the system's");
}

/* Whether `simulated` has moved by this much and some readings since `from`. */
static int moved(uint64_t from, int64_t by) {
    int64_t span = (int64_t)(simulated - from) - by;
    return span >= -20 * READING && span <= 40 * READING;
}

static void sleeping(void) {
    uint64_t from = simulated;
    struct timespec hour = {3600, 5}, left = {7, 7};
    check(nanosleep(&hour, &left) == 0 && moved(from, 3600 * SECOND + 5), "nanosleep");
    from = simulated;
    check(clock_nanosleep(CLOCK_MONOTONIC, 0, &hour, NULL) == 0 && moved(from, 3600 * SECOND + 5), "clock_nanosleep");
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 60;
    from = simulated;
    check(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL) == 0 && moved(from, 60 * SECOND - 2 * READING),
          "clock_nanosleep until");
    from = simulated;
    check(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL) == 0 && moved(from, 0), "a deadline that is over");
    from = simulated;
    check(usleep(900000) == 0 && moved(from, 900000000), "usleep");
    from = simulated;
    check(sleep(1000) == 0 && moved(from, 1000 * SECOND), "sleep");
    signal_after = 1500000000;
    errno = 0;
    check(nanosleep(&hour, &left) == -1 && errno == EINTR && left.tv_sec == 3598, "an interrupted sleep says what is left");
    signal_after = 1500000000;
    check(sleep(10) == 9, "sleep rounds up what is left");
    struct timespec wrong = {0, 2000000000};
    check(nanosleep(&wrong, NULL) == -1 && errno == EINVAL, "no time");
}

/* As another rank would: 50 ms pass while the first thread of this process waits. */
static void *passes(void *nothing) {
    char state = 'R';
    takes_part = 0;
    while (state != 'S') {
        FILE *file = fopen("/proc/self/stat", "r");
        check(file && fscanf(file, "%*d (clocks) %c", &state) == 1, "a process has a state");
        fclose(file);
    }
    simulated += 50000000;
    return nothing;
}

static void waiting(void) {
    int ends[2];
    check(pipe(ends) == 0, "a pipe");
    struct pollfd file = {ends[0], POLLIN, 0};
    uint64_t from = simulated;
    check(poll(NULL, 0, 60000) == 0 && moved(from, 60 * SECOND), "without files poll is a sleep");
    from = simulated;
    check(select(0, NULL, NULL, NULL, &(struct timeval){59, 1000000}) == 0 && moved(from, 60 * SECOND), "select, too");
    check(poll(NULL, 0, 0) == 0, "poll without time");

    /* Files become ready in real time; if they do not, both times have passed. */
    int64_t real_from = real(CLOCK_MONOTONIC), span = 50000000;
    from = simulated;
    check(poll(&file, 1, 50) == 0 && moved(from, span), "poll");
    struct timespec short_time = {0, span};
    from = simulated;
    check(ppoll(&file, 1, &short_time, NULL) == 0 && moved(from, span), "ppoll");
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    struct timeval limit = {0, span / 1000};
    from = simulated;
    check(select(ends[0] + 1, &set, NULL, NULL, &limit) == 0 && moved(from, span), "select");
    check(!FD_ISSET(ends[0], &set) && limit.tv_sec == 0 && limit.tv_usec == 0, "select leaves what Linux leaves");
    FD_SET(ends[0], &set);
    from = simulated;
    check(pselect(ends[0] + 1, &set, NULL, NULL, &short_time, NULL) == 0 && moved(from, span), "pselect");
    int all = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(all, EPOLL_CTL_ADD, ends[0], &event);
    from = simulated;
    check(epoll_wait(all, &event, 1, 50) == 0 && moved(from, span), "epoll_wait");
    from = simulated;
    check(epoll_pwait(all, &event, 1, 50, NULL) == 0 && moved(from, span), "epoll_pwait");
    check(real(CLOCK_MONOTONIC) - real_from >= 6 * 49000000LL, "each of the six has waited");
    pthread_t helper;
    from = simulated;
    pthread_create(&helper, NULL, passes, NULL);
    check(poll(&file, 1, 200) == 0 && moved(from, 4 * span), "time that passes during a wait belongs to it");
    pthread_join(helper, NULL);

    check(write(ends[1], "x", 1) == 1, "the pipe takes it");
    from = simulated;
    check(poll(&file, 1, 60000) == 1 && moved(from, 0), "what is there takes no time");
    FD_SET(ends[0], &set);
    limit = (struct timeval){60, 0};
    check(select(ends[0] + 1, &set, NULL, NULL, &limit) == 1 && FD_ISSET(ends[0], &set) && moved(from, 0), "as in select");
    check(epoll_wait(all, &event, 1, 60000) == 1 && moved(from, 0), "as in epoll_wait");
    check(epoll_wait(all, &event, 1, -1) == 1 && moved(from, 0), "without a limit");
    signal_after = 5;
    errno = 0;
    check(poll(NULL, 0, 60000) == -1 && errno == EINTR, "an interrupted poll");
    close(all), close(ends[0]), close(ends[1]);
}

/* Waits for other threads end, and take real time. */
static void deadlines(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER, steady;
    pthread_condattr_t of_steady;
    pthread_condattr_init(&of_steady);
    pthread_condattr_setclock(&of_steady, CLOCK_MONOTONIC);
    pthread_cond_init(&steady, &of_steady);
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    struct timespec until;
    int64_t real_from = real(CLOCK_MONOTONIC);
    uint64_t from = simulated;
    pthread_mutex_lock(&mutex);
#define SOON(clock) (clock_gettime(clock, &until), until.tv_nsec += 50000000, \
                     until.tv_sec += until.tv_nsec / SECOND, until.tv_nsec %= SECOND, &until)
    check(pthread_cond_timedwait(&condition, &mutex, SOON(CLOCK_REALTIME)) == ETIMEDOUT, "a condition ends");
    check(pthread_cond_timedwait(&steady, &mutex, SOON(CLOCK_MONOTONIC)) == ETIMEDOUT, "one with the other clock ends");
    check(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC)) == ETIMEDOUT, "clockwait");
    check(sem_timedwait(&semaphore, SOON(CLOCK_REALTIME)) == -1 && errno == ETIMEDOUT, "a semaphore ends");
    check(sem_clockwait(&semaphore, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC)) == -1 && errno == ETIMEDOUT, "sem_clockwait");
    check(pthread_mutex_timedlock(&mutex, SOON(CLOCK_REALTIME)) == ETIMEDOUT, "a mutex ends");
    pthread_t helper;
    pthread_create(&helper, NULL, passes, NULL);
    check(sem_clockwait(&semaphore, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC)) == -1, "time passes during a wait");
    pthread_join(helper, NULL);
    int64_t waited = real(CLOCK_MONOTONIC) - real_from;
    check(waited >= 7 * 49000000LL, "each of the seven waits for its 50 ms");
    check(moved(from, 7 * 50000000), "and that is behind on simulated clocks, too");
    pthread_mutex_unlock(&mutex);
}

static void *other(void *nothing) {
    (void)nothing;
    takes_part = 0;
    uint64_t from = simulated;
    int64_t shown_from = shown(CLOCK_MONOTONIC), real_from = real(CLOCK_MONOTONIC);
    struct timespec short_time = {0, 20000000};
    check(nanosleep(&short_time, NULL) == 0, "a thread without a part sleeps");
    check(poll(NULL, 0, 20) == 0, "and polls");
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 20000000;
    if (until.tv_nsec >= SECOND) until.tv_sec++, until.tv_nsec -= SECOND;
    check(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0, "and sleeps until a simulated time");
    check(real(CLOCK_MONOTONIC) - real_from >= 59000000 && moved(from, 0), "in real time");
    check(shown(CLOCK_MONOTONIC) - shown_from >= 59000000, "which its clocks show");
    return NULL;
}

static void child(void) {
    int64_t there = shown(CLOCK_MONOTONIC);
    pid_t process = fork();
    if (process == 0) {
        int64_t real_first = real(CLOCK_MONOTONIC), first = shown(CLOCK_MONOTONIC);
        usleep(30000);
        int64_t span = shown(CLOCK_MONOTONIC) - first, real_span = real(CLOCK_MONOTONIC) - real_first;
        _exit(first >= there && span >= 30000000 && span <= real_span ? 0 : 1);
    }
    int status = 1;
    waitpid(process, &status, 0);
    check(status == 0, "a child's clocks go on from there in real time");
}

/* Processes whose sources began at the same time have the same clocks. */
static void agreeing(void) {
    pid_t process = fork();
    if (process == 0) {
        static struct source source = {now, sleeps, {0}};
        int64_t there = real(CLOCK_REALTIME) - 3;
        source.began[CLOCK_REALTIME] = there;
        attach(&source);
        int64_t first = shown(CLOCK_REALTIME);
        check(first == there + (int64_t)simulated, "the clock is that of the beginning");
        check(shown(CLOCK_MONOTONIC) >= real(CLOCK_MONOTONIC) - SECOND, "others go on");
        fflush(stdout);
        _exit(failed);
    }
    int status = 1;
    waitpid(process, &status, 0);
    check(status == 0, "clocks that agree");
}

static void after(int64_t there) {
    int64_t first = shown(CLOCK_MONOTONIC);
    check(first >= there && first < there + 60 * SECOND, "afterwards a clock goes on from what it showed");
    struct timespec until, short_time = {0, 30000000};
    uint64_t from = simulated;
    check(nanosleep(&short_time, NULL) == 0, "sleeps are the system's again");
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 30000000;
    if (until.tv_nsec >= SECOND) until.tv_sec++, until.tv_nsec -= SECOND;
    check(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0, "also until a deadline");
    int64_t span = shown(CLOCK_MONOTONIC) - first;
    check(span >= 60000000 && span < 60 * SECOND && moved(from, 0), "in real time, for as long as asked");
}

static char told[256];

static void tell(const char *name) {
    strncat(strncat(told, name, 40), " ", 2);
}

/* Timers run in real time, which is told once; a wait for a signal takes its time on both clocks. */
static void timers(void) {
    void (*report)(void (*)(const char *));
    *(void **)&report = dlsym(RTLD_DEFAULT, "philae_clock_report");
    check(report != NULL, "a place for reports");
    if (!report) return;
    report(tell);
    struct itimerval hour = {{0, 0}, {3600, 0}}, none = {{0, 0}, {0, 0}};
    struct itimerspec long_time = {{0, 0}, {3600, 0}};
    timer_t timer;
    int file = timerfd_create(CLOCK_MONOTONIC, 0);
    alarm(0);
    check(told[0] == 0, "what ends a timer is not told");
    for (int i = 0; i < 2; i++) {
        alarm(3600), alarm(0);
        ualarm(900000, 0), ualarm(0, 0);
        check(setitimer(ITIMER_REAL, &hour, NULL) == 0 && setitimer(ITIMER_REAL, &none, NULL) == 0, "setitimer");
        check(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0, "timer_create");
        check(timer_settime(timer, 0, &long_time, NULL) == 0 && timer_delete(timer) == 0, "timer_settime");
        check(timerfd_settime(file, 0, &long_time, NULL) == 0, "timerfd_settime");
    }
    close(file);
    check(!strcmp(told, "alarm ualarm setitimer timer_settime timerfd_settime "), told);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int64_t begin = shown(CLOCK_MONOTONIC);
    struct timespec limit = {0, 20000000};
    check(sigtimedwait(&set, NULL, &limit) == -1 && errno == EAGAIN, "no signal");
    check(shown(CLOCK_MONOTONIC) - begin >= 20000000, "simulated time has passed");
    raise(SIGUSR2);
    begin = shown(CLOCK_MONOTONIC);
    check(sigtimedwait(&set, NULL, &limit) == SIGUSR2, "a signal");
    check(shown(CLOCK_MONOTONIC) - begin < 20000000, "at once");
    int queue = epoll_create1(0);
    begin = shown(CLOCK_MONOTONIC);
    struct epoll_event event;
    check(epoll_pwait2(queue, &event, 1, &limit, NULL) == 0, "nothing is ready");
    check(shown(CLOCK_MONOTONIC) - begin >= 20000000, "simulated time has passed here as well");
    close(queue);
}

int main(void) {
    *(void **)&attach = dlsym(RTLD_DEFAULT, "philae_clock_attach");
    *(void **)&detach = dlsym(RTLD_DEFAULT, "philae_clock_detach");
    if (!attach || !detach) return puts("the library is not loaded"), 99;
    static const struct source source = {now, sleeps, {0}};
    before();
    agreeing();
    check(attach(NULL) == EINVAL, "no source");
    int64_t first = shown(CLOCK_MONOTONIC);
    check(attach(&source) == 0 && attach(&source) == EBUSY, "one source");
    int64_t there = shown(CLOCK_MONOTONIC);
    check(there >= first && there < first + 60 * SECOND, "clocks go on from what they showed");
    clocks();
    sleeping();
    waiting();
    deadlines();
    timers();
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    child();
    there = shown(CLOCK_MONOTONIC);
    detach();
    after(there);
    there = shown(CLOCK_REALTIME);
    check(attach(&source) == 0 && shown(CLOCK_REALTIME) >= there, "a second time");
    printf("%d failed\n", failed);
    return failed;
}
