#!/usr/bin/env bash
# networkx counts a bundle of parallel cables as one, in its cuts and in its loads
#
# Everybody expects: in a MultiGraph three parallel cables between two groups are three edges: it
#   takes three cuts to part the groups, three paths cross them without sharing a cable, and a
#   bundle of three draws three times the shortest paths.
# What happens: edge_connectivity, minimum_edge_cut and edge_disjoint_paths accept the MultiGraph
#   and answer 1. They copy it into a graph without parallel edges first. betweenness_centrality
#   gives a bundle of three the same share as a single cable beside it. There is no warning; other
#   functions (maximum_flow, stoer_wagner) refuse a MultiGraph. igraph answers 3 and weighs the
#   bundle, for the same graph.
# Whom it bites: studies of bisection and of faults in fabrics whose groups are joined by more than
#   one cable, so nearly all dragonflies and fat trees.
# Versions: networkx 3.6.1, igraph 1.0.0
# Output seen:
#   networkx, edge connectivity, cables of the minimum cut, disjoint paths: 1 1 1
#   igraph, edge connectivity, disjoint paths: 3 3
#   networkx, betweenness of the switch behind three cables and of the one behind one: 0.5 0.5
#   igraph, the same: 0.9 0.1
#   networkx-parallel-cables: as described (networkx 3.6.1, igraph 1.0.0)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin networkx-parallel-cables

python_in python networkx==3.6.1 igraph==1.0.0
cat > cut.py <<'PY'
from itertools import combinations

import igraph
import networkx

fabric = networkx.MultiGraph()
for group in "ab":
    fabric.add_edges_from(combinations([f"{group}{i}" for i in range(5)], 2))
fabric.add_edges_from([("a0", "b0")] * 3)
print(
    networkx.edge_connectivity(fabric),
    len(networkx.minimum_edge_cut(fabric)),
    len(list(networkx.edge_disjoint_paths(fabric, "a1", "b1"))),
)
other = igraph.Graph.from_networkx(fabric)
index = {name: i for i, name in enumerate(other.vs["_nx_name"])}
print(other.edge_connectivity(), other.edge_disjoint_paths(index["a1"], index["b1"]))
PY
cat > load.py <<'PY'
import igraph
import networkx

diamond = networkx.MultiGraph([("s", "x")] * 3 + [("x", "t")] * 3 + [("s", "y"), ("y", "t")])
load = networkx.betweenness_centrality(diamond, normalized=False)
print(load["x"], load["y"])
other = igraph.Graph.from_networkx(diamond)
load = dict(zip(other.vs["_nx_name"], other.betweenness()))
print(round(load["x"], 9), round(load["y"], 9))
PY
cuts=$(python/bin/python cut.py)
loads=$(python/bin/python load.py)
expect "networkx, edge connectivity, cables of the minimum cut, disjoint paths" "1 1 1" "$(sed -n 1p <<< "$cuts")"
expect "igraph, edge connectivity, disjoint paths" "3 3" "$(sed -n 2p <<< "$cuts")"
expect "networkx, betweenness of the switch behind three cables and of the one behind one" "0.5 0.5" "$(sed -n 1p <<< "$loads")"
expect "igraph, the same" "0.9 0.1" "$(sed -n 2p <<< "$loads")"
finish "networkx 3.6.1, igraph 1.0.0"
