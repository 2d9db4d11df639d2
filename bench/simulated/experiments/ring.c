/* One byte travels around a ring of all ranks, turn by turn: each rank waits for it once in a turn.

   usage: ring [TURNS]
   Output: "ring WAITS HOP": the waits of all ranks, and the time of a hop in us. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int turns = argc > 1 ? atoi(argv[1]) : 10;
    int rank, ranks, wrong = 0, all_wrong;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int from = (rank + ranks - 1) % ranks, to = (rank + 1) % ranks;
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    for (int turn = 0; turn < turns; turn++) {
        unsigned char byte = (unsigned char)turn;
        if (rank == 0)
            MPI_Send(&byte, 1, MPI_BYTE, to, 0, MPI_COMM_WORLD);
        byte = 0xff;
        MPI_Recv(&byte, 1, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        wrong |= byte != (unsigned char)turn;
        if (rank != 0)
            MPI_Send(&byte, 1, MPI_BYTE, to, 0, MPI_COMM_WORLD);
    }
    const double took = MPI_Wtime() - began;
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        const long waits = (long)turns * ranks;
        printf("ring %ld %.4f\n%s\n", waits, turns > 0 ? took * 1e6 / (double)waits : 0.0, all_wrong ? "NOT verified" : "verified");
    }
    MPI_Finalize();
    return wrong;
}
