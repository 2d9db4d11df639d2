/* Round trips of messages between ranks 0 and 1, as osu_latency: their mean time by size.

   usage: latency [TURNS]
   Output: "round-trip BYTES NS". */
#include "check.h"

static const int SIZES[] = { 8, 1024, 4096, 16384, 16385, 65536, 1 << 20 };

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	must(ranks >= 2, "two ranks at least");
	int turns = (int)number(argc, argv, 1, 20);
	unsigned char *out = allocated(1 << 20), *in = allocated(1 << 20);

	for (unsigned place = 0; place < sizeof SIZES / sizeof *SIZES; place++) {
		int bytes = SIZES[place];

		MPI_Barrier(MPI_COMM_WORLD);
		if (rank > 1)
			continue;
		double began = nanoseconds();
		for (int turn = 0; turn < turns; turn++) {
			/* Computation takes no simulated time, so each message can be checked. */
			for (int byte = 0; byte < bytes; byte++)
				out[byte] = (unsigned char)(byte * 31 + turn + rank);
			if (rank == 0)
				MPI_Send(out, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
			MPI_Recv(in, bytes, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			for (int byte = 0; byte < bytes; byte++)
				must(in[byte] == (unsigned char)(byte * 31 + turn + 1 - rank), "a message");
			if (rank == 1)
				MPI_Send(out, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
		}
		if (rank == 0)
			printf("round-trip %d %.1f\n", bytes, (nanoseconds() - began) / turns);
	}
	free(out);
	free(in);
	return end();
}
