#!/usr/bin/env python3
"""Shows that a run which threads or processes of MPI share ends as the run of one.

Scenarios are drawn at random: a dragonfly or a fat tree of four groups at least, a law, jobs, links that lose frames and send
them again, links and switches that fail. Each runs on one thread, then on several, and then under mpirun. Everything in the
result folders must be the same, byte for byte, but for what a result says of its own process: its threads, the time it took
and its speed, the memory, and how often its arbiters looked.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import tomllib

EXAMPLES = """\
examples:
  mpi_simulate.py build/mpi-simulate/philae                              fifty scenarios, by all that is said below
  mpi_simulate.py build/mpi-simulate/philae --scenarios 4 --processes 3  a first look
  mpi_simulate.py build/mpi-simulate/philae --only 17 --keep seventeen   one of them, and its files
"""
# A run of these scenarios takes a second or so: one that takes this long hangs.
LIMIT_SECONDS = 300
# What a result says of its own process.
OF_THE_PROCESS = {"threads", "wall_seconds", "events", "model_bytes_peak", "packet_hops_per_second"}


def span(text: str) -> str:
    """A word of TOML."""
    return json.dumps(text)


def drawn(seed: int) -> str:
    """A scenario, as TOML."""
    draw = random.Random(seed)
    if draw.random() < 0.7:
        groups, switches, endpoints = draw.randint(4, 8), draw.randint(2, 5), draw.randint(2, 4)
        system = f"""\
[system.dragonfly]
links_per_pair = {draw.randint(1, 2)}
[[system.dragonfly.groups]]
name = "all"
count = {groups}
switches = {switches}
endpoints_per_switch = {endpoints}
"""
        nodes, all_switches = groups * switches * endpoints, groups * switches
        links = [f"groups:{draw.randrange(groups - 1)}-{groups - 1}" for _ in range(3)]
    else:
        pods, leaves, endpoints = draw.randint(4, 6), draw.randint(2, 3), draw.randint(2, 4)
        system = f"""\
[system.fat_tree]
leaves = {leaves}
endpoints_per_leaf = {endpoints}
spines = 2
cores = {{ pods = {pods}, per_plane = 2 }}
"""
        nodes, all_switches = pods * leaves * endpoints, pods * (leaves + 2)
        links = [f"endpoint:{draw.randrange(nodes)}" for _ in range(3)]
    noise = draw.choice([None, 7, 6, 6])
    errors = "" if noise is None else f"bit_errors = 6\nbit_errors_per_10_to = {noise}\nburst_bits = 200\n"
    faults = []
    for link in links[: draw.randint(1, 3)]:
        begin = draw.randint(2, 60)
        end = "" if draw.random() < 0.3 else f"until = {span(f'{begin + draw.randint(5, 80)}us')}\n"
        kind = draw.choice(["link_down", "lanes_lost"])
        faults.append(f"[[fault]]\nkind = {span(kind)}\nlink = {span(link)}\nat = {span(f'{begin}us')}\n{end}")
    if draw.random() < 0.3:
        faults.append(
            f'[[fault]]\nkind = "switch_down"\nswitch = {draw.randrange(all_switches)}\nat = "30us"\nuntil = "70us"\n'
        )
    kinds = [
        "kind = 'incast', bytes = '40KiB', iterations = 3",
        "kind = 'alltoall', bytes = '5KiB', iterations = 2",
        "kind = 'allreduce', bytes = '40KiB', iterations = 3",
        "kind = 'uniform-random', bytes = '9KiB', iterations = 30",
        "kind = 'permutation', operation = 'send', bytes = '33KiB', iterations = 10",
        "kind = 'barrier', iterations = 10",
    ]
    jobs = []
    for name, count in (("one", nodes // 2), ("other", '"rest"')):
        jobs.append(
            f'[[job]]\nname = "{name}"\nnodes = {count}\nprocesses_per_node = {draw.randint(1, 2)}\n'
            f"workload = {{ {draw.choice(kinds)} }}\n"
        )
    return f"""\
name = "drawn {seed}"
seed = {seed}
allocation = {span(draw.choice(["linear", "interleaved", "random"]))}

[system]
name = "drawn"
{system}
[congestion]
law = {span(draw.choice(["slingshot", "none", "ecn"]))}

[run]
time_limit = "{draw.choice([150, 400])}us"
start_skew = "{draw.randrange(3_000)}ns"

[link]
{errors}
[retry]
packet_timeout_ns = 20_000
unordered_delay_ms = 0
retry_step_ms = 1

[faults]
reroute = "5us"

[measure]
sample_interval = "{draw.randint(2, 20)}us"

[telemetry]
sample_every = {draw.randrange(4)}
class_counters = {draw.choice(["true", "false"])}

{"".join(faults)}
{"".join(jobs)}"""


@dataclass(frozen=True)
class Result:
    """How a run has ended, and what it left."""

    code: int
    errors: str
    summary: dict[str, int | str]
    files: dict[str, bytes]


def without_process(value: object) -> object:
    """A value of JSON or TOML without what it says of its process."""
    if isinstance(value, dict):
        return {key: without_process(part) for key, part in value.items() if key not in OF_THE_PROCESS}
    if isinstance(value, list):
        return [without_process(part) for part in value]
    return value


def run(command: list[str], output: Path) -> Result:
    """Runs a command, as root too, where Open MPI would rather not."""
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS, env=environment, check=False)
    files = {str(path.relative_to(output)): path.read_bytes() for path in sorted(output.rglob("*")) if path.is_file()}
    lines = [line for line in done.stderr.splitlines() if line.startswith("error:")]
    summary = json.loads(done.stdout)["summary"] if done.stdout.strip() else {}
    return Result(done.returncode, "\n".join(lines), summary, files)


def differences(one: Result, many: Result) -> list[str]:
    """What differs between the results of one thread and of several, or of several processes."""
    found = []
    if one.code != many.code:
        found.append(f"exit code {one.code} and {many.code}")
    if one.errors != many.errors:
        found.append(f"'{one.errors}' and '{many.errors}'")
    for name in sorted(one.files.keys() | many.files.keys()):
        ours, theirs = one.files.get(name), many.files.get(name)
        if ours is None or theirs is None:
            found.append(f"{name} is missing in one of them")
        elif name == "report.html":
            pieces = [page.decode().split(">") for page in (ours, theirs)]
            changed = sum(one != many for one, many in zip(*pieces, strict=False))
            if len(pieces[0]) != len(pieces[1]) or changed > len(OF_THE_PROCESS):
                found.append(f"{name} in {changed} places")
        elif name.endswith((".json", ".toml")):
            read = json.loads if name.endswith(".json") else tomllib.loads
            if without_process(read(ours.decode())) != without_process(read(theirs.decode())):
                found.append(name)
        elif ours != theirs:
            found.append(name)
    return found


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("philae", type=Path, help="a philae that was built with --features mpi")
    parser.add_argument("--scenarios", type=int, default=50, metavar="N", help="how many (50)")
    parser.add_argument("--only", type=int, metavar="N", help="this one alone, by its number from 0")
    parser.add_argument("--processes", default="1,2,4", metavar="LIST", help="processes that share each run (1,2,4)")
    parser.add_argument("--threads", default="2,3,4", metavar="LIST", help="threads that share each run (2,3,4)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep scenarios and results here")
    return parser.parse_args()


def main() -> int:
    """Runs all scenarios; the exit code says whether anything differed."""
    asked = arguments()
    mpirun = shutil.which("mpirun")
    if mpirun is None or not asked.philae.is_file():
        print(
            f"mpi-simulate: no {'mpirun' if mpirun is None else asked.philae}: make mpi-simulate brings what it needs",
            file=sys.stderr,
        )
        return 2
    by_threads = [("threads", int(count)) for count in asked.threads.split(",")]
    shared = by_threads + [("processes", int(count)) for count in asked.processes.split(",")]
    seeds = range(asked.scenarios) if asked.only is None else [asked.only]
    failed, totals = 0, Counter[str]()
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for seed in seeds:
            scenario = folder / f"{seed}.toml"
            scenario.write_text(drawn(seed))

            def simulate(of: str, count: int, scenario: Path = scenario, seed: int = seed) -> Result:
                output = folder / f"{seed}-{of}-{count}"
                launcher = [mpirun, "-n", str(count), "--oversubscribe"] if of == "processes" else []
                threads = ["--threads", str(count)] if of == "threads" else []
                command = [str(asked.philae), "simulate", str(scenario), "--output", str(output), "--json", "--quiet"]
                return run([*launcher, *command, *threads], output)

            one = simulate("threads", 1)
            said = []
            for of, count in shared:
                found = differences(one, simulate(of, count))
                said.append(f"{count} {of} {'same' if not found else 'DIFFERENT in ' + ', '.join(found)}")
                failed += bool(found)
            print(f"scenario {seed}: {one.summary.get('digest', one.errors)}; {', '.join(said)}", flush=True)
            totals.update({name: count for name, count in one.summary.items() if isinstance(count, int)})
    lost, again = totals["packets_discarded"], totals["packets_retried"]
    print(
        f"{len(seeds)} scenarios, {totals['packet_hops']} packet-hops, {totals['faults']} faults, {lost} packets discarded, "
        f"{again} sent again by NICs; {failed} of {len(seeds) * len(shared)} shared runs different"
    )
    if len(seeds) > 3 and 0 in (lost, again):
        print("nothing was lost or sent again: these scenarios show too little", file=sys.stderr)
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
