"""Runs of `philae`, of programs and of patterns, and what they gave."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Tools:
    """The commands, and a folder for what is built and measured."""

    philae: Path
    commands: Path
    folder: Path
    limit: float

    def command(self, words: list[str]) -> None:
        """Runs a command that must succeed."""
        out, errors, wrong = started(words, self.limit)
        if wrong:
            raise RuntimeError(f"{' '.join(words)}: {wrong}: {out}{errors}")

    def result(self, name: str = "run") -> Path:
        """The folder of a result."""
        return self.folder / "results" / name


@dataclass
class Run:
    """What a run of a program in simulated time gave."""

    said: str
    wrong: str | None
    document: dict[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The digest of its result."""
        return str(self.document.get("manifest", {}).get("digest", "none"))

    @property
    def simulated_us(self) -> float:
        """The simulated time at its end."""
        return float(self.document.get("summary", {}).get("simulated_ps") or 0) / 1e6

    def figures(self, name: str) -> list[list[float]]:
        """The numbers of the lines that begin with a name."""
        lines = (line.split() for line in self.said.splitlines())
        return [[float(word) for word in words[1:]] for words in lines if words and words[0] == name]


def environment() -> dict[str, str]:
    """This process's environment, without settings of libfabric, of SHMEM and of MPICH."""
    prefixes = ("FI_", "SHMEM_", "MPIR_CVAR_", "PHILAE_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(prefixes)}
    # The default heap of 1 GiB for each PE is more than examples need.
    return kept | {"SHMEM_SYMMETRIC_SIZE": "16m"}


def started(command: list[str], limit: float, folder: Path | None = None) -> tuple[str, str, str | None]:
    """A command's output, its errors and what was wrong. It is ended, with all that it has started, after the limit."""
    child = subprocess.Popen(
        command,
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        out, errors = child.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, errors = child.communicate()
        return out, errors, f"not done after {limit:.0f} s"
    return out, errors, None if child.returncode == 0 else f"exit code {child.returncode}"


def simulate(
    tools: Tools,
    network: str,
    ranks: int,
    words: list[str],
    options: list[str] | None = None,
    name: str = "run",
    folder: Path | None = None,
    limit: float | None = None,
) -> Run:
    """Runs a program in simulated time, on a system or a scenario."""
    command = [str(tools.philae), "run", "--simulate", network, "-n", str(ranks), "--json", "--quiet", "--overwrite"]
    command += ["--output", str(tools.result(name)), *(options or []), "--", *words]
    out, said, wrong = started(command, limit or tools.limit, folder)
    try:
        return Run(said, wrong, json.loads(out))
    except json.JSONDecodeError:
        return Run(said, wrong or "no document")


def pattern(tools: Tools, system: str, ranks: int, workload: str, options: list[str] | None = None) -> dict[str, Any]:
    """Simulates a pattern as the only job of a system; its result is `results/pattern`."""
    text = f'system = "{system}"\n[[job]]\nname = "pattern"\nnodes = {ranks}\nworkload = {{ {workload} }}\n'
    tools.result().parent.mkdir(parents=True, exist_ok=True)
    scenario = tools.folder / "pattern.toml"
    scenario.write_text(text)
    command = [str(tools.philae), "simulate", str(scenario), "--json", "--quiet", "--overwrite"]
    command += ["--output", str(tools.result("pattern")), *(options or [])]
    out, errors, wrong = started(command, tools.limit)
    if wrong:
        raise RuntimeError(f"{workload} on {system}: {wrong}: {errors}")
    document: dict[str, Any] = json.loads(out)
    return document


def table(tools: Tools, name: str, which: str, columns: str) -> list[list[str]]:
    """The rows of a table of a result."""
    command = [str(tools.philae), "export", str(tools.result(name)), which, "--csv", "--columns", columns]
    out, errors, wrong = started(command, tools.limit)
    if wrong:
        raise RuntimeError(f"{which} of {name}: {wrong}: {errors}")
    return list(csv.reader(io.StringIO(out)))[1:]


def messages(tools: Tools, name: str) -> Counter[tuple[str, ...]]:
    """Who has sent how many bytes to whom, and how often."""
    return Counter(tuple(row) for row in table(tools, name, "messages", "source_rank,destination_rank,bytes"))
