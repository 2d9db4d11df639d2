/* A Fourier transform of two dimensions, as NAS FT: rows of this rank, a transposition by alltoall,
   the other rows. Then back again.

   usage: ft [SIZE]
   SIZE: rows and columns, a power of two that the ranks divide (64) */
#include <complex.h>
#include <math.h>
#include "check.h"

static int size, rows;

/* The transform of one row, in place. `sign`: -1 there, 1 back. */
static void transform(double complex *row, int sign)
{
	for (int place = 1, other = 0; place < size; place++) {
		int bit = size >> 1;

		for (; other & bit; bit >>= 1)
			other ^= bit;
		other |= bit;
		if (place < other) {
			double complex kept = row[place];

			row[place] = row[other];
			row[other] = kept;
		}
	}
	for (int width = 2; width <= size; width *= 2) {
		for (int first = 0; first < size; first += width) {
			for (int place = 0; place < width / 2; place++) {
				double complex turn = cexp(sign * 2.0 * M_PI * I * place / width) * row[first + place + width / 2];

				row[first + place + width / 2] = row[first + place] - turn;
				row[first + place] += turn;
			}
		}
	}
}

static void transpose(double complex *data, double complex *packed)
{
	double complex *in = allocated((size_t)rows * size * sizeof *in);

	for (int peer = 0; peer < ranks; peer++)
		for (int column = 0; column < rows; column++)
			for (int row = 0; row < rows; row++)
				packed[((size_t)peer * rows + column) * rows + row] = data[(size_t)row * size + peer * rows + column];
	int count = 2 * rows * rows;
	MPI_Alltoall(packed, count, MPI_DOUBLE, in, count, MPI_DOUBLE, MPI_COMM_WORLD);
	for (int peer = 0; peer < ranks; peer++)
		for (int row = 0; row < rows; row++)
			for (int column = 0; column < rows; column++)
				data[(size_t)row * size + peer * rows + column] = in[((size_t)peer * rows + row) * rows + column];
	free(in);
}

static void both_ways(double complex *data, double complex *packed, int sign)
{
	for (int turn = 0; turn < 2; turn++) {
		for (int row = 0; row < rows; row++)
			transform(data + (size_t)row * size, sign);
		transpose(data, packed);
	}
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	size = (int)number(argc, argv, 1, 64);
	must((size & (size - 1)) == 0 && size % ranks == 0, "a size that the ranks divide");
	rows = size / ranks;
	size_t points = (size_t)rows * size;
	double complex *data = allocated(points * sizeof *data), *packed = allocated(points * sizeof *packed);
	const int waves[2] = { 3 % size, 5 % size };

	/* One plane wave: its transform is one point. */
	for (int row = 0; row < rows; row++)
		for (int column = 0; column < size; column++)
			data[(size_t)row * size + column] =
				cexp(2.0 * M_PI * I * (waves[0] * (rank * rows + row) + waves[1] * column) / size);
	both_ways(data, packed, -1);
	for (int row = 0; row < rows; row++) {
		for (int column = 0; column < size; column++) {
			int is_it = rank * rows + row == waves[0] && column == waves[1];
			double expected = is_it ? (double)size * size : 0.0;

			must(cabs(data[(size_t)row * size + column] - expected) < 1e-6 * size, "the transform of a wave");
		}
	}
	both_ways(data, packed, 1);
	for (int row = 0; row < rows; row++) {
		for (int column = 0; column < size; column++) {
			double complex wave =
				cexp(2.0 * M_PI * I * (waves[0] * (rank * rows + row) + waves[1] * column) / size);

			must(cabs(data[(size_t)row * size + column] / size / size - wave) < 1e-9, "the wave");
		}
	}
	free(data);
	free(packed);
	return end();
}
