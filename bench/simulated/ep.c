/* Embarrassingly parallel, as NAS EP: pairs of normal deviates, counted by rings, and their sums.
   Each rank jumps to its part of one sequence of random numbers.

   usage: ep [M]
   M: 2^M pairs (16). For 24, class S of NAS, the sums are compared with the published ones; for
   less, with those of rank 0 alone. */
#include <math.h>
#include <stdint.h>
#include "check.h"

enum { RINGS = 10 };
static const uint64_t FACTOR = 1220703125, SEED = 271828183, MASK = (1ULL << 46) - 1;

struct sums {
	double x, y, counts[RINGS];
};

/* Number `place` of the sequence. */
static uint64_t number_at(uint64_t place)
{
	uint64_t power = FACTOR, found = SEED;

	for (; place; place >>= 1) {
		if (place & 1)
			found = found * power & MASK;
		power = power * power & MASK;
	}
	return found;
}

static struct sums pairs(uint64_t first, uint64_t end)
{
	struct sums sums = { 0 };
	uint64_t state = number_at(2 * first);

	for (uint64_t pair = first; pair < end; pair++) {
		double ends[2];

		for (int part = 0; part < 2; part++) {
			state = state * FACTOR & MASK;
			ends[part] = 2.0 * ldexp((double)state, -46) - 1.0;
		}
		double square = ends[0] * ends[0] + ends[1] * ends[1];
		if (square > 1.0)
			continue;
		double scale = sqrt(-2.0 * log(square) / square), x = ends[0] * scale, y = ends[1] * scale;
		int ring = (int)fmax(fabs(x), fabs(y));
		must(ring < RINGS, "a deviate");
		sums.counts[ring]++;
		sums.x += x;
		sums.y += y;
	}
	return sums;
}

static int is_near(double found, double expected)
{
	return fabs(found - expected) <= 1e-8 * fmax(1.0, fabs(expected));
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	int m = (int)number(argc, argv, 1, 16);
	uint64_t all = 1ULL << m, first = all * rank / ranks, end_of_part = all * (rank + 1) / ranks;
	struct sums own = pairs(first, end_of_part), total, alone;

	MPI_Allreduce(&own, &total, sizeof own / sizeof(double), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	if (m == 24) {
		must(is_near(total.x, -3.247834652034740e3) && is_near(total.y, -6.958407078382297e3), "the published sums");
	} else if (rank == 0) {
		alone = pairs(0, all);
		must(is_near(total.x, alone.x) && is_near(total.y, alone.y), "the sums");
		for (int ring = 0; ring < RINGS; ring++)
			must(total.counts[ring] == alone.counts[ring], "the counts");
	}
	return end();
}
