/* Kinds of messages: persistent, synchronous, buffered, ready, probed, replaced; and requests that
   end one by one.

   usage: requests */
#include <string.h>
#include "check.h"

static int next, previous;

static void persistent(int bytes)
{
	unsigned char *out = allocated(bytes), *in = allocated(bytes);
	MPI_Request requests[2];

	MPI_Recv_init(in, bytes, MPI_BYTE, previous, 1, MPI_COMM_WORLD, &requests[0]);
	MPI_Send_init(out, bytes, MPI_BYTE, next, 1, MPI_COMM_WORLD, &requests[1]);
	for (int turn = 0; turn < 5; turn++) {
		memset(out, rank * 5 + turn, bytes);
		MPI_Startall(2, requests);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		unsigned char expected = (unsigned char)(previous * 5 + turn);
		must(in[0] == expected && in[bytes - 1] == expected, "a persistent message");
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
	free(out);
	free(in);
}

/* A synchronous send ends after its receive has begun: the receiver begins late. */
static void synchronous(void)
{
	int out = rank, in = -1;
	MPI_Request request;

	MPI_Barrier(MPI_COMM_WORLD);
	double began = nanoseconds();
	if (rank % 2 == 0 && next != 0) {
		MPI_Ssend(&out, 1, MPI_INT, next, 2, MPI_COMM_WORLD);
		must(nanoseconds() - began >= 50e3, "a synchronous send waits for its receive");
	} else if (rank % 2 == 1) {
		while (nanoseconds() - began < 50e3)
			;
		MPI_Recv(&in, 1, MPI_INT, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		must(in == previous, "a synchronous message");
	}
	MPI_Issend(&out, 1, MPI_INT, next, 3, MPI_COMM_WORLD, &request);
	MPI_Recv(&in, 1, MPI_INT, previous, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	must(in == previous, "another one");
}

/* Messages of lengths that the receiver finds by looking. */
static void probed(void)
{
	enum { LONGEST = 20000 };
	int *out = allocated(LONGEST * sizeof *out), *in = allocated(LONGEST * sizeof *in), found, count;
	MPI_Request request;
	MPI_Status status;

	for (int length = 1; length <= LONGEST; length *= 20) {
		int words = length + rank;
		if (words > LONGEST)
			words = LONGEST;
		out[words - 1] = length + rank;
		MPI_Isend(out, words, MPI_INT, next, length, MPI_COMM_WORLD, &request);
		MPI_Message message;
		if (length % 400 == 0) {
			for (found = 0; !found;)
				MPI_Improbe(MPI_ANY_SOURCE, length, MPI_COMM_WORLD, &found, &message, &status);
			MPI_Get_count(&status, MPI_INT, &count);
			MPI_Mrecv(in, count, MPI_INT, &message, MPI_STATUS_IGNORE);
		} else {
			MPI_Probe(previous, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
			must(status.MPI_TAG == length, "the tag of a message that was found");
			MPI_Get_count(&status, MPI_INT, &count);
			MPI_Recv(in, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
		must(status.MPI_SOURCE == previous && in[count - 1] == length + previous, "a message that was found");
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	free(out);
	free(in);
}

static void buffered(void)
{
	int room = 4 * (1000 + MPI_BSEND_OVERHEAD), out[250], in[250], replaced = rank;
	char *buffer = allocated(room);
	MPI_Status status;

	MPI_Buffer_attach(buffer, room);
	for (int turn = 0; turn < 3; turn++) {
		memset(out, turn + rank, sizeof out);
		MPI_Bsend(out, 250, MPI_INT, next, 4, MPI_COMM_WORLD);
	}
	for (int turn = 0; turn < 3; turn++) {
		MPI_Recv(in, 250, MPI_INT, previous, 4, MPI_COMM_WORLD, &status);
		memset(out, turn + previous, sizeof out);
		must(!memcmp(in, out, sizeof in), "a buffered message");
	}
	MPI_Buffer_detach(&buffer, &room);
	free(buffer);
	MPI_Sendrecv_replace(&replaced, 1, MPI_INT, next, 5, previous, 5, MPI_COMM_WORLD, &status);
	must(replaced == previous, "a replaced word");
}

/* Many requests, ended in the order in which they can be. */
static void one_by_one(void)
{
	enum { MANY = 24 };
	static int out[MANY][3000], in[MANY][3000];
	MPI_Request requests[2 * MANY];
	int ended, seen = 0;

	for (int place = 0; place < MANY; place++) {
		int words = place % 3 == 0 ? 3000 : 1;

		out[place][words - 1] = rank * 100 + place;
		MPI_Irecv(in[place], words, MPI_INT, previous, 100 + place, MPI_COMM_WORLD, &requests[place]);
		MPI_Isend(out[place], words, MPI_INT, next, 100 + place, MPI_COMM_WORLD, &requests[MANY + place]);
	}
	for (int round = 0; round < 2 * MANY; round++) {
		MPI_Waitany(2 * MANY, requests, &ended, MPI_STATUS_IGNORE);
		if (ended >= MANY)
			continue;
		must(in[ended][ended % 3 == 0 ? 2999 : 0] == previous * 100 + ended, "one of many messages");
		seen++;
	}
	must(seen == MANY, "all of them");
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	next = (rank + 1) % ranks;
	previous = (rank + ranks - 1) % ranks;
	persistent(8);
	persistent(100000);
	synchronous();
	probed();
	buffered();
	one_by_one();
	return end();
}
