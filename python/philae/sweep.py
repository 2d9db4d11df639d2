"""Many runs of one scenario with different values: a grid that runs in parallel, can be resumed, and gives one table."""

from __future__ import annotations

import fcntl
import hashlib
import html
import itertools
import json
import os
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from philae import _native
from philae._base import to_json
from philae._cell import run_cell, write_atomically
from philae._executors import Executor, submitter
from philae.progress import Line, bar
from philae.result import Result, load
from philae.scenario import Scenario, schema_path
from philae.table import Table

#: Held as long as a sweep writes into its folder.
LOCK = ".lock"


class Failure(NamedTuple):
    """A run of a sweep that failed."""

    #: Number of the run in the grid, from 0.
    run: int
    #: Its values, as text: `jobs.victim.nodes=16, seed=3`.
    name: str
    #: What went wrong.
    error: str


class Sweep:
    """What came of a sweep: one table with a row per run, and the runs that failed."""

    def __init__(self, folder: Path, table: Table, failures: list[Failure], ran: int, found: int) -> None:
        """Made by `sweep`."""
        #: Its folder: `table.parquet`, `table.csv`, `sweep.json` and a file for each run below `runs/`.
        self.folder = folder
        #: One row per run in the order of the grid: the values, then what came of the run.
        self.table = table
        #: Runs that failed; the table also has their rows, with the error.
        self.failures = failures
        #: Runs of this call.
        self.ran = ran
        #: Runs that were there already.
        self.found = found

    def result(self, run: int) -> Result:
        """The result of a run by its number, of a sweep that keeps results.

        Raises:
            ResultError: the sweep kept none, or the run failed.
        """
        return load(self.folder / "results" / f"{run:05}")

    def to_polars(self) -> Any:
        """The table as a polars frame."""
        return self.table.to_polars()

    def to_pandas(self) -> Any:
        """The table as a pandas frame."""
        return self.table.to_pandas()

    def to_pyarrow(self) -> Any:
        """The table as a pyarrow table."""
        return self.table.to_pyarrow()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Arrow PyCapsule interface: the table."""
        return self.table.__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        """Counts and the first rows of the table, for notebooks."""
        return f"<p>{html.escape(repr(self))}</p>{self.table._repr_html_()}"

    def __len__(self) -> int:
        """Runs."""
        return len(self.table)

    def __repr__(self) -> str:
        """Counts and the folder."""
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"<philae.Sweep of {len(self)} runs ({self.ran} now, {self.found} before{failed}) in '{self.folder}'>"


class _Cell(NamedTuple):
    run: int
    values: dict[str, Any]
    name: str
    identity: str
    task: dict[str, Any]

    def path(self, folder: Path) -> Path:
        return folder / "runs" / f"{self.identity}.json"


def sweep(
    base: Scenario | Mapping[str, Any] | str | os.PathLike[str],
    grid: Mapping[str, Iterable[Any]],
    *,
    out: str | os.PathLike[str],
    executor: str | Executor = "processes",
    workers: int | None = None,
    keep_results: bool = False,
    progress: bool | None = None,
    options: Mapping[str, Any] | None = None,
) -> Sweep:
    """Runs `base` with every combination of the values in `grid` and makes one table of what came out.

    A sweep that was stopped, for any reason, can be resumed: called again with the same folder it runs what is
    missing, and its table is the same as without the stop. Values may be added to the grid later; runs of the same scenario
    and version are not repeated.

    Args:
        base: a scenario, a dictionary like one, or the path of a TOML file.
        grid: values by the path of a key, as `Scenario.set` takes it; the last key varies fastest.
        out: the folder; a new one, an empty one, or that of an earlier sweep.
        executor: "processes" on this machine, "serial" in this process, "slurm" (job arrays, needs submitit), "dask" (a
            local cluster, needs distributed), or any object with `submit(function, argument)` that gives futures: a Dask
            client, an executor of concurrent.futures or submitit.
        workers: runs at once; default: as many as this process may use cores. Under Slurm: elements of an array at once.
        keep_results: whether the whole result folder of each run is kept, below `results/`.
        progress: whether a line on standard error shows how far it is; None: where standard error is a terminal.
        options: for "slurm": what submitit's `update_parameters` takes, such as `{"slurm_partition": "cpu",
            "timeout_min": 60}`; for "dask": arguments of its `LocalCluster`.

    Raises:
        ScenarioError: the base or a key of the grid is wrong. A run that fails does not stop the others: see
            `Sweep.failures`.
        ResultError: the folder is something else, or another sweep writes into it.
        KeyboardInterrupt: Ctrl-C; what has ended is kept.
    """
    if isinstance(base, (str, os.PathLike)):
        base = Scenario.load(base)
    elif not isinstance(base, Scenario):
        base = Scenario.from_dict(base)
    folder = Path(out)
    axes = {path: list(values) for path, values in grid.items()}
    cells = _cells(base, axes, folder, keep_results)
    _check(cells)
    _refuse_repeated(to_json(base), axes)
    with _held(folder):
        _prepare(folder, base, grid)
        missing = [cell for cell in cells if not _is_done(cell, folder)]
        # Runs with the same values are run once.
        missing = list({cell.identity: cell for cell in missing}.values())
        lost = _run_cells(missing, len(cells), folder, executor, workers, progress, dict(options or {}))
        rows = [_row(cell, folder, lost) for cell in cells]
        failures = [Failure(cell.run, cell.name, row["error"]) for cell, row in zip(cells, rows) if row["error"]]
        table = _table(rows)
        if rows:
            write_atomically(folder / "table.parquet", table.write_parquet)
            write_atomically(folder / "table.csv", table.write_csv)
        return Sweep(folder, table, failures, len(missing) - len(lost), len(cells) - len(missing))


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Keeps the folder to this sweep: a second one there would replace the table of the first."""
    if folder.exists() and not (folder / "sweep.json").is_file() and (not folder.is_dir() or _has_files(folder)):
        raise _native.ResultError(f"'{folder}' exists and is not a sweep; a new or an empty folder would work")
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / LOCK, "a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            owner = lock.read() or "another process"
            raise _native.ResultError(
                f"another sweep writes into '{folder}' ({owner}); its end or another folder would work"
            ) from None
        except OSError:
            # A file system without locks: sweeps cannot see each other there.
            pass
        lock.truncate(0)
        lock.write(f"process {os.getpid()}")
        lock.flush()
        yield


def _has_files(folder: Path) -> bool:
    return any(file.name != LOCK for file in folder.iterdir())


def _cells(base: Scenario, grid: dict[str, list[Any]], folder: Path, keep_results: bool) -> list[_Cell]:
    empty = [path for path, values in grid.items() if not values]
    if empty:
        raise _native.ScenarioError(f"the grid has no value for `{empty[0]}`; at least one would work")
    schema_paths = [schema_path(path) for path in grid]
    scenario = to_json(base)
    cells = []
    for run, values in enumerate(itertools.product(*grid.values())):
        pairs = [(path, to_json(value)) for path, value in zip(schema_paths, values)]
        name = ", ".join(f"{path}={value}" for path, value in zip(grid, values)) or "the base"
        text = json.dumps([_native.__version__, scenario, pairs, keep_results and run])
        identity = hashlib.sha256(text.encode()).hexdigest()[:32]
        task = {
            "scenario": scenario,
            "values": pairs,
            "path": os.fspath(folder.absolute() / "runs" / f"{identity}.json"),
            "results": os.fspath(folder.absolute() / "results" / f"{run:05}") if keep_results else None,
        }
        cells.append(_Cell(run, dict(zip(grid, values)), name, identity, task))
    return cells


def _check(cells: list[_Cell]) -> None:
    """Refuses a grid of which no run can be: a single one may be wrong, and is then a failure."""
    first: _native.ScenarioError | None = None
    for cell in cells:
        try:
            _native.set_values(cell.task["scenario"], cell.task["values"])
        except _native.ScenarioError as error:
            first = first or error
        else:
            return
    if first is not None:
        raise first


def _refuse_repeated(scenario: str, grid: dict[str, list[Any]]) -> None:
    """Refuses values of one key that are the same, such as 1 and 1.0: each would be a run of its own."""
    first = {path: values[0] for path, values in grid.items()}
    for path, values in grid.items():
        known: dict[str, Any] = {}
        for value in values if len(values) > 1 else []:
            pairs = [(schema_path(key), to_json(at)) for key, at in {**first, path: value}.items()]
            try:
                text = _native.canonical(scenario, pairs)
            except _native.ScenarioError:
                continue  # A single value may be wrong: its runs say so.
            if text in known:
                raise _native.ScenarioError(
                    f"the grid has the same value of `{path}` twice, {known[text]!r} and {value!r}; each once would work"
                )
            known[text] = value


def _prepare(folder: Path, base: Scenario, grid: Mapping[str, Iterable[Any]]) -> None:
    """Writes what the sweep is, and keeps the table of another one."""
    marker = folder / "sweep.json"
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    said = {"version": _native.__version__, "base": base.to_dict(), "grid": {key: list(grid[key]) for key in grid}}
    said = json.loads(to_json(said))
    if marker.is_file():
        _keep_earlier(folder, marker, said["base"])
    text = json.dumps(said, indent=2, ensure_ascii=False) + "\n"
    write_atomically(marker, lambda path: Path(path).write_text(text, encoding="utf-8"))


def _keep_earlier(folder: Path, marker: Path, base: Any) -> None:
    """Renames the table of another scenario's sweep: no result is lost. Its runs stay."""
    try:
        earlier = json.loads(marker.read_text(encoding="utf-8"))
    except ValueError:
        earlier = {}
    if isinstance(earlier, dict) and earlier.get("base") == base:
        return
    files = [folder / name for name in ("sweep.json", "table.csv", "table.parquet")]

    def renamed(number: int) -> list[Path]:
        mark = ".earlier" if number == 1 else f".earlier-{number}"
        return [file.with_name(f"{file.stem}{mark}{file.suffix}") for file in files]

    number = 1
    while any(name.exists() for name in renamed(number)):
        number += 1
    kept = []
    for file, name in zip(files, renamed(number)):
        if file.exists():
            file.rename(name)
            kept.append(name.name)
    warnings.warn(f"'{folder}' had a sweep of another scenario: its files are now {', '.join(kept)}", stacklevel=4)


def _run_cells(
    missing: list[_Cell],
    total: int,
    folder: Path,
    executor: str | Executor,
    workers: int | None,
    progress: bool | None,
    options: dict[str, Any],
) -> dict[str, str]:
    """Runs what is missing. Returns, by identity, why runs were lost that wrote nothing: those are tried again next time."""
    lost: dict[str, str] = {}
    if not missing:
        return lost
    line, began, done, failed = Line(progress), time.monotonic(), total - len(missing), 0
    with submitter(executor, workers, folder, options) as submit:
        waiting = dict(zip(submit(run_cell, [cell.task for cell in missing]), missing))
        try:
            while waiting:
                ended = [future for future in waiting if future.done()]
                for future in ended:
                    cell = waiting.pop(future)
                    done += 1
                    try:
                        failed += not future.result()
                    except Exception as error:  # the run's own errors are answers, so this is the executor's
                        failed += 1
                        lost[cell.identity] = f"{type(error).__name__}: {error}"
                seconds = time.monotonic() - began
                left = seconds / max(done - total + len(missing), 1) * (total - done)
                text = f"{bar(done / total)}  {done} of {total} runs, about {left:.0f} s left"
                line.write(text + (f", {failed} failed" if failed else ""))
                if not ended:
                    time.sleep(0.05)
        finally:
            line.clear()
            for future in waiting:
                future.cancel()
    if line.is_shown:
        seconds = time.monotonic() - began
        there = total - len(missing)
        runs = "1 run" if len(missing) == 1 else f"{len(missing)} runs"
        line.stream.write(f"{runs} in {seconds:.1f} s, {there} were there before, {failed} failed\n")
    return lost


def _is_done(cell: _Cell, folder: Path) -> bool:
    """Whether a run has its figures, and with `keep_results` also its result folder, which may have been removed."""
    path = cell.path(folder)
    if not path.is_file():
        return False
    results = cell.task["results"]
    if results is None or (Path(results) / "manifest.json").is_file():
        return True
    return bool(json.loads(path.read_text(encoding="utf-8"))["error"])


def _row(cell: _Cell, folder: Path, lost: dict[str, str]) -> dict[str, Any]:
    """One row: the values, then what came of the run."""
    values = {
        key: value if isinstance(value, (bool, int, float, str)) else to_json(value)
        for key, value in cell.values.items()
    }
    row: dict[str, Any] = {"run": cell.run, **values}
    path = cell.path(folder)
    if not path.is_file():
        error = lost.get(cell.identity, "it did not end")
        return {**row, "status": "lost", "error": error}
    found = json.loads(path.read_text(encoding="utf-8"))
    return {**row, "status": found["status"], "error": found["error"], **found["figures"]}


def _table(rows: list[dict[str, Any]]) -> Table:
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns: dict[str, list[Any]] = {}
    for name in names:
        values = [row.get(name) for row in rows]
        kinds = {type(value) for value in values if value is not None}
        if str in kinds and len(kinds) > 1:
            values = [None if value is None else str(value) for value in values]
        columns[name] = values
    return Table.from_columns("sweep", columns, "One row per run, in the order of the grid.")
