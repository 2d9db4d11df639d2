/* Communicators and derived types: splits, a grid with shifts, strided columns, blocks, structures,
   and collectives of uneven parts.

   usage: groups */
#include <stddef.h>
#include <string.h>
#include "check.h"

static void splits(void)
{
	MPI_Comm half, copy;
	int color = rank % 2, own, count, sum;

	/* Ranks in reverse order. */
	MPI_Comm_split(MPI_COMM_WORLD, color, -rank, &half);
	MPI_Comm_rank(half, &own);
	MPI_Comm_size(half, &count);
	must(own == count - 1 - rank / 2, "a rank in a reversed half");
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
	int expected = 0;
	for (int peer = color; peer < ranks; peer += 2)
		expected += peer;
	must(sum == expected, "a sum of a half");
	MPI_Comm_dup(half, &copy);
	int root = own == 0 ? rank : -1;
	MPI_Bcast(&root, 1, MPI_INT, 0, copy);
	must(root == color + 2 * (count - 1), "a broadcast of a half");
	MPI_Comm_free(&copy);
	MPI_Comm_free(&half);
}

/* Columns of a matrix go round in one dimension of a grid, rows in the other. */
static void grid(void)
{
	enum { SIZE = 40 };
	static int matrix[SIZE][SIZE];
	int sizes[2] = { 0, 0 }, periods[2] = { 1, 1 }, source, target;
	MPI_Comm torus;
	MPI_Datatype column, block;

	MPI_Dims_create(ranks, 2, sizes);
	MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &torus);
	for (int row = 0; row < SIZE; row++)
		for (int place = 0; place < SIZE; place++)
			matrix[row][place] = rank * 10000 + row * SIZE + place;
	MPI_Type_vector(SIZE - 2, 1, SIZE, MPI_INT, &column);
	MPI_Type_commit(&column);
	for (int dimension = 0; dimension < 2; dimension++) {
		MPI_Cart_shift(torus, dimension, 1, &source, &target);
		MPI_Sendrecv(&matrix[1][SIZE - 2], 1, column, target, dimension, &matrix[1][0], 1, column, source, dimension, torus,
			     MPI_STATUS_IGNORE);
		for (int row = 1; row < SIZE - 1; row++)
			must(matrix[row][0] == source * 10000 + row * SIZE + SIZE - 2, "a column");
	}
	int all[2] = { SIZE, SIZE }, part[2] = { 10, 20 }, first[2] = { 5, 7 };
	MPI_Type_create_subarray(2, all, part, first, MPI_ORDER_C, MPI_INT, &block);
	MPI_Type_commit(&block);
	int in[200];
	MPI_Sendrecv(matrix, 1, block, target, 9, in, 200, MPI_INT, source, 9, torus, MPI_STATUS_IGNORE);
	for (int place = 0; place < 200; place++)
		must(in[place] == source * 10000 + (5 + place / 20) * SIZE + 7 + place % 20, "a block");
	MPI_Type_free(&column);
	MPI_Type_free(&block);
	MPI_Comm_free(&torus);
}

struct particle {
	char kind;
	double place[3];
	int charge;
};

static void structures(void)
{
	enum { MANY = 500 };
	static struct particle out[MANY], in[MANY];
	int lengths[3] = { 1, 3, 1 }, next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
	MPI_Aint places[3] = { offsetof(struct particle, kind), offsetof(struct particle, place),
			       offsetof(struct particle, charge) };
	MPI_Datatype types[3] = { MPI_CHAR, MPI_DOUBLE, MPI_INT }, plain, particle;

	MPI_Type_create_struct(3, lengths, places, types, &plain);
	MPI_Type_create_resized(plain, 0, sizeof(struct particle), &particle);
	MPI_Type_commit(&particle);
	for (int number = 0; number < MANY; number++)
		out[number] = (struct particle){ 'a' + (char)(rank % 26), { number, rank, 0.5 }, number - rank };
	MPI_Sendrecv(out, MANY, particle, next, 1, in, MANY, particle, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int number = 0; number < MANY; number++)
		must(in[number].kind == 'a' + previous % 26 && in[number].place[0] == number &&
			     in[number].place[1] == previous && in[number].place[2] == 0.5 && in[number].charge == number - previous,
		     "a structure");
	MPI_Type_free(&plain);
	MPI_Type_free(&particle);
}

static void uneven(void)
{
	int *counts = allocated(ranks * sizeof *counts), *starts = allocated(ranks * sizeof *starts), total = 0, sum;

	for (int peer = 0; peer < ranks; peer++) {
		counts[peer] = 100 * (peer % 3) + 1;
		starts[peer] = total;
		total += counts[peer];
	}
	int *own = allocated(counts[rank] * sizeof *own), *all = allocated(total * sizeof *all);
	for (int place = 0; place < counts[rank]; place++)
		own[place] = starts[rank] + place;
	MPI_Allgatherv(own, counts[rank], MPI_INT, all, counts, starts, MPI_INT, MPI_COMM_WORLD);
	for (int place = 0; place < total; place++)
		must(all[place] == place, "an allgatherv");
	memset(own, 0, counts[rank] * sizeof *own);
	MPI_Scatterv(all, counts, starts, MPI_INT, own, counts[rank], MPI_INT, ranks - 1, MPI_COMM_WORLD);
	for (int place = 0; place < counts[rank]; place++)
		must(own[place] == starts[rank] + place, "a scatterv");
	MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	must(sum == rank * (rank + 1) / 2, "a scan");
	free(counts);
	free(starts);
	free(own);
	free(all);
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	splits();
	grid();
	structures();
	uneven();
	return end();
}
