/* A demonstration of ranks on several hosts, which checks every byte of every message.

   usage: across [SECONDS [BYTES...]]
            by size: messages from rank 0 to the last rank, an alltoall and an allreduce of all
          across --until-error FILE
            alltoalls without end; the first error goes to FILE.RANK, with the time

   Output of the first, one line each: "BYTES messages MB/S", "BYTES alltoall US MB/S", "BYTES
   allreduce US"; MB/S of an alltoall is what each rank sends to others. A wrong byte ends it with
   an error. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { WINDOW = 16, LONGEST = 8 << 20 };

static int rank, ranks;

static void must(int holds, const char *what, int bytes)
{
	if (holds)
		return;
	fprintf(stderr, "rank %d: wrong: %s of %d B\n", rank, what, bytes);
	MPI_Abort(MPI_COMM_WORLD, 3);
}

/* The byte at `place` of message `number` from one rank to another. */
static unsigned char byte_of(int from, int to, int number, int place)
{
	uint32_t value = (uint32_t)from * 2654435761u ^ (uint32_t)to * 40503u ^ (uint32_t)number * 2246822519u ^ (uint32_t)(place >> 6);

	return (unsigned char)((value >> 11) + (uint32_t)place);
}

static void fill(unsigned char *bytes, int count, int from, int to, int number)
{
	for (int place = 0; place < count; place++)
		bytes[place] = byte_of(from, to, number, place);
}

static int holds(const unsigned char *bytes, int count, int from, int to, int number)
{
	for (int place = 0; place < count; place++)
		if (bytes[place] != byte_of(from, to, number, place))
			return 0;
	return 1;
}

static void *room(size_t bytes)
{
	void *found = malloc(bytes);

	must(found != NULL, "no memory", (int)bytes);
	return found;
}

/* Windows of messages from rank 0 to the last, for a given time; the measurement excludes
   checking. */
static void messages(int bytes, double seconds)
{
	unsigned char *all = room((size_t)bytes * WINDOW);
	MPI_Request requests[WINDOW];
	double spent = 0;
	long windows = 0;
	int last = ranks - 1, go_on = 1;

	while (go_on) {
		if (rank == 0 || rank == last)
			for (int index = 0; index < WINDOW; index++)
				rank == 0 ? fill(all + (size_t)index * bytes, bytes, 0, last, (int)windows * WINDOW + index)
					  : (void)memset(all + (size_t)index * bytes, 0xa5, bytes);
		MPI_Barrier(MPI_COMM_WORLD);
		double began = MPI_Wtime();
		if (rank == 0 || rank == last) {
			for (int index = 0; index < WINDOW; index++)
				if (rank == 0)
					MPI_Isend(all + (size_t)index * bytes, bytes, MPI_BYTE, last, index, MPI_COMM_WORLD, &requests[index]);
				else
					MPI_Irecv(all + (size_t)index * bytes, bytes, MPI_BYTE, 0, index, MPI_COMM_WORLD, &requests[index]);
			MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
			if (rank == 0)
				MPI_Recv(NULL, 0, MPI_BYTE, last, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			else
				MPI_Send(NULL, 0, MPI_BYTE, 0, 99, MPI_COMM_WORLD);
		}
		spent += MPI_Wtime() - began;
		if (rank == last)
			for (int index = 0; index < WINDOW; index++)
				must(holds(all + (size_t)index * bytes, bytes, 0, last, (int)windows * WINDOW + index), "a message", bytes);
		windows++;
		go_on = spent < seconds;
		MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
	}
	if (rank == 0)
		printf("%8d messages %.1f\n", bytes, (double)bytes * WINDOW * windows / spent / 1e6);
	free(all);
}

/* One alltoall, checked; returns its time. */
static double alltoall(unsigned char *out, unsigned char *in, int bytes, int number)
{
	for (int to = 0; to < ranks; to++)
		fill(out + (size_t)to * bytes, bytes, rank, to, number);
	memset(in, 0xa5, (size_t)ranks * bytes);
	MPI_Barrier(MPI_COMM_WORLD);
	double began = MPI_Wtime();
	MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
	double spent = MPI_Wtime() - began;
	for (int from = 0; from < ranks; from++)
		must(holds(in + (size_t)from * bytes, bytes, from, rank, number), "an alltoall", bytes);
	return spent;
}

static double allreduce(uint64_t *out, uint64_t *in, int bytes, int number)
{
	int words = bytes / 8, is_right = 1;

	for (int place = 0; place < words; place++)
		out[place] = (uint64_t)(rank + 1) * (uint64_t)(place + number);
	MPI_Barrier(MPI_COMM_WORLD);
	double began = MPI_Wtime();
	MPI_Allreduce(out, in, words, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
	double spent = MPI_Wtime() - began;
	for (int place = 0; place < words; place++)
		is_right &= in[place] == (uint64_t)ranks * (uint64_t)(ranks + 1) / 2 * (uint64_t)(place + number);
	must(is_right, "an allreduce", bytes);
	return spent;
}

static void collectives(int bytes, double seconds)
{
	unsigned char *out = room((size_t)ranks * bytes), *in = room((size_t)ranks * bytes);
	double spent[2] = { 0 };
	int times = 0;

	do {
		spent[0] += alltoall(out, in, bytes, times);
		spent[1] += allreduce((uint64_t *)(void *)out, (uint64_t *)(void *)in, bytes, times);
		times++;
		MPI_Bcast(spent, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	} while (spent[0] + spent[1] < seconds);
	if (rank == 0) {
		printf("%8d alltoall %.1f %.1f\n", bytes, spent[0] / times * 1e6, (double)bytes * (ranks - 1) * times / spent[0] / 1e6);
		printf("%8d allreduce %.1f\n", bytes, spent[1] / times * 1e6);
		fflush(stdout);
	}
	free(out);
	free(in);
}

static double moment(void)
{
	struct timeval time;

	gettimeofday(&time, NULL);
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/* Continues until MPI reports an error. */
static void until_error(const char *prefix)
{
	enum { BYTES = 4096 };
	unsigned char *out = room((size_t)ranks * BYTES), *in = room((size_t)ranks * BYTES);
	char name[1000], text[MPI_MAX_ERROR_STRING];
	int code = MPI_SUCCESS, length = 0;
	long times = 0;

	snprintf(name, sizeof name, "%s.%d", prefix, rank);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	while (code == MPI_SUCCESS) {
		code = MPI_Alltoall(out, BYTES, MPI_BYTE, in, BYTES, MPI_BYTE, MPI_COMM_WORLD);
		times++;
	}
	MPI_Error_string(code, text, &length);
	FILE *file = fopen(name, "w");
	if (file) {
		fprintf(file, "%.3f rank %d, alltoall %ld: %s\n", moment(), rank, times, text);
		fclose(file);
	}
	/* Ranks that wait for this rank, and not for the dead one, end with the job. */
	MPI_Abort(MPI_COMM_WORLD, 9);
}

int main(int count, char **words)
{
	static const int SIZES[] = { 8, 1024, 65536, 1048576 };

	MPI_Init(&count, &words);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (count == 3 && strcmp(words[1], "--until-error") == 0)
		until_error(words[2]);
	double seconds = count > 1 ? strtod(words[1], NULL) : 0.5;
	int given = count > 2;
	for (int index = 0; index < (given ? count - 2 : (int)(sizeof SIZES / sizeof *SIZES)); index++) {
		int bytes = given ? atoi(words[index + 2]) : SIZES[index];

		must(bytes >= 8 && bytes <= LONGEST && bytes % 8 == 0, "8 B to 8 MiB, in steps of 8, would do: a size", bytes);
		messages(bytes, seconds);
		collectives(bytes, seconds);
	}
	if (rank == 0)
		printf("all verified, %d ranks\n", ranks);
	MPI_Finalize();
	return 0;
}
