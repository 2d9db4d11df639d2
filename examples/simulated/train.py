#!/usr/bin/env python3
"""Trains a linear model on all ranks: every step ends with an allreduce of the gradient.

Each rank has its own samples. The gradient is computed with numpy; the time that a processor of the simulated node would need
for it is slept, because simulated time does not pass while a program computes. Rank 0 prints what a step takes, and compares
the weights with those of one process that has all samples.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np
from mpi4py import MPI


def samples(rank: int, count: int, features: int) -> tuple[np.ndarray, np.ndarray]:
    """The samples of a rank, and their targets: the same on every machine."""
    draw = np.random.default_rng(rank)
    inputs = draw.standard_normal((count, features), dtype=np.float32) / np.float32(np.sqrt(features))
    return inputs, draw.standard_normal(count, dtype=np.float32)


def gradient(weights: np.ndarray, inputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """The gradient of half the sum of the squares of all errors."""
    return inputs.T @ (inputs @ weights - targets)


def loss(weights: np.ndarray, inputs: np.ndarray, targets: np.ndarray) -> float:
    """The mean of the squares of all errors."""
    return float(np.mean((inputs @ weights - targets) ** 2))


def main() -> int:
    """Trains, verifies, prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", type=int, default=65536, help="weights, of 4 bytes (65536)")
    parser.add_argument("--samples", type=int, default=4, help="samples of each rank (4)")
    parser.add_argument("--steps", type=int, default=10, help="steps (10)")
    parser.add_argument(
        "--buckets", type=int, default=4, help="allreduces of a step, each with its part of the gradient (4)"
    )
    parser.add_argument("--compute-us", type=float, default=100, help="computation of a step, in microseconds (100)")
    asked = parser.parse_args()
    world = MPI.COMM_WORLD
    rank, ranks = world.Get_rank(), world.Get_size()

    inputs, targets = samples(rank, asked.samples, asked.features)
    weights = np.zeros(asked.features, dtype=np.float32)
    summed = np.empty_like(weights)
    rate = np.float32(0.5)
    world.Barrier()
    began, communication = MPI.Wtime(), 0.0
    for _ in range(asked.steps):
        own = gradient(weights, inputs, targets)
        time.sleep(asked.compute_us * 1e-6)
        reached = MPI.Wtime()
        for part, whole in zip(np.array_split(own, asked.buckets), np.array_split(summed, asked.buckets), strict=True):
            world.Allreduce(part, whole)
        communication += MPI.Wtime() - reached
        weights -= rate * summed
    took = world.allreduce(MPI.Wtime() - began, MPI.MAX) / asked.steps
    communication = world.allreduce(communication, MPI.SUM) / ranks / asked.steps

    if rank != 0:
        return int(world.bcast(None))
    # What one process computes that has the samples of all.
    parts = [samples(other, asked.samples, asked.features) for other in range(ranks)]
    all_inputs, all_targets = (np.concatenate(side) for side in zip(*parts, strict=True))
    alone = np.zeros_like(weights)
    for _ in range(asked.steps):
        alone -= rate * gradient(alone, all_inputs, all_targets)
    first, last = loss(np.zeros_like(weights), all_inputs, all_targets), loss(weights, all_inputs, all_targets)
    verified = bool(np.allclose(weights, alone, rtol=1e-4, atol=1e-5)) and last < first
    size = asked.features * weights.itemsize / 1024
    print(f"train: {ranks} ranks, {size:.0f} KiB of gradient in {asked.buckets} allreduces, {asked.steps} steps")
    print(f"time per step: {took * 1e6:.1f} us, in allreduces {communication * 1e6:.1f} us")
    print(f"loss: {first:.4f} before, {last:.4f} after")
    print("verified: the weights are those of one process" if verified else "NOT verified: the weights differ")
    return int(world.bcast(0 if verified else 1))


if __name__ == "__main__":
    sys.exit(main())
