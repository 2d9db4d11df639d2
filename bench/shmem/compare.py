#!/usr/bin/env python3
"""Measures OpenSHMEM on one host in turns: the machine itself, this library, and Open MPI's.

bench.c beside this file is compiled unchanged with the oshcc of each; floor.c does the same amounts with two processes that
share memory and no library. Trials are short (tens of microseconds) and of each measure all trials of all rounds are put
together, so that whatever else the machine does changes the tail and not the middle.

Open MPI 4.1.4, as Debian 12 has it, crashes in shmem_finalize, after an empty program, too. bench.c prints everything before
it calls that, so the crash loses nothing: a run of the peer counts when its last line is there, whatever its exit code is.

Its mpirun refuses more PEs than slots. With --oversubscribe its PEs yield their processor, which is the peer of the tables;
with a hostfile that says as many slots as there are PEs they do not, and that is shown beside.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PEER_HINT = "on Debian: apt-get install openmpi-bin libopenmpi-dev; --peer OSHCC names another, --no-peer leaves it out"
SIZES = [64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 8388608]
EXAMPLES = """\
examples:
  compare.py                                      as `make shmem` runs it
  compare.py --rounds 2 --trials 51               a first look
  compare.py --document docs/shmem/speed.md       the tables, into the document between its marks
  compare.py --prefix /usr/local --no-peer        an installed library against the machine
"""
BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"


@dataclass
class Measure:
    """One line of the tables: the name that bench.c prints, what it is, and how it is shown."""

    name: str
    title: str
    kind: str = "ns"  # ns, rate (M/s), or the bytes of a copy
    pes: int = 2
    floor: str | None = None  # what the floor calls it, where it has it by another name


def measures() -> list[list[Measure]]:
    """What is shown, table by table."""
    small = [
        Measure("put", "put, 8 B"),
        Measure("put_quiet", "put and quiet, 8 B"),
        Measure("get", "get (`g`), 8 B"),
        Measure("fetch_add", "fetch-add, one word"),
        Measure("wait", "`p` and `wait_until`, one way"),
        Measure("long_p", "`long_p`, 8 KiB again and again", "rate"),
        Measure("long_p_computing", "the same, the target computes", "rate", floor="long_p"),
        Measure("put_nbi", "put_nbi, 8 B", "rate"),
        Measure("get_nbi", "get_nbi, 8 B", "rate"),
        Measure("put_nbi_random", "put_nbi, 8 B at random in 512 KiB", "rate"),
        Measure("put_nbi_random_computing", "the same, the target computes", "rate", floor="put_nbi_random"),
        Measure("get_random", "get, 8 B at random in 512 KiB", "rate"),
        Measure("atomic_add", "atomic add, one word", "rate"),
        Measure("atomic_random", "atomic xor at random in 512 KiB", "rate"),
        Measure("atomic_random_computing", "the same, the target computes", "rate", floor="atomic_random"),
    ]
    copies = [
        Measure(f"{way}_{size}", f"{way} {in_words(size)}", str(size)) for size in SIZES for way in ("put", "get")
    ]
    collective = {
        "barrier": "barrier_all",
        "sum_1": "sum of 1 long",
        "sum_1024": "sum of 1,024 longs",
        "broadcast_8": "broadcast of 8 B, and a barrier",
        "broadcast_64K": "broadcast of 64 KiB, and a barrier",
        "fcollect_8": "fcollect of 8 B",
        "collect_8": "collect of 8 B",
        "alltoall_8": "alltoall of 8 B",
        "alltoall_4K": "alltoall of 4 KiB",
        "team_sum_1": "sum of 1 long, by the team",
        "team_broadcast_8": "broadcast of 8 B, by the team",
        "team_alltoall_8": "alltoall of 8 B, by the team",
    }
    return [small, copies] + [
        [Measure(name, title, pes=pes) for name, title in collective.items()] for pes in (2, 4, 8)
    ]


def in_words(size: int) -> str:
    """A size in B, KiB or MiB."""
    for unit, bytes_ in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= bytes_:
            return f"{size // bytes_} {unit}"
    return f"{size} B"


@dataclass
class Library:
    """Who is measured: how a job of it is started, and what it gave, by PEs and name."""

    title: str
    command: list[str]
    env: dict[str, str] = field(default_factory=dict)
    must_exit_well: bool = True
    short: bool = False
    trials: dict[tuple[int, str], list[float]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def run(self, pes: int, trials: int, limit: float) -> None:
        """One run; whatever was printed counts, and what went wrong is kept."""
        words = [word.replace("{pes}", str(pes)) for word in self.command]
        words += [str(trials), "1" if pes <= (os.cpu_count() or 1) else "0", str(int(self.short))]
        child = subprocess.Popen(
            words,
            env=os.environ | self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        wrong = None
        try:
            text, said = child.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGTERM)
            try:
                text, said = child.communicate(timeout=5)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                text, said = child.communicate()
            wrong = f"{pes} PEs: not done after {limit:.0f} s"
        lines = text.splitlines()
        for line in lines:
            name, *values = line.split() or [""]
            if values and re.fullmatch(r"[a-z][a-zA-Z0-9_]*", name) and re.fullmatch(r"[0-9.]+", values[0]):
                self.trials.setdefault((pes, name), []).extend(float(value) for value in values)
        if wrong is None and "end" not in lines:
            wrong = f"{pes} PEs: ended early, exit code {child.returncode}: {said.strip()[-300:]}"
        if wrong is None and self.must_exit_well and child.returncode != 0:
            wrong = f"{pes} PEs: exit code {child.returncode}: {said.strip()[-300:]}"
        if wrong:
            self.failures.append(wrong)

    def value(self, pes: int, name: str) -> tuple[float, float] | None:
        """p5 and p50 of all trials, in nanoseconds a call."""
        found = sorted(self.trials.get((pes, name), []))
        if not found:
            return None
        return found[len(found) // 20], statistics.median(found)


def shown(value: float, kind: str) -> str:
    """Nanoseconds a call as the measure shows them."""
    if kind == "ns":
        return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"
    return f"{1e3 / value:,.0f}" if kind == "rate" else f"{float(kind) / value:.1f}"


def cell(library: Library | None, pes: int, measure: Measure, name: str) -> str:
    """p5 / p50."""
    found = library.value(pes, name) if library else None
    return " / ".join(shown(value, measure.kind) for value in found) if found else "-"


def tables(floor: Library, ours: Library, peer: Library | None, untold: Library | None) -> str:
    """All tables, as Markdown. `untold`: the peer where it was not told that PEs outnumber processors."""
    lines = []
    titles = [
        "Of 2 PEs, ns of a call, or million calls a second (M/s)",
        "Copies between 2 PEs, GB/s; the floor is memcpy",
        "Collectives of 2 PEs, ns",
        "Collectives of 4 PEs, ns",
        "Collectives of 8 PEs, ns",
    ]
    for title, rows in zip(titles, measures()):
        lines += [f"### {title}", ""]
        header = ["", "the machine", ours.title] + ([peer.title] if peer else []) + ["over the machine"]
        header += ["faster than the peer"] if peer else []
        slots = untold if untold and any(untold.value(row.pes, row.name) for row in rows) else None
        header += [slots.title] if slots else []
        lines += ["| " + " | ".join(header) + " |", "|---|" + "---|" * (len(header) - 1)]
        for row in rows:
            own = ours.value(row.pes, row.name)
            if own is None:
                continue
            below = row.floor or row.name
            if row.pes > 2:
                below = f"crowd_{row.pes}" if row.name == "barrier" else "nothing"
            least = floor.value(2, below)
            words = [row.title + (", M/s" if row.kind == "rate" else "")]
            words += [cell(floor, 2, row, below), cell(ours, row.pes, row, row.name)]
            words += [cell(peer, row.pes, row, row.name)] if peer else []
            words += [f"{own[1] / least[1]:.2f}" if least else "-"]
            if peer:
                other = peer.value(row.pes, row.name)
                words += [f"{other[1] / own[1]:.1f}x" if other else "-"]
            words += [cell(slots, row.pes, row, row.name)] if slots else []
            lines.append("| " + " | ".join(words) + " |")
        lines.append("")
    return "\n".join(lines)


def aims(floor: Library, ours: Library, peer: Library | None, untold: Library | None) -> list[tuple[str, str, bool]]:
    """What was aimed at, what came out by p50, and whether that is enough."""

    def p50(library: Library, name: str, pes: int = 2) -> float:
        found = library.value(pes, name)
        return found[1] if found else float("nan")

    found = []
    rate = 1e3 / p50(ours, "long_p")
    found.append(("`long_p` at 150 M/s and more", f"{rate:.0f} M/s", rate >= 150))
    over = p50(ours, "wait") / p50(floor, "wait")
    found.append(("wait within 20 % of the cache line's way", f"{over:.2f}", over <= 1.2))
    rate = 1e3 / p50(ours, "atomic_random")
    found.append(("random atomics at 80 M/s and more", f"{rate:.0f} M/s", rate >= 80))
    overs = {f"{way}_{size}": 0.0 for size in SIZES for way in ("put", "get")}
    overs = {name: p50(ours, name) / p50(floor, name) for name in overs}
    worst = max(overs, key=lambda name: overs[name])
    met = sum(over <= 1.1 for over in overs.values())
    said = f"{met} of {len(overs)}, worst {worst.replace('_', ' ')} B: {overs[worst]:.2f}"
    found.append(("copies within 10 % of memcpy", said, met == len(overs)))
    barrier = p50(ours, "barrier")
    found.append(("barrier of 2 under 350 ns", f"{barrier:.0f} ns", barrier < 350))
    for other in (peer, untold):
        for name in ("barrier", "sum_1", "alltoall_8") if other else ():
            gain = p50(other, name, 8) / p50(ours, name, 8)
            who = f"8 PEs on {os.cpu_count()} cores, {name}: ten times {other.title}"
            found.append((who, f"{gain:,.1f} times", gain >= 10))
    return found


def find_peer(given: str | None) -> Path | None:
    """Open MPI's oshcc: the one given, or the first that says that it is."""
    names = [given] if given else ["oshcc.openmpi", "oshcc", "/usr/bin/oshcc", "/usr/lib64/openmpi/bin/oshcc"]
    for name in names:
        found = shutil.which(name)
        if not found:
            continue
        said = subprocess.run([found, "--showme:version"], capture_output=True, text=True, check=False)
        if re.search(r"\bOpen (MPI|SHMEM)\b", said.stdout + said.stderr):
            return Path(found)
    return None


def compiled(oshcc: Path | str, source: Path, target: Path) -> Path:
    """The program, compiled as everybody would."""
    subprocess.run([oshcc, "-O2", "-w", "-o", target, source], check=True)
    return target


def launcher_of_peer(oshcc: Path) -> list[str]:
    """Open MPI's own launcher, beside its oshcc or on PATH. Root may measure, too."""
    beside = [oshcc.parent / name for name in ("oshrun.openmpi", "mpirun.openmpi", "mpirun")]
    found = next((str(path) for path in beside if path.exists()), None) or shutil.which("mpirun")
    if not found:
        sys.exit(f"compare: no mpirun beside {oshcc}: {PEER_HINT}")
    return [found, "--allow-run-as-root", "-n", "{pes}"]


def processor() -> str:
    """The processor's name, as the kernel has it."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.machine()
    found = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    virtual = " in a virtual machine" if re.search(r"^flags.*\bhypervisor\b", text, re.MULTILINE) else ""
    return (found[1] if found else platform.machine()) + virtual


def system() -> str:
    """The distribution's name."""
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except (AttributeError, OSError):
        return platform.system()


def first_line(command: list[str]) -> str:
    """What a command prints first."""
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    return ((said.stdout + said.stderr).splitlines() or ["?"])[0].strip()


def report(arguments: argparse.Namespace, libraries: list[Library], versions: list[str], load: str) -> str:
    """The whole of it, as Markdown."""
    floor, ours, peer, untold = (*libraries, None, None)[:4]
    words = [f"--rounds {arguments.rounds}", f"--trials {arguments.trials}"]
    lines = ["```", f"make shmem SHMEM='{' '.join(words)}'", "```", ""]
    machine = f"{processor()}, {os.cpu_count()} processors, {system()}, Linux {platform.release()}"
    lines += [f"Machine: {machine}; {'; '.join(versions)}; load average before and after: {load}.", ""]
    lines += ["p5 / p50 of all trials; ratios are of p50.", ""]
    lines += [tables(floor, ours, peer, untold)]
    lines += ["### Aims, by p50", "", "| aim | found | met |", "|---|---|---|"]
    lines += [
        f"| {aim} | {said} | {'yes' if met else '**no**'} |" for aim, said, met in aims(floor, ours, peer, untold)
    ]
    for library in libraries:
        lines += ["", *(f"{library.title}: {failure}" for failure in dict.fromkeys(library.failures))]
    return "\n".join(lines).rstrip() + "\n"


def into(document: Path, text: str) -> None:
    """Puts the tables between the marks of a document."""
    old = document.read_text()
    if BEGIN not in old or END not in old:
        sys.exit(f"compare: {document} has no lines '{BEGIN}' and '{END}' between which the tables go")
    before, after = old.split(BEGIN)[0], old.split(END)[1]
    document.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}")


def main() -> int:
    """Reads the command line, measures in turns and prints."""
    kind = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=kind)
    parser.add_argument("--rounds", type=int, default=5, help="turns of each (5)")
    parser.add_argument("--trials", type=int, default=101, help="trials of a measure in a round (101, at most 2001)")
    parser.add_argument("--pes", default="2,4,8", help="numbers of PEs, with commas (2,4,8)")
    parser.add_argument("--limit", type=float, default=60, help="a run is ended after so many seconds (60)")
    parser.add_argument(
        "--prefix", type=Path, default=ROOT / "build", help="where bin/oshcc and bin/oshrun are (build)"
    )
    parser.add_argument("--peer", metavar="OSHCC", help="Open MPI's oshcc, where it is not the one on PATH")
    parser.add_argument("--no-peer", action="store_true", help="compare with the machine only")
    parser.add_argument("--document", type=Path, help="also write the tables between the marks of this file")
    parser.add_argument("--json", action="store_true", help="print one JSON document: p5 and p50 in ns by PEs and name")
    arguments = parser.parse_args()
    if arguments.rounds < 1 or not 1 <= arguments.trials <= 2001:
        parser.error("1 round and more, and 1 to 2001 trials, would work")
    counts = [int(word) for word in arguments.pes.split(",")]
    if any(count < 2 for count in counts):
        parser.error(f"--pes {arguments.pes}: 2 and more would work")
    folder = ROOT / "build" / "shmem"
    folder.mkdir(parents=True, exist_ok=True)
    own_oshcc, own_oshrun = (arguments.prefix / "bin" / name for name in ("oshcc", "oshrun"))
    if not own_oshcc.exists():
        sys.exit(f"compare: no {own_oshcc}: `make build` makes build/, --prefix DIR names another")

    compiler = shutil.which("cc") or "cc"
    floor = Library("the machine", [str(compiled(compiler, HERE / "floor.c", folder / "floor"))])
    own = compiled(own_oshcc, HERE / "bench.c", folder / "bench")
    ours = Library("Philae", [str(own_oshrun), "-n", "{pes}", str(own)])
    versions = [first_line([str(own_oshcc), "--showme:version"]), first_line([compiler, "--version"])]
    libraries = [floor, ours]
    if not arguments.no_peer:
        oshcc = find_peer(arguments.peer)
        if oshcc is None:
            sys.exit(f"compare: no oshcc of Open MPI found; {PEER_HINT}")
        try:
            program = compiled(oshcc, HERE / "bench.c", folder / "bench-peer")
        except subprocess.CalledProcessError:
            sys.exit(f"compare: {oshcc} does not compile an OpenSHMEM program; {PEER_HINT}")
        launcher = launcher_of_peer(oshcc)
        libraries.append(Library("Open MPI", [*launcher, "--oversubscribe", str(program)], must_exit_well=False))
        hosts = folder / "hosts"
        hosts.write_text(f"localhost slots={max(counts)}\n")
        told = [*launcher, "--hostfile", str(hosts), str(program)]
        libraries.append(Library(f"Open MPI, slots={max(counts)}", told, must_exit_well=False, short=True))
        version = re.sub(r"^\S*: | \(.*$", "", first_line([str(oshcc), "--showme:version"]))
        versions.append(f"Open MPI's {version}")
    before = os.getloadavg()[0]
    start = time.monotonic()
    for turn in range(arguments.rounds):
        print(f"compare: round {turn + 1} of {arguments.rounds}", file=sys.stderr)
        for count in counts:
            for library in libraries:
                if library is floor and count != counts[0]:
                    continue
                if library.short:
                    # A barrier takes a tenth of a second: a few tell as much as many.
                    if turn == 0 and count > 2 and count == max(counts):
                        library.run(count, 3, arguments.limit)
                    continue
                library.run(count, arguments.trials if count <= 2 else max(3, arguments.trials // 5), arguments.limit)
    print(f"compare: {time.monotonic() - start:.0f} s", file=sys.stderr)
    text = report(arguments, libraries, versions, f"{before:.1f} and {os.getloadavg()[0]:.1f}")
    if arguments.document:
        into(arguments.document, text)
    if arguments.json:
        values = {
            library.title: {f"{pes}:{name}": library.value(pes, name) for pes, name in library.trials}
            for library in libraries
        }
        print(json.dumps({"versions": versions, "values": values}, indent=1))
    else:
        print(text)
    return 1 if ours.failures or floor.failures else 0


if __name__ == "__main__":
    sys.exit(main())
