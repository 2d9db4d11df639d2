"""The same program twice, with one thread and with two: the same digest and the same output. Another seed: another digest."""

from __future__ import annotations

from pathlib import Path

from runs import ROOT, Run, Tools, simulate

RANKS = 8
# OpenSHMEM programs, with sizes that take only a moment.
SHMEM: dict[str, list[str]] = {
    "gups": ["--words", "500", "--updates", "100"],
    "sort": ["--keys", "2000", "--range", "10000"],
    "histogram": ["--bins", "77", "--samples", "100"],
    "stencil": ["--size", "200", "--steps", "4"],
    "fft": ["--bits", "5"],
}
# Scripts of mpi4py: modules of its own, and the one beside this file.
PYTHON: dict[str, list[str]] = {
    "mpi4py ringtest": ["-m", "mpi4py.bench", "ringtest", "-n", "5"],
    "mpi4py helloworld": ["-m", "mpi4py.bench", "helloworld"],
    "objects.py": [str(Path(__file__).resolve().parent / "objects.py")],
    "training.py": [str(Path(__file__).resolve().parent / "training.py")],
}
# What the seed changes: the nodes of the job, and the jitter of cores.
SCENARIOS = {
    "placement": 'allocation = "random"\n',
    "jitter": '[hardware.jitter]\nlaw = "exponential"\n',
}


def compiled(tools: Tools, name: str) -> list[str]:
    """An example of OpenSHMEM; nothing without its compiler."""
    compiler = tools.philae.parent / "oshcc"
    if not compiler.exists():
        return []
    program = tools.folder / f"shmem-{name}"
    source = ROOT / "crates" / "nic" / "shmem" / "examples" / f"{name}.c"
    tools.command([str(compiler), "-O2", "-o", str(program), str(source), "-lm"])
    return [str(program)]


def programs(tools: Tools, own: dict[str, list[str]]) -> dict[str, list[str]]:
    """All programs that there are, as command lines."""
    found = {name: [str(tools.folder / name), *words] for name, words in own.items()}
    for name, words in SHMEM.items():
        if program := compiled(tools, name):
            found[f"shmem {name}"] = [*program, *words]
        else:
            print(f"repeat: LEFT OUT shmem {name}: no oshcc beside {tools.philae}")
    python = tools.commands / "python"
    for name, words in PYTHON.items():
        found[name] = [str(python), *words]
    return found


def with_scenario(tools: Tools, more: str, words: list[str], seed: int) -> Run:
    """A run of a scenario with something random."""
    scenario = tools.folder / "random.toml"
    job = f'[[job]]\nname = "app"\nnodes = {RANKS}\nworkload = {{ kind = "program" }}\n'
    scenario.write_text(f'system = "malbec"\n{more}{job}')
    return simulate(tools, str(scenario), RANKS, words, ["--seed", str(seed)])


def repeat(tools: Tools, own: dict[str, list[str]]) -> int:
    """Each program several times; the number of programs that differ or fail."""
    print(
        f"\nEach program on `malbec`, {RANKS} ranks: twice with one thread, once with two; then two seeds with a random"
    )
    print("placement, and two with jitter of the cores.\n")
    print("| program | digest | again | two threads | output | seeds, placement | seeds, jitter |")
    print("|---|---|---|---|---|---|---|")
    failures = 0
    for name, words in programs(tools, own).items():
        runs = [simulate(tools, "malbec", RANKS, words, ["--threads", str(threads)]) for threads in (1, 1, 2)]
        wrong = [run.wrong for run in runs if run.wrong]
        if wrong:
            print(f"| {name} | FAILED: {wrong[0]}: {runs[0].said[-200:]!r} | | | | | |")
            failures += 1
            continue
        first, again, threads = (run.digest for run in runs)
        output = len({run.said for run in runs}) == 1
        seeds = []
        for more in SCENARIOS.values():
            found = [with_scenario(tools, more, words, seed) for seed in (1, 2)]
            seeds.append(not any(run.wrong for run in found) and found[0].digest != found[1].digest)
        cells = ["same" if digest == first else f"OTHER {digest}" for digest in (again, threads)]
        cells += ["same" if output else "OTHER", *("other" if other else "SAME" for other in seeds)]
        print(f"| {name} | `{first}` | " + " | ".join(cells) + " |", flush=True)
        failures += not (again == first == threads and output and all(seeds))
    return failures
