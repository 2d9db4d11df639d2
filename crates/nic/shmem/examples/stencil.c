/* Stencil: heat flows on a square plate that is divided among PEs in two dimensions. In each step a
   PE puts its edges to its neighbours with a signal, and waits for theirs; there is no barrier.

   Edges go to one of two places alternately. A neighbour sends those of step t+1 after it has used
   this PE's of step t. So those of step t+2, which overwrite them, come late enough. */

#include "example.h"

enum side { NORTH, SOUTH, WEST, EAST, SIDES };
static const enum side opposite[SIDES] = {SOUTH, NORTH, EAST, WEST};

/* Signals by side: the number of edges that have arrived. */
static uint64_t arrived[SIDES];

/* The beginning of part `i` of `parts` among `n`. */
static size_t begin(size_t n, int i, int parts)
{
    return n * (size_t)i / (size_t)parts;
}

/* The initial plate: hot at one edge, and random elsewhere. */
static double initial(size_t row, size_t column, size_t n)
{
    return row == 0 ? 1.0 : (double)(random_at((uint64_t)row * n + column) >> 11) * 0x1p-53;
}

/* One step on rows x columns points with an edge around them. */
static void step(double *to, const double *from, size_t rows, size_t columns)
{
    const size_t line = columns + 2;
    for (size_t row = 1; row <= rows; row++)
        for (size_t i = row * line + 1; i <= row * line + columns; i++)
            to[i] = 0.5 * from[i] + 0.125 * (from[i - line] + from[i + line] + from[i - 1] + from[i + 1]);
}

int main(int argc, char **argv)
{
    size_t n = 256, steps = 100;
    const struct option options[] = {
        {"size", &n, 1, 1 << 16, "points along each side of the plate"},
        {"steps", &steps, 0, (size_t)1 << 32, "steps"},
    };
    start(argc, argv, "stencil: heat on a plate, edges put with a signal; million points per second", options, 2);
    const int n_pes = shmem_n_pes();

    /* A rectangle of PEs, as close to a square as possible: a team for each row and each column of
       it. */
    int across = 1;
    for (int i = 2; i * i <= n_pes; i++)
        if (n_pes % i == 0)
            across = i;
    if (n < (size_t)(n_pes / across)) {
        if (shmem_my_pe() == 0)
            fprintf(stderr, "stencil: %zu points a side are too few for %d x %d PEs; --size %d would do\n", n, across, n_pes / across,
                    n_pes / across);
        leave(2);
    }
    shmem_team_t row_team, column_team;
    if (shmem_team_split_2d(SHMEM_TEAM_WORLD, across, NULL, 0, &row_team, NULL, 0, &column_team) != 0) {
        fprintf(stderr, "stencil: no teams of %d by %d PEs\n", across, n_pes / across);
        shmem_global_exit(1);
    }
    const int x = shmem_team_my_pe(row_team), y = shmem_team_my_pe(column_team), down = shmem_team_n_pes(column_team);
    const int neighbour[SIDES] = {
        [NORTH] = y > 0 ? shmem_team_translate_pe(column_team, y - 1, SHMEM_TEAM_WORLD) : -1,
        [SOUTH] = y + 1 < down ? shmem_team_translate_pe(column_team, y + 1, SHMEM_TEAM_WORLD) : -1,
        [WEST] = x > 0 ? shmem_team_translate_pe(row_team, x - 1, SHMEM_TEAM_WORLD) : -1,
        [EAST] = x + 1 < across ? shmem_team_translate_pe(row_team, x + 1, SHMEM_TEAM_WORLD) : -1,
    };
    const size_t top = begin(n, y, down), left = begin(n, x, across);
    const size_t rows = begin(n, y + 1, down) - top, columns = begin(n, x + 1, across) - left, line = columns + 2;

    double *now = own((rows + 2) * line, sizeof *now), *after = own((rows + 2) * line, sizeof *after);
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++)
            now[(row + 1) * line + column + 1] = initial(top + row, left + column, n);
    double *edge = own(n, sizeof *edge), *come = symmetric(2 * SIDES * n, sizeof *come);

    shmem_barrier_all();
    const double began = seconds();
    for (size_t t = 0; t < steps; t++) {
        for (enum side side = NORTH; side < SIDES; side++) {
            if (neighbour[side] < 0)
                continue;
            const bool is_row = side == NORTH || side == SOUTH;
            const size_t length = is_row ? columns : rows;
            const size_t first = side == SOUTH ? rows * line + 1 : side == EAST ? line + columns : line + 1;
            for (size_t i = 0; i < length; i++)
                edge[i] = now[first + i * (is_row ? 1 : line)];
            const enum side there = opposite[side];
            shmem_put_signal(&come[(t % 2 * SIDES + there) * n], edge, length, &arrived[there], t + 1, SHMEM_SIGNAL_SET,
                             neighbour[side]);
        }
        for (enum side side = NORTH; side < SIDES; side++) {
            if (neighbour[side] < 0)
                continue;
            shmem_signal_wait_until(&arrived[side], SHMEM_CMP_GE, t + 1);
            const bool is_row = side == NORTH || side == SOUTH;
            const size_t first = side == SOUTH ? (rows + 1) * line + 1 : side == EAST ? line + columns + 1 : side == WEST ? line : 1;
            const double *from = &come[(t % 2 * SIDES + side) * n];
            for (size_t i = 0; i < (is_row ? columns : rows); i++)
                now[first + i * (is_row ? 1 : line)] = from[i];
        }
        step(after, now, rows, columns);
        double *swap = now;
        now = after;
        after = swap;
    }
    shmem_barrier_all();
    const double took = max_of_all(seconds() - began);

    /* Computes the whole plate on each PE alone: the same operations in the same order give the
       same bits. */
    double *plate = own((n + 2) * (n + 2), sizeof *plate), *next = own((n + 2) * (n + 2), sizeof *next);
    for (size_t row = 0; row < n; row++)
        for (size_t column = 0; column < n; column++)
            plate[(row + 1) * (n + 2) + column + 1] = initial(row, column, n);
    for (size_t t = 0; t < steps; t++) {
        step(next, plate, n, n);
        double *swap = plate;
        plate = next;
        next = swap;
    }
    uint64_t wrong = 0;
    for (size_t row = 1; row <= rows; row++)
        for (size_t column = 1; column <= columns; column++)
            wrong += now[row * line + column] != plate[(top + row) * (n + 2) + left + column];
    if (shmem_my_pe() == 0)
        printf("stencil: %d x %d PEs, %zu x %zu points, %zu steps, %.3f million points per second\n", across, down, n, n, steps,
               (double)n * (double)n * (double)steps / took * 1e-6);
    free(now);
    free(after);
    free(edge);
    free(plate);
    free(next);
    verdict(wrong, "every point is what one PE alone computes, bit for bit");
}
