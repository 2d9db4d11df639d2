"""Scenarios as objects: keywords of the schema, text of the simulator's errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import philae
import pytest
from philae import _native

ROOT = Path(__file__).parents[2]


def test_objects_dictionaries_and_toml_say_the_same(scenario: philae.Scenario) -> None:
    again = philae.Scenario.from_dict(scenario.to_dict())
    assert again == scenario
    assert philae.Scenario.from_toml(scenario.to_toml()) == scenario
    workload = again.jobs[0].workload
    assert isinstance(workload, philae.Alltoall) and workload.bytes == "4KiB"


def test_every_sample_scenario_survives_the_way_through_objects() -> None:
    paths = sorted((ROOT / "scenarios").glob("*.toml"))
    assert len(paths) > 5
    for path in paths:
        scenario = philae.Scenario.load(path)
        plain = json.loads(_native.load(path))
        shown = scenario.to_dict()
        assert json.loads(_native.resolve(json.dumps(shown))[0]) == json.loads(_native.resolve(json.dumps(plain))[0])


def test_a_key_is_set_by_its_path(scenario: philae.Scenario) -> None:
    assert scenario.set("jobs.victim.workload.bytes", "1KiB") is scenario
    workload = scenario.jobs[0].workload
    assert isinstance(workload, philae.Alltoall) and workload.bytes == "1KiB"
    scenario.set("job.0.nodes", 4).set("run.seed", 7).set("run.time_limit", "1ms").set(
        "hardware.switch.latency_ns", 300
    )
    assert (scenario.jobs[0].nodes, scenario.seed, scenario.run.time_limit) == (4, 7, "1ms")
    assert scenario.hardware.switch.latency_ns == 300


def test_a_wrong_value_leaves_the_scenario_as_it_was(scenario: philae.Scenario) -> None:
    before = scenario.to_dict()
    with pytest.raises(philae.ScenarioError, match="partitions"):
        scenario.set_all({"seed": 3, "run.partitions": 0})
    assert scenario.to_dict() == before


def test_an_error_has_the_text_of_the_command(scenario: philae.Scenario) -> None:
    with pytest.raises(philae.ScenarioError) as caught:
        scenario.set("job.victim.workload.byts", 3)
    expected = "unknown key `byts` in [job.victim.workload]; did you mean `bytes`? keys: algorithm, bytes"
    assert str(caught.value).startswith(expected)
    with pytest.raises(philae.ScenarioError, match="no job ends by itself and there is no time limit"):
        philae.Scenario(
            system="malbec", jobs=[philae.Job("endless", workload=philae.Permutation(bytes="1KiB"))]
        ).resolve()


def test_a_file_has_lines_in_its_errors(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text('system = "malbec"\n\n[run]\ntime_limt = "1ms"\n')
    with pytest.raises(philae.ScenarioError, match=r"unknown key `time_limt` in \[run\] \(line 4\)"):
        philae.Scenario.load(path)


def test_a_path_in_a_file_is_meant_from_its_folder(tmp_path: Path, scenario: philae.Scenario) -> None:
    (tmp_path / "tiny.toml").write_text(philae.Scenario.to_toml(scenario).split("[system]")[0] or "")
    system = scenario.system.to_dict()
    (tmp_path / "tiny.json").write_text(json.dumps(system))
    scenario.system = philae.System(path="tiny.json")
    scenario.save(tmp_path / "scenario.toml")
    assert philae.run(tmp_path / "scenario.toml", progress=False).status == "completed"


def test_attributes_that_are_no_keys_are_refused_with_the_nearest() -> None:
    job = philae.Job("job", workload=philae.Barrier(iterations=1))
    with pytest.raises(AttributeError, match="Job has no key `node`; did you mean `nodes`"):
        job.node = 3  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        philae.Alltoall(byts=3)  # type: ignore[call-arg]


def test_dictionaries_become_the_tables_that_belong_there() -> None:
    job = philae.Job("job", workload={"kind": "alltoall", "bytes": 64})
    assert isinstance(job.workload, philae.Alltoall)
    assert isinstance(job.workload, philae.Workload)
    with pytest.raises(philae.ScenarioError, match="did you mean 'alltoall'"):
        philae.Job("job", workload={"kind": "altoall"})
    with pytest.raises(philae.ScenarioError, match="found a Job; a Workload would work"):
        philae.Job("job", workload=job)  # type: ignore[arg-type]


def test_built_in_systems() -> None:
    assert "malbec" in [system.name for system in philae.systems()]
    system = philae.System.builtin("malbec")
    assert system.describe()["nodes"] == 484
    assert system.expanded().dragonfly is not None
    with pytest.raises(philae.ScenarioError, match="malbec"):
        philae.System.builtin("malbek")


def test_the_wiring_is_symmetric(scenario: philae.Scenario) -> None:
    wiring = scenario.system.wiring().to_dict()
    joined = {(port, peer) for port, peer in zip(wiring["port_index"], wiring["peer_port_index"]) if peer is not None}
    assert joined == {(peer, port) for port, peer in joined}
    assert sum(endpoint is not None for endpoint in wiring["endpoint"]) == 16


def test_a_resolved_scenario_has_every_default_and_resolves_to_itself(scenario: philae.Scenario) -> None:
    resolved = scenario.resolve()
    assert resolved.hardware.switch.latency_ns is not None
    assert resolved.resolve() == resolved


def test_the_generated_classes_are_what_the_schema_says() -> None:
    command = [sys.executable, str(ROOT / "python" / "tools" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_key_of_the_schema_has_an_attribute() -> None:
    schema = json.loads(_native.schema())
    assert {key.schema_name for key in philae.Scenario._keys.values()} == set(schema["properties"])
    kinds = {found["properties"]["kind"]["const"] for found in schema["$defs"]["WorkloadSpec"]["oneOf"]}
    assert set(philae.Workload._kinds) == kinds


@pytest.mark.parametrize("wrong", [None, 5, ["malbec"]])
def test_what_is_no_scenario_is_named(wrong: object) -> None:
    with pytest.raises(
        philae.ScenarioError, match="is not a scenario; a Scenario, a dictionary of its keys or the path"
    ):
        philae.run(wrong)  # type: ignore[arg-type]


def test_numbers_that_a_scenario_cannot_hold_are_named() -> None:
    job = philae.Job("a", nodes=float("nan"), workload=philae.Barrier(iterations=1))
    scenario = philae.Scenario(system=philae.System.builtin("malbec"), jobs=[job])
    with pytest.raises(philae.ScenarioError, match=r"`job\.0\.nodes` is nan; a finite number would work"):
        philae.run(scenario)
    scenario.jobs[0].nodes = 2
    with pytest.raises(
        philae.ScenarioError, match=f"`seed` is {2**64}; a whole number from 0 to {2**63 - 1} would work"
    ):
        philae.run(scenario, seed=2**64)
    text = scenario.to_toml()
    for written, seed in [("1e16", 10**16), ("9007199254740993.0", 9007199254740993), ("0x10", 16)]:
        assert philae.Scenario.from_toml(f"seed = {written}\n{text}").seed == seed
    assert scenario.set("seed", 9007199254740993).seed == 9007199254740993
    with pytest.raises(philae.ScenarioError, match="0 up to 9223372036854775807"):
        scenario.set("seed", 1e16)
    with pytest.raises(philae.ScenarioError, match=r"`run\.warm_up` is inf; a finite number would work"):
        scenario.set("run.warm_up", float("inf"))
