/* Windows of messages that do not wait for each other, with an answer to each window, as osu_bw.
   With 2 ranks it is a test of bandwidth. With more, each rank of the first half sends to one of the
   second half, as osu_mbw_mr: a test of the message rate, if the messages are short.

   usage: bandwidth [BYTES [WINDOWS]]
   Output: "window NUMBER NS", from the first sender's begin to the last one's end. */
#include "check.h"

enum { WINDOW = 64 };

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	must(ranks >= 2 && ranks % 2 == 0, "an even number of ranks");
	int bytes = (int)number(argc, argv, 1, 1 << 20), windows = (int)number(argc, argv, 2, 5);
	int half = ranks / 2, sends = rank < half, partner = sends ? rank + half : rank - half;
	unsigned char *data = allocated((size_t)bytes * WINDOW);
	double *times = allocated((windows + 1) * sizeof *times);
	MPI_Request requests[WINDOW];
	int answer = 0;

	MPI_Barrier(MPI_COMM_WORLD);
	for (int window = 0; window < windows; window++) {
		times[window] = nanoseconds();
		for (int place = 0; place < WINDOW; place++) {
			unsigned char *message = data + (size_t)place * bytes;

			if (sends) {
				message[0] = (unsigned char)(place + window + rank);
				message[bytes - 1] = message[0];
				MPI_Isend(message, bytes, MPI_BYTE, partner, 2, MPI_COMM_WORLD, &requests[place]);
			} else {
				MPI_Irecv(message, bytes, MPI_BYTE, partner, 2, MPI_COMM_WORLD, &requests[place]);
			}
		}
		MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
		if (sends) {
			MPI_Recv(&answer, 1, MPI_INT, partner, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			must(answer == window + 1, "the answer to a window");
			continue;
		}
		for (int place = 0; place < WINDOW; place++) {
			const unsigned char *message = data + (size_t)place * bytes;
			unsigned char expected = (unsigned char)(place + window + partner);

			must(message[0] == expected && message[bytes - 1] == expected, "a message of a window");
		}
		answer = window + 1;
		MPI_Send(&answer, 1, MPI_INT, partner, 3, MPI_COMM_WORLD);
	}
	times[windows] = nanoseconds();
	/* Receivers' times do not count, as in the tests that this follows. */
	for (int window = 0; window < windows; window++) {
		double own[] = { sends ? -times[window] : -1e300, sends ? times[window + 1] : -1e300 }, all[2];

		MPI_Reduce(own, all, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
		if (rank == 0)
			printf("window %d %.0f\n", window, all[0] + all[1]);
	}
	free(data);
	free(times);
	return end();
}
