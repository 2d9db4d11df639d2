"""Systems as graphs of networkx: there and back, in each of its formats."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import philae
import pytest

nx = pytest.importorskip("networkx")

#: What has to be the same after the way through networkx.
FIGURES = (
    "name",
    "switches",
    "endpoints",
    "nodes",
    "links",
    "global_gbps",
    "local_gbps",
    "injection_gbps",
    "radix",
    "nic",
)


def described(path: Path) -> dict[str, Any]:
    found = philae.System.load(path).describe()
    return {key: found[key] for key in FIGURES}


@pytest.mark.skipif("PHILAE_COMMAND" not in os.environ, reason="PHILAE_COMMAND does not name the command")
@pytest.mark.parametrize("name", ["malbec", "crystal"])
def test_a_system_survives_the_way_through_networkx(name: str, tmp_path: Path) -> None:
    graphml, node_link = tmp_path / "own.graphml", tmp_path / "own.json"
    command = [os.environ["PHILAE_COMMAND"], "describe", name, "--graphml", str(graphml), "--networkx", str(node_link)]
    subprocess.run(command, check=True, capture_output=True)
    before = described(graphml)
    assert before == described(node_link)
    assert before["links"] == philae.System.builtin(name).describe()["links"]
    read = [nx.read_graphml(graphml), nx.node_link_graph(json.loads(node_link.read_text()), edges="links")]
    for at, graph in enumerate(read):
        nx.write_graphml(graph, tmp_path / f"{at}.graphml")
        nx.write_gexf(graph, tmp_path / f"{at}.gexf")
        (tmp_path / f"{at}.json").write_text(json.dumps(nx.node_link_data(graph)))
        for form in ("graphml", "json"):
            assert described(tmp_path / f"{at}.{form}") == before, (at, form)
        # networkx writes no data of the whole graph as GEXF.
        kept = {
            key: value
            for key, value in described(tmp_path / f"{at}.gexf").items()
            if key not in ("name", "radix", "nic")
        }
        assert kept == {key: before[key] for key in kept}


def test_a_graph_drawn_in_networkx_is_a_system(tmp_path: Path) -> None:
    graph = nx.petersen_graph()
    nx.set_edge_attributes(graph, {edge: 100 if edge[0] else 37.5 for edge in graph.edges}, "rate_gbps")
    nx.set_edge_attributes(graph, True, "global")
    graph.graph["endpoints_per_switch"] = 2
    for directed in (graph, graph.to_directed()):
        nx.write_graphml(directed, tmp_path / "petersen.graphml")
        found = philae.System.load(tmp_path / "petersen.graphml").describe()
        assert (found["switches"], found["endpoints"], found["links"]["global"]) == (10, 20, 15)
        assert found["global_gbps"] == 2 * (3 * 37.5 + 12 * 100)
        assert found["warnings"] == [], "each edge of the directed graph has its opposite"
    del graph.graph["endpoints_per_switch"]
    nx.write_graphml(graph, tmp_path / "bare.graphml")
    system = philae.System(path=str(tmp_path / "bare.graphml"), endpoints_per_switch=3)
    assert system.describe()["endpoints"] == 30
