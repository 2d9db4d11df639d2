"""Running a scenario, and what came of it."""

from __future__ import annotations

import html
import json
import os
import shutil
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from philae import _native
from philae._base import read_regular, to_json
from philae.progress import RunProgress, time_text
from philae.scenario import Scenario
from philae.table import Table, html_table

if TYPE_CHECKING:
    from philae.config import TableName
    from philae.plot import Plots

#: What `run` calls: simulated picoseconds, events, packet-hops, ranks that have not finished, ranks of jobs that end, and
#: the time limit in picoseconds or None.
Progress = Callable[[int, int, int, int, int, "int | None"], object]

_TABLES = [name for name, _, _ in _native.table_info()]


def run(
    scenario: Scenario | Mapping[str, Any] | str | os.PathLike[str],
    *,
    seed: int | None = None,
    overrides: Mapping[str, Any] | None = None,
    progress: bool | Progress | None = None,
    threads: int | None = None,
    ignore_memory: bool = False,
) -> Result:
    """Runs a scenario to its end. Python's lock is free meanwhile, and Ctrl-C stops the run with KeyboardInterrupt.

    Args:
        scenario: a scenario, a dictionary like one, or the path of a TOML file.
        seed: seed of all random numbers, 0 to 2^63 - 1, instead of the scenario's.
        overrides: values of keys, by path, as `Scenario.set` takes them; the scenario itself stays as it is.
        progress: True or False to show a line on standard error or not, a function to be called about ten times a second
            (an exception in it stops the run), None for a line where standard error is a terminal.
        threads: threads of this run, instead of the scenario's `run.threads`; the result does not depend on it. `sweep`
            runs several scenarios at once.
        ignore_memory: whether to begin a run that needs more memory than is free.

    Raises:
        ScenarioError: the scenario cannot run, or will not fit into memory; the message says what would.
        RunError: the fabric stalled, or a law of conservation was broken.
        MemoryError: memory ran short in the middle of the run.
        KeyboardInterrupt: Ctrl-C, answered within a second.
    """
    if isinstance(scenario, (str, os.PathLike)):
        scenario = Scenario.load(scenario)
    elif not isinstance(scenario, Scenario):
        scenario = Scenario.from_dict(scenario)
    values = dict(overrides or {})
    if seed is not None:
        values["seed"] = seed
    if threads is not None:
        values["run.threads"] = threads
    if values:
        scenario = scenario.copy().set_all(values)
    if callable(progress):
        return Result(_native.run(to_json(scenario), progress, ignore_memory))
    with RunProgress(progress) as line:
        return Result(_native.run(to_json(scenario), line if line.line.is_shown else None, ignore_memory))


def load(folder: str | os.PathLike[str]) -> Result:
    """Opens the result folder of an earlier run, of this package or of `philae simulate`.

    Raises:
        ResultError: the folder is not a result.
    """
    return Result(Path(folder))


def bound_text(time: float | None, at_least: float | None) -> str:
    """A time in picoseconds as text; after `≥` if only a lower bound is known."""
    if at_least is not None:
        return f"≥{time_text(round(at_least))}"
    return "-" if time is None else time_text(round(time))


def delivered_text(job: dict[str, Any]) -> str:
    """Delivered Gb/s, and of how many offered if the job follows a schedule."""
    offered = job.get("offered_gbps")
    text = f"{job['delivered_gbps']:.4g}"
    return text if offered is None else f"{text} of {offered:.4g} offered"


class Result:
    """The result of a run: tables, figures, plots. Times are simulated picoseconds (`_ps`)."""

    def __init__(self, source: _native.Run | Path) -> None:
        """Takes a finished run or the folder of one; `run` and `load` make results."""
        self._source = source
        self._tables: dict[str, Table] = {}
        if isinstance(source, Path):
            path = source / "manifest.json"
            try:
                self.manifest = json.loads(read_regular(path))
            except (OSError, ValueError) as error:
                reason = f"'{source}' is not a result folder: {error}; the folder that a run wrote would work"
                raise _native.ResultError(reason) from error

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The contents of `manifest.json`: title, resolved scenario, seed, version, digest, counts, rows of each table."""
        assert isinstance(self._source, _native.Run)
        found: dict[str, Any] = json.loads(self._source.manifest())
        return found

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The main figures, as `philae simulate --json` prints them: per job, class and kind of link.

        Raises:
            ResultError: for a folder of an earlier version, which did not write them.
        """
        found: dict[str, Any]
        if isinstance(self._source, Path):
            path = self._source / "summary.json"
            try:
                found = json.loads(read_regular(path))
            except (OSError, ValueError) as error:
                reason = f"'{self._source}' has no summary: {error}; running its scenario.toml again would write one"
                raise _native.ResultError(reason) from error
        else:
            found = json.loads(self._source.summary())
        return found

    @property
    def folder(self) -> Path | None:
        """The folder that it was loaded from; None for a run of this program."""
        return self._source if isinstance(self._source, Path) else None

    @property
    def digest(self) -> str:
        """Digest of the order of all events, 16 hexadecimal digits: equal digests are equal runs."""
        return self._source.digest if isinstance(self._source, _native.Run) else str(self.manifest["digest"])

    @property
    def status(self) -> str:
        """`completed`, `time_limit`, `interrupted`, or `unfinished` (ranks wait for packets that were lost for good)."""
        return self._source.status if isinstance(self._source, _native.Run) else str(self.manifest["status"])

    @property
    def simulated_ps(self) -> int:
        """Simulated time at the end, in picoseconds."""
        return int(self.manifest["simulated_ps"])

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario with every default filled in: running it gives the same digest."""
        return Scenario.from_dict(self.manifest["scenario"])

    @property
    def tables(self) -> list[str]:
        """Names of the tables, as `table` takes them."""
        return list(_TABLES)

    @property
    def jobs(self) -> list[str]:
        """Names of the jobs."""
        return [job.name for job in self.scenario.jobs]

    def table(self, name: TableName) -> Table:
        """A table by its name.

        Raises:
            KeyError: no such table; the message has those that there are.
            ResultError: the file of a loaded folder cannot be read.
        """
        if name not in _TABLES:
            raise KeyError(f"a result has no table `{name}`; tables: {', '.join(_TABLES)}")
        if name not in self._tables:
            if isinstance(self._source, Path):
                self._tables[name] = Table.read_parquet(self._source / f"{name}.parquet")
            else:
                self._tables[name] = Table(self._source.table(name))
        return self._tables[name]

    def __getitem__(self, name: TableName) -> Table:
        """As `table`."""
        return self.table(name)

    @cached_property
    def plot(self) -> Plots:
        """Plots of this result; needs matplotlib."""
        from philae.plot import Plots

        return Plots(self)

    def save(self, folder: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Writes the folder that `philae simulate` writes: tables as Parquet, `report.html`, `scenario.toml`,
        `manifest.json`. It appears when it is complete. An earlier result of the same run is replaced.

        Args:
            folder: a new or empty folder, or an earlier result.
            overwrite: whether an earlier result of another run is also replaced. Otherwise it moves to `FOLDER.earlier`.

        Raises:
            ResultError: the folder holds something else, another process is writing to it, or a file cannot be written:
                the message then names the folder that has the others.
        """
        folder = Path(folder)
        if isinstance(self._source, _native.Run):
            return Path(self._source.save(folder, overwrite))
        if folder.exists():
            raise _native.ResultError(f"'{folder}' exists; a new folder would work for a copy of '{self._source}'")
        staging = folder.with_name(f".{folder.name}.copy-{os.getpid()}")
        try:
            shutil.copytree(self._source, staging)
            staging.rename(folder)
        except OSError as error:
            shutil.rmtree(staging, ignore_errors=True)
            raise _native.ResultError(str(error)) from error
        return folder

    def __repr__(self) -> str:
        """Title, status, time and digest."""
        title, time = self.manifest["title"], time_text(self.simulated_ps)
        return f"<philae.Result '{title}': {self.status} after {time}, digest {self.digest}>"

    def _repr_html_(self) -> str:
        """Title, status and the figures of each job, for notebooks."""
        escape, time = html.escape, time_text(self.simulated_ps)
        heads = ["job", "nodes", "messages", "mean", "p50", "p95", "p99", "max", "iteration", "ended", "delivered Gb/s"]
        rows = []
        for job in self.summary["jobs"]:
            latency, iterations = job["message_latency"] or {}, job["iterations"] or {}
            # Messages that had not arrived make a figure of the others a lower bound.
            least = job.get("message_latency_at_least") or {}
            names = [f"{name}_ps" for name in ("mean", "p50", "p95", "p99", "max")]
            texts = [bound_text(latency.get(name), least.get(name)) for name in names]
            planned, mean = iterations.get("planned"), (iterations.get("span") or {}).get("mean_ps")
            is_cut = planned is not None and iterations.get("not_ended", 0) > 0
            open_for = mean if is_cut and mean is not None else iterations.get("incomplete_for_ps")
            texts.append(bound_text(mean, open_for if is_cut or mean is None else None))
            ended = "-" if not iterations else str(iterations.get("complete", "-"))
            texts.append(ended if planned is None else f"{ended} of {planned}")
            count = f"{latency.get('count', 0):,}"
            rows.append([job["name"], f"{job['nodes']:,}", count, *texts, delivered_text(job)])
        return (
            f"<p><b>{escape(str(self.manifest['title']))}</b>: {escape(self.status)} after {escape(time)}, "
            f"digest <code>{escape(self.digest)}</code></p>" + html_table(heads, rows)
        )
