/* Collectives that do not block, several at a time, while messages go on; a program that tests for
   their ends.

   usage: nonblocking [WORDS]
   WORDS: of each block (500) */
#include "check.h"

enum { COLLECTIVES = 5 };

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	int words = (int)number(argc, argv, 1, 500), next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
	size_t all = (size_t)words * ranks;
	long *sums = allocated(words * sizeof *sums), *own = allocated(words * sizeof *own);
	long *gathered = allocated(all * sizeof *gathered), *from = allocated(all * sizeof *from);
	long *to = allocated(all * sizeof *to), *sent = allocated(words * sizeof *sent);

	for (int turn = 0; turn < 4; turn++) {
		MPI_Request requests[COLLECTIVES];
		int root = turn % ranks, is_done = 0, tests = 0;

		for (int word = 0; word < words; word++) {
			own[word] = rank + word + turn;
			sent[word] = rank == root ? word * 3L + turn : -1;
		}
		for (size_t word = 0; word < all; word++)
			from[word] = rank * 100000L + (long)word + turn;
		MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
		MPI_Iallreduce(own, sums, words, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
		MPI_Ibcast(sent, words, MPI_LONG, root, MPI_COMM_WORLD, &requests[2]);
		MPI_Iallgather(own, words, MPI_LONG, gathered, words, MPI_LONG, MPI_COMM_WORLD, &requests[3]);
		MPI_Ialltoall(from, words, MPI_LONG, to, words, MPI_LONG, MPI_COMM_WORLD, &requests[4]);
		for (; !is_done; tests++) {
			int out = rank * 10 + tests % 10, in;

			if (tests < 10) {
				MPI_Sendrecv(&out, 1, MPI_INT, next, 1, &in, 1, MPI_INT, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
				must(in == previous * 10 + tests % 10, "a message between collectives");
			}
			MPI_Testall(COLLECTIVES, requests, &is_done, MPI_STATUSES_IGNORE);
			/* The ranks take part in the same messages. */
			is_done = is_done && tests >= 9;
		}
		for (int word = 0; word < words; word++) {
			must(sums[word] == (long)ranks * (ranks - 1) / 2 + (long)ranks * (word + turn), "a sum");
			must(sent[word] == word * 3L + turn, "a broadcast");
		}
		for (size_t word = 0; word < all; word++) {
			long peer = (long)(word / words), place = (long)(word % words);

			must(gathered[word] == peer + place + turn, "an allgather");
			must(to[word] == peer * 100000L + rank * (long)words + place + turn, "an alltoall");
		}
	}
	free(sums);
	free(own);
	free(gathered);
	free(from);
	free(to);
	free(sent);
	return end();
}
