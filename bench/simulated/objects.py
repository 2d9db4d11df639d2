"""Python objects between ranks, through mpi4py: pickles, dictionaries, requests, and sums of objects."""

from __future__ import annotations

from mpi4py import MPI

WORLD = MPI.COMM_WORLD
RANK, RANKS = WORLD.Get_rank(), WORLD.Get_size()
NEXT, PREVIOUS = (RANK + 1) % RANKS, (RANK - 1) % RANKS


def main() -> None:
    """Checks what arrives; rank 0 prints the simulated time."""
    began = MPI.Wtime()
    for turn in range(3):
        request = WORLD.isend({"rank": RANK, "turn": turn, "text": "x" * 1000 * turn}, dest=NEXT, tag=turn)
        found = WORLD.recv(source=PREVIOUS, tag=turn)
        request.wait()
        assert found == {"rank": PREVIOUS, "turn": turn, "text": "x" * 1000 * turn}, found
    assert WORLD.allgather((RANK, str(RANK))) == [(rank, str(rank)) for rank in range(RANKS)]
    assert WORLD.alltoall([(RANK, peer) for peer in range(RANKS)]) == [(peer, RANK) for peer in range(RANKS)]
    assert WORLD.allreduce([RANK]) == list(range(RANKS))
    assert WORLD.bcast({"root": RANK} if RANK == 0 else None) == {"root": 0}
    half = WORLD.Split(RANK % 2)
    assert half.allreduce(RANK) == sum(range(RANK % 2, RANKS, 2))
    half.Free()
    if RANK == 0:
        print(f"objects {(MPI.Wtime() - began) * 1e6:.2f} us\nverified")


if __name__ == "__main__":
    main()
