"""One run of a sweep, wherever it happens: in this process, in a worker, on a node of a cluster."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from philae import _native


def write_atomically(path: Path, write: Callable[[str], object]) -> None:
    """Lets `write` fill a hidden file next to `path`, which then replaces it in one step."""
    head = f".{path.name}.{socket.gethostname()}-"
    _remove_abandoned(path.parent, head)
    staging = path.with_name(f"{head}{os.getpid()}")
    try:
        write(os.fspath(staging))
        with open(staging, "rb") as file:
            os.fsync(file.fileno())
        os.replace(staging, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            staging.unlink()
        raise


def _remove_abandoned(folder: Path, head: str) -> None:
    """Removes the hidden files of killed processes of this machine."""
    for file in folder.glob(f"{glob.escape(head)}*"):
        process = file.name.removeprefix(head)
        if process.isdigit() and not Path("/proc", process).exists():
            with contextlib.suppress(OSError):
                file.unlink()


def run_cell(task: Mapping[str, Any]) -> bool:
    """Runs one scenario and writes its figures as one file. Returns False if the run fails."""
    figures: dict[str, Any] = {}
    error, status, wall_seconds = None, "failed", None
    try:
        scenario = _native.set_values(task["scenario"], [(path, value) for path, value in task["values"]])
        run = _native.run(scenario, None)
        status = run.status
        if task["results"] is not None:
            Path(task["results"]).parent.mkdir(parents=True, exist_ok=True)
            # The folder is the sweep's: a run that has another number now has its result under
            # that.
            run.save(task["results"], True)
        figures = dict(flatten(json.loads(run.summary())))
        wall_seconds = json.loads(run.manifest())["wall_seconds"]
    except (_native.ScenarioError, _native.RunError) as found:
        error = str(found)
    answer = {"status": status, "error": error, "figures": figures, "wall_seconds": wall_seconds}
    text = json.dumps(answer, indent=1, ensure_ascii=False) + "\n"
    write_atomically(Path(task["path"]), lambda path: Path(path).write_text(text, encoding="utf-8"))
    return error is None


#: Lists of the summary whose entries have a name; the other lists name the busiest few and are left to results.
_NAMED = {"jobs": "job", "classes": "class", "links": "link"}
_NAMES = {"jobs": "name", "classes": "name", "links": "role"}


def flatten(summary: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The figures of a summary by name: `digest`, `job.victim.message_latency.p99_ps`."""
    for key, value in summary.items():
        if key == "status":
            continue
        if key in _NAMED:
            for entry in value:
                rest = {name: found for name, found in entry.items() if name != _NAMES[key]}
                yield from _leaves(f"{_NAMED[key]}.{entry[_NAMES[key]]}", rest)
        elif not isinstance(value, list):
            yield from _leaves(key, value)


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _leaves(f"{name}.{key}", entry)
    elif value is not None and not isinstance(value, list):
        yield name, value
