"""A training loop of several workers: each has its part of the samples, and all add their gradients."""

from __future__ import annotations

from array import array

from mpi4py import MPI

WORLD = MPI.COMM_WORLD
RANK, RANKS = WORLD.Get_rank(), WORLD.Get_size()
WEIGHTS, SAMPLES, STEPS, RATE = 6, 8, 300, 0.4


def sample(number: int) -> tuple[list[float], float]:
    """A sample: its inputs and what a linear model of the weights 1, 2, 3, ... says of them."""
    state, inputs = number * 2654435761 % 4294967296, []
    for _ in range(WEIGHTS):
        state = (state * 1664525 + 1013904223) % 4294967296
        inputs.append(state / 2147483648 - 1)
    return inputs, sum((place + 1) * value for place, value in enumerate(inputs))


def main() -> None:
    """Every rank finds the weights; rank 0 prints the simulated time."""
    samples = [sample(RANK * SAMPLES + number) for number in range(SAMPLES)]
    weights, gradient = [0.0] * WEIGHTS, array("d", [0.0] * WEIGHTS)
    began = MPI.Wtime()
    for _ in range(STEPS):
        own = array("d", [0.0] * WEIGHTS)
        for inputs, wanted in samples:
            error = sum(weight * value for weight, value in zip(weights, inputs)) - wanted
            for place, value in enumerate(inputs):
                own[place] += error * value
        WORLD.Allreduce(own, gradient, MPI.SUM)
        weights = [weight - RATE * slope / SAMPLES / RANKS * 2 for weight, slope in zip(weights, gradient)]
    took = MPI.Wtime() - began
    worst = max(abs(weight - place - 1) for place, weight in enumerate(weights))
    assert worst < 1e-3, (worst, weights)
    if RANK == 0:
        print(f"training {took * 1e6:.2f} us\nverified")


if __name__ == "__main__":
    main()
