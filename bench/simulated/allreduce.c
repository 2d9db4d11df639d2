/* Allreduces of all ranks, one after the other.

   usage: allreduce [BYTES [ITERATIONS]]
   BYTES: of the vector, a multiple of 8 (8)
   Output: "allreduce NUMBER SPAN MEAN" in ns: from the first rank's begin to the last one's end, and
   the mean of a rank. */
#include "check.h"

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	int words = (int)number(argc, argv, 1, 8) / (int)sizeof(long), iterations = (int)number(argc, argv, 2, 3);
	long *from = allocated(words * sizeof *from), *to = allocated(words * sizeof *to);
	double *times = allocated((iterations + 1) * sizeof *times);

	MPI_Barrier(MPI_COMM_WORLD);
	for (int iteration = 0; iteration < iterations; iteration++) {
		for (int word = 0; word < words; word++)
			from[word] = (long)rank * (word + 1) + iteration;
		times[iteration] = nanoseconds();
		MPI_Allreduce(from, to, words, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
		for (int word = 0; word < words; word++)
			must(to[word] == (long)ranks * (ranks - 1) / 2 * (word + 1) + (long)ranks * iteration, "an allreduce");
	}
	times[iterations] = nanoseconds();
	say_times("allreduce", times, iterations);
	free(from);
	free(to);
	free(times);
	return end();
}
