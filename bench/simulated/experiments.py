#!/usr/bin/env python3
"""Measures programs in simulated time: how far they scale, what a victim suffers, and the same programs in SimGrid.

The programs are MPI in C: those of experiments/ beside this file, and the stencil of examples/simulated. They run unchanged
over MPICH under `philae run --simulate`, and with SimGrid's MPI (SMPI) on a platform of the same rates.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCES = {name: HERE / "experiments" / f"{name}.c" for name in ("ring", "sleeps", "collectives")} | {
    "stencil": ROOT / "examples" / "simulated" / "stencil.c"
}
LAWS = ["slingshot", "none", "aries", "ecn"]
# How often the memory of all processes is looked at.
SAMPLE_SECONDS = 0.05
EXAMPLES = """\
examples:
  experiments.py scale                          runs of 2 to 256 ranks: speed, switches between processes, memory
  experiments.py scale --ranks 2,16 --rounds 3
  experiments.py victims                        a stencil beside an incast on shandy and crystal, under four laws
  experiments.py victims --ranks 128 --program 'LAMMPS=Loop time of' -- lmp -in in.melt
  experiments.py smpi                           ring, alltoall and stencil in Philae and in SimGrid, in turns
"""


@dataclass
class Measured:
    """What a command printed, and what it and all that it started used."""

    text: str = ""
    errors: str = ""
    wrong: str | None = None
    seconds: float = 0
    processor_seconds: float = 0
    # Voluntary switches of all processes and threads.
    switches: int = 0
    # The largest resident set of a single process, in bytes.
    largest_bytes: int = 0
    # The largest sums of proportional set sizes, in bytes: of the program's processes, and of the
    # command itself.
    program_bytes: int = 0
    own_bytes: int = 0

    @property
    def document(self) -> dict[str, Any]:
        """The JSON that it printed."""
        found: dict[str, Any] = json.loads(self.text) if self.text.startswith("{") else {}
        return found

    def figures(self, name: str) -> list[float]:
        """The numbers of the first line that begins with a name."""
        for line in (self.text + "\n" + self.errors).splitlines():
            words = line.split()
            if words[:1] == [name]:
                return [float(word) for word in words[1:]]
        raise SystemExit(f"experiments: no '{name}' in what was printed: {self.text}{self.errors}")

    def after(self, words: str) -> float:
        """The number that follows these words."""
        rest = (self.text + "\n" + self.errors).partition(words)[2].split()
        if not rest:
            raise SystemExit(f"experiments: no '{words}' in what was printed: {self.text}{self.errors}")
        return float(rest[0])


@dataclass
class Tools:
    """Where everything is."""

    philae: Path
    mpi: Path
    folder: Path
    limit: float
    processor: int | None = None
    options: list[str] = field(default_factory=list)
    built: dict[str, Path] = field(default_factory=dict)

    def build(self, compiler: str, suffix: str = "") -> None:
        """Compiles the programs, where they are older than their sources."""
        for name, source in SOURCES.items():
            program = self.folder / (name + suffix)
            if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
                command = [compiler, "-std=gnu11", "-O2", "-Wall", "-Wextra", "-o", str(program), str(source)]
                subprocess.run(command, check=True)
            self.built[name + suffix] = program

    def simulate(self, asked: str, ranks: int, words: list[str], options: list[str], memory: bool = False) -> Measured:
        """A program in simulated time; it must verify its results."""
        command = [str(self.philae), "run", "--simulate", asked, "-n", str(ranks), "--json", "--quiet", "--overwrite"]
        command += ["-o", str(self.folder / "result"), *self.options, *options, "--", *words]
        return self.measure(command, words[0] if memory else None)

    def measure(self, command: list[str], sampled: str | None = None) -> Measured:
        """Runs a command, on one processor if that was asked for."""
        pinned = [] if self.processor is None else ["taskset", "-c", str(self.processor)]
        return run([*pinned, *command], self.limit, self.folder, sampled)


def proportional(process: str) -> int:
    """The proportional set size of a process in bytes; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def sample(own: int, program: str, found: Measured, ended: threading.Event) -> None:
    """Notes the largest memory of a command and of the processes of its program."""
    name = os.path.realpath(program)
    while not ended.wait(SAMPLE_SECONDS):
        total = 0
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                is_program = os.readlink(f"/proc/{process}/exe") == name
            except OSError:
                continue
            total += proportional(process) if is_program else 0
        found.program_bytes = max(found.program_bytes, total)
        found.own_bytes = max(found.own_bytes, proportional(str(own)))


def run(command: list[str], limit: float, folder: Path, sampled: str | None = None) -> Measured:
    """Runs a command and measures it. It is ended, with all that it has started, after the limit."""
    prefixes = ("FI_", "MPIR_CVAR_", "SHMEM_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(prefixes)}
    found, ended, began = Measured(), threading.Event(), time.monotonic()
    out, errors = folder / "out.txt", folder / "errors.txt"
    with out.open("w") as to_out, errors.open("w") as to_errors:
        child = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=to_out, stderr=to_errors, start_new_session=True
        )
        timer = threading.Timer(limit, os.killpg, (child.pid, signal.SIGKILL))
        timer.start()
        if sampled:
            threading.Thread(target=sample, args=(child.pid, sampled, found, ended), daemon=True).start()
        _, status, used = os.wait4(child.pid, 0)
        timer.cancel()
        ended.set()
    code = child.returncode = os.waitstatus_to_exitcode(status)
    found.seconds = time.monotonic() - began
    found.largest_bytes = used.ru_maxrss * 1024
    found.processor_seconds, found.switches = used.ru_utime + used.ru_stime, used.ru_nvcsw + used.ru_nivcsw
    found.text, found.errors = out.read_text(), errors.read_text()
    if code != 0:
        said = next((line for line in found.errors.splitlines() if line.startswith("error")), "")
        found.wrong = f"exit code {code} {said}".strip() if found.seconds < limit else f"not done after {limit:.0f} s"
    return found


def verified(found: Measured, what: str) -> Measured:
    """A run that has ended well, and whose program has verified its results."""
    if found.wrong or "\nverified" not in found.text + found.errors:
        raise SystemExit(
            f"experiments: {what}: {found.wrong or 'not verified'}\n{found.text[-2000:]}{found.errors[-2000:]}"
        )
    return found


def simulated_us(found: Measured) -> float:
    """The simulated time of a run."""
    return float(found.document["summary"]["simulated_ps"]) / 1e6


def messages(found: Measured) -> int:
    """Messages of the program."""
    return int(found.document["summary"]["jobs"][0]["messages_issued"])


def mebibytes(size: float) -> str:
    """A size, for a table."""
    return f"{size / 2**20:,.1f}"


def scale(asked: argparse.Namespace, tools: Tools) -> None:
    """Speed, switches and memory by the number of ranks."""
    tools.build(str(tools.mpi / "mpicc"))
    print(f"\nCollectives ({asked.rounds} rounds of alltoall, allreduce and barrier more) on {asked.system}:\n")
    print(
        "| ranks | simulated us | messages | real s per simulated ms | switches per message | processor us per message |"
    )
    print("|---|---|---|---|---|---|")
    memory = []
    for ranks in asked.ranks:

        def collectives(rounds: int, sampled: bool = False, ranks: int = ranks) -> Measured:
            words = [str(tools.built["collectives"]), str(rounds)]
            return verified(tools.simulate(asked.system, ranks, words, [], sampled), f"collectives with {ranks} ranks")

        few, many = collectives(1), collectives(1 + asked.rounds)
        spent, sent = simulated_us(many) - simulated_us(few), messages(many) - messages(few)
        switches, worked = many.switches - few.switches, many.processor_seconds - few.processor_seconds
        print(
            f"| {ranks} | {simulated_us(many):,.0f} | {messages(many):,} | {(many.seconds - few.seconds) / spent * 1e3:,.2f} "
            f"| {switches / sent:.2f} | {worked / sent * 1e6:.1f} |",
            flush=True,
        )
        sampled = collectives(1 + asked.rounds, True)
        memory.append((ranks, few.seconds, many.seconds, sampled))
    print("\nMemory (proportional set size) and wall time of whole runs:\n")
    print("| ranks | MiB of a rank | MiB of the coordinator | s with 1 round | s with all |")
    print("|---|---|---|---|---|")
    for ranks, first, last, sampled in memory:
        rank = mebibytes(sampled.program_bytes / ranks)
        print(f"| {ranks} | {rank} | {mebibytes(sampled.own_bytes)} | {first:.1f} | {last:.1f} |")
    for name, about in (("sleeps", "Sleeps of 10 us"), ("ring", "Waits for 1 byte in a ring")):
        print(f"\n{about}, all processes together, without start and end:\n")
        print("| ranks | waits | processor us per wait | switches per wait | real us per wait |\n|---|---|---|---|---|")
        for ranks in asked.ranks:
            turns = max(4, asked.waits // ranks)

            def waiting(turns: int, ranks: int = ranks, name: str = name) -> Measured:
                words = [str(tools.built[name]), str(turns)]
                return verified(tools.simulate(asked.system, ranks, words, []), f"{name} with {ranks} ranks")

            few, many = waiting(1), waiting(1 + turns)
            waits = turns * ranks
            print(
                f"| {ranks} | {waits:,} | {(many.processor_seconds - few.processor_seconds) / waits * 1e6:.1f} "
                f"| {(many.switches - few.switches) / waits:.2f} | {(many.seconds - few.seconds) / waits * 1e6:.1f} |",
                flush=True,
            )


# When an aggressor begins that is to do nothing: after any program here has ended.
NEVER = "1000s"


def beside_incast(system: str, ranks: int, asked: argparse.Namespace, begins: str | None) -> str:
    """A scenario with a program, and an incast whose nodes are there also if it does nothing."""
    incast = "0us" if begins else NEVER
    return (
        f'name = "victim on {system}"\nsystem = "{system}"\nallocation = "{asked.allocation}"\n'
        f'[[job]]\nname = "program"\nnodes = {ranks}\nstart = "{begins or "0us"}"\nworkload = {{ kind = "program" }}\n'
        f'[[job]]\nname = "incast"\nnodes = {asked.aggressors}\nstart = "{incast}"\n'
        'workload = { kind = "incast", bytes = "128KiB" }\n'
    )


def victims(asked: argparse.Namespace, tools: Tools) -> None:
    """What a program suffers beside an incast, by system and law."""
    if asked.program:
        title, _, marker = asked.program.partition("=")
        words = asked.words

        def took(found: Measured) -> float:
            return found.after(marker)
    else:
        tools.build(str(tools.mpi / "mpicc"))
        title, words = "stencil", [str(tools.built["stencil"]), "64", str(asked.rounds)]

        def took(found: Measured) -> float:
            return verified(found, title).after("per iteration: mean")

    print(f"\n{title}, {asked.ranks[0]} ranks, beside an incast of {asked.aggressors} nodes, {asked.allocation} nodes.")
    print(f"The program begins at {asked.start}. Times as it prints them; in brackets over those of a quiet incast.\n")
    print(
        "| system | quiet | "
        + " | ".join(f"`{law}`" for law in asked.laws)
        + " |\n|---|---|"
        + "---|" * len(asked.laws)
    )
    for system in asked.systems:

        def time_of(begins: str | None, options: list[str], system: str = system) -> float | str:
            scenario = tools.folder / "victim.toml"
            scenario.write_text(beside_incast(system, asked.ranks[0], asked, begins))
            found = tools.simulate(str(scenario), asked.ranks[0], words, options)
            return found.wrong or took(found)

        quiet = time_of(None, [])
        cells = [f"{quiet:,.4g}" if isinstance(quiet, float) else quiet]
        for law in asked.laws:
            found = time_of(asked.start, ["--set", f"congestion.law={law}"])
            is_time = isinstance(found, float) and isinstance(quiet, float)
            cells.append(f"{found:,.4g} ({found / quiet:,.2f})" if is_time else str(found))  # type: ignore[operator]
            print(f"experiments: {system}, {law}: {cells[-1]}", file=sys.stderr)
        print(f"| {system} | " + " | ".join(cells) + " |", flush=True)


def platform(latency_ns: float) -> str:
    """SimGrid's platform: nodes at 100 Gb/s in a dragonfly of the shape of `shandy`, links of this latency."""
    return f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <cluster id="shandy" prefix="node-" radical="0-1023" suffix="" speed="100Gf" bw="12.5GBps" lat="{latency_ns:.1f}ns"
             sharing_policy="SPLITDUPLEX" topology="DRAGONFLY" topo_parameters="8,8;1,2;16,1;8"/>
  </zone>
</platform>
"""


def smpi(asked: argparse.Namespace, tools: Tools) -> None:
    """The same programs in Philae and in SimGrid, in turns."""
    tools.build(str(tools.mpi / "mpicc"))
    tools.build("smpicc", "-smpi")
    hosts = tools.folder / "hosts.txt"
    hosts.write_text("".join(f"node-{node}\n" for node in range(1024)))
    place = tools.folder / "platform.xml"
    # What a message costs a core is that of the host's preset, and algorithms are those of MPICH.
    settings = [
        "smpi/simulate-computation:no",
        "smpi/os:0:2.5e-7:0",
        "smpi/or:0:3.5e-7:0",
        "smpi/coll-selector:mpich",
        "smpi/bw-factor:0:1",
        "smpi/lat-factor:0:1",
    ]
    settings += ["network/TCP-gamma:0", "smpi/async-small-thresh:16384", "smpi/send-is-detached-thresh:16384"]

    def in_simgrid(ranks: int, words: list[str]) -> Measured:
        command = ["smpirun", "-np", str(ranks), "-platform", str(place), "-hostfile", str(hosts)]
        command += [f"--cfg={setting}" for setting in settings] + [str(tools.built[f"{words[0]}-smpi"]), *words[1:]]
        return tools.measure(command)

    def in_philae(ranks: int, words: list[str], sampled: bool = False) -> Measured:
        return tools.simulate("shandy", ranks, [str(tools.built[words[0]]), *words[1:]], [], sampled)

    # The latency of a link for which a byte takes as long to the next node.
    hop = verified(in_philae(2, ["ring", "100"]), "ring").figures("ring")[1]
    guesses = {}
    for latency in (100, 500):
        place.write_text(platform(latency))
        guesses[latency] = verified(in_simgrid(2, ["ring", "100"]), "ring in SimGrid").figures("ring")[1]
    per_link = 100 + (hop - guesses[100]) * 400 / (guesses[500] - guesses[100])
    place.write_text(platform(per_link))
    print(f"\nSimGrid's links have {per_link:.0f} ns, for which a hop of a byte takes {hop:.3f} us in both.\n")
    cases: list[tuple[str, list[str], Callable[[Measured], float]]] = [
        ("ring of 1 B, a hop", ["ring", "20"], lambda found: found.figures("ring")[1]),
        ("alltoall of 1 KiB", ["collectives", "5", "1024", "alltoall"], lambda found: found.figures("alltoall")[1]),
        ("alltoall of 16 KiB", ["collectives", "3", "16384", "alltoall"], lambda found: found.figures("alltoall")[1]),
        ("stencil, an iteration", ["stencil", "64", "50"], lambda found: found.after("per iteration: mean")),
    ]
    print(
        "| ranks | program | Philae us | SMPI us | Philae wall s | SMPI wall s | Philae MiB a rank | SMPI MiB a rank |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for ranks in asked.ranks:
        for title, words, figure in cases:
            walls: dict[str, list[float]] = {"philae": [], "smpi": []}
            figures: dict[str, float] = {}
            for _ in range(asked.turns):
                for name, start in (("philae", in_philae), ("smpi", in_simgrid)):
                    found = verified(start(ranks, words), f"{title} in {name}")
                    walls[name].append(found.seconds)
                    figures[name] = figure(found)
            # All ranks of SimGrid are in one process, the largest.
            found = in_philae(ranks, words, True)
            memory = {"philae": (found.program_bytes + found.own_bytes) / ranks}
            memory["smpi"] = in_simgrid(ranks, words).largest_bytes / ranks
            wall = {name: statistics.median(times) for name, times in walls.items()}
            print(
                f"| {ranks} | {title} | {figures['philae']:.2f} | {figures['smpi']:.2f} | {wall['philae']:.2f} "
                f"| {wall['smpi']:.2f} | {mebibytes(memory['philae'])} | {mebibytes(memory['smpi'])} |",
                flush=True,
            )


def counts(text: str) -> list[int]:
    """Numbers with commas between them."""
    return [int(word) for word in text.split(",")]


def main() -> int:
    """Reads the command line."""
    kind = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=kind)
    parser.add_argument("what", choices=["scale", "victims", "smpi"])
    parser.add_argument(
        "--philae", type=Path, default=ROOT / "build" / "bin" / "philae", help="the command (build/bin)"
    )
    mpi = ROOT / "build" / "mpi" / "venv" / "bin"
    parser.add_argument("--mpi", type=Path, default=mpi, help="folder of MPICH's commands (where `make mpi` puts them)")
    parser.add_argument("--ranks", type=counts, help="with commas (2,16,64,128,256; victims: 64; smpi: 16,64)")
    parser.add_argument(
        "--rounds", type=int, help="rounds of the collectives, iterations of the stencil (10; victims: 20)"
    )
    parser.add_argument("--waits", type=int, default=200000, help="waits of the ring, and sleeps (200000)")
    parser.add_argument(
        "--start", default="8ms", help="when the program of `victims` begins; the incast does at 0 (8ms)"
    )
    parser.add_argument("--turns", type=int, default=3, help="turns of each simulator (3)")
    parser.add_argument("--system", default="shandy", help="system of `scale` (shandy)")
    parser.add_argument("--systems", default="shandy,crystal", help="systems of `victims` (shandy,crystal)")
    parser.add_argument("--laws", default=",".join(LAWS), help="laws of `victims` (all four)")
    parser.add_argument("--aggressors", type=int, default=400, help="nodes of the incast (400)")
    parser.add_argument("--allocation", default="interleaved", help="placement of both jobs (interleaved)")
    parser.add_argument(
        "--program", metavar="NAME=WORDS", help="another victim, and the words before its time; it follows a --"
    )
    parser.add_argument("--processor", type=int, metavar="N", help="run everything on this processor alone (taskset)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a key of all scenarios")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "build" / "experiments", help="what is built and measured"
    )
    parser.add_argument("--limit", type=float, default=600, help="a run is ended after so many seconds (600)")
    # What follows a "--" is that program and its arguments.
    cut = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    asked = parser.parse_args(sys.argv[1:cut])
    asked.words = sys.argv[cut + 1 :]
    asked.systems, asked.laws = asked.systems.split(","), asked.laws.split(",")
    if asked.ranks is None:
        asked.ranks = {"scale": [2, 16, 64, 128, 256], "victims": [64], "smpi": [16, 64]}[asked.what]
    asked.rounds = asked.rounds or (20 if asked.what == "victims" else 10)
    for needed in (asked.philae, asked.mpi / "mpicc"):
        if not needed.exists():
            sys.exit(f"experiments: no {needed}: `make build` and `make mpi` make it, --philae and --mpi name another")
    folder = asked.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    tools = Tools(asked.philae.resolve(), asked.mpi, folder, asked.limit, asked.processor)
    tools.options = [word for value in asked.set for word in ("--set", value)]
    # The launcher of the program is that of its library.
    os.environ["PATH"] = f"{asked.mpi}:{os.environ['PATH']}"
    {"scale": scale, "victims": victims, "smpi": smpi}[asked.what](asked, tools)
    return 0


if __name__ == "__main__":
    sys.exit(main())
