/* What the examples share: arguments, a clock, random numbers by index, and the verdict. */

#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <errno.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* An option of a program, given as --NAME VALUE: a number within limits, with its default in
   *value. */
struct option {
    const char *name;
    size_t *value;
    size_t min, max;
    const char *meaning;
};

static inline double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The n-th of a stream of random numbers, so that every PE can begin anywhere. (splitmix64, Steele
   et al., OOPSLA 2014) */
static inline uint64_t random_at(uint64_t n)
{
    uint64_t z = (n + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Ends all PEs in the same way, with PE 0's message. */
static inline void leave(int status)
{
    fflush(NULL);
    shmem_finalize();
    exit(status);
}

static inline void usage(FILE *out, const char *about, const struct option *options, size_t count)
{
    fprintf(out, "%s\n\noptions:\n", about);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "  --%-12s N  %s (%zu to %zu; default %zu)\n", options[i].name, options[i].meaning, options[i].min,
                options[i].max, *options[i].value);
    fprintf(out, "  --%-12s    this\n", "help");
}

/* Starts the library and reads the arguments. All PEs read the same arguments, so all leave if they
   are wrong. */
static inline void start(int argc, char **argv, const char *about, const struct option *options, size_t count)
{
    shmem_init();
    bool speaks = shmem_my_pe() == 0;
    for (int at = 1; at < argc; at++) {
        const struct option *found = NULL;
        if (strcmp(argv[at], "--help") == 0) {
            if (speaks)
                usage(stdout, about, options, count);
            leave(0);
        }
        for (size_t i = 0; i < count; i++)
            if (strncmp(argv[at], "--", 2) == 0 && strcmp(argv[at] + 2, options[i].name) == 0)
                found = &options[i];
        if (found == NULL) {
            if (speaks) {
                fprintf(stderr, "%s: '%s' is no option\n\n", argv[0], argv[at]);
                usage(stderr, about, options, count);
            }
            leave(2);
        }
        const char *text = ++at < argc ? argv[at] : "";
        char *end = NULL;
        errno = 0;
        unsigned long long value = strtoull(text, &end, 10);
        if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value < found->min || value > found->max) {
            if (speaks)
                fprintf(stderr, "%s: --%s is '%s', and may be %zu to %zu\n", argv[0], found->name, text, found->min, found->max);
            leave(2);
        }
        *found->value = (size_t)value;
    }
}

/* Allocates memory of this PE, or ends. */
static inline void *own(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "PE %d has no %zu x %zu bytes\n", shmem_my_pe(), count, size);
        shmem_global_exit(1);
    }
    return memory;
}

/* Allocates symmetric memory, or ends: shmem_calloc fails on all PEs or on none. */
static inline void *symmetric(size_t count, size_t size)
{
    void *memory = shmem_calloc(count, size);
    if (memory == NULL) {
        if (shmem_my_pe() == 0)
            fprintf(stderr, "the symmetric heap has no %zu x %zu bytes: SHMEM_SYMMETRIC_SIZE=1g would make it 1 GiB\n", count, size);
        leave(1);
    }
    return memory;
}

static inline uint64_t sum_of_all(uint64_t mine)
{
    static uint64_t source, sum;
    source = mine;
    shmem_team_sync(SHMEM_TEAM_WORLD); /* all have read the result of the last one */
    shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, &sum, &source, 1);
    return sum;
}

static inline double max_of_all(double mine)
{
    static double source, max;
    source = mine;
    shmem_team_sync(SHMEM_TEAM_WORLD);
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &max, &source, 1);
    return max;
}

/* Ends the program: 0 if no PE found anything wrong, else 1. */
static inline void verdict(uint64_t wrong, const char *what)
{
    uint64_t all = sum_of_all(wrong);
    if (shmem_my_pe() == 0) {
        if (all == 0)
            printf("verified: %s\n", what);
        else
            fprintf(stderr, "NOT verified: %s: %llu wrong\n", what, (unsigned long long)all);
    }
    leave(all == 0 ? 0 : 1);
}

#endif
