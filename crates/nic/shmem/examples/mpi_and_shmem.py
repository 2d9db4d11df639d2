"""mpi4py and shmem4py in one program: MPI starts the processes, and SHMEM joins through MPI.

Both use the same NIC. Run with `philae run -n 3 python mpi_and_shmem.py`. SHMEM ends before MPI,
which mpi4py finalises at exit.
"""

import numpy as np
from mpi4py import MPI
from shmem4py import shmem

world = MPI.COMM_WORLD
me, n_pes = shmem.my_pe(), shmem.n_pes()
assert (me, n_pes) == (world.rank, world.size), "both number the processes alike"

# Each PE puts its number to all others; MPI adds up what each has received.
received = shmem.zeros(n_pes, dtype="i8")
shmem.barrier_all()
for pe in range(n_pes):
    shmem.put(received[me : me + 1], np.array([100 + me], dtype="i8"), pe)
shmem.barrier_all()
total = world.allreduce(int(received.sum()))
assert total == n_pes * sum(100 + pe for pe in range(n_pes)), total

# A long MPI message goes around the ring.
token, arrived = np.full(200_000, me, dtype="i8"), np.empty(200_000, dtype="i8")
world.Sendrecv(token, (me + 1) % n_pes, 0, arrived, (me - 1) % n_pes, 0)
assert (arrived == (me - 1) % n_pes).all()

shmem.free(received)
shmem.finalize()
world.Barrier()
if me == 0:
    print(f"verified: {n_pes} processes, mpi4py and shmem4py alternating")
