/* Alltoalls of all ranks, one after the other.

   usage: alltoall [BYTES [ITERATIONS]]
   BYTES: for each pair of ranks, a multiple of 8 (1024)
   Output: "alltoall NUMBER SPAN MEAN" in ns: from the first rank's begin to the last one's end, and
   the mean of a rank. */
#include "check.h"

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	int words = (int)number(argc, argv, 1, 1024) / (int)sizeof(long), iterations = (int)number(argc, argv, 2, 3);
	size_t all = (size_t)words * ranks;
	long *from = allocated(all * sizeof *from), *to = allocated(all * sizeof *to);
	double *times = allocated((iterations + 1) * sizeof *times);

	MPI_Barrier(MPI_COMM_WORLD);
	for (int iteration = 0; iteration < iterations; iteration++) {
		for (size_t word = 0; word < all; word++)
			from[word] = rank * 1000003L + (long)word * 7 + iteration;
		times[iteration] = nanoseconds();
		MPI_Alltoall(from, words, MPI_LONG, to, words, MPI_LONG, MPI_COMM_WORLD);
		for (size_t word = 0; word < all; word++) {
			long peer = (long)(word / words), place = (long)rank * words + (long)(word % words);

			must(to[word] == peer * 1000003L + place * 7 + iteration, "an alltoall");
		}
	}
	times[iterations] = nanoseconds();
	say_times("alltoall", times, iterations);
	free(from);
	free(to);
	free(times);
	return end();
}
