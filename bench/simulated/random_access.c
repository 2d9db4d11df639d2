/* Random updates of a table that all ranks share, as HPCC's RandomAccess: updates go to their owners
   in buckets. All of them a second time must give the table of the beginning.

   usage: random_access [WORDS [UPDATES]]
   WORDS: of the table on each rank, a power of two (1024); UPDATES: of each rank (4 times as many)
   Output: "updates-per-us RATE". */
#include <stdint.h>
#include <string.h>
#include "check.h"

enum { BUCKET = 256 };

static uint64_t words;

static void apply(uint64_t *table, const uint64_t *updates, int count)
{
	for (int update = 0; update < count; update++) {
		must(updates[update] / words % ranks == (uint64_t)rank, "an update at its owner");
		table[updates[update] % words] ^= updates[update];
	}
}

/* Buckets until every rank has sent all of its updates. */
static void update_all(uint64_t *table, long updates)
{
	uint64_t *out = allocated((size_t)ranks * BUCKET * sizeof *out), *in = allocated((size_t)ranks * BUCKET * sizeof *in);
	int *counts = allocated(3 * ranks * sizeof *counts), *incoming = counts + ranks, *places = incoming + ranks;
	uint64_t state = 88172645463325252ULL + 7919 * (uint64_t)rank;

	for (int peer = 0; peer < ranks; peer++)
		places[peer] = peer * BUCKET;
	for (long done = 0; done < updates;) {
		memset(counts, 0, ranks * sizeof *counts);
		/* As many at a time as HPCC allows: one bucket. */
		for (int update = 0; update < BUCKET && done < updates; update++, done++) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			int owner = (int)(state / words % ranks);
			out[(size_t)owner * BUCKET + counts[owner]++] = state;
		}
		MPI_Alltoall(counts, 1, MPI_INT, incoming, 1, MPI_INT, MPI_COMM_WORLD);
		MPI_Alltoallv(out, counts, places, MPI_UINT64_T, in, incoming, places, MPI_UINT64_T, MPI_COMM_WORLD);
		for (int peer = 0; peer < ranks; peer++)
			apply(table, in + (size_t)peer * BUCKET, incoming[peer]);
	}
	free(out);
	free(in);
	free(counts);
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	words = (uint64_t)number(argc, argv, 1, 1024);
	long updates = number(argc, argv, 2, 4 * (long)words);
	uint64_t *table = allocated(words * sizeof *table), changed = 0;

	for (uint64_t word = 0; word < words; word++)
		table[word] = rank * words + word;
	MPI_Barrier(MPI_COMM_WORLD);
	double began = nanoseconds();
	update_all(table, updates);
	double each = (nanoseconds() - began) / ((double)updates * ranks);
	for (uint64_t word = 0; word < words; word++)
		changed += table[word] != rank * words + word;
	must(changed > words / 2, "the updates change the table");
	update_all(table, updates);
	for (uint64_t word = 0; word < words; word++)
		must(table[word] == rank * words + word, "the table of the beginning");
	if (rank == 0)
		printf("updates-per-us %.3f\n", 1e3 / each);
	free(table);
	return end();
}
