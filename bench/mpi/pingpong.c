/* Latency, bandwidth and message rate of an MPI library between ranks 0 and 1, by size. Further
   ranks wait in a barrier, as in MPI programs. Then an alltoall and an allreduce of all ranks,
   checked, and additions to a counter of rank 0.

   usage: pingpong [SECONDS]
   SECONDS: time for each measurement (0.2)

   Output, one line each: "size BYTES P5 P50 MB/S M/S" (us), "alltoall US", "add US". A wrong result
   ends it with an error. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 4 << 20, WINDOW = 16, SAMPLES = 20000 };

static const int SIZES[] = { 8, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, LARGEST };

static int rank, ranks;
static unsigned char *out, *in;

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static void must(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
	MPI_Abort(MPI_COMM_WORLD, 3);
}

/* `times` round trips: half the mean time, in us. */
static double there_and_back(int bytes, int times)
{
	double began = MPI_Wtime();

	for (int time = 0; time < times; time++) {
		if (rank == 0) {
			MPI_Send(out, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
			MPI_Recv(in, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		} else {
			MPI_Recv(in, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Send(in, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
		}
	}
	return (MPI_Wtime() - began) / times / 2 * 1e6;
}

/* Windows of messages from rank 0 to rank 1, each ended by an answer: the time of one window in
   us. */
static double windows(int bytes, int count)
{
	MPI_Request requests[WINDOW];
	double began = MPI_Wtime();

	for (int window = 0; window < count; window++) {
		for (int place = 0; place < WINDOW; place++) {
			if (rank == 0)
				MPI_Isend(out, bytes, MPI_BYTE, 1, 2, MPI_COMM_WORLD, &requests[place]);
			else
				MPI_Irecv(in, bytes, MPI_BYTE, 0, 2, MPI_COMM_WORLD, &requests[place]);
		}
		MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
		if (rank == 0)
			MPI_Recv(in, 1, MPI_BYTE, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		else
			MPI_Send(out, 1, MPI_BYTE, 0, 3, MPI_COMM_WORLD);
	}
	return (MPI_Wtime() - began) / count * 1e6;
}

/* How many repetitions fit the time, by a first try of rank 0, within 1 and `most`. */
static int times_in(double seconds, double us_each, int most)
{
	double fits = us_each > 0 ? seconds * 1e6 / us_each : most;
	int times = fits > most ? most : fits < 1 ? 1 : (int)fits;

	if (rank == 0)
		MPI_Send(&times, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
	else
		MPI_Recv(&times, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return times;
}

static void measure(int bytes, double seconds)
{
	static double samples[SAMPLES];
	const int batch = bytes > 100000 ? 1 : 10;

	for (int at = 0; at < bytes; at++)
		out[at] = (unsigned char)(at * 31 + bytes + rank);
	memset(in, 0, LARGEST);
	double first = there_and_back(bytes, 2);
	int count = times_in(seconds, first * 2 * batch, SAMPLES);
	for (int sample = 0; sample < count; sample++)
		samples[sample] = there_and_back(bytes, batch);
	for (int at = 0; rank == 0 && at < bytes; at++)
		must(in[at] == (unsigned char)(at * 31 + bytes), "a message came back changed");
	first = windows(bytes, 1);
	int many = times_in(seconds, first, 4000);
	double window = windows(bytes, many);
	qsort(samples, count, sizeof *samples, by_value);
	if (rank == 0) {
		printf("size %d %.3f %.3f %.2f %.4f\n", bytes, samples[count / 20], samples[count / 2], WINDOW * (double)bytes / window,
		       WINDOW / window);
		fflush(stdout);
	}
}

static void collectives(void)
{
	enum { ROUNDS = 200 };
	long *from = malloc(ranks * sizeof *from), *to = malloc(ranks * sizeof *to);

	MPI_Barrier(MPI_COMM_WORLD);
	double began = MPI_Wtime();
	for (int round = 0; round < ROUNDS; round++) {
		for (int peer = 0; peer < ranks; peer++)
			from[peer] = rank * 1000003L + peer * 7 + round;
		MPI_Alltoall(from, 1, MPI_LONG, to, 1, MPI_LONG, MPI_COMM_WORLD);
		for (int peer = 0; peer < ranks; peer++)
			must(to[peer] == peer * 1000003L + rank * 7 + round, "an alltoall");
	}
	double each = (MPI_Wtime() - began) / ROUNDS * 1e6;
	long mine = rank + 1, sum = 0;
	MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	must(sum == (long)ranks * (ranks + 1) / 2, "an allreduce");
	if (rank == 0)
		printf("alltoall %.3f\n", each);
	free(from);
	free(to);
}

static void additions(void)
{
	enum { EACH = 200 };
	MPI_Win window;
	long *counter, one = 1, found = 0;

	MPI_Win_allocate(sizeof *counter, sizeof *counter, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window);
	*counter = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, window);
	double began = MPI_Wtime();
	for (int addition = 0; addition < EACH; addition++) {
		MPI_Fetch_and_op(&one, &found, MPI_LONG, 0, 0, MPI_SUM, window);
		MPI_Win_flush(0, window);
	}
	double each = (MPI_Wtime() - began) / EACH * 1e6;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Fetch_and_op(&one, &found, MPI_LONG, 0, 0, MPI_NO_OP, window);
	MPI_Win_flush(0, window);
	must(found == (long)EACH * ranks, "the sum of all additions");
	MPI_Win_unlock_all(window);
	MPI_Win_free(&window);
	if (rank == ranks - 1) {
		printf("add %.3f\n", each);
		fflush(stdout);
	}
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0.2;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	must(ranks >= 2, "2 ranks at least");
	out = malloc(LARGEST);
	in = malloc(LARGEST);
	for (unsigned at = 0; at < sizeof SIZES / sizeof *SIZES; at++) {
		if (rank < 2)
			measure(SIZES[at], seconds);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	collectives();
	additions();
	MPI_Finalize();
	return 0;
}
