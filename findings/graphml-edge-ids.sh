#!/usr/bin/env bash
# igraph reads the ids of nodes as the ids of edges
#
# Everybody expects: an edge of GraphML that says id="cable-17" has that id after reading, or none.
# What happens: igraph gives the edge the id of a node: the first edge that of the first node, the
#   second edge that of the second node, and so on. There is no warning. networkx and rustworkx keep
#   the ids of the edges.
# Whom it bites: cable plans and fabrics in GraphML whose cables are named by the edge's id. After
#   igraph each cable has the name of a switch that it may not even touch.
# Versions: igraph 1.0.0, networkx 3.6.1
# Output seen:
#   igraph: tor-1-tor-3 is 'tor-1', tor-2-tor-3 is 'tor-2'
#   networkx: tor-1-tor-3 is 'cable-17', tor-2-tor-3 is 'cable-18'
#   graphml-edge-ids: as described (igraph 1.0.0, networkx 3.6.1)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin graphml-edge-ids

python_in python igraph==1.0.0 networkx==3.6.1
cat > fabric.graphml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <graph id="fabric" edgedefault="undirected">
    <node id="tor-1"/>
    <node id="tor-2"/>
    <node id="tor-3"/>
    <edge id="cable-17" source="tor-1" target="tor-3"/>
    <edge id="cable-18" source="tor-2" target="tor-3"/>
  </graph>
</graphml>
XML
cat > igraph-reads.py <<'PY'
import igraph

graph = igraph.Graph.Read_GraphML("fabric.graphml")
name = graph.vs["id"]
print(", ".join(f"{name[e.source]}-{name[e.target]} is {e['id']!r}" for e in graph.es))
PY
cat > networkx-reads.py <<'PY'
import networkx

graph = networkx.read_graphml("fabric.graphml")
print(", ".join(f"{a}-{b} is {data['id']!r}" for a, b, data in graph.edges(data=True)))
PY
expect igraph "tor-1-tor-3 is 'tor-1', tor-2-tor-3 is 'tor-2'" "$(python/bin/python igraph-reads.py)"
expect networkx "tor-1-tor-3 is 'cable-17', tor-2-tor-3 is 'cable-18'" "$(python/bin/python networkx-reads.py)"
finish "igraph 1.0.0, networkx 3.6.1"
