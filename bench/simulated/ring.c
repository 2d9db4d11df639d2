/* Rings of all ranks, as HPCC's bandwidth and latency test: in the order of ranks, and in random
   orders. Each rank exchanges with both neighbours.

   usage: ring [BYTES]
   BYTES: of the long messages (200000)
   Output: "ring ORDER BYTES NS" for an exchange; order 0 is that of ranks. */
#include <string.h>
#include "check.h"

enum { TURNS = 5, ORDERS = 4 };

static double exchange(const int *order, int bytes, unsigned char *memory)
{
	int place = 0;

	while (order[place] != rank)
		place++;
	int next = order[(place + 1) % ranks], previous = order[(place + ranks - 1) % ranks];
	unsigned char *to_next = memory, *to_previous = memory + bytes;
	unsigned char *of_next = memory + 2 * (size_t)bytes, *of_previous = memory + 3 * (size_t)bytes;

	MPI_Barrier(MPI_COMM_WORLD);
	double began = nanoseconds();
	for (int turn = 0; turn < TURNS; turn++) {
		MPI_Request requests[4];

		memset(to_next, rank + turn, bytes);
		memset(to_previous, rank + turn + 100, bytes);
		MPI_Irecv(of_previous, bytes, MPI_BYTE, previous, 1, MPI_COMM_WORLD, &requests[0]);
		MPI_Irecv(of_next, bytes, MPI_BYTE, next, 2, MPI_COMM_WORLD, &requests[1]);
		MPI_Isend(to_next, bytes, MPI_BYTE, next, 1, MPI_COMM_WORLD, &requests[2]);
		MPI_Isend(to_previous, bytes, MPI_BYTE, previous, 2, MPI_COMM_WORLD, &requests[3]);
		MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
		for (int byte = 0; byte < bytes; byte++)
			must(of_previous[byte] == (unsigned char)(previous + turn) &&
				     of_next[byte] == (unsigned char)(next + turn + 100),
			     "a neighbour's message");
	}
	double own = (nanoseconds() - began) / TURNS, slowest;
	MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return slowest;
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	int sizes[] = { 8, (int)number(argc, argv, 1, 200000) }, *order = allocated(ranks * sizeof *order);
	unsigned char *memory = allocated(4 * (size_t)sizes[1]);
	unsigned long state = 12345;

	for (int place = 0; place < ranks; place++)
		order[place] = place;
	for (int ordering = 0; ordering < ORDERS; ordering++) {
		for (int size = 0; size < 2; size++) {
			double took = exchange(order, sizes[size], memory);

			if (rank == 0)
				printf("ring %d %d %.0f\n", ordering, sizes[size], took);
		}
		for (int place = ranks - 1; place > 0; place--) {
			state = state * 6364136223846793005UL + 1442695040888963407UL;
			int other = (int)((state >> 33) % (place + 1)), kept = order[place];
			order[place] = order[other];
			order[other] = kept;
		}
	}
	free(order);
	free(memory);
	return end();
}
