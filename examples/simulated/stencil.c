/* Heat on a plate, in MPI: each rank has a tile, and trades its edges with four neighbours in every
   iteration. Rank 0 prints what an iteration takes, by MPI_Wtime, and compares every point with what
   one rank alone computes, bit for bit.

   mpicc -O2 -o stencil stencil.c
   stencil [POINTS [ITERATIONS [COMPUTE_US]]]

   POINTS: points along each side of a tile. COMPUTE_US: time that the processor of the simulated
   node needs for a tile, in microseconds. The program sleeps that long, because simulated time does
   not pass while a program computes, unless the scenario says so. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WARM_UP = 2, ITERATIONS_MAX = 100000, POINTS_MAX = 4096 };

/* A part of the plate with a border of one point. */
typedef struct {
    int rows, columns;
    double *now, *next;
} Tile;

static double *at(const Tile *tile, double *field, int row, int column)
{
    return field + (size_t)row * (size_t)(tile->columns + 2) + column;
}

static Tile tile_of(int rows, int columns)
{
    const size_t points = (size_t)(rows + 2) * (size_t)(columns + 2);
    Tile tile = {rows, columns, calloc(points, sizeof(double)), calloc(points, sizeof(double))};
    if (tile.now == NULL || tile.next == NULL) {
        fprintf(stderr, "stencil: no memory for %d x %d points\n", rows, columns);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return tile;
}

static void discard(Tile *tile)
{
    free(tile->now);
    free(tile->next);
}

/* The heat at the beginning, by the place on the whole plate. */
static double initial(long row, long column)
{
    return (double)((row * 31 + column * 17) % 101);
}

static void fill(Tile *tile, long first_row, long first_column)
{
    for (int row = 1; row <= tile->rows; row++)
        for (int column = 1; column <= tile->columns; column++)
            *at(tile, tile->now, row, column) = initial(first_row + row - 1, first_column + column - 1);
}

static void step(Tile *tile)
{
    for (int row = 1; row <= tile->rows; row++)
        for (int column = 1; column <= tile->columns; column++) {
            const double *here = at(tile, tile->now, row, column);
            const double *above = at(tile, tile->now, row - 1, column), *below = at(tile, tile->now, row + 1, column);
            *at(tile, tile->next, row, column) = 0.5 * here[0] + 0.125 * (here[-1] + here[1] + above[0] + below[0]);
        }
    double *kept = tile->now;
    tile->now = tile->next;
    tile->next = kept;
}

/* Trades edges with the neighbours: above, below, left, right. A column is packed first. */
static void trade(Tile *tile, MPI_Comm grid, const int neighbours[4], double *columns)
{
    const int rows = tile->rows, width = tile->columns;
    double *left_out = columns, *right_out = columns + rows, *left_in = columns + 2 * rows, *right_in = columns + 3 * rows;
    for (int row = 0; row < rows; row++) {
        left_out[row] = *at(tile, tile->now, row + 1, 1);
        right_out[row] = *at(tile, tile->now, row + 1, width);
    }
    double *const in[] = {at(tile, tile->now, 0, 1), at(tile, tile->now, rows + 1, 1), left_in, right_in};
    double *const out[] = {at(tile, tile->now, 1, 1), at(tile, tile->now, rows, 1), left_out, right_out};
    const int counts[] = {width, width, rows, rows};
    MPI_Request requests[8];
    for (int side = 0; side < 4; side++)
        MPI_Irecv(in[side], counts[side], MPI_DOUBLE, neighbours[side], side ^ 1, grid, &requests[side]);
    for (int side = 0; side < 4; side++)
        MPI_Isend(out[side], counts[side], MPI_DOUBLE, neighbours[side], side, grid, &requests[4 + side]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    for (int row = 0; row < rows; row++) {
        if (neighbours[2] != MPI_PROC_NULL)
            *at(tile, tile->now, row + 1, 0) = left_in[row];
        if (neighbours[3] != MPI_PROC_NULL)
            *at(tile, tile->now, row + 1, width + 1) = right_in[row];
    }
}

/* Compares all tiles with what one rank computes: the points that differ. */
static long differences(const Tile *tile, MPI_Comm grid, int points, const int dimensions[2], int iterations)
{
    int rank, ranks;
    MPI_Comm_rank(grid, &rank);
    MPI_Comm_size(grid, &ranks);
    const size_t all = (size_t)points * (size_t)points;
    double *mine = malloc(all * sizeof *mine), *theirs = malloc(all * sizeof *theirs);
    if (mine == NULL || theirs == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int row = 0; row < points; row++)
        memcpy(mine + (size_t)row * (size_t)points, at(tile, tile->now, row + 1, 1), (size_t)points * sizeof *mine);
    long wrong = 0;
    if (rank != 0) {
        MPI_Send(mine, (int)all, MPI_DOUBLE, 0, 9, grid);
    } else {
        Tile plate = tile_of(points * dimensions[0], points * dimensions[1]);
        fill(&plate, 0, 0);
        for (int iteration = 0; iteration < iterations; iteration++)
            step(&plate);
        for (int from = 0; from < ranks; from++) {
            int place[2];
            MPI_Cart_coords(grid, from, 2, place);
            if (from == 0)
                memcpy(theirs, mine, all * sizeof *mine);
            else
                MPI_Recv(theirs, (int)all, MPI_DOUBLE, from, 9, grid, MPI_STATUS_IGNORE);
            for (int row = 0; row < points; row++) {
                const double *expected = at(&plate, plate.now, place[0] * points + row + 1, place[1] * points + 1);
                for (int column = 0; column < points; column++)
                    wrong += theirs[(size_t)row * (size_t)points + (size_t)column] != expected[column];
            }
        }
        discard(&plate);
    }
    free(mine);
    free(theirs);
    MPI_Bcast(&wrong, 1, MPI_LONG, 0, grid);
    return wrong;
}

static int smaller_first(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int points = argc > 1 ? atoi(argv[1]) : 64, iterations = argc > 2 ? atoi(argv[2]) : 20;
    const int compute_us = argc > 3 ? atoi(argv[3]) : 0;
    int rank, ranks, dimensions[2] = {0, 0}, place[2], neighbours[4];
    const int periods[2] = {0, 0};
    MPI_Comm grid;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, dimensions);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    if (points < 1 || points > POINTS_MAX || iterations < 1 || iterations > ITERATIONS_MAX || compute_us < 0) {
        if (rank == 0)
            fprintf(stderr, "usage: stencil [POINTS, 1 to %d [ITERATIONS, 1 to %d [COMPUTE_US]]]\n", POINTS_MAX, ITERATIONS_MAX);
        MPI_Finalize();
        return 2;
    }
    MPI_Cart_coords(grid, rank, 2, place);
    MPI_Cart_shift(grid, 0, 1, &neighbours[0], &neighbours[1]);
    MPI_Cart_shift(grid, 1, 1, &neighbours[2], &neighbours[3]);

    Tile tile = tile_of(points, points);
    fill(&tile, (long)place[0] * points, (long)place[1] * points);
    double *columns = malloc(4 * (size_t)points * sizeof *columns);
    double *took = malloc((size_t)iterations * sizeof *took), *longest = malloc((size_t)iterations * sizeof *longest);
    if (columns == NULL || took == NULL || longest == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(grid);
    double first = MPI_Wtime(), began = first;
    for (int iteration = -WARM_UP; iteration < iterations; iteration++) {
        if (iteration == 0)
            first = began;
        trade(&tile, grid, neighbours, columns);
        step(&tile);
        if (compute_us > 0)
            usleep((useconds_t)compute_us);
        const double ended = MPI_Wtime();
        if (iteration >= 0)
            took[iteration] = ended - began;
        began = ended;
    }
    double whole = began - first, slowest;
    MPI_Reduce(&whole, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, grid);
    /* The longest iteration of any rank, for each iteration. */
    MPI_Reduce(took, longest, iterations, MPI_DOUBLE, MPI_MAX, 0, grid);
    const long wrong = differences(&tile, grid, points, dimensions, WARM_UP + iterations);
    if (rank == 0) {
        qsort(longest, (size_t)iterations, sizeof *longest, smaller_first);
        printf("stencil: %d ranks (%d x %d), tiles of %d x %d points, edges of %zu B\n", ranks, dimensions[0], dimensions[1],
               points, points, (size_t)points * sizeof(double));
        printf("time per iteration: mean %.2f us, longest %.2f us\n", slowest * 1e6 / iterations, longest[iterations - 1] * 1e6);
        if (wrong == 0)
            printf("verified: every point is what one rank alone computes\n");
        else
            printf("NOT verified: %ld points differ from what one rank alone computes\n", wrong);
    }
    discard(&tile);
    free(columns);
    free(took);
    free(longest);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return wrong != 0;
}
