"""Runs and results: digests, folders, tables without copies, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import philae
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import small
from philae.progress import time_text


def test_the_same_seed_gives_the_same_digest(scenario: philae.Scenario) -> None:
    scenario.allocation = "random"
    digests = [philae.run(scenario, seed=seed, progress=False).digest for seed in (1, 1, 2)]
    assert digests[0] == digests[1] != digests[2]
    assert scenario.seed is None, "the scenario itself stays as it is"


def test_a_resolved_scenario_runs_to_the_same_digest(result: philae.Result) -> None:
    assert philae.run(result.scenario, progress=False).digest == result.digest


def test_a_result_says_what_happened(result: philae.Result) -> None:
    assert (result.status, result.jobs) == ("completed", ["victim"])
    assert result.simulated_ps == result.summary["simulated_ps"] > 0
    assert len(result["messages"]) == 16 * 15 * 3 == result.manifest["tables"]["messages.parquet"]
    assert result.digest in repr(result)
    with pytest.raises(KeyError, match="tables: messages"):
        result.table("message")  # type: ignore[arg-type]


def test_arrow_takes_a_table_without_a_copy(result: philae.Result) -> None:
    table = result["messages"]
    latency = table["latency_ps"]
    assert not latency.flags.writeable
    arrow = pa.table(table)
    assert arrow.column("latency_ps").chunk(0).buffers()[1].address == latency.ctypes.data
    assert pa.record_batch(table).column("latency_ps").buffers()[1].address == latency.ctypes.data
    frame = table.to_polars()
    assert frame["latency_ps"].to_numpy().ctypes.data == latency.ctypes.data
    assert np.shares_memory(table.to_pandas()["latency_ps"].to_numpy(), latency)
    assert arrow.schema.field("latency_ps").metadata[b"about"] == b"`delivered_ps - issued_ps`."
    assert pa.schema(table) == arrow.schema


def test_memory_outlives_the_table() -> None:
    values = philae.run(small(), progress=False)["messages"]["latency_ps"]
    assert values.min() > 0


def test_frames_hold_what_the_table_holds(result: philae.Result) -> None:
    for name in result.tables:
        table = result.table(name)  # type: ignore[arg-type]
        lists = table.to_dict()
        assert pa.table(table).to_pydict() == lists
        assert pl.DataFrame(table).to_dict(as_series=False) == lists
        assert len(table.to_pandas()) == len(table)
    frame = result["ports"].to_pandas()
    assert isinstance(frame["role"].dtype, pd.CategoricalDtype)
    # Neither the first nor the last one has a value everywhere.
    assert result["congestion"].name == "congestion"


def test_integers_above_the_doubles_keep_every_digit(tmp_path: Path) -> None:
    large = 2**53 + 1
    table = philae.Table.from_columns(
        "mine", {"all": [large, 2, 3], "some": [large, None, -large], "few": [1, None, 2]}
    )
    frame = table.to_pandas()
    assert frame["some"].dtype == pd.Int64Dtype() and frame["all"].dtype == np.int64
    assert frame["some"].isna().tolist() == [False, True, False]
    assert [int(frame["some"][0]), int(frame["some"][2]), int(frame["all"][0])] == [large, -large, large]
    assert table.to_dict()["some"] == [large, None, -large]
    assert table.to_polars()["some"].to_list() == pa.table(table)["some"].to_pylist() == [large, None, -large]
    assert table["few"].tolist()[::2] == [1.0, 2.0]
    with pytest.raises(
        OverflowError, match="column some has missing values and 9007199254740993, which no float holds"
    ):
        table["some"]
    table.write_csv(tmp_path / "mine.csv")
    assert f"{large},{large},1" in (tmp_path / "mine.csv").read_text()
    # As docs/simulate/results.md reads a file without this package, and as it should not be read.
    table.write_parquet(tmp_path / "mine.parquet")
    for backend in ("numpy_nullable", "pyarrow"):
        read = pd.read_parquet(tmp_path / "mine.parquet", dtype_backend=backend)
        assert [int(read["some"][0]), int(read["some"][2])] == [large, -large], backend
    assert int(pd.read_parquet(tmp_path / "mine.parquet")["some"][0]) != large


def test_rows_without_a_value_are_nan_in_numpy() -> None:
    table = philae.Table.from_columns("mine", {"n": [1, None, 3], "x": [0.5, 1, None], "t": ["a", None, "a"]})
    assert np.isnan(table["n"][1]) and table["n"][2] == 3
    assert list(table["t"]) == ["a", None, "a"]
    assert list(table.codes("t")[0]) == [0, -1, 0]
    assert table.to_pandas()["t"].isna().tolist() == [False, True, False]
    assert pl.DataFrame(table)["n"].to_list() == [1, None, 3]
    with pytest.raises(KeyError, match="columns: n, x, t"):
        table["m"]
    with pytest.raises(philae.ResultError, match="column b has 2 rows, those before it 1"):
        philae.Table.from_columns("mine", {"a": [1], "b": [1, 2]})
    with pytest.raises(TypeError, match="column a has int, str"):
        philae.Table.from_columns("mine", {"a": [1, "b"]})


def test_a_saved_result_is_the_folder_of_the_command(result: philae.Result, tmp_path: Path) -> None:
    folder = result.save(tmp_path / "result")
    names = {path.name for path in folder.iterdir()}
    assert {"manifest.json", "report.html", "scenario.toml"} <= names
    loaded = philae.load(folder)
    assert (loaded.digest, loaded.status, loaded.jobs) == (result.digest, result.status, result.jobs)
    for name in result.tables:
        assert pa.table(loaded.table(name)) == pa.table(result.table(name))  # type: ignore[arg-type]
        rows = pq.read_table(folder / f"{name}.parquet").num_rows
        assert rows == len(result.table(name))  # type: ignore[arg-type]
    assert philae.run(folder / "scenario.toml", progress=False).digest == result.digest
    copy = philae.load(loaded.save(tmp_path / "copy"))
    assert copy.digest == result.digest
    assert loaded.summary == result.summary
    (folder / "summary.json").unlink()
    with pytest.raises(philae.ResultError, match="no summary"):
        _ = philae.load(folder).summary


@pytest.mark.skipif("PHILAE_COMMAND" not in os.environ, reason="PHILAE_COMMAND does not name the command")
def test_the_command_writes_the_same_tables(scenario: philae.Scenario, tmp_path: Path) -> None:
    scenario.save(tmp_path / "scenario.toml")
    command = [os.environ["PHILAE_COMMAND"], "simulate", "scenario.toml", "--output", "theirs", "--seed", "5"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    ours, theirs = philae.run(scenario, seed=5, progress=False).save(tmp_path / "ours"), tmp_path / "theirs"
    names = sorted(path.name for path in theirs.iterdir())
    assert names == sorted(path.name for path in ours.iterdir())
    for name in names:
        if name.endswith(".parquet") or name == "scenario.toml":
            assert (ours / name).read_bytes() == (theirs / name).read_bytes(), name
    assert philae.load(ours).digest == philae.load(theirs).digest


@pytest.mark.parametrize("name", ["manifest.json", "summary.json", "messages.parquet"])
def test_a_pipe_in_a_folder_is_no_reason_to_wait(tmp_path: Path, result: philae.Result, name: str) -> None:
    result.save(tmp_path / "run")
    (tmp_path / "run" / name).unlink()
    os.mkfifo(tmp_path / "run" / name)
    with pytest.raises(philae.ResultError, match="regular file"):
        loaded = philae.load(tmp_path / "run")
        loaded.summary, loaded.table("messages")


def test_a_folder_that_is_no_result_is_refused(tmp_path: Path, result: philae.Result) -> None:
    with pytest.raises(philae.ResultError, match="is not a result folder"):
        philae.load(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(philae.ResultError):
        result.save(tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_errors_of_a_run_arrive_as_exceptions(scenario: philae.Scenario) -> None:
    scenario.jobs[0].nodes = 400
    with pytest.raises(philae.ScenarioError, match="400"):
        philae.run(scenario)
    with pytest.raises(philae.ScenarioError, match=r"run\.threads"):
        philae.run(small(), threads=0)
    assert issubclass(philae.ScenarioError, ValueError)


def long_run() -> philae.Scenario:
    job = philae.Job("long", workload=philae.Permutation(bytes="64KiB"))
    return small(jobs=[job], run={"time_limit": "10s"}, measure={"sample_interval": 0, "flows": False})


def test_progress_is_told_and_may_stop_a_run() -> None:
    told: list[int] = []

    def progress(now: int, events: int, hops: int, unfinished: int, ranks: int, limit: int | None) -> None:
        told.append(now)
        assert limit == 10 * 10**12 and events > 0 and hops > 0
        if len(told) == 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        philae.run(long_run(), progress=progress)
    assert told == sorted(set(told)) and len(told) == 3


def test_python_goes_on_while_a_run_runs() -> None:
    counted = 0
    is_over = threading.Event()

    def count() -> None:
        nonlocal counted
        while not is_over.is_set():
            counted += 1
            time.sleep(0.01)

    thread = threading.Thread(target=count)
    thread.start()
    seen: list[int] = []

    def progress(*_: object) -> None:
        seen.append(counted)
        if len(seen) == 4:
            raise StopIteration

    with pytest.raises(StopIteration):
        philae.run(long_run(), progress=progress)
    is_over.set()
    thread.join()
    assert counted > 10, "a lock held for the whole run would have let the other thread count once or twice"


def test_ctrl_c_stops_a_run_with_keyboard_interrupt() -> None:
    code = (
        "import philae, sys; sys.path.insert(0, sys.argv[1])\n"
        "from test_run import long_run\n"
        "print('ready', flush=True)\n"
        "try: philae.run(long_run(), progress=False)\n"
        "except KeyboardInterrupt: print('stopped')\n"
    )
    command = [sys.executable, "-c", code, os.path.dirname(__file__)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "stopped\n"
        assert time.monotonic() - began < 3
    assert process.returncode == 0


def test_a_run_that_does_not_fit_into_memory_is_refused() -> None:
    code = (
        "import philae, resource, sys; sys.path.insert(0, sys.argv[1])\n"
        "from test_run import long_run\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
        "try: philae.run(long_run(), overrides={'job.0.processes_per_node': 1_000_000}, progress=False)\n"
        "except philae.ScenarioError as error: print(error)\n"
    )
    command = [sys.executable, "-c", code, os.path.dirname(__file__)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "the run will take about" in said and "ignore_memory=True" in said


def test_progress_as_text(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from philae.progress import RunProgress

    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with RunProgress(True) as line:
        line(5 * 10**6, 1000, 100, 4, 16, None)
    shown = capsys.readouterr().err
    assert "75 %  5 us simulated, 4 of 16 ranks left" in shown
    assert shown.endswith("\r")


def test_importing_needs_no_other_package() -> None:
    blocked = ["numpy", "pyarrow", "polars", "pandas", "matplotlib", "tqdm", "submitit", "dask"]
    code = (
        "import json, sys\n"
        f"for name in {blocked!r}: sys.modules[name] = None\n"
        "import philae\n"
        "table = philae.Table.from_columns('t', {'a': [1, 2]})\n"
        "try: table['a']\n"
        "except ImportError as error: print(json.dumps([table.to_dict(), str(error)]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lists, error = json.loads(done.stdout)
    assert lists == {"a": [1, 2]}
    assert "`pip install numpy` would install it" in error


def test_captures_are_written(tmp_path: Path) -> None:
    path = tmp_path / "nic.pcapng"
    scenario = small(captures=[philae.Capture(port="endpoint:0", file=str(path))])
    result = philae.run(scenario, progress=False)
    assert result.manifest["captures"][0]["written"] > 10
    assert path.stat().st_size > 1000
    with pytest.raises(philae.ResultError, match="cannot write the capture"):
        philae.run(scenario, overrides={"capture.0.file": str(tmp_path / "no" / "nic.pcapng")})


def test_what_only_the_command_does_is_refused() -> None:
    """A section that would be left out without a word is an error."""
    scenario = small()
    scenario.set("explain.job", "victim")
    with pytest.raises(philae.ScenarioError, match=r"\[explain\]"):
        philae.run(scenario, progress=False)


def test_threads_do_not_change_a_run() -> None:
    assert philae.run(small(), threads=2, progress=False).digest == philae.run(small(), progress=False).digest


def test_results_are_compared(tmp_path: Path) -> None:
    one = philae.run(small(), progress=False)
    other = philae.run(small(), overrides={"congestion.law": "none"}, progress=False)
    kept = philae.load(other.save(tmp_path / "kept"))
    found = philae.compare(one, other, kept)
    rows = found.to_dict()
    assert [result["letter"] for result in rows["results"]] == ["A", "B", "C"]
    assert "congestion.law" in [row["key"] for row in rows["scenario"]]
    assert rows["jobs"][0]["results"][1] == rows["jobs"][0]["results"][2]
    assert "C / A" in str(found) and "kept" in repr(found)
    assert found.save(tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!")
    assert "<iframe" in found._repr_html_()
    with pytest.raises(philae.ResultError, match="2 to 26"):
        philae.compare(one)


def test_notebooks_show_tables() -> None:
    result = philae.run(small(), progress=False)
    shown = result._repr_html_()
    assert result.digest in shown and "<table>" in shown and result.jobs[0] in shown
    table = result["messages"]._repr_html_()
    assert table.count("<tr>") == min(len(result["messages"]), 20) + 1 and "latency_ps" in table
    word = philae.Table.from_columns("t", {"a": ["<b>", None]})._repr_html_()
    assert "&lt;b&gt;" in word and "<td></td>" in word and "<b>t</b>" in word


def test_notebooks_mark_times_that_are_lower_bounds() -> None:
    whole = philae.run(small(), progress=False)
    assert "≥" not in whole._repr_html_()
    cut = philae.run(small(), overrides={"run.time_limit": "5us"}, progress=False)
    job = cut.summary["jobs"][0]
    assert job["messages_undelivered"] > 0 and job["message_latency_at_least"] and job["iterations"]["not_ended"] > 0
    shown = cut._repr_html_()
    assert f"<td>≥{time_text(round(job['message_latency_at_least']['p99_ps']))}</td>" in shown
    assert shown.count("≥") == len(job["message_latency_at_least"]) + 1, "the iteration, too"


def test_messages_are_explained() -> None:
    scenario = small()
    job = scenario.jobs[0].name
    found = philae.explain(scenario, job, slowest=2)
    assert len(found) == 2 and "messages" in repr(found) and str(found) and "<pre>" in found._repr_html_()
    with pytest.raises(philae.ScenarioError):
        philae.explain(scenario, "nobody")
