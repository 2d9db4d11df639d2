#!/usr/bin/env bash
# Persistent sends of Debian's Open MPI over libfabric send the wrong rows
#
# Everybody expects: MPI_Send_init and MPI_Start send what MPI_Send would send, whatever transport
#   is chosen.
# What happens: with the transport layer cm (libfabric, as on Slingshot and Omni-Path) a persistent
#   send of a datatype that is contiguous but begins behind the start of the buffer, such as a
#   subarray of the last two rows of four, sends the first two rows. No error is raised. Plain sends
#   are right, persistent receives are right, and the layer ob1 is right. MPI_Alltoallw is made of
#   persistent requests: parallel FFTs that exchange subarrays compute wrong results (mpi4py-fft: a
#   transform and its inverse differ by 1.24 instead of 1e-15).
# Whom it bites: users of Debian 12's Open MPI on fabrics whose driver is a libfabric provider.
#   4.1.7 and 4.1.8 are right.
# Versions: openmpi-bin 4.1.4, libfabric1 1.17.0 (Debian 12); needs a C compiler
# Output seen:
#   ob1: plain 9 to 16, persistent 9 to 16
#   cm, tcp;ofi_rxm: plain 9 to 16, persistent 1 to 8
#   cm, sockets: plain 9 to 16, persistent 1 to 8
#   openmpi-persistent-offset: as described (openmpi-bin 4.1.4-3+b1, libfabric1 1.17.0-3)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin openmpi-persistent-offset

debian openmpi-bin=4.1.4-3+b1 libopenmpi-dev=4.1.4-3+b1 libopenmpi3=4.1.4-3+b1 openmpi-common=4.1.4-3 libfabric1=1.17.0-3
cat > rows.c <<'C'
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank, all[2] = {4, 4}, rows[2] = {2, 4}, start[2] = {2, 0};
    double sent[16], plain[8], persistent[8];
    MPI_Datatype last_rows;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 16; i++) sent[i] = i + 1;
    MPI_Type_create_subarray(2, all, rows, start, MPI_ORDER_C, MPI_DOUBLE, &last_rows);
    MPI_Type_commit(&last_rows);
    MPI_Sendrecv(sent, 1, last_rows, 1 - rank, 0, plain, 8, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv_init(persistent, 8, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(sent, 1, last_rows, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (rank == 0)
        printf("plain %g to %g, persistent %g to %g\n", plain[0], plain[7], persistent[0], persistent[7]);
    MPI_Finalize();
    return 0;
}
C
libraries=$root/usr/lib/x86_64-linux-gnu
gcc rows.c -o rows "-I$libraries/openmpi/include" "-L$libraries/openmpi/lib" "-L$libraries" "-Wl,-rpath-link,$libraries" -lmpi
export OPAL_PREFIX=$libraries/openmpi OPAL_BINDIR=$root/usr/bin OPAL_DATADIR=$root/usr/share
export OPAL_PKGDATADIR=$root/usr/share/openmpi OPAL_SYSCONFDIR=$root/etc
export OMPI_MCA_mca_base_component_path=$libraries/openmpi/lib/openmpi3
rows() {
    unpacked timeout 60 "$root/usr/bin/orterun" --allow-run-as-root --oversubscribe -n 2 "$@" ./rows 2> log || cat log >&2
}
cm=(--mca pml cm --mca mtl ofi --mca mtl_ofi_provider_include)
expect ob1 "plain 9 to 16, persistent 9 to 16" "$(rows --mca pml ob1 --mca btl self,tcp)"
expect "cm, tcp;ofi_rxm" "plain 9 to 16, persistent 1 to 8" "$(rows "${cm[@]}" "tcp;ofi_rxm")"
expect "cm, sockets" "plain 9 to 16, persistent 1 to 8" "$(rows "${cm[@]}" sockets)"
finish "openmpi-bin 4.1.4-3+b1, libfabric1 1.17.0-3"
