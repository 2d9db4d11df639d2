#!/usr/bin/env bash
# Intel MPI's collectives within a host do not use the fabric that I_MPI_FABRICS names
#
# Everybody expects: with I_MPI_FABRICS=ofi all that ranks exchange goes through libfabric, also
#   within a host: the other value, shm:ofi, is the one that names shared memory. MPICH with
#   MPIR_CVAR_NOLOCAL=1 does so.
# What happens: point-to-point messages do. Barrier and broadcast among ranks of one host go through
#   shared memory all the same; nothing of 2,000 of each is on the wire. With
#   I_MPI_COLL_INTRANODE=pt2pt they are.
# Whom it bites: those who test a provider or a simulated network on one host, count a program's
#   traffic at its provider, or compare fabrics there: collectives seem to take no time and to send
#   nothing.
# Versions: impi-rt 2021.18.1, mpi4py 4.1.2
# Output seen:
#   I_MPI_FABRICS=ofi, on the wire: exchange, barrier, broadcast: yes no no
#   the same with I_MPI_COLL_INTRANODE=pt2pt: yes yes yes
#   impi-fabrics-collectives: as described (impi-rt 2021.18.1)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin impi-fabrics-collectives

python_in impi impi-rt==2021.18.1 mpi4py==4.1.2

cat > wire.py <<'PY'
from mpi4py import MPI

world = MPI.COMM_WORLD
peer = 1 - world.rank
sent, got = bytearray(8), bytearray(8)


def carried():
    """Bytes that the loopback has carried: libfabric's tcp uses it within a host."""
    with open("/proc/net/dev") as devices:
        line = next(line for line in devices if line.strip().startswith("lo:"))
    return int(line.split(":")[1].split()[0])


def exchange():
    world.Sendrecv([sent, MPI.BYTE], peer, recvbuf=[got, MPI.BYTE])


def broadcast():
    world.Bcast([got, MPI.BYTE])


def is_on_the_wire(work):
    exchange()
    before = carried()
    for _ in range(2000):
        work()
    exchange()
    return carried() - before > 100_000


found = [is_on_the_wire(work) for work in (exchange, world.Barrier, broadcast)]
if world.rank == 0:
    print(*("yes" if one else "no" for one in found))
PY
of() {
    env I_MPI_FABRICS=ofi I_MPI_OFI_PROVIDER=tcp FI_PROVIDER=tcp "$@" \
        timeout 120 impi/bin/mpiexec -n 2 impi/bin/python wire.py 2> said || cat said
}
expect "I_MPI_FABRICS=ofi, on the wire: exchange, barrier, broadcast" "yes no no" "$(of)"
expect "the same with I_MPI_COLL_INTRANODE=pt2pt" "yes yes yes" "$(of I_MPI_COLL_INTRANODE=pt2pt)"
finish "impi-rt 2021.18.1"
