"""The algorithm that the MPI library takes for each collective, beside the one that `algorithm = "auto"` takes."""

from __future__ import annotations

from compare import difference
from runs import Tools, messages, pattern, simulate

SYSTEM = "malbec"
# On each side of each limit of the rules, and between them.
SIZES: dict[str, list[int]] = {
    "alltoall": [8, 256, 264, 32768, 32776],
    "allreduce": [8, 16, 64, 128, 256, 2048, 2056, 65536],
    "reduce-scatter": [8, 32768, 65536],
    "allgather": [8, 4096, 8192, 32768, 65536],
    "broadcast": [8, 12288, 12296, 524288, 524296],
    "reduce": [8, 16, 64, 128, 256, 2048, 2056, 65536],
    "gather": [8, 1024, 65536],
    "scatter": [8, 1024, 65536],
    "barrier": [8],
}
RANKS = [4, 8, 12, 16]
ROOTED = ["broadcast", "reduce", "gather", "scatter"]


def taken(tools: Tools, ranks: int, kind: str, size: int, root: int) -> dict[tuple[str, ...], int]:
    """The messages of one iteration of the program: what a run with one more has more."""
    found = []
    for iterations in (2, 3):
        words = [str(tools.folder / "collective"), kind, str(size), str(iterations), str(root)]
        run = simulate(tools, SYSTEM, ranks, words)
        if run.wrong or "verified" not in run.said:
            raise RuntimeError(f"{' '.join(words)} with {ranks} ranks: {run.wrong}: {run.said}")
        found.append(messages(tools, "run"))
    return difference(found[1], found[0])


def rules(tools: Tools) -> int:
    """Compares the messages of one iteration, who sends how many bytes to whom; the number of cases that differ."""
    print('\nMessages of a collective in the program and with `algorithm = "auto"`.\n')
    print("| collective | ranks | root | bytes | messages | bytes of all | as the rule says |")
    print("|---|---|---|---|---|---|---|")
    failures = cases = 0
    for kind, sizes in SIZES.items():
        for ranks, root in [(ranks, root) for ranks in RANKS for root in ([0, 3] if kind in ROOTED else [0])]:
            for size in sizes:
                keys = ([] if kind == "barrier" else [f"bytes = {size}"]) + ([f"root = {root}"] if root else [])
                pattern(tools, SYSTEM, ranks, ", ".join([f'kind = "{kind}"', "iterations = 1", *keys]))
                expected = dict(messages(tools, "pattern"))
                one = dict(taken(tools, ranks, kind, size, root))
                total = sum(int(key[2]) * count for key, count in one.items())
                modelled = sum(int(key[2]) * count for key, count in expected.items())
                said = "yes" if one == expected else f"**no**: {sum(expected.values()):,} messages, {modelled:,} B"
                print(
                    f"| {kind} | {ranks} | {root} | {size:,} | {sum(one.values()):,} | {total:,} | {said} |", flush=True
                )
                failures += one != expected
                cases += 1
    print(f"\n{cases - failures} of {cases} cases have the messages that the rules give.")
    return failures
