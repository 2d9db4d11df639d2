/* Multigrid in two dimensions, as NAS MG: V-cycles whose levels exchange halos of shorter and
   shorter rows.

   usage: mg [SIZE [CYCLES]]
   SIZE: columns, and rows of each rank, a power of two (32); CYCLES: at most (40) */
#include <math.h>
#include "check.h"


/* A level's values with a frame of one; rows of this rank. */
#define AT(grid, columns, row, column) (grid)[((row) + 1) * ((columns) + 2) + (column) + 1]

/* The frame: rows of the neighbours, and the negative of the last own ones at the borders, where the
   solution is 0. */
static void exchange(double *grid, int rows, int columns)
{
	int below = rank ? rank - 1 : MPI_PROC_NULL, above = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;

	MPI_Sendrecv(&AT(grid, columns, rows - 1, 0), columns, MPI_DOUBLE, above, 1, &AT(grid, columns, -1, 0), columns,
		     MPI_DOUBLE, below, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(&AT(grid, columns, 0, 0), columns, MPI_DOUBLE, below, 2, &AT(grid, columns, rows, 0), columns,
		     MPI_DOUBLE, above, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int column = 0; column < columns; column++) {
		if (below == MPI_PROC_NULL)
			AT(grid, columns, -1, column) = -AT(grid, columns, 0, column);
		if (above == MPI_PROC_NULL)
			AT(grid, columns, rows, column) = -AT(grid, columns, rows - 1, column);
	}
	for (int row = 0; row < rows; row++) {
		AT(grid, columns, row, -1) = -AT(grid, columns, row, 0);
		AT(grid, columns, row, columns) = -AT(grid, columns, row, columns - 1);
	}
}

/* What the right side lacks. */
static void residual(const double *x, const double *right, double *left, int rows, int columns, double square)
{
	for (int row = 0; row < rows; row++)
		for (int column = 0; column < columns; column++)
			AT(left, columns, row, column) =
				AT(right, columns, row, column) -
				(4 * AT(x, columns, row, column) - AT(x, columns, row - 1, column) - AT(x, columns, row + 1, column) -
				 AT(x, columns, row, column - 1) - AT(x, columns, row, column + 1)) / square;
}

static void smooth(double *x, const double *right, double *left, int rows, int columns, double square, int sweeps)
{
	for (int sweep = 0; sweep < sweeps; sweep++) {
		exchange(x, rows, columns);
		residual(x, right, left, rows, columns, square);
		for (int row = 0; row < rows; row++)
			for (int column = 0; column < columns; column++)
				AT(x, columns, row, column) += 0.2 * square * AT(left, columns, row, column);
	}
}

static double *level_grid(int rows, int columns)
{
	return allocated((size_t)(rows + 2) * (columns + 2) * sizeof(double));
}

static void cycle(double *x, const double *right, int rows, int columns, double square)
{
	double *left = level_grid(rows, columns);

	if (rows < 2) {
		smooth(x, right, left, rows, columns, square, 40);
		free(left);
		return;
	}
	smooth(x, right, left, rows, columns, square, 3);
	exchange(x, rows, columns);
	residual(x, right, left, rows, columns, square);
	int half = rows / 2, width = columns / 2;
	double *coarse = level_grid(half, width), *coarse_right = level_grid(half, width);
	for (int row = 0; row < half; row++)
		for (int column = 0; column < width; column++)
			AT(coarse_right, width, row, column) =
				(AT(left, columns, 2 * row, 2 * column) + AT(left, columns, 2 * row + 1, 2 * column) +
				 AT(left, columns, 2 * row, 2 * column + 1) + AT(left, columns, 2 * row + 1, 2 * column + 1)) / 4;
	cycle(coarse, coarse_right, half, width, 4 * square);
	for (int row = 0; row < rows; row++)
		for (int column = 0; column < columns; column++)
			AT(x, columns, row, column) += AT(coarse, width, row / 2, column / 2);
	smooth(x, right, left, rows, columns, square, 3);
	free(left);
	free(coarse);
	free(coarse_right);
}

static double norm(double *x, const double *right, double *left, int rows, int columns, double square)
{
	double own = 0, all;

	exchange(x, rows, columns);
	residual(x, right, left, rows, columns, square);
	for (int row = 0; row < rows; row++)
		for (int column = 0; column < columns; column++)
			own = fmax(own, fabs(AT(left, columns, row, column)));
	MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return all;
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	int size = (int)number(argc, argv, 1, 32), cycles = (int)number(argc, argv, 2, 40), done = 0;
	double square = 1.0 / size / size;
	double *x = level_grid(size, size), *right = level_grid(size, size), *left = level_grid(size, size);

	for (int row = 0; row < size; row++)
		for (int column = 0; column < size; column++)
			AT(right, size, row, column) = cos(0.7 * (rank * size + row)) + sin(0.3 * column);
	double first = norm(x, right, left, size, size, square), last = first;
	for (; done < cycles && last > 1e-6 * first; done++) {
		cycle(x, right, size, size, square);
		last = norm(x, right, left, size, size, square);
	}
	must(last <= 1e-6 * first, "it converges");
	if (rank == 0)
		printf("cycles %d\n", done);
	free(x);
	free(right);
	free(left);
	return end();
}
