/* PE 0 stops PE 2's process. Its operations on PE 1 still complete, by a quiet of PE 1 and by a
   handle. Its operations on PE 2 complete when PE 2 continues. */

#include <shmem.h>
#include <shmemx.h>

#include <signal.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

static long pid, number[3], sum;

static int failures;

#define CHECK(condition)                                                                                                        \
    do {                                                                                                                        \
        if (!(condition)) {                                                                                                     \
            fprintf(stderr, "stalled.c:%d: %s\n", __LINE__, #condition);                                                        \
            failures++;                                                                                                         \
        }                                                                                                                       \
    } while (0)

/* A process to which the signal was sent is not stopped yet: the kernel says when it is. */
static int is_stopped(pid_t of)
{
    char name[64], state = 0;
    snprintf(name, sizeof name, "/proc/%d/stat", (int)of);
    FILE *file = fopen(name, "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 0;
    fclose(file);
    return state == 'T';
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), one = 1, two = 2;
    pid = getpid();
    shmem_barrier_all();
    if (me == 0) {
        long fetched[2] = {-1, -1};
        void *handle[2] = {NULL, NULL};
        const pid_t other = (pid_t)shmem_long_g(&pid, 2);
        shmem_pe_quiet(&one, 1); /* From the first call on, operations are counted by PE. */
        kill(other, SIGSTOP);
        while (!is_stopped(other))
            usleep(1000);
        for (int pe = 1; pe <= 2; pe++) {
            shmem_long_p(&number[1], 10 + pe, pe);
            shmemx_long_fadd_nb(&fetched[pe - 1], &sum, pe, pe, &handle[pe - 1]);
        }
        shmemx_wait_nb(&handle[0]);
        CHECK(fetched[0] == 0 && handle[0] == NULL);
        shmem_long_p(&number[2], 5, 1);
        shmem_long_add(&number[2], 6, 1);
        shmem_pe_quiet(&one, 1);
        CHECK(shmem_long_g(&number[1], 1) == 11);
        CHECK(shmem_long_g(&number[2], 1) == 11);
        CHECK(!shmemx_test_nb(&handle[1]) && handle[1] != NULL && fetched[1] == -1);
        kill(other, SIGCONT);
        shmem_pe_quiet(&two, 1);
        CHECK(fetched[1] == 0 && shmemx_test_nb(&handle[1]) && handle[1] == NULL);
        CHECK(shmem_long_g(&number[1], 2) == 12);
        CHECK(shmem_long_g(&sum, 2) == 2);
    }
    shmem_barrier_all();
    shmem_finalize();
    return failures;
}
