"""Executors: processes, cluster jobs or threads that run a sweep."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Protocol

from philae._extra import extra

Task = Mapping[str, Any]
Work = Callable[[Task], bool]


class Pending(Protocol):
    """A run that may have ended."""

    def done(self) -> bool:
        """Whether it has."""

    def result(self) -> bool:
        """What came of it."""

    def cancel(self) -> object:
        """Gives it up."""


class Executor(Protocol):
    """Anything with futures: an executor of concurrent.futures or submitit, a Dask client."""

    def submit(self, function: Any, /, *arguments: Any) -> Any:
        """Runs a function somewhere, some time."""


#: Gives every task to an executor.
Submit = Callable[[Work, Sequence[Task]], Sequence[Pending]]


@contextlib.contextmanager
def submitter(executor: str | Executor, workers: int | None, folder: Path, options: dict[str, Any]) -> Iterator[Submit]:
    """What submits runs, until the sweep ends."""
    if executor == "serial":
        yield _serial
    elif executor == "processes":
        pool = _Workers(workers or available_cores())
        try:
            yield pool.submit_all
        finally:
            pool.close()
    elif executor in ("slurm", "submitit-local"):
        yield _submitit(str(executor), workers, folder, options)
    elif executor == "dask":
        distributed = extra("dask.distributed")
        with distributed.LocalCluster(
            n_workers=workers or available_cores(), threads_per_worker=1, **options
        ) as cluster:
            with distributed.Client(cluster) as client:
                yield _each(client)
    elif isinstance(executor, str):
        raise ValueError(f"executor is {executor!r}; 'processes', 'serial', 'slurm', 'dask' or an executor would work")
    else:
        yield _each(executor)


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _each(executor: Executor) -> Submit:
    return lambda work, tasks: [executor.submit(work, dict(task)) for task in tasks]


class _Now:
    """A run that starts when its result is requested."""

    def __init__(self, work: Work, task: Task) -> None:
        self.work, self.task = work, task

    def done(self) -> bool:
        return True

    def result(self) -> bool:
        return self.work(self.task)

    def cancel(self) -> None:
        pass


def _serial(work: Work, tasks: Sequence[Task]) -> Sequence[Pending]:
    return [_Now(work, task) for task in tasks]


def _submitit(executor: str, workers: int | None, folder: Path, options: dict[str, Any]) -> Submit:
    submitit = extra("submitit")
    cluster = "slurm" if executor == "slurm" else "local"
    made = submitit.AutoExecutor(folder=os.fspath(folder / "jobs"), cluster=cluster)
    parameters: dict[str, Any] = {"name": "philae", "cpus_per_task": 1, **options}
    if cluster == "slurm" and workers:
        parameters["slurm_array_parallelism"] = workers
    made.update_parameters(**parameters)
    return lambda work, tasks: made.map_array(work, [dict(task) for task in tasks])


class _Workers:
    """Processes of this machine that run one task after the other.

    They are fresh interpreters that read tasks from their standard input: a script needs no guard for its own start, and
    when the sweep's process ends, for any reason, they end.
    """

    def __init__(self, count: int) -> None:
        self.tasks: queue.SimpleQueue[tuple[Task, Future[bool]] | None] = queue.SimpleQueue()
        self.count = count
        self.threads: list[threading.Thread] = []
        self.processes: set[subprocess.Popen[str]] = set()
        self.is_closed = False

    def submit_all(self, work: Work, tasks: Sequence[Task]) -> list[Future[bool]]:
        """Gives every task to a free worker; `work` is ignored, because workers always do the same."""
        futures: list[Future[bool]] = []
        for task in tasks:
            future: Future[bool] = Future()
            futures.append(future)
            self.tasks.put((task, future))
        for _ in range(min(self.count, len(tasks))):
            self.tasks.put(None)
            thread = threading.Thread(target=self._serve, daemon=True)
            self.threads.append(thread)
            thread.start()
        return futures

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "philae._worker"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.processes.add(process)
        return process

    def _serve(self) -> None:
        process = self._start()
        while not self.is_closed:
            entry = self.tasks.get()
            if entry is None:
                break
            task, future = entry
            if not future.set_running_or_notify_cancel():
                continue
            answer = ""
            try:
                assert process.stdin is not None and process.stdout is not None
                process.stdin.write(json.dumps(dict(task)) + "\n")
                process.stdin.flush()
                answer = process.stdout.readline()
            except OSError:
                pass
            if answer.endswith("\n"):
                found = json.loads(answer)
                if "error" in found:
                    future.set_exception(RuntimeError(found["error"]))
                else:
                    future.set_result(bool(found["ok"]))
                continue
            # The worker died, for want of memory perhaps. The run is lost, not the others.
            code = process.wait()
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            future.set_exception(RuntimeError(f"its process ended early ({how})"))
            if not self.is_closed:
                process = self._start()
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()

    def close(self) -> None:
        """Ends the workers, including those in the middle of a run."""
        self.is_closed = True
        for process in list(self.processes):
            process.terminate()
        for thread in self.threads:
            thread.join()
        for process in list(self.processes):
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
