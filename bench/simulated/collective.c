/* One kind of collective, several times; each rank checks what it has received.

   usage: collective KIND [BYTES [ITERATIONS [ROOT]]]
   KIND: allgather, allreduce, alltoall, barrier, broadcast, gather, reduce, reduce-scatter, scatter
   BYTES: of a block, or of the vector or message, a multiple of 8 (8) */
#include "check.h"

#include <string.h>

static int words, root;

/* A word of a rank's block for another rank, which also depends on the iteration. */
static long word_of(int from, int to, int word, int iteration)
{
	return ((long)from * ranks + to) * words + word + iteration;
}

/* The sum over all ranks of what they have for a rank. */
static long sum_of(int to, int word, int iteration)
{
	long sum = 0;

	for (int from = 0; from < ranks; from++)
		sum += word_of(from, to, word, iteration);
	return sum;
}

static void one(const char *kind, long *from, long *to, int iteration)
{
	int vector = !strcmp(kind, "allreduce") || !strcmp(kind, "reduce") || !strcmp(kind, "broadcast");
	int own = vector || !strcmp(kind, "allgather") || !strcmp(kind, "gather");

	for (int block = 0; block < ranks; block++)
		for (int word = 0; word < words; word++) {
			from[block * words + word] = word_of(rank, own ? 0 : block, word, iteration);
			to[block * words + word] = 0;
		}
	if (!strcmp(kind, "barrier")) {
		MPI_Barrier(MPI_COMM_WORLD);
		return;
	}
	int filled = 1, summed = 0, blocks = 1, here = 1;
	if (!strcmp(kind, "allreduce")) {
		MPI_Allreduce(from, to, words, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
		summed = 1;
	} else if (!strcmp(kind, "reduce")) {
		MPI_Reduce(from, to, words, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD);
		summed = 1;
		here = rank == root;
	} else if (!strcmp(kind, "reduce-scatter")) {
		MPI_Reduce_scatter_block(from, to, words, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
		summed = 1;
	} else if (!strcmp(kind, "broadcast")) {
		if (rank == root)
			memcpy(to, from, words * sizeof *to);
		MPI_Bcast(to, words, MPI_LONG, root, MPI_COMM_WORLD);
	} else if (!strcmp(kind, "scatter")) {
		MPI_Scatter(from, words, MPI_LONG, to, words, MPI_LONG, root, MPI_COMM_WORLD);
	} else if (!strcmp(kind, "gather")) {
		MPI_Gather(from, words, MPI_LONG, to, words, MPI_LONG, root, MPI_COMM_WORLD);
		blocks = ranks;
		here = rank == root;
	} else if (!strcmp(kind, "allgather")) {
		MPI_Allgather(from, words, MPI_LONG, to, words, MPI_LONG, MPI_COMM_WORLD);
		blocks = ranks;
	} else if (!strcmp(kind, "alltoall")) {
		MPI_Alltoall(from, words, MPI_LONG, to, words, MPI_LONG, MPI_COMM_WORLD);
		blocks = ranks;
	} else {
		filled = 0;
	}
	must(filled, "KIND: allgather, allreduce, alltoall, barrier, broadcast, gather, reduce, reduce-scatter or scatter");
	int source = !strcmp(kind, "broadcast") || !strcmp(kind, "scatter") ? root : 0;
	for (int block = 0; here && block < blocks; block++)
		for (int word = 0; word < words; word++) {
			long expected = summed ? sum_of(own ? 0 : rank, word, iteration) : word_of(source + block, own ? 0 : rank, word, iteration);
			must(to[block * words + word] == expected, kind);
		}
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	must(argc > 1, "usage: collective KIND [BYTES [ITERATIONS [ROOT]]]");
	words = (int)number(argc, argv, 2, 8) / (int)sizeof(long);
	int iterations = (int)number(argc, argv, 3, 3);
	root = (int)number(argc, argv, 4, 0);
	must(root >= 0 && root < ranks, "ROOT: a rank");
	long *from = allocated((size_t)ranks * words * sizeof *from), *to = allocated((size_t)ranks * words * sizeof *to);

	for (int iteration = 0; iteration < iterations; iteration++)
		one(argv[1], from, to, iteration);
	free(from);
	free(to);
	return end();
}
