#!/usr/bin/env bash
# networkx and igraph swap the ends of GraphML edges and leave the data of the ends behind
#
# Everybody expects: reading a GraphML file and writing it again keeps what it says about an edge.
#   GraphML names a source and a target in undirected graphs too, and tools store what belongs to
#   one end, such as source_port, as data of the edge.
# What happens: both libraries write that end first which comes first in the list of nodes. The data
#   stays as it was. An edge from leaf port 7 to spine port 31 comes back from spine port 7 to leaf
#   port 31. No warning, and the file is valid.
# Whom it bites: cable lists in GraphML that pass through a script which only adds an attribute or a
#   position.
# Versions: networkx 3.6.1, igraph 1.0.0
# Output seen:
#   the file: leaf port 7 to spine port 31
#   networkx, read and written: spine port 7 to leaf port 31
#   igraph, read and written: spine port 7 to leaf port 31
#   graphml-turned-ports: as described (networkx 3.6.1, igraph 1.0.0)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin graphml-turned-ports

python_in python networkx==3.6.1 igraph==1.0.0
cat > fabric.graphml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="from" for="edge" attr.name="source_port" attr.type="int"/>
  <key id="to" for="edge" attr.name="target_port" attr.type="int"/>
  <graph edgedefault="undirected">
    <node id="s"><data key="name">spine</data></node>
    <node id="l"><data key="name">leaf</data></node>
    <edge source="l" target="s"><data key="from">7</data><data key="to">31</data></edge>
  </graph>
</graphml>
XML
python/bin/python - <<'PY'
import igraph
import networkx

networkx.write_graphml(networkx.read_graphml("fabric.graphml"), "networkx.graphml")
igraph.Graph.Read_GraphML("fabric.graphml").write_graphml("igraph.graphml")
PY
cat > cable.py <<'PY'
import sys
import xml.etree.ElementTree as xml

root = xml.parse(sys.argv[1]).getroot()
space = {"g": "http://graphml.graphdrawing.org/xmlns"}
keys = {key.get("id"): key.get("attr.name") for key in root.iterfind("g:key", space)}


def data(element):
    return {keys[item.get("key")]: item.text for item in element.iterfind("g:data", space)}


names = {node.get("id"): data(node)["name"] for node in root.iterfind(".//g:node", space)}
edge = root.find(".//g:edge", space)
said = data(edge)
print(f"{names[edge.get('source')]} port {said['source_port']} to {names[edge.get('target')]} port {said['target_port']}")
PY
expect "the file" "leaf port 7 to spine port 31" "$(python/bin/python cable.py fabric.graphml)"
expect "networkx, read and written" "spine port 7 to leaf port 31" "$(python/bin/python cable.py networkx.graphml)"
expect "igraph, read and written" "spine port 7 to leaf port 31" "$(python/bin/python cable.py igraph.graphml)"
finish "networkx 3.6.1, igraph 1.0.0"
