/* A master hands out tasks to the workers that ask first; receives are from any source.

   usage: workers [TASKS]
   Output: "tasks RANK COUNT" for each worker. */
#include "check.h"

enum { TASK = 1, RESULT = 2 };

static long work(long task)
{
	long sum = 0;

	for (long part = 1; part <= task; part++)
		sum += part * part % 7;
	return sum;
}

static void master(long tasks)
{
	long message[2], next = 0, *results = allocated(tasks * sizeof *results);
	int *counts = allocated(ranks * sizeof *counts);
	MPI_Status status;

	for (int ended = 0; ended < ranks - 1;) {
		MPI_Recv(message, 2, MPI_LONG, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
		if (message[0] >= 0) {
			results[message[0]] = message[1];
			counts[status.MPI_SOURCE]++;
		}
		long task = next < tasks ? next++ : -1;
		MPI_Send(&task, 1, MPI_LONG, status.MPI_SOURCE, TASK, MPI_COMM_WORLD);
		ended += task < 0;
	}
	for (long task = 0; task < tasks; task++)
		must(results[task] == work(task), "a result");
	for (int peer = 1; peer < ranks; peer++)
		printf("tasks %d %d\n", peer, counts[peer]);
	free(results);
	free(counts);
}

static void worker(void)
{
	long message[2] = { -1, 0 }, task;

	for (;;) {
		MPI_Send(message, 2, MPI_LONG, 0, RESULT, MPI_COMM_WORLD);
		MPI_Recv(&task, 1, MPI_LONG, 0, TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (task < 0)
			return;
		/* Tasks take different simulated times: as many readings of the clock. */
		double began = nanoseconds();
		while (nanoseconds() - began < (double)(task % 5) * 1e3)
			;
		message[0] = task;
		message[1] = work(task);
	}
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	must(ranks >= 2, "a worker at least");
	if (rank == 0)
		master(number(argc, argv, 1, 100));
	else
		worker();
	return end();
}
