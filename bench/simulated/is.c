/* Integer sort, as NAS IS: ranks sort random keys into buckets, exchange them by alltoallv, and sort
   their own.

   usage: is [KEYS]
   KEYS: of each rank (4096) */
#include <stdint.h>
#include "check.h"

enum { KEY_MAX = 1 << 16, ROUNDS = 3 };

static int by_value(const void *left, const void *right)
{
	int one = *(const int *)left, other = *(const int *)right;

	return (one > other) - (one < other);
}

static int bucket_of(int key)
{
	return (int)((long)key * ranks / KEY_MAX);
}

static void sort(int *keys, int count)
{
	int *counts = allocated(4 * ranks * sizeof *counts), *places = counts + ranks;
	int *incoming = places + ranks, *starts = incoming + ranks;
	int *out = allocated(count * sizeof *out);

	for (int key = 0; key < count; key++)
		counts[bucket_of(keys[key])]++;
	for (int peer = 1; peer < ranks; peer++)
		places[peer] = places[peer - 1] + counts[peer - 1];
	for (int key = 0; key < count; key++)
		out[places[bucket_of(keys[key])]++] = keys[key];
	for (int peer = 0; peer < ranks; peer++)
		places[peer] -= counts[peer];
	MPI_Alltoall(counts, 1, MPI_INT, incoming, 1, MPI_INT, MPI_COMM_WORLD);
	int own = 0;
	for (int peer = 0; peer < ranks; peer++) {
		starts[peer] = own;
		own += incoming[peer];
	}
	int *in = allocated(own * sizeof *in);
	MPI_Alltoallv(out, counts, places, MPI_INT, in, incoming, starts, MPI_INT, MPI_COMM_WORLD);
	qsort(in, own, sizeof *in, by_value);

	/* Every key is in its bucket, in order, and none is lost: sums and sums of squares are equal. */
	int64_t sums[6] = { 0 }, all[6];
	for (int key = 0; key < own; key++) {
		must(bucket_of(in[key]) == rank && (key == 0 || in[key - 1] <= in[key]), "the order of keys");
		sums[0] += in[key];
		sums[1] += (int64_t)in[key] * in[key];
	}
	for (int key = 0; key < count; key++) {
		sums[2] += keys[key];
		sums[3] += (int64_t)keys[key] * keys[key];
	}
	sums[4] = own;
	sums[5] = count;
	MPI_Allreduce(sums, all, 6, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
	must(all[0] == all[2] && all[1] == all[3] && all[4] == all[5], "the sums of keys");
	free(counts);
	free(out);
	free(in);
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	int count = (int)number(argc, argv, 1, 4096);
	int *keys = allocated(count * sizeof *keys);
	uint64_t state = 314159265 + 1000003 * (uint64_t)rank;

	for (int round = 0; round < ROUNDS; round++) {
		for (int key = 0; key < count; key++) {
			int sum = 0;

			/* The mean of four numbers, as in NAS: buckets have different lengths. */
			for (int part = 0; part < 4; part++) {
				state = state * 6364136223846793005ULL + 1442695040888963407ULL;
				sum += (int)(state >> 48);
			}
			keys[key] = sum / 4;
		}
		sort(keys, count);
	}
	free(keys);
	return end();
}
