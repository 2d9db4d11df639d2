/* Fast Fourier transform of one long vector over all PEs, in six steps. As a square matrix, it is
   transposed, each line is transformed and multiplied, and it is transposed, transformed and
   transposed again. A transposition is an all-to-all and a local one.

   Source: D. H. Bailey, "FFTs in external or hierarchical memory", J. Supercomputing 4 (1990). */

#include "example.h"

#include <complex.h>
#include <math.h>

/* Lines of the matrix on each PE. If the PEs do not divide them, the last PEs have unused lines. */
static size_t side, lines;
static double complex *sent, *received, *roots; /* roots[k] = exp(-2 pi i k / side) */

static double complex root(double part)
{
    return cexp(-2.0 * acos(-1.0) * part * (double complex)I);
}

/* Transforms one line in place: bit reversal, then butterflies. */
static void transform(double complex *line)
{
    for (size_t i = 1, j = 0; i < side; i++) {
        size_t bit = side >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            const double complex swap = line[i];
            line[i] = line[j];
            line[j] = swap;
        }
    }
    for (size_t half = 1; half < side; half *= 2)
        for (size_t begin = 0; begin < side; begin += 2 * half)
            for (size_t i = 0; i < half; i++) {
                const double complex a = line[begin + i], b = line[begin + i + half] * roots[i * (side / (2 * half))];
                line[begin + i] = a + b;
                line[begin + i + half] = a - b;
            }
}

static void transpose(double complex *matrix)
{
    const size_t n_pes = (size_t)shmem_n_pes(), block = lines * lines;
    for (size_t pe = 0; pe < n_pes; pe++)
        for (size_t row = 0; row < lines; row++)
            for (size_t i = 0; i < lines; i++) {
                const size_t column = pe * lines + i;
                sent[pe * block + i * lines + row] = column < side ? matrix[row * side + column] : 0;
            }
    shmem_alltoallmem(SHMEM_TEAM_WORLD, received, sent, block * sizeof *sent);
    for (size_t pe = 0; pe < n_pes; pe++)
        for (size_t row = 0; row < lines; row++)
            for (size_t i = 0; i < lines && pe * lines + i < side; i++)
                matrix[row * side + pe * lines + i] = received[pe * block + row * lines + i];
    shmem_sync_all(); /* no PE overwrites what another still reads */
}

static void forward(double complex *matrix)
{
    const size_t first = (size_t)shmem_my_pe() * lines;
    transpose(matrix);
    for (size_t row = 0; row < lines; row++) {
        transform(matrix + row * side);
        for (size_t column = 0; column < side; column++)
            matrix[row * side + column] *= root((double)((first + row) * column) / ((double)side * (double)side));
    }
    transpose(matrix);
    for (size_t row = 0; row < lines; row++)
        transform(matrix + row * side);
    transpose(matrix);
}

/* The inverse by means of the transform: conjugate before and after, and divide. */
static void inverse(double complex *matrix)
{
    for (size_t i = 0; i < lines * side; i++)
        matrix[i] = conj(matrix[i]);
    forward(matrix);
    for (size_t i = 0; i < lines * side; i++)
        matrix[i] = conj(matrix[i]) / ((double)side * (double)side);
}

/* Whether a number differs from another by more than rounding, or is NaN; keeps the largest
   difference. */
static bool differs(double complex found, double complex expected, double *largest)
{
    const double error = cabs(found - expected);
    *largest = fmax(*largest, error);
    return !(error < 1e-13 * (double)side);
}

int main(int argc, char **argv)
{
    size_t bits = 8;
    const struct option options[] = {{"bits", &bits, 1, 15, "the vector has 4^N elements"}};
    start(argc, argv, "fft: Fourier transform of one vector over all PEs in six steps; GFLOP/s", options, 1);
    const size_t me = (size_t)shmem_my_pe(), n_pes = (size_t)shmem_n_pes();
    side = (size_t)1 << bits;
    lines = (side + n_pes - 1) / n_pes;
    const size_t used = me * lines >= side ? 0 : side - me * lines < lines ? side - me * lines : lines;
    const double elements = (double)side * (double)side;
    sent = symmetric(lines * lines * n_pes, sizeof *sent);
    received = symmetric(lines * lines * n_pes, sizeof *received);
    roots = own(side, sizeof *roots);
    for (size_t k = 0; k < side; k++)
        roots[k] = root((double)k / (double)side);
    double complex *matrix = own(lines * side, sizeof *matrix), *input = own(lines * side, sizeof *input);

    /* The spectrum of a wave has one line. */
    const size_t frequency = side * side / 3 + 1;
    for (size_t i = 0; i < used * side; i++) {
        const size_t place = me * lines * side + i;
        matrix[i] = conj(root((double)(frequency * place % (side * side)) / elements));
    }
    forward(matrix);
    uint64_t wrong = 0;
    double largest = 0;
    for (size_t i = 0; i < used * side; i++) {
        const double expected = me * lines * side + i == frequency ? 1 : 0;
        wrong += differs(matrix[i] / elements, expected, &largest);
    }

    /* The inverse of the transform restores any vector. */
    memset(matrix, 0, lines * side * sizeof *matrix);
    for (size_t i = 0; i < used * side; i++) {
        const uint64_t random = random_at((uint64_t)(me * lines * side + i));
        input[i] = matrix[i] = (double)(random >> 32) * 0x1p-32 - 0.5 + ((double)(random & 0xffffffffu) * 0x1p-32 - 0.5) * (double complex)I;
    }
    shmem_barrier_all();
    const double began = seconds();
    forward(matrix);
    shmem_barrier_all();
    const double took = max_of_all(seconds() - began);
    inverse(matrix);
    for (size_t i = 0; i < used * side; i++)
        wrong += differs(matrix[i], input[i], &largest);
    largest = max_of_all(largest);
    if (me == 0)
        printf("fft: %zu PEs, %.0f elements, %.3f GFLOP/s (5 n log2 n), largest difference %.1e\n", n_pes, elements,
               5.0 * elements * log2(elements) / took * 1e-9, largest);
    free(matrix);
    free(input);
    free(roots);
    verdict(wrong, "a wave has one line, and the inverse returns the input");
}
