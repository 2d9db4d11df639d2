/* Each rank sleeps for 10 us, again and again: waits without messages.

   usage: sleeps [TURNS]
   Output: "sleeps WAITS SLEEP": the waits of all ranks, and the time of a sleep in us. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int turns = argc > 1 ? atoi(argv[1]) : 10;
    const struct timespec time = {.tv_sec = 0, .tv_nsec = 10000};
    int rank, ranks, wrong = 0, all_wrong;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    for (int turn = 0; turn < turns; turn++)
        wrong |= nanosleep(&time, NULL) != 0;
    const double took = MPI_Wtime() - began;
    /* A sleep is no shorter than asked; a call to the clock's library takes a little. */
    wrong |= took < 10e-6 * turns || took > 10.1e-6 * turns + 1e-6;
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        const long waits = (long)turns * ranks;
        printf("sleeps %ld %.4f\n%s\n", waits, turns > 0 ? took * 1e6 / turns : 0.0, all_wrong ? "NOT verified" : "verified");
    }
    MPI_Finalize();
    return wrong;
}
