#!/usr/bin/env bash
# A shift along a line of ranks leaves nothing in SimGrid's trace
#
# Everybody expects: a traced program sends the same messages when its trace is replayed.
#   MPI_Sendrecv with MPI_PROC_NULL on one side, the usual shift at the end of a line of ranks, is
#   traced as the half that does something; and MPI_ANY_SOURCE and MPI_PROC_NULL are different
#   words.
# What happens: SimGrid traces no MPI_Sendrecv that has MPI_PROC_NULL on either side. A shift of 8
#   MB between two ranks takes 8.9 ms as a program, leaves no line in the trace and is replayed in
#   nothing. (In a longer line the inner ranks are traced; they then wait for messages of the outer
#   ones, and the replay does not come to its end.) A receive from MPI_ANY_SOURCE and one from
#   MPI_PROC_NULL are both written as -333, and so is a send to MPI_PROC_NULL. Neither constant of
#   SimGrid's mpi.h is -333.
# Whom it bites: replays of stencil codes with closed boundaries, and readers of such traces, which
#   cannot tell a receive that waits from one that does not.
# Versions: SimGrid 3.32 (Debian 12)
# Output seen:
#   program: 0.00894 seconds
#   lines of the trace: 0 init, 0 finalize, 1 init, 1 finalize
#   replay: 0 seconds
#   receives from any source and from no process: 0 irecv -333 1 10 0, 0 irecv -333 2 10 0
#   MPI_ANY_SOURCE and MPI_PROC_NULL: -555 -666
#   smpi-trace-edge: as described (SimGrid 3.32-2+b2)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin smpi-trace-edge

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
#include <stdio.h>

static double out[1000000], into[1000000];

int main(int argc, char **argv) {
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 1) {
        int above = rank == 0 ? 1 : MPI_PROC_NULL, below = rank == 1 ? 0 : MPI_PROC_NULL;
        MPI_Sendrecv(out, 1000000, MPI_DOUBLE, above, 0, into, 1000000, MPI_DOUBLE, below, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 0) {
        printf("constants %d %d\n", MPI_ANY_SOURCE, MPI_PROC_NULL);
        MPI_Irecv(into, 10, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Irecv(into, 10, MPI_DOUBLE, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(out, 10, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    }
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
    sed -n 's/.*Simulated time: \(.*\) seconds.*/\1/p' said | xargs printf '%.3g seconds'
}
lines() { xargs cat < traces | grep -E "$1" | paste -sd, | sed 's/,/, /g'; }
expect "program" "0.00894 seconds" "$(smpi -trace-ti --cfg=tracing/filename:traces ./program)"
expect "lines of the trace" "0 init, 0 finalize, 1 init, 1 finalize" "$(lines .)"
expect "replay" "0 seconds" "$(smpi -replay traces)"
smpi -trace-ti --cfg=tracing/filename:traces ./program sources > took
expect "receives from any source and from no process" "0 irecv -333 1 10 0, 0 irecv -333 2 10 0" "$(lines irecv)"
expect "MPI_ANY_SOURCE and MPI_PROC_NULL" "-555 -666" "$(sed -n 's/^constants //p' said)"
finish "SimGrid 3.32-2+b2"
