/* One-sided communication: puts, gets and accumulates between fences, between groups that meet, and
   in locks of a passive target.

   usage: one_sided [WORDS]
   WORDS: of each transfer (1000) */
#include "check.h"

static long *memory;
static MPI_Win window;
static int words;

/* Every rank puts to the next one, and gets what the previous one has put to itself. */
static void fences(void)
{
	int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
	long *out = allocated(words * sizeof *out), *in = allocated(words * sizeof *in);

	for (int word = 0; word < words; word++)
		out[word] = rank * 1000L + word;
	MPI_Win_fence(0, window);
	MPI_Put(out, words, MPI_LONG, next, 0, words, MPI_LONG, window);
	MPI_Win_fence(0, window);
	for (int word = 0; word < words; word++)
		must(memory[word] == previous * 1000L + word, "a put");
	MPI_Get(in, words, MPI_LONG, next, 0, words, MPI_LONG, window);
	MPI_Win_fence(0, window);
	for (int word = 0; word < words; word++)
		must(in[word] == rank * 1000L + word, "a get");
	/* All add to all of rank 0's words. */
	MPI_Accumulate(out, words, MPI_LONG, 0, 0, words, MPI_LONG, MPI_SUM, window);
	MPI_Win_fence(0, window);
	if (rank == 0) {
		for (int word = 0; word < words; word++) {
			long first = (ranks - 1) * 1000L + word;
			long sum = (long)ranks * (ranks - 1) / 2 * 1000 + (long)ranks * word;

			must(memory[word] == first + sum, "an accumulate");
		}
	}
	MPI_Win_fence(0, window);
	free(out);
	free(in);
}

/* Rank 0 exposes its window to all others, which put their numbers there. */
static void meetings(void)
{
	MPI_Group all, others, first;
	int zero = 0;
	long own = rank * 7L;

	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_excl(all, 1, &zero, &others);
	MPI_Group_incl(all, 1, &zero, &first);
	if (rank == 0) {
		MPI_Win_post(others, 0, window);
		MPI_Win_wait(window);
		for (int peer = 1; peer < ranks; peer++)
			must(memory[peer] == peer * 7L, "a put to an exposed window");
	} else {
		MPI_Win_start(first, 0, window);
		MPI_Put(&own, 1, MPI_LONG, 0, rank, 1, MPI_LONG, window);
		MPI_Win_complete(window);
	}
	MPI_Group_free(&all);
	MPI_Group_free(&others);
	MPI_Group_free(&first);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void passive_target(void)
{
	enum { EACH = 10 };
	long one = 1, found, seen = -1, mine = rank + 1, zero = 0;

	memory[0] = memory[1] = memory[2] = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	/* A counter: each rank sees larger and larger values. */
	MPI_Win_lock_all(0, window);
	for (int turn = 0; turn < EACH; turn++) {
		MPI_Fetch_and_op(&one, &found, MPI_LONG, 0, 0, MPI_SUM, window);
		MPI_Win_flush(0, window);
		must(found > seen && found < (long)EACH * ranks, "a fetched counter");
		seen = found;
	}
	/* One rank alone finds the 0. */
	MPI_Compare_and_swap(&mine, &zero, &found, MPI_LONG, 0, 1, window);
	MPI_Win_flush(0, window);
	MPI_Win_unlock_all(window);
	int has_won = found == 0, winners;
	MPI_Allreduce(&has_won, &winners, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	must(winners == 1, "one rank wins");
	/* Read, change and write under a lock. */
	for (int turn = 0; turn < 3; turn++) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
		MPI_Get(&found, 1, MPI_LONG, 0, 2, 1, MPI_LONG, window);
		MPI_Win_flush(0, window);
		found += mine;
		MPI_Put(&found, 1, MPI_LONG, 0, 2, 1, MPI_LONG, window);
		MPI_Win_unlock(0, window);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
	long last[3];
	MPI_Get(last, 3, MPI_LONG, 0, 0, 3, MPI_LONG, window);
	MPI_Win_unlock(0, window);
	must(last[0] == (long)EACH * ranks, "the counter");
	must(last[1] >= 1 && last[1] <= ranks && (!has_won || last[1] == mine), "the winner");
	must(last[2] == 3L * ranks * (ranks + 1) / 2, "the sum under a lock");
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	words = (int)number(argc, argv, 1, 1000);
	MPI_Aint bytes = (MPI_Aint)sizeof(long) * (words > ranks + 3 ? words : ranks + 3);

	MPI_Win_allocate(bytes, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
	fences();
	meetings();
	passive_target();
	MPI_Win_free(&window);
	return end();
}
