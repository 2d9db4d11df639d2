#!/usr/bin/env bash
# SimGrid's own trace of a derived datatype replays as a message of no bytes
#
# Everybody expects: smpirun -trace-ti writes a trace that smpirun -replay runs in about the time of
#   the program.
# What happens: every datatype that is not predefined becomes -1 in the trace, as MPI_DATATYPE_NULL
#   does, and the size of the type is nowhere. The replay takes -1 as no bytes. A program that sends
#   8 MB as one MPI_Type_contiguous takes 8.9 ms, its replay 2 us. Nothing is said, and the exit
#   status is 0. The same 8 MB as a million MPI_DOUBLE replay in 8.9 ms.
# Whom it bites: traces of codes with halos in MPI_Type_vector or subarrays, or whose I/O layer or
#   library makes types: their messages vanish, others stay, and the result looks like a fast
#   network.
# Versions: SimGrid 3.32 (Debian 12); needs a C compiler
# Output seen:
#   derived type, program: 0.00894124 seconds
#   derived type, line of the trace: 0 send 1 0 1 -1
#   derived type, replay: 2.03536e-06 seconds
#   doubles, program: 0.00894124 seconds
#   doubles, line of the trace: 0 send 1 0 1000000 0
#   doubles, replay: 0.00894124 seconds
#   smpi-trace-derived-types: as described (SimGrid 3.32-2+b2)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin smpi-trace-derived-types

debian libsimgrid-dev=3.32-2+b2 libsimgrid3.32=3.32-2+b2
cat > platform.xml <<'XML'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="zone" routing="Full">
    <host id="a" speed="1Gf"/>
    <host id="b" speed="1Gf"/>
    <link id="link" bandwidth="1GBps" latency="1us"/>
    <route src="a" dst="b"><link_ctn id="link"/></route>
  </zone>
</platform>
XML
printf 'a\nb\n' > hosts
cat > program.c <<'C'
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, derived = argc > 1, count = derived ? 1 : 1000000;
    double *data = calloc(1000000, sizeof *data);
    MPI_Datatype type = MPI_DOUBLE;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (derived) {
        MPI_Type_contiguous(1000000, MPI_DOUBLE, &type);
        MPI_Type_commit(&type);
    }
    if (rank == 0) MPI_Send(data, count, type, 1, 0, MPI_COMM_WORLD);
    else MPI_Recv(data, count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
C
for tool in smpicc smpirun; do # They name the folder where they are installed.
    sed "s#/usr/lib/#$root/usr/lib/#; s#/usr/include#$root/usr/include#" "$root/usr/bin/$tool" > "$tool"
done
unpacked bash smpicc -O1 program.c -o program
smpi() {
    unpacked timeout 100 bash smpirun -np 2 -platform platform.xml -hostfile hosts --cfg=smpi/display-timing:yes \
        --cfg=smpi/host-speed:1Gf --cfg=smpi/simulate-computation:no "$@" > said 2>&1 || cat said >&2
    sed -n 's/.*Simulated time: \(.*seconds\).*/\1/p' said
}
both() { # WHAT TIME LINE REPLAY, arguments of the program
    local what=$1 time=$2 line=$3 replay=$4
    shift 4
    expect "$what, program" "$time" "$(smpi -trace-ti --cfg=tracing/filename:traces ./program "$@")"
    expect "$what, line of the trace" "$line" "$(xargs cat < traces | grep send)"
    expect "$what, replay" "$replay" "$(smpi -replay traces)"
}
both "derived type" "0.00894124 seconds" "0 send 1 0 1 -1" "2.03536e-06 seconds" derived
both doubles "0.00894124 seconds" "0 send 1 0 1000000 0" "0.00894124 seconds"
finish "SimGrid 3.32-2+b2"
