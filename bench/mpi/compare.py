#!/usr/bin/env python3
"""Runs one MPI program over several of libfabric's providers, in turns, and compares them.

The MPI library is PyPI's mpich, unmodified, in a virtual environment of its own (build/mpi); the program is pingpong.c beside
this file, which checks what it measures. MPICH is told to send everything through libfabric, within a host too.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROVIDERS = ["philae", "philae/udp", "shm", "tcp;ofi_rxm", "sockets", "udp;ofi_rxd"]
EXAMPLES = """\
examples:
  compare.py                                            all of them, 2 ranks
  compare.py --ranks 4 --providers philae,shm           more ranks than cores, on a small machine
  compare.py --providers 'philae/udp,tcp;ofi_rxm' --rounds 5
  compare.py --verify                                   mpi4py's own tests over philae, shm and tcp
"""


@dataclass
class Figures:
    """What the rounds of one provider gave, by size: p5 and p50 in us, MB/s and M/s; and by name what has no size."""

    sizes: dict[int, list[tuple[float, float, float, float]]] = field(default_factory=dict)
    others: dict[str, list[float]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def take(self, text: str) -> None:
        """Adds what a run printed."""
        for line in text.splitlines():
            words = line.split()
            if words[:1] == ["size"] and len(words) == 6:
                p5, p50, bandwidth, rate = (float(word) for word in words[2:])
                self.sizes.setdefault(int(words[1]), []).append((p5, p50, bandwidth, rate))
            elif len(words) == 2 and words[0] in ("alltoall", "add"):
                self.others.setdefault(words[0], []).append(float(words[1]))

    def row(self, size: int) -> tuple[float, float, float, float] | None:
        """The least p5 of all rounds, and the medians of the rest."""
        rounds = self.sizes.get(size)
        if not rounds:
            return None
        rest = [statistics.median(column) for column in list(zip(*rounds))[1:]]
        return (min(round[0] for round in rounds), rest[0], rest[1], rest[2])


def set_up(folder: Path) -> Path:
    """Makes the virtual environment and the program where they are not there; the folder of MPICH's commands."""
    commands = folder / "venv" / "bin"
    subprocess.run([ROOT / "scripts" / "mpi-environment", folder.absolute()], check=True)
    program, source = folder / "pingpong", HERE / "pingpong.c"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        subprocess.run([commands / "mpicc", "-O2", "-Wall", "-Wextra", "-o", program, source], check=True)
    return commands


def library_folder(given: str | None) -> Path:
    """The folder with libphilae-fi.so: that which was given, or build/lib."""
    folder = Path(given) if given else ROOT / "build" / "lib"
    if not (folder / "libphilae-fi.so").exists():
        sys.exit(f"compare: no libphilae-fi.so in {folder}: `make build` makes build/lib, --library DIR names another")
    return folder


def environment(provider: str, library: Path) -> dict[str, str]:
    """What MPICH has to be told so that everything goes over a provider."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("FI_", "MPIR_CVAR_"))}
    name, _, wires = provider.partition("/")
    env |= {"FI_PROVIDER": name, "MPIR_CVAR_CH4_NETMOD": "ofi", "MPIR_CVAR_NOLOCAL": "1"}
    if name == "philae":
        env["FI_PROVIDER_PATH"] = str(library)
        if wires:
            env["FI_PHILAE_WIRES"] = wires
    return env


def run(command: list[str], env: dict[str, str], limit: float) -> tuple[str, str | None]:
    """What a command printed, and what was wrong. It is ended, with all that it has started, after the limit."""
    child = subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        text, _ = child.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        text, _ = child.communicate()
        return text, f"not done after {limit:.0f} s"
    return text, None if child.returncode == 0 else f"exit code {child.returncode}"


def show(found: dict[str, Figures], ranks: int) -> None:
    """The tables, as Markdown."""
    first = next(iter(found))
    sizes = sorted({size for figures in found.values() for size in figures.sizes})
    print(f"\nMPI, {ranks} ranks, us: p5 / p50 of half a round trip; in brackets p50 over {first}'s.\n")
    print("| bytes | " + " | ".join(f"`{provider}`" for provider in found) + " |")
    print("|---|" + "---|" * len(found))
    for size in sizes:
        own = found[first].row(size)
        cells = []
        for figures in found.values():
            row = figures.row(size)
            ratio = f" ({row[1] / own[1]:.2f})" if row and own else ""
            cells.append(f"{row[0]:.2f} / {row[1]:.2f}{ratio}" if row else "-")
        print(f"| {size:,} | " + " | ".join(cells) + " |")
    print("\n16 messages under way: MB/s, million messages a second; in brackets the rate over that.\n")
    print("| bytes | " + " | ".join(f"`{provider}`" for provider in found) + " |")
    print("|---|" + "---|" * len(found))
    for size in sizes:
        own = found[first].row(size)
        cells = []
        for figures in found.values():
            row = figures.row(size)
            ratio = f" ({row[3] / own[3]:.2f})" if row and own else ""
            cells.append(f"{row[2]:,.0f}, {row[3]:.3f}{ratio}" if row else "-")
        print(f"| {size:,} | " + " | ".join(cells) + " |")
    names = {"alltoall": "alltoall of 8 B", "add": "fetch-and-op with flush"}
    print("\n| us, median | " + " | ".join(f"`{provider}`" for provider in found) + " |")
    print("|---|" + "---|" * len(found))
    for name, title in names.items():
        cells = [
            f"{statistics.median(figures.others[name]):.1f}" if name in figures.others else "-"
            for figures in found.values()
        ]
        print(f"| {title} | " + " | ".join(cells) + " |")
    for provider, figures in found.items():
        for failure in sorted(set(figures.failures)):
            print(f"\n`{provider}`: {failure}")


def compare(arguments: argparse.Namespace, commands: Path, library: Path, folder: Path) -> int:
    """Measures in turns and prints."""
    providers = arguments.providers.split(",")
    found = {provider: Figures() for provider in providers}
    for turn in range(arguments.rounds):
        for provider in providers:
            print(f"compare: round {turn + 1} of {arguments.rounds}: {provider}", file=sys.stderr)
            command = [
                str(commands / "mpiexec"),
                "-n",
                str(arguments.ranks),
                str(folder / "pingpong"),
                str(arguments.seconds),
            ]
            text, wrong = run(command, environment(provider, library), arguments.limit)
            found[provider].take(text)
            if wrong:
                found[provider].failures.append(wrong)
    if arguments.json:
        rows = {name: {size: figures.row(size) for size in figures.sizes} for name, figures in found.items()}
        print(json.dumps({"ranks": arguments.ranks, "rows": rows}, indent=1))
    else:
        show(found, arguments.ranks)
    return 1 if any(figures.failures for name, figures in found.items() if name.startswith("philae")) else 0


def verify(arguments: argparse.Namespace, commands: Path, library: Path, folder: Path) -> int:
    """mpi4py's own tests, from its source distribution, over each provider."""
    sources = folder / "mpi4py"
    if not sources.exists():
        version = next(
            line for line in (HERE / "requirements.txt").read_text().splitlines() if line.startswith("mpi4py")
        )
        pip = [
            commands / "python",
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--no-binary",
            ":all:",
            "-d",
            folder,
            version,
        ]
        subprocess.run(pip, check=True)
        archive = next(folder.glob("mpi4py-*.tar.gz"))
        sources.mkdir()
        subprocess.run(["tar", "-xzf", archive, "-C", sources, "--strip-components=1"], check=True)
    codes = []
    for provider in arguments.providers.split(","):
        tests = [str(commands / "python"), str(sources / "test" / "main.py"), "-q", *arguments.tests]
        command = [str(commands / "mpiexec"), "-n", str(arguments.ranks), *tests]
        text, wrong = run(command, environment(provider, library), arguments.limit)
        (folder / f"mpi4py-{provider.replace('/', '-')}.log").write_text(text)
        lines = [line for line in text.splitlines() if line.startswith(("Ran ", "FAILED", "OK"))]
        print(f"{provider}: {'; '.join(dict.fromkeys(lines))}{'; ' + wrong if wrong else ''}")
        codes.append(bool(wrong))
    return int(codes[0])


def main() -> int:
    """Reads the command line."""
    kind = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=kind)
    parser.add_argument("--providers", help=f"with commas, the first is compared with; default: {','.join(PROVIDERS)}")
    parser.add_argument("--ranks", type=int, default=2, help="ranks, of which two are measured (2)")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each provider (3)")
    parser.add_argument("--seconds", type=float, default=0.2, help="time for each measurement (0.2)")
    parser.add_argument("--limit", type=float, help="a run is ended after so many seconds (120; 1200 with --verify)")
    parser.add_argument("--library", dest="given", metavar="DIR", help="folder of libphilae-fi.so (build/lib)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--verify", action="store_true", help="run mpi4py's own tests instead")
    parser.add_argument("tests", nargs="*", help="with --verify: arguments for mpi4py's tests, such as test_p2p_buf")
    arguments = parser.parse_args()
    if arguments.ranks < 2:
        parser.error(f"--ranks {arguments.ranks}: 2 or more would work")
    if arguments.providers is None:
        arguments.providers = "philae,shm,tcp;ofi_rxm" if arguments.verify else ",".join(PROVIDERS)
    if arguments.limit is None:
        arguments.limit = 1200 if arguments.verify else 120
    folder = ROOT / "build" / "mpi"
    folder.mkdir(parents=True, exist_ok=True)
    library = library_folder(arguments.given)
    commands = set_up(folder)
    return (verify if arguments.verify else compare)(arguments, commands, library, folder)


if __name__ == "__main__":
    sys.exit(main())
