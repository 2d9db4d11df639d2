/* What the programs of this folder share: their ranks, and how they check their results. A wrong
   result ends a program with exit code 3. Rank 0 prints figures, one line each: a name, numbers. */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks;

static inline void must(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
	MPI_Abort(MPI_COMM_WORLD, 3);
	exit(3);
}

static inline void begin(int *argc, char ***argv)
{
	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

/* The program is done, and every rank has found its results right. */
static inline int end(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		printf("verified\n");
		fflush(stdout);
	}
	MPI_Finalize();
	return 0;
}

/* An argument that is a number, or what holds without it. */
static inline long number(int argc, char **argv, int place, long otherwise)
{
	return argc > place ? atol(argv[place]) : otherwise;
}

static inline double nanoseconds(void)
{
	return MPI_Wtime() * 1e9;
}

enum { ITERATIONS_MAX = 100 };

/* Of each iteration, its span from the first rank's begin to the last rank's end, and its mean
   duration on a rank. `times` has one more than there are iterations: each ends where the next one
   begins. The messages of this function do not depend on the number of iterations. */
static inline void say_times(const char *name, const double *times, int iterations)
{
	static double own[2 * ITERATIONS_MAX], all[2 * ITERATIONS_MAX], durations[ITERATIONS_MAX], sums[ITERATIONS_MAX];

	must(iterations <= ITERATIONS_MAX, "too many iterations");
	for (int iteration = 0; iteration < iterations; iteration++) {
		own[2 * iteration] = -times[iteration];
		own[2 * iteration + 1] = times[iteration + 1];
		durations[iteration] = times[iteration + 1] - times[iteration];
	}
	MPI_Reduce(own, all, 2 * ITERATIONS_MAX, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	MPI_Reduce(durations, sums, ITERATIONS_MAX, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	for (int iteration = 0; rank == 0 && iteration < iterations; iteration++)
		printf("%s %d %.0f %.1f\n", name, iteration, all[2 * iteration] + all[2 * iteration + 1], sums[iteration] / ranks);
}

static inline void *allocated(size_t bytes)
{
	void *memory = calloc(bytes ? bytes : 1, 1);

	must(memory != NULL, "memory");
	return memory;
}

#endif
