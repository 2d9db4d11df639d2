/* Conjugate gradients on a sparse matrix, as NAS CG: five bands, of which two reach into the ranks
   next to this one. Exchanges of halves of vectors, and allreduces of dot products.

   usage: cg [ROWS [STEPS]]
   ROWS: of each rank (512), STEPS: at most (200) */
#include <math.h>
#include "check.h"

static int rows, reach;

/* A vector with the elements of its neighbours around its own. */
static double *vector(void)
{
	return (double *)allocated((rows + 2 * reach) * sizeof(double)) + reach;
}

static void exchange(double *x)
{
	int below = rank ? rank - 1 : MPI_PROC_NULL, above = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
	MPI_Request requests[4];

	MPI_Irecv(x - reach, reach, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(x + rows, reach, MPI_DOUBLE, above, 2, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(x + rows - reach, reach, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(x, reach, MPI_DOUBLE, below, 2, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* y = A x, with the diagonal, its neighbours, and bands at a distance of `reach`. */
static void multiply(double *x, double *y)
{
	exchange(x);
	for (int row = 0; row < rows; row++)
		y[row] = 4.1 * x[row] - x[row - 1] - x[row + 1] - x[row - reach] - x[row + reach];
}

static double dot(const double *x, const double *y)
{
	double own = 0, all;

	for (int row = 0; row < rows; row++)
		own += x[row] * y[row];
	MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	rows = (int)number(argc, argv, 1, 512);
	int steps_max = (int)number(argc, argv, 2, 200), steps = 0;
	reach = rows / 4;
	must(reach >= 1, "four rows at least");
	double *solution = vector(), *x = vector(), *residual = vector(), *direction = vector(), *product = vector();

	for (int row = 0; row < rows; row++)
		solution[row] = sin((double)(rank * rows + row + 1));
	multiply(solution, residual);
	for (int row = 0; row < rows; row++)
		direction[row] = residual[row];
	double squares = dot(residual, residual), first = squares;
	for (; steps < steps_max && squares > 1e-20 * first; steps++) {
		multiply(direction, product);
		double step = squares / dot(direction, product);
		for (int row = 0; row < rows; row++) {
			x[row] += step * direction[row];
			residual[row] -= step * product[row];
		}
		double next = dot(residual, residual);
		for (int row = 0; row < rows; row++)
			direction[row] = residual[row] + next / squares * direction[row];
		squares = next;
	}
	must(squares <= 1e-20 * first, "it converges");
	for (int row = 0; row < rows; row++)
		must(fabs(x[row] - solution[row]) < 1e-6, "the solution");
	if (rank == 0)
		printf("steps %d\n", steps);
	double *all[] = { solution, x, residual, direction, product };
	for (int place = 0; place < 5; place++)
		free(all[place] - reach);
	return end();
}
