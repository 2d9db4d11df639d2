"""Sweeps: one table, resumed where they were stopped, failures beside what worked."""

from __future__ import annotations

import concurrent.futures
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import philae
import pyarrow as pa
import pytest
from conftest import small

GRID = {"jobs.victim.workload.bytes": ["64B", "4KiB", "16KiB"], "run.seed": range(20)}


def base() -> philae.Scenario:
    return small(allocation="random", measure={"sample_interval": 0, "flows": False})


def runs(folder: Path) -> list[Path]:
    return sorted((folder / "runs").glob("[!.]*.json")) if folder.is_dir() else []


def test_sixty_runs_killed_half_way_and_resumed_are_as_if_never_stopped(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import philae\n"
        "from test_sweep import GRID, base\n"
        "philae.sweep(base(), GRID, out=sys.argv[2], workers=2)\n"
    )
    folder = tmp_path / "killed"
    process = subprocess.Popen([sys.executable, "-c", code, os.path.dirname(__file__), os.fspath(folder)])
    while len(runs(folder)) < 25:
        assert process.poll() is None, "the sweep ended before it could be killed"
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    # Workers end with the run that they are in, which takes some hundredths of a second.
    count = -1
    while count != len(runs(folder)):
        count = len(runs(folder))
        time.sleep(1)
    before = {path.name: path.stat().st_mtime_ns for path in runs(folder)}
    assert 25 <= len(before) < 60
    assert not (folder / "table.parquet").exists()

    resumed = philae.sweep(base(), GRID, out=folder, workers=2)
    assert (resumed.ran, resumed.found) == (60 - len(before), len(before))
    after = {path.name: path.stat().st_mtime_ns for path in runs(folder)}
    assert len(after) == 60
    assert all(after[name] == when for name, when in before.items()), "a run that was there was run again"

    whole = philae.sweep(base(), GRID, out=tmp_path / "whole", executor="serial")
    assert (whole.ran, len(whole), whole.failures) == (60, 60, [])
    for name in ("table.parquet", "table.csv"):
        assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert pa.table(resumed).equals(pa.table(whole))
    assert philae.sweep(base(), GRID, out=folder).ran == 0


def test_a_row_is_what_a_run_of_its_values_gives(tmp_path: Path) -> None:
    made = philae.sweep(base(), {"jobs.victim.nodes": [4, 8], "seed": [5]}, out=tmp_path / "s", keep_results=True)
    table = made.table.to_dict()
    assert table["jobs.victim.nodes"] == [4, 8] and table["seed"] == [5, 5]
    alone = philae.run(base().set("jobs.victim.nodes", 8), seed=5, progress=False)
    assert table["digest"][1] == alone.digest == made.result(1).digest
    latency = alone.summary["jobs"][0]["message_latency"]["p99_ps"]
    assert table["job.victim.message_latency.p99_ps"][1] == latency
    assert philae.Table.read_parquet(tmp_path / "s" / "table.parquet").to_dict() == table


def test_a_kept_result_that_was_removed_is_made_again(tmp_path: Path) -> None:
    made = philae.sweep(base(), {"jobs.victim.nodes": [4, 8]}, out=tmp_path / "s", keep_results=True, executor="serial")
    digest = made.result(1).digest
    shutil.rmtree(tmp_path / "s" / "results" / "00001")
    again = philae.sweep(
        base(), {"jobs.victim.nodes": [4, 8]}, out=tmp_path / "s", keep_results=True, executor="serial"
    )
    assert (again.ran, again.found, again.result(1).digest) == (1, 1, digest)


def test_hidden_files_of_killed_sweeps_are_removed(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "sweep.json").write_text("{}")
    left = tmp_path / "s" / f".table.csv.{socket.gethostname()}-{ended.pid}"
    mine = tmp_path / "s" / f".table.csv.{socket.gethostname()}-x"
    for file in (left, mine):
        file.write_text("half")
    with pytest.warns(UserWarning, match="another scenario"):
        philae.sweep(base(), {"jobs.victim.nodes": [4]}, out=tmp_path / "s", executor="serial")
    assert not left.exists() and mine.exists()


def test_a_failed_run_is_named_and_does_not_stop_the_rest(tmp_path: Path) -> None:
    made = philae.sweep(base(), {"jobs.victim.nodes": [4, 400, 8]}, out=tmp_path / "s", executor="serial")
    assert [failure.name for failure in made.failures] == ["jobs.victim.nodes=400"]
    assert "400" in made.failures[0].error
    assert made.table.to_dict()["status"] == ["completed", "failed", "completed"]
    assert made.table.to_dict()["digest"][1] is None


def test_a_grid_may_grow(tmp_path: Path) -> None:
    assert philae.sweep(base(), {"seed": [1, 2]}, out=tmp_path / "s", executor="serial").ran == 2
    grown = philae.sweep(base(), {"seed": [1, 2, 3]}, out=tmp_path / "s", executor="serial")
    assert (grown.ran, grown.found) == (1, 2)


def test_a_wrong_key_and_a_strange_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(philae.ResultError, match="is not a sweep"):
        philae.sweep(base(), {"seed": [1]}, out=tmp_path)
    with pytest.raises(philae.ScenarioError, match="unknown key `sead`"):
        philae.sweep(base(), {"sead": [1]}, out=tmp_path / "s")
    with pytest.raises(philae.ScenarioError, match="no value for `seed`"):
        philae.sweep(base(), {"seed": []}, out=tmp_path / "s")
    for values in ([1, 1.0], [1, 2, 1], [0x10, 16]):
        with pytest.raises(philae.ScenarioError, match="the same value of `seed` twice"):
            philae.sweep(base(), {"seed": values}, out=tmp_path / "s")
    with pytest.raises(ValueError, match="'processes', 'serial', 'slurm', 'dask'"):
        philae.sweep(base(), {"seed": [1]}, out=tmp_path / "s", executor="threads")


def test_a_worker_that_dies_loses_its_run_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A worker that ends itself in the middle of the second seed, as the kernel ends one that wants
    # too much memory.
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, philae._cell as cell\n"
        "whole = cell.run_cell\n"
        "def run_cell(task):\n"
        "    if ['seed', '2'] in task['values']: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return whole(task)\n"
        "cell.run_cell = run_cell\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.fspath(tmp_path), *sys.path[1:]]))
    made = philae.sweep(base(), {"seed": [1, 2, 3]}, out=tmp_path / "s", workers=1)
    assert [(failure.name, failure.error) for failure in made.failures] == [
        ("seed=2", "RuntimeError: its process ended early (signal 9)")
    ]
    assert made.table.to_dict()["status"] == ["completed", "lost", "completed"]
    monkeypatch.delenv("PYTHONPATH")
    assert philae.sweep(base(), {"seed": [1, 2, 3]}, out=tmp_path / "s", workers=1).ran == 1


def test_executors_of_others(tmp_path: Path) -> None:
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        made = philae.sweep(base(), {"seed": [1, 2, 3]}, out=tmp_path / "threads", executor=pool)
    alone = philae.sweep(base(), {"seed": [1, 2, 3]}, out=tmp_path / "alone", executor="serial")
    assert made.table.to_dict() == alone.table.to_dict()


def test_submitit_runs_a_sweep_as_an_array_of_jobs(tmp_path: Path) -> None:
    pytest.importorskip("submitit")
    # Slurm itself is not here: submitit's own local jobs take the same way through the same calls.
    made = philae.sweep(base(), {"seed": [1, 2]}, out=tmp_path / "s", executor="submitit-local")
    assert made.table.to_dict()["status"] == ["completed", "completed"]
    assert any((tmp_path / "s" / "jobs").iterdir())


def test_dask_runs_a_sweep(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    options = {"processes": False, "dashboard_address": None}
    made = philae.sweep(base(), {"seed": [1, 2]}, out=tmp_path / "s", executor="dask", workers=1, options=options)
    assert made.table.to_dict()["status"] == ["completed", "completed"]


def test_the_progress_line_names_what_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    philae.sweep(base(), {"seed": [1, 2]}, out=tmp_path / "s", executor="serial", progress=True)
    shown = capsys.readouterr().err
    assert "2 of 2 runs" in shown
    assert shown.endswith("0 were there before, 0 failed\n")


def test_the_table_of_another_scenario_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    philae.sweep(base(), {"run.seed": [1]}, out=folder, executor="serial")
    before = (folder / "table.csv").read_bytes()
    # More values of the same scenario are the same sweep.
    philae.sweep(base(), {"run.seed": [1, 2]}, out=folder, executor="serial")
    assert not (folder / "table.earlier.csv").exists()
    other = base().set("jobs.victim.workload.bytes", "64B")
    with pytest.warns(UserWarning, match="table.earlier.csv"):
        philae.sweep(other, {"run.seed": [1]}, out=folder, executor="serial")
    assert (folder / "table.earlier.csv").read_bytes() != before
    assert (folder / "table.earlier.csv").read_text(encoding="utf-8").count("\n") == 3
    with pytest.warns(UserWarning, match="table.earlier-2.csv"):
        philae.sweep(base(), {"run.seed": [1]}, out=folder, executor="serial")
    assert (folder / "table.earlier-2.csv").read_bytes().count(b"\n") == 2


def test_one_sweep_at_a_time_writes_into_a_folder(tmp_path: Path) -> None:
    class Second:
        """Starts a second sweep there while the first one runs."""

        said = ""

        def submit(self, function: Any, argument: Any) -> concurrent.futures.Future[Any]:
            with pytest.raises(philae.ResultError) as refused:
                philae.sweep(base(), {"run.seed": [9]}, out=tmp_path / "s", executor="serial")
            Second.said = str(refused.value)
            done: concurrent.futures.Future[Any] = concurrent.futures.Future()
            done.set_result(function(argument))
            return done

    first = philae.sweep(base(), {"run.seed": [1]}, out=tmp_path / "s", executor=Second())
    assert (first.ran, first.failures) == (1, [])
    assert f"another sweep writes into '{tmp_path / 's'}' (process {os.getpid()})" in Second.said
    # The folder is free again, and a lock alone is no other result.
    assert philae.sweep(base(), {"run.seed": [1, 9]}, out=tmp_path / "s", executor="serial").ran == 1
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / ".lock").touch()
    assert philae.sweep(base(), {"run.seed": [1]}, out=tmp_path / "new", executor="serial").ran == 1
