"""The times of programs beside those of the same patterns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from runs import Tools, messages, pattern, simulate, table

SYSTEMS = ["frontier", "shandy"]
ITERATIONS = 5
# What an iteration of a pattern is called in the tables below, by the kind of collective.
ALGORITHMS = {
    "alltoall": ["bruck", "scattered", "pairwise"],
    "allreduce": ["recursive-doubling", "rabenseifner", "ring", "tree"],
}


def program(
    tools: Tools, system: str, ranks: int, words: list[str], options: list[str] | None = None
) -> list[list[float]]:
    """The figures of a program of this folder."""
    run = simulate(tools, system, ranks, [str(tools.folder / words[0]), *words[1:]], options)
    if run.wrong or "verified" not in run.said:
        raise RuntimeError(f"{' '.join(words)} on {system}: {run.wrong}: {run.said}")
    name = {"latency": "round-trip", "bandwidth": "window"}.get(words[0], words[0])
    return run.figures(name)


def mean(values: list[float]) -> float:
    """The mean."""
    return sum(values) / len(values)


def latency(tools: Tools) -> int:
    """Round trips; with polls and readings of clocks that take almost no time, nothing but messages is left."""
    print("\nRound trips of two ranks, ns: the pattern `ping-pong`, the program, and the program with polls and clocks")
    print(
        "of 1 ns.\n\n| system | bytes | pattern | program | more | with polls of 1 ns, more |\n|---|---|---|---|---|---|"
    )
    failures = 0
    quick = ["--set", "job.program.workload.poll=1ns", "--set", "job.program.workload.clock=1ns"]
    for system in SYSTEMS:
        quicker = {row[0]: row[1] for row in program(tools, system, 2, ["latency"], quick)}
        sizes = []
        for size, took in program(tools, system, 2, ["latency"]):
            workload = f'kind = "ping-pong", bytes = {size:.0f}, iterations = 20'
            expected = rank_mean(pattern(tools, system, 2, workload))
            left = quicker[size] - expected
            print(f"| {system} | {size:,.0f} | {expected:,.1f} | {took:,.1f} | {took - expected:.1f} | {left:.1f} |")
            failures += not (0 <= took - expected <= 60 and abs(left) <= 20)
            sizes.append(f"{size:.0f}")
        # One turn more is one message each way: the library sends nothing else.
        one = one_more(tools, system, 2, ["latency", "20"], ["latency", "21"])
        if one != Counter({(*pair, size): 1 for size in sizes for pair in (("0", "1"), ("1", "0"))}):
            print(f"\n{system}: one turn more are these messages: {dict(one)}")
            failures += 1
    return failures


def one_more(tools: Tools, system: str, ranks: int, fewer: list[str], more: list[str]) -> Counter[tuple[str, ...]]:
    """The messages of one iteration: those that a run with one more has more."""
    found = []
    for words in (fewer, more):
        program(tools, system, ranks, words)
        found.append(messages(tools, "run"))
    return difference(found[1], found[0])


def rank_mean(document: dict[str, object]) -> float:
    """The mean duration of an iteration on a rank, in ns."""
    jobs = document["summary"]["jobs"]  # type: ignore[index]
    return float(jobs[0]["iterations"]["rank_mean_ps"]) / 1e3


def windows(tools: Tools, system: str, ranks: int) -> float:
    """The mean of a window of the pattern, from the first sender's begin to the last one's end, in ns."""
    spans: dict[str, list[int]] = {}
    for rank, iteration, start, end in table(tools, "pattern", "iterations", "rank,iteration,start_ps,end_ps"):
        if int(rank) < ranks // 2:
            span = spans.setdefault(iteration, [int(start), int(end)])
            span[0], span[1] = min(span[0], int(start)), max(span[1], int(end))
    return mean([(end - start) / 1e3 for start, end in spans.values()])


def bandwidth(tools: Tools) -> int:
    """Windows of 64 messages, of one pair, and short ones of 8 pairs."""
    print("\nWindows of 64 messages, us, and what they give.\n")
    print("| system | pairs | bytes | pattern | program | ratio | program's rate |\n|---|---|---|---|---|---|---|")
    failures = 0
    for system in SYSTEMS:
        for pairs, size in [(1, 8), (1, 1024), (1, 16384), (1, 65536), (1, 1 << 20), (8, 8), (8, 65536)]:
            ranks = 2 * pairs
            took = mean([span for _, span in program(tools, system, ranks, ["bandwidth", str(size), str(ITERATIONS)])])
            pattern(
                tools, system, ranks, f'kind = "bandwidth", bytes = {size}, iterations = {ITERATIONS}, pairs = "halves"'
            )
            expected = windows(tools, system, ranks)
            count = 64 * pairs
            rate = f"{count * size / took:.2f} GB/s" if size > 1024 else f"{count / took * 1e3:.2f} M/s"
            cells = f"{expected / 1e3:,.2f} | {took / 1e3:,.2f} | {took / expected:.4f} | {rate}"
            print(f"| {system} | {pairs} | {size:,} | {cells} |")
            failures += abs(took / expected - 1) > 0.02
    return failures


def difference(more: Counter[tuple[str, ...]], fewer: Counter[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    """What the first has more than the second, and less."""
    found = more.copy()
    found.subtract(fewer)
    return Counter({key: count for key, count in found.items() if count})


def order(tools: Tools, name: str, ranks: int, size: int) -> dict[str, list[str]]:
    """To whom each rank has sent its first messages of this size, in this order."""
    rows = table(tools, name, "messages", "source_rank,destination_rank,bytes,issued_ps")
    found: dict[str, list[str]] = {}
    for source, destination, count, _ in sorted(rows, key=lambda row: int(row[3])):
        if int(count) == size and len(found.setdefault(source, [])) < ranks - 1:
            found[source].append(destination)
    return found


def algorithm(tools: Tools, system: str, ranks: int, kind: str, size: int) -> str:
    """The algorithm whose messages are those of one iteration of the program, and in their order if several have the same."""
    one = one_more(tools, system, ranks, [kind, str(size), "2"], [kind, str(size), "3"])
    names = []
    for name in ALGORITHMS[kind]:
        pattern(tools, system, ranks, f'kind = "{kind}", bytes = {size}, iterations = 1, algorithm = "{name}"')
        if messages(tools, "pattern") == one:
            names.append((name, order(tools, "pattern", ranks, size)))
    if len(names) > 1:
        taken = order(tools, "run", ranks, size)
        names = [(name, ordered) for name, ordered in names if ordered == taken]
    return " or ".join(name for name, _ in names) or "another"


def collectives(tools: Tools) -> int:
    """Alltoalls and allreduces, with the algorithm that the MPI library has taken."""
    print(
        "\nCollectives, mean of a rank, us. The algorithm is that whose messages (who, to whom, bytes) are those of one"
    )
    print("iteration of the program, all of them.\n")
    print(
        "| system | ranks | collective | bytes | algorithm | pattern | program | ratio |\n|---|---|---|---|---|---|---|---|"
    )
    failures = 0
    cases = [(16, "alltoall", [8, 256, 1024, 65536]), (64, "alltoall", [8, 256, 1024])]
    cases += [(16, "allreduce", [8, 64, 128, 2048, 65536]), (64, "allreduce", [8, 1024, 65536, 524288])]
    for system in SYSTEMS:
        for ranks, kind, sizes in cases:
            for size in sizes:
                name = algorithm(tools, system, ranks, kind, size)
                if name not in ALGORITHMS[kind]:
                    print(f"| {system} | {ranks} | {kind} | {size:,} | {name} of {ALGORITHMS[kind]} | | | |")
                    failures += 1
                    continue
                took = mean([each for _, _, each in program(tools, system, ranks, [kind, str(size), str(ITERATIONS)])])
                workload = f'kind = "{kind}", bytes = {size}, iterations = {ITERATIONS}, algorithm = "{name}"'
                expected = rank_mean(pattern(tools, system, ranks, workload))
                print(
                    f"| {system} | {ranks} | {kind} | {size:,} | {name} | {expected / 1e3:,.2f} | {took / 1e3:,.2f} "
                    f"| {took / expected:.4f} |",
                    flush=True,
                )
                failures += abs(took / expected - 1) > 0.05
    return failures


def compare(tools: Tools) -> int:
    """All comparisons; the number of figures that miss their aim."""
    parts: list[Callable[[Tools], int]] = [latency, bandwidth, collectives]
    failures = sum(part(tools) for part in parts)
    print(f"\n{failures} figures miss their aims: 60 ns for a round trip, 2 % for windows, 5 % for collectives.")
    return failures
