/* Collectives of all ranks, one after the other: alltoall, allreduce, barrier. Every byte is checked.

   usage: collectives [ROUNDS [BYTES [WHICH]]]
   BYTES: of the alltoall for each pair of ranks, a multiple of 8 (1024). WHICH: alltoall, allreduce
   or barrier, otherwise all three.
   Output: "NAME OPERATIONS TIME": operations of the program, and the mean time of one, in us, on the
   rank on which they took longest. */

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static long wrong;

static bool is_asked(const char *name, int argc, char **argv)
{
    return argc <= 3 || strcmp(argv[3], name) == 0;
}

static void say(const char *name, int rounds, double took)
{
    double longest;
    MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %d %.3f\n", name, rounds, longest * 1e6 / rounds);
}

static void alltoall(int rounds, int words)
{
    const size_t all = (size_t)words * (size_t)ranks;
    long *from = malloc(all * sizeof *from), *to = malloc(all * sizeof *to);
    if (from == NULL || to == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    double took = 0;
    for (int round = 0; round < rounds; round++) {
        for (size_t word = 0; word < all; word++)
            from[word] = rank * 1000003L + (long)word * 7 + round;
        MPI_Barrier(MPI_COMM_WORLD);
        took -= MPI_Wtime();
        MPI_Alltoall(from, words, MPI_LONG, to, words, MPI_LONG, MPI_COMM_WORLD);
        took += MPI_Wtime();
        for (size_t word = 0; word < all; word++) {
            const long peer = (long)(word / (size_t)words), place = (long)rank * words + (long)(word % (size_t)words);
            wrong += to[word] != peer * 1000003L + place * 7 + round;
        }
    }
    say("alltoall", rounds, took);
    free(from);
    free(to);
}

static void allreduce(int rounds)
{
    double took = 0;
    for (int round = 0; round < rounds; round++) {
        long mine[8], sums[8];
        for (int word = 0; word < 8; word++)
            mine[word] = rank + word * round;
        MPI_Barrier(MPI_COMM_WORLD);
        took -= MPI_Wtime();
        MPI_Allreduce(mine, sums, 8, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        took += MPI_Wtime();
        for (int word = 0; word < 8; word++)
            wrong += sums[word] != (long)ranks * (ranks - 1) / 2 + (long)ranks * word * round;
    }
    say("allreduce", rounds, took);
}

static void barrier(int rounds)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    for (int round = 0; round < rounds; round++)
        MPI_Barrier(MPI_COMM_WORLD);
    say("barrier", rounds, MPI_Wtime() - began);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int rounds = argc > 1 ? atoi(argv[1]) : 5, bytes = argc > 2 ? atoi(argv[2]) : 1024;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (is_asked("alltoall", argc, argv))
        alltoall(rounds, bytes / (int)sizeof(long));
    if (is_asked("allreduce", argc, argv))
        allreduce(rounds);
    if (is_asked("barrier", argc, argv))
        barrier(rounds);
    long all_wrong;
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf(all_wrong == 0 ? "verified\n" : "NOT verified: %ld words\n", all_wrong);
    MPI_Finalize();
    return all_wrong != 0;
}
