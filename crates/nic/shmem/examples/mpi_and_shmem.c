/* MPI and OpenSHMEM in one program: MPI starts the processes, SHMEM joins through MPI, and both use
   the same NIC.

   Compile with the MPI's mpicc and the output of oshcc --showme:compile and --showme:link. SHMEM
   ends before MPI does. */

#include <mpi.h>
#include <shmem.h>
#include <stdio.h>

#define COUNT 30000

static long received[64];

int main(int argc, char **argv)
{
    int rank, size, wrong = 0, all = 0;
    static long out[COUNT], in[COUNT];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    shmem_init();
    if (size > 64) {
        fprintf(stderr, "mpi_and_shmem: at most 64 processes, not %d\n", size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    wrong += shmem_my_pe() != rank || shmem_n_pes() != size;

    /* Alternating: a put to all, a message to the next, and a sum by each of the two. */
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (long round = 1; round <= 10; round++) {
        for (int pe = 0; pe < size; pe++)
            shmem_long_p(&received[rank], round * 100 + rank, pe);
        for (int i = 0; i < COUNT; i++)
            out[i] = round * 100 + rank;
        MPI_Sendrecv(out, COUNT, MPI_LONG, next, 0, in, COUNT, MPI_LONG, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        wrong += in[0] != round * 100 + before || in[COUNT - 1] != round * 100 + before;
        shmem_barrier_all();
        long sum = 0, sums = 0, expected = 0;
        for (int pe = 0; pe < size; pe++) {
            sum += received[pe];
            expected += round * 100 + pe;
        }
        MPI_Allreduce(&sum, &sums, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        wrong += sums != expected * size;
        shmem_barrier_all();
    }
    shmem_finalize();
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && all == 0)
        printf("verified: %d processes, MPI and SHMEM alternating\n", size);
    else if (rank == 0)
        fprintf(stderr, "NOT verified: %d wrong\n", all);
    MPI_Finalize();
    return all == 0 ? 0 : 1;
}
