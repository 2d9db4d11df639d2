#!/usr/bin/env python3
"""Runs real programs in simulated time: right results, the same run twice, and the times of the patterns.

The programs are those beside this file (MPI in C, each checks its own result), the examples of OpenSHMEM, and scripts of
mpi4py.
The parts are: verify, compare, rules, repeat, mpi4py, shmem, shmem4py, hpcc. One without its tools says so, and is left out.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

import compare
import repeat
import rules
import suites
from runs import ROOT, Tools, simulate

EXAMPLES = """\
examples:
  programs.py                                       all parts
  programs.py --parts verify,compare                two of them
  programs.py --mpi venv/bin --philae target/release/philae --parts repeat
"""
# Of each program: its arguments for a run of a moment.
PROGRAMS: dict[str, list[str]] = {
    "latency": [],
    "bandwidth": ["1048576", "3"],
    "alltoall": ["1024", "3"],
    "allreduce": ["8192", "3"],
    "ep": ["16"],
    "is": ["4096"],
    "cg": ["256"],
    "ft": ["64"],
    "mg": ["32"],
    "one_sided": [],
    "requests": [],
    "workers": [],
    "groups": [],
    "nonblocking": [],
    "random_access": [],
    "ring": [],
}
NETWORKS = [("frontier", 4), ("malbec", 8), ("shandy", 16), ("shandy", 64)]


def set_up(arguments: argparse.Namespace) -> Tools:
    """Finds the commands, and compiles the programs."""
    folder = ROOT / "build" / "simulated"
    folder.mkdir(parents=True, exist_ok=True)
    philae = Path(arguments.philae or ROOT / "build" / "bin" / "philae").resolve()
    if not philae.exists():
        sys.exit(f"programs: no {philae}: `make build` makes build/bin/philae, --philae FILE names another")
    if arguments.mpi:
        commands = Path(arguments.mpi).resolve()
    else:
        commands = folder / "venv" / "bin"
        requirements = ROOT / "bench" / "mpi" / "requirements.txt"
        stamp = folder / "requirements.txt"
        if not stamp.exists() or stamp.read_text() != requirements.read_text():
            print("programs: installing MPICH and mpi4py ...", file=sys.stderr)
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder / "venv"], check=True)
            subprocess.run([commands / "python", "-m", "pip", "install", "--quiet", "-r", requirements], check=True)
            stamp.write_text(requirements.read_text())
    if not (commands / "mpicc").exists():
        sys.exit(f"programs: no mpicc in {commands}; --mpi DIR names the folder of an MPI's commands")
    tools = Tools(philae=philae, commands=commands, folder=folder, limit=arguments.limit)
    here = Path(__file__).resolve().parent
    for name in [*PROGRAMS, "collective"]:
        flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror"]
        source = here / f"{name}.c"
        subprocess.run([commands / "mpicc", *flags, "-o", folder / name, source, "-lm"], check=True)
    return tools


def verify(tools: Tools) -> int:
    """Every program on several networks: it finds its own result right."""
    print("\n| program | " + " | ".join(f"`{system}`, {ranks} ranks" for system, ranks in NETWORKS) + " |")
    print("|---|" + "---|" * len(NETWORKS))
    failures = 0
    for name, words in PROGRAMS.items():
        cells = []
        for system, ranks in NETWORKS:
            began = time.monotonic()
            run = simulate(tools, system, ranks, [str(tools.folder / name), *words])
            took = time.monotonic() - began
            right = run.wrong is None and "verified" in run.said
            cells.append(f"{run.simulated_us:,.0f} us ({took:.1f} s)" if right else f"WRONG: {run.wrong}")
            failures += not right
        print(f"| `{' '.join([name, *words])}` | " + " | ".join(cells) + " |", flush=True)
    print(
        f"\n{len(PROGRAMS) * len(NETWORKS) - failures} of {len(PROGRAMS) * len(NETWORKS)} runs verified their results."
    )
    return failures


def main() -> int:
    """Reads the command line."""
    parts = {
        "verify": verify,
        "compare": compare.compare,
        "rules": rules.rules,
        "repeat": lambda tools: repeat.repeat(tools, PROGRAMS),
        "mpi4py": suites.mpi4py,
        "shmem": suites.shmem,
        "shmem4py": suites.shmem4py,
        "hpcc": suites.hpcc,
    }
    kind = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=kind)
    parser.add_argument("--parts", default=",".join(parts), help="with commas; default: all")
    parser.add_argument("--philae", help="the command (build/bin/philae)")
    parser.add_argument("--mpi", metavar="DIR", help="folder of an MPI's mpicc, mpiexec and python (MPICH of PyPI)")
    parser.add_argument("--limit", type=float, default=300, help="a run is ended after so many seconds (300)")
    arguments = parser.parse_args()
    asked = arguments.parts.split(",")
    if unknown := [part for part in asked if part not in parts]:
        parser.error(f"--parts {','.join(unknown)}: {', '.join(parts)} would work")
    tools = set_up(arguments)
    failures = 0
    for part in asked:
        print(f"\n## {part}", flush=True)
        failures += parts[part](tools)
    shutil.rmtree(tools.folder / "results", ignore_errors=True)
    print(f"\nprograms: {failures} failures" if failures else "\nprograms: all as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
